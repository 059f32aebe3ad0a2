/* motors.h  Motors that are too weak for their loads, press against their stops, or work against each other. */
#ifndef KSI_REPORT_COLLECT_MOTORS_H
#define KSI_REPORT_COLLECT_MOTORS_H

#include "../files/maps.h"
#include "../files/stream.h"
#include "naming.h"

#include <jansson.h>
#include <kinetostat/kinetostat.h>

enum { KSI_MOTORS = 3 };

/* A motor of another joint, or of another axis. Of several the one with the least type, number and axis. */
typedef struct ksiMotorName {
    int type, number, axis;
} ksiMotorName;

/* One axis of a joint; forces and speeds are sizes, N or N.m, m/s or rad/s. */
typedef struct ksiMotorStats {
    uint64_t steps, saturated;  /* not at a stop: there the engine always applies all of the force */
    uint64_t overcome;          /* of these, the axis is accelerated against it */
    uint64_t lagging;           /* of these, its load takes all of it, or more, behind the target */
    uint64_t stopped, pressing; /* at a stop; of these, the target is beyond the stop */
    uint64_t opposed;           /* another motor cancels a part of its force */
    double limit, need;    /* the largest when overcome: its force, and the force that would not accelerate the axis */
    double behind, target; /* when lagging: the largest by which the speed misses the target, and that target */
    double pressed, cancelled; /* the largest forces: against the stop, and against the other motor */
    ksiMotorName other;
} ksiMotorStats;

void ksiMotorsAdd(ksiMotorStats motor[KSI_MOTORS], const ksInspector *inspector, const ksReaction *reaction,
                  double stepSize);
void ksiMotorsMerge(ksiMotorStats into[KSI_MOTORS], const ksiMotorStats from[KSI_MOTORS]);
void ksiStreamMotors(ksiStream *s, ksiMotorStats motor[KSI_MOTORS]);

json_t *ksiMotorsToJson(const ksiMotorStats motor[KSI_MOTORS], dJointType type); /* those axes that have one */

/* Another motor has cancelled so much of its force in a step. */
void ksiMotorOppose(ksiMotorStats *motor, const ksiMotorName *other, double cancelled);

/* Overcome: at its limit in most of its steps, and accelerated against its force in more than a few. Lagging, and not overcome: in
 * most, or in more than a few and far behind. Pressing: in most. Opposed: in more than a few. */
bool ksiIsOvercome(const ksiMotorStats *motor);
bool ksiIsLagging(const ksiMotorStats *motor);
bool ksiIsPressing(const ksiMotorStats *motor);
bool ksiIsOpposed(const ksiMotorStats *motor);

/* The row of a motor, or of the stop that its axis is at; NULL: unknown. */
const ksRow *ksiMotorRow(const ksReaction *reaction, int axis);

/* J M^-1 J'^T of the mechanism in which other motors hold their speeds, but those at their limits; of two rows. NaN: unknown. */
double ksiRowMobility(const ksInspector *inspector, const ksReaction *reaction, const ksRow *row,
                      const ksReaction *other, const ksRow *otherRow);
/* ... of a row and itself; 0 up to rounding. */
double ksiOwnMobility(const ksInspector *inspector, const ksReaction *reaction, const ksRow *row);

#endif
