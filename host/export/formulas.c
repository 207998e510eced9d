/* Programs as formulas: infix, LaTeX, MathML. */
#include "host/base/text.h"
#include "host/export/export.h"
#include "host/export/notation.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- infix ---- */

/* Program k, or with several outputs the one whose first is k. */
static gr_status write_whole(const gr_export *e, uint32_t k, int simpler, FILE *out,
                             gr_error *error) {
    gr_status status = GR_OK;
    uint32_t n = e->outputs ? e->outputs : 1;
    fputs(e->outputs ? "targets(" : "", out);
    for (uint32_t j = k; j < k + n && !status; j++) {
        const gr_exported *p = &e->program[j];
        status = gr_write_infix(out, simpler ? p->simpler : p->nodes,
                                simpler ? p->simpler_count : p->count, &e->vocabulary, error);
        fputs(!e->outputs ? "" : j + 1 < k + n ? ", " : ")", out);
    }
    return status;
}

gr_status gr_export_infix(const gr_export *e, FILE *out, gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t k = 0; k < e->programs && !status; k += e->outputs ? e->outputs : 1) {
        status = write_whole(e, k, 0, out, error);
        if (!status && e->program[k].simpler) {
            fputc('\t', out);
            status = write_whole(e, k, 1, out, error);
        }
        fputc('\n', out);
    }
    return status;
}

/* ---- numbers and names ---- */

/* The exponent of a decimal number, which is cut off its text; "" where it has none. */
static void cut_exponent(char *text, char exponent[16]) {
    char *e = strchr(text, 'e');
    *exponent = '\0';
    if (e) {
        snprintf(exponent, 16, "%d", (int)gr_text_double(e + 1, NULL));
        *e = '\0';
    }
}

/* 1e-9 would be 1 e - 9. */
static void latex_number(FILE *out, char *text) {
    char exponent[16];
    cut_exponent(text, exponent);
    fprintf(out, *exponent ? "%s \\cdot 10^{%s}" : "%s", text, exponent);
}

static void mathml_number(FILE *out, char *text) {
    char exponent[16];
    cut_exponent(text, exponent);
    const char *sign = *text == '-' ? "<mo>&#8722;</mo>" : "";
    const char *digits = text + (*text == '-');
    if (*exponent)
        fprintf(out, "%s<mn>%s</mn><mo>&#8901;</mo><msup><mn>10</mn><mn>%s</mn></msup>", sign,
                digits, exponent);
    else
        fprintf(out, "%s<mn>%s</mn>", sign, digits);
}

static void latex_constant(FILE *out, uint32_t bits, int packed) {
    char text[32];
    gr_text_print_float(gr_bits_float(bits), text);
    if (packed)
        fputs(bits ? "\\mathrm{true}" : "\\mathrm{false}", out);
    else if (!isfinite(gr_bits_float(bits)))
        fputs(bits >> 31 ? "-\\infty" : "\\infty", out);
    else
        latex_number(out, text);
}

static void mathml_constant(FILE *out, uint32_t bits, int packed) {
    char text[32];
    gr_text_print_float(gr_bits_float(bits), text);
    if (packed)
        fprintf(out, "<mi>%s</mi>", bits ? "true" : "false");
    else if (!isfinite(gr_bits_float(bits)))
        fprintf(out, "%s<mi>&#8734;</mi>", bits >> 31 ? "<mo>&#8722;</mo>" : "");
    else
        mathml_number(out, text);
}

/* Whether a name is one letter and digits behind it, as x12: *digits is where they begin. */
static int is_indexed(const char *name, const char **digits) {
    *digits = name + 1;
    return isalpha((unsigned char)*name) && strspn(*digits, "0123456789") == strlen(*digits);
}

static void latex_name(FILE *out, const char *name) {
    const char *digits;
    if (is_indexed(name, &digits)) {
        fprintf(out, *digits ? "%c_{%s}" : "%c", *name, digits);
        return;
    }
    fputs("\\mathrm{", out);
    for (size_t beyond; *name; name += beyond ? beyond : 1) {
        for (beyond = 0;
             (unsigned char)name[beyond] >= 0x80;) /* which no font of mathematics has */
            beyond++;
        if (beyond)
            fprintf(out, "\\text{%.*s}", (int)beyond, name);
        else if (strchr("_&%$#{}", *name))
            fprintf(out, "\\%c", *name);
        else if (strchr("\\^~", *name))
            fprintf(out, "\\text{\\char%d}", *name);
        else
            fputc(*name, out);
    }
    fputc('}', out);
}

static void latex_input(FILE *out, const gr_vocabulary *vocabulary, uint32_t input) {
    char plain[16];
    latex_name(out, gr_input_name(vocabulary, input, plain));
}

static void mathml_name(FILE *out, const char *name) {
    const char *digits;
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

static void mathml_input(FILE *out, const gr_vocabulary *vocabulary, uint32_t input) {
    char plain[16];
    mathml_name(out, gr_input_name(vocabulary, input, plain));
}

/* What the value of a program is called, and the scaled one: letters that no input is. */
static const char result_letters[] = "fghpqrFGHPQR", scaled_letters[] = "yzuvwYZUVW";

static char free_letter(const gr_export *e, const char *letters) {
    for (; letters[1]; letters++) {
        int taken = 0;
        for (uint32_t i = 0; i < e->vocabulary.inputs; i++) {
            char plain[16];
            const char *name = gr_input_name(&e->vocabulary, i, plain);
            taken |= name[0] == *letters && !name[1];
        }
        if (!taken)
            break;
    }
    return *letters;
}

/* What stands before program k: its target where there are several, between `open` and `close`. */
static char *left_of(const gr_export *e, uint32_t k, const char *open,
                     void (*name)(FILE *, const char *), const char *close) {
    char *text = NULL, plain[16], letter[2] = {free_letter(e, result_letters)};
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fputs(open, out);
    name(out, e->outputs ? gr_target_name(e, k, plain) : letter);
    fputs(close, out);
    if (fclose(out) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

/* Writes a program behind `left`, which is freed. */
static gr_status write_formula(const gr_export *e, const gr_node *nodes, uint32_t count,
                               const gr_notation *notation, char *left, const char *behind,
                               FILE *out, gr_error *error) {
    gr_status status =
        left ? gr_write_tree(out, nodes, count, &e->vocabulary, notation, left, behind, error)
             : gr_fail(error, GR_NO_MEMORY, "no memory to write a program of %u node%s", count,
                       gr_s(count));
    free(left);
    return status;
}

/* ---- formulas ---- */

static const gr_notation latex = {"\\left(", "\\right)", gr_latex_form, latex_constant, latex_input,
                                  "t_{%u}",  "",         " \\\\\n",     " &= ",         NULL,
                                  1};
static const gr_notation mathml = {"<mo>(</mo>",
                                   "<mo>)</mo>",
                                   gr_mathml_form,
                                   mathml_constant,
                                   mathml_input,
                                   "<msub><mi>t</mi><mn>%u</mn></msub>",
                                   "<math display=\"block\"><mrow>",
                                   "</mrow></math>\n",
                                   "<mo>=</mo>",
                                   NULL,
                                   1};

/* Intercept and slope of program k, to six digits; before, behind: with %c for its value as scaled,
 * and as it is. */
static void write_scaled(const gr_export *e, uint32_t k, void (*number)(FILE *out, char *text),
                         const char *before, const char *between, const char *behind, FILE *out) {
    char intercept[32], slope[32];
    snprintf(intercept, sizeof intercept, "%.6g", e->program[k].intercept);
    snprintf(slope, sizeof slope, "%.6g", e->program[k].slope);
    fprintf(out, before, free_letter(e, scaled_letters));
    number(out, intercept);
    fputs(between, out);
    number(out, slope);
    fprintf(out, behind, free_letter(e, result_letters));
}

gr_status gr_export_latex(const gr_export *e, FILE *out, gr_error *error) {
    gr_status status = GR_OK;
    fprintf(out, "%% ");
    gr_write_comment(out, e->origin);
    fprintf(out, "\n");
    for (uint32_t k = 0; k < e->programs && !status; k++) {
        const gr_exported *p = &e->program[k];
        fprintf(out, "\\begin{align*}\n");
        status = write_formula(e, p->nodes, p->count, &latex, left_of(e, k, "", latex_name, " &= "),
                               "", out, error);
        if (!status && p->simpler) {
            fprintf(out, " \\\\\n");
            status = write_formula(e, p->simpler, p->simpler_count, &latex,
                                   left_of(e, k, e->outputs ? "{" : "", latex_name,
                                           e->outputs ? "}_{\\mathrm{simplified}} &= "
                                                      : "_{\\mathrm{simplified}} &= "),
                                   "", out, error);
        }
        if (e->scaled)
            write_scaled(e, k, latex_number, " \\\\\n%c &= ", " + ", " \\cdot %c", out);
        fprintf(out, "\n\\end{align*}\n");
    }
    return status;
}

gr_status gr_export_mathml(const gr_export *e, FILE *out, gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t k = 0; k < e->programs && !status; k++) {
        const gr_exported *p = &e->program[k];
        status = write_formula(
            e, p->nodes, p->count, &mathml,
            left_of(e, k, "<math display=\"block\"><mrow>", mathml_name, "<mo>=</mo>"),
            "</mrow></math>\n", out, error);
        if (!status && p->simpler)
            status =
                write_formula(e, p->simpler, p->simpler_count, &mathml,
                              left_of(e, k, "<math display=\"block\"><mrow><msub>", mathml_name,
                                      "<mtext>simplified</mtext></msub><mo>=</mo>"),
                              "</mrow></math>\n", out, error);
        if (e->scaled)
            write_scaled(e, k, mathml_number, "<math display=\"block\"><mrow><mi>%c</mi><mo>=</mo>",
                         "<mo>+</mo>", "<mo>&#8901;</mo><mi>%c</mi></mrow></math>\n", out);
    }
    return status;
}
