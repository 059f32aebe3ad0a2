/* scratch.c  Builds a joint of any type, for tests of the engine and for replicas. */
#include "copy.h"
#include "layout.h"
#include "vector.h"

#define SPREAD(v) (v)[0], (v)[1], (v)[2]

/* A temporary second axis for a joint whose first axis changes from `now` to pose->x. It is
 * parallel to neither of these, because the engine would report parallel axes to the host. */
static const double *passingAxis(const ksiJointPose *pose, const double now[3], double third[3])
{
    ksiCross(third, pose->x, pose->y);
    const double along = fabs(ksiDot(pose->y, now)) * sqrt(ksiDot(third, third));
    const double other = fabs(ksiDot(third, now)) * sqrt(ksiDot(pose->y, pose->y));
    return along > other ? third : pose->y;
}

static void placeRotary(dJointID joint, const ksiJointPose *pose)
{
    const double *P = pose->point, *x = pose->x, *y = pose->y, *passing;
    double third[3];
    double now[3];
    switch ((int)dJointGetType(joint)) {
    case dJointTypeBall:
        dJointSetBallAnchor(joint, SPREAD(P));
        break;
    case dJointTypeHinge:
        dJointSetHingeAnchor(joint, SPREAD(P));
        dJointSetHingeAxis(joint, SPREAD(x));
        break;
    case dJointTypeUniversal:
        dJointSetUniversalAnchor(joint, SPREAD(P));
        ksiGetVector(dJointGetUniversalAxis1, joint, now);
        passing = passingAxis(pose, now, third);
        dJointSetUniversalAxis2(joint, SPREAD(passing));
        dJointSetUniversalAxis1(joint, SPREAD(x));
        dJointSetUniversalAxis2(joint, SPREAD(y));
        break;
    case dJointTypeHinge2: {
        dVector3 first = {0}, second = {0};
        ksiPutNumbers(x, first, 3);
        ksiPutNumbers(y, second, 3);
        // axes before anchor: the default axes may be parallel, and the engine would abort
        dJointSetHinge2Axes(joint, first, second);
        dJointSetHinge2Anchor(joint, SPREAD(P));
        break;
    }
    case dJointTypeAMotor:
        dJointSetAMotorNumAxes(joint, 3);
        dJointSetAMotorAxis(joint, 0, 0, SPREAD(x));
        dJointSetAMotorAxis(joint, 1, 0, SPREAD(y));
        dJointSetAMotorAxis(joint, 2, 0, SPREAD(pose->z));
        break;
    default:
        break;
    }
}

static void placeSliding(dJointID joint, const ksiJointPose *pose)
{
    const double *P = pose->point, *x = pose->x, *y = pose->y, *z = pose->z, *passing;
    double third[3];
    double now[3];
    switch ((int)dJointGetType(joint)) {
    case dJointTypeSlider:
        dJointSetSliderAxis(joint, SPREAD(x));
        break;
    case dJointTypeFixed:
        dJointSetFixed(joint);
        break;
    case dJointTypeLMotor:
        dJointSetLMotorNumAxes(joint, 3);
        dJointSetLMotorAxis(joint, 0, 0, SPREAD(x));
        dJointSetLMotorAxis(joint, 1, 0, SPREAD(y));
        dJointSetLMotorAxis(joint, 2, 0, SPREAD(z));
        break;
    case dJointTypePR:
        dJointSetPRAnchor(joint, SPREAD(P));
        dJointSetPRAxis1(joint, SPREAD(x));
        dJointSetPRAxis2(joint, SPREAD(y));
        break;
    case dJointTypePU:
        dJointSetPUAnchor(joint, SPREAD(P));
        ksiGetVector(dJointGetPUAxis1, joint, now);
        passing = passingAxis(pose, now, third);
        dJointSetPUAxis2(joint, SPREAD(passing));
        dJointSetPUAxis1(joint, SPREAD(x));
        dJointSetPUAxis2(joint, SPREAD(y));
        dJointSetPUAxisP(joint, SPREAD(z));
        break;
    case dJointTypePiston:
        dJointSetPistonAnchor(joint, SPREAD(P));
        dJointSetPistonAxis(joint, SPREAD(x));
        break;
    case dJointTypeDBall:
        dJointSetDBallAnchor1(joint, SPREAD(P));
        dJointSetDBallAnchor2(joint, SPREAD(pose->second));
        break;
    case dJointTypeDHinge:
        dJointSetDHingeAxis(joint, SPREAD(x));
        dJointSetDHingeAnchor1(joint, SPREAD(P));
        dJointSetDHingeAnchor2(joint, SPREAD(pose->second));
        break;
    case dJointTypeTransmission:
        dJointSetTransmissionMode(joint, dTransmissionParallelAxes);
        dJointSetTransmissionAnchor1(joint, SPREAD(P));
        dJointSetTransmissionAnchor2(joint, SPREAD(pose->second));
        dJointSetTransmissionAxis(joint, SPREAD(x));
        break;
    default:
        break;
    }
}

void ksiPlaceJoint(dJointID joint, const ksiJointPose *pose)
{
    placeRotary(joint, pose);
    placeSliding(joint, pose);
}

static dJointID createContact(dWorldID world, const ksiJointPose *pose)
{
    dContact contact;
    memset(&contact, 0, sizeof contact);
    contact.surface.mode = dContactFDir1 | dContactApprox1;
    contact.surface.mu = 0.5;
    ksiPutNumbers(pose->point, contact.geom.pos, 3);
    ksiPutNumbers(pose->x, contact.geom.normal, 3);
    ksiPutNumbers(pose->y, contact.fdir1, 3);
    return dJointCreateContact(world, NULL, &contact);
}

static dJointID create(dWorldID world, int type, const ksiJointPose *pose)
{
    switch (type) {
#define CASE(name)                                                                                                     \
    case dJointType##name:                                                                                             \
        return dJointCreate##name(world, NULL);
        CASE(Null)
        CASE(Ball)
        CASE(Hinge)
        CASE(Slider)
        CASE(Universal)
        CASE(Hinge2)
        CASE(Fixed)
        CASE(AMotor)
        CASE(LMotor)
        CASE(Plane2D)
        CASE(PR)
        CASE(PU)
        CASE(Piston)
        CASE(DBall)
        CASE(DHinge)
        CASE(Transmission)
    case dJointTypeContact:
        return createContact(world, pose);
    default:
        return NULL;
    }
}

dJointID ksiNewJoint(dWorldID world, int type, dBodyID first, dBodyID second)
{
    static const ksiJointPose pose = {.second = {0, 1, 0}, .x = {1, 0, 0}, .y = {0, 1, 0}, .z = {0, 0, 1}};
    return first ? ksiCreateJoint(world, type, first, second, &pose) : create(world, type, &pose);
}

dJointID ksiCreateJoint(dWorldID world, int type, dBodyID first, dBodyID second, const ksiJointPose *pose)
{
    // these two types need both bodies; otherwise the engine aborts
    if ((type == dJointTypeHinge2 || type == dJointTypeTransmission) && !(first && second))
        return NULL;
    dJointID joint = create(world, type, pose);
    if (!joint)
        return NULL;
    dJointAttach(joint, first, second);
    ksiPlaceJoint(joint, pose);
    return joint;
}
