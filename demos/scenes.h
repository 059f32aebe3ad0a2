/** @file scenes.h  Worlds that demos, tests and benches share: plain ODE, with nothing of Kinetostat in them.
 *
 *  Every constructor creates a world of its own; z is up, gravity 9.81 m/s^2 unless stated; kg, m, s, rad.
 *  Call dInitODE2(0) first. A constructor returns NULL when memory runs out.
 *
 *      Scene *scene = sceneChain(10, SCENE_FALLING);
 *      for (int i = 0; i < 1000; i++) {
 *          sceneBeforeStep(scene);
 *          dWorldStep(scene->world, 0.001);
 *          sceneAfterStep(scene);
 *      }
 *      sceneDestroy(scene);
 */
#ifndef SCENES_H
#define SCENES_H

#include <ode/ode.h>

#define SCENE_GRAVITY 9.81

/** A world with its bodies and joints in the order of creation. Contact joints are not listed. */
typedef struct Scene {
    dWorldID world;
    dSpaceID space;         /**< NULL in a scene without collisions */
    dJointGroupID contacts; /**< of this step; NULL in a scene without collisions */
    int bodyCount, jointCount;
    dBodyID *body;      /**< [bodyCount] */
    dJointID *joint;    /**< [jointCount] */
    unsigned long step; /**< steps done, counted by sceneAfterStep */
    int contactCount;   /**< contact joints made by the last sceneBeforeStep */
} Scene;

typedef enum ScenePose { SCENE_HANGING, SCENE_FALLING } ScenePose;

/** Either of ODE's steppers: dWorldStep or dWorldQuickStep. */
typedef int SceneStepper(dWorldID world, dReal stepSize);

/** User forces of this step, and its contact joints. Nothing in a scene without collisions. */
void sceneBeforeStep(Scene *scene);

/** Removes the contact joints of the step and counts it. */
void sceneAfterStep(Scene *scene);

/** One whole step: before, stepper, after. */
void sceneStep(Scene *scene, SceneStepper *stepper, double stepSize);

/** Frees the world and all in it. NULL is fine. */
void sceneDestroy(Scene *scene);

/** Gives the bodies of `to` the state of those of `from`, bit by bit: pose, velocity, accumulated force, enabled or
 *  not. Both come from the same constructor with the same arguments. What joints and contacts remember is not copied
 *  (no scene but the zoo has joints with a memory). */
void sceneCopyState(Scene *to, const Scene *from);

/** 1: all positions, orientations and velocities of both scenes are bitwise equal. */
int sceneSameState(const Scene *a, const Scene *b);

/** `links` links of 1 kg and 0.2 m on hinges with axes along y; joint 0 holds the first link to the world in the
 *  origin, joint i holds link i to link i - 1. At rest, hanging straight down or stretched out along +x. */
Scene *sceneChain(int links, ScenePose pose);

/** Paulus's second example: a plate on a pivot in the origin, swinging in the xz-plane. */
typedef struct Plate {
    double mass;
    double width, height; /**< of the homogeneous plate, along x and z where angle = 0 */
    double xi, zeta;      /**< mass centre from the pivot where angle = 0: along x, and *downwards* */
    double angle;         /**< at the start; it turns the mass centre from down towards +x */
} Plate;

extern const Plate scenePlate; /**< a plate that most tests take */

/** One body, one hinge, at rest at plate->angle. */
Scene *scenePendulum(const Plate *plate);

/** The plate's angle and its rate in the present state. */
void plateState(const Scene *scene, const Plate *plate, double *angle, double *rate);

/** Force of the pivot on the plate, world axes, for any angle and rate.   Source: Paulus 1910, second example. */
void plateReaction(const Plate *plate, double angle, double rate, double force[3]);

/** Its angular acceleration at an angle, rad/s^2. */
double plateAcceleration(const Plate *plate, double angle);

/** The rate at an angle on the way from rest at plate->angle, by conservation of energy: its square, >= 0. */
double plateRateSquared(const Plate *plate, double angle);

/** Banach's three rods OA, AB, CB of equal length and mass on four hinges O, A, B, C; O and C are held by the world,
 *  OC as long as a rod. In linkage axes the rods lie in the xz-plane, O in the origin, C on +x, and the angle turns
 *  OA and CB from -z towards +x. The hinges' axes are along y. */
typedef struct Linkage {
    double length, mass;
    double angle, rate; /**< at the start */
    double gravity[3];  /**< in linkage axes */
    dMatrix3 axes;      /**< linkage axes to world axes */
} Linkage;

enum { PIN_O, PIN_A, PIN_B, PIN_C, PIN_COUNT };
enum { ROD_OA, ROD_AB, ROD_CB, ROD_COUNT };

extern const Linkage sceneLinkage; /**< 1 m, 1 kg, 0.7 rad, at rest, gravity along -z, unrotated */

/** Three bodies (ROD_...), four hinges (PIN_...). The first body of the hinges: OA at O, AB at A and B, CB at C. */
Scene *sceneFourbar(const Linkage *linkage);

/** Angle and rate of rod OA in the present state. */
void linkageState(const Scene *scene, const Linkage *linkage, double *angle, double *rate);

/** In-plane force of a pin on the first body of its hinge, world axes.   Source: Banach X, section 7, example 2,
 *  for any direction of gravity. What is across the plane is not determined by the mechanics. */
void linkagePinForce(const Linkage *linkage, double angle, double rate, int pin, double force[3]);

/** The same mass held twice. Both kinds take a rotation, world gravity stays along -z.
 *  SCENE_DOOR: a door of 1 kg on two hinges with the same axis (z before the rotation), at rest;
 *  SCENE_TWIN_FIXED: a box of 1 kg on two identical fixed joints. One body, two joints. */
typedef enum SceneHeldTwice { SCENE_DOOR, SCENE_TWIN_FIXED } SceneHeldTwice;
Scene *sceneHeldTwice(SceneHeldTwice kind, const dMatrix3 rotation);

/** Sum of both joints' forces on the body in the present state, world axes; their split is not determined. */
void sceneHeldTwiceForce(const Scene *scene, SceneHeldTwice kind, double force[3]);

/** A bit of everything that the engine can do: every joint type but null, motors, limits, powered joints at stops with
 *  fudge factor, soft suspension, gears, contacts made anew each step (frictionless, pyramid, bounce, rolling, belt),
 *  user forces, damping, speed caps, gyroscopic bodies, a kinematic one, one that falls asleep. Steps of up to 5 ms.
 *  QuickStep draws from dRand: give both of two scenes to be compared the same dRandSetSeed. */
Scene *sceneZoo(void);

#endif
