/* snapshot.h  One step of a world as bytes, copied before and after the engine's step. Any thread
 * can present the step later as images of bodies and joints; the functions of this folder read
 * images like the originals.
 *
 * A snapshot holds only the bodies that changed. So one set of images presents all snapshots, in
 * order. */
#ifndef KSI_ENGINE_SNAPSHOT_H
#define KSI_ENGINE_SNAPSHOT_H

#include "../base/memory.h"
#include "engine.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ksiSnapshotWorld {
    dReal gravity[4], erp, cfm, contactSpeed, contactDepth;
    int iterations;   /* iterations of dWorldQuickStep */
    unsigned threads; /* ksiThreadCount */
} ksiSnapshotWorld;

typedef struct ksiBodyEndBytes ksiBodyEndBytes;
typedef struct ksiJointEndBytes ksiJointEndBytes;

/* Arrays have bodies and joints by their rank: the last object in the world's list has rank 0. New
 * objects enter the list at its head, so the others keep their ranks when contacts come and go. */
typedef struct ksiSnapshot {
    ksiSnapshotWorld world;
    bool isWhole; /* all bodies have changed */
    size_t bodyCount, jointCount, bodyChanges;
    char *bytes; /* before the step: changed bodies, then all joints from the head of the list */
    size_t bytesUsed, bytesCapacity;
    ksiBodyEndBytes *bodyEnd;
    ksiJointEndBytes *jointEnd;
    dJointFeedback *feedback; /* [joints] the engine writes its forces here */
    size_t bodyCapacity, jointCapacity, feedbackCapacity;
} ksiSnapshot;

/* --- To take a snapshot, on the thread that steps the world --- */

typedef struct ksiTakenBody ksiTakenBody;
typedef struct ksiTakenJoint ksiTakenJoint;

/* The last copy of the world, with which the next step is compared. */
typedef struct ksiTaker {
    ksiTakenBody *body;
    ksiTakenJoint *joint;
    size_t bodyCount, jointCount, bodyCapacity, jointCapacity;
    uint32_t ownBytes[KSI_JOINT_TYPES];
    bool isBlank; /* the next snapshot must be whole */
} ksiTaker;

void ksiTakerInit(const ksiEngine *engine, ksiTaker *taker);

/* Call it before the step; joints then use the snapshot's feedback. *culprit: the first body in the
 * list that is not finite, or NULL. KS_OK, or KS_ERROR_NO_MEMORY: the world is unchanged. */
KS_MUST_USE ksStatus ksiTakeBegin(const ksiEngine *engine, const ksAllocator *allocator, double h, ksiTaker *taker,
                                  ksiSnapshot *out, dBodyID *culprit);

/* Call it after the step: gives the host its feedback back, with the numbers that the engine
 * wrote. */
void ksiTakeEnd(const ksiEngine *engine, ksiTaker *taker, ksiSnapshot *out);

/* Has another inspector replaced the snapshot's feedback? */
bool ksiTakeIsCovered(const ksiEngine *engine, const ksiTaker *taker, const ksiSnapshot *snapshot);

/* --- To show a snapshot, on one thread at a time --- */

typedef struct ksiImages {
    dWorldID world; /* the library's own world, without bodies */
    unsigned threads;
    void *firstBody, *firstJoint; /* heads of the lists */
    struct ksiBodyImage *body;
    char *joint; /* [joints][stride] */
    size_t bodyCount, jointCount, bodyCapacity, jointCapacity, stride;
    bool isBehind; /* memory ran out, so only a whole snapshot can be shown next */
} ksiImages;

/* engine: opened for the world of the snapshots. seen: an engine through which this room's
 * functions read the images; it keeps the address of `images`. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiImagesOpen(const ksiEngine *engine, ksiImages *images, ksiEngine *seen);
void ksiImagesClose(ksiImages *images);

/* ksiShowBegin presents the world before the step; ksiShowEnd then presents it after the step.
 * KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiShowBegin(const ksAllocator *allocator, const ksiSnapshot *snapshot, ksiImages *images);
void ksiShowEnd(const ksiSnapshot *snapshot, ksiImages *images);

#endif
