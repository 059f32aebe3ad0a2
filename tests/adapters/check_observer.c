/* check_observer.c  The inspector of a recording judges each step of another engine in the host's
 * own process. Its values are the same to the bit as the values of `kinetostat judge` for the same run's
 * file. */
#include "tests/kits/memory_kit.h"
#include "tests/kits/report/judge_kit.h"
#include "tests/kits/same_kit.h"

#include "adapters/ode.h"

#include <kinetostat/report.h>

enum { STEPS = 60, MOST = 32, MOST_ROWS = 6 };

static const double h = 0.002;

/* --- Runs --- */

/* The published results of a step; the directions of self-stress and the rows are copied, too. */
typedef struct Seen {
    ksReaction reaction[MOST];
    ksRow row[MOST][MOST_ROWS];
    ksStepReport report;
    size_t count;
} Seen;

typedef struct Run {
    Seen seen[STEPS];
    int steps;
    size_t verdicts[KS_VALID + 1];
} Run;

static void keep(const ksInspector *inspector, Seen *out)
{
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &out->count);
    ck_assert_uint_le(out->count, MOST);
    out->report = *ksInspectorGetStepReport(inspector);
    for (size_t i = 0; i < out->count; i++) {
        out->reaction[i] = reaction[i];
        ck_assert_int_le(reaction[i].rowCount, MOST_ROWS);
        memcpy(out->row[i], reaction[i].row, (size_t)reaction[i].rowCount * sizeof *reaction->row);
        out->reaction[i].row = out->row[i];
    }
}

static void compareStep(ksInspector *inspector, int step, void *user)
{
    Run *run = user;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    const Seen *seen = &run->seen[step];
    ck_assert_uint_eq(count, seen->count);
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->step, seen->report.step);
    compareReports(&seen->report, ksInspectorGetStepReport(inspector));
    for (size_t i = 0; i < count; i++) {
        compareReaction(&seen->reaction[i], &reaction[i]);
        for (int l = 0; l < reaction[i].rowCount; l++) {
            SAME(&seen->reaction[i].row[l], &reaction[i].row[l], observed);
            SAME(&seen->reaction[i].row[l], &reaction[i].row[l], observedBar);
        }
        SAME(&seen->reaction[i], &reaction[i], observed);
        run->verdicts[reaction[i].verdict]++;
    }
    run->steps++;
}

enum { CHAIN, FOURBAR, RAGDOLL, MACHINES };

static Scene *machine(int which)
{
    return which == CHAIN     ? sceneChain(6, SCENE_FALLING)
           : which == FOURBAR ? sceneFourbar(&sceneLinkage)
                              : sceneFallingRagdolls(1, BALLS_FREE, &sceneSurface[SURFACE_APPROX1]);
}

static void step(Scene *scene, ksOde *adapter, bool isQuick)
{
    dRandSetSeed(1000 + scene->step);
    sceneBeforeStep(scene);
    CHECK_OK(ksOdeBegin(adapter, h));
    ck_assert((isQuick ? dWorldQuickStep : dWorldStep)(scene->world, h));
    CHECK_OK(ksOdeEnd(adapter));
    sceneAfterStep(scene);
}

static ksOde *adapt(const Scene *scene, const char *path)
{
    ksOde *adapter;
    CHECK_OK(ksOdeCreate(scene->world, scene->body, scene->bodyCount, scene->joint, scene->jointCount, path, &adapter));
    return adapter;
}

static ksInspector *observe(ksRecording *recording, const ksInspectorOptions *options)
{
    ksInspector *inspector = NULL;
    CHECK_OK(ksRecordingInspect(recording, options, &inspector));
    ck_assert_ptr_nonnull(inspector);
    return inspector;
}

static char *textOf(const ksReport *report)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    CHECK_OK(ksReportPrint(report, KS_REPORT_TEXT, stream));
    fclose(stream);
    return text;
}

/* Observing and recording at once gives the same results as either of them alone. */
static void tryMachine(int which, bool isQuick)
{
    Run *run = calloc(1, sizeof *run);
    Scene *scene = machine(which), *alone = machine(which);
    makeFolder();
    ksOde *adapter = adapt(scene, in("run.h5")), *without = adapt(alone, NULL);
    ksInspector *inspector = observe(ksOdeGetRecording(adapter), NULL);
    ksInspector *second = observe(ksOdeGetRecording(without), NULL);
    ksReportOptions options;
    ksReport *report;
    ksReportOptionsInit(&options);
    CHECK_OK(ksReportCreate(&options, &report));
    CHECK_OK(ksReportWatch(report, inspector, NULL));
    for (int i = 0; i < STEPS; i++) {
        step(scene, adapter, isQuick);
        step(alone, without, isQuick);
        keep(inspector, &run->seen[i]);
        compareStep(second, i, run);
    }
    CHECK_OK(ksOdeClose(adapter));
    CHECK_OK(ksOdeClose(without));
    run->steps = 0;
    ksReport *judged = reportFile(in("run.h5"), compareStep, run);
    ck_assert_int_eq(run->steps, STEPS);
    ck_assert_uint_gt(run->verdicts[which == FOURBAR ? KS_INDETERMINATE : KS_VALID], STEPS);
    char *text[2] = {textOf(report), textOf(judged)};
    ck_assert_str_eq(text[0], text[1]);
    free(text[0]);
    free(text[1]);
    ksReportDestroy(judged);
    ksReportDestroy(report);
    sceneDestroy(scene);
    sceneDestroy(alone);
    removeFolder();
    free(run);
}

START_TEST(as_judged)
{
    tryMachine(_i % MACHINES, _i >= MACHINES);
}
END_TEST

/* The judge starts each window of records with a new inspector: the forces are the same, but the
 * bars lack the history of the run. A window of records is as long as sixteen windows of means: 16
 * x 0.15 s / h. */
enum { WINDOW = 1200 };
_Static_assert((int)WINDOW >= (int)KSI_WINDOW, "a window has as many records as it needs");

static void compareBeyond(ksInspector *inspector, int step, void *user)
{
    Run *run = user;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    if (step < WINDOW - 1)
        return;
    const Seen *seen = &run->seen[run->steps++];
    ck_assert_uint_eq(count, seen->count);
    for (size_t i = 0; i < count; i++) {
        SAME(&seen->reaction[i], &reaction[i], observed);
        SAME(&seen->reaction[i], &reaction[i], physical);
        SAME(&seen->reaction[i], &reaction[i], engine);
        SAME(&seen->reaction[i], &reaction[i], error);
    }
}

START_TEST(beyond_a_window)
{
    Run *run = calloc(1, sizeof *run);
    Scene *scene = machine(_i);
    makeFolder();
    ksOde *adapter = adapt(scene, in("run.h5"));
    const ksInspector *inspector = observe(ksOdeGetRecording(adapter), NULL);
    for (int i = 0; i < WINDOW - 1 + STEPS; i++) {
        step(scene, adapter, false);
        if (i >= WINDOW - 1)
            keep(inspector, &run->seen[i - WINDOW + 1]);
    }
    CHECK_OK(ksOdeClose(adapter));
    judgeFile(in("run.h5"), compareBeyond, run);
    ck_assert_int_eq(run->steps, STEPS);
    sceneDestroy(scene);
    removeFolder();
    free(run);
}
END_TEST

/* --- A bar on a hinge, without an engine --- */

static const double mass = 2, arm = 0.5, g = 9.81;

static ksRecordedState barAt(double angle, double rate)
{
    return (ksRecordedState){.position = {arm * cos(angle), arm * sin(angle), 0},
                             .quaternion = {cos(angle / 2), 0, 0, sin(angle / 2)},
                             .velocity = {-arm * rate * sin(angle), arm * rate * cos(angle), 0},
                             .angularVelocity = {0, 0, rate}};
}

static const ksRecordedJoint pivot = {.type = KS_JOINT_HINGE, .body = {0, -1}, .axis = {{0, 0, 2}}, .name = "pivot"};

static ksRecording *recordBar(const char *path)
{
    const ksRecordedBody bar = {.state = barAt(0, 0), .mass = mass, .inertia = {0.02, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
    ksRecording *recording;
    ksRecordingOptions options;
    ksRecordingOptionsInit(&options);
    options.gravity[2] = -g;
    CHECK_OK(ksRecordingCreate(path, &options, &recording));
    CHECK_OK(ksRecordingAddBody(recording, &bar, NULL));
    CHECK_OK(ksRecordingAddJoint(recording, &pivot, NULL));
    return recording;
}

/* The bar stays where it is: the pivot bears its weight. isTold: the report says so. */
static ksStatus rest(ksRecording *recording, bool isTold)
{
    const ksRecordedState state = barAt(0, 0);
    const ksWrench reported[1][2] = {{{{0, 0, mass * g}, {0}}}};
    const ksStatus status = ksRecordingBeginStep(recording, h, &state, NULL);
    return status ? status : ksRecordingEndStep(recording, &state, isTold ? reported : NULL);
}

typedef struct Heard {
    ksRecording *recording;
    int reactions, alerts, entered, steps, destroyed;
    ksStatus refused[4];
} Heard;

static void onReaction(const ksReaction *reaction, void *user)
{
    Heard *heard = user;
    ck_assert_int_eq(reaction->type, dJointTypeHinge);
    heard->reactions++;
}

static void onAlert(const ksReaction *reaction, void *user)
{
    (void)reaction;
    ((Heard *)user)->alerts++;
}

static void onThreshold(const ksThresholdEvent *event, void *user)
{
    ((Heard *)user)->entered += event->phase == KS_THRESHOLD_ENTERED;
}

static void onStep(const ksStepReport *report, void *user)
{
    Heard *heard = user;
    const ksRecordedState state = barAt(0, 0);
    const ksRecordedBody body = {.state = state, .mass = 1, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    ck_assert_int_eq(report->stepper, KS_FOREIGN_STEP);
    heard->steps++;
    heard->refused[0] = ksRecordingBeginStep(heard->recording, h, &state, NULL);
    heard->refused[1] = ksRecordingAddBody(heard->recording, &body, NULL);
    heard->refused[2] = ksRecordingEndStep(heard->recording, &state, NULL);
    heard->refused[3] = ksRecordingClose(heard->recording);
}

static void onDestroy(void *user)
{
    ((Heard *)user)->destroyed++;
}

/* Callbacks of all kinds. A load that was not recorded causes an alert. A callback must not change
 * its recording. */
START_TEST(callbacks)
{
    Heard heard = {.recording = recordBar(NULL)};
    ksThreshold limits;
    ksInspector *inspector = observe(heard.recording, NULL);
    const dJointID joint = ksRecordingGetJoint(heard.recording, 0);
    const ksRecordedState moved = barAt(0, 1);
    ck_assert_ptr_eq(observe(heard.recording, NULL), inspector);
    ck_assert_ptr_eq(dJointGetBody(joint, 0), ksRecordingGetBody(heard.recording, 0));
    ck_assert_str_eq(ksInspectorGetName(inspector, joint), "pivot");
    ksThresholdInit(&limits);
    limits.forceMagnitude = mass * g / 2;
    limits.value = KS_PHYSICAL;
    CHECK_OK(ksInspectorOnReaction(inspector, joint, onReaction, &heard));
    CHECK_OK(ksInspectorOnAlert(inspector, onAlert, &heard));
    CHECK_OK(ksInspectorOnThreshold(inspector, joint, &limits, onThreshold, &heard));
    CHECK_OK(ksInspectorOnStep(inspector, onStep, &heard));
    CHECK_OK(ksInspectorOnDestroy(inspector, onDestroy, &heard));
    for (int i = 0; i < 3; i++)
        CHECK_OK(rest(heard.recording, false));
    ck_assert_int_eq(heard.reactions, 3);
    ck_assert_int_eq(heard.steps, 3);
    ck_assert_int_eq(heard.entered, 1);
    ck_assert_int_eq(heard.alerts, 0);
    // no load was recorded that would turn it about the hinge's axis
    CHECK_OK(ksRecordingBeginStep(heard.recording, h, NULL, NULL));
    CHECK_OK(ksRecordingEndStep(heard.recording, &moved, NULL));
    ck_assert_int_eq(heard.alerts, 1);
    ck_assert_int_eq(ksInspectorGetReaction(inspector, joint)->verdict, KS_UNEXPLAINED);
    ck_assert_int_eq(heard.refused[0], KS_ERROR_REENTRY);
    ck_assert_int_eq(heard.refused[1], KS_ERROR_REENTRY);
    ck_assert_int_eq(heard.refused[2], KS_ERROR_BRACKET);
    ck_assert_int_eq(heard.refused[3], KS_ERROR_REENTRY);
    ck_assert_int_eq(heard.destroyed, 0);
    CHECK_OK(ksRecordingClose(heard.recording));
    ck_assert_int_eq(heard.destroyed, 1);
}
END_TEST

/* The pivot alone bears the weight, at its arm: N and N.m. */
START_TEST(in_closed_form)
{
    ksRecording *recording = recordBar(NULL);
    const ksInspector *inspector = observe(recording, NULL);
    for (int i = 0; i < 3; i++)
        CHECK_OK(rest(recording, false));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, ksRecordingGetJoint(recording, 0));
    ck_assert_int_eq(reaction->verdict, KS_VALID);
    ck_assert_double_eq_tol(reaction->observed[0].force[2], mass * g, 1e-9);
    ck_assert_double_eq_tol(reaction->physical[0].force[2], mass * g, 1e-9);
    ksWrench pin;
    CHECK_OK(ksReactionGetWrench(reaction, KS_PHYSICAL, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &pin));
    ck_assert_double_eq_tol(pin.torque[1], -mass * g * arm, 1e-9);
    CHECK_OK(ksRecordingClose(recording));
}
END_TEST

static void countReactions(ksInspector *inspector, int step, void *user)
{
    size_t count;
    (void)ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_eq(count, step < 2 ? 1 : 2);
    compareStep(inspector, step, user);
}

/* A body or joint added between steps appears from the next step on, with its name; handles stay
 * valid. */
START_TEST(joints_that_come)
{
    Run *run = calloc(1, sizeof *run);
    makeFolder();
    ksRecording *recording = recordBar(in("bar.h5"));
    const ksInspector *inspector = observe(recording, NULL);
    const dJointID first = ksRecordingGetJoint(recording, 0);
    char name[300];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = 0;
    ksRecordedJoint second = pivot;
    int index = -1;
    second.anchor[0][2] = 1;
    second.name = name;
    for (int i = 0; i < 4; i++) {
        if (i == 2)
            CHECK_OK(ksRecordingAddJoint(recording, &second, &index));
        CHECK_OK(rest(recording, false));
        keep(inspector, &run->seen[i]);
    }
    ck_assert_int_eq(index, 1);
    ck_assert_ptr_eq(ksRecordingGetJoint(recording, 0), first);
    ck_assert_uint_eq(strlen(ksInspectorGetName(inspector, ksRecordingGetJoint(recording, 1))), 127);
    ck_assert_int_eq(ksInspectorGetReaction(inspector, first)->verdict, KS_INDETERMINATE);
    ck_assert_ptr_null(ksRecordingGetJoint(recording, 2));
    ck_assert_ptr_null(ksRecordingGetJoint(recording, -1));
    ck_assert_ptr_null(ksRecordingGetJoint(NULL, 0));
    ck_assert_ptr_null(ksRecordingGetBody(recording, 1));
    ck_assert_ptr_null(ksRecordingGetBody(recording, -1));
    ck_assert_ptr_null(ksRecordingGetBody(NULL, 0));
    CHECK_OK(ksRecordingClose(recording));
    judgeFile(in("bar.h5"), countReactions, run);
    ck_assert_int_eq(run->steps, 4);
    removeFolder();
    free(run);
}
END_TEST

/* No host can step the recording's world, and it ignores brackets of other worlds. */
START_TEST(what_it_cannot_have)
{
    ksRecording *recording = recordBar(NULL);
    ksInspectorOptions options;
    ksInspector *inspector = observe(recording, NULL), *other = NULL;
    const ksRecordedState state = barAt(0, 0);
    ksInspectorOptionsInit(&options);
    ck_assert_int_eq(ksRecordingInspect(NULL, NULL, &other), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksRecordingInspect(recording, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksRecordingInspect(recording, &options, &other), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_null(other);
    // it works without dInitODE, too
    dCloseODE();
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(ksInspectorStep(inspector, h), KS_ERROR_ENGINE);
        ck_assert_int_eq(ksInspectorQuickStep(inspector, h), KS_ERROR_ENGINE);
        ck_assert_int_eq(ksInspectorExactStep(inspector, h), KS_ERROR_ENGINE);
        ck_assert_int_eq(dWorldStep(ksInspectorGetWorld(inspector), h), 0);
        ck_assert_mem_eq(dBodyGetPosition(ksRecordingGetBody(recording, 0)), state.position, sizeof state.position);
        CHECK_OK(rest(recording, false));
    }
    dInitODE2(0);
    const ksReaction *reaction = ksInspectorGetReaction(inspector, ksRecordingGetJoint(recording, 0));
    ck_assert_int_eq(reaction->verdict, KS_VALID);
    ck_assert_uint_eq(reaction->reasons, 0);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_FOREIGN_STEP, h));
    ck_assert_int_eq(rest(recording, false), KS_ERROR_BRACKET);
    CHECK_OK(ksInspectorEndStep(inspector));
    CHECK_OK(ksRecordingBeginStep(recording, h, NULL, NULL));
    ck_assert_int_eq(ksRecordingInspect(recording, NULL, &other), KS_ERROR_BRACKET);
    ck_assert_int_eq(ksRecordingEndStep(recording, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksRecordingEndStep(recording, &state, NULL));
    CHECK_OK(ksRecordingFlush(recording));
    CHECK_OK(ksRecordingClose(recording));
    options.tolerance = -1;
    recording = recordBar(NULL);
    ck_assert_int_eq(ksRecordingInspect(recording, &options, &other), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksRecordingClose(recording));
}
END_TEST

/* The host destroys an inspector: between steps, and within a step, which is lost. A new inspector
 * can be created. */
START_TEST(destroyed_by_the_host)
{
    makeFolder();
    ksRecording *recording = recordBar(in("bar.h5"));
    const ksRecordedState state = barAt(0, 0);
    for (int i = 0; i < 2; i++) {
        ksInspectorDestroy(observe(recording, NULL));
        CHECK_OK(rest(recording, false));
        ksInspector *inspector = observe(recording, NULL);
        CHECK_OK(rest(recording, false));
        CHECK_OK(ksRecordingBeginStep(recording, h, NULL, NULL));
        ksInspectorDestroy(inspector);
        ck_assert_int_eq(ksRecordingEndStep(recording, &state, NULL), KS_ERROR_ENDED);
    }
    CHECK_OK(rest(recording, false));
    // closing the recording ends its inspector and the step that has begun
    (void)observe(recording, NULL);
    CHECK_OK(ksRecordingBeginStep(recording, h, NULL, NULL));
    CHECK_OK(ksRecordingClose(recording));
    char words[KSI_ARCHIVE_WORDS];
    ksiArchive *archive = ksiArchiveOpen(in("bar.h5"), words);
    const uint64_t expected[] = {0, 1, 3, 4, 6};
    ck_assert_uint_eq(ksiArchiveCount(archive), 6);
    for (size_t i = 0; i < 5; i++) {
        unsigned process;
        const ksiStepRecord *record;
        CHECK_OK(ksiArchiveRead(archive, i, &record, &process));
        ck_assert_uint_eq(record->step, expected[i]);
    }
    ck_assert(ksiArchiveClose(archive));
    removeFolder();
}
END_TEST

/* Reports and traces of the inspector outlive the recording, or end before it. */
START_TEST(watched)
{
    makeFolder();
    for (int isLate = 0; isLate < 2; isLate++) {
        ksRecording *recording = recordBar(isLate ? in("bar.h5") : NULL);
        ksInspector *inspector = observe(recording, NULL);
        ksReport *report;
        const ksTraceOptions options = traceOptions();
        ksTrace *trace = traceInto(in(isLate ? "late.h5" : "early.h5"), &options);
        CHECK_OK(ksReportCreate(NULL, &report));
        CHECK_OK(ksReportWatch(report, inspector, "bar"));
        CHECK_OK(ksTraceWatch(trace, inspector, "bar"));
        for (int i = 0; i < 5; i++)
            CHECK_OK(rest(recording, true));
        if (!isLate)
            CHECK_OK(ksRecordingClose(recording));
        size_t failures = 1;
        CHECK_OK(ksReportCheck(report, NULL, &failures));
        ck_assert_uint_eq(failures, 0);
        ksReportDestroy(report);
        CHECK_OK(ksTraceClose(trace));
        if (isLate)
            CHECK_OK(ksRecordingClose(recording));
    }
    removeFolder();
}
END_TEST

/* Each allocation of the inspector fails once: the call or the step report shows it, and the
 * recording and its file continue. */
START_TEST(without_memory)
{
    long place = 0, told = 0;
    makeFolder();
    for (bool isReached = true; isReached; place++) {
        Counter counter = {.refuse = place + 1};
        ksInspectorOptions options;
        ksInspector *inspector = NULL;
        ksRecording *recording = recordBar(in("bar.h5"));
        ksInspectorOptionsInit(&options);
        options.allocator = (ksAllocator){.resize = countingResize, .user = &counter};
        ksStatus status = ksRecordingInspect(recording, &options, &inspector);
        for (int i = 0; i < 3 && inspector; i++) {
            const ksStatus made = rest(recording, false);
            ck_assert(!made || made == KS_ERROR_NO_MEMORY);
            status = status ? status : made;
        }
        isReached = counter.requests >= counter.refuse;
        told += status == KS_ERROR_NO_MEMORY;
        counter.refuse = 0;
        CHECK_OK(ksRecordingInspect(recording, NULL, &inspector));
        CHECK_OK(rest(recording, false));
        ck_assert(ksInspectorGetReaction(inspector, ksRecordingGetJoint(recording, 0))->verdict == KS_VALID ||
                  status == KS_ERROR_NO_MEMORY);
        CHECK_OK(ksRecordingClose(recording));
        ck_assert_int_eq(counter.held, 0);
    }
    ck_assert_int_gt(place, 10);
    ck_assert_int_gt(told, place / 2);
    removeFolder();
}
END_TEST

/* A child of fork() continues a recording that has no file. */
START_TEST(child_of_fork)
{
    ksRecording *recording = recordBar(NULL);
    const ksInspector *inspector = observe(recording, NULL);
    CHECK_OK(rest(recording, false));
    const pid_t child = fork();
    if (child == 0) {
        const bool isSeen = !rest(recording, false) && ksInspectorGetStepReport(inspector)->step == 1;
        _exit(isSeen && !ksRecordingClose(recording) ? 0 : 1);
    }
    int status = 1;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->step, 0);
    CHECK_OK(ksRecordingClose(recording));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("observer");
    TCase *found = tcase_create("found"), *calls = tcase_create("calls"), *forked = tcase_create("forked");
    tcase_add_loop_test(found, as_judged, 0, 2 * MACHINES);
    tcase_add_loop_test(found, beyond_a_window, 0, RAGDOLL);
    tcase_add_test(found, in_closed_form);
    tcase_add_test(calls, callbacks);
    tcase_add_test(calls, joints_that_come);
    tcase_add_test(calls, what_it_cannot_have);
    tcase_add_test(calls, destroyed_by_the_host);
    tcase_add_test(calls, watched);
    tcase_add_test(calls, without_memory);
    tcase_add_test(forked, child_of_fork);
    tcase_set_tags(forked, "fork");
    suite_add_tcase(suite, found);
    suite_add_tcase(suite, calls);
    suite_add_tcase(suite, forked);
    return runSuite(suite);
}
