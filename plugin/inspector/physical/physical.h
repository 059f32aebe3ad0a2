/* physical.h  Functions for physical values, in phases 6 and 10. */
#ifndef KSI_INSPECTOR_PHYSICAL_PHYSICAL_H
#define KSI_INSPECTOR_PHYSICAL_PHYSICAL_H

#include "../solver.h"

/* --- known_forces.c: rows whose multiplier is known beforehand --- */

/* The bit in ksiRunMean for a row of a stop or a motor. Rows of an axis share one bit, a row
 * without an axis has a bit of its own. */
static inline unsigned ksiAxisBit(const ksiRows *rows, int l)
{
    return 1u << (rows->axis[l] >= 0 ? rows->axis[l] : KSI_MAX_ROWS + l);
}

/* Is beta of each row inside its bounds known? Sets ksiJointPhysical::source of the joints. */
bool ksiKnowsAccelerations(const ksiStep *step, int island, ksiPhysical *out);

/* Sets the reported places of rows, except for stops, which hold at first. Sets the reported
 * multipliers of contacts, and of stops with unknown accelerations. True: the island has rows with
 * such multipliers. */
bool ksiPlaceKnownForces(const ksiStep *step, int island, ksiPhysical *out);

/* Arrays below are [rows] of the system, or of the pose. */

/* Sets the right-hand sides of blows in this step: at stops that the step reaches, at stops and
 * motors whose reported force `multiplier` does not explain (NULL: at none), and at idle stops that
 * rows leave. all: includes the forbidden velocities of all other rows, since a solver spreads a
 * blow over several steps. False: there are no blows. */
bool ksiGatherBlows(const ksiStep *step, const ksiSolver *solver, int island, bool isPosed, bool all,
                    const double *multiplier, const ksiPhysical *out, double *beta);

/* Gives stops and motors that do not hold in this solution their reported forces. True: some do not
 * hold. blow: the multipliers for the blows alone; NULL: there are no blows. */
bool ksiLetStopsGo(const ksiStep *step, const ksiSolver *solver, int island, bool isPosed, const double *multiplier,
                   const double *blow, ksiPhysical *out);

/* --- kept_rates.c: velocities that keep the joint rates of a tree --- */

/* Is the row inside its bounds, rigid, and without a target? */
static inline bool ksiHoldsPosition(const ksiStep *step, int joint, int row, const ksiPlaces *places)
{
    return ksiNeedsBias(step, joint, row, places) && !(step->joint[joint].follows >> row & 1u);
}

/* The rows of a joint for which ksiHoldsPosition is true: bits. */
static inline unsigned ksiHeldRows(const ksiStep *step, int joint, const ksiPlaces *places)
{
    return ksiBiasedRows(step, joint, places) & ~step->joint[joint].follows;
}

/* The part of J v that is not motion of the mechanism. */
static inline double ksiExcessRate(const ksiStep *step, int joint, int row)
{
    const ksiJointInput *input = &step->joint[joint];
    return input->follows >> row & 1u ? step->acceleration[joint].excess[row] : input->moving[row];
}

/* solver->kept.motion := the velocity change that keeps the joint rates of a tree. *closing: the
 * number of rows that hold a position in joints that close loops. These rows may forbid the
 * change. */
KS_MUST_USE ksStatus ksiKeepRates(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                                  int *closing);

/* --- velocity.c: velocities that the joints of an island permit --- */

/* Writes the permitted velocities of the mechanism to `motion`, and overwrites the other vectors.
 * The system has the island's rows with these places. isOwn: the bodies' velocities already satisfy
 * the joints. If they do not, a loop also gets other permitted velocities in `other`, and in
 * `multiplier` the impulses that lead to the nearest permitted velocities. */
KS_MUST_USE ksStatus ksiPermitVelocities(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                                         const ksiVectors *p, double *other, bool *isOwn);

/* Writes to `motion` the permitted velocities of a tree that are nearest to its bodies' velocities
 * in the mass metric. p->beta: as ksiPermitVelocities left it. */
KS_MUST_USE ksStatus ksiNearestVelocities(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                                          const ksiVectors *p);

/* -(dJ/dt) v of a joint's rows. The part that follows from the joint's geometry is computed at
 * these velocities; the other part is ksiJointAcceleration::beta. */
void ksiPermittedAccelerations(const ksiStep *step, int joint, const double *velocity, double beta[KSI_MAX_ROWS]);

/* --- tree_drift.c: forces that are uncertain because joints have drifted --- */

/* The size of a joint's gaps; 0 for contacts. Gaps between points count in radii of gyration of a
 * body, gaps between axes in radians. */
double ksiRelativeGap(const ksiStep *step, int joint);

/* Finds the change of a joint's reaction on a body when its bodies rotate into the pose in which it
 * fits. Returns the body; -1: the reaction does not change. */
int ksiTurnReaction(const ksiStep *step, int joint, ksiJointPhysical *physical, double change[6]);

/* --- Runs --- */

/* Is the run's last step the step before this one? A run of length 0 has no other valid member. */
static inline bool ksiIsRecentRun(const ksiStep *step, const ksiRunMean *run)
{
    return run->length > 0 && run->step + 1 == step->number;
}

/* --- departure.c: forbidden velocities that the engine leaves --- */

/* J v of a row that follows a velocity, minus its target of the last step; if that is unknown, of
 * this step. */
double ksiMissedRate(const ksiStep *step, int joint, int row);

/* --- run_noise.c: solver noise in physical values, by contacts and in drifted loops --- */

/* Does the joint's mechanism still have the number of joints and bodies that it had at the start of
 * the run? */
bool ksiIsSameMechanism(const ksiStep *step, int joint, const ksiRunMean *run);

/* The mean of the engine's multiplier of a row over the last complete window, before this step is
 * added; NaN: there is none. */
double ksiUsualReport(const ksiStep *step, int joint, int row);

/* Bound of the difference between the mean forces of engine and mechanism over a window, with
 * `slack` of this step, which the run does not contain yet. For joints whose ksiUsualReport is
 * known. */
double ksiSlackForce(const ksiStep *step, int joint, double slack);

/* ksiAddToTrend adds the value of step number `count`, counted from 1. ksiTrendNoise returns 2.5
 * standard deviations about the line; 0: too few steps. */
void ksiAddToTrend(double y, int count, ksiTrend *trend);
double ksiTrendNoise(const ksiTrend *trend, int count);

/* For a drifted loop: adds the excess in this joint's values of the last step, which the present
 * step shows. isKnown: the same rows of the mechanism hold in both steps. */
void ksiTellExcess(const ksiStep *step, int joint, bool isKnown, const double excess[KSI_MAX_ROWS], ksiRunMean *run);

/* Does this step of a joint contain solver noise? */
bool ksiHasNoise(const ksiStep *step, int joint, ksiRunMean *run);

/* Adds this step of a joint, and lengthens its bars by the noise of the last complete window, and
 * of the present window's steps. ksiRunMean::sums already has this step. */
void ksiAddNoise(const ksiStep *step, int joint, ksiRunMean *run, ksiJointPhysical *out);

#endif
