/* check_view_command.c  kinetostat --frames: the pictures of a program that knows nothing of it are those of its world, pixel by pixel;
 * and the program goes as it does alone.
 *
 * This test is that program, too: check_view_command subject SCENE STEPPER, which prints what it has come to, to the bit. */
#include "view_kit.h"

#include "plugin/base/sanitizer.h"

#include <png.h>
#include <sys/stat.h>

enum { FRAME_WIDTH = 1280, FRAME_HEIGHT = 720 };

typedef unsigned char Frame[FRAME_HEIGHT][FRAME_WIDTH][3];

static const char *self, *name; /* of this program, and without its folder */

/* A machine on legs, with shapes, contacts and ground; a chain without shapes, of more steps than are judged in one go. */
typedef struct Story {
    const char *scene, *stepper;
    double h;
    int steps;
} Story;
static const Story story[] = {
    {"hexapod", "world", 0.005, 40}, {"ragdoll", "quick", 0.005, 40}, {"chain", "quick", 0.0002, 1100}};
enum { STORIES = sizeof story / sizeof *story };

static Scene *makeScene(const Story *told)
{
    if (strcmp(told->scene, "chain") == 0)
        return sceneChain(6, SCENE_FALLING);
    int kind = 0;
    while (strcmp(sceneKind[kind].name, told->scene) != 0)
        kind++;
    return sceneKind[kind].make(&sceneSurface[SURFACE_APPROX1], told->h);
}

/* What stands still is seen, too. */
static dGeomID hangLamp(const Scene *scene)
{
    const dGeomID lamp = scene->space ? dCreateSphere(scene->space, 0.1) : NULL;
    if (lamp)
        dGeomSetPosition(lamp, 0, 0, 1.5);
    return lamp;
}

static bool isQuick(const Story *told)
{
    return strcmp(told->stepper, "quick") == 0;
}

/* --- The program --- */

/* Goes through its space geom by geom, one in each step, while a lamp comes to the head of the space's list: what is next depends on where
 * the space believes the last one to be. */
static void printGeom(dSpaceID space, dGeomID lamp, int step)
{
    enum { SELDOM = 3 };
    const int count = space ? dSpaceGetNumGeoms(space) : 0;
    if (count == 0)
        return;
    if (step % SELDOM == 0)
        dGeomSetPosition(lamp, 0, 0, 1.5);
    const dGeomID geom = dSpaceGetGeom(space, step % count);
    if (!geom) {
        puts("none");
        return;
    }
    printf("%d", dGeomGetClass(geom));
    if (dGeomGetClass(geom) != dPlaneClass)
        printf(" %a", dGeomGetPosition(geom)[2]);
    putchar('\n');
}

static int runSubject(const Story *told)
{
    dInitODE2(0);
    Scene *scene = makeScene(told);
    const dGeomID lamp = hangLamp(scene);
    for (int i = 0; i < told->steps; i++) {
        sceneBeforeStep(scene);
        (void)(isQuick(told) ? dWorldQuickStep : dWorldStep)(scene->world, told->h);
        sceneAfterStep(scene);
        printGeom(scene->space, lamp, i);
    }
    for (int i = 0; i < scene->bodyCount; i++) {
        const dReal *at = dBodyGetPosition(scene->body[i]), *turn = dBodyGetQuaternion(scene->body[i]);
        printf("%a %a %a %a %a %a %a\n", at[0], at[1], at[2], turn[0], turn[1], turn[2], turn[3]);
    }
    sceneDestroy(scene);
    dCloseODE();
    return 0;
}

/* --- What it leads to --- */

static char folder[64];

static void openFolder(void)
{
    snprintf(folder, sizeof folder, "/tmp/check_view_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static int shell(const char *format, ...)
{
    char command[4096];
    va_list value;
    va_start(value, format);
    vsnprintf(command, sizeof command, format, value);
    va_end(value);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void closeFolder(void)
{
    ck_assert_int_eq(shell("rm -r %s", folder), 0);
}

static bool readPicture(const char *pictures, const char *program, int number, Frame out)
{
    char path[4096];
    png_image image = {.version = PNG_IMAGE_VERSION};
    snprintf(path, sizeof path, "%s/%s/%s-%05d.png", folder, pictures, program, number);
    if (!png_image_begin_read_from_file(&image, path))
        return false;
    image.format = PNG_FORMAT_RGB;
    ck_assert_uint_eq(image.width, FRAME_WIDTH);
    ck_assert_uint_eq(image.height, FRAME_HEIGHT);
    ck_assert(png_image_finish_read(&image, NULL, out, 0, NULL));
    return true;
}

static Frame expected, found;

static void comparePicture(const char *pictures, const char *program, int number)
{
    int different = 0;
    CHECK_OK(ksViewDraw(view));
    CHECK_OK(ksViewReadPixels(view, &expected[0][0][0]));
    ck_assert_msg(readPicture(pictures, program, number, found), "%s: no picture %d", pictures, number);
    for (int y = 0; y < FRAME_HEIGHT; y++)
        for (int x = 0; x < FRAME_WIDTH; x++)
            different += memcmp(expected[y][x], found[y][x], 3) != 0;
    ck_assert_msg(different == 0, "%s: picture %d: %d pixels differ", pictures, number, different);
}

/* The same world, here, seen as a host sees its own. */
static void comparePictures(const Story *told, const char *pictures, const char *program)
{
    char title[160];
    ksViewWish wish = {0};
    ksViewOptions options = smallOptions();
    ksInspectorOptions judge = defaultOptions();
    judge.estimateSweeps = 40;
    options.width = FRAME_WIDTH;
    options.height = FRAME_HEIGHT;
    CHECK_OK(ksViewCreate(&options, &view));
    dl_iterate_phdr(keepLoaded, NULL);
    dRandSetSeed(0);
    Scene *scene = makeScene(told);
    hangLamp(scene);
    ksInspector *inspector = inspectWith(scene->world, &judge);
    int pictureCount = 0, due = 0;
    for (int i = 0; i < told->steps; i++) {
        sceneBeforeStep(scene);
        CHECK_OK(inspectedStep(inspector, isQuick(told) ? KS_QUICK_STEP : KS_WORLD_STEP, told->h));
        if (i == 0) {
            snprintf(title, sizeof title, "%s, world 1", program);
            CHECK_OK(ksViewWatch(view, NULL, NULL, title));
            CHECK_OK(ksViewPoll(view, told->h, &wish));
        }
        CHECK_OK(ksViewFollow(view, inspector, scene->space, 0));
        for (due -= due > 0; due == 0; due = wish.steps) {
            comparePicture(pictures, program, ++pictureCount);
            CHECK_OK(ksViewPoll(view, told->h, &wish));
        }
        if (i == told->steps - 1)
            comparePicture(pictures, program, ++pictureCount);
        sceneAfterStep(scene);
    }
    ck_assert_int_gt(pictureCount, 10);
    ck_assert(!readPicture(pictures, program, pictureCount + 1, found));
    closeView();
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}

START_TEST(pictures_are_those_of_the_world)
{
    const Story *told = &story[_i];
    ck_assert_int_eq(shell("%s subject %s %s >%s/plain", self, told->scene, told->stepper, folder), 0);
    ck_assert_int_eq(shell("./kinetostat --quiet --frames %s/live %s subject %s %s >%s/output", folder, self,
                           told->scene, told->stepper, folder),
                     0);
    ck_assert_int_eq(shell("cmp %s/plain %s/output", folder, folder), 0);
    comparePictures(told, "live", name);
}
END_TEST

/* A recording can be looked at later. */
START_TEST(so_are_those_of_a_recording)
{
    const Story *told = &story[0];
    const int status =
        shell("./kinetostat --quiet --record-only --trace-raw %s/run.h5 %s subject %s %s 2>%s/words >%s/output", folder,
              self, told->scene, told->stepper, folder, folder);
    // a build without HDF5 has no recordings
    if (shell("grep -q 'without HDF5' %s/words", folder) == 0)
        return;
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(shell("./kinetostat judge --quiet --frames %s/later %s/run.h5", folder, folder), 0);
    comparePictures(told, "later", "run.h5");
}
END_TEST

/* The disk is no place for pictures: the run ends well, and the command says that it did not. */
START_TEST(missing_pictures_are_told)
{
    ck_assert_int_eq(shell("mkdir %s/frames && ln -s /dev/full %s/frames/%s-00003.png", folder, folder, name), 0);
    ck_assert_int_eq(shell("./kinetostat --quiet --frames %s/frames %s subject hexapod world >%s/output 2>%s/words",
                           folder, self, folder, folder),
                     125);
    ck_assert_int_eq(shell("grep -q 'frames.*-00003.png' %s/words && test -s %s/output", folder, folder), 0);
}
END_TEST

int main(int count, char *argument[])
{
    const char *slash = strrchr(argument[0], '/');
    self = argument[0];
    name = slash ? slash + 1 : argument[0];
    for (int i = 0; i < STORIES && count == 4; i++)
        if (strcmp(argument[2], story[i].scene) == 0 && strcmp(argument[3], story[i].stepper) == 0)
            return runSubject(&story[i]);
#ifdef KSI_ADDRESS_SANITIZER
    puts("an address sanitizer has to be loaded first, and so does the wrapper");
    return 77;
#endif
    if (access("./kinetostat", X_OK) || access("/proc/self/fd", X_OK)) {
        puts("there is no command, or no /proc");
        return 77;
    }
    Suite *suite = suite_create("view of the command");
    TCase *test = tcase_create("pictures");
    tcase_add_checked_fixture(test, openFolder, closeFolder);
    tcase_add_loop_test(test, pictures_are_those_of_the_world, 0, STORIES);
    tcase_add_test(test, so_are_those_of_a_recording);
    tcase_add_test(test, missing_pictures_are_told);
    suite_add_tcase(suite, test);
    return canDraw() ? runSuite(suite) : 77;
}
