/* gpu/interpreter/tuner.h without a device: what it chooses fits, and long runs are specialised. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "gpu/backend/peers.h"
#include "gpu/core/program/linear.h"
#include "gpu/interpreter/embedded.h"
#include "gpu/interpreter/tuner.h"

#include <stdlib.h>

enum { DECLARED = 168 }; /* bytes of shared memory that a kernel has beside what it is given */

static void test_tuner_fits(void **state) {
    (void)state;
    const gr_device devices[] = {{132, 2048, 232448, 233472, 1},
                                 {108, 2048, 166912, 167936, 0},
                                 {128, 1536, 101376, 102400, 0},
                                 {40, 1024, 65536, 65536, 0}};
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
        for (uint32_t inputs = 1; inputs < 3000; inputs = inputs * 5 / 4 + 1)
            for (uint32_t tile = 0; tile < 80; tile += 7) {
                static const uint32_t warps[] = {0, 4, 8, 16, 32};
                gr_job job = {.tile = tile, .fast = inputs & 1, .warps = warps[tile % 5]};
                gr_machine m;
                gr_work_split s;
                job.params.genotype = GR_TREE;
                job.params.individuals = 1u << (inputs % 22);
                job.params.train_cases = 5000000;
                job.params.train_chunks = (job.params.train_cases + GR_CHUNK - 1) / GR_CHUNK;
                job.params.inputs = inputs;
                job.params.functions = 2;
                job.params.function[0] = GR_ADD;
                job.params.function[1] = GR_SIN;
                gr_choose_machine(&job, &devices[d], &m);
                gr_choose_work_split(&job, &devices[d], &m, &s);
                assert_true(s.shared + DECLARED <= devices[d].shared_block);
                gr_general_machine(2 * GR_FAST, &m);
                m.shared = gr_tile_fits(&job, &devices[d], &m);
                gr_choose_work_split(&job, &devices[d], &m, &s);
                assert_true(s.shared + DECLARED <= devices[d].shared_block);
                gr_choose_machine(&job, &devices[d], &m);
                gr_choose_work_split(&job, &devices[d], &m, &s);
                assert_true(s.chunks >= 1 && s.programs >= 1);
                assert_true(m.blocks == 1 || m.blocks * m.threads <= devices[d].threads);
                assert_true(m.width % 4 == 0 && m.threads % (GR_GROUP_WARPS * GR_LANES) == 0);
                assert_int_equal(m.uses[GR_ADD] + m.uses[GR_SIN] + m.uses[GR_MUL], 2);
                size_t buffers = (size_t)m.threads / GR_LANES * GR_BUFFER_OF(m.window) *
                                 GR_INSTRUCTION_BYTES(m.direct),
                       tiles = m.shared * s.chunks * (size_t)(inputs + 1) * GR_INPUT_BYTES;
                assert_true(s.shared >= buffers + tiles);
                if (m.chunks == 1)
                    assert_int_equal(s.chunks, s.abreast ? s.abreast : 1);
                uint32_t pairs = !job.fast && !m.registers && s.chunks == 2 && tile != 1;
                assert_int_equal(s.abreast, pairs && m.chunks == 1 ? 2 : 0);
                assert_true(!s.abreast || m.threads / GR_LANES / 2 <= GR_ABREAST_GROUPS);
            }
}

/* Operations over doubles, and to what the kernel jumps. */
typedef struct double_set {
    uint8_t count, op[4], jumps;
} double_set;
static const double_set double_sets[] = {
    {1, {GR_DIV}, GR_JUMPS_TO_CHEAP},
    {3, {GR_MUL, GR_NEG, GR_AQ}, GR_JUMPS_TO_CHEAP},
    {1, {GR_SIN}, GR_JUMPS_TO_FUNCTIONS},
    {2, {GR_SQRT, GR_AQ}, GR_JUMPS_TO_FUNCTIONS},
    {4, {GR_PDIV, GR_PLOG, GR_EXP, GR_TANH}, GR_JUMPS_TO_FUNCTIONS},
    {1, {GR_TAN}, GR_JUMPS_TO_NONE},
    {3, {GR_SIN, GR_TANH, GR_POW}, GR_JUMPS_TO_NONE},
};
enum { DOUBLE_SETS = sizeof double_sets / sizeof *double_sets };

/* The kernel over doubles: what a block holds is what its warps will look for. */
static void test_doubles(void **state) {
    (void)state;
    const gr_device devices[] = {{132, 2048, 232448, 233472, 1},
                                 {128, 1536, 101376, 102400, 0},
                                 {40, 1024, 65536, 65536, 0}};
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
        for (uint32_t inputs = 1; inputs < 60; inputs++)
            for (uint32_t warps = 0; warps < 33; warps++) {
                gr_job job = {.warps = warps, .width = warps % 2 ? 4 : 32, .tile = inputs % 5};
                gr_machine m;
                gr_work_split s;
                job.params.doubles = 1;
                job.params.genotype = GR_TREE;
                const double_set *set = &double_sets[warps % DOUBLE_SETS];
                for (; job.params.functions < set->count; job.params.functions++)
                    job.params.function[job.params.functions] = set->op[job.params.functions];
                job.params.individuals = 1u << inputs % 22;
                job.params.train_cases = 5000;
                job.params.train_chunks = 5;
                job.params.inputs = inputs;
                gr_choose_double_machine(&job, &devices[d], &m);
                gr_choose_double_split(&job, &devices[d], &m, &s);
                size_t tile = m.shared ? s.chunks * gr_tile_of(&job.params) * sizeof(float) : 0;
                uint32_t direct = d == 0 && (set->jumps == GR_JUMPS_TO_FUNCTIONS ||
                                             (set->jumps == GR_JUMPS_TO_CHEAP && m.width == 8));
                size_t buffers = m.threads / GR_LANES * GR_BUFFER * (direct ? 16 : 8),
                       level = m.threads / GR_LANES * GR_DOUBLE_LEVEL_BYTES(m.width);
                assert_int_equal(m.jumps, set->jumps);
                assert_int_equal(m.direct, direct ? GR_DIRECT_WIDE : GR_BY_TABLE);
                assert_int_equal(m.width, warps % 2 || set->jumps == GR_JUMPS_TO_FUNCTIONS ? 4 : 8);
                assert_true(m.threads <= GR_DOUBLE_THREADS(m.jumps) && m.threads % GR_LANES == 0);
                uint32_t tables = set->jumps == GR_JUMPS_TO_FUNCTIONS ? 856 : 0; /* and a gap */
                assert_true(s.shared + DECLARED + tables <= devices[d].shared_block);
                assert_true(s.shared >= tile + buffers + m.levels * level);
                assert_true(!s.together && s.chunks >= 1 && s.programs >= 1);
            }
}

/* How many warps go abreast in a run, and the tile they have. */
static uint32_t abreast_of(gr_job job, uint32_t individuals, uint32_t *chunks) {
    const gr_device device = {132, 2048, 232448, 233472, 1};
    gr_machine m;
    gr_work_split s;
    job.params.genotype = GR_TREE;
    job.params.functions = 5; /* with few, inputs in registers leave room for an odd block */
    for (uint32_t k = 1; k < 5; k++)
        job.params.function[k] = (uint8_t[]){0, GR_ADD, GR_SUB, GR_MUL, GR_NEG}[k];
    job.params.individuals = individuals;
    job.params.train_cases = job.params.train_chunks * GR_CHUNK;
    if (job.params.doubles) {
        gr_choose_double_machine(&job, &device, &m);
        gr_choose_double_split(&job, &device, &m, &s);
    } else {
        gr_choose_machine(&job, &device, &m);
        gr_choose_work_split(&job, &device, &m, &s);
    }
    assert_int_equal(m.abreast, s.abreast);
    assert_true(!s.abreast || (s.chunks == s.abreast && !s.batch && !s.together));
    *chunks = s.chunks;
    return s.abreast;
}

/* Two go abreast where code is long and cases are many, over doubles with functions three, and with
 * divisions by the table two, as far as their chunks have room and the block has barriers for its
 * groups: not 32 warps, which it is of many inputs. Nor where another tile is asked for, which is
 * had. */
static void test_abreast(void **state) {
    (void)state;
    static const struct {
        uint8_t function;
        bool doubles, fast;
        uint32_t chunks, inputs, tile, warps, abreast;
    } rows[] = {{GR_SIN, 0, 0, 8, 2, 0, 0, 2},   {GR_SIN, 0, 0, 9, 2, 0, 0, 2},
                {GR_SIN, 0, 0, 7, 2, 0, 0, 0},   {GR_SIN, 0, 1, 8, 2, 0, 0, 0},
                {GR_DIV, 0, 0, 8, 2, 0, 0, 0},   {GR_ADD, 0, 0, 8, 2, 0, 0, 0},
                {GR_SIN, 0, 0, 8, 2, 1, 0, 0},   {GR_SIN, 0, 0, 8, 2, 2, 0, 2},
                {GR_SIN, 0, 0, 8, 2, 3, 0, 0},   {GR_SIN, 0, 0, 8, 2, 6, 0, 0},
                {GR_DIV, 1, 0, 8, 2, 1, 0, 0},   {GR_DIV, 1, 0, 8, 2, 3, 0, 0},
                {GR_SIN, 0, 0, 8, 30, 0, 0, 0},  {GR_SIN, 0, 0, 8, 1000, 0, 0, 0},
                {GR_SIN, 0, 0, 8, 2, 0, 4, 0},   {GR_SIN, 0, 0, 8, 2, 0, 8, 2},
                {GR_SIN, 0, 0, 8, 2, 0, 32, 0},  {GR_DIV, 1, 0, 8, 2, 0, 0, 0},
                {GR_DIV, 1, 0, 8, 20, 0, 0, 0},  {GR_DIV, 1, 0, 7, 2, 0, 0, 0},
                {GR_SIN, 1, 0, 8, 2, 0, 0, 2},   {GR_SIN, 1, 0, 12, 2, 0, 0, 3},
                {GR_SIN, 1, 0, 12, 2, 2, 0, 2},  {GR_SIN, 1, 0, 12, 2, 3, 0, 3},
                {GR_SIN, 1, 0, 12, 2, 0, 16, 2}, {GR_SIN, 1, 0, 12, 7, 0, 0, 2},
                {GR_SIN, 1, 0, 24, 2, 6, 0, 0},  {GR_SIN, 1, 0, 24, 4, 0, 0, 3},
                {GR_SIN, 1, 0, 24, 5, 0, 0, 2},  {GR_SIN, 1, 0, 24, 6, 0, 0, 2},
                {GR_SIN, 1, 0, 24, 8, 0, 0, 0},  {GR_TAN, 1, 0, 12, 2, 0, 0, 0},
                {GR_SIN, 0, 0, 12, 2, 0, 0, 2},  {GR_ADD, 1, 0, 12, 2, 0, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gr_job job = {.fast = rows[i].fast, .tile = rows[i].tile, .warps = rows[i].warps};
        uint32_t chunks;
        job.params.doubles = rows[i].doubles;
        job.params.train_chunks = rows[i].chunks;
        job.params.inputs = rows[i].inputs;
        job.params.function[0] = rows[i].function;
        uint32_t abreast = abreast_of(job, 100000, &chunks);
        if (abreast != rows[i].abreast)
            fail_msg("row %zu: %u abreast on tiles of %u", i, abreast, chunks);
        if (rows[i].tile && chunks != rows[i].tile)
            fail_msg("row %zu: tiles of %u; asked for %u", i, chunks, rows[i].tile);
    }
    gr_job divides = {.params = {.doubles = 1, .train_chunks = 8, .inputs = 2}};
    uint32_t chunks;
    divides.params.function[0] = GR_DIV;
    setenv("GRAMPUS_JUMPS", "table", 1);
    assert_int_equal(abreast_of(divides, 100000, &chunks), 2);
    unsetenv("GRAMPUS_JUMPS");
}

/* Over doubles a tile has several chunks where there are programs enough, and where levels of the
 * stack have room beside them; those of a set differ by one at most. */
static void test_double_tiles(void **state) {
    (void)state;
    static const struct {
        uint32_t chunks, inputs, individuals, tile, expected;
    } rows[] = {{96, 1, 8192, 0, 4},  {96, 1, 8192, 1, 1}, {96, 1, 8192, 3, 3}, {1, 1, 8192, 0, 1},
                {9, 1, 23000, 0, 3},  {9, 1, 22000, 0, 1}, {5, 1, 33000, 0, 1}, {5, 1, 40000, 0, 5},
                {8, 1, 40000, 0, 8},  {6, 2, 40000, 0, 3}, {8, 2, 40000, 0, 4}, {5, 3, 40000, 0, 3},
                {96, 2, 8192, 0, 4},  {96, 5, 8192, 0, 2}, {96, 9, 8192, 0, 1}, {96, 9, 8192, 2, 2},
                {96, 99, 8192, 0, 1}, {96, 1, 2815, 0, 1}, {96, 1, 2816, 0, 4}, {97, 1, 8192, 0, 4},
                {98, 3, 8192, 0, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gr_job job = {.tile = rows[i].tile};
        uint32_t chunks;
        job.params.doubles = 1;
        job.params.train_chunks = rows[i].chunks;
        job.params.inputs = rows[i].inputs;
        job.params.function[0] = GR_DIV;
        assert_int_equal(abreast_of(job, rows[i].individuals, &chunks), 0);
        if (chunks != rows[i].expected)
            fail_msg("row %zu: tiles of %u; expected %u", i, chunks, rows[i].expected);
    }
}

/* Items: the busiest block has at most an eighth more than its share, unless there are too few
 * programs for every warp, and two items or more where every warp has four programs; tiles
 * for items under way where they have room and blocks have two each, and never of a run that has
 * one tile or whose warps share programs. */
static void test_items(void **state) {
    (void)state;
    const gr_device device = {132, 2048, 232448, 233472, 1};
    for (uint32_t individuals = 1; individuals < 3000000; individuals += individuals / 3 + 1)
        for (uint32_t chunks = 1; chunks < 2000; chunks += chunks / 2 + 1)
            for (uint32_t inputs = 1; inputs < 60; inputs += 13) {
                gr_job job = {.fast = chunks % 2};
                gr_machine m;
                gr_work_split s;
                job.params.genotype = GR_TREE;
                job.params.functions = 2;
                job.params.function[0] = individuals % 2 ? GR_MUL : GR_EXP;
                job.params.individuals = individuals;
                job.params.inputs = inputs;
                job.params.train_chunks = chunks;
                job.params.train_cases = chunks * GR_CHUNK;
                gr_choose_machine(&job, &device, &m);
                gr_choose_work_split(&job, &device, &m, &s);
                size_t tile = s.chunks * (size_t)(inputs + 1) * GR_INPUT_BYTES;
                uint32_t blocks = device.multiprocessors * m.blocks, warps = m.threads / GR_LANES;
                int fits = s.shared - m.shared * (s.ahead ? s.ahead : 1) * tile + 2 * tile + 1456 <=
                           (m.blocks > 1 ? device.shared_total / m.blocks : device.shared_block);
                uint64_t tiles = (chunks + s.chunks - 1) / s.chunks,
                         columns = (individuals + s.programs - 1) / s.programs,
                         items = columns * tiles,
                         busiest = (items + blocks - 1) / blocks * s.programs,
                         share = items * s.programs / blocks;
                uint32_t may = !s.together && s.chunks < chunks && (fits || !m.shared);
                assert_int_equal(s.ahead, may && items > blocks ? 2 : 0);
                assert_int_equal(s.fine, 0);
                assert_int_equal(m.ahead, s.ahead);
                if (may && individuals * tiles >= 4 * (uint64_t)blocks * warps)
                    if (items < 2 * (uint64_t)blocks)
                        fail_msg("%u x %u: %g items a block", individuals, chunks,
                                 (double)items / blocks);
                if (s.programs > 12 * warps && !s.batch && items >= 4 * blocks)
                    assert_true(busiest <= share + share / 8);
            }
}

/* Where programs are uneven, and tiles small, a block has three items under way, and those of the
 * last sixteenth of the tiles are small. */
static void test_uneven(void **state) {
    (void)state;
    static const struct {
        uint8_t function;
        uint32_t nodes, chunks, inputs, ahead, fine;
    } rows[] = {{GR_MUL, 193, 96, 1, 3, 6},  {GR_MUL, 193, 15, 1, 3, 0},
                {GR_MUL, 193, 16, 1, 3, 1},  {GR_MUL, 192, 96, 1, 2, 0},
                {GR_EXP, 193, 96, 1, 2, 0},  {GR_MUL, 193, 96, 20, 2, 6},
                {GR_MUL, 193, 96, 48, 0, 0}, {GR_WAND, 131, 96, 11, 2, 0},
                {GR_WAND, 131, 96, 20, 0, 0}}; /* of words: the cache has room, or they meet */
    const gr_device device = {132, 2048, 232448, 233472, 1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gr_job job = {.fast = 1};
        gr_machine m;
        gr_work_split s;
        job.params = (gr_params){.genotype = GR_TREE,
                                 .functions = 1,
                                 .function = {rows[i].function},
                                 .individuals = 16384,
                                 .max_nodes = rows[i].nodes,
                                 .inputs = rows[i].inputs,
                                 .packed = rows[i].function == GR_WAND,
                                 .train_chunks = rows[i].chunks};
        job.params.train_cases = rows[i].chunks * GR_CHUNK * (job.params.packed ? 32 : 1);
        gr_choose_machine(&job, &device, &m);
        gr_choose_work_split(&job, &device, &m, &s);
        if (s.ahead != rows[i].ahead || m.ahead != s.ahead || s.fine != rows[i].fine)
            fail_msg("row %zu: %u under way, %u tiles of small items", i, s.ahead, s.fine);
        assert_true(m.blocks * (s.shared + 1456) <= device.shared_total);
    }
}

/* What warps draw: some programs at a time where all are short, or most may be and their evaluation
 * is cheap, and where an item has some for each; a wide window where one may be long. */
static void test_draws(void **state) {
    (void)state;
    static const struct {
        uint8_t function;
        uint32_t nodes, individuals, chunks, inputs, packed, draws, batch, many, window;
    } rows[] = {{GR_MUL, 13, 16384, 96, 1, 0, 8, 0, 1, GR_WINDOW},
                {GR_EXP, 31, 16384, 96, 1, 0, 6, 0, 1, GR_WINDOW},
                {GR_MUL, 32, 16384, 96, 1, 0, 1, 0, 0, GR_WINDOW},
                {GR_MUL, 192, 16384, 96, 1, 0, 1, 0, 0, GR_WINDOW},
                {GR_MUL, 193, 16384, 96, 1, 0, 8, 0, 1, GR_WIDE_WINDOW},
                {GR_EXP, 193, 16384, 96, 1, 0, 1, 0, 0, GR_WIDEST_WINDOW},
                {GR_WAND, 193, 16384, 96, 1, 1, 1, 0, 0, GR_WIDE_WINDOW},
                {GR_WAND, 193, 16384, 96, 20, 1, 1, 0, 0, GR_WIDE_WINDOW},
                {GR_MUL, 193, 16384, 96, 48, 0, 1, 0, 0, GR_WINDOW}, /* no room beside the tile */
                {GR_MUL, 193, 100, 1, 1, 0, 1, 0, 0, GR_WINDOW}, /* groups of warps share them */
                {GR_MUL, 15, 500, 96, 1, 0, 3, 0, 1, GR_WINDOW},
                {GR_MUL, 15, 1000000, 1, 1, 0, 1, 8, 1, GR_WINDOW},
                {GR_MUL, 40, 1000000, 1, 1, 0, 1, 8, 0, GR_WINDOW}};
    const gr_device device = {132, 2048, 232448, 233472, 1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gr_job job = {.fast = 1};
        gr_machine m;
        gr_work_split s;
        job.params =
            (gr_params){.genotype = GR_TREE,
                        .functions = 1,
                        .function = {rows[i].function},
                        .individuals = rows[i].individuals,
                        .max_nodes = rows[i].nodes,
                        .inputs = rows[i].inputs,
                        .packed = rows[i].packed,
                        .train_chunks = rows[i].chunks,
                        .train_cases = rows[i].chunks * GR_CHUNK * (rows[i].packed ? 32 : 1)};
        gr_choose_machine(&job, &device, &m);
        gr_choose_work_split(&job, &device, &m, &s);
        if (s.draws != rows[i].draws || s.batch != rows[i].batch || m.many != rows[i].many)
            fail_msg("row %zu: %u drawn, %u in a batch, together: %u", i, s.draws, s.batch, m.many);
        assert_int_equal(m.window, rows[i].window);
        assert_true(m.shared);
        assert_int_equal(m.some, rows[i].draws > 1 || rows[i].batch > 1);
        uint32_t window = m.window * (m.shares ? GR_GROUP_WARPS : 1);
        assert_int_equal(m.windows, rows[i].nodes > window ? GR_ANY : 0);
    }
}

/* How handlers go on: what a card has, and what a machine reads. */
static void test_jumps(void **state) {
    (void)state;
    const struct {
        uint32_t direct, fast, inputs, packed, function, expected;
    } rows[] = {{1, 1, 1, 0, GR_MUL, GR_DIRECT_WIDE}, {1, 1, 9, 0, GR_MUL, GR_DIRECT},
                {1, 1, 9, 0, GR_EXP, GR_DIRECT},      {1, 0, 9, 0, GR_EXP, GR_DIRECT_WIDE},
                {1, 0, 9, 0, GR_MUL, GR_DIRECT},      {1, 0, 9, 1, GR_WAND, GR_DIRECT_WIDE},
                {0, 1, 1, 0, GR_MUL, GR_BY_TABLE},    {0, 0, 9, 0, GR_EXP, GR_BY_TABLE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int table = 0; table < 2; table++) {
            const gr_device device = {132, 2048, 232448, 233472, rows[i].direct};
            gr_job job = {.fast = rows[i].fast};
            gr_machine m;
            job.params.genotype = GR_TREE;
            job.params.individuals = job.params.train_cases = 1000;
            job.params.train_chunks = 1;
            job.params.inputs = rows[i].inputs;
            job.params.packed = rows[i].packed;
            job.params.functions = 1;
            job.params.function[0] = (uint8_t)rows[i].function;
            if (table)
                setenv("GRAMPUS_JUMPS", "table", 1);
            gr_choose_machine(&job, &device, &m);
            if (m.direct != (table ? GR_BY_TABLE : rows[i].expected))
                fail_msg("row %zu: jumps by %u; expected %u", i, m.direct, rows[i].expected);
            job.params.doubles = !rows[i].packed;
            gr_choose_double_machine(&job, &device, &m);
            unsetenv("GRAMPUS_JUMPS");
            if (job.params.doubles)
                assert_int_equal(m.direct, table || !rows[i].direct ? GR_BY_TABLE : GR_DIRECT_WIDE);
        }
    for (uint32_t number = 0; number < GR_GENERALS; number++) {
        gr_machine m;
        gr_general_machine(number, &m);
        assert_int_equal(m.direct, GR_BY_TABLE); /* nobody mends them */
    }
}

/* Inputs in registers, or in pairs, have no room for a weight. */
static void test_weights(void **state) {
    (void)state;
    const gr_device device = {132, 2048, 232448, 233472, 1};
    for (uint32_t weighted = 0; weighted < 2; weighted++) {
        gr_job job = {.fast = 1};
        gr_machine m;
        job.params.genotype = GR_TREE;
        job.params.individuals = 1000;
        job.params.train_cases = job.params.train_chunks = 1;
        job.params.inputs = 2;
        job.params.functions = 1;
        job.params.function[0] = GR_ADD;
        job.params.weighted = job.params.index_mask = weighted;
        gr_choose_machine(&job, &device, &m);
        assert_int_equal(m.register_inputs, weighted ? 0 : 2);
        assert_int_equal(m.pairs, !weighted);
        assert_true(m.weighted == weighted && m.index_mask == weighted);
    }
}

static void test_long_runs_are_specialised(void **state) {
    (void)state;
    const gr_device table = {132, 2048, 232448, 233472, 0}, direct = {132, 2048, 232448, 233472, 1};
    gr_job job = {0};
    job.params.genotype = GR_TREE;
    job.params.functions = 2;
    job.params.function[0] = GR_ADD;
    job.params.function[1] = GR_MUL;
    job.params.individuals = 1000;
    job.params.train_cases = 1000;
    job.params.generations = 50;
    job.params.max_nodes = 200;
    assert_false(gr_specialising_pays(&job, &table));
    job.params.individuals = 100000;
    job.params.train_cases = 100000;
    assert_true(gr_specialising_pays(&job, &table));
    job.params.generations = 24; /* 7.5e12 evaluations: enough without elementary functions */
    assert_true(gr_specialising_pays(&job, &table));
    job.params.function[1] = GR_SIN; /* exact: 0.02 s by the table, 0.5 with direct jumps */
    assert_false(gr_specialising_pays(&job, &table));
    assert_true(gr_specialising_pays(&job, &direct));
    job.fast = 1;
    assert_false(gr_specialising_pays(&job, &table));
    job.params.packed = 1; /* 32 cases a word */
    job.params.generations = 2;
    assert_false(gr_specialising_pays(&job, &table));
}

/* Only where rows are cases, and all programs are evaluated on them; what fitting changes it keeps
 * anew. */
static void test_outputs_are_kept(void **state) {
    (void)state;
    gr_job job = {0};
    gr_params *p = &job.params;
    const gr_peers islands = {.members = 2}, cases = {.members = 2, .cases = 1},
                   population = {.members = 2, .individuals = 1};
    p->genotype = GR_TREE;
    p->functions = 1;
    p->function[0] = GR_SIN;
    p->train_cases = 1000;
    assert_false(gr_keeps_outputs(&job));
    p->lexicase_rows = 1000;
    assert_true(gr_keeps_outputs(&job));
#define SPOILS(field)                                                                              \
    field = 1;                                                                                     \
    assert_false(gr_keeps_outputs(&job));                                                          \
    field = 0;
    SPOILS(p->packed)
    SPOILS(p->once)
    SPOILS(p->sampling)
    SPOILS(p->objectives)
    SPOILS(job.fast)
    job.peers = &cases;
    assert_false(gr_keeps_outputs(&job));
    job.peers = &population;
    assert_false(gr_keeps_outputs(&job));
    job.peers = &islands;
    assert_true(gr_keeps_outputs(&job));
    p->optimise = GR_OPTIMISE_ALL;
    assert_true(gr_keeps_outputs(&job));
    p->function[0] = GR_ADD; /* the same in fast arithmetic */
    job.fast = 1;
    assert_true(gr_keeps_outputs(&job));
    p->lexicase_rows = 999;
    assert_false(gr_keeps_outputs(&job));
}

/* Where programs are few the block is a group that shares one, with the cases of one pass for each
 * of its warps, as often as a multiprocessor has room for; not where exact functions make code
 * long, one warp has all cases, the tile is too large, or other blocks are asked for, or a width
 * with which some warps have no cases: they read theirs behind the block's memory. */
static void test_shared(void **state) {
    (void)state;
    static const struct {
        uint8_t function;
        uint32_t fast, individuals, cases, inputs, warps, shares, width, asked;
    } rows[] = {{GR_EXP, 1, 1000, 1000, 1, 0, 1, 8, 0},  {GR_MUL, 0, 1000, 1000, 1, 0, 1, 8, 0},
                {GR_MUL, 0, 1, 1024, 1, 0, 1, 8, 0},     {GR_MUL, 0, 500, 4000, 1, 0, 1, 8, 0},
                {GR_EXP, 1, 1000, 512, 1, 0, 1, 4, 0},   {GR_EXP, 1, 1000, 513, 1, 0, 1, 8, 0},
                {GR_EXP, 1, 1000, 129, 1, 0, 1, 4, 0},   {GR_EXP, 1, 1000, 128, 1, 0, 0, 4, 0},
                {GR_EXP, 0, 1000, 1000, 1, 0, 0, 8, 0},  {GR_EXP, 1, 1000, 1000, 40, 0, 0, 8, 0},
                {GR_EXP, 1, 10000, 1000, 1, 0, 0, 8, 0}, {GR_EXP, 1, 1000, 1000, 1, 16, 0, 8, 0},
                {GR_MUL, 1, 700, 1000, 1, 0, 0, 32, 32}, {GR_MUL, 1, 700, 1000, 1, 0, 0, 16, 16},
                {GR_MUL, 1, 700, 1000, 1, 0, 1, 8, 8},   {GR_MUL, 1, 700, 1000, 1, 0, 1, 4, 4}};
    const gr_device device = {132, 2048, 232448, 233472, 1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gr_job job = {.fast = rows[i].fast, .warps = rows[i].warps, .width = rows[i].asked};
        gr_machine m;
        gr_work_split s;
        job.params = (gr_params){.genotype = GR_TREE,
                                 .functions = 1,
                                 .function = {rows[i].function},
                                 .individuals = rows[i].individuals,
                                 .max_nodes = 600,
                                 .inputs = rows[i].inputs,
                                 .train_chunks = (rows[i].cases + GR_CHUNK - 1) / GR_CHUNK,
                                 .train_cases = rows[i].cases};
        gr_choose_machine(&job, &device, &m);
        gr_choose_work_split(&job, &device, &m, &s);
        if (m.shares != rows[i].shares || m.width != rows[i].width)
            fail_msg("row %zu: shares %u, width %u", i, m.shares, m.width);
        assert_int_equal(s.together, rows[i].individuals < 10000);
        if (!m.shares)
            continue;
        size_t inputs = (rows[i].inputs + 1) * (size_t)GR_INPUT_BYTES,
               outputs = GR_INPUT_BYTES + GR_LANES * sizeof(uint32_t),
               programs = 4 * GR_BUFFER * GR_INSTRUCTION_BYTES(m.direct);
        assert_int_equal(m.threads, 128);
        assert_int_equal(s.programs, 1);
        assert_int_equal(s.shared, programs + outputs + inputs);
        assert_true(m.blocks * (s.shared + DECLARED + 1024) <=
                    device.shared_total);    /* the system's */
        assert_int_equal(m.windows, GR_ANY); /* 600 nodes may be more than 4 x 128 instructions */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_outputs_are_kept),
                                       cmocka_unit_test(test_tuner_fits),
                                       cmocka_unit_test(test_jumps),
                                       cmocka_unit_test(test_uneven),
                                       cmocka_unit_test(test_draws),
                                       cmocka_unit_test(test_shared),
                                       cmocka_unit_test(test_weights),
                                       cmocka_unit_test(test_doubles),
                                       cmocka_unit_test(test_abreast),
                                       cmocka_unit_test(test_double_tiles),
                                       cmocka_unit_test(test_items),
                                       cmocka_unit_test(test_long_runs_are_specialised)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
