/* mechanics.h  The inspector's interface to systems, beyond <kinetostat/system.h>. It does not
 * depend on ODE. */
#ifndef KSI_MECHANICS_MECHANICS_H
#define KSI_MECHANICS_MECHANICS_H

#include <kinetostat/system.h>

#include "../base/rigidroot.h"

/* ksSystemCreate with an allocator (NULL: the C library). */
KS_MUST_USE ksStatus ksiSystemCreate(const ksAllocator *allocator, ksSystem **system);

/* The ksSystem... functions of the same names, for callers that already guard the floating-point
 * environment (fpguard.h). */
KS_MUST_USE ksStatus ksiSystemSolveGauss(ksSystem *system, double *multiplier, double *acceleration);
KS_MUST_USE ksStatus ksiSystemSolvePaulus(ksSystem *system, double *multiplier, double *acceleration);
/* The null-space route for trees whose joints have independent rows; else KS_ERROR_UNAVAILABLE. */
KS_MUST_USE ksStatus ksiSystemSolveTree(ksSystem *system, double *multiplier, double *acceleration);
KS_MUST_USE ksStatus ksiSystemSolveLeastNorm(ksSystem *system, double *multiplier, double *acceleration);
/* The accelerations of ksiSystemSolveLeastNorm alone. */
KS_MUST_USE ksStatus ksiSystemSolveLeastNormMotion(ksSystem *system, double *acceleration);
KS_MUST_USE ksStatus ksiSystemGetDeterminacy(ksSystem *system, int *determinate, size_t *rank);
KS_MUST_USE ksStatus ksiSystemRelaxRow(ksSystem *system, int row, const double *direction, const double *acceleration,
                                       ksRelaxation *out);
/* ksSystemGetMobility, with compliance that counts as rigid set to zero. */
KS_MUST_USE ksStatus ksiSystemGetRigidMobility(ksSystem *system, const ksProbe *at, const ksProbe *from,
                                               double *mobility);
/* ksSystemSolveBounded with another limit on the number of solutions. */
KS_MUST_USE ksStatus ksiSystemSolveBounded(ksSystem *system, double allowed, ksBoundedSolution *solution);

/* Another way to fill a system: with rigid bodies whose rows are already scaled. Clears the system
 * and reserves memory; adding bodies and rows then cannot fail and checks nothing. All numbers have
 * to be finite. */
KS_MUST_USE ksStatus ksiSystemBeginRigid(ksSystem *system, int bodies, int rows);

/* force f, velocity v; returns the block. */
int ksiSystemAddBody(ksSystem *system, const ksiRigidRoot *root, const double force[6], const double velocity[6]);

enum { KSI_JOINT_ROWS = 6 };

/* Rows between the same bodies. */
typedef struct ksiJointTerms {
    int count, knownCount;
    const double *scaled[KSI_JOINT_ROWS]; /* [12] L^-1 J^T of both bodies, zero without a body */
    double beta[KSI_JOINT_ROWS], compliance[KSI_JOINT_ROWS];
    int isKnown[KSI_JOINT_ROWS]; /* lambda is `known`: a row at a bound */
    double known[KSI_JOINT_ROWS];
} ksiJointTerms;

/* body[i] < 0: no body; at least one exists. Returns the first row, the others follow;
 * length[i] = |scaled[i]|. */
int ksiSystemAddJoint(ksSystem *system, const int body[2], const ksiJointTerms *terms, double length[KSI_JOINT_ROWS]);

/* Replaces the applied force [coordinates] or the right-hand sides beta [rows], NULL: 0;
 * factorisations stay valid. Numbers that are not finite make the solves return
 * KS_ERROR_NOT_FINITE. */
void ksiSystemSetForce(ksSystem *system, const double *force);
void ksiSystemSetBeta(ksSystem *system, const double *beta);

/* Adds to the compliance of its rows [rows], until the system is filled anew. */
void ksiSystemSoften(ksSystem *system, const double *compliance);

/* Basis of the self-stresses J^T n = 0 of the rigid system (without known rows, compliance as in
 * ksSystemSolveLeastNorm): basis[k * rows + l], orthonormal when n_l is scaled by
 * ksiSystemKinematicSize; a row without entries has a vector of its own. Valid until the system
 * changes. count 0: all multipliers are determinate. */
KS_MUST_USE ksStatus ksiSystemGetSelfStress(ksSystem *system, const double **basis, int *count);

/* The number of self-stresses, without the basis of count * rows numbers. */
KS_MUST_USE ksStatus ksiSystemCountSelfStresses(ksSystem *system, int *count);

/* After either call: d_l n_l at one row, d_l = ksiSystemKinematicSize, for the `count`
 * self-stresses that load rows over the same blocks. They belong to an orthonormal basis, which may
 * differ for rows over other blocks. */
const double *ksiSystemStressShares(const ksSystem *system, int row, int *count);

/* d_l = (J_l M'^-1 J_l^T)^1/2 with M' the mass matrix, each block divided by its own first mass: a
 * rigid body has mass 1 and its radii of gyration. In this kinematic metric, rank and self-stresses
 * do not depend on masses. A row without entries has d_l = 1. */
double ksiSystemKinematicSize(ksSystem *system, int row);

/* Parts of a unit self-stress below this are rounding or drift. After ksiSystemGetSelfStress. */
double ksiSystemStressNoise(const ksSystem *system);

/* Rows are wrong by `misfit` of their lengths: parts of self-stresses up to this size count as
 * zero. */
void ksiSystemAdmitMisfit(ksSystem *system, double misfit);

/* Self-stresses by their parts in rows: self-stress k has start[k] .. start[k + 1]. */
typedef struct ksiStressList {
    int count;
    const int *start, *row; /* [count + 1], [start[count]] */
    const double *part;     /* [start[count]] */
} ksiStressList;

/* Combinations C lambda of multipliers. The self-stresses n leave C lambda undetermined along
 * C n. */
enum { KSI_MOST_COMBINATIONS = 6 };
typedef struct ksiCombinations {
    int width, rows;
    const double *coefficient; /* [width][rows] C */
    int stressCount;
    const double *stress; /* [stressCount][rows], unless `sparse` is set */
    const ksiStressList *sparse;
    const double *unit; /* [rows] unit of each multiplier */
    double noise;       /* of a unit self-stress */
} ksiCombinations;

/* Orthonormal basis [count][width] of the undetermined combinations, the largest first; returns
 * their number. */
int ksiFindFreeCombinations(const ksiCombinations *combinations, double *basis);

/* ksiFindFreeCombinations with the self-stresses of the system. */
KS_MUST_USE ksStatus ksiSystemFindFreeCombinations(ksSystem *system, int width, const double *coefficient,
                                                   double *basis, int *count);

/* Warm start of a mechanism whose system is refilled in each step with slightly changed rows: each
 * decision begins at the end of the previous one. One system may solve many mechanisms in turn,
 * each with its own warm start. A warm start belongs to one system, which frees it; blocks and rows
 * may change. Set it before the system is filled; NULL: the warm start of the system. */
typedef struct ksiWarmStart ksiWarmStart;
KS_MUST_USE ksStatus ksiSystemCreateWarmStart(ksSystem *system, ksiWarmStart **warm);
void ksiSystemSetWarmStart(ksSystem *system, ksiWarmStart *warm);

/* Ratio of two blocks' weights (roots of their masses) beyond which a tree is rooted in the heavier
 * block. The root belongs to the pattern: mechanisms with different heavy bodies have different
 * patterns. A root that is lighter costs as many digits as the ratio has. */
#define KSI_MUCH_HEAVIER 10.0

/* Relative rounding of the input, rows and motions, for error bars; DBL_EPSILON by default. */
void ksiSystemSetRounding(ksSystem *system, double epsilon);

/* Largest number of rows of a dense factorisation, which takes rows^3 operations; 0, the default:
 * any number. With more rows, a call that needs a dense factorisation returns KS_ERROR_UNAVAILABLE
 * and leaves its outputs unchanged. */
void ksiSystemSetDenseBudget(ksSystem *system, int rows);

/* KS_ERROR_UNAVAILABLE: the rank of these rows recently exceeded that budget, and is not yet tried
 * again. */
KS_MUST_USE ksStatus ksiSystemCheckRefused(ksSystem *system);

/* Replaces the self-stress in `multiplier` by the self-stress in `reference`, with N the
 * self-stresses: multiplier += N N^T D^2 (reference - multiplier). Both [rows], finite in rows that
 * take part in a self-stress, else KS_ERROR_NOT_FINITE. */
KS_MUST_USE ksStatus ksiSystemProjectSelfStress(ksSystem *system, const double *reference, double *multiplier);

/* Displacement of an elastic row: root (lambda + sum of times lambda_with). `with` are other rows
 * over the same blocks, without displacements of their own. root > 0 is the root of its
 * compliance. */
enum { KSI_ELASTIC_OTHERS = 3 };
typedef struct ksiElasticRow {
    double root, times[KSI_ELASTIC_OTHERS];
    int count, with[KSI_ELASTIC_OTHERS];
} ksiElasticRow;

/* The displacement of one row under the multipliers [rows] of all rows. */
static inline double ksiElasticPart(const ksiElasticRow *row, int l, const double *multiplier)
{
    double sum = multiplier[l];
    for (int k = 0; k < row[l].count; k++)
        sum += row[l].times[k] * multiplier[row[l].with[k]];
    return row[l].root * sum;
}

/* The inverse of ksiElasticPart: multipliers [rows] from the displacements `part` [rows]. */
void ksiElasticMultipliers(int rows, const ksiElasticRow *row, const double *part, double *multiplier);

/* multiplier += N z, with N the self-stresses. z minimises the elastic energy, half the sum of
 * squared displacements. Both [rows]. */
KS_MUST_USE ksStatus ksiSystemShareOut(ksSystem *system, const ksiElasticRow *elastic, double *multiplier);

/* The self-stresses in multipliers: none; or projected, by ksiSystemProjectSelfStress. */
typedef enum ksiStressWay { KSI_STRESS_NONE, KSI_STRESS_PROJECTED } ksiStressWay;

/* Error bars of multipliers that both routes found. A bar is |gauss - paulus| plus a rounding bound
 * of the null-space route, which comes from the route's own factorisation, see errorbar.c. `way`
 * says which self-stresses the multipliers contain. For projected multipliers, the bar includes the
 * error of the projection, but not the error of the adopted self-stress. All [rows]. */
KS_MUST_USE ksStatus ksiSystemErrorBars(ksSystem *system, ksiStressWay way, const double *gauss, const double *paulus,
                                        double *bar);

/* Adds the effect on the multipliers of ksiSystemSolveLeastNorm of an error of the applied force,
 * whose size in the metric M^-1 is `force`: |lambda_l| <= [(A + S)^-1]_ll^1/2 |force|. */
KS_MUST_USE ksStatus ksiSystemAddForceError(ksSystem *system, double force, double *bar);

/* [rows] (A + S)^-1_ll ^1/2 of the last solution. */
KS_MUST_USE ksStatus ksiSystemExactSizes(ksSystem *system, double *size);

/* After the error bars of the same `way`: [rows] |w_l| = [A^-1]_ll^1/2 or an upper bound. It is the
 * change of a multiplier by an error of M a - f of size 1 in the metric M^-1. Compliance does not
 * contribute, see errorbar.c. NaN for known rows. size2 [rows]: [(A + S)^-1]_ll from the core,
 * instead of the system's own; or NULL. */
KS_MUST_USE ksStatus ksiSystemRelaxedSizes(ksSystem *system, ksiStressWay way, const double *size2, double *size);

/* One multiplier alone, from its relaxed coordinate w and an admissible motion t of the same
 * length,
 *
 *     lambda_l = (w + t)^T (M a - f) / (J_l (w + t)),   J_r w = 0 for every other row r,    J t = 0
 *
 * with the slacks of compliant rows. ksiSystemSolvePaulus has all multipliers at once, but shows
 * errors of the acceleration along t on trees only: see ksiSystemIsWalked. */
typedef struct ksiRelaxed {
    double multiplier; /* NaN: there is no w */
    double allowance;  /* error bound from rounding of a, w and t: see relax.c */
} ksiRelaxed;

/* Relaxes a row without a known load, after the error bars. acceleration [coordinates]: the motion
 * under test, with the slacks of the true motion; NULL: the true motion. */
KS_MUST_USE ksStatus ksiSystemRelaxLiterally(ksSystem *system, int row, const double *acceleration, ksiRelaxed *found);

/* Has ksiSystemSolvePaulus found the multipliers from the motion alone, joint by joint? It does so
 * on trees that have not lost digits. Then the error bars contain all errors of this motion. */
int ksiSystemIsWalked(const ksSystem *system);

/* Distance of M a - f from the range of J^T over all rows, in the metric M^-1: 0 if reactions
 * explain the motion. acceleration [coordinates]. KS_OK, KS_ERROR_NOT_FINITE,
 * KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiSystemExplain(ksSystem *system, const double *acceleration, double *unexplained);

/* Announces the arguments of ksiSystemMeasure after the system is filled and before it is solved,
 * which makes the measure cheaper. Both arrays have to stay in place and unchanged until then. */
void ksiSystemObserve(ksSystem *system, const double *acceleration, const double *multiplier);

/* ksSystemMeasure with the reported multipliers of the motion, which determine the slack
 * coordinates. */
KS_MUST_USE ksStatus ksiSystemMeasure(ksSystem *system, const double *acceleration, const double *multiplier,
                                      ksGaussMeasure *out);

/* ksSystemSolveGauss without refinement, which would remove the rounding of A = J M^-1 J^T: for
 * callers that compare the result with the other route. ksiSystemRefine adds the refinement, and
 * makes later calls refine while the pattern stays. */
KS_MUST_USE ksStatus ksiSystemSolveRoughly(ksSystem *system, double *multiplier);
KS_MUST_USE ksStatus ksiSystemRefine(ksSystem *system, double *multiplier);
int ksiSystemIsRefined(const ksSystem *system);

#endif
