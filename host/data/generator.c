#include "host/data/generator.h"
#include "gpu/core/base/rng.h"
#include "host/base/text.h"
#include "host/cpu/compile.h"
#include "host/cpu/evaluate.h"
#include "host/cpu/processors.h"
#include "host/cpu/team.h"
#include "host/expression/reader.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VARIABLES = 256, MOST_CASES = 1000000000, LONGEST_NAME = 63 };

/* ---- variables: "x, y = uniform(-1, 1); z = grid(0, 10, 0.5)" ---- */

typedef enum kind { UNIFORM, GRID, LINSPACE } kind;

typedef struct variable {
    char name[LONGEST_NAME + 1];
    kind kind;
    double from, to, step;
    uint64_t points; /* GRID, LINSPACE */
} variable;

typedef struct variables {
    variable at[MOST_VARIABLES];
    uint32_t count;
} variables;

/* A text on its way to variables. */
typedef struct scan {
    const gr_settings *settings;
    gr_key key; /* variables or test-variables */
    const char *text, *at;
    gr_error *error;
} scan;

static gr_status expected(const scan *s, const char *what) {
    return gr_settings_fail(s->settings, s->key, s->error,
                            "cannot read %s at character %zu, '%.*s'; expected %s",
                            s->key == GR_KEY_variables ? "variables" : "test-variables",
                            (size_t)(s->at - s->text) + 1, GR_CUT(s->at, 20), what);
}

static void skip_blanks(scan *s) {
    s->at += strspn(s->at, " \t");
}

static bool take(scan *s, char c) {
    skip_blanks(s);
    bool found = *s->at == c;
    s->at += found;
    skip_blanks(s);
    return found;
}

static gr_status scan_number(scan *s, double *value) {
    char *end;
    size_t n = strspn(s->at, "0123456789.eE+-"); /* no nan, no inf */
    *value = gr_text_double(s->at, &end);
    if (n == 0 || end != s->at + n || !(fabs(*value) <= 1e30))
        return expected(s, "a number");
    s->at = end;
    return GR_OK;
}

static gr_status scan_name(scan *s, variables *v) {
    size_t n = gr_text_name(s->at, strlen(s->at));
    variable *it = &v->at[v->count];
    if (v->count == MOST_VARIABLES)
        return expected(s, "no more than 256 variables");
    snprintf(it->name, sizeof it->name, "%.*s", (int)n, s->at);
    if (n > LONGEST_NAME || !gr_dataset_is_name(it->name))
        return expected(s, "the name of a variable");
    for (uint32_t i = 0; i < v->count; i++)
        if (strcmp(v->at[i].name, it->name) == 0)
            return expected(s, "a name that is not taken");
    s->at += n;
    v->count++;
    return GR_OK;
}

/* "uniform(a, b)", "grid(a, b, step)" or "linspace(a, b, n)". */
static gr_status scan_sampling(scan *s, variable *out) {
    static const char *const words[] = {"uniform", "grid", "linspace"};
    uint32_t word = 0;
    while (word < 3 && strncmp(s->at, words[word], strlen(words[word])) != 0)
        word++;
    if (word == 3)
        return expected(s, "uniform(a, b), grid(a, b, step) or linspace(a, b, n)");
    s->at += strlen(words[word]);
    out->kind = (kind)word;
    double *const values[] = {&out->from, &out->to, &out->step};
    for (uint32_t i = 0, n = word == UNIFORM ? 2 : 3; i < n; i++) {
        if (!take(s, i ? ',' : '('))
            return expected(s, i ? "','" : "'('");
        gr_status status = scan_number(s, values[i]);
        if (status != GR_OK)
            return status;
    }
    if (!(out->from <= out->to))
        return expected(s, "a range that does not fall");
    double points = 0;
    if (word == GRID) /* the last point may miss `to` by rounding */
        points = out->step > 0 ? floor((out->to - out->from) / out->step + 1e-6) + 1 : -1;
    else if (word == LINSPACE)
        points = out->step;
    if (word != UNIFORM && !(points >= 1 && points <= MOST_CASES && points == floor(points)))
        return expected(s, word == GRID ? "a step that gives 1 to 1000000000 points"
                                        : "a number of points from 1 to 1000000000");
    out->points = (uint64_t)points;
    return take(s, ')') ? GR_OK : expected(s, "')'");
}

/* "a, b = sampling" */
static gr_status scan_group(scan *s, variables *v) {
    uint32_t first = v->count;
    do {
        gr_status status = scan_name(s, v);
        if (status != GR_OK)
            return status;
    } while (take(s, ','));
    if (!take(s, '='))
        return expected(s, "'='");
    variable sampling = {0};
    gr_status status = scan_sampling(s, &sampling);
    for (uint32_t i = first; status == GR_OK && i < v->count; i++) {
        memcpy(sampling.name, v->at[i].name, sizeof sampling.name);
        v->at[i] = sampling;
    }
    return status;
}

static gr_status read_variables(const gr_settings *settings, gr_key key, variables *v,
                                gr_error *error) {
    const char *text = key == GR_KEY_variables ? settings->variables : settings->test_variables;
    scan s = {settings, key, text, text, error};
    v->count = 0;
    skip_blanks(&s);
    do {
        gr_status status = scan_group(&s, v);
        if (status != GR_OK)
            return status;
    } while (take(&s, ';') && *s.at);
    return *s.at ? expected(&s, "';' or the end") : GR_OK;
}

/* How many cases the variables and train-cases or test-cases make. */
static gr_status count_cases(const gr_settings *s, gr_key key, const variables *v, uint64_t *cases,
                             gr_error *error) {
    bool train = key == GR_KEY_variables;
    gr_key cases_key = train ? GR_KEY_train_cases : GR_KEY_test_cases;
    const char *cases_name = train ? "train-cases" : "test-cases";
    uint32_t given = train ? s->train_cases : s->test_cases, uniform = 0;
    *cases = 1;
    for (uint32_t i = 0; i < v->count; i++) {
        uniform += v->at[i].kind == UNIFORM;
        *cases *= v->at[i].kind == UNIFORM ? 1 : v->at[i].points;
        if (*cases > MOST_CASES)
            return gr_settings_fail(s, key, error, "a grid of more than %d cases; expected fewer",
                                    MOST_CASES);
    }
    if (uniform && uniform < v->count)
        return gr_settings_fail(s, key, error,
                                "uniform and grid variables together; expected one kind");
    if (uniform && !given)
        return gr_settings_fail(s, key, error,
                                "uniform variables without %s; expected their number", cases_name);
    if (!uniform && given)
        return gr_settings_fail(s, cases_key, error,
                                "%s for a grid of %llu case%s; expected it for uniform variables",
                                cases_name, (unsigned long long)*cases, gr_s(*cases));
    *cases = uniform ? given : *cases;
    return GR_OK;
}

/* ---- sampling ---- */

/* A set being filled: chunk by chunk, by whoever comes. */
typedef struct filling {
    const variables *v;
    uint64_t inner[MOST_VARIABLES]; /* cases that pass before a grid's variable moves on */
    uint64_t seed;
    uint32_t which; /* 0: training, 1: test */
    gr_dataset *set;
    const gr_instruction *target; /* its program, `length` long */
    uint32_t length;
    gr_cpu_registers *registers; /* [threads] */
    _Atomic uint64_t wrong;      /* the first case whose target is not finite; UINT64_MAX: none */
} filling;

/* Uniform values of one variable: a draw belongs to seed, set, variable and case, four to a block.
 */
static void fill_uniform(const filling *f, uint32_t index, uint64_t first, uint32_t count,
                         float *out) {
    const variable *v = &f->v->at[index];
    for (uint32_t i = 0; i < count; i += 4) {
        gr_block block = gr_philox((uint32_t)((first + i) / 4), index, f->which,
                                   gr_purpose_word(GR_PURPOSE_DATA, 0), (uint32_t)f->seed,
                                   (uint32_t)(f->seed >> 32));
        for (uint32_t k = 0; k < 4 && i + k < count; k++)
            out[i + k] = (float)(v->from + (v->to - v->from) * (block.word[k] * 0x1p-32));
    }
}

/* Values on a grid: the last variable moves fastest. */
static void fill_grid(const filling *f, uint32_t index, uint64_t first, uint32_t count,
                      float *out) {
    const variable *v = &f->v->at[index];
    for (uint32_t k = 0; k < count; k++) {
        double i = (double)((first + k) / f->inner[index] % v->points);
        double value = v->from + i * v->step;
        if (v->kind == LINSPACE)
            value = v->from + (v->points > 1 ? (v->to - v->from) * i / (double)(v->points - 1) : 0);
        out[k] = (float)value;
    }
}

static void note_wrong(filling *f, uint64_t at) {
    uint64_t seen = atomic_load(&f->wrong);
    while (at < seen && !atomic_compare_exchange_weak(&f->wrong, &seen, at))
        ;
}

/* Inputs of a chunk and, by the interpreter that programs are evaluated with, its target. */
static void fill_some(void *context, uint64_t begin, uint64_t end, uint32_t thread) {
    filling *f = context;
    gr_dataset *set = f->set;
    const gr_cpu_interpreter *interpreter = gr_cpu_best_interpreter();
    for (uint64_t chunk = begin; chunk < end; chunk++) {
        uint64_t first = chunk * GR_CHUNK, left = set->cases - first;
        uint32_t count = left < GR_CHUNK ? (uint32_t)left : GR_CHUNK;
        float *tile = set->tiles + chunk * gr_dataset_tile_words(set);
        float *target = tile + (size_t)set->inputs * GR_CHUNK;
        for (uint32_t k = 0; k < set->inputs; k++) {
            float *to = tile + (size_t)k * GR_CHUNK;
            if (f->v->at[k].kind == UNIFORM)
                fill_uniform(f, k, first, count, to);
            else
                fill_grid(f, k, first, count, to);
        }
        interpreter->predict(f->target, f->length, tile, count, &f->registers[thread], target);
        for (uint32_t i = 0; i < count; i++)
            if (!isfinite(target[i])) {
                note_wrong(f, first + i);
                break;
            }
        memcpy(set->y + first, target, count * sizeof *target);
    }
}

static gr_status name_variables(const variables *v, gr_dataset *set, gr_error *error) {
    set->target_name = strdup("target");
    int good = set->target_name != NULL;
    for (uint32_t i = 0; i < v->count; i++)
        good &= (set->names[i] = strdup(v->at[i].name)) != NULL;
    return good ? GR_OK : gr_fail(error, GR_NO_MEMORY, "out of memory while sampling");
}

static gr_status not_finite(const gr_settings *s, const gr_dataset *set, uint64_t at,
                            gr_error *error) {
    const float *tile = set->tiles + at / GR_CHUNK * gr_dataset_tile_words(set) + at % GR_CHUNK;
    char where[200] = "", value[32];
    for (uint32_t i = 0; i < set->inputs && strlen(where) < 120; i++) {
        size_t n = strlen(where);
        snprintf(where + n, sizeof where - n, "%s%.*s = %g", i ? ", " : "",
                 GR_CUT(set->names[i], 40), (double)tile[(size_t)i * GR_CHUNK]);
    }
    gr_text_print_digits((double)tile[(size_t)set->inputs * GR_CHUNK], 6, value);
    return gr_settings_fail(s, GR_KEY_target_expression, error,
                            "target-expression is %s where %s; expected finite values", value,
                            where);
}

/* All cases, whose values do not depend on the threads. */
static gr_status fill(const gr_settings *s, filling *f, gr_error *error) {
    uint32_t chunks = gr_dataset_chunks(f->set);
    uint32_t threads = gr_threads_for_chunks(s->threads, chunks);
    uint64_t inner = f->set->cases;
    for (uint32_t i = 0; i < f->v->count && f->v->at[0].kind != UNIFORM; i++)
        f->inner[i] = inner /= f->v->at[i].points;
    f->registers = gr_cpu_take_registers(threads, NULL);
    if (!f->registers)
        return gr_fail(error, GR_NO_MEMORY, "out of memory while sampling");
    gr_team *team = gr_team_open(threads);
    gr_team_loop(team, chunks, 4, fill_some, f);
    gr_team_close(team);
    free(f->registers);
    return f->wrong == UINT64_MAX ? GR_OK : not_finite(s, f->set, f->wrong, error);
}

/* The target's program, for `names` of the set. */
static gr_status read_target(const gr_settings *s, const gr_dataset *set, gr_instruction **program,
                             uint32_t *length, gr_error *error) {
    gr_vocabulary vocabulary = {(const char *const *)set->names, set->inputs, 0, 0, 0, 0};
    gr_node *nodes = NULL;
    uint32_t count;
    gr_error reading;
    gr_status status = gr_read_expression(s->target_expression, "target-expression", &vocabulary,
                                          &nodes, &count, &reading);
    if (status == GR_BAD_INPUT)
        return gr_settings_fail(s, GR_KEY_target_expression, error, "%s", reading.text);
    if (status != GR_OK)
        return gr_fail(error, status, "%s", reading.text);
    *program = gr_cpu_compile(nodes, count, length);
    free(nodes);
    return *program ? GR_OK : gr_fail(error, GR_NO_MEMORY, "out of memory while sampling");
}

static gr_status sample(const gr_settings *s, gr_key key, const variables *v, uint32_t which,
                        gr_dataset *set, gr_error *error) {
    uint64_t cases;
    gr_instruction *program = NULL;
    filling f = {.v = v, .seed = s->data_seed, .which = which, .set = set, .wrong = UINT64_MAX};
    gr_status status = count_cases(s, key, v, &cases, error);
    if (status == GR_OK)
        status = gr_dataset_allocate_tiles(set, v->count, cases, 0, error);
    if (status == GR_OK)
        status = name_variables(v, set, error);
    if (status == GR_OK)
        status = read_target(s, set, &program, &f.length, error);
    f.target = program;
    if (status == GR_OK)
        status = fill(s, &f, error);
    free(program);
    return status;
}

/* Variables of the test cases: the same names in the same order. */
static gr_status read_test_variables(const gr_settings *s, const variables *train, variables *test,
                                     gr_error *error) {
    if (!*s->test_variables) {
        *test = *train;
        if (test->at[0].kind != UNIFORM)
            return gr_settings_fail(s, GR_KEY_test_cases, error,
                                    "test-cases for a grid; expected test-variables");
        return GR_OK;
    }
    gr_status status = read_variables(s, GR_KEY_test_variables, test, error);
    bool same = status == GR_OK && test->count == train->count;
    for (uint32_t i = 0; same && i < test->count; i++)
        same = strcmp(test->at[i].name, train->at[i].name) == 0;
    if (status == GR_OK && !same)
        return gr_settings_fail(s, GR_KEY_test_variables, error,
                                "test-variables differ from variables; expected the same names in "
                                "the same order");
    return status;
}

gr_status gr_generate_expression(const gr_settings *settings, gr_dataset *train, gr_dataset *test,
                                 gr_error *error) {
    variables *v = malloc(2 * sizeof *v);
    *train = *test = (gr_dataset){0};
    if (!v)
        return gr_fail(error, GR_NO_MEMORY, "out of memory while sampling");
    gr_status status = read_variables(settings, GR_KEY_variables, v, error);
    if (status == GR_OK)
        status = sample(settings, GR_KEY_variables, v, 0, train, error);
    if (status == GR_OK && (*settings->test_variables || settings->test_cases)) {
        status = read_test_variables(settings, v, v + 1, error);
        if (status == GR_OK)
            status = sample(settings, GR_KEY_test_variables, v + 1, 1, test, error);
    }
    free(v);
    if (status != GR_OK) {
        gr_dataset_free(train);
        gr_dataset_free(test);
    }
    return status;
}

/* ---- truth tables ---- */

typedef enum truth { MULTIPLEXER, EVEN_PARITY, ODD_PARITY, COMPARATOR, TRUE, RANDOM } truth;

typedef struct table {
    truth truth;
    uint32_t inputs, address; /* address: address bits of a multiplexer */
    uint64_t seed;            /* of RANDOM */
} table;

static gr_status read_boolean(const gr_settings *s, table *out, gr_error *error) {
    static const struct {
        const char *name;
        truth truth;
    } kinds[] = {{"multiplexer-", MULTIPLEXER},
                 {"parity-", EVEN_PARITY},
                 {"even-parity-", EVEN_PARITY},
                 {"odd-parity-", ODD_PARITY},
                 {"comparator-", COMPARATOR},
                 {"true-", TRUE},
                 {"random-", RANDOM}};
    const char *digits = "";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(s->boolean, kinds[i].name, strlen(kinds[i].name)) == 0) {
            out->truth = kinds[i].truth;
            digits = s->boolean + strlen(kinds[i].name);
        }
    size_t n = strspn(digits, "0123456789");
    unsigned long inputs = n && n < 6 && !digits[n] ? strtoul(digits, NULL, 10) : 0;
    out->address = 1;
    while (out->truth == MULTIPLEXER && out->address + (1ul << out->address) < inputs)
        out->address++;
    if (!inputs || (out->truth == MULTIPLEXER && out->address + (1ul << out->address) != inputs) ||
        (out->truth == COMPARATOR && inputs % 2))
        return gr_settings_fail(s, GR_KEY_boolean, error,
                                "boolean is '%.*s'; expected multiplexer-3, -6, -11 or -20, "
                                "parity-N, odd-parity-N, comparator-N (even N), true-N or random-N",
                                GR_CUT(s->boolean, 80));
    if (inputs > 20)
        return gr_settings_fail(s, GR_KEY_boolean, error,
                                "%s has 2^%lu cases; expected at most 20 inputs", s->boolean,
                                inputs);
    out->inputs = (uint32_t)inputs;
    out->seed = s->data_seed;
    return GR_OK;
}

/* Input i of the 32 cases of word w. */
static uint32_t truth_word(uint32_t i, uint64_t w) {
    static const uint32_t inside[] = {0xaaaaaaaau, 0xccccccccu, 0xf0f0f0f0u, 0xff00ff00u,
                                      0xffff0000u};
    if (i < 5)
        return inside[i];
    return w >> (i - 5) & 1 ? 0xffffffffu : 0;
}

static uint32_t parity_word(const table *t, uint64_t w) {
    uint32_t out = t->truth == EVEN_PARITY ? 0xffffffffu : 0;
    for (uint32_t i = 0; i < t->inputs; i++)
        out ^= truth_word(i, w);
    return out;
}

/* Whether the number of the first half of the inputs is less than that of the second, the first
 * bit of each the highest: PonyGE2's comparator. */
static uint32_t comparator_word(const table *t, uint64_t w) {
    uint32_t half = t->inputs / 2, less = 0, equal = 0xffffffffu;
    for (uint32_t i = 0; i < half; i++) {
        uint32_t a = truth_word(i, w), b = truth_word(half + i, w);
        less |= equal & ~a & b;
        equal &= ~(a ^ b);
    }
    return less;
}

static uint32_t random_word(const table *t, uint64_t w) {
    gr_block block = gr_philox((uint32_t)w, 0, 0, gr_purpose_word(GR_PURPOSE_DATA, 0),
                               (uint32_t)t->seed, (uint32_t)(t->seed >> 32));
    return block.word[0];
}

static uint32_t multiplexer_word(const table *t, uint64_t w) {
    uint32_t out = 0;
    for (uint32_t d = 0; d < 1u << t->address; d++) {
        uint32_t selected = truth_word(t->address + d, w);
        for (uint32_t a = 0; a < t->address; a++)
            selected &= d >> a & 1 ? truth_word(a, w) : ~truth_word(a, w);
        out |= selected;
    }
    return out;
}

static uint32_t target_word(const table *t, uint64_t w) {
    switch (t->truth) {
    case MULTIPLEXER:
        return multiplexer_word(t, w);
    case COMPARATOR:
        return comparator_word(t, w);
    case TRUE:
        return 0xffffffffu;
    case RANDOM:
        return random_word(t, w);
    case EVEN_PARITY:
    case ODD_PARITY:
        break;
    }
    return parity_word(t, w);
}

static gr_status name_inputs(const table *t, gr_dataset *set, gr_error *error) {
    for (uint32_t i = 0; i < t->inputs; i++) {
        char name[16];
        if (t->truth != MULTIPLEXER)
            snprintf(name, sizeof name, "x%lu", (unsigned long)i);
        else if (i < t->address)
            snprintf(name, sizeof name, "A%lu", (unsigned long)i);
        else
            snprintf(name, sizeof name, "D%lu", (unsigned long)(i - t->address));
        if (!(set->names[i] = strdup(name)))
            return gr_fail(error, GR_NO_MEMORY, "out of memory while sampling");
    }
    set->target_name = strdup("target");
    return set->target_name ? GR_OK : gr_fail(error, GR_NO_MEMORY, "out of memory while sampling");
}

gr_status gr_generate_boolean(const gr_settings *settings, gr_dataset *train, gr_error *error) {
    table t = {0};
    *train = (gr_dataset){0};
    gr_status status = read_boolean(settings, &t, error);
    if (status == GR_OK)
        status = gr_dataset_allocate(train, t.inputs, 1ull << t.inputs, 1, error);
    if (status != GR_OK)
        return status;
    uint32_t mask = t.inputs < 5 ? (1u << (1u << t.inputs)) - 1 : 0xffffffffu;
    for (uint64_t w = 0; w < train->words; w++) {
        for (uint32_t i = 0; i < t.inputs; i++)
            train->wx[i * train->words + w] = truth_word(i, w) & mask;
        train->wy[w] = target_word(&t, w) & mask;
    }
    status = name_inputs(&t, train, error);
    if (status != GR_OK)
        gr_dataset_free(train);
    return status;
}
