/* machines_kit.h  Machines that stand still on the ground, or hold something, with forces known by
 * statics: a leg with a sensor over its foot, four legs under a trunk, a gripper that has lifted a
 * box. */
#ifndef TESTS_KITS_CONTACTS_MACHINES_KIT_H
#define TESTS_KITS_CONTACTS_MACHINES_KIT_H

#include "../support.h"

enum { MACHINE_SERVOS = 8, MACHINE_BOXES = 48 };

/* Contacts with ODE's defaults, and soft ones with a surface layer of 1 mm, where no point at rest
 * flickers. */
typedef enum MachineGround { GROUND_HARD, GROUND_LAYER, GROUND_COUNT } MachineGround;

typedef struct Machine Machine;

/* Changes the surface or the first friction direction of a contact between two bodies; NULL: the world. */
typedef void MachineSurface(const Machine *m, dBodyID first, dBodyID second, dContact *contact);

struct Machine {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dGeomID floor;
    dJointID watched;           /* its third row is along z */
    dBodyID box[MACHINE_BOXES]; /* in order of creation */
    int boxes;
    double weight;                  /* of all bodies, N */
    double load;                    /* of the watched joint, by statics, N */
    dJointID servo[MACHINE_SERVOS]; /* hinges that hold angle 0, at 10/s per radian */
    int servos;
    double mu;
    dBodyID smooth; /* the body without friction, or NULL */
    MachineGround ground;
    double erp, cfm;         /* of contacts with a surface layer */
    MachineSurface *surface; /* or NULL */
    double belt;             /* speed of a belt for `surface`, m/s */
};

static inline dBodyID machineBox(Machine *m, double mass, const double size[3], double x, double y, double z,
                                 bool touches)
{
    dMass of;
    dBodyID body = dBodyCreate(m->world);
    dMassSetBoxTotal(&of, mass, size[0], size[1], size[2]);
    dBodySetMass(body, &of);
    dBodySetPosition(body, x, y, z);
    m->weight += mass * SCENE_GRAVITY;
    m->box[m->boxes++] = body;
    if (touches)
        dGeomSetBody(dCreateBox(m->space, size[0], size[1], size[2]), body);
    return body;
}

/* A servo about y. */
static inline dJointID machineServo(Machine *m, dBodyID a, dBodyID b, double x, double y, double z, double most)
{
    dJointID hinge = dJointCreateHinge(m->world, 0);
    dJointAttach(hinge, a, b);
    dJointSetHingeAnchor(hinge, x, y, z);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamFMax, most);
    m->servo[m->servos++] = hinge;
    return hinge;
}

static inline Machine machineBegin(MachineGround ground)
{
    Machine m = {.world = heavyWorld(),
                 .space = dSimpleSpaceCreate(NULL),
                 .contacts = dJointGroupCreate(0),
                 .mu = 1,
                 .ground = ground,
                 .erp = 0.2,
                 .cfm = 1e-5};
    m.floor = dCreatePlane(m.space, 0, 0, 1, 0);
    if (ground == GROUND_LAYER)
        dWorldSetContactSurfaceLayer(m.world, 1e-3);
    return m;
}

/* A trunk of 25 kg on thigh and shank, with a foot of 1.5 kg under a sensor; knee and hip are
 * servos. */
static inline Machine machineLeg(MachineGround ground)
{
    Machine m = machineBegin(ground);
    dBodyID foot = machineBox(&m, 1.5, (double[]){0.24, 0.12, 0.05}, 0, 0, 0.025, true);
    dBodyID shank = machineBox(&m, 2, (double[]){0.06, 0.06, 0.35}, 0.04, 0, 0.25, false);
    dBodyID thigh = machineBox(&m, 3, (double[]){0.08, 0.08, 0.35}, 0.04, 0, 0.6, false);
    dBodyID trunk = machineBox(&m, 25, (double[]){0.3, 0.3, 0.3}, 0, 0, 0.95, false);
    m.watched = dJointCreateFixed(m.world, 0);
    dJointAttach(m.watched, shank, foot);
    dJointSetFixed(m.watched);
    machineServo(&m, thigh, shank, 0.08, 0, 0.425, 400);
    machineServo(&m, trunk, thigh, 0, 0, 0.8, 400);
    m.load = 30 * SCENE_GRAVITY;
    return m;
}

/* A trunk of 20 kg on four legs of two links, each with a ball as foot; hips and knees are servos.
 * A hip carries a quarter of the trunk. */
static inline Machine machineQuadruped(MachineGround ground)
{
    Machine m = machineBegin(ground);
    dBodyID trunk = machineBox(&m, 20, (double[]){0.8, 0.4, 0.15}, 0, 0, 0.55, false);
    for (int i = 0; i < 4; i++) {
        const double x = i & 1 ? 0.35 : -0.35, y = i & 2 ? 0.2 : -0.2, in = i & 1 ? -0.08 : 0.08;
        dBodyID thigh = machineBox(&m, 1, (double[]){0.05, 0.05, 0.25}, x, y, 0.415, false);
        dBodyID shank = machineBox(&m, 0.5, (double[]){0.04, 0.04, 0.25}, x + in, y, 0.155, false);
        dGeomID ball = dCreateSphere(m.space, 0.03);
        dGeomSetBody(ball, shank);
        dGeomSetOffsetPosition(ball, -in, 0, -0.125);
        dJointID hip = machineServo(&m, thigh, trunk, x, y, 0.54, 150);
        machineServo(&m, shank, thigh, x + in, y, 0.285, 150);
        if (i == 0)
            m.watched = hip;
    }
    m.load = 5 * SCENE_GRAVITY;
    return m;
}

/* Two fingers on sliders press a box of 1 kg with 50 N each, and the hand with both fingers stays
 * still in the air. */
static inline Machine machineGripper(MachineGround ground)
{
    Machine m = machineBegin(ground);
    machineBox(&m, 1, (double[]){0.1, 0.1, 0.1}, 0, 0, 1, true);
    dBodyID hand = machineBox(&m, 2, (double[]){0.3, 0.1, 0.05}, 0, 0, 1.3, false);
    m.watched = dJointCreateSlider(m.world, 0);
    dJointAttach(m.watched, hand, NULL);
    dJointSetSliderAxis(m.watched, 0, 0, 1);
    dJointSetSliderParam(m.watched, dParamFMax, 500);
    for (int side = -1; side <= 1; side += 2) {
        dBodyID finger = machineBox(&m, 1, (double[]){0.02, 0.1, 0.1}, 0.061 * side, 0, 1, true);
        dJointID slider = dJointCreateSlider(m.world, 0);
        dJointAttach(slider, finger, hand);
        dJointSetSliderAxis(slider, 1, 0, 0);
        dJointSetSliderParam(slider, dParamFMax, 50);
        dJointSetSliderParam(slider, dParamVel, -0.5 * side);
    }
    m.load = 5 * SCENE_GRAVITY;
    return m;
}

static inline void machineTouch(void *user, dGeomID a, dGeomID b)
{
    const Machine *m = user;
    dContact contact[8];
    dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    if (first && second && dAreConnectedExcluding(first, second, dJointTypeContact))
        return;
    const int count = dCollide(a, b, 8, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < count; i++) {
        contact[i].surface = (dSurfaceParameters){
            .mode = dContactApprox1, .mu = m->smooth && (first == m->smooth || second == m->smooth) ? 0 : m->mu};
        if (m->ground == GROUND_LAYER) {
            contact[i].surface.mode |= dContactSoftERP | dContactSoftCFM;
            contact[i].surface.soft_erp = m->erp;
            contact[i].surface.soft_cfm = m->cfm;
        }
        if (m->surface)
            m->surface(m, first, second, &contact[i]);
        dJointAttach(dJointCreateContact(m->world, m->contacts, &contact[i]), first, second);
    }
}

/* Sets the servos, and creates the contacts of the next step. */
static inline void machineBefore(Machine *m)
{
    for (int i = 0; i < m->servos; i++)
        dJointSetHingeParam(m->servo[i], dParamVel, -10 * dJointGetHingeAngle(m->servo[i]));
    dSpaceCollide(m->space, m, machineTouch);
}

static inline void machineStep(Machine *m, ksInspector *inspector, ksStepper stepper, double h)
{
    machineBefore(m);
    CHECK_OK(inspectedStep(inspector, stepper, h));
    dJointGroupEmpty(m->contacts);
}

static inline void machineEnd(Machine *m)
{
    dJointGroupDestroy(m->contacts);
    dSpaceDestroy(m->space);
    dWorldDestroy(m->world);
}

#endif
