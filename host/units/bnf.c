/* A closure of dimensions as a grammar. A dimension is a rule whose productions are, by kind,
 * leaves, sums, products and functions, each kind with a rule of its own, so that a dimension with
 * many products does not drown its inputs. */
#include "host/base/text.h"
#include "host/expression/vocabulary.h"
#include "host/units/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 160 };

typedef struct printing {
    const gr_settings *settings;
    const char *const *names;
    const gr_units *units;
    const gr_closure *closure;
    char (*number)[32]; /* constants */
    uint32_t numbers;
    FILE *out;
} printing;

typedef enum kind { LEAVES, SOONEST, SUMS, PRODUCTS, FUNCTIONS, KINDS } kind;
static const char *const kind_names[KINDS] = {"leaf", "soonest", "sum", "product", "function"};

static kind kind_of(const printing *p, const gr_typed_operation *o) {
    const uint8_t *level = p->closure->level;
    if (level[o->operand[0]] < level[o->result] && level[o->operand[1]] < level[o->result])
        return SOONEST;
    switch (gr_rule_of(o->op)) {
    case GR_DIM_SAME:
        return SUMS;
    case GR_DIM_PRODUCT:
    case GR_DIM_QUOTIENT:
    case GR_DIM_POWER:
    case GR_DIM_ROOT:
        return PRODUCTS;
    case GR_DIM_PURE:
    case GR_DIM_NONE:
        break;
    }
    return FUNCTIONS;
}

/* ---- constants ---- */

static gr_status read_numbers(printing *p, gr_error *error) {
    char text[64];
    const char *at = p->settings->unit_constants;
    p->number = calloc(GR_MOST_UNIT_CONSTANTS, sizeof *p->number);
    if (!p->number)
        return gr_fail(error, GR_NO_MEMORY, "no memory for constants");
    while (*at) {
        size_t n = strcspn(at, ",");
        snprintf(text, sizeof text, "%.*s", gr_text_fits(at, n, sizeof text - 1), at);
        at += n + (at[n] == ',');
        char *item = gr_text_trim(text), *end;
        float value = strcmp(item, "pi") == 0 ? 3.0f : gr_text_float(item, &end);
        if (strcmp(item, "pi") != 0 && (end == item || *end || value - value != 0.0f))
            return gr_settings_fail(p->settings, GR_KEY_unit_constants, error,
                                    "'%.*s'; expected numbers, as in \"1, 2, pi\"",
                                    GR_CUT(item, 40));
        if (strlen(item) > 28 || p->numbers == GR_MOST_UNIT_CONSTANTS)
            return gr_settings_fail(p->settings, GR_KEY_unit_constants, error,
                                    "'%.*s' is too long or one too many; expected at most %d "
                                    "numbers",
                                    GR_CUT(item, 40), GR_MOST_UNIT_CONSTANTS);
        snprintf(p->number[p->numbers++], sizeof *p->number, value < 0 ? "(%s)" : "%s", item);
    }
    return GR_OK;
}

/* ---- rules ---- */

/* "<m^2.s^-1>", or "<m^2.s^-1:sum>". */
static void put_name(const printing *p, uint32_t d, const char *behind) {
    char name[NAME];
    gr_units_name(p->units, p->closure->dimension[d], name, sizeof name);
    fprintf(p->out, "<%s%s%s>", name, *behind ? ":" : "", behind);
}

static int has_numbers(const printing *p, uint32_t d) {
    gr_dimension none = {{0}};
    return p->numbers && (p->settings->dimensioned_constants ||
                          gr_same_dimension(p->closure->dimension[d], none));
}

static uint32_t count_leaves(const printing *p, uint32_t d) {
    uint32_t count = has_numbers(p, d) ? p->numbers : 0;
    for (uint32_t i = 0; i < p->units->inputs; i++)
        count += gr_same_dimension(p->units->input[i], p->closure->dimension[d]) != 0;
    return count;
}

static void put_leaves(const printing *p, uint32_t d) {
    const char *bar = "";
    gr_dimension none = {{0}};
    for (uint32_t i = 0; i < p->units->inputs; i++)
        if (gr_same_dimension(p->units->input[i], p->closure->dimension[d])) {
            fprintf(p->out, "%s%s", bar, p->names[i]);
            bar = " | ";
        }
    int pure = gr_same_dimension(p->closure->dimension[d], none);
    if (!has_numbers(p, d))
        return;
    if (*bar && !pure) /* as likely as one input */
        fprintf(p->out, "%s<number>", bar);
    else
        for (uint32_t k = 0; k < p->numbers; k++, bar = " | ")
            fprintf(p->out, "%s%s", bar, p->number[k]);
}

static void put_operation(const printing *p, const gr_typed_operation *o) {
    const char *sign = gr_operation_symbol(o->op), *name = gr_operation_name(o->op);
    int two = gr_arity(o->op) == 2;
    fputs(*sign && two ? "(" : name, p->out);
    if (!*sign || !two)
        fputc('(', p->out);
    put_name(p, o->operand[0], "");
    if (two)
        fputs(*sign ? sign : ",", p->out);
    if (two)
        put_name(p, o->operand[1], "");
    fputc(')', p->out);
}

/* How many operations of a kind a dimension has. */
static uint32_t count_kind(const printing *p, uint32_t d, kind of) {
    uint32_t count = 0;
    for (uint32_t k = p->closure->first[d]; k < p->closure->first[d + 1]; k++)
        count += kind_of(p, &p->closure->operation[k]) == of;
    return count;
}

static void put_kind(const printing *p, uint32_t d, kind of) {
    const char *bar = "";
    put_name(p, d, kind_names[of]);
    fputs(" ::= ", p->out);
    for (uint32_t k = p->closure->first[d]; k < p->closure->first[d + 1]; k++)
        if (kind_of(p, &p->closure->operation[k]) == of) {
            fputs(bar, p->out);
            put_operation(p, &p->closure->operation[k]);
            bar = " | ";
        }
    fputc('\n', p->out);
}

/* Twice as many leaves, or what ends soonest, as other kinds: two of three expansions, so that
 * derivations end. */
static void put_dimension(const printing *p, uint32_t d) {
    uint32_t leaves = count_leaves(p, d), kinds = 0;
    kind ending = leaves ? LEAVES : SOONEST;
    const char *bar = "";
    for (kind of = SUMS; of < KINDS; of++)
        kinds += count_kind(p, d, of) > 0;
    put_name(p, d, "");
    fputs(" ::= ", p->out);
    for (uint32_t k = 0; k < (kinds ? 2 * kinds : 1); k++, bar = " | ") {
        fputs(bar, p->out);
        put_name(p, d, kind_names[ending]);
    }
    for (kind of = SUMS; of < KINDS; of++)
        if (count_kind(p, d, of)) {
            fputs(bar, p->out);
            put_name(p, d, kind_names[of]);
        }
    fputc('\n', p->out);
    if (leaves) {
        put_name(p, d, kind_names[LEAVES]);
        fputs(" ::= ", p->out);
        put_leaves(p, d);
        fputc('\n', p->out);
    }
    for (kind of = SOONEST; of < KINDS; of++)
        if (count_kind(p, d, of))
            put_kind(p, d, of);
}

/* Inputs that stand beside constants of their dimension share them. */
static void put_numbers(const printing *p) {
    if (!p->settings->dimensioned_constants || !p->numbers)
        return;
    int shared = 0;
    gr_dimension none = {{0}};
    for (uint32_t d = 0; d < p->closure->dimensions; d++)
        shared |=
            count_leaves(p, d) > p->numbers && !gr_same_dimension(p->closure->dimension[d], none);
    for (uint32_t k = 0; shared && k < p->numbers; k++)
        fprintf(p->out, "%s%s", k ? " | " : "<number> ::= ", p->number[k]);
    if (shared)
        fputc('\n', p->out);
}

static gr_status print_grammar(printing *p, char **text, gr_error *error) {
    size_t length = 0;
    p->out = open_memstream(text, &length);
    if (!p->out)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a grammar of units");
    for (uint32_t d = 0; d < p->closure->dimensions; d++)
        put_dimension(p, d);
    put_numbers(p);
    int failed = ferror(p->out);
    if (fclose(p->out) || failed) {
        free(*text);
        *text = NULL;
        return gr_fail(error, GR_NO_MEMORY, "no memory for a grammar of units");
    }
    return GR_OK;
}

/* ---- as the settings have it ---- */

/* Operations without a meaning for units are refused by name. */
static gr_status check_functions(const gr_settings *settings, const uint8_t *function,
                                 uint32_t count, gr_error *error) {
    for (uint32_t k = 0; k < count; k++)
        if (gr_rule_of(function[k]) == GR_DIM_NONE)
            return gr_settings_fail(settings, GR_KEY_functions, error,
                                    "'%s' has no meaning for units; expected arithmetic, powers, "
                                    "roots, exp, log, sin, cos, tan, tanh",
                                    gr_operation_name(function[k]));
    return GR_OK;
}

gr_status gr_units_grammar(const gr_settings *settings, const char *const *names, uint32_t inputs,
                           const char *target, char **text, gr_error *error) {
    uint8_t function[GR_OP_COUNT];
    gr_closure_options options = {.function = function,
                                  .depth =
                                      settings->units_depth == GR_AUTO ? 0 : settings->units_depth};
    gr_units units = {.inputs = 0};
    gr_closure closure = {.depth = 0};
    printing p = {settings, names, &units, &closure, NULL, 0, NULL};
    *text = NULL;
    gr_status status = gr_settings_functions(settings, function, &options.functions, error);
    if (!status)
        status = check_functions(settings, function, options.functions, error);
    if (!status)
        status = read_numbers(&p, error);
    options.constants = p.numbers > 0;
    if (!status)
        status = gr_units_read(settings, names, inputs, target, &units, error);
    if (!status)
        status =
            gr_units_place(settings, gr_close_dimensions(&units, &options, &closure, error), error);
    if (!status)
        status = print_grammar(&p, text, error);
    free(p.number);
    gr_closure_free(&closure);
    gr_units_free(&units);
    return status;
}
