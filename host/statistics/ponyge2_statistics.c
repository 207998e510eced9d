#include "host/statistics/ponyge2_statistics.h"

#include <math.h>
#include <stdio.h>

void gr_ponyge2_head(FILE *out, const gr_ponyge2_columns *with) {
    int fronts = with->fronts;
    fprintf(out,
            "%save_genome_length\tave_tree_depth\tave_tree_nodes\tave_used_codons\t"
            "%s\tgen\tinvalids\tmax_genome_length\tmax_tree_depth\tmax_tree_nodes\t"
            "max_used_codons\tmin_genome_length\tmin_tree_depth\tmin_tree_nodes\tmin_used_codons\t"
            "%s%sruntime_error\ttime_adjust\ttime_taken\ttotal_inds\ttotal_time\t",
            fronts ? "" : "ave_fitness\t", fronts ? "first_front" : "best_fitness",
            fronts ? "pareto_fronts\t" : "", with->regens ? "regens\t" : "");
    fputs(with->diversity ? "unique_inds\tunused_search\t\n" : "\n", out);
}

/* A number as Python prints a float, nan in lower case. */
static void put(FILE *out, double value) {
    if (isnan(value))
        fputs("nan\t", out);
    else
        fprintf(out, "%.9g\t", value);
}

void gr_ponyge2_row(gr_ponyge2_statistics *s, const gr_generation *g, FILE *out) {
    const gr_min_mean_max *length = &g->size[GR_SIZE_LENGTH], *depth = &g->size[GR_SIZE_DEPTH];
    const gr_min_mean_max *nodes = &g->size[GR_SIZE_DERIVATION], *used = &g->size[GR_SIZE_USED];
    double taken = g->seconds - s->seconds;
    s->invalids += g->individuals - g->by_validity[GR_VALID];
    s->runtime_errors += g->nonfinite;
    s->individuals += g->individuals; /* the elites once more, as PonyGE2 counts them */
    s->seconds = g->seconds;
    const double before[] = {g->mean,     length->mean,
                             depth->mean, nodes->mean,
                             used->mean,  g->has_fronts ? g->first_front : g->best_ever};
    const double after[] = {length->max, depth->max, nodes->max, used->max,
                            length->min, depth->min, nodes->min, used->min};
    for (size_t i = g->has_fronts ? 1 : 0; i < sizeof before / sizeof *before; i++)
        put(out, before[i]);
    fprintf(out, "%u\t%llu\t", g->generation, (unsigned long long)s->invalids);
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        put(out, after[i]);
    if (g->has_fronts)
        fprintf(out, "%u\t", g->fronts);
    if (g->mutates_duplicates)
        fprintf(out, "%llu\t", (unsigned long long)g->mutated_again);
    fprintf(out, "%llu\t0\t%.6f\t%llu\t%.6f\t", (unsigned long long)s->runtime_errors, taken,
            (unsigned long long)s->individuals, g->seconds);
    if (g->has_diversity) {
        double unique = g->counts_ever ? (double)g->diversity.ever : (double)NAN;
        put(out, unique);
        put(out, 100.0 - 100.0 * unique / (double)s->individuals);
    }
    fputc('\n', out);
}
