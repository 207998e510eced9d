#define _GNU_SOURCE /* asprintf */
#include "host/report/report.h"

#include "host/base/input.h"
#include "host/base/output.h"
#include "host/base/text.h"
#include "host/experiment/experiment.h"
#include "host/export/export.h"
#include "host/report/drawing.h"
#include "host/report/load.h"
#include "host/report/page.h"
#include "host/report/pictures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ---- */

static int exists(const char *folder, const char *name) {
    char *path = gr_path_join(folder, name);
    int there = path && access(path, R_OK) == 0;
    free(path);
    return there;
}

static int ends_in(const char *text, const char *ending) {
    size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

static gr_status load(const char *source, gr_report *report, gr_error *error) {
    struct stat facts;
    if (stat(source, &facts) != 0)
        return gr_fail(error, GR_BAD_INPUT, "%s: %s; expected a folder of results, tables or rates",
                       source, strerror(errno));
    if (!S_ISDIR(facts.st_mode) && ends_in(source, ".json") && !ends_in(source, "best.json"))
        return gr_load_rates(source, report, error);
    if (S_ISDIR(facts.st_mode) && exists(source, "best.json"))
        return gr_load_folder(source, report, error);
    if (!S_ISDIR(facts.st_mode) && ends_in(source, "best.json"))
        return gr_fail(error, GR_BAD_INPUT, "%s: expected its folder", source);
    if (S_ISDIR(facts.st_mode) && !exists(source, GR_EXPERIMENT_TABLES))
        return gr_fail(error, GR_BAD_INPUT,
                       "%s: no best.json and no results.sqlite; expected a folder of results",
                       source);
    char *path = gr_tables_path(source);
    gr_status status = path ? gr_load_tables(path, source, report, error)
                            : gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    free(path);
    return status;
}

/* Folders go by their run's name where that is enough to tell them apart. */
static void shorten_labels(gr_report *report) {
    for (uint32_t k = 0; k < report->cells; k++) {
        char *label = report->cell[k].label;
        size_t n = (size_t)report->cell[k].name;
        int others = 0;
        for (uint32_t i = 0; n && i < report->cells; i++) {
            const gr_report_cell *other = &report->cell[i];
            others += i != k && strncmp(other->label, label, n) == 0 &&
                      (!other->label[n] || (size_t)other->name == n);
        }
        if (n && !others)
            label[n] = '\0';
    }
}

/* Cells of one name that come from different places have these in front. */
static gr_status name_sources(gr_report *report, gr_error *error) {
    uint8_t *shared = calloc(report->cells + 1ull, 1);
    gr_status status = shared ? GR_OK : GR_NO_MEMORY;
    for (uint32_t k = 0; !status && k < report->cells; k++)
        for (uint32_t i = 0; i < report->cells; i++)
            shared[k] |= strcmp(report->cell[k].label, report->cell[i].label) == 0 &&
                         strcmp(report->cell[k].source, report->cell[i].source) != 0;
    for (uint32_t k = 0; !status && k < report->cells; k++) {
        gr_report_cell *c = &report->cell[k];
        char *whole = NULL;
        if (!shared[k])
            continue;
        if (asprintf(&whole, "%s: %s", c->source, c->label) < 0)
            status = GR_NO_MEMORY;
        else {
            free(c->label);
            c->label = whole;
        }
    }
    free(shared);
    return status ? gr_fail(error, status, "no memory for a report") : GR_OK;
}

/* Programs, predictions and classes of the cells that the page shows one by one. */
static gr_status load_best(gr_report *report, gr_error *error) {
    uint32_t best = report->cells ? gr_best_cell(report) : 0;
    gr_error unimportant;
    for (uint32_t k = 0; k < report->cells; k++)
        if (k == best) { /* without its data there is only less to see */
            gr_status status = gr_load_predictions(&report->cell[k], &unimportant);
            if (status == GR_NO_MEMORY) {
                *error = unimportant;
                return status;
            }
        }
    return GR_OK;
}

/* ---- drawing ---- */

static void write_picture(const gr_report *report, const gr_picture *p, FILE *out) {
    for (int t = 0; t < GR_TERMINALS; t++) {
        gr_write_style(out);
        fprintf(out, gr_terminals[t].set, p->width, p->height);
        fprintf(out, "\nset output '%s.%s'\n", p->name, gr_terminals[t].ending);
        p->draw(report, out);
        fputs("unset output\n", out);
    }
}

/* One script draws all: it stays beside the pictures. */
static gr_status write_script(const gr_report *report, const char *folder, unsigned *pictures,
                              gr_error *error) {
    gr_fresh out;
    gr_status status = gr_fresh_open(&out, folder, "pictures.gp", error);
    *pictures = 0;
    if (!status) {
        fputs("# gnuplot pictures.gp draws the pictures of the report again.\n", out.file);
        status = gr_write_data(report, out.file, error);
        for (int k = 0; !status && k < GR_PICTURES; k++)
            if (gr_pictures[k].can(report)) {
                write_picture(report, &gr_pictures[k], out.file);
                ++*pictures;
            }
    }
    return gr_fresh_close(&out, status, error);
}

static void draw_pictures(const char *folder, unsigned pictures, gr_report_notes *notes) {
    static const char *const arguments[] = {"gnuplot", "pictures.gp", NULL};
    gr_drawn drawn = pictures ? gr_run_in(folder, arguments, "gnuplot.log") : GR_DRAWN;
    notes->drawn = drawn == GR_DRAWN ? pictures : 0;
    if (drawn == GR_NOT_THERE)
        snprintf(notes->pictures, sizeof notes->pictures,
                 "no pictures: gnuplot is not here; the page has the tables, and gnuplot "
                 "pictures.gp in %.*s draws them",
                 GR_CUT(folder, 300));
    else if (drawn == GR_NOT_DRAWN)
        snprintf(notes->pictures, sizeof notes->pictures,
                 "gnuplot did not draw all pictures; %.*s/gnuplot.log says why",
                 GR_CUT(folder, 300));
}

/* The tree of the best program, as export has it. */
static gr_status write_tree(const gr_report *report, const char *folder, gr_error *error) {
    gr_exported program = {.slope = 1.0};
    gr_export e = {.program = &program, .programs = 1, .name = "program", .origin = "a report"};
    const gr_report_cell *c = &report->cell[gr_best_cell(report)];
    gr_fresh out = {0};
    gr_status status = gr_page_program(c, &e.vocabulary, &program.nodes, &program.count, error);
    if (!status)
        status = gr_fresh_open(&out, folder, "tree.dot", error);
    if (!status)
        status = gr_export_dot(&e, out.file, error);
    free(program.nodes);
    return gr_fresh_close(&out, status, error);
}

/* Trees of more nodes are no pictures. */
enum { MOST_DRAWN_NODES = 400 };

static gr_status draw_tree(const gr_report *report, const char *folder, gr_report_notes *notes,
                           gr_error *error) {
    gr_status status = write_tree(report, folder, error);
    gr_drawn drawn = GR_DRAWN;
    for (int t = 0; t < GR_TERMINALS && !status && drawn == GR_DRAWN; t++) {
        char form[16], name[16];
        const char *const arguments[] = {"dot", form, "-Gdpi=144", "-o", name, "tree.dot", NULL};
        const char *const plain[] = {"dot", form, "-o", name, "tree.dot", NULL};
        snprintf(form, sizeof form, "-T%s", gr_terminals[t].ending);
        snprintf(name, sizeof name, "tree.%s", gr_terminals[t].ending);
        drawn = gr_run_in(folder, t == 2 ? arguments : plain, "dot.log");
    }
    if (!status && drawn == GR_DRAWN) {
        notes->drawn++;
        notes->has_tree = 1;
    }
    if (drawn != GR_DRAWN)
        snprintf(notes->trees, sizeof notes->trees,
                 drawn == GR_NOT_THERE
                     ? "no tree: Graphviz' dot is not here; tree.dot in %.*s is for it"
                     : "dot did not draw the tree; %.*s/dot.log says why",
                 GR_CUT(folder, 300));
    return status;
}

static void remove_file(const char *folder, const char *name) {
    char *path = gr_path_join(folder, name);
    if (path)
        unlink(path);
    free(path);
}

/* Pictures of an earlier report, which this one may not have: those that its script draws, and its
 * tree. What else is called so is somebody's own. */
static void remove_old(const char *folder) {
    char name[64], draws[96], *script = NULL, *path = gr_path_join(folder, "pictures.gp");
    size_t length;
    gr_error none;
    if (path && gr_input_read_text(path, "a script", (size_t)256 << 20, &script, &length, &none))
        script = NULL;
    free(path);
    for (int k = 0; script && k <= GR_PICTURES; k++)
        for (int t = 0; t < GR_TERMINALS; t++) {
            snprintf(name, sizeof name, "%s.%s", k < GR_PICTURES ? gr_pictures[k].name : "tree",
                     gr_terminals[t].ending);
            snprintf(draws, sizeof draws, "set output '%s'", name);
            if (k < GR_PICTURES ? strstr(script, draws) != NULL : exists(folder, "tree.dot"))
                remove_file(folder, name);
        }
    if (script)
        remove_file(folder, "tree.dot");
    free(script);
}

static void note_cells(const gr_report *r, gr_report_notes *notes) {
    uint32_t missing = r->failed + r->unfinished;
    if (missing)
        snprintf(notes->cells, sizeof notes->cells,
                 "%u of %u cells %s left out: %u failed, %u not done", missing, r->cells + missing,
                 missing == 1 ? "is" : "are", r->failed, r->unfinished);
    else if (r->undone)
        snprintf(notes->cells, sizeof notes->cells,
                 "%u of %u folder%s %s not of a run that is done: what there is so far is shown",
                 r->undone, r->sources, gr_s(r->sources), r->undone == 1 ? "is" : "are");
    else if (r->changed)
        snprintf(notes->cells, sizeof notes->cells,
                 "the data of %u of %u folder%s are not what they were when the run read them: "
                 "programs are shown on what they are now",
                 r->changed, r->sources, gr_s(r->sources));
}

gr_status gr_report_write(const char *const *sources, int count, const char *folder,
                          gr_report_notes *notes, gr_error *error) {
    gr_report report = {.sources = (uint32_t)count};
    gr_status status = GR_OK;
    unsigned pictures = 0;
    *notes = (gr_report_notes){0};
    for (int k = 0; k < count && !status; k++)
        status = load(sources[k], &report, error);
    if (!status) {
        shorten_labels(&report);
        status = name_sources(&report, error);
    }
    note_cells(&report, notes);
    if (!status)
        status = load_best(&report, error);
    if (!status)
        status = gr_make_folders(folder, error);
    if (!status) {
        remove_old(folder);
        status = write_script(&report, folder, &pictures, error);
    }
    if (!status) {
        draw_pictures(folder, pictures, notes);
        if (report.cells && gr_page_has_tree(&report, MOST_DRAWN_NODES))
            status = draw_tree(&report, folder, notes, error);
    }
    if (!status)
        status = gr_page_write(&report, folder, notes, error);
    if (!*notes->pictures) /* logs of what went well go */
        remove_file(folder, "gnuplot.log");
    if (!*notes->trees)
        remove_file(folder, "dot.log");
    gr_report_free(&report);
    return status;
}
