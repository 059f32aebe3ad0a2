/* ode.c  Scenes in ODE, treated as an engine with unknown rows: adapters/ode.h. */
#include "engines.h"

#include "adapters/ode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CONTACTS = 8, SEED = 1 };

static const int iterations[] = {0, 10, 20, 50, 200}; /* 0: dWorldStep */

typedef struct World {
    const EngineScene *scene;
    double stepSize;
    int iterations;
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID body[ENGINE_BODIES];
    dJointID joint[ENGINE_JOINTS];
    ksOde *adapter;
} World;

static void describe(char text[ENGINE_NAME])
{
    snprintf(text, ENGINE_NAME, "%s, %.150s; ERP 0.2, CFM 1e-10, contacts with dContactApprox1 and up to %d points",
             dODE_VERSION, dGetConfiguration(), MOST_CONTACTS);
}

static dGeomID shapeOf(const EngineBody *body, dSpaceID space)
{
    const double *size = body->size;
    switch (body->shape) {
    case SHAPE_BOX:
        return dCreateBox(space, 2 * size[0], 2 * size[1], 2 * size[2]);
    case SHAPE_BALL:
        return dCreateSphere(space, size[0]);
    default:
        return dCreateCapsule(space, size[0], 2 * size[1]);
    }
}

static void addBody(World *w, int i)
{
    const EngineBody *body = &w->scene->body[i];
    const double *x = body->position, *I = body->inertia;
    dMass mass;
    dMassSetParameters(&mass, body->mass, 0, 0, 0, I[0], I[1], I[2], 0, 0, 0);
    w->body[i] = dBodyCreate(w->world);
    dBodySetMass(w->body[i], &mass);
    dBodySetPosition(w->body[i], x[0], x[1], x[2]);
    dBodySetQuaternion(w->body[i], body->quaternion);
    if (w->space)
        dGeomSetBody(shapeOf(body, w->space), w->body[i]);
}

static void addJoint(World *w, int i)
{
    const EngineJoint *joint = &w->scene->joint[i];
    const double *at = joint->anchor, *first = joint->axis[0], *second = joint->axis[1];
    dJointID made = joint->type == KS_JOINT_BALL        ? dJointCreateBall(w->world, NULL)
                    : joint->type == KS_JOINT_HINGE     ? dJointCreateHinge(w->world, NULL)
                    : joint->type == KS_JOINT_SLIDER    ? dJointCreateSlider(w->world, NULL)
                    : joint->type == KS_JOINT_UNIVERSAL ? dJointCreateUniversal(w->world, NULL)
                                                        : dJointCreateFixed(w->world, NULL);
    const int parent = joint->body[1];
    dJointAttach(made, w->body[joint->body[0]], parent == WORLD ? NULL : w->body[parent]);
    switch ((int)joint->type) {
    case KS_JOINT_BALL:
        dJointSetBallAnchor(made, at[0], at[1], at[2]);
        break;
    case KS_JOINT_HINGE:
        dJointSetHingeAnchor(made, at[0], at[1], at[2]);
        dJointSetHingeAxis(made, first[0], first[1], first[2]);
        break;
    case KS_JOINT_SLIDER:
        dJointSetSliderAxis(made, first[0], first[1], first[2]);
        break;
    case KS_JOINT_UNIVERSAL:
        dJointSetUniversalAnchor(made, at[0], at[1], at[2]);
        dJointSetUniversalAxis1(made, first[0], first[1], first[2]);
        dJointSetUniversalAxis2(made, second[0], second[1], second[2]);
        break;
    default:
        dJointSetFixed(made);
    }
    w->joint[i] = made;
}

static bool closeWorld(void *world)
{
    World *w = world;
    const ksStatus status = ksOdeClose(w->adapter);
    if (status)
        fprintf(stderr, "engines: ODE: %s\n", ksErrorMessage());
    dJointGroupDestroy(w->contacts);
    if (w->space)
        dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
    free(w);
    return !status;
}

static void *openWorld(const EngineScene *scene, int setting, double stepSize, const char *path)
{
    World *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->scene = scene;
    w->stepSize = stepSize;
    w->iterations = iterations[setting];
    w->world = dWorldCreate();
    w->contacts = dJointGroupCreate(0);
    dWorldSetGravity(w->world, 0, 0, -engineGravity);
    dWorldSetQuickStepNumIterations(w->world, w->iterations);
    dRandSetSeed(SEED);
    if (scene->hasGround) {
        w->space = dHashSpaceCreate(NULL);
        dCreatePlane(w->space, 0, 0, 1, 0);
    }
    for (int i = 0; i < scene->bodyCount; i++)
        addBody(w, i);
    for (int i = 0; i < scene->jointCount; i++)
        addJoint(w, i);
    if (path && ksOdeCreate(w->world, w->body, scene->bodyCount, w->joint, scene->jointCount, path, &w->adapter)) {
        fprintf(stderr, "engines: ODE: %s\n", ksErrorMessage());
        (void)closeWorld(w);
        return NULL;
    }
    return w;
}

static void state(void *world, ksRecordedState *out)
{
    const World *w = world;
    for (int i = 0; i < w->scene->bodyCount; i++) {
        memcpy(out[i].position, dBodyGetPosition(w->body[i]), sizeof out->position);
        memcpy(out[i].quaternion, dBodyGetQuaternion(w->body[i]), sizeof out->quaternion);
        memcpy(out[i].velocity, dBodyGetLinearVel(w->body[i]), sizeof out->velocity);
        memcpy(out[i].angularVelocity, dBodyGetAngularVel(w->body[i]), sizeof out->angularVelocity);
    }
}

static void touch(void *world, dGeomID first, dGeomID second)
{
    World *w = world;
    const dBodyID a = dGeomGetBody(first), b = dGeomGetBody(second);
    dContact contact[MOST_CONTACTS];
    if ((a && b && (!w->scene->touches || dAreConnected(a, b))) || (!a && !b))
        return;
    const int count = dCollide(first, second, MOST_CONTACTS, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < count; i++) {
        memset(&contact[i].surface, 0, sizeof contact[i].surface);
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = w->scene->friction;
        dJointAttach(dJointCreateContact(w->world, w->contacts, &contact[i]), a, b);
    }
}

static bool step(void *world, const ksWrench *load)
{
    World *w = world;
    for (int i = 0; i < w->scene->bodyCount; i++) {
        const double *f = load[i].force, *t = load[i].torque;
        dBodyAddForce(w->body[i], f[0], f[1], f[2]);
        dBodyAddTorque(w->body[i], t[0], t[1], t[2]);
    }
    if (w->space)
        dSpaceCollide(w->space, w, touch);
    ksStatus status = w->adapter ? ksOdeBegin(w->adapter, w->stepSize) : KS_OK;
    const int made = (w->iterations ? dWorldQuickStep : dWorldStep)(w->world, w->stepSize);
    if (!status && w->adapter)
        status = ksOdeEnd(w->adapter);
    dJointGroupEmpty(w->contacts);
    if (status)
        fprintf(stderr, "engines: ODE: %s\n", ksErrorMessage());
    return made && !status;
}

struct dxWorld *engineOdeWorld(void *world)
{
    return ((World *)world)->world;
}

const Engine engineOde = {
    .name = "ODE",
    .describe = describe,
    .setting = {"World", "Quick-10", "Quick-20", "Quick-50", "Quick-200"},
    .explanation = {"dWorldStep", "dWorldQuickStep, 10 iterations", "20, as ODE has it", "50", "200"},
    .open = openWorld,
    .state = state,
    .step = step,
    .close = closeWorld};
