/* gpu/kernels/pareto.cu against host/cpu/pareto.c on the same state: everything that the stage
 * writes, in several generations, for demes of all sizes. `pareto_gpu N` times N individuals. */
#include "gpu/backend/arena.h"
#include "gpu/core/selection/pareto.h"
#include "gpu/kernels/stages.h"

extern "C" {
#include "host/cpu/team.h"
/* host/cpu/pareto.h, whose interpreters are not needed here */
void gr_cpu_rank_members(const gr_state *s, uint32_t generation, uint32_t deme);
void gr_cpu_replace_ranked(const gr_state *s, uint32_t generation, gr_team *team);
}

#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { FEW, MANY, CHAIN, SAME, COLUMNS, OPPOSED, STYLES };
enum { MOST_NODES = 64 }; /* with ranks by levels: of the styles that have no more */

static uint64_t dice = 1;
static uint32_t roll(uint32_t n) {
    uint64_t x = dice += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return (uint32_t)(((x ^ x >> 31) >> 32) * n >> 32);
}

/* Error (a sum), nodes and depth of an individual. */
static void draw(uint32_t style, uint32_t i, double *error, gr_individual *of) {
    uint32_t a = roll(1000000), b = 1 + roll(60), c = 1 + roll(17);
    if (style == FEW)
        a = roll(9), b = 1 + roll(6), c = 1 + roll(3);
    if (style == CHAIN)
        a = b = c = 1 + i / 3;
    if (style == SAME)
        a = b = c = 7;
    if (style == COLUMNS)
        b = 1 + i / 4000, a = i % 4000 + roll(5);
    if (style == OPPOSED)
        a = i / 2, b = 1000000 - i / 2;
    *error = style == FEW && roll(10) == 0 ? (double)INFINITY : (double)a;
    of->nodes = of->derivation_nodes = b;
    of->depth = c;
    of->length = of->instructions = 1;
    of->retries = 3;
}

/* ---- two states of the same ---- */

typedef struct side {
    char *memory;
    gr_state s;
    void *more; /* device */
} side;

static void fail(const char *what) {
    printf("not ok - %s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
    exit(1);
}

static gr_arena plan(const gr_params *p, gr_job *job) {
    gr_arena arena;
    memset(job, 0, sizeof *job);
    job->params = *p;
    job->epoch = 1;
    gr_arena_plan(&arena, job, GR_LANES);
    return arena;
}

static side open_side(const gr_params *p, int device) {
    side one = {};
    gr_job job;
    gr_arena arena = plan(p, &job);
    if (cudaMallocManaged((void **)&one.memory, arena.bytes) != cudaSuccess ||
        (device && cudaMalloc(&one.more, gr_replace_bytes(p)) != cudaSuccess))
        fail("memory");
    memset(one.memory, 0x5a, arena.bytes);
    gr_arena_bind(&arena, &job, GR_LANES, one.memory, &one.s);
    memset(one.s.loop, 0, sizeof *one.s.loop);
    memset(one.s.demes, 0, gr_demes(p) * sizeof *one.s.demes);
    memset(one.s.replaced_by, 0, gr_demes(p) * sizeof *one.s.replaced_by);
    for (uint32_t d = 0; d < gr_demes(p); d++)
        one.s.demes[d].active = 1;
    return one;
}

static void close_side(side *one) {
    cudaFree(one->memory);
    cudaFree(one->more);
}

/* Children of a generation, alike on both sides; their genotypes and programs tell who they are. */
static void breed(const gr_state *a, const gr_state *b, uint32_t generation, uint32_t style) {
    const gr_params *p = &a->p;
    uint32_t buffer = generation & 1;
    for (uint32_t i = 0; i < p->individuals; i++) {
        gr_individual one = {};
        double error;
        draw(style, i, &error, &one);
        if (!a->demes[i / p->population].active) {
            error = 0.0;
            memset(&one, 0, sizeof one);
        }
        for (int n = 0; n < 2; n++) {
            const gr_state *s = n ? b : a;
            uint32_t who = 1000000 * generation + i;
            s->individuals[buffer][i] = one;
            s->sums[i] = error;
            s->trees[buffer][(size_t)i * p->max_nodes].head = 1;
            s->trees[buffer][(size_t)i * p->max_nodes].operand = who;
            s->programs[(size_t)i * p->max_nodes].code = GR_H_LOAD_CONSTANT;
            s->programs[(size_t)i * p->max_nodes].operand = who;
            s->plans[i] = gr_plan{};
        }
    }
}

static int same(const char *name, const char *what, const void *a, const void *b, size_t element,
                size_t count) {
    const char *x = (const char *)a, *y = (const char *)b;
    for (size_t i = 0; i < count; i++)
        if (memcmp(x + i * element, y + i * element, element) != 0) {
            printf("not ok - %s: %s of %zu differs\n", name, what, i);
            return 0;
        }
    return 1;
}

static int agree(const char *name, const gr_state *a, const gr_state *b, uint32_t generation) {
    const gr_params *p = &a->p;
    size_t n = p->individuals, words = p->max_nodes;
    uint32_t buffer = generation & 1;
    for (uint32_t d = 0; d < gr_demes(p); d++)
        for (uint32_t m = 0; a->demes[d].active && m < gr_pareto_members(p, generation); m++) {
            static const gr_pareto_row rows[] = {GR_PARETO_RANK, GR_PARETO_CROWDING,
                                                 GR_PARETO_PLACE};
            static const char *const names[] = {"rank", "crowding", "place"};
            for (int k = 0; k < 3; k++) {
                uint32_t x = a->pareto[2 * ((size_t)rows[k] * n + (size_t)d * p->population) + m],
                         y = b->pareto[2 * ((size_t)rows[k] * n + (size_t)d * p->population) + m];
                if (x != y) {
                    printf("not ok - %s: generation %u, deme %u, member %u: %s %u, the CPU %u\n",
                           name, generation, d, m, names[k], y, x);
                    return 0;
                }
            }
        }
    return same(name, "standing", a->standing, b->standing, 4, n) &&
           same(name, "individual", a->individuals[buffer], b->individuals[buffer],
                sizeof(gr_individual), n) &&
           same(name, "sum", a->sums, b->sums, 8, n) &&
           same(name, "kept sum", a->kept_sums, b->kept_sums, 8, n) &&
           same(name, "tree", a->trees[buffer], b->trees[buffer], words * sizeof(gr_node), n) &&
           same(name, "program", a->programs, b->programs, words * sizeof(gr_instruction), n) &&
           same(name, "kept program", a->kept_programs, b->kept_programs,
                words * sizeof(gr_instruction), n) &&
           same(name, "plan", a->plans, b->plans, sizeof(gr_plan), n) &&
           same(name, "objectives", a->objectives[1], b->objectives[1], 4 * p->objectives, n) &&
           same(name, "what is told", a->replaced_by, b->replaced_by, sizeof *a->replaced_by,
                gr_demes(p));
}

/* ---- trials ---- */

/* `levels`: the second objective is told to have few values. */
static gr_params params_of(uint32_t runs, uint32_t population, uint32_t objectives, int levels) {
    gr_params p = {};
    p.runs = runs;
    p.islands = 1;
    p.population = population;
    p.individuals = runs * population;
    p.genotype = GR_TREE;
    p.max_nodes = levels ? MOST_NODES : 2;
    p.max_tree_depth = 2;
    p.metric = GR_METRIC_SAE;
    p.inputs = p.train_cases = p.train_chunks = p.sums = 1;
    p.selection = GR_SELECT_NSGA2;
    p.objectives = objectives;
    p.objective[0] = GR_OBJECTIVE_ERROR;
    p.objective[1] = levels ? GR_OBJECTIVE_NODES : GR_OBJECTIVE_DERIVATION_NODES;
    p.objective[2] = GR_OBJECTIVE_DEPTH;
    p.other_shares = 1;
    return p;
}

/* What the CPU does besides ordering: the objectives. */
static void cpu_stage(const gr_state *s, uint32_t generation, gr_team *team) {
    for (uint32_t i = 0; i < s->p.individuals; i++) {
        const gr_individual *one = &s->individuals[generation & 1][i];
        float value[3] = {(float)s->sums[i], (float)one->nodes, (float)one->depth};
        int finite = one->instructions && s->sums[i] < (double)INFINITY;
        for (uint32_t k = 0; s->demes[i / s->p.population].active && k < s->p.objectives; k++)
            s->objectives[0][(size_t)i * s->p.objectives + k] = finite ? value[k] : INFINITY;
    }
    gr_cpu_replace_ranked(s, generation, team);
}

static int multiprocessors(void) {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
        fail("device");
    return properties.multiProcessorCount;
}

static int try_one(uint32_t runs, uint32_t population, uint32_t objectives, uint32_t style,
                   int levels) {
    gr_params p = params_of(runs, population, objectives, levels);
    side cpu = open_side(&p, 0), gpu = open_side(&p, 1);
    gr_team *team = gr_team_open(4);
    char name[96];
    int good = 1;
    snprintf(name, sizeof name, "%u runs of %u, %u objectives, style %u%s", runs, population,
             objectives, style, levels ? ", levels" : "");
    for (uint32_t g = 0; good && g < 4; g++) {
        if (g == 3 && runs > 1)
            cpu.s.demes[0].active = gpu.s.demes[0].active = 0;
        breed(&cpu.s, &gpu.s, g, style);
        gpu.s.loop->next = g + 1;
        cpu_stage(&cpu.s, g, team);
        if (gr_launch_replace(&gpu.s, gpu.more, multiprocessors(), 0) != cudaSuccess ||
            cudaDeviceSynchronize() != cudaSuccess)
            fail(name);
        good = agree(name, &cpu.s, &gpu.s, g);
    }
    if (good)
        printf("ok - %s\n", name);
    gr_team_close(team);
    close_side(&cpu);
    close_side(&gpu);
    return good;
}

/* Milliseconds of the whole stage, and of the order alone, of n individuals and their parents. */
static void measure(uint32_t n, uint32_t objectives, uint32_t style, int levels) {
    gr_params p = params_of(1, n, objectives, levels);
    side gpu = open_side(&p, 1);
    cudaEvent_t begin, end;
    float least = 1e30f;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (uint32_t g = 0; g < 6; g++) {
        float ms = 0.0f;
        breed(&gpu.s, &gpu.s, g, style);
        gpu.s.loop->next = g + 1;
        gr_job job;
        gr_arena arena = plan(&p, &job);
        cudaMemLocation where = {cudaMemLocationTypeDevice, 0};
        cudaMemPrefetchAsync(gpu.memory, arena.bytes, where, 0, 0);
        cudaDeviceSynchronize();
        cudaEventRecord(begin);
        if (gr_launch_replace(&gpu.s, gpu.more, multiprocessors(), 0) != cudaSuccess)
            fail("measuring");
        cudaEventRecord(end);
        if (cudaEventSynchronize(end) != cudaSuccess)
            fail("measuring");
        cudaEventElapsedTime(&ms, begin, end);
        least = g && ms < least ? ms : least;
    }
    printf("# %u individuals and as many parents, %u objectives, style %u%s: %.3f ms, fronts %u\n",
           n, objectives, style, levels ? ", levels" : "", least, gpu.s.replaced_by[0].fronts);
    close_side(&gpu);
}

/* Styles whose second objective is at most MOST_NODES. */
static int has_levels(uint32_t style, uint32_t population) {
    return style == FEW || style == MANY || style == SAME ||
           (style == COLUMNS && population <= 4000 * MOST_NODES);
}

static int try_styles(uint32_t runs, uint32_t population) {
    int failed = 0;
    for (uint32_t style = 0; style < STYLES; style++) {
        for (uint32_t objectives = 2; objectives <= 3; objectives++)
            failed += !try_one(runs, population, objectives, style, 0);
        if (has_levels(style, population))
            failed += !try_one(runs, population, 2, style, 1);
    }
    return failed;
}

int main(int count, char **argument) {
    static const uint32_t runs[] = {1, 1, 1, 3, 1, 200, 1, 1, 7, 1},
                          population[] = {1, 2, 33, 100, 1000, 32, 5000, 60000, 20011, 280000};
    int failed = 0;
    for (int k = 1; k < count; k++)
        for (uint32_t style = 0; style < STYLES; style++) {
            uint32_t n = (uint32_t)atoi(argument[k]);
            measure(n, 2, style, 0);
            if (has_levels(style, n))
                measure(n, 2, style, 1);
        }
    if (count > 1)
        measure(100000, 3, MANY, 0);
    for (uint32_t k = 0; count == 1 && k < sizeof runs / sizeof *runs; k++)
        if (population[k] < 100000)
            failed += try_styles(runs[k], population[k]);
        else /* stretches of 16 members a thread */
            failed += !try_one(runs[k], population[k], 2, MANY, 1);
    return failed > 0;
}
