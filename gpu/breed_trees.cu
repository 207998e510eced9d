/* Trees, a warp each. */
#define GR_TREE_LANES 32
#include "breed_trees.cuh"

const void *gr_breed_trees_address(void) {
    return (const void *)gr_breed_trees_kernel;
}
