/* release.h  Loads of joints after others have released. */
#ifndef KSI_INSPECTOR_PUBLISH_RELEASE_H
#define KSI_INSPECTOR_PUBLISH_RELEASE_H

#include "../solver.h"

#include <kinetostat/loads.h>

typedef enum ksiStanding {
    KSI_UNCHANGED, /* no joint of its mechanism has released */
    KSI_GOES,      /* it releases; the loads of the others are not computed yet */
    KSI_GONE,      /* it has released */
    KSI_LEFT,      /* others have, and its new load is known */
    KSI_UNKNOWN    /* others have, and its new load is unknown */
} ksiStanding;

typedef struct ksiJointAfter {
    ksiStanding standing;
    bool isMoved;    /* the load has changed by more than a tenth, or is unknown */
    unsigned unique; /* rows: bits */
    double multiplier[KSI_MAX_ROWS], bar[KSI_MAX_ROWS];
} ksiJointAfter;

/* Loads after releases in the last queried step. */
typedef struct ksiAfter {
    ksSystem *system; /* NULL: no query yet */
    ksiJointAfter *joint;
    ksJointAfter *answer;
    double *number;
    int *flag;
    size_t jointCapacity, answerCapacity, numberCapacity, flagCapacity;
} ksiAfter;

/* Reserves memory for the joints of this step, all KSI_UNCHANGED. */
KS_MUST_USE ksStatus ksiAfterBegin(const ksiStep *step, ksiAfter *after);

/* Marks the joint as KSI_GOES. A joint without load affects no other joint. */
void ksiAfterGoes(const ksiStep *step, int joint, ksiAfter *after);

/* Releases the mechanism's KSI_GOES joints at once: they become KSI_GONE, the others KSI_LEFT, or
 * KSI_UNKNOWN on failure. KS_ERROR_UNAVAILABLE: the physical values of the mechanism are not known,
 * or it cannot be solved. */
KS_MUST_USE ksStatus ksiAfterSolve(const ksiStep *step, ksiSolver *solver, int island, ksiAfter *after);

#endif
