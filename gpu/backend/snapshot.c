#include "gpu/backend/snapshot.h"

#include "gpu/backend/arena.h"
#include "gpu/core/fitness/fitness.h"
#include "gpu/core/selection/niches.h"

gr_longest gr_snapshot_longest(const gr_params *p, const gr_individual *individuals,
                               const gr_deme *demes) {
    gr_longest longest = {1, 1, 1};
    for (uint32_t i = 0; i < p->individuals; i++) {
        longest.genotype = gr_max_u32(longest.genotype, individuals[i].length);
        longest.program = gr_max_u32(longest.program, individuals[i].instructions);
    }
    for (uint32_t d = 0; d < gr_demes(p); d++)
        longest.best = gr_max_u32(longest.best, demes[d].best.length);
    return longest;
}

int gr_snapshot_has_costs(const gr_params *p) {
    return gr_sum_kind_of(p) != GR_SUM_CLASS_BINS;
}

/* Bytes of a section's rows that are in use; 0: it is not kept. */
static size_t width_of(const gr_snapshot *snapshot, const gr_params *p, gr_section section,
                       size_t stride, gr_longest longest) {
    size_t element = gr_snapshot_element(p, section);
    switch (section) {
    case GR_SECTION_GENOTYPES:
        return longest.genotype * element;
    case GR_SECTION_BEST_GENOMES:
        return longest.best * element;
    case GR_SECTION_PROGRAMS:
        return longest.program * element;
    case GR_SECTION_COSTS:
        return snapshot->ended || gr_snapshot_has_costs(p) ? stride : 0;
    case GR_SECTION_PLANS: /* of the generation bred last: of no more use */
    case GR_SECTION_SELECTED_INDIVIDUALS:
    case GR_SECTION_SELECTED_GENOTYPES:
    case GR_SECTION_SELECTED_CONSTANTS:
        return 0;
    default:
        return stride;
    }
}

void gr_snapshot_plan(gr_snapshot *snapshot, const gr_state *state, gr_longest longest) {
    const gr_params *p = &state->p;
    size_t at = 0;
    for (int k = 0; k < GR_SECTION_COUNT; k++) {
        gr_section section = (gr_section)k;
        const void *place;
        int of_demes = section == GR_SECTION_DEMES || section == GR_SECTION_BEST_GENOMES ||
                       section == GR_SECTION_RECORDS || section == GR_SECTION_DIVERSITY ||
                       section == GR_SECTION_REPLACED_BY || section == GR_SECTION_BEST_CONSTANTS ||
                       section == GR_SECTION_KNOWN || section == GR_SECTION_KNOWN_KEYS ||
                       section == GR_SECTION_KNOWN_CLAIMS;
        int of_runs = section == GR_SECTION_SEEN, of_niches = section >= GR_SECTION_NICHES;
        size_t rows = of_runs     ? p->runs
                      : of_demes  ? gr_demes(p)
                      : of_niches ? gr_archived(p)
                                  : p->individuals;
        size_t all = gr_arena_section(state, section, snapshot->generation, &place);
        size_t stride = all ? all / rows : 0;
        gr_snapshot_part *part = &snapshot->part[k];
        part->stride = stride;
        part->width = width_of(snapshot, p, section, stride, longest);
        part->rows = part->width ? rows : 0;
        part->offset = at;
        part->bytes = part->rows * part->width;
        part->packed = 0;
        at = (at + part->bytes + 255) & ~(size_t)255;
    }
    snapshot->bytes = at;
}

size_t gr_snapshot_most(const gr_state *state) {
    const gr_params *p = &state->p;
    uint32_t genotype = p->genotype == GR_TREE ? p->max_nodes : p->genome_capacity;
    gr_snapshot s = {.ended = 1};
    gr_snapshot_plan(&s, state, (gr_longest){genotype, p->max_nodes, genotype});
    return s.bytes;
}

size_t gr_snapshot_room(const gr_state *state, size_t bytes) {
    size_t most = gr_snapshot_most(state);
    return bytes + bytes / 4 < most ? bytes + bytes / 4 : most;
}

void *gr_snapshot_place(const gr_snapshot *snapshot, const gr_state *state, gr_section section) {
    const void *at;
    gr_arena_section(state, section, snapshot->generation, &at);
    return (void *)(uintptr_t)at;
}

void *gr_snapshot_rows(const gr_snapshot *snapshot, gr_section section) {
    return snapshot->memory + snapshot->part[section].offset;
}

gr_snapshot_sizes gr_snapshot_own_sizes(const gr_snapshot *snapshot) {
    return (gr_snapshot_sizes){gr_snapshot_rows(snapshot, GR_SECTION_INDIVIDUALS),
                               gr_snapshot_rows(snapshot, GR_SECTION_NICHE_INDIVIDUALS),
                               gr_snapshot_rows(snapshot, GR_SECTION_DEMES)};
}

size_t gr_snapshot_used(const gr_snapshot_sizes *sizes, gr_section section, size_t row,
                        size_t whole) {
    switch (section) {
    case GR_SECTION_GENOTYPES:
        return sizes->individuals[row].length;
    case GR_SECTION_PROGRAMS:
        return sizes->individuals[row].instructions;
    case GR_SECTION_BEST_GENOMES:
        return sizes->demes[row].best.length;
    case GR_SECTION_NICHE_GENOTYPES:
        return sizes->archived[row].length;
    default:
        return whole;
    }
}

size_t gr_snapshot_element(const gr_params *p, gr_section section) {
    switch (section) {
    case GR_SECTION_GENOTYPES:
    case GR_SECTION_BEST_GENOMES:
    case GR_SECTION_NICHE_GENOTYPES:
        return p->genotype == GR_TREE ? sizeof(gr_node) : sizeof(uint32_t);
    case GR_SECTION_PROGRAMS:
        return sizeof(gr_instruction);
    default:
        return 0;
    }
}

void gr_snapshot_forget_spared(const gr_snapshot *snapshot, const gr_state *state) {
    gr_record *records = gr_snapshot_rows(snapshot, GR_SECTION_RECORDS);
    for (uint32_t d = 0; !state->once && d < gr_demes(&state->p); d++)
        records[d].spared = (gr_spared){0};
}

int gr_snapshot_goes_on(const gr_snapshot *snapshot, const gr_params *p) {
    const gr_deme *demes = gr_snapshot_rows(snapshot, GR_SECTION_DEMES);
    int active = 0;
    for (uint32_t d = 0; d < gr_demes(p); d++)
        active |= demes[d].active != 0;
    return active && (!snapshot->ended || snapshot->generation < p->generations);
}
