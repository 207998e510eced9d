/* Units as text: "G = m^3 kg^-1 s^-2; m1 = kg". */
#include "host/base/text.h"
#include "host/units/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_UNIT = 64 }; /* that is looked at; longer ones are refused */

typedef struct reading {
    const gr_settings *settings;
    gr_units *units;
    gr_error *error;
} reading;

static gr_status refuse(const reading *r, const char *name, const char *at, const char *expected) {
    return gr_settings_fail(r->settings, GR_KEY_units, r->error,
                            "unit of %.*s: '%.*s'; expected %s", GR_CUT(name, 80), GR_CUT(at, 40),
                            expected);
}

/* Bytes of the base unit that text begins with, letters alone: behind them a digit is a power. */
static size_t base_length(const char *text) {
    size_t left = strnlen(text, LONGEST_UNIT), length = 0, n;
    while ((n = gr_text_name_character(text + length, left - length, true)))
        length += n;
    return length;
}

/* The base unit called at[0, length), a new one if need be; GR_BASE_UNITS when there are too many.
 */
static uint32_t find_base(gr_units *units, const char *at, size_t length) {
    for (uint32_t k = 0; k < units->bases; k++)
        if (strlen(units->base[k]) == length && memcmp(units->base[k], at, length) == 0)
            return k;
    if (units->bases == GR_BASE_UNITS || length >= sizeof units->base[0])
        return GR_BASE_UNITS;
    memcpy(units->base[units->bases], at, length);
    return units->bases++;
}

/* "^-2", "**0.5" or nothing, which is 1; in halves. */
static int read_power(const char **at, int *halves) {
    char *end;
    *halves = 2;
    if (**at != '^' && strncmp(*at, "**", 2) != 0)
        return 1;
    *at += **at == '^' ? 1 : 2;
    double power = gr_text_double(*at, &end), twice = 2.0 * power;
    if (end == *at || twice != (double)(int)twice || twice > GR_LARGEST_POWER ||
        twice < -GR_LARGEST_POWER)
        return 0;
    *halves = (int)twice;
    *at = end;
    return 1;
}

static gr_status read_unit(const reading *r, const char *name, const char *text,
                           gr_dimension *dimension) {
    const char *at = text + strspn(text, " ");
    int sign = 1, factors = 0;
    while (*at) {
        int halves;
        size_t length = base_length(at);
        if (*at == '1' && !factors)
            at++;
        else {
            uint32_t base = length ? find_base(r->units, at, length) : GR_BASE_UNITS;
            if (!length || base == GR_BASE_UNITS)
                return refuse(r, name, at,
                              length ? "at most 8 base units, of up to 15 letters"
                                     : "base units with powers, as in kg m^2/s^2, or 1");
            at += length;
            if (!read_power(&at, &halves))
                return refuse(r, name, at, "a whole power or a half, from -30 to 30");
            int power = dimension->power[base] + sign * halves;
            if (abs(power) > GR_LARGEST_POWER)
                return refuse(r, name, text, "powers from -30 to 30");
            dimension->power[base] = (int8_t)power;
        }
        factors++;
        at += strspn(at, " ");
        sign = *at == '/' ? -1 : 1;
        if (*at == '/' || *at == '*' || *at == '.') {
            at++;
            at += strspn(at, " ");
            if (!*at)
                return refuse(r, name, text, "a base unit behind the sign");
        }
    }
    return factors ? GR_OK : refuse(r, name, text, "base units with powers, or 1");
}

/* Where the dimension of `name` is kept; NULL: it is neither an input nor the target. An input
 * wins.
 */
static gr_dimension *find_named(gr_units *units, const char *const *names, const char *target,
                                const char *name, uint32_t *which) {
    for (uint32_t i = 0; i < units->inputs; i++)
        if (strcmp(names[i], name) == 0) {
            *which = i;
            return &units->input[i];
        }
    *which = units->inputs;
    return strcmp(name, target) == 0 || strcmp(name, "target") == 0 ? &units->target : NULL;
}

static gr_status read_entries(const reading *r, char *text, const char *const *names,
                              const char *target, uint8_t *given) {
    char *rest = text, *entry;
    while ((entry = strsep(&rest, ";"))) {
        uint32_t which;
        entry = gr_text_trim(entry);
        if (!*entry)
            continue;
        char *sign = strchr(entry, '=');
        if (!sign)
            return gr_settings_fail(r->settings, GR_KEY_units, r->error,
                                    "'%.*s'; expected NAME = UNIT; NAME = UNIT ...",
                                    GR_CUT(entry, 80));
        *sign = '\0';
        char *name = gr_text_trim(entry);
        gr_dimension *dimension = find_named(r->units, names, target, name, &which);
        if (!dimension)
            return gr_settings_fail(r->settings, GR_KEY_units, r->error,
                                    "'%.*s' is no input; expected one, or target",
                                    GR_CUT(name, 80));
        if (given[which]++)
            return gr_settings_fail(r->settings, GR_KEY_units, r->error,
                                    "%.*s has two units; expected one", GR_CUT(name, 80));
        gr_status status = read_unit(r, name, gr_text_trim(sign + 1), dimension);
        if (status)
            return status;
    }
    for (uint32_t i = 0; i <= r->units->inputs; i++)
        if (!given[i])
            return gr_settings_fail(r->settings, GR_KEY_units, r->error,
                                    "no unit of %.*s; expected one of every input and of the "
                                    "target (1: without dimension)",
                                    GR_CUT(i < r->units->inputs ? names[i] : target, 80));
    return GR_OK;
}

gr_status gr_units_read(const gr_settings *settings, const char *const *names, uint32_t inputs,
                        const char *target, gr_units *units, gr_error *error) {
    gr_units made = {.inputs = inputs};
    char *text = strdup(settings->units);
    uint8_t *given = calloc(inputs + 1u, 1);
    made.input = calloc(inputs + 1u, sizeof *made.input);
    reading r = {settings, &made, error};
    gr_status status =
        text && given && made.input
            ? read_entries(&r, text, names, target, given)
            : gr_fail(error, GR_NO_MEMORY, "no memory for %u unit%s", inputs, gr_s(inputs));
    free(text);
    free(given);
    if (status)
        gr_units_free(&made);
    *units = made;
    return status;
}

gr_status gr_units_place(const gr_settings *settings, gr_status status, gr_error *error) {
    if (status != GR_BAD_INPUT || !error)
        return status;
    gr_error said = *error;
    gr_key key = settings->units_depth == GR_AUTO ? GR_KEY_units : GR_KEY_units_depth;
    return gr_settings_fail(settings, key, error, "%s", said.text);
}

void gr_units_free(gr_units *units) {
    gr_units empty = {.inputs = 0};
    free(units->input);
    *units = empty;
}

int gr_same_dimension(gr_dimension a, gr_dimension b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

void gr_units_name(const gr_units *units, gr_dimension of, char *out, size_t size) {
    size_t n = 0;
    *out = '\0';
    for (uint32_t k = 0; k < units->bases && n < size; k++) {
        int power = of.power[k];
        if (!power)
            continue;
        n += (size_t)snprintf(out + n, size - n, "%s%s", n ? "." : "", units->base[k]);
        if (n < size && power % 2)
            n += (size_t)snprintf(out + n, size - n, "^%d/2", power);
        else if (n < size && power != 2)
            n += (size_t)snprintf(out + n, size - n, "^%d", power / 2);
    }
    if (!n)
        snprintf(out, size, "1");
}
