/* What a checkpoint must be for a run not to fall over it. */
#ifndef GRAMPUS_FITS_H
#define GRAMPUS_FITS_H

#include "gpu/backend/snapshot.h"
#include "gpu/core/program/linear.h"

/* Sizes that the run's memory has room for: of its individuals and of the best of every deme. */
int gr_sizes_fit(const gr_params *p, const gr_individual *individual, const gr_deme *deme);
/* An archive whose places are those of a run's, each of somebody. */
int gr_archive_fits(const gr_params *p, const gr_snapshot *s);
/* Whether nodes are one tree in postfix order, with operations and inputs that the run has. */
int gr_is_tree(const gr_params *p, const gr_node *node, uint32_t count);
/* Whether an interpreter can run over instructions without leaving its stack and its inputs. */
int gr_is_program(const gr_params *p, const gr_instruction *program, uint32_t count);

#endif
