/* summary.tsv: a row for every generation, of all runs together.
 *
 * A run that has ended, solved or not, takes part in later generations with its last values: the
 * spread is always over all runs. */
#ifndef GRAMPUS_SUMMARY_H
#define GRAMPUS_SUMMARY_H

#include "host/cpu/team.h"
#include "host/statistics/generation.h"

typedef struct gr_summary gr_summary;

enum { GR_SUMMARY_BYTES = 8192 }; /* of a row or the head, at most */

/* All that a summary knows; with it another one can go on. */
typedef struct gr_summary_state {
    uint64_t generation, going; /* the generation at hand: its number, runs that took part */
    double executed, seconds;
    double *last;    /* [gr_summary_measures][runs] */
    uint8_t *solved; /* [runs] */
} gr_summary_state;
/* What is told of the runs; where diversity is counted more. */
uint32_t gr_summary_measures(uint32_t diversity);

/* NULL when memory is short. Solved is a run whose best has reached `target` (NaN: there is none).
 */
gr_summary *gr_summary_open(uint32_t runs, uint32_t metric, double target, uint32_t diversity);
void gr_summary_close(gr_summary *summary);
/* Copies to and from arrays of these lengths. */
void gr_summary_keep(const gr_summary *summary, gr_summary_state *state);
void gr_summary_resume(gr_summary *summary, const gr_summary_state *state);

/* Takes rows from `first` on, up to the end of a generation; where it stopped. Rows are left as
 * long as that is before the last: the generation at hand is complete, and its row is to be put. */
uint32_t gr_summary_add(gr_summary *summary, const gr_rows *rows, uint32_t first);
/* Whether there is a generation at hand. */
int gr_summary_pending(const gr_summary *summary);

/* Both return the end of what they wrote; there is no zero behind it. */
char *gr_summary_head(uint32_t diversity, char *to);
/* Of the generation at hand, which is over then. */
char *gr_summary_row(gr_summary *summary, gr_team *team, char *to);

#endif
