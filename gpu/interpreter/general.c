/* The interpreters for all operations, and those over doubles, compiled by the build, in the
 * program. */
#include "gpu/interpreter/embedded.h"

#define GR_EMBED(name, file)                                                                       \
    extern const char name[];                                                                      \
    __asm__(".pushsection .rodata\n.balign 16\n.hidden " #name "\n.global " #name "\n" #name       \
            ":\n.incbin \"" file "\"\n.byte 0\n.popsection\n")
#define GR_GENERAL(k)                                                                              \
    GR_EMBED(gr_general_image_##k, GR_PTX "/interpreter/general_" #k ".fatbin");                   \
    GR_EMBED(gr_general_code_##k, GR_PTX "/interpreter/general_" #k ".code")
GR_GENERAL(0);
GR_GENERAL(1);
GR_GENERAL(2);
GR_GENERAL(3);
GR_GENERAL(4);
GR_GENERAL(5);
GR_GENERAL(6);
GR_GENERAL(7);
GR_GENERAL(8);
GR_GENERAL(9);

const gr_general gr_generals[GR_GENERALS] = {
    {gr_general_image_0, gr_general_code_0}, {gr_general_image_1, gr_general_code_1},
    {gr_general_image_2, gr_general_code_2}, {gr_general_image_3, gr_general_code_3},
    {gr_general_image_4, gr_general_code_4}, {gr_general_image_5, gr_general_code_5},
    {gr_general_image_6, gr_general_code_6}, {gr_general_image_7, gr_general_code_7},
    {gr_general_image_8, gr_general_code_8}, {gr_general_image_9, gr_general_code_9},
};

__asm__(".pushsection .rodata\n.balign 16\n.hidden gr_doubles_image, gr_doubles_image_end\n"
        ".global gr_doubles_image, gr_doubles_image_end\ngr_doubles_image:\n"
        ".incbin \"" GR_PTX "/kernels/direct_double.cubin\"\n"
        "gr_doubles_image_end:\n.byte 0\n.popsection\n");
