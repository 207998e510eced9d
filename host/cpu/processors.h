#ifndef GRAMPUS_PROCESSORS_H
#define GRAMPUS_PROCESSORS_H

#include "gpu/backend/engine.h"

/* Processors that this process may use: OMP_NUM_THREADS if the user has set it, otherwise what
 * affinity and the quota of the control group leave. */
uint32_t gr_processors(void);

/* Threads for a run on the CPU: as many as the job asks for, otherwise what its work is worth on
 * these processors. */
uint32_t gr_threads_for(const gr_job *job);

/* Threads for cases that are loaded, in chunks: as many as are wanted (0: as there are processors),
 * but none that would have less to do than it costs to begin. */
uint32_t gr_threads_for_chunks(uint32_t wanted, uint64_t chunks);

/* Processors that the quota of a control group comes to, rounded up; 0: it has none. `root` is
 * where control groups are mounted, `membership` a file like /proc/self/cgroup. */
uint32_t gr_processor_quota(const char *root, const char *membership);

#endif
