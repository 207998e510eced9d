#include "host/data/columns.h"

#include "host/base/text.h"
#include "host/settings/targets.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Why gr_table_column found none. */
static gr_status no_column(const gr_settings *s, gr_key key, const gr_table *table,
                           const char *name, int64_t found, gr_error *error) {
    gr_nearest nearest = {0};
    char typed[256];
    if (found == GR_TWIN_COLUMNS)
        return gr_settings_fail(s, key, error,
                                "%s has several columns '%.*s'; expected a number from 1 to %lu",
                                table->path, GR_CUT(name, 80), (unsigned long)table->columns);
    for (uint32_t i = 0; table->names && i < table->columns; i++)
        gr_nearest_try(&nearest, name, table->names[i]);
    if (nearest.best) {
        int listed = key == GR_KEY_inputs || key == GR_KEY_targets;
        gr_text_print_item(nearest.best, typed, sizeof typed);
        return gr_settings_fail(s, key, error, "no column '%.*s' in %s; did you mean '%.*s'?",
                                GR_CUT(name, 80), table->path,
                                GR_CUT(listed ? typed : nearest.best, 80));
    }
    return gr_settings_fail(
        s, key, error, "no column '%.*s' in %s; expected %sa number from 1 to %lu",
        GR_CUT(name, 80), table->path, table->names ? "a name of its header or " : "",
        (unsigned long)table->columns);
}

/* Whether a column is one of several targets, which stand at the end of what there is room for. */
static bool is_target(const gr_columns *use, const gr_table *table, int64_t column) {
    const uint32_t *target = use->column + table->columns + 2;
    for (uint32_t k = 0; k < use->targets; k++)
        if (target[k] == column)
            return true;
    return false;
}

/* The columns of `targets`. */
static gr_status list_targets(const gr_settings *s, const gr_table *table, gr_columns *use,
                              gr_error *error) {
    char *list = strdup(s->targets), *rest = list, *item;
    uint32_t *target = use->column + table->columns + 2;
    gr_status status = GR_OK;
    if (!list)
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", table->path);
    while (status == GR_OK && (item = gr_text_next_item(&rest))) {
        int64_t found = gr_table_column(table, item);
        if (found < 0)
            status = no_column(s, GR_KEY_targets, table, item, found, error);
        else if (found == use->column[table->columns + 1])
            status = gr_settings_fail(s, GR_KEY_targets, error,
                                      "targets has the weights column '%.*s'; expected others",
                                      GR_CUT(item, 80));
        else if (is_target(use, table, found))
            status = gr_settings_fail(s, GR_KEY_targets, error,
                                      "targets has column '%.*s' twice; expected it once",
                                      GR_CUT(item, 80));
        else
            target[use->targets++] = (uint32_t)found;
    }
    free(list);
    if (use->targets)
        use->column[table->columns] = target[0];
    return status;
}

/* The columns that a comma list names. */
static gr_status list_inputs(const gr_settings *s, const gr_table *table, gr_columns *use,
                             gr_error *error) {
    uint32_t target = use->column[table->columns], weights = use->column[table->columns + 1];
    char *list = strdup(s->inputs), *rest = list, *item;
    bool *taken = calloc(table->columns, sizeof *taken);
    gr_status status = GR_OK;
    if (!list || !taken)
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", table->path);
    while (status == GR_OK && (item = gr_text_next_item(&rest))) {
        int64_t found = gr_table_column(table, item);
        if (found < 0)
            status = no_column(s, GR_KEY_inputs, table, item, found, error);
        else if (found == target || found == weights || is_target(use, table, found))
            status = gr_settings_fail(s, GR_KEY_inputs, error,
                                      "inputs has the %s column '%.*s'; expected others",
                                      found == weights ? "weights" : "target", GR_CUT(item, 80));
        else if (taken[found])
            status = gr_settings_fail(s, GR_KEY_inputs, error,
                                      "inputs has column '%.*s' twice; expected it once",
                                      GR_CUT(item, 80));
        else {
            use->column[use->inputs++] = (uint32_t)found;
            taken[found] = true;
        }
    }
    free(list);
    free(taken);
    return status;
}

gr_status gr_select_columns(const gr_settings *s, const gr_table *table, gr_columns *use,
                            gr_error *error) {
    int64_t weights = *s->weights ? gr_table_column(table, s->weights) : UINT32_MAX;
    int64_t target = *s->target ? gr_table_column(table, s->target)
                                : (int64_t)table->columns - 1 - (weights + 1 == table->columns);
    if (target < 0 && *s->target)
        return no_column(s, GR_KEY_target, table, s->target, target, error);
    if (weights < 0)
        return no_column(s, GR_KEY_weights, table, s->weights, weights, error);
    if (target == weights)
        return gr_settings_fail(s, GR_KEY_weights, error,
                                "weights and target are both column '%.*s'; expected two",
                                GR_CUT(s->weights, 80));
    use->weighed = *s->weights != '\0';
    use->doubles = s->precision == GR_PRECISION_DOUBLE;
    if (table->columns < 2u + (uint32_t)use->weighed)
        return gr_fail(error, GR_BAD_INPUT, "%s:%zu:1: %s; expected at least one input and %s",
                       table->path, table->first_line,
                       table->columns == 1 ? "one column" : "two columns",
                       use->weighed ? "beside it the target and the weights" : "the target");
    uint32_t several = gr_settings_targets(s);
    use->column = malloc((table->columns + 2 * several + 2) * sizeof *use->column);
    if (!use->column)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", table->path);
    use->column[table->columns] = (uint32_t)target;
    use->column[table->columns + 1] = (uint32_t)weights;
    gr_status status = several ? list_targets(s, table, use, error) : GR_OK;
    target = use->column[table->columns];
    if (*s->inputs && !status)
        status = list_inputs(s, table, use, error);
    for (uint32_t i = 0; !*s->inputs && i < table->columns; i++)
        if (i != target && i != weights && !is_target(use, table, i))
            use->column[use->inputs++] = i;
    if (several && !use->inputs && !status)
        status = gr_settings_fail(s, GR_KEY_targets, error,
                                  "all columns of %s are targets; expected at least one input",
                                  table->path);
    if (several) /* they move down, behind the inputs */
        memmove(use->column + use->inputs, use->column + table->columns + 2,
                several * sizeof *use->column);
    use->inputs += several;
    use->column[use->inputs] = (uint32_t)target;
    use->column[use->inputs + 1] = (uint32_t)weights;
    return status;
}

/* A column by its name; sorted, those of one name as they stand. */
typedef struct named_column {
    const char *name;
    uint32_t column;
} named_column;

static int compare_named(const void *a, const void *b) {
    const named_column *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->column > y->column) - (x->column < y->column);
}

static named_column *sort_names(const gr_table *table) {
    named_column *sorted = malloc(table->columns * sizeof *sorted);
    for (uint32_t i = 0; sorted && i < table->columns; i++)
        sorted[i] = (named_column){table->names[i], i};
    if (sorted)
        qsort(sorted, table->columns, sizeof *sorted, compare_named);
    return sorted;
}

/* How many of `sorted` stand before a column of a name. */
static uint32_t count_before(const named_column *sorted, uint32_t columns, const char *name,
                             uint32_t column) {
    const named_column wanted = {name, column};
    uint32_t low = 0, high = columns;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_named(&sorted[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Two tables whose columns are matched by their names; of both. */
typedef struct matching {
    const gr_table *table[2];
    named_column *sorted[2];
} matching;

/* The other table's column of the name that `column` has: of several the one in the same place
 * among them; its number of columns: there is none. */
static gr_status match_name(const matching *m, uint32_t column, uint32_t *found, gr_error *error) {
    const char *name = m->table[0]->names[column];
    uint32_t first[2], count[2];
    for (int k = 0; k < 2; k++) {
        uint32_t columns = m->table[k]->columns;
        first[k] = count_before(m->sorted[k], columns, name, 0);
        count[k] = count_before(m->sorted[k], columns, name, UINT32_MAX) - first[k];
    }
    if (count[1] && count[1] != count[0])
        return gr_fail(error, GR_BAD_INPUT, "%s:%zu:1: %u column%s '%.*s'; expected %u, as in %s",
                       m->table[1]->path, m->table[1]->header_line, count[1], gr_s(count[1]),
                       GR_CUT(name, 80), count[0], m->table[0]->path);
    uint32_t place = count_before(m->sorted[0], m->table[0]->columns, name, column) - first[0];
    *found = count[1] ? m->sorted[1][first[1] + place].column : m->table[1]->columns;
    return GR_OK;
}

uint32_t gr_columns_read(const gr_columns *use) {
    return use->no_target ? use->inputs - use->targets : use->inputs + 1;
}

/* Whether the column in place i is a target. */
static bool is_labelling(const gr_columns *use, uint32_t i) {
    return i <= use->inputs && i + use->targets >= use->inputs;
}

static gr_status match_names(const matching *m, gr_columns *use, int unlabelled, gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t i = 0; i <= use->inputs + (uint32_t)use->weighed && !status; i++) {
        uint32_t column = 0;
        status = match_name(m, use->column[i], &column, error);
        int missing = !status && column == m->table[1]->columns;
        if (missing && unlabelled && is_labelling(use, i))
            use->no_target = 1;
        else if (missing && unlabelled && i > use->inputs)
            use->weighed = 0;
        else if (missing)
            status = gr_fail(error, GR_BAD_INPUT,
                             "%s:%zu:1: no column '%.*s'; expected the columns of %s",
                             m->table[1]->path, m->table[1]->header_line,
                             GR_CUT(m->table[0]->names[use->column[i]], 80), m->table[0]->path);
        use->column[i] = column;
    }
    return status;
}

/* By number: all columns, or all but the targets and the weights. */
static gr_status match_numbers(const gr_table *train, const gr_table *test, gr_columns *use,
                               int unlabelled, gr_error *error) {
    uint32_t first = use->inputs - use->targets,
             out = (use->targets ? use->targets : 1) + (uint32_t)use->weighed;
    use->no_target = unlabelled && train->columns == test->columns + out;
    if (train->columns == test->columns)
        return GR_OK;
    if (!use->no_target)
        return gr_fail(error, GR_BAD_INPUT, "%s:%zu:1: %lu column%s; expected %lu, as in %s",
                       test->path, test->first_line, (unsigned long)test->columns,
                       gr_s(test->columns), (unsigned long)train->columns, train->path);
    for (uint32_t i = 0; i < first; i++) {
        uint32_t before = 0; /* of several targets the first stands behind the last once more */
        for (uint32_t k = first + (use->targets > 0); k <= use->inputs + (uint32_t)use->weighed;
             k++)
            before += use->column[k] < use->column[i];
        use->column[i] -= before;
    }
    return GR_OK;
}

gr_status gr_match_columns(const gr_table *train, const gr_table *test, gr_columns *use,
                           int unlabelled, gr_error *error) {
    if (!train->names || !test->names)
        return match_numbers(train, test, use, unlabelled, error);
    matching m = {{train, test}, {sort_names(train), sort_names(test)}};
    use->no_target = 0;
    gr_status status =
        m.sorted[0] && m.sorted[1]
            ? match_names(&m, use, unlabelled, error)
            : gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", test->path);
    free(m.sorted[0]);
    free(m.sorted[1]);
    return status;
}
