/* Programs in double: built, evaluated, their constants fitted. */
#include "gpu/core/base/math.h"
#include "host/base/text.h"
#include "host/law/law.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The lines of ops.def say it for floats; here their words mean double. */
#define gr_div(a, b) ((a) / (b))
#define gr_sqrt sqrt
#define gr_sin sin
#define gr_cos cos
#define gr_tan tan
#define gr_tanh tanh
#define gr_exp exp
#define gr_log log
#define gr_pow pow
#define gr_cbrt cbrt
#define gr_signed(a, m) ((a) > 0.0 ? (m) : (a) < 0.0 ? -(m) : (a) * (m))
#define gr_ranked_last(a) ((void)(a), (double)NAN) /* a class is no law */
#define gr_ranked_next(a, b) gr_ranked_last(a)
#define gr_ranked_first gr_ranked_last
#define fabsf fabs
/* to[i] = op(a[i], b[i], c[i]); to may be a. */
static void apply_all(uint32_t op, uint32_t count, const double *x, const double *y,
                      const double *z, double *to) {
    switch (op) {
#define GR_OP1(id, names, class, exact, fast)                                                      \
    case GR_##id:                                                                                  \
        for (uint32_t i = 0; i < count; i++) {                                                     \
            double a = x[i], b = y[i], c = z[i];                                                   \
            (void)a, (void)b, (void)c;                                                             \
            to[i] = exact;                                                                         \
        }                                                                                          \
        break;
#define GR_OP2(id, names, symbol, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#define GR_OP3(id, names, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#include "gpu/core/base/ops.def"
    default:
        for (uint32_t i = 0; i < count; i++)
            to[i] = (double)NAN;
    }
}

static double apply(uint32_t op, double a, double b, double c) {
    double to;
    apply_all(op, 1, &a, &b, &c, &to);
    return to;
}
#undef fabsf

/* ---- values ---- */

/* Cases that a program is carried through at a time, a column of them for every operand. */
enum { BLOCK = 256 };

typedef struct columns {
    double (*of)[BLOCK]; /* [operands on the stack at most] */
} columns;

static columns columns_for(uint32_t count) {
    return (columns){malloc((count + 3ull) * sizeof(double[BLOCK]))};
}

/* Cases first, first + step, ...; the values are in the first column. */
static void values(const gr_law_form *form, const double *x, uint64_t cases, uint64_t first,
                   uint64_t step, uint32_t count, const columns *c) {
    double(*top)[BLOCK] = c->of;
    for (uint32_t k = 0; k < form->count; k++) {
        uint32_t op = form->op[k], arity = gr_arity(op);
        if (op == GR_CONSTANT) {
            for (uint32_t i = 0; i < count; i++)
                top[0][i] = form->value[form->operand[k]];
        } else if (op == GR_INPUT) {
            const double *from = x + form->operand[k] * cases + first;
            for (uint32_t i = 0; i < count; i++)
                top[0][i] = from[i * step];
        } else {
            top -= arity;
            apply_all(op, count, top[0], top[arity > 1 ? 1 : 0], top[arity > 2 ? 2 : 0], top[0]);
        }
        top++;
    }
}

static uint32_t block_at(uint64_t cases, uint64_t first, uint64_t step) {
    uint64_t left = (cases - first + step - 1) / step;
    return left < BLOCK ? (uint32_t)left : BLOCK;
}

/* ---- building ---- */

typedef struct part { /* a subtree in the form */
    uint32_t first;
    int constant;
    double value;
} part;

static void put(gr_law_form *f, uint32_t op, uint32_t operand) {
    f->op[f->count] = (uint8_t)op;
    f->operand[f->count++] = operand;
}

static void put_part(gr_law_form *f, part *stack, uint32_t *top, uint32_t op, const gr_node *node) {
    uint32_t arity = gr_arity(op);
    part p = {.first = f->count};
    if (op == GR_CONSTANT) {
        p.constant = 1;
        p.value = (double)gr_bits_float(node->operand);
        put(f, op, 0);
    } else if (op == GR_INPUT)
        put(f, op, node->operand);
    else {
        const part *of = &stack[*top - arity];
        p.first = of->first;
        p.constant = 1;
        for (uint32_t k = 0; k < arity; k++)
            p.constant &= of[k].constant;
        if (p.constant) {
            p.value = apply(op, of[0].value, arity > 1 ? of[1].value : 0.0,
                            arity > 2 ? of[2].value : 0.0);
            f->count = p.first;
            put(f, GR_CONSTANT, 0);
        } else
            put(f, op, 0);
    }
    *top -= arity;
    stack[(*top)++] = p;
}

/* A subtree that is the same on all cases, as x - x and a saturated tanh are, is a constant. */
static void fold_same(gr_law_form *f, part *p, const double *value, uint32_t count) {
    double low = value[0], high = value[0];
    for (uint32_t i = 1; i < count; i++) {
        low = fmin(low, value[i]);
        high = fmax(high, value[i]);
    }
    if (p->constant || !(low == high || high - low <= 1e-9 * fmin(fabs(low), fabs(high))))
        return;
    p->constant = 1;
    p->value = value[0];
    f->count = p->first;
    put(f, GR_CONSTANT, 0);
}

/* The column of a node that was put last, over those of its operands. */
static void add_column(const gr_law_cases *cases, const gr_node *node, const columns *c,
                       uint32_t top) {
    uint64_t step = cases->cases[0] / BLOCK + 1;
    uint32_t op = GR_NODE_OP(*node), arity = gr_arity(op),
             count = block_at(cases->cases[0], 0, step);
    double(*to)[BLOCK] = c->of + top - 1;
    if (op == GR_CONSTANT)
        for (uint32_t i = 0; i < count; i++)
            to[0][i] = (double)gr_bits_float(node->operand);
    else if (op == GR_INPUT)
        for (uint32_t i = 0; i < count; i++)
            to[0][i] = cases->x[0][node->operand * cases->cases[0] + i * step];
    else
        apply_all(op, count, to[0], to[arity > 1 ? 1 : 0], to[arity > 2 ? 2 : 0], to[0]);
}

/* Second walk: numbers of constants, with their values; false when there are too many. */
static int number_constants(gr_law_form *f, const double *value) {
    for (uint32_t i = 0; i < f->count; i++)
        if (f->op[i] == GR_CONSTANT) {
            if (f->constants == GR_LAW_CONSTANTS)
                return 0;
            f->value[f->constants] = value[i];
            f->operand[i] = f->constants++;
        }
    return 1;
}

static void add_scaling(gr_law_form *f, double *value, double intercept, double slope) {
    static const uint32_t signs[2] = {GR_MUL, GR_ADD};
    const double with[2] = {slope, intercept};
    for (int k = 0; k < 2; k++)
        if (with[k] != (k ? 0.0 : 1.0)) {
            value[f->count] = with[k];
            put(f, GR_CONSTANT, 0);
            put(f, signs[k], 0);
        }
}

gr_status gr_form_make(const gr_law_cases *cases, const gr_node *nodes, uint32_t count,
                       double intercept, double slope, gr_law_form *form, int *fits,
                       gr_error *error) {
    gr_law_form f = {.count = 0};
    columns c = columns_for(count);
    uint32_t block = block_at(cases->cases[0], 0, cases->cases[0] / BLOCK + 1);
    part *stack = calloc(count + 4ull, sizeof *stack);
    double *value = calloc(count + 4ull, sizeof *value);
    f.op = calloc(count + 4ull, 1);
    f.operand = calloc(count + 4ull, sizeof *f.operand);
    gr_status status =
        c.of && stack && value && f.op && f.operand
            ? GR_OK
            : gr_fail(error, GR_NO_MEMORY, "no memory for %u node%s", count, gr_s(count));
    uint32_t top = 0;
    for (uint32_t i = 0; !status && i < count; i++) {
        put_part(&f, stack, &top, GR_NODE_OP(nodes[i]), &nodes[i]);
        add_column(cases, &nodes[i], &c, top);
        fold_same(&f, &stack[top - 1], c.of[top - 1], block);
        if (stack[top - 1].constant)
            value[stack[top - 1].first] = stack[top - 1].value;
    }
    if (!status) {
        add_scaling(&f, value, intercept, slope);
        *fits = number_constants(&f, value);
    }
    free(c.of);
    free(stack);
    free(value);
    if (status)
        gr_form_free(&f);
    *form = f;
    return status;
}

void gr_form_free(gr_law_form *form) {
    gr_law_form empty = {.count = 0};
    free(form->op);
    free(form->operand);
    *form = empty;
}

/* ---- errors ---- */

static double error_of(const gr_law_form *form, const gr_law_cases *cases, int which, uint64_t step,
                       const columns *c, double *largest) {
    double sum = 0.0, most = 0.0;
    uint64_t used = 0, all = cases->cases[which];
    for (uint64_t first = 0; first < all && sum - sum == 0.0; first += BLOCK * step) {
        uint32_t count = block_at(all, first, step);
        values(form, cases->x[which], all, first, step, count, c);
        for (uint32_t i = 0; i < count; i++) {
            double d = c->of[0][i] - cases->y[which][first + i * step];
            sum += d * d;
            most = fabs(d) > most ? fabs(d) : most;
        }
        used += count;
    }
    if (largest)
        *largest = most;
    return used && sum - sum == 0.0 ? sqrt(sum / (double)used) : (double)INFINITY;
}

double gr_form_error(const gr_law_form *form, const gr_law_cases *cases, int which, uint64_t step,
                     double *largest) {
    columns c = columns_for(form->count);
    double error = c.of ? error_of(form, cases, which, step, &c, largest) : (double)INFINITY;
    free(c.of);
    return error;
}

double gr_form_mean(const gr_law_form *form, const gr_law_cases *cases, uint64_t step) {
    double sum = 0.0;
    uint64_t used = 0, all = cases->cases[0];
    columns c = columns_for(form->count);
    for (uint64_t first = 0; c.of && first < all; first += BLOCK * step) {
        uint32_t count = block_at(all, first, step);
        values(form, cases->x[0], all, first, step, count, &c);
        for (uint32_t i = 0; i < count; i++)
            sum += c.of[0][i];
        used += count;
    }
    free(c.of);
    return used ? sum / (double)used : (double)NAN;
}

/* ---- fitting ---- */

/* Iterations at most, and how many that gain less than a thousandth end a fit. */
enum { ITERATIONS = 40, SLOW = 3 };

typedef struct normal {
    double a[GR_LAW_CONSTANTS][GR_LAW_CONSTANTS], b[GR_LAW_CONSTANTS];
} normal;

/* Values of a block with a constant moved, and moved back. */
static void moved_values(gr_law_form *f, uint32_t constant, double by, const gr_law_cases *cases,
                         uint64_t first, uint64_t step, uint32_t count, const columns *c,
                         double *to) {
    double at = f->value[constant];
    f->value[constant] = at + by;
    values(f, cases->x[0], cases->cases[0], first, step, count, c);
    memcpy(to, c->of[0], count * sizeof *to);
    f->value[constant] = at;
}

/* Sums of the linearised problem at the form's constants. */
static void add_up(gr_law_form *f, const gr_law_cases *cases, uint64_t step,
                   const uint32_t *free_one, uint32_t count, const columns *c, normal *n) {
    double slope[GR_LAW_CONSTANTS][BLOCK], down[BLOCK], off[BLOCK];
    *n = (normal){{{0}}, {0}};
    for (uint64_t first = 0; first < cases->cases[0]; first += BLOCK * step) {
        uint32_t block = block_at(cases->cases[0], first, step);
        values(f, cases->x[0], cases->cases[0], first, step, block, c);
        for (uint32_t i = 0; i < block; i++)
            off[i] = cases->y[0][first + i * step] - c->of[0][i];
        for (uint32_t k = 0; k < count; k++) {
            double h = 1e-6 * fmax(fabs(f->value[free_one[k]]), 1e-3);
            moved_values(f, free_one[k], h, cases, first, step, block, c, slope[k]);
            moved_values(f, free_one[k], -h, cases, first, step, block, c, down);
            for (uint32_t i = 0; i < block; i++)
                slope[k][i] = (slope[k][i] - down[i]) / (2.0 * h);
        }
        for (uint32_t k = 0; k < count; k++)
            for (uint32_t i = 0; i < block; i++) {
                n->b[k] += slope[k][i] * off[i];
                for (uint32_t l = 0; l <= k; l++)
                    n->a[k][l] += slope[k][i] * slope[l][i];
            }
    }
}

/* The step that solves (a + damping * diagonal) step = b, by Cholesky; 0: it has none. */
static int solve(const normal *n, uint32_t count, double damping, double *step) {
    double l[GR_LAW_CONSTANTS][GR_LAW_CONSTANTS];
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j <= i; j++) {
            double s = n->a[i][j] * (i == j ? 1.0 + damping : 1.0) + (i == j ? DBL_MIN : 0.0);
            for (uint32_t k = 0; k < j; k++)
                s -= l[i][k] * l[j][k];
            if (i == j && !(s > 0.0))
                return 0;
            l[i][j] = i == j ? sqrt(s) : s / l[j][j];
        }
    for (uint32_t i = 0; i < count; i++) {
        double s = n->b[i];
        for (uint32_t k = 0; k < i; k++)
            s -= l[i][k] * step[k];
        step[i] = s / l[i][i];
    }
    for (uint32_t i = count; i-- > 0;) {
        for (uint32_t k = i + 1; k < count; k++)
            step[i] -= l[k][i] * step[k];
        step[i] /= l[i][i];
    }
    return 1;
}

/* One iteration: a step that lowers the error, with as much damping as it takes. */
static double improve(gr_law_form *form, const gr_law_cases *cases, uint64_t step,
                      const uint32_t *free_one, uint32_t count, const columns *c, double error,
                      double *damping) {
    normal n;
    double before = error, step_to[GR_LAW_CONSTANTS];
    add_up(form, cases, step, free_one, count, c, &n);
    for (int tries = 0; tries < 8 && error >= before; tries++, *damping *= 8.0) {
        gr_law_form moved = *form;
        if (!solve(&n, count, *damping, step_to))
            continue;
        for (uint32_t k = 0; k < count; k++)
            moved.value[free_one[k]] += step_to[k];
        double now = error_of(&moved, cases, 0, step, c, NULL);
        if (now < error) {
            memcpy(form->value, moved.value, sizeof form->value);
            error = now;
            *damping *= 0.01;
        }
    }
    *damping = *damping < 1e-12 ? 1e-12 : *damping;
    return error;
}

double gr_form_fit(gr_law_form *form, const gr_law_cases *cases, uint64_t step, double enough) {
    uint32_t free_one[GR_LAW_CONSTANTS], count = 0;
    columns c = columns_for(form->count);
    double damping = 1e-3,
           error = c.of ? error_of(form, cases, 0, step, &c, NULL) : (double)INFINITY;
    for (uint32_t k = 0; k < form->constants; k++)
        if (!form->fixed[k])
            free_one[count++] = k;
    for (int i = 0, slow = 0;
         c.of && count && i < ITERATIONS && slow < SLOW && isfinite(error) && error > enough; i++) {
        double before = error;
        error = improve(form, cases, step, free_one, count, &c, error, &damping);
        slow = error < before * (1.0 - 1e-3) ? 0 : slow + 1;
        if (!(error < before * (1.0 - 1e-9)) || error <= 1e-14 * cases->deviation[0])
            break;
    }
    free(c.of);
    return error;
}

/* ---- what it takes to say ---- */

double gr_form_length(const gr_law_form *form, double error, double least, uint64_t cases) {
    uint8_t seen[GR_OP_COUNT] = {0}, input[GR_LAW_INPUTS] = {0};
    double n = (double)cases, different = 0.0, constants = 0.0;
    for (uint32_t i = 0; i < form->count; i++) {
        uint8_t *of = form->op[i] == GR_INPUT ? &input[form->operand[i]] : &seen[form->op[i]];
        different += !*of;
        *of = 1;
        if (form->op[i] == GR_CONSTANT) {
            uint32_t k = form->operand[i];
            constants += form->fixed[k] ? log(1.0 + form->cost[k]) : 0.5 * log(n);
        }
    }
    return n * log(fmax(error, least)) + form->count * log(different) + constants;
}
