/* The generated block of an interpreter and what stands around it, for module.c. */
#ifndef GRAMPUS_INTERPRETER_BLOCK_H
#define GRAMPUS_INTERPRETER_BLOCK_H

#include "gpu/interpreter/interpreter.h"

#include <stdio.h>

/* The block that runs the program in shared memory, zero-terminated; the caller frees it. NULL on
 * failure. */
char *gr_block_write(const gr_machine *machine, gr_code *code);
/* Declarations the block needs at the kernel's beginning. */
void gr_block_registers(FILE *out, const gr_machine *machine);
/* A program begins; `tile` names the register that tells where the lane's first cases stand. */
void gr_block_start(FILE *out, const gr_machine *machine, const char *tile);
/* A pass begins: inputs that stand in registers are read. */
void gr_block_pass(FILE *out, const gr_machine *machine);
/* The cases of the next pass stand on by what the register `bytes` names. */
void gr_block_step(FILE *out, const gr_machine *machine, const char *bytes);
/* Registers of the result, without the number of the case. */
const char *gr_block_result(const gr_machine *machine);

#endif
