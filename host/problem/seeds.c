#include "host/problem/seeds.h"

#include "gpu/core/genotype/depth_first.h"
#include "gpu/core/program/weight.h"
#include "host/base/input.h"
#include "host/base/output.h"
#include "host/base/text.h"
#include "host/derivation/codons.h"
#include "host/derivation/derive_back.h"
#include "host/derivation/phenotype.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_LINES_BYTES = 1 << 28, MOST_INDIVIDUAL_BYTES = 1 << 24 };

/* ---- one program ---- */

/* Whether a given tree keeps the run's limits and uses its functions alone. */
static gr_status check_seed(const gr_params *p, const gr_node *nodes, uint32_t count,
                            const char *where, gr_error *error) {
    if (count > p->max_nodes || GR_NODE_HEIGHT(nodes[count - 1]) > p->max_tree_depth)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s:1: %u nodes in %u levels; expected at most max-nodes %u and max-depth "
                       "%u",
                       where, count, GR_NODE_HEIGHT(nodes[count - 1]), p->max_nodes,
                       p->max_tree_depth);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t op = GR_NODE_OP(nodes[i]), known = op <= GR_INPUT;
        for (uint32_t k = 0; k < p->functions; k++)
            known |= p->function[k] == op;
        if (!known)
            return gr_fail(error, GR_BAD_INPUT,
                           "%s:1: '%s' is none of this run's functions; expected those alone",
                           where, gr_operation_name(op));
    }
    return GR_OK;
}

/* Reads line `where`, "file:line"; the reader speaks of a line 1 below it. */
static gr_status read_seed(const gr_problem *problem, const char *text, const char *where,
                           gr_node **nodes, uint32_t *count, gr_error *error) {
    gr_error reading;
    size_t n = strlen(where);
    gr_status status =
        gr_read_expression(text, where, &problem->vocabulary, nodes, count, &reading);
    if (!status)
        return GR_OK;
    int ours = strncmp(reading.text, where, n) == 0 && strncmp(reading.text + n, ":1:", 3) == 0;
    return ours ? gr_fail(error, status, "%s%s", where, reading.text + n + 2)
                : gr_fail(error, status, "%s", reading.text);
}

/* Whether what a genome derives keeps the run's limits on sizes: otherwise it would take part as an
 * invalid individual. */
static gr_status check_sizes(const gr_problem *problem, const uint32_t *codons, uint32_t count,
                             uint32_t derivation_nodes, const char *where, gr_error *error) {
    const gr_params *p = &problem->job.params;
    gr_node *nodes;
    uint32_t size;
    if (p->max_derivation_nodes && derivation_nodes > p->max_derivation_nodes)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s:1: a derivation of %u nodes; expected at most max-derivation-nodes %u",
                       where, derivation_nodes, p->max_derivation_nodes);
    gr_status status = gr_map_genome(p, problem->job.grammar, codons, count, &nodes, &size, error);
    if (!status && !nodes)
        status = gr_fail(error, GR_BAD_INPUT,
                         "%s:1: no expression within the limits; expected one of at most max-nodes "
                         "%u",
                         where, p->max_nodes);
    free(nodes);
    return status;
}

/* The codons of a sentence, each in the head of a node: a derivation of least depth. */
static gr_status derive_seed(const gr_problem *problem, const char *text, const char *where,
                             gr_node **nodes, uint32_t *count, gr_error *error) {
    const gr_params *p = &problem->job.params;
    gr_derived_back derived;
    gr_error deriving;
    gr_status status =
        gr_derive_back(problem->grammar, p->convention, text, strlen(text), &derived, &deriving);
    if (status)
        return gr_fail(error, status, "%s:1: %s", where, deriving.text);
    if (!derived.found)
        status = gr_fail(error, GR_BAD_INPUT,
                         "%s:%zu: not a sentence of the grammar; expected one, and no derivation "
                         "agrees with the text beyond here",
                         where, derived.reached + 1);
    else if (derived.length > p->genome_capacity || derived.depth > p->max_depth)
        status = gr_fail(error, GR_BAD_INPUT,
                         "%s:1: %u codons and a derivation of depth %u; expected at most "
                         "max-genome-length %u and max-depth %u",
                         where, derived.length, derived.depth, p->genome_capacity, p->max_depth);
    *count = derived.length ? derived.length : 1; /* an only sentence may need none */
    if (!status && !(*nodes = calloc(*count, sizeof **nodes)))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %u codon%s", *count, gr_s(*count));
    for (uint32_t k = 0; !status && k < derived.length; k++)
        (*nodes)[k].head = derived.genome[k];
    if (!status)
        status = check_sizes(problem, derived.genome, derived.length, derived.nodes, where, error);
    free(derived.genome);
    return status;
}

/* Adds `count` nodes, or codons in the heads of nodes, to the problem's. */
static gr_status keep_seed(gr_problem *problem, const gr_node *nodes, uint32_t count,
                           gr_error *error) {
    gr_params *p = &problem->job.params;
    size_t all = (size_t)p->seed_nodes + count;
    gr_node *seeds = realloc(problem->seeds, all * sizeof *seeds);
    uint32_t *first = realloc(problem->seed_first, (p->seeds + 2) * sizeof *first);
    problem->seeds = seeds ? seeds : problem->seeds;
    problem->seed_first = first ? first : problem->seed_first;
    if (!seeds || !first)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u given program%s", p->seeds + 1,
                       gr_s(p->seeds + 1));
    memcpy(seeds + p->seed_nodes, nodes, count * sizeof *nodes);
    first[0] = 0;
    first[++p->seeds] = (uint32_t)all;
    p->seed_nodes = (uint32_t)all & 0x7fffffffu; /* memory ends before */
    return GR_OK;
}

/* A function over the operands that end at nodes[count - 1]. */
static gr_node join_last(const gr_node *nodes, uint32_t count, gr_node function) {
    gr_node operand[3] = {{0}};
    for (uint32_t k = 0; k < gr_arity(GR_NODE_OP(function)); k++) {
        operand[k] = nodes[count - 1];
        count -= GR_NODE_SIZE(operand[k]);
    }
    return gr_join(GR_NODE_OP(function), operand[0], operand[1], operand[2]);
}

/* Inputs of a run with weights: number * input becomes one leaf, as the printer writes it, if the
 * leaf holds the number. How many nodes are left. */
static uint32_t fold_weights(const gr_params *p, gr_node *nodes, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++) {
        gr_node node = nodes[k], *end = nodes + kept;
        uint32_t op = GR_NODE_OP(node);
        if (op == GR_MUL && GR_NODE_OP(end[-1]) == GR_INPUT && GR_NODE_OP(end[-2]) == GR_CONSTANT) {
            uint32_t index = end[-1].operand & p->index_mask,
                     operand = gr_weigh(p->index_mask, gr_bits_float(end[-2].operand), index);
            if (end[-1].operand == gr_input_operand(p, index) &&
                (operand & ~p->index_mask) == end[-2].operand) {
                end[-2] = end[-1];
                end[-2].operand = operand;
                kept--;
                continue;
            }
        }
        if (op == GR_INPUT)
            node.operand = gr_input_operand(p, node.operand);
        *end = op <= GR_INPUT ? node : join_last(nodes, kept, node);
        kept++;
    }
    return kept;
}

static gr_status add_seed(gr_problem *problem, const char *text, const char *where,
                          gr_error *error) {
    const gr_params *p = &problem->job.params;
    gr_node *nodes = NULL;
    uint32_t count = 0, tree = p->genotype == GR_TREE;
    gr_status status = tree ? read_seed(problem, text, where, &nodes, &count, error)
                            : derive_seed(problem, text, where, &nodes, &count, error);
    if (!status && tree && p->weighted)
        count = fold_weights(p, nodes, count);
    if (!status && tree)
        status = check_seed(p, nodes, count, where, error);
    if (!status)
        status = keep_seed(problem, nodes, count, error);
    free(nodes);
    return status;
}

/* ---- a genome, as PonyGE2 writes it ---- */

/* A genome that derives a sentence of the run's grammar: that one, where it is given. */
static gr_status check_genome(const gr_problem *problem, const uint32_t *codons, uint32_t count,
                              const char *sentence, const char *where, gr_error *error) {
    const gr_params *p = &problem->job.params;
    gr_phenotype derived;
    if (count > p->genome_capacity)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s:1: %u codons; expected at most max-genome-length %u", where, count,
                       p->genome_capacity);
    const gr_reading reading = gr_reading_of(p);
    gr_status status =
        gr_derive_phenotype_by(problem->grammar, &reading, codons, count, &derived, error);
    if (!status && derived.validity != GR_VALID)
        status = gr_fail(error, GR_BAD_INPUT,
                         "%s:1: the genome is invalid (%s); expected one that derives a sentence",
                         where, gr_validity_name(derived.validity));
    else if (!status && sentence && strcmp(derived.text, sentence) != 0)
        status = gr_fail(error, GR_BAD_INPUT,
                         "%s:1: the genome derives '%.*s'; expected the phenotype of the same "
                         "file, '%.*s'",
                         where, GR_CUT(derived.text, 200), GR_CUT(sentence, 200));
    else if (!status)
        status = check_sizes(problem, codons, count, derived.nodes, where, error);
    gr_phenotype_free(&derived);
    return status;
}

static gr_status add_genome(gr_problem *problem, const char *text, const char *sentence,
                            const char *where, gr_error *error) {
    uint32_t *codons, count;
    gr_node *nodes = NULL;
    char place[512];
    snprintf(place, sizeof place, "%.*s:1", GR_CUT(where, 500));
    gr_status status = gr_read_codons(text, strlen(text), place, &codons, &count, error);
    if (!status && !count)
        status = gr_fail(error, GR_BAD_INPUT, "%s: a genome without codons; expected some", place);
    if (!status)
        status = check_genome(problem, codons, count, sentence, where, error);
    if (!status && !(nodes = calloc(count, sizeof *nodes)))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for the codons of %s", where);
    for (uint32_t k = 0; !status && k < count; k++)
        nodes[k].head = codons[k];
    if (!status)
        status = keep_seed(problem, nodes, count, error);
    free(nodes);
    free(codons);
    return status;
}

/* ---- files and folders ---- */

static gr_status read_lines(gr_problem *problem, const char *path, gr_error *error) {
    char *text, *rest, *line, where[512];
    size_t length;
    gr_status status =
        gr_input_read_text(path, "programs, one a line", MOST_LINES_BYTES, &text, &length, error);
    rest = text;
    for (uint32_t number = 1; !status && length && (line = strsep(&rest, "\n")); number++) {
        line[strcspn(line, "#\r")] = '\0';
        snprintf(where, sizeof where, "%.*s:%u", GR_CUT(path, 400), number);
        if (line[strspn(line, " \t")])
            status = add_seed(problem, gr_text_trim(line), where, error);
    }
    free(text);
    return status;
}

/* The line of `text` behind the one that is `title` alone, cut off there, and its number; NULL when
 * there is none. Works in place, on text whose lines a call before may have cut. */
static char *line_under(char *text, size_t length, const char *title, uint32_t *number) {
    uint32_t n = 1, found = 0;
    for (char *line = text; line < text + length; n++) {
        size_t rest = (size_t)(text + length - line), size = 0;
        while (size < rest && line[size] && line[size] != '\n')
            size++;
        if (found) {
            line[size] = '\0';
            *number = n;
            return gr_text_trim(line);
        }
        found = size >= strlen(title) && strncmp(line, title, strlen(title)) == 0 &&
                strspn(line + strlen(title), " \t\r") == size - strlen(title);
        line += size + 1;
    }
    return NULL;
}

/* An individual of PonyGE2: the line under "Genotype:", that under "Phenotype:", or a file that is
 * nothing but a phenotype. Trees, and genomes that are not read depth first, take the phenotype. */
static gr_status add_individual(gr_problem *problem, char *text, size_t length, const char *path,
                                gr_error *error) {
    const gr_params *p = &problem->job.params;
    char where[512];
    uint32_t at = 1, under = 1;
    char *phenotype = line_under(text, length, "Phenotype:", &at);
    char *genotype = line_under(text, length, "Genotype:", &under);
    if (!phenotype && !genotype)
        phenotype = gr_text_trim(text);
    if (genotype && p->genotype == GR_GRAMMATICAL && !gr_is_non_depth_first(p->convention)) {
        snprintf(where, sizeof where, "%.*s:%u", GR_CUT(path, 400), under);
        return add_genome(problem, genotype, phenotype, where, error);
    }
    snprintf(where, sizeof where, "%.*s:%u", GR_CUT(path, 400), phenotype ? at : under);
    return phenotype
               ? add_seed(problem, phenotype, where, error)
               : gr_fail(error, GR_BAD_INPUT,
                         "%s:1: a genome read depth first; this run's individuals are others, "
                         "expected a phenotype",
                         where);
}

static gr_status read_individual(gr_problem *problem, const char *path, gr_error *error) {
    char *text;
    size_t length;
    gr_status status =
        gr_input_read_text(path, "an individual", MOST_INDIVIDUAL_BYTES, &text, &length, error);
    if (!status && (!length || text[strspn(text, " \t\r\n")] == '\0'))
        status = gr_fail(error, GR_BAD_INPUT, "%s:1:1: empty; expected an individual", path);
    else if (!status)
        status = add_individual(problem, text, length, path, error);
    free(text);
    return status;
}

static int is_individual(const struct dirent *entry) {
    size_t n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".txt") == 0;
}

/* Every NAME.txt of a folder, by name. */
static gr_status read_folder(gr_problem *problem, const char *folder, gr_error *error) {
    struct dirent **entries;
    gr_status status = GR_OK;
    int n = scandir(folder, &entries, is_individual, alphasort);
    if (n < 0)
        status = gr_input_fail(folder, "a folder of individuals", error);
    else if (n == 0)
        status = gr_fail(error, GR_BAD_INPUT, "%s: no file in it is called NAME.txt; expected some",
                         folder);
    for (int i = 0; i < n; i++) {
        char *path = status ? NULL : gr_path_join(folder, entries[i]->d_name);
        if (!status)
            status = path ? read_individual(problem, path, error)
                          : gr_fail(error, GR_NO_MEMORY, "no memory for a path in %s", folder);
        free(path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return status;
}

static gr_status read_path(const gr_settings *s, gr_problem *problem, gr_error *error) {
    struct stat info;
    gr_status status;
    if (stat(s->seeds, &info))
        status = gr_settings_fail(s, GR_KEY_seeds, error,
                                  "cannot open %.*s; expected a file or a folder",
                                  GR_CUT(s->seeds, 300));
    else
        status = S_ISDIR(info.st_mode) ? read_folder(problem, s->seeds, error)
                                       : read_lines(problem, s->seeds, error);
    return status;
}

/* The one of the settings; a message names the place where that stands. */
static gr_status add_program(const gr_settings *s, gr_problem *problem, gr_error *error) {
    gr_error adding;
    gr_status status = add_seed(problem, s->seed_program, "seed-program", &adding);
    if (status == GR_BAD_INPUT && strncmp(adding.text, "seed-program:", 13) == 0)
        return gr_settings_fail(s, GR_KEY_seed_program, error, "seed-program at character %s",
                                adding.text + 13);
    return status ? gr_fail(error, status, "%s", adding.text) : GR_OK;
}

gr_status gr_read_seeds(const gr_settings *s, gr_problem *problem, gr_error *error) {
    gr_status status = *s->seeds ? read_path(s, problem, error) : GR_OK;
    if (!status && *s->seeds && !problem->job.params.seeds)
        return gr_settings_fail(s, GR_KEY_seeds, error, "no program in %.*s; expected one a line",
                                GR_CUT(s->seeds, 300));
    if (!status && *s->seed_program)
        status = add_program(s, problem, error);
    if (!status && s->initialisation == GR_INIT_SEEDS && !problem->job.params.seeds)
        return gr_settings_fail(s, GR_KEY_initialisation, error,
                                "initialisation seeds without individuals; expected some in "
                                "seeds or seed-program");
    if (!status && problem->job.params.seeds > s->population)
        return gr_settings_fail(
            s, GR_KEY_seeds, error,
            "%u given programs for a population of %u; expected at most that many",
            problem->job.params.seeds, s->population);
    return status;
}
