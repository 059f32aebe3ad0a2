/* pair_kit.h  Bodies on the ground, the forces on them by their momentum, and the comparison of
 * means with these. */
#ifndef TESTS_KITS_CONTACTS_PAIR_KIT_H
#define TESTS_KITS_CONTACTS_PAIR_KIT_H

#include "ground_kit.h"

/* of a step's force, relative to the load: rounding of a difference of velocities over h */
static const double exactTolerance = 1e-11;
static const double deviationTolerance = 1e-7; /* likewise, of a root of a difference of squares */
static const double clockTolerance = 1e-12;    /* sums of steps */
static const double shareTolerance = 1e-12;
static const double blow = 20; /* times the weight: the largest force, whose rounding counts */
static const double boxSize[3] = {0.3, 0.2, 0.2}, weight = 2 * SCENE_GRAVITY;

enum { MOST_STEPS = 1024 };

/* The total force on a body without its weight, step by step, from its motion. */
typedef struct Truth {
    dBodyID body;
    int count;
    double h[MOST_STEPS];
    ksWrench wrench[MOST_STEPS];
    double velocity[6], inertia[9], mass;
} Truth;

/* There is no gyroscopic torque, so I dw/dt is the whole torque. */
static inline Truth follow(dBodyID body)
{
    dBodySetGyroscopicMode(body, 0);
    return (Truth){.body = body};
}

static inline void before(Truth *truth)
{
    dMass m;
    const dReal *turn = dBodyGetRotation(truth->body);
    dBodyGetMass(truth->body, &m);
    truth->mass = m.mass;
    for (int i = 0; i < 3; i++) {
        truth->velocity[i] = dBodyGetLinearVel(truth->body)[i];
        truth->velocity[3 + i] = dBodyGetAngularVel(truth->body)[i];
        for (int j = 0; j < 3; j++) {
            truth->inertia[3 * i + j] = 0;
            for (int k = 0; k < 3; k++)
                truth->inertia[3 * i + j] += turn[4 * i + k] * m.I[5 * k] * turn[4 * j + k];
        }
    }
}

static inline void after(Truth *truth)
{
    ck_assert_int_lt(truth->count, MOST_STEPS);
    ksWrench *wrench = &truth->wrench[truth->count];
    dVector3 gravity;
    double gained[3];
    dWorldGetGravity(world, gravity);
    for (int k = 0; k < 3; k++) {
        wrench->force[k] = truth->mass * ((dBodyGetLinearVel(truth->body)[k] - truth->velocity[k]) / h - gravity[k]);
        gained[k] = (dBodyGetAngularVel(truth->body)[k] - truth->velocity[3 + k]) / h;
    }
    for (int k = 0; k < 3; k++)
        wrench->torque[k] = truth->inertia[3 * k] * gained[0] + truth->inertia[3 * k + 1] * gained[1] +
                            truth->inertia[3 * k + 2] * gained[2];
    truth->h[truth->count++] = h;
}

static inline void stepOf(ksStepper stepper, Truth *a, Truth *b)
{
    before(a);
    if (b)
        before(b);
    step(stepper);
    after(a);
    if (b)
        after(b);
}

/* The mean over the last steps of this duration; a part of the oldest step counts. */
static inline void meanOf(const Truth *truth, double window, ksMean *out)
{
    double left = window, touching = 0;
    *out = (ksMean){.time = 0};
    for (int i = truth->count; i-- > 0 && left > clockTolerance;) {
        const double part = fmin(left, truth->h[i]), *from = (const double *)&truth->wrench[i];
        for (int k = 0; k < 6; k++)
            ((double *)&out->wrench)[k] += part * from[k];
        touching += length3(truth->wrench[i].force) > exactTolerance * weight ? part : 0;
        left -= part;
        out->time += part;
        out->stepCount++;
    }
    for (int k = 0; k < 6; k++)
        ((double *)&out->wrench)[k] /= out->time;
    out->contactShare = touching / out->time;
}

/* The deviation of the steps in the window, the oldest one included as a whole, from the straight
 * line through them, with equal weights. */
static inline double deviationOf(const Truth *truth, size_t count, int component)
{
    const int first = truth->count - (int)count;
    double t = 0, middle = 0, level = 0, tt = 0, ty = 0, yy = 0;
    for (int i = first; i < truth->count; t += truth->h[i++]) {
        middle += (t + 0.5 * truth->h[i]) / (double)count;
        level += ((const double *)&truth->wrench[i])[component] / (double)count;
    }
    t = 0;
    for (int i = first; i < truth->count; t += truth->h[i++]) {
        const double x = t + 0.5 * truth->h[i] - middle, y = ((const double *)&truth->wrench[i])[component] - level;
        tt += x * x;
        ty += x * y;
        yy += y * y;
    }
    return sqrt(fmax(yy - ty * ty / tt, 0) / (double)(count - 2));
}

static inline ksMean meanNow(ksSubscription of)
{
    ksMean mean;
    CHECK_OK(ksInspectorGetMean(inspector, of, &mean));
    return mean;
}

/* The mean agrees with the truth within its bar, which is short. sign -1: for the other body, whose
 * torque is about another point. */
static inline void compare(const ksMean *mean, const ksMean *truth, double load, int sign)
{
    for (int k = 0; k < 3; k++) {
        const double apart = fabs(sign * mean->wrench.force[k] - truth->wrench.force[k]);
        ck_assert_double_le(apart, mean->bar.force[k] + exactTolerance * load);
        ck_assert_double_le(mean->bar.force[k], 100 * exactTolerance * load);
        if (sign < 0)
            continue;
        ck_assert_double_le(fabs(mean->wrench.torque[k] - truth->wrench.torque[k]),
                            mean->bar.torque[k] + exactTolerance * load);
        ck_assert_double_le(mean->bar.torque[k], 100 * exactTolerance * load);
    }
}

static inline void checkMean(ksSubscription of, const Truth *truth, double window, double load)
{
    const ksMean mean = meanNow(of);
    ksMean expected;
    meanOf(truth, window, &expected);
    compare(&mean, &expected, load, 1);
    ck_assert_double_eq_tol(mean.time, expected.time, clockTolerance);
    ck_assert_double_eq_tol(mean.contactShare, expected.contactShare, shareTolerance);
    ck_assert_uint_eq(mean.stepCount, expected.stepCount);
    for (int k = 0; k < 6 && mean.stepCount > 2; k++)
        ck_assert_double_eq_tol(((const double *)&mean.deviation)[k], deviationOf(truth, mean.stepCount, k),
                                deviationTolerance * load);
}

static inline ksSubscription pairOf(dBodyID a, dBodyID b, double window)
{
    ksSubscription pair = 0;
    CHECK_OK(ksInspectorPair(inspector, a, b, window, &pair));
    return pair;
}

/* Drops a box, which hops and comes to rest. */
static inline dBodyID dropBox(void)
{
    const dBodyID box = makeBox(2, boxSize, 0.4);
    surface.mode |= dContactBounce;
    surface.bounce = 0.5;
    surface.bounce_vel = 0.1;
    dBodySetAngularVel(box, 0.3, 1.2, 0.1);
    return box;
}

static inline void settle(ksStepper stepper, Truth *a, Truth *b, int count)
{
    for (int n = 0; n < count; n++)
        stepOf(stepper, a, b);
}

#endif
