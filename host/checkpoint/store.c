#include "host/checkpoint/store.h"

#include "host/base/output.h"
#include "host/checkpoint/hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

struct gr_store {
    const gr_hdf5 *h;
    hid_t file;
    const char *path; /* the caller's */
};

/* ---- types ---- */

static hid_t number_type(const gr_hdf5 *h, const gr_column *c) {
    if (c->kind == 'f')
        return c->bytes == 4 ? h->H5T_IEEE_F32LE_g : h->H5T_IEEE_F64LE_g;
    return c->bytes == 1   ? h->H5T_STD_U8LE_g
           : c->bytes == 2 ? h->H5T_STD_U16LE_g
           : c->bytes == 4 ? h->H5T_STD_U32LE_g
                           : h->H5T_STD_U64LE_g;
}

/* The type of an array's elements, as they lie in memory. Below 0: no memory. */
static hid_t element_type(const gr_hdf5 *h, const gr_stored *array) {
    if (!array->column->name)
        return h->H5Tcopy(number_type(h, array->column));
    hid_t type = h->H5Tcreate(H5T_COMPOUND, array->element);
    for (uint32_t k = 0; k < array->columns && type >= 0; k++) {
        const gr_column *c = &array->column[k];
        hsize_t count = c->count;
        hid_t number = number_type(h, c), list = -1;
        if (c->count > 1)
            number = list = h->H5Tarray_create2(number, 1, &count);
        int bad = number < 0 || h->H5Tinsert(type, c->name, c->offset, number) < 0;
        if (list >= 0)
            h->H5Tclose(list);
        if (bad) {
            h->H5Tclose(type);
            type = -1;
        }
    }
    return type;
}

static size_t bytes_of(const gr_stored *array) {
    return array->rows * array->element;
}

static uint32_t checksum(const gr_stored *array) {
    return (uint32_t)crc32_z(0, array->data, bytes_of(array));
}

/* ---- writing ---- */

static int write_text(const gr_hdf5 *h, hid_t to, const char *name, const char *text) {
    hid_t type = h->H5Tcopy(h->H5T_C_S1_g), space = h->H5Screate(H5S_SCALAR);
    int bad = type < 0 || space < 0 || h->H5Tset_size(type, strlen(text) + 1) < 0;
    hid_t attribute = bad ? -1 : h->H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bad = attribute < 0 || h->H5Awrite(attribute, type, text) < 0;
    if (attribute >= 0)
        bad |= h->H5Aclose(attribute) < 0;
    if (space >= 0)
        h->H5Sclose(space);
    if (type >= 0)
        h->H5Tclose(type);
    return !bad;
}

static int write_number(const gr_hdf5 *h, hid_t to, const char *name, uint64_t value) {
    hid_t space = h->H5Screate(H5S_SCALAR), type = h->H5T_STD_U64LE_g;
    hid_t attribute =
        space < 0 ? -1 : h->H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    int bad = attribute < 0 || h->H5Awrite(attribute, type, &value) < 0;
    if (attribute >= 0)
        bad |= h->H5Aclose(attribute) < 0;
    if (space >= 0)
        h->H5Sclose(space);
    return !bad;
}

static int write_array(const gr_hdf5 *h, hid_t group, const gr_stored *array) {
    hsize_t rows = array->rows;
    hid_t type = element_type(h, array), space = h->H5Screate_simple(1, &rows, NULL), set = -1;
    if (type >= 0 && space >= 0)
        set = h->H5Dcreate2(group, array->name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int good = set >= 0 &&
               (!rows || h->H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, array->data) >= 0) &&
               write_text(h, set, "description", array->help) &&
               write_number(h, set, "crc32", checksum(array));
    if (set >= 0)
        good &= h->H5Dclose(set) >= 0;
    if (space >= 0)
        h->H5Sclose(space);
    if (type >= 0)
        h->H5Tclose(type);
    return good;
}

/* Arrays of a group stand together. */
static int write_arrays(const gr_hdf5 *h, hid_t file, const gr_contents *contents) {
    hid_t group = -1;
    int good = 1;
    for (uint32_t k = 0; k < contents->arrays && good; k++) {
        const gr_stored *array = &contents->array[k];
        if (!k || strcmp(array[-1].group, array->group) != 0) {
            if (group >= 0)
                h->H5Gclose(group);
            group = h->H5Gcreate2(file, array->group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        }
        good = group >= 0 && write_array(h, group, array);
    }
    if (group >= 0)
        h->H5Gclose(group);
    return good;
}

/* Whether there is memory for so many bytes, and for what libhdf5 needs besides: it does not bear
 * to be refused some. */
static int has_room(size_t bytes) {
    void *room = malloc(bytes + (16u << 20));
    free(room);
    return room != NULL;
}

/* A file in memory: what libhdf5 does when a write fails is not to be relied on. Newer formats have
 * checksums of their own around all that is no data. */
static hid_t access_to(const gr_hdf5 *h, const gr_contents *contents) {
    size_t bytes = 1 << 20;
    for (uint32_t k = 0; k < contents->arrays; k++)
        bytes += bytes_of(&contents->array[k]);
    hid_t list = h->H5Pcreate(h->H5P_CLS_FILE_ACCESS_ID_g);
    int good = list >= 0 && h->H5Pset_fapl_core(list, bytes, 0) >= 0 &&
               h->H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0;
    if (list >= 0 && !good) {
        h->H5Pclose(list);
        list = -1;
    }
    return list;
}

/* Where the file lies in memory, and its length without the room behind it; 0: it does not. */
static size_t image_of(const gr_hdf5 *h, hid_t file, void **image) {
    void **at = NULL;
    if (h->H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ||
        h->H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&at) < 0)
        return 0;
    ssize_t size = h->H5Fget_file_image(file, NULL, 0);
    *image = *at;
    return size > 0 ? (size_t)size : 0;
}

gr_status gr_store_write(const char *path, const gr_contents *contents, gr_error *error) {
    void *image = NULL;
    size_t size = 0;
    for (uint32_t k = 0; k < contents->arrays; k++)
        size += bytes_of(&contents->array[k]);
    if (!has_room(size))
        return gr_fail(error, GR_NO_MEMORY, "%s: no memory for its %.1f MB", path,
                       (double)size / 1e6);
    const gr_hdf5 *h = gr_hdf5_load(error);
    if (!h)
        return error->status;
    size = 0;
    hid_t list = access_to(h, contents);
    hid_t file = list < 0 ? -1 : h->H5Fcreate(path, GR_H5F_EXCLUSIVE, H5P_DEFAULT, list);
    int good = file >= 0;
    for (uint32_t k = 0; k < contents->marks && good; k++) {
        const gr_mark *m = &contents->mark[k];
        good = m->text ? write_text(h, file, m->name, m->text)
                       : write_number(h, file, m->name, m->value);
    }
    if (good && write_arrays(h, file, contents))
        size = image_of(h, file, &image);
    gr_status status = size ? gr_make_file(path, image, size, error)
                            : gr_fail(error, GR_NO_MEMORY, "%s: no memory for its contents", path);
    if (file >= 0)
        h->H5Fclose(file);
    if (list >= 0)
        h->H5Pclose(list);
    return status;
}

/* ---- reading ---- */

static gr_status damaged(const gr_store *s, const char *what, const char *name, gr_error *error) {
    return gr_fail(error, GR_BAD_INPUT, "%s: %s%s%s; expected an undamaged checkpoint", s->path,
                   name ? name : "", name ? " " : "", what);
}

/* A checkpoint is trusted as its owner is: it must be the user's, and nobody else's to write. */
static gr_status check_owner(const char *path, gr_error *error) {
    struct stat facts;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    int found = fd >= 0 && fstat(fd, &facts) == 0, code = errno;
    if (fd >= 0)
        close(fd);
    if (!found)
        return gr_fail(error, code == ENOMEM ? GR_NO_MEMORY : GR_BAD_INPUT,
                       "%s: %s; expected a checkpoint", path, strerror(code));
    if (!S_ISREG(facts.st_mode) || facts.st_uid != geteuid() || facts.st_mode & (S_IWGRP | S_IWOTH))
        return gr_fail(error, GR_BAD_INPUT,
                       "%s: not a file of yours that nobody else may write to; expected one", path);
    return GR_OK;
}

gr_status gr_store_open(const char *path, gr_store **store, gr_error *error) {
    *store = NULL;
    gr_status status = check_owner(path, error);
    if (!status && !has_room(0))
        status = gr_fail(error, GR_NO_MEMORY, "%s: no memory to read it", path);
    const gr_hdf5 *h = status ? NULL : gr_hdf5_load(error);
    if (!h)
        return error->status;
    gr_store *s = malloc(sizeof *s);
    if (!s)
        return gr_fail(error, GR_NO_MEMORY, "%s: no memory", path);
    s->h = h;
    s->path = path;
    s->file = h->H5Fopen(path, GR_H5F_READ_ONLY, H5P_DEFAULT);
    if (s->file < 0) {
        status = damaged(s, "is no complete HDF5 file", NULL, error);
        free(s);
        return status;
    }
    *store = s;
    return GR_OK;
}

void gr_store_close(gr_store *store) {
    if (!store)
        return;
    store->h->H5Fclose(store->file);
    free(store);
}

/* A whole number that belongs to the file or a dataset. */
static int read_number(const gr_hdf5 *h, hid_t of, const char *name, uint64_t *value) {
    hid_t attribute = h->H5Aopen(of, name, H5P_DEFAULT), type = -1, space = -1;
    int good = attribute >= 0 && (type = h->H5Aget_type(attribute)) >= 0 &&
               h->H5Tequal(type, h->H5T_STD_U64LE_g) > 0 &&
               (space = h->H5Aget_space(attribute)) >= 0 &&
               h->H5Sget_simple_extent_ndims(space) == 0 &&
               h->H5Aread(attribute, h->H5T_STD_U64LE_g, value) >= 0;
    if (space >= 0)
        h->H5Sclose(space);
    if (type >= 0)
        h->H5Tclose(type);
    if (attribute >= 0)
        h->H5Aclose(attribute);
    return good;
}

gr_status gr_store_mark(gr_store *s, const char *name, uint64_t *value, gr_error *error) {
    return read_number(s->h, s->file, name, value) ? GR_OK
                                                   : damaged(s, "is not there", name, error);
}

static void path_of(const gr_stored *array, char path[64]) {
    snprintf(path, 64, "%s/%s", array->group, array->name);
}

gr_status gr_store_find(gr_store *s, gr_stored *array, gr_error *error) {
    const gr_hdf5 *h = s->h;
    char path[64];
    hsize_t rows = 0;
    path_of(array, path);
    array->rows = 0;
    if (h->H5Lexists(s->file, array->group, H5P_DEFAULT) <= 0 ||
        h->H5Lexists(s->file, path, H5P_DEFAULT) <= 0)
        return GR_OK;
    hid_t set = h->H5Dopen2(s->file, path, H5P_DEFAULT), space = -1;
    int good = set >= 0 && (space = h->H5Dget_space(set)) >= 0 &&
               h->H5Sget_simple_extent_ndims(space) == 1 &&
               h->H5Sget_simple_extent_dims(space, &rows, NULL) == 1;
    if (space >= 0)
        h->H5Sclose(space);
    if (set >= 0)
        h->H5Dclose(set);
    array->rows = rows;
    return good ? GR_OK : damaged(s, "cannot be read", path, error);
}

gr_status gr_store_read(gr_store *s, const gr_stored *array, gr_error *error) {
    const gr_hdf5 *h = s->h;
    uint64_t sum = 0;
    char path[64];
    path_of(array, path);
    hid_t set = h->H5Dopen2(s->file, path, H5P_DEFAULT), type = element_type(h, array), is = -1;
    const char *wrong = "cannot be read";
    if (set >= 0 && type >= 0 && (is = h->H5Dget_type(set)) >= 0) {
        if (h->H5Tequal(is, type) <= 0)
            wrong = "has another type";
        else if (h->H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, array->data) >= 0 &&
                 read_number(h, set, "crc32", &sum))
            wrong = sum == checksum(array) ? NULL : "does not have its checksum";
    }
    if (is >= 0)
        h->H5Tclose(is);
    if (type >= 0)
        h->H5Tclose(type);
    if (set >= 0)
        h->H5Dclose(set);
    return wrong ? damaged(s, wrong, path, error) : GR_OK;
}
