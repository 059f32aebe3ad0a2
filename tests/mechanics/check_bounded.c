/* check_bounded.c  Unilateral constraints: which rows hold and which release, against closed
 * forms. */
#include "tests/kits/system_kit.h"

/* --- Moments of release --- */

/* Whether the first row holds in a state. */
typedef int Holds(ksSystem *system, double at);

static int firstHolds(ksSystem *system)
{
    ksRowPlace place[2];
    double multiplier[2];
    ksBoundedSolution found = {.multiplier = multiplier, .place = place};
    ck_assert_ok(ksSystemSolveBounded(system, &found));
    ck_assert(place[0] == KS_INSIDE || multiplier[0] == 0);
    return multiplier[0] > 0;
}

/* The parameter at which the first row releases, between a state in which it holds and one in which
 * it does not. */
static double release(Holds *holds, double held, double open)
{
    ksSystem *system = newSystem();
    ck_assert(holds(system, held) && !holds(system, open));
    while (fabs(held - open) > 1e-14) {
        const double middle = (held + open) / 2;
        if (holds(system, middle))
            held = middle;
        else
            open = middle;
    }
    ksSystemDestroy(system);
    return held;
}

/* of a parameter of size 1, which is bisected to rounding */
static const double releaseTolerance = 1e-11;
static const double g = 9.81, swing = 1.7, startAngle = 1.1, halfLength = 2;

/* A bob on a string of length 1 that swings from the bottom with v_0^2 = 2 g + 3 g (swing - 1): at
 * a height above the pivot v^2 = v_0^2 - 2 g (1 + height). */
static int stringHolds(ksSystem *system, double height)
{
    const double v2 = 2 * g + 3 * g * (swing - 1) - 2 * g * (1 + height), across = sqrt(1 - height * height);
    const double weight[2] = {0, -g}, inwards[2] = {-across, -height};
    ksSystemClear(system);
    const int bob = addParticle(system, 2, 1, weight);
    addBounded(system, bob, inwards, -1, NULL, v2, 0, 0, INFINITY);
    return firstHolds(system);
}

/* A ladder that slides from rest at startAngle: middle x, height, angle to the ground. */
static int ladderHolds(ksSystem *system, double sine)
{
    const double m = 9, l = halfLength, cosine = sqrt(1 - sine * sine), rate2 = 1.5 * g / l * (sin(startAngle) - sine);
    const double diagonal[3] = {m, m, m * l * l / 3}, weight[3] = {0, -m * g, 0};
    const double wall[3] = {1, 0, l * sine}, ground[3] = {0, 1, -l * cosine};
    ksSystemClear(system);
    const int ladder = addDiagonal(system, 3, diagonal, weight);
    addBounded(system, ladder, wall, -1, NULL, -l * cosine * rate2, 0, 0, INFINITY);
    addBounded(system, ladder, ground, -1, NULL, -l * sine * rate2, 0, 0, INFINITY);
    return firstHolds(system);
}

/* A rod whose middle is `beyond` past the edge of a table: its end on the table. */
static int endRests(ksSystem *system, double beyond)
{
    const double m = 3, l = halfLength, diagonal[2] = {m, m * l * l / 3}, weight[2] = {-m * g, 0};
    const double end[2] = {1, -l}, edge[2] = {1, -beyond};
    ksSystemClear(system);
    const int rod = addDiagonal(system, 2, diagonal, weight);
    addBounded(system, rod, end, -1, NULL, 0, 0, 0, INFINITY);
    addBounded(system, rod, edge, -1, NULL, 0, 0, 0, INFINITY);
    return firstHolds(system);
}

/* A bead in a square corner; the force turns from the first wall to the second. */
static int beadIsPressed(ksSystem *system, double angle)
{
    const double force[2] = {-cos(angle), -sin(angle)}, wall[2] = {1, 0}, other[2] = {0, 1};
    ksSystemClear(system);
    const int bead = addParticle(system, 2, 1, force);
    addBounded(system, bead, wall, -1, NULL, 0, 0, 0, INFINITY);
    addBounded(system, bead, other, -1, NULL, 0, 0, 0, INFINITY);
    return firstHolds(system);
}

START_TEST(momentsOfRelease)
{
    // tension m (v^2 - g z) = 0: 3 z = v_0^2 / g - 2
    ck_assert_near(release(stringHolds, 0, 0.99), swing - 1, releaseTolerance);
    ck_assert_near(release(ladderHolds, sin(startAngle), 0.3), 2.0 / 3 * sin(startAngle), releaseTolerance);
    ck_assert_near(release(endRests, -0.5, 0.5), 0, releaseTolerance);
    ck_assert_near(release(beadIsPressed, 0.3, 2.9), acos(0), releaseTolerance);
}
END_TEST

/* --- Uniqueness --- */

/* A tolerance from both sides: a factor of 3 inside, a factor of 3 outside. */
static const double side[2] = {1. / 3, 3};

/* A square table of mass 2 on four legs, pushed down by 8 at (x, y); coordinates: height and two
 * slopes. */
static void table(ksSystem *system, double x, double y)
{
    static const double leg[4][3] = {{1, 1, 1}, {1, -1, 1}, {1, -1, -1}, {1, 1, -1}};
    const double diagonal[3] = {2, 0.5, 0.5}, push[3] = {-8, -8 * x, -8 * y};
    ksSystemClear(system);
    const int body = addDiagonal(system, 3, diagonal, push);
    for (int l = 0; l < 4; l++)
        addBounded(system, body, leg[l], -1, NULL, 0, 0, 0, INFINITY);
}

/* Inside the square some sums are unique, but no leg's force; beyond an edge two legs lift, and the
 * others have unique forces; above an edge no leg moves, but a third one could only pull. */
START_TEST(tableOnFourLegs)
{
    ksSystem *system = newSystem();
    double multiplier[4], acceleration[3], bar[4];
    int determinate[4];
    ksBoundedSolution found = {
        .multiplier = multiplier, .bar = bar, .acceleration = acceleration, .determinate = determinate};
    table(system, 0.3, -0.2);
    ck_assert_ok(ksSystemSolveBounded(system, &found));
    for (int l = 0; l < 4; l++) {
        ck_assert(multiplier[l] >= 0);
        ck_assert_int_eq(determinate[l], 0);
    }
    ck_assert_near(multiplier[0] + multiplier[1] + multiplier[2] + multiplier[3], 8, ROUNDING);
    ck_assert_near(multiplier[0] + multiplier[3], 8 * 1.3 / 2, ROUNDING);
    for (int i = 0; i < 3; i++)
        ck_assert_near(acceleration[i], 0, ROUNDING);
    // both legs at x = 1 stay: a + x'' = 0
    table(system, 1.4, 0);
    ck_assert_ok(ksSystemSolveBounded(system, &found));
    const double sum = 8 * (1 / 2.0 + 1.4 / 0.5) / (1 / 2.0 + 1 / 0.5);
    ck_assert_near(multiplier[0], sum / 2, ROUNDING * sum);
    ck_assert_near(multiplier[3], sum / 2, ROUNDING * sum);
    ck_assert_double_eq(multiplier[1], 0);
    ck_assert_double_eq(multiplier[2], 0);
    for (int l = 0; l < 4; l++) {
        ck_assert_int_eq(determinate[l], 1);
        ck_assert_double_lt(bar[l], ROUNDING * sum);
    }
    ck_assert_double_gt(found.margin, 1e-2);
    table(system, 1, 0.2);
    ck_assert_ok(ksSystemSolveBounded(system, &found));
    ck_assert_near(multiplier[0], 4.8, ROUNDING * 8);
    ck_assert_near(multiplier[3], 3.2, ROUNDING * 8);
    ck_assert_double_lt(found.margin, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* A bead that fits between two walls: any pair of forces with the right difference is a solution.
 * Between walls that close in it has no motion, unless one of them is a spring. */
START_TEST(betweenTwoWalls)
{
    ksSystem *system = newSystem();
    const double force[1] = {3}, right[1] = {1}, left[1] = {-1};
    double multiplier[2], acceleration[1];
    int determinate[2];
    ksBoundedSolution found = {.multiplier = multiplier, .acceleration = acceleration, .determinate = determinate};
    for (int step = 0; step < 3; step++) {
        const double spring = step == 2 ? 0.1 : 0, closing = step > 0;
        ksSystemClear(system);
        const int bead = addParticle(system, 1, 2, force);
        addBounded(system, bead, right, -1, NULL, 0.5 * closing, 0, 0, INFINITY);
        addBounded(system, bead, left, -1, NULL, -0.4 * closing, spring, 0, INFINITY);
        multiplier[1] = -7;
        ck_assert_int_eq(ksSystemSolveBounded(system, &found), step == 1 ? KS_ERROR_INCONSISTENT : KS_OK);
        if (step == 0) {
            ck_assert_near(multiplier[1] - multiplier[0], 3, ROUNDING);
            ck_assert_near(acceleration[0], 0, ROUNDING);
            ck_assert_int_eq(determinate[0] + determinate[1], 0);
        } else if (step == 1) {
            ck_assert_int_ge(ksSystemCulprit(system), 0);
            ck_assert_double_eq(multiplier[1], -7);
        } else {
            // the spring keeps it off the other wall, -a + lambda / 10 = -0.4 and 2 a = 3 - lambda:
            // a = 7/12
            ck_assert_near(acceleration[0], 7.0 / 12, ROUNDING);
            ck_assert_near(multiplier[1], 11.0 / 6, ROUNDING);
            ck_assert_double_eq(multiplier[0], 0);
            ck_assert_int_eq(determinate[0] + determinate[1], 2);
        }
    }
    ksSystemDestroy(system);
}
END_TEST

/* Two walls before one bead, only one of which can be followed: the nearer one holds alone, even if
 * their difference is small beside the forces on the bead or on an unrelated body. From two sides
 * they leave no motion. */
START_TEST(wallsThatDiffer)
{
    const double one[1] = {1}, back[1] = {-1};
    ksSystem *system = newSystem();
    for (int k = 0; k < 4; k++) {
        const double press = 1e4 * pow(100, k), elsewhere = 1e3 * pow(100, k), light = 1e-6;
        for (int isElsewhere = 0; isElsewhere < 2; isElsewhere++)
            for (int opposite = 0; opposite < 2; opposite++) {
                const double force[1] = {isElsewhere ? -3 : -press}, other[1] = {elsewhere};
                double multiplier[2], acceleration[2];
                ksRowPlace place[2];
                ksBoundedSolution found = {.multiplier = multiplier, .acceleration = acceleration, .place = place};
                ksSystemClear(system);
                const int bead = addParticle(system, 1, 1, force);
                if (isElsewhere)
                    addParticle(system, 1, light, other);
                addBounded(system, bead, one, -1, NULL, 0.5, 0, 0, INFINITY);
                addBounded(system, bead, opposite ? back : one, -1, NULL, opposite ? -0.4 : 0.4, 0, 0, INFINITY);
                const ksStatus status = ksSystemSolveBounded(system, &found);
                if (opposite) {
                    ck_assert_int_eq(status, KS_ERROR_INCONSISTENT);
                    ck_assert_int_ge(ksSystemCulprit(system), 0);
                    continue;
                }
                ck_assert_int_eq(status, KS_OK);
                ck_assert_near(acceleration[0], 0.5, ROUNDING * -force[0]);
                ck_assert_near(multiplier[0], 0.5 - force[0], ROUNDING * -force[0]);
                ck_assert_double_eq(multiplier[1], 0);
                ck_assert_int_eq(place[1], KS_AT_LOW);
            }
    }
    ksSystemDestroy(system);
}
END_TEST

/* A bead presses with a force of 1 on one wall; another wall is a small acceleration away. If that
 * is small enough, either wall may hold the bead, and it is unknown which one does. */
START_TEST(wallThatCouldHold)
{
    const double one[1] = {1}, force[1] = {-1}, away = 1e-8 * side[_i];
    ksSystem *system = newSystem();
    double multiplier[2];
    int determinate[2];
    ksBoundedSolution found = {.multiplier = multiplier, .determinate = determinate};
    const int bead = addParticle(system, 1, 1, force);
    addBounded(system, bead, one, -1, NULL, 0, 0, 0, INFINITY);
    addBounded(system, bead, one, -1, NULL, -away, 0, 0, INFINITY);
    ck_assert_ok(ksSystemSolveBounded(system, &found));
    ck_assert_near(multiplier[0] + multiplier[1], 1, ROUNDING);
    ck_assert_int_eq(determinate[0], _i == 1);
    ck_assert_int_eq(determinate[1], _i == 1);
    ksSystemDestroy(system);
}
END_TEST

/* Two walls close in on a bead: their difference may be rounding of the force of 1 on it. */
START_TEST(wallsThatCloseIn)
{
    const double right[1] = {1}, left[1] = {-1}, force[1] = {1}, gap = 1e-12 * side[_i];
    ksSystem *system = newSystem();
    ksBoundedSolution found = {0};
    const int bead = addParticle(system, 1, 1, force);
    // the residuals are half the gap each
    addBounded(system, bead, right, -1, NULL, gap, 0, 0, INFINITY);
    addBounded(system, bead, left, -1, NULL, gap, 0, 0, INFINITY);
    ck_assert_int_eq(ksSystemSolveBounded(system, &found), _i == 1 ? KS_ERROR_INCONSISTENT : KS_OK);
    ksSystemDestroy(system);
}
END_TEST

/* Masses from 1e-6 to 5e5 kg, with a row that is dependent within the rounding of the null-space
 * route, which gives 1e27 for it. The other route's values are published, and explain the
 * motion. */
START_TEST(unequalMasses)
{
    static const double mass[5] = {32768, 9.5367431640625e-07, 8192, 8192, 524288};
    static const double force[5] = {-2.86102294921875e-06, -393216, 6, 0, 6};
    static const struct {
        int a, b;
        double ja, jb, beta, s, lo, hi;
    } row[] = {{0, 1, -2, 2, -10, 0.5, 0, INFINITY}, {1, 4, 1, 1, -3, 0, 0, INFINITY},
               {0, 1, 2, -2, 8, 0, -INFINITY, 0},    {0, 4, 1, 1, 3, 0.25, 0, INFINITY},
               {3, 4, 2, 1, -1, 0, -INFINITY, 0},    {0, 4, 1, 1, 3, 0, 0, INFINITY}};
    ksSystem *system = newSystem();
    double multiplier[6], acceleration[5];
    ksBoundedSolution found = {.multiplier = multiplier, .acceleration = acceleration};
    for (int i = 0; i < 5; i++)
        addParticle(system, 1, mass[i], &force[i]);
    for (int l = 0; l < COUNT_OF(row); l++)
        addBounded(system, row[l].a, &row[l].ja, row[l].b, &row[l].jb, row[l].beta, row[l].s, row[l].lo, row[l].hi);
    ck_assert_ok(ksSystemSolveBounded(system, &found));
    ck_assert_double_lt(found.violation, 1e-9);
    for (int i = 0; i < 5; i++) {
        double sum = force[i], most = fabs(force[i]);
        for (int l = 0; l < COUNT_OF(row); l++) {
            const double part = multiplier[l] * (row[l].a == i ? row[l].ja : row[l].b == i ? row[l].jb : 0);
            sum += part;
            most = fmax(most, fabs(part));
        }
        ck_assert_near(mass[i] * acceleration[i], sum, 1e-9 * most);
    }
    ksSystemDestroy(system);
}
END_TEST

/* --- The rest of the contract --- */

/* After any search the system is as before. */
START_TEST(boundsStay)
{
    ksSystem *system = newSystem();
    double multiplier[2], bilateral[2] = {0};
    ksBoundedSolution found = {.multiplier = multiplier};
    const double force[2] = {1, -1}, wall[2] = {1, 0}, ground[2] = {0, 1};
    const int bead = addParticle(system, 2, 1, force);
    addBounded(system, bead, wall, -1, NULL, 0, 0, 0, INFINITY);
    addBounded(system, bead, ground, -1, NULL, 0, 0, 0, INFINITY);
    for (int again = 0; again < 2; again++) {
        ck_assert_ok(ksSystemSolveBounded(system, &found));
        ck_assert_double_eq(multiplier[0], 0);
        ck_assert_near(multiplier[1], 1, ROUNDING);
        // the bilateral solution pulls at the wall
        ck_assert_int_eq(ksSystemSolveGauss(system, bilateral, NULL), KS_ERROR_BOUND);
        ck_assert_int_eq(ksSystemCulprit(system), 0);
        ck_assert_int_eq(ksSystemSolvePaulus(system, bilateral, NULL), KS_ERROR_BOUND);
    }
    ksSystemDestroy(system);
}
END_TEST

START_TEST(rowsOfAllKinds)
{
    ksSystem *system = newSystem();
    const double force[1] = {1}, zero[1] = {0}, one[1] = {1};
    double multiplier[5], acceleration[1];
    ksRowPlace place[5];
    int determinate[5];
    ksBoundedSolution found = {
        .multiplier = multiplier, .acceleration = acceleration, .place = place, .determinate = determinate};
    ck_assert_ok(ksSystemSolveBounded(system, &found));
    ck_assert_double_eq(found.violation, 0);
    ck_assert(isinf(found.margin));
    const int b = addParticle(system, 1, 2, force);
    ck_assert_ok(ksSystemSolveBounded(system, &found));
    ck_assert_near(acceleration[0], 0.5, ROUNDING);
    addBounded(system, b, one, -1, NULL, 9, 0, 4, 4);
    addBounded(system, b, zero, -1, NULL, 0, 0, 1, 2);
    addBounded(system, b, zero, -1, NULL, -1, 0, 0, INFINITY);
    addBounded(system, b, one, -1, NULL, 0, 0, -2, 2);
    addBounded(system, b, one, -1, NULL, 9, 0.5, -INFINITY, 3);
    ck_assert_ok(ksSystemSolveBounded(system, &found));
    // 2 a = 1 + 4 - 2 + 3
    ck_assert_near(acceleration[0], 3, ROUNDING);
    const double expected[5] = {4, 1, 0, -2, 3};
    const ksRowPlace there[5] = {KS_AT_LOW, KS_INACTIVE, KS_INACTIVE, KS_AT_LOW, KS_AT_HIGH};
    for (int l = 0; l < 5; l++) {
        ck_assert_double_eq(multiplier[l], expected[l]);
        ck_assert_int_eq(place[l], there[l]);
        ck_assert_int_eq(determinate[l], l != 1);
    }
    addBounded(system, b, zero, -1, NULL, 1, 0, 0, INFINITY);
    ck_assert_int_eq(ksSystemSolveBounded(system, &found), KS_ERROR_INCONSISTENT);
    ck_assert_int_eq(ksSystemCulprit(system), 5);
    ck_assert_int_eq(ksSystemSolveBounded(system, NULL), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemSolveBounded(NULL, &found), KS_ERROR_BAD_ARGUMENT);
    ksSystemDestroy(system);
}
END_TEST

/* Balls of unit mass side by side between two walls, each under a random force; contacts only
 * push. */
static void buildRow(ksSystem *system, int balls, unsigned long long *state)
{
    const double here[1] = {1}, there[1] = {-1};
    ksSystemClear(system);
    for (int i = 0; i < balls; i++) {
        const double push[1] = {draw(state)};
        addParticle(system, 1, 1, push);
    }
    for (int i = 0; i + 1 < balls; i++)
        addBounded(system, i + 1, here, i, there, 0, 0, 0, INFINITY);
    addBounded(system, 0, here, -1, NULL, 0, 0, 0, INFINITY);
    addBounded(system, balls - 1, there, -1, NULL, 0, 0.1, 0, INFINITY);
}

/* Hundreds of rows need fewer solutions than rows. If fewer are allowed than needed, the call says
 * so and publishes nothing. */
START_TEST(workIsBounded)
{
    enum { BALLS = 300, ROWS = BALLS + 1 };
    static double multiplier[ROWS], acceleration[BALLS];
    ksSystem *system = newSystem();
    unsigned long long state = 7;
    ksBoundedSolution found = {.multiplier = multiplier, .acceleration = acceleration};
    buildRow(system, BALLS, &state);
    multiplier[3] = -5;
    ck_assert_int_eq(ksiSystemSolveBounded(system, 2, &found), KS_ERROR_BOUND);
    ck_assert_int_eq(ksSystemCulprit(system), -1);
    ck_assert_double_eq(multiplier[3], -5);
    ck_assert_double_eq(found.violation, 0);
    ck_assert_ok(ksSystemSolveBounded(system, &found));
    ck_assert_double_lt(found.violation, ROUNDING);
    ck_assert_double_lt(found.solutions, ROWS);
    for (int i = 0; i + 1 < BALLS; i++) {
        const double parting = acceleration[i + 1] - acceleration[i];
        ck_assert(multiplier[i] >= 0 && parting >= -BALLS * ROUNDING);
        ck_assert_double_lt(multiplier[i] * parting, BALLS * ROUNDING);
    }
    ksSystemDestroy(system);
}
END_TEST

/* Plates of three coordinates on four legs each, with their legs on the plate below: the legs
 * decide the share of every plate, and right-hand sides that they cannot all follow release most of
 * them. */
START_TEST(stackOfTables)
{
    enum { PLATES = 15, LEGS = 4 * PLATES };
    static const double corner[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    const double diagonal[3] = {1, 1, 1}, weight[3] = {-1, 0, 0};
    double multiplier[LEGS], acceleration[3 * PLATES], beta[LEGS];
    ksBoundedSolution found = {.multiplier = multiplier, .acceleration = acceleration};
    ksSystem *system = newSystem();
    unsigned long long state = 11;
    for (int i = 0; i < PLATES; i++)
        addDiagonal(system, 3, diagonal, weight);
    for (int l = 0; l < LEGS; l++) {
        const double up[3] = {1, corner[l % 4][0], corner[l % 4][1]}, down[3] = {-1, -up[1], -up[2]};
        beta[l] = 0.005 * (1 + draw(&state));
        addBounded(system, l / 4, up, l < 4 ? -1 : l / 4 - 1, down, beta[l], 0, 0, INFINITY);
    }
    ck_assert_ok(ksSystemSolveBounded(system, &found));
    ck_assert_double_lt(found.violation, ROUNDING);
    ck_assert_double_lt(found.solutions, 2 * LEGS);
    for (int l = 0; l < LEGS; l++) {
        double w = -beta[l];
        for (int k = 0; k < 3; k++) {
            const double lever = k ? corner[l % 4][k - 1] : 1, *own = acceleration + 3 * (l / 4) + k;
            w += lever * (*own - (l < 4 ? 0 : own[-3]));
        }
        ck_assert(multiplier[l] >= 0 && w >= -LEGS * ROUNDING);
        ck_assert_double_lt(multiplier[l] * w, LEGS * ROUNDING);
    }
    ksSystemDestroy(system);
}
END_TEST

/* Memory runs out at any request: the call says so, nothing is lost, and the next call succeeds. */
START_TEST(outOfMemory)
{
    int refused = 0;
    for (long refuse = 1;; refuse++) {
        Counter counter = {0};
        const ksAllocator allocator = {countingResize, &counter};
        ksSystem *system = NULL;
        unsigned long long state = 3;
        double multiplier[9];
        ksBoundedSolution found = {.multiplier = multiplier};
        ck_assert_ok(ksiSystemCreate(&allocator, &system));
        buildRow(system, 8, &state);
        counter.refuse = counter.requests + refuse;
        const ksStatus status = ksSystemSolveBounded(system, &found);
        refused += status == KS_ERROR_NO_MEMORY;
        ck_assert(status == KS_OK || status == KS_ERROR_NO_MEMORY);
        counter.refuse = 0;
        ck_assert_ok(ksSystemSolveBounded(system, &found));
        ksSystemDestroy(system);
        ck_assert_int_eq(counter.held, 0);
        if (status == KS_OK)
            break;
    }
    ck_assert_int_gt(refused, 10);
}
END_TEST

int main(void)
{
    TCase *rest = tcase_create("bounded");
    tcase_add_test(rest, momentsOfRelease);
    tcase_add_test(rest, tableOnFourLegs);
    tcase_add_test(rest, betweenTwoWalls);
    tcase_add_test(rest, wallsThatDiffer);
    tcase_add_loop_test(rest, wallThatCouldHold, 0, 2);
    tcase_add_loop_test(rest, wallsThatCloseIn, 0, 2);
    tcase_add_test(rest, unequalMasses);
    tcase_add_test(rest, boundsStay);
    tcase_add_test(rest, rowsOfAllKinds);
    tcase_add_test(rest, workIsBounded);
    tcase_add_test(rest, stackOfTables);
    tcase_add_test(rest, outOfMemory);
    return runCase("bounded", rest);
}
