#include "host/checkpoint/hdf5.h"

#include <dlfcn.h>
#include <stddef.h>

/* The name of the library that the program was built for, then what others call it. */
#ifndef GR_HDF5_LIBRARY
#define GR_HDF5_LIBRARY "libhdf5.so"
#endif
static const char *const libraries[] = {GR_HDF5_LIBRARY, "libhdf5_serial.so.103", "libhdf5.so"};

static const struct {
    const char *name;
    size_t offset;
    int variable;
} symbols[] = {
#define GR_HDF5_CALL(name) {#name, offsetof(gr_hdf5, name), 0},
    GR_HDF5_CALLS(GR_HDF5_CALL)
#define GR_HDF5_VARIABLE(name) {#name, offsetof(gr_hdf5, name), 1},
        GR_HDF5_VARIABLES(GR_HDF5_VARIABLE)};

static gr_hdf5 loaded;
static int is_loaded;

static gr_status find_symbols(void *library, gr_hdf5 *into, gr_error *error) {
    herr_t (*open)(void) = NULL;
    for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++) {
        void *found = dlsym(library, symbols[k].name);
        char *field = (char *)into + symbols[k].offset;
        if (!found)
            return gr_fail(error, GR_FAILED, "libhdf5 has no %s; expected version 1.10 or later",
                           symbols[k].name);
        if (k == 0) { /* H5open gives the variables their values */
            *(void **)&open = found;
            if (open() < 0)
                return gr_fail(error, GR_NO_MEMORY, "libhdf5 does not start");
        }
        if (symbols[k].variable)
            *(hid_t *)(void *)field = *(hid_t *)found;
        else
            *(void **)(void *)field = found;
    }
    return GR_OK;
}

const gr_hdf5 *gr_hdf5_load(gr_error *error) {
    void *library = NULL;
    if (is_loaded) {
        loaded.H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* a thread may have its own */
        return &loaded;
    }
    for (size_t k = 0; !library && k < sizeof libraries / sizeof *libraries; k++)
        library = dlopen(libraries[k], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        gr_fail(error, GR_FAILED, "no libhdf5 here (%s); tools/setup installs it", dlerror());
        return NULL;
    }
    if (find_symbols(library, &loaded, error))
        return NULL;
    loaded.H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* it would print */
    is_loaded = 1;
    return &loaded;
}
