/* copy.c  Bodies and joints as bytes, to be put into objects of another world of the same engine.
 *
 * What is copied is all that the engine's rows and steppers read, bit by bit: setters would normalise rotations and axes. The
 * bytes of a joint behind its known members hold neither pointers that are followed nor anything of its world. */
#include "copy.h"

#include "layout.h"

/* The axis of finite rotation is right behind the torque where this holds. */
static dReal *finiteAxis(dBodyID body)
{
    dVector3 axis;
    dReal *place = (dReal *)(uintptr_t)(ksiFieldsOf(body)->torque + 4);
    dBodyGetFiniteRotationAxis(body, axis);
    return memcmp(place, axis, 3 * sizeof *axis) ? NULL : place;
}

void ksiCopyState(dBodyID body, ksiBodyState *out)
{
    const ksiBodyFields *from = ksiFieldsOf(body);
    out->flags = from->flags;
    out->mark = from->object.tag;
    memcpy(out->centre, from->centre, sizeof out->centre);
    memcpy(out->rotation, from->rotation, sizeof out->rotation);
    memcpy(out->quaternion, from->quaternion, sizeof out->quaternion);
    memcpy(out->velocity, from->velocity, sizeof out->velocity);
    memcpy(out->spin, from->spin, sizeof out->spin);
}

void ksiPasteState(const ksiBodyState *from, dBodyID body)
{
    ksiBodyFields *to = (ksiBodyFields *)(void *)body;
    to->flags = from->flags;
    to->object.tag = from->mark;
    memcpy(to->centre, from->centre, sizeof to->centre);
    memcpy(to->rotation, from->rotation, sizeof to->rotation);
    memcpy(to->quaternion, from->quaternion, sizeof to->quaternion);
    memcpy(to->velocity, from->velocity, sizeof to->velocity);
    memcpy(to->spin, from->spin, sizeof to->spin);
}

void ksiCopyBody(dBodyID body, ksiBodyCopy *out)
{
    const ksiBodyFields *from = ksiFieldsOf(body);
    memset(out, 0, sizeof *out);
    ksiCopyState(body, &out->state);
    out->mass = from->mass;
    out->inverseMass = from->inverseMass;
    memcpy(out->inverse, from->inverse, sizeof out->inverse);
    memcpy(out->force, from->force, sizeof out->force);
    memcpy(out->torque, from->torque, sizeof out->torque);
    dBodyGetFiniteRotationAxis(body, out->finiteAxis);
    out->linearDamping = dBodyGetLinearDamping(body);
    out->angularDamping = dBodyGetAngularDamping(body);
    out->linearThreshold = dBodyGetLinearDampingThreshold(body);
    out->angularThreshold = dBodyGetAngularDampingThreshold(body);
    out->maxAngularSpeed = dBodyGetMaxAngularSpeed(body);
}

void ksiPasteBody(const ksiBodyCopy *from, dBodyID body)
{
    ksiBodyFields *to = (ksiBodyFields *)(void *)body;
    dBodySetLinearDamping(body, from->linearDamping);
    dBodySetAngularDamping(body, from->angularDamping);
    dBodySetLinearDampingThreshold(body, from->linearThreshold);
    dBodySetAngularDampingThreshold(body, from->angularThreshold);
    dBodySetMaxAngularSpeed(body, from->maxAngularSpeed);
    dBodySetFiniteRotationAxis(body, from->finiteAxis[0], from->finiteAxis[1], from->finiteAxis[2]);
    dReal *axis = finiteAxis(body);
    if (axis)
        memcpy(axis, from->finiteAxis, 3 * sizeof *axis);
    to->mass = from->mass;
    to->inverseMass = from->inverseMass;
    memcpy(to->inverse, from->inverse, sizeof to->inverse);
    memcpy(to->force, from->force, sizeof to->force);
    memcpy(to->torque, from->torque, sizeof to->torque);
    ksiPasteState(&from->state, body);
}

size_t ksiOwnBytes(dJointID joint)
{
    return ksiSlotSize(joint) - sizeof(ksiJointFields);
}

/* The functions of the class ask nothing of the joint. */
void ksiClassBytes(const ksiEngine *engine, uint32_t bytes[KSI_JOINT_TYPES])
{
    for (int type = 0; type < KSI_JOINT_TYPES; type++) {
        const void *standIn[sizeof(ksiJointFields) / sizeof(void *)] = {engine->vtable[type]};
        bytes[type] = standIn[0] ? (uint32_t)ksiOwnBytes((dJointID)(void *)standIn) : 0;
    }
}

void ksiCopyOwn(dJointID joint, ksiJointState *state, void *own)
{
    const ksiJointFields *from = ksiFieldsOfJoint(joint);
    *state = (ksiJointState){.flags = from->flags, .mark = from->object.tag};
    memcpy(own, from + 1, ksiOwnBytes(joint));
}

void ksiPasteOwn(const ksiJointState *state, const void *own, dJointID joint)
{
    ksiJointFields *to = (ksiJointFields *)(void *)joint;
    ksiPasteMark(state->mark, joint);
    to->flags = state->flags & ~(unsigned)KSI_JOINT_IN_GROUP;  // dJointDestroy leaves those alone
    memcpy(to + 1, own, ksiOwnBytes(joint));
}

void ksiPasteMark(int mark, dJointID joint)
{
    ((ksiObjectFields *)(void *)joint)->tag = mark;
}

static ksiLink linkOf(const ksiJointNode *node)
{
    return node ? (ksiLink){node->joint, (int)(node - ksiFieldsOfJoint(node->joint)->node)} : (ksiLink){NULL, 0};
}

static ksiJointNode *nodeOf(ksiLink link)
{
    return link.joint ? &((ksiJointFields *)(void *)link.joint)->node[link.side] : NULL;
}

ksiLink ksiFirstLink(dBodyID body)
{
    return linkOf(ksiFieldsOf(body)->firstJoint);
}

ksiLink ksiNextLink(ksiLink link)
{
    return linkOf(nodeOf(link)->next);
}

void ksiSetFirstLink(dBodyID body, ksiLink first)
{
    ((ksiBodyFields *)(void *)body)->firstJoint = nodeOf(first);
}

void ksiSetNextLink(ksiLink link, ksiLink next)
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

/* The number of threads is told by the place of the byte that is given as the implementation. */
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
    dWorldSetStepThreadingImplementation(world, count > 0 ? &functions : NULL,
                                         count > 0 ? (dThreadingImplementationID)(void *)place : NULL);
}
