/* repeat_step.c  Repeats a recorded step in a copy of its world, on this thread, with the recorded
 * random seed. */
#include "repeat_step.h"

#include "compare.h"
#include "replica.h"

#include <string.h>

/* Did a body fall asleep? Sleep depends on earlier steps. A step sets no flag except the flag of
 * sleep. */
static bool fellAsleep(const ksiStepRecord *record)
{
    const ksiBodyRecord *body = (const void *)(record + 1);
    const ksiBodyResult *end = ksiRecordedEnds(record);
    for (size_t i = 0; i < record->bodyCount; i++)
        if (end[i].state.flags & ~body[i].copy.state.flags)
            return true;
    return false;
}

static bool isOfOtherPrecision(const ksiStepRecord *record)
{
    const ksiBodyRecord *body = (const void *)(record + 1);
    return record->bodyCount > 0 && ksiIsSingleCopy(&body->copy) != KSI_IS_SINGLE;
}

static bool isKnown(const ksiStepRecord *record)
{
    ksiRecordReader reader = ksiReadRecord(record);
    (void)ksiTakeRecorded(&reader, record->bodyCount * sizeof(ksiBodyRecord));
    for (size_t i = 0; i < record->jointCount; i++) {
        const ksiJointRecord *joint = ksiTakeRecorded(&reader, sizeof *joint);
        if (joint->words == 0)
            return false;
        (void)ksiTakeRecorded(&reader, joint->words * sizeof(uint64_t));
    }
    return record->isStepped && record->stepper != KS_FOREIGN_STEP && !isOfOtherPrecision(record) &&
           !fellAsleep(record);
}

static bool isSame(const double *a, const double *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

static bool isLeftAlike(const ksiReplica *replica, const ksiStepRecord *record)
{
    const ksiBodyResult *end = ksiRecordedEnds(record);
    for (size_t i = 0; i < record->bodyCount; i++) {
        const ksiBodyState *was = &end[i].state;
        ksiBodyState now;
        ksiCopyState(ksiReplicaBody(replica, i), &now);
        if (!isSame(was->centre, now.centre, 3) || !isSame(was->quaternion, now.quaternion, 4) ||
            !isSame(was->velocity, now.velocity, 3) || !isSame(was->spin, now.spin, 3))
            return false;
    }
    return true;
}

ksiAgain ksiStepAgain(const ksiStepRecord *record)
{
    ksiReplica *replica;
    ksiAgain again = KSI_NOT_MADE_AGAIN;
    if (!isKnown(record) || ksiReplicaCreate(&replica))
        return KSI_NOT_MADE_AGAIN;
    if (!ksiReplicaBegin(replica, record)) {
        ksiReplicaPrepareStep(replica);
        dRandSetSeed((unsigned long)record->seed);
        if (ksiStepOwn(ksiReplicaWorld(replica), (ksStepper)record->stepper, record->h))
            again = isLeftAlike(replica, record) ? KSI_COMES_AGAIN : KSI_COMES_OTHERWISE;
    }
    ksiReplicaDestroy(replica);
    return again;
}
