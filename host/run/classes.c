#include "host/run/classes.h"

#include "gpu/core/fitness/class_bins.h"
#include "host/base/json.h"
#include "host/base/sort.h"
#include "host/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A share; of nothing a NaN without a sign, which texts would show. */
static double share_of(double part, double whole) {
    return whole > 0.0 ? part / whole : (double)NAN;
}

int gr_is_classification(const gr_params *p) {
    return p->metric == GR_METRIC_MISCLASSIFIED || p->metric == GR_METRIC_BALANCED;
}

/* Labels as the metric sees them. */
static float actual_of(const gr_params *p, float target) {
    return p->metric == GR_METRIC_BALANCED ? (float)(target > 0.0f) : target;
}
static float predicted_of(const gr_params *p, float output) {
    return p->metric == GR_METRIC_BALANCED ? (float)(output >= p->threshold[0])
                                           : gr_class_of(p, output);
}

/* ---- labels ---- */

/* The different labels of both sets, rising; malloc'ed. */
static float *list_labels(const gr_params *p, const gr_dataset *set, const gr_dataset *other,
                          uint32_t *count) {
    uint64_t n = set->cases + other->cases, kept = 0;
    float *label = malloc((n + 1) * sizeof *label);
    for (uint64_t i = 0; label && i < n; i++)
        label[i] = actual_of(p, i < set->cases ? set->y[i] : other->y[i - set->cases]);
    if (label)
        gr_sort_floats(label, n);
    for (uint64_t i = 0; label && i < n; i++)
        if (i == 0 || label[i] != label[i - 1])
            label[kept++] = label[i];
    *count = (uint32_t)kept;
    return label;
}

/* Number of a label; count when it is none, a NaN too. */
static uint32_t class_number(const gr_classes *c, float label) {
    uint32_t low = 0, high = c->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (c->class[middle].label < label)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->count && c->class[low].label == label ? low : c->count;
}

/* ---- ROC ---- */

enum { MOST_ROC_STEPS = 1 << 30, MOST_FIT_STEPS = 1 << 27 }; /* cases x classes */

/* What a program says of a case, and the case's class. */
typedef struct scored {
    float score;
    uint32_t class;
} scored;

static int by_score(const void *a, const void *b) {
    const scored *x = a, *y = b;
    return (x->score > y->score) - (x->score < y->score);
}

/* A case among all by how much its output speaks for a class: the more, the higher its rank. */
typedef struct placed {
    uint32_t rank, class;
} placed;

/* Chance that a random case of class k ranks above a random other one, ties counting half (Mann
 * and Whitney); NaN with one of both alone. `list` rises by rank. */
static double area_under_roc(const placed *list, uint64_t n, uint32_t k) {
    double rank_sum = 0.0, inside = 0.0;
    for (uint64_t i = 0, end; i < n; i = end) {
        uint64_t here = 0;
        for (end = i; end < n && list[end].rank == list[i].rank; end++)
            here += list[end].class == k;
        rank_sum += (double)here * 0.5 * (double)(i + 1 + end);
        inside += (double)here;
    }
    double outside = (double)n - inside;
    return share_of(rank_sum - 0.5 * inside * (inside + 1.0), inside * outside);
}

/* The output that speaks most for class k. Of two classes the highest or lowest there is; of more
 * the label itself; of thresholds the middle between the two about it, which are no labels and
 * may lie anywhere, of the first and the last class again the lowest or highest. (So argmax has the
 * number of the class, since its outputs are none but these.) */
static double middle_of_class(const gr_params *p, const gr_classes *c, uint32_t k) {
    if (c->count == 2)
        return k ? (double)INFINITY : -(double)INFINITY;
    float label = c->class[k].label, number = label - p->class_min;
    if (p->class_rule != GR_CLASS_THRESHOLDS || !p->thresholds)
        return (double)label;
    if (!(number > 0.0f))
        return -(double)INFINITY;
    float high = number < (float)p->thresholds ? p->threshold[(uint32_t)number] : GR_INFINITY;
    if (high == GR_INFINITY)
        return (double)INFINITY;
    return 0.5 * (double)p->threshold[(uint32_t)number - 1] + 0.5 * (double)high;
}

/* Whether output a is farther from the middle than b (1), nearer (-1) or as far (0). Exact, for
 * differences to the middle would round small outputs to ties: on either side of it their sum says
 * more, and only where that is the middle twice over what its rounding left out (Knuth's TwoSum).
 */
static int compare_distances(double middle, float a, float b) {
    float low = a < b ? a : b, high = a < b ? b : a;
    if (low == high)
        return 0;
    if ((double)high <= middle || (double)low >= middle)
        return (a < b) == ((double)high <= middle) ? 1 : -1;
    double sum = (double)low + (double)high, of_high = sum - (double)low;
    double rest = ((double)low - (sum - of_high)) + ((double)high - of_high);
    double over = sum == 2.0 * middle ? rest : sum - 2.0 * middle; /* no number: both infinite */
    return over > 0.0 ? (a > b ? 1 : -1) : over < 0.0 ? (a < b ? 1 : -1) : 0;
}

/* Ranks by how near outputs, which rise behind `lowest` cases without a number, are to the middle,
 * which may be infinite. Infinitely far is as far as no number. */
static void rank_cases(double middle, const scored *output, uint64_t lowest, uint64_t n,
                       placed *list) {
    uint64_t left = lowest, right = n, at = n;
    const scored *last = NULL;
    uint32_t rank = (uint32_t)(n - lowest);
    for (uint64_t i = 0; i < lowest; i++)
        list[i] = (placed){0, output[i].class};
    for (uint64_t low = lowest; low < right;) { /* the first output not below it */
        uint64_t half = low + (right - low) / 2;
        if ((double)output[half].score < middle)
            low = left = half + 1;
        else
            right = half;
    }
    for (left = right; at > lowest;) { /* nearest first */
        int down = left > lowest && (right == n || compare_distances(middle, output[left - 1].score,
                                                                     output[right].score) <= 0);
        const scored *next = &output[down ? --left : right++];
        rank -= last && compare_distances(middle, next->score, last->score) != 0;
        bool endless = isinf(next->score) && (double)next->score != middle;
        list[--at] = (placed){endless ? 0 : rank, next->class};
        last = next;
    }
}

static gr_status measure_roc(const gr_params *p, const gr_dataset *set, const float *output,
                             gr_classes *c, gr_error *error) {
    scored *all = malloc((set->cases + 1) * sizeof *all);
    placed *list = malloc((set->cases + 1) * sizeof *list);
    double sum = 0.0, measured = 0.0;
    uint64_t lowest = 0, n = 0;
    int skips = (double)set->cases * c->count > MOST_ROC_STEPS;
    for (int number = 0; number < 2; number++) { /* cases without one come first */
        for (uint64_t i = 0; all && list && i < set->cases; i++)
            if ((isnan(output[i]) == 0) == (number == 1))
                all[n++] = (scored){number ? output[i] : -INFINITY,
                                    class_number(c, actual_of(p, set->y[i]))};
        lowest = number ? lowest : n;
    }
    if (all && list)
        qsort(all + lowest, n - lowest, sizeof *all, by_score);
    for (uint32_t k = 0; all && list && k < c->count; k++) {
        c->class[k].roc_area = (double)NAN;
        if (skips)
            continue;
        rank_cases(middle_of_class(p, c, k), all, lowest, set->cases, list);
        c->class[k].roc_area = area_under_roc(list, set->cases, k);
        if (!isnan(c->class[k].roc_area)) {
            sum += c->class[k].roc_area;
            measured += 1.0;
        }
    }
    c->roc_area = share_of(sum, measured);
    gr_status status = all && list ? GR_OK
                                   : gr_fail(error, GR_NO_MEMORY, "no memory to rank %llu outputs",
                                             (unsigned long long)set->cases);
    free(all);
    free(list);
    return status;
}

/* ---- counts ---- */

/* Every case, by its class and what it is taken for. */
static void count_cases(const gr_params *p, const gr_dataset *set, const float *output,
                        gr_classes *c) {
    for (uint64_t i = 0; i < set->cases; i++) {
        uint32_t actual = class_number(c, actual_of(p, set->y[i]));
        uint32_t predicted = class_number(c, predicted_of(p, output[i]));
        c->class[actual].cases++;
        c->class[actual].right += predicted == actual;
        c->class[predicted].predicted++; /* the last is none of them */
        if (c->confusion)
            c->confusion[(size_t)actual * (c->count + 1) + predicted]++;
    }
}

static void measure_classes(gr_classes *c, uint64_t cases) {
    double right = 0.0, sum = 0.0, measured = 0.0;
    for (uint32_t k = 0; k < c->count; k++) {
        gr_class *it = &c->class[k];
        it->precision = share_of((double)it->right, (double)it->predicted);
        it->recall = share_of((double)it->right, (double)it->cases);
        it->f1 = share_of(2.0 * (double)it->right, (double)(it->cases + it->predicted));
        right += (double)it->right;
        if (!isnan(it->f1)) {
            sum += it->f1;
            measured += 1.0;
        }
    }
    c->accuracy = share_of(right, (double)cases);
    c->f1 = share_of(sum, measured);
}

gr_status gr_classes_make(const gr_params *p, const gr_dataset *set, const gr_dataset *other,
                          const float *output, gr_classes *classes, gr_error *error) {
    gr_classes c = {0};
    float *label = list_labels(p, set, other, &c.count);
    c.class = label ? calloc(c.count + 1, sizeof *c.class) : NULL;
    int shown = c.count <= GR_SHOWN_CLASSES;
    if (shown && label)
        c.confusion = calloc((size_t)(c.count + 1) * (c.count + 1), sizeof *c.confusion);
    gr_status status = GR_OK;
    if (!c.class || (shown && !c.confusion))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %u classes", c.count);
    for (uint32_t k = 0; !status && k < c.count; k++)
        c.class[k].label = label[k];
    if (!status) {
        count_cases(p, set, output, &c);
        measure_classes(&c, set->cases);
        status = measure_roc(p, set, output, &c, error);
    }
    free(label);
    if (status)
        gr_classes_free(&c);
    *classes = c;
    return status;
}

gr_classes_bytes gr_classes_plan(uint32_t count, uint64_t cases, uint64_t other) {
    gr_classes_bytes b = {0};
    b.kept = (count + 1) * sizeof(gr_class);
    if (count <= GR_SHOWN_CLASSES)
        b.kept += (size_t)(count + 1) * (count + 1) * sizeof(uint64_t);
    b.making = b.kept + (cases + other + 1) * sizeof(float) +
               (cases + 1) * (sizeof(scored) + sizeof(placed));
    if ((double)cases * count <= MOST_FIT_STEPS)
        b.fitting = (cases + 1) * (sizeof(scored) + sizeof(uint64_t)) +
                    (2 * (size_t)count + 1) * sizeof(uint64_t) +
                    ((cases + 1) * count + 1) * sizeof(uint16_t);
    return b;
}

void gr_classes_free(gr_classes *classes) {
    free(classes->class);
    free(classes->confusion);
    *classes = (gr_classes){0};
}

/* ---- thresholds ---- */

/* Adds the outputs that are equal to list[i] to the fewest errors of every class that may come up
 * to there; back[k]: the class that the outputs before then end in. The end of the equal ones. */
static uint64_t add_group(const scored *list, uint64_t n, uint64_t i, uint64_t *fewest,
                          uint64_t *own, uint32_t classes, uint16_t *back) {
    uint64_t end = i;
    memset(own, 0, classes * sizeof *own);
    for (; end < n && list[end].score == list[i].score; end++)
        own[list[end].class]++;
    uint32_t best = 0;
    for (uint32_t k = 0; k < classes; k++) {
        best = fewest[k] < fewest[best] ? k : best; /* classes only rise with the output */
        back[k] = (uint16_t)best;
        own[k] = fewest[best] + (end - i - own[k]);
    }
    memcpy(fewest, own, classes * sizeof *own);
    return end;
}

gr_status gr_fix_thresholds(gr_params *p, const gr_dataset *set, const float *output,
                            gr_error *error) {
    if (gr_sum_kind_of(p) != GR_SUM_CLASS_BINS)
        return GR_OK;
    uint32_t *count = calloc(gr_bin_counts(p), sizeof *count);
    if (!count)
        return gr_fail(error, GR_NO_MEMORY, "no memory to fit thresholds");
    for (uint64_t i = 0; i < set->cases; i++)
        if (gr_bin_of(output[i]) < GR_CLASS_BINS)
            count[gr_bin_index(p, gr_bin_of(output[i]), set->y[i])] +=
                p->case_weights ? gr_bin_weight(p->bin_scale, set->w[i]) : 1;
    gr_fit_bins(count, p->thresholds + 1, p->threshold);
    p->class_rule = GR_CLASS_THRESHOLDS;
    free(count);
    return GR_OK;
}

int gr_can_fit_thresholds(const gr_classes *classes, const gr_dataset *set) {
    return (double)set->cases * classes->count <= MOST_FIT_STEPS;
}

gr_status gr_fit_thresholds(const gr_classes *c, const gr_params *p, const gr_dataset *set,
                            const float *output, float *threshold, gr_error *error) {
    uint64_t n = 0, groups = 0;
    scored *list = malloc((set->cases + 1) * sizeof *list);
    uint64_t *fewest = calloc(2 * (size_t)c->count + 1, sizeof *fewest);
    uint16_t *back = malloc(((set->cases + 1) * c->count + 1) * sizeof *back);
    uint64_t *start = malloc((set->cases + 1) * sizeof *start);
    for (uint32_t k = 0; k + 1 < c->count; k++)
        threshold[k] = INFINITY;
    gr_status status = GR_OK;
    if (!list || !fewest || !back || !start)
        status = gr_fail(error, GR_NO_MEMORY, "no memory to fit thresholds");
    for (uint64_t i = 0; !status && i < set->cases; i++)
        if (!isnan(output[i]))
            list[n++] = (scored){output[i], class_number(c, actual_of(p, set->y[i]))};
    if (!status)
        qsort(list, n, sizeof *list, by_score);
    for (uint64_t i = 0; !status && i < n; groups++) {
        start[groups] = i;
        i = add_group(list, n, i, fewest, fewest + c->count, c->count, back + groups * c->count);
    }
    uint32_t k = 0;
    for (uint32_t j = 0; !status && j < c->count; j++)
        k = fewest[j] < fewest[k] ? j : k;
    while (!status && groups--) { /* from the largest outputs down */
        uint32_t before = back[groups * c->count + k];
        for (uint32_t j = before; j < k; j++)
            threshold[j] = list[start[groups]].score;
        k = groups ? before : k;
        for (uint32_t j = 0; groups == 0 && j < k; j++) /* classes below all outputs */
            threshold[j] = -INFINITY;
    }
    free(list);
    free(fewest);
    free(back);
    free(start);
    return status;
}

/* Behind an infinite threshold there is nobody, and no output that is infinite either. */
static bool reaches(float output, float threshold) {
    return output >= threshold && threshold < INFINITY;
}

double gr_threshold_accuracy(const gr_classes *c, const gr_params *p, const gr_dataset *set,
                             const float *output, const float *threshold) {
    double right = 0.0;
    for (uint64_t i = 0; i < set->cases; i++) {
        uint32_t k = 0, high = c->count - 1;
        while (k < high) { /* thresholds rise */
            uint32_t middle = (k + high) / 2;
            if (reaches(output[i], threshold[middle]))
                k = middle + 1;
            else
                high = middle;
        }
        right += !isnan(output[i]) && c->class[k].label == actual_of(p, set->y[i]);
    }
    return right / (double)set->cases;
}

/* ---- for readers ---- */

static void name_of(const gr_classes *c, uint32_t k, const gr_dataset *named, char out[64]) {
    float label = c->class[k].label;
    if (label >= 0.0f && label < (float)named->label_count)
        snprintf(out, 64, "%.*s", GR_CUT(named->labels[(uint32_t)label], 63));
    else
        snprintf(out, 64, "%.9g", (double)label);
}

cJSON *gr_classes_json(const gr_classes *c, const gr_dataset *named) {
    cJSON *object = cJSON_CreateObject();
    gr_json_add_float(object, "accuracy", c->accuracy);
    gr_json_add_float(object, "macro_f1", c->f1);
    gr_json_add_float(object, "roc_area", c->roc_area);
    cJSON *list = cJSON_AddArrayToObject(object, "classes");
    for (uint32_t k = 0; k < c->count; k++) {
        const gr_class *it = &c->class[k];
        char name[64];
        cJSON *class = cJSON_CreateObject(), *row;
        name_of(c, k, named, name);
        gr_json_add_text(class, "label", name);
        gr_json_add_whole(class, "cases", it->cases);
        gr_json_add_float(class, "precision", it->precision);
        gr_json_add_float(class, "recall", it->recall);
        gr_json_add_float(class, "f1", it->f1);
        gr_json_add_float(class, "roc_area", it->roc_area);
        row = c->confusion ? cJSON_AddArrayToObject(class, "predicted")
                           : cJSON_AddNullToObject(class, "predicted");
        for (uint32_t j = 0; c->confusion && j <= c->count; j++)
            cJSON_AddItemToArray(
                row, cJSON_CreateNumber((double)c->confusion[(size_t)k * (c->count + 1) + j]));
        cJSON_AddItemToArray(list, class);
    }
    return object;
}

void gr_classes_print(const gr_classes *c, const gr_dataset *named, FILE *out) {
    char name[64];
    fprintf(out, c->confusion ? "actual \\ predicted" : "actual\tcases\tright");
    for (uint32_t k = 0; c->confusion && k < c->count; k++) {
        name_of(c, k, named, name);
        fprintf(out, "\t%s", name);
    }
    fprintf(out, "%s\tprecision\trecall\tF1\tROC area\n", c->confusion ? "\tnone" : "");
    for (uint32_t k = 0; k < c->count; k++) {
        const gr_class *it = &c->class[k];
        name_of(c, k, named, name);
        fprintf(out, "%s", name);
        if (!c->confusion)
            fprintf(out, "\t%llu\t%llu", (unsigned long long)it->cases,
                    (unsigned long long)it->right);
        for (uint32_t j = 0; c->confusion && j <= c->count; j++)
            fprintf(out, "\t%llu",
                    (unsigned long long)c->confusion[(size_t)k * (c->count + 1) + j]);
        fprintf(out, "\t%.4f\t%.4f\t%.4f\t%.4f\n", it->precision, it->recall, it->f1, it->roc_area);
    }
}
