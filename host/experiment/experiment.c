#include "host/experiment/experiment.h"

#include "gpu/backend/engine.h"
#include "gpu/core/fitness/fitness.h"
#include "host/base/output.h"
#include "host/base/text.h"
#include "host/experiment/ledger.h"
#include "host/experiment/schema.h"
#include "host/settings/table.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static int is_folder(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

char *gr_tables_path(const char *path) {
    return is_folder(path) ? gr_path_join(path, GR_EXPERIMENT_TABLES) : strdup(path);
}

/* ---- reading ---- */

static gr_status keep_text(void *context, sqlite3_stmt *row, gr_error *error) {
    char **text = context;
    *text = strdup((const char *)sqlite3_column_text(row, 0));
    return *text ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for a path");
}

/* Where the file of a folder was first read, for its paths begin there. */
static gr_status find_path(const char *folder, char **path, gr_error *error) {
    char *file = gr_path_join(folder, GR_EXPERIMENT_TABLES);
    gr_tables *tables = NULL;
    gr_status status = file ? gr_tables_look(file, &tables, error)
                            : gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    if (!status)
        status = gr_tables_query(tables, "SELECT path FROM experiment WHERE path <> ''", 0,
                                 keep_text, path, error);
    if (!status && !*path)
        status = gr_fail(error, GR_BAD_INPUT, "%s: no experiment; expected one", file);
    gr_tables_close(tables);
    free(file);
    return status;
}

static gr_status read_folder(const char *folder, gr_definition *definition, gr_error *error) {
    char *path = NULL, *file = gr_path_join(folder, GR_EXPERIMENT_FILE);
    gr_status status = file ? find_path(folder, &path, error)
                            : gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    if (!status)
        status = gr_definition_read(file, path, definition, error);
    free(path);
    free(file);
    return status;
}

/* The folder of an experiment where `path` is the copy of its file in there, which is read as the
 * folder is; otherwise the path itself. malloc'ed. */
static char *place_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *was = NULL,
         *folder = slash ? strndup(path, slash > path ? (size_t)(slash - path) : 1) : strdup(".");
    gr_error none;
    bool copy = folder && strcmp(slash ? slash + 1 : path, GR_EXPERIMENT_FILE) == 0 &&
                find_path(folder, &was, &none) == GR_OK;
    free(was);
    if (copy)
        return folder;
    free(folder);
    return strdup(path);
}

/* <output>/<name> */
static gr_status name_folder(const char *path, const char *output, gr_experiment *e,
                             gr_error *error) {
    const gr_settings *first = &e->cells.cell->settings;
    e->folder =
        is_folder(path) ? strdup(path) : gr_path_join(output ? output : first->output, first->name);
    return e->folder ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for a path");
}

gr_status gr_experiment_read(const char *given, const char *output, gr_experiment *e,
                             gr_error *error) {
    char *path = place_of(given);
    *e = (gr_experiment){.lock = -1};
    gr_status status = !path ? gr_fail(error, GR_NO_MEMORY, "no memory for a path")
                       : output && is_folder(path)
                           ? gr_fail(error, GR_BAD_INPUT,
                                     "--output beside the folder %s, in which its experiment goes "
                                     "on; expected it beside a file",
                                     path)
                           : GR_OK;
    if (!status)
        status = is_folder(path) ? read_folder(path, &e->definition, error)
                                 : gr_definition_read(path, path, &e->definition, error);
    if (!status)
        status = gr_cells_make(&e->definition, &e->cells, error);
    if (!status)
        status = name_folder(path, output, e, error);
    if (status)
        gr_experiment_close(e);
    free(path);
    return status;
}

void gr_experiment_close(gr_experiment *e) {
    gr_tables_close(e->tables);
    if (e->lock >= 0)
        close(e->lock);
    gr_cells_free(&e->cells);
    gr_definition_free(&e->definition);
    free(e->folder);
    free(e->id);
    free(e->done);
    *e = (gr_experiment){.lock = -1};
}

/* ---- what is written at the start ---- */

/* "Intel(R) Xeon(R) ..., CPU, 2 threads, AVX-512, Linux 6.1" */
static void describe_machine(char *out, size_t size) {
    char threads[200] = "", line[256], model[200] = "";
    struct utsname system = {0};
    FILE *in = fopen("/proc/cpuinfo", "r");
    while (in && !*model && fgets(line, sizeof line, in))
        sscanf(line, "model name : %199[^\n]", model);
    if (in)
        fclose(in);
    gr_backend_cpu.available(threads, sizeof threads);
    uname(&system);
    snprintf(out, size, "%s%s%s, %s %s", model, *model ? ", " : "", threads, system.sysname,
             system.release);
}

static gr_status put_experiment(gr_tables *tables, const char *name, const char *path,
                                const char *text, gr_error *error) {
    static const char sql[] = "INSERT INTO experiment VALUES (?,?,?,?,?,?)";
    char machine[700], started[GR_UTC];
    describe_machine(machine, sizeof machine);
    gr_utc_now(started);
    return gr_tables_put(tables, error, sql, "tttttt", name, GR_VERSION, machine, started, path,
                         text);
}

static gr_status put_settings(gr_tables *tables, int64_t cell, const gr_settings *settings,
                              const uint8_t *varied, gr_error *error) {
    static const char sql[] = "INSERT INTO cell_settings VALUES (?,?,?,?)";
    gr_status status = GR_OK;
    for (uint32_t k = 0; !status && k < GR_KEY_COUNT; k++) {
        char word[32];
        const char *value = gr_settings_text(settings, (gr_key)k, word);
        char *real = gr_setting_table[k].kind == GR_KIND_PATH ? realpath(value, NULL) : NULL;
        status = gr_tables_put(tables, error, sql, "itti", cell, gr_setting_table[k].key,
                               real ? real : value, (int64_t)(varied ? varied[k] : 0));
        free(real);
    }
    return status;
}

/* A cell that is new: it waits. */
static gr_status put_cell(gr_tables *tables, const gr_cell *c, uint32_t place,
                          const uint8_t *varied, int64_t *id, gr_error *error) {
    static const char sql[] =
        "INSERT INTO cells (place, label, treatment, block, state, digest, problem, metric, "
        "maximised, target, population, runs) VALUES (?,?,?,?,'waiting',?,?,?,?,?,?,?)";
    const gr_settings *s = &c->settings;
    char metric[32];
    gr_status status =
        gr_tables_put(tables, error, sql, "ittttttirii", (int64_t)place, c->label, c->treatment,
                      c->block, c->digest, c->problem, gr_settings_text(s, GR_KEY_metric, metric),
                      (int64_t)(gr_is_maximised(s->metric) != 0), s->target_fitness,
                      (int64_t)((uint64_t)s->population * s->islands), (int64_t)s->runs);
    *id = sqlite3_last_insert_rowid(gr_tables_db(tables));
    return status ? status : put_settings(tables, *id, s, varied, error);
}

gr_status gr_single_open(const char *folder, const gr_settings *settings, gr_tables **tables,
                         gr_error *error) {
    gr_known_files files = {0};
    gr_cell cell = {.settings = *settings, .label = settings->name};
    char *path = gr_path_join(folder, GR_EXPERIMENT_TABLES);
    int64_t id;
    *tables = NULL;
    gr_status status = path ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    if (!status)
        status = gr_settings_digests(settings, &files, cell.digest, cell.problem, error);
    if (!status)
        status = gr_tables_open(path, tables, error);
    if (!status)
        status = gr_tables_begin(*tables, error);
    if (!status) {
        status = put_experiment(*tables, settings->name, "", "", error);
        if (!status)
            status = put_cell(*tables, &cell, 1, NULL, &id, error);
        status = gr_tables_end(*tables, status, error);
    }
    gr_known_files_free(&files);
    free(path);
    if (status) {
        gr_tables_close(*tables);
        *tables = NULL;
    }
    return status;
}

/* ---- cells that are there ---- */

/* Cells of the file by their digest, and what the tables have of them. */
typedef struct matching {
    gr_experiment *e;
    uint32_t found;
    int gone; /* a cell that the file has not any more */
} matching;

/* The cell of the file that is one of the tables but for its seed, where seeds go by places. */
static gr_status find_moved(const gr_experiment *e, const char *digest, const char *seed,
                            const gr_cell **moved, gr_error *error) {
    gr_known_files files = {0};
    gr_status status = GR_OK;
    *moved = NULL;
    for (uint32_t i = 0;
         seed && e->definition.own_seeds && !status && !*moved && i < e->cells.count; i++) {
        gr_settings settings = e->cells.cell[i].settings; /* texts are borrowed */
        char own[GR_DIGEST], problem[GR_DIGEST];
        settings.seed = strtoull(seed, NULL, 10);
        status = gr_settings_digests(&settings, &files, own, problem, error);
        *moved = !status && strcmp(own, digest) == 0 ? &e->cells.cell[i] : NULL;
    }
    gr_known_files_free(&files);
    return status;
}

/* What sets a cell of the file apart from the one of the tables that is called the same. */
typedef struct telling_apart {
    const gr_settings *settings; /* of the file's */
    char what[300];              /* "": nothing yet */
} telling_apart;

static gr_status compare_setting(void *context, sqlite3_stmt *row, gr_error *error) {
    telling_apart *t = context;
    const char *key = (const char *)sqlite3_column_text(row, 0),
               *was = (const char *)sqlite3_column_text(row, 1), *is;
    gr_key k = gr_setting_find(key, strlen(key));
    char word[32], *real = NULL;
    (void)error;
    if (*t->what || k == GR_KEY_COUNT || !gr_is_in_digest(k))
        return GR_OK;
    is = gr_settings_text(t->settings, k, word);
    int path = gr_setting_table[k].kind == GR_KIND_PATH && *is;
    if (path && !(real = realpath(is, NULL)))
        snprintf(t->what, sizeof t->what, " (%.*s: %s)", GR_CUT(is, 200), strerror(errno));
    else if (strcmp(real ? real : is, was) != 0)
        snprintf(t->what, sizeof t->what, " (%s was '%.*s' and is '%.*s')", key, GR_CUT(was, 100),
                 GR_CUT(is, 100));
    free(real);
    return GR_OK;
}

static gr_status tell_apart(const gr_experiment *e, int64_t cell, const char *label,
                            telling_apart *t, gr_error *error) {
    static const char sql[] = "SELECT key, value FROM cell_settings WHERE cell = ?1 ORDER BY key";
    *t = (telling_apart){0};
    for (uint32_t i = 0; !t->settings && i < e->cells.count; i++)
        if (strcmp(e->cells.cell[i].label, label) == 0)
            t->settings = &e->cells.cell[i].settings;
    if (!t->settings)
        return GR_OK;
    gr_status status = gr_tables_query(e->tables, sql, cell, compare_setting, t, error);
    if (!status && !*t->what)
        strcpy(t->what, " (a file that it reads holds something else now)");
    return status;
}

/* Why a cell that is done is not in the file. */
static gr_status refuse_missing(const gr_experiment *e, sqlite3_stmt *row, gr_error *error) {
    const gr_definition *d = &e->definition;
    const char *digest = (const char *)sqlite3_column_text(row, 1),
               *label = (const char *)sqlite3_column_text(row, 3),
               *seed = (const char *)sqlite3_column_text(row, 4);
    const gr_cell *moved;
    gr_status status = find_moved(e, digest, seed, &moved, error);
    if (status)
        return status;
    if (moved)
        return gr_fail(
            error, GR_BAD_INPUT,
            "%s:%u:%u: own seeds go by the places of cells: '%.*s' is done in %s with "
            "seed %s and has %llu here; expected new cells behind all others, or another "
            "name or --output",
            d->path, d->seeds.line, d->seeds.column, GR_CUT(moved->label, 200), e->folder, seed,
            (unsigned long long)moved->settings.seed);
    telling_apart t;
    status = tell_apart(e, sqlite3_column_int64(row, 0), label, &t, error);
    return status ? status
                  : gr_fail(error, GR_BAD_INPUT,
                            "%s: not the experiment whose results are in %s, which has a cell "
                            "'%.*s'%s; expected cells to be added alone, or another name or "
                            "--output",
                            d->path, e->folder, GR_CUT(label, 200), t.what);
}

static gr_status match_cell(void *context, sqlite3_stmt *row, gr_error *error) {
    matching *m = context;
    const gr_cells *cells = &m->e->cells;
    const char *digest = (const char *)sqlite3_column_text(row, 1);
    for (uint32_t i = 0; i < cells->count; i++)
        if (strcmp(cells->cell[i].digest, digest) == 0) {
            m->e->id[i] = sqlite3_column_int64(row, 0);
            m->e->done[i] = strcmp((const char *)sqlite3_column_text(row, 2), "done") == 0;
            m->found++;
            return GR_OK;
        }
    if (strcmp((const char *)sqlite3_column_text(row, 2), "done") != 0) {
        m->gone = 1; /* there is nothing to lose */
        return GR_OK;
    }
    return refuse_missing(m->e, row, error);
}

/* Forgets the cells that the file has not, none of which is done. */
static gr_status drop_others(gr_experiment *e, gr_error *error) {
    static const char mark[] = "UPDATE cells SET place = 0";
    static const char keep[] = "UPDATE cells SET place = 1 WHERE cell = ?";
    static const char *const tables[] = {"generations", "runs",          "programs",
                                         "summary",     "success_curve", "cell_settings"};
    gr_status status = gr_tables_put(e->tables, error, mark, "");
    for (uint32_t i = 0; !status && i < e->cells.count; i++)
        if (e->id[i])
            status = gr_tables_put(e->tables, error, keep, "i", e->id[i]);
    for (size_t k = 0; !status && k < sizeof tables / sizeof *tables; k++) {
        char sql[128];
        snprintf(sql, sizeof sql,
                 "DELETE FROM %s WHERE cell IN (SELECT cell FROM cells WHERE place = 0)",
                 tables[k]);
        status = gr_sqlite_run(gr_tables_db(e->tables), sql, error);
    }
    return status
               ? status
               : gr_sqlite_run(gr_tables_db(e->tables), "DELETE FROM cells WHERE place = 0", error);
}

/* Places and labels may be others than they were; labels are only apart when all are set. */
static gr_status put_labels(gr_experiment *e, gr_error *error) {
    static const char apart[] = "UPDATE cells SET label = 'cell ' || digest";
    static const char sql[] = "UPDATE cells SET place = ?2, label = ?3, treatment = ?4, block = ?5 "
                              "WHERE cell = ?1";
    gr_status status = gr_tables_put(e->tables, error, apart, "");
    for (uint32_t i = 0; !status && i < e->cells.count; i++) {
        const gr_cell *c = &e->cells.cell[i];
        if (e->id[i])
            status = gr_tables_put(e->tables, error, sql, "iittt", e->id[i], (int64_t)(i + 1),
                                   c->label, c->treatment, c->block);
    }
    return status;
}

static gr_status put_varied(gr_experiment *e, gr_error *error) {
    static const char sql[] = "UPDATE cell_settings SET varied = ?2 WHERE key = ?1";
    gr_status status = GR_OK;
    for (uint32_t k = 0; !status && k < GR_KEY_COUNT; k++)
        status = gr_tables_put(e->tables, error, sql, "ti", gr_setting_table[k].key,
                               (int64_t)e->cells.varied[k]);
    return status;
}

static gr_status add_cells(gr_experiment *e, gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t i = 0; !status && i < e->cells.count; i++)
        if (!e->id[i])
            status =
                put_cell(e->tables, &e->cells.cell[i], i + 1, e->cells.varied, &e->id[i], error);
    return status;
}

static gr_status note_begun(void *context, sqlite3_stmt *row, gr_error *error) {
    (void)row;
    (void)error;
    *(int *)context = 1;
    return GR_OK;
}

/* What is read, and where: paths in it begin there. */
static gr_status register_file(gr_experiment *e, gr_error *error) {
    static const char file[] = "UPDATE experiment SET path = ?, file = ?";
    const gr_definition *d = &e->definition;
    int begun = 0;
    gr_status status =
        gr_tables_query(e->tables, "SELECT 1 FROM experiment", 0, note_begun, &begun, error);
    if (status)
        return status;
    char *real = realpath(d->path, NULL);
    const char *path = real ? real : d->path;
    if (begun) /* the file may stand elsewhere now */
        status = gr_tables_put(e->tables, error, file, "tt", path, d->text);
    else
        status = put_experiment(e->tables, e->cells.cell->settings.name, path, d->text, error);
    free(real);
    return status;
}

static gr_status match_cells(matching *m, gr_error *error) {
    return gr_tables_query(m->e->tables,
                           "SELECT cell, digest, state, label, (SELECT value FROM cell_settings s "
                           "WHERE s.cell = cells.cell AND key = 'seed') FROM cells ORDER BY place",
                           0, match_cell, m, error);
}

/* Within a transaction. */
static gr_status register_cells(gr_experiment *e, gr_error *error) {
    matching m = {e, 0, 0};
    gr_status status = register_file(e, error);
    if (!status)
        status = match_cells(&m, error);
    if (!status && m.gone)
        status = drop_others(e, error);
    if (!status)
        status = put_labels(e, error);
    if (!status && (m.gone || m.found < e->cells.count))
        status = put_varied(e, error);
    return status ? status : add_cells(e, error);
}

/* ---- the folder ---- */

static gr_status lock_folder(gr_experiment *e, gr_error *error) {
    e->lock = open(e->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (e->lock < 0)
        return gr_fail(error, GR_FAILED, "%s: %s", e->folder, strerror(errno));
    return flock(e->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
               ? gr_fail(error, GR_FAILED, "%s: an experiment writes to this folder", e->folder)
               : GR_OK;
}

/* The copy of the file, where it is not the same already. */
static gr_status save_file(const gr_experiment *e, gr_error *error) {
    const gr_definition *d = &e->definition;
    char *path = gr_path_join(e->folder, GR_EXPERIMENT_FILE), *there = malloc(d->length + 2);
    FILE *file = path && there ? fopen(path, "rb") : NULL;
    gr_status status = path && there ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for a file");
    int same = file && fread(there, 1, d->length + 1, file) == d->length &&
               memcmp(there, d->text, d->length) == 0;
    if (file)
        fclose(file);
    if (!status && !same)
        status = gr_replace_file(path, d->text, d->length, 1, error);
    free(there);
    free(path);
    return status;
}

static gr_status make_room(gr_experiment *e, gr_error *error) {
    e->id = calloc(e->cells.count, sizeof *e->id);
    e->done = calloc(e->cells.count, sizeof *e->done);
    return e->id && e->done ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for cells");
}

gr_status gr_experiment_open(gr_experiment *e, gr_error *error) {
    char *path = NULL;
    gr_status status = make_room(e, error);
    if (!status)
        status = gr_make_folders(e->folder, error);
    if (!status)
        status = lock_folder(e, error);
    if (!status && !(path = gr_path_join(e->folder, GR_EXPERIMENT_TABLES)))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    if (!status)
        status = gr_tables_open(path, &e->tables, error);
    if (!status)
        status = gr_tables_begin(e->tables, error);
    if (!status)
        status = gr_tables_end(e->tables, register_cells(e, error), error);
    free(path);
    return status ? status : save_file(e, error);
}

gr_status gr_experiment_look(gr_experiment *e, gr_error *error) {
    matching m = {e, 0, 0};
    struct stat facts;
    char *path = gr_path_join(e->folder, GR_EXPERIMENT_TABLES);
    gr_status status =
        path ? make_room(e, error) : gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    /* an empty file is one that a kill left before there were tables */
    if (!status && stat(path, &facts) == 0 && facts.st_size > 0) {
        status = gr_tables_look(path, &e->tables, error);
        if (!status)
            status = match_cells(&m, error);
    }
    free(path);
    return status;
}
