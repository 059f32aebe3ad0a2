/* ground_kit.h  A world with a ground plane, z = 0; collision detection creates its contacts at
 * each step. */
#ifndef TESTS_KITS_CONTACTS_GROUND_KIT_H
#define TESTS_KITS_CONTACTS_GROUND_KIT_H

#include "../support.h"

static dWorldID world;
static dSpaceID space;
static dJointGroupID contacts;
static dGeomID ground;
static ksInspector *inspector;
static dSurfaceParameters surface;
static double h;

static void setUp(void)
{
    world = heavyWorld();
    dWorldSetQuickStepNumIterations(world, 200);
    space = dSimpleSpaceCreate(NULL);
    ground = dCreatePlane(space, 0, 0, 1, 0);
    contacts = dJointGroupCreate(0);
    surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = 1};
    h = 0.01;
    dRandSetSeed(1); /* QuickStep shuffles its rows at random */
    inspector = inspect(world);
}

static void tearDown(void)
{
    ksInspectorDestroy(inspector);
    dJointGroupDestroy(contacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
}

/* Tilts the plane by an angle, by turning gravity instead. */
static inline void lean(double angle)
{
    dWorldSetGravity(world, SCENE_GRAVITY * sin(angle), 0, -SCENE_GRAVITY * cos(angle));
}

static inline dBodyID makeBall(double mass, double radius, double x, double z)
{
    dBodyID body = addBall(world, mass, radius, x, z);
    dGeomSetBody(dCreateSphere(space, radius), body);
    return body;
}

static inline dBodyID makeBox(double mass, const double size[3], double z)
{
    dBodyID body = addBox(world, mass, size, z);
    dGeomSetBody(dCreateBox(space, size[0], size[1], size[2]), body);
    return body;
}

static void touch(void *data, dGeomID a, dGeomID b)
{
    enum { MOST = 8 };
    dContact contact[MOST];
    (void)data;
    if (!dGeomGetBody(a) && !dGeomGetBody(b))
        return;
    int count = dCollide(a, b, MOST, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < count; i++) {
        dContact *c = &contact[i];
        c->surface = surface;
        c->fdir1[0] = 1, c->fdir1[1] = c->fdir1[2] = 0;
        addContact(world, contacts, c, dGeomGetBody(a), dGeomGetBody(b));
    }
}

static inline void step(ksStepper stepper)
{
    dSpaceCollide(space, NULL, touch);
    CHECK_OK(inspectedStep(inspector, stepper, h));
    dJointGroupEmpty(contacts);
}

/* The sum of all contacts of body a, or of those with b, about the mass centre of a. */
static inline ksStatus wrenchOf(dBodyID a, dBodyID b, ksValue value, ksWrench *out)
{
    ksWrenchSum sum = {.wrench = *out};
    const ksStatus status = sumContacts(inspector, a, b, value, NULL, &sum);
    *out = sum.wrench;
    return status;
}

static inline dJointID weld(dBodyID a, dBodyID b)
{
    dJointID joint = dJointCreateFixed(world, 0);
    dJointAttach(joint, a, b);
    dJointSetFixed(joint);
    return joint;
}

#endif
