/* solution.h  The physical system of an island: physical.c solves it, physical_bars.c finds its bars. */
#ifndef KSI_INSPECTOR_SOLUTION_H
#define KSI_INSPECTOR_SOLUTION_H

#include "solver.h"

typedef struct ksiSolution {
    const ksiStep *step;
    ksiSolver *solver;
    int index;
    const ksiIsland *island;
    ksiPhysical *out;
    ksiFreeResult free;
    double *beta, *multiplier; /* [rows] */
    double *bar, *betaError;   /* [rows] */
    double *bias;              /* [rows] -(dJ/dt) v of these velocities: */
    double *velocity;          /* [coordinates] velocities that the joints permit, ... */
    double *applied;           /* ... and the mechanism's forces on the bodies at these */
    double *force;             /* [coordinates] workspace */
    double *nearest;           /* [coordinates] of these the nearest in the metric of the masses */
    bool isKnown;              /* accelerations and places of its rows */
    bool isPermitted;          /* the bodies' own velocities are */
    bool isMoved;              /* rows are at other bounds than in the converged solution, if there is one */
} ksiSolution;

/* Into `betaError`: the change of the multipliers that `force`, which is overwritten, and these right-hand sides alone make. motion: of the
 * accelerations; or NULL. */
KS_MUST_USE ksStatus ksiSolveChange(const ksiSolution *s, double *beta, double *motion);

/* Into `bar`: of rounding, of the joints' drift, and of uncertain accelerations. */
KS_MUST_USE ksStatus ksiFindPhysicalBars(const ksiSolution *s);
/* ... of a joint, where they are published. */
void ksiScatterBars(const ksiSolution *s, int joint);

/* What velocities that its joints forbid leave open of a tree, in `betaError`; 0 in a loop. The multipliers are needed no longer.
 * ksiIslandPhysical::isOpen tells whether it is much. Then for the bars of a joint. */
KS_MUST_USE ksStatus ksiFindApart(const ksiSolution *s);
void ksiAddApart(const ksiSolution *s, int joint);

/* softened.c: a tree's multipliers and bars are known, and the system holds its rows. Where its velocities leave the multipliers open in many
 * steps, rows are softened, and the multipliers changed; `betaError` then has the distance from all that is permitted. The other vectors are
 * overwritten. */
KS_MUST_USE ksStatus ksiSoftenTree(const ksiSolution *s);

/* departure.c: ksiJointPhysical::forbidden, where `multiplier` is what takes the bodies to the nearest velocities that the rows permit */
void ksiTakeForbidden(const ksiSolution *s);
/* ... with targets that motors miss; and implicit. Of a tree, whose multipliers are needed no longer. */
KS_MUST_USE ksStatus ksiFindDeparture(const ksiSolution *s);

#endif
