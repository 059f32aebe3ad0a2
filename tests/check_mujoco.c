/* check_mujoco.c  Steps of MuJoCo, judged: physical values against its own inverse dynamics, reports that are false, and that nothing
 * of the simulation changes. */
#include "tests/mujoco_kit.h"

enum { STEPS = 40, TREES = 24, BODIES = TREE_BODIES + 1 };

/* what sums over a tree leave of rounding; the same bound that inverse dynamics of any engine has to meet */
static const double roundingShare = 1e-9;

typedef struct Truth {
    mjModel *m;
    int body[BODIES]; /* of each joint of the recording */
    int joints, steps;
    ksWrench (*wrench)[BODIES]; /* [steps] */
    double worst, load;
    size_t verdict[KS_VALID + 1];
} Truth;

static void drive(const mjModel *m, mjData *d, int step)
{
    for (int i = 0; i < m->nu; i++)
        d->ctrl[i] = 0.5 * sin(0.1 * step + i);
    for (int i = 0; i < m->nv; i++)
        d->qfrc_applied[i] = 0.05 * cos(0.2 * step + i);
    for (int i = 6; i < 6 * m->nbody; i++)
        d->xfrc_applied[i] = (i % 6 < 3 ? 1 : 0.05) * sin(0.07 * step + i);
}

static void recordTruth(Truth *truth, const char *path)
{
    const mjModel *m = truth->m;
    mjData *d = mj_makeData(m), *begin = mj_makeData(m);
    ksMujoco *adapter;
    CHECK_OK(ksMujocoCreate(m, path, &adapter));
    ck_assert_str_eq(ksMujocoGetNotes(adapter), "");
    for (int i = 1; i < m->nbody; i++)
        if (m->body_jntnum[i] == 0 || m->jnt_type[m->body_jntadr[i]] != mjJNT_FREE)
            truth->body[truth->joints++] = i;
    truth->wrench = calloc(STEPS, sizeof *truth->wrench);
    for (int i = 0; i < m->nv; i++)
        d->qvel[i] = sin(i);
    for (int i = 0; i < STEPS; i++) {
        drive(m, d, i);
        mj_copyData(begin, m, d);
        CHECK_OK(ksMujocoStep(adapter, d));
        inverseWrenches(m, begin, d, truth->wrench[i]);
    }
    CHECK_OK(ksMujocoClose(adapter));
    mj_deleteData(begin);
    mj_deleteData(d);
}

static double apart(const double *a, const double *b)
{
    return mju_dist3(a, b);
}

static void compareTruth(ksInspector *inspector, int step, void *user)
{
    Truth *truth = user;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_eq(count, (size_t)truth->joints);
    double worst = 0, load = 0;
    for (size_t i = 0; i < count; i++) {
        // the newest is first
        const ksWrench *own = &truth->wrench[step][truth->body[truth->joints - 1 - (int)i]],
                       *found = reaction[i].physical;
        worst = fmax(worst, fmax(apart(own->force, found->force), apart(own->torque, found->torque)));
        ck_assert(!isnan(found->force[0]));
        load = fmax(load, mju_norm3(own->force));
        truth->verdict[reaction[i].verdict]++;
        ck_assert_msg(reaction[i].verdict == KS_VALID, "%s of %d in step %d: error %g, reasons %llx",
                      ksVerdictName(reaction[i].verdict), truth->body[truth->joints - 1 - (int)i], step,
                      reaction[i].error, (unsigned long long)reaction[i].reasons);
    }
    truth->worst = fmax(truth->worst, worst / load);
    truth->steps++;
}

static Truth tryTrees(uint64_t seed, const char *options, int hasFloor)
{
    Truth truth = {.m = randomTrees(seed, options, hasFloor)};
    makeFolder();
    recordTruth(&truth, in("trees.h5"));
    judgeFile(in("trees.h5"), compareTruth, &truth);
    removeFolder();
    free(truth.wrench);
    mj_deleteModel(truth.m);
    ck_assert_int_eq(truth.steps, STEPS);
    return truth;
}

START_TEST(random_trees)
{
    const Truth found = tryTrees((uint64_t)_i + 1, "timestep='.001' density='0'", 0);
    printf("%d: %g, %d joints\n", _i, found.worst, found.joints);
    ck_assert_double_le(found.worst, roundingShare);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mujoco");
    TCase *tcase = tcase_create("mujoco");
    tcase_add_loop_test(tcase, random_trees, 0, TREES);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}
