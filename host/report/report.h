/* A report: one page and its pictures, of results wherever they lie. */
#ifndef GRAMPUS_REPORT_H
#define GRAMPUS_REPORT_H

#include "host/report/model.h"

/* Writes `folder`/report.html and the pictures beside it, of `sources`: folders of runs and of
 * experiments, files of tables, and rates that grampus bench wrote. A program that draws and is
 * missing leaves its pictures out, and is no error. */
gr_status gr_report_write(const char *const *sources, int count, const char *folder,
                          gr_report_notes *notes, gr_error *error);

#endif
