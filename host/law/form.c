/* Programs in double: built, evaluated, their constants fitted. */
#include "gpu/core/base/math.h"
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
#define gr_signed copysign
#define gr_ranked_last(a) ((void)(a), (double)NAN) /* a class is no law */
#define gr_ranked_next(a, b) gr_ranked_last(a)
#define gr_ranked_first gr_ranked_last
#define fabsf fabs
static double apply(uint32_t op, double a, double b, double c) {
    switch (op) {
#define GR_OP1(id, names, class, exact, fast)                                                      \
    case GR_##id:                                                                                  \
        return exact;
#define GR_OP2(id, names, symbol, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#define GR_OP3(id, names, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#include "gpu/core/base/ops.def"
    default:
        (void)b, (void)c;
        return (double)NAN;
    }
}
#undef fabsf

/* ---- building ---- */

typedef struct part { /* a subtree in the form */
    uint32_t first;
    int constant;
    double value;
} part;

static void put(gr_form *f, uint32_t op, uint32_t operand) {
    f->op[f->count] = (uint8_t)op;
    f->operand[f->count++] = operand;
}

static void put_part(gr_form *f, part *stack, uint32_t *top, uint32_t op, const gr_node *node) {
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

/* Second walk: numbers of constants, with their values; false when there are too many. */
static int number_constants(gr_form *f, const double *value) {
    for (uint32_t i = 0; i < f->count; i++)
        if (f->op[i] == GR_CONSTANT) {
            if (f->constants == GR_LAW_CONSTANTS)
                return 0;
            f->value[f->constants] = value[i];
            f->operand[i] = f->constants++;
        }
    return 1;
}

static void add_scaling(gr_form *f, double *value, double intercept, double slope) {
    static const uint32_t signs[2] = {GR_MUL, GR_ADD};
    const double with[2] = {slope, intercept};
    for (int k = 0; k < 2; k++)
        if (with[k] != (k ? 0.0 : 1.0)) {
            value[f->count] = with[k];
            put(f, GR_CONSTANT, 0);
            put(f, signs[k], 0);
        }
}

gr_status gr_form_make(const gr_node *nodes, uint32_t count, double intercept, double slope,
                       gr_form *form, int *fits, gr_error *error) {
    gr_form f = {.count = 0};
    part *stack = calloc(count + 4ull, sizeof *stack);
    double *value = calloc(count + 4ull, sizeof *value);
    f.op = calloc(count + 4ull, 1);
    f.operand = calloc(count + 4ull, sizeof *f.operand);
    gr_status status = stack && value && f.op && f.operand
                           ? GR_OK
                           : gr_fail(error, GR_NO_MEMORY, "no memory for %u nodes", count);
    uint32_t top = 0;
    for (uint32_t i = 0; !status && i < count; i++) {
        put_part(&f, stack, &top, GR_NODE_OP(nodes[i]), &nodes[i]);
        if (stack[top - 1].constant)
            value[stack[top - 1].first] = stack[top - 1].value;
    }
    if (!status) {
        add_scaling(&f, value, intercept, slope);
        *fits = number_constants(&f, value);
    }
    free(stack);
    free(value);
    if (status)
        gr_form_free(&f);
    *form = f;
    return status;
}

void gr_form_free(gr_form *form) {
    gr_form empty = {.count = 0};
    free(form->op);
    free(form->operand);
    *form = empty;
}

/* ---- values ---- */

double gr_form_value(const gr_form *form, const double *x, uint64_t cases, uint64_t at,
                     double *stack) {
    double *top = stack;
    for (uint32_t i = 0; i < form->count; i++) {
        uint32_t op = form->op[i], arity = gr_arity(op);
        if (op == GR_CONSTANT)
            *top++ = form->value[form->operand[i]];
        else if (op == GR_INPUT)
            *top++ = x[form->operand[i] * cases + at];
        else {
            top -= arity;
            *top = apply(op, top[0], arity > 1 ? top[1] : 0.0, arity > 2 ? top[2] : 0.0);
            top++;
        }
    }
    return stack[0];
}

double gr_form_error(const gr_form *form, const gr_law_cases *cases, int which, uint64_t step,
                     double *largest) {
    double sum = 0.0, most = 0.0, *stack = calloc(form->count + 1ull, sizeof *stack);
    uint64_t used = 0;
    for (uint64_t i = 0; stack && i < cases->cases[which]; i += step, used++) {
        double d = gr_form_value(form, cases->x[which], cases->cases[which], i, stack) -
                   cases->y[which][i];
        sum += d * d;
        most = fabs(d) > most ? fabs(d) : most;
    }
    if (largest)
        *largest = most;
    free(stack);
    return stack && used && sum - sum == 0.0 ? sqrt(sum / (double)used) : (double)INFINITY;
}

/* ---- fitting ---- */

enum { ITERATIONS = 40 };

typedef struct normal {
    double a[GR_LAW_CONSTANTS][GR_LAW_CONSTANTS], b[GR_LAW_CONSTANTS];
} normal;

/* Sums of the linearised problem at the form's constants. */
static void add_up(gr_form *f, const gr_law_cases *cases, uint64_t step, const uint32_t *free_one,
                   uint32_t count, double *stack, normal *n) {
    *n = (normal){{{0}}, {0}};
    for (uint64_t i = 0; i < cases->cases[0]; i += step) {
        double slope[GR_LAW_CONSTANTS];
        double off = cases->y[0][i] - gr_form_value(f, cases->x[0], cases->cases[0], i, stack);
        for (uint32_t k = 0; k < count; k++) {
            double *c = &f->value[free_one[k]], at = *c, h = 1e-6 * fmax(fabs(at), 1e-3);
            *c = at + h;
            double up = gr_form_value(f, cases->x[0], cases->cases[0], i, stack);
            *c = at - h;
            double down = gr_form_value(f, cases->x[0], cases->cases[0], i, stack);
            *c = at;
            slope[k] = (up - down) / (2.0 * h);
        }
        for (uint32_t k = 0; k < count; k++) {
            n->b[k] += slope[k] * off;
            for (uint32_t l = 0; l <= k; l++)
                n->a[k][l] += slope[k] * slope[l];
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

double gr_form_fit(gr_form *form, const gr_law_cases *cases, uint64_t step) {
    uint32_t free_one[GR_LAW_CONSTANTS], count = 0;
    double damping = 1e-3, error = gr_form_error(form, cases, 0, step, NULL);
    double *stack = calloc(form->count + 1ull, sizeof *stack);
    for (uint32_t k = 0; k < form->constants; k++)
        if (!form->fixed[k])
            free_one[count++] = k;
    for (int i = 0; stack && count && i < ITERATIONS && isfinite(error); i++) {
        normal n;
        double before = error, step_to[GR_LAW_CONSTANTS];
        add_up(form, cases, step, free_one, count, stack, &n);
        for (int tries = 0; tries < 8 && error >= before; tries++, damping *= 8.0) {
            gr_form moved = *form;
            if (!solve(&n, count, damping, step_to))
                continue;
            for (uint32_t k = 0; k < count; k++)
                moved.value[free_one[k]] += step_to[k];
            double now = gr_form_error(&moved, cases, 0, step, NULL);
            if (now < error) {
                memcpy(form->value, moved.value, sizeof form->value);
                error = now;
                damping *= 0.01;
            }
        }
        damping = damping < 1e-12 ? 1e-12 : damping;
        if (!(error < before * (1.0 - 1e-9)) || error <= 1e-14 * cases->deviation[0])
            break;
    }
    free(stack);
    return error;
}
