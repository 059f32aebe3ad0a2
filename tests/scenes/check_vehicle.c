/* check_vehicle.c  The demo `vehicle`: loads of wheels and springs, against weight and motion. */
#include "tests/kits/story_kit.h"

enum { ITERATIONS = 20, REAR = 2 };
static const double coarsest = 0.01, duration = 2.6; /* s */
static const double calm = 1, bumped = 1.6;          /* s: when it has settled; when the front
                                                        wheels reach the bump */

/* of the car's weight: momentum balances to rounding, because contact forces are the engine's */
static const double rounding = 1e-11;
/* of the load at rest: the springs still swing by 0.03 % after a second */
static const double atRest = 1e-3;
/* of the car's weight, mean over the time at rest: QuickStep's wheels hop */
static const double meanAtRest = 0.02;
/* of the chassis's weight: a spring's force is exactly its row's force in the step; the other
 * forces of the joint differ by ERP */
static const double springs = 2e-3;

START_TEST(loads)
{
    Kit kit = silentKit();
    const KitWay way = storyWay(_i, ITERATIONS, coarsest, duration);
    KitRun run = vehicleBegin(&kit, way);
    VehicleFigures f;
    const double weight = 4 * vehicleWheelLoad;
    double mean = 0, most[2] = {0, 0};
    int count = 0, isInTheAir = 0;
    double worst = 0;
    while (vehicleStep(&run, &f)) {
        ck_assert_double_eq_tol(f.loads, f.needed, rounding * fmax(weight, f.loads));
        double sum = 0;
        for (int i = 0; i < VEHICLE_WHEELS; i++)
            sum += f.suspension[i];
        worst = fmax(worst, fabs(sum - f.chassis) / (4 * vehicleSpringLoad));
        most[0] = fmax(most[0], f.wheel[0]);
        most[1] = fmax(most[1], f.wheel[REAR]);
        isInTheAir |= f.time > bumped && f.wheel[0] == 0 && f.wheel[1] == 0;
        if (f.time < calm || f.time > bumped)
            continue;
        ck_assert_int_eq(f.overloads, 0);
        mean += f.loads;
        count++;
        for (int i = 0; i < VEHICLE_WHEELS && way.stepper == KS_WORLD_STEP; i++) {
            ck_assert_double_eq_tol(f.wheel[i], vehicleWheelLoad, atRest * vehicleWheelLoad);
            ck_assert_double_eq_tol(f.suspension[i], vehicleSpringLoad, atRest * vehicleSpringLoad);
        }
    }
    ck_assert_double_le(worst, springs);
    ck_assert_double_eq_tol(mean / count, weight, meanAtRest * weight);
    // off the bump into the air, and down again
    ck_assert(isInTheAir);
    ck_assert_int_ge(f.overloads, VEHICLE_WHEELS);
    for (int i = 0; i < 2; i++)
        ck_assert_double_gt(most[i], 2 * vehicleWheelLoad);
    kitEnd(&run);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("vehicle");
    tcase_add_loop_test(tcase, loads, 0, WAYS);
    return runCase("vehicle", tcase);
}
