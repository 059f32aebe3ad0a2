/* check_ground_bars.c  Bars of joints that carry unsolved contact forces. */
#include "tests/kits/contacts/machines_kit.h"

typedef Machine MakeMachine(MachineGround ground);

/* At 10 ms and with 20 iterations the leg falls. */
typedef struct Case {
    MakeMachine *make;
    double h, held; /* share of the steps within their bars: 2.5 standard deviations, which also have to
                 contain errors that are no noise */
} Case;

static const Case cases[] = {
    {machineLeg, 0.005, 0.97},     {machineQuadruped, 0.005, 0.97}, {machineQuadruped, 0.01, 0.97},
    {machineGripper, 0.005, 0.95}, {machineGripper, 0.01, 0.95},
};
enum { CASES = sizeof cases / sizeof *cases, MOST_STEPS = 4000, FEWEST = 8 };

static const double length = 20, settled = 1, window = 0.1; /* s */

static const ksRow *rowOf(const ksReaction *reaction)
{
    return &reaction->row[reaction->type == dJointTypeSlider ? 5 : 2];
}

/* The truth is the mean of the reports over a window around each step: by momentum this is the
 * force of the motion, and the machine stands still apart from noise. Statics gives the load of
 * that mean. */
START_TEST(bars_hold_the_noise_of_contacts)
{
    static const double statics = 0.1; /* of the load; servos sag, and not all legs equally */
    static double engine[MOST_STEPS], physical[MOST_STEPS], bar[MOST_STEPS];
    const Case *of = &cases[_i % CASES];
    Machine m = of->make((MachineGround)(_i / CASES));
    const int steps = (int)(length / of->h), half = (int)(window / of->h), first = (int)(settled / of->h);
    ksInspector *inspector = inspect(m.world);
    int held = 0, count = 0;
    double sum = 0;
    dRandSetSeed(1);
    for (int i = 0; i < steps; i++) {
        machineStep(&m, inspector, KS_QUICK_STEP, of->h);
        const ksReaction *reaction = ksInspectorGetReaction(inspector, m.watched);
        engine[i] = rowOf(reaction)->engine;
        physical[i] = rowOf(reaction)->physical;
        bar[i] = rowOf(reaction)->physicalBar;
        if (i < first)
            continue;
        sum += engine[i];
        ck_assert(reaction->reasons & KS_REASON_REPORTED_LOADS);
        ck_assert(reaction->loadNoise > 0 && reaction->loadNoise <= reaction->physicalErrorBar);
    }
    ck_assert_double_eq_tol(fabs(sum) / (steps - first), m.load, statics * m.load);
    for (int i = first; i + half < steps; i++, count++) {
        double mean = 0;
        for (int k = -half; k <= half; k++)
            mean += engine[i + k] / (2 * half + 1);
        held += fabs(physical[i] - mean) <= bar[i];
    }
    ck_assert_msg(held >= of->held * count, "%d of %d steps", held, count);
    ksInspectorDestroy(inspector);
    machineEnd(&m);
}
END_TEST

/* Solved contacts cause no noise, and there is none in the air. Unknown noise is NaN, not 0. */
START_TEST(noise_is_told_where_there_is_some)
{
    static const ksStepper steppers[] = {KS_QUICK_STEP, KS_WORLD_STEP};
    const ksStepper stepper = steppers[_i % 2];
    const bool isInAir = _i / 2;
    Machine m = machineLeg(GROUND_LAYER);
    if (isInAir)
        dGeomDisable(m.floor);
    ksInspector *inspector = inspect(m.world);
    int touched = 0;
    for (int i = 0; i < 60; i++) {
        machineStep(&m, inspector, stepper, 0.005);
        const ksReaction *reaction = ksInspectorGetReaction(inspector, m.watched);
        const bool isLoaded = reaction->reasons & KS_REASON_REPORTED_LOADS;
        touched += isLoaded;
        if (stepper == KS_WORLD_STEP || touched == 0)
            ck_assert_double_eq(reaction->loadNoise, 0);
        else if (isLoaded && touched < FEWEST)
            ck_assert_double_nan(reaction->loadNoise);
        else if (isLoaded)
            ck_assert_double_gt(reaction->loadNoise, 0);
    }
    ck_assert_int_eq(touched > FEWEST, !isInAir);
    ksInspectorDestroy(inspector);
    machineEnd(&m);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("ground_bars");
    tcase_add_loop_test(test, bars_hold_the_noise_of_contacts, 0, CASES * GROUND_COUNT);
    tcase_add_loop_test(test, noise_is_told_where_there_is_some, 0, 4);
    return runCase("ground_bars", test);
}
