#include "map_cases.h"

#include "../../../host/grammar.h"

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

int map_cases_load(const char *name, uint32_t n_vars, map_cases *cases) {
    const char *folder = getenv("GRAMPUS_SHARED") ? getenv("GRAMPUS_SHARED") : "../shared";
    char path[1024], *line = NULL;
    size_t room = 0;
    gr_grammar_context context = {.n_vars = n_vars};
    gr_grammar *grammar;
    gr_error error;
    memset(cases, 0, sizeof *cases);
    snprintf(path, sizeof path, "%s/cases/ge/%s.jsonl", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    while (getline(&line, &room, file) > 0) {
        cJSON *object = cJSON_Parse(line);
        if (!object)
            damaged(path);
        add_case(cases, object);
        cJSON_Delete(object);
    }
    fclose(file);
    free(line);
    snprintf(path, sizeof path, "%s/cases/ge/%s.bnf", folder, name);
    if (gr_grammar_load(path, &context, &grammar, &error))
        damaged(error.text);
    cases->grammar = grammar;
    cases->tables = gr_grammar_tables(grammar, &cases->words);
    return 1;
}

char *map_cases_text(const map_cases *cases, const uint32_t *terminals, uint32_t count) {
    size_t length = 0, room = 1;
    char *text = NULL;
    for (uint32_t pass = 0; pass < 2; pass++) {
        length = 0;
        for (uint32_t i = 0; i < count; i++) {
            size_t piece;
            const char *from = gr_grammar_terminal(cases->grammar, terminals[i], &piece);
            if (pass)
                memcpy(text + length, from, piece);
            length += piece;
        }
        if (!pass)
            text = calloc(room + length, 1);
    }
    return text;
}
