/* Takes all memory of the first GPU but so many MB, writes to it, says "filled", and keeps it until
 * its standard input ends: fill_card MB */
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

int main(int count, char **arguments) {
    const size_t piece = (size_t)64 << 20, left = (count > 1 ? strtoul(arguments[1], NULL, 10) : 0)
                                                  << 20;
    size_t free_bytes = 0, total = 0, taken = 0;
    void *memory = NULL;
    while (cudaMemGetInfo(&free_bytes, &total) == cudaSuccess && free_bytes > left) {
        size_t bytes = free_bytes - left < piece ? free_bytes - left : piece;
        if (cudaMalloc(&memory, bytes) != cudaSuccess ||
            cudaMemset(memory, 1, bytes) != cudaSuccess)
            break;
        taken += bytes;
    }
    cudaGetLastError();
    if (!taken || cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaMemGetInfo(&free_bytes, &total);
    printf("filled %zu MB, %zu MB free\n", taken >> 20, free_bytes >> 20);
    fflush(stdout);
    while (getchar() != EOF)
        ;
    return 0;
}
