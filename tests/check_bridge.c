/* check_bridge.c  The demo `bridge`: the bar that must break, when, and by what load; all bars until then. */
#include "story_kit.h"

/* Of the limit of 130 kN. dWorldStep leaves the bars longer by 1e-5; under QuickStep with 50 iterations the deck sags by
 * 1 cm in 24 m, and physical values are those of the pose in which the bars fit. */
static const double tolerance = 1e-3;
/* With gaps of 2 cm between nodes 4 m apart the bridge of the pose is another one by some thousandths. */
static const double looseTolerance = 5e-3;
static const double limit = 130e3;
enum { ITERATIONS = 50, FEW = 20 };
static const double coarsest = 0.01, duration = 1.15; /* s */

/* The statics by hand, for the first truss with the lorry over B2: moments about T2, B3, and the forces at B1 and T3. */
START_TEST(method_of_joints)
{
    const double rounding = 1e-9, g = SCENE_GRAVITY, lorry = 0.6 * 20000 * g, deck = 400 * g, top = 150 * g;
    const double support = lorry * 4 / 6 + 2.5 * (deck + top); /* at B0, without its own weight */
    double force[BRIDGE_BARS];
    bridgeStatics(0, 8, force);
    const struct {
        const char *name;
        double force;
    } expected[] = {{"B2-B3", (support * 8 - (deck + top) * 4) / 4},
                    {"T2-T3", -(support * 12 - (deck + top) * 12 - lorry * 4) / 4},
                    {"B0-T1", -support * sqrt(2)},
                    {"B1-T1", deck},
                    {"B3-T3", -top}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        for (int k = 0; k < BRIDGE_BARS; k++)
            if (!strcmp(bridgeBarName(k), expected[i].name))
                ck_assert_double_eq_tol(force[k], expected[i].force, rounding * limit);
}
END_TEST

/* What the host knows of every bar before any breaks. */
static void checkBars(const Bridge *bridge)
{
    for (int i = 0; i < BRIDGE_TRUSSES * BRIDGE_BARS; i++) {
        double statics[BRIDGE_BARS];
        bridgeStatics(i / BRIDGE_BARS, bridge->lorry, statics);
        ck_assert_double_eq_tol(length3(bridge->force[i][KS_PHYSICAL]), fabs(statics[i % BRIDGE_BARS]),
                                tolerance * limit);
    }
}

/* By physical values, until a bar breaks. share: of the limit, that its load is off at most. */
static void breakPhysically(Kit *kit, KitWay way, double share, void (*check)(const Bridge *), Bridge *bridge)
{
    int first;
    const double at = bridgeFirstBreak(&first);
    ck_assert_str_eq(bridgeBarName(first), "B2-B3");
    ck_assert_int_lt(first, BRIDGE_BARS);
    bridgeBegin(kit, KS_PHYSICAL, way, bridge);
    const double stride = 5 * way.step; /* m, of the lorry in a step */
    while (bridgeStep(bridge) && !bridge->breaks)
        if (check)
            check(bridge);
    ck_assert_int_eq(bridge->openSteps, 0);
    ck_assert_int_eq(bridge->breaks, 1);
    const BridgeBreak *broken = &bridge->broken[0];
    ck_assert_int_eq(broken->bar, first);
    // in the first step that begins with the lorry there
    ck_assert_double_ge(broken->lorry, at - 2e-3);
    ck_assert_double_le(broken->lorry, at + stride);
    ck_assert_double_eq_tol(broken->load, broken->statics, share * limit);
}

START_TEST(by_physical_values)
{
    Kit kit = silentKit();
    Bridge bridge;
    breakPhysically(&kit, storyWay(_i, ITERATIONS, coarsest, duration), tolerance, checkBars, &bridge);
    checkBars(&bridge);
    const ksStepReport *report = ksInspectorGetStepReport(bridge.run.inspector);
    ck_assert_uint_eq(report->rowCount, 72);
    ck_assert_uint_eq(report->rank, 72);
    // then the rest falls
    while (bridgeStep(&bridge))
        ;
    ck_assert_int_gt(bridge.breaks, 1);
    kitEnd(&bridge.run);
}
END_TEST

/* dWorldStep's report agrees; that of QuickStep with 20 iterations breaks another bar, or at another place. */
START_TEST(by_the_report)
{
    int first;
    const double at = bridgeFirstBreak(&first);
    Kit kit = silentKit();
    Bridge bridge;
    const KitWay way = storyWay(_i, FEW, coarsest, duration);
    bridgeBegin(&kit, KS_ENGINE, way, &bridge);
    while (bridgeStep(&bridge) && !bridge.breaks)
        ;
    ck_assert_int_gt(bridge.breaks, 0);
    const BridgeBreak *broken = &bridge.broken[0];
    const double early = at - broken->lorry;
    if (way.stepper == KS_WORLD_STEP) {
        ck_assert_int_eq(broken->bar, first);
        ck_assert_double_eq_tol(broken->load, broken->statics, tolerance * limit);
    } else {
        ck_assert(broken->bar != first || early > 0.1);
        ck_assert_double_gt(fabs(broken->load - broken->statics), 20 * tolerance * limit);
    }
    kitEnd(&bridge.run);
}
END_TEST

/* Bars that are apart by centimetres: their forces are those of the bridge in which they fit. */
START_TEST(loosely)
{
    static const KitWay way[] = {{.stepper = KS_QUICK_STEP, .iterations = FEW, .step = 0.01, .steps = 130},
                                 {.stepper = KS_QUICK_STEP, .iterations = 5, .step = 0.005, .steps = 260}};
    Kit kit = silentKit();
    Bridge bridge;
    breakPhysically(&kit, way[_i], looseTolerance, NULL, &bridge);
    kitEnd(&bridge.run);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bridge");
    TCase *tcase = tcase_create("bridge");
    tcase_add_test(tcase, method_of_joints);
    tcase_add_loop_test(tcase, by_physical_values, 0, WAYS);
    tcase_add_loop_test(tcase, by_the_report, 0, WAYS);
    tcase_add_loop_test(tcase, loosely, 0, 2);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}
