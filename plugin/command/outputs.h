/* outputs.h  Output files of a run. */
#ifndef KSI_COMMAND_OUTPUTS_H
#define KSI_COMMAND_OUTPUTS_H

#include "options.h"

/* Can all output files be written? Leaves them unchanged. false: the error was printed. */
bool ksiOutputsCheck(const ksiOptions *options);

/* The kind of file that a document would destroy by mistake: recording, trace or report; or
 * NULL. */
const char *ksiOutputTakes(const char *path);

/* The documents, in shared memory: one process makes them and another writes them. */
enum { KSI_DOCUMENTS = 9 };
typedef struct ksiDocuments {
    /* NULL: not requested. The first is the text for a screen, the last the page of --view */
    FILE *made[KSI_DOCUMENTS];
    bool isLacking[KSI_DOCUMENTS]; /* a document could not be made or written; the error was
                                      printed */
} ksiDocuments;

/* false: an error was printed, each error once. ksiDocumentsWrite writes no text if screen is NULL.
 * If areLast, it also appends to files that cannot be replaced, such as pipes, which get no earlier
 * version. */
bool ksiDocumentsOpen(ksiDocuments *documents, const ksiOptions *options);
bool ksiDocumentsMake(ksiDocuments *documents, const ksiOptions *options, const ksReport *report);
bool ksiDocumentsWrite(ksiDocuments *documents, const ksiOptions *options, FILE *screen, bool areLast);

/* A single document. NULL: no memory; the error was printed. ksiDocumentWrite writes to the screen
 * or, if screen is NULL, to the path. It returns 0 or the errno. */
FILE *ksiDocumentOpen(void);
int ksiDocumentWrite(FILE *made, FILE *screen, const char *path);
bool ksiDocumentCopy(FILE *made, FILE *out); /* false: there is none, or no memory */

#endif
