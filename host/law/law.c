/* The test: constants fitted, rounded one after the other while the others are fitted anew, and
 * what is left held to all cases. */
#include "host/law/law.h"
#include "gpu/core/program/tree.h"
#include "host/base/text.h"
#include "host/export/simplify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Programs whose error is below this share of the target's deviation may be exact. */
static const double may_be_exact = 2e-5;
/* exact: errors of this share of the target's deviation and of its size, which floats as inputs
 * and target leave. */
static const double within_rounding = 3e-7;
/* Cases that fits look at: where a law may be exact, and where noise or something that is not said
 * is left, of which every case tells a little. */
enum { FIT_CASES = 200, NOISY_CASES = 2048 };
/* Programs that are not exact whose constants are rounded all the same. */
enum { ROUNDED = 6 };

/* ---- cases ---- */

static gr_status widen(const gr_dataset *set, double **x, double **y, gr_error *error) {
    uint64_t values = (uint64_t)set->inputs * set->cases;
    float *columns = gr_dataset_columns(set);
    *x = calloc(values + 1, sizeof **x);
    *y = calloc(set->cases + 1, sizeof **y);
    gr_status status =
        columns && *x && *y
            ? GR_OK
            : gr_fail(error, GR_NO_MEMORY, "no memory for the test of laws on %llu case%s",
                      (unsigned long long)set->cases, gr_s(set->cases));
    for (uint64_t i = 0; !status && i < values; i++)
        (*x)[i] = (double)columns[i];
    for (uint64_t i = 0; !status && i < set->cases; i++)
        (*y)[i] = (double)set->y[i];
    free(columns);
    return status;
}

/* Test cases with an input beyond the training cases'. */
static uint64_t count_outside(const gr_law_cases *c) {
    uint64_t count = 0;
    uint8_t *out = calloc(c->cases[1] + 1, 1);
    for (uint32_t k = 0; out && k < c->inputs; k++) {
        double low = (double)INFINITY, high = -(double)INFINITY;
        const double *x = c->x[0] + k * c->cases[0], *fresh = c->x[1] + k * c->cases[1];
        for (uint64_t i = 0; i < c->cases[0]; i++) {
            low = x[i] < low ? x[i] : low;
            high = x[i] > high ? x[i] : high;
        }
        for (uint64_t i = 0; i < c->cases[1]; i++)
            out[i] |= fresh[i] < low || fresh[i] > high;
    }
    for (uint64_t i = 0; out && i < c->cases[1]; i++)
        count += out[i];
    free(out);
    return count;
}

static double deviation_of(const double *y, uint64_t cases) {
    double sum = 0.0, squares = 0.0;
    for (uint64_t i = 0; i < cases; i++)
        sum += y[i];
    for (uint64_t i = 0; i < cases; i++)
        squares += (y[i] - sum / (double)cases) * (y[i] - sum / (double)cases);
    return sqrt(squares / (double)cases);
}

static void free_cases(gr_law_cases *cases) {
    gr_law_cases empty = {.inputs = 0};
    for (int k = 0; k < 2; k++) {
        free(cases->x[k]);
        free(cases->y[k]);
    }
    *cases = empty;
}

static gr_status make_cases(const gr_dataset *train, const gr_dataset *test, gr_law_cases *cases,
                            gr_error *error) {
    gr_law_cases c = {.inputs = train->inputs, .cases = {train->cases, test->cases}};
    gr_status status = widen(train, &c.x[0], &c.y[0], error);
    if (!status && test->cases)
        status = widen(test, &c.x[1], &c.y[1], error);
    for (int which = 0; !status && which < 2; which++)
        if (c.cases[which])
            c.deviation[which] = deviation_of(c.y[which], c.cases[which]);
    if (!status && test->cases)
        c.outside = count_outside(&c);
    if (status)
        free_cases(&c);
    *cases = c;
    return status;
}

/* ---- rounding ---- */

typedef struct rounding {
    const gr_law_cases *cases;
    uint64_t step;
    double limit,
        tolerance; /* an error that is as good; how far a constant may be from its round one */
} rounding;

/* Whether constant k may be `value`, the others fitted anew. */
static int try_value(gr_law_form *f, uint32_t k, const gr_nice *number, const rounding *r) {
    gr_law_form tried = *f; /* op and operand are shared */
    tried.value[k] = number->value;
    tried.fixed[k] = 1;
    tried.cost[k] = number->cost;
    snprintf(tried.text[k], sizeof tried.text[k], "%s", number->text);
    if (!(gr_form_fit(&tried, r->cases, r->step, r->limit) <= r->limit))
        return 0;
    *f = tried;
    return 1;
}

/* Rounds the constants that are not yet; first 0, which a term may be that is not needed, then 1
 * and -1, which a constant that only repeats another may be. Each is fitted to the end before a
 * number near it is looked for: the one before was tried with fits that end at the limit, where one
 * of a small term may be anything. */
static void round_all(gr_law_form *f, const rounding *r) {
    static const gr_nice first[3] = {{0.0, 0, "0"}, {1.0, 0, "1"}, {-1.0, 0, "-1"}};
    for (int n = 0; n < 3; n++)
        for (uint32_t k = 0; k < f->constants; k++)
            if (!f->fixed[k])
                (void)try_value(f, k, &first[n], r);
    for (uint32_t k = 0; k < f->constants; k++) {
        gr_nice nice[GR_NICE];
        if (!f->fixed[k])
            (void)gr_form_fit(f, r->cases, r->step, 0.0);
        uint32_t count = f->fixed[k] ? 0 : gr_nice_near(f->value[k], r->tolerance, nice);
        for (uint32_t n = 0; n < count && !try_value(f, k, &nice[n], r);)
            n++;
    }
}

/* ---- as text ---- */

/* Constants that are no whole numbers stand as further inputs, and behind printing get their text.
 */
static const char placeholder[] = "grampus_constant_";

static void name_constants(const gr_law_form *f, char names[][32], char texts[][56]) {
    for (uint32_t k = 0; k < f->constants; k++) {
        int plain = f->fixed[k] ? !strpbrk(f->text[k], "-*/") : f->value[k] >= 0;
        char text[48];
        if (f->fixed[k])
            snprintf(text, sizeof text, "%s", f->text[k]);
        else
            snprintf(text, sizeof text, "%.10g", f->value[k]);
        snprintf(texts[k], sizeof texts[k], plain ? "%s" : "(%s)", text);
        snprintf(names[k], sizeof names[k], "%s%c", placeholder, (char)('A' + k));
    }
}

/* `text` with the placeholders replaced, malloc'ed. */
static char *put_constants(const char *text, char texts[][56]) {
    size_t length = 0, size = strlen(text) + 1;
    for (const char *at = text; (at = strstr(at, placeholder)); at++)
        size += sizeof texts[0];
    char *out = malloc(size);
    while (out && *text) {
        if (strncmp(text, placeholder, sizeof placeholder - 1) == 0) {
            int k = text[sizeof placeholder - 1] - 'A';
            length += (size_t)snprintf(out + length, size - length, "%s", texts[k]);
            text += sizeof placeholder;
        } else
            out[length++] = *text++;
    }
    if (out)
        out[length] = '\0';
    return out;
}

static void fill_nodes(const gr_law_form *f, uint32_t inputs, gr_node *nodes) {
    for (uint32_t i = 0; i < f->count; i++) {
        double value = f->op[i] == GR_CONSTANT ? f->value[f->operand[i]] : 0.5;
        int whole = value == rint(value) && fabs(value) < 1e6;
        uint32_t op = f->op[i];
        nodes[i] = whole ? gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits((float)value))
                   : op == GR_CONSTANT ? gr_make_node(GR_INPUT, 1, 1, inputs + f->operand[i])
                                       : gr_make_node(op, 1, 1, op == GR_INPUT ? f->operand[i] : 0);
    }
    gr_annotate((gr_nodes){nodes, 1}, f->count);
}

static gr_status print_form(const gr_law_form *f, const gr_vocabulary *vocabulary, char **text,
                            uint32_t *size, gr_error *error) {
    const char *names[GR_LAW_CONSTANTS + GR_LAW_INPUTS] = {NULL};
    char constant[GR_LAW_CONSTANTS][32], texts[GR_LAW_CONSTANTS][56];
    gr_node *nodes = calloc(f->count + 1ull, sizeof *nodes), *simpler = NULL;
    gr_vocabulary more = {names, vocabulary->inputs + f->constants, 0, 0, 0, 0};
    gr_status status =
        nodes ? GR_OK
              : gr_fail(error, GR_NO_MEMORY, "no memory for %u node%s", f->count, gr_s(f->count));
    memcpy(names, vocabulary->names, vocabulary->inputs * sizeof *names);
    name_constants(f, constant, texts);
    for (uint32_t k = 0; k < f->constants; k++)
        names[vocabulary->inputs + k] = constant[k];
    if (!status) {
        fill_nodes(f, vocabulary->inputs, nodes);
        status = gr_simplify(nodes, f->count, 0, &simpler, size, error);
    }
    char *printed = status ? NULL : gr_print_expression(simpler, *size, &more);
    *text = printed ? put_constants(printed, texts) : NULL;
    if (!status && !*text)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for the text of a law");
    free(printed);
    free(nodes);
    free(simpler);
    return status;
}

/* ---- the test ---- */

static double rounding_of(const gr_law_cases *cases, int which) {
    double squares = 0.0;
    for (uint64_t i = 0; i < cases->cases[which]; i++)
        squares += cases->y[which][i] * cases->y[which][i];
    return within_rounding *
           (cases->deviation[which] + sqrt(squares / (double)cases->cases[which]));
}

static void hold_to_cases(const gr_law_form *f, const gr_law_cases *cases, gr_law *law) {
    law->rounded = 1;
    for (uint32_t k = 0; k < f->constants; k++)
        law->rounded &= f->fixed[k];
    law->exact = law->rounded;
    for (int which = 0; which < 2; which++) {
        law->cases[which] = cases->cases[which];
        law->rmse[which] = law->largest[which] = (double)NAN;
        law->deviation[which] = cases->deviation[which];
        if (!cases->cases[which])
            continue;
        law->rmse[which] = gr_form_error(f, cases, which, 1, &law->largest[which]);
        law->exact &= law->rmse[which] <= rounding_of(cases, which);
        /* beside a large offset that is more than terms of the law are: floats do not tell them */
        law->exact &= law->rmse[which] <= may_be_exact * cases->deviation[0];
    }
    law->outside = cases->outside;
}

static uint64_t step_of(const gr_law_cases *cases) {
    return cases->cases[0] / FIT_CASES + 1;
}
static uint64_t noisy_step(const gr_law_cases *cases) {
    return (cases->cases[0] + NOISY_CASES - 1) / NOISY_CASES;
}

static int is_noisy(double error_left, const gr_law_cases *cases) {
    return error_left >= may_be_exact * cases->deviation[0];
}

static double length_of(const gr_law_form *f, double error_left, const gr_law_cases *cases) {
    return gr_form_length(f, error_left, rounding_of(cases, 0),
                          cases->cases[0] / noisy_step(cases));
}

/* The error that fixing all constants of a form may leave. Near an exact law it is the old one and
 * a hundredth. With noise, the sum of n squared errors over their mean grows by what chi squared of
 * as many degrees of freedom is where the constants are right: its mean, three of its deviations
 * and 3 (above it in 0.4 % of cases). */
static double limit_of(const gr_law_form *f, double error_left, const gr_law_cases *cases) {
    double n = (double)(cases->cases[0] / noisy_step(cases)), k = f->constants;
    double more = k + 3.0 * sqrt(2.0 * k) + 3.0;
    return is_noisy(error_left, cases) ? error_left * sqrt(1.0 + more / n)
                                       : fmax(0.5 * rounding_of(cases, 0), 1.01 * error_left);
}

/* Rounds the constants of a fitted form, and says what it is then. */
static gr_status round_form(gr_law_form *f, double error_left, const gr_law_cases *cases,
                            const gr_vocabulary *vocabulary, gr_law *law, gr_error *error) {
    double deviation = cases->deviation[0], share = error_left / deviation;
    rounding r = {cases, is_noisy(error_left, cases) ? noisy_step(cases) : step_of(cases),
                  limit_of(f, error_left, cases), fmin(fmax(10.0 * share, 1e-3), 0.05)};
    *law = (gr_law){.text = NULL};
    gr_status status = gr_form_prune(f, cases, r.step, r.limit, error);
    round_all(f, &r);
    if (!status)
        status = gr_form_prune(f, cases, r.step, r.limit, error); /* what rounding left of no use */
    if (status)
        return status;
    round_all(f, &r);
    (void)gr_form_fit(f, cases, r.step, 0.0);
    hold_to_cases(f, cases, law);
    law->length = length_of(f, law->rmse[0], cases);
    return print_form(f, vocabulary, &law->text, &law->nodes, error);
}

/* ---- several programs ---- */

gr_status gr_law_search_open(const gr_dataset *train, const gr_dataset *test,
                             gr_law_search **search, gr_error *error) {
    gr_law_search *s = calloc(1, sizeof *s);
    *search = NULL;
    if (!s)
        return gr_fail(error, GR_NO_MEMORY, "no memory for the test of laws");
    gr_status status = make_cases(train, test, &s->cases, error);
    if (status)
        gr_law_search_close(s);
    else
        *search = s;
    return status;
}

static void free_kept(gr_law_kept *kept) {
    gr_form_free(&kept->form);
    free(kept->of.text);
}

void gr_law_search_close(gr_law_search *search) {
    if (!search)
        return;
    while (search->kept)
        free_kept(&search->keeps[--search->kept]);
    free(search->seen);
    free_cases(&search->cases);
    gr_law_free(&search->best);
    free(search->best_of.text);
    free(search);
}

/* Whether a program was tried before; now it was. */
static int was_seen(gr_law_search *s, const gr_node *nodes, uint32_t count) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ GR_NODE_OP(nodes[i])) * 0x100000001b3u;
        hash = (hash ^ nodes[i].operand) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    for (uint32_t k = 0; k < s->seen_count; k++)
        if (s->seen[k] == hash)
            return 1;
    if (s->seen_count == s->seen_room) {
        uint32_t room = 2 * s->seen_room + 64;
        uint64_t *more = realloc(s->seen, room * sizeof *more);
        if (!more)
            return 0;
        s->seen = more;
        s->seen_room = room;
    }
    s->seen[s->seen_count++] = hash;
    return 0;
}

/* A fitted form among those that describe the cases most briefly; it and its source are the
 * search's from here on. */
static void keep_form(gr_law_search *s, const gr_law_form *form, const gr_law_source *of) {
    uint32_t at = s->kept;
    double left = gr_form_error(form, &s->cases, 0, noisy_step(&s->cases), NULL),
           length = length_of(form, left, &s->cases);
    gr_law_kept kept = {*form, left, length, *of};
    if (at == GR_LAW_KEPT) {
        if (!(length < s->keeps[at - 1].length)) {
            free_kept(&kept);
            return;
        }
        free_kept(&s->keeps[--at]);
    }
    for (; at && s->keeps[at - 1].length > length; at--)
        s->keeps[at] = s->keeps[at - 1];
    s->keeps[at] = kept;
    s->kept += s->kept < GR_LAW_KEPT;
}

/* A law that was rounded, of this source, if it is better than the best. */
static void keep_law(gr_law_search *s, gr_law *law, gr_law_source *of) {
    const char *before = s->best.text;
    gr_law_keep(&s->best, law);
    if (s->best.text == before) {
        free(of->text);
        return;
    }
    free(s->best_of.text);
    s->best_of = *of;
}

/* Of a program that was not tried before. */
static gr_status try_nodes(gr_law_search *s, const gr_vocabulary *vocabulary, const gr_node *nodes,
                           uint32_t count, gr_law_source *of, gr_error *error) {
    const gr_law_cases *cases = &s->cases;
    gr_law_form f;
    gr_law law;
    int fits = 0;
    double intercept = fabs(of->scaling[0]) < 1e-5 * cases->deviation[0] ? 0.0 : of->scaling[0];
    gr_status status =
        gr_form_make(cases, nodes, count, intercept, of->scaling[1], &f, &fits, error);
    double left = status || !fits ? (double)INFINITY : gr_form_fit(&f, cases, step_of(cases), 0.0);
    int near = !status && left < 0.5 * cases->deviation[0];
    if (near && is_noisy(left, cases)) {
        keep_form(s, &f, of);
        return GR_OK;
    }
    if (near)
        status = round_form(&f, left, cases, vocabulary, &law, error);
    if (near && !status)
        keep_law(s, &law, of);
    else
        free(of->text);
    gr_form_free(&f);
    return status;
}

gr_status gr_law_try(gr_law_search *s, const gr_vocabulary *vocabulary, const char *text,
                     const double scaling[2], gr_error *error) {
    gr_law_source of = {NULL, {scaling[0], scaling[1]}};
    gr_node *nodes = NULL;
    uint32_t count;
    if (vocabulary->inputs > GR_LAW_INPUTS)
        return GR_OK;
    gr_status status = gr_read_expression(text, "best", vocabulary, &nodes, &count, error);
    if (!status && !(s->best.exact && count >= s->best.nodes) && !was_seen(s, nodes, count)) {
        of.text = strdup(text);
        status = of.text ? try_nodes(s, vocabulary, nodes, count, &of, error)
                         : gr_fail(error, GR_NO_MEMORY, "no memory for the text of a law");
    }
    free(nodes);
    return status;
}

/* ---- from one process to the next ---- */

static void put_source(const gr_law_source *of, FILE *out) {
    char number[2][32];
    for (int k = 0; k < 2; k++)
        gr_text_print_double(of->scaling[k], number[k]);
    fprintf(out, "%s %s %s\n", number[0], number[1], of->text);
}

/* Those of one length in their order, for what comes later stands behind them. */
gr_status gr_law_search_save(const gr_law_search *s, char **lines, gr_error *error) {
    size_t size;
    *lines = NULL;
    FILE *out = open_memstream(lines, &size);
    if (out && s->best_of.text)
        put_source(&s->best_of, out);
    for (uint32_t k = 0; out && k < s->kept; k++)
        put_source(&s->keeps[k].of, out);
    int failed = !out || ferror(out);
    if (!out || fclose(out) || failed)
        return gr_fail(error, GR_NO_MEMORY, "no memory for the laws so far");
    return GR_OK;
}

gr_status gr_law_search_restore(gr_law_search *s, const gr_vocabulary *vocabulary,
                                const char *lines, gr_error *error) {
    char *copy = strdup(lines), *next = NULL;
    gr_status status = copy ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for the laws so far");
    for (char *line = copy ? strtok_r(copy, "\n", &next) : NULL; line && !status;
         line = strtok_r(NULL, "\n", &next)) {
        double scaling[2];
        char *at = line;
        for (int k = 0; k < 2; k++)
            scaling[k] = gr_text_double(at, &at);
        status = *at == ' ' && isfinite(scaling[0]) && isfinite(scaling[1])
                     ? gr_law_try(s, vocabulary, at + 1, scaling, error)
                     : gr_fail(error, GR_BAD_INPUT, "laws so far that are none");
    }
    free(copy);
    return status;
}

/* ---- at the end ---- */

static int is_shorter(const void *a, const void *b) {
    const gr_law_kept *x = a, *y = b;
    return (x->length > y->length) - (x->length < y->length);
}

gr_status gr_law_settle(gr_law_search *s, const gr_vocabulary *vocabulary, gr_error *error) {
    const gr_law_cases *cases = &s->cases;
    gr_status status = GR_OK;
    if (s->best.exact)
        return GR_OK;
    for (uint32_t k = 0; k < s->kept; k++) { /* were fitted to some of the cases */
        gr_law_kept *kept = &s->keeps[k];
        kept->error = gr_form_fit(&kept->form, cases, noisy_step(cases), 0.0);
        kept->length = length_of(&kept->form, kept->error, cases);
    }
    qsort(s->keeps, s->kept, sizeof *s->keeps, is_shorter);
    for (uint32_t k = 0; !status && k < s->kept && k < ROUNDED; k++) {
        gr_law law;
        status = round_form(&s->keeps[k].form, s->keeps[k].error, cases, vocabulary, &law, error);
        if (!status)
            gr_law_keep(&s->best, &law);
    }
    while (s->kept)
        free_kept(&s->keeps[--s->kept]);
    return status;
}

void gr_law_free(gr_law *law) {
    free(law->text);
    *law = (gr_law){.text = NULL};
}

static int is_better(const gr_law *a, const gr_law *b) {
    if (a->exact != b->exact)
        return a->exact > b->exact;
    if (a->exact)
        return a->nodes < b->nodes || (a->nodes == b->nodes && a->rounded > b->rounded);
    return a->length < b->length;
}

void gr_law_keep(gr_law *best, gr_law *law) {
    if (law->text && (!best->text || is_better(law, best))) {
        gr_law_free(best);
        *best = *law;
        *law = (gr_law){.text = NULL};
    } else
        gr_law_free(law);
}
