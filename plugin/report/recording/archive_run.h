/* archive_run.h  Stores the run of a recording as attributes of its file. */
#ifndef KSI_REPORT_RECORDING_ARCHIVE_RUN_H
#define KSI_REPORT_RECORDING_ARCHIVE_RUN_H

#include "../collect/run.h"

#include <hdf5.h>

/* Write or read an attribute of numbers. count: number of elements; bytes: total size. false: not
 * written, or not in the file with this type and size. */
bool ksiWriteAttribute(hid_t file, const char *name, hid_t type, hsize_t count, const void *value);
bool ksiReadAttribute(hid_t file, const char *name, hid_t type, size_t bytes, void *value);

/* Writes a text of any length as an attribute. false: not written. */
bool ksiWriteTextAttribute(hid_t file, const char *name, const char *text);

/* Write or read the run and the names (NULL: none) with their checksum. isNew false: overwrites the
 * run; the names stay as they are. Read returns false if they are missing or damaged, or memory ran
 * out; texts are terminated, and numbers are in range. names: for free(); head: the checksum. */
bool ksiWriteRun(hid_t file, const ksiRun *run, const char *names, bool isNew);
bool ksiReadRun(hid_t file, hsize_t fileBytes, ksiRun *run, char **names, uint32_t *head);

#endif
