/* check_permitted.c  Physical values at velocities that the joints forbid: after an unfinished
 * solver, and for bodies that the engine stops before its step.
 *
 * Truth is another world with the same state, without error correction and compliance. A direct
 * step of a tenth of a microsecond projects the velocities onto the nearest permitted ones, in the
 * mass metric. A second such step has the reactions of the mechanism, J a = -(dJ/dt) v. */
#include "tests/kits/support.h"

static const double step = 0.005, moment = 1e-7;

/* change of the true force within the two steps, as a share of the force, for links of a fraction
 * of a metre */
static const double truthTolerance = 1e-5;

enum { MOST_LINKS = 8 };

typedef struct Twins {
    Scene *scene, *truth;
    ksInspector *inspector;
    dJointFeedback feedback[MOST_LINKS]; /* feedback of the truth */
} Twins;

static Twins openTwins(int links)
{
    Twins twins = {.scene = sceneChain(links, SCENE_FALLING), .truth = sceneChain(links, SCENE_FALLING)};
    ck_assert_ptr_nonnull(twins.scene);
    ck_assert_ptr_nonnull(twins.truth);
    dWorldSetERP(twins.truth->world, 0);
    dWorldSetCFM(twins.truth->world, 0);
    twins.inspector = inspect(twins.scene->world);
    return twins;
}

static void closeTwins(Twins *twins)
{
    ksInspectorDestroy(twins->inspector);
    sceneDestroy(twins->scene);
    sceneDestroy(twins->truth);
}

/* Solves the truth for its present state. */
static void solveTruth(Twins *twins)
{
    for (int j = 0; j < twins->truth->jointCount; j++)
        dJointSetFeedback(twins->truth->joint[j], &twins->feedback[j]);
    for (int i = 0; i < 2; i++)
        ck_assert(dWorldStep(twins->truth->world, moment));
}

/* The largest distance from the truth over the bar, for the components of the wrench on the first
 * body. */
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

/* A falling chain: dWorldQuickStep leaves rates that its joints forbid, and the permitted
 * velocities are known only to this error. */
START_TEST(forbidden_rates_are_in_the_bars)
{
    Twins twins = openTwins(6);
    dRandSetSeed(1);
    for (int i = 0; i < 200; i++) {
        sceneCopyState(twins.truth, twins.scene);
        CHECK_OK(_i ? ksInspectorStep(twins.inspector, step) : ksInspectorQuickStep(twins.inspector, step));
        solveTruth(&twins);
        for (int j = 0; j < twins.scene->jointCount; j++)
            ck_assert_double_le(apartOverBar(&twins, j), 1);
    }
    closeTwins(&twins);
}
END_TEST

/* All links but the last are idle, and it keeps them awake: the engine stops them before each step,
 * and the last moves on. Of three links, a motor holds the first two together. */
START_TEST(stopped_bodies_have_values)
{
    const int idle = 1 + _i;
    Twins twins = openTwins(idle + 1);
    int stopped = 0;
    for (int i = 0; i < idle; i++)
        fallIdle(twins.scene->body[i]);
    for (int i = 1; i < idle; i++) {
        dJointSetHingeParam(twins.scene->joint[i], dParamFMax, dInfinity);
        dJointSetHingeParam(twins.truth->joint[i], dParamFMax, dInfinity);
        dJointSetHingeParam(twins.truth->joint[i], dParamCFM, 0);
    }
    for (int i = 0; i < 60; i++) {
        sceneCopyState(twins.truth, twins.scene);
        CHECK_OK(ksInspectorQuickStep(twins.inspector, step));
        for (int j = 0; j < idle; j++) {
            // a joint without a further idle body
            dJointID own = twins.scene->joint[j ? j + 1 : 0];
            if (!(ksInspectorGetReaction(twins.inspector, own)->reasons & KS_REASON_RESET))
                continue;
            dBodySetLinearVel(twins.truth->body[j], 0, 0, 0);
            dBodySetAngularVel(twins.truth->body[j], 0, 0, 0);
            stopped++;
        }
        solveTruth(&twins);
        for (int j = 0; j <= idle; j++)
            ck_assert_double_le(apartOverBar(&twins, j), 1);
    }
    ck_assert_int_gt(stopped, 10 * idle);
    closeTwins(&twins);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("permitted");
    tcase_add_loop_test(test, forbidden_rates_are_in_the_bars, 0, 2);
    tcase_add_loop_test(test, stopped_bodies_have_values, 0, 2);
    return runCase("physical values of velocities that joints forbid", test);
}
