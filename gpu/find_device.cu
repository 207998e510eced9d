/* The first visible device. */
#include "gpu/backend/clock.h"
#include "gpu/engine_cuda.h"

#include <cstdio>
#include <cstdlib>

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

/* Whether this build has code for the device: of its generation and no newer, or text of the newest
 * one, which the driver compiles. */
static int has_code(const cudaDeviceProp *properties) {
    int device = properties->major * 10 + properties->minor, built = 0, found = 0;
    char *rest;
    for (const char *at = GR_ARCHITECTURES; *at; at = rest) { /* "80 90", rising */
        built = (int)strtol(at, &rest, 10);
        found |= built / 10 == properties->major && built <= device;
    }
    return found || device >= built;
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
    if (!has_code(properties)) {
        snprintf(line, size,
                 "this build has no code for %.200s, compute capability %d.%d; expected a build "
                 "with CUDA_ARCH=%d%d",
                 properties->name, properties->major, properties->minor, properties->major,
                 properties->minor);
        return 0;
    }
    snprintf(line, size, "%.200s, sm_%d%d, %d multiprocessors, %.0f GB, CUDA driver %d.%d",
             properties->name, properties->major, properties->minor,
             properties->multiProcessorCount, (double)properties->totalGlobalMem / 1e9,
             found->driver / 1000, found->driver % 100 / 10);
    return 1;
}
