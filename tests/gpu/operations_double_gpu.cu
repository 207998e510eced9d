/* Every operation over doubles on the device against the same headers on the CPU: bit for bit, NaN
 * for NaN, over special values, doubles of any bits and moderate ones. One at a time, and as kernel
 * 2 has them, eight cases a lane, of which some go side by side. */
#include "gpu/core/program/evaluate.h"
#include "tests/gpu/support/operations_double.h"
#include "tests/gpu/support/operations_reference.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "gpu/kernels/evaluate_double.cuh"

#undef gr_div
#undef gr_sin
#undef gr_cos
#undef gr_tan
#define gr_div(a, b) ((a) / (b))
#define gr_sin gr_sin_d
#define gr_cos gr_cos_d
#define gr_tan gr_tan_d

static __global__ void apply(uint32_t op, const double *x, const double *y, const double *z,
                             double *out, uint32_t n) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i], b = y[i], c = z[i];
    (void)b, (void)c;
    switch (op) {
#define GR_OP1(id, names, class, exact, fast)                                                      \
    case GR_##id:                                                                                  \
        out[i] = exact;                                                                            \
        break;
#define GR_OP2(id, names, symbol, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#define GR_OP3(id, names, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#include "gpu/core/base/ops.def"
    default:
        out[i] = 0.0;
    }
}

enum { CASES = 8 };

/* The same, CASES a lane; `left`: x is the operand beside the accumulator. Three operands are not
 * for this. */
static __global__ void apply_to_cases(uint32_t op, bool left, const double *x, const double *y,
                                      double *out, uint32_t n) {
    uint32_t first = (blockIdx.x * blockDim.x + threadIdx.x) * CASES;
    double acc[CASES], other[CASES];
    if (first >= n)
        return;
    for (int k = 0; k < CASES; k++) {
        acc[k] = left ? y[first + k] : x[first + k];
        other[k] = left ? x[first + k] : y[first + k];
    }
    if (op <= GR_MUL)
        gr_apply_doubles<CASES, true>(op, left, acc, other);
    else
        gr_apply_doubles<CASES, false>(op, left, acc, other);
    for (int k = 0; k < CASES; k++)
        out[first + k] = acc[k];
}

static void must(cudaError_t code, const char *what) {
    if (code != cudaSuccess) {
        printf("not ok %s: %s\n", what, cudaGetErrorString(code));
        exit(1);
    }
}

static const double special[] = {
    0.0,      -0.0,      1.0,         -1.0,       HUGE_VAL, -HUGE_VAL,
    NAN,      0x1p-1074, -0x1p-1074,  0x1p-1022,  0x1p1022, 0x1.8p1022,
    0x1p1023, -0x1p1023, 0.5,         2.0,        -3.0,     709.8,
    -745.2,   0x1p30,    0x1.8p30,    0x1p53,     1e22,     -1e300,
    0x1p-28,  0.001,     1048575.625, 0x1.5p-600, 0x1p-969, 0x1.921fb54442d18p0};
enum { SPECIALS = sizeof special / sizeof *special, PAIRS = SPECIALS * SPECIALS };

/* Operand `which` of the pair; the third of three is any. */
static double special_of(int which, size_t pair) {
    return special[which == 0   ? pair % SPECIALS
                   : which == 1 ? pair / SPECIALS
                                : (pair * 7 + 3) % SPECIALS];
}

/* Special values against each other, many of a lane's cases at a time; then each pair alone among
 * cases that are not special, since one that goes another way takes all of its lane with it; then
 * random bits and random moderate values in turn. */
static std::vector<double> operands(size_t n, int which) {
    std::vector<double> values(n);
    uint64_t state = ((uint32_t)which + 1) * 2654435761ull + 88172645463325252ull;
    for (size_t i = 0; i < n; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        uint64_t bits = state;
        size_t pair = i < PAIRS ? i : (i / CASES - PAIRS / CASES - 1) % PAIRS;
        bool alone = i >= PAIRS && i / CASES - PAIRS / CASES - 1 < PAIRS;
        if (i % 2 || alone) /* exponents from 2^-32 to 2^31 */
            bits = (bits & 0x800fffffffffffffull) | (991 + (bits >> 52) % 64) << 52;
        memcpy(&values[i], &bits, 8);
        if (i < PAIRS || (alone && i % CASES == pair % CASES))
            values[i] = special_of(which, pair);
    }
    return values;
}

static int same(double x, double y) {
    return (x != x && y != y) || memcmp(&x, &y, 8) == 0;
}

int main() {
    const uint32_t n = 1 << 20;
    int passed = 0, failed = 0;
    std::vector<double> host[3] = {operands(n, 0), operands(n, 1), operands(n, 2)}, out(n),
                        expected(n);
    double *device[4];
    for (int k = 0; k < 4; k++)
        must(cudaMalloc((void **)&device[k], n * sizeof(double)), "memory");
    for (int k = 0; k < 3; k++)
        must(cudaMemcpy(device[k], host[k].data(), n * sizeof(double), cudaMemcpyHostToDevice),
             "copy");
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++) {
        if (reference_is_word(op))
            continue;
        reference_apply_double(op, host[0].data(), host[1].data(), host[2].data(), expected.data(),
                               n);
        int ways = reference_arity(op) == 3 ? 1 : (int)reference_arity(op) + 1;
        for (int way = 0; way < ways; way++) {
            if (way == 0)
                apply<<<n / 256, 256>>>(op, device[0], device[1], device[2], device[3], n);
            else
                apply_to_cases<<<n / 256 / CASES, 256>>>(op, way == 2, device[0], device[1],
                                                         device[3], n);
            must(cudaGetLastError(), "launch");
            must(cudaMemcpy(out.data(), device[3], n * sizeof(double), cudaMemcpyDeviceToHost),
                 "copy back");
            uint32_t i = 0;
            while (i < n && same(out[i], expected[i]))
                i++;
            passed += i == n;
            failed += i < n;
            if (i < n)
                printf("not ok %s of %a, %a, %a%s: GPU %a, CPU %a\n", reference_name(op),
                       host[0][i], host[1][i], host[2][i], way ? ", one of some cases" : "", out[i],
                       expected[i]);
        }
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
