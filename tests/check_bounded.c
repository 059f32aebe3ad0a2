/* check_bounded.c  Unilateral constraints: the rows that hold and those that let go, against enumeration and closed
 * forms. */
#include "tests/system_kit.h"

/* --- Random systems against all places that their rows can have --- */

enum { MOST_ROWS = 12, MOST_COORDINATES = 8, MOST_PLACES = 4096, SYSTEMS = 10000 };

/* of the numbers of a system, which are of size 1 to 100; enumeration tests the solution of each place by the first */
static const double enumerationNoise = 1e-8, systemTolerance = 1e-7;

typedef struct Random {
    int rows, coordinates;
    double inverseMass[MOST_COORDINATES], force[MOST_COORDINATES];
    double jacobian[MOST_ROWS][MOST_COORDINATES], beta[MOST_ROWS], s[MOST_ROWS], lo[MOST_ROWS], hi[MOST_ROWS];
    double a[MOST_ROWS][MOST_ROWS], b[MOST_ROWS]; /* w = a lambda - b */
} Random;

static double number(unsigned long long *state, int whole)
{
    const double x = draw(state);
    return whole ? floor(2.5 * x + 0.5) : x;
}

/* Whole numbers make rows that depend on each other, and multipliers that are exactly zero. Returns the number of
 * places. */
static int drawRow(Random *r, int l, unsigned long long *state, int whole)
{
    const double kind = draw(state);
    for (int i = 0; i < r->coordinates; i++)
        r->jacobian[l][i] = number(state, whole);
    if (l > 1 && draw(state) > 0.8)
        memcpy(r->jacobian[l], r->jacobian[l - 2], sizeof r->jacobian[l]);
    r->s[l] = draw(state) > 0.7 ? 0.1 : 0;
    r->lo[l] = kind < 0.1 ? 0 : kind < 0.3 ? -INFINITY : kind < 0.6 ? -fabs(number(state, whole)) - 0.5 : -INFINITY;
    r->hi[l] = kind < 0.1 ? INFINITY : kind < 0.3 ? 0 : kind < 0.6 ? -r->lo[l] : INFINITY;
    if (kind < -0.2) {
        r->lo[l] = 0;
        r->hi[l] = INFINITY;
    }
    return kind >= 0.3 && kind < 0.6 ? 3 : 2;
}

static void drawSystem(Random *r, unsigned long long *state)
{
    const int whole = draw(state) > 0, canMove = draw(state) > -0.5, most = 1 + (int)(6 * (draw(state) + 1));
    double motion[MOST_COORDINATES];
    int places = 1;
    memset(r, 0, sizeof *r);
    r->coordinates = 1 + (int)(3.999 * (draw(state) + 1));
    for (int i = 0; i < r->coordinates; i++) {
        r->inverseMass[i] = whole ? 1 : 1.2 + draw(state);
        r->force[i] = 3 * number(state, whole);
        motion[i] = number(state, whole);
    }
    for (; r->rows < most && r->rows < MOST_ROWS && 3 * places <= MOST_PLACES; r->rows++) {
        const int l = r->rows;
        places *= drawRow(r, l, state, whole);
        const double off = fabs(number(state, whole)) + (draw(state) > 0.5 ? 0 : 1);
        r->beta[l] = 0;
        for (int i = 0; i < r->coordinates; i++)
            r->beta[l] += r->jacobian[l][i] * motion[i];
        // a motion that keeps all rows may or may not exist
        if (!canMove)
            r->beta[l] = number(state, whole);
        else if (r->lo[l] == 0)
            r->beta[l] -= off;
        else if (r->hi[l] == 0)
            r->beta[l] += off;
    }
    for (int l = 0; l < r->rows; l++) {
        r->b[l] = r->beta[l];
        for (int i = 0; i < r->coordinates; i++)
            r->b[l] -= r->jacobian[l][i] * r->inverseMass[i] * r->force[i];
        for (int k = 0; k < r->rows; k++) {
            r->a[l][k] = l == k ? r->s[l] : 0;
            for (int i = 0; i < r->coordinates; i++)
                r->a[l][k] += r->jacobian[l][i] * r->inverseMass[i] * r->jacobian[k][i];
        }
    }
}

static void build(ksSystem *system, const Random *r)
{
    ksSystemClear(system);
    double mass[MOST_COORDINATES * MOST_COORDINATES] = {0};
    int block;
    for (int i = 0; i < r->coordinates; i++)
        mass[i * r->coordinates + i] = 1 / r->inverseMass[i];
    ck_assert_ok(ksSystemAddBlock(system, r->coordinates, mass, r->force, NULL, &block));
    for (int l = 0; l < r->rows; l++)
        addBounded(system, block, r->jacobian[l], -1, NULL, r->beta[l], r->s[l], r->lo[l], r->hi[l]);
}

/* lambda with the rows at these places; 0: the rows inside depend on each other */
static int solvePlaces(const Random *r, const int *place, double *lambda)
{
    double k[MOST_ROWS][MOST_ROWS + 1];
    int index[MOST_ROWS], n = 0;
    for (int l = 0; l < r->rows; l++) {
        const int isBilateral = r->lo[l] == -INFINITY && r->hi[l] == INFINITY;
        lambda[l] = place[l] == 0 ? 0 : isBilateral ? 0 : place[l] == 1 && isfinite(r->lo[l]) ? r->lo[l] : r->hi[l];
        if (place[l] == 0)
            index[n++] = l;
    }
    for (int i = 0; i < n; i++) {
        k[i][n] = r->b[index[i]];
        for (int l = 0; l < r->rows; l++)
            k[i][n] -= place[l] ? r->a[index[i]][l] * lambda[l] : 0;
        for (int j = 0; j < n; j++)
            k[i][j] = r->a[index[i]][index[j]];
    }
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int i = c + 1; i < n; i++)
            best = fabs(k[i][c]) > fabs(k[best][c]) ? i : best;
        if (fabs(k[best][c]) < enumerationNoise)
            return 0;
        for (int j = c; best != c && j <= n; j++) {
            const double kept = k[c][j];
            k[c][j] = k[best][j];
            k[best][j] = kept;
        }
        for (int i = c + 1; i < n; i++) {
            const double times = k[i][c] / k[c][c];
            for (int j = c; j <= n; j++)
                k[i][j] -= times * k[c][j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            k[i][n] -= k[i][j] * lambda[index[j]];
        lambda[index[i]] = k[i][n] / k[i][i];
    }
    return 1;
}

static int isComplementary(const Random *r, const int *place, const double *lambda)
{
    for (int l = 0; l < r->rows; l++) {
        double w = -r->b[l];
        for (int k = 0; k < r->rows; k++)
            w += r->a[l][k] * lambda[k];
        const int isFree = (lambda[l] > r->lo[l] && lambda[l] < r->hi[l]) || place[l] == 0;
        if (lambda[l] < r->lo[l] - enumerationNoise || lambda[l] > r->hi[l] + enumerationNoise)
            return 0;
        if (isFree                  ? fabs(w) > enumerationNoise * (1 + fabs(lambda[l]))
            : lambda[l] == r->lo[l] ? w < -enumerationNoise
                                    : w > enumerationNoise)
            return 0;
    }
    return 1;
}

static void accelerate(const Random *r, const double *lambda, double *acceleration)
{
    for (int i = 0; i < r->coordinates; i++) {
        double force = r->force[i];
        for (int l = 0; l < r->rows; l++)
            force += r->jacobian[l][i] * lambda[l];
        acceleration[i] = r->inverseMass[i] * force;
    }
}

/* Every basic solution: their number, their common motion, and the range of each multiplier over them. */
static int enumerate(const Random *r, double *acceleration, double *least, double *most)
{
    int place[MOST_ROWS] = {0}, count = 0, l;
    double lambda[MOST_ROWS] = {0};
    do {
        if (solvePlaces(r, place, lambda) && isComplementary(r, place, lambda)) {
            accelerate(r, lambda, acceleration);
            for (l = 0; l < r->rows; l++) {
                least[l] = count ? fmin(least[l], lambda[l]) : lambda[l];
                most[l] = count ? fmax(most[l], lambda[l]) : lambda[l];
            }
            count++;
        }
        for (l = 0; l < r->rows; l++) {
            const int places = isfinite(r->lo[l]) && isfinite(r->hi[l]) ? 3 : 2;
            place[l] = (place[l] + 1) % places;
            if (place[l])
                break;
        }
    } while (l < r->rows);
    return count;
}

typedef struct Tally {
    int solved, exact, contradicting, shared, shares;
    double solutions, violation;
} Tally;

static void expectSame(ksSystem *system, const Random *r, Tally *tally)
{
    double expected[MOST_COORDINATES], least[MOST_ROWS], most[MOST_ROWS];
    double multiplier[MOST_ROWS], bar[MOST_ROWS], acceleration[MOST_COORDINATES], again[MOST_COORDINATES];
    ksRowPlace place[MOST_ROWS];
    int determinate[MOST_ROWS];
    ksBoundedSolution found = {
        .multiplier = multiplier, .bar = bar, .acceleration = acceleration, .place = place, .determinate = determinate};
    build(system, r);
    const ksStatus status = ksSystemSolveBounded(system, &found);
    if (enumerate(r, expected, least, most) == 0) {
        ck_assert_str_eq(ksStatusName(status), "KS_ERROR_INCONSISTENT");
        ck_assert_int_ge(ksSystemCulprit(system), 0);
        tally->contradicting++;
        return;
    }
    ck_assert_str_eq(ksStatusName(status), "KS_OK");
    accelerate(r, multiplier, again);
    double tolerance = systemTolerance;
    for (int l = 0; l < r->rows; l++)
        tolerance = fmax(tolerance, systemTolerance * fabs(multiplier[l]));
    for (int i = 0; i < r->coordinates; i++) {
        ck_assert_near(acceleration[i], expected[i], tolerance);
        ck_assert_near(acceleration[i], again[i], tolerance);
    }
    for (int l = 0; l < r->rows; l++) {
        ck_assert(multiplier[l] >= r->lo[l] && multiplier[l] <= r->hi[l]);
        const int isUnique = most[l] - least[l] < tolerance;
        tally->shared += !determinate[l];
        tally->shares += !determinate[l] && !isUnique;
        if (determinate[l])
            ck_assert_msg(isUnique && fabs(multiplier[l] - most[l]) < tolerance, "row %d: %.17g of [%g, %g]", l,
                          multiplier[l], least[l], most[l]);
        if (place[l] == KS_AT_LOW || place[l] == KS_AT_HIGH)
            ck_assert_double_eq(multiplier[l], place[l] == KS_AT_LOW ? r->lo[l] : r->hi[l]);
    }
    tally->solved++;
    tally->exact += found.violation == 0;
    tally->solutions = fmax(tally->solutions, found.solutions);
    tally->violation = fmax(tally->violation, found.violation);
}

/* Compliance close to rounding decides how rows share a force, and each route rounds in another way. There are
 * solutions all the same, which explain their motion, and the motion is that of rigid rows. */
START_TEST(littleCompliance)
{
    static const double little = 5.7e-14;
    ksSystem *system = newSystem();
    unsigned long long state = 4;
    int soft = 0;
    for (int n = 0; n < SYSTEMS / 4; n++) {
        Random r;
        double least[MOST_ROWS], most[MOST_ROWS], expected[MOST_COORDINATES], acceleration[MOST_COORDINATES];
        ksBoundedSolution found = {.acceleration = acceleration};
        drawSystem(&r, &state);
        for (int l = 0; l < r.rows; l++) {
            soft += r.s[l] > 0;
            r.a[l][l] -= r.s[l];
            r.s[l] *= 10 * little;
        }
        if (enumerate(&r, expected, least, most) == 0)
            continue;
        build(system, &r);
        const ksStatus status = ksSystemSolveBounded(system, &found);
        ck_assert_msg(status == KS_OK, "system %d: %s", n, ksStatusName(status));
        double tolerance = 1e-5;
        for (int l = 0; l < r.rows; l++)
            tolerance = fmax(tolerance, systemTolerance * fmax(fabs(least[l]), fabs(most[l])));
        for (int i = 0; i < r.coordinates; i++)
            ck_assert_near(acceleration[i], expected[i], tolerance);
    }
    ck_assert_int_gt(soft, SYSTEMS / 5);
    ksSystemDestroy(system);
}
END_TEST

/* The same motion as by trying every place of every row, or none where no place does; multipliers that are called unique
 * are the same in all solutions. */
START_TEST(asByEnumeration)
{
    ksSystem *system = newSystem();
    unsigned long long state = 20261123;
    Tally tally = {0};
    for (int n = 0; n < SYSTEMS; n++) {
        Random r;
        drawSystem(&r, &state);
        expectSame(system, &r, &tally);
    }
    ck_assert_int_gt(tally.solved, SYSTEMS / 2);
    // nothing beyond rounding
    ck_assert_int_gt(50 * tally.exact, 49 * tally.solved);
    ck_assert_int_gt(tally.contradicting, SYSTEMS / 50);
    ck_assert_int_gt(tally.shares, SYSTEMS / 50);
    ck_assert_double_lt(tally.solutions, 4 * MOST_ROWS);
    ck_assert_double_lt(tally.violation, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Draws with more bilateral rows than coordinates. A row at its bound has a residual that is only rounding: if this
 * freed the row, it would go back and forth. */
START_TEST(residualIsRounding)
{
    static const unsigned long long draws[] = {1631922856172043533, 16369492163171734078U, 1585733378134039986,
                                               1001837707930037427};
    unsigned long long state = draws[_i];
    ksSystem *system = newSystem();
    Tally tally = {0};
    Random r;
    drawSystem(&r, &state);
    expectSame(system, &r, &tally);
    ck_assert_int_eq(tally.solved, 1);
    ksSystemDestroy(system);
}
END_TEST

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

/* Where the first row lets go, between a state in which it holds and one in which it does not. */
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

/* of a parameter of size 1 that is bisected to rounding */
static const double releaseTolerance = 1e-11;
static const double g = 9.81, swing = 1.7, startAngle = 1.1, halfLength = 2;

/* Bob on a string of length 1 that swings from the bottom with v_0^2 = 2 g + 3 g (swing - 1): at a height above the pivot
 * v^2 = v_0^2 - 2 g (1 + height). */
static int stringHolds(ksSystem *system, double height)
{
    const double v2 = 2 * g + 3 * g * (swing - 1) - 2 * g * (1 + height), across = sqrt(1 - height * height);
    const double weight[2] = {0, -g}, inwards[2] = {-across, -height};
    ksSystemClear(system);
    const int bob = addParticle(system, 2, 1, weight);
    addBounded(system, bob, inwards, -1, NULL, v2, 0, 0, INFINITY);
    return firstHolds(system);
}

/* Ladder that slides from rest at startAngle: middle x, height, angle to the ground. */
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

/* Rod whose middle is by `beyond` beyond the edge of a table: its end on the table. */
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

/* Bead in a square corner; the force turns from the first wall to the second. */
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

/* --- What is unique --- */

/* A tolerance from both sides: a factor of 3 within, a factor of 3 beyond. */
static const double side[2] = {1. / 3, 3};

/* A square table of mass 2 on four legs, pushed down by 8 at (x, y); coordinates: height and two slopes. */
static void table(ksSystem *system, double x, double y)
{
    static const double leg[4][3] = {{1, 1, 1}, {1, -1, 1}, {1, -1, -1}, {1, 1, -1}};
    const double diagonal[3] = {2, 0.5, 0.5}, push[3] = {-8, -8 * x, -8 * y};
    ksSystemClear(system);
    const int body = addDiagonal(system, 3, diagonal, push);
    for (int l = 0; l < 4; l++)
        addBounded(system, body, leg[l], -1, NULL, 0, 0, 0, INFINITY);
}

/* Inside the square some sums are unique, and no leg's force; beyond an edge two legs lift and the others have theirs; above
 * an edge no leg moves, but a third could only pull. */
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

/* A bead that fits between two walls: any pair of forces with the right difference will do. Between walls that close in it
 * has no motion, unless one is a spring. */
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
            // the spring holds it off the other wall, -a + lambda / 10 = -0.4 and 2 a = 3 - lambda: a = 7/12
            ck_assert_near(acceleration[0], 7.0 / 12, ROUNDING);
            ck_assert_near(multiplier[1], 11.0 / 6, ROUNDING);
            ck_assert_double_eq(multiplier[0], 0);
            ck_assert_int_eq(determinate[0] + determinate[1], 2);
        }
    }
    ksSystemDestroy(system);
}
END_TEST

/* Two walls before one bead, which cannot both be followed: the nearer holds alone, even if their difference is small
 * beside the forces on it or on an unrelated body. From two sides they leave no motion. */
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

/* A bead that presses with a force of 1 on one wall, beside another one that is by a small acceleration away. Both may
 * hold it if that is small enough, and it is then unknown which does. */
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

/* A bead between two walls that close in on it: the difference may be rounding of the force of 1 on it. */
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

/* Masses from 1e-6 to 5e5 kg, with a row that depends on others to within the null-space route's rounding, which gives
 * 1e27 for it. The other route is published, and the published values explain the motion. */
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

/* Five particles and six rows; masses and forces are powers of two from 2^-range to 2^range. */
static void buildUnequal(ksSystem *system, double range, unsigned long long *state)
{
    enum { PARTICLES = 5 };
    ksSystemClear(system);
    for (int i = 0; i < PARTICLES; i++) {
        const double force = floor(10 * draw(state)) * exp2(floor(range * draw(state)));
        addParticle(system, 1, exp2(floor(range * draw(state))), &force);
    }
    for (int l = 0; l < 6; l++) {
        const int a = (int)((draw(state) + 1) * 2.49), b = (int)((draw(state) + 1) * 2.49);
        const double ja = number(state, 1), jb = number(state, 1), own = ja == 0 ? 1 : ja, kind = draw(state);
        const double beta = floor(10 * draw(state)), s = draw(state) > 0.5 ? 0.25 : 0;
        addBounded(system, a, &own, a == b ? (a + 1) % PARTICLES : b, &jb, beta, s, kind < 0 ? -INFINITY : 0,
                   kind >= -0.5 && kind < 0 ? 0 : INFINITY);
    }
}

/* Masses beyond what double precision can hold: what is published explains its motion to 1e-9, and is not withheld
 * where it nearly does not. */
START_TEST(farUnequalMasses)
{
    ksSystem *system = newSystem();
    unsigned long long state = 1;
    double most = 0;
    int withheld = 0;
    for (int n = 0; n < 2 * SYSTEMS; n++) {
        ksBoundedSolution found = {0};
        buildUnequal(system, 20 + 5 * (n % 3), &state);
        withheld += ksSystemSolveBounded(system, &found) == KS_ERROR_SINGULAR;
        most = fmax(most, found.violation);
    }
    ck_assert_double_le(most, 1e-9);
    ck_assert_double_gt(most, 1e-10);
    ck_assert_int_gt(withheld, 0);
    ksSystemDestroy(system);
}
END_TEST

/* --- The rest of the contract --- */

/* The system is as it was after any search. */
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

/* Balls of unit mass side by side between two walls, each pushed at random; contacts push only. */
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

/* Hundreds of rows need fewer solutions than rows. With fewer allowed than needed, the call says so and publishes
 * nothing. */
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

/* Plates of three coordinates on four legs each, the legs on the plate below: the legs decide on every plate's share,
 * and right-hand sides that they cannot follow together let most of them go. */
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

/* Out of memory at any request: the call says so, nothing is lost, and the next call succeeds. */
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
    Suite *suite = suite_create("bounded");
    TCase *enumeration = tcase_create("enumeration"), *rest = tcase_create("rest");
    tcase_set_timeout(enumeration, 60);
    tcase_add_test(enumeration, asByEnumeration);
    tcase_add_test(enumeration, littleCompliance);
    tcase_add_test(enumeration, farUnequalMasses);
    tcase_add_loop_test(enumeration, residualIsRounding, 0, 4);
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
    suite_add_tcase(suite, enumeration);
    suite_add_tcase(suite, rest);
    return runSuite(suite);
}
