/* suppress.h  Suppressions of findings, from a file. */
#ifndef KSI_REPORT_FINDINGS_SUPPRESS_H
#define KSI_REPORT_FINDINGS_SUPPRESS_H

#include "../files/lines.h"
#include "../files/text.h"
#include "view.h"

typedef struct ksiSuppressions ksiSuppressions;

enum { KSI_SUPPRESSIONS_WORDS = KSI_LINES_WORDS };

/* Entries of a file:
 *
 *     # a comment
 *     {
 *        the wheels are sprung
 *        compliant
 *        joint: wheel*
 *        world: *
 *     }
 *
 * The first line of an entry is any name, the second line is the name of the finding
 * (finding_kinds.h). `joint` and `world` are patterns (* ? [...]) of names; a missing one matches
 * all. Closes the file. file NULL: the file could not be opened, and errno says why. Returns NULL
 * if the file cannot be read; `words` says why. Destroy: NULL is fine. */
ksiSuppressions *ksiSuppressionsRead(const char *path, FILE *file, char words[KSI_SUPPRESSIONS_WORDS]);
void ksiSuppressionsDestroy(ksiSuppressions *list);

/* Applies the list to documents and guards; the caller keeps it. NULL: none. */
void ksiReportSuppress(ksReport *report, const ksiSuppressions *list);

/* The index of the first entry for this finding of a joint; joint NULL: the world as a whole. -1:
 * none. */
int ksiSuppressionFor(const ksReport *report, const char *finding, const char *world, const ksiJointView *joint);

size_t ksiSuppressionCount(const ksReport *report);
const char *ksiSuppressionName(const ksReport *report, size_t index);

#endif
