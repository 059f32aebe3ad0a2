/* bullet_kit.h  Worlds of Bullet for tests in C, and the true wrenches in their joints. */
#ifndef TESTS_ADAPTERS_BULLET_KIT_H
#define TESTS_ADAPTERS_BULLET_KIT_H

#include "adapters/bullet.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BulletScene BulletScene;
enum { BULLET_JOINTS = 9 };

/* Trees of nine bodies at random, in a pose and with velocities that their joints allow. */
typedef struct BulletTrees {
    uint64_t seed;
    int areLinks;    /* of multibodies; else rigid bodies with constraints */
    int isImplicit;  /* gyroscopic torques as Bullet has them by default; else exact ones, or none */
    int hasDrives;   /* motors, stops and springs, which the true wrenches lack */
    int hasFloor;    /* what is on it touches it */
    int isKinematic; /* what holds the first body moves */
} BulletTrees;

BulletScene *bulletTrees(const BulletTrees *trees);

/* Four bodies of 1 kg, each on the one above by a hinge, 0.5 m apart. */
BulletScene *bulletChain(int areLinks);

/* A rod of a mass, on a hinge that is `length` above its mass centre, out of the vertical by an angle, turning at a rate. */
typedef struct BulletPendulum {
    double mass, length, inertia, angle, rate, step;
    int areLinks, hasFeedback;
    double torque; /* N.m, in the hinge of a link */
} BulletPendulum;
BulletScene *bulletPendulum(const BulletPendulum *pendulum);

/* Two bars of 2 kg, each `across` wide and `high` high between its ends: hinges at the feet, a ball at the crown. */
BulletScene *bulletArch(double across, double high);

/* Links at rest: an arm of 2 kg lies on the floor, which touches it in its mass centre, `first` from its hinge; one of 1 kg is welded to
 * its end and sticks up, its mass centre `second` from the hinge. */
BulletScene *bulletLever(double first, double second);

typedef enum BulletKind {
    BULLET_HINGE2,     /* as btHinge2Constraint has it: turns, and slides on a spring */
    BULLET_CONE,       /* btConeTwistConstraint */
    BULLET_CRANK,      /* a slide and a turn across it */
    BULLET_ROD,        /* btGeneric6DofConstraint with all locked, where its errors are zero */
    BULLET_PLANE,      /* two slides: none of the recording's joints */
    BULLET_APART,      /* a ball whose anchors are a decimetre apart */
    BULLET_ANGULAR,    /* a hinge that holds no point */
    BULLET_DISABLED,   /* a hinge */
    BULLET_SOFT_HINGE, /* by a CFM of its own, as are the others named so */
    BULLET_SOFT_BALL,
    BULLET_UNIVERSAL_X, /* turns about x and y, z is held */
    BULLET_OUT,         /* a slide and a turn across it, out by a metre's quarter */
    BULLET_STOP,        /* a ball; the first body's hinge is at its stop */
    BULLET_STOP_BETWEEN /* a hinge at its stop */
} BulletKind;

/* A body that hangs on another one, which hangs in the world by a hinge. */
BulletScene *bulletPair(BulletKind kind);

void bulletStep(BulletScene *scene);
void bulletDestroy(BulletScene *scene);

/* Of all joints, in the pose and with the velocities of the beginning, on their first bodies. */
const ksWrench *bulletTruth(BulletScene *scene);
double bulletLargestLoad(const BulletScene *scene);

/* How many numbers: of bodies, links and feedback; those are put there if there is room. */
size_t bulletNumbers(const BulletScene *scene, double *number, size_t room);

/* The report of the first constraint is made so many times as large, from now on. */
void bulletSpoil(BulletScene *scene, double factor);

void bulletSleep(BulletScene *scene);
void bulletSwitch(BulletScene *scene, int isOn);
void bulletBreak(BulletScene *scene);   /* a velocity is no number */
void bulletReplace(BulletScene *scene); /* the host sets a callback of its own */
int bulletJoints(const BulletScene *scene);
int bulletTicks(const BulletScene *scene);
double bulletStepSize(const BulletScene *scene);
int bulletContacts(const BulletScene *scene);
btDynamicsWorld *bulletWorld(BulletScene *scene);

/* 2^-53 or 2^-24 */
double bulletRounding(void);

#ifdef __cplusplus
}
#endif
#endif
