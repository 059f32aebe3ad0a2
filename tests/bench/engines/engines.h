/* engines.h  Joint forces of several engines, by one measure. A scene is described once, without an
 * engine: bodies, joints, springs, ground. An engine builds it, steps it under given loads, and
 * records it by its adapter. The recording is judged.
 *
 *     engines.c         command line
 *     scenes.c          the scenes
 *     run.c             one engine, setting, scene and step size: springs, gaps, energy, time
 *     judge.c           the recording of it
 *     report.c          table and CSV
 *     <name>.c, .cpp    an engine: one struct, listed in engines.c */
#ifndef TESTS_BENCH_ENGINES_ENGINES_H
#define TESTS_BENCH_ENGINES_ENGINES_H

#include <kinetostat/recording.h>

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ENGINE_BODIES = 100, ENGINE_JOINTS = 100, ENGINE_SETTINGS = 16, ENGINE_NAME = 320, WORLD = -1 };

typedef enum EngineShape { SHAPE_BOX, SHAPE_BALL, SHAPE_BAR } EngineShape;

/* A body at rest. Its axes are its principal axes. */
typedef struct EngineBody {
    double mass, inertia[3]; /* kg, kg.m^2 */
    double position[3], quaternion[4];
    EngineShape shape;
    double size[3]; /* m; box: half sides; ball: radius; bar: radius, and half the distance of the
                       centres of its ends, along z */
} EngineBody;

/* Ball, hinge (axis 0), slider (axis 0), universal joint (axis 0 of body[0], axis 1 of body[1]), or
 * fixed. The joints that close no loop make a tree: body[0] hangs on body[1], which is the world or
 * an earlier body, and is body[0] of no other tree joint. The joints that close loops are balls. */
typedef struct EngineJoint {
    ksJointType type;
    int body[2];                  /* body[1] can be WORLD */
    double anchor[3], axis[2][3]; /* world, axes of unit length */
    bool closes;
    /* of a hinge or slider: a spring about its initial angle or length, and a constant drive, on
     * body[0]; applied as loads */
    double stiffness, damping, drive;
} EngineJoint;

typedef struct EngineScene {
    const char *name;
    int bodyCount, jointCount;
    EngineBody body[ENGINE_BODIES];
    EngineJoint joint[ENGINE_JOINTS];
    bool hasGround;    /* the plane z = 0 touches all bodies */
    bool touches;      /* bodies touch each other, too, unless they share a joint */
    bool isConserving; /* conserves energy: no damping, drives or contacts */
    double friction, stepSize, seconds;
} EngineScene;

extern const double engineGravity; /* m/s^2, along -z */

/* false: there is no such scene. */
bool engineScene(int index, EngineScene *scene);

/* The scene "chain" with this many links. */
void engineChain(int links, EngineScene *scene);

/* The joint by which a body hangs on its parent in the tree; NULL: it is free. */
const EngineJoint *engineJointAbove(const EngineScene *scene, int body);

/* An engine. A world has the engine's own type. */
typedef struct Engine {
    const char *name;
    void (*describe)(char text[ENGINE_NAME]); /* version and build */
    const char *setting[ENGINE_SETTINGS];     /* names; NULL ends the list */
    const char *explanation[ENGINE_SETTINGS]; /* of each setting */
    double rounding; /* allowed difference of its first step from other engines' first steps, relative;
                     0: 1e-6, for double precision */
    /* Why the engine cannot make such a world; NULL, or a result of NULL: it can. */
    const char *(*lacks)(const EngineScene *scene, int setting);
    /* path: of the recording; NULL: a plain world. Returns NULL if the world cannot be made; a
     * message has said so. */
    void *(*open)(const EngineScene *scene, int setting, double stepSize, const char *path);
    void (*state)(void *world, ksRecordedState *state); /* [bodies] the present one */
    bool (*step)(void *world, const ksWrench *load);    /* [bodies] about mass centres, world axes */
    bool (*close)(void *world);                         /* false: the recording failed */
    /* By its own inverse dynamics, from the state after a step; NULL: only its steps compute
     * reactions. false: it failed. */
    bool (*reactions)(void *world);
} Engine;

extern const Engine engineOde, engineMujoco, engineBullet, engineSimbody;

/* All engines of this build; NULL ends the list. */
extern const Engine *const engines[];

/* The world of engineOde. */
struct dxWorld *engineOdeWorld(void *world);

typedef struct EngineCase {
    const Engine *engine;
    int setting;
    const EngineScene *scene;
    double stepSize;
    const char *folder; /* where recordings are written */
} EngineCase;

/* NaN: unknown or meaningless. */
typedef enum EngineFigure {
    REPORT_MEDIAN, /* reported against physical wrench, in the determined part; relative */
    REPORT_HIGH,   /* 95 % of joint-steps are below it */
    MOTION_MEDIAN, /* observed against physical */
    MOTION_HIGH,
    JUDGED,       /* share of joint-steps that have both wrenches */
    LARGEST_GAP,  /* m, between the two sides of a joint */
    ENERGY_DRIFT, /* largest change of energy, relative to the largest kinetic energy */
    MICROSECONDS, /* median time of a plain step */
    FIRST_LOAD,   /* of all physical wrenches of the first step, the root of the sum of squares in the
                   measure; N/kg^(1/2). It depends on the scene alone: engines with different values
                   have built different scenes. Not printed */
    ENGINE_FIGURES
} EngineFigure;

typedef struct EngineResult {
    double figure[ENGINE_FIGURES];
    bool broke; /* the machine flew apart, or the engine gave up: figures are of the steps before */
} EngineResult;

/* false: it could not be measured; a message has said so. */
bool engineRun(const EngineCase *what, EngineResult *result);

/* Adds the figures of a recording. */
bool engineJudge(const EngineCase *what, const char *path, double figure[ENGINE_FIGURES]);

/* false: the engine has built another scene than the one whose result is `first`; a message has
 * said so. */
bool engineIsSame(const EngineCase *what, const EngineResult *result, double first);

void engineHead(const Engine *const *engine, FILE *csv);
void engineReport(const EngineCase *what, const EngineResult *result, FILE *csv);
void engineReportLack(const EngineCase *what, const char *why); /* prints a dash in the table, and
                                                                   no line in the file */

/* Of vectors, and of quaternions (w, x, y, z). */
double engineDot(const double a[3], const double b[3]);
void engineCross(const double a[3], const double b[3], double out[3]);
void engineTurn(const double q[4], const double v[3], double out[3]);       /* into the world's axes */
void engineTurnBack(const double q[4], const double v[3], double out[3]);   /* out of the world's axes */
void engineRelative(const double of[4], const double to[4], double out[4]); /* of^-1 to */

#ifdef __cplusplus
}
#endif
#endif
