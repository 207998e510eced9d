/* A connection from every process to the one that leads: when it breaks, a process has died, and
 * the others, which would wait for it for ever, end within a second with a line and
 * GR_DEVICE_FAILED. MPI by itself leaves that to its launcher. Over it goes nothing but that a
 * process was asked to end, which has nothing to answer where it has no part in the run. */
#ifndef GRAMPUS_LIFELINE_H
#define GRAMPUS_LIFELINE_H

#include "host/spread/transport.h"

/* All processes come here together. Where no connection can be made the run goes on without.
 * `told`: of the leading process, called by a thread of its own when another one has told it. */
void gr_lifeline_tie(const gr_transport *transport, void (*told)(void));
/* To the leading process; a signal handler may. */
void gr_lifeline_tell(void);
/* From here on others may end. */
void gr_lifeline_loosen(void);
void gr_lifeline_untie(void);

#endif
