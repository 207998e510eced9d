/* Every case with a known answer, and the golden files of every mapping convention, mapped on the
 * device with the grammar in constant and in global memory: phenotype, used codons, depth, nodes
 * and validity. Skips the cases beside the repository where they are absent. */
#include "gpu/core/genotype/depth_first.h"
#include "tests/gpu/support/map_cases.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

enum { TERMINALS = 16384, LEVELS = 128 };

struct answer {
    uint32_t valid, used, depth, nodes, terminals;
};

/* Of the device. Without a table the grammar stands in constant memory. */
struct map_memory {
    uint32_t *table, *codons;
    map_case *cases;
    uint32_t *path;          /* interleaved, as in breeding */
    uint32_t *codon_scratch; /* map_cases.codon_scratch words a genome */
    uint32_t *derived;
    answer *answers;
};

/* A thread a genome. */
static __global__ void map(map_cases all, map_memory m) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, n = 0, used = 0, non_depth_first;
    if (i >= all.count)
        return;
    map_case c = m.cases[i];
    gr_words stack = {m.path + i, all.count};
    gr_derivation d;
    gr_derive_start(&d, m.table, m.codons + c.first, c.length, c.max_wraps, c.max_depth, stack);
    gr_derive_by(&d, all.convention, c.max_wraps);
    non_depth_first = gr_is_non_depth_first(all.convention);
    if (non_depth_first) {
        uint32_t *depth_first,
            count = gr_to_depth_first(&d, m.codon_scratch + (size_t)i * all.codon_scratch, NULL,
                                      &depth_first);
        used = d.used;
        if (d.validity == GR_VALID)
            gr_derive_depth_first(&d, depth_first, count);
    }
    uint32_t *out = m.derived + 2 * (size_t)i * TERMINALS;
    for (uint32_t t;
         n < TERMINALS && d.validity == GR_VALID && (t = gr_derive_next(&d)) != GR_DERIVED;) {
        out[2 * n] = t;
        out[2 * n++ + 1] = gr_last_codon(&d);
    }
    answer a = {d.validity == GR_VALID, non_depth_first ? used : d.used, d.depth, d.nodes, n};
    m.answers[i] = a;
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
                              const std::vector<uint32_t> &derived) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < cases.count; i++) {
        const map_case &c = cases.at[i];
        const answer &a = answers[i];
        char *text = map_cases_text(&cases, &derived[2 * (size_t)i * TERMINALS], a.terminals);
        wrong += a.valid != (uint32_t)c.valid ||
                 (c.valid && (a.used != c.used || a.depth != c.depth || a.nodes != c.nodes ||
                              strcmp(text, c.phenotype)));
        free(text);
    }
    return wrong;
}

static uint32_t check(const map_cases &cases, int constant) {
    uint32_t n = cases.count, *table = upload(cases.tables, cases.words);
    map_memory m = {};
    m.table = constant ? NULL : table;
    m.codons = upload(cases.codons, cases.total);
    m.cases = upload(cases.at, n);
    must(cudaMalloc((void **)&m.path, sizeof(uint32_t) * 2 * LEVELS * n), "memory");
    must(cudaMalloc((void **)&m.codon_scratch, sizeof(uint32_t) * (cases.codon_scratch * n + 1)),
         "memory");
    must(cudaMalloc((void **)&m.derived, sizeof(uint32_t) * 2 * TERMINALS * n), "memory");
    must(cudaMalloc((void **)&m.answers, sizeof(answer) * n), "memory");
    if (constant)
        must(cudaMemcpyToSymbol(gr_constant_grammar, cases.tables, cases.words * sizeof(uint32_t)),
             "constant");
    map<<<(n + 31) / 32, 32>>>(cases, m);
    must(cudaGetLastError(), "launch");
    std::vector<answer> out(n);
    std::vector<uint32_t> found(2 * (size_t)n * TERMINALS);
    must(cudaMemcpy(out.data(), m.answers, n * sizeof(answer), cudaMemcpyDeviceToHost), "download");
    must(cudaMemcpy(found.data(), m.derived, found.size() * 4, cudaMemcpyDeviceToHost), "download");
    for (void *memory : {(void *)table, (void *)m.codons, (void *)m.cases, (void *)m.path,
                         (void *)m.codon_scratch, (void *)m.derived, (void *)m.answers})
        cudaFree(memory);
    return wrong_answers(cases, out, found);
}

/* All lines of a source, at once or one by one, by both memories; adds to the counts. */
static void check_source(const char *name, const map_source &source, int one_by_one,
                         uint32_t *passed, uint32_t *failed) {
    uint32_t wrong[2] = {0, 0}, lines = 0;
    map_cases cases;
    for (uint32_t line = one_by_one; map_cases_load(&source, line, &cases); line++) {
        for (int constant = 0; constant < 2; constant++)
            wrong[constant] += check(cases, constant);
        lines += cases.count;
        map_cases_free(&cases);
        if (!one_by_one)
            break;
    }
    for (int constant = 0; constant < 2; constant++) {
        uint32_t good = lines && !wrong[constant];
        printf("%s %s, tables in %s memory: %u of %u lines wrong\n", good ? "ok" : "not ok", name,
               constant ? "constant" : "global", wrong[constant], lines);
        *(good ? passed : failed) += 1;
    }
}

static void check_cases(uint32_t *passed, uint32_t *failed) {
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
    const char *shared = getenv("GRAMPUS_SHARED");
    std::string folder = std::string(shared ? shared : "../shared") + "/cases/ge/";
    for (const auto &grammar : grammars) {
        std::string bnf = folder + grammar.name + ".bnf", lines = folder + grammar.name + ".jsonl";
        map_source source = {bnf.c_str(), lines.c_str(), grammar.n_vars, NULL, NULL, NULL, NULL};
        if (FILE *file = fopen(lines.c_str(), "r")) {
            fclose(file);
            check_source(grammar.name, source, 0, passed, failed);
        } else
            printf("skip %s: no cases beside the repository\n", grammar.name);
    }
}

/* The files of tests/golden/conventions, which tests/e2e/conventions.py has made. */
static void check_golden(uint32_t *passed, uint32_t *failed) {
    static const struct {
        const char *name, *consumption, *wrap_rule, *mapping, *genotype;
    } conventions[] = {{"eager.codons", "eager", "codons", NULL, NULL},
                       {"eager.ponyge-linear", "eager", "ponyge-linear", NULL, NULL},
                       {"eager.libge", "eager", "libge", NULL, NULL},
                       {"eager.geva", "eager", "geva", NULL, NULL},
                       {"lazy.codons", "lazy", "codons", NULL, NULL},
                       {"lazy.ponyge-linear", "lazy", "ponyge-linear", NULL, NULL},
                       {"lazy.libge", "lazy", "libge", NULL, NULL},
                       {"lazy.geva", "lazy", "geva", NULL, NULL},
                       {"pi.eager.codons", "eager", "codons", "pi", NULL},
                       {"pi.eager.geva", "eager", "geva", "pi", NULL},
                       {"pi.lazy.codons", "lazy", "codons", "pi", NULL},
                       {"pi.lazy.geva", "lazy", "geva", "pi", NULL},
                       {"structured", NULL, NULL, NULL, "structured"}};
    for (const char *grammar : {"seam", "chain", "value"})
        for (const auto &c : conventions) {
            std::string base = std::string("tests/golden/conventions/") + grammar;
            std::string bnf = base + ".bnf", name = base + "." + c.name, lines = name + ".jsonl";
            map_source source = {bnf.c_str(), lines.c_str(), 0,         c.consumption,
                                 c.wrap_rule, c.mapping,     c.genotype};
            check_source(name.c_str() + sizeof "tests/golden/conventions/" - 1, source,
                         c.mapping || c.genotype, passed, failed);
        }
}

int main() {
    uint32_t passed = 0, failed = 0;
    check_cases(&passed, &failed);
    check_golden(&passed, &failed);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
