/* drift_steady.c  Motions with closed forms of the forces at each step. */
#include "drift_private.h"
#include "vectors.h"

#include <math.h>

static const double zAxis[3] = {0, 0, 1};

static const double turnRate = 10, payload = 2, payloadRadius = 1.2;

Scene *driftTurntable(const SceneSurface *surface, double stepSize)
{
    const double height = 1, torque = 1e5, near[3] = {0, 0, height}, far[3] = {1, 0, height};
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(2, 2);
    if (!scene)
        return NULL;
    dBodyID arm = sceneAddBar(scene, 5, near, far);
    dBodyID box = sceneAddBox(scene, payload, payloadRadius, 0, height + 0.1, (const double[3]){0.1, 0.2, 0.3});
    dJointID hinge = sceneAddHinge(scene, arm, NULL, near, zAxis);
    dJointSetHingeParam(hinge, dParamVel, turnRate);
    dJointSetHingeParam(hinge, dParamFMax, torque);
    sceneAddFixed(scene, box, arm);
    return scene;
}

/* Along z and towards the axis. The motor's correction of its speed acts across both. */
int driftTurntableForce(const Scene *scene, int joint, DriftForce *out)
{
    if (joint != 1)
        return 0;
    const dReal *x = dBodyGetPosition(scene->body[1]);
    const double radius = hypot(x[0], x[1]);
    *out = (DriftForce){.body = scene->body[1],
                        .count = 2,
                        .axis = {{0, 0, 1}, {-x[0] / radius, -x[1] / radius, 0}},
                        .value = {payload * SCENE_GRAVITY, payload * turnRate * turnRate * payloadRadius}};
    return 1;
}

/* --- bars on hinges across a turning shaft: carousel, governor */

static const double thickness = 0.04; /* of sceneAddBar */

/* A bar of length 2 l on a hinge `out` from the axis, which hangs at an angle from the vertical
 * while all turns with W:
 *
 *     (m l^2 + I) t'' = W^2 ((m l^2 + I - J) sin t cos t + m l R cos t) - m g l sin t,
 *
 * I across the bar, J along it. */
typedef struct Bar {
    double mass, half, out;
} Bar;

static double barAcross(const Bar *bar)
{
    return bar->mass * (4 * bar->half * bar->half + thickness * thickness) / 12 + bar->mass * bar->half * bar->half;
}

static double barAlong(const Bar *bar)
{
    return bar->mass * thickness * thickness / 6;
}

static double barTorque(const Bar *bar, double angle, double rate)
{
    const double s = sin(angle), c = cos(angle), m = bar->mass, l = bar->half;
    return rate * rate * ((barAcross(bar) - barAlong(bar)) * s * c + m * l * bar->out * c) - m * SCENE_GRAVITY * l * s;
}

/* Lets all bodies turn about z at this rate. */
static void turnAll(Scene *scene, double rate)
{
    for (int i = 0; i < scene->bodyCount; i++) {
        const dReal *x = dBodyGetPosition(scene->body[i]);
        dBodySetLinearVel(scene->body[i], -rate * x[1], rate * x[0], 0);
        dBodySetAngularVel(scene->body[i], 0, 0, rate);
    }
}

/* Adds a bar on a hinge, at this azimuth of the shaft in its initial pose. */
static dBodyID addHangingBar(Scene *scene, const Bar *bar, dBodyID shaft, double azimuth, double angle)
{
    const double c = cos(azimuth), s = sin(azimuth), far = bar->out + 2 * bar->half * sin(angle);
    const double near[3] = {bar->out * c, bar->out * s, 0};
    dBodyID body =
        sceneAddBar(scene, bar->mass, near, (const double[3]){far * c, far * s, -2 * bar->half * cos(angle)});
    sceneAddHinge(scene, body, shaft, near, (const double[3]){-s, c, 0});
    return body;
}

/* The radial direction of a bar, its angle and rate, in the present state. */
typedef struct BarState {
    double radial[3], tangent[3], angle, rate;
} BarState;

static BarState barState(dBodyID body, dBodyID shaft, double azimuth)
{
    BarState state;
    const dReal *w = dBodyGetAngularVel(body), *rotation = dBodyGetRotation(body);
    const double made[3] = {cos(azimuth), sin(azimuth), 0}, along[3] = {rotation[0], rotation[4], rotation[8]};
    dVector3 out;
    dBodyVectorToWorld(shaft, made[0], made[1], made[2], out);
    const double length = hypot(out[0], out[1]);
    state.radial[0] = out[0] / length;
    state.radial[1] = out[1] / length;
    state.radial[2] = 0;
    CROSS3(state.tangent, zAxis, state.radial);
    state.angle = atan2(DOT3(along, state.radial), -along[2]);
    state.rate = -DOT3(w, state.tangent);
    return state;
}

/* The force that accelerates the bar's mass centre, weight included. */
static DriftForce barForce(const Bar *bar, dBodyID body, const BarState *state, double turning, double angular)
{
    const double s = sin(state->angle), c = cos(state->angle), l = bar->half, m = bar->mass, rate = state->rate;
    DriftForce force = {.body = body,
                        .count = 3,
                        .value = {m * (l * c * angular - l * s * rate * rate - turning * turning * (bar->out + l * s)),
                                  2 * m * turning * l * c * rate,
                                  m * (l * s * angular + l * c * rate * rate + SCENE_GRAVITY)}};
    for (int k = 0; k < 3; k++) {
        force.axis[0][k] = state->radial[k];
        force.axis[1][k] = state->tangent[k];
        force.axis[2][k] = zAxis[k];
    }
    return force;
}

enum { SEATS = 8 };
static const Bar seat = {.mass = 10, .half = 0.75, .out = 2};
static const double carouselRate = 2;

static double steadyAngle(const Bar *bar, double rate)
{
    double low = 0, high = 1.5;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (barTorque(bar, middle, rate) > 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void turnByMotor(dJointID hinge, double rate)
{
    const double torque = 1e6;
    dJointSetHingeParam(hinge, dParamVel, rate);
    dJointSetHingeParam(hinge, dParamFMax, torque);
}

Scene *driftCarousel(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(SEATS + 1, SEATS + 1);
    if (!scene)
        return NULL;
    dBodyID hub = sceneAddBox(scene, 200, 0, 0, 0, (const double[3]){2.8, 2.8, 0.2});
    turnByMotor(sceneAddHinge(scene, hub, NULL, (const double[3]){0, 0, 0}, zAxis), carouselRate);
    for (int i = 0; i < SEATS; i++)
        addHangingBar(scene, &seat, hub, 2 * M_PI * i / SEATS, steadyAngle(&seat, carouselRate));
    turnAll(scene, carouselRate);
    return scene;
}

int driftCarouselForce(const Scene *scene, int joint, DriftForce *out)
{
    if (joint == 0)
        return 0;
    const BarState state = barState(scene->body[joint], scene->body[0], 2 * M_PI * (joint - 1) / SEATS);
    *out = barForce(&seat, scene->body[joint], &state, carouselRate,
                    barTorque(&seat, state.angle, carouselRate) / barAcross(&seat));
    return 1;
}

/* The governor's rods have the arms' length L and hang from their ends, so that the collar is
 * 2 L cos t below the hinges:
 *
 *     (2 I + 4 M L^2 sin^2 t) t'' + 4 M L^2 sin t cos t t'^2
 *         = 2 (torque of an arm) - 2 M g L sin t. */
static const Bar governorArm = {.mass = 3, .half = 0.25, .out = 0};
static const double collarMass = 4, governorAngle = 0.8;
enum { SHAFT, COLLAR, FIRST_ARM };

static double governorRate(void)
{
    const double load = SCENE_GRAVITY * governorArm.half * (governorArm.mass + 2 * collarMass);
    return sqrt(load / ((barAcross(&governorArm) - barAlong(&governorArm)) * cos(governorAngle)));
}

Scene *driftGovernor(const SceneSurface *surface, double stepSize)
{
    const double length = 2 * governorArm.half, depth = 2 * length * cos(governorAngle);
    const double out = length * sin(governorAngle);
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(4, 6);
    if (!scene)
        return NULL;
    dBodyID shaft = sceneAddBox(scene, 20, 0, 0, 0, (const double[3]){0.1, 0.1, 1.2});
    turnByMotor(sceneAddHinge(scene, shaft, NULL, (const double[3]){0, 0, 0}, zAxis), governorRate());
    dBodyID collar = sceneAddBox(scene, collarMass, 0, 0, -depth, (const double[3]){0.2, 0.2, 0.1});
    dJointSetSliderAxis(sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), collar, shaft), 0, 0, 1);
    for (int i = 0; i < 2; i++) {
        dBodyID arm = addHangingBar(scene, &governorArm, shaft, M_PI * i, governorAngle);
        driftAddRod(scene, arm, collar, (const double[3]){i ? -out : out, 0, -0.5 * depth},
                    (const double[3]){0, 0, -depth});
    }
    turnAll(scene, governorRate());
    return scene;
}

int driftGovernorForce(const Scene *scene, int joint, DriftForce *out)
{
    if (joint < 2)
        return 0;
    const double turning = governorRate(), length = 2 * governorArm.half, collar = collarMass * length * length;
    const int side = joint / 2 - 1;
    dBodyID arm = scene->body[FIRST_ARM + side];
    const BarState state = barState(arm, scene->body[SHAFT], M_PI * side);
    const double s = sin(state.angle), c = cos(state.angle), rate = state.rate;
    const double torque = 2 * barTorque(&governorArm, state.angle, turning) -
                          2 * collarMass * SCENE_GRAVITY * length * s - 4 * collar * s * c * rate * rate;
    const double angular = torque / (2 * barAcross(&governorArm) + 4 * collar * s * s);
    const double rising = 2 * length * (s * angular + c * rate * rate);
    const double tension = collarMass * (SCENE_GRAVITY + rising) / (2 * c);
    *out = barForce(&governorArm, arm, &state, turning, angular);
    // the rod pulls the arm's end inwards and down
    const double rod[3] = {-tension * s, 0, -tension * c};
    for (int k = 0; k < 3; k++)
        out->value[k] = joint % 2 ? rod[k] : out->value[k] - rod[k];
    return 1;
}

/* --- an arm that a post turns */

enum { ARM_BARS = 4 };
static const double armRate = 3;

Scene *driftTurningArm(const SceneSurface *surface, double stepSize)
{
    const double point[ARM_BARS + 1][3] = {{0, 0, 1}, {0.5, 0, 1.4}, {1, 0, 1.2}, {1.4, 0, 1.3}, {1.7, 0, 1}};
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(ARM_BARS + 1, ARM_BARS + 1);
    if (!scene)
        return NULL;
    dBodyID before = sceneAddBar(scene, 10, (const double[3]){0, 0, 0}, point[0]);
    turnByMotor(sceneAddHinge(scene, before, NULL, (const double[3]){0, 0, 0}, zAxis), armRate);
    for (int i = 0; i < ARM_BARS; i++) {
        dBodyID bar = sceneAddBar(scene, 2, point[i], point[i + 1]);
        turnByMotor(sceneAddHinge(scene, bar, before, point[i], (const double[3]){0, 1, 0}), 0);
        before = bar;
    }
    turnAll(scene, armRate);
    return scene;
}

/* out += a x b */
static void addCross(double out[3], const double a[3], const double b[3])
{
    double product[3];
    CROSS3(product, a, b);
    for (int k = 0; k < 3; k++)
        out[k] += product[k];
}

/* A point of the arm, and the rotation of its body. */
typedef struct ArmPoint {
    double spin[3], turning[3], acceleration[3]; /* turning: rate of spin */
} ArmPoint;

/* Moves to the point of the same body at r. */
static void armMove(const double r[3], ArmPoint *at)
{
    double velocity[3];
    CROSS3(velocity, at->spin, r);
    addCross(at->acceleration, at->turning, r);
    addCross(at->acceleration, at->spin, velocity);
}

/* Passes the hinge of a body. Its motor keeps the present rate, which the sweeps leave different
 * from the target. */
static void armTurn(const Scene *scene, int joint, ArmPoint *at)
{
    dVector3 axis;
    double turned[3];
    dJointGetHingeAxis(scene->joint[joint], axis);
    const dReal *own = dBodyGetAngularVel(scene->body[joint]);
    const dReal *before = joint ? dBodyGetAngularVel(scene->body[joint - 1]) : (const dReal[3]){0};
    const double rate = DOT3(own, axis) - DOT3(before, axis);
    for (int k = 0; k < 3; k++)
        turned[k] = rate * axis[k];
    addCross(at->turning, at->spin, turned);
    for (int k = 0; k < 3; k++)
        at->spin[k] += turned[k];
}

/* The mass times acceleration of all bodies further out, less their weight, from the post on, hinge
 * by hinge. */
int driftTurningArmForce(const Scene *scene, int joint, DriftForce *out)
{
    ArmPoint hinge = {.spin = {0}, .turning = {0}, .acceleration = {0}};
    *out = (DriftForce){.body = scene->body[joint], .count = 3, .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int i = 0; i < scene->bodyCount; i++) {
        const dReal *x = dBodyGetPosition(scene->body[i]);
        dVector3 near, far;
        double r[3];
        dMass mass;
        dBodyGetMass(scene->body[i], &mass);
        armTurn(scene, i, &hinge);
        dJointGetHingeAnchor(scene->joint[i], near);
        for (int k = 0; k < 3; k++)
            r[k] = x[k] - near[k];
        ArmPoint centre = hinge;
        armMove(r, &centre);
        for (int k = 0; k < 3 && i >= joint; k++)
            out->value[k] += mass.mass * (centre.acceleration[k] + (k == 2) * SCENE_GRAVITY);
        if (i + 1 == scene->jointCount)
            break;
        dJointGetHingeAnchor2(scene->joint[i + 1], far);
        for (int k = 0; k < 3; k++)
            r[k] = far[k] - near[k];
        armMove(r, &hinge);
    }
    return 1;
}
