/* Derivatives of a program by its constants, over a block of cases at a time: forward through the
 * tree with the values of all nodes kept, then back from its root. Compiled once for each set of
 * vector instructions, as evaluate.c. */
#include "host/cpu/derive.h"

#include "gpu/core/program/evaluate.h"

#define GR_JOIN2(a, b) a##b
#define GR_JOIN(a, b) GR_JOIN2(a, b)
#define GR_DERIVE GR_JOIN(gr_cpu_derive_, GR_ISA)
gr_cpu_derive GR_DERIVE;

#define GR_LOOP GR_INDEPENDENT for (int i = 0; i < GR_FIT_BLOCK; i++)

/* ---- forward ---- */

/* out = op(a, b, c); words are refused before. */
static void apply(uint32_t op, const float *pa, const float *pb, const float *pc, float *out) {
    switch (op) {
#define GR_OP1(id, names, class, exact, fast)                                                      \
    case GR_##id:                                                                                  \
        GR_LOOP {                                                                                  \
            float a = pa[i];                                                                       \
            out[i] = exact;                                                                        \
        }                                                                                          \
        break;
#define GR_OP1G(id, names, class, exact, fast, limit, common)                                      \
    case GR_##id: {                                                                                \
        int rare = 0;                                                                              \
        GR_LOOP rare |= fabsf(pa[i]) > (limit);                                                    \
        for (int i = 0; rare && i < GR_FIT_BLOCK; i++) {                                           \
            float a = pa[i];                                                                       \
            out[i] = exact;                                                                        \
        }                                                                                          \
        if (rare)                                                                                  \
            break;                                                                                 \
        GR_LOOP {                                                                                  \
            float a = pa[i];                                                                       \
            out[i] = common;                                                                       \
        }                                                                                          \
        break;                                                                                     \
    }
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    case GR_##id:                                                                                  \
        GR_LOOP {                                                                                  \
            float a = pa[i], b = pb[i];                                                            \
            out[i] = exact;                                                                        \
        }                                                                                          \
        break;
#define GR_OP3(id, names, class, exact, fast)                                                      \
    case GR_##id:                                                                                  \
        GR_LOOP {                                                                                  \
            float a = pa[i], b = pb[i], c = pc[i];                                                 \
            out[i] = exact;                                                                        \
        }                                                                                          \
        break;
#include "gpu/core/base/ops.def"
    default:
        break;
    }
}

/* A leaf's values: where they stand already, or written to `out`. */
static const float *leaf_values(const gr_params *p, gr_node leaf, const float *tile, float *out) {
    uint32_t input = GR_NODE_OP(leaf) == GR_INPUT;
    float number = p->weighted && input ? gr_weight_of(p->index_mask, leaf.operand)
                                        : gr_bits_float(leaf.operand);
    const float *x =
        tile + (size_t)(p->weighted ? leaf.operand & p->index_mask : leaf.operand) * GR_CHUNK;
    if (input && !p->weighted)
        return x;
    if (input)
        GR_LOOP out[i] = number * x[i];
    else
        GR_LOOP out[i] = number;
    return out;
}

/* Values of all nodes on the block at `tile`. */
static void forward(const gr_params *p, gr_cpu_tape *tape, const float *tile) {
    for (uint32_t k = 0; k < tape->nodes; k++) {
        gr_node node = tape->tree[k];
        uint32_t op = GR_NODE_OP(node), arity = gr_arity(op);
        float *out = tape->value[k];
        if (op <= GR_INPUT) {
            tape->row[k] = leaf_values(p, node, tile, out);
            continue;
        }
        const uint32_t *at = tape->operand[k];
        const float *a = tape->row[at[0]], *b = arity > 1 ? tape->row[at[1]] : a;
        apply(op, a, b, arity > 2 ? tape->row[at[2]] : b, out);
        tape->row[k] = out;
    }
}

/* ---- back ---- */

/* d: by how much the program's output changes with the node's; to[k]: with its operand k, written
 * where to[k] is not NULL. One of them may stand where d does. */
static void step_back(uint32_t op, const float *pa, const float *pb, const float *pr,
                      const float *given, float *const to[3]) {
    float d[GR_FIT_BLOCK];
    float *ta = to[0], *tb = to[1], *tc = to[2];
    memcpy(d, given, sizeof d);
    switch (op) {
#define GR_TOWARDS(target, slope)                                                                  \
    if (target)                                                                                    \
        GR_LOOP {                                                                                  \
            float a = pa[i], b = pb[i], r = pr[i];                                                 \
            (void)a, (void)b, (void)r;                                                             \
            (target)[i] = d[i] * (slope);                                                          \
        }
#define GR_SLOPE1(id, da)                                                                          \
    case GR_##id:                                                                                  \
        GR_TOWARDS(ta, da)                                                                         \
        break;
#define GR_SLOPE2(id, da, db)                                                                      \
    case GR_##id:                                                                                  \
        GR_TOWARDS(ta, da)                                                                         \
        GR_TOWARDS(tb, db)                                                                         \
        break;
#define GR_SLOPE3(id, da, db, dc)                                                                  \
    case GR_##id:                                                                                  \
        GR_TOWARDS(ta, da)                                                                         \
        GR_TOWARDS(tb, db)                                                                         \
        GR_TOWARDS(tc, dc)                                                                         \
        break;
#include "gpu/core/fitting/slopes.def"
    }
}

/* A column in the order in which lanes take their cases: the first of every lane, the second, ...
 * Cases with weights: it is multiplied by their roots, so that every product of two has the weight.
 */
static void put_column(const gr_cpu_tape *tape, double *column, float *values, int valid) {
    if (tape->weighed)
        GR_LOOP values[i] *= tape->root[i];
    for (int j = 0; j < 4; j++)
        for (int l = 0; l < (int)GR_LANES; l++)
            column[j * (int)GR_LANES + l] = 4 * l + j < valid ? (double)values[4 * l + j] : 0.0;
}

/* The derivative by the constant of a leaf, as its column. */
static void put_slope(const gr_params *p, const gr_cpu_tape *tape, uint32_t leaf, const float *tile,
                      float *d, int valid, double *column) {
    gr_node node = tape->tree[leaf];
    if (GR_NODE_OP(node) == GR_INPUT) {
        const float *x = tile + (size_t)(node.operand & p->index_mask) * GR_CHUNK;
        GR_LOOP d[i] *= x[i];
    }
    GR_LOOP d[i] = gr_usable_slope(d[i]);
    put_column(tape, column, d, valid);
}

/* Columns of all constants, from the root to the leaves that have one. */
static void back(const gr_params *p, gr_cpu_tape *tape, const float *tile, int valid) {
    uint32_t top = 0;
    GR_LOOP tape->slope[0][i] = 1.0f;
    for (tape->pending[top++] = tape->nodes - 1; top;) {
        uint32_t k = tape->pending[--top], op = GR_NODE_OP(tape->tree[k]), arity = gr_arity(op);
        float *d = tape->slope[top], *to[3] = {NULL, NULL, NULL};
        if (op <= GR_INPUT) {
            put_slope(p, tape, k, tile, d, valid, tape->column[tape->constant[k]]);
            continue;
        }
        const uint32_t *at = tape->operand[k];
        for (uint32_t n = 0; n < arity; n++)
            if (tape->live[at[n]]) {
                to[n] = tape->slope[top];
                tape->pending[top++] = at[n];
            }
        const float *a = tape->row[at[0]];
        step_back(op, a, arity > 1 ? tape->row[at[1]] : a, tape->row[k], d, to);
    }
}

/* ---- sums ---- */

/* What a case has beside the derivatives, see normal.h. */
static void put_error(const gr_params *p, gr_cpu_tape *tape, const float *target, int valid) {
    const float *output = tape->row[tape->nodes - 1];
    double(*column)[GR_FIT_BLOCK] = tape->column + tape->constants;
    float *scratch = tape->slope[0];
    if (!p->linear_scaling) {
        GR_LOOP scratch[i] = output[i] - target[i];
        put_column(tape, column[0], scratch, valid);
        return;
    }
    GR_LOOP scratch[i] = output[i] - tape->origin;
    put_column(tape, column[0], scratch, valid);
    float origin = gr_fit_target_origin(p);
    GR_LOOP scratch[i] = target[i] - origin;
    put_column(tape, column[1], scratch, valid);
    GR_LOOP scratch[i] = 1.0f;
    put_column(tape, column[2], scratch, valid);
}

/* Adds the products of all pairs of columns to the lanes. */
static void add_products(gr_cpu_tape *tape, uint32_t columns) {
    for (uint32_t j = 0; j < columns; j++)
        for (uint32_t i = 0; i <= j; i++) {
            const double *a = tape->column[i], *b = tape->column[j];
            double *lane = tape->lane[gr_fit_pair(i, j)];
            for (int k = 0; k < (int)GR_FIT_BLOCK; k += (int)GR_LANES)
                GR_INDEPENDENT for (int l = 0; l < (int)GR_LANES; l++) lane[l] +=
                    a[k + l] * b[k + l];
        }
}

void GR_DERIVE(const gr_params *p, gr_cpu_tape *tape, const float *tile, uint32_t cases,
               double *sum) {
    uint32_t columns = gr_fit_columns(p, tape->constants), pairs = columns * (columns + 1) / 2;
    const float *target = tile + (size_t)p->inputs * GR_CHUNK;
    memset(tape->lane, 0, pairs * sizeof *tape->lane);
    for (uint32_t from = 0; from < cases; from += GR_FIT_BLOCK) {
        int valid = (int)gr_min_u32(cases - from, GR_FIT_BLOCK);
        forward(p, tape, tile + from);
        if ((tape->weighed = p->case_weights))
            GR_LOOP tape->root[i] = gr_fit_root(p, target[GR_CHUNK + from + (uint32_t)i]);
        if (!tape->begun)
            tape->origin = gr_fit_origin(tape->row[tape->nodes - 1][0]);
        tape->begun = 1;
        back(p, tape, tile + from, valid);
        put_error(p, tape, target + from, valid);
        add_products(tape, columns);
    }
    for (uint32_t k = 0; k < pairs; k++) {
        double *lane = tape->lane[k];
        for (int x = GR_LANES / 2; x; x /= 2)
            for (int l = 0; l < x; l++)
                lane[l] += lane[l + x];
        sum[k] += lane[0];
    }
}
