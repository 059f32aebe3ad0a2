/* sampler.h  Repeats sampled steps of a live world with other numbers of iterations. */
#ifndef KSI_REPORT_RECORDING_SAMPLER_H
#define KSI_REPORT_RECORDING_SAMPLER_H

#include "trial.h"

typedef struct ksiSampler ksiSampler;

/* every: ksiIsTrialStep. NULL: out of memory. Destroy: NULL is fine. */
ksiSampler *ksiSamplerCreate(ksInspector *inspector, uint64_t every);
void ksiSamplerDestroy(ksiSampler *sampler);

/* From ksInspectorOnEngineStep, for steps that may be tried: records one, if there is memory. */
void ksiSamplerRecord(ksiSampler *sampler, const ksEngineStep *step);

/* After that step: tries it, if it was recorded. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiSamplerTry(ksiSampler *sampler, const ksiNaming *naming, ksReport *report, size_t world);

#endif
