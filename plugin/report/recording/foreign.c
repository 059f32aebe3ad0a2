/* foreign.c  The world of another engine, and the records of its steps. */
#include "foreign.h"

#include "described.h"

#include "../../base/memory.h"
#include "../../engine/layout.h"
#include "../../engine/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_OF(type) (sizeof(type) / sizeof(uint64_t))

ksStatus ksiForeignInit(ksiForeign *foreign, const double gravity[3], bool isSingle)
{
    *foreign = (ksiForeign){.isSingle = isSingle, .words = WORDS_OF(ksiStepRecord)};
    ksiCopy(foreign->gravity, gravity);
    return ksiReserve(&ksiLibraryAllocator, &foreign->record, &foreign->recordCapacity, foreign->words,
                      sizeof *foreign->record);
}

void ksiForeignFree(ksiForeign *foreign)
{
    for (size_t i = 0; i < foreign->jointCount; i++)
        free(foreign->joint[i].words);
    ksiFree(&ksiLibraryAllocator, foreign->body);
    ksiFree(&ksiLibraryAllocator, foreign->joint);
    ksiFree(&ksiLibraryAllocator, foreign->record);
}

/* --- Bodies and joints --- */

static size_t wordsOf(const ksiForeignJoint *joint)
{
    return ksiFieldWords(ksiFieldsOfType((int)joint->as.type));
}

/* Reserves this many more words, so that a step allocates no memory. */
static ksStatus reserveWords(ksiForeign *foreign, size_t more)
{
    const ksStatus status = ksiReserve(&ksiLibraryAllocator, &foreign->record, &foreign->recordCapacity,
                                       foreign->words + more, sizeof *foreign->record);
    if (!status) {
        foreign->words += more;
        foreign->isLaidOut = false;
    }
    return status;
}

ksStatus ksiForeignAddBody(ksiForeign *foreign, const ksRecordedBody *body)
{
    ksStatus status = ksiReserve(&ksiLibraryAllocator, &foreign->body, &foreign->bodyCapacity, foreign->bodyCount + 1,
                                 sizeof *foreign->body);
    if (!status)
        status = reserveWords(foreign, WORDS_OF(ksiBodyRecord) + WORDS_OF(ksiBodyResult));
    if (status)
        return status;
    ksiForeignBody *made = &foreign->body[foreign->bodyCount++];
    *made = (ksiForeignBody){.state = body->state, .isDriven = body->isDriven, .first = -1};
    ksiDescribeBody(body, foreign->isSingle, &made->copy);
    return KS_OK;
}

void ksiForeignRemoveBody(ksiForeign *foreign)
{
    foreign->bodyCount--;
    foreign->words -= WORDS_OF(ksiBodyRecord) + WORDS_OF(ksiBodyResult);
    foreign->isLaidOut = false;
}

static size_t wordsInRecord(const ksiForeignJoint *joint)
{
    return WORDS_OF(ksiJointRecord) + wordsOf(joint) + (joint->name[0] ? WORDS_OF(ksiNameRecord) : 0) +
           WORDS_OF(ksiJointResult);
}

/* Adds a joint to the lists of its bodies. As in ODE, the list of a body names the joint's side on
 * the other body. */
static void link(ksiForeign *foreign, ksiForeignJoint *joint, int64_t index)
{
    for (int i = 0; i < 2; i++) {
        const int body = joint->as.body[i], side = !i;
        joint->next[side] = body < 0 ? -1 : foreign->body[body].first;
        if (body >= 0)
            foreign->body[body].first = 2 * index + side;
    }
}

static void describeJoint(const ksiForeign *foreign, ksiForeignJoint *joint)
{
    const ksiForeignBody *second = joint->as.body[1] < 0 ? NULL : &foreign->body[joint->as.body[1]];
    ksiDescribeJoint(&joint->as, &foreign->body[joint->as.body[0]].copy.state, second ? &second->copy.state : NULL,
                     joint->words);
}

ksStatus ksiForeignAddJoint(ksiForeign *foreign, const ksRecordedJoint *joint)
{
    if (ksiReserve(&ksiLibraryAllocator, &foreign->joint, &foreign->jointCapacity, foreign->jointCount + 1,
                   sizeof *foreign->joint))
        return KS_ERROR_NO_MEMORY;
    ksiForeignJoint *made = &foreign->joint[foreign->jointCount];
    *made = (ksiForeignJoint){.as = *joint};
    made->as.name = NULL;
    snprintf(made->name, sizeof made->name, "%s", joint->name ? joint->name : "");
    made->words = malloc(wordsOf(made) * sizeof *made->words);
    if (!made->words || reserveWords(foreign, wordsInRecord(made))) {
        free(made->words);
        return KS_ERROR_NO_MEMORY;
    }
    describeJoint(foreign, made);
    link(foreign, made, (int64_t)foreign->jointCount++);
    foreign->nameCount += made->name[0] != 0;
    return KS_OK;
}

void ksiForeignRemoveJoint(ksiForeign *foreign)
{
    const ksiForeignJoint *last = &foreign->joint[--foreign->jointCount];
    for (int side = 0; side < 2; side++)
        if (last->as.body[!side] >= 0)
            foreign->body[last->as.body[!side]].first = last->next[side];
    foreign->nameCount -= last->name[0] != 0;
    foreign->words -= wordsInRecord(last);
    foreign->isLaidOut = false;
    free(last->words);
}

/* --- The record --- */

static ksiStepRecord *headOf(const ksiForeign *foreign)
{
    return (void *)foreign->record;
}

/* The body at this place; after the last one, the start of the data that follow. */
static ksiBodyRecord *bodyAt(const ksiForeign *foreign, size_t place)
{
    return (ksiBodyRecord *)(void *)(headOf(foreign) + 1) + place;
}

static int64_t bodyCode(const ksiForeign *foreign, int index)
{
    return index < 0 ? -1 : (int64_t)foreign->bodyCount - 1 - index;
}

static int64_t linkCode(const ksiForeign *foreign, int64_t link)
{
    return link < 0 ? -1 : 2 * ((int64_t)foreign->jointCount - 1 - link / 2) + link % 2;
}

/* The order of addition gives a joint its number within its type, and so its default name. */
static uint64_t *layOutJoints(ksiForeign *foreign, uint64_t *at)
{
    uint64_t number[KSI_JOINT_TYPES] = {0};
    for (size_t i = 0; i < foreign->jointCount; i++)
        number[foreign->joint[i].as.type]++;
    for (size_t i = foreign->jointCount; i-- > 0;) {
        ksiForeignJoint *joint = &foreign->joint[i];
        const size_t words = wordsOf(joint);
        *(ksiJointRecord *)(void *)at =
            (ksiJointRecord){.identity = i + 1,
                             .number = number[joint->as.type]--,
                             .ordinal = i + 1,
                             .type = joint->as.type,
                             .body = {bodyCode(foreign, joint->as.body[0]), bodyCode(foreign, joint->as.body[1])},
                             .next = {linkCode(foreign, joint->next[0]), linkCode(foreign, joint->next[1])},
                             .words = words,
                             .state = {.flags = joint->as.type == KS_JOINT_HINGE2 ? KSI_JOINT_TWO_BODIES : 0,
                                       .mark = joint->as.isSoft ? KSI_MEANT_SOFT : 0}};
        at += WORDS_OF(ksiJointRecord);
        memcpy(at, joint->words, words * sizeof *at);
        at += words;
    }
    return at;
}

static uint64_t *layOutNames(const ksiForeign *foreign, uint64_t *at)
{
    for (size_t i = 0; i < foreign->jointCount; i++) {
        if (!foreign->joint[i].name[0])
            continue;
        ksiNameRecord *name = (void *)at;
        name->joint = (int64_t)(foreign->jointCount - 1 - i);
        ksiPackText(foreign->joint[i].name, name->name, KSI_NAME_WORDS);
        at += WORDS_OF(ksiNameRecord);
    }
    return at;
}

static void layOut(ksiForeign *foreign)
{
    const size_t bodies = foreign->bodyCount;
    *headOf(foreign) = (ksiStepRecord){.bytes = foreign->words * sizeof(uint64_t),
                                       .world = 1,
                                       .stepper = KS_FOREIGN_STEP,
                                       .erp = ksiDescribedErp,
                                       .cfm = ksiDescribedCfm,
                                       .contactSpeed = INFINITY,
                                       .overRelaxation = ksiDescribedOverRelaxation,
                                       .iterations = KSI_DESCRIBED_ITERATIONS,
                                       .bodyCount = bodies,
                                       .jointCount = foreign->jointCount,
                                       .isStepped = 1,
                                       .nameCount = foreign->nameCount};
    ksiCopy(headOf(foreign)->gravity, foreign->gravity);
    for (size_t i = 0; i < bodies; i++)
        *bodyAt(foreign, bodies - 1 - i) =
            (ksiBodyRecord){.identity = i + 1, .number = i + 1, .first = linkCode(foreign, foreign->body[i].first)};
    uint64_t *at = layOutNames(foreign, layOutJoints(foreign, (void *)bodyAt(foreign, bodies)));
    memset(at, 0, (size_t)(foreign->record + foreign->words - at) * sizeof *at);
    foreign->isLaidOut = true;
}

/* --- A step --- */

const ksiStepRecord *ksiForeignBegin(ksiForeign *foreign, double stepSize, const ksRecordedState *before,
                                     const ksWrench *loads)
{
    static const ksWrench none;
    if (!foreign->isLaidOut)
        layOut(foreign);
    ksiStepRecord *head = headOf(foreign);
    head->step = foreign->step;
    head->time = foreign->time;
    head->h = foreign->stepSize = stepSize;
    for (size_t i = 0; i < foreign->bodyCount; i++) {
        ksiForeignBody *body = &foreign->body[i];
        const ksWrench *load = loads ? &loads[i] : &none;
        if (before) {
            body->state = before[i];
            ksiDescribeState(&before[i], &body->copy.state);
        }
        ksiCopy(body->copy.force, load->force);
        ksiCopy(body->copy.torque, load->torque);
        bodyAt(foreign, foreign->bodyCount - 1 - i)->copy = body->copy;
    }
    return head;
}

/* The world's side has no report. A report that is not finite counts as none. */
static void setReport(const ksiForeignJoint *joint, const ksWrench on[2], ksiJointResult *out)
{
    const int sides = joint->as.body[1] < 0 ? 1 : 2;
    bool isThere = on != NULL;
    for (int side = 0; isThere && side < sides; side++)
        for (int k = 0; k < 3; k++)
            isThere = isThere && isfinite(on[side].force[k]) && isfinite(on[side].torque[k]);
    *out = (ksiJointResult){.isAlive = 1, .mark = joint->as.isSoft ? KSI_MEANT_SOFT : 0};
    if (!isThere)
        return;
    out->written = sides == 1 ? KSI_WROTE_FIRST : KSI_WROTE_BOTH;
    ksiCopy(out->force1, on[0].force);
    ksiCopy(out->torque1, on[0].torque);
    if (sides == 1)
        return;
    ksiCopy(out->force2, on[1].force);
    ksiCopy(out->torque2, on[1].torque);
}

const ksiStepRecord *ksiForeignEnd(ksiForeign *foreign, const ksRecordedState *after, const ksWrench (*reported)[2])
{
    const ksiStepRecord *head = headOf(foreign);
    ksiBodyResult *end = (ksiBodyResult *)(uintptr_t)ksiRecordedEnds(head) + foreign->bodyCount;
    ksiJointResult *report = (ksiJointResult *)(uintptr_t)ksiRecordedReports(head) + foreign->jointCount;
    for (size_t i = 0; i < foreign->bodyCount; i++) {
        ksiForeignBody *body = &foreign->body[i];
        body->state = after[i];
        ksiDescribeState(&after[i], &body->copy.state);
        *--end = (ksiBodyResult){.isAlive = 1, .state = body->copy.state};
    }
    for (size_t i = 0; i < foreign->jointCount; i++)
        setReport(&foreign->joint[i], reported ? reported[i] : NULL, --report);
    foreign->step++;
    foreign->time += foreign->stepSize;
    return head;
}
