/* Genomes that are not read depth first under a grammar given as text, and problems made of run
 * files. */
#ifndef GRAMPUS_TESTS_NON_DEPTH_FIRST_H
#define GRAMPUS_TESTS_NON_DEPTH_FIRST_H

#include "gpu/core/breeding/breed.h"
#include "host/cpu/stages.h"
#include "host/problem/job.h"
#include "tests/grammars.h"

static const __attribute__((unused)) char ENDS[] =
    "<s> ::= <a><a> | <b>\n<a> ::= x<b> | y<b><b> | x\n<b> ::= x | y | y\n";

enum { INDIVIDUALS = 600 };

static const __attribute__((unused))
uint32_t CONVENTIONS[] = {GR_POSITION_INDEPENDENT, GR_POSITION_INDEPENDENT | GR_LAZY,
                          GR_POSITION_INDEPENDENT | GR_WRAP_GEVA,
                          GR_POSITION_INDEPENDENT | GR_LAZY | GR_WRAP_GEVA, GR_LISTS};
enum { KINDS = sizeof CONVENTIONS / sizeof *CONVENTIONS };

CORE_FN gr_params params(uint32_t convention) {
    gr_params p = core_params(GR_GRAMMATICAL);
    p.convention = convention;
    p.genome_capacity = 3000;
    p.max_depth = 12;
    return p;
}

/* Brought into depth-first order by the core; codons in *depth_first, which stand in the state's
 * scratch. */
CORE_FN gr_derivation to_depth_first(const core *c, const uint32_t *genome, uint32_t length,
                                     uint32_t **depth_first, uint32_t *count) {
    gr_derivation d;
    gr_derive_start(&d, c->s.grammar, genome, length, c->s.p.max_wraps, c->s.p.max_depth,
                    core_scratch(c).path);
    gr_derive_by(&d, c->s.p.convention, c->s.p.max_wraps);
    *count = gr_to_depth_first(&d, gr_depth_first_scratch(&c->s, 0), NULL, depth_first);
    return d;
}

CORE_FN uint32_t list_length(const core *c, uint32_t rule) {
    return gr_list_first(c->s.grammar, rule + 1) - gr_list_first(c->s.grammar, rule);
}

/* ---- problems ---- */

CORE_FN gr_status make_problem(const char *text, gr_problem *problem, gr_error *error) {
    gr_settings s;
    if (gr_settings_init(&s, error) ||
        gr_settings_parse(&s, text, strlen(text), "run.yaml", error) ||
        gr_settings_resolve(&s, error))
        fail_msg("%s", error->text);
    gr_status status = gr_problem_make(&s, problem, error);
    gr_settings_free(&s);
    return status;
}

CORE_FN core open_problem(const char *text, gr_problem *problem) {
    gr_error error = {GR_OK, ""};
    if (make_problem(text, problem, &error))
        fail_msg("%s", error.text);
    const gr_params *p = &problem->job.params;
    core c = core_open(p, problem->job.grammar, problem->job.grammar_words);
    if (p->seeds) {
        memcpy((void *)(uintptr_t)c.s.seeds, problem->seeds, p->seed_nodes * sizeof(gr_node));
        memcpy((void *)(uintptr_t)c.s.seed_first, problem->seed_first,
               (p->seeds + 1) * sizeof(uint32_t));
    }
    if (c.s.attempts)
        gr_cpu_unique(&c.s, NULL);
    for (uint32_t i = 0; i < p->individuals; i++)
        gr_breed_child(&c.s, 0, i, core_scratch(&c), gr_depth_first_scratch(&c.s, 0), core_group);
    return c;
}

#define PROBLEM                                                                                    \
    "target-expression: x*y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 40\nruns: 2\n"         \
    "grammar: grammars/nguyen-2.bnf\npopulation: 60\ntries: 100\nmax-depth: 8\n"

#endif
