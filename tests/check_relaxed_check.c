/* check_relaxed_check.c  The literal check of joints by their relaxed coordinates: it passes in sound worlds, and an
 * error of a motion or a multiplier leaves the joints of the island unchecked. Then joints alone:
 * ksInspectorRelaxJoint. */
#include "inspector/inspector.h"
#include "mechanics/system_private.h"
#include "support.h"

static const double h = 0.005;
enum { ALL = 1000 }; /* joints of each island, in each step */

static Scene *chain(void)
{
    return sceneChain(12, SCENE_FALLING);
}

static Scene *tree(void)
{
    return sceneTree(31);
}

static Scene *hingedLoops(void)
{
    return sceneLoops(2, 3, COUPLER_HINGED);
}

static Scene *looseLoops(void)
{
    return sceneLoops(2, 3, COUPLER_BALL_UNIVERSAL);
}

static Scene *star(void)
{
    return sceneStar(12);
}

static Scene *ragdolls(void)
{
    return sceneRagdolls(2);
}

static Scene *(*const scenes[])(void) = {chain, tree, hingedLoops, looseLoops, star, ragdolls, sceneZoo};
enum { SCENES = sizeof scenes / sizeof *scenes };

static ksInspector *inspectJoints(dWorldID world, int joints)
{
    ksInspectorOptions options = defaultOptions();
    ck_assert_int_eq(options.relaxedPerStep, 1);
    options.relaxedPerStep = joints;
    return inspectWith(world, &options);
}

static size_t countFailed(ksInspector *inspector)
{
    size_t count, failed = 0;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    for (size_t i = 0; i < count; i++) {
        const bool has = reaction[i].reasons & KS_REASON_RELAXED;
        failed += has;
        if (has)
            ck_assert_str_eq(ksVerdictName(reaction[i].verdict), "KS_UNCHECKED");
    }
    return failed;
}

/* By both steppers, one joint in turn or all at once. */
START_TEST(agrees)
{
    const ksStepper stepper = _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
    Scene *scene = scenes[_i / 4]();
    ksInspector *inspector = inspectJoints(scene->world, _i / 2 % 2 ? 1 : ALL);
    size_t checked = 0;
    for (int i = 0; i < 100; i++) {
        CHECK_OK(inspectedStep(inspector, stepper, h));
        ck_assert_uint_eq(countFailed(inspector), 0);
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        checked += report->reactionCount - report->verdictCount[KS_UNCHECKED];
    }
    ck_assert_uint_gt(checked, 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A hinge whose motor is at its bound, a chain of soft rows behind it. */
START_TEST(agreesAtBounds)
{
    const int soft = _i;
    dWorldID world = heavyWorld();
    dBodyID last = NULL;
    dJointID hinge = NULL;
    for (int i = 0; i < 4; i++) {
        dBodyID ball = addBall(world, 1 + i, 0.2, i + 1, 0);
        hinge = dJointCreateHinge(world, NULL);
        dJointAttach(hinge, ball, last);
        dJointSetHingeAnchor(hinge, i, 0, 0);
        dJointSetHingeAxis(hinge, 0, 1, 0.1 * i);
        dJointSetHingeParam(hinge, dParamVel, 5);
        dJointSetHingeParam(hinge, dParamFMax, i % 2 ? 0.5 : 1e4);
        if (soft)
            dJointSetHingeParam(hinge, dParamCFM, 1e-4);
        last = ball;
    }
    ksInspector *inspector = inspectJoints(world, ALL);
    for (int i = 0; i < 100; i++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->verdictCount[KS_VALID], 4);
    }
    const ksReaction *reaction = ksInspectorGetReaction(inspector, hinge);
    ck_assert_int_ne(reaction->row[5].place, KS_INSIDE);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* Published values of the first island. */
static void gather(const ksInspector *inspector, double *multiplier, double *bar)
{
    const ksiStep *step = &inspector->step;
    const ksiIsland *island = &step->island[0];
    for (int i = 0; i < island->jointCount; i++) {
        const int joint = ksiIslandJoint(step, island, i), *row = step->layout[joint].row;
        for (int l = 0; l < step->joint[joint].rows.count; l++) {
            multiplier[row[l]] = step->converged[joint].paulus[l];
            bar[row[l]] = step->converged[joint].bar[l];
        }
    }
}

static bool differs(ksInspector *inspector, const double *multiplier, const double *bar)
{
    bool any = false;
    CHECK_OK(ksiCheckRelaxed(&inspector->step, &inspector->solver, 0, multiplier, bar, &any));
    return any;
}

/* The true motion in its own coordinates, where the system keeps it. */
static double *motionOf(ksSystem *system)
{
    return ksiSystemIsTree(system) ? system->tree.y.at : system->motion.y.at;
}

/* One joint in turn: an error of one body is found within as many steps as there are joints and rows. */
static int stepsUntilFound(ksInspector *inspector, const double *multiplier, const double *bar)
{
    int steps = 0;
    bool found = false;
    while (steps < 1000 && !found) {
        inspector->step.number++;
        found = differs(inspector, multiplier, bar);
        steps++;
    }
    return steps;
}

START_TEST(errorsAreFound)
{
    enum { ROWS = 200, MOST_STEPS = 6 };
    static double multiplier[ROWS], bar[ROWS];
    Scene *scene = scenes[_i / 2]();
    ksInspector *inspector = inspectJoints(scene->world, _i % 2 ? 1 : ALL);
    for (int i = 0; i < 20; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    const ksiStep *step = &inspector->step;
    const ksiIsland *island = &step->island[0];
    const ksiPlaces *places;
    CHECK_OK(ksiRestoreSystem(step, &inspector->solver, 0, &places));
    ksSystem *system = inspector->solver.system;
    ck_assert_int_le(ksSystemRowCount(system), ROWS);
    gather(inspector, multiplier, bar);
    double again[ROWS], bars[ROWS];
    CHECK_OK(ksiSystemSolveGauss(system, again, NULL));
    CHECK_OK(ksiSystemSolvePaulus(system, again, NULL));
    CHECK_OK(ksiSystemErrorBars(system, again, again, bars));
    const int inTurn = MOST_STEPS * island->jointCount;
    ck_assert(!differs(inspector, multiplier, bar));

    // a body's motion, in the plane of linkages: across it nothing is determinate
    double *y = motionOf(system), kept = y[2];
    y[2] += 1e-4 * (1 + fabs(kept));
    ck_assert_int_le(stepsUntilFound(inspector, multiplier, bar), inTurn);
    y[2] = kept;

    // a multiplier
    const int joint = ksiIslandJoint(step, island, island->jointCount / 2), rows = step->joint[joint].rows.count;
    int l = 0;
    while (l < rows && step->free[joint].undetermined >> l & 1)
        l++;
    if (l < rows) {
        multiplier[step->layout[joint].row[l]] += 1e-4 * island->load / step->layout[joint].size[l];
        ck_assert_int_le(stepsUntilFound(inspector, multiplier, bar), inTurn);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

START_TEST(asManyAsAsked)
{
    Scene *scene = sceneChain(4, SCENE_FALLING);
    ksInspectorOptions options = defaultOptions();
    ksInspector *inspector;
    options.relaxedPerStep = -1;
    CHECK_STATUS(ksInspectorCreate(scene->world, &options, &inspector), KS_ERROR_BAD_ARGUMENT);
    inspector = inspectJoints(scene->world, 0);
    CHECK_OK(ksInspectorStep(inspector, h));
    double multiplier[20], bar[20];
    gather(inspector, multiplier, bar);
    for (int l = 0; l < 20; l++)
        multiplier[l] += 1e6;
    ck_assert(!differs(inspector, multiplier, bar));
    inspector->step.options.relaxedPerStep = 1;
    ck_assert(differs(inspector, multiplier, bar));
    ck_assert_str_eq(ksReasonName(KS_REASON_RELAXED), "KS_REASON_RELAXED");
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

static void relax(ksInspector *inspector, dJointID joint)
{
    ksRelaxation relaxation[6];
    int count;
    CHECK_OK(ksInspectorRelaxJoint(inspector, joint, 6, relaxation, &count));
}

/* Converged values are not asked for. The equations of a mechanism, and the search for its rows at bounds, serve all of its
 * joints, until those of another mechanism are asked for: the patterns count the uses of the system. */
START_TEST(equationsAreSetUpOnce)
{
    Scene *scene = sceneTree(15);
    if (_i == 1) {
        const dJointID motor = dJointCreateAMotor(scene->world, NULL);
        dJointAttach(motor, scene->body[3], NULL);
        dJointSetAMotorNumAxes(motor, 1);
        dJointSetAMotorAxis(motor, 0, 0, 0, 0, 1);
        dJointSetAMotorParam(motor, dParamFMax, 1);
    }
    const dBodyID body = dBodyCreate(scene->world);
    const dJointID other = dJointCreateBall(scene->world, NULL);
    dJointAttach(other, body, NULL);
    dJointSetBallAnchor(other, 0, 0, 1);
    ksInspectorOptions options = defaultOptions();
    options.values = _i == 2 ? KS_COMPUTE_PHYSICAL : 0;
    ksInspector *inspector = inspectWith(scene->world, &options);
    for (int i = 0; i < 5; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    relax(inspector, scene->joint[0]);
    const unsigned long *uses = &inspector->solver.system->patterns.clock, once = *uses;
    for (int j = 0; j < scene->jointCount; j++)
        relax(inspector, scene->joint[j]);
    ck_assert_uint_eq(*uses, once);
    relax(inspector, other);
    ck_assert_uint_gt(*uses, once);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A box that is welded to the ground and pressed into it: no motion satisfies both. */
START_TEST(contradictionsAreUnavailable)
{
    const dWorldID world = dWorldCreate();
    dWorldSetCFM(world, 0);
    const dBodyID box = dBodyCreate(world);
    const dJointID weld = dJointCreateFixed(world, NULL);
    dJointAttach(weld, box, NULL);
    dJointSetFixed(weld);
    dContact contact = {.geom = {.normal = {0, 0, 1}, .depth = 0.01}};
    dJointAttach(dJointCreateContact(world, NULL, &contact), box, NULL);
    ksInspectorOptions options = defaultOptions();
    options.values = 0;
    options.contacts = KS_CONTACTS_SOLVED;
    ksInspector *inspector = inspectWith(world, &options);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    ksRelaxation relaxation[6];
    const ksBodyProbe probe = {.body = box, .axis = {0, 0, 1}};
    const ksWrenchTerm term = {.joint = weld, .body = box};
    ksWrenchSum sum;
    double mobility;
    int count;
    CHECK_STATUS(ksInspectorRelaxJoint(inspector, weld, 6, relaxation, &count), KS_ERROR_UNAVAILABLE);
    CHECK_STATUS(ksInspectorGetMobility(inspector, &probe, &probe, &mobility), KS_ERROR_UNAVAILABLE);
    CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, KS_ENGINE, NULL, &sum));
    ck_assert_int_eq(sum.freeCount, -1);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("relaxed_check");
    TCase *check = tcase_create("check");
    tcase_add_loop_test(check, agrees, 0, 4 * SCENES);
    tcase_add_loop_test(check, agreesAtBounds, 0, 2);
    tcase_add_loop_test(check, errorsAreFound, 0, 8);
    tcase_add_test(check, asManyAsAsked);
    tcase_add_loop_test(check, equationsAreSetUpOnce, 0, 3);
    tcase_add_test(check, contradictionsAreUnavailable);
    suite_add_tcase(suite, check);
    return runSuite(suite);
}
