/* motors.c  Finds motors that are too weak for their loads, or press against stops.
 *
 * Let a motor be at its limit `F`, and let its axis have the acceleration `a`, opposite to `F`.
 * Then this force would keep the axis at its speed:
 *
 *     F - a / B
 *
 * `B` is the mobility J M^-1 J^T of the axis in the mechanism without the motor
 * (ksInspectorGetMobility). */
#include "motors.h"

#include "../document/json.h"
#include "../files/joint_type.h"
#include "measure.h"

#include <math.h>

/* Least shares of steps for a finding: a start or an impact must not suffice. */
static const double mostOfSteps = 0.5, fewSteps = 0.05;

/* Share of the force below which an acceleration is noise; share above which the load takes the
 * whole force. */
static const double leastExcess = 1e-3, almostAll = 0.99;

/* Shares of the target speed. A motor below leastSpeed is stalled (a gripper) or has an unreachable
 * target (a motor used as a force). A motor above reachedSpeed has reached its target. */
static const double leastSpeed = 0.1, reachedSpeed = 0.99;

/* If the speed is behind by more than this share of the target in one step, more than a few lagging
 * steps suffice for a finding, as for a car on a bump. */
static const double farBehind = 0.25;

/* A mobility below this share of freeMobility is rounding. */
static const double rounding = 1e-6;

/* A row's part on one body: a couple about an axis, or a force along an axis through a point. */
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

double ksiRowMobility(const ksInspector *inspector, const ksReaction *reaction, const ksRow *row,
                      const ksReaction *other, const ksRow *otherRow)
{
    // a query does not change the step, so the cast is safe
    ksInspector *asked = (ksInspector *)(uintptr_t)inspector;
    double sum = 0;
    for (int i = 0; i < (reaction->body[1] ? 2 : 1); i++)
        for (int k = 0; k < (other->body[1] ? 2 : 1); k++) {
            const ksBodyProbe at = probeOf(reaction, row, i), from = probeOf(other, otherRow, k);
            double mobility;
            if (ksInspectorGetMobility(asked, &at, &from, &mobility))
                return NAN;
            sum += mobility;
        }
    return sum;
}

/* J M^-1 J^T of the row as if no joint held its bodies. */
static double freeMobility(const ksInspector *inspector, const ksReaction *reaction, const ksRow *row)
{
    double sum = 0;
    for (int side = 0; side < (reaction->body[1] ? 2 : 1); side++) {
        double mass, inverse[9];
        if (!ksInspectorGetMass(inspector, reaction->body[side], &mass, inverse))
            return NAN;
        sum += ksiBodyMobility(row->jacobian[side], mass, inverse);
    }
    return sum;
}

double ksiOwnMobility(const ksInspector *inspector, const ksReaction *reaction, const ksRow *row)
{
    const double own = ksiRowMobility(inspector, reaction, row, reaction, row);
    return own <= rounding * freeMobility(inspector, reaction, row) ? 0 : own;
}

static bool isRowOf(const ksRow *row, const ksMotor *motor)
{
    // like ksMotor::speed, but at a stop row->engine includes the motor's force
    const double speed = row->residual + row->c - row->cfm * row->engine;
    if (motor->atStop)
        return row->kind == KS_ROW_STOP && fabs(speed - motor->speed) <= 2 * fabs(row->cfm * motor->force);
    return row->kind == KS_ROW_MOTOR && speed == motor->speed && row->engine == motor->force;
}

const ksRow *ksiMotorRow(const ksReaction *reaction, int axis)
{
    int i = 0;
    // rows are in the order of axes
    for (int k = 0; k <= axis; k++) {
        if (isnan(reaction->motor[k].force))
            continue;
        while (i < reaction->rowCount && !isRowOf(&reaction->row[i], &reaction->motor[k]))
            i++;
        if (k == axis && i < reaction->rowCount)
            return &reaction->row[i];
        i++;
    }
    return NULL;
}

/* Notes the force limit. Call it before adding to stats->overcome. */
static void noteLimit(ksiMotorStats *stats, double least, double limit)
{
    stats->least = stats->overcome > 0 ? fmin(stats->least, least) : least;
    stats->limit = fmax(stats->limit, limit);
}

static void noteLagging(ksiMotorStats *stats, double behind, double target)
{
    const double share = behind * stats->target, before = stats->behind * target;
    if (share > before || (share == before && target > stats->target)) {
        stats->behind = behind;
        stats->target = target;
    }
}

/* Does the motor drive towards its target, and move in either sense? */
static bool isDriving(const ksMotor *motor)
{
    const double share = motor->speed / motor->target;
    return motor->force * motor->target > 0 && fabs(share) >= leastSpeed && share <= reachedSpeed;
}

static bool addSaturated(const ksAllocator *allocator, ksiMotorStats *stats, const ksInspector *inspector,
                         const ksReaction *reaction, int axis, double stepSize)
{
    const ksMotor *motor = &reaction->motor[axis];
    const ksRow *row = ksiMotorRow(reaction, axis);
    const double before = 2 * motor->power / motor->force - motor->speed,
                 acceleration = (motor->speed - before) / stepSize, limit = fabs(motor->force);
    stats->saturated++;
    if (!row || (!(motor->force * acceleration < 0) && !isDriving(motor)))
        return true;
    // only solver error accelerates an immobile axis
    const double need = limit * (1 - acceleration / motor->force / ksiOwnMobility(inspector, reaction, row));
    if (!isfinite(need))
        return true;
    if (need > limit * (1 + leastExcess)) {
        if (!ksiHistogramAdd(allocator, &stats->need, need))
            return false;
        noteLimit(stats, limit, limit);
        stats->overcome++;
    }
    if (isDriving(motor) && need >= almostAll * limit) {
        stats->lagging++;
        noteLagging(stats, fabs(motor->target - motor->speed), fabs(motor->target));
    }
    return true;
}

/* At the low stop the force along the axis has no upper bound, at the high stop no lower bound. */
static void addStopped(ksiMotorStats *stats, const ksReaction *reaction, int axis)
{
    const ksMotor *motor = &reaction->motor[axis];
    const ksRow *row = ksiMotorRow(reaction, axis);
    stats->stopped++;
    if (!row || !(isinf(row->hi) ? motor->target < 0 : motor->target > 0))
        return;
    stats->pressing++;
    stats->pressed = fmax(stats->pressed, fabs(motor->force));
}

bool ksiMotorsAdd(const ksAllocator *allocator, ksiMotorStats stats[KSI_MOTORS], const ksInspector *inspector,
                  const ksReaction *reaction, double stepSize)
{
    bool isWhole = true;
    for (int axis = 0; axis < KSI_MOTORS; axis++) {
        const ksMotor *motor = &reaction->motor[axis];
        if (isnan(motor->force))
            continue;
        if (motor->atStop) {
            addStopped(&stats[axis], reaction, axis);
            continue;
        }
        stats[axis].steps++;
        if (motor->saturated && motor->force != 0)
            isWhole = addSaturated(allocator, &stats[axis], inspector, reaction, axis, stepSize) && isWhole;
    }
    return isWhole;
}

static int compareNames(const ksiMotorName *a, const ksiMotorName *b)
{
    return a->type != b->type ? a->type - b->type : a->number != b->number ? a->number - b->number : a->axis - b->axis;
}

void ksiMotorOppose(ksiMotorStats *motor, const ksiMotorName *other, double cancelled)
{
    if (motor->opposed++ == 0 || compareNames(other, &motor->other) < 0)
        motor->other = *other;
    motor->cancelled = fmax(motor->cancelled, cancelled);
}

bool ksiMotorsMerge(const ksAllocator *allocator, ksiMotorStats into[KSI_MOTORS], const ksiMotorStats from[KSI_MOTORS])
{
    bool isWhole = true;
    for (int axis = 0; axis < KSI_MOTORS; axis++) {
        ksiMotorStats *to = &into[axis];
        const ksiMotorStats *of = &from[axis];
        if (of->opposed > 0 && (to->opposed == 0 || compareNames(&of->other, &to->other) < 0))
            to->other = of->other;
        to->steps += of->steps;
        to->saturated += of->saturated;
        if (of->overcome > 0)
            noteLimit(to, of->least, of->limit);
        to->overcome += of->overcome;
        to->lagging += of->lagging;
        to->stopped += of->stopped;
        to->pressing += of->pressing;
        to->opposed += of->opposed;
        to->pressed = fmax(to->pressed, of->pressed);
        to->cancelled = fmax(to->cancelled, of->cancelled);
        noteLagging(to, of->behind, of->target);
        isWhole = ksiHistogramMerge(allocator, &to->need, &of->need) && isWhole;
    }
    return isWhole;
}

void ksiMotorsFree(const ksAllocator *allocator, ksiMotorStats motor[KSI_MOTORS])
{
    for (int axis = 0; axis < KSI_MOTORS; axis++)
        ksiHistogramFree(allocator, &motor[axis].need);
}

void ksiStreamMotors(ksiStream *s, ksiMotorStats stats[KSI_MOTORS])
{
    for (int axis = 0; axis < KSI_MOTORS; axis++) {
        ksiMotorStats *motor = &stats[axis];
        uint64_t *const count[] = {&motor->saturated, &motor->overcome, &motor->lagging, &motor->pressing,
                                   &motor->opposed};
        double *const size[] = {&motor->least,  &motor->limit,   &motor->behind,
                                &motor->target, &motor->pressed, &motor->cancelled};
        ksiStreamCount(s, &motor->steps);
        ksiStreamCount(s, &motor->stopped);
        if (motor->steps + motor->stopped == 0)
            continue;
        for (size_t i = 0; i < sizeof count / sizeof *count; i++)
            ksiStreamCount(s, count[i]);
        for (size_t i = 0; i < sizeof size / sizeof *size; i++)
            ksiStreamKnown(s, size[i]);
        ksiStreamWhole(s, &motor->other.type, INT32_MAX);
        ksiStreamWhole(s, &motor->other.number, INT32_MAX);
        ksiStreamWhole(s, &motor->other.axis, KSI_MOTORS - 1);
        ksiStreamHistogram(s, &motor->need);
        ksiStreamRequire(s, motor->need.total == motor->overcome);
        ksiStreamRequire(s, motor->overcome <= motor->saturated && motor->lagging <= motor->saturated);
        ksiStreamRequire(s, motor->saturated <= motor->steps);
        ksiStreamRequire(s, motor->pressing <= motor->stopped && motor->opposed <= motor->steps);
    }
}

bool ksiIsOvercome(const ksiMotorStats *motor)
{
    return (double)motor->saturated > mostOfSteps * (double)motor->steps &&
           (double)motor->overcome > fewSteps * (double)motor->steps;
}

bool ksiIsLagging(const ksiMotorStats *motor)
{
    const double share = (double)motor->lagging / (double)(motor->steps + motor->stopped);
    return !ksiIsOvercome(motor) &&
           (share > mostOfSteps || (share > fewSteps && motor->behind > farBehind * motor->target));
}

bool ksiIsPressing(const ksiMotorStats *motor)
{
    return (double)motor->pressing > mostOfSteps * (double)(motor->steps + motor->stopped);
}

bool ksiIsOpposed(const ksiMotorStats *motor)
{
    return (double)motor->opposed > fewSteps * (double)(motor->steps + motor->stopped);
}

static json_t *sizeOrNull(uint64_t steps, double size)
{
    return steps > 0 ? ksiJsonNumber(size) : json_null();
}

static json_t *motorToJson(const ksiMotorStats *motor, int axis, dJointType type)
{
    json_t *object = json_object(), *other = motor->opposed > 0 ? json_object() : json_null();
    ksiJsonPut(object, "axis", json_integer(axis));
    ksiJsonPut(object, "unit", json_string(ksiIsAlongAxis(type, axis) ? "N" : "N.m"));
    ksiJsonPut(object, "steps", ksiJsonCount(motor->steps));
    ksiJsonPut(object, "saturated", ksiJsonCount(motor->saturated));
    ksiJsonPut(object, "overcome", ksiJsonCount(motor->overcome));
    ksiJsonPut(object, "leastLimit", sizeOrNull(motor->overcome, motor->least));
    ksiJsonPut(object, "limit", sizeOrNull(motor->overcome, motor->limit));
    ksiJsonPut(object, "need", motor->overcome > 0 ? ksiJsonQuantiles(&motor->need) : json_null());
    ksiJsonPut(object, "lagging", ksiJsonCount(motor->lagging));
    ksiJsonPut(object, "behind", sizeOrNull(motor->lagging, motor->behind));
    ksiJsonPut(object, "target", sizeOrNull(motor->lagging, motor->target));
    ksiJsonPut(object, "stopped", ksiJsonCount(motor->stopped));
    ksiJsonPut(object, "pressing", ksiJsonCount(motor->pressing));
    ksiJsonPut(object, "pressed", sizeOrNull(motor->pressing, motor->pressed));
    ksiJsonPut(object, "opposed", ksiJsonCount(motor->opposed));
    ksiJsonPut(object, "cancelled", sizeOrNull(motor->opposed, motor->cancelled));
    if (motor->opposed > 0) {
        ksiJsonPut(other, "type", json_string(ksiTypeName((dJointType)motor->other.type)));
        ksiJsonPut(other, "number", json_integer(motor->other.number));
        ksiJsonPut(other, "axis", json_integer(motor->other.axis));
    }
    ksiJsonPut(object, "other", other);
    return object;
}

json_t *ksiMotorsToJson(const ksiMotorStats stats[KSI_MOTORS], dJointType type)
{
    json_t *list = json_array();
    for (int axis = 0; axis < KSI_MOTORS; axis++)
        if (stats[axis].steps + stats[axis].stopped > 0)
            ksiJsonAppend(list, motorToJson(&stats[axis], axis, type));
    return list;
}
