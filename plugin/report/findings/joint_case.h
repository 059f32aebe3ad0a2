/* joint_case.h  The result of a joint in the checks of a report. */
#ifndef KSI_REPORT_FINDINGS_JOINT_CASE_H
#define KSI_REPORT_FINDINGS_JOINT_CASE_H

#include "../files/text.h"
#include "view.h"

/* KSI_UNTOLD: unknown. */
typedef enum ksiCaseOutcome { KSI_PASSES, KSI_FAILS, KSI_UNTOLD, KSI_OUTCOMES } ksiCaseOutcome;

/* All texts are clean; words is empty if the joint passes. */
typedef struct ksiCase {
    const char *world, *joint, *words;
    ksiCaseOutcome outcome;
} ksiCase;

/* The receiver of cases. */
typedef struct ksiCases {
    size_t count[KSI_OUTCOMES];
    bool isShort;                                 /* out of memory */
    void (*each)(const ksiCase *one, void *user); /* NULL: cases are only counted */
    void *user;
} ksiCases;

/* Hands a case to the receiver; cleans and frees the words. */
void ksiCasesTell(ksiCases *cases, const char *world, const char *joint, ksiCaseOutcome outcome, ksiText *words);

#endif
