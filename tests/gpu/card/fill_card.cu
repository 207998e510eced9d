/* Takes memory of the first GPU and writes to it: for every line of its standard input, a number,
 * all but so many MB; says "filled" then. Keeps it until its input ends. */
#include <cuda_runtime_api.h>

#include <cstdio>

/* 0: nothing can be taken, not even a context. */
static int fill(size_t left) {
    const size_t piece = (size_t)1 << 30, least = (size_t)1 << 21;
    size_t free_bytes = 0, total = 0;
    void *memory = NULL;
    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess)
        return 0;
    for (size_t size = piece; size >= least && free_bytes > left;) {
        size_t bytes = free_bytes - left < size ? free_bytes - left : size;
        if (cudaMalloc(&memory, bytes) == cudaSuccess) {
            if (cudaMemset(memory, 1, bytes) != cudaSuccess)
                return 0;
        } else {
            cudaGetLastError();
            size /= 2;
        }
        if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess)
            return 0;
    }
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 0;
    printf("filled, %zu of %zu MB free\n", free_bytes >> 20, total >> 20);
    fflush(stdout);
    return 1;
}

int main(void) {
    unsigned long left;
    while (scanf("%lu", &left) == 1)
        if (!fill((size_t)left << 20))
            return 1;
    return 0;
}
