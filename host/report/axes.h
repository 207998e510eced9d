/* Axes of fitness and colours of cells, which the pictures of curves and of boxes share. */
#ifndef GRAMPUS_REPORT_AXES_H
#define GRAMPUS_REPORT_AXES_H

#include "host/report/model.h"

#include <stdio.h>

/* Fitness of one metric stands on one axis: that of the first cell. */
int gr_same_metric(const gr_report *report, uint32_t cell);
/* The ends of the curves of this name, bands and all; 0: there is none. */
int gr_range_of_curves(const gr_report *report, const char *name, double range[2]);
/* The last generation of any of the cells drawn, or of those alone whose metric is the first one's:
 * the end of the axis. */
uint32_t gr_last_generation(const gr_report *report, int same_metric);
/* The scale of an axis of such values: over more than so many magnitudes it is a logarithmic one.
 */
void gr_write_scale(FILE *script, double least, double most);
/* How many the numbers at such an axis need, lest those beside each other read alike. */
int gr_digits_of_tics(double least, double most);
void gr_write_fitness_label(FILE *script, const gr_report *report, const char *what);
const char *gr_colour_of(uint32_t cell);

#endif
