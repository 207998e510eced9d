/* Duplicates that are mutated (`mutate-duplicates`): a child of a phenotype that its deme has had
 * before is mutated again until its phenotype is new, as PonyGE2 does.
 *
 * A deme has a table of the phenotypes of all its generations by their hashes. A generation goes by
 * rounds: everybody whose phenotype is in question enters it with a claim, of which the earliest
 * generation's, round's and then the lowest individual's counts, whatever the order of work; who
 * has not got it is mutated and takes part in the next round. After `tries` of them a duplicate
 * stays; where invalid children are drawn again, one that is none by then is what it was bred as.
 * Elites are as they are. Where another generation might fill half of the table it is emptied, and
 * phenotypes before that are forgotten. */
#ifndef GR_KNOWN_H
#define GR_KNOWN_H

#include "gpu/core/breeding/breed.h"
#include "gpu/core/genotype/unique.h"
#include "gpu/core/selection/diversity.h"

/* Entries of a deme's table, a power of two: 512 an individual, of all demes at most 2^25, but four
 * an individual. It does not depend on the generations, which a resumed run may have more of. */
GR_BOTH uint32_t gr_known_entries(const gr_params *p) {
    uint64_t n = p->population, entries = 64, demes = (uint64_t)p->runs * p->islands;
    while (entries < 512 * n && 2 * entries * demes <= 1u << 25)
        entries *= 2;
    while (entries < 4 * n)
        entries *= 2;
    return p->mutate_duplicates ? (uint32_t)entries : 0;
}

/* Repeated draws are numbered below 1024, the first of them those of children drawn again. */
GR_BOTH uint32_t gr_known_first_draw(const gr_params *p) {
    return p->redrawn ? gr_min_u32(p->tries, 512) + 1 : 1;
}
/* How often a child is mutated at most. */
GR_BOTH uint32_t gr_known_rounds(const gr_params *p) {
    return gr_min_u32(gr_claim_rounds(p), 1023 - gr_known_first_draw(p));
}

/* Of known_at: entries of the table, and two that are none. */
enum { GR_KNOWN_SETTLED = -1, GR_KNOWN_INVALID = -2 };

GR_FN uint64_t *gr_known_table(const gr_state *s, uint64_t *of_all, uint32_t deme) {
    return of_all + (size_t)deme * gr_known_entries(&s->p);
}

/* ---- before a generation ---- */

/* The record of the generation selected last tells of the mutations up to it. (Here, not where
 * records are written: kernel 1 of other runs is to have none of this.) */
GR_FN void gr_tell_known(const gr_state *s, uint32_t deme) {
    s->records[deme].mutated_again = s->known[deme].mutated;
}

/* Whether the table of a deme is to be emptied. */
GR_FN uint32_t gr_forgets_known(const gr_state *s, uint32_t deme) {
    return s->known[deme].entered + s->p.population > gr_known_entries(&s->p) / 2;
}
GR_FN void gr_clear_known(const gr_state *s, uint32_t deme, uint32_t entry) {
    gr_known_table(s, s->known_keys, deme)[entry] = 0;
    gr_known_table(s, s->known_claims, deme)[entry] = 0;
}
/* Once they are. */
GR_FN void gr_begin_known(const gr_state *s, uint32_t deme) {
    if (gr_forgets_known(s, deme))
        s->known[deme].entered = 0;
    s->known[deme].open[0] = s->known[deme].open[1] = 0;
}

/* ---- a round ---- */

/* Those left by round r are counted in the first deme. */
GR_FN uint32_t *gr_known_open(const gr_state *s, uint32_t round) {
    return &s->known->open[round & 1];
}

/* The higher, the stronger; never 0. */
GR_FN uint64_t gr_known_claim(const gr_params *p, uint32_t generation, uint32_t round, uint32_t i) {
    return ~((uint64_t)generation << 32 | gr_claim(p, round, i % p->population));
}

/* Whether an entry, counted over all demes, came with this generation. */
GR_FN uint32_t gr_is_of_generation(const gr_state *s, uint64_t entry, uint32_t generation) {
    uint64_t claim = s->known_claims[entry];
    return claim && (uint32_t)(~claim >> 32) == generation;
}

/* Individual i enters its phenotype, all before any settles. */
GR_FN void gr_enter_phenotype(const gr_state *s, uint32_t generation, uint32_t round, uint32_t i,
                              gr_scratch scratch, uint32_t *codon_scratch) {
    uint32_t buffer = generation & 1, deme = i / s->p.population, at;
    gr_individual individual = s->individuals[buffer][i];
    uint32_t valid = individual.length && individual.validity == GR_VALID;
    if (round ? s->known_at[i] == (uint32_t)GR_KNOWN_SETTLED : !valid) {
        s->known_at[i] = (uint32_t)GR_KNOWN_SETTLED;
        return;
    }
    s->known_at[i] = (uint32_t)GR_KNOWN_INVALID;
    if (!valid)
        return;
    gr_enter_key(gr_known_table(s, s->known_keys, deme), gr_known_entries(&s->p),
                 gr_phenotype_key(s, buffer, i, scratch, codon_scratch), &at);
    gr_raise(&gr_known_table(s, s->known_claims, deme)[at],
             gr_known_claim(&s->p, generation, round, i));
    s->known_at[i] = at;
}

/* Another phenotype for child i, perhaps: the mutations of the run, on the genome it has. One lane.
 */
GR_FN void gr_mutate_duplicate(const gr_state *s, uint32_t generation, uint32_t round, uint32_t i,
                               gr_scratch scratch, uint32_t *codon_scratch) {
    const gr_lane_group alone = {0, 1};
    const gr_batch one = {generation, gr_known_first_draw(&s->p) + round, i, i + 1};
    gr_individual *individual = &s->individuals[generation & 1][i];
    uint32_t kind = gr_breeding_of(&s->p);
    individual->used = individual->length;
    if (kind != GR_BREED_COMMON_STEPS && s->p.convention & GR_LISTS)
        gr_mutate_lists(s, one, scratch, codon_scratch, alone);
    else
        gr_mutate_all_parts(s, one, kind, scratch, codon_scratch, alone);
    gr_express_genomes(s, one, kind, scratch, codon_scratch, alone);
    if (kind != GR_BREED_COMMON_STEPS && s->p.rule_words)
        gr_mark_genomes(s, one, scratch, alone);
    individual->retries = gr_add_retries(individual->retries, GR_RETRIES(1, 0));
}

/* Child i as it was before the first of these mutations. One lane. */
GR_FN void gr_take_back_mutations(const gr_state *s, uint32_t generation, uint32_t i,
                                  gr_scratch scratch, uint32_t *codon_scratch) {
    const gr_lane_group alone = {0, 1};
    const gr_batch one = {generation, 0, i, i + 1};
    gr_individual *individual = &s->individuals[generation & 1][i];
    uint32_t retries = individual->retries;
    gr_breed_genomes(s, one, gr_breeding_of(&s->p), scratch, codon_scratch, alone);
    individual->retries = retries;
}

/* Whose claim is the strongest settles, and so do elites and, in the last round, everybody; others
 * are mutated. */
GR_FN void gr_settle_phenotype(const gr_state *s, uint32_t generation, uint32_t round, uint32_t i,
                               gr_scratch scratch, uint32_t *codon_scratch) {
    uint32_t deme = i / s->p.population, at = s->known_at[i], *settled = &s->known_at[i];
    uint64_t claim = gr_known_claim(&s->p, generation, round, i);
    if (at == (uint32_t)GR_KNOWN_SETTLED)
        return;
    if (at != (uint32_t)GR_KNOWN_INVALID && gr_known_table(s, s->known_claims, deme)[at] == claim) {
        gr_add_count(&s->known[deme].entered, 1);
        *settled = (uint32_t)GR_KNOWN_SETTLED;
    } else if (round == gr_known_rounds(&s->p) ||
               (generation && s->plans[i].kind == GR_PLAN_ELITE)) {
        *settled = (uint32_t)GR_KNOWN_SETTLED;
        if (s->p.redrawn >> s->individuals[generation & 1][i].validity & 1u)
            gr_take_back_mutations(s, generation, i, scratch, codon_scratch);
    } else {
        gr_mutate_duplicate(s, generation, round, i, scratch, codon_scratch);
        gr_add_long(&s->known[deme].mutated, 1);
        gr_add_count(gr_known_open(s, round), 1);
    }
}

#endif
