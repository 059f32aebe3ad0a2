/* fields.c  The fields of the engine's joint classes, as in ODE 0.16.2 (joints/ *.h).
 *
 * Members of a class come after ksiJointFields. Points and directions are in the axes of the body
 * that carries them, or of the world. */
#include "fields.h"

#include "fields_proof.h"
#include "layout.h"

#include <math.h>
#include <string.h>

/* --- The classes --- */

/* Members after the known ones: multipliers of a warm start, which this engine does not use. */
typedef struct Joint {
    ksiJointFields known;
    dReal multipliers[6];
} Joint;

typedef struct LimitMotor {
    dReal velocity, maximum, low, high, fudge, cfm, stopErp, stopCfm, bounce;
    int stop; /* 1: at the low stop; 2: at the high stop */
    dReal stopError;
} LimitMotor;

typedef struct Ball {
    Joint joint;
    dVector3 anchor1, anchor2;
    dReal erp, cfm;
} Ball;

typedef struct Hinge {
    Joint joint;
    dVector3 anchor1, anchor2, axis1, axis2;
    dQuaternion relative;
    LimitMotor motor;
} Hinge;

typedef struct Slider {
    Joint joint;
    dVector3 axis1;
    dQuaternion relative;
    dVector3 offset;
    LimitMotor motor;
} Slider;

typedef struct Contact {
    Joint joint;
    int rows; /* result of getInfo1, read by getInfo2 */
    dContact contact;
} Contact;

typedef struct Universal {
    Joint joint;
    dVector3 anchor1, anchor2, axis1, axis2;
    dQuaternion relative1, relative2;
    LimitMotor motor1, motor2;
} Universal;

typedef struct Hinge2 {
    Joint joint;
    dVector3 anchor1, anchor2, axis1, axis2;
    dReal cosine, sine;
    dVector3 reference1, across1, reference2, across2;
    LimitMotor motor1, motor2;
    dReal suspensionErp, suspensionCfm;
} Hinge2;

typedef struct Fixed {
    Joint joint;
    dQuaternion relative;
    dVector3 offset;
    dReal erp, cfm;
} Fixed;

typedef struct AMotor {
    Joint joint;
    int mode, count, relativeTo[3];
    dVector3 axis[3], reference[2];
    dReal angle[3];
    LimitMotor motor[4]; /* one more than the engine uses */
} AMotor;

typedef struct LMotor {
    Joint joint;
    int count, relativeTo[3];
    dVector3 axis[3];
    LimitMotor motor[3];
} LMotor;

typedef struct Plane2D {
    Joint joint;
    int row[3]; /* results of getInfo1, read by getInfo2 */
    LimitMotor motor[3];
} Plane2D;

typedef struct PR {
    Joint joint;
    dVector3 anchor2, axisR1, axisR2, axisP1;
    dQuaternion relative;
    dVector3 offset;
    LimitMotor motorR, motorP;
} PR;

typedef struct PU {
    Universal universal;
    dVector3 axisP1;
    LimitMotor motorP;
} PU;

typedef struct Piston {
    Joint joint;
    dVector3 axis1, axis2;
    dQuaternion relative;
    dVector3 anchor1, anchor2;
    LimitMotor motorP, motorR;
} Piston;

typedef struct DBall {
    Joint joint;
    dVector3 anchor1, anchor2;
    dReal erp, cfm, distance;
} DBall;

/* C++ puts the class's axes directly after its base's distance; a struct in C would have a gap
 * there in single precision. */
typedef struct DHinge {
    Joint joint;
    dVector3 anchor1, anchor2;
    dReal erp, cfm, distance;
    dVector3 axis1, axis2;
} DHinge;

typedef struct Transmission {
    Joint joint;
    int mode, isStale;
    dVector3 contact[2], axis[2], anchor[2];
    dVector3 reference[2][3];
    dReal phase[2], radius[2], backlash, ratio, erp, cfm;
} Transmission;

const dReal *ksiAxisInWorld(int type, dJointID joint)
{
    const void *object = joint;
    switch (type) {
    case dJointTypeHinge:
        return ((const Hinge *)object)->axis2;
    case dJointTypeUniversal:
    case dJointTypePU:
        return ((const Universal *)object)->axis2;
    case dJointTypePR:
        return ((const PR *)object)->axisR2;
    case dJointTypePiston:
        return ((const Piston *)object)->axis2;
    default:
        return NULL;
    }
}

/* --- The tables --- */

#define AT(class, member) offsetof(class, member), sizeof(((class *)0)->member)
#define NUMBERS(kind, class, member, name, unit, count, proof, argument)                                               \
    {                                                                                                                  \
        name, unit, kind, count, AT(class, member), 0, 0, 0, 0, proof, argument                                        \
    }
#define POINT(class, member, name, which, body)                                                                        \
    NUMBERS(KSI_REAL, class, member, name, "m", 3, KSI_IS_POINT, KSI_PROOF(which, body))
#define DIRECTION(class, member, name, which, body)                                                                    \
    NUMBERS(KSI_REAL, class, member, name, "1", 3, KSI_IS_DIRECTION, KSI_PROOF(which, body))
#define ROTATION(class, member, name, proof, argument) NUMBERS(KSI_REAL, class, member, name, "1", 4, proof, argument)
#define PARAMETER(kind, class, member, name, unit, parameter)                                                          \
    NUMBERS(kind, class, member, name, unit, 1, KSI_IS_PARAMETER, parameter)
#define PARTICULAR(kind, class, member, name, unit, which)                                                             \
    NUMBERS(kind, class, member, name, unit, 1, KSI_IS_NUMBER, which)
#define INTEGER(kind, class, member, name, low, high, which)                                                           \
    {                                                                                                                  \
        name, "1", kind, 1, AT(class, member), low, high, 0, 0, KSI_IS_NUMBER, which                                   \
    }
#define UNUSED(class, member)                                                                                          \
    {                                                                                                                  \
        "", "", KSI_UNUSED, 0, AT(class, member), 0, 0, 0, 0, KSI_NO_PROOF, 0                                          \
    }

/* axis: from 0, as parameters are counted; speed, force and size: units of the axis; stopped: 1 if
 * the axis may reach a stop */
#define MOTOR(class, member, name, axis, speed, force, size, stopped)                                                  \
    PARAMETER(KSI_BOUND, class, member.velocity, name "_velocity", speed, dParamVel + (axis)*dParamGroup2),            \
        PARAMETER(KSI_BOUND, class, member.maximum, name "_maximum", force, dParamFMax + (axis)*dParamGroup2),         \
        PARAMETER(KSI_BOUND, class, member.low, name "_low_stop", size, dParamLoStop + (axis)*dParamGroup2),           \
        PARAMETER(KSI_BOUND, class, member.high, name "_high_stop", size, dParamHiStop + (axis)*dParamGroup2),         \
        PARAMETER(KSI_BOUND, class, member.fudge, name "_fudge_factor", "1", dParamFudgeFactor + (axis)*dParamGroup2), \
        PARAMETER(KSI_BOUND, class, member.cfm, name "_cfm", "CFM", dParamCFM + (axis)*dParamGroup2),                  \
        PARAMETER(KSI_BOUND, class, member.stopErp, name "_stop_erp", "1", dParamStopERP + (axis)*dParamGroup2),       \
        PARAMETER(KSI_BOUND, class, member.stopCfm, name "_stop_cfm", "CFM", dParamStopCFM + (axis)*dParamGroup2),     \
        PARAMETER(KSI_BOUND, class, member.bounce, name "_bounce", "1", dParamBounce + (axis)*dParamGroup2),           \
        {name "_at_stop", "1", KSI_INTEGER, 1,           AT(class, member.stop), 0,                                    \
         2 * (stopped),   0,   0,           KSI_IS_STOP, (axis) + 16 * (stopped)},                                     \
    {                                                                                                                  \
        name "_stop_error", size, KSI_BOUND, 1, AT(class, member.stopError), 0, 0, 0, 0, KSI_IS_STOP_ERROR,            \
            (axis) + 16 * (stopped)                                                                                    \
    }
#define TURNING(class, member, name, axis, stopped) MOTOR(class, member, name, axis, "rad/s", "N.m", "rad", stopped)
#define SLIDING(class, member, name, axis, stopped) MOTOR(class, member, name, axis, "m/s", "N", "m", stopped)

static const ksiField ball[] = {
    UNUSED(Ball, joint.multipliers),
    POINT(Ball, anchor1, "anchor1", KSI_POINT, 0),
    POINT(Ball, anchor2, "anchor2", KSI_POINT, 1),
    PARAMETER(KSI_REAL, Ball, erp, "erp", "1", dParamERP),
    PARAMETER(KSI_REAL, Ball, cfm, "cfm", "CFM", dParamCFM),
};

static const ksiField hinge[] = {
    UNUSED(Hinge, joint.multipliers),
    POINT(Hinge, anchor1, "anchor1", KSI_POINT, 0),
    POINT(Hinge, anchor2, "anchor2", KSI_POINT, 1),
    DIRECTION(Hinge, axis1, "axis1", KSI_X, 0),
    DIRECTION(Hinge, axis2, "axis2", KSI_X, 1),
    ROTATION(Hinge, relative, "initial_rotation", KSI_IS_RELATIVE, 0),
    TURNING(Hinge, motor, "axis", 0, 1),
};

static const ksiField slider[] = {
    UNUSED(Slider, joint.multipliers),
    DIRECTION(Slider, axis1, "axis1", KSI_X, 0),
    ROTATION(Slider, relative, "initial_rotation", KSI_IS_RELATIVE, 0),
    POINT(Slider, offset, "offset", KSI_FIRST_CENTRE, 1),
    SLIDING(Slider, motor, "axis", 0, 1),
};

/* Hosts set only the members of a dContact that its mode requires. */
#define SURFACE(kind, member, name, unit, when)                                                                        \
    {                                                                                                                  \
        name, unit, kind, 1, AT(Contact, contact.surface.member), 0, 0, when, 0, KSI_IS_GIVEN,                         \
            offsetof(dContact, surface.member)                                                                         \
    }
#define PLACE(member, name, unit, count, when)                                                                         \
    {                                                                                                                  \
        name, unit, KSI_REAL, count, AT(Contact, contact.member), 0, 0, when, 0, KSI_IS_GIVEN,                         \
            offsetof(dContact, member)                                                                                 \
    }
static const ksiField contact[] = {
    {"mode", "1", KSI_INTEGER, 1, AT(Contact, contact.surface.mode), 0, 0x7fff, 0, 0, KSI_IS_GIVEN,
     offsetof(dContact, surface.mode)},
    UNUSED(Contact, joint.multipliers),
    UNUSED(Contact, rows),
    SURFACE(KSI_BOUND, mu, "mu", "1 or N", 0),
    SURFACE(KSI_BOUND, mu2, "mu2", "1 or N", dContactMu2),
    SURFACE(KSI_BOUND, rho, "rho", "m or N.m", dContactRolling),
    SURFACE(KSI_BOUND, rho2, "rho2", "m or N.m", dContactRolling | dContactAxisDep),
    SURFACE(KSI_BOUND, rhoN, "rho_normal", "m or N.m", dContactRolling | dContactAxisDep),
    SURFACE(KSI_BOUND, bounce, "bounce", "1", dContactBounce),
    SURFACE(KSI_BOUND, bounce_vel, "bounce_velocity", "m/s", dContactBounce),
    SURFACE(KSI_BOUND, soft_erp, "soft_erp", "1", dContactSoftERP),
    SURFACE(KSI_BOUND, soft_cfm, "soft_cfm", "CFM", dContactSoftCFM),
    SURFACE(KSI_BOUND, motion1, "motion1", "m/s", dContactMotion1),
    SURFACE(KSI_BOUND, motion2, "motion2", "m/s", dContactMotion2),
    SURFACE(KSI_BOUND, motionN, "motion_normal", "m/s", dContactMotionN),
    SURFACE(KSI_BOUND, slip1, "slip1", "CFM", dContactSlip1),
    SURFACE(KSI_BOUND, slip2, "slip2", "CFM", dContactSlip2),
    PLACE(geom.pos, "position", "m", 3, 0),
    PLACE(geom.normal, "normal", "1", 3, 0),
    PLACE(geom.depth, "depth", "m", 1, 0),
    UNUSED(Contact, contact.geom.g1),
    UNUSED(Contact, contact.geom.g2),
    UNUSED(Contact, contact.geom.side1),
    UNUSED(Contact, contact.geom.side2),
    PLACE(fdir1, "friction_direction1", "1", 3, dContactFDir1),
};

#define UNIVERSAL(class, base)                                                                                         \
    UNUSED(class, base joint.multipliers), POINT(class, base anchor1, "anchor1", KSI_POINT, 0),                        \
        POINT(class, base anchor2, "anchor2", KSI_POINT, 1), DIRECTION(class, base axis1, "axis1", KSI_X, 0),          \
        DIRECTION(class, base axis2, "axis2", KSI_Y, 1),                                                               \
        ROTATION(class, base relative1, "initial_rotation1", KSI_IS_CROSS, 0),                                         \
        ROTATION(class, base relative2, "initial_rotation2", KSI_IS_CROSS, 1),                                         \
        TURNING(class, base motor1, "axis1", 0, 1), TURNING(class, base motor2, "axis2", 1, 1)
static const ksiField universal[] = {UNIVERSAL(Universal, )};
static const ksiField pu[] = {
    UNIVERSAL(PU, universal.),
    DIRECTION(PU, axisP1, "axis3", KSI_Z, 0),
    SLIDING(PU, motorP, "axis3", 2, 1),
};

static const ksiField hinge2[] = {
    UNUSED(Hinge2, joint.multipliers),
    POINT(Hinge2, anchor1, "anchor1", KSI_POINT, 0),
    POINT(Hinge2, anchor2, "anchor2", KSI_POINT, 1),
    DIRECTION(Hinge2, axis1, "axis1", KSI_X, 0),
    DIRECTION(Hinge2, axis2, "axis2", KSI_Y, 1),
    PARTICULAR(KSI_REAL, Hinge2, cosine, "angle_cosine", "1", KSI_ZERO),
    PARTICULAR(KSI_REAL, Hinge2, sine, "angle_sine", "1", KSI_ONE),
    DIRECTION(Hinge2, reference1, "reference1", KSI_Y, 0),
    DIRECTION(Hinge2, across1, "across1", KSI_Z, 0),
    DIRECTION(Hinge2, reference2, "reference2", KSI_X, 1),
    DIRECTION(Hinge2, across2, "across2", KSI_MINUS_Z, 1),
    TURNING(Hinge2, motor1, "axis1", 0, 1),
    TURNING(Hinge2, motor2, "axis2", 1, 0),
    PARAMETER(KSI_REAL, Hinge2, suspensionErp, "suspension_erp", "1", dParamSuspensionERP),
    PARAMETER(KSI_REAL, Hinge2, suspensionCfm, "suspension_cfm", "CFM", dParamSuspensionCFM),
};

static const ksiField fixed[] = {
    UNUSED(Fixed, joint.multipliers),
    ROTATION(Fixed, relative, "initial_rotation", KSI_IS_RELATIVE, 0),
    NUMBERS(KSI_REAL, Fixed, offset, "offset", "m", 3, KSI_IS_DIRECTION, KSI_PROOF(KSI_BETWEEN, 0)),
    PARAMETER(KSI_REAL, Fixed, erp, "erp", "1", dParamERP),
    PARAMETER(KSI_REAL, Fixed, cfm, "cfm", "CFM", dParamCFM),
};

static const ksiField null[] = {UNUSED(Joint, multipliers)};

static const ksiField amotor[] = {
    UNUSED(AMotor, joint.multipliers),
    INTEGER(KSI_INTEGER, AMotor, mode, "mode", dAMotorUser, dAMotorEuler, KSI_MODE),
    INTEGER(KSI_INTEGER, AMotor, count, "axes", 0, 3, KSI_THREE),
    INTEGER(KSI_CHOICE, AMotor, relativeTo[0], "axis1_relative_to", 0, 2, KSI_ONE),
    INTEGER(KSI_CHOICE, AMotor, relativeTo[1], "axis2_relative_to", 0, 2, KSI_ZERO),
    INTEGER(KSI_CHOICE, AMotor, relativeTo[2], "axis3_relative_to", 0, 2, KSI_TWO),
    DIRECTION(AMotor, axis[0], "axis1", KSI_X, 0),
    DIRECTION(AMotor, axis[1], "axis2", KSI_Y, 2),
    DIRECTION(AMotor, axis[2], "axis3", KSI_Z, 1),
    DIRECTION(AMotor, reference[0], "reference1", KSI_Z, 0),
    DIRECTION(AMotor, reference[1], "reference2", KSI_X, 1),
    PARTICULAR(KSI_REAL, AMotor, angle[0], "angle1", "rad", KSI_ANGLE1),
    PARTICULAR(KSI_REAL, AMotor, angle[1], "angle2", "rad", KSI_ANGLE2),
    PARTICULAR(KSI_REAL, AMotor, angle[2], "angle3", "rad", KSI_ANGLE3),
    TURNING(AMotor, motor[0], "axis1", 0, 1),
    TURNING(AMotor, motor[1], "axis2", 1, 1),
    TURNING(AMotor, motor[2], "axis3", 2, 1),
    UNUSED(AMotor, motor[3]),
};

static const ksiField lmotor[] = {
    UNUSED(LMotor, joint.multipliers),
    INTEGER(KSI_INTEGER, LMotor, count, "axes", 0, 3, KSI_THREE),
    INTEGER(KSI_CHOICE, LMotor, relativeTo[0], "axis1_relative_to", 0, 2, KSI_ONE),
    INTEGER(KSI_CHOICE, LMotor, relativeTo[1], "axis2_relative_to", 0, 2, KSI_ZERO),
    INTEGER(KSI_CHOICE, LMotor, relativeTo[2], "axis3_relative_to", 0, 2, KSI_TWO),
    DIRECTION(LMotor, axis[0], "axis1", KSI_X, 0),
    DIRECTION(LMotor, axis[1], "axis2", KSI_Y, 2),
    DIRECTION(LMotor, axis[2], "axis3", KSI_Z, 1),
    SLIDING(LMotor, motor[0], "axis1", 0, 0),
    SLIDING(LMotor, motor[1], "axis2", 1, 0),
    SLIDING(LMotor, motor[2], "axis3", 2, 0),
};

static const ksiField plane2d[] = {
    UNUSED(Plane2D, joint.multipliers),        UNUSED(Plane2D, row),
    SLIDING(Plane2D, motor[0], "x", 0, 0),     SLIDING(Plane2D, motor[1], "y", 1, 0),
    TURNING(Plane2D, motor[2], "angle", 2, 0),
};

static const ksiField pr[] = {
    UNUSED(PR, joint.multipliers),
    POINT(PR, anchor2, "anchor2", KSI_POINT, 1),
    DIRECTION(PR, axisR1, "rotation_axis1", KSI_Y, 0),
    DIRECTION(PR, axisR2, "rotation_axis2", KSI_Y, 1),
    DIRECTION(PR, axisP1, "axis1", KSI_X, 0),
    ROTATION(PR, relative, "initial_rotation", KSI_IS_RELATIVE, 0),
    POINT(PR, offset, "offset", KSI_POINT, 0),
    TURNING(PR, motorR, "axis2", 1, 1),
    SLIDING(PR, motorP, "axis1", 0, 1),
};

static const ksiField piston[] = {
    UNUSED(Piston, joint.multipliers),
    DIRECTION(Piston, axis1, "axis1", KSI_X, 0),
    DIRECTION(Piston, axis2, "axis2", KSI_X, 1),
    ROTATION(Piston, relative, "initial_rotation", KSI_IS_RELATIVE, 0),
    POINT(Piston, anchor1, "anchor1", KSI_POINT, 0),
    POINT(Piston, anchor2, "anchor2", KSI_POINT, 1),
    SLIDING(Piston, motorP, "slide", 0, 1),
    TURNING(Piston, motorR, "turn", 1, 1),
};

#define DBALL(class)                                                                                                   \
    UNUSED(class, joint.multipliers), POINT(class, anchor1, "anchor1", KSI_POINT, 0),                                  \
        POINT(class, anchor2, "anchor2", KSI_SECOND, 1), PARAMETER(KSI_REAL, class, erp, "erp", "1", dParamERP),       \
        PARAMETER(KSI_REAL, class, cfm, "cfm", "CFM", dParamCFM),                                                      \
        PARTICULAR(KSI_REAL, class, distance, "distance", "m", KSI_DISTANCE)
static const ksiField dball[] = {DBALL(DBall)};
static const ksiField dhinge[] = {
    DBALL(DHinge),
    DIRECTION(DHinge, axis1, "axis1", KSI_X, 0),
    DIRECTION(DHinge, axis2, "axis2", KSI_X, 1),
};

/* The engine sets these when it first computes the joint's rows. */
#define MEASURED(member, name, unit, count, proof, argument)                                                           \
    {                                                                                                                  \
        name, unit, KSI_REAL, count, AT(Transmission, member), 0, 0, 0, 1, proof, argument                             \
    }
#define WHEEL(i, name, point)                                                                                          \
    DIRECTION(Transmission, axis[i], "axis" name, KSI_X, i), POINT(Transmission, anchor[i], "anchor" name, point, i),  \
        MEASURED(reference[i][0], "reference" name "_x", "1", 3, KSI_IS_DIRECTION, KSI_PROOF(KSI_ARM1 + (i), i)),      \
        MEASURED(reference[i][1], "reference" name "_y", "1", 3, KSI_IS_DIRECTION, KSI_PROOF(KSI_ACROSS1 + (i), i)),   \
        MEASURED(reference[i][2], "reference" name "_z", "1", 3, KSI_IS_DIRECTION, KSI_PROOF(KSI_X, i)),               \
        MEASURED(phase[i], "phase" name, "rad", 1, KSI_IS_NUMBER, KSI_PHASE1 + (i)),                                   \
        PARTICULAR(KSI_REAL, Transmission, radius[i], "radius" name, "m", KSI_RADIUS1 + (i))
static const ksiField transmission[] = {
    INTEGER(KSI_INTEGER, Transmission, isStale, "is_stale", 0, 1, KSI_ZERO),
    INTEGER(KSI_INTEGER, Transmission, mode, "mode", dTransmissionParallelAxes, dTransmissionChainDrive, KSI_MODE),
    UNUSED(Transmission, joint.multipliers),
    UNUSED(Transmission, contact),
    WHEEL(0, "1", KSI_POINT),
    WHEEL(1, "2", KSI_SECOND),
    PARTICULAR(KSI_REAL, Transmission, backlash, "backlash", "m", KSI_BACKLASH),
    PARTICULAR(KSI_POSITIVE, Transmission, ratio, "ratio", "1", KSI_RATIO),
    PARAMETER(KSI_REAL, Transmission, erp, "erp", "1", dParamERP),
    PARAMETER(KSI_REAL, Transmission, cfm, "cfm", "CFM", dParamCFM),
};

/* --- The list --- */

#define CLASS(table)                                                                                                   \
    {                                                                                                                  \
#table, table, sizeof table / sizeof *table                                                                    \
    }
static const ksiFields classes[KSI_JOINT_TYPES] = {
    [dJointTypeBall] = CLASS(ball),
    [dJointTypeHinge] = CLASS(hinge),
    [dJointTypeSlider] = CLASS(slider),
    [dJointTypeContact] = CLASS(contact),
    [dJointTypeUniversal] = CLASS(universal),
    [dJointTypeHinge2] = CLASS(hinge2),
    [dJointTypeFixed] = CLASS(fixed),
    [dJointTypeNull] = CLASS(null),
    [dJointTypeAMotor] = CLASS(amotor),
    [dJointTypeLMotor] = CLASS(lmotor),
    [dJointTypePlane2D] = CLASS(plane2d),
    [dJointTypePR] = CLASS(pr),
    [dJointTypePU] = CLASS(pu),
    [dJointTypePiston] = CLASS(piston),
    [dJointTypeDBall] = CLASS(dball),
    [dJointTypeDHinge] = CLASS(dhinge),
    [dJointTypeTransmission] = CLASS(transmission),
};

const ksiFields *ksiFieldsOfType(int type)
{
    return type > 0 && type < KSI_JOINT_TYPES && classes[type].name ? &classes[type] : NULL;
}

size_t ksiFieldWords(const ksiFields *fields)
{
    size_t words = 0;
    for (size_t i = 0; i < fields->count; i++)
        words += fields->field[i].count;
    return words;
}

static void turnAxis(const ksiJointFields *fields, int side, const dReal *stored, double out[3])
{
    dVector3 turned = {stored[0], stored[1], stored[2]};
    if (fields->node[side].body)
        dMultiply0_331(turned, ksiFieldsOf(fields->node[side].body)->rotation, stored);
    ksiTakeNumbers(out, turned, 3);
}

/* As in amotor.cpp, doComputeGlobalEulerAxes. */
void ksiEulerAxes(dJointID motor, double first[3], double second[3])
{
    const AMotor *stored = (const AMotor *)(const void *)motor;
    const ksiJointFields *fields = ksiFieldsOfJoint(motor);
    const int own = fields->flags & KSI_JOINT_REVERSED ? 2 : 0;
    turnAxis(fields, 0, stored->axis[own], first);
    turnAxis(fields, 1, stored->axis[2 - own], second);
}

bool ksiGetPhases(dJointID wheels, const double lever[2][3], double phase[2], double along[2][3], double across[2][3])
{
    const Transmission *stored = (const Transmission *)(const void *)wheels;
    for (int i = 0; i < 2; i++) {
        phase[i] = 0;
        memcpy(along[i], lever[i], sizeof along[i]);
        memset(across[i], 0, sizeof across[i]);
        if (stored->isStale)
            continue;
        phase[i] = stored->phase[i];
        turnAxis(&stored->joint.known, i, stored->reference[i][0], along[i]);
        turnAxis(&stored->joint.known, i, stored->reference[i][1], across[i]);
    }
    return stored->isStale;
}
