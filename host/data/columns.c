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
    if (found == GR_TWIN_COLUMNS)
        return gr_settings_fail(s, key, error,
                                "%s has several columns '%.80s'; expected a number from 1 to %lu",
                                table->path, name, (unsigned long)table->columns);
    for (uint32_t i = 0; table->names && i < table->columns; i++)
        gr_nearest_try(&nearest, name, table->names[i]);
    if (nearest.best)
        return gr_settings_fail(s, key, error, "no column '%.80s' in %s; did you mean '%.80s'?",
                                name, table->path, nearest.best);
    return gr_settings_fail(
        s, key, error, "no column '%.80s' in %s; expected %sa number from 1 to %lu", name,
        table->path, table->names ? "a name of its header or " : "", (unsigned long)table->columns);
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
    while (status == GR_OK && (item = strsep(&rest, ","))) {
        item = gr_text_trim(item);
        int64_t found = gr_table_column(table, item);
        if (found < 0)
            status = no_column(s, GR_KEY_targets, table, item, found, error);
        else if (found == use->column[table->columns + 1])
            status =
                gr_settings_fail(s, GR_KEY_targets, error,
                                 "targets has the weights column '%.80s'; expected others", item);
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
    while (status == GR_OK && (item = strsep(&rest, ","))) {
        item = gr_text_trim(item);
        int64_t found = gr_table_column(table, item);
        if (found < 0)
            status = no_column(s, GR_KEY_inputs, table, item, found, error);
        else if (found == target || found == weights || is_target(use, table, found))
            status = gr_settings_fail(s, GR_KEY_inputs, error,
                                      "inputs has the %s column '%.80s'; expected others",
                                      found == weights ? "weights" : "target", item);
        else if (taken[found])
            status = gr_settings_fail(s, GR_KEY_inputs, error,
                                      "inputs has column '%.80s' twice; expected it once", item);
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
                                "weights and target are both column '%.80s'; expected two",
                                s->weights);
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

/* The column of a table with this name, or table->columns; `guess`: where it may be. */
static uint32_t find_column(const gr_table *table, const char *name, uint32_t guess) {
    if (guess < table->columns && strcmp(table->names[guess], name) == 0)
        return guess;
    uint32_t column = 0;
    while (column < table->columns && strcmp(table->names[column], name) != 0)
        column++;
    return column;
}

/* By number: all columns, or all but the target. */
static gr_status match_numbers(const gr_table *train, const gr_table *test, gr_columns *use,
                               int unlabelled, gr_error *error) {
    uint32_t left_out = use->column[use->inputs], weights = use->column[use->inputs + 1];
    use->no_target = unlabelled && train->columns == test->columns + 1 + (uint32_t)use->weighed;
    if (train->columns == test->columns)
        return GR_OK;
    if (!use->no_target)
        return gr_fail(error, GR_BAD_INPUT, "%s:%zu:1: %lu columns; expected %lu, as in %s",
                       test->path, test->first_line, (unsigned long)test->columns,
                       (unsigned long)train->columns, train->path);
    for (uint32_t i = 0; i < use->inputs; i++)
        use->column[i] -= (uint32_t)(use->column[i] > left_out) +
                          (uint32_t)(use->weighed && use->column[i] > weights);
    return GR_OK;
}

gr_status gr_match_columns(const gr_table *train, const gr_table *test, gr_columns *use,
                           int unlabelled, gr_error *error) {
    if (!train->names || !test->names)
        return match_numbers(train, test, use, unlabelled, error);
    use->no_target = 0;
    for (uint32_t i = 0; i <= use->inputs + (uint32_t)use->weighed; i++) {
        const char *name = train->names[use->column[i]];
        uint32_t column = find_column(test, name, use->column[i]);
        if (column == test->columns && i == use->inputs && unlabelled)
            use->no_target = 1;
        else if (column == test->columns && i > use->inputs && unlabelled)
            use->weighed = 0;
        else if (column == test->columns && i < use->inputs && i + use->targets >= use->inputs &&
                 unlabelled)
            column = use->column[0]; /* of several targets: the first is missing, too */
        else if (column == test->columns)
            return gr_fail(error, GR_BAD_INPUT,
                           "%s:%zu:1: no column '%.80s'; expected the columns of %s", test->path,
                           test->header_line, name, train->path);
        use->column[i] = column;
    }
    return GR_OK;
}
