/* check_leastsquares.c  Small least-squares problems against binary128, with independent to exactly
 * dependent columns. */
#include "linear/leastsquares.h"

#include "tests/kits/system_kit.h"

enum { ROWS = KSI_LEAST_SQUARES_ROWS, MOST = KSI_LEAST_SQUARES_COLUMNS };
/* of the largest singular value: smaller ones count as zero */
static const double rankTolerance = 1e-9;

typedef struct Problem {
    int columns;
    double a[MOST][ROWS], b[ROWS];
} Problem;

/* The last column has the distance `apart` from a combination of the others; lengths have a ratio
 * of up to `spread`. */
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

/* rest = b - A x of the true x: b without its parts along the columns, orthogonalised twice in
 * binary128 */
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

static ksiFit fitOf(const Problem *p, double *x)
{
    ksiFit fit = {.a = p->a[0], .x = x, .rank = -1, .size = NAN, .rest = NAN};
    memcpy(fit.b, p->b, sizeof fit.b);
    return fit;
}

/* |A x - b| is minimal to rounding, however close to dependent the columns are: backward stability
 * guarantees it. */
static void expectLeast(const Problem *p, int rank)
{
    double x[MOST], truth[ROWS], off[ROWS], all[ROWS], own[ROWS], terms = length(p->b);
    ksiFit fit = fitOf(p, x);
    ksiLeastSquares(p->columns, 1, rankTolerance, &fit);
    ck_assert_int_eq(fit.rank, rank);
    trueRest(p, truth);
    for (int j = 0; j < p->columns; j++)
        terms += fabs(x[j]) * length(p->a[j]);
    for (int i = 0; i < ROWS; i++) {
        all[i] = 0;
        for (int j = 0; j < p->columns; j++)
            all[i] += x[j] * p->a[j][i];
        own[i] = p->b[i] - all[i];
        off[i] = own[i] - truth[i];
    }
    const double rounding = 40 * 2.2e-16 * terms;
    ck_assert_double_le(length(off), rounding);
    ck_assert_double_le(fabs(length(own) - fit.rest), rounding);
    ck_assert_double_le(fabs(length(all) - fit.size), rounding);
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

/* down to where the rank is in doubt, and the other method is used */
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

/* Equal columns share the coefficient of one; a zero column gets nothing. */
START_TEST(dependent)
{
    Problem p;
    double x[MOST], single[MOST];
    drawProblem(&p, 5, 3, 1, 1);
    ksiFit fit = fitOf(&p, single);
    ksiLeastSquares(2, 1, rankTolerance, &fit);
    ck_assert_int_eq(fit.rank, 2);
    memcpy(p.a[2], p.a[1], sizeof p.a[2]);
    memset(p.a[3], 0, sizeof p.a[3]);
    fit.x = x;
    ksiLeastSquares(4, 1, rankTolerance, &fit);
    ck_assert_int_eq(fit.rank, 2);
    ck_assert_near(x[0], single[0], ROUNDING);
    ck_assert_near(x[1], single[1] / 2, ROUNDING);
    ck_assert_near(x[2], single[1] / 2, ROUNDING);
    ck_assert_double_eq(x[3], 0);
}
END_TEST

START_TEST(nothingToSolve)
{
    Problem p = {.columns = 2};
    double x[MOST] = {1, 1};
    p.b[0] = 1;
    for (int columns = 0; columns <= 2; columns += 2) {
        ksiFit fit = fitOf(&p, x);
        ksiLeastSquares(columns, 1, rankTolerance, &fit);
        ck_assert_int_eq(fit.rank, 0);
        ck_assert_double_eq(fit.size, 0);
        ck_assert_double_eq(fit.rest, 1);
    }
    ck_assert_double_eq(x[0], 0);
    ck_assert_double_eq(x[1], 0);
}
END_TEST

/* Each of several problems has the same solution as alone, whatever its neighbours are: one has
 * dependent columns, one none at all. */
START_TEST(sideBySide)
{
    enum { MOST_AT_ONCE = KSI_LEAST_SQUARES_AT_ONCE };
    Problem p[MOST_AT_ONCE];
    ksiFit fit[MOST_AT_ONCE];
    double x[MOST_AT_ONCE][MOST], alone[MOST];
    for (int count = 1; count <= MOST_AT_ONCE; count++) {
        for (int i = 0; i < count; i++) {
            drawProblem(&p[i], (unsigned long long)i, 3, 1, 1);
            if ((count + i) % 4 == 2)
                memcpy(p[i].a[2], p[i].a[1], sizeof p[i].a[2]);
            if ((count + i) % 4 == 3)
                memset(p[i].a, 0, sizeof p[i].a);
            fit[i] = fitOf(&p[i], x[i]);
        }
        ksiLeastSquares(3, count, rankTolerance, fit);
        for (int i = 0; i < count; i++) {
            ksiFit one = fitOf(&p[i], alone);
            ksiLeastSquares(3, 1, rankTolerance, &one);
            ck_assert_int_eq(fit[i].rank, one.rank);
            ck_assert_int_eq(one.rank, (count + i) % 4 == 2 ? 2 : (count + i) % 4 == 3 ? 0 : 3);
            ck_assert_mem_eq(x[i], alone, 3 * sizeof *alone);
            ck_assert_mem_eq(&fit[i].size, &one.size, sizeof one.size);
            ck_assert_mem_eq(&fit[i].rest, &one.rest, sizeof one.rest);
        }
    }
}
END_TEST

/* Two unit columns have singular values in the ratio of the tangent of half their angle, here 1/3
 * of the tolerance and 3 times it; in the first case the volume that they span is still more than
 * half of it. */
START_TEST(rankInDoubt)
{
    const double half = rankTolerance * (_i ? 3 : 1. / 3);
    Problem p = {.columns = 2, .a = {{1}, {cos(2 * half), sin(2 * half)}}, .b = {1}};
    double x[MOST];
    ksiFit fit = fitOf(&p, x);
    ksiLeastSquares(2, 1, rankTolerance, &fit);
    ck_assert_int_eq(fit.rank, _i ? 2 : 1);
    ck_assert_double_eq_tol(x[0], _i ? 1 : 0.5, 1e-6);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("least squares");
    tcase_add_loop_test(tests, independent, 0, MOST);
    tcase_add_loop_test(tests, nearlyDependent, 0, 13);
    tcase_add_loop_test(tests, lengthsApart, 0, 8);
    tcase_add_test(tests, dependent);
    tcase_add_test(tests, nothingToSolve);
    tcase_add_test(tests, sideBySide);
    tcase_add_loop_test(tests, rankInDoubt, 0, 2);
    return runCase("least squares", tests);
}
