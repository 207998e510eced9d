/* host/checkpoint/contents.h: a run of the CPU goes on in another engine as if nothing had been; a
 * checkpoint of another run, or one whose numbers cannot be, is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/checkpoint/contents.h"
#include "tests/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/grampus-contents-XXXXXX";

/* A run and the first thing its watch sees at a border. */
typedef struct seen {
    gr_run *run;
    gr_checkpoint checkpoint;
    int taken;
    double best[40];
    uint32_t rows;
} seen;

static void see_generation(void *context, const gr_generation *g) {
    seen *s = context;
    s->best[s->rows++] = g->mean;
}

static void see_border(void *context, int ended) {
    seen *s = context;
    gr_error error;
    (void)ended;
    if (s->taken++ || !s->checkpoint.steps)
        return;
    assert_int_equal(gr_run_snapshot(s->run, &s->checkpoint.snapshot, &s->checkpoint.tally,
                                     s->checkpoint.steps, &error),
                     GR_OK);
    assert_int_equal(gr_run_await_snapshot(s->run, &error), GR_OK);
}

static gr_run *open_run(const char *more, gr_settings *settings) {
    static const char common[] =
        "genotype: tree\ndevice: cpu\nthreads: 1\ntarget-expression: x * x + sin(x)\n"
        "variables: x = grid(-1, 1, 0.1)\npopulation: 30\nmax-nodes: 40\nepoch: 4\n";
    return open_run_of(common, more, settings);
}

static void play(seen *s, uint32_t epochs) {
    const gr_watch watch = {.generation = see_generation, .context = s, .border = see_border};
    gr_error error;
    for (int finished = 0; !finished && epochs; epochs--)
        assert_int_equal(gr_run_advance(s->run, &watch, &finished, &error), GR_OK);
}

static gr_fingerprint print_of(const gr_settings *settings, const gr_run *run) {
    gr_fingerprint f;
    gr_error error;
    assert_int_equal(gr_fingerprint_of(settings, gr_run_problem(run), &f, &error), GR_OK);
    return f;
}

/* The first epoch's checkpoint, written to the file after `change`. */
static void write_one(const gr_settings *settings, seen *s, void (*change)(gr_checkpoint *)) {
    gr_error error;
    gr_fingerprint f = print_of(settings, s->run);
    s->checkpoint.steps = calloc(settings->runs, sizeof *s->checkpoint.steps);
    s->checkpoint.writer.table = 4711;
    play(s, 1);
    if (change)
        change(&s->checkpoint);
    unlink(path);
    if (gr_checkpoint_write(path, &s->checkpoint, &gr_run_problem(s->run)->job.params, &f, &error))
        fail_msg("%s", error.text);
    free(s->checkpoint.steps);
}

static void go_on(const char *more) {
    gr_settings settings;
    gr_error error;
    seen whole = {0}, first = {0}, second = {0};
    gr_checkpoint c;
    int foreign;
    whole.run = open_run(more, &settings);
    play(&whole, 99);
    gr_run_close(whole.run);
    gr_settings_free(&settings);
    first.run = open_run(more, &settings);
    write_one(&settings, &first, NULL);
    gr_run_close(first.run);
    gr_settings_free(&settings);
    second.run = open_run(more, &settings);
    gr_fingerprint f = print_of(&settings, second.run);
    if (gr_checkpoint_read(path, &gr_run_problem(second.run)->job.params, &f, &c, &foreign, &error))
        fail_msg("%s", error.text);
    assert_true(c.tally.generations == 4 && c.snapshot.generation == 4 && !c.snapshot.ended);
    assert_int_equal(c.writer.table, 4711);
    assert_int_equal(gr_run_resume(second.run, &c.snapshot, &c.tally, c.steps, &error), GR_OK);
    gr_checkpoint_free(&c);
    play(&second, 99);
    assert_int_equal(first.rows + second.rows, whole.rows);
    assert_memory_equal(second.best, whole.best + 8, second.rows * sizeof *second.best);
    gr_run_close(second.run);
    gr_settings_free(&settings);
}

static void test_goes_on(void **state) {
    (void)state;
    go_on("generations: 13\nruns: 2\n");
    /* constants that stand beside genomes */
    go_on("generations: 13\nruns: 2\ngenotype: grammar\n"
          "grammar: tests/differential/constants.bnf\nvariables: x, y = uniform(-1, 1)\n"
          "train-cases: 30\noptimise-constants: share\noptimise-share: 0.4\n");
}

/* ---- refused ---- */

/* The message with which a run of `settings` refuses the file; "" if it takes it. */
static const char *refusal(const char *more, int *foreign) {
    static gr_error error;
    gr_settings settings;
    gr_checkpoint c;
    gr_run *run = open_run(more, &settings);
    gr_fingerprint f = print_of(&settings, run);
    error.text[0] = '\0';
    if (!gr_checkpoint_read(path, &gr_run_problem(run)->job.params, &f, &c, foreign, &error))
        gr_checkpoint_free(&c);
    gr_run_close(run);
    gr_settings_free(&settings);
    return error.text;
}

static void test_others(void **state) {
    (void)state;
    gr_settings settings;
    seen s = {0};
    int foreign;
    s.run = open_run("generations: 13\n", &settings);
    write_one(&settings, &s, NULL);
    gr_run_close(s.run);
    gr_settings_free(&settings);
    assert_string_equal(refusal("generations: 99\nthreads: 2\nepoch: 9\noutput: away\n", &foreign),
                        "");
    assert_non_null(strstr(refusal("seed: 2\n", &foreign), "other settings"));
    assert_true(foreign);
    assert_non_null(strstr(refusal("tournament: 3\n", &foreign), "other settings"));
    FILE *file = fopen(path, "w");
    fputs("HDF", file);
    fclose(file);
    assert_non_null(strstr(refusal("generations: 13\n", &foreign), "is no complete HDF5 file"));
    assert_false(foreign);
}

static gr_individual *individuals(gr_checkpoint *c) {
    return gr_snapshot_rows(&c->snapshot, GR_SECTION_INDIVIDUALS);
}
static void too_long(gr_checkpoint *c) { /* the others make room for it */
    individuals(c)[7].instructions = 41;
}
static void no_validity(gr_checkpoint *c) {
    individuals(c)[7].validity = GR_VALIDITY_COUNT;
}
static gr_node *last_node(gr_checkpoint *c) {
    gr_node *nodes = gr_snapshot_rows(&c->snapshot, GR_SECTION_GENOTYPES);
    return &nodes[individuals(c)[0].length - 1];
}
static void no_operation(gr_checkpoint *c) {
    last_node(c)->head |= 0xffu;
}
static void no_root(gr_checkpoint *c) {
    last_node(c)->head += 1u << 16;
}
static void no_input(gr_checkpoint *c) {
    gr_node *nodes = gr_snapshot_rows(&c->snapshot, GR_SECTION_GENOTYPES);
    nodes[0].operand = 1; /* the first node is a leaf, and there is one input */
}
static void other_count(gr_checkpoint *c) {
    c->tally.generations++;
}

static void test_impossible(void **state) {
    (void)state;
    static const struct {
        void (*change)(gr_checkpoint *);
        const char *message;
    } cases[] = {{too_long, "sizes that cannot be"},    {no_validity, "sizes that cannot be"},
                 {no_operation, "a tree that is none"}, {no_root, "a tree that is none"},
                 {no_input, "a tree that is none"},     {other_count, "counts that cannot be"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gr_settings settings;
        seen s = {0};
        int foreign;
        s.run = open_run("generations: 13\n", &settings);
        write_one(&settings, &s, cases[k].change);
        gr_run_close(s.run);
        gr_settings_free(&settings);
        const char *said = refusal("generations: 13\n", &foreign);
        if (!strstr(said, cases[k].message))
            fail_msg("case %zu: '%s' instead of '%s'", k, said, cases[k].message);
    }
}

/* A snapshot has the costs of the generation bred last; who asks for those of the one selected gets
 * them all the same, until the next epoch. */
static void test_costs(void **state) {
    static const char *const ask[] = {"dump-every: 1\n", "dump-every: 1\nislands: 3\nruns: 2\n",
                                      "front-choice: bic\n"};
    (void)state;
    for (size_t k = 0; k < sizeof ask / sizeof *ask; k++)
        for (int snapshot = 0; snapshot < 2; snapshot++) {
            static float selected[180], later[180];
            gr_settings settings;
            gr_error error;
            gr_run *run = open_run(ask[k], &settings);
            size_t bytes = gr_run_problem(run)->job.params.individuals * sizeof *selected;
            seen s = {.run = run};
            play(&s, 1);
            assert_int_equal(gr_run_read(run, GR_SECTION_COSTS, selected, bytes, &error), GR_OK);
            s.checkpoint.steps = calloc(settings.runs, sizeof *s.checkpoint.steps);
            s.taken = !snapshot;
            see_border(&s, 0);
            assert_int_equal(gr_run_read(run, GR_SECTION_COSTS, later, bytes, &error), GR_OK);
            assert_memory_equal(selected, later, bytes);
            assert_int_equal(gr_run_read_at(run, GR_SECTION_COSTS, 8, later, 12, &error), GR_OK);
            assert_memory_equal(selected + 2, later, 12);
            free(s.checkpoint.steps);
            s.checkpoint.steps = NULL;
            play(&s, 1);
            assert_int_equal(gr_run_read(run, GR_SECTION_COSTS, later, bytes, &error), GR_OK);
            assert_memory_not_equal(selected, later, bytes);
            gr_run_close(run);
            gr_settings_free(&settings);
        }
}

static int make_path(void **state) {
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state) {
    (void)state;
    return unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_costs),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
