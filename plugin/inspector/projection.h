/* projection.h  An island in the pose in which its joints fit. */
#ifndef KSI_PROJECTION_H
#define KSI_PROJECTION_H

#include "../engine/engine.h"
#include "../mechanics/nearest.h"

#include <stdbool.h>

/* of a unit self-stress: less of it in a joint is what is left of the drift */
#define KSI_PROJECTED_NOISE 1e-2

/* A body there, and how it was turned on the way. */
typedef struct ksiMovedBody {
    ksiBody at;
    double turn[9];
} ksiMovedBody;

/* A joint there. turned: its bilateral rows are written in another frame; C, and the rows C J' in that of before. */
typedef struct ksiMovedJoint {
    ksiRows rows;
    double gap[KSI_MAX_ROWS];
    bool turned;
    double frame[KSI_MAX_ROWS][KSI_MAX_ROWS], jacobian[KSI_MAX_ROWS][12];
} ksiMovedJoint;

/* Of one island, until the next one is asked for. */
typedef struct ksiProjection {
    ksiNearest nearest;
    ksiMovedBody *body;   /* [bodies] of the island, by block */
    ksiMovedJoint *joint; /* [joints] of the island */
    size_t bodyCapacity, jointCapacity;
    bool isMoved; /* false: the joints do not come together, and this is where they were */
    bool known;   /* multipliers are */
} ksiProjection;

#endif
