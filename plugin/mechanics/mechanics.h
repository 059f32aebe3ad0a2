/* mechanics.h  What the inspector needs of a system beyond <kinetostat/system.h>. Knows nothing of ODE. */
#ifndef KSI_MECHANICS_H
#define KSI_MECHANICS_H

#include <kinetostat/system.h>

#include "../base/rigidroot.h"

/* ksSystemCreate with an allocator (NULL: the C library). */
KS_MUST_USE ksStatus ksiSystemCreate(const ksAllocator *allocator, ksSystem **system);

/* As ksSystem... of the same name, for who keeps the host's floating-point environment already (fpguard.h). */
KS_MUST_USE ksStatus ksiSystemSolveGauss(ksSystem *system, double *multiplier, double *acceleration);
KS_MUST_USE ksStatus ksiSystemSolvePaulus(ksSystem *system, double *multiplier, double *acceleration);
KS_MUST_USE ksStatus ksiSystemSolveLeastNorm(ksSystem *system, double *multiplier, double *acceleration);
KS_MUST_USE ksStatus ksiSystemGetDeterminacy(ksSystem *system, int *determinate, size_t *rank);
KS_MUST_USE ksStatus ksiSystemRelaxRow(ksSystem *system, int row, const double *direction, const double *acceleration,
                                       ksRelaxation *out);
KS_MUST_USE ksStatus ksiSystemGetMobility(ksSystem *system, const ksProbe *at, const ksProbe *from, double *mobility);
/* ... with another number of solutions allowed */
KS_MUST_USE ksStatus ksiSystemSolveBounded(ksSystem *system, double allowed, ksBoundedSolution *solution);

/* Another way to fill a system, for rigid bodies whose rows are scaled already: clears it and makes room; then bodies
 * and rows are added, which cannot fail and checks nothing. All numbers have to be finite. */
KS_MUST_USE ksStatus ksiSystemBeginRigid(ksSystem *system, int bodies, int rows);

/* force f, velocity v; returns the block. */
int ksiSystemAddBody(ksSystem *system, const ksiRigidRoot *root, const double force[6], const double velocity[6]);

enum { KSI_JOINT_ROWS = 6 };

/* Rows between the same bodies. */
typedef struct ksiJointTerms {
    int count, knownCount;
    const double *scaled[KSI_JOINT_ROWS]; /* [12] L^-1 J^T of both bodies, zero where there is none */
    double beta[KSI_JOINT_ROWS], compliance[KSI_JOINT_ROWS];
    int isKnown[KSI_JOINT_ROWS]; /* lambda is `known`: a row at a bound */
    double known[KSI_JOINT_ROWS];
} ksiJointTerms;

/* body[i] < 0: there is none; one there is. Returns the first row, the others follow; length[i]: |scaled[i]|. */
int ksiSystemAddJoint(ksSystem *system, const int body[2], const ksiJointTerms *terms, double length[KSI_JOINT_ROWS]);

/* Replaces the applied force [coordinates] or the right-hand sides beta [rows]; factorisations stay. Numbers that are
 * not finite come back as KS_ERROR_NOT_FINITE of the solves. */
void ksiSystemSetForce(ksSystem *system, const double *force);
void ksiSystemSetBeta(ksSystem *system, const double *beta);

/* Basis of the self-stresses J^T n = 0 of the rigid system (rows of bounds known, compliance as in
 * ksSystemSolveLeastNorm): basis[k * rows + l], orthonormal when n_l is scaled by ksiSystemKinematicSize; a row without
 * entries has a vector of its own. Valid until the system changes. count 0: all is determinate. */
KS_MUST_USE ksStatus ksiSystemGetSelfStress(ksSystem *system, const double **basis, int *count);

/* How many they are, without the basis, which takes as many numbers as rows for each. */
KS_MUST_USE ksStatus ksiSystemCountSelfStresses(ksSystem *system, int *count);

/* After either: d_l n_l of `count` self-stresses at one row, d_l = ksiSystemKinematicSize. Of an orthonormal basis, which is
 * another one for other blocks, they are all that have a part in rows over the blocks of this one. */
const double *ksiSystemStressShares(const ksSystem *system, int row, int *count);

/* d_l = (J_l M'^-1 J_l^T)^1/2 with M' the mass matrix where every block is over its own first mass: a rigid body counts
 * as mass 1 with its radii of gyration. The kinematic metric, in which rank and self-stresses do not depend on masses;
 * 1 for a row without entries. */
double ksiSystemKinematicSize(ksSystem *system, int row);

/* Parts of a unit self-stress below this are rounding or drift. After ksiSystemGetSelfStress. */
double ksiSystemStressNoise(const ksSystem *system);

/* Combinations C lambda, and self-stresses n, which leave them undetermined by C n. */
enum { KSI_MOST_COMBINATIONS = 6 };
typedef struct ksiCombinations {
    int width, rows;
    const double *coefficient; /* [width][rows] C */
    int stressCount;
    const double *stress; /* [stressCount][rows] */
    const double *unit;   /* [rows] size of a unit of each multiplier; NULL: 1 */
    double noise;         /* of a unit self-stress */
} ksiCombinations;

/* What is free of them: an orthonormal basis [count][width], the largest first; returns how many. */
int ksiFindFreeCombinations(const ksiCombinations *combinations, double *basis);

/* ... with the self-stresses of the system */
KS_MUST_USE ksStatus ksiSystemFindFreeCombinations(ksSystem *system, int width, const double *coefficient,
                                                   double *basis, int *count);

/* What a mechanism whose system is refilled step after step, with rows that turn by little, leaves for the next step, so that a
 * decision may begin where the last one ended. It belongs to one system, stays with the caller and outlives ksSystemClear; by
 * itself, for many mechanisms may be solved in one system, one after the other. Its blocks and rows may become others. It is set
 * before the system is filled; NULL: the system's own. allocator: that of the system. */
typedef struct ksiWarmStart ksiWarmStart;
KS_MUST_USE ksStatus ksiWarmStartCreate(const ksAllocator *allocator, ksiWarmStart **warm);
void ksiWarmStartDestroy(ksiWarmStart *warm); /* before the system; NULL is fine */
void ksiSystemSetWarmStart(ksSystem *system, ksiWarmStart *warm);

/* Ratio of the weights of two blocks, roots of their masses, beyond which it matters where a tree is rooted. That belongs to a
 * pattern: of mechanisms with other heavy bodies the patterns differ. */
#define KSI_MUCH_HEAVIER 10.0

/* How often a symbolic factorisation was laid out, for other rows than any that was kept. */
unsigned ksiSystemLayouts(const ksSystem *system);

/* Rows that a dense factorisation may have, which takes rows^3 operations; 0, the default: any number. Beyond them
 * every call that needs one returns KS_ERROR_UNAVAILABLE, and its outputs are unchanged. */
void ksiSystemSetDenseBudget(ksSystem *system, int rows);

/* rows^3 of all dense factorisations so far */
double ksiSystemDenseWork(const ksSystem *system);

/* Projects onto the null space of J^T, the self-stresses N: the part of `multiplier` there becomes that of `reference`,
 * multiplier += N N^T D^2 (reference - multiplier). Both [rows]; where a row takes part in a
 * self-stress they have to be finite, or KS_ERROR_NOT_FINITE. */
KS_MUST_USE ksStatus ksiSystemProjectSelfStress(ksSystem *system, const double *reference, double *multiplier);

/* `multiplier`, a solution by either route, with the values of `count` combinations c_k^T lambda given in place of what the
 * rows' combinations sum c_kl J_l ask for; combination: [count][rows], zero for known rows. KS_ERROR_SINGULAR: they do not
 * determine how. On error nothing is changed. */
KS_MUST_USE ksStatus ksiSystemGive(ksSystem *system, int byMotion, int count, const double *combination,
                                   const double *value, double *multiplier);

/* ksiSystemErrorBars of such multipliers, after the second of both routes. */
KS_MUST_USE ksStatus ksiSystemGivenErrorBars(ksSystem *system, const double *gauss, const double *paulus, double *bar);

/* Error bars of multipliers found by both routes: |gauss - paulus| plus a rounding bound of the null-space route from
 * its own factorisation, see errorbar.c. All [rows]. */
KS_MUST_USE ksStatus ksiSystemErrorBars(ksSystem *system, const double *gauss, const double *paulus, double *bar);

/* The same of multipliers with a projected self-stress: its own error is not counted, what it may have left of theirs is. */
KS_MUST_USE ksStatus ksiSystemProjectedErrorBars(ksSystem *system, const double *gauss, const double *paulus,
                                                 double *bar);

/* After either: what an error of the applied force, of that size in the metric M^-1, may add to the bars:
 * |lambda_l| <= [(A + S)^-1]_ll^1/2 |force|. */
KS_MUST_USE ksStatus ksiSystemAddForceError(ksSystem *system, int projected, double force, double *bar);

/* One multiplier by itself, literally: from its relaxed coordinate w and an admissible motion t as large,
 *
 *     lambda_l = (w + t)^T (M a - f) / (J_l (w + t)),      J_r w = 0 for every other row r,      J t = 0
 *
 * with the slacks of compliant rows. ksiSystemSolvePaulus has all multipliers at once, and cannot see what of an acceleration
 * lies along t. */
typedef struct ksiRelaxed {
    double multiplier; /* NaN: not asked, or there is no w */
    double allowance;  /* what roundings of a, w and t may make of it: see relax.c */
} ksiRelaxed;

/* Of `count` rows over the same blocks, which are not known; after error bars were found. In trees what hangs on the joint moves,
 * for all of these rows at once; elsewhere all bodies do for each, and only row[turn % count] is done. acceleration [coordinates]: the
 * motion that is tested, with the slacks of the true one; NULL: the true motion. */
KS_MUST_USE ksStatus ksiSystemRelaxRows(ksSystem *system, int count, const int *row, unsigned long turn,
                                        const double *acceleration, ksiRelaxed *found);

/* Distance of M a - f from what any multipliers of any rows can do, in the metric M^-1: 0 for a motion that some
 * reactions explain. acceleration [coordinates]. KS_OK, KS_ERROR_NOT_FINITE, KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiSystemExplain(ksSystem *system, const double *acceleration, double *unexplained);

/* What ksiSystemMeasure will be asked, of a system that was filled and not yet solved: costs less then. Both stay where and
 * as they are until it is. */
void ksiSystemObserve(ksSystem *system, const double *acceleration, const double *multiplier);

/* ksSystemMeasure with the multipliers that were reported for the motion: the slack coordinates are theirs. */
KS_MUST_USE ksStatus ksiSystemMeasure(ksSystem *system, const double *acceleration, const double *multiplier,
                                      ksGaussMeasure *out);

/* ksSystemSolveGauss without steps of refinement, which take out what rounding A = J M^-1 J^T leaves: for who compares them
 * with those of the other route. ksiSystemRefine does them where they were left out, and has them done from then on while
 * the pattern stays. */
KS_MUST_USE ksStatus ksiSystemSolveRoughly(ksSystem *system, double *multiplier);
KS_MUST_USE ksStatus ksiSystemRefine(ksSystem *system, double *multiplier);
int ksiSystemIsRefined(const ksSystem *system);

/* Which ways a solution took: through a tree that fits; through an orthogonal factorisation, which the range-space route has no
 * need of. Of the system as it was solved last. */
int ksiSystemIsTree(const ksSystem *system);
int ksiSystemIsOrthogonalised(const ksSystem *system);

/* Entries of the range-space route's factor L below its diagonal; 0 before it has one. */
size_t ksiSystemFactorEntries(const ksSystem *system);
size_t ksiWarmStartFactorEntries(const ksiWarmStart *warm); /* ... of the mechanism's last step */

#endif
