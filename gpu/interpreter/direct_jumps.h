/* Direct threaded code: every handler jumps to the next one itself.
 *
 * PTX has jumps by a table only (`brx.idx`), and a table for each handler is more than the constant
 * cache holds. So all handlers go to one jump, which looks the next handler's address up: five
 * instructions, and over 50 cycles that a warp waits, of handlers that have ten to twenty
 * instructions otherwise. Here the linked machine code is mended: the instruction in shared memory
 * holds the handler's address in place of its number, and what went to the common jump jumps
 * itself. Only where all that is looked at is as it was when this was written and tried (compute
 * capability 9.0, the compilers of CUDA 13.0); anything else is left as it is, and goes by the
 * table. */
#ifndef GR_DIRECT_JUMPS_H
#define GR_DIRECT_JUMPS_H

#include "gpu/interpreter/interpreter.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether cards of a compute capability have the instructions that this was written for. */
static inline int gr_has_direct_jumps(int major, int minor) {
    return major == 9 && minor == 0;
}

/* Mends `kernel` of the image, an ELF file of `size` bytes, the interpreter of `code`, whose
 * machine has `direct`, and writes the addresses of its handlers to code->jump. Returns how many
 * jumps are direct; 0: the image is as it was, and code->jump has the handlers' numbers. */
uint32_t gr_jump_directly(void *image, size_t size, const char *kernel, gr_code *code);

#ifdef __cplusplus
}
#endif

#endif
