/* Nodes to infix text. No recursion: trees may be 65535 nodes deep. */
#include "gpu/core/program/expression.h"
#include "gpu/core/program/weight.h"
#include "host/expression/caret.h"
#include "host/expression/reader.h"
#include "host/expression/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ATOM = 255,      /* binds like a bracketed expression */
    NUMBER_TEXT = 40 /* capacity for a constant or x[4294967295] */
};

/* Text that grows. */
typedef struct text {
    char *at;
    size_t length, capacity;
    int failed;
} text;

static void put(text *t, const char *s, size_t length) {
    if (t->length + length + 1 > t->capacity && !t->failed) {
        size_t capacity = 2 * (t->length + length + 1);
        char *grown = realloc(t->at, capacity);
        if (grown) {
            t->at = grown;
            t->capacity = capacity;
        }
        t->failed = !grown;
    }
    if (t->failed)
        return;
    memcpy(t->at + t->length, s, length);
    t->length += length;
    t->at[t->length] = '\0';
}

/* ---- constants ---- */

/* The decimal digits of a positive value rounded to `digits` of them, and the power of ten of the
 * last one. Digits are picked out of printf's text one by one, since its decimal point depends on
 * the locale. */
static uint32_t round_decimal(float value, int digits, int32_t *exponent) {
    char scientific[NUMBER_TEXT];
    uint32_t mantissa = 0;
    int taken = 0;
    const char *c = scientific;
    snprintf(scientific, sizeof scientific, "%.*e", digits - 1, (double)value);
    for (; *c != 'e'; c++)
        if (*c >= '0' && *c <= '9' && taken++ < digits)
            mantissa = 10 * mantissa + (uint32_t)(*c - '0');
    *exponent = (int32_t)strtol(c + 1, NULL, 10) - (digits - 1);
    return mantissa;
}

/* mantissa x 10^exponent as 0.00123, 12.3, 12300 or 1.23e-10, whichever a reader would write. */
static void layout_decimal(char out[NUMBER_TEXT], uint32_t mantissa, int32_t exponent) {
    char digits[16];
    while (mantissa && mantissa % 10 == 0) {
        mantissa /= 10;
        exponent++;
    }
    int n = snprintf(digits, sizeof digits, "%u", mantissa), point = n + exponent;
    if (exponent >= 0 && point <= 9)
        snprintf(out, NUMBER_TEXT, "%s%.*s", digits, exponent, "00000000");
    else if (point > 0 && point <= 9)
        snprintf(out, NUMBER_TEXT, "%.*s.%s", point, digits, digits + point);
    else if (point <= 0 && point > -5)
        snprintf(out, NUMBER_TEXT, "0.%.*s%s", -point, "0000", digits);
    else if (n == 1)
        snprintf(out, NUMBER_TEXT, "%se%d", digits, exponent);
    else
        snprintf(out, NUMBER_TEXT, "%c.%se%d", digits[0], digits + 1, point - 1);
}

/* What the reader makes of the text layout_decimal writes: all digits as one integer, over a power
 * of ten. */
static float read_back(const char *s) {
    uint64_t mantissa = 0;
    int32_t exponent = 0;
    int dotted = 0;
    for (; *s && *s != 'e'; s++) {
        dotted |= *s == '.';
        if (*s == '.')
            continue;
        mantissa = 10 * mantissa + (uint64_t)(*s - '0');
        exponent -= dotted;
    }
    if (*s == 'e')
        exponent += (int32_t)strtol(s + 1, NULL, 10);
    return gr_decimal(mantissa, exponent);
}

/* The fewest digits that the reader turns back into the same float. */
static void print_number(char out[NUMBER_TEXT], float value) {
    uint32_t bits = gr_float_bits(value) & 0x7fffffffu;
    char *magnitude = out;
    if (gr_float_bits(value) >> 31)
        *magnitude++ = '-';
    value = gr_bits_float(bits);
    if (bits >= 0x7f800000u) { /* cannot be read; a text that reads as infinity comes closest */
        memcpy(magnitude, "1e999", 6);
        return;
    }
    for (int digits = 1; digits <= 9; digits++) {
        char candidate[NUMBER_TEXT];
        int32_t exponent;
        uint32_t mantissa = round_decimal(value, digits, &exponent);
        layout_decimal(candidate, mantissa, mantissa ? exponent : 0);
        memcpy(magnitude, candidate, strlen(candidate) + 1);
        if (gr_float_bits(read_back(candidate)) == bits)
            return;
    }
}

static void put_constant(text *t, uint32_t bits, int packed) {
    char number[NUMBER_TEXT + 1];
    if (packed)
        snprintf(number, sizeof number, "%s", bits ? "True" : "False");
    else
        print_number(number, gr_bits_float(bits));
    put(t, number, strlen(number));
}

/* ---- inputs ---- */

/* A column's name when it reads back as this input, otherwise x[i]. */
static void put_input(text *t, uint32_t input, const gr_vocabulary *v) {
    const char *name = v->names && input < v->inputs ? v->names[input] : NULL;
    char numbered[NUMBER_TEXT];
    if (name && *name == '(') { /* one that is made of others is called by what it is */
        put(t, name, strlen(name));
        return;
    }
    if (name && *name) {
        gr_token_list tokens = {0};
        gr_status status = gr_tokenise(name, strlen(name), NULL, 1, v, &tokens, NULL);
        int reads = status == GR_OK && tokens.count == 1 &&
                    tokens.words[0] == GR_TOKEN(GR_T_INPUT, 0) && tokens.words[1] == input;
        gr_token_list_free(&tokens);
        t->failed |= status == GR_NO_MEMORY;
        if (reads) {
            put(t, name, strlen(name));
            return;
        }
    }
    snprintf(numbered, sizeof numbered, "x[%u]", input);
    put(t, numbered, strlen(numbered));
}

/* Whether a leaf is printed as weight * input. */
static int carries_weight(gr_node leaf, uint32_t index_mask) {
    return gr_is_weighted(leaf.operand) && gr_weight_of(index_mask, leaf.operand) != 1.0f;
}

static void put_weighted(text *t, gr_node leaf, uint32_t index_mask, const gr_vocabulary *v) {
    float weight = gr_weight_of(index_mask, leaf.operand);
    int bracket = weight < 0.0f && GR_P_SIGN < gr_operator_strength("*", 1);
    if (carries_weight(leaf, index_mask)) {
        put(t, "(", (size_t)bracket);
        put_constant(t, gr_float_bits(weight), 0);
        put(t, ")", (size_t)bracket);
        put(t, " * ", 3);
    }
    put_input(t, leaf.operand & index_mask, v);
}

/* ---- functions ---- */

/* The sign before its single operand, or NULL when the operation is no unary operator. */
static const char *unary_sign(uint32_t op) {
    return op == GR_NEG ? "-" : op == GR_NOT ? "not " : op == GR_WNOT ? "~" : NULL;
}

/* -1 would read as a constant, so a sign over a constant is written neg(1). */
static int is_signed_constant(const gr_node *nodes, uint32_t i) {
    return GR_NODE_OP(nodes[i]) == GR_NEG && GR_NODE_OP(nodes[i - 1]) == GR_CONSTANT;
}

/* One thing still to print: a node, in brackets when it binds less than `least`, or a piece of
 * text. */
typedef struct item {
    uint32_t node, least;
    const char *piece;
} item;

typedef struct printer {
    const gr_node *nodes;
    const uint32_t *size; /* of the subtree of each node */
    const gr_vocabulary *vocabulary;
    uint32_t index_mask; /* of inputs with weights */
    item *items;
    size_t count, capacity;
    text out;
} printer;

/* The infix sign of a node, or "". */
static const char *sign_of(const printer *p, uint32_t i) {
    uint32_t op = GR_NODE_OP(p->nodes[i]);
    if (op != GR_XOR)
        return gr_operation_symbol(op);
    gr_node right = p->nodes[i - 1], left = p->nodes[i - 1 - p->size[i - 1]];
    int weighted = (GR_NODE_OP(left) == GR_INPUT && carries_weight(left, p->index_mask)) ||
                   (GR_NODE_OP(right) == GR_INPUT && carries_weight(right, p->index_mask));
    return !weighted && gr_caret_between(left, right) ? "^" : "";
}

/* How strongly a printed node holds together. */
static uint32_t strength_of(const printer *p, uint32_t i) {
    const gr_node *nodes = p->nodes;
    uint32_t op = GR_NODE_OP(nodes[i]);
    const char *symbol = sign_of(p, i);
    if (op == GR_INPUT && carries_weight(nodes[i], p->index_mask))
        return gr_operator_strength("*", 1);
    if (op == GR_CONSTANT)
        return !p->vocabulary->packed && nodes[i].operand >> 31 ? GR_P_SIGN : ATOM;
    if (is_signed_constant(nodes, i))
        return ATOM;
    if (unary_sign(op))
        return op == GR_NOT ? GR_P_NOT : GR_P_SIGN;
    return gr_arity(op) == 2 && *symbol ? gr_operator_strength(symbol, strlen(symbol)) : ATOM;
}

enum { MOST_ITEMS = 2 * GR_MOST_RANKED + 3 }; /* that one node adds */

static void later(printer *p, const char *piece) {
    p->items[p->count++] = (item){0, 0, piece};
}
static void later_node(printer *p, uint32_t node, uint32_t least) {
    p->items[p->count++] = (item){node, least, NULL};
}

/* name(a, b, c): pushed from the right, so that the left comes out first. */
static void push_call(printer *p, uint32_t i) {
    uint32_t op = GR_NODE_OP(p->nodes[i]), arity = gr_arity(op), operand = i - 1;
    later(p, ")");
    for (uint32_t k = 0; k < arity; k++) {
        later_node(p, operand, 0);
        operand -= p->size[operand];
        if (k + 1 < arity)
            later(p, ", ");
    }
    later(p, "(");
    later(p, gr_operation_name(op));
}

/* argmax(a, b, ...): the operands of the chain below it. */
static void push_ranking(printer *p, uint32_t i) {
    uint32_t operand[GR_MOST_RANKED], count = 0, at = i - 1;
    for (; GR_NODE_OP(p->nodes[at]) == GR_ARGMAX_NEXT && count + 1 < GR_MOST_RANKED; at--)
        operand[count++] = at - 1 - p->size[at - 1];
    operand[count++] = at - (GR_NODE_OP(p->nodes[at]) == GR_ARGMAX_LAST);
    later(p, ")");
    while (count-- > 0) {
        later_node(p, operand[count], 0);
        if (count)
            later(p, ", ");
    }
    later(p, "(");
    later(p, gr_operation_name(GR_ARGMAX));
}

/* targets(a, b, ...): the outputs below its parts. */
static void push_targets(printer *p, uint32_t i) {
    uint32_t operand[GR_MOST_RANKED], count = 0, sums = 0, at = i - 1;
    for (; GR_NODE_OP(p->nodes[at]) == GR_TARGETS_NEXT && sums + 1 < GR_MOST_RANKED; at--)
        sums++;
    for (; count <= sums; at -= p->size[at])
        operand[count++] = at - 3; /* its target and the unit stand between */
    later(p, ")");
    for (uint32_t k = 0; k < count; k++) {
        later_node(p, operand[k], 0);
        if (k + 1 < count)
            later(p, ", ");
    }
    later(p, "(");
    later(p, gr_operation_name(GR_TARGETS));
}

/* Infix: operands of equal strength stand bare on the side the operator groups from. Comparisons do
 * not chain. */
static void push_infix(printer *p, uint32_t i, uint32_t strength) {
    uint32_t right = i - 1, left = right - p->size[right];
    uint32_t least_left = strength, least_right = strength + 1;
    if (strength == GR_P_COMPARISON)
        least_left++;
    if (strength == GR_P_POWER) { /* from the right, and x ** -y needs no brackets */
        least_left++;
        least_right = GR_P_SIGN;
    }
    later_node(p, right, least_right);
    later(p, " ");
    later(p, sign_of(p, i));
    later(p, " ");
    later_node(p, left, least_left);
}

static void print_node(printer *p, item it) {
    gr_node node = p->nodes[it.node];
    uint32_t op = GR_NODE_OP(node);
    int packed = p->vocabulary->packed;
    uint32_t strength = strength_of(p, it.node), bracket = strength < it.least;
    if (bracket) {
        put(&p->out, "(", 1);
        later(p, ")");
    }
    if (op == GR_CONSTANT)
        put_constant(&p->out, node.operand, packed);
    else if (op == GR_INPUT && gr_is_weighted(node.operand))
        put_weighted(&p->out, node, p->index_mask, p->vocabulary);
    else if (op == GR_INPUT)
        put_input(&p->out, node.operand, p->vocabulary);
    else if (op == GR_ARGMAX)
        push_ranking(p, it.node);
    else if (op == GR_TARGETS || op == GR_TARGETS_SUM)
        push_targets(p, it.node);
    else if (strength == ATOM)
        push_call(p, it.node);
    else if (unary_sign(op)) {
        later_node(p, it.node - 1, strength);
        later(p, unary_sign(op));
    } else
        push_infix(p, it.node, strength);
}

static int reserve_items(printer *p) {
    if (p->count + MOST_ITEMS <= p->capacity)
        return 1;
    size_t capacity = 2 * p->capacity + MOST_ITEMS;
    item *grown = realloc(p->items, capacity * sizeof *grown);
    if (!grown)
        return 0;
    p->items = grown;
    p->capacity = capacity;
    return 1;
}

/* Subtree sizes from the operations alone; 0 when the nodes are not exactly one tree. */
static int measure(const gr_node *nodes, uint32_t count, uint32_t *size) {
    for (uint32_t i = 0; i < count; i++) {
        if (GR_NODE_OP(nodes[i]) >= GR_OP_COUNT)
            return 0;
        size[i] = 1;
        for (uint32_t k = gr_arity(GR_NODE_OP(nodes[i])); k; k--) {
            if (size[i] > i)
                return 0;
            size[i] += size[i - size[i]];
        }
    }
    return count && size[count - 1] == count;
}

char *gr_print_tree(const gr_node *nodes, uint32_t count, uint32_t index_mask,
                    const gr_vocabulary *vocabulary) {
    uint32_t *size = malloc((count ? count : 1) * sizeof *size);
    printer p = {nodes, size, vocabulary, index_mask, NULL, 0, 0, {0}};
    int fine = size && measure(nodes, count, size) && reserve_items(&p);
    if (fine)
        later_node(&p, count - 1, 0);
    while (fine && p.count) {
        item it = p.items[--p.count];
        if (it.piece)
            put(&p.out, it.piece, strlen(it.piece));
        else
            print_node(&p, it);
        fine = reserve_items(&p) && !p.out.failed;
    }
    free(size);
    free(p.items);
    if (fine)
        return p.out.at;
    free(p.out.at);
    return NULL;
}

char *gr_print_expression(const gr_node *nodes, uint32_t count, const gr_vocabulary *vocabulary) {
    return gr_print_tree(nodes, count, 0, vocabulary);
}
