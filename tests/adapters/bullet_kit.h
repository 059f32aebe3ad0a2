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

/* Random trees of nine bodies, in a pose and with velocities that their joints allow. */
typedef struct BulletTrees {
    uint64_t seed;
    int areLinks;    /* 1: multibodies; 0: rigid bodies with constraints */
    int isImplicit;  /* gyroscopic torques as Bullet computes them by default; else exact ones, or none */
    int hasDrives;   /* motors, stops and springs, which the true wrenches do not include */
    int hasFloor;    /* bodies touch the floor */
    int isKinematic; /* the body that holds the first one moves */
} BulletTrees;

BulletScene *bulletTrees(const BulletTrees *trees);

/* Four bodies of 1 kg, each on the one above by a hinge, 0.5 m apart. */
BulletScene *bulletChain(int areLinks);

/* A rod on a hinge `length` above its mass centre, tilted from the vertical by an angle, turning at
 * a rate. */
typedef struct BulletPendulum {
    double mass, length, inertia, angle, rate, step;
    int areLinks, hasFeedback;
    double torque; /* N.m, in the hinge of a link */
} BulletPendulum;
BulletScene *bulletPendulum(const BulletPendulum *pendulum);

/* Two bars of 2 kg, each spanning `across` by `high`: hinges at the feet, a ball at the crown. */
BulletScene *bulletArch(double across, double high);

/* Links at rest. An arm of 2 kg lies on the floor, which touches it at its mass centre, `first`
 * from its hinge. An arm of 1 kg is welded to its end and sticks up, its mass centre `second` from
 * the hinge. */
BulletScene *bulletLever(double first, double second);

typedef enum BulletKind {
    BULLET_HINGE2,     /* a btHinge2Constraint: it turns, and slides on a spring */
    BULLET_CONE,       /* btConeTwistConstraint */
    BULLET_CRANK,      /* a slide, and a turn about an axis across it */
    BULLET_ROD,        /* btGeneric6DofConstraint with all axes locked, in a pose where its errors are zero */
    BULLET_PLANE,      /* two slides: the recording has no such joint */
    BULLET_APART,      /* a ball whose anchors are 0.1 m apart */
    BULLET_ANGULAR,    /* a hinge that holds no point, only directions */
    BULLET_DISABLED,   /* a disabled hinge */
    BULLET_SOFT_HINGE, /* softened by a CFM of its own, like the other SOFT kinds */
    BULLET_SOFT_BALL,
    BULLET_UNIVERSAL_X, /* turns about x and y, and holds z */
    BULLET_OUT,         /* a slide, and a turn about an axis across it; extended by 0.25 m */
    BULLET_STOP,        /* a ball; the hinge of the first body is at its stop */
    BULLET_STOP_BETWEEN /* a hinge at its stop */
} BulletKind;

/* A body that hangs on another one, which hangs from the world on a hinge. */
BulletScene *bulletPair(BulletKind kind);

void bulletStep(BulletScene *scene);
void bulletDestroy(BulletScene *scene);

/* The wrenches of all joints on their first bodies, in the initial pose and at the initial
 * velocities. */
const ksWrench *bulletTruth(BulletScene *scene);
double bulletLargestLoad(const BulletScene *scene);

/* The number of values of bodies, links and feedback; they are written if there is room. */
size_t bulletNumbers(const BulletScene *scene, double *number, size_t room);

/* From this call on, the report of the first constraint is multiplied by `factor`. */
void bulletSpoil(BulletScene *scene, double factor);

void bulletSleep(BulletScene *scene);
void bulletSwitch(BulletScene *scene, int isOn);
void bulletBreak(BulletScene *scene);   /* sets a velocity to NaN */
void bulletReplace(BulletScene *scene); /* the host installs a callback of its own */
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
