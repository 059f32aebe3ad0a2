/* world_copy.h  A copy of a recorded world, its inspector, and the numbers and names in it. */
#ifndef KSI_REPORT_RECORDING_WORLD_COPY_H
#define KSI_REPORT_RECORDING_WORLD_COPY_H

#include "../collect/naming.h"
#include "../files/name_list.h"

#include "../../replay/replica.h"

typedef struct ksiWorldCopy {
    ksiReplica *replica;
    ksInspector *inspector;
    ksiNaming *naming;
    const ksiNameList *names; /* for unnamed joints; or NULL. The caller's */
} ksiWorldCopy;

/* The recorded world, if it is in this process and its last step was inspected. */
typedef struct ksiOriginal {
    const ksInspector *inspector;
    const ksiNaming *naming; /* up to date */
} ksiOriginal;

/* KS_OK, KS_ERROR_NO_MEMORY, or as ksInspectorCreate. Close: also one that is all zero, or half
 * open. */
KS_MUST_USE ksStatus ksiWorldCopyOpen(ksiWorldCopy *copy, const ksInspectorOptions *options);
void ksiWorldCopyClose(ksiWorldCopy *copy);

/* Replaces the inspector by a fresh one. */
KS_MUST_USE ksStatus ksiWorldCopyInspectAnew(ksiWorldCopy *copy, const ksInspectorOptions *options);

/* After an inspected step: names and numbers the joints by the original; NULL: by the recorder's
 * numbers, and by the names of the record or of the list. */
KS_MUST_USE ksStatus ksiWorldCopyName(const ksiWorldCopy *copy, const ksiOriginal *original);

#endif
