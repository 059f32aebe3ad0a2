/* physical.h  Data of physical values, in phases 6 and 10. */
#ifndef KSI_INSPECTOR_PHYSICAL_PHYSICAL_H
#define KSI_INSPECTOR_PHYSICAL_PHYSICAL_H

#include "../solver.h"

/* --- known_forces.c: rows whose multiplier is known beforehand --- */

/* Of an axis with a stop or a motor, in ksiRunMean; other stops and motors go by their rows. */
static inline unsigned ksiAxisBit(const ksiRows *rows, int l)
{
    return 1u << (rows->axis[l] >= 0 ? rows->axis[l] : KSI_MAX_ROWS + l);
}

/* beta of each row inside its bounds is known; false where one is not. The sources of the joints are set. */
bool ksiKnowsAccelerations(const ksiStep *step, int island, ksiPhysical *out);

/* The reported places, and of contacts and of stops about which nothing else is known the reported multipliers; true where there
 * are such. */
bool ksiPlaceKnownForces(const ksiStep *step, int island, ksiPhysical *out);

/* Arrays below are [rows] of the system, or of the pose. */

/* What stops and motors ask for whose speed ends in this step, as right-hand sides: of stops that were reached in it, and of those that
 * these multipliers, if not NULL, do not explain. all: and what all other rows that hold have yet to take back, for a solver spreads a
 * blow over several steps. false: there are none. */
bool ksiGatherBlows(const ksiStep *step, const ksiSolver *solver, int island, bool isPosed, bool all,
                    const double *multiplier, const ksiPhysical *out, double *beta);

/* Stops and motors that do not hold in this solution have the force that was reported, from now on: true where there are such.
 * blow: the multipliers that the former alone ask for; or NULL, there are none. */
bool ksiLetStopsGo(const ksiStep *step, const ksiSolver *solver, int island, bool isPosed, const double *multiplier,
                   const double *blow, ksiPhysical *out);

/* --- velocity.c: velocities that the joints of an island permit --- */

/* Whether a row is inside its bounds, rigid, and follows no target. */
bool ksiHoldsPosition(const ksiStep *step, int joint, int row, const ksiPlaces *places);

/* Into `motion`; the other vectors are overwritten. The system holds the island's rows with these places. isOwn: they are the bodies'
 * own. */
KS_MUST_USE ksStatus ksiPermitVelocities(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                                         const ksiVectors *p, bool *isOwn);

/* The nearest ones in the metric of the masses, of a tree, too. */
KS_MUST_USE ksStatus ksiNearestVelocities(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                                          const ksiVectors *p);

/* -(dJ/dt) v of a joint's rows at these velocities, where its geometry gives it; elsewhere as it was found. */
void ksiPermittedAccelerations(const ksiStep *step, int joint, const double *velocity, double beta[KSI_MAX_ROWS]);

/* --- tree_drift.c: reactions of joints that have drifted apart, as forces that are open --- */

/* How far its bodies are apart where it fits, in radii of gyration of one of them: points, and axes. 0 of contacts. */
double ksiRelativeGap(const ksiStep *step, int joint);

/* Adds to `force` [coordinates of the island] what a joint's reaction changes by if its bodies are turned to where it fits; false
 * if it fits. */
bool ksiTurnReaction(const ksiStep *step, int joint, ksiJointPhysical *physical, double *force);

/* --- run_noise.c: what a solver's noise leaves in physical values, by contacts and in drifted loops --- */

/* Are there as many joints and bodies in the joint's mechanism as when the run began? Else it is another one, as after a joint has broken. */
bool ksiIsSameMechanism(const ksiStep *step, int joint, const ksiRunMean *run);

/* The mean of the engine's multiplier of a row over the last whole window of steps; NaN: there is none. Before this step is added. */
double ksiUsualReport(const ksiStep *step, int joint, int row);

/* By how much the engine's force may differ from that of the mechanism in the mean over a window, with `slack` in this step, before it
 * is added. For joints that ksiUsualReport knows. */
double ksiSlackForce(const ksiStep *step, int joint, double slack);

/* Adds the value of the step that is number `count`, from 1 on; 2.5 standard deviations beside the line of so many, 0: they are too few. */
void ksiAddToTrend(double y, int count, ksiTrend *trend);
double ksiTrendNoise(const ksiTrend *trend, int count);

/* Has this step of a joint a solver's noise in it? */
bool ksiHasNoise(const ksiStep *step, int joint, ksiRunMean *run);

/* Adds this step of a joint, and lengthens its bars: by the last whole window of steps, and by the present one as far as it has been
 * seen. The step is in the mean already. */
void ksiAddNoise(const ksiStep *step, int joint, ksiRunMean *run, ksiJointPhysical *out);

#endif
