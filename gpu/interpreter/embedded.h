/* What the build makes for the interpreter and the program carries. */
#ifndef GRAMPUS_EMBEDDED_H
#define GRAMPUS_EMBEDDED_H

#ifdef __cplusplus
extern "C" {
#endif

/* PTX that the build embeds: primitives.cu and evaluate.cu. */
extern const char gr_primitives_ptx[], gr_evaluate_ptx[];

/* Kernels for all operations of a kind, compiled by the build for its architectures: a fat binary
 * and its gr_code, by gr_general_number: 2 * values + shared, from 6 on those that add errors only.
 */
#define GR_GENERALS 10
typedef struct gr_general {
    const void *image, *code;
} gr_general;
extern const gr_general gr_generals[GR_GENERALS];

/* The kernels of direct_double.cu for compute capability 9.0, an ELF file; empty where the build is
 * not for that. */
extern const char gr_doubles_image[], gr_doubles_image_end[];

#ifdef __cplusplus
}
#endif

#endif
