#include "host/cpu/compile.h"

#include <stdlib.h>

gr_instruction *gr_cpu_compile(const gr_node *nodes, uint32_t count, uint32_t *length) {
    gr_nodes tree = {(gr_node *)(uintptr_t)nodes, 1}; /* compiling only reads them */
    gr_instruction *program = malloc(count * sizeof *program);
    gr_words locations = {malloc((count + 1ull) * sizeof(uint32_t)), 1};
    if (program && locations.at)
        *length = gr_compile(tree, count, locations, program, (gr_lane_group){0, 1});
    else {
        free(program);
        program = NULL;
    }
    free(locations.at);
    return program;
}
