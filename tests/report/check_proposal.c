/* check_proposal.c  Limits that are proposed from a run, against loads in closed form. */
#include "tests/kits/report/report_kit.h"

#include "plugin/report/document/proposal.h"

/* quantiles come from bins 1 % wide, whose middles are within half of that; rounding: of converged
 * values */
static const double binWidth = 0.005, rounding = 1e-9;
static const double factor = 3, mass = 2, arm = 0.5, weight = 2 * SCENE_GRAVITY;

static dWorldID world;
static ksInspector *inspector;
static ksReport *report;
static dBodyID body;

static void setup(void)
{
    world = heavyWorld();
    body = addBall(world, mass, 0.1, arm, 0);
    inspector = inspect(world);
    report = watching(inspector, NULL);
}

static void teardown(void)
{
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}

/* A hinge about x through the origin: it holds the body's weight half a metre away. */
static dJointID addHinge(double y)
{
    dJointID hinge = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, body, NULL);
    dJointSetHingeAnchor(hinge, 0, y, 0);
    dJointSetHingeAxis(hinge, 1, 0, 0);
    return hinge;
}

static dJointID addBallJoint(double x)
{
    dJointID joint = dJointCreateBall(world, NULL);
    dJointAttach(joint, body, NULL);
    dJointSetBallAnchor(joint, x, 0, 0);
    return joint;
}

static void run(int steps)
{
    for (int i = 0; i < steps; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
}

static ksThreshold propose(const char *joints, double percentile)
{
    ksThreshold limits;
    ksThresholdInit(&limits);
    CHECK_OK(ksLimitsFromRun(report, joints, percentile, factor, &limits));
    return limits;
}

static void expectNear(double value, double expected, double tolerance)
{
    ck_assert_double_eq_tol(value, expected, tolerance * expected);
}

/* A cantilever at rest: m g, and m g L about the anchor, in each step. */
START_TEST(weight_at_rest)
{
    CHECK_OK(ksInspectorSetName(inspector, addHinge(0), "shoulder"));
    run(50);
    const ksThreshold all = propose(NULL, 100), most = propose("shoulder", 99.9);
    expectNear(all.forceMagnitude, factor * weight, rounding);
    expectNear(all.torqueMagnitude, factor * weight * arm, rounding);
    expectNear(most.forceMagnitude, factor * weight, binWidth);
    expectNear(most.torqueMagnitude, factor * weight * arm, binWidth);
    // other members do not change
    ck_assert_double_eq(most.force[2], INFINITY);
    ck_assert_int_eq(most.value, KS_SHARED);
}
END_TEST

/* A joint at the mass centre bears 1, 2, ... 1000 N, so every percentile is known. It bears no
 * torque. */
START_TEST(rising_load)
{
    static const double percentile[] = {0.1, 50, 99.9, 100}, expected[] = {1, 500, 999, 1000};
    dWorldSetGravity(world, 0, 0, 0);
    addBallJoint(arm);
    for (int i = 1; i <= 1000; i++) {
        dBodyAddForce(body, 0, 0, -i);
        run(1);
    }
    for (int i = 0; i < 4; i++) {
        const ksThreshold limits = propose("ball 1:*", percentile[i]);
        expectNear(limits.forceMagnitude, factor * expected[i], i == 3 ? rounding : binWidth);
        ck_assert_double_eq(limits.torqueMagnitude, INFINITY);
    }
}
END_TEST

/* A pendulum that is released from the horizontal: 3 m g at the bottom. The error of the step is of
 * first order in h. */
START_TEST(pendulum)
{
    static const double discretisation = 10 * 0.001; /* h / (1 s): it falls for a third of a second */
    addBallJoint(0);
    run(800);
    const ksThreshold limits = propose(NULL, 100);
    // the ball rotates with the rod: m (r^2 + 2/5 R^2) instead of m r^2
    const double turning = 1 + 0.4 * 0.1 * 0.1 / (arm * arm);
    expectNear(limits.forceMagnitude, factor * weight * (1 + 2 / turning), discretisation);
    ck_assert_double_eq(limits.torqueMagnitude, INFINITY);
}
END_TEST

static void countCalls(const ksThresholdEvent *event, void *user)
{
    (void)event;
    ++*(int *)user;
}

/* The limits are not reached in the same run, and are reached by four times the load. */
START_TEST(limits_are_good_for_thresholds)
{
    dJointID hinge = addHinge(0);
    int calls = 0;
    run(20);
    ksThreshold limits = propose(NULL, 100);
    CHECK_OK(ksInspectorOnThreshold(inspector, hinge, &limits, countCalls, &calls));
    run(20);
    ck_assert_int_eq(calls, 0);
    dBodyAddForce(body, 0, 0, -3.1 * weight);
    run(1);
    ck_assert_int_eq(calls, 2);
}
END_TEST

/* The builder decides how two hinges share the weight: the shares of elastic hinges count. A third
 * joint, on another body, does not matter. */
START_TEST(shared_loads)
{
    dBodyID other = addBall(world, 2 * mass, 0.1, 5, 0);
    dJointID joint = dJointCreateBall(world, NULL);
    dJointAttach(joint, other, NULL);
    dJointSetBallAnchor(joint, 5, 0, 0);
    const dJointID hinge[] = {addHinge(0.5), addHinge(-0.5)};
    run(20);
    double force = 0;
    for (int i = 0; i < 2; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, hinge[i]);
        ck_assert(reaction->reasons & KS_REASON_SHARED);
        force = fmax(force, length3(reaction->shared[0].force));
    }
    const ksThreshold shared = propose("hinge*", 99.9), single = propose("ball*", 100), all = propose(NULL, 100);
    ck_assert_double_ge(force, weight / 2);
    expectNear(shared.forceMagnitude, factor * force, binWidth);
    expectNear(single.forceMagnitude, factor * 2 * weight, rounding);
    expectNear(all.forceMagnitude, factor * fmax(2 * weight, force), binWidth);
}
END_TEST

/* The largest load of the joints in several worlds counts. */
START_TEST(largest_of_all)
{
    dWorldID second = heavyWorld();
    dBodyID heavy = addBall(second, 3 * mass, 0.1, 0, 0);
    dJointID joint = dJointCreateBall(second, NULL);
    dJointAttach(joint, heavy, NULL);
    dJointSetBallAnchor(joint, 0, 0, 0);
    ksInspector *other = inspect(second);
    CHECK_OK(ksReportWatch(report, other, NULL));
    addHinge(0);
    run(10);
    for (int i = 0; i < 10; i++)
        CHECK_OK(ksInspectorStep(other, h));
    const ksThreshold limits = propose(NULL, 100);
    expectNear(limits.forceMagnitude, factor * 3 * weight, rounding);
    expectNear(limits.torqueMagnitude, factor * weight * arm, rounding);
    ksInspectorDestroy(other);
    dWorldDestroy(second);
}
END_TEST

START_TEST(errors)
{
    ksThreshold limits, before;
    ksThresholdInit(&limits);
    before = limits;
    // no step was made; no joint has that name
    CHECK_STATUS(ksLimitsFromRun(report, NULL, 99.9, 3, &limits), KS_ERROR_UNAVAILABLE);
    dJointID hinge = addHinge(0);
    dJointDisable(hinge);
    run(3);
    CHECK_STATUS(ksLimitsFromRun(report, NULL, 99.9, 3, &limits), KS_ERROR_UNAVAILABLE);
    dJointEnable(hinge);
    run(3);
    CHECK_STATUS(ksLimitsFromRun(report, "elbow", 99.9, 3, &limits), KS_ERROR_UNAVAILABLE);
    CHECK_STATUS(ksLimitsFromRun(NULL, NULL, 99.9, 3, &limits), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksLimitsFromRun(report, NULL, 99.9, 3, NULL), KS_ERROR_BAD_ARGUMENT);
    static const double bad[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        CHECK_STATUS(ksLimitsFromRun(report, NULL, 99.9, bad[i], &limits), KS_ERROR_BAD_ARGUMENT);
        CHECK_STATUS(ksLimitsFromRun(report, NULL, bad[i], 3, &limits), KS_ERROR_BAD_ARGUMENT);
    }
    CHECK_STATUS(ksLimitsFromRun(report, NULL, 100.1, 3, &limits), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "ksLimitsFromRun: percentile is 100.1, must be in (0, 100]"));
    ck_assert(!memcmp(&limits, &before, sizeof limits));
    limits.size--;
    CHECK_STATUS(ksLimitsFromRun(report, NULL, 99.9, 3, &limits), KS_ERROR_BAD_ARGUMENT);
    limits.size++;
    limits.body = 1;
    CHECK_STATUS(ksLimitsFromRun(report, NULL, 99.9, 3, &limits), KS_ERROR_BAD_ARGUMENT);
    limits.body = 0;
    limits.point = KS_POINT_MASS_CENTRE;
    CHECK_STATUS(ksLimitsFromRun(report, NULL, 99.9, 3, &limits), KS_ERROR_BAD_ARGUMENT);
}
END_TEST

/* The same limits in a table and in JSON, if requested. */
START_TEST(documents)
{
    addHinge(0);
    run(10);
    char *text = textOf(report, KS_REPORT_TEXT);
    json_t *document = jsonOf(report);
    ck_assert_ptr_null(strstr(text, "proposed"));
    ck_assert_ptr_null(json_object_get(document, "proposal"));
    json_decref(document);
    free(text);
    ksiReportPropose(report, factor);
    const ksThreshold limits = propose(NULL, 99.9);
    char line[100];
    snprintf(line, sizeof line, "hinge 1: body 1 \xe2\x80\x93 world%7s | %11.4g %11.4g\n", "", limits.forceMagnitude,
             limits.torqueMagnitude);
    text = textOf(report, KS_REPORT_TEXT);
    ck_assert_ptr_nonnull(strstr(text, "Limits proposed: 3 times the physical load that 99.9 % of the steps"));
    ck_assert_msg(strstr(text, line) != NULL, "%s%s", line, text);
    free(text);
    document = jsonOf(report);
    json_t *proposal = json_object_get(document, "proposal");
    json_t *joint = json_array_get(json_object_get(proposal, "joints"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(proposal, "joints")), 1);
    ck_assert_str_eq(json_string_value(json_object_get(joint, "world")), "world 1");
    // nine digits
    expectNear(json_number_value(json_object_get(joint, "force")), limits.forceMagnitude, 1e-8);
    expectNear(json_number_value(json_object_get(joint, "torque")), limits.torqueMagnitude, 1e-8);
    json_decref(document);
}
END_TEST

/* A world without a value has no limit; names of worlds appear if there are several. */
START_TEST(documents_of_several_worlds)
{
    addHinge(0.5);
    addHinge(-0.5);
    run(10);
    for (int i = 0; i < KSI_SIZES; i++)
        for (size_t k = 0; k < 2; k++) {
            ksiJointStats *joint = report->world[0]->joint[k];
            ksiHistogramFree(&report->allocator, &joint->load[i][KSI_OF_ELASTIC]);
        }
    size_t empty;
    CHECK_OK(ksiReportAddWorld(report, "empty", &empty));
    ksiReportPropose(report, factor);
    char *text = textOf(report, KS_REPORT_TEXT_ALL);
    ck_assert_ptr_nonnull(strstr(text, "torque, N.m\n  world 1\n    hinge 1: body 1"));
    ck_assert_ptr_nonnull(strstr(text, "|           -           -\n    hinge 2: body 1"));
    free(text);
    json_t *document = jsonOf(report);
    json_t *joint = json_array_get(json_object_get(json_object_get(document, "proposal"), "joints"), 1);
    ck_assert(json_is_null(json_object_get(joint, "force")) && json_is_null(json_object_get(joint, "torque")));
    json_decref(document);
}
END_TEST

/* Without physical values the load is unknown. */
START_TEST(unknown_loads_have_no_limit)
{
    ksInspectorOptions options = defaultOptions();
    options.values = KS_COMPUTE_CONVERGED;
    ksInspectorDestroy(inspector);
    ksReportDestroy(report);
    inspector = inspectWith(world, &options);
    report = watching(inspector, NULL);
    addHinge(0);
    run(3);
    const ksThreshold limits = propose(NULL, 99.9);
    ck_assert_double_eq(limits.forceMagnitude, INFINITY);
    ck_assert_double_eq(limits.torqueMagnitude, INFINITY);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("proposal");
    tcase_add_checked_fixture(test, setup, teardown);
    tcase_add_test(test, weight_at_rest);
    tcase_add_test(test, rising_load);
    tcase_add_test(test, pendulum);
    tcase_add_test(test, limits_are_good_for_thresholds);
    tcase_add_test(test, shared_loads);
    tcase_add_test(test, largest_of_all);
    tcase_add_test(test, errors);
    tcase_add_test(test, unknown_loads_have_no_limit);
    tcase_add_test(test, documents);
    tcase_add_test(test, documents_of_several_worlds);
    return runCase("proposal", test);
}
