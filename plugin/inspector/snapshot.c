/* snapshot.c  The world before the step, and what the engine made of it.
 *
 * Bodies and joints are found afresh from the world's own lists each time: no pointer is trusted across steps. All
 * memory that the rest of the step needs is made here, before the engine is called. */
#include "inspector_private.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static void swapHistory(ksInspector *inspector)
{
#define SWAP(type, a, b)                                                                                               \
    do {                                                                                                               \
        type kept = a;                                                                                                 \
        a = b;                                                                                                         \
        b = kept;                                                                                                      \
    } while (0)
    SWAP(ksiBodyState *, inspector->body, inspector->previousBody);
    SWAP(size_t, inspector->bodyCount, inspector->previousBodyCount);
    SWAP(size_t, inspector->bodyCapacity, inspector->previousBodyCapacity);
    SWAP(ksiJointState *, inspector->joint, inspector->previousJoint);
    SWAP(size_t, inspector->jointCount, inspector->previousJointCount);
    SWAP(size_t, inspector->jointCapacity, inspector->previousJointCapacity);
#undef SWAP
    inspector->bodyCount = inspector->jointCount = 0;
}

/* Where an address of a list is to be found that goes on, as a rule, as the array does. */
static int bodyAt(const ksInspector *inspector, dBodyID id, size_t expected)
{
    if (expected < inspector->bodyCount && inspector->body[expected].begin.id == id)
        return (int)expected;
    return ksiPointersFind(&inspector->bodyIndex, id);
}

static int jointAt(const ksInspector *inspector, dJointID id, size_t expected)
{
    if (expected < inspector->jointCount && inspector->joint[expected].id == id)
        return (int)expected;
    return ksiPointersFind(&inspector->jointIndex, id);
}

/* The same in the last step; its map still stands. */
static int bodyBefore(const ksInspector *inspector, dBodyID id, size_t expected)
{
    if (expected < inspector->previousBodyCount && inspector->previousBody[expected].begin.id == id)
        return (int)expected;
    int before = ksiPointersFind(&inspector->bodyIndex, id);
    return (size_t)(before + 1) <= inspector->previousBodyCount ? before : -1;
}

static int jointBefore(const ksInspector *inspector, dJointID id, size_t expected)
{
    if (expected < inspector->previousJointCount && inspector->previousJoint[expected].id == id)
        return (int)expected;
    int before = ksiPointersFind(&inspector->jointIndex, id);
    return (size_t)(before + 1) <= inspector->previousJointCount ? before : -1;
}

static bool wasJumped(const ksInspector *inspector, const ksiBodyState *body)
{
    if (body->before < 0)
        return true;
    const ksiBodyState *last = &inspector->previousBody[body->before];
    return memcmp(last->endCentre, body->begin.centre, sizeof last->endCentre) ||
           memcmp(last->endRotation, body->begin.rotation, sizeof last->endRotation) ||
           memcmp(last->finished, body->begin.velocity, sizeof last->finished);
}

static void readBody(ksInspector *inspector, dBodyID id, ksiBodyState *body)
{
    memset(body, 0, offsetof(ksiBodyState, begin));
    body->status = ksiReadBody(&inspector->engine, id, inspector->h, &body->begin);
    body->island = body->block = -1;
    if (body->status == KS_ERROR_NOT_FINITE) {
        body->reasons |= KS_REASON_NOT_FINITE;
        if (!inspector->report.culprit)
            inspector->report.culprit = id;
    }
    if (!body->status && !body->begin.kinematic)
        body->dynamic = ksiRigidRootOf(body->begin.mass, body->begin.inertia, &body->root);
    if (body->status == KS_ERROR_NOT_POSITIVE_DEFINITE || (!body->status && !body->begin.kinematic && !body->dynamic))
        body->reasons |= KS_REASON_MASS;
}

static ksStatus readBodies(ksInspector *inspector)
{
    const ksAllocator *allocator = &inspector->allocator;
    size_t count = 0;
    for (dBodyID b = ksiFirstBody(&inspector->engine); b; b = ksiNextBody(b))
        count++;
    ksStatus status = ksiReserve(allocator, &inspector->body, &inspector->bodyCapacity, count, sizeof(ksiBodyState));
    if (!status)
        status = ksiReserve(allocator, &inspector->island, &inspector->islandCapacity, count, sizeof(ksiIsland));
    if (!status)
        status = ksiReserve(allocator, &inspector->islandBody, &inspector->islandBodyCapacity, count, sizeof(int));
    if (status)
        return status;

    bool same = count > 0 && count == inspector->previousBodyCount;
    for (dBodyID b = ksiFirstBody(&inspector->engine); b; b = ksiNextBody(b)) {
        int index = (int)inspector->bodyCount++;
        ksiBodyState *body = &inspector->body[index];
        readBody(inspector, b, body);
        body->before = bodyBefore(inspector, b, (size_t)index);
        body->parent = index;
        body->jumped = inspector->options.values & KS_COMPUTE_PHYSICAL && wasJumped(inspector, body);
        same &= body->before == index;
    }
    if (same)
        return KS_OK;
    status = ksiPointersReset(allocator, &inspector->bodyIndex, count);
    for (size_t i = 0; !status && i < count; i++)
        ksiPointersAdd(&inspector->bodyIndex, inspector->body[i].begin.id, (int)i);
    return status;
}

static void readJoint(ksInspector *inspector, dJointID id, ksiJointState *joint)
{
    memset(joint, 0, offsetof(ksiJointState, rows));
    joint->rows.count = 0;
    joint->id = id;
    joint->type = dJointGetType(id);
    joint->island = joint->firstSubscription = -1;
    ksiJointBodies(id, joint->body, &joint->reversed);
    joint->before = jointBefore(inspector, id, inspector->jointCount - 1);
    for (int side = 0; side < 2; side++) {
        int expected = joint->before < 0 ? -1 : inspector->previousJoint[joint->before].bodyIndex[side];
        joint->bodyIndex[side] = joint->body[side] ? bodyAt(inspector, joint->body[side], (size_t)expected) : -1;
    }
}

static ksStatus readJoints(ksInspector *inspector)
{
    const ksAllocator *allocator = &inspector->allocator;
    size_t count = 0;
    for (dJointID j = ksiFirstJoint(&inspector->engine); j; j = ksiNextJoint(j))
        count++;
    ksStatus status = ksiReserve(allocator, &inspector->joint, &inspector->jointCapacity, count, sizeof(ksiJointState));
    if (!status)
        status = ksiReserve(allocator, &inspector->reaction, &inspector->reactionCapacity, count, sizeof(ksReaction));
    if (!status)
        status = ksiReserve(allocator, &inspector->islandJoint, &inspector->islandJointCapacity, count, sizeof(int));
    if (status)
        return status;

    bool same = count > 0 && count == inspector->previousJointCount;
    for (dJointID j = ksiFirstJoint(&inspector->engine); j; j = ksiNextJoint(j)) {
        int index = (int)inspector->jointCount++;
        readJoint(inspector, j, &inspector->joint[index]);
        same &= inspector->joint[index].before == index;
    }
    if (same)
        return KS_OK;
    status = ksiPointersReset(allocator, &inspector->jointIndex, count);
    for (size_t i = 0; !status && i < count; i++)
        ksiPointersAdd(&inspector->jointIndex, inspector->joint[i].id, (int)i);
    return status;
}

/* The stepper floods from enabled bodies over enabled joints, through kinematic bodies too, and wakes what it meets. */
static void findAwake(ksInspector *inspector)
{
    ksiBodyState *body = inspector->body;
    bool all = true;
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        body[i].moved = body[i].begin.enabled;
        all &= body[i].moved;
    }
    if (all)
        return;
    for (size_t i = 0; i < inspector->jointCount; i++) {
        const ksiJointState *joint = &inspector->joint[i];
        if (joint->bodyIndex[0] >= 0 && joint->bodyIndex[1] >= 0 && dJointIsEnabled(joint->id))
            ksiUnite(inspector, joint->bodyIndex[0], joint->bodyIndex[1]);
    }
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        if (body[i].begin.enabled)
            body[ksiRootOf(inspector, (int)i)].moved = true;
    }
    for (size_t i = 0; i < inspector->bodyCount; i++)
        body[i].moved = body[ksiRootOf(inspector, (int)i)].moved;
}

static bool takesPart(const ksInspector *inspector, const ksiJointState *joint)
{
    if (joint->bodyIndex[0] < 0 || !dJointIsEnabled(joint->id) || !inspector->body[joint->bodyIndex[0]].moved)
        return false;
    bool dynamic = false;
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        // the engine's own row code may abort on a pose that is not finite
        if (body->status == KS_ERROR_NOT_FINITE)
            return false;
        dynamic |= !body->begin.kinematic;
    }
    return dynamic;
}

static const ksiBody *bodyOf(const ksInspector *inspector, const ksiJointState *joint, int side)
{
    int index = joint->bodyIndex[side];
    return index < 0 ? NULL : &inspector->body[index].begin;
}

/* The engine will solve this joint, and nobody can say what for: its bodies' island is not judged. */
static void refuse(ksInspector *inspector, ksiJointState *joint, ksStatus status)
{
    unsigned reason = status == KS_ERROR_NOT_FINITE ? KS_REASON_NOT_FINITE : KS_REASON_UNREADABLE;
    joint->rows.count = 0;
    joint->reasons |= reason;
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] >= 0)
            inspector->body[joint->bodyIndex[side]].reasons |= reason;
    }
}

static void findAccelerations(ksiJointState *joint, const ksiBody *first, const ksiBody *second)
{
    int known[KSI_MAX_ROWS];
    ksiRowAcceleration(joint->id, first, second, &joint->rows, joint->beta, known);
    for (int l = 0; l < joint->rows.count; l++)
        joint->betaSource[l] = known[l] ? KS_FROM_GEOMETRY : KS_FROM_NOWHERE;
}

static void describeRows(ksInspector *inspector, ksiJointState *joint)
{
    const ksiBody *first = bodyOf(inspector, joint, 0), *second = bodyOf(inspector, joint, 1);
    ksiJointFrame(joint->id, first, &joint->rows, &joint->frame);
    if (inspector->options.values & KS_COMPUTE_PHYSICAL)
        findAccelerations(joint, first, second);
    if (joint->rows.staleLimit)
        joint->reasons |= KS_REASON_STALE_LIMIT;
    joint->reasons |= ksiKnownBug(joint->id, &joint->rows);

    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        for (int k = 0; k < 3; k++) {
            body->fudge[k] += joint->rows.fudge[side].force[k];
            body->fudge[3 + k] += joint->rows.fudge[side].torque[k];
        }
    }
    ksiScaleRows(inspector, joint);
}

static ksStatus readRows(ksInspector *inspector)
{
    size_t count = 0;
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        if (!takesPart(inspector, joint))
            continue;
        ksStatus status = ksiReadRows(&inspector->engine, joint->id, inspector->stepper, inspector->h, &joint->rows);
        if (status)
            refuse(inspector, joint, status);
        if (!joint->rows.count)
            continue;
        joint->read = true;
        joint->firstRow = count;
        count += (size_t)joint->rows.count;
        describeRows(inspector, joint);
    }
    inspector->rowCount = count;
    return ksiReserve(&inspector->allocator, &inspector->row, &inspector->rowCapacity, count, sizeof(ksRow));
}

ksStatus ksiSnapshotBegin(ksInspector *inspector)
{
    double t = ksiNow();
    swapHistory(inspector);
    ksStatus status = readBodies(inspector);
    if (!status)
        status = readJoints(inspector);
    if (!status) {
        findAwake(inspector);
        t = ksiLap(inspector, KS_PHASE_SNAPSHOT, t);
        status = readRows(inspector);
        t = ksiLap(inspector, KS_PHASE_ROWS, t);
    }
    inspector->known = !status;
    if (status) {
        inspector->bodyCount = inspector->jointCount = 0;
        return status;
    }

    // last, since it cannot fail: the engine now writes into our feedback
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        if (!joint->read)
            continue;
        ksiFillFeedback(&joint->feedback);
        joint->hostFeedback = dJointGetFeedback(joint->id);
        dJointSetFeedback(joint->id, &joint->feedback);
    }
    ksiLap(inspector, KS_PHASE_SNAPSHOT, t);
    return inspector->report.culprit ? KS_ERROR_NOT_FINITE : KS_OK;
}

static void copyWritten(const ksiJointState *joint)
{
    const dJointFeedback *from = &joint->feedback;
    dJointFeedback *to = joint->hostFeedback;
    if (!to)
        return;
    if (ksiFeedbackWritten(from, 0)) {
        memcpy(to->f1, from->f1, 3 * sizeof(dReal));
        memcpy(to->t1, from->t1, 3 * sizeof(dReal));
    }
    if (ksiFeedbackWritten(from, 1)) {
        memcpy(to->f2, from->f2, 3 * sizeof(dReal));
        memcpy(to->t2, from->t2, 3 * sizeof(dReal));
    }
}

/* The joints of this step that are in the world now, and are the same. */
void ksiFindAlive(ksInspector *inspector)
{
    size_t expected = 0;
    for (size_t i = 0; i < inspector->jointCount; i++)
        inspector->joint[i].alive = false;
    for (dJointID j = ksiFirstJoint(&inspector->engine); j; j = ksiNextJoint(j)) {
        int index = jointAt(inspector, j, expected);
        if (index < 0)
            continue;
        expected = (size_t)index + 1;
        ksiJointState *joint = &inspector->joint[index];
        dBodyID body[2];
        int reversed;
        ksiJointBodies(j, body, &reversed);
        joint->alive = dJointGetType(j) == joint->type && body[0] == joint->body[0] && body[1] == joint->body[1];
    }
}

void ksiGiveFeedbackBack(ksInspector *inspector)
{
    size_t expected = 0;
    for (dJointID j = ksiFirstJoint(&inspector->engine); j; j = ksiNextJoint(j)) {
        int index = jointAt(inspector, j, expected);
        if (inspector->jointCount == 0 || index < 0)
            continue;
        expected = (size_t)index + 1;
        ksiJointState *joint = &inspector->joint[index];
        // a joint made in the bracket at the address of an old one has not our feedback
        if (joint->read && dJointGetFeedback(j) == &joint->feedback) {
            dJointSetFeedback(j, joint->hostFeedback);
            copyWritten(joint);
        }
    }
}

static void readMotion(dBodyID id, ksiBodyState *body)
{
    body->moved = body->moved && dBodyIsEnabled(id);
    const dReal *x = dBodyGetPosition(id), *r = dBodyGetRotation(id);
    const dReal *v = dBodyGetLinearVel(id), *w = dBodyGetAngularVel(id);
    for (int k = 0; k < 3; k++) {
        body->endCentre[k] = x[k];
        body->finished[k] = v[k];
        body->finished[3 + k] = w[k];
        for (int m = 0; m < 3; m++)
            body->endRotation[3 * k + m] = r[4 * k + m];
    }
}

void ksiSnapshotEnd(ksInspector *inspector)
{
    if (inspector->jointCount)
        ksiGiveFeedbackBack(inspector);
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        joint->solved = joint->read && ksiFeedbackWritten(&joint->feedback, 0);
    }

    size_t expected = 0;
    for (size_t i = 0; i < inspector->bodyCount; i++)
        inspector->body[i].finished[0] = NAN;
    for (dBodyID b = ksiFirstBody(&inspector->engine); inspector->bodyCount && b; b = ksiNextBody(b)) {
        int index = bodyAt(inspector, b, expected);
        if (index < 0)
            continue;
        expected = (size_t)index + 1;
        readMotion(b, &inspector->body[index]);
    }
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        ksiBodyState *body = &inspector->body[i];
        body->moved = body->moved && body->dynamic && isfinite(body->finished[0]);
    }
}
