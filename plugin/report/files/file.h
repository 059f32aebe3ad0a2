/* file.h  Writes files atomically. */
#ifndef KSI_REPORT_FILES_FILE_H
#define KSI_REPORT_FILES_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes beside `path` and renames; a special file is written directly. 0, or the errno. */
int ksiFileReplace(const char *path, const char *text, size_t length);

/* Is it a device, a pipe, or a link to an open file? Such a file cannot be replaced. */
bool ksiFileIsFixed(const char *path);

/* Appends to an existing file. 0, or the errno. */
int ksiFileAppend(const char *path, const char *text, size_t length);

/* Could it be written? Returns 0, or the errno. Leaves the file unchanged. */
int ksiFileCheck(const char *path);

/* Do both paths lead to one regular file? */
bool ksiFileIsSame(const char *path, const char *other);

/* Is it a regular file that begins with this text of at most 64 bytes? Reads regular files only. */
bool ksiFileBegins(const char *path, const char *text);

#endif
