/* The cases with known answers (../shared/cases/ge) for map_gpu.cu: read by cc, mapped on the
 * device. */
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
    uint32_t words;
} map_cases;

/* Loads NAME.bnf and NAME.jsonl; 0 when the folder is not there; ends the program on damage. */
int map_cases_load(const char *name, uint32_t n_vars, map_cases *cases);
/* The text of the terminals a genome derived; malloc'ed. */
char *map_cases_text(const map_cases *cases, const uint32_t *terminals, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
