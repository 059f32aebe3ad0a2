/* finding_kinds.c  Kinds of findings, and their names. */
#include "finding_kinds.h"

#include "../collect/stats.h"
#include "../collect/traps.h"

#include <string.h>

const ksReasons ksiUncheckedReasons = KS_REASON_BUDGET | KS_REASON_BOUND | KS_REASON_FRICTION | KS_REASON_PRECISION |
                                      KS_REASON_UNREADABLE | KS_REASON_NOT_FINITE | KS_REASON_MASS | KS_REASON_MEMORY |
                                      KS_REASON_SPEED_CAP | KS_REASON_RESET | KS_REASON_RELAXED | KS_REASON_GAP |
                                      KS_REASON_NOT_ASKED;

/* NULL: the finding has the name of its reason or trap. */
static const char *const kindName[KSI_FINDINGS] = {[KSI_FINDS_UNEXPLAINED] = "unexplained",
                                                   [KSI_FINDS_REPORT] = "report",
                                                   [KSI_FINDS_TORN] = "torn",
                                                   [KSI_FINDS_ERROR] = "error",
                                                   [KSI_FINDS_UNTRIED] = "untried",
                                                   [KSI_FINDS_CONTACTS] = "contacts",
                                                   [KSI_FINDS_FLICKER] = "flicker",
                                                   [KSI_FINDS_MOTOR] = "motor",
                                                   [KSI_FINDS_MOTOR_TARGET] = "motor-target",
                                                   [KSI_FINDS_MOTOR_STOP] = "motor-stop",
                                                   [KSI_FINDS_MOTORS] = "motors-opposed",
                                                   [KSI_FINDS_MASSES] = "masses",
                                                   [KSI_FINDS_DEPARTURE] = "departure",
                                                   [KSI_FINDS_REDUNDANT] = "redundant",
                                                   [KSI_FINDS_COMPLIANT] = "compliant",
                                                   [KSI_FINDS_MODEL] = "model",
                                                   [KSI_FINDS_UNCHECKED] = "unchecked",
                                                   [KSI_FINDS_THREADS] = "threads"};

ksReasons ksiBugs(void)
{
    return KS_REASON_STALE_LIMIT | KS_REASON_FALSE_ERROR | KS_REASON_FALSE_AXIS | KS_REASON_FALSE_LEVER |
           KS_REASON_AXIS_LENGTH | KS_REASON_REVERSED_MOTOR | KS_REASON_FALSE_RATE | KS_REASON_PART_SOFT;
}

static int bitsOf(int kind)
{
    return kind == KSI_FINDS_BUG ? KSI_REASONS : kind == KSI_FINDS_TRAP ? KSI_TRAPS : 1;
}

bool ksiNextFinding(ksiFindingKind *finding)
{
    if (++finding->bit < bitsOf(finding->kind))
        return true;
    *finding = (ksiFindingKind){finding->kind + 1, 0};
    return finding->kind < KSI_FINDINGS;
}

const char *ksiFindingName(const ksiFindingKind *finding)
{
    const char *name = kindName[finding->kind];
    if (finding->kind == KSI_FINDS_TRAP)
        return ksiTrapName(finding->bit);
    return name ? name : ksReasonName(UINT64_C(1) << finding->bit);
}

bool ksiIsFinding(const char *name)
{
    ksiFindingKind finding = {0, 0};
    do {
        const bool isOne = finding.kind != KSI_FINDS_BUG || ksiBugs() >> finding.bit & 1u;
        if (isOne && strcmp(ksiFindingName(&finding), name) == 0)
            return true;
    } while (ksiNextFinding(&finding));
    return false;
}
