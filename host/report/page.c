#include "host/report/page.h"

#include "host/base/input.h"
#include "host/base/output.h"
#include "host/base/spread.h"
#include "host/base/text.h"
#include "host/export/export.h"
#include "host/export/simplify.h"
#include "host/problem/several.h"
#include "host/report/drawing.h"
#include "host/report/pictures.h"
#include "host/settings/targets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
static const char style[] =
    "</title>\n<style>\n"
    "body { font: 15px/1.45 Helvetica, Arial, sans-serif; color: #202020; max-width: 60em; margin: "
    "2em auto; padding: 0 1em; }\n"
    "h1 { font-size: 1.6em; margin-bottom: .2em; } h2 { font-size: 1.2em; margin-top: 1.8em; "
    "border-bottom: 1px solid #ccc; padding-bottom: .2em; }\n"
    "table { border-collapse: collapse; font-size: .9em; } th, td { padding: .25em .7em; "
    "text-align: right; white-space: nowrap; border-bottom: 1px solid #e4e4e4; } th { "
    "border-bottom: 1px solid #888; }\n"
    "th:first-child, td:first-child { text-align: left; }\n"
    "figure { margin: 1em 0 1.6em; } figure svg { width: 100%; height: auto; display: block; } "
    "figcaption { font-size: .9em; color: #444; }\n"
    ".tree svg { width: auto; max-width: 100%; margin: auto; }\n"
    ".wide { overflow-x: auto; } math { font-size: 1.15em; } pre { white-space: pre-wrap; "
    "overflow-wrap: anywhere; background: #f5f5f5; padding: .7em; font-size: .85em; }\n"
    ".note { background: #fff4d6; padding: .5em .8em; } .quiet { color: #555; font-size: .9em; }\n"
    "@media print { body { max-width: none; margin: 0; font-size: 11pt; } figure, tr { "
    "break-inside: avoid; } h2 { break-after: avoid; } }\n"
    "</style>\n</head>\n<body>\n";

/* Text of results: no character of it is markup. */
static void put(FILE *out, const char *text) {
    for (; *text; text++)
        if (strchr("<>&\"'", *text))
            fprintf(out, "&#%d;", *text);
        else
            fputc((unsigned char)*text < 0x20 && *text != '\n' ? ' ' : *text, out);
}

static void put_number(FILE *out, double value) {
    if (isnan(value))
        fputs("&#8211;", out);
    else
        fprintf(out, "%.5g", value);
}

static void put_cell_number(FILE *out, double value) {
    fputs("<td>", out);
    put_number(out, value);
    fputs("</td>", out);
}

/* ---- the best program ---- */

static gr_vocabulary vocabulary_of(const gr_report_cell *c) {
    return (gr_vocabulary){
        (const char *const *)c->set[0].names, c->set[0].inputs, c->set[0].packed, 0, 0, 0};
}

gr_status gr_page_program(const gr_report_cell *c, gr_vocabulary *vocabulary, gr_node **nodes,
                          uint32_t *count, gr_error *error) {
    *vocabulary = vocabulary_of(c);
    *nodes = NULL;
    if (!c->expression || !c->set[0].names)
        return gr_fail(error, GR_BAD_INPUT, "%s: no program", c->label);
    return gr_read_expression(c->expression, "best", vocabulary, nodes, count, error);
}

int gr_page_has_tree(const gr_report *r, uint32_t most) {
    gr_vocabulary vocabulary;
    gr_node *nodes;
    uint32_t count;
    gr_error error;
    gr_status status =
        gr_page_program(&r->cell[gr_best_cell(r)], &vocabulary, &nodes, &count, &error);
    free(nodes);
    return !status && count <= most;
}

/* The programs of a formula: the best, or, of several targets, its outputs. */
typedef struct formulas {
    gr_export e;
    gr_exported program[GR_MOST_RANKED];
    const char *target[GR_MOST_RANKED];
} formulas;

static gr_status take_outputs(formulas *f, const gr_node *nodes, uint32_t count, gr_error *error) {
    uint32_t n = f->e.outputs, first, length;
    for (; f->e.programs < n; f->e.programs++) {
        gr_exported *p = &f->program[f->e.programs];
        if (!gr_find_output(nodes, count, n, f->e.programs, &first, &length))
            return gr_fail(error, GR_BAD_INPUT, "no program of %u target%s", n, gr_s(n));
        if (!(p->nodes = malloc(length * sizeof *p->nodes)))
            return gr_fail(error, GR_NO_MEMORY, "no memory for a formula");
        memcpy(p->nodes, nodes + first, length * sizeof *p->nodes);
        p->count = length;
        p->slope = 1.0;
    }
    return GR_OK;
}

static gr_status take_several(const gr_report_cell *c, formulas *f, gr_error *error) {
    gr_vocabulary *v = &f->e.vocabulary;
    gr_node *nodes = NULL;
    uint32_t count;
    *v = vocabulary_of(c);
    v->outputs = f->e.outputs;
    v->part = gr_settings_part(&c->settings);
    v->inputs -= v->outputs; /* its targets are the last */
    for (uint32_t k = 0; k < v->outputs; k++)
        f->target[k] = v->names[v->inputs + k];
    f->e.target = f->target;
    gr_status status = gr_read_expression(c->expression, "best", v, &nodes, &count, error);
    if (!status)
        status = take_outputs(f, nodes, count, error);
    free(nodes);
    return status;
}

static gr_status take_formulas(const gr_report_cell *c, formulas *f, gr_error *error) {
    uint32_t outputs = c->settled ? gr_settings_targets(&c->settings) : 0;
    *f = (formulas){.program = {{.slope = c->slope, .intercept = c->intercept}},
                    .e = {.outputs = outputs > 1 ? outputs : 0,
                          .scaled = c->scaled,
                          .doubles = c->settled && c->settings.precision == GR_PRECISION_DOUBLE,
                          .name = "program",
                          .origin = "The best program"}};
    f->e.program = f->program;
    if (f->e.outputs && c->expression && c->set[0].names)
        return take_several(c, f, error);
    f->e.programs = 1;
    return gr_page_program(c, &f->e.vocabulary, &f->program->nodes, &f->program->count, error);
}

static void free_formulas(formulas *f) {
    for (uint32_t k = 0; k < GR_MOST_RANKED; k++) {
        free(f->program[k].nodes);
        free(f->program[k].simpler);
    }
}

/* What is there beside the formula where it is shorter; the nodes of all. */
static gr_status simplify(formulas *f, uint32_t *nodes, gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t k = 0; k < f->e.programs && !status; k++) {
        gr_exported *p = &f->program[k];
        *nodes += p->count;
        status =
            gr_simplify(p->nodes, p->count, f->e.doubles, &p->simpler, &p->simpler_count, error);
        if (!status && p->simpler_count == p->count) {
            free(p->simpler);
            p->simpler = NULL;
        }
    }
    return status;
}

static gr_status write_latex(const gr_export *e, FILE *out, gr_error *error) {
    char *latex = NULL;
    size_t size;
    FILE *text = open_memstream(&latex, &size);
    gr_status status = text ? gr_export_latex(e, text, error) : GR_OK;
    if (text) {
        fclose(text);
        fputs("<details><summary>LaTeX</summary>\n<pre>", out);
        put(out, latex ? latex : "");
        fputs("</pre></details>\n", out);
    }
    free(latex);
    return status;
}

/* Formulas, simplified ones and LaTeX; a formula of many nodes is no help to anyone. */
static gr_status write_formulas(const gr_report_cell *c, FILE *out, gr_error *error) {
    enum { MOST_FORMULA = 150 };
    formulas f;
    gr_error unread;
    uint32_t nodes = 0;
    gr_status status = take_formulas(c, &f, &unread);
    if (status) {
        free_formulas(&f);
        return unread.status == GR_NO_MEMORY ? gr_fail(error, GR_NO_MEMORY, "%s", unread.text)
                                             : GR_OK;
    }
    status = simplify(&f, &nodes, error);
    if (!status && nodes <= MOST_FORMULA) {
        fputs("<div class=\"wide\">\n", out);
        status = gr_export_mathml(&f.e, out, error);
        fputs("</div>\n", out);
    }
    if (!status)
        status = write_latex(&f.e, out, error);
    free_formulas(&f);
    return status;
}

/* ---- pictures ---- */

static int is_identifier(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* An SVG file without what stands before its element; names of its parts (gnuplot's gp..., dot's
 * node1) get the picture's before them, since the page has several. */
static void embed(FILE *out, const char *svg, const char *name) {
    static const char *const marks[] = {"id=\"", "id='", "href='#", "href=\"#", "url(#"};
    const char *at = strstr(svg, "<svg");
    while (at && *at) {
        int marked = 0;
        for (size_t k = 0; k < sizeof marks / sizeof *marks && !marked; k++) {
            size_t n = strlen(marks[k]);
            if (strncmp(at, marks[k], n) == 0 && (k > 1 || !is_identifier(at[-1]))) {
                fprintf(out, "%s%s-", marks[k], name);
                at += n;
                marked = 1;
            }
        }
        if (!marked)
            fputc(*at++, out);
    }
}

/* 0: there is no such picture. */
static int write_figure(FILE *out, const char *folder, const char *name, const char *title,
                        const char *caption) {
    char file[64], *svg = NULL;
    size_t length;
    snprintf(file, sizeof file, "%s.svg", name);
    char *path = gr_path_join(folder, file);
    gr_error none;
    int there =
        path && access(path, R_OK) == 0 &&
        gr_input_read_text(path, "a picture", (size_t)256 << 20, &svg, &length, &none) == GR_OK &&
        strstr(svg, "<svg");
    if (there) {
        fprintf(out, "<h2 id=\"%s\">%s</h2>\n<figure class=\"%s\">\n", name, title, name);
        embed(out, svg, name);
        fprintf(out,
                "<figcaption>%s <span class=\"quiet\">(<a href=\"%s.svg\">SVG</a>, "
                "<a href=\"%s.pdf\">PDF</a>, <a href=\"%s.png\">PNG</a>)</span></figcaption>\n"
                "</figure>\n",
                caption, name, name, name);
    }
    free(svg);
    free(path);
    return there;
}

/* ---- tables ---- */

static void write_end(FILE *out, const gr_ends *e) {
    double *copy = e->count ? malloc(e->count * sizeof *copy) : NULL;
    gr_spread s;
    if (copy)
        memcpy(copy, e->value, e->count * sizeof *copy);
    s = gr_spread_of(copy, copy ? e->count : 0);
    put_cell_number(out, s.quartile[1]);
    fputs("<td>", out);
    put_number(out, s.quartile[0]);
    fputs(" to ", out);
    put_number(out, s.quartile[2]);
    fputs("</td>", out);
    free(copy);
}

static void write_overview(const gr_report *r, FILE *out) {
    int lettered = 0, targets = 0, tested = 0;
    for (uint32_t k = 0; k < r->cells; k++) {
        lettered |= *r->cell[k].letters != 0;
        targets |= r->cell[k].has_target;
        tested |= r->cell[k].end[GR_END_TEST].count > 0;
    }
    fprintf(
        out,
        "<div class=\"wide\"><table>\n<tr><th>cell</th><th>runs</th>%s<th>metric</th><th>median "
        "fitness</th><th>quartiles</th>%s<th>median nodes</th><th>quartiles</th>"
        "<th>seconds</th>%s</tr>\n",
        targets ? "<th>solved (95 %)</th>" : "",
        tested ? "<th>median test</th><th>quartiles</th>" : "", lettered ? "<th>letters</th>" : "");
    for (uint32_t k = 0; k < r->cells; k++) {
        const gr_report_cell *c = &r->cell[k];
        fputs("<tr><td>", out);
        if (r->cells > 1)
            fprintf(out, "%u &nbsp; ", k + 1);
        put(out, c->label);
        fprintf(out, "</td><td>%u</td>", c->runs);
        if (targets && isnan(c->rate[0]))
            fputs("<td>&#8211;</td>", out);
        else if (targets)
            fprintf(out, "<td>%u: %.1f %% (%.1f to %.1f)</td>", c->solved, 100.0 * c->rate[0],
                    100.0 * c->rate[1], 100.0 * c->rate[2]);
        fputs("<td>", out);
        put(out, c->metric);
        fputs("</td>", out);
        write_end(out, &c->end[GR_END_FITNESS]);
        if (tested)
            write_end(out, &c->end[GR_END_TEST]);
        write_end(out, &c->end[GR_END_NODES]);
        put_cell_number(out, c->seconds);
        if (lettered)
            fprintf(out, "<td>%s</td>", c->letters);
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

static void write_table(const gr_text_table *t, FILE *out) {
    if (!t->rows)
        return;
    fputs("<h2>", out);
    put(out, t->title);
    fputs("</h2>\n<div class=\"wide\"><table>\n", out);
    for (uint32_t i = 0; i <= t->rows; i++) {
        fputs("<tr>", out);
        for (uint32_t k = 0; k < t->columns; k++) {
            fputs(i ? "<td>" : "<th>", out);
            put(out, t->text[(size_t)i * t->columns + k]);
            fputs(i ? "</td>" : "</th>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n<p class=\"quiet\">", out);
    put(out, t->note);
    fputs("</p>\n", out);
}

/* ---- the best of all, and of each cell ---- */

static gr_status write_best(const gr_report *r, FILE *out, gr_error *error) {
    const gr_report_cell *c = &r->cell[gr_best_cell(r)];
    if (!c->expression)
        return GR_OK;
    fputs("<h2 id=\"program\">Best program</h2>\n<p>", out);
    put(out, c->label);
    fputs(": ", out);
    put(out, c->metric);
    fputs(" ", out);
    put_number(out, c->fitness);
    if (!isnan(c->test_fitness)) {
        fputs(", on the test cases ", out);
        put_number(out, c->test_fitness);
    }
    fprintf(out, "; of generation %u.</p>\n", c->found);
    gr_status status = write_formulas(c, out, error);
    fputs("<pre>", out);
    put(out, c->expression);
    fputs("</pre>\n", out);
    return status;
}

static void write_programs(const gr_report *r, FILE *out) {
    if (r->cells < 2)
        return;
    fputs("<h2>Best program of every cell</h2>\n<div class=\"wide\"><table>\n<tr><th>cell</th>"
          "<th>fitness</th><th style=\"text-align: left\">program</th></tr>\n",
          out);
    for (uint32_t k = 0; k < r->cells; k++) {
        const gr_report_cell *c = &r->cell[k];
        fputs("<tr><td>", out);
        put(out, c->label);
        fputs("</td>", out);
        put_cell_number(out, c->fitness);
        fputs("<td style=\"text-align: left; white-space: normal\"><code>", out);
        char shown[400];
        snprintf(shown, sizeof shown, "%.*s", GR_CUT(c->expression ? c->expression : "none", 390));
        put(out, shown);
        fputs(c->expression && strlen(c->expression) > 390 ? "&#8230;</code></td></tr>\n"
                                                           : "</code></td></tr>\n",
              out);
    }
    fputs("</table></div>\n", out);
}

/* ---- all of it ---- */

static void write_note(FILE *out, const char *note) {
    if (!*note)
        return;
    fputs("<p class=\"note\">", out);
    put(out, note);
    fputs("</p>\n", out);
}

static int is_on_samples(const gr_report *r) {
    for (uint32_t k = 0; k < r->cells; k++)
        if (r->cell[k].settled && r->cell[k].settings.case_sampling != GR_SAMPLING_NONE)
            return 1;
    return 0;
}

static void write_head(const gr_report *r, FILE *out) {
    char title[200];
    const char *of = r->cells == 1 ? r->cell[0].label : r->cells ? r->cell[0].source : "rates";
    snprintf(title, sizeof title, "Grampus: %.*s", gr_text_room(of, 150), of);
    fputs(head, out);
    put(out, title);
    fputs(style, out);
    fputs("<h1>", out);
    put(out, title);
    fprintf(out, "</h1>\n<p class=\"quiet\">Grampus %s", GR_VERSION);
    const char *before = "";
    for (uint32_t k = 0; k < r->cells; k++)
        if (strcmp(before, r->cell[k].source) != 0) {
            fputs("; ", out);
            put(out, r->cell[k].source);
            before = r->cell[k].source;
        }
    if (r->cells > GR_DRAWN_CELLS)
        fprintf(out, ". Curves are of the first %d of %u cells", GR_DRAWN_CELLS, r->cells);
    for (uint32_t k = 1; k < r->cells; k++)
        if (strcmp(r->cell[k].metric, r->cell[0].metric) != 0) {
            fputs(". Pictures of fitness are of the cells with the metric of the first", out);
            break;
        }
    if (is_on_samples(r))
        fputs(". Of runs on samples of the cases fitness is on the samples in what goes over "
              "generations, on all training cases where it is that of the end",
              out);
    fputs(".</p>\n", out);
}

static gr_status write_page(const gr_report *r, const char *folder, const gr_report_notes *notes,
                            FILE *out, gr_error *error) {
    gr_status status = GR_OK;
    write_head(r, out);
    write_note(out, notes->pictures);
    write_note(out, notes->trees);
    write_note(out, notes->cells);
    if (r->cells)
        write_overview(r, out);
    for (int k = 0; k < GR_PICTURES; k++)
        if (gr_pictures[k].can(r))
            write_figure(out, folder, gr_pictures[k].name, gr_pictures[k].title,
                         gr_pictures[k].caption);
    for (uint32_t k = 0; k < r->tables; k++)
        write_table(&r->table[k], out);
    if (r->cells)
        status = write_best(r, out, error);
    if (notes->has_tree)
        write_figure(out, folder, "tree", "Its tree", "Inputs are blue, constants yellow.");
    write_programs(r, out);
    fputs("</body>\n</html>\n", out);
    return status;
}

gr_status gr_page_write(const gr_report *report, const char *folder, const gr_report_notes *notes,
                        gr_error *error) {
    char *text = NULL, *path = gr_path_join(folder, "report.html");
    size_t size;
    FILE *out = path ? open_memstream(&text, &size) : NULL;
    gr_status status = out ? write_page(report, folder, notes, out, error)
                           : gr_fail(error, GR_NO_MEMORY, "no memory for a page");
    if (out && fclose(out) != 0 && !status)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for a page");
    if (!status)
        status = gr_replace_file(path, text, size, 0, error);
    free(text);
    free(path);
    return status;
}
