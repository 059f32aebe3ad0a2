/* recording_check.h  Checks the host's bodies and joints, with messages. */
#ifndef KSI_REPORT_RECORDING_RECORDING_CHECK_H
#define KSI_REPORT_RECORDING_RECORDING_CHECK_H

#include "archive.h"

#include <kinetostat/recording.h>

#include <stdbool.h>
#include <stdio.h>

/* The error message; the public function adds its name. */
extern _Thread_local char ksiRecordingWhy[KSI_ARCHIVE_WORDS];

#define EXPLAIN(status, ...) (snprintf(ksiRecordingWhy, sizeof ksiRecordingWhy, __VA_ARGS__), (status))
#define REQUIRE(condition, ...)                                                                                        \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return EXPLAIN(KS_ERROR_BAD_ARGUMENT, __VA_ARGS__);                                                        \
    } while (0)
#define REQUIRE_POINTER(pointer) REQUIRE(pointer, "%s is NULL", #pointer)

bool ksiAreFinite(const double *number, int count);

/* KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NOT_FINITE, KS_ERROR_NOT_POSITIVE_DEFINITE. index: index
 * of the body, for messages. */
KS_MUST_USE ksStatus ksiCheckState(const ksRecordedState *state, size_t index);
KS_MUST_USE ksStatus ksiCheckBody(const ksRecordedBody *body, size_t index);

/* bodyCount: number of bodies that the joint may hold. */
KS_MUST_USE ksStatus ksiCheckJoint(const ksRecordedJoint *joint, size_t bodyCount);

/* Do both describe the same joint, apart from its name? */
bool ksiIsAlike(const ksRecordedJoint *a, const ksRecordedJoint *b);

#endif
