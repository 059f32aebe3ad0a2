/* overconstrained.c  Linkages that move although they have too many rows: loops of hinges. */
#include "scenes_private.h"

#include <math.h>

/* Adds bars from point to point, the first from the world, the last back to it, with a hinge at the
 * start of each bar and one at the end of the last. */
static void addLoop(Scene *scene, int bars, double mass, const double point[][3], const double axis[][3])
{
    dBodyID before = NULL;
    for (int i = 0; i < bars; i++) {
        dBodyID bar = sceneAddBar(scene, mass, point[i], point[i + 1]);
        sceneAddHinge(scene, bar, before, point[i], axis[i]);
        before = bar;
    }
    sceneAddHinge(scene, before, NULL, point[bars], axis[bars]);
}

/* Turns a frame about one of its own axes. */
static void turn(dMatrix3 frame, int axis, double angle)
{
    dMatrix3 before, by;
    for (int i = 0; i < 12; i++)
        before[i] = frame[i];
    dRFromAxisAndAngle(by, axis == 0, axis == 1, axis == 2, angle);
    dMultiply0(frame, before, by, 3, 3, 3);
}

Scene *sceneBennett(double angle)
{
    // bars are along x, hinges along z of successive frames: a bar's length and twist, then the
    // angle of the next hinge
    const double twist[2] = {0.6, 1.2}, a = 0.5, length[2] = {a, a * sin(twist[1]) / sin(twist[0])};
    const double other =
        -2 * atan(sin(0.5 * (twist[1] + twist[0])) / sin(0.5 * (twist[1] - twist[0])) / tan(0.5 * angle));
    const double bend[4] = {angle, other, -angle, -other};
    double point[4][3], axis[4][3], at[3] = {0, 0, 0};
    dMatrix3 frame;
    dRFromAxisAndAngle(frame, 1, 0.3, 0, 1.1);
    Scene *scene = sceneCreate(3, 4);
    if (!scene)
        return NULL;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            point[i][k] = at[k];
            axis[i][k] = frame[4 * k + 2];
            at[k] += length[i % 2] * frame[4 * k];
        }
        turn(frame, 0, twist[i % 2]);
        turn(frame, 2, bend[i]);
    }
    addLoop(scene, 3, 1, (const double(*)[3])point, (const double(*)[3])axis);
    return scene;
}

Scene *sceneSarrus(double angle)
{
    const double length = 0.5, foot = 0.3, out = foot + length * cos(angle), up = length * sin(angle);
    Scene *scene = sceneCreate(5, 6);
    if (!scene)
        return NULL;
    for (int i = 0; i < 2; i++) {
        // bars in the xz- and yz-plane; hinges across
        const double at[2] = {i == 0, i == 1}, axis[3] = {-at[1], at[0], 0};
        const double base[3] = {foot * at[0], foot * at[1], 0}, knee[3] = {out * at[0], out * at[1], up};
        const double top[3] = {base[0], base[1], 2 * up};
        dBodyID lower = sceneAddBar(scene, 1, base, knee), upper = sceneAddBar(scene, 1, knee, top);
        sceneAddHinge(scene, lower, NULL, base, axis);
        sceneAddHinge(scene, upper, lower, knee, axis);
    }
    dBodyID platform = sceneAddBox(scene, 2, 0, 0, 2 * up, (const double[3]){2 * foot, 2 * foot, 0.04});
    sceneAddHinge(scene, platform, scene->body[1], (const double[3]){foot, 0, 2 * up}, (const double[3]){0, 1, 0});
    sceneAddHinge(scene, platform, scene->body[3], (const double[3]){0, foot, 2 * up}, (const double[3]){1, 0, 0});
    return scene;
}

Scene *sceneParallelCranks(int cranks, double angle)
{
    const double length = 0.5, spacing = 0.4, width = spacing * (cranks - 1), axis[3] = {0, 1, 0};
    const double x = length * sin(angle), z = -length * cos(angle);
    Scene *scene = sceneCreate(cranks + 1, 2 * cranks);
    if (!scene)
        return NULL;
    for (int i = 0; i < cranks; i++) {
        const double base[3] = {i * spacing, 0, 0}, pin[3] = {i * spacing + x, 0, z};
        sceneAddHinge(scene, sceneAddBar(scene, 1, base, pin), NULL, base, axis);
    }
    dBodyID coupler = sceneAddBox(scene, 2, 0.5 * width + x, 0, z, (const double[3]){width, 0.04, 0.04});
    for (int i = 0; i < cranks; i++)
        sceneAddHinge(scene, coupler, scene->body[i], (const double[3]){i * spacing + x, 0, z}, axis);
    return scene;
}
