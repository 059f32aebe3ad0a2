/* release.h  Loads of joints after others have released. */
#ifndef KSI_INSPECTOR_PUBLISH_RELEASE_H
#define KSI_INSPECTOR_PUBLISH_RELEASE_H

#include "../solver.h"

#include <kinetostat/loads.h>

typedef enum ksiStanding {
    KSI_UNCHANGED, /* nobody of its mechanism has let go */
    KSI_GOES,      /* it lets go, and what the others carry is to be found */
    KSI_GONE,      /* it has */
    KSI_LEFT,      /* others have, and it carries what follows */
    KSI_UNKNOWN    /* ... and it is not known what */
} ksiStanding;

typedef struct ksiJointAfter {
    ksiStanding standing;
    unsigned unique; /* rows: bits */
    double multiplier[KSI_MAX_ROWS], bar[KSI_MAX_ROWS];
} ksiJointAfter;

/* Of the last step that was asked about. */
typedef struct ksiAfter {
    ksSystem *system; /* NULL: nothing was asked */
    ksiJointAfter *joint;
    ksJointAfter *answer;
    double *number;
    int *flag;
    size_t jointCapacity, answerCapacity, numberCapacity, flagCapacity;
} ksiAfter;

/* Room for the joints of this step, all of them unchanged. */
KS_MUST_USE ksStatus ksiAfterBegin(const ksiStep *step, ksiAfter *after);

/* The joint goes; of one that holds nothing nobody else hears. */
void ksiAfterGoes(const ksiStep *step, int joint, ksiAfter *after);

/* Its joints that are KSI_GOES let go, at once, and are KSI_GONE; the others are KSI_LEFT, or where it fails KSI_UNKNOWN.
 * KS_ERROR_UNAVAILABLE: the physical values of the mechanism are not known, or it cannot be solved. */
KS_MUST_USE ksStatus ksiAfterSolve(const ksiStep *step, ksiSolver *solver, int island, ksiAfter *after);

#endif
