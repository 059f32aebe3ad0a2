/* replica.h  A world of the library's own that reproduces recorded steps and can vary them. */
#ifndef KSI_REPLAY_REPLICA_H
#define KSI_REPLAY_REPLICA_H

#include "record.h"

#include <stdbool.h>

typedef struct ksiReplica ksiReplica;

/* Creates an empty world. KS_OK, KS_ERROR_NO_MEMORY, or as ksiEngineOpen. */
KS_MUST_USE ksStatus ksiReplicaCreate(ksiReplica **replica);
void ksiReplicaDestroy(ksiReplica *replica);
dWorldID ksiReplicaWorld(const ksiReplica *replica);

/* Sets the world to the recorded one before the step; objects that persist keep their addresses
 * here. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiReplicaBegin(ksiReplica *replica, const ksiStepRecord *record);

/* Applies the results of the recorded step, feedback of joints included, without a step. If
 * ksInspectorBeginStep and ksInspectorEndStep enclose the call, an inspector of this world has the
 * same results as an inspector of the recorded world. */
void ksiReplicaEnd(ksiReplica *replica, const ksiStepRecord *record);

/* After Begin, instead of End: prepares a step of the engine on this thread, in which no body falls
 * asleep or wakes by itself. With the recorded random seed it repeats the recorded step, unless a
 * body fell asleep in the recorded step, even if the body woke at once. */
void ksiReplicaPrepareStep(ksiReplica *replica);

/* The body or joint at an index of the recorded order. NULL: it is gone, or the joint's class is
 * unknown. */
dBodyID ksiReplicaBody(const ksiReplica *replica, size_t index);
dJointID ksiReplicaJointId(const ksiReplica *replica, size_t index);

/* Recorded data of a joint of the replica: its numbers within its type and in total, its bodies'
 * numbers, its address and its name. false: the joint is not in this step. */
typedef struct ksiReplicaJoint {
    uint64_t number, ordinal, body[2]; /* 0: the world */
    uint64_t address;
    const char *name; /* given by the host, or NULL; valid during this step */
} ksiReplicaJoint;
bool ksiReplicaIdentify(const ksiReplica *replica, dJointID joint, ksiReplicaJoint *out);

#endif
