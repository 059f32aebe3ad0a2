/* check_linkage_story.c  The demo `linkage`: mobility against the count of freedoms, and
 * self-stresses against their closed forms. */
#include "tests/kits/story_kit.h"

enum { ITERATIONS = 200 };
static const double coarsest = 0.01, duration = 0.3; /* s */

/* Unit wrenches on unit screws at most 1 m away. QuickStep's hinges tilt by up to 0.01 rad, and
 * free directions belong to the nearest fitting pose. */
static const double tolerance[] = {[KS_WORLD_STEP] = 1e-4, [KS_QUICK_STEP] = 2e-2};

static const struct {
    int count, selfStresses, leastFree, mostFree;
} expected[LINKAGE_KINDS] = {
    [LINKAGE_FOURBAR] = {-2, 3, 3, 3},
    [LINKAGE_CRANKS] = {-6, 7, 4, 4},
    [LINKAGE_BENNETT] = {-2, 3, 3, 3},
    [LINKAGE_SARRUS] = {0, 1, 1, 1},
};

START_TEST(linkages)
{
    const MobileLinkage kind = (MobileLinkage)(_i / WAYS);
    Kit kit = silentKit();
    const KitWay way = storyWay(_i % WAYS, ITERATIONS, coarsest, duration);
    KitRun run = linkageBegin(&kit, kind, way);
    LinkageFigures f;
    while (linkageStep(&run, kind, &f)) {
        ck_assert_int_eq(f.count, expected[kind].count);
        ck_assert_int_eq(f.mobility, 1);
        ck_assert_int_eq(f.selfStresses, expected[kind].selfStresses);
        ck_assert_int_eq(f.leastFree, expected[kind].leastFree);
        ck_assert_int_eq(f.mostFree, expected[kind].mostFree);
        ck_assert_double_le(f.off, tolerance[way.stepper]);
        if (kind == LINKAGE_CRANKS)
            ck_assert_double_gt(f.open, 0.1);
    }
    // it falls; Bennett's linkage is the slowest
    ck_assert_double_gt(f.way, 0.02);
    kitEnd(&run);
}
END_TEST

/* The free direction of each of Sarrus's hinges is the torque about the direction of the platform's
 * motion; bars in the plane have a force across it and the torques in it. */
START_TEST(directions)
{
    const MobileLinkage kind = _i / WAYS ? LINKAGE_SARRUS : LINKAGE_FOURBAR;
    Kit kit = silentKit();
    const KitWay way = storyWay(_i % WAYS, ITERATIONS, coarsest, duration);
    KitRun run = linkageBegin(&kit, kind, way);
    LinkageFigures f;
    while (linkageStep(&run, kind, &f))
        for (int i = 0; i < run.scene->jointCount; i++) {
            const ksReaction *reaction = ksInspectorGetReaction(run.inspector, run.scene->joint[i]);
            for (int k = 0; k < reaction->freeCount; k++) {
                const ksWrench *free = &reaction->freeDirection[k];
                if (kind == LINKAGE_SARRUS) {
                    ck_assert_double_le(length3(free->force), tolerance[way.stepper]);
                    ck_assert_double_eq_tol(fabs(free->torque[2]), 1, tolerance[way.stepper]);
                } else {
                    ck_assert_double_le(hypot(free->force[0], free->force[2]), tolerance[way.stepper]);
                    ck_assert_double_le(fabs(free->torque[1]), tolerance[way.stepper]);
                }
            }
        }
    kitEnd(&run);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("linkages");
    tcase_add_loop_test(tcase, linkages, 0, LINKAGE_KINDS * WAYS);
    tcase_add_loop_test(tcase, directions, 0, 2 * WAYS);
    return runCase("linkage story", tcase);
}
