/* check_bridge.c  The demo `bridge`: which bar breaks, when, and by what load; and all bars until
 * then. */
#include "tests/kits/story_kit.h"

/* of the limit of 130 kN: dWorldStep leaves the bars longer by 1e-5 */
static const double tolerance = 1e-3;
/* Under QuickStep with 50 iterations the deck sags by 1 cm in 24 m; the error bars contain the
 * distance from statics, which knows no gaps. */
static const double sagging = 0.05, leastCovered = 0.99;
/* Mean over the drive for a bar with gaps of centimetres, against the report, which explains the
 * motion: the report's noise. */
static const double meanTolerance = 0.02;
static const double limit = 130e3;
enum { ITERATIONS = 50, FEW = 20 };
static const double coarsest = 0.01, duration = 1.25; /* s */

/* The statics by hand, for the first truss with the lorry over B2: moments about T2, B3, and the
 * forces at B1 and T3. */
START_TEST(method_of_joints)
{
    const double rounding = 1e-9, g = SCENE_GRAVITY, lorry = 0.6 * 20000 * g, deck = 400 * g, top = 150 * g;
    const double support = lorry * 4 / 6 + 2.5 * (deck + top); /* at B0, without the node's own weight */
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

/* The host's data of the bars before the first one broke. */
typedef struct Drive {
    int known, covered;                           /* bars times steps; covered: with statics within
                                                     the bar of the value */
    double worst;                                 /* N, largest distance from statics */
    double mean[2][BRIDGE_TRUSSES * BRIDGE_BARS]; /* N, sums of physical values and of reports */
} Drive;

static void addBars(const Bridge *bridge, Drive *drive)
{
    for (int i = 0; i < BRIDGE_TRUSSES * BRIDGE_BARS; i++) {
        double statics[BRIDGE_BARS];
        bridgeStatics(i / BRIDGE_BARS, bridge->lorry, statics);
        const ksReaction *reaction = ksInspectorGetReaction(bridge->run.inspector, bridge->run.scene->joint[i]);
        const double off = fabs(length3(bridge->force[i][KS_PHYSICAL]) - fabs(statics[i % BRIDGE_BARS]));
        drive->known++;
        drive->covered += off <= reaction->row[0].physicalBar;
        drive->worst = fmax(drive->worst, off);
        drive->mean[0][i] += length3(bridge->force[i][KS_PHYSICAL]);
        drive->mean[1][i] += length3(bridge->force[i][KS_ENGINE]);
    }
}

/* Decides by physical values when a bar breaks; ends when one has. */
static void breakPhysically(Kit *kit, KitWay way, Bridge *bridge, Drive *drive)
{
    *drive = (Drive){0};
    bridgeBegin(kit, KS_PHYSICAL, way, bridge);
    while (bridgeStep(bridge) && !bridge->breaks)
        addBars(bridge, drive);
    ck_assert_int_eq(bridge->openSteps, 0);
    ck_assert_int_eq(bridge->breaks, 1);
}

START_TEST(by_physical_values)
{
    Kit kit = silentKit();
    Bridge bridge;
    Drive drive;
    int first;
    const double at = bridgeFirstBreak(&first);
    ck_assert_str_eq(bridgeBarName(first), "B2-B3");
    ck_assert_int_lt(first, BRIDGE_BARS);
    const KitWay way = storyWay(_i, ITERATIONS, coarsest, duration);
    breakPhysically(&kit, way, &bridge, &drive);
    const BridgeBreak *broken = &bridge.broken[0];
    ck_assert_int_eq(broken->bar, first);
    ck_assert_double_ge(drive.covered, leastCovered * drive.known);
    ck_assert_double_eq_tol(broken->load, broken->statics, sagging * limit);
    if (way.stepper == KS_WORLD_STEP) {
        ck_assert_double_le(drive.worst, tolerance * limit);
        ck_assert_double_eq_tol(broken->load, broken->statics, tolerance * limit);
        // in the first step that begins with the lorry there
        ck_assert_double_ge(broken->lorry, at - 2e-3);
        ck_assert_double_le(broken->lorry, at + 5 * way.step);
    }
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

/* dWorldStep's report agrees; by QuickStep's report with 20 iterations another bar breaks, or at
 * another place. */
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

/* With gaps of centimetres, the trusses share the lorry differently from statics, by a third of the
 * limit. Physical values belong to the simulated bridge. */
START_TEST(loosely)
{
    static const KitWay way[] = {{.stepper = KS_QUICK_STEP, .iterations = FEW, .step = 0.01, .steps = 130},
                                 {.stepper = KS_QUICK_STEP, .iterations = 5, .step = 0.005, .steps = 260}};
    Kit kit = silentKit();
    Bridge bridge;
    Drive drive;
    breakPhysically(&kit, way[_i], &bridge, &drive);
    ck_assert_double_gt(drive.worst, 0.3 * limit);
    const int steps = drive.known / (BRIDGE_TRUSSES * BRIDGE_BARS);
    for (int i = 0; i < BRIDGE_TRUSSES * BRIDGE_BARS; i++)
        ck_assert_double_eq_tol(drive.mean[0][i] / steps, drive.mean[1][i] / steps, meanTolerance * limit);
    kitEnd(&bridge.run);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("bridge");
    tcase_add_test(tcase, method_of_joints);
    tcase_add_loop_test(tcase, by_physical_values, 0, WAYS);
    tcase_add_loop_test(tcase, by_the_report, 0, WAYS);
    tcase_add_loop_test(tcase, loosely, 0, 2);
    return runCase("bridge", tcase);
}
