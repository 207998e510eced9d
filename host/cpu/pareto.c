#include "host/cpu/pareto.h"

#include "gpu/core/selection/pareto.h"

#include <string.h>

/* A deme's members on their way to an order; the rows are those of gr_pareto_row. */
typedef struct ranking {
    const gr_state *s;
    uint32_t deme, members;
    uint32_t *order, *other;    /* GR_PARETO_ORDER and _TOO, where sorts go to and fro */
    uint32_t *key;              /* by member */
    uint32_t *first;            /* members that no lower one is equal to, by rising objectives */
    uint32_t firsts;            /* how many */
    uint32_t *rank, *at, *best; /* of a member; see there */
    float *crowding;            /* of a member */
} ranking;

static ranking ranking_of(const gr_state *s, uint32_t generation, uint32_t deme) {
    ranking r = {.s = s, .deme = deme, .members = gr_pareto_members(&s->p, generation)};
    r.order = gr_pareto_row_of(s, GR_PARETO_ORDER, deme);
    r.other = gr_pareto_row_of(s, GR_PARETO_ORDER_TOO, deme);
    r.key = gr_pareto_row_of(s, GR_PARETO_KEY, deme);
    r.first = gr_pareto_row_of(s, GR_PARETO_FIRST, deme);
    r.rank = gr_pareto_row_of(s, GR_PARETO_RANK, deme);
    r.at = gr_pareto_row_of(s, GR_PARETO_AT, deme);
    r.best = gr_pareto_row_of(s, GR_PARETO_BEST, deme);
    r.crowding = (float *)gr_pareto_row_of(s, GR_PARETO_CROWDING, deme);
    return r;
}

/* ---- sorting ---- */

enum { BITS = 11, DIGITS = 1 << BITS };

/* Sorts order[0, n) by the keys of its members, 11 bits at a time; equals stay as they are. */
static void sort_by_key(ranking *r, uint32_t n) {
    for (uint32_t shift = 0; shift < 32; shift += BITS) {
        uint32_t count[DIGITS] = {0}, sum = 0;
        for (uint32_t k = 0; k < n; k++)
            count[r->key[r->order[k]] >> shift & (DIGITS - 1)]++;
        if (n && count[r->key[r->order[0]] >> shift & (DIGITS - 1)] == n)
            continue; /* they are all alike */
        for (uint32_t digit = 0; digit < DIGITS; digit++) {
            uint32_t here = count[digit];
            count[digit] = sum;
            sum += here;
        }
        for (uint32_t k = 0; k < n; k++)
            r->other[count[r->key[r->order[k]] >> shift & (DIGITS - 1)]++] = r->order[k];
        uint32_t *swap = r->order;
        r->order = r->other;
        r->other = swap;
    }
}

static void sort_by_objective(ranking *r, uint32_t n, uint32_t k) {
    for (uint32_t x = 0; x < n; x++)
        r->key[r->order[x]] = gr_objective_key(r->s, r->deme, r->order[x], k);
    sort_by_key(r, n);
}

static void sort_by_rank(ranking *r, uint32_t n) {
    for (uint32_t x = 0; x < n; x++)
        r->key[r->order[x]] = r->rank[r->order[x]];
    sort_by_key(r, n);
}

static void all_members(ranking *r) {
    for (uint32_t k = 0; k < r->members; k++)
        r->order[k] = k;
}

/* By the first objective, then the next; equals by their numbers. */
static void sort_by_objectives(ranking *r) {
    all_members(r);
    for (uint32_t k = r->s->p.objectives; k-- > 0;)
        sort_by_objective(r, r->members, k);
    r->firsts = 0;
    for (uint32_t k = 0; k < r->members; k++)
        if (!k || !gr_are_equal(r->s, r->deme, r->order[k - 1], r->order[k]))
            r->first[r->firsts++] = r->order[k];
}

/* ---- ranks ---- */

/* Two objectives: members come by rising first objective; best[f] is the least second objective in
 * front f so far, which rises with f. One goes to the first front where it is below that. */
static void rank_by_two(ranking *r) {
    uint32_t fronts = 0;
    for (uint32_t k = 0; k < r->firsts; k++) {
        uint32_t value = gr_objective_key(r->s, r->deme, r->first[k], 1), low = 0, high = fronts;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (r->best[middle] <= value)
                low = middle + 1;
            else
                high = middle;
        }
        fronts += low == fronts;
        r->best[low] = value;
        r->rank[r->first[k]] = low;
    }
}

/* Three objectives: divide and conquer over the first (Jensen 2003). Of a range of `first` the left
 * half is ranked, then what its members dominate in the right half is pushed behind them, by rising
 * second objective, with the highest rank so far up to a third one in a tree of sums (`best`), then
 * the right half is ranked. */
typedef struct dividing {
    ranking *r;
    uint32_t *list;  /* numbers in `first`, of a range by second objective */
    uint32_t *third; /* by number: place by third objective, from 1 */
    uint32_t *tree;  /* highest rank + 1 up to a place */
} dividing;

static void raise_tree(const dividing *d, uint32_t place, uint32_t value) {
    for (; place <= d->r->firsts; place += place & (0u - place))
        d->tree[place - 1] = gr_max_u32(d->tree[place - 1], value);
}

static void clear_tree(const dividing *d, uint32_t place) {
    for (; place <= d->r->firsts; place += place & (0u - place))
        d->tree[place - 1] = 0;
}

static uint32_t highest_up_to(const dividing *d, uint32_t place) {
    uint32_t highest = 0;
    for (; place; place &= place - 1)
        highest = gr_max_u32(highest, d->tree[place - 1]);
    return highest;
}

/* Whether number a of `first` comes before number b by second objective; of equals the one that is
 * lower in `first`. */
static int comes_before(const dividing *d, uint32_t a, uint32_t b) {
    const ranking *r = d->r;
    uint32_t x = gr_objective_key(r->s, r->deme, r->first[a], 1),
             y = gr_objective_key(r->s, r->deme, r->first[b], 1);
    return x < y || (x == y && a < b);
}

/* The left half of a range pushes the right one; both lists are in order. */
static void push_right(const dividing *d, uint32_t low, uint32_t middle, uint32_t high) {
    uint32_t left = low;
    for (uint32_t right = middle; right < high; right++) {
        uint32_t b = d->list[right], *rank = &d->r->rank[d->r->first[b]];
        for (; left < middle && comes_before(d, d->list[left], b); left++) {
            uint32_t a = d->list[left];
            raise_tree(d, d->third[a], d->r->rank[d->r->first[a]] + 1);
        }
        *rank = gr_max_u32(*rank, highest_up_to(d, d->third[b]));
    }
    while (left-- > low)
        clear_tree(d, d->third[d->list[left]]);
}

/* list[low, high) has the numbers low .. high - 1 by second objective, before and after. */
static void divide(const dividing *d, uint32_t low, uint32_t high) {
    uint32_t middle = low + (high - low) / 2, left = low, right = 0, *aside = d->r->other;
    if (high - low < 2)
        return;
    for (uint32_t k = low; k < high; k++) { /* parted by halves, each in order */
        uint32_t number = d->list[k];
        if (number < middle)
            d->list[left++] = number;
        else
            aside[right++] = number;
    }
    memcpy(d->list + middle, aside, right * sizeof *aside);
    divide(d, low, middle);
    push_right(d, low, middle, high);
    divide(d, middle, high);
    for (left = low, right = middle; left < middle || right < high;) {
        int take =
            right == high || (left < middle && comes_before(d, d->list[left], d->list[right]));
        aside[left + right - low - middle] = take ? d->list[left] : d->list[right];
        left += (uint32_t)take;
        right += !take;
    }
    memcpy(d->list + low, aside, (high - low) * sizeof *aside);
}

static void rank_by_three(ranking *r) {
    dividing d = {r, NULL, r->at, r->best};
    uint32_t *number = r->rank; /* of a member in `first`, until it has a rank */
    for (uint32_t k = 0; k < r->firsts; k++)
        number[r->first[k]] = k;
    memcpy(r->order, r->first, r->firsts * sizeof *r->order);
    sort_by_objective(r, r->firsts, 2);
    for (uint32_t k = 0, place = 0; k < r->firsts; k++) {
        place += !k || gr_objective_key(r->s, r->deme, r->order[k - 1], 2) !=
                           gr_objective_key(r->s, r->deme, r->order[k], 2);
        r->at[number[r->order[k]]] = place;
    }
    memcpy(r->order, r->first, r->firsts * sizeof *r->order);
    sort_by_objective(r, r->firsts, 1);
    for (uint32_t k = 0; k < r->firsts; k++)
        r->order[k] = number[r->order[k]];
    d.list = r->order;
    for (uint32_t k = 0; k < r->firsts; k++)
        r->rank[r->first[k]] = r->best[k] = 0;
    divide(&d, 0, r->firsts);
}

/* ---- crowding ---- */

/* Adds objective k to the crowding of the members that count: their order by rank, then k, then the
 * other objectives. */
static void crowd_by(ranking *r, uint32_t k) {
    memcpy(r->order, r->first, r->firsts * sizeof *r->order);
    if (k)
        sort_by_objective(r, r->firsts, k);
    sort_by_rank(r, r->firsts);
    for (uint32_t begin = 0, end; begin < r->firsts; begin = end) {
        for (end = begin + 1;
             end < r->firsts && r->rank[r->order[end]] == r->rank[r->order[begin]];)
            end++;
        for (uint32_t x = begin; x < end; x++) {
            const uint32_t member[5] = {r->order[x > begin ? x - 1 : x], r->order[x],
                                        r->order[x + 1 < end ? x + 1 : x], r->order[begin],
                                        r->order[end - 1]};
            float *crowding = &r->crowding[member[1]];
            *crowding = gr_crowding_with(r->s, r->deme, *crowding, k, member);
        }
    }
}

/* Members that are equal to a lower one come behind all others. */
static void rank_copies(ranking *r) {
    uint32_t fronts = 0;
    for (uint32_t k = 0; k < r->members; k++)
        r->key[k] = 1;
    for (uint32_t k = 0; k < r->firsts; k++) {
        r->key[r->first[k]] = 0;
        fronts = gr_max_u32(fronts, r->rank[r->first[k]] + 1);
    }
    for (uint32_t k = 0; k < r->members; k++)
        if (r->key[k]) {
            r->rank[k] = fronts;
            r->crowding[k] = 0.0f;
        }
}

static int is_over(const atomic_int *stop) {
    return stop && *stop;
}

/* Given up between its steps. */
static void rank_members(const gr_state *s, uint32_t generation, uint32_t deme,
                         const atomic_int *stop) {
    ranking ranks = ranking_of(s, generation, deme), *r = &ranks;
    uint32_t *place = gr_pareto_row_of(s, GR_PARETO_PLACE, deme);
    sort_by_objectives(r);
    if (is_over(stop))
        return;
    if (s->p.objectives == 2)
        rank_by_two(r);
    else
        rank_by_three(r);
    for (uint32_t k = 0; k < r->firsts; k++)
        r->crowding[r->first[k]] = 0.0f;
    for (uint32_t k = 0; k < s->p.objectives && !is_over(stop); k++)
        crowd_by(r, k);
    if (is_over(stop))
        return;
    rank_copies(r);
    all_members(r);
    for (uint32_t k = 0; k < r->members; k++)
        r->key[k] = gr_crowding_key(gr_float_bits(r->crowding[k]));
    sort_by_key(r, r->members);
    sort_by_rank(r, r->members);
    for (uint32_t k = 0; k < r->members; k++)
        place[r->order[k]] = k;
}

void gr_cpu_rank_members(const gr_state *s, uint32_t generation, uint32_t deme) {
    rank_members(s, generation, deme, NULL);
}

/* ---- the stage ---- */

typedef struct replacing {
    const gr_state *s;
    uint32_t generation;
    const gr_cpu_interpreter *interpreter;
    gr_cpu_registers *registers;
    const atomic_int *stop;
} replacing;

/* Cost of an individual by the other metric, whose sums are made for it. */
static float measure_other(const replacing *w, uint32_t i, gr_cpu_registers *registers) {
    const gr_state *s = w->s;
    const gr_params *other = s->other;
    uint32_t length = s->individuals[w->generation & 1][i].instructions;
    double total[GR_MAX_SUMS] = {0.0}, sum[GR_MAX_SUMS];
    if (!length)
        return GR_INFINITY;
    for (uint32_t chunk = 0; chunk < other->train_chunks; chunk++) {
        const float *tile = s->train + chunk * gr_tile_of(other);
        w->interpreter->evaluate(other, gr_program(s, i), length, (gr_cpu_chunk){tile, 0, chunk},
                                 registers, sum);
        gr_add_chunk(other, sum, total);
    }
    return gr_cost(other, total, 0, NULL);
}

static void write_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const replacing *w = context;
    const gr_state *s = w->s;
    for (uint32_t i = (uint32_t)first; i < last && !is_over(w->stop); i++) {
        if (!s->demes[i / s->p.population].active)
            continue;
        if (gr_has_other(&s->p))
            s->other_cost[i] = s->p.other_shares ? gr_other_cost(s, w->generation, i)
                                                 : measure_other(w, i, &w->registers[thread]);
        gr_write_objectives(s, w->generation, i);
    }
}

/* Which parent comes to which place, and what a deme's record tells of it. */
static void choose_survivors(const gr_state *s, uint32_t generation, uint32_t deme) {
    uint32_t n = s->p.population, parent = 0;
    const uint32_t *place = gr_pareto_row_of(s, GR_PARETO_PLACE, deme),
                   *rank = gr_pareto_row_of(s, GR_PARETO_RANK, deme);
    uint32_t *source = gr_pareto_row_of(s, GR_PARETO_SOURCE, deme);
    gr_replaced_by told = {0};
    for (uint32_t index = 0; index < n; index++) {
        source[index] = GR_STAYS;
        told.nodes += gr_sized(s, generation, deme * n + index)->nodes;
        if (place[index] >= n) {
            while (place[n + parent] >= n)
                parent++;
            source[index] = parent++;
        }
    }
    for (uint32_t k = 0; k < gr_pareto_members(&s->p, generation); k++)
        if (place[k] < n) {
            told.first_front += rank[k] == 0;
            told.fronts = gr_max_u32(told.fronts, rank[k] + 1);
        }
    s->replaced_by[deme] = told;
}

static void rank_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const replacing *w = context;
    (void)thread;
    for (uint32_t deme = (uint32_t)first; deme < last && !is_over(w->stop); deme++)
        if (w->s->demes[deme].active)
            rank_members(w->s, w->generation, deme, w->stop);
}

static void choose_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const replacing *w = context;
    (void)thread;
    for (uint32_t deme = (uint32_t)first; deme < last; deme++)
        if (w->s->demes[deme].active)
            choose_survivors(w->s, w->generation, deme);
}

static void survive_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const replacing *w = context;
    (void)thread;
    for (uint32_t i = (uint32_t)first; i < last; i++)
        gr_survive(w->s, w->generation, i, (gr_lane_group){0, 1});
}

static void keep_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const replacing *w = context;
    (void)thread;
    for (uint32_t i = (uint32_t)first; i < last; i++)
        gr_keep_parent(w->s, w->generation, i, (gr_lane_group){0, 1});
}

void gr_cpu_rank_all(const gr_state *s, uint32_t generation, const gr_cpu_interpreter *interpreter,
                     gr_cpu_registers *registers, gr_team *team, const atomic_int *stop) {
    replacing work = {s, generation, interpreter, registers, stop};
    gr_team_loop(team, s->p.individuals, 64, write_some, &work);
    gr_team_loop(team, gr_demes(&s->p), 1, rank_some, &work);
}

void gr_cpu_replace_ranked(const gr_state *s, uint32_t generation, gr_team *team) {
    replacing work = {.s = s, .generation = generation};
    gr_team_loop(team, gr_demes(&s->p), 1, rank_some, &work);
    gr_cpu_survive(s, generation, team);
}

void gr_cpu_survive(const gr_state *s, uint32_t generation, gr_team *team) {
    replacing work = {.s = s, .generation = generation};
    gr_team_loop(team, gr_demes(&s->p), 1, choose_some, &work);
    gr_team_loop(team, s->p.individuals, 256, survive_some, &work);
    gr_cpu_keep_parents(s, generation, team);
}

void gr_cpu_keep_parents(const gr_state *s, uint32_t generation, gr_team *team) {
    replacing work = {.s = s, .generation = generation};
    gr_team_loop(team, s->p.individuals, 256, keep_some, &work);
}
