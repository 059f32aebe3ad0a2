/* snapshot.c  Copies a step of a world into a buffer.
 *
 * The simulating thread pays for this copy. Another processor reads the snapshot, so writing to it
 * is expensive. It costs less to compare an object with its last copy, which is cached. For most
 * bodies, only the state after the step is new. */
#include "snapshot.h"

#include "copy.h"
#include "image.h"

#include <math.h>

struct ksiTakenBody {
    ksiBodyBytes bytes;
};

struct ksiTakenJoint {
    dJointFeedback *host;
    ksiJointShot head;
};

/* Objects are scattered in memory, so each loop prefetches the object AHEAD entries further on.
 * LINE: bytes of a cache line. */
enum { AHEAD = 4, LINE = 64 };

void ksiTakerInit(const ksiEngine *engine, ksiTaker *taker)
{
    *taker = (ksiTaker){.isBlank = true};
    ksiClassBytes(engine, taker->ownBytes);
}

/* --- Before the step --- */

static ksStatus makeRoom(const ksiEngine *engine, const ksAllocator *allocator, ksiTaker *taker, ksiSnapshot *out)
{
    size_t bodies = 0, joints = 0;
    if (engine->counts) {
        bodies = (size_t)engine->counts[0];
        joints = (size_t)engine->counts[1];
    } else {
        for (dBodyID b = ksiFirstBody(engine); b; b = ksiNextBody(b))
            bodies++;
        for (dJointID j = ksiFirstJoint(engine); j; j = ksiNextJoint(j))
            joints++;
    }
    ksStatus status = ksiReserve(allocator, &taker->body, &taker->bodyCapacity, bodies, sizeof *taker->body);
    if (!status)
        status = ksiReserve(allocator, &taker->joint, &taker->jointCapacity, joints, sizeof *taker->joint);
    if (!status)
        status = ksiReserve(allocator, &out->bodyEnd, &out->bodyCapacity, bodies, sizeof *out->bodyEnd);
    if (!status)
        status = ksiReserve(allocator, &out->jointEnd, &out->jointCapacity, joints, sizeof *out->jointEnd);
    if (!status)
        status = ksiReserve(allocator, &out->feedback, &out->feedbackCapacity, joints, sizeof *out->feedback);
    if (status)
        return status;
    // new entries match no object
    for (size_t i = taker->bodyCount; i < bodies; i++)
        taker->body[i].bytes.id = NULL;
    for (size_t i = taker->jointCount; i < joints; i++)
        taker->joint[i].head.id = NULL;
    taker->bodyCount = out->bodyCount = bodies;
    taker->jointCount = out->jointCount = joints;
    return KS_OK;
}

static void blank(ksiTaker *taker)
{
    for (size_t i = 0; i < taker->bodyCount; i++)
        taker->body[i].bytes.id = NULL;
    for (size_t i = 0; i < taker->jointCount; i++)
        taker->joint[i].head.id = NULL;
}

static void takeWorld(const ksiEngine *engine, ksiSnapshotWorld *out)
{
    dWorldGetGravity(engine->world, out->gravity);
    out->gravity[3] = 0;
    out->erp = dWorldGetERP(engine->world);
    out->cfm = dWorldGetCFM(engine->world);
    out->contactSpeed = dWorldGetContactMaxCorrectingVel(engine->world);
    out->contactDepth = dWorldGetContactSurfaceLayer(engine->world);
    out->iterations = dWorldGetQuickStepNumIterations(engine->world);
    out->threads = ksiThreadCount(engine);
}

/* Room for `bytes` after the used bytes of the snapshot; NULL: out of memory. */
static char *append(const ksAllocator *allocator, ksiSnapshot *out, size_t bytes)
{
    const size_t at = out->bytesUsed;
    if (ksiReserve(allocator, &out->bytes, &out->bytesCapacity, at + ksiPaddedBytes(bytes), sizeof *out->bytes))
        return NULL;
    out->bytesUsed += ksiPaddedBytes(bytes);
    return out->bytes + at;
}

static void askFor(const void *object, size_t bytes)
{
    for (size_t at = 0; object && at < bytes; at += LINE)
        __builtin_prefetch((const char *)object + at);
}

/* May a number of the body, or a product of several of its numbers, be infinite or NaN? */
KSI_CLONES
static bool isSuspect(const dReal *number)
{
    static const double large = 1e30;
    ksiFour sum = {0};
    EACH (i, 0, KSI_BODY_NUMBERS / 4) {
        ksiFour x;
        ksiLoadFour(&x, number + 4 * i);
        sum += x * x;
    }
    double all = sum[0] + sum[1] + sum[2] + sum[3];
    for (int i = KSI_BODY_NUMBERS / 4 * 4; i < KSI_BODY_NUMBERS; i++)
        all += (double)number[i] * number[i];
    return !(all < large);
}

static ksStatus takeBody(const ksAllocator *allocator, dBodyID body, size_t rank, ksiTakenBody *taken, ksiSnapshot *out)
{
    const ksiBodyFields *fields = ksiFieldsOf(body);
    const dReal *number = ksiFirstNumber(fields);
    ksiBodyBytes *bytes = &taken->bytes;
    const bool hasExtras = fields->flags & KSI_BODY_HAS_EXTRAS;
    ksiBodyExtras extras;
    memset(&extras, 0, sizeof extras);
    if (hasExtras)
        ksiReadExtras(body, &extras);
    if (bytes->id == body && bytes->flags == fields->flags && !memcmp(bytes->number, number, sizeof bytes->number) &&
        !memcmp(&bytes->extras, &extras, sizeof extras))
        return KS_OK;
    bytes->id = body;
    bytes->flags = fields->flags;
    memcpy(bytes->number, number, sizeof bytes->number);
    bytes->extras = extras;
    ksiBodyChange *change = (ksiBodyChange *)(void *)append(allocator, out, sizeof *change);
    if (!change)
        return KS_ERROR_NO_MEMORY;
    change->rank = rank;
    change->bytes = *bytes;
    out->bodyChanges++;
    return KS_OK;
}

static ksStatus takeBodies(const ksiEngine *engine, const ksAllocator *allocator, double h, ksiTaker *taker,
                           ksiSnapshot *out, dBodyID *culprit)
{
    size_t rank = taker->bodyCount;
    ksStatus status = KS_OK;
    *culprit = NULL;
    for (dBodyID b = ksiFirstBody(engine); !status && b && rank > 0; b = ksiNextBody(b)) {
        rank--;
        if (rank >= AHEAD)
            askFor(taker->body[rank - AHEAD].bytes.id, sizeof(ksiBodyFields));
        status = takeBody(allocator, b, rank, &taker->body[rank], out);
        ksiBody read;
        if (!*culprit && isSuspect(taker->body[rank].bytes.number) &&
            ksiReadBody(engine, b, h, &read) == KS_ERROR_NOT_FINITE)
            *culprit = b;
    }
    return status;
}

/* Copies the whole joint each time: the bytes of a class have uninitialised gaps, so the bytes
 * cannot be compared. */
static ksStatus takeJoint(const ksiEngine *engine, const ksAllocator *allocator, dJointID joint, ksiTaker *taker,
                          ksiTakenJoint *taken, ksiSnapshot *out)
{
    const ksiJointFields *fields = ksiFieldsOfJoint(joint);
    ksiJointShot *head = &taken->head;
    if (head->id != joint || head->virtualTable != fields->object.virtualTable) {
        head->id = joint;
        head->virtualTable = fields->object.virtualTable;
        head->type = (int)dJointGetType(joint);
        head->ownBytes = taker->ownBytes[ksiKnownType(engine, joint)];
    }
    head->body[0] = fields->node[0].body;
    head->body[1] = fields->node[1].body;
    head->flags = fields->flags;
    head->mark = fields->object.tag;
    char *at = append(allocator, out, sizeof *head + head->ownBytes);
    if (!at)
        return KS_ERROR_NO_MEMORY;
    memcpy(at, head, sizeof *head);
    memcpy(at + sizeof *head, fields + 1, head->ownBytes);
    return KS_OK;
}

/* Gives the host its feedback back, if the joint still has the feedback of the snapshot. */
static void giveBack(dJointID joint, const dJointFeedback *feedback, dJointFeedback *host)
{
    if (ksiFieldsOfJoint(joint)->feedback != feedback)
        return;
    dJointSetFeedback(joint, host);
    ksiGiveWritten(feedback, host);
}

static ksStatus takeJoints(const ksiEngine *engine, const ksAllocator *allocator, ksiTaker *taker, ksiSnapshot *out)
{
    size_t rank = taker->jointCount;
    ksStatus status = KS_OK;
    dJointID j = ksiFirstJoint(engine);
    for (; !status && j && rank > 0; j = ksiNextJoint(j)) {
        rank--;
        if (rank >= AHEAD) {
            const ksiJointShot *head = &taker->joint[rank - AHEAD].head;
            askFor(head->id, sizeof(ksiJointFields) + head->ownBytes);
        }
        status = takeJoint(engine, allocator, j, taker, &taker->joint[rank], out);
        taker->joint[rank].host = ksiFieldsOfJoint(j)->feedback;
        ksiFillFeedback(&out->feedback[rank]);
        dJointSetFeedback(j, &out->feedback[rank]);
    }
    if (!status)
        return KS_OK;
    size_t last = taker->jointCount;
    for (j = ksiFirstJoint(engine); j && last > rank; j = ksiNextJoint(j)) {
        last--;
        giveBack(j, &out->feedback[last], taker->joint[last].host);
    }
    return status;
}

ksStatus ksiTakeBegin(const ksiEngine *engine, const ksAllocator *allocator, double h, ksiTaker *taker,
                      ksiSnapshot *out, dBodyID *culprit)
{
    *culprit = NULL;
    ksStatus status = makeRoom(engine, allocator, taker, out);
    if (!status) {
        out->bytesUsed = out->bodyChanges = 0;
        out->isWhole = taker->isBlank;
        if (taker->isBlank)
            blank(taker);
        takeWorld(engine, &out->world);
        status = takeBodies(engine, allocator, h, taker, out, culprit);
    }
    if (!status)
        status = takeJoints(engine, allocator, taker, out);
    taker->isBlank = status != KS_OK;
    return status;
}

/* --- After the step --- */

/* The rank of a copied body; -1: the body is new. Tries `expected` first, because most bodies keep
 * their places in the list. */
static long rankOfBody(const ksiTaker *taker, dBodyID body, long expected)
{
    if (expected >= 0 && taker->body[expected].bytes.id == body)
        return expected;
    for (long rank = (long)taker->bodyCount; rank-- > 0;)
        if (taker->body[rank].bytes.id == body)
            return rank;
    return -1;
}

static long rankOfJoint(const ksiTaker *taker, dJointID joint, long expected)
{
    if (expected >= 0 && taker->joint[expected].head.id == joint)
        return expected;
    for (long rank = (long)taker->jointCount; rank-- > 0;)
        if (taker->joint[rank].head.id == joint)
            return rank;
    return -1;
}

static void endBodies(const ksiEngine *engine, ksiTaker *taker, ksiSnapshot *out)
{
    for (size_t i = 0; i < out->bodyCount; i++)
        out->bodyEnd[i].isThere = 0;
    long expected = (long)taker->bodyCount - 1;
    for (dBodyID b = ksiFirstBody(engine); b; b = ksiNextBody(b)) {
        const long rank = rankOfBody(taker, b, expected);
        if (rank < 0)
            continue;
        if (rank >= AHEAD)
            askFor(taker->body[rank - AHEAD].bytes.id, sizeof(ksiBodyFields));
        const ksiBodyFields *fields = ksiFieldsOf(b);
        const dReal *state = ksiFirstNumber(fields) + KSI_STATE_FIRST;
        ksiBodyEndBytes *end = &out->bodyEnd[rank];
        ksiBodyBytes *bytes = &taker->body[rank].bytes;
        memcpy(end->number, state, sizeof end->number);
        memcpy(bytes->number + KSI_STATE_FIRST, state, sizeof end->number);
        bytes->flags = end->flags = fields->flags;
        end->isThere = 1;
        expected = rank - 1;
    }
}

static void endJoint(dJointID joint, ksiTakenJoint *taken, dJointFeedback *feedback, ksiJointEndBytes *end)
{
    const ksiJointFields *fields = ksiFieldsOfJoint(joint);
    ksiJointShot *head = &taken->head;
    const bool isSame = head->virtualTable == fields->object.virtualTable && head->body[0] == fields->node[0].body &&
                        head->body[1] == fields->node[1].body;
    end->fate = isSame ? KSI_GOES_ON : KSI_REPLACED;
    end->mark = head->mark = fields->object.tag;
    giveBack(joint, feedback, taken->host);
}

void ksiTakeEnd(const ksiEngine *engine, ksiTaker *taker, ksiSnapshot *out)
{
    endBodies(engine, taker, out);
    for (size_t i = 0; i < out->jointCount; i++)
        out->jointEnd[i] = (ksiJointEndBytes){.fate = KSI_GONE};
    long expected = (long)taker->jointCount - 1;
    for (dJointID j = ksiFirstJoint(engine); j; j = ksiNextJoint(j)) {
        const long rank = rankOfJoint(taker, j, expected);
        if (rank < 0)
            continue;
        if (rank >= AHEAD)
            askFor(taker->joint[rank - AHEAD].head.id, sizeof(ksiJointFields));
        endJoint(j, &taker->joint[rank], &out->feedback[rank], &out->jointEnd[rank]);
        expected = rank - 1;
    }
}

bool ksiTakeIsCovered(const ksiEngine *engine, const ksiTaker *taker, const ksiSnapshot *snapshot)
{
    long expected = (long)taker->jointCount - 1;
    for (dJointID j = ksiFirstJoint(engine); j && taker->jointCount > 0; j = ksiNextJoint(j)) {
        const long rank = rankOfJoint(taker, j, expected);
        if (rank < 0)
            continue;
        expected = rank - 1;
        const dJointFeedback *feedback = dJointGetFeedback(j);
        if (feedback == &snapshot->feedback[rank])
            return false;
        if (feedback && ksiFeedbackOfInspector(feedback))
            return true;
    }
    return false;
}
