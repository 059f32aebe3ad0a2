/* pile.c  A heap of boxes in a bin: one large island of redundant contacts with friction. */
#include "scenes_private.h"

#include <math.h>

enum { MAX_CONTACTS = 8 };
static const double friction = 0.5;
static const double cell = 0.5;     /* m, of the initial grid; each layer is above the gaps of the
                                       last one */
static const double density = 1000; /* kg/m^3 */
static const double turn = 0.2;     /* rad, largest about each axis at the start */

/* A number in [0, 1), by a separate generator (Numerical Recipes): the stepper uses the
 * engine's. */
static double draw(unsigned *state)
{
    *state = 1664525u * *state + 1013904223u;
    return (*state >> 8) * 0x1p-24;
}

static void addWalls(Scene *scene, double half)
{
    dCreatePlane(scene->space, 0, 0, 1, 0);
    for (int i = 0; i < 4; i++) {
        double sign = i & 1 ? -1 : 1;
        dCreatePlane(scene->space, i & 2 ? 0 : sign, i & 2 ? sign : 0, 0, -half);
    }
}

static void collide(void *data, dGeomID a, dGeomID b)
{
    Scene *scene = data;
    dContact contact[MAX_CONTACTS];
    int count = dCollide(a, b, MAX_CONTACTS, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < count; i++) {
        contact[i].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = friction};
        dJointID joint = dJointCreateContact(scene->world, scene->contacts, &contact[i]);
        dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
        scene->contactCount++;
    }
}

static void makeContacts(Scene *scene)
{
    dSpaceCollide(scene->space, scene, collide);
}

Scene *scenePile(int boxes)
{
    Scene *scene = sceneCreate(boxes, 1);
    if (!scene)
        return NULL;
    scene->space = dHashSpaceCreate(NULL);
    scene->contacts = dJointGroupCreate(0);
    scene->beforeStep = makeContacts;
    int width = (int)round(cbrt(boxes / 3.0));
    addWalls(scene, 0.5 * cell * (width + 0.5));
    unsigned state = 1;
    for (int i = 0; i < boxes; i++) {
        double side[3], place[3], angle[3];
        const int at[3] = {i % width, i / width % width, i / (width * width)};
        for (int k = 0; k < 3; k++) {
            side[k] = 0.3 + 0.1 * draw(&state);
            angle[k] = turn * draw(&state);
            place[k] = cell * (at[k] + 0.5 - (k < 2 ? 0.5 * width + (at[2] % 2 ? 0.25 : -0.25) : 0));
        }
        dBodyID body = sceneAddBox(scene, density * side[0] * side[1] * side[2], place[0], place[1], place[2], side);
        dMatrix3 rotation;
        dRFromEulerAngles(rotation, angle[0], angle[1], angle[2]);
        dBodySetRotation(body, rotation);
        dGeomSetBody(dCreateBox(scene->space, side[0], side[1], side[2]), body);
    }
    return scene;
}
