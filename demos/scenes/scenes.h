/** @file scenes.h  Worlds that demos, tests and benches share: plain ODE, without Kinetostat.
 *
 *  Every constructor creates a world of its own; z is up, gravity 9.81 m/s^2 unless stated; kg, m,
 *  s, rad. Call dInitODE2(0) first. A constructor returns NULL when memory runs out.
 *
 *      Scene *scene = sceneChain(10, SCENE_FALLING);
 *      for (int i = 0; i < 1000; i++) {
 *          sceneBeforeStep(scene);
 *          dWorldStep(scene->world, 0.001);
 *          sceneAfterStep(scene);
 *      }
 *      sceneDestroy(scene);
 */
#ifndef DEMOS_SCENES_SCENES_H
#define DEMOS_SCENES_SCENES_H

#include <ode/ode.h>

#define SCENE_GRAVITY 9.81

/** A world with its bodies and joints in the order of creation. Contact joints are not listed. */
typedef struct Scene {
    dWorldID world;
    dSpaceID space;         /**< NULL in a scene without collisions, unless it has shapes for
                                 viewers */
    dJointGroupID contacts; /**< of this step; NULL in a scene without collisions */
    int bodyCount, jointCount;
    dBodyID *body;                           /**< [bodyCount] */
    dJointID *joint;                         /**< [jointCount] */
    unsigned long step;                      /**< steps done, counted by sceneAfterStep */
    int contactCount;                        /**< contact joints made by the last sceneBeforeStep */
    struct SceneGround *ground;              /**< the surface and motors of a scene on the ground,
                                                  else NULL */
    struct SceneStrings *strings;            /**< the strings of a pulley; NULL in a scene without
                                                  one */
    void (*beforeStep)(struct Scene *scene); /**< applies forces and creates contacts; NULL:
                                                  neither */
} Scene;

typedef enum ScenePose { SCENE_HANGING, SCENE_FALLING } ScenePose;

/** One of ODE's steppers: dWorldStep or dWorldQuickStep. */
typedef int SceneStepper(dWorldID world, dReal stepSize);

/** Prepares a step: user forces, contact joints and strings. */
void sceneBeforeStep(Scene *scene);

/** Removes the contact joints of the step, and counts the step. */
void sceneAfterStep(Scene *scene);

/** Calls sceneBeforeStep, the stepper and sceneAfterStep. */
void sceneStep(Scene *scene, SceneStepper *stepper, double stepSize);

/** Frees the world and everything in it. NULL is allowed. */
void sceneDestroy(Scene *scene);

/** Copies the state of all bodies from `from` to `to`, bit by bit: pose, velocity, accumulated
 *  force, enabled or not. Both come from the same constructor with the same arguments. The memory
 *  of joints and contacts is not copied (only the zoo has joints with a memory). */
void sceneCopyState(Scene *to, const Scene *from);

/** 1: all positions, orientations and velocities of both scenes are bitwise equal. */
int sceneSameState(const Scene *a, const Scene *b);

/** `links` links of 1 kg and 0.2 m on hinges with axes along y; joint 0 holds the first link to the
 *  world in the origin, joint i holds link i to link i - 1. At rest, hanging straight down or
 *  stretched out along +x. */
Scene *sceneChain(int links, ScenePose pose);

/** Paulus's second example: a plate on a pivot in the origin, swinging in the xz-plane. */
typedef struct Plate {
    double mass;
    double width, height; /**< of the homogeneous plate, along x and z where angle = 0 */
    double xi, zeta;      /**< mass centre from the pivot where angle = 0: along x, and
                               *downwards* */
    double angle;         /**< at the start; it turns the mass centre from down towards +x */
} Plate;

extern const Plate scenePlate; /**< the plate of most tests */

/** One body, one hinge, at rest at plate->angle. */
Scene *scenePendulum(const Plate *plate);

/** The plate's angle and its rate in the present state. */
void plateState(const Scene *scene, const Plate *plate, double *angle, double *rate);

/** Force of the pivot on the plate, world axes, for any angle and rate.   Source: Paulus 1910,
 *  second example. */
void plateReaction(const Plate *plate, double angle, double rate, double force[3]);

/** Its angular acceleration at an angle, rad/s^2. */
double plateAcceleration(const Plate *plate, double angle);

/** The rate at an angle on the way from rest at plate->angle, by conservation of energy: its
 *  square, >= 0. */
double plateRateSquared(const Plate *plate, double angle);

/** Banach's three rods OA, AB, CB of equal length and mass on four hinges O, A, B, C; O and C are
 *  held by the world, OC as long as a rod. In linkage axes the rods lie in the xz-plane, O in the
 *  origin, C on +x, and the angle turns OA and CB from -z towards +x. The hinges' axes are along
 *  y. */
typedef struct Linkage {
    double length, mass;
    double angle, rate; /**< at the start */
    double gravity[3];  /**< in linkage axes */
    dMatrix3 axes;      /**< linkage axes to world axes */
} Linkage;

enum { PIN_O, PIN_A, PIN_B, PIN_C, PIN_COUNT };
enum { ROD_OA, ROD_AB, ROD_CB, ROD_COUNT };

extern const Linkage sceneLinkage; /**< 1 m, 1 kg, 0.7 rad, at rest, gravity along -z, unrotated */

/** Three bodies (ROD_...), four hinges (PIN_...). The first body of the hinges: OA at O, AB at A
 *  and B, CB at C. */
Scene *sceneFourbar(const Linkage *linkage);

/** Angle and rate of rod OA in the present state. */
void linkageState(const Scene *scene, const Linkage *linkage, double *angle, double *rate);

/** In-plane force of a pin on the first body of its hinge, world axes, for any direction of
 *  gravity. The motion is Banach's, X, section 7, example 2. Mechanics does not determine the
 *  components across the plane. */
void linkagePinForce(const Linkage *linkage, double angle, double rate, int pin, double force[3]);

/** One mass that two joints hold. Both kinds can be rotated; gravity stays along -z.
 *  SCENE_DOOR: a door of 1 kg on two hinges with the same axis (z before the rotation), at rest;
 *  SCENE_TWIN_FIXED: a box of 1 kg on two identical fixed joints. One body, two joints. */
typedef enum SceneHeldTwice { SCENE_DOOR, SCENE_TWIN_FIXED } SceneHeldTwice;
Scene *sceneHeldTwice(SceneHeldTwice kind, const dMatrix3 rotation);

/** The sum of both joints' forces on the body in the present state, world axes. The shares are not
 *  determined. */
void sceneHeldTwiceForce(const Scene *scene, SceneHeldTwice kind, double force[3]);

/** Two bodies on strings over a pulley. The engine has no strings. Before each step
 *  (sceneBeforeStep) a double ball, the engine's massless rod between two points, is placed between
 *  the body's mass centre and the point where the string leaves the rim, with the length that is
 *  unwound at that time. Its row in the step is that of a taut string; the user must check that the
 *  string only pulls. The pulley is in the origin and turns about y. */
enum { STRING_FIRST, STRING_SECOND, STRING_COUNT };
enum { PULLEY_BODY = STRING_COUNT }; /**< bodies: both loads, then the pulley */
/** joints: both strings, then these */
enum { AXLE_JOINT = STRING_COUNT, PLANE_FIRST, PLANE_SECOND };

/** The distance of a load from the point where its string leaves the rim, and its velocity away
 *  from that point. */
void stringState(const Scene *scene, int side, double *length, double *rate);

/** Paulus's first example: two bodies on two inclined planes that meet in an edge, joined by a
 *  string over the edge. The planes are sliders (no friction, no tilting). A light pulley
 *  represents the edge: the two halves of the string are two joints, and a force passes from one
 *  joint to the other only through a body. */
typedef struct Planes {
    double slope[STRING_COUNT], mass[STRING_COUNT]; /**< slope: downwards from the edge; first
                                                         towards +x, second -x */
    double length[STRING_COUNT];                    /**< of the string on each plane, at the
                                                         start */
    double radius, inertia;                         /**< of the pulley; Paulus has neither: inertia
                                                         0 in the formulas */
} Planes;

extern const Planes scenePlanes;

/** Three bodies, five joints; from rest. A load is the first body of its string and of its
 *  plane. */
Scene *sceneIncline(const Planes *planes);

/** Acceleration of the first body down its plane.   Source: Paulus 1910, first example; with I /
 *  r^2 of the pulley. */
double planesAcceleration(const Planes *planes);

/** Tension of the string on either side, > 0; the same on both without a pulley's inertia. */
double planesTension(const Planes *planes, int side);

/** Force of a plane on its body, away from the plane. */
double planesNormal(const Planes *planes, int side);

/** Banach's double pulley: two drums on one axle, a load on each; with equal radii it is Atwood's
 *  machine. The loads hang freely; the first string leaves its drum at x = radius, the second at
 *  x = -radius. */
typedef struct DoublePulley {
    double radius[STRING_COUNT], mass[STRING_COUNT], length[STRING_COUNT];
    double inertia;  /**< of both drums about the axle */
    double drumMass; /**< matters to the axle only */
} DoublePulley;

extern const DoublePulley sceneDoublePulley;

/** Three bodies, three joints; from rest. A load is the first body of its string. */
Scene *sceneAtwood(const DoublePulley *pulley);

/** Angular acceleration that lets the first load down.   Source: Banach X, section 7.1, (39). */
double pulleyAcceleration(const DoublePulley *pulley);

/** Tension of a string, > 0. */
double pulleyTension(const DoublePulley *pulley, int side);

/** Banach's rotating line: x cos wt + z sin wt = p turns about the origin at a constant rate, and a
 *  bead slides on it without friction. The line is a kinematic body, whose motion does not depend
 *  on the bead, with a slider on it. So the bead turns with the line, which needs no torque at a
 *  constant rate. */
typedef struct DrivenLine {
    double mass, distance, rate; /**< of the bead; p; w, from x towards z */
    double place, speed;         /**< of the bead along the line at the start: q and dq/dt, along
                                      (-sin wt, cos wt) */
} DrivenLine;

extern const DrivenLine sceneDrivenLine;

enum { LINE_BODY, BEAD_BODY };

/** Two bodies, one joint, whose first body is the bead. */
Scene *sceneRotatingLine(const DrivenLine *line);

/** The state of the line and the bead. */
typedef struct LineState {
    double angle;        /**< of the line */
    double distance;     /**< of the bead from the parallel line through the origin: p, apart from
                              the engine's drift */
    double place, speed; /**< along the line: q, dq/dt */
} LineState;

/** The present state. */
LineState lineState(const Scene *scene, const DrivenLine *line);

/** The state at a time, by the closed solution of (50), q'' = w^2 q - g cos wt. */
LineState lineMotion(const DrivenLine *line, double time);

/** Force of the line on the bead along (cos, sin) of the angle. */
double lineForce(const DrivenLine *line, const LineState *state);

/** The power of the drive on the bead, -w q lambda. */
double linePower(const DrivenLine *line, const LineState *state);

/** A chain of equal straight links, as Lamb describes it, of 1 kg and 1 m, hinged end to end, at
 *  rest and without gravity. Node i is the near end of link i, the last node the far end of the
 *  last link. A, B, C are the nodes of two links. */
typedef enum LinkSupport { LINKS_FREE, LINKS_END_HELD, LINKS_JOINT_HELD, LINKS_JOINT_RIGID } LinkSupport;
typedef struct Links {
    int count;
    LinkSupport support; /**< free; the last node held; node 1 held; links 0 and 1 in one piece */
    double bend;         /**< angle at each node, about hinge axes that turn from node to node: not
                              in a plane */
} Links;

/** `count` bodies; joint i - 1 is at node i, its first body is link i - 1. A joint that holds a
 *  node comes last. */
Scene *sceneLinks(const Links *links);

/** Place and direction of a blow or a velocity: a point of a link along a direction, or a link's
 *  rotation about one. */
typedef struct Probe {
    dBodyID body;
    int couple; /**< 1: a rotation; the lever does not matter */
    double lever[3], direction[3];
} Probe;

/** A node in the present pose. It belongs to the link that begins there; the last node belongs to
 *  the last link. */
Probe linksNode(const Scene *scene, int node, const double direction[3]);

/** The rotation of a link, positive about -y: it lifts the far end (+z). */
Probe linksTurning(const Scene *scene, int link, const double axis[3]);

/** Applies an impulse, N.s or N.m.s, as a constant force of the next step. */
void probeStrike(const Probe *probe, double impulse, double stepSize);

/** The velocity along the probe's direction, m/s or rad/s, with the lever of the pose before the
 *  step. */
double probeVelocity(const Probe *probe);

/** Velocity along z of node `at` by a unit impulse along z at node `from`, straight free chain,
 *  1/kg. By the method of Lamb 1911, section 1. The energy of a link is (u^2 + u v + v^2) / 6 in
 *  the velocities u, v of its ends, so the mobilities are the inverse of a matrix with 1/6 beside
 *  and 2/3 (ends: 1/3) on its diagonal. */
double linksMobility(int count, int at, int from);

/** The impulse along z that the joint at a node passes to the link before it, in the same blow. */
double linksJointImpulse(int count, int node, int from);

/** All features of the engine: every joint type but null, motors, limits, powered joints at stops
 *  with fudge factor, soft suspension, gears, contacts of each step (frictionless, pyramid, bounce,
 *  rolling, belt), user forces, damping, speed caps, gyroscopic bodies, a kinematic body, a body
 *  that falls asleep. Steps of up to 5 ms. QuickStep draws from dRand: to compare two scenes, give
 *  both the same dRandSetSeed. */
Scene *sceneZoo(void);

/** Scenes of any size, to measure the cost of a step. From rest, unless stated. */

/** A binary tree of bars of 1 kg on balls; joint i holds body i to body (i - 1) / 2, joint 0 to the
 *  world. */
Scene *sceneTree(int bodies);

/** The joints of a loop's coupler: hinges, which leave three self-stresses a loop; or a ball and a
 *  universal, which leave none. */
typedef enum SceneCoupler { COUPLER_HINGED, COUPLER_BALL_UNIVERSAL } SceneCoupler;

/** `rows` islands, each a row of `loops` four-bar linkages that share their cranks: 2 loops + 1
 *  bodies and 3 loops + 1 joints a row. */
Scene *sceneLoops(int rows, int loops, SceneCoupler coupler);

/** One island of such rows, `floors` of them: the lower rows hang from the tips of the cranks
 *  above, on hinges. */
Scene *sceneGrid(int loops, int floors);

/** A hub on a ball, with `arms` arms on hinges around it: the hub has arms + 1 joints, first its
 *  ball. */
Scene *sceneStar(int arms);

/** Ragdolls of 11 bodies and 11 joints, balls, universals and hinges with stops, each an island;
 *  they hang by a hand. */
Scene *sceneRagdolls(int count);

/** `boxes` boxes of 0.3 to 0.4 m, about 43 kg, slightly rotated, which fall into a bin and pile up
 *  within a second, in steps of 10 ms; friction 0.5. No joints but contacts. */
Scene *scenePile(int boxes);

/** Scenes on the ground, the plane z = 0. Collision creates the contacts of each step, at most 8
 *  for a pair of geoms; bodies that share a joint do not touch each other. */

/** A spring of k (N/m) and a damper of d (N s/m), as the engine takes them in steps of h (s):
 *  erp = h k / (h k + d), cfm = 1 / (h k + d). */
typedef struct SceneSpring {
    double erp, cfm; /**< 1; s/kg */
} SceneSpring;
SceneSpring sceneSpring(double h, double k, double d);

/** The properties of a scene's contacts. */
typedef struct SceneSurface {
    const char *name;
    int mode;                      /**< bits of dSurfaceParameters: dContactApprox1, dContactBounce,
                                        ... */
    double mu;                     /**< a coefficient with dContactApprox1, else the largest
                                        friction force, N */
    double bounce, bounceVelocity; /**< restitution; the least speed with restitution, m/s */
    double softErp, softCfm;       /**< 1; s/kg */
} SceneSurface;

/** APPROX1: mu 0.8 with dContactApprox1; CONSTANT: friction up to 1000 N; INFINITE: without a
 *  bound; SOFT: as APPROX1 and compliant; BOUNCE: as APPROX1 with restitution 0.5. */
enum { SURFACE_APPROX1, SURFACE_CONSTANT, SURFACE_INFINITE, SURFACE_SOFT, SURFACE_BOUNCE, SURFACE_COUNT };
extern const SceneSurface sceneSurface[SURFACE_COUNT];

/** A ragdoll's balls (waist and shoulders): free, or limited to 0.8, 1 and 0.8 rad by Euler motors
 *  with stops. */
typedef enum SceneBalls { BALLS_FREE, BALLS_WITH_STOPS } SceneBalls;
enum { RAGDOLL_BODIES = 11 };

/** Ragdolls of 64 kg above each other, 0.9 rad from upright, 0.3 m above the ground and 0.5 m
 *  apart. RAGDOLL_BODIES bodies and 10 joints each, 13 with stops. */
Scene *sceneFallingRagdolls(int count, SceneBalls balls, const SceneSurface *surface);

/** A car of 1000 kg that drives along +x over a bump. It starts with its middle at x = 0. */
typedef struct Car {
    double speed;                        /**< m/s, from the start on */
    double torque;                       /**< N.m, the largest of each rear wheel's motor */
    double steer;                        /**< rad, of the front wheels, to the right; stops at
                                              0.5 */
    double suspensionErp, suspensionCfm; /**< 1; s/kg: a spring of erp / (cfm h), a damper of (1 -
                                              erp) / cfm */
    double bump, bumpPlace;              /**< m: height; x of its ridge */
} Car;

extern const Car sceneCar; /**< 5 m/s, 300 N.m, straight on, 0.1 m bump at 3 m */

enum { CAR_CHASSIS, CAR_FIRST_WHEEL, CAR_BODIES = 5 };

/** Five bodies: chassis, front wheels (right, left), rear wheels; a hinge2 for each wheel in that
 *  order, its first body the chassis. The wheels collide as balls. */
Scene *sceneDrivingCar(const Car *car, const SceneSurface *surface);

/** A box of 20 kg on legs in pairs, which walks along x or stands. Hips and knees are hinges about
 *  y with motors; two legs have feet on driven ankles, too. Neighbouring legs of a side and of a
 *  pair swing alternately: walk, trot, tripods. With 1 Hz and a stride of 0.05, 0.1 and 0.2 rad it
 *  stays upright on two, four and six legs. */
typedef struct Walker {
    int legs;         /**< 2, 4 or 6 */
    double stride;    /**< rad: amplitude of hips and knees; 0: it stands */
    double frequency; /**< Hz */
    double stepSize;  /**< s: the time is the number of steps times this */
} Walker;

/** The box, then thigh, shin (and foot) leg by leg, from behind, right before left; hip, knee (and
 *  ankle) in that order. */
Scene *sceneWalker(const Walker *walker, const SceneSurface *surface);

/** An arm of six hinges with motors that hold their pose: yaw, shoulder, elbow, roll, pitch, roll.
 *  It reaches along +x and presses its hand on a table, or holds a box of 0.1 m between two fingers
 *  that slide along y. */
typedef enum ArmTask { ARM_PRESSES, ARM_HOLDS } ArmTask;
typedef struct Arm {
    ArmTask task;
    double press; /**< m: the motors' target for the hand is this far below the table top */
    double grip;  /**< N, of each finger */
    double load;  /**< kg, of the box */
} Arm;

extern const Arm sceneArm; /**< presses; 0.01 m, 40 N, 1 kg */

enum { ARM_HAND = 5, ARM_LOAD = 8, ARM_HINGES = 6 };

/** Six bodies and hinges; with ARM_HOLDS two fingers, their sliders, and the box. Only hand and
 *  fingers have a shape. */
Scene *sceneReachingArm(const Arm *arm, const SceneSurface *surface);

/** An arm of six hinges with motors that hold their angles: yaw, shoulder, elbow, roll, pitch,
 *  wrist. Its hand is 1 mm above a box that lies on a table; or, without a table, the box is welded
 *  to it. Bodies: the arm's in the order of the hinges, the hand last; then the box. Joints: the
 *  hinges, then the weld. */
Scene *sceneLiftingArm(int hasTable);

extern const double sceneHandMass, scenePayload; /**< kg, of the box */

/** A plank of 1 kg, 0.05 x 1 x 0.2 m, welded to the world at (0, 0, 1), and a ball of 0.1 m that
 *  flies 0.35 m along x and hits it 0.3 m beside its middle. At 20 m/s the ball does not tunnel
 *  through the plank in steps that divide 20 ms. */
Scene *sceneStruckPlank(double ballMass, double speed, const SceneSurface *surface);

/** Planks of 5 kg and 0.3 m along x, which hang in an arc between the world's ends on hinges about
 *  y; boxes of 10 kg fall on it from 0.05 m. Bodies: planks, then boxes; joints from end to end,
 *  planks + 1. */
Scene *sceneBridge(int planks, int boxes, const SceneSurface *surface);

/** Scenes with redundant joints, without contacts. */

/** Two boxes of 1 kg, 1 m apart, connected by a weld and a rod (a double ball). SCENE_FALLING:
 *  free, turning about y at 3 rad/s. SCENE_HANGING: the first swings on a hinge at the origin, from
 *  the horizontal. Joints: weld, rod, hinge. */
Scene *sceneBracedPair(ScenePose pose);

/** Boxes of 1 kg and 0.2 m in the xz-plane, welded to their neighbours; the lowest row is welded to
 *  the world. Bodies row by row. */
Scene *sceneWeldedWall(int columns, int rows);

/** Bennett's linkage: three bars of 1 kg and the world on four hinges, neither parallel nor through
 *  a point; a / b = sin(twist of a) / sin(twist of b). angle: between the first two bars, not 0.
 *  Source: Bennett 1903. */
Scene *sceneBennett(double angle);

/** Sarrus's linkage: a platform of 2 kg on two pairs of bars, 1 kg and 0.5 m, in planes at a right
 *  angle, which moves along z only. angle: of the bars to the ground. Five bodies, the platform
 *  last; six hinges. */
Scene *sceneSarrus(double angle);

/** A coupler of 2 kg that hangs on parallel cranks of 1 kg and 0.5 m, in the xz-plane: two cranks
 *  make a four-bar linkage; a third one is redundant even in the plane. Cranks, then the coupler;
 *  two hinges a crank. angle: of the cranks from -z towards +x. */
Scene *sceneParallelCranks(int cranks, double angle);

/** All machines with their usual arguments, by name. */
typedef struct SceneKind {
    const char *name;
    int touches; /**< 1: it has contacts; else the surface is unused */
    Scene *(*make)(const SceneSurface *surface, double stepSize);
} SceneKind;

extern const SceneKind sceneKind[]; /**< the last has no name */

#endif
