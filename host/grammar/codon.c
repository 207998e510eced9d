/* <GECodonValue...> of libGE and GEVA: a name that needs no rule, because it is one. Reads the
 * forms of gpu/core/mapping/codon_value.h and gives each such name its rule. */
#include "host/base/text.h"
#include "host/grammar/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_VALUE = 1023, DEFAULT_CODON_SIZE = 100000 };

/* ---- the forms ---- */

/* A whole number without a sign; *at moves behind it. */
static int read_digits(const char **at, int64_t *value) {
    const char *from = *at;
    for (*value = 0; **at >= '0' && **at <= '9' && *value <= INT32_MAX; ++*at)
        *value = 10 * *value + (**at - '0');
    return *at > from && *value <= INT32_MAX;
}

/* -low+high, libGE's form, which takes no negative numbers. */
static const char *read_libge(const char *text, gr_codon_value *v) {
    static const char wrong[] =
        "is no range; expected <" GR_CODON_NAME "-low+high> of whole numbers below 2^31";
    int64_t low = 0, high = 0;
    if (*text == '-') {
        text++;
        if (!read_digits(&text, &low))
            return wrong;
    }
    if (*text++ != '+' || !read_digits(&text, &high) || *text)
        return wrong;
    if (low > high)
        return "has no values; expected low at most high";
    v->low = (int32_t)low;
    v->span = (uint32_t)(high - low + 1);
    return NULL;
}

/* One end of [low,high]; *whole: it is written as an integer. */
static int read_end(char *text, double *value, int *whole) {
    char *end;
    text = gr_text_trim(text);
    if (!*text || strspn(text, "0123456789.eE+-") != strlen(text))
        return 0;
    *value = gr_text_double(text, &end);
    *whole = strspn(text, "0123456789+-") == strlen(text);
    return !*end && isfinite(*value) && fabs(*value) < 2147483648.0;
}

static const char *set_whole(double low, double high, uint32_t ends, gr_codon_value *v) {
    int64_t from = (int64_t)low + (ends & GR_CODON_LOW_OPEN ? 1 : 0);
    int64_t to = (int64_t)high - (ends & GR_CODON_HIGH_OPEN ? 1 : 0);
    if (from > to)
        return "has no values; expected low below high";
    v->low = (int32_t)from;
    v->span = (uint32_t)(to - from + 1); /* 2^32 values are 0: all codons */
    return NULL;
}

/* As many decimals, up to six, as leave the ends in 31 bits. */
static const char *set_scaled(double low, double high, uint32_t ends, uint32_t codon_size,
                              gr_codon_value *v) {
    double unit = 1.0, largest = fmax(fabs(low), fabs(high));
    if (low >= high)
        return "has no values; expected low below high";
    while (v->decimals < GR_CODON_DECIMALS && largest * unit * 10.0 < 2147483000.0) {
        unit *= 10.0;
        v->decimals++;
    }
    v->low = (int32_t)rint(low * unit);
    v->span = (uint32_t)((int64_t)rint(high * unit) - v->low);
    v->scale = codon_size;
    v->ends = ends;
    return v->span ? NULL : "is narrower than its last decimal; expected a wider range";
}

/* [low,high], the brackets round for an end that is left out. */
static const char *read_brackets(char *text, uint32_t codon_size, gr_codon_value *v) {
    static const char wrong[] =
        "is no range; expected <" GR_CODON_NAME "[low,high]> of numbers below 2^31 in size";
    size_t length = strlen(text);
    char *comma = strchr(text, ','), last = text[length - 1];
    double low, high;
    int whole, whole_high;
    if (length < 2 || !comma || (last != ']' && last != ')'))
        return wrong;
    uint32_t ends = (text[0] == '(' ? GR_CODON_LOW_OPEN : 0u) |
                    (last == ')' ? (uint32_t)GR_CODON_HIGH_OPEN : 0u);
    text[length - 1] = *comma = '\0';
    if (!read_end(text + 1, &low, &whole) || !read_end(comma + 1, &high, &whole_high))
        return wrong;
    return whole && whole_high ? set_whole(low, high, ends, v)
                               : set_scaled(low, high, ends, codon_size, v);
}

/* ---- rules ---- */

/* Appends a rule, or a production of the last rule. */
static int add_rule(gr_grammar *g, gr_grammar_text *name) {
    gr_rule *rules = gr_grown(g->rules, g->rule_count, &g->rule_capacity, sizeof *rules);
    if (!rules)
        return 0;
    g->rules = rules;
    name->rule = g->rule_count;
    g->rules[g->rule_count++] = (gr_rule){name, name->position, g->production_count, {0}};
    return 1;
}

static int add_production(gr_grammar *g, gr_grammar_text *terminal) {
    gr_bnf_production *productions =
        gr_grown(g->productions, g->production_count, &g->production_capacity, sizeof *productions);
    g->productions = productions ? productions : g->productions;
    uint32_t *symbols = gr_grown(g->symbols, g->symbol_count, &g->symbol_capacity, sizeof *symbols);
    g->symbols = symbols ? symbols : g->symbols;
    if (!productions || !symbols)
        return 0;
    gr_text_position position = g->rules[g->rule_count - 1].position;
    g->productions[g->production_count++] =
        (gr_bnf_production){g->rule_count - 1, g->symbol_count, position, 0, 0};
    g->symbols[g->symbol_count++] = terminal->number;
    return 1;
}

/* A terminal of its own, even when there is one with the same text. NULL: no memory. */
static gr_grammar_text *add_terminal(gr_grammar *g, const char *text, size_t length,
                                     gr_text_position position) {
    gr_grammar_texts *list = &g->terminals;
    gr_grammar_text *word = gr_append_text(list, text, length);
    if (word)
        word->position = position;
    return word;
}

/* {a,b,c}: one production each, cut where the commas are, trimmed. */
static gr_status add_set(gr_grammar *g, const gr_grammar_text *name, char *text, gr_error *error) {
    size_t length = strlen(text);
    char *rest = text + 1, *item;
    if (length < 2 || text[length - 1] != '}')
        return gr_fail_at(g, name->position, error,
                          "the set of <" GR_CODON_NAME "{...> is not closed; expected {a,b,c}>");
    text[length - 1] = '\0';
    while ((item = strsep(&rest, ","))) {
        item = gr_text_trim(item);
        if (!*item)
            return gr_fail_at(g, name->position, error,
                              "an empty value in a set of <" GR_CODON_NAME
                              "{...}>; expected {a,b,c}");
        if (g->production_count >= GR_MAX_PRODUCTIONS)
            return gr_fail_at(g, name->position, error,
                              "more than %d productions; expected at most %d", GR_MAX_PRODUCTIONS,
                              GR_MAX_PRODUCTIONS);
        gr_grammar_text *terminal = add_terminal(g, item, strlen(item), name->position);
        if (!terminal || !add_production(g, terminal))
            return gr_no_memory(error);
    }
    return GR_OK;
}

/* The rule of one name; `text` is what stands behind GECodonValue. */
static gr_status add_value(gr_grammar *g, gr_grammar_text *name, char *text, uint32_t codon_size,
                           gr_error *error) {
    gr_codon_value value = {0};
    const char *wrong = NULL;
    char shown[GR_SHOWN];
    if (!add_rule(g, name))
        return gr_no_memory(error);
    if (*text == '{')
        return add_set(g, name, text, error);
    if (*text == '[' || *text == '(')
        wrong = read_brackets(text, codon_size, &value);
    else if (*text)
        wrong = read_libge(text, &value);
    if (wrong)
        return gr_fail_at(g, name->position, error, "<%s> %s",
                          gr_show(shown, name->text, name->length), wrong);
    if (g->production_count >= GR_MAX_PRODUCTIONS)
        return gr_fail_at(g, name->position, error, "more than %d productions; expected at most %d",
                          GR_MAX_PRODUCTIONS, GR_MAX_PRODUCTIONS);
    gr_grammar_text *terminal = add_terminal(g, name->text, name->length, name->position);
    if (!terminal || !add_production(g, terminal))
        return gr_no_memory(error);
    terminal->is_value = 1;
    terminal->value = value;
    return GR_OK;
}

gr_status gr_grammar_codon_values(gr_grammar *g, const gr_grammar_context *context,
                                  gr_error *error) {
    uint32_t codon_size =
        context && context->codon_size ? context->codon_size : (uint32_t)DEFAULT_CODON_SIZE;
    char text[LONGEST_VALUE + 1];
    size_t prefix = strlen(GR_CODON_NAME);
    gr_status status = GR_OK;
    for (uint32_t k = 0; k < 2 * g->names.count && status == GR_OK; k++) {
        gr_grammar_text *name =
            g->names.at[k % g->names.count]; /* sets first: rules as any other */
        if (k == g->names.count)
            g->first_value = g->rule_count;
        if (name->rule != GR_NONE || strncmp(name->text, GR_CODON_NAME, prefix) != 0 ||
            (k < g->names.count && name->text[prefix + strspn(name->text + prefix, " ")] != '{'))
            continue;
        if (name->length - prefix > LONGEST_VALUE)
            return gr_fail_at(g, name->position, error,
                              "a <" GR_CODON_NAME "...> of %zu characters; expected at most %d",
                              name->length, LONGEST_VALUE);
        for (size_t c = 0; c < name->length; c++)
            if ((unsigned char)name->text[c] > 126)
                return gr_fail_at(g, name->position, error,
                                  "a <" GR_CODON_NAME "...> that is not ASCII; expected ASCII");
        memcpy(text, name->text + prefix, name->length - prefix + 1);
        status = add_value(g, name, gr_text_trim(text), codon_size, error);
    }
    return status;
}

/* ---- tokens ---- */

gr_status gr_add_value_tokens(gr_token_list *tokens, const gr_codon_value *v, gr_error *error) {
    gr_status status =
        gr_token_add(tokens, GR_TOKEN(GR_T_CODON, v->decimals), (uint32_t)v->low, error);
    if (status == GR_OK)
        status = gr_token_add(tokens, GR_TOKEN(GR_T_CODON_SPAN, 0), v->span, error);
    if (status == GR_OK)
        status = gr_token_add(tokens, GR_TOKEN(GR_T_CODON_SCALE, v->ends), v->scale, error);
    return status;
}

/* ---- text ---- */

int gr_grammar_codon_text(const gr_grammar *grammar, uint32_t terminal, uint32_t codon,
                          char out[32]) {
    const gr_grammar_text *word = grammar->terminals.at[terminal];
    if (!word->is_value)
        return 0;
    uint8_t text[GR_NUMBER_BYTES];
    uint32_t at = gr_write_codon(word->value, codon, text), length = GR_NUMBER_BYTES - at;
    memcpy(out, text + at, length);
    out[length] = '\0';
    return 1;
}
