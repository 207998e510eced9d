#include "host/run/dumps.h"

#include "gpu/core/state/state.h"
#include "host/base/decimal.h"
#include "host/base/output.h"
#include "host/base/text.h"
#include "host/cpu/processors.h"
#include "host/cpu/team.h"
#include "host/derivation/phenotype.h"
#include "host/problem/shown_fitness.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 256, WAVE = 256 }; /* individuals a text, texts that wait to be written */

typedef struct dump {
    gr_run *run;
    const gr_params *p;
    uint32_t generation, shown, of_run; /* of every run so many of so many */
    gr_individual *individual;          /* [n], as the next two: of the runs up to the last shown */
    float *cost;
    uint32_t *genotype;
    uint64_t first; /* row of the wave */
    char *text[WAVE];
    size_t length[WAVE];
    gr_status status[WAVE];
    gr_error error[WAVE];
} dump;

/* ---- a row ---- */

/* Text in one field: what would end it, and backslashes, as \t, \n, \r and \\. */
static void put_text(FILE *out, const char *text) {
    static const char special[] = "\t\n\r\\", letters[] = "tnr\\";
    for (; text && *text; text++) {
        const char *at = strchr(special, *text);
        if (at)
            fprintf(out, "\\%c", letters[at - special]);
        else
            fputc(*text, out);
    }
}

static void put_genome(FILE *out, const gr_best *b) {
    fputc('[', out);
    for (uint32_t k = 0; k < b->length; k++)
        fprintf(out, "%s%u", k ? "," : "", b->genome[k]);
    fputc(']', out);
}

static gr_status put_row(const dump *d, uint64_t row, FILE *out, gr_error *error) {
    uint32_t run = (uint32_t)(row / d->shown), place = (uint32_t)(row % d->shown);
    size_t i = (size_t)run * d->of_run + place;
    const gr_individual *individual = &d->individual[i];
    char fitness[32];
    gr_best b = {.run = run,
                 .validity = individual->validity,
                 .nodes = individual->nodes,
                 .length = individual->length};
    if (!individual->length) /* of a run that has ended */
        return GR_OK;
    gr_status status =
        gr_run_show(d->run, d->genotype + i * gr_genotype_words(d->p), NULL, 1, &b, error);
    if (status)
        return status;
    *gr_put_nine(fitness, gr_fitness_of(d->p->metric, d->cost[i])) = '\0';
    fprintf(out, "%u\t%u\t%u\t%s\t%s\t", run, d->generation, place, fitness,
            gr_validity_name(individual->validity));
    if (b.genome)
        put_genome(out, &b);
    else
        put_text(out, b.infix); /* of a tree */
    fputc('\t', out);
    put_text(out, b.phenotype);
    fputc('\t', out);
    put_text(out, b.infix);
    fputc('\n', out);
    gr_best_free(&b);
    return GR_OK;
}

/* ---- the file ---- */

static void make_texts(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    dump *d = context;
    uint64_t rows = (uint64_t)d->p->runs * d->shown;
    (void)thread;
    for (uint64_t k = first; k < last; k++) {
        uint64_t from = d->first + k * BLOCK, to = from + BLOCK < rows ? from + BLOCK : rows;
        FILE *out = open_memstream(&d->text[k], &d->length[k]);
        d->status[k] = out ? GR_OK : gr_fail(&d->error[k], GR_NO_MEMORY, "no memory for a dump");
        for (uint64_t row = from; !d->status[k] && row < to; row++)
            d->status[k] = put_row(d, row, out, &d->error[k]);
        if (out && fclose(out) != 0 && !d->status[k])
            d->status[k] = gr_fail(&d->error[k], GR_NO_MEMORY, "no memory for a dump");
    }
}

static gr_status write_rows(dump *d, gr_output *file, gr_team *team, gr_error *error) {
    uint64_t rows = (uint64_t)d->p->runs * d->shown;
    gr_status status = GR_OK;
    for (d->first = 0; !status && d->first < rows; d->first += (uint64_t)WAVE * BLOCK) {
        uint64_t left = (rows - d->first + BLOCK - 1) / BLOCK, blocks = left < WAVE ? left : WAVE;
        gr_team_loop(team, blocks, 1, make_texts, d);
        for (uint64_t k = 0; k < blocks; k++) {
            if (!status && d->status[k]) {
                *error = d->error[k];
                status = d->status[k];
            }
            if (!status)
                status = gr_output_write(file, d->text[k], d->length[k], error);
            free(d->text[k]);
            d->text[k] = NULL;
        }
    }
    return status;
}

static gr_status write_file(dump *d, const char *folder, gr_error *error) {
    static const char head[] =
        "run\tgen\tplace\tfitness\tvalidity\tgenotype\tphenotype\texpression\n";
    char name[48];
    gr_fresh fresh;
    snprintf(name, sizeof name, "population_%u.tsv", d->generation);
    gr_status status = gr_fresh_open(&fresh, folder, name, error);
    if (!status) {
        gr_output file = {.descriptor = fileno(fresh.file), .path = fresh.path}; /* whole blocks */
        uint32_t threads = gr_threads_for(&gr_run_problem(d->run)->job);
        gr_team *team = gr_team_open(threads);
        status = gr_output_write(&file, head, sizeof head - 1, error);
        if (!status)
            status = write_rows(d, &file, team, error);
        gr_team_close(team);
    }
    return gr_fresh_close(&fresh, status, error);
}

/* ---- what it is about ---- */

/* A run that ended before this generation has nobody in it; of several objectives it keeps its
 * population. */
static gr_status forget_ended(dump *d, size_t n, gr_error *error) {
    uint32_t islands = d->p->islands;
    size_t demes = (size_t)(d->p->runs - 1) * islands + 1;
    gr_record *record = malloc(demes * sizeof *record);
    gr_status status =
        record ? gr_run_read(d->run, GR_SECTION_RECORDS, record, demes * sizeof *record, error)
               : gr_fail(error, GR_NO_MEMORY, "no memory for %zu record%s", demes, gr_s(demes));
    for (size_t i = 0; !status && i < n; i++)
        if (!record[i / d->of_run * islands].written)
            d->individual[i].length = 0;
    free(record);
    return status;
}

/* The generation selected last: while another one has been bred it is that one's parents. */
static gr_status read_all(dump *d, int finished, gr_error *error) {
    size_t n = (size_t)(d->p->runs - 1) * d->of_run + d->shown, words = gr_genotype_words(d->p);
    d->individual = malloc(n * sizeof *d->individual);
    d->cost = malloc(n * sizeof *d->cost);
    d->genotype = malloc(n * words * sizeof *d->genotype);
    if (!d->individual || !d->cost || !d->genotype)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a dump of %zu individual%s", n, gr_s(n));
    gr_status status =
        gr_run_read(d->run, finished ? GR_SECTION_INDIVIDUALS : GR_SECTION_SELECTED_INDIVIDUALS,
                    d->individual, n * sizeof *d->individual, error);
    if (!status)
        status =
            gr_run_read(d->run, finished ? GR_SECTION_GENOTYPES : GR_SECTION_SELECTED_GENOTYPES,
                        d->genotype, n * words * sizeof *d->genotype, error);
    if (!status)
        status = gr_run_read(d->run, GR_SECTION_COSTS, d->cost, n * sizeof *d->cost, error);
    return status || !d->p->objectives ? status : forget_ended(d, n, error);
}

gr_status gr_dump(gr_run *run, const gr_settings *settings, const char *folder, gr_error *error) {
    gr_run_report report;
    dump d = {.run = run, .p = &gr_run_problem(run)->job.params};
    gr_run_look(run, &report);
    d.generation = report.generation;
    d.of_run = d.p->islands * d.p->population;
    d.shown =
        settings->dump_first && settings->dump_first < d.of_run ? settings->dump_first : d.of_run;
    int last =
        report.finished || report.reason == GR_REACHED_LAW; /* which the engine goes on after */
    if (!settings->dump_every || !report.selected || !report.complete ||
        (d.generation % settings->dump_every && !last))
        return GR_OK;
    gr_status status = read_all(&d, report.finished, error);
    if (!status)
        status = write_file(&d, folder, error);
    free(d.individual);
    free(d.cost);
    free(d.genotype);
    return status;
}

/* ---- a run that was resumed ---- */

/* Whether a name is that of a dump; its generation, and whether it is the part of one that was
 * killed (gr_fresh_open). */
static int is_dump(const char *name, uint32_t *generation, int *is_part) {
    char again[48];
    if (sscanf(name, "population_%u.tsv", generation) != 1)
        return 0;
    size_t whole = (size_t)snprintf(again, sizeof again, "population_%u.tsv", *generation);
    *is_part = strcmp(name + gr_min_u32((uint32_t)strlen(name), (uint32_t)whole), ".new") == 0;
    return strncmp(name, again, whole) == 0 && (*is_part || !name[whole]);
}

static gr_status take_over(const char *from, const char *to, gr_error *error) {
    struct stat facts;
    return stat(from, &facts) != 0 ? gr_output_fail(from, error)
                                   : gr_copy_file(from, to, (uint64_t)facts.st_size, error);
}

gr_status gr_dumps_resume(const gr_run *run, const gr_settings *settings, const char *from,
                          const char *folder, gr_error *error) {
    gr_run_report report;
    gr_status status = GR_OK;
    uint32_t generation;
    int is_part;
    gr_run_look(run, &report);
    DIR *directory = settings->dump_every ? opendir(from) : NULL;
    if (settings->dump_every && !directory)
        return gr_output_fail(from, error);
    for (struct dirent *entry; directory && !status && (entry = readdir(directory));) {
        if (!is_dump(entry->d_name, &generation, &is_part))
            continue;
        char *there = gr_path_join(from, entry->d_name),
             *here = gr_path_join(folder, entry->d_name);
        int is_of_then =
            !is_part && generation <= report.generation && generation % settings->dump_every == 0;
        if (!there || !here)
            status = gr_fail(error, GR_NO_MEMORY, "no memory for a path");
        else if (is_of_then && strcmp(from, folder) != 0)
            status = take_over(there, here, error);
        else if (!is_of_then && strcmp(from, folder) == 0 && unlink(there) != 0)
            status = gr_output_fail(there, error);
        free(there);
        free(here);
    }
    if (directory)
        closedir(directory);
    return status;
}
