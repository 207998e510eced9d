/* How many words, rows and parts what a run keeps has, from its parameters alone; the same on both
 * backends. */
#ifndef GR_SHAPES_H
#define GR_SHAPES_H

#include "gpu/core/base/params.h"
#include "gpu/core/mapping/wrapping.h"
#include "gpu/core/program/node.h"

/* Whether fitted constants stand beside the genotypes, which cannot take them. */
GR_BOTH uint32_t gr_fits_beside(const gr_params *p) {
    return p->optimise && p->genotype != GR_TREE;
}
/* Whether children begin with the constants of their parents (breeding/inherit.h): not those called
 * c[i], which begin at 0, and not where codons are not read in a row. */
GR_BOTH uint32_t gr_inherits_constants(const gr_params *p) {
    return gr_fits_beside(p) && !p->free_constants &&
           !(p->convention & (GR_POSITION_INDEPENDENT | GR_LISTS));
}

/* Whether copies of elites have to be fitted again, since they begin with the grammar's numbers. */
GR_BOTH uint32_t gr_fits_copies(const gr_params *p) {
    return gr_fits_beside(p) && !gr_inherits_constants(p);
}

/* Words of scratch a lane group needs: the derivation's path (trees: the nodes above a cut), the
 * parser's pending operators, the locations of nodes while they are compiled, and the codons at
 * which leaves begin, where children inherit constants. */
GR_BOTH uint32_t gr_path_words(const gr_params *p) {
    return p->genotype == GR_TREE ? p->max_tree_depth : 2 * p->max_depth;
}
GR_BOTH uint32_t gr_parse_levels(const gr_params *p) {
    return p->genotype == GR_TREE ? 0 : p->max_nesting;
}
/* GE: expressions a lane keeps until it compiles them stand in its scratch one after another. */
enum { GR_KEPT_NODES = 256 };
GR_BOTH uint32_t gr_scratch_nodes(const gr_params *p) {
    return p->max_nodes + (p->genotype == GR_TREE ? 0 : GR_KEPT_NODES + 1);
}
/* One more than nodes where lanes compile an expression together. */
GR_BOTH uint32_t gr_location_words(const gr_params *p) {
    return p->genotype == GR_TREE ? 2 * p->max_nodes : p->max_nodes + 1;
}
GR_BOTH uint32_t gr_scratch_words(const gr_params *p) {
    return gr_path_words(p) + gr_parse_levels(p) + gr_location_words(p) +
           (gr_inherits_constants(p) ? gr_scratch_nodes(p) : 0);
}

/* GE: words of an individual's row of branches (branch.h): a set of rules, two words a codon, and
 * where branches mutate scratch for another genome. */
GR_BOTH uint32_t gr_even(uint32_t words) {
    return (words + 1) & ~1u;
}
GR_BOTH uint32_t gr_branch_words(const gr_params *p) {
    uint32_t codons = p->subtree_mutation > 0.0f ? 3 : 2;
    return p->rule_words ? gr_even(gr_even(p->rule_words) + codons * p->genome_capacity) : 0;
}

/* Words of an individual's genotype. */
GR_BOTH uint32_t gr_genotype_words(const gr_params *p) {
    return p->genotype == GR_TREE ? (uint32_t)(sizeof(gr_node) / sizeof(uint32_t)) * p->max_nodes
                                  : p->genome_capacity;
}

/* Words of an individual's fitted constants and of where they stand. */
GR_BOTH uint32_t gr_heritage_words(const gr_params *p) {
    return gr_fits_beside(p) ? 3 * GR_FIT_CONSTANTS : 0;
}

/* Words of a migrant beside its gr_migrant. */
GR_BOTH uint32_t gr_migrant_words(const gr_params *p) {
    return gr_even(gr_genotype_words(p)) + gr_branch_words(p) + gr_heritage_words(p);
}

GR_BOTH uint32_t gr_demes(const gr_params *p) {
    return p->runs * p->islands;
}
GR_BOTH uint32_t gr_segments(const gr_params *p) {
    return (p->population + GR_SEGMENT - 1) / GR_SEGMENT;
}

GR_BOTH uint32_t gr_spans(const gr_params *p) {
    return (gr_segments(p) + GR_SPAN - 1) / GR_SPAN;
}

/* Children whose plans are drawn together: the two of a pair have the same parents and cuts. */
GR_BOTH uint32_t gr_siblings(const gr_params *p) {
    return p->torus || p->one_child ? 1 : 2;
}

/* Parent pairs of a deme, the sources of its next generation: an elite, which is copied, or the
 * parents of one or two children. */
GR_BOTH uint32_t gr_parent_pairs(const gr_params *p) {
    return p->elites + (p->population - p->elites + gr_siblings(p) - 1) / gr_siblings(p);
}

/* Parents that lexicase selection finds in a deme, two a pair. */
GR_BOTH uint32_t gr_lexicase_parents(const gr_params *p) {
    return 2 * (gr_parent_pairs(p) - p->elites);
}

/* A gr_epsilon_kind, known beforehand in code that is compiled for one kind alone
 * (gpu/kernels/ways.cuh). */
GR_BOTH uint32_t gr_epsilon_kind_of(const gr_params *p) {
#ifdef GR_ONLY_EPSILON
    (void)p;
    return GR_ONLY_EPSILON;
#else
    return p->epsilon;
#endif
}
/* Whether the cases that selection looks at are drawn: not where it looks at all one by one. */
GR_BOTH uint32_t gr_draws_cases(const gr_params *p) {
    return p->lexicase_rows && (p->lexicase_cases < p->train_cases || p->lexicase_batch > 1);
}
GR_BOTH size_t gr_drawn_cases(const gr_params *p) {
    return gr_draws_cases(p) ? (size_t)p->runs * p->lexicase_cases : 0;
}
/* Words of a set of so many, a multiple of four: lanes read four at a time. */
GR_BOTH uint32_t gr_set_words(uint32_t size) {
    return (size + 127) / 128 * 4;
}
/* Those of a set of individuals of a deme. */
GR_BOTH uint32_t gr_pool_words(const gr_params *p) {
    return gr_set_words(p->population);
}
/* Whether most of those who pass a row, of many, are known as a set of bits before anybody is
 * looked at: by dynamic epsilon nothing is. */
GR_BOTH uint32_t gr_pools_meet(const gr_params *p) {
    uint32_t epsilon = gr_epsilon_kind_of(p);
    return epsilon == GR_EPSILON_STATIC || epsilon == GR_EPSILON_SEMI_DYNAMIC;
}
/* Who passes a row first is listed where there are so few: no longer than the pool is. */
GR_BOTH uint32_t gr_first_list_most(const gr_params *p) {
    return gr_min_u32(1024, gr_pool_words(p));
}
/* As many candidates as may be listed. */
GR_BOTH uint32_t gr_list_most(const gr_params *p) {
    return gr_min_u32(p->population, gr_max_u32(4096, p->population / 8));
}
/* Candidates left are a list, and no longer bits, where there are so few: an error of a list takes
 * eight words of memory. */
GR_BOTH uint32_t gr_listed_most(const gr_params *p) {
    uint32_t few = gr_max_u32(64, gr_pool_words(p) / 8), most = gr_list_most(p);
    return gr_pools_meet(p) ? gr_min_u32(few, most) : most;
}
/* Errors next to the least of a row, and next to what it is passed by first, that are kept apart,
 * at most; none where a row comes first for less than one parent, for finding them takes longer
 * then than what they save. */
GR_BOTH uint32_t gr_near_most(const gr_params *p) {
    uint32_t pays = gr_epsilon_kind_of(p) == GR_EPSILON_SEMI_DYNAMIC &&
                    gr_lexicase_parents(p) >= p->lexicase_rows;
    return pays ? gr_min_u32(2048, p->population / 16) : 0;
}
/* Words of a set of rows: those that an individual does not pass first. None where too many rows
 * are looked at, or nobody is left out by these sets. */
GR_BOTH uint32_t gr_failed_words(const gr_params *p) {
    uint32_t words = (p->lexicase_rows + 31) / 32;
    return gr_pools_meet(p) && words <= 256 ? words : 0;
}
/* Candidates with different errors for whom all rows are looked at together, at most. */
enum { GR_LOOKED_AHEAD = 128 };
/* Rows that part candidates, as many as are listed, at most: where more do, one of them is not far.
 */
GR_BOTH uint32_t gr_parting_most(const gr_params *p) {
    return gr_min_u32(p->lexicase_rows, 1024);
}
/* Words of those that part who passes a row first, their number and a list; none where a row comes
 * first for less than one parent. */
GR_BOTH uint32_t gr_parting_words(const gr_params *p) {
    return p->lexicase_rows <= gr_lexicase_parents(p) ? 1 + gr_parting_most(p) : 0;
}
/* Words of those left on the way to a parent: a pool, a list of few, the rows that part them and
 * the numbers of these on the way; with dynamic epsilon the errors of a list, too. */
GR_BOTH uint32_t gr_way_words(const gr_params *p) {
    uint32_t lists = gr_epsilon_kind_of(p) == GR_EPSILON_DYNAMIC ? 2 : 1;
    return gr_pool_words(p) + (lists * gr_list_most(p) + 2 * gr_parting_most(p) + 3) / 4 * 4;
}
/* Ways that are gone at a time, at most: half a gigabyte, or 64. */
GR_BOTH uint32_t gr_ways(const gr_params *p, uint32_t groups) {
    return gr_min_u32(gr_min_u32(groups, 4096), gr_max_u32(64, (1u << 27) / gr_way_words(p)));
}

#endif
