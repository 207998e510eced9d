/* What a run goes on from, copied out of an engine: the generation bred last, and the best so far.
 * Its sums and its sample come of that again; random numbers have no state. Both backends copy the
 * same parts, so that a run can go on with the other one.
 *
 * A run that had ended has selected that generation already. Where it goes on, with more
 * generations, that is done once more: it gives the same best, and a record that was known. */
#ifndef GRAMPUS_SNAPSHOT_H
#define GRAMPUS_SNAPSHOT_H

#include "gpu/backend/engine.h"
#include "gpu/core/state/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of a section, of each of which the beginning that is in use was copied. They stand `width`
 * apart, as in what is read from a file; or packed, as the CPU takes them and takes them up again:
 * what each row has in use (gr_snapshot_used) follows that of the one before. */
typedef struct gr_snapshot_part {
    size_t rows;   /* 0: not there */
    size_t width;  /* bytes of a row here; packed: of the longest */
    size_t stride; /* bytes of a row in the state */
    size_t offset; /* of the first in `memory` */
    size_t bytes;  /* of all of them */
    int packed;
} gr_snapshot_part;

typedef struct gr_snapshot {
    uint32_t generation; /* of the engine, bred last */
    uint32_t ended;      /* it has been selected, and nothing was bred from it */
    char *memory;
    size_t bytes;
    gr_snapshot_part part[GR_SECTION_COUNT];
} gr_snapshot;

/* The longest of all individuals and of the best ones, in codons, nodes and instructions. */
typedef struct gr_longest {
    uint32_t genotype, program, best;
} gr_longest;

gr_longest gr_snapshot_longest(const gr_params *p, const gr_individual *individuals,
                               const gr_deme *demes);
/* Sets `part` and `bytes` for snapshot->generation and ended. */
void gr_snapshot_plan(gr_snapshot *snapshot, const gr_state *state, gr_longest longest);
/* Bytes of the largest there can be. */
size_t gr_snapshot_most(const gr_state *state);
/* Memory that is taken for one of so many bytes: a quarter more, for those that grow, as far as
 * they can. */
size_t gr_snapshot_room(const gr_state *state, size_t bytes);
/* Whether a snapshot between epochs can have the costs of its generation: they come of the sums,
 * but class thresholds are fitted with them, which is done once. */
int gr_snapshot_has_costs(const gr_params *p);
/* Where the part's rows stand in the state. */
void *gr_snapshot_place(const gr_snapshot *snapshot, const gr_state *state, gr_section section);
/* How much of a row is in use: sizes stand in other sections, of a snapshot or of a state. */
typedef struct gr_snapshot_sizes {
    const gr_individual *individuals, *archived;
    const gr_deme *demes;
} gr_snapshot_sizes;
gr_snapshot_sizes gr_snapshot_own_sizes(const gr_snapshot *snapshot);
/* Elements of a row that are in use; `whole` where rows are always whole. */
size_t gr_snapshot_used(const gr_snapshot_sizes *sizes, gr_section section, size_t row,
                        size_t whole);
/* Bytes of such an element; 0: rows of the section are whole. */
size_t gr_snapshot_element(const gr_params *p, gr_section section);
/* Whether a run with these settings has something left to do after the snapshot. */
int gr_snapshot_goes_on(const gr_snapshot *snapshot, const gr_params *p);
/* Records of an engine that looks at no program twice tell of none that it spared. */
void gr_snapshot_forget_spared(const gr_snapshot *snapshot, const gr_state *state);
/* The first row of a part. */
void *gr_snapshot_rows(const gr_snapshot *snapshot, gr_section section);

#ifdef __cplusplus
}
#endif

#endif
