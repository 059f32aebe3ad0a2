/* solution.h  The physical system of an island: physical.c solves it, physical_bars.c finds its
 * bars. */
#ifndef KSI_INSPECTOR_SOLUTION_H
#define KSI_INSPECTOR_SOLUTION_H

#include "solver.h"

#include <string.h>

typedef struct ksiSolution {
    const ksiStep *step;
    ksiSolver *solver;
    int index;
    const ksiIsland *island;
    ksiPhysical *out;
    ksiFreeResult free;
    double *beta, *multiplier; /* [rows] */
    double *bar, *betaError;   /* [rows] */
    double *bias;              /* [rows] -(dJ/dt) v at `velocity` */
    double *velocity;          /* [coordinates] permitted velocities, ... */
    double *applied;           /* ... and the mechanism's forces at these velocities */
    double *force;             /* [coordinates] workspace */
    double *other;             /* [coordinates] other permitted velocities */
    double *way;               /* [coordinates] workspace */
    double *change;            /* [rows] the change of J v to permitted velocities; NaN: any */
    bool isKnown;              /* accelerations and places of its rows are known */
    bool isPermitted;          /* the bodies' own velocities are permitted */
    bool isMoved;              /* rows are at other bounds than in the converged solution, if there
                                  is one */
} ksiSolution;

static inline void ksiClearForce(const ksiSolution *s)
{
    memset(s->force, 0, 6 * (size_t)s->island->bodyCount * sizeof *s->force);
}

/* The change that only the right-hand sides `beta` (NULL: 0) and `force` cause in the multipliers.
 * Overwrites `force`. */
KS_MUST_USE static inline ksStatus ksiSolveChange(const ksiSolution *s, double *beta, double *change)
{
    const ksiVectors alone = {beta, change, s->force, NULL};
    return ksiSolveAlone(s->step, s->solver, s->index, s->out->places, &alone);
}

/* The change that only `beta` causes in the multipliers. Overwrites `force` if a row of the island
 * has bounds. */
KS_MUST_USE static inline ksStatus ksiSolveBeta(const ksiSolution *s, double *change)
{
    const ksiVectors alone = {s->beta, change, s->island->isBounded ? s->force : NULL, NULL};
    if (alone.force)
        ksiClearForce(s);
    return ksiSolveAlone(s->step, s->solver, s->index, s->out->places, &alone);
}

/* A joint's part of a vector over all rows; 0 for rows without an equation. */
static inline void ksiTakeOwn(const ksiSolution *s, int joint, const double *vector, double out[KSI_MAX_ROWS])
{
    ksiTakeRows(s->step->joint[joint].rows.count, s->solver->layout[joint].row, vector, out);
}

/* `bar` := bars by rounding, by the joints' drift, and by uncertain accelerations. */
KS_MUST_USE ksStatus ksiFindPhysicalBars(const ksiSolution *s);
/* Copies `bar` to the published bars of a joint. */
void ksiScatterBars(const ksiSolution *s, int joint);

/* `betaError` := the uncertainty by forbidden velocities. Overwrites the multipliers. Sets
 * ksiIslandPhysical::isOpen if the uncertainty is large in a tree. ksiAddApart adds the uncertainty
 * to the bars of a joint. */
KS_MUST_USE ksStatus ksiFindApart(const ksiSolution *s);
void ksiAddApart(const ksiSolution *s, int joint);

/* adopted.c: called after the multipliers and bars of a tree are found, with its rows in the
 * system. If the velocities leave the multipliers uncertain in many steps, softens rows, and
 * changes the multipliers; `betaError` is then the distance between the forces of both permitted
 * velocity fields, increased by this change. Overwrites the other vectors. */
KS_MUST_USE ksStatus ksiSoftenTree(const ksiSolution *s);

/* departure.c: sets ksiJointPhysical::forbidden. `multiplier` has the impulses that lead to the
 * nearest permitted velocities. */
void ksiTakeForbidden(const ksiSolution *s);
/* For a tree: sets ksiJointPhysical::forbidden, including missed targets of motors; also sets
 * ksiJointPhysical::implicit. Overwrites the multipliers. */
KS_MUST_USE ksStatus ksiFindDeparture(const ksiSolution *s);

#endif
