/* The mapping of Pospichal and others 2011 (section 5, Figure 4): selection in a kernel of its own,
 * all the rest in a second one; a block an individual, whose chromosome, program and errors lie in
 * shared memory; the grammar's tables in constant memory; one thread maps, one adds the errors. */
#include "tools/ladder/pospichal.h"

#include <chrono>

enum { LEVELS = 34, SYMBOLS = 128, INVALID = 0x7f7fffff };

/* ---- grammar: Figure 5 ---- */

enum { EXPR, OP, VAR, NONTERMINALS, PLUS = NONTERMINALS, MINUS, TIMES, X0, ONE };
static __constant__ const int grammar_metadata[][2] = {{2, 0}, {3, 2}, {2, 5}}; /* rules, first */
static __constant__ const int grammar_rules[][4] = {/* symbols; they, the last one first */
                                                    {3, OP, EXPR, EXPR}, {1, VAR, 0, 0},
                                                    {1, PLUS, 0, 0},     {1, MINUS, 0, 0},
                                                    {1, TIMES, 0, 0},    {1, X0, 0, 0},
                                                    {1, ONE, 0, 0}};

/* ---- random numbers: the hybrid Tausworthe generator of GPU Gems 3, chapter 37 ---- */

struct generator {
    uint32_t a, b, c, d;
};

static __device__ uint32_t tausworthe(uint32_t &z, int s1, int s2, int s3, uint32_t m) {
    uint32_t b = ((z << s1) ^ z) >> s2;
    return z = ((z & m) << s3) ^ b;
}

static __device__ uint32_t draw(generator &g) {
    g.d = 1664525u * g.d + 1013904223u;
    return tausworthe(g.a, 13, 19, 12, 4294967294u) ^ tausworthe(g.b, 2, 25, 4, 4294967288u) ^
           tausworthe(g.c, 3, 11, 17, 4294967280u) ^ g.d;
}

static __device__ float draw_share(generator &g) {
    return (float)(draw(g) >> 8) * 0x1p-24f;
}

/* ---- memory of a run ---- */

struct state {
    uint32_t population, points, threads;
    generator *generators;          /* [population][threads] */
    uint8_t *chromosome;            /* [2][population][CODONS], read and written in turn */
    float *fitness;                 /* [population] */
    uint32_t *winner, *cut, *elite; /* [population], [population], one */
    float *chance;                  /* [population] */
};

static __global__ void first_generators(const __grid_constant__ state s, uint32_t seed) {
    uint32_t i = blockIdx.x * s.threads + threadIdx.x;
    uint64_t z = (uint64_t)seed << 32 | i;
    uint32_t word[4];
    for (uint32_t &w : word) { /* splitmix64: the generator wants words above 128 */
        z += 0x9e3779b97f4a7c15ull;
        uint64_t m = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
        m = (m ^ m >> 27) * 0x94d049bb133111ebull;
        w = (uint32_t)(m >> 32) | 256u;
    }
    s.generators[i] = {word[0], word[1], word[2], word[3]};
}

/* ---- first kernel: selection ---- */

static __global__ void select(const __grid_constant__ state s) {
    __shared__ float fitness[LADDER_GE_INDIVIDUALS];
    __shared__ uint32_t drawn[LADDER_GE_TOURNAMENT];
    for (uint32_t i = threadIdx.x; i < s.population; i += blockDim.x)
        fitness[i] = s.fitness[i];
    generator *own = &s.generators[blockIdx.x * s.threads + threadIdx.x];
    if (threadIdx.x < LADDER_GE_TOURNAMENT)
        drawn[threadIdx.x] = draw(*own) % s.population;
    __syncthreads();
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        uint32_t elite = 0;
        for (uint32_t i = 1; i < s.population; i++)
            elite = fitness[i] < fitness[elite] ? i : elite;
        *s.elite = elite;
    }
    uint32_t winner = drawn[0];
    for (uint32_t i = 1; i < LADDER_GE_TOURNAMENT; i++)
        winner = fitness[drawn[i]] < fitness[winner] ? drawn[i] : winner;
    s.winner[blockIdx.x] = winner;
    s.cut[blockIdx.x] = 1 + draw(*own) % (LADDER_GE_CODONS - 1);
    s.chance[blockIdx.x] = draw_share(*own);
}

/* ---- second kernel: crossover, mutation, mapping, evaluation ---- */

/* Blocks 1 and 2, 3 and 4, ... are pairs: the winner's codons up to the pair's cut, then the other
 * winner's. */
static __device__ void breed(const state &s, uint32_t buffer, int first, uint8_t *own,
                             generator &g) {
    uint32_t i = blockIdx.x, lead = i ? (i - 1) / 2 * 2 + 1 : 0, other = i ? ((i - 1) ^ 1) + 1 : 0;
    const uint8_t *from = s.chromosome + (size_t)buffer * s.population * LADDER_GE_CODONS;
    uint32_t parent = first ? 0 : i ? s.winner[i] : *s.elite, mate = parent;
    if (!first && i && other < s.population && s.chance[lead] < 0.9f)
        mate = s.winner[other];
    for (uint32_t c = threadIdx.x; c < LADDER_GE_CODONS; c += blockDim.x) {
        uint32_t whose = mate != parent && c >= s.cut[lead] ? mate : parent;
        own[c] = from[(size_t)whose * LADDER_GE_CODONS + c];
        if (first || (i && draw_share(g) < 0.05f))
            own[c] = (uint8_t)(draw(g) >> 24);
    }
}

/* Leftmost derivation by one thread; the symbols come out in postfix order. 0: codons ran out. */
static __device__ uint32_t map_program(const uint8_t *codon, uint8_t *symbol, uint8_t *open) {
    uint32_t used = 0, length = 0, top = 1;
    open[0] = EXPR;
    while (top) {
        int next = open[--top];
        if (next >= NONTERMINALS) {
            symbol[length++] = (uint8_t)next;
            continue;
        }
        if (used == LADDER_GE_CODONS)
            return 0;
        const int *rule =
            grammar_rules[grammar_metadata[next][1] + codon[used++] % grammar_metadata[next][0]];
        for (int k = 1; k <= rule[0]; k++)
            open[top++] = (uint8_t)rule[k];
    }
    return length;
}

static __device__ float run_program(const uint8_t *symbol, uint32_t length, float x) {
    float stack[LEVELS];
    uint32_t top = 0;
    for (uint32_t i = 0; i < length; i++) {
        uint8_t word = symbol[i];
        if (word >= X0) {
            stack[top++] = word == X0 ? x : 1.0f;
            continue;
        }
        float b = stack[--top], a = stack[top - 1];
        stack[top - 1] = word == PLUS ? a + b : word == MINUS ? a - b : a * b;
    }
    return stack[0];
}

static __global__ void evolve(const __grid_constant__ state s, uint32_t buffer, int first) {
    __shared__ uint8_t chromosome[LADDER_GE_CODONS], symbol[SYMBOLS], open[2 * SYMBOLS + 2];
    __shared__ uint32_t length;
    extern __shared__ float errors[]; /* [points] */
    generator g = s.generators[blockIdx.x * s.threads + threadIdx.x];
    breed(s, buffer, first, chromosome, g);
    s.generators[blockIdx.x * s.threads + threadIdx.x] = g;
    __syncthreads();
    if (threadIdx.x == 0)
        length = map_program(chromosome, symbol, open);
    __syncthreads();
    for (uint32_t p = threadIdx.x; length && p < s.points; p += blockDim.x) {
        float x = 10.0f * (float)p / (float)(s.points - 1);
        float target = x + x * x + x * x * x + x * x * x * x;
        errors[p] = fabsf(run_program(symbol, length, x) - target);
    }
    __syncthreads();
    uint8_t *to =
        s.chromosome + ((size_t)(buffer ^ 1) * s.population + blockIdx.x) * LADDER_GE_CODONS;
    for (uint32_t c = threadIdx.x; c < LADDER_GE_CODONS; c += blockDim.x)
        to[c] = chromosome[c];
    if (threadIdx.x)
        return;
    float sum = 0.0f;
    for (uint32_t p = 0; p < s.points; p++)
        sum += length ? errors[p] : 0.0f;
    s.fitness[blockIdx.x] = length && isfinite(sum) ? sum : __int_as_float(INVALID);
}

/* ---- a run ---- */

static gr_status checked(cudaError_t code, const char *call, gr_error *error) {
    return code == cudaSuccess
               ? GR_OK
               : gr_fail(error, GR_DEVICE_FAILED, "%s: %s", call, cudaGetErrorString(code));
}
#define GE_CUDA(call) checked(call, #call, error)

static gr_status allocate(state *s, void **memory, gr_error *error) {
    size_t n = s->population, generators = n * s->threads * sizeof(generator),
           chromosomes = 2 * n * LADDER_GE_CODONS, words = n * sizeof(uint32_t);
    gr_status status = GE_CUDA(cudaMalloc(memory, generators + chromosomes + 4 * words + 4));
    char *at = (char *)*memory;
    s->generators = (generator *)at;
    s->fitness = (float *)(at += generators);
    s->winner = (uint32_t *)(at += words);
    s->cut = (uint32_t *)(at += words);
    s->chance = (float *)(at += words);
    s->elite = (uint32_t *)(at += words);
    s->chromosome = (uint8_t *)(at += 4);
    return status;
}

static gr_status generations_of(const ladder_ge_run *run, const state &s, double *seconds,
                                gr_error *error) {
    cudaEvent_t start = NULL, end = NULL;
    float milliseconds = 0.0f;
    size_t shared = run->points * sizeof(float);
    gr_status status;
    if ((status = GE_CUDA(cudaEventCreate(&start))) || (status = GE_CUDA(cudaEventCreate(&end))) ||
        (status = GE_CUDA(cudaEventRecord(start, 0))))
        return status;
    evolve<<<s.population, s.threads, shared>>>(s, 1, 1);
    for (uint32_t g = 0; g < run->generations; g++) {
        select<<<s.population, 32>>>(s);
        evolve<<<s.population, s.threads, shared>>>(s, g & 1, 0);
    }
    if (!(status = GE_CUDA(cudaGetLastError())) && !(status = GE_CUDA(cudaEventRecord(end, 0))) &&
        !(status = GE_CUDA(cudaEventSynchronize(end))))
        status = GE_CUDA(cudaEventElapsedTime(&milliseconds, start, end));
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    *seconds = 1e-3 * (double)milliseconds;
    return status;
}

gr_status ladder_ge_launch(const ladder_ge_run *run, ladder_ge_result *result, gr_error *error) {
    auto start = std::chrono::steady_clock::now();
    state s = {};
    void *memory = NULL;
    s.population = run->population;
    s.points = run->points;
    s.threads = 128; /* a codon each; points are shared out */
    gr_status status = allocate(&s, &memory, error);
    if (!status) {
        first_generators<<<s.population, s.threads>>>(s, run->seed);
        status = generations_of(run, s, &result->seconds, error);
    }
    const uint8_t *last =
        s.chromosome + (size_t)(run->generations & 1) * s.population * LADDER_GE_CODONS;
    if (!status)
        status =
            GE_CUDA(cudaMemcpy(result->chromosome, last, (size_t)s.population * LADDER_GE_CODONS,
                               cudaMemcpyDeviceToHost));
    if (!status)
        status = GE_CUDA(cudaMemcpy(result->fitness, s.fitness, s.population * sizeof(float),
                                    cudaMemcpyDeviceToHost));
    cudaFree(memory);
    std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
    result->overhead = all.count() - result->seconds;
    return status;
}
