/* grampus bench, its parts: the rows (rows.c), random trees of a wanted size (trees.c),
 * measuring a row (measure.c), whether its answers are right (answers.c), energy
 * (energy.c), table and JSON (report.c), rate over population and cases
 * (surface.c), whole processes (wall.c), growth with the work (scale.c), pictures by gnuplot
 * (picture.c). */
#ifndef GRAMPUS_BENCH_H
#define GRAMPUS_BENCH_H

#include "gpu/backend/engine.h"
#include "gpu/core/base/rng.h"
#include "gpu/core/state/state.h"
#include "host/bench/verify.h"
#include "host/problem/job.h"

#include <cjson/cJSON.h>
#include <stdio.h>

typedef enum gr_suite {
    GR_SUITE_EVAL,
    GR_SUITE_GENERATION,
    GR_SUITE_BREED,
    GR_SUITE_CPU,
    GR_SUITE_PAPERS,
    GR_SUITE_SEARCH,
    GR_SUITE_SURFACE, /* from here on: only where they are named, and measured otherwise */
    GR_SUITE_WALL,
    GR_SUITE_SCALE,
    GR_SUITES
} gr_suite;

/* What a row repeats. */
typedef enum gr_bench_work {
    GR_BENCH_RANDOM,  /* evaluation of random trees */
    GR_BENCH_EVOLVED, /* evaluation of the last generation of a run */
    GR_BENCH_RUN,     /* whole runs */
    GR_BENCH_BREED    /* breeding of a generation: crossover, mutation, mapping, compilation */
} gr_bench_work;

/* What its figure counts; targets and papers' figures are in the same unit. */
typedef enum gr_bench_unit {
    GR_UNIT_GPOPS,      /* 10^9 nodes x cases a second */
    GR_UNIT_GENERATION, /* seconds a generation */
    GR_UNIT_SECONDS,    /* seconds a run or batch of runs */
    GR_UNIT_INDIVIDUALS /* individuals a second */
} gr_bench_unit;

typedef struct gr_bench_row {
    const char *name;
    gr_suite suite;
    gr_bench_work work;
    gr_bench_unit unit;
    uint32_t least, most;    /* RANDOM: nodes of a tree are drawn from here, each size as often */
    uint32_t large, one_in;  /* but one tree in so many, at random indices, has `large`; 0: none */
    const char *settings;    /* a run file */
    const char *grammar;     /* its grammar's text, or NULL */
    uint32_t table;          /* not 0: so many cases of SEXTIC come from a file, `data` */
    double at_least, beyond; /* targets; 0: none */
    double paper;            /* a paper's own figure; 0: none */
    const char *source;      /* which paper, where, and what on */
} gr_bench_row;

extern const gr_bench_row gr_bench_rows[];
extern const int gr_bench_row_count;
extern const char gr_quartic_grammar[];                 /* of Pospichal and others */
extern const char *const gr_suite_names[GR_SUITES + 1]; /* ended by NULL */

typedef struct gr_bench_options {
    uint32_t device, threads, repeats; /* device as in settings.h */
    int quick, json;
    const char *row;            /* only this row; NULL: all */
    uint32_t population, cases; /* instead of the row's; 0: as it says (surface.c) */
    double sizes;               /* node evaluations a repeat may take; 0: as the device can */
} gr_bench_options;

/* Sizes a row has, and had before they were reduced. */
typedef struct gr_bench_sizes {
    uint32_t runs, population, cases, generations;
} gr_bench_sizes;

typedef struct gr_bench_result {
    const gr_bench_row *row;
    char device[128], math[8], functions[128];
    uint32_t inputs, packed;
    gr_bench_sizes asked, sizes; /* asked: as the row says */
    int on_cpu;
    uint32_t repeats;
    double median, least, most; /* seconds */
    double opened;              /* RUN: seconds to open the engine, median */
    double generations;         /* evaluated in a repeat */
    double nodes;               /* evaluated in a repeat, each once for all cases */
    double programs;            /* evaluated or bred in a repeat */
    double codons;              /* BREED: that the mapping took */
    double phase[GR_PHASES];    /* seconds of a repeat; NaN: not measured */
    double bytes;       /* RANDOM, EVOLVED: least traffic with memory of a repeat; 0: unknown */
    double transferred; /* RUN: between host and device in a repeat, while it ran */
    double issue_rate;  /* 0: unknown */
    double joules;      /* a repeat; NaN: unknown */
    double tolerance;   /* of the answers; 0: exact */
    gr_verdict verdict;
    gr_answers answers;
} gr_bench_result;

/* Figures that follow. 0 where there is none. */
double gr_bench_gpops(const gr_bench_result *r);
double gr_bench_figure(const gr_bench_result *r); /* in the row's unit */
/* Percent of the device's issue limit: a node over 32 cases a word is one instruction of a lane, as
 * it is over one case of a float. */
double gr_bench_issue(const gr_bench_result *r);
/* Is the figure at least as good as `wanted`, in the row's unit? */
int gr_bench_reaches(const gr_bench_result *r, double wanted);

gr_status gr_bench_measure(const gr_bench_row *row, const gr_bench_options *options,
                           gr_bench_result *result, gr_error *error);

/* ---- answers ---- */

/* A population as a backend tells it, with the costs it computed. */
typedef struct gr_bench_population {
    const gr_problem *problem;
    const gr_individual *individuals;
    const void *genotypes; /* as GR_SECTION_GENOTYPES */
    const float *costs;
} gr_bench_population;

/* Compares a sample of the costs with the reference; `effort`: node evaluations that may take, but
 * a few programs are always looked at. Needs result->tolerance, fills in verdict and answers. */
gr_status gr_bench_check(const gr_bench_population *population, double effort,
                         gr_bench_result *result, gr_error *error);

/* ---- random trees ---- */

/* A tree of about `size` nodes, in nodes[0, result), of capacity size + 2: exactly that many where
 * the arities allow it, else one or two more. Luke's PTC2: functions go to operands drawn among all
 * that are open, until enough nodes are promised; leaves fill the rest. */
uint32_t gr_tree_of_size(const gr_params *p, gr_random *random, uint32_t size, gr_node *nodes);
enum { GR_MOST_TREE = 1024 };
/* Trees for a whole population, of the sizes the row says: nodes [individuals][max_nodes], lengths
 * [individuals]. */
void gr_random_trees(const gr_params *p, const gr_bench_row *row, gr_node *nodes,
                     uint32_t *lengths);

/* ---- energy ---- */

/* Joules the CUDA device has used since some moment, by NVML; NaN without it. */
double gr_energy(void);
void gr_energy_close(void);

/* ---- reporting ---- */

void gr_bench_print_head(gr_suite suite, FILE *out);
void gr_bench_print(const gr_bench_result *r, FILE *out);
cJSON *gr_bench_json(const gr_bench_result *r);

/* ---- surface ---- */

/* Rate over population x cases. Prints a table unless options->json, adds an object for every cell
 * to `rows`, draws `picture` (may be NULL; SVG or PNG by its ending) from a gnuplot script with the
 * rates that it leaves beside it, NAME.gp; without gnuplot it fails then. *wrong counts cells whose
 * answers differ. */
gr_status gr_bench_surface(const gr_bench_options *options, const char *picture, cJSON *rows,
                           int *wrong, gr_error *error);

/* ---- wall clock ---- */

/* Seconds of whole processes, from the command to the prompt, with an empty cache folder and a
 * filled one. Prints a table unless options->json, adds an object for every row. */
gr_status gr_bench_wall(const gr_bench_options *options, cJSON *rows, int *wrong, gr_error *error);
/* Names of its rows, by index; NULL behind the last. */
const char *gr_wall_row(int index);

/* ---- growth ---- */

/* Seconds of a generation over everything that makes work grow, a sweep a row. Prints a table
 * unless options->json, adds an object for every size to `rows`, draws `picture` (may be NULL). */
gr_status gr_bench_scale(const gr_bench_options *options, const char *picture, cJSON *rows,
                         gr_error *error);
/* The exponent of growth: of the line through the logarithms, by least squares; NaN for fewer than
 * two. */
double gr_growth(const double *size, const double *seconds, int count);
/* Names of its sweeps, by index; NULL behind the last. */
const char *gr_scale_row(int index);

/* ---- pictures ---- */

/* GR_OK if it is the name of a picture: SVG or PNG. */
gr_status gr_bench_check_picture(const char *picture, gr_error *error);
/* Draws it from the script that `write` writes, which stays beside it, NAME.gp; `write` begins
 * behind the lines that name terminal and output. */
typedef void gr_write_script(const void *context, FILE *out);
gr_status gr_bench_draw(const char *picture, gr_write_script *write, const void *context,
                        gr_error *error);
/* A string of gnuplot's. */
void gr_write_quoted(FILE *out, const char *text);

#endif
