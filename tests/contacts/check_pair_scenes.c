/* check_pair_scenes.c  Means of a pair beside joints, other bodies, and moved bodies, as far as
 * momentum determines them. */
#include "tests/kits/contacts/pair_kit.h"

static bool isOpen(const ksMean *mean)
{
    return isnan(mean->bar.force[0]) && isnan(mean->bar.force[2]) && isnan(mean->bar.torque[1]);
}

/* A box falls on another one: the forces on the two bodies are opposite. */
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

/* The world alone, or any body: the ground carries a tower of two boxes, the lower of which touches
 * both. */
START_TEST(tower)
{
    const dBodyID low = makeBox(3, boxSize, 0.1), high = makeBox(2, boxSize, 0.31);
    const ksSubscription below = pairOf(low, NULL, 0.1);
    const ksWrenchTerm anybody = {.body = low};
    ksSubscription around;
    Truth truth[2] = {follow(low), follow(high)};
    ksMean each[2];
    CHECK_OK(ksInspectorMean(inspector, &anybody, 1, 0.1, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &around));
    for (int n = 0; n < 60; n++) {
        stepOf(KS_QUICK_STEP, &truth[0], &truth[1]);
        const ksMean onFloor = meanNow(below);
        meanOf(&truth[0], 0.1, &each[0]);
        meanOf(&truth[1], 0.1, &each[1]);
        for (int k = 0; k < 3; k++) {
            ck_assert_double_le(fabs(onFloor.wrench.force[k] - each[0].wrench.force[k] - each[1].wrench.force[k]),
                                onFloor.bar.force[k]);
            ck_assert_double_le(onFloor.bar.force[k], exactTolerance * blow * weight);
        }
        checkMean(around, &truth[0], 0.1, blow * weight);
    }
    ck_assert_double_eq_tol(meanNow(below).wrench.force[2], 2.5 * weight, 0.1 * weight);
}
END_TEST

/* A box on two others: they share its weight, and momentum determines only the sum. */
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

/* A door lies on the ground, and its hinge holds it as well: only contacts count, and momentum does
 * not determine the shares of hinge and ground. */
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

/* Two boxes in the air are joined by a hinge, and touch: only contacts count, and momentum does not
 * determine the shares of hinge and contact. */
START_TEST(hinge_in_the_air)
{
    const dBodyID low = makeBox(3, boxSize, 5), high = makeBox(2, boxSize, 5.199);
    const dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, low, high);
    dJointSetHingeAnchor(hinge, -0.15, 0, 5.1);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dBodySetAngularVel(high, 0, -1, 0);
    dWorldSetCFM(world, 1e-5);  // rigid, hinge and contacts would work against each other
    const ksSubscription pair = pairOf(high, low, 0.05);
    const ksWrenchTerm term[2] = {{.body = high}, {.joint = hinge, .body = high}};
    ksSubscription all;
    Truth truth = follow(high);
    CHECK_OK(ksInspectorMean(inspector, term, 2, 0.05, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &all));
    settle(KS_WORLD_STEP, &truth, NULL, 5);
    const ksMean mean = meanNow(pair);
    ck_assert(mean.contactShare > 0 && isOpen(&mean));
    checkMean(all, &truth, 0.05, blow * weight);
}
END_TEST

/* A lift, which is a kinematic body, moves up: the momentum of the box determines the force between
 * the two. */
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

/* Momentum determines only the sum of two feet of one robot; the sensor in a leg has a mean of its
 * own. */
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

/* --- Random scenes --- */

enum { MOST_BODIES = 9, MOST_JOINTS = 2 * MOST_BODIES, SCENES = 30 };

static const struct Solver {
    ksStepper stepper;
    int iterations;
} solver[] = {{KS_QUICK_STEP, 5}, {KS_QUICK_STEP, 20}, {KS_QUICK_STEP, 100}, {KS_WORLD_STEP, 20}, {KS_EXACT_STEP, 20}};

enum { SOLVERS = sizeof solver / sizeof *solver };

/* From 0 to 1, the same on every machine. */
static double chance(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (double)(1u << 24);
}

/* One of the joints with a slide, with two axes, or with two anchors. */
static dJointID joinSpecially(int kind, dBodyID a, dBodyID b, const dReal *at)
{
    typedef dJointID Create(dWorldID, dJointGroupID);
    static Create *const create[] = {dJointCreateSlider, dJointCreateUniversal, dJointCreateHinge2, dJointCreatePR,
                                     dJointCreatePU,     dJointCreatePiston,    dJointCreateDBall,  dJointCreateDHinge};
    const dReal z[3] = {0, 0, 1}, y[3] = {0, 1, 0};
    // a hinge2 needs two bodies
    dJointID joint = create[kind == 2 && !b ? 1 : kind](world, 0);
    dJointAttach(joint, a, b);
    switch (dJointGetType(joint)) {
    case dJointTypeSlider:
        dJointSetSliderAxis(joint, 0.2, 0, 1);
        dJointSetSliderParam(joint, dParamLoStop, -0.05);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalAnchor(joint, at[0], at[1], at[2] - 0.1);
        dJointSetUniversalParam(joint, dParamFMax, 3);
        break;
    case dJointTypeHinge2:
        dJointSetHinge2Anchor(joint, at[0], at[1], at[2] - 0.1);
        dJointSetHinge2Axes(joint, z, y);
        break;
    case dJointTypePR:
        dJointSetPRAnchor(joint, at[0], at[1], at[2] - 0.1);
        break;
    case dJointTypePU:
        dJointSetPUAnchor(joint, at[0], at[1], at[2] - 0.1);
        break;
    case dJointTypePiston:
        dJointSetPistonAnchor(joint, at[0], at[1], at[2] - 0.1);
        dJointSetPistonParam(joint, dParamFMax, 5);
        break;
    case dJointTypeDBall:
        dJointSetDBallAnchor2(joint, at[0] + 0.1, at[1], at[2] - 0.2);
        break;
    default:
        dJointSetDHingeAxis(joint, 0, 1, 0);
        dJointSetDHingeAnchor2(joint, at[0] + 0.1, at[1], at[2] - 0.2);
    }
    return joint;
}

static dJointID joinAtRandom(unsigned *state, dBodyID a, dBodyID b)
{
    enum { SPECIAL = 8 };
    const double kind = chance(state), simple = 0.7;
    const dReal *at = dBodyGetPosition(a);
    dJointID joint;
    if (kind < 0.3)
        return weld(a, b);
    if (kind > simple)
        return joinSpecially((int)(SPECIAL * (kind - simple) / (1 - simple)), a, b, at);
    joint = kind < 0.6 ? dJointCreateHinge(world, 0) : dJointCreateBall(world, 0);
    dJointAttach(joint, a, b);
    if (kind < 0.6) {
        dJointSetHingeAnchor(joint, at[0], at[1], at[2] - 0.1);
        dJointSetHingeAxis(joint, kind - 0.3, 1, 0.2);
        dJointSetHingeParam(joint, dParamFMax, kind < 0.45 ? 3 : 0);
    } else {
        dJointSetBallAnchor(joint, at[0], at[1], at[2] - 0.1);
    }
    return joint;
}

/* Bodies fall, hang on each other, close loops and lie on each other: the mean of all forces on
 * each body agrees with its momentum. */
START_TEST(thirty_scenes)
{
    const struct Solver *by = &solver[_i % SOLVERS];
    unsigned state = 77u + 13u * (unsigned)(_i / SOLVERS);
    const int count = 3 + (int)(chance(&state) * (MOST_BODIES - 3));
    dBodyID body[MOST_BODIES];
    dJointID joint[MOST_JOINTS];
    ksSubscription mean[MOST_BODIES];
    static Truth truth[MOST_BODIES];
    int joints = 0;
    h = 0.001 * (1 + (int)(chance(&state) * 9));
    dWorldSetQuickStepNumIterations(world, by->iterations);
    for (int i = 0; i < count; i++) {
        const double size[3] = {0.1 + 0.2 * chance(&state), 0.1 + 0.2 * chance(&state), 0.2};
        body[i] = makeBox(1 + 4 * chance(&state), size, 0.12 + 0.21 * i);
        dBodySetPosition(body[i], 0.1 * chance(&state), 0.1 * chance(&state), 0.12 + 0.21 * i);
        truth[i] = follow(body[i]);
        if (i > 0 && chance(&state) < 0.6)
            joint[joints++] = joinAtRandom(&state, body[i], body[i - 1]);
        if (i > 1 && chance(&state) < 0.3)
            joint[joints++] = joinAtRandom(&state, body[i], body[i - 2]);
    }
    if (chance(&state) < 0.5)
        joint[joints++] = joinAtRandom(&state, body[count - 1], NULL);
    for (int i = 0; i < count; i++) {
        ksWrenchTerm term[1 + MOST_JOINTS] = {{.body = body[i]}};
        size_t terms = 1;
        for (int k = 0; k < joints; k++)
            if (dJointGetBody(joint[k], 0) == body[i] || dJointGetBody(joint[k], 1) == body[i])
                term[terms++] = (ksWrenchTerm){.joint = joint[k], .body = body[i]};
        CHECK_OK(ksInspectorMean(inspector, term, terms, 0.15, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &mean[i]));
    }
    for (int n = 0; n < 150; n++) {
        for (int i = 0; i < count; i++)
            before(&truth[i]);
        step(by->stepper);
        for (int i = 0; i < count; i++)
            after(&truth[i]);
        for (int i = 0; i < count; i++) {
            const ksMean now = meanNow(mean[i]);
            ksMean expected;
            meanOf(&truth[i], 0.15, &expected);
            compare(&now, &expected, blow * weight * MOST_BODIES, 1);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pair_scenes");
    TCase *test = tcase_create("pair_scenes");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_loop_test(test, reversed, 0, 2);
    tcase_add_test(test, tower);
    tcase_add_test(test, on_two_others);
    tcase_add_test(test, hinge_beside_contacts);
    tcase_add_test(test, hinge_in_the_air);
    tcase_add_loop_test(test, kinematic, 0, 2);
    tcase_add_test(test, two_feet);
    tcase_add_test(test, axes_of_the_body);
    suite_add_tcase(suite, test);
    TCase *many = tcase_create("thirty scenes");
    tcase_add_checked_fixture(many, setUp, tearDown);
    tcase_set_tags(many, "long");
    tcase_add_loop_test(many, thirty_scenes, 0, SCENES * SOLVERS);
    suite_add_tcase(suite, many);
    return runSuite(suite);
}
