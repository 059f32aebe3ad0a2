/* described.h  Expresses bodies and joints of another engine in ODE's numbers: those that ODE's
 * public functions would set. */
#ifndef KSI_REPORT_RECORDING_DESCRIBED_H
#define KSI_REPORT_RECORDING_DESCRIBED_H

#include "../../engine/copy.h"

#include <kinetostat/recording.h>

#include <stdbool.h>
#include <stdint.h>

/* Parameters of a new world. */
extern const double ksiDescribedErp, ksiDescribedCfm, ksiDescribedOverRelaxation;
enum { KSI_DESCRIBED_ITERATIONS = 20 };

/* Sets position, rotation and velocity; keeps flags and mark. */
void ksiDescribeState(const ksRecordedState *from, ksiBodyState *out);

/* A sound body, at rest or not, without loads. */
void ksiDescribeBody(const ksRecordedBody *from, bool isSingle, ksiBodyCopy *out);

/* The fields of a sound joint, [ksiFieldWords], with the bodies in these states; second NULL: the
 * world. */
void ksiDescribeJoint(const ksRecordedJoint *from, const ksiBodyState *first, const ksiBodyState *second,
                      uint64_t *words);

#endif
