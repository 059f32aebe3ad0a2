/* threshold_kit.h  Shared by the tests of thresholds: a box in the air on one joint, and a log of
 * events. */
#ifndef TESTS_KITS_REPORT_THRESHOLD_KIT_H
#define TESTS_KITS_REPORT_THRESHOLD_KIT_H

#include "../support.h"

static const double h = 0.001;
static const double mass = 2;
static const double exactTolerance = BY_PRECISION(1e-9, 1e-5);  /* one body, or two */
static const double clockTolerance = BY_PRECISION(1e-12, 1e-7); /* sums of steps */

enum { logRoom = 16 };

/* The calls, with copies of their reactions. */
typedef struct Log {
    int count;
    ksThresholdEvent event[logRoom];
    ksReaction reaction[logRoom];
    unsigned long step[logRoom];
    bool destroyJoint; /* on entering */
    dJointID victim;   /* another joint to destroy on entering */
    bool unsubscribe;
    ksInspector *inspector;
} Log;

static inline void note(const ksThresholdEvent *event, void *user)
{
    Log *log = user;
    ck_assert_int_lt(log->count, logRoom);
    log->event[log->count] = *event;
    log->reaction[log->count] = *event->reaction;
    log->step[log->count++] = event->reaction->step;
    if (event->phase != KS_THRESHOLD_ENTERED)
        return;
    if (log->victim)
        dJointDestroy(log->victim);
    log->victim = NULL;
    if (log->unsubscribe)
        CHECK_OK(ksInspectorOff(log->inspector, user));
    if (log->destroyJoint)
        dJointDestroy(event->reaction->joint);
}

static inline void checkEvent(const Log *log, int at, ksThresholdPhase phase, ksLimit limit, unsigned long step,
                              double lasted)
{
    ck_assert_int_gt(log->count, at);
    ck_assert_int_eq((int)log->event[at].phase, (int)phase);
    ck_assert_int_eq((int)log->event[at].limit, (int)limit);
    ck_assert_uint_eq(log->step[at], step);
    ck_assert_double_eq_tol(log->event[at].lasted, lasted, clockTolerance);
}

static inline ksThreshold thresholds(void)
{
    ksThreshold limits;
    ksThresholdInit(&limits);
    return limits;
}

static inline dBodyID makeBox(dWorldID world, double z)
{
    return addBox(world, mass, (const double[]){0.2, 0.3, 0.4}, z);
}

/* A fixture: a box of 2 kg on one joint, without compliance, since the formulas have none. */
static dWorldID world;
static dBodyID box;
static dJointID holder;
static ksInspector *inspector;

static inline void setUp(void)
{
    world = heavyWorld();
    dWorldSetCFM(world, 0);
    box = makeBox(world, 0);
    holder = dJointCreateFixed(world, 0);
    dJointAttach(holder, box, NULL);
    dJointSetFixed(holder);
    inspector = inspect(world);
}

static inline void tearDown(void)
{
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}

/* Makes a step with a force that pulls the box down, so that the joint has this load. */
static inline void stepWithLoad(double load)
{
    dBodyAddForce(box, 0, 0, mass * SCENE_GRAVITY - load);
    CHECK_OK(ksInspectorStep(inspector, h));
}

static inline void stepsWithLoad(double load, int count)
{
    for (int i = 0; i < count; i++)
        stepWithLoad(load);
}

#endif
