/* What one cell, or a single run, leaves in the tables: its rows while it goes on, its outcome when
 * it has ended. Until then rows wait in memory; of a long cell some are written before. */
#ifndef GRAMPUS_EXPERIMENT_LEDGER_H
#define GRAMPUS_EXPERIMENT_LEDGER_H

#include "host/experiment/tables.h"
#include "host/run/outcome.h"

typedef struct gr_ledger gr_ledger;

/* What is there of the cell is forgotten when something is written. Settings and run are borrowed.
 */
gr_status gr_ledger_open(gr_tables *tables, int64_t cell, const gr_settings *settings, gr_run *run,
                         gr_ledger **ledger, gr_error *error);
/* Takes copies; between epochs, all in their order. A failure is told by the next two. */
void gr_ledger_rows(gr_ledger *ledger, const gr_rows *rows);
gr_status gr_ledger_epoch(gr_ledger *ledger, gr_error *error);
/* All of it in one transaction; the cell is `done`, or `stopped`. */
gr_status gr_ledger_finish(gr_ledger *ledger, const gr_outcome *outcome, gr_error *error);
void gr_ledger_close(gr_ledger *ledger);

/* Forgets the rows of a cell, within a transaction. */
gr_status gr_forget_cell(gr_tables *tables, int64_t cell, gr_error *error);
/* UTC as 2026-11-22T16:30:00Z. */
enum { GR_UTC = 24 };
void gr_utc_now(char out[GR_UTC]);

#endif
