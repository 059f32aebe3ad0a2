/* copy.h  Bodies and joints as bytes, in and out. */
#ifndef KSI_ENGINE_COPY_H
#define KSI_ENGINE_COPY_H

#include "engine.h"

#include <stdint.h>

/* What a step changes. */
typedef struct ksiBodyState {
    unsigned flags; /* the engine's own */
    int mark;       /* the stepper's */
    dReal centre[4], rotation[12], quaternion[4], velocity[4], spin[4];
} ksiBodyState;

/* All of a body that rows and steppers read, but for its callbacks and when it falls asleep. */
typedef struct ksiBodyCopy {
    ksiBodyState state;
    dMass mass;
    dReal inverseMass, inverse[12], force[4], torque[4], finiteAxis[4];
    dReal linearDamping, angularDamping, linearThreshold, angularThreshold, maxAngularSpeed;
} ksiBodyCopy;

void ksiCopyState(dBodyID body, ksiBodyState *out);
void ksiPasteState(const ksiBodyState *from, dBodyID body);
void ksiCopyBody(dBodyID body, ksiBodyCopy *out);
void ksiPasteBody(const ksiBodyCopy *from, dBodyID body);

typedef struct ksiJointState {
    unsigned flags;
    int mark;
} ksiJointState;

/* Of a joint of a known class: the bytes that are its class's own. It is pasted into one of the same class and size, between
 * bodies on the same sides. */
size_t ksiOwnBytes(dJointID joint);
void ksiCopyOwn(dJointID joint, ksiJointState *state, void *own);
void ksiPasteOwn(const ksiJointState *state, const void *own, dJointID joint);
void ksiPasteMark(int mark, dJointID joint);

/* ksiOwnBytes of each class; 0: none is known. */
void ksiClassBytes(const ksiEngine *engine, uint32_t bytes[KSI_JOINT_TYPES]);

/* scratch.c: a joint of any known class, to be pasted into. first: the body of J1, NULL: not attached. NULL: out of memory. */
dJointID ksiNewJoint(dWorldID world, int type, dBodyID first, dBodyID second);

/* The joints of a body in the order of its list, which the engine's random order begins from. side: of the joint's node that is in the
 * list. joint is NULL at the end. */
typedef struct ksiLink {
    dJointID joint;
    int side;
} ksiLink;
ksiLink ksiFirstLink(dBodyID body);
ksiLink ksiNextLink(ksiLink link);
void ksiSetFirstLink(dBodyID body, ksiLink first);
void ksiSetNextLink(ksiLink link, ksiLink next);

/* Puts a world's list into this order; `object` holds all that are in the list. */
void ksiOrderObjects(void *const *head, void *const *object, size_t count);

/* ksiThreadCount of this world is as given from now on. It must not step then. */
enum { KSI_MOST_THREADS = 255 };
void ksiPretendThreads(dWorldID world, unsigned count);

#endif
