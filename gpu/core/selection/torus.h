/* Fine-grained diffusion on a torus (Langdon 2007, after Langdon 1998): every individual has a
 * cell, meets one neighbour in selection and the next one round the clock in crossover.
 *
 * Cells are coloured like a chessboard. In direction d a cell of colour 0 meets its neighbour in d,
 * one of colour 1 its neighbour in the opposite direction, so that all meet in pairs at once. On a
 * torus with an odd side two cells of one colour stand beside each other at the seam; such a cell
 * meets nobody in that direction. */
#ifndef GR_TORUS_H
#define GR_TORUS_H

#include "gpu/core/variation/crossover.h"

/* The neighbour of a cell to the north (0), east, south or west (3). */
GR_FN uint32_t gr_neighbour(uint32_t width, uint32_t height, uint32_t cell, uint32_t direction) {
    uint32_t x = cell % width, y = cell / width;
    switch (direction) {
    case 0:
        y = y ? y - 1 : height - 1;
        break;
    case 1:
        x = x + 1 < width ? x + 1 : 0;
        break;
    case 2:
        y = y + 1 < height ? y + 1 : 0;
        break;
    default:
        x = x ? x - 1 : width - 1;
    }
    return y * width + x;
}
GR_FN uint32_t gr_torus_neighbour(const gr_params *p, uint32_t cell, uint32_t direction) {
    return gr_neighbour(p->deme_width, p->population / p->deme_width, cell, direction);
}

GR_FN uint32_t gr_torus_colour(const gr_params *p, uint32_t cell) {
    return (cell % p->deme_width + cell / p->deme_width) & 1u;
}

/* The cell that a cell meets in a direction; itself when it meets none. */
GR_FN uint32_t gr_torus_partner(const gr_params *p, uint32_t cell, uint32_t direction) {
    uint32_t colour = gr_torus_colour(p, cell);
    uint32_t other = gr_torus_neighbour(p, cell, (direction + 2 * colour) & 3u);
    return gr_torus_colour(p, other) != colour ? other : cell;
}

/* The number of the pair that the child at a cell of `generation` belongs to: both draw by it. */
GR_FN uint32_t gr_pair_of(const gr_params *p, uint32_t generation, uint32_t cell) {
    if (!p->torus)
        return (cell - p->elites) << p->one_child >> 1;
    uint32_t mate = gr_torus_partner(p, cell, generation & 3u);
    return gr_torus_colour(p, cell) ? mate : cell;
}

/* The cell whose individual stands at a cell after selection: the neighbour's if that is better; of
 * equals the own. */
GR_FN uint32_t gr_torus_survivor(const gr_state *s, uint32_t deme, uint32_t cell,
                                 uint32_t direction) {
    const float *cost =
        (s->selection_cost ? s->selection_cost : s->cost) + (size_t)deme * s->p.population;
    uint32_t other = gr_torus_partner(&s->p, cell, direction);
    return cost[other] < cost[cell] ? other : cell;
}

/* Plan of the child at a cell in generation + 1. The directions turn by 90 degrees every
 * generation: selection goes where crossover will have gone a generation later. */
GR_CALL gr_plan gr_torus_plan(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t cell,
                              gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, base = deme * p->population, direction = generation & 3u;
    uint32_t mate = gr_torus_partner(p, cell, (direction + 1) & 3u);
    uint32_t first = gr_pair_of(p, generation + 1, cell), second = first != cell;
    uint32_t a = base + gr_torus_survivor(s, deme, first, direction);
    if (mate == cell)
        return gr_copy_plan(a, s->individuals[buffer][a].length, 0);
    uint32_t b = base + gr_torus_survivor(s, deme, second ? cell : mate, direction);
    return gr_crossover_plan(s, generation + 1, deme, 2 * first + second,
                             gr_parents_at(s, buffer, a, b), w);
}

#endif
