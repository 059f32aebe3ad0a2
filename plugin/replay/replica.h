/* replica.h  A world of our own in which recorded steps are seen again, and can be made otherwise. */
#ifndef KSI_REPLAY_REPLICA_H
#define KSI_REPLAY_REPLICA_H

#include "record.h"

#include <stdbool.h>

typedef struct ksiReplica ksiReplica;

/* An empty world. KS_OK, KS_ERROR_NO_MEMORY, or as ksiEngineOpen. */
KS_MUST_USE ksStatus ksiReplicaCreate(ksiReplica **replica);
void ksiReplicaDestroy(ksiReplica *replica);
dWorldID ksiReplicaWorld(const ksiReplica *replica);

/* The world becomes the recorded one, as it was before the step: what goes on keeps its addresses here. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiReplicaBegin(ksiReplica *replica, const ksiStepRecord *record);

/* Does to the world what the recorded step did, feedback of joints included. It does not step. Between ksInspectorBeginStep and
 * ksInspectorEndStep an inspector of this world finds what one of the recorded world would have found. */
void ksiReplicaEnd(ksiReplica *replica, const ksiStepRecord *record);

/* After Begin, in place of End: the engine is about to step the world, on this thread. Bodies do not fall asleep in it; those that sleep go on. With the
 * recorded seed of the random numbers it does what the recorded step did, unless a body fell asleep in that, be it that others woke it at once. */
void ksiReplicaPrepareStep(ksiReplica *replica);

/* In the recorded order. NULL: gone. */
dBodyID ksiReplicaBody(const ksiReplica *replica, size_t index);
dJointID ksiReplicaJointId(const ksiReplica *replica, size_t index);

/* Of a joint of the replica, as they were recorded: its numbers among its type and among all, those of its bodies, its address, its
 * name; false: not one of this step. */
typedef struct ksiReplicaJoint {
    uint64_t number, ordinal, body[2]; /* 0: the world */
    uint64_t address;
    const char *name; /* by the host, or NULL; valid in this step */
} ksiReplicaJoint;
bool ksiReplicaIdentify(const ksiReplica *replica, dJointID joint, ksiReplicaJoint *out);

#endif
