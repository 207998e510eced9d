/* A double is m x 2^e, and times a power of ten that fits into 64 bits, or divided by it, it is a
 * whole number of at most 128 bits over a power of two: digits are exact, and what is left decides
 * the rounding. The few values outside of that range go to printf. (Libraries that do this in C:
 * none that Debian has; C++'s to_chars would do.) */
#include "host/base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 wide;

/* 5^27 is the largest power below 2^63. */
enum { MOST_FIVES = 27, DIGITS = 9 };
#define BEYOND_NINE 1000000000u

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

static char *put(char *to, const char *text) {
    size_t length = strlen(text);
    memcpy(to, text, length);
    return to + length;
}

/* Exactly nine digits, zeros in front. */
static void put_digits(char to[DIGITS], uint32_t value) {
    for (int at = DIGITS - 2; at > 0; at -= 2, value /= 100)
        memcpy(to + at, pairs + 2 * (value % 100), 2);
    to[0] = (char)('0' + value);
}

char *gr_put_whole(char *to, uint64_t value) {
    char text[20];
    int at = 20;
    for (; value >= 100; value /= 100)
        memcpy(text + (at -= 2), pairs + 2 * (value % 100), 2);
    if (value >= 10)
        memcpy(text + (at -= 2), pairs + 2 * value, 2);
    else
        text[--at] = (char)('0' + value);
    memcpy(to, text + at, (size_t)(20 - at));
    return to + (20 - at);
}

/* ---- rounding ---- */

static uint64_t power_of_five(int exponent) {
    static const uint64_t small[] = {1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125};
    uint64_t power = 1;
    for (; exponent > 9; exponent -= 9)
        power *= small[9];
    return power * small[exponent];
}

/* a / 2^shift, to the nearest, ties to the even one. */
static uint64_t shift_rounded(wide a, int shift) {
    if (shift <= 0)
        return (uint64_t)(a << -shift);
    if (shift > 126)
        return 0;
    wide half = (wide)1 << (shift - 1), rest = a & (2 * half - 1);
    uint64_t whole = (uint64_t)(a >> shift);
    return whole + (rest > half || (rest == half && (whole & 1)));
}

static uint64_t divide_rounded(wide a, wide by) {
    uint64_t whole = (uint64_t)(a / by);
    wide twice = (a - whole * by) * 2;
    return whole + (twice > by || (twice == by && (whole & 1)));
}

/* m x 2^e x 10^power, rounded; it is below 2^64, and power at least -27 and at most 27. */
static uint64_t scale(uint64_t m, int e, int power) {
    if (power >= 0)
        return shift_rounded((wide)m * power_of_five(power), -(e + power));
    wide by = power_of_five(-power);
    int shift = e + power;
    return shift >= 0 ? divide_rounded((wide)m << shift, by) : divide_rounded(m, by << -shift);
}

/* A positive finite double as m x 2^e. */
static uint64_t take_apart(double value, int *e) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t m = bits & (((uint64_t)1 << 52) - 1);
    *e = (exponent ? exponent : 1) - 1075;
    return exponent ? m | (uint64_t)1 << 52 : m;
}

/* ---- %.9g ---- */

/* Nine digits of which the first stands for 10^exponent, as %g lays them out. */
static char *lay_out(char *to, uint32_t nine, int exponent) {
    char digit[DIGITS];
    int length = DIGITS;
    put_digits(digit, nine);
    while (length > 1 && digit[length - 1] == '0')
        length--;
    if (exponent < -4 || exponent >= DIGITS) {
        *to++ = digit[0];
        if (length > 1) {
            *to++ = '.';
            memcpy(to, digit + 1, (size_t)(length - 1));
            to += length - 1;
        }
        *to++ = 'e';
        *to++ = exponent < 0 ? '-' : '+';
        exponent = exponent < 0 ? -exponent : exponent;
        if (exponent < 10)
            *to++ = '0';
        return gr_put_whole(to, (uint64_t)exponent);
    }
    if (exponent < 0) {
        memcpy(to, "0.000", 5);
        to += 1 - exponent;
    }
    for (int i = 0; i < length || i <= exponent; i++) {
        if (i == exponent + 1 && exponent >= 0)
            *to++ = '.';
        *to++ = i < length ? digit[i] : '0';
    }
    return to;
}

char *gr_put_nine(char *to, double value) {
    if (isnan(value))
        return put(to, signbit(value) ? "-nan" : "nan");
    if (signbit(value))
        *to++ = '-';
    value = fabs(value);
    if (value < 1e9 && value == (double)(uint32_t)value)
        return gr_put_whole(to, (uint32_t)value);
    if (isinf(value))
        return put(to, "inf");
    if (!(value > 1e-18 && value < 1e35))
        return to + sprintf(to, "%.9g", value);
    int e;
    uint64_t m = take_apart(value, &e);
    int exponent = (int)floor((double)(e + 52) * 0.30102999566398120); /* or one more */
    uint64_t nine = scale(m, e, DIGITS - 1 - exponent);
    if (nine >= BEYOND_NINE) /* perhaps by rounding: then it is 10^9, and both give the same */
        nine = scale(m, e, DIGITS - 1 - ++exponent);
    return lay_out(to, (uint32_t)nine, exponent);
}

/* ---- %.6f, %.0f ---- */

char *gr_put_micro(char *to, double value) {
    if (!(value >= 0.0 && value < 1e12) || signbit(value))
        return to + sprintf(to, "%.6f", value);
    int e;
    uint64_t m = take_apart(value, &e), micro = scale(m, e, 6);
    to = gr_put_whole(to, micro / 1000000);
    char digit[DIGITS];
    put_digits(digit, (uint32_t)(micro % 1000000));
    *to = '.';
    memcpy(to + 1, digit + 3, 6);
    return to + 7;
}

char *gr_put_rounded(char *to, double value) {
    if (value > 0.0 && value < 0x1p63 && value == (double)(uint64_t)value)
        return gr_put_whole(to, (uint64_t)value);
    return to + sprintf(to, "%.0f", value);
}
