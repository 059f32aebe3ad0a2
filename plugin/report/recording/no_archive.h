/* no_archive.h  Messages for files that are not recordings: their format, and a remedy. */
#ifndef KSI_REPORT_RECORDING_NO_ARCHIVE_H
#define KSI_REPORT_RECORDING_NO_ARCHIVE_H

#include <hdf5.h>
#include <stdbool.h>

/* file: open as HDF5, or negative. words [KSI_ARCHIVE_WORDS]. Returns false. */
bool ksiSayWhatItIs(hid_t file, const char *path, char *words);

/* For a file that HDF5 cannot open, from its first bytes. */
const char *ksiWhatFileIs(const char *path);

#endif
