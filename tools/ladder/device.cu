/* Programs and cases on the card, and strategies timed there. */
#include "tools/ladder/launch.cuh"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

/* What a call of CUDA has to say. */
static gr_status checked(cudaError_t code, const char *call, gr_error *error) {
    return code == cudaSuccess
               ? GR_OK
               : gr_fail(error, GR_DEVICE_FAILED, "%s: %s", call, cudaGetErrorString(code));
}
#define LADDER_CUDA(call) checked(call, #call, error)

struct ladder_cases_on_card {
    float *at;
    uint32_t cases, stride;
};

struct ladder_program_on_card {
    uint32_t *words, *first;
    uint32_t longest;
};

struct ladder_device {
    ladder_set set;
    gr_params params;
    uint32_t units, inputs, programs;
    ladder_cases_on_card all, sample;
    ladder_program_on_card rpn, linear, langdon;
    double *sums; /* [LADDER_MAX_SLICES][programs] */
    float *partial, *outputs;
    char *flush; /* overwritten to empty the L2 cache */
    size_t flush_bytes;
    double *host_sums;
    cudaEvent_t start, end;
};

static gr_status upload_words(uint32_t **to, const uint32_t *from, size_t count, gr_error *error) {
    cudaFree(*to);
    *to = NULL;
    gr_status status = LADDER_CUDA(cudaMalloc((void **)to, count * sizeof(uint32_t)));
    return status ? status
                  : LADDER_CUDA(
                        cudaMemcpy(*to, from, count * sizeof(uint32_t), cudaMemcpyHostToDevice));
}

static gr_status upload_columns(ladder_cases_on_card *to, const ladder_columns *from,
                                gr_error *error) {
    to->cases = from->cases;
    to->stride = from->stride;
    return upload_words((uint32_t **)&to->at, (const uint32_t *)from->at,
                        (size_t)(from->inputs + 1) * from->stride, error);
}

static gr_status upload_code(ladder_program_on_card *to, const ladder_code *from, uint32_t programs,
                             gr_error *error) {
    to->longest = from->longest;
    gr_status status = upload_words(&to->words, from->words, from->count, error);
    return status ? status : upload_words(&to->first, from->first, programs + 1, error);
}

static gr_status open_card(ladder_device *d, const ladder_columns *all,
                           const ladder_columns *sample, ladder_card *card, gr_error *error) {
    cudaDeviceProp properties;
    gr_status status = LADDER_CUDA(cudaGetDeviceProperties(&properties, 0));
    if (status)
        return status;
    snprintf(card->name, sizeof card->name, "%.*s", (int)sizeof card->name - 1, properties.name);
    card->units = d->units = (uint32_t)properties.multiProcessorCount;
    d->flush_bytes = 2 * (size_t)properties.l2CacheSize + 1;
    if ((status = LADDER_CUDA(cudaMalloc((void **)&d->flush, d->flush_bytes))) ||
        (status = LADDER_CUDA(cudaEventCreate(&d->start))) ||
        (status = LADDER_CUDA(cudaEventCreate(&d->end))) ||
        (status = upload_columns(&d->all, all, error)))
        return status;
    return upload_columns(&d->sample, sample, error);
}

gr_status ladder_device_open(ladder_set set, const gr_params *params, const ladder_columns *all,
                             const ladder_columns *sample, ladder_card *card,
                             ladder_device **device, gr_error *error) {
    ladder_device *d = (ladder_device *)calloc(1, sizeof *d);
    if (!d)
        return gr_fail(error, GR_NO_MEMORY, "no memory for the device");
    d->set = set;
    d->params = *params;
    d->inputs = all->inputs;
    gr_status status = open_card(d, all, sample, card, error);
    if (status) {
        ladder_device_close(d);
        d = NULL;
    }
    *device = d;
    return status;
}

gr_status ladder_device_load(ladder_device *d, uint32_t programs, const ladder_code *rpn,
                             const ladder_code *linear, const ladder_code *langdon,
                             gr_error *error) {
    d->programs = programs;
    gr_status status = upload_code(&d->rpn, rpn, programs, error);
    if (!status)
        status = upload_code(&d->linear, linear, programs, error);
    if (!status)
        status = upload_code(&d->langdon, langdon, programs, error);
    if (status)
        return status;
    cudaFree(d->sums);
    cudaFree(d->partial);
    cudaFree(d->outputs);
    free(d->host_sums);
    d->sums = NULL, d->partial = NULL, d->outputs = NULL;
    size_t sums = (size_t)LADDER_MAX_SLICES * programs * sizeof(double);
    d->host_sums = (double *)malloc(sums);
    if (!d->host_sums)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u programs", programs);
    /* fitness-parallel: a sum of every block; the smallest block has 32 cases, but only where there
     * are fewer of those than multiprocessors */
    size_t blocks = d->all.cases / 64 + d->units + 1;
    if ((status = LADDER_CUDA(cudaMalloc((void **)&d->sums, sums))) ||
        (status = LADDER_CUDA(cudaMalloc((void **)&d->partial, blocks * programs * sizeof(float)))))
        return status;
    return LADDER_CUDA(
        cudaMalloc((void **)&d->outputs, (size_t)d->sample.cases * programs * sizeof(float)));
}

void ladder_device_limit(ladder_device *d, uint32_t programs) {
    d->programs = programs;
}

gr_status ladder_device_transfer(ladder_device *d, const ladder_code *rpn, double *seconds,
                                 gr_error *error) {
    size_t words = rpn->first[d->programs], n = d->programs;
    auto start = std::chrono::steady_clock::now();
    gr_status status = LADDER_CUDA(
        cudaMemcpy(d->rpn.words, rpn->words, words * sizeof(uint32_t), cudaMemcpyHostToDevice));
    if (!status)
        status = LADDER_CUDA(cudaMemcpy(d->rpn.first, rpn->first, (n + 1) * sizeof(uint32_t),
                                        cudaMemcpyHostToDevice));
    if (!status)
        status = LADDER_CUDA(
            cudaMemcpy(d->host_sums, d->sums, n * sizeof(double), cudaMemcpyDeviceToHost));
    *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return status;
}

static cudaError_t launch(const ladder_device *d, uint32_t strategy, const ladder_view &v) {
    switch (d->set) {
    case LADDER_SEXTIC:
        return ladder_launch_sextic(strategy, v, 0);
    case LADDER_SHUTTLE:
        return ladder_launch_shuttle(strategy, v, 0);
    case LADDER_KDDCUP:
        return ladder_launch_kddcup(strategy, v, 0);
    case LADDER_MACKEY:
        return ladder_launch_mackey(strategy, v, 0);
    case LADDER_REGRESSION:
        return ladder_launch_regression(strategy, v, 0);
    case LADDER_CLASSIFICATION:
        return ladder_launch_classification(strategy, v, 0);
    default:
        return ladder_launch_multiplexer(strategy, v, 0);
    }
}

static ladder_view view_of(const ladder_device *d, const ladder_launch *l) {
    ladder_family family = ladder_strategies[l->strategy].family;
    const ladder_cases_on_card *cases = l->sample ? &d->sample : &d->all;
    const ladder_program_on_card *code = family == LADDER_LINEAR ? &d->linear
                                         : family == LADDER_LANGDON || family == LADDER_ROTATED
                                             ? &d->langdon
                                             : &d->rpn;
    ladder_view v;
    memset(&v, 0, sizeof v);
    v.p = d->params;
    v.words = code->words;
    v.first = code->first;
    v.programs = d->programs;
    v.longest = code->longest;
    v.columns = cases->at;
    v.inputs = d->inputs;
    v.cases = l->cases < cases->cases ? l->cases : cases->cases;
    v.stride = cases->stride;
    v.threads = l->threads;
    v.slices = l->slices;
    v.units = d->units;
    v.shared = l->shared;
    v.sums = d->sums;
    v.partial = d->partial;
    v.outputs = l->sample ? d->outputs : NULL;
    return v;
}

/* Sums and outputs nobody writes must not pass for those of an earlier launch; and nothing is left
 * in the cache. */
static gr_status overwrite(ladder_device *d, const ladder_launch *l, const ladder_view &v,
                           uint32_t launch, gr_error *error) {
    gr_status status =
        LADDER_CUDA(cudaMemset(d->sums, 0xff, (size_t)l->slices * d->programs * sizeof(double)));
    if (!status && l->sample)
        status = LADDER_CUDA(
            cudaMemset(d->outputs, 0xa5, (size_t)v.cases * d->programs * sizeof(float)));
    return status ? status : LADDER_CUDA(cudaMemset(d->flush, (int)launch, d->flush_bytes));
}

/* A launch between two events. */
static gr_status timed(const ladder_device *d, const ladder_launch *l, const ladder_view &v,
                       double *seconds, gr_error *error) {
    float milliseconds;
    gr_status status;
    if ((status = LADDER_CUDA(cudaEventRecord(d->start, 0))) ||
        (status = LADDER_CUDA(launch(d, l->strategy, v))) ||
        (status = LADDER_CUDA(cudaEventRecord(d->end, 0))) ||
        (status = LADDER_CUDA(cudaEventSynchronize(d->end))) ||
        (status = LADDER_CUDA(cudaEventElapsedTime(&milliseconds, d->start, d->end))))
        return status;
    *seconds = 1e-3 * (double)milliseconds;
    return GR_OK;
}

gr_status ladder_device_run(ladder_device *d, const ladder_launch *l, uint32_t repeats,
                            double *seconds, double *sums, float *outputs, gr_error *error) {
    ladder_view v = view_of(d, l);
    size_t bytes = (size_t)l->slices * d->programs * sizeof(double);
    gr_status status = GR_OK;
    for (uint32_t i = 0; !status && i < repeats; i++) {
        status = overwrite(d, l, v, i, error);
        if (!status)
            status = timed(d, l, v, &seconds[i], error);
    }
    if (!status)
        status = LADDER_CUDA(cudaMemcpy(d->host_sums, d->sums, bytes, cudaMemcpyDeviceToHost));
    if (status)
        return status;
    for (uint32_t p = 0; p < d->programs; p++) {
        sums[p] = 0.0;
        for (uint32_t s = 0; s < l->slices; s++)
            sums[p] += d->host_sums[(size_t)s * d->programs + p];
    }
    return l->sample ? LADDER_CUDA(cudaMemcpy(outputs, d->outputs,
                                              (size_t)v.cases * d->programs * sizeof(float),
                                              cudaMemcpyDeviceToHost))
                     : GR_OK;
}

void ladder_device_close(ladder_device *d) {
    if (!d)
        return;
    void *memory[] = {d->all.at,        d->sample.at,     d->rpn.words, d->rpn.first,
                      d->linear.words,  d->linear.first,  d->sums,      d->partial,
                      d->langdon.words, d->langdon.first, d->outputs,   d->flush};
    for (void *one : memory)
        cudaFree(one);
    if (d->start)
        cudaEventDestroy(d->start);
    if (d->end)
        cudaEventDestroy(d->end);
    free(d->host_sums);
    free(d);
}
