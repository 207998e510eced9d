#include "host/export/notation.h"

#include "host/base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- the tables ---- */

#define SUM GR_BINDS_SUM
#define PRODUCT GR_BINDS_PRODUCT
#define SIGN GR_BINDS_SIGN
#define POWER GR_BINDS_POWER
#define ATOM GR_BINDS_ATOM

static const gr_form latex_forms[GR_OP_COUNT] = {
#define GR_TYPESET(id, strength, latex, mathml) [GR_##id] = {latex, strength, NULL},
#include "host/export/notations.def"
};
static const gr_form mathml_forms[GR_OP_COUNT] = {
#define GR_TYPESET(id, strength, latex, mathml) [GR_##id] = {mathml, strength, NULL},
#include "host/export/notations.def"
};
static const gr_form numpy_forms[GR_OP_COUNT] = {
#define GR_PYTHON(id, strength, numpy, numpy_helper, sympy, sympy_helper)                          \
    [GR_##id] = {numpy, strength, numpy_helper},
#include "host/export/notations.def"
};
static const gr_form sympy_forms[GR_OP_COUNT] = {
#define GR_PYTHON(id, strength, numpy, numpy_helper, sympy, sympy_helper)                          \
    [GR_##id] = {sympy, strength, sympy_helper},
#include "host/export/notations.def"
};

gr_form gr_latex_form(uint32_t op) {
    return latex_forms[op];
}
gr_form gr_mathml_form(uint32_t op) {
    return mathml_forms[op];
}
gr_form gr_numpy_form(uint32_t op) {
    return numpy_forms[op];
}
gr_form gr_sympy_form(uint32_t op) {
    return sympy_forms[op];
}

/* ---- trees ---- */

typedef struct writer {
    const gr_node *nodes;
    const gr_vocabulary *vocabulary;
    const gr_notation *notation;
    uint32_t *part; /* [count], 1 + the number of the part that a node is the root of, or 0 */
    FILE *out;
} writer;

/* A sign, or a power of ten, wants brackets in a power; in a product it goes without. */
static uint32_t constant_strength(const writer *w, uint32_t bits) {
    char text[32];
    if (w->vocabulary->packed)
        return ATOM;
    gr_text_print_float(gr_bits_float(bits), text);
    return bits >> 31 || (w->notation->typeset && strchr(text, 'e')) ? SIGN : ATOM;
}

static uint32_t strength_of(const writer *w, uint32_t i) {
    uint32_t op = GR_NODE_OP(w->nodes[i]);
    if (w->part[i])
        return ATOM;
    if (op == GR_CONSTANT)
        return constant_strength(w, w->nodes[i].operand);
    return op == GR_INPUT ? ATOM : w->notation->form(op).strength;
}

/* Where operand `which` of node i ends. */
static uint32_t operand_of(const gr_node *nodes, uint32_t i, uint32_t which) {
    uint32_t at = i - 1;
    for (uint32_t k = gr_arity(GR_NODE_OP(nodes[i])) - 1; k > which; k--)
        at -= GR_NODE_SIZE(nodes[at]);
    return at;
}

/* As high as GR_PART_HEIGHT at most: parts are leaves. */
static void write_node(const writer *w, uint32_t i, uint32_t least) { // NOLINT(misc-no-recursion)
    gr_node node = w->nodes[i];
    uint32_t op = GR_NODE_OP(node), strength = strength_of(w, i), bracket = strength < least;
    if (w->part[i]) {
        fprintf(w->out, w->notation->part, w->part[i] - 1);
        return;
    }
    if (bracket)
        fputs(w->notation->open, w->out);
    if (op == GR_CONSTANT)
        w->notation->constant(w->out, node.operand, w->vocabulary->packed);
    else if (op == GR_INPUT)
        w->notation->input(w->out, w->vocabulary, node.operand);
    for (const char *c = op > GR_INPUT ? w->notation->form(op).text : ""; *c; c++)
        if ((*c == '$' || *c == '%' || *c == '#') && c[1] >= 'a' && c[1] <= 'c') {
            uint32_t operand = operand_of(w->nodes, i, (uint32_t)(c[1] - 'a'));
            write_node(w, operand, *c == '$' ? 0 : *c == '%' ? strength : strength + 1);
            c++;
        } else
            fputc(*c, w->out);
    if (bracket)
        fputs(w->notation->close, w->out);
}

/* The part that ends at i, under its name. */
static void write_part(writer *w, uint32_t i, uint32_t number) {
    const gr_notation *n = w->notation;
    fputs(w->vocabulary->packed && n->packed_define ? n->packed_define : n->define, w->out);
    fprintf(w->out, n->part, number);
    fputs(n->is, w->out);
    write_node(w, i, 0);
    fputs(n->defined, w->out);
    w->part[i] = number + 1;
}

/* Writes every subtree that has grown too high as a part. */
static void write_parts(writer *w, uint32_t count, uint16_t *height) {
    uint32_t parts = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t arity = gr_arity(GR_NODE_OP(w->nodes[i])), highest = 0;
        for (uint32_t k = 0; k < arity; k++)
            highest = gr_max_u32(highest, height[operand_of(w->nodes, i, k)]);
        height[i] = (uint16_t)(highest + 1);
        if (height[i] == GR_PART_HEIGHT && i + 1 < count) {
            write_part(w, i, parts++);
            height[i] = 1;
        }
    }
}

gr_status gr_write_tree(FILE *out, const gr_node *nodes, uint32_t count,
                        const gr_vocabulary *vocabulary, const gr_notation *notation,
                        const char *before, const char *behind, gr_error *error) {
    writer w = {nodes, vocabulary, notation, calloc(count, sizeof *w.part), out};
    uint16_t *height = malloc(count * sizeof *height);
    gr_status status = GR_OK;
    if (w.part && height) {
        write_parts(&w, count, height);
        fputs(before, out);
        write_node(&w, count - 1, 0);
        fputs(behind, out);
    } else
        status = gr_fail(error, GR_NO_MEMORY, "no memory to write a program of %u node%s", count,
                         gr_s(count));
    free(w.part);
    free(height);
    return status;
}

/* ---- names and comments ---- */

uint32_t gr_used_operations(const gr_export *e, uint8_t *used) {
    uint32_t inputs = 0;
    memset(used, 0, GR_OP_COUNT);
    for (uint32_t p = 0; p < e->programs; p++)
        for (int which = 0; which < 2; which++) {
            const gr_node *nodes = which ? e->program[p].simpler : e->program[p].nodes;
            uint32_t count = which ? e->program[p].simpler_count : e->program[p].count;
            for (uint32_t i = 0; nodes && i < count; i++) {
                used[GR_NODE_OP(nodes[i])] = 1;
                if (GR_NODE_OP(nodes[i]) == GR_INPUT)
                    inputs = gr_max_u32(inputs, nodes[i].operand + 1);
            }
        }
    return inputs;
}

gr_program_texts gr_texts_of(const gr_export *e, uint32_t k) {
    gr_program_texts t;
    gr_outputs_name(e, k, t.name);
    size_t length = strlen(t.name);
    if (e->outputs)
        snprintf(t.name + length, sizeof t.name - length, "_output_%u", k % e->outputs);
    gr_text_print_double(e->program[k].intercept, t.intercept);
    gr_text_print_double(e->program[k].slope, t.slope);
    return t;
}

int gr_ends_outputs(const gr_export *e, uint32_t k) {
    return e->outputs && (k + 1) % e->outputs == 0;
}

void gr_outputs_name(const gr_export *e, uint32_t k, char name[256]) {
    uint32_t outputs = gr_max_u32(e->outputs, 1);
    snprintf(name, 256, e->programs > outputs ? "%s_%u" : "%s", e->name, k / outputs);
}

const char *gr_target_name(const gr_export *e, uint32_t k, char plain[16]) {
    if (e->target)
        return e->target[k % e->outputs];
    snprintf(plain, 16, "f%u", k % e->outputs);
    return plain;
}

const char *gr_input_name(const gr_vocabulary *v, uint32_t input, char plain[16]) {
    if (v->names && input < v->inputs && v->names[input] && *v->names[input])
        return v->names[input];
    snprintf(plain, 16, "x%u", input);
    return plain;
}

void gr_write_comment(FILE *out, const char *text) {
    char last = 0;
    for (; *text; last = *text++)
        if ((unsigned char)*text < 0x20 || (last == '*' && *text == '/') || *text == '\\')
            fputc(' ', out);
        else
            fputc(*text, out);
}

gr_status gr_write_infix(FILE *out, const gr_node *nodes, uint32_t count,
                         const gr_vocabulary *vocabulary, gr_error *error) {
    char *text = gr_print_expression(nodes, count, vocabulary);
    if (!text)
        return gr_fail(error, GR_NO_MEMORY, "no memory to write a program of %u node%s", count,
                       gr_s(count));
    fputs(text, out);
    free(text);
    return GR_OK;
}
