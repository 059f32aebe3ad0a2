/* contact_driven_forms.c  Turntables, trays, flywheels and trains, and a vehicle in a banked curve. A force changes the
 * velocity of the start of a step, so the truths are told before it. */
#include "contact_forms.h"
#include "contact_scenes.h"

static void setForce(ContactPair *pair, double x, double y, double z)
{
    const double force[3] = {x, y, z};
    memcpy(pair->low, force, sizeof force);
    memcpy(pair->high, force, sizeof force);
}

static void cross(double out[3], const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double massOf(dBodyID body)
{
    dMass mass;
    dBodyGetMass(body, &mass);
    return mass.mass;
}

/* Vertical forces at three points whose sum and moments about x and y are known. */
static void carry(const double at[3][2], double sum, double aboutX, double aboutY, double force[3])
{
    double area[3], whole = 0;
    const double centre[2] = {-aboutY / sum, aboutX / sum};
    for (int i = 0; i < 3; i++) {
        const double *a = at[(i + 1) % 3], *b = at[(i + 2) % 3];
        area[i] = (a[0] - centre[0]) * (b[1] - centre[1]) - (a[1] - centre[1]) * (b[0] - centre[0]);
        whole += area[i];
    }
    for (int i = 0; i < 3; i++)
        force[i] = sum * area[i] / whole;
}

/* --- A banked curve --- */

static const double bank = 0.1, yaw = 0.5, curve = 8, tyre = 0.3, chassisMass = 200, tyreMass = 10;
static const double tyreAt[3][2] = {{1.6, 0}, {0, -0.6}, {0, 0.6}}, chassisAt = 0.6;

/* Gravity pulls inwards, as on a bank. The tyres have axes through the centre of the curve, so the
 * forces across determine the front tyre's; the rear tyres share theirs. */
static void turnInCurve(ContactScene *s)
{
    const Machine *m = &s->machine;
    const double down = SCENE_GRAVITY * cos(bank), in = SCENE_GRAVITY * sin(bank);
    const double up[3] = {0, 0, 1}, rate = dBodyGetAngularVel(m->box[0])[2];
    double sum[3] = {0}, moment[3] = {0}, place[3][2], axis[3][2], normal[3], momentum[3] = {0}, inward[3];
    const double floor = dBodyGetPosition(m->box[1])[2] - tyre;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            momentum[k] += massOf(m->box[i]) * dBodyGetLinearVel(m->box[i])[k];
    cross(inward, up, momentum);
    for (int k = 0; k < 2; k++)
        inward[k] /= hypot(momentum[0], momentum[1]);
    dWorldSetGravity(m->world, in * inward[0], in * inward[1], -down);
    for (int i = 0; i < 4; i++) {
        const dReal *at = dBodyGetPosition(m->box[i]), *v = dBodyGetLinearVel(m->box[i]);
        const double mass = massOf(m->box[i]), lever[3] = {at[0], at[1], at[2] - floor};
        const double force[3] = {mass * (-rate * v[1] - in * inward[0]), mass * (rate * v[0] - in * inward[1]),
                                 mass * down};
        double turned[3], spin[3] = {0};
        cross(turned, lever, force);
        if (i > 0) {
            const double own[3] = {-v[1] / tyre, v[0] / tyre, 0};
            cross(spin, up, own);
            dVector3 along;
            dJointGetHingeAxis(dBodyGetJoint(m->box[i], 0), along);
            for (int k = 0; k < 2; k++) {
                place[i - 1][k] = at[k];
                axis[i - 1][k] = along[k];
            }
        }
        for (int k = 0; k < 3; k++) {
            sum[k] += force[k];
            moment[k] += turned[k] + 0.4 * tyreMass * tyre * tyre * rate * spin[k];
        }
    }
    carry(place, sum[2], moment[0], moment[1], normal);
    const double front =
        (sum[0] * axis[1][1] - sum[1] * axis[1][0]) / (axis[0][0] * axis[1][1] - axis[0][1] * axis[1][0]);
    setForce(&s->pair[0], front * axis[0][0], front * axis[0][1], normal[0]);
    for (int i = 1; i < 3; i++)
        setForce(&s->pair[i], NAN, NAN, normal[i]);
}

/* A vehicle with three tyres turns to the left. */
static void addBankedCurve(ContactScene *s)
{
    Machine *m = &s->machine;
    dBodyID chassis = machineBox(m, chassisMass, (double[]){2, 1, 0.4}, chassisAt, 0, 0.6, false);
    dBodySetLinearVel(chassis, yaw * curve, yaw * chassisAt, 0);
    dBodySetAngularVel(chassis, 0, 0, yaw);
    for (int i = 0; i < 3; i++) {
        const double x = tyreAt[i][0], y = tyreAt[i][1], vx = yaw * (curve - y), vy = yaw * x;
        dBodyID wheel = contactBall(s, tyreMass, tyre, x, y, tyre);
        dBodySetLinearVel(wheel, vx, vy, 0);
        dBodySetAngularVel(wheel, -vy / tyre, vx / tyre, yaw);
        dJointID hinge = dJointCreateHinge(m->world, 0);
        dJointAttach(hinge, wheel, chassis);
        dJointSetHingeAnchor(hinge, x, y, tyre);
        dJointSetHingeAxis(hinge, -x, curve - y, 0);
        contactPair(s, wheel, NULL, NAN, NAN, (chassisMass / 3 + tyreMass) * SCENE_GRAVITY);
    }
}

/* --- Platforms that move --- */

static const double tableRate = 2;

/* The box keeps its place on a turning table. */
static void turnTable(ContactScene *s)
{
    const dReal *v = dBodyGetLinearVel(s->machine.box[1]);
    setForce(&s->pair[0], -3 * tableRate * v[1], 3 * tableRate * v[0], 3 * SCENE_GRAVITY);
}

static void addTurntable(ContactScene *s)
{
    const double out = 0.6;
    dBodyID table = contactFixed(s, (double[]){3, 3, 0.1}, 0, 0, 0.5, 0);
    dBodyID box = machineBox(&s->machine, 3, (double[]){0.3, 0.2, 0.1}, out, 0, 0.6, true);
    dBodySetAngularVel(table, 0, 0, tableRate);
    dBodySetAngularVel(box, 0, 0, tableRate);
    dBodySetLinearVel(box, 0, tableRate * out, 0);
    contactPair(s, box, table, 0, 0, 3 * SCENE_GRAVITY);
}

/* A level tray goes round in a vertical circle. */
static void swingTray(ContactScene *s)
{
    const double speed = 0.5, rate = 4, angle = rate * (s->time + s->h),
                 v[3] = {speed * cos(angle), 0, speed * sin(angle)};
    const dReal *now = dBodyGetLinearVel(s->machine.box[0]);
    setForce(&s->pair[0], 2 * (v[0] - now[0]) / s->h, 0, 2 * ((v[2] - now[2]) / s->h + SCENE_GRAVITY));
    dBodySetLinearVel(s->machine.box[0], v[0], v[1], v[2]);
}

static void addTray(ContactScene *s)
{
    dBodyID tray = contactFixed(s, (double[]){1, 1, 0.1}, 0, 0, 1, 0);
    dBodyID box = machineBox(&s->machine, 2, (double[]){0.2, 0.2, 0.2}, 0, 0, 1.15, true);
    contactPair(s, box, tray, 0, 0, 2 * SCENE_GRAVITY);
}

/* --- Motors --- */

/* A motor moves a weight up and down above a base. */
static void shakeWeight(ContactScene *s)
{
    const double next = 0.4 * sin(8 * (s->time + s->h));
    dJointSetSliderParam(dBodyGetJoint(s->machine.box[1], 0), dParamVel, next);
    contactBetween(&s->pair[0], 2, 6 * SCENE_GRAVITY + 2 * (next - s->gained) / s->h,
                   6 * SCENE_GRAVITY + 2 * (next - s->gained) / s->h, 6 * SCENE_GRAVITY);
    s->gained = next;
}

static void addShaker(ContactScene *s)
{
    Machine *m = &s->machine;
    dBodyID base = machineBox(m, 4, (double[]){0.4, 0.4, 0.2}, 0, 0, 0.1, true);
    dBodyID weight = machineBox(m, 2, (double[]){0.2, 0.2, 0.2}, 0, 0, 0.5, false);
    dJointID slider = dJointCreateSlider(m->world, 0);
    dJointAttach(slider, weight, base);
    dJointSetSliderAxis(slider, 0, 0, 1);
    dJointSetSliderParam(slider, dParamFMax, 500);
    contactPair(s, base, NULL, 0, 0, 6 * SCENE_GRAVITY);
}

static const double wheelInertia = 0.08, wheelGain = 20;

/* The motor of a flywheel about y pushes one end of its frame down. */
static void spinUp(ContactScene *s)
{
    double place[3][2], normal[3], moment[2] = {0, 0}, all = 0;
    for (int i = 0; i < 5; i++) {
        const dReal *at = dBodyGetPosition(s->machine.box[i]);
        const double weight = massOf(s->machine.box[i]) * SCENE_GRAVITY;
        all += weight;
        moment[0] += at[1] * weight;
        moment[1] -= at[0] * weight;
        for (int k = 0; k < 2 && i > 1; k++)
            place[i - 2][k] = at[k];
    }
    carry(place, all, moment[0], moment[1] + wheelInertia * wheelGain, normal);
    dJointSetHingeParam(dBodyGetJoint(s->machine.box[1], 0), dParamVel, wheelGain * (s->time + s->h));
    for (int i = 0; i < 3; i++)
        setForce(&s->pair[i], NAN, NAN, normal[i]);
}

static void addFlywheel(ContactScene *s)
{
    Machine *m = &s->machine;
    dMass of;
    dBodyID frame = machineBox(m, 6, (double[]){0.8, 0.5, 0.1}, 0, 0, 0.3, false);
    dMassSetParameters(&of, 2, 0, 0, 0, wheelInertia, wheelInertia, wheelInertia, 0, 0, 0);
    dBodyID wheel = contactBody(s, &of, 0.1, 0, 0.6, NULL);
    dJointID hinge = dJointCreateHinge(m->world, 0);
    dJointAttach(hinge, wheel, frame);
    dJointSetHingeAnchor(hinge, 0.1, 0, 0.6);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamFMax, 50);
    for (int i = 0; i < 3; i++) {
        dBodyID foot = contactBall(s, 0.5, 0.05, i ? -0.3 : 0.4, i ? 0.5 * i - 0.75 : 0, 0.05);
        dJointID weld = dJointCreateFixed(m->world, 0);
        dJointAttach(weld, frame, foot);
        dJointSetFixed(weld);
        contactPair(s, foot, NULL, NAN, NAN, 3.2 * SCENE_GRAVITY);
    }
}

/* --- Forces that change --- */

static void pullBall(ContactScene *s)
{
    const double force = 8 * sin(2 * s->time);
    dBodyAddForce(s->machine.box[0], force, 0, 0);
    setForce(&s->pair[0], -force * 2 / 7, 0, 3 * SCENE_GRAVITY);
}

static void addPulledBall(ContactScene *s)
{
    contactPair(s, contactBall(s, 3, 0.1, 0, 0, 0.1), NULL, 0, 0, 3 * SCENE_GRAVITY);
}

/* The last of three boxes on ice is pushed. After two seconds the train buckles. */
static void pushTrain(ContactScene *s)
{
    const double force = 20 + 10 * sin(3 * s->time);
    dBodyAddForce(s->machine.box[0], force, 0, 0);
    for (int i = 0; i < 2; i++) {
        const double share = force * (i ? 4 : 6) / 9;
        s->pair[i].low[0] = s->pair[i].high[0] = share;
    }
}

static void addTrain(ContactScene *s)
{
    dBodyID behind = NULL;
    s->machine.mu = 0;
    for (int i = 0; i < 3; i++) {
        dBodyID box = machineBox(&s->machine,
                                 i == 0   ? 3
                                 : i == 1 ? 2
                                          : 4,
                                 (double[]){0.3, 0.2, 0.2}, 0.3 * i, 0, 0.1, true);
        if (behind)
            contactPair(s, box, behind, 0, NAN, NAN);
        if (behind)
            s->pair[s->count - 1].load = 20;
        behind = box;
    }
}

static const double braking = 0.2, brakedMass = 4;

/* The foot that carries least has no contact in two of ten steps. */
static void loseFoot(ContactScene *s)
{
    const dGeomID foot = dBodyGetFirstGeom(s->machine.box[0]);
    if (lround(s->time / s->h) % 10 < 2)
        dGeomDisable(foot);
    else
        dGeomEnable(foot);
}

/* A frame on four feet slides and slows down from 1.2 m/s, and is looked at from .8 to .4 m/s. */
static void addBraking(ContactScene *s)
{
    static const double half = 0.2, out = 0.05, radius = 0.05;
    dMass of;
    s->machine.mu = braking;
    dMassSetBoxTotal(&of, brakedMass, 2 * half, 2 * half, 0.1);
    dBodyID frame = contactBody(s, &of, 0, 0, 0.15, NULL);
    for (int i = 0; i < 4; i++)
        contactFoot(s, frame, radius, (i & 1 ? half : -half) + out, (i & 2 ? half : -half) + out, -0.1);
    dBodySetLinearVel(frame, 1.2, 0, 0);
    contactPair(s, frame, NULL, -braking * brakedMass * SCENE_GRAVITY, 0, brakedMass * SCENE_GRAVITY);
}

/* Tolerance 0: motors have a noise of their own. The truths' own errors: a path that steps along its
 * tangents (curve, table), soft ground that gives. */
const ContactForm contactDrivenForms[] = {{"banked-curve", addBankedCurve, turnInCurve, NULL, 1, 4, false, 1e-2, 3e-3},
                                          {"turntable", addTurntable, turnTable, NULL, 0.5, 3, false, 6e-3, 1e-4},
                                          {"tray", addTray, swingTray, NULL, 0.5, 3, false, 1e-3, 1e-4},
                                          {"shaker", addShaker, shakeWeight, NULL, 0.5, 3, false, 0, 1e-3},
                                          {"flywheel", addFlywheel, spinUp, NULL, 0.5, 3, false, 0, 1e-3},
                                          {"ball-pulled", addPulledBall, pullBall, NULL, 0.5, 3, false, 1e-3, 1e-4},
                                          {"train", addTrain, pushTrain, NULL, 0.5, 1.5, false, 1e-3, 1e-4},
                                          {"brakes", addBraking, loseFoot, NULL, 0.2, 0.4, false, 1e-3, 1e-5},
                                          {NULL, NULL, NULL, NULL, 0, 0, false, 0, 0}};
