/* Types of trees: as the settings declare them, or the dimensions of a closure; as the tables that
 * breeding reads (gpu/core/genotype/typed.h). */
#include "gpu/core/genotype/typed.h"
#include "host/base/text.h"
#include "host/expression/vocabulary.h"
#include "host/units/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 32, MOST_NAMES = 1000 };

typedef struct making {
    const gr_typing *of;
    char (*name)[NAME]; /* of types */
    uint32_t types;
    uint32_t *input; /* [inputs] type of each */
    uint32_t constant, target;
    uint32_t frame, inner; /* as in gr_type_head */
    gr_signature *signature;
    uint32_t signatures;
    size_t room;
    uint32_t *level, *least, *size; /* [types] */
    gr_error *error;
} making;

static gr_status refuse(const making *m, const char *what, const char *expected) {
    return gr_settings_fail(m->of->settings, GR_KEY_types, m->error, "'%.*s'; expected %s",
                            GR_CUT(what, 60), expected);
}

static gr_status add_signature(making *m, gr_signature x) {
    if (m->signatures == m->room) {
        size_t room = 2 * m->room + 64;
        gr_signature *more = realloc(m->signature, room * sizeof *more);
        if (!more)
            return gr_fail(m->error, GR_NO_MEMORY, "no memory for %zu signatures", room);
        m->signature = more;
        m->room = room;
    }
    m->signature[m->signatures++] = x;
    return GR_OK;
}

/* ---- declared types ---- */

static gr_status find_type(making *m, const char *name, uint32_t *type) {
    for (*type = 0; *type < m->types; ++*type)
        if (strcmp(m->name[*type], name) == 0)
            return GR_OK;
    if (!*name || strlen(name) >= NAME || strpbrk(name, " ,->"))
        return refuse(m, name, "the name of a type, a word of up to 31 letters");
    if (m->types == MOST_NAMES)
        return refuse(m, name, "at most 1000 types");
    snprintf(m->name[m->types++], NAME, "%s", name);
    return GR_OK;
}

/* The next word of a list; NULL: there is none. */
static char *next_word(char **at) {
    *at += strspn(*at, " ");
    char *word = *at;
    *at += strcspn(*at, " ");
    if (**at)
        *(*at)++ = '\0';
    return *word ? word : NULL;
}

/* "number number -> flag" of an operation; `right` is taken apart. */
static gr_status read_signature(making *m, const char *name, char *right) {
    int packed = *m->of->settings->boolean != '\0', used = 0;
    int op = gr_find_symbol(name, strlen(name), packed);
    op = op >= 0 ? op : gr_find_operation(name, strlen(name), packed);
    for (uint32_t k = 0; k < m->of->functions; k++)
        used |= m->of->function[k] == op;
    if (op < 0 || !used)
        return refuse(m, name, "an input, constants, target, or one of functions");
    gr_signature x = {(uint32_t)op, {GR_NO_TYPE, GR_NO_TYPE, GR_NO_TYPE}, 0, 0};
    uint32_t operands = 0, arity = gr_arity((uint32_t)op);
    gr_status status = GR_OK;
    char *word = next_word(&right);
    for (; word && strcmp(word, "->") != 0 && !status; word = next_word(&right))
        if (operands++ < 3)
            status = find_type(m, word, &x.operand[operands - 1]);
    char *result = word ? next_word(&right) : NULL;
    if (status || operands != arity || !result || next_word(&right))
        return status ? status
                      : refuse(m, name, "a type for every operand, ->, and that of the result");
    status = find_type(m, result, &x.result);
    for (uint32_t k = 0; k < m->signatures && !status; k++)
        if (gr_compare_signature(&m->signature[k], x.op, x.operand) == 0)
            status = refuse(m, name, "one result for the same operands");
    return status ? status : add_signature(m, x);
}

static uint32_t *find_input(making *m, const char *name) {
    for (uint32_t i = 0; i < m->of->inputs; i++)
        if (strcmp(m->of->names[i], name) == 0)
            return &m->input[i];
    return NULL;
}

/* Any number stands for the constants as their word does: no input can be called by one. */
static int is_number(const char *name) {
    char *end;
    gr_text_double(name, &end);
    return strpbrk(name, "0123456789") && end != name && !*end;
}

/* Where the type of `name` is kept; NULL: it is no input, constants or target. An input wins, as it
 * does for units. */
static uint32_t *find_typed(making *m, const char *name) {
    uint32_t *input = find_input(m, name);
    if (input)
        return input;
    if (strcmp(name, "constants") == 0 || is_number(name))
        return &m->constant;
    return strcmp(name, "target") == 0 || strcmp(name, m->of->target) == 0 ? &m->target : NULL;
}

static gr_status read_name(making *m, const char *name, const char *right) {
    char words[1024];
    uint32_t *type = find_typed(m, name);
    int is_operation =
        gr_find_operation(name, strlen(name), *m->of->settings->boolean != '\0') >= 0;
    if (type && !(is_operation && strstr(right, "->"))) /* a column called sin, beside sin */
        return *type == GR_NO_TYPE ? find_type(m, right, type) : refuse(m, name, "one type of it");
    snprintf(words, sizeof words, "%s", right);
    if (strlen(right) >= sizeof words)
        return refuse(m, name, "a shorter signature");
    return read_signature(m, name, words);
}

/* "x, y = number" */
static gr_status read_entry(making *m, char *entry) {
    char *sign = strstr(entry, " = ");
    gr_status status = GR_OK;
    if (!sign && !(sign = strchr(entry, '=')))
        return refuse(m, entry, "NAME, ... = TYPE, or OPERATION = TYPE ... -> TYPE");
    char *right = sign + (*sign == ' ' ? 3 : 1), *rest = entry, *name;
    *sign = '\0';
    while (!status && (name = strsep(&rest, ",")))
        status = read_name(m, gr_text_trim(name), gr_text_trim(right));
    return status;
}

static gr_status read_types(making *m) {
    char *text = strdup(m->of->settings->types), *rest = text, *entry;
    gr_status status = text ? GR_OK : gr_fail(m->error, GR_NO_MEMORY, "no memory for types");
    m->name = calloc(MOST_NAMES, sizeof *m->name);
    if (!m->name && !status)
        status = gr_fail(m->error, GR_NO_MEMORY, "no memory for types");
    while (!status && (entry = strsep(&rest, ";"))) {
        entry = gr_text_trim(entry);
        if (*entry)
            status = read_entry(m, entry);
    }
    for (uint32_t i = 0; i < m->of->inputs && !status; i++)
        if (m->input[i] == GR_NO_TYPE)
            status = refuse(m, m->of->names[i], "a type of every input");
    if (!status && m->target == GR_NO_TYPE)
        status = refuse(m, "target", "its type");
    if (!status && m->constant == GR_NO_TYPE && m->of->settings->constant_probability > 0)
        status = refuse(m, "constants",
                        find_input(m, "constants")
                            ? "beside the type of the input called so that of numbers, as in "
                              "\"1 = TYPE\", or constant-probability 0"
                            : "their type, or constant-probability 0");
    free(text);
    return status;
}

/* ---- dimensions ---- */

static gr_status take_closure(making *m, const gr_units *units, const gr_closure *closure) {
    const gr_dimension none = {{0}};
    gr_status status = GR_OK;
    m->types = closure->dimensions;
    m->target = 0;
    for (uint32_t d = 0; d < closure->dimensions; d++) {
        for (uint32_t i = 0; i < units->inputs; i++)
            if (gr_same_dimension(units->input[i], closure->dimension[d]))
                m->input[i] = d;
        if (gr_same_dimension(none, closure->dimension[d]))
            m->constant = d;
    }
    for (uint32_t k = 0; k < closure->operations && !status; k++) {
        const gr_typed_operation *o = &closure->operation[k];
        gr_signature x = {o->op, {o->operand[0], GR_NO_TYPE, GR_NO_TYPE}, o->result, 0};
        if (gr_arity(o->op) > 1)
            x.operand[1] = o->operand[1];
        status = add_signature(m, x);
    }
    return status;
}

/* The units of all inputs: those that the settings tell, and of what is made of these. */
static gr_status read_units(const gr_typing *of, gr_units *units, gr_error *error) {
    uint32_t told = of->inputs - of->prepared_count;
    gr_status status = gr_units_read(of->settings, of->names, told, of->target, units, error);
    gr_dimension *all = status ? NULL : calloc(of->inputs + 1u, sizeof *all);
    if (status || !all)
        return status ? status : gr_fail(error, GR_NO_MEMORY, "no memory for units");
    memcpy(all, units->input, told * sizeof *all);
    for (uint32_t k = 0; k < of->prepared_count; k++)
        all[told + k] = of->prepared[k];
    free(units->input);
    units->input = all;
    units->inputs = of->inputs;
    return GR_OK;
}

static gr_status close_units(making *m) {
    const gr_settings *s = m->of->settings;
    const gr_closure_options options = {.function = m->of->function,
                                        .functions = m->of->functions,
                                        .depth = s->units_depth == GR_AUTO ? 0 : s->units_depth,
                                        .constants = s->constant_probability > 0};
    gr_units units = {.inputs = 0};
    gr_closure closure = {.depth = 0};
    gr_status status = read_units(m->of, &units, m->error);
    for (uint32_t k = 0; k < m->of->functions && !status; k++)
        if (gr_rule_of(m->of->function[k]) == GR_DIM_NONE)
            status = gr_settings_fail(s, GR_KEY_functions, m->error,
                                      "%s has no meaning for units; expected others",
                                      gr_operation_name(m->of->function[k]));
    if (!status) {
        status = gr_close_dimensions(&units, &options, &closure, m->error);
        if (!status && closure.dimensions > GR_MOST_TYPES)
            status = gr_fail(m->error, GR_BAD_INPUT,
                             "%u dimensions; expected a smaller units-depth", closure.dimensions);
        status = gr_units_place(s, status, m->error);
    }
    if (!status)
        status = take_closure(m, &units, &closure);
    gr_closure_free(&closure);
    gr_units_free(&units);
    return status;
}

/* ---- several outputs ---- */

/* Inputs, constants and whatever operations take and give are numbers. */
static gr_status take_numbers(making *m) {
    gr_status status = GR_OK;
    m->types = 1;
    m->target = m->constant = 0;
    uint32_t hidden = m->of->part ? 2 * m->of->outputs : 0;
    for (uint32_t i = 0; i + hidden < m->of->inputs; i++)
        m->input[i] = 0;
    for (uint32_t k = 0; k < m->of->functions && !status; k++) {
        gr_signature x = {m->of->function[k], {GR_NO_TYPE, GR_NO_TYPE, GR_NO_TYPE}, 0, 0};
        for (uint32_t a = 0; a < gr_arity(x.op); a++)
            x.operand[a] = 0;
        status = add_signature(m, x);
    }
    return status;
}

/* argmax(a, b, ...) of so many trees of the target's type. A type stands for the operands from one
 * on, the last alone first, and one for the whole. */
static gr_status add_frame(making *m) {
    uint32_t outputs = m->of->outputs;
    m->inner = m->target;
    m->frame = m->types;
    m->types += outputs + 1;
    m->target = m->types - 1;
    gr_signature last = {GR_ARGMAX_LAST, {m->inner, GR_NO_TYPE, GR_NO_TYPE}, m->frame, 0};
    gr_signature whole = {GR_ARGMAX, {m->target - 1, GR_NO_TYPE, GR_NO_TYPE}, m->target, 0};
    gr_status status = add_signature(m, last);
    for (uint32_t t = m->frame; t + 1 < m->target && !status; t++) {
        gr_signature next = {GR_ARGMAX_NEXT, {m->inner, t, GR_NO_TYPE}, t + 1, 0};
        status = add_signature(m, next);
    }
    return status ? status : add_signature(m, whole);
}

/* targets(a, b, ...) of so many trees of the target's type. Every column of a target and every unit
 * has a type of its own, so that no other leaf can stand there; then come types of the parts, of
 * their sums from the last on, and of the whole. */
static gr_status add_targets(making *m) {
    uint32_t n = m->of->outputs, first = m->of->inputs - 2 * n;
    m->inner = m->target;
    m->frame = m->types;
    uint32_t parts = m->frame + 2 * n, sums = parts + n; /* of all but the last */
    m->types += 4 * n;
    m->target = m->types - 1;
    for (uint32_t k = 0; k < 2 * n; k++)
        m->input[first + k] = m->frame + k;
    gr_status status = GR_OK;
    for (uint32_t k = 0; k < n && !status; k++) {
        gr_signature x = {m->of->part, {m->inner, m->frame + k, m->frame + n + k}, parts + k, 0};
        status = add_signature(m, x);
    }
    uint32_t sum = parts + n - 1;
    for (uint32_t k = n - 1; k-- > 0 && !status; sum = sums + k) {
        gr_signature x = {GR_TARGETS_NEXT, {parts + k, sum, GR_NO_TYPE}, sums + k, 0};
        status = add_signature(m, x);
    }
    gr_signature whole = {gr_targets_end(m->of->part), {sum, GR_NO_TYPE, GR_NO_TYPE}, m->target, 0};
    return status ? status : add_signature(m, whole);
}

/* ---- tables ---- */

static int has_leaf(const making *m, uint32_t type) {
    int has = m->constant == type && m->of->settings->constant_probability > 0;
    for (uint32_t i = 0; i < m->of->inputs; i++)
        has |= m->input[i] == type;
    return has;
}

/* Flattest trees of all types; of those the one of fewest nodes. What cannot be made is left out.
 */
static gr_status find_least(making *m) {
    m->level = calloc(m->types + 1u, sizeof *m->level);
    m->least = calloc(m->types + 1u, sizeof *m->least);
    m->size = calloc(m->types + 1u, sizeof *m->size);
    if (!m->level || !m->least || !m->size)
        return gr_fail(m->error, GR_NO_MEMORY, "no memory for types");
    for (uint32_t t = 0; t < m->types; t++) {
        m->least[t] = GR_NO_TYPE;
        m->level[t] = m->size[t] = (uint32_t)has_leaf(m, t);
    }
    for (uint32_t level = 2, more = 1; more && level < GR_MAX_HEIGHT; level++) {
        more = 0;
        for (uint32_t k = 0; k < m->signatures; k++) {
            gr_signature *x = &m->signature[k];
            uint32_t arity = gr_arity(x->op), size = 1, can = !x->level;
            for (uint32_t a = 0; a < arity; a++) {
                uint32_t below = m->level[x->operand[a]];
                can &= below && below < level;
                size += can ? m->size[x->operand[a]] : 0;
            }
            if (!can)
                continue;
            x->level = level;
            more = 1;
            if (!m->level[x->result] ||
                (m->level[x->result] == level && size < m->size[x->result])) {
                m->level[x->result] = level;
                m->size[x->result] = gr_min_u32(size, 1u << 20);
            }
        }
    }
    uint32_t kept = 0;
    for (uint32_t k = 0; k < m->signatures; k++)
        if (m->signature[k].level)
            m->signature[kept++] = m->signature[k];
    m->signatures = kept;
    const gr_settings *s = m->of->settings;
    uint32_t around = m->of->outputs ? m->of->outputs + 1 : 0;
    if (s->max_depth + around >= GR_MAX_HEIGHT)
        return gr_settings_fail(s, GR_KEY_max_depth, m->error,
                                "max-depth %u of %u outputs; expected at most %u", s->max_depth,
                                m->of->outputs, GR_MAX_HEIGHT - 1 - around);
    if (m->of->outputs && m->level[m->target] && m->size[m->target] > s->max_nodes)
        return gr_settings_fail(
            s, GR_KEY_max_nodes, m->error, "max-nodes %u of %u %s; expected at least %u",
            s->max_nodes, m->of->outputs, m->of->part ? "targets" : "outputs", m->size[m->target]);
    if (m->target >= m->types || !m->level[m->target] ||
        m->level[m->target] > s->max_depth + around || m->size[m->target] > s->max_nodes)
        return gr_settings_fail(s, GR_KEY_typed, m->error,
                                "no tree within max-depth %u and max-nodes %u has the target's "
                                "type; expected inputs and operations that give it",
                                s->max_depth, s->max_nodes);
    return GR_OK;
}

static int by_result(const void *a, const void *b) {
    const gr_signature *x = a, *y = b;
    return x->result != y->result ? (x->result < y->result ? -1 : 1)
                                  : gr_compare_signature(x, y->op, y->operand);
}

static uint32_t size_of(const making *m, const gr_signature *x) {
    uint32_t size = 1;
    for (uint32_t a = 0; a < gr_arity(x->op); a++)
        size += m->size[x->operand[a]];
    return size;
}

/* A signature with its number, to sort by operation and operands. */
typedef struct numbered {
    gr_signature signature;
    uint32_t number;
} numbered;

static int by_operation(const void *a, const void *b) {
    const numbered *x = a, *y = b;
    return gr_compare_signature(&x->signature, y->signature.op, y->signature.operand);
}

static gr_status order_signatures(const making *m, uint32_t *order) {
    numbered *all = calloc(m->signatures + 1u, sizeof *all);
    if (!all)
        return gr_fail(m->error, GR_NO_MEMORY, "no memory for signatures");
    for (uint32_t k = 0; k < m->signatures; k++)
        all[k] = (numbered){m->signature[k], k};
    qsort(all, m->signatures, sizeof *all, by_operation);
    for (uint32_t k = 0; k < m->signatures; k++)
        order[k] = all[k].number;
    free(all);
    return GR_OK;
}

static gr_type_head head_of(const making *m, uint32_t *count) {
    gr_type_head h = {.types = m->types, .target = m->target, .signatures = m->signatures};
    uint32_t at = sizeof h / sizeof(uint32_t), inputs = m->of->inputs;
    h.constant = m->constant;
    h.frame = m->of->outputs ? m->frame : m->types;
    h.inner = m->inner;
    h.input_type = at, at += inputs;
    h.first_input = at, at += m->types + 1;
    h.input = at, at += inputs;
    h.first = at, at += m->types + 1;
    h.level = at, at += m->types;
    h.least = at, at += m->types;
    h.signature = at, at += m->signatures * (uint32_t)(sizeof(gr_signature) / sizeof(uint32_t));
    h.order = at, at += m->signatures;
    *count = at;
    return h;
}

static gr_status write_tables(making *m, uint32_t **words, uint32_t *count) {
    qsort(m->signature, m->signatures, sizeof *m->signature, by_result);
    gr_type_head h = head_of(m, count);
    uint32_t *w = calloc(*count, sizeof *w), inputs = 0, k = 0;
    if (!w)
        return gr_fail(m->error, GR_NO_MEMORY, "no memory for types");
    memcpy(w, &h, sizeof h);
    memcpy(w + h.input_type, m->input, m->of->inputs * sizeof *w);
    if (m->signatures)
        memcpy(w + h.signature, m->signature, m->signatures * sizeof *m->signature);
    for (uint32_t t = 0; t < m->types; t++) {
        w[h.level + t] = m->level[t] ? m->level[t] : GR_MAX_HEIGHT;
        w[h.least + t] = GR_NO_TYPE;
        for (uint32_t i = 0; i < m->of->inputs; i++)
            if (m->input[i] == t)
                w[h.input + inputs++] = i;
        for (; k < m->signatures && m->signature[k].result == t; k++)
            if (m->level[t] > 1 && m->signature[k].level == m->level[t] &&
                size_of(m, &m->signature[k]) == m->size[t])
                w[h.least + t] = k;
        w[h.first_input + t + 1] = inputs;
        w[h.first + t + 1] = k;
    }
    *words = w;
    return order_signatures(m, w + h.order);
}

gr_status gr_make_types(const gr_typing *of, uint32_t **words, uint32_t *count, gr_error *error) {
    making m = {.of = of, .constant = GR_NO_TYPE, .target = GR_NO_TYPE, .error = error};
    m.input = calloc(of->inputs + 1u, sizeof *m.input);
    gr_status status = m.input ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for types");
    for (uint32_t i = 0; i < of->inputs && !status; i++)
        m.input[i] = GR_NO_TYPE;
    if (!status)
        status = *of->settings->types   ? read_types(&m)
                 : *of->settings->units ? close_units(&m)
                                        : take_numbers(&m);
    if (!status && of->outputs)
        status = of->part ? add_targets(&m) : add_frame(&m);
    if (!status)
        status = find_least(&m);
    if (!status)
        status = write_tables(&m, words, count);
    free(m.name);
    free(m.input);
    free(m.signature);
    free(m.level);
    free(m.least);
    free(m.size);
    return status;
}
