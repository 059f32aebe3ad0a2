/* check_mujoco_calls.c  The adapter of MuJoCo: the simulation does not change, and errors are
 * returned. */
#include "tests/adapters/mujoco_kit.h"

#include <mujoco/mjxmacro.h>

static const char *const integrators[] = {"integrator='Euler'", "integrator='implicit'", "integrator='RK4'"};

static void compareData(const mjModel *m, const mjData *a, const mjData *b)
{
    MJDATA_POINTERS_PREAMBLE(m)
    ck_assert_int_eq(a->nefc, b->nefc);
    ck_assert_mem_eq(a->efc_force, b->efc_force, sizeof(mjtNum) * (size_t)a->nefc);
    // the other arrays may have unwritten memory
#define X(type, name, nr, nc)                                                                                          \
    if ((m->nr == m->nq || m->nr == m->nv || m->nr == m->nbody) && sizeof(type) == sizeof(mjtNum))                     \
        ck_assert_mem_eq(a->name, b->name, sizeof(type) * (size_t)(m->nr * nc));
    MJDATA_POINTERS
#undef X
}

/* MuJoCo's data are the same to the bit, with contacts and damping. */
START_TEST(transparency)
{
    const Trees trees = {.seed = 300 + (uint64_t)_i, .options = integrators[_i], .hasFloor = true};
    mjModel *m = randomTrees(&trees);
    mjData *d = mj_makeData(m), *alone = mj_makeData(m);
    ksMujoco *adapter;
    makeFolder();
    CHECK_OK(ksMujocoCreate(m, in("same.h5"), &adapter));
    for (int i = 0; i < 100; i++) {
        drive(m, d, i);
        drive(m, alone, i);
        CHECK_OK(ksMujocoStep(adapter, d));
        mj_step(m, alone);
        compareData(m, d, alone);
        ck_assert_int_eq(d->maxuse_stack, alone->maxuse_stack);
    }
    CHECK_OK(ksMujocoClose(adapter));
    removeFolder();
    mj_deleteData(alone);
    mj_deleteData(d);
    mj_deleteModel(m);
}
END_TEST

START_TEST(calls)
{
    mjModel *m = modelOf(arch);
    mjData *d = mj_makeData(m);
    ksMujoco *adapter = NULL;
    makeFolder();
    CHECK_STATUS(ksMujocoCreate(NULL, in("a.h5"), &adapter), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_null(ksMujocoGetRecording(NULL));
    CHECK_STATUS(ksMujocoCreate(m, in("a.h5"), NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksMujocoCreate(m, in("none/a.h5"), &adapter), KS_ERROR_FILE);
    ck_assert_ptr_null(adapter);
    CHECK_OK(ksMujocoClose(NULL));
    ck_assert_str_eq(ksMujocoGetNotes(NULL), "");
    CHECK_OK(ksMujocoCreate(m, in("a.h5"), &adapter));
    CHECK_STATUS(ksMujocoBegin(NULL, d), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksMujocoBegin(adapter, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksMujocoEnd(NULL, d), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksMujocoEnd(adapter, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksMujocoStep(NULL, d), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksMujocoStep(adapter, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksMujocoEnd(adapter, d), KS_ERROR_BRACKET);
    CHECK_OK(ksMujocoBegin(adapter, d));
    CHECK_STATUS(ksMujocoEnd(adapter, d), KS_ERROR_ENGINE);
    ck_assert_str_eq(ksErrorMessage(), "ksMujocoEnd: from 0 s to 0 s is not one step of 0.002 s");
    CHECK_OK(ksMujocoBegin(adapter, d));
    mj_step(m, d);
    const double kept = d->qpos[0];
    d->qpos[0] = INFINITY;
    CHECK_STATUS(ksMujocoEnd(adapter, d), KS_ERROR_NOT_FINITE);
    d->qpos[0] = kept;
    CHECK_OK(ksMujocoStep(adapter, d));
    d->qvel[0] = NAN;
    CHECK_STATUS(ksMujocoStep(adapter, d), KS_ERROR_ENGINE);
    m->eq_active[0] = 0;
    CHECK_STATUS(ksMujocoStep(adapter, d), KS_ERROR_BAD_ARGUMENT);
    ck_assert_str_eq(ksErrorMessage(), "ksMujocoEnd: equality constraint 0 was switched");
    m->eq_active[0] = 1;
    CHECK_OK(ksMujocoStep(adapter, d));
    CHECK_OK(ksMujocoClose(adapter));
    removeFolder();
    mj_deleteData(d);
    mj_deleteModel(m);
}
END_TEST

static void countJoints(ksInspector *inspector, int step, void *user)
{
    size_t count;
    (void)step;
    (void)ksInspectorGetReactions(inspector, &count);
    *(int *)user = (int)count;
}

/* Each name is the rest of the buffer: longer than a recording allows, and not always UTF-8. */
START_TEST(hostile_names)
{
    mjModel *m = modelOf(arms);
    mjData *d = mj_makeData(m);
    ksMujoco *adapter;
    int joints = 0;
    for (int i = 0; i + 1 < m->nnames; i++)
        m->names[i] = (char)(m->names[i] && _i ? "\xff\"<\n\x1b"[i % 5] : 'x');
    makeFolder();
    CHECK_OK(ksMujocoCreate(m, in("names.h5"), &adapter));
    CHECK_OK(ksMujocoStep(adapter, d));
    CHECK_OK(ksMujocoClose(adapter));
    judgeFile(in("names.h5"), countJoints, &joints);
    ck_assert_int_eq(joints, 4);
    removeFolder();
    mj_deleteData(d);
    mj_deleteModel(m);
}
END_TEST

START_TEST(masses)
{
    static const char *const text[] = {"<mujoco><worldbody><body name='arm'><joint/><body name='tip'><geom "
                                       "size='.1'/></body></body></worldbody></mujoco>",
                                       "<mujoco><worldbody><body name='dot'><inertial pos='0 0 0' mass='1' "
                                       "diaginertia='0 0 0'/></body></worldbody></mujoco>"};
    mjModel *m = modelOf(text[_i]);
    ksMujoco *adapter;
    makeFolder();
    CHECK_STATUS(ksMujocoCreate(m, in("a.h5"), &adapter), KS_ERROR_BAD_ARGUMENT);
    ck_assert_str_eq(ksErrorMessage(), _i ? "ksMujocoCreate: dot has a mass and no inertia"
                                          : "ksMujocoCreate: arm has joints and no mass");
    removeFolder();
    mj_deleteModel(m);
}
END_TEST

int main(void)
{
    mju_user_warning = silence;
    TCase *tcase = tcase_create("mujoco_calls");
    tcase_add_loop_test(tcase, transparency, 0, 3);
    tcase_add_test(tcase, calls);
    tcase_add_loop_test(tcase, hostile_names, 0, 2);
    tcase_add_loop_test(tcase, masses, 0, 2);
    return runCase("mujoco_calls", tcase);
}
