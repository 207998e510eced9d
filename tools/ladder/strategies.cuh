/* Kernels that spread an interpreter over programs and cases, and the launcher of all strategies of
 * a function set. */
#ifndef LADDER_STRATEGIES_CUH
#define LADDER_STRATEGIES_CUH

#include "tools/ladder/interpreters.cuh"

/* ---- kernels ---- */

/* GPOCL's targets: a copy of the first ones, where all fit. */
enum { LADDER_CONSTANTS = 12 * 1024 };
static __constant__ float ladder_constant_targets[LADDER_CONSTANTS];

/* GPOCL's reduction: halves with sequential addressing. */
static __device__ __forceinline__ float ladder_halve(float value, float *scratch) {
    scratch[threadIdx.x] = value;
    __syncthreads();
    for (uint32_t half = 512; half; half /= 2) {
        if (threadIdx.x < half && threadIdx.x + half < blockDim.x)
            scratch[threadIdx.x] += scratch[threadIdx.x + half];
        __syncthreads();
    }
    return scratch[0];
}

static __device__ __forceinline__ void ladder_keep(const ladder_view &v, uint32_t program,
                                                   uint32_t c, float output) {
    if (v.outputs)
        v.outputs[(size_t)program * v.cases + c] = output;
}

static __device__ __forceinline__ void ladder_fetch_program(const ladder_view &v, uint32_t program,
                                                            uint32_t *to) {
    const uint32_t *from = v.words + v.first[program];
    for (uint32_t i = threadIdx.x; i < v.first[program + 1] - v.first[program]; i += blockDim.x)
        to[i] = from[i];
    __syncthreads();
}

/* Cases of a slice, whole passes of a block. */
static __device__ __forceinline__ uint32_t ladder_span(const ladder_view &v, uint32_t pass) {
    uint32_t passes = (v.cases + pass - 1) / pass;
    return (passes + gridDim.y - 1) / gridDim.y * pass;
}

/* BlockGP, GPOCL's program per compute unit and Chitty's: a block runs one program, cached in
 * shared memory, a thread K cases at a time. One block a program is what the papers have; with
 * `slices` the cases of a program are shared by several, so that the last programs of a population
 * do not leave a large card idle. */
template <int SET, int FAMILY, int K, int VECTOR, int REGISTERS>
static __global__ void __launch_bounds__(FAMILY == LADDER_UNIT || K == 1 ? 1024 : 512)
    ladder_block(const __grid_constant__ ladder_view v) {
    extern __shared__ uint32_t program[];
    __shared__ float scratch[1024];
    constexpr bool native = FAMILY == LADDER_UNIT && REGISTERS > 0;
    uint32_t pass = blockDim.x * K, span = ladder_span(v, pass);
    uint32_t end = gr_min_u32(v.cases, (blockIdx.y + 1) * span);
    float sum = 0.0f;
    ladder_fetch_program(v, blockIdx.x, program);
    for (uint32_t i = blockIdx.y * span + threadIdx.x; i < end; i += pass) {
        ladder_wide<K, VECTOR> output;
        if constexpr (FAMILY == LADDER_LINEAR) {
            ladder_run_linear<SET, K, VECTOR, REGISTERS>(program, v.columns + i, v.stride,
                                                         blockDim.x, output);
        } else {
            float stack[ladder_depth<SET>()][K];
            ladder_run_rpn<SET, K, native>(program, v.columns + i, v.stride, blockDim.x, stack);
            LADDER_EACH output[j] = stack[0][j];
        }
        const float *target = v.columns + (size_t)v.inputs * v.stride;
        LADDER_EACH {
            uint32_t c = i + j * blockDim.x;
            if (c < end) {
                float wanted;
                if constexpr (FAMILY == LADDER_UNIT && REGISTERS == 2)
                    wanted = v.cases <= LADDER_CONSTANTS ? ladder_constant_targets[c] : target[c];
                else
                    wanted = target[c];
                sum += ladder_error<SET>(v.p, output[j], wanted);
                ladder_keep(v, blockIdx.x, c, output[j]);
            }
        }
    }
    sum = ladder_halve(sum, scratch);
    if (threadIdx.x == 0)
        v.sums[(size_t)blockIdx.y * v.programs + blockIdx.x] = (double)sum;
}

/* GPOCL, fitness-parallel (Algorithm 3): all threads run one program after another, each on its own
 * case. */
template <int SET, bool NATIVE>
static __global__ void __launch_bounds__(1024)
    ladder_fitness(const __grid_constant__ ladder_view v) {
    extern __shared__ uint32_t program[];
    __shared__ float scratch[1024];
    uint32_t c = blockIdx.x * blockDim.x + threadIdx.x;
    float target = v.columns[(size_t)v.inputs * v.stride + c];
    for (uint32_t i = 0; i < v.programs; i++) {
        float stack[ladder_depth<SET>()][1], error = 0.0f;
        ladder_fetch_program(v, i, program);
        if (c < v.cases) {
            ladder_run_rpn<SET, 1, NATIVE>(program, v.columns + c, v.stride, 0, stack);
            error = ladder_error<SET>(v.p, stack[0][0], target);
            ladder_keep(v, i, c, stack[0][0]);
        }
        error = ladder_halve(error, scratch);
        if (threadIdx.x == 0)
            v.partial[(size_t)i * gridDim.x + blockIdx.x] = error;
        __syncthreads();
    }
}

/* Its last step: the sums of the blocks. A warp a program. */
static __global__ void ladder_gather(const float *partial, uint32_t blocks, double *sums) {
    double sum = 0.0;
    for (uint32_t i = threadIdx.x; i < blocks; i += 32)
        sum += (double)partial[(size_t)blockIdx.x * blocks + i];
    for (uint32_t x = 16; x; x /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, x);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

/* GPOCL, a program per processing element (Algorithm 4): a thread runs its own program on one case
 * after another. */
template <int SET, bool NATIVE>
static __global__ void __launch_bounds__(1024)
    ladder_element(const __grid_constant__ ladder_view v) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= v.programs)
        return;
    const float *target = v.columns + (size_t)v.inputs * v.stride;
    float sum = 0.0f;
    for (uint32_t c = 0; c < v.cases; c++) {
        float stack[ladder_depth<SET>()][1];
        ladder_run_rpn<SET, 1, NATIVE>(v.words + v.first[i], v.columns + c, v.stride, 0, stack);
        sum += ladder_error<SET>(v.p, stack[0][0], target[c]);
        ladder_keep(v, i, c, stack[0][0]);
    }
    v.sums[i] = (double)sum;
}

/* Langdon & Banzhaf: a thread runs its own program. They run a small population on many cases at
 * the same time (their 7.1): slices. His programs end together, padded to a common length; here the
 * longest of a warp ends it. His stack is simulated by selection, this one is local memory. */
template <int SET>
static __global__ void __launch_bounds__(128)
    ladder_langdon(const __grid_constant__ ladder_view v) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, here = i < v.programs;
    uint32_t span = ladder_span(v, 1), end = gr_min_u32(v.cases, (blockIdx.y + 1) * span);
    const float *target = v.columns + (size_t)v.inputs * v.stride;
    i = gr_min_u32(i, v.programs - 1);
    uint32_t turns = v.first[i];
    for (uint32_t x = 16; x; x /= 2)
        turns = gr_max_u32(turns, __shfl_xor_sync(0xffffffffu, turns, x));
    float sum = 0.0f;
    for (uint32_t c = blockIdx.y * span; c < end; c++) {
        float output = ladder_run_langdon<SET>((const uint2 *)v.words + i, v.programs, turns,
                                               v.columns + c, v.stride);
        sum += ladder_error<SET>(v.p, output, target[c]);
        if (here)
            ladder_keep(v, i, c, output);
    }
    if (here)
        v.sums[(size_t)blockIdx.y * v.programs + i] = (double)sum;
}

/* The same with his stack, and programs of one length. */
template <int SET, int DEPTH>
static __global__ void __launch_bounds__(128)
    ladder_rotated(const __grid_constant__ ladder_view v) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t span = ladder_span(v, 1), end = gr_min_u32(v.cases, (blockIdx.y + 1) * span);
    const float *target = v.columns + (size_t)v.inputs * v.stride;
    if (i >= v.programs)
        return;
    float sum = 0.0f;
    for (uint32_t c = blockIdx.y * span; c < end; c++) {
        float output = ladder_run_rotated<SET, DEPTH>((const uint2 *)v.words + i, v.programs,
                                                      v.longest, v.columns + c, v.stride);
        sum += ladder_error<SET>(v.p, output, target[c]);
        ladder_keep(v, i, c, output);
    }
    v.sums[(size_t)blockIdx.y * v.programs + i] = (double)sum;
}

/* His section 6.2: what one program takes without an interpreter. */
static __global__ void __launch_bounds__(128)
    ladder_special(const __grid_constant__ ladder_view v) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t span = ladder_span(v, 1), end = gr_min_u32(v.cases, (blockIdx.y + 1) * span);
    if (i >= v.programs)
        return;
    float sum = 0.0f;
    for (uint32_t c = blockIdx.y * span; c < end; c++) {
        float stack[8];
        int sp = 0;
#define INPUT(k) stack[sp++] = v.columns[(size_t)k * v.stride + c];
#define CONSTANT(x) stack[sp++] = x;
#define OPERATION(id) sp--, stack[sp - 1] = gr_apply(GR_##id, stack[sp - 1], stack[sp], 0.0f);
        LADDER_COPIED(INPUT, CONSTANT, OPERATION)
#undef INPUT
#undef CONSTANT
#undef OPERATION
        sum +=
            ladder_error<LADDER_MACKEY>(v.p, stack[0], v.columns[(size_t)v.inputs * v.stride + c]);
        ladder_keep(v, i, c, stack[0]);
    }
    v.sums[(size_t)blockIdx.y * v.programs + i] = (double)sum;
}

/* ---- launchers ---- */

static inline uint32_t ladder_up(uint32_t n, uint32_t unit) {
    return (n + unit - 1) / unit;
}

/* OpenCL's local size of the fitness-parallel strategy (equation 2), a power of two as its
 * reduction wants; at most as the papers' other limit says, what the card takes. */
static inline uint32_t ladder_local_size(uint32_t cases, uint32_t units) {
    uint32_t most = ladder_up(cases, units), local = 32;
    while (local * 2 <= most && local < 1024)
        local *= 2;
    return local;
}

/* Equation 6, rounded up to whole warps. */
static inline uint32_t ladder_unit_size(uint32_t cases) {
    return gr_min_u32(1024, 32 * ladder_up(cases, 32));
}

/* Once for the cases of a problem, as GPOCL when it makes its buffers. */
static inline void ladder_copy_targets(const ladder_view &v, cudaStream_t stream) {
    static const float *copied;
    static uint32_t cases;
    if (v.cases > LADDER_CONSTANTS || (copied == v.columns && cases >= v.cases))
        return;
    cudaMemcpyToSymbolAsync(ladder_constant_targets, v.columns + (size_t)v.inputs * v.stride,
                            v.cases * sizeof(float), 0, cudaMemcpyDeviceToDevice, stream);
    copied = v.columns;
    cases = v.cases;
}

template <int SET, int FAMILY, int K, int VECTOR, int REGISTERS>
static cudaError_t ladder_launch_one(const ladder_view &v, cudaStream_t stream) {
    size_t shared = v.longest * sizeof(uint32_t);
    constexpr bool gpocl = SET == LADDER_REGRESSION || SET == LADDER_CLASSIFICATION;
    constexpr bool native = FAMILY < LADDER_RPN && REGISTERS > 0;
    if constexpr (native && !gpocl)
        return cudaErrorInvalidValue;
    else if constexpr (FAMILY == LADDER_LANGDON) {
        dim3 grid(ladder_up(v.programs, v.threads), v.slices);
        ladder_langdon<SET><<<grid, v.threads, 0, stream>>>(v);
    } else if constexpr (FAMILY == LADDER_ROTATED) {
        dim3 grid(ladder_up(v.programs, v.threads), v.slices);
        if constexpr (SET != LADDER_MACKEY)
            return cudaErrorInvalidValue;
        else if constexpr (K == 0)
            ladder_special<<<grid, v.threads, 0, stream>>>(v);
        else
            ladder_rotated<SET, K><<<grid, v.threads, 0, stream>>>(v);
    } else if constexpr (FAMILY == LADDER_FITNESS) {
        uint32_t local = ladder_local_size(v.cases, v.units), blocks = ladder_up(v.cases, local);
        ladder_fitness<SET, native><<<blocks, local, shared, stream>>>(v);
        ladder_gather<<<v.programs, 32, 0, stream>>>(v.partial, blocks, v.sums);
    } else if constexpr (FAMILY == LADDER_ELEMENT) {
        uint32_t local = gr_min_u32(1024, ladder_up(v.programs, v.units));
        ladder_element<SET, native><<<ladder_up(v.programs, local), local, 0, stream>>>(v);
    } else {
        uint32_t threads = FAMILY == LADDER_UNIT ? ladder_unit_size(v.cases) : v.threads;
        if constexpr (native && REGISTERS == 2)
            ladder_copy_targets(v, stream);
        cudaFuncSetAttribute(ladder_block<SET, FAMILY, K, VECTOR, REGISTERS>,
                             cudaFuncAttributePreferredSharedMemoryCarveout,
                             v.shared == LADDER_NO_PREFERENCE ? cudaSharedmemCarveoutDefault
                                                              : (int)v.shared);
        ladder_block<SET, FAMILY, K, VECTOR, REGISTERS>
            <<<dim3(v.programs, v.slices), threads, shared, stream>>>(v);
    }
    return cudaGetLastError();
}

template <int SET>
static cudaError_t ladder_launch_set(uint32_t strategy, const ladder_view &v, cudaStream_t stream) {
    switch (strategy) {
#define LADDER_STRATEGY(id, name, title, family, k, vector, registers, ...)                        \
    case LADDER_##id:                                                                              \
        return ladder_launch_one<SET, LADDER_##family, k, vector, registers>(v, stream);
#include "tools/ladder/strategy.def"
    default:
        return cudaErrorInvalidValue;
    }
}

#endif
