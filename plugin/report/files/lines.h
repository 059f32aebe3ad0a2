/* lines.h  Text files of lines. */
#ifndef KSI_REPORT_FILES_LINES_H
#define KSI_REPORT_FILES_LINES_H

#include <stdbool.h>
#include <stdio.h>

enum { KSI_LINES_WORDS = 400 };

/* Called with a line, or NULL after the last one. Returns NULL, or the error there. */
typedef const char *ksiLineFn(void *user, char *line);

/* Strips blanks at the ends of lines; skips empty lines and comments, which start with #. Closes
 * the file; NULL: errno has the reason. false: `words` has the error. */
bool ksiLinesRead(const char *path, FILE *file, ksiLineFn *take, void *user, char words[KSI_LINES_WORDS]);

#endif
