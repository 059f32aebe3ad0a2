/* motors.h  Motors that cannot hold what they bear. */
#ifndef KSI_REPORT_COLLECT_MOTORS_H
#define KSI_REPORT_COLLECT_MOTORS_H

#include "../files/stream.h"

#include <jansson.h>
#include <kinetostat/kinetostat.h>

enum { KSI_MOTORS = 3 };

/* One axis of a joint. Steps at a stop do not count: there the engine always applies all of the force. */
typedef struct ksiMotorStats {
    uint64_t steps, saturated;
    uint64_t overcome; /* steps at its limit in which the axis is accelerated against it */
    /* N or N.m, the largest of these steps: its force, and the force that would not accelerate the axis */
    double limit, need;
} ksiMotorStats;

void ksiMotorsAdd(ksiMotorStats motor[KSI_MOTORS], const ksInspector *inspector, const ksReaction *reaction,
                  double stepSize);
void ksiMotorsMerge(ksiMotorStats into[KSI_MOTORS], const ksiMotorStats from[KSI_MOTORS]);
void ksiStreamMotors(ksiStream *s, ksiMotorStats motor[KSI_MOTORS]);

json_t *ksiMotorsToJson(const ksiMotorStats motor[KSI_MOTORS], dJointType type); /* those axes that have one */

/* At its limit in most of its steps, and overcome in more than a few. */
bool ksiIsOvercome(const ksiMotorStats *motor);

#endif
