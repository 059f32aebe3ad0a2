/* trial.h  Repeats steps in a copy of the world with other numbers of iterations, to measure how many suffice. */
#ifndef KSI_REPORT_RECORDING_TRIAL_H
#define KSI_REPORT_RECORDING_TRIAL_H

#include "../collect/collect.h"
#include "world_copy.h"

typedef struct ksiTrial ksiTrial;

/* Is it tried in the step with this number, from 0? One of so many steps, and a fifth of these after the first 50. every 0: none. */
bool ksiIsTrialStep(uint64_t every, uint64_t step);

/* options: of the copy's inspector, copied. names: for the copy, or NULL; the caller's. KS_OK, KS_ERROR_NO_MEMORY, or as ksInspectorCreate. Destroy: NULL is fine. */
KS_MUST_USE ksStatus ksiTrialCreate(const ksInspectorOptions *options, const ksiNameList *names, ksiTrial **trial);
void ksiTrialDestroy(ksiTrial *trial);

/* Makes a recorded step with 10 to 1000 iterations, each by itself, and adds what it finds to the report's world. every, step: as of
 * ksiIsTrialStep. What it finds depends on these and the record alone. Random numbers of the process are as before. KS_OK, also where
 * the step could not be inspected; KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiTrialMake(ksiTrial *trial, const ksiStepRecord *record, uint64_t every, uint64_t step,
                                  const ksiOriginal *original, ksReport *report, size_t world);

/* The next recorded step, which is not tried itself: as long as the copy runs on, it makes this one, too. Likewise. */
KS_MUST_USE ksStatus ksiTrialFollow(ksiTrial *trial, const ksiStepRecord *record, const ksiOriginal *original,
                                    ksReport *report, size_t world);

/* Is the next record wanted? NULL is fine, here and below. */
bool ksiTrialIsFollowing(const ksiTrial *trial);
void ksiTrialStop(ksiTrial *trial);

#endif
