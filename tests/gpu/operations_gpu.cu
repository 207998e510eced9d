/* Every operation and the random numbers on the device against the same headers on the CPU: bit for
 * bit, NaN for NaN, over special values, structured and random operands, also one behind another as
 * in evolved programs. nvcc compiles the core for the device alone; the CPU's side is
 * support/operations_reference.c. */
#include "gpu/core/base/rng.h"
#include "gpu/core/program/evaluate.h"
#include "tests/gpu/support/operations_reference.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static __global__ void apply(uint32_t op, uint32_t outer, const float *a, const float *b,
                             const float *c, float *out, uint32_t n) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float inner = gr_apply(op, a[i], b[i], c[i]);
    out[i] = outer ? gr_apply(outer, inner, b[i], c[i]) : inner;
}

static __global__ void draw(const uint32_t *counter, uint32_t *out, uint32_t n) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const uint32_t *c = counter + 6 * i;
    gr_block block = gr_philox(c[0], c[1], c[2], c[3], c[4], c[5]);
    for (int k = 0; k < 4; k++)
        out[4 * i + k] = block.word[k];
}

static __device__ bool differs(float x, float y) {
    return __float_as_uint(x) != __float_as_uint(y) && !(x != x && y != y);
}

/* A number of any sign and mantissa, its magnitude from 2^-60 to 2^60; or, where `special` is not
 * 0, one of 0, infinity and NaN. */
static __device__ float operand(uint32_t bits, uint32_t special) {
    uint32_t exponent = 67 + (bits >> 8 & 0xffu) % 120, sign = bits & 0x80000000u;
    uint32_t mantissa = (bits * 2654435761u) >> 9;
    if (special)
        return __uint_as_float(sign | (special == 1   ? 0u
                                       : special == 2 ? 0x7f800000u
                                                      : 0x7fffffffu));
    return __uint_as_float(sign | (exponent << 23 | mantissa));
}

static __device__ void count_if(unsigned long long *count, bool yes) {
    if (yes)
        atomicAdd(count, 1ull);
}

/* Forms of operations that hold for most operands only (ops.def) against the whole ones: sin, cos,
 * tan and log of all floats, and as many quotients. wrong: [5]. */
static __global__ void compare_forms(unsigned long long *wrong) {
    uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t k = blockIdx.x * blockDim.x + threadIdx.x; k < 1ull << 32; k += threads) {
        float x = __uint_as_float((uint32_t)k), m = fabsf(x);
        uint32_t h = (uint32_t)(k * 0x9e3779b97f4a7c15ull >> 32), g = h * 0x85ebca6bu ^ h >> 15;
        uint32_t odd = k % 16 == 0;
        float a = operand(h, odd ? h >> 3 & 3u : 0), b = operand(g, odd ? g >> 5 & 3u : 0);
        if (!(m > GR_TRIG_LIMIT && m < GR_INFINITY)) {
            count_if(wrong, differs(gr_sin_common(x), gr_sin(x)));
            count_if(wrong + 1, differs(gr_cos_common(x), gr_cos(x)));
            count_if(wrong + 2, differs(gr_tan_common(x), gr_tan(x)));
        }
        if (m == 0.0f || !(m < 0x1p-126f))
            count_if(wrong + 3, differs(gr_log_common(x), gr_log(x)));
        count_if(wrong + 4, differs(gr_div_common(a, b), gr_div(a, b)) ||
                                (!odd && differs(gr_div_plain(a, b), gr_div(a, b))));
    }
}

static void must(cudaError_t code, const char *what) {
    if (code != cudaSuccess) {
        printf("not ok %s: %s\n", what, cudaGetErrorString(code));
        exit(1);
    }
}

/* Special values, then random bits, random moderate values. */
static std::vector<float> operands(size_t n, uint32_t seed) {
    static const uint32_t special[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                       0xff800000, 0x7fc00000, 0xffc00000, 0x7fffffff, 0x00000001,
                                       0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
                                       0x3f000000, 0x40000000, 0xc0400000, 0x42b17218, 0xc2b17218,
                                       0x4b800000, 0x47c35000, 0x3a83126f};
    const size_t specials = sizeof special / sizeof *special;
    std::vector<float> values(n);
    uint64_t state = seed * 2654435761ull + 88172645463325252ull;
    for (size_t i = 0; i < n; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        uint32_t bits = (uint32_t)(state >> 16);
        if (i < specials * specials)
            bits = special[seed == 1   ? i % specials
                           : seed == 2 ? i / specials
                                       : (i * 7 + 3) % specials];
        else if (i % 2)
            bits = (bits & 0x80ffffffu) | 0x3c000000u | (bits & 0x07000000u) >> 1;
        memcpy(&values[i], &bits, 4);
    }
    return values;
}

static int same(float x, float y) {
    return (x != x && y != y) || memcmp(&x, &y, 4) == 0;
}

int main() {
    const uint32_t n = 1 << 17;
    int passed = 0, failed = 0;
    std::vector<float> host[3] = {operands(n, 1), operands(n, 2), operands(n, 3)}, out(n),
                       expected(n);
    float *device[4];
    for (int k = 0; k < 4; k++)
        must(cudaMalloc((void **)&device[k], n * sizeof(float)), "memory");
    for (int k = 0; k < 3; k++)
        must(cudaMemcpy(device[k], host[k].data(), n * sizeof(float), cudaMemcpyHostToDevice),
             "copy");
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++)
        for (uint32_t outer = 0; outer < GR_OP_COUNT; outer++) {
            if (outer == GR_INPUT || (reference_is_word(op) != reference_is_word(outer) && outer))
                continue;
            apply<<<n / 256, 256>>>(op, outer, device[0], device[1], device[2], device[3], n);
            must(cudaGetLastError(), "launch");
            must(cudaMemcpy(out.data(), device[3], n * sizeof(float), cudaMemcpyDeviceToHost),
                 "copy back");
            reference_apply(op, outer, host[0].data(), host[1].data(), host[2].data(),
                            expected.data(), n);
            uint32_t i = 0;
            while (i < n && same(out[i], expected[i]))
                i++;
            passed += i == n;
            failed += i < n;
            if (i < n)
                printf("not ok %s after %s of %a, %a, %a: GPU %a, CPU %a\n",
                       outer ? reference_name(outer) : "nothing", reference_name(op), host[0][i],
                       host[1][i], host[2][i], out[i], expected[i]);
        }
    std::vector<uint32_t> counter(6 * 4096), words(4 * 4096);
    for (size_t i = 0; i < counter.size(); i++)
        counter[i] = (uint32_t)rand() * 2654435761u;
    uint32_t *counters, *drawn;
    must(cudaMalloc((void **)&counters, counter.size() * 4), "memory");
    must(cudaMalloc((void **)&drawn, words.size() * 4), "memory");
    must(cudaMemcpy(counters, counter.data(), counter.size() * 4, cudaMemcpyHostToDevice), "copy");
    draw<<<16, 256>>>(counters, drawn, 4096);
    must(cudaMemcpy(words.data(), drawn, words.size() * 4, cudaMemcpyDeviceToHost), "copy back");
    uint32_t wrong = reference_philox_differences(counter.data(), words.data(), 4096);
    printf("%s philox on the device and on the host: %u of 4096 blocks differ\n",
           wrong ? "not ok" : "ok", wrong);
    passed += wrong == 0;
    failed += wrong != 0;
    static const char *const forms[5] = {"sin", "cos", "tan", "log", "div"};
    unsigned long long differences[5] = {0}, *different;
    must(cudaMalloc((void **)&different, sizeof differences), "memory");
    must(cudaMemset(different, 0, sizeof differences), "memset");
    compare_forms<<<2048, 256>>>(different);
    must(cudaMemcpy(differences, different, sizeof differences, cudaMemcpyDeviceToHost), "forms");
    for (int k = 0; k < 5; k++) {
        printf("%s the form of %s for most operands: %llu of 2^32 differ\n",
               differences[k] ? "not ok" : "ok", forms[k], differences[k]);
        passed += differences[k] == 0;
        failed += differences[k] != 0;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
