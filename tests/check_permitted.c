/* check_permitted.c  Physical values where the velocities are none that the joints permit: of an unfinished solver, and of bodies that
 * the engine stops before its step.
 *
 * Truth is another world with the same state, without error correction and compliance. A direct step of a tenth of a microsecond leaves the
 * velocities nearest to these that its joints permit, in the metric of the masses; the reactions of a second one are those of the
 * mechanism, J a = -(dJ/dt) v. */
#include "support.h"

static const double step = 0.005, moment = 1e-7;

/* Of what the truth changes by within its two steps, as a share of the force, of links of a fraction of a metre. */
static const double truthTolerance = 1e-5;

enum { MOST_LINKS = 8 };

typedef struct Twins {
    Scene *scene, *truth;
    ksInspector *inspector;
    dJointFeedback feedback[MOST_LINKS]; /* of the truth */
} Twins;

static Twins open(int links)
{
    Twins twins = {.scene = sceneChain(links, SCENE_FALLING), .truth = sceneChain(links, SCENE_FALLING)};
    ck_assert_ptr_nonnull(twins.scene);
    ck_assert_ptr_nonnull(twins.truth);
    dWorldSetERP(twins.truth->world, 0);
    dWorldSetCFM(twins.truth->world, 0);
    twins.inspector = inspect(twins.scene->world);
    return twins;
}

static void close(Twins *twins)
{
    ksInspectorDestroy(twins->inspector);
    sceneDestroy(twins->scene);
    sceneDestroy(twins->truth);
}

/* Of the state that the truth has now. */
static void solveTruth(Twins *twins)
{
    for (int j = 0; j < twins->truth->jointCount; j++)
        dJointSetFeedback(twins->truth->joint[j], &twins->feedback[j]);
    for (int i = 0; i < 2; i++)
        ck_assert(dWorldStep(twins->truth->world, moment));
}

/* Largest distance from the truth over the bar, of the components of the wrench on the first body. */
static double apartOverBar(const Twins *twins, int joint)
{
    const ksReaction *reaction = ksInspectorGetReaction(twins->inspector, twins->scene->joint[joint]);
    const dJointFeedback *feedback = &twins->feedback[joint];
    const double slack = truthTolerance * length3(reaction->physical[0].force);
    double most = 0;
    ck_assert(isfinite(slack));
    for (int k = 0; k < 6; k++) {
        const double value = k < 3 ? reaction->physical[0].force[k] : reaction->physical[0].torque[k - 3];
        const double truth = k < 3 ? feedback->f1[k] : feedback->t1[k - 3];
        double bar = slack;
        for (int l = 0; l < reaction->rowCount; l++)
            bar += fabs(reaction->row[l].jacobian[0][k]) * reaction->row[l].physicalBar;
        most = fmax(most, fabs(value - truth) / bar);
    }
    return most;
}

/* A chain that falls: dWorldQuickStep leaves rates that its joints forbid, and the velocities that these permit are no more known than
 * to this error. */
START_TEST(forbidden_rates_are_in_the_bars)
{
    Twins twins = open(6);
    dRandSetSeed(1);
    for (int i = 0; i < 200; i++) {
        sceneCopyState(twins.truth, twins.scene);
        CHECK_OK(_i ? ksInspectorStep(twins.inspector, step) : ksInspectorQuickStep(twins.inspector, step));
        solveTruth(&twins);
        for (int j = 0; j < twins.scene->jointCount; j++)
            ck_assert_double_le(apartOverBar(&twins, j), 1);
    }
    close(&twins);
}
END_TEST

/* The first link is idle and kept awake by the second: the engine stops it before each step, and the other goes on. */
START_TEST(stopped_body_has_a_value)
{
    Twins twins = open(2);
    dBodyID idle = twins.scene->body[0];
    int stopped = 0;
    dBodySetAutoDisableLinearThreshold(idle, 100);
    dBodySetAutoDisableAngularThreshold(idle, 100);
    dBodySetAutoDisableSteps(idle, 3);
    dBodySetAutoDisableTime(idle, 0);
    dBodySetAutoDisableAverageSamplesCount(idle, 1);
    dBodySetAutoDisableFlag(idle, 1);
    for (int i = 0; i < 60; i++) {
        sceneCopyState(twins.truth, twins.scene);
        CHECK_OK(ksInspectorQuickStep(twins.inspector, step));
        if (ksInspectorGetReaction(twins.inspector, twins.scene->joint[0])->reasons & KS_REASON_RESET) {
            dBodySetLinearVel(twins.truth->body[0], 0, 0, 0);
            dBodySetAngularVel(twins.truth->body[0], 0, 0, 0);
            stopped++;
        }
        solveTruth(&twins);
        for (int j = 0; j < 2; j++)
            ck_assert_double_le(apartOverBar(&twins, j), 1);
    }
    ck_assert_int_gt(stopped, 10);
    close(&twins);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("physical values of velocities that joints forbid");
    TCase *test = tcase_create("permitted");
    tcase_add_loop_test(test, forbidden_rates_are_in_the_bars, 0, 2);
    tcase_add_test(test, stopped_body_has_a_value);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}
