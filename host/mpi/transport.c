/* grampus-mpi.so: what host/spread/transport.h asks of MPI. It is compiled by the MPI that it is
 * for, and knows nothing of the program but that header. */
#include "host/spread/transport.h"

#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { PART = 1 << 30, TAG_CALL = 1, TAG_ISLANDS };

static MPI_Comm world, islands;
static gr_transport self;

static int send_bytes(const void *data, size_t bytes, int to) {
    const char *at = data;
    do {
        size_t part = bytes < PART ? bytes : PART;
        if (MPI_Send(at, (int)part, MPI_BYTE, to, TAG_CALL, world) != MPI_SUCCESS)
            return 0;
        at += part;
        bytes -= part;
    } while (bytes);
    return 1;
}

/* Waits without a processor of its own once it has waited for a moment: MPI itself would turn. */
static int wait_for(int from) {
    const struct timespec nap = {0, 50000};
    int there = 0;
    for (int turns = 0; !there; turns++) {
        if (MPI_Iprobe(from, TAG_CALL, world, &there, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return 0;
        if (!there && turns > 2000)
            nanosleep(&nap, NULL);
    }
    return 1;
}

static int receive_bytes(void *data, size_t bytes, int from) {
    char *at = data;
    do {
        size_t part = bytes < PART ? bytes : PART;
        if (!wait_for(from) || MPI_Recv(at, (int)part, MPI_BYTE, from, TAG_CALL, world,
                                        MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return 0;
        at += part;
        bytes -= part;
    } while (bytes);
    return 1;
}

/* All messages of an exchange on their way at once; between two processes they keep their order. */
static int exchange_all(const gr_transfer *list, uint32_t count, MPI_Request *request) {
    int started = 0;
    for (uint32_t k = 0; k < count; k++) {
        const gr_transfer *t = &list[k];
        for (size_t first = 0; first < t->bytes; first += PART) {
            char *at = (char *)t->at + first;
            int part = (int)(t->bytes - first < PART ? t->bytes - first : PART),
                to_me = (int)t->to == self.rank;
            int code = to_me ? MPI_Irecv(at, part, MPI_BYTE, (int)t->from, TAG_ISLANDS, islands,
                                         &request[started])
                             : MPI_Isend(at, part, MPI_BYTE, (int)t->to, TAG_ISLANDS, islands,
                                         &request[started]);
            if (code != MPI_SUCCESS)
                return 0;
            started++;
        }
    }
    return MPI_Waitall(started, request, MPI_STATUSES_IGNORE) == MPI_SUCCESS;
}

static gr_status exchange(void *context, const gr_transfer *list, uint32_t count, gr_error *error) {
    size_t parts = 0;
    (void)context;
    for (uint32_t k = 0; k < count; k++)
        parts += (list[k].bytes + PART - 1) / PART;
    MPI_Request *request = malloc((parts + 1) * sizeof *request);
    int done = request && exchange_all(list, count, request);
    free(request);
    if (!done) {
        *error = (gr_error){GR_FAILED, "MPI: islands could not be exchanged"};
        return GR_FAILED;
    }
    return GR_OK;
}

static void leave(void) {
    MPI_Barrier(world);
    MPI_Comm_free(&islands);
    MPI_Comm_free(&world);
    MPI_Finalize();
}

__attribute__((visibility("default"))) const gr_transport *grampus_transport_join(void);
const gr_transport *grampus_transport_join(void) {
    MPI_Comm host;
    int level;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
        return NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_dup(MPI_COMM_WORLD, &islands);
    MPI_Comm_size(world, &self.size);
    MPI_Comm_rank(world, &self.rank);
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, self.rank, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &self.local);
    MPI_Comm_free(&host);
    self.send = send_bytes;
    self.receive = receive_bytes;
    self.exchange = exchange;
    self.leave = leave;
    return &self;
}
