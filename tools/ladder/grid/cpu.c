#include "tools/ladder/grid/grid.h"

#include "gpu/core/program/evaluate.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

/* GPOCL's interpreter, its switch made of the functions in use (section 5.4). */
#define INTERPRETER(name, operations)                                                              \
    static inline float name(const uint32_t *program, const float *x) {                            \
        float stack[64];                                                                           \
        int sp = 0;                                                                                \
        for (;;)                                                                                   \
            switch (*program++) {                                                                  \
            case LADDER_END:                                                                       \
                return stack[0];                                                                   \
            case GR_CONSTANT:                                                                      \
                stack[sp++] = gr_bits_float(*program++);                                           \
                break;                                                                             \
            case GR_INPUT:                                                                         \
                stack[sp++] = x[*program++];                                                       \
                break;                                                                             \
                operations default : __builtin_unreachable();                                      \
            }                                                                                      \
    }
#define TAKES_1(id)                                                                                \
    case GR_##id:                                                                                  \
        stack[sp - 1] = gr_apply(GR_##id, stack[sp - 1], 0.0f, 0.0f);                              \
        break;
#define TAKES_2(id)                                                                                \
    case GR_##id:                                                                                  \
        sp--;                                                                                      \
        stack[sp - 1] = gr_apply(GR_##id, stack[sp - 1], stack[sp], 0.0f);                         \
        break;
#define TAKES_3(id)                                                                                \
    case GR_##id:                                                                                  \
        sp -= 2;                                                                                   \
        stack[sp - 1] = gr_apply(GR_##id, stack[sp - 1], stack[sp], stack[sp + 1]);                \
        break;
INTERPRETER(run_regression, TAKES_2(ADD) TAKES_2(SUB) TAKES_2(MUL) TAKES_2(DIV) TAKES_1(NEG)
                                TAKES_1(SIN) TAKES_1(COS))
INTERPRETER(run_classification,
            TAKES_3(IF) TAKES_2(EQ) TAKES_2(LT) TAKES_2(GT) TAKES_2(AND) TAKES_2(OR) TAKES_1(NOT))

double ladder_cpu_run(ladder_set set, const ladder_code *rpn, uint32_t programs,
                      const ladder_cpu_cases *cases, uint32_t used, int threads, double *sums) {
    double start = omp_get_wtime();
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (uint32_t i = 0; i < programs; i++) {
        const uint32_t *program = rpn->words + rpn->first[i];
        float error = 0.0f;
        for (uint32_t c = 0; c < used; c++) {
            const float *x = cases->x + (size_t)c * cases->inputs;
            float output = set == LADDER_REGRESSION ? run_regression(program, x)
                                                    : run_classification(program, x);
            error += fabsf(output - cases->y[c]);
        }
        sums[i] = (double)error;
    }
    return omp_get_wtime() - start;
}

gr_status ladder_cpu_cases_make(const ladder_columns *columns, ladder_cpu_cases *cases,
                                gr_error *error) {
    uint32_t n = columns->cases, m = columns->inputs;
    *cases =
        (ladder_cpu_cases){malloc((size_t)n * m * sizeof(float)), malloc(n * sizeof(float)), m, n};
    if (!cases->x || !cases->y) {
        ladder_cpu_cases_free(cases);
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u cases", n);
    }
    for (uint32_t c = 0; c < n; c++) {
        for (uint32_t k = 0; k < m; k++)
            cases->x[(size_t)c * m + k] = columns->at[(size_t)k * columns->stride + c];
        cases->y[c] = columns->at[(size_t)m * columns->stride + c];
    }
    return GR_OK;
}

void ladder_cpu_cases_free(ladder_cpu_cases *cases) {
    free(cases->x);
    free(cases->y);
    *cases = (ladder_cpu_cases){0};
}

double ladder_rapl(void) {
    double joules = 0.0;
    for (int package = 0; package < 8; package++) {
        char path[80];
        unsigned long long microjoules;
        snprintf(path, sizeof path, "/sys/class/powercap/intel-rapl:%d/energy_uj", package);
        FILE *file = fopen(path, "r");
        if (!file)
            return package ? joules : (double)NAN;
        int read = fscanf(file, "%llu", &microjoules);
        fclose(file);
        if (read != 1)
            return (double)NAN;
        joules += 1e-6 * (double)microjoules;
    }
    return joules;
}
