/* say.h  Joint forces in the same seven scenes, as an engine reports them. z is up; all joints but
 * the door's turn about y. An engine prints the input of table.awk:
 *
 *     engine|NAME|VERSION|what is read|on which body|axes, point of the torque|unit
 *     NAME|SCENE|JOINT|STEP|force on the child, x y z|torque about the anchor, x y z|angle and rate at the start of the step
 *
 * all in N, N m and world axes, whatever the engine's own units and axes; one number in place of
 * three is a magnitude. Scenes:
 *
 *     rest    a rod of 2 kg and 1 m hangs on a hinge
 *     swing   the same at 0.7 rad, 3 rad/s
 *     arm     links of 2 kg and 1 m, 1 kg and 0.5 m, held level by motors or locks
 *     loop    two rods of 1 kg and 1 m hang on hinges, and a bar of 4 kg and 1 m on hinges at their ends
 *     bridge  eight rods of 2 kg and 1 m hang between two points, in the pose in which they rest with a pull of 50 N
 *     door    20 kg, on two hinges 1.4 m apart, its mass centre 0.4 m from their axis
 *     wall    a box of 1 kg, pressed to a wall by 50 N; friction 1. Joint 1: the sum of its contacts */
#ifndef TESTS_BENCH_REACTIONS_SAY_H
#define TESTS_BENCH_REACTIONS_SAY_H

#include <math.h>
#include <stdio.h>

static const double kStep = 1e-3, kGravity = 9.81, kRodSide = 0.02;

enum { RODS = 8 };
static const double kRodMass = 2, kPull = 50;

/* The direction (x, z) of a rod of the bridge, along the mean of the forces at its ends. */
static inline void alongRod(int rod, double direction[2])
{
    const double z = (rod + 0.5 - RODS / 2) * kRodMass * kGravity, size = sqrt(kPull * kPull + z * z);
    direction[0] = kPull / size;
    direction[1] = z / size;
}

/* Whether this step is printed; steps count from 1. */
static inline int isSaid(int step)
{
    return step <= 2 || step == 300;
}
enum { STEPS = 300 };

/* torque: about `centre`; NULL: the engine reports none. */
static inline void say(const char *engine, const char *scene, int joint, int step, const double force[3],
                       const double *torque, const double centre[3], const double anchor[3], const double motion[2])
{
    printf("%s|%s|%d|%d|%.9g %.9g %.9g|", engine, scene, joint, step, force[0], force[1], force[2]);
    if (torque) {
        double arm[3];
        for (int k = 0; k < 3; k++)
            arm[k] = centre[k] - anchor[k];
        printf("%.9g %.9g %.9g", torque[0] + arm[1] * force[2] - arm[2] * force[1],
               torque[1] + arm[2] * force[0] - arm[0] * force[2], torque[2] + arm[0] * force[1] - arm[1] * force[0]);
    }
    printf("|");
    if (motion)
        printf("%.9g %.9g", motion[0], motion[1]);
    printf("\n");
}

/* For an engine that reports magnitudes only. */
static inline void saySizes(const char *engine, const char *scene, int joint, int step, double force, double torque,
                            const double motion[2])
{
    printf("%s|%s|%d|%d|%.9g|%.9g|%.9g %.9g\n", engine, scene, joint, step, force, torque, motion[0], motion[1]);
}

#endif
