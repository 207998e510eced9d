/* Calls of CUDA that fail when a test wants them to. A program is linked with them in the place of
 * the real ones (ld --wrap), from the same objects as the one that users have.
 *
 *     GRAMPUS_FAULT=KIND:N[+]       the Nth call of a kind fails, with + also all later ones
 *     GRAMPUS_FAULT_REPORT=FILE     "KIND CALLS" of that kind so far
 *     GRAMPUS_MEMORY_REPORT=FILE    "DEVICE HOST": the most bytes that were held at a time, pinned
 * ones as HOST
 *
 * Kinds: memory (on the device, and pinned), launch, copy, wait, and device: all of them, as when
 * it is lost. */
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static std::atomic<long> calls;

/* After every call: the program may end without a word to the C library. */
static void report(const char *wish, long call) {
    static const char *const path = getenv("GRAMPUS_FAULT_REPORT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%.*s %ld\n", (int)strcspn(wish, ":"), wish, call);
    fclose(file);
}

static bool fails(const char *kind) {
    static const char *const wish = getenv("GRAMPUS_FAULT");
    size_t length = wish ? strcspn(wish, ":") : 0;
    bool all = length == 6 && strncmp(wish, "device", 6) == 0;
    if (!length || (!all && (strlen(kind) != length || strncmp(wish, kind, length) != 0)))
        return false;
    char *end;
    long call = ++calls, nth = strtol(wish + length + 1, &end, 10);
    report(wish, call);
    return call == nth || (*end == '+' && call > nth);
}

/* ---- memory ---- */

enum { GR_DEVICE_MEMORY, GR_HOST_MEMORY };
static struct {
    void *at;
    size_t bytes;
} blocks[64];
static size_t held[2], most[2];

static void note(int where, void *at, size_t bytes) {
    static const char *const path = getenv("GRAMPUS_MEMORY_REPORT");
    FILE *file = path ? fopen(path, "w") : NULL;
    int k = 0;
    if (!file)
        return;
    while (k < 63 && blocks[k].at != (bytes ? NULL : at))
        k++;
    held[where] += bytes ? bytes : -blocks[k].bytes;
    most[where] = held[where] > most[where] ? held[where] : most[where];
    blocks[k].at = bytes ? at : NULL;
    blocks[k].bytes = bytes;
    fprintf(file, "%zu %zu\n", most[GR_DEVICE_MEMORY], most[GR_HOST_MEMORY]);
    fclose(file);
}

extern "C" cudaError_t __real_cudaMalloc(void **to, size_t size);
extern "C" cudaError_t __wrap_cudaMalloc(void **to, size_t size) {
    cudaError_t code = fails("memory") ? cudaErrorMemoryAllocation : __real_cudaMalloc(to, size);
    if (!code)
        note(GR_DEVICE_MEMORY, *to, size);
    return code;
}
extern "C" cudaError_t __real_cudaHostAlloc(void **to, size_t size, unsigned flags);
extern "C" cudaError_t __wrap_cudaHostAlloc(void **to, size_t size, unsigned flags) {
    cudaError_t code =
        fails("memory") ? cudaErrorMemoryAllocation : __real_cudaHostAlloc(to, size, flags);
    if (!code)
        note(GR_HOST_MEMORY, *to, size);
    return code;
}
extern "C" cudaError_t __real_cudaFree(void *at);
extern "C" cudaError_t __wrap_cudaFree(void *at) {
    if (at)
        note(GR_DEVICE_MEMORY, at, 0);
    return __real_cudaFree(at);
}
extern "C" cudaError_t __real_cudaFreeHost(void *at);
extern "C" cudaError_t __wrap_cudaFreeHost(void *at) {
    if (at)
        note(GR_HOST_MEMORY, at, 0);
    return __real_cudaFreeHost(at);
}

/* ---- calls that may fail ---- */

#define WRAP(name, kind, code, parameters, arguments)                                              \
    extern "C" cudaError_t __real_##name parameters;                                               \
    extern "C" cudaError_t __wrap_##name parameters {                                              \
        return fails(kind) ? code : __real_##name arguments;                                       \
    }
WRAP(cudaMemcpy, "copy", cudaErrorIllegalAddress,
     (void *to, const void *from, size_t size, cudaMemcpyKind kind), (to, from, size, kind))
WRAP(cudaMemcpyAsync, "copy", cudaErrorIllegalAddress,
     (void *to, const void *from, size_t size, cudaMemcpyKind kind, cudaStream_t stream),
     (to, from, size, kind, stream))
WRAP(cudaMemcpy2DAsync, "copy", cudaErrorIllegalAddress,
     (void *to, size_t pitch, const void *from, size_t other, size_t width, size_t height,
      cudaMemcpyKind kind, cudaStream_t stream),
     (to, pitch, from, other, width, height, kind, stream))
WRAP(cudaMemset, "copy", cudaErrorIllegalAddress, (void *to, int value, size_t size),
     (to, value, size))
WRAP(cudaLaunchKernel, "launch", cudaErrorLaunchFailure,
     (const void *kernel, dim3 blocks, dim3 threads, void **arguments, size_t shared,
      cudaStream_t stream),
     (kernel, blocks, threads, arguments, shared, stream))
WRAP(cudaLaunchCooperativeKernel, "launch", cudaErrorLaunchFailure,
     (const void *kernel, dim3 blocks, dim3 threads, void **arguments, size_t shared,
      cudaStream_t stream),
     (kernel, blocks, threads, arguments, shared, stream))
WRAP(cudaLaunchKernelExC, "launch", cudaErrorLaunchFailure,
     (const cudaLaunchConfig_t *config, const void *kernel, void **arguments),
     (config, kernel, arguments))
WRAP(cudaGraphLaunch, "launch", cudaErrorLaunchFailure,
     (cudaGraphExec_t graph, cudaStream_t stream), (graph, stream))
WRAP(cudaStreamQuery, "wait", cudaErrorLaunchFailure, (cudaStream_t stream), (stream))
WRAP(cudaStreamSynchronize, "wait", cudaErrorLaunchFailure, (cudaStream_t stream), (stream))
WRAP(cudaDeviceSynchronize, "wait", cudaErrorLaunchFailure, (), ())
WRAP(cudaEventSynchronize, "wait", cudaErrorLaunchFailure, (cudaEvent_t event), (event))
