/* grampus export: programs in other languages. */
#include "host/export/export.h"
#include "host/base/input.h"
#include "host/base/json.h"
#include "host/base/output.h"
#include "host/base/text.h"
#include "host/cli/commands.h"
#include "host/export/simplify.h"
#include "host/problem/several.h"
#include "host/run/finished.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void print_help(void) {
    printf("usage: grampus export RESULT [--format WORD] [--option value ...]\n"
           "       grampus export --expression TEXT | --expressions FILE [--option value ...]\n\n"
           "Writes the best program of a run, or an expression, in another language.\n\n"
           "  RESULT               the folder of a run, or its best.json\n"
           "  --run N|all          of a batch: this run, or all of them [the best]\n"
           "  --expression TEXT    an expression, as grampus eval takes it\n"
           "  --expressions FILE   expressions, one a line\n"
           "  --data FILE          table whose columns the expression names\n"
           "  --boolean            the expression is of truth values\n"
           "  --format WORD        of the list below [infix]\n"
           "  --simplify           the simplified program too, behind the original\n"
           "  --name WORD          name of the function [program]\n"
           "  --output FILE        writes there [standard output]\n"
           "  --json               one object: the format, and its text or where it is\n"
           "  -h, --help           this text\n\nFormats:\n");
    for (int k = 0; k < GR_FORMATS; k++)
        printf("  %-20s %s\n", gr_formats[k].word, gr_formats[k].help);
}

/* What the arguments say. */
typedef struct wishes {
    const char *result, *run, *expression, *expressions, *data, *format, *name, *output;
    int boolean, simplify, json, help;
} wishes;

/* What is written, and what it borrows. */
typedef struct work {
    gr_export e;
    gr_exported *program;
    gr_finished finished;
    gr_dataset set;
    char **names;
    uint32_t inputs;
    const char *target[GR_MOST_RANKED];
    char origin[512];
} work;

static gr_status take_arguments(int argc, char **argv, wishes *w, gr_error *error) {
    const gr_option options[] = {{"run", &w->run, NULL},
                                 {"expression", &w->expression, NULL},
                                 {"expressions", &w->expressions, NULL},
                                 {"data", &w->data, NULL},
                                 {"format", &w->format, NULL},
                                 {"name", &w->name, NULL},
                                 {"output", &w->output, NULL},
                                 {"boolean", NULL, &w->boolean},
                                 {"simplify", NULL, &w->simplify},
                                 {"json", NULL, &w->json},
                                 {"help", NULL, &w->help},
                                 {NULL, NULL, NULL}};
    gr_status status = gr_options_and_files(argc, argv, options, &w->result, 1, error);
    int sources = (w->result != NULL) + (w->expression != NULL) + (w->expressions != NULL);
    if (!status && !w->help && sources != 1)
        status =
            gr_fail(error, GR_BAD_INPUT, "%s; expected a result, --expression or --expressions",
                    sources ? "more than one source" : "nothing to export");
    for (const char *c = w->name; !status && c && *c; c++)
        if (!(isalpha((unsigned char)*c) || *c == '_' ||
              (c > w->name && isdigit((unsigned char)*c))))
            status =
                gr_fail(error, GR_BAD_INPUT, "--name is '%.*s'; expected letters, digits and '_'",
                        GR_CUT(w->name, 80));
    if (!status && w->name && (!*w->name || strlen(w->name) > 200))
        status = gr_fail(error, GR_BAD_INPUT, "--name: expected 1 to 200 characters");
    return status;
}

/* ---- programs ---- */

/* Takes `nodes`. */
static gr_status add_program(work *w, gr_node *nodes, uint32_t count, gr_error *error) {
    gr_exported *more = realloc(w->program, (w->e.programs + 1) * sizeof *more);
    if (!more) {
        free(nodes);
        return gr_fail(error, GR_NO_MEMORY, "no memory for programs");
    }
    w->program = more;
    w->e.program = more;
    more[w->e.programs++] = (gr_exported){.nodes = nodes, .count = count, .slope = 1.0};
    return GR_OK;
}

/* The outputs of a program of several targets, each a program. */
static gr_status add_outputs(work *w, const gr_node *nodes, uint32_t count, gr_error *error) {
    gr_status status = GR_OK;
    uint32_t n = w->e.vocabulary.outputs, first, length;
    for (uint32_t k = 0; k < n && !status; k++) {
        if (!gr_find_output(nodes, count, n, k, &first, &length))
            return gr_fail(error, GR_BAD_INPUT, "best.json: no program of %u target%s", n, gr_s(n));
        gr_node *output = malloc(length * sizeof *output);
        if (!output)
            return gr_fail(error, GR_NO_MEMORY, "no memory for programs");
        memcpy(output, nodes + first, length * sizeof *output);
        status = add_program(w, output, length, error);
    }
    return status;
}

static gr_status add_best(work *w, int64_t run, gr_error *error) {
    const cJSON *best;
    gr_node *nodes;
    uint32_t count;
    gr_status status = gr_finished_best(&w->finished, run, &best, error);
    if (!status)
        status = gr_finished_nodes(&w->finished, best, &nodes, &count, error);
    if (!status && w->e.outputs) {
        status = add_outputs(w, nodes, count, error);
        free(nodes);
        return status;
    }
    if (!status)
        status = add_program(w, nodes, count, error);
    if (status)
        return status;
    gr_exported *p = &w->program[w->e.programs - 1];
    w->e.scaled |= cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(best, "slope"));
    p->intercept = gr_finished_number(best, "intercept", 0.0);
    p->slope = gr_finished_number(best, "slope", 1.0);
    return GR_OK;
}

static gr_status take_result(const wishes *wish, work *w, gr_error *error) {
    uint32_t run = 0;
    gr_status status = gr_finished_open(wish->result, &w->finished, error);
    if (status)
        return status;
    w->e.vocabulary = gr_finished_vocabulary(&w->finished);
    w->e.outputs = w->e.vocabulary.outputs;
    w->e.doubles = gr_finished_doubles(&w->finished);
    w->e.target = gr_finished_targets(&w->finished, w->target);
    snprintf(w->origin, sizeof w->origin, "Written by grampus export from %.*s",
             GR_CUT(wish->result, 400));
    if (!wish->run)
        return add_best(w, -1, error);
    if (strcmp(wish->run, "all") != 0) {
        status = gr_option_whole("run", wish->run, 0, UINT32_MAX, &run, error);
        return status ? status : add_best(w, run, error);
    }
    for (uint32_t k = 0; k < gr_finished_runs(&w->finished) && !status; k++)
        status = add_best(w, k, error);
    return status;
}

static gr_status add_text(work *w, const char *text, const char *where, gr_error *error) {
    gr_node *nodes;
    uint32_t count;
    gr_status status = gr_read_expression(text, where, &w->e.vocabulary, &nodes, &count, error);
    return status ? status : add_program(w, nodes, count, error);
}

/* Lines of `text`, which is cut into them; a name is looked for in all before any is read. */
static gr_status take_lines(const wishes *wish, work *w, char *text, gr_error *error) {
    gr_status status = GR_OK;
    unsigned long number = 0;
    char *rest = text, *line, where[320];
    if (wish->data)
        status = gr_dataset_read(wish->data, NULL, NULL, 0, &w->set, error);
    else
        status = gr_guess_names(text, &w->names, &w->inputs, error);
    w->e.vocabulary = (gr_vocabulary){(const char *const *)(wish->data ? w->set.names : w->names),
                                      wish->data ? w->set.inputs : w->inputs,
                                      wish->boolean,
                                      0,
                                      0,
                                      0};
    while (!status && (line = strsep(&rest, "\n"))) {
        number++;
        snprintf(where, sizeof where, "%.*s",
                 GR_CUT(wish->expressions ? wish->expressions : "--expression", 300));
        if (*line || (wish->expression && number == 1))
            status = add_text(w, line, where, error);
        if (status && wish->expressions && error && error->status == GR_BAD_INPUT) {
            char *told = strdup(error->text + strlen(where));
            if (told && strncmp(told, ":1:", 3) == 0) /* the line is ours to tell */
                snprintf(error->text, sizeof error->text, "%s:%lu%s", where, number, told + 2);
            free(told);
        }
    }
    if (!status && !w->e.programs)
        status = gr_fail(error, GR_BAD_INPUT, "%s: no expression", wish->expressions);
    return status;
}

static gr_status take_expressions(const wishes *wish, work *w, gr_error *error) {
    char *text = NULL;
    size_t length;
    gr_status status = GR_OK;
    if (wish->expressions)
        status = gr_input_read_text(wish->expressions, "expressions, one a line", (size_t)256 << 20,
                                    &text, &length, error);
    else if (!(text = strdup(wish->expression)))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for an expression");
    snprintf(w->origin, sizeof w->origin, "Written by grampus export");
    if (!status)
        status = take_lines(wish, w, text, error);
    free(text);
    return status;
}

static gr_status simplify_all(work *w, gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t k = 0; k < w->e.programs && !status; k++) {
        gr_exported *p = &w->program[k];
        status =
            gr_simplify(p->nodes, p->count, w->e.doubles, &p->simpler, &p->simpler_count, error);
    }
    return status;
}

/* ---- writing ---- */

/* A file is there whole or not at all; a device, a pipe or a link stays what it is, and the text
 * goes where it leads. */
static gr_status put_text(const char *path, const char *text, size_t size, gr_error *error) {
    struct stat info;
    gr_output out;
    if (lstat(path, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode))
        return gr_replace_file(path, text, size, 0, error);
    gr_status status = gr_output_open(&out, path, error);
    if (!status)
        status = gr_output_write(&out, text, size, error);
    gr_status closed = gr_output_close(&out, status ? NULL : error);
    return status ? status : closed;
}

/* The text, or the file that it was written to. */
static gr_status print_json(const gr_format *format, const char *text, const char *path,
                            gr_error *error) {
    cJSON *object = cJSON_CreateObject();
    gr_json_add_text(object, "format", format->word);
    gr_json_add_text(object, path ? "output" : "text", path ? path : text);
    return gr_json_print(object, error);
}

static gr_status write_to(const work *w, const gr_format *format, const wishes *wish,
                          gr_error *error) {
    const char *path = wish->output;
    if (!path && !wish->json)
        return format->write(&w->e, stdout, error);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    gr_status status = out ? format->write(&w->e, out, error) : GR_NO_MEMORY;
    if ((!out || fclose(out) != 0) && status != GR_BAD_INPUT)
        status =
            gr_fail(error, GR_NO_MEMORY, "%s: no memory to write", path ? path : "standard output");
    if (!status && path)
        status = put_text(path, text, size, error);
    if (!status && wish->json)
        status = print_json(format, text, path, error);
    free(text);
    return status;
}

static gr_status unknown_format(const char *word, gr_error *error) {
    const char *names[GR_FORMATS + 1] = {0};
    char hint[64];
    for (int k = 0; k < GR_FORMATS; k++)
        names[k] = gr_formats[k].word;
    gr_nearest_hint(word, names, "", hint, sizeof hint);
    return gr_fail(error, GR_BAD_INPUT, "--format is '%.*s'%s", GR_CUT(word, 80),
                   *hint ? hint : "; expected one of those in grampus export --help");
}

/* Of one program the name stands in the text as it is: not one that C, C++ or Python read as a word
 * of theirs, nor one that the text has for something else, as numbers, arrays and functions. */
static gr_status check_name(const char *name, gr_error *error) {
    static const char taken[] =
        " auto break case char const continue default do double else enum extern float for goto if "
        "inline int long register restrict return short signed sizeof static struct switch typedef "
        "union unsigned void volatile while bool catch class delete explicit export friend mutable "
        "namespace new operator private protected public template this throw true false try "
        "typename "
        "using virtual and or not xor False None True as assert async await def del elif except "
        "finally from global import in is lambda nonlocal pass raise with yield "
        "f np x y holds choose main floor ceil fabs fabsf rint round fma memcpy "
        "by_float in_range power_of exp_of angle_of is_none without_ite sympify sign oo nan zoo "
        "false true max zip Float Integer Rational Symbol Matrix Add Pow Abs Min Max Eq Ne Lt Le "
        "Gt Ge And Or Not Xor ITE Piecewise TypeError ValueError RecursionError ";
    char word[256];
    snprintf(word, sizeof word, " %s ", name);
    int input = *name == 'x' && name[1 + strspn(name + 1, "0123456789")] == '\0';
    int used = input || strstr(taken, word) || strncmp(name, "gr_", 3) == 0 ||
               strncmp(name, "GR_", 3) == 0;
    for (uint32_t op = 0; op < GR_OP_COUNT; op++)
        used |= strcmp(name, gr_operation_name(op)) == 0;
    return used ? gr_fail(error, GR_BAD_INPUT,
                          "--name is '%.*s', which means something else in the text; expected "
                          "another name",
                          GR_CUT(name, 80))
                : GR_OK;
}

static void free_work(work *w) {
    for (uint32_t k = 0; k < w->e.programs; k++) {
        free(w->program[k].nodes);
        free(w->program[k].simpler);
    }
    free(w->program);
    gr_finished_free(&w->finished);
    gr_dataset_free(&w->set);
    gr_free_names(w->names, w->inputs);
}

gr_status gr_command_export(int argc, char **argv, gr_error *error) {
    wishes wish = {.format = "infix", .name = "program"};
    work w = {0};
    gr_status status = take_arguments(argc, argv, &wish, error);
    const gr_format *format = gr_find_format(wish.format);
    if (!status && wish.help) {
        print_help();
        return GR_OK;
    }
    if (!status && !format)
        status = unknown_format(wish.format, error);
    if (!status)
        status = wish.result ? take_result(&wish, &w, error) : take_expressions(&wish, &w, error);
    if (!status && w.e.programs == 1)
        status = check_name(wish.name, error);
    if (!status && wish.simplify)
        status = simplify_all(&w, error);
    w.e.name = wish.name;
    w.e.origin = w.origin;
    if (!status)
        status = write_to(&w, format, &wish, error);
    free_work(&w);
    return status;
}
