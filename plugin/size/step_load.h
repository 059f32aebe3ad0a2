/* step_load.h  The load of a joint in a step, from a line of a trace. */
#ifndef KSI_SIZE_STEP_LOAD_H
#define KSI_SIZE_STEP_LOAD_H

#include "size.h"

/* Sets the load of the next waiting step. isShared: it is the share of elastic joints. */
void ksiTakeLoad(ksiSizedJoint *joint, ksValue value, const ksiReactionLine *line, bool *isShared);
/* Sets these columns of the next waiting step. */
static inline void ksiTake(ksiWaiting *waiting, int column, int count, const double *number)
{
    for (int k = 0; k < count; k++)
        waiting->column[column + k][waiting->count] = number[k];
}

#endif
