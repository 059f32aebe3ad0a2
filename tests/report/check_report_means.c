/* check_report_means.c  The largest mean loads of joints in reports, limits of them, and a motion
 * that departs from the mechanism, against momentum and contacts that the test sums itself. */
#include "tests/kits/report/runs_kit.h"

#include "plugin/report/findings/compare.h"
#include "plugin/report/findings/loads.h"

#include <math.h>

enum { LINKS = 6, STEPS = 300, SHORT = 20 };
static const double longStep = 0.005, window = 0.15;

/* of sums of a chain's momenta, relative to the force of one step; and of numbers with nine digits
 * in documents */
static const double roundingOfMomentum = 1e-9, digits = 1e-8;

/* --- A chain --- */

/* The momentum of all links, less the impulse of their weight: only the top joint changes it. */
typedef struct Momentum {
    double at[STEPS + 1][3];
} Momentum;

static void note(const Scene *scene, int step, Momentum *momentum)
{
    double *sum = momentum->at[step];
    for (int k = 0; k < 3; k++)
        sum[k] = 0;
    for (int i = 0; i < scene->bodyCount; i++) {
        dMass mass;
        dVector3 gravity;
        dBodyGetMass(scene->body[i], &mass);
        dWorldGetGravity(scene->world, gravity);
        for (int k = 0; k < 3; k++)
            sum[k] += mass.mass * (dBodyGetLinearVel(scene->body[i])[k] - gravity[k] * step * longStep);
    }
}

/* The mean over the window of this length that ends with this step. */
static double forceOver(const Momentum *momentum, int last, double time)
{
    const int count = (int)lround(time / longStep);
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += pow((momentum->at[last + 1][k] - momentum->at[last + 1 - count][k]) / time, 2);
    return sqrt(sum);
}

typedef struct Swing {
    Scene *scene;
    ksInspector *inspector;
    ksReport *report;
    double largest, time; /* N, s: largest mean of the top joint, over full windows */
} Swing;

static Swing swing(int iterations, int steps)
{
    Swing made = {.scene = sceneChain(LINKS, SCENE_FALLING)};
    Momentum momentum;
    made.inspector = inspect(made.scene->world);
    made.report = watching(made.inspector, NULL);
    CHECK_OK(ksInspectorSetName(made.inspector, made.scene->joint[0], "top"));
    dWorldSetQuickStepNumIterations(made.scene->world, iterations);
    dRandSetSeed(1);
    note(made.scene, 0, &momentum);
    for (int i = 0; i < steps; i++) {
        CHECK_OK(ksInspectorQuickStep(made.inspector, longStep));
        note(made.scene, i + 1, &momentum);
        const double time = ksInspectorGetReaction(made.inspector, made.scene->joint[0])->meanTime;
        const double force = forceOver(&momentum, i, time);
        if (time < window * (1 - roundingOfMomentum) || force <= made.largest)
            continue;
        made.largest = force;
        made.time = i * longStep;
    }
    return made;
}

static void endSwing(Swing *swung)
{
    ksReportDestroy(swung->report);
    ksInspectorDestroy(swung->inspector);
    sceneDestroy(swung->scene);
}

static json_t *named(json_t *document, const char *name)
{
    size_t i;
    json_t *joint, *found = NULL;
    json_array_foreach(json_object_get(worldOf(document, 0), "joints"), i,
                       joint) if (strcmp(json_string_value(json_object_get(joint, "name")), name) == 0) found = joint;
    ck_assert_ptr_nonnull(found);
    return found;
}

START_TEST(the_largest_mean_is_that_of_momentum)
{
    Swing swung = swing(_i ? 200 : 5, STEPS);
    json_t *document = jsonOf(swung.report), *joint = named(document, "top");
    json_t *largest = json_object_get(joint, "peakMean");
    const double force = numberAt(largest, "force", "value"), bar = numberAt(largest, "force", "bar");
    ck_assert_double_eq_tol(force, swung.largest, digits * swung.largest);
    ck_assert_double_le(bar, roundingOfMomentum * swung.largest);
    ck_assert_double_eq_tol(numberAt(largest, "force", "time"), swung.time, roundingOfMomentum);
    ck_assert_double_eq(json_number_value(json_object_get(worldOf(document, 0), "meanWindow")), window);
    json_t *sizes = json_object_get(json_object_get(joint, "force"), "mean");
    ck_assert_double_eq(json_number_value(json_object_get(sizes, "largest")), force);
    json_decref(document);
    endSwing(&swung);
}
END_TEST

/* --- Limits --- */

static size_t countOf(ksReport *report, double most, double mean, ksiCaseOutcome outcome, const char *words)
{
    const ksiMostLoad load = {"top", most, KSI_FORCE};
    size_t count[KSI_OUTCOMES];
    ksiReportLimitLoads(report, &load, 1, mean);
    countCases(report, count);
    char *text = textOf(report, KS_REPORT_TEXT);
    ck_assert_msg(strstr(text, words) != NULL, "no \"%s\" in %s", words, text);
    free(text);
    ksiReportLimitLoads(report, NULL, 0, 0);
    return count[outcome];
}

START_TEST(limits_are_of_the_mean)
{
    static const double close = 1e-6;
    Swing swung = swing(5, STEPS), brief = swing(5, SHORT);
    ksReport *report = swung.report;
    const double below = swung.largest * (1 - close), above = swung.largest * (1 + close);
    ck_assert_uint_eq(countOf(report, below, window, KSI_FAILS, "in the mean up to step"), 1);
    ck_assert_uint_eq(countOf(report, above, window, KSI_PASSES, "in the mean over 0.15 s: 0 are beyond"), 1);
    // but single steps exceed it, by the engine's noise or by their bars
    ck_assert_uint_eq(countOf(report, above, 0, KSI_PASSES, "Largest physical loads: "), 0);
    ck_assert_uint_eq(countOf(report, above, 0.3, KSI_UNTOLD, "means are over 0.15 s: judge the recording with"), 1);
    ck_assert_uint_eq(countOf(brief.report, 1e6, window, KSI_UNTOLD, "its steps never filled a window"), 1);
    // also against another report
    ksiReportLimitLoads(report, NULL, 0, window);
    size_t count[KSI_OUTCOMES];
    ksiReportCompare(report, report, 0.05, false);
    countCases(report, count);
    ck_assert_uint_eq(count[KSI_PASSES], LINKS);
    ksiReportLimitLoads(report, NULL, 0, 0.3);
    countCases(report, count);
    ck_assert_uint_eq(count[KSI_UNTOLD], LINKS);
    ksiReportCompare(report, NULL, 0, false);
    endSwing(&swung);
    endSwing(&brief);
}
END_TEST

/* The builder decides how a door's two hinges share its weight: no limit on a hinge certainly
 * holds. */
START_TEST(what_is_not_unique_is_told)
{
    dMatrix3 upright;
    dRSetIdentity(upright);
    Scene *scene = sceneHeldTwice(SCENE_DOOR, upright);
    ksInspector *inspector = inspect(scene->world);
    ksReport *report = watching(inspector, NULL);
    for (int i = 0; i < 2; i++)
        CHECK_OK(ksInspectorSetName(inspector, scene->joint[i], "top"));
    for (int i = 0; i < STEPS; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, longStep));
    ck_assert_uint_eq(countOf(report, 1e6, window, KSI_UNTOLD, "not known, or not unique, in "), 2);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Parts of one run that were judged with different windows do not make a run. */
START_TEST(windows_are_not_mixed)
{
    ksReport *part[2], *whole = newReport(NULL);
    for (int k = 0; k < 2; k++) {
        ksiRun run = runOf("a.h5");
        run.shards = 2;
        run.shard[0] = UINT64_C(1) << k;
        part[k] = newReport(NULL);
        addRun(part[k], run, 0.01, 100);
        part[k]->world[0]->meanWindow = 0.15 * (k + 1);
    }
    CHECK_OK(ksiReportMerge(whole, part[0]));
    CHECK_STATUS(ksiReportMerge(whole, part[1]), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "--mean 0.3, and another part of the same run with --mean 0.15"));
    for (int k = 0; k < 2; k++)
        ksReportDestroy(part[k]);
    ksReportDestroy(whole);
}
END_TEST

/* --- A motion that departs --- */

static int touching; /* contacts of the foot, in this step */

typedef struct Leg {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID foot;
} Leg;

static void collide(void *user, dGeomID a, dGeomID b)
{
    const Leg *leg = user;
    dContact contact[4];
    const int count = dCollide(a, b, 4, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < count; i++) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = 1;
        dJointAttach(dJointCreateContact(leg->world, leg->contacts, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
    touching |= count > 0;
}

static dBodyID addSegment(const Leg *leg, double mass, double z, double height)
{
    dMass all;
    const dBodyID body = dBodyCreate(leg->world);
    dMassSetBoxTotal(&all, mass, 0.2, 0.2, height);
    dBodySetMass(body, &all);
    dBodySetPosition(body, 0, 0, z);
    return body;
}

static void weld(const Leg *leg, dBodyID a, dBodyID b)
{
    const dJointID joint = dJointCreateFixed(leg->world, NULL);
    dJointAttach(joint, a, b);
    dJointSetFixed(joint);
}

/* 60 kg on light links that stand on a foot, released above the ground. Beside it is a beam on a
 * light sensor in a wall. Sweeps shake the beam, and the sensor's mean force contains the shaking. */
static Leg makeLeg(void)
{
    enum { SEGMENTS = 4 };
    static const double height = 0.1, above = 0.1;
    Leg leg = {.world = dWorldCreate(), .space = dHashSpaceCreate(NULL), .contacts = dJointGroupCreate(0)};
    dWorldSetGravity(leg.world, 0, 0, -SCENE_GRAVITY);
    dCreatePlane(leg.space, 0, 0, 1, 0);
    dBodyID last = leg.foot = addSegment(&leg, 0.5, above + height / 2, height);
    const dGeomID sole = dCreateBox(leg.space, 0.2, 0.2, height);
    dGeomSetBody(sole, leg.foot);
    for (int i = 1; i <= SEGMENTS; i++) {
        const dBodyID next = addSegment(&leg, i < SEGMENTS ? 0.5 : 60, above + (i + 0.5) * height, height);
        weld(&leg, next, last);
        last = next;
    }
    const dBodyID sensor = addSegment(&leg, 0.05, 5, height), beam = addSegment(&leg, 3, 5, height);
    dBodySetPosition(beam, 0.5, 0, 5);
    weld(&leg, sensor, NULL);
    weld(&leg, beam, sensor);
    return leg;
}

START_TEST(a_motion_that_departs_is_told)
{
    const bool isQuick = _i == 0;
    Leg leg = makeLeg();
    ksInspector *inspector = inspect(leg.world);
    ksReport *report = watching(inspector, NULL);
    int count = 0;
    dWorldSetQuickStepNumIterations(leg.world, 10);
    dRandSetSeed(1);
    for (int i = 0; i < STEPS; i++) {
        touching = 0;
        dSpaceCollide(leg.space, &leg, collide);
        count += touching;
        CHECK_OK((isQuick ? ksInspectorQuickStep : ksInspectorStep)(inspector, longStep));
        dJointGroupEmpty(leg.contacts);
    }
    ck_assert_int_gt(count, STEPS / 4);
    ck_assert_int_lt(count, STEPS);
    json_t *document = jsonOf(report);
    json_t *bodies = json_object_get(json_object_get(worldOf(document, 0), "contacts"), "bodies");
    ck_assert_uint_eq(json_array_size(bodies), 1);
    ck_assert_int_eq(countAt(json_array_get(bodies, 0), "body"), 1);
    ck_assert_int_eq(countAt(json_array_get(bodies, 0), "steps"), count);
    json_decref(document);
    char words[80], share[80], *text = textOf(report, KS_REPORT_TEXT_ALL);
    snprintf(words, sizeof words, "The simulated motion may depart from the mechanism");
    ck_assert_msg((strstr(text, words) != NULL) == isQuick, "%s", text);
    snprintf(share, sizeof share, "In contact: body 1 in %.2g %% of the steps.\n", 100.0 * count / STEPS);
    ck_assert_msg(strstr(text, share) != NULL, "no %s in %s", share, text);
    free(text);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    dJointGroupDestroy(leg.contacts);
    dSpaceDestroy(leg.space);
    dWorldDestroy(leg.world);
}
END_TEST

/* The 95th percentile; sorts the values. */
static double oftenBelow(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, ascending);
    return value[(int)(0.95 * (count - 1))];
}

/* Two equal boxes, welded and dropped: the weld holds them together, however much their contacts
 * shake. */
START_TEST(joints_over_a_foot_that_hops)
{
    static const double side = 0.1, bins = 0.03; /* bins: of histograms, and of a share with two digits */
    static const char *const words = "Given these contacts, the motion departs from the mechanism by up to ";
    Leg leg = {.world = dWorldCreate(), .space = dHashSpaceCreate(NULL), .contacts = dJointGroupCreate(0)};
    dWorldSetGravity(leg.world, 0, 0, -SCENE_GRAVITY);
    dCreatePlane(leg.space, 0, 0, 1, 0);
    leg.foot = addSegment(&leg, 1, side, side);
    dGeomSetBody(dCreateBox(leg.space, 2 * side, 2 * side, side), leg.foot);
    const dBodyID top = addSegment(&leg, 1, 2 * side, side);
    const dJointID joint = dJointCreateFixed(leg.world, NULL);
    dJointAttach(joint, top, leg.foot);
    dJointSetFixed(joint);
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.estimateSweeps = 40;
    ksInspector *inspector;
    CHECK_OK(ksInspectorCreate(leg.world, &options, &inspector));
    ksReportOptions strict;
    ksReportOptionsInit(&strict);
    strict.limit.above = 5e-4; /* the joint departs by more than this */
    ksReport *report = watching(inspector, NULL), *both = watching(inspector, &strict);
    double departure[STEPS], mean[STEPS];
    int count = 0, away = 0;
    dWorldSetQuickStepNumIterations(leg.world, 10);
    dRandSetSeed(1);
    for (int i = 0; i < STEPS; i++) {
        dSpaceCollide(leg.space, &leg, collide);
        away += dBodyGetNumJoints(leg.foot) == 1;
        CHECK_OK(ksInspectorQuickStep(inspector, longStep));
        dJointGroupEmpty(leg.contacts);
        const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
        if (reaction->meanTime < ksInspectorGetOptions(inspector)->meanWindow * (1 - 1e-9))
            continue;
        departure[count] = length3(reaction->departure.force);
        mean[count++] = length3(reaction->mean[0].force);
    }
    const double share = oftenBelow(departure, count) / oftenBelow(mean, count);
    json_t *document = jsonOf(report), *advice = json_object_get(worldOf(document, 0), "advice");
    static const char *const hops = "Without contact: body 1 in ", *const cure =
                                                                       "In exact steps (ksInspectorExactStep)";
    double told = NAN, alone = NAN;
    bool isCured = false;
    for (size_t i = 0; i < json_array_size(advice); i++) {
        const char *text = json_string_value(json_array_get(advice, i)), *part = strstr(text, words);
        ck_assert_ptr_null(strstr(text, "may depart from the mechanism"));
        told = part ? strtod(part + strlen(words), NULL) / 100 : told;
        const char *without = strstr(text, hops);
        alone = without ? strtod(without + strlen(hops), NULL) / 100 : alone;
        isCured |= strstr(text, cure) != NULL;
    }
    ck_assert(isCured);
    ck_assert_msg(fabs(alone - (double)away / STEPS) <= bins * away / STEPS, "%g without contact, is %d of %d", alone,
                  away, STEPS);
    ck_assert_msg(fabs(told - share) <= bins * share, "told %g, is %g", told, share);
    json_decref(document);
    // beside a departing motion, too, hops are reported once
    int departing = 0, hopping = 0;
    document = jsonOf(both);
    advice = json_object_get(worldOf(document, 0), "advice");
    for (size_t i = 0; i < json_array_size(advice); i++) {
        const char *text = json_string_value(json_array_get(advice, i));
        departing += strstr(text, "may depart from the mechanism") != NULL;
        hopping += strstr(text, hops) != NULL;
    }
    ck_assert_int_eq(departing, 1);
    ck_assert_int_eq(hopping, 1);
    json_decref(document);
    ksReportDestroy(both);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    dJointGroupDestroy(leg.contacts);
    dSpaceDestroy(leg.space);
    dWorldDestroy(leg.world);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("means");
    tcase_add_loop_test(test, the_largest_mean_is_that_of_momentum, 0, 2);
    tcase_add_test(test, limits_are_of_the_mean);
    tcase_add_test(test, what_is_not_unique_is_told);
    tcase_add_test(test, windows_are_not_mixed);
    tcase_add_loop_test(test, a_motion_that_departs_is_told, 0, 2);
    tcase_add_test(test, joints_over_a_foot_that_hops);
    return runCase("report_means", test);
}
