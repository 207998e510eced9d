/* The page of a report: HTML that needs nothing else, with the pictures as SVG in it. */
#ifndef GRAMPUS_REPORT_PAGE_H
#define GRAMPUS_REPORT_PAGE_H

#include "host/expression/reader.h"
#include "host/report/model.h"

/* folder/report.html, with those pictures that lie in the folder. */
gr_status gr_page_write(const gr_report *report, const char *folder, const gr_report_notes *notes,
                        gr_error *error);

/* The best program of a cell as nodes; names live as long as the cell does. GR_BAD_INPUT: it has
 * none. */
gr_status gr_page_program(const gr_report_cell *cell, gr_vocabulary *vocabulary, gr_node **nodes,
                          uint32_t *count, gr_error *error);
/* Whether the best of all has a tree of at most so many nodes. */
int gr_page_has_tree(const gr_report *report, uint32_t nodes);

#endif
