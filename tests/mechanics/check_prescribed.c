/* check_prescribed.c  Multipliers of which some combinations are given, on 400 random systems with nearly dependent rows, against
 * elimination in binary128 of
 *
 *     [ M  -J^T   0 ] [ a      ]   [ f     ]
 *     [ J    S   -C ] [ lambda ] = [ beta  ]          lambda_l = known_l in place of the rows that are known
 *     [ 0   C^T   0 ] [ t      ]   [ value ]
 */
#include "tests/kits/inside_kit.h"
#include "tests/kits/system_kit.h"

#include "mechanics/mechanics.h"

enum { DRAWS = 400, GROUP = 5, MOST_GIVEN = 4, SIZE = KIT_COORDINATES + KIT_ROWS + MOST_GIVEN };

enum { RANGE_SPACE, NULL_SPACE, ROUTES };

/* Of a row's size. In the second half of the draws it is as little as in rigid joints: a route's rounding then shows
 * in the values, and another solution does not lessen it. */
#define COMPLIANCE 1e-8
#define RIGID 1e-11

/* Relative to the largest multiplier. With the nearly dependent combinations given, the remaining rows are well
 * conditioned, and a few hundred roundings are enough. Excludes the large opposing multipliers before, up to 1e4. */
#define REGULAR 1e-13

/* Median of bar over error, above which bars say nothing. */
#define IDLE 1e2

typedef double Rows[KIT_ROWS];

typedef struct Given {
    Dense d;
    int count, isKnown[KIT_ROWS];
    Rows known;
    double combination[MOST_GIVEN * KIT_ROWS]; /* [count][d.rows] */
    double value[MOST_GIVEN];
} Given;

static ksSystem *build(const Given *given, const ksAllocator *allocator)
{
    const Dense *d = &given->d;
    Dense bodies = *d;
    ksSystem *system;
    ck_assert_ok(ksiSystemCreate(allocator, &system));
    bodies.rows = 0;
    buildDense(system, &bodies);
    for (int l = 0; l < d->rows; l++) {
        const int a = d->block[l][0], b = d->block[l][1], isKnown = given->isKnown[l];
        addBounded(system, a, &d->jacobian[l][6 * a], b, &d->jacobian[l][6 * b], d->beta[l], d->compliance[l],
                   isKnown ? given->known[l] : -INFINITY, isKnown ? given->known[l] : INFINITY);
    }
    return system;
}

/* The last row of a group becomes the sum of the two before it, except for a share. */
static void makeNear(Dense *d, int group, double share)
{
    const int l = GROUP * group + GROUP - 1;
    for (int i = 0; i < KIT_COORDINATES; i++)
        d->jacobian[l][i] = d->jacobian[l - 1][i] + d->jacobian[l - 2][i] + share * d->jacobian[l][i];
    d->beta[l] = d->beta[l - 1] + d->beta[l - 2] + share * d->beta[l];
}

/* c = D^2 n / |D n| of what would be self-stresses n without the shares, then turned into each other. */
static void combine(Given *given, ksSystem *system, unsigned long long *state)
{
    static const double stress[GROUP] = {0, 0, 1, 1, -1};
    const int rows = given->d.rows;
    for (int k = 0; k < given->count; k++) {
        double square = 0;
        for (int i = 0; i < GROUP; i++) {
            const int l = GROUP * k + i;
            const double size = ksiSystemKinematicSize(system, l), part = size * stress[i];
            given->combination[k * rows + l] = size * part;
            square += part * part;
        }
        for (int i = 0; i < GROUP; i++)
            given->combination[k * rows + GROUP * k + i] /= sqrt(square);
    }
    for (int k = 0; k + 1 < given->count; k++) {
        const double angle = 3 * draw(state), c = cos(angle), s = sin(angle);
        for (int l = 0; l < given->d.rows; l++) {
            const double x = given->combination[k * rows + l], y = given->combination[(k + 1) * rows + l];
            given->combination[k * rows + l] = c * x - s * y;
            given->combination[(k + 1) * rows + l] = s * x + c * y;
        }
    }
}

/* Even draws are trees of bodies, odd ones a closed ring. Every other pair of them has known rows. */
static ksSystem *drawGiven(Given *given, int index)
{
    unsigned long long state = 4101842887655102017ULL + 1000003ULL * (unsigned long long)index;
    memset(given, 0, sizeof *given);
    given->count = 1 + index / 4 % MOST_GIVEN;
    drawDense(&given->d, (unsigned)index, index % 2 ? KIT_ROWS : KIT_ROWS - GROUP,
              index < DRAWS / 2 ? COMPLIANCE : RIGID, 10, 0);
    for (int k = 0; k < given->count; k++) {
        makeNear(&given->d, k, pow(10, -4.5 + 2.5 * draw(&state)));
        given->value[k] = 3 * draw(&state);
    }
    for (int l = 0; l < given->d.rows; l++) {
        given->known[l] = 3 * draw(&state);
        given->isKnown[l] = index / 2 % 2 && l % GROUP < 2 && draw(&state) > 0;
    }
    ksSystem *system = build(given, NULL);
    combine(given, system, &state);
    return system;
}

static void fill(const Given *given, Wide matrix[SIZE][SIZE + 1])
{
    const Dense *d = &given->d;
    const int n = d->coordinates, rows = d->rows, size = n + rows + given->count;
    memset(matrix, 0, SIZE * sizeof *matrix);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            matrix[i][j] = d->mass[i][j];
        matrix[i][size] = d->force[i];
    }
    for (int l = 0; l < d->rows; l++) {
        for (int i = 0; i < n; i++) {
            matrix[i][n + l] = -(Wide)d->jacobian[l][i];
            matrix[n + l][i] = given->isKnown[l] ? 0 : d->jacobian[l][i];
        }
        matrix[n + l][n + l] = given->isKnown[l] ? 1 : d->compliance[l];
        matrix[n + l][size] = given->isKnown[l] ? given->known[l] : d->beta[l];
        for (int k = 0; k < given->count; k++) {
            matrix[n + l][n + d->rows + k] = -(Wide)given->combination[k * rows + l];
            matrix[n + d->rows + k][n + l] = given->combination[k * rows + l];
        }
    }
    for (int k = 0; k < given->count; k++)
        matrix[n + d->rows + k][size] = given->value[k];
}

/* Elimination with row pivoting. */
static void reference(const Given *given, double *multiplier)
{
    static Wide matrix[SIZE][SIZE + 1], x[SIZE];
    const int n = given->d.coordinates, size = n + given->d.rows + given->count;
    fill(given, matrix);
    for (int c = 0; c < size; c++) {
        int best = c;
        for (int i = c + 1; i < size; i++)
            if (wideSize(matrix[i][c]) > wideSize(matrix[best][c]))
                best = i;
        for (int j = c; j <= size; j++) {
            const Wide kept = matrix[c][j];
            matrix[c][j] = matrix[best][j];
            matrix[best][j] = kept;
        }
        for (int i = c + 1; i < size; i++) {
            const Wide times = matrix[i][c] / matrix[c][c];
            for (int j = c; times != 0 && j <= size; j++)
                matrix[i][j] -= times * matrix[c][j];
        }
    }
    for (int i = size - 1; i >= 0; i--) {
        x[i] = matrix[i][size];
        for (int j = i + 1; j < size; j++)
            x[i] -= matrix[i][j] * x[j];
        x[i] /= matrix[i][i];
    }
    for (int l = 0; l < given->d.rows; l++)
        multiplier[l] = (double)x[n + l];
}

static ksStatus solve(ksSystem *system, int route, double *multiplier)
{
    return route == NULL_SPACE ? ksSystemSolvePaulus(system, multiplier, NULL)
                               : ksSystemSolveGauss(system, multiplier, NULL);
}

static ksStatus give(ksSystem *system, const Given *given, int route, int count, double *multiplier)
{
    int start[MOST_GIVEN + 1] = {0}, row[MOST_GIVEN * KIT_ROWS], filled = 0;
    double part[MOST_GIVEN * KIT_ROWS];
    for (int k = 0; k < count; k++, start[k] = filled)
        for (int l = 0; l < given->d.rows; l++)
            if (given->combination[k * given->d.rows + l] != 0) {
                row[filled] = l;
                part[filled++] = given->combination[k * given->d.rows + l];
            }
    const ksiGivenCombinations combinations = {count, start, row, part};
    const ksStatus status = ksiSystemBeginGiven(system, &combinations);
    return status ? status : ksiSystemGive(system, route, &combinations, given->value, multiplier);
}

static void solveGiven(ksSystem *system, const Given *given, Rows found[ROUTES])
{
    for (int route = 0; route < ROUTES; route++) {
        ck_assert_ok(solve(system, route, found[route]));
        ck_assert_ok(give(system, given, route, given->count, found[route]));
    }
}

START_TEST(againstElimination)
{
    static Given given;
    ksSystem *system = drawGiven(&given, _i);
    Rows truth, found[ROUTES];
    double size = 1;
    reference(&given, truth);
    solveGiven(system, &given, found);
    for (int l = 0; l < given.d.rows; l++)
        size = fmax(size, fabs(truth[l]));
    for (int l = 0; l < given.d.rows; l++) {
        for (int route = 0; route < ROUTES; route++) {
            ck_assert_near(found[route][l], truth[l], REGULAR * size);
            if (given.isKnown[l])
                ck_assert_double_eq(found[route][l], given.known[l]);
        }
        ck_assert_near(found[RANGE_SPACE][l], found[NULL_SPACE][l], REGULAR * size);
    }
    for (int route = 0; route < ROUTES; route++)
        for (int k = 0; k < given.count; k++) {
            double sum = 0;
            for (int l = 0; l < given.d.rows; l++)
                sum += given.combination[k * given.d.rows + l] * found[route][l];
            ck_assert_near(sum, given.value[k], REGULAR * size);
        }
    ksSystemDestroy(system);
}
END_TEST

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Both routes' errors are within the bars, which are not much longer. */
START_TEST(barsCover)
{
    static Given given;
    static double ratio[DRAWS * KIT_ROWS];
    int count = 0;
    for (int i = 0; i < DRAWS; i++) {
        ksSystem *system = drawGiven(&given, i);
        Rows truth, found[ROUTES], bar;
        reference(&given, truth);
        solveGiven(system, &given, found);
        ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_GIVEN, found[RANGE_SPACE], found[NULL_SPACE], bar));
        for (int l = 0; l < given.d.rows; l++) {
            const double error = fmax(fabs(found[RANGE_SPACE][l] - truth[l]), fabs(found[NULL_SPACE][l] - truth[l]));
            ck_assert_double_le(error, bar[l]);
            if (error > 0)
                ratio[count++] = bar[l] / error;
        }
        ksSystemDestroy(system);
    }
    ck_assert_int_gt(count, DRAWS * KIT_ROWS / 2);
    qsort(ratio, (size_t)count, sizeof *ratio, ascending);
    ck_assert_double_le(ratio[count / 2], IDLE);
}
END_TEST

/* Neither route has factorised anything for the other. */
START_TEST(routesAreTheirOwn)
{
    static Given given;
    for (int route = 0; route < ROUTES; route++) {
        ksSystem *other = drawGiven(&given, _i), *system = build(&given, NULL);
        Rows found;
        ck_assert_ok(solve(other, route, found));
        ck_assert_ok(give(system, &given, route, given.count, found));
        ck_assert_int_eq(insideFactorEntries(system->warm) > 0, route == RANGE_SPACE);
        if (route == RANGE_SPACE)
            ck_assert(!insideIsOrthogonalised(system));
        ksSystemDestroy(system);
        ksSystemDestroy(other);
    }
}
END_TEST

START_TEST(systemIsAsBefore)
{
    static Given given;
    ksSystem *system = drawGiven(&given, _i);
    const size_t bytes = (size_t)given.d.rows * sizeof(double);
    Rows before[ROUTES], after[ROUTES];
    for (int route = 0; route < ROUTES; route++) {
        ck_assert_ok(solve(system, route, before[route]));
        memcpy(after[route], before[route], bytes);
        ck_assert_ok(give(system, &given, route, given.count, after[route]));
    }
    for (int route = 0; route < ROUTES; route++) {
        ck_assert_ok(solve(system, route, after[route]));
        ck_assert_mem_eq(after[route], before[route], bytes);
    }
    ksSystemDestroy(system);
}
END_TEST

/* The last combination is a multiple of the first: nothing is changed. */
START_TEST(dependentCombinations)
{
    static const double times[] = {1, -3, 0.7, 0};
    static Given given;
    ksSystem *system = drawGiven(&given, _i);
    const int rows = given.d.rows, count = given.count < MOST_GIVEN ? given.count + 1 : MOST_GIVEN;
    const size_t bytes = (size_t)rows * sizeof(double);
    Rows before, found;
    for (int i = 0; i < COUNT_OF(times); i++) {
        for (int l = 0; l < rows; l++)
            given.combination[(count - 1) * rows + l] = times[i] * given.combination[l];
        for (int route = 0; route < ROUTES; route++) {
            ck_assert_ok(solve(system, route, before));
            memcpy(found, before, bytes);
            ck_assert_int_eq(give(system, &given, route, count, found), KS_ERROR_SINGULAR);
            ck_assert_mem_eq(found, before, bytes);
            ck_assert_ok(solve(system, route, found));
            ck_assert_mem_eq(found, before, bytes);
        }
    }
    ksSystemDestroy(system);
}
END_TEST

/* In a system that has solved nothing yet, each request for memory is refused in turn. Then it takes no more. */
START_TEST(everyRefusalIsSurvived)
{
    static Given given;
    Counter counter = {0};
    const ksAllocator allocator = {countingResize, &counter};
    ksSystem *other = drawGiven(&given, 13 + _i / ROUTES);
    const int route = _i % ROUTES;
    const size_t bytes = (size_t)given.d.rows * sizeof(double);
    Rows before, expected, found;
    ck_assert_ok(solve(other, route, before));
    memcpy(expected, before, bytes);
    ck_assert_ok(give(other, &given, route, given.count, expected));
    ksSystemDestroy(other);
    ksStatus status = KS_ERROR_NO_MEMORY;
    long refused = 0;
    for (; status; refused++) {
        ksSystem *system = build(&given, &allocator);
        memcpy(found, before, bytes);
        counter.refuse = counter.requests + 1 + refused;
        status = give(system, &given, route, given.count, found);
        counter.refuse = 0;
        if (status) {
            ck_assert_int_eq(status, KS_ERROR_NO_MEMORY);
            ck_assert_mem_eq(found, before, bytes);
            ck_assert_ok(solve(system, route, found));
            ck_assert_mem_eq(found, before, bytes);
            ck_assert_ok(give(system, &given, route, given.count, found));
        }
        ck_assert_mem_eq(found, expected, bytes);
        const long requests = counter.requests;
        memcpy(found, before, bytes);
        ck_assert_ok(give(system, &given, route, given.count, found));
        ck_assert_int_eq(counter.requests, requests);
        ksSystemDestroy(system);
        ck_assert_int_eq(counter.held, 0);
    }
    ck_assert_int_gt(refused, 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("given");
    TCase *rows = tcase_create("rows");
    tcase_add_loop_test(rows, againstElimination, 0, DRAWS);
    tcase_add_test(rows, barsCover);
    tcase_add_loop_test(rows, routesAreTheirOwn, 0, 8);
    tcase_add_loop_test(rows, systemIsAsBefore, 0, DRAWS);
    tcase_add_loop_test(rows, dependentCombinations, 0, DRAWS);
    tcase_add_loop_test(rows, everyRefusalIsSurvived, 0, 2 * ROUTES);
    suite_add_tcase(suite, rows);
    return runSuite(suite);
}
