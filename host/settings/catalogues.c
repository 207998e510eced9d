/* The catalogues of gpu/core/base as words of settings and as tables for readers. */
#include "gpu/core/base/params.h"
#include "host/settings/table.h"

const char gr_metric_words[] = "auto"
#define GR_METRIC(id, word, adds, better, least, cost, allowance, help) "|" word
#include "gpu/core/base/metrics.def"
    ;
const char gr_initialiser_words[] = "auto"
#define GR_INITIALISER(id, word, genotypes, trees, genomes, help) "|" word
#include "gpu/core/base/initialisers.def"
    ;
const char gr_crossover_words[] = "auto"
#define GR_CROSSOVER(id, word, genotypes, help) "|" word
#include "gpu/core/base/crossovers.def"
    ;
const char gr_selection_words[] = ""
#define GR_SELECTION(id, word, genotypes, ordered, index, help) "|" word
#include "gpu/core/base/selections.def"
    ;

static const gr_catalogue_row initialisers[] = {
#define GR_INITIALISER(id, word, genotypes, trees, genomes, help)                                  \
    {word, help, genotypes, GR_MAPS_ANY},
#include "gpu/core/base/initialisers.def"
};
static const gr_catalogue_row selections[] = {
#define GR_SELECTION(id, word, genotypes, ordered, index, help)                                    \
    {word, help, genotypes, GR_MAPS_ANY},
#include "gpu/core/base/selections.def"
};
static const gr_catalogue_row crossovers[] = {
#define GR_CROSSOVER(id, word, genotypes, help) {word, help, genotypes, GR_MAPS_ANY},
#include "gpu/core/base/crossovers.def"
};
static const gr_catalogue_row mutations[] = {
#define GR_MUTATION(id, word, field, plain, grows, edit, help)                                     \
    {word, help, GR_FOR_TREES, GR_MAPS_ANY},
#include "gpu/core/base/mutations.def"
};
static const gr_catalogue_row genome_mutations[] = {
#define GR_CODON_MUTATION(id, word, field, genotypes, mapping, part, asked, step, help)            \
    {word, help, genotypes, GR_MAPS_##mapping},
#include "gpu/core/base/genome_mutations.def"
};

#define GR_CATALOGUE(title, rows)                                                                  \
    { title, sizeof(rows) / sizeof *(rows), rows }
static const struct {
    gr_key key;
    gr_catalogue catalogue;
} catalogues[] = {{GR_KEY_initialisation, GR_CATALOGUE("initialisation", initialisers)},
                  {GR_KEY_selection, GR_CATALOGUE("selection", selections)},
                  {GR_KEY_crossover, GR_CATALOGUE("crossover", crossovers)},
                  {GR_KEY_operators, GR_CATALOGUE("operators: mutations", mutations)},
                  {GR_KEY_codon_mutation, GR_CATALOGUE("mutations of genomes", genome_mutations)}};
enum { CATALOGUES = sizeof catalogues / sizeof *catalogues };

const gr_catalogue *gr_catalogue_of(gr_key key) {
    size_t k = 0;
    while (k + 1 < CATALOGUES && catalogues[k].key != key)
        k++;
    return &catalogues[k].catalogue;
}

static void print_genotypes(FILE *out, uint32_t genotypes) {
    static const char *const names[] = {"grammar", "tree", "structured"};
    const char *comma = "";
    for (uint32_t k = 0; k < 3 && genotypes != GR_FOR_ALL; k++)
        if (genotypes >> k & 1u) {
            fprintf(out, "%s%s", comma, names[k]);
            comma = ", ";
        }
    fputs(genotypes == GR_FOR_ALL ? "all" : "", out);
}

void gr_catalogues_markdown(FILE *out) {
    static const char *const better[] = {"lower", "higher"};
    enum { LOWER, HIGHER };
    for (size_t k = 0; k < CATALOGUES; k++) {
        const gr_catalogue *c = &catalogues[k].catalogue;
        fprintf(out, "\n**%s**\n\n| word | genotypes | meaning |\n|---|---|---|\n", c->title);
        for (uint32_t i = 0; i < c->count; i++) {
            fprintf(out, "| `%s` | ", c->row[i].word);
            print_genotypes(out, c->row[i].genotypes);
            fprintf(out, "%s | %s |\n",
                    c->row[i].mapping == GR_MAPS_DEPTH_FIRST ? " (mapping depth-first)" : "",
                    c->row[i].help);
        }
    }
    fprintf(out, "\n**objectives**\n\n| word | meaning |\n|---|---|\n");
#define GR_OBJECTIVE(id, word, value, help)                                                        \
    if (*(word))                                                                                   \
        fprintf(out, "| `%s` | %s |\n", word, help);
#include "gpu/core/base/objectives.def"
    fprintf(out, "| a metric | another than the run's |\n");
    fprintf(out, "\n**metric**\n\n| word | better | meaning |\n|---|---|---|\n");
#define GR_METRIC(id, word, adds, is_better, least, cost, allowance, help)                         \
    fprintf(out, "| `%s` | %s | %s |\n", word, better[is_better], help);
#include "gpu/core/base/metrics.def"
}
