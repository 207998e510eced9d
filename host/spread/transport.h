/* Processes that share a run, started by mpirun or srun: process 0 leads, the others do what it
 * asks (remote.h). MPI stands in a library of its own, grampus-mpi.so beside the program or in
 * ../lib/grampus, loaded in a process that was started with others: the program itself needs none.
 */
#ifndef GRAMPUS_TRANSPORT_H
#define GRAMPUS_TRANSPORT_H

#include "gpu/backend/peers.h"

#include <stddef.h>

typedef struct gr_transport {
    int size, rank;
    int local; /* number of this process on its host */
    /* Both wait; 0 where it failed. */
    int (*send)(const void *data, size_t bytes, int to);
    int (*receive)(void *data, size_t bytes, int from);
    /* As gr_peers has it; the members of a crew are the first processes. */
    gr_status (*exchange)(void *context, const gr_transfer *list, uint32_t count, gr_error *error);
    void (*leave)(void); /* all come here */
} gr_transport;

/* The function of grampus-mpi.so: joins the others. NULL: no MPI, or no others. */
typedef const gr_transport *gr_transport_join(void);
#define GR_TRANSPORT_JOIN "grampus_transport_join"

#endif
