/* How the GPUs of this machine are linked, by NVML, which is opened at run time; and what a run
 * that is spread over several would do it with. */
#ifndef GRAMPUS_LINKS_H
#define GRAMPUS_LINKS_H

#include <stddef.h>

/* "NVLink, 18 links", "PCIe, one switch", ...; "unknown" where nothing tells. Buses as CUDA writes
 * them. */
void gr_link_between(const char *bus, const char *other, char *line, size_t size);

#endif
