/* check_contact_forms.c  Physical forces of pairs in contact, against statics or closed forms of
 * the motion. */
#include "tests/kits/contacts/contact_scenes.h"

enum { VARIANTS = 4 }; /* of the ground and the step size */

typedef struct Sums {
    double square;
    int steps, barred, held;
} Sums;

static bool isUnique(const ContactPair *pair)
{
    bool is = true;
    for (int k = 0; k < 3; k++)
        is &= pair->low[k] == pair->high[k];
    return is;
}

/* open: the range, as a share of the load, that drift leaves to a force that is unique without
 * drift */
static void look(const ContactScene *scene, const ContactPair *pair, const ksMean *mean, double open, Sums *sums)
{
    const double *bar = mean->physicalBar.force, *force = mean->physical.force;
    sums->steps++;
    if (isnan(bar[0] + bar[1] + bar[2]))
        return;
    const double error = contactError(pair, force) / pair->load;
    sums->barred++;
    sums->square += error * error;
    sums->held += contactIsHeld(pair, force, bar, scene->form->own * pair->load);
    if (!isUnique(pair))
        return;
    ck_assert_int_ne(mean->physicalVerdict, KS_INDETERMINATE);
    for (int k = 0; k < 3; k++)
        ck_assert_double_le(mean->physicalOpen.force[k], open * pair->load);
}

/* Share of the steps with a bar: all but the first of a touch; and where every tenth step may be a blow. */
static const double known = 0.95, knownBetweenBlows = 0.9;

static MachineGround groundOf(int variant)
{
    return variant & 1 ? GROUND_LAYER : GROUND_HARD;
}

static double stepOf(int variant)
{
    return variant & 2 ? 0.01 : 0.005;
}

/* The engine's own forces of a step are off by up to the whole load. The pair's force is right, for
 * both kinds of contact and at both step sizes, and the bar contains the error. h: the sizes of
 * steps, in turn */
static void checkForm(const ContactForm *form, MachineGround ground, const double h[2], double open, double barred)
{
    static const double held = 0.95, longest = 1; /* shares of steps; s */
    ksInspectorOptions options = defaultOptions();
    ksSubscription id[CONTACT_PAIRS];
    Sums sums[CONTACT_PAIRS] = {{0}};
    options.contactPhysical = 1;
    dRandSetSeed(1);
    ContactScene scene = contactSceneBegin(form, ground, h[0]);
    ksInspector *inspector = inspectWith(scene.machine.world, &options);
    for (int i = 0; i < scene.count; i++)
        CHECK_OK(ksInspectorPair(inspector, scene.pair[i].on, scene.pair[i].by, 0.15, &id[i]));
    for (int n = 0; scene.time < fmin(form->until, form->from + longest); n++) {
        scene.h = h[n & 1];
        contactSceneStep(&scene, inspector, KS_QUICK_STEP);
        for (int i = 0; i < scene.count && scene.time > form->from; i++) {
            ksMean mean;
            CHECK_OK(ksInspectorGetMean(inspector, id[i], &mean));
            look(&scene, &scene.pair[i], &mean, open, &sums[i]);
        }
    }
    for (int i = 0; i < scene.count; i++) {
        const Sums *of = &sums[i];
        const double error = sqrt(of->square / of->barred);
        ck_assert_msg(of->barred >= barred * of->steps, "%s %d: %d of %d", form->name, i, of->barred, of->steps);
        ck_assert_msg(of->held >= held * of->barred, "%s %d: %d of %d within", form->name, i, of->held, of->barred);
        ck_assert_msg(form->tolerance == 0 || error <= form->tolerance, "%s %d: %g", form->name, i, error);
    }
    ksInspectorDestroy(inspector);
    contactSceneEnd(&scene);
}

static void checkVariant(const ContactForm *form, int variant, double open, double barred)
{
    checkForm(form, groundOf(variant), (double[]){stepOf(variant), stepOf(variant)}, open, barred);
}

START_TEST(first)
{
    // servos have a noise of their own
    if (contactForms[_i / VARIANTS].tolerance > 0)
        checkVariant(&contactForms[_i / VARIANTS], _i % VARIANTS, 1e-4, known);
}
END_TEST

START_TEST(others)
{
    checkVariant(&contactOtherForms[_i / VARIANTS], _i % VARIANTS, 3e-3, known);
}
END_TEST

/* Belts, meshes, slip, loads held by friction: where the tolerance is 0, only bars are checked. */
START_TEST(grounds)
{
    checkVariant(&contactGroundForms[_i / VARIANTS], _i % VARIANTS, 3e-3, knownBetweenBlows);
}
END_TEST

/* Platforms that move, motors, forces that change, a vehicle in a curve. */
START_TEST(driven)
{
    checkVariant(&contactDrivenForms[_i / VARIANTS], _i % VARIANTS, 3e-3, known);
}
END_TEST

/* A belt gains speed in steps of changing size: friction gives the box what the belt gains in each.
 * On hard ground the engine loses points for a step. */
START_TEST(unevenly)
{
    static const char *const belt[] = {"faster-belt", "swinging-belt"};
    checkForm(contactFormOf(belt[_i / GROUND_COUNT]), (MachineGround)(_i % GROUND_COUNT), (double[]){0.004, 0.008},
              3e-3, known);
}
END_TEST

/* Contacts that move over curved surfaces: by momentum, the mean of the pair's forces is known, and
 * the bars of the windows contain it. */
START_TEST(curved)
{
    static const double window = 0.15, held = 0.95; /* s; share of windows */
    const ContactForm *form = &contactCurvedForms[_i / VARIANTS];
    ksInspectorOptions options = defaultOptions();
    ksSubscription id;
    double all[3] = {0}, part[3] = {0}, bar = 0;
    int steps = 0, count = 0, windows = 0, within = 0;
    options.contactPhysical = 1;
    dRandSetSeed(1);
    ContactScene scene = contactSceneBegin(form, groundOf(_i), stepOf(_i));
    ksInspector *inspector = inspectWith(scene.machine.world, &options);
    CHECK_OK(ksInspectorPair(inspector, scene.pair[0].on, scene.pair[0].by, scene.h, &id));
    while (scene.time < form->until) {
        ksMean mean;
        contactSceneStep(&scene, inspector, KS_QUICK_STEP);
        CHECK_OK(ksInspectorGetMean(inspector, id, &mean));
        if (scene.time <= form->from || isnan(mean.physical.force[0]))
            continue;
        const bool isBarred = !isnan(length3(mean.physicalBar.force));
        steps++;
        count = isBarred ? count + 1 : 0;
        bar = isBarred ? (count > 1 ? bar : 0) + length3(mean.physicalBar.force) : 0;
        for (int k = 0; k < 3; k++) {
            const double apart = mean.physical.force[k] - mean.wrench.force[k];
            all[k] += apart;
            part[k] = count > 1 ? part[k] + apart : apart;
        }
        if (count * scene.h < window - scene.h / 2)
            continue;
        windows++;
        within += length3(part) <= bar + count * form->own * scene.pair[0].load;
        count = 0;
    }
    const double bias = length3(all) / steps / scene.pair[0].load;
    ck_assert_int_gt(steps, 0);
    ck_assert_msg(bias <= form->tolerance, "%s: %g", form->name, bias);
    ck_assert_msg(within >= held * windows - 1, "%s: %d of %d windows", form->name, within, windows);
    ksInspectorDestroy(inspector);
    contactSceneEnd(&scene);
}
END_TEST

/* A capsule on ice falls over, also while it slides. Its contact moves with the material at first,
 * and with the mass centre as it lies down, and is missing in some steps: no step is off by
 * more. */
START_TEST(lies)
{
    static const double rate = 2; /* of the load, 1/s: errors are of first order in the step size */
    ksInspectorOptions options = defaultOptions();
    ksSubscription id;
    int steps = 0;
    options.contactPhysical = 1;
    ContactScene scene = contactSceneBegin(contactFormOf("rod-slides"), groundOf(_i), stepOf(_i));
    if (_i >= VARIANTS)
        dBodySetLinearVel(scene.pair[0].on, 10, 5, 0);
    ksInspector *inspector = inspectWith(scene.machine.world, &options);
    CHECK_OK(ksInspectorPair(inspector, scene.pair[0].on, scene.pair[0].by, scene.h, &id));
    for (; scene.time < scene.form->until; steps++) {
        ksMean mean;
        contactSceneStep(&scene, inspector, KS_QUICK_STEP);
        CHECK_OK(ksInspectorGetMean(inspector, id, &mean));
        const double error = contactError(&scene.pair[0], mean.physical.force) / scene.pair[0].load;
        ck_assert_msg(scene.time < scene.form->from || error <= rate * scene.h, "%g s: %g", scene.time, error);
    }
    ck_assert_int_gt(steps, 0);
    ksInspectorDestroy(inspector);
    contactSceneEnd(&scene);
}
END_TEST

/* Fingers that their friction presses together: rounds of friction converge slowly, but end within
 * the budget. */
START_TEST(jams)
{
    static const double most = 0.2; /* of the steps; about an eighth needs them */
    ksInspectorOptions options = defaultOptions();
    ksSubscription id;
    int steps = 0, lacking = 0;
    options.contactPhysical = 1;
    dRandSetSeed(1);
    ContactScene scene = contactSceneBegin(contactFormOf("gripper"), _i ? GROUND_LAYER : GROUND_HARD, 0.01);
    ksInspector *inspector = inspectWith(scene.machine.world, &options);
    CHECK_OK(ksInspectorPair(inspector, scene.pair[0].on, scene.pair[0].by, scene.h, &id));
    while (scene.time < scene.form->until) {
        contactSceneStep(&scene, inspector, KS_QUICK_STEP);
        ksMean mean;
        CHECK_OK(ksInspectorGetMean(inspector, id, &mean));
        steps += scene.time > scene.form->from;
        lacking += scene.time > scene.form->from && mean.physicalReasons & KS_REASON_BUDGET;
    }
    ck_assert_msg(lacking <= most * steps, "%d of %d", lacking, steps);
    ksInspectorDestroy(inspector);
    contactSceneEnd(&scene);
}
END_TEST

/* Tyres that lose their point for a step, in which the suspension reports the load of a wheel in
 * the air: the bar includes this. */
START_TEST(tyres)
{
    static const double held = 0.95; /* of the steps */
    ksInspectorOptions options = defaultOptions();
    ksSubscription id[CONTACT_PAIRS];
    Sums sums = {0};
    options.contactPhysical = 1;
    dRandSetSeed(1);
    ContactScene scene = contactSceneBegin(contactFormOf(_i ? "car-brakes" : "car-rolls"), GROUND_HARD, 0.01);
    ksInspector *inspector = inspectWith(scene.machine.world, &options);
    for (int i = 0; i < scene.count; i++)
        CHECK_OK(ksInspectorPair(inspector, scene.pair[i].on, scene.pair[i].by, 0.15, &id[i]));
    while (scene.time < scene.form->until) {
        contactSceneStep(&scene, inspector, KS_QUICK_STEP);
        for (int i = 0; i < scene.count && scene.time > scene.form->from; i++) {
            ksMean mean;
            CHECK_OK(ksInspectorGetMean(inspector, id[i], &mean));
            look(&scene, &scene.pair[i], &mean, INFINITY, &sums);
        }
    }
    ck_assert_int_ge(sums.barred, (int)(held * sums.steps));
    ck_assert_msg(sums.held >= held * sums.barred, "%d of %d within", sums.held, sums.barred);
    ksInspectorDestroy(inspector);
    contactSceneEnd(&scene);
}
END_TEST

static int count(const ContactForm *form)
{
    int n = 0;
    while (form[n].name)
        n++;
    return n;
}

int main(void)
{
    TCase *test = tcase_create("contact_forms");
    tcase_add_loop_test(test, first, 0, count(contactForms) * VARIANTS);
    tcase_add_loop_test(test, others, 0, count(contactOtherForms) * VARIANTS);
    tcase_add_loop_test(test, grounds, 0, count(contactGroundForms) * VARIANTS);
    tcase_add_loop_test(test, driven, 0, count(contactDrivenForms) * VARIANTS);
    tcase_add_loop_test(test, unevenly, 0, 2 * GROUND_COUNT);
    tcase_add_loop_test(test, curved, 0, count(contactCurvedForms) * VARIANTS);
    tcase_add_loop_test(test, lies, 0, 2 * VARIANTS);
    tcase_add_loop_test(test, jams, 0, GROUND_COUNT);
    tcase_add_loop_test(test, tyres, 0, 2);
    return runCase("contact_forms", test);
}
