/* Protein localisation: how often each amino acid stands in a sequence. From files, or made. */
#ifndef GRAMPUS_PROTEINS_H
#define GRAMPUS_PROTEINS_H

#include "host/data/dataset.h"

gr_status gr_make_proteins(const gr_settings *settings, gr_dataset *train, gr_dataset *test,
                           gr_error *error);

#endif
