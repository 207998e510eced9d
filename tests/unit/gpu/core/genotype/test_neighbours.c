/* gpu/core/genotype/neighbours.h against whole sentences: those of a genome and of its neighbour
 * are written out and compared, and the codon that is drawn again follows from Philox. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/genotype/neighbours.h"
#include "host/derivation/phenotype.h"
#include "host/grammar/grammar.h"

#include <stdlib.h>
#include <string.h>

enum { GENOMES = 1500, TEXTS = 64 };

/* Sentences that others begin or end with, and that repeat themselves. */
static const char WORDS[] = "<e> ::= <e><e> | x | x | xy | yx | <d>\n<d> ::= 0 | 1 | 11\n";

typedef struct measured {
    gr_grammar *grammar;
    gr_neighbour_task task;
    gr_neighbour_scratch scratch;
    uint32_t *words, first[TEXTS + 1];
    uint8_t bytes[4 * TEXTS];
} measured;

/* Works on the settings where they lie. */
static void open_measured(measured *m, const gr_params *p) {
    const gr_grammar_context context = {0};
    gr_error error;
    uint32_t words;
    if (gr_grammar_parse(WORDS, strlen(WORDS), "test", &context, &m->grammar, &error))
        fail_msg("%s", error.text);
    if (gr_is_non_depth_first(p->convention) &&
        gr_grammar_plan_non_depth_first(m->grammar, p->convention, p->max_depth, p->max_wraps,
                                        p->genome_capacity, &error))
        fail_msg("%s", error.text);
    const uint32_t *tables = gr_grammar_tables(m->grammar, &words);
    uint32_t terminals = tables[GR_G_TERMINALS];
    assert_true(terminals <= TEXTS);
    m->first[0] = 0;
    for (uint32_t k = 0; k < terminals; k++) {
        size_t length;
        const char *text = gr_grammar_terminal(m->grammar, k, &length);
        memcpy(m->bytes + m->first[k], text, length);
        m->first[k + 1] = m->first[k] + (uint32_t)length;
    }
    m->words = calloc(gr_neighbour_words(p, tables), sizeof *m->words);
    m->scratch = gr_neighbour_scratch_of(p, tables, m->words);
    m->task =
        (gr_neighbour_task){.p = p, .grammar = tables, .texts = {terminals, m->first, m->bytes}};
}

static void close_measured(measured *m) {
    free(m->words);
    gr_grammar_free(m->grammar);
}

/* Draw k of the neighbour of a genome, straight from Philox. */
static uint32_t draw(const gr_params *p, uint32_t index, uint32_t k) {
    return gr_philox(0, index, 1, GR_PURPOSE_MUTATION, p->seed[0], p->seed[1]).word[k];
}

static gr_phenotype sentence_of(const measured *m, const uint32_t *genome, uint32_t length) {
    const gr_reading reading = gr_reading_of(m->task.p);
    gr_phenotype phenotype;
    gr_error error;
    if (gr_derive_phenotype_by(m->grammar, &reading, genome, length, &phenotype, &error))
        fail_msg("%s", error.text);
    return phenotype;
}

/* What of the longer sentence is neither a common beginning nor a common end. */
static double change_of(const char *a, const char *b) {
    size_t x = strlen(a), y = strlen(b), least = x < y ? x : y, most = x + y - least, front = 0,
           back = 0;
    while (front < least && a[front] == b[front])
        front++;
    while (front + back < least && a[x - 1 - back] == b[y - 1 - back])
        back++;
    return most ? (double)(most - front - back) / (double)most : 0.0;
}

/* Holds what is told of a genome to that; what became of its neighbour. */
static uint32_t check(const measured *m, uint32_t index) {
    const gr_params *p = m->task.p;
    gr_neighbours told = gr_look_at_neighbours(&m->task, &m->scratch, index);
    uint32_t length = gr_draw_genome(&m->task, &m->scratch, index), kind;
    uint32_t *genome = m->scratch.genome;
    gr_phenotype own = sentence_of(m, genome, length);
    assert_int_equal(told.validity, own.validity);
    if (own.validity == GR_VALID && own.used) {
        assert_int_equal(told.used, own.used);
        uint32_t within = own.used < length ? own.used : length;
        uint32_t at = gr_scale(draw(p, index, 0), within);
        genome[at] = gr_scale(draw(p, index, 1), p->codon_size + 1);
        gr_phenotype other = sentence_of(m, genome, length);
        kind = other.validity != GR_VALID     ? GR_NEIGHBOUR_INVALID
               : strcmp(own.text, other.text) ? GR_NEIGHBOUR_CHANGED
                                              : GR_NEIGHBOUR_NEUTRAL;
        if (told.mutant == GR_NEIGHBOUR_SYNONYMOUS) /* the same sentence as well */
            assert_int_equal(kind, GR_NEIGHBOUR_NEUTRAL);
        else
            assert_int_equal(told.mutant, kind);
        assert_true(told.change ==
                    (kind == GR_NEIGHBOUR_INVALID ? 0.0 : change_of(own.text, other.text)));
        gr_phenotype_free(&other);
    } else
        assert_int_equal(told.mutant, GR_NEIGHBOUR_NONE);
    gr_phenotype_free(&own);
    return told.mutant;
}

/* Genomes that are long, that are read again, that take no codon where there is no choice. */
static void test_sentences(void **state) {
    (void)state;
    static const struct {
        uint32_t convention, wraps, length;
    } kinds[] = {{0, 0, 30},
                 {0, 2, 5},
                 {GR_LAZY, 2, 4},
                 {GR_POSITION_INDEPENDENT, 1, 12},
                 {GR_LAZY | GR_WRAP_GEVA, 2, 5}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        measured m;
        gr_params p = {.runs = 1, .islands = 1, .population = GENOMES, .seed = {42, 0}};
        uint32_t count[GR_NEIGHBOUR_KINDS] = {0};
        p.genotype = GR_GRAMMATICAL;
        p.convention = kinds[k].convention;
        p.max_wraps = kinds[k].wraps;
        p.init_length = kinds[k].length;
        p.genome_capacity = 60;
        p.codon_size = 40;
        p.max_depth = 12;
        p.initialisation = GR_INIT_UNIFORM;
        open_measured(&m, &p);
        for (uint32_t index = 0; index < GENOMES; index++)
            count[check(&m, index)]++;
        assert_true(count[GR_NEIGHBOUR_CHANGED] > 100 &&
                    count[GR_NEIGHBOUR_NEUTRAL] + count[GR_NEIGHBOUR_SYNONYMOUS] > 20);
        close_measured(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sentences)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
