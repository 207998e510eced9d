/* grampus grammar measure: locality, redundancy, neutral mutants and the bias of an initialiser,
 * by sampling, with intervals. */
#include "gpu/backend/engine.h"
#include "gpu/core/genotype/pi_grow.h"
#include "host/base/json.h"
#include "host/base/spread.h"
#include "host/base/text.h"
#include "host/cli/commands.h"
#include "host/cpu/processors.h"
#include "host/derivation/conventions.h"
#include "host/derivation/measure.h"
#include "host/grammar/facts.h"
#include "host/inference/inference.h"
#include "host/problem/run_grammar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 10000000 };

static void print_help(void) {
    printf(
        "usage: grampus grammar measure FILE [--option value ...]\n\n"
        "Draws genomes as a run draws its first generation, and of every valid one a mutant: one "
        "codon of the part\nit uses is drawn again. Says, with intervals of 95 %%, what "
        "became of both.\n\n"
        "  --samples N      genomes [100000]\n"
        "  --n-vars N, --n-is N, --n-os N\n"
        "                   for GE_RANGE:dataset_n_vars (inputs), _n_is and _n_os\n"
        "  --json           one object\n"
        "  --device D       auto, cpu or cuda, which give the same [auto: cuda for what takes the "
        "CPU over a second]\n"
        "  --seed, --threads, --initialisation, --init-min-depth, --init-max-depth,\n"
        "  --genome-length, --max-genome-length, --codon-size, --max-depth, --max-wraps,\n"
        "  --mapping, --codon-consumption, --wrap-rule\n"
        "                   as in a run\n"
        "  -h, --help       this text\n");
}

/* ---- arguments ---- */

typedef struct request {
    gr_settings settings;
    gr_grammar_context context;
    uint32_t samples;
    int json, help;
    const char *path;
} request;

/* Settings that are options. */
static const char *const keys[] = {
    "seed",          "threads",           "initialisation", "init-min-depth", "init-max-depth",
    "genome-length", "max-genome-length", "codon-size",     "max-depth",      "max-wraps",
    "mapping",       "codon-consumption", "wrap-rule",      "device"};
enum { KEYS = sizeof keys / sizeof *keys };

static int is_setting(const char *argument) {
    size_t n = strcspn(argument + 2, "=");
    for (size_t k = 0; strncmp(argument, "--", 2) == 0 && k < KEYS; k++)
        if (strlen(keys[k]) == n && strncmp(argument + 2, keys[k], n) == 0)
            return 1;
    return 0;
}

/* Settings are taken; the verb's own options are left in rest[]. */
static gr_status take_settings(int argc, char **argv, request *r, int *count, char **rest,
                               gr_error *error) {
    gr_status status = GR_OK;
    for (int i = 0, used; !status && i < argc; i += used) {
        used = 1;
        if (is_setting(argv[i]))
            status = gr_settings_option(&r->settings, argc - i, argv + i, &used, error);
        else
            rest[(*count)++] = argv[i];
    }
    return status;
}

static gr_status take_options(int argc, char **argv, request *r, gr_error *error) {
    gr_range_options ranges = {0};
    const char *samples = NULL;
    int count = 0;
    char **rest = malloc(((size_t)argc + 1) * sizeof *rest);
    const gr_option own[] = {{"samples", &samples, NULL},  {"n-vars", &ranges.n_vars, NULL},
                             {"n-is", &ranges.n_is, NULL}, {"n-os", &ranges.n_os, NULL},
                             {"json", NULL, &r->json},     {"help", NULL, &r->help}};
    enum { OWN = sizeof own / sizeof *own };
    gr_option options[OWN + KEYS + 1] = {
        0}; /* settings are taken before: only near misses find them */
    memcpy(options, own, sizeof own);
    for (int k = 0; k < KEYS; k++)
        options[OWN + k].name = keys[k];
    gr_status status = rest ? gr_settings_init(&r->settings, error)
                            : gr_fail(error, GR_NO_MEMORY, "no memory for arguments");
    if (!status)
        status = take_settings(argc, argv, r, &count, rest, error);
    if (!status)
        status = gr_options_read(count, rest, options, error);
    if (!status)
        status = gr_option_whole("samples", samples, 1, MOST_SAMPLES, &r->samples, error);
    if (!status)
        status = gr_option_ranges(&ranges, &r->context, error);
    free(rest);
    return status;
}

static uint32_t or_else(uint32_t value, uint32_t otherwise) {
    return value == GR_AUTO ? otherwise : value;
}

/* As a run fills them in and holds them to its limits; GR_BAD_INPUT for what has no genomes. */
static gr_status make_params(const request *r, const gr_grammar *grammar, gr_params *p,
                             gr_error *error) {
    gr_settings settings = r->settings, *s = &settings; /* borrows its texts */
    uint32_t words;
    char deeper[GR_DEEPER];
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    *p = (gr_params){.runs = 1, .islands = 1, .population = r->samples, .individuals = r->samples};
    p->seed[0] = (uint32_t)s->seed;
    p->seed[1] = (uint32_t)(s->seed >> 32);
    p->initialisation = or_else(s->initialisation, GR_INIT_RAMPED);
    p->max_depth = s->max_depth = or_else(s->max_depth, 90);
    s->init_min_depth = or_else(s->init_min_depth, 1);
    s->init_max_depth =
        or_else(s->init_max_depth, gr_min_u32(gr_max_u32(10, s->init_min_depth), s->max_depth));
    p->init_min_depth = s->init_min_depth;
    p->init_max_depth = s->init_max_depth;
    p->genome_capacity = s->max_genome_length;
    p->init_length = s->genome_length =
        or_else(s->genome_length, gr_min_u32(200, p->genome_capacity));
    p->codon_size = s->codon_size;
    p->max_wraps = s->max_wraps;
    p->convention = gr_convention_for(s);
    if (p->initialisation == GR_INIT_SEEDS || p->initialisation == GR_INIT_SIZED)
        return gr_fail(error, GR_BAD_INPUT,
                       "--initialisation draws no genomes here; expected uniform, grow, full, "
                       "ramped, ptc2 or pi-grow");
    gr_status status = gr_check_limits(s, error);
    if (!status)
        status = gr_check_derivations(s, p, g, error);
    if (!status && gr_deeper_than_asked(s, p, deeper))
        fprintf(stderr, "%s\n", deeper);
    return status;
}

/* ---- numbers with intervals ---- */

typedef struct estimate {
    double value, low, high;
} estimate;

static estimate share(uint64_t of, uint64_t n) {
    if (!n)
        return (estimate){(double)NAN, (double)NAN, (double)NAN};
    gr_interval i = gr_wilson(of, n);
    return (estimate){(double)of / (double)n, i.low, i.high};
}

static estimate around(double value, double deviation) {
    double z = 1.959963984540054;
    return (estimate){value, fmax(0.0, value - z * deviation), fmin(1.0, value + z * deviation)};
}

/* A production's share in its rule's expansions. Those of a genome hang together: the ratio of two
 * sums over genomes. */
static estimate share_of_rule(const gr_expansions *x, const gr_expansions *rule) {
    double n = (double)rule->n;
    if (!rule->n)
        return share(0, 0);
    double ratio = (double)x->n / n;
    double squares = (double)x->squares - 2.0 * ratio * (double)x->products +
                     ratio * ratio * (double)rule->squares;
    return around(ratio, sqrt(fmax(0.0, squares)) / n);
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

typedef struct summary {
    uint64_t valid, mutants, kinds[GR_NEIGHBOUR_KINDS], different;
    estimate same_pair; /* two genomes that are valid derive the same sentence */
    estimate change;    /* mean share that a mutant changes */
    gr_spread used, depth, nodes;
    uint64_t *by_depth; /* [deepest + 1] */
    uint32_t deepest;
} summary;

/* Different sentences, and pairs of equal ones: an unbiased estimate of the sum of squares of
 * their probabilities. Puts the hashes in order. */
static void count_sentences(uint64_t *hash, uint64_t n, summary *s) {
    double squares = 0.0, cubes = 0.0, m = (double)n;
    qsort(hash, n, sizeof *hash, compare);
    for (uint64_t k = 0, run; k < n; k += run) {
        for (run = 1; k + run < n && hash[k + run] == hash[k]; run++)
            ;
        double c = (double)run;
        squares += c * (c - 1.0);
        cubes += c * c * c;
        s->different++;
    }
    double value = n > 1 ? squares / (m * (m - 1.0)) : (double)NAN;
    double variance = n > 1 ? 4.0 / m * fmax(0.0, cubes / (m * m * m) - value * value) +
                                  2.0 / (m * (m - 1.0)) * value
                            : (double)NAN;
    s->same_pair = around(value, sqrt(variance));
}

static gr_spread spread_of(const uint32_t *values, const uint8_t *validity, uint32_t count,
                           double *room) {
    size_t n = 0;
    for (uint32_t k = 0; k < count; k++)
        if (validity[k] == GR_VALID)
            room[n++] = values[k];
    return gr_spread_of(room, n);
}

static void sum_mutants(const gr_grammar_sample *t, summary *s) {
    double sum = 0.0, squares = 0.0;
    for (uint32_t k = 0; k < t->count; k++) {
        s->kinds[t->of.mutant[k]]++;
        sum += t->of.change[k];
        squares += t->of.change[k] * t->of.change[k];
    }
    double n = (double)s->kinds[GR_NEIGHBOUR_CHANGED], mean = sum / n;
    s->mutants = t->count - s->kinds[GR_NEIGHBOUR_NONE];
    if (n < 2) /* one tells nothing of the others */
        s->change = (estimate){n > 0 ? mean : (double)NAN, 0.0, 1.0};
    else
        s->change = around(mean, sqrt(fmax(0.0, squares / n - mean * mean) / (n - 1)));
}

static gr_status summarise(const gr_grammar_sample *t, summary *s, gr_error *error) {
    double *room = malloc((t->count + 1ull) * sizeof *room);
    uint64_t *hash = malloc((t->count + 1ull) * sizeof *hash), n = 0;
    for (uint32_t k = 0; k < t->count; k++)
        s->deepest = gr_max_u32(s->deepest, t->of.depth[k]);
    s->by_depth = calloc(s->deepest + 1ull, sizeof *s->by_depth);
    if (room && hash && s->by_depth) {
        for (uint32_t k = 0; k < t->count; k++)
            if (t->of.validity[k] == GR_VALID) {
                hash[n++] = t->of.sentence[k];
                s->by_depth[t->of.depth[k]]++;
            }
        s->valid = n;
        count_sentences(hash, n, s);
        s->used = spread_of(t->of.used, t->of.validity, t->count, room);
        s->depth = spread_of(t->of.depth, t->of.validity, t->count, room);
        s->nodes = spread_of(t->of.nodes, t->of.validity, t->count, room);
        sum_mutants(t, s);
    }
    gr_status status =
        room && hash && s->by_depth
            ? GR_OK
            : gr_fail(error, GR_NO_MEMORY, "no memory for %u genome%s", t->count, gr_s(t->count));
    free(room);
    free(hash);
    return status;
}

/* ---- text ---- */

static void print_estimate(const char *name, estimate e, const char *meaning) {
    if (isnan(e.value))
        printf("%-12s none                      %s\n", name, meaning);
    else
        printf("%-12s %.4f (%.4f to %.4f)  %s\n", name, e.value, e.low, e.high, meaning);
}

static void print_spread(const char *name, gr_spread s, const char *meaning) {
    printf("%-12s mean %.2f, quartiles %g, %g, %g, from %g to %g%s%s\n", name, s.mean,
           s.quartile[0], s.quartile[1], s.quartile[2], s.least, s.most, *meaning ? "  " : "",
           meaning);
}

static void print_text(const gr_grammar *grammar, const gr_grammar_sample *t, const summary *s) {
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    print_estimate("valid", share(s->valid, t->count), "of the genomes");
    printf("%-12s %llu of %llu valid one%s\n", "sentences", (unsigned long long)s->different,
           (unsigned long long)s->valid, gr_s(s->valid));
    print_estimate("redundancy", s->same_pair, "two valid genomes derive the same sentence");
    print_estimate("synonymous", share(s->kinds[GR_NEIGHBOUR_SYNONYMOUS], s->mutants),
                   "of the mutants: the same derivation");
    print_estimate(
        "neutral",
        share(s->kinds[GR_NEIGHBOUR_SYNONYMOUS] + s->kinds[GR_NEIGHBOUR_NEUTRAL], s->mutants),
        "of the mutants: the same sentence");
    print_estimate("invalid", share(s->kinds[GR_NEIGHBOUR_INVALID], s->mutants), "of the mutants");
    print_estimate("locality", s->change, "of the sentence is another where it changes, mean");
    print_spread("codons used", s->used, "");
    print_spread("depth", s->depth, "");
    print_spread("nodes", s->nodes, "of the derivation");
    printf("\ndepth  share of the valid genomes\n");
    for (uint32_t d = 0; d <= s->deepest; d++)
        if (s->by_depth[d]) {
            estimate e = share(s->by_depth[d], s->valid);
            printf("%5u  %.4f (%.4f to %.4f)\n", d, e.value, e.low, e.high);
        }
    for (uint32_t r = 0; r < g[GR_G_RULES]; r++) {
        uint32_t first = gr_rule_first(g, r), end = gr_rule_first(g, r + 1);
        if (end - first < 2 || !t->rule[r].n)
            continue;
        printf("\n<%s>, %llu expansion%s; each as likely would be %.4f\n",
               gr_grammar_rule_name(grammar, r), (unsigned long long)t->rule[r].n,
               gr_s(t->rule[r].n), 1.0 / (end - first));
        for (uint32_t k = first; k < end; k++) {
            estimate e = share_of_rule(&t->of.production[k], &t->rule[r]);
            printf("%5u  %.4f (%.4f to %.4f)  ", k - first, e.value, e.low, e.high);
            gr_print_production(grammar, k, stdout);
            putchar('\n');
        }
    }
}

/* ---- JSON ---- */

static void add_number(cJSON *object, const char *name, double value) {
    if (isfinite(value))
        cJSON_AddNumberToObject(object, name, value);
    else
        cJSON_AddNullToObject(object, name);
}

static void add_estimate(cJSON *object, const char *name, estimate e) {
    cJSON *one = cJSON_AddObjectToObject(object, name);
    add_number(one, "value", e.value);
    add_number(one, "low", e.low);
    add_number(one, "high", e.high);
}

static void add_spread(cJSON *object, const char *name, gr_spread s) {
    cJSON *one = cJSON_AddObjectToObject(object, name);
    add_number(one, "mean", s.mean);
    add_number(one, "least", s.least);
    add_number(one, "lower_quartile", s.quartile[0]);
    add_number(one, "median", s.quartile[1]);
    add_number(one, "upper_quartile", s.quartile[2]);
    add_number(one, "most", s.most);
}

static cJSON *rules_json(const gr_grammar *grammar, const gr_grammar_sample *t) {
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    cJSON *rules = cJSON_CreateArray();
    for (uint32_t r = 0; r < g[GR_G_RULES]; r++) {
        cJSON *rule = cJSON_CreateObject();
        gr_json_add_text(rule, "name", gr_grammar_rule_name(grammar, r));
        cJSON_AddNumberToObject(rule, "expansions", (double)t->rule[r].n);
        cJSON *list = cJSON_AddArrayToObject(rule, "productions");
        for (uint32_t k = gr_rule_first(g, r); k < gr_rule_first(g, r + 1); k++) {
            cJSON *item = cJSON_CreateObject();
            cJSON_AddNumberToObject(item, "expansions", (double)t->of.production[k].n);
            add_estimate(item, "share", share_of_rule(&t->of.production[k], &t->rule[r]));
            cJSON_AddItemToArray(list, item);
        }
        cJSON_AddItemToArray(rules, rule);
    }
    return rules;
}

static gr_status print_json(const gr_grammar *grammar, const gr_grammar_sample *t, const summary *s,
                            gr_error *error) {
    cJSON *object = cJSON_CreateObject(), *depths;
    gr_json_add_text(object, "grammar", gr_grammar_path(grammar));
    cJSON_AddNumberToObject(object, "samples", t->count);
    add_estimate(object, "valid", share(s->valid, t->count));
    cJSON_AddNumberToObject(object, "sentences", (double)s->different);
    add_estimate(object, "redundancy", s->same_pair);
    cJSON_AddNumberToObject(object, "mutants", (double)s->mutants);
    add_estimate(object, "synonymous", share(s->kinds[GR_NEIGHBOUR_SYNONYMOUS], s->mutants));
    add_estimate(
        object, "neutral",
        share(s->kinds[GR_NEIGHBOUR_SYNONYMOUS] + s->kinds[GR_NEIGHBOUR_NEUTRAL], s->mutants));
    add_estimate(object, "invalid", share(s->kinds[GR_NEIGHBOUR_INVALID], s->mutants));
    add_estimate(object, "locality", s->change);
    add_spread(object, "used_codons", s->used);
    add_spread(object, "depth", s->depth);
    add_spread(object, "nodes", s->nodes);
    depths = cJSON_AddArrayToObject(object, "depths");
    for (uint32_t d = 0; d <= s->deepest; d++)
        cJSON_AddItemToArray(depths, cJSON_CreateNumber((double)s->by_depth[d]));
    cJSON_AddItemToObject(object, "rules", rules_json(grammar, t));
    return gr_json_print(object, error);
}

/* ---- the action ---- */

/* Whether a GPU measures: where it is asked for, or there is one and the CPU would be slow. */
static gr_status choose_device(const request *r, uint32_t threads, int *on_gpu, gr_error *error) {
    static const double seconds_of_a_genome = 12e-6;
    char line[200] = "this grampus was built without CUDA";
    uint32_t device = r->settings.device;
    int slow = r->samples * seconds_of_a_genome > threads, usable = 0;
    *on_gpu = 0;
    if (device == GR_DEVICE_CPU || (device == GR_AUTO && !slow))
        return GR_OK;
#ifdef GRAMPUS_CUDA
    usable = gr_backend_cuda.available(line, sizeof line);
#endif
    *on_gpu = usable;
    return usable || device == GR_AUTO
               ? GR_OK
               : gr_fail(error, GR_DEVICE_FAILED,
                         "device cuda: %s; expected a usable CUDA device, or device cpu or auto",
                         line);
}

static gr_status measure(const request *r, const gr_grammar *grammar, gr_error *error) {
    gr_params p;
    gr_grammar_sample sample = {0};
    summary s = {0};
    uint32_t threads = r->settings.threads ? r->settings.threads : gr_processors();
    int on_gpu;
    gr_status status = make_params(r, grammar, &p, error);
    if (!status)
        status = choose_device(r, threads, &on_gpu, error);
    if (!status)
        status = gr_grammar_measure(grammar, &p, threads, on_gpu, &sample, error);
    if (!status)
        status = summarise(&sample, &s, error);
    if (!status && r->json)
        status = print_json(grammar, &sample, &s, error);
    else if (!status)
        print_text(grammar, &sample, &s);
    free(s.by_depth);
    gr_grammar_sample_free(&sample);
    return status;
}

gr_status gr_measure_grammar(const char *path, int argc, char **argv, gr_error *error) {
    request r = {.samples = 100000};
    gr_grammar *grammar = NULL;
    gr_status status = take_options(argc, argv, &r, error);
    if (!status && r.help)
        print_help();
    else if (!status && !path)
        status = gr_fail(error, GR_BAD_INPUT, "no grammar; expected grampus grammar measure FILE");
    else if (!status) {
        gr_reading reading = {gr_convention_for(&r.settings), r.settings.max_wraps,
                              or_else(r.settings.max_depth, 90), r.settings.max_genome_length};
        r.context.codon_size = r.settings.codon_size;
        status = gr_check_conventions(&r.settings, error);
        if (!status)
            status = gr_load_for(&reading, path, &r.context, &grammar, error);
        if (!status)
            status = measure(&r, grammar, error);
    }
    gr_grammar_free(grammar);
    gr_settings_free(&r.settings);
    return status;
}
