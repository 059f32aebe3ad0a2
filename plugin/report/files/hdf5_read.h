/* hdf5_read.h  Reads untrusted files by HDF5. */
#ifndef KSI_REPORT_FILES_HDF5_READ_H
#define KSI_REPORT_FILES_HDF5_READ_H

#include "hdf5_file.h"

#include <kinetostat/status.h>

/* Deflate makes 1032 bytes of one at the most. */
enum { KSI_MOST_INFLATED = 1032 };

/* Is it a file, and not something that would wait for a writer? Is a writer at work in it, or was killed: is its mark in the
 * superblock (version 3: a byte of flags behind the signature, the version and two sizes)? */
typedef struct ksiHdf5Kind {
    bool isFile, isMarked;
    hsize_t bytes;
} ksiHdf5Kind;

ksiHdf5Kind ksiHdf5KindOf(const char *path);
hid_t ksiHdf5Open(const char *path, bool isMarked);

/* In this file itself, not by a link to another one. */
bool ksiHdf5IsOwn(hid_t group, const char *name);

/* Deflate and shuffle alone. */
bool ksiHdf5HasKnownFilters(hid_t how);

/* Of the last call of HDF5, which has failed: the file is damaged, or there was no memory to tell. */
ksStatus ksiHdf5WhyNotRead(void);

#endif
