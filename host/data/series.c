#define _GNU_SOURCE /* asprintf */

#include "host/data/series.h"

#include "host/base/text.h"
#include "host/data/rounded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 10, DELAY = 17 * STEPS }; /* steps of 0.1 */

/* ---- Mackey-Glass ---- */

static double slope(double x, double delayed) {
    double d2 = delayed * delayed, d4 = d2 * d2;
    return 0.2 * delayed / (1.0 + d4 * d4 * d2) - 0.1 * x;
}

/* Fourth order, the delayed value at half a step being the mean of its neighbours. */
static double step(double x, double past, double next) {
    const double h = 1.0 / STEPS;
    double half = 0.5 * (past + next);
    double k1 = slope(x, past), k2 = slope(x + 0.5 * h * k1, half),
           k3 = slope(x + 0.5 * h * k2, half), k4 = slope(x + h * k3, next);
    return x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
}

/* dx/dt = 0.2 x(t - 17) / (1 + x(t - 17)^10) - 0.1 x, x(0) = 1.2 and 0 before: the values at
 * t = 0, 1, ..., in value[count]. */
static gr_status make_mackey_glass(double *value, uint64_t count, gr_error *error) {
    double history[DELAY + 1] = {0}, x = 1.2; /* x(t - 17) ... x(t - 0.1), the last DELAY of them */
    (void)error;
    for (uint64_t t = 0; t < count; t++) {
        value[t] = x;
        for (int k = 0; k < STEPS; k++) {
            uint64_t at = (t * STEPS + (uint64_t)k) % DELAY; /* of x(t - 17) */
            double past = history[at];
            history[at] = x;
            x = step(x, past, history[(at + 1) % DELAY]);
        }
    }
    return GR_OK;
}

/* ---- from a file ---- */

/* All numbers of the file, one after the other. */
/* *notes: as gr_note_rounded. */
static gr_status read_series(const char *path, double **value, uint64_t *count, char **notes,
                             gr_error *error) {
    gr_table table;
    uint32_t column = 0;
    gr_status status = gr_table_open(path, GR_AUTO, GR_AUTO, &table, error);
    if (status)
        return status;
    table.only_floats = true;
    float *numbers = malloc((table.rows + 1) * sizeof *numbers);
    *count = table.rows;
    *value = malloc((table.rows + 1) * sizeof **value);
    if (!numbers || !*value)
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    else if (table.columns != 1)
        status = gr_fail(error, GR_BAD_INPUT, "%s:%zu:1: %u column%s; expected one, the series",
                         path, table.first_line, table.columns, gr_s(table.columns));
    else
        status = gr_table_numbers(&table, &column, 1, 0, table.rows, &numbers, error);
    gr_read_floats floats = {&table, &column, 0, 0, table.rows, table.rows, NULL, numbers};
    if (!status)
        status = gr_note_rounded(&floats, notes, error);
    for (uint64_t i = 0; !status && i < *count; i++)
        (*value)[i] = (double)numbers[i];
    free(numbers);
    gr_table_free(&table);
    return status;
}

/* ---- cases ---- */

enum { MOST_LAGS = 256 };

static gr_status read_lags(const gr_settings *s, uint64_t lag[MOST_LAGS], uint32_t *count,
                           gr_error *error) {
    const char *at = s->lags;
    *count = 0;
    for (;;) {
        char *end;
        at += strspn(at, " ");
        unsigned long value = *at >= '1' && *at <= '9' ? strtoul(at, &end, 10) : 0;
        bool good = value && value <= 1000000 && *count < MOST_LAGS;
        for (uint32_t i = 0; good && i < *count; i++)
            good = lag[i] != value;
        if (!good)
            return gr_settings_fail(s, GR_KEY_lags, error,
                                    "cannot read lags at '%.*s'; expected up to %d different "
                                    "numbers of steps, as in \"1, 2, 4\"",
                                    GR_CUT(at, 20), MOST_LAGS);
        lag[(*count)++] = value;
        at = end + strspn(end, " ");
        if (!*at)
            return GR_OK;
        at += *at == ',';
    }
}

/* Points and lags to tell them by. */
typedef struct series {
    double *value;
    uint64_t count, lag[MOST_LAGS];
    uint32_t lags;
} series;

/* A lag that is longer has no value of any point behind it. */
static gr_status check_lags(const gr_settings *s, const series *from, gr_error *error) {
    for (uint32_t k = 0; k < from->lags; k++)
        if (from->count && from->lag[k] >= from->count)
            return gr_settings_fail(s, GR_KEY_lags, error,
                                    "a lag of %llu steps in a series of %llu value%s; expected "
                                    "fewer steps than values",
                                    (unsigned long long)from->lag[k],
                                    (unsigned long long)from->count, gr_s(from->count));
    return GR_OK;
}

/* Cases [first, first + cases): point t is to be told from those before it. A series that is
 * shorter begins again, with nothing before its start. */
static gr_status make_cases(const series *from, uint64_t first, uint64_t cases, gr_dataset *set,
                            gr_error *error) {
    const double *value = from->value;
    const uint64_t *lag = from->lag, count = from->count;
    gr_status status = gr_dataset_allocate(set, from->lags, cases, 0, error);
    if (status)
        return status;
    for (uint32_t k = 0; k < from->lags; k++) {
        char name[32];
        snprintf(name, sizeof name, "D%llu", (unsigned long long)lag[k]);
        set->names[k] = strdup(name);
        for (uint64_t c = 0; c < cases; c++) {
            uint64_t t = (first + c) % count;
            set->x[k * cases + c] = t >= lag[k] ? (float)value[t - lag[k]] : 0.0f;
        }
        if (!set->names[k])
            return gr_fail(error, GR_NO_MEMORY, "no memory for a series");
    }
    for (uint64_t c = 0; c < cases; c++)
        set->y[c] = (float)value[(first + c) % count];
    set->target_name = strdup("D0");
    return set->target_name ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for a series");
}

/* Adds a line to *notes where test cases begin the series again, and are training cases then. */
static gr_status note_again(uint64_t count, uint64_t cases, uint64_t tests, char **notes,
                            gr_error *error) {
    uint64_t again = 0;
    char *more;
    for (uint64_t c = 0; c < tests; c++)
        again += (cases + c) % count < cases;
    if (!again)
        return GR_OK;
    if (asprintf(&more,
                 "%sthe series has %llu values: %llu of %llu test cases are training cases\n",
                 *notes ? *notes : "", (unsigned long long)count, (unsigned long long)again,
                 (unsigned long long)tests) < 0)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a series");
    free(*notes);
    *notes = more;
    return GR_OK;
}

gr_status gr_make_series(const gr_settings *s, gr_dataset *train, gr_dataset *test,
                         gr_error *error) {
    uint64_t cases = s->train_cases, tests = s->test_cases;
    series from = {0};
    char *notes = NULL;
    gr_status status = read_lags(s, from.lag, &from.lags, error);
    *train = *test = (gr_dataset){0};
    if (status)
        return status;
    if (*s->series)
        status = read_series(s->series, &from.value, &from.count, &notes, error);
    else {
        cases = cases ? cases : 1200;
        from.count = cases + tests;
        from.value = malloc((from.count + 1) * sizeof *from.value);
        status = from.value ? make_mackey_glass(from.value, from.count, error)
                            : gr_fail(error, GR_NO_MEMORY, "no memory for a series");
    }
    if (!status)
        status = check_lags(s, &from, error);
    if (!status && !cases)
        cases = from.count > tests ? from.count - tests : from.count;
    if (!status)
        status = make_cases(&from, 0, cases, train, error);
    if (!status && tests)
        status = make_cases(&from, cases, tests, test, error);
    if (!status && from.count)
        status = note_again(from.count, cases, tests, &notes, error);
    free(from.value);
    train->notes = notes;
    if (status) {
        gr_dataset_free(train);
        gr_dataset_free(test);
    }
    return status;
}
