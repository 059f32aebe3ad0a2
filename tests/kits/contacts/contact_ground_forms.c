/* contact_ground_forms.c  Belts, banks, rolling friction, meshes as floors, fingers and forks with heavy loads. */
#include "contact_forms.h"
#include "contact_scenes.h"

/* --- Belts --- */

static const double beltSpeed = 0.8;

/* The surface of box[0], a kinematic body, runs along +x; that of box[1] along -x if it is kinematic, too. */
static void runBelt(const Machine *m, dBodyID first, dBodyID second, dContact *contact)
{
    for (int i = 0; i < 2; i++) {
        if (!dBodyIsKinematic(m->box[i]) || (first != m->box[i] && second != m->box[i]))
            continue;
        contact->surface.mode |= dContactMotion1 | dContactFDir1;
        contact->surface.motion1 = (first == m->box[i] ? -1 : 1) * (i ? -1 : 1) * beltSpeed;
        contact->fdir1[0] = 1;
        contact->fdir1[1] = contact->fdir1[2] = 0;
    }
}

static const double uphill = 0.25;

/* A box slides on a belt that runs uphill, and comes to rest on it. */
static void addConveyor(ContactScene *s)
{
    s->machine.mu = 0.6;
    s->machine.surface = runBelt;
    contactLean(s, -uphill);
    dBodyID belt = contactFixed(s, (double[]){12, 1, 0.1}, 0, 0, 0.5, 0);
    dBodyID box = machineBox(&s->machine, 3, (double[]){0.3, 0.2, 0.2}, -5, 0, 0.65, true);
    contactPair(s, box, belt, 3 * SCENE_GRAVITY * sin(uphill), 0, 3 * SCENE_GRAVITY * cos(uphill));
}

/* Two belts rub inwards beneath a sledge on balls. */
static void addBelts(ContactScene *s)
{
    const double load = 2 * SCENE_GRAVITY;
    s->machine.mu = 0.4;
    s->machine.surface = runBelt;
    dBodyID belt[2];
    for (int i = 0; i < 2; i++)
        belt[i] = contactFixed(s, (double[]){0.5, 1, 0.1}, i ? 0.3 : -0.3, 0, 0.5, 0);
    dBodyID sledge = machineBox(&s->machine, 4, (double[]){0.8, 0.3, 0.1}, 0, 0, 0.68, false);
    for (int i = 0; i < 4; i++)
        contactFoot(s, sledge, 0.03, i & 1 ? 0.3 : -0.3, i & 2 ? 0.1 : -0.1, -0.1);
    for (int i = 0; i < 2; i++)
        contactPair(s, sledge, belt[i], (i ? -1 : 1) * 0.4 * load, NAN, load);
}

/* --- Rolling friction --- */

static const double rollingFriction = 0.003;

static void roll(const Machine *m, dBodyID first, dBodyID second, dContact *contact)
{
    (void)m, (void)first, (void)second;
    contact->surface.mode |= dContactRolling;
    contact->surface.rho = contact->surface.rho2 = rollingFriction;
    contact->surface.rhoN = 0;
}

/* The ground slows a rolling ball: F r (1 + 2/5) is its rolling friction. */
static void addSlowingBall(ContactScene *s)
{
    s->machine.surface = roll;
    dBodyID ball = contactBall(s, 3, 0.1, 0, 0, 0.1);
    dBodySetLinearVel(ball, 3, 0, 0);
    dBodySetAngularVel(ball, 0, 30, 0);
    contactPair(s, ball, NULL, -rollingFriction * 3 * SCENE_GRAVITY / (0.1 * 1.4), 0, 3 * SCENE_GRAVITY);
}

/* ... and holds a ball on a slope of less than rho / r. */
static void addHeldBall(ContactScene *s)
{
    static const double angle = 0.02;
    s->machine.surface = roll;
    contactLean(s, angle);
    dBodyID ball = contactBall(s, 3, 0.1, 0, 0, 0.1);
    contactPair(s, ball, NULL, -3 * SCENE_GRAVITY * sin(angle), 0, 3 * SCENE_GRAVITY * cos(angle));
}

/* --- Fingers and forks --- */

/* Fingers that are upright capsules hold a box of 3 kg by friction of at most 100 N. */
static void addCapsuleFingers(ContactScene *s)
{
    Machine *m = &s->machine;
    dMass mass;
    dBodyID box = machineBox(m, 3, (double[]){0.1, 0.1, 0.1}, 0, 0, 1, true);
    dBodyID hand = machineBox(m, 2, (double[]){0.3, 0.1, 0.05}, 0, 0, 1.3, false);
    dJointID lift = dJointCreateSlider(m->world, 0);
    dJointAttach(lift, hand, NULL);
    dJointSetSliderAxis(lift, 0, 0, 1);
    dJointSetSliderParam(lift, dParamFMax, 500);
    dMassSetCapsuleTotal(&mass, 1, 3, 0.02, 0.06);
    for (int side = -1; side <= 1; side += 2) {
        dBodyID finger = contactBody(s, &mass, 0.071 * side, 0, 1, dCreateCapsule(m->space, 0.02, 0.06));
        dJointID slider = dJointCreateSlider(m->world, 0);
        dJointAttach(slider, finger, hand);
        dJointSetSliderAxis(slider, 1, 0, 0);
        dJointSetSliderParam(slider, dParamFMax, 50);
        dJointSetSliderParam(slider, dParamVel, -0.5 * side);
        contactPair(s, box, finger, -50 * side, NAN, NAN);
        s->pair[s->count - 1].load = 50;
    }
}

static const double forkAt[2] = {-0.5, 0.3};

static void moveForks(ContactScene *s)
{
    for (int i = 0; i < 2; i++) {
        dJointID slider = dBodyGetJoint(s->machine.box[1 + i], 0);
        for (int k = 0; k < dBodyGetNumJoints(s->machine.box[1 + i]); k++)
            if (dJointGetType(dBodyGetJoint(s->machine.box[1 + i], k)) == dJointTypeSlider)
                slider = dBodyGetJoint(s->machine.box[1 + i], k);
        dJointSetSliderParam(slider, dParamVel, 10 * (0.05 * sin(2 * s->time) - dJointGetSliderPosition(slider)));
    }
}

/* Moments about the two balls. The servos follow their target with a delay of 0.1 s. */
static void turnBeam(ContactScene *s)
{
    static const double rate = 2, height = 0.05;
    const double lag = 0.1 * rate, gained = -rate * rate * height * sin(rate * s->time - atan(lag)) / hypot(1, lag);
    for (int i = 0; i < 2; i++) {
        const double force = 4 * (SCENE_GRAVITY + gained) * fabs(forkAt[!i]) / (forkAt[1] - forkAt[0]);
        contactBetween(&s->pair[i], 2, force, force, 2 * SCENE_GRAVITY);
    }
}

/* Two robots with forks of a ball row hold a beam, and move up and down together. */
static void addForks(ContactScene *s)
{
    Machine *m = &s->machine;
    dBodyID beam = machineBox(m, 4, (double[]){1.2, 0.3, 0.06}, 0, 0, 1.06, true);
    for (int i = 0; i < 2; i++) {
        dBodyID fork = machineBox(m, 3, (double[]){0.1, 0.3, 0.1}, forkAt[i], 0, 0.9, false);
        for (int side = -1; side <= 1; side += 2)
            contactFoot(s, fork, 0.03, 0, 0.1 * side, 0.1);
        dJointID slider = dJointCreateSlider(m->world, 0);
        dJointAttach(slider, fork, NULL);
        dJointSetSliderAxis(slider, 0, 0, 1);
        dJointSetSliderParam(slider, dParamFMax, 300);
        contactPair(s, beam, fork, NAN, NAN, 2 * SCENE_GRAVITY);
    }
}

/* --- Meshes as floors --- */

static double flat(double x, double y)
{
    (void)x, (void)y;
    return 0;
}

/* A box stands on a slope that is a mesh of several triangles. */
static void addOnMesh(ContactScene *s)
{
    contactMesh(s, flat, 2, 16);
    contactLean(s, 0.3);
    dBodyID box = machineBox(&s->machine, 3, (double[]){0.4, 0.3, 0.2}, 0.05, 0.03, 0.1, true);
    contactPair(s, box, NULL, -3 * SCENE_GRAVITY * sin(0.3), 0, 3 * SCENE_GRAVITY * cos(0.3));
}

/* ... and slides down over its triangles. */
static void addOverMesh(ContactScene *s)
{
    contactMesh(s, flat, 12, 24);
    s->machine.mu = 0.25;
    contactLean(s, 0.3);
    dBodyID box = machineBox(&s->machine, 3, (double[]){0.4, 0.3, 0.2}, -3, 0.03, 0.1, true);
    dBodySetLinearVel(box, 0.5, 0, 0);
    const double normal = 3 * SCENE_GRAVITY * cos(0.3);
    contactPair(s, box, NULL, -0.25 * normal, NAN, normal);
}

/* --- Feet --- */

static const double frameMass = 12, frameHeight = 0.4, frameSlope = 0.2;
static const double footAt[3][2] = {{0.4, 0}, {-0.3, 0.25}, {-0.3, -0.25}};

/* The first foot is on ice. */
static void iceBeneath(const Machine *m, dBodyID first, dBodyID second, dContact *contact)
{
    if (first == m->box[1] || second == m->box[1])
        contact->surface.mu = 0;
}

/* Moments about the feet where they are, by the weight along the slope and across it. */
static void turnMixedFeet(ContactScene *s)
{
    const double down = SCENE_GRAVITY * cos(frameSlope), along = SCENE_GRAVITY * sin(frameSlope);
    double foot[3][2], moment[2] = {0, 0}, all = 0, area[3], whole = 0;
    for (int i = 0; i < 4; i++) {
        const dReal *at = dBodyGetPosition(s->machine.box[i]);
        const double mass = i ? 0.5 : frameMass;
        moment[0] += mass * (down * at[0] + along * at[2]);
        moment[1] += mass * down * at[1];
        all += mass;
        dVector3 ball;
        dBodyGetRelPointPos(s->machine.box[i], 0, 0, i == 1 ? -0.1 : -0.15, ball);
        for (int k = 0; k < 2 && i > 0; k++)
            foot[i - 1][k] = ball[k];
    }
    const double centre[2] = {moment[0] / (all * down), moment[1] / (all * down)};
    for (int i = 0; i < 3; i++) {
        const double *a = foot[(i + 1) % 3], *b = foot[(i + 2) % 3];
        area[i] = (a[0] - centre[0]) * (b[1] - centre[1]) - (a[1] - centre[1]) * (b[0] - centre[0]);
        whole += area[i];
    }
    for (int i = 0; i < 3; i++)
        s->pair[i].low[2] = s->pair[i].high[2] = all * down * area[i] / whole;
}

static void addMixedFeet(ContactScene *s)
{
    Machine *m = &s->machine;
    m->surface = iceBeneath;
    contactLean(s, frameSlope);
    dBodyID frame = machineBox(m, frameMass, (double[]){0.8, 0.5, 0.1}, 0, 0, frameHeight, false);
    for (int i = 0; i < 3; i++) {
        dBodyID foot = machineBox(m, 0.5, (double[]){0.05, 0.05, 0.2}, footAt[i][0], footAt[i][1], 0.2, false);
        contactFoot(s, foot, i ? 0.05 : 0.1, 0, 0, i ? -0.15 : -0.1);
        dJointID weld = dJointCreateFixed(m->world, 0);
        dJointAttach(weld, frame, foot);
        dJointSetFixed(weld);
        contactPair(s, foot, NULL, i ? NAN : 0, i ? NAN : 0, 4.5 * SCENE_GRAVITY);
    }
}

static const double bladeMu = 0.5, bladeGain = 0.4;

static void pushOn(ContactScene *s)
{
    dBodySetLinearVel(s->machine.box[0], bladeGain * (s->time + s->h), 0, 0);
}

static void smoothBlade(const Machine *m, dBodyID first, dBodyID second, dContact *contact)
{
    if (first == m->box[0] || second == m->box[0])
        contact->surface.mu = 0;
}

/* A blade pushes a box over the ground, faster and faster. */
static void addBlade(ContactScene *s)
{
    const double load = 5 * SCENE_GRAVITY;
    s->machine.mu = bladeMu;
    s->machine.surface = smoothBlade;
    dBodyID blade = contactFixed(s, (double[]){0.1, 1, 0.3}, -0.25, 0, 0.2, 0);
    dBodyID box = machineBox(&s->machine, 5, (double[]){0.4, 0.4, 0.2}, 0, 0, 0.1, true);
    contactPair(s, box, blade, bladeMu * load + 5 * bladeGain, 0, NAN);
    contactPair(s, box, NULL, -bladeMu * load, NAN, load);
}

/* --- Vehicles --- */

static const double cartMass = 16, cartWheel = 2, cartRadius = 0.2, cartHalf = 0.5, cartHeight = 0.3, drive = 2;

/* A motor turns the rear wheels of a cart: (M + 2 I / r^2) a = T / r. */
static void addDrivenCart(ContactScene *s)
{
    Machine *m = &s->machine;
    const double inertia = 0.4 * cartWheel * cartRadius * cartRadius, r = cartRadius, g = SCENE_GRAVITY;
    const double all = cartMass + 2 * cartWheel, a = drive / r / (all + 2 * inertia / (r * r));
    const double front = -inertia * a / (r * r), rear = drive / r + front;
    dBodyID cart = machineBox(m, cartMass, (double[]){1, 0.4, 0.1}, 0, 0, cartHeight, false);
    // moments about the rear wheel's point: weights, inertia of the bodies at their heights, spin of the wheels
    const double shift = (cartMass * a * cartHeight + 2 * cartWheel * a * r + 2 * inertia * a / r) / (2 * cartHalf);
    for (int i = 0; i < 2; i++) {
        const double x = i ? cartHalf : -cartHalf;
        dBodyID wheel = contactBall(s, cartWheel, r, x, 0, r);
        dJointID hinge = dJointCreateHinge(m->world, 0);
        dJointAttach(hinge, wheel, cart);
        dJointSetHingeAnchor(hinge, x, 0, r);
        dJointSetHingeAxis(hinge, 0, 1, 0);
        if (i == 0) {
            dJointSetHingeParam(hinge, dParamFMax, drive);
            dJointSetHingeParam(hinge, dParamVel, 1000);
        }
        contactPair(s, wheel, NULL, i ? front : rear, NAN, all * g / 2 + (i ? -shift : shift));
    }
}

/* A heavy cylinder and a wide ball roll beneath a frame: moments determine both. */
static void addRoller(ContactScene *s)
{
    Machine *m = &s->machine;
    dMass of;
    const double g = SCENE_GRAVITY;
    dBodyID frame = machineBox(m, 30, (double[]){1.5, 0.5, 0.2}, 0, 0, 0.6, false);
    dMassSetCylinderTotal(&of, 80, 3, 0.4, 0.8);
    dBodyID drum = contactBody(s, &of, 0.8, 0, 0.4, dCreateCylinder(m->space, 0.4, 0.8));
    contactTurn(drum, 1, 0, 0, M_PI / 2);
    dBodyID wheel = contactBall(s, 5, 0.25, -0.7, 0, 0.25);
    for (int i = 0; i < 2; i++) {
        dJointID hinge = dJointCreateHinge(m->world, 0);
        dJointAttach(hinge, i ? wheel : drum, frame);
        dJointSetHingeAnchor(hinge, i ? -0.7 : 0.8, 0, i ? 0.25 : 0.4);
        dJointSetHingeAxis(hinge, 0, 1, 0);
    }
    for (int i = 0; i < m->boxes; i++)
        dBodySetLinearVel(m->box[i], 0.6, 0, 0);
    dBodySetAngularVel(drum, 0, 0.6 / 0.4, 0);
    dBodySetAngularVel(wheel, 0, 0.6 / 0.25, 0);
    contactPair(s, drum, NULL, 0, NAN, (80 + 30 * 0.7 / 1.5) * g);
    contactPair(s, wheel, NULL, 0, NAN, (5 + 30 * 0.8 / 1.5) * g);
}

/* --- Impacts --- */

static void spring(const Machine *m, dBodyID first, dBodyID second, dContact *contact)
{
    (void)m, (void)first, (void)second;
    contact->surface.mode |= dContactBounce;
    contact->surface.bounce = 0.7;
    contact->surface.bounce_vel = 0.05;
}

/* Momentum of the last step. */
static void turnBouncing(ContactScene *s)
{
    const double before = s->gained;
    const double now = dBodyGetLinearVel(s->machine.box[0])[2];
    const double force = s->time > 2 * s->h ? 2 * ((now - before) / s->h + SCENE_GRAVITY) : 0;
    s->gained = now;
    contactBetween(&s->pair[0], 2, force, force, 2 * SCENE_GRAVITY);
}

static void addBouncing(ContactScene *s)
{
    s->machine.surface = spring;
    contactPair(s, contactBall(s, 2, 0.1, 0, 0, 0.5), NULL, 0, 0, 2 * SCENE_GRAVITY);
}

/* A belt whose surface gains speed takes a box along. */
static const double beltGain = 1.5;

static void speedUp(ContactScene *s)
{
    s->machine.belt = beltGain * (s->time + s->h);
}

static void runFaster(const Machine *m, dBodyID first, dBodyID second, dContact *contact)
{
    contact->surface.mode |= dContactMotion1 | dContactFDir1;
    contact->surface.motion1 = (first == m->box[0] ? -1 : 1) * m->belt;
    contact->fdir1[0] = 1;
    contact->fdir1[1] = contact->fdir1[2] = 0;
    (void)second;
}

static void addFasterBelt(ContactScene *s)
{
    s->machine.mu = 0.6;
    s->machine.surface = runFaster;
    dBodyID belt = contactFixed(s, (double[]){40, 1, 0.1}, 0, 0, 0.5, 0);
    dBodyID box = machineBox(&s->machine, 3, (double[]){0.3, 0.2, 0.2}, -15, 0, 0.65, true);
    contactPair(s, box, belt, 3 * beltGain, 0, 3 * SCENE_GRAVITY);
}

/* ... or gains and loses it by turns. */
static void swingBelt(ContactScene *s)
{
    const double next = 0.4 * sin(5 * (s->time + s->h));
    s->pair[0].low[0] = s->pair[0].high[0] = 3 * (next - s->machine.belt) / s->h;
    s->machine.belt = next;
}

/* The ground shakes along x. */
static void shake(ContactScene *s)
{
    const double speed = 0.3 * sin(6 * s->time), before = dBodyGetLinearVel(s->machine.box[0])[0];
    dBodySetLinearVel(s->machine.box[0], speed, 0, 0);
    s->pair[0].low[0] = s->pair[0].high[0] = 2 * (speed - before) / s->h;
}

static void addShaking(ContactScene *s)
{
    dBodyID platform = contactFixed(s, (double[]){1, 1, 0.1}, 0, 0, 1, 0);
    dBodyID box = machineBox(&s->machine, 2, (double[]){0.2, 0.2, 0.2}, 0, 0, 1.15, true);
    contactPair(s, box, platform, 0, 0, 2 * SCENE_GRAVITY);
}

/* Shares of the linear and the angular velocity that go in a step: friction passes on the difference, F (1 + 5/2) / m. */
static const double damping[2] = {0.002, 0.02};

static void turnDamped(ContactScene *s)
{
    const double v = dBodyGetLinearVel(s->machine.box[0])[0];
    s->pair[0].low[0] = s->pair[0].high[0] = (damping[0] - damping[1]) * v / s->h * 3 / 3.5;
}

static void addDampedBall(ContactScene *s)
{
    dBodyID ball = contactBall(s, 3, 0.1, 0, 0, 0.1);
    dBodySetLinearVel(ball, 2, 0, 0);
    dBodySetAngularVel(ball, 0, 20, 0);
    dBodySetLinearDamping(ball, damping[0]);
    dBodySetAngularDamping(ball, damping[1]);
    contactPair(s, ball, NULL, 0, 0, 3 * SCENE_GRAVITY);
}

/* Slip in proportion to the force: a pushed crate creeps. */
static void slip(const Machine *m, dBodyID first, dBodyID second, dContact *contact)
{
    (void)m, (void)first, (void)second;
    contact->surface.mode |= dContactSlip1 | dContactSlip2;
    contact->surface.slip1 = contact->surface.slip2 = 0.01;
}

static const double push = 20;

static void pushIt(ContactScene *s)
{
    dBodyAddForce(s->machine.box[0], push, 0, 0);
}

static void addSlipping(ContactScene *s)
{
    s->machine.surface = slip;
    dBodyID box = machineBox(&s->machine, 4, (double[]){0.4, 0.4, 0.4}, 0, 0, 0.2, true);
    contactPair(s, box, NULL, -push, 0, 4 * SCENE_GRAVITY);
}

/* Friction is a force, for each point. */
static void byForce(const Machine *m, dBodyID first, dBodyID second, dContact *contact)
{
    (void)m, (void)first, (void)second;
    contact->surface.mode &= ~dContactApprox1;
    contact->surface.mu = 2;
}

static void addByForce(ContactScene *s)
{
    s->machine.surface = byForce;
    dBodyID frame = machineBox(&s->machine, 4, (double[]){0.4, 0.4, 0.1}, 0, 0, 0.15, false);
    for (int i = 0; i < 4; i++)
        contactFoot(s, frame, 0.05, i & 1 ? 0.2 : -0.2, i & 2 ? 0.2 : -0.2, -0.1);
    dBodySetLinearVel(frame, 0.5, 0, 0);
    contactPair(s, frame, NULL, -8, 0, 4 * SCENE_GRAVITY);
}

/* Tolerance 0: single steps have the noise of servos, of slip, or of points that the engine lost; bars are checked. The truths' own
 * errors: bodies that tilt in soft ground (blade, roller), servos that follow in steps (forks), slip that turns aside (mesh). */
const ContactForm contactGroundForms[] = {{"conveyor", addConveyor, NULL, NULL, 2.5, 5, true, 1e-3, 1e-5},
                                          {"faster-belt", addFasterBelt, speedUp, NULL, 0.5, 4, false, 1e-3, 1e-5},
                                          {"swinging-belt", addFasterBelt, swingBelt, NULL, 0.5, 4, false, 1e-3, 1e-5},
                                          {"belts", addBelts, NULL, NULL, 1, 4, true, 2e-2, 1e-5},
                                          {"shaking", addShaking, shake, NULL, 0.5, 4, false, 1e-3, 1e-5},
                                          {"ball-slows", addSlowingBall, NULL, NULL, 0.5, 3, true, 1e-3, 1e-5},
                                          {"ball-held", addHeldBall, NULL, NULL, 1, 4, true, 1e-3, 1e-5},
                                          {"ball-damped", addDampedBall, NULL, turnDamped, 0.3, 1.5, false, 1e-3, 2e-3},
                                          {"slipping", addSlipping, pushIt, NULL, 0.5, 4, false, 0, 1e-3},
                                          {"by-force", addByForce, pushIt, NULL, 0.5, 3, false, 1e-3, 1e-5},
                                          {"capsule-fingers", addCapsuleFingers, NULL, NULL, 1, 4, false, 0, 1e-5},
                                          {"forks", addForks, moveForks, turnBeam, 1, 4, false, 0, 1e-3},
                                          {"box-on-mesh", addOnMesh, NULL, NULL, 1, 4, false, 1e-2, 1e-5},
                                          {"box-over-mesh", addOverMesh, NULL, NULL, 0.5, 3, true, 1e-2, 1e-3},
                                          {"mixed-feet", addMixedFeet, turnMixedFeet, NULL, 1, 4, false, 3e-2, 1e-5},
                                          {"blade", addBlade, pushOn, NULL, 0.5, 3, false, 1e-2, 5e-4},
                                          {"driven-cart", addDrivenCart, NULL, NULL, 0.5, 3, true, 1e-3, 1e-5},
                                          {"roller", addRoller, NULL, NULL, 1, 4, false, 1e-3, 1e-4},
                                          {"ball-bounces", addBouncing, NULL, turnBouncing, 0, 4, true, 1e-3, 1e-5},
                                          {NULL, NULL, NULL, NULL, 0, 0, false, 0, 0}};
