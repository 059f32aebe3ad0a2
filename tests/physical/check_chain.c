/* check_chain.c  Hinged links: the reports of both steppers, the solution of their equations, and
 * the physical forces. */
#include "tests/kits/support.h"

enum { links = 10, steps = 1000 };
static const double h = 0.001;

/* conditioning of ten links: cond(A + S) is 1e3, so the stepper and both routes lose three digits
 * and a few units */
static const double exactTolerance = 1e-9;
/* two worlds, the second with the state of the first: rounding of poses, in the same equations */
static const double twinTolerance = 1e-8;

static double largestMultiplier(const ksReaction *reaction, size_t count)
{
    double largest = 0;
    for (size_t j = 0; j < count; j++) {
        for (int l = 0; l < reaction[j].rowCount; l++)
            largest = fmax(largest, fabs(reaction[j].row[l].paulus));
    }
    return largest;
}

/* largest difference of two multipliers of the same row, relative to the largest multiplier of all
 * rows */
static double rowDifference(const ksReaction *reaction, size_t count, size_t first, size_t second)
{
    double difference = 0;
    for (size_t j = 0; j < count; j++) {
        for (int l = 0; l < reaction[j].rowCount; l++) {
            const char *row = (const char *)&reaction[j].row[l];
            double a, b;
            memcpy(&a, row + first, sizeof a);
            memcpy(&b, row + second, sizeof b);
            ck_assert(isfinite(a) && isfinite(b));
            difference = fmax(difference, fabs(a - b));
        }
    }
    return difference / largestMultiplier(reaction, count);
}

START_TEST(direct_stepper_is_valid)
{
    Scene *scene = sceneChain(links, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    double engine = 0, routes = 0, momentum = 0;
    for (int i = 0; i < steps; i++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        size_t count;
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        ck_assert_uint_eq(count, links);
        ck_assert_uint_eq(report->verdictCount[KS_VALID], links);
        ck_assert_uint_eq(report->rank, 5 * links);
        ck_assert_uint_eq(report->rowCount, 5 * links);
        engine = fmax(engine, rowDifference(reaction, count, offsetof(ksRow, engine), offsetof(ksRow, paulus)));
        routes = fmax(routes, rowDifference(reaction, count, offsetof(ksRow, gauss), offsetof(ksRow, paulus)));
        momentum = fmax(momentum, report->momentumResidual);
    }
    ck_assert_double_lt(engine, exactTolerance);
    ck_assert_double_lt(routes, exactTolerance);
    ck_assert_double_lt(momentum, exactTolerance);
    printf("chain, dWorldStep: engine-converged %.1e, gauss-paulus %.1e, momentum %.1e\n", engine, routes, momentum);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Light links between heavy ones cost the range-space route digits unless it is refined. The routes
 * differ by at most a few times the rounding of the null-space route, which is all that the bar
 * then contains. */
START_TEST(routes_differ_by_rounding)
{
    Scene *scene = sceneChain(6 * links, SCENE_FALLING);
    for (int i = 0; i < 6 * links; i += 2) {
        dMass mass;
        dBodyGetMass(scene->body[i], &mass);
        dMassAdjust(&mass, 1e6);
        dBodySetMass(scene->body[i], &mass);
    }
    ksInspector *inspector = inspect(scene->world);
    size_t count;
    for (int i = 0; i < steps / 10; i++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        for (size_t j = 0; j < count; j++) {
            for (int l = 0; l < reaction[j].rowCount; l++) {
                const ksRow *row = &reaction[j].row[l];
                const double apart = fabs(row->gauss - row->paulus);
                ck_assert_double_le(apart, 10.001 * (row->errorBar - apart));
            }
        }
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

typedef struct Feedback {
    Scene *scene;
    dJointFeedback joint[links];
} Feedback;

static void listen(Feedback *feedback)
{
    for (int i = 0; i < links; i++)
        dJointSetFeedback(feedback->scene->joint[i], &feedback->joint[i]);
}

/* converged forces against the direct stepper's reports in the twin world, relative to the
 * largest */
static double twinDifference(const ksInspector *inspector, const Scene *scene, const Feedback *twin)
{
    double difference = 0, largest = 0;
    for (int i = 0; i < links; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[i]);
        difference = fmax(difference, distance3(reaction->converged[0].force, twin->joint[i].f1));
        difference = fmax(difference, distance3(reaction->converged[0].torque, twin->joint[i].t1));
        largest = fmax(largest, length3(twin->joint[i].f1));
    }
    return difference / largest;
}

START_TEST(quick_stepper_is_found_out)
{
    Scene *scene = sceneChain(links, SCENE_FALLING);
    Feedback twin = {.scene = sceneChain(links, SCENE_FALLING)};
    listen(&twin);
    dWorldSetQuickStepNumIterations(scene->world, 20);
    ksInspector *inspector = inspect(scene->world);
    double converged = 0, momentum = 0, least = INFINITY;
    for (int i = 0; i < steps; i++) {
        sceneCopyState(twin.scene, scene);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        ck_assert(dWorldStep(twin.scene->world, h));
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        converged = fmax(converged, twinDifference(inspector, scene, &twin));
        momentum = fmax(momentum, report->momentumResidual);
        if (i < 50)
            continue;
        least = fmin(least, report->worstError);
        const ksReaction *worst = ksInspectorGetReaction(inspector, report->worstJoint);
        ck_assert_str_eq(ksVerdictName(worst->verdict), "KS_SOLVER_ERROR");
    }
    ck_assert_double_lt(converged, twinTolerance);
    ck_assert_double_lt(momentum, exactTolerance);
    ck_assert_double_gt(least, 0.1);
    printf("chain, QuickStep(20): converged-twin %.1e, momentum %.1e, worst joint off by %.0f %% or more\n", converged,
           momentum, 100 * least);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    sceneDestroy(twin.scene);
}
END_TEST

/* Hanging at rest: QuickStep leaves gaps that grow until error correction carries the weight. The
 * physical reaction is the weight; the step equations, solved exactly, would close the gap at
 * once. */
static void hang(int count, int settling, double *physical, double *converged)
{
    Scene *scene = sceneChain(count, SCENE_HANGING);
    dWorldSetQuickStepNumIterations(scene->world, 20);
    for (int i = 0; i < settling; i++)
        ck_assert(dWorldQuickStep(scene->world, 0.01));
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 2; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, 0.01));
    const ksReaction *top = ksInspectorGetReaction(inspector, scene->joint[0]);
    *physical = top->physical[0].force[2];
    *converged = top->converged[0].force[2];
    printf("hanging %d links: engine %.2f N, converged %.2f N, physical %.3f N\n", count, top->engine[0].force[2],
           *converged, *physical);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}

START_TEST(weight_is_physical_at_rest)
{
    static const struct {
        int count, settling;
    } cases[] = {{10, 1500}, {50, 6000}};
    double physical, converged, weight = cases[_i].count * SCENE_GRAVITY;
    hang(cases[_i].count, cases[_i].settling, &physical, &converged);
    ck_assert_double_eq_tol(physical, weight, 1e-3 * weight); /* accuracy: the remaining motion */
    ck_assert_double_gt(converged, 1.5 * weight);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("chain");
    tcase_add_test(test, direct_stepper_is_valid);
    tcase_add_test(test, routes_differ_by_rounding);
    tcase_add_test(test, quick_stepper_is_found_out);
    tcase_add_loop_test(test, weight_is_physical_at_rest, 0, 2);
    return runCase("chain", test);
}
