/* core_kit.h  Islands of a step as plugin/core/ has them, and twins of them as plugin/mechanics/ has, to be compared. */
#ifndef TESTS_CORE_CORE_KIT_H
#define TESTS_CORE_CORE_KIT_H

#include "core/core.h"

#include <kinetostat/kinetostat.h>
#include <kinetostat/loads.h>
#include <kinetostat/system.h>

enum { CORE_BODIES = 840, CORE_JOINTS = 1240, CORE_MOST = CORE_JOINTS * KSI_CORE_ROWS };

/* Which equations: the engine's own, with their compliance; or rigid ones, which some motion satisfies. */
typedef enum CoreEquations { CORE_DISCRETE, CORE_RIGID } CoreEquations;

typedef struct CoreTwin {
    ksiCore core;
    ksSystem *system;
    ksiCoreJoint plan[CORE_JOINTS];
    int joints, bodies, rows;
    int row[CORE_JOINTS][KSI_CORE_ROWS];           /* of the system; by the core's rows */
    double reference[CORE_JOINTS][KSI_CORE_ROWS];  /* the engine's own multipliers */
    double multiplier[CORE_MOST], size[CORE_MOST]; /* of the system */
    double y[6 * CORE_BODIES];                     /* its motion, in scaled coordinates */
    double force[6 * CORE_BODIES];                 /* of the bodies, unscaled */
} CoreTwin;

/* What comparisons have found: the largest of all islands. */
typedef struct CoreTally {
    int islands, closed, stressed, left,
        rows;                          /* left: not compared, since a self-stress is one by the tolerance alone */
    double same, motion, paulus, size; /* multipliers, y, Paulus's multipliers, |w_l|: relative differences */
    double missed, moved;              /* of the certificate, in units of rounding */
} CoreTally;

CoreTwin *coreTwin(void);
void coreTwinFree(CoreTwin *twin);

/* All islands that the step of an inspector has solved, with both kinds of equations. */
void coreCompareStep(CoreTwin *twin, const ksInspector *inspector, CoreTally *tally);

/* The core is filled with an island of that step, factorised and solved, with sizes; false: it was not solved there. */
bool coreSolve(CoreTwin *twin, const ksInspector *inspector, int island, CoreEquations equations);

/* Refines the solutions, and fails where the certificate of column 0 still finds more than rounding. */
void coreCheckSolution(CoreTwin *twin);

/* Fails where the differences are more than rounding. */
void coreJudge(const char *name, const CoreTally *tally);

#endif
