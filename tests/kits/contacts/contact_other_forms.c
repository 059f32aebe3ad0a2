/* contact_other_forms.c  More bodies in contact: on ramps and edges, in corners, on moving bodies,
 * on several legs. */
#include "contact_forms.h"
#include "contact_scenes.h"

static const double ramp = 0.35;

/* A crate sticks to a ramp that is a body. */
static void addRamp(ContactScene *s)
{
    const double up = 0.05 + 0.1; /* half sizes of both */
    dBodyID under = contactFixed(s, (double[]){2, 1, 0.1}, 0, 0, 1, ramp);
    dBodyID on = machineBox(&s->machine, 3, (double[]){0.3, 0.3, 0.2}, up * sin(ramp), 0, 1 + up * cos(ramp), true);
    contactTurn(on, 0, 1, 0, ramp);
    contactPair(s, on, under, 0, 0, 3 * SCENE_GRAVITY);
}

static const double dominoMass = 2, dominoHalf[3] = {0.05, 0.15, 0.3};

/* It falls like a rigid pendulum about its edge. */
static void turnDomino(ContactScene *s)
{
    dVector3 edge;
    dBodyID body = s->machine.box[0];
    dBodyGetRelPointPos(body, dominoHalf[0], 0, -dominoHalf[2], edge);
    const double x = dBodyGetPosition(body)[0] - edge[0], z = dBodyGetPosition(body)[2] - edge[2];
    const double square = x * x + z * z, w = dBodyGetAngularVel(body)[1];
    const double gained = SCENE_GRAVITY * x / (square * 4 / 3); /* angular velocity of a box that
                                                                   falls about its edge */
    const double force[3] = {dominoMass * (gained * z - w * w * x), 0,
                             dominoMass * (SCENE_GRAVITY - gained * x - w * w * z)};
    for (int k = 0; k < 3; k++)
        contactBetween(&s->pair[0], k, force[k], force[k], dominoMass * SCENE_GRAVITY);
}

/* The domino falls over its lower edge, which sticks. */
static void addDomino(ContactScene *s)
{
    static const double angle = 0.2;
    const double x = dominoHalf[0] * cos(angle) - dominoHalf[2] * sin(angle);
    const double z = dominoHalf[0] * sin(angle) + dominoHalf[2] * cos(angle);
    const double size[3] = {2 * dominoHalf[0], 2 * dominoHalf[1], 2 * dominoHalf[2]};
    dBodyID body = machineBox(&s->machine, dominoMass, size, -x, 0, z, true);
    contactTurn(body, 0, 1, 0, angle);
    contactPair(s, body, NULL, 0, 0, 0);
}

/* A wheel in front and two legs behind: moments determine both forces. The wheel turns freely, so
 * it has no force along x. */
static void addWheelbarrow(ContactScene *s)
{
    Machine *m = &s->machine;
    const double g = SCENE_GRAVITY, wheelAt = 0.5, legsAt = 0.3;
    dBodyID barrow = machineBox(m, 20, (double[]){0.8, 0.5, 0.2}, 0, 0, 0.4, false);
    dBodyID wheel = contactBall(s, 2, 0.15, wheelAt, 0, 0.15);
    dJointID hinge = dJointCreateHinge(m->world, 0);
    dJointAttach(hinge, barrow, wheel);
    dJointSetHingeAnchor(hinge, wheelAt, 0, 0.15);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    for (int side = -1; side <= 1; side += 2)
        contactFoot(s, barrow, 0.03, -legsAt, 0.2 * side, -0.37);
    contactPair(s, wheel, NULL, 0, NAN, (2 + 20 * legsAt / (legsAt + wheelAt)) * g);
    contactPair(s, barrow, NULL, 0, NAN, 20 * wheelAt / (legsAt + wheelAt) * g);
}

static const double seesawHalf = 0.8, seesawHeight = 0.3, seesawMass[2] = {2, 3};

/* Moments about the hinge: friction along the ground also acts about it, up to its bound. */
static void turnSeesaw(ContactScene *s)
{
    dVector3 end;
    double moment = 0;
    dBodyGetRelPointPos(s->machine.box[0], seesawHalf, 0, -0.025, end);
    for (int i = 0; i < 3; i++)
        moment += (i ? seesawMass[i - 1] : 4) * SCENE_GRAVITY * dBodyGetPosition(s->machine.box[i])[0];
    contactBetween(&s->pair[2], 2, moment / (end[0] + seesawHeight), moment / (end[0] - seesawHeight), moment / end[0]);
}

static void addSeesaw(ContactScene *s)
{
    Machine *m = &s->machine;
    double angle = 0;
    for (int i = 0; i < 20; i++)
        angle = asin((seesawHeight - 0.025 * cos(angle)) / seesawHalf);
    dBodyID plank = machineBox(m, 4, (double[]){2 * seesawHalf, 0.3, 0.05}, 0, 0, seesawHeight, true);
    contactTurn(plank, 0, 1, 0, angle);
    dJointID hinge = dJointCreateHinge(m->world, 0);
    dJointAttach(hinge, plank, NULL);
    dJointSetHingeAnchor(hinge, 0, 0, seesawHeight);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    for (int i = 0; i < 2; i++) {
        dVector3 at;
        dBodyGetRelPointPos(plank, i ? 0.5 : -0.5, 0, 0.075, at);
        dBodyID box = machineBox(m, seesawMass[i], (double[]){0.1, 0.1, 0.1}, at[0], 0, at[2], true);
        contactTurn(box, 0, 1, 0, angle);
        contactPair(s, box, plank, 0, 0, seesawMass[i] * SCENE_GRAVITY);
    }
    contactPair(s, plank, NULL, NAN, NAN, 0);
}

static void addCapsule(ContactScene *s)
{
    dMass mass;
    dMassSetCapsuleTotal(&mass, 4, 3, 0.1, 0.6);
    dBodyID body = contactBody(s, &mass, 0, 0, 0.1, dCreateCapsule(s->machine.space, 0.1, 0.6));
    contactTurn(body, 0, 1, 0, M_PI / 2);
    dBodySetLinearVel(body, 0, 1, 0);
    dBodySetAngularVel(body, -10, 0, 0);
    contactPair(s, body, NULL, 0, 0, 4 * SCENE_GRAVITY);
}

static void addStandingCylinder(ContactScene *s)
{
    contactPair(s, contactCylinder(s, 2, 0.1, 0.4, 0.2), NULL, 0, 0, 2 * SCENE_GRAVITY);
}

/* A rolling cylinder has a friction of a third of the force across its axis, a ball two sevenths.
 * Along the axis a cylinder sticks, but it may turn slightly. */
static void turnCylinder(ContactScene *s)
{
    const dReal *turn = dBodyGetRotation(s->machine.box[0]);
    const double length = hypot(turn[2], turn[6]), axis[2] = {turn[2] / length, turn[6] / length};
    const double pull = 2 * SCENE_GRAVITY * sin(ramp), along = axis[0];
    for (int k = 0; k < 2; k++) {
        const double across = (k == 0) - along * axis[k], force = -pull * (across / 3 + along * axis[k]);
        contactBetween(&s->pair[0], k, force, force, s->pair[0].load);
    }
}

static void addCylinderDownhill(ContactScene *s)
{
    const double weight = 2 * SCENE_GRAVITY;
    contactLean(s, ramp);
    dBodyID body = contactCylinder(s, 2, 0.1, 0.4, 0.1);
    contactTurn(body, 1, 0, 0, M_PI / 2);
    contactPair(s, body, NULL, 0, 0, weight * cos(ramp));
}

static void addBallDownhill(ContactScene *s)
{
    const double weight = 2 * SCENE_GRAVITY;
    contactLean(s, ramp);
    dBodyID ball = contactBall(s, 2, 0.1, 0, 0, 0.1);
    contactPair(s, ball, NULL, -weight * sin(ramp) * 2 / 7, 0, weight * cos(ramp));
}

static const double domeRadius = 0.5, domeBall = 0.1;

/* On the dome the ball has its weight across the surface less the centripetal force, and two
 * sevenths of its weight along it. */
static void turnOnDome(ContactScene *s)
{
    const dReal *at = dBodyGetPosition(s->machine.box[0]), *v = dBodyGetLinearVel(s->machine.box[0]);
    const double size = hypot(at[0], at[2]), up[2] = {at[0] / size, at[2] / size}, weight = 2 * SCENE_GRAVITY;
    const double normal = weight * up[1] - 2 * (v[0] * v[0] + v[2] * v[2]) / size, along = weight * up[0] * 2 / 7;
    const double force[3] = {normal * up[0] - along * up[1], 0, normal * up[1] + along * up[0]};
    for (int k = 0; k < 3; k++)
        contactBetween(&s->pair[0], k, force[k], force[k], weight);
}

static void addDome(ContactScene *s)
{
    static const double angle = 0.2;
    const double size = domeRadius + domeBall;
    dGeomDisable(s->machine.floor);
    dCreateSphere(s->machine.space, domeRadius);
    contactPair(s, contactBall(s, 2, domeBall, size * sin(angle), 0, size * cos(angle)), NULL, 0, 0, 2 * SCENE_GRAVITY);
}

static void addCoin(ContactScene *s)
{
    dBodyID coin = contactCylinder(s, 1, 0.2, 0.04, 0.2);
    contactTurn(coin, 1, 0, 0, M_PI / 2);
    dBodySetLinearVel(coin, 2, 0, 0);
    dBodySetAngularVel(coin, 0, 10, 0);
    contactPair(s, coin, NULL, 0, 0, SCENE_GRAVITY);
}

/* A box between two smooth planks at right angles: each pushes along its normal. */
static void addWedge(ContactScene *s)
{
    static const double half = 0.1, thick = 0.1, along = 0.5;
    const double r = sqrt(0.5), push = 3 * SCENE_GRAVITY * r;
    s->machine.mu = 0;
    dBodyID box = machineBox(&s->machine, 3, (double[]){2 * half, 2 * half, 2 * half}, 0, 0, 1 + half / r, true);
    contactTurn(box, 0, 1, 0, M_PI / 4);
    for (int side = -1; side <= 1; side += 2) {
        dBodyID plank = contactFixed(s, (double[]){2 * along, 1, 2 * thick}, side * r * (along + thick), 0,
                                     1 + r * (along - thick), -side * M_PI / 4);
        contactPair(s, box, plank, -side * push * r, 0, push * r);
    }
}

static const double bookMass = 1.5, bookHalf[3] = {0.025, 0.1, 0.2};

/* Moments about the book's lower edge. */
static void turnBook(ContactScene *s)
{
    dVector3 foot, top;
    dBodyID book = s->machine.box[0];
    dBodyGetRelPointPos(book, bookHalf[0], 0, -bookHalf[2], foot);
    dBodyGetRelPointPos(book, bookHalf[0], 0, bookHalf[2], top);
    const double arm = dBodyGetPosition(book)[0] - foot[0], push = bookMass * SCENE_GRAVITY * arm / (top[2] - foot[2]);
    for (int i = 0; i < 2; i++)
        contactBetween(&s->pair[i], 0, i ? -push : push, i ? -push : push, i ? push : bookMass * SCENE_GRAVITY);
}

/* A book leans on a smooth wall, on edges. */
static void addBook(ContactScene *s)
{
    static const double angle = 0.4;
    const double size[3] = {2 * bookHalf[0], 2 * bookHalf[1], 2 * bookHalf[2]};
    dBodyID book =
        machineBox(&s->machine, bookMass, size, 0, 0, bookHalf[0] * sin(angle) + bookHalf[2] * cos(angle), true);
    contactTurn(book, 0, 1, 0, angle);
    s->machine.smooth =
        contactFixed(s, (double[]){0.2, 1, 1}, 0.1 + bookHalf[0] * cos(angle) + bookHalf[2] * sin(angle), 0, 0.6, 0);
    contactPair(s, book, NULL, 0, 0, bookMass * SCENE_GRAVITY);
    contactPair(s, book, s->machine.smooth, 0, 0, 0);
}

static const double cratePush = 20;

static void pushCrate(ContactScene *s)
{
    dBodyAddForce(s->machine.box[0], cratePush, 0, 0);
}

static dBodyID addCrate(ContactScene *s, double mu)
{
    s->machine.mu = mu;
    return machineBox(&s->machine, 4, (double[]){0.4, 0.4, 0.4}, 0, 0, 0.2, true);
}

static void addHeldCrate(ContactScene *s)
{
    contactPair(s, addCrate(s, 1), NULL, -cratePush, 0, 4 * SCENE_GRAVITY);
}

static void addPushedCrate(ContactScene *s)
{
    contactPair(s, addCrate(s, 0.3), NULL, -0.3 * 4 * SCENE_GRAVITY, 0, 4 * SCENE_GRAVITY);
}

/* The floor and two walls each take a component of the weight. */
static void addCorner(ContactScene *s)
{
    const double x = 0.3 * SCENE_GRAVITY, y = 0.2 * SCENE_GRAVITY, z = 0.9 * SCENE_GRAVITY;
    s->machine.mu = 0;
    dWorldSetGravity(s->machine.world, x, y, -z);
    dBodyID ball = contactBall(s, 2, 0.1, 0, 0, 0.1);
    dBodyID right = contactFixed(s, (double[]){0.2, 1, 1}, 0.2, -0.4, 0.4, 0);
    dBodyID behind = contactFixed(s, (double[]){1, 0.2, 1}, -0.4, 0.2, 0.4, 0);
    contactPair(s, ball, NULL, 0, 0, 2 * z);
    contactPair(s, ball, right, -2 * x, 0, 0);
    contactPair(s, ball, behind, 0, -2 * y, 0);
}

/* A leg welded beneath the top, on a ball. */
static dBodyID leg(ContactScene *s, dBodyID top, double x, double y)
{
    dBodyID body = machineBox(&s->machine, 1, (double[]){0.05, 0.05, 0.4}, x, y, 0.3, false);
    contactFoot(s, body, 0.03, 0, 0, -0.27);
    dJointID weld = dJointCreateFixed(s->machine.world, 0);
    dJointAttach(weld, top, body);
    dJointSetFixed(weld);
    return body;
}

/* Two legs on one diagonal can carry everything. */
static void addTable(ContactScene *s)
{
    dBodyID top = machineBox(&s->machine, 10, (double[]){1, 0.6, 0.05}, 0, 0, 0.525, false);
    for (int i = 0; i < 4; i++) {
        dBodyID foot = leg(s, top, i & 1 ? 0.45 : -0.45, i & 2 ? 0.25 : -0.25);
        contactBetween(contactPair(s, foot, NULL, NAN, NAN, 0), 2, 0, 7 * SCENE_GRAVITY, 3.5 * SCENE_GRAVITY);
    }
}

/* The load of each foot is proportional to the area of the triangle of the mass centre and the two
 * other feet. */
static void turnTripod(ContactScene *s)
{
    double foot[3][2], centre[2] = {0, 0}, area[3], all = 0;
    for (int i = 0; i < 4; i++) {
        dVector3 at;
        dBodyGetRelPointPos(s->machine.box[i], 0, 0, -0.27, at);
        for (int k = 0; k < 2; k++) {
            centre[k] += (i ? 1 : 10) * dBodyGetPosition(s->machine.box[i])[k] / 13;
            if (i > 0)
                foot[i - 1][k] = at[k];
        }
    }
    for (int i = 0; i < 3; i++) {
        const double *a = foot[(i + 1) % 3], *b = foot[(i + 2) % 3];
        area[i] = (a[0] - centre[0]) * (b[1] - centre[1]) - (a[1] - centre[1]) * (b[0] - centre[0]);
        all += area[i];
    }
    for (int i = 0; i < 3; i++)
        s->pair[i].low[2] = s->pair[i].high[2] = 13 * SCENE_GRAVITY * area[i] / all;
}

static void addTripod(ContactScene *s)
{
    static const double radius = 0.4, off = 0.05;
    dBodyID top = machineBox(&s->machine, 10, (double[]){0.8, 0.8, 0.05}, off, 0, 0.525, false);
    for (int i = 0; i < 3; i++) {
        const double angle = 2 * M_PI * i / 3;
        dBodyID foot = leg(s, top, radius * cos(angle), radius * sin(angle));
        contactPair(s, foot, NULL, NAN, NAN, 13 * SCENE_GRAVITY / 3);
    }
}

static const double railHalf = 0.06, railTop = 0.5;

/* Each rail pushes from its edge towards the centre of the ball. */
static void turnRails(ContactScene *s)
{
    const double up = dBodyGetPosition(s->machine.box[0])[2] - railTop;
    for (int i = 0; i < 2; i++) {
        const double across = (i ? -1 : 1) * SCENE_GRAVITY * railHalf / up;
        s->pair[i].low[0] = s->pair[i].high[0] = across;
    }
}

/* A ball of 2 kg on the edges of two smooth rails. */
static void addRails(ContactScene *s)
{
    static const double radius = 0.1;
    const double up = sqrt(radius * radius - railHalf * railHalf);
    s->machine.mu = 0;
    dBodyID ball = contactBall(s, 2, radius, 0, 0, railTop + up);
    for (int side = -1; side <= 1; side += 2) {
        dBodyID rail = contactFixed(s, (double[]){0.2, 2, 0.1}, side * (railHalf + 0.1), 0, railTop - 0.05, 0);
        contactPair(s, ball, rail, -side * SCENE_GRAVITY * railHalf / up, 0, SCENE_GRAVITY);
    }
}

static void addOverhang(ContactScene *s)
{
    dBodyID below = NULL;
    for (int i = 0; i < 3; i++) {
        dBodyID on = machineBox(&s->machine, 1 + i, (double[]){0.4, 0.2, 0.1}, 0.06 * i, 0, 0.05 + 0.1 * i, true);
        contactPair(s, on, below, 0, 0, (i == 0 ? 6 : i == 1 ? 5 : 3) * SCENE_GRAVITY);
        below = on;
    }
}

static void addHeavyOnLight(ContactScene *s)
{
    dBodyID light = machineBox(&s->machine, 1, (double[]){0.3, 0.3, 0.2}, 0, 0, 0.1, true);
    dBodyID heavy = machineBox(&s->machine, 100, (double[]){0.3, 0.3, 0.2}, 0, 0, 0.3, true);
    contactPair(s, light, NULL, 0, 0, 101 * SCENE_GRAVITY);
    contactPair(s, heavy, light, 0, 0, 100 * SCENE_GRAVITY);
}

static const double turning = 2;

static void turnDisc(ContactScene *s)
{
    const dReal *at = dBodyGetPosition(s->machine.box[1]);
    for (int k = 0; k < 2; k++)
        s->pair[0].low[k] = s->pair[0].high[k] = -2 * turning * turning * at[k];
}

/* Friction pulls a box on a disc towards the axis of the disc. */
static void addDisc(ContactScene *s)
{
    dBodyID disc = contactFixed(s, (double[]){2, 2, 0.1}, 0, 0, 0.5, 0);
    dBodyID box = machineBox(&s->machine, 2, (double[]){0.2, 0.2, 0.2}, 0.5, 0, 0.65, true);
    dBodySetAngularVel(disc, 0, 0, turning);
    dBodySetAngularVel(box, 0, 0, turning);
    dBodySetLinearVel(box, 0, 0.5 * turning, 0);
    contactPair(s, box, disc, 0, 0, 2 * SCENE_GRAVITY);
}

static void raise(ContactScene *s)
{
    const double speed = 0.2 * sin(5 * s->time), before = dBodyGetLinearVel(s->machine.box[0])[2];
    dBodySetLinearVel(s->machine.box[0], 0, 0, speed);
    s->pair[0].low[2] = s->pair[0].high[2] = 2 * (SCENE_GRAVITY + (speed - before) / s->h);
}

static void addLift(ContactScene *s)
{
    dBodyID platform = contactFixed(s, (double[]){1, 1, 0.1}, 0, 0, 1, 0);
    dBodyID box = machineBox(&s->machine, 2, (double[]){0.2, 0.2, 0.2}, 0, 0, 1.15, true);
    contactPair(s, box, platform, 0, 0, 2 * SCENE_GRAVITY);
}

/* A piston presses a box with 100 N. */
static void addPress(ContactScene *s)
{
    Machine *m = &s->machine;
    dBodyID box = machineBox(m, 2, (double[]){0.2, 0.2, 0.2}, 0, 0, 0.1, true);
    dBodyID piston = machineBox(m, 2, (double[]){0.1, 0.1, 0.1}, 0, 0, 0.25, true);
    dJointID slider = dJointCreateSlider(m->world, 0);
    dJointAttach(slider, piston, NULL);
    dJointSetSliderAxis(slider, 0, 0, 1);
    dJointSetSliderParam(slider, dParamFMax, 100);
    dJointSetSliderParam(slider, dParamVel, -1);
    contactPair(s, box, NULL, NAN, NAN, 100 + 4 * SCENE_GRAVITY);
    contactPair(s, piston, box, NAN, NAN, 100 + 2 * SCENE_GRAVITY);
}

static void addTop(ContactScene *s)
{
    dBodyID ball = contactBall(s, 2, 0.1, 0, 0, 0.1);
    dBodySetAngularVel(ball, 0, 0, 20);
    contactPair(s, ball, NULL, 0, 0, 2 * SCENE_GRAVITY);
}

const ContactForm contactOtherForms[] = {
    {"ramp", addRamp, NULL, NULL, 1, 4, true, 1e-3, 1e-5},
    {"domino-tips", addDomino, turnDomino, NULL, 0.15, 0.4, true, 1e-3, 1e-5},
    {"wheelbarrow", addWheelbarrow, NULL, NULL, 1, 4, true, 1e-3, 1e-5},
    {"seesaw", addSeesaw, turnSeesaw, NULL, 1, 4, false, 1e-3, 1e-5},
    {"capsule-rolls", addCapsule, NULL, NULL, 1, 4, true, 1e-3, 1e-5},
    {"cylinder-stands", addStandingCylinder, NULL, NULL, 1, 4, true, 1e-3, 1e-5},
    {"cylinder-downhill", addCylinderDownhill, turnCylinder, NULL, 0.5, 2, true, 1e-3, 2e-5},
    {"ball-downhill", addBallDownhill, NULL, NULL, 0.5, 2, true, 1e-3, 1e-5},
    {"ball-on-dome", addDome, turnOnDome, NULL, 0.2, 0.5, true, 1e-2, 1e-5},
    {"coin-rolls", addCoin, NULL, NULL, 0.5, 2, false, 1e-3, 1e-5},
    {"wedge", addWedge, NULL, NULL, 1, 4, true, 1e-3, 1e-5},
    {"book-leans", addBook, turnBook, NULL, 1, 4, true, 1e-3, 1e-5},
    {"crate-held", addHeldCrate, pushCrate, NULL, 1, 4, true, 1e-3, 1e-5},
    {"crate-pushed", addPushedCrate, pushCrate, NULL, 0.5, 3, true, 1e-3, 1e-5},
    {"corner", addCorner, NULL, NULL, 1, 4, true, 1e-3, 1e-5},
    {"table", addTable, NULL, NULL, 1, 4, false, 1e-3, 1e-5},
    {"tripod", addTripod, turnTripod, NULL, 1, 4, false, 1e-3, 1e-5},
    {"rails", addRails, turnRails, NULL, 1, 4, true, 1e-3, 1e-5},
    {"overhang", addOverhang, NULL, NULL, 1, 4, true, 1e-3, 1e-5},
    {"heavy-on-light", addHeavyOnLight, NULL, NULL, 1, 4, false, 5e-2, 1e-5},
    {"disc", addDisc, turnDisc, NULL, 1, 4, false, 2e-3, 1e-5},
    {"lift", addLift, raise, NULL, 1, 4, false, 1e-3, 1e-5},
    {"press", addPress, NULL, NULL, 1, 4, true, 1e-3, 1e-5},
    {"ball-spins", addTop, NULL, NULL, 1, 4, true, 1e-3, 1e-5},
    {NULL, NULL, NULL, NULL, 0, 0, false, 0, 0}};
