/* snapshot.c  The world before the step, and the motion that the engine made of it.
 *
 * Bodies and joints are found afresh from the world's own lists each time: no pointer is trusted across steps. All
 * memory that the rest of the step needs is made here, before the engine is called. */
#include "inspector_private.h"

#include "../base/vectorise.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* The index of a body, or -1. Lists are mostly walked in the order of the array: then it is where it is expected. */
static int bodyAt(const ksInspector *inspector, dBodyID id, size_t expected)
{
    if (expected < inspector->bodyCount && inspector->body[expected].begin.id == id)
        return (int)expected;
    return ksiPointersFind(&inspector->bodyIndex, id);
}

/* How many joints there are, and whether they are those of the last step, in the same order. */
static bool sameJoints(const ksInspector *inspector, size_t *count)
{
    bool same = true;
    *count = 0;
    for (dJointID j = ksiFirstJoint(&inspector->engine); j; j = ksiNextJoint(j), ++*count)
        same = same && *count < inspector->jointCount && inspector->joint[*count].id == j;
    return same && *count == inspector->jointCount && *count > 0;
}

/* same: the body at this place of the array is the one of the last step; else `last` is what was kept of it, or NULL. */
static void readBody(ksInspector *inspector, dBodyID id, bool same, const ksiBodyPast *last, ksiBodyState *body)
{
    body->found = false;
    body->reasons = 0;
    body->carried = body->heaviest = 0;
    body->netError = -1;
    memset(body->known, 0, sizeof body->known);
    *(ksiFour *)body->reported = (ksiFour){0};
    *(ksiTwo *)(body->reported + 4) = (ksiTwo){0};
    body->status = ksiReadBody(&inspector->engine, id, inspector->h, &body->begin);
    if (same)
        ksiFollowBody(inspector, body, body->finished, body->endCentre, body->endRotation);
    else if (last)
        ksiFollowBody(inspector, body, last->finished, last->endCentre, last->endRotation);
    else
        body->jumped = true, body->driven = false;
    body->block = -1;
    body->lightest = body->lightestLoad = INFINITY;
    if (body->status == KS_ERROR_NOT_FINITE) {
        body->reasons |= KS_REASON_NOT_FINITE;
        if (!inspector->report.culprit)
            inspector->report.culprit = id;
    }
    body->dynamic = !body->status && body->begin.dynamic;
    if (body->status == KS_ERROR_NOT_POSITIVE_DEFINITE || (!body->status && !body->begin.kinematic && !body->dynamic))
        body->reasons |= KS_REASON_MASS;
    body->moved = body->begin.enabled;
    inspector->anyAsleep |= !body->moved;
}

static ksStatus reserveBodies(ksInspector *inspector, size_t count)
{
    const ksAllocator *allocator = &inspector->allocator;
    ksStatus status = ksiReserve(allocator, &inspector->body, &inspector->bodyCapacity, count, sizeof(ksiBodyState));
    if (!status)
        status = ksiReserve(allocator, &inspector->island, &inspector->islandCapacity, count, sizeof(ksiIsland));
    if (!status)
        status = ksiReserve(allocator, &inspector->islandBody, &inspector->islandBodyCapacity, count, sizeof(int));
    return status;
}

/* Reads bodies as long as they are those of the last step, in the same order; true where all are. What this step needs of
 * the last one is still in their places then. */
static bool readSameBodies(ksInspector *inspector)
{
    size_t i = 0;
    dBodyID b = ksiFirstBody(&inspector->engine);
    for (; b && i < inspector->bodyCount && inspector->body[i].begin.id == b; b = ksiNextBody(b), i++)
        readBody(inspector, b, true, NULL, &inspector->body[i]);
    return !b && i == inspector->bodyCount && i > 0;
}

static ksStatus readBodies(ksInspector *inspector)
{
    inspector->anyAsleep = inspector->anyReset = inspector->anyDriven = false;
    if (readSameBodies(inspector))
        return KS_OK;
    inspector->islandsKnown = false;
    const size_t pastCount = inspector->bodyCount;
    size_t count = 0, i = 0;
    for (dBodyID b = ksiFirstBody(&inspector->engine); b; b = ksiNextBody(b))
        count++;
    ksStatus status = ksiRememberBodies(inspector, pastCount);
    if (!status)
        status = reserveBodies(inspector, count);
    if (status)
        return status;
    for (dBodyID b = ksiFirstBody(&inspector->engine); b; b = ksiNextBody(b), i++) {
        const int before = ksiPointersFind(&inspector->bodyIndex, b);
        const bool known = before >= 0 && (size_t)before < pastCount;
        readBody(inspector, b, false, known ? &inspector->bodyPast[before] : NULL, &inspector->body[i]);
    }
    inspector->bodyCount = count;
    status = ksiPointersReset(&inspector->allocator, &inspector->bodyIndex, count);
    for (i = 0; !status && i < count; i++)
        ksiPointersAdd(&inspector->bodyIndex, inspector->body[i].begin.id, (int)i);
    return status;
}

/* The stepper floods from enabled bodies over enabled joints, through kinematic bodies too, and wakes what it meets. */
static void findAwake(ksInspector *inspector)
{
    ksiBodyState *body = inspector->body;
    for (size_t i = 0; i < inspector->bodyCount; i++)
        body[i].parent = (int)i;
    for (size_t i = 0; i < inspector->jointCount; i++) {
        const ksiJointState *joint = &inspector->joint[i];
        if (joint->bodyIndex[0] >= 0 && joint->bodyIndex[1] >= 0 && joint->enabled)
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
    if (joint->bodyIndex[0] < 0 || !joint->enabled || !inspector->body[joint->bodyIndex[0]].moved)
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

static void findAccelerations(ksInspector *inspector, ksiJointState *joint, const ksiBody *first, const ksiBody *second)
{
    int known[KSI_MAX_ROWS];
    ksiRowAcceleration(joint->id, first, second, &joint->rows, joint->beta, known);
    for (int l = 0; l < joint->rows.count; l++) {
        joint->betaSource[l] = known[l] ? KS_FROM_GEOMETRY : KS_FROM_NOWHERE;
        joint->wantsHistory |= !known[l] || joint->rows.row[l].kind == KS_ROW_MOTOR;
    }
    inspector->wantingHistory += joint->wantsHistory;
}

static bool isSoft(const ksInspector *inspector, const ksiRows *rows)
{
    bool soft = false;
    for (int l = 0; rows->mostCompliant > inspector->options.rigidCfm && l < rows->count; l++)
        soft |= rows->row[l].kind == KS_ROW_BILATERAL && rows->row[l].cfm > inspector->options.rigidCfm;
    return soft;
}

static void describeRows(ksInspector *inspector, ksiJointState *joint)
{
    const ksiBody *first = ksiBodyOfJoint(inspector, joint, 0), *second = ksiBodyOfJoint(inspector, joint, 1);
    joint->framed = ksiFrameAsksJoint(&joint->rows, second);
    if (joint->framed) {
        ksReaction *reaction = &inspector->reaction[joint - inspector->joint];
        ksiJointFrame(joint->id, first, second, &joint->rows, reaction->axes, reaction->anchor);
    }
    if (inspector->options.values & KS_COMPUTE_PHYSICAL && joint->type != dJointTypeContact) {
        findAccelerations(inspector, joint, first, second);
    }
    if (joint->rows.staleLimit)
        joint->reasons |= KS_REASON_STALE_LIMIT;
    joint->reasons |= joint->rows.bug;

    for (int side = 0; joint->rows.fudged && side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        for (int k = 0; k < 3; k++) {
            body->begin.force[k] += joint->rows.fudge[side].force[k];
            body->begin.force[3 + k] += joint->rows.fudge[side].torque[k];
        }
    }
    joint->soft = isSoft(inspector, &joint->rows);
}

/* As it is before the step, for who may read its rows in another pose: of a loop. */
static void copyJoint(ksInspector *inspector, ksiJointState *joint)
{
    if (!(inspector->options.values & KS_COMPUTE_PHYSICAL) || joint->type == dJointTypeContact)
        return;
    if (inspector->islandsKnown && joint->island >= 0 && inspector->island[joint->island].isTree)
        return;
    const size_t count = ksiJointBytes(joint->id) / sizeof *inspector->copy;
    const ksStatus status = ksiReserve(&inspector->allocator, &inspector->copy, &inspector->copyCapacity,
                                       inspector->copyCount + count, sizeof *inspector->copy);
    inspector->copying = status ? status : inspector->copying;
    if (status)
        return;
    ksiCopyJoint(joint->id, inspector->copy + inspector->copyCount);
    joint->copied = true;
    joint->copyAt = inspector->copyCount;
    inspector->copyCount += count;
}

/* The rows of a joint, and our feedback in place of the host's: the engine writes into it from now on. Cannot fail. */
static void readRows(ksInspector *inspector, ksiJointState *joint)
{
    if (!takesPart(inspector, joint))
        return;
    ksStatus status = ksiReadRows(&inspector->engine, joint->id, inspector->stepper, inspector->h, &joint->rows);
    if (status)
        refuse(inspector, joint, status);
    if (!joint->rows.count)
        return;
    joint->read = true;
    joint->isLoad = joint->type == dJointTypeContact && inspector->options.contacts == KS_CONTACTS_REPORTED;
    inspector->anyLoad |= joint->isLoad;
    describeRows(inspector, joint);
    copyJoint(inspector, joint);
    ksiScaleRows(inspector, joint);
    ksiFillFeedback(&joint->feedback);
    dJointSetFeedback(joint->id, &joint->feedback);
}

/* A body of the joint is not as the last step left it: the host may have stepped on its own, and dWorldStep takes marks
 * off. */
static bool hasMoved(const ksInspector *inspector, const ksiJointPast *last)
{
    for (int side = 0; side < 2; side++)
        if (last->body[side]) {
            const int body = bodyAt(inspector, last->body[side], (size_t)last->bodyIndex[side]);
            if (body >= 0 && (inspector->body[body].jumped || inspector->body[body].driven))
                return true;
        }
    return false;
}

static ksiJointPast pastOf(ksInspector *inspector, const ksiJointState *joint)
{
    return (ksiJointPast){.type = joint->type,
                          .body = {joint->body[0], joint->body[1]},
                          .bodyIndex = {joint->bodyIndex[0], joint->bodyIndex[1]},
                          .verdict = joint->verdict,
                          .mark = joint->mark,
                          .history = ksiRememberRows(inspector, joint)};
}

/* last: what the joint at this address was, or NULL; before: its place in ksInspector::past, or -1 if nothing of it is
 * needed later; unmarked: neither this joint nor any newer one has a mark, so that none of them was in a step */
KSI_INLINE void readJoint(ksInspector *inspector, dJointID id, const ksiJointPast *last, int before, bool unmarked,
                          ksiJointState *joint)
{
    int expected[2] = {-1, -1};
    ksiJoint now;
    bool same = false, remade = false;
    ksiReadJoint(&inspector->engine, id, last ? last->type : dJointTypeNone, &now);
    if (last) {
        remade = unmarked && last->mark && !hasMoved(inspector, last);
        same = !remade && last->type == now.type && last->body[0] == now.body[0] && last->body[1] == now.body[1];
        memcpy(expected, last->bodyIndex, sizeof expected);
    }
    memset(joint, 0, offsetof(ksiJointState, link));
    joint->rows.count = 0;
    joint->id = id;
    joint->type = now.type;
    joint->reversed = now.reversed;
    joint->enabled = now.enabled;
    joint->hostFeedback = now.feedback;
    // contact joints are made anew at the addresses of old ones
    joint->wasAlarming = same && now.type != dJointTypeContact && ksiIsAlarming(inspector, last->verdict);
    joint->before = remade ? -1 : before;
    joint->firstSubscription = -1;
    for (int side = 0; side < 2; side++) {
        dBodyID body = joint->body[side] = now.body[side];
        joint->bodyIndex[side] = body ? bodyAt(inspector, body, (size_t)expected[side]) : -1;
    }
}

static ksStatus reserveJoints(ksInspector *inspector, size_t count)
{
    const ksAllocator *allocator = &inspector->allocator;
    const size_t joints = inspector->jointCapacity;
    ksStatus status = ksiReserve(allocator, &inspector->joint, &inspector->jointCapacity, count, sizeof(ksiJointState));
    // what rows have in reserve stays zero
    if (!status && inspector->jointCapacity > joints)
        memset(inspector->joint + joints, 0, (inspector->jointCapacity - joints) * sizeof(ksiJointState));
    if (!status)
        status = ksiReserve(allocator, &inspector->past, &inspector->pastCapacity, count, sizeof(ksiJointPast));
    const size_t reactions = inspector->reactionCapacity;
    if (!status)
        status = ksiReserve(allocator, &inspector->reaction, &inspector->reactionCapacity, count, sizeof(ksReaction));
    if (!status && inspector->reactionCapacity > reactions)
        memset(inspector->reaction + reactions, 0, (inspector->reactionCapacity - reactions) * sizeof(ksReaction));
    if (!status)
        status = ksiReserve(allocator, &inspector->islandJoint, &inspector->islandJointCapacity, count, sizeof(int));
    if (!status)
        status = ksiReserve(allocator, &inspector->loadJoint, &inspector->loadJointCapacity, count, sizeof(dJointID));
    // room for it is made here
    if (!status)
        status = ksiPointersReset(allocator, &inspector->pairIndex, count);
    return status;
}

/* New joints come to the head of the world's list, and the others keep their order: one that has overtaken another was made
 * anew at the address of an old one. (The newest are told by their marks.) */
static void forgetRemade(ksInspector *inspector)
{
    int least = INT_MAX;
    for (size_t i = inspector->jointCount; i-- > 0;) {
        ksiJointState *joint = &inspector->joint[i];
        if (joint->before > least)
            joint->before = -1;
        else if (joint->before >= 0)
            least = joint->before;
    }
}

static ksStatus readJoints(ksInspector *inspector)
{
    size_t count, i = 0;
    const bool same = sameJoints(inspector, &count);
    bool unmarked = true;
    ksStatus status = ksiReserveHistory(inspector);
    for (size_t k = 0; !status && !same && k < inspector->jointCount; k++)
        inspector->past[k] = pastOf(inspector, &inspector->joint[k]);
    if (!status && !same)
        status = reserveJoints(inspector, count);
    if (status)
        return status;

    inspector->islandsKnown &= same;
    inspector->wantingHistory = 0;
    inspector->anyLoad = false;
    inspector->freeCount = inspector->copyCount = 0;
    inspector->copying = KS_OK;
    for (dJointID j = ksiFirstJoint(&inspector->engine); j; j = ksiNextJoint(j), i++) {
        ksiJointState *joint = &inspector->joint[i];
        unmarked = unmarked && !ksiJointMark(&inspector->engine, j);
        if (same) {
            const ksiJointPast last = pastOf(inspector, joint);
            if (last.history >= 0)
                inspector->past[i] = last;
            readJoint(inspector, j, &last, last.history < 0 ? -1 : (int)i, unmarked, joint);
        } else {
            const int found = ksiPointersFind(&inspector->jointIndex, j);
            const int before = (size_t)found < inspector->pastCount ? found : -1;
            readJoint(inspector, j, before < 0 ? NULL : &inspector->past[before], before, unmarked, joint);
        }
        if (same && !inspector->anyAsleep)
            readRows(inspector, joint);
    }
    inspector->jointCount = count;
    if (!same) {
        forgetRemade(inspector);
        status = ksiPointersReset(&inspector->allocator, &inspector->jointIndex, count);
    }
    for (i = 0; !same && !status && i < count; i++)
        ksiPointersAdd(&inspector->jointIndex, inspector->joint[i].id, (int)i);
    if (status || (same && !inspector->anyAsleep))
        return status;

    if (inspector->anyAsleep)
        findAwake(inspector);
    for (i = 0; i < count; i++)
        readRows(inspector, &inspector->joint[i]);
    return KS_OK;
}

ksStatus ksiSnapshotBegin(ksInspector *inspector)
{
    ksStatus status = readBodies(inspector);
    ksiLap(inspector, KS_PHASE_SNAPSHOT);
    if (!status)
        status = readJoints(inspector);
    ksiLap(inspector, KS_PHASE_ROWS);
    if (!status && inspector->copying) {
        ksiGiveFeedbackBack(inspector);
        status = inspector->copying;
    }
    inspector->known = !status;
    if (status) {
        inspector->bodyCount = inspector->jointCount = 0;
        return status;
    }
    return inspector->report.culprit ? KS_ERROR_NOT_FINITE : KS_OK;
}

static void readMotion(dBodyID id, ksiBodyState *body)
{
    const bool enabled = ksiReadState(id, body->endCentre, body->endRotation, body->finished);
    body->found = true;
    body->moved = body->moved && body->dynamic && enabled && isfinite(body->finished[0]);
}

/* Rows on bodies that were stopped before the step were read with the velocities from before that. Their islands are found
 * anew, for what stands against solving them. */
static void correctRates(ksInspector *inspector)
{
    inspector->islandsKnown = false;
    for (size_t i = 0; i < inspector->jointCount; i++) {
        if (ksiWasReset(inspector, &inspector->joint[i]))
            ksiScaleRows(inspector, &inspector->joint[i]);
    }
}

void ksiReadMotion(ksInspector *inspector)
{
    size_t expected = 0, found = 0;
    for (dBodyID b = ksiFirstBody(&inspector->engine); b; b = ksiNextBody(b)) {
        int index = bodyAt(inspector, b, expected);
        if (index < 0)
            continue;
        ksiBodyState *body = &inspector->body[index];
        expected = (size_t)index + 1;
        found++;
        readMotion(b, body);
        ksiPredictMotion(inspector, body);
        ksiAddBodyToIsland(inspector, body);
        ksiBookEnergy(inspector, body);
        inspector->anyReset |= body->reasons & KS_REASON_RESET;
    }
    for (size_t i = 0; found < inspector->bodyCount && i < inspector->bodyCount; i++) {
        ksiBodyState *body = &inspector->body[i];
        if (body->found)
            continue;
        body->finished[0] = NAN;
        ksiPredictGone(inspector, body);
        ksiAddBodyToIsland(inspector, body);
    }
    if (inspector->anyReset)
        correctRates(inspector);
}
