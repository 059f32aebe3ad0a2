/* check_drift_mobility.c  Mobilities of loops whose joints have drifted apart, against those where the joints fit. */
#include "tests/drift_kit.h"

static const double h = 0.01;
static const double yAxis[3] = {0, 1, 0}, xAxis[3] = {1, 0, 0};

/* A coupler on two cranks of different length. */
static Mechanism fourBar(void)
{
    Mechanism m = kitMechanism("four-bar");
    const int coupler = kitAddBody(&m, 0.7, 0, 0.6);
    for (int i = 0; i < 2; i++) {
        const double height = 0.5 + 0.2 * i;
        const int crank = kitAddBody(&m, 0.15 + i, 0, 0.5 * height);
        kitAddJoint(&m, KIT_HINGE, crank, -1, (double[3]){i, 0, 0}, yAxis);
        kitAddJoint(&m, KIT_HINGE, crank, coupler, (double[3]){i + 0.3, 0, height}, yAxis);
    }
    return m;
}

/* Of hinges. */
static Mechanism sliderCrank(void)
{
    Mechanism m = kitMechanism("slider-crank");
    kitAddBody(&m, 0.2, 0, 0.15);
    kitAddBody(&m, 1, 0, 0.15);
    kitAddBody(&m, 1.6, 0, 0);
    kitAddJoint(&m, KIT_HINGE, 0, -1, (double[3]){0, 0, 0}, yAxis);
    kitAddJoint(&m, KIT_HINGE, 0, 1, (double[3]){0.4, 0, 0.3}, yAxis);
    kitAddJoint(&m, KIT_HINGE, 1, 2, (double[3]){1.6, 0, 0}, yAxis);
    kitAddJoint(&m, KIT_SLIDER, 2, -1, (double[3]){0, 0, 0}, xAxis);
    return m;
}

static Mechanism (*const make[])(void) = {fourBar, sliderCrank};
enum { MECHANISMS = sizeof make / sizeof *make };

/* Velocity of the second body along x, and about y, per impulse on each. */
START_TEST(mobilities_are_those_of_joints_that_fit)
{
    enum { STEPS = 400, FROM = 20 };
    // the drift is up to 5e-2 of a radius of gyration, and turns places by that of it which is square
    const double tolerance = 1e-2;
    Mechanism m = make[_i]();
    KitState state[KIT_BODIES];
    ksInspector *inspector = inspect(m.world);
    dRandSetSeed(7);
    dWorldSetQuickStepNumIterations(m.world, 20);
    double worst = 0, sum = 0, drift = 0;
    int count = 0;
    for (int i = 0; i < STEPS; i++) {
        kitReadState(&m, state);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        drift = fmax(drift, kitFindTruth(&m, state).drift);
        for (int k = 0; i >= FROM && k < m.bodies; k++) {
            const double along[6] = {1, 0, 0, 0, 0, 0}, couple[6] = {0, 0, 0, 0, 1, 0};
            const ksBodyProbe at = {
                .body = m.body[k], .axis = {1}, .point = {state[k].x[0], state[k].x[1], state[k].x[2]}};
            const ksBodyProbe from = {.body = m.body[0], .couple = 1, .axis = {0, 1}};
            double found[3];
            CHECK_OK(ksInspectorGetMobility(inspector, &at, &at, &found[0]));
            CHECK_OK(ksInspectorGetMobility(inspector, &at, &from, &found[1]));
            CHECK_OK(ksInspectorGetMobility(inspector, &from, &from, &found[2]));
            const double truth[3] = {kitFindMobility(&m, state, k, along, k, along),
                                     kitFindMobility(&m, state, k, along, 0, couple),
                                     kitFindMobility(&m, state, 0, couple, 0, couple)};
            // what a crank alone would have
            const double scale[3] = {1, sqrt(1 / m.inertia[0][1]), 1 / m.inertia[0][1]};
            for (int p = 0; p < 3; p++) {
                const double error = fabs(found[p] - truth[p]) / fmax(truth[2] / scale[2] * scale[p], fabs(truth[p]));
                worst = fmax(worst, error);
                sum += error;
                count++;
            }
        }
    }
    printf("%s: drift up to %.1e, mobilities off by %.1e, %.1e in the mean\n", m.name, drift, worst, sum / count);
    ck_assert_double_lt(worst, tolerance);
    ksInspectorDestroy(inspector);
    dWorldDestroy(m.world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("drift_mobility");
    TCase *tests = tcase_create("drift_mobility");
    tcase_add_loop_test(tests, mobilities_are_those_of_joints_that_fit, 0, MECHANISMS);
    suite_add_tcase(suite, tests);
    return runSuite(suite);
}
