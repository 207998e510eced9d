/* Programs in Python: for NumPy, in the precision of the run, and for SymPy. */
#include "host/base/text.h"
#include "host/export/export.h"
#include "host/export/notation.h"

#include <math.h>
#include <string.h>

/* A literal of Python. */
static void write_text(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(out, "\\x%02x", (unsigned)*text);
        else
            fputc(*text, out);
    fputc('"', out);
}

static void input_variable(FILE *out, const gr_vocabulary *vocabulary, uint32_t input) {
    (void)vocabulary;
    fprintf(out, "x%u", input);
}

static void numpy_constant(FILE *out, uint32_t bits, int packed) {
    char text[32];
    gr_text_print_float(gr_bits_float(bits), text);
    if (packed)
        fputs(bits ? "True" : "False", out);
    else
        fprintf(out, isfinite(gr_bits_float(bits)) ? "f(%s)" : "f(\"%s\")", text);
}

static void numpy_double_constant(FILE *out, uint32_t bits, int packed) {
    double value = (double)gr_bits_float(bits);
    if (isfinite(value))
        fprintf(out, "f(%.17g)", value);
    else
        numpy_constant(out, bits, packed);
}

/* Whole numbers stay whole; of others the digits that the float has. */
static void sympy_constant(FILE *out, uint32_t bits, int packed) {
    char text[32];
    float value = gr_bits_float(bits);
    gr_text_print_float(value, text);
    if (packed)
        fputs(bits ? "true" : "false", out);
    else if (!isfinite(value))
        fputs(isnan(value) ? "nan" : bits >> 31 ? "-oo" : "oo", out);
    else if (fabsf(value) < 1e6f && value == truncf(value))
        fprintf(out, "Integer(%.0f)", (double)value);
    else
        fprintf(out, "Float(\"%s\")", text);
}

static const gr_notation numpy = {
    "(", ")", gr_numpy_form, numpy_constant, input_variable, "t%u", "    ", "\n", " = ", NULL, 0};
static const gr_notation numpy_double = {
    "(",  ")", gr_numpy_form, numpy_double_constant, input_variable, "t%u", "    ", "\n", " = ",
    NULL, 0};
static const gr_notation sympy = {
    "(", ")", gr_sympy_form, sympy_constant, input_variable, "t%u", "    ", "\n", " = ", NULL, 0};

/* What the operations call, each once: several may call the same. */
static void write_helpers(const gr_export *e, const gr_notation *notation, FILE *out) {
    uint8_t used[GR_OP_COUNT];
    gr_used_operations(e, used);
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++) {
        const char *helper = used[op] ? notation->form(op).helper : NULL;
        if (helper && *helper)
            fprintf(out, "\n\n%s", helper);
    }
}

/* The inputs that are used, or all up to the last of them. */
static uint32_t inputs_of(const gr_export *e) {
    uint8_t used[GR_OP_COUNT];
    return gr_used_operations(e, used);
}

static gr_status write_one(const gr_export *e, const gr_node *nodes, uint32_t count,
                           const gr_notation *notation, FILE *out, gr_error *error) {
    int is_numpy = notation != &sympy;
    const char *before = is_numpy ? "    return np.broadcast_to(" : "    return ";
    const char *behind = is_numpy ? ", x.shape[:-1])\n" : "\n";
    fprintf(out, "    # ");
    gr_status status = gr_write_infix(out, nodes, count, &e->vocabulary, error);
    fputc('\n', out);
    return status
               ? status
               : gr_write_tree(out, nodes, count, &e->vocabulary, notation, before, behind, error);
}

/* Calls for the names of all outputs of the program whose last is k, in a list. */
static void write_list(const gr_export *e, uint32_t k, const char *suffix, FILE *out) {
    for (uint32_t j = k + 1 - e->outputs; j <= k; j++)
        fprintf(out, "%s%s%s", gr_texts_of(e, j).name, suffix, j < k ? ", " : "");
}

/* The targets' names, in a comment. */
static void write_targets(const gr_export *e, uint32_t k, FILE *out) {
    char plain[16];
    for (uint32_t j = k + 1 - e->outputs; j <= k; j++) {
        gr_write_comment(out, gr_target_name(e, j, plain));
        fputs(j < k ? ", " : "\n", out);
    }
}

typedef gr_status write_function(const gr_export *e, const gr_node *nodes, uint32_t count,
                                 const char *name, const char *suffix, FILE *out, gr_error *error);

/* A program, and simplified, each a function. */
static gr_status write_program(const gr_export *e, uint32_t k, write_function *function, FILE *out,
                               gr_error *error) {
    const gr_exported *p = &e->program[k];
    const gr_program_texts t = gr_texts_of(e, k);
    gr_status status = function(e, p->nodes, p->count, t.name, "", out, error);
    if (!status && p->simpler)
        status = function(e, p->simpler, p->simpler_count, t.name, "_simplified", out, error);
    return status;
}

/* ---- NumPy ---- */

static gr_status numpy_function(const gr_export *e, const gr_node *nodes, uint32_t count,
                                const char *name, const char *suffix, FILE *out, gr_error *error) {
    char plain[16];
    uint32_t inputs = inputs_of(e);
    fprintf(out, "\n\n@np.errstate(all=\"ignore\")\ndef %s%s(x):\n    x = np.asarray(x, %s)\n",
            name, suffix, e->vocabulary.packed ? "bool" : "f");
    for (uint32_t i = 0; i < inputs; i++) {
        const char *known = gr_input_name(&e->vocabulary, i, plain);
        fprintf(out, "    x%u = x[..., %u]", i, i);
        if (known != plain) {
            fprintf(out, "  # ");
            gr_write_comment(out, known);
        }
        fputc('\n', out);
    }
    return write_one(e, nodes, count, e->doubles ? &numpy_double : &numpy, out, error);
}

static void numpy_outputs(const gr_export *e, uint32_t k, const char *suffix, FILE *out) {
    char name[256], argument[32];
    gr_outputs_name(e, k, name);
    snprintf(argument, sizeof argument, "%s(x)", suffix);
    fprintf(out, "\n\ndef %s%s(x):\n    # outputs last: ", name, suffix);
    write_targets(e, k, out);
    fprintf(out, "    return np.stack([");
    write_list(e, k, argument, out);
    fprintf(out, "], -1)\n");
}

static gr_status numpy_program(const gr_export *e, uint32_t k, FILE *out, gr_error *error) {
    const gr_program_texts t = gr_texts_of(e, k);
    gr_status status = write_program(e, k, numpy_function, out, error);
    if (!status && e->scaled)
        fprintf(out,
                "\n\ndef %s_scaled(x):\n    # linear scaling\n"
                "    return %s + %s * %s(x).astype(float)\n",
                t.name, t.intercept, t.slope, t.name);
    if (!status && gr_ends_outputs(e, k))
        numpy_outputs(e, k, "", out);
    if (!status && gr_ends_outputs(e, k) && e->program[k].simpler)
        numpy_outputs(e, k, "_simplified", out);
    return status;
}

gr_status gr_export_numpy(const gr_export *e, FILE *out, gr_error *error) {
    gr_status status = GR_OK;
    fprintf(out, "# ");
    gr_write_comment(out, e->origin);
    fprintf(out,
            "\n# x: %s, inputs last: (cases, inputs).\n"
            "import numpy as np\n\nf = np.float%u\n",
            e->vocabulary.packed ? "truth values" : "numbers", e->doubles ? 64u : 32u);
    write_helpers(e, &numpy, out);
    for (uint32_t k = 0; k < e->programs && !status; k++)
        status = numpy_program(e, k, out, error);
    return status;
}

/* ---- SymPy ---- */

/* A comparison with what is no number, as log(-2), is false, and != true. SymPy refuses it, also in
 * a branch that is not taken: it is made of infinities there, or fails. One of two sides that share
 * a term, as x - y and 3 z - y, may be turned round without end: then all terms are on one side. */
static const char sympy_top[] =
    "from sympy import *\n\n\n"
    "def by_float(a):  # its factor a Float: of a whole number SymPy computes all digits\n"
    "    number, rest = a.as_coeff_Mul()\n"
    "    return Float(number, 15) * rest if number.is_Rational and number != 0 else a\n\n\n"
    "def in_range(a):  # what floats do not hold is infinite, as in a run\n"
    "    a = sympify(a)\n"
    "    number = a.as_coeff_Mul()[0]\n"
    "    if number.is_Rational and max(abs(number.p), number.q).bit_length() > 256:\n"
    "        a = by_float(a)\n"
    "    return sign(a) * oo if a.is_Float and abs(a) > 3.4028235e38 else a\n\n\n"
    "def power_of(a, b):\n"
    "    a, b = sympify(a), sympify(b)\n"
    "    if b.is_Rational and abs(b) > 128:\n"
    "        a = a.evalf() if a.is_number else a if a.as_coeff_Mul()[0] in (1, -1) else "
    "by_float(a)\n"
    "    return in_range(Pow(a, b))\n\n\n"
    "def exp_of(a):  # exp(c log(n)) is n^c, also of a number n in a product\n"
    "    terms = Add.make_args(sympify(a))\n"
    "    far = [abs(t.as_coeff_Mul()[0]) > 128 and any(x.args[0].is_number or "
    "x.args[0].as_coeff_Mul()[0] not in (1, -1)\n"
    "                                                  for x in t.atoms(log)) for t in terms]\n"
    "    return in_range(exp(Add(*(by_float(t) if f else t for t, f in zip(terms, far)))))\n\n\n"
    "def angle_of(a):  # SymPy would take as long for a sine of it as it has digits\n"
    "    a = in_range(a)\n"
    "    return nan if a in (oo, -oo) else a\n\n\n"
    "def is_none(a):\n"
    "    a = sympify(a)\n"
    "    return a is nan or bool(a.is_number and a.is_extended_real is False and a is not "
    "zoo)\n\n\n"
    "def holds(relation, a, b):\n"
    "    if is_none(a) or is_none(b):\n        return sympify(relation is Ne)\n"
    "    try:\n        choose(relation(a, b), 1, 0)\n        return relation(a, b)\n"
    "    except RecursionError:  # turned round without end\n        return relation(a - b, 0)\n"
    "    except (TypeError, ValueError):  # of what may be no real number\n"
    "        a, b = (sympify(v).replace(lambda e: e.is_number and not e.is_extended_real,\n"
    "                                   lambda e: oo) for v in (a, b))\n"
    "    try:\n        choose(relation(a, b), 1, 0)\n        return relation(a, b)\n"
    "    except RecursionError:\n        return relation(a - b, 0)\n"
    "    except (TypeError, ValueError):\n        return false\n\n\n"
    "def choose(condition, yes, no):\n"
    "    return Piecewise((yes, condition), (no, True))\n\n\n"
    "def without_ite(expression):  # NumPy's text of it chooses the wrong branch, or is none\n"
    "    try:\n"
    "        return sympify(expression).replace(ITE, lambda c, yes, no: Or(And(c, yes), "
    "And(Not(c), no)))\n"
    "    except (TypeError, ValueError, RecursionError):\n        return expression\n";

static gr_status sympy_function(const gr_export *e, const gr_node *nodes, uint32_t count,
                                const char *name, const char *suffix, FILE *out, gr_error *error) {
    fprintf(out, "\n\ndef make_%s%s():\n", name, suffix);
    gr_status status = write_one(e, nodes, count, &sympy, out, error);
    fprintf(out, "\n\n%s%s = without_ite(make_%s%s())\n", name, suffix, name, suffix);
    return status;
}

static void sympy_outputs(const gr_export *e, uint32_t k, const char *suffix, FILE *out) {
    char name[256];
    gr_outputs_name(e, k, name);
    fprintf(out, "\n# ");
    write_targets(e, k, out);
    fprintf(out, "%s%s = Matrix([", name, suffix);
    write_list(e, k, suffix, out);
    fprintf(out, "])\n");
}

static gr_status sympy_program(const gr_export *e, uint32_t k, FILE *out, gr_error *error) {
    const gr_program_texts t = gr_texts_of(e, k);
    gr_status status = write_program(e, k, sympy_function, out, error);
    if (!status && e->scaled)
        fprintf(out, "%s_scaled = Float(\"%s\") + Float(\"%s\") * %s  # linear scaling\n", t.name,
                t.intercept, t.slope, t.name);
    if (!status && gr_ends_outputs(e, k))
        sympy_outputs(e, k, "", out);
    if (!status && gr_ends_outputs(e, k) && e->program[k].simpler)
        sympy_outputs(e, k, "_simplified", out);
    return status;
}

gr_status gr_export_sympy(const gr_export *e, FILE *out, gr_error *error) {
    gr_status status = GR_OK;
    char plain[16];
    uint32_t inputs = inputs_of(e);
    fprintf(out, "# ");
    gr_write_comment(out, e->origin);
    fprintf(out, "\n%s", sympy_top);
    write_helpers(e, &sympy, out);
    fprintf(out, "\n\n");
    for (uint32_t i = 0; i < inputs; i++) {
        fprintf(out, "x%u = Symbol(", i);
        write_text(out, gr_input_name(&e->vocabulary, i, plain));
        fprintf(out, e->vocabulary.packed ? ")\n" : ", real=True)\n");
    }
    for (uint32_t k = 0; k < e->programs && !status; k++)
        status = sympy_program(e, k, out, error);
    return status;
}
