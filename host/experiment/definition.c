#include "host/experiment/definition.h"

#include "host/base/input.h"
#include "host/base/text.h"
#include "host/settings/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { LARGEST_FILE = 1 << 20 };

typedef struct reader {
    gr_definition *d;
    yaml_document_t *document;
    gr_error *error;
} reader;

/* Words that are no settings. */
static const char *const words[] = {"base",  "grid",   "list",  "sample",
                                    "label", "blocks", "seeds", NULL};

/* ---- nodes ---- */

__attribute__((format(printf, 3, 4))) static gr_status fail_at(const reader *r, yaml_mark_t mark,
                                                               const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return gr_fail(r->error, GR_BAD_INPUT, "%s:%zu:%zu: %s", r->d->path, mark.line + 1,
                   mark.column + 1, text);
}

static gr_status no_memory(const reader *r) {
    return gr_fail(r->error, GR_NO_MEMORY, "%s: out of memory while reading", r->d->path);
}

static yaml_node_t *node_of(const reader *r, int id) {
    return yaml_document_get_node(r->document, id);
}

static gr_origin origin_of(const reader *r, const yaml_node_t *node) {
    return (gr_origin){GR_FROM_FILE, (uint32_t)node->start_mark.line + 1,
                       (uint32_t)node->start_mark.column + 1, r->d->path};
}

static size_t pairs_of(const yaml_node_t *map) {
    return (size_t)(map->data.mapping.pairs.top - map->data.mapping.pairs.start);
}

static size_t items_of(const yaml_node_t *list) {
    return (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
}

/* The text of a scalar; `what` is expected. */
static gr_status take_text(const reader *r, const yaml_node_t *node, const char *what,
                           const char **text) {
    if (node->type != YAML_SCALAR_NODE)
        return fail_at(r, node->start_mark, "a %s; expected %s",
                       node->type == YAML_SEQUENCE_NODE ? "sequence" : "mapping", what);
    *text = (const char *)node->data.scalar.value;
    if (strlen(*text) != node->data.scalar.length || !gr_text_is_clean(*text, strlen(*text)))
        return fail_at(r, node->start_mark, "not text; expected text without control characters");
    if (!**text)
        return fail_at(r, node->start_mark, "nothing; expected %s", what);
    return GR_OK;
}

static gr_status take_value(const reader *r, const yaml_node_t *node, gr_key key,
                            gr_choice *given) {
    char expected[256];
    gr_setting_expected(&gr_setting_table[key], expected, sizeof expected);
    *given = (gr_choice){key, NULL, origin_of(r, node)};
    if (node->type == YAML_SCALAR_NODE && !node->data.scalar.length) {
        given->text = ""; /* a setting that is taken back */
        return GR_OK;
    }
    return take_text(r, node, expected, &given->text);
}

/* A mapping's key `k`: its word, checked against those before it. */
static gr_status take_key(const reader *r, const yaml_node_t *map, size_t k, const char **word) {
    const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
    const yaml_node_t *key = node_of(r, pair[k].key);
    gr_status status = take_text(r, key, "the name of a setting", word);
    for (size_t i = 0; !status && i < k; i++) {
        const yaml_node_t *before = node_of(r, pair[i].key);
        if (strcmp((const char *)before->data.scalar.value, *word) == 0)
            return fail_at(r, key->start_mark, "%.*s is given twice; expected once, as on line %zu",
                           GR_CUT(*word, 80), before->start_mark.line + 1);
    }
    return status;
}

static const yaml_node_t *value_of(const reader *r, const yaml_node_t *map, size_t k) {
    return node_of(r, map->data.mapping.pairs.start[k].value);
}

/* The setting that a word names; `more`: what else could stand there. */
static gr_status take_setting(const reader *r, const yaml_node_t *map, size_t k, const char *word,
                              const char *const *more, gr_key *key) {
    char hint[128];
    *key = gr_setting_find(word, strlen(word));
    if (*key != GR_KEY_COUNT)
        return GR_OK;
    gr_setting_suggest(word, more, "", hint, sizeof hint);
    return fail_at(r, node_of(r, map->data.mapping.pairs.start[k].key)->start_mark,
                   "unknown key '%.*s'%s", GR_CUT(word, 80), hint);
}

static gr_status expect(const reader *r, const yaml_node_t *node, yaml_node_type_t type,
                        const char *what) {
    static const char *const names[] = {"nothing", "text", "a sequence", "a mapping"};
    int nothing = node->type == YAML_SCALAR_NODE && !node->data.scalar.length; /* `grid:` alone */
    if (node->type != type)
        return fail_at(r, node->start_mark, "%s; expected %s",
                       nothing ? "nothing" : names[node->type & 3], what);
    size_t count = type == YAML_MAPPING_NODE ? pairs_of(node) : items_of(node);
    return count ? GR_OK : fail_at(r, node->start_mark, "nothing in it; expected %s", what);
}

static gr_status take_whole(const reader *r, const yaml_node_t *node, uint64_t least, uint64_t most,
                            uint64_t *value) {
    const char *text = "";
    char what[96], *end;
    snprintf(what, sizeof what, "a whole number from %llu to %llu", (unsigned long long)least,
             (unsigned long long)most);
    gr_status status = take_text(r, node, what, &text);
    if (status)
        return status;
    *value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || strlen(text) > 19 || *value < least || *value > most)
        return fail_at(r, node->start_mark, "'%.*s'; expected %s", GR_CUT(text, 80), what);
    return GR_OK;
}

/* ---- what varies ---- */

static gr_status take_values(const reader *r, const yaml_node_t *node, gr_axis *axis) {
    gr_status status = expect(r, node, YAML_SEQUENCE_NODE, "its values, as in [1, 2]");
    if (status)
        return status;
    size_t count = items_of(node);
    if (!(axis->value = calloc(count, sizeof *axis->value)))
        return no_memory(r);
    for (size_t i = 0; !status && i < count; i++) {
        const yaml_node_t *item = node_of(r, node->data.sequence.items.start[i]);
        status = take_value(r, item, axis->key, &axis->value[i]);
        for (size_t j = 0; !status && j < i; j++)
            if (strcmp(axis->value[i].text, axis->value[j].text) == 0)
                status = fail_at(r, item->start_mark, "%.*s twice; expected other values",
                                 GR_CUT(axis->value[i].text, 80));
    }
    axis->count = (uint32_t)count;
    return status;
}

static gr_status take_number(const reader *r, const yaml_node_t *node, double *value) {
    const char *text = "";
    char *end;
    gr_status status = take_text(r, node, "a number", &text);
    if (status)
        return status;
    *value = gr_text_double(text, &end);
    if (strspn(text, "0123456789.eE+-") != strlen(text) || end == text || *end || !isfinite(*value))
        return fail_at(r, node->start_mark, "'%.*s'; expected a number", GR_CUT(text, 80));
    return GR_OK;
}

static gr_status take_scale(const reader *r, const yaml_node_t *node, int *logarithmic) {
    const char *text = "";
    gr_status status = take_text(r, node, "linear or log", &text);
    *logarithmic = !status && strcmp(text, "log") == 0;
    if (!status && !*logarithmic && strcmp(text, "linear") != 0)
        return fail_at(r, node->start_mark, "'%.*s'; expected linear or log", GR_CUT(text, 80));
    return status;
}

/* {from: A, to: B, scale: log} */
static gr_status take_range(const reader *r, const yaml_node_t *node, gr_axis *axis) {
    gr_setting_kind kind = gr_setting_table[axis->key].kind;
    gr_status status = GR_OK;
    axis->from = axis->to = (double)NAN;
    if (kind != GR_KIND_U32 && kind != GR_KIND_REAL)
        return fail_at(r, node->start_mark, "%s is no number; expected its values, as in [A, B]",
                       gr_setting_table[axis->key].key);
    for (size_t k = 0; !status && k < pairs_of(node); k++) {
        const yaml_node_t *value = value_of(r, node, k);
        const char *word;
        if ((status = take_key(r, node, k, &word)))
            break;
        if (strcmp(word, "from") == 0)
            status = take_number(r, value, &axis->from);
        else if (strcmp(word, "to") == 0)
            status = take_number(r, value, &axis->to);
        else if (strcmp(word, "scale") == 0)
            status = take_scale(r, value, &axis->logarithmic);
        else
            status = fail_at(r, node->start_mark, "unknown key '%.*s'; expected from, to, scale",
                             GR_CUT(word, 80));
    }
    if (!status && !(axis->from < axis->to))
        status = fail_at(r, node->start_mark, "no range; expected {from: A, to: B}, A below B");
    if (!status && kind == GR_KIND_U32 &&
        (axis->from != floor(axis->from) || axis->to != floor(axis->to)))
        status = fail_at(r, node->start_mark, "%s from %g to %g; expected whole numbers",
                         gr_setting_table[axis->key].key, axis->from, axis->to);
    if (!status && axis->logarithmic && axis->from <= 0.0)
        status =
            fail_at(r, node->start_mark, "scale: log from %g; expected more than 0", axis->from);
    return status;
}

/* No seeds, names and folders: each has its own place. */
static gr_status may_vary(const reader *r, const yaml_node_t *map, size_t k, gr_key key) {
    static const gr_key fixed[] = {GR_KEY_name, GR_KEY_output, GR_KEY_quiet, GR_KEY_json,
                                   GR_KEY_progress};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (key == fixed[i])
            return fail_at(r, node_of(r, map->data.mapping.pairs.start[k].key)->start_mark,
                           "%s is of the experiment; expected it beside `grid`, not inside",
                           gr_setting_table[key].key);
    return GR_OK;
}

static gr_status take_axis(const reader *r, const yaml_node_t *map, size_t k, const char *word,
                           int may_range, gr_axes *axes) {
    gr_axis *axis = &axes->axis[axes->count];
    const yaml_node_t *value = value_of(r, map, k);
    static const char *const more[] = {"cells", "seed", NULL};
    gr_status status = take_setting(r, map, k, word, may_range ? more : NULL, &axis->key);
    if (!status)
        status = may_vary(r, map, k, axis->key);
    if (status)
        return status;
    axis->origin = origin_of(r, node_of(r, map->data.mapping.pairs.start[k].key));
    axes->count++;
    return may_range && value->type == YAML_MAPPING_NODE ? take_range(r, value, axis)
                                                         : take_values(r, value, axis);
}

static gr_status take_grid(const reader *r, const yaml_node_t *node) {
    gr_status status = expect(r, node, YAML_MAPPING_NODE, "settings, each with a list of values");
    for (size_t k = 0; !status && k < pairs_of(node); k++) {
        const char *word;
        status = take_key(r, node, k, &word);
        if (!status)
            status = take_axis(r, node, k, word, 0, &r->d->grid);
    }
    return status;
}

static gr_status take_sample(const reader *r, const yaml_node_t *node) {
    gr_definition *d = r->d;
    uint64_t cells = 0;
    d->sample_seed = 1;
    gr_status status = expect(r, node, YAML_MAPPING_NODE, "`cells` and settings with their values");
    for (size_t k = 0; !status && k < pairs_of(node); k++) {
        const char *word;
        if ((status = take_key(r, node, k, &word)))
            break;
        if (strcmp(word, "cells") == 0)
            status = take_whole(r, value_of(r, node, k), 1, GR_MOST_CELLS, &cells);
        else if (strcmp(word, "seed") == 0)
            status = take_whole(r, value_of(r, node, k), 0, INT64_MAX, &d->sample_seed);
        else
            status = take_axis(r, node, k, word, 1, &d->sample);
    }
    if (!status && !cells)
        status = fail_at(r, node->start_mark, "no number of cells; expected cells: N");
    if (!status && !d->sample.count)
        status = fail_at(r, node->start_mark, "no settings; expected those that are drawn");
    d->samples = (uint32_t)cells;
    return status;
}

static gr_status take_entry(const reader *r, const yaml_node_t *node, gr_entry *entry) {
    static const char *const more[] = {"name", NULL};
    gr_status status = expect(r, node, YAML_MAPPING_NODE, "settings of a cell, {key: value, ...}");
    if (status)
        return status;
    entry->origin = origin_of(r, node);
    if (!(entry->given = calloc(pairs_of(node), sizeof *entry->given)))
        return no_memory(r);
    for (size_t k = 0; !status && k < pairs_of(node); k++) {
        const char *word;
        gr_key key;
        if ((status = take_key(r, node, k, &word)))
            break;
        if (strcmp(word, "name") == 0) {
            status = take_text(r, value_of(r, node, k), "the name of a cell", &entry->name);
            continue;
        }
        status = take_setting(r, node, k, word, more, &key);
        if (!status)
            status = may_vary(r, node, k, key);
        if (!status)
            status = take_value(r, value_of(r, node, k), key, &entry->given[entry->count++]);
    }
    return status;
}

static gr_status take_list(const reader *r, const yaml_node_t *node) {
    gr_definition *d = r->d;
    gr_status status = expect(r, node, YAML_SEQUENCE_NODE, "cells, each {key: value, ...}");
    if (status)
        return status;
    size_t count = items_of(node);
    if (!(d->entry = calloc(count, sizeof *d->entry)))
        return no_memory(r);
    d->entries = (uint32_t)count;
    for (size_t i = 0; !status && i < count; i++)
        status = take_entry(r, node_of(r, node->data.sequence.items.start[i]), &d->entry[i]);
    return status;
}

/* ---- the rest ---- */

static gr_status take_block(const reader *r, const yaml_node_t *node) {
    gr_definition *d = r->d;
    const char *word = "";
    char hint[128];
    gr_status status = take_text(r, node, "a setting that varies", &word);
    if (status)
        return status;
    gr_key key = gr_setting_find(word, strlen(word));
    if (key == GR_KEY_COUNT) {
        gr_setting_suggest(word, NULL, "", hint, sizeof hint);
        return fail_at(r, node->start_mark, "unknown key '%.*s'%s", GR_CUT(word, 80), hint);
    }
    for (uint32_t k = 0; k < d->blocks; k++)
        if (d->block[k] == key)
            return fail_at(r, node->start_mark, "%.*s twice; expected each setting once",
                           GR_CUT(word, 80));
    d->block_origin[d->blocks] = origin_of(r, node);
    d->block[d->blocks++] = key;
    return GR_OK;
}

static gr_status take_blocks(const reader *r, const yaml_node_t *node) {
    if (node->type == YAML_SCALAR_NODE)
        return take_block(r, node);
    gr_status status = expect(r, node, YAML_SEQUENCE_NODE, "settings, as in [data]");
    for (size_t i = 0; !status && i < items_of(node); i++)
        status = take_block(r, node_of(r, node->data.sequence.items.start[i]));
    return status;
}

static gr_status take_seeds(const reader *r, const yaml_node_t *node) {
    static const char expected[] = "same (in every cell) or own";
    const char *text = "";
    gr_status status = take_text(r, node, expected, &text);
    r->d->seeds = origin_of(r, node);
    r->d->own_seeds = !status && strcmp(text, "own") == 0;
    if (!status && !r->d->own_seeds && strcmp(text, "same") != 0)
        return fail_at(r, node->start_mark, "'%.*s'; expected %s", GR_CUT(text, 80), expected);
    return status;
}

static gr_status take_member(const reader *r, const yaml_node_t *root, size_t k) {
    gr_definition *d = r->d;
    const yaml_node_t *value = value_of(r, root, k);
    const char *word = "";
    gr_key key;
    gr_status status = take_key(r, root, k, &word);
    if (status)
        return status;
    if (strcmp(word, "base") == 0) {
        d->base.origin = origin_of(r, value);
        return take_text(r, value, "a run file", &d->base.text);
    }
    if (strcmp(word, "label") == 0) {
        d->label.origin = origin_of(r, value);
        return take_text(r, value, "text with {key} for a setting's value", &d->label.text);
    }
    if (strcmp(word, "grid") == 0)
        return take_grid(r, value);
    if (strcmp(word, "list") == 0)
        return take_list(r, value);
    if (strcmp(word, "sample") == 0)
        return take_sample(r, value);
    if (strcmp(word, "blocks") == 0)
        return take_blocks(r, value);
    if (strcmp(word, "seeds") == 0)
        return take_seeds(r, value);
    status = take_setting(r, root, k, word, words, &key);
    return status ? status : take_value(r, value, key, &d->set[d->sets++]);
}

/* A setting has one place. */
static gr_status check_once(const reader *r) {
    const gr_definition *d = r->d;
    const char *where[GR_KEY_COUNT] = {0};
    for (uint32_t k = 0; k < d->grid.count; k++)
        where[d->grid.axis[k].key] = "grid";
    for (uint32_t k = 0; k < d->sample.count; k++) {
        const gr_axis *axis = &d->sample.axis[k];
        if (where[axis->key])
            return gr_fail(r->error, GR_BAD_INPUT,
                           "%s:%u:%u: %s varies in `grid` too; expected it in one of them", d->path,
                           axis->origin.line, axis->origin.column, gr_setting_table[axis->key].key);
        where[axis->key] = "sample";
    }
    for (uint32_t e = 0; e < d->entries; e++)
        for (uint32_t k = 0; k < d->entry[e].count; k++) {
            const gr_choice *given = &d->entry[e].given[k];
            if (where[given->key])
                return gr_fail(r->error, GR_BAD_INPUT,
                               "%s:%u:%u: %s varies in `%s` too; expected it in one of them",
                               d->path, given->origin.line, given->origin.column,
                               gr_setting_table[given->key].key, where[given->key]);
        }
    return GR_OK;
}

static gr_status fail_parser(const reader *r, const yaml_parser_t *parser) {
    yaml_mark_t mark = parser->problem_mark;
    if (parser->error == YAML_MEMORY_ERROR)
        return no_memory(r);
    for (size_t i = 0; parser->error == YAML_READER_ERROR && i < parser->problem_offset; i++) {
        mark.column = r->d->text[i] == '\n' ? 0 : mark.column + 1;
        mark.line += r->d->text[i] == '\n';
    }
    return fail_at(r, mark, "%s; expected YAML, lines of 'key: value'",
                   parser->problem ? parser->problem : "not YAML");
}

/* Loads one document; the root, or NULL behind the last one. */
static gr_status load(const reader *r, yaml_parser_t *parser, yaml_document_t *document,
                      const yaml_node_t **root) {
    if (!yaml_parser_load(parser, document)) {
        memset(document, 0, sizeof *document);
        return fail_parser(r, parser);
    }
    *root = yaml_document_get_root_node(document);
    return GR_OK;
}

static gr_status load_only(reader *r, const yaml_node_t **root) {
    yaml_parser_t parser;
    yaml_document_t second;
    const yaml_node_t *more = NULL;
    if (!yaml_parser_initialize(&parser))
        return no_memory(r);
    yaml_parser_set_input_string(&parser, (const unsigned char *)r->d->text, r->d->length);
    gr_status status = load(r, &parser, r->document, root);
    if (!status && *root) {
        status = load(r, &parser, &second, &more);
        if (!status && more)
            status = fail_at(r, more->start_mark, "a second document; expected one");
        if (!status || more)
            yaml_document_delete(&second);
    }
    yaml_parser_delete(&parser);
    return status;
}

static gr_status parse(reader *r) {
    const yaml_node_t *root = NULL;
    yaml_mark_t start = {0, 0, 0};
    gr_status status = load_only(r, &root);
    if (status)
        return status;
    if (!root)
        return fail_at(r, start, "nothing; expected an experiment, lines of 'key: value'");
    status = expect(r, root, YAML_MAPPING_NODE, "lines of 'key: value'");
    for (size_t k = 0; !status && k < pairs_of(root); k++)
        status = take_member(r, root, k);
    return status ? status : check_once(r);
}

gr_status gr_definition_parse(char *text, size_t length, const char *path,
                              gr_definition *definition, gr_error *error) {
    *definition = (gr_definition){.text = text, .length = length, .path = strdup(path)};
    definition->document = calloc(1, sizeof *definition->document);
    reader r = {definition, definition->document, error};
    gr_status status = definition->path && definition->document
                           ? GR_OK
                           : gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    if (!status && length > LARGEST_FILE)
        status = gr_fail(error, GR_BAD_INPUT, "%s:1:1: more than %d bytes; expected an experiment",
                         path, LARGEST_FILE);
    if (!status)
        status = parse(&r);
    if (status)
        gr_definition_free(definition);
    return status;
}

gr_status gr_definition_read(const char *file, const char *path, gr_definition *definition,
                             gr_error *error) {
    char *text;
    size_t length;
    gr_status status =
        gr_input_read(file, "an experiment file", LARGEST_FILE, &text, &length, error);
    *definition = (gr_definition){0};
    if (!status)
        return gr_definition_parse(text, length, path, definition, error);
    free(text);
    return status;
}

void gr_definition_free(gr_definition *d) {
    if (d->document)
        yaml_document_delete(d->document);
    free(d->document);
    for (uint32_t k = 0; k < d->grid.count; k++)
        free(d->grid.axis[k].value);
    for (uint32_t k = 0; k < d->sample.count; k++)
        free(d->sample.axis[k].value);
    for (uint32_t e = 0; e < d->entries; e++)
        free(d->entry[e].given);
    free(d->entry);
    free(d->path);
    free(d->text);
    *d = (gr_definition){0};
}
