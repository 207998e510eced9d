/* What of a run each of several engines has: some runs of a batch, some islands of every run, or
 * all of it and some of the training cases, or some of the individuals to breed and evaluate. */
#ifndef GRAMPUS_SHARES_H
#define GRAMPUS_SHARES_H

#include "gpu/backend/engine.h"
#include "gpu/core/base/params.h"

#include <stddef.h>

typedef enum gr_sharing {
    GR_SHARING_RUNS,
    GR_SHARING_ISLANDS, /* of every run */
    GR_SHARING_CASES,   /* chunks of them */
    GR_SHARING_POPULATION
} gr_sharing;

typedef struct gr_shares {
    uint32_t members;
    gr_sharing of;
    uint32_t *first; /* [members + 1] member m has first[m] .. first[m + 1] - 1 */
} gr_shares;

/* Whether every engine has all individuals of all runs in the end. */
int gr_shares_alike(gr_sharing of);

/* How many of at most `most` engines a job has work for, and what it is. Where neither cases nor
 * individuals are asked for, whole runs if there are enough of them: they have nothing to tell each
 * other. */
uint32_t gr_shares_members(const gr_job *job, uint32_t most, gr_sharing *of);

/* Shares by the members' speeds; equal ones where these differ by less than a twentieth. Everybody
 * gets something. Returns 0 without memory. */
int gr_shares_make(const gr_params *p, const double *speeds, uint32_t members, gr_sharing of,
                   gr_shares *shares);
void gr_shares_free(gr_shares *shares);

/* The parameters of a member. */
gr_params gr_share_params(const gr_shares *shares, const gr_params *p, uint32_t member);

/* Which deme of all a member's deme is. */
uint32_t gr_share_deme(const gr_shares *shares, const gr_params *p, uint32_t member, uint32_t deme);

/* Copies rows of a member's demes to where they stand among those of all, or back; `bytes` of a
 * deme here and there. What lies behind `limit` bytes of all is left out. */
typedef struct gr_share_rows {
    char *all, *part;
    size_t bytes, limit;
    int back;
} gr_share_rows;
void gr_share_copy(const gr_shares *shares, const gr_params *p, uint32_t member,
                   const gr_share_rows *rows);

#endif
