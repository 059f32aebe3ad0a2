/* hdf5_read.h  Reads untrusted files with HDF5. */
#ifndef KSI_REPORT_FILES_HDF5_READ_H
#define KSI_REPORT_FILES_HDF5_READ_H

#include "hdf5_file.h"

#include <kinetostat/status.h>

/* Deflate expands a byte to at most 1032 bytes. */
enum { KSI_MOST_INFLATED = 1032 };

/* isFile: a regular file, which cannot block its reader. isMarked: a writer has it open, or died
 * with it open. The mark is in the superblock of version 3: a byte of flags after the signature,
 * the version and two sizes. */
typedef struct ksiHdf5Kind {
    bool isFile, isMarked;
    hsize_t bytes;
} ksiHdf5Kind;

ksiHdf5Kind ksiHdf5KindOf(const char *path);
hid_t ksiHdf5Open(const char *path, bool isMarked);

/* Is the object in this file itself, rather than a link to another file? */
bool ksiHdf5IsOwn(hid_t group, const char *name);

/* Does the dataset use only deflate and shuffle? */
bool ksiHdf5HasKnownFilters(hid_t how);

/* Why the last call of HDF5 failed: the file is damaged, or memory ran out. */
ksStatus ksiHdf5WhyNotRead(void);

#endif
