/* snapshot.h  One step of a world as bytes: copied around the engine's step on the simulating thread, and presented later, on
 * any thread, as images of bodies and joints, which the functions of this room read like the world's.
 *
 * A snapshot holds only changes of bodies since the last one, so the same images present all snapshots, in their order. */
#ifndef KSI_ENGINE_SNAPSHOT_H
#define KSI_ENGINE_SNAPSHOT_H

#include "../base/memory.h"
#include "engine.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ksiSnapshotWorld {
    dReal gravity[4], erp, cfm, contactSpeed, contactDepth;
    int iterations;   /* of dWorldQuickStep */
    unsigned threads; /* ksiThreadCount */
} ksiSnapshotWorld;

typedef struct ksiBodyEndBytes ksiBodyEndBytes;
typedef struct ksiJointEndBytes ksiJointEndBytes;

/* Bodies and joints by their rank: the last one of the world's list has rank 0. New ones are put at the head, so that the others
 * keep their ranks when contacts come and go. */
typedef struct ksiSnapshot {
    ksiSnapshotWorld world;
    bool isWhole; /* all bodies have changed */
    size_t bodyCount, jointCount, bodyChanges;
    char *bytes; /* before the step: bodies that have changed, then all joints from the head of the list on */
    size_t bytesUsed, bytesCapacity;
    ksiBodyEndBytes *bodyEnd;
    ksiJointEndBytes *jointEnd;
    dJointFeedback *feedback; /* [joints] the engine writes into it */
    size_t bodyCapacity, jointCapacity, feedbackCapacity;
} ksiSnapshot;

/* --- Taking, on the thread that steps the world --- */

typedef struct ksiTakenBody ksiTakenBody;
typedef struct ksiTakenJoint ksiTakenJoint;

/* What was taken last, to be compared with. */
typedef struct ksiTaker {
    ksiTakenBody *body;
    ksiTakenJoint *joint;
    size_t bodyCount, jointCount, bodyCapacity, jointCapacity;
    uint32_t ownBytes[KSI_JOINT_TYPES];
    bool isBlank; /* the next snapshot is to be whole */
} ksiTaker;

void ksiTakerInit(const ksiEngine *engine, ksiTaker *taker);

/* Before the step; joints have feedback of the snapshot from now on. culprit: a body that is not finite, or NULL.
 * KS_OK, or KS_ERROR_NO_MEMORY: the world is as before. */
KS_MUST_USE ksStatus ksiTakeBegin(const ksiEngine *engine, const ksAllocator *allocator, double h, ksiTaker *taker,
                                  ksiSnapshot *out, dBodyID *culprit);

/* After it: the host has its feedback back, with the numbers that the engine wrote. */
void ksiTakeEnd(const ksiEngine *engine, ksiTaker *taker, ksiSnapshot *out);

/* Is feedback of another inspector in place of the snapshot's? */
bool ksiTakeIsCovered(const ksiEngine *engine, const ksiTaker *taker, const ksiSnapshot *snapshot);

/* --- Showing, on one thread at a time --- */

typedef struct ksiImages {
    dWorldID world; /* of our own, without bodies */
    unsigned threads;
    void *firstBody, *firstJoint; /* heads of the lists */
    struct ksiBodyImage *body;
    char *joint; /* [joints][stride] */
    size_t bodyCount, jointCount, bodyCapacity, jointCapacity, stride;
    bool isBehind; /* memory ran out: only a whole snapshot can be shown */
} ksiImages;

/* engine: of the world that snapshots are taken of. seen: for the functions of this room, to read the images; it has the address
 * of these. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiImagesOpen(const ksiEngine *engine, ksiImages *images, ksiEngine *seen);
void ksiImagesClose(ksiImages *images);

/* They are the world before the step; after it. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiShowBegin(const ksAllocator *allocator, const ksiSnapshot *snapshot, ksiImages *images);
void ksiShowEnd(const ksiSnapshot *snapshot, ksiImages *images);

#endif
