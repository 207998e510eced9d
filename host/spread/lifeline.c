#define _GNU_SOURCE
#include "host/spread/lifeline.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* How long a process tries an address, the leading one waits for the next process, and a process
 * that is connected waits for the answer: longest of all, for one that went away before the leading
 * one had come to answer it would be taken for dead. */
enum { ADDRESSES = 16, CONNECT_SECONDS = 3, OTHERS_SECONDS = 10, ANSWER_SECONDS = 60 };

/* Where the leading process listens, and what shows that it is the one. */
typedef struct notice {
    uint32_t address[ADDRESSES]; /* IPv4, network order; 0: none */
    uint16_t port;
    uint32_t word;
} notice;

/* What a process says when it is connected. */
typedef struct greeting {
    uint32_t word;
    int rank;
    char host[64];
} greeting;

static struct {
    int rank, count; /* lines of this process: to all others, or to the leading one */
    struct pollfd *line;
    greeting *other; /* whose they are */
    pthread_t thread;
    int watched;
    volatile int loose;
    void (*told)(void);
} tied;

/* ---- whoever is left ---- */

static void end_with(const greeting *g) {
    char line[256];
    int length = snprintf(line, sizeof line,
                          "process %d on %s has died; the run ends here, and goes on from its last "
                          "checkpoint (grampus resume)\n",
                          g->rank, g->host);
    if (tied.rank == 0 || g->rank == 0) { /* one line is enough */
        ssize_t written = write(STDERR_FILENO, line, (size_t)length);
        (void)written;
    }
    _exit(GR_DEVICE_FAILED);
}

/* The leading process tells who it was before it ends: the others see it by their own line. */
static void pass_on(const greeting *dead) {
    for (int i = 0; tied.rank == 0 && i < tied.count; i++)
        if (&tied.other[i] != dead) {
            ssize_t written = send(tied.line[i].fd, dead, sizeof *dead, MSG_NOSIGNAL);
            (void)written;
        }
}

static void *watch(void *context) {
    (void)context;
    for (;;) {
        int ready = poll(tied.line, (nfds_t)tied.count, -1);
        for (int i = 0; ready > 0 && i < tied.count; i++) {
            greeting g = tied.other[i];
            if (!tied.line[i].revents)
                continue;
            ssize_t got = recv(tied.line[i].fd, &g, sizeof g, 0);
            if (tied.loose)
                return NULL;
            if (got > 0 && tied.rank == 0) {
                tied.told();
                continue;
            }
            if (got == sizeof g) /* the leading one names another */
                _exit(GR_DEVICE_FAILED);
            pass_on(&tied.other[i]);
            end_with(&tied.other[i]);
        }
        if (tied.loose || (ready < 0 && errno != EINTR))
            return NULL;
    }
}

/* ---- tying ---- */

/* A host that is gone without a word is noticed too. */
static void keep_alive(int fd) {
    int on = 1, seconds = 2, probes = 3, milliseconds = 8000;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof seconds);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds);
}

static int listen_anywhere(notice *n) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_ANY)}};
    socklen_t size = sizeof at;
    struct ifaddrs *all = NULL;
    int count = 0, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, SOMAXCONN) ||
        getsockname(fd, (struct sockaddr *)&at, &size) || getifaddrs(&all)) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    n->port = at.sin_port;
    for (int loop = 0; loop < 2; loop++) /* this host's own address last */
        for (struct ifaddrs *a = all; a && count < ADDRESSES; a = a->ifa_next)
            if (a->ifa_addr && a->ifa_addr->sa_family == AF_INET && a->ifa_flags & IFF_UP &&
                !(a->ifa_flags & IFF_LOOPBACK) == !loop)
                n->address[count++] = ((struct sockaddr_in *)a->ifa_addr)->sin_addr.s_addr;
    freeifaddrs(all);
    return fd;
}

static int connect_to(uint32_t address, uint16_t port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = port, .sin_addr = {address}};
    struct timeval patience = {CONNECT_SECONDS, 0};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, (struct sockaddr *)&at, sizeof at) == 0)
        return fd;
    close(fd);
    return -1;
}

static greeting introduce(uint32_t word, int rank) {
    greeting g = {.word = word, .rank = rank};
    gethostname(g.host, sizeof g.host - 1);
    return g;
}

/* A line to the leading process, which answers with its name. */
static int tie_to_leader(const notice *n, int rank) {
    greeting mine = introduce(n->word, rank);
    struct timeval patience = {ANSWER_SECONDS, 0}, for_ever = {0, 0};
    for (int k = 0; k < ADDRESSES && n->address[k]; k++) {
        int fd = connect_to(n->address[k], n->port);
        if (fd < 0)
            continue;
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        if (send(fd, &mine, sizeof mine, MSG_NOSIGNAL) == sizeof mine &&
            recv(fd, &tied.other[0], sizeof *tied.other, MSG_WAITALL) == sizeof *tied.other &&
            tied.other[0].word == n->word) {
            setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &for_ever, sizeof for_ever);
            tied.line[0] = (struct pollfd){.fd = fd, .events = POLLIN};
            return 1;
        }
        close(fd);
    }
    return 0;
}

/* Lines from all others, as far as they come. */
static int tie_to_others(int listening, uint32_t word, int others) {
    greeting mine = introduce(word, 0);
    struct pollfd waiting = {.fd = listening, .events = POLLIN};
    struct timeval patience = {OTHERS_SECONDS, 0}, for_ever = {0, 0};
    int count = 0;
    while (count < others && poll(&waiting, 1, OTHERS_SECONDS * 1000) > 0) {
        int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0)
            continue;
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        greeting *other = &tied.other[count];
        if (recv(fd, other, sizeof *other, MSG_WAITALL) != sizeof *other || other->word != word ||
            send(fd, &mine, sizeof mine, MSG_NOSIGNAL) != sizeof mine) {
            close(fd);
            continue;
        }
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &for_ever, sizeof for_ever);
        tied.line[count++] = (struct pollfd){.fd = fd, .events = POLLIN};
    }
    return count;
}

void gr_lifeline_tell(void) {
    int before = errno;
    if (tied.rank > 0 && tied.count) {
        ssize_t written = send(tied.line[0].fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        (void)written;
    }
    errno = before;
}

void gr_lifeline_tie(const gr_transport *t, void (*told)(void)) {
    notice n = {.word = (uint32_t)getpid() * 2654435761u};
    int listening = -1, lead = t->rank == 0, most = lead ? t->size - 1 : 1;
    tied.rank = t->rank;
    tied.told = told;
    tied.line = calloc((size_t)most, sizeof *tied.line);
    tied.other = calloc((size_t)most, sizeof *tied.other);
    if (!tied.line || !tied.other)
        return;
    if (lead)
        listening = listen_anywhere(&n);
    for (int rank = 1; lead && rank < t->size; rank++)
        t->send(&n, sizeof n, rank);
    if (!lead && t->receive(&n, sizeof n, 0))
        tied.count = tie_to_leader(&n, t->rank);
    else if (listening >= 0)
        tied.count = tie_to_others(listening, n.word, most);
    if (listening >= 0)
        close(listening);
    for (int i = 0; i < tied.count; i++)
        keep_alive(tied.line[i].fd);
    if (tied.count < most)
        fprintf(stderr, "process %d has no line to %s: when one dies, MPI has to notice it\n",
                t->rank, lead ? "some others" : "process 0");
    tied.watched = tied.count && pthread_create(&tied.thread, NULL, watch, NULL) == 0;
}

void gr_lifeline_loosen(void) {
    tied.loose = 1;
}

void gr_lifeline_untie(void) {
    if (!tied.watched)
        return;
    for (int i = 0; i < tied.count; i++)
        shutdown(tied.line[i].fd, SHUT_RDWR);
    pthread_join(tied.thread, NULL);
    for (int i = 0; i < tied.count; i++)
        close(tied.line[i].fd);
    tied.count = 0;
}
