/* BNF text to rules: PonyGE2's dialect, character by character. */
#define _GNU_SOURCE /* tdestroy */
#include "host/base/text.h"
#include "host/grammar/bnf.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- positions in the text ---- */

static gr_status find_lines(gr_bnf *b) {
    for (uint32_t i = 0; i <= b->length; i++) {
        if (i && b->text[i - 1] != '\n')
            continue;
        uint32_t *lines = gr_grown(b->lines, b->line_count, &b->line_capacity, sizeof *lines);
        if (!lines)
            return gr_no_memory(b->error);
        b->lines = lines;
        b->lines[b->line_count++] = i;
    }
    return GR_OK;
}

/* ---- distinct names and terminals ---- */

static int compare_words(const void *left, const void *right) {
    const gr_grammar_text *a = left, *b = right;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return memcmp(a->text, b->text, a->length);
}

static void keep_word(void *word) {
    (void)word;
} /* the list owns it */

static gr_grammar_text *new_text(const char *text, size_t length) {
    gr_grammar_text *word = calloc(1, sizeof *word);
    if (word && !(word->text = malloc(length + 1))) {
        free(word);
        return NULL;
    }
    if (!word)
        return NULL;
    if (length)
        memcpy(word->text, text, length);
    word->text[length] = '\0';
    word->length = length;
    word->rule = GR_NONE;
    return word;
}

gr_grammar_text *gr_append_text(gr_grammar_texts *list, const char *text, size_t length) {
    gr_grammar_text **grown = gr_grown(list->at, list->count, &list->capacity, sizeof *grown);
    if (!grown)
        return NULL;
    list->at = grown;
    gr_grammar_text *word = new_text(text, length);
    if (!word)
        return NULL;
    word->number = list->count;
    return list->at[list->count++] = word;
}

/* The word with this text, new or known; NULL when memory is short. */
static gr_grammar_text *intern(gr_bnf *b, gr_grammar_texts *list, void **tree, const char *text,
                               size_t length, uint32_t at) {
    gr_grammar_text key = {.text = (char *)(uintptr_t)text, .length = length};
    gr_grammar_text **found = tfind(&key, tree, compare_words);
    if (found)
        return *found;
    gr_grammar_text *word = gr_append_text(list, text, length);
    if (!word)
        return NULL;
    word->position = gr_bnf_position(b, at);
    return tsearch(word, tree, compare_words) ? word : NULL;
}

/* ---- characters ---- */

static int is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
static int is_quote(char c) {
    return c == '\'' || c == '"';
}
static int is_digit(char c) {
    return c >= '0' && c <= '9';
}
static int is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

static uint32_t skip_spaces(const gr_bnf *b, uint32_t at) {
    while (at < b->length && is_space(b->text[at]))
        at++;
    return at;
}

static uint32_t line_end(const gr_bnf *b, uint32_t at) {
    const char *end = memchr(b->text + at, '\n', b->length - at);
    return end ? (uint32_t)(end - b->text) : b->length;
}

static uint32_t begins(const gr_bnf *b, uint32_t at, const char *word) {
    return b->length - at >= strlen(word) && memcmp(b->text + at, word, strlen(word)) == 0;
}

/* `<name>` at position at: the position behind it, or 0. The range of a codon's value may hold
 * blanks. Runs without end are remembered, so that a megabyte of "<" is looked at once. */
static uint32_t name_end(gr_bnf *b, uint32_t at) {
    if (at < b->name_from || at >= b->name_stop) {
        uint32_t i = at + 1, value = begins(b, i, GR_CODON_NAME);
        while (i < b->length && !is_quote(b->text[i]) &&
               (!is_space(b->text[i]) || (value && b->text[i] == ' ')) && b->text[i] != '>' &&
               b->text[i] != '|' && b->text[i] != '#')
            i++;
        b->name_from = at;
        b->name_stop = i;
    }
    uint32_t stop = b->name_stop;
    return stop < b->length && b->text[stop] == '>' && stop > at + 1 ? stop + 1 : 0;
}

/* Position behind "::=" when that follows a name that ends at `end`, or 0. */
static uint32_t header_end(const gr_bnf *b, uint32_t end) {
    uint32_t i = skip_spaces(b, end);
    return b->length - i >= 3 && memcmp(b->text + i, "::=", 3) == 0 ? i + 3 : 0;
}

/* The quote that closes the one at position at, on the same line; 0 when there is none. */
static uint32_t closing_quote(const gr_bnf *b, uint32_t at) {
    uint32_t i = at + 1;
    while (i < b->length && b->text[i] != b->text[at] && b->text[i] != '\n')
        i++;
    return i < b->length && b->text[i] == b->text[at] ? i : 0;
}

static gr_status add_symbol(gr_bnf *b, uint32_t symbol) {
    gr_grammar *g = b->grammar;
    uint32_t *symbols = gr_grown(g->symbols, g->symbol_count, &g->symbol_capacity, sizeof *symbols);
    if (!symbols)
        return gr_no_memory(b->error);
    g->symbols = symbols;
    g->symbols[g->symbol_count++] = symbol;
    return GR_OK;
}

static gr_status add_terminal(gr_bnf *b, const char *text, size_t length, uint32_t at) {
    gr_grammar_text *word = intern(b, &b->grammar->terminals, &b->terminals, text, length, at);
    return word ? add_symbol(b, word->number) : gr_no_memory(b->error);
}

/* Closes the terminal being collected, if any. */
static gr_status flush_terminal(gr_bnf *b) {
    if (!b->piece_open)
        return GR_OK;
    gr_status status = add_terminal(b, b->piece ? b->piece : "", b->piece_length, b->piece_at);
    b->piece_open = 0;
    b->piece_length = 0;
    return status;
}

static gr_status add_nonterminal(gr_bnf *b, uint32_t at, uint32_t end) {
    gr_status status = flush_terminal(b);
    if (status != GR_OK)
        return status;
    gr_grammar_text *name =
        intern(b, &b->grammar->names, &b->names, b->text + at + 1, end - at - 2, at);
    return name ? add_symbol(b, GR_NONTERMINAL | name->number) : gr_no_memory(b->error);
}

/* ---- productions ---- */

static gr_status add_production(gr_bnf *b, uint32_t from, uint32_t to) {
    gr_grammar *g = b->grammar;
    if (g->production_count == GR_MAX_PRODUCTIONS)
        return gr_fail_at(g, gr_bnf_position(b, from), b->error,
                          "more than %d productions; expected at most %d", GR_MAX_PRODUCTIONS,
                          GR_MAX_PRODUCTIONS);
    gr_bnf_production *productions =
        gr_grown(g->productions, g->production_count, &g->production_capacity, sizeof *productions);
    if (!productions)
        return gr_no_memory(b->error);
    g->productions = productions;
    g->productions[g->production_count++] =
        (gr_bnf_production){g->rule_count - 1, g->symbol_count, gr_bnf_position(b, from), from, to};
    return GR_OK;
}

/* The number behind GE_RANGE: in [word, end). */
static gr_status range_size(gr_bnf *b, uint32_t word, uint32_t end, uint32_t *n) {
    static const char *const names[] = {"dataset_n_vars", "dataset_n_is", "dataset_n_os"};
    static const char *const options[] = {"n-vars", "n-is", "n-os"};
    const gr_grammar_context none = {0}, *c = b->context ? b->context : &none;
    const uint32_t sizes[] = {c->n_vars, c->n_is, c->n_os};
    char shown[GR_SHOWN];
    uint32_t digits = word;
    for (*n = 0; digits < end && is_digit(b->text[digits]); digits++)
        if (*n <= GR_MAX_PRODUCTIONS)
            *n = 10 * *n + (uint32_t)(b->text[digits] - '0');
    if (digits == end && end > word)
        return GR_OK;
    for (int i = 0; i < 3; i++) {
        if (strlen(names[i]) != end - word || memcmp(names[i], b->text + word, end - word) != 0)
            continue;
        *n = sizes[i];
        if (*n)
            return GR_OK;
        return gr_fail_at(b->grammar, gr_bnf_position(b, word), b->error,
                          "GE_RANGE:%s has no value here; expected --%s N, or data to count in",
                          names[i], options[i]);
    }
    return gr_fail_at(b->grammar, gr_bnf_position(b, word), b->error,
                      "GE_RANGE:%s is not a range; expected a number, dataset_n_vars, "
                      "dataset_n_is or dataset_n_os",
                      gr_show(shown, b->text + word, end - word));
}

/* GE_RANGE:n: productions 0 .. n-1. What follows the number is ignored, as PonyGE2 does. */
static gr_status add_range(gr_bnf *b, uint32_t from, uint32_t to) {
    uint32_t word = from + 9, end = word, n = 0, have = b->grammar->production_count;
    char text[16], shown[GR_SHOWN];
    while (end < to && is_word(b->text[end]))
        end++;
    gr_status status = range_size(b, word, end, &n);
    if (status == GR_OK && end < to)
        status = gr_warn_at(b->grammar, gr_bnf_position(b, end), b->error,
                            "\"%s\" behind GE_RANGE:%u is ignored; expected '|' or a new rule",
                            gr_show(shown, b->text + end, to - end), n);
    if (status == GR_OK && n > GR_MAX_PRODUCTIONS - have && !is_digit(b->text[word]))
        return gr_fail_at(b->grammar, gr_bnf_position(b, from), b->error,
                          "GE_RANGE:%s, here %u, after %u production%s; expected at most %d in all",
                          gr_show(shown, b->text + word, end - word), n, have, gr_s(have),
                          GR_MAX_PRODUCTIONS);
    if (status == GR_OK && n > GR_MAX_PRODUCTIONS - have)
        return gr_fail_at(b->grammar, gr_bnf_position(b, from), b->error,
                          "GE_RANGE of %s after %u production%s; expected at most %d in all",
                          gr_show(shown, b->text + word, end - word), have, gr_s(have),
                          GR_MAX_PRODUCTIONS);
    for (uint32_t i = 0; i < n && status == GR_OK; i++) {
        int length = snprintf(text, sizeof text, "%u", i);
        status = add_production(b, from, to);
        if (status == GR_OK)
            status = add_terminal(b, text, (size_t)length, from);
    }
    return status;
}

/* Line ends at position at, with the spaces round them: one newline each. 0 when there are none. */
static uint32_t newlines_end(const gr_bnf *b, uint32_t at, uint32_t to) {
    while (at < to && b->text[at] == ' ')
        at++;
    if (at == to || b->text[at] != '\n')
        return 0;
    while (at < to && b->text[at] == '\n')
        at++;
    while (at < to && b->text[at] == ' ')
        at++;
    return at;
}

static gr_status put_newlines(gr_bnf *b, uint32_t from, uint32_t to) {
    gr_status status = gr_bnf_put_text(b, from, from); /* opens the terminal here */
    for (uint32_t i = from; i < to && status == GR_OK; i++)
        if (b->text[i] == '\n')
            status = gr_bnf_put_byte(b, '\n');
    return status;
}

/* Unquoted text from position at up to something else. */
static gr_status put_plain(gr_bnf *b, uint32_t *at, uint32_t to) {
    uint32_t from = *at, i = from;
    if (b->text[i] == '<') /* not the start of a name, nor are those that touch it */
        while (i < to && b->text[i] == '<')
            i++;
    else
        while (i < to && !is_quote(b->text[i]) && b->text[i] != '<' && b->text[i] != '\n')
            i++;
    *at = i;
    gr_status status = gr_bnf_put_text(b, from, i);
    const char *header = memmem(b->text + from, i - from, "::=", 3);
    if (header && status == GR_OK)
        status = gr_warn_at(b->grammar, gr_bnf_position(b, (uint32_t)(header - b->text)), b->error,
                            "'::=' is text of a production here; expected <name> without white "
                            "space before it");
    return status;
}

/* One production from its trimmed text. */
static gr_status read_production(gr_bnf *b, uint32_t from, uint32_t to) {
    if (to - from >= 9 && memcmp(b->text + from, "GE_RANGE:", 9) == 0)
        return add_range(b, from, to);
    gr_status status = add_production(b, from, to);
    uint32_t nonterminals = 0;
    for (uint32_t i = from; i < to && status == GR_OK;) {
        uint32_t end;
        if ((end = newlines_end(b, i, to))) {
            status = put_newlines(b, i, end);
            i = end;
        } else if (is_quote(b->text[i])) {
            end = closing_quote(b, i);
            status = gr_bnf_put_text(b, i + 1, end);
            i = end + 1;
        } else if (b->text[i] == '<' && (end = name_end(b, i))) {
            status = add_nonterminal(b, i, end);
            i = end;
            if (++nonterminals > GR_MAX_NONTERMINALS)
                return gr_fail_at(b->grammar, gr_bnf_position(b, from), b->error,
                                  "a production of more than %d non-terminals; expected fewer",
                                  GR_MAX_NONTERMINALS);
        } else
            status = put_plain(b, &i, to);
    }
    return status == GR_OK ? flush_terminal(b) : status;
}

/* Where the production at b->at ends; b->at moves to where the next one starts. *last: it was the
 * rule's last one. */
static gr_status find_production_end(gr_bnf *b, uint32_t *end, int *last) {
    uint32_t from = b->at, i = from, next;
    int plain = 0; /* the character before is unquoted text */
    *last = 0;
    while (i < b->length) {
        char c = b->text[i];
        if (c == '|' || c == '#')
            break;
        if (is_quote(c) && (next = closing_quote(b, i))) {
            i = next + 1;
            plain = 0;
        } else if (is_quote(c) && plain)
            break; /* don't: PonyGE2 splits here */
        else if (is_quote(c))
            return gr_fail_at(b->grammar, gr_bnf_position(b, i), b->error,
                              "quote %c is not closed; expected another %c on the same line", c, c);
        else if (c == '<' && (next = name_end(b, i))) {
            if (header_end(b, next))
                break;
            i = next;
            plain = 0;
        } else {
            plain = !is_space(c);
            i++;
        }
    }
    *end = i;
    *last = i == b->length || b->text[i] == '<';
    if (*last)
        b->at = i;
    else
        b->at = b->text[i] == '#' ? line_end(b, i) : i + 1;
    if (!*last && is_quote(b->text[i]))
        return gr_warn_at(b->grammar, gr_bnf_position(b, i), b->error,
                          "a lone %c splits the production in two, as in PonyGE2; expected it "
                          "in quotes of the other kind",
                          b->text[i]);
    return GR_OK;
}

/* ---- rules ---- */

/* A rule's header at b->at. */
static gr_status read_header(gr_bnf *b) {
    gr_grammar *g = b->grammar;
    uint32_t at = b->at, end = name_end(b, at);
    char shown[GR_SHOWN];
    gr_grammar_text *name = intern(b, &g->names, &b->names, b->text + at + 1, end - at - 2, at);
    gr_rule *rules = gr_grown(g->rules, g->rule_count, &g->rule_capacity, sizeof *rules);
    if (!name || !rules) {
        g->rules = rules ? rules : g->rules;
        return gr_no_memory(b->error);
    }
    g->rules = rules;
    if (name->rule != GR_NONE)
        return gr_fail_at(g, gr_bnf_position(b, at), b->error,
                          "rule <%s> is defined again (first on line %u); expected one rule "
                          "per name",
                          gr_show(shown, name->text, name->length),
                          g->rules[name->rule].position.line);
    name->rule = g->rule_count;
    g->rules[g->rule_count++] = (gr_rule){name, gr_bnf_position(b, at), g->production_count, {0}};
    b->at = header_end(b, end);
    return GR_OK;
}

/* Nothing between two bars, or between a bar and the rule's begin or end. */
static gr_status warn_empty(gr_bnf *b, uint32_t at) {
    gr_grammar *g = b->grammar;
    gr_text_position position = gr_bnf_position(b, at);
    g->rules[g->rule_count - 1].left_out = position;
    return gr_warn_at(g, position, b->error,
                      "an empty alternative is left out, as in PonyGE2; expected '' where it "
                      "is meant");
}

/* All productions of the rule at b->at. */
static gr_status read_productions(gr_bnf *b) {
    gr_status status = GR_OK;
    int first = 1, open = 1; /* the rule's first production; nothing but comments since a bar */
    uint32_t behind = 0;     /* which bar: of what ends the rule the line may be another's */
    for (int last = 0; status == GR_OK && !last;) {
        b->at = skip_spaces(b, b->at);
        uint32_t from = b->at, end = from, stop;
        status = find_production_end(b, &end, &last);
        stop = end;
        while (end > from && status == GR_OK && is_space(b->text[end - 1]))
            end--;
        if (status == GR_OK && end > from) {
            status = read_production(b, from, end);
            first = open = 0;
        }
        int bar = !last && stop < b->length && b->text[stop] == '|';
        if (status == GR_OK && open && (bar || (last && !first)))
            status = warn_empty(b, bar ? stop : behind);
        open |= bar;
        behind = bar ? stop : behind;
        first &= !bar;
    }
    return status;
}

static gr_status read_rule(gr_bnf *b) {
    gr_grammar *g = b->grammar;
    gr_status status = read_header(b);
    if (status == GR_OK)
        status = read_productions(b);
    if (status != GR_OK)
        return status;
    const gr_rule *rule = &g->rules[g->rule_count - 1];
    char shown[GR_SHOWN];
    uint32_t productions = g->production_count - rule->first;
    gr_show(shown, rule->name->text, rule->name->length);
    if (!productions)
        return gr_fail_at(g, rule->position, b->error,
                          "rule <%s> has no production; expected at least one after ::=", shown);
    if (productions == 1)
        return gr_warn_at(g, rule->position, b->error,
                          "rule <%s> has a single production and still consumes a codon (none if "
                          "lazy or structured)",
                          shown);
    return GR_OK;
}

/* Moves to the first `<name> ::=`. As in PonyGE2 it counts even inside a comment. */
static gr_status find_first_rule(gr_bnf *b) {
    gr_grammar *g = b->grammar;
    uint32_t i = skip_spaces(b, 0), end;
    int stray = 0, comment = 0; /* text before the rule; it stands in a comment */
    if (i == b->length)
        return gr_fail_at(g, (gr_text_position){1, 1}, b->error,
                          "the grammar is empty; expected a rule like <e> ::= <e> + <e> | x");
    for (; i < b->length; i++) {
        char c = b->text[i];
        end = c == '<' ? name_end(b, i) : 0;
        if (end && header_end(b, end))
            break;
        comment = c == '\n' ? 0 : comment || c == '#';
        stray |= !comment && !is_space(c);
        i = end ? end - 1 : i;
    }
    if (i == b->length)
        return gr_fail_at(g, (gr_text_position){1, 1}, b->error,
                          "the grammar has no rule; expected a rule like <e> ::= <e> + <e> | x");
    b->at = i;
    gr_status status = GR_OK;
    if (comment)
        status = gr_warn_at(g, gr_bnf_position(b, i), b->error,
                            "a rule in a comment before the first rule is read as a rule, as in "
                            "PonyGE2");
    else if (stray)
        status = gr_warn_at(g, (gr_text_position){1, 1}, b->error,
                            "text before the first rule is ignored");
    return status;
}

/* ---- the file ---- */

/* The first byte that is not of a character of UTF-8, or of one that only a terminal would obey;
 * GR_NONE: there is none. */
static uint32_t find_binary(const char *text, uint32_t length) {
    for (uint32_t i = 0; i < length;) {
        size_t bytes = gr_utf8_length(text + i, length - i);
        if (!bytes || ((unsigned char)text[i] < ' ' && !is_space(text[i])))
            return i;
        i += (uint32_t)bytes;
    }
    return GR_NONE;
}

/* The text with line ends \n and no byte order mark; only text. */
static gr_status copy_source(gr_bnf *b, const char *text, size_t length) {
    gr_grammar *g = b->grammar;
    if (length > GR_MAX_GRAMMAR_BYTES)
        return gr_fail(b->error, GR_BAD_INPUT, "%s: %zu bytes or more; expected at most %d",
                       g->path, length, GR_MAX_GRAMMAR_BYTES);
    if (!(g->source = malloc(length + 1)))
        return gr_no_memory(b->error);
    size_t i = gr_text_mark(text, length);
    uint32_t n = 0, binary;
    for (; i < length; i++) {
        if (text[i] == '\r' && i + 1 < length && text[i + 1] == '\n')
            continue;
        g->source[n++] = text[i] == '\r' ? '\n' : text[i];
    }
    g->source[n] = '\0';
    b->text = g->source;
    b->length = g->length = n;
    gr_status status = find_lines(b);
    if (status == GR_OK && (binary = find_binary(g->source, n)) != GR_NONE)
        return gr_fail_at(g, gr_bnf_position(b, binary), b->error,
                          "byte 0x%02x is not text; expected a grammar in UTF-8",
                          (unsigned)(unsigned char)g->source[binary]);
    return status;
}

static gr_status read_text(gr_bnf *b, const char *text, size_t length) {
    gr_status status = copy_source(b, text, length);
    if (status == GR_OK)
        status = find_first_rule(b);
    while (status == GR_OK && b->at < b->length)
        status = read_rule(b);
    return status;
}

gr_status gr_grammar_read(gr_grammar *grammar, const char *text, size_t length,
                          const gr_grammar_context *context, gr_error *error) {
    gr_bnf b = {.grammar = grammar, .context = context, .error = error};
    gr_status status = read_text(&b, text, length);
    tdestroy(b.names, keep_word);
    tdestroy(b.terminals, keep_word);
    free(b.lines);
    free(b.piece);
    return status;
}
