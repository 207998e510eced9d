/* Energy by NVML, which is opened at run time: neither its header nor its library is needed to
 * build or to run. */
#include "host/bench/bench.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The four functions of nvml.h; 0 is success. */
typedef struct nvml_device *nvml_device;
static struct {
    int tried;
    void *library;
    nvml_device device; /* NULL: no energy to be had */
    int (*init)(void);
    int (*shutdown)(void);
    int (*by_index)(unsigned, nvml_device *);
    int (*energy)(nvml_device, unsigned long long *millijoules);
} nvml;

static int find(const char *name, void *function) {
    void *found = dlsym(nvml.library, name);
    memcpy(function, &found, sizeof found); /* ISO C knows no other way */
    return found != NULL;
}

/* NVML counts all GPUs of the machine, CUDA the visible ones: the first of them, where it is given
 * by number. -1: it is not. */
static int first_visible(void) {
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    char *end;
    if (!visible || !*visible)
        return 0;
    long number = strtol(visible, &end, 10);
    return end == visible || (*end && *end != ',') || number < 0 ? -1 : (int)number;
}

static void open_nvml(void) {
    unsigned long long millijoules;
    nvml_device device = NULL;
    int index = first_visible();
    nvml.tried = 1;
    nvml.library = index < 0 ? NULL : dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!nvml.library)
        return;
    if (find("nvmlInit_v2", &nvml.init) && find("nvmlShutdown", &nvml.shutdown) &&
        find("nvmlDeviceGetHandleByIndex_v2", &nvml.by_index) &&
        find("nvmlDeviceGetTotalEnergyConsumption", &nvml.energy) && nvml.init() == 0) {
        if (nvml.by_index((unsigned)index, &device) == 0 && nvml.energy(device, &millijoules) == 0)
            nvml.device = device;
        else
            nvml.shutdown();
    }
    if (!nvml.device) {
        dlclose(nvml.library);
        nvml.library = NULL;
    }
}

double gr_energy(void) {
    unsigned long long millijoules;
    if (!nvml.tried)
        open_nvml();
    if (!nvml.device || nvml.energy(nvml.device, &millijoules) != 0)
        return (double)NAN;
    return (double)millijoules * 1e-3;
}

void gr_energy_close(void) {
    if (nvml.device)
        nvml.shutdown();
    if (nvml.library)
        dlclose(nvml.library);
    memset(&nvml, 0, sizeof nvml);
}
