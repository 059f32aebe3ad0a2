/* findings.h  Findings of a world, by joint: subjects of advice and of suppressions. */
#ifndef KSI_REPORT_FINDINGS_FINDINGS_H
#define KSI_REPORT_FINDINGS_FINDINGS_H

#include "finding_kinds.h"
#include "view.h"

/* Is it found in this joint, or, with NULL, in the world as a whole? And is it told: not suppressed? */
bool ksiIsFound(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                const ksiJointView *joint);
bool ksiIsTold(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
               const ksiJointView *joint);

/* Is this finding about motors one of this motor? */
bool ksiIsMotorFound(int kind, const ksiMotorStats *motor);

/* Joints of which it is told. */
size_t ksiCountTold(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding);

/* Calls with all that is found, suppressed or not. */
typedef void ksiEachFound(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                          const ksiJointView *joint, void *user);
void ksiEachFinding(const ksiView *view, ksiEachFound *each, void *user);

/* "a, b and 3 more", the worst first: of joints that are meant, by one of the functions above. */
enum { KSI_MOST_NAMES = 4 };
typedef bool ksiFilter(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                       const ksiJointView *joint);
void ksiWriteNames(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiFilter *isMeant,
                   ksiText *out);

/* In how many steps of the joint one of these reasons held, at least; and the most of any joint. */
uint64_t ksiStepsWith(const ksiJointStats *joint, ksReasons bits);
uint64_t ksiStepsOf(const ksiWorldStats *world, ksReasons bits);

/* The joint that fails by its masses; NULL: those that fail hold bodies that are much alike, or their errors are not those of sweeps. */
const ksiJointView *ksiMostUnlike(const ksiWorldView *world);

/* How far the motion is from that of the mechanism in the mean over a window: the share of the joint's load that as many percent of the windows as the
 * limit says do not exceed; NaN: unknown. */
double ksiDepartureOf(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint);

/* Bits of the reasons that leave a joint unchecked. */
extern const ksReasons ksiUncheckedReasons;

/* What a reason means and what to do, as docs/questions.md says; NULL: it has no entry. */
const char *ksiReasonMeaning(int bit);
const char *ksiReasonRemedy(int bit);

/* Made of docs/questions.md; an entry without a name ends it. */
typedef struct ksiReasonWords {
    const char *name, *meaning, *remedy;
} ksiReasonWords;
extern const ksiReasonWords ksiReasonTable[];

#endif
