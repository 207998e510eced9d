#include "tuner.h"

#include "core/codon_value.h"
#include "core/expression.h"
#include "core/fitness.h"
#include "core/grammar.h"
#include "core/linear.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shared memory of a block beside its tile: programs, outputs of groups, what the kernel declares.
 */
static size_t room(uint32_t threads) {
    return threads / GR_LANES * GR_BUFFER * 8 +
           threads / GR_LANES / GR_GROUP_WARPS * GR_INPUT_BYTES + 1088;
}

/* Operations a run can meet: a tree's function set, or what the grammar's tokens name. */
static void choose_operations(const gr_job *job, gr_machine *m) {
    const gr_params *p = &job->params;
    const uint32_t *g = job->grammar;
    for (uint32_t k = 0; p->genotype == GR_TREE && k < p->functions; k++)
        m->uses[p->function[k]] = 1;
    for (uint32_t k = 0; p->genotype != GR_TREE && k < g[GR_G_TOKENS]; k++) {
        uint32_t kind = GR_TOKEN_KIND(gr_token_word(g, k, 0)), operand = gr_token_word(g, k, 1);
        if (kind == GR_T_FUNCTION)
            m->uses[operand] = 1;
        else if (kind == GR_T_OPERATOR) {
            uint32_t unary = (operand >> 8) & 0xffu;
            m->uses[operand & 0xffu] = 1;
            if (unary < GR_OP_COUNT)
                m->uses[unary] = 1;
        } else if (kind == GR_T_IF)
            m->uses[GR_IF] = 1;
        else if (kind == GR_T_CODON && operand >> 31) /* numbers with a sign */
            m->uses[GR_NEG] = m->uses[GR_SUB] = 1;
    }
    m->uses[GR_CONSTANT] = m->uses[GR_INPUT] = 0;
}

/* Operations in use and the dearest class among them. */
static uint32_t count_operations(const gr_machine *m, uint32_t *cost) {
    uint32_t count = 0;
    *cost = GR_CHEAP;
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++)
        if (m->uses[op]) {
            count++;
            *cost = gr_max_u32(*cost, gr_cost_class(op));
        }
    return count;
}

/* Registers and width. Measured on an H200: wide and with a place for every level as long as the
 * code stays within some 30 KB, the instruction cache; beyond, an accumulator halves the code. */
static void choose_registers(const gr_job *job, gr_machine *m) {
    const gr_params *p = &job->params;
    uint32_t cost, count = count_operations(m, &cost);
    uint32_t words = p->packed ? (p->train_cases + 31) / 32 : p->train_cases;
    uint32_t few = count <= 4;
    m->register_inputs = few && p->inputs <= 2 ? p->inputs : 0;
    m->accumulator = !few && count > 8;
    m->levels = m->accumulator ? 2 : 3;
    m->width = few && cost == GR_CHEAP ? 16 : 8;
    m->threads = 512;
    m->blocks = m->width == 16 ? 1 : 2;
    if (m->values == GR_EXACT && cost != GR_CHEAP) {
        m->accumulator = 1;
        m->levels = 2;
    }
    if (job->width)
        m->width = job->width;
    else if (words <= 128)
        m->width = 4;
    else if (words <= 256 && m->width > 8)
        m->width = 8;
    if (m->width == 4)
        m->blocks = 3;
    if (m->width == 32) {
        m->threads = 256;
        m->blocks = 1;
    }
}

uint32_t gr_tile_fits(const gr_job *job, const gr_device *device, uint32_t threads) {
    size_t tile = (size_t)(job->params.inputs + 1) * GR_INPUT_BYTES;
    return tile + room(threads) <= device->shared_block;
}

static void take_fixed_machine(const gr_params *p, gr_machine *m) {
    const char *fixed = getenv("GRAMPUS_MACHINE");
    unsigned width, levels, accumulator, inputs, threads, blocks;
    if (!fixed || sscanf(fixed, "%u,%u,%u,%u,%u,%u", &width, &levels, &accumulator, &inputs,
                         &threads, &blocks) != 6)
        return;
    if (levels < 2 || levels > 8 || !blocks || !threads || threads % 128 ||
        (inputs && p->inputs > 2))
        return;
    m->width = width;
    m->levels = levels;
    m->accumulator = accumulator;
    m->register_inputs = inputs ? p->inputs : 0;
    m->threads = threads;
    m->blocks = blocks;
}

void gr_choose_machine(const gr_job *job, const gr_device *device, gr_machine *machine) {
    const gr_params *p = &job->params;
    gr_machine m = {0};
    uint32_t cost;
    choose_operations(job, &m);
    count_operations(&m, &cost);
    m.values = p->packed ? GR_WORDS : job->fast || cost == GR_CHEAP ? GR_FAST : GR_EXACT;
    m.metric = p->metric;
    m.kind = gr_sum_kind_of(p);
    choose_registers(job, &m);
    size_t tile = (size_t)(p->inputs + 1) * GR_INPUT_BYTES;
    if (2 * (tile + room(512)) > device->shared_total && m.blocks > 1 && m.width < 16) {
        m.threads = 1024; /* one block a multiprocessor */
        m.blocks = 1;
    }
    if (job->warps) { /* as many warps a multiprocessor as before, in other blocks */
        m.blocks = gr_max_u32(1, m.blocks * m.threads / (job->warps * GR_LANES));
        m.threads = job->warps * GR_LANES;
    }
    take_fixed_machine(p, &m);
    m.shared = gr_tile_fits(job, device, m.threads);
    *machine = m;
}

/* Measured on an H200: compiling takes 0.2 to 0.5 s, and the interpreter for all operations is
 * about half as fast as one for the run, which does some 5e12 node evaluations a second. */
int gr_specialising_pays(const gr_job *job) {
    const gr_params *p = &job->params;
    double cases = p->packed ? p->train_cases / 32.0 : p->train_cases;
    double nodes = p->max_nodes < 60 ? p->max_nodes / 2.0 : 30.0;
    return (double)p->individuals * (p->generations + 1.0) * cases * nodes / 5e12 > 0.5;
}

void gr_general_machine(uint32_t values, uint32_t shared, gr_machine *machine) {
    gr_machine m = {.values = values, .width = values == GR_EXACT ? 4 : 8, .levels = 2};
    m.accumulator = 1;
    m.shared = shared;
    m.threads = 512;
    m.blocks = values == GR_EXACT ? 3 : 2;
    m.metric = m.kind = m.chunks = m.together = m.windows = GR_ANY;
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++)
        m.uses[op] = (op >= GR_WAND) == (values == GR_WORDS);
    *machine = m;
}

void gr_choose_spread(const gr_job *job, const gr_device *device, gr_machine *m,
                      gr_spread *spread) {
    const gr_params *p = &job->params;
    gr_spread s = {0};
    uint32_t warps = m->threads / GR_LANES, blocks = device->multiprocessors * m->blocks;
    uint64_t all = (uint64_t)blocks * warps, tasks = (uint64_t)p->individuals * p->train_chunks;
    size_t tile = m->shared ? (size_t)(p->inputs + 1) * GR_INPUT_BYTES : 0;
    size_t most = device->shared_total / m->blocks;
    most = most < device->shared_block ? most : device->shared_block;
    most = most > room(m->threads) ? most - room(m->threads) : 0;
    s.together = tasks <= all;
    const char *fixed = getenv("GRAMPUS_LAUNCH");
    unsigned width, programs = 0, together;
    if (fixed && sscanf(fixed, "%u,%u,%u", &width, &programs, &together) == 3)
        s.together = together;
    /* A tile holds all chunks of a small data set: programs are then brought in once. Otherwise
     * one, measured to be the fastest. */
    uint64_t chunks = tile ? most / tile : 8;
    uint32_t fits = p->train_chunks <= chunks && p->train_chunks <= 8 && p->individuals >= 16 * all;
    s.chunks = fits && !s.together ? p->train_chunks : 1;
    if (job->tile && !s.together)
        s.chunks = tile && job->tile > most / tile ? (uint32_t)(most / tile) : job->tile;
    s.chunks = gr_max_u32(1, gr_min_u32(s.chunks, p->train_chunks));
    /* Enough to occupy a block, at most a part of its share, so that blocks end together. */
    uint64_t least = s.together ? warps / GR_GROUP_WARPS : warps;
    uint64_t share = tasks / s.chunks / ((uint64_t)blocks * 8);
    s.programs = (uint32_t)(share < least ? least : share > 4096 ? 4096 : share);
    if (programs)
        s.programs = programs;
    s.shared = (size_t)warps * GR_BUFFER * 8 + s.chunks * tile +
               (s.together ? warps / GR_GROUP_WARPS * GR_INPUT_BYTES : 0);
    m->chunks = s.chunks == 1 ? 1 : GR_ANY;
    m->together = s.together;
    m->windows = p->max_nodes <= GR_WINDOW ? 0 : GR_ANY;
    *spread = s;
}
