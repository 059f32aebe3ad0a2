/* no_archive.h  Messages for files that are no recordings: their format, and a remedy. */
#ifndef KSI_REPORT_RECORDING_NO_ARCHIVE_H
#define KSI_REPORT_RECORDING_NO_ARCHIVE_H

#include <hdf5.h>
#include <stdbool.h>

/* file: it is open as HDF5; negative: it cannot be. words [KSI_ARCHIVE_WORDS]. Returns false. */
bool ksiSayWhatItIs(hid_t file, const char *path, char *words);

/* Of a file that cannot be opened as HDF5, by its first bytes. */
const char *ksiWhatFileIs(const char *path);

#endif
