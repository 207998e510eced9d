/* Every individual of some generations, under every mapping convention and genotype, against what
 * is said of its genome on the host: sizes and validity as `grampus map` prints them; the printed
 * phenotype, read as text, gives the same nodes, constants to the bit, as the tokens did, and they
 * compile to the individual's program; and the statistics are sums of all that. */
#include "host/derivation/phenotype.h"
#include "host/expression/reader.h"
#include "tests/differential/lockstep.h"
#include "tests/differential/problems.h"

enum { GENERATIONS = 4, LOCATIONS = 1 << 17 };

typedef struct counts {
    uint64_t sum[GR_SIZE_KINDS];
    uint32_t valid, read;
} counts;

/* What is wrong with an individual, or NULL. */
static const char *wrong(const side *s, uint32_t i, counts *c) {
    static uint32_t locations[LOCATIONS];
    static gr_instruction program[LOCATIONS / 2];
    const gr_problem *problem = &s->problem;
    const gr_params *p = &problem->job.params;
    gr_individual x = s->individuals[i];
    const uint32_t *genome = s->genotypes + (size_t)i * p->genome_capacity;
    const gr_lane_group group = {0, 1};
    gr_phenotype phenotype;
    gr_node *nodes, *read = NULL;
    uint32_t count, read_count = 0;
    gr_error error;
    const gr_reading reading = gr_reading_of(p);
    if (gr_derive_phenotype_by(problem->grammar, &reading, genome, x.length, &phenotype, &error) ||
        gr_map_genome(p, problem->job.grammar, genome, x.length, &nodes, &count, &error))
        return error.text[0] ? "the host fails" : "";
    const char *what = NULL;
    uint32_t derived = x.validity != GR_TOO_LARGE && x.validity != GR_NO_EXPRESSION;
    c->sum[GR_SIZE_LENGTH] += x.length;
    if (derived && phenotype.validity != x.validity)
        what = "validity";
    else if ((nodes != NULL) != (x.validity == GR_VALID))
        what = "validity of the expression";
    else if (nodes) {
        c->valid++;
        c->sum[GR_SIZE_USED] += phenotype.used;
        c->sum[GR_SIZE_DEPTH] += phenotype.depth;
        c->sum[GR_SIZE_NODES] += count;
        c->sum[GR_SIZE_DERIVATION] += phenotype.nodes;
        if (phenotype.used != x.used || phenotype.depth != x.depth ||
            phenotype.nodes != x.derivation_nodes || count != x.nodes)
            what = "sizes";
        else if (gr_read_expression(phenotype.text, "phenotype", &problem->vocabulary, &read,
                                    &read_count, &error))
            what = "the phenotype is no expression";
        else if (read_count != count || memcmp(read, nodes, count * sizeof *nodes))
            what = "the phenotype reads as another expression";
        else if (gr_compile((gr_nodes){read, 1}, count, (gr_words){locations, 1}, program, group) !=
                     x.instructions ||
                 memcmp(program, s->programs + (size_t)i * p->max_nodes,
                        x.instructions * sizeof *program))
            what = "the phenotype compiles to another program";
        c->read += what == NULL;
    }
    free(nodes);
    free(read);
    gr_phenotype_free(&phenotype);
    return what;
}

/* Individuals of a generation and the record of the one before. */
static int check(const char *name, const char *text) {
    side s = {.label = "cpu", .backend = &gr_backend_cpu};
    counts before = {0};
    uint32_t total = 0;
    int bad = side_open(name, &s, text, "");
    const gr_params *p = &s.problem.job.params;
    for (uint32_t g = 0; !bad && g < GENERATIONS; g++) {
        counts now = {0};
        if ((bad = side_step(name, &s)) != 0)
            break;
        for (uint32_t i = 0; i < p->individuals && !bad; i++) {
            const char *what = wrong(&s, i, &now);
            if (what && (bad = 1))
                printf("not ok %s: generation %u, individual %u: %s\n", name, g + 1, i, what);
        }
        counts told = {0}; /* by the islands */
        for (uint32_t d = 0; d < p->islands; d++) {
            const gr_statistics *of = &s.records[d].statistics;
            for (size_t k = 0; k < sizeof of->sum / sizeof *of->sum; k++)
                told.sum[k] += of->sum[k];
            told.valid += of->validity[GR_VALID];
        }
        if (!bad && g && p->runs == 1 &&
            (memcmp(told.sum, before.sum, sizeof told.sum) || told.valid != before.valid) &&
            (bad = 1))
            printf("not ok %s: statistics of generation %u\n", name, g);
        before = now;
        total += now.read;
    }
    side_close(&s);
    if (!bad && (bad = total < 50))
        printf("not ok %s: only %u phenotypes\n", name, total);
    if (!bad)
        printf("ok %s: %u phenotypes read back\n", name, total);
    return bad;
}

/* Digit grammars, and constants that live in the genome: scaled, whole, of sets. */
static const char *const CONSTANTS[] = {
    "", "mapping: pi\n", "mapping: pi\ncodon-consumption: lazy\n",
    "genotype: structured\nmax-depth: 9\n",
    "codon-consumption: lazy\nwrap-rule: libge\nmax-wraps: 1\n"};
#define CONSTANT_RUN                                                                               \
    "target-expression: x * y + 0.5\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 30\n"          \
    "population: 120\ngenerations: 9\ngrammar: tests/differential/constants.bnf\n"

int main(void) {
    int failed = 0, passed = 0;
    char buffer[4096];
    for (int i = 0; i < SAME_PROBLEMS; i++)
        /* constants fitted beside a genome are in its program, and in no phenotype */
        if (!same_problems[i].shared && strstr(same_problems[i].text, "grammar: ") &&
            !strstr(same_problems[i].text, "optimise-constants: ")) {
            int bad = check(same_problems[i].name, same_problems[i].text);
            bad ? failed++ : passed++;
        }
    for (size_t i = 0; i < sizeof CONSTANTS / sizeof *CONSTANTS; i++) {
        char name[64];
        snprintf(name, sizeof name, "constants %zu", i);
        snprintf(buffer, sizeof buffer, "%s%s", CONSTANT_RUN, CONSTANTS[i]);
        int bad = check(name, buffer);
        bad ? failed++ : passed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
