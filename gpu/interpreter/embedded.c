/* The PTX that the build makes of primitives.cu and evaluate.cu, as text in the program. */
#include "gpu/interpreter/embedded.h"

#define GR_EMBED(name, file)                                                                       \
    __asm__(".pushsection .rodata\n.hidden " #name "\n.global " #name "\n" #name                   \
            ":\n.incbin \"" file "\"\n.byte 0\n.popsection\n")
GR_EMBED(gr_primitives_ptx, GR_PTX "/interpreter/primitives.ptx");
GR_EMBED(gr_evaluate_ptx, GR_PTX "/kernels/evaluate.ptx");
