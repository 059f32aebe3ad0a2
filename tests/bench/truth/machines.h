/* machines.h  Machines, and the parts of plane machines. */
#ifndef TESTS_BENCH_TRUTH_MACHINES_H
#define TESTS_BENCH_TRUTH_MACHINES_H

#include "demos/scenes/drift_private.h"

/* A bar of the xz-plane. */
dBodyID truthBar(Scene *scene, double mass, double x0, double z0, double x1, double z1);
/* A hinge about y. */
dJointID truthPin(Scene *scene, dBodyID first, dBodyID second, double x, double z);

/* A wheel of 400 kg and 4 m, which a motor turns at 0.4 rad/s about y, with eight cabins of 80 kg
 * that hang from its rim. */
Scene *truthFerrisWheel(const SceneSurface *surface, double stepSize);

/* A bridge of 300 kg and 4 m on a hinge. It falls from 0.4 rad above the horizontal into two chains
 * of twelve links of 2 kg. Joints: hinge, then chain by chain from the tower. Once both chains are
 * taut, mechanics does not determine their shares. */
Scene *truthDrawbridge(const SceneSurface *surface, double stepSize);

/* A cab of 3000 kg on the ground with boom, arm, rocker, link and bucket on servos, which digs into
 * a bank. Joints: cab's swing, boom, arm, rocker, bucket, the link's two. */
Scene *truthDigger(const SceneSurface *surface, double stepSize);

/* A closed chain of 16 links of 0.5 kg, which hangs by one of its hinges. */
Scene *truthNecklace(const SceneSurface *surface, double stepSize);

/* A mobile of fifteen rods on balls, each rod with two at its ends; a load of 0.3 kg on each of the
 * last. It is a tree, and it turns. */
Scene *truthMobile(const SceneSurface *surface, double stepSize);

/* 10 kg on twenty links of 0.1 kg, released from rest 0.5 rad from the vertical. */
Scene *truthHeavyEnd(const SceneSurface *surface, double stepSize);

/* A rotor of 5 kg at 200 rad/s about z in two rings; a motor tilts the outer ring at 1 rad/s about
 * x. Joints: outer ring, inner ring, rotor. */
Scene *truthGimbals(const SceneSurface *surface, double stepSize);

/* Three wagons of 200 kg with four wheels each, coupled by draw-bars, on a slope of 0.1 rad; the
 * first wagon brakes. Joints: the wheels of each wagon, then both ends of each bar. */
Scene *truthTrailers(const SceneSurface *surface, double stepSize);

/* A trolley of 200 kg that runs to and fro, with a beam of 400 kg on two chains of eight links of 3
 * kg and hooks of 5 kg. It has no self-stress. Joints: slider, then each chain from the top. */
Scene *truthTwoHooks(const SceneSurface *surface, double stepSize);

/* A car of 800 kg, whose wheels are on swing arms with springs and dampers, over ridges. Joints:
 * arm and axle of each wheel. */
Scene *truthSprungCar(const SceneSurface *surface, double stepSize);

/* A six-bar linkage of two loops, whose crank a motor turns at 4 rad/s. Joints: crank, coupler,
 * rocker's two, link, last bar's two. */
Scene *truthSixBar(const SceneSurface *surface, double stepSize);

/* A closed rope of 24 links of 0.2 kg, one of 2 kg, around two pulleys of 5 kg, each of which holds
 * it at one point. Joints: pulleys, links in turn, pulleys' holds. */
Scene *truthRopeRing(const SceneSurface *surface, double stepSize);

/* A plate of 30 kg on three legs on hinges, of changing length. Joints: leg by leg hinge, drive and
 * ball. */
Scene *truthTripod(const SceneSurface *surface, double stepSize);

/* The six-bar linkage without a motor; its last bar falls to its stop, 0.3 rad from its place. */
Scene *truthStoppedSixBar(const SceneSurface *surface, double stepSize);

/* A bridge of eight planks between two ends, one of them heavier, whose hinges bend by at most 0.02
 * rad. */
Scene *truthStiffBridge(const SceneSurface *surface, double stepSize);

/* An arm that swings, with a wheel on a hinge2 whose steering axis reaches its stops. */
Scene *truthSteering(const SceneSurface *surface, double stepSize);

/* A coupler on two cranks that both reach their stops: two stops for one freedom. */
Scene *truthStoppedCranks(const SceneSurface *surface, double stepSize);

/* Two bars that fall, to their stops and to the ground. */
Scene *truthFallingFlail(const SceneSurface *surface, double stepSize);

/* A plate of 25 kg on six massless rods, and a pendulum of 8 kg at its edge. Joints: rods,
 * pendulum. */
Scene *truthCablePlatform(const SceneSurface *surface, double stepSize);

/* A boom of 40 kg on a hinge and a gas strut, with 30 kg on eight links. Joints: boom, strut's two
 * ends, its piston, links. */
Scene *truthStrutCrane(const SceneSurface *surface, double stepSize);

/* A satellite of 400 kg, free and without gravity: two panels on motors, a wheel that gains speed,
 * an arm. Joints: panels, wheel, arm's three. */
Scene *truthSatellite(const SceneSurface *surface, double stepSize);

/* A shaft between two universal joints, bent by 0.5 rad, which a motor turns at 15 rad/s. Joints:
 * motor, both universal joints, the rotor's bearing. */
Scene *truthCardanShaft(const SceneSurface *surface, double stepSize);

/* A bridge of 14 links of 7 kg, over which somebody of 80 kg runs to and fro, as forces of the
 * host. */
Scene *truthRunnersBridge(const SceneSurface *surface, double stepSize);

/* A pyramid of three legs on a kinematic base that shakes and tilts, with a double pendulum below
 * its head. Joints: each leg's two, the pendulum's. */
Scene *truthShakenPyramid(const SceneSurface *surface, double stepSize);

#endif
