/* lines.h  Text files of lines. */
#ifndef KSI_REPORT_FILES_LINES_H
#define KSI_REPORT_FILES_LINES_H

#include <stdbool.h>
#include <stdio.h>

enum { KSI_LINES_WORDS = 400 };

/* Takes a line, or NULL after the last one. Returns NULL, or the error in the line. */
typedef const char *ksiLineFn(void *user, char *line);

/* Passes on each line without blanks at its start and end; skips empty lines and comments, which
 * start with #. Closes the file; file NULL: errno has the reason. false: `words` has the error. */
bool ksiLinesRead(const char *path, FILE *file, ksiLineFn *take, void *user, char words[KSI_LINES_WORDS]);

#endif
