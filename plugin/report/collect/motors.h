/* motors.h  Motors that are too weak for their loads, press against their stops, or work against
 * each other. */
#ifndef KSI_REPORT_COLLECT_MOTORS_H
#define KSI_REPORT_COLLECT_MOTORS_H

#include "../files/maps.h"
#include "../files/stream.h"
#include "histogram.h"
#include "naming.h"

#include <jansson.h>
#include <kinetostat/kinetostat.h>

enum { KSI_MOTORS = 3 };

/* Another joint's or axis's motor; of several, the first by type, number and axis. */
typedef struct ksiMotorName {
    int type, number, axis;
} ksiMotorName;

/* One axis of a joint. Forces and speeds are magnitudes; N or N.m, m/s or rad/s. */
typedef struct ksiMotorStats {
    uint64_t steps, saturated;  /* steps: steps away from a stop (at a stop the engine always
                                   applies the whole force). saturated: the saturated ones of
                                   these steps */
    uint64_t overcome;          /* saturated steps in which the axis accelerates against the
                                   motor */
    uint64_t lagging;           /* saturated steps in which the load takes all of the force or more,
                                   and the speed is behind its target */
    uint64_t stopped, pressing; /* steps at a stop; steps at a stop with a target beyond it */
    uint64_t opposed;           /* steps in which another motor cancels a part of the motor's
                                   force */
    double least, limit;        /* the motor's least and largest force limit when overcome */
    ksiHistogram need;          /* when overcome: the force that would stop the acceleration */
    double behind, target;      /* distance of the speed from the target, and the target, in the
                                   step in which their ratio is largest */
    double pressed, cancelled;  /* the largest forces: against the stop, and against the other
                                   motor */
    ksiMotorName other;
} ksiMotorStats;

/* Adds the motors of a reaction in the inspector's last step. false: out of memory. */
bool ksiMotorsAdd(const ksAllocator *allocator, ksiMotorStats motor[KSI_MOTORS], const ksInspector *inspector,
                  const ksReaction *reaction, double stepSize);
bool ksiMotorsMerge(const ksAllocator *allocator, ksiMotorStats into[KSI_MOTORS], const ksiMotorStats from[KSI_MOTORS]);
void ksiMotorsFree(const ksAllocator *allocator, ksiMotorStats motor[KSI_MOTORS]);
void ksiStreamMotors(ksiStream *s, ksiMotorStats motor[KSI_MOTORS]);

/* Lists the axes with a motor. */
json_t *ksiMotorsToJson(const ksiMotorStats motor[KSI_MOTORS], dJointType type);

/* Notes that another motor has cancelled this part of the motor's force in a step. */
void ksiMotorOppose(ksiMotorStats *motor, const ksiMotorName *other, double cancelled);

/* Overcome: at its limit in most steps, and accelerated against its force in more than a few.
 * Lagging: not overcome, and behind in most steps or, if far behind in one of them, in more than a
 * few. Pressing: in most steps. Opposed: in more than a few. */
bool ksiIsOvercome(const ksiMotorStats *motor);
bool ksiIsLagging(const ksiMotorStats *motor);
bool ksiIsPressing(const ksiMotorStats *motor);
bool ksiIsOpposed(const ksiMotorStats *motor);

/* The row of a motor, or of the stop that its axis is at; NULL: unknown. */
const ksRow *ksiMotorRow(const ksReaction *reaction, int axis);

/* J M^-1 J'^T of two rows; other motors keep their speeds unless they are at their limits. NaN:
 * unknown. */
double ksiRowMobility(const ksInspector *inspector, const ksReaction *reaction, const ksRow *row,
                      const ksReaction *other, const ksRow *otherRow);
/* ksiRowMobility of a row with itself; 0 if it is within rounding. */
double ksiOwnMobility(const ksInspector *inspector, const ksReaction *reaction, const ksRow *row);

#endif
