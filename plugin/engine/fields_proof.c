/* fields_proof.c  Verifies the offsets of fields.c in the engine's classes.
 *
 * Public functions make a joint of each class in a known pose and set its parameters to different
 * numbers, which must appear in its memory. A field without a setter must have the number that
 * follows from the joint's pose and definition. The fields must cover the bytes of the class
 * without a gap. */
#include "fields_proof.h"
#include "fields.h"
#include "layout.h"
#include "rows.h"
#include "vector.h"

#include "../base/fpguard.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Rounding of numbers of order one, after a few operations. */
static const double kRounding = KSI_BY_PRECISION(1e-12, 1e-5);

static const ksiJointPose kPose = {
    {0.3, -0.2, 0.7}, {1.34, -0.48, 0.4}, {0.36, 0.48, 0.8}, {0.8, -0.6, 0}, {0.48, 0.64, -0.6}};
static const double kCentre[2][3] = {{0.1, 0.5, -0.3}, {1.4, -0.7, 0.25}};
static const double kAngle[3] = {-0.375, -0.5, -0.625}; /* angles of an angular motor, all below its
                                                           stops */
static const double kBacklash = 0.0625, kRatio = 0.75;

/* The joint under test. */
typedef struct Case {
    int type;
    dJointID joint;
    dBodyID body[2];
    const ksiFields *fields;
    dContact contact; /* definition of a contact joint */
} Case;

/* --- Expected numbers --- */

static double parameterOf(size_t index)
{
    return (double)(index + 1) / 1024;
}

/* Transforms a direction, or a point (isPoint), from the world into the axes of a body. */
static void intoBody(const Case *c, int body, bool isPoint, double v[3])
{
    if (body > 1)
        return;
    double room[12];
    if (isPoint)
        ksiSubtract(v, v, ksiDoubles(dBodyGetPosition(c->body[body]), 3, room));
    const double *R = ksiDoubles(dBodyGetRotation(c->body[body]), 12, room);
    const double world[3] = {v[0], v[1], v[2]};
    for (int i = 0; i < 3; i++)
        v[i] = R[i] * world[0] + R[4 + i] * world[1] + R[8 + i] * world[2];
}

/* The unit vector from a wheel's anchor to the point where the wheels mesh. */
static void armOf(const Case *c, int wheel, double out[3])
{
    double mesh[3], anchor[3];
    ksiGetVector(wheel ? dJointGetTransmissionContactPoint2 : dJointGetTransmissionContactPoint1, c->joint, mesh);
    ksiGetVector(wheel ? dJointGetTransmissionAnchor2 : dJointGetTransmissionAnchor1, c->joint, anchor);
    ksiSubtract(out, mesh, anchor);
    ksiNormalize(out);
}

static void vectorOf(const Case *c, int which, double out[3])
{
    const double *of[] = {kPose.point, kPose.second, kCentre[0], kPose.x, kPose.y, kPose.z};
    switch (which) {
    case KSI_MINUS_Z:
        for (int i = 0; i < 3; i++)
            out[i] = -kPose.z[i];
        break;
    case KSI_BETWEEN:
        ksiSubtract(out, kCentre[0], kCentre[1]);
        break;
    case KSI_ARM1:
    case KSI_ARM2:
        armOf(c, which - KSI_ARM1, out);
        break;
    case KSI_ACROSS1:
    case KSI_ACROSS2:
        armOf(c, which - KSI_ACROSS1, out);
        ksiCross(out, kPose.x, out);
        break;
    default:
        ksiCopy(out, of[which]);
    }
}

static void crossOf(const Case *c, int body, double out[4])
{
    const double *a = body ? kPose.y : kPose.x, *b = body ? kPose.x : kPose.y;
    dMatrix3 R;
    dQuaternion cross, relative;
    dRFrom2Axes(R, a[0], a[1], a[2], b[0], b[1], b[2]);
    dRtoQ(R, cross);
    dQMultiply1(relative, dBodyGetQuaternion(c->body[body]), cross);
    ksiTakeNumbers(out, relative, 4);
}

static double numberOf(const Case *c, int which)
{
    switch (which) {
    case KSI_MODE:
        return c->type == dJointTypeAMotor ? dJointGetAMotorMode(c->joint) : dJointGetTransmissionMode(c->joint);
    case KSI_DISTANCE:
        return c->type == dJointTypeDBall ? dJointGetDBallDistance(c->joint) : dJointGetDHingeDistance(c->joint);
    case KSI_BACKLASH:
        return kBacklash;
    case KSI_RATIO:
        return dJointGetTransmissionRatio(c->joint);
    case KSI_ANGLE1:
    case KSI_ANGLE2:
    case KSI_ANGLE3:
        return kAngle[which - KSI_ANGLE1];
    case KSI_PHASE1:
        return dJointGetTransmissionAngle1(c->joint);
    case KSI_PHASE2:
        return dJointGetTransmissionAngle2(c->joint);
    case KSI_RADIUS1:
        return dJointGetTransmissionRadius1(c->joint);
    case KSI_RADIUS2:
        return dJointGetTransmissionRadius2(c->joint);
    default:
        return which;
    }
}

/* The error of the low stop. The axis is at this stop, since its position is below it. */
static double stopError(const Case *c, size_t index, int axis)
{
    const double place = c->type == dJointTypeAMotor ? kAngle[axis] : 0;
    size_t low = index;
    while (c->fields->field[low].argument != dParamLoStop + axis * dParamGroup2 ||
           c->fields->field[low].proof != KSI_IS_PARAMETER)
        low--;
    return place - parameterOf(low);
}

static void expect(const Case *c, size_t index, double out[4])
{
    const ksiField *field = &c->fields->field[index];
    const int argument = field->argument;
    const void *given = (const char *)(const void *)&c->contact + argument;
    dQuaternion relative;
    switch (field->proof) {
    case KSI_IS_POINT:
    case KSI_IS_DIRECTION:
        vectorOf(c, argument / 3, out);
        intoBody(c, argument % 3, field->proof == KSI_IS_POINT, out);
        break;
    case KSI_IS_PARAMETER:
        out[0] = parameterOf(index);
        break;
    case KSI_IS_STOP:
        out[0] = argument / 16;
        break;
    case KSI_IS_STOP_ERROR:
        out[0] = argument / 16 ? stopError(c, index, argument % 16) : 0;
        break;
    case KSI_IS_RELATIVE:
        dQMultiply1(relative, dBodyGetQuaternion(c->body[0]), dBodyGetQuaternion(c->body[1]));
        ksiTakeNumbers(out, relative, 4);
        break;
    case KSI_IS_CROSS:
        crossOf(c, argument, out);
        break;
    case KSI_IS_GIVEN:
        if (field->kind == KSI_INTEGER)
            out[0] = *(const int *)given;
        else
            ksiTakeNumbers(out, given, field->count);
        break;
    default:
        out[0] = numberOf(c, argument);
    }
}

static bool isAsExpected(const Case *c, size_t index)
{
    const ksiField *field = &c->fields->field[index];
    const char *at = (const char *)(void *)c->joint + field->offset;
    double expected[4], found[4];
    expect(c, index, expected);
    if (field->kind == KSI_INTEGER || field->kind == KSI_CHOICE) {
        int number;
        memcpy(&number, at, sizeof number);
        return number == (int)expected[0];
    }
    ksiTakeNumbers(found, (const dReal *)(const void *)at, field->count);
    for (unsigned i = 0; i < field->count; i++)
        if (!(fabs(found[i] - expected[i]) < kRounding))
            return false;
    return true;
}

/* Do the fields, in any order, cover the bytes of the class? Gaps are allowed only for
 * alignment. */
static bool isFilled(const ksiFields *fields, size_t size)
{
    unsigned char taken[KSI_JOINT_BYTES] = {0};
    for (size_t i = 0; i < fields->count; i++) {
        const ksiField *field = &fields->field[i];
        if (field->offset < sizeof(ksiJointFields) || field->offset + field->room > size)
            return false;
        for (size_t k = 0; k < field->room; k++)
            if (taken[field->offset + k]++)
                return false;
    }
    for (size_t at = sizeof(ksiJointFields); at < size; at++)
        if (!taken[at] && !(taken[at / 8 * 8] && at % 8 >= 4))
            return false;
    return true;
}

/* --- A joint of each class --- */

static void setParameter(const Case *c, int parameter, double value)
{
    static void (*const plane[3])(dJointID, int, dReal) = {dJointSetPlane2DXParam, dJointSetPlane2DYParam,
                                                           dJointSetPlane2DAngleParam};
    const dJointID joint = c->joint;
    switch (c->type) {
    case dJointTypeBall:
        dJointSetBallParam(joint, parameter, value);
        break;
    case dJointTypeFixed:
        dJointSetFixedParam(joint, parameter, value);
        break;
    case dJointTypeDBall:
        dJointSetDBallParam(joint, parameter, value);
        break;
    case dJointTypeDHinge:
        dJointSetDHingeParam(joint, parameter, value);
        break;
    case dJointTypeTransmission:
        dJointSetTransmissionParam(joint, parameter, value);
        break;
    case dJointTypeLMotor:
        dJointSetLMotorParam(joint, parameter, value);
        break;
    case dJointTypePlane2D:
        plane[parameter / dParamGroup2](joint, parameter % dParamGroup2, value);
        break;
    default:
        ksiSetAxis(joint, 0, parameter, value);
    }
}

static void makeAMotor(const Case *c)
{
    const double *x = kPose.x, *y = kPose.y, *z = kPose.z;
    dJointSetAMotorNumAxes(c->joint, 3);
    dJointSetAMotorAxis(c->joint, 0, 1, x[0], x[1], x[2]);
    dJointSetAMotorAxis(c->joint, 1, 0, y[0], y[1], y[2]);
    dJointSetAMotorAxis(c->joint, 2, 2, z[0], z[1], z[2]);
    dJointSetAMotorMode(c->joint, dAMotorEuler);  // sets the reference directions
    dJointSetAMotorMode(c->joint, dAMotorUser);
    for (int i = 0; i < 3; i++)
        dJointSetAMotorAngle(c->joint, i, kAngle[i]);
}

static void makeLMotor(const Case *c)
{
    const double *x = kPose.x, *y = kPose.y, *z = kPose.z;
    dJointSetLMotorNumAxes(c->joint, 3);
    dJointSetLMotorAxis(c->joint, 0, 1, x[0], x[1], x[2]);
    dJointSetLMotorAxis(c->joint, 1, 0, y[0], y[1], y[2]);
    dJointSetLMotorAxis(c->joint, 2, 2, z[0], z[1], z[2]);
}

/* Gives all members of the surface different numbers, and a mode that uses all members. */
static void makeContact(Case *c, dWorldID world)
{
    dSurfaceParameters *surface = &c->contact.surface;
    surface->mode = dContactMu2 | dContactFDir1 | dContactBounce | dContactSoftERP | dContactSoftCFM | dContactMotion1 |
                    dContactMotion2 | dContactMotionN | dContactSlip1 | dContactSlip2 | dContactRolling;
    dReal *number = &surface->mu;
    const size_t count = (sizeof *surface - offsetof(dSurfaceParameters, mu)) / sizeof *number;
    for (size_t i = 0; i < count; i++)
        number[i] = (dReal)parameterOf(i);
    ksiPutNumbers(kPose.point, c->contact.geom.pos, 3);
    ksiPutNumbers(kPose.x, c->contact.geom.normal, 3);
    ksiPutNumbers(kPose.y, c->contact.fdir1, 3);
    c->contact.geom.depth = 0.25;
    c->joint = dJointCreateContact(world, NULL, &c->contact);
}

static bool makeJoint(Case *c, dWorldID world)
{
    if (c->type == dJointTypeContact) {
        makeContact(c, world);
        if (c->joint)
            dJointAttach(c->joint, c->body[0], c->body[1]);
    } else {
        c->joint = ksiCreateJoint(world, c->type, c->body[0], c->body[1], &kPose);
    }
    if (!c->joint)
        return false;
    if (c->type == dJointTypeAMotor)
        makeAMotor(c);
    if (c->type == dJointTypeLMotor)
        makeLMotor(c);
    if (c->type == dJointTypeTransmission) {
        dJointSetTransmissionRatio(c->joint, kRatio);
        dJointSetTransmissionBacklash(c->joint, kBacklash);
    }
    for (size_t i = 0; i < c->fields->count; i++)
        if (c->fields->field[i].proof == KSI_IS_PARAMETER)
            setParameter(c, c->fields->field[i].argument, parameterOf(i));
    return true;
}

/* When the engine counts a joint's rows, it finds the reached stops. When it writes the row of a
 * transmission, it finds the point where the wheels mesh. */
static void readRows(dJointID joint)
{
    ksiRows rows;
    int findex[KSI_ROW_ROOM];
    const int count = ksiRowCount(joint);
    if (dJointGetType(joint) == dJointTypeTransmission && count <= KSI_MAX_ROWS)
        (void)ksiCallGetInfo2(joint, 64, 0.25, 0, count, &rows, findex);
}

static bool agrees(const ksiEngine *engine, const Case *c)
{
    if (ksiVirtualTable(c->joint) != engine->vtable[c->type] || !isFilled(c->fields, ksiSlotSize(c->joint)))
        return false;
    readRows(c->joint);
    for (size_t i = 0; i < c->fields->count; i++)
        if (c->fields->field[i].kind != KSI_UNUSED && !isAsExpected(c, i))
            return false;
    return true;
}

static ksStatus proveAll(const ksiEngine *engine, dWorldID world, ksiClasses *out)
{
    Case c = {.type = 0};
    for (int i = 0; i < 2; i++) {
        c.body[i] = dBodyCreate(world);
        if (!c.body[i])
            return KS_ERROR_NO_MEMORY;
        dBodySetPosition(c.body[i], kCentre[i][0], kCentre[i][1], kCentre[i][2]);
        // no axis of one body is parallel to an axis of the other body
        const dQuaternion q = {0.5, i ? 0.7 : -0.3, 0.4, 0.6};
        dBodySetQuaternion(c.body[i], q);
    }
    for (c.type = 1; c.type < KSI_JOINT_TYPES; c.type++) {
        c.fields = ksiFieldsOfType(c.type);
        if (!c.fields || !engine->vtable[c.type])
            continue;
        if (!makeJoint(&c, world))
            return KS_ERROR_NO_MEMORY;
        out->isKnown[c.type] = agrees(engine, &c);
        out->words[c.type] = ksiFieldWords(c.fields);
    }
    return KS_OK;
}

/* --- Once per engine in a process: the proof depends on its classes alone --- */

static struct {
    atomic_int state; /* 0: empty; 1: a thread is writing it; 2: final */
    const void *vtable[KSI_JOINT_TYPES];
    ksiClasses classes;
} proven;

static bool isProven(const ksiEngine *engine, ksiClasses *out)
{
    if (atomic_load_explicit(&proven.state, memory_order_acquire) != 2 ||
        memcmp(proven.vtable, engine->vtable, sizeof proven.vtable) != 0)
        return 0;
    *out = proven.classes;
    return 1;
}

static void keepProof(const ksiEngine *engine, const ksiClasses *classes)
{
    int nothing = 0;
    if (!atomic_compare_exchange_strong(&proven.state, &nothing, 1))
        return;
    memcpy(proven.vtable, engine->vtable, sizeof proven.vtable);
    proven.classes = *classes;
    atomic_store_explicit(&proven.state, 2, memory_order_release);
}

ksStatus ksiProveFields(const ksiEngine *engine, ksiClasses *out)
{
    if (isProven(engine, out))
        return KS_OK;
    *out = (ksiClasses){.words = {0}};
    ksStatus status = KS_ERROR_NO_MEMORY;
    KSI_GUARD_FP({
        const dWorldID world = ksiMakeOwnWorld();
        if (world) {
            status = proveAll(engine, world, out);
            dWorldDestroy(world);
        }
    });
    if (!status)
        keepProof(engine, out);
    return status;
}
