/* solver.h  Shared data of the phases that solve an island: one system, the nearest pose,
 * workspace. */
#ifndef KSI_INSPECTOR_SOLVER_H
#define KSI_INSPECTOR_SOLVER_H

#include "../mechanics/bounds/active_set.h"
#include "../mechanics/mechanics.h"
#include "physical/pose.h"
#include "step_view.h"

/* Largest number of rows of a redundant island: singular values of more rows would take seconds. */
enum { KSI_MOST_DENSE_ROWS = 400 };

/* The equations in the system of an island. */
typedef enum ksiSystemState {
    KSI_NOTHING,             /* no equations of the step */
    KSI_OTHER_EQUATIONS,     /* equations of the step, with other rows at bounds than in the
                                converged solution */
    KSI_QUERIED_EQUATIONS,   /* equations of the step, with the active set of a query:
                                ksiSolver::queried */
    KSI_CONVERGED_EQUATIONS, /* equations of the step, as in the converged solution */
} ksiSystemState;

/* Velocities that keep the rates of joints. */
typedef struct ksiKept {
    double *motion; /* [coordinates] the change of the bodies' own velocities, scaled by the roots
                       of the masses */
    int *work;
    size_t motionCapacity, workCapacity;
} ksiKept;

/* The workspace of the islands of a lane. */
typedef struct ksiSolver {
    ksSystem *system;           /* solves one island after the other */
    int island;                 /* the last island in it; -1: none of this step */
    ksiSystemState systemState; /* the equations of that island in it */
    ksiWarmStart **warm;        /* [warmCount] by island, or NULL; kept from step to step */
    size_t warmCount, warmCapacity;
    ksiJointLayout *layout; /* [joints] of the inspector */
    ksiPlaces *queried;     /* [joints] of the inspector: active set of a query's own search */
    ksStatus *refused;      /* [islands] of the inspector: why a query could not set up the
                               equations */
    ksiPose pose;
    ksiKept kept;
    double *scratch, *exact, *given, *combination;
    int *flag; /* [rows] */
    int *combinedRow;
    ksiBoundedRow *boundedRow;
    double *boundNoise; /* of these rows */
    size_t rowCapacity[5], givenCapacity, combinationCapacity, combinedRowCapacity;
} ksiSolver;

/* --- kept_rates.c --- */

/* Reserves memory for velocities that keep rates, in an island. */
KS_MUST_USE ksStatus ksiReserveKept(const ksiStep *step, ksiKept *kept, int island);

/* --- equations.c --- */

/* ksiReserveSolver reserves memory for the islands from `first` up to `end`, ksiReserveScratch for
 * the vectors of one island. */
KS_MUST_USE ksStatus ksiReserveSolver(const ksiStep *step, ksiSolver *solver, int first, int end);
KS_MUST_USE ksStatus ksiReserveScratch(const ksiStep *step, ksiSolver *solver, int island);

/* Clears a system for the bodies of an island and this number of rows, with the step's
 * tolerances. */
KS_MUST_USE ksStatus ksiBeginSystem(const ksiStep *step, const ksiIsland *island, int rows, ksSystem *system);

/* Fills the system with the step's equations of an island; the multipliers of rows at bounds are
 * known. */
KS_MUST_USE ksStatus ksiBuildSystem(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places);

/* Finds multipliers of least norm and accelerations, for other right-hand sides and forces. The
 * forces of rows at bounds act in addition. multiplier or acceleration NULL: not needed. */
KS_MUST_USE ksStatus ksiSolveWith(ksSystem *system, const double *beta, const double *force, double *multiplier,
                                  double *acceleration);

/* Vectors of a system. motion: by block, linear and angular in the world's axes. beta or force
 * NULL: 0 */
typedef struct ksiVectors {
    double *beta, *multiplier; /* [rows] */
    double *force, *motion;    /* [coordinates] */
} ksiVectors;

/* Finds the changes that beta and force alone cause in the multipliers (0 for rows at bounds) and
 * in the accelerations. multiplier or motion NULL: not needed. The system has the island's rows
 * with these places. Overwrites `force`, which a bounded island needs. */
KS_MUST_USE ksStatus ksiSolveAlone(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                                   const ksiVectors *v);

ksiSystemState ksiSystemStateOf(const ksiSolver *solver, int island);
/* Has the island more rows than options.islandRowBudget? If that is 0: more rows than the library's
 * own limit, with more joints than bodies? */
bool ksiExceedsBudget(const ksiStep *step, int rows, int joints, int bodies);
bool ksiIsOverBudget(const ksiStep *step, int island);

/* --- bounds.c: the active set --- */

/* Results of the search, and their memory. */
typedef struct ksiFoundSet {
    ksiPlaces *places;    /* [joints] */
    double *multiplier;   /* [rows] */
    double *acceleration; /* [coordinates] */
    double boundNoise;    /* largest effect of rounding on a friction bound of dWorldStep's first
                             stage */
} ksiFoundSet;

/* Finds the rows at bounds, starting from the report. The system then has the equations with these
 * rows at bounds, and `found` has the multipliers and accelerations. KS_ERROR_BOUND: the search
 * gave up; the places are the reported ones. */
KS_MUST_USE ksStatus ksiFindActiveSet(const ksiStep *step, ksiSolver *solver, int island, ksiFoundSet *found);

/* As ksiFindActiveSet, but the computed normal forces bound friction. The search takes
 * options.frictionRounds rounds, and starts from the reported normal forces. *open: as in
 * ksiFrictionSearch. Afterwards the system's state is KSI_NOTHING. */
KS_MUST_USE ksStatus ksiFindWithFriction(const ksiStep *step, ksiSolver *solver, int island, ksiFoundSet *found,
                                         double *open);

/* The split of forces between redundant contacts is not determined. A row is degenerate if it is at
 * a bound, takes part in such a split, and would not move without the bound. Such a row then counts
 * as inside, also in the system. isPosed: the pose tells which rows take part; KS_ERROR_UNAVAILABLE
 * if it cannot. */
KS_MUST_USE ksStatus ksiFreeDegenerateRows(const ksiStep *step, ksiSolver *solver, int island, bool isPosed,
                                           ksiFoundSet *found);

/* Verifies the places. For this it uses only multipliers, their accelerations, and the free
 * wrenches. free: [joints]. KS_ERROR_BOUND: the places are wrong. */
KS_MUST_USE ksStatus ksiVerifyActiveSet(const ksiStep *step, ksiSolver *solver, int island, const ksiJointFree *free,
                                        ksiFoundSet *found);

void ksiTakeReportedPlaces(const ksiStep *step, int island, ksiPlaces *places);
bool ksiIslandHasFriction(const ksiStep *step, int island);

/* --- undetermined.c: determinacy --- */

typedef struct ksiFreeResult {
    ksiIslandFree *island;
    ksiJointFree *joint; /* [joints] */
    ksiFreeWrenches *wrenches;
} ksiFreeResult;

/* Finds the self-stresses of an island over the rows inside their bounds, by its system or its
 * pose; and for each joint, the free wrenches and the rows without unique multipliers. The result
 * must be all zero at the first call in a step. */
KS_MUST_USE ksStatus ksiFindDeterminacy(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                                        const ksiFreeResult *out);

/* Finds the free wrenches and the rows without unique multipliers of each joint, by the system.
 * determinate: flags [rows] of the system; NULL: all rows are unique. */
KS_MUST_USE ksStatus ksiFindFreeDirections(const ksiStep *step, ksiSolver *solver, int island, const int *determinate,
                                           const ksiFreeResult *out);

/* Finds the free wrenches and the rows without unique multipliers of each joint, by the pose. */
KS_MUST_USE ksStatus ksiFindPosedDirections(const ksiStep *step, ksiSolver *solver, int island,
                                            const ksiFreeResult *out);

/* unique: flags [rows] of the rows of the system with unique multipliers; *rank: the rank of the
 * system. NULL: not needed. */
KS_MUST_USE ksStatus ksiFindUniqueRows(const ksiStep *step, const ksiSolver *solver, int island, int *unique,
                                       size_t *rank);

/* Rows of a joint without unique multipliers, by these flags of the rows of its system: bits. */
unsigned ksiUndeterminedRows(const ksiStep *step, int joint, const int *determinate);

/* Rows of a joint whose multipliers are not unique in the pose: bits. at: place of the joint in its
 * island. */
unsigned ksiPosedRows(const ksiStep *step, const ksiPose *pose, int joint, int at);

/* Counts the self-stresses of the system. If the joints have drifted, parts of self-stresses that
 * do not exceed the drift count as zero. */
KS_MUST_USE ksStatus ksiCountOwnStresses(const ksiStep *step, ksSystem *system, int island, int *count);

/* pose_stress.c: finds, in the pose, the self-stresses of the rows that are inside their bounds at
 * these places, and the rank of these rows. *isPosed false: there is no pose, or it lacks some of
 * the rows. */
KS_MUST_USE ksStatus ksiChoosePosed(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                                    size_t *rank, bool *isPosed);

/* pose_stress.c: the self-stresses, as multipliers of the rows of the pose, and the lengths of
 * these rows, [rows]. Both are valid in the solver until the next call. */
KS_MUST_USE ksStatus ksiPosedStresses(const ksiStep *step, ksiSolver *solver, int island, ksiStressList *out,
                                      const double **length);

/* --- converged.c --- */

/* [coordinates] (v* - v)/h */
void ksiEngineAcceleration(const ksiStep *step, int island, double *acceleration);

/* --- relaxed_check.c --- */

/* Compares converged multipliers [rows] with multipliers that are computed one by one for some
 * joints; isPosed: by the pose, after ksiPosedSolve. *differs: a difference exceeds its bar. */
KS_MUST_USE ksStatus ksiCheckRelaxed(const ksiStep *step, ksiSolver *solver, int island, bool isPosed,
                                     const double *multiplier, const double *bar, bool *differs);

/* --- pose.c, pose_solve.c, pose_stress.c: ksiPose has the last requested island --- */

/* KS_ERROR_UNAVAILABLE: the pose does not exist, or is not needed. */
KS_MUST_USE ksStatus ksiFindPose(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                                 double *drift);

/* Finds multipliers and bars in the present pose, in ksiPose::island, unless ksiPose::lacking says
 * why there are none. Changes the places of stops that do not hold. Without a pose it returns the
 * status of ksiFindPose. */
KS_MUST_USE ksStatus ksiSolvePosed(const ksiStep *step, ksiSolver *solver, int island, ksiPhysical *out);

/* The solution of the step's equations of an island by the pose's core: ksiCoreSolveStep. Vectors
 * are by rows of the system, or by blocks. Degenerate rows have the multiplier of their bound. */
typedef struct ksiPosedSolution {
    double *gauss, *paulus; /* multipliers that start from zero, and from the engine's */
    double *correction;     /* the solution for the residual of the engine's motion */
    double *acceleration;
} ksiPosedSolution;

/* residual: that the engine's motion and multipliers leave. withKnown: finds only `correction`,
 * over the rows at bounds as well. */
KS_MUST_USE ksStatus ksiPosedSolve(const ksiStep *step, ksiSolver *solver, int island, bool withKnown,
                                   const double *residual, const ksiPosedSolution *out);

/* Call this right after ksiPosedSolve. size2: squares of the change of each multiplier by an error
 * of the motion of size 1. Returns a bound of this error. */
double ksiPosedMissed(const ksiStep *step, ksiSolver *solver, int island, double *size2);

/* Call this after ksiPosedSolve: ksiCoreRelaxRow for row l of the joint at this place in the
 * island. */
double ksiPosedRelax(ksiSolver *solver, int at, int l, double *allowance);

/* By rows of the system. */
typedef struct ksiPosedGiven {
    double *gauss;  /* initially the solution of the equations, or any other multipliers */
    double *paulus; /* gauss, corrected by its residual */
    double *size2;  /* as in ksiPosedMissed */
} ksiPosedGiven;

/* Along the self-stresses, replaces the step's equations by the engine's part of the multipliers:
 * ksiCoreGive. The pose's self-stresses are those of the converged places. isFactored:
 * ksiPosedSolve has factored the equations. */
KS_MUST_USE ksStatus ksiPosedGive(const ksiStep *step, ksiSolver *solver, int island, bool isFactored,
                                  const ksiPosedGiven *given, double *missed);

/* Shares undetermined loads among elastic rows so that their energy is least, as ksiSystemShareOut
 * does, but by rows of the pose. Discards the self-stresses. */
KS_MUST_USE ksStatus ksiPosedShareOut(const ksiStep *step, ksiSolver *solver, int island, ksiElasticRow *elastic,
                                      double *multiplier);

/* A direction on a body of the island, about its mass centre. */
typedef struct ksiPosedProbe {
    int block;
    double direction[6];
} ksiPosedProbe;

/* Velocity at the first probe per unit impulse at the second, for a drifted loop in its nearest
 * pose. KS_ERROR_UNAVAILABLE: there is none. */
KS_MUST_USE ksStatus ksiPosedMobility(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                                      const ksiPosedProbe probe[2], double *mobility);

#endif
