/* Constants fitted to the training cases: Levenberg and Marquardt, on the constants of a tree and
 * the weights of its inputs.
 *
 * After the children of a generation are evaluated, the constants of some of them are changed in
 * the tree itself (Lamarck). A genome cannot take a number back: the constants of its expression
 * stand beside it, and children find there what they have of them (breeding/inherit.h). Where they
 * cannot, all begin with the grammar's numbers (Baldwin), also copies of elites, which come to the
 * same constants as those they are copies of. A step comes from the derivatives
 * of all cases (normal.h); it is taken if the program, evaluated as any other, is better. What is
 * here is the whole of the rule; backends bring the sums and the costs. A fitted program has the
 * sums of its evaluation, so that nobody after this sees a difference. */
#ifndef GR_FITTING_H
#define GR_FITTING_H

#include "gpu/core/base/rng.h"
#include "gpu/core/fitness/cost.h"
#include "gpu/core/fitting/normal.h"
#include "gpu/core/fitting/slope.h"

enum {
    GR_FIT_NODES = 512, /* of a program whose constants are fitted, at most */
    GR_FIT_BLOCK = 128  /* cases whose derivatives are taken together: four of every lane */
};

/* Nodes whose values are kept for the derivatives. */
GR_BOTH uint32_t gr_fit_nodes(const gr_params *p) {
    return p->optimise ? gr_min_u32(p->max_nodes, GR_FIT_NODES) : 0;
}

/* Rows of floats, one for each case of a chunk, that a block of the device needs: values of nodes,
 * columns of derivatives and of the error. */
GR_BOTH size_t gr_fit_rows(const gr_params *p) {
    return p->optimise ? gr_fit_nodes(p) + GR_FIT_CONSTANTS + 1 : 0;
}

/* A program while its constants are fitted. */
typedef struct gr_fitter {
    uint32_t constants;
    uint32_t leaf[GR_FIT_CONSTANTS];                     /* where they stand in the tree, rising */
    float at[GR_FIT_CONSTANTS], trial[GR_FIT_CONSTANTS]; /* the best so far, the next to be tried */
    /* of grammars with c[i]: the first leaf of the same constant, and whether one of both has a
     * sign
     */
    uint8_t same[GR_FIT_CONSTANTS], turned[GR_FIT_CONSTANTS];
    float cost; /* of the best so far */
    double damping;
    uint32_t left;     /* evaluations */
    uint32_t taken;    /* those evaluated last are the best so far: the tree has them */
    uint32_t improved; /* beyond the constants it began with */
    uint32_t passes;   /* over all cases, derivatives or evaluations */
} gr_fitter;

/* What is computed from the sums. */
typedef struct gr_fit_work {
    double sum[GR_FIT_SUMS];
    double matrix[GR_FIT_PAIRS], lower[GR_FIT_PAIRS], side[GR_FIT_CONSTANTS],
        step[GR_FIT_CONSTANTS];
} gr_fit_work;

/* Individuals that come into question, numbered: copies of elites alone where they alone are meant;
 * else all but them, which were fitted as children and still have it in their trees. */
GR_BOTH uint32_t gr_fit_candidates(const gr_params *p, uint32_t generation) {
    uint32_t copies = generation ? p->elites : 0, done = gr_fits_copies(p) ? 0 : copies;
    return gr_demes(p) * (p->optimise == GR_OPTIMISE_ELITES ? copies : p->population - done);
}
GR_FN uint32_t gr_fit_candidate(const gr_params *p, uint32_t generation, uint32_t k) {
    uint32_t copies = generation ? p->elites : 0, only = p->optimise == GR_OPTIMISE_ELITES;
    uint32_t done = only || gr_fits_copies(p) ? 0 : copies;
    uint32_t each = only ? copies : p->population - done;
    return k / each * p->population + done + k % each;
}

/* Whether the constants of such an individual are fitted. */
GR_FN uint32_t gr_is_fitted(const gr_state *s, uint32_t generation, uint32_t i) {
    const gr_params *p = &s->p;
    gr_individual individual = s->individuals[generation & 1][i];
    if (!individual.instructions || individual.nodes > GR_FIT_NODES)
        return 0;
    if (p->optimise != GR_OPTIMISE_SHARE ||
        (gr_fits_copies(p) && generation && i % p->population < p->elites))
        return 1;
    gr_random r =
        gr_stream(p, GR_PURPOSE_FITTING, generation, i / p->population, i % p->population);
    return gr_chance(&r, p->optimise_share);
}

/* The number that is fitted at a leaf; not finite: none is. */
GR_FN float gr_fit_value(const gr_params *p, gr_node leaf) {
    uint32_t op = GR_NODE_OP(leaf);
    if (op == GR_CONSTANT)
        return gr_bits_float(leaf.operand);
    return op == GR_INPUT && p->weighted ? gr_weight_of(p->index_mask, leaf.operand) : GR_NAN;
}
GR_FN uint32_t gr_fit_operand(const gr_params *p, gr_node leaf, float value) {
    return GR_NODE_OP(leaf) == GR_CONSTANT
               ? gr_float_bits(value)
               : gr_weigh(p->index_mask, value, leaf.operand & p->index_mask);
}

/* Constants into the tree; lanes share them. */
GR_FN void gr_fit_write(const gr_params *p, gr_nodes tree, const gr_fitter *f, const float *values,
                        gr_lane_group w) {
    for (uint32_t k = w.lane; k < f->constants; k += w.width) {
        gr_node leaf = GR_AT(tree, f->leaf[k]);
        leaf.operand = gr_fit_operand(p, leaf, values[k]);
        GR_AT(tree, f->leaf[k]) = leaf;
    }
}

/* Where it begins; not finite: it is not fitted. */
GR_FN float gr_fit_first_value(const gr_params *p, gr_node leaf) {
    if (!p->free_constants || GR_NODE_OP(leaf) != GR_CONSTANT)
        return gr_fit_value(p, leaf);
    return gr_free_index(leaf.operand) < GR_FREE_CONSTANTS ? 0.0f : GR_NAN;
}

/* Which leaves are one constant; inputs have a weight each. One lane. */
GR_FN void gr_fit_find_same(gr_nodes tree, gr_fitter *f) {
    for (uint32_t k = 0; k < f->constants; k++) {
        gr_node leaf = GR_AT(tree, f->leaf[k]), other = leaf;
        uint32_t first = GR_NODE_OP(leaf) == GR_CONSTANT ? 0 : k;
        while (other = GR_AT(tree, f->leaf[first]),
               first < k && (GR_NODE_OP(other) != GR_CONSTANT ||
                             gr_free_index(other.operand) != gr_free_index(leaf.operand)))
            first++;
        f->same[k] = (uint8_t)first;
        f->turned[k] = (uint8_t)((leaf.operand ^ other.operand) >> 31);
    }
}

/* Sums of derivatives by leaves as those by constants: those of all leaves of one at the first, and
 * 0 at the others, whose equations then have nothing to say. `sum` has `columns` columns. */
GR_FN void gr_fit_share(const gr_params *p, const gr_fitter *f, double *sum, gr_lane_group w) {
    uint32_t columns = gr_fit_columns(p, f->constants);
    for (uint32_t k = 0; p->free_constants && k < f->constants; k++) {
        uint32_t to = f->same[k];
        double sign = f->turned[k] ? -1.0 : 1.0;
        if (to == k)
            continue;
        double beside = sum[gr_fit_pair(to, k)], own = sum[gr_fit_pair(k, k)];
        gr_sync(w);
        for (uint32_t i = w.lane; i < columns; i += w.width) {
            uint32_t from = i < k ? gr_fit_pair(i, k) : gr_fit_pair(k, i),
                     at = i < to ? gr_fit_pair(i, to) : gr_fit_pair(to, i);
            if (i == to)
                sum[at] += 2.0 * sign * beside + own;
            else if (i != k)
                sum[at] += sign * sum[from];
            sum[from] = 0.0;
        }
        gr_sync(w);
    }
}

/* Begins with individual i, which has been evaluated; 0: there is nothing to fit. */
GR_FN uint32_t gr_fit_begin(const gr_state *s, uint32_t generation, uint32_t i, gr_fitter *f,
                            gr_lane_group w) {
    const gr_params *p = &s->p;
    gr_nodes tree = gr_fitted_tree(s, generation, i);
    uint32_t count = s->individuals[generation & 1][i].nodes, constants = 0;
    const gr_lane_group alone = {0, 1};
    double fit[2];
    float cost = gr_evaluated_cost(s, generation, i, fit);
    for (uint32_t from = 0; from < count && constants < GR_FIT_CONSTANTS; from += w.width) {
        uint32_t k = gr_min_u32(from + w.lane, count - 1), before;
        float value = gr_fit_first_value(p, GR_AT(tree, k));
        uint32_t is = from + w.lane < count && value - value == 0.0f;
        uint32_t found = gr_count_before(w, is, &before);
        if (is && constants + before < GR_FIT_CONSTANTS) {
            f->leaf[constants + before] = k;
            f->at[constants + before] = value;
        }
        constants += found;
    }
    if (w.lane == 0) {
        f->constants = gr_min_u32(constants, GR_FIT_CONSTANTS);
        f->improved = f->passes = 0;
        f->taken = 1;
        f->damping = 0.01;
        f->left = p->optimise_iterations;
        f->cost = cost;
        if (p->free_constants) {
            gr_fit_find_same(tree, f);
            gr_fit_write(p, tree, f, f->at, alone);
        }
    }
    gr_sync(w);
    return f->constants && f->left && f->cost != GR_INFINITY;
}

/* The next constants to try, from the equations; 0: there are none. */
GR_FN uint32_t gr_fit_propose(const gr_params *p, gr_nodes tree, gr_fitter *f, gr_fit_work *work,
                              gr_lane_group w) {
    uint32_t changed = 0, bad = 0;
    if (!gr_fit_solve(f->constants, work->matrix, work->side, f->damping, work->lower, work->step,
                      w))
        return 0;
    for (uint32_t k = w.lane; k < f->constants; k += w.width) {
        uint32_t from = p->free_constants ? f->same[k] : k;
        float value = (float)((double)f->at[from] + work->step[from]);
        value = p->free_constants && f->turned[k] ? -value : value;
        gr_node leaf = GR_AT(tree, f->leaf[k]);
        bad |= value - value != 0.0f;
        leaf.operand = gr_fit_operand(p, leaf, value);
        f->trial[k] = gr_fit_value(p, leaf);
        changed |= f->trial[k] != f->at[k];
    }
    gr_sync(w);
    return gr_any(w, changed) && !gr_any(w, bad);
}

/* The constants to where they stand beside genomes; NaN: it is the grammar's. Lanes share them. */
GR_FN void gr_fit_keep(const gr_state *s, uint32_t generation, uint32_t i, const gr_fitter *f,
                       gr_lane_group w) {
    if (!gr_fits_beside(&s->p) || !f->improved)
        return;
    for (uint32_t k = w.lane; k < GR_FIT_CONSTANTS; k += w.width)
        s->constants[generation & 1][(size_t)i * GR_FIT_CONSTANTS + k] =
            k < f->constants ? f->at[k] : GR_NAN;
}

/* What follows an evaluation. */
enum { GR_FIT_DERIVE, GR_FIT_TRY_AGAIN, GR_FIT_DONE };

/* Below this part of the way to a perfect program a step is the last. */
#define GR_FIT_GAIN 1e-4

/* Takes the constants that were tried, or not. */
GR_FN uint32_t gr_fit_judge(const gr_params *p, gr_fitter *f, float cost) {
    f->left--;
    f->taken = cost < f->cost;
    if (!f->taken) {
        f->damping *= 10.0;
        return f->left && f->damping < 1e6 ? GR_FIT_TRY_AGAIN : GR_FIT_DONE;
    }
    double gain = (double)f->cost - (double)cost;
    uint32_t little = gain <= GR_FIT_GAIN * ((double)f->cost - (double)p->least_cost);
    for (uint32_t k = 0; k < f->constants; k++)
        f->at[k] = f->trial[k];
    f->cost = cost;
    f->improved = 1;
    f->damping = f->damping > 1e-7 ? 0.1 * f->damping : 1e-8;
    return f->left && !little ? GR_FIT_DERIVE : GR_FIT_DONE;
}

/* A number near all outputs, and one near all targets: what the columns of linear scaling are less
 * of. `output` is that of the first case. */
GR_FN float gr_fit_origin(float output) {
    return output - output == 0.0f ? output : 0.0f;
}
GR_FN float gr_fit_target_origin(const gr_params *p) {
    return (float)p->target_mean[0];
}

#endif
