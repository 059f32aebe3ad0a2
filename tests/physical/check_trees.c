/* check_trees.c  Physical values of trees under dWorldQuickStep: the tree's own values, unless its
 * velocities leave them undetermined. They are compared with statics, and with the mean force of
 * the motion less the part that the velocities at both ends of a window explain. */
#include "tests/bench/truth/departure.h"
#include "tests/kits/support.h"

#include "demos/scenes/scenes_private.h"

static const double h = 0.005, gravity = 9.81;

static Scene *weldedBars(const double *mass, int count, double length)
{
    Scene *scene = sceneCreate(count, count);
    ck_assert_ptr_nonnull(scene);
    for (int i = 0; i < count; i++) {
        const double from[3] = {i * length, 0, 0}, to[3] = {(i + 1) * length, 0, 0};
        sceneAddFixed(scene, sceneAddBar(scene, mass[i], from, to), i ? scene->body[i - 1] : NULL);
    }
    return scene;
}

/* From 0.2 to 1.8 times the step */
static double unevenStep(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return h * (0.2 + 1.6 * (double)(*state >> 11) / 9007199254740992.0);
}

/* Each weld carries the weight beyond it in each step, and the bar of that force is short: a
 * structure without freedom has no velocities. */
static void checkWelds(Scene *scene, bool isUneven)
{
    enum { STEPS = 600, SETTLED = 100, MOST = 16 };
    const double statics = 1e-9, mostBar = 0.01; /* of the load */
    unsigned long long state = 1;
    double bar[(STEPS - SETTLED) * MOST], noise = 0;
    size_t count = 0;
    ksInspector *inspector = inspect(scene->world);
    ck_assert_int_le(scene->jointCount, MOST);
    for (int i = 0; i < STEPS; i++) {
        double load = 0;
        CHECK_OK(ksInspectorQuickStep(inspector, isUneven ? unevenStep(&state) : h));
        for (int j = scene->jointCount; j-- > 0;) {
            const ksWrenchTerm term = {.joint = scene->joint[j], .body = scene->body[j]};
            dMass mass;
            ksWrenchSum sum;
            dBodyGetMass(scene->body[j], &mass);
            load += mass.mass * gravity;
            CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, KS_PHYSICAL, NULL, &sum));
            ck_assert_double_eq_tol(sum.wrench.force[2], load, statics * load);
            ck_assert_double_le(fabs(sum.wrench.force[2] - load), sum.bar.force[2] + statics * load);
            if (i >= SETTLED)
                bar[count++] = sum.bar.force[2] / load;
            CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, KS_ENGINE, NULL, &sum));
            noise = fmax(noise, fabs(sum.wrench.force[2] - load) / load);
        }
    }
    qsort(bar, count, sizeof *bar, ascending);
    printf("engine off by up to %.2g of the load, median bar %.1e\n", noise, bar[count / 2]);
    ck_assert_double_ge(noise, 0.1);  // otherwise the test proves nothing
    ck_assert_double_le(bar[count / 2], mostBar);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}

/* A force sensor between a wall and a beam of 2 kg. */
START_TEST(sensor_reads_the_weight)
{
    static const double light[] = {0.1, 0.02, 0.01, 0.002};
    const double mass[2] = {light[_i / 2], 2};
    checkWelds(weldedBars(mass, 2, 0.2), _i % 2);
}
END_TEST

START_TEST(wing_carries_its_weight)
{
    const double mass[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    checkWelds(weldedBars(mass, 10, 0.2), _i);
}
END_TEST

/* Whole windows of time in which a joint's mean force is off by more than its bar, and their
 * number. */
typedef struct Windows {
    int outside, count, adopted;
    double off[4096]; /* of the engine's mean, relative */
} Windows;

typedef struct JointSum {
    double physical[3], engine[3], departure[3], bar;
} JointSum;

static double distance(const JointSum *sum, double share)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double off = sum->physical[k] - sum->engine[k] + share * sum->departure[k];
        square += off * off;
    }
    return sqrt(square);
}

static void closeWindow(const JointSum *sum, Windows *windows)
{
    const double off = distance(sum, 0), load = length3(sum->engine);
    windows->outside += fmin(off, distance(sum, 1)) > sum->bar + 1e-9 * load;
    windows->off[windows->count++] = off / load;
    ck_assert_int_lt(windows->count, (int)(sizeof windows->off / sizeof *windows->off));
}

/* Counts from the third window on. */
static void watch(Scene *scene, double duration, bool isUneven, Windows *windows)
{
    enum { MOST = 64 };
    const double window = 0.2;
    unsigned long long state = 1;
    ksInspector *inspector = inspect(scene->world);
    TruthDeparture *departure = truthDepartureOpen(scene, inspector);
    JointSum sum[MOST] = {{.bar = 0}};
    ksWrench last[2 * MOST], now[2 * MOST];
    dRandSetSeed(7);  // for the engine's order of rows
    *windows = (Windows){.count = 0};
    ck_assert_ptr_nonnull(departure);
    ck_assert_int_le(scene->jointCount, MOST);
    double within = 0, past = 0;
    while (past < duration) {
        const double step = isUneven ? unevenStep(&state) : h;
        sceneBeforeStep(scene);
        truthDepartureBefore(departure);
        CHECK_OK(ksInspectorQuickStep(inspector, step));
        truthDepartureAfter(departure, step, last, now);
        const bool isOver = within >= window;
        for (int j = 0; j < scene->jointCount; j++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[j]);
            const int side = reaction->body[0] ? 0 : 1;
            const ksWrenchTerm term = {.joint = scene->joint[j], .body = reaction->body[side]};
            ksWrenchSum force;
            CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, KS_PHYSICAL, NULL, &force));
            for (int k = 0; k < 3; k++)
                sum[j].departure[k] += last[2 * j + side].force[k];
            if (isOver && past > 3 * window)
                closeWindow(&sum[j], windows);
            sum[j] = isOver ? (JointSum){.bar = 0} : sum[j];
            for (int k = 0; k < 3; k++) {
                sum[j].physical[k] += step * reaction->physical[side].force[k];
                sum[j].engine[k] += step * reaction->engine[side].force[k];
                sum[j].departure[k] += now[2 * j + side].force[k];
            }
            sum[j].bar += step * length3(force.bar.force);
            windows->adopted += (reaction->reasons & KS_REASON_ADOPTED) != 0;
        }
        within = (isOver ? 0 : within) + step;
        past += step;
        sceneAfterStep(scene);
    }
    qsort(windows->off, (size_t)windows->count, sizeof *windows->off, ascending);
    printf("%d of %d windows outside, off by %.2g in the median, adopted in %d joint-steps\n", windows->outside,
           windows->count, windows->off[windows->count / 2], windows->adopted);
    truthDepartureClose(departure);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}

/* 50 kg on ten links of 1 kg, released half a radian from the vertical. */
static Scene *loadOnChain(void)
{
    enum { LINKS = 10 };
    const double lean = 0.5, length = 0.1, down[3] = {sin(lean), 0, -cos(lean)};
    Scene *scene = sceneCreate(LINKS + 1, LINKS + 1);
    ck_assert_ptr_nonnull(scene);
    double near[3] = {0};
    for (int i = 0; i <= LINKS; i++) {
        double far[3];
        for (int k = 0; k < 3; k++)
            far[k] = (i < LINKS ? i + 1 : i + 3) * length * down[k];
        dBodyID body = sceneAddBar(scene, i < LINKS ? 1 : 50, near, far);
        sceneAddHinge(scene, body, i ? scene->body[i - 1] : NULL, near, (const double[3]){0, 1, 0});
        memcpy(near, far, sizeof near);
    }
    return scene;
}

/* Light links under a heavy load: the rates that the engine leaves in their joints are no force of
 * the mechanism. */
START_TEST(heavy_load_hangs_by_its_weight)
{
    const double median = 0.02, largest = 0.1; /* of the load */
    Windows windows;
    watch(loadOnChain(), 4, false, &windows);
    ck_assert_int_eq(windows.outside, 0);
    ck_assert_int_gt(windows.adopted, 0);
    ck_assert_double_le(windows.off[windows.count / 2], median);
    ck_assert_double_le(windows.off[windows.count - 1], largest);
}
END_TEST

/* In steps of 1 to 9 ms, velocities that correct errors do not count as the mechanism's. */
START_TEST(steps_that_vary)
{
    Windows windows;
    watch(_i ? driftTrebuchet(NULL, h) : driftCrane(NULL, h), 4.5, true, &windows);
    ck_assert_int_le(100 * windows.outside, windows.count);
}
END_TEST

/* Four links swing from the horizontal, solved exactly: their rates are the mechanism's, and no
 * value is the engine's. */
START_TEST(own_solution_stays)
{
    const double pivot[3] = {0, 0, 0};
    Scene *scene = sceneCreate(4, 4);
    ck_assert_ptr_nonnull(scene);
    for (int i = 0; i < 4; i++) {
        const double near[3] = {0.1 * i, 0, 0}, far[3] = {0.1 * (i + 1), 0, 0};
        dBodyID link = sceneAddBar(scene, 1, near, far);
        sceneAddHinge(scene, link, i ? scene->body[i - 1] : NULL, i ? near : pivot, (const double[3]){0, 1, 0});
    }
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 600; i++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        for (int j = 0; j < scene->jointCount; j++)
            ck_assert(!(ksInspectorGetReaction(inspector, scene->joint[j])->reasons & KS_REASON_ADOPTED));
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("trees");
    tcase_set_timeout(test, 60);
    tcase_add_loop_test(test, sensor_reads_the_weight, 0, 8);
    tcase_add_loop_test(test, wing_carries_its_weight, 0, 2);
    tcase_add_test(test, heavy_load_hangs_by_its_weight);
    tcase_add_loop_test(test, steps_that_vary, 0, 2);
    tcase_add_test(test, own_solution_stays);
    return runCase("trees", test);
}
