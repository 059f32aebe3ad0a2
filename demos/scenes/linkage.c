/* linkage.c  Mechanisms whose reactions have a closed form: Paulus's plate and Banach's three
 * rods. */
#include "scenes_private.h"

#include <math.h>
#include <string.h>

const Plate scenePlate = {.mass = 2, .width = 0.6, .height = 1, .xi = 0.1, .zeta = 0.4, .angle = 1.2};

const Linkage sceneLinkage = {
    .length = 1,
    .mass = 1,
    .angle = 0.7,
    .gravity = {0, 0, -SCENE_GRAVITY},
    .axes = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
};

/* An angle from -z towards +x is a negative rotation about y. */
static void turnFromDown(double angle, dMatrix3 rotation)
{
    dRFromAxisAndAngle(rotation, 0, 1, 0, -angle);
}

Scene *scenePendulum(const Plate *plate)
{
    Scene *scene = sceneCreate(1, 1);
    if (!scene)
        return NULL;
    dMatrix3 rotation;
    double centre[3];
    turnFromDown(plate->angle, rotation);
    sceneRotate(rotation, (const double[3]){plate->xi, 0, -plate->zeta}, centre);
    dBodyID body = sceneAddBox(scene, plate->mass, centre[0], centre[1], centre[2],
                               (const double[3]){plate->width, 0.02, plate->height});
    dBodySetRotation(body, rotation);
    sceneAddHinge(scene, body, NULL, (const double[3]){0, 0, 0}, (const double[3]){0, 1, 0});
    return scene;
}

void plateState(const Scene *scene, const Plate *plate, double *angle, double *rate)
{
    const dReal *rotation = dBodyGetRotation(scene->body[0]);
    // the plate's own x axis is (cos, sin) in (x, z); take the multiple of a turn that is nearest
    // to the start
    double turn = atan2(rotation[8], rotation[0]);
    *angle = turn + 2 * M_PI * round((plate->angle - turn) / (2 * M_PI));
    *rate = -dBodyGetAngularVel(scene->body[0])[1];
}

/* Mass centre from the pivot: x and downwards. */
static void plateCentre(const Plate *plate, double angle, double *x, double *down)
{
    *x = plate->xi * cos(angle) + plate->zeta * sin(angle);
    *down = plate->zeta * cos(angle) - plate->xi * sin(angle);
}

/* K about the pivot */
static double plateInertia(const Plate *plate)
{
    return plate->mass * ((plate->width * plate->width + plate->height * plate->height) / 12 + plate->xi * plate->xi +
                          plate->zeta * plate->zeta);
}

void plateReaction(const Plate *plate, double angle, double rate, double force[3])
{
    double m = plate->mass, g = SCENE_GRAVITY, k = plateInertia(plate), x, down;
    plateCentre(plate, angle, &x, &down);
    force[0] = -rate * rate * x * m - g * x * down * m * m / k;
    force[1] = 0;
    force[2] = -(g * x * x * m * m / k - rate * rate * down * m - g * m);
}

double plateAcceleration(const Plate *plate, double angle)
{
    double x, down;
    plateCentre(plate, angle, &x, &down);
    return -SCENE_GRAVITY * x * plate->mass / plateInertia(plate);
}

double plateRateSquared(const Plate *plate, double angle)
{
    // half K rate^2 - m g down is constant
    double x, down, downAtStart;
    plateCentre(plate, angle, &x, &down);
    plateCentre(plate, plate->angle, &x, &downAtStart);
    return fmax(0, 2 * plate->mass * SCENE_GRAVITY * (down - downAtStart) / plateInertia(plate));
}

/* A slender rod, its length along the body's x axis, with its middle and the velocity of the middle
 * in linkage axes. */
static void addRod(Scene *scene, const Linkage *linkage, const double middle[3], const double velocity[3], double angle,
                   double rate)
{
    double across = linkage->mass * linkage->length * linkage->length / 12, world[3];
    dBodyID rod = dBodyCreate(scene->world);
    dMass mass;
    dMassSetParameters(&mass, linkage->mass, 0, 0, 0, 0.01 * across, across, across, 0, 0, 0);
    dBodySetMass(rod, &mass);

    // body x along the rod, body y across the plane
    dMatrix3 inPlane, rotation;
    dRFromAxisAndAngle(inPlane, 0, 1, 0, M_PI / 2 - angle);
    dMultiply0(rotation, linkage->axes, inPlane, 3, 3, 3);
    dBodySetRotation(rod, rotation);
    sceneRotate(linkage->axes, middle, world);
    dBodySetPosition(rod, world[0], world[1], world[2]);
    sceneRotate(linkage->axes, velocity, world);
    dBodySetLinearVel(rod, world[0], world[1], world[2]);
    sceneRotate(linkage->axes, (const double[3]){0, -rate, 0}, world);
    dBodySetAngularVel(rod, world[0], world[1], world[2]);
    scene->body[scene->bodyCount++] = rod;
}

Scene *sceneFourbar(const Linkage *linkage)
{
    Scene *scene = sceneCreate(ROD_COUNT, PIN_COUNT);
    if (!scene)
        return NULL;
    double l = linkage->length, ax = l * sin(linkage->angle), az = -l * cos(linkage->angle);
    double vx = -az * linkage->rate, vz = ax * linkage->rate, world[3], axis[3];
    sceneRotate(linkage->axes, linkage->gravity, world);
    dWorldSetGravity(scene->world, world[0], world[1], world[2]);

    const double crank[3] = {vx / 2, 0, vz / 2}, coupler[3] = {vx, 0, vz};
    addRod(scene, linkage, (const double[3]){ax / 2, 0, az / 2}, crank, linkage->angle, linkage->rate);
    addRod(scene, linkage, (const double[3]){ax + l / 2, 0, az}, coupler, M_PI / 2, 0);
    addRod(scene, linkage, (const double[3]){l + ax / 2, 0, az / 2}, crank, linkage->angle, linkage->rate);

    const double pin[PIN_COUNT][3] = {{0, 0, 0}, {ax, 0, az}, {l + ax, 0, az}, {l, 0, 0}};
    dBodyID *rod = scene->body;
    dBodyID first[PIN_COUNT] = {rod[ROD_OA], rod[ROD_AB], rod[ROD_AB], rod[ROD_CB]};
    dBodyID second[PIN_COUNT] = {NULL, rod[ROD_OA], rod[ROD_CB], NULL};
    sceneRotate(linkage->axes, (const double[3]){0, 1, 0}, axis);
    for (int i = 0; i < PIN_COUNT; i++) {
        sceneRotate(linkage->axes, pin[i], world);
        sceneAddHinge(scene, first[i], second[i], world, axis);
    }
    return scene;
}

void linkageState(const Scene *scene, const Linkage *linkage, double *angle, double *rate)
{
    const dReal *rotation = dBodyGetRotation(scene->body[ROD_OA]), *w = dBodyGetAngularVel(scene->body[ROD_OA]);
    double along[3], spin[3];
    sceneRotateBack(linkage->axes, (const double[3]){rotation[0], rotation[4], rotation[8]}, along);
    sceneRotateBack(linkage->axes, (const double[3]){w[0], w[1], w[2]}, spin);
    *angle = atan2(along[0], -along[2]);
    *rate = -spin[1];
}

void linkagePinForce(const Linkage *linkage, double angle, double rate, int pin, double force[3])
{
    // gravity along the crank and across it: with g along -z these are g cos(angle) and -g
    // sin(angle)
    double s = sin(angle), c = cos(angle), m = linkage->mass, whirl = linkage->length * rate * rate;
    double along = linkage->gravity[0] * s - linkage->gravity[2] * c;
    double across = linkage->gravity[0] * c + linkage->gravity[2] * s;
    int inner = pin == PIN_A || pin == PIN_B;
    double radial = inner ? -0.5 * m * (whirl + along) : -m * (whirl + 1.5 * along);
    double tangential = inner ? 0.1 * m * across : -0.3 * m * across;
    sceneRotate(linkage->axes, (const double[3]){radial * s + tangential * c, 0, -radial * c + tangential * s}, force);
}
