#include "gpu/backend/opening.h"

#include <stdio.h>

const char *const gr_opening_names[GR_OPENINGS] = {"driver",  "context", "interpreter", "compiling",
                                                   "kernels", "memory",  "upload",      "graph"};

void gr_opening_describe(const double seconds[GR_OPENINGS], char *line, size_t size) {
    double sum = 0.0;
    size_t n;
    *line = '\0';
    for (int k = 0; k < GR_OPENINGS; k++)
        sum += seconds[k];
    if (!(sum > 0.0))
        return;
    n = (size_t)snprintf(line, size, "%.3f s:", sum);
    for (int k = 0; k < GR_OPENINGS && n < size; k++)
        if (seconds[k] > 0.0)
            n += (size_t)snprintf(line + n, size - n, "%s %s %.3f", line[n - 1] == ':' ? "" : ",",
                                  gr_opening_names[k], seconds[k]);
}
