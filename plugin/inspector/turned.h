/* turned.h  Reactions of joints that have drifted apart, as forces that are open. */
#ifndef KSI_TURNED_H
#define KSI_TURNED_H

#include "step_view.h"

/* Adds to `force` [coordinates of the island] what a joint's reaction changes by if its bodies are turned to where it fits; false
 * if it fits. */
bool ksiTurnReaction(const ksiStep *step, int joint, const ksiPhysical *physical, double *force);

#endif
