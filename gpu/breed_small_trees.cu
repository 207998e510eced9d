/* Many small trees, a lane each: what lanes do alike takes one instruction for 32 trees. */
#define GR_TREE_LANES 1
#include "breed_trees.cuh"

const void *gr_breed_small_trees_address(void) {
    return (const void *)gr_breed_trees_kernel;
}
