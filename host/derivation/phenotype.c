#include "host/derivation/phenotype.h"

#include "gpu/core/genotype/depth_first.h"
#include "host/base/text.h"
#include "host/settings/settings.h"

#include <stdlib.h>
#include <string.h>

static int append(gr_phenotype *p, size_t *capacity, const char *piece, size_t length) {
    if (p->length + length + 1 > *capacity) {
        size_t larger = 2 * (p->length + length + 1);
        char *text = realloc(p->text, larger);
        if (!text)
            return 0;
        p->text = text;
        *capacity = larger;
    }
    memcpy(p->text + p->length, piece, length);
    p->length += length;
    p->text[p->length] = '\0';
    return 1;
}

/* PonyGE2's python_filter, of grammars called NAME.pybnf: "{:" opens a block and ":}" closes one, a
 * line end and the indent of what follows; blank lines are left out. *text is malloc'ed and
 * replaced; 0: no memory. */
static int indent_python(char **text, size_t *length) {
    size_t size;
    char *out = NULL, *rest = *text, *line;
    FILE *blocks = open_memstream(&out, &size);
    long level = 0;
    if (!blocks)
        return 0;
    for (const char *c = *text; *c; c++) {
        int opens = c[0] == '{' && c[1] == ':', closes = c[0] == ':' && c[1] == '}';
        if (!opens && !closes) {
            fputc(*c, blocks);
            continue;
        }
        level += opens - closes;
        fprintf(blocks, "\n%*s", level > 0 ? (int)(2 * level) : 0, "");
        c++;
    }
    if (fclose(blocks) != 0) {
        free(out);
        return 0;
    }
    free(*text);
    *text = rest = out;
    for (size_t n; (line = strsep(&rest, "\n"));) /* blank lines go, in place */
        if (line[strspn(line, " \t\r\v\f")]) {
            n = strlen(line);
            if (out != *text)
                *out++ = '\n';
            memmove(out, line, n);
            out += n;
        }
    *out = '\0';
    *length = (size_t)(out - *text);
    return 1;
}

/* A derivation that has just been started, ready to be gone through depth first; *used: codons that
 * a genome took to get there. */
static void to_depth_first(gr_derivation *d, uint32_t *codon_scratch, uint32_t *used) {
    uint32_t *depth_first, count;
    if (!gr_is_non_depth_first(d->convention))
        return;
    count = gr_to_depth_first(d, codon_scratch, NULL, &depth_first);
    *used = d->used;
    if (d->validity == GR_VALID)
        gr_derive_depth_first(d, depth_first, count);
}

gr_status gr_derive_phenotype(const gr_grammar *grammar, const uint32_t *genome, uint32_t length,
                              uint32_t max_wraps, uint32_t max_depth, gr_phenotype *phenotype,
                              gr_error *error) {
    const gr_reading reading = {0, max_wraps, max_depth, length};
    return gr_derive_phenotype_by(grammar, &reading, genome, length, phenotype, error);
}

gr_reading gr_reading_of(const gr_params *p) {
    return (gr_reading){p->convention, p->max_wraps, p->max_depth, p->genome_capacity};
}

/* Lists stand in a genome with all their room, whatever they have of it. */
static gr_status check_room(const uint32_t *tables, uint32_t convention, uint32_t length,
                            gr_error *error) {
    if (!(convention & GR_LISTS))
        return GR_OK;
    uint32_t room = gr_list_first(tables, gr_grammar_word(tables, GR_G_RULES));
    if (length >= room)
        return GR_OK;
    return gr_fail(
        error, GR_BAD_INPUT,
        "a genome of %u gene%s; expected %u, the lists of this grammar one after another", length,
        gr_s(length), room);
}

gr_status gr_derive_phenotype_by(const gr_grammar *grammar, const gr_reading *reading,
                                 const uint32_t *genome, uint32_t length, gr_phenotype *phenotype,
                                 gr_error *error) {
    gr_phenotype made = {0};
    size_t capacity = 0;
    uint32_t words, terminal;
    const uint32_t *tables = gr_grammar_tables(grammar, &words);
    *phenotype = made;
    gr_status status = check_room(tables, reading->convention, length, error);
    if (status)
        return status;
    gr_words stack = {malloc(2 * (size_t)reading->max_depth * sizeof(uint32_t)), 1};
    uint32_t *codon_scratch =
        malloc((gr_depth_first_words(tables, reading->convention) + 1ull) * sizeof *codon_scratch);
    int good = stack.at && codon_scratch && append(&made, &capacity, "", 0);
    gr_derivation d;
    gr_derive_start(&d, tables, genome, length, reading->max_wraps, reading->max_depth, stack);
    gr_derive_by(&d, reading->convention, reading->max_wraps);
    if (good)
        to_depth_first(&d, codon_scratch, &made.used);
    while (good && d.validity == GR_VALID && (terminal = gr_derive_next(&d)) != GR_DERIVED) {
        size_t n;
        char number[32];
        const char *piece = gr_grammar_terminal(grammar, terminal, &n);
        uint32_t codon = d.length ? gr_last_codon(&d) : 0; /* lazy: none may be needed */
        if (gr_grammar_codon_text(grammar, terminal, codon, number)) {
            piece = number;
            n = strlen(number);
        }
        good = append(&made, &capacity, piece, n);
    }
    free(stack.at);
    free(codon_scratch);
    if (good && d.validity == GR_VALID && gr_grammar_is_python(grammar))
        good = indent_python(&made.text, &made.length);
    if (!good || d.validity != GR_VALID) {
        free(made.text);
        made.text = NULL;
        made.length = 0;
    }
    made.validity = d.validity;
    if (!gr_is_non_depth_first(reading->convention))
        made.used = d.used;
    made.depth = d.depth;
    made.nodes = d.nodes;
    *phenotype = made;
    return good ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for a phenotype");
}

/* The bits of codon-consumption and wrap-rule. */
static uint32_t wraps_of(uint32_t consumption, uint32_t wrap_rule) {
    return (consumption == GR_CONSUMPTION_LAZY ? (uint32_t)GR_LAZY : 0u) |
           (wrap_rule == GR_WRAPS_PONYGE_LINEAR ? (uint32_t)GR_WRAP_PONYGE_LINEAR
            : wrap_rule == GR_WRAPS_GEVA        ? (uint32_t)GR_WRAP_GEVA
                                                : 0u);
}

uint32_t gr_convention_for(const gr_settings *s) {
    return s->genotype == GR_GENOTYPE_STRUCTURED
               ? (uint32_t)GR_LISTS
               : wraps_of(s->codon_consumption, s->wrap_rule) |
                     (s->mapping == GR_MAPPING_PI ? (uint32_t)GR_POSITION_INDEPENDENT : 0u);
}

void gr_phenotype_free(gr_phenotype *phenotype) {
    gr_phenotype empty = {0};
    free(phenotype->text);
    *phenotype = empty;
}

gr_status gr_map_genome(const gr_params *p, const uint32_t *grammar, const uint32_t *genome,
                        uint32_t length, gr_node **nodes, uint32_t *count, gr_error *error) {
    gr_nodes out = {malloc(p->max_nodes * sizeof(gr_node)), 1};
    gr_words stack = {malloc((gr_path_words(p) + gr_parse_levels(p)) * sizeof(uint32_t)), 1};
    gr_words operators = {stack.at ? stack.at + gr_path_words(p) : NULL, 1};
    uint32_t *codon_scratch = malloc((gr_depth_first_words(grammar, p->convention) + 1ull) *
                                     sizeof *codon_scratch),
             used;
    *nodes = NULL;
    *count = 0;
    if (!out.at || !stack.at || !codon_scratch) {
        free(out.at);
        free(codon_scratch);
        free(stack.at);
        return gr_fail(error, GR_NO_MEMORY, "no memory for an expression of %u node%s",
                       p->max_nodes, gr_s(p->max_nodes));
    }
    gr_mapping m;
    m.begins.at = NULL;
    gr_derive_start(&m.d, grammar, genome, length, p->max_wraps, p->max_depth, stack);
    gr_derive_by(&m.d, p->convention, p->max_wraps);
    gr_parser_start(&m.p, out, p->max_nodes, operators, gr_parse_levels(p), gr_named_inputs(p),
                    p->packed);
    m.p.outputs = p->outputs;
    m.p.part = p->part;
    to_depth_first(&m.d, codon_scratch, &used);
    if (m.d.validity == GR_VALID)
        gr_map(&m);
    free(codon_scratch);
    free(stack.at);
    if (m.d.validity == GR_VALID) {
        *nodes = out.at;
        *count = m.p.count;
    } else
        free(out.at);
    return GR_OK;
}

const char *gr_validity_name(uint32_t validity) {
    static const char *const names[GR_VALIDITY_COUNT] = {"valid", "out_of_codons", "too_deep",
                                                         "too_large", "no_expression"};
    return validity < GR_VALIDITY_COUNT ? names[validity] : "?";
}
