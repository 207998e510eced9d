#include "gpu/interpreter/specialise.h"

#include "gpu/backend/cache.h"
#include "gpu/backend/clock.h"
#include "gpu/interpreter/direct_jumps.h"
#include "gpu/interpreter/embedded.h"
#include "gpu/interpreter/tuner.h"

#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

/* The driver's functions, found at run time: the program must start where there is no driver. */
struct gr_driver {
    decltype(&cuLinkCreate_v2) link_create;
    decltype(&cuLinkAddData_v2) link_add;
    decltype(&cuLinkComplete) link_complete;
    decltype(&cuLinkDestroy) link_destroy;
    decltype(&cuLibraryLoadData) library_load;
    decltype(&cuLibraryUnload) library_unload;
    decltype(&cuLibraryGetKernel) library_kernel;
};

static const gr_driver *find_driver(void) {
    static const gr_driver found = [] {
        gr_driver d = {};
        void *lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
        if (!lib)
            return d;
#define GR_FIND(field, name) d.field = (decltype(d.field))dlsym(lib, name);
        GR_FIND(link_create, "cuLinkCreate_v2")
        GR_FIND(link_add, "cuLinkAddData_v2")
        GR_FIND(link_complete, "cuLinkComplete")
        GR_FIND(link_destroy, "cuLinkDestroy")
        GR_FIND(library_load, "cuLibraryLoadData")
        GR_FIND(library_unload, "cuLibraryUnload")
        GR_FIND(library_kernel, "cuLibraryGetKernel")
        return d;
    }();
    return found.link_create && found.link_add && found.link_complete && found.link_destroy &&
                   found.library_load && found.library_unload && found.library_kernel
               ? &found
               : NULL;
}

/* ---- the disk ---- */

/* The place of the kernel of a text for the current device. */
static gr_cache find_cached(const char *text) {
    gr_cache cache = {-1, "", NULL};
    char key[128];
    int driver = 0, number = 0, major = 0, minor = 0;
    if (cudaGetDevice(&number) == cudaSuccess &&
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, number) == cudaSuccess &&
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, number) == cudaSuccess &&
        cudaDriverGetVersion(&driver) == cudaSuccess) {
        snprintf(key, sizeof key, "%d.%d %d", major, minor, driver);
        gr_cache_open(key, text, &cache);
    }
    return cache;
}

/* The loader takes no length: the cache has checked that all is there. */
static void *read_image(const gr_cache *cache, size_t *size) {
    void *image = gr_cache_read(cache, size);
    if (image && (*size < 4 || memcmp(image, "\177ELF", 4) != 0)) {
        free(image);
        image = NULL;
    }
    return image;
}

/* ---- compiling ---- */

/* Compiles text to a device image, which the caller frees. */
static void *compile_text(const gr_driver *driver, const char *text, size_t *size,
                          gr_error *error) {
    char log[512] = "";
    CUjit_option option[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *value[] = {log, (void *)(uintptr_t)sizeof log};
    CUlinkState link;
    void *image = NULL, *copy = NULL;
    if (driver->link_create(2, option, value, &link) != CUDA_SUCCESS) {
        gr_fail(error, GR_DEVICE_FAILED, "CUDA: the driver has no compiler");
        return NULL;
    }
    if (driver->link_add(link, CU_JIT_INPUT_PTX, (void *)text, strlen(text) + 1, "interpreter", 0,
                         NULL, NULL) == CUDA_SUCCESS &&
        driver->link_complete(link, &image, size) == CUDA_SUCCESS && (copy = malloc(*size)))
        memcpy(copy, image, *size);
    else {
        log[strcspn(log, "\n")] = 0;
        gr_fail(error, GR_DEVICE_FAILED, "CUDA: compiling the interpreter: %s", log);
    }
    driver->link_destroy(link);
    return copy;
}

static gr_status load_image(const gr_driver *driver, const void *image, const char *name,
                            gr_specialised *out, gr_error *error) {
    CUlibrary library;
    CUkernel kernel;
    if (driver->library_load(&library, image, NULL, NULL, 0, NULL, NULL, 0) != CUDA_SUCCESS)
        return gr_fail(error, GR_DEVICE_FAILED, "CUDA: loading the interpreter failed");
    if (driver->library_kernel(&kernel, library, name) != CUDA_SUCCESS) {
        driver->library_unload(library);
        return gr_fail(error, GR_DEVICE_FAILED, "CUDA: the interpreter has no kernel");
    }
    out->library = library;
    out->kernel = (const void *)kernel;
    return GR_OK;
}

/* Loads an image for the machine, which it mends. */
static gr_status load_mended(const gr_driver *driver, const gr_machine *machine, void *image,
                             size_t size, gr_specialised *out, gr_error *error) {
    const char *name = GR_INTERPRETER_KERNEL;
    out->direct = machine->direct ? gr_jump_directly(image, size, name, &out->code) : 0;
    return load_image(driver, image, name, out, error);
}

gr_status gr_specialise(const gr_machine *machine, int compile, gr_specialised *out,
                        gr_error *error) {
    gr_specialised made = {};
    size_t size = 0;
    double start = gr_seconds_now();
    const gr_driver *driver = find_driver();
    if (!driver)
        return gr_fail(error, GR_DEVICE_FAILED, "CUDA: the driver is older than 12.0");
    char *text = gr_interpreter_ptx(machine, &made.code);
    if (!text)
        return gr_fail(error, GR_FAILED, "the interpreter's text could not be generated");
    gr_cache cache = find_cached(text);
    void *image = read_image(&cache, &size);
    made.refused = cache.refused;
    gr_status status = GR_DEVICE_FAILED;
    if (image)
        made.cached = (status = load_mended(driver, machine, image, size, &made, error)) == GR_OK;
    if (status && compile) {
        free(image);
        double before = gr_seconds_now();
        image = compile_text(driver, text, &size, error);
        made.compiling = gr_seconds_now() - before;
        if (image) /* as it was compiled */
            gr_cache_write(&cache, image, size);
        status = image ? load_mended(driver, machine, image, size, &made, error) : GR_DEVICE_FAILED;
    }
    gr_cache_close(&cache);
    free(image);
    free(text);
    made.seconds = gr_seconds_now() - start;
    if (!status)
        *out = made;
    return status;
}

gr_status gr_load_general(const gr_machine *machine, gr_specialised *out, gr_error *error) {
    const gr_driver *driver = find_driver();
    const gr_general *general = &gr_generals[gr_general_number(machine)];
    gr_specialised made = {};
    if (!driver)
        return gr_fail(error, GR_DEVICE_FAILED, "CUDA: the driver is older than 12.0");
    gr_status status = load_image(driver, general->image, GR_INTERPRETER_KERNEL, &made, error);
    if (status)
        return status;
    memcpy(&made.code, general->code, sizeof made.code);
    made.general = 1;
    *out = made;
    return GR_OK;
}

int gr_load_double_kernel(const gr_machine *machine, const char *kernel, gr_specialised *out) {
    const gr_driver *driver = find_driver();
    size_t size = (size_t)(gr_doubles_image_end - gr_doubles_image);
    void *image = driver && size ? malloc(size) : NULL;
    gr_specialised made = {};
    int good = 0;
    if (image) {
        memcpy(image, gr_doubles_image, size);
        made.code.handlers = GR_DOUBLE_HANDLERS(machine->jumps);
        made.direct = gr_jump_directly(image, size, kernel, &made.code);
        good = made.direct && load_image(driver, image, kernel, &made, NULL) == GR_OK;
    }
    free(image);
    if (good)
        *out = made;
    return good;
}

void gr_specialised_free(gr_specialised *specialised) {
    if (specialised->library)
        find_driver()->library_unload((CUlibrary)specialised->library);
    memset((void *)specialised, 0, sizeof *specialised);
}
