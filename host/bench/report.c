/* Rows of grampus bench for readers and as JSON. */
#include "host/bench/bench.h"

#include "host/base/json.h"

#include <math.h>
#include <string.h>

/* ---- figures ---- */

double gr_bench_gpops(const gr_bench_result *r) {
    int breed = r->row->work == GR_BENCH_BREED;
    return breed || r->median <= 0.0 ? 0.0 : r->nodes * r->sizes.cases / r->median * 1e-9;
}

double gr_bench_figure(const gr_bench_result *r) {
    switch (r->row->unit) {
    case GR_UNIT_GENERATION:
        return r->median / r->generations;
    case GR_UNIT_SECONDS:
        return r->median;
    case GR_UNIT_INDIVIDUALS:
        return r->programs / r->median;
    default:
        return gr_bench_gpops(r);
    }
}

double gr_bench_issue(const gr_bench_result *r) {
    double cases_each = r->packed ? 32.0 : 1.0;
    return r->issue_rate > 0.0 ? gr_bench_gpops(r) * 1e11 / cases_each / r->issue_rate : 0.0;
}

int gr_bench_reaches(const gr_bench_result *r, double wanted) {
    int smaller = r->row->unit == GR_UNIT_GENERATION || r->row->unit == GR_UNIT_SECONDS;
    double figure = gr_bench_figure(r);
    return smaller ? figure <= wanted : figure >= wanted;
}

static double joules_per_gigagpop(const gr_bench_result *r) {
    double executed = r->nodes * r->sizes.cases * 1e-9;
    int breed = r->row->work == GR_BENCH_BREED;
    return breed || executed <= 0.0 ? (double)NAN : r->joules / executed;
}

static int is_reduced(const gr_bench_result *r) {
    return memcmp(&r->asked, &r->sizes, sizeof r->asked) != 0;
}

/* Targets are for the whole row on the machine it is meant for. */
static int counts(const gr_bench_result *r) {
    return r->row->at_least > 0.0 && (r->row->suite == GR_SUITE_CPU) == r->on_cpu && !is_reduced(r);
}

static const char *answers_name(gr_answers answers) {
    return answers == GR_ANSWERS_RIGHT ? "ok" : answers == GR_ANSWERS_WRONG ? "WRONG" : "UNCHECKED";
}

/* ---- the table ---- */

/* Three digits or more: 0.0312, 3.12, 31.2, 312, 3120. */
static const char *write_number(double value, char text[32]) {
    int before = value >= 1.0 ? (int)floor(log10(value)) + 1 : 0;
    int zeros = value > 0.0 && value < 0.1 ? (int)floor(-log10(value)) : 0;
    int decimals = before > 2 ? 0 : 3 - before + zeros;
    if (isnan(value) || value == 0.0)
        snprintf(text, 32, "-");
    else
        snprintf(text, 32, "%.*f", decimals, value);
    return text;
}

/* A figure of the row's unit with its unit. */
static const char *write_figure(const gr_bench_result *r, double figure, char text[64]) {
    static const char *const names[] = {"GPop/s", "us a generation", "s", "M individuals/s"};
    static const double scale[] = {1.0, 1e6, 1.0, 1e-6};
    char number[32];
    snprintf(text, 64, "%s %s", write_number(figure * scale[r->row->unit], number),
             names[r->row->unit]);
    return text;
}

void gr_bench_print_head(gr_suite suite, FILE *out) {
    fprintf(out, "\n%-23s %6s %8s %9s %6s %10s %7s %7s %7s  %s\n", gr_suite_names[suite], "inputs",
            "cases", "programs", "nodes", "GPop/s", "spread", "issue", "J/10^9", "answers");
}

static void print_answers(const gr_bench_result *r, FILE *out) {
    const gr_verdict *v = &r->verdict;
    if (r->tolerance == 0.0)
        fprintf(out, "%s, %u of %u the same bits\n", answers_name(r->answers), v->agreed,
                v->compared);
    else
        fprintf(out, "%s, %u of %u within %g, %u too sensitive\n", answers_name(r->answers),
                v->agreed, v->compared, r->tolerance, v->skipped);
    if (r->answers == GR_ANSWERS_WRONG)
        fprintf(out, "    %s\n", v->wrong);
}

static void print_sizes(const gr_bench_result *r, FILE *out) {
    const gr_bench_sizes *a = &r->asked, *s = &r->sizes;
    const char *between = "";
    if (!is_reduced(r))
        return;
    fprintf(out, "    reduced for %s: ", r->on_cpu ? "the CPU" : "--quick");
    const struct {
        const char *name;
        uint32_t asked, size;
    } parts[] = {{"runs", a->runs, s->runs},
                 {"population", a->population, s->population},
                 {"cases", a->cases, s->cases},
                 {"generations", a->generations, s->generations}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].asked != parts[i].size) {
            fprintf(out, "%s%s %u of %u", between, parts[i].name, parts[i].size, parts[i].asked);
            between = ", ";
        }
    fprintf(out, "\n");
}

static void print_phases(const gr_bench_result *r, FILE *out) {
    const double *phase = r->phase;
    double all = phase[GR_PHASE_SELECT] + phase[GR_PHASE_BREED] + phase[GR_PHASE_EVALUATE] +
                 phase[GR_PHASE_FIT] + phase[GR_PHASE_RANK];
    char figure[64];
    if (r->row->work != GR_BENCH_RUN)
        return;
    fprintf(out, "    %s", write_figure(r, gr_bench_figure(r), figure));
    if (r->row->unit == GR_UNIT_GPOPS)
        fprintf(out, ", %.3g us a generation", r->median / r->generations * 1e6);
    if (all > 0.0)
        fprintf(out, "; selection %.0f %%, breeding %.0f %%, evaluation %.0f %%",
                100.0 * phase[GR_PHASE_SELECT] / all, 100.0 * phase[GR_PHASE_BREED] / all,
                100.0 * phase[GR_PHASE_EVALUATE] / all);
    if (all > 0.0 && phase[GR_PHASE_FIT] > 0.0)
        fprintf(out, ", fitting %.0f %%", 100.0 * phase[GR_PHASE_FIT] / all);
    if (all > 0.0 && phase[GR_PHASE_RANK] > 0.0)
        fprintf(out, ", ranking on all cases %.0f %%", 100.0 * phase[GR_PHASE_RANK] / all);
    fprintf(out, "\n");
}

static void print_breeding(const gr_bench_result *r, FILE *out) {
    char figure[64], codons[32];
    if (r->row->work == GR_BENCH_BREED)
        fprintf(out, "    %s, %s M mapped codons/s\n", write_figure(r, gr_bench_figure(r), figure),
                write_number(r->codons / r->median * 1e-6, codons));
}

static void print_targets(const gr_bench_result *r, FILE *out) {
    const gr_bench_row *row = r->row;
    char first[64], then[64], times[32];
    if (counts(r))
        fprintf(out, "    target %s, beyond %s: %s\n", write_figure(r, row->at_least, first),
                write_figure(r, row->beyond, then),
                gr_bench_reaches(r, row->beyond)     ? "beyond"
                : gr_bench_reaches(r, row->at_least) ? "reached"
                                                     : "not reached");
    if (row->paper <= 0.0)
        return;
    fprintf(out, "    paper: %s (%s)", write_figure(r, row->paper, first), row->source);
    double factor = gr_bench_figure(r) / row->paper;
    if (row->unit == GR_UNIT_GPOPS || !is_reduced(r))
        fprintf(out, "; %s times as fast",
                write_number(row->unit == GR_UNIT_GPOPS ? factor : 1.0 / factor, times));
    fprintf(out, "\n");
}

void gr_bench_print(const gr_bench_result *r, FILE *out) {
    char cell[4][32], spread[32];
    int known = r->answers == GR_ANSWERS_RIGHT; /* no figure of wrong answers */
    double programs = (double)r->sizes.population * r->sizes.runs;
    snprintf(spread, sizeof spread, "%.1f %%", 100.0 * (r->most - r->least) / r->median);
    write_number(known ? gr_bench_gpops(r) : 0.0, cell[0]);
    write_number(known ? gr_bench_issue(r) : 0.0, cell[1]);
    write_number(known ? joules_per_gigagpop(r) : 0.0, cell[2]);
    if (strcmp(cell[1], "-") != 0)
        strcat(cell[1], " %");
    fprintf(out, "%-23s %6u %8u %9.0f %6.1f %10s %7s %7s %7s  ", r->row->name, r->inputs,
            r->sizes.cases, programs, r->nodes / r->programs, cell[0], known ? spread : "-",
            cell[1], cell[2]);
    print_answers(r, out);
    print_sizes(r, out);
    if (known) {
        print_phases(r, out);
        print_breeding(r, out);
        print_targets(r, out);
    }
    fflush(out);
}

/* ---- JSON ---- */

/* A number, or null where there is none (0 or NaN). */
static void add_known(cJSON *object, const char *name, double value) {
    if (isnan(value) || value == 0.0)
        cJSON_AddNullToObject(object, name);
    else
        cJSON_AddNumberToObject(object, name, value);
}

static void add_sizes(cJSON *object, const gr_bench_sizes *sizes) {
    gr_json_add_whole(object, "runs", sizes->runs);
    gr_json_add_whole(object, "population", sizes->population);
    gr_json_add_whole(object, "cases", sizes->cases);
    gr_json_add_whole(object, "generations", sizes->generations);
}

static void add_answers(cJSON *object, const gr_bench_result *r) {
    const gr_verdict *v = &r->verdict;
    cJSON_AddBoolToObject(object, "verified", r->answers == GR_ANSWERS_RIGHT);
    cJSON *answers = cJSON_AddObjectToObject(object, "answers");
    cJSON_AddNumberToObject(answers, "compared", v->compared);
    cJSON_AddNumberToObject(answers, "agreed", v->agreed);
    cJSON_AddNumberToObject(answers, "finite", v->finite);
    cJSON_AddNumberToObject(answers, "too_sensitive", v->skipped);
    cJSON_AddNumberToObject(answers, "tolerance", r->tolerance);
    cJSON_AddNumberToObject(answers, "worst", v->worst);
    gr_json_add_text(answers, "wrong", *v->wrong ? v->wrong : NULL);
}

static void add_targets(cJSON *object, const gr_bench_result *r) {
    static const char *const units[] = {"GPop/s", "seconds a generation", "seconds",
                                        "individuals/s"};
    const gr_bench_row *row = r->row;
    gr_json_add_text(object, "unit", units[row->unit]);
    add_known(object, "figure", r->answers == GR_ANSWERS_RIGHT ? gr_bench_figure(r) : 0.0);
    if (row->at_least > 0.0) {
        cJSON *target = cJSON_AddObjectToObject(object, "target");
        cJSON_AddNumberToObject(target, "at_least", row->at_least);
        cJSON_AddNumberToObject(target, "beyond", row->beyond);
        if (counts(r) && r->answers == GR_ANSWERS_RIGHT)
            cJSON_AddBoolToObject(target, "reached", gr_bench_reaches(r, row->at_least));
        else
            cJSON_AddNullToObject(target, "reached");
    } else
        cJSON_AddNullToObject(object, "target");
    if (row->paper > 0.0) {
        cJSON *paper = cJSON_AddObjectToObject(object, "paper");
        cJSON_AddNumberToObject(paper, "figure", row->paper);
        gr_json_add_text(paper, "source", row->source);
    } else
        cJSON_AddNullToObject(object, "paper");
}

static void add_measures(cJSON *object, const gr_bench_result *r) {
    static const char *const phases[GR_PHASES] = {"select", "breed", "evaluate", "fit", "rank"};
    int known = r->answers == GR_ANSWERS_RIGHT, breed = r->row->work == GR_BENCH_BREED;
    cJSON *seconds = cJSON_AddObjectToObject(object, "seconds");
    cJSON_AddNumberToObject(seconds, "median", r->median);
    cJSON_AddNumberToObject(seconds, "least", r->least);
    cJSON_AddNumberToObject(seconds, "most", r->most);
    add_known(object, "opening_seconds", r->opened);
    add_known(object, "gpops", known ? gr_bench_gpops(r) : 0.0);
    add_known(object, "issue_percent", known ? gr_bench_issue(r) : 0.0);
    add_known(object, "bytes", r->bytes);
    add_known(object, "transferred", r->transferred);
    add_known(object, "joules_per_gigagpop", known ? joules_per_gigagpop(r) : 0.0);
    add_known(object, "individuals_per_second", known && breed ? r->programs / r->median : 0.0);
    add_known(object, "codons_per_second", known && breed ? r->codons / r->median : 0.0);
    cJSON *split = cJSON_AddObjectToObject(object, "phases");
    for (int k = 0; k < GR_PHASES; k++)
        if (k >= GR_PHASE_FIT && r->phase[k] == 0.0) /* measured, and there was none */
            cJSON_AddNumberToObject(split, phases[k], 0.0);
        else
            add_known(split, phases[k], r->phase[k]);
}

cJSON *gr_bench_json(const gr_bench_result *r) {
    cJSON *object = cJSON_CreateObject();
    gr_json_add_text(object, "suite", gr_suite_names[r->row->suite]);
    gr_json_add_text(object, "name", r->row->name);
    gr_json_add_text(object, "device", r->device);
    gr_json_add_text(object, "math", r->math);
    gr_json_add_text(object, "functions", r->functions);
    gr_json_add_whole(object, "inputs", r->inputs);
    add_sizes(object, &r->sizes);
    if (is_reduced(r))
        add_sizes(cJSON_AddObjectToObject(object, "reduced_from"), &r->asked);
    else
        cJSON_AddNullToObject(object, "reduced_from");
    cJSON_AddNumberToObject(object, "nodes_mean", r->nodes / r->programs);
    gr_json_add_whole(object, "nodes_total", (unsigned long long)r->nodes);
    gr_json_add_whole(object, "repeats", r->repeats);
    add_measures(object, r);
    add_answers(object, r);
    add_targets(object, r);
    return object;
}
