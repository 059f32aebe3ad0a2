/* reading.h  Documents of a file that nobody has to trust: a confined process reads it and makes them, in memory that both have; this one writes
 * them. */
#ifndef KSI_COMMAND_FILES_READING_H
#define KSI_COMMAND_FILES_READING_H

#include "../confine.h"

#include <stdio.h>

enum { KSI_READ_DOCUMENTS = 8, KSI_READ_ALSO = 72 };

typedef struct ksiReading {
    const char *path; /* of the file, for complaints */
    const char *file
        [KSI_READ_DOCUMENTS]; /* where documents go; NULL: it is not asked for. The first goes to the standard output */
    const char *also[KSI_READ_ALSO]; /* other files that are read, up to NULL */
    bool isQuiet;                    /* the first is not asked for */
    ksiLimits limits;
    FILE *document[KSI_READ_DOCUMENTS];
} ksiReading;

/* Says why on standard error; false. */
bool ksiComplain(const char *what, const char *why);

/* Can a document be written there? It must not take the place of these files, up to NULL, nor of other recordings. false: no, and that has been
 * said. */
bool ksiDocumentCheck(const char *path, const char *const *inputs);

/* Can the documents be written where they should? false: no, and that has been said. */
bool ksiReadingCheck(const ksiReading *reading);

static inline bool ksiReadingAsks(const ksiReading *reading, int document)
{
    return document == 0 ? !reading->isQuiet : reading->file[document] != NULL;
}

/* make: in the process, with the documents open that are asked for; false: that has been said. Returns a status to exit with. */
int ksiReadingRun(ksiReading *reading, bool make(void *user, ksiReading *reading), void *user);

#endif
