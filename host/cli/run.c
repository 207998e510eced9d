/* grampus run: evolves as a run file and options say. */
#include "host/base/json.h"
#include "host/base/text.h"
#include "host/checkpoint/keeper.h"
#include "host/cli/commands.h"
#include "host/cli/progress.h"
#include "host/cli/signals.h"
#include "host/cli/visible.h"
#include "host/derivation/phenotype.h"
#include "host/experiment/experiment.h"
#include "host/experiment/ledger.h"
#include "host/ponyge2/parameters.h"
#include "host/problem/run_grammar.h"
#include "host/run/laws.h"
#include "host/run/results.h"
#include "host/settings/presets.h"
#include "host/spread/processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- arguments ---- */

static void print_help(void) {
    printf(
        "usage: grampus run [FILE | --parameters FILE] [--key value ...]\n\n"
        "Evolves programs as the run file says ('-' reads it from standard input). Every setting "
        "is an option,\nwhich wins over the file; FILE can be left out when the options are "
        "enough.\n\n");
    gr_settings_help(stdout);
    printf("\n  %-31s %s\n", "--parameters FILE",
           "a parameter file of PonyGE2 instead of a run file; then its flags are options too");
    printf("  %-31s %s\n", "--sqlite",
           "also results.sqlite, the tables of an experiment (host/experiment/README.md)");
    printf("  %-31s %s\n", "--watch",
           "a screen in the terminal: the convergence as a plot, the best programs so far");
    printf("  %-31s %s\n", "--progress json",
           "progress on the standard error as a JSON object a line (host/cli/README.md)");
    printf("  %-31s %s\n", "-h, --help", "this text");
}

/* What the arguments name: a run file, or PonyGE2's parameters (then their flags count too). */
typedef struct sources {
    const char *file;
    gr_ponyge2_parameters *parameters;
    gr_showing showing;
} sources;

/* --parameters FILE or --parameters=FILE. */
static int is_parameters(const char *argument) {
    size_t length = strlen("--parameters");
    return strncmp(argument, "--parameters", length) == 0 &&
           (argument[length] == '\0' || argument[length] == '=');
}

/* Takes the options into *settings, PonyGE2's flags into its parameters. */
static gr_status take_arguments(int argc, char **argv, gr_settings *settings, sources *from,
                                gr_error *error) {
    static const char *const more[] = {"help", "parameters", "sqlite", "watch", NULL};
    from->file = NULL;
    for (int i = 1, used; i < argc; i += used) {
        gr_status status = GR_OK;
        used = 0;
        if (is_parameters(argv[i])) /* read before */
            used = argv[i][strlen("--parameters")] ? 1 : 2;
        if (strcmp(argv[i], "--sqlite") == 0)
            used = from->showing.sqlite = 1;
        if (strcmp(argv[i], "--watch") == 0) {
            from->showing.progress = GR_PROGRESS_WATCH;
            used = 1;
        }
        if (strcmp(argv[i], "--progress=json") == 0 ||
            (strcmp(argv[i], "--progress") == 0 && i + 1 < argc &&
             strcmp(argv[i + 1], "json") == 0)) {
            from->showing.progress = GR_PROGRESS_JSON;
            used = argv[i][10] ? 1 : 2;
        }
        if (!used && from->parameters)
            status = gr_ponyge2_parameters_flag(from->parameters, argc - i, argv + i, &used, error);
        if (!status && !used)
            status = gr_settings_option(settings, argc - i, argv + i, &used, error);
        if (status)
            return status;
        if (used)
            continue;
        used = 1;
        if (argv[i][0] == '-' && argv[i][1])
            return gr_settings_unknown_option(argv[i], more, error);
        if (from->file || from->parameters)
            return gr_fail(error, GR_BAD_INPUT, "%.*s: %s; expected one", GR_CUT(argv[i], 80),
                           from->file ? "a second run file" : "a run file beside --parameters");
        from->file = argv[i];
    }
    return GR_OK;
}

/* A run file; one of PonyGE2's parameters is told by its first key. */
static gr_status load_run_file(gr_settings *settings, const char *file, gr_error *error) {
    gr_status status = gr_settings_load(settings, file, error);
    return status == GR_BAD_INPUT && gr_ponyge2_parameters_are_in(file)
               ? gr_fail(error, status,
                         "%.*s: PonyGE2's parameters; expected a run file, or grampus run "
                         "--parameters %.*s",
                         GR_CUT(file, 300), GR_CUT(file, 300))
               : status;
}

static gr_status find_parameters(int argc, char **argv, sources *from, gr_error *error) {
    for (int i = 1; i < argc; i++) {
        if (!is_parameters(argv[i]))
            continue;
        const char *file = strchr(argv[i], '=') ? strchr(argv[i], '=') + 1 : argv[++i];
        if (i == argc || !*file)
            return gr_fail(error, GR_BAD_INPUT, "--parameters: no value; expected a file");
        if (from->parameters)
            return gr_fail(error, GR_BAD_INPUT, "--parameters twice; expected it once");
        gr_status status = gr_ponyge2_parameters_read(file, &from->parameters, error);
        if (status)
            return status;
    }
    return GR_OK;
}

static void print_notes(const gr_ponyge2_parameters *parameters) {
    for (uint32_t i = 0; parameters && i < gr_ponyge2_parameters_notes(parameters); i++)
        fprintf(stderr, "%s\n", gr_ponyge2_parameters_note(parameters, i));
}

/* Defaults, then the run file or the parameters, then the options; resolved. */
static gr_status read_settings(int argc, char **argv, gr_settings *settings, gr_showing *showing,
                               gr_error *error) {
    sources from = {0};
    gr_status status = gr_settings_init(settings, error);
    if (!status)
        status = find_parameters(argc, argv, &from, error);
    if (!status)
        status = take_arguments(argc, argv, settings, &from, error);
    if (!status && (from.file || from.parameters)) { /* the options once more, over the file */
        const char *file = from.file;
        gr_settings_free(settings);
        status = gr_settings_init(settings, error);
        if (!status && file)
            status = load_run_file(settings, file, error);
        else if (!status)
            status = gr_ponyge2_parameters_store(from.parameters, settings, error);
        if (!status)
            status = take_arguments(argc, argv, settings, &from, error);
    }
    if (!status && argc == 1)
        status =
            gr_fail(error, GR_BAD_INPUT, "no run file and no options; expected grampus run FILE");
    if (!status)
        status = gr_settings_resolve(settings, error);
    if (!status && !settings->quiet)
        print_notes(from.parameters);
    gr_ponyge2_parameters_free(from.parameters);
    *showing = from.showing;
    return status;
}

/* ---- running ---- */

/* Who watches the generations. */
typedef struct observer {
    gr_results *results;
    gr_progress *progress;
    gr_keeper *keeper;
    gr_tables *tables; /* NULL: not asked for, as the ledger */
    gr_ledger *ledger;
    bool outdates;    /* the next generation is one that tables in the folder do not have */
    gr_status dumped; /* what came of the last dump */
    gr_error error;
} observer;

/* Tables of a run that goes on would be taken for those of all of it, by their `done` too. */
static void drop_tables(const gr_results *results) {
    char *path = gr_tables_path(gr_results_folder(results));
    if (path && unlink(path) == 0)
        fprintf(stderr, "%s held the run up to where it was resumed; it is removed\n", path);
    else if (path && errno != ENOENT)
        fprintf(stderr, "%s holds the run up to where it was resumed; removing it: %s\n", path,
                strerror(errno));
    free(path);
}

static void on_rows(void *context, gr_rows *rows) {
    observer *o = context;
    if (o->outdates && rows->count)
        drop_tables(o->results);
    o->outdates = o->outdates && !rows->count;
    for (uint32_t i = 0; i < rows->count; i++)
        gr_progress_generation(o->progress, &rows->row[i]);
    if (o->ledger)
        gr_ledger_rows(o->ledger, rows);
    gr_results_rows(o->results, rows);
}

static void on_tick(void *context, uint32_t generation) {
    gr_progress_tick(((observer *)context)->progress, generation);
}

/* Bytes of cases that are worth a line. */
enum { LARGE = 32 << 20 };

static void on_early(void *context, const gr_generation *generation) {
    gr_progress_early(((observer *)context)->progress, generation);
}

/* A dump comes before the checkpoint of its generation, from which it would not be made again. The
 * last one shows what the ranking behind the border gives. */
static void on_border(void *context, int ended) {
    observer *o = context;
    o->dumped = ended ? GR_OK : gr_results_dump(o->results, &o->error);
    if (!o->dumped)
        gr_keeper_border(o->keeper, ended);
}

static double on_due(void *context) {
    return gr_keeper_due(((observer *)context)->keeper);
}

/* " on 8 islands, 5 migrate every 10 generations (ring)", or "". */
static void describe_islands(const gr_settings *settings, const gr_params *p, char *line,
                             size_t size) {
    char word[32], how[128] = "nobody migrates";
    if (p->migrants)
        snprintf(how, sizeof how, "%u migrate%s every %u generation%s (%s)", p->migrants,
                 p->migrants == 1 ? "s" : "", p->migration_every / p->steps,
                 gr_s(p->migration_every / p->steps),
                 gr_settings_text(settings, GR_KEY_migration_topology, word));
    *line = '\0';
    if (p->islands > 1)
        snprintf(line, size, " on each of %u islands, %s", p->islands, how);
}

static void print_problem(const gr_settings *settings, const gr_problem *problem) {
    const gr_params *p = &problem->job.params;
    uint32_t inputs = gr_named_inputs(p);
    bool sampled = p->sampling != GR_SAMPLING_NONE; /* the engine's cases are one sample */
    char sample[48] = "", probes[48] = "", validation[48] = "";
    if (sampled)
        snprintf(sample, sizeof sample, " (%u in a sample)", p->train_cases);
    if (problem->probes)
        snprintf(probes, sizeof probes, ", %u probe", problem->probes);
    if (p->validation_chunks)
        snprintf(validation, sizeof validation, ", %u validation", problem->validating.test_cases);
    printf("problem     %s: %u input%s, %u training%s%s%s and %u test case%s\n", settings->name,
           inputs, gr_s(inputs), (sampled ? p->whole_cases : p->train_cases) - problem->probes,
           sample, probes, validation, p->test_cases, gr_s(p->test_cases));
}

/* What the user should know before it starts. */
static void print_start(const gr_settings *settings, const gr_run *run) {
    const gr_problem *problem = gr_run_problem(run);
    const gr_params *p = &problem->job.params;
    gr_run_report report;
    char islands[192], opening[256], preset[32], deeper[GR_DEEPER];
    gr_run_look(run, &report);
    if (problem->grammar && *settings->grammar) /* one that is made is not the user's to mend */
        gr_print_warnings(problem->grammar);
    if (gr_deeper_than_asked(settings, p, deeper))
        fprintf(stderr, "%s\n", deeper);
    if (problem->train.notes)
        fprintf(stderr, "%s%s", problem->train.notes,
                strchr(problem->train.notes, '\n') ? "" : "\n");
    if (problem->test.notes)
        fputs(problem->test.notes, stderr);
    if (settings->json)
        return;
    printf("device      %s (%s)\n", report.engine.device, report.why);
    printf("memory      %s\n", report.engine.memory);
    const gr_loaded *loaded = &problem->loaded;
    if (loaded->targets + loaded->tiles >= (size_t)LARGE)
        printf("loaded      tiles %.1f MB, targets %.1f MB; at most %.1f MB of this machine's\n",
               (double)loaded->tiles / 1e6, (double)loaded->targets / 1e6,
               (double)report.host_bytes / 1e6);
    if (*report.engine.interpreter)
        printf("evaluation  %s\n", report.engine.interpreter);
    gr_opening_describe(report.engine.opening, opening, sizeof opening);
    if (*opening)
        printf("start-up    %s\n", opening);
    print_problem(settings, problem);
    if (problem->grammar) {
        uint32_t words = problem->job.grammar_words,
                 productions = problem->job.grammar[GR_G_PRODUCTIONS];
        const char *where = strcmp(report.backend, "cuda") != 0      ? "memory"
                            : words <= (uint32_t)GR_CONSTANT_GRAMMAR ? "constant memory"
                                                                     : "global memory";
        printf("grammar     %s: %u production%s, %u words in %s\n",
               gr_grammar_path(problem->grammar), productions, gr_s(productions), words, where);
    }
    describe_islands(settings, p, islands, sizeof islands);
    if (settings->preset != GR_PRESET_NONE)
        printf("preset      %s%s\n", gr_settings_text(settings, GR_KEY_preset, preset),
               settings->weighted_inputs && !p->weighted ? ", too many inputs for weights" : "");
    printf("population  %u%s, %u generation%s, %u run%s, seed %llu\n\n", p->population, islands,
           gr_run_generations(p), gr_s(gr_run_generations(p)), p->runs, gr_s(p->runs),
           (unsigned long long)settings->seed);
    fflush(stdout);
}

/* All epochs. A statistics file that cannot be written ends the run, but not before its best is
 * known. */
static gr_status evolve(gr_run *run, observer *o, gr_error *error) {
    const gr_watch watch = {.tick = on_tick,
                            .context = o,
                            .rows = on_rows,
                            .border = on_border,
                            .early = on_early,
                            .due = on_due};
    gr_status status = GR_OK;
    for (int finished = 0; !finished && !status;) {
        status = gr_run_advance_to_law(run, &watch, &finished, error);
        if (status)
            return status;
        gr_progress_epoch(o->progress);
        const char *warning = gr_keeper_warning(o->keeper);
        if (warning)
            fprintf(stderr, "no checkpoint: %s\n", warning);
        if (finished)
            status = gr_results_dump(o->results, error);
        else if ((status = o->dumped))
            *error = o->error;
        if (!finished && !status)
            status = gr_results_epoch(o->results, error);
        if (!status && !finished && o->ledger)
            status = gr_ledger_epoch(o->ledger, error);
    }
    gr_status written = gr_results_wait(o->results, status ? NULL : error);
    return status ? status : written;
}

static gr_status report_outcome(const gr_settings *settings, const gr_run *run,
                                const gr_outcome *outcome, const gr_results *results,
                                gr_error *error) {
    if (settings->json) {
        cJSON *json = gr_outcome_json(settings, run, outcome, gr_results_folder(results));
        gr_status status = gr_json_write(json, 0, stdout, "standard output", error);
        cJSON_Delete(json);
        return status;
    }
    if (settings->quiet)
        return GR_OK;
    gr_outcome_print(settings, run, outcome, 0, stdout);
    if (settings->statistics == GR_STATISTICS_SUMMARY)
        printf("statistics  summary.tsv, of all runs together; statistics: all has every run\n");
    printf("results     %s\n", gr_results_folder(results));
    return GR_OK;
}

/* Said with --quiet and --json too: nothing of what was written can be used. */
static void warn_of_nothing_finite(const gr_settings *settings, const gr_outcome *outcome,
                                   const gr_results *results) {
    const gr_best *best = &outcome->best[outcome->leader];
    bool sampled = settings->case_sampling != GR_SAMPLING_NONE;
    if (best->validity == GR_VALID && !isinf(best->train))
        return;
    if (best->validity == GR_VALID && sampled)
        fprintf(stderr, "nobody of the last generation has a finite fitness on all cases, nor has "
                        "who was best on the last sample, who is shown");
    else
        fprintf(stderr, "no valid individual with a finite fitness was found (the first was %s)",
                gr_validity_name(best->validity));
    if (settings->statistics == GR_STATISTICS_ALL)
        fprintf(stderr, "; %s/statistics.tsv has the counts", gr_results_folder(results));
    fputc('\n', stderr);
}

/* Writes and prints what there is; the first failure is the one reported. */
static gr_status conclude(const gr_settings *settings, gr_run *run, const observer *o,
                          gr_status status, gr_error *error) {
    gr_results *results = o->results;
    gr_outcome outcome;
    gr_run_report report;
    gr_error later = {GR_OK, ""};
    gr_run_look(run, &report);
    if (!status && !report.selected) {
        gr_results_abandon(results);
        return gr_fail(error, GR_STOPPED, "stopped in the first generation; %s has no best",
                       gr_results_folder(results));
    }
    gr_status next = gr_outcome_collect(run, &outcome, &later);
    if (next)
        gr_results_abandon(results);
    else {
        if (status)
            outcome.state = GR_WAS_STOPPED;
        next = gr_results_finish(results, &outcome, &later);
        if (!next && o->ledger)
            next = gr_ledger_finish(o->ledger, &outcome, &later);
        if (next)
            outcome.state = GR_WAS_STOPPED;
        warn_of_nothing_finite(settings, &outcome, results);
        gr_status shown = report_outcome(settings, run, &outcome, results, next ? NULL : &later);
        next = next ? next : shown;
        gr_outcome_free(&outcome);
    }
    if (!status && next) {
        *error = later;
        return next;
    }
    return status ? status : report.stopped ? GR_STOPPED : GR_OK;
}

/* Takes up the newest good checkpoint of a folder, and its results where they shall go on. */
static gr_status resume(const char *from, const gr_settings *settings, gr_run *run,
                        gr_results **results, gr_error *error) {
    gr_checkpoint c;
    char said[1024];
    int in_place = settings->origin[GR_KEY_output].from != GR_FROM_OPTION;
    gr_status status = gr_keeper_find(from, settings, run, &c, said, error);
    if (status)
        return status;
    if (*said)
        fprintf(stderr, "%s\n", said);
    status = gr_run_resume(run, &c.snapshot, &c.tally, c.steps, error);
    if (!status)
        status = gr_run_restore_laws(run, c.laws, error);
    if (!status)
        status = gr_results_resume(settings, run, from, in_place, &c.writer, results, error);
    gr_checkpoint_free(&c);
    return status;
}

static gr_status open_tables(const gr_settings *settings, gr_run *run, observer *o,
                             gr_error *error) {
    gr_status status = gr_single_open(gr_results_folder(o->results), settings, &o->tables, error);
    return status ? status : gr_ledger_open(o->tables, 1, settings, run, &o->ledger, error);
}

/* From the first generation, or the one that was resumed, to the report. */
static gr_status evolve_and_conclude(const gr_settings *settings, gr_run *run, observer *o,
                                     int form, gr_error *error) {
    gr_error later = {GR_OK, ""};
    gr_status status = gr_keeper_open(settings, run, o->results, &o->keeper, error);
    if (status)
        return status;
    o->progress = gr_progress_start(settings, run, (gr_progress_form)form);
    status = evolve(run, o, error);
    gr_progress_end(o->progress);
    if (status == GR_DEVICE_FAILED)
        gr_results_abandon(o->results);
    else
        status = conclude(settings, run, o, status, error);
    if (gr_keeper_close(o->keeper, &later) && (status == GR_OK || status == GR_STOPPED)) {
        *error = later;
        status = later.status;
    }
    return status;
}

gr_status gr_evolve(const gr_settings *settings, const char *from, const gr_showing *showing,
                    gr_error *error) {
    gr_run *run;
    observer o = {.outdates = from != NULL};
    if (!*settings->devices && !gr_processes())
        gr_see_first_device();
    gr_status status = gr_run_open(settings, &run, error);
    if (status)
        return status;
    gr_signals_lead_to(run);
    status = from ? resume(from, settings, run, &o.results, error)
                  : gr_results_create(settings, run, &o.results, error);
    if (!status && showing->sqlite && (status = open_tables(settings, run, &o, error)))
        gr_results_abandon(o.results);
    if (!status) {
        if (!settings->quiet)
            print_start(settings, run);
        status = evolve_and_conclude(settings, run, &o, showing->progress, error);
    }
    gr_ledger_close(o.ledger);
    gr_tables_close(o.tables);
    gr_results_close(o.results);
    gr_signals_lead_to(NULL);
    gr_run_leave(run);
    return status;
}

gr_status gr_command_run(int argc, char **argv, gr_error *error) {
    gr_settings settings;
    gr_showing showing = {0};
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help();
            return GR_OK;
        }
    gr_signals_watch();
    gr_status status = read_settings(argc, argv, &settings, &showing, error);
    if (!status && showing.progress == GR_PROGRESS_WATCH && !isatty(STDERR_FILENO))
        status = gr_fail(error, GR_BAD_INPUT,
                         "--watch: the standard error is no terminal; expected one, or --progress "
                         "json");
    if (!status)
        status = gr_evolve(&settings, NULL, &showing, error);
    gr_settings_free(&settings);
    return status;
}
