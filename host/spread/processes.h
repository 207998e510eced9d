/* The processes that this one was started with (transport.h): of the program alone, whose main
 * looks for them first. */
#ifndef GRAMPUS_PROCESSES_H
#define GRAMPUS_PROCESSES_H

#include "host/spread/transport.h"

/* Joins the others if mpirun or srun started several. GR_FAILED where they cannot be joined, for
 * each would do the whole work, and where one is of another build, which process 0 alone has a text
 * of. GRAMPUS_MPI=0 in the environment: they have nothing to do with one another. */
gr_status gr_processes_join(gr_error *error);
/* Whether there is an MPI to join others with. */
int gr_processes_can_join(void);
/* A signal to another process than 0 asks all to end. That process tells so, also amid a signal
 * handler; process 0 has `pass_on` called, by any thread, as soon as it listens, and may so more
 * than once. */
void gr_processes_tell(void);
void gr_processes_told(void);
void gr_processes_listen(void (*pass_on)(void));
/* NULL: this process is alone. */
const gr_transport *gr_processes(void);
/* Of process 0: the others end with this exit code. Then MPI is done with. */
void gr_processes_leave(int code);

#endif
