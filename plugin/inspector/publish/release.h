/* release.h  Loads of joints after other joints have released. */
#ifndef KSI_INSPECTOR_PUBLISH_RELEASE_H
#define KSI_INSPECTOR_PUBLISH_RELEASE_H

#include "../solver.h"

#include <kinetostat/loads.h>

typedef enum ksiStanding {
    KSI_UNCHANGED, /* no joint of its mechanism has released */
    KSI_GOES,      /* it releases; the new loads of the other joints are not computed yet */
    KSI_GONE,      /* it has released */
    KSI_LEFT,      /* other joints have released, and its new load is known */
    KSI_UNKNOWN    /* other joints have released, and its new load is unknown */
} ksiStanding;

typedef struct ksiJointAfter {
    ksiStanding standing;
    bool isMoved;    /* the load has changed by more than a tenth, or is unknown */
    unsigned unique; /* rows with a unique multiplier: bits */
    double multiplier[KSI_MAX_ROWS], bar[KSI_MAX_ROWS];
} ksiJointAfter;

/* Loads after releases, in the step of the last call of ksiAfterBegin. */
typedef struct ksiAfter {
    ksSystem *system; /* NULL: no load was computed yet */
    ksiJointAfter *joint;
    ksJointAfter *answer;
    double *number;
    int *flag;
    size_t jointCapacity, answerCapacity, numberCapacity, flagCapacity;
} ksiAfter;

/* Reserves memory for the joints of this step, and makes all of them KSI_UNCHANGED. */
KS_MUST_USE ksStatus ksiAfterBegin(const ksiStep *step, ksiAfter *after);

/* Marks the joint as KSI_GOES; or as KSI_GONE, if it is in no island, and so affects no other
 * joint. */
void ksiAfterGoes(const ksiStep *step, int joint, ksiAfter *after);

/* Releases all KSI_GOES joints of the mechanism at once: they become KSI_GONE, and the other joints
 * KSI_LEFT, or KSI_UNKNOWN on failure. KS_ERROR_UNAVAILABLE: the physical values of the mechanism
 * are not known, or its equations cannot be solved. */
KS_MUST_USE ksStatus ksiAfterSolve(const ksiStep *step, ksiSolver *solver, int island, ksiAfter *after);

#endif
