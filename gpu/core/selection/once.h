/* Programs evaluated once. What an evaluation leaves are sums, which follow from the program and
 * the cases alone. So an elite keeps those of its parent, equal programs of a generation share
 * those of the first of them, and a memory has those of programs of earlier generations. Only the
 * others are evaluated; no result depends on it.
 *
 * Three steps, all individuals passing one before any passes the next: gr_once_find and
 * gr_once_settle before the evaluation, gr_once_hand_over behind it. A hash of 64 bits tells which
 * programs may be equal, comparing them whether they are. */
#ifndef GR_ONCE_H
#define GR_ONCE_H

#include "gpu/core/base/keys.h"
#include "gpu/core/fitness/sample.h"
#include "gpu/core/selection/migration.h"

/* `once` of the parameters: elites and equal programs; auto: looks for equal ones only as often as
 * that has paid. */
enum { GR_ONCE_OFF, GR_ONCE_AUTO, GR_ONCE_ON };

/* Where the sums of an individual come from: GR_ONCE_SOURCE(where, which). */
enum {
    GR_ONCE_OWN,    /* it is evaluated, or has nothing to evaluate */
    GR_ONCE_KEPT,   /* the parent's, put aside: of elite `which` of all demes */
    GR_ONCE_SHARED, /* those of individual `which`, which is evaluated */
    GR_ONCE_MEMORY  /* those of slot `which` of the memory */
};
#define GR_ONCE_SOURCE(where, which) ((uint32_t)(where) << 30 | (which))
#define GR_ONCE_WHERE(source) ((source) >> 30)
#define GR_ONCE_WHICH(source) ((source)&0x3fffffffu)
/* No entry of the table. */
#define GR_NOT_ENTERED 0xffffffffu

/* Words of 8 bytes that an evaluation leaves of an individual. */
GR_BOTH size_t gr_once_rows(const gr_params *p) {
    return (size_t)p->train_chunks * p->sums;
}
/* Entries of the table of a generation's programs; a power of two. */
GR_BOTH size_t gr_once_entries(const gr_params *p) {
    size_t entries = 64;
    while (p->once && entries < 2 * (size_t)p->individuals)
        entries *= 2;
    return p->once ? entries : 0;
}
/* Slots of the memory, at least as many as are asked for; a power of two. */
GR_BOTH uint32_t gr_memory_slots(const gr_params *p) {
    uint32_t slots = 1;
    while (slots < p->memory)
        slots *= 2;
    return p->once && p->memory ? slots : 0;
}

/* Whether a run may gain by it, where it is to decide itself: most programs are elites, or its
 * programs take long beside a look at them. */
GR_BOTH uint64_t gr_once_cases(const gr_params *p) { /* words of 32 are evaluated as one */
    return p->packed ? (p->train_cases + 31) / 32 : p->train_cases;
}
GR_BOTH uint32_t gr_once_may_pay(const gr_params *p) {
    uint64_t cases = gr_once_cases(p), work = cases * p->individuals;
    return 2 * p->elites > p->population || (cases >= 256 && work >= 1000000);
}
/* ---- what is known before ---- */

/* Whether individual i is an elite whose parent's sums are those of an evaluation of the same
 * program on the same cases: they are not where it came from another island since, was drawn anew,
 * begins with the constants of the grammar again, or where there is another sample. */
GR_FN uint32_t gr_keeps_sums(const gr_state *s, uint32_t generation, uint32_t i) {
    const gr_params *p = &s->p;
    uint32_t other_cases = p->sampling && gr_sample_is_new(p, generation);
    return generation && !gr_fits_copies(p) && i % p->population < p->elites &&
           s->plans[i].kind == GR_PLAN_ELITE && !other_cases && !gr_migrates(p, generation - 1) &&
           !gr_begins_anew(s, generation - 1, i / p->population);
}

/* Whether equal programs are looked for in this generation. Not among elites where these are most:
 * in a steady state they would be all that is looked at. */
GR_FN uint32_t gr_once_looks(const gr_state *s, uint32_t generation, uint32_t kept) {
    return (s->p.once == GR_ONCE_ON || generation >= s->course->from) &&
           (!kept || 2 * s->p.elites <= s->p.population);
}

/* A sum over the instructions, each hashed with its place: lanes add theirs in any order. */
GR_FN uint64_t gr_program_key(const gr_instruction *program, uint32_t length, gr_lane_group w) {
    uint64_t sum = 0;
    for (uint32_t k = w.lane; k < length; k += w.width) {
        uint64_t word = (uint64_t)program[k].code << 32 | program[k].operand;
        sum += gr_hash_at(word, k);
    }
    return gr_key_of_hash(gr_sum_lanes_long(w, sum) + length);
}

GR_FN uint32_t gr_same_programs(const gr_instruction *a, const gr_instruction *b, uint32_t length,
                                gr_lane_group w) {
    uint32_t differ = 0;
    for (uint32_t k = w.lane; k < length; k += w.width)
        differ |= (a[k].code ^ b[k].code) | (a[k].operand ^ b[k].operand);
    return !gr_or_lanes(w, differ);
}

/* ---- the table ---- */

/* Enters individual i under a key, of which the lowest one comes first; the entry. One lane. */
GR_FN uint32_t gr_once_enter(const gr_state *s, uint64_t key, uint32_t i) {
    uint32_t mask = (uint32_t)(gr_once_entries(&s->p) - 1), at = (uint32_t)(key >> 32) & mask;
    for (;; at = (at + 1) & mask) {
        gr_once_entry *entry = &s->entries[at];
#ifdef __CUDA_ARCH__
        uint64_t found = *(volatile uint64_t *)&entry->key;
        if (!found)
            found = gr_fill_empty(&entry->key, key);
        if (found && found != key)
            continue;
        if (*(volatile uint32_t *)&entry->first < ~i) /* few of many equal ones get any further */
            atomicMax(&entry->first, ~i);
#else
        uint64_t found = gr_fill_empty(&entry->key, key);
        if (found && found != key)
            continue;
        uint32_t first = __atomic_load_n(&entry->first, __ATOMIC_RELAXED);
        while (first < ~i && !__atomic_compare_exchange_n(&entry->first, &first, ~i, 0,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            ;
#endif
        return at;
    }
}

/* ---- the memory ---- */

/* Which cases its sums are of: a number from 1 on; 0 is an empty slot. */
GR_FN uint32_t gr_memory_stamp(const gr_params *p, uint32_t generation) {
    return p->sampling ? gr_sample_number(p, generation) + 1 : 1;
}
GR_FN uint32_t gr_memory_slot_of(const gr_params *p, uint64_t key) {
    return (uint32_t)key & (gr_memory_slots(p) - 1);
}
/* Whether the program of individual i, of `length` instructions (0: nothing is asked), is there. */
GR_FN uint32_t gr_is_remembered(const gr_state *s, uint32_t generation, uint32_t i, uint32_t length,
                                uint64_t key, gr_lane_group w) {
    uint32_t slot = gr_memory_slot_of(&s->p, key);
    const gr_memory_slot *m = &s->memory[slot];
    uint32_t same = length && m->stamp == gr_memory_stamp(&s->p, generation) && m->key == key &&
                    m->length == length;
    return gr_same_programs(s->memory_programs + (size_t)slot * s->p.max_nodes, gr_program(s, i),
                            same ? length : 0, w) &&
           same;
}

/* Of those that want the same slot the lowest gets it, and nobody one that is read. Claims need not
 * be cleared: later generations have larger ones. */
enum { GR_SLOT_IS_READ = 0x7fffffff };
GR_FN uint64_t gr_memory_claim(uint32_t generation, uint32_t i) {
    return (uint64_t)(generation + 1) << 32 | (GR_SLOT_IS_READ - 1 - i);
}
GR_FN void gr_claim_slot(const gr_state *s, uint64_t key, uint64_t claim) {
    gr_raise(&s->memory[gr_memory_slot_of(&s->p, key)].claim, claim);
}

/* Keeps program and sums of individual i, if it has the claim. */
GR_FN void gr_remember(const gr_state *s, uint32_t generation, uint32_t i, gr_lane_group w) {
    const gr_params *p = &s->p;
    const gr_once *o = &s->once[i];
    uint32_t slot = gr_memory_slot_of(p, o->key);
    gr_memory_slot *m = &s->memory[slot];
    gr_instruction *to = s->memory_programs + (size_t)slot * p->max_nodes;
    double *sums = s->memory_sums + slot * gr_once_rows(p);
    if (m->claim != gr_memory_claim(generation, i))
        return;
    const gr_instruction *from = gr_program(s, i);
    for (uint32_t k = w.lane; k < o->instructions; k += w.width)
        to[k] = from[k];
    for (uint32_t row = w.lane; row < gr_once_rows(p); row += w.width)
        sums[row] = s->sums[(size_t)row * p->individuals + i];
    if (w.lane == 0) {
        m->key = o->key;
        m->length = o->instructions;
        m->stamp = gr_memory_stamp(p, generation);
    }
}

/* ---- the steps ---- */

/* Puts an elite's sums aside before the evaluation writes over them. */
GR_FN uint32_t gr_put_aside(const gr_state *s, uint32_t i, gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t which = i / p->population * p->elites + i % p->population, from = s->plans[i].a;
    size_t stride = (size_t)gr_demes(p) * p->elites;
    for (uint32_t row = w.lane; row < gr_once_rows(p); row += w.width)
        s->elite_sums[row * stride + which] = s->sums[(size_t)row * p->individuals + from];
    return GR_ONCE_SOURCE(GR_ONCE_KEPT, which);
}

/* Enters the program of individual i, of `length` instructions (0: it is not looked at), where the
 * memory does not have it. */
GR_FN void gr_once_look(const gr_state *s, uint32_t generation, uint32_t i, uint32_t length,
                        gr_once *once, gr_lane_group w) {
    uint64_t key = gr_program_key(gr_program(s, i), length, w);
    uint32_t known = 0;
    if (gr_memory_slots(&s->p))
        known = gr_is_remembered(s, generation, i, once->instructions ? length : 0, key, w);
    if (!length)
        return;
    once->key = key;
    if (known) {
        once->source = GR_ONCE_SOURCE(GR_ONCE_MEMORY, gr_memory_slot_of(&s->p, key));
        once->instructions = 0;
    }
    if (known && w.lane == 0)
        gr_claim_slot(s, key, (uint64_t)(generation + 1) << 32 | GR_SLOT_IS_READ);
    if (!known && w.lane == 0)
        once->entry = gr_once_enter(s, key, i);
}

/* Looks for the sums of individual i among those that are there, and enters its program. Returns
 * its instructions if it did so, at a cost. i beyond the last: nothing; lanes of a warp are all to
 * come here, whatever group they are of. */
GR_FN uint32_t gr_once_find(const gr_state *s, uint32_t generation, uint32_t i, gr_lane_group w) {
    uint32_t here = i < s->p.individuals;
    uint32_t length = here ? s->individuals[generation & 1][i].instructions : 0;
    uint32_t kept = length && gr_keeps_sums(s, generation, i);
    uint32_t looks = length && gr_once_looks(s, generation, kept);
    gr_once once = {GR_ONCE_SOURCE(GR_ONCE_OWN, here ? i : 0), GR_NOT_ENTERED, 0, length, {0}};
    if (kept) {
        once.source = gr_put_aside(s, i, w);
        once.instructions = 0;
    }
    if (gr_any(w, looks))
        gr_once_look(s, generation, here ? i : 0, looks ? length : 0, &once, w);
    if (here && w.lane == 0)
        s->once[i] = once;
    return looks ? length : 0;
}

/* Follows the first of those entered under the same key, if it is the same program. What is spared
 * with individual i is returned, and in *instructions how many of them looking spared. */
GR_FN gr_spared gr_once_settle(const gr_state *s, uint32_t generation, uint32_t i,
                               uint32_t *instructions, gr_lane_group w) {
    const gr_individual *individuals = s->individuals[generation & 1];
    gr_spared spared = {0, 0, 0, 0, 0};
    uint32_t here = i < s->p.individuals, length = here ? individuals[i].instructions : 0;
    const gr_once once = s->once[here ? i : 0];
    uint32_t where = GR_ONCE_WHERE(once.source), first = i;
    if (length && where == GR_ONCE_OWN && once.entry != GR_NOT_ENTERED)
        first = ~s->entries[once.entry].first;
    uint32_t asks = first != i && individuals[first].instructions == length;
    uint32_t follows = gr_same_programs(gr_program(s, asks ? first : 0),
                                        gr_program(s, asks ? i : 0), asks ? length : 0, w) &&
                       asks;
    *instructions = length && (follows || where == GR_ONCE_MEMORY) ? length : 0;
    spared.nodes = length && (follows || where != GR_ONCE_OWN) ? individuals[i].nodes : 0;
    spared.shared = follows;
    spared.kept = where == GR_ONCE_KEPT;
    spared.remembered = where == GR_ONCE_MEMORY;
    if (!length || w.lane != 0)
        return spared;
    if (first != i) /* the first one will clear it */
        s->once[i].entry = GR_NOT_ENTERED;
    if (follows) { /* what the first one goes by, or itself */
        s->once[i].source = GR_ONCE_WHERE(s->once[first].source) == GR_ONCE_OWN
                                ? GR_ONCE_SOURCE(GR_ONCE_SHARED, first)
                                : s->once[first].source;
        s->once[i].instructions = 0;
    } else if (where == GR_ONCE_OWN && once.key && gr_memory_slots(&s->p))
        gr_claim_slot(s, once.key, gr_memory_claim(generation, i));
    return spared;
}

/* Behind the evaluation: gives individual i its sums, keeps new ones in the memory, and clears the
 * table for the next generation. */
GR_FN void gr_once_hand_over(const gr_state *s, uint32_t generation, uint32_t i, gr_lane_group w) {
    const gr_params *p = &s->p;
    const gr_once *o = &s->once[i];
    uint32_t where = GR_ONCE_WHERE(o->source), which = GR_ONCE_WHICH(o->source);
    size_t stride = p->individuals, rows = gr_once_rows(p);
    const double *from = s->sums + which;
    if (where == GR_ONCE_KEPT)
        from = s->elite_sums + which, stride = (size_t)gr_demes(p) * p->elites;
    if (where == GR_ONCE_MEMORY)
        from = s->memory_sums + which * rows, stride = 1;
    for (uint32_t row = w.lane; where != GR_ONCE_OWN && row < rows; row += w.width)
        s->sums[(size_t)row * p->individuals + i] = from[row * stride];
    if (o->entry != GR_NOT_ENTERED && w.lane == 0) {
        s->entries[o->entry].key = 0;
        s->entries[o->entry].first = 0;
    }
    if (where == GR_ONCE_OWN && o->instructions && o->key && gr_memory_slots(p))
        gr_remember(s, generation, i, w);
}

/* ---- what it brought ---- */

GR_FN void gr_add_spared(gr_spared *to, gr_spared spared) {
    gr_add_long(&to->nodes, spared.nodes);
    gr_add_count(&to->shared, spared.shared);
    gr_add_count(&to->kept, spared.kept);
    gr_add_count(&to->remembered, spared.remembered);
}

/* What looking at a program costs, in instructions on a case: so much each, and for each of its
 * instructions. */
enum { GR_LOOK_COST = 4096, GR_LOOK_INSTRUCTION_COST = 32, GR_LONGEST_REST = 64 };

/* Takes the counts of the generation evaluated last into the record of a deme. */
GR_FN void gr_once_tell(const gr_state *s, uint32_t deme) {
    const gr_spared none = {0, 0, 0, 0, 0};
    s->records[deme].spared = s->spared[deme];
    s->spared[deme] = none;
}

/* When the next look is taken: at once as long as they pay, otherwise after longer and longer
 * rests. One lane, behind the evaluation. */
GR_FN void gr_once_decide(const gr_state *s, uint32_t generation) {
    gr_once_course *c = s->course;
    if (generation >= c->from) {
        uint64_t cost = c->looked * GR_LOOK_COST + c->instructions * GR_LOOK_INSTRUCTION_COST;
        uint32_t pays = c->spared * gr_once_cases(&s->p) >= cost;
        c->rest = pays ? 0 : gr_min_u32(2 * c->rest + 4, GR_LONGEST_REST);
        c->from = generation + 1 + c->rest;
    }
    c->spared = c->instructions = c->looked = 0;
}

#endif
