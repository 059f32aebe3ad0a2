/* check_contact_physical.c  Physical forces of pairs in contact: by statics and by momentum. */
#include "tests/kits/machines_kit.h"
#include "tests/kits/memory_kit.h"

#include <limits.h>

/* Truths of one component are named by themselves; a pair has two bodies and up to three of them. */
typedef struct Watched {
    ksSubscription pair;
    dBodyID on;
    double truth[3]; /* N; NaN: this component has none */
} Watched;

enum { MOST_PAIRS = 10 };

typedef struct Case Case;
struct Case {
    Machine machine;
    ksInspector *inspector;
    Watched watched[MOST_PAIRS];
    int count;
    double h, settled;     /* s */
    void (*turn)(Case *s); /* truths of the pose, or NULL */
};

static ksInspectorOptions physicalOptions(void)
{
    ksInspectorOptions options = defaultOptions();
    options.contactPhysical = 1;
    return options;
}

static Case begin(int variant)
{
    Case s = {.machine = machineBegin(variant & 1 ? GROUND_LAYER : GROUND_HARD),
              .h = variant & 2 ? 0.01 : 0.005,
              .settled = 1};
    const ksInspectorOptions options = physicalOptions();
    dRandSetSeed(1);
    s.inspector = inspectWith(s.machine.world, &options);
    return s;
}

static void watch(Case *s, dBodyID on, dBodyID by, double x, double y, double z)
{
    Watched *w = &s->watched[s->count++];
    *w = (Watched){.on = on, .truth = {x, y, z}};
    CHECK_OK(ksInspectorPair(s->inspector, on, by, 0.15, &w->pair));
}

static ksMean meanOf(const Case *s, const Watched *w)
{
    ksMean mean;
    CHECK_OK(ksInspectorGetMean(s->inspector, w->pair, &mean));
    return mean;
}

static void stepOnce(Case *s)
{
    machineStep(&s->machine, s->inspector, KS_QUICK_STEP, s->h);
}

static void finish(Case *s)
{
    ksInspectorDestroy(s->inspector);
    machineEnd(&s->machine);
}

/* --- Closed forms --- */

static void addBoxAlone(Case *s)
{
    dBodyID box = machineBox(&s->machine, 2, (double[]){0.3, 0.2, 0.2}, 0, 0, 0.1, true);
    watch(s, box, NULL, 0, 0, s->machine.weight);
}

/* Each pair carries what is above it. */
static void addStack(Case *s, int count)
{
    dBodyID below = NULL;
    for (int i = 0; i < count; i++) {
        dBodyID box = machineBox(&s->machine, 2, (double[]){0.3, 0.2, 0.2}, 0.01 * (i & 1), 0, 0.1 + 0.2 * i, true);
        watch(s, box, below, 0, 0, 2 * SCENE_GRAVITY * (count - i));
        below = box;
    }
}

static void addStackOfTwo(Case *s)
{
    addStack(s, 2);
}

static void addStackOfFive(Case *s)
{
    addStack(s, 5);
}

static void addStackOfTen(Case *s)
{
    addStack(s, 10);
}

static const double rodMass = 10, rodLength = 2, rodBall = 0.03;

/* By moments about the lower balls' points: those of the wall are a radius higher than the middle of their balls. */
static void turnLadder(Case *s)
{
    dVector3 foot, top;
    dBodyGetRelPointPos(s->machine.box[0], 0, 0, -rodLength / 2, foot);
    dBodyGetRelPointPos(s->machine.box[0], 0, 0, rodLength / 2, top);
    const double push = rodMass * SCENE_GRAVITY * 0.5 * (top[0] - foot[0]) / (top[2] - foot[2] + rodBall);
    s->watched[0].truth[0] = push;
    s->watched[1].truth[0] = -push;
}

/* A rod on balls leans on a smooth wall, which is a kinematic body: moments determine both forces. */
static void addLadder(Case *s)
{
    static const double angle = 1, wallAt = 1.2;
    Machine *m = &s->machine;
    const double along = rodLength * cos(angle), up = rodLength * sin(angle);
    dBodyID rod = machineBox(m, rodMass, (double[]){0.05, 0.4, rodLength}, wallAt - rodBall - along / 2, 0,
                             rodBall + up / 2, false);
    dBodyID wall = machineBox(m, 1, (double[]){0.2, 2, 4}, wallAt + 0.1, 0, 2.5, true);
    dMatrix3 turn;
    dBodySetKinematic(wall);
    dRFromAxisAndAngle(turn, 0, 1, 0, M_PI / 2 - angle);
    dBodySetRotation(rod, turn);
    for (int end = -1; end <= 1; end += 2)
        for (int side = -1; side <= 1; side += 2) {
            dGeomID ball = dCreateSphere(m->space, rodBall);
            dGeomSetBody(ball, rod);
            dGeomSetOffsetPosition(ball, 0, 0.2 * side, end * rodLength / 2);
        }
    m->smooth = wall;
    watch(s, rod, NULL, 0, 0, rodMass * SCENE_GRAVITY);
    watch(s, rod, wall, 0, 0, 0);
    s->turn = turnLadder;
}

static const double slope = 0.3;

static void addSliding(Case *s)
{
    Machine *m = &s->machine;
    const double g = SCENE_GRAVITY, normal = 2 * g * cos(slope);
    m->mu = 0.2;
    dWorldSetGravity(m->world, g * sin(slope), 0, -g * cos(slope));
    dBodyID box = machineBox(m, 2, (double[]){0.3, 0.2, 0.1}, 0, 0, 0.05, true);
    watch(s, box, NULL, -m->mu * normal, 0, normal);
}

/* It slides at first, and comes to rest: both within the same run. */
static void addSlidingToRest(Case *s)
{
    Machine *m = &s->machine;
    const double g = SCENE_GRAVITY;
    m->mu = 0.5;
    dWorldSetGravity(m->world, g * sin(slope), 0, -g * cos(slope));
    dBodyID box = machineBox(m, 2, (double[]){0.3, 0.2, 0.1}, 0, 0, 0.05, true);
    dBodySetLinearVel(box, 1, 0, 0);
    watch(s, box, NULL, -2 * g * sin(slope), 0, 2 * g * cos(slope));
    s->settled = 2;
}

static void addRollingBall(Case *s)
{
    dMass mass;
    dBodyID ball = dBodyCreate(s->machine.world);
    dMassSetSphereTotal(&mass, 3, 0.1);
    dBodySetMass(ball, &mass);
    dBodySetPosition(ball, 0, 0, 0.1);
    dGeomSetBody(dCreateSphere(s->machine.space, 0.1), ball);
    dBodySetLinearVel(ball, 1, 0, 0);
    dBodySetAngularVel(ball, 0, 10, 0);
    watch(s, ball, NULL, 0, 0, 3 * SCENE_GRAVITY);
}

typedef struct Form {
    void (*add)(Case *s);
    double
        tolerance; /* of the load, root mean square: contacts that flicker leave more where more of them are on each other, and ten sway */
} Form;

static const Form forms[] = {{addBoxAlone, 1e-3},      {addStackOfTwo, 2e-3}, {addStackOfFive, 1e-3},
                             {addStackOfTen, 3e-3},    {addLadder, 1e-3},     {addSliding, 1e-4},
                             {addSlidingToRest, 1e-3}, {addRollingBall, 1e-4}};
enum { FORMS = sizeof forms / sizeof *forms, VARIANTS = 4 };

/* The engine's own forces of a step are off by up to the whole load. The pair's is the one that statics tell, in both ways of contact and at
 * both step sizes; the bar holds. */
START_TEST(as_statics_tell)
{
    static const double held = 0.95, known = 0.95;    /* shares of steps */
    static const double rounding = 1e-6, open = 1e-4; /* of the load; what drift leaves of what fits makes unique */
    const Form *form = &forms[_i / VARIANTS];
    Case s = begin(_i % VARIANTS);
    double square[MOST_PAIRS] = {0};
    int within[MOST_PAIRS] = {0}, count[MOST_PAIRS] = {0}, steps = 0;
    form->add(&s);
    for (int n = 0; n < 4 / s.h; n++) {
        if (s.turn)
            s.turn(&s);
        stepOnce(&s);
        if (n * s.h < s.settled)
            continue;
        steps++;
        for (int p = 0; p < s.count; p++) {
            const Watched *w = &s.watched[p];
            const ksMean mean = meanOf(&s, w);
            const double load = length3(w->truth);
            bool isWithin = true;
            ck_assert_int_ne(mean.physicalVerdict, KS_INDETERMINATE);
            if (isnan(mean.physicalBar.force[2]))
                continue;
            count[p]++;
            for (int k = 0; k < 3; k++) {
                const double apart = fabs(mean.physical.force[k] - w->truth[k]);
                square[p] += apart * apart / (load * load);
                isWithin &= apart <= mean.physicalBar.force[k] + rounding * load;
                ck_assert_double_le(mean.physicalOpen.force[k], open * load);
            }
            within[p] += isWithin;
        }
    }
    for (int p = 0; p < s.count; p++) {
        ck_assert_msg(count[p] >= known * steps, "pair %d: %d of %d", p, count[p], steps);
        ck_assert_msg(within[p] >= held * count[p], "pair %d: %d of %d within", p, within[p], count[p]);
        ck_assert_msg(sqrt(square[p] / count[p]) <= form->tolerance, "pair %d: %g", p, sqrt(square[p] / count[p]));
    }
    finish(&s);
}
END_TEST

/* --- What mechanics leaves open --- */

/* A plank on two supports 2 cm wide: each carries between what it has if its force is at one edge and at the other. */
START_TEST(two_supports_share)
{
    static const double half = 0.01, at = 0.4, centre = 0.05, exact = 1e-3;
    Case s = begin(_i);
    Machine *m = &s.machine;
    dBodyID plank = machineBox(m, 5, (double[]){1.2, 0.2, 0.05}, centre, 0, 0.225, true);
    const double weight = 5 * SCENE_GRAVITY, sides[2] = {-1, 1};
    int seen = 0;
    for (int i = 0; i < 2; i++) {
        dBodyID support = machineBox(m, 1, (double[]){2 * half, 0.2, 0.2}, at * sides[i], 0, 0.1, true);
        dBodySetKinematic(support);
        watch(&s, plank, support, NAN, NAN, NAN);
    }
    for (int n = 0; n < 2 / s.h; n++) {
        stepOnce(&s);
        if (n * s.h < s.settled)
            continue;
        // left: distances of the mass centre from the right force, of both forces
        const double high = weight * (at + half - centre) / (2 * at), low = weight * (at - half - centre) / (2 * at);
        double sum = 0;
        for (int i = 0; i < 2; i++) {
            const ksMean mean = meanOf(&s, &s.watched[i]);
            const double lowest = i ? weight - high : low, highest = i ? weight - low : high;
            const double found = mean.physical.force[2], open = mean.physicalOpen.force[2];
            sum += found;
            if (mean.physicalVerdict != KS_INDETERMINATE)
                continue;
            seen++;
            ck_assert_double_le(found, highest + exact * weight);
            ck_assert_double_ge(found, lowest - exact * weight);
            ck_assert_double_ge(open, fmax(highest - found, found - lowest) - exact * weight);
            ck_assert_double_le(open, fmax(highest - found, found - lowest) + 20 * exact * weight);
            ck_assert_double_ge(mean.physicalBar.force[2], open);
        }
        ck_assert_double_eq_tol(sum, weight, exact * weight);
    }
    ck_assert_int_ge(seen, (int)(2 * 0.95 / s.h));
    finish(&s);
}
END_TEST

/* Four feet under legs whose servos hold: how they share is up to the servos. The sum is the weight; the engine's mean is kept; and the same
 * machine, made with its legs in another order, splits it otherwise, within the bars of the first. */
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

/* A foot of a leg: its force is all that the servos above it report. */
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

/* A box that falls: in the air no force, where it lands a blow, and then its weight. Over all steps the impulse is what momentum tells. */
START_TEST(lands)
{
    static const double exact = 0.02;
    Case s = begin(_i);
    dBodyID box = machineBox(&s.machine, 2, (double[]){0.3, 0.2, 0.2}, 0, 0, 0.6, true);
    double impulse = 0, truth = 0, speed = 0;
    int blows = 0, first = 0;
    watch(&s, box, NULL, 0, 0, s.machine.weight);
    for (int n = 0; n < 2 / s.h; n++) {
        stepOnce(&s);
        const ksMean mean = meanOf(&s, &s.watched[0]);
        const double now = dBodyGetLinearVel(box)[2], gained = 2 * (now - speed + SCENE_GRAVITY * s.h);
        speed = now;
        impulse += s.h * mean.physical.force[2];
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
    ck_assert_double_eq_tol(first * s.h, sqrt(2 * 0.5 / SCENE_GRAVITY), 0.02);
    ck_assert_double_eq_tol(impulse, truth, exact * truth);
    finish(&s);
}
END_TEST

/* Points that are missing for a step are told where they carry; the force does not care. */
START_TEST(remembers)
{
    Case s = begin(0);
    int remembered = 0, empty = 0;
    addLadder(&s);
    for (int n = 0; n < 800; n++) {
        stepOnce(&s);
        const ksMean mean = meanOf(&s, &s.watched[0]);
        if (n < 200 || !(mean.physicalReasons & KS_REASON_REMEMBERED))
            continue;
        remembered++;
        ck_assert(mean.physicalVerdict == KS_UNCHECKED);
        ck_assert_double_eq_tol(mean.physical.force[2], 10 * SCENE_GRAVITY, 0.01 * 10 * SCENE_GRAVITY);
        empty++;
    }
    ck_assert_int_gt(remembered, 10);
    finish(&s);
}
END_TEST

/* --- Not asked for, too much, asleep --- */

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

/* Nothing is allocated in the steady state; a pair that could not be made is none; a later inspection gives the same. */
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

int main(void)
{
    Suite *suite = suite_create("contact_physical");
    TCase *test = tcase_create("contact_physical");
    tcase_add_loop_test(test, as_statics_tell, 0, FORMS * VARIANTS);
    tcase_add_loop_test(test, two_supports_share, 0, VARIANTS);
    tcase_add_loop_test(test, servos_share, 0, 2);
    tcase_add_loop_test(test, servos_drive, 0, 2);
    tcase_add_loop_test(test, lands, 0, VARIANTS);
    tcase_add_test(test, remembers);
    tcase_add_test(test, off);
    tcase_add_test(test, beyond_the_budget);
    tcase_add_test(test, memory);
    tcase_add_test(test, short_of_memory);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}
