/* gpu/core/fitness/fitness.h: moments of cases with weights, joined over chunks of a set, and the
 * line through them, against plain sums over all cases; training and test cases have weights of
 * their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/fitness/cost.h"
#include "tests/core.h"

enum { CHUNKS = 3, MOST = CHUNKS * GR_CHUNK };

/* A set of cases; the plain moments of its outputs. */
typedef struct cases {
    uint32_t n;
    float weight[MOST], output[MOST], target[MOST];
    double all, mean_target, squares, moment[3];
} cases;

static void draw(cases *of, uint32_t n, double unit, core_dice *dice) {
    *of = (cases){.n = n};
    double mean = 0.0;
    for (uint32_t c = 0; c < n; c++) { /* each chunk is another part of the line */
        of->weight[c] = (float)(unit * (1 + core_roll(dice, 30)));
        of->output[c] = (float)core_roll(dice, 4000) / 1000.0f + (float)(c / GR_CHUNK);
        of->target[c] = 3.0f - 2.0f * of->output[c] + (float)core_roll(dice, 1000) / 1000.0f;
        of->all += (double)of->weight[c];
        of->mean_target += (double)of->weight[c] * (double)of->target[c];
        mean += (double)of->weight[c] * (double)of->output[c];
    }
    of->mean_target /= of->all;
    of->moment[0] = mean / of->all;
    for (uint32_t c = 0; c < n; c++) {
        double w = (double)of->weight[c], x = (double)of->output[c] - of->moment[0],
               t = (double)of->target[c] - of->mean_target;
        of->moment[1] += w * x * x;
        of->moment[2] += w * x * t;
        of->squares += w * t * t;
    }
}

/* Its moments as the lanes of an evaluation leave them, a chunk after the other. */
static void join(const gr_params *p, uint32_t set, const cases *of, double moment[3]) {
    static float tile[CHUNKS * GR_CHUNK * 3];
    double sums[CHUNKS * GR_MAX_SUMS] = {0.0};
    gr_chunk_target targets[CHUNKS];
    for (uint32_t c = 0; c < of->n; c++) {
        float *at = tile + c / GR_CHUNK * gr_tile_of(p) + c % GR_CHUNK;
        at[0] = of->output[c];
        at[GR_CHUNK] = of->target[c];
        at[2 * GR_CHUNK] = of->weight[c];
    }
    gr_chunk_targets(p, tile, of->n, of->mean_target, targets);
    for (uint32_t first = 0; first < of->n; first += GR_CHUNK) {
        uint32_t chunk = first / GR_CHUNK;
        double sum[3] = {0.0}, origin = (double)of->output[first];
        for (uint32_t c = first; c < of->n && c < first + GR_CHUNK; c++)
            gr_moments_add_weighed(sum, 1, (double)of->weight[c], (double)of->output[c] - origin,
                                   (double)of->target[c] - targets[chunk].origin);
        for (uint32_t k = 0; k < 3; k++)
            sums[chunk * GR_MAX_SUMS + k] =
                gr_moment_of(k, sum[k], sum[0], origin,
                             gr_chunk_share(p, set, chunk, targets[chunk]), targets[chunk]);
    }
    gr_moments_join(p, set, targets, sums, 1, moment);
}

static void near(double got, double wanted) {
    if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted)))
        fail_msg("%.12g instead of %.12g", got, wanted);
}

/* The line of the training cases, and what it leaves on either set. */
static void test_line(void **state) {
    (void)state;
    static cases set[2];
    for (uint32_t kind = 0; kind < 4; kind++) {
        core_dice dice = {kind};
        gr_params p = core_params(GR_TREE);
        p.inputs = 1;
        p.case_weights = 1;
        p.linear_scaling = 1;
        p.metric = GR_METRIC_MSE;
        draw(&set[0], kind % 2 ? 2 * GR_CHUNK + 77 : 900, 0.125, &dice);
        draw(&set[1], kind / 2 ? GR_CHUNK + 5 : 300, 2.0, &dice);
        p.train_cases = set[0].n, p.test_cases = set[1].n;
        p.train_chunks = (set[0].n + GR_CHUNK - 1) / GR_CHUNK;
        p.test_chunks = (set[1].n + GR_CHUNK - 1) / GR_CHUNK;
        double fit[2], slope = set[0].moment[2] / set[0].moment[1],
                       intercept = set[0].mean_target - slope * set[0].moment[0];
        for (uint32_t n = 0; n < 2; n++) {
            p.weight[n] = set[n].all;
            p.target_mean[n] = set[n].mean_target;
            p.target_ss[n] = set[n].squares;
        }
        for (uint32_t n = 0; n < 2; n++) {
            double moment[3], error = 0.0;
            join(&p, n, &set[n], moment);
            for (uint32_t k = 0; k < 3; k++)
                near(moment[k], set[n].moment[k]);
            for (uint32_t c = 0; c < set[n].n; c++) {
                double off =
                    (double)set[n].target[c] - (intercept + slope * (double)set[n].output[c]);
                error += (double)set[n].weight[c] * off * off;
            }
            float cost = gr_cost(&p, moment, n, fit);
            assert_true(fabs((double)cost * set[n].all / error - 1.0) < 1e-6);
            near(fit[0], intercept);
            near(fit[1], slope);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
