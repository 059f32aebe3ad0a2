/* check_deferred_files.c  Reports and traces are the same from deferred inspection and from
 * inspection in place. */
#include "tests/kits/report/report_kit.h"

#include <kinetostat/trace.h>
#include <unistd.h>

enum { STEPS = 200 };

static ksInspector *inspectLater(dWorldID world)
{
    ksInspectorOptions options = defaultOptions();
    options.latency = KS_NEXT_STEP;
    return inspectWith(world, &options);
}

/* A car, whose contacts are gone at the time of the callbacks. */
static void drive(Scene *scene, ksInspector *now, ksInspector *later)
{
    for (int i = 0; i < STEPS; i++) {
        sceneBeforeStep(scene);
        CHECK_OK(ksInspectorBeginStep(now, KS_QUICK_STEP, h));
        CHECK_OK(ksInspectorBeginStep(later, KS_QUICK_STEP, h));
        ck_assert(dWorldQuickStep(scene->world, h));
        CHECK_OK(ksInspectorEndStep(later));
        CHECK_OK(ksInspectorEndStep(now));
        sceneAfterStep(scene);
    }
    CHECK_OK(ksInspectorFlush(later));
}

START_TEST(reports)
{
    Scene *scene = sceneDrivingCar(&sceneCar, &sceneSurface[SURFACE_APPROX1]);
    ksInspector *now = inspect(scene->world), *later = inspectLater(scene->world);
    ksReport *first = newReport(NULL), *second = newReport(NULL);
    CHECK_OK(ksReportWatch(first, now, "car"));
    CHECK_OK(ksReportWatch(second, later, "car"));
    drive(scene, now, later);
    json_t *a = jsonOf(first), *b = jsonOf(second);
    ck_assert_int_eq(countAt(jointOf(a, 0), "steps"), STEPS);
    ck_assert(json_equal(json_object_get(worldOf(a, 0), "joints"), json_object_get(worldOf(b, 0), "joints")));
    json_decref(a);
    json_decref(b);
    ksReportDestroy(first);
    ksReportDestroy(second);
    ksInspectorDestroy(now);
    ksInspectorDestroy(later);
    sceneDestroy(scene);
}
END_TEST

/* Reads the file and its second table, and removes both. */
static char *take(const char *folder, const char *file)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *stream = fopen(path, "r");
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(fseek(stream, 0, SEEK_END), 0);
    const size_t length = (size_t)ftell(stream);
    char *text = calloc(length + 1, 1);
    ck_assert_ptr_nonnull(text);
    rewind(stream);
    ck_assert_uint_eq(fread(text, 1, length, stream), length);
    fclose(stream);
    ck_assert_int_eq(unlink(path), 0);
    return text;
}

static void traceInto(const char *folder, const char *file, ksInspector *inspector, ksTrace **trace)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    CHECK_OK(ksTraceCreate(path, NULL, trace));
    CHECK_OK(ksTraceWatch(*trace, inspector, "car"));
}

static void expectSame(const char *folder, const char *first, const char *second)
{
    char *a = take(folder, first), *b = take(folder, second);
    ck_assert_uint_gt(strlen(a), 100);
    ck_assert_str_eq(a, b);
    free(a);
    free(b);
}

START_TEST(traces)
{
    char folder[] = "check_deferred.XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    Scene *scene = sceneDrivingCar(&sceneCar, &sceneSurface[SURFACE_APPROX1]);
    ksInspector *now = inspect(scene->world), *later = inspectLater(scene->world);
    ksTrace *first, *second;
    ksSubscription pair;
    CHECK_OK(ksInspectorPair(now, scene->body[1], NULL, 0.15, &pair));
    CHECK_OK(ksInspectorPair(later, scene->body[1], NULL, 0.15, &pair));
    traceInto(folder, "now.csv", now, &first);
    traceInto(folder, "later.csv", later, &second);
    drive(scene, now, later);
    CHECK_OK(ksTraceClose(first));
    CHECK_OK(ksTraceClose(second));
    ksInspectorDestroy(now);
    ksInspectorDestroy(later);
    sceneDestroy(scene);
    expectSame(folder, "now.csv", "later.csv");
    expectSame(folder, "now.joints.csv", "later.joints.csv");
    expectSame(folder, "now.motors.csv", "later.motors.csv");
    expectSame(folder, "now.pairs.csv", "later.pairs.csv");
    // steps have durations, which differ
    free(take(folder, "now.steps.csv"));
    free(take(folder, "later.steps.csv"));
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("files");
    tcase_add_test(tcase, reports);
    tcase_add_test(tcase, traces);
    return runCase("deferred_files", tcase);
}
