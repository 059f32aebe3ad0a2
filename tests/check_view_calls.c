/* check_view_calls.c  Calls of the view: arguments, steps that are due, keys, files; and that the host does not notice. */
#include "view_kit.h"

#include "plugin/view/history.h"

#include <fenv.h>

static const double h = 0.01;

static ksViewWish poll(double stepSize)
{
    ksViewWish wish;
    CHECK_OK(ksViewPoll(view, stepSize, &wish));
    return wish;
}

/* Steps of `frames` frames. */
static int due(int frames, double stepSize)
{
    int steps = 0;
    for (int i = 0; i < frames; i++)
        steps += poll(stepSize).steps;
    return steps;
}

START_TEST(pictures_follow_the_frame_rate)
{
    // 60 frames a second
    ck_assert_int_eq(poll(0.001).steps, 0);
    ck_assert_int_eq(due(60, 0.001), 1000);
    ck_assert_int_eq(due(6, 0.001), 100);
    ck_assert_int_eq(due(120, 0.02), 100);
    press('[');
    press('[');
    ck_assert_int_eq(due(60, 0.001), 250);
    press(']');
    ck_assert_int_eq(due(60, 0.001), 500);
    press(' ');
    ck_assert_int_eq(due(60, 0.001), 0);
    press('.');
    press('.');
    press(KS_VIEW_KEY_RIGHT);
    ck_assert_int_eq(poll(0.001).steps, 3);
    ck_assert_int_eq(due(10, 0.001), 0);
    press(' ');
    ck_assert_int_eq(due(60, 0.001), 500);
}
END_TEST

START_TEST(keys_wish_for_iterations)
{
    Scene *scene = sceneChain(3, SCENE_HANGING);
    ksInspector *inspector = inspect(scene->world);
    press(KS_VIEW_KEY_UP);
    ck_assert_int_eq(poll(h).iterations, 0);
    CHECK_OK(ksViewWatch(view, inspector, NULL, NULL));
    static const struct {
        int now, key, next;
    } table[] = {{20, KS_VIEW_KEY_UP, 50}, {20, KS_VIEW_KEY_DOWN, 10}, {50, KS_VIEW_KEY_UP, 100},
                 {1, KS_VIEW_KEY_DOWN, 1}, {1, KS_VIEW_KEY_UP, 2},     {7, KS_VIEW_KEY_UP, 10},
                 {7, KS_VIEW_KEY_DOWN, 5}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        dWorldSetQuickStepNumIterations(scene->world, table[i].now);
        press(table[i].key);
        ck_assert_int_eq(poll(h).iterations, table[i].next);
        // once; and the world is the host's
        ck_assert_int_eq(poll(h).iterations, 0);
        ck_assert_int_eq(dWorldGetQuickStepNumIterations(scene->world), table[i].now);
    }
    press(KS_VIEW_KEY_UP);
    press(KS_VIEW_KEY_UP);
    ck_assert_int_eq(poll(h).iterations, 20);
    ck_assert_int_eq(poll(h).closed, 0);
    press(KS_VIEW_KEY_ESCAPE);
    ck_assert_int_eq(poll(h).closed, 1);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* What has been cannot be stepped otherwise. */
START_TEST(nobody_wishes_for_iterations_of_the_past)
{
    ksViewOptions options = smallOptions();
    Scene *scene = sceneChain(3, SCENE_HANGING);
    ksInspector *inspector = inspect(scene->world);
    closeView();
    options.isPast = 1;
    CHECK_OK(ksViewCreate(&options, &view));
    CHECK_OK(ksViewWatch(view, inspector, NULL, NULL));
    press(KS_VIEW_KEY_UP);
    ck_assert_int_eq(poll(h).iterations, 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The chart has the steps of both inspectors, by the time of the world: the picture is as if one of them had seen all. */
START_TEST(another_inspector_of_the_same_world)
{
    static unsigned char whole[HEIGHT][WIDTH][3];
    enum { STEPS = 20, CHANGE = 12 };
    for (int isChanged = 0; isChanged < 2; isChanged++) {
        closeView();
        openView();
        Scene *scene = sceneChain(3, SCENE_FALLING);
        ksInspector *inspector = inspect(scene->world);
        CHECK_OK(ksViewWatch(view, NULL, NULL, "chain"));
        for (int i = 0; i < STEPS; i++) {
            if (isChanged && i == CHANGE) {
                ksInspectorDestroy(inspector);
                inspector = inspect(scene->world);
            }
            CHECK_OK(ksInspectorStep(inspector, h));
            CHECK_OK(ksViewFollow(view, inspector, NULL, isChanged && i >= CHANGE ? CHANGE * h : 0));
            if (i == CHANGE / 2)
                draw();
        }
        draw();
        if (isChanged)
            ck_assert_mem_eq(pixels, whole, sizeof whole);
        memcpy(whole, pixels, sizeof whole);
        ksInspectorDestroy(inspector);
        sceneDestroy(scene);
    }
}
END_TEST

START_TEST(bad_arguments_are_refused)
{
    ksViewOptions options = smallOptions();
    ksViewWish wish;
    ksView *other = NULL;
    double clip[16], scale;
    const double eye[3] = {1, 0, 0}, target[3] = {0}, above[3] = {0, 0, 2};
    options.width = 0;
    CHECK_STATUS(ksViewCreate(&options, &other), KS_ERROR_BAD_ARGUMENT);
    options = smallOptions();
    options.frameRate = (double)NAN;
    CHECK_STATUS(ksViewCreate(&options, &other), KS_ERROR_BAD_ARGUMENT);
    options = smallOptions();
    options.size--;
    CHECK_STATUS(ksViewCreate(&options, &other), KS_ERROR_BAD_ARGUMENT);
    options = smallOptions();
    options.reserved[3] = 1;
    CHECK_STATUS(ksViewCreate(&options, &other), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewCreate(&options, NULL), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_null(other);
    CHECK_STATUS(ksViewPoll(view, 0, &wish), KS_ERROR_BAD_ARGUMENT);
    ck_assert_str_eq(ksErrorMessage(), "ksViewPoll: stepSize is 0, must be finite and > 0");
    CHECK_STATUS(ksViewPoll(view, 1, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewPoll(NULL, 1, &wish), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewWatch(NULL, NULL, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewFollow(view, NULL, NULL, 0), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewDraw(NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewPress(NULL, 'e'), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewSetCamera(view, target, target), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewSetCamera(view, above, target), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewSetCamera(view, eye, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewGetClip(view, clip), KS_ERROR_UNAVAILABLE);
    CHECK_STATUS(ksViewGetArrowScale(view, &scale), KS_ERROR_UNAVAILABLE);
    CHECK_STATUS(ksViewReadPixels(view, &pixels[0][0][0]), KS_ERROR_UNAVAILABLE);
    CHECK_STATUS(ksViewWritePng(view, "frame.png"), KS_ERROR_UNAVAILABLE);
    CHECK_OK(ksViewSetCamera(view, eye, target));
    press('?');
    ksViewDestroy(NULL);
    ksViewOptionsInit(NULL);
}
END_TEST

/* What a reader of PNG looks at first, and a path that cannot be. */
START_TEST(a_frame_is_a_png_file)
{
    char path[] = "/tmp/check_view_XXXXXX";
    unsigned char head[24];
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    draw();
    CHECK_OK(ksViewWritePng(view, path));
    FILE *stream = fopen(path, "rb");
    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fread(head, 1, sizeof head, stream), sizeof head);
    fclose(stream);
    remove(path);
    ck_assert_int_eq(memcmp(head, "\x89PNG\r\n\x1a\n", 8), 0);
    ck_assert_int_eq(head[18] * 256 + head[19], WIDTH);
    ck_assert_int_eq(head[22] * 256 + head[23], HEIGHT);
    CHECK_STATUS(ksViewWritePng(view, "/nowhere/frame.png"), KS_ERROR_FILE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "/nowhere/frame.png"));
}
END_TEST

/* All features of the engine, seen in every step: the same trajectory to the bit, and the same flags and traps. */
START_TEST(the_world_goes_as_without_a_view)
{
    enum { STEPS = 25 };
    Scene *seen = sceneZoo(), *alone = sceneZoo();
    ksInspector *inspector = inspect(seen->world);
    CHECK_OK(ksViewWatch(view, inspector, seen->space, "zoo"));
    feclearexcept(FE_ALL_EXCEPT);
    ck_assert_int_ne(feenableexcept(FE_DIVBYZERO | FE_INVALID), -1);
    for (int i = 0; i < STEPS; i++) {
        sceneBeforeStep(alone);
        dWorldStep(alone->world, 0.005);
        sceneAfterStep(alone);
        sceneBeforeStep(seen);
        CHECK_OK(ksInspectorStep(inspector, 0.005));
        sceneAfterStep(seen);
        feclearexcept(FE_ALL_EXCEPT);
        feraiseexcept(FE_UNDERFLOW);
        draw();
        ck_assert_int_eq(fetestexcept(FE_ALL_EXCEPT), FE_UNDERFLOW);
        ck_assert_int_eq(fegetexcept(), FE_DIVBYZERO | FE_INVALID);
    }
    fedisableexcept(FE_ALL_EXCEPT);
    ck_assert_int_eq(sceneSameState(seen, alone), 1);
    ksInspectorDestroy(inspector);
    sceneDestroy(seen);
    sceneDestroy(alone);
}
END_TEST

/* Inspector and view may go in either order; another world may take its place; joints may go while they are watched. */
START_TEST(what_is_watched_may_go)
{
    Scene *first = sceneChain(4, SCENE_FALLING), *second = sceneFourbar(&sceneLinkage);
    ksInspector *inspector = inspect(first->world), *other = inspect(second->world);
    CHECK_OK(ksViewWatch(view, inspector, NULL, "first"));
    CHECK_OK(ksViewWatch(view, inspector, NULL, "first again"));
    draw();
    for (int i = 0; i < 4; i++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        draw();
        press(KS_VIEW_KEY_TAB);
        press('w');
        dJointDestroy(first->joint[i]);
    }
    CHECK_OK(ksInspectorStep(inspector, h));
    draw();
    ksInspectorDestroy(inspector);
    draw();
    CHECK_OK(ksViewWatch(view, other, NULL, NULL));
    CHECK_OK(ksInspectorStep(other, h));
    draw();
    ck_assert_int_gt(countAll(verdictColour(KS_INDETERMINATE)) + countAll(verdictColour(KS_VALID)), 100);
    closeView();
    // nobody is told any longer
    CHECK_OK(ksInspectorStep(other, h));
    ksInspectorDestroy(other);
    sceneDestroy(first);
    sceneDestroy(second);
}
END_TEST

/* Two at a time, each with its own context. */
START_TEST(views_do_not_disturb_each_other)
{
    ksViewOptions options = smallOptions();
    ksView *first = view, *second = NULL;
    Scene *scene = sceneFourbar(&sceneLinkage);
    ksInspector *inspector = inspect(scene->world);
    options.width = 200;
    options.height = 100;
    CHECK_OK(ksViewWatch(first, inspector, NULL, NULL));
    CHECK_OK(ksInspectorStep(inspector, h));
    draw();
    CHECK_OK(ksViewCreate(&options, &second));
    CHECK_OK(ksViewDraw(second));
    int width, height;
    ksViewGetSize(second, &width, &height);
    ck_assert_int_eq(width, 200);
    ck_assert_int_eq(height, 100);
    ksViewDestroy(second);
    static unsigned char before[HEIGHT][WIDTH][3];
    memcpy(before, pixels, sizeof before);
    // drawn anew, in its own context
    press('l');
    draw();
    ck_assert_int_ne(memcmp(before, pixels, sizeof before), 0);
    // the camera is at rest: the same picture again
    press('l');
    draw();
    ck_assert_int_eq(memcmp(before, pixels, sizeof before), 0);
    ck_assert_str_ne(ksViewGetRenderer(first), "");
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A body at no finite place, and one without an extent: the others are seen. */
START_TEST(odd_bodies_are_left_out)
{
    dWorldID world = heavyWorld();
    dBodyID body = addBall(world, 1, 0.2, 0, 0);
    addBall(world, 1, 1e-6, 0.5, 0);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksViewWatch(view, inspector, NULL, NULL));
    CHECK_OK(ksInspectorStep(inspector, h));
    dBodySetPosition(body, 1, _i ? (double)INFINITY : (double)NAN, 0);
    draw();
    dBodySetPosition(body, 0, 0, 0);
    draw();
    double pixel[2];
    project(dBodyGetPosition(body), pixel);
    ck_assert_int_lt(pixels[(int)pixel[1]][(int)pixel[0]][0], 200);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* What the chart shows: a number among the type, the oldest first, or the given name; the forces of each step. */
START_TEST(joints_have_a_history)
{
    Scene *scene = sceneChain(3, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    ksiForceHistory history = {.steps = 0};
    char name[64];
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[2], "tip"));
    for (unsigned long step = 0; step < 5; step++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        ck_assert(ksiHistoryAdd(&history, inspector));
        for (int i = 0; i < 3; i++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[i]);
            const ksiTrack *track = ksiHistoryFind(&history, scene->joint[i]);
            ck_assert_ptr_nonnull(track);
            ck_assert(track->moment[step].force[KS_PHYSICAL] == (float)length3(reaction->physical[0].force));
        }
    }
    ck_assert_uint_eq(history.steps, 5);
    ck_assert_ptr_eq(history.chosen, scene->joint[0]);
    ksiHistoryNext(&history);
    ck_assert_ptr_eq(history.chosen, scene->joint[1]);
    static const char *const names[] = {"hinge 1", "hinge 2", "tip"};
    for (int i = 0; i < 3; i++) {
        ksiHistoryName(&history, inspector, scene->joint[i], name);
        ck_assert_str_eq(name, names[i]);
    }
    // the chart goes on with another one
    dJointDestroy(scene->joint[1]);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert(ksiHistoryAdd(&history, inspector));
    ck_assert_ptr_null(ksiHistoryFind(&history, scene->joint[1]));
    ck_assert_ptr_eq(history.chosen, scene->joint[0]);
    ksiHistoryFree(&history);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view calls");
    TCase *test = tcase_create("calls");
    tcase_add_checked_fixture(test, openView, closeView);
    tcase_add_test(test, pictures_follow_the_frame_rate);
    tcase_add_test(test, keys_wish_for_iterations);
    tcase_add_test(test, nobody_wishes_for_iterations_of_the_past);
    tcase_add_test(test, another_inspector_of_the_same_world);
    tcase_add_test(test, bad_arguments_are_refused);
    tcase_add_test(test, a_frame_is_a_png_file);
    tcase_add_test(test, the_world_goes_as_without_a_view);
    tcase_add_test(test, what_is_watched_may_go);
    tcase_add_test(test, views_do_not_disturb_each_other);
    tcase_add_loop_test(test, odd_bodies_are_left_out, 0, 2);
    tcase_add_test(test, joints_have_a_history);
    suite_add_tcase(suite, test);
    return canDraw() ? runSuite(suite) : 77;
}
