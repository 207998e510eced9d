/* Results into cells of a report. */
#ifndef GRAMPUS_REPORT_LOAD_H
#define GRAMPUS_REPORT_LOAD_H

#include "host/report/model.h"

/* Columns of statistics.tsv that pictures are of. */
extern const char *const gr_report_measures[];

/* Curves have at most about so many points: of more generations every second, third, ... counts,
 * and the last one. */
enum { GR_MOST_POINTS = 1000 };

static inline uint32_t gr_report_step(uint32_t last) {
    return last / GR_MOST_POINTS + 1;
}

static inline int gr_is_drawn(uint32_t generation, uint32_t last) {
    return generation % gr_report_step(last) == 0 || generation == last;
}

/* The folder of a run or a batch: best.json, runs.tsv, statistics.tsv or summary.tsv. */
gr_status gr_load_folder(const char *folder, gr_report *report, gr_error *error);
/* The file of tables of an experiment or a run, every cell that is done; `folder` is its name. */
gr_status gr_load_tables(const char *path, const char *folder, gr_report *report, gr_error *error);
/* What `grampus bench --json` wrote. */
gr_status gr_load_rates(const char *path, gr_report *report, gr_error *error);

/* Reads the cases of a cell, once its settings and its best program are known, and applies the
 * program to them. What is missing leaves the pictures of it out. */
gr_status gr_load_predictions(gr_report_cell *cell, gr_error *error);

#endif
