/* The CUDA backend, engines that have some islands, training cases or individuals each: what they
 * exchange goes from device to device by NCCL, between the kernels of a generation in the same
 * stream. NCCL is loaded when a run needs it: the program starts, and runs on one device, where
 * there is none. */
#include "gpu/core/fitness/class_bins.h"
#include "gpu/engine_cuda.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifdef GRAMPUS_NCCL
#include <nccl.h>

struct gr_nccl {
    decltype(&ncclGetVersion) version;
    decltype(&ncclGetUniqueId) unique_id;
    decltype(&ncclCommInitRank) init;
    decltype(&ncclCommAbort) abort;
    decltype(&ncclCommDestroy) destroy;
    decltype(&ncclCommGetAsyncError) async_error;
    decltype(&ncclGroupStart) group_start;
    decltype(&ncclGroupEnd) group_end;
    decltype(&ncclSend) send;
    decltype(&ncclRecv) receive;
    decltype(&ncclAllReduce) all_reduce;
    decltype(&ncclGetErrorString) error_text;
    int complete;
};
static_assert(sizeof(ncclUniqueId) == GR_PEERS_KEY, "the key is NCCL's unique id");

static const gr_nccl *find_nccl(void) {
    static const gr_nccl found = [] {
        gr_nccl n = {};
        const char *named = getenv("GRAMPUS_NCCL_LIBRARY");
        void *lib = dlopen(named ? named : "libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
        if (!lib)
            return n;
        n.complete = 1;
#define GR_FIND(field, name)                                                                       \
    n.field = (decltype(n.field))dlsym(lib, name);                                                 \
    n.complete &= n.field != NULL;
        GR_FIND(version, "ncclGetVersion")
        GR_FIND(unique_id, "ncclGetUniqueId")
        GR_FIND(init, "ncclCommInitRank")
        GR_FIND(abort, "ncclCommAbort")
        GR_FIND(destroy, "ncclCommDestroy")
        GR_FIND(async_error, "ncclCommGetAsyncError")
        GR_FIND(group_start, "ncclGroupStart")
        GR_FIND(group_end, "ncclGroupEnd")
        GR_FIND(send, "ncclSend")
        GR_FIND(receive, "ncclRecv")
        GR_FIND(all_reduce, "ncclAllReduce")
        GR_FIND(error_text, "ncclGetErrorString")
        return n;
    }();
    return found.complete ? &found : NULL;
}

static gr_status check(ncclResult_t code, const char *what, gr_error *error) {
    return code == ncclSuccess ? GR_OK
                               : gr_fail(error, GR_DEVICE_FAILED, "NCCL: %s: %s", what,
                                         find_nccl()->error_text(code));
}
#define GR_NCCL(call) check((call), #call, error)

static gr_status no_nccl(gr_error *error) {
    return gr_fail(error, GR_DEVICE_FAILED,
                   "what GPUs share needs NCCL, and libnccl.so.2 is not found; expected "
                   "it on LD_LIBRARY_PATH, GRAMPUS_NCCL_LIBRARY=FILE, or one GPU");
}

int gr_cuda_nccl_version(void) {
    int version = 0;
    const gr_nccl *n = find_nccl();
    return n && n->version(&version) == ncclSuccess ? version : 0;
}

gr_status gr_cuda_peers_key(unsigned char key[GR_PEERS_KEY], gr_error *error) {
    const gr_nccl *n = find_nccl();
    ncclUniqueId id;
    if (!n)
        return no_nccl(error);
    gr_status status = GR_NCCL(n->unique_id(&id));
    memcpy(key, &id, sizeof id);
    return status;
}

/* All members come here together. */
gr_status gr_cuda_join_peers(gr_engine *e, const gr_peers *peers, gr_error *error) {
    const gr_nccl *n = find_nccl();
    ncclUniqueId id;
    ncclComm_t joined = NULL;
    if (!n)
        return no_nccl(error);
    memcpy(&id, peers->key, sizeof id);
    gr_status status = GR_NCCL(n->init(&joined, (int)peers->members, id, (int)peers->member));
    e->links = joined;
    e->peers = peers;
    return status;
}

void gr_cuda_leave_peers(gr_engine *e) {
    if (e->links && e->peers->broken && *e->peers->broken)
        find_nccl()->abort((ncclComm_t)e->links);
    else if (e->links)
        find_nccl()->destroy((ncclComm_t)e->links);
    e->links = NULL;
    gr_transfers_free(&e->transfers);
}

gr_status gr_cuda_exchange(gr_engine *e, gr_error *error) {
    const gr_nccl *n = find_nccl();
    ncclComm_t links = (ncclComm_t)e->links;
    uint32_t me = e->peers->member;
    if (e->transfers.failed)
        return gr_fail(error, GR_NO_MEMORY, "no memory for what devices exchange");
    gr_status status = GR_NCCL(n->group_start());
    for (uint32_t k = 0; !status && k < e->transfers.count; k++) {
        const gr_transfer *t = &e->transfers.list[k];
        if (t->from == me) {
            status = GR_NCCL(n->send(t->at, t->bytes, ncclInt8, (int)t->to, links, e->stream));
            e->traffic.exchanged += t->bytes;
        } else
            status = GR_NCCL(n->receive(t->at, t->bytes, ncclInt8, (int)t->from, links, e->stream));
    }
    gr_status ended = GR_NCCL(n->group_end());
    return status ? status : ended;
}

/* Counts of classes are whole numbers, which add up to the same in any order. */
static gr_status add_counts(gr_engine *e, const gr_state *state, gr_error *error) {
    uint32_t *counts = state->class_bins, members = e->peers->members;
    size_t count = state->p.individuals * gr_bin_counts(&state->p);
    e->traffic.exchanged += 2 * count * sizeof *counts * (members - 1) / members;
    return GR_NCCL(find_nccl()->all_reduce(counts, counts, count, ncclUint32, ncclSum,
                                           (ncclComm_t)e->links, e->stream));
}

/* What is added up is nothing: of the sums of shares, which nobody looks at any more. */
gr_status gr_cuda_meet(gr_engine *e, gr_error *error) {
    return GR_NCCL(find_nccl()->all_reduce(e->share_sums, e->share_sums, 1, ncclUint32, ncclSum,
                                           (ncclComm_t)e->links, e->stream));
}

/* Whether the others are still there to be waited for. */
gr_status gr_cuda_look_at_peers(gr_engine *e, gr_error *error) {
    ncclResult_t code = ncclSuccess;
    gr_status status = GR_OK;
    if (e->peers->broken && *e->peers->broken)
        status = gr_fail(error, GR_DEVICE_FAILED, "another device has failed");
    else if (find_nccl()->async_error((ncclComm_t)e->links, &code) == ncclSuccess)
        status = check(code, "an exchange between devices", error);
    if (status) { /* lets the kernels that wait for others end */
        find_nccl()->abort((ncclComm_t)e->links);
        e->links = NULL;
    }
    return status;
}
#else
gr_status gr_cuda_exchange(gr_engine *e, gr_error *error) {
    (void)e;
    return gr_fail(error, GR_DEVICE_FAILED, "no NCCL");
}
static gr_status add_counts(gr_engine *e, const gr_state *state, gr_error *error) {
    (void)state;
    return gr_cuda_exchange(e, error);
}
gr_status gr_cuda_meet(gr_engine *e, gr_error *error) {
    return gr_cuda_exchange(e, error);
}
int gr_cuda_nccl_version(void) {
    return 0;
}
gr_status gr_cuda_peers_key(unsigned char key[GR_PEERS_KEY], gr_error *error) {
    (void)key;
    return gr_fail(error, GR_DEVICE_FAILED,
                   "what GPUs share needs NCCL, which this grampus was built without; "
                   "expected one GPU");
}
gr_status gr_cuda_join_peers(gr_engine *e, const gr_peers *peers, gr_error *error) {
    (void)e;
    (void)peers;
    return gr_fail(error, GR_DEVICE_FAILED, "no NCCL");
}
void gr_cuda_leave_peers(gr_engine *e) {
    (void)e;
}
gr_status gr_cuda_look_at_peers(gr_engine *e, gr_error *error) {
    (void)e;
    (void)error;
    return GR_OK;
}
#endif

gr_status gr_cuda_evaluate(gr_engine *e, const gr_state *state, const gr_launch *launch,
                           gr_error *error) {
    gr_state own = gr_cuda_state_of_own(e, state), share = gr_state_of_share(&own, e->peers);
    gr_status status = GR_CUDA(gr_launch_evaluate(e, &share, launch));
    if (!status && e->peers && e->peers->individuals)
        return gr_cuda_share_sums(e, state, error);
    if (status || !e->peers || !e->peers->cases)
        return status;
    if (state->class_bins)
        return add_counts(e, state, error);
    gr_list_sums(e->peers, state, NULL, &e->transfers);
    return gr_cuda_exchange(e, error);
}

/* Programs are bred in the place of their parents', of which selection keeps the best: nobody
 * breeds before all have selected. */
static gr_status evolve_in_common(gr_engine *e, gr_error *error) {
    gr_status status;
    if ((status = GR_CUDA(gr_launch_evolve(e, &e->state, e->launch, GR_EVOLVE_SELECT))) ||
        (status = gr_cuda_meet(e, error)))
        return status;
    return GR_CUDA(gr_launch_evolve(e, &e->state, e->launch, GR_EVOLVE_PLAN | GR_EVOLVE_BREED));
}

/* Kernel 1, cut where the run's islands have something to tell each other behind the generation
 * that is selected from, which the host knows beforehand. */
gr_status gr_cuda_evolve_with_peers(gr_engine *e, uint32_t selected, gr_error *error) {
    gr_status status;
    const uint32_t all = GR_EVOLVE_SELECT | GR_EVOLVE_PLAN | GR_EVOLVE_BREED;
    if (e->peers->common)
        return evolve_in_common(e, error);
    uint32_t meets =
        e->peers->cases || e->peers->individuals ? 0 : gr_peers_meet(&e->state.p, selected);
    if (!meets)
        return GR_CUDA(gr_launch_evolve(e, &e->state, e->launch, all));
    if ((status = GR_CUDA(gr_launch_evolve(e, &e->state, e->launch,
                                           GR_EVOLVE_SELECT | GR_EVOLVE_UNTIL_STANDINGS))))
        return status;
    gr_list_standings(e->peers, &e->state, &e->transfers);
    if ((status = gr_cuda_exchange(e, error)))
        return status;
    if (!(meets & GR_PEERS_MIGRATE))
        return GR_CUDA(gr_launch_evolve(e, &e->state, e->launch, all | GR_EVOLVE_FROM_STANDINGS));
    if ((status = GR_CUDA(gr_launch_evolve(e, &e->state, e->launch,
                                           GR_EVOLVE_SELECT | GR_EVOLVE_FROM_STANDINGS |
                                               GR_EVOLVE_UNTIL_MIGRANTS))))
        return status;
    gr_list_migrants(e->peers, &e->state, selected, &e->transfers);
    if ((status = gr_cuda_exchange(e, error)))
        return status;
    return GR_CUDA(gr_launch_evolve(e, &e->state, e->launch, all | GR_EVOLVE_FROM_MIGRANTS));
}
