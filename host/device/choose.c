#include "host/device/choose.h"

#include "host/cpu/processors.h"
#include "host/device/kept.h"
#include "host/settings/settings.h"

#include <stdio.h>

#ifdef GRAMPUS_CUDA
static const gr_backend *const built_in = &gr_backend_cuda;
#else
static const gr_backend *const built_in = NULL;
#endif

/* ---- what ends first ---- */

static void write_seconds(double seconds, char text[32]) {
    snprintf(text, 32, seconds < 10.0 ? "%.2g s" : "%.0f s", seconds);
}

int gr_gpu_ends_first(const gr_work *work, const gr_known_rates *rates, uint32_t threads, char *why,
                      size_t size) {
    double cpu = gr_expected_seconds(work, &rates->cpu, threads);
    double gpu = gr_expected_seconds(work, &rates->gpu, 1);
    char by_cpu[32], by_gpu[32];
    write_seconds(cpu, by_cpu);
    write_seconds(gpu, by_gpu);
    snprintf(why, size, "device: auto, estimated %s on the CPU, %s on a GPU", by_cpu, by_gpu);
    return gpu < cpu;
}

/* Whether it can be used, and a line about it or about why not. */
static int is_usable(const gr_backend *cuda, char *line, size_t size) {
    if (cuda)
        return cuda->available(line, size);
    snprintf(line, size, "this grampus was built without CUDA");
    return 0;
}

gr_status gr_choose(const gr_candidates *c, const gr_backend **backend, char *why, size_t size,
                    gr_error *error) {
    char line[200], estimate[128] = "a CUDA device is usable";
    *backend = &gr_backend_cpu;
    if (c->device == GR_DEVICE_CPU) {
        snprintf(why, size, "device: cpu was asked for");
        return GR_OK;
    }
    if (c->device == GR_AUTO && c->job && c->cuda) {
        gr_known_rates rates = gr_read_rates();
        gr_work work = gr_work_of(c->job);
        uint32_t threads = gr_threads_for(c->job);
        if (!gr_gpu_ends_first(&work, &rates, threads, estimate, sizeof estimate)) {
            snprintf(why, size, "%s", estimate);
            return GR_OK;
        }
    }
    int usable = is_usable(c->cuda, line, sizeof line);
    if (c->device == GR_DEVICE_CUDA && !usable)
        return gr_fail(error, GR_DEVICE_FAILED,
                       "device cuda: %s; expected a usable CUDA device, or device cpu or auto",
                       line);
    if (!usable) {
        snprintf(why, size, "no CUDA: %s", line);
        return GR_OK;
    }
    *backend = c->cuda;
    snprintf(why, size, "%s",
             c->device == GR_DEVICE_CUDA ? "device: cuda was asked for" : estimate);
    return GR_OK;
}

gr_status gr_choose_backend(uint32_t device, const gr_job *job, const gr_backend **backend,
                            char *why, size_t size, gr_error *error) {
    const gr_candidates candidates = {device, job, built_in};
    return gr_choose(&candidates, backend, why, size, error);
}

/* ---- learning ---- */

/* A run of fewer seconds tells nothing about the CPU that is worth a file. */
static const double worth_noting = 0.05;

/* Leaving a GPU, which nobody sees the end of: 0.105 to 0.115 s from the last file to the prompt,
 * an H100. */
static const double leaving = 0.1;

/* Seconds that every run waits for a GPU, data aside, and what is compiled once. */
static double start_of(const double opening[GR_OPENINGS]) {
    double sum = 0.0;
    for (int k = 0; k < GR_OPENINGS; k++)
        sum += k == GR_OPENING_COMPILING || k == GR_OPENING_UPLOAD ? 0.0 : opening[k];
    return sum > 0.0 ? sum + leaving : 0.0;
}

void gr_note_run(const gr_backend *backend, const gr_engine *engine, const gr_job *job,
                 uint32_t generations, double executed) {
    const gr_params *p = &job->params;
    int is_gpu = backend == built_in;
    gr_engine_report report;
    gr_traffic traffic;
    if (!built_in || (!is_gpu && backend != &gr_backend_cpu))
        return;
    backend->report(engine, &report, &traffic);
    if (!is_gpu && traffic.seconds < worth_noting)
        return;
    gr_measured_run run = {.work = gr_work_of(job), .threads = is_gpu ? 1 : gr_threads_for(job)};
    run.opening = start_of(report.opening);
    run.breeding = traffic.phase[GR_PHASE_SELECT] + traffic.phase[GR_PHASE_BREED];
    run.evaluation = traffic.phase[GR_PHASE_EVALUATE];
    run.work.generations = generations;
    run.work.evaluations = generations && p->train_cases
                               ? executed / generations / p->train_cases * gr_evaluation_cases(p)
                               : 0.0;
    gr_known_rates known = gr_read_rates(), learned = known;
    if (is_gpu)
        learned.gpu = gr_learn_rates(known.gpu, &gr_first_rates.gpu, &run, 1);
    else
        learned.cpu = gr_learn_rates(known.cpu, &gr_first_rates.cpu, &run, 0);
    if (gr_rates_differ(&learned.cpu, &known.cpu) || gr_rates_differ(&learned.gpu, &known.gpu))
        gr_keep_rates(&learned);
}
