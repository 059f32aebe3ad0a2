/* names.c  Names of enumerators. */
#include <kinetostat/kinetostat.h>

#define NAME(value)                                                                                                    \
    case value:                                                                                                        \
        return #value

const char *ksVerdictName(ksVerdict verdict)
{
    switch (verdict) {
        NAME(KS_NOT_SOLVED);
        NAME(KS_UNCHECKED);
        NAME(KS_UNEXPLAINED);
        NAME(KS_SOLVER_ERROR);
        NAME(KS_INDETERMINATE);
        NAME(KS_VALID);
    }
    return "KS_VERDICT_UNKNOWN";
}

const char *ksReasonName(ksReasons bit)
{
    switch (bit) {
        NAME(KS_REASON_REDUNDANT);
        NAME(KS_REASON_REPORT);
        NAME(KS_REASON_MOTION);
        NAME(KS_REASON_BOUND);
        NAME(KS_REASON_FRICTION);
        NAME(KS_REASON_BUDGET);
        NAME(KS_REASON_OWN_RANK);
        NAME(KS_REASON_SPEED_CAP);
        NAME(KS_REASON_RESET);
        NAME(KS_REASON_NOT_FINITE);
        NAME(KS_REASON_JOINT_GONE);
        NAME(KS_REASON_STALE_LIMIT);
        NAME(KS_REASON_FALSE_ERROR);
        NAME(KS_REASON_NO_HISTORY);
        NAME(KS_REASON_MASS);
        NAME(KS_REASON_MEMORY);
        NAME(KS_REASON_PRECISION);
        NAME(KS_REASON_NOT_ASKED);
        NAME(KS_REASON_UNREADABLE);
        NAME(KS_REASON_SOFT);
        NAME(KS_REASON_FALSE_AXIS);
        NAME(KS_REASON_RELAXED);
        NAME(KS_REASON_REPORTED_LOADS);
        NAME(KS_REASON_THREADS);
        NAME(KS_REASON_FALSE_LEVER);
        NAME(KS_REASON_FALLBACK);
        NAME(KS_REASON_ASLEEP);
        NAME(KS_REASON_DISABLED);
        NAME(KS_REASON_NO_ROWS);
        NAME(KS_REASON_NOT_REPORTED);
        NAME(KS_REASON_PHYSICAL);
        NAME(KS_REASON_GAP);
        NAME(KS_REASON_ADOPTED);
        NAME(KS_REASON_SHARED);
        NAME(KS_REASON_AXIS_LENGTH);
        NAME(KS_REASON_REVERSED_MOTOR);
        NAME(KS_REASON_FALSE_RATE);
        NAME(KS_REASON_PART_SOFT);
        NAME(KS_REASON_FLICKER);
        NAME(KS_REASON_IMPACT);
        NAME(KS_REASON_DRIVEN);
        NAME(KS_REASON_REMEMBERED);
    default:
        return "KS_REASON_UNKNOWN";
    }
}
