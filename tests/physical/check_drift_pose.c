/* check_drift_pose.c  Loops whose joints have drifted apart, in the pose in which they fit:
 * mobilities against the mobilities in this pose, converged values for poses of different accuracy,
 * and physical values while the engine swings about the pose. */
#include "tests/kits/drift_kit.h"

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

/* A slider-crank with hinges. */
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
    // the drift is up to 5e-2 of a radius of gyration, and affects places by its square
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
            // mobility of a crank alone
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

/* The size of the part of a wrench across these directions. Newtons and newton metres count
 * equally, since the bodies are about a metre in size. */
static double sizeAcross(double w[6], int count, const ksWrench *direction)
{
    double basis[6][6];
    ck_assert_int_le(count, 6);
    for (int f = 0; f <= count; f++) {
        double own[6];
        memcpy(own, f < count ? direction[f].force : w, sizeof(double[3]));
        memcpy(own + 3, f < count ? direction[f].torque : w + 3, sizeof(double[3]));
        for (int k = 0; k < f; k++) {
            double along = 0;
            for (int i = 0; i < 6; i++)
                along += basis[k][i] * own[i];
            for (int i = 0; i < 6; i++)
                own[i] -= along * basis[k][i];
        }
        double square = 0;
        for (int i = 0; i < 6; i++)
            square += own[i] * own[i];
        if (f == count)
            return sqrt(square);
        ck_assert_double_gt(square, 0);
        for (int i = 0; i < 6; i++)
            basis[f][i] = own[i] / sqrt(square);
    }
    return NAN;
}

enum { FIT_STEPS = 100, FIT_JOINTS = 5 };

/* Converged wrenches on the first bodies, their determined parts, and the sum of the bars of their
 * rows. */
typedef struct Fit {
    double wrench[FIT_STEPS][FIT_JOINTS][6], bar[FIT_STEPS][FIT_JOINTS];
    int count[FIT_STEPS][FIT_JOINTS];
    ksWrench direction[FIT_STEPS][FIT_JOINTS][6];
} Fit;

static void runFit(int which, double rankTolerance, Fit *fit)
{
    Mechanism m = make[which]();
    ksInspectorOptions options;
    ksInspector *inspector;
    ksInspectorOptionsInit(&options);
    options.rankTolerance = rankTolerance;
    CHECK_OK(ksInspectorCreate(m.world, &options, &inspector));
    dRandSetSeed(7);
    dWorldSetGravity(m.world, 1, 4, -9);
    dWorldSetQuickStepNumIterations(m.world, 20);
    for (int i = 0; i < FIT_STEPS; i++) {
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        for (int j = 0; j < m.joints; j++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, m.joint[j].id);
            const ksWrench *w = &reaction->converged[reaction->body[0] ? 0 : 1];
            memcpy(fit->wrench[i][j], w->force, sizeof w->force);
            memcpy(fit->wrench[i][j] + 3, w->torque, sizeof w->torque);
            fit->bar[i][j] = 0;
            for (int l = 0; l < reaction->rowCount; l++)
                fit->bar[i][j] += reaction->row[l].errorBar;
            fit->count[i][j] = reaction->freeCount;
            memcpy(fit->direction[i][j], reaction->freeDirection, sizeof fit->direction[i][j]);
        }
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(m.world);
}

/* The determined part of converged values does not depend on the accuracy of the pose, beyond the
 * bars. A smaller rank tolerance requires a more accurate pose. */
START_TEST(bars_hold_how_closely_the_pose_was_found)
{
    static Fit fit[2];
    runFit(_i, 1e-4, &fit[0]);
    runFit(_i, 3e-6, &fit[1]);
    double most = 0, worst = 0;
    int compared = 0;
    for (int i = 0; i < FIT_STEPS; i++)
        for (int j = 0; j < FIT_JOINTS; j++) {
            double apart[6];
            if (fit[0].count[i][j] == 0 || fit[0].count[i][j] != fit[1].count[i][j])
                continue;
            for (int k = 0; k < 6; k++)
                apart[k] = fit[1].wrench[i][j][k] - fit[0].wrench[i][j][k];
            const double size = sizeAcross(apart, fit[0].count[i][j], fit[0].direction[i][j]);
            most = fmax(most, size);
            worst = fmax(worst, size / (fit[0].bar[i][j] + fit[1].bar[i][j]));
            compared++;
        }
    printf("off by up to %.1e N, %.2g bars\n", most, worst);
    ck_assert_int_gt(compared, FIT_STEPS);
    ck_assert_double_le(worst, 1);
}
END_TEST

/* A beam on three upright rods, the middle one slightly tilted. The middle rod fixes the beam along
 * itself without a load, so each outer rod carries half of the weight. After a blow along the beam,
 * the engine swings it between the rods for tenths of a second, with opposing forces of up to a
 * hundred weights. */
typedef struct Blow {
    double h, lean;
} Blow;
static const Blow blow[] = {{5e-3, 0.02}, {1e-3, 5e-3}, {1e-3, 0.02}};
enum { BLOWS = sizeof blow / sizeof *blow };

START_TEST(swing_after_a_blow_is_in_the_bar)
{
    // the beam swings by up to 5 mm, which tilts rods of 1 m by as much
    const double mass = 3, speed = 0.2, duration = 0.7, from = 0.3, swing = 5e-3 * mass * SCENE_GRAVITY;
    const Blow *of = &blow[_i];
    const double foot[3] = {-0.5, 0.5, 0.01}, top[3] = {-0.5, 0.5, 0.01 + of->lean};
    const double carried[3] = {0.5 * mass * SCENE_GRAVITY, 0.5 * mass * SCENE_GRAVITY, 0};
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -SCENE_GRAVITY);
    dWorldSetQuickStepNumIterations(world, 20);
    dRandSetSeed(1);
    dBodyID beam = addBox(world, mass, (const double[]){1, 0.05, 0.07}, 0);
    dJointID rod[3];
    for (int i = 0; i < 3; i++) {
        rod[i] = dJointCreateDBall(world, 0);
        dJointAttach(rod[i], beam, 0);
        dJointSetDBallAnchor1(rod[i], foot[i], 0, 0);
        dJointSetDBallAnchor2(rod[i], top[i], 0, 1);
    }
    ksInspector *inspector = inspect(world);
    double worst = 0, most = 0;
    for (int i = 0; i * of->h < duration; i++) {
        if (i == (int)(from / of->h))
            dBodySetLinearVel(beam, speed, 0, 0);
        CHECK_OK(ksInspectorQuickStep(inspector, of->h));
        for (int k = 0; k < 3; k++) {
            const ksRow *row = &ksInspectorGetReaction(inspector, rod[k])->row[0];
            const double error = fabs(fabs(row->physical) - carried[k]);
            most = fmax(most, error);
            worst = fmax(worst, error / (row->physicalBar + swing));
            ck_assert_msg(error <= row->physicalBar + swing, "step %d, rod %d: %g +- %g N, and carries %g", i, k,
                          row->physical, row->physicalBar, carried[k]);
        }
    }
    printf("off by up to %.0f N, %.2f bars\n", most, worst);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("drift_pose");
    tcase_add_loop_test(tests, mobilities_are_those_of_joints_that_fit, 0, MECHANISMS);
    tcase_add_loop_test(tests, bars_hold_how_closely_the_pose_was_found, 0, MECHANISMS);
    tcase_add_loop_test(tests, swing_after_a_blow_is_in_the_bar, 0, BLOWS);
    return runCase("drift_pose", tests);
}
