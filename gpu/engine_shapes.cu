/* The CUDA backend, shapes: the interpreter of a run, and blocks and shared memory of its kernels.
 */
#include "gpu/engine_cuda.h"
#include "gpu/interpreter/direct_jumps.h"
#include "gpu/kernels/stages.h"

#include <cstdio>
#include <cstdlib>

/* Compiled for the run when that is asked for, lies on disk, or pays, and for weighted inputs or
 * cases; otherwise, or where the driver has no compiler, the one for all operations. */
static gr_status take_interpreter(gr_engine *e, const gr_job *job, const gr_device *facts,
                                  gr_error *error) {
    if (job->specialise == GR_SPECIALISE_ALWAYS || job->params.weighted || job->params.case_weights)
        return gr_specialise(&e->machine, 1, &e->interpreter, error);
    int compile = job->width || job->warps || gr_specialising_pays(job, facts);
    if (job->specialise == GR_SPECIALISE_AUTO &&
        gr_specialise(&e->machine, compile, &e->interpreter, NULL) == GR_OK)
        return GR_OK;
    gr_machine general;
    gr_general_machine(gr_general_number(&e->machine), &general);
    general.shared = gr_tile_fits(job, facts, &general);
    e->machine = general;
    return gr_load_general(&e->machine, &e->interpreter, error);
}

/* Lets blocks of a kernel have so many bytes of dynamic shared memory. It is the process's for
 * every engine that is open: what another was promised is not taken back. */
static cudaError_t let_have_shared(const void *kernel, size_t bytes) {
    cudaFuncAttributes now = {};
    cudaError_t code = cudaFuncGetAttributes(&now, kernel);
    if (code == cudaSuccess && (size_t)now.maxDynamicSharedSizeBytes < bytes)
        code =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    return code;
}

/* The interpreter for the job, and its launch shape. */
gr_status gr_cuda_choose_interpreter(gr_engine *e, const gr_job *job, const cudaDeviceProp *device,
                                     gr_error *error) {
    const gr_device facts = {(uint32_t)device->multiProcessorCount,
                             (uint32_t)device->maxThreadsPerMultiProcessor,
                             device->sharedMemPerBlockOptin, device->sharedMemPerMultiprocessor,
                             (uint32_t)gr_has_direct_jumps(device->major, device->minor)};
    gr_work_split spread;
    int resident = 0;
    gr_status status = GR_OK;
    if (job->params.doubles) {
        gr_choose_double_machine(job, &facts, &e->machine);
        gr_choose_double_split(job, &facts, &e->machine, &spread);
        if (!e->machine.direct ||
            !gr_load_double_kernel(&e->machine, gr_direct_double_kernel(&e->machine),
                                   &e->interpreter)) {
            e->machine.direct = GR_BY_TABLE; /* with 8 bytes an instruction */
            e->interpreter.kernel = gr_double_kernel(&e->machine);
        }
    } else {
        gr_choose_machine(job, &facts, &e->machine);
        gr_choose_work_split(job, &facts, &e->machine, &spread);
        status = take_interpreter(e, job, &facts, error);
        if (!status && e->interpreter.general)
            gr_choose_work_split(job, &facts, &e->machine, &spread);
    }
    if (status)
        return status;
    const void *kernel = e->interpreter.kernel;
    e->launch.chunks = spread.chunks;
    e->launch.programs = spread.programs;
    e->launch.together = spread.together;
    e->launch.abreast = spread.abreast;
    e->launch.ahead = spread.ahead;
    e->launch.fine = spread.fine;
    e->launch.draws = spread.draws;
    e->launch.batch = spread.batch;
    e->evaluate.threads = e->machine.threads;
    e->evaluate.shared = spread.shared;
    if ((status = GR_CUDA(let_have_shared(kernel, e->evaluate.shared))) ||
        (status = GR_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
             &resident, kernel, (int)e->machine.threads, e->evaluate.shared))))
        return status;
    if (resident < 1)
        return gr_fail(error, GR_DEVICE_FAILED, "CUDA: the evaluation kernel does not fit %s",
                       device->name);
    e->evaluate.blocks = (uint32_t)(resident * device->multiProcessorCount);
    return GR_OK;
}

/* Blocks of kernel 1 that are judges (small_selection.cuh), 0 where the grid meets instead: one
 * deme of few trees, chosen from by a plain tournament, and nothing that selection would have to
 * do before. */
static uint32_t judges(const gr_engine *e, const gr_job *job) {
    enum { FEW_CHUNKS = 4 };
    const gr_params *p = &job->params;
    uint32_t apart = p->elites > 1 || p->sampling || p->stagnation || p->restart_after ||
                     p->optimise || p->torus || p->invalid != GR_INVALID_WORST || job->peers;
    if (p->genotype != GR_TREE || e->launch.width != GR_LANES || gr_demes(p) != 1 ||
        p->individuals > GR_FEW_TREES || p->train_chunks > FEW_CHUNKS || apart)
        return 0;
    return (gr_segments(p) * GR_LANES + GR_EVOLVE_THREADS - 1) / GR_EVOLVE_THREADS;
}

/* Blocks of a kernel 1 that all multiprocessors hold at a time: at most *most then. */
static gr_status limit_blocks(const gr_engine *e, const void *kernel, const cudaDeviceProp *device,
                              uint32_t *most, gr_error *error) {
    gr_status status;
    int resident = 0;
    if ((status = GR_CUDA(let_have_shared(kernel, e->evolve.shared))) ||
        (status = GR_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
             &resident, kernel, GR_EVOLVE_THREADS, e->evolve.shared))))
        return status;
    *most = gr_min_u32(*most, (uint32_t)(resident * device->multiProcessorCount));
    return GR_OK;
}

/* Launch shape of kernel 1: a warp for every tree or genome, as far as there are; more blocks only
 * make the grid's meetings slower. Whether there are judges after all is known once the memory is
 * taken: the shape is one that either kernel can have. */
gr_status gr_cuda_choose_evolve(gr_engine *e, const gr_job *job, const cudaDeviceProp *device,
                                gr_error *error) {
    gr_status status;
    const gr_params *p = &job->params;
    const uint32_t warps = GR_EVOLVE_THREADS / GR_LANES;
    uint32_t most = 0xffffffffu, typed = job->type_words != 0, wished = judges(e, job);
    for (uint32_t few = 0; few <= (wished != 0); few++) {
        e->launch.judges = few;
        if ((status = limit_blocks(e, gr_evolve_kernel_address(p, typed, &e->launch), device, &most,
                                   error)))
            return status;
    }
    if (p->optimise && (status = GR_CUDA(gr_fit_shape(p, device->multiProcessorCount, &e->fit))))
        return status;
    uint32_t blocks = gr_max_u32(1, (p->individuals + warps - 1) / warps);
    e->launch.judges = blocks + wished > most ? 0 : wished;
    e->evolve.threads = GR_EVOLVE_THREADS;
    e->evolve.blocks = gr_min_u32(most, blocks + e->launch.judges);
    return GR_OK;
}

/* Whether scratch for the largest trees or expressions, of as many lane groups of `width` as there
 * can be, is within an eighth of the card's memory: with 65 535 nodes a lane takes a megabyte. */
static bool has_scratch(const gr_params *p, const cudaDeviceProp *device, uint32_t lanes,
                        uint32_t width) {
    size_t each = gr_scratch_nodes(p) * sizeof(gr_node) + gr_scratch_words(p) * sizeof(uint32_t);
    return lanes / width * each <= device->totalGlobalMem / 8;
}

/* Lanes that breed one individual: a warp for a tree, or a lane where there are many, which a warp
 * has several of at a time, or types; genomes as many as leave all warps occupied.
 * GRAMPUS_LAUNCH=width,programs,together fixes it (tests: no result may depend on it). */
void gr_cuda_choose_breeding(gr_engine *e, const gr_job *job, const cudaDeviceProp *device) {
    const gr_params *p = &job->params;
    uint32_t threads = 1024 * (uint32_t)device->multiProcessorCount, width = GR_LANES, pool = 0;
    uint32_t warps =
        GR_EVOLVE_BLOCKS * GR_EVOLVE_THREADS / GR_LANES * (uint32_t)device->multiProcessorCount;
    /* a sixth is left to the cache: parents are drawn from all over the population */
    size_t share = device->sharedMemPerMultiprocessor / 6 * 5 / GR_EVOLVE_BLOCKS,
           reserved = device->reservedSharedMemPerBlock,
           available = share > reserved ? share - reserved : 0;
    const char *fixed = getenv("GRAMPUS_LAUNCH");
    unsigned wish;
    if (job->type_words) {
        e->launch.width = 1;
        return;
    }
    if (p->genotype == GR_TREE) {
        gr_evolve_near(p, 1, available, &pool);
        if (pool && p->individuals >= GR_TREES_OF_WARP * warps &&
            has_scratch(p, device, warps * GR_LANES, 1))
            width = 1;
    } else
        for (uint32_t next; width > 1 && p->individuals > threads / 2 / width; width = next) {
            next =
                width == 4 ? 1 : width / 2; /* 2 is slower than 1 where 4 is too many, measured */
            if (!has_scratch(p, device, threads, next))
                break;
        }
    if (fixed && sscanf(fixed, "%u", &wish) == 1 && wish && GR_LANES % wish == 0 &&
        (p->genotype != GR_TREE || wish == GR_LANES || (wish == 1 && pool)))
        width = wish;
    if (p->genotype == GR_TREE)
        e->evolve.shared = gr_evolve_near(p, width, available, &e->launch.near_nodes);
    e->launch.width = width;
}
