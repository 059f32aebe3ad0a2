/* selftest.c  Tests one joint of each type in a scratch world: its rows must agree with geometry.
 *
 * The rows of a joint must span exactly the complement of the motions that the joint permits. So
 * each row must give zero for every common motion of both bodies, and for every permitted relative
 * motion. The rank of the rows must equal their number. The sizes of the rows and a few known
 * right-hand sides exclude every other layout. */
#include "layout.h"
#include "rows.h"
#include "vector.h"

#include "../base/fpguard.h"

#include <stdbool.h>

/* Bound on the rounding of rows, which come from unit vectors and levers of order one in a few
 * operations. */
static const double kRounding = KSI_BY_PRECISION(1e-12, 1e-5);

static const double kStep = 1.0 / 64, kErp = 0.375, kCfm = 0x1p-20;

/* The second point lies across x from the first: point + y + z/2. */
static const ksiJointPose kPose = {
    {0.3, -0.2, 0.7}, {1.34, -0.48, 0.4}, {0.36, 0.48, 0.8}, {0.8, -0.6, 0}, {0.48, 0.64, -0.6}};
static const double kCentre[2][3] = {{0.1, 0.5, -0.3}, {1.4, -0.7, 0.25}};

typedef struct Motions {
    int count;
    double turn[6][3], shift[6][3]; /* w, and the velocity of the pose's point */
} Motions;

static void allowTurn(Motions *m, const double axis[3])
{
    ksiCopy(m->turn[m->count++], axis);
}

static void allowShift(Motions *m, const double axis[3])
{
    ksiCopy(m->shift[m->count++], axis);
}

/* The motions of body 1 relative to body 2 that a joint of this type permits. */
static Motions allowedMotions(int type)
{
    const ksiJointPose *p = &kPose;
    Motions m;
    memset(&m, 0, sizeof m);
    switch (type) {
    case dJointTypeBall:
        allowTurn(&m, p->x), allowTurn(&m, p->y), allowTurn(&m, p->z);
        break;
    case dJointTypeHinge:
        allowTurn(&m, p->x);
        break;
    case dJointTypeSlider:
        allowShift(&m, p->x);
        break;
    case dJointTypeUniversal:
    case dJointTypeHinge2:
        allowTurn(&m, p->x), allowTurn(&m, p->y);
        break;
    case dJointTypePR:
        allowShift(&m, p->x), allowTurn(&m, p->y);
        break;
    case dJointTypePU:
        allowTurn(&m, p->x), allowTurn(&m, p->y), allowShift(&m, p->z);
        break;
    case dJointTypePiston:
        allowShift(&m, p->x), allowTurn(&m, p->x);
        break;
    case dJointTypeDBall: {
        double rod[3], across[3];
        ksiSubtract(rod, p->second, p->point);
        allowTurn(&m, p->x), allowTurn(&m, p->y), allowTurn(&m, p->z);
        ksiCross(across, rod, p->x), allowShift(&m, across);
        ksiCross(across, rod, p->y), allowShift(&m, across);
        break;
    }
    case dJointTypeDHinge: {
        double rod[3], across[3];
        ksiSubtract(rod, p->second, p->point);
        allowTurn(&m, p->x);
        ksiCross(across, rod, p->x), allowShift(&m, across);
        break;
    }
    default:
        break;
    }
    return m;
}

/* J of one body times the motion with spin `turn` and velocity `shift` at the point P. */
static double apply(const double row[6], const double centre[3], const double turn[3], const double shift[3],
                    const double P[3])
{
    double arm[3], v[3];
    ksiSubtract(arm, centre, P);
    ksiCross(v, turn, arm);
    ksiAddScaled(v, 1, shift);
    return ksiDot(row, v) + ksiDot(row + 3, turn);
}

/* Does the row give zero for each common motion of both bodies? */
static int feelsNoCommonMotion(const ksiRows *rows, int row)
{
    static const double none[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        double e[3] = {0, 0, 0};
        e[i] = 1;
        double shifted = 0, turned = 0;
        for (int body = 0; body < 2; body++) {
            shifted += apply(rows->row[row].jacobian[body], kCentre[body], none, e, kPose.point);
            turned += apply(rows->row[row].jacobian[body], kCentre[body], e, none, kPose.point);
        }
        if (!(fabs(shifted) < kRounding) || !(fabs(turned) < kRounding))
            return 0;
    }
    return 1;
}

static int rankOfFirstBody(const ksiRows *rows, int count)
{
    double basis[KSI_MAX_ROWS][6];
    int rank = 0;
    for (int i = 0; i < count; i++) {
        double v[6], size = 0;
        memcpy(v, rows->row[i].jacobian[0], sizeof v);
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < rank; j++) {
                double along = 0;
                for (int k = 0; k < 6; k++)
                    along += v[k] * basis[j][k];
                for (int k = 0; k < 6; k++)
                    v[k] -= along * basis[j][k];
            }
        for (int k = 0; k < 6; k++)
            size += v[k] * v[k];
        if (size < 1e-6)
            continue;
        for (int k = 0; k < 6; k++)
            basis[rank][k] = v[k] / sqrt(size);
        rank++;
    }
    return rank;
}

/* Is the row a unit vector at a lever, or an angular unit vector? */
static bool hasUnitSize(const double row[6])
{
    const double force2 = ksiDot(row, row), torque2 = ksiDot(row + 3, row + 3);
    return fabs(force2 - 1) < kRounding || (force2 == 0 && fabs(torque2 - 1) < kRounding);
}

static int same(const double a[3], const double b[3], double sign)
{
    for (int i = 0; i < 3; i++)
        if (!(fabs(a[i] - sign * b[i]) < kRounding))
            return 0;
    return 1;
}

/* Checks the rows of a joint whose bodies are exactly in place. */
static int constraintAgrees(int type, const ksiRows *rows)
{
    const Motions allowed = allowedMotions(type);
    if (rows->count != 6 - allowed.count || rankOfFirstBody(rows, rows->count) != rows->count)
        return 0;
    for (int i = 0; i < rows->count; i++) {
        if (!hasUnitSize(rows->row[i].jacobian[0]) || !feelsNoCommonMotion(rows, i))
            return 0;
        if (!(fabs(rows->row[i].c) < kRounding / kStep) || rows->row[i].cfm != kCfm || rows->row[i].lo != -dInfinity ||
            rows->row[i].hi != dInfinity || rows->row[i].findex != -1)
            return 0;
        for (int j = 0; j < allowed.count; j++)
            if (!(fabs(apply(rows->row[i].jacobian[0], kCentre[0], allowed.turn[j], allowed.shift[j], kPose.point)) <
                  kRounding))
                return 0;
    }
    return 1;
}

/* Checks the rows of normal and friction at the contact point, their bounds, and the index from a
 * friction row to the normal row. */
static int contactAgrees(const ksiRows *rows)
{
    const double *direction[3] = {kPose.x, kPose.y, kPose.z};
    if (rows->count != 3)
        return 0;
    for (int i = 0; i < 3; i++) {
        double r[3], torque[3];
        ksiSubtract(r, kPose.point, kCentre[0]);
        ksiCross(torque, r, direction[i]);
        if (!same(rows->row[i].jacobian[0], direction[i], 1) || !same(rows->row[i].jacobian[0] + 3, torque, 1) ||
            !feelsNoCommonMotion(rows, i))
            return 0;
        if (i == 0 ? rows->row[i].lo != 0 || rows->row[i].hi != dInfinity || rows->row[i].findex != -1
                   : rows->row[i].lo != -0.5 || rows->row[i].hi != 0.5 || rows->row[i].findex != 0)
            return 0;
    }
    return 1;
}

/* Checks the rows along z, about x and about y, in world axes. */
static int planeAgrees(const ksiRows *rows)
{
    static const int column[3] = {2, 3, 4};
    if (rows->count != 3)
        return 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 6; j++)
            if (rows->row[i].jacobian[0][j] != (j == column[i]) || rows->row[i].jacobian[1][j] != 0)
                return 0;
    return fabs(rows->row[0].c + kErp / kStep * kCentre[0][2]) < kRounding / kStep;
}

/* Checks that there is one row, perpendicular to the line between the wheels and to their axis. */
static int transmissionAgrees(const ksiRows *rows)
{
    double base[3];
    ksiSubtract(base, kPose.second, kPose.point);
    const double *force = rows->row[0].jacobian[0];
    return rows->count == 1 && fabs(ksiDot(force, base)) < kRounding && fabs(ksiDot(force, kPose.x)) < kRounding &&
           same(force, rows->row[0].jacobian[1], -1) && ksiDot(force, force) > 0.5 && feelsNoCommonMotion(rows, 0);
}

static int rowsAgree(int type, const ksiRows *rows)
{
    switch (type) {
    case dJointTypeNull:
    case dJointTypeAMotor:
    case dJointTypeLMotor:
        return rows->count == 0;  // no motor runs
    case dJointTypeContact:
        return contactAgrees(rows);
    case dJointTypePlane2D:
        return planeAgrees(rows);
    case dJointTypeTransmission:
        return transmissionAgrees(rows);
    default:
        return constraintAgrees(type, rows);
    }
}

static int jointAgrees(const ksiEngine *engine, dJointID joint, int type)
{
    ksiRows rows;
    return ksiReadRows(engine, joint, KS_WORLD_STEP, kStep, &rows) == KS_OK && !rows.staleLimit &&
           rowsAgree(type, &rows);
}

/* Checks right-hand sides and bounds: the velocity, compliance and bounds of a motor, and the use
 * of fps and erp at a gap. */
static int scalarsAgree(const ksiEngine *engine, dBodyID first, dBodyID second)
{
    ksiRows rows;
    dJointID motor = ksiCreateJoint(engine->world, dJointTypeHinge, first, second, &kPose);
    dJointID ball = ksiCreateJoint(engine->world, dJointTypeBall, first, second, &kPose);
    if (!motor || !ball)
        return 0;
    dJointSetHingeParam(motor, dParamVel, 0.625);
    dJointSetHingeParam(motor, dParamFMax, 3);
    dJointSetHingeParam(motor, dParamCFM, 0x1p-9);
    if (ksiReadRows(engine, motor, KS_WORLD_STEP, kStep, &rows) != KS_OK || rows.count != 6 || rows.row[5].c != 0.625 ||
        rows.row[5].cfm != 0x1p-9 || rows.row[5].lo != -3 || rows.row[5].hi != 3 ||
        !same(rows.row[5].jacobian[0] + 3, kPose.x, 1) || dJointGetHingeParam(motor, dParamFMax) != 3)
        return 0;

    static const double gap[3] = {0.25, -0.125, 0.5};
    dBodySetPosition(first, kCentre[0][0] + gap[0], kCentre[0][1] + gap[1], kCentre[0][2] + gap[2]);
    if (ksiReadRows(engine, ball, KS_QUICK_STEP, kStep, &rows) != KS_OK)
        return 0;
    for (int i = 0; i < 3; i++)
        if (!(fabs(rows.row[i].c + kErp / kStep * gap[i]) < kRounding / kStep))
            return 0;
    return 1;
}

/* Does a joint to the world keep the host's axis unchanged, even an axis of length 2? */
static int worldAxesAgree(dWorldID world, dBodyID body)
{
    static const struct {
        int type;
        const double *axis;
    } kept[] = {{dJointTypeHinge, kPose.x},
                {dJointTypeUniversal, kPose.y},
                {dJointTypePU, kPose.y},
                {dJointTypePR, kPose.y},
                {dJointTypePiston, kPose.x}};
    ksiJointPose pose = kPose;
    for (int k = 0; k < 3; k++) {
        pose.x[k] *= 2;
        pose.y[k] *= 2;
    }
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        dJointID joint = ksiCreateJoint(world, kept[i].type, body, NULL, &pose);
        const dReal *axis = joint ? ksiAxisInWorld(kept[i].type, joint) : NULL;
        for (int k = 0; k < 3; k++)
            if (!axis || axis[k] != (dReal)(2 * kept[i].axis[k]))
                return 0;
    }
    return 1;
}

/* Tests every type; sets vtable[type] if its joint passes. */
static ksStatus tryAll(dWorldID world, const void *vtable[KSI_JOINT_TYPES])
{
    dBodyID body[2];
    for (int i = 0; i < 2; i++) {
        body[i] = dBodyCreate(world);
        if (!body[i])
            return KS_ERROR_NO_MEMORY;
        dBodySetPosition(body[i], kCentre[i][0], kCentre[i][1], kCentre[i][2]);
        // no axis of one body is parallel to an axis of the other body
        const dQuaternion q = {0.5, i ? 0.7 : -0.3, 0.4, 0.6};
        dBodySetQuaternion(body[i], q);
    }
    ksiEngine engine;
    memset(&engine, 0, sizeof engine);
    engine.world = world;
    for (int type = 1; type < KSI_JOINT_TYPES; type++) {
        dJointID joint = ksiCreateJoint(world, type, body[0], body[1], &kPose);
        if (!joint)
            return KS_ERROR_NO_MEMORY;
        const ksiSymbols expected = ksiEngineSymbols(type);
        if (!ksiSlotsAgree(joint, &expected))
            return ksiRefuse("the virtual table of ", ksiClassName(type));
        engine.vtable[type] = ksiVirtualTable(joint);
        if (!jointAgrees(&engine, joint, type))
            return ksiRefuse("the rows of ", ksiClassName(type));
    }
    if (!scalarsAgree(&engine, body[0], body[1]))
        return ksiRefuse("the right-hand sides and bounds of rows", "");
    if (!worldAxesAgree(world, body[0]))
        return ksiRefuse("the axes of joints to the world", "");
    memcpy(vtable, engine.vtable, sizeof engine.vtable);
    return KS_OK;
}

static ksStatus checkEngine(const void *vtable[KSI_JOINT_TYPES])
{
    if (!dCheckConfiguration(KSI_BY_PRECISION("ODE_double_precision", "ODE_single_precision")))
        return ksiRefuse("its precision", "");
    dWorldID world = ksiMakeOwnWorld();
    if (!world)
        return KS_ERROR_NO_MEMORY;
    dWorldSetERP(world, kErp);
    dWorldSetCFM(world, kCfm);
    const ksStatus status = tryAll(world, vtable);
    dWorldDestroy(world);
    return status;
}

ksStatus ksiEngineOpen(dWorldID world, ksiEngine *engine)
{
    ksiEngine found;
    memset(&found, 0, sizeof found);
    ksStatus status;
    KSI_GUARD_FP({
        status = checkEngine(found.vtable);
        if (status == KS_OK)
            status = ksiFindObjects(world, &found);
    });
    if (status == KS_OK)
        *engine = found;
    return status;
}
