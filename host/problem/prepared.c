#include "host/problem/prepared.h"
#include "host/base/text.h"
#include "host/problem/predict.h"
#include "host/units/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct preparing {
    const gr_settings *settings;
    const gr_dataset *set;
    const gr_units *units; /* NULL: none are known, and all inputs alike */
    uint32_t *component;   /* [vectors][components] inputs that are vectors */
    uint32_t vectors, components;
    char *text[GR_MOST_PREPARED];
    gr_dimension dimension[GR_MOST_PREPARED];
    uint32_t count;
    gr_error *error;
} preparing;

static const gr_dimension number; /* has no unit */

/* An input's, where it is known. */
static gr_dimension unit_of(const preparing *p, uint32_t input) {
    return p->units ? p->units->input[input] : number;
}

static gr_dimension unit_of_product(const preparing *p, uint32_t a, uint32_t b) {
    gr_dimension x = unit_of(p, a), y = unit_of(p, b);
    for (uint32_t k = 0; k < GR_BASE_UNITS; k++)
        x.power[k] = (int8_t)(x.power[k] + y.power[k]);
    return x;
}

static gr_status add_text(preparing *p, const char *text, gr_dimension dimension) {
    for (uint32_t k = 0; k < GR_BASE_UNITS; k++)
        if (abs(dimension.power[k]) > GR_LARGEST_POWER)
            return gr_settings_fail(p->settings, GR_KEY_prepare, p->error,
                                    "%.*s has a base unit to the power of more than %d; expected "
                                    "less",
                                    GR_CUT(text, 400), GR_LARGEST_POWER / 2);
    if (p->count == GR_MOST_PREPARED)
        return gr_settings_fail(p->settings, GR_KEY_prepare, p->error,
                                "more than %d inputs to prepare; expected units, which tell like "
                                "quantities, or fewer inputs",
                                GR_MOST_PREPARED);
    p->dimension[p->count] = dimension;
    p->text[p->count] = strdup(text);
    return p->text[p->count++] ? GR_OK
                               : gr_fail(p->error, GR_NO_MEMORY, "no memory for prepared inputs");
}

static int are_alike(const preparing *p, uint32_t a, uint32_t b) {
    return !p->units || gr_same_dimension(p->units->input[a], p->units->input[b]);
}

static gr_status add_pairs(preparing *p, char sign) {
    gr_status status = GR_OK;
    char text[1024];
    for (uint32_t b = 1; b < p->set->inputs; b++)
        for (uint32_t a = 0; a < b && !status; a++)
            if (are_alike(p, a, b)) {
                snprintf(text, sizeof text, "(%.*s %c %.*s)", GR_CUT(p->set->names[a], 400), sign,
                         GR_CUT(p->set->names[b], 400));
                status = add_text(p, text, sign == '-' ? unit_of(p, a) : number);
            }
    return status;
}

/* ---- vectors ---- */

static gr_status refuse_vectors(const preparing *p, const char *what, const char *expected) {
    return gr_settings_fail(p->settings, GR_KEY_vectors, p->error, "%.*s; expected %s",
                            GR_CUT(what, 80), expected);
}

/* The input called at[0, length), which is to be like the others of its vector. */
static gr_status add_component(preparing *p, const char *at, size_t length, uint32_t of) {
    char what[128];
    uint32_t input = 0, n = p->vectors * p->components + of, first = n - of;
    while (input < p->set->inputs && (strlen(p->set->names[input]) != length ||
                                      memcmp(p->set->names[input], at, length) != 0))
        input++;
    snprintf(what, sizeof what, "'%.*s' is no input", gr_text_fits(at, length, 80), at);
    if (input == p->set->inputs)
        return refuse_vectors(p, what, "names of inputs, a blank between two, / between vectors");
    for (uint32_t k = 0; k < n; k++)
        if (p->component[k] == input)
            return refuse_vectors(p, "an input in two places", "every one once");
    if (of && !are_alike(p, p->component[first], input))
        return refuse_vectors(p, "a vector of different units", "like components");
    p->component[n] = input;
    return GR_OK;
}

/* "x1 x2 x3 / y1 y2 y3" */
static gr_status read_vectors(preparing *p) {
    const char *at = p->settings->vectors;
    uint32_t own = 0;
    gr_status status = GR_OK;
    p->component = calloc(p->set->inputs + 1u, sizeof *p->component);
    if (!p->component)
        return gr_fail(p->error, GR_NO_MEMORY, "no memory for vectors");
    for (at += strspn(at, " "); !status; at += strspn(at, " ")) {
        size_t length = strcspn(at, " /");
        if (length) {
            status = add_component(p, at, length, own++);
            at += length;
        } else if (own < 1 || (p->vectors && own != p->components)) {
            return refuse_vectors(p, "vectors of different lengths", "as many components in each");
        } else {
            p->components = own;
            p->vectors++;
            own = 0;
            if (!*at++)
                break;
        }
    }
    return status;
}

/* "(x1 * y1 + x2 * y2)", or the squared distance of two, whose components are `apart`. */
static gr_status add_dot(preparing *p, uint32_t a, uint32_t b, int apart) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    gr_dimension unit =
        unit_of_product(p, p->component[a * p->components], p->component[b * p->components]);
    if (!out)
        return gr_fail(p->error, GR_NO_MEMORY, "no memory for prepared inputs");
    for (uint32_t k = 0; k < p->components; k++) {
        const char *x = p->set->names[p->component[a * p->components + k]],
                   *y = p->set->names[p->component[b * p->components + k]];
        fputs(k ? " + " : "(", out);
        if (apart)
            fprintf(out, "(%s - %s) * (%s - %s)", x, y, x, y);
        else
            fprintf(out, "%s * %s", x, y);
    }
    fputc(')', out);
    gr_status status = fclose(out) ? gr_fail(p->error, GR_NO_MEMORY, "no memory for a text")
                                   : add_text(p, text, unit);
    free(text);
    return status;
}

/* Of every two vectors, scalar products also of each with itself; a distance where both are of the
 * same quantity. */
static gr_status add_dots(preparing *p, int apart) {
    gr_status status = GR_OK;
    if (!p->vectors)
        return gr_settings_fail(p->settings, GR_KEY_prepare, p->error,
                                "%s without vectors; expected vectors, as in \"x1 x2 / y1 y2\"",
                                apart ? "distances" : "dots");
    for (uint32_t b = 0; b < p->vectors; b++)
        for (uint32_t a = 0; a + (uint32_t)apart <= b && !status; a++)
            if (!apart ||
                are_alike(p, p->component[a * p->components], p->component[b * p->components]))
                status = add_dot(p, a, b, apart);
    return status;
}

/* ---- dimensionless products (Buckingham) ---- */

enum { MOST_FACTORS = 32, LARGEST_EXPONENT = 6 };

static long common_divisor(long a, long b) {
    while (b) {
        long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Fraction-free elimination; *rank rows in echelon form, column[r] of their first number. */
static void eliminate(long a[GR_BASE_UNITS][MOST_FACTORS], uint32_t columns, uint32_t *rank,
                      uint32_t *column) {
    *rank = 0;
    for (uint32_t c = 0; c < columns && *rank < GR_BASE_UNITS; c++) {
        uint32_t pivot = *rank;
        while (pivot < GR_BASE_UNITS && !a[pivot][c])
            pivot++;
        if (pivot == GR_BASE_UNITS)
            continue;
        for (uint32_t k = 0; k < columns; k++) {
            long swap = a[pivot][k];
            a[pivot][k] = a[*rank][k];
            a[*rank][k] = swap;
        }
        for (uint32_t r = 0; r < GR_BASE_UNITS; r++) {
            long by = a[r][c], with = a[*rank][c], common = 0;
            if (r == *rank || !by)
                continue;
            for (uint32_t k = 0; k < columns; k++)
                a[r][k] = a[r][k] * with - a[*rank][k] * by;
            for (uint32_t k = 0; k < columns; k++)
                common = common_divisor(common, labs(a[r][k]));
            for (uint32_t k = 0; k < columns && common > 1; k++)
                a[r][k] /= common;
        }
        column[(*rank)++] = c;
    }
}

/* "a*a/(b*c)" with these exponents of the named inputs. */
static gr_status add_product(preparing *p, const uint32_t *input, const long *exponent,
                             uint32_t count) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return gr_fail(p->error, GR_NO_MEMORY, "no memory for prepared inputs");
    fputc('(', out);
    for (int below = 0; below < 2; below++) {
        uint32_t written = 0, factors = 0;
        for (uint32_t k = 0; k < count; k++)
            factors += (uint32_t)(below ? exponent[k] < 0 : exponent[k] > 0 ? 1 : 0);
        if (below && factors)
            fputs(" / (", out);
        for (uint32_t k = 0; k < count; k++)
            for (long n = below ? -exponent[k] : exponent[k]; n > 0; n--)
                fprintf(out, "%s%s", written++ ? " * " : "", p->set->names[input[k]]);
        if (!below && !written)
            fputc('1', out);
        if (below && factors)
            fputc(')', out);
    }
    fputc(')', out);
    gr_status status = fclose(out) ? gr_fail(p->error, GR_NO_MEMORY, "no memory for a text")
                                   : add_text(p, text, number);
    free(text);
    return status;
}

/* A basis of the products without dimension: one for every input whose column has no pivot. */
static gr_status add_products(preparing *p) {
    long a[GR_BASE_UNITS][MOST_FACTORS] = {{0}};
    uint32_t input[MOST_FACTORS], count = 0, rank, column[GR_BASE_UNITS];
    gr_dimension none = {{0}};
    gr_status status = GR_OK;
    for (uint32_t i = 0; i < p->set->inputs && count < MOST_FACTORS; i++)
        if (!gr_same_dimension(p->units->input[i], none))
            input[count++] = i;
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t r = 0; r < GR_BASE_UNITS; r++)
            a[r][k] = p->units->input[input[k]].power[r];
    eliminate(a, count, &rank, column);
    for (uint32_t free_one = 0, r = 0; free_one < count && !status; free_one++) {
        long exponent[MOST_FACTORS] = {0}, scale = 1;
        if (r < rank && column[r] == free_one) {
            r++;
            continue;
        }
        for (uint32_t k = 0; k < r; k++) /* the scale makes them whole */
            while (scale <= LARGEST_EXPONENT && scale * a[k][free_one] % a[k][column[k]])
                scale++;
        int fits = scale <= LARGEST_EXPONENT;
        exponent[free_one] = scale;
        for (uint32_t k = 0; k < r && fits; k++) {
            exponent[column[k]] = -scale * a[k][free_one] / a[k][column[k]];
            fits = labs(exponent[column[k]]) <= LARGEST_EXPONENT;
        }
        status = fits ? add_product(p, input, exponent, count) : GR_OK;
    }
    return status;
}

/* ---- their values ---- */

/* A set of more inputs, the values of the further ones as `grampus eval` gives them. */
static gr_status extend(const preparing *p, gr_dataset *set, uint32_t threads) {
    gr_vocabulary vocabulary = {(const char *const *)set->names, set->inputs, 0, 0, 0, 0};
    gr_dataset wide = {0};
    uint32_t inputs = set->inputs + p->count;
    float *columns = gr_dataset_columns(set);
    gr_status status = columns ? gr_dataset_allocate(&wide, inputs, set->cases, 0, p->error)
                               : gr_fail(p->error, GR_NO_MEMORY, "no memory for columns");
    if (!status && !set->tiles)
        status = gr_dataset_tile(set, threads, p->error);
    if (!status) {
        memcpy(wide.x, columns, set->inputs * set->cases * sizeof *columns);
        memcpy(wide.y, set->y, set->cases * sizeof *set->y);
    }
    for (uint32_t k = 0; k < p->count && !status; k++) {
        gr_prediction prediction = {.output = wide.x + (set->inputs + k) * set->cases};
        gr_node *nodes = NULL;
        uint32_t count;
        status = gr_read_expression(p->text[k], "prepare", &vocabulary, &nodes, &count, p->error);
        if (!status)
            status = gr_predict(nodes, count, set, NULL, &prediction, p->error);
        free(nodes);
    }
    free(columns);
    for (uint32_t i = 0; i < inputs && !status; i++)
        if (!(wide.names[i] = strdup(i < set->inputs ? set->names[i] : p->text[i - set->inputs])))
            status = gr_fail(p->error, GR_NO_MEMORY, "no memory for names");
    if (status) {
        gr_dataset_free(&wide);
        return status;
    }
    wide.target_name = set->target_name, wide.notes = set->notes, wide.labels = set->labels;
    wide.label_count = set->label_count, wide.most = set->most;
    wide.known = set->known, wide.knowing = set->knowing, wide.checksum = set->checksum;
    wide.w = set->w, set->w = NULL;
    set->target_name = set->notes = NULL, set->labels = NULL, set->label_count = 0;
    set->known = NULL, set->knowing = 0;
    gr_dataset_free(set);
    *set = wide;
    return GR_OK;
}

static gr_status add_asked(preparing *p) {
    const char *at = p->settings->prepare;
    gr_status status = GR_OK;
    while (*at && !status) {
        at += strspn(at, ", ");
        size_t n = strcspn(at, ", ");
        if (n == 11 && strncmp(at, "differences", n) == 0)
            status = add_pairs(p, '-');
        else if (n == 6 && strncmp(at, "ratios", n) == 0)
            status = add_pairs(p, '/');
        else if (n == 8 && strncmp(at, "products", n) == 0 && p->units)
            status = add_products(p);
        else if (n == 4 && strncmp(at, "dots", n) == 0)
            status = add_dots(p, 0);
        else if (n == 9 && strncmp(at, "distances", n) == 0)
            status = add_dots(p, 1);
        else if (n)
            return gr_settings_fail(p->settings, GR_KEY_prepare, p->error,
                                    "'%.*s'; expected differences, ratios, dots, distances or, "
                                    "with units, products",
                                    gr_text_fits(at, n, 80), at);
        at += n;
    }
    return status;
}

gr_status gr_prepare_inputs(const gr_settings *settings, gr_dataset *train, gr_dataset *test,
                            gr_prepared *prepared, gr_error *error) {
    gr_units units = {.inputs = 0};
    preparing p = {.settings = settings, .set = train, .error = error};
    gr_status status = GR_OK;
    if (*settings->units) {
        status = gr_units_read(settings, (const char *const *)train->names, train->inputs,
                               train->target_name, &units, error);
        p.units = &units;
    }
    if (!status && *settings->vectors)
        status = read_vectors(&p);
    if (!status)
        status = add_asked(&p);
    if (!status && p.count && test->cases)
        status = extend(&p, test, settings->threads);
    if (!status && p.count)
        status = extend(&p, train, settings->threads);
    memcpy(prepared->dimension, p.dimension, sizeof p.dimension);
    prepared->count = p.count;
    for (uint32_t k = 0; k < p.count; k++)
        free(p.text[k]);
    free(p.component);
    gr_units_free(&units);
    return status;
}
