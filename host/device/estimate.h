/* How long a run will take, about: the work it asks for, times what a backend needs for a unit of
 * it. Wrong by a factor of three is good enough: at that distance from the border between two
 * backends either of them will do. */
#ifndef GRAMPUS_ESTIMATE_H
#define GRAMPUS_ESTIMATE_H

#include "gpu/backend/engine.h"

/* What a node costs. */
typedef enum gr_arithmetic {
    GR_ARITHMETIC_CHEAP,   /* one instruction each, or math: fast */
    GR_ARITHMETIC_COSTLY,  /* exact division and elementary functions */
    GR_ARITHMETIC_WORDS,   /* 32 Boolean cases at a time */
    GR_ARITHMETIC_FITTING, /* in a pass of fitting constants: mostly derivatives and their products
                            */
    GR_ARITHMETIC_DOUBLES, /* precision: double */
    GR_ARITHMETICS
} gr_arithmetic;

typedef struct gr_work {
    double generations;
    double individuals; /* of a generation */
    double evaluations; /* of a generation: nodes x cases, or x words of 32 cases */
    uint32_t genotype;  /* gr_genotype */
    uint32_t arithmetic;
    double fitted; /* of a generation: nodes x cases x passes over them that fitting takes */
} gr_work;

/* Seconds; on the CPU those of a thread. */
typedef struct gr_rates {
    double start;         /* from nothing to the first generation, and to leave again */
    double generation;    /* of a generation, whatever it holds */
    double individual[2]; /* to select and breed one, by gr_genotype */
    double evaluation[GR_ARITHMETICS];
} gr_rates;
enum { GR_RATES = sizeof(gr_rates) / sizeof(double) };

/* What is known of both backends on this machine. */
typedef struct gr_known_rates {
    gr_rates cpu, gpu;
} gr_known_rates;

/* Before anything was measured here. */
extern const gr_known_rates gr_first_rates;

/* A program is taken to have half of max-nodes, at most 30, and no run to end early. */
gr_work gr_work_of(const gr_job *job);
/* Cases, or words of them, that evaluating a program goes through: as many at a time as the CPU
 * takes, the GPU about as many. */
double gr_evaluation_cases(const gr_params *p);
/* `threads`: that share the work; 1 on the GPU. */
double gr_expected_seconds(const gr_work *work, const gr_rates *rates, uint32_t threads);

/* A run that was measured. */
typedef struct gr_measured_run {
    gr_work work;    /* that was done, evaluations as they were counted */
    double opening;  /* seconds, without what is done once (compiling); 0: not to be learned from */
    double breeding; /* seconds of selection and breeding, and of evaluation, in all */
    double evaluation;
    uint32_t threads;
} gr_measured_run;

/* What is known then: half way, in factors, to what the run says, so that one run beside another
 * heavy program does not decide for long; at most so many times the first figure, or by it: what
 * was learned wrong of one backend may keep runs from it, which would set it right. `is_gpu`: small
 * generations tell what a generation costs, others what is in them. */
enum { GR_RATES_APART = 8 };
gr_rates gr_learn_rates(gr_rates known, const gr_rates *first, const gr_measured_run *run,
                        int is_gpu);
/* Whether any rate differs by more than a quarter: worth writing down. */
int gr_rates_differ(const gr_rates *a, const gr_rates *b);

#endif
