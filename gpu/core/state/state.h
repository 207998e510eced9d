/* The whole state of a run as one struct of pointers into one arena; the same on both backends.
 *
 * A deme is one population: that of one island of one run, number run x islands + island. In a run
 * without islands it is the run. n = individuals (of all demes), d = demes (runs x islands).
 * Individual i of all has the place i % population in deme i / population. Generation g of
 * genotypes stands in buffer g & 1. */
#ifndef GR_STATE_H
#define GR_STATE_H

#include "gpu/core/base/params.h"
#include "gpu/core/mapping/mapping.h"
#include "gpu/core/program/linear.h"
#include "gpu/core/state/shapes.h"

typedef struct __attribute__((aligned(8))) gr_individual {
    uint32_t length;           /* codons of the genome, or nodes of the tree */
    uint32_t used;             /* codons the mapping took */
    uint32_t nodes;            /* of the expression; 0 when invalid */
    uint32_t derivation_nodes; /* of the derivation tree */
    uint32_t instructions;     /* of the linear program; 0: nothing to evaluate */
    uint32_t depth;            /* of the derivation tree, or of the tree */
    uint32_t validity;         /* gr_validity */
    uint32_t retries;          /* what a limit cost, see gr_add_retries */
} gr_individual;

/* Whether mutation may change a child. */
typedef enum gr_plan_kind {
    GR_PLAN_PLAIN,
    GR_PLAN_ELITE,   /* no: copied as it is */
    GR_PLAN_CROSSED, /* no: it comes from crossover, in a run that does one or the other */
} gr_plan_kind;

/* How a child is made: a[0, a0) + b[b0, b1) + a[a1, length of a), in codons or nodes. Every
 * crossover has this form. Aligned to be read at once. */
typedef struct __attribute__((aligned(16))) gr_plan {
    uint32_t a, b; /* individuals, counted over all runs */
    uint32_t a0, a1, b0, b1;
    uint32_t length;      /* of the child before mutation */
    uint16_t draws_again; /* what the cuts cost, see gr_plan_retries */
    uint8_t parent_kept;
    uint8_t kind; /* gr_plan_kind */
} gr_plan;

/* What limits cost a child, in one word: how often an operator was drawn again, and how many
 * operators were given up, so that the parent's part was kept. */
#define GR_RETRIES(draws, kept) ((uint32_t)(draws) | (uint32_t)(kept) << 16)
#define GR_RETRIES_DRAWS(retries) ((retries)&0xffffu)
#define GR_RETRIES_KEPT(retries) ((retries) >> 16)
GR_FN uint32_t gr_add_retries(uint32_t a, uint32_t b) {
    return GR_RETRIES(gr_min_u32(GR_RETRIES_DRAWS(a) + GR_RETRIES_DRAWS(b), 0xffffu),
                      gr_min_u32(GR_RETRIES_KEPT(a) + GR_RETRIES_KEPT(b), 0xffffu));
}
/* After `tries` draws of an operator, of which `t` broke a limit. */
GR_FN uint32_t gr_retries_after(uint32_t t, uint32_t tries) {
    return t < tries ? GR_RETRIES(t, 0) : GR_RETRIES(tries - 1, 1);
}

GR_FN uint32_t gr_plan_retries(gr_plan plan) {
    return GR_RETRIES(plan.draws_again, plan.parent_kept);
}

typedef enum gr_size_kind {
    GR_SIZE_LENGTH,
    GR_SIZE_USED,
    GR_SIZE_DEPTH,
    GR_SIZE_NODES,
    GR_SIZE_DERIVATION, /* nodes of the derivation tree */
    GR_SIZE_KINDS
} gr_size_kind;

/* Where a number that can be fitted stands in a genome (breeding/inherit.h). */
typedef struct __attribute__((aligned(8))) gr_codon_origin {
    uint32_t codon;  /* at which its leaf begins, counted from 0; GR_NO_CODON: before any */
    uint32_t number; /* the grammar's operand of the leaf */
} gr_codon_origin;
#define GR_NO_CODON 0xffffffffu

/* Statistics of some individuals of a deme. */
typedef struct gr_statistics {
    double cost_sum;   /* of finite costs */
    uint64_t best_key; /* gr_rank_key of (cost, index in the deme) */
    uint64_t sum[GR_SIZE_KINDS];
    uint32_t least[GR_SIZE_KINDS], most[GR_SIZE_KINDS];
    uint32_t finite;                      /* individuals with a finite cost */
    uint32_t draws_again, parents_kept;   /* see gr_add_retries */
    uint32_t validity[GR_VALIDITY_COUNT]; /* individuals by gr_validity */
} gr_statistics;

/* Statistics of a part of a deme; the last segment to come completes it (device). */
typedef struct gr_span {
    gr_statistics statistics;
    uint32_t segments_done;
} gr_span;

/* A deme between generations. */
typedef struct gr_deme {
    uint32_t active;          /* neither solved nor stagnating */
    uint32_t improved;        /* the best so far was replaced in the generation under way */
    uint32_t best_generation; /* when it was found */
    float best_cost, test_cost;
    double fit[2]; /* linear scaling of the best so far */
    /* constants fitted so far: programs tried, those that got better, node evaluations by case */
    uint64_t fits_tried, fits_better, fit_nodes;
    gr_individual best;
    /* search for the elites: keys with this prefix hold the border */
    uint64_t elite_prefix;
    uint32_t elite_left; /* elites still to be found below the border */
    uint32_t elite_done;
    uint32_t listed;       /* elites found so far (device) */
    uint32_t spans_done;   /* the last one to come finishes the deme (device) */
    float validation_cost; /* of the best so far, where there are cases for it */
    /* since it began anew: best cost and its generation; how often it did */
    float stretch_cost;
    uint32_t stretch_generation, restarts;
} gr_deme;

/* How different the individuals of a run are (diversity.h). */
typedef struct gr_diversity {
    uint64_t repeated;                         /* n log2(n) over all fitness values, in 2^-26 */
    uint32_t genotypes, phenotypes, fitnesses; /* different ones */
    uint32_t finite;                           /* individuals with a finite fitness */
    uint32_t children, copies;  /* bred ones, and those of them whose genotype is a parent's */
    uint32_t ever, ever_before; /* phenotypes of all generations so far, and of those before */
} gr_diversity;

/* What became of the children of a deme that has several objectives (pareto.h). */
typedef struct gr_replaced_by {
    uint64_t nodes;               /* of all children, which were evaluated */
    uint32_t first_front, fronts; /* survivors in the first front; fronts with survivors */
} gr_replaced_by;

/* Programs of a generation that were not evaluated again (once.h), and the nodes of their
 * expressions: equal to others of the generation, elites, known from earlier ones. */
typedef struct gr_spared {
    uint64_t nodes;
    uint32_t shared, kept, remembered, unused;
} gr_spared;

/* Phenotypes that a deme has had (breeding/known.h): entries of its table, mutations that
 * duplicates took since the start, and of the first deme how many are left by a round. */
typedef struct gr_known {
    uint64_t mutated;
    uint32_t entered, open[2], unused;
} gr_known;

/* One generation of one deme as the host sees it. */
typedef struct gr_record {
    uint32_t generation, deme;
    uint32_t written; /* 0: the deme had stopped before, and nothing else here is new */
    uint32_t improved;
    float best_cost;      /* of this generation */
    float best_ever_cost; /* so far, and its cost on the test cases */
    float test_cost;
    uint32_t best_index; /* of this generation's best in its deme */
    gr_individual best;  /* of this generation */
    gr_statistics statistics;
    gr_spared spared;
    uint64_t mutated_again;     /* gr_known.mutated; zero unless duplicates are mutated */
    gr_diversity diversity;     /* of the run; zero unless it is counted */
    gr_replaced_by replaced_by; /* zero unless there are several objectives */
} gr_record;
/* `written` of the island that has the best of its run so far; of others 1. */
enum { GR_WRITTEN_LEADING = 2 };

/* An individual on its way to another island, `slot` where it stood; once it has taken the place of
 * individual `slot`, the one that stood there. */
typedef struct __attribute__((aligned(8))) gr_migrant {
    gr_individual individual;
    float cost;
    uint32_t slot, taken, standing;
} gr_migrant;

/* Who may be in the archive of a deme, and who is (niches.h). */
typedef struct __attribute__((aligned(8))) gr_applicant {
    uint64_t key; /* of the behaviour; 0: nobody */
    float cost;
    uint32_t nodes, niche, entry;
} gr_applicant;
/* Candidates that behave alike: ~ the first rank, ~ the first number of that rank. */
typedef struct gr_alike {
    uint64_t key, rank, first;
} gr_alike;

/* How an individual comes by its sums (once.h); the instructions that are to run stand where they
 * do in a gr_individual, so that the evaluation can look here instead. */
typedef struct __attribute__((aligned(8))) gr_once {
    uint32_t source; /* GR_ONCE_SOURCE */
    uint32_t entry;  /* of the table, or GR_NOT_ENTERED */
    uint64_t key;    /* of the program; 0: nobody looked */
    uint32_t instructions, unused[3];
} gr_once;
typedef struct gr_once_entry {
    uint64_t key;           /* 0: none */
    uint32_t first, unused; /* ~ the lowest individual with it */
} gr_once_entry;
typedef struct gr_memory_slot {
    uint64_t key, claim;
    uint32_t length, stamp;
} gr_memory_slot;
/* Whether looking for equal programs pays: instructions that were spared and looked at, programs
 * looked at; the generation of the next look, and how long the last rest was. */
typedef struct gr_once_course {
    uint64_t spared, instructions, looked;
    uint32_t from, rest;
} gr_once_course;

/* How an island stands, for engines that have other islands of its run. */
typedef struct gr_standing {
    float judged, best_cost; /* its best so far: what it is judged by, and its cost */
    uint32_t best_generation, unused;
} gr_standing;

/* What of a record goes to the host. */
GR_BOTH uint32_t gr_record_bytes(const gr_params *p) {
    return (uint32_t)(p->objectives  ? sizeof(gr_record)
                      : p->diversity ? __builtin_offsetof(gr_record, replaced_by)
                                     : __builtin_offsetof(gr_record, diversity));
}

/* The loop over generations. */
typedef struct gr_loop {
    uint32_t next;     /* generation to be bred next */
    uint32_t epoch;    /* generations selected in this epoch */
    uint32_t finished; /* nothing is to be bred any more */
    uint32_t stop;     /* the host asked for it */
    uint32_t closed;   /* finished, and the last records are written */
    uint32_t going[2]; /* device, by generation & 1: some deme goes on behind it */
    uint64_t stamp;    /* device: when the phase under way began, and what those before took, in */
    uint64_t phase[4]; /* nanoseconds: selection, breeding, evaluation, fitting */
} gr_loop;

typedef struct gr_state {
    gr_params p;
    const uint32_t *grammar; /* tables; NULL on the device when they stand in constant memory */
    /* tiles: the target is the last row; words of 32 cases when packed */
    const float *train;         /* [train_chunks][inputs + 1][GR_CHUNK] */
    float *taken;               /* in a run on samples: train, where the sample is copied to */
    const float *whole;         /* and all cases, [whole_chunks][inputs + 1][GR_CHUNK] */
    uint32_t *sample_positives; /* [2] see sample.h */
    const float *test;          /* [test_chunks][inputs + 1][GR_CHUNK] */
    const struct gr_chunk_target *targets, *test_targets; /* [train_chunks], [test_chunks], with
                                                             linear scaling */
    uint32_t *genomes[2];                                 /* [n][genome_capacity], GE */
    uint32_t *branches[2]; /* [n][gr_branch_words], GE with operators on branches */
    gr_node *trees[2];     /* [n][max_nodes], tree GP */
    /* GE with constants fitted (fitting/fitting.h), else NULL: expressions of the generation bred
     * last, [n][max_nodes]; their constants and where these stand in the genomes, by buffer as
     * genomes and with rows for those in archives, [n][GR_FIT_CONSTANTS]; the constants of the best
     * so far of each deme */
    gr_node *expressions;
    float *constants[2], *best_constants;
    gr_codon_origin *origins[2];
    gr_individual *individuals[2]; /* [n] */
    gr_instruction *programs;      /* [n][max_nodes] */
    float *cost;                   /* [n] of the generation last evaluated */
    double *sums;                  /* [train_chunks][sums][n] */
    /* NULL unless class thresholds are fitted, see class_bins.h */
    uint32_t *class_bins;        /* [n][GR_CLASS_BINS][thresholds + 1] outputs by bin and class */
    float *fitted, *best_fitted; /* [n][thresholds], [d][thresholds] of the best so far */
    gr_plan *plans;              /* [n] */
    gr_statistics *segments;     /* [d][segments of a deme] */
    gr_span *spans;              /* [d][spans of a deme] */
    uint32_t *histogram;         /* [d][256] */
    uint64_t *elite_keys[2];     /* [d][elites] while they are sorted, in large demes */
    uint32_t *elites;            /* [d][elites], their indices, best first */
    /* only in runs that need them, see order.h and unique.h */
    float *selection_cost;         /* [n] what selection goes by instead of cost */
    struct gr_moments *moments;    /* [d][segments of a deme] */
    struct gr_pressure *pressures; /* [d] */
    uint64_t *keys[2];             /* [n] ordered inside the deme */
    /* only where there are cases that judge the best (validation.h); else `validating` is NULL */
    const gr_params *validating; /* the parameters, with those cases as set 1 */
    const float *validation;     /* [validation_chunks][inputs + 1][GR_CHUNK] */
    const struct gr_chunk_target *validation_targets; /* [validation_chunks], with linear scaling */
    double *validation_sums;                          /* [validation_chunks][sums][d] */
    /* only where selection looks at cases (lexicase.h); else `parents` is NULL. r = lexicase_rows
     */
    uint32_t *case_drawn;        /* [runs][lexicase_cases], where gr_draws_cases */
    float *own_errors;           /* [n][r] */
    float *case_errors;          /* [r][n] the same */
    uint64_t *behaviours;        /* [n] hash of them */
    uint64_t *case_keys[2];      /* [n] of all individuals: what they are sorted by, and sorted */
    uint32_t *case_order[2];     /* [n] their indices, and these in the order of the keys */
    uint32_t *case_stands;       /* [n] who of the deme stands for them (same_errors.h) */
    struct gr_same *case_same;   /* [n] for whom, of those who do */
    uint32_t *case_choosable;    /* [d][gr_pool_words] who may be chosen */
    uint32_t *case_different;    /* [d][gr_pool_words] and who of them stand for others */
    float *case_bars;            /* [r][d] */
    uint32_t *case_pools;        /* [r][d][gr_pool_words] */
    uint32_t *case_counts;       /* [r][d] */
    struct gr_marks *case_marks; /* [r][d] with semi-dynamic epsilon */
    struct gr_marked *case_near; /* [r][d][2][gr_near_most] */
    uint32_t *case_failed; /* [n][gr_failed_words] rows that an individual does not pass first */
    uint32_t *case_lists;  /* [r][d][gr_first_list_most] */
    uint32_t *case_parted; /* [r][d][gr_parting_words] */
    uint32_t *ways;        /* [gr_ways][gr_way_words] */
    uint32_t *parents;     /* [d][gr_lexicase_parents] index */
    /* only in runs with migration, see migration.h: of all islands of the runs [runs][all islands]
     * [migrants], genotype and branches of each, and the best of each island here in the generation
     * selected last */
    gr_migrant *migrants;
    uint32_t *migrant_words; /* ... [gr_migrant_words] */
    uint32_t *leaders;       /* [d] index */
    float *migrant_errors;   /* ... [lexicase_rows] */
    gr_standing *standings;  /* [runs][all islands]; NULL: all islands are here */
    /* only in runs of several objectives, see objectives.h and pareto.h; else `standing` is NULL. m
     * = p.objectives */
    const gr_params *other;        /* the parameters with the other metric */
    float *other_cost;             /* [n] by it */
    float *objectives[2];          /* [n][m] of those in place, and of their parents */
    uint32_t *standing;            /* [n] places in the order of rank and crowding, 0 the best */
    gr_replaced_by *replaced_by;   /* [d] */
    gr_instruction *kept_programs; /* [n][max_nodes] of the parents */
    double *kept_sums;             /* [train_chunks][sums][n] */
    uint32_t *pareto;              /* [GR_PARETO_ROWS][2 n] work memory */
    /* only in runs with an archive of niches, see niches.h; else `niches` is NULL. Genotypes,
     * branches and sizes of those in it stand behind those of the n individuals, [d][niches] */
    gr_applicant *niches;     /* [d][niches] of the generation last bred */
    gr_applicant *applicants; /* [n] */
    gr_alike *alike;          /* [d][gr_alike_entries] */
    uint64_t *niche_best;     /* [d][niches] */
    uint32_t *niche_list;     /* [d][1 + niches] how many are filled, and which */
    float *behaviour_cases;   /* [inputs + 1][GR_CHUNK], a tile of some training cases */
    /* only in runs of typed trees, see typed.h; else `types` is NULL */
    const uint32_t *types; /* tables */
    uint32_t *node_types;  /* [n + those in archives][max_nodes] of the generation selected last */
    const gr_node *seeds;  /* [seed_nodes], one tree after the other; GE: codons as heads */
    const uint32_t *seed_first; /* [seeds + 1] */
    uint32_t *attempts;         /* [n] first draws that were taken already, see gr_attempt */
    uint32_t *claims;           /* [d][entries of the table of expressions] */
    /* NULL unless diversity is counted, see diversity.h */
    gr_diversity *diversity; /* [d] of a run's first deme: of the generation evaluated last */
    uint64_t *found[3];      /* [runs][gr_diversity_entries] */
    uint32_t *found_count;   /* the same: individuals with the fitness */
    uint64_t *seen;          /* [runs][gr_seen_entries] phenotypes of all generations */
    const struct gr_text_hash *terminals; /* [terminals of the grammar], or of known.h */
    /* only where programs are evaluated once (once.h); else `once` is NULL */
    gr_once *once;                   /* [n] */
    gr_once_entry *entries;          /* [gr_once_entries] */
    double *elite_sums;              /* [gr_once_rows][d][elites] */
    gr_memory_slot *memory;          /* [gr_memory_slots], and their programs and sums */
    gr_instruction *memory_programs; /* [slots][max_nodes] */
    double *memory_sums;             /* [slots][gr_once_rows] */
    gr_spared *spared;               /* [d] of the generation under way */
    gr_once_course *course;
    gr_deme *demes;     /* [d] */
    gr_record *records; /* [d] of the generation under way */
    /* best so far of each deme */
    uint32_t *best_genomes;        /* [d][gr_genotype_words] */
    gr_instruction *best_programs; /* [d][max_nodes] */
    double *best_sums;             /* [test_chunks][sums][d] */
    gr_loop *loop;
    /* scratch of the lane groups */
    gr_node *scratch_nodes;  /* [groups][gr_scratch_nodes], see gr_group_scratch */
    uint32_t *scratch_words; /* the same of gr_scratch_words */
    uint32_t *depth_first;   /* [groups][gr_depth_first_words], see depth_first.h */
    uint32_t groups;
    /* only where duplicates are mutated (known.h); else `known` is NULL */
    gr_known *known;        /* [d] */
    uint64_t *known_keys;   /* [d][gr_known_entries] */
    uint64_t *known_claims; /* the same */
    uint32_t *known_at;     /* [n] entries of those in question */
} gr_state;

GR_FN uint32_t *gr_genome(const gr_state *s, uint32_t buffer, uint32_t i) {
    return s->genomes[buffer] + (size_t)i * s->p.genome_capacity;
}
GR_FN gr_nodes gr_tree(const gr_state *s, uint32_t buffer, uint32_t i) {
    gr_nodes nodes = {s->trees[buffer] + (size_t)i * s->p.max_nodes, 1};
    return nodes;
}
/* The nodes whose constants are fitted, of the generation bred last. */
GR_FN gr_nodes gr_fitted_tree(const gr_state *s, uint32_t generation, uint32_t i) {
    gr_nodes nodes = {s->expressions + (size_t)i * s->p.max_nodes, 1};
    return s->p.genotype == GR_TREE ? gr_tree(s, generation & 1, i) : nodes;
}
/* The words of a genotype that are in use, whatever it is. */
GR_FN uint32_t *gr_genotype_of(const gr_state *s, uint32_t buffer, uint32_t i) {
    return s->p.genotype == GR_TREE ? (uint32_t *)gr_tree(s, buffer, i).at
                                    : gr_genome(s, buffer, i);
}
GR_FN uint32_t gr_words_of(const gr_params *p, gr_individual individual) {
    return (p->genotype == GR_TREE ? 2 : 1) * individual.length;
}
/* Word k of an individual's heritage: its constants, then where they stand. */
GR_FN uint32_t *gr_heritage(const gr_state *s, uint32_t buffer, uint32_t i, uint32_t k) {
    size_t row = (size_t)i * GR_FIT_CONSTANTS;
    return k < GR_FIT_CONSTANTS
               ? (uint32_t *)(void *)(s->constants[buffer] + row) + k
               : (uint32_t *)(void *)(s->origins[buffer] + row) + (k - GR_FIT_CONSTANTS);
}
GR_FN gr_instruction *gr_program(const gr_state *s, uint32_t i) {
    return s->programs + (size_t)i * s->p.max_nodes;
}

/* A derivation of more nodes than the run allows is too large. */
GR_FN void gr_limit_derivation(const gr_params *p, gr_derivation *d) {
    if (d->validity == GR_VALID && p->max_derivation_nodes && d->nodes > p->max_derivation_nodes)
        d->validity = GR_TOO_LARGE;
}

/* Whether individual `index` of a deme is given (`seeds`), and where its nodes or codons stand. */
GR_FN uint32_t gr_is_given(const gr_params *p, uint32_t index) {
    return index < p->seeds || p->initialisation == GR_INIT_SEEDS;
}
typedef struct gr_seed_range {
    uint32_t first, count;
} gr_seed_range;
GR_FN gr_seed_range gr_seed_of(const gr_state *s, uint32_t index) {
    uint32_t number = index % s->p.seeds;
    gr_seed_range seed = {s->seed_first[number], s->seed_first[number + 1] - s->seed_first[number]};
    return seed;
}

/* Scratch of one lane group. */
typedef struct gr_scratch {
    const uint32_t *grammar; /* the tables, perhaps nearer than the state's */
    gr_nodes nodes;          /* gr_scratch_nodes */
    gr_words path;           /* gr_path_words */
    gr_words parser;         /* gr_parse_levels */
    gr_words locations;      /* gr_location_words: trees have types of nodes there, too */
    gr_words begins;         /* gr_scratch_nodes, where children inherit constants */
    uint32_t together;       /* whether all lanes of a warp have this one */
} gr_scratch;

/* On the device groups of one lane have their words interleaved, 32 groups together, so that the
 * lanes of a warp touch neighbours; all others have theirs in a row. Nodes stand in a row always:
 * lanes read them back from places of their own, where what was fetched with one is read next (GE,
 * H200: 630 M individuals a second in place of 602, of the grammar of classes 293 in place of 254;
 * with locations, too, no faster; with all words 602 and 268). */
GR_FN gr_scratch gr_group_scratch(const gr_state *s, uint32_t group, uint32_t width) {
#ifdef GR_HAS_WARPS
    uint32_t step = width == 1 ? GR_LANES : 1;
#else
    uint32_t step = 1;
    (void)width;
#endif
    uint32_t lane = group % step, nodes = gr_scratch_nodes(&s->p), words = gr_scratch_words(&s->p);
    gr_scratch scratch;
    scratch.together = width > 1;
    scratch.grammar = s->grammar;
    scratch.nodes.at = s->scratch_nodes + (size_t)group * nodes;
    scratch.nodes.step = 1;
    scratch.path.at = s->scratch_words + (size_t)(group - lane) * words + lane;
    scratch.parser.at = scratch.path.at + (size_t)gr_path_words(&s->p) * step;
    scratch.locations.at = scratch.parser.at + (size_t)gr_parse_levels(&s->p) * step;
    scratch.begins.at = scratch.locations.at + (size_t)gr_location_words(&s->p) * step;
    scratch.path.step = scratch.parser.step = scratch.locations.step = scratch.begins.step = step;
    return scratch;
}

#endif
