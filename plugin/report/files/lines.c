/* lines.c  Text files of lines. Refuses zero bytes, which UTF-16 has, and endless lines, which a
 * device can have. */
#include "lines.h"

#include <errno.h>
#include <string.h>

enum { LONGEST = 1024 };

/* Returns NULL, or the error in the line. *isThere is false at the end. */
static const char *next(FILE *file, char line[LONGEST], bool *isThere)
{
    size_t length = 0;
    int byte;
    while ((byte = getc(file)) != EOF && byte != '\n') {
        if (byte == 0)
            return "a zero byte, which no text has";
        line[length++] = (char)byte;
        if (length == LONGEST)
            return "the line is too long";
    }
    line[length] = 0;
    *isThere = length > 0 || byte == '\n';
    return NULL;
}

static char *strip(char *line)
{
    for (size_t end = strlen(line); end > 0 && strchr(" \t\r", line[end - 1]); end--)
        line[end - 1] = 0;
    return line + strspn(line, " \t");
}

bool ksiLinesRead(const char *path, FILE *file, ksiLineFn *take, void *user, char words[KSI_LINES_WORDS])
{
    char line[LONGEST];
    const char *why = NULL;
    bool isThere = file != NULL;
    for (int number = 1; isThere && !why; number++) {
        why = next(file, line, &isThere);
        char *text = isThere && !why ? strip(line) : NULL;
        if (!why && !ferror(file) && (!text || (*text && *text != '#')))
            why = take(user, text);
        if (why)
            snprintf(words, KSI_LINES_WORDS, "%.250s:%d: %s", path, number, why);
    }
    const bool isRead = !why && file && !ferror(file);
    if (!isRead && !why)
        snprintf(words, KSI_LINES_WORDS, "%.250s: %s", path, strerror(errno));
    if (file)
        fclose(file);
    return isRead;
}
