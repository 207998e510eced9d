/* Numbers put in rising order, in place. Among NaNs there is no order, and none across them. */
#ifndef GRAMPUS_SORT_H
#define GRAMPUS_SORT_H

#include <stddef.h>

void gr_sort_floats(float *values, size_t count);
void gr_sort_doubles(double *values, size_t count);

#endif
