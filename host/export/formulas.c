/* Programs as formulas: infix, LaTeX, MathML. */
#include "host/base/text.h"
#include "host/export/export.h"
#include "host/export/notation.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- infix ---- */

gr_status gr_export_infix(const gr_export *e, FILE *out, gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t k = 0; k < e->programs && !status; k++) {
        const gr_exported *p = &e->program[k];
        status = gr_write_infix(out, p->nodes, p->count, &e->vocabulary, error);
        if (!status && p->simpler) {
            fputc('\t', out);
            status = gr_write_infix(out, p->simpler, p->simpler_count, &e->vocabulary, error);
        }
        fputc('\n', out);
    }
    return status;
}

/* ---- numbers and names ---- */

/* Mantissa and exponent of a number's shortest text; exponent "" where it has none. */
static void split_number(uint32_t bits, char mantissa[32], char exponent[16]) {
    gr_text_print_float(gr_bits_float(bits), mantissa);
    char *e = strchr(mantissa, 'e');
    *exponent = '\0';
    if (e && isfinite(gr_bits_float(bits))) {
        snprintf(exponent, 16, "%d", (int)gr_text_double(e + 1, NULL));
        *e = '\0';
    }
}

static void latex_constant(FILE *out, uint32_t bits, int packed) {
    char mantissa[32], exponent[16];
    split_number(bits, mantissa, exponent);
    if (packed)
        fputs(bits ? "\\mathrm{true}" : "\\mathrm{false}", out);
    else if (!isfinite(gr_bits_float(bits)))
        fputs(bits >> 31 ? "-\\infty" : "\\infty", out);
    else
        fprintf(out, *exponent ? "%s \\cdot 10^{%s}" : "%s", mantissa, exponent);
}

static void mathml_constant(FILE *out, uint32_t bits, int packed) {
    char mantissa[32], exponent[16];
    split_number(bits, mantissa, exponent);
    const char *sign = *mantissa == '-' ? "<mo>&#8722;</mo>" : "";
    const char *digits = mantissa + (*mantissa == '-');
    if (packed)
        fprintf(out, "<mi>%s</mi>", bits ? "true" : "false");
    else if (!isfinite(gr_bits_float(bits)))
        fprintf(out, "%s<mi>&#8734;</mi>", sign);
    else if (*exponent)
        fprintf(out, "%s<mn>%s</mn><mo>&#8901;</mo><msup><mn>10</mn><mn>%s</mn></msup>", sign,
                digits, exponent);
    else
        fprintf(out, "%s<mn>%s</mn>", sign, digits);
}

/* Whether a name is one letter and digits behind it, as x12: *digits is where they begin. */
static int is_indexed(const char *name, const char **digits) {
    *digits = name + 1;
    return isalpha((unsigned char)*name) && strspn(*digits, "0123456789") == strlen(*digits);
}

static void latex_input(FILE *out, const gr_vocabulary *vocabulary, uint32_t input) {
    char plain[16];
    const char *name = gr_input_name(vocabulary, input, plain), *digits;
    if (is_indexed(name, &digits)) {
        fprintf(out, *digits ? "%c_{%s}" : "%c", *name, digits);
        return;
    }
    fputs("\\mathrm{", out);
    for (; *name; name++)
        if (strchr("_&%$#{}", *name))
            fprintf(out, "\\%c", *name);
        else if (strchr("\\^~", *name))
            fprintf(out, "\\text{\\char%d}", *name);
        else
            fputc(*name, out);
    fputc('}', out);
}

static void mathml_input(FILE *out, const gr_vocabulary *vocabulary, uint32_t input) {
    char plain[16];
    const char *name = gr_input_name(vocabulary, input, plain), *digits;
    if (is_indexed(name, &digits)) {
        fprintf(out, *digits ? "<msub><mi>%c</mi><mn>%s</mn></msub>" : "<mi>%c</mi>", *name,
                digits);
        return;
    }
    fputs("<mi mathvariant=\"normal\">", out);
    for (; *name; name++)
        if (strchr("<>&\"", *name))
            fprintf(out, "&#%d;", *name);
        else
            fputc(*name, out);
    fputs("</mi>", out);
}

/* ---- formulas ---- */

static const gr_notation latex = {"\\left(", "\\right)", gr_latex_form, latex_constant, latex_input,
                                  "t_{%u}",  "",         " \\\\\n",     " &= ",         NULL};
static const gr_notation mathml = {"<mo>(</mo>",
                                   "<mo>)</mo>",
                                   gr_mathml_form,
                                   mathml_constant,
                                   mathml_input,
                                   "<msub><mi>t</mi><mn>%u</mn></msub>",
                                   "<math display=\"block\"><mrow>",
                                   "</mrow></math>\n",
                                   "<mo>=</mo>",
                                   NULL};

gr_status gr_export_latex(const gr_export *e, FILE *out, gr_error *error) {
    gr_status status = GR_OK;
    fprintf(out, "%% ");
    gr_write_comment(out, e->origin);
    fprintf(out, "\n");
    for (uint32_t k = 0; k < e->programs && !status; k++) {
        const gr_exported *p = &e->program[k];
        fprintf(out, "\\begin{align*}\n");
        status = gr_write_tree(out, p->nodes, p->count, &e->vocabulary, &latex, "f &= ", "", error);
        if (!status && p->simpler) {
            fprintf(out, " \\\\\n");
            status = gr_write_tree(out, p->simpler, p->simpler_count, &e->vocabulary, &latex,
                                   "f_{\\mathrm{simplified}} &= ", "", error);
        }
        if (e->scaled)
            fprintf(out, " \\\\\ny &= %.6g + %.6g \\cdot f", p->intercept, p->slope);
        fprintf(out, "\n\\end{align*}\n");
    }
    return status;
}

gr_status gr_export_mathml(const gr_export *e, FILE *out, gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t k = 0; k < e->programs && !status; k++) {
        const gr_exported *p = &e->program[k];
        status = gr_write_tree(out, p->nodes, p->count, &e->vocabulary, &mathml,
                               "<math display=\"block\"><mrow><mi>f</mi><mo>=</mo>",
                               "</mrow></math>\n", error);
        if (!status && p->simpler)
            status = gr_write_tree(out, p->simpler, p->simpler_count, &e->vocabulary, &mathml,
                                   "<math display=\"block\"><mrow><msub><mi>f</mi><mtext>simplified"
                                   "</mtext></msub><mo>=</mo>",
                                   "</mrow></math>\n", error);
        if (e->scaled)
            fprintf(out,
                    "<math display=\"block\"><mrow><mi>y</mi><mo>=</mo><mn>%.6g</mn><mo>+</mo>"
                    "<mn>%.6g</mn><mo>&#8901;</mo><mi>f</mi></mrow></math>\n",
                    p->intercept, p->slope);
    }
    return status;
}
