/* lines.h  Files of lines, as people write them. */
#ifndef KSI_REPORT_FILES_LINES_H
#define KSI_REPORT_FILES_LINES_H

#include <stdbool.h>
#include <stdio.h>

enum { KSI_LINES_WORDS = 400 };

/* A line, or NULL behind the last one. Returns NULL, or what is wrong there. */
typedef const char *ksiLineFn(void *user, char *line);

/* Without blanks at the ends of lines; leaves out empty ones and comments, which begin with #. Closes the file; NULL: errno says why. false: `words`
 * says what is wrong. */
bool ksiLinesRead(const char *path, FILE *file, ksiLineFn *take, void *user, char words[KSI_LINES_WORDS]);

#endif
