/* grampus report: a page with pictures of results. */
#include "host/report/report.h"
#include "host/base/json.h"
#include "host/base/output.h"
#include "host/base/text.h"
#include "host/cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_SOURCES = 1000 };

static void print_help(void) {
    printf("usage: grampus report DIR... [--output FOLDER] [--json]\n\n"
           "Writes report.html, one page that needs nothing else, and its pictures as SVG, PDF and "
           "PNG.\n\n"
           "  DIR                  the folder of a run, a batch or an experiment, results.sqlite, "
           "or what\n                       grampus bench surface --json wrote; several stand "
           "beside each other\n"
           "  --output FOLDER      where to [report in the first DIR]\n"
           "  --json               one object: the page, how many pictures, what is missing\n"
           "  -h, --help           this text\n\n"
           "gnuplot and Graphviz draw. Without them the page has its tables and formulas, a line "
           "says what is\nmissing, and the exit code is 0.\n");
}

/* report in the first folder, or beside the first file. */
static char *folder_for(const char *source) {
    struct stat facts;
    char copy[4096];
    if (stat(source, &facts) == 0 && S_ISDIR(facts.st_mode))
        return gr_path_join(source, "report");
    snprintf(copy, sizeof copy, "%s", source);
    size_t n = 0;
    for (size_t i = 0; copy[i]; i++)
        n = copy[i] == '/' ? i : n;
    copy[n] = '\0';
    return gr_path_join(n ? copy : ".", "report");
}

static gr_status print_json(const char *page, const gr_report_notes *notes, gr_error *error) {
    cJSON *object = cJSON_CreateObject();
    gr_json_add_text(object, "report", page);
    gr_json_add_whole(object, "pictures", notes->drawn);
    gr_json_add_text(object, "pictures_note", *notes->pictures ? notes->pictures : NULL);
    gr_json_add_text(object, "trees_note", *notes->trees ? notes->trees : NULL);
    gr_json_add_text(object, "cells_note", *notes->cells ? notes->cells : NULL);
    return gr_json_print(object, error);
}

gr_status gr_command_report(int argc, char **argv, gr_error *error) {
    const char **sources = calloc(MOST_SOURCES + 1, sizeof *sources), *output = NULL;
    int help = 0, json = 0, count = 0;
    gr_report_notes notes;
    const gr_option options[] = {{"output", &output, NULL},
                                 {"json", NULL, &json},
                                 {"help", NULL, &help},
                                 {NULL, NULL, NULL}};
    gr_status status = sources
                           ? gr_options_and_files(argc, argv, options, sources, MOST_SOURCES, error)
                           : gr_fail(error, GR_NO_MEMORY, "no memory for arguments");
    if (!status)
        status = gr_option_folder("output", output, error);
    while (!status && sources[count])
        count++;
    if (!status && help)
        print_help();
    else if (!status && !count)
        status = gr_fail(error, GR_BAD_INPUT, "no results; expected grampus report DIR...");
    char *folder = status || help ? NULL : output ? strdup(output) : folder_for(sources[0]);
    if (!status && !help && !folder)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    if (!status && !help)
        status = gr_report_write(sources, count, folder, &notes, error);
    if (!status && !help) {
        if (*notes.pictures)
            fprintf(stderr, "%s\n", notes.pictures);
        if (*notes.trees)
            fprintf(stderr, "%s\n", notes.trees);
        if (*notes.cells)
            fprintf(stderr, "%s\n", notes.cells);
        char *page = gr_path_join(folder, "report.html");
        if (json)
            status = print_json(page ? page : folder, &notes, error);
        else
            printf("report      %s, %u picture%s\n", page ? page : folder, notes.drawn,
                   gr_s(notes.drawn));
        free(page);
    }
    free(folder);
    free(sources);
    return status;
}
