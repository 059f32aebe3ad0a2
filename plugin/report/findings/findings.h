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

/* Writes "a, b and 3 more", the worst first: the joints for which one of the functions above
 * returns true. */
enum { KSI_MOST_NAMES = 4 };
typedef bool ksiFilter(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                       const ksiJointView *joint);
void ksiWriteNames(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiFilter *isMeant,
                   ksiText *out);

/* With: at least this many steps of the joint had one of these reasons. Of: the largest such number
 * of all joints. */
uint64_t ksiStepsWith(const ksiJointStats *joint, ksReasons bits);
uint64_t ksiStepsOf(const ksiWorldStats *world, ksReasons bits);

/* The joint with the largest mass ratio of those above the limit; NULL: these join similar masses,
 * or no step was a dWorldQuickStep. */
const ksiJointView *ksiMostUnlike(const ksiWorldView *world);

/* The departure of the motion from the mechanism in means over a window, as a share of the joint's
 * mean force. The limit's percentage of the windows does not exceed it. NaN: unknown. */
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
