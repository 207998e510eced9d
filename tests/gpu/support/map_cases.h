/* Cases with known answers for map_gpu.cu: read by cc, mapped on the device. */
#ifndef MAP_CASES_H
#define MAP_CASES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct map_case {
    uint32_t first, length; /* its codons in map_cases.codons */
    uint32_t max_wraps, max_depth;
    int valid;
    uint32_t used, depth, nodes;
    char *phenotype; /* NULL when invalid */
} map_case;

typedef struct map_cases {
    map_case *at;
    uint32_t count;
    uint32_t *codons, total;
    void *grammar;
    const uint32_t *tables;
    uint32_t words, convention;
    uint32_t codon_scratch; /* words a genome needs that is not read depth first */
} map_cases;

/* A grammar, a file of one case a line, and how its genomes are read: texts of settings, NULL for
 * the default. */
typedef struct map_source {
    const char *grammar, *lines;
    uint32_t n_vars;
    const char *consumption, *wrap_rule, *mapping, *genotype;
} map_source;

enum { MAP_ALL_LINES = 0 };

/* Loads all lines, or the one of that number (from 1): where genomes are not read depth first the
 * tables are made for a line's limits. 0 when the file, or the line, is not there; ends the program
 * on damage. */
int map_cases_load(const map_source *source, uint32_t line, map_cases *cases);
void map_cases_free(map_cases *cases);
/* The text of what a genome derived, malloc'ed: `count` pairs of a terminal and the codon its
 * expansion took. */
char *map_cases_text(const map_cases *cases, const uint32_t *derived, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
