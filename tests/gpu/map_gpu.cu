/* Every case with a known answer, mapped on the device with the grammar in constant memory:
 * phenotype, used codons, depth, nodes and validity. Skips where the cases are absent. */
#include "../../gpu/core/mapping.h"
#include "support/map_cases.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { TERMINALS = 16384, LEVELS = 128 };

struct answer {
    uint32_t valid, used, depth, nodes, terminals;
};

/* Without a table the grammar stands in constant memory. A thread a genome, its path interleaved as
 * in breeding. */
static __global__ void map(const uint32_t *table, const map_case *cases, uint32_t count,
                           const uint32_t *codons, uint32_t *path, uint32_t *terminals,
                           answer *answers) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
    if (i >= count)
        return;
    map_case c = cases[i];
    gr_words stack = {path + i, count};
    gr_derivation d;
    gr_derive_start(&d, table, codons + c.first, c.length, c.max_wraps, c.max_depth, stack);
    for (uint32_t t; (t = gr_derive_next(&d)) != GR_DERIVED && n < TERMINALS;)
        terminals[(size_t)i * TERMINALS + n++] = t;
    answer a = {d.validity == GR_VALID, d.used, d.depth, d.nodes, n};
    answers[i] = a;
}

static void must(cudaError_t code, const char *what) {
    if (code != cudaSuccess) {
        printf("not ok %s: %s\n", what, cudaGetErrorString(code));
        exit(1);
    }
}

template <typename T> static T *upload(const T *from, size_t count) {
    T *to;
    must(cudaMalloc((void **)&to, count * sizeof(T)), "memory");
    must(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice), "upload");
    return to;
}

static uint32_t wrong_answers(const map_cases &cases, const std::vector<answer> &answers,
                              const std::vector<uint32_t> &terminals) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < cases.count; i++) {
        const map_case &c = cases.at[i];
        const answer &a = answers[i];
        char *text = map_cases_text(&cases, &terminals[(size_t)i * TERMINALS], a.terminals);
        wrong += a.valid != (uint32_t)c.valid ||
                 (c.valid && (a.used != c.used || a.depth != c.depth || a.nodes != c.nodes ||
                              strcmp(text, c.phenotype)));
        free(text);
    }
    return wrong;
}

static uint32_t check(const map_cases &cases, int constant) {
    uint32_t n = cases.count, *path, *terminals;
    answer *answers;
    uint32_t *table = upload(cases.tables, cases.words),
             *codons = upload(cases.codons, cases.total);
    map_case *list = upload(cases.at, n);
    must(cudaMalloc((void **)&path, sizeof(uint32_t) * 2 * LEVELS * n), "memory");
    must(cudaMalloc((void **)&terminals, sizeof(uint32_t) * TERMINALS * n), "memory");
    must(cudaMalloc((void **)&answers, sizeof(answer) * n), "memory");
    if (constant)
        must(cudaMemcpyToSymbol(gr_constant_grammar, cases.tables, cases.words * sizeof(uint32_t)),
             "constant");
    map<<<(n + 31) / 32, 32>>>(constant ? NULL : table, list, n, codons, path, terminals, answers);
    must(cudaGetLastError(), "launch");
    std::vector<answer> out(n);
    std::vector<uint32_t> derived((size_t)n * TERMINALS);
    must(cudaMemcpy(out.data(), answers, n * sizeof(answer), cudaMemcpyDeviceToHost), "download");
    must(cudaMemcpy(derived.data(), terminals, derived.size() * 4, cudaMemcpyDeviceToHost),
         "download");
    for (void *memory : {(void *)table, (void *)codons, (void *)list, (void *)path,
                         (void *)terminals, (void *)answers})
        cudaFree(memory);
    return wrong_answers(cases, out, derived);
}

int main() {
    static const struct {
        const char *name;
        uint32_t n_vars;
    } grammars[] = {{"Banknote", 0},
                    {"Dow", 0},
                    {"Keijzer6", 0},
                    {"Median", 0},
                    {"Vladislavleva4", 0},
                    {"letter", 0},
                    {"supervised_learning", 5},
                    {"boolean", 6}};
    uint32_t passed = 0, failed = 0;
    for (const auto &grammar : grammars) {
        map_cases cases;
        if (!map_cases_load(grammar.name, grammar.n_vars, &cases)) {
            printf("skip %s: no cases beside the repository\n", grammar.name);
            continue;
        }
        for (int constant = 0; constant < 2; constant++) {
            uint32_t wrong = check(cases, constant);
            printf("%s %s, tables in %s memory: %u of %u lines wrong\n", wrong ? "not ok" : "ok",
                   grammar.name, constant ? "constant" : "global", wrong, cases.count);
            passed += wrong == 0;
            failed += wrong != 0;
        }
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
