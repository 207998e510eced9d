#include "host/export/simplify.h"

#include "gpu/core/program/evaluate.h"
#include "host/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what may be changed where ---- */

/* A NaN here is one of the whole program; the sign of a zero here is seen in more than the sign of
 * its zero. */
enum { STRICT = 1, SEES_SIGN = 2 };

/* The words of simplify.def, whose lines become constants, asked for by those of ops.def. */
enum { UNSEEN = 0, NAN_PASSES = 1, ZERO_PASSES = 2, ZERO_SEEN = 4 };
enum { SIGNED, UNSIGNED };
enum {
#define GR_SIMPLIFY1(id, result, a, rule) RESULT_##id = result, FIRST_##id = a,
#define GR_SIMPLIFY2(id, result, a, b, rule) GR_SIMPLIFY1(id, result, a, rule) SECOND_##id = b,
#define GR_SIMPLIFY3(id, result, a, b, c, rule) GR_SIMPLIFY2(id, result, a, b, rule) THIRD_##id = c,
#include "host/export/simplify.def"
};
static const struct {
    uint8_t result, operand[3];
} behaviour[GR_OP_COUNT] = {
#define GR_OP1(id, names, class, exact, fast) [GR_##id] = {RESULT_##id, {FIRST_##id}},
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    [GR_##id] = {RESULT_##id, {FIRST_##id, SECOND_##id}},
#define GR_OP3(id, names, class, exact, fast)                                                      \
    [GR_##id] = {RESULT_##id, {FIRST_##id, SECOND_##id, THIRD_##id}},
#define GR_WORD1(id, names, symbol, expression) GR_OP1(id, names, 0, 0, 0)
#define GR_WORD2C(id, names, symbol, expression) GR_OP2(id, names, symbol, 0, 0, 0)
#include "gpu/core/base/ops.def"
};

/* The context of every node, from the root down. */
static void find_contexts(const gr_node *nodes, uint32_t count, uint8_t *context) {
    context[count - 1] = STRICT;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t op = GR_NODE_OP(nodes[i]), at = i - 1;
        for (uint32_t k = gr_arity(op); k-- > 0; at -= GR_NODE_SIZE(nodes[at])) {
            uint32_t becomes = behaviour[op].operand[k];
            uint32_t strict = becomes & NAN_PASSES ? context[i] & STRICT : 0u;
            uint32_t seen = becomes & ZERO_SEEN     ? SEES_SIGN
                            : becomes & ZERO_PASSES ? context[i] & SEES_SIGN
                                                    : 0u;
            context[at] = (uint8_t)(strict | seen);
        }
    }
}

/* ---- the tree that is being built ---- */

/* The operation just put on top of its operands; operand k ends at end[k] and has size[k] nodes. */
typedef struct built {
    gr_node *nodes;
    uint32_t count;
    uint32_t op, arity, end[3], size[3], first; /* first: where the leftmost operand begins */
    uint32_t strict, sees_sign;
    int doubles;
} built;

static void look(built *b) {
    b->op = GR_NODE_OP(b->nodes[b->count - 1]);
    b->arity = gr_arity(b->op);
    b->first = b->count - 1;
    for (uint32_t k = b->arity; k-- > 0; b->first -= b->size[k]) {
        b->end[k] = b->first - 1;
        b->size[k] = GR_NODE_SIZE(b->nodes[b->end[k]]);
    }
}

static void push(built *b, uint32_t op) {
    b->nodes[b->count] = gr_function_node((gr_nodes){b->nodes, 1}, b->count, op);
    b->count++;
}

/* Operand k in place of the operation. */
static int keep_operand(built *b, uint32_t k) {
    memmove(b->nodes + b->first, b->nodes + b->end[k] + 1 - b->size[k],
            b->size[k] * sizeof *b->nodes);
    b->count = b->first + b->size[k];
    return 1;
}

/* op of operand k in place of the operation. */
static int apply_to(built *b, uint32_t op, uint32_t k) {
    keep_operand(b, k);
    push(b, op);
    return 1;
}

static int put_constant(built *b, uint32_t bits) {
    b->nodes[b->first] = gr_make_node(GR_CONSTANT, 1, 1, bits);
    b->count = b->first + 1;
    return 1;
}
static int put_number(built *b, float value) {
    return put_constant(b, gr_float_bits(value));
}

/* The same operands under another operation. */
static int change(built *b, uint32_t op) {
    b->count--;
    push(b, op);
    return 1;
}

static uint32_t op_of(const built *b, uint32_t k) {
    return GR_NODE_OP(b->nodes[b->end[k]]);
}
static int is_constant(const built *b, uint32_t k) {
    return op_of(b, k) == GR_CONSTANT;
}
static uint32_t bits_of(const built *b, uint32_t k) {
    return b->nodes[b->end[k]].operand;
}
static int is_number(const built *b, uint32_t k, float value) {
    return is_constant(b, k) && gr_bits_float(bits_of(b, k)) == value;
}
static int same(const built *b, uint32_t j, uint32_t k) {
    return b->size[j] == b->size[k] &&
           memcmp(b->nodes + b->end[j] + 1 - b->size[j], b->nodes + b->end[k] + 1 - b->size[k],
                  b->size[j] * sizeof *b->nodes) == 0;
}

/* The operand of operand k, a function of one operand, in its place: the node that joins it goes.
 */
static void drop_inner(built *b, uint32_t k) {
    memmove(b->nodes + b->end[k], b->nodes + b->end[k] + 1,
            (b->count - b->end[k] - 1) * sizeof *b->nodes);
    b->count -= 1;
}

/* ---- rules ---- */

static int fold(built *b) {
    if (gr_is_ranking(b->op) || b->doubles)
        return 0;
    float a[3] = {0.0f, 0.0f, 0.0f};
    for (uint32_t k = 0; k < b->arity; k++) {
        if (!is_constant(b, k))
            return 0;
        a[k] = gr_bits_float(bits_of(b, k));
    }
    float value = gr_apply(b->op, a[0], a[1], a[2]);
    return (gr_is_word(b->op) || isfinite(value)) && put_number(b, value);
}

/* -x in an operand of + and -, for which there is the other of them; constants stay. */
static int reduce_signs(built *b) {
    uint32_t other = b->op == GR_ADD ? GR_SUB : GR_ADD;
    if (op_of(b, 1) != GR_NEG)
        return 0;
    drop_inner(b, 1);
    return change(b, other);
}

static int reduce_sum(built *b) {
    int zero = !b->sees_sign, adds = b->op == GR_ADD;
    if (is_number(b, 1, 0.0f) && (zero || (bits_of(b, 1) >> 31 != 0) == adds))
        return keep_operand(b, 0);
    if (adds && is_number(b, 0, 0.0f) && (zero || bits_of(b, 0) >> 31))
        return keep_operand(b, 1);
    if (!adds && is_number(b, 0, 0.0f) && (zero || bits_of(b, 0) >> 31))
        return apply_to(b, GR_NEG, 1);
    if (!adds && b->strict && zero && same(b, 0, 1))
        return put_number(b, 0.0f);
    return reduce_signs(b);
}

static int reduce_product(built *b) {
    for (uint32_t k = 0; k < 2; k++) {
        if (is_number(b, k, 1.0f))
            return keep_operand(b, 1 - k);
        if (is_number(b, k, -1.0f))
            return apply_to(b, GR_NEG, 1 - k);
        if (is_number(b, k, 0.0f) && b->strict && !b->sees_sign)
            return put_number(b, 0.0f);
    }
    if (op_of(b, 0) == GR_NEG && op_of(b, 1) == GR_NEG) {
        drop_inner(b, 1);
        drop_inner(b, 0);
        return change(b, GR_MUL);
    }
    return same(b, 0, 1) && apply_to(b, GR_SQUARE, 0);
}

static int reduce_quotient(built *b) {
    if (is_number(b, 1, 1.0f))
        return keep_operand(b, 0);
    if (is_number(b, 1, -1.0f))
        return apply_to(b, GR_NEG, 0);
    if (b->strict && same(b, 0, 1))
        return put_number(b, 1.0f);
    return b->op == GR_DIV && b->strict && !b->sees_sign && is_number(b, 0, 0.0f) &&
           put_number(b, 0.0f);
}

static int reduce_extreme(built *b) {
    return same(b, 0, 1) && keep_operand(b, 0);
}

/* < and >, which a NaN does not fulfil either. */
static int reduce_order(built *b) {
    return same(b, 0, 1) && put_number(b, 0.0f);
}

/* A constant among the operands that settles it, or operands that are the same. */
static int reduce_logic(built *b) {
    int and = b->op == GR_AND || b->op == GR_NAND;
    for (uint32_t k = 0; b->op != GR_XOR && k < 2; k++)
        if (is_constant(b, k) && (gr_bits_float(bits_of(b, k)) != 0.0f) != and)
            return put_number(b, b->op == GR_AND || b->op == GR_NOR ? 0.0f : 1.0f);
    return b->op == GR_XOR && same(b, 0, 1) && put_number(b, 0.0f);
}

static int reduce_not(built *b) {
    static const uint8_t opposite[][2] = {
        {GR_EQ, GR_NE},    {GR_NE, GR_EQ},   {GR_AND, GR_NAND},   {GR_NAND, GR_AND},
        {GR_OR, GR_NOR},   {GR_NOR, GR_OR},  {GR_WAND, GR_WNAND}, {GR_WNAND, GR_WAND},
        {GR_WOR, GR_WNOR}, {GR_WNOR, GR_WOR}};
    for (size_t i = 0; i < sizeof opposite / sizeof *opposite; i++)
        if (op_of(b, 0) == opposite[i][0]) {
            b->count--;
            return change(b, opposite[i][1]);
        }
    if (b->op == GR_WNOT && op_of(b, 0) == GR_WNOT) {
        b->count -= 2;
        return 1;
    }
    return 0;
}

static int reduce_negation(built *b) {
    uint32_t inner = op_of(b, 0);
    if (inner == GR_NEG) {
        b->count -= 2;
        return 1;
    }
    if (inner != GR_SUB || b->sees_sign)
        return 0;
    /* b - a */
    gr_node *nodes = b->nodes + b->first;
    uint32_t right = GR_NODE_SIZE(b->nodes[b->end[0] - 1]);
    uint32_t left = b->end[0] - b->first - right;
    gr_node *copy = malloc(left * sizeof *copy);
    if (!copy)
        return 0; /* as it is */
    memcpy(copy, nodes, left * sizeof *copy);
    memmove(nodes, nodes + left, right * sizeof *nodes);
    memcpy(nodes + right, copy, left * sizeof *nodes);
    free(copy);
    b->count -= 2;
    push(b, GR_SUB);
    return 1;
}

/* A sign of the operand that the operation takes away. */
static int reduce_unsigned(built *b) {
    uint32_t inner = op_of(b, 0);
    if (inner != GR_NEG && inner != GR_ABS)
        return 0;
    drop_inner(b, 0);
    return change(b, b->op);
}

static int reduce_absolute(built *b) {
    if (behaviour[op_of(b, 0)].result == UNSIGNED)
        return keep_operand(b, 0);
    return reduce_unsigned(b);
}

static int reduce_words(built *b) {
    const uint32_t all = 0xffffffffu;
    uint32_t op = b->op;
    int inverts = op == GR_WNAND || op == GR_WNOR, and = op == GR_WAND || op == GR_WNAND;
    if (same(b, 0, 1)) {
        if (op == GR_WXOR)
            return put_constant(b, 0);
        return inverts ? apply_to(b, GR_WNOT, 0) : keep_operand(b, 0);
    }
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t value = is_constant(b, k) ? bits_of(b, k) : 1;
        if (value != 0 && value != all)
            continue;
        if (op == GR_WXOR)
            return value ? apply_to(b, GR_WNOT, 1 - k) : keep_operand(b, 1 - k);
        if ((value == 0) == and) /* 0 and x, 1 or x */
            return put_constant(b, inverts ? ~value : value);
        return inverts ? apply_to(b, GR_WNOT, 1 - k) : keep_operand(b, 1 - k);
    }
    return 0;
}

static int reduce_choice(built *b) {
    if (is_constant(b, 0))
        return keep_operand(b, gr_bits_float(bits_of(b, 0)) != 0.0f ? 1 : 2);
    return same(b, 1, 2) && keep_operand(b, 1);
}

static int reduce_power(built *b) {
    if (is_number(b, 1, 0.0f) || is_number(b, 0, 1.0f))
        return b->op != GR_PPOW2 && put_number(b, 1.0f);
    return b->op == GR_PPOW && reduce_unsigned(b);
}

static int reduce_none(built *b) {
    (void)b;
    return 0;
}

static int (*const reduce_by[GR_OP_COUNT])(built *) = {
#define GR_SIMPLIFY1(id, result, a, rule) [GR_##id] = reduce_##rule,
#define GR_SIMPLIFY2(id, result, a, b, rule) GR_SIMPLIFY1(id, result, a, rule)
#define GR_SIMPLIFY3(id, result, a, b, c, rule) GR_SIMPLIFY1(id, result, a, rule)
#include "host/export/simplify.def"
};

/* The operation on top by the first rule that holds; 0: none does. */
static int reduce(built *b) {
    return fold(b) || reduce_by[b->op](b);
}

/* Builds the tree again with every operation reduced; whether any was. */
static int pass(const gr_node *nodes, uint32_t count, const uint8_t *context, built *b) {
    int changed = 0;
    b->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t op = GR_NODE_OP(nodes[i]);
        if (op <= GR_INPUT) {
            b->nodes[b->count++] = nodes[i];
            continue;
        }
        push(b, op);
        look(b);
        b->strict = context[i] & STRICT;
        b->sees_sign = context[i] & SEES_SIGN;
        changed |= reduce(b);
    }
    return changed;
}

gr_status gr_simplify(const gr_node *nodes, uint32_t count, int doubles, gr_node **simpler,
                      uint32_t *simpler_count, gr_error *error) {
    enum { MOST_PASSES = 64 };
    gr_node *from = malloc(count * sizeof *from), *to = malloc(count * sizeof *to);
    uint8_t *context = malloc(count);
    *simpler = NULL;
    *simpler_count = 0;
    if (!from || !to || !context) {
        free(from);
        free(to);
        free(context);
        return gr_fail(error, GR_NO_MEMORY, "no memory to simplify a program of %u node%s", count,
                       gr_s(count));
    }
    memcpy(from, nodes, count * sizeof *from);
    for (int again = 1, n = 0; again && n < MOST_PASSES; n++) {
        built b = {.nodes = to, .doubles = doubles};
        find_contexts(from, count, context);
        again = pass(from, count, context, &b);
        count = b.count;
        to = from;
        from = b.nodes;
    }
    free(to);
    free(context);
    *simpler = from;
    *simpler_count = count;
    return GR_OK;
}
