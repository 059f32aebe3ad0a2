/* check_drift_motors.c  Motors parallel to balls, and motors in loops, in joints that have drifted
 * apart. */
#include "demos/scenes/drift.h"
#include "tests/kits/support.h"

static const double h = 0.01;
enum { BODIES = 7 };

/* Adds to each ball of a tree a motor that is too weak to have an effect. */
static void addMotors(const Scene *scene)
{
    const double weak = 1e-12; /* N m */
    for (int i = 0; i < scene->jointCount; i++) {
        dBodyID first = dJointGetBody(scene->joint[i], 0), second = dJointGetBody(scene->joint[i], 1);
        dJointID motor = dJointCreateAMotor(scene->world, NULL);
        dJointAttach(motor, i % 2 ? first : second, i % 2 ? second : first);
        dJointSetAMotorNumAxes(motor, 1);
        dJointSetAMotorAxis(motor, 0, 0, 0, 1, 0);
        dJointSetAMotorParam(motor, dParamFMax, weak);
    }
}

/* A motor parallel to a ball makes no loop: in the same state a tree with motors has the forces of
 * the tree without them, for any drift; the forces in the fitting pose would differ. */
START_TEST(motors_beside_balls_are_no_loops)
{
    const double same = 1e-8; /* relative: rounding, and weak motors */
    Scene *plain = sceneTree(BODIES), *motored = sceneTree(BODIES);
    addMotors(motored);
    dWorldSetQuickStepNumIterations(plain->world, 3);
    double gap = 0;
    for (int i = 0; i < 60; i++) {
        // new in each step: the two reports differ, and so would everything that an inspector
        // concludes from a run
        ksInspector *of = inspect(plain->world), *other = inspect(motored->world);
        sceneCopyState(motored, plain);
        for (int k = 0; k < BODIES; k++)
            gap = fmax(gap, jointGap(plain->joint[k]));
        CHECK_OK(ksInspectorQuickStep(of, h));
        CHECK_OK(ksInspectorQuickStep(other, h));
        for (int k = 0; k < BODIES; k++) {
            const ksReaction *wanted = ksInspectorGetReaction(of, plain->joint[k]);
            const ksReaction *reaction = ksInspectorGetReaction(other, motored->joint[k]);
            const double size = length3(wanted->physical[0].force);
            for (int n = 0; n < 3; n++)
                ck_assert_double_eq_tol(reaction->physical[0].force[n], wanted->physical[0].force[n], same * size);
        }
        ksInspectorDestroy(of);
        ksInspectorDestroy(other);
    }
    ck_assert_double_gt(gap, 1e-3);
    sceneDestroy(plain);
    sceneDestroy(motored);
}
END_TEST

/* The motors of a gripper cannot hold its load: their converged multipliers are at their bounds,
 * not beyond. Rounding of the load may let a row count as inside. It does not, unless the row
 * shares its force in the pose that fits. */
START_TEST(motors_in_loops_stay_within_their_bounds)
{
    const double same = 1e-6; /* relative */
    if (sizeof(dReal) == sizeof(float))
        return;  // gaps are too coarse for a pose: the routes solve the gripper
    Scene *scene = driftScene("gripper")->make(&sceneSurface[SURFACE_APPROX1], h);
    ksInspector *inspector = inspect(scene->world);
    int count = 0;
    dWorldSetQuickStepNumIterations(scene->world, 20);
    for (int i = 0; i < 60; i++) {
        sceneBeforeStep(scene);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        for (int k = 0; k < scene->jointCount; k++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[k]);
            for (int l = 0; reaction && l < reaction->rowCount; l++) {
                const ksRow *row = &reaction->row[l];
                if (row->lo == -INFINITY || row->hi == INFINITY || row->findex >= 0 || isnan(row->gauss))
                    continue;
                ck_assert_double_ge(row->gauss, row->lo - same * fabs(row->lo));
                ck_assert_double_le(row->gauss, row->hi + same * fabs(row->hi));
                count++;
            }
        }
        sceneAfterStep(scene);
    }
    ck_assert_int_gt(count, 60);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("drift_motors");
    tcase_add_test(tests, motors_beside_balls_are_no_loops);
    tcase_add_test(tests, motors_in_loops_stay_within_their_bounds);
    return runCase("drift_motors", tests);
}
