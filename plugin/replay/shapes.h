/* shapes.h  Recorded shapes on the bodies of a replica, for those who look at it. */
#ifndef KSI_REPLAY_SHAPES_H
#define KSI_REPLAY_SHAPES_H

#include "replica.h"

/* A space with these geoms, of the record that the replica has now. It is to be destroyed (dSpaceDestroy) before the replica goes on, and its
 * geoms with it. NULL: out of memory. */
dSpaceID ksiShapesMake(const ksiReplica *replica, const ksiGeomRecord *geom, size_t count);

#endif
