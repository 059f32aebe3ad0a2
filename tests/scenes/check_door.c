/* check_door.c  The demo `door`: the sum of both fittings, and the determined part of each. */
#include "tests/kits/story_kit.h"

/* Of the weight: QuickStep leaves the axis tilted by 1e-6 rad, and velocities across the rows. */
static const double sumTolerance = 1e-5;
static const unsigned allUnique = (1u << 6) - 1;
enum { ITERATIONS = 20, ORDERS = 2 };

static double weight(const DoorFigures *f)
{
    return f->sumFormula.force[2];
}

static void checkSum(const DoorFigures *f)
{
    ck_assert_uint_eq(f->sum.unique, allUnique);
    ck_assert_int_eq(f->sum.freeCount, 0);
    ck_assert_double_le(distance3(f->sum.wrench.force, f->sumFormula.force), sumTolerance * weight(f));
    ck_assert_double_le(distance3(f->sum.wrench.torque, f->sumFormula.torque), sumTolerance * weight(f));
}

/* No part of the force of one hinge is unique, and the sum of both is unique as a whole. The engine's
 * split is arbitrary. */
START_TEST(hinges)
{
    double above[ORDERS];
    for (int lowerFirst = 0; lowerFirst < ORDERS; lowerFirst++) {
        Kit kit = silentKit();
        KitRun run = doorBegin(&kit, DOOR_HINGES, lowerFirst, storyWay(_i, ITERATIONS, 0.02, 1));
        DoorFigures f;
        while (doorStep(&run, &f)) {
            checkSum(&f);
            for (int i = 0; i < DOOR_FITTINGS; i++) {
                ck_assert_int_eq(f.freeCount[i], 5);
                for (int k = 0; k < 3; k++)
                    ck_assert(isnan(f.physical[i].force[k]));
            }
        }
        ck_assert_int_eq(f.calls, 0);
        above[lowerFirst] = f.engine[DOOR_ABOVE];
        // it was pushed open, and has moved for 1 s
        ck_assert_double_gt(dBodyGetAngularVel(run.scene->body[0])[2], 0.5);
        kitEnd(&run);
    }
    if (_i >= WAYS / 2)
        ck_assert_double_gt(fabs(above[0] - above[1]), 1);
}
END_TEST

/* Across the axis each pin has a unique force; along it only their sum is. */
START_TEST(pins)
{
    for (int lowerFirst = 0; lowerFirst < ORDERS; lowerFirst++) {
        Kit kit = silentKit();
        KitRun run = doorBegin(&kit, DOOR_PINS, lowerFirst, storyWay(_i, ITERATIONS, 0.02, 1));
        DoorFigures f;
        while (doorStep(&run, &f)) {
            checkSum(&f);
            for (int i = 0; i < DOOR_FITTINGS; i++) {
                ck_assert_int_eq(f.freeCount[i], 1);
                ck_assert_double_eq_tol(f.physical[i].force[0], f.pull[i], sumTolerance * weight(&f));
                ck_assert_double_eq_tol(f.physical[i].force[1], 0.5 * f.sumFormula.force[1], sumTolerance * weight(&f));
                ck_assert(isnan(f.physical[i].force[2]));
            }
        }
        ck_assert_int_eq(f.calls, DOOR_FITTINGS);
        kitEnd(&run);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("door");
    tcase_add_loop_test(tcase, hinges, 0, WAYS);
    tcase_add_loop_test(tcase, pins, 0, WAYS);
    return runCase("door", tcase);
}
