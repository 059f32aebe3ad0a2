/* known_forces.h  Rows whose physical multiplier is known beforehand. */
#ifndef KSI_INSPECTOR_KNOWN_FORCES_H
#define KSI_INSPECTOR_KNOWN_FORCES_H

#include "solver.h"

/* beta of each row inside its bounds is known; false where one is not. The sources of the joints are set. */
bool ksiKnowsAccelerations(const ksiStep *step, int island, ksiPhysical *out);

/* The reported places, and of contacts and of stops about which nothing else is known the reported multipliers; true where there
 * are such. */
bool ksiPlaceKnownForces(const ksiStep *step, int island, ksiPhysical *out);

/* Arrays below are [rows] of the system, or of the pose. */

/* What stops and motors ask for whose speed ends in this step, as right-hand sides: of stops that were reached in it, and of those that
 * these multipliers, if not NULL, do not explain. false: there are none. */
bool ksiGatherBlows(const ksiStep *step, const ksiSolver *solver, int island, bool isPosed, const double *multiplier,
                    const ksiPhysical *out, double *beta);

/* Stops and motors that do not hold in this solution have the force that was reported, from now on: true where there are such.
 * blow: the multipliers that the former alone ask for; or NULL, there are none. */
bool ksiLetStopsGo(const ksiStep *step, const ksiSolver *solver, int island, bool isPosed, const double *multiplier,
                   const double *blow, ksiPhysical *out);

#endif
