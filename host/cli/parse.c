/* grampus parse: phenotypes to genomes, the way back from grampus map. */
#include "host/base/json.h"
#include "host/cli/commands.h"
#include "host/derivation/conventions.h"
#include "host/derivation/derive_back.h"

#include <stdlib.h>
#include <string.h>

static void print_help(void) {
    printf("usage: grampus parse --grammar FILE --phenotypes FILE|- [--option value ...]\n\n"
           "Finds for every phenotype, one a line, a genome that maps to it: a derivation of least "
           "depth, one JSON\narray of codons a line out. Any BNF grammar will do. A line that is "
           "no sentence is told of, "
           "and the others are\nparsed (exit code 2 then).\n\n"
           "  --grammar FILE      BNF grammar\n"
           "  --phenotypes FILE|- sentences; '-' is standard input\n"
           "  --codon-consumption eager|lazy\n"
           "                      lazy: a rule with one production takes no codon [eager]\n"
           "  --wrap-rule codons|ponyge-linear|libge|geva\n"
           "                      what counts as a wrap, of which the genome needs none [codons]\n"
           "  --genotype grammar|structured, --mapping depth-first|pi, --max-depth N, "
           "--max-genome-length N\n"
           "                      as in grampus map\n"
           "  --codon-size N      largest codon, for <GECodonValue[0.0,1.0]> [100000]\n"
           "  --n-vars N, --n-is N, --n-os N\n"
           "                      for GE_RANGE:dataset_n_vars (inputs), _n_is and _n_os\n"
           "  --strings           phenotypes are JSON strings, \"...\", which may hold line ends\n"
           "  --json              one object a line: valid, genome, depth, nodes\n"
           "  -h, --help          this text\n");
}

typedef struct request {
    const char *grammar, *phenotypes, *codon_size;
    gr_range_options ranges;
    gr_convention_options conventions;
    gr_reading reading;
    int json, strings, help;
    gr_bad_lines bad;
    gr_grammar_context context;
    const char *path; /* of the phenotypes, for messages */
    gr_grammar *loaded;
} request;

static gr_status put_json(const gr_derived_back *d, const char *refused, gr_error *error) {
    cJSON *object = cJSON_CreateObject(), *genome;
    cJSON_AddBoolToObject(object, "valid", d->found);
    if (d->found) {
        genome = cJSON_AddArrayToObject(object, "genome");
        for (uint32_t i = 0; i < d->length; i++)
            cJSON_AddItemToArray(genome, cJSON_CreateNumber((double)d->genome[i]));
        cJSON_AddNumberToObject(object, "depth", d->depth);
        cJSON_AddNumberToObject(object, "nodes", d->nodes);
    } else
        cJSON_AddNumberToObject(object, "reached", (double)d->reached);
    if (refused)
        gr_json_add_text(object, "error", refused);
    return gr_json_print(object, error);
}

static void put_text(const gr_derived_back *d) {
    putchar('[');
    for (uint32_t i = 0; i < d->length; i++)
        printf("%s%u", i ? ", " : "", d->genome[i]);
    printf("]\n");
}

/* Where a JSON string has the escape of the character NUL, which would end its text; or NULL. */
static const char *escaped_nul(const char *line, size_t length) {
    for (const char *at = line, *end = line + length; at < end; at++)
        if (*at == '\\') {
            if (end - at >= 6 && memcmp(at + 1, "u0000", 5) == 0)
                return at;
            at++; /* what it escapes, which may be a backslash */
        }
    return NULL;
}

/* The text of a line: as it stands, or a JSON string. malloc'ed. */
static gr_status line_text(const request *r, const char *line, size_t length, unsigned long number,
                           char **text, gr_error *error) {
    const char *end;
    cJSON *json;
    if (!r->strings) {
        *text = strndup(line, length);
        return *text ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for a phenotype");
    }
    json = cJSON_ParseWithLengthOpts(line, length, &end, 0);
    int good = cJSON_IsString(json) && end == line + length;
    const char *nul = good ? escaped_nul(line, length) : NULL;
    *text = good && !nul ? strdup(json->valuestring) : NULL;
    cJSON_Delete(json);
    if (nul)
        return gr_fail(error, GR_BAD_INPUT, "%s:%lu:%zu: a NUL character; expected text", r->path,
                       number, (size_t)(nul - line) + 1);
    if (!*text && (good || gr_json_lost()))
        return gr_fail(error, GR_NO_MEMORY, "no memory for a phenotype");
    return *text ? GR_OK
                 : gr_fail(error, GR_BAD_INPUT,
                           "%s:%lu: no phenotype; expected a JSON string, as in \"x0 + 1\"",
                           r->path, number);
}

static gr_status parse_line(void *context, const char *path, const char *line, size_t length,
                            unsigned long number, gr_error *error) {
    request *r = context;
    r->path = path;
    gr_derived_back derived = {0};
    gr_error reason;
    char *text = NULL;
    while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
        length--;
    gr_status status = line_text(r, line, length, number, &text, error);
    int refused = 0; /* a sentence, maybe, but not one to look for, or of no such genome */
    if (!status) {
        status = gr_derive_back_by(r->loaded, &r->reading, text, strlen(text), &derived, &reason);
        refused = status != GR_OK;
        if (refused)
            gr_fail(error, status, "%s:%lu: %s", r->path, number, reason.text);
    }
    if (!status && !derived.found && !r->json)
        status = gr_fail(error, GR_BAD_INPUT,
                         "%s:%lu:%zu: not a sentence of %s; expected one%s, and no derivation "
                         "agrees with the text beyond here",
                         r->path, number, derived.reached + 1, r->grammar,
                         gr_grammar_is_python(r->loaded)
                             ? " with its blocks in {: and :}, as before they are indented"
                             : "");
    gr_status told = gr_line_fails(&r->bad, status, error);
    if (!told && r->json)
        told = put_json(&derived, status ? error->text : NULL, &reason);
    else if (!told && derived.found)
        put_text(&derived);
    else if (!told)
        printf("invalid: %s\n", refused ? "refused" : "not a sentence");
    if (told && !status)
        *error = reason;
    free(derived.genome);
    free(text);
    return told;
}

static gr_status take_options(int argc, char **argv, request *r, gr_error *error) {
    const gr_option options[] = {{"grammar", &r->grammar, NULL},
                                 {"phenotypes", &r->phenotypes, NULL},
                                 {"codon-size", &r->codon_size, NULL},
                                 {"codon-consumption", &r->conventions.consumption, NULL},
                                 {"wrap-rule", &r->conventions.wrap_rule, NULL},
                                 {"mapping", &r->conventions.mapping, NULL},
                                 {"genotype", &r->conventions.genotype, NULL},
                                 {"max-depth", &r->conventions.max_depth, NULL},
                                 {"max-genome-length", &r->conventions.max_genome_length, NULL},
                                 {"n-vars", &r->ranges.n_vars, NULL},
                                 {"n-is", &r->ranges.n_is, NULL},
                                 {"n-os", &r->ranges.n_os, NULL},
                                 {"strings", NULL, &r->strings},
                                 {"json", NULL, &r->json},
                                 {"help", NULL, &r->help},
                                 {NULL, NULL, NULL}};
    gr_status status = gr_options_read(argc, argv, options, error);
    if (status || r->help)
        return status;
    if (!r->grammar || !r->phenotypes)
        return gr_fail(error, GR_BAD_INPUT,
                       "no --%s; expected grampus parse --grammar FILE --phenotypes FILE",
                       r->grammar ? "phenotypes" : "grammar");
    status = gr_take_conventions(&r->conventions, &r->reading, error);
    if (!status)
        status = gr_option_whole("codon-size", r->codon_size, 1, INT32_MAX, &r->context.codon_size,
                                 error);
    return status ? status : gr_option_ranges(&r->ranges, &r->context, error);
}

gr_status gr_command_parse(int argc, char **argv, gr_error *error) {
    request r = {0};
    gr_status status = take_options(argc, argv, &r, error);
    if (!status && r.help) {
        print_help();
        return GR_OK;
    }
    if (!status)
        status = gr_load_for(&r.reading, r.grammar, &r.context, &r.loaded, error);
    if (!status)
        status = gr_lines_end(
            &r.bad, gr_each_line(r.phenotypes, "phenotypes", parse_line, &r, error), error);
    gr_grammar_free(r.loaded);
    return status;
}
