/* file.h  Writes files atomically. */
#ifndef KSI_REPORT_FILES_FILE_H
#define KSI_REPORT_FILES_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes beside `path` and renames; what is not a regular file is written directly. 0, or the errno. */
int ksiFileReplace(const char *path, const char *text, size_t length);

/* A device, a pipe, or a file that is open: nothing can take its place. */
bool ksiFileIsFixed(const char *path);

/* Behind what is in it. 0, or the errno. */
int ksiFileAppend(const char *path, const char *text, size_t length);

/* Could it be written so? 0, or the errno. The file itself stays as it is. */
int ksiFileCheck(const char *path);

/* Do both paths lead to one regular file? */
bool ksiFileIsSame(const char *path, const char *other);

/* Is it a file that begins with this text, of at most 64 bytes? Nothing else is read: neither a pipe nor a terminal. */
bool ksiFileBegins(const char *path, const char *text);

#endif
