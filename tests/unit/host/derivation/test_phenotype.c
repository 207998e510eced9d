/* host/derivation/phenotype.h: genomes to sentences by hand; PonyGE2's grammars and expected
 * mappings, from the shared folder (GRAMPUS_SHARED, default
 * ../shared); left out where it is absent. The derivation here is an oracle of its own, not
 * gpu/core/mapping/mapping.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/derivation/phenotype.h"
#include "host/grammar/grammar.h"

typedef struct derived {
    int valid;
    uint32_t used, depth, nodes;
    char *text;
    size_t length;
} derived;

/* The five rules of the reference, as they are written: a list of pending symbols with their
 * depths. */
static derived derive(const gr_grammar *grammar, const uint32_t *genome, uint32_t length,
                      uint32_t wraps, uint32_t max_depth) {
    uint32_t words, top = 0, capacity = 1 << 16, stopped = 0;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    uint32_t(*pending)[2] = malloc(capacity * sizeof *pending);
    derived d = {0, 0, 1, 1, NULL, 0}; /* valid, used, depth, nodes */
    FILE *out = open_memstream(&d.text, &d.length);
    pending[top][0] = GR_NONTERMINAL;
    pending[top++][1] = 1;
    while (top) {
        uint32_t symbol = pending[--top][0], depth = pending[top][1], nonterminals = 0;
        size_t bytes;
        d.depth = depth > d.depth ? depth : d.depth;
        if (!(symbol & GR_NONTERMINAL)) {
            const char *text = gr_grammar_terminal(grammar, symbol, &bytes);
            fwrite(text, 1, bytes, out);
            continue;
        }
        stopped = d.used == length * (wraps + 1) || d.depth > max_depth;
        if (stopped)
            break;
        uint32_t rule = symbol & ~GR_NONTERMINAL, first = gr_rule_first(g, rule);
        uint32_t p = first + genome[d.used++ % length] % (gr_rule_first(g, rule + 1) - first);
        for (uint32_t s = gr_symbol_first(g, p + 1); s-- > gr_symbol_first(g, p);) {
            nonterminals += gr_symbol(g, s) >> 31;
            assert_true(top < capacity);
            pending[top][0] = gr_symbol(g, s);
            pending[top++][1] = depth + 1;
        }
        d.nodes += nonterminals ? nonterminals : 1;
    }
    d.valid = !stopped && d.depth <= max_depth;
    fclose(out);
    free(pending);
    return d;
}

static double number(const cJSON *line, const char *key) {
    return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(line, key));
}

/* Checks one expected line; returns whether it was valid. */
static int check_line(const gr_grammar *grammar, const char *name, int row, const char *text) {
    cJSON *line = cJSON_Parse(text);
    assert_non_null(line);
    const cJSON *codons = cJSON_GetObjectItemCaseSensitive(line, "genome"), *codon;
    uint32_t length = (uint32_t)cJSON_GetArraySize(codons), n = 0;
    uint32_t *genome = malloc(length * sizeof *genome);
    cJSON_ArrayForEach(codon, codons) genome[n++] = (uint32_t)codon->valuedouble;
    derived d = derive(grammar, genome, length, (uint32_t)number(line, "max_wraps"),
                       (uint32_t)number(line, "max_depth"));
    int valid = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(line, "valid"));
    if (d.valid != valid)
        fail_msg("%s line %d: valid is %d", name, row, d.valid);
    if (valid) {
        const char *expected =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "phenotype"));
        if (strcmp(d.text, expected) != 0)
            fail_msg("%s line %d: \"%s\", expected \"%s\"", name, row, d.text, expected);
        assert_int_equal(d.used, (uint32_t)number(line, "used_codons"));
        assert_int_equal(d.depth, (uint32_t)number(line, "depth"));
        assert_int_equal(d.nodes, (uint32_t)number(line, "nodes"));
    }
    free(d.text);
    free(genome);
    cJSON_Delete(line);
    return valid;
}

static void shared_path(char out[512], const char *name) {
    const char *shared = getenv("GRAMPUS_SHARED");
    snprintf(out, 512, "%s/cases/ge/%s", shared ? shared : "../shared", name);
}

static void check_cases(const char *name, int lines, int valid) {
    char path[512], file[64], *text = NULL;
    size_t capacity = 0;
    int rows = 0, valid_rows = 0;
    const gr_grammar_context c = {.n_vars = strcmp(name, "boolean") == 0 ? 6 : 5};
    gr_grammar *grammar;
    gr_error error = {0};
    snprintf(file, sizeof file, "%s.bnf", name);
    shared_path(path, file);
    if (gr_grammar_load(path, &c, &grammar, &error) != GR_OK)
        fail_msg("%s", error.text);
    snprintf(file, sizeof file, "%s.jsonl", name);
    shared_path(path, file);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (getline(&text, &capacity, f) > 0)
        valid_rows += check_line(grammar, name, ++rows, text);
    fclose(f);
    free(text);
    gr_grammar_free(grammar);
    assert_int_equal(rows, lines);
    assert_int_equal(valid_rows, valid);
}

static int have_cases(void) {
    char path[512];
    shared_path(path, "manifest.json");
    FILE *f = fopen(path, "r");
    if (!f) {
        print_message("%s is absent: PonyGE2's mappings are not checked\n", path);
        return 0;
    }
    fclose(f);
    return 1;
}

static void test_expected_mappings(void **state) {
    (void)state;
    if (!have_cases())
        skip();
    check_cases("Vladislavleva4", 100, 76);
    check_cases("Keijzer6", 100, 74);
    check_cases("Banknote", 100, 80);
    check_cases("Dow", 100, 74);
    check_cases("supervised_learning", 100, 78);
    check_cases("letter", 100, 80);
    check_cases("Median", 100, 69);
    check_cases("boolean", 100, 72);
}

/* The nodes a valid line maps to are those of its expected phenotype, read as a text; 1: it had
 * some. */
static int check_expression(const gr_grammar *grammar, const gr_vocabulary *vocabulary,
                            const char *name, int row, const char *text) {
    cJSON *line = cJSON_Parse(text);
    const cJSON *codons = cJSON_GetObjectItemCaseSensitive(line, "genome"), *codon;
    const char *phenotype =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "phenotype"));
    uint32_t length = (uint32_t)cJSON_GetArraySize(codons), n = 0, count, expected, words;
    uint32_t *genome = malloc(length * sizeof *genome);
    gr_params p = {.max_nodes = 5000,
                   .max_nesting = 5000,
                   .max_depth = (uint32_t)number(line, "max_depth"),
                   .max_wraps = (uint32_t)number(line, "max_wraps"),
                   .inputs = vocabulary->inputs,
                   .packed = (uint32_t)vocabulary->packed};
    gr_node *nodes, *read;
    gr_error error = {0};
    cJSON_ArrayForEach(codon, codons) genome[n++] = (uint32_t)codon->valuedouble;
    assert_int_equal(gr_map_genome(&p, gr_grammar_tables(grammar, &words), genome, length, &nodes,
                                   &count, &error),
                     GR_OK);
    if ((phenotype != NULL) != (nodes != NULL))
        fail_msg("%s line %d: %s", name, row, nodes ? "maps" : "does not map");
    if (phenotype) {
        if (gr_read_expression(phenotype, "phenotype", vocabulary, &read, &expected, &error))
            fail_msg("%s line %d: %s", name, row, error.text);
        assert_int_equal(count, expected);
        assert_memory_equal(nodes, read, count * sizeof *nodes);
        free(read);
    }
    free(nodes);
    free(genome);
    cJSON_Delete(line);
    return phenotype != NULL;
}

static void check_expressions(const char *name, uint32_t inputs, int packed, int valid) {
    char path[512], file[64], *text = NULL;
    size_t capacity = 0;
    int row = 0, read = 0;
    const gr_grammar_context c = {.n_vars = inputs};
    const gr_vocabulary vocabulary = {NULL, inputs, packed, 0, 0, 0};
    gr_grammar *grammar;
    gr_error error = {0};
    snprintf(file, sizeof file, "%s.bnf", name);
    shared_path(path, file);
    if (gr_grammar_load(path, &c, &grammar, &error) ||
        gr_grammar_tokenise(grammar, &vocabulary, &error))
        fail_msg("%s", error.text);
    snprintf(file, sizeof file, "%s.jsonl", name);
    shared_path(path, file);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (getline(&text, &capacity, f) > 0)
        read += check_expression(grammar, &vocabulary, name, ++row, text);
    fclose(f);
    free(text);
    gr_grammar_free(grammar);
    assert_int_equal(read, valid);
}

static void test_expected_expressions(void **state) {
    (void)state;
    if (!have_cases())
        skip();
    check_expressions("Vladislavleva4", 5, 0, 76);
    check_expressions("Keijzer6", 1, 0, 74);
    check_expressions("Banknote", 4, 0, 80);
    check_expressions("Dow", 57, 0, 74);
    check_expressions("supervised_learning", 5, 0, 78);
    check_expressions("boolean", 6, 1, 72);
    check_expressions("boolean", 6, 0, 72);
}

/* Which of PonyGE2's grammars are in the expression language, and why the others are not. */
static void test_expected_tokens(void **state) {
    (void)state;
    static const struct {
        const char *file;
        uint32_t inputs;
        int packed;
        const char *error;
    } cases[] = {
        {"Vladislavleva4.bnf", 5, 0, NULL},
        {"Keijzer6.bnf", 1, 0, NULL},
        {"Banknote.bnf", 4, 0, NULL},
        {"Dow.bnf", 57, 0, NULL},
        {"supervised_learning.bnf", 5, 0, NULL},
        {"boolean.bnf", 6, 1, NULL},
        {"boolean.bnf", 6, 0, NULL},
        {"Vladislavleva4.bnf", 4, 0, "no input 4"},
        {"letter.bnf", 5, 0, "terminal \"!\""},
        {"Median.bnf", 5, 0, "terminal \"i0 = int()"},
    };
    if (!have_cases())
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[512];
        const gr_grammar_context c = {.n_vars = cases[i].inputs};
        const gr_vocabulary vocabulary = {NULL, cases[i].inputs, cases[i].packed, 0, 0, 0};
        gr_grammar *grammar;
        gr_error error = {0};
        shared_path(path, cases[i].file);
        assert_int_equal(gr_grammar_load(path, &c, &grammar, &error), GR_OK);
        gr_status status = gr_grammar_tokenise(grammar, &vocabulary, &error);
        if (status != (cases[i].error ? GR_BAD_INPUT : GR_OK) ||
            (cases[i].error && !strstr(error.text, cases[i].error)))
            fail_msg("%s: %s", cases[i].file, error.text);
        gr_grammar_free(grammar);
    }
}

/* ---- by hand ---- */

static gr_grammar *parse(const char *text) {
    const gr_grammar_context context = {.n_vars = 2};
    gr_grammar *grammar;
    gr_error error;
    if (gr_grammar_parse(text, strlen(text), "g.bnf", &context, &grammar, &error))
        fail_msg("%s", error.text);
    return grammar;
}

static void test_sentences(void **state) {
    (void)state;
    static const struct {
        uint32_t convention, wraps, max_depth, length, genome[8];
        uint32_t validity, used, depth, nodes;
        const char *text;
    } cases[] = {
        /* <e>: <e>+<e> | <v>; <v>: a | b; a node for each non-terminal, and for the terminals of a
           leaf one */
        {0, 0, 90, 5, {0, 1, 0, 1, 1}, GR_VALID, 5, 4, 7, "a+b"},
        {0, 0, 90, 7, {2, 3, 4, 5, 7, 9, 9}, GR_VALID, 5, 4, 7, "a+b"}, /* modulo; the rest unused
                                                                         */
        {0, 0, 90, 3, {0, 1, 0}, GR_OUT_OF_CODONS, 3, 0, 0, NULL},
        {0, 1, 90, 3, {0, 1, 1}, GR_OUT_OF_CODONS, 6, 0, 0, NULL}, /* b+ a + ... for ever */
        {0, 1, 90, 4, {0, 1, 1, 1}, GR_VALID, 5, 4, 7, NULL},
        {0, 0, 3, 5, {0, 1, 0, 1, 1}, GR_TOO_DEEP, 0, 0, 0, NULL},
        {GR_LAZY, 0, 90, 5, {0, 1, 0, 1, 1}, GR_VALID, 5, 4, 7, "a+b"},
    };
    gr_grammar *grammar = parse("<e> ::= <e>+<e> | <v>\n<v> ::= a | b");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_phenotype p;
        gr_error error;
        const gr_reading reading = {cases[i].convention, cases[i].wraps, cases[i].max_depth,
                                    cases[i].length};
        assert_int_equal(
            gr_derive_phenotype_by(grammar, &reading, cases[i].genome, cases[i].length, &p, &error),
            GR_OK);
        if (p.validity != cases[i].validity)
            fail_msg("case %zu: %s", i, gr_validity_name(p.validity));
        if (p.validity == GR_VALID) {
            assert_int_equal(p.used, cases[i].used);
            assert_int_equal(p.depth, cases[i].depth);
            assert_int_equal(p.nodes, cases[i].nodes);
            assert_int_equal(p.length, strlen(p.text));
        }
        if (cases[i].text)
            assert_string_equal(p.text, cases[i].text);
        assert_int_equal(p.text != NULL, p.validity == GR_VALID);
        gr_phenotype_free(&p);
        assert_null(p.text);
    }
    gr_grammar_free(grammar);
}

/* A rule without a choice takes a codon, unless consumption is lazy; a value takes its codon and
 * shows it. */
static void test_codons(void **state) {
    (void)state;
    const uint32_t genome[] = {7, 1, 1, 5};
    gr_grammar *grammar = parse("<s> ::= <t>\n<t> ::= x | <u>y<u>\n<u> ::= a | <GECodonValue-1+6>");
    gr_phenotype p;
    gr_error error;
    assert_int_equal(gr_derive_phenotype(grammar, genome, 4, 1, 90, &p, &error), GR_OK);
    assert_string_equal(p.text, "6y2"); /* 7 1 | 1 5 | 7 1: 5 is 1 + 5, 1 is 1 + 1 */
    assert_int_equal(p.used, 6);
    gr_phenotype_free(&p);
    assert_int_equal(
        gr_derive_phenotype_by(grammar, &(gr_reading){GR_LAZY, 1, 90, 4}, genome, 4, &p, &error),
        GR_OK);
    assert_string_equal(p.text,
                        "2y2"); /* 7 | 1 1 | 5 7: the codon behind 1 is 1; 5 chooses, 7 is 1 + 1 */
    assert_int_equal(p.used, 5);
    gr_phenotype_free(&p);
    /* out of codons when its text is begun: then there is none */
    assert_int_equal(gr_derive_phenotype(grammar, (uint32_t[]){0, 1, 0, 1}, 4, 1, 90, &p, &error),
                     GR_OK);
    const size_t whole = p.length;
    gr_phenotype_free(&p);
    assert_int_equal(gr_derive_phenotype(grammar, (uint32_t[]){0, 1, 0}, 3, 0, 90, &p, &error),
                     GR_OK);
    assert_true(whole > 0 && p.validity != GR_VALID && !p.text && p.length == 0);
    gr_grammar_free(grammar);
}

/* Where nothing has a choice, lazy consumption needs no codon, nor a genome. */
static void test_no_codons(void **state) {
    (void)state;
    gr_grammar *grammar = parse("<s> ::= x<t>\n<t> ::= y");
    gr_phenotype p;
    gr_error error;
    assert_int_equal(
        gr_derive_phenotype_by(grammar, &(gr_reading){GR_LAZY, 0, 90, 1}, NULL, 0, &p, &error),
        GR_OK);
    assert_string_equal(p.text, "xy");
    assert_true(p.used == 0 && p.depth == 3 && p.nodes == 3);
    gr_phenotype_free(&p);
    gr_grammar_free(grammar);
}

/* The nodes of a genome are those of its sentence. */
static void test_nodes(void **state) {
    (void)state;
    const uint32_t good[] = {0, 1, 0, 1, 1}, bad[] = {0, 0, 0};
    const gr_vocabulary vocabulary = {NULL, 2, 0, 0, 0, 0};
    gr_grammar *grammar = parse("<e> ::= <e>*<e> | <v>\n<v> ::= x0 | x1");
    gr_params p = {.genotype = GR_GRAMMATICAL,
                   .max_nodes = 20,
                   .max_nesting = 20,
                   .max_depth = 9,
                   .inputs = 2};
    gr_error error;
    gr_node *nodes;
    uint32_t count, words;
    assert_int_equal(gr_grammar_tokenise(grammar, &vocabulary, &error), GR_OK);
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    assert_int_equal(gr_map_genome(&p, g, good, 5, &nodes, &count, &error), GR_OK);
    assert_int_equal(count, 3);
    assert_true(GR_NODE_OP(nodes[0]) == GR_INPUT && nodes[0].operand == 0);
    assert_true(GR_NODE_OP(nodes[1]) == GR_INPUT && nodes[1].operand == 1);
    assert_int_equal(GR_NODE_OP(nodes[2]), GR_MUL);
    free(nodes);
    assert_int_equal(gr_map_genome(&p, g, bad, 3, &nodes, &count, &error), GR_OK);
    assert_true(!nodes && !count);
    p.max_nodes = 2;
    assert_int_equal(gr_map_genome(&p, g, good, 5, &nodes, &count, &error), GR_OK);
    assert_null(nodes);
    gr_grammar_free(grammar);
}

/* The bits of every combination of settings, and the words of the statistics. */
static void test_conventions(void **state) {
    (void)state;
    static const struct {
        const char *set[6];
        uint32_t convention;
    } cases[] = {
        {{NULL}, 0},
        {{"codon-consumption", "lazy"}, GR_LAZY},
        {{"wrap-rule", "geva"}, GR_WRAP_GEVA},
        {{"wrap-rule", "libge"}, 0},
        {{"wrap-rule", "ponyge-linear", "codon-consumption", "lazy"},
         GR_LAZY | GR_WRAP_PONYGE_LINEAR},
        {{"mapping", "pi", "wrap-rule", "geva"}, GR_POSITION_INDEPENDENT | GR_WRAP_GEVA},
        {{"genotype", "structured"}, GR_LISTS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_settings s;
        assert_int_equal(gr_settings_init(&s, NULL), GR_OK);
        for (int k = 0; k < 6 && cases[i].set[k]; k += 2)
            assert_int_equal(gr_settings_set(&s, cases[i].set[k], cases[i].set[k + 1], NULL),
                             GR_OK);
        assert_int_equal(gr_convention_for(&s), cases[i].convention);
        gr_settings_free(&s);
    }
    assert_string_equal(gr_validity_name(GR_VALID), "valid");
    assert_string_equal(gr_validity_name(GR_OUT_OF_CODONS), "out_of_codons");
    assert_string_equal(gr_validity_name(GR_TOO_DEEP), "too_deep");
    assert_string_equal(gr_validity_name(GR_TOO_LARGE), "too_large");
    assert_string_equal(gr_validity_name(GR_NO_EXPRESSION), "no_expression");
    assert_string_equal(gr_validity_name(GR_VALIDITY_COUNT), "?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_codons),
        cmocka_unit_test(test_no_codons),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_conventions),
        cmocka_unit_test(test_expected_mappings),
        cmocka_unit_test(test_expected_expressions),
        cmocka_unit_test(test_expected_tokens),
    };
    return cmocka_run_group_tests_name("phenotype", tests, NULL, NULL);
}
