/* check_motion.c  The motion of a world in a page, unpacked by a decoder of our own, against the
 * inspector's results in each step. */
#include "tests/kits/report/report_kit.h"

#include "demos/scenes/scenes.h"
#include "plugin/replay/recorder.h"
#include "plugin/report/recording/judge.h"
#include "tests/kits/mesh_kit.h"

#ifdef KS_HAVE_THREE

#include <libdeflate.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { LINKS = 6, STEPS = 400, MOST_FRAMES = 400, COLUMNS_OF_JOINT = 28, COLUMNS_OF_BODY = 7 };

/* --- The page, unpacked --- */

typedef struct Page {
    json_t *motion;
    unsigned char *bytes;
    size_t count, at;
} Page;

static int digitOf(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
                                  : 63;
}

/* Base 64. */
static size_t bytesOf(const char *text, unsigned char *out)
{
    size_t count = 0;
    for (const char *c = text; *c; c += 4) {
        uint32_t bits = 0;
        int there = 0;
        for (; there < 4 && c[there] != '='; there++)
            bits |= (uint32_t)digitOf(c[there]) << (18 - 6 * there);
        for (int i = 0; i < there - 1; i++)
            out[count++] = (unsigned char)(bits >> (16 - 8 * i));
    }
    return count;
}

/* motion NULL: the page has none. Not inline, because gcc would then warn that the variable for the
 * motion may be clobbered. */
__attribute__((noinline)) static Page unpack(const char *text)
{
    static const char begin[] = "<script id=\"motion-0\" type=\"application/json\">\n";
    enum { MOST = 1 << 22 };
    Page page = {.motion = NULL};
    const char *from = strstr(text, begin);
    if (!from)
        return page;
    from += strlen(begin);
    page.motion = json_loadb(from, (size_t)(strstr(from, "\n</script>") - from), 0, NULL);
    ck_assert_ptr_nonnull(page.motion);
    const char *data = json_string_value(json_object_get(page.motion, "data"));
    unsigned char *packed = calloc(strlen(data), 1);
    const size_t length = bytesOf(data, packed);
    struct libdeflate_decompressor *inflate = libdeflate_alloc_decompressor();
    page.bytes = malloc(MOST);
    ck_assert_int_eq(libdeflate_zlib_decompress(inflate, packed, length, page.bytes, MOST, &page.count),
                     LIBDEFLATE_SUCCESS);
    libdeflate_free_decompressor(inflate);
    free(packed);
    return page;
}

static Page pageOf(const ksReport *report)
{
    char *text = textOf(report, KS_REPORT_HTML);
    const Page page = unpack(text);
    free(text);
    return page;
}

static void freePage(Page *page)
{
    json_decref(page->motion);
    free(page->bytes);
}

/* Reads a column of `count` numbers. */
static void take(Page *page, int order, size_t count, int64_t *out)
{
    int64_t last = 0, slope = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        int shift = 0;
        unsigned char byte;
        do {
            ck_assert_uint_lt(page->at, page->count);
            byte = page->bytes[page->at++];
            bits |= (uint64_t)(byte & 127) << shift;
            shift += 7;
        } while (byte & 128);
        const int64_t rest = bits & 1 ? -(int64_t)(bits >> 1) - 1 : (int64_t)(bits >> 1);
        out[i] = last + rest + (order == 2 ? slope : 0);
        slope = out[i] - last;
        last = out[i];
    }
}

static size_t wholeOf(const json_t *object, const char *key)
{
    return (size_t)json_integer_value(json_object_get(object, key));
}

/* NaN: unknown. */
static double unfold(const json_t *motion, int64_t n)
{
    const double least = json_number_value(json_object_get(motion, "least"));
    return n == 0 ? (double)NAN : least * sinh((double)(n > 0 ? n - 1 : n) / (double)wholeOf(motion, "perFold"));
}

/* --- The motion as it was --- */

typedef struct Truth {
    double time, place[LINKS][3], turn[LINKS][4];
    double force[LINKS][3][6], error[LINKS], arm[LINKS][3];
    int verdict[LINKS];
} Truth;

typedef struct Story {
    Scene *scene;
    Truth truth[STEPS];
} Story;

static void lookAtBodies(Story *story, int step)
{
    for (int i = 0; i < LINKS; i++) {
        memcpy(story->truth[step].place[i], dBodyGetPosition(story->scene->body[i]), 3 * sizeof(double));
        memcpy(story->truth[step].turn[i], dBodyGetQuaternion(story->scene->body[i]), 4 * sizeof(double));
    }
}

static void lookAtJoints(Story *story, int step, const ksInspector *inspector)
{
    static const ksValue value[3] = {KS_ENGINE, KS_CONVERGED, KS_PHYSICAL};
    Truth *truth = &story->truth[step];
    truth->time = ksInspectorGetStepReport(inspector)->time;
    for (int i = 0; i < LINKS; i++) {
        const ksReaction *r = ksInspectorGetReaction(inspector, story->scene->joint[i]);
        ksWrench w;
        for (int v = 0; v < 3; v++) {
            CHECK_OK(ksReactionGetWrench(r, value[v], 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &w));
            memcpy(truth->force[i][v], w.force, sizeof w.force);
            memcpy(truth->force[i][v] + 3, w.torque, sizeof w.torque);
        }
        truth->error[i] = r->error;
        truth->verdict[i] = (int)r->verdict;
        for (int k = 0; k < 3; k++)
            truth->arm[i][k] = r->anchor[0][k] - r->centre[0][k];
    }
}

static const double stepSize = 0.004;

static void run(Story *story, ksReport **report, const ksReportOptions *options)
{
    ksInspector *inspector;
    story->scene = sceneChain(LINKS, SCENE_FALLING);
    dWorldSetQuickStepNumIterations(story->scene->world, 10);
    CHECK_OK(ksInspectorCreate(story->scene->world, NULL, &inspector));
    *report = watching(inspector, options);
    for (int i = 0; i < STEPS; i++) {
        lookAtBodies(story, i);
        CHECK_OK(ksInspectorQuickStep(inspector, stepSize));
        lookAtJoints(story, i, inspector);
    }
    ksInspectorDestroy(inspector);
}

/* --- Comparisons --- */

/* half of the last digit; and the rounding of single precision */
static const double half = 0.5, singleRounding = 1e-6;

static void checkBody(Page *page, const Story *story, int body, const int64_t *step, size_t frames)
{
    const double unit = json_number_value(json_object_get(page->motion, "unit")),
                 turns = (double)wholeOf(page->motion, "turns");
    static int64_t column[COLUMNS_OF_BODY][MOST_FRAMES];
    for (int c = 0; c < COLUMNS_OF_BODY; c++)
        take(page, 2, frames, column[c]);
    for (size_t f = 0; f < frames; f++) {
        const Truth *truth = &story->truth[step[f]];
        double sign = 0;
        for (int c = 0; c < 4; c++)
            sign += (double)column[3 + c][f] * truth->turn[body][c];
        sign = sign < 0 ? -1 : 1;
        for (int c = 0; c < 3; c++)
            ck_assert_double_eq_tol(unit * (double)column[c][f], truth->place[body][c],
                                    unit * half * (1 + singleRounding));
        for (int c = 0; c < 4; c++)
            ck_assert_double_eq_tol(sign * (double)column[3 + c][f] / turns, truth->turn[body][c],
                                    half / turns * (1 + singleRounding) + singleRounding);
    }
}

/* least sinh(n/perFold): half a step of n is half of (x^2 + least^2)^(1/2)/perFold, up to its
 * square. */
static void checkFolded(const Page *page, int64_t n, double x)
{
    const double least = json_number_value(json_object_get(page->motion, "least")),
                 perFold = (double)wholeOf(page->motion, "perFold");
    if (isfinite(x))
        ck_assert_double_eq_tol(unfold(page->motion, n), x, hypot(x, least) * half * (1 + 1 / perFold) / perFold);
    else
        ck_assert(n == 0);
}

static void checkJoint(Page *page, const Story *story, int joint, const int64_t *step, size_t frames)
{
    const double unit = json_number_value(json_object_get(page->motion, "unit"));
    static int64_t column[COLUMNS_OF_JOINT][MOST_FRAMES];
    for (int c = 0; c < COLUMNS_OF_JOINT; c++)
        take(page, 1, frames, column[c]);
    for (size_t f = 0; f < frames; f++) {
        const Truth *truth = &story->truth[step[f]];
        double arm = 0, shown = 0;
        for (int k = 0; k < 3; k++) {
            arm += truth->arm[joint][k] * truth->arm[joint][k];
            shown += pow(unit * (double)column[k][f], 2);
        }
        ck_assert_double_eq_tol(sqrt(shown), sqrt(arm), sqrt(3) * unit * half + singleRounding);
        const json_t *state = json_array_get(json_object_get(page->motion, "states"), (size_t)column[3][f]);
        ck_assert_str_eq(json_string_value(json_object_get(state, "verdict")),
                         ksVerdictName((ksVerdict)truth->verdict[joint]));
        for (int v = 0; v < 3; v++)
            for (int k = 0; k < 6; k++)
                checkFolded(page, column[4 + 6 * v + k][f], truth->force[joint][v][k]);
        checkFolded(page, column[26][f], truth->error[joint]);
    }
}

/* The first step of each thirtieth of a second: bodies at the start of the step, and the joint's
 * three wrenches. */
START_TEST(a_page_has_the_motion)
{
    static Story story;
    ksReport *report;
    int64_t step[MOST_FRAMES], time[MOST_FRAMES];
    run(&story, &report, NULL);
    Page page = pageOf(report);
    ck_assert_ptr_nonnull(page.motion);
    const size_t frames = wholeOf(page.motion, "frames");
    take(&page, 1, frames, step);
    take(&page, 2, frames, time);
    size_t f = 0;
    for (int i = 0; i < STEPS; i++) {
        const bool isFirst = i == 0 || floor(30 * stepSize * i + 1e-6) > floor(30 * stepSize * (i - 1) + 1e-6);
        if (!isFirst)
            continue;
        ck_assert_int_eq(step[f], i);
        ck_assert_int_eq(time[f++], llround(1e6 * story.truth[i].time));
    }
    ck_assert_uint_eq(f, frames);
    const json_t *bodies = json_object_get(page.motion, "bodies"), *joints = json_object_get(page.motion, "joints");
    ck_assert_uint_eq(json_array_size(bodies), LINKS);
    ck_assert_uint_eq(json_array_size(joints), LINKS);
    // numbers are in order of creation
    for (size_t i = 0; i < LINKS; i++)
        checkBody(&page, &story, (int)wholeOf(json_array_get(bodies, i), "number") - 1, step, frames);
    for (size_t i = 0; i < LINKS; i++)
        checkJoint(&page, &story, (int)wholeOf(json_array_get(joints, i), "number") - 1, step, frames);
    ck_assert_uint_eq(page.at, page.count);
    freePage(&page);
    ksReportDestroy(report);
    sceneDestroy(story.scene);
}
END_TEST

/* With fewer bytes, every second frame is kept, or every fourth, ...; the first one always. */
START_TEST(a_small_page_has_fewer_frames)
{
    static Story story;
    ksReportOptions options = reportOptions();
    ksReport *report;
    options.frameBytes = 9000;
    run(&story, &report, &options);
    Page page = pageOf(report);
    ck_assert_ptr_nonnull(page.motion);
    ck_assert_uint_le(json_dumpb(page.motion, NULL, 0, JSON_COMPACT), options.frameBytes);
    const size_t frames = wholeOf(page.motion, "frames");
    ck_assert_uint_lt(frames, 25);
    ck_assert_uint_gt(frames, 1);
    int64_t step[MOST_FRAMES];
    take(&page, 1, frames, step);
    ck_assert_int_eq(step[0], 0);
    const int64_t width = (step[frames - 1] - step[0]) / (int64_t)(frames - 1);
    for (size_t i = 1; i < frames; i++)
        ck_assert_int_le(llabs(step[i] - step[i - 1] - width), 1);
    freePage(&page);
    ksReportDestroy(report);
    sceneDestroy(story.scene);
}
END_TEST

START_TEST(without_frames_there_is_no_motion)
{
    static Story story;
    ksReportOptions options = reportOptions();
    ksReport *report;
    options.frameRate = 0;
    run(&story, &report, &options);
    char *text = textOf(report, KS_REPORT_HTML);
    ck_assert_ptr_null(strstr(text, "id=\"motion"));
    ck_assert_ptr_null(strstr(text, "id=\"three"));
    free(text);
    ksReportDestroy(report);
    sceneDestroy(story.scene);
}
END_TEST

/* A body with each shape, and the shape's place and rotation in the body; a fixed plane. */
START_TEST(shapes_are_told)
{
    static const char *const kind[] = {"sphere", "box", "capsule", "cylinder"};
    dWorldID world = dWorldCreate();
    dSpaceID space = dSimpleSpaceCreate(NULL);
    ksInspector *inspector;
    dGeomID geom[4] = {dCreateSphere(space, 0.1), dCreateBox(space, 0.2, 0.3, 0.4), dCreateCapsule(space, 0.1, 0.5),
                       dCreateCylinder(space, 0.2, 0.6)};
    dCreatePlane(space, 0, 0, 1, -2);
    for (int i = 0; i < 4; i++) {
        dBodyID body = dBodyCreate(world);
        dBodySetPosition(body, i, 0, 0);
        dGeomSetBody(geom[i], body);
        dGeomSetOffsetPosition(geom[i], 0, 0, 0.25 * i);
    }
    CHECK_OK(ksInspectorCreate(world, NULL, &inspector));
    ksReport *report = watching(inspector, NULL);
    CHECK_OK(ksInspectorStep(inspector, stepSize));
    Page page = pageOf(report);
    const json_t *bodies = json_object_get(page.motion, "bodies");
    ck_assert_uint_eq(json_array_size(bodies), 4);
    for (size_t i = 0; i < 4; i++) {
        const json_t *body = json_array_get(bodies, i), *shape = json_array_get(json_object_get(body, "shapes"), 0);
        const size_t n = wholeOf(body, "number") - 1;
        ck_assert_str_eq(json_string_value(json_object_get(shape, "kind")), kind[n]);
        ck_assert(json_number_value(json_array_get(json_object_get(shape, "place"), 2)) == 0.25 * (double)n);
        ck_assert(json_number_value(json_array_get(json_object_get(shape, "rotation"), 0)) == 1);
    }
    const json_t *plane = json_array_get(json_object_get(page.motion, "standing"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(plane, "kind")), "plane");
    ck_assert(json_number_value(json_array_get(json_object_get(plane, "size"), 3)) == -2);
    freePage(&page);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    dSpaceDestroy(space);
    dWorldDestroy(world);
}
END_TEST

/* A verdict that comes with the next step has the bodies of its own step. */
START_TEST(late_judgements_have_their_own_scene)
{
    ksInspectorOptions options;
    ksInspector *inspector;
    ksInspectorOptionsInit(&options);
    options.latency = KS_NEXT_STEP;
    Scene *scene = sceneChain(LINKS, SCENE_FALLING);
    CHECK_OK(ksInspectorCreate(scene->world, &options, &inspector));
    ksReportOptions every = reportOptions();
    every.frameRate = 1e5;
    ksReport *report = watching(inspector, &every);
    double before[3] = {0};
    for (int i = 0; i < 4; i++) {
        if (i == 2)
            memcpy(before, dBodyGetPosition(scene->body[LINKS - 1]), sizeof before);
        CHECK_OK(ksInspectorQuickStep(inspector, 0.05));
    }
    Page page = pageOf(report);
    int64_t frame[MOST_FRAMES], place[MOST_FRAMES];
    const size_t frames = wholeOf(page.motion, "frames");
    take(&page, 1, frames, frame);
    take(&page, 2, frames, place);
    ck_assert_uint_eq(frames, 3);
    const double unit = json_number_value(json_object_get(page.motion, "unit"));
    for (size_t i = 0; i < LINKS; i++) {
        const json_t *body = json_array_get(json_object_get(page.motion, "bodies"), i);
        for (int c = 0; c < COLUMNS_OF_BODY; c++) {
            take(&page, 2, frames, place);
            if (c < 3 && wholeOf(body, "number") == LINKS)
                ck_assert_double_eq_tol(unit * (double)place[2], before[c], unit * half * (1 + singleRounding));
        }
    }
    freePage(&page);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Two fixed surfaces, out of reach of all bodies. */
static void addSolids(const Scene *scene, dTriMeshDataID data)
{
    dGeomSetPosition(makeCube(scene->space), 100, 0, 0);
    dGeomSetPosition(dCreateTriMesh(scene->space, data, NULL, NULL, NULL), 110, 0, 0);
}

/* The page from a recording equals the page of the run, to the bit. */
START_TEST(a_record_shows_what_the_world_does)
{
    const SceneSurface *surface = &sceneSurface[SURFACE_APPROX1];
    Scene *scene[2] = {sceneBridge(4, 1, surface), sceneBridge(4, 1, surface)};
    ksReport *report[2];
    ksInspector *inspector;
    ksiRecorder *recorder;
    ksiJudge *judge;
    ksiJudgeOptions options;
    size_t world;
    const dTriMeshDataID data = icosahedronData();
    for (int i = 0; i < 2; i++)
        addSolids(scene[i], data);
    ksiJudgeOptionsInit(&options);
    options.adviseEvery = 0;
    CHECK_OK(ksInspectorCreate(scene[0]->world, NULL, &inspector));
    report[0] = watching(inspector, NULL);
    report[1] = newReport(NULL);
    CHECK_OK(ksiReportAddWorld(report[1], NULL, &world));
    CHECK_OK(ksiJudgeCreate(&options, report[1], world, &judge));
    CHECK_OK(ksiRecorderCreate(scene[1]->world, 1, KSI_FEEDBACK_OURS, &recorder));
    ksiRecorderTakeGeoms(recorder, SIZE_MAX);
    for (int i = 0; i < 100; i++) {
        sceneBeforeStep(scene[0]);
        CHECK_OK(ksInspectorStep(inspector, stepSize));
        sceneAfterStep(scene[0]);
        sceneBeforeStep(scene[1]);
        CHECK_OK(ksiRecorderBegin(recorder, KS_WORLD_STEP, stepSize, false));
        dWorldStep(scene[1]->world, stepSize);
        CHECK_OK(ksiJudgeStep(judge, ksiRecorderEnd(recorder, true, 0)));
        sceneAfterStep(scene[1]);
    }
    Page page[2] = {pageOf(report[0]), pageOf(report[1])};
    ck_assert_ptr_nonnull(page[0].motion);
    ck_assert_uint_gt(json_array_size(json_object_get(page[0].motion, "standing")), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(json_object_get(page[0].motion, "meshes"), "list")), 2);
    ck_assert(json_equal(page[0].motion, page[1].motion));
    ksiJudgeDestroy(judge);
    ksiRecorderDestroy(recorder);
    ksInspectorDestroy(inspector);
    for (int i = 0; i < 2; i++) {
        freePage(&page[i]);
        ksReportDestroy(report[i]);
        sceneDestroy(scene[i]);
    }
    dGeomTriMeshDataDestroy(data);
}
END_TEST

START_TEST(options_are_checked)
{
    ksReport *report;
    ksReportOptions options = reportOptions();
    options.frameRate = NAN;
    ck_assert_int_eq(ksReportCreate(&options, &report), KS_ERROR_BAD_ARGUMENT);
    options.frameRate = -1;
    ck_assert_int_eq(ksReportCreate(&options, &report), KS_ERROR_BAD_ARGUMENT);
    options.frameRate = 30;
    options.frameBytes = SIZE_MAX;
    ck_assert_int_eq(ksReportCreate(&options, &report), KS_ERROR_BAD_ARGUMENT);
}
END_TEST

#endif

int main(void)
{
    TCase *tcase = tcase_create("motion");
#ifdef KS_HAVE_THREE
    tcase_add_test(tcase, a_page_has_the_motion);
    tcase_add_test(tcase, a_small_page_has_fewer_frames);
    tcase_add_test(tcase, without_frames_there_is_no_motion);
    tcase_add_test(tcase, shapes_are_told);
    tcase_add_test(tcase, late_judgements_have_their_own_scene);
    tcase_add_test(tcase, a_record_shows_what_the_world_does);
    tcase_add_test(tcase, options_are_checked);
#endif
    return runCase("motion", tcase);
}
