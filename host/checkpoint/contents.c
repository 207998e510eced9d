#include "host/checkpoint/contents.h"

#include "gpu/core/fitness/fitness.h"
#include "gpu/core/program/linear.h"
#include "host/checkpoint/fits.h"
#include "host/settings/table.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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

static int is_genotype(gr_section section) {
    return section == GR_SECTION_GENOTYPES || section == GR_SECTION_BEST_GENOMES ||
           section == GR_SECTION_NICHE_GENOTYPES;
}

static gr_stored array_of(const gr_params *p, gr_section section) {
    gr_stored array = of_section[section];
    if (is_genotype(section) && p->genotype == GR_TREE) {
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

/* The order in which they are written and read: sizes come before what they are the sizes of, and
 * those of a group stand together. */
static const gr_section order[] = {GR_SECTION_INDIVIDUALS,
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

/* Elements of a row that are in use, where rows are packed one after the other; otherwise all. */
static size_t used_of(const gr_snapshot *s, gr_section section, size_t row, size_t whole) {
    gr_snapshot_sizes sizes = gr_snapshot_own_sizes(s);
    return gr_snapshot_used(&sizes, section, row, whole);
}

/* What only the generation under way needs is no part of a checkpoint. */
static void clear_passing(const gr_snapshot *s) {
    gr_deme *deme = gr_snapshot_rows(s, GR_SECTION_DEMES);
    for (size_t d = 0; d < s->part[GR_SECTION_DEMES].rows; d++) {
        deme[d].improved = deme[d].elite_left = deme[d].elite_done = deme[d].spans_done = 0;
        deme[d].elite_prefix = 0;
    }
}

/* Moves the used elements of all rows together, where the engine did not; how many there are. */
static uint64_t pack(const gr_snapshot *s, gr_section section, size_t element) {
    const gr_snapshot_part *part = &s->part[section];
    char *rows = gr_snapshot_rows(s, section), *to = rows;
    if (part->packed)
        return part->bytes / element;
    for (size_t k = 0; k < part->rows; k++) {
        size_t bytes = used_of(s, section, k, part->width / element) * element;
        memmove(to, rows + k * part->width, bytes);
        to += bytes;
    }
    return (uint64_t)(to - rows) / element;
}

/* And apart again. */
static void unpack(const gr_snapshot *s, gr_section section, size_t element, const char *from) {
    const gr_snapshot_part *part = &s->part[section];
    char *rows = gr_snapshot_rows(s, section);
    for (size_t k = 0; k < part->rows; k++) {
        size_t bytes = used_of(s, section, k, part->width / element) * element;
        memcpy(rows + k * part->width, from, bytes);
        from += bytes;
    }
}

/* ---- what it belongs to ---- */

int gr_may_change(gr_key key) {
    static const gr_key keys[] = {GR_KEY_generations,   GR_KEY_max_evaluations,
                                  GR_KEY_time_limit,    GR_KEY_checkpoint,
                                  GR_KEY_device,        GR_KEY_threads,
                                  GR_KEY_graph,         GR_KEY_width,
                                  GR_KEY_warps,         GR_KEY_tile,
                                  GR_KEY_specialise,    GR_KEY_epoch,
                                  GR_KEY_output,        GR_KEY_predictions,
                                  GR_KEY_progress,      GR_KEY_quiet,
                                  GR_KEY_json,          GR_KEY_name,
                                  GR_KEY_evaluate_once, GR_KEY_fitness_memory,
                                  GR_KEY_devices,       GR_KEY_spread};
    for (size_t k = 0; k < GR_COUNT(keys); k++)
        if (keys[k] == key)
            return 1;
    return gr_setting_table[key].kind == GR_KIND_PATH; /* what stands in the files is compared */
}

static uint64_t add(uint64_t sum, const void *data, size_t bytes) {
    return data ? crc32_z(sum, data, bytes) : sum;
}

gr_status gr_fingerprint_of(const gr_settings *settings, const gr_problem *problem,
                            gr_fingerprint *fingerprint, gr_error *error) {
    const gr_job *job = &problem->job;
    const gr_params *p = &job->params;
    gr_fingerprint f = {0};
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++) {
        char *value = gr_may_change((gr_key)key) ? NULL : gr_settings_get(settings, (gr_key)key);
        if (gr_may_change((gr_key)key))
            continue;
        if (!value)
            return gr_fail(error, GR_NO_MEMORY, "no memory for settings");
        f.settings =
            add(f.settings, gr_setting_table[key].key, strlen(gr_setting_table[key].key) + 1);
        f.settings = add(f.settings, value, strlen(value) + 1);
        free(value);
    }
    size_t tile = gr_tile_of(p) * sizeof(float);
    uint32_t chunks = p->sampling ? p->whole_chunks : p->train_chunks;
    f.grammar = add(0, job->grammar, job->grammar_words * sizeof *job->grammar);
    f.data = add(0, job->train, chunks * tile);
    f.data = add(f.data, job->test, p->test_chunks * tile);
    f.data = add(f.data, job->validation, p->validation_chunks * tile);
    f.seeds = add(0, job->seeds, p->seed_nodes * sizeof *job->seeds);
    *fingerprint = f;
    return GR_OK;
}

/* ---- writing ---- */

static void add_mark(gr_contents *c, const char *name, uint64_t value, const char *text) {
    c->mark[c->marks++] = (gr_mark){name, value, text};
}

static void add_array(gr_contents *c, gr_stored array, uint64_t rows, void *data) {
    array.rows = rows;
    array.data = data;
    c->array[c->arrays++] = array;
}

enum { TALLY, STEPS, WRITER, SUMMARY_LAST, SUMMARY_SOLVED, LAWS };
static const gr_stored of_run[] = {
    [TALLY] = GR_ARRAY("run", "tally", tallies, gr_run_tally,
                       "generations of the engine that were selected, why the run ended (0: it did "
                       "not), seconds since the start, node evaluations"),
    [STEPS] = GR_ARRAY("run", "steps", steps, gr_run_step,
                       "[runs] sums of a steady state's generation that is under way"),
    [WRITER] = GR_ARRAY("run", "writer", writers, gr_writer_state,
                        "bytes of statistics.tsv or summary.tsv and of stats.tsv, what the latter "
                        "counts, and the generation at hand of the summary"),
    [SUMMARY_LAST] = GR_ARRAY("run", "summary_last", doubles, double,
                              "[measures][runs] last values of each run in summary.tsv"),
    [SUMMARY_SOLVED] = GR_ARRAY("run", "summary_solved", flags, uint8_t, "[runs] 1: solved"),
    [LAWS] = GR_ARRAY("run", "laws", flags, uint8_t,
                      "text, of law-every: intercept, slope and program of what the tests keep")};

_Static_assert(GR_COUNT(order) + GR_COUNT(of_run) <= GR_COUNT(((gr_contents *)0)->array),
               "room for all arrays");

static void add_marks(gr_contents *c, const gr_checkpoint *checkpoint, const gr_params *p,
                      const gr_fingerprint *fingerprint) {
    add_mark(c, "format", 0, "grampus checkpoint");
    add_mark(c, "grampus", 0, GR_VERSION);
    add_mark(c, "version", GR_CHECKPOINT_VERSION, NULL);
    add_mark(c, "settings_crc32", fingerprint->settings, NULL);
    add_mark(c, "grammar_crc32", fingerprint->grammar, NULL);
    add_mark(c, "data_crc32", fingerprint->data, NULL);
    add_mark(c, "seeds_crc32", fingerprint->seeds, NULL);
    add_mark(c, "generation", checkpoint->snapshot.generation, NULL);
    add_mark(c, "ended", checkpoint->snapshot.ended, NULL);
    add_mark(c, "runs", p->runs, NULL);
    add_mark(c, "population", p->population, NULL);
    add_mark(c, "seed", (uint64_t)p->seed[1] << 32 | p->seed[0], NULL);
}

gr_status gr_checkpoint_write(const char *path, gr_checkpoint *checkpoint, const gr_params *p,
                              const gr_fingerprint *fingerprint, gr_error *error) {
    gr_contents c = {0};
    gr_snapshot *s = &checkpoint->snapshot;
    clear_passing(s);
    add_marks(&c, checkpoint, p, fingerprint);
    for (size_t k = 0; k < GR_COUNT(order); k++) {
        gr_stored array = array_of(p, order[k]);
        if (s->part[order[k]].rows)
            add_array(&c, array, pack(s, order[k], array.element), gr_snapshot_rows(s, order[k]));
    }
    gr_writer_state writer = checkpoint->writer;
    writer.summary.last = NULL; /* no addresses in files */
    writer.summary.solved = NULL;
    add_array(&c, of_run[TALLY], 1, &checkpoint->tally);
    add_array(&c, of_run[STEPS], p->runs, checkpoint->steps);
    add_array(&c, of_run[WRITER], 1, &writer);
    if (checkpoint->writer.summary.last) {
        add_array(&c, of_run[SUMMARY_LAST], (uint64_t)gr_summary_measures(p->diversity) * p->runs,
                  checkpoint->writer.summary.last);
        add_array(&c, of_run[SUMMARY_SOLVED], p->runs, checkpoint->writer.summary.solved);
    }
    if (checkpoint->laws && *checkpoint->laws)
        add_array(&c, of_run[LAWS], strlen(checkpoint->laws), checkpoint->laws);
    return gr_store_write(path, &c, error);
}

/* ---- reading ---- */

static gr_status wrong(const char *path, const char *what, gr_error *error) {
    return gr_fail(error, GR_BAD_INPUT, "%s: %s; expected an undamaged checkpoint", path, what);
}

/* The file's numbers: of which format it is, which run it belongs to, and which generation. */
static gr_status read_marks(gr_store *store, const char *path, const gr_fingerprint *mine,
                            gr_snapshot *s, int *foreign, gr_error *error) {
    uint64_t version, generation, ended;
    const struct {
        const char *name, *what;
        uint64_t is;
    } owned[] = {{"settings_crc32", "settings", mine->settings},
                 {"grammar_crc32", "grammar", mine->grammar},
                 {"data_crc32", "fitness cases", mine->data},
                 {"seeds_crc32", "seeds", mine->seeds}};
    gr_status status = gr_store_mark(store, "version", &version, error);
    if (!status && version != GR_CHECKPOINT_VERSION) {
        *foreign = 1;
        return gr_fail(error, GR_BAD_INPUT, "%s: a checkpoint of version %llu; expected %d", path,
                       (unsigned long long)version, GR_CHECKPOINT_VERSION);
    }
    for (size_t k = 0; !status && k < GR_COUNT(owned); k++) {
        uint64_t sum;
        status = gr_store_mark(store, owned[k].name, &sum, error);
        if (!status && sum != owned[k].is) {
            *foreign = 1;
            return gr_fail(
                error, GR_BAD_INPUT,
                "%s: the checkpoint of a run with other %s; expected those it began with", path,
                owned[k].what);
        }
    }
    if (!status)
        status = gr_store_mark(store, "generation", &generation, error);
    if (!status)
        status = gr_store_mark(store, "ended", &ended, error);
    if (status)
        return status;
    if (generation >= UINT32_MAX || ended > 1)
        return wrong(path, "a generation that cannot be", error);
    s->generation = (uint32_t)generation;
    s->ended = (uint32_t)ended;
    return GR_OK;
}

/* Reads an array of known length, malloc'ed. */
static gr_status read_fixed(gr_store *store, const char *path, gr_stored array, uint64_t rows,
                            void **data, gr_error *error) {
    gr_status status = gr_store_find(store, &array, error);
    if (!status && array.rows != rows)
        status = wrong(path, "an array that is missing or of another length", error);
    if (!status && !(*data = malloc(rows * array.element + 1)))
        status = gr_fail(error, GR_NO_MEMORY, "%s: no memory", path);
    array.data = *data;
    return status ? status : gr_store_read(store, &array, error);
}

static int trees_fit(const gr_params *p, const gr_snapshot *s, gr_section section) {
    const gr_snapshot_part *part = &s->part[section];
    const char *rows = gr_snapshot_rows(s, section);
    int trees = p->genotype == GR_TREE && is_genotype(section);
    for (size_t k = 0; trees && k < part->rows; k++)
        if (!gr_is_tree(p, (const gr_node *)(const void *)(rows + k * part->width),
                        (uint32_t)used_of(s, section, k, 0)))
            return 0;
    return 1;
}

static int programs_fit(const gr_params *p, const gr_snapshot *s, gr_section section) {
    const gr_snapshot_part *part = &s->part[section];
    const char *rows = gr_snapshot_rows(s, section);
    for (size_t k = 0; section == GR_SECTION_PROGRAMS && part->width && k < part->rows; k++)
        if (!gr_is_program(p, (const gr_instruction *)(const void *)(rows + k * part->width),
                           (uint32_t)used_of(s, section, k, 0)))
            return 0;
    return 1;
}

/* Reads a section into its rows. */
static gr_status read_rows(gr_store *store, const char *path, const gr_params *p, gr_snapshot *s,
                           gr_section section, gr_error *error) {
    gr_stored array = array_of(p, section);
    const gr_snapshot_part *part = &s->part[section];
    uint64_t rows = 0;
    void *data = NULL;
    for (size_t k = 0; k < part->rows; k++)
        rows += used_of(s, section, k, part->width / array.element);
    gr_status status = read_fixed(store, path, array, rows, &data, error);
    if (!status)
        unpack(s, section, array.element, data);
    free(data);
    return status                         ? status
           : !trees_fit(p, s, section)    ? wrong(path, "a tree that is none", error)
           : !programs_fit(p, s, section) ? wrong(path, "a program that is none", error)
                                          : GR_OK;
}

/* The plan of a snapshot with these individuals, whose memory is then there with their sizes. */
static gr_status plan_memory(const char *path, const gr_params *p, gr_individual *individual,
                             gr_deme *deme, gr_snapshot *s, gr_error *error) {
    gr_state state = {.p = *p};
    gr_snapshot_plan(s, &state, gr_snapshot_longest(p, individual, deme));
    s->memory = calloc(s->bytes + 1, 1);
    if (!s->memory)
        return gr_fail(error, GR_NO_MEMORY, "%s: no memory for %.1f MB", path,
                       (double)s->bytes / 1e6);
    memcpy(gr_snapshot_rows(s, GR_SECTION_INDIVIDUALS), individual,
           p->individuals * sizeof *individual);
    memcpy(gr_snapshot_rows(s, GR_SECTION_DEMES), deme, gr_demes(p) * sizeof *deme);
    return GR_OK;
}

static gr_status read_snapshot(gr_store *store, const char *path, const gr_params *p,
                               gr_snapshot *s, gr_error *error) {
    void *individual = NULL, *deme = NULL;
    gr_status status = read_fixed(store, path, array_of(p, GR_SECTION_INDIVIDUALS), p->individuals,
                                  &individual, error);
    if (!status)
        status = read_fixed(store, path, array_of(p, GR_SECTION_DEMES), gr_demes(p), &deme, error);
    if (!status && !gr_sizes_fit(p, individual, deme))
        status = wrong(path, "sizes that cannot be", error);
    if (!status)
        status = plan_memory(path, p, individual, deme, s, error);
    for (size_t k = 0; !status && k < GR_COUNT(order); k++) {
        if (order[k] != GR_SECTION_INDIVIDUALS && order[k] != GR_SECTION_DEMES &&
            s->part[order[k]].rows)
            status = read_rows(store, path, p, s, order[k], error);
        if (!status && order[k] == GR_SECTION_NICHE_INDIVIDUALS && !gr_archive_fits(p, s))
            status = wrong(path, "an archive that cannot be", error);
    }
    free(individual);
    free(deme);
    return status;
}

/* What the run and its writer know. */
static gr_status read_run(gr_store *store, const char *path, const gr_params *p, gr_checkpoint *c,
                          gr_error *error) {
    void *tally = NULL, *step = NULL, *writer = NULL, *last = NULL, *solved = NULL;
    gr_stored has = of_run[SUMMARY_LAST];
    gr_status status = read_fixed(store, path, of_run[TALLY], 1, &tally, error);
    if (!status)
        status = read_fixed(store, path, of_run[STEPS], p->runs, &step, error);
    if (!status)
        status = read_fixed(store, path, of_run[WRITER], 1, &writer, error);
    if (!status)
        status = gr_store_find(store, &has, error);
    if (!status && has.rows)
        status = read_fixed(store, path, of_run[SUMMARY_LAST],
                            (uint64_t)gr_summary_measures(p->diversity) * p->runs, &last, error);
    if (!status && has.rows)
        status = read_fixed(store, path, of_run[SUMMARY_SOLVED], p->runs, &solved, error);
    if (!status) {
        memcpy(&c->tally, tally, sizeof c->tally);
        memcpy(&c->writer, writer, sizeof c->writer);
        if (c->tally.generations != (uint64_t)c->snapshot.generation + c->snapshot.ended ||
            c->tally.reason >= GR_REASONS)
            status = wrong(path, "counts that cannot be", error);
    }
    c->steps = step;
    c->writer.summary.last = last;
    c->writer.summary.solved = solved;
    free(tally);
    free(writer);
    return status;
}

/* As text, where there is some. */
static gr_status read_laws(gr_store *store, const char *path, char **laws, gr_error *error) {
    const uint64_t most = (uint64_t)64 << 20;
    gr_stored array = of_run[LAWS];
    void *text = NULL;
    gr_status status = gr_store_find(store, &array, error);
    if (status || !array.rows)
        return status;
    if (array.rows > most)
        return wrong(path, "laws without end", error);
    status = read_fixed(store, path, of_run[LAWS], array.rows, &text, error);
    *laws = text;
    if (text)
        (*laws)[array.rows] = '\0'; /* read_fixed has a byte more */
    return status;
}

gr_status gr_checkpoint_read(const char *path, const gr_params *p,
                             const gr_fingerprint *fingerprint, gr_checkpoint *checkpoint,
                             int *foreign, gr_error *error) {
    gr_store *store;
    gr_checkpoint c = {0};
    *foreign = 0;
    gr_status status = gr_store_open(path, &store, error);
    if (status)
        return status;
    status = read_marks(store, path, fingerprint, &c.snapshot, foreign, error);
    if (!status)
        status = read_snapshot(store, path, p, &c.snapshot, error);
    if (!status)
        status = read_run(store, path, p, &c, error);
    if (!status)
        status = read_laws(store, path, &c.laws, error);
    gr_store_close(store);
    if (status)
        gr_checkpoint_free(&c);
    else
        *checkpoint = c;
    return status;
}

void gr_checkpoint_free(gr_checkpoint *checkpoint) {
    free(checkpoint->snapshot.memory);
    free(checkpoint->steps);
    free(checkpoint->laws);
    free(checkpoint->writer.summary.last);
    free(checkpoint->writer.summary.solved);
    *checkpoint = (gr_checkpoint){0};
}
