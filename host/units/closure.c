/* Which dimensions and operations can occur in an expression of the target's dimension: from the
 * leaves up, what can be made within the depth; from the target down, what is of use to it. */
#include "host/base/text.h"
#include "host/units/units.h"

#include <stdlib.h>
#include <string.h>

/* The lines of dimensions.def as constants, asked for by those of ops.def. */
enum {
#define GR_DIMENSION(id, rule, by) RULE_OF_##id = GR_DIM_##rule, NUMBER_OF_##id = by,
#include "host/units/dimensions.def"
};
static const struct {
    int8_t rule, number;
} behaviour[GR_OP_COUNT] = {
#define GR_OP1(id, names, class, exact, fast) [GR_##id] = {RULE_OF_##id, NUMBER_OF_##id},
#define GR_OP2(id, names, symbol, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#define GR_OP3(id, names, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#include "gpu/core/base/ops.def"
};

gr_dimension_rule gr_rule_of(uint32_t op) {
    return (gr_dimension_rule)behaviour[op].rule;
}
int gr_dimension_power(uint32_t op) {
    return behaviour[op].number;
}

/* ---- dimensions by number ---- */

enum { SHALLOW = 3, SLOTS = 1 << 16 }; /* more than twice as many as there are dimensions */

typedef struct closing {
    const gr_units *units;
    const gr_closure_options *options;
    gr_dimension *dimension;
    uint8_t *level;    /* of the flattest expression of it */
    uint8_t *budget;   /* most levels that an expression of it may have on the way; 0: no use */
    uint32_t *slot;    /* number + 1, by hash */
    uint32_t count;    /* of dimensions */
    uint32_t has_odd;  /* halves of powers occur in the units */
    uint32_t too_many; /* there are more than GR_MOST_DIMENSIONS */
    uint32_t sparse;   /* beyond SHALLOW levels only what makes a dimension soonest */
    gr_closure *made;
    size_t room; /* of made->operation */
} closing;

static uint32_t *find_slot(const closing *c, gr_dimension d) {
    uint64_t key;
    memcpy(&key, &d, sizeof key);
    uint32_t k = (uint32_t)((key * 0x9e3779b97f4a7c15ull) >> 48);
    while (c->slot[k] && !gr_same_dimension(c->dimension[c->slot[k] - 1], d))
        k = (k + 1) % SLOTS;
    return &c->slot[k];
}

/* The number of a dimension that can be made, or GR_MOST_DIMENSIONS. */
static uint32_t number_of(const closing *c, gr_dimension d) {
    uint32_t found = *find_slot(c, d);
    return found ? found - 1 : GR_MOST_DIMENSIONS;
}

static void add_dimension(closing *c, gr_dimension d, uint32_t level) {
    uint32_t *slot = find_slot(c, d);
    if (*slot)
        return;
    if (c->count == GR_MOST_DIMENSIONS) {
        c->too_many = 1;
        return;
    }
    c->dimension[c->count] = d;
    c->level[c->count] = (uint8_t)level;
    *slot = ++c->count;
}

/* *out = a + sign * b; false beyond the largest power. */
static int combine(gr_dimension a, gr_dimension b, int sign, gr_dimension *out) {
    for (uint32_t k = 0; k < GR_BASE_UNITS; k++) {
        int power = a.power[k] + sign * b.power[k];
        if (abs(power) > GR_LARGEST_POWER)
            return 0;
        out->power[k] = (int8_t)power;
    }
    return 1;
}

static int raise(gr_dimension a, int by, gr_dimension *out) {
    for (uint32_t k = 0; k < GR_BASE_UNITS; k++) {
        int power = a.power[k] * by;
        if (abs(power) > GR_LARGEST_POWER)
            return 0;
        out->power[k] = (int8_t)power;
    }
    return 1;
}

/* A root; whole powers come out, halves only where the units have any. */
static int take_root(const closing *c, gr_dimension a, int of, gr_dimension *out) {
    for (uint32_t k = 0; k < GR_BASE_UNITS; k++) {
        if (a.power[k] % (c->has_odd ? of : 2 * of))
            return 0;
        out->power[k] = (int8_t)(a.power[k] / of);
    }
    return 1;
}

/* ---- from the leaves up ---- */

static void add_from_one(closing *c, uint32_t a, uint32_t level) {
    for (uint32_t k = 0; k < c->options->functions; k++) {
        uint32_t op = c->options->function[k];
        gr_dimension_rule rule = gr_rule_of(op);
        gr_dimension d;
        if ((rule == GR_DIM_POWER && raise(c->dimension[a], gr_dimension_power(op), &d)) ||
            (rule == GR_DIM_ROOT && take_root(c, c->dimension[a], gr_dimension_power(op), &d)))
            add_dimension(c, d, level);
    }
}

static void add_from_two(closing *c, uint32_t a, uint32_t b, uint32_t level, int products,
                         int quotients) {
    gr_dimension d;
    if (products && combine(c->dimension[a], c->dimension[b], 1, &d))
        add_dimension(c, d, level);
    if (quotients && combine(c->dimension[a], c->dimension[b], -1, &d))
        add_dimension(c, d, level);
    if (quotients && combine(c->dimension[b], c->dimension[a], -1, &d))
        add_dimension(c, d, level);
}

/* All that one more level can make. */
static void add_level(closing *c, uint32_t level) {
    uint32_t known = c->count;
    int products = 0, quotients = 0;
    for (uint32_t k = 0; k < c->options->functions; k++) {
        products |= gr_rule_of(c->options->function[k]) == GR_DIM_PRODUCT;
        quotients |= gr_rule_of(c->options->function[k]) == GR_DIM_QUOTIENT;
    }
    for (uint32_t a = 0; a < known && !c->too_many; a++) {
        int fresh = c->level[a] + 1u == level;
        if (fresh)
            add_from_one(c, a, level);
        for (uint32_t b = 0; b <= a; b++)
            if (fresh || c->level[b] + 1u == level)
                add_from_two(c, a, b, level, products, quotients);
    }
}

static void add_leaves(closing *c) {
    gr_dimension none = {{0}};
    for (uint32_t i = 0; i < c->units->inputs; i++)
        add_dimension(c, c->units->input[i], 1);
    if (c->options->constants)
        add_dimension(c, none, 1);
}

/* ---- from the target down ---- */

static int may_be(const closing *c, uint32_t d, uint32_t budget) {
    return d < c->count && c->level[d] <= budget;
}

/* What an operand may have of the levels that are left: of a sparse closure no more than it takes,
 * but for flat ones. */
static uint8_t levels_for(const closing *c, uint32_t d, uint8_t left) {
    uint8_t enough = c->level[d] < SHALLOW - 1 ? SHALLOW - 1 : c->level[d];
    return c->sparse && left > enough ? enough : left;
}

static void allow(closing *c, uint32_t d, uint8_t left) {
    uint8_t levels = levels_for(c, d, left);
    c->budget[d] = c->budget[d] > levels ? c->budget[d] : levels;
}

static gr_status add_operation(closing *c, uint32_t op, uint32_t result, uint32_t a, uint32_t b,
                               gr_error *error) {
    gr_closure *made = c->made;
    uint8_t left = (uint8_t)(c->budget[result] - 1);
    if (made->operations == c->room) {
        size_t room = 2 * c->room + 1024;
        gr_typed_operation *more = realloc(made->operation, room * sizeof *more);
        if (!more)
            return gr_fail(error, GR_NO_MEMORY, "no memory for %zu operations on units", room);
        made->operation = more;
        c->room = room;
    }
    made->operation[made->operations++] = (gr_typed_operation){op, result, {a, b}};
    allow(c, a, left);
    allow(c, b, left);
    return GR_OK;
}

/* The operand b with which a makes dimension d within these levels, or GR_MOST_DIMENSIONS. */
static uint32_t partner_of(const closing *c, int product, uint32_t d, uint32_t a, uint32_t left) {
    gr_dimension other;
    int fits = product ? combine(c->dimension[d], c->dimension[a], -1, &other)
                       : combine(c->dimension[a], c->dimension[d], -1, &other);
    uint32_t b = fits ? number_of(c, other) : GR_MOST_DIMENSIONS;
    return may_be(c, b, left) && (!product || a <= b) ? b : GR_MOST_DIMENSIONS;
}

/* Products or quotients that are of dimension d. */
static gr_status add_pairs(closing *c, uint32_t op, uint32_t d, gr_error *error) {
    int product = gr_rule_of(op) == GR_DIM_PRODUCT;
    uint32_t left = c->budget[d] - 1u, least = UINT32_MAX;
    gr_status status = GR_OK;
    for (int pass = c->sparse && c->level[d] > SHALLOW ? 0 : 1; pass < 2; pass++)
        for (uint32_t a = 0; !status && a < c->count && c->level[a] <= left; a++) {
            uint32_t b = partner_of(c, product, d, a, left);
            if (b == GR_MOST_DIMENSIONS)
                continue;
            uint32_t levels = (uint32_t)c->level[a] + c->level[b];
            if (pass == 0)
                least = levels < least ? levels : least;
            else if (levels <= least)
                status = add_operation(c, op, d, a, b, error);
        }
    return status;
}

static gr_status add_operations_to(closing *c, uint32_t op, uint32_t d, gr_error *error) {
    gr_dimension of = c->dimension[d], none = {{0}}, other;
    uint32_t left = c->budget[d] - 1u, a = GR_MOST_DIMENSIONS;
    int power = gr_dimension_power(op);
    switch (gr_rule_of(op)) {
    case GR_DIM_PRODUCT:
    case GR_DIM_QUOTIENT:
        return add_pairs(c, op, d, error);
    case GR_DIM_SAME:
        a = d;
        break;
    case GR_DIM_PURE:
        a = gr_same_dimension(of, none) ? d : a;
        break;
    case GR_DIM_ROOT: {
        gr_dimension back; /* of whole powers where the units have no halves */
        if (raise(of, power, &other) && take_root(c, other, power, &back))
            a = number_of(c, other);
        break;
    }
    case GR_DIM_POWER:
        for (a = 0; a < c->count && c->level[a] <= left; a++)
            if (raise(c->dimension[a], power, &other) && gr_same_dimension(other, of))
                break;
        break;
    case GR_DIM_NONE:
        break;
    }
    return may_be(c, a, left) ? add_operation(c, op, d, a, a, error) : GR_OK;
}

/* Operations of those dimensions that have `budget` levels. */
static gr_status go_down(closing *c, uint32_t budget, gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t d = 0; d < c->count; d++)
        for (uint32_t k = 0; c->budget[d] == budget && !status && k < c->options->functions; k++)
            status = add_operations_to(c, c->options->function[k], d, error);
    return status;
}

/* Whatever levels are left, a dimension of use has sums of its own, and products with numbers. */
static gr_status add_own(closing *c, uint32_t d, uint32_t number, gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t k = 0; k < c->options->functions && !status; k++) {
        uint32_t op = c->options->function[k];
        gr_dimension_rule rule = gr_rule_of(op);
        if (rule == GR_DIM_SAME)
            status = add_operation(c, op, d, d, d, error);
        else if (rule == GR_DIM_PRODUCT && number < c->count)
            status =
                add_operation(c, op, d, d < number ? d : number, d < number ? number : d, error);
        else if (rule == GR_DIM_QUOTIENT && number < c->count)
            status = add_operation(c, op, d, d, number, error);
    }
    return status;
}

/* ---- together ---- */

static int by_result(const void *a, const void *b) {
    const gr_typed_operation *x = a, *y = b;
    if (x->result != y->result)
        return x->result < y->result ? -1 : 1;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    if (x->operand[0] != y->operand[0])
        return x->operand[0] < y->operand[0] ? -1 : 1;
    return x->operand[1] < y->operand[1] ? -1 : x->operand[1] > y->operand[1];
}

/* Sorted operations, each once. */
static void sort_operations(gr_closure *made) {
    uint32_t kept = 0;
    if (!made->operations)
        return;
    qsort(made->operation, made->operations, sizeof *made->operation, by_result);
    for (uint32_t k = 0; k < made->operations; k++)
        if (!kept || by_result(&made->operation[kept - 1], &made->operation[k]) != 0)
            made->operation[kept++] = made->operation[k];
    made->operations = kept;
}

/* Numbers the dimensions of use anew, the target first, and sorts the operations by them. */
static gr_status finish(closing *c, uint32_t target, gr_error *error) {
    gr_closure *made = c->made;
    uint32_t *number = calloc(c->count + 1u, sizeof *number);
    for (uint32_t d = 0; d < c->count; d++)
        made->dimensions += c->budget[d] > 0;
    made->dimension = calloc(made->dimensions + 1u, sizeof *made->dimension);
    made->first = calloc(made->dimensions + 1u, sizeof *made->first);
    made->level = calloc(made->dimensions + 1u, 1);
    if (!number || !made->dimension || !made->first || !made->level) {
        free(number);
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u dimensions", made->dimensions);
    }
    uint32_t next = 1;
    for (uint32_t d = 0; d < c->count; d++)
        if (c->budget[d]) {
            number[d] = d == target ? 0 : next++;
            made->dimension[number[d]] = c->dimension[d];
            made->level[number[d]] = c->level[d];
        }
    for (uint32_t k = 0; k < made->operations; k++) {
        gr_typed_operation *o = &made->operation[k];
        o->result = number[o->result];
        o->operand[0] = number[o->operand[0]];
        o->operand[1] = number[o->operand[1]];
    }
    sort_operations(made);
    for (uint32_t k = 0; k < made->operations; k++)
        made->first[made->operation[k].result + 1]++;
    for (uint32_t d = 0; d < made->dimensions; d++)
        made->first[d + 1] += made->first[d];
    free(number);
    return GR_OK;
}

static int has_operation(const gr_closure *made, uint32_t result) {
    for (uint32_t k = 0; k < made->operations; k++)
        if (made->operation[k].result == result)
            return 1;
    return 0;
}

/* *can: whether the target can be made within this depth. */
static gr_status close_to(closing *c, uint32_t depth, int *can, gr_error *error) {
    memset(c->slot, 0, SLOTS * sizeof *c->slot);
    memset(c->budget, 0, GR_MOST_DIMENSIONS);
    c->count = 0;
    add_leaves(c);
    for (uint32_t level = 2; level < depth; level++)
        add_level(c, level);
    add_dimension(c, c->units->target, depth);
    if (c->too_many)
        return gr_fail(error, GR_BAD_INPUT,
                       "more than %d dimensions within %u level%s; expected a smaller units-depth",
                       GR_MOST_DIMENSIONS, depth, gr_s(depth));
    uint32_t target = number_of(c, c->units->target);
    gr_status status = GR_OK;
    c->budget[target] = (uint8_t)depth;
    c->made->depth = depth;
    c->made->operations = 0;
    gr_dimension none = {{0}};
    uint32_t number = number_of(c, none);
    if (number < c->count && c->level[number] == 1 && depth > c->budget[number])
        c->budget[number] = (uint8_t)(depth < SHALLOW ? depth : SHALLOW);
    for (uint32_t budget = depth; !status && budget > 1; budget--)
        status = go_down(c, budget, error);
    *can = c->level[target] < depth || has_operation(c->made, target);
    for (uint32_t d = 0; *can && d < c->count && !status; d++)
        if (c->budget[d])
            status =
                add_own(c, d, number < c->count && c->budget[number] ? number : c->count, error);
    return status || !*can ? status : finish(c, target, error);
}

static gr_status close_within(closing *c, gr_error *error) {
    uint32_t asked = c->options->depth, depth = asked ? asked : SHALLOW;
    uint32_t last = asked ? asked : GR_DEEPEST_UNITS;
    char name[160];
    for (uint32_t i = 0; i <= c->units->inputs; i++)
        for (uint32_t k = 0; k < GR_BASE_UNITS; k++)
            c->has_odd |= ((i ? c->units->input[i - 1] : c->units->target).power[k] & 1) != 0;
    for (; depth <= last; depth++) {
        int can = 0;
        c->sparse = !asked && depth > SHALLOW;
        gr_status status = close_to(c, depth, &can, error);
        if (status || can)
            return status;
    }
    gr_units_name(c->units, c->units->target, name, sizeof name);
    return gr_fail(
        error, GR_BAD_INPUT,
        "no expression of %u level%s has the target's unit, %s; expected units that fit, "
        "other functions or a larger units-depth",
        last, gr_s(last), name);
}

gr_status gr_close_dimensions(const gr_units *units, const gr_closure_options *options,
                              gr_closure *closure, gr_error *error) {
    gr_closure made = {.depth = 0};
    closing c = {.units = units, .options = options, .made = &made};
    c.dimension = calloc(GR_MOST_DIMENSIONS, sizeof *c.dimension);
    c.level = calloc(GR_MOST_DIMENSIONS, 1);
    c.budget = calloc(GR_MOST_DIMENSIONS, 1);
    c.slot = calloc(SLOTS, sizeof *c.slot);
    gr_status status = c.dimension && c.level && c.budget && c.slot
                           ? close_within(&c, error)
                           : gr_fail(error, GR_NO_MEMORY, "no memory for dimensions");
    free(c.dimension);
    free(c.level);
    free(c.budget);
    free(c.slot);
    if (status)
        gr_closure_free(&made);
    *closure = made;
    return status;
}

void gr_closure_free(gr_closure *closure) {
    gr_closure empty = {.depth = 0};
    free(closure->dimension);
    free(closure->operation);
    free(closure->first);
    free(closure->level);
    *closure = empty;
}
