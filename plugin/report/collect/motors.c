/* motors.c  A motor at its limit F whose axis is accelerated by a, against F: to hold the axis at its speed it takes
 *
 *     F - a / B,       B = J M^-1 J^T of the mechanism, the motor left out: ksInspectorGetMobility */
#include "motors.h"

#include "../document/json.h"
#include "../files/joint_type.h"

#include <math.h>

/* From which part of the steps it is a finding: not a start, and not a blow. */
static const double mostOfSteps = 0.5, fewSteps = 0.05;

/* Below this part of the force an acceleration is that of rounding and of the solver. */
static const double leastExcess = 1e-3;

/* A row on one body: a couple about an axis, or a force along one through a point. */
static ksBodyProbe probeOf(const ksReaction *reaction, const ksRow *row, int side)
{
    const double *l = row->jacobian[side], *c = l + 3, size = l[0] * l[0] + l[1] * l[1] + l[2] * l[2];
    ksBodyProbe probe = {.body = reaction->body[side], .couple = size == 0};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        probe.axis[i] = size == 0 ? c[i] : l[i];
        probe.point[i] = reaction->centre[side][i] + (size == 0 ? 0 : (l[j] * c[k] - l[k] * c[j]) / size);
    }
    return probe;
}

/* NaN: unknown. */
static double mobilityOf(const ksInspector *inspector, const ksReaction *reaction, const ksRow *row)
{
    // asks, and leaves the step as it is
    ksInspector *asked = (ksInspector *)(uintptr_t)inspector;
    const int sides = reaction->body[1] ? 2 : 1;
    ksBodyProbe probe[2];
    double sum = 0;
    for (int i = 0; i < sides; i++)
        probe[i] = probeOf(reaction, row, i);
    for (int i = 0; i < sides; i++)
        for (int k = 0; k <= i; k++) {
            double mobility;
            if (ksInspectorGetMobility(asked, &probe[i], &probe[k], &mobility))
                return NAN;
            sum += (i == k ? 1 : 2) * mobility;
        }
    return sum;
}

/* Its row at its limit. */
static const ksRow *rowOf(const ksReaction *reaction, const ksMotor *motor)
{
    for (int i = 0; i < reaction->rowCount; i++)
        if (reaction->row[i].kind == KS_ROW_MOTOR && reaction->row[i].engine == motor->force)
            return &reaction->row[i];
    return NULL;
}

static void addSaturated(ksiMotorStats *stats, const ksInspector *inspector, const ksReaction *reaction,
                         const ksMotor *motor, double stepSize)
{
    const ksRow *row = rowOf(reaction, motor);
    const double before = 2 * motor->power / motor->force - motor->speed,
                 acceleration = (motor->speed - before) / stepSize;
    stats->saturated++;
    if (!row || !(motor->force * acceleration < 0))
        return;
    const double limit = fabs(motor->force);
    const double need = fabs(motor->force - acceleration / mobilityOf(inspector, reaction, row));
    if (!isfinite(need) || need <= limit * (1 + leastExcess))
        return;
    stats->overcome++;
    stats->limit = fmax(stats->limit, limit);
    stats->need = fmax(stats->need, need);
}

void ksiMotorsAdd(ksiMotorStats stats[KSI_MOTORS], const ksInspector *inspector, const ksReaction *reaction,
                  double stepSize)
{
    for (int axis = 0; axis < KSI_MOTORS; axis++) {
        const ksMotor *motor = &reaction->motor[axis];
        if (isnan(motor->force) || motor->atStop)
            continue;
        stats[axis].steps++;
        if (motor->saturated && motor->force != 0)
            addSaturated(&stats[axis], inspector, reaction, motor, stepSize);
    }
}

void ksiMotorsMerge(ksiMotorStats into[KSI_MOTORS], const ksiMotorStats from[KSI_MOTORS])
{
    for (int axis = 0; axis < KSI_MOTORS; axis++) {
        into[axis].steps += from[axis].steps;
        into[axis].saturated += from[axis].saturated;
        into[axis].overcome += from[axis].overcome;
        into[axis].limit = fmax(into[axis].limit, from[axis].limit);
        into[axis].need = fmax(into[axis].need, from[axis].need);
    }
}

void ksiStreamMotors(ksiStream *s, ksiMotorStats motor[KSI_MOTORS])
{
    for (int axis = 0; axis < KSI_MOTORS; axis++) {
        ksiStreamCount(s, &motor[axis].steps);
        if (motor[axis].steps == 0)
            continue;
        ksiStreamCount(s, &motor[axis].saturated);
        ksiStreamCount(s, &motor[axis].overcome);
        ksiStreamKnown(s, &motor[axis].limit);
        ksiStreamKnown(s, &motor[axis].need);
        ksiStreamRequire(s,
                         motor[axis].overcome <= motor[axis].saturated && motor[axis].saturated <= motor[axis].steps);
    }
}

bool ksiIsOvercome(const ksiMotorStats *motor)
{
    return (double)motor->saturated > mostOfSteps * (double)motor->steps &&
           (double)motor->overcome > fewSteps * (double)motor->steps;
}

json_t *ksiMotorsToJson(const ksiMotorStats stats[KSI_MOTORS], dJointType type)
{
    json_t *list = json_array();
    for (int axis = 0; axis < KSI_MOTORS; axis++) {
        const ksiMotorStats *motor = &stats[axis];
        json_t *object = motor->steps > 0 ? json_object() : NULL;
        if (!object)
            continue;
        ksiJsonPut(object, "axis", json_integer(axis));
        ksiJsonPut(object, "unit", json_string(ksiIsAlongAxis(type, axis) ? "N" : "N.m"));
        ksiJsonPut(object, "steps", ksiJsonCount(motor->steps));
        ksiJsonPut(object, "saturated", ksiJsonCount(motor->saturated));
        ksiJsonPut(object, "overcome", ksiJsonCount(motor->overcome));
        ksiJsonPut(object, "limit", motor->overcome > 0 ? ksiJsonNumber(motor->limit) : json_null());
        ksiJsonPut(object, "need", motor->overcome > 0 ? ksiJsonNumber(motor->need) : json_null());
        ksiJsonAppend(list, object);
    }
    return list;
}
