/* Tables of types by hand, and random trees that keep to them (gpu/core/genotype/typed.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/genotype/typed.h"
#include "tests/core.h"
#include "tests/problems.h"

/* Numbers x, y; a flag by comparing; a weight, which no input is, by `if` of flags alone or,
 * larger, of numbers. */
static const char declared[] =
    "typed: true\nfunctions: '+, <, if, neg, square'\nmax-nodes: 20\nmax-depth: 5\n"
    "init-max-depth: 5\ntypes: 'x, y = number; target = weight; + = number number -> number; "
    "+ = weight weight -> weight; < = number number -> flag; if = flag number number -> weight; "
    "if = flag flag number -> weight; neg = weight -> weight; square = other -> number'\n";

enum { NUMBER, WEIGHT, FLAG };

static void test_tables(void **state) {
    (void)state;
    gr_problem problem;
    assert_string_equal(make(declared, &problem), "");
    const uint32_t *w = problem.job.types;
    const gr_type_head *t = gr_types_of(w);
    const gr_signature *all = gr_signatures_of(w);
    assert_int_equal(t->types, 4);
    assert_int_equal(t->target, WEIGHT);
    assert_int_equal(t->constant, GR_NO_TYPE);
    assert_int_equal(t->signatures, 6); /* but that of what cannot be made */
    static const uint32_t levels[3] = {1, 3, 2};
    for (uint32_t k = 0; k < 3; k++)
        assert_int_equal(w[t->level + k], levels[k]);
    const gr_signature *least = &all[w[t->least + WEIGHT]];
    assert_int_equal(least->op, GR_IF);
    assert_int_equal(least->operand[1], NUMBER); /* 6 nodes, the other 8 */
    assert_int_equal(w[t->least + NUMBER], GR_NO_TYPE);
    for (uint32_t k = 0; k < t->signatures; k++) {
        assert_int_equal(gr_result_type(w, all[k].op, all[k].operand), all[k].result);
        uint32_t wrong[3] = {all[k].operand[0], all[k].operand[1], 3};
        assert_int_equal(gr_result_type(w, all[k].op, wrong), GR_NO_TYPE);
    }
    gr_problem_free(&problem);
}

/* Of the operations that fit the levels each is as likely, whatever signatures it has. */
static void test_draws(void **state) {
    (void)state;
    gr_problem problem;
    uint32_t count[3] = {0};
    assert_string_equal(make(declared, &problem), "");
    const uint32_t *w = problem.job.types;
    assert_int_equal(gr_typed_operations(w, WEIGHT, 2), 0);
    assert_int_equal(gr_typed_operations(w, WEIGHT, 3), 1);
    assert_int_equal(gr_typed_operations(w, WEIGHT, 4), 3);
    gr_random r = gr_stream(&problem.job.params, GR_PURPOSE_DATA, 1, 0, 0);
    for (uint32_t k = 0; k < 9000; k++) {
        uint32_t op = gr_draw_signature(w, &r, WEIGHT, 4, 3)->op;
        count[op == GR_ADD ? 0 : op == GR_NEG ? 1 : 2]++;
        assert_int_equal(gr_draw_signature(w, &r, WEIGHT, 3, 1)->op, GR_IF);
    }
    assert_true(core_chi_square(count, NULL, 3) <= 1.0);
    gr_problem_free(&problem);
}

static void test_trees(void **state) {
    (void)state;
    gr_problem problem;
    uint32_t grown = 0, none = 0;
    assert_string_equal(make(declared, &problem), "");
    const gr_params *p = &problem.job.params;
    for (uint32_t k = 0; k < 3000; k++) {
        gr_node node[20];
        uint32_t open[20];
        uint32_t type[20];
        gr_nodes nodes = {node, 1};
        gr_random r = gr_stream(p, GR_PURPOSE_INIT, 5, 0, k);
        gr_typed_shape shape = {WEIGHT, 3 + k % 3, k % 2, 1, k % 7 == 0};
        uint32_t n = gr_typed_tree(p, problem.job.types, &r, shape, nodes, 20, (gr_words){open, 1});
        none += !n;
        if (!n)
            continue;
        assert_int_equal(core_subtree(node, n - 1), 0);
        assert_true(core_height(node, n - 1) <= shape.depth);
        gr_type_nodes(p, problem.job.types, nodes, n, (gr_words){type, 1});
        assert_int_equal(type[n - 1], WEIGHT);
        if (shape.least)
            assert_int_equal(n, 6);
        grown += n > 6;
    }
    assert_true(grown > 1000 && none > 10);
    gr_problem_free(&problem);
}

/* Constants are a leaf of their type beside its inputs, but where none are drawn. */
static void test_leaves(void **state) {
    (void)state;
    for (uint32_t drawn = 0; drawn < 2; drawn++) {
        gr_problem problem;
        char text[512];
        snprintf(text, sizeof text,
                 "typed: true\nfunctions: '+, neg'\nmax-nodes: 20\nmax-depth: 5\n"
                 "constant-probability: %s\ntypes: 'x, y = number; constants = weight; "
                 "target = weight; + = number number -> weight; neg = number -> number'\n",
                 drawn ? "0.5" : "0");
        assert_string_equal(make(text, &problem), "");
        const gr_params *p = &problem.job.params;
        const uint32_t *w = problem.job.types, weight = gr_types_of(w)->target;
        uint32_t number = w[gr_types_of(w)->input_type];
        assert_int_equal(gr_types_of(w)->constant, weight);
        assert_int_not_equal(number, weight);
        assert_int_equal(gr_typed_leaves(p, w, weight), drawn);
        assert_int_equal(gr_typed_leaves(p, w, number), 2);
        gr_problem_free(&problem);
    }
}

/* Of three signatures of an operation the second wants more levels than there are: the others are
 * drawn, each as likely. Tables by hand. */
static void test_signatures_that_fit(void **state) {
    (void)state;
    enum { FIRST = 20, SIGNATURE = 22 };
    static const gr_signature all[3] = {{GR_ADD, {0, 0, GR_NO_TYPE}, 0, 2},
                                        {GR_ADD, {0, 1, GR_NO_TYPE}, 0, 5},
                                        {GR_ADD, {1, 1, GR_NO_TYPE}, 0, 3}};
    const gr_type_head head = {
        .types = 1, .signatures = 3, .first = FIRST, .signature = SIGNATURE, .frame = 1};
    const gr_params p = core_params(GR_TREE);
    uint32_t words[SIGNATURE + 3 * 6] = {0}, count[3] = {0};
    memcpy(words, &head, sizeof head);
    words[FIRST + 1] = 3;
    memcpy(words + SIGNATURE, all, sizeof all);
    gr_random r = gr_stream(&p, GR_PURPOSE_DATA, 1, 0, 0);
    for (uint32_t k = 0; k < 9000; k++) {
        const gr_signature *x = gr_draw_signature(words, &r, 0, 3, 1);
        count[x->level == 2 ? 0 : x->level == 5 ? 1 : 2]++;
    }
    const uint32_t fit[2] = {count[0], count[2]};
    assert_int_equal(count[1], 0);
    assert_true(core_chi_square(fit, NULL, 2) <= 1.0);
}

/* The type of a weighted leaf is that of its input. */
static void test_weighted_leaves(void **state) {
    (void)state;
    gr_problem problem;
    assert_string_equal(make("typed: true\nfunctions: '+'\nmax-nodes: 20\nmax-depth: 5\n"
                             "constant-probability: 0\ntypes: 'x = number; y = weight; target = "
                             "weight; + = number weight -> weight'\n",
                             &problem),
                        "");
    gr_params p = problem.job.params;
    const uint32_t *w = problem.job.types, *input = w + gr_types_of(w)->input_type;
    assert_int_not_equal(input[0], input[1]);
    for (uint32_t weighted = 0; weighted < 2; weighted++) {
        uint32_t type[3];
        p.weighted = weighted;
        p.index_mask = weighted; /* one bit for two inputs */
        gr_node node[3] = {{0, 0}};
        for (uint32_t k = 0; k < 2; k++)
            node[k] =
                gr_make_node(GR_INPUT, 1, 1, weighted ? gr_weigh(1, k ? -3.0f : 0.75f, k) : k);
        node[2] = gr_make_node(GR_ADD, 0, 0, 0);
        gr_annotate((gr_nodes){node, 1}, 3);
        gr_type_nodes(&p, w, (gr_nodes){node, 1}, 3, (gr_words){type, 1});
        assert_int_equal(type[0], input[0]);
        assert_int_equal(type[1], input[1]);
        assert_int_equal(type[2], gr_types_of(w)->target);
    }
    gr_problem_free(&problem);
}

/* Full first trees of four classes: argmax over four outputs, each as deep as the ramp says; of the
 * run no more is drawn than fits. */
static void test_outputs(void **state) {
    (void)state;
    gr_problem problem;
    char text[] = "target-expression: (x > 0) + 2 * (y > 0) + 3\nvariables: x, y = uniform(-1, 1)\n"
                  "train-cases: 100\ngenotype: tree\nfunctions: +, *\nmetric: misclassified\n"
                  "class-rule: argmax\nmax-depth: 5\nmax-nodes: 200\n";
    assert_string_equal(make_problem(text, &problem), "");
    const gr_params *p = &problem.job.params;
    const uint32_t *w = problem.job.types;
    const gr_type_head *t = gr_types_of(w);
    assert_int_equal(t->types, 6);
    assert_int_equal(p->max_tree_depth, 5 + 5);
    assert_int_equal(p->class_rule, GR_CLASS_THRESHOLDS);
    assert_int_equal(p->thresholds, 3);
    assert_true(p->threshold[0] == 0.5f && p->threshold[2] == 2.5f);
    assert_int_equal(gr_typed_depth(w, t->target, 3), 8);
    assert_int_equal(gr_typed_depth(w, t->frame, 3), 4);
    assert_int_equal(gr_typed_depth(w, t->inner, 3), 3);
    for (uint32_t k = 0; k < 200; k++) {
        gr_node node[200];
        uint32_t open[200], full = k % 2, depth = 2 + k % 3;
        gr_random r = gr_stream(p, GR_PURPOSE_INIT, 5, 0, k);
        gr_typed_shape shape = {t->target, gr_typed_depth(w, t->target, depth), full, 1, 0};
        uint32_t n = gr_typed_tree(p, w, &r, shape, (gr_nodes){node, 1}, 200, (gr_words){open, 1});
        assert_true(n > 0);
        assert_int_equal(GR_NODE_OP(node[n - 1]), GR_ARGMAX);
        uint32_t chain = n - 2;
        for (uint32_t output = 0; output < 4; output++) {
            uint32_t last = output == 3, own = chain - 1;
            assert_int_equal(GR_NODE_OP(node[chain]), last ? GR_ARGMAX_LAST : GR_ARGMAX_NEXT);
            if (!last) { /* the rest of the chain stands behind */
                chain--;
                own = core_subtree(node, chain) - 1;
            }
            uint32_t height = core_height(node, own);
            assert_true(full ? height == depth : height <= depth);
        }
    }
    gr_problem_free(&problem);
}

/* What does not go with outputs for classes is refused. */
static void test_refused_outputs(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"metric: mse\n", "does not fit the metric"},
        {"metric: misclassified\nthresholds: 0.5\n", "thresholds beside class-rule argmax"},
        {"metric: misclassified\nmax-nodes: 4\n", "max-nodes 4 of 2 outputs; expected at least 5"},
        {"metric: misclassified\nmax-depth: 252\n", "max-depth 252 of 2 outputs"},
        {"metric: misclassified\ninitialisation: ptc2\n",
         "class-rule argmax, whose trees are typed, beside"},
        {"metric: misclassified\nfunctions: '+, argmax'\n", "functions has 'argmax'"}};
    for (uint32_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char text[512];
        gr_problem problem;
        snprintf(text, sizeof text,
                 "genotype: tree\ntarget-expression: x > 0\nvariables: x = uniform(-1, 1)\n"
                 "train-cases: 50\nclass-rule: argmax\n%s",
                 wrong[k][0]);
        const char *said = make_problem(text, &problem);
        if (!strstr(said, wrong[k][1]))
            fail_msg("%s: %s", wrong[k][0], said);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_draws),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_refused_outputs),
        cmocka_unit_test(test_leaves),
        cmocka_unit_test(test_signatures_that_fit),
        cmocka_unit_test(test_weighted_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
