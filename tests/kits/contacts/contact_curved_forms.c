/* contact_curved_forms.c  Bodies whose contacts move over curved surfaces, edges and meshes. Each
 * body is in one pair, so momentum determines its mean force. */
#include "contact_forms.h"
#include "contact_scenes.h"

/* A pair with an unknown force of about this size. */
static void pairOf(ContactScene *s, dBodyID on, dBodyID by, double load)
{
    contactPair(s, on, by, NAN, NAN, NAN)->load = load;
}

/* Lays a geom along y. */
static void lyingAt(dGeomID geom, double x, double z)
{
    dMatrix3 turn;
    dRFromAxisAndAngle(turn, 1, 0, 0, M_PI / 2);
    dGeomSetRotation(geom, turn);
    dGeomSetPosition(geom, x, 0, z);
}

/* --- Meshes --- */

static double bowl(double x, double y)
{
    return 1 - sqrt(fmax(0, 1 - x * x - y * y));
}

static double hills(double x, double y)
{
    return 0.05 * sin(6 * x) * cos(5 * y);
}

static void addBowl(ContactScene *s)
{
    static const double angle = 0.5, radius = 0.1;
    contactMesh(s, bowl, 0.7, 40);
    const double size = 1 - radius;
    pairOf(s, contactBall(s, 2, radius, size * sin(angle), 0.013, 1 - size * cos(angle)), NULL, 2 * SCENE_GRAVITY);
}

static void addSmoothBowl(ContactScene *s)
{
    s->machine.mu = 0;
    addBowl(s);
}

static void addHills(ContactScene *s)
{
    contactMesh(s, hills, 1.5, CONTACT_SQUARES);
    dBodyID ball = contactBall(s, 2, 0.1, -0.2, 0, 0.2);
    dBodySetLinearVel(ball, 0.7, 0.3, 0);
    pairOf(s, ball, NULL, 2 * SCENE_GRAVITY);
}

static void addField(ContactScene *s)
{
    static float height[CONTACT_SQUARES + 1][CONTACT_SQUARES + 1];
    for (int i = 0; i <= CONTACT_SQUARES; i++)
        for (int j = 0; j <= CONTACT_SQUARES; j++)
            height[j][i] = (float)hills(3.0 * i / CONTACT_SQUARES - 1.5, 3.0 * j / CONTACT_SQUARES - 1.5);
    s->field = dGeomHeightfieldDataCreate();
    dGeomHeightfieldDataBuildSingle(s->field, height[0], 1, 3, 3, CONTACT_SQUARES + 1, CONTACT_SQUARES + 1, 1, 0, 0.1,
                                    0);
    lyingAt(dCreateHeightfield(s->machine.space, s->field, 1), 0, 0);
    dGeomDisable(s->machine.floor);
    dBodyID ball = contactBall(s, 2, 0.1, -0.2, 0, 0.2);
    dBodySetLinearVel(ball, 0.7, 0.3, 0);
    pairOf(s, ball, NULL, 2 * SCENE_GRAVITY);
}

/* --- Discs, tops and rods --- */

/* A plate that is set down tilted, and spins. */
static void addPlate(ContactScene *s, double thickness, double angle, double spin)
{
    dBodyID plate = contactCylinder(s, 1, 0.2, thickness, 0.2 * sin(angle) + thickness / 2 * cos(angle));
    contactTurn(plate, 1, 0, 0, angle);
    dBodySetAngularVel(plate, 0, 0, spin);
    pairOf(s, plate, NULL, SCENE_GRAVITY);
}

static void addWobbling(ContactScene *s)
{
    addPlate(s, 0.02, 0.2, 3);
}

static void addSpinning(ContactScene *s)
{
    addPlate(s, 0.04, M_PI / 3, 12);
}

static void addTopOnFoot(ContactScene *s)
{
    static const double angle = 0.3, spin = 60, length = 0.2, radius = 0.02;
    dMass of;
    dMassSetCylinderTotal(&of, 1, 3, 0.15, 0.05);
    dBodyID top = contactBody(s, &of, length * sin(angle), 0, radius + length * cos(angle), NULL);
    contactFoot(s, top, radius, 0, 0, -length);
    contactTurn(top, 0, 1, 0, angle);
    dBodySetAngularVel(top, spin * sin(angle), 0, spin * cos(angle));
    pairOf(s, top, NULL, SCENE_GRAVITY);
}

/* Two balls on an axle roll in a circle, like a cone. */
static void addCone(ContactScene *s)
{
    static const double large = 0.1, little = 0.05, half = 0.2, spin = 12;
    dMass of;
    dMassSetSphereTotal(&of, 2, large);
    dBodyID cone = contactBody(s, &of, 0, 0, (large + little) / 2, NULL);
    contactFoot(s, cone, large, half, 0, 0);
    contactFoot(s, cone, little, -half, 0, 0);
    contactTurn(cone, 0, 1, 0, -asin((large - little) / (2 * half)));
    dBodySetAngularVel(cone, spin, 0, 0);
    dBodySetLinearVel(cone, 0, -spin * (large + little) / 2, 0);
    pairOf(s, cone, NULL, 2 * SCENE_GRAVITY);
}

static const double rodMass = 2, rodHalf = 0.5, rodRadius = 0.03;

/* The rod slides on a smooth floor as it falls over: N = m (g - l w^2 cos a) / (1 + m l^2 sin^2 a /
 * I). */
static void turnRod(ContactScene *s)
{
    dMass of;
    const dBodyID rod = s->machine.box[0];
    const double up = dBodyGetRotation(rod)[10], across = sqrt(1 - up * up), w = dBodyGetAngularVel(rod)[1];
    dBodyGetMass(rod, &of);
    const double force = rodMass * (SCENE_GRAVITY - rodHalf * w * w * up) /
                         (1 + rodMass * rodHalf * rodHalf * across * across / of.I[0]);
    s->pair[0].low[2] = s->pair[0].high[2] = force;
}

static void addSlidingRod(ContactScene *s)
{
    static const double angle = 0.3;
    dMass of;
    s->machine.mu = 0;
    dMassSetCapsuleTotal(&of, rodMass, 3, rodRadius, 2 * rodHalf);
    dBodyID rod = contactBody(s, &of, 0, 0, rodRadius + rodHalf * cos(angle),
                              dCreateCapsule(s->machine.space, rodRadius, 2 * rodHalf));
    contactTurn(rod, 0, 1, 0, angle);
    contactPair(s, rod, NULL, 0, 0, rodMass * SCENE_GRAVITY);
}

/* --- Over edges, and on drums --- */

static void addOverEdge(ContactScene *s)
{
    s->machine.mu = 0.2;
    dBodyID table = contactFixed(s, (double[]){1, 1, 0.2}, -0.5, 0, 0.9, 0);
    dBodyID box = machineBox(&s->machine, 2, (double[]){0.3, 0.2, 0.1}, -0.3, 0, 1.05, true);
    dBodySetLinearVel(box, 1.15, 0, 0);
    pairOf(s, box, table, 2 * SCENE_GRAVITY);
}

/* A plank rocks on a drum. */
static void addDrum(ContactScene *s)
{
    static const double angle = 0.3, radius = 0.3, half = 0.05;
    lyingAt(dCreateCylinder(s->machine.space, radius, 2), 0, 0);
    dGeomDisable(s->machine.floor);
    const double out = radius + half, along = radius * angle;
    dBodyID plank = machineBox(&s->machine, 2, (double[]){0.8, 0.2, 2 * half}, out * sin(angle) - along * cos(angle), 0,
                               out * cos(angle) + along * sin(angle), true);
    contactTurn(plank, 0, 1, 0, angle);
    pairOf(s, plank, NULL, 2 * SCENE_GRAVITY);
}

static void addCapsules(ContactScene *s)
{
    dMass of;
    lyingAt(dCreateCapsule(s->machine.space, 0.2, 2), 0, 0);
    dGeomDisable(s->machine.floor);
    dMassSetCapsuleTotal(&of, 2, 3, 0.05, 1);
    dBodyID on = contactBody(s, &of, 0.02, 0, 0.25, dCreateCapsule(s->machine.space, 0.05, 1));
    contactTurn(on, 0, 1, 0, M_PI / 2 + 0.1);
    pairOf(s, on, NULL, 2 * SCENE_GRAVITY);
}

static void addBumps(ContactScene *s)
{
    for (int i = 1; i <= 5; i++)
        lyingAt(dCreateCapsule(s->machine.space, 0.05, 2), i, -0.02);
    dBodyID wheel = contactCylinder(s, 5, 0.3, 0.3, 0.3);
    contactTurn(wheel, 1, 0, 0, M_PI / 2);
    dBodySetLinearVel(wheel, 1.5, 0, 0);
    dBodySetAngularVel(wheel, 0, 5, 0);
    pairOf(s, wheel, NULL, 5 * SCENE_GRAVITY);
}

/* Tolerances: contact places and normals of the last step are half a step old, and a contact
 * crosses several faces of a mesh in one step. */
const ContactForm contactCurvedForms[] = {{"bowl", addBowl, NULL, NULL, 0.3, 3, false, 3e-2, 1e-5},
                                          {"bowl-smooth", addSmoothBowl, NULL, NULL, 0.3, 3, false, 4e-2, 1e-5},
                                          {"hills", addHills, NULL, NULL, 0.3, 3, false, 1e-2, 1e-5},
                                          {"field", addField, NULL, NULL, 0.3, 3, false, 2e-2, 1e-5},
                                          {"plate-wobbles", addWobbling, NULL, NULL, 0.2, 2, false, 3e-2, 1e-5},
                                          {"plate-spins", addSpinning, NULL, NULL, 0.2, 2, false, 3e-2, 1e-5},
                                          {"top", addTopOnFoot, NULL, NULL, 0.1, 2, false, 2e-1, 1e-5},
                                          {"cone-rolls", addCone, NULL, NULL, 0.2, 2, false, 1e-2, 1e-5},
                                          {"rod-slides", addSlidingRod, turnRod, NULL, 0.1, 0.4, false, 2e-2, 1e-5},
                                          {"box-over-edge", addOverEdge, NULL, NULL, 0.05, 1.2, false, 1e-2, 1e-5},
                                          {"plank-on-drum", addDrum, NULL, NULL, 0.2, 3, false, 2e-3, 1e-5},
                                          {"capsule-on-capsule", addCapsules, NULL, NULL, 0.2, 2, false, 1e-3, 1e-5},
                                          {"wheel-over-bumps", addBumps, NULL, NULL, 0.2, 3, false, 3e-2, 1e-5},
                                          {NULL, NULL, NULL, NULL, 0, 0, false, 0, 0}};
