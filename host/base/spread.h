/* How numbers spread: mean, ends and quartiles, in time that grows with their number. */
#ifndef GRAMPUS_SPREAD_H
#define GRAMPUS_SPREAD_H

#include <stddef.h>

typedef struct gr_spread {
    double mean, least, quartile[3], most; /* quartile[1] is the median */
} gr_spread;

/* Of values[0, count), which come out in another order and may not have NaNs among them; all NaN
 * where there are none. Quartiles lie between neighbours in proportion (as numpy's). */
gr_spread gr_spread_of(double *values, size_t count);

#endif
