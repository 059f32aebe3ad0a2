/* check_pair.c  Net forces of two bodies through their contacts, in the mean over a window: by the momentum of bodies. */
#include "ground_kit.h"
#include "memory_kit.h"

/* Rounding of a step's force, which is a difference of velocities over h, relative to the load */
static const double exactTolerance = 1e-11;
static const double clockTolerance = 1e-12; /* sums of steps */
static const double shareTolerance = 1e-12;
static const double boxSize[3] = {0.3, 0.2, 0.2}, weight = 2 * SCENE_GRAVITY;

enum { MOST_STEPS = 1024 };

/* What the motion of a body tells, step by step: all that acts on it but its weight. */
typedef struct Truth {
    dBodyID body;
    int count;
    double h[MOST_STEPS];
    ksWrench wrench[MOST_STEPS];
    double velocity[6], inertia[9], mass;
} Truth;

/* Gyroscopic torques are none, so that I dw/dt is all of the torque. */
static Truth follow(dBodyID body)
{
    dBodySetGyroscopicMode(body, 0);
    return (Truth){.body = body};
}

static void before(Truth *truth)
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

static void after(Truth *truth)
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

static void stepOf(ksStepper stepper, Truth *a, Truth *b)
{
    before(a);
    if (b)
        before(b);
    step(stepper);
    after(a);
    if (b)
        after(b);
}

/* Over the last steps of this length, of the first one a part. */
static void meanOf(const Truth *truth, double window, ksMean *out)
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

static ksMean meanNow(ksSubscription of)
{
    ksMean mean;
    CHECK_OK(ksInspectorGetMean(inspector, of, &mean));
    return mean;
}

/* Within the bar, which is short. sign: -1, of what acts on the other one, whose torque is about another point. */
static void compare(const ksMean *mean, const ksMean *truth, double load, int sign)
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

static void checkMean(ksSubscription of, const Truth *truth, double window, double load)
{
    const ksMean mean = meanNow(of);
    ksMean expected;
    meanOf(truth, window, &expected);
    compare(&mean, &expected, load, 1);
    ck_assert_double_eq_tol(mean.time, expected.time, clockTolerance);
    ck_assert_double_eq_tol(mean.contactShare, expected.contactShare, shareTolerance);
    ck_assert_uint_eq(mean.stepCount, expected.stepCount);
}

static ksSubscription pairOf(dBodyID a, dBodyID b, double window)
{
    ksSubscription pair = 0;
    CHECK_OK(ksInspectorPair(inspector, a, b, window, &pair));
    return pair;
}

/* --- Hops and rests --- */

static const struct Way {
    ksStepper stepper;
    int iterations;
    bool isUneven;
} way[] = {{KS_QUICK_STEP, 5, false},  {KS_QUICK_STEP, 20, false}, {KS_QUICK_STEP, 100, false},
           {KS_WORLD_STEP, 20, false}, {KS_EXACT_STEP, 20, false}, {KS_QUICK_STEP, 20, true},
           {KS_WORLD_STEP, 20, true},  {KS_EXACT_STEP, 20, true},  {KS_FOREIGN_STEP, 20, false}};

enum { WAYS = sizeof way / sizeof *way };

static const double blow = 20; /* times the weight: what rounding is relative to */

static dBodyID dropBox(void)
{
    const dBodyID box = makeBox(2, boxSize, 0.4);
    surface.mode |= dContactBounce;
    surface.bounce = 0.5;
    surface.bounce_vel = 0.1;
    dBodySetAngularVel(box, 0.3, 1.2, 0.1);
    return box;
}

START_TEST(by_momentum)
{
    static const double window[] = {0.15, 0.004, 0.5, 0.05};
    const dBodyID box = dropBox();
    ksSubscription pair[4];
    Truth truth = follow(box);
    bool hasHopped = false, hasRested = false;
    dWorldSetQuickStepNumIterations(world, way[_i].iterations);
    for (int w = 0; w < 4; w++)
        pair[w] = pairOf(box, NULL, window[w]);
    for (int n = 0; n < 400; n++) {
        h = way[_i].isUneven ? 0.001 * (1 + n * 7 % 9) : 0.005;
        stepOf(way[_i].stepper, &truth, NULL);
        for (int w = 0; w < 4; w++) {
            checkMean(pair[w], &truth, window[w], blow * weight);
        }
        const double share = meanNow(pair[0]).contactShare;
        hasHopped |= share > 0 && share < 0.5;
        hasRested |= share == 1;
    }
    ck_assert(hasHopped && hasRested);
}
END_TEST

/* --- Odd scenes --- */

static void settle(ksStepper stepper, Truth *a, Truth *b, int count)
{
    for (int n = 0; n < count; n++)
        stepOf(stepper, a, b);
}

static bool isOpen(const ksMean *mean)
{
    return isnan(mean->bar.force[0]) && isnan(mean->bar.force[2]) && isnan(mean->bar.torque[1]);
}

/* A box falls on another one: what acts on either is the opposite of what acts on the other. */
START_TEST(reversed)
{
    const dBodyID low = makeBox(3, boxSize, 0.1), high = makeBox(2, boxSize, 0.5);
    const ksSubscription on[2] = {pairOf(high, low, 0.1), pairOf(low, high, 0.1)};
    Truth truth = follow(high), other = follow(low);
    ksMean expected;
    for (int n = 0; n < 100; n++) {
        stepOf(_i ? KS_QUICK_STEP : KS_WORLD_STEP, &truth, &other);
        checkMean(on[0], &truth, 0.1, blow * weight);
        const ksMean forth = meanNow(on[0]), back = meanNow(on[1]);
        meanOf(&truth, 0.1, &expected);
        compare(&back, &expected, blow * weight, -1);
        ck_assert_double_eq(forth.contactShare, back.contactShare);
    }
    ck_assert_double_eq(meanNow(on[0]).contactShare, 1);
}
END_TEST

/* A box on two others: they share its weight, and momentum tells the sum alone. */
START_TEST(on_two_others)
{
    static const double size[3] = {0.1, 0.2, 0.1}, plank[3] = {1, 0.2, 0.1};
    const dBodyID left = makeBox(1, size, 0.05), right = makeBox(1, size, 0.05), top = makeBox(2, plank, 0.15);
    dBodySetPosition(left, -0.4, 0, 0.05);
    dBodySetPosition(right, 0.4, 0, 0.05);
    const ksSubscription one = pairOf(top, left, 0.1), two = pairOf(top, right, 0.1);
    const ksWrenchTerm any = {.body = top}, both[2] = {{.body = top, .other = left}, {.body = top, .other = right}};
    ksSubscription all[2];
    Truth truth = follow(top);
    CHECK_OK(ksInspectorMean(inspector, &any, 1, 0.1, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &all[0]));
    CHECK_OK(ksInspectorMean(inspector, both, 2, 0.1, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &all[1]));
    settle(KS_QUICK_STEP, &truth, NULL, 60);
    const ksMean shared[2] = {meanNow(one), meanNow(two)};
    ck_assert(isOpen(&shared[0]) && isOpen(&shared[1]));
    ck_assert_double_eq(shared[0].contactShare, 1);
    checkMean(all[0], &truth, 0.1, blow * weight);
    checkMean(all[1], &truth, 0.1, blow * weight);
    const ksMean sum = meanNow(all[1]);
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(shared[0].wrench.force[k] + shared[1].wrench.force[k], sum.wrench.force[k],
                                exactTolerance * weight);
}
END_TEST

/* A door that lies on the ground, which its hinge holds too: contacts alone count, and nothing tells how the two share it. */
START_TEST(hinge_beside_contacts)
{
    const dBodyID box = makeBox(2, boxSize, 0.1);
    const dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, box, NULL);
    dJointSetHingeAnchor(hinge, -0.15, 0, 0.1);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    const ksSubscription pair = pairOf(box, NULL, 0.05);
    const ksWrenchTerm term[2] = {{.body = box}, {.joint = hinge, .body = box}};
    ksSubscription all;
    Truth truth = follow(box);
    CHECK_OK(ksInspectorMean(inspector, term, 2, 0.05, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &all));
    double sum = 0;
    for (int n = 0; n < 20; n++) {
        ksWrenchSum now;
        stepOf(KS_WORLD_STEP, &truth, NULL);
        CHECK_OK(sumContacts(inspector, box, NULL, KS_ENGINE, NULL, &now));
        sum += n >= 15 ? now.wrench.force[2] / 5 : 0;
    }
    const ksMean mean = meanNow(pair);
    ck_assert(isOpen(&mean));
    ck_assert_double_eq_tol(mean.wrench.force[2], sum, exactTolerance * weight);
    ck_assert_double_gt(fabs(weight - sum), 0.1 * weight);
    checkMean(all, &truth, 0.05, blow * weight);
}
END_TEST

/* A lift goes up, a kinematic body: what it does to the box is told by the box, and so is what the box does to it. */
START_TEST(kinematic)
{
    const dBodyID lift = makeBox(1, boxSize, 0.1), box = makeBox(2, boxSize, 0.3);
    dBodySetKinematic(lift);
    dBodySetLinearVel(lift, 0, 0, 0.2);
    const ksSubscription on[2] = {pairOf(box, lift, 0.1), pairOf(lift, box, 0.1)};
    Truth truth = follow(box);
    ksMean expected;
    for (int n = 0; n < 40; n++) {
        stepOf(_i ? KS_QUICK_STEP : KS_WORLD_STEP, &truth, NULL);
        meanOf(&truth, 0.1, &expected);
        const ksMean back = meanNow(on[1]);
        checkMean(on[0], &truth, 0.1, blow * weight);
        compare(&back, &expected, blow * weight, -1);
    }
    ck_assert_double_eq_tol(meanNow(on[0]).wrench.force[2], weight, 0.05 * weight);
}
END_TEST

/* Two feet of one robot share what momentum tells of both; the sensor in a leg, alone, has a mean of its own. */
START_TEST(two_feet)
{
    static const double foot[3] = {0.2, 0.2, 0.1}, trunk[3] = {1, 0.2, 0.2};
    const dBodyID left = makeBox(1, foot, 0.05), right = makeBox(1, foot, 0.05), top = makeBox(2, trunk, 0.5);
    dBodySetPosition(left, -0.3, 0, 0.05);
    dBodySetPosition(right, 0.3, 0, 0.05);
    const dJointID leg[2] = {weld(top, left), weld(top, right)};
    const ksSubscription one = pairOf(left, NULL, 0.1);
    const ksWrenchTerm feet[2] = {{.body = left}, {.body = right}},
                       legs[2] = {{.joint = leg[0], .body = top}, {.joint = leg[1], .body = top}};
    ksSubscription below, onTop;
    CHECK_OK(ksInspectorMean(inspector, feet, 2, 0.1, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &below));
    CHECK_OK(ksInspectorMean(inspector, legs, 2, 0.1, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &onTop));
    Truth truth = follow(top);
    settle(KS_QUICK_STEP, &truth, NULL, 100);
    const ksMean alone = meanNow(one), all = meanNow(below), legsNow = meanNow(onTop);
    ksMean expected;
    ck_assert(isOpen(&alone));
    ck_assert_double_eq_tol(all.wrench.force[2], 2 * weight, 0.05 * weight);
    ck_assert_double_le(all.bar.force[2], exactTolerance * blow * weight);
    meanOf(&truth, 0.1, &expected);
    compare(&legsNow, &expected, blow * weight, 1);
    ck_assert(isnan(legsNow.contactShare));
}
END_TEST

/* In the axes of a box that turns in the air and on the ground, step by step. */
START_TEST(axes_of_the_body)
{
    const dBodyID box = dropBox();
    const ksWrenchTerm term = {.body = box};
    ksSubscription mean;
    Truth truth = follow(box);
    CHECK_OK(ksInspectorMean(inspector, &term, 1, 0.2, KS_FRAME_BODY, KS_POINT_MASS_CENTRE, &mean));
    for (int n = 0; n < 80; n++) {
        dReal turn[12];
        memcpy(turn, dBodyGetRotation(box), sizeof turn);
        stepOf(KS_QUICK_STEP, &truth, NULL);
        ksWrench *last = &truth.wrench[truth.count - 1], w = *last;
        for (int k = 0; k < 3; k++) {
            last->force[k] = last->torque[k] = 0;
            for (int i = 0; i < 3; i++) {
                last->force[k] += turn[4 * i + k] * w.force[i];
                last->torque[k] += turn[4 * i + k] * w.torque[i];
            }
        }
        checkMean(mean, &truth, 0.2, blow * weight);
    }
}
END_TEST

/* --- Ends --- */

enum { SLEEP, TELEPORT, OTHER_BODY, NOTHING, ENDINGS };

/* What follows does not go on from what was before. */
START_TEST(ends_of_the_window)
{
    const dBodyID box = makeBox(2, boxSize, 0.1), other = makeBox(2, boxSize, 5);
    const ksSubscription pair = pairOf(box, NULL, 0.1);
    Truth truth = follow(box);
    settle(KS_WORLD_STEP, &truth, NULL, 20);
    ck_assert_double_eq_tol(meanNow(pair).time, 0.1, clockTolerance);
    if (_i == SLEEP)
        dBodyDisable(box);
    if (_i == TELEPORT)
        dBodySetPosition(box, 1, 0, 0.5);
    if (_i == OTHER_BODY)
        dBodySetPosition(other, 1, 0, 5);
    if (_i == SLEEP) {
        settle(KS_WORLD_STEP, &truth, NULL, 2);
        const ksMean asleep = meanNow(pair);
        ck_assert(asleep.time == 0 && asleep.stepCount == 0 && isnan(asleep.wrench.force[2]));
        dBodyEnable(box);
    }
    settle(KS_WORLD_STEP, &truth, NULL, 3);
    const bool isKept = _i == OTHER_BODY || _i == NOTHING;
    ck_assert_double_eq_tol(meanNow(pair).time, isKept ? 0.1 : 3 * h, clockTolerance);
    checkMean(pair, &truth, isKept ? 0.1 : 3 * h, blow * weight);
    if (_i == TELEPORT)
        ck_assert_double_eq_tol(meanNow(pair).wrench.force[2], 0, exactTolerance * weight);
}
END_TEST

static void gone(ksSubscription mean)
{
    ksMean out;
    CHECK_STATUS(ksInspectorGetMean(inspector, mean, &out), KS_ERROR_ENDED);
    CHECK_STATUS(ksInspectorUnsubscribe(inspector, mean), KS_ERROR_ENDED);
}

/* With either body, and by the host; until the next step the last mean is there. */
START_TEST(ends_of_a_pair)
{
    const dBodyID a = makeBox(2, boxSize, 0.1), b = makeBox(2, boxSize, 0.3), c = makeBox(2, boxSize, 0.5);
    const ksSubscription first = pairOf(b, a, 0.1), second = pairOf(c, b, 0.1), third = pairOf(a, NULL, 0.1);
    Truth truth = follow(a);
    ksMean out;
    settle(KS_WORLD_STEP, &truth, NULL, 5);
    dGeomDestroy(dBodyGetFirstGeom(c));
    dBodyDestroy(c);
    ck_assert_double_eq_tol(meanNow(second).wrench.force[2], weight, 0.1 * weight);
    settle(KS_WORLD_STEP, &truth, NULL, 1);
    gone(second);
    dGeomDestroy(dBodyGetFirstGeom(b));
    dBodyDestroy(b);
    settle(KS_WORLD_STEP, &truth, NULL, 1);
    gone(first);
    // what has no user pointer is not meant by one
    CHECK_OK(ksInspectorOff(inspector, NULL));
    ck_assert_double_gt(meanNow(third).time, 0);
    CHECK_OK(ksInspectorUnsubscribe(inspector, third));
    gone(third);
    CHECK_STATUS(ksInspectorGetMean(inspector, third + 1, &out), KS_ERROR_BAD_ARGUMENT);
}
END_TEST

/* A sum goes on without a joint that is gone, from then on; with its first term it ends. */
START_TEST(ends_of_terms)
{
    const dBodyID box = makeBox(2, boxSize, 1);
    const dJointID hold[2] = {weld(box, NULL), weld(box, NULL)};
    const ksWrenchTerm term[2] = {{.joint = hold[0], .body = box}, {.joint = hold[1], .body = box}};
    ksSubscription mean, onWorld;
    const ksWrenchTerm world0 = {.joint = hold[0]};
    CHECK_OK(ksInspectorMean(inspector, term, 2, 0.05, KS_FRAME_WORLD, KS_POINT_ANCHOR, &mean));
    CHECK_STATUS(ksInspectorMean(inspector, &world0, 1, 0.05, KS_FRAME_WORLD, KS_POINT_ANCHOR, &onWorld),
                 KS_ERROR_NO_ANCHOR);
    Truth truth = follow(box);
    settle(KS_WORLD_STEP, &truth, NULL, 10);
    ksMean expected;
    const ksMean held = meanNow(mean);
    meanOf(&truth, 0.05, &expected);
    compare(&held, &expected, weight, 1);
    dJointDestroy(hold[1]);
    settle(KS_WORLD_STEP, &truth, NULL, 2);
    ck_assert_double_eq_tol(meanNow(mean).time, 2 * h, clockTolerance);
    dJointDisable(hold[0]);
    settle(KS_WORLD_STEP, &truth, NULL, 1);
    ck_assert_double_eq(meanNow(mean).time, 0);
    dJointEnable(hold[0]);
    settle(KS_WORLD_STEP, &truth, NULL, 1);
    ck_assert_double_eq_tol(meanNow(mean).time, h, clockTolerance);
    dJointDestroy(hold[0]);
    settle(KS_WORLD_STEP, &truth, NULL, 1);
    gone(mean);
}
END_TEST

/* --- Calls --- */

START_TEST(bad_arguments)
{
    const dBodyID a = makeBox(2, boxSize, 0.1), b = makeBox(2, boxSize, 0.5);
    const ksWrenchTerm once = {.body = a}, twice[2] = {{.body = a}, {.body = a, .other = b}},
                       self = {.body = a, .other = a}, none = {.body = NULL},
                       opposite[2] = {{.body = a, .other = b}, {.body = b, .other = a}};
    const double window[] = {0, -1, NAN, INFINITY};
    const ksFrame world0 = KS_FRAME_WORLD;
    const ksPoint centre = KS_POINT_MASS_CENTRE;
    ksSubscription pair = 7;
    ksMean out = {.time = 7};
    for (int i = 0; i < 4; i++)
        CHECK_STATUS(ksInspectorPair(inspector, a, b, window[i], &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorPair(NULL, a, b, 0.1, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorPair(inspector, NULL, b, 0.1, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorPair(inspector, a, a, 0.1, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorPair(inspector, a, b, 0.1, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, NULL, 1, 0.1, world0, centre, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, &once, 0, 0.1, world0, centre, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, twice, 2, 0.1, world0, centre, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, &self, 1, 0.1, world0, centre, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, &none, 1, 0.1, world0, centre, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, &once, 1, 0.1, KS_FRAME_JOINT, centre, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, &once, 1, 0.1, world0, KS_POINT_ANCHOR, &pair), KS_ERROR_BAD_ARGUMENT);
    ck_assert_uint_eq(pair, 7);
    CHECK_OK(ksInspectorMean(inspector, opposite, 2, 0.1, world0, centre, &pair));
    CHECK_STATUS(ksInspectorGetMean(inspector, pair, &out), KS_ERROR_UNAVAILABLE);
    CHECK_STATUS(ksInspectorGetMean(inspector, 0, &out), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorGetMean(NULL, pair, &out), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorGetMean(inspector, pair, NULL), KS_ERROR_BAD_ARGUMENT);
    ck_assert_double_eq(out.time, 7);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pair");
    TCase *test = tcase_create("pair");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_loop_test(test, by_momentum, 0, WAYS);
    tcase_add_loop_test(test, reversed, 0, 2);
    tcase_add_test(test, on_two_others);
    tcase_add_test(test, hinge_beside_contacts);
    tcase_add_loop_test(test, kinematic, 0, 2);
    tcase_add_test(test, two_feet);
    tcase_add_test(test, axes_of_the_body);
    tcase_add_loop_test(test, ends_of_the_window, 0, ENDINGS);
    tcase_add_test(test, ends_of_a_pair);
    tcase_add_test(test, ends_of_terms);
    tcase_add_test(test, bad_arguments);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}
