/* Any bytes as a grammar: parse, analyse, print and read again, count, tokenise for numbers and for
 * Boolean words, derive one sentence. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/core/genotype/depth_first.h"
#include "host/derivation/derive_back.h"
#include "host/derivation/phenotype.h"
#include "host/grammar/facts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition) {
    if (!condition)
        abort();
}

/* An error is one line with a reason, and nothing else came out. */
static void check_error(gr_status status, const gr_error *error) {
    require(status == GR_BAD_INPUT || status == GR_NO_MEMORY);
    require(error->status == status);
    require(strlen(error->text) > 0 && !strchr(error->text, '\n'));
}

/* What every consumer of the tables relies on. */
static void check_tables(const gr_grammar *grammar) {
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    require(words == g[GR_G_WORDS] && g[GR_G_RULES] > 0);
    for (uint32_t r = 0; r < g[GR_G_RULES]; r++)
        require(gr_rule_first(g, r) < gr_rule_first(g, r + 1));
    for (uint32_t p = 0; p < g[GR_G_PRODUCTIONS]; p++) {
        uint32_t deepest = 0, nonterminals = 0;
        require(gr_symbol_first(g, p) < gr_symbol_first(g, p + 1));
        for (uint32_t s = gr_symbol_first(g, p); s < gr_symbol_first(g, p + 1); s++) {
            uint32_t symbol = gr_symbol(g, s), rule = symbol & ~GR_NONTERMINAL, least = UINT32_MAX;
            if (!(symbol & GR_NONTERMINAL)) {
                require(symbol < g[GR_G_TERMINALS]);
                require(gr_token_first(g, symbol) <= gr_token_first(g, symbol + 1));
                continue;
            }
            require(rule < g[GR_G_RULES]);
            nonterminals++;
            if (g[GR_G_PRODUCTIONS] > 256) /* keep it linear */
                continue;
            for (uint32_t q = gr_rule_first(g, rule); q < gr_rule_first(g, rule + 1); q++)
                least = gr_min_u32(least, GR_PRODUCTION_DEPTH(gr_production(g, q)));
            deepest = gr_max_u32(deepest, least);
        }
        require(GR_PRODUCTION_NONTERMINALS(gr_production(g, p)) == nonterminals);
        if (g[GR_G_PRODUCTIONS] <= 256)
            require(GR_PRODUCTION_DEPTH(gr_production(g, p)) == deepest + 1);
    }
}

static void derive(const gr_grammar *grammar, const uint8_t *data, size_t size,
                   const gr_vocabulary *vocabulary) {
    enum { CODONS = 32, DEPTH = 40, NODES = 64 };
    uint32_t genome[CODONS], frames[2 * DEPTH], stack[NODES], words;
    gr_node nodes[NODES];
    gr_mapping m;
    m.begins.at = NULL;
    for (size_t i = 0; i < CODONS; i++)
        genome[i] = size ? data[i * 7 % size] : 0;
    gr_derive_start(&m.d, gr_grammar_tables(grammar, &words), genome, CODONS, 1, DEPTH,
                    (gr_words){frames, 1});
    gr_parser_start(&m.p, (gr_nodes){nodes, 1}, NODES, (gr_words){stack, 1}, NODES,
                    vocabulary->inputs, vocabulary->packed != 0);
    gr_map(&m);
    require(m.p.count <= NODES && m.d.depth <= DEPTH);
    require(m.d.validity != GR_VALID || m.p.count > 0);
}

/* What a genome maps to is a sentence, and a genome can be found for it. */
static void derive_back(const gr_grammar *grammar, const uint8_t *data, size_t size) {
    enum { CODONS = 12 };
    uint32_t genome[CODONS];
    gr_phenotype p, again;
    gr_derived_back d;
    gr_error error;
    for (size_t i = 0; i < CODONS; i++)
        genome[i] = size ? data[i * 5 % size] : 0;
    require(gr_derive_phenotype(grammar, genome, CODONS, 0, 20, &p, &error) == GR_OK);
    if (p.text && p.length < 60) {
        gr_status status = gr_derive_back(grammar, 0, p.text, p.length, &d, &error);
        if (status != GR_OK) { /* too many productions for a chart */
            check_error(status, &error);
            gr_phenotype_free(&p);
            return;
        }
        require(d.found && d.depth <= p.depth);
        require(gr_derive_phenotype(grammar, d.genome, d.length, 0, 20, &again, &error) == GR_OK);
        require(again.text && again.length == p.length &&
                memcmp(again.text, p.text, p.length) == 0 && again.used == d.length);
        free(d.genome);
        gr_phenotype_free(&again);
    }
    gr_phenotype_free(&p);
}

/* The genotypes that are not read depth first: every genome ends in a sentence or a reason, and the
 * sentence is the one its expression was made of. */
static void map_non_depth_first(gr_grammar *grammar, const uint8_t *data, size_t size,
                                const gr_vocabulary *vocabulary) {
    static const uint32_t conventions[] = {
        GR_POSITION_INDEPENDENT, GR_POSITION_INDEPENDENT | GR_LAZY | GR_WRAP_GEVA, GR_LISTS};
    enum { CODONS = 40, DEPTH = 9, WRAPS = 1 };
    uint32_t genome[CODONS], words, count;
    gr_error error;
    for (size_t i = 0; i < CODONS; i++)
        genome[i] = size ? data[i * 3 % size] : 0;
    for (size_t c = 0; c < sizeof conventions / sizeof *conventions; c++) {
        gr_params p = {.max_depth = DEPTH, .max_wraps = WRAPS, .max_nodes = 64, .max_nesting = 64};
        gr_phenotype phenotype;
        gr_node *nodes;
        p.convention = conventions[c];
        p.inputs = vocabulary->inputs;
        p.packed = vocabulary->packed != 0;
        if (gr_grammar_plan_non_depth_first(grammar, p.convention, DEPTH, WRAPS, CODONS, &error)) {
            require(p.convention == GR_LISTS); /* more non-terminals than codons */
            continue;
        }
        require(gr_grammar_genes(grammar) <= CODONS);
        require(gr_derive_phenotype_by(grammar, &(gr_reading){p.convention, WRAPS, DEPTH, CODONS},
                                       genome, CODONS, &phenotype, &error) == GR_OK);
        require((phenotype.text != NULL) == (phenotype.validity == GR_VALID));
        require(!phenotype.text || phenotype.depth <= DEPTH);
        require(gr_map_genome(&p, gr_grammar_tables(grammar, &words), genome, CODONS, &nodes,
                              &count, &error) == GR_OK);
        require(!nodes || phenotype.text);
        free(nodes);
        gr_phenotype_free(&phenotype);
    }
}

static char *printed(const gr_grammar *grammar, size_t *length) {
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    require(out != NULL);
    gr_print_grammar(grammar, out);
    require(fclose(out) == 0);
    return text;
}

/* A printed grammar reads back to the same tables and prints the same. */
static void check_printed(const gr_grammar *grammar, const gr_grammar_context *context) {
    size_t length, length_again;
    uint32_t words, words_again;
    char *text = printed(grammar, &length), *text_again;
    gr_grammar *again;
    gr_error error;
    require(gr_grammar_parse(text, length, "printed", context, &again, &error) == GR_OK);
    text_again = printed(again, &length_again);
    require(length == length_again && memcmp(text, text_again, length) == 0);
    const uint32_t *g = gr_grammar_tables(grammar, &words),
                   *h = gr_grammar_tables(again, &words_again);
    require(g[GR_G_RULES] == h[GR_G_RULES] && g[GR_G_PRODUCTIONS] == h[GR_G_PRODUCTIONS] &&
            g[GR_G_SYMBOLS] == h[GR_G_SYMBOLS]);
    free(text);
    free(text_again);
    gr_grammar_free(again);
}

/* Every derivation gives a sentence, so there are no more of these; sizes are kept small. */
static void check_counts(const gr_grammar *grammar) {
    enum { DEPTH = 5 };
    gr_count count[DEPTH + 1];
    uint64_t sentences[DEPTH + 1];
    gr_grammar_facts facts;
    gr_error error;
    require(gr_grammar_find_facts(grammar, &facts, &error) == GR_OK);
    require(gr_count_derivations(grammar, DEPTH, 0, count, &error) == GR_OK);
    if (facts.symbols < 200 && count[DEPTH].is_exact && count[DEPTH].exact < 2000) {
        require(gr_count_sentences(grammar, DEPTH, sentences, &error) == GR_OK);
        for (int d = 0; d <= DEPTH; d++)
            require(sentences[d] == UINT64_MAX /* other rules took all that is allowed */ ||
                    (sentences[d] <= count[d].exact && (sentences[d] > 0) == (count[d].exact > 0)));
    }
    require((count[DEPTH].log10 >= 0) == (facts.rule[0].least_depth <= DEPTH));
    FILE *nowhere = fopen("/dev/null", "w");
    require(nowhere != NULL);
    gr_print_graph(grammar, nowhere);
    fclose(nowhere);
    gr_grammar_facts_free(&facts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"age", "x1", "in0", "a"};
    const gr_grammar_context context = {4, 3, 2, 0};
    const gr_vocabulary vocabularies[] = {{NULL, 60, 0, 1, 0, 0}, {names, 4, 1, 0, 0, 0}};
    for (int packed = 0; packed < 2; packed++) {
        gr_grammar *grammar;
        gr_error error = {0};
        gr_status status =
            gr_grammar_parse((const char *)data, size, "fuzz", &context, &grammar, &error);
        if (status != GR_OK) {
            require(!grammar);
            check_error(status, &error);
            return 0;
        }
        check_tables(grammar);
        if (!packed) {
            check_printed(grammar, &context);
            check_counts(grammar);
            if (size < 2000)
                derive_back(grammar, data, size);
        }
        status = gr_grammar_tokenise(grammar, &vocabularies[packed], &error);
        if (status != GR_OK)
            check_error(status, &error);
        check_tables(grammar);
        derive(grammar, data, size, &vocabularies[packed]);
        map_non_depth_first(grammar, data, size, &vocabularies[packed]);
        gr_grammar_free(grammar);
    }
    return 0;
}
