/* A warp on the host: 32 lanes that are fibres of one thread, for tests of what gpu/core does by
 * lane groups of width 32. A test includes this before anything of gpu/core, which then has the
 * device's branches of portable.h, and calls warp_run: the work is begun once a lane.
 *
 * A lane goes on alone to the next function of the warp (a shuffle, a vote, __syncwarp), where it
 * waits for all others; then all go on in another order, drawn anew. It finds
 * - results that depend on that order: mostly a gr_sync that is missing, so that a lane reads what
 *   another writes, though only where both orders come up in the draws and the result tells;
 * - lanes that meet in different functions, or of which some have ended: a function of the warp
 *   under a condition that is not the same for all lanes. That hangs on the device, or worse;
 * - nodes that are read between gr_copy_node and gr_copied: half of the copies are made that late.
 * It does not find
 * - lanes that meet in the same function from different places;
 * - a gr_sync that is missing beside a shuffle or a vote: these order memory here, on the device
 *   they do not. ThreadSanitizer finds it (make SANITIZE=thread BUILD=...), for which __syncwarp
 *   alone orders what lanes read and write. Some that it tells of are harmless: what lanes have
 *   read is what they vote on before others write there (gr_list_others, gr_go_on_in_lanes), or
 *   only other bits of a byte are written than are wanted (gr_code_pooled);
 * - anything of more warps than one, of __syncthreads, or of code in gpu/kernels. */
#ifndef GRAMPUS_TESTS_WARP_H
#define GRAMPUS_TESTS_WARP_H

#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

/* ---- what portable.h, rng.h and node.h ask for ---- */

#define GR_WARP_OF_FIBRES
#define WARP_FN static __attribute__((unused))
/* Of the emulator itself ThreadSanitizer is to know nothing. */
#define WARP_OWN WARP_FN __attribute__((noinline, no_sanitize("thread")))

static struct { volatile uint32_t x; /* the lane that is at work */ } threadIdx;

/* What lanes come together for: `at` is the function that waits, by which a meeting is known. */
WARP_OWN void warp_sync(const char *at);
WARP_OWN uint32_t warp_from(const char *at, uint32_t value, uint32_t lane);
WARP_OWN uint32_t warp_from_before(const char *at, uint32_t value, uint32_t distance);
WARP_OWN uint32_t warp_from_other(const char *at, uint32_t value, uint32_t distance);
WARP_OWN uint32_t warp_vote(const char *at, uint32_t yes);
WARP_OWN uint32_t warp_sum(const char *at, uint32_t value);
WARP_OWN uint32_t warp_or(const char *at, uint32_t value);
WARP_OWN uint32_t warp_least(const char *at, uint32_t value);
WARP_OWN uint32_t warp_most(const char *at, uint32_t value);
WARP_OWN uint32_t warp_sum_beside(const char *at, uint32_t value, const char *direction);
WARP_FN void warp_begin_copy(void *near, const void *far, size_t bytes);
WARP_FN void warp_finish_copies(void);

#define __syncwarp() warp_sync(__func__)
#define __shfl_sync(lanes, value, lane) warp_from(__func__, value, (uint32_t)(lane))
#define __shfl_up_sync(lanes, value, distance) warp_from_before(__func__, value, distance)
#define __shfl_xor_sync(lanes, value, distance) warp_from_other(__func__, value, distance)
#define __ballot_sync(lanes, yes) warp_vote(__func__, (uint32_t)(yes))
#define __any_sync(lanes, yes) (warp_vote(__func__, (uint32_t)(yes)) != 0)
#define __reduce_add_sync(lanes, value) warp_sum(__func__, value)
#define __reduce_or_sync(lanes, value) warp_or(__func__, value)
#define __reduce_min_sync(lanes, value) warp_least(__func__, value)
#define __reduce_max_sync(lanes, value) warp_most(__func__, value)
#define GR_ADD_LANES(sum, direction, last) sum = warp_sum_beside(__func__, sum, direction)
#define atomicAdd(at, value) __atomic_fetch_add(at, value, __ATOMIC_RELAXED)

#include "gpu/core/base/portable.h"

/* ---- the sanitizers are told of fibres ---- */

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#else
#define __tsan_acquire(at) (void)(at)
#define __tsan_release(at) (void)(at)
#endif

/* ---- fibres ---- */

enum {
    WARP_HOST = GR_LANES,
    WARP_STACK = 1 << 19,
    WARP_COPIES = 1024,
    WARP_SECONDS = 60 /* for the work of one warp_run, at most */
};

/* What a lane does; `with` is what it is done with. */
typedef void warp_work(const void *with, gr_lane_group w);

typedef struct warp_copy {
    void *near;
    const void *far;
    size_t bytes;
} warp_copy;

typedef struct warp_fibre {
    void *resumes[5]; /* of __builtin_setjmp, which calls no system as swapcontext does */
    ucontext_t begins;
    uint32_t begun;
    const void *stack; /* what the sanitizers keep of it */
    size_t stack_bytes;
    void *kept, *known;
    warp_copy copies[WARP_COPIES]; /* begun and not made */
    uint32_t copies_begun;
} warp_fibre;

/* The one warp. */
static struct {
    warp_work *work;
    const void *with;
    volatile uint32_t now, before;     /* the fibre that is at work, and the one before */
    uint32_t order[GR_LANES], arrived; /* of the lanes; how many of them have come to the meeting */
    uint32_t meetings;
    const char *at[GR_LANES];
    uint32_t value[2][GR_LANES]; /* of this meeting; those of the last one may still be read */
    uint64_t dice;
    char about[200]; /* what the test is at, for the message of lanes that miss each other */
    warp_fibre fibre[GR_LANES + 1];
} warp = {.now = WARP_HOST};
static _Alignas(64) char warp_stacks[GR_LANES][WARP_STACK];

/* xorshift64 */
WARP_OWN uint32_t warp_roll(uint32_t n) {
    uint64_t x = warp.dice ? warp.dice : 88172645463325252ull;
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    warp.dice = x;
    return (uint32_t)((x >> 32) * n >> 32);
}

WARP_OWN void warp_shuffle_order(void) {
    for (uint32_t k = GR_LANES - 1; k; k--) {
        uint32_t j = warp_roll(k + 1), lane = warp.order[k];
        warp.order[k] = warp.order[j];
        warp.order[j] = lane;
    }
}

/* It does not return, but is not said to: before a call that does not, the address sanitizer
 * forgets what it knows of the stack. Here lanes go on with theirs. */
__attribute__((noipa, no_sanitize_address)) WARP_OWN void warp_leap(warp_fibre *to) {
    if (to->begun)
        __builtin_longjmp(to->resumes, 1);
    to->begun = 1;
    setcontext(&to->begins);
    abort();
}

/* A fibre is at work again, or for the first time. */
WARP_OWN void warp_arrive(void) {
#ifdef __SANITIZE_ADDRESS__
    warp_fibre *left = &warp.fibre[warp.before];
    __sanitizer_finish_switch_fiber(warp.fibre[warp.now].kept, &left->stack, &left->stack_bytes);
#endif
}

/* Goes on with another fibre, until somebody goes on with this one. */
WARP_OWN void warp_switch(uint32_t to) {
    warp_fibre *left = &warp.fibre[warp.now];
    if (to == warp.now)
        return;
    warp.before = warp.now;
    warp.now = threadIdx.x = to;
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(&left->kept, warp.fibre[to].stack, warp.fibre[to].stack_bytes);
#endif
#ifdef __SANITIZE_THREAD__
    __tsan_switch_to_fiber(warp.fibre[to].known, __tsan_switch_to_fiber_no_sync);
#endif
    if (!__builtin_setjmp(left->resumes))
        warp_leap(&warp.fibre[to]);
    warp_arrive();
}

/* ---- meetings ---- */

static const char warp_end[] = "the end of its work";

__attribute__((noreturn)) WARP_OWN void warp_fail(const char *what, uint32_t lane) {
    fflush(stdout);
    fprintf(stderr, "FAIL %s: meeting %u of the warp, lane %u in %s, lane %u in %s; %s\n", what,
            warp.meetings, warp.order[0], warp.at[warp.order[0]], lane, warp.at[lane], warp.about);
    abort();
}

/* All have come: whether they are in the same function. The next fibre. */
WARP_OWN uint32_t warp_part(void) {
    const char *at = warp.at[warp.order[0]];
    for (uint32_t k = 0; k < GR_LANES; k++)
        if (warp.at[k] != at)
            warp_fail("lanes miss each other", k);
    warp.arrived = 0;
    warp.meetings++;
    warp_shuffle_order();
    return at == warp_end ? WARP_HOST : warp.order[0];
}

/* Waits for all lanes; where their values are. */
WARP_OWN const uint32_t *warp_meet(const char *at, uint32_t value) {
    uint32_t *values = warp.value[warp.meetings & 1];
    if (warp.now == WARP_HOST) {
        fprintf(stderr, "FAIL %s of a warp outside of warp_run; %s\n", at, warp.about);
        abort();
    }
    warp.at[warp.now] = at;
    values[warp.now] = value;
    warp_switch(++warp.arrived < GR_LANES ? warp.order[warp.arrived] : warp_part());
    return values;
}

/* ---- a warp at work ---- */

/* A fibre's life: the work of one warp_run after the other. What is written before one of them is
 * known to its lanes, and what they write to the host. */
WARP_FN void warp_live(void) {
    warp_arrive();
    for (;;) {
        __tsan_acquire(&warp.work);
        warp.work(warp.with, (gr_lane_group){threadIdx.x, GR_LANES});
        warp_finish_copies();
        __tsan_release(&warp.work);
        warp_meet(warp_end, 0);
    }
}

/* A lane that has read what is not there yet may go anywhere, or round and round. */
WARP_OWN void warp_lost(int number) {
    char text[320];
    const char *what = number == SIGALRM ? "a lane does not come to an end" : "a lane is lost";
    if (warp.now == WARP_HOST)
        what = "the host is lost";
    int n = snprintf(text, sizeof text, "FAIL %s: lane %u, behind meeting %u of the warp; %s\n",
                     what, warp.now % GR_LANES, warp.meetings, warp.about);
    _exit(write(STDERR_FILENO, text, (size_t)n) == n ? 3 : 4);
}

WARP_OWN void warp_watch(void) {
    static char stack[1 << 16];
    const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = warp_lost, .sa_flags = SA_ONSTACK};
    setvbuf(stdout, NULL, _IOLBF, 0); /* what the test has found so far is told */
    sigaltstack(&own, NULL);
    sigaction(SIGALRM, &action, NULL);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* they tell more */
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
#endif
}

WARP_OWN void warp_prepare(void) {
    warp_watch();
    for (uint32_t lane = 0; lane < GR_LANES; lane++) {
        warp_fibre *fibre = &warp.fibre[lane];
        warp.order[lane] = lane;
        getcontext(&fibre->begins);
        fibre->stack = fibre->begins.uc_stack.ss_sp = warp_stacks[lane];
        fibre->stack_bytes = fibre->begins.uc_stack.ss_size = WARP_STACK;
        makecontext(&fibre->begins, warp_live, 0);
#ifdef __SANITIZE_THREAD__
        fibre->known = __tsan_create_fiber(0);
#endif
    }
#ifdef __SANITIZE_THREAD__
    warp.fibre[WARP_HOST].known = __tsan_get_current_fiber();
#endif
    warp.fibre[WARP_HOST].begun = 1;
}

/* Does it by all lanes, to its end. */
WARP_OWN void warp_run(warp_work *work, const void *with) {
    if (!warp.fibre[WARP_HOST].begun)
        warp_prepare();
    warp.work = work;
    warp.with = with;
    __tsan_release(&warp.work);
    alarm(WARP_SECONDS);
    warp_switch(warp.order[0]);
    alarm(0);
    __tsan_acquire(&warp.work);
}

/* ---- the functions of a warp ---- */

WARP_OWN void warp_sync(const char *at) {
    __tsan_release(&warp.order);
    warp_meet(at, 0);
    __tsan_acquire(&warp.order);
}
WARP_OWN uint32_t warp_from(const char *at, uint32_t value, uint32_t lane) {
    return warp_meet(at, value)[lane % GR_LANES];
}
WARP_OWN uint32_t warp_from_before(const char *at, uint32_t value, uint32_t distance) {
    const uint32_t *of = warp_meet(at, value);
    return threadIdx.x >= distance ? of[threadIdx.x - distance] : value;
}
WARP_OWN uint32_t warp_from_other(const char *at, uint32_t value, uint32_t distance) {
    const uint32_t *of = warp_meet(at, value);
    return of[(threadIdx.x ^ distance) % GR_LANES];
}
WARP_OWN uint32_t warp_vote(const char *at, uint32_t yes) {
    const uint32_t *of = warp_meet(at, yes != 0);
    uint32_t all = 0;
    for (uint32_t k = 0; k < GR_LANES; k++)
        all |= of[k] << k;
    return all;
}
WARP_OWN uint32_t warp_sum(const char *at, uint32_t value) {
    const uint32_t *of = warp_meet(at, value);
    uint32_t all = 0;
    for (uint32_t k = 0; k < GR_LANES; k++)
        all += of[k];
    return all;
}
WARP_OWN uint32_t warp_or(const char *at, uint32_t value) {
    const uint32_t *of = warp_meet(at, value);
    uint32_t all = 0;
    for (uint32_t k = 0; k < GR_LANES; k++)
        all |= of[k];
    return all;
}
WARP_OWN uint32_t warp_least(const char *at, uint32_t value) {
    const uint32_t *of = warp_meet(at, value);
    for (uint32_t k = 0; k < GR_LANES; k++)
        value = gr_min_u32(value, of[k]);
    return value;
}
WARP_OWN uint32_t warp_most(const char *at, uint32_t value) {
    const uint32_t *of = warp_meet(at, value);
    for (uint32_t k = 0; k < GR_LANES; k++)
        value = gr_max_u32(value, of[k]);
    return value;
}

/* The sum of the lanes up to this one, or from it on. */
WARP_OWN uint32_t warp_sum_beside(const char *at, uint32_t value, const char *direction) {
    const uint32_t *of = warp_meet(at, value);
    uint32_t up = direction[0] == 'u', sum = 0;
    for (uint32_t k = up ? 0 : threadIdx.x; k < (up ? threadIdx.x + 1 : GR_LANES); k++)
        sum += of[k];
    return sum;
}

/* A copy that is made now or with the others. */
WARP_FN void warp_begin_copy(void *near, const void *far, size_t bytes) {
    warp_fibre *own = &warp.fibre[warp.now];
    if (warp.now == WARP_HOST || own->copies_begun == WARP_COPIES || warp_roll(2))
        memcpy(near, far, bytes);
    else
        own->copies[own->copies_begun++] = (warp_copy){near, far, bytes};
}
WARP_FN void warp_finish_copies(void) {
    warp_fibre *own = &warp.fibre[warp.now];
    for (; own->copies_begun; own->copies_begun--) {
        warp_copy copy = own->copies[own->copies_begun - 1];
        memcpy(copy.near, copy.far, copy.bytes);
    }
}

/* ---- options of a test ---- */

/* --rounds N and --seed S, each where it is given; false: another option. */
WARP_FN bool warp_options(int count, char **argument, uint32_t *rounds, uint64_t *seed) {
    static const struct option options[] = {{"rounds", required_argument, NULL, 'r'},
                                            {"seed", required_argument, NULL, 's'},
                                            {NULL, 0, NULL, 0}};
    for (int o; (o = getopt_long(count, argument, "", options, NULL)) != -1;) {
        if (o == 'r')
            *rounds = (uint32_t)strtoul(optarg, NULL, 10);
        else if (o == 's')
            *seed = warp.dice = strtoull(optarg, NULL, 10);
        else
            return false;
    }
    return true;
}

#endif
