/* trace_space.h  Reserves disk space. */
#ifndef KSI_REPORT_FILES_TRACE_SPACE_H
#define KSI_REPORT_FILES_TRACE_SPACE_H

#include <stddef.h>

/* Writes all bytes at the end of an open file if they fit. A pipe or device always has room. 0, or
 * the errno. */
int ksiWriteIfSpace(int file, const char *bytes, size_t count);

/* 0: this many more bytes fit, and the file system, if it can, reserves them until ksiReturnSpace;
 * otherwise the errno of a write. */
int ksiReserveSpace(int file, size_t bytes);
void ksiReturnSpace(int file);

/* Appends this many zeros, which the caller truncates. */
void ksiGrowFile(int file, size_t bytes);

#endif
