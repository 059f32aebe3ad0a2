/* check_pair_press.c  Friction and the centre of pressure of two bodies, in the mean over a window:
 * against closed forms, and against the momentum of the body. */
#include "tests/kits/contacts/pair_kit.h"

/* for a box that lies still on contacts at its corners: a quotient of two quantities that have the
 * rounding of a step */
static const double quotient = 1e-9;

static const ksStepper stepper[] = {KS_WORLD_STEP, KS_QUICK_STEP, KS_EXACT_STEP, KS_FOREIGN_STEP};

enum { STEPPERS = sizeof stepper / sizeof *stepper };

static dBodyID layBox(void)
{
    return makeBox(2, boxSize, boxSize[2] / 2);
}

static void within(double value, double bar, double truth, double most)
{
    ck_assert_double_le(fabs(value - truth), bar + most * 1e-3);
    ck_assert_double_le(bar, most);
}

/* The centre of pressure lies on the plane at this depth below the mass centre. */
static void compareWithMomentum(const ksMean *mean, const Truth *truth, double window, double below)
{
    ksMean expected;
    meanOf(truth, window, &expected);
    const double *f = expected.wrench.force, *t = expected.wrench.torque;
    const double across = hypot(f[0], f[1]);
    within(mean->friction, mean->frictionBar, across / f[2], quotient);
    within(mean->centre[0], mean->centreBar[0], (-t[1] - below * f[0]) / f[2], quotient);
    within(mean->centre[1], mean->centreBar[1], (t[0] - below * f[1]) / f[2], quotient);
    ck_assert_double_eq_tol(mean->normal[2], 1, quotient);
}

/* The host's own force and torque. */
static void readPush(dBodyID body, double wrench[6])
{
    for (int k = 0; k < 3; k++) {
        wrench[k] = dBodyGetForce(body)[k];
        wrench[3 + k] = dBodyGetTorque(body)[k];
    }
}

/* A force pushes a box above its centre: only the motion shows the force of the ground in each
 * step. */
START_TEST(by_momentum)
{
    const dBodyID box = layBox();
    const ksSubscription pair = pairOf(box, NULL, 0.11);
    Truth truth = follow(box);
    double wrench[6];
    surface.mu = 0.7;
    surface.mode |= dContactSoftCFM;
    surface.soft_cfm = 1e-4;
    dWorldSetQuickStepNumIterations(world, 20);
    for (int n = 0; n < 120; n++) {
        dBodyAddForceAtRelPos(box, 0.3 * weight * sin(0.05 * n), 0.1 * weight, 0, 0, 0, 0.02);
        readPush(box, wrench);
        stepOf(stepper[_i], &truth, NULL);
        for (int k = 0; k < 6; k++)
            ((double *)&truth.wrench[n])[k] -= wrench[k];
        const ksMean mean = meanNow(pair);
        if (n < 60 || mean.contactShare < 1)
            continue;
        // the corners have sunk by different depths in each step: the plane is at their mean depth
        compareWithMomentum(&mean, &truth, 0.11, -mean.centre[2]);
        within(mean.frictionUse, mean.frictionUseBar, mean.friction / 0.7, quotient);
        ck_assert_double_eq_tol(mean.centre[2], -boxSize[2] / 2, 1e-2 * boxSize[2]);
    }
}
END_TEST

/* At rest on a slope: friction is the tangent of the slope, and the force passes through the mass
 * centre, so the centre of pressure lies below it. */
START_TEST(slope)
{
    const double angle = 0.4, mu[] = {1, 0.5, INFINITY};
    const dBodyID box = layBox();
    const ksSubscription pair = pairOf(box, NULL, 0.1);
    surface.mu = mu[_i];
    lean(angle);
    for (int n = 0; n < 200; n++)
        step(KS_WORLD_STEP);
    const ksMean mean = meanNow(pair);
    const double settled = 1e-4;  // the box still sinks in
    ck_assert_double_eq_tol(mean.friction, tan(angle), settled);
    ck_assert_double_eq_tol(mean.frictionUse, tan(angle) / mu[_i], settled);
    ck_assert_double_eq_tol(mean.centre[0], tan(angle) * boxSize[2] / 2, settled);
    ck_assert_double_eq_tol(mean.centre[1], 0, settled);
    ck_assert_double_eq_tol(mean.centre[2], -boxSize[2] / 2, 1e-3);
}
END_TEST

/* A sliding box uses all of its friction, with mu and with a bound in newtons. */
START_TEST(slides)
{
    const dBodyID box = layBox();
    const ksSubscription pair = pairOf(box, NULL, 0.1);
    surface.mu = 0.3;
    if (_i) {
        surface.mode &= ~dContactApprox1;
        surface.mu = 0.5;
    }
    dBodySetLinearVel(box, 5, 0, 0);
    for (int n = 0; n < 40; n++)
        step(KS_WORLD_STEP);
    const ksMean mean = meanNow(pair);
    ck_assert_double_gt(dBodyGetLinearVel(box)[0], 1);
    ck_assert_double_eq_tol(mean.frictionUse, 1, 1e-6);
    ck_assert_double_eq_tol(mean.friction, _i ? 4 * 0.5 / weight : 0.3, 1e-3);
}
END_TEST

/* frictionUse does not exist without friction, with a coefficient that depends on the direction,
 * without contact, and beside a joint. */
START_TEST(is_not_there)
{
    const dBodyID box = layBox();
    const dJointID hinge = _i == 3 ? weld(box, NULL) : NULL;
    const ksWrenchTerm term[2] = {{.body = box}, {.joint = hinge, .body = box}};
    ksSubscription all;
    surface.mu = _i == 0 ? 0 : 0.5;
    surface.mode |= _i == 1 ? dContactMu2 : 0;
    surface.mu2 = 0.4;
    CHECK_OK(ksInspectorMean(inspector, term, hinge ? 2 : 1, 0.1, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &all));
    if (_i == 2)
        dBodySetPosition(box, 0, 0, 5);
    for (int n = 0; n < 20; n++)
        step(KS_WORLD_STEP);
    const ksMean mean = meanNow(all);
    ck_assert(isnan(mean.frictionUse) && isnan(mean.frictionUseBar));
    ck_assert(isnan(mean.friction) == (_i >= 2) && isnan(mean.centre[0]) == (_i >= 2) &&
              isnan(mean.centreBar[2]) == (_i >= 2) && isnan(mean.normal[0]) == (_i >= 2));
}
END_TEST

/* A straight line has no deviation; a force that alternates about it has its amplitude as
 * deviation. */
START_TEST(deviation)
{
    const dBodyID box = makeBox(2, boxSize, 5);
    const dJointID hold = weld(box, NULL);
    const ksWrenchTerm term = {.joint = hold, .body = box};
    const double amplitude = _i ? 3 : 0, steps = 20;
    ksSubscription sub;
    CHECK_OK(ksInspectorMean(inspector, &term, 1, steps * h, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &sub));
    for (int n = 0; n < 40; n++) {
        dBodyAddForce(box, 0.5 * n + (n % 2 ? amplitude : -amplitude), 0, 0);
        step(KS_WORLD_STEP);
        ck_assert_int_eq(isnan(meanNow(sub).deviation.force[0]), n < 2);
    }
    // the alternation has a line of its own: sum of t y = steps / 2 amplitudes, sum of t t = steps
    // (steps^2 - 1) / 12
    const double line = 3 / (steps * steps - 1);
    const double expected = amplitude * sqrt(steps * (1 - line) / (steps - 2));
    ck_assert_double_eq_tol(meanNow(sub).deviation.force[0], expected, 1e-6 * weight);
    ck_assert_double_eq_tol(meanNow(sub).deviation.force[1], 0, 1e-6 * weight);
}
END_TEST

/* The other body is pushed the opposite way; the pressure and its centre are the same. */
START_TEST(reversed)
{
    const dBodyID low = makeBox(3, boxSize, 0.1), high = makeBox(2, boxSize, 0.299);
    const ksSubscription on[2] = {pairOf(high, low, 0.1), pairOf(low, high, 0.1)};
    dBodySetPosition(high, 0.05, 0, 0.299);
    for (int n = 0; n < 60; n++) {
        dBodyAddForce(high, 0.2 * weight, 0, 0);
        step(KS_WORLD_STEP);
    }
    const ksMean forth = meanNow(on[0]), back = meanNow(on[1]);
    const dReal *from[2] = {dBodyGetPosition(high), dBodyGetPosition(low)};
    ck_assert_double_eq_tol(forth.friction, back.friction, quotient);
    ck_assert_double_eq_tol(forth.frictionUse, back.frictionUse, quotient);
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(forth.normal[k], -back.normal[k], quotient);
        // both boxes creep
        ck_assert_double_eq_tol(from[0][k] + forth.centre[k], from[1][k] + back.centre[k], 1e-4);
    }
}
END_TEST

/* In the axes of the body, which is inclined like the plane. */
START_TEST(axes_of_the_body)
{
    const dBodyID box = layBox();
    const ksWrenchTerm term = {.body = box};
    ksSubscription mean[2];
    dQuaternion turn;
    dQFromAxisAndAngle(turn, 0, 0, 1, 0.7);
    dBodySetQuaternion(box, turn);
    for (int i = 0; i < 2; i++)
        CHECK_OK(ksInspectorMean(inspector, &term, 1, 0.1, i ? KS_FRAME_BODY : KS_FRAME_WORLD, KS_POINT_MASS_CENTRE,
                                 &mean[i]));
    for (int n = 0; n < 60; n++) {
        dBodyAddForceAtRelPos(box, 0.2 * weight, 0, 0, 0.05, 0, 0);
        step(KS_WORLD_STEP);
    }
    const ksMean fixed = meanNow(mean[0]), body = meanNow(mean[1]);
    const dReal *axes = dBodyGetRotation(box);
    ck_assert_double_eq_tol(fixed.friction, body.friction, quotient);
    for (int k = 0; k < 3; k++) {
        double turned = 0;
        for (int i = 0; i < 3; i++)
            turned += axes[4 * k + i] * body.centre[i];
        ck_assert_double_eq_tol(turned, fixed.centre[k], 1e-6);  // the box turns very little
    }
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("pair_press");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_loop_test(test, by_momentum, 0, STEPPERS);
    tcase_add_loop_test(test, slope, 0, 3);
    tcase_add_loop_test(test, slides, 0, 2);
    tcase_add_loop_test(test, is_not_there, 0, 4);
    tcase_add_loop_test(test, deviation, 0, 2);
    tcase_add_test(test, reversed);
    tcase_add_test(test, axes_of_the_body);
    return runCase("pair_press", test);
}
