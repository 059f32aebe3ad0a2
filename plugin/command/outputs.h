/* outputs.h  Output files of a run. */
#ifndef KSI_COMMAND_OUTPUTS_H
#define KSI_COMMAND_OUTPUTS_H

#include "options.h"

/* Can all of them be written? false: no, and that has been said. They stay as they are. */
bool ksiOutputsCheck(const ksiOptions *options);

/* What a document in its place would destroy by a slip: "a recording or trace", "a report of --save". NULL: neither. */
const char *ksiOutputTakes(const char *path);

/* The documents, which one process makes and another one writes: in memory that both have. */
enum { KSI_DOCUMENTS = 9 };
typedef struct ksiDocuments {
    /* NULL: it is not asked for. The first is the text for a screen, the last the page of --view of recordings */
    FILE *made[KSI_DOCUMENTS];
    bool isLacking[KSI_DOCUMENTS]; /* it could not be made or written, and that has been said */
} ksiDocuments;

/* false: that has been said, once for each of them. Write: screen NULL: not there; areLast: behind what is in files that nothing can take the
 * place of, as pipes; before, these have none. */
bool ksiDocumentsOpen(ksiDocuments *documents, const ksiOptions *options);
bool ksiDocumentsMake(ksiDocuments *documents, const ksiOptions *options, const ksReport *report);
bool ksiDocumentsWrite(ksiDocuments *documents, const ksiOptions *options, FILE *screen, bool areLast);

/* One by itself: NULL: no memory, and that has been said. Write: to the screen, or NULL: to the path, as ksiDocumentsWrite; 0, or the errno. */
FILE *ksiDocumentOpen(void);
int ksiDocumentWrite(FILE *made, FILE *screen, const char *path);
bool ksiDocumentCopy(FILE *made, FILE *out); /* false: there is none, or no memory */

#endif
