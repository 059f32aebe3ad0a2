/* stops.h  Tells which stops the axes of a joint have reached in a step.
 *
 * The engine compares the angle or position of an axis with its stops. If the axis rests on a stop,
 * the last digit decides. So an engine of another precision or build may find other stops in the
 * same pose. */
#ifndef KSI_ENGINE_STOPS_H
#define KSI_ENGINE_STOPS_H

#include "engine.h"

#include <stdbool.h>

/* Call it right after a step. type: a proven class. Returns the format of ksiStopsAreSound; 0: no
 * axis has stops. */
unsigned ksiStopsOf(int type, dJointID joint);

/* Shifts the stops of an attached joint by a rounding, so that the engine finds the joint's axes at
 * `stops`. isSolved: the step itself tested the stops. If a rounding does not suffice, ksiReadRows
 * refuses the joint until ksiPasteJointState is called. */
void ksiHoldStops(int type, dJointID joint, unsigned stops, bool isSolved);

/* A bound on the rounding of an angle, rad. */
double ksiAngleRounding(double angle, bool isSingle);

#endif
