/* check_bounded_random.c  Unilateral constraints in random systems: against all possible places of
 * their rows, and with very different masses. */
#include "tests/kits/system_kit.h"

enum { MOST_ROWS = 12, MOST_COORDINATES = 8, MOST_PLACES = 4096, SYSTEMS = 10000, FEW = SYSTEMS / 4 };

/* of the numbers of a system, which are of size 1 to 100; the first is for the tests of each place
 * by enumeration */
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

/* Integers make dependent rows, and multipliers of exactly zero. Returns the number of places. */
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
        // a motion that satisfies all rows may or may not exist
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

/* Solves for lambda with the rows at these places; returns 0 if the rows inside are dependent */
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

/* Finds every basic solution: their number, their common motion, and the range of each multiplier
 * over them. */
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

/* Compliance close to rounding decides how rows share a force, and each route rounds differently.
 * Solutions exist all the same, they explain their motion, and rigid rows give the same motion. */
START_TEST(littleCompliance)
{
    static const double little = 5.7e-14;
    ksSystem *system = newSystem();
    unsigned long long state = 4;
    int soft = 0;
    for (int n = 0; n < FEW; n++) {
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

/* The motion is the same as by trying every place of every row, and there is none where no place
 * fits; multipliers that count as unique are the same in all solutions. */
static void compareWithEnumeration(int systems)
{
    ksSystem *system = newSystem();
    unsigned long long state = 20261123;
    Tally tally = {0};
    for (int n = 0; n < systems; n++) {
        Random r;
        drawSystem(&r, &state);
        expectSame(system, &r, &tally);
    }
    ck_assert_int_gt(tally.solved, systems / 2);
    // almost all draws are decided beyond rounding
    ck_assert_int_gt(50 * tally.exact, 49 * tally.solved);
    ck_assert_int_gt(tally.contradicting, systems / 50);
    ck_assert_int_gt(tally.shares, systems / 50);
    ck_assert_double_lt(tally.solutions, 4 * MOST_ROWS);
    ck_assert_double_lt(tally.violation, ROUNDING);
    ksSystemDestroy(system);
}

START_TEST(asByEnumeration)
{
    compareWithEnumeration(FEW);
}
END_TEST

START_TEST(asByEnumerationOften)
{
    compareWithEnumeration(SYSTEMS);
}
END_TEST

/* Draws with more bilateral rows than coordinates. The residual of a row at its bound is only
 * rounding: if this freed the row, it would go back and forth. */
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

/* Mass ratios beyond double precision: published solutions explain their motion to 1e-9, and
 * solutions near this limit are not withheld. */
START_TEST(farUnequalMasses)
{
    ksSystem *system = newSystem();
    unsigned long long state = 1;
    double most = 0;
    int withheld = 0;
    for (int n = 0; n < SYSTEMS; n++) {
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

int main(void)
{
    Suite *suite = suite_create("bounded_random");
    TCase *test = tcase_create("bounded_random");
    tcase_add_test(test, asByEnumeration);
    tcase_add_test(test, littleCompliance);
    tcase_add_test(test, farUnequalMasses);
    tcase_add_loop_test(test, residualIsRounding, 0, 4);
    suite_add_tcase(suite, test);
    TCase *more = tcase_create("more");
    tcase_set_tags(more, "long");
    tcase_add_test(more, asByEnumerationOften);
    suite_add_tcase(suite, more);
    return runSuite(suite);
}
