/* check_relaxed_check.c  The literal check of joints by their relaxed coordinates: it passes in
 * sound worlds, and an error of a motion or a multiplier leaves the joints of the island unchecked.
 * Also single joints: ksInspectorRelaxJoint. */
#include "tests/kits/inside_kit.h"
#include "tests/kits/support.h"

static const double h = 0.005;
enum { ALL = 1000 }; /* joints of each island that are checked in each step */

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

/* Loops first. In trees, bars contain the errors that only this check shows in loops. */
static Scene *(*const scenes[])(void) = {hingedLoops, looseLoops, chain, tree, star, ragdolls, sceneZoo};
enum { LOOPS = 2, SCENES = sizeof scenes / sizeof *scenes };

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

/* By both steppers, with one joint in turn or all at once. */
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

/* A hinge with its motor at its bound, followed by a chain of soft rows. */
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

enum { MOST_ROWS = 200 };

/* The equations of the first island, their solution by both routes, and its bars. Returns the number of
 * rows. */
static int solveAgain(ksInspector *inspector, double *multiplier, double *bar)
{
    double gauss[MOST_ROWS];
    ksSystem *system = insideEquations(inspector);
    ck_assert_ptr_nonnull(system);
    ck_assert_int_le(ksSystemRowCount(system), MOST_ROWS);
    CHECK_OK(ksSystemSolveGauss(system, gauss, NULL));
    CHECK_OK(ksSystemSolvePaulus(system, multiplier, NULL));
    CHECK_OK(ksiSystemErrorBars(system, KSI_STRESS_NONE, gauss, multiplier, bar));
    return ksSystemRowCount(system);
}

static bool differs(const ksInspector *inspector, unsigned long turn, const double *multiplier, const double *bar)
{
    bool any = false;
    CHECK_OK(insideCheckRelaxed(inspector, turn, multiplier, bar, &any));
    return any;
}

/* With one joint in turn, an error of one body is found within as many steps as there are joints
 * and rows. */
static int stepsUntilFound(const ksInspector *inspector, const double *multiplier, const double *bar)
{
    int steps = 0;
    bool found = false;
    while (steps < 1000 && !found)
        found = differs(inspector, (unsigned long)++steps, multiplier, bar);
    return steps;
}

/* A determinate row in the middle; error: a ten thousandth of the largest multiplier, where rows of
 * different units are compared by their forces on a unit mass. */
static int errorOfRow(ksSystem *system, const double *multiplier, double *error)
{
    int determinate[MOST_ROWS], row = ksSystemRowCount(system) / 2;
    double load = 0;
    CHECK_OK(ksSystemGetDeterminacy(system, determinate, NULL));
    while (row < ksSystemRowCount(system) && !determinate[row])
        row++;
    ck_assert_int_lt(row, ksSystemRowCount(system));
    for (int l = 0; l < ksSystemRowCount(system); l++)
        load = fmax(load, ksiSystemKinematicSize(system, l) * fabs(multiplier[l]));
    *error = 1e-4 * load / ksiSystemKinematicSize(system, row);
    return row;
}

START_TEST(errorsAreFound)
{
    enum { MOST_STEPS = 6 };
    double multiplier[MOST_ROWS], bar[MOST_ROWS], error;
    Scene *scene = scenes[_i / 2]();
    ksInspector *inspector = inspectJoints(scene->world, _i % 2 ? 1 : ALL);
    for (int i = 0; i < 20; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    const int inTurn = MOST_STEPS * scene->jointCount;
    solveAgain(inspector, multiplier, bar);
    const int row = errorOfRow(insideSystem(inspector), multiplier, &error);
    solveAgain(inspector, multiplier, bar);
    ck_assert(!differs(inspector, 0, multiplier, bar));

    // a body's motion in the plane of the linkages; across it nothing is determinate
    double *y = insideMotion(inspector), kept = y[2];
    y[2] += 1e-4 * (1 + fabs(kept));
    ck_assert_int_le(stepsUntilFound(inspector, multiplier, bar), inTurn);
    y[2] = kept;
    ck_assert(!differs(inspector, 0, multiplier, bar));

    // a multiplier
    multiplier[row] += error;
    ck_assert_int_le(stepsUntilFound(inspector, multiplier, bar), inTurn);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Motion and multipliers of one step of each machine agree; with an error of any body's motion, or
 * with the same error in the multipliers of both routes, they do not. The gap has the
 * value of its definition. */
START_TEST(gapIsFound)
{
    double multiplier[MOST_ROWS], gauss[MOST_ROWS], bar[MOST_ROWS], acceleration[6 * MOST_ROWS], gap, error;
    Scene *scene = scenes[_i]();
    ksInspector *inspector = inspectJoints(scene->world, 0);
    for (int i = 0; i < 20; i++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        ck_assert_double_ge(report->gap, 0);
        ck_assert_double_le(report->gap, 1e-20 * report->gaussConstraint);
    }
    solveAgain(inspector, multiplier, bar);
    ksSystem *system = insideSystem(inspector);
    CHECK_OK(ksSystemSolveGauss(system, gauss, NULL));
    CHECK_OK(ksSystemSolvePaulus(system, multiplier, acceleration));
    ck_assert(insideCertify(inspector, acceleration, gauss, multiplier, &gap));

    for (int body = 0; 6 * body < ksSystemCoordinateCount(system); body++) {
        const double kept = acceleration[6 * body + 2], moved = 1e-6 * (1 + fabs(kept));
        acceleration[6 * body + 2] += moved;
        ck_assert(!insideCertify(inspector, acceleration, gauss, multiplier, &gap));
        ck_assert_double_ge(gap, 0.1 * moved * moved);  // masses are at least 0.2 kg
        acceleration[6 * body + 2] = kept;
    }
    const int row = errorOfRow(system, multiplier, &error);
    gauss[row] += error;
    multiplier[row] += error;
    ck_assert(!insideCertify(inspector, acceleration, gauss, multiplier, &gap));
    ck_assert_str_eq(ksReasonName(KS_REASON_GAP), "KS_REASON_GAP");
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

START_TEST(asManyAsAsked)
{
    ksInspectorOptions options = defaultOptions();
    ksInspector *inspector;
    options.relaxedPerStep = -1;
    for (int joints = 0; joints < 2; joints++) {
        Scene *scene = looseLoops();
        double multiplier[MOST_ROWS], bar[MOST_ROWS];
        CHECK_STATUS(ksInspectorCreate(scene->world, &options, &inspector), KS_ERROR_BAD_ARGUMENT);
        inspector = inspectJoints(scene->world, joints);
        CHECK_OK(ksInspectorStep(inspector, h));
        const int rows = solveAgain(inspector, multiplier, bar);
        for (int l = 0; l < rows; l++)
            multiplier[l] += 1e6;
        ck_assert_int_eq(differs(inspector, 0, multiplier, bar), joints);
        ksInspectorDestroy(inspector);
        sceneDestroy(scene);
    }
    ck_assert_str_eq(ksReasonName(KS_REASON_RELAXED), "KS_REASON_RELAXED");
}
END_TEST

static void relax(ksInspector *inspector, dJointID joint)
{
    ksRelaxation relaxation[6];
    int count;
    CHECK_OK(ksInspectorRelaxJoint(inspector, joint, 6, relaxation, &count));
}

/* Converged values were not requested. The equations of a mechanism, and the search for its rows at
 * bounds, serve all of its joints, until joints of another mechanism are requested. */
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
    const unsigned long once = insideUses(inspector);
    for (int j = 0; j < scene->jointCount; j++)
        relax(inspector, scene->joint[j]);
    ck_assert_uint_eq(insideUses(inspector), once);
    relax(inspector, other);
    ck_assert_uint_gt(insideUses(inspector), once);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A box that is welded to the world, with a contact whose depth pushes it out: no motion satisfies
 * both. Returns the weld. */
static dJointID addContradiction(dWorldID world)
{
    dWorldSetCFM(world, 0);
    const dBodyID box = dBodyCreate(world);
    const dJointID weld = dJointCreateFixed(world, NULL);
    dJointAttach(weld, box, NULL);
    dJointSetFixed(weld);
    const dContact contact = {.geom = {.normal = {0, 0, 1}, .depth = 0.01}};
    addContact(world, NULL, &contact, box, NULL);
    return weld;
}

static ksInspector *inspectForQueries(dWorldID world)
{
    ksInspectorOptions options = defaultOptions();
    options.values = 0;
    options.contacts = KS_CONTACTS_SOLVED;
    return inspectWith(world, &options);
}

START_TEST(contradictionsAreUnavailable)
{
    const dWorldID world = dWorldCreate();
    const dJointID weld = addContradiction(world);
    const dBodyID box = dJointGetBody(weld, 0);
    ksInspector *inspector = inspectForQueries(world);
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

static void checkUnavailable(ksInspector *inspector, dJointID joint, char message[256])
{
    ksRelaxation relaxation[6];
    int count;
    CHECK_STATUS(ksInspectorRelaxJoint(inspector, joint, 6, relaxation, &count), KS_ERROR_UNAVAILABLE);
    snprintf(message, 256, "%s", ksErrorMessage());
}

/* A result that could not be found is not searched for again in this step, even if other islands
 * have been requested since: the number of uses of the system shows it. The answer is the same, and
 * so is its message. */
START_TEST(failuresAreRemembered)
{
    enum { ISLANDS = 2 };
    const dWorldID world = dWorldCreate();
    dJointID weld[ISLANDS];
    for (int i = 0; i < ISLANDS; i++)
        weld[i] = addContradiction(world);
    ksInspector *inspector = inspectForQueries(world);
    char first[ISLANDS][256], again[256];
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    for (int i = 0; i < ISLANDS; i++) {
        const unsigned long before = insideUses(inspector);
        checkUnavailable(inspector, weld[i], first[i]);
        ck_assert_uint_gt(insideUses(inspector), before);
    }
    const unsigned long once = insideUses(inspector);
    for (int i = 0; i < 2 * ISLANDS; i++) {
        checkUnavailable(inspector, weld[i % ISLANDS], again);
        ck_assert_str_eq(again, first[i % ISLANDS]);
    }
    ck_assert_uint_eq(insideUses(inspector), once);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    const unsigned long stepped = insideUses(inspector);
    checkUnavailable(inspector, weld[0], again);
    ck_assert_uint_gt(insideUses(inspector), stepped);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *check = tcase_create("check");
    tcase_add_loop_test(check, agrees, 0, 4 * SCENES);
    tcase_add_loop_test(check, agreesAtBounds, 0, 2);
    tcase_add_loop_test(check, errorsAreFound, 0, 2 * LOOPS);
    tcase_add_loop_test(check, gapIsFound, 0, SCENES - 1);
    tcase_add_test(check, asManyAsAsked);
    tcase_add_loop_test(check, equationsAreSetUpOnce, 0, 3);
    tcase_add_test(check, contradictionsAreUnavailable);
    tcase_add_test(check, failuresAreRemembered);
    return runCase("relaxed_check", check);
}
