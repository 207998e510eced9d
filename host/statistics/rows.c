#include "host/statistics/rows.h"

#include "gpu/core/selection/diversity.h"
#include "host/base/decimal.h"
#include "host/derivation/phenotype.h"

#include <math.h>
#include <stdio.h>

const char *const gr_size_names[GR_SIZE_KINDS] = {"genome_length", "used_codons", "tree_depth",
                                                  "tree_nodes", "derivation_nodes"};

const char *const gr_diversity_names[GR_DIVERSITY_COLUMNS] = {
    "genotypes", "phenotypes", "fitnesses", "fitness_entropy", "like_parent", "phenotypes_ever"};

char *gr_put_head(char *to, int diversity, int fronts) {
    to += sprintf(to,
                  "run\tgen\tbest_fitness\tave_fitness\tbest_ever\ttest_fitness\tvalid\tinvalids");
    for (uint32_t k = GR_VALID + 1; k < GR_VALIDITY_COUNT; k++)
        to += sprintf(to, "\t%s", gr_validity_name(k));
    to += sprintf(to, "\tnonfinite\tdraws_again\tparents_kept");
    for (int k = 0; k < GR_SIZE_KINDS; k++)
        to += sprintf(to, "\tmin_%s\tave_%s\tmax_%s", gr_size_names[k], gr_size_names[k],
                      gr_size_names[k]);
    to += sprintf(to, "\tbest_nodes\tbest_depth");
    for (int k = 0; diversity && k < GR_DIVERSITY_COLUMNS; k++)
        to += sprintf(to, "\t%s", gr_diversity_names[k]);
    if (fronts)
        to += sprintf(to, "\tfirst_front\tfronts");
    return to + sprintf(to, "\tnodes_executed\ttime\n"); /* what differs last */
}

double gr_fitness_entropy(const gr_diversity *d) {
    double n = d->finite;
    if (d->fitnesses == 1) /* what was added up is rounded, which would leave some 10^-8 */
        return 0;
    return n > 0 ? fmax(0.0, log2(n) - ldexp((double)d->repeated, -GR_LOG2_BITS) / n) : (double)NAN;
}

void gr_diversity_values(const gr_generation *g, double value[GR_DIVERSITY_COLUMNS]) {
    const gr_diversity *d = &g->diversity;
    value[0] = d->genotypes;
    value[1] = d->phenotypes;
    value[2] = d->fitnesses;
    value[3] = gr_fitness_entropy(d);
    value[4] = d->children ? (double)d->copies / d->children : (double)NAN;
    value[5] = g->counts_ever ? (double)d->ever : (double)NAN;
}

static char *put_whole(char *to, uint64_t value) {
    to = gr_put_whole(to, value);
    *to++ = '\t';
    return to;
}

static char *put_nine(char *to, double value) {
    to = gr_put_nine(to, value);
    *to++ = '\t';
    return to;
}

char *gr_put_row(char *to, const gr_generation *g) {
    const double fitness[] = {g->best, g->mean, g->best_ever, g->test};
    to = put_whole(to, g->run);
    to = put_whole(to, g->generation);
    for (size_t k = 0; k < sizeof fitness / sizeof *fitness; k++)
        to = put_nine(to, fitness[k]);
    to = put_whole(to, g->by_validity[GR_VALID]);
    to = put_whole(to, g->individuals - g->by_validity[GR_VALID]);
    for (int k = GR_VALID + 1; k < GR_VALIDITY_COUNT; k++)
        to = put_whole(to, g->by_validity[k]);
    to = put_whole(to, g->nonfinite);
    to = put_whole(to, g->draws_again);
    to = put_whole(to, g->parents_kept);
    for (int k = 0; k < GR_SIZE_KINDS; k++) {
        to = put_nine(to, g->size[k].min);
        to = put_nine(to, g->size[k].mean);
        to = put_nine(to, g->size[k].max);
    }
    to = put_whole(to, g->best_nodes);
    to = put_whole(to, g->best_depth);
    if (g->has_diversity) {
        double value[GR_DIVERSITY_COLUMNS];
        gr_diversity_values(g, value);
        for (int k = 0; k < 3; k++)
            to = put_whole(to, (uint64_t)value[k]);
        for (int k = 3; k < GR_DIVERSITY_COLUMNS; k++)
            to = put_nine(to, value[k]);
    }
    if (g->has_fronts) {
        to = put_whole(to, g->first_front);
        to = put_whole(to, g->fronts);
    }
    to = gr_put_rounded(to, g->executed);
    *to++ = '\t';
    to = gr_put_micro(to, g->seconds);
    *to++ = '\n';
    return to;
}
