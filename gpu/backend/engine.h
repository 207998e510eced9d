/* The face of a backend. Both backends run the same core over the same state
 * (gpu/core/state/state.h); a backend owns one arena, takes the data once and hands back records of
 * generations, and at the end what is asked for.
 *
 * An engine is used by one thread; gr_engine_stop may be called from any thread or a signal
 * handler. */
#ifndef GRAMPUS_ENGINE_H
#define GRAMPUS_ENGINE_H

#include "gpu/backend/error.h"
#include "gpu/backend/opening.h"
#include "gpu/core/base/params.h"
#include "gpu/core/program/node.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a run needs, in host memory; borrowed until open returns. Letters of shapes: n = individuals
 * of all runs, demes = runs x islands (gr_demes in gpu/core/state/state.h). */
typedef struct gr_job {
    gr_params params;
    const uint32_t
        *grammar; /* [grammar_words] tables of gpu/core/mapping/grammar.h, NULL for trees */
    uint32_t grammar_words;
    const uint32_t *types; /* [type_words] tables of gpu/core/genotype/typed.h; NULL: not typed */
    uint32_t type_words;
    const gr_node *seeds; /* [seed_nodes] given trees, one after the other (GE: codons as heads) */
    const uint32_t *seed_first;           /* [seeds + 1] where each begins; both NULL without */
    const struct gr_text_hash *terminals; /* [terminal_count] of the grammar's; NULL: not counted */
    uint32_t terminal_count;
    const float *train, *test; /* tiles [chunks][inputs + 1][GR_CHUNK], the target last, words of
                                  32 cases when packed (train: gr_chunks_of_job); test NULL without
                                  test cases */
    const struct gr_chunk_target *targets; /* [train_chunks + test_chunks]; NULL: no scaling */
    /* Cases that judge the best, where there are any: the parameters with them as test cases, tiles
     * and, with scaling, targets [validation_chunks]. */
    const gr_params *validating;
    const float *validation;
    const struct gr_chunk_target *validation_targets;
    const gr_params *other; /* with another metric, an objective that needs sums of its own; NULL */
    uint32_t fast;          /* math: fast */
    uint32_t epoch;         /* generations between visits of the host */
    uint32_t graph;         /* 0: plain stream loop instead of a graph (device only) */
    uint32_t threads;       /* CPU threads, 0: chosen */
    /* Device: cases a lane (4, 8, 16, 32), warps a block, chunks a tile; 0: chosen. No result
     * depends on them. */
    uint32_t width, warps, tile;
    uint32_t specialise; /* gr_specialising */
    uint32_t card;       /* device: which of those that are visible */
    const struct gr_peers
        *peers; /* who has the rest of the runs' islands, cases or individuals; NULL: nobody */
    uint32_t spread_cases;      /* engines that it is spread over have shares of its cases */
    uint32_t spread_population; /* or of its individuals */
    uint32_t spread_memory;     /* of individuals: devices have memory for their own alone */
} gr_job;

/* Whether the interpreter is compiled for the run: when it pays, always, or never (the one for all
 * operations that the program carries). */
typedef enum gr_specialising {
    GR_SPECIALISE_AUTO,
    GR_SPECIALISE_ALWAYS,
    GR_SPECIALISE_NEVER
} gr_specialising;

typedef struct gr_engine gr_engine;
struct gr_snapshot;
struct gr_state;
struct gr_record;

/* Parts of the state that can be read between epochs, by the name of their field in gr_state. */
typedef enum gr_section {
    GR_SECTION_DEMES,        /* gr_deme [demes] */
    GR_SECTION_BEST_GENOMES, /* codons [demes][genome_capacity], or gr_node [demes][max_nodes] */
    GR_SECTION_INDIVIDUALS,  /* gr_individual [n] of the generation last bred, as the next three */
    GR_SECTION_GENOTYPES,    /* codons [n][genome_capacity], or gr_node [n][max_nodes] */
    GR_SECTION_PROGRAMS,     /* gr_instruction [n][max_nodes] */
    GR_SECTION_PLANS,        /* gr_plan [n] */
    GR_SECTION_COSTS, /* float [n] of the generation last selected; behind a snapshot of a run that
                         goes on, of the one last bred */
    GR_SECTION_RECORDS,   /* gr_record [demes] of it */
    GR_SECTION_BRANCHES,  /* words [n][gr_branch_words] of the generation last bred */
    GR_SECTION_SEEN,      /* uint64_t [runs][gr_seen_entries], the same of all generations */
    GR_SECTION_DIVERSITY, /* gr_diversity [demes] of the generation last bred, where it is counted
                           */
    /* where duplicates are mutated: gr_known [demes], and keys and claims [demes][gr_known_entries]
     * of the phenotypes of all generations */
    GR_SECTION_KNOWN,
    GR_SECTION_KNOWN_KEYS,
    GR_SECTION_KNOWN_CLAIMS,
    GR_SECTION_OBJECTIVES,  /* float [n][objectives] of the generation last bred, as the next two */
    GR_SECTION_STANDING,    /* uint32_t [n], runs of several objectives */
    GR_SECTION_REPLACED_BY, /* gr_replaced_by [demes] */
    /* gr_individual [n] and codons or nodes [n] of the generation last selected, while another one
     * has been bred */
    GR_SECTION_SELECTED_INDIVIDUALS,
    GR_SECTION_SELECTED_GENOTYPES,
    /* float [n] of the generation last bred and [demes], of GR_FIT_CONSTANTS each: fitted constants
     * of GE, in the order of the expression; NaN: the grammar's */
    GR_SECTION_CONSTANTS,
    GR_SECTION_BEST_CONSTANTS,
    GR_SECTION_SELECTED_CONSTANTS, /* the first of the generation last selected */
    GR_SECTION_ORIGINS, /* gr_codon_origin [n][GR_FIT_CONSTANTS], where children inherit constants
                         */
    /* archives of niches [demes][niches]: gr_applicant, gr_individual, codons or nodes, branches,
     * constants and their origins, of the generation last bred */
    GR_SECTION_NICHES,
    GR_SECTION_NICHE_INDIVIDUALS,
    GR_SECTION_NICHE_GENOTYPES,
    GR_SECTION_NICHE_BRANCHES,
    GR_SECTION_NICHE_CONSTANTS,
    GR_SECTION_NICHE_ORIGINS,
    GR_SECTION_COUNT
} gr_section;

/* What a generation consists of. */
typedef enum gr_phase {
    GR_PHASE_SELECT,
    GR_PHASE_BREED,
    GR_PHASE_EVALUATE,
    GR_PHASE_FIT,  /* of a run that asks for it: constants */
    GR_PHASE_RANK, /* of a run on samples: the last generation once more, on all cases */
    GR_PHASES
} gr_phase;

/* Host-device traffic in bytes and time in seconds since the engine was opened. */
typedef struct gr_traffic {
    uint64_t uploaded;       /* data, tables and settings, before the run */
    uint64_t telemetry;      /* records and control words during the run */
    uint64_t downloaded;     /* by read */
    uint64_t checkpoints;    /* by snapshot */
    uint64_t exchanged;      /* given to other engines, by devices without the host */
    double seconds;          /* in advance */
    double phase[GR_PHASES]; /* seconds of the run by phase, measured on the device (RANK and the
                              * CPU: by clock) */
} gr_traffic;

typedef struct gr_engine_report {
    char device[128];      /* "NVIDIA H200", "CPU, 2 threads, AVX2" */
    char memory[1024];     /* the memory plan, one line */
    char interpreter[128]; /* what was chosen to evaluate with; "" where there is no choice */
    /* Bytes taken: the arena, which is all of a device's memory but for snapshots; host memory
     * beside it (what a device writes records to; of a CPU the engine and its team); by snapshots
     * so far, in host memory and on the device; and what the largest one would take, in each. */
    size_t bytes, host, staging, staging_device, snapshot;
    double issue_rate; /* measured limit of the device, lane instructions a second; 0: unknown */
    double opening[GR_OPENINGS]; /* seconds before the first generation; zeros on the CPU */
} gr_engine_report;

typedef struct gr_backend {
    const char *name;
    /* Whether it can be used here; a line about the device or about why not. */
    int (*available)(char *line, size_t size);
    /* Plans the arena, refuses with GR_NO_MEMORY and the numbers, uploads; GR_DEVICE_FAILED when
     * the device does not take it. Nothing is bred yet, so that the plan can be shown first. */
    gr_status (*open)(const gr_job *job, gr_engine **engine, gr_error *error);
    /* The first call breeds generation 0. Selects and breeds for up to `epoch` generations.
     * *records[generations][demes] stay valid until the next call; *finished once nothing is left
     * to do. `tick` (may be NULL) is called now and then with the number of generations done in
     * this epoch; if *records is set by then, theirs can be read but for the last `behind`.
     * GR_DEVICE_FAILED: the engine can only be closed any more. */
    gr_status (*advance)(gr_engine *engine, void (*tick)(void *context, uint32_t generations),
                         void *context, const struct gr_record **records, uint32_t *generations,
                         int *finished, gr_error *error);
    /* From now on an epoch has at most so many generations, and no more than the job says; one that
     * is under way too where `tick` is called behind every few generations (the CPU). By the thread
     * that advances, also in a tick. No result depends on it. */
    void (*limit)(gr_engine *engine, uint32_t generations);
    /* Of a run on samples that is finished: its last generation once more, on all cases. */
    gr_status (*rank)(gr_engine *engine, gr_error *error);
    /* Ends the run, from any thread or a signal handler: with the next generation that is selected,
     * or the last one that was where one under way can be given up. That may be none. */
    void (*stop)(gr_engine *engine);
    /* Copies the first `size` bytes of a section, as the arrays of gr_state lie in memory;
     * GR_FAILED when it is shorter. */
    gr_status (*read)(gr_engine *engine, gr_section section, void *to, size_t size,
                      gr_error *error);
    /* The same from a byte of the section on. */
    gr_status (*read_at)(gr_engine *engine, gr_section section, size_t offset, void *to,
                         size_t size, gr_error *error);
    /* Puts trees in place of the generation last bred (tree genotype): nodes [n][max_nodes],
     * lengths [n]; annotates heights, compiles. */
    gr_status (*load)(gr_engine *engine, const gr_node *trees, const uint32_t *lengths,
                      gr_error *error);
    /* Repeats one phase of the generation last bred without changing the run; seconds[repeats].
     * flush: the cache (L2) is overwritten before each repeat. Only BREED and EVALUATE. After
     * EVALUATE, `costs` reads the costs of that generation. Ends the records of `advance`; a run
     * that has ended cannot breed. */
    gr_status (*measure)(gr_engine *engine, gr_phase phase, uint32_t repeats, int flush,
                         double *seconds, gr_error *error);
    /* Between epochs, before `rank`: begins to copy what a run goes on from (snapshot.h) while the
     * engine can go on; complete after `await_snapshot`, which any thread may call. The memory
     * stays the engine's until the next one. */
    gr_status (*snapshot)(gr_engine *engine, struct gr_snapshot *snapshot, gr_error *error);
    gr_status (*await_snapshot)(gr_engine *engine, gr_error *error);
    /* Takes a snapshot up again, also one of the other backend where no part is packed; before the
     * first `advance`. If its run had ended and goes on, the first generation selected is the one
     * selected before. */
    gr_status (*restore)(gr_engine *engine, const struct gr_snapshot *snapshot, gr_error *error);
    void (*report)(const gr_engine *engine, gr_engine_report *report, gr_traffic *traffic);
    void (*close)(gr_engine *engine);
    /* Generations that a tick tells of whose records may still be on their way; what is read early
     * is for showing. */
    uint32_t behind;
} gr_backend;

extern const gr_backend gr_backend_cpu;
#ifdef GRAMPUS_CUDA
extern const gr_backend gr_backend_cuda;
#endif

#ifdef __cplusplus
}
#endif

#endif
