/* findings.h  What is found in a world, joint by joint: what sentences of advice are about, and what a reader may suppress. */
#ifndef KSI_REPORT_FINDINGS_H
#define KSI_REPORT_FINDINGS_H

#include "view.h"

/* Kinds of findings, the most important one first. */
enum {
    KSI_FINDS_UNEXPLAINED,
    KSI_FINDS_REPORT,
    KSI_FINDS_ERROR,
    KSI_FINDS_UNTRIED,
    KSI_FINDS_CONTACTS,
    KSI_FINDS_BUG,
    KSI_FINDS_MASSES,
    KSI_FINDS_REDUNDANT,
    KSI_FINDS_COMPLIANT,
    KSI_FINDS_MODEL,
    KSI_FINDS_UNCHECKED,
    KSI_FINDS_THREADS,
    KSI_FINDINGS
};

/* Bugs are told apart by the bit of their reason; it is 0 of other kinds. */
typedef struct ksiFinding {
    int kind, bit;
} ksiFinding;

/* The first one with kind and bit 0, then the next; false: there are no more. */
bool ksiNextFinding(ksiFinding *finding);

/* Of a file of suppressions: "compliant", "KS_REASON_FALSE_AXIS". */
const char *ksiFindingName(const ksiFinding *finding);
bool ksiIsFinding(const char *name);

/* Is it found in this joint, or, with NULL, in the world as a whole? And is it told: not suppressed? */
bool ksiIsFound(const ksiView *view, const ksiWorldView *world, const ksiFinding *finding, const ksiJointView *joint);
bool ksiIsTold(const ksiView *view, const ksiWorldView *world, const ksiFinding *finding, const ksiJointView *joint);

/* Joints of which it is told. */
size_t ksiCountTold(const ksiView *view, const ksiWorldView *world, const ksiFinding *finding);

/* Calls with all that is found, suppressed or not. */
typedef void ksiEachFound(const ksiView *view, const ksiWorldView *world, const ksiFinding *finding,
                          const ksiJointView *joint, void *user);
void ksiEachFinding(const ksiView *view, ksiEachFound *each, void *user);

/* In how many steps of the joint one of these reasons held, at least; and the most of any joint. */
uint64_t ksiStepsWith(const ksiJointStats *joint, ksReasons bits);
uint64_t ksiStepsOf(const ksiWorldStats *world, ksReasons bits);

/* The joint that fails by its masses; NULL: those that fail hold bodies that are much alike, or their errors are not those of sweeps. */
const ksiJointView *ksiMostUnlike(const ksiWorldView *world);

/* Bits of the reasons that are bugs of the engine, and of those that leave a joint unchecked. */
ksReasons ksiBugs(void);
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
