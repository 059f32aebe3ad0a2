/* check_exact.c  ksInspectorExactStep against dWorldStep: random worlds with all effects of the
 * engine, three of each. */
#include "engine/stops.h"
#include "tests/kits/battery_kit.h"

#include <float.h>
#include <kinetostat/kinetostat.h>
#include <math.h>

static const double h = 0.01;

/* m, and differences of rotation matrices: two solutions of the same equations, in worlds of a few
 * metres. In single precision the engine's factorisation leaves up to 1e-3 m/s of a contact's
 * friction; largest found 1.1e-5. */
static const double kSame = KSI_BY_PRECISION(1e-9, 2e-5);
/* Rounding grows in chaotic motion. With all velocities one bit off in each step, dWorldStep's own
 * difference may be smaller by this factor than the difference of two solvers, each of which rounds
 * in all rows. */
static const double kChaos = 1000;
/* m: beyond it dWorldStep's own motion is chaotic; m/s: bodies fly apart, and the engine finally
 * aborts */
static const double kChance = 1e-4, kApart = 100;

/* In single precision the exact step is judged by its equations as well. Rounding of them, over
 * their terms: wrenches, rows and velocities are rounded once each. It may leave them as far as
 * dWorldStep does, apart from chance. */
static const double kSolved = 3 * FLT_EPSILON / 2, kAlike = 2;
/* Trials last so long on average: part of the steps. Rounding of single precision makes a motion
 * chaotic sooner, contradictory loops most of all. */
static const double kLong = KSI_BY_PRECISION(0.5, 0.15);

/* Three worlds of one seed: the engine steps the first, the exact step the second, and the engine
 * with changed bits the third. */
enum { ENGINE, EXACT, NUDGED, TRIPLETS };

typedef struct Triplets {
    BatteryWorld *battery[TRIPLETS];
    ksInspector *inspector[2]; /* ENGINE, EXACT */
    BatteryScale scale[2];
    double share[2];        /* of the equations' terms that a step has left, the largest so far */
    double left;            /* m or rad, by which dWorldStep has left its equations, so far */
    double apart[TRIPLETS]; /* distance from the first, so far */
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
    for (int i = ENGINE; i <= EXACT; i++)
        ck_assert_int_eq(ksInspectorCreate(t.battery[i]->world, &options, &t.inspector[i]), KS_OK);
    return &t;
}

static void endTriplets(Triplets *t)
{
    for (int i = ENGINE; i <= EXACT; i++)
        ksInspectorDestroy(t->inspector[i]);
    for (int i = 0; i < TRIPLETS; i++)
        batteryDestroy(t->battery[i]);
}

/* Reverses the order of the rows: the differences are rounding, too, and the larger part of it in
 * loops. */
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

static void judgeEquations(Triplets *t, int which)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(t->inspector[which], &count);
    batteryMeasureAfter(&t->scale[which], reaction, count);
    const BatteryReactions of = {&t->scale[which], reaction, count};
    BatteryViolation most = {0};
    batteryFindViolation(&of, &most);
    t->share[which] = fmax(t->share[which], most.share);
    t->left += which == ENGINE ? h * most.speed : 0;
}

static void stepTriplets(Triplets *t)
{
    for (int i = 0; i < TRIPLETS; i++)
        batteryBeforeStep(t->battery[i]);
    for (int i = ENGINE; i <= EXACT; i++)
        batteryMeasureBefore(&t->scale[i], t->battery[i], h);
    ck_assert_int_eq(ksInspectorStep(t->inspector[ENGINE], h), KS_OK);
    ck_assert_int_eq(ksInspectorExactStep(t->inspector[EXACT], h), KS_OK);
    for (int i = ENGINE; i <= EXACT; i++)
        judgeEquations(t, i);
    nudge(t->battery[NUDGED]);
    ck_assert(dWorldStep(t->battery[NUDGED]->world, h));
    for (int i = 0; i < TRIPLETS; i++)
        batteryAfterStep(t->battery[i]);
    compare(t, EXACT);
    compare(t, NUDGED);
}

/* Else rounding has decided whether a stop was reached in this step. */
static bool haveSameStops(const Triplets *t)
{
    for (int i = 0; i < t->battery[ENGINE]->jointCount; i++) {
        const dJointID a = t->battery[ENGINE]->joint[i], b = t->battery[EXACT]->joint[i];
        if (ksiStopsOf((int)dJointGetType(a), a) != ksiStopsOf((int)dJointGetType(b), b))
            return false;
    }
    return true;
}

/* m: how far dWorldStep's motion may be from its equations. In single precision it may leave them by
 * metres a second where contradictions press with 1e8 N, and in the same way in either order. */
static double chanceOf(const Triplets *t)
{
    return KSI_IS_SINGLE ? fmax(t->apart[NUDGED], t->left) : t->apart[NUDGED];
}

typedef struct Tally {
    long steps, rows;
    double apart; /* the largest distance while it is meaningful */
} Tally;

static void follow(const BatteryPlan *plan, int steps, Tally *tally)
{
    Triplets *t = newTriplets(plan);
    // dWorldStep prints a message if its solver gives up, and leaves multipliers of zero
    const unsigned long messages = batteryMessages();
    for (int k = 0; k < steps; k++) {
        stepTriplets(t);
        if (batteryMessages() > messages)
            break;
        const ksStepReport *report = ksInspectorGetStepReport(t->inspector[EXACT]);
        ck_assert_msg(report->fallbackRowCount == 0, "seed %u, step %d: %zu rows left, reasons %#llx",
                      (unsigned)plan->seed, k, report->fallbackRowCount, (unsigned long long)report->fallbackReasons);
        ck_assert_msg(!KSI_IS_SINGLE || t->share[EXACT] <= fmax(kSolved, kAlike * t->share[ENGINE]),
                      "seed %u, step %d: %g of the equations left, by dWorldStep %g", (unsigned)plan->seed, k,
                      t->share[EXACT], t->share[ENGINE]);
        if (KSI_IS_SINGLE && !haveSameStops(t))
            break;
        const double chance = chanceOf(t);
        ck_assert_msg(t->apart[EXACT] <= fmax(kSame, kChaos * chance), "seed %u, step %d: %g apart, chance %g",
                      (unsigned)plan->seed, k, t->apart[EXACT], chance);
        if (chance > kChance || t->fastest > kApart)
            break;
        tally->steps++;
        tally->rows += (long)report->rowCount;
        tally->apart = fmax(tally->apart, t->apart[EXACT]);
    }
    endTriplets(t);
}

/* Joints of all types and attachments, motors, stops, damping, speed caps, gyroscopic bodies, user
 * forces; then loops; bodies that fall asleep and are woken; contacts whose friction has the same
 * meaning in both steppers. */
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
    ck_assert_double_gt((double)tally.steps, kLong * worlds * steps);
    ck_assert_int_gt(tally.rows, 10 * tally.steps);
    printf("exact, plan %d: %ld steps, %.1e apart\n", which, tally.steps, tally.apart);
}

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
    tcase_add_loop_test(quick, steps_like_dWorldStep, 0, PLANS);
    suite_add_tcase(suite, quick);
    tcase_set_tags(thorough, "long");
    tcase_add_loop_test(thorough, steps_like_dWorldStep_long, 0, PLANS);
    suite_add_tcase(suite, thorough);
    return runSuite(suite);
}
