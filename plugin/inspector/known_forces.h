/* known_forces.h  Rows whose physical multiplier is known beforehand. */
#ifndef KSI_INSPECTOR_KNOWN_FORCES_H
#define KSI_INSPECTOR_KNOWN_FORCES_H

#include "solver.h"

/* beta of each row inside its bounds is known; false where one is not. The sources of the joints are set. */
bool ksiKnowsAccelerations(const ksiStep *step, int island, ksiPhysical *out);

/* The reported places, and of contacts and of stops about which nothing else is known the reported multipliers; true where there
 * are such. */
bool ksiPlaceKnownForces(const ksiStep *step, int island, ksiPhysical *out);

/* Stops and motors that do not hold in this solution have the force that was reported, from now on: true where there are such.
 * [rows] of the system, or of the pose */
bool ksiLetStopsGo(const ksiStep *step, const ksiSolver *solver, int island, bool isPosed, const double *multiplier,
                   ksiPhysical *out);

#endif
