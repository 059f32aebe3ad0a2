/* reading.h  Makes documents from an untrusted file: a confined process reads it and makes them in
 * shared memory; this process writes them. */
#ifndef KSI_COMMAND_FILES_READING_H
#define KSI_COMMAND_FILES_READING_H

#include "../confine.h"

#include "../../report/files/text.h"

#include <jansson.h>
#include <stdio.h>

enum { KSI_READ_DOCUMENTS = 8, KSI_READ_ALSO = 72 };

typedef struct ksiReading {
    const char *path;                     /* the file's path, or the subject of a message */
    const char *file[KSI_READ_DOCUMENTS]; /* files of the documents; NULL: not requested. The first
                                             goes to the standard output */
    const char *also[KSI_READ_ALSO];      /* further files to read, up to NULL */
    bool isQuiet;                         /* the first document is not requested */
    bool mayFork;                         /* the reading process may fork */
    int worst;                            /* largest exit status of `make` after which the documents
                                             are written */
    ksiLimits limits;
    FILE *document[KSI_READ_DOCUMENTS];
} ksiReading;

/* Prints the reason; returns false. */
bool ksiComplain(const char *what, const char *why);

/* Can the documents be written to their files? false: the error was printed. */
bool ksiReadingCheck(const ksiReading *reading);

static inline bool ksiReadingAsks(const ksiReading *reading, int document)
{
    return document == 0 ? !reading->isQuiet : reading->file[document] != NULL;
}

/* make: runs in the confined process, with the requested documents open. Returns an exit status, up
 * to `worst`, or KSI_FAILED after printing the error. ksiReadingRun returns the command's exit
 * status. */
int ksiReadingRun(ksiReading *reading, int make(void *user, ksiReading *reading), void *user);

/* For `make`. ksiTextWrite writes the text, frees it and begins a new one. ksiJsonWrite writes and
 * releases JSON; NULL: out of memory. */
bool ksiTextWrite(ksiText *text, FILE *out);
bool ksiJsonWrite(json_t *json, FILE *out);

struct option;

/* Parses the options of a command, each by `take`; `operands` arguments follow from optind on.
 * The help begins with the usage. Prints the help for --help, and exits. false: the error was
 * printed. */
bool ksiReadingOptions(int count, char *argument[], const struct option *options, const char *help, int operands,
                       bool take(int option, char *text, void *user), void *user);

#endif
