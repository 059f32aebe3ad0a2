/* sleep_at_speed.c  Detects bodies that fall asleep while they move fast. */
#include "sleep_at_speed.h"

static double square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

static bool isFast(dBodyID body, const ksiBodyState *state)
{
    const double linear = dBodyGetAutoDisableLinearThreshold(body);
    const double angular = dBodyGetAutoDisableAngularThreshold(body);
    return square(state->velocity) > linear * linear || square(state->spin) > angular * angular;
}

bool ksiHasSleptAtSpeed(const ksiStepRecord *record)
{
    ksiRecordReader reader = ksiReadRecord(record);
    const ksiBodyRecord *before = ksiTakeRecorded(&reader, record->bodyCount * sizeof *before);
    const ksiBodyResult *after = ksiRecordedEnds(record);
    for (uint64_t i = 0; i < record->bodyCount; i++) {
        const dBodyID body = (dBodyID)(uintptr_t)before[i].identity;
        const ksiBodyState *was = &before[i].copy.state;
        if (after[i].isAlive && ksiIsAsleep(&after[i].state) && !ksiIsAsleep(was) && dBodyGetAutoDisableFlag(body) &&
            dBodyGetAutoDisableAverageSamplesCount(body) > 1 && isFast(body, was))
            return true;
    }
    return false;
}
