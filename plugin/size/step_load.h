/* step_load.h  The load of a joint in a step, from a line of a trace. */
#ifndef KSI_SIZE_STEP_LOAD_H
#define KSI_SIZE_STEP_LOAD_H

#include "size.h"

/* For means about the joint's point: has the point kept its position in the axes of the joint since
 * the first step, apart from drift? Only then does the mean torque about the point follow from the
 * mean force and the mean torque about the anchor. *moved: the distance from the first position,
 * m. */
bool ksiPointStays(ksiSizedJoint *joint, const ksiReactionLine *line, double *moved);
/* Sets the load of the next waiting step. *isShared: the joint's own load is unknown, and the load
 * is the one that the joint would carry if all joints were elastic. */
void ksiTakeLoad(ksiSizedJoint *joint, ksValue value, const ksiReactionLine *line, bool *isShared);
/* Sets these columns of the next waiting step. */
static inline void ksiTake(ksiWaiting *waiting, int column, int count, const double *number)
{
    for (int k = 0; k < count; k++)
        waiting->column[column + k][waiting->count] = number[k];
}

#endif
