/* The members of a crew do the same call at the same time, each on a thread or in a process of its
 * own, the first one on the caller's thread. */
#ifndef GRAMPUS_CREW_H
#define GRAMPUS_CREW_H

#include "host/spread/member.h"

/* All members do the calls that stand in them, then the caller goes on. The first failure of any:
 * GR_OK where there is none. */
gr_status gr_crew_call(gr_member *members, uint32_t count, gr_error *error);

/* Threads for all members but the first and those elsewhere. */
gr_status gr_crew_start(gr_member *members, uint32_t count, gr_error *error);
void gr_crew_end(gr_member *members, uint32_t count);

#endif
