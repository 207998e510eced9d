#include "host/spread/board.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct seat {
    gr_board *board;
    uint32_t member;
    const gr_transfer *list;
    uint32_t count;
} seat;

struct gr_board {
    uint32_t members;
    pthread_barrier_t meeting;
    seat seats[];
};

gr_board *gr_board_open(uint32_t members) {
    gr_board *b = calloc(1, sizeof *b + members * sizeof *b->seats);
    if (!b || pthread_barrier_init(&b->meeting, NULL, members)) {
        free(b);
        return NULL;
    }
    b->members = members;
    for (uint32_t m = 0; m < members; m++)
        b->seats[m] = (seat){b, m, NULL, 0};
    return b;
}

void gr_board_close(gr_board *board) {
    if (!board)
        return;
    pthread_barrier_destroy(&board->meeting);
    free(board);
}

void *gr_board_seat(gr_board *board, uint32_t member) {
    return &board->seats[member];
}

/* What `from` lists for this member, in the order in which both list it. */
static void take(const seat *mine, const seat *from) {
    uint32_t k = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        const gr_transfer *t = &from->list[i];
        if (t->from != from->member || t->to != mine->member)
            continue;
        while (mine->list[k].from != from->member || mine->list[k].to != mine->member)
            k++;
        memcpy(mine->list[k++].at, t->at, t->bytes);
    }
}

gr_status gr_board_exchange(void *context, const gr_transfer *list, uint32_t count,
                            gr_error *error) {
    seat *mine = context;
    gr_board *b = mine->board;
    (void)error;
    mine->list = list;
    mine->count = count;
    pthread_barrier_wait(&b->meeting);
    for (uint32_t m = 0; m < b->members; m++)
        if (m != mine->member)
            take(mine, &b->seats[m]);
    pthread_barrier_wait(&b->meeting);
    return GR_OK;
}
