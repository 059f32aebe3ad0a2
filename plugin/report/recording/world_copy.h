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
    const ksiNameList *names; /* for joints that the host has not named; or NULL. The caller's */
} ksiWorldCopy;

/* The world that was recorded, where it is at hand, and its last step was inspected. */
typedef struct ksiOriginal {
    const ksInspector *inspector;
    const ksiNaming *naming; /* up to date */
} ksiOriginal;

/* KS_OK, KS_ERROR_NO_MEMORY, or as ksInspectorCreate. Close: also one that is all zero, or half open. */
KS_MUST_USE ksStatus ksiWorldCopyOpen(ksiWorldCopy *copy, const ksInspectorOptions *options);
void ksiWorldCopyClose(ksiWorldCopy *copy);

/* A fresh inspector, that has seen nothing. */
KS_MUST_USE ksStatus ksiWorldCopyInspectAnew(ksiWorldCopy *copy, const ksInspectorOptions *options);

/* After an inspected step: joints have the numbers and names of the original; NULL: the numbers that the recorder has counted, and the
 * names of the record, or of the list. */
KS_MUST_USE ksStatus ksiWorldCopyName(const ksiWorldCopy *copy, const ksiOriginal *original);

#endif
