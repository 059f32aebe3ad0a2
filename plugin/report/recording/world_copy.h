/* world_copy.h  A copy of a recorded world, with its inspector, and the numbers and names of its
 * objects. */
#ifndef KSI_REPORT_RECORDING_WORLD_COPY_H
#define KSI_REPORT_RECORDING_WORLD_COPY_H

#include "../collect/naming.h"
#include "../files/name_list.h"

#include "../../replay/replica.h"

typedef struct ksiWorldCopy {
    ksiReplica *replica;
    ksInspector *inspector;
    ksiNaming *naming;
    const ksiNameList *names; /* names for unnamed joints, or NULL; the caller keeps the list */
} ksiWorldCopy;

/* The recorded world, if it is in this process and its last step was inspected. */
typedef struct ksiOriginal {
    const ksInspector *inspector;
    const ksiNaming *naming; /* must be up to date */
} ksiOriginal;

/* KS_OK, KS_ERROR_NO_MEMORY, or an error of ksInspectorCreate. Close accepts a copy that is
 * zero-initialised or half open. */
KS_MUST_USE ksStatus ksiWorldCopyOpen(ksiWorldCopy *copy, const ksInspectorOptions *options);
void ksiWorldCopyClose(ksiWorldCopy *copy);

/* Replaces the inspector with a fresh one. */
KS_MUST_USE ksStatus ksiWorldCopyInspectAnew(ksiWorldCopy *copy, const ksInspectorOptions *options);

/* Call it after an inspected step: gives the joints the original's names and numbers. original
 * NULL: the recorder's numbers, and names from the record or the list. */
KS_MUST_USE ksStatus ksiWorldCopyName(const ksiWorldCopy *copy, const ksiOriginal *original);

#endif
