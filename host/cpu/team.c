#include "host/cpu/team.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The door of a team, one word: how many helpers are inside a loop, whether more may come in, and
 * the number of the loop, so that nobody comes twice. */
enum {
    INSIDE = (1 << 13) - 1,
    OPEN = 1 << 13,
    AWAITED = 1 << 14, /* who gave the loop sleeps until the last helper leaves */
    DISBANDED = 1 << 15,
    NEXT_LOOP = 1 << 16
};
#define LOOP_NUMBER ((uint32_t)0xffff0000)

/* Who sleeps at a door. */
enum { OWNER = 1, HELPERS = 2 };

/* Nanoseconds that a thread looks before it sleeps. On two idle cores runs of 50 ms take as long
 * with 20 to 300 us and 5 % longer with 2; eight of them side by side take 8 % longer with 300. */
enum { PATIENCE = 50000, LOOKS = 32 };

typedef struct helper {
    gr_team *team;
    uint32_t number;
    pthread_t thread;
} helper;

struct gr_team {
    _Alignas(64) _Atomic uint32_t door;
    _Atomic uint32_t sleepers;          /* helpers */
    _Alignas(64) _Atomic uint64_t next; /* index that nobody has taken */
    _Alignas(64) uint64_t count; /* the loop; changes while the door is shut, nobody inside */
    uint32_t grain;
    gr_loop_body *body;
    void *context;
    uint32_t size;
    helper helpers[];
};

/* ---- waiting ---- */

static void sleep_at(gr_team *t, uint32_t door, uint32_t who) {
    syscall(SYS_futex, &t->door, FUTEX_WAIT_BITSET_PRIVATE, door, NULL, NULL, who);
}

static void wake(gr_team *t, uint32_t who, uint32_t most) {
    syscall(SYS_futex, &t->door, FUTEX_WAKE_BITSET_PRIVATE, most, NULL, NULL, who);
}

static void look_away(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

static uint64_t nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* What a waiting thread looks for: a loop it has not seen, or that all have left. */
static int is_new(uint32_t door, uint32_t seen) {
    return door & DISBANDED || (door & OPEN && (door & LOOP_NUMBER) != seen);
}
static int is_empty(uint32_t door, uint32_t ignored) {
    (void)ignored;
    return !(door & INSIDE);
}

/* The door as it is now, or as soon as it is what is looked for. */
static uint32_t look(gr_team *t, int (*found)(uint32_t, uint32_t), uint32_t seen) {
    uint64_t start = 0, now;
    for (uint32_t k = 1;; k++) {
        uint32_t door = atomic_load(&t->door);
        if (found(door, seen))
            return door;
        look_away();
        if (k % LOOKS)
            continue;
        now = nanoseconds();
        start = start ? start : now;
        if (now - start >= PATIENCE)
            return door;
    }
}

static uint32_t wait_for_loop(gr_team *t, uint32_t seen) {
    uint32_t door = look(t, is_new, seen);
    if (is_new(door, seen))
        return door;
    atomic_fetch_add(&t->sleepers, 1);
    while (door = atomic_load(&t->door), !is_new(door, seen))
        sleep_at(t, door, HELPERS);
    atomic_fetch_sub(&t->sleepers, 1);
    return door;
}

static void wait_for_helpers(gr_team *t) {
    if (is_empty(look(t, is_empty, 0), 0))
        return;
    uint32_t door = atomic_fetch_or(&t->door, AWAITED) | AWAITED;
    for (; !is_empty(door, 0); door = atomic_load(&t->door))
        sleep_at(t, door, OWNER);
    atomic_fetch_and(&t->door, ~(uint32_t)AWAITED);
}

/* ---- working ---- */

static void take_pieces(gr_team *t, uint32_t thread) {
    for (;;) {
        uint64_t first = atomic_fetch_add(&t->next, t->grain);
        if (first >= t->count)
            return;
        uint64_t left = t->count - first;
        t->body(t->context, first, first + (left < t->grain ? left : t->grain), thread);
    }
}

/* Goes in while the door of that loop is open. */
static int enter(gr_team *t, uint32_t door, uint32_t loop) {
    while (door & OPEN && (door & LOOP_NUMBER) == loop)
        if (atomic_compare_exchange_weak(&t->door, &door, door + 1))
            return 1;
    return 0;
}

static void leave(gr_team *t) {
    uint32_t door = atomic_fetch_sub(&t->door, 1) - 1;
    if (is_empty(door, 0) && door & AWAITED)
        wake(t, OWNER, 1);
}

static void *help(void *argument) {
    helper *h = argument;
    gr_team *t = h->team;
    for (uint32_t seen = 0;;) { /* there is no loop 0 */
        uint32_t door = wait_for_loop(t, seen);
        if (door & DISBANDED)
            return NULL;
        seen = door & LOOP_NUMBER;
        if (!enter(t, door, seen))
            continue;
        take_pieces(t, h->number);
        leave(t);
    }
}

/* Nobody is inside, and the door is shut. */
static void open_door(gr_team *t) {
    uint32_t loop = (atomic_load(&t->door) & LOOP_NUMBER) + NEXT_LOOP;
    atomic_store(&t->door, (loop ? loop : (uint32_t)NEXT_LOOP) | OPEN);
}

void gr_team_loop(gr_team *t, uint64_t count, uint32_t grain, gr_loop_body *body, void *context) {
    if (gr_team_size(t) == 1 || count <= grain) {
        if (count)
            body(context, 0, count, 0);
        return;
    }
    t->count = count;
    t->grain = grain;
    t->body = body;
    t->context = context;
    atomic_store(&t->next, 0);
    open_door(t);
    uint64_t others = (count - 1) / grain;
    if (atomic_load(&t->sleepers))
        wake(t, HELPERS, others < INT_MAX ? (uint32_t)others : INT_MAX);
    take_pieces(t, 0);
    atomic_fetch_and(&t->door, ~(uint32_t)OPEN);
    wait_for_helpers(t);
}

/* ---- coming and going ---- */

static uint32_t within_limits(uint32_t threads) {
    return threads < 1 ? 1 : threads > INSIDE ? INSIDE : threads;
}

size_t gr_team_bytes(uint32_t threads) {
    size_t size = sizeof(gr_team) + (within_limits(threads) - 1) * sizeof(helper);
    return (size + 63) / 64 * 64;
}

gr_team *gr_team_open(uint32_t threads) {
    gr_team *t = aligned_alloc(64, gr_team_bytes(threads));
    sigset_t all, before;
    if (!t)
        return NULL;
    atomic_init(&t->door, 0);
    atomic_init(&t->sleepers, 0);
    atomic_init(&t->next, 0);
    t->size = 1;
    sigfillset(&all); /* signals are for the threads of the program */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; t->size < within_limits(threads); t->size++) {
        helper *h = &t->helpers[t->size - 1];
        h->team = t;
        h->number = t->size;
        if (pthread_create(&h->thread, NULL, help, h))
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return t;
}

uint32_t gr_team_size(const gr_team *t) {
    return t ? t->size : 1;
}

void gr_team_close(gr_team *t) {
    if (!t)
        return;
    atomic_fetch_or(&t->door, DISBANDED);
    wake(t, HELPERS, INT_MAX);
    for (uint32_t k = 0; k + 1 < t->size; k++)
        pthread_join(t->helpers[k].thread, NULL);
    free(t);
}
