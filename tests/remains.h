/* What a run on the CPU leaves, to the byte: for tests that hold two ways to it to each other. */
#ifndef GRAMPUS_TESTS_REMAINS_H
#define GRAMPUS_TESTS_REMAINS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/backend/arena.h"
#include "gpu/core/state/state.h"
#include "host/problem/job.h"

#include <stdlib.h>
#include <string.h>

enum { SECTIONS = 16, MOST = 200 };

/* What a run left. */
typedef struct remains {
    uint32_t generations;
    gr_record *records; /* [generations][demes] */
    void *section[SECTIONS];
    size_t size[SECTIONS];
} remains;

static void collect(gr_engine *e, const gr_params *p, remains *r) {
    static const gr_section sections[SECTIONS] = {
        GR_SECTION_DEMES,      GR_SECTION_BEST_GENOMES, GR_SECTION_INDIVIDUALS,
        GR_SECTION_GENOTYPES,  GR_SECTION_PROGRAMS,     GR_SECTION_COSTS,
        GR_SECTION_CONSTANTS,  GR_SECTION_ORIGINS,      GR_SECTION_KNOWN,
        GR_SECTION_KNOWN_KEYS, GR_SECTION_KNOWN_CLAIMS, GR_SECTION_OBJECTIVES,
        GR_SECTION_STANDING,   GR_SECTION_REPLACED_BY,  GR_SECTION_SEEN,
        GR_SECTION_DIVERSITY};
    const gr_state state = {.p = *p};
    const void *nowhere;
    gr_error error;
    for (int k = 0; k < SECTIONS; k++) {
        r->size[k] = gr_arena_section(&state, sections[k], 0, &nowhere);
        r->section[k] = malloc(r->size[k] + 1);
        assert_int_equal(gr_backend_cpu.read(e, sections[k], r->section[k], r->size[k], &error),
                         GR_OK);
    }
}

/* An epoch more; whether it is the last. */
static int advance(gr_engine *e, const gr_params *p, remains *r) {
    const gr_record *records;
    gr_error error = {GR_OK, ""};
    uint32_t more;
    int finished = 0;
    assert_int_equal(gr_backend_cpu.advance(e, NULL, NULL, &records, &more, &finished, &error),
                     GR_OK);
    r->records = realloc(r->records, (r->generations + more) * gr_demes(p) * sizeof *records + 1);
    memcpy(r->records + (size_t)r->generations * gr_demes(p), records,
           more * gr_demes(p) * sizeof *records);
    r->generations += more;
    return finished;
}

static void forget(remains *r) {
    for (int k = 0; k < SECTIONS; k++)
        free(r->section[k]);
    free(r->records);
}

static void make(const char *text, gr_settings *s, gr_problem *problem) {
    gr_error error = {GR_OK, ""};
    if (gr_settings_init(s, &error) ||
        gr_settings_parse(s, text, strlen(text), "run.yaml", &error) ||
        gr_settings_resolve(s, &error) || gr_problem_make(s, problem, &error))
        fail_msg("%s", error.text);
    problem->job.epoch = MOST;
}

/* Genotypes and programs are compared as far as they go. */
static void assert_same(const gr_params *p, const remains *a, const remains *b) {
    assert_int_equal(a->generations, b->generations);
    for (int k = 0; k < SECTIONS; k++) {
        if (k == 3 || k == 4)
            continue;
        assert_memory_equal(a->section[k], b->section[k], a->size[k]);
    }
    const gr_individual *individual = a->section[2];
    size_t gene = p->genotype == GR_TREE ? sizeof(gr_node) : sizeof(uint32_t);
    size_t words = gr_genotype_words(p) * 4, instructions = p->max_nodes * sizeof(gr_instruction);
    for (size_t i = 0; i < p->individuals; i++) {
        assert_memory_equal((char *)a->section[3] + i * words, (char *)b->section[3] + i * words,
                            individual[i].length * gene);
        assert_memory_equal((char *)a->section[4] + i * instructions,
                            (char *)b->section[4] + i * instructions,
                            individual[i].instructions * sizeof(gr_instruction));
    }
}

/* The records of all generations as well. */
static inline void assert_same_run(const gr_params *p, const remains *a, const remains *b) {
    assert_same(p, a, b);
    assert_memory_equal(a->records, b->records, a->generations * gr_demes(p) * sizeof *a->records);
}

#endif
