/* Sets of cases read from tables. */
#include "host/base/text.h"
#include "host/data/columns.h"
#include "host/data/dataset.h"
#include "host/data/rounded.h"
#include "host/data/weights.h"
#include "host/settings/presets.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- names ---- */

/* Names of the inputs from the table's header. */
static bool name_inputs(gr_dataset *set, const gr_table *table, const uint32_t *column) {
    return gr_dataset_name_inputs(set, (const char *const *)table->names, column);
}

/* The words of a column, by number. */
static bool list_words(const gr_table *table, uint32_t column, char ***list, uint32_t *count) {
    const gr_column_words *words = table->words ? &table->words[column] : NULL;
    if (!words || !words->count)
        return true;
    if (!(*list = calloc(words->count, sizeof **list)))
        return false;
    *count = words->count;
    bool good = true;
    for (uint32_t i = 0; i < words->count && good; i++) {
        const gr_column_word *word = words->entry[i];
        size_t size = 4 * word->length + 1; /* they are printed */
        char *text = (*list)[word->number] = malloc(size);
        good = text != NULL;
        if (good)
            gr_escape(word->text, text, size);
    }
    return good;
}

/* Those of the inputs. */
static bool name_words(gr_dataset *set, const gr_table *table, const uint32_t *column) {
    if (!table->words)
        return true;
    if (!(set->known = calloc(set->inputs + 1, sizeof *set->known)))
        return false;
    set->knowing = set->inputs;
    bool good = true;
    for (uint32_t i = 0; i < set->inputs && good; i++)
        good = table->words[column[i]].count > GR_MOST_KNOWN_WORDS ||
               list_words(table, column[i], &set->known[i].word, &set->known[i].count);
    return good;
}

/* Says that a guess may have lost a row. *out: the notes of the set, once they are open. */
static bool note_header(gr_dataset *set, const gr_table *table, FILE **out, size_t *size) {
    if (table->doubtful && !*out && !(*out = open_memstream(&set->notes, size)))
        return false;
    if (table->doubtful)
        fprintf(*out, "%s:%zu: %s\n", table->path, table->header_line, table->doubtful);
    return true;
}

/* Whether an input counts the rows, as an index that was written with the table does. */
static bool numbers_rows(const gr_dataset *set, uint32_t i) {
    uint64_t at = i * set->cases, c = 1;
    bool columns = set->x || set->dx;
    while (columns && c < set->cases &&
           (set->dx ? set->dx[at + c] == set->dx[at] + (double)c
                    : set->x[at + c] == set->x[at] + (float)c))
        c++;
    return set->cases > 2 && c == set->cases;
}

/* Says which columns got another name, and which are words. targets: so many of the last inputs;
 * named: inputs have been chosen. */
static bool note_names(gr_dataset *set, const gr_table *table, const uint32_t *column,
                       uint32_t targets, bool named) {
    enum { MOST_NOTES = 20 };
    size_t size;
    uint32_t noted = 0, words_noted = 0;
    FILE *out = NULL;
    if (!note_header(set, table, &out, &size))
        return false;
    for (uint32_t i = 0; table->names && i < set->inputs; i++) {
        const char *name = table->names[column[i]];
        char shown[256];
        if (strcmp(name, set->names[i]) == 0)
            continue;
        gr_escape(name, shown, sizeof shown);
        if (!out && !(out = open_memstream(&set->notes, &size)))
            return false;
        if (noted++ >= MOST_NOTES)
            continue;
        fprintf(out, "column %lu '%s' is %s %s%s\n", (unsigned long)column[i] + 1, shown,
                i + targets < set->inputs ? "input" : "target", set->names[i],
                *name || named || i + targets >= set->inputs || !numbers_rows(set, i)
                    ? ""
                    : ", which counts the rows: if it is an index, name the others as inputs");
    }
    for (uint32_t i = 0; table->words && i <= set->inputs; i++) {
        const gr_column_words *words = &table->words[column[i]];
        if (!words->count)
            continue;
        if (!out && !(out = open_memstream(&set->notes, &size)))
            return false;
        if (words_noted++ >= MOST_NOTES)
            continue;
        fprintf(out, "column %lu has %u word%s, numbered from the most frequent\n",
                (unsigned long)column[i] + 1, words->count, gr_s(words->count));
    }
    if (noted > MOST_NOTES)
        fprintf(out, "and %u column%s more with another name\n", noted - MOST_NOTES,
                gr_s(noted - MOST_NOTES));
    if (words_noted > MOST_NOTES)
        fprintf(out, "and %u column%s more with words\n", words_noted - MOST_NOTES,
                gr_s(words_noted - MOST_NOTES));
    bool good = !out || !ferror(out);
    return (!out || fclose(out) == 0) && good;
}

/* ---- sets ---- */

/* A column that is read twice, as several targets are, is there where it was named last. */
static void copy_twins(const gr_columns *use, uint32_t count, uint64_t cases, float **value) {
    for (uint32_t i = use->inputs - use->targets; i < use->inputs; i++)
        for (uint32_t k = count; k-- > i + 1;)
            if (use->column[k] == use->column[i]) {
                memcpy(value[i], value[k], cases * sizeof *value[i]);
                break;
            }
}

/* Numbers of a set's columns, the inputs, the target and the weights, those that there are. */
static gr_status read_columns(const gr_table *table, const gr_columns *use, uint64_t from,
                              gr_dataset *set, gr_error *error) {
    uint32_t count = gr_columns_read(use) + (set->w != NULL);
    uint64_t to = from + set->cases;
    float **value = calloc(use->inputs + 2, sizeof *value);
    double **exact = calloc(use->inputs + 2, sizeof *exact);
    gr_status status = GR_OK;
    for (uint32_t i = 0; value && exact && i < use->inputs; i++) {
        value[i] = set->x ? set->x + i * set->cases : NULL;
        exact[i] = set->dx ? set->dx + i * set->cases : NULL;
    }
    if (!value || !exact)
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", table->path);
    else if (set->doubles) {
        exact[use->inputs] = set->dy;
        status = gr_table_doubles(table, use->column, count, from, to, exact, error);
        for (uint64_t i = 0; i < set->cases; i++)
            set->y[i] = (float)set->dy[i];
    } else {
        value[use->inputs] = set->y;
        value[use->inputs + 1] = set->w;
        status = gr_table_numbers(table, use->column, count, from, to, value, error);
        if (!status)
            copy_twins(use, count, set->cases, value);
    }
    free(exact);
    free(value);
    return status;
}

static gr_status allocate(gr_dataset *set, uint32_t inputs, uint64_t cases, int doubles,
                          gr_error *error) {
    return doubles ? gr_dataset_allocate_doubles(set, inputs, cases, error)
                   : gr_dataset_allocate(set, inputs, cases, 0, error);
}

/* Rows [row[0], row[1]) as a set, whose columns have the names of `as` in `named`. */
static gr_status read_set(const gr_table *table, const gr_columns *use, const gr_table *named,
                          const uint32_t *as, const uint64_t row[2], gr_dataset *set,
                          gr_error *error) {
    gr_status status = allocate(set, use->inputs, row[1] - row[0], use->doubles, error);
    if (status != GR_OK)
        return status;
    int weighed = use->weighed && !use->no_target;
    set->w = weighed ? malloc((set->cases + 1) * sizeof *set->w) : NULL;
    set->target_name = strdup(named->names ? named->names[as[use->inputs]] : "y");
    if ((weighed && !set->w) || !set->target_name || !name_inputs(set, named, as) ||
        !list_words(named, as[use->inputs], &set->labels, &set->label_count))
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", table->path);
    else
        status = read_columns(table, use, row[0], set, error);
    if (!status && weighed)
        status = gr_check_weights(table, use, row[0], set, error);
    if (use->no_target) {
        free(set->y);
        free(set->dy);
        set->y = NULL;
        set->dy = NULL;
    }
    if (status != GR_OK)
        gr_dataset_free(set);
    return status;
}

/* Rows of a setting, held against the table. */
static gr_status rows_of(const gr_settings *s, gr_key key, const gr_table *table, uint64_t *from,
                         uint64_t *to, gr_error *error) {
    gr_status status = gr_settings_rows(s, key, from, to, error);
    if (status != GR_OK)
        return status;
    if (*from >= table->rows || (*to != UINT64_MAX && *to > table->rows))
        return gr_settings_fail(s, key, error, "rows beyond the end of %s; expected 0 to %llu",
                                table->path, (unsigned long long)table->rows);
    *to = *to == UINT64_MAX ? table->rows : *to;
    return GR_OK;
}

/* Rows to train on, [0] to [1], and to test on, [2] to [3]. */
static gr_status split_rows(const gr_settings *s, const gr_table *table, uint64_t row[4],
                            gr_error *error) {
    row[2] = row[3] = 0;
    gr_status status = rows_of(s, GR_KEY_train_rows, table, row, row + 1, error);
    if (status == GR_OK && *s->test_rows) {
        if (!*s->train_rows)
            return gr_settings_fail(s, GR_KEY_test_rows, error,
                                    "test-rows without train-rows; expected both");
        status = rows_of(s, GR_KEY_test_rows, table, row + 2, row + 3, error);
        if (status == GR_OK && s->split == GR_SPLIT_RANDOM && row[1] != row[2])
            return gr_settings_fail(s, GR_KEY_split, error,
                                    "split random draws from train-rows and test-rows together; "
                                    "expected test-rows from %llu on",
                                    (unsigned long long)row[1]);
    }
    if (status == GR_OK && s->test_fraction > 0) {
        uint64_t test;
        status = gr_count_held_out(s, GR_KEY_test_fraction, s->test_fraction, "test-fraction",
                                   table->rows, "row", &test, error);
        if (status)
            return status;
        row[1] = row[2] = table->rows - test;
        row[3] = table->rows;
    }
    return status;
}

/* Says how many rows are trained on and tested on, where any are. */
static bool note_shared_rows(gr_dataset *test, const gr_table *table, const uint64_t row[4]) {
    uint64_t from = row[0] > row[2] ? row[0] : row[2], to = row[1] < row[3] ? row[1] : row[3];
    size_t size;
    if (from >= to)
        return true;
    FILE *out = open_memstream(&test->notes, &size);
    if (!out)
        return false;
    fprintf(out, "%s: %llu row%s in both train-rows and test-rows\n", table->path,
            (unsigned long long)(to - from), to - from == 1 ? " is" : "s are");
    bool good = !ferror(out);
    return fclose(out) == 0 && good;
}

/* Rows of a column, the target behind the inputs, whose word is none of training's. */
static uint64_t count_new_words(const gr_dataset *set, uint32_t i) {
    uint64_t rows = 0, at = i < set->inputs ? i * set->cases : 0;
    const float *value = i < set->inputs ? set->x : set->y;
    const double *exact = i < set->inputs ? set->dx : set->dy;
    for (uint64_t c = 0; c < set->cases; c++)
        rows += set->doubles ? exact[at + c] == -1.0 : value[at + c] == -1.0f;
    return rows;
}

/* Says of which of `count` columns words have no number. *out: as of note_header. */
static bool note_new_words(gr_dataset *set, const gr_table *table, const uint32_t *column,
                           uint32_t count, FILE **out, size_t *size) {
    for (uint32_t i = 0; table->words && i < count; i++) {
        bool words = table->words[column[i]].count;
        uint64_t rows = words ? count_new_words(set, i) : 0;
        if (!rows)
            continue;
        if (!*out && !(*out = open_memstream(&set->notes, size)))
            return false;
        fprintf(*out, "%s: words of column %lu that training has not, in %llu row%s, are -1\n",
                table->path, (unsigned long)column[i] + 1, (unsigned long long)rows, gr_s(rows));
    }
    return true;
}

/* Of a table whose columns were matched with those of `train`: what may not be as it was meant. */
static bool note_matching(gr_dataset *set, const gr_table *table, const gr_columns *use,
                          const gr_table *train) {
    size_t size;
    FILE *out = NULL;
    if (!note_header(set, table, &out, &size))
        return false;
    if (train->names && !table->names) {
        if (!out && !(out = open_memstream(&set->notes, &size)))
            return false;
        fprintf(out, "%s: no names of columns; they are taken in the order of %s\n", table->path,
                train->path);
    }
    bool good = note_new_words(set, table, use->column, gr_columns_read(use), &out, &size);
    good = good && (!out || !ferror(out));
    return (!out || fclose(out) == 0) && good;
}

static gr_status find_words(gr_table *table, const gr_columns *use, gr_error *error) {
    int64_t weights = use->weighed ? (int64_t)use->column[use->inputs + 1] : GR_NO_COLUMN;
    return gr_table_find_words(table, use->column, use->inputs + 1, weights, error);
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static gr_status load_test_file(const gr_settings *s, const gr_table *train, const gr_columns *use,
                                gr_dataset *set, gr_error *error) {
    gr_table table;
    gr_columns same = {malloc((use->inputs + 2) * sizeof *same.column),
                       use->inputs,
                       use->targets,
                       use->weighed,
                       0,
                       use->doubles};
    if (!same.column)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", s->test_data);
    memcpy(same.column, use->column,
           (use->inputs + 1 + (uint32_t)use->weighed) * sizeof *same.column);
    gr_status status = gr_table_open(s->test_data, s->delimiter, s->header, &table, error);
    if (status == GR_OK) {
        status = gr_match_columns(train, &table, &same, 0, error);
        if (status == GR_OK && train->words)
            status = gr_table_share_words(&table, same.column, train, use->column, use->inputs + 1,
                                          error);
        if (status == GR_OK)
            status = read_set(&table, &same, train, use->column, (uint64_t[]){0, table.rows}, set,
                              error);
        if (status == GR_OK && !note_matching(set, &table, &same, train))
            status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", s->test_data);
        if (status == GR_OK)
            set->most = larger(table.most, gr_table_bytes(&table) + gr_dataset_bytes(set));
        gr_table_free(&table);
    }
    free(same.column);
    return status;
}

/* What was taken at most while both sets were read. mixed: they were one before, and what became of
 * its cases was noted. */
static void note_most(const gr_table *table, bool mixed, gr_dataset *train,
                      const gr_dataset *test) {
    size_t text = gr_table_bytes(table), sets = gr_dataset_bytes(train) + gr_dataset_bytes(test);
    if (mixed) {
        gr_dataset both = *train;
        both.cases += test->cases;
        sets += gr_dataset_bytes(&both) + both.cases * sizeof(bool);
    }
    train->most = larger(table->most, text + sets);
    if (test->most) /* of a file of its own, read while the first was there */
        train->most = larger(train->most, text + gr_dataset_bytes(train) + test->most);
}

static uint32_t checksum_of(const gr_table *table) {
    uint32_t sum = (uint32_t)crc32_z(0, (const unsigned char *)table->text, table->length);
    return sum ? sum : 1;
}

gr_status gr_dataset_load(const gr_settings *settings, gr_dataset *train, gr_dataset *test,
                          gr_error *error) {
    gr_table table;
    gr_columns use = {0};
    uint64_t row[4];
    *train = *test = (gr_dataset){0};
    gr_status status =
        gr_table_open(settings->data, settings->delimiter, settings->header, &table, error);
    if (status != GR_OK)
        return status;
    table.for_words = settings->categories ? NULL : "categories: true";
    uint32_t checksum =
        settings->categories || gr_settings_classify(settings) ? checksum_of(&table) : 0;
    status = gr_select_columns(settings, &table, &use, error);
    if (status == GR_OK && settings->categories)
        status = find_words(&table, &use, error);
    if (status == GR_OK)
        status = split_rows(settings, &table, row, error);
    bool mixed = settings->split == GR_SPLIT_RANDOM && row[3] > row[2];
    if (status == GR_OK)
        status = read_set(&table, &use, &table, use.column,
                          (uint64_t[]){row[0], mixed ? row[3] : row[1]}, train, error);
    if (status == GR_OK && mixed)
        status = gr_dataset_hold_out(train, settings->data_seed, 0xffffffffu, row[3] - row[2], test,
                                     error);
    if (status == GR_OK && (!name_words(train, &table, use.column) ||
                            !note_names(train, &table, use.column, use.targets, *settings->inputs)))
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", table.path);
    gr_read_floats floats = {
        &table,       use.column, train->inputs, row[0], mixed ? row[3] : row[1],
        train->cases, train->x,   train->y};
    if (status == GR_OK && !train->doubles)
        status = gr_note_rounded(&floats, &train->notes, error);
    if (status == GR_OK && *settings->test_data)
        status = load_test_file(settings, &table, &use, test, error);
    else if (status == GR_OK && !mixed && row[3] > row[2])
        status = read_set(&table, &use, &table, use.column, row + 2, test, error);
    if (status == GR_OK && !mixed && !note_shared_rows(test, &table, row))
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", table.path);
    if (status == GR_OK)
        status = gr_settle_weights(settings, "training", train, error);
    if (status == GR_OK)
        status = gr_settle_weights(settings, "test", test, error);
    free(use.column);
    if (status == GR_OK)
        note_most(&table, mixed, train, test);
    train->checksum = checksum;
    gr_table_free(&table);
    if (status != GR_OK) {
        gr_dataset_free(train);
        gr_dataset_free(test);
    }
    return status;
}

/* `table` is the one that the columns were selected of. */
static gr_status read_alike(const gr_settings *s, const char *path, const gr_table *table,
                            gr_columns *use, gr_dataset *set, gr_error *error) {
    char wrong[192];
    gr_table other;
    uint32_t *as = malloc((use->inputs + 2) * sizeof *as);
    if (!as)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    memcpy(as, use->column, (use->inputs + 1 + (uint32_t)use->weighed) * sizeof *as);
    gr_status status = gr_table_open(path, s->delimiter, s->header, &other, error);
    if (!status) {
        status = gr_match_columns(table, &other, use, 1, error);
        if (!status && table->words)
            status =
                gr_table_share_words(&other, use->column, table, as, gr_columns_read(use), error);
        if (!status)
            status = read_set(&other, use, table, as, (uint64_t[]){0, other.rows}, set, error);
        if (!status && gr_find_bad_weights(set, NULL, wrong, sizeof wrong))
            status = gr_fail(error, GR_BAD_INPUT, "%s: %s", path, wrong);
        if (!status && !note_matching(set, &other, use, table))
            status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
        gr_table_free(&other);
    }
    free(as);
    return status;
}

gr_status gr_dataset_read_alike(const gr_settings *settings, const char *path, gr_dataset *set,
                                gr_error *error) {
    gr_table table;
    gr_columns use = {0};
    *set = (gr_dataset){0};
    gr_status status =
        gr_table_open(settings->data, settings->delimiter, settings->header, &table, error);
    if (status)
        return status;
    status = gr_select_columns(settings, &table, &use, error);
    if (!status && settings->categories)
        status = find_words(&table, &use, error);
    if (!status)
        status = read_alike(settings, path, &table, &use, set, error);
    free(use.column);
    gr_table_free(&table);
    return status;
}

/* Copies an input that is the weights to w. */
static gr_status copy_weights(const gr_table *table, const gr_columns *use, gr_dataset *set,
                              gr_error *error) {
    if (!(set->w = malloc(set->cases * sizeof *set->w)))
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", table->path);
    memcpy(set->w, set->x + use->column[use->inputs + 1] * set->cases, set->cases * sizeof *set->w);
    return gr_check_weights(table, use, 0, set, error);
}

/* Every column is an input, the target's is copied to y, and the weights' to w. */
static gr_status read_whole(const gr_table *table, int64_t target, int64_t weights, int doubles,
                            gr_dataset *set, gr_error *error) {
    gr_columns use = {.inputs = table->columns, .no_target = 1, .doubles = doubles};
    gr_table spelled = *table;
    spelled.words = NULL; /* which are those of another table */
    gr_status status = allocate(set, table->columns, table->rows, doubles, error);
    if (status != GR_OK)
        return status;
    uint32_t *column = use.column = malloc((table->columns + 2) * sizeof *column);
    for (uint32_t i = 0; column && i < table->columns; i++)
        column[i] = i;
    if (column) /* as gr_columns has them */
        column[use.inputs] = (uint32_t)target, column[use.inputs + 1] = (uint32_t)weights;
    if (!column || !name_inputs(set, table, column) || !note_names(set, &spelled, column, 0, false))
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", table->path);
    else
        status = read_columns(table, &use, 0, set, error);
    if (status == GR_OK && target >= 0) {
        for (uint64_t i = 0; i < set->cases; i++)
            set->y[i] = doubles ? (float)(set->dy[i] = set->dx[(uint64_t)target * set->cases + i])
                                : set->x[(uint64_t)target * set->cases + i];
        set->target_name = strdup(set->names[target]);
    } else {
        free(set->y);
        free(set->dy);
        set->y = NULL;
        set->dy = NULL;
    }
    if (status == GR_OK && weights >= 0)
        status = copy_weights(table, &use, set, error);
    free(column);
    return status;
}

/* Of a name or number, NULL: of none. */
static gr_status find_column(const gr_table *table, const char *name, int64_t *column,
                             gr_error *error) {
    *column = name ? gr_table_column(table, name) : GR_NO_COLUMN;
    if (!name || *column >= 0)
        return GR_OK;
    return gr_fail(error, GR_BAD_INPUT, "%s: %s '%.*s'; expected %sa number from 1 to %lu",
                   table->path, *column == GR_TWIN_COLUMNS ? "several columns" : "no column",
                   GR_CUT(name, 80), *column == GR_TWIN_COLUMNS ? "" : "a name of its header or ",
                   (unsigned long)table->columns);
}

/* Words of columns by their names, as numbers. */
static gr_status take_words(gr_table *table, const char *const *name, const gr_known_words *known,
                            uint32_t count, gr_error *error) {
    gr_dataset named = {.inputs = table->columns};
    gr_status status = GR_OK;
    named.names = calloc(table->columns + 1ull, sizeof *named.names);
    if (!named.names || !name_inputs(&named, table, NULL))
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", table->path);
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < table->columns && !status; i++)
            if (strcmp(named.names[i], name[k]) == 0)
                status = gr_table_take_words(table, i, known[k].word, known[k].count, error);
    gr_dataset_free(&named);
    return status;
}

/* Of all columns, behind the notes that there are. */
static bool note_words_of_all(gr_dataset *set, const gr_table *table) {
    char *notes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&notes, &size);
    uint32_t *column = calloc(table->columns + 1ull, sizeof *column);
    for (uint32_t i = 0; column && i < table->columns; i++)
        column[i] = i;
    if (out)
        fputs(set->notes ? set->notes : "", out);
    bool good = out && column && note_new_words(set, table, column, table->columns, &out, &size);
    good = out && fclose(out) == 0 && good;
    free(column);
    if (good && size) {
        free(set->notes);
        set->notes = notes;
    } else
        free(notes);
    return good;
}

gr_status gr_dataset_read_by_words(const char *path, int doubles, const char *const *name,
                                   const gr_known_words *known, uint32_t count, gr_dataset *set,
                                   gr_error *error) {
    gr_table table;
    *set = (gr_dataset){0};
    gr_status status = gr_table_open(path, GR_AUTO, GR_AUTO, &table, error);
    if (status)
        return status;
    status = take_words(&table, name, known, count, error);
    if (!status)
        status = read_whole(&table, GR_NO_COLUMN, GR_NO_COLUMN, doubles, set, error);
    if (!status && !note_words_of_all(set, &table))
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    gr_table_free(&table);
    if (status)
        gr_dataset_free(set);
    return status;
}

gr_status gr_dataset_read(const char *path, const char *target, const char *weights, int doubles,
                          gr_dataset *set, gr_error *error) {
    gr_table table;
    int64_t target_column, weights_column;
    *set = (gr_dataset){0};
    gr_status status = gr_table_open(path, GR_AUTO, GR_AUTO, &table, error);
    if (status != GR_OK)
        return status;
    status = find_column(&table, target, &target_column, error);
    if (status == GR_OK)
        status = find_column(&table, weights, &weights_column, error);
    if (status == GR_OK && weights && weights_column == target_column)
        status = gr_fail(error, GR_BAD_INPUT,
                         "%s: weights and target are both column '%.*s'; expected two", path,
                         GR_CUT(weights, 80));
    if (status == GR_OK)
        status = read_whole(&table, target_column, weights_column, doubles, set, error);
    gr_table_free(&table);
    if (status != GR_OK)
        gr_dataset_free(set);
    return status;
}
