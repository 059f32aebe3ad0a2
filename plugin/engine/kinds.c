/* kinds.c  The kinds of rows that each joint type has, and the rounding of these rows.
 *
 * A joint's permanent rows come first, then one row for each axis that is powered or at a stop. */
#include "fields.h"
#include "layout.h"
#include "rows.h"

#include "vector.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Sine of the angle below which axes count as parallel: the direction perpendicular to both is then
 * noise, or zero, and the engine aborts if it is zero. */
static const double leastSine = KSI_BY_PRECISION(1e-14, 1e-14 * (FLT_EPSILON / DBL_EPSILON));
/* leastBevelSine: this limit for bevel wheels, for which the engine aborts if the dot product of
 * the axes is 1. productUnits: bound on the difference between the engine's dot product and ours,
 * in units of rounding. The dot product is rounded, and so are the unit vectors of the axes. */
static const double leastBevelSine = KSI_BY_PRECISION(6e-8, 1.4e-3);
static const double productUnits = 4;
/* The rounding of a wheel's angle. angleUnits: from the wheel's lever, by a few products and sums
 * for each point. phaseUnits: from its phase and spin, by a sum of three numbers. */
static const double angleUnits = 32, phaseUnits = 4;

const ksiKind ksiKinds[KSI_JOINT_TYPES] = {
    [dJointTypeNone] = {.permanent = -1},
    [dJointTypeBall] = {.permanent = 3, .anchored = 1},
    [dJointTypeHinge] = {.permanent = 5, .anchored = 1, .flawed = 1},
    [dJointTypeSlider] = {.permanent = 5},
    [dJointTypeContact] = {.permanent = 1, .anchored = 1},
    [dJointTypeUniversal] = {.permanent = 4, .anchored = 1, .degenerates = 1, .flawed = 1},
    [dJointTypeHinge2] = {.permanent = 4, .anchored = 1, .degenerates = 1},
    [dJointTypeFixed] = {.permanent = 6},
    [dJointTypeNull] = {.permanent = 0},
    [dJointTypeAMotor] = {.permanent = 0, .degenerates = 1, .flawed = 1},
    [dJointTypeLMotor] = {.permanent = 0},
    [dJointTypePlane2D] = {.permanent = 3},
    [dJointTypePR] = {.permanent = 4, .anchored = 1, .levered = 1, .flawed = 1},
    [dJointTypePU] = {.permanent = 3, .anchored = 1, .levered = 1, .degenerates = 1, .flawed = 1},
    [dJointTypePiston] = {.permanent = 4, .anchored = 1, .levered = 1, .flawed = 1},
    [dJointTypeDBall] = {.permanent = 1, .anchored = 1, .spanned = 1},
    [dJointTypeDHinge] = {.permanent = 4, .anchored = 1, .spanned = 1},
    [dJointTypeTransmission] = {.permanent = 1, .levered = 1, .spanned = 1, .degenerates = 1, .flawed = 1},
};

int ksiHasAnchor(dJointType type)
{
    return type >= 0 && type < KSI_JOINT_TYPES && ksiKinds[type].anchored;
}

int ksiAxisCount(dJointID joint)
{
    switch (dJointGetType(joint)) {
    case dJointTypeHinge:
    case dJointTypeSlider:
        return 1;
    case dJointTypeUniversal:
    case dJointTypeHinge2:  // a motor and no stop on its second axis
    case dJointTypePR:
    case dJointTypePiston:
        return 2;
    case dJointTypePU:
        return 3;
    case dJointTypeAMotor:
        return dJointGetAMotorNumAxes(joint);
    default:
        return 0;
    }
}

double ksiGetAxis(dJointID joint, int axis, int parameter)
{
    const int p = parameter + axis * dParamGroup2;
    switch (dJointGetType(joint)) {
    case dJointTypeHinge:
        return dJointGetHingeParam(joint, p);
    case dJointTypeSlider:
        return dJointGetSliderParam(joint, p);
    case dJointTypeUniversal:
        return dJointGetUniversalParam(joint, p);
    case dJointTypeHinge2:
        return dJointGetHinge2Param(joint, p);
    case dJointTypePR:
        return dJointGetPRParam(joint, p);
    case dJointTypePU:
        return dJointGetPUParam(joint, p);
    case dJointTypePiston:
        return dJointGetPistonParam(joint, p);
    case dJointTypeAMotor:
        return dJointGetAMotorParam(joint, p);
    default:
        return 0;
    }
}

void ksiSetAxis(dJointID joint, int axis, int parameter, double value)
{
    const int p = parameter + axis * dParamGroup2;
    switch (dJointGetType(joint)) {
    case dJointTypeHinge:
        dJointSetHingeParam(joint, p, value);
        break;
    case dJointTypeSlider:
        dJointSetSliderParam(joint, p, value);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalParam(joint, p, value);
        break;
    case dJointTypeHinge2:
        dJointSetHinge2Param(joint, p, value);
        break;
    case dJointTypePR:
        dJointSetPRParam(joint, p, value);
        break;
    case dJointTypePU:
        dJointSetPUParam(joint, p, value);
        break;
    case dJointTypePiston:
        dJointSetPistonParam(joint, p, value);
        break;
    case dJointTypeAMotor:
        dJointSetAMotorParam(joint, p, value);
        break;
    default:
        break;
    }
}

/* Axes of length 0 count as parallel. */
static int parallel(const double a[3], const double b[3], double sine)
{
    double across[3];
    ksiCross(across, a, b);
    return ksiDot(across, across) <= sine * sine * ksiDot(a, a) * ksiDot(b, b);
}

/* The rounding of the point where bevel wheels mesh, as a multiple of an anchor's: two planes
 * through the point intersect at the angle of the axes. */
static double bevelFactor(dJointID joint)
{
    double a[3], b[3], across[3];
    ksiGetVector(dJointGetTransmissionAxis1, joint, a);
    ksiGetVector(dJointGetTransmissionAxis2, joint, b);
    ksiCross(across, a, b);
    return 4 / ksiDot(across, across);
}

/* Levers of bevel wheels; false: their axes are parallel. The planes of the two wheels meet in a
 * line. The engine finds the points where the wheels mesh on this line, from its point nearest to
 * the origin. */
static bool findBevelLevers(const double axis[2][3], const double centre[2][3], double lever[2][3])
{
    const double cosine = ksiDot(axis[0], axis[1]), sine2 = 1 - cosine * cosine;
    if (parallel(axis[0], axis[1], leastBevelSine) ||
        fabs(fabs(cosine) - 1) <= productUnits * ksiEpsilon(KSI_IS_SINGLE))
        return false;
    double line[3], nearest[3] = {0};
    ksiCross(line, axis[0], axis[1]);
    for (int i = 0; i < 2; i++) {
        const double depth = ksiDot(axis[i], centre[i]), other = ksiDot(axis[!i], centre[!i]);
        ksiAddScaled(nearest, (depth - other * cosine) / sine2, axis[i]);
    }
    for (int i = 0; i < 2; i++) {
        ksiSubtract(lever[i], nearest, centre[i]);
        ksiAddScaled(lever[i], -ksiDot(lever[i], line), line);
    }
    return true;
}

/* Levers of a chain; false: the chain, or a lever, is along an axis. The engine normalises the
 * cross product of axis and lever. The engine's lever of a chain depends on the axes of the
 * world. */
static bool findChainLevers(dJointID joint, const double axis[2][3], double along[3], double lever[2][3])
{
    const double radius[2] = {dJointGetTransmissionRadius1(joint), dJointGetTransmissionRadius2(joint)};
    const double cosine = fmax(-1, fmin(1, (radius[1] - radius[0]) / ksiNormalize(along)));
    const double sine = sqrt(1 - cosine * cosine);
    bool is = true;
    for (int i = 0; i < 2; i++) {
        const double own[3] = {radius[i] * cosine, 0, radius[i] * sine};
        double across[3];
        ksiCross(across, along, axis[i]);
        lever[i][0] = ksiDot(along, own), lever[i][1] = ksiDot(axis[i], own), lever[i][2] = ksiDot(across, own);
        is &= !parallel(along, axis[i], leastSine) && !parallel(lever[i], axis[i], leastSine);
    }
    return is;
}

/* Levers from the centres of the wheels to the points where the wheels mesh, or where the chain
 * leaves them, m; false: the engine aborts. *far: size, m, that gives the rounding of the levers
 * when multiplied by the engine's epsilon. */
static bool findLevers(dJointID joint, double lever[2][3], double *far)
{
    double axis[2][3], centre[2][3], along[3];
    ksiGetVector(dJointGetTransmissionAxis1, joint, axis[0]);
    ksiGetVector(dJointGetTransmissionAxis2, joint, axis[1]);
    ksiGetVector(dJointGetTransmissionAnchor1, joint, centre[0]);
    ksiGetVector(dJointGetTransmissionAnchor2, joint, centre[1]);
    ksiSubtract(along, centre[0], centre[1]);
    *far = ksiLength(centre[0]) + ksiLength(centre[1]);
    if (ksiDot(along, along) == 0)
        return false;
    switch (dJointGetTransmissionMode(joint)) {
    case dTransmissionIntersectingAxes:
        if (!findBevelLevers(axis, centre, lever) || fmin(ksiLength(lever[0]), ksiLength(lever[1])) <= leastSine * *far)
            return false;
        *far *= bevelFactor(joint);
        return true;
    case dTransmissionChainDrive:
        return findChainLevers(joint, axis, along, lever);
    default:
        for (int i = 0; i < 2; i++) {
            const double ratio = dJointGetTransmissionRatio(joint);
            memset(lever[i], 0, sizeof lever[i]);
            ksiAddScaled(lever[i], i ? 1 / (1 + ratio) : -ratio / (1 + ratio), along);
        }
        return fmin(ksiLength(lever[0]), ksiLength(lever[1])) > ksiEpsilon(KSI_IS_SINGLE) * *far;
    }
}

/* Does the angle of a wheel differ from the angle that its phase and spin predict by half a turn,
 * within rounding? The engine adds whole turns to the wheel's angle to come nearest to the
 * predicted angle, and asserts that the difference is then less than half a turn. At half a turn,
 * the assertion fails. */
static bool isHalfTurn(dJointID joint, double h, const double lever[2][3], double far)
{
    double phase[2], arm[2][3], across[2][3], axis[3], room[3];
    bool is = false;
    if (ksiGetPhases(joint, lever, phase, arm, across))
        far = 0;
    for (int i = 0; i < 2; i++) {
        ksiGetVector(i ? dJointGetTransmissionAxis2 : dJointGetTransmissionAxis1, joint, axis);
        const double *spin = ksiDoubles(dBodyGetAngularVel(dJointGetBody(joint, i)), 3, room);
        const double angle = atan2(ksiDot(across[i], lever[i]), ksiDot(arm[i], lever[i]));
        const double leads = phase[i] + ksiDot(axis, spin) * h, apart = fabs(remainder(leads - angle, 2 * M_PI));
        const double epsilon = ksiEpsilon(KSI_IS_SINGLE);
        const double byLever = angleUnits * epsilon * (1 + far / ksiLength(lever[i]));
        const double byPhase = phaseUnits * epsilon * (fabs(phase[i]) + ksiLength(spin) * h);
        // limits the lever's part to a quarter turn, so a wheel that turns as expected is accepted
        is |= !(apart + fmin(byLever, M_PI / 2) + byPhase < M_PI);
    }
    return is;
}

static bool isDegenerateMesh(dJointID joint, double h)
{
    double lever[2][3], far;
    return !findLevers(joint, lever, &far) || isHalfTurn(joint, h, lever, far);
}

int ksiIsDegenerate(int type, dJointID joint, double h)
{
    double a[3], b[3];
    switch (type) {
    case dJointTypeUniversal:
        ksiGetVector(dJointGetUniversalAxis1, joint, a);
        ksiGetVector(dJointGetUniversalAxis2, joint, b);
        return parallel(a, b, leastSine);
    case dJointTypePU:
        ksiGetVector(dJointGetPUAxis1, joint, a);
        ksiGetVector(dJointGetPUAxis2, joint, b);
        return parallel(a, b, leastSine);
    case dJointTypeHinge2:
        ksiGetVector(dJointGetHinge2Axis1, joint, a);
        ksiGetVector(dJointGetHinge2Axis2, joint, b);
        return parallel(a, b, leastSine);
    case dJointTypeAMotor:  // its getter of axes normalises as well
        if (dJointGetAMotorMode(joint) != dAMotorEuler)
            return 0;
        ksiEulerAxes(joint, a, b);
        return parallel(a, b, leastSine);
    case dJointTypeTransmission:
        return isDegenerateMesh(joint, h);
    default:
        return 0;
    }
}

/* Sums squares, so that points of the body and differences of such points are finite as well. */
static bool isFinite(const ksiBodyFields *body)
{
    dReal sum = 0;
    for (int i = 0; i < 12; i++)
        sum += i % 4 < 3 ? body->rotation[i] * body->rotation[i] : 0;
    for (int i = 0; i < 4; i++)
        sum += body->quaternion[i] * body->quaternion[i];
    for (int i = 0; i < 3; i++)
        sum +=
            body->centre[i] * body->centre[i] + body->velocity[i] * body->velocity[i] + body->spin[i] * body->spin[i];
    return isfinite(sum);
}

bool ksiIsReadable(int type, dJointID joint, double h)
{
    const ksiJointFields *fields = ksiFieldsOfJoint(joint);
    for (int side = 0; side < 2; side++)
        if (fields->node[side].body ? !isFinite(ksiFieldsOf(fields->node[side].body)) : side == 0)
            return false;
    return !(ksiKinds[type].degenerates && ksiIsDegenerate(type, joint, h));
}

/* The anchors of a joint that spans the distance between them, on J1 and J2; m. */
static void endsOf(dJointID joint, int type, int isReversed, double end[2][3])
{
    const bool isTransmission = type == dJointTypeTransmission;  // getters: J1, then J2
    const int first = isReversed && !isTransmission;
    ksiGetVector(isTransmission ? dJointGetTransmissionAnchor1 : dJointGetDBallAnchor1, joint, end[first]);
    ksiGetVector(isTransmission ? dJointGetTransmissionAnchor2 : dJointGetDBallAnchor2, joint, end[!first]);
}

/* The engine adds an anchor and a mass centre, and rounds the sum. It then subtracts the other mass
 * centre or the other anchor. */
void ksiTakeRounding(dJointID joint, ksiRows *rows)
{
    static const double mostTurn = 2; /* change of a unit vector into the opposite one */
    const ksiJointFields *fields = ksiFieldsOfJoint(joint);
    const ksiKind *kind = &ksiKinds[rows->type];
    double centre[2][3] = {{0}}, end[2][3], between[3], room[3], far = 0, arm = 0;
    if (!(kind->levered || kind->spanned))
        return;
    for (int side = 0; side < 2; side++)
        if (fields->node[side].body) {
            ksiCopy(centre[side], ksiDoubles(ksiFieldsOf(fields->node[side].body)->centre, 3, room));
            far += ksiLength(centre[side]);
        }
    far *= ksiEpsilon(true);
    rows->leverRounding = kind->levered ? far : 0;
    if (!kind->spanned)
        return;
    if (rows->type == dJointTypeTransmission && dJointGetTransmissionMode(joint) == dTransmissionIntersectingAxes) {
        rows->leverRounding *= bevelFactor(joint);
        return;
    }
    endsOf(joint, rows->type, !!(fields->flags & KSI_JOINT_REVERSED), end);
    ksiSubtract(between, end[0], end[1]);
    const double span = ksiLength(between);
    for (int side = 0; side < 2; side++)
        if (fields->node[side].body) {
            ksiSubtract(room, end[side], centre[side]);
            arm = fmax(arm, ksiLength(room));
        }
    rows->turnRounding = far < mostTurn * span ? far / span : mostTurn;
    // wheels mesh no farther than this from an anchor
    rows->leverRounding += rows->turnRounding * (arm + (kind->levered ? span : 0));
}

static bool isZero(const double a[3])
{
    return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

static ksRowKind contactKind(const ksiRows *rows, int row)
{
    if (row == 0)
        return KS_ROW_NORMAL;
    return isZero(rows->row[row].jacobian[0]) ? KS_ROW_ROLLING : KS_ROW_FRICTION;
}

static ksRowKind transmissionKind(dJointID joint)
{
    return dJointGetTransmissionBacklash(joint) > 0 ? KS_ROW_STOP : KS_ROW_BILATERAL;
}

/* A stop that is both low and high holds in either direction. */
static ksRowKind stopKind(const ksiRows *rows, int row)
{
    return rows->row[row].lo == -dInfinity && rows->row[row].hi == dInfinity ? KS_ROW_BILATERAL : KS_ROW_STOP;
}

static ksRowKind permanentKind(dJointID joint, int type)
{
    switch (type) {
    case dJointTypeContact:
        return KS_ROW_NORMAL;
    case dJointTypeTransmission:
        return transmissionKind(joint);
    default:
        return KS_ROW_BILATERAL;
    }
}

/* The first axis from this one on that has a motor. */
static int nextLMotor(dJointID joint, int axis)
{
    while (axis < 2 && !(dJointGetLMotorParam(joint, dParamFMax + axis * dParamGroup2) > 0))
        axis++;
    return axis;
}

/* The motors of a plane2d act along x and y, and about z. */
static int planeAxis(const ksiRow *row)
{
    return row->jacobian[0][0] != 0 ? 0 : row->jacobian[0][1] != 0 ? 1 : 2;
}

void ksiClassifyRows(dJointID joint, const ksiAxis *axis, int axisCount, ksiRows *rows)
{
    const int count = rows->count;
    const ksRowKind always = permanentKind(joint, rows->type);
    int row = 0;
    rows->permanent = count < ksiKinds[rows->type].permanent ? count : ksiKinds[rows->type].permanent;
    for (int i = 0; i < count; i++)
        rows->axis[i] = -1;
    for (; row < rows->permanent; row++)
        rows->row[row].kind = always;
    for (int i = 0; i < axisCount && row < count; i++)
        if (axis[i].stopped || axis[i].force > 0) {
            rows->row[row].kind = axis[i].stopped ? stopKind(rows, row) : KS_ROW_MOTOR;
            rows->axis[row++] = i;
        }
    for (int next = 0; row < count; row++) {
        if (rows->type == dJointTypeContact) {
            rows->row[row].kind = contactKind(rows, row);
            continue;
        }
        // lmotor and plane2d have motors only
        rows->row[row].kind = KS_ROW_MOTOR;
        rows->axis[row] = rows->type == dJointTypeLMotor ? nextLMotor(joint, next) : planeAxis(&rows->row[row]);
        next = rows->axis[row] + 1;
    }
}
