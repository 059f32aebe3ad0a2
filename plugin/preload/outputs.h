/* outputs.h  The files that a run or a judgement writes. */
#ifndef KSI_OUTPUTS_H
#define KSI_OUTPUTS_H

#include "options.h"

/* Can all of them be written? false: no, and that has been said. They stay as they are. */
bool ksiOutputsCheck(const ksiOptions *options);

/* The documents. false: some could not be written, and that has been said. */
bool ksiOutputsWrite(const ksiOptions *options, const ksReport *report);

/* The report as text: a screen of it, or all, by --all. */
void ksiOutputsPrint(const ksiOptions *options, const ksReport *report, FILE *to);

/* Documents that one process makes and another one writes: in memory that both have. */
enum { KSI_DOCUMENTS = 5 };
typedef struct ksiDocuments {
    FILE *made[KSI_DOCUMENTS]; /* NULL: it is not asked for */
} ksiDocuments;

/* For those that are asked for, with the text for standard output. false: there is no memory, and that has been said. */
bool ksiDocumentsOpen(ksiDocuments *documents, const ksiOptions *options);
bool ksiDocumentsMake(const ksiDocuments *documents, const ksiOptions *options, const ksReport *report);
bool ksiDocumentsWrite(const ksiDocuments *documents, const ksiOptions *options);

#endif
