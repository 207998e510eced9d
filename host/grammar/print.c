/* A grammar written out: as text that reads back, and as a graph. */
#include "host/grammar/facts.h"
#include "host/grammar/internal.h"

#include <string.h>

/* ---- BNF ---- */

/* The character at *at, UTF-8; *at moves behind it. Terminals hold whole characters. */
static uint32_t next_character(const char *text, size_t length, size_t *at) {
    unsigned char lead = (unsigned char)text[(*at)++];
    uint32_t more = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    uint32_t c = more == 0 ? lead : lead & (0x3fu >> more);
    for (; more && *at < length; more--)
        c = c << 6 | ((unsigned char)text[(*at)++] & 0x3fu);
    return c;
}

/* A terminal in quotes; where it holds both kinds, in pieces that touch. */
static void print_quoted(const gr_grammar_text *word, FILE *out) {
    char quote = memchr(word->text, '\'', word->length) ? '"' : '\'';
    fputc(quote, out);
    for (size_t i = 0; i < word->length;) {
        uint32_t c = next_character(word->text, word->length, &i);
        if (c == (uint32_t)quote) {
            fputc(quote, out);
            quote = quote == '"' ? '\'' : '"';
            fputc(quote, out);
            fputc((int)c, out);
        } else if (c == '\\')
            fputs("\\\\", out);
        else if (c == '\n' || c == '\t')
            fputs(c == '\n' ? "\\n" : "\\t", out);
        else if (c >= ' ' && c < 127)
            fputc((int)c, out);
        else
            fprintf(out, c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
    }
    fputc(quote, out);
}

static void print_symbol(const gr_grammar *g, uint32_t symbol, FILE *out) {
    if (symbol & GR_NONTERMINAL)
        fprintf(out, "<%s>", g->rules[symbol & ~GR_NONTERMINAL].name->text);
    else if (g->terminals.at[symbol]->is_value)
        fprintf(out, "<%s>", g->terminals.at[symbol]->text);
    else
        print_quoted(g->terminals.at[symbol], out);
}

void gr_print_production(const gr_grammar *g, uint32_t production, FILE *out) {
    for (uint32_t s = g->productions[production].first; s < gr_symbols_end(g, production); s++)
        print_symbol(g, g->symbols[s], out);
}

/* A rule that the grammar does not write: the name is its definition. */
static int is_value_rule(const gr_grammar *g, uint32_t rule) {
    uint32_t symbol = g->symbols[g->productions[g->rules[rule].first].first];
    return !(symbol & GR_NONTERMINAL) && g->terminals.at[symbol]->is_value;
}

void gr_print_grammar(const gr_grammar *g, FILE *out) {
    for (uint32_t r = 0; r < g->rule_count; r++) {
        if (is_value_rule(g, r))
            continue;
        fprintf(out, "<%s> ::= ", g->rules[r].name->text);
        for (uint32_t p = g->rules[r].first; p < gr_productions_end(g, r); p++) {
            fputs(p == g->rules[r].first ? "" : " | ", out);
            gr_print_production(g, p, out);
        }
        fputc('\n', out);
    }
}

/* ---- graph ---- */

enum { MOST_LISTED = 12, SHOWN = 40 };

/* Text inside a record's label, where braces, bars, angles and blanks mean something. */
static void print_label(const char *text, size_t length, FILE *out) {
    for (size_t i = 0, bytes; i < length && i < SHOWN; i += bytes) {
        unsigned char c = (unsigned char)text[i];
        bytes = gr_utf8_length(text + i, length - i);
        if (!bytes || c < ' ') {
            fputs(c == '\n' ? "\\\\n" : "?", out);
            bytes = 1;
        } else {
            if (strchr("{}|<>\"\\ ", c))
                fputc('\\', out);
            fwrite(text + i, 1, bytes, out);
        }
    }
    fputs(length > SHOWN ? "..." : length ? "" : "''", out);
}

static void print_name(const gr_grammar *g, uint32_t rule, FILE *out) {
    fputs("\\<", out);
    print_label(g->rules[rule].name->text, g->rules[rule].name->length, out);
    fputs("\\>", out);
}

static int only_terminals(const gr_grammar *g, uint32_t production) {
    for (uint32_t s = g->productions[production].first; s < gr_symbols_end(g, production); s++)
        if (g->symbols[s] & GR_NONTERMINAL)
            return 0;
    return 1;
}

/* The rule's name above those of its alternatives that lead nowhere else. */
static void print_rule_node(const gr_grammar *g, uint32_t rule, FILE *out) {
    uint32_t listed = 0, more = 0;
    fprintf(out, "  r%u [style=filled, fillcolor=\"%s\", label=\"{", rule,
            rule ? "#eeeeee" : "#ffe8c0");
    print_name(g, rule, out);
    for (uint32_t p = g->rules[rule].first; p < gr_productions_end(g, rule); p++) {
        if (!only_terminals(g, p))
            continue;
        if (listed == MOST_LISTED) {
            more++;
            continue;
        }
        const gr_grammar_text *word = g->terminals.at[g->symbols[g->productions[p].first]];
        fputs(listed++ ? " \\| " : "|", out);
        print_label(word->text, word->length, out);
    }
    if (more)
        fprintf(out, " \\| %u\\ more", more);
    fputs("}\"];\n", out);
}

static void print_alternatives(const gr_grammar *g, uint32_t rule, FILE *out) {
    for (uint32_t p = g->rules[rule].first; p < gr_productions_end(g, rule); p++) {
        uint32_t from = g->productions[p].first, to = gr_symbols_end(g, p);
        if (only_terminals(g, p))
            continue;
        fprintf(out, "  p%u [label=\"", p);
        for (uint32_t s = from; s < to; s++) {
            fprintf(out, "%s<s%u> ", s == from ? "" : "|", s - from);
            if (g->symbols[s] & GR_NONTERMINAL)
                print_name(g, g->symbols[s] & ~GR_NONTERMINAL, out);
            else
                print_label(g->terminals.at[g->symbols[s]]->text,
                            g->terminals.at[g->symbols[s]]->length, out);
        }
        fprintf(out, "\"];\n  r%u -> p%u;\n", rule, p);
        for (uint32_t s = from; s < to; s++)
            if (g->symbols[s] & GR_NONTERMINAL)
                fprintf(out, "  p%u:s%u -> r%u [color=\"#888888\"];\n", p, s - from,
                        g->symbols[s] & ~GR_NONTERMINAL);
    }
}

void gr_print_graph(const gr_grammar *g, FILE *out) {
    fputs("digraph grammar {\n  rankdir=LR;\n"
          "  node [shape=record, fontname=\"Helvetica\", fontsize=11];\n",
          out);
    for (uint32_t r = 0; r < g->rule_count; r++) {
        print_rule_node(g, r, out);
        print_alternatives(g, r, out);
    }
    fputs("}\n", out);
}
