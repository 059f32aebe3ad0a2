/* read.c  Phase 1: reads the world before the step.
 *
 * Bodies and joints are found afresh from the world's own lists each time: no pointer is trusted
 * across steps. The arrays that arrays.h lists are reserved here, before the engine is called. */
#include "../inspector.h"
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "body_motion.h"
#include "memory.h"
#include "targets.h"

#include "../../base/union_find.h"
#include "../../base/vectorise.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* --- Bodies --- */

/* last: the state in which the last step left the body, or NULL. */
static void readBody(const ksiStep *step, dBodyID seen, const ksiBodyEnd *last, ksiInput *input, ksiBodyInput *body)
{
    body->reasons = 0;
    body->open = 0;
    body->isStopped = false;
    body->status = ksiReadBody(step->seen, seen, step->h, &body->begin);
    ksiCompareBody(step, last, body);
    if (body->status == KS_ERROR_NOT_FINITE) {
        body->reasons |= KS_REASON_NOT_FINITE;
        if (!input->culprit)
            input->culprit = body->begin.id;
    }
    body->dynamic = !body->status && body->begin.dynamic;
    if (body->status == KS_ERROR_NOT_POSITIVE_DEFINITE || (!body->status && !body->begin.kinematic && !body->dynamic))
        body->reasons |= KS_REASON_MASS;
    body->awake = body->begin.enabled;
    input->anyAsleep |= !body->awake;
    input->anySingle |= body->begin.isSingle;
    input->anyDriven |= body->driven || (body->jumped && body->begin.kinematic);
}

/* Reads bodies as long as they are the bodies of the last step, in the same order; true if all of
 * them are. The data of the last step is then still in place. */
static bool readSameBodies(const ksiStep *step, ksiInput *input)
{
    size_t i = 0;
    dBodyID b = ksiFirstBody(step->seen);
    for (; b && i < input->bodyCount && input->body[i].begin.id == ksiIdOfBody(step->seen, b); b = ksiNextBody(b), i++)
        readBody(step, b, &step->motion[i].end, input, &input->body[i]);
    return !b && i == input->bodyCount && i > 0;
}

static void clearFound(ksiInput *input)
{
    input->anyAsleep = input->anyDriven = input->anySingle = false;
    input->culprit = NULL;
    input->culpritJoint = NULL;
}

static ksStatus readBodiesAnew(ksInspector *inspector)
{
    const ksiStep *step = &inspector->step;
    ksiInput *input = &inspector->input;
    const size_t pastCount = input->bodyCount;
    size_t count = 0, i = 0;
    for (dBodyID b = ksiFirstBody(step->seen); b; b = ksiNextBody(b))
        count++;
    KSI_TRY(ksiRememberBodies(step, &inspector->memory));
    KSI_TRY(ksiReserveBodies(inspector, count));
    for (dBodyID b = ksiFirstBody(step->seen); b; b = ksiNextBody(b), i++) {
        const int before = ksiPointersFind(&input->bodyIndex, ksiIdOfBody(step->seen, b));
        const bool known = before >= 0 && (size_t)before < pastCount;
        readBody(step, b, known ? &inspector->memory.body[before] : NULL, input, &input->body[i]);
    }
    input->bodyCount = count;
    KSI_TRY(ksiPointersReset(&step->allocator, &input->bodyIndex, count));
    for (i = 0; i < count; i++)
        ksiPointersAdd(&input->bodyIndex, input->body[i].begin.id, (int)i);
    return KS_OK;
}

ksStatus ksiReadBodies(ksInspector *inspector)
{
    ksiInput *input = &inspector->input;
    ksStatus status = KS_OK;
    clearFound(input);
    input->sameBodies = readSameBodies(&inspector->step, input);
    if (!input->sameBodies) {
        clearFound(input);
        status = readBodiesAnew(inspector);
    }
    if (!status)
        ksiMindPrecision(inspector);
    return status;
}

/* The stepper walks from enabled bodies over enabled joints, also through kinematic bodies, and
 * wakes all bodies that it reaches. */
static void findAwake(ksiInput *input, int *parent)
{
    ksiBodyInput *body = input->body;
    ksiSetsReset(parent, input->bodyCount);
    for (size_t i = 0; i < input->jointCount; i++) {
        const ksiJointInput *joint = &input->joint[i];
        if (joint->bodyIndex[0] >= 0 && joint->bodyIndex[1] >= 0 && joint->enabled)
            ksiSetsUnite(parent, joint->bodyIndex[0], joint->bodyIndex[1]);
    }
    for (size_t i = 0; i < input->bodyCount; i++) {
        if (body[i].begin.enabled)
            body[ksiSetOf(parent, (int)i)].awake = true;
    }
    for (size_t i = 0; i < input->bodyCount; i++)
        body[i].awake = body[ksiSetOf(parent, (int)i)].awake;
}

/* --- Rows --- */

static bool takesPart(const ksiInput *input, const ksiJointInput *joint)
{
    if (joint->bodyIndex[0] < 0 || !joint->enabled || !input->body[joint->bodyIndex[0]].awake)
        return false;
    bool dynamic = false;
    KSI_EACH_BODY (joint->bodyIndex, side, at) {
        const ksiBodyInput *body = &input->body[at];
        // the engine's own row code may abort on a pose that is not finite
        if (body->status == KS_ERROR_NOT_FINITE)
            return false;
        dynamic |= !body->begin.kinematic;
    }
    return dynamic;
}

/* Clears unknown rows for later readers. */
static void clearRows(ksiRows *rows)
{
    rows->count = rows->permanent = 0;
    rows->plain = 1;
    rows->powered = 0;
    rows->axisLength = 1;
}

/* The engine will solve this joint by unknown rows, so the island of its bodies is not judged. */
static void refuse(ksiInput *input, ksiJointInput *joint, ksStatus status)
{
    unsigned reason = status == KS_ERROR_NOT_FINITE ? KS_REASON_NOT_FINITE : KS_REASON_UNREADABLE;
    clearRows(&joint->rows);
    joint->reasons |= reason;
    if (status == KS_ERROR_NOT_FINITE && !input->culpritJoint)
        input->culpritJoint = joint->id;
    KSI_EACH_BODY (joint->bodyIndex, side, at)
        input->body[at].reasons |= reason;
}

static void readGeometry(const ksiStep *step, ksiInput *input, ksiJointInput *joint, const ksiBody *first,
                         const ksiBody *second)
{
    ksiReadGeometry(joint->seen, first, second, &joint->rows, &joint->geometry);
    const bool follows = ksiReadTargets(step, joint);
    joint->wantsHistory = follows || joint->geometry.known + 1 != 1u << joint->rows.count;
    input->wantingHistory += joint->wantsHistory;
}

static ksiSoftness softnessOf(const ksiStep *step, const ksiRows *rows)
{
    ksiSoftness soft = KSI_NOT_SOFT;
    for (int l = 0; rows->mostCompliant > step->options.rigidCfm && l < rows->count; l++) {
        if (!(rows->row[l].cfm > step->options.rigidCfm) || rows->row[l].kind == KS_ROW_MOTOR)
            continue;
        if (rows->row[l].kind == KS_ROW_BILATERAL)
            return KSI_SOFT;
        soft = KSI_SOFT_STOP;
    }
    return soft;
}

/* Is only a part of the joint soft? The engine applies the CFM of a fixed joint and of a double
 * hinge to some of the rows only. */
static bool isPartSoft(const ksiRows *rows)
{
    double least = INFINITY;
    for (int l = 0; l < rows->count; l++)
        least = rows->row[l].cfm < least ? rows->row[l].cfm : least;
    return (rows->type == dJointTypeFixed || rows->type == dJointTypeDHinge) && least < rows->mostCompliant;
}

static bool isBounded(const ksiRows *rows)
{
    bool bounded = false;
    for (int l = 0; !rows->plain && l < rows->count; l++)
        bounded |= ksiRowHasBounds(&rows->row[l]);
    return bounded;
}

static void examineRows(const ksiStep *step, ksiInput *input, ksiJointInput *joint)
{
    ksiBody *body[2];
    for (int side = 0; side < 2; side++)
        body[side] = joint->bodyIndex[side] < 0 ? NULL : &input->body[joint->bodyIndex[side]].begin;
    // a contact's frame follows from its rows later, on request
    joint->isFramed = joint->type != dJointTypeContact;
    if (joint->isFramed)
        ksiJointFrame(joint->seen, body[0], body[1], &joint->rows, joint->frame.axes, joint->frame.anchor);
    if (step->options.values & KS_COMPUTE_PHYSICAL && joint->type != dJointTypeContact)
        readGeometry(step, input, joint, body[0], body[1]);
    if (joint->rows.staleLimit)
        joint->reasons |= KS_REASON_STALE_LIMIT;
    if (joint->rows.axisLength != 1)
        joint->reasons |= KS_REASON_AXIS_LENGTH;
    joint->reasons |= joint->rows.bug;
    joint->soft = softnessOf(step, &joint->rows);
    if (joint->soft == KSI_SOFT && isPartSoft(&joint->rows))
        joint->reasons |= KS_REASON_PART_SOFT;
    joint->isBounded = isBounded(&joint->rows);
    joint->erp = step->isSingle ? ksiLargestErp(joint->seen, &joint->rows, input->erp) : 0;
}

/* Copies the joint before the step, for later readings of its rows in another pose or at other
 * velocities. */
static void copyJoint(const ksiStep *step, ksiInput *input, ksiJointInput *joint)
{
    if (!(step->options.values & KS_COMPUTE_PHYSICAL) || joint->type == dJointTypeContact)
        return;
    const size_t count = ksiJointBytes(joint->seen) / sizeof *input->copy;
    const ksStatus status =
        ksiReserve(&step->allocator, &input->copy, &input->copyCapacity, input->copyCount + count, sizeof *input->copy);
    input->copying = status ? status : input->copying;
    if (status)
        return;
    ksiCopyJoint(joint->seen, input->copy + input->copyCount);
    joint->isCopied = true;
    joint->copyAt = input->copyCount;
    input->copyCount += count;
}

/* Reads the rows of a joint, and replaces the host's feedback by ours, into which the engine then
 * writes. Cannot fail. */
static void readRows(const ksiStep *step, size_t index, ksiInput *input)
{
    ksiJointInput *joint = &input->joint[index];
    if (!takesPart(input, joint))
        return;
    ksiPutBetween(step->seen, joint->seen, joint->bodyIndex);
    ksStatus status = ksiReadRows(step->seen, joint->seen, step->stepper, step->h, &joint->rows);
    if (status)
        refuse(input, joint, status);
    if (!joint->rows.count)
        return;
    joint->isRead = true;
    // an exact step solves contacts first; how another engine solves them is unknown
    const bool areLoads = (step->options.contacts == KS_CONTACTS_REPORTED && !step->isExact) || step->isForeign;
    joint->isLoad = joint->type == dJointTypeContact && areLoads;
    input->anyLoad |= joint->isLoad;
    ksiScaleRows(input->body, joint);
    examineRows(step, input, joint);
    copyJoint(step, input, joint);
    ksiFillFeedback(&input->feedback[index].own);
    dJointSetFeedback(joint->seen, &input->feedback[index].own);
}

/* --- Joints --- */

/* Counts the joints. Are they the joints of the last step, in the same order? */
static bool sameJoints(const ksiStep *step, const ksiInput *input, size_t *count)
{
    bool same = true;
    *count = 0;
    for (dJointID j = ksiFirstJoint(step->seen); j; j = ksiNextJoint(j), ++*count)
        same = same && *count < input->jointCount && input->joint[*count].id == ksiIdOfJoint(step->seen, j);
    return same && *count == input->jointCount && *count > 0;
}

/* Has a body of the joint changed since the last step? If so, the host may have stepped the world
 * without the library, and dWorldStep removes marks. */
static bool hasMoved(const ksiInput *input, const ksiJointPast *last)
{
    for (int side = 0; side < 2; side++) {
        if (!last->body[side])
            continue;
        const int body = ksiBodyAt(input, last->body[side], (size_t)last->bodyIndex[side]);
        if (body >= 0 && (input->body[body].jumped || input->body[body].driven))
            return true;
    }
    return false;
}

/* A joint of the last step. */
typedef struct Predecessor {
    const ksiJointPast *was; /* the joint that was at this address, or NULL */
    int before;              /* its index in ksiMemory::joint, or -1 if its data is not needed
                                later */
    bool unmarked;           /* neither this joint nor any newer one has a mark, so that none of
                                them was in a step */
} Predecessor;

/* Do the marks show that another joint had this address? A step had marked that joint. */
static bool isRemade(const ksiInput *input, const Predecessor *last)
{
    return last->was && last->unmarked && last->was->mark && !hasMoved(input, last->was);
}

static bool isAlike(const ksiJointPast *was, const ksiJoint *now)
{
    return was->type == now->type && was->body[0] == now->body[0] && was->body[1] == now->body[1];
}

/* Clears the data that later phases find. */
KSI_INLINE void clearJoint(ksiJointInput *joint)
{
    joint->reasons = 0;
    joint->isRead = joint->isLoad = joint->isBounded = joint->isFramed = joint->isCopied = false;
    joint->wantsHistory = false;
    joint->soft = KSI_NOT_SOFT;
    joint->geometry.known = joint->follows = 0;
    clearRows(&joint->rows);
}

KSI_INLINE void readJoint(const ksiStep *step, dJointID seen, const Predecessor *last, ksiInput *input, size_t index)
{
    ksiJointInput *joint = &input->joint[index];
    const ksiJointPast *was = last->was;
    ksiJoint now;
    ksiReadJoint(step->seen, seen, was ? was->type : dJointTypeNone, &now);
    const bool remade = isRemade(input, last);
    // contact joints are made anew at the addresses of old ones
    const bool goesOn = was && !remade && isAlike(was, &now) && now.type != dJointTypeContact;
    clearJoint(joint);
    joint->id = ksiIdOfJoint(step->seen, seen);
    joint->seen = seen;
    joint->type = now.type;
    joint->reversed = now.reversed;
    joint->enabled = now.enabled;
    joint->isMeantSoft = step->isForeign && now.mark == KSI_MEANT_SOFT;
    joint->goesOn = goesOn;
    joint->fudgeWork = goesOn ? was->fudgeWork : 0;
    joint->wasAlarming = goesOn && ksiIsAlarming(step, was->verdict);
    joint->before = remade ? -1 : last->before;
    input->feedback[index].host = now.feedback;
    for (int side = 0; side < 2; side++) {
        dBodyID body = joint->body[side] = now.body[side];
        const int expected = was ? was->bodyIndex[side] : -1;
        joint->bodyIndex[side] = body ? ksiBodyAt(input, body, (size_t)expected) : -1;
    }
}

/* Reads the same joints in the same order, each in its old place. */
static void readInPlace(ksInspector *inspector)
{
    const ksiStep *step = &inspector->step;
    ksiInput *input = &inspector->input;
    Predecessor last = {.unmarked = true};
    size_t i = 0;
    for (dJointID j = ksiFirstJoint(step->seen); j; j = ksiNextJoint(j), i++) {
        const ksiJointPast was = ksiRememberJoint(step, i, &inspector->memory);
        if (was.history >= 0)
            inspector->memory.joint[i] = was;
        last.was = &was;
        last.before = was.history < 0 ? -1 : (int)i;
        last.unmarked = last.unmarked && !ksiJointMark(step->seen, j);
        readJoint(step, j, &last, input, i);
        if (!input->joint[i].goesOn && step->options.values & KS_COMPUTE_PHYSICAL)
            inspector->physical.run[i].length = 0;
        if (!input->anyAsleep)
            readRows(step, i, input);
    }
}

/* New joints come to the head of the world's list, and the others keep their order, so their old
 * indices decrease from the end of the list to its head. A joint out of order was made anew at the
 * address of an old one. (Marks identify the newest joints.) */
static void forgetRemade(ksiInput *input)
{
    int least = INT_MAX;
    for (size_t i = input->jointCount; i-- > 0;) {
        ksiJointInput *joint = &input->joint[i];
        if (joint->before < 0)
            continue;
        if (joint->before > least) {
            joint->before = -1;
            joint->goesOn = joint->wasAlarming = false;
        } else {
            least = joint->before;
        }
    }
}

/* The index of a joint in the last step's list, or -1. The map still has the joints of the last
 * step; it may also have joints of a failed step. */
static int placeBefore(const ksInspector *inspector, dJointID joint)
{
    const int found = ksiPointersFind(&inspector->input.jointIndex, joint);
    return found >= 0 && (size_t)found < inspector->memory.jointCount ? found : -1;
}

/* Moves the kept data of joints to their present indices. Continuing joints keep their order. So
 * nothing is overwritten: joints with lower new indices are moved first, from the first joint on;
 * then joints with higher new indices, from the last joint on. */
static void moveKept(const ksiInput *input, void *kept, size_t size)
{
    unsigned char *at = kept;
    const int count = (int)input->jointCount;
    for (int i = 0; i < count; i++)
        if (input->joint[i].goesOn && input->joint[i].before > i)
            memcpy(at + (size_t)i * size, at + (size_t)input->joint[i].before * size, size);
    for (int i = count; i-- > 0;)
        if (input->joint[i].goesOn && input->joint[i].before < i)
            memcpy(at + (size_t)i * size, at + (size_t)input->joint[i].before * size, size);
}

static void moveRuns(const ksiInput *input, ksiRunMean *run)
{
    moveKept(input, run, sizeof *run);
    for (size_t i = 0; i < input->jointCount; i++)
        if (!input->joint[i].goesOn)
            run[i].length = 0;
}

static void moveMeans(const ksiInput *input, ksiMeanRun *run)
{
    moveKept(input, run, sizeof *run);
    for (size_t i = 0; i < input->jointCount; i++)
        if (!input->joint[i].goesOn)
            run[i].slot = -1;
}

/* Reads a changed list: all joints are remembered before any is overwritten. */
static ksStatus readAnew(ksInspector *inspector, size_t count)
{
    const ksiStep *step = &inspector->step;
    ksiInput *input = &inspector->input;
    Predecessor last = {.unmarked = true};
    for (size_t k = 0; k < input->jointCount; k++)
        inspector->memory.joint[k] = ksiRememberJoint(step, k, &inspector->memory);
    KSI_TRY(ksiReserveJoints(inspector, count));
    size_t i = 0;
    for (dJointID j = ksiFirstJoint(step->seen); j; j = ksiNextJoint(j), i++) {
        last.before = placeBefore(inspector, ksiIdOfJoint(step->seen, j));
        last.was = last.before < 0 ? NULL : &inspector->memory.joint[last.before];
        last.unmarked = last.unmarked && !ksiJointMark(step->seen, j);
        readJoint(step, j, &last, input, i);
    }
    input->jointCount = count;
    forgetRemade(input);
    if (step->options.values & KS_COMPUTE_PHYSICAL)
        moveRuns(input, inspector->physical.run);
    moveMeans(input, inspector->means.run);
    KSI_TRY(ksiPointersReset(&step->allocator, &input->jointIndex, count));
    for (i = 0; i < count; i++)
        ksiPointersAdd(&input->jointIndex, input->joint[i].id, (int)i);
    return KS_OK;
}

ksStatus ksiReadJoints(ksInspector *inspector)
{
    const ksiStep *step = &inspector->step;
    ksiInput *input = &inspector->input;
    size_t count;
    KSI_TRY(ksiReserveHistory(step, &inspector->memory));
    input->sameJoints = sameJoints(step, input, &count);
    input->wantingHistory = input->copyCount = 0;
    input->anyLoad = false;
    input->erp = dWorldGetERP(step->seen->world);
    ksiGetGravity(step->seen->world, input->gravity);
    input->copying = KS_OK;
    if (input->sameJoints)
        readInPlace(inspector);
    else
        KSI_TRY(readAnew(inspector, count));
    if (input->anyAsleep)
        findAwake(input, inspector->parent);
    // only awake joints have rows; if all are awake, readInPlace has read them
    for (size_t i = 0; i < count && !(input->sameJoints && !input->anyAsleep); i++)
        readRows(step, i, input);
    // joints have our feedback by now: report a failure as a lack of copies
    ksStatus status = ksiReserveMeans(step, &inspector->means);
    status = status ? status : ksiReserveFlicker(step, &inspector->flicker);
    input->copying = input->copying ? input->copying : status;
    return KS_OK;
}

/* --- Afterwards --- */

static void stopBody(ksiBodyInput *body)
{
    if (!body->isStopped)
        body->stopped = body->dynamic ? ksiKinetic(&body->begin, body->begin.velocity) : 0;
    body->isStopped = true;
    ksiStopBody(&body->begin);
    body->isSlowed = body->driven = false;
}

void ksiReviseInput(const ksiStep *step, ksiInput *input)
{
    for (size_t i = 0; i < input->bodyCount; i++) {
        if (step->motion[i].reasons & KS_REASON_RESET)
            stopBody(&input->body[i]);
    }
    for (size_t i = 0; i < input->jointCount; i++) {
        if (ksiWasReset(step, (int)i))
            ksiScaleRows(input->body, &input->joint[i]);
    }
}
