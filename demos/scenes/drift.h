/** @file drift.h  Machines whose joints drift under QuickStep: ropes, bridges, nets, legs, loops,
 *  and steady motions with closed forms. Each scene knows which of its forces mechanics determines,
 *  so that tests need no estimator.
 *
 *  Like scenes.h: plain ODE; z is up; kg, m, s, rad.
 *
 *      const DriftScene *kind = driftScene("turntable");
 *      Scene *scene = kind->make(&sceneSurface[SURFACE_APPROX1], 0.005);
 *      for (...)
 *          sceneStep(scene, dWorldQuickStep, 0.005);
 */
#ifndef DEMOS_SCENES_DRIFT_H
#define DEMOS_SCENES_DRIFT_H

#include "scenes.h"

enum { DRIFT_UNKNOWN = -1 };

/** Components of a joint's force by a closed form. */
typedef struct DriftForce {
    dBodyID body;                /**< the body of the joint on which the force acts */
    int count;                   /**< components, 1 to 3 */
    double axis[3][3], value[3]; /**< world, orthonormal; N */
} DriftForce;

/** A machine by name. */
typedef struct DriftScene {
    const char *name;
    int touches;     /**< 1: it has contacts; else the surface is unused */
    int plane;       /**< 1: its loops are in planes across y: the forces of their joints in the
                          plane are determined */
    double from, to; /**< s: the interesting part of the run */
    Scene *(*make)(const SceneSurface *surface, double stepSize); /**< NULL: out of memory */
    /** The dimension of the undetermined part of a joint's wrench, in a pose where all joints fit;
     *  DRIFT_UNKNOWN: no analysis gives it. NULL: unknown for all joints */
    int (*freeCount)(const Scene *scene, int joint);
    /** The closed form of a joint's force in the present state, the start of the next step. 0: this
     *  joint has none. NULL: no joint has one */
    int (*force)(const Scene *scene, int joint, DriftForce *out);
} DriftScene;

extern const DriftScene driftScenes[]; /**< the last has no name */

/** NULL: there is no such scene. */
const DriftScene *driftScene(const char *name);

/** A turntable of two bodies: an arm of 5 kg, 1 m from the axis in the origin to its end, at height
 *  1 m, which a motor turns with 10 rad/s about z; a payload of 2 kg, 0.1 x 0.2 x 0.3 m, welded to
 *  its end, the mass centre 1.2 m from the axis. Joints: hinge, weld. The weld carries 19.62 N and
 *  pulls with 240 N. */
Scene *driftTurntable(const SceneSurface *surface, double stepSize);

/** A seat of 20 kg on two ropes of 10 links, 0.5 kg and 0.15 m, 0.6 m apart, from rest 0.5 rad from
 *  the vertical. All joints are balls: rope by rope from the top, the seat's last. The seat closes
 *  a loop without self-stress. */
Scene *driftSwing(const SceneSurface *surface, double stepSize);

/** 20 planks of 10 kg, 1.2 x 0.5 m, each edge held by two balls at its ends, in an arc with a sag
 *  of 1 m between the world's ends; from rest. Joints edge by edge: 42 balls. Forces along an edge,
 *  and couples across it, are undetermined: three directions of each joint; the sum over the four
 *  supports is 1962 N and the change of momentum. */
Scene *driftPlankBridge(const SceneSurface *surface, double stepSize);

/** A deck of 12 planks of 11 kg, 0.5 x 1.2 m, joined by balls in the middle of their edges and to
 *  the world at one end, under two cables of 24 links of 1 kg, joined by balls; at every other
 *  inner node of a cable a massless rod goes down to the deck's edge. Bodies: planks, links of the
 *  right cable, of the left one. Joints: balls of the deck, of the right cable, of the left one,
 *  rods. No self-stress: it hangs freely. 180 kg. */
Scene *driftSuspensionBridge(const SceneSurface *surface, double stepSize);

/** A net of 6 x 6 nodes, 0.3 m apart in plan, in a dish of 0.5 m: 60 bars of 0.27 kg, joined by
 *  balls; four balls, the last joints, hold its corners. 159 N. No self-stress: a net of
 *  quadrilaterals is loose. */
Scene *driftNet(const SceneSurface *surface, double stepSize);

/** A jib of 1000 kg and 5 m that a motor slews at 0.3 rad/s from the start, a rope of 20 links
 *  of 0.1 kg and 0.2 m at its tip, and a load of 5 kg: a ratio of masses of 1e4. Joints: hinge,
 *  then balls from the top to the load. A tree. */
Scene *driftCrane(const SceneSurface *surface, double stepSize);

/** An excavator in the xz-plane: boom of 500 kg, arm of 250 kg, bucket of 150 kg, a rocker and a
 *  link of 15 kg that turn the bucket, and three cylinders of two bodies each, which motors move to
 *  and fro by 0.1, 0.1 and 0.05 m with 0.5 Hz. Joints: boom, arm, bucket, rocker, link, bucket pin;
 *  then each cylinder's hinge, slider, hinge. Four plane loops, three self-stresses each: three
 *  directions of each joint are undetermined. */
Scene *driftExcavator(const SceneSurface *surface, double stepSize);

/** A palm of 2 kg that goes up and down by 0.1 m with 0.5 Hz, and two fingers on two parallel bars
 *  each, which hold a box of 1 kg, 0.178 m wide, by 60 N. Joints: the palm's slider, then hinges
 *  finger by finger. Two plane loops. */
Scene *driftGripper(const SceneSurface *surface, double stepSize);

/** sceneSarrus that falls from 0.2 rad below the ground, through its stretched pose at pi / 2: one
 *  direction of each joint is undetermined, and more in that pose. */
Scene *driftSarrus(const SceneSurface *surface, double stepSize);

/** A humanoid of 24 joints and 70 kg: 20 driven hinges, balls in the shoulders, universals in the
 *  wrists. It walks on the spot, and may fall later. A tree. */
Scene *driftHumanoid(const SceneSurface *surface, double stepSize);

/** The same with stops instead of motors: it falls forward and to the side. */
Scene *driftFallingHumanoid(const SceneSurface *surface, double stepSize);

/** A rover of 100 kg: two rockers with bogies, a differential bar with a massless rod to each
 *  rocker, six driven wheels that collide as balls, over ridges of 6 cm under one side at a time.
 *  No self-stress. */
Scene *driftRover(const SceneSurface *surface, double stepSize);

/** A beam of 50 kg and 5 m on a hinge 1 m from its end, a counterweight of 500 kg there on another,
 *  and at the long end a sling of 30 links of 0.1 kg and 0.1 m with a stone of 3 kg. Joints: pivot,
 *  counterweight, then balls to the stone. A tree. */
Scene *driftTrebuchet(const SceneSurface *surface, double stepSize);

/** A crank of 0.5 m that a motor turns with 1 rad/s, a rope of 10 links of 1 kg, and a cage of
 *  100 kg in a guide. Joints: crank, guide, then balls. No self-stress. */
Scene *driftHoist(const SceneSurface *surface, double stepSize);

/** A kinematic base that goes to and fro by 0.05 m with 2 Hz, and a plate of 10 kg on two ropes of
 *  five links of 2 kg. */
Scene *driftShakenBase(const SceneSurface *surface, double stepSize);

/** A chassis of 150 kg with four driven wheels of 15 kg, in two tracks of 20 links of 2 kg. Joints:
 *  two axles and the links' hinges, side by side. A track is a plane loop. */
Scene *driftTracks(const SceneSurface *surface, double stepSize);

/** A platform of 50 kg on six legs, which motors lengthen and shorten by 0.08 m with 1 Hz:
 *  universal, slider and ball of each leg. No self-stress. */
Scene *driftStewart(const SceneSurface *surface, double stepSize);

/** The same with a PU joint and a ball for each leg. */
Scene *driftStewartPU(const SceneSurface *surface, double stepSize);

/** A delta robot: three driven arms of 1 kg, six rods of 0.1 kg on balls, a hand of 0.5 kg. Joints
 *  arm by arm: hinge, then ball and ball of each rod. No self-stress. */
Scene *driftDelta(const SceneSurface *surface, double stepSize);

/** A crank of 20 kg that a motor turns with 20 rad/s, four rods and four pistons of 1 kg. Joints:
 *  crank, then hinge, hinge and slider of each cylinder. Four plane loops. */
Scene *driftEngine(const SceneSurface *surface, double stepSize);

/** Steady motions and swings with closed forms. */

/** A hub of 200 kg that a motor turns with 2 rad/s about z, and eight seats, bars of 10 kg and
 *  1.5 m, on hinges along the rim of 2 m radius, which hang outwards at their steady angle. Joints:
 *  hub, then the seats'. */
Scene *driftCarousel(const SceneSurface *surface, double stepSize);

/** A bar of 2 kg and 1 m on a ball in the origin, which goes round 0.6 rad from the vertical. */
Scene *driftConicalPendulum(const SceneSurface *surface, double stepSize);

/** A fly-wheel governor: a shaft of 20 kg that a motor turns about z; on it two arms, bars of 3 kg
 *  and 0.5 m, on hinges, held by massless rods of their length to a collar of 4 kg that slides
 *  along the shaft. It turns at the steady rate for arms at 0.8 rad. Joints: shaft, collar's
 *  slider, then arm's hinge and rod, twice. */
Scene *driftGovernor(const SceneSurface *surface, double stepSize);

/** sceneChain: 20 links at rest. */
Scene *driftHangingChain(const SceneSurface *surface, double stepSize);

/** sceneChain: 10 links, from the horizontal. */
Scene *driftSwingingChain(const SceneSurface *surface, double stepSize);

/** scenePlate. */
Scene *driftPendulum(const SceneSurface *surface, double stepSize);

/** An arm of four bars of 2 kg on hinges across, bent, on a post of 10 kg that a motor turns with
 *  3 rad/s about z; motors hold its hinges. Joints from the post on. */
Scene *driftTurningArm(const SceneSurface *surface, double stepSize);

#endif
