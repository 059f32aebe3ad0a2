/* finding_kinds.h  Kinds of findings, and their names. */
#ifndef KSI_REPORT_FINDINGS_FINDING_KINDS_H
#define KSI_REPORT_FINDINGS_FINDING_KINDS_H

#include <kinetostat/kinetostat.h>
#include <stdbool.h>

/* Kinds of findings, the most important one first. */
enum {
    KSI_FINDS_UNEXPLAINED,
    KSI_FINDS_REPORT,
    KSI_FINDS_TORN,
    KSI_FINDS_ERROR,
    KSI_FINDS_UNTRIED,
    KSI_FINDS_CONTACTS,
    KSI_FINDS_FLICKER,
    KSI_FINDS_BUG,
    KSI_FINDS_TRAP,
    KSI_FINDS_MOTOR,
    KSI_FINDS_MOTOR_TARGET,
    KSI_FINDS_MOTOR_STOP,
    KSI_FINDS_MOTORS,
    KSI_FINDS_MASSES,
    KSI_FINDS_DEPARTURE,
    KSI_FINDS_REDUNDANT,
    KSI_FINDS_COMPLIANT,
    KSI_FINDS_MODEL,
    KSI_FINDS_UNCHECKED,
    KSI_FINDS_THREADS,
    KSI_FINDINGS
};

/* Bits of the reasons that leave a joint unchecked. */
extern const ksReasons ksiUncheckedReasons;

/* bit: of a bug, the bit of its reason; of a trap, its number in traps.h; otherwise 0. */
typedef struct ksiFindingKind {
    int kind, bit;
} ksiFindingKind;

/* Moves to the next bit, or to the next kind; the first is {0, 0}. false: there are no more. */
bool ksiNextFinding(ksiFindingKind *finding);

/* The name for a file of suppressions: "compliant", "KS_REASON_FALSE_AXIS". */
const char *ksiFindingName(const ksiFindingKind *finding);
bool ksiIsFinding(const char *name);

/* Bits of the reasons that are bugs of the engine. */
ksReasons ksiBugs(void);

#endif
