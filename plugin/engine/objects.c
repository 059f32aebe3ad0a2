/* objects.c  Finds the lists of a world's bodies and joints.
 *
 * The engine has no public function for these lists. It puts a new object at the head of its list.
 * The object's member `tome` then holds the address at which the engine keeps the head. To learn
 * both addresses, this library once creates and destroys a body and a joint. It reads the heads at
 * each step. */
#include "body_stamp.h"
#include "image.h"
#include "snapshot.h"

#include "../base/fpguard.h"

#include <stdbool.h>

static int knownType(int type)
{
    return type > 0 && type < KSI_JOINT_TYPES;
}

static unsigned flagsOf(dBodyID body)
{
    unsigned flags = 0;
    flags |= dBodyGetFiniteRotationMode(body) ? KSI_BODY_FINITE_ROTATION : 0u;
    flags |= dBodyIsEnabled(body) ? 0u : KSI_BODY_DISABLED;
    flags |= dBodyGetGravityMode(body) ? 0u : KSI_BODY_NO_GRAVITY;
    flags |= dBodyGetAutoDisableFlag(body) ? KSI_BODY_AUTO_DISABLE : 0u;
    flags |= dBodyGetLinearDamping(body) != 0 ? KSI_BODY_LINEAR_DAMPING : 0u;
    flags |= dBodyGetAngularDamping(body) != 0 ? KSI_BODY_ANGULAR_DAMPING : 0u;
    flags |= dBodyGetMaxAngularSpeed(body) < dInfinity ? KSI_BODY_SPEED_CAP : 0u;
    flags |= dBodyGetGyroscopicMode(body) ? KSI_BODY_GYROSCOPIC : 0u;
    return flags;
}

/* The first member of a body that contradicts its public getter; NULL: none. */
static const char *oddMember(dBodyID body)
{
    static const unsigned all = KSI_BODY_FINITE_ROTATION | KSI_BODY_DISABLED | KSI_BODY_NO_GRAVITY |
                                KSI_BODY_AUTO_DISABLE | KSI_BODY_LINEAR_DAMPING | KSI_BODY_ANGULAR_DAMPING |
                                KSI_BODY_SPEED_CAP | KSI_BODY_GYROSCOPIC;
    const ksiBodyFields *fields = ksiFieldsOf(body);
    dMass mass;
    dBodyGetMass(body, &mass);
    return fields->centre != dBodyGetPosition(body)                      ? "dxBody::posr.pos"
           : fields->rotation != dBodyGetRotation(body)                  ? "dxBody::posr.R"
           : fields->quaternion != dBodyGetQuaternion(body)              ? "dxBody::q"
           : fields->velocity != dBodyGetLinearVel(body)                 ? "dxBody::lvel"
           : fields->spin != dBodyGetAngularVel(body)                    ? "dxBody::avel"
           : fields->force != dBodyGetForce(body)                        ? "dxBody::facc"
           : fields->torque != dBodyGetTorque(body)                      ? "dxBody::tacc"
           : memcmp(&fields->mass, &mass, sizeof mass) != 0              ? "dxBody::mass"
           : (fields->inverseMass == 0) != (dBodyIsKinematic(body) != 0) ? "dxBody::invMass"
           : (fields->flags & all) != flagsOf(body)                      ? "dxBody::flags"
                                                                         : NULL;
}

/* Sets *odd if it is still NULL. */
static void lookAt(dBodyID body, const char **odd)
{
    if (!*odd)
        *odd = oddMember(body);
}

/* Tests a fresh body with each flag set and cleared, with another mass, and as a kinematic body. */
static const char *oddMemberOfFresh(dBodyID body)
{
    const ksiBodyFields *fields = ksiFieldsOf(body);
    const char *odd = oddMember(body);
    dMass mass;
    for (int on = 1; !odd && on >= 0; on--) {
        dBodySetFiniteRotationMode(body, on), lookAt(body, &odd);
        dBodySetGravityMode(body, !on), lookAt(body, &odd);
        dBodySetAutoDisableFlag(body, on), lookAt(body, &odd);
        dBodySetLinearDamping(body, 0.25 * on), lookAt(body, &odd);
        dBodySetAngularDamping(body, 0.5 * on), lookAt(body, &odd);
        dBodySetMaxAngularSpeed(body, on ? 8 : dInfinity), lookAt(body, &odd);
        dBodySetGyroscopicMode(body, !on), lookAt(body, &odd);
        (on ? dBodyDisable : dBodyEnable)(body), lookAt(body, &odd);
    }
    dMassSetParameters(&mass, 16, 0, 0, 0, 1, 4, 16, 0, 0, 0);
    dBodySetMass(body, &mass), lookAt(body, &odd);
    if (!odd && (fields->inverse[0] != 1 || fields->inverse[5] != 0.25 || fields->inverse[10] != 0.0625))
        odd = "dxBody::invI";
    if (!odd && fields->inverseMass != 0.0625)
        odd = "dxBody::invMass";
    dBodySetKinematic(body), lookAt(body, &odd);
    return odd || fields->inverse[5] == 0 ? odd : "dxBody::invI";
}

static const char *oddMemberOfJoint(dJointID joint)
{
    const ksiJointFields *fields = ksiFieldsOfJoint(joint);
    const int first = (fields->flags & KSI_JOINT_REVERSED) != 0;
    return fields->node[first].body != dJointGetBody(joint, 0) || fields->node[!first].body != dJointGetBody(joint, 1)
               ? "dxJoint::node"
           : (fields->flags & KSI_JOINT_DISABLED ? 0 : 1) != dJointIsEnabled(joint) ? "dxJoint::flags"
           : fields->feedback != dJointGetFeedback(joint)                           ? "dxJoint::feedback"
                                                                                    : NULL;
}

/* Is node[1] of a joint to the world the only node in its body's list? If the joint is not
 * attached: is the list empty? */
static int linksAgree(dJointID joint, dBodyID body)
{
    const ksiJointFields *fields = ksiFieldsOfJoint(joint);
    const void *first = ksiFieldsOf(body)->firstJoint;
    const int attached = fields->node[0].body == body;
    return attached ? first == &fields->node[1] && fields->node[1].joint == joint && !fields->node[1].next : !first;
}

static void lookAtJoint(dJointID joint, const char **odd)
{
    if (!*odd)
        *odd = oddMemberOfJoint(joint);
}

/* Tests a fresh joint on either side of a body, disabled, and with feedback. */
static const char *oddMemberOfFreshJoint(dJointID joint, dBodyID body)
{
    dJointFeedback feedback;
    const char *odd = oddMemberOfJoint(joint);
    for (int on = 1; !odd && on >= 0; on--) {
        dJointAttach(joint, on ? NULL : body, on ? body : NULL), lookAtJoint(joint, &odd);
        if (!odd && !linksAgree(joint, body))
            odd = "dxBody::firstjoint";
        (on ? dJointDisable : dJointEnable)(joint), lookAtJoint(joint, &odd);
        dJointSetFeedback(joint, on ? &feedback : NULL), lookAtJoint(joint, &odd);
    }
    return odd;
}

/* The first member which shows that a listed object belongs to another world or to another copy of
 * the engine, or has another layout; NULL: none. */
static const char *oddMemberOfLists(const ksiEngine *engine)
{
    const char *odd = NULL;
    for (dBodyID body = ksiFirstBody(engine); body && !odd; body = ksiNextBody(body)) {
        if (ksiFieldsOfObject(body)->world != engine->world || dBodyGetWorld(body) != engine->world)
            odd = "dBase::world of a body";
        lookAt(body, &odd);
    }
    for (dJointID joint = ksiFirstJoint(engine); joint && !odd; joint = ksiNextJoint(joint)) {
        if (ksiFieldsOfObject(joint)->world != engine->world)
            odd = "dBase::world of a joint";
        else if (!ksiKnownType(engine, joint))
            odd = "the virtual table of a joint";
        lookAtJoint(joint, &odd);
    }
    return odd;
}

/* The address of a list's head, from the list's newest object; NULL if this object is not at the
 * head. */
static void *const *headOf(const void *fresh, dWorldID world)
{
    const ksiObjectFields *fields = ksiFieldsOfObject(fresh);
    if (fields->world != world || !fields->tome || *fields->tome != fresh)
        return NULL;
    return fields->tome;
}

/* The world keeps its number of bodies and its number of joints after the two heads. The offset is
 * proven if both numbers are right with the probes and without. */
static const int *countsBehind(const ksiEngine *engine)
{
    if ((const char *)engine->jointHead - (const char *)engine->bodyHead != (ptrdiff_t)sizeof(void *))
        return NULL;
    int bodies = 0, joints = 0;
    for (dBodyID body = ksiFirstBody(engine); body; body = ksiNextBody(body))
        bodies++;
    for (dJointID joint = ksiFirstJoint(engine); joint; joint = ksiNextJoint(joint))
        joints++;
    const int *counts = (const int *)(const void *)(engine->jointHead + 1);
    return counts[0] == bodies && counts[1] == joints ? counts : NULL;
}

static ksStatus probe(dWorldID world, ksiEngine *engine)
{
    dBodyID body = dBodyCreate(world);
    if (!body)
        return KS_ERROR_NO_MEMORY;
    dJointID joint = dJointCreateBall(world, NULL);
    if (!joint) {
        dBodyDestroy(body);
        return KS_ERROR_NO_MEMORY;
    }
    engine->world = world;
    engine->bodyHead = headOf(body, world);
    engine->jointHead = headOf(joint, world);
    const char *odd = oddMemberOfFresh(body);
    if (!odd)
        odd = oddMemberOfFreshJoint(joint, body);
    const int *with = engine->bodyHead && engine->jointHead ? countsBehind(engine) : NULL;
    const void *nextBody = ksiNextBody(body), *nextJoint = ksiNextJoint(joint);
    dJointDestroy(joint);
    dBodyDestroy(body);

    if (!odd && (!engine->bodyHead || !engine->jointHead))
        odd = "dObject::tome";
    // without the probes, the objects that followed them must be the heads
    if (!odd && (*engine->bodyHead != nextBody || *engine->jointHead != nextJoint))
        odd = "dObject::next";
    if (!odd)
        odd = oddMemberOfLists(engine);
    if (odd)
        return ksiRefuse(odd, "");
    engine->counts = with ? countsBehind(engine) : NULL;
    return KS_OK;
}

int ksiJointStamp(const ksiEngine *engine, ksiStamp *stamp)
{
    if (!engine->counts)
        return 0;
    int reversed;
    *stamp = (ksiStamp){.head = ksiFirstJoint(engine), .count = engine->counts[1]};
    if (stamp->head)
        stamp->mark = ksiJointMark(engine, stamp->head);
    if (stamp->head && !stamp->mark) {
        stamp->type = dJointGetType(stamp->head);
        ksiJointBodies(stamp->head, stamp->body, &reversed);
    }
    return 1;
}

static bool isAsStamped(const ksiStamp *stamp)
{
    dBodyID body[2];
    int reversed;
    ksiJointBodies(stamp->head, body, &reversed);
    return dJointGetType(stamp->head) == stamp->type && body[0] == stamp->body[0] && body[1] == stamp->body[1];
}

int ksiStampHolds(const ksiEngine *engine, const ksiStamp *stamp)
{
    const dJointID head = ksiFirstJoint(engine);
    if (head != stamp->head || engine->counts[1] != stamp->count)
        return 0;
    if (!head)
        return 1;
    return ksiJointMark(engine, head) == stamp->mark && (stamp->mark || isAsStamped(stamp));
}

ksiBodyStamp ksiStampBodies(const ksiEngine *engine)
{
    return (ksiBodyStamp){ksiFirstBody(engine), engine->counts ? engine->counts[0] : -1};
}

int ksiBodyStampHolds(const ksiEngine *engine, const ksiBodyStamp *stamp)
{
    const ksiBodyStamp now = ksiStampBodies(engine);
    return now.count >= 0 && now.count == stamp->count && now.head == stamp->head;
}

/* Does the world keep its threading where expected? Leaves the world with `threading`. */
static int threadingIsFound(dBodyID body, dWorldID world, dThreadingImplementationID threading)
{
    const dThreadingFunctionsInfo *functions = dThreadingImplementationGetFunctions(threading);
    void *const *head = headOf(body, world);
    const int inside = head && (const char *)head - (const char *)world >= (ptrdiff_t)sizeof(ksiThreadingFields);
    const ksiThreadingFields *fields = inside ? ksiThreadingBefore(head) : NULL;
    const int fresh = fields && !fields->functions && !fields->implementation;
    ksiSetThreading(world, functions, threading);
    return fresh && fields->functions == functions && fields->implementation == threading;
}

/* A fresh joint has the mark 0. In a step, a disabled joint on a moving body gets the mark -1. The
 * island of this joint needs no random numbers, whose seed belongs to the host. */
static int marksAreFound(dBodyID body, dWorldID world)
{
    dJointID joint = dJointCreateBall(world, NULL);
    if (!joint)
        return 0;
    dJointAttach(joint, body, NULL);
    dJointDisable(joint);
    return ksiFieldsOfObject(joint)->tag == 0 && ksiStepOwn(world, KS_WORLD_STEP, 1) &&
           ksiFieldsOfObject(joint)->tag == -1;
}

/* Tests the offsets of threading and marks with a step of a scratch world. */
static void tryStep(ksiEngine *found)
{
    dThreadingImplementationID threading = dThreadingAllocateSelfThreadedImplementation();
    dWorldID world = threading ? ksiMakeOwnWorld() : NULL;
    dBodyID body = world ? dBodyCreate(world) : NULL;
    if (body) {
        found->threading = threadingIsFound(body, world, threading);
        found->tagged = marksAreFound(body, world);
    }
    if (world)
        dWorldDestroy(world);
    if (threading)
        dThreadingFreeImplementation(threading);
}

ksStatus ksiFindObjects(dWorldID world, ksiEngine *engine)
{
    const ksStatus status = probe(world, engine);
    if (status == KS_OK)
        tryStep(engine);
    return status;
}

unsigned ksiThreadCount(const ksiEngine *engine)
{
    if (engine->images)
        return engine->images->threads;
    const ksiThreadingFields *fields = engine->threading ? ksiThreadingBefore(engine->bodyHead) : NULL;
    return fields && fields->functions ? fields->functions->retrieve_thread_count(fields->implementation) : 0;
}

static bool isOfType(const ksiEngine *engine, dJointID joint, int type)
{
    return knownType(type) && ksiVirtualTable(joint) == engine->vtable[type];
}

int ksiJointMark(const ksiEngine *engine, dJointID joint)
{
    return engine->tagged ? ksiFieldsOfObject(joint)->tag : 0;
}

void ksiJointBodies(dJointID joint, dBodyID body[2], int *reversed)
{
    const ksiJointFields *fields = ksiFieldsOfJoint(joint);
    body[0] = fields->node[0].body;
    body[1] = fields->node[1].body;
    *reversed = body[0] && (fields->flags & KSI_JOINT_REVERSED);
}

void ksiReadJoint(const ksiEngine *engine, dJointID joint, dJointType expected, ksiJoint *out)
{
    const ksiJointFields *fields = ksiFieldsOfJoint(joint);
    if (engine->images) {
        const ksiJointImage *image = ksiImageOfJoint(joint);
        out->type = (dJointType)image->type;
        memcpy(out->body, image->body, sizeof out->body);
        out->reversed = image->body[0] && (fields->flags & KSI_JOINT_REVERSED);
    } else {
        out->type = isOfType(engine, joint, (int)expected) ? expected : dJointGetType(joint);
        ksiJointBodies(joint, out->body, &out->reversed);
    }
    out->enabled = !(fields->flags & KSI_JOINT_DISABLED);
    out->mark = ksiJointMark(engine, joint);
    out->feedback = fields->feedback;
}

int ksiKnownType(const ksiEngine *engine, dJointID joint)
{
    const void *table = ksiVirtualTable(joint);
    for (int type = 1; type < KSI_JOINT_TYPES; type++)
        if (engine->vtable[type] == table)
            return type;
    return 0;
}

dBodyID ksiFirstBody(const ksiEngine *engine)
{
    return *engine->bodyHead;
}

dBodyID ksiNextBody(dBodyID body)
{
    return ksiFieldsOfObject(body)->next;
}

dJointID ksiFirstJoint(const ksiEngine *engine)
{
    return *engine->jointHead;
}

dJointID ksiNextJoint(dJointID joint)
{
    return ksiFieldsOfObject(joint)->next;
}
