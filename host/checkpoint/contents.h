/* What a checkpoint holds: the engine's snapshot, what the run itself knows, and hashes of what the
 * run is about. */
#ifndef GRAMPUS_CONTENTS_H
#define GRAMPUS_CONTENTS_H

#include "host/checkpoint/store.h"
#include "host/run/run.h"
#include "host/statistics/writer.h"

enum { GR_CHECKPOINT_VERSION = 3 };

typedef struct gr_checkpoint {
    gr_snapshot snapshot;
    gr_run_tally tally;
    gr_run_step *steps;     /* [runs] */
    gr_writer_state writer; /* the summary's arrays NULL: it has none */
    char *laws;             /* of gr_run_save_laws; NULL: none */
} gr_checkpoint;

/* What a checkpoint belongs to, as checksums: settings that decide the results, the grammar's
 * tables, the fitness cases, the first individuals that were given. */
typedef struct gr_fingerprint {
    uint64_t settings, grammar, data, seeds;
} gr_fingerprint;
gr_status gr_fingerprint_of(const gr_settings *settings, const gr_problem *problem,
                            gr_fingerprint *fingerprint, gr_error *error);
/* Whether a resumed run may have another value of this setting. */
int gr_may_change(gr_key key);

/* Writes the file. The rows of the snapshot are moved together: it is of no further use. */
gr_status gr_checkpoint_write(const char *path, gr_checkpoint *checkpoint, const gr_params *p,
                              const gr_fingerprint *fingerprint, gr_error *error);
/* Reads and checks it; the caller frees it. GR_BAD_INPUT when it is damaged; *foreign: when it
 * belongs to another run. */
gr_status gr_checkpoint_read(const char *path, const gr_params *p,
                             const gr_fingerprint *fingerprint, gr_checkpoint *checkpoint,
                             int *foreign, gr_error *error);
void gr_checkpoint_free(gr_checkpoint *checkpoint);

#endif
