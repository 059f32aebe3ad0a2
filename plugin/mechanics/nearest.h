/* nearest.h  Rigid bodies whose joints have drifted apart: the way to the nearest pose in which they fit, what depends on
 * what there, and the multipliers there. */
#ifndef KSI_NEAREST_H
#define KSI_NEAREST_H

#include "../linear/profile.h"

#include <kinetostat/status.h>

/* Rows over at most two bodies, scaled by the masses: L^-1 J^T, M = L L^T, six numbers of each. Rigid ones first, and of these
 * the ones that hold a position; then `soft` ones with compliance. Who uses it fills what is marked *, in the order of the
 * calls. Lengths are metres of the kinematic metric, in which each body has mass 1 and its radii of gyration. */
typedef struct ksiNearest {
    ksAllocator allocator;
    int bodies, positions, rigid, soft, rows; /* rows = rigid + soft */
    double radius;                            /* * mean radius of gyration */
    double tolerance;                         /* * joints that do not quite fit as they were made are no drift */
    double *weight;                           /* * [bodies] root of the mass */
    int (*body)[2];                           /* * [rows] -1: none */
    double *gap;                              /* * [rows] J dq = gap closes the position errors */
    double *there;      /* * [rows][12] where the bodies are; after ksiNearestMove in the metric of the pose found */
    double *here;       /* * [rows][12] in the pose found */
    double *length;     /* [rows] of there, then of here, in the kinematic metric */
    double *motion;     /* [bodies][6] of ksiNearestMove, in coordinates scaled as the rows are: dq = L^-T motion */
    double *force;      /* * [bodies][6] scaled applied forces in the pose found */
    double *forceMoved; /* * [bodies][6] by how much those where the bodies are differ */
    double *beta, *betaMoved; /* * [rows] likewise */
    double *late;             /* * [rows] uncertainty of beta, one change of all; then of the multipliers */
    double *rate;             /* * [rows] J v, zero of what follows a target */
    double *compliance;       /* * [rows] of soft ones */
    double drift, left;       /* largest gap over the radius: before, and what is left of it */
    double *multiplier, *bar; /* [rows] */
    double *shift;            /* [rows] what the way moves them by, to first order */
    double common;            /* ... and how much is uncertain beside that, for a row of relaxed size 1 */
    int stressCount;          /* self-stresses */
    double *stress;           /* [stressCount][rows]: orthonormal in multipliers times length, zero of soft rows */
    /* workspace, and where it ends up */
    double *numbers, *matrix, *vectors; /* matrix: the last factor */
    int *whole, *integers;
    size_t numberCapacity, wholeCapacity, matrixCapacity, vectorCapacity;
    ksiProfile profile, core;
    double *inverse, *unit, *change, *right, *acceleration, *before, *work;
    int isMoved;
    double mostTorn;              /* no direction was moved by more on the way */
    int smallCount;               /* directions of small singular values: */
    double *small, *sigma, *torn; /* [smallCount][rows], [smallCount], [smallCount] */
    int *pinned;                  /* see nearest_solve.c */
    double *pin, *spread, *coupling, *part;
} ksiNearest;

/* All zero but for the allocator is a fresh one. */
void ksiNearestFree(ksiNearest *n);

/* Makes room; the counts stay as given. KS_OK, KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (no rigid row). */
KS_MUST_USE ksStatus ksiNearestBegin(ksiNearest *n, int bodies, int positions, int rigid, int soft);

/* With weight, body, there and gap: `drift`, and `length`. KS_ERROR_UNAVAILABLE: a row without entries. */
KS_MUST_USE ksStatus ksiNearestMeasure(ksiNearest *n);

/* The order of the rows, before all that follows. KS_ERROR_UNAVAILABLE: a matrix of more than `most` numbers. */
KS_MUST_USE ksStatus ksiNearestOrder(ksiNearest *n, int most);

/* The damped step towards the pose in which the joints fit,
 *
 *     dq = K^T (K K^T + 0.1 drift^2)^-1 e,      K unit rows in the kinematic metric, e = gap / length:
 *
 * with the damping the residual's square it needs no rank (Levenberg 1944). The factor is that of the first one. */
KS_MUST_USE ksStatus ksiNearestFactor(ksiNearest *n);
void ksiNearestMove(ksiNearest *n);

/* With there, here and gap of the pose found: what is left of the drift, and `length`. isMoved = 0: here is there, all of it is
 * left, and what is below it depends. */
KS_MUST_USE ksStatus ksiNearestArrive(ksiNearest *n, int isMoved);

/* What depends on what there. */
KS_MUST_USE ksStatus ksiNearestDecide(ksiNearest *n);

/* With rate: the scaled change of velocity [bodies][6] that the rows ask for, in `motion`. Its factor is that of the multipliers,
 * which are asked for next. */
KS_MUST_USE ksStatus ksiNearestCorrect(ksiNearest *n);

/* The multipliers; then, where largest (the largest load) shows that a direction was taken for independent that only rounding
 * of the way has made so, again without it. On error there are none. */
KS_MUST_USE ksStatus ksiNearestSolve(ksiNearest *n, double largest);

/* `shift`, `bar` and `common`; the size of row l when it is relaxed, and of two rows together: entry of the inverse. */
void ksiNearestBars(ksiNearest *n);
double ksiNearestInverse(const ksiNearest *n, int row, int column);

/* [rows][stressCount]: the self-stresses row by row, over the same room as the candidates, which are lost. */
const double *ksiNearestShares(ksiNearest *n);

#endif
