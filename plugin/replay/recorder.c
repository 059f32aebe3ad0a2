/* recorder.c  Records the steps of one world.
 *
 * Bodies and joints are found afresh in each step. An object at the same address as in the last
 * step counts as the same object. A joint must also have the same type, the same bodies, and the
 * stepper's mark. */
#include "recorder.h"

#include "geoms.h"

#include "../engine/stops.h"

#include "../base/memory.h"
#include "../base/pointers.h"

#include <stdlib.h>
#include <string.h>

typedef struct Body {
    dBodyID id;
    uint64_t number;
} Body;

typedef struct Joint {
    dJointID id;
    uint64_t number, ordinal;
    ksiJoint as; /* the joint before the step, with the host's feedback; after the step, `mark` is
                    the new mark */
} Joint;

/* A joint's name. number: the number of the joint in its first record; 0: it has no record yet. */
typedef struct Name {
    dJointID id;
    uint64_t number;
    int index; /* index of the joint in this step; -1: it is gone */
    uint64_t text[KSI_NAME_WORDS];
} Name;

typedef struct Feedback {
    dJointFeedback own;
    const dJointFeedback *lent; /* an inspector's feedback, or NULL */
} Feedback;

/* The objects of one step. */
typedef struct Seen {
    Body *body;
    Joint *joint;
    size_t bodyCount, jointCount, bodyCapacity, jointCapacity;
    ksiPointers bodyIndex, jointIndex;
} Seen;

struct ksiRecorder {
    ksiEngine engine;
    ksiClasses classes;
    ksiFeedbackOwner owner;
    unsigned number;
    uint64_t step;
    double time;
    Seen seen[2]; /* objects of this step and of the last recorded step */
    int now;
    Feedback *feedback;
    size_t feedbackCapacity;
    ksiGeoms *geoms; /* NULL: geoms are not recorded */
    size_t most;     /* largest size of a record with triangles, bytes */
    Name *name;
    size_t nameCount, nameCapacity;
    ksiAskName *askName; /* NULL: names come from ksiRecorderName */
    const void *asked;
    uint64_t bodiesMade, jointsMade[KSI_JOINT_TYPES], allMade;
    char *record;
    size_t used, capacity;
    double h;
};

ksStatus ksiRecorderCreate(dWorldID world, unsigned number, ksiFeedbackOwner owner, ksiRecorder **recorder)
{
    ksiEngine engine;
    ksiClasses classes;
    ksStatus status = ksiEngineOpen(world, &engine);
    if (!status)
        status = ksiProveFields(&engine, &classes);
    if (status)
        return status;
    ksiRecorder *made = calloc(1, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    made->engine = engine;
    made->classes = classes;
    made->number = number;
    made->owner = owner;
    *recorder = made;
    return KS_OK;
}

const char *ksiRecorderDifference(void)
{
    return ksiEngineDifference();
}

void ksiRecorderDestroy(ksiRecorder *recorder)
{
    if (!recorder)
        return;
    for (int i = 0; i < 2; i++) {
        Seen *seen = &recorder->seen[i];
        free(seen->body);
        free(seen->joint);
        free(seen->bodyIndex.slot);
        free(seen->jointIndex.slot);
    }
    ksiGeomsDestroy(recorder->geoms);
    free(recorder->name);
    free(recorder->feedback);
    free(recorder->record);
    free(recorder);
}

void ksiRecorderTakeGeoms(ksiRecorder *recorder, size_t most)
{
    recorder->most = most;
    if (!recorder->geoms)
        recorder->geoms = ksiGeomsCreate();
}

const ksiEngine *ksiRecorderEngine(const ksiRecorder *recorder)
{
    return &recorder->engine;
}

/* --- Room --- */

static ksStatus reserve(ksiRecorder *recorder, size_t bodies, size_t joints, size_t bytes)
{
    Seen *now = &recorder->seen[recorder->now];
    const ksAllocator *allocator = &ksiLibraryAllocator;
    ksStatus status = ksiReserve(allocator, &now->body, &now->bodyCapacity, bodies, sizeof *now->body);
    if (!status)
        status = ksiReserve(allocator, &now->joint, &now->jointCapacity, joints, sizeof *now->joint);
    if (!status)
        status =
            ksiReserve(allocator, &recorder->feedback, &recorder->feedbackCapacity, joints, sizeof *recorder->feedback);
    if (!status)
        status = ksiReserve(allocator, &recorder->record, &recorder->capacity, bytes, 1);
    if (!status)
        status = ksiPointersReset(allocator, &now->bodyIndex, bodies);
    if (!status)
        status = ksiPointersReset(allocator, &now->jointIndex, joints);
    return status;
}

/* The number of words of the fields of the joint's class; 0: the class is unknown. */
static size_t wordsOf(const ksiRecorder *recorder, dJointID joint)
{
    const int type = ksiKnownType(&recorder->engine, joint);
    return recorder->classes.isKnown[type] ? recorder->classes.words[type] : 0;
}

static ksStatus makeRoom(ksiRecorder *recorder, bool isExtra)
{
    size_t bodies = 0, joints = 0, bytes = sizeof(ksiStepRecord);
    for (dBodyID b = ksiFirstBody(&recorder->engine); b; b = ksiNextBody(b))
        bodies++;
    for (dJointID j = ksiFirstJoint(&recorder->engine); j; j = ksiNextJoint(j), joints++)
        bytes += wordsOf(recorder, j) * sizeof(uint64_t);
    bytes += bodies * (sizeof(ksiBodyRecord) + sizeof(ksiBodyResult));
    bytes += joints * (sizeof(ksiJointRecord) + sizeof(ksiJointResult));
    bytes += recorder->nameCount * sizeof(ksiNameRecord);
    const size_t room = !isExtra && recorder->most > bytes ? recorder->most - bytes : 0;
    bytes += ksiGeomsRead(recorder->geoms, &recorder->engine, room) * sizeof(ksiGeomRecord);
    const ksStatus status = reserve(recorder, bodies, joints, bytes);
    if (status)
        return status;
    Seen *now = &recorder->seen[recorder->now];
    now->bodyCount = bodies;
    now->jointCount = joints;
    return KS_OK;
}

static void *append(ksiRecorder *recorder, size_t bytes)
{
    void *at = recorder->record + recorder->used;
    recorder->used += bytes;
    return at;
}

/* --- Identities --- */

static void numberBodies(ksiRecorder *recorder)
{
    Seen *now = &recorder->seen[recorder->now];
    const Seen *last = &recorder->seen[!recorder->now];
    size_t i = 0;
    for (dBodyID b = ksiFirstBody(&recorder->engine); b; b = ksiNextBody(b), i++) {
        now->body[i] = (Body){.id = b};
        ksiPointersAdd(&now->bodyIndex, b, (int)i);
    }
    // the newest bodies are first in the list
    for (i = now->bodyCount; i-- > 0;) {
        const int before = last->bodyCount > 0 ? ksiPointersFind(&last->bodyIndex, now->body[i].id) : -1;
        now->body[i].number = before < 0 ? ++recorder->bodiesMade : last->body[before].number;
    }
}

static const Joint *sameJoint(const Seen *last, const Joint *joint)
{
    const int index = last->jointCount > 0 ? ksiPointersFind(&last->jointIndex, joint->id) : -1;
    const Joint *before = index < 0 ? NULL : &last->joint[index];
    return before && ksiIsSameJoint(&before->as, &joint->as) ? before : NULL;
}

static void numberJoints(ksiRecorder *recorder)
{
    Seen *now = &recorder->seen[recorder->now];
    const Seen *last = &recorder->seen[!recorder->now];
    size_t i = 0;
    for (dJointID j = ksiFirstJoint(&recorder->engine); j; j = ksiNextJoint(j), i++) {
        now->joint[i] = (Joint){.id = j};
        ksiReadJoint(&recorder->engine, j, dJointTypeNone, &now->joint[i].as);
        ksiPointersAdd(&now->jointIndex, j, (int)i);
    }
    for (i = now->jointCount; i-- > 0;) {
        Joint *joint = &now->joint[i];
        const Joint *before = sameJoint(last, joint);
        const int type = (int)joint->as.type < KSI_JOINT_TYPES ? (int)joint->as.type : 0;
        const bool isContact = type == dJointTypeContact;
        joint->number = before ? before->number : ++recorder->jointsMade[type];
        joint->ordinal = before ? before->ordinal : isContact ? 0 : ++recorder->allMade;
    }
}

unsigned ksiRecorderBodyNumber(const ksiRecorder *recorder, dBodyID body, bool isBegun)
{
    const Seen *seen = &recorder->seen[isBegun ? recorder->now : !recorder->now];
    const int index = seen->bodyCount > 0 ? ksiPointersFind(&seen->bodyIndex, body) : -1;
    return index < 0 ? 0 : (unsigned)seen->body[index].number;
}

/* --- Names --- */

static void removeName(ksiRecorder *recorder, size_t index)
{
    recorder->name[index] = recorder->name[--recorder->nameCount];
}

/* Writes the name at index `place`, which may be the index after the last name. */
static ksStatus addName(ksiRecorder *recorder, size_t place, dJointID joint, const char *name)
{
    if (ksiReserve(&ksiLibraryAllocator, &recorder->name, &recorder->nameCapacity, place + 1, sizeof *recorder->name))
        return KS_ERROR_NO_MEMORY;
    Name *out = &recorder->name[place];
    *out = (Name){.id = joint};
    ksiPackText(name, out->text, KSI_NAME_WORDS);
    recorder->nameCount += place == recorder->nameCount;
    return KS_OK;
}

ksStatus ksiRecorderName(ksiRecorder *recorder, dJointID joint, const char *name)
{
    size_t i = 0;
    while (i < recorder->nameCount && recorder->name[i].id != joint)
        i++;
    if (!name) {
        if (i < recorder->nameCount)
            removeName(recorder, i);
        return KS_OK;
    }
    return addName(recorder, i, joint, name);
}

void ksiRecorderAskNames(ksiRecorder *recorder, ksiAskName *ask, const void *user)
{
    recorder->askName = ask;
    recorder->asked = user;
}

/* Asks for all names again in each step. */
static ksStatus askNames(ksiRecorder *recorder)
{
    recorder->nameCount = 0;
    for (dJointID j = ksiFirstJoint(&recorder->engine); j; j = ksiNextJoint(j)) {
        const char *name = recorder->askName(recorder->asked, j);
        if (name && addName(recorder, recorder->nameCount, j, name))
            return KS_ERROR_NO_MEMORY;
    }
    return KS_OK;
}

/* Removes the names of destroyed joints, because another joint may get the address. */
static void updateNames(ksiRecorder *recorder)
{
    const Seen *now = &recorder->seen[recorder->now];
    for (size_t i = recorder->nameCount; i-- > 0;) {
        Name *name = &recorder->name[i];
        name->index = ksiPointersFind(&now->jointIndex, name->id);
        const uint64_t number = name->index < 0 ? 0 : now->joint[name->index].number;
        if (name->index < 0 || (name->number > 0 && name->number != number))
            removeName(recorder, i);
        else
            name->number = number;
    }
}

static void recordNames(ksiRecorder *recorder)
{
    ((ksiStepRecord *)(void *)recorder->record)->nameCount = recorder->nameCount;
    ksiNameRecord *out = append(recorder, recorder->nameCount * sizeof *out);
    for (size_t i = 0; i < recorder->nameCount; i++) {
        out[i].joint = recorder->name[i].index;
        memcpy(out[i].name, recorder->name[i].text, sizeof out[i].name);
    }
}

/* --- Before the step --- */

static void recordWorld(ksiRecorder *recorder, ksStepper stepper, double h, bool isExtra)
{
    const Seen *now = &recorder->seen[recorder->now];
    dWorldID world = recorder->engine.world;
    ksiStepRecord *out = append(recorder, sizeof *out);
    *out = (ksiStepRecord){.world = recorder->number,
                           .stepper = stepper,
                           .step = recorder->step,
                           .time = recorder->time,
                           .h = h,
                           .erp = dWorldGetERP(world),
                           .cfm = dWorldGetCFM(world),
                           .contactSpeed = dWorldGetContactMaxCorrectingVel(world),
                           .contactDepth = dWorldGetContactSurfaceLayer(world),
                           .overRelaxation = dWorldGetQuickStepW(world),
                           .iterations = dWorldGetQuickStepNumIterations(world),
                           .threads = ksiThreadCount(&recorder->engine),
                           .seed = dRandGetSeed(),
                           .bodyCount = now->bodyCount,
                           .jointCount = now->jointCount,
                           .isExtra = isExtra};
    ksiGetGravity(world, out->gravity);
}

static int32_t codeOf(const Seen *now, ksiBodyLink link)
{
    const int index = link.joint ? ksiPointersFind(&now->jointIndex, link.joint) : -1;
    return index < 0 ? -1 : 2 * index + link.side;
}

static int32_t codeAfter(const Seen *now, dJointID joint, int side)
{
    return codeOf(now, ksiNextLink((ksiBodyLink){joint, side}));
}

static void recordBodies(ksiRecorder *recorder)
{
    const Seen *now = &recorder->seen[recorder->now];
    for (size_t i = 0; i < now->bodyCount; i++) {
        ksiBodyRecord *out = append(recorder, sizeof *out);
        out->identity = (uintptr_t)now->body[i].id;
        out->number = now->body[i].number;
        out->first = codeOf(now, ksiFirstLink(now->body[i].id));
        ksiCopyBody(now->body[i].id, &out->copy);
    }
}

static int32_t indexOfBody(const Seen *now, dBodyID body)
{
    return body ? ksiPointersFind(&now->bodyIndex, body) : -1;
}

/* A joint with numbers out of range, or with bodies in the wrong order, is recorded as a joint of
 * an unknown class. */
static void recordJoint(ksiRecorder *recorder, size_t index)
{
    const Seen *now = &recorder->seen[recorder->now];
    const Joint *joint = &now->joint[index];
    const size_t words = wordsOf(recorder, joint->id);
    ksiJointRecord *out = append(recorder, sizeof *out);
    *out = (ksiJointRecord){.identity = (uintptr_t)joint->id,
                            .number = joint->number,
                            .ordinal = joint->ordinal,
                            .type = joint->as.type,
                            .body = {indexOfBody(now, joint->as.body[0]), indexOfBody(now, joint->as.body[1])},
                            .next = {codeAfter(now, joint->id, 0), codeAfter(now, joint->id, 1)},
                            .state = ksiCopyJointState(joint->id)};
    uint64_t *fields = append(recorder, words * sizeof *fields);
    if (words > 0 && ksiPackJoint(ksiFieldsOfType((int)out->type), joint->id, fields) &&
        (out->body[0] >= 0 || out->body[1] < 0))
        out->words = words;
    else
        recorder->used -= words * sizeof *fields;
}

static void recordGeoms(ksiRecorder *recorder)
{
    size_t count;
    const ksiGeomRecord *geom = ksiGeomsOfStep(recorder->geoms, &count);
    ((ksiStepRecord *)(void *)recorder->record)->geomCount = count;
    ksiGeomRecord *out = append(recorder, count * sizeof *out);
    for (size_t i = 0; i < count; i++)
        out[i] = geom[i];
}

/* An inspector keeps its feedback in memory until it judges the step, even if the joint is
 * destroyed. */
static void prepareFeedback(const ksiRecorder *recorder, const Joint *joint, Feedback *feedback)
{
    ksiFillFeedback(&feedback->own);
    feedback->lent = NULL;
    if (recorder->owner == KSI_FEEDBACK_OURS)
        dJointSetFeedback(joint->id, &feedback->own);
    else if (joint->as.feedback && ksiFeedbackOfInspector(joint->as.feedback))
        feedback->lent = joint->as.feedback;
}

ksStatus ksiRecorderBegin(ksiRecorder *recorder, ksStepper stepper, double h, bool isExtra)
{
    ksStatus status = recorder->askName ? askNames(recorder) : KS_OK;
    if (!status)
        status = makeRoom(recorder, isExtra);
    if (status)
        return status;
    Seen *now = &recorder->seen[recorder->now];
    recorder->used = 0;
    recorder->h = h;
    numberBodies(recorder);
    numberJoints(recorder);
    updateNames(recorder);
    recordWorld(recorder, stepper, h, isExtra);
    recordBodies(recorder);
    for (size_t i = 0; i < now->jointCount; i++) {
        recordJoint(recorder, i);
        prepareFeedback(recorder, &now->joint[i], &recorder->feedback[i]);
    }
    recordGeoms(recorder);
    recordNames(recorder);
    return KS_OK;
}

/* --- After the step --- */

static void recordEnds(ksiRecorder *recorder)
{
    const Seen *now = &recorder->seen[recorder->now];
    ksiBodyResult *out = append(recorder, now->bodyCount * sizeof *out);
    memset(out, 0, now->bodyCount * sizeof *out);
    for (dBodyID b = ksiFirstBody(&recorder->engine); b; b = ksiNextBody(b)) {
        const int index = ksiPointersFind(&now->bodyIndex, b);
        if (index < 0)
            continue;
        out[index].isAlive = 1;
        ksiCopyState(b, &out[index].state);
    }
}

/* A new joint at an old address has no mark, or has feedback other than `feedback`. The mark of the
 * joint before the step is cleared, because a step changes marks. */
static void takeFeedbackOff(const ksiEngine *engine, const Feedback *feedback, Joint *joint, ksiJointResult *out)
{
    ksiJoint after;
    ksiReadJoint(engine, joint->id, joint->as.type, &after);
    joint->as.mark = 0;
    out->isAlive = ksiIsSameJoint(&joint->as, &after);
    out->mark = joint->as.mark = after.mark;
    if (after.feedback != &feedback->own)
        return;
    dJointSetFeedback(joint->id, joint->as.feedback);
    ksiGiveWritten(&feedback->own, joint->as.feedback);
}

static void packFeedback(const dJointFeedback *feedback, ksiJointResult *out)
{
    out->written = (ksiFeedbackWritten(feedback, 0) ? KSI_WROTE_FIRST : 0) |
                   (ksiFeedbackWritten(feedback, 1) ? KSI_WROTE_SECOND : 0);
    if (out->written & KSI_WROTE_FIRST)
        ksiTakeFeedback(feedback, 0, out->force1, out->torque1);
    if (out->written & KSI_WROTE_SECOND)
        ksiTakeFeedback(feedback, 1, out->force2, out->torque2);
}

/* Records the results of the joints, and restores the host's own feedback. */
static void recordReports(ksiRecorder *recorder)
{
    Seen *now = &recorder->seen[recorder->now];
    ksiJointResult *out = append(recorder, now->jointCount * sizeof *out);
    for (size_t i = 0; i < now->jointCount; i++) {
        const Feedback *feedback = &recorder->feedback[i];
        out[i] = (ksiJointResult){.isAlive = 0};
        packFeedback(feedback->lent ? feedback->lent : &feedback->own, &out[i]);
    }
    for (dJointID j = ksiFirstJoint(&recorder->engine); j; j = ksiNextJoint(j)) {
        const int index = ksiPointersFind(&now->jointIndex, j);
        if (index < 0)
            continue;
        takeFeedbackOff(&recorder->engine, &recorder->feedback[index], &now->joint[index], &out[index]);
        if (out[index].isAlive && wordsOf(recorder, j) > 0)
            out[index].written |= (int64_t)ksiStopsOf((int)now->joint[index].as.type, j) << KSI_WROTE_BITS;
    }
}

void ksiRecorderSkip(ksiRecorder *recorder, double h)
{
    recorder->step++;
    recorder->time += h;
}

void ksiRecorderSeek(ksiRecorder *recorder, uint64_t step, double time)
{
    recorder->step = step;
    recorder->time = time;
}

const ksiStepRecord *ksiRecorderEnd(ksiRecorder *recorder, bool isStepped, double seconds)
{
    recordEnds(recorder);
    recordReports(recorder);
    ksiStepRecord *record = (ksiStepRecord *)(void *)recorder->record;
    record->bytes = recorder->used;
    record->isStepped = isStepped;
    record->seconds = seconds;
    recorder->now = !recorder->now;
    ksiRecorderSkip(recorder, recorder->h);
    return record;
}
