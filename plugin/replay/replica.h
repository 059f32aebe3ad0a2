/* replica.h  A world that belongs to the library, reproduces recorded steps and can vary them. */
#ifndef KSI_REPLAY_REPLICA_H
#define KSI_REPLAY_REPLICA_H

#include "record.h"

#include <stdbool.h>

typedef struct ksiReplica ksiReplica;

/* Creates an empty world. Returns KS_OK, KS_ERROR_NO_MEMORY, or an error of ksiEngineOpen. */
KS_MUST_USE ksStatus ksiReplicaCreate(ksiReplica **replica);
void ksiReplicaDestroy(ksiReplica *replica);
dWorldID ksiReplicaWorld(const ksiReplica *replica);

/* Sets the world to the recorded state before the step. Objects that persist from the last record
 * keep their addresses in this world. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiReplicaBegin(ksiReplica *replica, const ksiStepRecord *record);

/* Applies the results of the recorded step, including the feedback of joints, without a step. If
 * the call is between ksInspectorBeginStep and ksInspectorEndStep, an inspector of this world has
 * the same results as an inspector of the recorded world. */
void ksiReplicaEnd(ksiReplica *replica, const ksiStepRecord *record);

/* Call it after ksiReplicaBegin, instead of ksiReplicaEnd. Prepares a step of the engine on this
 * thread, in which no body falls asleep or wakes by itself. With the recorded random seed, this
 * step repeats the recorded step. The exception is a recorded step in which a body fell asleep,
 * even if the body woke at once. */
void ksiReplicaPrepareStep(ksiReplica *replica);

/* The body or joint at an index of the recorded order. NULL: the object is gone, or the joint's
 * class is unknown. */
dBodyID ksiReplicaBody(const ksiReplica *replica, size_t index);
dJointID ksiReplicaJointId(const ksiReplica *replica, size_t index);

/* Recorded data of a joint of the replica. number: among the joints of its type; ordinal: among all
 * joints; body: the numbers of its bodies; address: its recorded address. ksiReplicaIdentify
 * returns false if the joint is not in this step. */
typedef struct ksiReplicaJoint {
    uint64_t number, ordinal, body[2]; /* 0: the world */
    uint64_t address;
    const char *name; /* given by the host, or NULL; valid during this step */
} ksiReplicaJoint;
bool ksiReplicaIdentify(const ksiReplica *replica, dJointID joint, ksiReplicaJoint *out);

#endif
