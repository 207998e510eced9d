/* libhdf5, loaded when the first checkpoint is written or read. Not before: it brings more than
 * thirty libraries along (OpenSSL, curl, ...), whose start would cost every call of the program
 * more than its own. */
#ifndef GRAMPUS_HDF5_H
#define GRAMPUS_HDF5_H

#include "gpu/backend/error.h"

#include <hdf5.h>

/* What is used of it. The header's names of constants (H5T_STD_U32LE, H5F_ACC_EXCL, ...) are calls
 * of the library and cannot be used: what they give stands here. */
enum { GR_H5F_READ_ONLY = 0, GR_H5F_EXCLUSIVE = 4 };
#define GR_HDF5_CALLS(CALL)                                                                        \
    CALL(H5open)                                                                                   \
    CALL(H5Eset_auto2)                                                                             \
    CALL(H5Pcreate)                                                                                \
    CALL(H5Pset_libver_bounds)                                                                     \
    CALL(H5Pset_fapl_core)                                                                         \
    CALL(H5Pclose)                                                                                 \
    CALL(H5Fcreate)                                                                                \
    CALL(H5Fopen)                                                                                  \
    CALL(H5Fflush)                                                                                 \
    CALL(H5Fget_file_image)                                                                        \
    CALL(H5Fget_vfd_handle)                                                                        \
    CALL(H5Fclose)                                                                                 \
    CALL(H5Gcreate2)                                                                               \
    CALL(H5Gclose)                                                                                 \
    CALL(H5Screate)                                                                                \
    CALL(H5Screate_simple)                                                                         \
    CALL(H5Sget_simple_extent_ndims)                                                               \
    CALL(H5Sget_simple_extent_dims)                                                                \
    CALL(H5Sclose)                                                                                 \
    CALL(H5Tcopy)                                                                                  \
    CALL(H5Tset_size)                                                                              \
    CALL(H5Tcreate)                                                                                \
    CALL(H5Tinsert)                                                                                \
    CALL(H5Tarray_create2)                                                                         \
    CALL(H5Tequal)                                                                                 \
    CALL(H5Tclose)                                                                                 \
    CALL(H5Lexists)                                                                                \
    CALL(H5Dcreate2)                                                                               \
    CALL(H5Dopen2)                                                                                 \
    CALL(H5Dget_type)                                                                              \
    CALL(H5Dget_space)                                                                             \
    CALL(H5Dread)                                                                                  \
    CALL(H5Dwrite)                                                                                 \
    CALL(H5Dclose)                                                                                 \
    CALL(H5Acreate2)                                                                               \
    CALL(H5Aopen)                                                                                  \
    CALL(H5Aget_type)                                                                              \
    CALL(H5Aget_space)                                                                             \
    CALL(H5Awrite)                                                                                 \
    CALL(H5Aread)                                                                                  \
    CALL(H5Aclose)
#define GR_HDF5_VARIABLES(VARIABLE)                                                                \
    VARIABLE(H5T_STD_U8LE_g)                                                                       \
    VARIABLE(H5T_STD_U16LE_g)                                                                      \
    VARIABLE(H5T_STD_U32LE_g)                                                                      \
    VARIABLE(H5T_STD_U64LE_g)                                                                      \
    VARIABLE(H5T_IEEE_F32LE_g)                                                                     \
    VARIABLE(H5T_IEEE_F64LE_g)                                                                     \
    VARIABLE(H5T_C_S1_g)                                                                           \
    VARIABLE(H5P_CLS_FILE_ACCESS_ID_g)

typedef struct gr_hdf5 {
#define GR_HDF5_CALL(name) __typeof__(name) *name;
    GR_HDF5_CALLS(GR_HDF5_CALL)
#undef GR_HDF5_CALL
#define GR_HDF5_VARIABLE(name) hid_t name;
    GR_HDF5_VARIABLES(GR_HDF5_VARIABLE)
#undef GR_HDF5_VARIABLE
} gr_hdf5;

/* NULL: it is not there. One thread at a time may call this and the library. */
const gr_hdf5 *gr_hdf5_load(gr_error *error);

#endif
