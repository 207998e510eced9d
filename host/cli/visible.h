/* Which GPUs the driver makes ready, before it is loaded: for each it takes longer than a short
 * run. What CUDA_VISIBLE_DEVICES says goes before. */
#ifndef GRAMPUS_VISIBLE_H
#define GRAMPUS_VISIBLE_H

/* The first one alone. */
void gr_see_first_device(void);
/* Of a process that has others beside it on its host: the one of its number, in turn. */
void gr_see_own_device(int number);

#endif
