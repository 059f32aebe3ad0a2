/* rows.c  Reads the constraint rows of a joint as its getInfo2 writes them for a stepper.
 *
 * Outside a step, getInfo2 must not meet a powered axis at a stop. It would add the motor's force
 * to the bodies at once, under a lock of the stepping context; this context does not exist before
 * the world's first step. Such axes are read with FMax = 0, which leaves the row of the stop
 * unchanged. In the step, the engine adds the force
 *
 *     J_row^T m,   m = s FMax,   s = +1 where vel > 0, or vel = 0 at the high stop, else -1
 *
 * Here `vel` is the motor's target velocity. If it points away from the stop, FudgeFactor
 * multiplies `m`. This force belongs to the joint, so `lambda` is the stop's multiplier plus m. The
 * row becomes
 *
 *     J v* + cfm lambda = c + cfm m,      lo + m <= lambda <= hi + m
 *
 * getInfo1 and getInfo2 write into the joint: limit states, angles, a transmission's phase, a
 * contact's clamped coefficients. So they are called on a copy of the joint. */
#include "rows.h"

#include "../base/vectorise.h"
#include "layout.h"
#include "stops.h"
#include "vector.h"

#include <stdbool.h>

/* The numbers that getInfo2 writes, at any stride. */
#ifdef dDOUBLE
typedef ksiRow Written;
#else
typedef struct Written {
    dReal c, cfm, lo, hi;
    dReal jacobian[2][6];
} Written;
#endif
enum { STRIDE = sizeof(Written) / sizeof(dReal) };
_Static_assert(sizeof(Written) == STRIDE * sizeof(dReal), "a row is a whole number of numbers");
_Static_assert(offsetof(Written, cfm) == offsetof(Written, c) + sizeof(dReal) &&
                   offsetof(Written, lo) == offsetof(Written, cfm) + sizeof(dReal) &&
                   offsetof(Written, hi) == offsetof(Written, lo) + sizeof(dReal),
               "pairs as getInfo2 writes them");

/* Rounding units of anchors in world axes: a few products and sums. */
static const double anchorUnits = 64;

/* Tolerance of an axis's length: a smaller error of a motor is not worth reporting. */
static const double axisTolerance = 1e-3;

/* An Euler motor's rate is reported if its relative excess is above this: the second angle is then
 * above 8 degrees. */
static const double eulerTolerance = 1e-2;

/* A NaN that no arithmetic makes. */
static dReal mark(void)
{
    const uint64_t bits = KSI_BY_PRECISION(UINT64_C(0x7ff8b0d1c0de5afe), UINT64_C(0x7fc0b0d17fc0b0d1));
    dReal value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool isMark(dReal value)
{
    const dReal expected = mark();
    return memcmp(&value, &expected, sizeof value) == 0;
}

KSI_INLINE bool isZero(const ksiFourBits *bits)
{
    const ksiTwoBits two = (ksiTwoBits){(*bits)[0], (*bits)[1]} | (ksiTwoBits){(*bits)[2], (*bits)[3]};
    return (two[0] | two[1]) << 1 == 0;  // zeros may have a sign
}

KSI_CLONES_EXACT
static void presetRows(double cfm, int count, ksiRow *row, int findex[KSI_ROW_ROOM])
{
    static const ksiFour zero;
    const ksiFour pairs = {0, cfm, -dInfinity, dInfinity};
    for (int i = 0; i < count; i++) {
        ksiFour *jacobian = (ksiFour *)row[i].jacobian;
        jacobian[0] = jacobian[1] = jacobian[2] = zero;
        *(ksiFour *)&row[i].c = pairs;
        row[i].kind = KS_ROW_BILATERAL;
        row[i].findex = findex[i] = -1;
    }
}

static void callGetInfo2(dJointID joint, double fps, double erp, Written *row, int *findex)
{
    ksiGetInfo2 *getInfo2 = (ksiGetInfo2 *)ksiSlot(joint, KSI_SLOT_GET_INFO2);
    getInfo2(joint, (dReal)fps, (dReal)erp, STRIDE, row->jacobian[0], row->jacobian[1], STRIDE, &row->c, &row->lo,
             findex);
}

static void markPairs(Written *past)
{
    past->c = past->cfm = past->lo = past->hi = mark();
}

static bool areMarked(const Written *past)
{
    return isMark(past->c) && isMark(past->cfm) && isMark(past->lo) && isMark(past->hi);
}

#ifdef dDOUBLE
int ksiCallGetInfo2(dJointID joint, double fps, double erp, double cfm, int count, ksiRows *out,
                    int findex[KSI_ROW_ROOM])
{
    ksiRow *const past = count < KSI_MAX_ROWS ? &out->row[count] : NULL;
    presetRows(cfm, count, out->row, findex);
    if (past)
        markPairs(past);
    callGetInfo2(joint, fps, erp, out->row, findex);
    return past && !areMarked(past);
}
#else
static void copyRow(const Written *from, ksiRow *to)
{
    ksiTakeNumbers(&to->c, &from->c, 4);
    ksiTakeNumbers(to->jacobian[0], from->jacobian[0], 6);
    ksiTakeNumbers(to->jacobian[1], from->jacobian[1], 6);
}

int ksiCallGetInfo2(dJointID joint, double fps, double erp, double cfm, int count, ksiRows *out,
                    int findex[KSI_ROW_ROOM])
{
    Written row[KSI_ROW_ROOM] = {{.c = 0}};
    presetRows(cfm, count, out->row, findex);
    for (int i = 0; i < count; i++) {
        row[i].cfm = (dReal)cfm;
        row[i].lo = -dInfinity;
        row[i].hi = dInfinity;
    }
    markPairs(&row[count]);
    callGetInfo2(joint, fps, erp, row, findex);
    const bool isPast = !areMarked(&row[count]);
    for (int i = 0; i < count + isPast && i < KSI_MAX_ROWS; i++)
        copyRow(&row[i], &out->row[i]);
    return isPast && count < KSI_MAX_ROWS;
}
#endif

static int callAsStepper(const ksiEngine *engine, dJointID joint, double h, int count, ksiRows *out,
                         int findex[KSI_ROW_ROOM])
{
    return ksiCallGetInfo2(joint, 1 / h, dWorldGetERP(engine->world), dWorldGetCFM(engine->world), count, out, findex);
}

/* Returns 1 if everything but the bounds is finite. Tests the sum: it is finite only if all terms
 * are, and numbers whose sum overflows are useless. */
KSI_CLONES_EXACT
static int takeRows(int count, const int *findex, ksiRows *out)
{
    const ksiFourBits none = (ksiFourBits)(ksiFour){0, 0, -dInfinity, dInfinity};
    ksiFour sum = {0};
    ksiFourBits bounds = {0};
    ksiTwo pairSum = {0};
    double most = 0;
    int friction = -1, empty = 0, known = 1;
    for (int i = 0; i < count; i++) {
        ksiRow *row = &out->row[i];
        const ksiFour *four = (const ksiFour *)row->jacobian, *pairs = (const ksiFour *)&row->c;
        const ksiFourBits any = (ksiFourBits)four[0] | (ksiFourBits)four[1] | (ksiFourBits)four[2];
        sum += four[0] + four[1] + four[2];
        pairSum += *(const ksiTwo *)&row->c;
        most = ksiLarger(most, row->cfm);
        bounds |= (ksiFourBits)*pairs ^ none;
        friction &= findex[i];
        empty |= isZero(&any);
    }
    const int bounded = friction != -1 || (bounds[2] | bounds[3]) != 0;
    for (int i = 0; bounded && i < count; i++) {
        known &= !isunordered(out->row[i].lo, out->row[i].hi);
        out->row[i].findex = findex[i];
    }
    out->count = count;
    out->plain = !bounded && !empty;
    out->mostCompliant = most;
    return known && isfinite(sum[0] + sum[1] + sum[2] + sum[3] + pairSum[0] + pairSum[1]);
}

/* Finds the axes at a stop and sets their FMax = 0, so that the row of the stop has no motor. */
static void findStops(dJointID joint, int axisCount, ksiAxis *axis)
{
    for (int i = 0; i < axisCount; i++) {
        axis[i].force = ksiGetAxis(joint, i, dParamFMax);
        ksiSetAxis(joint, i, dParamFMax, 0);
        const int without = ksiRowCount(joint);
        ksiSetAxis(joint, i, dParamFMax, 1);
        axis[i].stopped = ksiRowCount(joint) == without;
        ksiSetAxis(joint, i, dParamFMax, axis[i].stopped ? 0 : axis[i].force);
    }
}

/* A hinge limit that the engine forgot to clear still acts, without a row of its own: the powered
 * hinge has one row for the axis, which belongs to the stop. Reading the hinge without its motor
 * reveals such a limit. */
static bool isStaleHinge(const ksiEngine *engine, dJointID joint, double h, ksiAxis *axis, ksiRows *out)
{
    if (out->type != dJointTypeHinge || axis->stopped)
        return 0;
    int findex[KSI_ROW_ROOM];
    ksiSetAxis(joint, 0, dParamFMax, 0);
    axis->stopped = callAsStepper(engine, joint, h, ksiKinds[dJointTypeHinge].permanent, out, findex);
    ksiSetAxis(joint, 0, dParamFMax, axis->stopped ? 0 : axis->force);
    return axis->stopped;
}

/* Adds the motors of axes at their stops to the stops' rows. Returns 0 if a motor is infinite. */
static int addMotors(dJointID joint, int axisCount, const ksiAxis *axis, ksiRows *out)
{
    int finite = 1;
    memset(out->motor, 0, sizeof out->motor);
    for (int l = 0; l < out->count; l++) {
        ksiRow *row = &out->row[l];
        const int i = out->axis[l];
        if (i < 0 || i >= axisCount || row->kind != KS_ROW_STOP || !(axis[i].force > 0))
            continue;
        const double velocity = ksiGetAxis(joint, i, dParamVel);
        const int high = ksiIsHighStop(row);
        double force = velocity > 0 || (velocity == 0 && high) ? axis[i].force : -axis[i].force;
        if (high ? velocity < 0 : velocity > 0)
            force *= ksiGetAxis(joint, i, dParamFudgeFactor);
        out->powered |= 1u << l;
        out->motor[l].force = force;
        out->motor[l].velocity = velocity;
        row->c += row->cfm * force;
        row->lo += force;
        row->hi += force;
        finite &= isfinite(force) != 0;
    }
    return finite;
}

static bool hasStop(const ksiRows *rows)
{
    for (int i = 0; i < rows->count; i++)
        if (rows->axis[i] >= 0 && rows->row[i].kind != KS_ROW_MOTOR)
            return 1;
    return 0;
}

/* Has the joint slid by more than the rounding of its anchors, which are measured from the
 * origin? */
static bool isExtendedPU(dJointID joint, const ksiRows *rows)
{
    double anchor[3];
    ksiGetVector(dJointGetPUAnchor, joint, anchor);
    const double slide = fabs(dJointGetPUPosition(joint));
    return slide >
           anchorUnits * ksiEpsilon(rows->isSingle) * (slide + fabs(anchor[0]) + fabs(anchor[1]) + fabs(anchor[2]));
}

/* The stop and motor of a PR's slider act half-way between the mass centres: do they turn its
 * hinge? */
static bool isLeverOfPRFalse(dJointID joint, const ksiRows *rows)
{
    const int l = ksiKinds[dJointTypePR].permanent;
    double anchor[3], axis[3], arm[3], velocity[3], room[3];
    if (rows->count <= l || rows->axis[l] != 0)
        return 0;
    const double *centre = ksiDoubles(dBodyGetPosition(dJointGetBody(joint, dJointGetBody(joint, 0) == NULL)), 3, room);
    ksiGetVector(dJointGetPRAnchor, joint, anchor);
    ksiGetVector(dJointGetPRAxis2, joint, axis);
    ksiSubtract(arm, centre, anchor);
    ksiCross(velocity, axis, arm);
    const double *row = rows->row[l].jacobian[0];
    const double rate = ksiDot(row, velocity) + ksiDot(row + 3, axis);
    const double far = sqrt(ksiDot(anchor, anchor)) + sqrt(ksiDot(centre, centre)) + sqrt(ksiDot(row + 3, row + 3));
    return fabs(rate) > anchorUnits * ksiEpsilon(rows->isSingle) * far;
}

/* Does a wheel turn by more than a quarter in this step? The engine then miscounts. */
static bool isTurningFar(dJointID gears, double h)
{
    for (int i = 0; i < 2; i++) {
        double axis[3], room[3];
        ksiGetVector(i ? dJointGetTransmissionAxis2 : dJointGetTransmissionAxis1, gears, axis);
        if (fabs(ksiDot(axis, ksiDoubles(dBodyGetAngularVel(dJointGetBody(gears, i)), 3, room))) * h > M_PI_2)
            return 1;
    }
    return 0;
}

static int differ(dJointID joint, int parameter)
{
    return ksiGetAxis(joint, 0, parameter) != ksiGetAxis(joint, 1, parameter);
}

/* Is the difference of two stops larger than the shifts of ksiHoldStops can make it? */
static int areApart(double a, double b, const ksiRows *rows)
{
    return a != b && !(fabs(a - b) <= 2 * ksiAngleRounding(a, rows->isSingle));
}

static int stopsDiffer(dJointID joint, int parameter, const ksiRows *rows)
{
    return areApart(ksiGetAxis(joint, 0, parameter), ksiGetAxis(joint, 1, parameter), rows);
}

/* For a joint attached (0, b): is an active motor or stop set for the opposite sense of its angle,
 * or for the other axis? Equal settings of both senses, or both axes, do no harm. See
 * check_traps. */
static int isSetElsewhere(dJointID joint, const ksiAxis *axis, const ksiRows *rows)
{
    const int isSwapped = rows->type == dJointTypeUniversal || rows->type == dJointTypePU;
    const int turning = rows->type == dJointTypeHinge ? 0 : 1;
    for (int l = ksiKinds[rows->type].permanent; l < rows->count; l++) {
        const int i = rows->axis[l];
        if (isSwapped && (i == 0 || i == 1) &&
            (axis[0].force != axis[1].force || differ(joint, dParamVel) || stopsDiffer(joint, dParamLoStop, rows) ||
             stopsDiffer(joint, dParamHiStop, rows)))
            return 1;
        if (!isSwapped && i == turning &&
            ((axis[i].force > 0 && ksiGetAxis(joint, i, dParamVel) != 0) ||
             (rows->row[l].kind == KS_ROW_STOP &&
              areApart(ksiGetAxis(joint, i, dParamLoStop), -ksiGetAxis(joint, i, dParamHiStop), rows))))
            return 1;
    }
    return 0;
}

/* J v of a row about an axis, rad/s. */
static double turningOf(dJointID joint, const ksiRow *row)
{
    dBodyID body[2];
    int reversed;
    double sum = 0, room[3];
    ksiJointBodies(joint, body, &reversed);
    for (int i = 0; i < 2; i++)
        if (body[i])
            sum += ksiDot(row->jacobian[i] + 3, ksiDoubles(dBodyGetAngularVel(body[i]), 3, room));
    return sum;
}

/* Is an Euler motor's rate false? The first or third angle turns at the rate of its row divided by
 * the cosine of the second angle. The rate is false if this quotient exceeds the target. A motor
 * that cannot reach its target acts as a torque, which is right. For the second angle: at a right
 * angle the engine reverses the axis in each step. The getter returns the angle of the last step,
 * so the test applies in two steps. A weak motor does not count: it is slower than its target. */
static int isEulerRateFalse(dJointID motor, double h, const ksiRows *rows)
{
    const double angle = dJointGetAMotorAngle(motor, 1), away = fabs(cos(angle));
    const double way = 2 * h * fabs(dJointGetAMotorAngleRate(motor, 1));
    for (int l = 0; l < rows->count; l++) {
        const double rate = rows->row[l].kind == KS_ROW_MOTOR ? rows->row[l].c : 0;
        if (rate == 0 || (rows->axis[l] == 1 ? !(rate * angle > 0 && away < way) : !(away < 1 - eulerTolerance)))
            continue;
        if (rows->axis[l] == 1 || turningOf(motor, &rows->row[l]) / rate > away)
            return 1;
    }
    return 0;
}

static ksReasons bugsOfAMotor(dJointID motor, double h, int reversed, const ksiRows *rows)
{
    if (dJointGetAMotorMode(motor) != dAMotorEuler)
        return 0;
    return (reversed && hasStop(rows) ? KS_REASON_FALSE_ERROR : 0u) |
           (isEulerRateFalse(motor, h, rows) ? KS_REASON_FALSE_RATE : 0u);
}

/* KS_REASON_... bits of the bugs of this joint type; 0 if they have no effect. */
static ksReasons knownBugs(dJointID joint, double h, const ksiAxis *axis, const ksiRows *rows)
{
    const int reversed = !dJointGetBody(joint, 0);
    const ksReasons elsewhere = reversed && isSetElsewhere(joint, axis, rows) ? KS_REASON_REVERSED_MOTOR : 0;
    switch (rows->type) {
    case dJointTypeTransmission:
        return isTurningFar(joint, h) ? KS_REASON_FALSE_ERROR : 0;
    case dJointTypePR:
        return elsewhere | (reversed ? KS_REASON_FALSE_ERROR : 0u) |
               (isLeverOfPRFalse(joint, rows) ? KS_REASON_FALSE_LEVER : 0u);
    case dJointTypePiston:
        return elsewhere | (reversed ? KS_REASON_FALSE_ERROR : 0u);
    case dJointTypePU:
        return elsewhere | (reversed ? KS_REASON_FALSE_AXIS : 0u) |
               (isExtendedPU(joint, rows) ? KS_REASON_FALSE_LEVER : 0u);
    case dJointTypeAMotor:
        return bugsOfAMotor(joint, h, reversed, rows);
    default:
        return elsewhere;
    }
}

static double orUnit(const double axis[3])
{
    const double length = sqrt(ksiDot(axis, axis));
    return fabs(length - 1) > axisTolerance ? length : 1;
}

/* Length of the axis in the world; for a contact, of its normal or, failing that, of its friction
 * direction. */
static double lengthOfAxis(dJointID joint, int second, const ksiRows *rows)
{
    double length = 1, room[3];
    const dReal *axis = second ? NULL : ksiAxisInWorld(rows->type, joint);
    if (axis)
        return orUnit(ksiDoubles(axis, 3, room));
    for (int l = 0; rows->type == dJointTypeContact && length == 1 && l < rows->count; l++)
        if (rows->row[l].kind != KS_ROW_ROLLING)
            length = orUnit(rows->row[l].jacobian[0]);
    return length;
}

bool ksiIsAboutAxis(const ksiRows *rows, int l)
{
    return rows->axis[l] == 1 && (rows->type == dJointTypeUniversal || rows->type == dJointTypePU);
}

void ksiTakeUnitAxis(ksiRows *rows)
{
    const double length = rows->axisLength;
    for (int l = 0; length != 1 && l < rows->count; l++) {
        ksiRow *row = &rows->row[l];
        if (!ksiIsAboutAxis(rows, l))
            continue;
        for (int k = 0; k < 12; k++)
            row->jacobian[k / 6][k % 6] /= length;
        row->c /= length;
        row->cfm /= length * length;
        row->lo *= length;
        row->hi *= length;
        rows->motor[l].force *= length;
        rows->motor[l].velocity /= length;
    }
}

/* Writes into the joint. */
static ksStatus readRows(const ksiEngine *engine, dJointID joint, ksStepper stepper, double h, int second, ksiRows *out)
{
    ksiAxis axis[3];
    int axisCount = 0, count = ksiRowCount(joint);
    if (count > KSI_MAX_ROWS)
        return KS_ERROR_UNSUPPORTED_ENGINE;
    if (count == 0)
        return KS_OK;  // getInfo2 of a joint without rows aborts
    if (count > ksiKinds[out->type].permanent && (axisCount = ksiAxisCount(joint)) > 0) {
        findStops(joint, axisCount, axis);
        out->staleLimit = isStaleHinge(engine, joint, h, axis, out);
        (void)ksiRowCount(joint);  // getInfo2 relies on the state that getInfo1 leaves
    }

    int findex[KSI_ROW_ROOM];
    if (callAsStepper(engine, joint, h, count, out, findex)) {
        out->staleLimit = out->overrun = 1;
        // dWorldStep stores J2 after J1: J1's surplus row overwrites the first couple of J2
        if (stepper == KS_WORLD_STEP)
            memcpy(out->row[0].jacobian[1] + 3, out->row[count].jacobian[0] + 3, 3 * sizeof(double));
    }
    for (int i = 0; !second && i < count; i++)
        memset(out->row[i].jacobian[1], 0, sizeof out->row[i].jacobian[1]);
    int finite = takeRows(count, findex, out);
    ksiClassifyRows(joint, axis, axisCount, out);
    if (axisCount)
        finite &= addMotors(joint, axisCount, axis, out);
    out->axisLength = lengthOfAxis(joint, second, out);
    ksiTakeUnitAxis(out);
    if (ksiKinds[out->type].flawed)
        out->bug = knownBugs(joint, h, axis, out);
    return finite ? KS_OK : KS_ERROR_NOT_FINITE;
}

ksStatus ksiReadRows(const ksiEngine *engine, dJointID joint, ksStepper stepper, double h, ksiRows *out)
{
    out->count = out->permanent = out->staleLimit = out->overrun = 0;
    out->bug = 0;
    out->powered = 0;
    out->axisLength = 1;
    out->leverRounding = out->turnRounding = 0;
    const ksiJointFields *fields = ksiFieldsOfJoint(joint);
    if (!fields->node[0].body)
        return KS_ERROR_BAD_ARGUMENT;
    out->type = ksiKnownType(engine, joint);
    if (!out->type)
        return KS_ERROR_UNSUPPORTED_ENGINE;
    out->isSingle = ksiHasSingle(fields);
    if (ksiKinds[out->type].degenerates && ksiIsDegenerate(out->type, joint, h))
        return KS_ERROR_SINGULAR;
    if (out->isSingle)
        ksiTakeRounding(joint, out);
    if (fields->flags & KSI_JOINT_STOPPED_ELSEWHERE)
        return KS_ERROR_UNAVAILABLE;

    ksiJointCopy copy;
    return readRows(engine, ksiJointInRoom(joint, &copy), stepper, h, fields->node[1].body != NULL, out);
}

void ksiAddStoppedMotors(const ksiRows *rows, int side, double times, double force[3], double torque[3])
{
    for (int l = 0; rows->powered >> l; l++) {
        const double motor = rows->powered >> l & 1u ? times * rows->motor[l].force : 0;
        ksiAddScaled(force, motor, rows->row[l].jacobian[side]);
        ksiAddScaled(torque, motor, rows->row[l].jacobian[side] + 3);
    }
}

void ksiFillFeedback(dJointFeedback *feedback)
{
    for (int i = 0; i < 4; i++)  // dVector3 has room for a fourth number
        feedback->f1[i] = feedback->t1[i] = feedback->f2[i] = feedback->t2[i] = mark();
}

int ksiFeedbackOfInspector(const dJointFeedback *feedback)
{
    return isMark(feedback->f1[3]);
}

int ksiFeedbackWritten(const dJointFeedback *feedback, int second)
{
    const dReal *force = second ? feedback->f2 : feedback->f1, *torque = second ? feedback->t2 : feedback->t1;
    for (int i = 0; i < 3; i++)
        if (isMark(force[i]) || isMark(torque[i]))
            return 0;
    return 1;
}

void ksiGiveWritten(const dJointFeedback *from, dJointFeedback *to)
{
    if (!to)
        return;
    if (ksiFeedbackWritten(from, 0)) {
        memcpy(to->f1, from->f1, 3 * sizeof(dReal));
        memcpy(to->t1, from->t1, 3 * sizeof(dReal));
    }
    if (ksiFeedbackWritten(from, 1)) {
        memcpy(to->f2, from->f2, 3 * sizeof(dReal));
        memcpy(to->t2, from->t2, 3 * sizeof(dReal));
    }
}
