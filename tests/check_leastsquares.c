/* check_leastsquares.c  Small least squares against binary128, from independent columns to exactly dependent ones. */
#include "mechanics/leastsquares.h"

#include "tests/system_kit.h"

enum { ROWS = KSI_LEAST_SQUARES_ROWS, MOST = KSI_LEAST_SQUARES_COLUMNS };
static const double tolerance = 1e-9;

typedef struct Problem {
    int columns;
    double a[MOST][ROWS], b[ROWS];
} Problem;

/* The last column is at the distance `apart` from a combination of the others; lengths spread over `spread`. */
static void drawProblem(Problem *p, unsigned long long seed, int columns, double apart, double spread)
{
    unsigned long long state = 4711 + seed;
    memset(p, 0, sizeof *p);
    p->columns = columns;
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < ROWS; i++)
            p->a[j][i] = draw(&state);
    }
    if (columns > 1) {
        for (int i = 0; i < ROWS; i++) {
            p->a[columns - 1][i] *= apart;
            for (int j = 0; j < columns - 1; j++)
                p->a[columns - 1][i] += (j + 1) * p->a[j][i];
        }
    }
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < ROWS; i++)
            p->a[j][i] *= pow(spread, (double)j / MOST);
    }
    for (int i = 0; i < ROWS; i++)
        p->b[i] = draw(&state);
}

/* rest = b - A x of the true x: b without its parts along the columns, orthogonalised twice in binary128 */
static void trueRest(const Problem *p, double rest[ROWS])
{
    __float128 q[MOST + 1][ROWS];
    for (int j = 0; j <= p->columns; j++) {
        for (int i = 0; i < ROWS; i++)
            q[j][i] = j < p->columns ? p->a[j][i] : p->b[i];
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 0; k < j; k++) {
                __float128 part = 0, square = 0;
                for (int i = 0; i < ROWS; i++) {
                    part += q[k][i] * q[j][i];
                    square += q[k][i] * q[k][i];
                }
                for (int i = 0; i < ROWS; i++)
                    q[j][i] -= part / square * q[k][i];
            }
        }
    }
    for (int i = 0; i < ROWS; i++)
        rest[i] = (double)q[p->columns][i];
}

static double length(const double v[ROWS])
{
    double sum = 0;
    for (int i = 0; i < ROWS; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

/* What A x misses b by is the least, to rounding, however nearly dependent the columns are: that is what backward
 * stability leaves. `rest` is the same. */
static void expectLeast(Problem *p, int rank)
{
    double x[MOST], rest[ROWS], truth[ROWS], off[ROWS], own[ROWS], terms = length(p->b);
    ck_assert_int_eq(ksiLeastSquares(p->columns, p->a, p->b, tolerance, x, rest), rank);
    trueRest(p, truth);
    for (int j = 0; j < p->columns; j++)
        terms += fabs(x[j]) * length(p->a[j]);
    for (int i = 0; i < ROWS; i++) {
        own[i] = p->b[i];
        for (int j = 0; j < p->columns; j++)
            own[i] -= x[j] * p->a[j][i];
        off[i] = own[i] - truth[i];
        own[i] -= rest[i];
    }
    const double rounding = 40 * 2.2e-16 * terms;
    ck_assert_double_le(length(own), rounding);
    ck_assert_double_le(length(off), rounding);
}

START_TEST(independent)
{
    Problem p;
    for (unsigned seed = 0; seed < 200; seed++) {
        drawProblem(&p, seed, 1 + _i, 1, 1);
        expectLeast(&p, p.columns);
    }
}
END_TEST

/* on either side of where the other method takes over */
START_TEST(nearlyDependent)
{
    Problem p;
    for (unsigned seed = 0; seed < 20; seed++) {
        for (int n = 2; n <= MOST; n++) {
            drawProblem(&p, seed, n, pow(10, -0.5 * _i), 1);
            expectLeast(&p, n);
        }
    }
}
END_TEST

START_TEST(lengthsApart)
{
    Problem p;
    for (unsigned seed = 0; seed < 20; seed++) {
        drawProblem(&p, seed, MOST, 1, pow(10, -_i));
        expectLeast(&p, MOST);
        drawProblem(&p, seed, MOST, 1, pow(10, _i));
        expectLeast(&p, MOST);
    }
}
END_TEST

/* Equal columns share what one would have; a zero column gets nothing. */
START_TEST(dependent)
{
    Problem p;
    double x[MOST], rest[ROWS], single[MOST];
    drawProblem(&p, 5, 3, 1, 1);
    ck_assert_int_eq(ksiLeastSquares(2, p.a, p.b, tolerance, single, rest), 2);
    memcpy(p.a[2], p.a[1], sizeof p.a[2]);
    memset(p.a[3], 0, sizeof p.a[3]);
    ck_assert_int_eq(ksiLeastSquares(4, p.a, p.b, tolerance, x, rest), 2);
    ck_assert_near(x[0], single[0], ROUNDING);
    ck_assert_near(x[1], single[1] / 2, ROUNDING);
    ck_assert_near(x[2], single[1] / 2, ROUNDING);
    ck_assert_double_eq(x[3], 0);
}
END_TEST

START_TEST(nothingToSolve)
{
    Problem p = {.columns = 2};
    double x[MOST] = {1, 1}, rest[ROWS];
    p.b[0] = 1;
    ck_assert_int_eq(ksiLeastSquares(2, p.a, p.b, tolerance, x, rest), 0);
    ck_assert_double_eq(x[0], 0);
    ck_assert_double_eq(rest[0], 1);
    ck_assert_int_eq(ksiLeastSquares(0, p.a, p.b, tolerance, x, rest), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("least squares");
    TCase *tests = tcase_create("least squares");
    tcase_add_loop_test(tests, independent, 0, MOST);
    tcase_add_loop_test(tests, nearlyDependent, 0, 13);
    tcase_add_loop_test(tests, lengthsApart, 0, 8);
    tcase_add_test(tests, dependent);
    tcase_add_test(tests, nothingToSolve);
    suite_add_tcase(suite, tests);
    return runSuite(suite);
}
