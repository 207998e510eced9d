#include "host/table/number.h"
#include "host/base/text.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

static bool is_word(const char *at, const char *end, const char *const *words) {
    for (; *words; words++)
        if (strlen(*words) == (size_t)(end - at) && strncasecmp(*words, at, strlen(*words)) == 0)
            return true;
    return false;
}

static gr_number_kind classify(const char *at, const char *end) {
    static const char *const missing[] = {"", "?", "na", "n/a", "null", "none", NULL};
    static const char *const special[] = {"nan", "inf", "infinity", NULL};
    if (is_word(at, end, missing))
        return GR_IS_MISSING;
    return is_word(at + (*at == '-' || *at == '+'), end, special) ? GR_IS_NOT_FINITE : GR_IS_TEXT;
}

/* Digits that make a whole number below 2^53, over 10^k, k <= 22: both exact in double, so that one
 * division rounds correctly. Most fields of most files; false for the others. */
static bool short_double(const char *at, const char *end, double *value) {
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t mantissa = 0;
    uint32_t digits = 0, decimals = 0;
    bool negative = at < end && *at == '-', point = false;
    for (at += negative; at < end; at++) {
        if (*at == '.' && !point) {
            point = true;
            continue;
        }
        if (*at < '0' || *at > '9' || mantissa >= (1ull << 53) / 10 - 1)
            return false;
        mantissa = mantissa * 10 + (uint64_t)(*at - '0');
        digits++;
        decimals += point;
    }
    if (!digits || decimals > 22)
        return false;
    double exact = (double)mantissa / power[decimals];
    *value = negative ? -exact : exact;
    return true;
}

/* The double to float again, unless it stands half way between two or is below normal ones. */
static bool short_number(const char *at, const char *end, float *value) {
    double exact;
    uint64_t bits;
    if (!short_double(at, end, &exact))
        return false;
    memcpy(&bits, &exact, sizeof bits);
    if ((bits & 0x1fffffff) == 0x10000000 || (exact != 0.0 && fabs(exact) < (double)FLT_MIN))
        return false;
    *value = (float)exact;
    return true;
}

/* What strtof or strtod made of a field; stop: where it ended. */
static gr_number_kind judge(const char *at, const char *end, const char *stop, double value) {
    if (at == end || stop != end)
        return classify(at, end);
    return isfinite(value) ? GR_IS_NUMBER : GR_IS_TOO_LARGE;
}

static bool has_digits_alone(const char *at, const char *end) {
    return strspn(at, "0123456789.eE+-") >= (size_t)(end - at);
}

/* The text is NUL-terminated and a delimiter is no part of a number, so that strtof stops by
 * itself. */
gr_number_kind gr_read_number(const char *at, const char *end, float *value) {
    if (short_number(at, end, value))
        return GR_IS_NUMBER;
    if (!has_digits_alone(at, end))
        return classify(at, end);
    char *stop = NULL;
    *value = at < end ? gr_text_float(at, &stop) : 0.0f;
    return judge(at, end, stop, (double)*value);
}

gr_number_kind gr_read_double(const char *at, const char *end, double *value) {
    if (short_double(at, end, value))
        return GR_IS_NUMBER;
    if (!has_digits_alone(at, end))
        return classify(at, end);
    char *stop = NULL;
    *value = at < end ? gr_text_double(at, &stop) : 0.0;
    return judge(at, end, stop, *value);
}
