#include "tests/gpu/support/map_cases.h"

#include "gpu/core/genotype/depth_first.h"
#include "host/derivation/conventions.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void damaged(const char *path) {
    printf("not ok %s cannot be used\n", path);
    exit(1);
}

static uint32_t number(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItem(object, key);
    return cJSON_IsNumber(item) ? (uint32_t)item->valuedouble : 0;
}

static void add_case(map_cases *cases, const cJSON *line) {
    const cJSON *genome = cJSON_GetObjectItem(line, "genome"), *codon;
    const cJSON *phenotype = cJSON_GetObjectItem(line, "phenotype");
    map_case c = {cases->total,
                  (uint32_t)cJSON_GetArraySize(genome),
                  number(line, "max_wraps"),
                  number(line, "max_depth"),
                  cJSON_IsTrue(cJSON_GetObjectItem(line, "valid")),
                  number(line, "used_codons"),
                  number(line, "depth"),
                  number(line, "nodes"),
                  NULL};
    cases->codons = realloc(cases->codons, (cases->total + c.length) * sizeof *cases->codons);
    cJSON_ArrayForEach(codon, genome) cases->codons[cases->total++] = (uint32_t)codon->valuedouble;
    c.phenotype = cJSON_IsString(phenotype) ? strdup(phenotype->valuestring) : NULL;
    cases->at = realloc(cases->at, (cases->count + 1) * sizeof *cases->at);
    cases->at[cases->count++] = c;
}

/* The lines of the file wanted; 0 when there are none. */
static int read_lines(const char *path, uint32_t wanted, map_cases *cases, uint32_t *capacity) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    *capacity = 0;
    for (uint32_t n = 1; file && getline(&line, &size, file) > 0; n++) {
        if (wanted != MAP_ALL_LINES && n != wanted)
            continue;
        cJSON *object = cJSON_Parse(line);
        if (!object)
            damaged(path);
        add_case(cases, object);
        *capacity = number(object, "max_genome_length");
        cJSON_Delete(object);
    }
    if (file)
        fclose(file);
    free(line);
    return cases->count > 0;
}

int map_cases_load(const map_source *source, uint32_t line, map_cases *cases) {
    gr_grammar_context context = {.n_vars = source->n_vars};
    gr_convention_options options = {.consumption = source->consumption,
                                     .wrap_rule = source->wrap_rule,
                                     .mapping = source->mapping,
                                     .genotype = source->genotype};
    gr_reading reading;
    gr_grammar *grammar;
    gr_error error;
    uint32_t capacity;
    memset(cases, 0, sizeof *cases);
    if (!read_lines(source->lines, line, cases, &capacity))
        return 0;
    if (gr_take_conventions(&options, &reading, &error))
        damaged(error.text);
    if (line != MAP_ALL_LINES) {
        reading.max_wraps = cases->at->max_wraps;
        reading.max_depth = cases->at->max_depth;
    }
    if (capacity)
        reading.max_genome_length = capacity;
    if (gr_load_for(&reading, source->grammar, &context, &grammar, &error))
        damaged(error.text);
    cases->grammar = grammar;
    cases->tables = gr_grammar_tables(grammar, &cases->words);
    cases->convention = reading.convention;
    cases->codon_scratch = gr_depth_first_words(cases->tables, reading.convention);
    return 1;
}

void map_cases_free(map_cases *cases) {
    for (uint32_t i = 0; i < cases->count; i++)
        free(cases->at[i].phenotype);
    free(cases->at);
    free(cases->codons);
    gr_grammar_free(cases->grammar);
}

char *map_cases_text(const map_cases *cases, const uint32_t *derived, uint32_t count) {
    size_t length = 0, size;
    char *text = NULL, number[32];
    FILE *out = open_memstream(&text, &size);
    for (uint32_t i = 0; i < count; i++) {
        const char *piece = gr_grammar_terminal(cases->grammar, derived[2 * i], &length);
        if (gr_grammar_codon_text(cases->grammar, derived[2 * i], derived[2 * i + 1], number)) {
            piece = number;
            length = strlen(number);
        }
        fwrite(piece, 1, length, out);
    }
    fclose(out);
    return text;
}
