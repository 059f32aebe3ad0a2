/* layout.h  All private facts about the engine's memory that this library relies on.
 *
 * In ODE 0.16.2 on the Itanium C++ ABI, a joint begins with the address of its virtual table; the
 * fields of dObject follow. ksiEngineOpen proves the layout at run time before its first use. */
#ifndef KSI_ENGINE_LAYOUT_H
#define KSI_ENGINE_LAYOUT_H

#include "copy.h"

#include <stdint.h>
#include <string.h>

/* Indices of entries in a joint's virtual table. Entries 0 and 1 are destructors. Never call the
 * last entry, which re-anchors the joint. Two entries with the run-time type precede the address
 * that a joint holds. */
enum { KSI_SLOT_GET_INFO1 = 2, KSI_SLOT_GET_INFO2 = 3, KSI_SLOT_TYPE = 5, KSI_SLOT_SIZE = 6, KSI_SLOT_RE_ANCHOR = 7 };

typedef struct ksiInfo1 {
    uint8_t rows, unbounded;
} ksiInfo1;

typedef void ksiFunction(void);
typedef void ksiGetInfo1(dJointID joint, ksiInfo1 *info);
typedef void ksiGetInfo2(dJointID joint, dReal fps, dReal erp, int rowskip, dReal *J1, dReal *J2, int pairskip,
                         dReal *rhscfm, dReal *lohi, int *findex);
typedef int ksiGetType(dJointID joint);
typedef size_t ksiGetSize(dJointID joint);

/* dObject, the base of bodies and joints. */
typedef struct ksiObjectFields {
    const void *virtualTable;
    dWorldID world;
    void *next;        /* next object in the list */
    void *const *tome; /* the pointer that points to this object */
    int tag;           /* the stepper's mark */
    void *user;
} ksiObjectFields;

static inline const ksiObjectFields *ksiFieldsOfObject(const void *object)
{
    return object;
}

/* Members of a body that the library reads: proven by ksiEngineOpen. */
typedef struct ksiBodyFields {
    ksiObjectFields object;
    struct ksiJointNode *firstJoint;
    unsigned flags;
    dGeomID geom;
    dMass mass;
    dMatrix3 inverse; /* inverse inertia in the body's axes. This and inverseMass are zero for a
                         kinematic body */
    dReal inverseMass;
    dVector3 centre;
    dMatrix3 rotation;
    dQuaternion quaternion;
    dVector3 velocity, spin, force, torque;
} ksiBodyFields;

enum {
    KSI_BODY_FINITE_ROTATION = 1,
    KSI_BODY_DISABLED = 4,
    KSI_BODY_NO_GRAVITY = 8,
    KSI_BODY_AUTO_DISABLE = 16,
    KSI_BODY_LINEAR_DAMPING = 32,
    KSI_BODY_ANGULAR_DAMPING = 64,
    KSI_BODY_SPEED_CAP = 128,
    KSI_BODY_GYROSCOPIC = 256,
    KSI_BODY_SINGLE = 512 /* set by this library: the body's numbers come from an engine of single
                             precision */
};

static inline const ksiBodyFields *ksiFieldsOf(dBodyID body)
{
    return (const ksiBodyFields *)(const void *)body;
}

static inline bool ksiIsSingle(const ksiBodyFields *body)
{
    return KSI_IS_SINGLE || body->flags & KSI_BODY_SINGLE;
}

/* A joint's entry in the list of a body: node[1] is in the list of node[0].body, and node[0] in the
 * list of node[1].body. */
typedef struct ksiJointNode {
    dJointID joint;
    dBodyID body;
    struct ksiJointNode *next;
} ksiJointNode;

/* Members of a joint that the library reads: proven by ksiEngineOpen. */
typedef struct ksiJointFields {
    ksiObjectFields object;
    unsigned flags;
    ksiJointNode node[2]; /* node[0].body is the body of J1, node[1].body of J2 */
    dJointFeedback *feedback;
} ksiJointFields;

/* Does a body of an attached joint have numbers in single precision? */
static inline bool ksiHasSingle(const ksiJointFields *joint)
{
    return ksiIsSingle(ksiFieldsOf(joint->node[0].body)) ||
           (joint->node[1].body && ksiIsSingle(ksiFieldsOf(joint->node[1].body)));
}

enum {
    KSI_JOINT_IN_GROUP = 1,
    KSI_JOINT_REVERSED = 2,
    KSI_JOINT_TWO_BODIES = 4,
    KSI_JOINT_DISABLED = 8,
    KSI_JOINT_STOPPED_ELSEWHERE =
        16 /* set by this library: a recorded step found the joint's axes at other stops than those
              that the engine finds now */
};

static inline const ksiJointFields *ksiFieldsOfJoint(dJointID joint)
{
    return (const ksiJointFields *)(const void *)joint;
}

/* The world's threading, which is stored directly before the head of its list of bodies. If the
 * pointers are NULL, the calling thread does all the work. */
typedef struct ksiThreadingFields {
    const dThreadingFunctionsInfo *functions;
    dThreadingImplementationID implementation;
    void *wait;
} ksiThreadingFields;

static inline const ksiThreadingFields *ksiThreadingBefore(void *const *bodyHead)
{
    return (const ksiThreadingFields *)(const void *)bodyHead - 1;
}

/* Members of a geom and of a space: proven by ksiKnowsSpaces. */
typedef struct ksiGeomFields {
    const void *virtualTable;
    int kind;
    unsigned flags;
    void *user;
    dBodyID body;
    dGeomID nextOfBody;
    void *pose, *offset;
    dGeomID next;        /* next geom in the space's list */
    const dGeomID *tome; /* the pointer that points to this geom */
    dGeomID nextExtra;
    const dGeomID *tomeExtra;
    dSpaceID space;
    dReal box[6];
    unsigned long category, collide;
} ksiGeomFields;

typedef struct ksiSpaceFields {
    ksiGeomFields geom;
    int count;
    dGeomID first;
} ksiSpaceFields;

/* Members of a convex geom: proven by ksiKnowsConvex. */
typedef struct ksiConvexFields {
    ksiGeomFields geom;
    const dReal *plane, *point;
    const unsigned *polygon;
    unsigned planeCount, pointCount;
} ksiConvexFields;

static inline const ksiGeomFields *ksiFieldsOfGeom(dGeomID geom)
{
    return (const ksiGeomFields *)(const void *)geom;
}

static inline const ksiSpaceFields *ksiFieldsOfSpace(dSpaceID space)
{
    return (const ksiSpaceFields *)(const void *)space;
}

/* A bound on the size of a joint; the largest joint of ODE 0.16.2 has 720 bytes. */
#define KSI_JOINT_BYTES 2048

static inline const void *ksiVirtualTable(dJointID joint)
{
    return ksiFieldsOfObject(joint)->virtualTable;
}

static inline void ksiSetVirtualTable(dJointID joint, const void *table)
{
    memcpy(joint, &table, sizeof table);
}

static inline ksiFunction *ksiSlot(dJointID joint, int slot)
{
    ksiFunction *function;
    memcpy(&function, (const char *)ksiVirtualTable(joint) + (size_t)slot * sizeof function, sizeof function);
    return function;
}

/* The present number of the joint's rows. Writes the states of limits into the joint. */
static inline int ksiRowCount(dJointID joint)
{
    ksiInfo1 info = {0, 0};
    ((ksiGetInfo1 *)ksiSlot(joint, KSI_SLOT_GET_INFO1))(joint, &info);
    return info.rows;
}

static inline int ksiSlotType(dJointID joint)
{
    return ((ksiGetType *)ksiSlot(joint, KSI_SLOT_TYPE))(joint);
}

static inline size_t ksiSlotSize(dJointID joint)
{
    return ((ksiGetSize *)ksiSlot(joint, KSI_SLOT_SIZE))(joint);
}

/* Room for a copy of a joint. The engine's functions on a copy leave the joint as it is. */
typedef union ksiJointCopy {
    double align;
    char bytes[KSI_JOINT_BYTES];
} ksiJointCopy;

static inline dJointID ksiJointInRoom(dJointID joint, ksiJointCopy *room)
{
    memcpy(room->bytes, joint, ksiSlotSize(joint));
    return (dJointID)(void *)room->bytes;
}

/* The addresses of a class's functions by their symbols in the engine; NULL: no such symbol. */
typedef struct ksiSymbols {
    ksiFunction *getInfo1, *getInfo2;
} ksiSymbols;

/* type: a dJointType. Both symbols are NULL for any other number. */
ksiSymbols ksiEngineSymbols(int type);

const char *ksiClassName(int type);

/* Keeps the name of the differing part, `what` followed by `ofClass`, for ksiEngineDifference;
 * returns KS_ERROR_UNSUPPORTED_ENGINE. */
ksStatus ksiRefuse(const char *what, const char *ofClass);

/* Returns 1 if the joint's slots hold the expected functions (or the engine hides both symbols),
 * its type slot agrees with dJointGetType, and the joint has at most KSI_JOINT_BYTES bytes. */
int ksiSlotsAgree(dJointID joint, const ksiSymbols *expected);

/* objects.c: finds the world's lists, and tests whether threading and the marks of a step are where
 * expected. The classes of joints must be known. KS_OK, KS_ERROR_UNSUPPORTED_ENGINE or
 * KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiFindObjects(dWorldID world, ksiEngine *engine);

/* scratch.c: gives an attached joint its anchors and axes. */
void ksiPlaceJoint(dJointID joint, const ksiJointPose *pose);

#endif
