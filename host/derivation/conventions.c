#include "host/derivation/conventions.h"

#include "gpu/core/genotype/depth_first.h"
#include "host/derivation/phenotype.h"
#include "host/settings/settings.h"

gr_status gr_take_conventions(const gr_convention_options *o, gr_reading *reading,
                              gr_error *error) {
    gr_settings settings;
    const struct {
        const char *option, *value;
    } given[] = {{"--codon-consumption", o->consumption},
                 {"--wrap-rule", o->wrap_rule},
                 {"--mapping", o->mapping},
                 {"--genotype", o->genotype},
                 {"--max-genome-length", o->max_genome_length},
                 {"--max-wraps", o->max_wraps},
                 {"--max-depth", o->max_depth}};
    gr_status status = gr_settings_init(&settings, error);
    for (size_t i = 0; !status && i < sizeof given / sizeof *given; i++)
        if (given[i].value) {
            char *argv[] = {(char *)(uintptr_t)given[i].option, (char *)(uintptr_t)given[i].value};
            int used;
            status = gr_settings_option(&settings, 2, argv, &used, error);
        }
    if (!status && settings.genotype == GR_TREE)
        status = gr_fail(error, GR_BAD_INPUT,
                         "genotype tree has no genomes; expected grammar or structured");
    if (!status)
        status = gr_check_conventions(&settings, error);
    if (!status) {
        reading->convention = gr_convention_for(&settings);
        reading->max_wraps = settings.max_wraps;
        reading->max_depth = settings.max_depth == GR_AUTO ? 90 : settings.max_depth;
        reading->max_genome_length = settings.max_genome_length;
    }
    gr_settings_free(&settings);
    return status;
}

gr_status gr_load_for(const gr_reading *reading, const char *path,
                      const gr_grammar_context *context, gr_grammar **grammar, gr_error *error) {
    gr_status status = gr_grammar_load(path, context, grammar, error);
    if (!status && gr_is_non_depth_first(reading->convention))
        status =
            gr_grammar_plan_non_depth_first(*grammar, reading->convention, reading->max_depth,
                                            reading->max_wraps, reading->max_genome_length, error);
    else if (!status && reading->convention & GR_LAZY)
        status = gr_grammar_check_lazy(*grammar, error);
    if (status) {
        gr_grammar_free(*grammar);
        *grammar = NULL;
    }
    return status;
}
