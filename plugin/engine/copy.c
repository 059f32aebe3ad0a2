/* copy.c  Copies bodies and joints to objects of another world.
 *
 * Copies hold all data that rows and steppers read, bit for bit. So axes are written directly:
 * their setters would normalise them. */
#include "copy.h"

#include "layout.h"

/* The place of the body's axis of finite rotation, if this axis follows the torque in memory; else
 * NULL. */
static dReal *finiteAxis(dBodyID body)
{
    dVector3 axis;
    dReal *place = (dReal *)(uintptr_t)(ksiFieldsOf(body)->torque + 4);
    dBodySetFiniteRotationAxis(body, 0, 1, 0);
    dBodyGetFiniteRotationAxis(body, axis);
    return memcmp(place, axis, 3 * sizeof *axis) ? NULL : place;
}

void ksiUnpadMatrix(double out[9], const dReal matrix[12])
{
    for (size_t row = 0; row < 3; row++)
        ksiTakeNumbers(out + 3 * row, matrix + 4 * row, 3);
}

void ksiPadMatrix(const double from[9], dReal matrix[12])
{
    for (size_t row = 0; row < 3; row++)
        ksiPutNumbers(from + 3 * row, matrix + 4 * row, 3);
}

bool ksiIsAsleep(const ksiBodyState *state)
{
    return (state->flags & KSI_BODY_DISABLED) != 0;
}

void ksiCopyState(dBodyID body, ksiBodyState *out)
{
    const ksiBodyFields *from = ksiFieldsOf(body);
    out->flags = (from->flags | KSI_BY_PRECISION(0, KSI_BODY_SINGLE)) & KSI_BODY_FLAGS;
    out->mark = from->object.tag;
    ksiTakeNumbers(out->centre, from->centre, 3);
    ksiUnpadMatrix(out->rotation, from->rotation);
    ksiTakeNumbers(out->quaternion, from->quaternion, 4);
    ksiTakeNumbers(out->velocity, from->velocity, 3);
    ksiTakeNumbers(out->spin, from->spin, 3);
}

void ksiPasteState(const ksiBodyState *from, dBodyID body)
{
    ksiBodyFields *to = (ksiBodyFields *)(void *)body;
    to->flags = (unsigned)from->flags & KSI_BODY_FLAGS;
    to->object.tag = (int)from->mark;
    ksiPutNumbers(from->centre, to->centre, 3);
    ksiPadMatrix(from->rotation, to->rotation);
    ksiPutNumbers(from->quaternion, to->quaternion, 4);
    ksiPutNumbers(from->velocity, to->velocity, 3);
    ksiPutNumbers(from->spin, to->spin, 3);
}

void ksiCopyBody(dBodyID body, ksiBodyCopy *out)
{
    const ksiBodyFields *from = ksiFieldsOf(body);
    dVector3 axis;
    ksiCopyState(body, &out->state);
    out->mass = from->mass.mass;
    ksiTakeNumbers(out->massCentre, from->mass.c, 3);
    ksiUnpadMatrix(out->inertia, from->mass.I);
    out->inverseMass = from->inverseMass;
    ksiUnpadMatrix(out->inverse, from->inverse);
    ksiTakeNumbers(out->force, from->force, 3);
    ksiTakeNumbers(out->torque, from->torque, 3);
    dBodyGetFiniteRotationAxis(body, axis);
    ksiTakeNumbers(out->finiteAxis, axis, 3);
    out->linearDamping = dBodyGetLinearDamping(body);
    out->angularDamping = dBodyGetAngularDamping(body);
    out->linearThreshold = dBodyGetLinearDampingThreshold(body);
    out->angularThreshold = dBodyGetAngularDampingThreshold(body);
    out->maxAngularSpeed = dBodyGetMaxAngularSpeed(body);
}

bool ksiIsSingleCopy(const ksiBodyCopy *copy)
{
    return (copy->state.flags & KSI_BODY_SINGLE) != 0;
}

/* Writes the axis of finite rotation directly: its setter would normalise the axis, and abort on a
 * zero axis. */
void ksiPasteBody(const ksiBodyCopy *from, dBodyID body)
{
    ksiBodyFields *to = (ksiBodyFields *)(void *)body;
    dBodySetLinearDamping(body, from->linearDamping);
    dBodySetAngularDamping(body, from->angularDamping);
    dBodySetLinearDampingThreshold(body, from->linearThreshold);
    dBodySetAngularDampingThreshold(body, from->angularThreshold);
    dBodySetMaxAngularSpeed(body, from->maxAngularSpeed);
    dReal *axis = finiteAxis(body);
    if (axis)
        ksiPutNumbers(from->finiteAxis, axis, 3);
    else
        dBodySetFiniteRotationAxis(body, from->finiteAxis[0], from->finiteAxis[1], from->finiteAxis[2]);
    to->mass.mass = from->mass;
    ksiPutNumbers(from->massCentre, to->mass.c, 3);
    ksiPadMatrix(from->inertia, to->mass.I);
    to->inverseMass = from->inverseMass;
    ksiPadMatrix(from->inverse, to->inverse);
    ksiPutNumbers(from->force, to->force, 3);
    ksiPutNumbers(from->torque, to->torque, 3);
    ksiPasteState(&from->state, body);
}

static size_t ownBytes(dJointID joint)
{
    return ksiSlotSize(joint) - sizeof(ksiJointFields);
}

/* Calls the size function of each class with a stand-in for a joint, since this function does not
 * read the joint. */
void ksiClassBytes(const ksiEngine *engine, uint32_t bytes[KSI_JOINT_TYPES])
{
    for (int type = 0; type < KSI_JOINT_TYPES; type++) {
        const void *standIn[sizeof(ksiJointFields) / sizeof(void *)] = {engine->vtable[type]};
        bytes[type] = standIn[0] ? (uint32_t)ownBytes((dJointID)(void *)standIn) : 0;
    }
}

ksiJointState ksiCopyJointState(dJointID joint)
{
    const ksiJointFields *fields = ksiFieldsOfJoint(joint);
    return (ksiJointState){.flags = fields->flags & KSI_JOINT_FLAGS, .mark = fields->object.tag};
}

void ksiPasteJointState(const ksiJointState *state, dJointID joint)
{
    ksiPasteMark((int)state->mark, joint);
    // dJointDestroy ignores joints of a group
    ((ksiJointFields *)(void *)joint)->flags = (unsigned)state->flags & KSI_JOINT_FLAGS & ~(unsigned)KSI_JOINT_IN_GROUP;
}

void ksiPasteMark(int mark, dJointID joint)
{
    ((ksiObjectFields *)(void *)joint)->tag = mark;
}

static ksiBodyLink linkOf(const ksiJointNode *node)
{
    return node ? (ksiBodyLink){node->joint, (int)(node - ksiFieldsOfJoint(node->joint)->node)}
                : (ksiBodyLink){NULL, 0};
}

static ksiJointNode *nodeOf(ksiBodyLink link)
{
    return link.joint ? &((ksiJointFields *)(void *)link.joint)->node[link.side] : NULL;
}

ksiBodyLink ksiFirstLink(dBodyID body)
{
    return linkOf(ksiFieldsOf(body)->firstJoint);
}

ksiBodyLink ksiNextLink(ksiBodyLink link)
{
    return linkOf(nodeOf(link)->next);
}

void ksiSetFirstLink(dBodyID body, ksiBodyLink first)
{
    ((ksiBodyFields *)(void *)body)->firstJoint = nodeOf(first);
}

void ksiSetNextLink(ksiBodyLink link, ksiBodyLink next)
{
    nodeOf(link)->next = nodeOf(next);
}

void ksiOrderObjects(void *const *head, void *const *object, size_t count)
{
    void **link = (void **)(uintptr_t)head;
    for (size_t i = 0; i < count; i++) {
        ksiObjectFields *fields = object[i];
        *link = fields;
        fields->tome = link;
        link = &fields->next;
    }
    *link = NULL;
}

/* Stands for an implementation of threading: the address of a byte in this array encodes the number
 * of threads. */
static char counting[KSI_MOST_THREADS + 1];

static unsigned countThreads(dThreadingImplementationID implementation)
{
    return (unsigned)((const char *)(const void *)implementation - counting);
}

void ksiPretendThreads(dWorldID world, unsigned count)
{
    static const dThreadingFunctionsInfo functions = {.struct_size = sizeof functions,
                                                      .retrieve_thread_count = countThreads};
    char *place = &counting[count < KSI_MOST_THREADS ? count : KSI_MOST_THREADS];
    ksiSetThreading(world, count > 0 ? &functions : NULL, count > 0 ? (dThreadingImplementationID)(void *)place : NULL);
}
