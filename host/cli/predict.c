/* grampus predict: the best program of a run on a table. */
#include "host/problem/predict.h"
#include "gpu/core/fitness/fitness.h"
#include "host/base/json.h"
#include "host/base/text.h"
#include "host/cli/commands.h"
#include "host/problem/job.h"
#include "host/problem/several.h"
#include "host/problem/targets.h"
#include "host/run/classes.h"
#include "host/run/finished.h"
#include "host/run/recompute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_help(void) {
    printf(
        "usage: grampus predict RESULT --data FILE [--option value ...]\n\n"
        "Applies the best program of a run to every row of a table: with the linear scaling of "
        "the run,\nand in a classification by its class rule, to labels. Where the table has the "
        "target the fitness\non it goes to the standard error.\n\n"
        "  RESULT               the folder of a run, or its best.json\n"
        "  --data FILE          table with the columns of the training data, by name\n"
        "  --run N              of a batch: the best of this run [of all]\n"
        "  --outputs            a second column: outputs of the program, before any rule\n"
        "  --json               one object: predictions, outputs, fitness\n"
        "  -h, --help           this text\n");
}

typedef struct wishes {
    const char *result, *data, *run;
    int outputs, json, help;
} wishes;

typedef struct work {
    gr_finished finished;
    gr_dataset set;
    const cJSON *best;
    gr_node *nodes;
    uint32_t count;
    gr_params params; /* of the fitness; only where `described` */
    int described, scaled, classifies;
    double intercept, slope, fitness; /* fitness: NaN without a target */
    float *output;
    double *exact; /* of a table that is read in doubles, in place of it */
} work;

/* ---- reading ---- */

/* Of a truth table: the operations on numbers in place of those on words. */
static void to_numbers(gr_node *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t op = GR_NODE_OP(nodes[i]);
        const char *name = gr_operation_name(op);
        if (op == GR_CONSTANT)
            nodes[i].operand = gr_float_bits(nodes[i].operand ? 1.0f : 0.0f);
        else if (gr_is_word(op))
            nodes[i].head += (uint32_t)gr_find_operation(name, strlen(name), 0) - op;
    }
}

/* UINT32_MAX: the table has no column of this name. */
static uint32_t find_column(const gr_dataset *set, const char *name) {
    for (uint32_t i = 0; i < set->inputs; i++)
        if (strcmp(set->names[i], name) == 0)
            return i;
    return UINT32_MAX;
}

/* Whether the run's cases are numbers that were made, or read of something that is no table. */
static int is_made(const gr_finished *f) {
    return f->settled && !*f->settings.data && !f->train.packed;
}

/* A column of the table as it was read, or NULL where it has none of this name. */
static const float *column_named(const gr_dataset *set, const char *name) {
    uint32_t column = find_column(set, name);
    return column == UINT32_MAX ? NULL : set->x + column * set->cases;
}

/* Columns of a table by the names of made cases, in their order, and the target where it is there
 * and no input is called like it; inputs that it lacks are 0 and called "": a program need not have
 * them. */
static gr_status arrange(const gr_dataset *train, gr_dataset *set, gr_error *error) {
    gr_dataset out = {0};
    const float *y = find_column(train, train->target_name) == UINT32_MAX
                         ? column_named(set, train->target_name)
                         : NULL;
    gr_status status = gr_dataset_allocate(&out, train->inputs, set->cases, 0, error);
    for (uint32_t i = 0; i < train->inputs && !status; i++) {
        const float *x = column_named(set, train->names[i]);
        if (x)
            memcpy(out.x + i * out.cases, x, out.cases * sizeof *x);
        if (!(out.names[i] = strdup(x ? train->names[i] : "")))
            status = gr_fail(error, GR_NO_MEMORY, "no memory for the names of inputs");
    }
    if (y && !status)
        memcpy(out.y, y, out.cases * sizeof *y);
    else if (!status) {
        free(out.y);
        out.y = NULL;
    }
    out.notes = set->notes;
    set->notes = NULL;
    gr_dataset_free(set);
    *set = out;
    return status;
}

/* Whether the training data are not those any more that words have their numbers from. */
static int goes_by_words(const gr_finished *f) {
    return (f->changed || !f->settled) && cJSON_HasObjectItem(f->best, "words");
}

/* The table by the words that best.json has of the inputs. */
static gr_status read_by_words(const wishes *wish, work *w, gr_error *error) {
    const cJSON *words = cJSON_GetObjectItemCaseSensitive(w->finished.best, "words"), *list, *word;
    uint32_t columns = (uint32_t)cJSON_GetArraySize(words), count = 0;
    gr_known_words *known = calloc(columns + 1ull, sizeof *known);
    const char **name = calloc(columns + 1ull, sizeof *name);
    gr_status status = known && name ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for words");
    cJSON_ArrayForEach(list, words) {
        if (status || !list->string || !cJSON_GetArraySize(list))
            continue;
        name[count] = list->string;
        known[count].word = calloc((size_t)cJSON_GetArraySize(list), sizeof *known[count].word);
        if (!known[count].word)
            status = gr_fail(error, GR_NO_MEMORY, "no memory for words");
        cJSON_ArrayForEach(word, list) {
            if (!status && cJSON_IsString(word))
                known[count].word[known[count].count++] = word->valuestring;
        }
        count++;
    }
    if (!status)
        status = gr_dataset_read_by_words(wish->data, gr_finished_doubles(&w->finished), name,
                                          known, count, &w->set, error);
    for (uint32_t k = 0; known && k < count; k++)
        free(known[k].word);
    free(known);
    free(name);
    return status;
}

/* The table: with the columns of the training data, or where these are no table by their names. */
static gr_status read_table(const wishes *wish, work *w, gr_error *error) {
    const gr_finished *f = &w->finished;
    if (goes_by_words(f))
        return read_by_words(wish, w, error);
    if (f->settled && *f->settings.data)
        return gr_dataset_read_alike(&f->settings, wish->data, &w->set, error);
    gr_status status =
        gr_dataset_read(wish->data, NULL, NULL, gr_finished_doubles(f), &w->set, error);
    return !status && is_made(f) ? arrange(&f->train, &w->set, error) : status;
}

/* The column of an input of a truth table: of its own name or, as D0 is x1 too, of that. */
static uint32_t column_of(const work *w, const gr_vocabulary *v, uint32_t input) {
    char other[16];
    uint32_t own = find_column(&w->set, v->names[input]);
    snprintf(other, sizeof other, "x%u", input);
    return own == UINT32_MAX && w->finished.settled ? find_column(&w->set, other) : own;
}

/* Inputs of a truth table to columns: those of their names, or, where the table has none of these,
 * the first ones. */
static gr_status to_columns(work *w, gr_error *error) {
    gr_vocabulary v = gr_finished_vocabulary(&w->finished);
    uint32_t last = 0;                /* column that is read */
    int named = !w->finished.settled; /* or nobody knows which input is the first */
    for (uint32_t k = 0; k < v.inputs; k++)
        named |= column_of(w, &v, k) != UINT32_MAX;
    for (uint32_t i = 0; i < w->count; i++) {
        if (GR_NODE_OP(w->nodes[i]) != GR_INPUT)
            continue;
        uint32_t input = w->nodes[i].operand, column = named ? column_of(w, &v, input) : input;
        if (named && column == UINT32_MAX)
            return gr_fail(error, GR_BAD_INPUT,
                           "--data has no column '%s'; expected the inputs of the truth table",
                           v.names[input]);
        last = column > last ? column : last;
        w->nodes[i].operand = column;
    }
    return last < w->set.inputs
               ? GR_OK
               : gr_fail(error, GR_BAD_INPUT, "--data has %u column%s; expected at least %u",
                         w->set.inputs, gr_s(w->set.inputs), last + 1);
}

/* Why a program is none over the columns of the table: where an input is not there, that. */
static gr_status refuse_program(const work *w, gr_error *error) {
    gr_vocabulary v = gr_finished_vocabulary(&w->finished);
    gr_node *nodes = NULL;
    uint32_t count = 0, missing = UINT32_MAX;
    gr_error whatever;
    if (!gr_finished_nodes(&w->finished, w->best, &nodes, &count, &whatever))
        for (uint32_t i = 0; i < count && missing == UINT32_MAX; i++)
            if (GR_NODE_OP(nodes[i]) == GR_INPUT && nodes[i].operand < v.inputs &&
                find_column(&w->set, v.names[nodes[i].operand]) == UINT32_MAX)
                missing = nodes[i].operand;
    free(nodes);
    return missing == UINT32_MAX
               ? GR_BAD_INPUT
               : gr_fail(error, GR_BAD_INPUT,
                         "--data has no column '%s'; expected the inputs of the run",
                         v.names[missing]);
}

/* The program of made cases, whose inputs are those of the table in the same order. */
static gr_status read_made(work *w, gr_error *error) {
    gr_status status = gr_finished_nodes(&w->finished, w->best, &w->nodes, &w->count, error);
    for (uint32_t i = 0; !status && i < w->count; i++)
        if (GR_NODE_OP(w->nodes[i]) == GR_INPUT && !*w->set.names[w->nodes[i].operand])
            status = gr_fail(error, GR_BAD_INPUT,
                             "--data has no column '%s'; expected the inputs of the run",
                             w->finished.train.names[w->nodes[i].operand]);
    return status;
}

/* The program over the columns of the table. */
static gr_status read_program(work *w, gr_error *error) {
    const gr_finished *f = &w->finished;
    const char *infix = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(w->best, "infix"));
    gr_vocabulary own = {(const char *const *)w->set.names, w->set.inputs, 0, 0, 0, 0};
    gr_status status;
    if (is_made(f))
        return read_made(w, error);
    if (!gr_finished_vocabulary(f).packed) {
        status = gr_read_expression(infix, "best.json", &own, &w->nodes, &w->count, error);
        return status == GR_BAD_INPUT ? refuse_program(w, error) : status;
    }
    status = gr_finished_nodes(f, w->best, &w->nodes, &w->count, error);
    if (!status)
        status = to_columns(w, error);
    if (!status)
        to_numbers(w->nodes, w->count);
    return status;
}

/* ---- classes ---- */

static void find_labels(gr_params *p, const gr_dataset *train) {
    p->class_min = INFINITY;
    p->class_max = -INFINITY;
    for (uint64_t i = 0; i < train->cases; i++) {
        p->class_min = fminf(p->class_min, train->y[i]);
        p->class_max = fmaxf(p->class_max, train->y[i]);
    }
}

/* The run's rule, its thresholds fitted to the training outputs where the run fits them. */
static gr_status describe(work *w, gr_error *error) {
    gr_finished *f = &w->finished;
    gr_params *p = &w->params;
    gr_vocabulary vocabulary = gr_finished_vocabulary(f);
    const char *infix = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(w->best, "infix"));
    gr_prediction made = {
        malloc((f->train.cases + 1) * sizeof *made.output), 0.0f, {0.0, 0.0}, NULL};
    gr_node *nodes = NULL;
    uint32_t count;
    gr_status status = gr_describe_fitness(&f->settings, &f->train, p, error);
    w->described = 1;
    w->classifies = gr_adds_of(p->metric) == GR_ADDS_MISTAKE || gr_has_positives(p->metric);
    if (!made.output && !status)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %llu prediction%s",
                         (unsigned long long)f->train.cases, gr_s(f->train.cases));
    if (!status && w->classifies) {
        if (gr_has_positives(p->metric))
            find_labels(p, &f->train);
        status = gr_read_expression(infix, "best.json", &vocabulary, &nodes, &count, error);
        if (!status)
            status = gr_dataset_tile(&f->train, f->settings.threads, error);
        if (!status)
            status = gr_predict(nodes, count, &f->train, NULL, &made, error);
        if (!status)
            status = gr_fix_thresholds(p, &f->train, made.output, error);
    }
    free(nodes);
    free(made.output);
    return status;
}

/* The label that an output means; NaN: none. To balanced accuracy and f1 no number is not positive,
 * which is right or wrong as the label has it. 0 is added since the one nearest to -0.3 is -0,
 * which is printed so. */
static double label_of(const gr_params *p, double output) {
    if (!gr_has_positives(p->metric))
        return (double)gr_class_of(p, (float)output) + 0.0;
    int positive =
        p->metric == GR_METRIC_BALANCED ? output >= (double)p->threshold[0] : output > 0.0;
    if (isnan(output) && p->metric == GR_METRIC_HINGE)
        return output;
    return (double)(positive ? p->class_max : p->class_min);
}

/* ---- several targets ---- */

static cJSON *target_json(const char *name, const float *output, uint64_t cases,
                          const gr_target_fit *fit) {
    cJSON *item = cJSON_CreateObject();
    gr_json_add_text(item, "target", name);
    cJSON *predictions = cJSON_AddArrayToObject(item, "predictions");
    for (uint64_t i = 0; i < cases; i++)
        cJSON_AddItemToArray(predictions, gr_json_float((double)output[i]));
    if (fit) {
        gr_json_add_float(item, "rmse", fit->rmse);
        gr_json_add_float(item, "mae", fit->mae);
        gr_json_add_float(item, "r2", fit->r2);
    }
    return item;
}

/* Every output as a column, in the order of the targets; how well each fits, where the table has
 * them. */
static gr_status predict_targets(const wishes *wish, work *w, gr_error *error) {
    gr_finished *f = &w->finished;
    gr_vocabulary v = gr_finished_vocabulary(f);
    uint32_t n = v.outputs, first, count;
    uint64_t cases = w->set.cases;
    float *output = malloc((n * cases + 1) * sizeof *output);
    gr_status status = output ? gr_finished_nodes(f, w->best, &w->nodes, &w->count, error)
                              : gr_fail(error, GR_NO_MEMORY, "no memory for predictions");
    int has = w->set.y != NULL;
    cJSON *object = wish->json ? cJSON_CreateObject() : NULL;
    cJSON *targets = cJSON_AddArrayToObject(object, "targets");
    if (!status)
        status = gr_dataset_tile(&w->set, f->settings.threads, error);
    for (uint32_t k = 0; k < n && !status; k++) {
        gr_target_fit fit;
        if (!gr_find_output(w->nodes, w->count, n, k, &first, &count))
            status =
                gr_fail(error, GR_BAD_INPUT, "best.json: no program of %u target%s", n, gr_s(n));
        if (!status)
            status = gr_fit_of_output(w->nodes + first, count, &w->set, v.inputs + k,
                                      output + k * cases, &fit, error);
        if (!status && has && !object)
            fprintf(stderr, "%s: rmse %.9g, mae %.9g, r2 %.9g\n", f->train.names[v.inputs + k],
                    fit.rmse, fit.mae, fit.r2);
        if (!status && object)
            cJSON_AddItemToArray(targets,
                                 target_json(f->train.names[v.inputs + k], output + k * cases,
                                             cases, has ? &fit : NULL));
    }
    if (!status && object)
        status = gr_json_write(object, 0, stdout, "standard output", error);
    for (uint64_t i = 0; i < cases && !status && !object; i++)
        for (uint32_t k = 0; k < n; k++) {
            char number[32];
            gr_text_print_digits((double)output[k * cases + i], 9, number);
            printf("%s%c", number, k + 1 < n ? '\t' : '\n');
        }
    cJSON_Delete(object);
    free(output);
    return status;
}

/* ---- the program on the table ---- */

/* The fitness on the table, as a run computes its reported one again: by the fit of the training
 * cases. Where the metric has none, since the table has one class alone, a single row or something
 * that is no label, a line says so: what was asked for are the predictions. */
static gr_status measure(work *w, gr_error *error) {
    gr_finished *f = &w->finished;
    gr_error why;
    gr_params p = w->params;
    p.test_cases = (uint32_t)w->set.cases;
    p.case_weights = 0; /* of the table, which need not have them */
    gr_describe_target(&p, &w->set, 1);
    if (gr_check_target(&f->settings, &p, &w->set, 1, "test", &why)) {
        fprintf(stderr, "no fitness: %s\n", why.text);
        return GR_OK;
    }
    gr_problem problem = {.train = f->train, .test = w->set};
    gr_best best = {.infix =
                        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(w->best, "infix")),
                    .intercept = w->intercept,
                    .slope = w->slope};
    problem.job.params = w->params;
    problem.job.params.positives[1] = p.positives[1];
    problem.job.params.target_ss[1] = p.target_ss[1];
    problem.job.threads = f->settings.threads;
    problem.vocabulary = gr_finished_vocabulary(f);
    problem.train_tiles = f->train.tiles;
    problem.test_tiles = w->set.tiles;
    gr_status status = gr_recompute(&problem, &best, 1, error);
    w->fitness = best.recomputed[1];
    return status;
}

static gr_status apply(work *w, gr_error *error) {
    gr_prediction made = {malloc((w->set.cases + 1) * sizeof *made.output), 0.0f, {0.0, 0.0}, NULL};
    w->output = made.output;
    w->exact = made.exact = malloc((w->set.cases + 1) * sizeof *made.exact);
    gr_status status = made.output && made.exact
                           ? GR_OK
                           : gr_fail(error, GR_NO_MEMORY, "no memory for %llu prediction%s",
                                     (unsigned long long)w->set.cases, gr_s(w->set.cases));
    if (!status)
        status = gr_dataset_tile(&w->set, w->finished.settings.threads, error);
    if (!status && w->described)
        status = gr_dataset_tile(&w->finished.train, w->finished.settings.threads, error);
    if (!status)
        status = gr_predict(w->nodes, w->count, &w->set, NULL, &made, error);
    if (!status && w->described && w->set.y)
        status = measure(w, error);
    return status;
}

/* Whether a run whose data are gone would have labels. */
static int has_labels(const gr_finished *f) {
    static const char *const metrics[] = {"misclassified", "balanced-accuracy", "hinge", "f1"};
    const char *metric = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(f->best, "metric"));
    int found = 0;
    for (size_t i = 0; metric && i < sizeof metrics / sizeof *metrics; i++)
        found |= strcmp(metric, metrics[i]) == 0;
    return found;
}

/* Which classes there are, and what parts them, is known of the training data alone, and so is the
 * order of columns beside several targets; words of inputs are not where these have too many. */
static gr_status check_data(const gr_finished *f, gr_error *error) {
    if (!f->changed || (!has_labels(f) && !gr_finished_vocabulary(f).outputs &&
                        cJSON_HasObjectItem(f->best, "words")))
        return GR_OK;
    return gr_fail(error, GR_BAD_INPUT,
                   "%s is not what it was when the run read it, and %s come from it; expected the "
                   "same file",
                   f->settings.data, has_labels(f) ? "the classes" : "the numbers of words");
}

static gr_status prepare(const wishes *wish, work *w, gr_error *error) {
    uint32_t run = 0;
    w->fitness = (double)NAN;
    gr_status status = gr_finished_open(wish->result, &w->finished, error);
    if (!status && wish->run)
        status = gr_option_whole("run", wish->run, 0, UINT32_MAX, &run, error);
    if (!status)
        status = gr_finished_best(&w->finished, wish->run ? (int64_t)run : -1, &w->best, error);
    if (!status)
        status = check_data(&w->finished, error);
    int several = !status && gr_finished_vocabulary(&w->finished).outputs;
    if (several && !w->finished.settled)
        status = gr_fail(error, GR_BAD_INPUT, "several targets need the training data: %.*s",
                         GR_CUT(w->finished.why.text, 400));
    if (!status)
        status = read_table(wish, w, error);
    if (!status && w->set.notes)
        fputs(w->set.notes, stderr);
    if (several)
        return status; /* predict_targets goes on */
    if (!status)
        status = read_program(w, error);
    if (status)
        return status;
    w->scaled = cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(w->best, "slope"));
    w->intercept = gr_finished_number(w->best, "intercept", 0.0);
    w->slope = gr_finished_number(w->best, "slope", 1.0);
    if (goes_by_words(&w->finished) && !has_labels(&w->finished))
        return GR_OK; /* the fitness on the table is that of other numbers */
    if (w->finished.settled)
        return w->finished.train.packed ? GR_OK : describe(w, error);
    return has_labels(&w->finished)
               ? gr_fail(error, GR_BAD_INPUT, "labels need the training data: %.*s",
                         GR_CUT(w->finished.why.text, 400))
               : GR_OK;
}

/* ---- printing ---- */

static double output_of(const work *w, uint64_t i) {
    return w->set.doubles ? w->exact[i] : (double)w->output[i];
}

static double prediction_of(const work *w, uint64_t i) {
    double output = output_of(w, i);
    if (w->classifies)
        return label_of(&w->params, output);
    return w->scaled ? w->intercept + w->slope * output : output;
}

/* The word of a label, or NULL. */
static const char *word_of(const work *w, double prediction) {
    const gr_dataset *train = &w->finished.train;
    return w->classifies && prediction >= 0.0 && prediction < (double)train->label_count
               ? train->labels[(uint32_t)prediction]
               : NULL;
}

static const char *metric_of(const work *w) {
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(w->finished.best, "metric"));
}

static void print_text(const wishes *wish, const work *w) {
    int digits = w->set.doubles ? 17 : 9;
    char number[32];
    for (uint64_t i = 0; i < w->set.cases; i++) {
        double prediction = prediction_of(w, i);
        const char *word = word_of(w, prediction);
        gr_text_print_digits(prediction, digits, number);
        fputs(word ? word : number, stdout);
        gr_text_print_digits(output_of(w, i), digits, number);
        if (wish->outputs)
            printf("\t%s", number);
        putchar('\n');
    }
    if (!isnan(w->fitness))
        fprintf(stderr, "%s: %.9g\n", metric_of(w), w->fitness);
}

static cJSON *number_of(const work *w, double value) {
    return w->set.doubles ? gr_json_double(value) : gr_json_float(value);
}

static gr_status print_json(const work *w, gr_error *error) {
    cJSON *object = cJSON_CreateObject();
    cJSON *predictions = cJSON_AddArrayToObject(object, "predictions");
    for (uint64_t i = 0; i < w->set.cases; i++) {
        double prediction = prediction_of(w, i);
        const char *word = word_of(w, prediction);
        cJSON_AddItemToArray(predictions,
                             word ? cJSON_CreateString(word) : number_of(w, prediction));
    }
    cJSON *outputs = cJSON_AddArrayToObject(object, "outputs");
    for (uint64_t i = 0; i < w->set.cases; i++)
        cJSON_AddItemToArray(outputs, number_of(w, output_of(w, i)));
    if (!isnan(w->fitness)) {
        gr_json_add_text(object, "metric", metric_of(w));
        gr_json_add_float(object, "fitness", w->fitness);
    }
    return gr_json_print(object, error);
}

gr_status gr_command_predict(int argc, char **argv, gr_error *error) {
    wishes wish = {0};
    work w = {0};
    const gr_option options[] = {{"data", &wish.data, NULL},       {"run", &wish.run, NULL},
                                 {"outputs", NULL, &wish.outputs}, {"json", NULL, &wish.json},
                                 {"help", NULL, &wish.help},       {NULL, NULL, NULL}};
    gr_status status = gr_options_and_files(argc, argv, options, &wish.result, 1, error);
    if (!status && wish.help) {
        print_help();
        return GR_OK;
    }
    if (!status && (!wish.result || !wish.data))
        status = gr_fail(error, GR_BAD_INPUT, "%s; expected grampus predict RESULT --data FILE",
                         wish.result ? "no --data" : "no result");
    if (!status)
        status = prepare(&wish, &w, error);
    int several = !status && gr_finished_vocabulary(&w.finished).outputs;
    if (!status)
        status = several ? predict_targets(&wish, &w, error) : apply(&w, error);
    if (several)
        ; /* printed */
    else if (!status && wish.json)
        status = print_json(&w, error);
    else if (!status)
        print_text(&wish, &w);
    free(w.exact);
    free(w.output);
    free(w.nodes);
    gr_dataset_free(&w.set);
    gr_finished_free(&w.finished);
    return status;
}
