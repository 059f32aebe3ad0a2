/** @file coordinates.h  Lagrange's equations of a mechanism from its positions x = f(q, t) alone.
 *
 *  The positions of particles and rigid bodies depend on n coordinates q, independent or not, and
 *  on the time. Automatic derivatives of a position function give
 *
 *      L = 1/2 q'^T A q' + b^T q' + gamma        the kinetic energy           Paulus 1910 (9)-(11); Lamb 1911, §3
 *      A q'' + h = Q                             Lagrange II, h the velocity terms
 *      rho = d/dt dL/dq' - dL/dq - Q             the remainder                Paulus 1910 (17)
 *
 *  momenta, Hamilton's function, cyclic coordinates, and the rows of constraints phi(q, t) = 0 and
 *  a^T q' = a_0. A, Q - h and q' are the mass, force and velocity of one block of
 *  <kinetostat/system.h>. Each constraint is one row there, and both routes of that header give its
 *  multiplier.
 *
 *  The host writes its functions in hyper-dual numbers (Fike and Alonso 2011). Their derivatives
 *  are exact up to the rounding of each operation: no function values are differenced. With e =
 *  2.2e-16 and k = 3 x particles + 12 x bodies, sums lose at most (k + 4) e of their terms: A_ij up
 *  to (k + 4) e (A_ii A_jj)^1/2, b_i up to (k + 4) e (2 gamma A_ii)^1/2, if the axes of each body
 *  are its principal axes. Cancellation in the host's own function adds to this. Bars contain a
 *  sample of this cancellation: the difference between two computations of the velocities and
 *  accelerations.
 *
 *  The time is one more coordinate, with velocity 1; it is the last of n + 1 directions. Use an
 *  object from one thread at a time. The object masks floating-point traps while it calls the
 *  host's functions. If such a function calls the object, the call returns KS_ERROR_REENTRY. Units
 *  are those of the caller; the documentation uses kg, m, s, rad. */
#ifndef KINETOSTAT_COORDINATES_H
#define KINETOSTAT_COORDINATES_H

#include <kinetostat/status.h>

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A hyper-dual number: the value and the derivatives of a function of two parameters e1 and e2, at
 *  e1 = e2 = 0.
 *
 *      ksDualOf(x)                         a constant
 *      ksDualAdd(a, b), ksDualSub(a, b), ksDualMul(a, b), ksDualDiv(a, b), ksDualScale(s, a)
 *      ksDualSin(a), ksDualCos(a), ksDualSqrt(a)
 *      ksDualChain(a, f, f1, f2)           any other function: its value at a.value, and two derivatives there
 *
 *  The exponential is `double e = exp(a.value); ksDualChain(a, e, e, e)`. For a function of several
 *  numbers with the gradient g and the second derivatives H, set the members: first = g . u, second
 *  = g . v, mixed = g . m + u^T H v, where u, v and m hold the members `first`, `second` and
 *  `mixed` of the arguments. */
typedef struct ksDual {
    double value;
    double first;  /**< d/de1 */
    double second; /**< d/de2 */
    double mixed;  /**< d^2/de1 de2 */
} ksDual;

static inline ksDual ksDualOf(double x)
{
    const ksDual r = {x, 0, 0, 0};
    return r;
}

static inline ksDual ksDualAdd(ksDual a, ksDual b)
{
    const ksDual r = {a.value + b.value, a.first + b.first, a.second + b.second, a.mixed + b.mixed};
    return r;
}

static inline ksDual ksDualScale(double s, ksDual a)
{
    const ksDual r = {s * a.value, s * a.first, s * a.second, s * a.mixed};
    return r;
}

static inline ksDual ksDualSub(ksDual a, ksDual b)
{
    return ksDualAdd(a, ksDualScale(-1, b));
}

static inline ksDual ksDualMul(ksDual a, ksDual b)
{
    const ksDual r = {a.value * b.value, a.first * b.value + a.value * b.first, a.second * b.value + a.value * b.second,
                      a.mixed * b.value + a.first * b.second + a.second * b.first + a.value * b.mixed};
    return r;
}

static inline ksDual ksDualChain(ksDual a, double f, double f1, double f2)
{
    const ksDual r = {f, f1 * a.first, f1 * a.second, f1 * a.mixed + f2 * a.first * a.second};
    return r;
}

static inline ksDual ksDualDiv(ksDual a, ksDual b)
{
    const double i = 1 / b.value;
    ksDual r = ksDualMul(a, ksDualChain(b, i, -i * i, 2 * i * i * i));
    r.value = a.value / b.value;
    return r;
}

static inline ksDual ksDualSin(ksDual a)
{
    const double s = sin(a.value), c = cos(a.value);
    return ksDualChain(a, s, c, -s);
}

static inline ksDual ksDualCos(ksDual a)
{
    const double s = sin(a.value), c = cos(a.value);
    return ksDualChain(a, c, -s, -c);
}

static inline ksDual ksDualSqrt(ksDual a)
{
    const double r = sqrt(a.value);
    return ksDualChain(a, r, 0.5 / r, -0.25 / (r * a.value));
}

/** Rotates a matrix about an axis of the body: R := R R_axis(angle). Euler angles are three such
 *  rotations, starting with the unit matrix.
 *  @param[in,out] rotation  [9] row-major, from the axes of the body to those of the world. NULL is
 *                           allowed
 *  @param         axis      0, 1, 2 for x, y, z; otherwise no effect
 *  @param         angle     rad */
KS_API void ksDualRotate(ksDual rotation[9], int axis, ksDual angle);

/** A smooth function of coordinates and time, in hyper-dual numbers. Several calls for one state
 *  must return the same values.
 *  @param[in]  q      [n] coordinates
 *  @param      t      time
 *  @param[out] value  as many as requested; the library sets them to 0 before the call
 *  @return KS_OK, or any other status, with which the calling function fails */
typedef ksStatus ksDualFn(const ksDual *q, ksDual t, ksDual *value, void *user);

/** Positions and velocities. Belongs to the library; valid in a ksForceFn. */
typedef struct ksConfiguration {
    const double *q;               /**< [n] */
    const double *rate;            /**< [n] q' */
    double time;                   /**< s */
    const double *position;        /**< the values of ksCoordinatesSpec::position */
    const double *velocity;        /**< their derivatives along the motion */
    const double *angularVelocity; /**< [3 x bodies] rad/s, in the axes of the world */
    double reserved[4];
} ksConfiguration;

/** Applied forces that have no potential or depend on velocities.
 *  @param[out] force        [3 x particles + 6 x bodies] N on each particle, then N and N.m on each
 *                           body, the torque about its mass centre; in the axes of the world. The
 *                           library sets them to 0 before the call
 *  @param[out] generalised  [n] further generalised forces, such as the force of a motor on q_i:
 *                           unit of energy divided by the unit of q_i. The library sets them to 0
 *                           before the call
 *  @return KS_OK, or any other status, with which ksCoordinatesSet fails */
typedef ksStatus ksForceFn(const ksConfiguration *at, double *force, double *generalised, void *user);

/** A mechanism. Call ksCoordinatesSpecInit first; the arrays are copied. */
typedef struct ksCoordinatesSpec {
    int coordinateCount; /**< n >= 1 */
    int particleCount;
    const double *particleMass; /**< [particleCount] kg, > 0 */
    int bodyCount;
    const double *bodyMass;    /**< [bodyCount] kg, > 0 */
    const double *bodyInertia; /**< [bodyCount x 9] kg.m^2 about the mass centre in the axes of the
                                    body, row-major; the lower triangle is read. No principal moment
                                    is negative; one moment of a rod is 0 */
    ksDualFn *position;        /**< [3 x particles + 12 x bodies] m: each particle; then of each
                                    body its mass centre and its rotation matrix, row-major, from
                                    its axes to those of the world */
    ksDualFn *potential;       /**< [1] V in J: the force is -dV/dx; NULL: none */
    ksForceFn *force;          /**< NULL: none */
    void *user;                /**< for these three */
    double reserved[4];
} ksCoordinatesSpec;

/** Empties a spec. NULL is allowed. */
KS_API void ksCoordinatesSpecInit(ksCoordinatesSpec *spec);

typedef struct ksCoordinates ksCoordinates;

/** A mechanism without a state. The caller destroys it. Allocates all memory, except the memory for
 *  the results of functions, which grows to a high-water mark.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also no particle and no body), KS_ERROR_NO_MEMORY,
 *          KS_ERROR_NOT_FINITE, KS_ERROR_NOT_POSITIVE_DEFINITE (a mass, an inertia) */
KS_API KS_MUST_USE ksStatus ksCoordinatesCreate(const ksCoordinatesSpec *spec, ksCoordinates **coordinates);

/** Frees the mechanism. NULL is allowed. The functions of its spec must not call this function. */
KS_API void ksCoordinatesDestroy(ksCoordinates *coordinates);

/** Sets the state for the functions below. Calls the position n + 2 times, the potential n + 1
 *  times, the force once.
 *  @param[in] q     [n] coordinates; they need not satisfy any constraint
 *  @param[in] rate  [n] q'
 *  @param     time  s
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also a rotation that is not orthonormal to 1e-9, or does
 *          not remain orthonormal along the motion), KS_ERROR_NO_MEMORY, KS_ERROR_NOT_FINITE (also
 *          from a function, or by overflow), KS_ERROR_REENTRY (from one of its functions), or the
 *          status of a function. On error the object keeps its last state. */
KS_API KS_MUST_USE ksStatus ksCoordinatesSet(ksCoordinates *coordinates, const double *q, const double *rate,
                                             double time);

/** Lagrange's function and equations. Initialise it with {0}; the caller owns the arrays, NULL for
 *  unwanted ones. Units: J for energies; J per unit of the coordinate for gradient, velocityTerms,
 *  force, applied and bar; J.s per unit of the coordinate for momentum and linear; J.s^2 per unit
 *  of each of the two coordinates for mass. */
typedef struct ksLagrangian {
    double *mass;            /**< [n x n] A, symmetric */
    double *linear;          /**< [n] b, zero if positions do not depend on time */
    double *momentum;        /**< [n] p = dL/dq' = A q' + b */
    double *gradient;        /**< [n] dL/dq of the kinetic energy alone. Hamilton: p' = gradient +
                                  force */
    double *velocityTerms;   /**< [n] h = d/dt dL/dq' - dL/dq - A q'' */
    double *force;           /**< [n] Q, including the potential. Paulus's P */
    double *applied;         /**< [n] Q - h: the force of ksSystemAddBlock, with mass = A and
                                  velocity = q' */
    double *bar;             /**< [n] error bar of `applied`: rounding of the sums, and the
                                  difference of two computations of the accelerations with q'' = 0.
                                  It does not contain errors of a ksForceFn */
    double gamma;            /**< of L: the kinetic energy at q' = 0 */
    double kinetic;          /**< L, from the velocities: J */
    double potential;        /**< V */
    double kineticPotential; /**< L - V; Banach, whose V has the opposite sign, writes L + V */
    double hamiltonian;      /**< p q' - L + V = 1/2 q'^T A q' - gamma + V: equal to the energy only
                                  where b = 0 and gamma = 0 */
    double reserved[4];
} ksLagrangian;

/** Energies, momenta and the terms of the equations, in the present state.
 *  @param[in,out] out  arrays to fill, or NULLs
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_UNAVAILABLE (no state yet). Unchanged on error */
KS_API KS_MUST_USE ksStatus ksCoordinatesGetLagrangian(ksCoordinates *coordinates, ksLagrangian *out);

/** The remainder of Lagrange's equations for a motion. Arrays as in ksLagrangian. */
typedef struct ksRemainder {
    double *momentumRate; /**< [n] d/dt dL/dq', L the kinetic energy */
    double *gradient;     /**< [n] dL/dq */
    double *force;        /**< [n] Q, Paulus's P */
    double *remainder;    /**< [n] rho = momentumRate - gradient - force. For a relaxed coordinate
                               along the true motion: lambda_l dphi_l/dq (Paulus 1910 (17), (18));
                               for all coordinates: Radakovic's Q, zero for the true motion */
    double *bar;          /**< [n] error bar of rho: its distance from d'Alembert's sum of (m x'' -
                               X) dx/dq, and rounding */
    double *departure;    /**< [n] zeta = A^-1 rho: q'' minus q'' of the motion without
                               constraints */
    double unexplained;   /**< 1/2 rho^T A^-1 rho: excess of Gauss's constraint over its minimum
                               without constraints (Radakovic 1896, whose Z is twice this). NaN
                               without `departure` */
    double reserved[4];
} ksRemainder;

/** Paulus 1910 (17) as printed, for each coordinate.
 *  @param[in]     acceleration  [n] q''; 0 for relaxed coordinates
 *  @param[in,out] out           arrays to fill, or NULLs
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_UNAVAILABLE, KS_ERROR_NO_MEMORY,
 *          KS_ERROR_NOT_FINITE, KS_ERROR_NOT_POSITIVE_DEFINITE (A, if `departure` is requested).
 *          Unchanged on error */
KS_API KS_MUST_USE ksStatus ksCoordinatesGetRemainder(ksCoordinates *coordinates, const double *acceleration,
                                                      ksRemainder *out);

/** The velocities that belong to given momenta, A q' = p - b, at any q. Needs and changes no state.
 *  This call gives q', and ksCoordinatesSet with ksLagrangian gives p': together they are
 *  Hamilton's canonical equations. Source: Banach, Mechanics, chapter X, §8.
 *  @param[in]  q         [n]
 *  @param[in]  momentum  [n] p
 *  @param      time      s
 *  @param[out] rate      [n] q', to the rounding of this equation
 *  @return as ksCoordinatesSet; KS_ERROR_NOT_POSITIVE_DEFINITE (A: the coordinates are dependent at
 *          this q, like a sphere's angles at its poles). Unchanged on error */
KS_API KS_MUST_USE ksStatus ksCoordinatesGetVelocity(ksCoordinates *coordinates, const double *q,
                                                     const double *momentum, double time, double *rate);

/** Finds the cyclic coordinates: dL/dq_i = 0 and dV/dq_i = 0 at this q for all velocities, to 1e-12
 *  of their terms. A coordinate that is cyclic at every q has a constant momentum if no other force
 *  acts along it. The time is the last coordinate: if it is cyclic, Hamilton's function is
 *  constant. Calls the position n + 2 times. Source: Banach, Mechanics, chapter X, §7.
 *  @param[out] cyclic  [n + 1] 1 or 0
 *  @return as ksCoordinatesSet, KS_ERROR_UNAVAILABLE. Unchanged on error */
KS_API KS_MUST_USE ksStatus ksCoordinatesGetCyclic(ksCoordinates *coordinates, int *cyclic);

/** A constraint in the present state: it requires J q'' = beta. */
typedef struct ksConstraintRow {
    double *jacobian; /**< [n] caller-owned, or NULL: a piece of ksRowSpec for the block of these
                           coordinates */
    double beta;      /**< its right-hand side */
    double value;     /**< phi: the position error. NaN for a row of velocities */
    double rate;      /**< J q' + phi_t, or a^T q' - a_0: the velocity error */
    double reserved[4];
} ksConstraintRow;

/** A holonomic constraint phi(q, t) = 0: J = phi_q, beta = -(q'^T phi_qq q' + 2 phi_qt q' +
 *  phi_tt). Calls phi n + 1 times. Source: Banach, Mechanics, chapter X, §3; here with time.
 *  @param      phi   gives one value; it may compute positions from q first
 *  @param[in]  user  for phi
 *  @param[in,out] out  the row
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_UNAVAILABLE (no state yet), KS_ERROR_NO_MEMORY,
 *          KS_ERROR_NOT_FINITE, KS_ERROR_REENTRY, or the status of phi. Unchanged on error */
KS_API KS_MUST_USE ksStatus ksCoordinatesGetConstraint(ksCoordinates *coordinates, ksDualFn *phi, void *user,
                                                       ksConstraintRow *out);

/** A row of velocities a(q, t)^T q' = a_0(q, t), holonomic or not: J = a, beta = a_0' - a'^T q'.
 *  Source: Gugino 1930.
 *  @param      form  gives n + 1 values: a, then a_0. Called once
 *  @param[in]  user  for form
 *  @param[in,out] out  the row
 *  @return as ksCoordinatesGetConstraint */
KS_API KS_MUST_USE ksStatus ksCoordinatesGetVelocityRow(ksCoordinates *coordinates, ksDualFn *form, void *user,
                                                        ksConstraintRow *out);

/** Whether rows of velocities are equivalent to constraints of position. */
typedef struct ksIntegrability {
    int integrable;  /**< 1: residual <= bar */
    double residual; /**< the largest element of P (da - da^T) P, relative to the largest of da and
                          da^T; P projects on the motions that all rows permit, time included */
    double bar;      /**< the rounding of `residual`; it does not contain cancellation in the host's
                          function */
    double reserved[4];
} ksIntegrability;

/** Frobenius's condition for rows of velocities a_l(q, t)^T q' = a_0l(q, t), taken together: are
 *  there functions phi_k(q, t), as many as rows, whose time derivatives are all 0 exactly if q'
 *  satisfies all rows? For one row the condition is a ^ da = 0. Rows that are integrable together
 *  need not be so alone. The condition is checked at the present q: rows are holonomic in a region
 *  exactly if the condition holds everywhere in the region. Source of the word: Banach, Mechanics,
 *  chapter X, §2.
 *  @param      rows  1 ... n
 *  @param      form  gives rows x (n + 1) values: for each row a, then a_0. Called n + 1 times
 *  @param[in]  user  for form
 *  @param[out] out   the answer
 *  @return as ksCoordinatesGetConstraint; KS_ERROR_REDUNDANT (a row depends on other rows at this
 *          q, to 1e-12) */
KS_API KS_MUST_USE ksStatus ksCoordinatesGetIntegrability(ksCoordinates *coordinates, int rows, ksDualFn *form,
                                                          void *user, ksIntegrability *out);

#ifdef __cplusplus
}
#endif
#endif
