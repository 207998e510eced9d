/* Outcomes of runs that end as a script says (tests/records.h). */
#ifndef TESTS_OUTCOMES_H
#define TESTS_OUTCOMES_H

#include "host/run/outcome.h"
#include "tests/records.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* Runs that end with what the script says of their demes. */
typedef struct ended {
    gr_settings settings;
    gr_run *run;
    gr_outcome outcome;
} ended;

static __attribute__((unused)) ended collect_after(uint32_t generations, const char *more) {
    ended e;
    gr_error error = {GR_OK, ""};
    e.run = records_run(more, &e.settings);
    script.generations = generations;
    script.handed = 0;
    records_play(e.run, NULL);
    if (gr_outcome_collect(e.run, &e.outcome, &error))
        fail_msg("%s", error.text);
    return e;
}

static __attribute__((unused)) ended collect(const char *more) {
    return collect_after(1, more);
}

static __attribute__((unused)) void end(ended *e) {
    gr_outcome_free(&e->outcome);
    gr_run_close(e->run);
    gr_settings_free(&e->settings);
}

/* Run d ends with the constant c, whose squared error on a target of 0 is c * c. */
static __attribute__((unused)) void constant(uint32_t d, float c) {
    records_constant(d, c, c * c);
}

/* Run d ends with x / 0, whose error is no number's. */
static __attribute__((unused)) void infinite(uint32_t d) {
    records_constant(d, 0.0f, (float)INFINITY);
    script.best[d][1] = script.best[d][0];
    script.best[d][0] = gr_make_node(GR_INPUT, 1, 1, 0);
    script.best[d][2] = gr_make_node(GR_DIV, 2, 3, 0);
    script.deme[d].best.nodes = script.deme[d].best.length = 3;
    script.deme[d].best.depth = 2;
}

/* ---- genomes: a run under a grammar of two sentences ---- */

static char grammar[] = "/tmp/grampus-outcome-XXXXXX";

static __attribute__((unused)) int write_grammar(void **state) {
    static const char text[] = "<e> ::= x | x / 0 | <e>\n";
    int file = mkstemp(grammar);
    (void)state;
    return file < 0 || write(file, text, strlen(text)) < 0 || close(file);
}

static __attribute__((unused)) int remove_grammar(void **state) {
    (void)state;
    return unlink(grammar);
}

/* Run d ends with the genome of one codon, which chooses a production. */
static __attribute__((unused)) void genome(uint32_t d, uint32_t codon) {
    gr_deme *deme = &script.deme[d];
    memset(deme, 0, sizeof *deme);
    deme->best_cost = deme->test_cost = (float)INFINITY;
    deme->best.length = deme->best.used = 1;
    deme->best.validity = codon == 2 ? GR_OUT_OF_CODONS : GR_VALID;
    deme->best.nodes = codon == 2 ? 0 : codon == 1 ? 3 : 1;
    memcpy(&script.best[d][0], &codon, sizeof codon);
}

/* The settings of `runs` such runs. */
static __attribute__((unused)) const char *genomes(uint32_t runs) {
    static char text[512];
    snprintf(text, sizeof text,
             "generations: 0\nruns: %u\ngenotype: grammar\ngrammar: %s\nmax-genome-length: %u\n",
             runs, grammar, 2 * RECORDS_NODES);
    return text;
}

static __attribute__((unused)) void three_runs(void) {
    records_begin();
    constant(0, 3.0f);
    constant(1, 1.5f);
    constant(2, 2.0f);
    for (uint32_t d = 0; d < 3; d++) {
        script.deme[d].best_generation = 10 + d;
        script.deme[d].test_cost = script.deme[d].best_cost;
    }
}

static __attribute__((unused)) const char three[] =
    "generations: 0\nruns: 3\nseed: 7\ntarget-fitness: 3\n"
    "test-variables: x = grid(1, 2, 1)\n";

#endif
