/* The visible devices. */
#include "gpu/backend/clock.h"
#include "gpu/engine_cuda.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>

/* How many there are. */
typedef struct gr_count {
    cudaError_t code;
    int devices, driver;
    double seconds; /* it took, the loading of the driver among them */
} gr_count;

static const gr_count *count_devices(void) {
    static const gr_count counted = [] {
        gr_count c = {};
        double start = gr_seconds_now();
        c.code = cudaGetDeviceCount(&c.devices);
        if (c.code == cudaSuccess && c.devices == 0)
            c.code = cudaErrorNoDevice;
        if (c.code == cudaSuccess)
            cudaDriverGetVersion(&c.driver);
        c.seconds = gr_seconds_now() - start;
        return c;
    }();
    return &counted;
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

const gr_found *gr_find_device(uint32_t card) {
    static gr_found found[GR_MOST_CARDS];
    static int looked[GR_MOST_CARDS];
    static std::mutex one_at_a_time;
    const gr_count *count = count_devices();
    gr_found *f = &found[card < GR_MOST_CARDS ? card : 0];
    std::lock_guard<std::mutex> guard(one_at_a_time);
    if (looked[f - found])
        return f;
    double start = gr_seconds_now();
    f->code = count->code;
    f->count = count->devices;
    f->driver = count->driver;
    if (f->code == cudaSuccess && card >= (uint32_t)count->devices)
        f->code = cudaErrorInvalidDevice;
    if (f->code == cudaSuccess)
        f->code = cudaGetDeviceProperties(&f->properties, (int)card);
    f->seconds = count->seconds + gr_seconds_now() - start;
    looked[f - found] = 1;
    return f;
}

int gr_cuda_describe(uint32_t card, char *line, size_t size) {
    const gr_found *found = gr_find_device(card);
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

int gr_cuda_available(char *line, size_t size) {
    return gr_cuda_describe(0, line, size);
}

uint32_t gr_cuda_cards(void) {
    const gr_count *count = count_devices();
    return count->code != cudaSuccess                 ? 0
           : (uint32_t)count->devices > GR_MOST_CARDS ? (uint32_t)GR_MOST_CARDS
                                                      : (uint32_t)count->devices;
}

double gr_cuda_speed(uint32_t card) {
    char line[256];
    cudaStream_t stream;
    double rate = 0.0;
    if (!gr_cuda_describe(card, line, sizeof line) || cudaSetDevice((int)card) != cudaSuccess ||
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
        return 0.0;
    if (gr_issue_rate(gr_find_device(card)->properties.multiProcessorCount, stream, &rate) !=
        cudaSuccess)
        rate = 0.0;
    cudaStreamDestroy(stream);
    return rate;
}

int gr_cuda_reaches(uint32_t card, uint32_t other) {
    int reaches = 0;
    return cudaDeviceCanAccessPeer(&reaches, (int)card, (int)other) == cudaSuccess && reaches;
}

void gr_cuda_bus(uint32_t card, char *text, int size) {
    if (cudaDeviceGetPCIBusId(text, size, (int)card) != cudaSuccess)
        *text = 0;
}
