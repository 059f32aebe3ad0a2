/* check_arm.c  The demo `arm`: the payload and the force of the table, from a sensor at the
 * wrist. */
#include "tests/kits/story_kit.h"

enum { ITERATIONS = 200 };
static const double coarsest = 0.01, duration = 5.1; /* s */
static const double settled = 0.9;                   /* s, after the start of pressing */

/* Of the payload. */
static const double atRest = 1e-3, inMotion = 1e-2;
/* of the force, dWorldStep, in each step: its accelerations are the mechanism's, except for ERP's
 * corrections */
static const double pressed = 1e-3;
/* of the force, QuickStep, mean over 0.6 s: single accelerations are not the mechanism's, their
 * means are */
static const double pressedMean = 5e-3;

START_TEST(story)
{
    Kit kit = silentKit();
    const KitWay way = storyWay(_i, ITERATIONS, coarsest, duration);
    const int isDirect = way.stepper == KS_WORLD_STEP;
    KitRun run = armBegin(&kit, way);
    ArmFigures f;
    double payload[ARM_PHASES], most[ARM_PHASES] = {0}, begin = 0;
    int touches[ARM_PHASES];
    for (ArmPhase phase = ARM_GRIPS; armStep(&run, &f);) {
        if (f.phase != phase)
            begin = f.time;
        phase = f.phase;
        payload[phase] = f.payload;
        touches[phase] = f.touches;
        most[phase] = fmax(most[phase], f.acceleration);
        if (isDirect && phase < ARM_PUSHES && !isnan(f.payloadNow))
            ck_assert_double_eq_tol(f.payloadNow, scenePayload, atRest * scenePayload);
        // in the air there is no force of the table
        if (isDirect && (phase == ARM_SWINGS || phase == ARM_LOWERS))
            ck_assert_double_le(length3(f.table), inMotion * scenePayload * SCENE_GRAVITY);
        if (isDirect && phase == ARM_PUSHES && f.time > begin + settled)
            ck_assert_double_le(distance3(f.table, f.contacts), pressed * length3(f.contacts));
    }
    ck_assert_double_eq_tol(f.weighed, scenePayload, atRest * scenePayload);
    for (int phase = ARM_LIFTS; phase <= ARM_LOWERS; phase++)
        ck_assert_double_eq_tol(payload[phase], scenePayload, (phase == ARM_RESTS ? atRest : inMotion) * scenePayload);
    // it has moved, and it has pressed
    ck_assert_double_gt(most[ARM_SWINGS], 2);
    ck_assert_double_gt(f.meanContacts[2], 60);
    ck_assert_double_le(distance3(f.meanTable, f.meanContacts), pressedMean * length3(f.meanContacts));
    ck_assert_int_eq(touches[ARM_SWINGS], 0);
    ck_assert_int_ge(touches[ARM_PUSHES], 1);
    kitEnd(&run);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("arm");
    tcase_add_loop_test(tcase, story, 0, WAYS);
    return runCase("arm", tcase);
}
