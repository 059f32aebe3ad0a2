/* foreign.h  The world of another engine, and the records of its steps. No function of an engine is
 * called. */
#ifndef KSI_REPORT_RECORDING_FOREIGN_H
#define KSI_REPORT_RECORDING_FOREIGN_H

#include "../../replay/record.h"

#include <kinetostat/recording.h>

typedef struct ksiForeignJoint {
    ksRecordedJoint as; /* name NULL */
    char name[KSI_NAME_BYTES];
    uint64_t *words; /* the fields of the joint's class */
    int64_t next[2]; /* for each side, the joint that was added to the same body before this one: 2
                        joint + side, or -1 */
} ksiForeignJoint;

typedef struct ksiForeignBody {
    ksRecordedState state;
    ksiBodyCopy copy;
    int isDriven;
    int64_t first; /* the joint added last to the body, as ksiForeignJoint::next */
} ksiForeignBody;

/* Bodies and joints are in the order of their addition; records list the last one first, as the
 * engine does. */
typedef struct ksiForeign {
    double gravity[3];
    bool isSingle;
    ksiForeignBody *body;
    ksiForeignJoint *joint;
    size_t bodyCount, jointCount, bodyCapacity, jointCapacity, nameCount;
    uint64_t *record;
    size_t words, recordCapacity;
    bool isLaidOut; /* the record has room for all bodies and joints, and their constant members are
                       set */
    uint64_t step;
    double time, stepSize;
} ksiForeign;

/* KS_OK or KS_ERROR_NO_MEMORY; free it in either case. */
KS_MUST_USE ksStatus ksiForeignInit(ksiForeign *foreign, const double gravity[3], bool isSingle);
void ksiForeignFree(ksiForeign *foreign);

/* Add a sound body or joint (recording_check.h). KS_OK, or KS_ERROR_NO_MEMORY: nothing changed. */
KS_MUST_USE ksStatus ksiForeignAddBody(ksiForeign *foreign, const ksRecordedBody *body);
KS_MUST_USE ksStatus ksiForeignAddJoint(ksiForeign *foreign, const ksRecordedJoint *joint);

/* Remove the last body, which must have no joint, or the last joint. */
void ksiForeignRemoveBody(ksiForeign *foreign);
void ksiForeignRemoveJoint(ksiForeign *foreign);

/* The record of a step, valid until the next call. Begin: the state before the step; stepSize 0: no
 * step, only the world. before NULL: the present states; loads NULL: none. End: the whole record;
 * reported NULL: no reports. A step without End is omitted. */
const ksiStepRecord *ksiForeignBegin(ksiForeign *foreign, double stepSize, const ksRecordedState *before,
                                     const ksWrench *loads);
const ksiStepRecord *ksiForeignEnd(ksiForeign *foreign, const ksRecordedState *after, const ksWrench (*reported)[2]);

#endif
