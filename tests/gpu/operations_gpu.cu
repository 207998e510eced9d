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
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
