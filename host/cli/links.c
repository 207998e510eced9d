#include "host/cli/links.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* The functions of nvml.h; 0 is success. */
typedef struct nvml_device *nvml_device;
static struct {
    int tried, works;
    void *library;
    int (*init)(void);
    int (*by_bus)(const char *, nvml_device *);
    int (*link_state)(nvml_device, unsigned, unsigned *active);
    int (*peer)(nvml_device, nvml_device, unsigned kind, unsigned *status);
    int (*ancestor)(nvml_device, nvml_device, unsigned *level);
} nvml;
enum { NVML_PEER_NVLINK = 2, NVML_MOST_LINKS = 18 };

static int find(const char *name, void *function) {
    void *found = dlsym(nvml.library, name);
    memcpy(function, &found, sizeof found); /* ISO C knows no other way */
    return found != NULL;
}

static int open_nvml(void) {
    if (nvml.tried++)
        return nvml.works;
    nvml.library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    nvml.works = nvml.library && find("nvmlInit_v2", &nvml.init) &&
                 find("nvmlDeviceGetHandleByPciBusId_v2", &nvml.by_bus) &&
                 find("nvmlDeviceGetNvLinkState", &nvml.link_state) &&
                 find("nvmlDeviceGetP2PStatus", &nvml.peer) &&
                 find("nvmlDeviceGetTopologyCommonAncestor", &nvml.ancestor) && nvml.init() == 0;
    return nvml.works;
}

static int links_of(nvml_device device) {
    int links = 0;
    unsigned active;
    for (unsigned k = 0; k < NVML_MOST_LINKS; k++)
        links += nvml.link_state(device, k, &active) == 0 && active;
    return links;
}

/* What two cards have in common, where it is no NVLink. */
static const char *way_of(unsigned level) {
    return level < 10   ? "PCIe, one board"
           : level < 20 ? "PCIe, one switch"
           : level < 30 ? "PCIe, several switches"
           : level < 40 ? "PCIe, one host bridge"
           : level < 50 ? "PCIe, one NUMA node"
                        : "PCIe, between processors";
}

void gr_link_between(const char *bus, const char *other, char *line, size_t size) {
    nvml_device a, b;
    unsigned status = 1, level = 0;
    snprintf(line, size, "unknown");
    if (!open_nvml() || nvml.by_bus(bus, &a) || nvml.by_bus(other, &b))
        return;
    if (nvml.peer(a, b, NVML_PEER_NVLINK, &status) == 0 && status == 0)
        snprintf(line, size, "NVLink, %d links", links_of(a));
    else if (nvml.ancestor(a, b, &level) == 0)
        snprintf(line, size, "%s", way_of(level));
}
