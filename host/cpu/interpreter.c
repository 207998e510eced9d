/* Chooses the interpreter for the processor at hand. */
#include "host/cpu/evaluate.h"

#include <stdlib.h>

#define GR_VERSION_OF(isa, name)                                                                   \
    extern gr_cpu_evaluate gr_cpu_evaluate_##isa;                                                  \
    extern gr_cpu_predict gr_cpu_predict_##isa;                                                    \
    extern gr_cpu_derive gr_cpu_derive_##isa;                                                      \
    extern gr_cpu_predict_double gr_cpu_predict_double_##isa;                                      \
    static const gr_cpu_interpreter isa = {name, gr_cpu_evaluate_##isa, gr_cpu_predict_##isa,      \
                                           gr_cpu_derive_##isa, gr_cpu_predict_double_##isa};
GR_VERSION_OF(baseline, "baseline")

#if defined __x86_64__ && !defined GR_ONE_ISA
GR_VERSION_OF(avx2, "AVX2")
GR_VERSION_OF(avx512, "AVX-512")

const gr_cpu_interpreter *gr_cpu_best_interpreter(void) {
    const char *wish = getenv("GRAMPUS_ISA");
    int most = wish && strcmp(wish, "baseline") == 0 ? 0
               : wish && strcmp(wish, "avx2") == 0   ? 1
                                                     : 2;
    if (most >= 2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        return &avx512;
    if (most >= 1 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2;
    return &baseline;
}
#else
const gr_cpu_interpreter *gr_cpu_best_interpreter(void) {
    return &baseline;
}
#endif

void gr_cpu_weigh(gr_cpu_registers *registers, uint32_t threads, const gr_params *weights) {
    for (uint32_t t = 0; t < threads; t++) {
        registers[t].weights = weights ? weights->weighted : 0;
        registers[t].index_mask = weights ? weights->index_mask : 0;
    }
}

gr_cpu_registers *gr_cpu_take_registers(uint32_t threads, const gr_params *weights) {
    gr_cpu_registers *registers = aligned_alloc(64, sizeof *registers * (size_t)threads);
    gr_cpu_weigh(registers, registers ? threads : 0, weights);
    return registers;
}
