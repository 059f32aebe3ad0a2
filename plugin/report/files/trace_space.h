/* trace_space.h  Reserves disk space. */
#ifndef KSI_REPORT_FILES_TRACE_SPACE_H
#define KSI_REPORT_FILES_TRACE_SPACE_H

#include <stddef.h>

/* Writes them at the end of an open file, if there is room for all. A file that is none (a pipe, a device) has room. 0, or the errno. */
int ksiWriteIfSpace(int file, const char *bytes, size_t count);

/* 0: there is room for so many bytes more, which the file system keeps for this file, where it can, until ksiReturnSpace; else the errno of writing them. */
int ksiReserveSpace(int file, size_t bytes);
void ksiReturnSpace(int file);

/* So many zeros at the end, whoever cuts them off. */
void ksiGrowFile(int file, size_t bytes);

#endif
