/* solver.h  Equations of islands, and what solves them: systems, the nearest pose, room for vectors. */
#ifndef KSI_SOLVER_H
#define KSI_SOLVER_H

#include "../mechanics/active_set.h"
#include "../mechanics/mechanics.h"
#include "phases.h"
#include "pose.h"

/* A redundant island with more rows is not worth the seconds that its singular values take; nor is the nearest pose of one whose
 * matrix has more numbers than a full one of so many. */
enum { KSI_MOST_DENSE_ROWS = 400 };

/* What an island's system holds. */
typedef enum ksiStanding {
    KSI_NOTHING,             /* that could be told */
    KSI_OTHER_EQUATIONS,     /* the step's, with other rows at bounds than the converged solution has */
    KSI_QUERIED_EQUATIONS,   /* the step's, with those rows at bounds that a query has found: ksiSolver::queried */
    KSI_CONVERGED_EQUATIONS, /* the step's */
} ksiStanding;

typedef struct ksiSolver {
    ksSystem *system;     /* islands are solved in it, one after the other */
    int island;           /* that it was filled with last; -1: none of this step */
    ksiStanding standing; /* what it holds of that */
    ksiWarmStart **warm;  /* [warmCount] of the mechanism that is island number i, kept from step to step */
    size_t warmCount, warmCapacity;
    ksiJointLayout *layout; /* [joints] */
    ksiPlaces *queried;     /* [joints] where rows are by a query's own search */
    ksiPose pose;
    int *parent; /* [bodies] union_find.h */
    double *scratch, *exact, *given, *combination;
    int *flag; /* [rows] */
    ksiBoundedRow *boundedRow;
    double *boundNoise; /* of these rows */
    size_t scratchCapacity, exactCapacity, givenCapacity, combinationCapacity, flagCapacity, boundedCapacity,
        noiseCapacity;
} ksiSolver;

/* equations.c: room for the islands of the step; the system filled with one; what it holds of an island, if that was the last */
KS_MUST_USE ksStatus ksiReserveSolver(const ksiStep *step, ksiSolver *solver);
KS_MUST_USE ksStatus ksiBuildSystem(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places);
KS_MUST_USE ksStatus ksiReserveScratch(const ksiStep *step, ksiSolver *solver, int island);
bool ksiIsOverBudget(const ksiStep *step, int island);
ksiStanding ksiStandingOf(const ksiSolver *solver, int island);

/* bounds.c: finds which rows lie at bounds, from the report on, leaves the island's system standing with them, and its
 * multipliers and accelerations; KS_ERROR_BOUND where the search is given up: places are the reported ones then */
typedef struct ksiSearch {
    ksiPlaces *places;  /* [joints] */
    double *multiplier; /* [rows] */
    double *acceleration;
    double boundNoise; /* size of the most that rounding may have put on a friction bound of dWorldStep's first stage */
} ksiSearch;
KS_MUST_USE ksStatus ksiFindActiveSet(const ksiStep *step, ksiSolver *solver, int island, ksiSearch *search);
/* With redundant contacts the split of their forces is not determined, and the engine's solution may have a row that
 * would not move if it were free on either side of its bound: those that take part in such a split count as inside from
 * now on, in the island's system too. */
KS_MUST_USE ksStatus ksiFreeDegenerateRows(const ksiStep *step, ksiSolver *solver, int island, ksiSearch *search);
void ksiTakeReportedPlaces(const ksiStep *step, int island, ksiPlaces *places);
bool ksiIslandHasFriction(const ksiStep *step, int island);

/* free.c: what of an island nothing determines, by its system or its pose; then of each joint, the wrenches that are free and the
 * rows whose multipliers are not unique. Of the rows that are inside their bounds. At the start of a step the result is all
 * zero. */
typedef struct ksiFreeResult {
    ksiIslandFree *island;
    ksiJointFree *joint; /* [joints] */
    ksiFreeWrenches *wrenches;
} ksiFreeResult;
KS_MUST_USE ksStatus ksiFindDeterminacy(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                                        const ksiFreeResult *out);
/* ... by the flags of the system's rows; NULL: all are unique */
KS_MUST_USE ksStatus ksiFindFreeDirections(const ksiStep *step, ksiSolver *solver, int island, const int *determinate,
                                           const ksiFreeResult *out);
/* ... by the pose, by whose rows all is then unique or not */
KS_MUST_USE ksStatus ksiFindPosedDirections(const ksiStep *step, ksiSolver *solver, int island,
                                            const ksiFreeResult *out);
unsigned ksiPosedRows(const ksiStep *step, const ksiPose *pose, int joint, int at); /* not unique: bits */
/* the rows that are inside are those of the pose */
bool ksiIsPosed(const ksiStep *step, const ksiPose *pose, int island, const ksiPlaces *places);
/* [stresses][rows of the system]: c^T lambda is the part of a self-stress in multipliers */
void ksiPosedCombinations(const ksiStep *step, const ksiSolver *solver, int island, double *combination);

/* converged.c: the engine's motion, and the step's equations again, with the right rows at bounds, if they have given way to
 * others: places tells where rows are in them */
void ksiEngineAcceleration(const ksiStep *step, int island, double *acceleration);
KS_MUST_USE ksStatus ksiRestoreSystem(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces **places);

/* relaxed_check.c: converged multipliers [rows], and their bars, against those of single joints by themselves; *differs where
 * one is farther off */
KS_MUST_USE ksStatus ksiCheckRelaxed(const ksiStep *step, const ksiSolver *solver, int island, const double *multiplier,
                                     const double *bar, bool *differs);

/* phases that need a solver; KS_ERROR_NO_MEMORY, all else is in the reasons of the island */
KS_MUST_USE ksStatus ksiFindActiveRows(const ksiStep *step, ksiSolver *solver, int island, ksiConverged *out);
KS_MUST_USE ksStatus ksiSolveConverged(const ksiStep *step, ksiSolver *solver, int island, ksiConverged *out,
                                       ksiFreeWrenches *wrenches);
void ksiCheckMomentum(const ksiStep *step, ksiSolver *solver, int island, ksiVerdicts *out); /* of its bodies */
void ksiCheckLooseBodies(const ksiStep *step, ksiSolver *solver, ksiVerdicts *out);          /* in no island */

/* pose.c: of an island; what is in ksiPose is of the last one that was asked for */
KS_MUST_USE ksStatus ksiFindPose(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                                 double *drift);
KS_MUST_USE ksStatus ksiSolvePose(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places);

/* drift.c: physical values of loops that have drifted. First what is to be known for converged values; then what is published.
 * */
KS_MUST_USE ksStatus ksiSolveDrifted(const ksiStep *step, ksiSolver *solver, int island, ksiPhysical *out);
KS_MUST_USE ksStatus ksiPublishDrifted(const ksiStep *step, ksiSolver *solver, int island, ksiPhysical *out,
                                       ksiFreeWrenches *wrenches);

/* physical.c */
KS_MUST_USE ksStatus ksiSolvePhysical(const ksiStep *step, ksiSolver *solver, int island, ksiPhysical *out,
                                      ksiFreeWrenches *wrenches);

#endif
