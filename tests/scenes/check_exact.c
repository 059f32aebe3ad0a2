/* check_exact.c  ksInspectorExactStep against dWorldStep: random worlds with all effects of the engine, in triplets. */
#include "tests/kits/battery_kit.h"

#include <kinetostat/kinetostat.h>
#include <math.h>

static const double h = 0.01;

/* m, and differences of rotation matrices: two solutions of the same equations, in worlds of a few metres. In single precision the engine's
 * factorisation leaves up to 1e-3 m/s of a contact's friction; largest seen 1.1e-5. */
static const double kSame = KSI_BY_PRECISION(1e-9, 2e-5);
/* Rounding grows in motion that is chaotic. dWorldStep's own, with all velocities one bit off in each step, may grow so many times
 * less than the difference of two solvers, each of which has its rounding in all rows. */
static const double kChaos = 1000;
/* m: beyond it dWorldStep's own motion is chance; m/s: bodies that fly apart, on which the engine aborts at last */
static const double kChance = 1e-4, kApart = 100;

/* Of one seed: the first is stepped by the engine, the second by the exact step, the third by the engine off by a bit. */
enum { ENGINE, EXACT, NUDGED, TRIPLETS };

typedef struct Triplets {
    BatteryWorld *battery[TRIPLETS];
    ksInspector *inspector;
    double apart[TRIPLETS]; /* from the first, so far */
    double fastest;
} Triplets;

static Triplets *newTriplets(const BatteryPlan *plan)
{
    static Triplets t;
    t = (Triplets){0};
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.values = 0;
    for (int i = 0; i < TRIPLETS; i++)
        t.battery[i] = batteryCreate(plan);
    ck_assert_int_eq(ksInspectorCreate(t.battery[EXACT]->world, &options, &t.inspector), KS_OK);
    return &t;
}

static void endTriplets(Triplets *t)
{
    ksInspectorDestroy(t->inspector);
    for (int i = 0; i < TRIPLETS; i++)
        batteryDestroy(t->battery[i]);
}

/* The same rows in another order: what that makes of them is rounding, too, and in loops most of it. */
static void turnAround(const BatteryWorld *battery)
{
    void *body[BATTERY_BODIES];
    int count = 0;
    for (dBodyID b = ksiFirstBody(&battery->engine); b; b = ksiNextBody(b))
        body[count++] = b;
    for (int i = 0; i < count / 2; i++) {
        void *other = body[i];
        body[i] = body[count - 1 - i];
        body[count - 1 - i] = other;
    }
    ksiOrderObjects(battery->engine.bodyHead, body, (size_t)count);
}

static void nudge(const BatteryWorld *battery)
{
    if (KSI_IS_SINGLE)
        turnAround(battery);
    for (int i = 0; i < battery->bodyCount; i++) {
        dBodyID body = battery->body[i];
        const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
        if (!dBodyIsEnabled(body) || dBodyIsKinematic(body))
            continue;
        dBodySetLinearVel(body, dNextAfter(v[0], dInfinity), dNextAfter(v[1], dInfinity), dNextAfter(v[2], dInfinity));
        dBodySetAngularVel(body, dNextAfter(w[0], dInfinity), dNextAfter(w[1], dInfinity), dNextAfter(w[2], dInfinity));
    }
}

static double distance(const dReal *a, const dReal *b, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

static void compare(Triplets *t, int which)
{
    for (int i = 0; i < t->battery[ENGINE]->bodyCount; i++) {
        dBodyID a = t->battery[ENGINE]->body[i], b = t->battery[which]->body[i];
        double *apart = &t->apart[which];
        *apart = fmax(*apart, distance(dBodyGetPosition(a), dBodyGetPosition(b), 3));
        *apart = fmax(*apart, distance(dBodyGetRotation(a), dBodyGetRotation(b), 12));
        t->fastest = fmax(t->fastest, distance(dBodyGetLinearVel(a), (const dReal[3]){0}, 3));
        if (which == EXACT)
            ck_assert_int_eq(dBodyIsEnabled(a), dBodyIsEnabled(b));
    }
}

static void stepTriplets(Triplets *t)
{
    for (int i = 0; i < TRIPLETS; i++)
        batteryBeforeStep(t->battery[i]);
    ck_assert(dWorldStep(t->battery[ENGINE]->world, h));
    ck_assert_int_eq(ksInspectorExactStep(t->inspector, h), KS_OK);
    nudge(t->battery[NUDGED]);
    ck_assert(dWorldStep(t->battery[NUDGED]->world, h));
    for (int i = 0; i < TRIPLETS; i++)
        batteryAfterStep(t->battery[i]);
    compare(t, EXACT);
    compare(t, NUDGED);
}

typedef struct Tally {
    long steps, rows;
    double apart; /* the largest while it has a meaning */
} Tally;

static void follow(const BatteryPlan *plan, int steps, Tally *tally)
{
    Triplets *t = newTriplets(plan);
    // dWorldStep says so where its solver gives up, and leaves multipliers at zero
    const unsigned long messages = batteryMessages();
    for (int k = 0; k < steps; k++) {
        stepTriplets(t);
        if (batteryMessages() > messages)
            break;
        const ksStepReport *report = ksInspectorGetStepReport(t->inspector);
        ck_assert_msg(report->fallbackRowCount == 0, "seed %u, step %d: %zu rows left, reasons %#llx",
                      (unsigned)plan->seed, k, report->fallbackRowCount, (unsigned long long)report->fallbackReasons);
        ck_assert_msg(t->apart[EXACT] <= fmax(kSame, kChaos * t->apart[NUDGED]),
                      "seed %u, step %d: %g apart, chance %g", (unsigned)plan->seed, k, t->apart[EXACT],
                      t->apart[NUDGED]);
        if (t->apart[NUDGED] > kChance || t->fastest > kApart)
            break;
        tally->steps++;
        tally->rows += (long)report->rowCount;
        tally->apart = fmax(tally->apart, t->apart[EXACT]);
    }
    endTriplets(t);
}

/* Joints of all types and attachments, motors, stops, damping, speed caps, gyroscopic bodies, user forces; then loops; bodies that
 * fall asleep and are woken; contacts whose friction both steppers understand the same way. */
static const BatteryPlan plans[] = {
    {0}, {.loops = true}, {.idle = true}, {.contacts = SMOOTH_CONTACTS}, {.contacts = BOUNDED_CONTACTS, .idle = true}};
enum { PLANS = sizeof plans / sizeof *plans };

static void followAll(int which, int worlds, int steps)
{
    Tally tally = {0};
    batteryCatchMessages();
    for (int seed = 1; seed <= worlds; seed++) {
        BatteryPlan plan = plans[which];
        plan.seed = (uint64_t)seed;
        follow(&plan, steps, &tally);
    }
    // the trials must not have ended before they began
    ck_assert_int_gt(tally.steps, worlds * steps / 2);
    ck_assert_int_gt(tally.rows, 10 * tally.steps);
    printf("exact, plan %d: %ld steps, %.1e apart\n", which, tally.steps, tally.apart);
}

/* The pose as the engine makes it of a quaternion, in each world the same. */
static void copyState(const BatteryWorld *from, const BatteryWorld *to)
{
    for (int i = 0; i < from->bodyCount; i++) {
        dBodyID a = from->body[i], b = to->body[i];
        dQuaternion turn;
        dVector3 at, v, w;
        memcpy(turn, dBodyGetQuaternion(a), sizeof turn);
        dBodyCopyPosition(a, at);
        memcpy(v, dBodyGetLinearVel(a), sizeof v);
        memcpy(w, dBodyGetAngularVel(a), sizeof w);
        dBodySetPosition(b, at[0], at[1], at[2]);
        dBodySetQuaternion(b, turn);
        dBodySetLinearVel(b, v[0], v[1], v[2]);
        dBodySetAngularVel(b, w[0], w[1], w[2]);
    }
}

/* Of the velocities of all bodies, m/s and rad/s. */
static double velocitiesApart(const BatteryWorld *a, const BatteryWorld *b)
{
    double most = 0;
    for (int i = 0; i < a->bodyCount; i++) {
        most = fmax(most, distance(dBodyGetLinearVel(a->body[i]), dBodyGetLinearVel(b->body[i]), 3));
        most = fmax(most, distance(dBodyGetAngularVel(a->body[i]), dBodyGetAngularVel(b->body[i]), 3));
    }
    return most;
}

static int order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { ORDER_WORLDS = 30, ORDER_STEPS = 30 };

/* So many times farther than two orders of the same bodies, at most: these share the rounding of their rows and right-hand sides. In either
 * precision; largest seen 12. */
static const double kOrders = 16;

/* From the states of one run, step by step: dWorldStep, the exact step, and dWorldStep with the bodies in the other order. */
START_TEST(near_dWorldStep_in_either_order)
{
    static double apart[TRIPLETS][ORDER_WORLDS * ORDER_STEPS];
    size_t count = 0;
    batteryCatchMessages();
    for (int seed = 1; seed <= ORDER_WORLDS; seed++) {
        BatteryPlan plan = plans[_i];
        plan.seed = (uint64_t)seed;
        Triplets *t = newTriplets(&plan);
        const unsigned long messages = batteryMessages();
        for (int k = 0; k < ORDER_STEPS && batteryMessages() == messages; k++) {
            for (int i = TRIPLETS - 1; i >= 0; i--)
                copyState(t->battery[ENGINE], t->battery[i]);
            for (int i = 0; i < TRIPLETS; i++)
                batteryBeforeStep(t->battery[i]);
            if (k == 0)
                turnAround(t->battery[NUDGED]);
            ck_assert(dWorldStep(t->battery[ENGINE]->world, h) && dWorldStep(t->battery[NUDGED]->world, h));
            ck_assert_int_eq(ksInspectorExactStep(t->inspector, h), KS_OK);
            for (int i = 0; i < TRIPLETS; i++)
                batteryAfterStep(t->battery[i]);
            for (int i = EXACT; i < TRIPLETS; i++)
                apart[i][count] = velocitiesApart(t->battery[ENGINE], t->battery[i]);
            count++;
        }
        endTriplets(t);
    }
    ck_assert_uint_gt(count, ORDER_WORLDS * ORDER_STEPS / 2);
    for (int i = EXACT; i < TRIPLETS; i++)
        qsort(apart[i], count, sizeof *apart[i], order);
    const size_t at[] = {count / 2, count * 95 / 100};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        const double exact = apart[EXACT][at[k]], other = apart[NUDGED][at[k]];
        printf("plan %d, %s of %zu steps: exact steps %.1e m/s, another order %.1e m/s from dWorldStep\n", _i,
               k ? "95 %" : "median", count, exact, other);
        ck_assert_double_le(exact, kOrders * other);
    }
}
END_TEST

START_TEST(steps_like_dWorldStep)
{
    followAll(_i, 30, 30);
}
END_TEST

START_TEST(steps_like_dWorldStep_long)
{
    followAll(_i, 200, 200);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("exact");
    TCase *quick = tcase_create("quick"), *thorough = tcase_create("long");
    dInitODE2(0);
    tcase_add_loop_test(quick, steps_like_dWorldStep, 0, PLANS);
    tcase_add_loop_test(quick, near_dWorldStep_in_either_order, 0, PLANS);
    suite_add_tcase(suite, quick);
    tcase_set_tags(thorough, "long");
    tcase_add_loop_test(thorough, steps_like_dWorldStep_long, 0, PLANS);
    suite_add_tcase(suite, thorough);
    return runSuite(suite);
}
