/* stopped_kit.h  An arm of two equal links hangs on two joints of a type, and gravity presses both
 * onto stops, if they have any. */
#ifndef TESTS_KITS_STOPPED_KIT_H
#define TESTS_KITS_STOPPED_KIT_H

#include "demos/scenes/scenes_private.h"

static const double stopAt = 0.05;     /* rad, m */
static const double stoppedSpan = 0.2; /* m: between the anchors of a joint that has two */
enum { STOPPED_ARM = 2 };

typedef struct StoppedKind {
    const char *name;
    dJointID (*create)(dWorldID world, dJointGroupID group);
    void (*set)(dJointID joint, int parameter, dReal value);
    int axes, rounds; /* rounds: its rows are differences of points in the world */
} StoppedKind;

static const StoppedKind stoppedKinds[] = {
    {"hinge", dJointCreateHinge, dJointSetHingeParam, 1, 0},
    {"slider", dJointCreateSlider, dJointSetSliderParam, 1, 0},
    {"universal", dJointCreateUniversal, dJointSetUniversalParam, 2, 0},
    {"hinge2", dJointCreateHinge2, dJointSetHinge2Param, 1, 0},
    {"pr", dJointCreatePR, dJointSetPRParam, 2, 1},
    {"pu", dJointCreatePU, dJointSetPUParam, 3, 1},
    {"piston", dJointCreatePiston, dJointSetPistonParam, 2, 1},
    {"amotor", dJointCreateAMotor, dJointSetAMotorParam, 3, 0},
    {"dball", dJointCreateDBall, NULL, 0, 1},
    {"dhinge", dJointCreateDHinge, NULL, 0, 1},
    {"transmission", dJointCreateTransmission, NULL, 0, 1},
};
enum { STOPPED_KINDS = sizeof stoppedKinds / sizeof *stoppedKinds };

static inline void placeStopped(dJointID joint, const double at[3])
{
    const dReal x = (dReal)at[0], y = (dReal)at[1], z = (dReal)at[2], c = (dReal)0.8, s = (dReal)0.6;
    switch (dJointGetType(joint)) {
    case dJointTypeHinge:
        dJointSetHingeAnchor(joint, x, y, z);
        dJointSetHingeAxis(joint, c, s, 0);
        break;
    case dJointTypeSlider:
        dJointSetSliderAxis(joint, s, 0, c);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalAnchor(joint, x, y, z);
        dJointSetUniversalAxis1(joint, c, s, 0);
        dJointSetUniversalAxis2(joint, -s, c, 0);
        break;
    case dJointTypeHinge2: {
        const dVector3 first = {c, s, 0}, second = {-s, c, 0};
        dJointSetHinge2Anchor(joint, x, y, z);
        dJointSetHinge2Axes(joint, first, second);
        break;
    }
    case dJointTypePR:
        dJointSetPRAnchor(joint, x, y, z);
        dJointSetPRAxis1(joint, 0, 0, 1);
        dJointSetPRAxis2(joint, c, s, 0);
        break;
    case dJointTypePU:
        dJointSetPUAnchor(joint, x, y, z);
        dJointSetPUAxis1(joint, c, s, 0);
        dJointSetPUAxis2(joint, -s, c, 0);
        dJointSetPUAxis3(joint, 0, 0, 1);
        break;
    case dJointTypePiston:
        dJointSetPistonAnchor(joint, x, y, z);
        dJointSetPistonAxis(joint, s, 0, c);
        break;
    case dJointTypeDHinge:
        dJointSetDHingeAxis(joint, 0, 1, 0);
        dJointSetDHingeAnchor1(joint, x + (dReal)0.1, y, z);
        dJointSetDHingeAnchor2(joint, x - (dReal)0.1, y, z);
        break;
    case dJointTypeDBall:
        dJointSetDBallAnchor1(joint, x + (dReal)0.1, y, z);
        dJointSetDBallAnchor2(joint, x - (dReal)0.1, y, z);
        break;
    case dJointTypeTransmission:
        dJointSetTransmissionMode(joint, dTransmissionParallelAxes);
        dJointSetTransmissionRatio(joint, 1);
        dJointSetTransmissionAxis(joint, 0, 1, 0);
        dJointSetTransmissionAnchor1(joint, x, y, z);
        dJointSetTransmissionAnchor2(joint, x - (dReal)0.4, y, z);
        break;
    case dJointTypeAMotor:
        dJointSetAMotorMode(joint, dAMotorEuler);
        dJointSetAMotorAxis(joint, 0, 1, c, s, 0);
        dJointSetAMotorAxis(joint, 2, 2, 0, 0, 1);
        break;
    default:
        break;
    }
}

static inline void addStopped(Scene *scene, const StoppedKind *kind, dBodyID first, dBodyID second, const double at[3])
{
    if (kind->create == dJointCreateTransmission) {
        static const double shaft[3] = {0, 1, 0};
        sceneAddHinge(scene, first, scene->body[0], at, shaft);
        if (second == scene->body[0])
            return;
    }
    const dJointID joint = sceneAddJoint(scene, kind->create(scene->world, NULL), first, second);
    placeStopped(joint, at);
    for (int axis = 0; axis < kind->axes; axis++) {
        kind->set(joint, dParamLoStop + axis * dParamGroup2, (dReal)-stopAt);
        kind->set(joint, dParamHiStop + axis * dParamGroup2, (dReal)stopAt);
    }
    if (kind->create == dJointCreateAMotor)
        sceneAddBall(scene, first, second, at);
}

/* sign: of gravity, by which the stops are the low or the high ones. A fixed block stands for the
 * world. */
static inline Scene *makeStopped(const StoppedKind *kind, double sign, double away)
{
    static const double side[3] = {0.2, 0.14, 0.1};
    Scene *scene = sceneCreate(1 + STOPPED_ARM, 2 + 2 * STOPPED_ARM);
    dWorldSetGravity(scene->world, (dReal)(sign * 3), (dReal)(sign * 2), (dReal)(sign * -9));
    dBodyID last = sceneAddBox(scene, 1, away, 0.5 * away, 0, side);
    sceneAddFixed(scene, last, NULL);
    for (int i = 0; i < STOPPED_ARM; i++) {
        const double at[3] = {away + 0.2 + 0.4 * i, 0.5 * away + 0.05 * i, 0.03 * i};
        const dBodyID next = sceneAddBox(scene, 1, at[0] + 0.2, at[1] + 0.1, at[2], side);
        addStopped(scene, kind, next, last, at);
        last = next;
    }
    return scene;
}

#endif
