/* touch_kit.h  A world with gravity, a group of contacts for each step, and a log of touches. */
#ifndef TESTS_KITS_CONTACTS_TOUCH_KIT_H
#define TESTS_KITS_CONTACTS_TOUCH_KIT_H

#include "../support.h"

static const double h = 0.01, mass = 2, radius = 0.25, speed = 3;

enum { MOST = 64 };

/* The calls. */
typedef struct Log {
    ksTouch at[MOST];
    int count;
} Log;

static void note(const ksTouch *touch, void *user)
{
    Log *log = user;
    ck_assert_int_lt(log->count, MOST);
    log->at[log->count++] = *touch;
}

static const double up[3] = {0, 0, 1};

static dJointGroupID group;
static dWorldID world;
static ksInspector *inspector;

static void setup(void)
{
    world = heavyWorld();
    dWorldSetCFM(world, 0);
    group = dJointGroupCreate(0);
    inspector = inspect(world);
}

static void teardown(void)
{
    ksInspectorDestroy(inspector);
    dJointGroupDestroy(group);
    if (world)
        dWorldDestroy(world);
}

/* Creates a contact for the next step, which pushes a along the normal. */
static void touch(dBodyID a, dBodyID b, const double at[3], const double normal[3], double bounce, double mu)
{
    const dContact contact = {.surface = {.mode = dContactBounce | dContactApprox1, .mu = mu, .bounce = bounce},
                              .geom = {.pos = {at[0], at[1], at[2]}, .normal = {normal[0], normal[1], normal[2]}},
                              .fdir1 = {1, 0, 0}};
    addContact(world, group, &contact, a, b);
}

static const double friction = 0.3;

/* ... for a ball on the ground */
static void land(dBodyID ball, double bounce)
{
    const dReal *x = dBodyGetPosition(ball);
    const double at[3] = {x[0], x[1], x[2] - radius};
    touch(ball, NULL, at, up, bounce, friction);
}

static void step(void)
{
    CHECK_OK(ksInspectorStep(inspector, h));
    dJointGroupEmpty(group);
}

static void expect(const Log *log, int index, ksTouchPhase phase, unsigned long number, double lasted)
{
    static const double clock = 1e-12; /* sums of up to 20 steps */
    ck_assert_int_lt(index, log->count);
    ck_assert_int_eq(log->at[index].phase, phase);
    ck_assert_uint_eq(log->at[index].step, number);
    ck_assert_double_eq_tol(log->at[index].time, h * (double)number, clock);
    ck_assert_double_eq_tol(log->at[index].lasted, lasted, clock);
}

#endif
