/* check_inequalities.c  Motion, Gauss's measure and impacts of systems with bounds, against closed
 * forms.
 *
 * Sources: Banach, Mechanics, chapter X, §3; for impacts Lamb 1911, §1. The examples are ours. */
#include "tests/kits/system_kit.h"

#include "mechanics/bounds/active_set.h"

static const double g = 9.81, forward = 1, backward = -1;

static void expectMeasure(ksSystem *system, const double *a, double constraint, double unexplained, double solverError)
{
    ksGaussMeasure measure;
    ck_assert_ok(ksSystemMeasure(system, a, &measure));
    ck_assert_near(measure.constraint, constraint, ROUNDING * (1 + constraint));
    ck_assert_near(measure.unexplained, unexplained, ROUNDING * (1 + unexplained));
    ck_assert_near(measure.solverError, solverError, ROUNDING * (1 + solverError));
}

/* A block of one coordinate that moves at v. */
static int addCart(ksSystem *system, double mass, double force, double v)
{
    return putBlock(system, 1, &mass, &force, &v);
}

static void expectBlow(ksSystem *system, const double *impulse, const double *reaction, const double *velocity,
                       double lost)
{
    double l[4], v[4];
    ksImpulse energy;
    ck_assert_ok(ksSystemSolveImpulse(system, impulse, NULL, l, v, &energy));
    for (int i = 0; i < ksSystemRowCount(system); i++)
        ck_assert_near(l[i], reaction[i], ROUNDING);
    for (int i = 0; i < ksSystemCoordinateCount(system); i++)
        ck_assert_near(v[i], velocity[i], ROUNDING);
    ck_assert_near(energy.lost, lost, ROUNDING);
    ck_assert_near(energy.after, energy.before + energy.given + energy.byRows, ROUNDING);
    ck_assert_near(energy.after, energy.unconstrained - energy.lost, ROUNDING);
    ck_assert_near(energy.after + energy.stored, energy.momentum + energy.prescribed, ROUNDING);
}

/* A body in front of a wall; twice its weight pulls it off the wall or presses it on. */
START_TEST(bodyAtAWall)
{
    const double m = 0.5, pull = _i ? -2 * m * g : 2 * m * g, a = _i ? 0 : 2 * g, other = _i ? 3 : 0;
    const double missed = 0.5 * m * (a - other) * (a - other), Z = 0.5 * pull * pull / m;
    double motion;
    ksSystem *system = newSystem();
    const int body = addCart(system, m, pull, 0);
    addBounded(system, body, &forward, -1, NULL, 0, 0, 0, INFINITY);
    ck_assert_ok(ksSystemSolveMotion(system, &motion));
    ck_assert_near(motion, a, ROUNDING);
    expectMeasure(system, &a, _i ? Z : 0, 0, 0);
    // the measure of rest although nothing holds it there, and of leaving although it is pressed
    expectMeasure(system, &other, 0.5 * m * (other - pull / m) * (other - pull / m), 0, missed);
    ksSystemDestroy(system);
}
END_TEST

/* It moves away from the wall, or towards it: only then there is an impulse. */
START_TEST(bodyMeetsAWall)
{
    const double v = _i ? -0.5 : 0.5, after = _i ? 0 : 0.5, reaction = _i ? 1 : 0;
    ksSystem *system = newSystem();
    const int body = addCart(system, 2, -100, v);
    addBounded(system, body, &forward, -1, NULL, 7, 0, 0, INFINITY);
    expectBlow(system, NULL, &reaction, &after, _i ? 0.25 : 0);
    ksSystemDestroy(system);
}
END_TEST

/* Two carts that touch, with a string of the same length between them: pushed or pulled at either
 * end. */
START_TEST(twoCarts)
{
    const double m[2] = {2, 3}, force = 10;
    for (int kind = 0; kind < 8; kind++) {
        const int pushed = kind & 1, isString = kind >> 1 & 1, isStruck = kind >> 2;
        // a forward force on the second cart stretches the string; on the first, it presses the
        // contact
        const int together = pushed != isString;
        const double f[2] = {pushed ? force : 0, pushed ? 0 : force}, both = force / (m[0] + m[1]);
        const int moved = pushed ? 0 : 1;
        double motion[2], expected[2] = {0, 0};
        expected[moved] = force / m[moved];
        if (together)
            expected[0] = expected[1] = both;
        const double reaction = together ? force - m[moved] * both : 0;
        ksSystem *system = newSystem();
        const int first = addCart(system, m[0], isStruck ? 0 : f[0], 0),
                  second = addCart(system, m[1], isStruck ? 0 : f[1], 0);
        addBounded(system, first, isString ? &forward : &backward, second, isString ? &backward : &forward, 0, 0, 0,
                   INFINITY);
        if (isStruck) {
            const double free = 0.5 * force * force / m[moved], left = 0.5 * force * both;
            expectBlow(system, f, &reaction, expected, together ? free - left : 0);
        } else {
            ck_assert_ok(ksSystemSolveMotion(system, motion));
            ck_assert_near(motion[0], expected[0], ROUNDING);
            ck_assert_near(motion[1], expected[1], ROUNDING);
            const double Z = 0.5 * reaction * reaction * (1 / m[0] + 1 / m[1]);
            expectMeasure(system, expected, Z, 0, 0);
        }
        ksSystemDestroy(system);
    }
}
END_TEST

/* A box on the ground, pulled along it: it rests, or slides against mu m g. It keeps the whole blow
 * along the ground, since finite friction has no impulse; the ground takes a blow into it. */
START_TEST(boxWithFriction)
{
    const double m = 2, mu = 0.5, draw = _i ? 15 : 5, weight[2] = {draw, -m * g};
    const double along[2] = {1, 0}, up[2] = {0, 1}, most = mu * m * g;
    const double expected[2] = {_i ? (draw - most) / m : 0, 0}, held = _i ? -most : -draw;
    const double blow[2] = {3, -4}, after[2] = {1.5, 0}, answer[2] = {4, 0};
    double motion[2], other[2] = {expected[0] + 1, 0};
    ksSystem *system = newSystem();
    const int box = addParticle(system, 2, m, weight);
    addBounded(system, box, up, -1, NULL, 0, 0, 0, INFINITY);
    addBounded(system, box, along, -1, NULL, 0, 0, -most, most);
    ck_assert_ok(ksSystemSolveMotion(system, motion));
    ck_assert_near(motion[0], expected[0], ROUNDING);
    ck_assert_near(motion[1], 0, ROUNDING);
    // friction at its bound is an applied force
    const double ground = 0.5 * m * g * g;
    expectMeasure(system, expected, ground + (_i ? 0 : 0.5 * held * held / m), 0, 0);
    const double slip = _i ? 1 : 1 - draw / m;
    expectMeasure(system, other, ground + 0.5 * m * slip * slip, 0, 0.5 * m);
    expectBlow(system, blow, answer, after, 0.5 * 16 / m);
    ksSystemDestroy(system);
}
END_TEST

/* Three supports under a bar, two of which are enough. In the bilateral solution one support pulls,
 * and the motion differs. A force lifts the right end, so that the bar turns about the first
 * support. */
START_TEST(barOnThreeSupports)
{
    const double m = 3, half = 1, lift = 40, inertia = m * half * half / 3, diagonal[2] = {m, inertia};
    const double force[2] = {lift - m * g, lift * half};
    const double at[3][2] = {{1, -half}, {1, 0}, {1, half}};
    double motion[2];
    ksSystem *system = newSystem();
    const int bar = addDiagonal(system, 2, diagonal, force);
    for (int i = 0; i < 3; i++)
        addBounded(system, bar, at[i], -1, NULL, 0, 0, 0, INFINITY);
    // about the first support: (I + m l^2) w' = lift 2 l - m g l
    const double turn = (2 * lift * half - m * g * half) / (inertia + m * half * half),
                 expected[2] = {half * turn, turn};
    const double support = m * half * turn - force[0];
    ck_assert_double_ge(support, 0);
    ck_assert_ok(ksSystemSolveMotion(system, motion));
    ck_assert_near(motion[0], expected[0], ROUNDING * g);
    ck_assert_near(motion[1], expected[1], ROUNDING * g);
    expectMeasure(system, expected, 0.5 * support * support * (1 / m + half * half / inertia), 0, 0);
    ksSystemDestroy(system);
}
END_TEST

/* A query leaves nothing behind; a failed query leaves its outputs and the system unchanged. */
START_TEST(boundsAndForcesStay)
{
    const double m = 1, force = 3 * g, blow = -2;
    double before[2], after[2], motion = 42, v, l[2];
    ksBoundedSolution solution = {.multiplier = before}, again = {.multiplier = after};
    ksSystem *system = newSystem();
    const int body = addCart(system, m, force, 1);
    addBounded(system, body, &forward, -1, NULL, 0.5, 0, 0, INFINITY);
    addBounded(system, body, &forward, -1, NULL, 9, 0.25, -3, 1);
    ck_assert_ok(ksSystemSolveBounded(system, &solution));
    ck_assert_ok(ksSystemSolveImpulse(system, &blow, NULL, l, &v, NULL));
    ck_assert_near(v, 0, ROUNDING);
    ck_assert_near(l[0], 1, ROUNDING);
    ck_assert_ok(ksSystemSolveMotion(system, &motion));
    ck_assert_ok(ksSystemSolveBounded(system, &again));
    ck_assert_mem_eq(before, after, sizeof before);
    // walls that close in
    addBounded(system, body, &backward, -1, NULL, 5 - 3 * g, 0, 0, INFINITY);
    motion = 42;
    addBounded(system, body, &forward, -1, NULL, 3 * g, 0, 0, INFINITY);
    ck_assert_int_eq(ksSystemSolveMotion(system, &motion), KS_ERROR_INCONSISTENT);
    ck_assert_double_eq(motion, 42);
    ck_assert_int_eq(ksSystemMeasure(system, &motion, &(ksGaussMeasure){0}), KS_ERROR_INCONSISTENT);
    ksSystemDestroy(system);
}
END_TEST

/* Multipliers and motion of the null-space route, for an active set from elsewhere. */
static double violationOf(ksSystem *system, ksRowPlace place, bool isShared)
{
    double multiplier, motion, violation, margin;
    ksiBoundedRow wall = {.row = 0, .low = 0, .high = INFINITY, .place = place, .isShared = isShared};
    ksiActiveSet set = {
        .system = system, .bounded = &wall, .count = 1, .multiplier = &multiplier, .acceleration = &motion};
    ck_assert_ok(ksSystemSolvePaulus(system, &multiplier, &motion));
    ck_assert_ok(ksiActiveSetCertify(&set, &violation, &margin));
    return violation;
}

/* A wrong set of active walls, with one too many or one too few, is detected. */
START_TEST(placesAreVerified)
{
    for (int pressed = 0; pressed < 2; pressed++)
        for (int holds = 0; holds < 2; holds++) {
            ksSystem *system = newSystem();
            const int body = addCart(system, 0.5, pressed ? -g : g, 0);
            addBounded(system, body, &forward, -1, NULL, 0, 0, holds ? -INFINITY : 0, holds ? INFINITY : 0);
            const ksRowPlace place = holds ? KS_INSIDE : KS_AT_LOW;
            const double violation = violationOf(system, place, false);
            ck_assert(pressed == holds ? violation <= ROUNDING : violation >= 0.1);
            // a share among many proves nothing by itself
            ck_assert(!holds || violationOf(system, place, true) <= ROUNDING);
            ksSystemDestroy(system);
        }
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("inequalities");
    tcase_add_loop_test(test, bodyAtAWall, 0, 2);
    tcase_add_loop_test(test, bodyMeetsAWall, 0, 2);
    tcase_add_test(test, twoCarts);
    tcase_add_loop_test(test, boxWithFriction, 0, 2);
    tcase_add_test(test, barOnThreeSupports);
    tcase_add_test(test, boundsAndForcesStay);
    tcase_add_test(test, placesAreVerified);
    return runCase("inequalities", test);
}
