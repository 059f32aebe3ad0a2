/* hdf5_read.h  Reads untrusted files by HDF5. */
#ifndef KSI_REPORT_FILES_HDF5_READ_H
#define KSI_REPORT_FILES_HDF5_READ_H

#include "hdf5_file.h"

#include <kinetostat/status.h>

/* Deflate expands a byte to at most 1032. */
enum { KSI_MOST_INFLATED = 1032 };

/* Is it a regular file, not one that would wait for a writer? Has a writer opened it, or died with
 * it open: is its mark in the superblock (version 3: a byte of flags after the signature, the
 * version and two sizes)? */
typedef struct ksiHdf5Kind {
    bool isFile, isMarked;
    hsize_t bytes;
} ksiHdf5Kind;

ksiHdf5Kind ksiHdf5KindOf(const char *path);
hid_t ksiHdf5Open(const char *path, bool isMarked);

/* Is it in this file itself, not linked from another one? */
bool ksiHdf5IsOwn(hid_t group, const char *name);

/* Only deflate and shuffle. */
bool ksiHdf5HasKnownFilters(hid_t how);

/* For the last call of HDF5, which failed: the file is damaged, or memory ran out. */
ksStatus ksiHdf5WhyNotRead(void);

#endif
