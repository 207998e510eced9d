/* Programs as functions in C and in CUDA, with the engine's own arithmetic before them. */
#include "host/base/text.h"
#include "host/export/core_text.h"
#include "host/export/export.h"
#include "host/export/notation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- operations ---- */

static const gr_form forms[GR_OP_COUNT] = {
#define GR_OP1(id, names, class, exact, fast) GR_C_CALL(id, "float", "($a)", "(float a)", #exact)
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    GR_C_CALL(id, "float", "($a, $b)", "(float a, float b)", #exact)
#define GR_OP3(id, names, class, exact, fast)                                                      \
    GR_C_CALL(id, "float", "($a, $b, $c)", "(float a, float b, float c)", #exact)
#define GR_WORD1(id, names, symbol, expression)                                                    \
    GR_C_CALL(id, "uint32_t", "($a)", "(uint32_t u)", #expression)
#define GR_WORD2C(id, names, symbol, expression)                                                   \
    GR_C_CALL(id, "uint32_t", "($a, $b)", "(uint32_t u, uint32_t v)", #expression)
#include "gpu/core/base/ops.def"
};

/* Infix where C has it; all else is a call of a function, which the helper defines. */
static gr_form form_of(uint32_t op, gr_form call) {
    switch (op) {
    case GR_ADD:
        return (gr_form){"%a + #b", GR_BINDS_SUM, NULL};
    case GR_SUB:
        return (gr_form){"%a - #b", GR_BINDS_SUM, NULL};
    case GR_MUL:
        return (gr_form){"%a * #b", GR_BINDS_PRODUCT, NULL};
    case GR_NEG:
        return (gr_form){"-#a", GR_BINDS_SIGN, NULL};
    default:
        return call;
    }
}
static gr_form c_form(uint32_t op) {
    return form_of(op, forms[op]);
}
static gr_form c_double_form(uint32_t op) {
    return form_of(op, gr_double_call(op));
}

static void c_constant(FILE *out, uint32_t bits, int packed) {
    char text[32];
    float value = gr_bits_float(bits);
    if (packed)
        fprintf(out, "0x%xu", bits);
    else if (!isfinite(value))
        fprintf(out, "%s", isnan(value) ? "NAN" : bits >> 31 ? "-INFINITY" : "INFINITY");
    else {
        gr_text_print_float(value, text);
        fprintf(out, "%s%sf", text, strpbrk(text, ".e") ? "" : ".0");
    }
}

/* As a double, lest two of them meet in floats. */
static void c_double_constant(FILE *out, uint32_t bits, int packed) {
    char text[32];
    double value = (double)gr_bits_float(bits);
    if (!isfinite(value)) {
        c_constant(out, bits, packed);
        return;
    }
    snprintf(text, sizeof text, "%.17g", value);
    fprintf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static void c_input(FILE *out, const gr_vocabulary *vocabulary, uint32_t input) {
    (void)vocabulary;
    fprintf(out, "x[%u]", input);
}

static const gr_notation notation = {"(",
                                     ")",
                                     c_form,
                                     c_constant,
                                     c_input,
                                     "t%u",
                                     "    const float ",
                                     ";\n",
                                     " = ",
                                     "    const uint32_t ",
                                     0};
static const gr_notation double_notation = {
    "(",  ")", c_double_form, c_double_constant, c_input, "t%u", "    const double ", ";\n", " = ",
    NULL, 0};

/* ---- what stands before the functions ---- */

static const char c_top[] =
    "#if defined(__FAST_MATH__)\n"
    "#error \"compile without -ffast-math: the engine does not reorder arithmetic\"\n"
    "#endif\n"
    "#include <float.h>\n#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\n"
    "#if FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2\n"
    "#error \"this processor's floats are wider; expected IEEE single precision (-msse2)\"\n"
    "#endif\n"
    "#if defined(__clang__)\n#pragma STDC FP_CONTRACT OFF\n"
    "#elif defined(__GNUC__)\n#pragma GCC optimize(\"fp-contract=off\")\n#endif\n";
/* type: of what functions give; letter: of a register that holds one. */
#define CUDA_TOP(type, letter)                                                                     \
    "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n"                                \
    "#pragma nv_diag_suppress 177 /* functions that are not called */\n\n"                         \
    "/* nvcc would take -(a < b ? 1 : 0) for a whole number, which has no -0. */\n"                \
    "static __device__ __forceinline__ " type " gr_held(" type " value) {\n"                       \
    "    asm(\"\" : \"+" letter "\"(value));\n    return value;\n}\n"

static const char *top_of(const gr_export *e, int cuda) {
    return !cuda ? c_top : e->doubles ? CUDA_TOP("double", "d") : CUDA_TOP("float", "f");
}

/* What an operation gives is such a number, whatever nvcc sees that it comes from. */
static void write_held(FILE *out, const char *helper) {
    static const char gives[] = "return ";
    const char *at = strstr(helper, gives), *value = at + strlen(gives);
    fprintf(out, "%.*s%sgr_held(%.*s);\n}\n", (int)(at - helper), helper, gives,
            (int)strcspn(value, ";"), value);
}

/* The helpers of the operations that are used, after what they call. */
static gr_status write_top(const gr_export *e, int cuda, FILE *out, gr_error *error) {
    uint8_t used[GR_OP_COUNT];
    char *helpers = NULL;
    size_t size;
    FILE *text = open_memstream(&helpers, &size);
    if (!text)
        return gr_fail(error, GR_NO_MEMORY, "no memory to write a program");
    gr_used_operations(e, used);
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++) {
        const char *helper = (e->doubles ? c_double_form(op) : c_form(op)).helper;
        if (used[op] && helper && cuda && !gr_is_word(op))
            write_held(text, helper);
        else if (used[op] && helper)
            fputs(helper, text);
    }
    gr_status status =
        fclose(text) == 0 ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory to write a program");
    fprintf(out, "%s\n/* The arithmetic of Grampus. */\n\n", top_of(e, cuda));
    if (!status)
        status = gr_write_core_text(out, helpers, cuda, e->doubles, error);
    if (!status)
        fprintf(out, "\n%s", helpers);
    free(helpers);
    return status;
}

static void write_inputs(const gr_export *e, FILE *out) {
    uint8_t used[GR_OP_COUNT];
    uint32_t inputs = gr_used_operations(e, used);
    char plain[16];
    fprintf(out, "/* Inputs:");
    for (uint32_t i = 0; i < inputs; i++) {
        fprintf(out, "%s\n   x[%u] ", i ? "," : "", i);
        gr_write_comment(out, gr_input_name(&e->vocabulary, i, plain));
    }
    fprintf(out, "%s */\n", inputs ? "" : " none");
}

/* ---- functions ---- */

static int reads_inputs(const gr_node *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (GR_NODE_OP(nodes[i]) == GR_INPUT)
            return 1;
    return 0;
}

static const char *type_of(const gr_export *e) {
    return e->doubles ? "double" : "float";
}

static gr_status write_function(const gr_export *e, const gr_node *nodes, uint32_t count,
                                const char *name, int cuda, FILE *out, gr_error *error) {
    const char *type = e->vocabulary.packed ? "uint32_t" : type_of(e);
    fprintf(out, "\n/* ");
    gr_status status = gr_write_infix(out, nodes, count, &e->vocabulary, error);
    fprintf(out, "%s */\n%s%s %s(const %s *x) {\n",
            e->vocabulary.packed ? "\n   32 cases in a word" : "", cuda ? "__device__ " : "", type,
            name, type);
    if (!reads_inputs(nodes, count))
        fprintf(out, "    (void)x;\n");
    if (!status)
        status = gr_write_tree(out, nodes, count, &e->vocabulary,
                               e->doubles ? &double_notation : &notation, "    return ", ";\n}\n",
                               error);
    return status;
}

/* A function that fills y with all outputs of a program. */
static void write_outputs(const gr_export *e, uint32_t k, const char *suffix, int cuda, FILE *out) {
    char name[256], plain[16];
    uint32_t first = k + 1 - e->outputs;
    gr_outputs_name(e, k, name);
    fprintf(out, "\n/* All outputs:");
    for (uint32_t j = first; j <= k; j++) {
        fprintf(out, "%s\n   y[%u] ", j > first ? "," : "", j - first);
        gr_write_comment(out, gr_target_name(e, j, plain));
    }
    const char *type = type_of(e);
    fprintf(out, " */\n%svoid %s%s(const %s *x, %s *y) {\n", cuda ? "__device__ " : "", name,
            suffix, type, type);
    for (uint32_t j = first; j <= k; j++)
        fprintf(out, "    y[%u] = %s%s(x);\n", j - first, gr_texts_of(e, j).name, suffix);
    fprintf(out, "}\n");
}

static gr_status write_program(const gr_export *e, uint32_t k, int cuda, FILE *out,
                               gr_error *error) {
    const gr_exported *p = &e->program[k];
    const gr_program_texts t = gr_texts_of(e, k);
    char simpler[272];
    snprintf(simpler, sizeof simpler, "%s_simplified", t.name);
    gr_status status = write_function(e, p->nodes, p->count, t.name, cuda, out, error);
    if (!status && p->simpler)
        status = write_function(e, p->simpler, p->simpler_count, simpler, cuda, out, error);
    if (!status && e->scaled)
        fprintf(out,
                "\n/* Linear scaling. */\n%sdouble %s_scaled(const %s *x) {\n"
                "    return %s + %s * (double)%s(x);\n}\n",
                cuda ? "__device__ " : "", t.name, type_of(e), t.intercept, t.slope, t.name);
    if (!status && gr_ends_outputs(e, k))
        write_outputs(e, k, "", cuda, out);
    if (!status && gr_ends_outputs(e, k) && p->simpler)
        write_outputs(e, k, "_simplified", cuda, out);
    return status;
}

static gr_status write_code(const gr_export *e, int cuda, FILE *out, gr_error *error) {
    fprintf(out, "/* ");
    gr_write_comment(out, e->origin);
    fprintf(out, "\n   The bits are the engine's%s */\n",
            cuda ? " when nvcc has -fmad=false." : ". Link with -lm.");
    gr_status status = write_top(e, cuda, out, error);
    fputc('\n', out);
    write_inputs(e, out);
    for (uint32_t k = 0; k < e->programs && !status; k++)
        status = write_program(e, k, cuda, out, error);
    return status;
}

gr_status gr_export_c(const gr_export *e, FILE *out, gr_error *error) {
    return write_code(e, 0, out, error);
}
gr_status gr_export_cuda(const gr_export *e, FILE *out, gr_error *error) {
    return write_code(e, 1, out, error);
}
