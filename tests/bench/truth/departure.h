/* departure.h  The known part of the difference between the engine's mean force and the
 * mechanism's.
 *
 * The engine leaves velocities that the joints forbid, and removes them later; and its gyroscopic
 * torque is implicit in h. With the targets u of motors, and f_e - f the engine's gyroscopic torque
 * less the mechanism's, the momentum of each body gives
 *
 *     s = (J M^-1 J^T)^-1 (J v - u),      h (lambda_e - lambda) = s_k+1 - s_k - h (J M^-1 J^T)^-1 J M^-1 (f_e - f)
 *
 * if nothing else is wrong: exactly at rest, and to first order while the machine changes its
 * shape. For machines without redundant rows. */
#ifndef TESTS_BENCH_TRUTH_DEPARTURE_H
#define TESTS_BENCH_TRUTH_DEPARTURE_H

#include "truth.h"

typedef struct TruthDeparture TruthDeparture;

/* NULL: out of memory */
TruthDeparture *truthDepartureOpen(const Scene *scene, ksInspector *inspector);
void truthDepartureClose(TruthDeparture *departure);
void truthDepartureBefore(TruthDeparture *departure); /* before each step */

/* After the step, adds to [2 joints] by joint and side. last: the last step's contribution to the
 * sum over h of the engine's wrenches. now: this step's contribution by its torques. false: `last`
 * is unknown, and 0. */
bool truthDepartureAfter(TruthDeparture *departure, double h, ksWrench *last, ksWrench *now);

#endif
