/* step_load.h  The load of a joint in a step, from a line of a trace. */
#ifndef KSI_SIZE_STEP_LOAD_H
#define KSI_SIZE_STEP_LOAD_H

#include "size.h"

/* For means about the joint's point: is it where it was in the first step, apart from drift, in the
 * axes of the joint? Only then the mean torque about it follows from the mean torque about the
 * anchor and the mean force. moved: its distance from the first place, m. */
bool ksiPointStays(ksiSizedJoint *joint, const ksiReactionLine *line, double *moved);
/* Sets the load of the next waiting step. isShared: the load is the share of elastic joints. */
void ksiTakeLoad(ksiSizedJoint *joint, ksValue value, const ksiReactionLine *line, bool *isShared);
/* Sets these columns of the next waiting step. */
static inline void ksiTake(ksiWaiting *waiting, int column, int count, const double *number)
{
    for (int k = 0; k < count; k++)
        waiting->column[column + k][waiting->count] = number[k];
}

#endif
