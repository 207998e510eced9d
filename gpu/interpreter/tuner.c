#include "gpu/interpreter/tuner.h"

#include "gpu/backend/operations.h"
#include "gpu/backend/peers.h"
#include "gpu/core/fitness/fitness.h"
#include "gpu/core/genotype/typed.h"
#include "gpu/core/mapping/codon_value.h"
#include "gpu/core/mapping/grammar.h"
#include "gpu/core/program/expression.h"
#include "gpu/core/program/linear.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the driver and the kernel declare: with functions over doubles their tables too. */
static size_t declared(const gr_machine *m) {
    return 1456 + (m->jumps == GR_JUMPS_TO_FUNCTIONS ? GR_DOUBLE_TABLES_BYTES : 0);
}

/* Shared memory of groups that work together: outputs, and place for counts where the block is one.
 */
static size_t outputs_of_groups(const gr_machine *m, uint32_t threads, uint32_t together) {
    if (!together)
        return 0;
    return threads / (GR_GROUP_WARPS * GR_LANES) * GR_INPUT_BYTES +
           m->shares * GR_LANES * sizeof(uint32_t);
}

/* Shared memory of a block beside its tile: programs, outputs of groups that work together, what
 * the kernel declares. */
static size_t shared_beside_tile(const gr_machine *m, uint32_t threads, uint32_t together) {
    uint32_t warps = threads / GR_LANES;
    return warps * GR_BUFFER_OF(m->window) * GR_INSTRUCTION_BYTES(m->direct) +
           outputs_of_groups(m, threads, together) + declared(m);
}

/* Blocks for a width: as many warps as the registers allow without spilling. Measured on an H200
 * against 512 threads: 640 of width 16 are 6 to 11 % faster, 3 x 384 with inputs in registers 5 %
 * faster on programs of 86 nodes and as much slower on those of 12; on an H100, with direct jumps,
 * 2 x 640 of width 8 with two levels 2 % faster than 2 x 512. */
static void choose_blocks(gr_machine *m) {
    m->threads = m->width == 32 ? 256 : m->width == 16 ? 640 : 512;
    m->blocks = m->width >= 16 ? 1 : m->width == 4 ? 3 : 2;
    if (m->width == 8 && m->register_inputs) {
        m->threads = 384;
        m->blocks = 3;
    } else if (m->width == 8 && m->levels == 2 && !m->accumulator) {
        m->threads = 640;
    }
}

/* Nodes of a tree from which on sizes can be far apart, so that what is done for each program
 * counts for most, and the long ones are waited for. */
enum { FAR_APART = 192 };

/* Registers and width. Measured on an H200: wide and with registers for every level as long as the
 * code stays within some 30 KB, the instruction cache; beyond, an accumulator halves the code. */
static void choose_registers(const gr_job *job, gr_machine *m) {
    const gr_params *p = &job->params;
    uint32_t cost, count = gr_count_operations(m->uses, &cost);
    uint32_t words = p->packed ? (p->train_cases + 31) / 32 : p->train_cases;
    uint32_t few = count <= 4;
    m->register_inputs = few && p->inputs <= 2 && !p->weighted ? p->inputs : 0;
    m->accumulator = !few && count > 8;
    m->levels = m->accumulator || p->max_nodes < 32 ? 2 : 3;
    m->width = few && cost == GR_CHEAP ? 16 : 8;
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
    choose_blocks(m);
    /* One input is kept where its code is no longer than with a tile: on an H100 width 8 gains 1 %,
     * width 4 with direct jumps 6 %. Blocks of 384 threads would cost 4 to 7 % of whole runs. */
    if (!m->accumulator && m->width <= 8 && p->inputs == 1 && !p->weighted)
        m->register_inputs = 1;
}

/* Blocks that a multiprocessor can hold, by its threads: of the ones wished for. */
static uint32_t resident(const gr_device *device, const gr_machine *m) {
    return gr_max_u32(1, gr_min_u32(m->blocks, device->threads / m->threads));
}

/* What GRAMPUS_LAUNCH fixes, see tuner.h; 0 if nothing. */
typedef struct fixed_launch {
    unsigned width, programs, together, ahead;
} fixed_launch;
static int take_fixed_launch(fixed_launch *f) {
    const char *fixed = getenv("GRAMPUS_LAUNCH");
    *f = (fixed_launch){0};
    f->ahead = GR_ANY;
    return fixed &&
           sscanf(fixed, "%u,%u,%u,%u", &f->width, &f->programs, &f->together, &f->ahead) >= 3;
}

/* Whether groups of warps share a program: there are too few programs to occupy every warp. */
static uint32_t share_programs(const gr_params *p, const gr_device *device, const gr_machine *m) {
    fixed_launch fixed;
    uint64_t warps =
        (uint64_t)device->multiprocessors * resident(device, m) * m->threads / GR_LANES;
    if (take_fixed_launch(&fixed))
        return fixed.together == 1;
    if (m->shares)
        return 1;
    return (uint64_t)p->individuals * p->train_chunks <= warps;
}

/* Whether groups of so many warps fit the block, its barriers and the tile; `chunks`: see abreast.
 */
static int can_go_abreast(const gr_job *job, const gr_machine *m, uint64_t chunks, uint32_t size) {
    uint32_t warps = m->threads / (GR_LANES * GR_SM_PARTS);
    return size <= chunks && (!job->tile || size == chunks) && !m->registers &&
           m->threads % (GR_LANES * GR_SM_PARTS) == 0 && warps % size == 0 &&
           GR_SM_PARTS * warps / size <= GR_ABREAST_GROUPS;
}

/* How many warps go abreast, each on a chunk of its own; 0: none do. Measured on an H100: it pays
 * where code is long, so that warps wait for instructions, most with two, and costs up to 7 % where
 * it is not; over doubles, with functions, most with three (H200), and with divisions by the table
 * alone. The interpreters for all operations have no code for it. `chunks`: of the tile that was
 * asked for, which groups then have as it is or not at all; or as many as a tile could have. */
static uint32_t abreast(const gr_job *job, const gr_machine *m, uint64_t chunks) {
    enum { FEW_TILES = 4 }; /* the last may have a chunk for one of them alone */
    fixed_launch fixed;
    uint32_t cost, size;
    gr_count_operations(m->uses, &cost);
    uint32_t longest = m->jumps == GR_JUMPS_TO_FUNCTIONS; /* over doubles */
    uint32_t pays = job->params.doubles ? longest || (m->jumps && cost != GR_CHEAP && !m->direct)
                                        : m->values == GR_EXACT && cost == GR_SPECIAL;
    if (take_fixed_launch(&fixed))
        return fixed.together > 1 && can_go_abreast(job, m, chunks, fixed.together) ? fixed.together
                                                                                    : 0;
    for (size = longest ? 3 : 2; pays && size > 1; size--)
        if (job->params.train_chunks >= FEW_TILES * size && can_go_abreast(job, m, chunks, size))
            return size;
    return 0;
}

uint32_t gr_tile_fits(const gr_job *job, const gr_device *device, const gr_machine *m) {
    size_t tile = gr_tile_of(&job->params) * sizeof(float);
    return tile + shared_beside_tile(m, m->threads, share_programs(&job->params, device, m)) <=
           device->shared_block;
}

/* Instructions of a program that a warp has at hand, as far as tile and blocks have room beside it.
 * Measured on an H100, of at most 300 nodes: that nearly all of a program stands there gains 9 %
 * with evolved multiplexers, which have one tile less for it, and 3 % with sextic trees. Such a
 * program has some 200 instructions if its functions have two operands, and more with functions of
 * one; what it does not need is of more use as a cache, for the stack's levels beyond the
 * registers: 208 in place of 256 gain 1 to 4 % without those, and cost 1 % with them (on an H200).
 * Where no program is so long, so is all of it. */
static uint32_t choose_window(const gr_job *job, const gr_device *device, const gr_machine *m) {
    gr_machine wide = *m;
    uint32_t cost;
    gr_count_operations(m->uses, &cost);
    wide.window = cost == GR_SPECIAL ? GR_WIDEST_WINDOW : GR_WIDE_WINDOW;
    size_t block = shared_beside_tile(&wide, m->threads, 0) +
                   (m->shared ? gr_tile_of(&job->params) * sizeof(float) : 0);
    return job->params.max_nodes > FAR_APART && !share_programs(&job->params, device, m) &&
                   block <= device->shared_block && m->blocks * block <= device->shared_total
               ? wide.window
               : GR_WINDOW;
}

static int jumps_directly(const gr_device *device) {
    const char *fixed = getenv("GRAMPUS_JUMPS");
    return device->direct && !(fixed && strcmp(fixed, "table") == 0);
}

/* Measured on an H100: with inputs in registers, exact functions and words an instruction less
 * counts (sextic-exact 3.77 in place of 3.51 T); where many inputs are read from the tile it is
 * what lanes read (9-inputs 15.4 in place of 14.4 T, 13.9 by the table with 16 bytes). */
static uint32_t choose_jumps(const gr_device *device, const gr_machine *m) {
    if (!jumps_directly(device))
        return GR_BY_TABLE;
    return m->register_inputs || m->values != GR_FAST ? GR_DIRECT_WIDE : GR_DIRECT;
}

/* The widest register with which each warp of such a block has a pass of a chunk. Those that have
 * none come along to load programs, and the machine reads the inputs that it keeps in registers
 * where their cases would be: with width 32 behind the block's memory (an illegal access, found by
 * tests/gpu/long/sweep.py). */
enum { WIDEST_OF_GROUP = GR_CHUNK / (GR_GROUP_WARPS * GR_LANES) };

/* Where groups of warps share programs the block is one: it need not wait for others, takes the
 * next program when it is done, and has its warps load each part of it once. Few are on a
 * multiprocessor at a time, so that long programs, which come first, are done soon. As narrow as
 * gives every warp of it cases. Measured on an H200, 3 to 6 blocks alike: 1000 trees on 1000 cases
 * 8 % faster, with + - * 21 %, on 500 cases 33 %, 4000 trees or 4000 cases 4 %; on 100 cases, of
 * which one warp has all, 2 % slower, and with exact functions, whose code is long, 6 %. */
static void choose_group(const gr_job *job, const gr_device *device, gr_machine *m) {
    enum { BLOCKS = 5, NARROW = 4 };
    const gr_params *p = &job->params;
    gr_machine group = *m;
    group.shares = 1;
    group.direct = choose_jumps(device, m);
    group.threads = GR_GROUP_WARPS * GR_LANES;
    group.blocks = BLOCKS;
    if (!job->width)
        group.width = p->train_cases <= NARROW * group.threads
                          ? NARROW
                          : gr_min_u32(m->width, WIDEST_OF_GROUP);
    size_t block = gr_tile_of(p) * sizeof(float) + shared_beside_tile(&group, group.threads, 1);
    if (share_programs(p, device, m) && !job->warps && m->values == GR_FAST &&
        group.width <= WIDEST_OF_GROUP && p->train_cases > NARROW * GR_LANES &&
        BLOCKS * block <= device->shared_total)
        *m = group;
}

static void take_fixed_machine(const gr_params *p, gr_machine *m) {
    const char *fixed = getenv("GRAMPUS_MACHINE");
    unsigned width, levels, accumulator, inputs, threads, blocks;
    if (!fixed || sscanf(fixed, "%u,%u,%u,%u,%u,%u", &width, &levels, &accumulator, &inputs,
                         &threads, &blocks) != 6)
        return;
    if (levels < 2 || levels > 8 || !blocks || !threads || threads % 128 ||
        (inputs && (p->inputs > 2 || p->weighted)))
        return;
    m->width = width;
    m->levels = levels;
    m->accumulator = accumulator;
    m->register_inputs = inputs ? p->inputs : 0;
    m->threads = threads;
    m->blocks = blocks;
    m->shares &= threads == GR_GROUP_WARPS * GR_LANES && width <= WIDEST_OF_GROUP;
}

void gr_choose_machine(const gr_job *job, const gr_device *device, gr_machine *machine) {
    const gr_params *p = &job->params;
    gr_machine m = {0};
    uint32_t cost;
    gr_find_operations(job, m.uses);
    gr_count_operations(m.uses, &cost);
    m.values = p->packed ? GR_WORDS : job->fast || cost == GR_CHEAP ? GR_FAST : GR_EXACT;
    m.adds = gr_adds_of(p->metric);
    m.kind = gr_sum_kind_of(p);
    choose_registers(job, &m);
    size_t tile = gr_tile_of(p) * sizeof(float);
    m.window = GR_WINDOW;
    if (2 * (tile + shared_beside_tile(&m, 512, share_programs(p, device, &m))) >
            device->shared_total &&
        m.blocks > 1 && m.width < 16) {
        m.threads = 1024; /* one block a multiprocessor */
        m.blocks = 1;
    }
    if (job->warps) { /* as many warps a multiprocessor as before, in other blocks */
        m.blocks = gr_max_u32(1, m.blocks * m.threads / (job->warps * GR_LANES));
        m.threads = job->warps * GR_LANES;
    }
    choose_group(job, device, &m);
    take_fixed_machine(p, &m);
    m.blocks = resident(device, &m);
    m.pairs = !m.accumulator && !p->weighted;
    m.weighted = p->weighted;
    m.case_weights = p->case_weights;
    if (m.case_weights)
        m.width = gr_min_u32(m.width, GR_WEIGHED_WIDTH);
    m.index_mask = p->index_mask;
    m.inputs = gr_min_u32(p->inputs, GR_ANY);
    m.direct = choose_jumps(device, &m);
    m.keeps = gr_keeps_outputs(job);
    m.shared = gr_tile_fits(job, device, &m);
    m.window = choose_window(job, device, &m);
    *machine = m;
}

uint32_t gr_keeps_outputs(const gr_job *job) {
    const gr_params *p = &job->params;
    uint32_t shared = job->peers && (job->peers->cases || job->peers->individuals),
             spared = p->objectives || p->once || p->sampling;
    gr_machine m = {0};
    uint32_t cost;
    gr_find_operations(job, m.uses);
    gr_count_operations(m.uses, &cost);
    return p->lexicase_rows && p->lexicase_rows == p->train_cases && !p->packed && !p->doubles &&
           !shared && !spared && (!job->fast || cost == GR_CHEAP);
}

/* How a run's operations over doubles are found. What is costly and has no handler leaves the
 * table, and wants the registers that handlers have: where only functions did, that cost nearly
 * half of the rate. Beside four that have handlers, tanh or pow pay with the table (measured on an
 * H200), beside one aq does. */
static uint32_t choose_double_jumps(const uint8_t uses[GR_OP_COUNT]) {
    static const uint8_t has_handler[GR_OP_COUNT] = {
#define GR_HAS_HANDLER(id) [GR_##id] = 1,
        GR_DOUBLE_FUNCTIONS(GR_HAS_HANDLER)
#undef GR_HAS_HANDLER
    };
    uint32_t functions = 0, others = 0, special = 0;
    for (uint32_t op = 0; op < GR_OP_COUNT; op++) {
        uint32_t cost = uses[op] ? gr_cost_class(op) : GR_CHEAP;
        if (cost == GR_CHEAP || op == GR_DIV || op == GR_PDIV)
            continue;
        functions += has_handler[op];
        others += !has_handler[op];
        special |= !has_handler[op] && cost == GR_SPECIAL;
    }
    return functions && functions >= others ? GR_JUMPS_TO_FUNCTIONS
           : special                        ? GR_JUMPS_TO_NONE
                                            : GR_JUMPS_TO_CHEAP;
}

/* Few cases leave half of a wide register empty; and code of functions for eight cases is more than
 * the cache of instructions holds. */
void gr_choose_double_machine(const gr_job *job, const gr_device *device, gr_machine *machine) {
    const gr_params *p = &job->params;
    gr_machine m = {.blocks = 1, .window = GR_WINDOW};
    uint32_t width = job->width ? job->width : p->train_cases <= 128 ? 4 : 8;
    gr_find_operations(job, m.uses);
    m.jumps = choose_double_jumps(m.uses);
    m.threads = GR_DOUBLE_THREADS(m.jumps);
    m.width = width > 4 && m.jumps != GR_JUMPS_TO_FUNCTIONS ? 8 : 4;
    if (m.jumps != GR_JUMPS_TO_NONE && jumps_directly(device) &&
        m.width == GR_DIRECT_DOUBLE_WIDTH(m.jumps))
        m.direct = GR_DIRECT_WIDE;
    if (job->warps && job->warps * GR_LANES < m.threads) {
        m.blocks = m.threads / (job->warps * GR_LANES);
        m.threads = job->warps * GR_LANES;
    }
    m.adds = gr_adds_of(p->metric);
    m.kind = gr_sum_kind_of(p);
    m.shared = gr_tile_fits(job, device, &m);
    *machine = m;
}

/* Chunks of a tile over doubles: several where there are programs enough for items to be even,
 * since taking one apart costs as much as a tenth of its run on a chunk; tiles of a set differ by
 * one at most. A tile that stands in global memory has one: not measured. */
static uint32_t chunks_of_double_tile(const gr_params *p, const gr_machine *m, uint64_t warps) {
    enum { SEVERAL = 4, MANY = 32 };
    uint32_t tiles = (p->train_chunks + SEVERAL - 1) / SEVERAL;
    return m->shared && (uint64_t)p->individuals * tiles >= MANY * warps
               ? (p->train_chunks + tiles - 1) / tiles
               : 1;
}

/* The next smaller tile: of warps abreast one chunk less, else that of a tile more in the set; 0
 * behind one chunk. */
static uint32_t fewer_chunks(const gr_params *p, const gr_work_split *s) {
    uint32_t tiles = (p->train_chunks + s->chunks - 1) / s->chunks + 1;
    uint32_t even = (p->train_chunks + tiles - 1) / tiles;
    return s->abreast || s->chunks == 1 ? s->chunks - 1 : gr_min_u32(s->chunks - 1, even);
}

/* Levels of the stack take what shared memory has left: fewer chunks where these are too few. */
void gr_choose_double_split(const gr_job *job, const gr_device *device, gr_machine *m,
                            gr_work_split *spread) {
    enum { FEW_LEVELS = 2, MOST_LEVELS = 4 };
    gr_job other = *job;
    gr_choose_work_split(job, device, m, spread);
    uint64_t blocks = device->multiprocessors * resident(device, m);
    size_t all = device->shared_total / resident(device, m), level;
    all = all < device->shared_block ? all : device->shared_block;
    level = m->threads / GR_LANES * GR_DOUBLE_LEVEL_BYTES(m->width);
    all -= declared(m);
    uint32_t several = chunks_of_double_tile(&job->params, m, blocks * m->threads / GR_LANES);
    other.tile = spread->abreast ? spread->chunks : gr_max_u32(spread->chunks, several);
    for (; !job->tile && other.tile; other.tile = fewer_chunks(&job->params, spread)) {
        gr_choose_work_split(&other, device, m, spread);
        if (spread->shared + FEW_LEVELS * level <= all)
            break;
    }
    for (m->levels = 0; m->levels < MOST_LEVELS && spread->shared + level <= all; m->levels++)
        spread->shared += level;
    if (spread->together) { /* its warps do not share programs */
        uint64_t tasks = (uint64_t)job->params.individuals * job->params.train_chunks;
        spread->programs = (uint32_t)gr_max_u32(1, (uint32_t)((tasks + blocks - 1) / blocks));
        spread->together = m->together = 0;
    }
}

/* Seconds that an interpreter compiled for the run saves in 10^12 node evaluations (of words: word
 * evaluations) against the one for all operations. Measured, 10^12 evaluations a second compiled
 * and not, by the table on an H200: 17.2 and 10.9 with + - *, 13.9 and 10.6 with a division, 8.4
 * and 7.9 with the sextic set fast, 3.0 exact by both, 8.7 and 5.6 with ten operations on 41
 * inputs, 7.8 and 5.1 on programs of 8.5 nodes, 11.0 and 9.8 on words; with direct jumps on an
 * H100: 27.9 and 11.3, 21.6 and 10.8, 9.0 and 8.1, 3.7 and 3.0, 10.6 and 5.1, 8.7 and 6.0, 13.3
 * and 10.4. Where it keeps outputs for selection by cases, the plain interpreter need not run once
 * more: 2.9 ms for 2.9 x 10^9. */
static double saved_by_specialising(const gr_job *job, int direct) {
    gr_machine m = {0};
    uint32_t cost, count;
    gr_find_operations(job, m.uses);
    count = gr_count_operations(m.uses, &cost);
    if (gr_keeps_outputs(job))
        return 1.0;
    if (job->params.packed)
        return direct ? 0.021 : 0.011;
    if (!job->fast && cost != GR_CHEAP)
        return cost != GR_SPECIAL ? 0.036 : direct ? 0.063 : 0.003;
    if (cost == GR_SPECIAL)
        return direct ? 0.012 : 0.007;
    return (count <= 4 && cost == GR_CHEAP ? 0.034 : 0.023) * (direct ? 1.5 : 1);
}

/* Generating and linking the text takes 0.12 to 0.38 s on an H200's machine, loading it from the
 * disk under 0.01 s. */
int gr_specialising_pays(const gr_job *job, const gr_device *device) {
    const gr_params *p = &job->params;
    double cases = p->packed ? p->train_cases / 32.0 : p->train_cases;
    double nodes = p->max_nodes < 60 ? p->max_nodes / 2.0 : 30.0;
    double evaluations = (double)p->individuals * (p->generations + 1.0) * cases * nodes;
    return 1e-12 * evaluations * saved_by_specialising(job, device->direct == 1) > 0.25;
}

uint32_t gr_general_number(const gr_machine *machine) {
    uint32_t adds_errors = machine->values != GR_WORDS && machine->kind == GR_SUM_ERROR;
    return 2 * machine->values + machine->shared + (adds_errors ? 2 * GR_VALUES : 0);
}

void gr_general_machine(uint32_t number, gr_machine *machine) {
    uint32_t values = number % (2 * GR_VALUES) / 2, adds_errors = number >= 2 * GR_VALUES;
    gr_machine m = {.values = values, .width = values == GR_EXACT ? 4 : 8, .levels = 2};
    m.accumulator = 1;
    m.shared = number % 2;
    m.threads = 512;
    m.blocks = values == GR_EXACT ? 3 : 2;
    m.registers = 65536 / (m.blocks * m.threads) / 8 * 8; /* fewer blocks where threads are fewer */
    m.adds = m.kind = m.chunks = m.inputs = m.together = m.windows = m.batch = m.some = GR_ANY;
    m.window = GR_WINDOW;
    if (adds_errors)
        m.kind = GR_SUM_ERROR;
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++)
        m.uses[op] = gr_is_word(op) == (values == GR_WORDS);
    *machine = m;
}

/* Whether programs are short most of the time but for some that are long, as far as a run's limits
 * tell, and evaluated so fast that it counts. */
static uint32_t are_uneven(const gr_params *p, const gr_machine *m) {
    uint32_t cost;
    gr_count_operations(m->uses, &cost);
    return p->max_nodes > FAR_APART && cost != GR_SPECIAL && m->values != GR_WORDS;
}

/* How many programs a warp draws, and brings to its buffer, at a time: several where an item has
 * enough for all warps and they are short. Measured on an H100: it gains 15 % with trees of 12
 * nodes, 6 % of 8 nodes on 8 inputs and where one of 32 is long, and costs 1 to 2 % with 86. */
static void choose_draws(const gr_params *p, uint32_t warps, gr_machine *m, gr_work_split *s) {
    uint32_t several = p->max_nodes <= GR_SHORT || are_uneven(p, m),
             most = gr_min_u32(GR_DRAWN_TOGETHER, s->programs / (2 * warps));
    s->draws = several && s->ahead && !s->abreast ? gr_max_u32(1, most) : 1;
    m->some = s->draws > 1 || s->batch > 1;
    m->many = several && m->some;
}

/* Items that a block may have under way, as far as their tiles have room, a warp for each; 0: it
 * meets. Uneven programs gain 3 % by a third, and 1.5 % by small items in the last sixteenth of the
 * tiles; an eighth of these is too much (measured on an H200). */
enum { FINE_SHARE = 16 };
static uint32_t items_ahead(const gr_params *p, const gr_machine *m, uint32_t warps, size_t tile,
                            size_t most) {
    uint32_t wanted = are_uneven(p, m) && warps > 2 && 3 * tile <= most ? 3 : 2;
    return warps >= wanted && wanted * tile <= most ? wanted : 0;
}

/* Bytes that tiles of items under way may take of a block. Beside two tiles of words of 20 inputs
 * the first level of the cache, which is of the same memory, had 28 KB left: to meet is 3 % faster
 * then (measured on an H200). */
static size_t room_ahead(const gr_machine *m, size_t most, uint32_t blocks) {
    enum { LEFT_TO_CACHE = 32768 };
    size_t left = m->values == GR_WORDS ? LEFT_TO_CACHE / blocks : 0;
    return most > left ? most - left : 0;
}

/* Programs of an item, at least: some for every warp, or group of warps with the same program, but
 * for every block at least some items. Measured on an H200: 1000 trees on 10 000 cases with 20
 * programs an item have 1.9 times the rate that they have with 100, for which 100 of 264 blocks
 * had work. */
static uint32_t least_programs(const gr_params *p, uint32_t blocks, uint32_t groups, uint64_t tiles,
                               const gr_work_split *s) {
    enum { ITEMS = 4 };
    uint64_t each = !s->ahead    ? 1
                    : s->abreast ? 3
                                 : 6,
             there = p->individuals * tiles / (ITEMS * (uint64_t)blocks * groups);
    each = there < each ? there : each;
    return groups * gr_max_u32(1, (uint32_t)each);
}

/* Programs of an item: items enough that blocks end together, and as many for every block, since
 * the last is waited for, of which a part is lost because programs are not alike.
 * Measured on an H100: 8 items a block where the block meets for each, 24 where it has two under
 * way, 16 if programs are uneven, so that long ones are not waited for, 72 where groups go
 * abreast. */
static uint32_t item_programs(const gr_params *p, const gr_machine *m, uint32_t blocks,
                              uint32_t warps, const gr_work_split *s) {
    enum { MOST_PROGRAMS = 4096, PART = 4 };
    if (m->shares)
        return 1;
    uint32_t groups = warps / (s->together ? GR_GROUP_WARPS : gr_max_u32(1, s->abreast));
    uint32_t most = !s->ahead ? 8 : s->abreast ? 72 : are_uneven(p, m) ? 16 : 24;
    uint64_t tiles = (p->train_chunks + s->chunks - 1) / s->chunks;
    uint32_t least = least_programs(p, blocks, gr_max_u32(1, groups), tiles, s);
    uint64_t best = 0, programs = least,
             fewest = (p->individuals + MOST_PROGRAMS - 1) / MOST_PROGRAMS; /* items of a tile */
    for (uint64_t n = fewest; n == fewest || n <= 3 * most * (uint64_t)blocks / tiles; n++) {
        uint64_t of_item = (p->individuals + n - 1) / n,
                 columns = (p->individuals + of_item - 1) / of_item,
                 busiest = (columns * tiles + blocks - 1) / blocks * of_item + of_item / PART;
        uint64_t bar = n * tiles <= most * (uint64_t)blocks ? best + best / 128 : best - best / 32;
        if (of_item < least || (best && busiest > bar))
            continue;
        best = best && best < busiest ? best : busiest;
        programs = of_item;
    }
    return (uint32_t)programs;
}

/* As many items as there are for every block, since it draws all that it has under way at once and
 * others would have none; 0: one, for which it meets. */
static uint32_t ahead_of(const gr_params *p, uint32_t blocks, const gr_work_split *s) {
    uint64_t columns = (p->individuals + s->programs - 1) / s->programs,
             items = columns * ((p->train_chunks + s->chunks - 1) / s->chunks),
             of_block = (items + blocks - 1) / blocks;
    return of_block < 2 ? 0 : of_block < UINT32_MAX ? (uint32_t)of_block : UINT32_MAX;
}

void gr_choose_work_split(const gr_job *job, const gr_device *device, gr_machine *m,
                          gr_work_split *spread) {
    const gr_params *p = &job->params;
    gr_work_split s = {0};
    uint32_t each = resident(device, m), blocks = device->multiprocessors * each;
    uint32_t warps = m->threads / GR_LANES;
    uint64_t all = (uint64_t)blocks * warps;
    size_t tile = m->shared ? gr_tile_of(p) * sizeof(float) : 0;
    size_t most = device->shared_total / each;
    most = most < device->shared_block ? most : device->shared_block;
    s.together = share_programs(p, device, m);
    size_t taken = shared_beside_tile(m, m->threads, s.together);
    most = most > taken ? most - taken : 0;
    fixed_launch fixed;
    int is_fixed = take_fixed_launch(&fixed);
    /* A tile holds all chunks of a small data set: programs are then brought in once. Otherwise
     * one, measured to be the fastest. */
    uint64_t chunks = tile ? most / tile : 8;
    uint32_t fits = p->train_chunks <= chunks && p->train_chunks <= 8 && p->individuals >= 16 * all;
    s.chunks = fits && !s.together ? p->train_chunks : 1;
    if (job->tile && !s.together)
        s.chunks = tile && job->tile > most / tile ? (uint32_t)(most / tile) : job->tile;
    s.chunks = gr_max_u32(1, gr_min_u32(s.chunks, p->train_chunks));
    s.abreast = s.together ? 0 : abreast(job, m, job->tile ? s.chunks : chunks);
    if (s.abreast)
        s.chunks = s.abreast;
    if (!m->registers && !p->doubles && !s.together && s.chunks < p->train_chunks)
        s.ahead = gr_min_u32(fixed.ahead,
                             items_ahead(p, m, warps, s.chunks * tile, room_ahead(m, most, each)));
    s.programs = fixed.programs ? fixed.programs : item_programs(p, m, blocks, warps, &s);
    if (!is_fixed)
        s.ahead = gr_min_u32(s.ahead, ahead_of(p, blocks, &s));
    s.fine = s.ahead && are_uneven(p, m) ? p->train_chunks / s.chunks / FINE_SHARE : 0;
    /* One tile for all cases: no items, so no waiting for the last program of one. Measured on an
     * H200, 204 800 programs of 8.5 nodes: one at a time is 6 % slower than four to eight. */
    uint64_t batch = (uint64_t)p->individuals / (all * 8);
    if (s.chunks == p->train_chunks && !s.together && !s.abreast && m->shared && !fixed.programs)
        s.batch = batch < 1 ? 1 : batch > 8 ? 8 : (uint32_t)batch;
    s.shared = (size_t)warps * GR_BUFFER_OF(m->window) * GR_INSTRUCTION_BYTES(m->direct) +
               gr_max_u32(1, s.ahead) * s.chunks * tile +
               outputs_of_groups(m, m->threads, s.together);
    m->chunks = s.chunks == 1 || s.abreast ? 1 : GR_ANY; /* of a warp */
    m->together = s.together;
    m->abreast = s.abreast;
    m->ahead = s.ahead;
    m->batch = s.batch ? GR_ANY : 0;
    choose_draws(p, warps, m, &s);
    m->windows = p->max_nodes <= m->window * (m->shares ? GR_GROUP_WARPS : 1) ? 0 : GR_ANY;
    *spread = s;
}
