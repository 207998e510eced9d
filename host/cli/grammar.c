/* grampus grammar check|show|stats|measure|units|make: a BNF grammar by itself. */
#include "host/base/json.h"
#include "host/base/text.h"
#include "host/cli/commands.h"
#include "host/data/dataset.h"
#include "host/grammar/facts.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEEPEST = 1000, MOST_INPUTS = 1000000 };

static void print_help(void) {
    printf(
        "usage: grampus grammar check|show|stats|measure|units|make FILE [--option value ...]\n\n"
        "  check   loads the grammar, says what is odd about it and whether its sentences are "
        "expressions\n"
        "          (exit code 7: the grammar is sound, but they are none)\n"
        "  show    its rules as they were understood, with depths and recursion; or a picture\n"
        "  stats   how much it can derive, depth by depth\n"
        "  measure by sampling: locality, redundancy, neutral mutants, bias of an initialiser "
        "(see grampus grammar\n"
        "          measure --help)\n"
        "  units   the grammar that the `units` of a run file make\n"
        "  make    a grammar for the inputs of a table (see grampus grammar make --help)\n\n"
        "  --n-vars N       inputs: x0, x1, ... and GE_RANGE:dataset_n_vars\n"
        "  --n-is N         GE_RANGE:dataset_n_is\n"
        "  --n-os N         GE_RANGE:dataset_n_os\n"
        "  --inputs A,B,... names of the inputs\n"
        "  --boolean        the sentences are Boolean expressions\n"
        "  --codon-size N   largest codon, for <GECodonValue[0.0,1.0]> [100000]\n"
        "  --max-depth N    stats: down to this depth [10]\n"
        "  --bnf            show: as a grammar file, every terminal in quotes\n"
        "  --dot            show: in Graphviz' language\n"
        "  --picture FILE   show: drawn by Graphviz' program dot, as .svg, .png or .pdf\n"
        "  --json           one object\n"
        "  -h, --help       this text\n");
}

typedef struct request {
    gr_range_options ranges;
    const char *inputs, *codon_size, *max_depth, *picture;
    int boolean, bnf, dot, json, help;
    gr_grammar_context context;
    uint32_t depth;
    char *names; /* what names[] points into */
    const char **name;
    gr_vocabulary vocabulary;
} request;

typedef struct view {
    const request *r;
    gr_grammar *grammar;
    gr_grammar_facts facts;
    uint32_t token_words; /* of the tables with tokens; 0: no expressions */
    char refused[1024];   /* why they are none */
} view;

/* ---- arguments ---- */

static gr_status take_inputs(request *r, gr_error *error) {
    uint32_t count = 0;
    char *rest, *item;
    if (!r->inputs) {
        r->vocabulary.inputs = r->context.n_vars ? r->context.n_vars : (uint32_t)MOST_INPUTS;
        return GR_OK;
    }
    r->names = strdup(r->inputs);
    r->name = calloc(strlen(r->inputs) + 2, sizeof *r->name);
    if (!r->names || !r->name)
        return gr_fail(error, GR_NO_MEMORY, "no memory for the names of the inputs");
    for (rest = r->names; (item = strsep(&rest, ","));) {
        item = gr_text_trim(item);
        if (!gr_dataset_is_name(item))
            return gr_fail(error, GR_BAD_INPUT,
                           "--inputs has '%.*s'; expected names, as in \"length, angle\"",
                           GR_CUT(item, 80));
        r->name[count++] = item;
    }
    if (r->ranges.n_vars && count != r->context.n_vars)
        return gr_fail(error, GR_BAD_INPUT, "--n-vars is %u, but --inputs names %u; expected one",
                       r->context.n_vars, count);
    r->context.n_vars = r->vocabulary.inputs = count;
    r->vocabulary.names = r->name;
    return GR_OK;
}

static gr_status take_numbers(request *r, gr_error *error) {
    const struct {
        const char *name, *text;
        uint32_t least, most, *value;
    } numbers[] = {
        {"codon-size", r->codon_size, 1, INT32_MAX, &r->context.codon_size},
        {"max-depth", r->max_depth, 1, DEEPEST, &r->depth},
    };
    gr_status status = gr_option_ranges(&r->ranges, &r->context, error);
    for (size_t i = 0; status == GR_OK && i < sizeof numbers / sizeof *numbers; i++)
        status = gr_option_whole(numbers[i].name, numbers[i].text, numbers[i].least,
                                 numbers[i].most, numbers[i].value, error);
    return status;
}

static gr_status take_options(int argc, char **argv, request *r, gr_error *error) {
    const gr_option options[] = {{"n-vars", &r->ranges.n_vars, NULL},
                                 {"n-is", &r->ranges.n_is, NULL},
                                 {"n-os", &r->ranges.n_os, NULL},
                                 {"inputs", &r->inputs, NULL},
                                 {"codon-size", &r->codon_size, NULL},
                                 {"max-depth", &r->max_depth, NULL},
                                 {"picture", &r->picture, NULL},
                                 {"boolean", NULL, &r->boolean},
                                 {"bnf", NULL, &r->bnf},
                                 {"dot", NULL, &r->dot},
                                 {"json", NULL, &r->json},
                                 {"help", NULL, &r->help},
                                 {NULL, NULL, NULL}};
    gr_status status = gr_options_read(argc, argv, options, error);
    if (status == GR_OK && r->bnf + r->dot + (r->picture != NULL) + r->json > 1)
        status = gr_fail(error, GR_BAD_INPUT, "expected one of --bnf, --dot, --picture and --json");
    if (status == GR_OK)
        status = take_numbers(r, error);
    if (status == GR_OK)
        status = take_inputs(r, error);
    r->vocabulary.packed = r->boolean;
    return status;
}

/* ---- check ---- */

static cJSON *warnings_json(const gr_grammar *grammar) {
    cJSON *array = cJSON_CreateArray();
    for (uint32_t i = 0; i < gr_grammar_warnings(grammar); i++)
        cJSON_AddItemToArray(array, cJSON_CreateString(gr_grammar_warning(grammar, i)));
    return array;
}

static cJSON *overview_json(const view *v) {
    cJSON *object = cJSON_CreateObject();
    const gr_grammar_facts *f = &v->facts;
    gr_json_add_text(object, "grammar", gr_grammar_path(v->grammar));
    const struct {
        const char *name;
        uint32_t value;
    } numbers[] = {{"rules", f->rules},
                   {"productions", f->productions},
                   {"symbols", f->symbols},
                   {"terminals", f->terminals},
                   {"recursive_rules", f->recursive_rules},
                   {"unreached_rules", f->unreached_rules},
                   {"repeated_productions", f->repeated},
                   {"most_productions", f->most_productions},
                   {"least_depth", f->rule[0].least_depth}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        cJSON_AddNumberToObject(object, numbers[i].name, numbers[i].value);
    cJSON_AddBoolToObject(object, "expressions", v->token_words != 0);
    gr_json_add_text(object, "no_expressions", v->token_words ? NULL : v->refused);
    cJSON_AddNumberToObject(object, "table_words", v->token_words ? v->token_words : f->words);
    cJSON_AddItemToObject(object, "warnings", warnings_json(v->grammar));
    return object;
}

static gr_status put_json(cJSON *object, gr_error *error) {
    return gr_json_print(object, error);
}

static void print_overview(const view *v) {
    const gr_grammar_facts *f = &v->facts;
    uint32_t words = v->token_words ? v->token_words : f->words;
    printf("grammar      %s\n", gr_grammar_path(v->grammar));
    printf("rules        %u: %u recursive, %u never used\n", f->rules, f->recursive_rules,
           f->unreached_rules);
    printf("productions  %u: at most %u of a rule, %u repeated\n", f->productions,
           f->most_productions, f->repeated);
    printf("terminals    %u\n", f->terminals);
    printf("depth        at least %u\n", f->rule[0].least_depth);
    printf("tables       %u word%s, %s memory of a GPU\n", words, gr_s(words),
           words <= GR_CONSTANT_GRAMMAR ? "constant" : "global");
    if (v->token_words)
        printf("expressions  yes\n");
    else
        printf("expressions  no: %s\n", v->refused);
}

static gr_status check(const view *v, gr_error *error) {
    gr_status status = GR_OK;
    if (v->r->json)
        status = put_json(overview_json(v), error);
    else {
        gr_print_warnings(v->grammar);
        print_overview(v);
    }
    return status || v->token_words
               ? status
               : gr_fail(
                     error, GR_NO_EXPRESSIONS,
                     "%s: a sound grammar, but its sentences are no expressions; expected those "
                     "for a run",
                     gr_grammar_path(v->grammar));
}

void gr_print_warnings(const gr_grammar *grammar) {
    enum { MOST = 20 };
    uint32_t count = gr_grammar_warnings(grammar), shown = count > MOST ? MOST : count;
    for (uint32_t i = 0; i < shown; i++) {
        char line[1024]; /* the path is the user's */
        gr_escape(gr_grammar_warning(grammar, i), line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    if (count > shown)
        fprintf(stderr, "and %u warning%s more; grampus grammar check --json has them all\n",
                count - shown, gr_s(count - shown));
}

/* ---- show ---- */

/* Text of a production, malloc'ed; NULL: no memory. */
static char *production_text(const gr_grammar *grammar, uint32_t production) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    gr_print_production(grammar, production, out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static gr_status show_json(const view *v, gr_error *error) {
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(v->grammar, &words);
    cJSON *object = overview_json(v), *rules = cJSON_AddArrayToObject(object, "rule");
    for (uint32_t r = 0; r < v->facts.rules; r++) {
        const gr_rule_facts *f = &v->facts.rule[r];
        cJSON *rule = cJSON_CreateObject();
        gr_json_add_text(rule, "name", gr_grammar_rule_name(v->grammar, r));
        cJSON_AddBoolToObject(rule, "recursive", f->recursive);
        cJSON_AddBoolToObject(rule, "leads_to_recursion", f->endless);
        cJSON_AddBoolToObject(rule, "reached", f->reached);
        cJSON_AddNumberToObject(rule, "least_depth", f->least_depth);
        cJSON_AddNumberToObject(rule, "uses", f->uses);
        cJSON *list = cJSON_AddArrayToObject(rule, "productions");
        for (uint32_t p = f->first; p < f->first + f->productions; p++) {
            uint32_t word = gr_production(g, p);
            char *text = production_text(v->grammar, p);
            cJSON *item = cJSON_CreateObject();
            if (!text)
                gr_json_lose();
            gr_json_add_text(item, "text", text);
            cJSON_AddNumberToObject(item, "least_depth", GR_PRODUCTION_DEPTH(word) + 1);
            cJSON_AddNumberToObject(item, "nonterminals", GR_PRODUCTION_NONTERMINALS(word));
            cJSON_AddBoolToObject(item, "recursive", (int)GR_PRODUCTION_RECURSIVE(word));
            cJSON_AddItemToArray(list, item);
            free(text);
        }
        cJSON_AddItemToArray(rules, rule);
    }
    return put_json(object, error);
}

static gr_status show_text(const view *v) {
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(v->grammar, &words);
    print_overview(v);
    for (uint32_t r = 0; r < v->facts.rules; r++) {
        const gr_rule_facts *f = &v->facts.rule[r];
        printf("\n<%s>  depth %u%s%s%s\n", gr_grammar_rule_name(v->grammar, r), f->least_depth,
               f->recursive ? ", recursive"
               : f->endless ? ", leads to recursion"
                            : "",
               f->reached ? "" : ", never used", r ? "" : ", start");
        for (uint32_t p = f->first; p < f->first + f->productions; p++) {
            uint32_t word = gr_production(g, p);
            printf("  %5u  depth %u, %u non-terminals%s  ", p - f->first,
                   GR_PRODUCTION_DEPTH(word) + 1, GR_PRODUCTION_NONTERMINALS(word),
                   GR_PRODUCTION_RECURSIVE(word) ? ", recursive" : "");
            gr_print_production(v->grammar, p, stdout);
            putchar('\n');
        }
    }
    return GR_OK;
}

/* The ending of a picture's name as an option of dot; NULL: one that dot is not asked for. */
static const char *picture_kind(const char *path) {
    static const char *const kinds[] = {"-Tsvg", "-Tpng", "-Tpdf"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(dot + 1, kinds[i] + 2) == 0)
            return kinds[i];
    return NULL;
}

/* The graph in a file of its own, which dot reads: no pipe that could break. */
static gr_status draw(const view *v, const char *path, gr_error *error) {
    extern char **environ;
    const char *kind = picture_kind(path);
    FILE *graph = tmpfile();
    posix_spawn_file_actions_t actions;
    pid_t child;
    int code = 0;
    if (!kind || !graph) {
        if (graph)
            fclose(graph);
        return kind ? gr_fail(error, GR_FAILED, "no temporary file: %s", strerror(errno))
                    : gr_fail(error, GR_BAD_INPUT,
                              "--picture is '%.*s'; expected a name that ends in .svg, .png or "
                              ".pdf",
                              GR_CUT(path, 80));
    }
    gr_print_graph(v->grammar, graph);
    int bad = fflush(graph) != 0 || fseek(graph, 0, SEEK_SET) != 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(graph), 0);
    char *arguments[] = {(char *)(uintptr_t) "dot", (char *)(uintptr_t)kind,
                         (char *)(uintptr_t) "-o", (char *)(uintptr_t)path, NULL};
    if (!bad)
        code = posix_spawnp(&child, "dot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    fclose(graph);
    if (bad)
        return gr_fail(error, GR_FAILED, "the graph cannot be written to a temporary file");
    if (code == ENOENT)
        return gr_fail(error, GR_FAILED,
                       "no program dot (Graphviz) here; expected it on PATH, or --dot to print the "
                       "graph");
    while (!code && waitpid(child, &code, 0) < 0 && errno == EINTR)
        ;
    return code ? gr_fail(error, GR_FAILED, "dot failed to draw %.*s", GR_CUT(path, 200)) : GR_OK;
}

static gr_status show(const view *v, gr_error *error) {
    if (v->r->picture)
        return draw(v, v->r->picture, error);
    if (v->r->json)
        return show_json(v, error);
    if (v->r->bnf)
        gr_print_grammar(v->grammar, stdout);
    else if (v->r->dot)
        gr_print_graph(v->grammar, stdout);
    else
        return show_text(v);
    return GR_OK;
}

/* ---- stats ---- */

/* Numbers down to each depth; `most`: what sentences are at most, where they are too many to make.
 */
typedef struct counts {
    gr_count *derivations, *most;
    uint64_t *sentences;
} counts;

static gr_status stats_json(const view *v, const counts *c, gr_error *error) {
    char text[GR_COUNT_TEXT];
    cJSON *object = overview_json(v), *depths = cJSON_AddArrayToObject(object, "depths");
    for (uint32_t d = 1; d <= v->r->depth; d++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddNumberToObject(row, "depth", d);
        gr_json_add_text(row, "derivations", gr_count_print(c->derivations[d], text));
        cJSON_AddBoolToObject(row, "exact", c->derivations[d].is_exact);
        if (isfinite(c->derivations[d].log10))
            cJSON_AddNumberToObject(row, "log10", c->derivations[d].log10);
        else
            cJSON_AddNullToObject(row, "log10");
        if (c->sentences[d] == UINT64_MAX) {
            cJSON_AddNullToObject(row, "sentences");
            gr_json_add_text(row, "sentences_at_most", gr_count_print(c->most[d], text));
        } else
            cJSON_AddNumberToObject(row, "sentences", (double)c->sentences[d]);
        cJSON_AddItemToArray(depths, row);
    }
    return put_json(object, error);
}

static void stats_text(const view *v, const counts *c) {
    char text[GR_COUNT_TEXT];
    print_overview(v);
    printf("\n%5s  %-42s %s\n", "depth", "derivations up to it", "different sentences");
    for (uint32_t d = 1; d <= v->r->depth; d++) {
        printf("%5u  %-42s ", d, gr_count_print(c->derivations[d], text));
        if (c->sentences[d] == UINT64_MAX)
            printf("at most %s\n", gr_count_print(c->most[d], text));
        else
            printf("%llu\n", (unsigned long long)c->sentences[d]);
    }
}

static gr_status stats(const view *v, gr_error *error) {
    uint32_t depth = v->r->depth;
    counts c = {calloc(depth + 1, sizeof *c.derivations), calloc(depth + 1, sizeof *c.most),
                calloc(depth + 1, sizeof *c.sentences)};
    gr_status status =
        c.derivations && c.most && c.sentences
            ? GR_OK
            : gr_fail(error, GR_NO_MEMORY, "no memory for %u depth%s", depth, gr_s(depth));
    if (status == GR_OK)
        status = gr_count_derivations(v->grammar, depth, 0, c.derivations, error);
    if (status == GR_OK)
        status = gr_count_derivations(v->grammar, depth, 1, c.most, error);
    if (status == GR_OK)
        status = gr_count_sentences(v->grammar, depth, c.sentences, error);
    if (status == GR_OK && v->r->json)
        status = stats_json(v, &c, error);
    else if (status == GR_OK)
        stats_text(v, &c);
    free(c.derivations);
    free(c.most);
    free(c.sentences);
    return status;
}

/* ---- the verb ---- */

typedef gr_status action(const view *v, gr_error *error);

static action *find_action(const char *word) {
    static const struct {
        const char *name;
        action *call;
    } actions[] = {{"check", check}, {"show", show}, {"stats", stats}};
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, word) == 0)
            return actions[i].call;
    return NULL;
}

/* Loads, counts, and tries the sentences as expressions. */
static gr_status look(const char *path, view *v, gr_error *error) {
    gr_error refusal = {GR_OK, ""};
    gr_status status = gr_grammar_load(path, &v->r->context, &v->grammar, error);
    if (status == GR_OK)
        status = gr_grammar_find_facts(v->grammar, &v->facts, error);
    if (status != GR_OK)
        return status;
    status = gr_grammar_tokenise(v->grammar, &v->r->vocabulary, &refusal);
    if (status == GR_OK)
        gr_grammar_tables(v->grammar, &v->token_words);
    else if (status != GR_BAD_INPUT)
        return gr_fail(error, status, "%s", refusal.text);
    memcpy(v->refused, refusal.text, sizeof v->refused);
    return GR_OK;
}

gr_status gr_command_grammar(int argc, char **argv, gr_error *error) {
    static const char *const words[] = {"check", "show", "stats", "measure", "units", "make", NULL};
    request r = {.depth = 10};
    char hint[64];
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help();
        return GR_OK;
    }
    int measures = argc > 1 && strcmp(argv[1], "measure") == 0;
    int from_units = argc > 1 && strcmp(argv[1], "units") == 0;
    int makes = argc > 1 && strcmp(argv[1], "make") == 0;
    action *call = argc > 1 ? find_action(argv[1]) : NULL;
    if (argc < 2)
        return gr_fail(error, GR_BAD_INPUT,
                       "no action; expected grampus grammar check|show|stats|measure|units|make "
                       "FILE");
    if (!call && !measures && !from_units && !makes) {
        gr_nearest_hint(argv[1], words, "", hint, sizeof hint);
        return gr_fail(
            error, GR_BAD_INPUT, "grammar %.*s: no such action%s", GR_CUT(argv[1], 80),
            *hint ? hint : "; expected grampus grammar check|show|stats|measure|units|make FILE");
    }
    char verb[24];
    snprintf(verb, sizeof verb, call ? "%s" : "%s %s", argv[0], argv[1]);
    int has_file = argc > 2 && strncmp(argv[2], "-", 1) != 0;
    const char *path = has_file ? argv[2] : NULL;
    argv[1 + has_file] = verb;
    if (measures)
        return gr_measure_grammar(path, argc - 1 - has_file, argv + 1 + has_file, error);
    if (makes)
        return gr_grammar_make(path, argc - 1 - has_file, argv + 1 + has_file, error);
    if (from_units)
        return gr_grammar_from_units(path, argc - 1 - has_file, argv + 1 + has_file, error);
    gr_status status = take_options(argc - 1 - has_file, argv + 1 + has_file, &r, error);
    if (status == GR_OK && r.help)
        print_help();
    else if (status == GR_OK && !path)
        status = gr_fail(
            error, GR_BAD_INPUT,
            "no grammar; expected grampus grammar check|show|stats|measure|units|make FILE");
    else if (status == GR_OK) {
        view v = {.r = &r};
        status = look(path, &v, error);
        if (status == GR_OK)
            status = call(&v, error);
        gr_grammar_facts_free(&v.facts);
        gr_grammar_free(v.grammar);
    }
    free(r.names);
    free(r.name);
    return status;
}
