/* check_core_battery.c  Islands of random worlds by plugin/core/, against both routes of plugin/mechanics/. */
#include "tests/core/core_kit.h"
#include "tests/kits/battery_kit.h"

/* Random worlds with joints of all types, motors, stops and springs; with loops. */
START_TEST(battery)
{
    CoreTally tally = {.islands = 0};
    for (unsigned seed = 0; seed < 40; seed++) {
        const BatteryPlan plan = {.seed = seed, .loops = _i};
        BatteryWorld *world = batteryCreate(&plan);
        CoreTwin *twin = coreTwin();
        ksInspector *inspector = NULL;
        ck_assert_int_eq(ksInspectorCreate(world->world, NULL, &inspector), KS_OK);
        for (int s = 0; s < 10; s++) {
            batteryBeforeStep(world);
            ck_assert_int_eq(ksInspectorQuickStep(inspector, 0.01), KS_OK);
            coreCompareStep(twin, inspector, &tally);
            batteryAfterStep(world);
        }
        ksInspectorDestroy(inspector);
        coreTwinFree(twin);
        batteryDestroy(world);
    }
    coreJudge(_i ? "battery with loops" : "battery", &tally);
}
END_TEST

/* ... and the rows at bounds, under either stepper, with contacts that are solved and without. */
START_TEST(bounds)
{
    CoreTally tally = {.islands = 0};
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.contacts = _i / 4 ? KS_CONTACTS_SOLVED : options.contacts;
    for (unsigned seed = 0; seed < 40; seed++) {
        const BatteryPlan plan = {.seed = seed, .loops = _i & 1, .contacts = _i / 4 ? BOUNDED_CONTACTS : NO_CONTACTS};
        BatteryWorld *world = batteryCreate(&plan);
        CoreTwin *twin = coreTwin();
        ksInspector *inspector = NULL;
        ck_assert_int_eq(ksInspectorCreate(world->world, &options, &inspector), KS_OK);
        for (int s = 0; s < 10; s++) {
            batteryBeforeStep(world);
            ck_assert_int_eq(_i & 2 ? ksInspectorStep(inspector, 0.01) : ksInspectorQuickStep(inspector, 0.01), KS_OK);
            coreCompareBounds(twin, inspector, &tally);
            batteryAfterStep(world);
        }
        ksInspectorDestroy(inspector);
        coreTwinFree(twin);
        batteryDestroy(world);
    }
    coreJudgeBounds("battery", false, &tally);
    ck_assert_int_gt(tally.atBounds, 100);
}
END_TEST

/* Blows on one body after the other. */
START_TEST(blows)
{
    CoreTally tally = {.islands = 0};
    for (unsigned seed = 0; seed < 60; seed++) {
        const BatteryPlan plan = {.seed = seed, .loops = _i & 1};
        BatteryWorld *world = batteryCreate(&plan);
        CoreTwin *twin = coreTwin();
        ksInspector *inspector = NULL;
        ck_assert_int_eq(ksInspectorCreate(world->world, NULL, &inspector), KS_OK);
        for (int s = 0; s < 10; s++) {
            batteryBeforeStep(world);
            ck_assert_int_eq(ksInspectorStep(inspector, 0.01), KS_OK);
            const dBodyID body = world->body[s % world->bodyCount];
            const dReal *at = dBodyGetPosition(body);
            const ksBlow blow = {
                .at = {.body = body, .point = {at[0] + 0.1, at[1], at[2] - 0.2}, .axis = {0.6, 0, 0.8}},
                .impulse = s % 2 ? 3 : -3};
            coreCompareBlow(twin, inspector, &blow, &tally);
            batteryAfterStep(world);
        }
        ksInspectorDestroy(inspector);
        coreTwinFree(twin);
        batteryDestroy(world);
    }
    coreJudgeBounds("blows", true, &tally);
    ck_assert_int_gt(tally.searched, 200);
}
END_TEST

int main(void)
{
    dInitODE2(0);
    Suite *suite = suite_create("core battery");
    TCase *tcase = tcase_create("battery");
    tcase_add_loop_test(tcase, battery, 0, 2);
    tcase_add_loop_test(tcase, bounds, 0, 8);
    tcase_add_loop_test(tcase, blows, 0, 2);
    suite_add_tcase(suite, tcase);
    const int failed = runSuite(suite);
    dCloseODE();
    return failed;
}
