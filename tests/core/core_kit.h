/* core_kit.h  Islands of a step in plugin/core/, and their twins in plugin/mechanics/, for
 * comparison. */
#ifndef TESTS_CORE_CORE_KIT_H
#define TESTS_CORE_CORE_KIT_H

#include "core/core.h"

#include <kinetostat/kinetostat.h>
#include <kinetostat/loads.h>
#include <kinetostat/system.h>

enum { CORE_BODIES = 840, CORE_JOINTS = 1240, CORE_MOST = CORE_JOINTS * KSI_CORE_ROWS };

/* The engine's own equations, with their compliance; or rigid ones, which have a motion that
 * satisfies them. */
typedef enum CoreEquations { CORE_DISCRETE, CORE_RIGID } CoreEquations;

typedef struct CoreTwin {
    ksiCore core;
    ksSystem *system;
    ksiCoreJoint plan[CORE_JOINTS];
    int joints, bodies, rows;
    int row[CORE_JOINTS][KSI_CORE_ROWS];           /* row of the system for each row of the core */
    double reference[CORE_JOINTS][KSI_CORE_ROWS];  /* the engine's own multipliers */
    double multiplier[CORE_MOST], size[CORE_MOST]; /* of the system */
    double y[6 * CORE_BODIES];                     /* its motion, in scaled coordinates */
    double force[6 * CORE_BODIES];                 /* of the bodies, unscaled */
} CoreTwin;

/* Largest differences over all islands. */
typedef struct CoreTally {
    int islands, closed, stressed, left,
        rows;                          /* left: not compared, because only the tolerance makes it a self-stress */
    int published;                     /* rows that were compared with Paulus's published multipliers */
    double same, motion, paulus, size; /* multipliers, y, the published ones by Paulus, |w_l|: relative differences */
    double missed, moved;              /* of the certificate, in units of rounding */
} CoreTally;

CoreTwin *coreTwin(void);
void coreTwinFree(CoreTwin *twin);

/* Compares all islands that the step of an inspector has solved, with both kinds of equations. */
void coreCompareStep(CoreTwin *twin, const ksInspector *inspector, CoreTally *tally);

/* Fills the core with an island of that step, factorises and solves it, with sizes; false: the
 * inspector did not solve it. */
bool coreSolve(CoreTwin *twin, const ksInspector *inspector, int island, CoreEquations equations);

/* After ksiCoreCertify: improves y and lambda of unknown rows by the residuals. */
void coreRefine(ksiCore *core);

/* After ksiCoreCertify: |y_f + B lambda - y|^2 in a column; *terms2: the same if each term is
 * rounded once. */
double coreMoved2(const ksiCore *core, int column, double *terms2);

/* Rows of a joint in which some unit self-stress exceeds `noise`: bits. */
unsigned coreUndetermined(const ksiCore *core, int joint, double noise);

/* Refines the solutions, and fails if the certificate of column 0 still finds more than
 * rounding. */
void coreCheckSolution(CoreTwin *twin);

/* Fails if the differences are more than rounding. */
void coreJudge(const char *name, const CoreTally *tally);

#endif
