/* grampus map: genomes, one JSON array of codons a line, to phenotypes. */
#include "host/base/json.h"
#include "host/base/text.h"
#include "host/cli/commands.h"
#include "host/derivation/codons.h"
#include "host/derivation/conventions.h"
#include "host/derivation/phenotype.h"

#include <stdlib.h>
#include <string.h>

static void print_help(void) {
    printf(
        "usage: grampus map --grammar FILE --genomes FILE|- [--option value ...]\n\n"
        "Derives the sentence of every genome: one JSON array of codons a line in, one answer a "
        "line out.\nAny BNF grammar will do; its sentences need not be expressions. A line that is "
        "no genome is told of, and\nthe others are mapped (exit code 2 then).\n\n"
        "  --grammar FILE      BNF grammar\n"
        "  --genomes FILE|-    genomes; '-' is standard input\n"
        "  --max-wraps N       times a genome may be read again from its start [0]\n"
        "  --max-depth N       depth of the derivation tree [90]\n"
        "  --genotype grammar|structured\n"
        "                      structured: genes of one list after another, as grampus run prints "
        "them [grammar]\n"
        "  --mapping depth-first|pi\n"
        "                      pi: pairs of codons, order and content [depth-first]\n"
        "  --max-genome-length N\n"
        "                      of the run; structured, pi: also bounds expansions [500]\n"
        "  --codon-consumption eager|lazy\n"
        "                      lazy: a rule with one production takes no codon [eager]\n"
        "  --wrap-rule codons|ponyge-linear|libge|geva\n"
        "                      what counts as a wrap [codons]\n"
        "  --codon-size N      largest codon, for <GECodonValue[0.0,1.0]> [100000]\n"
        "  --n-vars N, --n-is N, --n-os N\n"
        "                      for GE_RANGE:dataset_n_vars (inputs), _n_is and _n_os\n"
        "  --json              one object a line: valid, phenotype, used_codons, depth, nodes\n"
        "  -h, --help          this text\n");
}

typedef struct mapper {
    const gr_grammar *grammar;
    gr_reading reading;
    uint32_t genes; /* that a genome has to have; 0: any number */
    int json;
    const char *path; /* of the genomes, for messages */
    gr_bad_lines bad;
} mapper;

/* The codons of one line, malloc'ed. */
static gr_status read_genome(const mapper *m, const char *line, size_t length, unsigned long number,
                             uint32_t **genome, uint32_t *count, gr_error *error) {
    char where[512];
    snprintf(where, sizeof where, "%.*s:%lu", GR_CUT(m->path, 480), number);
    gr_status status = gr_read_codons(line, length, where, genome, count, error);
    if (!status && m->genes && *count != m->genes)
        status = gr_fail(error, GR_BAD_INPUT,
                         "%s: a genome of %u gene%s; expected %u, the lists of this grammar one "
                         "after another",
                         where, *count, gr_s(*count), m->genes);
    return status;
}

/* reason: what a line is that is no genome; NULL for a genome. */
static gr_status print_json(const gr_phenotype *p, const char *reason, gr_error *error) {
    cJSON *object = cJSON_CreateObject();
    int valid = p->validity == GR_VALID;
    cJSON_AddBoolToObject(object, "valid", valid);
    gr_json_add_text(object, "phenotype", p->text);
    const struct {
        const char *name;
        uint32_t value;
    } numbers[] = {{"used_codons", p->used}, {"depth", p->depth}, {"nodes", p->nodes}};
    for (int i = 0; i < 3; i++)
        cJSON_AddItemToObject(object, numbers[i].name,
                              valid ? cJSON_CreateNumber((double)numbers[i].value)
                                    : cJSON_CreateNull());
    if (reason)
        gr_json_add_text(object, "error", reason);
    return gr_json_print(object, error);
}

static void print_text(const gr_phenotype *p, const char *reason) {
    if (reason)
        printf("invalid: no genome\n");
    else if (p->validity == GR_VALID)
        printf("%s\n    %u codon%s used, depth %u, %u node%s\n", p->text, p->used, gr_s(p->used),
               p->depth, p->nodes, gr_s(p->nodes));
    else
        printf("invalid: %s\n", p->validity == GR_TOO_DEEP    ? "deeper than max-depth"
                                : p->validity == GR_TOO_LARGE ? "too many expansions"
                                                              : "out of codons");
}

static gr_status map_line(void *context, const char *path, const char *line, size_t length,
                          unsigned long number, gr_error *error) {
    mapper *m = context;
    uint32_t *genome, count;
    gr_phenotype phenotype = {0};
    m->path = path;
    gr_status status = read_genome(m, line, length, number, &genome, &count, error);
    if (!status)
        status = gr_derive_phenotype_by(m->grammar, &m->reading, genome, count, &phenotype, error);
    const char *reason = status == GR_BAD_INPUT ? error->text : NULL;
    gr_error later;
    if (reason)
        phenotype.validity = GR_VALIDITY_COUNT;
    gr_status told = gr_line_fails(&m->bad, status, error);
    if (!told && m->json)
        told = print_json(&phenotype, reason, &later);
    else if (!told)
        print_text(&phenotype, reason);
    if (told && !status)
        *error = later;
    gr_phenotype_free(&phenotype);
    free(genome);
    return told;
}

gr_status gr_command_map(int argc, char **argv, gr_error *error) {
    const char *grammar = NULL, *genomes = NULL, *codon_size = NULL;
    gr_range_options ranges = {0};
    gr_convention_options c = {0};
    int help = 0;
    mapper m = {0};
    gr_grammar_context context = {0};
    gr_grammar *loaded = NULL;
    const gr_option options[] = {{"grammar", &grammar, NULL},
                                 {"genomes", &genomes, NULL},
                                 {"max-wraps", &c.max_wraps, NULL},
                                 {"max-depth", &c.max_depth, NULL},
                                 {"codon-size", &codon_size, NULL},
                                 {"n-vars", &ranges.n_vars, NULL},
                                 {"n-is", &ranges.n_is, NULL},
                                 {"n-os", &ranges.n_os, NULL},
                                 {"json", NULL, &m.json},
                                 {"codon-consumption", &c.consumption, NULL},
                                 {"wrap-rule", &c.wrap_rule, NULL},
                                 {"mapping", &c.mapping, NULL},
                                 {"genotype", &c.genotype, NULL},
                                 {"max-genome-length", &c.max_genome_length, NULL},
                                 {"help", NULL, &help},
                                 {NULL, NULL, NULL}};
    gr_status status = gr_options_read(argc, argv, options, error);
    if (!status && help) {
        print_help();
        return GR_OK;
    }
    if (!status && (!grammar || !genomes))
        status = gr_fail(error, GR_BAD_INPUT,
                         "no --%s; expected grampus map --grammar FILE --genomes FILE",
                         grammar ? "genomes" : "grammar");
    if (!status)
        status = gr_option_ranges(&ranges, &context, error);
    if (!status)
        status =
            gr_option_whole("codon-size", codon_size, 1, INT32_MAX, &context.codon_size, error);
    if (!status)
        status = gr_take_conventions(&c, &m.reading, error);
    if (!status)
        status = gr_load_for(&m.reading, grammar, &context, &loaded, error);
    if (status)
        return status;
    m.grammar = loaded;
    m.genes = gr_grammar_genes(loaded);
    status = gr_lines_end(&m.bad, gr_each_line(genomes, "genomes", map_line, &m, error), error);
    gr_grammar_free(loaded);
    return status;
}
