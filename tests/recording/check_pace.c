/* check_pace.c  The pace at which viewers let a world run. */
#include "tests/kits/support.h"

#include "plugin/view/pace.h"

#include <math.h>

static const double size = 0.005; /* s, of a step */

/* Steps a world under a clock that advances by `turn` s between polls; returns its time after this
 * many polls. */
static double comeTo(ksiPace *pace, double turn, int turns, double from, double begin)
{
    double world = from;
    for (int i = 0; i < turns; i++)
        while (ksiPaceAllows(pace, world, begin + i * turn) && world < from + 100)
            world += size;
    return world - from;
}

START_TEST(a_pace_is_kept)
{
    static const double factor[] = {0.1, 0.5, 1, 3};
    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++) {
        ksiPace pace = {.factor = 0};
        ksiPaceSet(&pace, factor[i]);
        const double come = comeTo(&pace, 0.01, 1001, 5, 1000);
        ck_assert_msg(fabs(come - 10 * factor[i]) < 2 * size, "%g: %g s in 10 s", factor[i], come);
    }
}
END_TEST

/* After a halt of a minute it continues at its pace, and does not catch up. */
START_TEST(what_is_late_is_not_made_up_for)
{
    ksiPace pace = {.factor = 0};
    ksiPaceSet(&pace, 1);
    double world = comeTo(&pace, 0.01, 101, 0, 0);
    world += comeTo(&pace, 0.01, 101, world, 60);
    ck_assert_msg(fabs(world - 2) < 4 * size, "%g s", world);
}
END_TEST

/* The time of another world begins anew. */
START_TEST(time_that_goes_back_is_another_worlds)
{
    ksiPace pace = {.factor = 0};
    ksiPaceSet(&pace, 1);
    (void)comeTo(&pace, 0.01, 101, 0, 0);
    ck_assert_double_lt(fabs(comeTo(&pace, 0.01, 101, 0, 2) - 1), 4 * size);
}
END_TEST

int main(void)
{
    TCase *pace = tcase_create("pace");
    tcase_add_test(pace, a_pace_is_kept);
    tcase_add_test(pace, what_is_late_is_not_made_up_for);
    tcase_add_test(pace, time_that_goes_back_is_another_worlds);
    return runCase("pace", pace);
}
