/* check_floor.c  Loads of rounding size cause no false verdict, and large loads elsewhere hide no
 * small bound. */
#include "tests/kits/support.h"

static const double h = 0.01;

static double drawn(void)
{
    return 2.0 * rand() / RAND_MAX - 1;
}

static dJointID addHinge(dWorldID world, dBodyID a, dBodyID b, const dVector3 anchor, const dMatrix3 axes)
{
    dJointID joint = dJointCreateHinge(world, NULL);
    dJointAttach(joint, a, b);
    dJointSetHingeAnchor(joint, anchor[0], anchor[1], anchor[2]);
    dJointSetHingeAxis(joint, axes[2], axes[6], axes[10]);
    return joint;
}

/* A weightless slider-crank at rest, in any orientation and place. */
START_TEST(unloaded_linkage)
{
    enum { STEPS = 50, LINKS = 3, JOINTS = 4 };
    static const double place[LINKS][2] = {{0.5, 0.3}, {1.2, 0.3}, {2, 0}}, pin[LINKS][2] = {{0, 0}, {1, 0.6}, {2, 0}};
    dWorldID world = dWorldCreate();
    dBodyID body[LINKS];
    dJointID joint[JOINTS];
    dMatrix3 axes;
    srand((unsigned)_i / 2);
    const double off[3] = {drawn(), drawn(), drawn()};
    dRFromEulerAngles(axes, 3 * drawn(), 3 * drawn(), 3 * drawn());
    for (int i = 0; i < LINKS; i++) {
        dVector3 centre, anchor;
        for (int k = 0; k < 3; k++) {
            centre[k] = off[k] + axes[4 * k] * place[i][0] + axes[4 * k + 1] * place[i][1];
            anchor[k] = off[k] + axes[4 * k] * pin[i][0] + axes[4 * k + 1] * pin[i][1];
        }
        body[i] = addBall(world, 1, 0.1, 0, 0);
        dBodySetPosition(body[i], centre[0], centre[1], centre[2]);
        dBodySetRotation(body[i], axes);
        joint[i] = addHinge(world, body[i], i ? body[i - 1] : NULL, anchor, axes);
    }
    joint[LINKS] = dJointCreateSlider(world, NULL);
    dJointAttach(joint[LINKS], body[LINKS - 1], NULL);
    dJointSetSliderAxis(joint[LINKS], axes[0], axes[4], axes[8]);
    ksInspector *inspector = inspect(world);
    bool any = false;
    for (int i = 0; i < STEPS; i++) {
        CHECK_OK(inspectedStep(inspector, _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP, h));
        for (int k = 0; k < JOINTS; k++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, joint[k]);
            ck_assert_msg(reaction->verdict > KS_SOLVER_ERROR, "%s, error %.1e of %.1e N",
                          ksVerdictName(reaction->verdict), reaction->error, length3(reaction->engine[0].force));
            any |= length3(reaction->engine[0].force) > 0;
        }
    }
    ck_assert(any || _i % 2 == 0);  // rounding has to be distinguished from loads
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A motor that is slightly too weak holds the last of three bars on hinges level; another joint of
 * the island carries 1e11 N along a hinge's axis, which moves nothing. After one sweep the motor's
 * report is inside its bounds. */
START_TEST(small_bound_beside_a_clamp)
{
    enum { LINKS = 3 };
    static const double share = 0.98, clamp = 1e11;
    double need = INFINITY;
    for (int weak = 0; weak < 2; weak++) {
        dWorldID world = heavyWorld();
        dBodyID body[LINKS];
        dJointID joint[LINKS];
        dMatrix3 axes;
        dRFromEulerAngles(axes, -M_PI / 2, 0, 0);
        for (int i = 0; i < LINKS; i++) {
            const dVector3 anchor = {i, 0, 0};
            body[i] = addBox(world, 1, (const double[]){1, 0.1, 0.1}, 0);
            dBodySetPosition(body[i], i + 0.5, 0, 0);
            joint[i] = addHinge(world, body[i], i ? body[i - 1] : NULL, anchor, axes);
        }
        const double most = weak ? share * need : 1e5;
        dJointSetHingeParam(joint[LINKS - 1], dParamFMax, most);
        dBodyAddForce(body[0], 0, clamp, 0);
        dWorldSetQuickStepNumIterations(world, 1);
        ksInspector *inspector = inspect(world);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        const ksRow *motor = &ksInspectorGetReaction(inspector, joint[LINKS - 1])->row[5];
        ck_assert_double_lt(fabs(motor->engine), (1 - 1e-3) * most);
        need = fabs(motor->paulus);
        if (weak) {
            ck_assert_int_ne(motor->place, KS_INSIDE);
            ck_assert_double_eq(need, most);
        }
        ksInspectorDestroy(inspector);
        dWorldDestroy(world);
    }
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("floor");
    tcase_add_loop_test(test, unloaded_linkage, 0, 40);
    tcase_add_test(test, small_bound_beside_a_clamp);
    return runCase("floor", test);
}
