/* drift_kit.h  Mechanisms of boxes on balls, hinges, welds, rods and sliders, and their true
 * reactions: those in the nearest pose in which all joints fit, from closed forms of the joints and
 * dense matrices, without the library. */
#ifndef TESTS_KITS_DRIFT_KIT_H
#define TESTS_KITS_DRIFT_KIT_H

#include "tests/kits/support.h"

enum { KIT_BODIES = 6, KIT_JOINTS = 8, KIT_ROWS = 36 };
typedef enum KitType { KIT_BALL, KIT_HINGE, KIT_WELD, KIT_ROD, KIT_SLIDER } KitType;

/* A joint of body a with body b (-1: the world), created at p; axis along q; for a rod, q is its
 * point on b. */
typedef struct KitJoint {
    KitType type;
    int a, b, row;
    double p[2][3], axis[2][3], across[2][3], length, turn[9]; /* in the bodies' axes */
    dJointID id;
} KitJoint;

typedef struct KitState {
    double x[3], R[9], v[6];
} KitState;

typedef struct Mechanism {
    const char *name;
    dWorldID world;
    int bodies, joints, rows;
    bool isTree;
    dBodyID body[KIT_BODIES];
    double inertia[KIT_BODIES][3]; /* about the body's axes; masses are 1 */
    KitJoint joint[KIT_JOINTS];
} Mechanism;

/* Reactions of each joint in the mass metric, with torques in the bodies' axes, and their free
 * directions. */
typedef struct KitTruth {
    bool fits;
    int rank;
    double drift, leastSigma, largest;
    double reaction[KIT_JOINTS][12];
    double force[KIT_JOINTS][3]; /* force on body a */
    double free[KIT_JOINTS][6][12];
    int freeCount[KIT_JOINTS];
} KitTruth;

Mechanism kitMechanism(const char *name);
int kitAddBody(Mechanism *m, double x, double y, double z);
void kitAddJoint(Mechanism *m, KitType type, int a, int b, const double p[3], const double q[3]);
void kitReadState(const Mechanism *m, KitState *state);
KitTruth kitFindTruth(const Mechanism *m, const KitState *state);
/* Velocity of body `at` along a twist, per unit impulse along another twist on body `from`, in the
 * fitting pose; force and couple in world axes about the mass centre. */
double kitFindMobility(const Mechanism *m, const KitState *state, int at, const double along[6], int from,
                       const double impulse[6]);
/* A wrench on body a or b (side) of joint j, in the same scale. */
void kitScale(const Mechanism *m, const KitState *state, int j, int side, const ksWrench *w, double out[6]);

#endif
