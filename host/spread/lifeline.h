/* A connection from every process to the one that leads, over which nothing goes: when it breaks,
 * a process has died, and the others, which would wait for it for ever, end within a second with a
 * line and GR_DEVICE_FAILED. MPI by itself leaves that to its launcher. */
#ifndef GRAMPUS_LIFELINE_H
#define GRAMPUS_LIFELINE_H

#include "host/spread/transport.h"

/* All processes come here together. Where no connection can be made the run goes on without. */
void gr_lifeline_tie(const gr_transport *transport);
/* From here on others may end. */
void gr_lifeline_loosen(void);
void gr_lifeline_untie(void);

#endif
