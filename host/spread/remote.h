/* Members of a crew that live in other processes: calls and what comes of them as messages. All
 * processes run the same program on the same kind of machine. */
#ifndef GRAMPUS_REMOTE_H
#define GRAMPUS_REMOTE_H

#include "host/spread/member.h"
#include "host/spread/transport.h"

/* Sends a member its call; with GR_CALL_OPEN its job. */
void gr_remote_post(gr_member *member);
/* Waits for what came of it. */
void gr_remote_collect(gr_member *member);

/* What a process that does not lead does, until it is told to leave: the exit code. *asked: set
 * when a signal wants the run to stop. */
int gr_remote_serve(const gr_transport *transport, volatile int *asked);
/* Tells all others to leave with this code. */
void gr_remote_dismiss(const gr_transport *transport, int code);

#endif
