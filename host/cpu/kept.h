/* What is kept of a generation while the next one is made, which may be given up when the run is
 * told to stop: then the run ends with the one before it, as if nothing had been begun. */
#ifndef GRAMPUS_CPU_KEPT_H
#define GRAMPUS_CPU_KEPT_H

#include "gpu/core/state/state.h"
#include "host/cpu/team.h"

#include <stddef.h>

/* Only what cannot be made once more from the genotypes; NULL: it can, or there is no such thing.
 */
typedef struct gr_cpu_kept {
    int whole;         /* the next generation may be given up */
    char *programs;    /* with constants fitted beside genomes: what is in use of them, packed */
    size_t *first;     /* [n + 1] bytes before those of an individual */
    gr_known *known;   /* [demes] counts of phenotypes so far */
    float *objectives; /* [n][objectives] */
    gr_deme *demes;    /* [demes], for what fitting counts */
} gr_cpu_kept;

/* Of generation `generation`, which has been selected, before migration. */
void gr_cpu_keep(const gr_state *s, uint32_t generation, gr_team *team, gr_cpu_kept *kept);
/* Back to it. `bred`: so many individuals, from the first on, may be of the next generation. */
void gr_cpu_go_back(const gr_state *s, uint32_t generation, uint32_t bred, const gr_cpu_kept *kept,
                    gr_team *team);
void gr_cpu_keep_no_more(gr_cpu_kept *kept);

#endif
