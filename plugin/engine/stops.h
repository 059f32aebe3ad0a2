/* stops.h  The stops at which a step has found the axes of a joint.
 *
 * An axis is at a stop if the engine's angle or position has reached it. The last digit decides,
 * where a joint rests on its stop. So an engine of another precision, or another build, may decide
 * otherwise in the same pose. */
#ifndef KSI_ENGINE_STOPS_H
#define KSI_ENGINE_STOPS_H

#include "engine.h"

#include <stdbool.h>

/* As ksiStopsAreSound has them, right after a step; type: a proven class. 0: no axis has stops. */
unsigned ksiStopsOf(int type, dJointID joint);

/* Shifts the stops of an attached joint by rounding, so that the engine finds its axes there.
 * isSolved: the step has decided this. If it takes more than rounding, ksiReadRows then refuses the
 * joint until ksiPasteJointState. */
void ksiHoldStops(int type, dJointID joint, unsigned stops, bool isSolved);

/* A bound on the rounding of an angle, rad. */
double ksiAngleRounding(double angle, bool isSingle);

#endif
