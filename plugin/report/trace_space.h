/* trace_space.h  Room on the disk, before it is needed. */
#ifndef KSI_REPORT_TRACE_SPACE_H
#define KSI_REPORT_TRACE_SPACE_H

#include <stddef.h>

/* 0: there is room for so many bytes more behind the end of an open file, else the errno of writing them. A file that is none
 * (a pipe, a device) has room. */
int ksiSpaceFor(int file, size_t bytes);

/* Writes them, if there is room for all. 0, or the errno. */
int ksiWriteIfSpace(int file, const char *bytes, size_t count);

/* As ksiSpaceFor, and the file system keeps it for this file, where it can, until ksiReturnSpace. */
int ksiReserveSpace(int file, size_t bytes);
void ksiReturnSpace(int file);

/* So many zeros at the end, whoever cuts them off. */
void ksiGrowFile(int file, size_t bytes);

#endif
