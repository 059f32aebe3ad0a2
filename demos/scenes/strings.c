/* strings.c  Loads on strings over a pulley: Paulus's inclined planes and Banach's double pulley.
 *
 * String i leaves the rim at t_i and runs along e_i, e_i across t_i. The pulley's angle p about y
 * lets the first string out and takes the second in,
 *
 *     y x t_0 = radius_0 e_0,  y x t_1 = -radius_1 e_1,
 *     length_0 = l_0 + radius_0 p,  length_1 = l_1 - radius_1 p.
 *
 * A double ball from the load to the material point that is at t_i in this step requires e_i .
 * (v_load - v_rim) = (ERP / h) (length_i - distance): the equation of the string, with its position
 * error. The acceleration term is the string's, too: the acceleration of the rim's point towards
 * the axle is across e_i. */
#include "scenes_private.h"

#include <math.h>
#include <stdlib.h>

const Planes scenePlanes = {
    .slope = {34 * M_PI / 180, 20 * M_PI / 180}, .mass = {3, 2}, .length = {1, 3}, .radius = 0.1, .inertia = 1e-8};

const DoublePulley sceneDoublePulley = {
    .radius = {0.3, 0.2}, .mass = {2, 1.5}, .length = {0.5, 3}, .inertia = 0.1, .drumMass = 2};

static const double loadSide[3] = {0.2, 0.2, 0.2};
static const int turn[STRING_COUNT] = {1, -1};  // sign of the length by the angle

/* The pulley's angle: from its orientation, and for whole turns from the position of its load. */
static double pulleyAngle(const Scene *scene)
{
    const dReal *rotation = dBodyGetRotation(scene->body[PULLEY_BODY]);
    double angle = atan2(rotation[2], rotation[0]), length, rate;
    stringState(scene, STRING_FIRST, &length, &rate);
    double paidOut = (length - scene->strings->length[STRING_FIRST]) / scene->strings->radius[STRING_FIRST];
    return angle + 2 * M_PI * round((paidOut - angle) / (2 * M_PI));
}

void sceneStringsBeforeStep(Scene *scene)
{
    const SceneStrings *strings = scene->strings;
    const dReal *axle = dBodyGetPosition(scene->body[PULLEY_BODY]);  // the axle is slightly
                                                                     // compliant
    double angle = pulleyAngle(scene);
    for (int i = 0; i < STRING_COUNT; i++) {
        const double *t = strings->tangent[i];
        dJointSetDBallAnchor2(scene->joint[i], axle[0] + t[0], axle[1] + t[1], axle[2] + t[2]);
        // an inaccurate iteration may wind up more than the length
        dJointSetDBallDistance(scene->joint[i], fmax(0, strings->length[i] + turn[i] * strings->radius[i] * angle));
    }
}

void stringState(const Scene *scene, int side, double *length, double *rate)
{
    const SceneStrings *strings = scene->strings;
    const dReal *x = dBodyGetPosition(scene->body[side]), *v = dBodyGetLinearVel(scene->body[side]);
    *length = *rate = 0;
    for (int k = 0; k < 3; k++) {
        *length += strings->along[side][k] * (x[k] - strings->tangent[side][k]);
        *rate += strings->along[side][k] * v[k];
    }
}

/* Adds a load at the end of its string. */
static void addLoad(Scene *scene, int side, double mass)
{
    SceneStrings *strings = scene->strings;
    const double *e = strings->along[side];
    double *t = strings->tangent[side], x[3];
    t[0] = -turn[side] * strings->radius[side] * e[2];
    t[2] = turn[side] * strings->radius[side] * e[0];
    for (int k = 0; k < 3; k++)
        x[k] = t[k] + strings->length[side] * e[k];
    dBodyID load = sceneAddBox(scene, mass, x[0], x[1], x[2], loadSide);
    dMatrix3 rotation;
    dRFromAxisAndAngle(rotation, 0, 1, 0, atan2(-e[2], e[0]));  // its x axis along the string
    dBodySetRotation(load, rotation);
}

/* Creates loads, pulley, strings and axle, with the directions and radii of scene->strings. */
static Scene *createStrings(const SceneStrings *strings, const double mass[STRING_COUNT], double inertia,
                            double pulleyMass)
{
    Scene *scene = sceneCreate(STRING_COUNT + 1, PLANE_SECOND + 1);
    if (!scene)
        return NULL;
    scene->strings = malloc(sizeof *strings);
    if (!scene->strings) {
        sceneDestroy(scene);
        return NULL;
    }
    *scene->strings = *strings;
    for (int i = 0; i < STRING_COUNT; i++)
        addLoad(scene, i, mass[i]);

    dBodyID pulley = dBodyCreate(scene->world);
    dMass m;
    dMassSetParameters(&m, pulleyMass, 0, 0, 0, inertia, inertia, inertia, 0, 0, 0);
    dBodySetMass(pulley, &m);
    scene->body[scene->bodyCount++] = pulley;

    for (int i = 0; i < STRING_COUNT; i++) {
        const dReal *x = dBodyGetPosition(scene->body[i]);
        dJointID string = dJointCreateDBall(scene->world, NULL);
        sceneAddJoint(scene, string, scene->body[i], pulley);
        dJointSetDBallAnchor1(string, x[0], x[1], x[2]);
    }
    sceneAddHinge(scene, pulley, NULL, (const double[3]){0, 0, 0}, (const double[3]){0, 1, 0});
    sceneStringsBeforeStep(scene);
    return scene;
}

Scene *sceneIncline(const Planes *planes)
{
    SceneStrings strings = {.radius = {planes->radius, planes->radius}};
    for (int i = 0; i < STRING_COUNT; i++) {
        strings.along[i][0] = turn[i] * cos(planes->slope[i]);
        strings.along[i][2] = -sin(planes->slope[i]);
        strings.length[i] = planes->length[i];
    }
    const double pulleyMass = 0.1;  // rests in its axle
    Scene *scene = createStrings(&strings, planes->mass, planes->inertia, pulleyMass);
    for (int i = 0; scene && i < STRING_COUNT; i++) {
        dJointID slider = dJointCreateSlider(scene->world, NULL);
        sceneAddJoint(scene, slider, scene->body[i], NULL);
        dJointSetSliderAxis(slider, strings.along[i][0], 0, strings.along[i][2]);
    }
    return scene;
}

double planesAcceleration(const Planes *planes)
{
    const double *m = planes->mass, *slope = planes->slope;
    double turning = planes->inertia / (planes->radius * planes->radius);
    return SCENE_GRAVITY * (m[0] * sin(slope[0]) - m[1] * sin(slope[1])) / (m[0] + m[1] + turning);
}

double planesTension(const Planes *planes, int side)
{
    return planes->mass[side] * (SCENE_GRAVITY * sin(planes->slope[side]) - turn[side] * planesAcceleration(planes));
}

double planesNormal(const Planes *planes, int side)
{
    return planes->mass[side] * SCENE_GRAVITY * cos(planes->slope[side]);
}

Scene *sceneAtwood(const DoublePulley *pulley)
{
    SceneStrings strings = {.along = {{0, 0, -1}, {0, 0, -1}}};
    for (int i = 0; i < STRING_COUNT; i++) {
        strings.radius[i] = pulley->radius[i];
        strings.length[i] = pulley->length[i];
    }
    return createStrings(&strings, pulley->mass, pulley->inertia, pulley->drumMass);
}

double pulleyAcceleration(const DoublePulley *pulley)
{
    const double *m = pulley->mass, *r = pulley->radius;
    return SCENE_GRAVITY * (m[0] * r[0] - m[1] * r[1]) / (pulley->inertia + m[0] * r[0] * r[0] + m[1] * r[1] * r[1]);
}

double pulleyTension(const DoublePulley *pulley, int side)
{
    const double *m = pulley->mass, *r = pulley->radius;
    int other = !side;
    double d = pulley->inertia + m[0] * r[0] * r[0] + m[1] * r[1] * r[1];
    return m[side] * SCENE_GRAVITY * (pulley->inertia + m[other] * r[other] * (r[0] + r[1])) / d;
}
