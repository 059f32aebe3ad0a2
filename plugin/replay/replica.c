/* replica.c  A world that belongs to the library and reproduces recorded steps.
 *
 * Its objects are kept by their recorded identities, so an object that persists in the recording
 * persists in this world. If a new object has the address of an old one, an inspector detects it by
 * the same signs in both worlds. */
#include "replica.h"

#include "../engine/stops.h"

#include "../base/memory.h"
#include "../base/pointers.h"

#include <stdlib.h>
#include <string.h>

typedef struct Body {
    dBodyID id;
    uint64_t identity, number;
} Body;

typedef struct Joint {
    dJointID id; /* NULL: the joint's class is unknown */
    uint64_t identity, number;
    int64_t type, body[2], next[2];
    uint64_t ordinal;
    int name; /* index among the names of this step; -1: no name */
} Joint;

/* The objects of one step, in the recorded order. */
typedef struct Set {
    Body *body;
    Joint *joint;
    size_t bodyCount, jointCount, bodyCapacity, jointCapacity;
    ksiPointers bodyAt, jointAt; /* indices by recorded identity */
} Set;

struct ksiReplica {
    ksiEngine engine;
    ksiClasses classes;
    dWorldID world;
    Set set[2]; /* the objects of this step and of the last step */
    int now;
    ksiPointers jointOf; /* index of a joint of this step by its address in this world */
    void **order;
    size_t orderCapacity;
    char (*name)[KSI_NAME_BYTES]; /* names of this step's joints */
    size_t nameCapacity;
};

ksStatus ksiReplicaCreate(ksiReplica **replica)
{
    ksiReplica *made = calloc(1, sizeof *made);
    dWorldID world = made ? ksiMakeOwnWorld() : NULL;
    if (!world) {
        free(made);
        return KS_ERROR_NO_MEMORY;
    }
    made->world = world;
    ksStatus status = ksiEngineOpen(world, &made->engine);
    if (!status)
        status = ksiProveFields(&made->engine, &made->classes);
    if (status) {
        ksiReplicaDestroy(made);
        return status;
    }
    *replica = made;
    return KS_OK;
}

void ksiReplicaDestroy(ksiReplica *replica)
{
    if (!replica)
        return;
    ksiPretendThreads(replica->world, 0);
    dWorldDestroy(replica->world);
    for (int i = 0; i < 2; i++) {
        Set *set = &replica->set[i];
        free(set->body);
        free(set->joint);
        free(set->bodyAt.slot);
        free(set->jointAt.slot);
    }
    free(replica->jointOf.slot);
    free(replica->order);
    free(replica->name);
    free(replica);
}

dWorldID ksiReplicaWorld(const ksiReplica *replica)
{
    return replica->world;
}

/* --- Before the step --- */

static const void *keyOf(uint64_t identity)
{
    return (const void *)(uintptr_t)identity;
}

static ksStatus makeRoom(ksiReplica *replica, const ksiStepRecord *record)
{
    Set *set = &replica->set[replica->now];
    const ksAllocator *allocator = &ksiLibraryAllocator;
    const size_t bodies = record->bodyCount, joints = record->jointCount;
    const size_t most = bodies > joints ? bodies : joints;
    ksStatus status = ksiReserve(allocator, &set->body, &set->bodyCapacity, bodies, sizeof *set->body);
    if (!status)
        status = ksiReserve(allocator, &set->joint, &set->jointCapacity, joints, sizeof *set->joint);
    if (!status)
        status = ksiReserve(allocator, &replica->order, &replica->orderCapacity, most, sizeof *replica->order);
    if (!status)
        status =
            ksiReserve(allocator, &replica->name, &replica->nameCapacity, record->nameCount, sizeof *replica->name);
    if (!status)
        status = ksiPointersReset(allocator, &set->bodyAt, bodies);
    if (!status)
        status = ksiPointersReset(allocator, &set->jointAt, joints);
    if (!status)
        status = ksiPointersReset(allocator, &replica->jointOf, joints);
    return status;
}

static void setWorld(const ksiReplica *replica, const ksiStepRecord *record)
{
    dWorldID world = replica->world;
    dWorldSetGravity(world, record->gravity[0], record->gravity[1], record->gravity[2]);
    dWorldSetERP(world, record->erp);
    dWorldSetCFM(world, record->cfm);
    dWorldSetContactMaxCorrectingVel(world, record->contactSpeed);
    dWorldSetContactSurfaceLayer(world, record->contactDepth);
    dWorldSetQuickStepNumIterations(world, (int)record->iterations);
    dWorldSetQuickStepW(world, record->overRelaxation);
}

/* Keeps the bodies that persist from the last step, and sets their ids in the last set to NULL. */
static void keepBodies(ksiReplica *replica, const ksiBodyRecord *record)
{
    Set *set = &replica->set[replica->now], *last = &replica->set[!replica->now];
    for (size_t i = 0; i < set->bodyCount; i++) {
        const int at = last->bodyCount > 0 ? ksiPointersFind(&last->bodyAt, keyOf(record[i].identity)) : -1;
        set->body[i] = (Body){NULL, record[i].identity, record[i].number};
        if (at >= 0) {
            set->body[i].id = last->body[at].id;
            last->body[at].id = NULL;
        }
        ksiPointersAdd(&set->bodyAt, keyOf(record[i].identity), (int)i);
    }
}

static dBodyID bodyOf(const Set *set, int64_t index)
{
    return index < 0 ? NULL : set->body[index].id;
}

/* Do the recorder and this engine know the joint's class? */
static bool isSeen(const ksiReplica *replica, const ksiJointRecord *record)
{
    return record->words > 0 && replica->classes.isKnown[record->type];
}

/* Returns the joint of the last step with this identity, if it has the same type and bodies; else
 * NULL. */
static dJointID keepJoint(ksiReplica *replica, const ksiJointRecord *record)
{
    const Set *set = &replica->set[replica->now];
    Set *last = &replica->set[!replica->now];
    const int at = last->jointCount > 0 ? ksiPointersFind(&last->jointAt, keyOf(record->identity)) : -1;
    Joint *joint = at < 0 ? NULL : &last->joint[at];
    if (!joint || !joint->id || joint->type != record->type)
        return NULL;
    dBodyID body[2];
    int reversed;
    ksiJointBodies(joint->id, body, &reversed);
    if (body[0] != bodyOf(set, record->body[0]) || body[1] != bodyOf(set, record->body[1]))
        return NULL;
    const dJointID kept = joint->id;
    joint->id = NULL;
    return kept;
}

static void keepJoints(ksiReplica *replica, ksiRecordReader reader)
{
    Set *set = &replica->set[replica->now];
    for (size_t i = 0; i < set->jointCount; i++) {
        const ksiJointRecord *record = ksiTakeRecorded(&reader, sizeof *record);
        ksiTakeRecorded(&reader, record->words * sizeof(uint64_t));
        set->joint[i] = (Joint){NULL,
                                record->identity,
                                record->number,
                                record->type,
                                {record->body[0], record->body[1]},
                                {record->next[0], record->next[1]},
                                record->ordinal,
                                -1};
        if (isSeen(replica, record))
            set->joint[i].id = keepJoint(replica, record);
        ksiPointersAdd(&set->jointAt, keyOf(record->identity), (int)i);
    }
}

/* Destroys joints first: otherwise, destroying a body would detach its joints. */
static void destroyOthers(Set *last)
{
    for (size_t i = 0; i < last->jointCount; i++)
        if (last->joint[i].id)
            dJointDestroy(last->joint[i].id);
    for (size_t i = 0; i < last->bodyCount; i++)
        if (last->body[i].id)
            dBodyDestroy(last->body[i].id);
    last->jointCount = last->bodyCount = 0;
}

static ksStatus makeMissing(ksiReplica *replica)
{
    Set *set = &replica->set[replica->now];
    for (size_t i = 0; i < set->bodyCount; i++)
        if (!set->body[i].id && !(set->body[i].id = dBodyCreate(replica->world)))
            return KS_ERROR_NO_MEMORY;
    return KS_OK;
}

static ksStatus fillBodies(ksiReplica *replica, const ksiBodyRecord *record)
{
    Set *set = &replica->set[replica->now];
    const ksStatus status = makeMissing(replica);
    for (size_t i = 0; !status && i < set->bodyCount; i++) {
        replica->order[i] = set->body[i].id;
        ksiPasteBody(&record[i].copy, set->body[i].id);
    }
    if (!status)
        ksiOrderObjects(replica->engine.bodyHead, replica->order, set->bodyCount);
    return status;
}

/* Does each list hold exactly the joints of its body? A damaged record must not corrupt the
 * engine. */
static bool linksAreSound(const Set *set, const ksiBodyRecord *record)
{
    size_t expected = 0, found = 0;
    for (size_t i = 0; i < set->jointCount; i++)
        expected += (size_t)(set->joint[i].body[0] >= 0) + (size_t)(set->joint[i].body[1] >= 0);
    for (size_t i = 0; i < set->bodyCount; i++)
        for (int64_t code = record[i].first; code >= 0; code = set->joint[code / 2].next[code % 2])
            if (set->joint[code / 2].body[!(code % 2)] != (int64_t)i || ++found > expected)
                return false;
    return found == expected;
}

/* The place in a body's list that has this recorded code. Skips joints of an unknown class. */
static ksiBodyLink linkFrom(const Set *set, int64_t code)
{
    while (code >= 0 && !set->joint[code / 2].id)
        code = set->joint[code / 2].next[code % 2];
    return code < 0 ? (ksiBodyLink){NULL, 0} : (ksiBodyLink){set->joint[code / 2].id, (int)(code % 2)};
}

/* Puts the lists of the bodies into the recorded order. */
static void orderLinks(const Set *set, const ksiBodyRecord *record)
{
    if (!linksAreSound(set, record))
        return;
    for (size_t i = 0; i < set->bodyCount; i++)
        ksiSetFirstLink(set->body[i].id, linkFrom(set, record[i].first));
    for (size_t i = 0; i < set->jointCount; i++)
        for (int side = 0; set->joint[i].id && side < 2; side++)
            ksiSetNextLink((ksiBodyLink){set->joint[i].id, side}, linkFrom(set, set->joint[i].next[side]));
}

/* Does nothing for a step of another engine, in which stops act as loads. */
static void holdStops(const ksiStepRecord *record, int type, dJointID joint, const ksiJointResult *result)
{
    if (record->isStepped && record->stepper != KS_FOREIGN_STEP)
        ksiHoldStops(type, joint, ksiRecordedStops(result), result->written & KSI_WROTE_BOTH);
}

static ksStatus fillJoints(ksiReplica *replica, const ksiStepRecord *of, ksiRecordReader *reader)
{
    Set *set = &replica->set[replica->now];
    const ksiJointResult *result = ksiRecordedReports(of);
    size_t count = 0;
    for (size_t i = 0; i < set->jointCount; i++) {
        Joint *joint = &set->joint[i];
        const ksiJointRecord *record = ksiTakeRecorded(reader, sizeof *record);
        const uint64_t *fields = ksiTakeRecorded(reader, record->words * sizeof *fields);
        const int type = (int)record->type;
        if (!isSeen(replica, record))
            continue;
        if (!joint->id)
            joint->id = ksiNewJoint(replica->world, type, bodyOf(set, record->body[0]), bodyOf(set, record->body[1]));
        if (!joint->id)
            return KS_ERROR_NO_MEMORY;
        ksiUnpackJoint(ksiFieldsOfType(type), fields, joint->id);
        ksiPasteJointState(&record->state, joint->id);
        holdStops(of, type, joint->id, &result[i]);
        ksiPointersAdd(&replica->jointOf, joint->id, (int)i);
        replica->order[count++] = joint->id;
    }
    ksiOrderObjects(replica->engine.jointHead, replica->order, count);
    return KS_OK;
}

ksStatus ksiReplicaBegin(ksiReplica *replica, const ksiStepRecord *record)
{
    replica->now = !replica->now;
    ksStatus status = makeRoom(replica, record);
    if (status) {
        replica->now = !replica->now;
        return status;
    }
    Set *set = &replica->set[replica->now];
    ksiRecordReader reader = ksiReadRecord(record);
    const ksiBodyRecord *bodies = ksiTakeRecorded(&reader, record->bodyCount * sizeof *bodies);
    set->bodyCount = record->bodyCount;
    set->jointCount = record->jointCount;
    setWorld(replica, record);
    ksiPretendThreads(replica->world, (unsigned)record->threads);
    keepBodies(replica, bodies);
    keepJoints(replica, reader);
    destroyOthers(&replica->set[!replica->now]);
    const ksiNameRecord *name = ksiRecordedNames(record);
    for (size_t i = 0; i < record->nameCount; i++) {
        ksiUnpackText(name[i].name, KSI_NAME_WORDS, replica->name[i]);
        set->joint[name[i].joint].name = (int)i;
    }
    status = fillBodies(replica, bodies);
    if (!status)
        status = fillJoints(replica, record, &reader);
    if (!status)
        orderLinks(set, bodies);
    return status;
}

/* --- After the step --- */

/* If the engine did not write a number, the NaN of ksiFillFeedback remains. */
static void unpackFeedback(const ksiJointResult *result, dJointFeedback *out)
{
    ksiFillFeedback(out);
    if (result->written & KSI_WROTE_FIRST)
        ksiPutFeedback(result->force1, result->torque1, 0, out);
    if (result->written & KSI_WROTE_SECOND)
        ksiPutFeedback(result->force2, result->torque2, 1, out);
}

static void endJoints(ksiReplica *replica, const ksiJointResult *result)
{
    Set *set = &replica->set[replica->now];
    for (size_t i = 0; i < set->jointCount; i++) {
        Joint *joint = &set->joint[i];
        if (!joint->id)
            continue;
        dJointFeedback feedback;
        unpackFeedback(&result[i], &feedback);
        ksiGiveWritten(&feedback, dJointGetFeedback(joint->id));
        ksiPasteMark((int)result[i].mark, joint->id);
        if (!result[i].isAlive) {
            dJointDestroy(joint->id);
            joint->id = NULL;
        }
    }
}

static void endBodies(ksiReplica *replica, const ksiBodyResult *result)
{
    Set *set = &replica->set[replica->now];
    for (size_t i = 0; i < set->bodyCount; i++) {
        Body *body = &set->body[i];
        if (result[i].isAlive) {
            ksiPasteState(&result[i].state, body->id);
        } else {
            dBodyDestroy(body->id);
            body->id = NULL;
        }
    }
}

void ksiReplicaEnd(ksiReplica *replica, const ksiStepRecord *record)
{
    endJoints(replica, ksiRecordedReports(record));
    endBodies(replica, ksiRecordedEnds(record));
}

void ksiReplicaPrepareStep(ksiReplica *replica)
{
    const Set *set = &replica->set[replica->now];
    for (size_t i = 0; i < set->bodyCount; i++) {
        const dBodyID body = set->body[i].id;
        const bool isAsleep = !dBodyIsEnabled(body);
        dBodySetAutoDisableFlag(body, 0);  // also wakes the body
        if (isAsleep)
            dBodyDisable(body);
    }
    ksiPretendThreads(replica->world, 0);
}

dBodyID ksiReplicaBody(const ksiReplica *replica, size_t index)
{
    return replica->set[replica->now].body[index].id;
}

dJointID ksiReplicaJointId(const ksiReplica *replica, size_t index)
{
    return replica->set[replica->now].joint[index].id;
}

bool ksiReplicaIdentify(const ksiReplica *replica, dJointID joint, ksiReplicaJoint *out)
{
    const Set *set = &replica->set[replica->now];
    const int index = set->jointCount > 0 ? ksiPointersFind(&replica->jointOf, joint) : -1;
    if (index < 0)
        return false;
    const Joint *found = &set->joint[index];
    out->number = found->number;
    out->ordinal = found->ordinal;
    out->name = found->name < 0 ? NULL : replica->name[found->name];
    out->address = found->identity;
    for (int side = 0; side < 2; side++)
        out->body[side] = found->body[side] < 0 ? 0 : set->body[found->body[side]].number;
    return true;
}
