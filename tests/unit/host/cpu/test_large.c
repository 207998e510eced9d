/* Arrays of more than 2^32 elements: a run whose rows are so long that population x length exceeds
 * it gives what the same run with short rows gives. Rows are not filled, so that this takes little
 * memory: pages of the arena that nobody touches are none (mmap with MAP_NORESERVE, by ld --wrap as
 * tests/counted.h), and the plan's refusal is left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/backend/snapshot.h"
#include "host/problem/job.h"
#include "host/settings/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *__real_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
size_t __wrap_gr_memory_available(void);

static size_t largest;

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
    void *memory = __real_mmap(at, bytes, protection, flags | MAP_NORESERVE, file, offset);
    if (memory != MAP_FAILED)
        madvise(memory, bytes, MADV_NOHUGEPAGE);
    largest = bytes > largest ? bytes : largest;
    return memory;
}

size_t __wrap_gr_memory_available(void) {
    return SIZE_MAX;
}

enum { GENERATIONS = 3 };
static const char text[] = "target-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
                           "train-cases: 10\ndevice: cpu\ntarget-fitness: none\ngenerations: 3\n"
                           "elites: 7\n";

/* All records of a run, and its last genotypes, their rows `length` long, packed. */
typedef struct outcome {
    gr_record record[GENERATIONS + 1];
    uint32_t genotype[8][64]; /* of some individuals, the last one's last */
    gr_individual individual[8];
    uint64_t elements;
} outcome;

static outcome run(const char *more) {
    gr_settings s;
    gr_problem problem;
    gr_error error = {GR_OK, ""};
    gr_engine *e;
    const gr_record *records;
    uint32_t generations = 0, done = 0;
    int finished = 0;
    char whole[2048];
    static outcome o;
    memset(&o, 0, sizeof o);
    largest = 0;
    snprintf(whole, sizeof whole, "%s%s", text, more);
    if (gr_settings_init(&s, &error) ||
        gr_settings_parse(&s, whole, strlen(whole), "run", &error) ||
        gr_settings_resolve(&s, &error) || gr_problem_make(&s, &problem, &error) ||
        gr_backend_cpu.open(&problem.job, &e, &error))
        fail_msg("%s", error.text);
    const gr_params *p = &problem.job.params;
    for (; !finished; done += generations) {
        assert_int_equal(
            gr_backend_cpu.advance(e, NULL, NULL, &records, &generations, &finished, &error), 0);
        assert_true(done + generations <= GENERATIONS + 1);
        memcpy(&o.record[done], records, generations * sizeof *records);
    }
    assert_int_equal(done, GENERATIONS + 1);
    gr_engine_report report;
    gr_traffic traffic;
    gr_backend_cpu.report(e, &report, &traffic);
    assert_int_equal(report.bytes, largest);
    size_t row = gr_genotype_words(p) * sizeof(uint32_t);
    gr_snapshot snapshot;
    assert_int_equal(gr_backend_cpu.snapshot(e, &snapshot, &error), 0);
    const gr_individual *individual = gr_snapshot_rows(&snapshot, GR_SECTION_INDIVIDUALS);
    const char *genotype = gr_snapshot_rows(&snapshot, GR_SECTION_GENOTYPES);
    for (uint32_t k = 0, i = 0; k < 8; i++) {
        size_t used = individual[i].length;
        used *= p->genotype == GR_TREE ? sizeof(gr_node) : sizeof(uint32_t);
        if (i == (uint32_t)((uint64_t)(p->individuals - 1) * (k + 1) / 8)) {
            o.individual[k] = individual[i];
            assert_true(used <= sizeof o.genotype[k]);
            memcpy(o.genotype[k++], genotype, used);
        }
        genotype += used;
    }
    o.elements = (uint64_t)p->individuals * (row / (p->genotype == GR_TREE ? 8 : 4));
    gr_backend_cpu.close(e);
    gr_problem_free(&problem);
    gr_settings_free(&s);
    return o;
}

static void compare(const char *settings, const char *small, const char *large) {
    static outcome one, other;
    char whole[1024];
    snprintf(whole, sizeof whole, "%s%s", settings, small);
    one = run(whole);
    snprintf(whole, sizeof whole, "%s%s", settings, large);
    other = run(whole);
    assert_true(one.elements < (uint64_t)1 << 32 && other.elements > (uint64_t)1 << 32);
    one.elements = other.elements;
    assert_memory_equal(&one, &other, sizeof one);
    printf("# arrays of %llu elements\n", (unsigned long long)other.elements);
}

static void test_genomes(void **state) {
    (void)state;
    compare("grammar: grammars/nguyen.bnf\npopulation: 4400\ngenome-length: 40\nmax-nodes: 100\n"
            "initialisation: uniform\ncrossover: fixed-onepoint\n",
            "max-genome-length: 40\n", "max-genome-length: 1000000\n");
}

static void test_trees(void **state) {
    (void)state;
    compare("genotype: tree\npopulation: 66000\nmax-depth: 4\ninit-max-depth: 3\n"
            "subtree-mutation-depth: 2\n",
            "max-nodes: 31\n", "max-nodes: 65535\n");
}

/* Trees, whose rows take a page each, only for `make prove`: "all". */
int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_genomes),
                                       cmocka_unit_test(test_trees)};
    const struct CMUnitTest few[] = {cmocka_unit_test(test_genomes)};
    if (getenv("SANITIZE") && *getenv("SANITIZE")) { /* its shadows take their own */
        puts("ok - arrays beyond 2^32 elements # skipped: under a sanitizer");
        return 0;
    }
    return count > 1 && strcmp(arguments[1], "all") == 0 ? cmocka_run_group_tests(tests, NULL, NULL)
                                                         : cmocka_run_group_tests(few, NULL, NULL);
}
