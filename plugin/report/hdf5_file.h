/* hdf5_file.h  HDF5 in a process that may use it as well: its error handler, its children. */
#ifndef KSI_REPORT_HDF5_FILE_H
#define KSI_REPORT_HDF5_FILE_H

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

/* 0, or why this file cannot be written: HDF5's own words do not say. It is made if it is not there. */
int ksiWhyNotWritten(const char *path);

/* Has another program opened it for itself, as HDF5 does with a file that is written? */
bool ksiIsLocked(const char *path);

/* In a child of fork(), after which a file that is open is closed at exit: it becomes one in memory, and the parent's stays as it is.
 * All has to be flushed, so that HDF5 will only take its mark off. System calls alone. */
void ksiAbandonHdf5(int handle);

#endif
