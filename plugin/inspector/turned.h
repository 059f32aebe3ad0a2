/* turned.h  Reactions of joints that have drifted apart, as forces that are open. */
#ifndef KSI_INSPECTOR_TURNED_H
#define KSI_INSPECTOR_TURNED_H

#include "step_view.h"

/* How far its bodies are apart where it fits, in radii of gyration of one of them: points, and axes. 0 of contacts. */
double ksiRelativeGap(const ksiStep *step, int joint);

/* Adds to `force` [coordinates of the island] what a joint's reaction changes by if its bodies are turned to where it fits; false
 * if it fits. */
bool ksiTurnReaction(const ksiStep *step, int joint, const ksiPhysical *physical, double *force);

#endif
