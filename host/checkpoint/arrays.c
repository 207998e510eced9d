#include "host/checkpoint/arrays.h"

#include "gpu/core/fitness/fitness.h"
#include "gpu/core/program/linear.h"
#include "host/run/run.h"
#include "host/statistics/writer.h"

/* ---- columns ---- */

#define GR_U32(type, field)                                                                        \
    { #field, 'u', 4, 1, offsetof(type, field) }
#define GR_F32(type, field)                                                                        \
    { #field, 'f', 4, 1, offsetof(type, field) }
#define GR_U64(type, field)                                                                        \
    { #field, 'u', 8, 1, offsetof(type, field) }
#define GR_F64(type, field)                                                                        \
    { #field, 'f', 8, 1, offsetof(type, field) }
#define GR_OF(type, prefix, within, kind, bytes, name, count)                                      \
    { prefix #name, kind, bytes, count, offsetof(type, within.name) }
/* The members of a gr_individual within another struct. */
#define GR_INDIVIDUAL(type, within)                                                                \
    GR_OF(type, "best_", within, 'u', 4, length, 1),                                               \
        GR_OF(type, "best_", within, 'u', 4, used, 1),                                             \
        GR_OF(type, "best_", within, 'u', 4, nodes, 1),                                            \
        GR_OF(type, "best_", within, 'u', 4, derivation_nodes, 1),                                 \
        GR_OF(type, "best_", within, 'u', 4, instructions, 1),                                     \
        GR_OF(type, "best_", within, 'u', 4, depth, 1),                                            \
        GR_OF(type, "best_", within, 'u', 4, validity, 1),                                         \
        GR_OF(type, "best_", within, 'u', 4, retries, 1)
#define GR_COUNT(list) (sizeof(list) / sizeof *(list))

static const gr_column words[] = {{NULL, 'u', 4, 1, 0}}, floats[] = {{NULL, 'f', 4, 1, 0}};
static const gr_column nodes[] = {GR_U32(gr_node, head), GR_U32(gr_node, operand)};
static const gr_column instructions[] = {GR_U32(gr_instruction, code),
                                         GR_U32(gr_instruction, operand)};
static const gr_column individuals[] = {
    GR_U32(gr_individual, length),       GR_U32(gr_individual, used),
    GR_U32(gr_individual, nodes),        GR_U32(gr_individual, derivation_nodes),
    GR_U32(gr_individual, instructions), GR_U32(gr_individual, depth),
    GR_U32(gr_individual, validity),     GR_U32(gr_individual, retries)};
static const gr_column demes[] = {GR_U32(gr_deme, active),
                                  GR_U32(gr_deme, best_generation),
                                  GR_F32(gr_deme, best_cost),
                                  GR_F32(gr_deme, test_cost),
                                  GR_F32(gr_deme, validation_cost),
                                  GR_F32(gr_deme, stretch_cost),
                                  GR_U32(gr_deme, stretch_generation),
                                  GR_U32(gr_deme, restarts),
                                  {"fit", 'f', 8, 2, offsetof(gr_deme, fit)},
                                  GR_U64(gr_deme, fits_tried),
                                  GR_U64(gr_deme, fits_better),
                                  GR_U64(gr_deme, fit_nodes),
                                  GR_INDIVIDUAL(gr_deme, best)};
static const gr_column records[] = {
    GR_U32(gr_record, generation),
    GR_U32(gr_record, deme),
    GR_U32(gr_record, written),
    GR_U32(gr_record, improved),
    GR_F32(gr_record, best_cost),
    GR_F32(gr_record, best_ever_cost),
    GR_F32(gr_record, test_cost),
    GR_U32(gr_record, best_index),
    GR_INDIVIDUAL(gr_record, best),
    GR_OF(gr_record, "", statistics, 'f', 8, cost_sum, 1),
    GR_OF(gr_record, "", statistics, 'u', 8, best_key, 1),
    GR_OF(gr_record, "", statistics, 'u', 8, sum, GR_SIZE_KINDS),
    GR_OF(gr_record, "", statistics, 'u', 4, least, GR_SIZE_KINDS),
    GR_OF(gr_record, "", statistics, 'u', 4, most, GR_SIZE_KINDS),
    GR_OF(gr_record, "", statistics, 'u', 4, finite, 1),
    GR_OF(gr_record, "", statistics, 'u', 4, draws_again, 1),
    GR_OF(gr_record, "", statistics, 'u', 4, parents_kept, 1),
    GR_OF(gr_record, "", statistics, 'u', 4, validity, GR_VALIDITY_COUNT)};
static const gr_column origins[] = {GR_U32(gr_codon_origin, codon),
                                    GR_U32(gr_codon_origin, number)};
static const gr_column longs[] = {{NULL, 'u', 8, 1, 0}};
static const gr_column diversities[] = {
    GR_U64(gr_diversity, repeated),   GR_U32(gr_diversity, genotypes),
    GR_U32(gr_diversity, phenotypes), GR_U32(gr_diversity, fitnesses),
    GR_U32(gr_diversity, finite),     GR_U32(gr_diversity, children),
    GR_U32(gr_diversity, copies),     GR_U32(gr_diversity, ever),
    GR_U32(gr_diversity, ever_before)};
static const gr_column replacements[] = {GR_U64(gr_replaced_by, nodes),
                                         GR_U32(gr_replaced_by, first_front),
                                         GR_U32(gr_replaced_by, fronts)};
static const gr_column known[] = {GR_U64(gr_known, mutated), GR_U32(gr_known, entered)};
static const gr_column applicants[] = {GR_U64(gr_applicant, key), GR_F32(gr_applicant, cost),
                                       GR_U32(gr_applicant, nodes), GR_U32(gr_applicant, niche),
                                       GR_U32(gr_applicant, entry)};
static const gr_column tallies[] = {
    GR_U64(gr_run_tally, generations), GR_U64(gr_run_tally, reason), GR_F64(gr_run_tally, seconds),
    GR_F64(gr_run_tally, executed),    GR_U64(gr_run_tally, shared), GR_U64(gr_run_tally, kept),
    GR_U64(gr_run_tally, remembered),  GR_F64(gr_run_tally, spared)};
static const gr_column steps[] = {GR_F64(gr_run_step, executed), GR_U64(gr_run_step, draws_again),
                                  GR_U64(gr_run_step, parents_kept), GR_U64(gr_run_step, improved)};
#define GR_SO_FAR(name, kind) GR_OF(gr_writer_state, "ponyge2_", so_far, kind, 8, name, 1)
#define GR_SUMMARY(name, kind) GR_OF(gr_writer_state, "summary_", summary, kind, 8, name, 1)
static const gr_column writers[] = {
    {"table_bytes", 'u', 8, 1, offsetof(gr_writer_state, table)},
    {"ponyge2_bytes", 'u', 8, 1, offsetof(gr_writer_state, ponyge2)},
    GR_SO_FAR(invalids, 'u'),
    GR_SO_FAR(runtime_errors, 'u'),
    GR_SO_FAR(individuals, 'u'),
    GR_SO_FAR(seconds, 'f'),
    GR_SUMMARY(generation, 'u'),
    GR_SUMMARY(going, 'u'),
    GR_SUMMARY(executed, 'f'),
    GR_SUMMARY(seconds, 'f')};
static const gr_column doubles[] = {{NULL, 'f', 8, 1, 0}}, flags[] = {{NULL, 'u', 1, 1, 0}};

/* ---- arrays ---- */

#define GR_ARRAY(group, name, columns, type, help)                                                 \
    { group, name, help, columns, GR_COUNT(columns), sizeof(type), 0, NULL }
static const gr_stored of_section[GR_SECTION_COUNT] = {
    [GR_SECTION_INDIVIDUALS] =
        GR_ARRAY("population", "individuals", individuals, gr_individual,
                 "[individuals] sizes of each; length: codons of the genome or nodes of the tree"),
    [GR_SECTION_GENOTYPES] =
        GR_ARRAY("population", "genotypes", words, uint32_t,
                 "codons, one genome after the other, individuals/length of each"),
    [GR_SECTION_COSTS] = GR_ARRAY("population", "costs", floats, float,
                                  "[individuals] what the run makes small; inf: no finite fitness"),
    [GR_SECTION_BRANCHES] = GR_ARRAY("population", "branches", words, uint32_t,
                                     "rows of subtrees of the genomes' derivations"),
    [GR_SECTION_PROGRAMS] =
        GR_ARRAY("population", "programs", instructions, gr_instruction,
                 "linear programs, one after the other, individuals/instructions of each"),
    [GR_SECTION_DEMES] = GR_ARRAY("best", "demes", demes, gr_deme,
                                  "[demes] best so far of each run; active: neither solved nor "
                                  "stagnating"),
    [GR_SECTION_BEST_GENOMES] = GR_ARRAY("best", "genotypes", words, uint32_t,
                                         "of the best so far, one after the other, demes/"
                                         "best_length of each"),
    [GR_SECTION_CONSTANTS] =
        GR_ARRAY("population", "constants", floats, float,
                 "[individuals][32] fitted constants beside genomes; nan: the grammar's"),
    [GR_SECTION_ORIGINS] = GR_ARRAY("population", "origins", origins, gr_codon_origin,
                                    "[individuals][32] codons at which constants stand"),
    [GR_SECTION_BEST_CONSTANTS] =
        GR_ARRAY("best", "constants", floats, float, "[demes][32] the same of the best"),
    [GR_SECTION_SEEN] = GR_ARRAY("population", "seen", longs, uint64_t,
                                 "[runs][entries] hashes of the phenotypes so far"),
    [GR_SECTION_DIVERSITY] = GR_ARRAY("population", "diversity", diversities, gr_diversity,
                                      "[demes] how different the individuals of each run are"),
    [GR_SECTION_KNOWN] =
        GR_ARRAY("known", "demes", known, gr_known,
                 "[demes] phenotypes in the tables, mutations that duplicates took so far"),
    [GR_SECTION_KNOWN_KEYS] = GR_ARRAY("known", "keys", longs, uint64_t,
                                       "[demes][entries] hashes of the phenotypes so far"),
    [GR_SECTION_KNOWN_CLAIMS] = GR_ARRAY("known", "claims", longs, uint64_t,
                                         "[demes][entries] whose they are: ~ generation, round, "
                                         "individual"),
    [GR_SECTION_OBJECTIVES] = GR_ARRAY("population", "objectives", floats, float,
                                       "[individuals][objectives] what the run makes small"),
    [GR_SECTION_STANDING] = GR_ARRAY("population", "standing", words, uint32_t,
                                     "[individuals] places by rank and crowding, 0 the best"),
    [GR_SECTION_REPLACED_BY] = GR_ARRAY("population", "replaced_by", replacements, gr_replaced_by,
                                        "[demes] nodes of the children, and the fronts"),
    [GR_SECTION_NICHES] =
        GR_ARRAY("archive", "niches", applicants, gr_applicant,
                 "[demes][niches] who is there: key of the behaviour (0: nobody)"),
    [GR_SECTION_NICHE_INDIVIDUALS] = GR_ARRAY("archive", "individuals", individuals, gr_individual,
                                              "[demes][niches] sizes of each"),
    [GR_SECTION_NICHE_GENOTYPES] = GR_ARRAY("archive", "genotypes", words, uint32_t,
                                            "one after the other, individuals/length of each"),
    [GR_SECTION_NICHE_BRANCHES] = GR_ARRAY("archive", "branches", words, uint32_t,
                                           "rows of subtrees of the genomes' derivations"),
    [GR_SECTION_NICHE_CONSTANTS] =
        GR_ARRAY("archive", "constants", floats, float,
                 "[demes][niches][32] fitted constants beside genomes; nan: the grammar's"),
    [GR_SECTION_NICHE_ORIGINS] = GR_ARRAY("archive", "origins", origins, gr_codon_origin,
                                          "[demes][niches][32] codons at which constants stand"),
    [GR_SECTION_RECORDS] = GR_ARRAY("best", "records", records, gr_record,
                                    "[demes] statistics of the generation; sum, least and most of "
                                    "length, used, depth, nodes, derivation nodes"),
};

bool gr_section_is_genotype(gr_section section) {
    return section == GR_SECTION_GENOTYPES || section == GR_SECTION_BEST_GENOMES ||
           section == GR_SECTION_NICHE_GENOTYPES;
}

gr_stored gr_array_of(const gr_params *p, gr_section section) {
    gr_stored array = of_section[section];
    if (gr_section_is_genotype(section) && p->genotype == GR_TREE) {
        array.help =
            section == GR_SECTION_GENOTYPES
                ? "nodes in postfix order, one tree after the other, individuals/length of "
                  "each; head: operation | height << 8 | size << 16"
            : section == GR_SECTION_BEST_GENOMES
                ? "of the best so far, one after the other, demes/best_length of each"
                : array.help;
        array.column = nodes;
        array.columns = GR_COUNT(nodes);
        array.element = sizeof(gr_node);
    }
    return array;
}

const gr_section gr_section_order[] = {GR_SECTION_INDIVIDUALS,
                                       GR_SECTION_GENOTYPES,
                                       GR_SECTION_COSTS,
                                       GR_SECTION_PLANS,
                                       GR_SECTION_BRANCHES,
                                       GR_SECTION_PROGRAMS,
                                       GR_SECTION_CONSTANTS,
                                       GR_SECTION_ORIGINS,
                                       GR_SECTION_DIVERSITY,
                                       GR_SECTION_SEEN,
                                       GR_SECTION_OBJECTIVES,
                                       GR_SECTION_STANDING,
                                       GR_SECTION_REPLACED_BY,
                                       GR_SECTION_DEMES,
                                       GR_SECTION_BEST_GENOMES,
                                       GR_SECTION_BEST_CONSTANTS,
                                       GR_SECTION_RECORDS,
                                       GR_SECTION_NICHES,
                                       GR_SECTION_NICHE_INDIVIDUALS,
                                       GR_SECTION_NICHE_GENOTYPES,
                                       GR_SECTION_NICHE_BRANCHES,
                                       GR_SECTION_NICHE_CONSTANTS,
                                       GR_SECTION_NICHE_ORIGINS,
                                       GR_SECTION_KNOWN,
                                       GR_SECTION_KNOWN_KEYS,
                                       GR_SECTION_KNOWN_CLAIMS};

const gr_stored gr_array_of_run[] = {
    [GR_RUN_TALLY] =
        GR_ARRAY("run", "tally", tallies, gr_run_tally,
                 "generations of the engine that were selected, why the run ended (0: it did "
                 "not), seconds since the start, node evaluations"),
    [GR_RUN_STEPS] = GR_ARRAY("run", "steps", steps, gr_run_step,
                              "[runs] sums of a steady state's generation that is under way"),
    [GR_RUN_WRITER] =
        GR_ARRAY("run", "writer", writers, gr_writer_state,
                 "bytes of statistics.tsv or summary.tsv and of stats.tsv, what the latter "
                 "counts, and the generation at hand of the summary"),
    [GR_RUN_SUMMARY_LAST] = GR_ARRAY("run", "summary_last", doubles, double,
                                     "[measures][runs] last values of each run in summary.tsv"),
    [GR_RUN_SUMMARY_SOLVED] = GR_ARRAY("run", "summary_solved", flags, uint8_t, "[runs] 1: solved"),
    [GR_RUN_LAWS] =
        GR_ARRAY("run", "laws", flags, uint8_t,
                 "text, of law-every: intercept, slope and program of what the tests keep")};
