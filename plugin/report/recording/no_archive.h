/* no_archive.h  Messages for files that are not recordings: their kind, and a remedy. */
#ifndef KSI_REPORT_RECORDING_NO_ARCHIVE_H
#define KSI_REPORT_RECORDING_NO_ARCHIVE_H

#include <hdf5.h>
#include <stdbool.h>

/* Writes to words [KSI_ARCHIVE_WORDS] which kind of file this is, and a remedy. file: open in HDF5,
 * or negative. Returns false. */
bool ksiSayWhatItIs(hid_t file, const char *path, char *words);

/* Describes the kind of a file that HDF5 cannot open, by its first bytes. */
const char *ksiWhatFileIs(const char *path);

#endif
