/* The rates of this machine between runs: a small text beside the compiled kernels in the cache
 * folder (gpu/backend/cache.h). Nothing depends on it: a text that is not there, damaged or out of
 * range is as none. */
#ifndef GRAMPUS_KEPT_H
#define GRAMPUS_KEPT_H

#include "host/device/estimate.h"

#include <stddef.h>

/* As the last runs left them, or as they are first. */
gr_known_rates gr_read_rates(void);
void gr_keep_rates(const gr_known_rates *rates);

/* The text, and back: rates that are missing or farther off than is learned stay as they are
 * first. */
void gr_write_rates(const gr_known_rates *rates, char *text, size_t size);
gr_known_rates gr_parse_rates(const char *text);

#endif
