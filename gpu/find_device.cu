/* The first visible device. */
#include "gpu/backend/clock.h"
#include "gpu/engine_cuda.h"

#include <cstdio>

const gr_found *gr_find_device(void) {
    static const gr_found found = [] {
        gr_found f = {};
        double start = gr_seconds_now();
        f.code = cudaGetDeviceCount(&f.count);
        if (f.code == cudaSuccess && f.count == 0)
            f.code = cudaErrorNoDevice;
        if (f.code == cudaSuccess)
            f.code = cudaGetDeviceProperties(&f.properties, 0);
        if (f.code == cudaSuccess)
            cudaDriverGetVersion(&f.driver);
        f.seconds = gr_seconds_now() - start;
        return f;
    }();
    return &found;
}

int gr_cuda_available(char *line, size_t size) {
    const gr_found *found = gr_find_device();
    const cudaDeviceProp *properties = &found->properties;
    if (found->code != cudaSuccess) {
        snprintf(line, size, "no CUDA device: %s", cudaGetErrorString(found->code));
        return 0;
    }
    if (properties->major * 10 + properties->minor < 75 || !properties->cooperativeLaunch) {
        snprintf(line, size, "%.200s is too old; expected compute capability 7.5 or later",
                 properties->name);
        return 0;
    }
    snprintf(line, size, "%.200s, sm_%d%d, %d multiprocessors, %.0f GB, CUDA driver %d.%d",
             properties->name, properties->major, properties->minor,
             properties->multiProcessorCount, (double)properties->totalGlobalMem / 1e9,
             found->driver / 1000, found->driver % 100 / 10);
    return 1;
}
