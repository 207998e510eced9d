/* The GPUs of this machine, for those who spread runs over them: by number, as the driver counts
 * the visible ones. */
#ifndef GRAMPUS_CARDS_H
#define GRAMPUS_CARDS_H

#include "gpu/backend/peers.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GR_MOST_CARDS = 64 };

#ifdef GRAMPUS_CUDA
uint32_t gr_cuda_cards(void);
/* A line about one, or about why it cannot be used (0). */
int gr_cuda_describe(uint32_t card, char *line, size_t size);
/* Whether one reads the other's memory without the host. */
int gr_cuda_reaches(uint32_t card, uint32_t other);
/* Of one, as NVML and PCI name it: "0000:1b:00.0". */
void gr_cuda_bus(uint32_t card, char *text, int size);
/* Of NCCL that a run would load, as 22304; 0: there is none. */
int gr_cuda_nccl_version(void);
/* What a communicator is made with, for all its members. */
gr_status gr_cuda_peers_key(unsigned char key[GR_PEERS_KEY], gr_error *error);
/* Memory that engines with some individuals each are to have together, on these cards of this
 * process (gr_peers.common); taken by the first of them that opens, the others' parts with it.
 * Refused where a card does not read another's. */
gr_status gr_cuda_common_make(const uint32_t *cards, uint32_t members, struct gr_common **common,
                              gr_error *error);
/* When all of these engines are closed; NULL: nothing. */
void gr_cuda_common_free(struct gr_common *common);
/* Lane instructions a second that the card issues, measured in about a millisecond once it is
 * open; 0: it cannot be used. By the thread that is going to use it. */
double gr_cuda_speed(uint32_t card);
#endif

#ifdef __cplusplus
}
#endif

#endif
