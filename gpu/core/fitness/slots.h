/* Thresholds between classes fitted to a program's own outputs ("class-rule: fitted"). After the
 * slotted dynamic class boundaries of Zhang and Smart (EvoWorkshops 2004): the training outputs are
 * counted by class in slots. Here a slot is an eighth of a power of two, and the classes stand in
 * the order of their labels, parted where the fewest cases are wrong. Counts are whole numbers, so
 * neither the order of work nor the device shows in them. */
#ifndef GR_SLOTS_H
#define GR_SLOTS_H

#include "gpu/core/fitness/fitness.h"
#include "gpu/core/state/state.h"

/* Slots of magnitudes of one sign: the first below 2^-6, the last from 2^9.75 on. */
enum { GR_SLOT_HALF = GR_SLOTS / 2, GR_SLOT_BASE = ((127 - 6) << 3) - 1 };

/* The slot of an output, rising with it; GR_SLOTS: NaN. */
GR_FN uint32_t gr_slot_of(float output) {
    uint32_t place = (gr_float_bits(output) & 0x7fffffffu) >> 20;
    uint32_t size = place > GR_SLOT_BASE ? place - GR_SLOT_BASE : 0;
    size = gr_min_u32(size, GR_SLOT_HALF - 1);
    if (!(output == output))
        return GR_SLOTS;
    return output < 0.0f ? GR_SLOT_HALF - 1 - size : GR_SLOT_HALF + size;
}

/* The smallest output of a slot. */
GR_FN float gr_slot_edge(uint32_t slot) {
    if (slot == 0)
        return -GR_INFINITY;
    if (slot < GR_SLOT_HALF) /* the largest magnitude of its size */
        return -gr_bits_float(((GR_SLOT_BASE + GR_SLOT_HALF - slot) << 20) - 1);
    return slot == GR_SLOT_HALF ? 0.0f : gr_bits_float((GR_SLOT_BASE + slot - GR_SLOT_HALF) << 20);
}

/* Counts of a program, [slot][class], and where a case is counted. */
GR_BOTH size_t gr_slot_counts(const gr_params *p) {
    return (size_t)GR_SLOTS * (p->thresholds + 1);
}
GR_FN uint32_t gr_slot_place(const gr_params *p, uint32_t slot, float target) {
    return slot * (p->thresholds + 1) + (uint32_t)(target - p->class_min);
}

/* The threshold of a class that begins at `slot`: in the middle of the empty slots before it. */
GR_FN float gr_slot_border(const uint32_t *count, uint32_t classes, uint32_t slot) {
    uint32_t low = slot, cases = 0;
    while (low > 0 && !cases) {
        for (uint32_t k = 0; k < classes; k++)
            cases += count[(low - 1) * classes + k];
        low -= !cases;
    }
    return gr_slot_edge(low ? low + (slot - low + 1) / 2 : 0);
}

/* The thresholds [classes - 1] with the fewest errors; returns how many cases they get right.
 * most[k] is the number of right ones in the slots so far when the last is of class k at most. */
GR_FN uint32_t gr_fit_slots(const uint32_t *count, uint32_t classes, float *threshold) {
    uint32_t most[GR_MAX_THRESHOLDS + 1], lower[GR_SLOTS]; /* bit k - 1: class k is not the best */
    for (uint32_t k = 0; k < classes; k++)
        most[k] = 0;
    for (uint32_t slot = 0; slot < GR_SLOTS; slot++) {
        most[0] += count[slot * classes];
        lower[slot] = 0;
        for (uint32_t k = 1; k < classes; k++) {
            uint32_t taken = most[k] + count[slot * classes + k];
            lower[slot] |= (uint32_t)(most[k - 1] >= taken) << (k - 1);
            most[k] = gr_max_u32(most[k - 1], taken);
        }
    }
    uint32_t k = classes - 1;
    for (uint32_t slot = GR_SLOTS; slot-- > 0;)
        for (; k > 0 && lower[slot] >> (k - 1) & 1u; k--)
            threshold[k - 1] =
                slot + 1 < GR_SLOTS ? gr_slot_border(count, classes, slot + 1) : GR_INFINITY;
    while (k-- > 0) /* classes below all outputs */
        threshold[k] = -GR_INFINITY;
    return most[classes - 1];
}

/* Fits the thresholds of individual i to what was counted of its outputs, puts its errors in the
 * place of its sums, and clears the counts. */
GR_FN void gr_fit_individual(const gr_state *s, uint32_t generation, uint32_t i) {
    const gr_params *p = &s->p;
    uint32_t *count = s->slots + i * gr_slot_counts(p);
    if (!s->individuals[generation & 1][i].instructions)
        return;
    uint32_t right = gr_fit_slots(count, p->thresholds + 1, s->fitted + (size_t)i * p->thresholds);
    for (uint32_t chunk = 0; chunk < p->train_chunks; chunk++)
        s->sums[(size_t)chunk * p->individuals + i] =
            chunk ? 0.0 : (double)(p->train_cases - right);
    for (size_t k = 0; k < gr_slot_counts(p); k++)
        count[k] = 0;
}

#endif
