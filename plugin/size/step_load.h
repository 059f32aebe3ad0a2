/* step_load.h  The load of a joint in a step, from a line of a trace. */
#ifndef KSI_SIZE_STEP_LOAD_H
#define KSI_SIZE_STEP_LOAD_H

#include "size.h"

/* Means about the joint's point: is it, but for drift, where it was in the first of these steps, in
 * the axes of the joint? Only then is the mean torque about it the mean torque about the anchor
 * plus the distance times the mean force. moved: m. */
bool ksiPointStays(ksiSizedJoint *joint, const ksiReactionLine *line, double *moved);
/* Sets the load of the next waiting step. isShared: it is the share of elastic joints. */
void ksiTakeLoad(ksiSizedJoint *joint, ksValue value, const ksiReactionLine *line, bool *isShared);
/* Sets these columns of the next waiting step. */
static inline void ksiTake(ksiWaiting *waiting, int column, int count, const double *number)
{
    for (int k = 0; k < count; k++)
        waiting->column[column + k][waiting->count] = number[k];
}

#endif
