/* trial.h  Repeats steps in a copy of the world with other numbers of iterations, to find a
 * sufficient one. */
#ifndef KSI_REPORT_RECORDING_TRIAL_H
#define KSI_REPORT_RECORDING_TRIAL_H

#include "../collect/collect.h"
#include "world_copy.h"

typedef struct ksiTrial ksiTrial;

/* Is the step with this number, from 0, a trial? At first, one of `every` steps is a trial; after
 * the first 50 trials, one of 5 `every` steps. every 0: none. */
bool ksiIsTrialStep(uint64_t every, uint64_t step);

/* options: options of the copy's inspector; the trial keeps its own copy of them. names: names for
 * the copy's joints, or NULL; the caller keeps them. KS_OK, KS_ERROR_NO_MEMORY, or an error of
 * ksInspectorCreate. Destroy: NULL is allowed. */
KS_MUST_USE ksStatus ksiTrialCreate(const ksInspectorOptions *options, const ksiNameList *names, ksiTrial **trial);
void ksiTrialDestroy(ksiTrial *trial);

/* Makes a recorded step with 10 to 1000 iterations, each time from the recorded state, and adds the
 * results to the report's world. every, step: see ksiIsTrialStep. Results depend only on the
 * record, every and step. Restores the process's random numbers. KS_OK, also if the step could not
 * be inspected; KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiTrialMake(ksiTrial *trial, const ksiStepRecord *record, uint64_t every, uint64_t step,
                                  const ksiOriginal *original, ksReport *report, size_t world);

/* Takes the next recorded step, which is no trial: the continuing copy makes it too. Arguments and
 * results as for ksiTrialMake. */
KS_MUST_USE ksStatus ksiTrialFollow(ksiTrial *trial, const ksiStepRecord *record, const ksiOriginal *original,
                                    ksReport *report, size_t world);

/* Is the next record needed? NULL is allowed, here and below. */
bool ksiTrialIsFollowing(const ksiTrial *trial);
void ksiTrialStop(ksiTrial *trial);

#endif
