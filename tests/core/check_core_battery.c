/* check_core_battery.c  Islands of random worlds by plugin/core/, against both routes of
 * plugin/mechanics/. */
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

int main(void)
{
    TCase *tcase = tcase_create("battery");
    tcase_add_loop_test(tcase, battery, 0, 2);
    return runCase("core battery", tcase);
}
