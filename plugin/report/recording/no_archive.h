/* no_archive.h  What a file is that is no recording, and what to do. */
#ifndef KSI_REPORT_RECORDING_NO_ARCHIVE_H
#define KSI_REPORT_RECORDING_NO_ARCHIVE_H

#include <hdf5.h>
#include <stdbool.h>

/* file: it is open as HDF5; negative: it cannot be. words [KSI_ARCHIVE_WORDS]. Returns false. */
bool ksiSayWhatItIs(hid_t file, const char *path, char *words);

#endif
