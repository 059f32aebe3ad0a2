/* battery_joints.c  One joint of any type and attachment, with random axes, stops, motors and
 * parameters. */
#include "tests/kits/battery_kit.h"

#define SPREAD(v) (v)[0], (v)[1], (v)[2]

int batteryAttachment(dJointID joint)
{
    if (!dJointGetBody(joint, 0))
        return SECOND_ONLY;
    return dJointGetBody(joint, 1) ? BOTH : FIRST_ONLY;
}

const char *batteryTypeName(int type)
{
    static const char *const name[KSI_JOINT_TYPES] = {"none",   "ball",  "hinge",  "slider", "contact", "universal",
                                                      "hinge2", "fixed", "null",   "amotor", "lmotor",  "plane2d",
                                                      "PR",     "PU",    "piston", "dball",  "dhinge",  "transmission"};
    return type >= 0 && type < KSI_JOINT_TYPES ? name[type] : "?";
}

static dJointID create(dWorldID world, dJointGroupID group, int type)
{
    typedef dJointID Create(dWorldID world, dJointGroupID group);
    static Create *const create[KSI_JOINT_TYPES] = {
        [dJointTypeBall] = dJointCreateBall,     [dJointTypeHinge] = dJointCreateHinge,
        [dJointTypeSlider] = dJointCreateSlider, [dJointTypeUniversal] = dJointCreateUniversal,
        [dJointTypeHinge2] = dJointCreateHinge2, [dJointTypeFixed] = dJointCreateFixed,
        [dJointTypeNull] = dJointCreateNull,     [dJointTypeAMotor] = dJointCreateAMotor,
        [dJointTypeLMotor] = dJointCreateLMotor, [dJointTypePlane2D] = dJointCreatePlane2D,
        [dJointTypePR] = dJointCreatePR,         [dJointTypePU] = dJointCreatePU,
        [dJointTypePiston] = dJointCreatePiston, [dJointTypeDBall] = dJointCreateDBall,
        [dJointTypeDHinge] = dJointCreateDHinge, [dJointTypeTransmission] = dJointCreateTransmission,
    };
    return create[type] ? create[type](world, group) : NULL;
}

/* A second axis that is almost across the first. */
static void tilt(const ksiJointPose *pose, Random *random, double out[3])
{
    ksiCopy(out, pose->y);
    if (oneIn(random, 2))
        ksiAddScaled(out, uniform(random, -0.3, 0.3), pose->x);
    ksiNormalize(out);
}

static void varyTransmission(dJointID joint, const ksiJointPose *pose, Random *random)
{
    double second[3], at[3];
    switch (randomBits(random) % 3) {
    case 0:
        dJointSetTransmissionRatio(joint, uniform(random, 0.4, 2));
        break;
    case 1:
        tilt(pose, random, second);
        ksiCopy(at, pose->second);
        dJointSetTransmissionMode(joint, dTransmissionIntersectingAxes);
        dJointSetTransmissionAxis1(joint, SPREAD(pose->x));
        dJointSetTransmissionAxis2(joint, SPREAD(second));
        ksiAddScaled(at, uniform(random, 0.4, 0.8), pose->x);  // off the line where the gears'
                                                               // planes meet
        dJointSetTransmissionAnchor2(joint, SPREAD(at));
        break;
    default:
        dJointSetTransmissionMode(joint, dTransmissionChainDrive);
        dJointSetTransmissionAxis(joint, SPREAD(pose->x));
        dJointSetTransmissionRadius1(joint, uniform(random, 0.05, 0.15));
        dJointSetTransmissionRadius2(joint, uniform(random, 0.05, 0.15));
        break;
    }
    dJointSetTransmissionBacklash(joint, oneIn(random, 3) ? 0.01 : 0);
}

/* The first axis of an Euler motor follows body 1, the third body 2; the world replaces a missing
 * body. */
static void varyAMotor(dJointID joint, int attachment, const ksiJointPose *pose, Random *random)
{
    const int first = attachment == SECOND_ONLY ? 0 : 1, second = attachment == FIRST_ONLY ? 0 : 2;
    if (oneIn(random, 2)) {
        dJointSetAMotorMode(joint, dAMotorEuler);
        dJointSetAMotorAxis(joint, 0, first, SPREAD(pose->x));
        dJointSetAMotorAxis(joint, 2, second, SPREAD(pose->y));
        return;
    }
    const double *axis[3] = {pose->x, pose->y, pose->z};
    dJointSetAMotorNumAxes(joint, 1 + (int)(randomBits(random) % 3));
    for (int i = 0; i < dJointGetAMotorNumAxes(joint); i++) {
        dJointSetAMotorAxis(joint, i,
                            oneIn(random, 3)            ? 0
                            : attachment == SECOND_ONLY ? second
                                                        : first,
                            SPREAD(axis[i]));
        dJointSetAMotorAngle(joint, i, uniform(random, -0.1, 0.1));
    }
}

static void varyHinge2(dJointID joint, const ksiJointPose *pose, Random *random)
{
    double second[4] = {0};
    dVector3 axis[2];
    tilt(pose, random, second);
    ksiPutNumbers(pose->x, axis[0], 3);
    ksiPutNumbers(second, axis[1], 3);
    dJointSetHinge2Axes(joint, axis[0], axis[1]);
    dJointSetHinge2Param(joint, dParamSuspensionERP, uniform(random, 0.2, 0.8));
    dJointSetHinge2Param(joint, dParamSuspensionCFM, uniform(random, 1e-5, 1e-2));
    dJointSetHinge2Param(joint, dParamFMax2, oneIn(random, 2) ? uniform(random, 0.1, 3) : 0);
    dJointSetHinge2Param(joint, dParamVel2, uniform(random, -2, 2));
}

/* Varies everything that the pose leaves open. */
static void vary(dJointID joint, int attachment, const ksiJointPose *pose, Random *random)
{
    double second[3];
    switch ((int)dJointGetType(joint)) {
    case dJointTypeHinge2:
        varyHinge2(joint, pose, random);
        break;
    case dJointTypeAMotor:
        varyAMotor(joint, attachment, pose, random);
        break;
    case dJointTypeTransmission:
        varyTransmission(joint, pose, random);
        break;
    case dJointTypeFixed:
        if (oneIn(random, 3)) {
            dJointSetFixedParam(joint, dParamERP, uniform(random, 0.1, 0.8));
            dJointSetFixedParam(joint, dParamCFM, uniform(random, 1e-6, 1e-3));
        }
        break;
    case dJointTypeLMotor:
        dJointSetLMotorNumAxes(joint, 1 + (int)(randomBits(random) % 3));
        dJointSetLMotorAxis(joint, 0, oneIn(random, 2), SPREAD(pose->x));
        dJointSetLMotorAxis(joint, 1, oneIn(random, 2), SPREAD(pose->y));
        break;
    case dJointTypePR:
        tilt(pose, random, second);
        dJointSetPRAxis2(joint, SPREAD(second));
        break;
    default:
        break;
    }
}

dJointID batteryJoint(dWorldID world, dJointGroupID group, int type, int attachment, dBodyID first, dBodyID second,
                      Random *random)
{
    if ((type == dJointTypeHinge2 || type == dJointTypeTransmission) && attachment != BOTH)
        return NULL;
    const ksiJointPose pose = randomPose(random);
    dJointID joint = create(world, group, type);
    if (!joint)
        return NULL;
    dJointAttach(joint, attachment == SECOND_ONLY ? NULL : first,
                 attachment == FIRST_ONLY    ? NULL
                 : attachment == SECOND_ONLY ? first
                                             : second);
    ksiPlaceJoint(joint, &pose);
    vary(joint, attachment, &pose, random);
    for (int axis = 0; axis < ksiAxisCount(joint); axis++)
        randomiseAxis(joint, axis, random);
    randomiseMotors(joint, random);
    return joint;
}

/* Friction, rolling, slip and moving surfaces. */
static void roughen(dSurfaceParameters *surface, BatteryContacts kind, Random *random)
{
    surface->mode |= (oneIn(random, 2) ? dContactFDir1 : 0) | (oneIn(random, 2) ? dContactMu2 : 0) |
                     (oneIn(random, 4) ? dContactRolling : 0) | (oneIn(random, 3) ? dContactSlip1 : 0) |
                     (oneIn(random, 3) ? dContactMotion1 : 0) | (oneIn(random, 3) ? dContactSlip2 : 0) |
                     (oneIn(random, 3) ? dContactMotion2 : 0);
    if (kind == ROUGH_CONTACTS && oneIn(random, 2))
        surface->mode |= dContactApprox1;
    surface->mu = oneIn(random, 6) ? dInfinity : oneIn(random, 6) ? 0 : uniform(random, 0.1, 2);
    surface->mu2 = uniform(random, 0.1, 2);
    surface->rho = surface->rho2 = surface->rhoN = uniform(random, 0.01, 0.2);
    surface->slip1 = surface->slip2 = 1e-3;
    surface->motion1 = 0.3;
    surface->motion2 = -0.2;
}

dJointID batteryContact(dWorldID world, dJointGroupID group, BatteryContacts kind, dBodyID first, dBodyID second,
                        Random *random, dSurfaceParameters *used)
{
    const ksiJointPose pose = randomPose(random);
    dContact contact;
    memset(&contact, 0, sizeof contact);
    dSurfaceParameters *surface = &contact.surface;
    surface->mode = (oneIn(random, 3) ? dContactBounce : 0) | (oneIn(random, 3) ? dContactSoftCFM : 0) |
                    (oneIn(random, 3) ? dContactSoftERP : 0) | (oneIn(random, 4) ? dContactMotionN : 0);
    surface->bounce = 0.5;
    surface->bounce_vel = oneIn(random, 2) ? 0.1 : 0;
    surface->soft_cfm = 1e-4;
    surface->soft_erp = 0.4;
    surface->motionN = 0.1;
    if (kind != SMOOTH_CONTACTS)
        roughen(surface, kind, random);
    contact.geom.depth = uniform(random, -0.01, 0.03);
    ksiPutNumbers(pose.point, contact.geom.pos, 3);
    ksiPutNumbers(pose.x, contact.geom.normal, 3);
    ksiPutNumbers(pose.y, contact.fdir1, 3);
    dJointID joint = dJointCreateContact(world, group, &contact);
    dJointAttach(joint, first, second);
    *used = *surface;
    return joint;
}

void batteryPushJoint(dJointID joint, Random *random)
{
    const double a = uniform(random, -3, 3), b = uniform(random, -3, 3), c = uniform(random, -3, 3);
    switch ((int)dJointGetType(joint)) {
    case dJointTypeHinge:
        dJointAddHingeTorque(joint, a);
        break;
    case dJointTypeSlider:
        dJointAddSliderForce(joint, a);
        break;
    case dJointTypeUniversal:
        dJointAddUniversalTorques(joint, a, b);
        break;
    case dJointTypeHinge2:
        dJointAddHinge2Torques(joint, a, b);
        break;
    case dJointTypePR:
        dJointAddPRTorque(joint, a);
        break;
    case dJointTypePiston:
        dJointAddPistonForce(joint, a);
        break;
    case dJointTypeAMotor:
        if (dJointGetAMotorMode(joint) == dAMotorUser)
            dJointAddAMotorTorques(joint, a, b, c);
        break;
    default:
        break;
    }
}
