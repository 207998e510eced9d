/* Trees that are put in place of bred ones, to be measured. */
#ifndef GRAMPUS_LOAD_H
#define GRAMPUS_LOAD_H

#include "gpu/backend/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Refuses lengths[n] that gr_backend.load cannot take; `next`: the generation to be bred next. */
gr_status gr_check_loaded(const gr_params *p, uint32_t next, const uint32_t *lengths,
                          gr_error *error);

#ifdef __cplusplus
}
#endif

#endif
