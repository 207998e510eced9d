#include "host/expression/caret.h"

#include "gpu/core/program/expression.h"

uint32_t gr_mark_caret(uint32_t word, uint32_t operand) {
    int caret = GR_TOKEN_KIND(word) == GR_T_OPERATOR && ((operand >> 16) & 0xffu) == GR_P_BIT_XOR;
    return caret ? (operand & ~0xffu) | GR_WXOR : operand;
}

static int is_truth(gr_node node) {
    uint32_t op = GR_NODE_OP(node);
    return (op >= GR_LT && op <= GR_NOT) || op == GR_WXOR;
}

/* What may be meant as a truth value beside one. */
static int may_be_truth(gr_node node) {
    uint32_t op = GR_NODE_OP(node);
    return is_truth(node) || op == GR_INPUT ||
           (op == GR_CONSTANT && (node.operand == 0 || node.operand == gr_float_bits(1.0f)));
}

int gr_caret_between(gr_node left, gr_node right) {
    return (is_truth(left) && may_be_truth(right)) || (may_be_truth(left) && is_truth(right));
}

int gr_caret_misread(const gr_node *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (GR_NODE_OP(nodes[i]) != GR_WXOR)
            continue;
        gr_node right = nodes[i - 1], left = nodes[i - 1 - GR_NODE_SIZE(right)];
        if (!gr_caret_between(left, right))
            return 1;
    }
    return 0;
}

void gr_unmark_carets(gr_node *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (GR_NODE_OP(nodes[i]) == GR_WXOR)
            nodes[i].head = (nodes[i].head & ~0xffu) | GR_XOR;
}
