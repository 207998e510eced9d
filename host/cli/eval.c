/* grampus eval: an expression on a table. */
#include "host/base/json.h"
#include "host/base/text.h"
#include "host/cli/commands.h"
#include "host/data/weights.h"
#include "host/problem/job.h"
#include "host/problem/predict.h"
#include "host/problem/shown_fitness.h"
#include "host/run/recompute.h"
#include "host/settings/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All but that of truth tables. */
static void print_metrics(void) {
    const char *bar = "";
#define GR_METRIC(id, word, adds, better, least, cost, allowance, help)                            \
    if (GR_ADDS_##adds != GR_ADDS_BITS) {                                                          \
        printf("%s%s", bar, word);                                                                 \
        bar = "|";                                                                                 \
    }
#include "gpu/core/base/metrics.def"
}

static void print_help(void) {
    printf("usage: grampus eval --expression TEXT --data FILE [--option value ...]\n\n"
           "Evaluates an expression on every row of a table; every column is an input by its "
           "name.\n\n"
           "  --expression TEXT    e.g. \"x0 * sin(x1)\"\n"
           "  --data FILE          table of numbers\n"
           "  --target COLUMN      also measure fitness against this column, by name or number\n"
           "  --metric WORD        ");
    print_metrics();
    printf(
        " [rmse]\n"
        "  --weights COLUMN     a row counts that much in the fitness, one of weight 0 not at all\n"
        "  --linear-scaling     fit a + b * output first (mse, rmse, r2)\n"
        "  --tolerance X        hits: largest error of a hit [0.01]\n"
        "  --class-rule WORD    misclassified: nearest|thresholds|sign|fitted|argmax [nearest]\n"
        "  --thresholds A,B,... as in run files\n"
        "  --precision WORD     single|double, as in run files [single]\n"
        "  --json               one object: predictions, fitness\n"
        "  -h, --help           this text\n");
}

/* ---- arguments ---- */

/* The settings of a run that mean something here. */
static const char *const options[] = {
    "data",       "target",     "metric", "linear-scaling", "tolerance", "class-rule", "json",
    "thresholds", "expression", "help",   "precision",      "weights",   NULL};

static int is_option(const char *argument) {
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    if (strncmp(argument, "--", 2) != 0)
        return 0;
    if (strncmp(name, "no-", 3) == 0)
        name += 3, length -= 3;
    for (int i = 0; options[i]; i++)
        if (strlen(options[i]) == length && memcmp(options[i], name, length) == 0)
            return 1;
    return 0;
}

static gr_status unknown(const char *argument, gr_error *error) {
    char name[64], hint[128];
    const char *start = argument + strspn(argument, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(start, "="), start);
    gr_nearest_hint(name, options, "--", hint, sizeof hint);
    return gr_fail(error, GR_BAD_INPUT, "%.*s: unknown %s%s", GR_CUT(argument, 80),
                   *argument == '-' ? "option" : "argument",
                   *hint ? hint : "; expected one of the options in grampus eval --help");
}

static gr_status take_arguments(int argc, char **argv, gr_settings *settings,
                                const char **expression, gr_error *error) {
    for (int i = 1, used; i < argc; i += used) {
        gr_status status = GR_OK;
        used = 0;
        if (strncmp(argv[i], "--expression", 12) == 0 && (!argv[i][12] || argv[i][12] == '=')) {
            used = argv[i][12] ? 1 : 2;
            if (i + used > argc)
                return gr_fail(error, GR_BAD_INPUT, "--expression: no value; expected text");
            *expression = argv[i][12] ? argv[i] + 13 : argv[i + 1];
        } else if (is_option(argv[i]))
            status = gr_settings_option(settings, argc - i, argv + i, &used, error);
        if (status)
            return status;
        if (!used)
            return unknown(argv[i], error);
    }
    if (!*expression || !*settings->data)
        return gr_fail(error, GR_BAD_INPUT,
                       "no --%s; expected grampus eval --expression TEXT --data FILE",
                       *expression ? "data" : "expression");
    return GR_OK;
}

/* What is of fitness alone would be without effect, and without a word. */
static gr_status check_target(const gr_settings *s, gr_error *error) {
    static const gr_key keys[] = {GR_KEY_metric,     GR_KEY_linear_scaling, GR_KEY_tolerance,
                                  GR_KEY_class_rule, GR_KEY_thresholds,     GR_KEY_weights};
    for (size_t k = 0; !*s->target && k < sizeof keys / sizeof *keys; k++)
        if (s->origin[keys[k]].from != GR_FROM_DEFAULT)
            return gr_settings_fail(s, keys[k], error,
                                    "%s without target; expected the column to measure against",
                                    gr_setting_table[keys[k]].key);
    return GR_OK;
}

/* ---- evaluating ---- */

typedef struct evaluation {
    gr_dataset set; /* behind it without the rows of weight 0 */
    uint64_t rows;
    gr_params params;
    gr_node *nodes;
    uint32_t count;
    gr_prediction made;
    double fitness; /* where there is a target */
} evaluation;

/* The fitness as runs compare it, a float; over doubles as they tell it of their best. */
static gr_status measure(const char *expression, const gr_vocabulary *vocabulary, evaluation *e,
                         gr_error *error) {
    e->fitness = gr_fitness_of(e->params.metric, (double)e->made.cost);
    if (!e->set.doubles)
        return GR_OK;
    gr_problem problem = {.train = e->set, .vocabulary = *vocabulary};
    problem.job.params = e->params;
    problem.train_tiles = e->set.tiles;
    char *text = strdup(expression);
    gr_best best = {.infix = text, .slope = 1.0};
    gr_status status = text ? gr_recompute(&problem, &best, 1, error)
                            : gr_fail(error, GR_NO_MEMORY, "no memory for the expression");
    e->fitness = best.recomputed[0];
    free(text);
    return status;
}

/* The fitness by weights, as a run on the table has it: of the rows that have one. All were
 * predicted before. */
static gr_status weigh(const gr_settings *settings, evaluation *e, gr_error *error) {
    gr_prediction judged = {0};
    gr_status status = gr_dataset_bring_columns(&e->set, error);
    if (!status)
        status = gr_settle_weights(settings, NULL, &e->set, error);
    if (!status)
        status = gr_describe_fitness(settings, &e->set, &e->params, error);
    if (!status)
        status = gr_dataset_tile(&e->set, settings->threads, error);
    judged.output = status ? NULL : malloc(e->set.cases * sizeof *judged.output);
    if (!status && !judged.output)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %llu prediction%s",
                         (unsigned long long)e->set.cases, gr_s(e->set.cases));
    if (!status)
        status = gr_predict(e->nodes, e->count, &e->set, &e->params, &judged, error);
    e->made.cost = judged.cost;
    memcpy(e->made.fit, judged.fit, sizeof judged.fit);
    free(judged.output);
    return status;
}

static gr_status evaluate(const gr_settings *settings, const char *expression, evaluation *e,
                          gr_error *error) {
    const char *target = *settings->target ? settings->target : NULL;
    const char *weights = *settings->weights ? settings->weights : NULL;
    const gr_params *judge = target && !weights ? &e->params : NULL;
    gr_status status = gr_dataset_read(settings->data, target, weights,
                                       settings->precision == GR_PRECISION_DOUBLE, &e->set, error);
    gr_vocabulary vocabulary = {(const char *const *)e->set.names, e->set.inputs, 0, 0, 0, 0};
    if (!status)
        status = gr_read_expression(expression, "--expression", &vocabulary, &e->nodes, &e->count,
                                    error);
    if (!status && judge)
        status = gr_describe_fitness(settings, &e->set, &e->params, error);
    e->rows = e->set.cases;
    e->made.output = status ? NULL : malloc(e->set.cases * sizeof *e->made.output);
    e->made.exact = status ? NULL : malloc(e->set.cases * sizeof *e->made.exact);
    if (!status && !(e->made.output && e->made.exact))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %llu prediction%s",
                         (unsigned long long)e->set.cases, gr_s(e->set.cases));
    if (!status)
        status = gr_dataset_tile(&e->set, settings->threads, error);
    if (!status)
        status = gr_predict(e->nodes, e->count, &e->set, judge, &e->made, error);
    if (!status && weights)
        status = weigh(settings, e, error);
    if (!status && target)
        status = measure(expression, &vocabulary, e, error);
    return status;
}

static gr_status print_json(const gr_settings *settings, const evaluation *e, gr_error *error) {
    char metric[32];
    cJSON *object = cJSON_CreateObject();
    cJSON *predictions = cJSON_AddArrayToObject(object, "predictions");
    for (uint64_t i = 0; i < e->rows; i++)
        cJSON_AddItemToArray(predictions, e->set.doubles
                                              ? gr_json_double(e->made.exact[i])
                                              : gr_json_float((double)e->made.output[i]));
    if (*settings->target) {
        gr_json_add_float(object, "fitness", e->fitness);
        gr_json_add_text(object, "metric", gr_settings_text(settings, GR_KEY_metric, metric));
    }
    if (*settings->target && settings->linear_scaling) {
        cJSON_AddNumberToObject(object, "intercept", e->made.fit[0]);
        cJSON_AddNumberToObject(object, "slope",
                                isfinite(e->made.fit[0]) ? e->made.fit[1] : (double)NAN);
    }
    return gr_json_print(object, error);
}

static void print_text(const gr_settings *settings, const evaluation *e) {
    char metric[32], number[32];
    int digits = e->set.doubles ? 17 : 9;
    for (uint64_t i = 0; i < e->rows; i++) {
        gr_text_print_digits(e->set.doubles ? e->made.exact[i] : (double)e->made.output[i], digits,
                             number);
        puts(number);
    }
    if (!*settings->target)
        return;
    printf("%s: %.9g\n", gr_settings_text(settings, GR_KEY_metric, metric), e->fitness);
    if (settings->linear_scaling && isfinite(e->made.fit[0])) {
        char intercept[32], slope[32];
        gr_text_print_double(e->made.fit[0], intercept);
        gr_text_print_double(e->made.fit[1], slope);
        printf("scaling: %s + %s * output\n", intercept, slope);
    }
}

gr_status gr_command_eval(int argc, char **argv, gr_error *error) {
    gr_settings settings;
    evaluation e = {0};
    const char *expression = NULL;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--expression") == 0)
            i++; /* "-h" may be one */
        else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help();
            return GR_OK;
        }
    gr_status status = gr_settings_init(&settings, error);
    if (!status)
        status = gr_settings_set(&settings, "genotype", "tree", error); /* asks for no grammar */
    if (!status) /* which would scale the expression or fit its thresholds, unasked */
        status = gr_settings_set(&settings, "preset", "none", error);
    if (!status)
        status = take_arguments(argc, argv, &settings, &expression, error);
    if (!status)
        status = check_target(&settings, error);
    if (!status)
        status = gr_settings_resolve(&settings, error);
    if (!status)
        status = evaluate(&settings, expression, &e, error);
    if (!status && settings.json)
        status = print_json(&settings, &e, error);
    else if (!status)
        print_text(&settings, &e);
    free(e.made.exact);
    free(e.made.output);
    free(e.nodes);
    gr_dataset_free(&e.set);
    gr_settings_free(&settings);
    return status;
}
