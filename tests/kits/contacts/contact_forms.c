/* contact_forms.c  Bodies at rest, sliding and rolling, machines with servos, and a car. */
#include "contact_forms.h"
#include "contact_scenes.h"

ContactPair *contactPair(ContactScene *s, dBodyID on, dBodyID by, double x, double y, double z)
{
    ContactPair *pair = &s->pair[s->count++];
    *pair = (ContactPair){.on = on, .by = by, .low = {x, y, z}, .high = {x, y, z}};
    pair->load = sqrt(fmax(0, x * x) + fmax(0, y * y) + fmax(0, z * z));
    return pair;
}

void contactBetween(ContactPair *pair, int k, double low, double high, double load)
{
    pair->low[k] = low;
    pair->high[k] = high;
    pair->load = load;
}

void contactLean(ContactScene *s, double angle)
{
    dWorldSetGravity(s->machine.world, SCENE_GRAVITY * sin(angle), 0, -SCENE_GRAVITY * cos(angle));
}

dBodyID contactBody(ContactScene *s, const dMass *mass, double x, double y, double z, dGeomID geom)
{
    Machine *m = &s->machine;
    dBodyID body = dBodyCreate(m->world);
    dBodySetMass(body, mass);
    dBodySetPosition(body, x, y, z);
    if (geom)
        dGeomSetBody(geom, body);
    m->weight += mass->mass * SCENE_GRAVITY;
    m->box[m->boxes++] = body;
    return body;
}

dBodyID contactBall(ContactScene *s, double mass, double radius, double x, double y, double z)
{
    dMass of;
    dMassSetSphereTotal(&of, mass, radius);
    return contactBody(s, &of, x, y, z, dCreateSphere(s->machine.space, radius));
}

dBodyID contactFixed(ContactScene *s, const double size[3], double x, double y, double z, double turn)
{
    dMatrix3 about;
    dBodyID body = machineBox(&s->machine, 1, size, x, y, z, true);
    dRFromAxisAndAngle(about, 0, 1, 0, turn);
    dBodySetRotation(body, about);
    dBodySetKinematic(body);
    return body;
}

void contactFoot(ContactScene *s, dBodyID body, double radius, double x, double y, double z)
{
    dGeomID ball = dCreateSphere(s->machine.space, radius);
    dGeomSetBody(ball, body);
    dGeomSetOffsetPosition(ball, x, y, z);
}

void contactMesh(ContactScene *s, double (*height)(double, double), double half, int squares)
{
    static float corner[(CONTACT_SQUARES + 1) * (CONTACT_SQUARES + 1)][3];
    static dTriIndex triangle[2 * CONTACT_SQUARES * CONTACT_SQUARES][3];
    int count = 0;
    ck_assert_int_le(squares, CONTACT_SQUARES);
    ck_assert_ptr_null(s->mesh);  // ODE keeps the arrays
    for (int i = 0; i <= squares; i++)
        for (int j = 0; j <= squares; j++) {
            const double x = half * (2.0 * i / squares - 1), y = half * (2.0 * j / squares - 1);
            float *at = corner[i * (squares + 1) + j];
            at[0] = (float)x;
            at[1] = (float)y;
            at[2] = (float)height(x, y);
        }
    for (int i = 0; i < squares; i++)
        for (int j = 0; j < squares; j++) {
            const dTriIndex a = (dTriIndex)(i * (squares + 1) + j), c = a + (dTriIndex)squares + 1;
            memcpy(triangle[count++], (dTriIndex[]){a, c, c + 1}, sizeof *triangle);
            memcpy(triangle[count++], (dTriIndex[]){a, c + 1, a + 1}, sizeof *triangle);
        }
    s->mesh = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(s->mesh, corner, sizeof *corner, (squares + 1) * (squares + 1), triangle, 3 * count,
                                sizeof *triangle);
    dCreateTriMesh(s->machine.space, s->mesh, NULL, NULL, NULL);
    dGeomDisable(s->machine.floor);
}

static dBodyID box(ContactScene *s, double mass, double x, double z)
{
    return machineBox(&s->machine, mass, (double[]){0.3, 0.2, 0.2}, x, 0, z, true);
}

static void addOneBox(ContactScene *s)
{
    contactPair(s, box(s, 2, 0, 0.1), NULL, 0, 0, 2 * SCENE_GRAVITY);
}

/* Each pair carries the weight above it. */
static void addStack(ContactScene *s, int count)
{
    dBodyID below = NULL;
    for (int i = 0; i < count; i++) {
        dBodyID on = box(s, 2, 0.01 * (i & 1), 0.1 + 0.2 * i);
        contactPair(s, on, below, 0, 0, 2 * SCENE_GRAVITY * (count - i));
        below = on;
    }
}

static void addStackOfTwo(ContactScene *s)
{
    addStack(s, 2);
}

static void addStackOfFive(ContactScene *s)
{
    addStack(s, 5);
}

static void addStackOfTen(ContactScene *s)
{
    addStack(s, 10);
}

static const double rodMass = 10, rodLength = 2, rodBall = 0.03;

/* Moments about the lower balls' points: the points on the wall are a radius higher than the
 * centres of their balls. */
static void turnLadder(ContactScene *s)
{
    dVector3 foot, top;
    dBodyGetRelPointPos(s->machine.box[0], 0, 0, -rodLength / 2, foot);
    dBodyGetRelPointPos(s->machine.box[0], 0, 0, rodLength / 2, top);
    const double push = rodMass * SCENE_GRAVITY * 0.5 * (top[0] - foot[0]) / (top[2] - foot[2] + rodBall);
    s->pair[0].low[0] = s->pair[0].high[0] = push;
    s->pair[1].low[0] = s->pair[1].high[0] = -push;
    s->pair[1].load = push;
}

/* A rod on balls leans on a smooth wall, which is a kinematic body: moments determine both forces. */
static void addLadder(ContactScene *s)
{
    static const double angle = 1, wallAt = 1.2;
    Machine *m = &s->machine;
    const double along = rodLength * cos(angle), up = rodLength * sin(angle);
    dBodyID rod = machineBox(m, rodMass, (double[]){0.05, 0.4, rodLength}, wallAt - rodBall - along / 2, 0,
                             rodBall + up / 2, false);
    dMatrix3 turn;
    m->smooth = contactFixed(s, (double[]){0.2, 2, 4}, wallAt + 0.1, 0, 2.5, 0);
    dRFromAxisAndAngle(turn, 0, 1, 0, M_PI / 2 - angle);
    dBodySetRotation(rod, turn);
    for (int end = -1; end <= 1; end += 2)
        for (int side = -1; side <= 1; side += 2)
            contactFoot(s, rod, rodBall, 0, 0.2 * side, end * rodLength / 2);
    contactPair(s, rod, NULL, 0, 0, rodMass * SCENE_GRAVITY);
    contactPair(s, rod, m->smooth, 0, 0, 0);
}

static const double slope = 0.3;

static dBodyID addOnSlope(ContactScene *s, double mu)
{
    s->machine.mu = mu;
    contactLean(s, slope);
    return machineBox(&s->machine, 2, (double[]){0.3, 0.2, 0.1}, 0, 0, 0.05, true);
}

static void addSliding(ContactScene *s)
{
    const double mu = 0.2, normal = 2 * SCENE_GRAVITY * cos(slope);
    contactPair(s, addOnSlope(s, mu), NULL, -mu * normal, 0, normal);
}

/* The body slides at first, and comes to rest, within one run. */
static void addSlidingToRest(ContactScene *s)
{
    dBodyID on = addOnSlope(s, 0.5);
    dBodySetLinearVel(on, 1, 0, 0);
    contactPair(s, on, NULL, -2 * SCENE_GRAVITY * sin(slope), 0, 2 * SCENE_GRAVITY * cos(slope));
}

static void addRollingBall(ContactScene *s)
{
    dBodyID ball = contactBall(s, 3, 0.1, 0, 0, 0.1);
    dBodySetLinearVel(ball, 1, 0, 0);
    dBodySetAngularVel(ball, 0, 10, 0);
    contactPair(s, ball, NULL, 0, 0, 3 * SCENE_GRAVITY);
}

static const double supportHalf = 0.01, supportAt = 0.4, plankCentre = 0.05, plankMass = 5;

static void turnPlank(ContactScene *s)
{
    const double weight = plankMass * SCENE_GRAVITY, centre = dBodyGetPosition(s->machine.box[0])[0];
    for (int i = 0; i < 2; i++) {
        const double arm = supportAt + (i ? centre : -centre);
        contactBetween(&s->pair[i], 2, weight * (arm - supportHalf) / (2 * supportAt),
                       weight * (arm + supportHalf) / (2 * supportAt), weight / 2);
    }
}

/* A plank on two supports 2 cm wide: the force of each lies between its values with that force at
 * one edge and at the other. */
static void addPlank(ContactScene *s)
{
    dBodyID plank = machineBox(&s->machine, plankMass, (double[]){1.2, 0.2, 0.05}, plankCentre, 0, 0.225, true);
    for (int i = -1; i <= 1; i += 2) {
        dBodyID support = contactFixed(s, (double[]){2 * supportHalf, 0.2, 0.2}, supportAt * i, 0, 0.1, 0);
        contactPair(s, plank, support, NAN, NAN, 0);
    }
}

/* --- Machines --- */

static void takeMachine(ContactScene *s, Machine made)
{
    dJointGroupDestroy(s->machine.contacts);
    dSpaceDestroy(s->machine.space);
    dWorldDestroy(s->machine.world);
    s->machine = made;
}

/* With steps of 10 ms the leg falls over after 1.5 s. */
static void addLeg(ContactScene *s)
{
    takeMachine(s, machineLeg(s->machine.ground));
    contactPair(s, s->machine.box[0], NULL, NAN, NAN, s->machine.weight);
}

/* The servos decide how the legs share the load: about equally. */
static void addQuadruped(ContactScene *s)
{
    takeMachine(s, machineQuadruped(s->machine.ground));
    for (int i = 0; i < 4; i++)
        contactPair(s, s->machine.box[2 + 2 * i], NULL, NAN, NAN, s->machine.weight / 4);
}

static void addGripper(ContactScene *s)
{
    takeMachine(s, machineGripper(s->machine.ground));
    contactPair(s, s->machine.box[0], s->machine.box[2], 50, NAN, NAN);
    contactPair(s, s->machine.box[0], s->machine.box[3], -50, NAN, NAN);
}

static const double wheelMass = 20, wheelRadius = 0.35, spring = 40e3, damper = 3e3, chassisHeight = 0.7;
static const double wheelAt[4][2] = {{-1.2, -0.8}, {1.2, -0.8}, {-1.2, 0.8}, {1.2, 0.8}};

/* A wheel stays on the ground; a soft wheel sinks in. It carries its own weight and its spring, on
 * which the chassis rests. */
static void turnCar(ContactScene *s)
{
    const bool sinks = s->machine.ground == GROUND_LAYER;
    for (int i = 0; i < 4; i++) {
        dVector3 at, speed;
        dBodyGetRelPointPos(s->machine.box[0], wheelAt[i][0], wheelAt[i][1], wheelRadius - chassisHeight, at);
        dBodyGetRelPointVel(s->machine.box[0], wheelAt[i][0], wheelAt[i][1], wheelRadius - chassisHeight, speed);
        const dBodyID wheel = s->pair[i].on;
        const double opens = speed[2] - (sinks ? dBodyGetLinearVel(wheel)[2] : 0);
        const double force = wheelMass * SCENE_GRAVITY + spring * (dBodyGetPosition(wheel)[2] - at[2]) - damper * opens;
        s->pair[i].low[2] = s->pair[i].high[2] = force;
    }
}

static void addCar(ContactScene *s, double brake)
{
    Machine *m = &s->machine;
    dBodyID chassis = machineBox(m, 800, (double[]){2, 1, 0.4}, 0, 0, chassisHeight, false);
    dBodySetLinearVel(chassis, 3, 0, 0);
    for (int i = 0; i < 4; i++) {
        const double x = wheelAt[i][0], y = wheelAt[i][1], stiffness = s->h * spring + damper;
        dBodyID wheel = contactBall(s, wheelMass, wheelRadius, x, y, wheelRadius);
        dJointID joint = dJointCreateHinge2(m->world, 0);
        dJointAttach(joint, chassis, wheel);
        dJointSetHinge2Anchor(joint, x, y, wheelRadius);
        dJointSetHinge2Axes(joint, (dReal[]){0, 0, 1}, (dReal[]){0, 1, 0});
        dJointSetHinge2Param(joint, dParamLoStop, 0);
        dJointSetHinge2Param(joint, dParamHiStop, 0);
        dJointSetHinge2Param(joint, dParamSuspensionERP, s->h * spring / stiffness);
        dJointSetHinge2Param(joint, dParamSuspensionCFM, 1 / stiffness);
        if (brake > 0) {
            dJointSetHinge2Param(joint, dParamVel2, 0);
            dJointSetHinge2Param(joint, dParamFMax2, brake);
        }
        dBodySetLinearVel(wheel, 3, 0, 0);
        dBodySetAngularVel(wheel, 0, 3 / wheelRadius, 0);
        contactPair(s, wheel, NULL, NAN, NAN, (200 + wheelMass) * SCENE_GRAVITY);
    }
}

static void addRollingCar(ContactScene *s)
{
    addCar(s, 0);
}

/* The car stops within 5 s. */
static void addBrakingCar(ContactScene *s)
{
    addCar(s, 45);
}

const ContactForm contactForms[] = {{"box", addOneBox, NULL, NULL, 1, 4, true, 1e-3, 1e-5},
                                    {"stack-2", addStackOfTwo, NULL, NULL, 1, 4, true, 2e-3, 1e-5},
                                    {"stack-5", addStackOfFive, NULL, NULL, 1, 4, true, 1e-3, 1e-5},
                                    {"stack-10", addStackOfTen, NULL, NULL, 1, 4, false, 3e-3, 1e-5},
                                    {"ladder", addLadder, turnLadder, NULL, 1, 4, true, 1e-3, 1e-5},
                                    {"slides", addSliding, NULL, NULL, 1, 4, true, 1e-4, 1e-5},
                                    {"slides-to-rest", addSlidingToRest, NULL, NULL, 2, 4, true, 1e-3, 1e-5},
                                    {"ball-rolls", addRollingBall, NULL, NULL, 1, 4, true, 1e-4, 1e-5},
                                    {"plank", addPlank, turnPlank, NULL, 1, 4, false, 1e-3, 1e-5},
                                    {"leg", addLeg, NULL, NULL, 0.4, 1.4, false, 0, 1e-5},
                                    {"quadruped", addQuadruped, NULL, NULL, 1, 4, false, 0, 1e-5},
                                    {"gripper", addGripper, NULL, NULL, 1, 4, false, 0, 1e-5},
                                    {"car-rolls", addRollingCar, NULL, turnCar, 1, 4, false, 0, 5e-4},
                                    {"car-brakes", addBrakingCar, NULL, turnCar, 1, 4, false, 0, 5e-4},
                                    {NULL, NULL, NULL, NULL, 0, 0, false, 0, 0}};
