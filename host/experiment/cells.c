#include "host/experiment/cells.h"

#include "gpu/core/base/rng.h"
#include "host/base/input.h"
#include "host/base/text.h"
#include "host/settings/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A combination: which entry of the list, values of the grid, and drawn point. */
typedef struct point {
    const gr_definition *d;
    uint32_t number, entry, sample;
    uint32_t at[GR_KEY_COUNT]; /* [grid.count] */
} point;

static gr_status no_memory(const gr_definition *d, gr_error *error) {
    return gr_fail(error, GR_NO_MEMORY, "%s: no memory for its cells", d->path);
}

/* ---- drawing ---- */

/* Uniform in [0, 1): of axis k in point `sample`. */
static double draw(const gr_definition *d, uint32_t sample, uint32_t k) {
    gr_block block =
        gr_philox(k, sample, 0, 0, (uint32_t)d->sample_seed, (uint32_t)(d->sample_seed >> 32));
    uint64_t bits = (uint64_t)block.word[0] << 32 | block.word[1];
    return (double)(bits >> 11) * 0x1p-53;
}

/* The value of a drawn setting; a number is written to `room`. Numbers have six digits, so that a
 * label shows all of what was drawn. */
static gr_choice drawn(const point *at, uint32_t k, char room[32]) {
    const gr_axis *axis = &at->d->sample.axis[k];
    double u = draw(at->d, at->sample, k), value;
    if (axis->count)
        return axis->value[(uint32_t)(u * axis->count)];
    double whole = gr_setting_table[axis->key].kind == GR_KIND_U32 ? 1.0 : 0.0;
    double from = axis->from, to = axis->to + whole; /* both ends of whole numbers are taken */
    value = axis->logarithmic ? from * pow(to / from, u) : from + (to - from) * u;
    if (whole > 0.0)
        snprintf(room, 32, "%.0f", fmin(floor(value), axis->to));
    else
        snprintf(room, 32, "%.6g", value);
    return (gr_choice){axis->key, room, axis->origin};
}

/* ---- labels ---- */

/* The values that vary in this cell, in the order of the file: calls `each` with every one. */
typedef void on_value(void *context, gr_key key, const char *text);

static void each_value(const point *at, on_value *each, void *context) {
    const gr_definition *d = at->d;
    char room[32];
    const gr_entry *entry = d->entries ? &d->entry[at->entry] : NULL;
    for (uint32_t k = 0; entry && k < entry->count; k++)
        each(context, entry->given[k].key, entry->given[k].text);
    for (uint32_t k = 0; k < d->grid.count; k++)
        each(context, d->grid.axis[k].key, d->grid.axis[k].value[at->at[k]].text);
    for (uint32_t k = 0; k < d->sample.count; k++)
        each(context, d->sample.axis[k].key, drawn(at, k, room).text);
}

typedef struct labelling {
    const point *at;
    FILE *out;
    int parts;
    int blocks; /* 1: those alone, 0: without them, -1: all */
    const gr_settings *settings;
} labelling;

static int is_block(const gr_definition *d, gr_key key) {
    for (uint32_t k = 0; k < d->blocks; k++)
        if (d->block[k] == key)
            return 1;
    return 0;
}

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Whether two paths are different files of one name. */
static int are_twins(const char *a, const char *b) {
    return strcmp(a, b) != 0 && strcmp(file_name(a), file_name(b)) == 0;
}

static int has_twin(const gr_axes *axes, gr_key key, const char *path) {
    for (uint32_t k = 0; k < axes->count; k++)
        for (uint32_t i = 0; axes->axis[k].key == key && i < axes->axis[k].count; i++)
            if (are_twins(axes->axis[k].value[i].text, path))
                return 1;
    return 0;
}

/* Of a path the name of the file, unless another value of the setting has the same. */
static const char *shown_path(const gr_definition *d, gr_key key, const char *path) {
    int twin = has_twin(&d->grid, key, path) || has_twin(&d->sample, key, path);
    for (uint32_t e = 0; !twin && e < d->entries; e++)
        for (uint32_t k = 0; !twin && k < d->entry[e].count; k++)
            twin = d->entry[e].given[k].key == key && are_twins(d->entry[e].given[k].text, path);
    return twin ? path : file_name(path);
}

/* "key=value", of a file its name. */
static void put_value(void *context, gr_key key, const char *text) {
    labelling *l = context;
    if (l->blocks >= 0 && l->blocks != is_block(l->at->d, key))
        return;
    if (gr_setting_table[key].kind == GR_KIND_PATH)
        text = shown_path(l->at->d, key, text);
    fprintf(l->out, "%s%s=%s", l->parts++ ? ", " : "", gr_setting_table[key].key, text);
}

static void put_values(labelling *l) {
    const gr_definition *d = l->at->d;
    const char *name = d->entries ? d->entry[l->at->entry].name : NULL;
    point rest = *l->at;
    gr_definition without = *d;
    int named = name && l->blocks < 0;
    if (named) { /* in place of the entry's settings */
        fputs(name, l->out);
        l->parts = 1;
        without.entries = 0;
        rest.d = &without;
    }
    each_value(&rest, put_value, l);
}

/* "{name}, {population}" */
static gr_status put_template(labelling *l, gr_error *error) {
    const gr_definition *d = l->at->d;
    const char *name = d->entries ? d->entry[l->at->entry].name : NULL;
    char word[32], hint[128];
    for (const char *c = d->label.text; *c; c++) {
        size_t length = strcspn(c, "}");
        if (*c != '{' || c[length] != '}') {
            fputc(*c, l->out);
            continue;
        }
        gr_key key = gr_setting_find(c + 1, length - 1);
        if (key == GR_KEY_name) {
            fputs(name ? name : "", l->out);
        } else if (key != GR_KEY_COUNT) {
            fputs(gr_settings_text(l->settings, key, word), l->out);
        } else {
            snprintf(word, sizeof word, "%.*s", (int)length - 1, c + 1);
            gr_setting_suggest(word, NULL, "", hint, sizeof hint);
            return gr_fail(error, GR_BAD_INPUT, "%s:%u:%u: unknown key '%s'%s", d->path,
                           d->label.origin.line, d->label.origin.column, word, hint);
        }
        c += length;
    }
    return GR_OK;
}

/* What a label says of the cell, malloc'ed. */
static gr_status label_of(const point *at, const gr_settings *settings, int blocks, char **label,
                          gr_error *error) {
    size_t size;
    labelling l = {at, open_memstream(label, &size), 0, blocks, settings};
    gr_status status = GR_OK;
    if (!l.out)
        return no_memory(at->d, error);
    if (blocks < 0 && at->d->label.text)
        status = put_template(&l, error);
    else
        put_values(&l);
    if (ftell(l.out) == 0)
        fputs("all", l.out); /* nothing varies */
    if (fclose(l.out) != 0)
        return no_memory(at->d, error);
    return status;
}

/* ---- settings ---- */

typedef struct storing {
    gr_settings *settings;
    gr_status status;
    gr_error *error;
} storing;

static void store(storing *s, const gr_choice *given) {
    if (!s->status)
        s->status = gr_setting_store(s->settings, given->key, given->text, given->origin, s->error);
}

static void store_all(const point *at, storing *s) {
    const gr_definition *d = at->d;
    char room[32];
    for (uint32_t k = 0; k < d->sets; k++)
        store(s, &d->set[k]);
    for (uint32_t k = 0; d->entries && k < d->entry[at->entry].count; k++)
        store(s, &d->entry[at->entry].given[k]);
    for (uint32_t k = 0; k < d->grid.count; k++)
        store(s, &d->grid.axis[k].value[at->at[k]]);
    for (uint32_t k = 0; k < d->sample.count; k++) {
        gr_choice given = drawn(at, k, room);
        store(s, &given);
    }
}

/* The run file that all cells begin with. */
typedef struct base {
    char *text, *path;
    size_t length;
} base;

static gr_status read_base(const gr_definition *d, base *b, gr_error *error) {
    enum { LARGEST_FILE = 1 << 20 };
    const char *name = d->base.text, *slash = strrchr(d->path, '/');
    gr_error inner = {GR_OK, ""};
    size_t folder = name && *name != '/' && slash ? (size_t)(slash - d->path) + 1 : 0;
    if (!name)
        return GR_OK;
    if (!(b->path = malloc(folder + strlen(name) + 1)))
        return no_memory(d, error);
    memcpy(b->path, d->path, folder);
    strcpy(b->path + folder, name);
    gr_status status =
        gr_input_read(b->path, "a run file", LARGEST_FILE, &b->text, &b->length, &inner);
    return status ? gr_fail(error, status, "%s:%u:%u: base: %.*s", d->path, d->base.origin.line,
                            d->base.origin.column, GR_CUT(inner.text, 900))
                  : GR_OK;
}

/* The experiment's name is that of its file, not of its base. */
static gr_status fill_name(const gr_definition *d, gr_settings *settings, gr_error *error) {
    char name[256];
    if (settings->origin[GR_KEY_name].file && *settings->name)
        return GR_OK;
    gr_text_stem(d->path, name, sizeof name);
    return gr_settings_set(settings, "name", *name ? name : "experiment", error);
}

static gr_status settle(const point *at, const base *b, gr_settings *settings, gr_error *error) {
    const gr_definition *d = at->d;
    gr_status status = gr_settings_init(settings, error);
    if (!status && b->path)
        status = gr_settings_parse(settings, b->text, b->length, b->path, error);
    storing s = {settings, status, error};
    store_all(at, &s);
    status = s.status;
    if (!status)
        status = fill_name(d, settings, error);
    uint64_t before = d->own_seeds ? (uint64_t)at->number * settings->runs : 0;
    uint64_t largest = UINT64_MAX - before - (settings->runs - 1);
    if (!status && before && settings->seed > largest)
        status = gr_settings_fail(settings, GR_KEY_seed, error,
                                  "seed %llu, and other seeds in every cell, here %llu higher; "
                                  "expected at most %llu",
                                  (unsigned long long)settings->seed, (unsigned long long)before,
                                  (unsigned long long)largest);
    settings->seed += before;
    return status ? status : gr_settings_resolve(settings, error);
}

static gr_status make_cell(const point *at, const base *b, gr_known_files *files, gr_cell *cell,
                           gr_error *error) {
    gr_error inner = {GR_OK, ""};
    gr_status status = settle(at, b, &cell->settings, &inner);
    char *label = NULL;
    if (status && status != GR_BAD_INPUT)
        return gr_fail(error, status, "%s", inner.text);
    if (status) {
        /* a setting that nobody named, as the problem, names no file either */
        bool placed =
            cell->settings.file || strncmp(inner.text, at->d->path, strlen(at->d->path)) == 0;
        if (label_of(at, &cell->settings, -1, &label, NULL) == GR_OK)
            gr_fail(error, status, "%.*s%s%.*s (cell %.*s)", GR_CUT(placed ? "" : at->d->path, 400),
                    placed ? "" : ": ", GR_CUT(inner.text, 800), GR_CUT(label, 160));
        else
            gr_fail(error, status, "%s", inner.text);
        free(label);
        return status;
    }
    status = label_of(at, &cell->settings, -1, &cell->label, error);
    if (!status && at->d->blocks)
        status = label_of(at, &cell->settings, 0, &cell->treatment, error);
    if (!status && at->d->blocks)
        status = label_of(at, &cell->settings, 1, &cell->block, error);
    return status ? status
                  : gr_settings_digests(&cell->settings, files, cell->digest, cell->problem, error);
}

/* ---- all of them ---- */

/* What a point of the sample drew, all of it. */
typedef struct sampled {
    char *text;
    uint32_t sample;
} sampled;

static int compare_sampled(const void *a, const void *b) {
    const sampled *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : (x->sample > y->sample) - (x->sample < y->sample);
}

/* NULL: no memory. */
static char *text_of_sample(const gr_definition *d, uint32_t sample) {
    const point at = {.d = d, .sample = sample};
    char *text = NULL, room[32];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (uint32_t k = 0; out && k < d->sample.count; k++)
        fprintf(out, "%s\n", drawn(&at, k, room).text);
    if (out && fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* 1 for every point of the sample that draws what none before it did: of few values the same ones
 * are drawn again soon. NULL: no memory. */
static uint8_t *find_new(const gr_definition *d, uint32_t samples) {
    sampled *sorted = calloc(samples, sizeof *sorted);
    uint8_t *is_new = calloc(samples, sizeof *is_new);
    int good = sorted && is_new;
    for (uint32_t i = 0; good && i < samples; i++) {
        sorted[i] = (sampled){text_of_sample(d, i), i};
        good = sorted[i].text != NULL;
    }
    if (good)
        qsort(sorted, samples, sizeof *sorted, compare_sampled);
    for (uint32_t i = 0; good && i < samples; i++)
        is_new[sorted[i].sample] = !i || strcmp(sorted[i - 1].text, sorted[i].text) != 0;
    for (uint32_t i = 0; sorted && i < samples; i++)
        free(sorted[i].text);
    free(sorted);
    if (good)
        return is_new;
    free(is_new);
    return NULL;
}

/* The combinations, or 0 if there are more than can be. */
static uint32_t count_cells(const gr_definition *d) {
    uint64_t count = (d->entries ? d->entries : 1) * (uint64_t)(d->samples ? d->samples : 1);
    for (uint32_t k = 0; k < d->grid.count && count <= GR_MOST_CELLS; k++)
        count *= d->grid.axis[k].count;
    return count <= GR_MOST_CELLS ? (uint32_t)count : 0;
}

/* Entries of the list vary slowest, then the grid, its last setting fastest, then the sample. */
static point point_of(const gr_definition *d, uint32_t number) {
    point at = {.d = d};
    uint32_t samples = d->samples ? d->samples : 1;
    at.sample = number % samples;
    number /= samples;
    for (uint32_t k = d->grid.count; k--; number /= d->grid.axis[k].count)
        at.at[k] = number % d->grid.axis[k].count;
    at.entry = number;
    return at;
}

/* Two cells that are the same would be one. Of these the one that the file has first is first. */
static int compare_digests(const void *a, const void *b) {
    const gr_cell *x = *(const gr_cell *const *)a, *y = *(const gr_cell *const *)b;
    int order = strcmp(x->digest, y->digest);
    return order ? order : (x > y) - (x < y);
}
static int compare_labels(const void *a, const void *b) {
    const gr_cell *x = *(const gr_cell *const *)a, *y = *(const gr_cell *const *)b;
    int order = strcmp(x->label, y->label);
    return order ? order : (x > y) - (x < y);
}

/* Where the file says what tells a cell from one before it: the entry of the list, the value of the
 * grid, or what is drawn. */
static gr_origin origin_beside(const gr_definition *d, const gr_cell *before, const gr_cell *cell) {
    point a = point_of(d, before->point), b = point_of(d, cell->point);
    if (a.entry != b.entry)
        return d->entry[b.entry].origin;
    for (uint32_t k = 0; k < d->grid.count; k++)
        if (a.at[k] != b.at[k])
            return d->grid.axis[k].value[b.at[k]].origin;
    return d->sample.axis[0].origin;
}

static gr_status check_apart(const gr_definition *d, const gr_cells *cells, gr_error *error) {
    const gr_cell **sorted = malloc(cells->count * sizeof *sorted);
    gr_status status = sorted ? GR_OK : no_memory(d, error);
    gr_origin at;
    for (uint32_t i = 0; sorted && i < cells->count; i++)
        sorted[i] = &cells->cell[i];
    if (sorted)
        qsort(sorted, cells->count, sizeof *sorted, compare_digests);
    for (uint32_t i = 1; !status && i < cells->count; i++)
        if (strcmp(sorted[i - 1]->digest, sorted[i]->digest) == 0) {
            at = origin_beside(d, sorted[i - 1], sorted[i]);
            status = gr_fail(error, GR_BAD_INPUT,
                             "%s:%u:%u: the cells '%.*s' and '%.*s' are the same; expected "
                             "settings that make a difference",
                             d->path, at.line, at.column, GR_CUT(sorted[i - 1]->label, 160),
                             GR_CUT(sorted[i]->label, 160));
        }
    if (!status)
        qsort(sorted, cells->count, sizeof *sorted, compare_labels);
    for (uint32_t i = 1; !status && i < cells->count; i++)
        if (strcmp(sorted[i - 1]->label, sorted[i]->label) == 0) {
            at = d->label.text ? d->label.origin : origin_beside(d, sorted[i - 1], sorted[i]);
            status = gr_fail(error, GR_BAD_INPUT,
                             "%s:%u:%u: two cells are called '%.*s'; expected names that differ",
                             d->path, at.line, at.column, GR_CUT(sorted[i]->label, 160));
        }
    free(sorted);
    return status;
}

static void note_varied(const gr_definition *d, gr_cells *cells) {
    for (uint32_t e = 0; e < d->entries; e++)
        for (uint32_t k = 0; k < d->entry[e].count; k++)
            cells->varied[d->entry[e].given[k].key] = d->entries > 1;
    for (uint32_t k = 0; k < d->grid.count; k++)
        cells->varied[d->grid.axis[k].key] = d->grid.axis[k].count > 1;
    for (uint32_t k = 0; k < d->sample.count; k++)
        cells->varied[d->sample.axis[k].key] = 1;
    cells->varied[GR_KEY_seed] |= (uint8_t)(d->own_seeds && cells->count > 1);
}

static gr_status check_blocks(const gr_definition *d, const gr_cells *cells, gr_error *error) {
    for (uint32_t k = 0; k < d->blocks; k++)
        if (!cells->varied[d->block[k]])
            return gr_fail(error, GR_BAD_INPUT,
                           "%s:%u:%u: blocks: %s does not vary; expected a setting that does",
                           d->path, d->block_origin[k].line, d->block_origin[k].column,
                           gr_setting_table[d->block[k]].key);
    return GR_OK;
}

gr_status gr_cells_make(const gr_definition *d, gr_cells *cells, gr_error *error) {
    uint32_t count = count_cells(d);
    base b = {0};
    gr_known_files files = {0};
    *cells = (gr_cells){0};
    if (!count)
        return gr_fail(error, GR_BAD_INPUT, "%s:1:1: more than %d cells; expected fewer", d->path,
                       GR_MOST_CELLS);
    if (!(cells->cell = calloc(count, sizeof *cells->cell)))
        return no_memory(d, error);
    uint8_t *is_new = find_new(d, d->samples ? d->samples : 1);
    gr_status status = is_new ? read_base(d, &b, error) : no_memory(d, error);
    for (uint32_t i = 0; !status && i < count; i++) {
        point at = point_of(d, i);
        at.number = cells->count;
        if (!is_new[at.sample])
            continue;
        cells->cell[cells->count].point = i;
        status = make_cell(&at, &b, &files, &cells->cell[cells->count++], error);
    }
    free(is_new);
    note_varied(d, cells);
    if (!status)
        status = check_apart(d, cells, error);
    if (!status)
        status = check_blocks(d, cells, error);
    gr_known_files_free(&files);
    free(b.text);
    free(b.path);
    if (status)
        gr_cells_free(cells);
    return status;
}

void gr_cells_free(gr_cells *cells) {
    for (uint32_t i = 0; i < cells->count; i++) {
        gr_cell *cell = &cells->cell[i];
        gr_settings_free(&cell->settings);
        free(cell->label);
        free(cell->treatment);
        free(cell->block);
    }
    free(cells->cell);
    *cells = (gr_cells){0};
}
