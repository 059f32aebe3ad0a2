/* departure.h  What the engine's mean force is off from that of the mechanism, as far as it is known.
 *
 * The velocities that the engine leaves to joints which forbid them are taken away later, and its gyroscopic torque is implicit in h. With u
 * the targets of motors, and f_e - f that torque less the mechanism's, by the momentum of each body,
 *
 *     s = (J M^-1 J^T)^-1 (J v - u),      h (lambda_e - lambda) = s_k+1 - s_k - h (J M^-1 J^T)^-1 J M^-1 (f_e - f)
 *
 * where nothing else is wrong: at rest to the digit, and on a way on which the machine changes its shape to first order. Of machines
 * without redundant rows. */
#ifndef TESTS_BENCH_TRUTH_DEPARTURE_H
#define TESTS_BENCH_TRUTH_DEPARTURE_H

#include "truth.h"

typedef struct TruthDeparture TruthDeparture;

/* NULL: out of memory */
TruthDeparture *truthDepartureOpen(const Scene *scene, ksInspector *inspector);
void truthDepartureClose(TruthDeparture *departure);
void truthDepartureBefore(TruthDeparture *departure); /* each step */

/* After the step: what the last one has added to the sum over h of the engine's wrenches, and what this one has by its torques,
 * [2 joints] by joint and side. false: the former is not known, and 0. */
bool truthDepartureAfter(TruthDeparture *departure, double h, ksWrench *last, ksWrench *now);

#endif
