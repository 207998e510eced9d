/* Run files. libcyaml reads and writes the values by a schema made from settings.def; all values
 * travel as text, so that a run file and the command line share one conversion and one wording.
 * libcyaml's messages lack the line of the key they speak of and it keeps no positions, so a pass
 * over libyaml's events goes first: it checks that the file is one flat mapping of known keys and
 * remembers where each value stands. */
#include "host/base/input.h"
#include "host/base/output.h"
#include "host/base/text.h"
#include "host/settings/table.h"
#include "host/settings/uses.h"

#include <cyaml/cyaml.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

enum { LARGEST_FILE = 1 << 20 };

/* One text per key, in the order of gr_key. */
typedef struct values {
#define GR_SETTING(kind, key, field, initial, min, max, words, group, help) char *field;
#include "host/settings/settings.def"
} values;

static const cyaml_schema_field_t schema_fields[] = {
#define GR_SETTING(kind, key, field, initial, min, max, words, group, help)                        \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, values, field, 0,        \
                           CYAML_UNLIMITED),
#include "host/settings/settings.def"
    CYAML_FIELD_END};

static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, values, schema_fields)};

typedef struct log_line {
    char text[256]; /* the first message; empty: none */
} log_line;

static void capture_log(cyaml_log_t level, void *context, const char *format, va_list arguments) {
    log_line *line = context;
    (void)level;
    if (!line->text[0])
        vsnprintf(line->text, sizeof line->text, format, arguments);
}

static cyaml_config_t configuration(log_line *line) {
    return (cyaml_config_t){
        .log_fn = capture_log,
        .log_ctx = line,
        .mem_fn = cyaml_mem,
        .log_level = CYAML_LOG_ERROR,
    };
}

/* libcyaml reads what libyaml has read before and writes to memory: what goes wrong in libyaml then
 * is want of memory. */
static bool is_memory_error(cyaml_err_t result) {
    return result == CYAML_ERR_OOM || result == CYAML_ERR_LIBYAML_PARSER_INIT ||
           result == CYAML_ERR_LIBYAML_PARSER || result == CYAML_ERR_LIBYAML_EMITTER_INIT ||
           result == CYAML_ERR_LIBYAML_EVENT_INIT || result == CYAML_ERR_LIBYAML_EMITTER;
}

static gr_status fail_at(const char *path, yaml_mark_t mark, gr_error *error, const char *message) {
    return gr_fail(error, GR_BAD_INPUT, "%s:%zu:%zu: %s", path, mark.line + 1, mark.column + 1,
                   message);
}

/* An error of libyaml itself. Bytes that are no text have an offset and no mark. */
static gr_status fail_parser(const yaml_parser_t *parser, const char *text, const char *path,
                             gr_error *error) {
    yaml_mark_t mark = parser->problem_mark;
    const char *problem = parser->problem ? parser->problem : "not YAML";
    if (parser->error == YAML_MEMORY_ERROR)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    if (parser->error == YAML_READER_ERROR) {
        mark = (yaml_mark_t){0, 0, 0};
        for (size_t i = 0; i < parser->problem_offset; i++) {
            mark.column = text[i] == '\n' ? 0 : mark.column + 1;
            mark.line += text[i] == '\n';
        }
    }
    return gr_fail(error, GR_BAD_INPUT, "%s:%zu:%zu: %s; expected YAML, lines of 'key: value'",
                   path, mark.line + 1, mark.column + 1, problem);
}

/* One position in the file and what the pass has seen so far. */
typedef struct scan {
    yaml_parser_t parser;
    const char *text, *path;
    gr_origin *origin; /* [GR_KEY_COUNT] */
    uint32_t seen;     /* keys */
    gr_error *error;
} scan;

static gr_status next_event(scan *s, yaml_event_t *event) {
    if (!yaml_parser_parse(&s->parser, event))
        return fail_parser(&s->parser, s->text, s->path, s->error);
    return GR_OK;
}

/* Tags say what a value is; here that is known. Those of text are let pass. */
static gr_status check_tag(const scan *s, const yaml_event_t *event) {
    const yaml_char_t *tag = event->type == YAML_SCALAR_EVENT ? event->data.scalar.tag
                             : event->type == YAML_MAPPING_START_EVENT
                                 ? event->data.mapping_start.tag
                                 : NULL;
    static const char *const known[] = {"!",           YAML_STR_TAG, YAML_INT_TAG, YAML_FLOAT_TAG,
                                        YAML_BOOL_TAG, YAML_MAP_TAG};
    char message[160];
    for (size_t k = 0; tag && k < sizeof known / sizeof *known; k++)
        if (strcmp((const char *)tag, known[k]) == 0)
            return GR_OK;
    if (!tag)
        return GR_OK;
    snprintf(message, sizeof message, "the tag '%.*s'; expected a value without one",
             GR_CUT((const char *)tag, 80));
    return fail_at(s->path, event->start_mark, s->error, message);
}

static gr_status scan_key(scan *s, const yaml_event_t *event, gr_key *key) {
    char hint[128], message[256];
    if (event->type != YAML_SCALAR_EVENT)
        return fail_at(s->path, event->start_mark, s->error,
                       "not a key; expected the name of a setting");
    gr_status status = check_tag(s, event);
    if (status != GR_OK)
        return status;
    const char *word = (const char *)event->data.scalar.value;
    *key = gr_setting_find(word, event->data.scalar.length);
    if (*key == GR_KEY_COUNT) {
        gr_setting_suggest(word, NULL, "", hint, sizeof hint);
        snprintf(message, sizeof message, "unknown key '%.*s'%s", GR_CUT(word, 80), hint);
        return fail_at(s->path, event->start_mark, s->error, message);
    }
    if (s->origin[*key].line) {
        snprintf(message, sizeof message, "%s is given twice; expected once, as on line %lu", word,
                 (unsigned long)s->origin[*key].line);
        return fail_at(s->path, event->start_mark, s->error, message);
    }
    s->seen++;
    return GR_OK;
}

static gr_status scan_value(scan *s, const yaml_event_t *event, gr_key key) {
    const gr_setting *setting = &gr_setting_table[key];
    const char *value = (const char *)event->data.scalar.value;
    char expected[256], message[512];
    if (event->type != YAML_SCALAR_EVENT) {
        gr_setting_expected(setting, expected, sizeof expected);
        snprintf(message, sizeof message, "%s is a %s; expected %s", setting->key,
                 event->type == YAML_SEQUENCE_START_EVENT  ? "sequence"
                 : event->type == YAML_MAPPING_START_EVENT ? "mapping"
                                                           : "reference",
                 event->type == YAML_ALIAS_EVENT  ? "what it refers to, written out"
                 : strstr(setting->words, ",...") ? "one text with commas, as in \"a, b\""
                                                  : expected);
        return fail_at(s->path, event->start_mark, s->error, message);
    }
    if (strlen(value) != event->data.scalar.length)
        return fail_at(s->path, event->start_mark, s->error,
                       "a NUL character; expected text without control characters");
    gr_status status = check_tag(s, event);
    if (status != GR_OK)
        return status;
    s->origin[key] = (gr_origin){GR_FROM_FILE, (uint32_t)event->start_mark.line + 1,
                                 (uint32_t)event->start_mark.column + 1, NULL};
    return status;
}

/* The events of the mapping, after its start. */
static gr_status scan_mapping(scan *s) {
    for (;;) {
        yaml_event_t event;
        gr_key key = GR_KEY_COUNT;
        gr_status status = next_event(s, &event);
        if (status != GR_OK)
            return status;
        int end = event.type == YAML_MAPPING_END_EVENT;
        if (!end)
            status = scan_key(s, &event, &key);
        yaml_event_delete(&event);
        if (end || status != GR_OK)
            return status;
        if ((status = next_event(s, &event)) != GR_OK)
            return status;
        status = scan_value(s, &event, key);
        yaml_event_delete(&event);
        if (status != GR_OK)
            return status;
    }
}

/* What may stand around and behind the mapping. */
static gr_status scan_event(scan *s, yaml_event_type_t type, yaml_mark_t mark,
                            uint32_t *documents) {
    switch (type) {
    case YAML_MAPPING_START_EVENT:
        return scan_mapping(s);
    case YAML_DOCUMENT_START_EVENT:
        if (++*documents > 1)
            return fail_at(s->path, mark, s->error, "a second document; expected one");
        return GR_OK;
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        return GR_OK;
    case YAML_STREAM_END_EVENT:
        if (*documents)
            return GR_OK;
        return fail_at(s->path, mark, s->error, "no settings; expected lines of 'key: value'");
    default:
        return fail_at(s->path, mark, s->error, "not a mapping; expected lines of 'key: value'");
    }
}

/* Fills origin[] with the positions of the values; counts them. */
static gr_status scan_positions(const char *text, size_t length, const char *path,
                                gr_origin origin[GR_KEY_COUNT], uint32_t *seen, gr_error *error) {
    scan s = {.text = text, .path = path, .origin = origin, .error = error};
    if (!yaml_parser_initialize(&s.parser))
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    yaml_parser_set_input_string(&s.parser, (const unsigned char *)text, length);
    gr_status status = GR_OK;
    uint32_t documents = 0;
    for (int end = 0; !end && status == GR_OK;) {
        yaml_event_t event;
        if ((status = next_event(&s, &event)) != GR_OK)
            break;
        yaml_event_type_t type = event.type;
        yaml_mark_t mark = event.start_mark;
        status = check_tag(&s, &event);
        yaml_event_delete(&event);
        end = type == YAML_STREAM_END_EVENT;
        if (status == GR_OK)
            status = scan_event(&s, type, mark, &documents);
    }
    yaml_parser_delete(&s.parser);
    *seen = s.seen;
    return status;
}

/* The values by libcyaml, stored over the settings. */
static gr_status load_values(gr_settings *settings, const char *text, size_t length,
                             const gr_origin origin[GR_KEY_COUNT], gr_error *error) {
    log_line line = {""};
    cyaml_config_t config = configuration(&line);
    values *loaded = NULL;
    cyaml_err_t result = cyaml_load_data((const uint8_t *)text, length, &config, &schema,
                                         (cyaml_data_t **)&loaded, NULL);
    if (is_memory_error(result))
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", settings->file);
    if (result != CYAML_OK)
        return gr_fail(error, GR_BAD_INPUT, "%s:1:1: %s; expected lines of 'key: value'",
                       settings->file, line.text[0] ? line.text : cyaml_strerror(result));
    gr_status status = GR_OK;
    char *const *value = (char *const *)loaded;
    for (uint32_t key = 0; loaded && key < GR_KEY_COUNT && status == GR_OK; key++)
        if (value[key])
            status = gr_setting_store(settings, (gr_key)key, value[key], origin[key], error);
    cyaml_free(&config, &schema, loaded, 0);
    return status;
}

gr_status gr_settings_parse(gr_settings *settings, const char *text, size_t length,
                            const char *path, gr_error *error) {
    gr_origin origin[GR_KEY_COUNT] = {0};
    uint32_t seen = 0;
    char *copy = strdup(path);
    if (!copy)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    free(settings->file);
    settings->file = copy;
    if (length > LARGEST_FILE)
        return gr_fail(error, GR_BAD_INPUT, "%s:1:1: more than %d bytes; expected a run file", path,
                       LARGEST_FILE);
    gr_status status = scan_positions(text, length, path, origin, &seen, error);
    if (status == GR_OK && seen)
        status = load_values(settings, text, length, origin, error);
    return status;
}

gr_status gr_settings_load(gr_settings *settings, const char *path, gr_error *error) {
    char *text;
    size_t length;
    gr_status status = gr_input_read(path, "a run file", LARGEST_FILE, &text, &length, error);
    if (status == GR_OK)
        status = gr_settings_parse(settings, text, length, strcmp(path, "-") == 0 ? "stdin" : path,
                                   error);
    free(text);
    return status;
}

/* A path that means the same from every folder. malloc'ed. */
static char *absolute(const char *path) {
    char *real = realpath(path, NULL), *folder, *joined;
    if (real || *path == '/' || !*path)
        return real ? real : strdup(path);
    if (!(folder = getcwd(NULL, 0)))
        return strdup(path);
    size_t size = strlen(folder) + strlen(path) + 2;
    if ((joined = malloc(size)))
        snprintf(joined, size, "%s/%s", folder, path);
    free(folder);
    return joined;
}

/* Settings as text, NULL for those that stay out; false when memory is short. What nobody named and
 * nothing reads stays out: as a line of the file it would be named. */
static bool collect(const gr_settings *settings, char *value[GR_KEY_COUNT]) {
    bool good = true;
    const char *unread[GR_KEY_COUNT];
    gr_settings_unread(settings, unread);
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++) {
        value[key] = NULL;
        if (unread[key] && settings->origin[key].from == GR_FROM_DEFAULT)
            continue;
        value[key] = gr_settings_get(settings, (gr_key)key);
        if (value[key] && gr_setting_table[key].kind == GR_KIND_PATH) {
            char *path = absolute(value[key]);
            free(value[key]);
            value[key] = path;
        }
        good = good && value[key];
    }
    return good;
}

/* The comment's lines, a '#' before each, and the settings: malloc'ed, NULL when memory is short.
 */
static char *with_comment(const char *comment, const char *yaml, size_t length, size_t *size) {
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    if (!file)
        return NULL;
    for (const char *line = comment; line && *line;) {
        size_t n = strcspn(line, "\n");
        fprintf(file, "# %.*s\n", (int)n, line);
        line += n + (line[n] == '\n');
    }
    fwrite(yaml, 1, length, file);
    int failed = ferror(file);
    if (fclose(file) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

gr_status gr_settings_save(const gr_settings *settings, const char *path, const char *comment,
                           gr_error *error) {
    log_line line = {""};
    cyaml_config_t config = configuration(&line);
    config.flags = CYAML_CFG_STYLE_BLOCK;
    char *value[GR_KEY_COUNT], *yaml = NULL, *text = NULL;
    size_t length = 0;
    gr_status status = GR_OK;
    cyaml_err_t result = collect(settings, value)
                             ? cyaml_save_data(&yaml, &length, &config, &schema, value, 0)
                             : CYAML_ERR_OOM;
    if (is_memory_error(result))
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while writing", path);
    else if (result != CYAML_OK)
        status = gr_fail(error, GR_FAILED, "%s: cannot write settings: %s", path, line.text);
    else if (!(text = with_comment(comment, yaml, length, &length)))
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while writing", path);
    else
        status = gr_replace_file(path, text, length, 0, error);
    free(text);
    cyaml_mem(NULL, yaml, 0);
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++)
        free(value[key]);
    return status;
}
