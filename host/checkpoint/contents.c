#include "host/checkpoint/contents.h"

#include "host/checkpoint/arrays.h"
#include "host/checkpoint/fits.h"
#include "host/settings/table.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define GR_COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- rows ---- */

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

_Static_assert(GR_STORED_SECTIONS + GR_RUN_ARRAYS <= GR_COUNT(((gr_contents *)0)->array),
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
    for (size_t k = 0; k < GR_STORED_SECTIONS; k++) {
        gr_stored array = gr_array_of(p, gr_section_order[k]);
        if (s->part[gr_section_order[k]].rows)
            add_array(&c, array, pack(s, gr_section_order[k], array.element),
                      gr_snapshot_rows(s, gr_section_order[k]));
    }
    gr_writer_state writer = checkpoint->writer;
    writer.summary.last = NULL; /* no addresses in files */
    writer.summary.solved = NULL;
    add_array(&c, gr_array_of_run[GR_RUN_TALLY], 1, &checkpoint->tally);
    add_array(&c, gr_array_of_run[GR_RUN_STEPS], p->runs, checkpoint->steps);
    add_array(&c, gr_array_of_run[GR_RUN_WRITER], 1, &writer);
    if (checkpoint->writer.summary.last) {
        add_array(&c, gr_array_of_run[GR_RUN_SUMMARY_LAST],
                  (uint64_t)gr_summary_measures(p->diversity) * p->runs,
                  checkpoint->writer.summary.last);
        add_array(&c, gr_array_of_run[GR_RUN_SUMMARY_SOLVED], p->runs,
                  checkpoint->writer.summary.solved);
    }
    if (checkpoint->laws && *checkpoint->laws)
        add_array(&c, gr_array_of_run[GR_RUN_LAWS], strlen(checkpoint->laws), checkpoint->laws);
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
    int trees = p->genotype == GR_TREE && gr_section_is_genotype(section);
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
    gr_stored array = gr_array_of(p, section);
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
    gr_status status = read_fixed(store, path, gr_array_of(p, GR_SECTION_INDIVIDUALS),
                                  p->individuals, &individual, error);
    if (!status)
        status =
            read_fixed(store, path, gr_array_of(p, GR_SECTION_DEMES), gr_demes(p), &deme, error);
    if (!status && !gr_sizes_fit(p, individual, deme))
        status = wrong(path, "sizes that cannot be", error);
    if (!status)
        status = plan_memory(path, p, individual, deme, s, error);
    for (size_t k = 0; !status && k < GR_STORED_SECTIONS; k++) {
        if (gr_section_order[k] != GR_SECTION_INDIVIDUALS &&
            gr_section_order[k] != GR_SECTION_DEMES && s->part[gr_section_order[k]].rows)
            status = read_rows(store, path, p, s, gr_section_order[k], error);
        if (!status && gr_section_order[k] == GR_SECTION_NICHE_INDIVIDUALS &&
            !gr_archive_fits(p, s))
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
    gr_stored has = gr_array_of_run[GR_RUN_SUMMARY_LAST];
    gr_status status = read_fixed(store, path, gr_array_of_run[GR_RUN_TALLY], 1, &tally, error);
    if (!status)
        status = read_fixed(store, path, gr_array_of_run[GR_RUN_STEPS], p->runs, &step, error);
    if (!status)
        status = read_fixed(store, path, gr_array_of_run[GR_RUN_WRITER], 1, &writer, error);
    if (!status)
        status = gr_store_find(store, &has, error);
    if (!status && has.rows)
        status = read_fixed(store, path, gr_array_of_run[GR_RUN_SUMMARY_LAST],
                            (uint64_t)gr_summary_measures(p->diversity) * p->runs, &last, error);
    if (!status && has.rows)
        status = read_fixed(store, path, gr_array_of_run[GR_RUN_SUMMARY_SOLVED], p->runs, &solved,
                            error);
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
    gr_stored array = gr_array_of_run[GR_RUN_LAWS];
    void *text = NULL;
    gr_status status = gr_store_find(store, &array, error);
    if (status || !array.rows)
        return status;
    if (array.rows > most)
        return wrong(path, "laws without end", error);
    status = read_fixed(store, path, gr_array_of_run[GR_RUN_LAWS], array.rows, &text, error);
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
