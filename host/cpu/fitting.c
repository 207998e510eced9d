#include "host/cpu/fitting.h"

#include "gpu/core/fitness/class_bins.h"

#include <stdlib.h>

/* What a thread works with; the arrays of its tape stand behind it. */
typedef struct worker {
    gr_cpu_tape tape;
    gr_fitter fitter;
    gr_fit_work work;
} worker;

/* ---- memory ---- */

/* The arrays of a tape: field, element count. */
#define GR_TAPE(ARRAY)                                                                             \
    ARRAY(operand, nodes)                                                                          \
    ARRAY(live, nodes)                                                                             \
    ARRAY(constant, nodes)                                                                         \
    ARRAY(row, nodes)                                                                              \
    ARRAY(value, nodes)                                                                            \
    ARRAY(pending, nodes)                                                                          \
    ARRAY(slope, nodes)                                                                            \
    ARRAY(column, GR_FIT_COLUMNS)                                                                  \
    ARRAY(lane, GR_FIT_SUMS)

static size_t whole_lines(size_t bytes) {
    return (bytes + 63) & ~(size_t)63;
}

size_t gr_cpu_fitting_bytes(const gr_params *p) {
    const gr_cpu_tape *t = NULL; /* only its types are looked at */
    size_t nodes = gr_fit_nodes(p), bytes = whole_lines(sizeof(worker));
#define GR_TAPE_BYTES(field, count) bytes += whole_lines((count) * sizeof *t->field);
    GR_TAPE(GR_TAPE_BYTES)
    return p->optimise ? bytes : 0;
}

/* The worker of a thread, its tape laid out. */
static worker *worker_of(void *memory, const gr_params *p, uint32_t thread) {
    char *at = (char *)memory + thread * gr_cpu_fitting_bytes(p);
    worker *w = (void *)at;
    size_t nodes = gr_fit_nodes(p);
    at += whole_lines(sizeof *w);
#define GR_TAPE_PLACE(field, count)                                                                \
    w->tape.field = (void *)at;                                                                    \
    at += whole_lines((count) * sizeof *w->tape.field);
    GR_TAPE(GR_TAPE_PLACE)
    return w;
}

/* ---- one program ---- */

void gr_cpu_evaluate_chunk(const gr_state *s, const gr_cpu_interpreter *interpreter,
                           uint32_t generation, uint32_t chunk, uint32_t i,
                           gr_cpu_registers *registers) {
    const gr_params *p = &s->p;
    uint32_t instructions = s->individuals[generation & 1][i].instructions;
    size_t tile = gr_tile_of(p);
    double sum[GR_MAX_SUMS];
    if (!instructions)
        return;
    if (s->class_bins)
        registers->class_bins = s->class_bins + i * gr_bin_counts(p);
    if (p->linear_scaling)
        registers->target = s->targets[chunk];
    interpreter->evaluate(p, gr_program(s, i), instructions,
                          (gr_cpu_chunk){s->train + chunk * tile, 0, chunk}, registers, sum);
    for (uint32_t k = 0; k < p->sums; k++)
        s->sums[((size_t)chunk * p->sums + k) * p->individuals + i] = sum[k];
}

void gr_cpu_prepare_tape(gr_cpu_tape *t, const gr_fitter *f, const gr_node *tree, uint32_t nodes) {
    uint32_t next = 0;
    t->tree = tree;
    t->nodes = nodes;
    t->constants = f->constants;
    for (uint32_t k = 0; k < nodes; k++) {
        uint32_t arity = gr_arity(GR_NODE_OP(tree[k])), operand = k - 1;
        t->live[k] = arity == 0 && next < f->constants && f->leaf[next] == k;
        t->constant[k] = (uint8_t)next;
        next += t->live[k];
        for (uint32_t n = arity; n-- > 0; operand -= GR_NODE_SIZE(tree[operand])) {
            t->operand[k][n] = operand;
            t->live[k] |= t->live[operand];
        }
    }
}

/* What the loop over a generation is about. */
typedef struct fitting {
    const gr_state *s;
    const gr_cpu_interpreter *interpreter;
    uint32_t generation;
    void *memory;
    gr_cpu_registers *registers;
    const atomic_int *stop;
} fitting;

static void derive(const fitting *w, worker *own) {
    const gr_params *p = &w->s->p;
    memset(own->work.sum, 0, sizeof own->work.sum);
    own->tape.begun = 0; /* its origin is that of the constants it has now */
    for (uint32_t chunk = 0; chunk < p->train_chunks; chunk++)
        w->interpreter->derive(p, &own->tape, w->s->train + chunk * gr_tile_of(p),
                               gr_min_u32(p->train_cases - chunk * GR_CHUNK, GR_CHUNK),
                               own->work.sum);
    own->fitter.passes++;
}

/* The tree with these constants: its program, and its sums. */
static void evaluate_with(const fitting *w, uint32_t i, worker *own, const float *values,
                          uint32_t thread) {
    const gr_state *s = w->s;
    const gr_lane_group alone = {0, 1};
    gr_nodes tree = gr_fitted_tree(s, w->generation, i);
    gr_scratch scratch = gr_group_scratch(s, thread, 1);
    gr_fit_write(&s->p, tree, &own->fitter, values, alone);
    gr_compile(tree, own->tape.nodes, scratch.locations, gr_program(s, i), alone);
    for (uint32_t chunk = 0; chunk < s->p.train_chunks; chunk++)
        gr_cpu_evaluate_chunk(s, w->interpreter, w->generation, chunk, i, &w->registers[thread]);
    own->fitter.passes++;
}

static void fit_one(const fitting *w, uint32_t i, worker *own, uint32_t thread) {
    const gr_lane_group alone = {0, 1};
    const gr_state *s = w->s;
    gr_fitter *f = &own->fitter;
    gr_nodes tree = gr_fitted_tree(s, w->generation, i);
    uint32_t nodes = s->individuals[w->generation & 1][i].nodes, next = GR_FIT_DERIVE;
    double fit[2];
    if (!gr_fit_begin(s, w->generation, i, f, alone))
        return;
    gr_cpu_prepare_tape(&own->tape, f, tree.at, nodes);
    while (next != GR_FIT_DONE) {
        if (next == GR_FIT_DERIVE) {
            derive(w, own);
            gr_fit_share(&s->p, f, own->work.sum, alone);
            if (!gr_fit_equations(&s->p, f->constants, own->work.sum, own->work.matrix,
                                  own->work.side, alone))
                break;
        }
        if (!gr_fit_propose(&s->p, tree, f, &own->work, alone))
            break;
        evaluate_with(w, i, own, f->trial, thread);
        next = gr_fit_judge(&s->p, f, gr_evaluated_cost(s, w->generation, i, fit));
    }
    if (!f->taken)
        evaluate_with(w, i, own, f->at, thread);
    gr_fit_keep(s, w->generation, i, f, alone);
    gr_deme *deme = &s->demes[i / s->p.population];
    __atomic_fetch_add(&deme->fits_tried, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&deme->fits_better, f->improved, __ATOMIC_RELAXED);
    __atomic_fetch_add(&deme->fit_nodes, (uint64_t)f->passes * nodes, __ATOMIC_RELAXED);
}

static void fit_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const fitting *w = context;
    for (uint32_t k = (uint32_t)first; k < last && !(w->stop && *w->stop); k++) {
        uint32_t i = gr_fit_candidate(&w->s->p, w->generation, k);
        if (gr_is_fitted(w->s, w->generation, i))
            fit_one(w, i, worker_of(w->memory, &w->s->p, thread), thread);
    }
}

/* What fits took until this generation, of every deme: of one that is given up nothing counts. */
typedef struct taken {
    uint64_t tried, better, nodes;
} taken;

static taken *note_taken(const gr_state *s) {
    uint32_t demes = gr_demes(&s->p);
    taken *before = malloc(demes * sizeof *before);
    for (uint32_t d = 0; before && d < demes; d++)
        before[d] = (taken){s->demes[d].fits_tried, s->demes[d].fits_better, s->demes[d].fit_nodes};
    return before;
}

static void return_to(const gr_state *s, const taken *before) {
    for (uint32_t d = 0; d < gr_demes(&s->p); d++) {
        s->demes[d].fits_tried = before[d].tried;
        s->demes[d].fits_better = before[d].better;
        s->demes[d].fit_nodes = before[d].nodes;
    }
}

int gr_cpu_fit_constants(const gr_state *s, const gr_cpu_interpreter *interpreter,
                         uint32_t generation, void *memory, gr_cpu_registers *registers,
                         gr_team *team, const atomic_int *stop) {
    taken *before = stop ? note_taken(s) : NULL;
    fitting work = {s, interpreter, generation, memory, registers, before ? stop : NULL};
    gr_team_loop(team, gr_fit_candidates(&s->p, generation), 1, fit_some, &work);
    int left = work.stop && *work.stop;
    if (left)
        return_to(s, before);
    free(before);
    return !left;
}
