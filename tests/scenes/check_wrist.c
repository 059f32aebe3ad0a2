/* check_wrist.c  The demo `wrist`: readings of a force sensor for 2 kg at rest, and the figures of
 * README.md. */
#include "tests/kits/story_kit.h"

static const double stepSize = 0.005, duration = 2; /* s: the demo's own */

/* N: the arm comes to rest exponentially, to 3e-12 N in the measured time */
static const double exactSpread = 1e-9;
/* of figures with two digits, which another rounding of the engine changes: its steps are
 * chaotic */
static const double figures = 0.3;

typedef struct Expected {
    ksStepper stepper;
    int iterations;
    double spread[WRIST_VALUES]; /* N */
} Expected;

/* as in README.md, demos/README.md and the picture */
static const Expected expected[] = {
    {KS_QUICK_STEP, 20, {3.3, 1.0}},
    {KS_QUICK_STEP, 100, {0.8, 0.11}},
    {KS_EXACT_STEP, 0, {0, 0}},
};
enum { COUNT = sizeof expected / sizeof *expected };

START_TEST(story)
{
    const Expected *e = &expected[_i];
    const int isExact = e->stepper == KS_EXACT_STEP;
    Kit kit = silentKit();
    WristFigures f = {0};
    KitRun run = wristBegin(&kit, (KitWay){e->stepper, e->iterations, stepSize, (int)lround(duration / stepSize)});
    while (wristStep(&run, &f))
        ;
    ck_assert_int_ge(f.count, 190);
    for (int i = 0; i < WRIST_VALUES; i++) {
        const double most = isExact ? exactSpread : (1 + figures) * e->spread[i];
        ck_assert_double_le(f.spread[i], most);
        ck_assert_double_ge(f.spread[i], (1 - figures) * e->spread[i]);
        // the mean of many readings has their spread over the root of their number; four times that
        // is never exceeded
        ck_assert_double_eq_tol(f.mean[i], wristWeight, isExact ? exactSpread : 4 * f.spread[i] / sqrt(f.count));
    }
    kitEnd(&run);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("wrist");
    tcase_add_loop_test(tcase, story, 0, COUNT);
    return runCase("wrist", tcase);
}
