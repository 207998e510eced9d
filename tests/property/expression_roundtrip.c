/* Random trees over every operation: print, read, compare the nodes; print again, compare the text.
 * expression_roundtrip [TREES [SEED]]; the last line is "N passed, M failed". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/core/program/expression.h"
#include "host/expression/reader.h"

enum { CAPACITY = 4096 };

typedef struct generator {
    uint64_t state;
    const gr_vocabulary *vocabulary;
    gr_node nodes[CAPACITY];
    uint32_t count;
} generator;

/* splitmix64 */
static uint32_t draw(generator *g, uint32_t below) {
    uint64_t z = g->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32) % below;
}

static uint32_t draw_constant(generator *g) {
    uint32_t bits = draw(g, 0x10000u) << 16 | draw(g, 0x10000u);
    if (g->vocabulary->packed)
        return bits & 1 ? 0xffffffffu : 0;
    switch (draw(g, 3)) {
    case 0:
        return gr_float_bits((float)((int)draw(g, 201) - 100));
    case 1:
        return gr_float_bits((float)((int)draw(g, 20001) - 10000) / 100.0f);
    default: /* any finite float */
        return (bits & 0x7f800000u) == 0x7f800000u ? bits & 0x807fffffu : bits;
    }
}

static void grow_leaf(generator *g) {
    uint32_t constant = draw(g, 2);
    uint32_t operand = constant ? draw_constant(g) : draw(g, g->vocabulary->inputs);
    g->nodes[g->count++] = gr_make_node(constant ? GR_CONSTANT : GR_INPUT, 1, 1, operand);
}

static void put(generator *g, uint32_t op) {
    g->nodes[g->count] = gr_function_node((gr_nodes){g->nodes, 1}, g->count, op);
    g->count++;
}

/* A subtree in postfix order. Functions are drawn until one belongs to the kind of problem. */
static void grow(generator *g, uint32_t depth) {
    if (depth == 0 || draw(g, 6) == 0 || g->count > CAPACITY / 2) {
        grow_leaf(g);
        return;
    }
    uint32_t op;
    do
        op = GR_INPUT + 1 + draw(g, GR_OP_COUNT - GR_INPUT - 1);
    while ((gr_is_word(op) != 0) != (g->vocabulary->packed != 0) || op == GR_ARGMAX_LAST ||
           op == GR_ARGMAX_NEXT || op > GR_ARGMAX);
    uint32_t several = op == GR_ARGMAX ? 1 + draw(g, 3) : 0; /* operands, which become one */
    for (uint32_t k = several ? several : gr_arity(op); k; k--)
        grow(g, depth - 1);
    for (uint32_t k = 0; k < several; k++)
        put(g, k ? GR_ARGMAX_NEXT : GR_ARGMAX_LAST);
    put(g, op);
}

/* Empty, or what went wrong. */
static const char *check(const generator *g, const char *printed) {
    static char reason[1200];
    gr_node *nodes;
    uint32_t count;
    gr_error error = {0};
    if (!printed)
        return "cannot be printed";
    if (gr_read_expression(printed, "text", g->vocabulary, &nodes, &count, &error) != GR_OK) {
        snprintf(reason, sizeof reason, "%s", error.text);
        return reason;
    }
    char *again = gr_print_expression(nodes, count, g->vocabulary);
    int same_nodes = count == g->count && memcmp(nodes, g->nodes, count * sizeof *nodes) == 0;
    int same_text = again && strcmp(printed, again) == 0;
    free(nodes);
    free(again);
    return !same_nodes ? "reads back to other nodes" : same_text ? "" : "prints differently again";
}

int main(int argc, char **argv) {
    static const char *const names[] = {"age", "x1", "log", "a b", "e", "nand", "True"};
    const gr_vocabulary vocabularies[] = {{NULL, 5, 0, 0, 0, 0},
                                          {names, 7, 0, 0, 0, 0},
                                          {NULL, 5, 1, 0, 0, 0},
                                          {names, 7, 1, 0, 0, 0}};
    long trees = argc > 1 ? strtol(argv[1], NULL, 10) : 50000, passed = 0, failed = 0;
    static generator g;
    g.state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint32_t seen[GR_OP_COUNT] = {0};
    for (long i = 0; i < trees; i++) {
        g.vocabulary = &vocabularies[i % 4];
        g.count = 0;
        grow(&g, draw(&g, 9));
        for (uint32_t k = 0; k < g.count; k++)
            seen[GR_NODE_OP(g.nodes[k])] = 1;
        char *printed = gr_print_expression(g.nodes, g.count, g.vocabulary);
        const char *reason = check(&g, printed);
        if (*reason && failed < 10)
            printf("tree %ld: %s: %s\n", i, reason, printed ? printed : "");
        passed += !*reason;
        failed += *reason != 0;
        free(printed);
    }
    for (uint32_t op = 0; op <= GR_ARGMAX && trees >= 1000; op++)
        if (!seen[op]) {
            printf("operation %s never appeared\n", gr_operation_name(op));
            failed++;
        }
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed != 0;
}
