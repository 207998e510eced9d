/* Between kernel 2 and the next kernel 1, in runs that ask for it: constants fitted
 * (gpu/core/fitting). A block works on one program at a time. Its warps have 128 cases of a chunk
 * each, a lane four in a row, as the canonical sum has them; values of nodes, and the columns of
 * the normal equations, stand in the block's part of global memory, which the cache keeps. */
#include "gpu/backend/engine.h"
#include "gpu/core/fitting/fitting.h"
#include "gpu/core/program/evaluate.h"
#include "gpu/kernels/stages.h"

enum {
    FIT_WARPS = GR_CHUNK / GR_FIT_BLOCK, /* a chunk at a time */
    FIT_THREADS = FIT_WARPS * GR_LANES,
    FIT_BATCH = 32, /* candidates that a block draws at a time, at most */
    NO_CONSTANT = 255
};

/* A node of the program and where its operands stand. */
struct fit_node {
    uint32_t word;       /* a leaf's operand */
    uint16_t operand[3]; /* the first, the second, ... */
    uint8_t op, arity;
    uint8_t constant; /* number of the one that stands there, or NO_CONSTANT */
};

/* What a block works on; in shared memory. */
struct fit_block {
    gr_fitter fitter;
    gr_fit_work work;
    fit_node node[GR_FIT_NODES];
    uint16_t parent[GR_FIT_NODES]; /* the node that it is an operand of */
    uint8_t live[GR_FIT_NODES]; /* a fitted constant stands there or below, and has a derivative */
    uint32_t nodes, ticket, next;
    float origin; /* linear scaling: near all outputs */
};

/* Four cases of a lane. */
struct fit_four {
    float of[4];
};

/* ---- rows of the block's memory: nodes, then columns ---- */

__device__ __forceinline__ static fit_four load_four(const float *at) {
    float4 v = *(const float4 *)at;
    return {{v.x, v.y, v.z, v.w}};
}
__device__ __forceinline__ static void store_four(float *at, const fit_four &v) {
    *(float4 *)at = make_float4(v.of[0], v.of[1], v.of[2], v.of[3]);
}

/* Where the lane stands: row r of the block's memory, input of the tile. */
struct fit_place {
    float *rows;       /* of the block, at the lane's cases */
    const float *tile; /* the same of the chunk */
};
__device__ __forceinline__ static float *row(const fit_place &at, uint32_t r) {
    return at.rows + (size_t)r * GR_CHUNK;
}

/* An input's values without its weight, and a node's. */
__device__ __forceinline__ static fit_four input_values(const gr_params &p, uint32_t word,
                                                        const fit_place &at) {
    uint32_t input = p.weighted ? word & p.index_mask : word;
    return load_four(at.tile + (size_t)input * GR_CHUNK);
}
__device__ static fit_four values(const gr_params &p, const fit_node *node, uint32_t k,
                                  const fit_place &at) {
    fit_node n = node[k];
    if (n.arity)
        return load_four(row(at, k));
    float number = gr_bits_float(n.word);
    fit_four v = {{number, number, number, number}};
    if (n.op == GR_CONSTANT)
        return v;
    v = input_values(p, n.word, at);
    float weight = p.weighted ? gr_weight_of(p.index_mask, n.word) : 1.0f;
    for (int j = 0; p.weighted && j < 4; j++)
        v.of[j] *= weight;
    return v;
}

/* Roots of four cases' weights, which stand behind the targets; 1 without. Columns are multiplied
 * by them, so that every product of two has the weight. */
__device__ __forceinline__ static fit_four roots_at(const gr_params &p, const float *target) {
    fit_four root = {{1.0f, 1.0f, 1.0f, 1.0f}};
    if (p.case_weights) {
        root = load_four(target + GR_CHUNK);
        for (int j = 0; j < 4; j++)
            root.of[j] = gr_fit_root(&p, root.of[j]);
    }
    return root;
}

/* ---- the program ---- */

/* Nodes with what the ways through them need; all threads. */
__device__ static void prepare(fit_block &b, gr_nodes tree) {
    const gr_fitter &f = b.fitter;
    for (uint32_t k = threadIdx.x; k < b.nodes; k += FIT_THREADS) {
        gr_node node = GR_AT(tree, k);
        uint32_t first = k + 1 - GR_NODE_SIZE(node), operand = k - 1;
        fit_node n = {};
        n.word = node.operand;
        n.op = (uint8_t)GR_NODE_OP(node);
        n.arity = (uint8_t)gr_arity(n.op);
        n.constant = NO_CONSTANT;
        uint8_t live = 0;
        for (uint32_t c = 0; c < f.constants; c++) {
            live |= f.leaf[c] >= first && f.leaf[c] <= k;
            n.constant = f.leaf[c] == k ? (uint8_t)c : n.constant;
        }
        for (uint32_t o = n.arity; o-- > 0; operand -= GR_NODE_SIZE(GR_AT(tree, operand))) {
            n.operand[o] = (uint16_t)operand;
            b.parent[operand] = (uint16_t)k;
        }
        b.node[k] = n;
        b.live[k] = live;
    }
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < b.nodes; k += FIT_THREADS) {
        if (b.node[k].arity < 3)
            continue;
        /* the condition of an `if` has no derivative */
        uint32_t condition = b.node[k].operand[0], end = condition + 1;
        for (uint32_t dead = end - GR_NODE_SIZE(GR_AT(tree, condition)); dead < end; dead++)
            b.live[dead] = 0;
    }
    __syncthreads();
}

/* The constants to be looked at, into tree and nodes; all threads. */
__device__ static void take_constants(const gr_params &p, fit_block &b, gr_nodes tree,
                                      const float *values) {
    gr_fit_write(&p, tree, &b.fitter, values, {threadIdx.x, FIT_THREADS});
    __syncthreads();
    for (uint32_t c = threadIdx.x; c < b.fitter.constants; c += FIT_THREADS)
        b.node[b.fitter.leaf[c]].word = GR_AT(tree, b.fitter.leaf[c]).operand;
    __syncthreads();
}

/* ---- the ways through it ---- */

/* Values of all functions on the lane's cases, to their rows; the last node's are the outputs. */
__device__ static fit_four go_forward(const gr_params &p, const fit_node *node, uint32_t nodes,
                                      const fit_place &at) {
#pragma unroll 1
    for (uint32_t k = 0; k < nodes; k++) {
        fit_node n = node[k];
        if (!n.arity)
            continue;
        fit_four a = values(p, node, n.operand[0], at), b = a, c = a, r;
        if (n.arity > 1)
            b = values(p, node, n.operand[1], at);
        if (n.arity > 2)
            c = values(p, node, n.operand[2], at);
#pragma unroll 1
        for (int j = 0; j < 4; j++) {
            r.of[0] = gr_apply(n.op, a.of[0], b.of[0], c.of[0]);
            r = {{r.of[1], r.of[2], r.of[3], r.of[0]}}; /* round, so that all stay in registers */
            a = {{a.of[1], a.of[2], a.of[3], a.of[0]}};
            b = {{b.of[1], b.of[2], b.of[3], b.of[0]}};
            c = {{c.of[1], c.of[2], c.of[3], c.of[0]}};
        }
        store_four(row(at, k), r);
    }
    return values(p, node, nodes - 1, at);
}

/* What is given on to the operands of node k: `d` becomes that of the last one, the one before it
 * finds its own in the row of k. */
__device__ static void step_back(const gr_params &p, const fit_node *node, uint32_t k,
                                 const fit_place &at, fit_four &d) {
    fit_node n = node[k];
    fit_four a = values(p, node, n.operand[0], at), b = a, r = load_four(row(at, k)), before = d;
    if (n.arity > 1)
        b = values(p, node, n.operand[1], at);
#pragma unroll 1
    for (int j = 0; j < 4; j++) {
        float slope[3];
        gr_slopes(n.op, a.of[0], b.of[0], r.of[0], slope);
        float last = n.arity == 1 ? slope[0] : n.arity == 2 ? slope[1] : slope[2];
        float other = n.arity == 2 ? slope[0] : slope[1];
        before = {{before.of[1], before.of[2], before.of[3], d.of[0] * other}};
        d = {{d.of[1], d.of[2], d.of[3], d.of[0] * last}};
        r = {{r.of[1], r.of[2], r.of[3], r.of[0]}};
        a = {{a.of[1], a.of[2], a.of[3], a.of[0]}};
        b = {{b.of[1], b.of[2], b.of[3], b.of[0]}};
    }
    if (n.arity > 1)
        store_four(row(at, k), before);
}

/* The derivatives by all constants on the lane's cases, of which `valid` are there, to their
 * columns, the first of which is row `column`. `target` as the tile of `at`. */
__device__ static void go_back(const gr_params &p, const fit_block &b, const fit_place &at,
                               const float *target, uint32_t column, int valid) {
    fit_four d = {{1.0f, 1.0f, 1.0f, 1.0f}};
#pragma unroll 1
    for (uint32_t k = b.nodes; k-- > 0;) {
        fit_node n = b.node[k];
        uint32_t live = b.live[k], parent = b.parent[k];
        if (!live && n.constant != NO_CONSTANT)
            store_four(row(at, column + n.constant), {{0.0f, 0.0f, 0.0f, 0.0f}});
        if (!live)
            continue;
        /* the last operand of the node behind it comes with what that one gave on */
        if (k + 1 < b.nodes && parent != k + 1)
            d = load_four(row(at, parent));
        if (n.arity) {
            step_back(p, b.node, k, at, d);
            continue;
        }
        fit_four x = {{1.0f, 1.0f, 1.0f, 1.0f}};
        if (n.op == GR_INPUT)
            x = input_values(p, n.word, at);
        for (int j = 0; j < 4; j++) {
            float slope = n.op == GR_INPUT ? d.of[j] * x.of[j] : d.of[j];
            d.of[j] = j < valid ? gr_usable_slope(slope) : 0.0f;
        }
        if (p.case_weights) {
            fit_four root = roots_at(p, target);
            for (int j = 0; j < 4; j++)
                d.of[j] *= root.of[j];
        }
        store_four(row(at, column + n.constant), d);
    }
}

/* ---- sums over a chunk ---- */

/* A column of the equations at a lane's cases: one that was kept, or of the target, or 1. */
__device__ __forceinline__ static fit_four column_at(const gr_params &p, const float *columns,
                                                     const float *target, uint32_t c, uint32_t kept,
                                                     int valid) {
    if (c < kept)
        return load_four(columns + (size_t)c * GR_CHUNK);
    fit_four v = {{1.0f, 1.0f, 1.0f, 1.0f}};
    if (c == kept) {
        v = load_four(target);
        for (int j = 0; j < 4; j++)
            v.of[j] -= gr_fit_target_origin(&p);
    }
    fit_four root = roots_at(p, target);
    for (int j = 0; j < 4; j++)
        v.of[j] = j < valid ? v.of[j] * root.of[j] : 0.0f;
    return v;
}

__device__ __forceinline__ static int valid_cases(uint32_t here, uint32_t first) {
    return first < here ? (int)gr_min_u32(here - first, 4) : 0;
}

/* Adds the products of all pairs of columns: a warp takes a column at a time, a lane its cases of
 * the chunk in rising order, then they meet. */
__device__ static void add_products(const gr_params &p, fit_block &b, const float *columns,
                                    const float *target, uint32_t here) {
    uint32_t lane = threadIdx.x % GR_LANES, count = gr_fit_columns(&p, b.fitter.constants);
    uint32_t kept = b.fitter.constants + 1;
    for (uint32_t j = threadIdx.x / GR_LANES; j < count; j += FIT_WARPS) {
        fit_four own[FIT_WARPS];
#pragma unroll
        for (uint32_t n = 0; n < FIT_WARPS; n++) {
            uint32_t first = n * GR_FIT_BLOCK + 4 * lane;
            own[n] = {{0.0f, 0.0f, 0.0f, 0.0f}};
            if (n * GR_FIT_BLOCK < here)
                own[n] = column_at(p, columns + first, target + first, j, kept,
                                   valid_cases(here, first));
        }
        for (uint32_t i = 0; i <= j; i++) {
            double sum = 0.0;
#pragma unroll
            for (uint32_t n = 0; n < FIT_WARPS; n++) {
                uint32_t first = n * GR_FIT_BLOCK + 4 * lane;
                if (n * GR_FIT_BLOCK >= here)
                    continue;
                fit_four other = column_at(p, columns + first, target + first, i, kept,
                                           valid_cases(here, first));
                for (int k = 0; k < 4; k++)
                    sum += (double)other.of[k] * (double)own[n].of[k];
            }
            for (int x = GR_LANES / 2; x; x /= 2)
                sum += __shfl_xor_sync(0xffffffffu, sum, x);
            if (lane == 0)
                b.work.sum[gr_fit_pair(i, j)] += sum;
        }
    }
    __syncthreads();
}

/* What evaluating a chunk adds up to, as kernel 2 has it: a warp, over outputs that all have
 * computed. */
__device__ static void write_sums(const gr_state &s, uint32_t chunk, const float *outputs,
                                  const float *target, uint32_t here, double *out) {
    const gr_params &p = s.p;
    uint32_t lane = threadIdx.x % GR_LANES;
    double moment[GR_MAX_SUMS] = {0.0, 0.0, 0.0}, origin = (double)outputs[0];
    gr_chunk_target near = {0.0, 0.0, 0.0, 0.0};
    float error = 0.0f;
    if (p.linear_scaling)
        near = s.targets[chunk];
    for (uint32_t first = 4 * lane; first < here; first += GR_FIT_BLOCK) {
        fit_four o = load_four(outputs + first), t = load_four(target + first);
        fit_four weight = {{1.0f, 1.0f, 1.0f, 1.0f}};
        int valid = valid_cases(here, first);
        if (p.case_weights)
            weight = load_four(target + GR_CHUNK + first);
        for (int k = 0; k < valid; k++) {
            if (p.linear_scaling)
                gr_moments_add_weighed(moment, 1, (double)weight.of[k], (double)o.of[k] - origin,
                                       (double)t.of[k] - near.origin);
            else
                error += weight.of[k] * gr_case_error(GR_ADDS_SQUARED, &p, o.of[k], t.of[k]);
        }
    }
    for (int x = GR_LANES / 2; x; x /= 2) {
        error += __shfl_xor_sync(0xffffffffu, error, x);
        for (int k = 0; k < GR_MAX_SUMS; k++)
            moment[k] += __shfl_xor_sync(0xffffffffu, moment[k], x);
    }
    double share = gr_chunk_share(&p, 0, chunk, near);
    for (uint32_t k = 0; lane == 0 && k < p.sums; k++)
        out[(size_t)k * p.individuals] =
            p.linear_scaling ? gr_moment_of(k, moment[k], moment[0], origin, share, near)
                             : (double)error;
}

/* ---- passes over all cases; all threads ---- */

/* The lane's place on a chunk, and the block's rows of it. */
struct fit_chunk {
    fit_place at;
    float *rows;
    const float *tile, *target;
    uint32_t here;
    int valid, works;
};
__device__ static fit_chunk chunk_of(const gr_state &s, float *rows, uint32_t chunk) {
    uint32_t lane = threadIdx.x % GR_LANES, slice = threadIdx.x / GR_LANES * GR_FIT_BLOCK;
    fit_chunk c;
    c.rows = rows;
    c.tile = s.train + (size_t)chunk * gr_tile_of(&s.p);
    c.target = c.tile + (size_t)s.p.inputs * GR_CHUNK;
    c.here = gr_min_u32(s.p.train_cases - chunk * GR_CHUNK, GR_CHUNK);
    c.at.rows = rows + slice + 4 * lane;
    c.at.tile = c.tile + slice + 4 * lane;
    c.valid = valid_cases(c.here, slice + 4 * lane);
    c.works = slice < c.here;
    return c;
}

/* The sums of the normal equations. */
__device__ static void derive(const gr_state &s, fit_block &b, float *rows) {
    const gr_params &p = s.p;
    uint32_t slice = threadIdx.x / GR_LANES * GR_FIT_BLOCK + 4 * (threadIdx.x % GR_LANES);
    uint32_t column = b.nodes, kept = b.fitter.constants;
    for (uint32_t k = threadIdx.x; k < GR_FIT_SUMS; k += FIT_THREADS)
        b.work.sum[k] = 0.0;
    for (uint32_t chunk = 0; chunk < p.train_chunks; chunk++) {
        fit_chunk c = chunk_of(s, rows, chunk);
        fit_four output;
        if (c.works)
            output = go_forward(p, b.node, b.nodes, c.at);
        if (chunk == 0 && threadIdx.x == 0)
            b.origin = gr_fit_origin(output.of[0]);
        __syncthreads();
        if (c.works) {
            fit_four target = load_four(c.target + slice);
            for (int j = 0; j < 4; j++) {
                float error = output.of[j] - (p.linear_scaling ? b.origin : target.of[j]);
                output.of[j] = j < c.valid ? error : 0.0f;
            }
            if (p.case_weights) {
                fit_four root = roots_at(p, c.target + slice);
                for (int j = 0; j < 4; j++)
                    output.of[j] *= root.of[j];
            }
            store_four(row(c.at, column + kept), output);
            go_back(p, b, c.at, c.target + slice, column, c.valid);
        }
        __syncthreads();
        add_products(p, b, rows + (size_t)column * GR_CHUNK, c.target, c.here);
    }
}

/* The sums of the program's evaluation. */
__device__ static void evaluate(const gr_state &s, fit_block &b, float *rows, uint32_t i) {
    const gr_params &p = s.p;
    for (uint32_t chunk = 0; chunk < p.train_chunks; chunk++) {
        fit_chunk c = chunk_of(s, rows, chunk);
        if (c.works)
            store_four(row(c.at, b.nodes), go_forward(p, b.node, b.nodes, c.at));
        __syncthreads();
        if (threadIdx.x < GR_LANES)
            write_sums(s, chunk, rows + (size_t)b.nodes * GR_CHUNK, c.target, c.here,
                       s.sums + (size_t)chunk * p.sums * p.individuals + i);
        __syncthreads();
    }
}

/* The program's outputs on all cases in place of those that kernel 2 has kept for selection by
 * cases (gr_keeps_outputs), if it has. */
__device__ static void keep_outputs(const gr_state &s, fit_block &b, float *rows, uint32_t i) {
    const gr_params &p = s.p;
    if (!s.own_errors || p.lexicase_rows != p.train_cases)
        return;
    for (uint32_t chunk = 0; chunk < p.train_chunks; chunk++) {
        fit_chunk c = chunk_of(s, rows, chunk);
        uint32_t slice = threadIdx.x / GR_LANES * GR_FIT_BLOCK + 4 * (threadIdx.x % GR_LANES);
        float *to = s.own_errors + (size_t)i * p.train_cases + chunk * GR_CHUNK + slice;
        if (!c.works)
            continue;
        fit_four output = go_forward(p, b.node, b.nodes, c.at);
        for (int j = 0; j < c.valid; j++)
            to[j] = output.of[j];
    }
    __syncthreads();
}

/* ---- the rule ---- */

/* What follows a pass, by the first warp: for all threads. */
__device__ static uint32_t follow(const gr_state &s, uint32_t generation, uint32_t i, fit_block &b,
                                  uint32_t evaluated) {
    gr_lane_group w = {threadIdx.x, GR_LANES};
    gr_nodes tree = gr_fitted_tree(&s, generation, i);
    if (threadIdx.x < GR_LANES) {
        uint32_t next = GR_FIT_TRY_AGAIN;
        double fit[2];
        if (evaluated && w.lane == 0)
            next = gr_fit_judge(&s.p, &b.fitter, gr_evaluated_cost(&s, generation, i, fit));
        next = gr_from_first(w, next);
        gr_sync(w);
        if (!evaluated)
            gr_fit_share(&s.p, &b.fitter, b.work.sum, w);
        if (!evaluated &&
            !gr_fit_equations(&s.p, b.fitter.constants, b.work.sum, b.work.matrix, b.work.side, w))
            next = GR_FIT_DONE;
        if (next == GR_FIT_TRY_AGAIN && !gr_fit_propose(&s.p, tree, &b.fitter, &b.work, w))
            next = GR_FIT_DONE;
        if (w.lane == 0) {
            b.fitter.passes++;
            b.next = next;
        }
    }
    __syncthreads();
    return b.next;
}

/* The program has its last constants: its instructions, and what it took. */
__device__ static void finish(const gr_state &s, uint32_t generation, uint32_t i, fit_block &b) {
    gr_deme *deme = &s.demes[i / s.p.population];
    gr_nodes tree = gr_fitted_tree(&s, generation, i);
    if (threadIdx.x < GR_LANES && b.fitter.improved)
        gr_compile(tree, b.nodes, gr_group_scratch(&s, blockIdx.x, GR_LANES).locations,
                   gr_program(&s, i), {threadIdx.x, GR_LANES});
    gr_fit_keep(&s, generation, i, &b.fitter, {threadIdx.x, FIT_THREADS});
    if (threadIdx.x == 0) {
        atomicAdd((unsigned long long *)&deme->fits_tried, 1ull);
        atomicAdd((unsigned long long *)&deme->fits_better, (unsigned long long)b.fitter.improved);
        atomicAdd((unsigned long long *)&deme->fit_nodes,
                  (unsigned long long)b.fitter.passes * b.nodes);
    }
    __syncthreads();
}

/* All threads. */
__device__ static void fit_one(const gr_state &s, uint32_t generation, uint32_t i, fit_block &b,
                               float *rows) {
    gr_nodes tree = gr_fitted_tree(&s, generation, i);
    if (threadIdx.x < GR_LANES) {
        gr_lane_group w = {threadIdx.x, GR_LANES};
        uint32_t begun =
            gr_is_fitted(&s, generation, i) && gr_fit_begin(&s, generation, i, &b.fitter, w);
        if (w.lane == 0) {
            b.next = begun;
            b.nodes = s.individuals[generation & 1][i].nodes;
        }
    }
    __syncthreads();
    uint32_t begun = b.next;
    __syncthreads(); /* the next one writes there */
    if (!begun)
        return;
    prepare(b, tree);
    uint32_t next = GR_FIT_DERIVE;
    while (next != GR_FIT_DONE) {
        if (next == GR_FIT_DERIVE) {
            derive(s, b, rows);
            next = follow(s, generation, i, b, 0);
        } else {
            take_constants(s.p, b, tree, b.fitter.trial);
            evaluate(s, b, rows, i);
            next = follow(s, generation, i, b, 1);
        }
    }
    if (!b.fitter.taken) {
        take_constants(s.p, b, tree, b.fitter.at);
        evaluate(s, b, rows, i);
        if (threadIdx.x == 0)
            b.fitter.passes++;
    }
    __syncthreads();
    if (b.fitter.improved)
        keep_outputs(s, b, rows, i);
    finish(s, generation, i, b);
}

/* ---- kernel ---- */

static __global__ void __launch_bounds__(FIT_THREADS)
    fit_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_launch launch) {
    __shared__ fit_block b;
    if (s.loop->finished || !s.loop->next)
        return;
    uint32_t generation = s.loop->next - 1, count = gr_fit_candidates(&s.p, generation);
    uint32_t batch = gr_max_u32(1, gr_min_u32(count / (4 * gridDim.x), FIT_BATCH));
    size_t rows = gr_fit_rows(&s.p);
    for (;;) {
        if (threadIdx.x == 0)
            b.ticket = atomicAdd(&launch.tickets->fit, batch);
        __syncthreads();
        uint32_t first = b.ticket, last = gr_min_u32(first + batch, count);
        __syncthreads();
        if (first >= count)
            break;
        for (uint32_t k = first; k < last; k++)
            fit_one(s, generation, gr_fit_candidate(&s.p, generation, k), b,
                    launch.fitting + blockIdx.x * rows * GR_CHUNK);
    }
    if (threadIdx.x)
        return;
    __threadfence();
    if (atomicAdd(&launch.tickets->done, 1u) < gridDim.x - 1)
        return;
    launch.tickets->fit = launch.tickets->done = 0; /* the last block */
    gr_stamp(s.loop, GR_PHASE_FIT);
    launch.mailbox->phase[GR_PHASE_FIT] = s.loop->phase[GR_PHASE_FIT];
}

cudaError_t gr_fit_shape(const gr_params *p, int multiprocessors, gr_shape *shape) {
    int resident = 0;
    cudaError_t code =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, fit_kernel, FIT_THREADS, 0);
    uint32_t most = gr_min_u32(gr_fit_candidates(p, 0), gr_fit_candidates(p, 1));
    most = gr_max_u32(most, gr_max_u32(gr_fit_candidates(p, 0), gr_fit_candidates(p, 1)));
    shape->blocks = gr_max_u32(1, gr_min_u32((uint32_t)(resident * multiprocessors), most));
    shape->threads = FIT_THREADS;
    shape->shared = 0;
    return code;
}

cudaError_t gr_launch_fit(gr_shape shape, const gr_state *state, const gr_launch *launch,
                          cudaStream_t stream) {
    fit_kernel<<<shape.blocks, FIT_THREADS, 0, stream>>>(*state, *launch);
    return cudaGetLastError();
}
