/* Elites copied with their programs, where most of a generation are elites, as in a steady state:
 * to map and compile them once more would be most of the work of a step. */
#ifndef GRAMPUS_CPU_COPIES_H
#define GRAMPUS_CPU_COPIES_H

#include "gpu/backend/engine.h"
#include "gpu/core/state/state.h"
#include "host/cpu/team.h"

#include <stddef.h>

/* Programs of the parents of elites [from, from + count) of a generation, put aside before children
 * are written over them. Grows, and is used again. */
typedef struct gr_cpu_copies {
    uint32_t from, count;
    size_t *first;            /* [count + 1] instructions before those of one */
    gr_instruction *programs; /* one after the other */
    size_t places, room;      /* of `first` and `programs` */
} gr_cpu_copies;

/* Elites of all demes where most of a generation are some, else 0. */
uint32_t gr_cpu_most_elites(const gr_params *p);
/* Whether programs of a generation are still there when the next is bred, and whether a copy of an
 * elite has nothing that is not copied here. */
int gr_cpu_copies_elites(const gr_job *job);
/* Puts aside what the elites among individuals [from, from + count) will need, by a team, or NULL:
 * by this thread; 0: there is no memory for it, and they have to be bred. */
int gr_cpu_put_aside(const gr_state *s, uint32_t generation, uint32_t from, uint32_t count,
                     gr_cpu_copies *to, gr_team *team);
/* Whether individual i of a generation is one of them. */
int gr_cpu_is_copy(const gr_state *s, uint32_t i);
void gr_cpu_copy_elite(const gr_state *s, uint32_t generation, uint32_t i,
                       const gr_cpu_copies *from);
void gr_cpu_free_copies(gr_cpu_copies *copies);

#endif
