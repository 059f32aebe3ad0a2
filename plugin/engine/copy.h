/* copy.h  Reads and writes bodies, joints and their lists. */
#ifndef KSI_ENGINE_COPY_H
#define KSI_ENGINE_COPY_H

#include "engine.h"

#include <stdbool.h>
#include <stdint.h>

/* The part of a body's state that a step changes. Members have 64 bits each, because they are also
 * fields of a record (record.h). */
typedef struct ksiBodyState {
    uint64_t flags; /* the engine's flags, and the precision of the numbers */
    int64_t mark;   /* the stepper's mark */
    double centre[3], rotation[9], quaternion[4], velocity[3], spin[3];
} ksiBodyState;
enum { KSI_BODY_FLAGS = 0x3ff, KSI_JOINT_FLAGS = 0xf };

/* All data of a body that rows and steppers read, except its callbacks and its auto-disable
 * settings. */
typedef struct ksiBodyCopy {
    ksiBodyState state;
    double mass, massCentre[3], inertia[9], inverseMass, inverse[9], force[3], torque[3], finiteAxis[3];
    double linearDamping, angularDamping, linearThreshold, angularThreshold, maxAngularSpeed;
} ksiBodyCopy;

bool ksiIsSingleCopy(const ksiBodyCopy *copy);

bool ksiIsAsleep(const ksiBodyState *state);
void ksiCopyState(dBodyID body, ksiBodyState *out);
void ksiPasteState(const ksiBodyState *from, dBodyID body);
void ksiCopyBody(dBodyID body, ksiBodyCopy *out);
void ksiPasteBody(const ksiBodyCopy *from, dBodyID body);

/* ksiUnpadMatrix removes the unused fourth column of an engine's matrix; ksiPadMatrix adds it. */
void ksiUnpadMatrix(double out[9], const dReal matrix[12]);
void ksiPadMatrix(const double from[9], dReal matrix[12]);

/* State of a joint outside the fields of its class (fields.h). */
typedef struct ksiJointState {
    uint64_t flags;
    int64_t mark;
} ksiJointState;
ksiJointState ksiCopyJointState(dJointID joint);
void ksiPasteJointState(const ksiJointState *state, dJointID joint);
void ksiPasteMark(int mark, dJointID joint);

/* Number of bytes of each class of joints after ksiJointFields; 0: unknown class. */
void ksiClassBytes(const ksiEngine *engine, uint32_t bytes[KSI_JOINT_TYPES]);

/* scratch.c: the pose of a joint of any type: its anchors, and the orthonormal axes that the type
 * needs. */
typedef struct ksiJointPose {
    double point[3], second[3]; /* point: the anchor; second: the other anchor of a joint with two
                                   anchors */
    double x[3], y[3], z[3];
} ksiJointPose;

/* Creates a joint of this type between two bodies; either may be NULL if the type permits it.
 * Returns NULL if the type does not exist, if it needs both bodies, or if there is no memory. */
dJointID ksiCreateJoint(dWorldID world, int type, dBodyID first, dBodyID second, const ksiJointPose *pose);

/* scratch.c: creates a joint of any known class, as a destination for pasted state. first: body of
 * J1; NULL: the joint is not attached. Returns NULL in the same cases as ksiCreateJoint. */
dJointID ksiNewJoint(dWorldID world, int type, dBodyID first, dBodyID second);

/* A place in a body's list of joints. The engine's random order depends on the order of this list.
 * side: the joint's node with this index is in the list. joint is NULL at the end of the list. */
typedef struct ksiBodyLink {
    dJointID joint;
    int side;
} ksiBodyLink;
ksiBodyLink ksiFirstLink(dBodyID body);
ksiBodyLink ksiNextLink(ksiBodyLink link);
void ksiSetFirstLink(dBodyID body, ksiBodyLink first);
void ksiSetNextLink(ksiBodyLink link, ksiBodyLink next);

/* Puts a world's list into this order; `object` must hold all of its objects. */
void ksiOrderObjects(void *const *head, void *const *object, size_t count);

/* Makes ksiThreadCount return this number for the world, which must not step afterwards. */
enum { KSI_MOST_THREADS = 255 };
void ksiPretendThreads(dWorldID world, unsigned count);

#endif
