/* check_simplex.c  Linear programs against all corners of small ones. */
#include "linear/simplex.h"

#include "base/memory.h"
#include "tests/kits/support.h"

#include <stdint.h>

enum { ROWS = 3, COLUMNS = 6, PROGRAMS = 2000 };

/* all numbers are about 1 */
static const double exact = 1e-6;

typedef struct Program {
    double a[ROWS][COLUMNS], b[ROWS], x[COLUMNS], span[COLUMNS], objective[COLUMNS];
} Program;

static uint64_t state;

static double number(double low, double high)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

/* With positive rows, no unknown grows without bound. Some numbers are zero, and some columns are
 * at their largest value. */
static Program makeProgram(bool hasSpans)
{
    Program p = {.b = {0}};
    for (int j = 0; j < COLUMNS; j++) {
        p.span[j] = hasSpans || j % 2 ? number(0.5, 2) : INFINITY;
        p.x[j] = number(-1, 1) < 0 ? 0 : number(0, 1) < 0.2 && isfinite(p.span[j]) ? p.span[j] : number(0, 0.5);
        p.objective[j] = number(-1, 1);
        for (int i = 0; i < ROWS; i++)
            p.a[i][j] = number(0, 1) < 0.2 ? 0 : number(hasSpans ? -1 : 0, 1);
        p.a[0][j] = hasSpans ? p.a[0][j] : number(0.1, 1);
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            p.b[i] += p.a[i][j] * p.x[j];
    return p;
}

/* Solves for three unknowns; false: they are not determined. */
static bool solve(const Program *p, const int column[ROWS], const double b[ROWS], double y[ROWS])
{
    const double(*a)[COLUMNS] = p->a;
    const int u = column[0], v = column[1], w = column[2];
#define MINOR(i, k, c, d) (a[i][c] * a[k][d] - a[i][d] * a[k][c])
    const double det = a[0][u] * MINOR(1, 2, v, w) - a[0][v] * MINOR(1, 2, u, w) + a[0][w] * MINOR(1, 2, u, v);
    if (fabs(det) < 1e-9)
        return false;
    y[0] = (b[0] * MINOR(1, 2, v, w) - b[1] * MINOR(0, 2, v, w) + b[2] * MINOR(0, 1, v, w)) / det;
    y[1] = (-b[0] * MINOR(1, 2, u, w) + b[1] * MINOR(0, 2, u, w) - b[2] * MINOR(0, 1, u, w)) / det;
    y[2] = (b[0] * MINOR(1, 2, u, v) - b[1] * MINOR(0, 2, u, v) + b[2] * MINOR(0, 1, u, v)) / det;
#undef MINOR
    return true;
}

/* The value of one corner: the rows determine these columns, and the others are 0 or, if their bit
 * is set, their span. */
static double valueOf(const Program *p, const int column[ROWS], unsigned high)
{
    double b[ROWS], y[ROWS], value = 0;
    for (int i = 0; i < ROWS; i++)
        b[i] = p->b[i];
    for (int j = 0; j < COLUMNS; j++) {
        const bool isBasic = j == column[0] || j == column[1] || j == column[2];
        if (!(high >> j & 1u))
            continue;
        if (isBasic || !isfinite(p->span[j]))
            return -INFINITY;
        value += p->objective[j] * p->span[j];
        for (int i = 0; i < ROWS; i++)
            b[i] -= p->a[i][j] * p->span[j];
    }
    if (!solve(p, column, b, y))
        return -INFINITY;
    for (int k = 0; k < ROWS; k++) {
        if (y[k] < -1e-9 || y[k] > p->span[column[k]] + 1e-9)
            return -INFINITY;
        value += p->objective[column[k]] * y[k];
    }
    return value;
}

static double bestCorner(const Program *p)
{
    double most = -INFINITY;
    for (int u = 0; u < COLUMNS; u++)
        for (int v = u + 1; v < COLUMNS; v++)
            for (int w = v + 1; w < COLUMNS; w++)
                for (unsigned high = 0; high < 1u << COLUMNS; high++)
                    most = fmax(most, valueOf(p, (int[]){u, v, w}, high));
    return most;
}

static void release(const ksiSimplex *simplex)
{
    ksiFree(&ksiLibraryAllocator, simplex->tableau);
    ksiFree(&ksiLibraryAllocator, simplex->span);
    ksiFree(&ksiLibraryAllocator, simplex->isTurned);
    ksiFree(&ksiLibraryAllocator, simplex->basis);
}

static void fill(const Program *p, ksiSimplex *simplex)
{
    ck_assert_int_eq(ksiSimplexBegin(&ksiLibraryAllocator, ROWS, COLUMNS, 200, simplex), KS_OK);
    for (int j = 0; j < COLUMNS; j++) {
        simplex->span[j] = p->span[j];
        for (int i = 0; i < ROWS; i++)
            *ksiSimplexAt(simplex, i, j) = p->a[i][j];
    }
}

START_TEST(finds_the_best_corner)
{
    ksiSimplex simplex = {0};
    int compared = 0;
    state = 7;
    for (int n = 0; n < PROGRAMS; n++) {
        Program p = makeProgram(n % 2);
        fill(&p, &simplex);
        ck_assert_int_eq(ksiSimplexStart(&simplex, p.x), KS_OK);
        // the second call continues from the corner of the first
        for (int way = 0; way < 2; way++) {
            double most;
            const double best = bestCorner(&p);
            ck_assert_int_eq(ksiSimplexMaximise(&simplex, p.objective, &most), KS_OK);
            compared += isfinite(best);
            if (isfinite(best))
                ck_assert_double_eq_tol(most, best, exact);
            for (int j = 0; j < COLUMNS; j++)
                p.objective[j] = -p.objective[j];
        }
    }
    ck_assert_int_gt(compared, 2 * PROGRAMS * 9 / 10);
    release(&simplex);
}
END_TEST

/* x - y = 0 lets both grow; with too few pivots there is no answer. */
START_TEST(knows_its_limits)
{
    ksiSimplex simplex = {0};
    double most;
    for (int few = 0; few < 2; few++) {
        ck_assert_int_eq(ksiSimplexBegin(&ksiLibraryAllocator, 1, 2, few ? 0 : 10, &simplex), KS_OK);
        *ksiSimplexAt(&simplex, 0, 0) = 1;
        *ksiSimplexAt(&simplex, 0, 1) = -1;
        const ksStatus status = ksiSimplexStart(&simplex, (double[]){1, 1});
        ck_assert_int_eq(status, few ? KS_ERROR_BOUND : KS_OK);
        if (few)
            continue;
        ck_assert_int_eq(ksiSimplexMaximise(&simplex, (double[]){1, 0}, &most), KS_OK);
        ck_assert_double_infinite(most);
        ck_assert_int_eq(ksiSimplexMaximise(&simplex, (double[]){-1, 0}, &most), KS_OK);
        ck_assert_double_eq_tol(most, 0, exact);
    }
    release(&simplex);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("simplex");
    tcase_add_test(test, finds_the_best_corner);
    tcase_add_test(test, knows_its_limits);
    return runCase("simplex", test);
}
