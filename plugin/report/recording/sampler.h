/* sampler.h  Repeats sampled steps of a live world with other numbers of iterations. */
#ifndef KSI_REPORT_RECORDING_SAMPLER_H
#define KSI_REPORT_RECORDING_SAMPLER_H

#include "trial.h"

typedef struct ksiSampler ksiSampler;

/* every: see ksiIsTrialStep. NULL: out of memory. Destroy: NULL is allowed. */
ksiSampler *ksiSamplerCreate(ksInspector *inspector, uint64_t every);
void ksiSamplerDestroy(ksiSampler *sampler);

/* Call it from ksInspectorOnEngineStep, for steps that may be tried: records the step, if there is
 * memory. */
void ksiSamplerRecord(ksiSampler *sampler, const ksEngineStep *step);

/* Call it after that step: tries the step if it was recorded. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiSamplerTry(ksiSampler *sampler, const ksiNaming *naming, ksReport *report, size_t world);

#endif
