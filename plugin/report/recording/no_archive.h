/* no_archive.h  Messages for files that are not recordings: what they are, and a remedy. */
#ifndef KSI_REPORT_RECORDING_NO_ARCHIVE_H
#define KSI_REPORT_RECORDING_NO_ARCHIVE_H

#include <hdf5.h>
#include <stdbool.h>

/* Writes what the file is to words [KSI_ARCHIVE_WORDS]. file: open in HDF5, or negative. Returns
 * false. */
bool ksiSayWhatItIs(hid_t file, const char *path, char *words);

/* Says what a file is that HDF5 cannot open, from its first bytes. */
const char *ksiWhatFileIs(const char *path);

#endif
