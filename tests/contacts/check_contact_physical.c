/* check_contact_physical.c  Physical forces of pairs in contact: undetermined shares, servos,
 * blows, unknown values. */
#include "tests/kits/contacts/contact_scenes.h"
#include "tests/kits/memory_kit.h"

#include <limits.h>

typedef struct Case {
    ContactScene scene;
    ksInspector *inspector;
    ksSubscription pair[CONTACT_PAIRS];
} Case;

static ksInspectorOptions physicalOptions(void)
{
    ksInspectorOptions options = defaultOptions();
    options.contactPhysical = 1;
    return options;
}

static Case begin(const char *form, int variant)
{
    const ksInspectorOptions options = physicalOptions();
    dRandSetSeed(1);
    Case s = {.scene = contactSceneBegin(contactFormOf(form), variant & 1 ? GROUND_LAYER : GROUND_HARD,
                                         variant & 2 ? 0.01 : 0.005)};
    s.inspector = inspectWith(s.scene.machine.world, &options);
    for (int i = 0; i < s.scene.count; i++)
        CHECK_OK(ksInspectorPair(s.inspector, s.scene.pair[i].on, s.scene.pair[i].by, 0.15, &s.pair[i]));
    return s;
}

static ksMean meanOf(const Case *s, int pair)
{
    ksMean mean;
    CHECK_OK(ksInspectorGetMean(s->inspector, s->pair[pair], &mean));
    return mean;
}

static void stepOnce(Case *s)
{
    contactSceneStep(&s->scene, s->inspector, KS_QUICK_STEP);
}

static void finish(Case *s)
{
    ksInspectorDestroy(s->inspector);
    contactSceneEnd(&s->scene);
}

/* --- Parts that mechanics leaves undetermined --- */

/* The range of a support's force lies between its values with the force at one edge and at the
 * other. */
START_TEST(two_supports_share)
{
    static const double exact = 1e-3;
    Case s = begin("plank", _i);
    int seen = 0;
    while (s.scene.time < 2) {
        double sum = 0;
        stepOnce(&s);
        if (s.scene.time <= s.scene.form->from)
            continue;
        for (int i = 0; i < 2; i++) {
            const ContactPair *pair = &s.scene.pair[i];
            const ksMean mean = meanOf(&s, i);
            const double found = mean.physical.force[2], open = mean.physicalOpen.force[2], weight = 2 * pair->load;
            const double most = fmax(pair->high[2] - found, found - pair->low[2]);
            sum += found / weight;
            if (mean.physicalVerdict != KS_INDETERMINATE)
                continue;
            seen++;
            ck_assert_double_le(found, pair->high[2] + exact * weight);
            ck_assert_double_ge(found, pair->low[2] - exact * weight);
            ck_assert_double_ge(open, most - exact * weight);
            ck_assert_double_le(open, most + 20 * exact * weight);
            ck_assert_double_ge(mean.physicalBar.force[2], open);
        }
        ck_assert_double_eq_tol(sum, 1, exact);
    }
    ck_assert_int_ge(seen, (int)(2 * 0.95 / s.scene.h));
    finish(&s);
}
END_TEST

/* Four feet under legs that servos hold: the servos decide how the feet share the load. The sum is
 * the weight, and the engine's mean is kept. The same machine with its legs in another order shares
 * the load differently, within the bars of the first. */
START_TEST(servos_share)
{
    static const double bias = 3e-3, standing = 0.01, settled = 1;
    Machine m = machineQuadruped(_i & 1 ? GROUND_LAYER : GROUND_HARD);
    const ksInspectorOptions options = physicalOptions();
    ksInspector *inspector = inspectWith(m.world, &options);
    ksSubscription pair[4], last[4];
    double physical = 0, engine = 0;
    int count = 0, open = 0;
    dRandSetSeed(1);
    for (int i = 0; i < 4; i++) {
        CHECK_OK(ksInspectorPair(inspector, m.box[2 + 2 * i], NULL, 0.15, &pair[i]));
        CHECK_OK(ksInspectorPair(inspector, m.box[2 + 2 * i], NULL, 1e-3, &last[i]));
    }
    for (int n = 0; n < 800; n++) {
        machineStep(&m, inspector, KS_QUICK_STEP, 0.005);
        if (n * 0.005 < settled)
            continue;
        for (int i = 0; i < 4; i++) {
            ksMean mean, now;
            CHECK_OK(ksInspectorGetMean(inspector, pair[i], &mean));
            CHECK_OK(ksInspectorGetMean(inspector, last[i], &now));
            count++;
            open += mean.physicalVerdict == KS_INDETERMINATE && mean.physicalReasons & KS_REASON_DRIVEN;
            physical += mean.physical.force[2];
            engine += now.wrench.force[2];
            // the other diagonal may carry all of it
            ck_assert(isnan(mean.physicalBar.force[2]) || mean.physicalOpen.force[2] > 0.2 * m.weight);
        }
    }
    ck_assert_int_ge(open, (int)(0.95 * count));
    ck_assert_double_eq_tol(physical, engine, bias * engine);
    ck_assert_double_eq_tol(4 * engine / count, m.weight, standing * m.weight);
    ksInspectorDestroy(inspector);
    machineEnd(&m);
}
END_TEST

/* The foot of a leg: its force follows entirely from the servos' reported forces. */
START_TEST(servos_drive)
{
    static const double bias = 3e-3, held = 0.95, better = 0.7;
    Machine m = machineLeg(_i & 1 ? GROUND_LAYER : GROUND_HARD);
    const ksInspectorOptions options = physicalOptions();
    ksInspector *inspector = inspectWith(m.world, &options);
    ksSubscription pair, last;
    double sum[2] = {0}, square[2] = {0};
    int count = 0, within = 0;
    dRandSetSeed(1);
    CHECK_OK(ksInspectorPair(inspector, m.box[0], NULL, 0.15, &pair));
    CHECK_OK(ksInspectorPair(inspector, m.box[0], NULL, 1e-3, &last));
    for (int n = 0; n < 2000; n++) {
        ksMean mean, now;
        machineStep(&m, inspector, KS_QUICK_STEP, 0.005);
        CHECK_OK(ksInspectorGetMean(inspector, pair, &mean));
        CHECK_OK(ksInspectorGetMean(inspector, last, &now));
        if (n < 200 || isnan(mean.physicalBar.force[2]))
            continue;
        const double both[2] = {mean.physical.force[2], now.wrench.force[2]};
        ck_assert_int_eq(mean.physicalVerdict, KS_UNCHECKED);
        ck_assert(mean.physicalReasons & KS_REASON_DRIVEN);
        count++;
        for (int i = 0; i < 2; i++) {
            sum[i] += both[i];
            square[i] += (both[i] - m.weight) * (both[i] - m.weight);
        }
        within += fabs(both[0] - m.weight) <= mean.physicalBar.force[2];
    }
    ck_assert_int_ge(count, 1700);
    ck_assert_double_eq_tol(sum[0], sum[1], bias * sum[1]);
    ck_assert_int_ge(within, (int)(held * count));
    ck_assert_double_le(sqrt(square[0]), better * sqrt(square[1]));
    ksInspectorDestroy(inspector);
    machineEnd(&m);
}
END_TEST

/* --- Blows, and flicker --- */

/* A box that falls: no force in the air, then a blow, then its weight. The impulse over all steps
 * equals the change of momentum. */
START_TEST(lands)
{
    static const double exact = 0.02;
    Case s = begin("box", _i);
    const dBodyID box = s.scene.pair[0].on;
    const double h = s.scene.h;
    double impulse = 0, truth = 0, speed = 0;
    int blows = 0, first = 0;
    dBodySetPosition(box, 0, 0, 0.6);
    for (int n = 0; n < 2 / h; n++) {
        stepOnce(&s);
        const ksMean mean = meanOf(&s, 0);
        const double now = dBodyGetLinearVel(box)[2], gained = 2 * (now - speed + SCENE_GRAVITY * h);
        speed = now;
        impulse += h * mean.physical.force[2];
        truth += gained;
        if (mean.physicalReasons & KS_REASON_IMPACT) {
            blows++;
            first = first ? first : n;
            ck_assert_int_eq(mean.physicalVerdict, KS_UNCHECKED);
            ck_assert_double_nan(mean.physicalBar.force[2]);
        } else if (blows == 0) {
            ck_assert_double_eq(mean.physical.force[2], 0);
            ck_assert_double_eq(mean.physicalBar.force[2], 0);
            ck_assert_int_eq(mean.physicalVerdict, KS_VALID);
        }
    }
    ck_assert(blows > 0 && blows < 20);
    ck_assert_double_eq_tol(first * h, sqrt(2 * 0.5 / SCENE_GRAVITY), 0.02);
    ck_assert_double_eq_tol(impulse, truth, exact * truth);
    finish(&s);
}
END_TEST

/* Points that are missing for a step are reported if they carry load; the force does not change. */
START_TEST(remembers)
{
    Case s = begin("ladder", 0);
    int remembered = 0;
    for (int n = 0; n < 800; n++) {
        stepOnce(&s);
        const ksMean mean = meanOf(&s, 0);
        if (n < 200 || !(mean.physicalReasons & KS_REASON_REMEMBERED))
            continue;
        remembered++;
        ck_assert(mean.physicalVerdict == KS_UNCHECKED);
        ck_assert_double_eq_tol(mean.physical.force[2], 10 * SCENE_GRAVITY, 0.01 * 10 * SCENE_GRAVITY);
    }
    ck_assert_int_gt(remembered, 10);
    finish(&s);
}
END_TEST

/* A sliding box has its full friction up to the step in which it stops, although a solver finds it
 * only to a few digits. */
START_TEST(slides_until_it_stops)
{
    static const double mu = 0.3, exact = 1e-3;
    Case s = begin("box", _i);
    const dBodyID box = s.scene.pair[0].on;
    const double load = s.scene.pair[0].load, lost = mu * SCENE_GRAVITY * s.scene.h;
    int seen = 0;
    s.scene.machine.mu = mu;
    while (s.scene.time < 0.5)
        stepOnce(&s);
    dBodySetLinearVel(box, 1, 0, 0);
    for (double speed = 1; speed > lost;) {
        stepOnce(&s);
        speed = dBodyGetLinearVel(box)[0];
        if (speed < 0.1 * lost)
            break;
        ck_assert_double_eq_tol(meanOf(&s, 0).physical.force[0], -mu * load, exact * load);
        seen++;
    }
    ck_assert_int_ge(seen, (int)(0.9 / lost));
    finish(&s);
}
END_TEST

/* On a plate whose rate of turning the host changes: m (w x (w x r) + w' x r - g), with w before
 * the change. */
START_TEST(on_a_plate_that_speeds_up)
{
    static const double mass = 2, from = 0.5, exact = 2e-3, h = 0.005;
    const double weight = mass * SCENE_GRAVITY;
    const ksInspectorOptions options = physicalOptions();
    Machine m = machineBegin(GROUND_HARD);
    ksSubscription pair;
    double last = 2, worst = 0;
    const dBodyID plate = machineBox(&m, 1, (double[]){2, 2, 0.2}, 0, 0, 2, true),
                  box = machineBox(&m, mass, (double[]){0.2, 0.2, 0.05}, 0.3, 0, 2.125, true);
    dBodySetKinematic(plate);
    m.mu = 5;
    dBodySetLinearVel(box, 0, 0.3 * last, 0);
    dBodySetAngularVel(box, 0, 0, last);
    ksInspector *inspector = inspectWith(m.world, &options);
    CHECK_OK(ksInspectorPair(inspector, box, plate, 0.15, &pair));
    for (double time = 0; time < 2; time += h) {
        const double w = 2 + 0.4 * sin(20 * time), rate = (w - last) / h;
        const dReal *r = dBodyGetPosition(box);
        const double expected[3] = {mass * (-last * last * r[0] - rate * r[1]),
                                    mass * (-last * last * r[1] + rate * r[0]), weight};
        ksMean mean;
        dBodySetAngularVel(plate, 0, 0, w);
        machineStep(&m, inspector, KS_QUICK_STEP, h);
        CHECK_OK(ksInspectorGetMean(inspector, pair, &mean));
        if (time > from)
            worst = fmax(worst, distance3(mean.physical.force, expected));
        last = w;
    }
    ck_assert_double_le(worst, exact * weight);
    ksInspectorDestroy(inspector);
    machineEnd(&m);
}
END_TEST

/* --- Not requested, too large, asleep --- */

START_TEST(off)
{
    double z[2];
    ksMean mean[2];
    for (int on = 0; on < 2; on++) {
        Machine m = machineLeg(GROUND_HARD);
        ksInspectorOptions options = defaultOptions();
        ksSubscription pair;
        options.contactPhysical = on;
        ksInspector *inspector = inspectWith(m.world, &options);
        dRandSetSeed(1);
        CHECK_OK(ksInspectorPair(inspector, m.box[0], NULL, 0.15, &pair));
        for (int n = 0; n < 100; n++)
            machineStep(&m, inspector, KS_QUICK_STEP, 0.005);
        CHECK_OK(ksInspectorGetMean(inspector, pair, &mean[on]));
        z[on] = dBodyGetPosition(m.box[3])[2];
        ksInspectorDestroy(inspector);
        machineEnd(&m);
    }
    ck_assert_double_eq(z[0], z[1]);
    ck_assert_mem_eq(&mean[0].wrench, &mean[1].wrench, sizeof mean[0].wrench);
    ck_assert_mem_eq(&mean[0].bar, &mean[1].bar, sizeof mean[0].bar);
    ck_assert_double_nan(mean[0].physical.force[2]);
    ck_assert_int_eq(mean[0].physicalVerdict, KS_UNCHECKED);
    ck_assert(mean[0].physicalReasons == KS_REASON_NOT_ASKED);
    ck_assert_double_eq_tol(mean[1].physical.force[2], 31.5 * SCENE_GRAVITY, 0.5 * 31.5 * SCENE_GRAVITY);
}
END_TEST

START_TEST(beyond_the_budget)
{
    Machine m = machineBegin(GROUND_LAYER);
    ksInspectorOptions options = physicalOptions();
    ksSubscription pair;
    ksMean mean;
    options.exactContactRows = 11;
    dBodyID box = machineBox(&m, 2, (double[]){0.3, 0.2, 0.2}, 0, 0, 0.1, true);
    ksInspector *inspector = inspectWith(m.world, &options);
    CHECK_OK(ksInspectorPair(inspector, box, NULL, 0.15, &pair));
    for (int n = 0; n < 5; n++)
        machineStep(&m, inspector, KS_QUICK_STEP, 0.005);
    CHECK_OK(ksInspectorGetMean(inspector, pair, &mean));
    ck_assert_double_nan(mean.physical.force[2]);
    ck_assert_int_eq(mean.physicalVerdict, KS_UNCHECKED);
    ck_assert(mean.physicalReasons & KS_REASON_BUDGET);
    dBodyDisable(box);
    machineStep(&m, inspector, KS_QUICK_STEP, 0.005);
    CHECK_OK(ksInspectorGetMean(inspector, pair, &mean));
    ck_assert_int_eq(mean.physicalVerdict, KS_NOT_SOLVED);
    ck_assert(mean.physicalReasons == KS_REASON_ASLEEP);
    ksInspectorDestroy(inspector);
    machineEnd(&m);
}
END_TEST

/* Nothing is allocated in the steady state. A pair that could not be created does not exist, and a
 * later inspection gives the same values. */
START_TEST(memory)
{
    double found[2];
    for (int way = 0; way < 2; way++) {
        Counter counter = {0};
        Machine m = machineBegin(GROUND_HARD);
        ksInspectorOptions options = physicalOptions();
        ksInspector *inspector;
        ksSubscription pair;
        ksMean mean;
        long requests = 0;
        options.allocator = (ksAllocator){countingResize, &counter};
        options.latency = way ? KS_NEXT_STEP : KS_SAME_STEP;
        CHECK_OK(ksInspectorCreate(m.world, &options, &inspector));
        dBodyID box = machineBox(&m, 2, (double[]){0.3, 0.2, 0.2}, 0, 0, 0.1, true);
        dRandSetSeed(1);
        CHECK_OK(ksInspectorPair(inspector, box, NULL, 0.15, &pair));
        for (int n = 0; n < 300; n++) {
            machineStep(&m, inspector, KS_QUICK_STEP, 0.005);
            if (n == 200) {
                CHECK_OK(ksInspectorGetMean(inspector, pair, &mean));
                requests = counter.requests;
            }
        }
        CHECK_OK(ksInspectorGetMean(inspector, pair, &mean));
        found[way] = mean.physical.force[2];
        ck_assert_int_eq(counter.requests, requests);
        CHECK_OK(ksInspectorUnsubscribe(inspector, pair));
        ksInspectorDestroy(inspector);
        ck_assert_int_eq(counter.held, 0);
        machineEnd(&m);
    }
    ck_assert_double_eq(found[0], found[1]);
}
END_TEST

START_TEST(short_of_memory)
{
    long requests = INT_MAX;
    for (long k = 1; k <= requests; k++) {
        Counter counter = {.refuse = k};
        Machine m = machineBegin(GROUND_LAYER);
        ksInspectorOptions options = physicalOptions();
        ksInspector *inspector = NULL;
        ksSubscription pair = 0;
        options.allocator = (ksAllocator){countingResize, &counter};
        dBodyID box = machineBox(&m, 2, (double[]){0.3, 0.2, 0.2}, 0, 0, 0.1, true);
        dBodyID top = machineBox(&m, 2, (double[]){0.3, 0.2, 0.2}, 0, 0, 0.3, true);
        if (!ksInspectorCreate(m.world, &options, &inspector) && !ksInspectorPair(inspector, box, top, 0.15, &pair)) {
            for (int n = 0; n < 4; n++) {
                ksMean mean;
                dSpaceCollide(m.space, &m, machineTouch);
                (void)ksInspectorQuickStep(inspector, 0.005);
                dJointGroupEmpty(m.contacts);
                if (ksInspectorGetMean(inspector, pair, &mean))
                    continue;
                const bool isApart = mean.physicalVerdict == KS_VALID && mean.physical.force[2] == 0;
                ck_assert(isApart || isnan(mean.physicalBar.force[2]));
            }
        }
        ksInspectorDestroy(inspector);
        ck_assert_int_eq(counter.held, 0);
        machineEnd(&m);
        if (counter.requests < k)
            break;
    }
}
END_TEST

enum { VARIANTS = 4 }; /* of the ground and the step size */

int main(void)
{
    TCase *test = tcase_create("contact_physical");
    tcase_add_loop_test(test, two_supports_share, 0, VARIANTS);
    tcase_add_loop_test(test, servos_share, 0, 2);
    tcase_add_loop_test(test, servos_drive, 0, 2);
    tcase_add_loop_test(test, lands, 0, VARIANTS);
    tcase_add_test(test, remembers);
    tcase_add_loop_test(test, slides_until_it_stops, 0, VARIANTS);
    tcase_add_test(test, on_a_plate_that_speeds_up);
    tcase_add_test(test, off);
    tcase_add_test(test, beyond_the_budget);
    tcase_add_test(test, memory);
    tcase_add_test(test, short_of_memory);
    return runCase("contact_physical", test);
}
