#include "tools/ladder/report.h"

#include "host/base/json.h"

#include <stdio.h>

/* ---- Tables 5 and 6 of Chitty 2017, in percent ---- */

enum { RPN_FIRST = 2, RPN_LIMITS = 9, LINEAR_FIRST = 1, LINEAR_LIMITS = 11 };
static const double paper_rpn[LADDER_SETS][RPN_LIMITS] = {
    {18.71, 35.47, 84.72, 95.37, 98.62, 99.78, 99.94, 99.98, 100.0},
    {3.91, 17.89, 77.18, 91.00, 95.97, 98.40, 99.26, 99.59, 99.86},
    {5.54, 36.16, 79.97, 93.73, 97.73, 99.05, 99.68, 99.91, 99.96},
    {7.30, 24.11, 39.40, 59.24, 66.34, 72.63, 76.71, 80.26, 83.23}};
static const double paper_linear[LADDER_SETS][LINEAR_LIMITS] = {
    {27.33, 86.29, 98.47, 99.86, 99.99, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0},
    {25.61, 87.06, 97.77, 99.57, 99.91, 99.98, 100.0, 100.0, 100.0, 100.0, 100.0},
    {29.83, 63.06, 96.99, 99.69, 99.95, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0},
    {16.01, 44.88, 67.47, 75.73, 81.77, 85.34, 87.00, 90.42, 93.38, 95.34, 97.26}};

static const double *paper_share(ladder_set set, uint32_t form, uint32_t limit) {
    if (set >= LADDER_MACKEY)
        return NULL;
    if (form == 0 && limit >= RPN_FIRST && limit < RPN_FIRST + RPN_LIMITS)
        return &paper_rpn[set][limit - RPN_FIRST];
    if (form == 1 && limit >= LINEAR_FIRST && limit < LINEAR_FIRST + LINEAR_LIMITS)
        return &paper_linear[set][limit - LINEAR_FIRST];
    return NULL;
}

static void print_share(const double *share) {
    if (share)
        printf(" %8.2f", *share);
    else
        printf(" %8s", "-");
}

void ladder_print_levels(const ladder_problem *problem, const ladder_levels *levels,
                         uint32_t runs) {
    printf("\n%s: percentage of programs that a stack of so many levels can hold\n"
           "(%llu programs of %u run%s; ordered: operands in Sethi-Ullman order, the accumulator "
           "counted as a level)\n",
           problem->title, (unsigned long long)levels->programs, runs, runs == 1 ? "" : "s");
    printf("%6s %18s %18s %9s\n", "", "RPN (Table 5)", "linear (Table 6)", "ordered");
    printf("%6s %8s  %8s %8s  %8s %9s\n", "levels", "paper", "here", "paper", "here", "here");
    for (uint32_t limit = 1; limit < LINEAR_FIRST + LINEAR_LIMITS; limit++) {
        printf("%6u", limit);
        for (uint32_t form = 0; form < LADDER_FORMS; form++) {
            if (form < 2)
                print_share(paper_share(problem->set, form, limit));
            printf(" %8.2f", ladder_share(levels, form, limit));
        }
        printf("\n");
    }
}

static const char *const forms[LADDER_FORMS] = {"rpn", "linear", "ordered"};

void ladder_write_levels(const ladder_problem *problem, const ladder_levels *levels, FILE *out) {
    for (uint32_t form = 0; form < LADDER_FORMS; form++)
        for (uint32_t limit = 1; limit < LINEAR_FIRST + LINEAR_LIMITS; limit++) {
            const double *share = paper_share(problem->set, form, limit);
            fprintf(out, "%s\t%s\t%u\t%.2f\t", problem->name, forms[form], limit,
                    ladder_share(levels, form, limit));
            if (share)
                fprintf(out, "%.2f", *share);
            fprintf(out, "\t%llu\n", (unsigned long long)levels->programs);
        }
}

/* ---- rates ---- */

void ladder_print_head(const ladder_card *card, uint32_t repeats) {
    printf("%s, %u multiprocessors. Exact arithmetic; median of %u repeats, the L2 cache "
           "overwritten before each; +- half of their range.\n",
           card->name, card->units, repeats);
    printf(
        "G         10^9 nodes (functions and leaves) of all programs x fitness cases / time, "
        "executed only\n"
        "initial   generation 0 of a run; evolved: programs drawn evenly from all its "
        "generations; whole run: all of them\n"
        "launch    threads of a block x blocks that share the cases of a program (in the papers "
        "1), the best of several\n"
        "verified  outputs on a sample of the cases the same bits as the CPU reference's; sums "
        "of the timed cases within the\n"
        "          rounding of their order, counts equal; Grampus: fitness of all cases the same "
        "bits\n");
}

static void print_figure(const ladder_figure *figure) {
    if (figure->state == LADDER_VERIFIED)
        printf(" %9.1f +-%4.1f %%", 1e-9 * figure->rate, 100.0 * figure->spread);
    else
        printf(" %18s", figure->state == LADDER_FAILED ? "FAILED" : "-");
}

/* How the evolved population was launched, and whether on all cases. */
static void print_launch(const ladder_row *row, const ladder_problem *problem) {
    const ladder_launch *launch = &row->figure[LADDER_EVOLVED].launch;
    char text[32] = "";
    if (launch->threads)
        snprintf(text, sizeof text, "%u x %u", launch->threads, launch->slices);
    printf(" %9s", text);
    const ladder_figure *failed = NULL;
    for (int i = 0; i < LADDER_POPULATIONS; i++)
        if (!failed && row->figure[i].state == LADDER_FAILED)
            failed = &row->figure[i];
    if (failed)
        printf("  FAILED: %s", failed->why);
    if (!failed)
        printf("  yes");
    if (!failed && launch->cases && launch->cases < problem->all.cases)
        printf(", on %u cases", launch->cases * problem->cases_of_a_float);
    printf("\n");
}

void ladder_print_rates(const ladder_results *results) {
    const ladder_problem *problem = results->problem;
    const ladder_population *population = results->programs->population;
    int packed = problem->cases_of_a_float > 1;
    printf("\n%s: %u cases%s, %u input%s; %u programs, on average of %.1f (initial) and %.1f "
           "(evolved) nodes\n",
           problem->title, problem->all.cases * problem->cases_of_a_float,
           packed ? " in words of 32" : "", problem->all.inputs,
           problem->all.inputs == 1 ? "" : "s", population[0].programs,
           (double)population[LADDER_INITIAL].total / population[0].programs,
           (double)population[LADDER_EVOLVED].total / population[0].programs);
    if (packed)
        printf("A node evaluation of a word counts as 32; G / 32 are the word operations.\n");
    printf("%-31s %9s %-9s %18s %18s %9s  %s\n", "strategy", "paper, G", "card", "initial, G   ",
           "evolved, G   ", "launch", "verified");
    for (uint32_t i = 0; i < results->count; i++) {
        const ladder_row *row = &results->rows[i];
        char paper[16] = "-";
        if (row->paper > 0.0)
            snprintf(paper, sizeof paper, "%.3f", row->paper);
        printf("%-31s %9s %-9s", row->title, paper, row->paper > 0.0 ? row->card : "");
        for (int k = 0; k < LADDER_POPULATIONS; k++)
            print_figure(&row->figure[k]);
        print_launch(row, problem);
    }
}

void ladder_write_rates(const ladder_results *results, FILE *out) {
    static const char *const names[LADDER_POPULATIONS] = {"initial", "evolved"};
    const ladder_problem *problem = results->problem;
    for (uint32_t i = 0; i < results->count; i++)
        for (int k = 0; k < LADDER_POPULATIONS; k++) {
            const ladder_figure *f = &results->rows[i].figure[k];
            const ladder_population *population = &results->programs->population[k];
            uint32_t cases = f->launch.cases ? f->launch.cases : problem->all.cases;
            if (f->state == LADDER_VERIFIED)
                fprintf(out, "%s\t%s\t%s\t%u\t%.1f\t%u\t%u\t%u\t%.6g\t%.3g\n", problem->name,
                        results->rows[i].name, names[k], population->programs,
                        (double)population->total / population->programs,
                        cases * problem->cases_of_a_float, f->launch.threads, f->launch.slices,
                        1e-9 * f->rate, f->spread);
        }
}

/* ---- JSON ---- */

static cJSON *figure_json(const ladder_figure *figure, uint32_t cases_of_a_float) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "verified", figure->state == LADDER_VERIFIED);
    if (figure->state == LADDER_VERIFIED) {
        gr_json_add_float(object, "gpops", figure->rate);
        gr_json_add_float(object, "spread", figure->spread);
    } else
        gr_json_add_text(object, "why", figure->why);
    if (figure->launch.threads) {
        gr_json_add_whole(object, "threads", figure->launch.threads);
        gr_json_add_whole(object, "slices", figure->launch.slices);
    }
    if (figure->launch.cases)
        gr_json_add_whole(object, "cases",
                          (unsigned long long)figure->launch.cases * cases_of_a_float);
    return object;
}

static cJSON *levels_json(ladder_set set, const ladder_levels *levels) {
    cJSON *object = cJSON_CreateObject();
    gr_json_add_whole(object, "programs", levels->programs);
    for (uint32_t form = 0; form < LADDER_FORMS; form++) {
        cJSON *one = cJSON_AddObjectToObject(object, forms[form]);
        cJSON *here = cJSON_AddArrayToObject(one, "here"), *paper = NULL;
        if (form < 2)
            paper = cJSON_AddArrayToObject(one, "paper");
        for (uint32_t limit = 1; limit < LINEAR_FIRST + LINEAR_LIMITS; limit++) {
            const double *share = paper_share(set, form, limit);
            cJSON_AddItemToArray(here, gr_json_float(ladder_share(levels, form, limit)));
            if (paper)
                cJSON_AddItemToArray(paper, share ? gr_json_float(*share) : cJSON_CreateNull());
        }
    }
    return object;
}

cJSON *ladder_results_json(const ladder_results *results) {
    const ladder_problem *problem = results->problem;
    const ladder_population *population = results->programs->population;
    cJSON *object = cJSON_CreateObject();
    gr_json_add_text(object, "problem", problem->name);
    gr_json_add_whole(object, "cases",
                      (unsigned long long)problem->all.cases * problem->cases_of_a_float);
    gr_json_add_whole(object, "inputs", problem->all.inputs);
    gr_json_add_whole(object, "cases_a_word", problem->cases_of_a_float);
    gr_json_add_whole(object, "programs", population[0].programs);
    cJSON *nodes = cJSON_AddObjectToObject(object, "nodes");
    cJSON *list = cJSON_AddArrayToObject(object, "strategies");
    for (int k = 0; k < LADDER_POPULATIONS; k++)
        gr_json_add_whole(nodes, population[k].name, population[k].total);
    for (uint32_t i = 0; i < results->count; i++) {
        const ladder_row *row = &results->rows[i];
        cJSON *one = cJSON_CreateObject();
        gr_json_add_text(one, "name", row->name);
        gr_json_add_text(one, "title", row->title);
        if (row->paper > 0.0) {
            gr_json_add_float(one, "paper_gpops", 1e9 * row->paper);
            gr_json_add_text(one, "paper_card", row->card);
        }
        for (int k = 0; k < LADDER_POPULATIONS; k++)
            if (row->figure[k].state != LADDER_SKIPPED)
                cJSON_AddItemToObject(one, population[k].name,
                                      figure_json(&row->figure[k], problem->cases_of_a_float));
        cJSON_AddItemToArray(list, one);
    }
    cJSON_AddItemToObject(object, "levels", levels_json(problem->set, &results->programs->levels));
    return object;
}
