/* Every operation over doubles on the device against the same headers on the CPU: bit for bit, NaN
 * for NaN, over special values, doubles of any bits and moderate ones. One at a time; as kernel 2
 * has them, eight cases a lane, of which some go side by side; and those of the jump table in
 * programs, from every place where an operand may stand, in either order. */
#include "gpu/core/program/evaluate.h"
#include "tests/gpu/support/operations_double.h"
#include "tests/gpu/support/operations_reference.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "gpu/kernels/generation_double.cuh"

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

/* ---- the jump table ---- */

enum { LEVELS = 2, CHUNK_DOUBLES = 2 * GR_CHUNK, FORMS = 6 };

/* A program of two inputs, for all chunks of them: a warp a pass of a chunk, whose tile stands in
 * shared memory or does not. */
template <int K, int SHARED, int JUMPS>
static __global__ void run_program(const uint2 *program, uint32_t length, const double *tiles,
                                   double *out) {
    extern __shared__ double2 dynamic[];
    __shared__ uint2 buffers[4][GR_BUFFER];
    __shared__ double2 stacks[4][LEVELS * (K / 2) * GR_LANES];
    const double *tile = tiles + blockIdx.x * CHUNK_DOUBLES;
    uint32_t warp = threadIdx.x / GR_LANES, lane = threadIdx.x % GR_LANES;
    if (SHARED)
        gr_load_doubles(tile, (double *)dynamic, CHUNK_DOUBLES);
    gr_program_jumping<JUMPS> jumping = {program, buffers[warp], 0, 0, stacks[warp], LEVELS};
    gr_take_means(jumping, NULL, gr_bring_tables<JUMPS>());
    __syncthreads();
    for (uint32_t from = warp * GR_LANES * K; from < GR_CHUNK; from += 4 * GR_LANES * K) {
        double acc[K];
        gr_run_doubles<K, SHARED>(
            jumping, length, gr_first_case<SHARED>(SHARED ? (const double *)dynamic : tile, from),
            acc);
        for (int k = 0; k < K; k++)
            out[blockIdx.x * GR_CHUNK + from + k / 4 * 128 + 4 * lane + k % 4] = acc[k];
    }
}

static void must(cudaError_t code, const char *what) {
    if (code != cudaSuccess) {
        printf("not ok %s: %s\n", what, cudaGetErrorString(code));
        exit(1);
    }
}

static const double special[] = {0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 HUGE_VAL,
                                 -HUGE_VAL,
                                 NAN,
                                 0x1p-1074,
                                 -0x1p-1074,
                                 0x1p-1022,
                                 0x1p1022,
                                 0x1.8p1022,
                                 0x1p1023,
                                 -0x1p1023,
                                 0.5,
                                 2.0,
                                 -3.0,
                                 709.8,
                                 -745.2,
                                 0x1p30,
                                 0x1.8p30,
                                 0x1p53,
                                 1e22,
                                 -1e300,
                                 0x1p-28,
                                 0.001,
                                 1048575.625,
                                 0x1.5p-600,
                                 0x1p-969,
                                 0x1.921fb54442d18p0,
                                 0x1.921fb54442d18p1,
                                 -0x1.2d97c7f3321d2p2,
                                 0x1p22,
                                 0x1.0000000000001p22,
                                 -0x1.fffffffffffffp21,
                                 708.0,
                                 -708.5,
                                 710.0,
                                 -746.0,
                                 0x1p1017,
                                 -0x1.fffffffffffffp1016,
                                 0x1.8p-1023};
enum { SPECIALS = sizeof special / sizeof *special, PAIRS = SPECIALS * SPECIALS, APART = 256 };

/* Operand `which` of the pair; the third of three is any. */
static double special_of(int which, size_t pair) {
    return special[which == 0   ? pair % SPECIALS
                   : which == 1 ? pair / SPECIALS
                                : (pair * 7 + 3) % SPECIALS];
}

/* Special values against each other, many of a warp's cases at a time; then each pair alone among
 * the cases of a warp, since one that goes another way takes all of them with it; then random bits
 * and random moderate values in turn. */
static std::vector<double> operands(size_t n, int which) {
    std::vector<double> values(n);
    uint64_t state = ((uint32_t)which + 1) * 2654435761ull + 88172645463325252ull;
    for (size_t i = 0; i < n; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        uint64_t bits = state;
        size_t group = i / APART, first = PAIRS / APART + 1;
        bool alone = group >= first && group - first < PAIRS;
        size_t pair = alone ? group - first : i;
        if (i % 2 || alone) /* exponents from 2^-32 to 2^31 */
            bits = (bits & 0x800fffffffffffffull) | (991 + (bits >> 52) % 64) << 52;
        memcpy(&values[i], &bits, 8);
        if (i < PAIRS || (alone && i % APART == pair % APART))
            values[i] = special_of(which, pair);
    }
    return values;
}

static int same(double x, double y) {
    return (x != x && y != y) || memcmp(&x, &y, 8) == 0;
}

enum { CASE_COUNT = 1 << 20 };
static int passed, failed;

static void tell(uint32_t op, const char *how, const std::vector<double> *host,
                 const std::vector<double> &out, const std::vector<double> &expected) {
    size_t i = 0;
    while (i < out.size() && same(out[i], expected[i]))
        i++;
    passed += i == out.size();
    failed += i < out.size();
    if (i < out.size())
        printf("not ok %s of %a, %a, %a%s: GPU %a, CPU %a\n", reference_name(op), host[0][i],
               host[1][i], host[2][i], how, out[i], expected[i]);
}

static bool has_handler(uint32_t op) {
#define GR_HAS_HANDLER(id) case GR_##id:
    switch (op) {
        GR_DOUBLE_UNARY(GR_HAS_HANDLER)
        GR_DOUBLE_FUNCTIONS(GR_HAS_HANDLER)
        return true;
    }
#undef GR_HAS_HANDLER
    return op <= GR_DIV || op == GR_PDIV;
}

/* The operations of the jump table. */
static void try_programs(uint32_t op, const double *tiles, double *device_out,
                         const std::vector<double> *host, std::vector<double> &out,
                         const std::vector<double> &expected) {
    static uint2 *device_program;
    if (!device_program)
        must(cudaMalloc((void **)&device_program, REFERENCE_PROGRAM * sizeof(uint2)), "memory");
    bool unary = reference_arity(op) == 1;
    std::vector<double> others(expected), sums(expected);
    if (unary)
        reference_apply_double(op, host[1].data(), host[0].data(), host[2].data(), others.data(),
                               (uint32_t)others.size());
    for (int place = 0; place < REFERENCE_PLACES; place++)
        for (int left = 0; left < 2 - unary; left++)
            for (int form = 0; form < FORMS; form++) {
                for (size_t i = 0; unary && i < sums.size(); i++)
                    sums[i] = place == REFERENCE_AT_INPUT  ? expected[i]
                              : place == REFERENCE_AT_KEPT ? expected[i] + host[1][i]
                                                           : expected[i] + others[i];
                gr_instruction program[REFERENCE_PROGRAM];
                uint32_t length = reference_program_double(op, place, left, program);
                must(cudaMemcpy(device_program, program, sizeof program, cudaMemcpyHostToDevice),
                     "copy");
                decltype(&run_program<8, 0, 1>) forms[FORMS] = {
                    run_program<8, 0, GR_JUMPS_TO_CHEAP>,
                    run_program<8, 1, GR_JUMPS_TO_CHEAP>,
                    run_program<4, 0, GR_JUMPS_TO_CHEAP>,
                    run_program<4, 1, GR_JUMPS_TO_CHEAP>,
                    run_program<4, 0, GR_JUMPS_TO_FUNCTIONS>,
                    run_program<4, 1, GR_JUMPS_TO_FUNCTIONS>};
                auto kernel = forms[form];
                kernel<<<CASE_COUNT / GR_CHUNK, 4 * GR_LANES, CHUNK_DOUBLES * sizeof(double)>>>(
                    device_program, length, tiles, device_out);
                must(cudaGetLastError(), "launch");
                must(cudaMemcpy(out.data(), device_out, CASE_COUNT * sizeof(double),
                                cudaMemcpyDeviceToHost),
                     "copy back");
                char how[64];
                snprintf(how, sizeof how, ", place %d, left %d, form %d", place, left, form);
                tell(op, how, host, out, sums);
            }
}

int main() {
    const uint32_t n = CASE_COUNT;
    std::vector<double> host[3] = {operands(n, 0), operands(n, 1), operands(n, 2)}, out(n),
                        expected(n), tiled(2 * (size_t)n);
    double *device[4], *tiles;
    for (int k = 0; k < 4; k++)
        must(cudaMalloc((void **)&device[k], n * sizeof(double)), "memory");
    must(cudaMalloc((void **)&tiles, 2 * n * sizeof(double)), "memory");
    for (int k = 0; k < 3; k++)
        must(cudaMemcpy(device[k], host[k].data(), n * sizeof(double), cudaMemcpyHostToDevice),
             "copy");
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 2; k++)
            tiled[(i / GR_CHUNK * 2 + k) * GR_CHUNK + i % GR_CHUNK] = host[k][i];
    must(cudaMemcpy(tiles, tiled.data(), 2 * n * sizeof(double), cudaMemcpyHostToDevice), "copy");
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
            tell(op, way ? ", one of some cases" : "", host, out, expected);
        }
        if (has_handler(op) || op == GR_AQ)
            try_programs(op, tiles, device[3], host, out, expected);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
