/* Sampling of genomes for measuring grammars: its memory on the device, there and back. */
#include "gpu/backend/genome_sampling.h"
#include "gpu/engine_cuda.h"
#include "gpu/kernels/sampling.h"

/* What is taken from the device, until all of it is given back. */
typedef struct taken {
    void *pieces[16];
    int count;
    gr_status status;
    gr_error *error;
} taken;

/* `bytes` of device memory with what `from` holds, or zeros; NULL and a status where there is none.
 */
static void *take(taken *t, const void *from, size_t bytes) {
    gr_error *error = t->error;
    void *at = NULL;
    if (t->status || (t->status = GR_CUDA(cudaMalloc(&at, bytes ? bytes : 1))))
        return NULL;
    t->pieces[t->count++] = at;
    t->status = from ? GR_CUDA(cudaMemcpy(at, from, bytes, cudaMemcpyHostToDevice))
                     : GR_CUDA(cudaMemset(at, 0, bytes));
    return at;
}
template <typename T> static T *take_all(taken *t, const T *from, size_t count) {
    return (T *)take(t, from, count * sizeof(T));
}

/* Threads that the device holds and has the scratch for. */
static uint32_t choose_blocks(const cudaDeviceProp *device, uint32_t count, size_t each) {
    size_t free_bytes = 0, total = 0;
    cudaMemGetInfo(&free_bytes, &total);
    size_t most = (size_t)device->multiProcessorCount * 8,
           needed = (count + GR_SAMPLE_THREADS - 1) / GR_SAMPLE_THREADS,
           room = free_bytes / 2 / (each * GR_SAMPLE_THREADS);
    size_t blocks = most < needed ? most : needed;
    blocks = blocks < room ? blocks : room;
    return blocks ? (uint32_t)blocks : 1;
}

static gr_genome_sample take_sample(taken *t, size_t n, size_t numbers, const gr_expansions *sums) {
    gr_genome_sample s;
    s.validity = take_all<uint8_t>(t, NULL, n);
    s.mutant = take_all<uint8_t>(t, NULL, n);
    s.used = take_all<uint32_t>(t, NULL, n);
    s.depth = take_all<uint32_t>(t, NULL, n);
    s.nodes = take_all<uint32_t>(t, NULL, n);
    s.sentence = take_all<uint64_t>(t, NULL, n);
    s.change = take_all<double>(t, NULL, n);
    s.production = take_all(t, sums, numbers);
    return s;
}

static gr_status bring(const gr_genome_sample *to, const gr_genome_sample *from, size_t n,
                       size_t numbers, gr_error *error) {
    const struct {
        void *to;
        const void *from;
        size_t bytes;
    } pieces[] = {{to->validity, from->validity, n},
                  {to->mutant, from->mutant, n},
                  {to->used, from->used, n * sizeof *to->used},
                  {to->depth, from->depth, n * sizeof *to->depth},
                  {to->nodes, from->nodes, n * sizeof *to->nodes},
                  {to->sentence, from->sentence, n * sizeof *to->sentence},
                  {to->change, from->change, n * sizeof *to->change},
                  {to->production, from->production, numbers * sizeof *to->production}};
    gr_status status = GR_OK;
    for (const auto &piece : pieces)
        if (!status)
            status = GR_CUDA(cudaMemcpy(piece.to, piece.from, piece.bytes, cudaMemcpyDeviceToHost));
    return status;
}

gr_status gr_cuda_sample_genomes(const gr_neighbour_task *task, const gr_genome_sample *sample,
                                 gr_error *error) {
    const uint32_t *g = task->grammar;
    size_t n = task->p->population, numbers = g[GR_G_PRODUCTIONS] + g[GR_G_RULES],
           words = gr_neighbour_words(task->p, g);
    gr_status status;
    taken t = {};
    t.error = error;
    if ((status = GR_CUDA(cudaSetDevice(0))))
        return status;
    gr_genome_sampling s = {};
    s.p = *task->p;
    s.words = words;
    s.task.grammar = take_all(&t, g, task->grammar_words);
    s.task.grammar_words = task->grammar_words;
    s.task.texts.count = task->texts.count;
    s.task.texts.first = take_all(&t, task->texts.first, task->texts.count + 1ull);
    s.task.texts.bytes = take_all(&t, task->texts.bytes, task->texts.first[task->texts.count]);
    s.sample = take_sample(&t, n, numbers, sample->production);
    uint32_t blocks = choose_blocks(&gr_find_device(0)->properties, (uint32_t)n, words * 4);
    s.scratch = take_all<uint32_t>(&t, NULL, (size_t)blocks * GR_SAMPLE_THREADS * words);
    status = t.status ? t.status : GR_CUDA(gr_launch_sampling(blocks, &s));
    if (!status)
        status = GR_CUDA(cudaDeviceSynchronize());
    if (!status)
        status = bring(sample, &s.sample, n, numbers, error);
    for (int k = 0; k < t.count; k++)
        cudaFree(t.pieces[k]);
    return status;
}
