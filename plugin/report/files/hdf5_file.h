/* hdf5_file.h  Uses HDF5 in a process whose host may use it too. The host's error handler and the
 * files of a parent process stay unchanged. */
#ifndef KSI_REPORT_FILES_HDF5_FILE_H
#define KSI_REPORT_FILES_HDF5_FILE_H

#include <hdf5.h>
#include <stdbool.h>

/* The host's handler of HDF5 errors: disabled during calls of this library. */
typedef struct ksiHandler {
    H5E_auto2_t call;
    void *data;
} ksiHandler;

ksiHandler ksiQuietHdf5(void);
void ksiLoudHdf5(ksiHandler host);

/* HDF5's own descriptor of an open file, made close-on-exec; -1: none. */
int ksiHandleOfHdf5(hid_t file);

/* Like ksiLockFile, for a file that HDF5 can write. HDF5 itself does not say why it fails, and it
 * empties a file before it finds that the file is locked. */
int ksiClaimHdf5(const char *path, int *file);

/* Access properties for a locked file; the caller closes them. */
hid_t ksiClaimedAccess(void);

/* Call it in a child of fork(), where HDF5 closes open files at exit. Turns the file into one in
 * memory, so that the parent's file stays unchanged. All data must be flushed; HDF5 then only
 * removes its mark. Uses system calls only. */
void ksiAbandonHdf5(int handle);

#endif
