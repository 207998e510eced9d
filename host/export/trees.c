/* Programs as trees: JSON, and Graphviz' language. Trees may be too high for recursion. */
#include "host/base/text.h"
#include "host/export/export.h"
#include "host/export/notation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A string of JSON, or of Graphviz, whose \ and " are the same. */
static void write_text(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else
            fputc((unsigned char)*text < 0x20 ? ' ' : *text, out);
    fputc('"', out);
}

static void write_constant(FILE *out, uint32_t bits, int packed) {
    char text[32];
    gr_text_print_float(gr_bits_float(bits), text);
    if (packed)
        fputs(bits ? "true" : "false", out);
    else
        fprintf(out, isfinite(gr_bits_float(bits)) ? "%s" : "\"%s\"", text);
}

/* Of the chain that argmax(a, b, c) is made of, which trees show as texts do: with its operands. */
static int is_link(gr_node node) {
    return GR_NODE_OP(node) == GR_ARGMAX_NEXT || GR_NODE_OP(node) == GR_ARGMAX_LAST;
}

/* ---- JSON ---- */

static void write_json_node(FILE *out, gr_node node, const gr_vocabulary *vocabulary) {
    char plain[16];
    uint32_t op = GR_NODE_OP(node);
    if (op == GR_CONSTANT) {
        fputs("{\"constant\":", out);
        write_constant(out, node.operand, vocabulary->packed);
        fputc('}', out);
    } else if (op == GR_INPUT) {
        fprintf(out, "{\"input\":%u,\"name\":", node.operand);
        write_text(out, gr_input_name(vocabulary, node.operand, plain));
        fputc('}', out);
    } else if (!is_link(node)) {
        fprintf(out, "{\"op\":\"%s\",\"operands\":[", gr_operation_name(op));
    }
}

/* A function whose operands are not all written: where they end, and how many are left. */
typedef struct open_node {
    uint32_t at, end[3], arity, written;
} open_node;

static open_node open_at(const gr_node *nodes, uint32_t at) {
    open_node o = {at, {0}, gr_arity(GR_NODE_OP(nodes[at])), 0};
    uint32_t operand = at - 1;
    for (uint32_t k = o.arity; k-- > 0; operand -= GR_NODE_SIZE(nodes[operand]))
        o.end[k] = operand;
    return o;
}

/* From the root down; `open` has a place for every node above the one at hand. */
static gr_status write_json_tree(FILE *out, const gr_node *nodes, uint32_t count,
                                 const gr_vocabulary *vocabulary, gr_error *error) {
    open_node *open = malloc(count * sizeof *open);
    uint32_t depth = 0, at = count - 1;
    if (!open)
        return gr_fail(error, GR_NO_MEMORY, "no memory to write a program of %u node%s", count,
                       gr_s(count));
    do {
        write_json_node(out, nodes[at], vocabulary);
        if (GR_NODE_OP(nodes[at]) > GR_INPUT)
            open[depth++] = open_at(nodes, at);
        for (; depth && open[depth - 1].written == open[depth - 1].arity; depth--)
            fputs(is_link(nodes[open[depth - 1].at]) ? "" : "]}", out);
        if (depth) {
            open_node *o = &open[depth - 1];
            fputs(o->written ? "," : "", out);
            at = o->end[o->written++];
        }
    } while (depth);
    free(open);
    return GR_OK;
}

static gr_status write_json_program(const gr_export *e, uint32_t k, FILE *out, gr_error *error) {
    const gr_exported *p = &e->program[k];
    char *infix = gr_print_expression(p->nodes, p->count, &e->vocabulary), plain[16];
    if (!infix)
        return gr_fail(error, GR_NO_MEMORY, "no memory to write a program");
    fputc('{', out);
    if (e->outputs) {
        fputs("\"target\":", out);
        write_text(out, gr_target_name(e, k, plain));
        fputc(',', out);
    }
    fputs("\"infix\":", out);
    write_text(out, infix);
    free(infix);
    fputs(",\"tree\":", out);
    gr_status status = write_json_tree(out, p->nodes, p->count, &e->vocabulary, error);
    if (!status && p->simpler) {
        fputs(",\"simplified\":", out);
        status = write_json_tree(out, p->simpler, p->simpler_count, &e->vocabulary, error);
    }
    if (e->scaled) {
        const gr_program_texts t = gr_texts_of(e, k);
        fprintf(out, ",\"intercept\":%s,\"slope\":%s", t.intercept, t.slope);
    }
    fputc('}', out);
    return status;
}

gr_status gr_export_json(const gr_export *e, FILE *out, gr_error *error) {
    gr_status status = GR_OK;
    int many = e->programs > (e->outputs ? e->outputs : 1);
    fputs(many ? "[\n" : "", out);
    for (uint32_t k = 0; k < e->programs && !status; k++) {
        int begins = e->outputs && k % e->outputs == 0;
        fputs(k ? ",\n" : "", out);
        fputs(begins ? "{\"outputs\":[\n" : "", out);
        status = write_json_program(e, k, out, error);
        fputs(gr_ends_outputs(e, k) ? "]}" : "", out);
    }
    fputs(many ? "\n]\n" : "\n", out);
    return status;
}

/* ---- Graphviz ---- */

static void write_dot_node(FILE *out, gr_node node, const gr_vocabulary *vocabulary) {
    char plain[16];
    uint32_t op = GR_NODE_OP(node);
    const char *symbol = gr_operation_symbol(op);
    if (op == GR_CONSTANT) {
        char text[32];
        gr_text_print_float(gr_bits_float(node.operand), text);
        write_text(out, !vocabulary->packed ? text : node.operand ? "True" : "False");
        fputs(", shape=box, style=filled, fillcolor=\"#f0e442\"", out);
    } else if (op == GR_INPUT) {
        write_text(out, gr_input_name(vocabulary, node.operand, plain));
        fputs(", shape=box, style=filled, fillcolor=\"#56b4e9\"", out);
    } else
        write_text(out, *symbol ? symbol : gr_operation_name(op));
}

/* An edge to every operand, the first one to the left; of a link, which stands last, to its own. */
static void write_dot_edges(FILE *out, const gr_node *nodes, uint32_t from, const char *prefix) {
    open_node o = open_at(nodes, from);
    while (o.written < o.arity) {
        uint32_t operand = o.end[o.written++];
        if (is_link(nodes[operand]))
            o = open_at(nodes, operand);
        else
            fprintf(out, "    %s%u -> %s%u;\n", prefix, from, prefix, operand);
    }
}

/* Nodes are numbered as they stand. */
static void write_dot_tree(FILE *out, const gr_node *nodes, uint32_t count, const char *prefix,
                           const gr_vocabulary *vocabulary) {
    for (uint32_t i = 0; i < count; i++) {
        if (is_link(nodes[i]))
            continue;
        fprintf(out, "    %s%u [label=", prefix, i);
        write_dot_node(out, nodes[i], vocabulary);
        fputs("];\n", out);
        write_dot_edges(out, nodes, i, prefix);
    }
}

/* The target of program k above its root. */
static void write_dot_target(const gr_export *e, uint32_t k, FILE *out) {
    char plain[16];
    fprintf(out, "    p%u_target [shape=plaintext, label=", k);
    write_text(out, gr_target_name(e, k, plain));
    fprintf(out, "];\n    p%u_target -> p%u_%u;\n", k, k, e->program[k].count - 1);
}

gr_status gr_export_dot(const gr_export *e, FILE *out, gr_error *error) {
    char prefix[32];
    (void)error;
    fprintf(out, "digraph programs {\n  graph [ordering=out, nodesep=0.25, ranksep=0.3];\n"
                 "  node [fontname=\"Helvetica\", height=0.3, width=0.3, margin=\"0.08,0.04\"];\n"
                 "  edge [arrowhead=none];\n");
    for (uint32_t k = 0; k < e->programs; k++) {
        const gr_exported *p = &e->program[k];
        fprintf(out, "  subgraph program_%u {\n", k);
        if (e->outputs)
            write_dot_target(e, k, out);
        snprintf(prefix, sizeof prefix, "p%u_", k);
        write_dot_tree(out, p->nodes, p->count, prefix, &e->vocabulary);
        fprintf(out, "  }\n");
        if (p->simpler) {
            fprintf(out, "  subgraph program_%u_simplified {\n", k);
            snprintf(prefix, sizeof prefix, "s%u_", k);
            write_dot_tree(out, p->simpler, p->simpler_count, prefix, &e->vocabulary);
            fprintf(out, "  }\n");
        }
    }
    fprintf(out, "}\n");
    return GR_OK;
}
