/* check_given_name.c  Names that the host gives to joints. */
#include "tests/kits/chain_kit.h"
#include "tests/kits/memory_kit.h"

START_TEST(a_joint_keeps_its_name)
{
    char name[] = "elbow";
    ck_assert_ptr_null(ksInspectorGetName(inspector, scene->joint[1]));
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[1], name));
    name[0] = 'E';  // the library has copied the name
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[0], "shoulder"));
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_str_eq(ksInspectorGetName(inspector, scene->joint[1]), "elbow");
    ck_assert_str_eq(ksInspectorGetName(inspector, scene->joint[0]), "shoulder");
    ck_assert_ptr_null(ksInspectorGetName(inspector, scene->joint[2]));
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[1], "knee"));
    ck_assert_str_eq(ksInspectorGetName(inspector, scene->joint[1]), "knee");
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[1], NULL));
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[2], NULL));
    ck_assert_ptr_null(ksInspectorGetName(inspector, scene->joint[1]));
    ck_assert_str_eq(ksInspectorGetName(inspector, scene->joint[0]), "shoulder");
}
END_TEST

START_TEST(wrong_arguments_are_refused)
{
    dWorldID other = dWorldCreate();
    dJointID foreign = dJointCreateBall(other, NULL);
    CHECK_STATUS(ksInspectorSetName(NULL, scene->joint[0], "a"), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorSetName(inspector, NULL, "a"), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorSetName(inspector, scene->joint[0], ""), KS_ERROR_BAD_ARGUMENT);
    ck_assert_str_eq(ksErrorMessage(), "ksInspectorSetName: name is empty: pass NULL to remove a name");
    CHECK_STATUS(ksInspectorSetName(inspector, foreign, "a"), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_null(ksInspectorGetName(NULL, scene->joint[0]));
    ck_assert_ptr_null(ksInspectorGetName(inspector, NULL));
    ck_assert_ptr_null(ksInspectorGetName(inspector, foreign));
    dWorldDestroy(other);
}
END_TEST

/* The engine's allocator returns the same address at once. */
START_TEST(a_joint_that_is_gone_loses_it)
{
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[2], "hand"));
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[1], "elbow"));
    if (_i)
        CHECK_OK(ksInspectorStep(inspector, h));
    const dJointID old = scene->joint[2];
    dJointDestroy(old);
    ck_assert_ptr_null(ksInspectorGetName(inspector, old));
    scene->joint[2] = dJointCreateBall(scene->world, NULL);
    dJointAttach(scene->joint[2], scene->body[0], scene->body[2]);
    ck_assert_ptr_null(ksInspectorGetName(inspector, old));
    ck_assert_ptr_null(ksInspectorGetName(inspector, scene->joint[2]));
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_ptr_null(ksInspectorGetName(inspector, scene->joint[2]));
    ck_assert_str_eq(ksInspectorGetName(inspector, scene->joint[1]), "elbow");
}
END_TEST

START_TEST(other_bodies_make_another_joint)
{
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[2], "hand"));
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_str_eq(ksInspectorGetName(inspector, scene->joint[2]), "hand");
    dJointAttach(scene->joint[2], scene->body[2], NULL);
    ck_assert_ptr_null(ksInspectorGetName(inspector, scene->joint[2]));
}
END_TEST

START_TEST(bodies_are_listed)
{
    ck_assert_ptr_null(ksInspectorGetBody(inspector, 0));
    ck_assert_ptr_null(ksInspectorGetBody(NULL, 0));
    CHECK_OK(ksInspectorStep(inspector, h));
    for (int i = 0; i < scene->bodyCount; i++)
        ck_assert_ptr_eq(ksInspectorGetBody(inspector, (size_t)i), scene->body[scene->bodyCount - 1 - i]);
    ck_assert_ptr_null(ksInspectorGetBody(inspector, (size_t)scene->bodyCount));
}
END_TEST

START_TEST(masses_are_known)
{
    double mass, inverse[9];
    dMass own;
    ck_assert_int_eq(ksInspectorGetMass(inspector, scene->body[0], &mass, NULL), 0);
    ck_assert_double_eq(ksInspectorGetStepSize(inspector), 0);
    dBodySetKinematic(scene->body[2]);
    CHECK_OK(ksInspectorStep(inspector, h));
    dBodyGetMass(scene->body[0], &own);
    ck_assert_int_eq(ksInspectorGetMass(inspector, scene->body[0], &mass, inverse), 1);
    ck_assert_double_eq(mass, own.mass);
    // the moment about the link's axis is included: the trace does not depend on the axes
    ck_assert_double_eq_tol(inverse[0] + inverse[4] + inverse[8], 1 / own.I[0] + 1 / own.I[5] + 1 / own.I[10], 1e-9);
    ck_assert_int_eq(ksInspectorGetMass(inspector, scene->body[2], &mass, inverse), 1);
    ck_assert_double_infinite(mass);
    ck_assert_double_eq(inverse[4], 0);
    ck_assert_int_eq(ksInspectorGetMass(inspector, NULL, &mass, NULL), 0);
    ck_assert_double_eq(ksInspectorGetStepSize(inspector), h);
    ck_assert_ptr_eq(ksInspectorGetWorld(inspector), scene->world);
}
END_TEST

static void count(void *user)
{
    ++*(int *)user;
}

static void destroy(const ksStepReport *report, void *user)
{
    (void)report;
    ksInspectorDestroy(user);
}

START_TEST(destruction_is_told)
{
    int calls = 0, ended = 0;
    ksInspector *mine = inspect(scene->world);
    CHECK_STATUS(ksInspectorOnDestroy(mine, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksInspectorOnDestroy(mine, count, &calls));
    CHECK_OK(ksInspectorOnDestroy(mine, count, &ended));
    CHECK_OK(ksInspectorUnsubscribe(mine, ksInspectorGetLastSubscription(mine)));
    CHECK_OK(ksInspectorStep(mine, h));
    ck_assert_int_eq(calls, 0);
    if (_i) {
        CHECK_OK(ksInspectorOnStep(mine, destroy, mine));
        CHECK_OK(ksInspectorStep(mine, h));
    } else {
        ksInspectorDestroy(mine);
    }
    ck_assert_int_eq(calls, 1);
    ck_assert_int_eq(ended, 0);
}
END_TEST

START_TEST(out_of_memory)
{
    ksInspectorOptions options = defaultOptions();
    Counter counter = {.all = 1};
    options.allocator = (ksAllocator){countingResize, &counter};
    ksInspector *mine = inspectWith(scene->world, &options);
    // refuses the memory for the letters, then that for the array
    for (int i = 0; i < 2; i++) {
        counter.refuse = counter.requests + i + 1;
        CHECK_STATUS(ksInspectorSetName(mine, scene->joint[0], "a"), KS_ERROR_NO_MEMORY);
        ck_assert_ptr_null(ksInspectorGetName(mine, scene->joint[0]));
    }
    counter.refuse = counter.requests + 3;
    CHECK_OK(ksInspectorSetName(mine, scene->joint[0], "a"));
    counter.refuse = counter.requests + 1;
    CHECK_STATUS(ksInspectorSetName(mine, scene->joint[0], "b"), KS_ERROR_NO_MEMORY);
    ck_assert_str_eq(ksInspectorGetName(mine, scene->joint[0]), "a");
    ksInspectorDestroy(mine);
    ck_assert_int_eq(counter.held, 0);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("given_name");
    tcase_add_checked_fixture(tcase, setUp, tearDown);
    tcase_add_test(tcase, a_joint_keeps_its_name);
    tcase_add_test(tcase, wrong_arguments_are_refused);
    tcase_add_loop_test(tcase, a_joint_that_is_gone_loses_it, 0, 2);
    tcase_add_test(tcase, other_bodies_make_another_joint);
    tcase_add_test(tcase, bodies_are_listed);
    tcase_add_test(tcase, masses_are_known);
    tcase_add_loop_test(tcase, destruction_is_told, 0, 2);
    tcase_add_test(tcase, out_of_memory);
    return runCase("given_name", tcase);
}
