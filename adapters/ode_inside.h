/* ode_inside.h  Parts of ode.c: vectors, joints of the recording, and motors of axes at their
 * stops. The engine adds the force of such a motor to the bodies during its step, and reports only
 * the force of the stop (addLimot and addTwoPointLimot in joints/joint.cpp). */
#ifndef KINETOSTAT_ADAPTERS_ODE_INSIDE_H
#define KINETOSTAT_ADAPTERS_ODE_INSIDE_H

#include "ode.h"

#include <math.h>

/* Getters write four numbers. */
typedef void Get(dJointID joint, dVector3 out);
typedef dReal GetParameter(dJointID joint, int parameter);

enum { MOST_AXES = 3 };

/* Copies numbers of the engine's precision. */
static inline void take(double *to, const dReal *from, int count)
{
    for (int k = 0; k < count; k++)
        to[k] = from[k];
}

static inline void get(Get *from, dJointID joint, double out[3])
{
    dVector3 v = {0};
    if (from)
        from(joint, v);
    take(out, v, 3);
}

static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static inline void addScaled(double *to, const double *from, double scale)
{
    for (int k = 0; k < 3; k++)
        to[k] += scale * from[k];
}

/* The host's first body is the world: ODE keeps the second one as its first. */
static inline int isReversed(dJointID joint)
{
    return !dJointGetBody(joint, 0) && dJointGetBody(joint, 1);
}

/* --- Joints of the recording --- */

/* as ksInspectorOptions::rigidCfm: a larger compliance is a spring */
static const double rigidCfm = 1e-9;

/* The freedoms of the joint types of recordings: translation along the axis, and rotations. */
typedef enum Turning { TURNS_NOT, TURNS_ABOUT_AXIS, TURNS_ABOUT_BOTH } Turning;

typedef struct Kind {
    int type;                 /* ksJointType */
    Get *anchor[2], *axis[2]; /* of the first and second body */
    int slides;
    Turning turns;
} Kind;

static const Kind kinds[] = {
    {KS_JOINT_BALL, {dJointGetBallAnchor, dJointGetBallAnchor2}, {NULL, NULL}, 0, TURNS_NOT},
    {KS_JOINT_HINGE, {dJointGetHingeAnchor, dJointGetHingeAnchor2}, {dJointGetHingeAxis, NULL}, 0, TURNS_ABOUT_AXIS},
    {KS_JOINT_SLIDER, {NULL, NULL}, {dJointGetSliderAxis, NULL}, 1, TURNS_NOT},
    {KS_JOINT_UNIVERSAL,
     {dJointGetUniversalAnchor, dJointGetUniversalAnchor2},
     {dJointGetUniversalAxis1, dJointGetUniversalAxis2},
     0,
     TURNS_ABOUT_BOTH},
    {KS_JOINT_HINGE2,
     {dJointGetHinge2Anchor, dJointGetHinge2Anchor2},
     {dJointGetHinge2Axis1, dJointGetHinge2Axis2},
     0,
     TURNS_ABOUT_BOTH},
    {KS_JOINT_FIXED, {NULL, NULL}, {NULL, NULL}, 0, TURNS_NOT},
    {KS_JOINT_PISTON,
     {dJointGetPistonAnchor, dJointGetPistonAnchor2},
     {dJointGetPistonAxis, NULL},
     1,
     TURNS_ABOUT_AXIS},
    {KS_JOINT_DBALL, {dJointGetDBallAnchor1, dJointGetDBallAnchor2}, {NULL, NULL}, 0, TURNS_NOT},
};

/* The kind of a joint of the recording. */
static inline const Kind *kindOf(int type)
{
    const Kind *kind = kinds;
    while (kind->type != type)
        kind++;
    return kind;
}

/* The recording's type of a joint; 0: it has none for this joint or its settings. Versions of the
 * engine number types differently. */
static inline int typeOf(dJointID joint)
{
    const int hasBoth = dJointGetBody(joint, 0) && dJointGetBody(joint, 1);
    switch (dJointGetType(joint)) {
    case dJointTypeBall:
        return KS_JOINT_BALL;
    case dJointTypeHinge:
        return KS_JOINT_HINGE;
    case dJointTypeSlider:
        return KS_JOINT_SLIDER;
    case dJointTypeUniversal:
        return KS_JOINT_UNIVERSAL;
    case dJointTypeFixed:
        return KS_JOINT_FIXED;
    case dJointTypePiston:
        return KS_JOINT_PISTON;
    case dJointTypeHinge2:
        return hasBoth && dJointGetHinge2Param(joint, dParamSuspensionCFM) <= rigidCfm ? KS_JOINT_HINGE2 : 0;
    case dJointTypeDBall:
        return hasBoth ? KS_JOINT_DBALL : 0;
    default:
        return 0;
    }
}

/* --- Motors at stops --- */

/* Joints whose axes may have a motor and stops. The second axis of a hinge2 has no stops. */
typedef struct Driven {
    int type, axes, sliding; /* sliding: the axis that slides; -1: none */
    GetParameter *parameter;
    Get *axis[MOST_AXES];
} Driven;

static const Driven driven[] = {
    {dJointTypeHinge, 1, -1, dJointGetHingeParam, {dJointGetHingeAxis}},
    {dJointTypeSlider, 1, 0, dJointGetSliderParam, {dJointGetSliderAxis}},
    {dJointTypeUniversal, 2, -1, dJointGetUniversalParam, {dJointGetUniversalAxis1, dJointGetUniversalAxis2}},
    {dJointTypeHinge2, 1, -1, dJointGetHinge2Param, {dJointGetHinge2Axis1}},
    {dJointTypePiston, 2, 0, dJointGetPistonParam, {dJointGetPistonAxis, dJointGetPistonAxis}},
    {dJointTypePR, 2, 0, dJointGetPRParam, {dJointGetPRAxis1, dJointGetPRAxis2}},
    {dJointTypePU, 3, 2, dJointGetPUParam, {dJointGetPUAxis1, dJointGetPUAxis2, dJointGetPUAxis3}},
    {dJointTypeAMotor, MOST_AXES, -1, dJointGetAMotorParam, {NULL}},
};

/* The axes of a joint, as the engine numbers and orients them. */
typedef struct Axes {
    const Driven *of; /* NULL: none has a motor */
    double axis[MOST_AXES][3], at[MOST_AXES];
    double arm[2][3]; /* from each mass centre: where the force of the sliding axis acts */
} Axes;

/* The engine's own positions: getters negate angles of reversed joints, and swap the axes of
 * universal ones. */
static inline void readPositions(dJointID joint, double at[MOST_AXES])
{
    const int reversed = isReversed(joint), sign = reversed ? -1 : 1;
    dReal angle[2];
    switch (dJointGetType(joint)) {
    case dJointTypeHinge:
        at[0] = sign * dJointGetHingeAngle(joint);
        break;
    case dJointTypeSlider:
        at[0] = dJointGetSliderPosition(joint);
        break;
    case dJointTypeUniversal:
        dJointGetUniversalAngles(joint, &angle[0], &angle[1]);
        at[0] = sign * angle[reversed];
        at[1] = angle[!reversed];
        break;
    case dJointTypeHinge2:
        at[0] = dJointGetHinge2Angle1(joint);
        break;
    case dJointTypePiston:
        at[0] = dJointGetPistonPosition(joint);
        at[1] = sign * dJointGetPistonAngle(joint);
        break;
    case dJointTypePR:
        at[0] = dJointGetPRPosition(joint);
        at[1] = sign * dJointGetPRAngle(joint);
        break;
    case dJointTypePU:
        dJointGetPUAngles(joint, &angle[0], &angle[1]);
        at[0] = angle[reversed];
        at[1] = angle[!reversed];
        at[2] = dJointGetPUPosition(joint);
        break;
    default:
        for (int i = 0; i < MOST_AXES; i++)
            at[i] = dJointGetAMotorAngle(joint, i);
    }
}

/* A PU joint slides between two anchors. No getter has the anchor of its first body. While the joint
 * fits, it is the other anchor plus the joint's position along the slide. So it is read when the
 * recording begins, from the mass centre in the body's axes. It holds until the host attaches the
 * joint to other bodies or moves its anchors. */
typedef struct Slide {
    dJointID joint;
    double anchor[3];
} Slide;

typedef struct Slides {
    Slide *at;
    int count;
} Slides;

static inline void readSlide(dJointID joint, Slide *out)
{
    const dBodyID first = dJointGetBody(joint, isReversed(joint));
    const dReal *place = dBodyGetPosition(first);
    const double extension = (isReversed(joint) ? -1 : 1) * dJointGetPUPosition(joint);
    double anchor[3], axis[3], arm[3];
    dVector3 own = {0};
    get(dJointGetPUAnchor, joint, anchor);
    get(dJointGetPUAxis3, joint, axis);
    for (int k = 0; k < 3; k++)
        arm[k] = anchor[k] + extension * axis[k] - place[k];
    dBodyVectorFromWorld(first, (dReal)arm[0], (dReal)arm[1], (dReal)arm[2], own);
    take(out->anchor, own, 3);
    out->joint = joint;
}

/* A joint that is not in the list counts as one that fits now. */
static inline Slide slideOf(const Slides *slides, dJointID joint)
{
    Slide now;
    for (int i = 0; i < slides->count; i++)
        if (slides->at[i].joint == joint)
            return slides->at[i];
    readSlide(joint, &now);
    return now;
}

/* A force along an axis acts on both bodies half-way between the mass centres; of a PU joint at its
 * anchors. */
static inline void readArms(dJointID joint, dBodyID first, dBodyID second, const Slides *slides, Axes *out)
{
    double place[2][3], anchor[3];
    take(place[0], dBodyGetPosition(first), 3);
    take(place[1], dBodyGetPosition(second ? second : first), 3);
    if (out->of->type != dJointTypePU) {
        for (int k = 0; k < 3; k++) {
            out->arm[0][k] = (place[1][k] - place[0][k]) / 2;
            out->arm[1][k] = -out->arm[0][k];
        }
        return;
    }
    dVector3 turned = {0};
    const Slide slide = slideOf(slides, joint);
    dBodyVectorToWorld(first, (dReal)slide.anchor[0], (dReal)slide.anchor[1], (dReal)slide.anchor[2], turned);
    get(dJointGetPUAnchor, joint, anchor);
    take(out->arm[0], turned, 3);
    for (int k = 0; k < 3; k++)
        out->arm[1][k] = anchor[k] - place[1][k];
}

/* Before a step. The engine turns the axis along which a reversed joint slides; of a PU joint it
 * takes it from the body's own axes. */
static inline void readAxes(dJointID joint, const Slides *slides, Axes *out)
{
    const int reversed = isReversed(joint);
    const dBodyID first = dJointGetBody(joint, reversed), second = dJointGetBody(joint, !reversed);
    out->of = NULL;
    for (size_t i = 0; i < sizeof driven / sizeof *driven; i++)
        if (first && driven[i].type == (int)dJointGetType(joint))
            out->of = &driven[i];
    if (!out->of)
        return;
    readPositions(joint, out->at);
    for (int i = 0; i < out->of->axes; i++) {
        dVector3 axis = {0};
        const int isSwapped = reversed && i < 2 && out->of->type != dJointTypePR && out->of->axis[1];
        if (out->of->type == dJointTypeAMotor)
            dJointGetAMotorAxis(joint, i, axis);
        else
            out->of->axis[isSwapped ? 1 - i : i](joint, axis);
        take(out->axis[i], axis, 3);
    }
    readArms(joint, first, second, slides, out);
    if (!reversed || out->of->sliding < 0)
        return;
    double *slide = out->axis[out->of->sliding];
    if (out->of->type == dJointTypePU) {
        dVector3 own = {0};
        dBodyVectorFromWorld(first, (dReal)slide[0], (dReal)slide[1], (dReal)slide[2], own);
        take(slide, own, 3);
    }
    for (int k = 0; k < 3; k++)
        slide[k] *= -1;
}

/* The force of an axis's motor if the axis is at a stop; else 0. Equal stops leave the motor
 * without effect. A low stop above the high one counts only at an AMotor, which is then always at
 * one of the two. */
static inline double motorAtStop(GetParameter *of, dJointID joint, int group, double at)
{
    const double low = of(joint, dParamLoStop + group), high = of(joint, dParamHiStop + group);
    const double most = of(joint, dParamFMax + group), velocity = of(joint, dParamVel + group);
    const int isHigh = at > low, areStops = low < high || (low > high && dJointGetType(joint) == dJointTypeAMotor);
    if (!(most > 0) || !areStops || (isHigh && at < high))
        return 0;
    const double force = velocity > 0 || (velocity == 0 && isHigh) ? most : -most;
    return force * ((isHigh ? velocity < 0 : velocity > 0) ? of(joint, dParamFudgeFactor + group) : 1);
}

/* After the step: adds the motors' forces to the loads of both sides, about the mass centres; NULL:
 * a side has none. The angles of an AMotor are those of its last step. */
static inline void addStoppedMotors(dJointID joint, Axes *axes, ksWrench *const load[2])
{
    if (!axes->of)
        return;
    if (axes->of->type == dJointTypeAMotor)
        readPositions(joint, axes->at);
    const int count = axes->of->type == dJointTypeAMotor ? dJointGetAMotorNumAxes(joint) : axes->of->axes;
    for (int i = 0; i < count; i++) {
        const double motor = motorAtStop(axes->of->parameter, joint, i * dParamGroup2, axes->at[i]);
        for (int side = 0; side < 2 && motor != 0; side++) {
            double turning[3];
            cross(axes->arm[side], axes->axis[i], turning);
            if (load[side] && i == axes->of->sliding)
                addScaled(load[side]->force, axes->axis[i], side ? -motor : motor);
            if (load[side])
                addScaled(load[side]->torque, i == axes->of->sliding ? turning : axes->axis[i], side ? -motor : motor);
        }
    }
}

#endif
