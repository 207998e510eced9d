/* The outcome of a run for readers: best.txt, runs.tsv, and what is printed at the end. */
#include "host/base/decimal.h"
#include "host/base/text.h"
#include "host/derivation/phenotype.h"
#include "host/run/outcome.h"
#include "host/settings/uses.h"

#include <math.h>
#include <string.h>

static void print_law(FILE *out, const gr_law *law) {
    if (!law->text) {
        fprintf(out, "law         none: no program came near the target\n");
        return;
    }
    fprintf(out, "law         %s\n            %s: rmse %.3g on %llu case%s", law->text,
            law->exact     ? "exact"
            : law->rounded ? "not exact"
                           : "not exact, some constants as they were fitted",
            law->rmse[0], (unsigned long long)law->cases[0], gr_s(law->cases[0]));
    if (law->cases[1])
        fprintf(out, ", %.3g on %llu test case%s, %llu of them outside the training cases",
                law->rmse[1], (unsigned long long)law->cases[1], gr_s(law->cases[1]),
                (unsigned long long)law->outside);
    fputc('\n', out);
}

static void print_fitness(FILE *out, const char *name, double train, double test) {
    fprintf(out, "%-11s %.9g", name, train);
    if (!isnan(test))
        fprintf(out, ", test %.9g", test);
}

/* One line where the reported fitness is not what the program gives. */
static void print_recomputed(FILE *out, const gr_settings *settings, const gr_run *run,
                             const gr_best *b) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    gr_run_report report;
    if (!b->differs)
        return;
    gr_run_look(run, &report);
    print_fitness(out, "recomputed", b->recomputed[0], b->recomputed[1]);
    fprintf(out, " in double from the predictions of grampus eval, not %.9g", b->train);
    if (!isnan(b->test))
        fprintf(out, " and %.9g", b->test);
    if (settings->math == GR_MATH_FAST && strcmp(report.backend, "cuda") == 0)
        fprintf(out, " (math: fast; those of eval are exact)");
    fprintf(out, "%s\n", p->stop_at_target ? "; not counted as solved" : "");
}

static void print_genome(FILE *out, const gr_best *b) {
    fprintf(out, "genome      [");
    for (uint32_t i = 0; i < b->length; i++)
        fprintf(out, "%s%u", i ? ", " : "", b->genome[i]);
    fprintf(out, "]\n            %u codon%s, %u used\n", b->length, gr_s(b->length), b->used);
}

/* When it was found, or how it was chosen, or that nobody bred it. */
static void print_source(FILE *out, const gr_settings *settings, const gr_run *run,
                         const gr_best *b) {
    static const char *const among[] = {[GR_FROM_POPULATION] = "population",
                                        [GR_FROM_FRONT] = "front",
                                        [GR_FROM_ARCHIVE] = "archive"};
    const gr_params *p = &gr_run_problem(run)->job.params;
    uint32_t by = gr_run_problem(run)->front_choice;
    char word[32];
    int is_chosen = b->source > GR_FROM_RECORD && b->source < GR_FROM_LINEAR;
    if (b->source == GR_FROM_LINEAR)
        fprintf(out, "found       by least squares: the linear model of the inputs");
    else if (b->source == GR_FROM_MEAN)
        fprintf(out, "found       nothing that chance would not: the mean of the target");
    else if (!is_chosen)
        fprintf(out, "found       in generation %u", b->generation);
    else if (p->sampling)
        fprintf(out, "found       chosen on all cases");
    else
        fprintf(out, "found       chosen by %s",
                by == GR_AUTO ? "error" : gr_settings_text(settings, GR_KEY_front_choice, word));
    if (is_chosen)
        fprintf(out, " from the %s of generation %u", among[b->source], b->generation);
    if (b->source < GR_FROM_LINEAR)
        fprintf(out, " with seed %llu", (unsigned long long)b->seed);
    if (p->restart_after)
        fprintf(out, ", %u restart%s", b->restarts, gr_s(b->restarts));
    if (by == GR_CHOICE_BIC && !is_chosen)
        fprintf(out, "; chosen by bic");
    fputc('\n', out);
}

static void print_best(FILE *out, const gr_settings *settings, const gr_run *run,
                       const char *metric, const gr_best *b, int whole) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    int valid = b->validity == GR_VALID;
    if (valid)
        fprintf(out, "best        %s\n", b->infix);
    else
        fprintf(out, "best        none (%s)\n", gr_validity_name(b->validity));
    print_fitness(out, metric, b->train, b->test);
    if (!isnan(b->validation) && isfinite(b->train))
        fprintf(out, ", validation %.9g", b->validation);
    else if (!isnan(b->validation)) /* nobody looked (gr_validated_cost) */
        fputs(", not validated", out);
    fputc('\n', out);
    print_recomputed(out, settings, run, b);
    if (valid) {
        fprintf(out, "size        %u node%s, %sdepth %u\n", b->nodes, gr_s(b->nodes),
                b->genome ? "derivation " : "", b->depth);
        print_source(out, settings, run, b);
    }
    if (gr_best_is_scaled(p, b)) {
        char intercept[32], slope[32]; /* all digits: few of them may be left in their sum */
        gr_text_print_double(b->intercept, intercept);
        gr_text_print_double(b->slope, slope);
        fprintf(out, "scaling     %s + %s * best\n", intercept, slope);
    }
    if (whole && b->genome && b->phenotype)
        fprintf(out, "phenotype   %s\n", b->phenotype);
    for (uint32_t k = 0; whole && k < b->constants_count; k++)
        fprintf(out, "%sc[%u] = %.9g%s", k ? ", " : "constants   ", b->constants[k].index,
                (double)b->constants[k].value, k + 1 < b->constants_count ? "" : "\n");
    if (whole && b->genome)
        print_genome(out, b);
}

static void print_classes(FILE *out, const gr_settings *settings, const gr_run *run,
                          const gr_outcome *o, int whole) {
    static const char *const names[] = {"", "test "};
    const gr_dataset *named = &gr_run_problem(run)->train;
    for (int which = 0; which < 2; which++) {
        const gr_classes *c = &o->classes[which];
        if (!c->count)
            continue;
        fprintf(out,
                "%-11s %saccuracy %.4f, macro F1 %.4f, ROC area %.4f; thresholds fitted to "
                "the outputs: accuracy %.4f\n",
                which ? "" : "classes", names[which], c->accuracy, c->f1, c->roc_area,
                o->fitted_accuracy[which]);
    }
    uint32_t rules = settings->class_rule == GR_CLASS_ARGMAX ? 0 : o->rules; /* its own, inside */
    if (rules)
        fprintf(out, "thresholds ");
    for (uint32_t k = 0; k < rules; k++)
        fprintf(out, " %.9g%s", (double)o->rule[k], k + 1 < rules ? "," : "\n");
    for (int which = 0; whole && which < 2; which++)
        if (o->classes[which].count) {
            fprintf(out, "\n%s cases\n", which ? "test" : "training");
            gr_classes_print(&o->classes[which], named, out);
        }
}

static void print_summary(FILE *out, const char *name, const gr_spread *s) {
    fprintf(out, "%-11s median %.6g, quartiles %.6g and %.6g, mean %.6g, from %.6g to %.6g\n", name,
            s->quartile[1], s->quartile[0], s->quartile[2], s->mean, s->least, s->most);
}

static void print_runs(FILE *out, const gr_params *p, const gr_outcome *o) {
    fprintf(out, "\n%u runs\n", o->runs);
    if (p->stop_at_target)
        fprintf(out, "successes   %u of %u (%.1f %%)\n", o->solved, o->runs,
                100.0 * (double)o->solved / (double)o->runs);
    if (o->differing)
        fprintf(out, "recomputed  not what is reported in %u of %u runs; best.txt has both\n",
                o->differing, o->runs);
    print_summary(out, "fitness", &o->train);
    if (p->test_chunks)
        print_summary(out, "test", &o->test);
    print_summary(out, "size", &o->nodes);
}

static void print_spared(FILE *out, const gr_run_report *report) {
    const gr_work_spared *s = &report->spared;
    if (s->executed > 0.0)
        fprintf(out,
                "spared      %.4g node evaluations (%.1f %%): %llu equal program%s, %llu elite%s, "
                "%llu remembered\n",
                s->executed, 100.0 * s->executed / (s->executed + report->executed),
                (unsigned long long)s->shared, gr_s(s->shared), (unsigned long long)s->kept,
                gr_s(s->kept), (unsigned long long)s->remembered);
}

static void print_work(FILE *out, const gr_run *run, const gr_run_report *report, int whole) {
    const gr_traffic *t = &report->traffic;
    gr_fits fits = gr_run_fits(run);
    fputc('\n', out);
    if (whole) {
        fprintf(out, "device      %s (%s)\n", report->engine.device, report->why);
        fprintf(out, "memory      %s\n", report->engine.memory);
    }
    int given_up = report->reason == GR_GOES_ON; /* what it found could not be written */
    fprintf(out, "time        %.3f s, %u generation%s, %s%s\n", report->seconds, report->generation,
            gr_s(report->generation), given_up ? "given up" : "ended by ",
            given_up ? "" : gr_reason_name(report->reason));
    fprintf(out, "executed    %.4g node evaluations, %.4g GPop/s\n", report->executed,
            gr_run_gpops(report));
    print_spared(out, report);
    if (gr_run_problem(run)->job.params.optimise)
        fprintf(out, "fitted      %llu program%s, %llu of them better, by %.4g more\n",
                (unsigned long long)fits.tried, gr_s(fits.tried), (unsigned long long)fits.better,
                fits.executed);
    fprintf(out, "transfers   %llu bytes up, %llu telemetry, %llu down\n",
            (unsigned long long)t->uploaded, (unsigned long long)t->telemetry,
            (unsigned long long)t->downloaded);
}

static void print_rows(FILE *out, const gr_outcome *o) {
    fprintf(out, "\nrun\tseed\tgeneration\tfitness\ttest\tsize\t%sdepth\tbest\n",
            o->best->genome ? "derivation_" : "");
    for (uint32_t r = 0; r < o->runs; r++) {
        const gr_best *b = &o->best[r];
        fprintf(out, "%u\t%llu\t%u\t%.9g\t%.9g\t%u\t%u\t%s\n", r, (unsigned long long)b->seed,
                b->generation, b->train, b->test, b->nodes, b->depth, b->infix ? b->infix : "");
    }
}

void gr_outcome_print_runs(const gr_outcome *o, FILE *out) {
    fputs("run\tseed\tgeneration\tfitness\ttest_fitness\tsolved\tsize\tdepth\texpression\n", out);
    for (uint32_t r = 0; r < o->runs; r++) {
        const gr_best *b = &o->best[r];
        char row[4 * GR_DECIMAL], *to = row;
        const uint64_t before[] = {b->run, b->seed, b->generation};
        const uint64_t after[] = {b->solved != 0, b->nodes, b->levels};
        for (int k = 0; k < 3; k++, *to++ = '\t')
            to = gr_put_whole(to, before[k]);
        to = gr_put_nine(to, b->train);
        *to++ = '\t';
        to = gr_put_nine(to, b->test);
        *to++ = '\t';
        for (int k = 0; k < 3; k++, *to++ = '\t')
            to = gr_put_whole(to, after[k]);
        fwrite(row, 1, (size_t)(to - row), out);
        fputs(b->infix ? b->infix : "", out);
        fputc('\n', out);
    }
}

static void print_table(FILE *out, const gr_settings *settings, const gr_run *run,
                        const gr_outcome *o) {
    if (o->runs <= GR_FEW_RUNS)
        print_rows(out, o);
    if (o->differing)
        fputs("\n", out);
    for (uint32_t r = 0; r < o->runs; r++)
        if (o->best[r].differs) {
            fprintf(out, "run %u: ", r);
            print_recomputed(out, settings, run, &o->best[r]);
        }
}

/* One line of what somebody asked for in vain. */
static void print_unused(FILE *out, const gr_settings *settings) {
    const char *what[GR_KEY_COUNT];
    if (!gr_settings_unused(settings, what))
        return;
    fprintf(out, "unused      ");
    gr_print_unused(what, out);
    fputc('\n', out);
}

void gr_outcome_print(const gr_settings *settings, const gr_run *run, const gr_outcome *outcome,
                      int whole, FILE *out) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    char word[32];
    const char *metric = gr_settings_text(settings, GR_KEY_metric, word);
    gr_run_report report;
    gr_run_look(run, &report);
    print_best(out, settings, run, metric, &outcome->best[outcome->leader], whole);
    if (gr_hangs_on_rounding(&outcome->rounding))
        fprintf(out,
                "rounding    values in double are others by %.3g of the targets' range (root mean "
                "square): they hang on the last places of floats\n",
                outcome->rounding.apart);
    print_unused(out, settings);
    if (p->objectives)
        fprintf(out, "front       %u program%s, in front.tsv\n", outcome->front.count,
                gr_s(outcome->front.count));
    print_classes(out, settings, run, outcome, whole);
    gr_targets_print(&outcome->targets, out);
    if (gr_run_problem(run)->find_law && outcome->state != GR_RUNNING)
        print_law(out, &outcome->law);
    if (p->runs > 1)
        print_runs(out, p, outcome);
    print_work(out, run, &report, whole);
    if (whole && p->runs > 1)
        print_table(out, settings, run, outcome);
}
