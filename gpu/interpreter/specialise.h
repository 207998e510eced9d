/* From a machine to a kernel on the device: generated PTX, linked by the driver, kept on disk.
 * NVRTC would compile C to such a text, and its C has no jump tables; the driver's linker takes
 * 0.12 to 0.38 s for it (H200's machine). */
#ifndef GR_SPECIALISE_H
#define GR_SPECIALISE_H

#include "gpu/backend/error.h"
#include "gpu/interpreter/interpreter.h"

#include <cuda_runtime.h>

typedef struct gr_specialised {
    void *library; /* CUlibrary; unload it last */
    const void *kernel;
    gr_code code;
    double seconds, compiling; /* it took to get it; of these the driver's */
    int cached;                /* it came from disk */
    uint32_t direct;           /* direct jumps (direct_jumps.h) */
    int general;               /* it is the one for all operations */
    const char *refused;       /* why the cache on disk is not used; NULL otherwise */
} gr_specialised;

/* Takes the machine's kernel for the current device from the disk (gpu/backend/cache.h), by content
 * of its text, or compiles it and leaves it there; without `compile` it fails where it does not lie
 * there.
 */
gr_status gr_specialise(const gr_machine *machine, int compile, gr_specialised *out,
                        gr_error *error);
/* The kernel for all operations of a kind that the program carries (gr_general_machine). */
gr_status gr_load_general(const gr_machine *machine, gr_specialised *out, gr_error *error);
/* The kernel over doubles of a machine with `direct`, by name (gr_direct_double_kernel), its jumps
 * mended; 0: the program has none for this device, or not as expected, or no memory. */
int gr_load_double_kernel(const gr_machine *machine, const char *kernel, gr_specialised *out);
void gr_specialised_free(gr_specialised *specialised);

#endif
