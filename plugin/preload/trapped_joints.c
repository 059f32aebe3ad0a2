/* trapped_joints.c  Wrappers of joint functions that may be used wrongly. Each calls the engine's
 * function. */
#include "trapped.h"

#include <math.h>
#include <string.h>

static void cross(const dReal *a, const dReal *b, dReal out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void subtract(const dReal *a, const dReal *b, dReal out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] - b[i];
}

/* Is the joint attached (0, b), or is the mass centre of body 2 off the axis by a share of the
 * body's size? Then the engine moves the force on body 1 to the axis, and the force on body 2 away
 * from it. */
static bool isForceAmiss(const ksiCallee *engine, dJointID joint)
{
    dBodyID body[2] = {engine->dJointGetBody(joint, 0), engine->dJointGetBody(joint, 1)};
    dVector3 axis, anchor;
    dReal way[3], beside[3];
    dMass mass;
    if (!body[0] || !body[1])
        return !body[0] && body[1];
    engine->dJointGetPistonAxis(joint, axis);
    engine->dJointGetPistonAnchor2(joint, anchor);
    engine->dBodyGetMass(body[1], &mass);
    subtract(anchor, engine->dBodyGetPosition(body[1]), way);
    cross(axis, way, beside);
    const double inertia = mass.I[0] + mass.I[5] + mass.I[10];
    return mass.mass * ksiTrapDot(beside, beside) > ksiTrapShare * ksiTrapShare * inertia;
}

void dJointAddPistonForce(dJointID joint, dReal force)
{
    const ksiCaller *caller = KSI_CALLER();
    caller->engine->dJointAddPistonForce(joint, force);
    if (ksiIsOpen(caller, KSI_TRAP_PISTON_FORCE) && force != 0 && isForceAmiss(caller->engine, joint))
        ksiNoteTrap(KSI_TRAP_PISTON_FORCE);
}

static void subtractSpin(const ksiCallee *engine, dBodyID body, double sign, dReal spin[3])
{
    const dReal *of = body ? engine->dBodyGetAngularVel(body) : NULL;
    for (int i = 0; of && i < 3; i++)
        spin[i] += sign * of[i];
}

dReal dJointGetAMotorAngle(dJointID joint, int number)
{
    const ksiCaller *caller = KSI_CALLER();
    const ksiCallee *engine = caller->engine;
    const dReal angle = engine->dJointGetAMotorAngle(joint, number);
    dReal spin[3] = {0, 0, 0};
    if (!ksiIsOpen(caller, KSI_TRAP_EULER_ANGLE) || engine->dJointGetAMotorMode(joint) != dAMotorEuler)
        return angle;
    for (int i = 0; i < 2; i++)
        subtractSpin(engine, engine->dJointGetBody(joint, i), i == 0 ? 1 : -1, spin);
    if (ksiTrapDot(spin, spin) > ksiTrapSpeed * ksiTrapSpeed)
        ksiNoteTrap(KSI_TRAP_EULER_ANGLE);
    return angle;
}

/* The relative speed, along the axis, of the two bodies' points at the anchor; the world is at
 * rest. turning: a bound on the speeds of these points about the mass centres. */
static double slideRate(const ksiCallee *engine, const dBodyID body[2], const dReal *axis, const dReal *anchor,
                        double *turning)
{
    double rate = 0;
    *turning = 0;
    for (int i = 0; i < 2; i++) {
        dReal arm[3], turned[3];
        if (!body[i])
            continue;
        subtract(anchor, engine->dBodyGetPosition(body[i]), arm);
        cross(engine->dBodyGetAngularVel(body[i]), arm, turned);
        rate += (i == 0 ? 1 : -1) * (ksiTrapDot(axis, engine->dBodyGetLinearVel(body[i])) + ksiTrapDot(axis, turned));
        for (int k = 0; k < 3; k++)
            *turning += ksiTrapSize(turned[k]);
    }
    return rate;
}

static dReal lookAtRate(const ksiCaller *caller, dJointID joint, dReal rate, void (*axisOf)(dJointID, dVector3),
                        void (*anchorOf)(dJointID, dVector3))
{
    const ksiCallee *engine = caller->engine;
    if (!ksiIsOpen(caller, KSI_TRAP_SLIDE_RATE))
        return rate;
    const dBodyID body[2] = {engine->dJointGetBody(joint, 0), engine->dJointGetBody(joint, 1)};
    dVector3 axis, anchor;
    if (!body[0] && !body[1])
        return rate;
    axisOf(joint, axis);
    // a joint without an anchor: the bodies rotate together or about the slider, so any point
    // serves
    if (anchorOf)
        anchorOf(joint, anchor);
    else
        memcpy(anchor, engine->dBodyGetPosition(body[body[0] ? 0 : 1]), sizeof anchor);
    double turning;
    const double right = ksiTrapSize(slideRate(engine, body, axis, anchor, &turning)),
                 off = ksiTrapSize(ksiTrapSize(rate) - right);
    // drift moves a mass centre off the slide line by a small share of its lever
    if (off > ksiTrapShare * (right + turning) && off > ksiTrapSpeed)
        ksiNoteTrap(KSI_TRAP_SLIDE_RATE);
    return rate;
}

dReal dJointGetSliderPositionRate(dJointID joint)
{
    const ksiCaller *caller = KSI_CALLER();
    const dReal rate = caller->engine->dJointGetSliderPositionRate(joint);
    return lookAtRate(caller, joint, rate, caller->engine->dJointGetSliderAxis, NULL);
}

dReal dJointGetPistonPositionRate(dJointID joint)
{
    const ksiCaller *caller = KSI_CALLER();
    const dReal rate = caller->engine->dJointGetPistonPositionRate(joint);
    return lookAtRate(caller, joint, rate, caller->engine->dJointGetPistonAxis, NULL);
}

dReal dJointGetPRPositionRate(dJointID joint)
{
    const ksiCaller *caller = KSI_CALLER();
    const dReal rate = caller->engine->dJointGetPRPositionRate(joint);
    return lookAtRate(caller, joint, rate, caller->engine->dJointGetPRAxis1, caller->engine->dJointGetPRAnchor);
}

dReal dJointGetPUPositionRate(dJointID joint)
{
    const ksiCaller *caller = KSI_CALLER();
    const dReal rate = caller->engine->dJointGetPUPositionRate(joint);
    return lookAtRate(caller, joint, rate, caller->engine->dJointGetPUAxis3, caller->engine->dJointGetPUAnchor);
}

/* --- Signs --- */

static bool isReversed(const ksiCallee *engine, dJointID joint)
{
    return !engine->dJointGetBody(joint, 0) && engine->dJointGetBody(joint, 1);
}

void dJointAddUniversalTorques(dJointID joint, dReal torque1, dReal torque2)
{
    const ksiCaller *caller = KSI_CALLER();
    caller->engine->dJointAddUniversalTorques(joint, torque1, torque2);
    if (ksiIsOpen(caller, KSI_TRAP_REVERSED_TORQUE) && torque1 != 0 && isReversed(caller->engine, joint))
        ksiNoteTrap(KSI_TRAP_REVERSED_TORQUE);
}

dReal dJointGetUniversalAngle2Rate(dJointID joint)
{
    const ksiCaller *caller = KSI_CALLER();
    const dReal rate = caller->engine->dJointGetUniversalAngle2Rate(joint);
    if (ksiIsOpen(caller, KSI_TRAP_ANGLE_RATE) && ksiTrapSize(rate) > ksiTrapSpeed && isReversed(caller->engine, joint))
        ksiNoteTrap(KSI_TRAP_ANGLE_RATE);
    return rate;
}

dReal dJointGetHinge2Angle2(dJointID joint)
{
    const ksiCaller *caller = KSI_CALLER();
    if (ksiIsOpen(caller, KSI_TRAP_ANGLE_RATE) &&
        ksiTrapSize(caller->engine->dJointGetHinge2Angle2Rate(joint)) > ksiTrapSpeed)
        ksiNoteTrap(KSI_TRAP_ANGLE_RATE);
    return caller->engine->dJointGetHinge2Angle2(joint);
}

static void lookAtWheel(const ksiCaller *caller, dJointID joint, int wheel, void (*axisOf)(dJointID, dVector3))
{
    const dBodyID body = ksiIsOpen(caller, KSI_TRAP_GEAR_ANGLE) ? caller->engine->dJointGetBody(joint, wheel) : NULL;
    dVector3 axis;
    if (!body)
        return;
    axisOf(joint, axis);
    if (ksiTrapSize(ksiTrapDot(axis, caller->engine->dBodyGetAngularVel(body))) > ksiTrapSpeed)
        ksiNoteTrap(KSI_TRAP_GEAR_ANGLE);
}

dReal dJointGetTransmissionAngle1(dJointID joint)
{
    const ksiCaller *caller = KSI_CALLER();
    lookAtWheel(caller, joint, 0, caller->engine->dJointGetTransmissionAxis1);
    return caller->engine->dJointGetTransmissionAngle1(joint);
}

dReal dJointGetTransmissionAngle2(dJointID joint)
{
    const ksiCaller *caller = KSI_CALLER();
    lookAtWheel(caller, joint, 1, caller->engine->dJointGetTransmissionAxis2);
    return caller->engine->dJointGetTransmissionAngle2(joint);
}

/* --- Parameters --- */

static void lookAtStop(const ksiCaller *caller, int parameter, dReal value)
{
    const int of = parameter & 0xff;
    if (ksiIsOpen(caller, KSI_TRAP_NO_STOP) && (of == dParamLoStop || of == dParamHiStop) &&
        ksiTrapSize(value) < dInfinity)
        ksiNoteTrap(KSI_TRAP_NO_STOP);
}

#define SET(function)                                                                                                  \
    void function(dJointID joint, int parameter, dReal value)                                                          \
    {                                                                                                                  \
        const ksiCaller *caller = KSI_CALLER();                                                                        \
        caller->engine->function(joint, parameter, value);                                                             \
        lookAtStop(caller, parameter, value);                                                                          \
    }
SET(dJointSetLMotorParam)
SET(dJointSetPlane2DXParam)
SET(dJointSetPlane2DYParam)
SET(dJointSetPlane2DAngleParam)

/* Does the getter return the offset that was set? Angles that differ by whole turns are equal. */
static void lookAtOffset(const ksiCaller *caller, dReal wanted, dReal (*positionOf)(dJointID), dJointID joint,
                         bool isAngle)
{
    static const double turn = 2 * M_PI, many = 1e6;
    if (!ksiIsOpen(caller, KSI_TRAP_OFFSET))
        return;
    double off = ksiTrapSize(positionOf(joint) - wanted);
    if (isAngle && off < many)
        off = ksiTrapSize(off - turn * (int)(off / turn + 0.5));
    if (off > ksiTrapShare * ksiTrapSize(wanted) + ksiTrapSpeed)
        ksiNoteTrap(KSI_TRAP_OFFSET);
}

void dJointSetHingeAxisOffset(dJointID joint, dReal x, dReal y, dReal z, dReal angle)
{
    const ksiCaller *caller = KSI_CALLER();
    caller->engine->dJointSetHingeAxisOffset(joint, x, y, z, angle);
    lookAtOffset(caller, angle, caller->engine->dJointGetHingeAngle, joint, true);
}

void dJointSetSliderAxisDelta(dJointID joint, dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz)
{
    const ksiCaller *caller = KSI_CALLER();
    const dReal delta[3] = {dx, dy, dz};
    dVector3 axis;
    caller->engine->dJointSetSliderAxisDelta(joint, x, y, z, dx, dy, dz);
    caller->engine->dJointGetSliderAxis(joint, axis);
    lookAtOffset(caller, ksiTrapDot(axis, delta), caller->engine->dJointGetSliderPosition, joint, false);
}

#define SET_UNIVERSAL(function)                                                                                        \
    void function(dJointID joint, dReal x, dReal y, dReal z, dReal angle1, dReal angle2)                               \
    {                                                                                                                  \
        const ksiCaller *caller = KSI_CALLER();                                                                        \
        caller->engine->function(joint, x, y, z, angle1, angle2);                                                      \
        lookAtOffset(caller, angle1, caller->engine->dJointGetUniversalAngle1, joint, true);                           \
        lookAtOffset(caller, angle2, caller->engine->dJointGetUniversalAngle2, joint, true);                           \
    }
SET_UNIVERSAL(dJointSetUniversalAxis1Offset)
SET_UNIVERSAL(dJointSetUniversalAxis2Offset)
