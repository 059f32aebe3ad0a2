/* velocity.h  Velocities that the joints of an island permit. */
#ifndef KSI_INSPECTOR_VELOCITY_H
#define KSI_INSPECTOR_VELOCITY_H

#include "solver.h"

/* Whether a row is inside its bounds, rigid, and follows no target. */
bool ksiHoldsPosition(const ksiStep *step, int joint, int row, const ksiPlaces *places);

/* Room for the vectors; `velocity` is the result: by block, linear and angular in the world's axes. */
typedef struct ksiPermitted {
    double *beta, *multiplier; /* [rows] */
    double *force, *velocity;  /* [coordinates] */
} ksiPermitted;

/* The system holds the island's rows with these places; its right-hand sides and forces are overwritten. isOwn: they are the bodies'
 * own. */
KS_MUST_USE ksStatus ksiPermitVelocities(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                                         const ksiPermitted *p, bool *isOwn);

/* The nearest ones in the metric of the masses, of a tree, too. */
KS_MUST_USE ksStatus ksiNearestVelocities(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                                          const ksiPermitted *p);

/* -(dJ/dt) v of a joint's rows at these velocities, where its geometry gives it; elsewhere as it was found. */
void ksiPermittedAccelerations(const ksiStep *step, int joint, const double *velocity, double beta[KSI_MAX_ROWS]);

/* force [coordinates]: what takes the rows at bounds, which are applied forces in the system, off it. */
void ksiTakeKnownOff(const ksiStep *step, int island, const ksiPlaces *places, double *force);

#endif
