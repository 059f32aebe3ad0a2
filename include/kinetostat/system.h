/** @file system.h  Constrained mechanical systems without an engine.
 *
 *  A system has coordinates in *blocks* (6 for a rigid body, 3 for a particle, 1 for a scalar
 *  coordinate, any other size for dependent coordinates), each with a mass matrix M, an applied
 *  force f and a velocity v, and *rows*
 *
 *      J_l a + s_l lambda_l = beta_l,      s_l >= 0,
 *
 *  whose multipliers act on the system as J^T lambda:   M a = f + J^T lambda.
 *
 *  Two routes without a common factorisation give the same multipliers:
 *    Gauss  (range space)  (A + S) lambda = beta - J M^-1 f,  A = J M^-1 J^T       Gugino 1930 (5)
 *    Paulus (null space)   the true motion by Lagrange II, then each multiplier from its own
 *                          relaxed coordinate w_l:
 *                          lambda_l = w_l^T (M a - f) / (J_l w_l)               Paulus 1910 (17), (18)
 *
 *  In the null-space route each compliant row (s_l > 0) gets a slack coordinate u = sqrt(s_l)
 *  lambda_l, which has unit mass and the coefficient sqrt(s_l) in this row.
 *
 *  Sources: F. Paulus, Sitz. Kais. Akad. Wiss. Wien 119 IIa (1910) 1669-1718; E. Gugino (1930), who
 *  uses Lagrange I; his system (5) is printed with the number (4); S. Banach, Mechanics, chapter X;
 *  M. Radakovic, Monatsh. Math. Phys. 7 (1896) 27-33; H. Lamb, "Dynamics, Analytical" (1911).
 *
 *  Bounds lo < hi of rows are
 *    enforced            by ksSystemSolveBounded, ksSystemSolveMotion, ksSystemMeasure,
 *                        ksSystemSolveImpulse
 *    checked             by ksSystemSolveGauss, ksSystemSolvePaulus, ksSystemGetErrorBars, and by
 *                        ksSystemRelaxRow for the row itself: KS_ERROR_BOUND if the bilateral
 *                        solution violates them
 *    ignored             by ksSystemSolveLeastNorm, ksSystemGetDeterminacy, ksSystemGetCombination,
 *                        ksSystemGetSelfStresses, ksSystemGetMobility: leave out rows that open
 *
 *  Calls preserve the caller's floating-point flags and traps.
 *  Use a system from one thread at a time. Memory grows to a high-water mark; ksSystemClear keeps
 *  it. Units are those of the caller; the documentation uses kg, m, s. */
#ifndef KINETOSTAT_SYSTEM_H
#define KINETOSTAT_SYSTEM_H

#include <kinetostat/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ksSystem ksSystem;

/** An empty system. @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY. The caller destroys
 *  it. */
KS_API KS_MUST_USE ksStatus ksSystemCreate(ksSystem **system);

/** Frees the system. NULL is allowed. */
KS_API void ksSystemDestroy(ksSystem *system);

/** Removes all blocks and rows and keeps the memory, the tolerances, and the symbolic factorisation
 *  for a system of the same pattern. NULL is allowed. */
KS_API void ksSystemClear(ksSystem *system);

/** Sets the largest compliance at which a row counts as rigid for rank and determinacy. A row above
 *  it is a real spring, which keeps its slack coordinate. Unit of s (1/kg for a linear row).
 *  Default 0. It changes no multiplier of ksSystemSolveGauss and ksSystemSolvePaulus.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (negative, NaN) */
KS_API KS_MUST_USE ksStatus ksSystemSetRigidCompliance(ksSystem *system, double compliance);

/** Sets the rank tolerance. Singular values of the row-equilibrated J below tolerance * (the
 *  largest) count as zero if a gap of a factor of 10 separates them from the other singular values;
 *  values at rounding always count as zero. The metric has no masses: a rigid body has mass 1 and
 *  its radii of gyration (a block is divided by its first mass).
 *  Default 1e-10. Drifted constraints need more: the inspector uses 1e-4.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (outside (0, 1)) */
KS_API KS_MUST_USE ksStatus ksSystemSetRankTolerance(ksSystem *system, double tolerance);

/** Adds `size` coordinates with one mass block.
 *  @param[in]  mass      [size x size], symmetric positive definite (the lower triangle is read,
 *                        row-major)
 *  @param[in]  force     [size] applied force f, for a rigid body including -w x I w; NULL: zero
 *  @param[in]  velocity  [size] v; NULL: zero. Only energy and impulses use it
 *  @param[out] block     its index, counted from 0
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_NOT_FINITE,
 *          KS_ERROR_NOT_POSITIVE_DEFINITE; on error the system is as before. */
KS_API KS_MUST_USE ksStatus ksSystemAddBlock(ksSystem *system, int size, const double *mass, const double *force,
                                             const double *velocity, int *block);

/** One row J_l a + s_l lambda_l = beta_l over any number of blocks. */
typedef struct ksRowSpec {
    int blockCount;
    const int *block;              /**< [blockCount] indices, each at most once */
    const double *const *jacobian; /**< [blockCount] pieces; piece k has the size of block k */
    double beta;                   /**< right-hand side: m/s^2 or rad/s^2. For a constraint phi(q,
                                        t) = 0 with J = phi_q: -(v^T phi_qq v + 2 phi_qt v +
                                        phi_tt); for a row of velocities J v = c(t): c' - J' v. It
                                        is not zero for rows whose direction changes */
    double compliance;             /**< s >= 0 */
    double lo, hi;                 /**< bounds of the multiplier; lo == hi: a known row, which acts
                                        as an applied force J_l^T lo */
    double reserved[4];
} ksRowSpec;

/** Empties a spec: no blocks, beta = s = 0, unbounded. */
KS_API void ksRowSpecInit(ksRowSpec *spec);

/** Adds a row; copies everything.
 *  @param[out] row  its index, counted from 0
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also lo > hi, s < 0, a block named twice),
 *          KS_ERROR_NO_MEMORY, KS_ERROR_NOT_FINITE; on error the system is as before. */
KS_API KS_MUST_USE ksStatus ksSystemAddRow(ksSystem *system, const ksRowSpec *spec, int *row);

/** Numbers of coordinates and of rows. NULL system: 0. */
KS_API int ksSystemCoordinateCount(const ksSystem *system);
KS_API int ksSystemRowCount(const ksSystem *system);

/** The row or block at fault in the last failed call, or -1. After ksSystemAddRow and
 *  ksSystemAddBlock: the index of the rejected row or block. */
KS_API int ksSystemCulprit(const ksSystem *system);

/** Multipliers of all rows by the range-space route, (A + S) lambda = beta - J M^-1 f.   Source:
 *  Gugino 1930 (5). Sparse LDL^T with a fill-reducing order; the symbolic phase is reused while the
 *  pattern of rows stays. Rows that depend on other rows, to 1e-12, show as missing pivots and are
 *  omitted. The multipliers are then free of self-stress, as in ksSystemSolvePaulus, but without
 *  its factorisation. A row without entries (J = 0, s = 0) gets 0.
 *  @param[out] multiplier    [rows], caller-owned; N for a linear row, N.m for an angular row; a
 *                            known row (lo == hi) gets its known value. NULL only without rows
 *  @param[out] acceleration  [coordinates] or NULL: a = M^-1 (f + J^T lambda)
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_NOT_FINITE (the numbers
 *          overflow), KS_ERROR_INCONSISTENT (|beta - J a - s lambda| of a dependent row above 1e-9
 *          (|beta| + d (|a| + |M^-1 f|)), d = (A_ll + s)^1/2, sizes in the mass metric:
 *          ksSystemCulprit names the worst), KS_ERROR_BOUND (the bilateral solution leaves a row's
 *          bounds by more than 1e-9 of the largest load: ksSystemCulprit), KS_ERROR_SINGULAR (here:
 *          pivots do not find the dependent rows, or refinement does not converge; in the
 *          null-space route: the singular values of dependent rows did not converge). Outputs
 *          unchanged on error. Allocates only when the system has grown. */
KS_API KS_MUST_USE ksStatus ksSystemSolveGauss(ksSystem *system, double *multiplier, double *acceleration);

/** Multipliers of all rows, each by its own relaxed coordinate, along the true motion.  Source:
 *  Paulus 1910 (17), (18). Orthogonal factorisation of M^-1/2 J^T, slacks included: body by body on
 *  trees, sparse on other systems of full rank, else dense with singular values; A is not formed.
 *  Rank is decided at the level of rounding, 1e-13. Rank-deficient rigid rows: the multipliers
 *  without self-stress (orthogonal to it in the metric diag(A)). Arguments and statuses as
 *  ksSystemSolveGauss. */
KS_API KS_MUST_USE ksStatus ksSystemSolvePaulus(ksSystem *system, double *multiplier, double *acceleration);

/** The multipliers without self-stress, also if rows depend on each other only to a tolerance. A
 *  determinate multiplier (ksSystemGetDeterminacy) is the solution; the other multipliers are *one
 *  choice* of many. The part in every self-stress is zero in the metric diag(A), A = J M^-1 J^T.
 *  Rows with s up to the rigid compliance count as rigid; the other rows keep their slack. The
 *  number of singular values that are kept is the rank of ksSystemGetDeterminacy. If right-hand
 *  sides of dependent rows contradict each other, for instance in drifted constraints, they are
 *  satisfied in the least-squares sense, with each row scaled to unit size. Bounds are ignored,
 *  except the bounds of known rows.
 *  @param[out] multiplier    [rows], caller-owned; units as in ksSystemSolveGauss. NULL only
 *                            without rows
 *  @param[out] acceleration  [coordinates] or NULL: the motion of this rigid system
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_NOT_FINITE, KS_ERROR_SINGULAR
 *          (the singular values did not converge). Outputs unchanged on error. Allocates only when
 *          the system has grown. */
KS_API KS_MUST_USE ksStatus ksSystemSolveLeastNorm(ksSystem *system, double *multiplier, double *acceleration);

/** Computes error bars of the multipliers, by either route, for the given rows: the difference of
 *  the two routes plus a bound on the rounding of the null-space route. If masses are very unequal,
 *  or rows nearly dependent, the range-space route loses digits first, also in its accelerations
 *  (ksSystemSolveMotion does not); the bar contains this loss. It does not contain errors of M, J,
 *  beta or f.
 *  @param[out] bar  [rows] in the units of the multipliers; 0 for a known row; infinite where it
 *                   overflows
 *  @return as ksSystemSolveGauss. Solves by both routes */
KS_API KS_MUST_USE ksStatus ksSystemGetErrorBars(ksSystem *system, double *bar);

/** The true motion by Lagrange II in independent coordinates, without multipliers:
 *  J T = 0, a = a0 + T q'', (T^T M T) q'' = T^T (f - M a0).
 *  Known rows (lo == hi) act as forces. With other bounds this is the motion of the bounded
 *  problem: if bilateral multipliers leave their bounds, ksSystemSolveBounded finds the rows at
 *  bounds, which then also act as forces.
 *  @param[out] acceleration  [coordinates], caller-owned; m/s^2 or rad/s^2
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_NOT_FINITE,
 *          KS_ERROR_INCONSISTENT, KS_ERROR_SINGULAR, as ksSystemSolveGauss; KS_ERROR_BOUND (as
 *          ksSystemSolveBounded: the search failed). The output is unchanged on error. */
KS_API KS_MUST_USE ksStatus ksSystemSolveMotion(ksSystem *system, double *acceleration);

/** The position of a row's multiplier relative to its bounds. */
typedef enum ksRowPlace {
    KS_INSIDE,  /**< the row holds */
    KS_AT_LOW,  /**< at its lower bound, for example a unilateral row (0, infinity) that lets go */
    KS_AT_HIGH, /**< at its upper bound */
    KS_INACTIVE /**< an all-zero row */
} ksRowPlace;

/** Which rows hold. Initialise it with {0}; the caller owns the arrays, NULL for unwanted ones. */
typedef struct ksBoundedSolution {
    double *multiplier;   /**< [rows] lo <= lambda <= hi. If rows share a force (determinate 0), one
                               split of many */
    double *bar;          /**< [rows] error bar, as ksSystemGetErrorBars, with the same rows at
                               bounds; 0 for a row at a bound */
    double *acceleration; /**< [coordinates] unique, whatever the split */
    ksRowPlace *place;    /**< [rows] known rows (lo == hi): KS_AT_LOW */
    int *determinate;     /**< [rows] 1: the multiplier is unique, even if other solutions have
                               other rows at bounds. 0: the row shares a self-stress with rows that
                               hold, or with rows at bounds that could hold without another motion.
                               (If the bounds of these rows permit only one value, the flag is still
                               0.) */
    double violation;     /**< certificate: the largest error of the solution, at most 1e-9. The
                               errors are |w| of a row that holds, w of the wrong sign at a bound,
                               lambda beyond a bound, and M a - f - J^T lambda. Each is relative to
                               its own terms and to the forces on the connected blocks */
    double margin;        /**< the least distance of lambda from its bounds, or of w from zero, for
                               any bounded row; relative to the same terms. If it is below rounding,
                               rounding has decided the place of a row. Infinite without bounded
                               rows */
    double solutions;     /**< work of the search: number of systems of equations that were solved,
                               with dense systems counted by their cost */
    double reserved[4];
} ksBoundedSolution;

/** Unilateral constraints: which rows with bounds hold and which let go, and all multipliers,
 *
 *      w = J a + s lambda - beta:   w = 0 where lo < lambda < hi,   w >= 0 at lo,   w <= 0 at hi.
 *
 *  A wall, a string or a table constrains one direction only, J a >= beta: lo = 0, hi = infinity.
 *  It pushes (lambda > 0) or lets go (lambda = 0, with acceleration w > 0). Omit rows of separated
 *  or separating bodies. Friction has lo = -hi: bounds are constant and do not follow a normal
 *  force. Source: Banach, Mechanics, chapter X, §3; as Gauss's principle under inequalities it is a
 *  convex quadratic problem.
 *
 *  The search, by the range-space route, exchanges all failing rows at once, then continues with
 *  active sets. Multipliers, motion and certificate come from the null-space route, with the
 *  resulting rows at bounds.
 *  @param[in,out] solution  arrays to fill, or NULLs. Unchanged on error
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_NOT_FINITE, KS_ERROR_SINGULAR
 *          (also: the violation is above 1e-9: masses or rows are too unequal for either route),
 *          KS_ERROR_INCONSISTENT (no motion keeps all rows: a body between two walls that close in;
 *          the culprit is one of these rows), KS_ERROR_BOUND (the search failed: it has solved 64 +
 *          2 x rows systems, and spent the cost of eight dense systems; culprit -1) */
KS_API KS_MUST_USE ksStatus ksSystemSolveBounded(ksSystem *system, ksBoundedSolution *solution);

/** One row's relaxation, the parts of Paulus 1910 (17) and (18). */
typedef struct ksRelaxation {
    double rho;           /**< w^T (M a - f), slack coordinates included */
    double derivative;    /**< d phi_l / d p = J_l w (the library's direction: + sqrt(s_l) times its
                               slack) */
    double multiplier;    /**< rho / derivative */
    double effectiveMass; /**< [(A + S)^-1]_ll: the mass that this constraint sees; NaN if not
                               computed */
    /** 1: w^T M t = 0 for every motion t that all rows permit: the kinetic energy has no product of
     *  p's velocity with other velocities, Paulus 1910 between (48) and (49). True for the
     *  library's own direction. 0 also if not computed */
    int noCrossTerm;
    int orthogonal; /**< 1: w is along the row's own normal, w = c M^-1 J_l^T, Paulus 1910 (28),
                         (47): the shortcuts (45), (46), (50) hold for this coordinate, see below */
    double reserved[4];
} ksRelaxation;

/** One multiplier by itself, from its relaxed coordinate.  Source: Paulus 1910 (4), (17), (18).
 *
 *  Equation (44), lambda = rho / (J_l w), holds along every w. The shortcuts (45), (46), (50)
 *  replace the product J_l w by the sizes |J_l| |w|, in the mass metric, which is Paulus's own
 *  metric for one particle. The shortcuts hold if `orthogonal` is 1. Then no other row matters:
 *  lambda = (beta - J_l M^-1 f) / (A_ll + s_l), where f includes the forces of the known rows. This
 *  requires w along the normal, and J_l M^-1 J_r^T = 0 for every other row r that is not known. The
 *  kinetic energy then has no cross term; the converse is false. Both flags are decided to 1e-12 of
 *  |w|, or of unit rows.
 *
 *  With both `direction` and `acceleration` the call needs no factorisation: it reads `direction`,
 *  the blocks that `direction` moves, and their rows. Then effectiveMass is NaN and noCrossTerm 0,
 *  since they depend on all other motions. Contradictions in the other blocks go unnoticed, and for
 *  KS_ERROR_BOUND the largest load is the largest load on the moved blocks. (The first such call on
 *  a filled system takes longer, because it lists the rows by block.) If `direction` also moves a
 *  compliant row, the slack of this row comes from the true motion. The call then costs as much as
 *  without `acceleration`.
 *
 *  @param      row           a row of the system
 *  @param[in]  direction     [coordinates] w with J_r w = 0 for every rigid row r != row that is
 *                            not known (to 1e-9 of |J_r| |w| in the mass metric) and J_row w != 0.
 *                            A compliant row r may have any J_r w: its slack moves by -J_r w /
 *                            sqrt(s_r). NULL: the direction M-orthogonal to all admissible motions,
 *                            with derivative 1
 *  @param[in]  acceleration  [coordinates] the motion to test, with the slacks of the true motion;
 *                            NULL: the true motion. With `direction`, only the coordinates in which
 *                            `direction` is not 0 are read. The unexplained part of this motion
 *                            enters rho only through `direction`
 *  @param[out] out           the relaxation
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_NOT_FINITE,
 *          KS_ERROR_NOT_ADMISSIBLE (culprit: r), KS_ERROR_NOT_RELAXING, KS_ERROR_REDUNDANT,
 *          KS_ERROR_INCONSISTENT, KS_ERROR_SINGULAR, KS_ERROR_BOUND (the multiplier breaks the
 *          row's own bounds by more than 1e-9 of the largest load). Unchanged on error.
 *  The call can also relax a known row, and gives the known value. Other multipliers are not
 *  computed, and their bounds are not checked. */
KS_API KS_MUST_USE ksStatus ksSystemRelaxRow(ksSystem *system, int row, const double *direction,
                                             const double *acceleration, ksRelaxation *out);

/** Finds the unique multipliers: lambda_l is unique iff it is zero, to the noise, in every
 *  self-stress J^T lambda = 0. The noise of a unit self-stress, in the metric of
 *  ksSystemSetRankTolerance, is a hundred times the ratio of the singular values on both sides of
 *  the rank. It is at least 1e-9 (exactly dependent rows) and at most 1e-3 (drifted constraints).
 *  Uses the rigid compliance and the rank tolerance. Source: Paulus 1910, assumption 2.
 *  @param[out] determinate  [rows] 1 or 0; NULL is allowed. A known row is determinate, a row
 *                           without entries is not
 *  @param[out] rank         rank of the rows that are not known; NULL is allowed
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_SINGULAR. Unchanged on
 *          error. */
KS_API KS_MUST_USE ksStatus ksSystemGetDeterminacy(ksSystem *system, int *determinate, size_t *rank);

/** Computes c^T lambda, if it is the same for all multipliers that explain the motion, which means
 *  that c is orthogonal to every self-stress, to the noise. An example is the sum of the vertical
 *  loads in the two hinges of a door; each load alone is not unique. The criteria are those of
 *  ksSystemGetDeterminacy, with the same answer for one row. Bounds are ignored: omit rows that let
 *  go. Source for one row: Paulus 1910, assumption 2.
 *  @param[in]  coefficient  [rows] c, in units that make c_l lambda_l comparable
 *  @param[out] determinate  1 or 0; NULL is allowed
 *  @param[out] value        c^T lambda from the multipliers of ksSystemSolveLeastNorm
 *                           (contradicting rows in the least-squares sense), NaN if not
 *                           determinate; NULL is allowed
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_NOT_FINITE (culprit: the row
 *          of a coefficient), KS_ERROR_SINGULAR. Unchanged on error. Allocates only when the system
 *          has grown. */
KS_API KS_MUST_USE ksStatus ksSystemGetCombination(ksSystem *system, const double *coefficient, int *determinate,
                                                   double *value);

/** A basis of the self-stresses, J^T n = 0, in reduced echelon form: each vector has one row in
 *  which it is 1 and the other vectors are 0. The rows whose entries in a vector are not 0 share
 *  that self-stress. Entries below the noise of ksSystemGetDeterminacy are set to 0. Known rows are
 *  excluded; a row without entries has its own vector. Uses the rigid compliance and the rank
 *  tolerance, as ksSystemGetDeterminacy.
 *  @param[out] basis     [count x rows], vector after vector, caller-owned; units of multipliers.
 *                        NULL: count only
 *  @param      capacity  number of vectors that fit in basis
 *  @param[out] count     rows that are not known, less the rank
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also a basis without enough room), KS_ERROR_NO_MEMORY,
 *          KS_ERROR_SINGULAR. Unchanged on error. Allocates only when the system has grown. */
KS_API KS_MUST_USE ksStatus ksSystemGetSelfStresses(ksSystem *system, double *basis, int capacity, int *count);

/** The distance of a motion from the motion of least constraint, in Gauss's norm with the factor
 *  1/2. With * for the true motion,
 *
 *      constraint = constraint* + lambda*^T r + unexplained + solverError,      r = J a + S lambda - beta:
 *
 *  The true motion has the least constraint of all motions that satisfy the rows. Sources: Gauss
 *  1829; Radakovic 1896, without the 1/2: his Z is twice `constraint`, and his sum over the
 *  left-hand sides of Lagrange II is twice `unexplained`. */
typedef struct ksGaussMeasure {
    double constraint;  /**< Z = 1/2 (a - M^-1 f)^T M (a - M^-1 f) + 1/2 sum s lambda^2; f includes
                             the forces of known rows */
    double unexplained; /**< 1/2 Q^T (T^T M T)^-1 Q, Q = T^T (M a - f): the left-hand sides of
                             Lagrange II */
    double solverError; /**< 1/2 r^T (A + S)^+ r */
    double reserved[4];
} ksGaussMeasure;

/** Splits 1/2 |a - a*|^2 in the mass metric into the part that no multiplier explains and the part
 *  due to violated rows. Both parts come from sums of squares, without cancellation: they are exact
 *  for motions close to the true motion. Known rows count as rows that can carry force: a wrong
 *  value shows as solverError, not as unexplained. With bounds, * is the bounded minimum, the
 *  motion of ksSystemSolveMotion, and its rows at bounds count as known. So a body that sticks to a
 *  wall that it should leave has a solverError.
 *  @param[in]  acceleration  [coordinates] the observed motion, with the slacks of the true
 *                            multipliers
 *  @param[out] out           caller-owned; kg.m^2/s^4. Unchanged on error
 *  @return as ksSystemSolveMotion */
KS_API KS_MUST_USE ksStatus ksSystemMeasure(ksSystem *system, const double *acceleration, ksGaussMeasure *out);

/** A combination of velocities, sum over k of direction_k . v_block_k; or the generalised impulse
 *  along it, which puts direction_k on block k. A block may occur several times: its directions add
 *  up. */
typedef struct ksProbe {
    int blockCount;
    const int *block;               /**< [blockCount] indices */
    const double *const *direction; /**< [blockCount] pieces; piece k has the size of block k */
} ksProbe;

/** The direction of a unit force that acts on a rigid body along `axis` at `point`. It also gives
 *  the velocity of that point along the axis. The body's block has size 6: the velocity of the mass
 *  centre, then the angular velocity, both in the frame of centre, point and axis. */
KS_API void ksProbeForce(const double centre[3], const double point[3], const double axis[3], double direction[6]);

/** The direction of a unit couple about `axis`, or of the angular velocity about it, for such a
 *  block. */
KS_API void ksProbeCouple(const double axis[3], double direction[6]);

/** Mobility: the velocity `at` that a unit impulse `from` produces, e^T B d,
 *  B = M^-1 - M^-1 J^T (A + S)^-1 J M^-1. Source: Lamb 1911, §1, who calls it Maxwell's coefficient
 *  of mobility.
 *  The mobility is symmetric to the last bit (reciprocal theorem), and never negative for one probe
 *  with itself. Known rows (lo == hi) constrain nothing. Rank is decided at the level of rounding,
 *  as in ksSystemSolvePaulus; forces, velocities, right-hand sides and bounds do not matter.
 *  @param[in]  at, from  e and d
 *  @param[out] mobility  unit of velocity divided by unit of impulse: 1/kg for two forces, 1/(kg.m)
 *                        for a force and a couple, 1/(kg.m^2) for two couples
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (culprit: a block out of range), KS_ERROR_NO_MEMORY,
 *          KS_ERROR_NOT_FINITE (culprit: the block), KS_ERROR_SINGULAR. Unchanged on error.
 *          Allocates only when the system has grown. */
KS_API KS_MUST_USE ksStatus ksSystemGetMobility(ksSystem *system, const ksProbe *at, const ksProbe *from,
                                                double *mobility);

/** Energies of an impact (unit of energy, kg.m^2/s^2), with v- and v+ the velocities before and
 *  after.
 *
 *      after = before + given + byRows             the balance
 *      after = unconstrained - lost                Bertrand (Lamb 1911); Carnot's loss
 *      after + stored = momentum + prescribed      Routh's mixed form (Lamb 1911) */
typedef struct ksImpulse {
    double before, after; /**< 1/2 v^T M v */
    double given;         /**< P . (v- + v+) / 2: work of the impulses */
    double byRows;        /**< L . J (v- + v+) / 2: work of the rows, negative where they take
                               energy */
    double unconstrained; /**< 1/2 |v- + M^-1 P|^2: the energy after the impulses without any
                               rows */
    double lost;          /**< unconstrained - after: 1/2 u^T M u - c . L + L . S L, u = M^-1 J^T L.
                               Not negative for c = 0 */
    double stored;        /**< 1/2 L . S L: energy in the slacks of compliant rows */
    double momentum;      /**< the part due to the impulses P and the momenta G = M v-: 1/2 (P +
                               G)^T B (P + G) */
    double prescribed;    /**< the part due to the prescribed velocities: 1/2 c^T (A + S)^-1 c */
    double reserved[4];
} ksImpulse;

/** Solves an impact: finds the velocities v+ after it from the blocks' velocities v- before it, the
 *  impulses P, and the velocities c that the rows prescribe,
 *
 *      v+ = v- + M^-1 (P + J^T L),      J v+ + S L = c.   Source: Lamb 1911, §1.
 *
 *  The null-space route finds v+ without the impulses L, then finds each L from its relaxed
 *  coordinate, as ksSystemSolvePaulus does with accelerations. S is the rows' compliance per
 *  impulse. Finite forces and beta do not act in an impact: L of a known row (lo == hi) is 0. A
 *  finite bound limits a force, and so permits no impulse. An infinite bound permits any impulse.
 *  So a wall, lo = 0, hi = infinity, has L >= 0 and J v+ >= c; a brake, -F and F, has L = 0. Rows
 *  at these bounds are left out, as in ksSystemSolveBounded with impulses in place of forces.
 *  @param[in]  impulse      [coordinates] P or NULL: none
 *  @param[in]  rowVelocity  [rows] c or NULL: 0. Values of known rows are ignored, but must be
 *                           finite
 *  @param[out] reaction     [rows] L or NULL; unit of impulse. Without self-stress if rows depend
 *                           on each other
 *  @param[out] velocity     [coordinates] v+ or NULL
 *  @param[out] energy       or NULL
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_NOT_FINITE (culprit: the row
 *          of a velocity), KS_ERROR_INCONSISTENT (dependent rows prescribe contradicting
 *          velocities; culprit), KS_ERROR_SINGULAR, KS_ERROR_BOUND (as ksSystemSolveBounded: the
 *          search failed). Outputs unchanged on error. Allocates only when the system has grown. */
KS_API KS_MUST_USE ksStatus ksSystemSolveImpulse(ksSystem *system, const double *impulse, const double *rowVelocity,
                                                 double *reaction, double *velocity, ksImpulse *energy);

#ifdef __cplusplus
}
#endif
#endif
