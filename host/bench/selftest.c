#include "host/bench/selftest.h"

#include "gpu/core/program/evaluate.h"
#include "gpu/core/program/tree.h"
#include "host/cpu/evaluate.h"
#include "host/derivation/phenotype.h"
#include "host/problem/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- once ---- */

/* Philox4x32-10: the vectors Random123 publishes (kat_vectors). */
static int check_philox(const gr_backend *backend, char *wrong, size_t size) {
    static const uint32_t vector[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
         0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1},
    };
    (void)backend;
    for (int i = 0; i < 3; i++) {
        const uint32_t *v = vector[i];
        gr_block block = gr_philox(v[0], v[1], v[2], v[3], v[4], v[5]);
        if (memcmp(block.word, v + 6, sizeof block.word) != 0) {
            snprintf(wrong, size, "vector %d begins with %08x instead of %08x", i + 1,
                     block.word[0], v[6]);
            return 0;
        }
    }
    return 1;
}

static float pow_of(float x) {
    return gr_pow(x, -3.3f);
}

static int check_math(const gr_backend *backend, char *wrong, size_t size) {
    static const struct {
        const char *name;
        float (*function)(float);
        uint32_t x, result;
    } known[] = {
        {"exp", gr_exp, 0xc0200000u, 0x3da81c2eu},   {"exp", gr_exp, 0x3f333333u, 0x4000e152u},
        {"exp", gr_exp, 0x4640e6b6u, 0x7f800000u},   {"log", gr_log, 0xc0200000u, 0x7fc00000u},
        {"log", gr_log, 0x3f333333u, 0xbeb69e1au},   {"log", gr_log, 0x4640e6b6u, 0x4116bcabu},
        {"sin", gr_sin, 0xc0200000u, 0xbf193579u},   {"sin", gr_sin, 0x3f333333u, 0x3f24eb73u},
        {"sin", gr_sin, 0x4640e6b6u, 0xbf344b08u},   {"cos", gr_cos, 0xc0200000u, 0xbf4d17bfu},
        {"cos", gr_cos, 0x3f333333u, 0x3f43ccb2u},   {"cos", gr_cos, 0x4640e6b6u, 0x3f35be1fu},
        {"tan", gr_tan, 0xc0200000u, 0x3f3f3cdbu},   {"tan", gr_tan, 0x3f333333u, 0x3f57a036u},
        {"tan", gr_tan, 0x4640e6b6u, 0xbf7df54au},   {"tanh", gr_tanh, 0xc0200000u, 0xbf7c92c1u},
        {"tanh", gr_tanh, 0x3f333333u, 0x3f1ab7d9u}, {"tanh", gr_tanh, 0x4640e6b6u, 0x3f800000u},
        {"cbrt", gr_cbrt, 0xc0200000u, 0xbfadb905u}, {"cbrt", gr_cbrt, 0x4640e6b6u, 0x41b8e576u},
        {"pow", pow_of, 0x40200000u, 0x3d4723c6u},
    };
    (void)backend;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t got = gr_float_bits(known[i].function(gr_bits_float(known[i].x)));
        if (got != known[i].result) {
            snprintf(wrong, size, "%s(%08x) is %08x instead of %08x", known[i].name, known[i].x,
                     got, known[i].result);
            return 0;
        }
    }
    return 1;
}

static const char grammar_text[] = "<e> ::= (<e><o><e>) | <f>(<e>) | <v> | <d>.<d>\n"
                                   "<o> ::= + | - | *\n"
                                   "<f> ::= sin | plog\n"
                                   "<v> ::= x0 | x1\n"
                                   "<d> ::= 0 | 1 | 5\n";

static int check_mapper(const gr_backend *backend, char *wrong, size_t size) {
    static const uint32_t genome[] = {4, 1, 1, 2,
                                      1, 8, 3, 2}; /* the last digit comes after a wrap */
    static const char sentence[] = "(plog(x1)*5.1)";
    const gr_grammar_context context = {0};
    gr_grammar *grammar;
    gr_phenotype p;
    gr_error error;
    (void)backend;
    if (gr_grammar_parse(grammar_text, sizeof grammar_text - 1, "selftest", &context, &grammar,
                         &error)) {
        snprintf(wrong, size, "%.200s", error.text);
        return 0;
    }
    gr_status status = gr_derive_phenotype(grammar, genome, 8, 1, 9, &p, &error);
    int good = !status && p.validity == GR_VALID && strcmp(p.text, sentence) == 0 && p.used == 9 &&
               p.depth == 5 && p.nodes == 14;
    if (!good)
        snprintf(wrong, size, "'%.80s', %u codons, depth %u, %u nodes instead of '%s'",
                 !status && p.text ? p.text : "", p.used, p.depth, p.nodes, sentence);
    gr_phenotype_free(&p);
    gr_grammar_free(grammar);
    return good;
}

/* Text to nodes to text again, and a value. */
static int check_expression(const gr_backend *backend, char *wrong, size_t size) {
    static const char text[] = "x0 ** 2 - (x1 - 0.1) * if(x0 < x1, 3, -sin(x1))";
    static const char *const names[] = {"x0", "x1"};
    const gr_vocabulary vocabulary = {names, 2, 0, 0, 0, 0};
    const float x[2] = {1.5f, 2.5f};
    gr_node *nodes = NULL;
    uint32_t count = 0;
    gr_error error = {GR_OK, ""};
    float stack[32], value = 0.0f;
    (void)backend;
    gr_status status = gr_read_expression(text, "selftest", &vocabulary, &nodes, &count, &error);
    char *printed = status ? NULL : gr_print_expression(nodes, count, &vocabulary);
    if (!status && count < 32)
        value = gr_evaluate_case(nodes, count, x, stack);
    int good = printed && strcmp(printed, text) == 0 && gr_float_bits(value) == 0xc09e6667u;
    if (!good)
        snprintf(wrong, size, "'%.120s' is %08x %.120s", printed ? printed : "",
                 gr_float_bits(value), error.text);
    free(printed);
    free(nodes);
    return good;
}

/* ---- the interpreter against the reference ---- */

enum { TREES = 200, CASES = 64, NODES = 500, INPUTS = 3 };

/* Random trees over all float operations. */
static gr_params all_functions(void) {
    gr_params p = {0};
    p.islands = p.runs = p.population = p.individuals = 1;
    p.seed[0] = 20;
    p.inputs = INPUTS;
    p.max_nodes = NODES;
    p.constant_probability = 0.3f;
    p.constant_min = -3.0f;
    p.constant_max = 3.0f;
    for (uint32_t arity = 1; arity <= 3; arity++) {
        p.arity_first[arity] = (uint8_t)p.functions;
        for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++)
            if (gr_arity(op) == arity && !gr_is_word(op))
                p.function[p.functions++] = (uint8_t)op;
    }
    p.arity_first[4] = (uint8_t)p.functions;
    return p;
}

static float test_input(uint32_t input, uint32_t c) {
    return (float)((int)((c * 37 + input * 101) % 97) - 40) * 0.25f;
}

/* Payload and sign of a NaN are the processor's own. */
static int same_value(float a, float b) {
    return gr_float_bits(a) == gr_float_bits(b) || (a != a && b != b);
}

static int check_tree(gr_nodes tree, uint32_t count, const float *tile, gr_cpu_registers *registers,
                      char *wrong, size_t size) {
    gr_instruction program[NODES];
    uint32_t location[2 * NODES];
    const gr_words locations = {location, 1};
    const gr_lane_group alone = {0, 1};
    float output[CASES], stack[NODES];
    uint32_t length = gr_compile(tree, count, locations, program, alone);
    gr_cpu_best_interpreter()->predict(program, length, tile, CASES, registers, output);
    for (uint32_t c = 0; c < CASES; c++) {
        float x[INPUTS];
        for (uint32_t k = 0; k < INPUTS; k++)
            x[k] = tile[k * GR_CHUNK + c];
        float expected = gr_evaluate_case(tree.at, count, x, stack);
        if (!same_value(output[c], expected)) {
            snprintf(wrong, size, "a tree of %u nodes gives %08x instead of %08x", count,
                     gr_float_bits(output[c]), gr_float_bits(expected));
            return 0;
        }
    }
    return 1;
}

static int check_interpreter(const gr_backend *backend, char *wrong, size_t size) {
    gr_params p = all_functions();
    float *tile = calloc(gr_tile_words(INPUTS, 0), sizeof *tile);
    gr_nodes tree = {malloc(NODES * sizeof(gr_node)), 1};
    gr_cpu_registers *registers = gr_cpu_take_registers(1, NULL);
    int good = tile && tree.at && registers;
    (void)backend;
    for (uint32_t k = 0; good && k < INPUTS; k++)
        for (uint32_t c = 0; c < CASES; c++)
            tile[k * GR_CHUNK + c] = test_input(k, c);
    for (uint32_t i = 0; good && i < TREES; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 0, 0, i);
        uint32_t count = gr_random_tree(&p, &r, 2 + i % 6, i & 1, 1, tree, NODES);
        good = !count || check_tree(tree, count, tile, registers, wrong, size);
    }
    free(registers);
    free(tree.at);
    free(tile);
    return good;
}

/* ---- a small evolution on every device ---- */

/* Kinds of sizes in the hash: those there were when the expected values were written down. */
enum { HASHED_SIZES = GR_SIZE_DERIVATION };

/* FNV-1a over what a generation says about itself. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211ull;
    return hash;
}

static uint64_t hash_record(uint64_t hash, const gr_record *r) {
    const gr_statistics *t = &r->statistics;
    const uint32_t words[] = {r->generation,
                              r->deme,
                              r->written,
                              gr_float_bits(r->best_cost),
                              gr_float_bits(r->best_ever_cost),
                              gr_float_bits(r->test_cost),
                              r->best_index,
                              r->best.length,
                              r->best.nodes,
                              t->finite};
    hash = hash_bytes(hash, words, sizeof words);
    hash = hash_bytes(hash, &t->cost_sum, sizeof t->cost_sum);
    hash = hash_bytes(hash, t->sum, HASHED_SIZES * sizeof *t->sum);
    hash = hash_bytes(hash, t->least, HASHED_SIZES * sizeof *t->least);
    hash = hash_bytes(hash, t->most, HASHED_SIZES * sizeof *t->most);
    return hash_bytes(hash, t->validity, sizeof t->validity);
}

static gr_status hash_evolution(const gr_backend *backend, const gr_job *job, uint64_t *hash,
                                gr_error *error) {
    gr_engine *engine;
    const gr_record *records;
    uint32_t generations, demes = gr_demes(&job->params);
    int finished = 0;
    gr_status status = backend->open(job, &engine, error);
    if (status)
        return status;
    *hash = 14695981039346656037ull;
    while (!status && !finished) {
        status = backend->advance(engine, NULL, NULL, &records, &generations, &finished, error);
        for (size_t i = 0; !status && i < (size_t)generations * demes; i++)
            *hash = hash_record(*hash, &records[i]);
    }
    backend->close(engine);
    return status;
}

/* The problem of a run file that stands in the program. */
static gr_status make_problem(const char *text, gr_problem *problem, gr_error *error) {
    gr_settings settings;
    gr_status status = gr_settings_init(&settings, error);
    if (!status)
        status = gr_settings_parse(&settings, text, strlen(text), "selftest", error);
    if (!status)
        status = gr_settings_resolve(&settings, error);
    if (!status)
        status = gr_problem_make(&settings, problem, error);
    gr_settings_free(&settings);
    return status;
}

/* Turns a tree problem into one of genomes: its grammar is no file. */
static gr_status give_grammar(gr_problem *problem, gr_error *error) {
    const gr_grammar_context context = {0};
    gr_params *p = &problem->job.params;
    gr_status status = gr_grammar_parse(grammar_text, sizeof grammar_text - 1, "selftest", &context,
                                        &problem->grammar, error);
    if (!status)
        status = gr_grammar_tokenise(problem->grammar, &problem->vocabulary, error);
    if (status)
        return status;
    problem->job.grammar = gr_grammar_tables(problem->grammar, &problem->job.grammar_words);
    p->genotype = GR_GRAMMATICAL;
    p->crossover = GR_CROSSOVER_VARIABLE_ONEPOINT;
    p->max_wraps = 1;
    p->max_depth = 20;
    p->max_nesting = p->max_nodes + 64;
    p->init_min_depth = 3;
    return GR_OK;
}

static int check_evolution(const gr_backend *backend, const char *text, int grammar,
                           uint64_t expected, char *wrong, size_t size) {
    gr_problem problem = {0};
    gr_error error;
    uint64_t hash = 0;
    gr_status status = make_problem(text, &problem, &error);
    if (!status && grammar)
        status = give_grammar(&problem, &error);
    if (!status)
        status = hash_evolution(backend, &problem.job, &hash, &error);
    gr_problem_free(&problem);
    if (status)
        snprintf(wrong, size, "%.400s", error.text);
    else if (hash != expected)
        snprintf(wrong, size, "the statistics hash to %016llx instead of %016llx",
                 (unsigned long long)hash, (unsigned long long)expected);
    return !status && hash == expected;
}

#define SMALL_RUN                                                                                  \
    "genotype: tree\ngenerations: 12\npopulation: 150\nruns: 2\nseed: 7\nelites: 2\n"              \
    "tournament: 4\nmax-nodes: 120\nmax-genome-length: 100\ngenome-length: 40\nepoch: 5\n"
#define SMALL_DATA                                                                                 \
    "target-expression: x0 * sin(x1) + 0.5\n"                                                      \
    "variables: x0 = uniform(-2, 2); x1 = uniform(-2, 2)\ntrain-cases: 150\ntest-cases: 50\n"

static int check_trees(const gr_backend *backend, char *wrong, size_t size) {
    return check_evolution(backend,
                           SMALL_RUN SMALL_DATA
                           "constant-probability: 0.3\nlinear-scaling: true\nmetric: mse\n"
                           "functions: \"+, -, *, /, sin, cos, tan, tanh, exp, log, sqrt, pow\"\n",
                           0, 0xeb55745742a9a515ull, wrong, size);
}

static int check_genomes(const gr_backend *backend, char *wrong, size_t size) {
    return check_evolution(backend, SMALL_RUN SMALL_DATA "metric: mae\n", 1, 0x53a52c2ed406780full,
                           wrong, size);
}

static int check_boolean(const gr_backend *backend, char *wrong, size_t size) {
    return check_evolution(backend, SMALL_RUN "boolean: multiplexer-11\n", 0, 0x9933559d0f53316bull,
                           wrong, size);
}

const gr_check gr_checks[] = {
    {"random numbers", check_philox, 0},
    {"elementary functions", check_math, 0},
    {"mapping", check_mapper, 0},
    {"expressions", check_expression, 0},
    {"interpreter", check_interpreter, 0},
    {"evolution of trees", check_trees, 1},
    {"evolution of genomes", check_genomes, 1},
    {"evolution of Boolean trees", check_boolean, 1},
};
const int gr_check_count = sizeof gr_checks / sizeof *gr_checks;
