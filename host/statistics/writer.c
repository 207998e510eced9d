#include "host/statistics/writer.h"

#include "host/base/output.h"
#include "host/base/text.h"
#include "host/cpu/processors.h"
#include "host/cpu/team.h"
#include "host/statistics/rows.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What waits. 256 full blocks of rows are 64 MB; 64 at a time go to text, 8 MB of it. */
enum { QUEUE = 256, BATCH = 64 };

typedef struct item {
    enum { ROWS, BEST, EPOCH, REST, END } kind;
    gr_rows *rows;
    char *text;
} item;

struct gr_writer {
    gr_writer_plan plan;
    gr_output table; /* statistics or summary */
    FILE *ponyge2;
    gr_ponyge2_statistics so_far;
    gr_summary *summary;
    gr_team *team; /* the thread's, once there is work for one */
    int team_tried;
    gr_rows *rows[BATCH]; /* at hand */
    char *text[BATCH];
    size_t length[BATCH], capacity[BATCH];

    pthread_t thread;
    int threaded; /* 0: there is none, and everything is done at once */
    pthread_mutex_t lock;
    pthread_cond_t more, less, rests;
    int resting; /* the thread has come to a REST */
    item queue[QUEUE];
    uint32_t first, count;
    int ended;
    gr_error failure; /* the first one */
};

/* ---- what the thread does ---- */

static int has_failed(gr_writer *w) {
    pthread_mutex_lock(&w->lock);
    int failed = w->failure.status != GR_OK;
    pthread_mutex_unlock(&w->lock);
    return failed;
}

static void note_failure(gr_writer *w, const gr_error *error) {
    pthread_mutex_lock(&w->lock);
    if (!w->failure.status)
        w->failure = *error;
    pthread_mutex_unlock(&w->lock);
}

static void write_table(gr_writer *w, const char *text, size_t length) {
    gr_error error = {GR_OK, ""};
    if (length && !has_failed(w) && gr_output_write(&w->table, text, length, &error))
        note_failure(w, &error);
}

static gr_team *team_of(gr_writer *w) {
    if (!w->team_tried)
        w->team = gr_team_open(w->plan.threads ? w->plan.threads : gr_processors());
    w->team_tried = 1;
    return w->team;
}

static void print_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    gr_writer *w = context;
    (void)thread;
    for (uint64_t k = first; k < last; k++) {
        const gr_rows *rows = w->rows[k];
        size_t size = (size_t)rows->count * GR_ROW_BYTES;
        if (size > w->capacity[k]) {
            free(w->text[k]);
            w->text[k] = malloc(size);
            w->capacity[k] = w->text[k] ? size : 0;
        }
        char *to = w->text[k];
        for (uint32_t i = 0; to && i < rows->count; i++)
            to = gr_put_row(to, &rows->row[i]);
        w->length[k] = to ? (size_t)(to - w->text[k]) : 0;
    }
}

/* Rows as text, by the team, then a write for each block. */
static void write_statistics(gr_writer *w, uint32_t count) {
    const gr_error memory = {GR_NO_MEMORY, "no memory to write statistics"};
    gr_team_loop(count > 1 ? team_of(w) : NULL, count, 1, print_some, w);
    for (uint32_t k = 0; k < count; k++)
        if (w->text[k])
            write_table(w, w->text[k], w->length[k]);
        else
            note_failure(w, &memory);
}

static void write_summary_row(gr_writer *w) {
    char row[GR_SUMMARY_BYTES];
    gr_team *team = w->plan.runs >= GR_ROWS ? team_of(w) : NULL;
    if (gr_summary_pending(w->summary))
        write_table(w, row, (size_t)(gr_summary_row(w->summary, team, row) - row));
}

static void summarise(gr_writer *w, const gr_rows *rows) {
    for (uint32_t at = 0; at < rows->count;) {
        at = gr_summary_add(w->summary, rows, at);
        if (at < rows->count)
            write_summary_row(w);
    }
}

static void check_ponyge2(gr_writer *w) {
    gr_error error;
    errno = 0;
    if (w->ponyge2 && (fflush(w->ponyge2) != 0 || ferror(w->ponyge2))) {
        gr_fail(&error, GR_FAILED, "%s: %s", w->plan.ponyge2,
                errno ? strerror(errno) : "write error");
        note_failure(w, &error);
    }
}

/* Rows at hand, 0 to count. */
static void do_rows(gr_writer *w, uint32_t count) {
    if (w->plan.statistics)
        write_statistics(w, count);
    for (uint32_t k = 0; k < count; k++) {
        if (w->summary)
            summarise(w, w->rows[k]);
        for (uint32_t i = 0; w->ponyge2 && i < w->rows[k]->count; i++)
            gr_ponyge2_row(&w->so_far, &w->rows[k]->row[i], w->ponyge2);
        free(w->rows[k]);
    }
}

static void do_best(gr_writer *w, char *text) {
    gr_error error = {GR_OK, ""};
    if (!has_failed(w) && gr_replace_file(w->plan.best, text, strlen(text), 1, &error))
        note_failure(w, &error);
    free(text);
}

/* The generation at hand is over where epochs end with one. */
static void do_epoch(gr_writer *w, int last) {
    if (w->summary && (last || !w->plan.in_steps))
        write_summary_row(w);
    check_ponyge2(w);
}

static void do_rest(gr_writer *w) {
    check_ponyge2(w);
    pthread_mutex_lock(&w->lock);
    w->resting = 1;
    pthread_cond_signal(&w->rests);
    pthread_mutex_unlock(&w->lock);
}

static void do_other(gr_writer *w, item it) {
    if (it.kind == BEST)
        do_best(w, it.text);
    else if (it.kind == REST)
        do_rest(w);
    else
        do_epoch(w, it.kind == END);
}

/* ---- the queue ---- */

/* Takes the rows in front, up to BATCH, or one other item; how many rows. */
static uint32_t take(gr_writer *w, item *other) {
    uint32_t rows = 0;
    pthread_mutex_lock(&w->lock);
    while (!w->count)
        pthread_cond_wait(&w->more, &w->lock);
    while (rows < BATCH && rows < w->count && w->queue[(w->first + rows) % QUEUE].kind == ROWS) {
        w->rows[rows] = w->queue[(w->first + rows) % QUEUE].rows;
        rows++;
    }
    *other = w->queue[w->first];
    uint32_t taken = rows ? rows : 1;
    w->first = (w->first + taken) % QUEUE;
    w->count -= taken;
    pthread_cond_signal(&w->less);
    pthread_mutex_unlock(&w->lock);
    return rows;
}

static void *work(void *argument) {
    gr_writer *w = argument;
    item other;
    do {
        uint32_t rows = take(w, &other);
        if (rows)
            do_rows(w, rows);
        else
            do_other(w, other);
    } while (other.kind != END);
    return NULL;
}

/* Few rows can wait for others: a thread is woken for an epoch, or for a batch. */
static void give(gr_writer *w, item it) {
    if (!w->threaded) {
        w->rows[0] = it.rows;
        if (it.kind == ROWS)
            do_rows(w, 1);
        else
            do_other(w, it);
        return;
    }
    pthread_mutex_lock(&w->lock);
    while (w->count == QUEUE)
        pthread_cond_wait(&w->less, &w->lock);
    w->queue[(w->first + w->count++) % QUEUE] = it;
    if (it.kind != ROWS || w->count >= BATCH / 4)
        pthread_cond_signal(&w->more);
    pthread_mutex_unlock(&w->lock);
}

void gr_writer_rows(gr_writer *w, gr_rows *rows) {
    give(w, (item){.kind = ROWS, .rows = rows});
}

void gr_writer_best(gr_writer *w, char *text) {
    give(w, (item){.kind = BEST, .text = text});
}

static gr_status failure_of(gr_writer *w, gr_error *error) {
    pthread_mutex_lock(&w->lock);
    gr_status status = w->failure.status;
    if (status && error)
        *error = w->failure;
    pthread_mutex_unlock(&w->lock);
    return status;
}

gr_status gr_writer_epoch(gr_writer *w, gr_error *error) {
    give(w, (item){.kind = EPOCH});
    return failure_of(w, error);
}

gr_status gr_writer_rest(gr_writer *w, gr_writer_state *state, gr_error *error) {
    w->resting = 0;
    give(w, (item){.kind = REST});
    pthread_mutex_lock(&w->lock);
    while (!w->resting)
        pthread_cond_wait(&w->rests, &w->lock);
    pthread_mutex_unlock(&w->lock);
    long so_far = w->ponyge2 ? ftell(w->ponyge2) : 0;
    state->table = w->table.length;
    state->ponyge2 = so_far < 0 ? 0 : (uint64_t)so_far;
    state->so_far = w->so_far;
    if (w->summary && state->summary.last)
        gr_summary_keep(w->summary, &state->summary);
    return failure_of(w, error);
}

/* ---- coming and going ---- */

static void end(gr_writer *w) {
    if (w->ended)
        return;
    give(w, (item){.kind = END});
    if (w->threaded)
        pthread_join(w->thread, NULL);
    w->ended = 1;
}

/* What only a close may find out, as on a network's disk. */
static void close_files(gr_writer *w) {
    gr_error error = {GR_OK, ""};
    if ((w->plan.statistics || w->plan.summary) && gr_output_close(&w->table, &error))
        note_failure(w, &error);
    if (w->ponyge2 && gr_close_checked(w->ponyge2, w->plan.ponyge2, GR_OK, &error))
        note_failure(w, &error);
    w->ponyge2 = NULL;
}

gr_status gr_writer_finish(gr_writer *w, gr_error *error) {
    if (!w->ended) {
        end(w);
        close_files(w);
    }
    return failure_of(w, error);
}

void gr_writer_close(gr_writer *w) {
    if (!w)
        return;
    gr_writer_finish(w, NULL);
    gr_team_close(w->team);
    gr_summary_close(w->summary);
    for (int k = 0; k < BATCH; k++)
        free(w->text[k]);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->more);
    pthread_cond_destroy(&w->less);
    pthread_cond_destroy(&w->rests);
    free(w);
}

static gr_status open_table(gr_writer *w, gr_error *error) {
    const gr_writer_plan *plan = &w->plan;
    char head[GR_SUMMARY_BYTES];
    const char *path = plan->statistics ? plan->statistics : plan->summary;
    if (!path)
        return GR_OK;
    gr_status status = plan->from ? gr_output_reopen(&w->table, path, plan->from->table, error)
                                  : gr_output_open(&w->table, path, error);
    if (!status && !plan->statistics &&
        !(w->summary =
              gr_summary_open(plan->runs, plan->metric, plan->target, (uint32_t)plan->diversity)))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for a summary of %u run%s", plan->runs,
                         gr_s(plan->runs));
    if (!status && w->summary && plan->from)
        gr_summary_resume(w->summary, &plan->from->summary);
    if (status || plan->from)
        return status;
    char *to = !plan->statistics ? gr_summary_head((uint32_t)plan->diversity, head)
                                 : gr_put_head(head, plan->diversity, plan->fronts);
    return gr_output_write(&w->table, head, (size_t)(to - head), error);
}

static gr_status open_ponyge2(gr_writer *w, gr_error *error) {
    if (!w->plan.ponyge2)
        return GR_OK;
    const gr_writer_state *from = w->plan.from;
    if (from && truncate(w->plan.ponyge2, (off_t)from->ponyge2) != 0)
        return gr_output_fail(w->plan.ponyge2, error);
    if (!(w->ponyge2 = fopen(w->plan.ponyge2, from ? "a" : "w")))
        return gr_output_fail(w->plan.ponyge2, error);
    if (from) {
        w->so_far = from->so_far;
        fseek(w->ponyge2, 0, SEEK_END);
    } else
        gr_ponyge2_head(w->ponyge2,
                        &(gr_ponyge2_columns){w->plan.diversity, w->plan.fronts, w->plan.regens});
    check_ponyge2(w);
    return failure_of(w, error);
}

static void start(gr_writer *w) {
    sigset_t all, before;
    sigfillset(&all); /* signals are for the threads of the program */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->threaded = pthread_create(&w->thread, NULL, work, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

gr_status gr_writer_open(const gr_writer_plan *plan, gr_writer **writer, gr_error *error) {
    gr_writer *w = calloc(1, sizeof *w);
    *writer = NULL;
    if (!w)
        return gr_fail(error, GR_NO_MEMORY, "no memory for results");
    w->plan = *plan;
    w->table.descriptor = -1;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->more, NULL);
    pthread_cond_init(&w->less, NULL);
    pthread_cond_init(&w->rests, NULL);
    gr_status status = open_table(w, error);
    if (!status)
        status = open_ponyge2(w, error);
    if (status) {
        gr_writer_close(w);
        return status;
    }
    start(w);
    *writer = w;
    return GR_OK;
}
