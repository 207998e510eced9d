/* The expression language: tokens in, tree nodes in postfix order out. One reader for device and
 * host: the device feeds it the tokens of the terminals a genome derives, the host those of a text.
 *
 * Infix with Python's precedence, calls, inputs (x0, x[0], x[:, 0], by name), numbers that may come
 * in pieces, prefix lists `(+ a b)` and postfix lists `(a b +)`. It is an operator-precedence
 * parser: one stack of pending operators and open brackets, no recursion, every node written once.
 *
 * A token is two words. Word 0: kind | flags; word 1: operand. host/expression/tokens.h makes them
 * from text.
 */
#ifndef GR_EXPRESSION_H
#define GR_EXPRESSION_H

#include "gpu/core/program/node.h"

typedef enum gr_token_kind {
    GR_T_SPACE,    /* a terminal of white space only */
    GR_T_INPUT,    /* operand: index of the input */
    GR_T_CONSTANT, /* operand: bits of a named constant (pi, e, True, False) */
    GR_T_DIGITS,   /* operand: value of 1..9 decimal digits; GR_TOKEN_COUNT: how many digits */
    GR_T_DOT,      /* decimal point */
    GR_T_EXPONENT, /* operand: signed decimal exponent; ends a number */
    GR_T_PREFIX,   /* "x": digits that follow at once make it an input */
    GR_T_INDEX,    /* "x[" or "x[:,": digits and "]" follow; operand 1: "c[" */
    GR_T_BRACKET,  /* "]" */
    GR_T_OPEN,
    GR_T_CLOSE,
    GR_T_COMMA,
    GR_T_FUNCTION, /* operand: operation */
    GR_T_OPERATOR, /* operand: GR_OPERATOR(...) */
    GR_T_IF,       /* a if c else b */
    GR_T_ELSE,
    GR_T_END /* what gr_parse_end feeds */
} gr_token_kind;

#define GR_TOKEN_KIND(word) ((word)&0xffu)
#define GR_TOKEN_COUNT(word) (((word) >> 8) & 0xffu)
#define GR_TOKEN_SPACE_BEFORE 0x10000u
#define GR_TOKEN_SPACE_AFTER 0x20000u /* white space follows inside the same terminal */
#define GR_TOKEN(kind, count) ((uint32_t)(kind) | (uint32_t)(count) << 8)

/* An infix operator: the operation it means between two operands and before one (0: none), its
 * binding strength as a binary and as a unary operator (GR_P_*), and whether it groups from the
 * right. "+x" is x: unary operation GR_OP_COUNT. */
#define GR_OPERATOR(binary, unary, strength, unary_strength, right)                                \
    ((uint32_t)(binary) | (uint32_t)(unary) << 8 | (uint32_t)(strength) << 16 |                    \
     (uint32_t)(unary_strength) << 24 | (uint32_t)(right) << 31)

/* Python's precedence, weakest first. */
enum {
    GR_P_OR = 1,
    GR_P_AND,
    GR_P_NOT,
    GR_P_COMPARISON,
    GR_P_BIT_OR,
    GR_P_BIT_XOR,
    GR_P_BIT_AND,
    GR_P_SUM,
    GR_P_PRODUCT,
    GR_P_SIGN,
    GR_P_POWER
};

typedef enum gr_parse_status {
    GR_PARSE_OK,
    GR_PARSE_SYNTAX,   /* not a sentence of the language */
    GR_PARSE_TOO_LARGE /* more nodes or deeper nesting than the capacities */
} gr_parse_status;

typedef enum gr_number {
    GR_NO_NUMBER,
    GR_NUMBER,
    GR_INPUT_NUMBER,
    GR_INDEX_NUMBER, /* and behind it, with brackets too: */
    GR_FREE_NUMBER   /* of a constant that is to be fitted */
} gr_number;

typedef struct gr_parser {
    gr_nodes nodes; /* output; count of them written */
    gr_words stack; /* pending operators and brackets; top of them */
    uint32_t count, nodes_capacity, top, stack_capacity;
    uint32_t inputs, packed;
    uint32_t outputs, part;  /* of targets(a, b, ...): their number, 0: none; gr_params */
    uint32_t status;         /* gr_parse_status */
    uint32_t have;           /* an operand stands complete at the top of the output */
    uint32_t space;          /* white space since the token before */
    uint32_t number;         /* gr_number: a number that may still grow */
    uint32_t digits, dotted; /* of it */
    int32_t exponent;
    uint64_t mantissa;
} gr_parser;

/* Entries of the stack: kind, operation, strength, number of operands seen. */
enum {
    GR_E_BINARY, /* waits for its right operand */
    GR_E_UNARY,
    GR_E_SIGN, /* unary right behind "(": the head of a prefix list if operands follow one another
                */
    GR_E_SPACED_SIGN, /* the same with white space behind it */
    GR_E_PAREN,
    GR_E_CALL,
    GR_E_NAME,      /* a function's name; "(" must follow */
    GR_E_HEAD_NAME, /* the same right behind "(": may head a list */
    GR_E_LIST,      /* (function a b) */
    GR_E_FOLD,      /* (+ a b c): from the left, two at a time */
    GR_E_POSTFIX,   /* (a b +), operator still to come */
    GR_E_POSTFIX_DONE,
    GR_E_IF,  /* (a if: the condition is still to come */
    GR_E_ELSE /* the condition stands before the value by now; waits for the other value */
};
#define GR_ENTRY(kind, op, strength, count)                                                        \
    ((uint32_t)(kind) | (uint32_t)(op) << 4 | (uint32_t)(strength) << 12 | (uint32_t)(count) << 20)
#define GR_ENTRY_KIND(e) ((e)&15u)
#define GR_ENTRY_OP(e) (((e) >> 4) & 0xffu)
#define GR_ENTRY_STRENGTH(e) (((e) >> 12) & 0xffu)
#define GR_ENTRY_COUNT(e) ((e) >> 20)
#define GR_ENTRY_MORE (1u << 20) /* one more operand */
#define GR_NO_ENTRY 15u

GR_FN void gr_parser_start(gr_parser *p, gr_nodes nodes, uint32_t nodes_capacity, gr_words stack,
                           uint32_t stack_capacity, uint32_t inputs, uint32_t packed) {
    gr_parser start = {0};
    start.nodes = nodes;
    start.stack = stack;
    start.nodes_capacity = nodes_capacity;
    start.stack_capacity = stack_capacity;
    start.inputs = inputs;
    start.packed = packed;
    *p = start;
}

GR_FN void gr_parse_fail(gr_parser *p, uint32_t status) {
    if (p->status == GR_PARSE_OK)
        p->status = status;
}

GR_FN uint32_t gr_parse_top(const gr_parser *p) {
    return p->top ? GR_AT(p->stack, p->top - 1) : GR_NO_ENTRY;
}

GR_FN void gr_parse_push(gr_parser *p, uint32_t entry) {
    if (p->top == p->stack_capacity)
        gr_parse_fail(p, GR_PARSE_TOO_LARGE);
    else
        GR_AT(p->stack, p->top++) = entry;
}

GR_FN void gr_parse_leaf(gr_parser *p, uint32_t op, uint32_t operand) {
    if (p->count == p->nodes_capacity) {
        gr_parse_fail(p, GR_PARSE_TOO_LARGE);
        return;
    }
    GR_AT(p->nodes, p->count++) = gr_make_node(op, 1, 1, operand);
    p->have = 1;
}

/* Writes an operation over the operands that stand at the end of the output. */
GR_FN void gr_parse_emit(gr_parser *p, uint32_t op) {
    if (op == GR_OP_COUNT) /* unary plus */
        return;
    if (p->count == p->nodes_capacity) {
        gr_parse_fail(p, GR_PARSE_TOO_LARGE);
        return;
    }
    GR_AT(p->nodes, p->count) = gr_function_node(p->nodes, p->count, op);
    p->count++;
}

/* The same for an operator; a sign folds into a constant. neg(1) stays a function of a constant. */
GR_FN void gr_parse_emit_operator(gr_parser *p, uint32_t op) {
    gr_node last = GR_AT(p->nodes, p->count - 1);
    if (op == GR_NEG && GR_NODE_OP(last) == GR_CONSTANT) {
        last.operand ^= 0x80000000u;
        GR_AT(p->nodes, p->count - 1) = last;
    } else
        gr_parse_emit(p, op);
}

/* Decimal mantissa x 10^exponent as a float: exact in double up to 15 digits, then rounded once
 * more. Printing looks for digits that read back through this very function. */
GR_FN float gr_decimal(uint64_t mantissa, int32_t exponent) {
    double value = (double)mantissa, power = 1.0;
    int32_t n = exponent < 0 ? -exponent : exponent;
    if (n > 400)
        n = 400;
    for (int32_t i = 0; i < n; i++)
        power *= 10.0;
    return (float)(exponent < 0 ? value / power : value * power);
}

GR_FN void gr_parse_finish_number(gr_parser *p) {
    uint32_t number = p->number;
    p->number = GR_NO_NUMBER;
    if (!p->digits)
        gr_parse_fail(p, GR_PARSE_SYNTAX);
    else if (number == GR_NUMBER) {
        float value = gr_decimal(p->mantissa, p->mantissa ? p->exponent : 0);
        if (value > 3.40282347e38f) /* 1e999 */
            gr_parse_fail(p, GR_PARSE_SYNTAX);
        uint32_t bits = p->packed ? (p->mantissa ? 0xffffffffu : 0u) : gr_float_bits(value);
        gr_parse_leaf(p, GR_CONSTANT, bits);
    } else {
        uint32_t is_free = number == GR_FREE_NUMBER; /* c[i]: its leaf holds i + 1 */
        if (p->mantissa >= (is_free ? (uint32_t)GR_FREE_CONSTANTS : p->inputs))
            gr_parse_fail(p, GR_PARSE_SYNTAX);
        else
            gr_parse_leaf(p, is_free ? GR_CONSTANT : GR_INPUT, (uint32_t)p->mantissa + is_free);
    }
}

GR_FN void gr_parse_start_number(gr_parser *p, uint32_t number) {
    p->number = number;
    p->digits = p->dotted = 0;
    p->exponent = 0;
    p->mantissa = 0;
}

/* Adds a token to the open number; 0 when it does not belong to it. */
GR_FN uint32_t gr_parse_grow_number(gr_parser *p, uint32_t word, uint32_t operand) {
    uint32_t kind = GR_TOKEN_KIND(word), glued = !p->space;
    if (p->number >= GR_INDEX_NUMBER) {
        glued |= !p->digits; /* x[:, 0] */
        if (kind == GR_T_BRACKET) {
            gr_parse_finish_number(p);
            return 1;
        }
        if (kind != GR_T_DIGITS || !glued)
            gr_parse_fail(p, GR_PARSE_SYNTAX);
    }
    if (!glued)
        return 0;
    if (kind == GR_T_DIGITS) {
        uint32_t count = GR_TOKEN_COUNT(word);
        p->digits += count;
        if (p->mantissa < 1000000000u) /* nine more digits stay below 2^63 */
            for (uint32_t i = 0; i < count; i++)
                p->mantissa *= 10u;
        else { /* beyond any float's need: keep the magnitude */
            p->exponent += p->dotted ? 0 : (int32_t)count;
            return 1;
        }
        p->mantissa += operand;
        p->exponent -= p->dotted ? (int32_t)count : 0;
        return 1;
    }
    if (p->number != GR_NUMBER)
        return 0;
    if (kind == GR_T_DOT && !p->dotted)
        return p->dotted = 1;
    if (kind == GR_T_EXPONENT && p->digits) {
        p->exponent += (int32_t)operand;
        gr_parse_finish_number(p);
        return 1;
    }
    return 0;
}

/* Pops and writes pending operators that bind at least as strongly as the one to come (0: all of
 * them). */
GR_FN void gr_parse_reduce(gr_parser *p, uint32_t strength, uint32_t right) {
    for (;;) {
        uint32_t e = gr_parse_top(p), kind = GR_ENTRY_KIND(e);
        if (kind == GR_E_ELSE && strength == 0) {
            p->top--;
            gr_parse_emit(p, GR_IF);
            continue;
        }
        if (p->top == 0 || kind > GR_E_SPACED_SIGN || GR_ENTRY_STRENGTH(e) < strength + right)
            return;
        if (strength == GR_P_COMPARISON && GR_ENTRY_STRENGTH(e) == GR_P_COMPARISON)
            gr_parse_fail(p, GR_PARSE_SYNTAX); /* a < b < c means something else in Python */
        p->top--;
        gr_parse_emit_operator(p, GR_ENTRY_OP(e));
    }
}

/* An input behind the operand that stands at the end of the output. */
GR_FN void gr_parse_emit_input(gr_parser *p, uint32_t input) {
    if (p->count == p->nodes_capacity) {
        gr_parse_fail(p, GR_PARSE_TOO_LARGE);
        return;
    }
    GR_AT(p->nodes, p->count) = gr_make_node(GR_INPUT, 1, 1, input);
    p->count++;
}

/* An output of targets(a, b, ...) is complete: its error, from the columns of its target and the
 * target's unit. */
GR_FN void gr_parse_output(gr_parser *p, uint32_t k) {
    if (k >= p->outputs) {
        gr_parse_fail(p, GR_PARSE_SYNTAX);
        return;
    }
    gr_parse_emit_input(p, p->inputs + k);
    gr_parse_emit_input(p, p->inputs + p->outputs + k);
    if (!p->status)
        gr_parse_emit(p, p->part);
}

/* Whether a program of several targets has its outputs; any other has one. */
GR_FN uint32_t gr_parse_has_outputs(const gr_parser *p) {
    return !p->outputs || GR_NODE_OP(GR_AT(p->nodes, p->count - 1)) == gr_targets_end(p->part);
}

/* An operand is complete inside a list; writes the operation of a folding list as soon as it can.
 */
GR_FN void gr_parse_list_operand(gr_parser *p) {
    uint32_t e = GR_AT(p->stack, p->top - 1) + GR_ENTRY_MORE;
    GR_AT(p->stack, p->top - 1) = e;
    if (GR_ENTRY_COUNT(e) >= 4000u)
        gr_parse_fail(p, GR_PARSE_TOO_LARGE);
    if (GR_ENTRY_KIND(e) == GR_E_FOLD && GR_ENTRY_COUNT(e) >= 2)
        gr_parse_emit(p, GR_ENTRY_OP(e));
    if (GR_ENTRY_KIND(e) == GR_E_CALL && GR_ENTRY_OP(e) == GR_TARGETS)
        gr_parse_output(p, GR_ENTRY_COUNT(e) - 1);
}

/* An operand follows another without an operator: the bracket they stand in is a list. */
GR_FN void gr_parse_juxtapose(gr_parser *p) {
    while (p->top && GR_ENTRY_KIND(gr_parse_top(p)) == GR_E_UNARY) {
        gr_parse_emit_operator(p, GR_ENTRY_OP(gr_parse_top(p)));
        p->top--;
    }
    uint32_t e = gr_parse_top(p), kind = GR_ENTRY_KIND(e);
    p->have = 0;
    if (!p->top)
        gr_parse_fail(p, GR_PARSE_SYNTAX);
    else if (kind == GR_E_SIGN ||
             kind == GR_E_SPACED_SIGN) { /* was the head; stands above its "(" */
        p->top--;
        GR_AT(p->stack, p->top - 1) = GR_ENTRY(GR_E_FOLD, GR_ENTRY_COUNT(e), 0, 1);
    } else if (kind == GR_E_PAREN)
        GR_AT(p->stack, p->top - 1) = GR_ENTRY(GR_E_POSTFIX, 0, 0, 1);
    else if (kind == GR_E_LIST || kind == GR_E_FOLD || kind == GR_E_POSTFIX)
        gr_parse_list_operand(p);
    else
        gr_parse_fail(p, GR_PARSE_SYNTAX);
}

GR_FN void gr_parse_close(gr_parser *p) {
    uint32_t kind = GR_ENTRY_KIND(gr_parse_top(p));
    if (!p->top || (!p->have && kind != GR_E_POSTFIX_DONE)) {
        gr_parse_fail(p, GR_PARSE_SYNTAX);
        return;
    }
    if (kind == GR_E_LIST || kind == GR_E_FOLD || kind == GR_E_CALL)
        gr_parse_list_operand(p);
    uint32_t e = gr_parse_top(p), op = GR_ENTRY_OP(e), count = GR_ENTRY_COUNT(e);
    if (op == GR_ARGMAX && kind == GR_E_CALL && count <= GR_MOST_RANKED) {
        for (uint32_t k = 0; k < count; k++) /* all operands become one */
            gr_parse_emit(p, k ? GR_ARGMAX_NEXT : GR_ARGMAX_LAST);
        count = 1;
    }
    if (op == GR_TARGETS && (count != p->outputs || !count || kind != GR_E_CALL || p->top > 1))
        gr_parse_fail(p, GR_PARSE_SYNTAX);
    if (op == GR_TARGETS && !p->status) {
        for (uint32_t k = 1; k < count; k++)
            gr_parse_emit(p, GR_TARGETS_NEXT);
        op = gr_targets_end(p->part);
        count = 1;
    }
    uint32_t fits = kind == GR_E_PAREN || (kind == GR_E_FOLD && count >= 2) ||
                    ((kind == GR_E_CALL || kind == GR_E_LIST || kind == GR_E_POSTFIX_DONE) &&
                     count == gr_arity(op));
    if (!fits) {
        gr_parse_fail(p, GR_PARSE_SYNTAX);
        return;
    }
    if (kind != GR_E_PAREN && kind != GR_E_FOLD)
        gr_parse_emit(p, op);
    p->top--;
    p->have = 1;
}

/* An operator before an operand: a sign, or the head of a prefix list. */
GR_FN void gr_parse_before(gr_parser *p, uint32_t word, uint32_t operand) {
    uint32_t binary = operand & 0xffu, unary = (operand >> 8) & 0xffu;
    uint32_t strength = (operand >> 24) & 0x7fu, e = gr_parse_top(p);
    uint32_t head = p->top && GR_ENTRY_KIND(e) == GR_E_PAREN;
    if (unary && head && binary) /* the binary operation waits in the count field */
        gr_parse_push(p, GR_ENTRY(word & GR_TOKEN_SPACE_AFTER ? GR_E_SPACED_SIGN : GR_E_SIGN, unary,
                                  strength, binary));
    else if (unary)
        gr_parse_push(p, GR_ENTRY(GR_E_UNARY, unary, strength, 0));
    else if (head)
        GR_AT(p->stack, p->top - 1) = GR_ENTRY(GR_E_FOLD, binary, 0, 0);
    else if (((operand >> 16) & 0xffu) <= GR_P_AND) /* the word in and(a, b), a piece of its own */
        gr_parse_push(p, GR_ENTRY(GR_E_NAME, binary, 0, 0));
    else
        gr_parse_fail(p, GR_PARSE_SYNTAX);
}

/* An operator behind an operand: infix, or the end of a postfix list. */
GR_FN void gr_parse_behind(gr_parser *p, uint32_t operand) {
    uint32_t binary = operand & 0xffu, e = gr_parse_top(p);
    p->have = 0;
    if (!binary)
        gr_parse_fail(p, GR_PARSE_SYNTAX);
    else if (p->top && GR_ENTRY_KIND(e) == GR_E_POSTFIX) {
        gr_parse_list_operand(p);
        e = gr_parse_top(p);
        GR_AT(p->stack, p->top - 1) = GR_ENTRY(GR_E_POSTFIX_DONE, binary, 0, GR_ENTRY_COUNT(e));
    } else
        gr_parse_push(p, GR_ENTRY(GR_E_BINARY, binary, (operand >> 16) & 0xffu, 0));
}

/* A sign between two operands that starts the next item of a list, as in (+ x -1): always in a list
 * whose head is known, and behind a spaced head when the sign touches what follows. */
GR_FN uint32_t gr_parse_sign_starts_item(const gr_parser *p, uint32_t word, uint32_t operand) {
    uint32_t kind = p->top ? GR_ENTRY_KIND(gr_parse_top(p)) : GR_NO_ENTRY;
    if (!p->have || !((operand >> 8) & 0xffu))
        return 0;
    if (kind == GR_E_LIST || kind == GR_E_FOLD)
        return 1;
    return kind == GR_E_SPACED_SIGN && p->space && !(word & GR_TOKEN_SPACE_AFTER);
}

/* The last two subtrees of the output change places: each is reversed, then both together. */
GR_FN void gr_parse_swap(gr_parser *p) {
    uint32_t end = p->count, middle = end - GR_NODE_SIZE(GR_AT(p->nodes, end - 1));
    uint32_t from = middle - GR_NODE_SIZE(GR_AT(p->nodes, middle - 1));
    for (uint32_t pass = 0; pass < 3; pass++) {
        uint32_t i = pass == 1 ? middle : from, k = pass == 0 ? middle : end;
        for (; i + 1 < k; i++) {
            gr_node node = GR_AT(p->nodes, i);
            GR_AT(p->nodes, i) = GR_AT(p->nodes, --k);
            GR_AT(p->nodes, k) = node;
        }
    }
}

/* `a if` and `else` of a conditional expression, which binds weakest and groups from the right. */
GR_FN void gr_parse_conditional(gr_parser *p, uint32_t kind) {
    if (!p->have || (kind == GR_T_ELSE && GR_ENTRY_KIND(gr_parse_top(p)) != GR_E_IF))
        gr_parse_fail(p, GR_PARSE_SYNTAX);
    else if (kind == GR_T_IF)
        gr_parse_push(p, GR_ENTRY(GR_E_IF, 0, 0, 0));
    else {
        gr_parse_swap(p);
        GR_AT(p->stack, p->top - 1) = GR_ENTRY(GR_E_ELSE, 0, 0, 0);
    }
    p->have = 0;
}

/* Feeds one token. After the first failure tokens are ignored; p->status tells. */
GR_FN void gr_parse_token(gr_parser *p, uint32_t word, uint32_t operand) {
    uint32_t kind = GR_TOKEN_KIND(word);
    if (p->status != GR_PARSE_OK)
        return;
    p->space |= word & GR_TOKEN_SPACE_BEFORE;
    if (kind == GR_T_SPACE) {
        p->space = 1;
        return;
    }
    if (p->number != GR_NO_NUMBER) {
        uint32_t grown = gr_parse_grow_number(p, word, operand);
        if (grown || p->status != GR_PARSE_OK) {
            p->space = word & GR_TOKEN_SPACE_AFTER;
            return;
        }
        gr_parse_finish_number(p);
    }
    uint32_t sign_item = kind == GR_T_OPERATOR && gr_parse_sign_starts_item(p, word, operand);
    uint32_t starts = kind != GR_T_BRACKET && kind != GR_T_CLOSE && kind != GR_T_COMMA &&
                      kind != GR_T_END && kind != GR_T_EXPONENT && kind != GR_T_OPERATOR &&
                      kind != GR_T_IF && kind != GR_T_ELSE;
    uint32_t above = p->top ? GR_ENTRY_KIND(gr_parse_top(p)) : GR_NO_ENTRY;
    uint32_t call =
        kind == GR_T_OPEN && (above == GR_E_NAME || (above == GR_E_HEAD_NAME && !p->space));
    if (above == GR_E_HEAD_NAME && !call && starts) { /* (pdiv a b): the name heads a list */
        uint32_t op = GR_ENTRY_OP(gr_parse_top(p));
        p->top--;
        GR_AT(p->stack, p->top - 1) = GR_ENTRY(GR_E_LIST, op, 0, 0);
    } else if ((above == GR_E_NAME || above == GR_E_HEAD_NAME) && !call)
        gr_parse_fail(p, GR_PARSE_SYNTAX);
    else if (above == GR_E_POSTFIX_DONE && kind != GR_T_CLOSE) /* nothing follows the operator */
        gr_parse_fail(p, GR_PARSE_SYNTAX);
    else if (p->have && (starts || sign_item))
        gr_parse_juxtapose(p);
    else if (p->have && kind == GR_T_OPERATOR)
        gr_parse_reduce(p, (operand >> 16) & 0xffu, operand >> 31);
    else if (p->have)
        gr_parse_reduce(p, kind == GR_T_IF || kind == GR_T_ELSE, 0);
    if (p->status != GR_PARSE_OK)
        return;
    switch (kind) {
    case GR_T_DIGITS:
    case GR_T_DOT:
        gr_parse_start_number(p, GR_NUMBER);
        p->space = 0;
        gr_parse_grow_number(p, word, operand);
        break;
    case GR_T_PREFIX:
        gr_parse_start_number(p, GR_INPUT_NUMBER);
        break;
    case GR_T_INDEX:
        gr_parse_start_number(p, GR_INDEX_NUMBER + operand);
        break;
    case GR_T_INPUT:
    case GR_T_CONSTANT:
        gr_parse_leaf(p, kind == GR_T_INPUT ? GR_INPUT : GR_CONSTANT, operand);
        break;
    case GR_T_FUNCTION:
        above = p->top ? GR_ENTRY_KIND(gr_parse_top(p)) : GR_NO_ENTRY;
        gr_parse_push(p, GR_ENTRY(above == GR_E_PAREN ? GR_E_HEAD_NAME : GR_E_NAME, operand, 0, 0));
        break;
    case GR_T_OPEN:
        if (call)
            GR_AT(p->stack, p->top - 1) = GR_ENTRY(GR_E_CALL, GR_ENTRY_OP(gr_parse_top(p)), 0, 0);
        else
            gr_parse_push(p, GR_ENTRY(GR_E_PAREN, 0, 0, 0));
        break;
    case GR_T_CLOSE:
        gr_parse_close(p);
        break;
    case GR_T_COMMA:
        if (!p->have || !p->top || GR_ENTRY_KIND(gr_parse_top(p)) != GR_E_CALL)
            gr_parse_fail(p, GR_PARSE_SYNTAX);
        else
            gr_parse_list_operand(p);
        p->have = 0;
        break;
    case GR_T_OPERATOR:
        if (p->have)
            gr_parse_behind(p, operand);
        else
            gr_parse_before(p, word, operand);
        break;
    case GR_T_IF:
    case GR_T_ELSE:
        gr_parse_conditional(p, kind);
        break;
    case GR_T_END:
        if (!p->have || p->top || !gr_parse_has_outputs(p))
            gr_parse_fail(p, GR_PARSE_SYNTAX);
        break;
    default:
        gr_parse_fail(p, GR_PARSE_SYNTAX);
        break;
    }
    p->space = word & GR_TOKEN_SPACE_AFTER;
}

/* Ends the sentence: p->status GR_PARSE_OK and nodes [0, p->count) hold the tree, or what is wrong.
 */
GR_FN void gr_parse_end(gr_parser *p) {
    gr_parse_token(p, GR_TOKEN(GR_T_END, 0), 0);
}

#endif
