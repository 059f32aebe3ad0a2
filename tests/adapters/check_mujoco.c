/* check_mujoco.c  Verdicts on steps of MuJoCo: physical values against its own inverse dynamics;
 * false reports. */
#include "tests/adapters/mujoco_kit.h"

enum { STEPS = 40, TREES = 8, MORE_TREES = 100, BODIES = TREE_BODIES + 1 };

/* the rounding of sums over a tree: the bound that the inverse dynamics of any engine has to
 * meet */
static const double roundingShare = 1e-9;

/* of a joint's own wrench, which can be a hundredth of the largest one */
static const double ownShare = 1e-7;

/* with a tolerance of 0 MuJoCo's solver runs to its iteration limit; its remaining error is in the
 * accelerations */
static const char *const cones[] = {"timestep='.002' cone='pyramidal' tolerance='0'",
                                    "timestep='.002' cone='elliptic' tolerance='0'"};

typedef struct Truth {
    mjModel *m;
    int body[BODIES]; /* of each joint of the recording */
    int joints, steps;
    ksWrench (*wrench)[BODIES]; /* [steps]; of the world: the largest contact force, and the error
                                   of MuJoCo's solver */
    double worst, error;        /* errors: of the physical values; of the reports */
    int contacts;
    size_t verdict[KS_VALID + 1];
} Truth;

/* 1/m: the arm, 0.1 m, by which a torque error counts as a force error */
static const double perArm = 10;

static double largestContact(const mjModel *m, const mjData *d)
{
    double most = 0;
    for (int i = 0; i < d->ncon; i++) {
        double force[6];
        mj_contactForce(m, d, i, force);
        most = fmax(most, mju_norm3(force));
    }
    return most;
}

/* The residual of M a = f in coordinates, where the solver had to find contact forces; N or N.m. */
static double leftBySolver(const mjModel *m, mjData *begin, const mjData *d)
{
    double *force = calloc((size_t)m->nv, sizeof *force), most = 0;
    mj_mulM(m, begin, force, begin->qacc);
    for (int i = 0; i < m->nv && d->ncon > 0; i++)
        most = fmax(most, fabs(force[i] - d->qfrc_smooth[i] - d->qfrc_constraint[i]));
    free(force);
    return most;
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
        truth->contacts += d->ncon;
        inverseWrenches(m, begin, d, truth->wrench[i]);
        truth->wrench[i][0].force[0] = largestContact(m, d);
        truth->wrench[i][0].force[1] = leftBySolver(m, begin, d);
    }
    CHECK_OK(ksMujocoClose(adapter));
    mj_deleteData(begin);
    mj_deleteData(d);
}

/* Compares wrenches; the tests check the verdicts. */
static void compareTruth(ksInspector *inspector, int step, void *user)
{
    Truth *truth = user;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_eq(count, (size_t)truth->joints);
    double worst = 0, load = fmax(pushed, truth->wrench[step][0].force[0]);
    for (size_t i = 0; i < count; i++) {
        // reactions list the newest joint first
        const int body = truth->body[truth->joints - 1 - (int)i];
        const ksWrench *own = &truth->wrench[step][body], *found = reaction[i].physical;
        ck_assert(isfinite(found->force[0]) && isfinite(found->torque[0]));
        worst = fmax(worst, fmax(mju_dist3(own->force, found->force), mju_dist3(own->torque, found->torque)));
        load = fmax(load, mju_norm3(own->force));
        truth->verdict[reaction[i].verdict]++;
        truth->error = fmax(truth->error, reaction[i].error);
    }
    truth->worst = fmax(truth->worst, (worst - perArm * truth->wrench[step][0].force[1]) / load);
    truth->steps++;
}

static Truth tryTrees(const Trees *trees)
{
    Truth truth = {.m = randomTrees(trees)};
    makeFolder();
    recordTruth(&truth, in("trees.h5"));
    judgeFile(in("trees.h5"), compareTruth, &truth);
    removeFolder();
    free(truth.wrench);
    mj_deleteModel(truth.m);
    ck_assert_int_eq(truth.steps, STEPS);
    ck_assert_double_le(truth.worst, roundingShare);
    return truth;
}

/* The accelerations belong to the finished step, with damping, which both integrators treat
 * implicitly. */
START_TEST(random_trees)
{
    static const char *const options[] = {"timestep='.002'", "timestep='.002' integrator='implicit'"};
    const Trees trees = {.seed = (uint64_t)_i + 1, .options = options[_i % 2], .hasJets = _i % 4 > 1};
    (void)tryTrees(&trees);
}
END_TEST

/* Without damping the reported forces make the step, so the observed forces equal them. */
START_TEST(true_reports)
{
    const Trees trees = {.seed = (uint64_t)_i + 100, .options = "timestep='.002'", .isUndamped = true};
    const Truth found = tryTrees(&trees);
    ck_assert_uint_eq(found.verdict[KS_VALID], (size_t)(STEPS * found.joints));
    ck_assert_double_le(found.error, ownShare);
}
END_TEST

/* Contacts are known loads. */
START_TEST(on_the_floor)
{
    const Trees trees = {.seed = (uint64_t)_i + 200, .options = cones[_i % 2], .hasFloor = true, .isUndamped = true};
    const Truth found = tryTrees(&trees);
    ck_assert_int_gt(found.contacts, 0);
    ck_assert_uint_eq(found.verdict[KS_VALID], (size_t)(STEPS * found.joints));
    ck_assert_double_le(found.error, ownShare);
}
END_TEST

/* --- False reports --- */

enum { MOST_JOINTS = 4 };

typedef struct Found {
    double engine[MOST_JOINTS][6], observed[MOST_JOINTS][6], physical[MOST_JOINTS][6], error[MOST_JOINTS],
        bar[MOST_JOINTS];
    ksVerdict verdict[MOST_JOINTS];
    ksReasons reasons[MOST_JOINTS];
    int steps, joints;
} Found;

/* Keeps the reactions of the last step. */
static void keepLast(ksInspector *inspector, int step, void *user)
{
    Found *found = user;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_le(count, MOST_JOINTS);
    for (size_t i = 0; i < count; i++) {
        const ksReaction *own = &reaction[count - 1 - i];
        memcpy(found->engine[i], &own->engine[0], sizeof found->engine[i]);
        memcpy(found->observed[i], &own->observed[0], sizeof found->observed[i]);
        memcpy(found->physical[i], &own->physical[0], sizeof found->physical[i]);
        found->error[i] = own->error;
        found->bar[i] = own->physicalErrorBar;
        found->verdict[i] = own->verdict;
        found->reasons[i] = own->reasons;
    }
    found->steps = step + 1;
    found->joints = (int)count;
}

typedef void Spoil(const mjModel *m, mjData *d);

/* Makes this many steps, and spoils the last one between the step and its report. */
static Found tryModel(const char *text, int steps, Spoil *spoil)
{
    mjModel *m = modelOf(text);
    mjData *d = mj_makeData(m);
    ksMujoco *adapter;
    Found found = {.steps = 0};
    makeFolder();
    CHECK_OK(ksMujocoCreate(m, in("model.h5"), &adapter));
    for (int i = 0; i < steps; i++) {
        CHECK_OK(ksMujocoBegin(adapter, d));
        mj_step(m, d);
        if (spoil && i == steps - 1)
            spoil(m, d);
        CHECK_OK(ksMujocoEnd(adapter, d));
    }
    CHECK_OK(ksMujocoClose(adapter));
    judgeFile(in("model.h5"), keepLast, &found);
    removeFolder();
    mj_deleteData(d);
    mj_deleteModel(m);
    ck_assert_int_eq(found.steps, steps);
    return found;
}

/* Doubles the forearm's acceleration, from which MuJoCo computes cfrc_int. */
static void doubleForearm(const mjModel *m, mjData *d)
{
    d->qacc[m->jnt_dofadr[mj_name2id(m, mjOBJ_JOINT, "jaa")]] *= 2;
}

static void halveConnect(const mjModel *m, mjData *d)
{
    (void)m;
    mju_scl3(d->efc_force, d->efc_force, 0.5);
}

/* The reports of the forearm and of the arm that bears it contradict the motion; the other arm's
 * report does not. */
START_TEST(false_tree)
{
    const Found found = tryModel(arms, 100, doubleForearm);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(found.verdict[i], i < 2 ? KS_UNEXPLAINED : KS_VALID);
        ck_assert(!(found.reasons[i] & KS_REASON_REPORT) == (i >= 2));
    }
    ck_assert_double_gt(found.error[1], 0.1);
    for (int i = 0; i < 4; i++)
        ck_assert_double_le(mju_dist3(found.observed[i], found.physical[i]),
                            roundingShare * mju_norm3(found.physical[i]));
}
END_TEST

/* of the load: MuJoCo's constraints are soft, and yield by this share of the mechanism's length */
static const double giving = 1e-4;

/* Three hinges: the thrust of an arch of two bars of weight W is W s/(4 r) with s = 1.6, r = 0.6,
 * and each foot bears W. MuJoCo's `connect` yields by a few micrometres, and the arch with it. Half
 * of the reported force does not explain the motion. */
START_TEST(closed_loop)
{
    const double weight = 2 * 9.81, thrust = weight * 1.6 / (4 * 0.6);
    const double expected[3][3] = {{thrust, 0, weight}, {thrust, 0, 0}, {-thrust, 0, weight}};
    const Found found = tryModel(arch, 1000, _i ? halveConnect : NULL);
    ck_assert_int_eq(found.joints, 3);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_le(mju_dist3(found.physical[i], expected[i]), giving * weight);
        ck_assert_double_le(mju_dist3(found.observed[i], found.physical[i]), giving * weight);
        // hinges in one plane share the force across it
        ck_assert_int_eq(found.verdict[i], _i ? KS_UNEXPLAINED : KS_INDETERMINATE);
        ck_assert_int_eq(found.error[i] > 0.1, _i);
    }
}
END_TEST

/* A weld holds a tool at the end of an arm. The torque of its constraint is not in N.m, but
 * cfrc_int treats it as if it were, so the torque of the arm's hinge is false. */
static const char welded[] =
    "<mujoco><option timestep='.002'/><default><geom type='box' size='.25 .02 .02' contype='0' "
    "mass='1'/></default><worldbody>"
    "<body name='arm' pos='0 0 1'><joint name='post' axis='0 0 1'/><geom pos='.25 0 0'/></body>"
    "<body name='tool' pos='.5 0 1' quat='.8 .6 0 0'><freejoint/><geom pos='.25 0 0'/></body>"
    "</worldbody><equality><weld name='flange' body1='arm' body2='tool' solref='.004 1'/></equality></mujoco>";

START_TEST(torque_of_a_weld)
{
    // on the arm, about its mass centre, half-way between both joints
    const double weight = 9.81,
                 expected[2][6] = {{0, 0, 2 * weight, 0, -weight / 2, 0}, {0, 0, -weight, 0, weight / 2, 0}};
    const Found found = tryModel(welded, 1000, NULL);
    ck_assert_int_eq(found.joints, 2);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 6; k++)
            ck_assert_double_eq_tol(found.physical[i][k], expected[i][k], giving * weight);
    ck_assert_int_eq(found.verdict[0], KS_UNEXPLAINED);
    ck_assert_uint_eq(found.reasons[0], KS_REASON_REPORT);
    ck_assert_int_eq(found.verdict[1], KS_VALID);
    // MuJoCo's weld is soft by design, its hinge is not
    ck_assert_uint_eq(found.reasons[1], KS_REASON_SOFT);
    // cfrc_int has a torque about the hinge's own free axis
    ck_assert_double_gt(fabs(found.engine[0][5]), 0.4 * weight);
}
END_TEST

/* A beam can turn on a post; a jet at its end lifts it. In the second case the jet also presses
 * another beam down. cfrc_int includes no jet. */
static const char jet[] = "<mujoco><option timestep='.002'/><default><geom type='box' size='.25 .02 .02' contype='0' "
                          "mass='1'/></default><worldbody>"
                          "<body name='a' pos='0 0 1'><joint name='ja' axis='0 0 1'/><geom pos='.25 0 0'/><site "
                          "name='sa' pos='.5 0 0'/></body>"
                          "<body name='b' pos='1 0 1'><joint name='jb' axis='0 0 1'/><geom pos='.25 0 0'/>"
                          "<site name='sb' pos='.5 0 0' quat='.8 .6 0 0'/></body></worldbody>"
                          "<actuator><general site='sa' %s biastype='affine' biasprm='4'/></actuator></mujoco>";

START_TEST(jets)
{
    // b's axes are y = (0, .28, .96), z = (0, -.96, .28): these gears make a unit vector upwards
    static const char *const gear[] = {"gear='0 0 1 0 0 0'", "refsite='sb' gear='0 .96 .28 0 0 0'"};
    const double weight = 9.81, lift = 4, sign[2] = {1, _i ? -1 : 0};
    char text[2000];
    snprintf(text, sizeof text, jet, gear[_i]);
    const Found found = tryModel(text, 100, NULL);
    ck_assert_int_eq(found.joints, 2);
    for (int i = 0; i < 2; i++) {
        const double own = sign[i] * lift, expected[6] = {0, 0, weight - own, 0, own / 4, 0};
        for (int k = 0; k < 6; k++) {
            ck_assert_double_eq_tol(found.physical[i][k], expected[k], roundingShare * weight);
            ck_assert_double_eq_tol(found.observed[i][k], expected[k], roundingShare * weight);
        }
        ck_assert_double_eq_tol(found.engine[i][2], weight, roundingShare * weight);
        ck_assert_int_eq(found.verdict[i], sign[i] != 0 ? KS_UNEXPLAINED : KS_VALID);
    }
}
END_TEST

/* --- Joints that the recording has no type for --- */

/* A walker in a plane, on three joints, with a massless frame between torso and leg. */
static const char walker[] =
    "<mujoco><option timestep='.002'/><default><geom type='capsule' size='.05' contype='0'/></default><worldbody>"
    "<body name='torso' pos='0 0 1'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"
    "<joint axis='0 1 0'/><geom fromto='0 0 0 .1 0 .5'/>"
    "<body name='frame' pos='0 .1 0'><body name='leg'><joint name='hip' axis='0 1 0' stiffness='5' "
    "springref='40'/><geom fromto='0 0 0 .2 0 -.4'/>"
    "</body></body></body></worldbody></mujoco>";

/* A bag on a strap, in a pose that differs from the model's, with a tag that hangs from it. */
static const char strap[] =
    "<mujoco><option timestep='.002'/><default><geom type='box' size='.1 .1 .1' contype='0' "
    "mass='2'/></default><worldbody>"
    "<body name='bag' pos='.3 0 1'><freejoint/><geom/><body name='tag' pos='.1 0 0'><joint name='ring' type='ball'/>"
    "<geom pos='0 0 -.3'/></body></body></worldbody>"
    "<equality><weld name='strap' body1='bag' relpose='.4 0 .1 .8 0 .6 0' solref='.02 1'/></equality></mujoco>";

static void checkNotes(const char *text, const char *expected)
{
    mjModel *m = modelOf(text);
    ksMujoco *adapter;
    makeFolder();
    CHECK_OK(ksMujocoCreate(m, in("notes.h5"), &adapter));
    ck_assert_str_eq(ksMujocoGetNotes(adapter), expected);
    CHECK_OK(ksMujocoClose(adapter));
    removeFolder();
    mj_deleteModel(m);
}

/* Each model has one joint of a recorded type, which is judged right. */
START_TEST(other_joints)
{
    checkNotes(_i ? strap : walker, _i ? "strap is not a joint of the recording: its wrench is a known load.\n"
                                       : "torso is not a joint of the recording: its wrench is a known load.\n");
    const Found found = tryModel(_i ? strap : walker, 200, NULL);
    ck_assert_int_eq(found.joints, 1);
    ck_assert_int_eq(found.verdict[0], KS_VALID);
    ck_assert_double_le(found.error[0], ownShare);
    ck_assert_double_le(mju_dist3(found.observed[0], found.physical[0]), ownShare * mju_norm3(found.physical[0]));
    ck_assert_double_gt(mju_norm3(found.physical[0]), 0.5);
}
END_TEST

/* A mocap body leads a hand: the reported force of the weld moves the hand. */
static const char led[] =
    "<mujoco><option timestep='.002' tolerance='0'/><default><geom size='.1' contype='0'/></default><worldbody>"
    "<body name='guide' mocap='true' pos='0 0 1'/>"
    "<body name='hand' pos='0 0 1'><freejoint/><geom mass='2'/></body></worldbody>"
    "<equality><weld name='lead' body1='guide' body2='hand'/></equality></mujoco>";

START_TEST(mocap)
{
    mjModel *m = modelOf(led);
    mjData *d = mj_makeData(m);
    ksMujoco *adapter;
    Found found;
    makeFolder();
    CHECK_OK(ksMujocoCreate(m, in("led.h5"), &adapter));
    for (int i = 0; i < 100; i++) {
        d->mocap_pos[0] = 0.002 * i;
        d->mocap_quat[3] = 0.001 * i;
        CHECK_OK(ksMujocoStep(adapter, d));
    }
    CHECK_OK(ksMujocoClose(adapter));
    judgeFile(in("led.h5"), keepLast, &found);
    ck_assert_int_eq(found.joints, 1);
    ck_assert_int_eq(found.verdict[0], KS_VALID);
    ck_assert_double_le(found.error[0], ownShare);
    removeFolder();
    mj_deleteData(d);
    mj_deleteModel(m);
}
END_TEST

START_TEST(notes)
{
    checkNotes("<mujoco><option integrator='RK4' density='1.2'/></mujoco>",
               "Forces of tendons in space, of slider-cranks, of adhesion and of the medium are reported as acting in "
               "the joints, as in cfrc_int.\n"
               "RK4: forces are computed at the start of a step, and the motion follows their mean.\n");
}
END_TEST

static void addTrees(TCase *tcase, int from, int to)
{
    tcase_add_loop_test(tcase, random_trees, from, to);
    tcase_add_loop_test(tcase, true_reports, from / 2, to / 2);
    tcase_add_loop_test(tcase, on_the_floor, from / 2, to / 2);
}

int main(void)
{
    mju_user_warning = silence;
    Suite *suite = suite_create("mujoco");
    TCase *tcase = tcase_create("mujoco");
    addTrees(tcase, 0, TREES);
    tcase_add_test(tcase, false_tree);
    tcase_add_loop_test(tcase, closed_loop, 0, 2);
    tcase_add_test(tcase, torque_of_a_weld);
    tcase_add_loop_test(tcase, jets, 0, 2);
    tcase_add_loop_test(tcase, other_joints, 0, 2);
    tcase_add_test(tcase, mocap);
    tcase_add_test(tcase, notes);
    suite_add_tcase(suite, tcase);
    TCase *more = tcase_create("more trees");
    tcase_set_tags(more, "long");
    addTrees(more, TREES, TREES + MORE_TREES);
    suite_add_tcase(suite, more);
    return runSuite(suite);
}
