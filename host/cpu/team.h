/* A team of threads that share loops.
 *
 * Who gives a loop to the team begins with it at once, and waits at its end for those alone that
 * have taken a part: on a busy machine the others come late or never, and are not missed. Whoever
 * waits looks for a moment whether it is over and then sleeps. A team belongs to the thread that
 * opened it; nothing is shared between teams.
 *
 * At the barriers of OpenMP everybody has to arrive: a generation's loops that take 16 threads 0.2
 * ms on 16 idle cores, by OpenMP and by a team, take 87 and 0.7 ms beside 16 busy loops. */
#ifndef GRAMPUS_TEAM_H
#define GRAMPUS_TEAM_H

#include <stddef.h>
#include <stdint.h>

typedef struct gr_team gr_team;

/* Does indices [first, last) of a loop, as thread `thread` of the team; 0 is who gave the loop. */
typedef void gr_loop_body(void *context, uint64_t first, uint64_t last, uint32_t thread);

/* A team of at most `threads`, the caller one of them: of fewer if the system gives no more. NULL
 * is a team too, of the caller alone. */
gr_team *gr_team_open(uint32_t threads);
size_t gr_team_bytes(uint32_t threads); /* of memory, the threads' stacks not counted */
uint32_t gr_team_size(const gr_team *team);
void gr_team_close(gr_team *team);

/* Does all indices below count, in pieces of `grain`; in any order, by any thread of the team. */
void gr_team_loop(gr_team *team, uint64_t count, uint32_t grain, gr_loop_body *body, void *context);

#endif
