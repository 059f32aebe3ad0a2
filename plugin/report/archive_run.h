/* archive_run.h  The run of a recording, as attributes of its file. */
#ifndef KSI_ARCHIVE_RUN_H
#define KSI_ARCHIVE_RUN_H

#include "run.h"

#include <hdf5.h>

/* count: of elements; bytes: of all. false: it is not written, or it is not there in this size. */
bool ksiWriteAttribute(hid_t file, const char *name, hid_t type, hsize_t count, const void *value);
bool ksiReadAttribute(hid_t file, const char *name, hid_t type, size_t bytes, void *value);

/* isNew: false: it is there, and is written over. What is missing when it is read stays empty; texts end, and numbers are in range. */
bool ksiWriteRun(hid_t file, const ksiRun *run, bool isNew);
void ksiReadRun(hid_t file, ksiRun *run);

/* A text of any length. Read: for free(); NULL: it is not there, or there is no memory. */
bool ksiWriteTextAttribute(hid_t file, const char *name, const char *text);
char *ksiReadTextAttribute(hid_t file, const char *name);

#endif
