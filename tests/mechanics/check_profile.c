/* check_profile.c  L D L^T of rows over bodies, against the matrix itself and LAPACK's eigenvalues. */
#include "linear/profile.h"

#include "linear/lapack.h"
#include "tests/kits/support.h"

#include <stdlib.h>

enum { KINDS = 4, ROWS = 40, BODIES = 12, WORK = 2 * ROWS + 3 * BODIES + 2, ROOM = 4 * ROWS * (ROWS + 1) };
static const double kRounding = 1e-11; /* of solutions: sums of 40 products with a condition of 1e3 */

/* Two to each body and its predecessor, the others to any pair or the ground: chain (0), with a loop (1), any graph (2), joints of one to
 * eight rows in a loop (3). */
typedef struct Graph {
    int body[ROWS][2], numbers[KSI_PROFILE_ARRAYS * ROWS];
    ksiProfile profile;
    double full[ROWS][ROWS], kept[ROOM];
} Graph;

static double between(double low, double high)
{
    return low + (high - low) * rand() / RAND_MAX;
}

static void connect(Graph *g, int kind)
{
    static const int rows[] = {1, 3, 5, 6, 8, 1, 3, 5, 6, 2};
    for (int l = 0, joint = 0, left = rows[0]; kind == 3 && l < ROWS; l++) {
        for (; left == 0; left = rows[joint])
            joint++;
        left--;
        g->body[l][0] = joint;
        g->body[l][1] = joint == 0 ? 9 : joint - 1;
    }
    for (int l = 0; kind < 3 && l < ROWS; l++) {
        const int b = l % BODIES, other = rand() % BODIES;
        g->body[l][0] = b;
        g->body[l][1] = kind == 2 && other != b ? other : b == 0 ? (kind == 1 ? BODIES - 1 : -1) : b - 1;
    }
}

/* Rows that share a body couple; positive definite with a shift of 0. */
static void fill(Graph *g, double shift)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j <= i; j++) {
            int shared = 0;
            for (int p = 0; p < 4; p++)
                shared |= g->body[i][p / 2] >= 0 && g->body[i][p / 2] == g->body[j][p % 2];
            g->full[i][j] = g->full[j][i] = i == j ? 8 - shift : shared ? between(-1, 1) : 0;
        }
    ck_assert_int_le(g->profile.room, ROOM);
    memset(g->kept, 0, sizeof g->kept);
    for (int i = 0; i < ROWS; i++)
        for (int j = g->profile.first[i]; j <= i; j++)
            g->kept[ksiProfileAt(&g->profile, i, j)] = g->full[g->profile.order[i]][g->profile.order[j]];
}

static void make(Graph *g, int kind, double shift)
{
    int work[WORK];
    srand((unsigned)kind);
    g->profile = ksiProfileIn(ROWS, g->numbers);
    connect(g, kind);
    ksiProfileFind(&g->profile, BODIES, g->body, work);
    fill(g, shift);
}

START_TEST(solvesAndInverts)
{
    static Graph g;
    double x[ROWS], b[ROWS], work[16 * ROWS], inverse[ROOM];
    int whole[ROWS];
    make(&g, _i % KINDS, _i < KINDS ? 0 : 5);
    ck_assert_int_ge(ksiProfileFactor(&g.profile, g.kept), 0);
    ksiProfileInvert(&g.profile, g.kept, inverse, work, whole);
    for (int column = 0; column < ROWS; column++) {
        for (int l = 0; l < ROWS; l++)
            x[l] = b[l] = l == column;
        ksiProfileSolve(&g.profile, g.kept, x, work);
        for (int l = 0; l < ROWS; l++) {
            double sum = 0;
            for (int k = 0; k < ROWS; k++)
                sum += g.full[l][k] * x[k];
            ck_assert_double_eq_tol(sum, b[l], kRounding);
            const int i = g.profile.place[l], j = g.profile.place[column];
            if (j <= i && j >= g.profile.first[i])
                ck_assert_double_eq_tol(inverse[ksiProfileAt(&g.profile, i, j)], x[l], kRounding);
        }
    }
}
END_TEST

START_TEST(countsNegative)
{
    static Graph g;
    for (double shift = 0.25; shift < 16; shift += 0.5) {
        double value[ROWS], work[8 * ROWS];
        const int rows = ROWS, size = 8 * ROWS;
        int info, below = 0;
        make(&g, _i, shift);
        dsyev_("N", "L", &rows, g.full[0], &rows, value, work, &size, &info, 1, 1);
        ck_assert_int_eq(info, 0);
        for (int k = 0; k < ROWS; k++)
            below += value[k] < 0;
        ck_assert_int_eq(ksiProfileFactor(&g.profile, g.kept), below);
    }
}
END_TEST

/* Of a chain, however its bodies and rows are numbered, rows are kept from those of the body before on. */
START_TEST(chainIsNarrow)
{
    int body[ROWS][2], numbers[KSI_PROFILE_ARRAYS * ROWS], work[2 * ROWS + 3 * ROWS + 2];
    ksiProfile profile = ksiProfileIn(ROWS, numbers);
    for (int l = 0; l < ROWS; l++) {
        const int link = l * 7 % ROWS;
        body[l][0] = link * 11 % ROWS;
        body[l][1] = link == 0 ? -1 : (link - 1) * 11 % ROWS;
    }
    ksiProfileFind(&profile, ROWS, body, work);
    ck_assert_int_eq(profile.size, 2 * ROWS - 1);
}
END_TEST

/* A full matrix of `rows`, whose lower triangle is given by rows. */
static ksiProfile fullOf(int rows, int *numbers, const double *from, double *a)
{
    ksiProfile profile = ksiProfileIn(rows, numbers);
    ksiProfileFull(&profile);
    ck_assert_int_eq(profile.size, rows * (rows + 1) / 2);
    for (int i = 0; i < profile.room; i++)
        a[i] = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= i; j++)
            a[ksiProfileAt(&profile, i, j)] = *from++;
    return profile;
}

START_TEST(fullMatrix)
{
    int numbers[3 * KSI_PROFILE_ARRAYS];
    double a[ROOM], x[] = {6, 8, 5}, work[3]; /* rows 4 2 1, 2 -1 3, 1 3 2 times 1 0 2 */
    const ksiProfile profile = fullOf(3, numbers, (const double[]){4, 2, -1, 1, 3, 2}, a);
    ck_assert_int_eq(ksiProfileFactor(&profile, a), 1);
    ksiProfileSolve(&profile, a, x, work);
    ck_assert_double_eq_tol(x[0], 1, 1e-14);
    ck_assert_double_eq_tol(x[1], 0, 1e-14);
    ck_assert_double_eq_tol(x[2], 2, 1e-14);
}
END_TEST

START_TEST(zeroPivot)
{
    int numbers[2 * KSI_PROFILE_ARRAYS];
    double a[ROOM];
    ksiProfile profile = fullOf(2, numbers, (const double[]){1, 1, 1}, a);
    ck_assert_int_eq(ksiProfileFactor(&profile, a), -1);
    profile = fullOf(2, numbers, (const double[]){1, NAN, 1}, a);
    ck_assert_int_eq(ksiProfileFactor(&profile, a), -1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("profile");
    TCase *tests = tcase_create("profile");
    tcase_add_loop_test(tests, solvesAndInverts, 0, 2 * KINDS);
    tcase_add_loop_test(tests, countsNegative, 0, KINDS);
    tcase_add_test(tests, chainIsNarrow);
    tcase_add_test(tests, fullMatrix);
    tcase_add_test(tests, zeroPivot);
    suite_add_tcase(suite, tests);
    return runSuite(suite);
}
