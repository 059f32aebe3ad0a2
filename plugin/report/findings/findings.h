/* findings.h  Findings of a world, by joint; advice and suppressions use them. */
#ifndef KSI_REPORT_FINDINGS_FINDINGS_H
#define KSI_REPORT_FINDINGS_FINDINGS_H

#include "finding_kinds.h"
#include "view.h"

/* Found: does this joint, or, for NULL, the world as a whole, have the finding? Told: is it also
 * reported rather than suppressed? */
bool ksiIsFound(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                const ksiJointView *joint);
bool ksiIsTold(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
               const ksiJointView *joint);

/* Does this motor have this finding about motors? */
bool ksiIsMotorFound(int kind, const ksiMotorStats *motor);

/* The number of joints whose finding is reported. */
size_t ksiCountTold(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding);

/* Calls `each` with every finding, suppressed or not. */
typedef void ksiEachFound(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                          const ksiJointView *joint, void *user);
void ksiEachFinding(const ksiView *view, ksiEachFound *each, void *user);

/* Writes the names of the joints for which isMeant returns true, the worst first: "a, b and 3
 * more". */
enum { KSI_MOST_NAMES = 4 };
typedef bool ksiFilter(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                       const ksiJointView *joint);
void ksiWriteNames(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiFilter *isMeant,
                   ksiText *out);

/* StepsWith: at least this many steps of the joint had one of these reasons. StepsOf: the largest
 * value of StepsWith of all joints. */
uint64_t ksiStepsWith(const ksiJointStats *joint, ksReasons bits);
uint64_t ksiStepsOf(const ksiWorldStats *world, ksReasons bits);

/* Of the joints above the limit of errors, the one with the largest mass ratio. NULL: none of these
 * joints connects very different masses, or no step was a dWorldQuickStep. */
const ksiJointView *ksiMostUnlike(const ksiWorldView *world);

/* The departure of the motion from the mechanism, as a share of the joint's mean force. Both are
 * means over a window, at the limit's percentile of all windows. NaN: unknown. */
double ksiDepartureOf(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint);

/* The meaning of a reason, and its remedy, from docs/questions.md; NULL: no entry. */
const char *ksiReasonMeaning(int bit);
const char *ksiReasonRemedy(int bit);

/* Generated from docs/questions.md; an entry without a name ends the list. */
typedef struct ksiReasonWords {
    const char *name, *meaning, *remedy;
} ksiReasonWords;
extern const ksiReasonWords ksiReasonTable[];

#endif
