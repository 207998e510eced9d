#include "specialise.h"

#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/stat.h>
#include <unistd.h>

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

static const gr_driver *gr_find_driver(void) {
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

/* ---- the disk
 * -------------------------------------------------------------------------------------------------
 */

/* Where the kernel of a text lies on disk; 0 when there is no place for it. */
static int gr_cache_path(const char *text, char *path, size_t size) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char key[128];
    cudaDeviceProp device;
    int driver = 0, number = 0;
    if (cudaGetDevice(&number) != cudaSuccess ||
        cudaGetDeviceProperties(&device, number) != cudaSuccess ||
        cudaDriverGetVersion(&driver) != cudaSuccess)
        return 0;
    snprintf(key, sizeof key, "%d.%d %d", device.major, device.minor, driver);
    uint64_t hash[2] = {14695981039346656037ull, 1099511628211ull}; /* FNV-1a, two starts */
    const char *part[2] = {key, text};
    for (int p = 0; p < 2; p++)
        for (const char *c = part[p]; *c; c++)
            for (int h = 0; h < 2; h++)
                hash[h] = (hash[h] ^ (unsigned char)*c) * (1099511628211ull + 2 * (uint64_t)h);
    int n = cache && *cache == '/' ? snprintf(path, size, "%s/grampus", cache)
            : home                 ? snprintf(path, size, "%s/.cache/grampus", home)
                                   : -1;
    if (n < 0 || (size_t)n + 48 > size)
        return 0;
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0755);
        *slash = '/';
    }
    mkdir(path, 0755);
    snprintf(path + n, size - (size_t)n, "/%016llx%016llx.cubin", (unsigned long long)hash[0],
             (unsigned long long)hash[1]);
    return 1;
}

static void *gr_cache_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    void *image = NULL;
    long length = 0;
    if (file && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) > 4) {
        rewind(file);
        image = malloc((size_t)length);
        if (image && (fread(image, 1, (size_t)length, file) != (size_t)length ||
                      memcmp(image, "\177ELF", 4) != 0)) {
            free(image);
            image = NULL;
        }
    }
    if (file)
        fclose(file);
    *size = (size_t)length;
    return image;
}

/* Written beside and renamed, so that nobody reads half of it. */
static void gr_cache_write(const char *path, const void *image, size_t size) {
    char beside[1100];
    snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(beside, "wb");
    if (!file)
        return;
    int good = fwrite(image, 1, size, file) == size;
    if (fclose(file) || !good || rename(beside, path))
        remove(beside);
}

/* ---- compiling
 * -------------------------------------------------------------------------------------------------
 */

/* Compiles text to a device image, which the caller frees. */
static void *gr_compile_text(const gr_driver *driver, const char *text, size_t *size,
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

static gr_status gr_load_image(const gr_driver *driver, const void *image, gr_specialised *out,
                               gr_error *error) {
    CUlibrary library;
    CUkernel kernel;
    if (driver->library_load(&library, image, NULL, NULL, 0, NULL, NULL, 0) != CUDA_SUCCESS)
        return gr_fail(error, GR_DEVICE_FAILED, "CUDA: loading the interpreter failed");
    if (driver->library_kernel(&kernel, library, GR_INTERPRETER_KERNEL) != CUDA_SUCCESS) {
        driver->library_unload(library);
        return gr_fail(error, GR_DEVICE_FAILED, "CUDA: the interpreter has no kernel");
    }
    out->library = library;
    out->kernel = (const void *)kernel;
    return GR_OK;
}

int gr_specialised_before(const gr_machine *machine) {
    gr_code code;
    char *text = gr_interpreter_ptx(machine, &code), path[1024];
    int found = text && gr_cache_path(text, path, sizeof path) && access(path, R_OK) == 0;
    free(text);
    return found;
}

gr_status gr_specialise(const gr_machine *machine, gr_specialised *out, gr_error *error) {
    struct timespec start, end;
    gr_specialised made = {};
    char path[1024] = "";
    size_t size = 0;
    clock_gettime(CLOCK_MONOTONIC, &start);
    const gr_driver *driver = gr_find_driver();
    if (!driver)
        return gr_fail(error, GR_DEVICE_FAILED, "CUDA: the driver is older than 12.0");
    char *text = gr_interpreter_ptx(machine, &made.code);
    if (!text)
        return gr_fail(error, GR_FAILED, "the interpreter's text could not be generated");
    int place = gr_cache_path(text, path, sizeof path);
    void *image = place ? gr_cache_read(path, &size) : NULL;
    gr_status status = GR_DEVICE_FAILED;
    if (image)
        made.cached = (status = gr_load_image(driver, image, &made, error)) == GR_OK;
    if (status) {
        free(image);
        image = gr_compile_text(driver, text, &size, error);
        status = image ? gr_load_image(driver, image, &made, error) : GR_DEVICE_FAILED;
        if (!status && place)
            gr_cache_write(path, image, size);
    }
    free(image);
    free(text);
    clock_gettime(CLOCK_MONOTONIC, &end);
    made.seconds =
        (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    if (!status)
        *out = made;
    return status;
}

gr_status gr_load_general(const gr_machine *machine, gr_specialised *out, gr_error *error) {
    const gr_driver *driver = gr_find_driver();
    const gr_general *general = &gr_generals[2 * machine->values + machine->shared];
    gr_specialised made = {};
    if (!driver)
        return gr_fail(error, GR_DEVICE_FAILED, "CUDA: the driver is older than 12.0");
    gr_status status = gr_load_image(driver, general->image, &made, error);
    if (status)
        return status;
    memcpy(&made.code, general->code, sizeof made.code);
    made.general = 1;
    *out = made;
    return GR_OK;
}

void gr_specialised_free(gr_specialised *specialised) {
    if (specialised->library)
        gr_find_driver()->library_unload((CUlibrary)specialised->library);
    memset((void *)specialised, 0, sizeof *specialised);
}
