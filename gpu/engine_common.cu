/* The CUDA backend, engines that have some individuals each and memory for these alone: a range of
 * addresses that is the same for all cards of the process, an array's rows standing with the card
 * that breeds them. Kernels read parents and programs of others as their own, over NVLink; they
 * write only their own. */
#include "gpu/backend/cards.h"
#include "gpu/engine_cuda.h"

#include <cuda.h>
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

struct gr_common {
    uint32_t members, cards[GR_MOST_CARDS];
    size_t bytes, held[GR_MOST_CARDS]; /* of the range; of it, on the card of each member */
    CUdeviceptr base;                  /* 0: not taken yet */
};

/* ---- the driver's calls ---- */

namespace {
struct gr_pages_api {
    decltype(&cuMemGetAllocationGranularity) granularity;
    decltype(&cuMemAddressReserve) reserve;
    decltype(&cuMemAddressFree) give_back;
    decltype(&cuMemCreate) create;
    decltype(&cuMemRelease) release;
    decltype(&cuMemMap) map;
    decltype(&cuMemUnmap) unmap;
    decltype(&cuMemSetAccess) set_access;
    decltype(&cuGetErrorString) error_text;
    int complete;
};
} // namespace

static const gr_pages_api *find_pages_api(void) {
    static const gr_pages_api found = [] {
        gr_pages_api a = {};
        void *lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
        if (!lib)
            return a;
        a.complete = 1;
#define GR_FIND(field, name)                                                                       \
    a.field = (decltype(a.field))dlsym(lib, name);                                                 \
    a.complete &= a.field != NULL;
        GR_FIND(granularity, "cuMemGetAllocationGranularity")
        GR_FIND(reserve, "cuMemAddressReserve")
        GR_FIND(give_back, "cuMemAddressFree")
        GR_FIND(create, "cuMemCreate")
        GR_FIND(release, "cuMemRelease")
        GR_FIND(map, "cuMemMap")
        GR_FIND(unmap, "cuMemUnmap")
        GR_FIND(set_access, "cuMemSetAccess")
        GR_FIND(error_text, "cuGetErrorString")
        return a;
    }();
    return &found;
}

static gr_status check(CUresult code, uint32_t card, const char *what, gr_error *error) {
    const char *text = NULL;
    if (code == CUDA_SUCCESS)
        return GR_OK;
    find_pages_api()->error_text(code, &text);
    return gr_fail(error, code == CUDA_ERROR_OUT_OF_MEMORY ? GR_NO_MEMORY : GR_DEVICE_FAILED,
                   "CUDA: memory of card %u for a part of the population: %s: %s", card, what,
                   text ? text : "an error");
}

/* ---- pages ---- */

static CUmemAllocationProp pages_of_card(uint32_t card) {
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.location.id = (int)card;
    return prop;
}

/* A member's pages of an array; once mapped they stay until they are unmapped. */
static gr_status map_pages(gr_common *c, uint32_t member, size_t offset, size_t bytes,
                           gr_error *error) {
    const gr_pages_api *a = find_pages_api();
    uint32_t card = c->cards[member];
    CUmemAllocationProp prop = pages_of_card(card);
    CUmemGenericAllocationHandle handle;
    if (!bytes)
        return GR_OK;
    gr_status status = check(a->create(&handle, bytes, &prop, 0), card, "cuMemCreate", error);
    if (status)
        return status;
    status = check(a->map(c->base + offset, bytes, 0, handle, 0), card, "cuMemMap", error);
    a->release(handle);
    if (!status)
        c->held[member] += bytes;
    return status;
}

static gr_status map_array(gr_common *c, const gr_peers *peers, const gr_arena *arena, int k,
                           gr_error *error) {
    gr_status status = GR_OK;
    size_t pages = (arena->size[k] + GR_COMMON_PAGE - 1) / GR_COMMON_PAGE;
    for (uint32_t m = 0; !status && m < c->members; m++) {
        size_t first = gr_page_of_member(peers, m, pages),
               end = gr_page_of_member(peers, m + 1, pages);
        status = map_pages(c, m, arena->offset[k] + first * GR_COMMON_PAGE,
                           (end - first) * GR_COMMON_PAGE, error);
    }
    return status;
}

/* Whether the pages are as large as the layout takes them to be. */
static gr_status check_granularity(const gr_common *c, gr_error *error) {
    size_t granularity = 0;
    for (uint32_t m = 0; m < c->members; m++) {
        CUmemAllocationProp prop = pages_of_card(c->cards[m]);
        CUresult code =
            find_pages_api()->granularity(&granularity, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
        gr_status status = check(code, c->cards[m], "cuMemGetAllocationGranularity", error);
        if (status)
            return status;
        if (!granularity || GR_COMMON_PAGE % granularity)
            return gr_fail(error, GR_DEVICE_FAILED,
                           "card %u has pages of %zu bytes; expected a divisor of %zu", c->cards[m],
                           granularity, GR_COMMON_PAGE);
    }
    return GR_OK;
}

static gr_status let_all_reach(gr_common *c, gr_error *error) {
    CUmemAccessDesc reach[GR_MOST_CARDS] = {};
    for (uint32_t m = 0; m < c->members; m++) {
        reach[m].location = pages_of_card(c->cards[m]).location;
        reach[m].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    return check(find_pages_api()->set_access(c->base, c->bytes, reach, c->members), c->cards[0],
                 "cuMemSetAccess", error);
}

/* ---- for engines ---- */

gr_status gr_cuda_common_make(const uint32_t *cards, uint32_t members, gr_common **common,
                              gr_error *error) {
    if (!find_pages_api()->complete)
        return gr_fail(error, GR_DEVICE_FAILED,
                       "spread memory: this driver does not map memory of several cards; expected "
                       "spread population");
    for (uint32_t a = 0; a < members; a++)
        for (uint32_t b = 0; b < members; b++)
            if (a != b && !gr_cuda_reaches(cards[a], cards[b]))
                return gr_fail(error, GR_DEVICE_FAILED,
                               "spread memory: card %u does not read the memory of card %u "
                               "(grampus devices); expected linked cards, or spread population",
                               cards[a], cards[b]);
    gr_common *c = (gr_common *)calloc(1, sizeof *c);
    if (!c)
        return gr_fail(error, GR_NO_MEMORY, "no memory");
    c->members = members;
    memcpy(c->cards, cards, members * sizeof *cards);
    *common = c;
    return GR_OK;
}

size_t gr_cuda_common_held(const gr_peers *peers) {
    return peers && peers->common ? peers->common->held[peers->member] : 0;
}

/* Engines of a process open one at a time. */
gr_status gr_cuda_take_common(const gr_peers *peers, gr_arena *arena, gr_error *error) {
    gr_common *c = peers->common;
    gr_status status;
    if (!c->base) {
        if ((status = check_granularity(c, error)) ||
            (status =
                 check(find_pages_api()->reserve(&c->base, arena->common, GR_COMMON_PAGE, 0, 0),
                       c->cards[0], "cuMemAddressReserve", error)))
            return status;
        c->bytes = arena->common;
        for (int k = 0; !status && k < arena->arrays; k++)
            if (arena->is_common[k])
                status = map_array(c, peers, arena, k, error);
        if (status || (status = let_all_reach(c, error)))
            return status;
    }
    arena->range = (char *)c->base;
    return c->bytes == arena->common
               ? GR_OK
               : gr_fail(error, GR_FAILED, "engines differ in the memory that they share");
}

void gr_cuda_common_free(gr_common *c) {
    if (c && c->base) {
        find_pages_api()->unmap(c->base, c->bytes);
        find_pages_api()->give_back(c->base, c->bytes);
    }
    free(c);
}
