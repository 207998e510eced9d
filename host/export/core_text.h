/* The core's arithmetic as text: the functions that a program in C or CUDA calls, and what they
 * call themselves, out of gpu/core/base. So what is exported is what the engine runs. */
#ifndef GRAMPUS_CORE_TEXT_H
#define GRAMPUS_CORE_TEXT_H

#include "gpu/backend/error.h"

#include <stdio.h>

/* Writes what the identifiers in `wanted`, any text, need. cuda: as nvcc compiles it, otherwise as
 * cc does. doubles: of the functions over doubles, not of those over floats. */
gr_status gr_write_core_text(FILE *out, const char *wanted, int cuda, int doubles, gr_error *error);

#endif
