/* hdf5_file.h  HDF5 in a process that may use it as well: its error handler, its children. */
#ifndef KSI_REPORT_FILES_HDF5_FILE_H
#define KSI_REPORT_FILES_HDF5_FILE_H

#include <hdf5.h>
#include <stdbool.h>

/* The host's handler of HDF5's errors: none while this library calls. */
typedef struct ksiHandler {
    H5E_auto2_t call;
    void *data;
} ksiHandler;

ksiHandler ksiQuietHdf5(void);
void ksiLoudHdf5(ksiHandler host);

/* HDF5's own descriptor of an open file, which children that exec do not keep open; -1: there is none. */
int ksiHandleOfHdf5(hid_t file);

/* As ksiClaimFile, of what HDF5 can write: its own words do not say why not, and before it finds a lock it has emptied the file. */
int ksiClaimHdf5(const char *path, int *file);

/* How it opens a file that has been claimed. The caller's. */
hid_t ksiClaimedAccess(void);

/* In a child of fork(), after which a file that is open is closed at exit: it becomes one in memory, and the parent's stays as it is.
 * All has to be flushed, so that HDF5 will only take its mark off. System calls alone. */
void ksiAbandonHdf5(int handle);

#endif
