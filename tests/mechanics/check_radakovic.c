/* check_radakovic.c  The measure of ksSystemMeasure by Radakovic's own formula in general
 * coordinates, and the effect of each cause of a wrong motion or a wrong report on it.
 *
 *     Q_k = t_k . (M~ a~ - f~),      2 (Z - Z_least) = (1/D) sum sum A_kl Q_k Q_l       Radakovic 1896
 *
 * t_k: a basis of the motions that every row permits, slacks included, by Gauss-Jordan elimination;
 * D and A_kl: the determinant of t_k . M~ t_l and its cofactors, so that the double sum is Q^T (T^T
 * M~ T)^-1 Q. All of it is in binary128 and in plain coordinates: it shares nothing with the
 * library, which scales by the masses and uses a Householder frame. */
#include "tests/kits/system_kit.h"

/* The measure is a sum of squares of numbers whose error is some 1e-13 of the largest of their
 * kind. */
#define MEASURE_ROUNDING 1e-11

#define WIDTH (KIT_COORDINATES + KIT_ROWS)
#define ORDER (WIDTH + KIT_ROWS)

/* [M~] a~ and rows, unscaled, with a slack coordinate for every compliant row. */
typedef struct General {
    int width, rows, rank;
    Wide mass[WIDTH][WIDTH], jacobian[KIT_ROWS][WIDTH];
    Wide basis[WIDTH][WIDTH];  /* [width - rank] admissible motions, one in each row */
    int independent[KIT_ROWS]; /* [rank] rows */
} General;

static void swapWide(Wide *a, Wide *b)
{
    const Wide kept = *a;
    *a = *b;
    *b = kept;
}

/* Reduces J~ to echelon form with complete pivoting: independent rows, and a motion for each free
 * column. */
static void findBasis(General *s)
{
    static Wide j[KIT_ROWS][WIDTH];
    int order[KIT_ROWS], pivot[KIT_ROWS], isPivot[WIDTH] = {0};
    memcpy(j, s->jacobian, sizeof j);
    for (int l = 0; l < s->rows; l++)
        order[l] = l;
    s->rank = 0;
    for (int k = 0; k < s->rows; k++) {
        int row = -1, column = -1;
        // dependent rows are copies or sums: their remainder is rounding of double-precision input
        Wide largest = 1e-12;
        for (int l = k; l < s->rows; l++)
            for (int i = 0; i < s->width; i++)
                if (wideSize(j[l][i]) > largest) {
                    largest = wideSize(j[l][i]);
                    row = l;
                    column = i;
                }
        if (row < 0)
            break;
        for (int i = 0; i < s->width; i++)
            swapWide(&j[k][i], &j[row][i]);
        const int kept = order[k];
        order[k] = order[row];
        order[row] = kept;
        for (int l = 0; l < s->rows; l++) {
            const Wide times = l == k ? 0 : j[l][column] / j[k][column];
            for (int i = 0; times != 0 && i < s->width; i++)
                j[l][i] -= times * j[k][i];
        }
        pivot[k] = column;
        isPivot[column] = 1;
        s->independent[s->rank++] = order[k];
    }
    int next = 0;
    memset(s->basis, 0, sizeof s->basis);
    for (int i = 0; i < s->width; i++) {
        if (isPivot[i])
            continue;
        s->basis[next][i] = 1;
        for (int k = 0; k < s->rank; k++)
            s->basis[next][pivot[k]] = -j[k][i] / j[k][pivot[k]];
        next++;
    }
}

/* x^T K^-1 x by elimination with row pivoting, which destroys K. */
static Wide quadratic(int size, Wide k[ORDER][ORDER], const Wide *x)
{
    static Wide y[ORDER];
    Wide sum = 0;
    memcpy(y, x, (size_t)size * sizeof *y);
    for (int c = 0; c < size; c++) {
        int best = c;
        for (int i = c + 1; i < size; i++)
            if (wideSize(k[i][c]) > wideSize(k[best][c]))
                best = i;
        swapWide(&y[c], &y[best]);
        for (int j = 0; j < size; j++)
            swapWide(&k[c][j], &k[best][j]);
        for (int i = 0; i < size; i++) {
            const Wide times = i == c ? 0 : k[i][c] / k[c][c];
            y[i] -= times * y[c];
            for (int j = c; times != 0 && j < size; j++)
                k[i][j] -= times * k[c][j];
        }
    }
    for (int c = 0; c < size; c++)
        sum += x[c] * y[c] / k[c][c];
    return sum;
}

/* (1/D) sum sum A_kl Q_k Q_l for z = M~ a~ - f~. */
static double generalForm(const General *s, const Wide *z)
{
    static Wide inertia[ORDER][ORDER], q[WIDTH], moved[WIDTH];
    const int count = s->width - s->rank;
    for (int k = 0; k < count; k++) {
        q[k] = 0;
        for (int i = 0; i < s->width; i++) {
            q[k] += s->basis[k][i] * z[i];
            moved[i] = 0;
            for (int j = 0; j < s->width; j++)
                moved[i] += s->mass[i][j] * s->basis[k][j];
        }
        for (int l = 0; l < count; l++) {
            inertia[l][k] = 0;
            for (int i = 0; i < s->width; i++)
                inertia[l][k] += s->basis[l][i] * moved[i];
        }
    }
    return (double)quadratic(count, inertia, q);
}

/* r^T (A + S)^+ r for r = J~ x, over independent rows: -(0, r)^T K^-1 (0, r) with K = [M~ J~^T; J~
 * 0]. */
static double rowsPart(const General *s, const Wide *x)
{
    static Wide k[ORDER][ORDER], side[ORDER];
    memset(k, 0, sizeof k);
    memset(side, 0, sizeof side);
    for (int i = 0; i < s->width; i++)
        for (int j = 0; j < s->width; j++)
            k[i][j] = s->mass[i][j];
    for (int row = 0; row < s->rank; row++)
        for (int i = 0; i < s->width; i++) {
            const Wide entry = s->jacobian[s->independent[row]][i];
            k[s->width + row][i] = k[i][s->width + row] = entry;
            side[s->width + row] += entry * x[i];
        }
    return -(double)quadratic(s->width + s->rank, k, side);
}

/* |x|^2 in rectangular coordinates. */
static double square(const General *s, const Wide *x)
{
    Wide sum = 0;
    for (int i = 0; i < s->width; i++)
        for (int j = 0; j < s->width; j++)
            sum += x[i] * s->mass[i][j] * x[j];
    return (double)sum;
}

/* The rows with their slacks. */
static void generalise(const Dense *d, General *s)
{
    memset(s, 0, sizeof *s);
    s->width = d->coordinates;
    s->rows = d->rows;
    for (int i = 0; i < d->coordinates; i++)
        for (int j = 0; j < d->coordinates; j++)
            s->mass[i][j] = d->mass[i][j];
    for (int l = 0; l < d->rows; l++) {
        for (int i = 0; i < d->coordinates; i++)
            s->jacobian[l][i] = d->jacobian[l][i];
        if (d->compliance[l] > 0) {
            s->jacobian[l][s->width] = sqrtl((long double)d->compliance[l]);
            // the root in binary128: one Newton step
            Wide *root = &s->jacobian[l][s->width];
            *root = (*root + d->compliance[l] / *root) / 2;
            s->mass[s->width][s->width] = 1;
            s->width++;
        }
    }
    findBasis(s);
}

/* Rigid, compliant, rank-deficient and known rows by turns; `known` [rows] their values, 0: not
 * known. */
static ksSystem *drawMixed(Dense *d, int seed, double *known)
{
    unsigned long long state = 50 + (unsigned long long)seed;
    ksSystem *system = newSystem();
    drawDense(d, (unsigned)seed, 4 + seed % 15, seed % 3 == 1 ? 1e-2 : 0, seed % 2 ? 10 : 1000, 0);
    memset(d->velocity, 0, sizeof d->velocity);
    for (int l = 0; l < d->rows; l++) {
        const int twin = l - 3;
        known[l] = seed % 4 == 2 && l % 4 == 1 ? 1 + 0.5 * draw(&state) : 0;
        if (seed % 3 == 2)
            d->compliance[l] = l % 2 ? 0.3 + 0.2 * draw(&state) : 0;
        // a row that repeats another one, which is then rigid
        if (seed % 5 == 0 && l % 6 == 5 && known[twin] == 0) {
            memcpy(d->jacobian[l], d->jacobian[twin], sizeof d->jacobian[l]);
            memcpy(d->block[l], d->block[twin], sizeof d->block[l]);
            d->beta[l] = d->beta[twin];
            d->compliance[l] = d->compliance[twin] = known[l] = 0;
        }
    }
    const int rows = d->rows;
    d->rows = 0;
    buildDense(system, d);
    d->rows = rows;
    for (int l = 0; l < rows; l++) {
        const int *block = d->block[l];
        addBounded(system, block[0], &d->jacobian[l][6 * block[0]], block[1], &d->jacobian[l][6 * block[1]], d->beta[l],
                   d->compliance[l], known[l] != 0 ? known[l] : -INFINITY, known[l] != 0 ? known[l] : INFINITY);
    }
    return system;
}

static void keepRows(const Dense *d, const int *row, int count, Dense *kept)
{
    kept->rows = count;
    for (int k = 0; k < count; k++) {
        memcpy(kept->jacobian[k], d->jacobian[row[k]], sizeof d->jacobian[0]);
        kept->beta[k] = d->beta[row[k]];
        kept->compliance[k] = d->compliance[row[k]];
    }
}

/* a~* by elimination over the independent rows that are not known; slacks sqrt(s) lambda, for known
 * rows 0. */
static void trueMotion(const Dense *d, const double *known, Wide *truth)
{
    static Dense reduced;
    static General open;
    double a[KIT_COORDINATES], multiplier[KIT_ROWS], slack[KIT_ROWS] = {0};
    int from[KIT_ROWS], kept[KIT_ROWS], count = 0;
    reduced = *d;
    for (int l = 0; l < d->rows; l++) {
        if (known[l] == 0)
            from[count++] = l;
        for (int i = 0; i < d->coordinates; i++)
            reduced.force[i] += d->jacobian[l][i] * known[l];
    }
    keepRows(d, from, count, &reduced);
    generalise(&reduced, &open);
    for (int k = 0; k < open.rank; k++)
        kept[k] = from[open.independent[k]];
    keepRows(d, kept, open.rank, &reduced);
    solveWide(&reduced, multiplier, a);
    for (int k = 0; k < open.rank; k++)
        slack[kept[k]] = sqrt(d->compliance[kept[k]]) * multiplier[k];
    int next = d->coordinates;
    for (int i = 0; i < d->coordinates; i++)
        truth[i] = a[i];
    for (int l = 0; l < d->rows; l++)
        if (d->compliance[l] > 0)
            truth[next++] = slack[l];
}

/* M~ a~ - f~, with known rows in f. */
static void unbalanced(const General *s, const Dense *d, const double *known, const Wide *seen, Wide *z)
{
    for (int i = 0; i < s->width; i++) {
        z[i] = i < d->coordinates ? -(Wide)d->force[i] : 0;
        for (int j = 0; j < s->width; j++)
            z[i] += s->mass[i][j] * seen[j];
        for (int l = 0; i < d->coordinates && l < d->rows; l++)
            z[i] -= s->jacobian[l][i] * known[l];
    }
}

/* For a random motion: the general coordinates' form is the unexplained part, the rows' form the
 * solver error, and in rectangular coordinates both together are |a~ - a~*|^2, here without the
 * 1/2. */
START_TEST(generalAndRectangular)
{
    static Dense d;
    static General s;
    static Wide seen[WIDTH], z[WIDTH], off[WIDTH];
    for (int seed = 12 * _i; seed < 12 * (_i + 1); seed++) {
        unsigned long long state = 7000 + (unsigned long long)seed;
        double known[KIT_ROWS], a[KIT_COORDINATES];
        ksGaussMeasure measure;
        ksSystem *system = drawMixed(&d, seed, known);
        generalise(&d, &s);
        trueMotion(&d, known, seen);
        for (int i = 0; i < s.width; i++)
            off[i] = -seen[i];
        for (int i = 0; i < d.coordinates; i++) {
            a[i] = (double)seen[i] + draw(&state);
            seen[i] = a[i];
        }
        for (int i = 0; i < s.width; i++)
            off[i] += seen[i];
        unbalanced(&s, &d, known, seen, z);
        const double unexplained = generalForm(&s, z), solverError = rowsPart(&s, off), whole = square(&s, off);
        ck_assert_ok(ksSystemMeasure(system, a, &measure));
        ck_assert_double_gt(unexplained, 0);
        ck_assert_near(unexplained + solverError, whole, MEASURE_ROUNDING * whole);
        ck_assert_near(measure.unexplained, 0.5 * unexplained, MEASURE_ROUNDING * whole);
        ck_assert_near(measure.solverError, 0.5 * solverError, MEASURE_ROUNDING * whole);
        ksSystemDestroy(system);
    }
}
END_TEST

/* |M a - f - J^T lambda|, the momentum residual. */
static double residual(const Dense *d, const double *a, const double *multiplier)
{
    double sum = 0;
    for (int i = 0; i < d->coordinates; i++) {
        double r = -d->force[i];
        for (int j = 0; j < d->coordinates; j++)
            r += d->mass[i][j] * a[j];
        for (int l = 0; l < d->rows; l++)
            r -= d->jacobian[l][i] * multiplier[l];
        sum += r * r;
    }
    return sqrt(sum);
}

/* Motion of bodies under f and given multipliers: all rows known. */
static void follow(const Dense *d, const double *multiplier, double *a)
{
    ksSystem *system = newSystem();
    Dense bodies = *d;
    bodies.rows = 0;
    buildDense(system, &bodies);
    for (int l = 0; l < d->rows; l++) {
        const int *b = d->block[l];
        addBounded(system, b[0], &d->jacobian[l][6 * b[0]], b[1], &d->jacobian[l][6 * b[1]], 0, 0, multiplier[l],
                   multiplier[l]);
    }
    ck_assert_ok(ksSystemSolveMotion(system, a));
    ksSystemDestroy(system);
}

/* Measure and momentum residual are zero or not: disturbances of 1e-3 are far from both. */
static void expectShown(ksSystem *system, const Dense *d, const double *a, const double *multiplier, int unexplained,
                        int solverError, int momentum)
{
    ksGaussMeasure measure;
    ck_assert_ok(ksiSystemMeasure(system, a, multiplier, &measure));
    ck_assert_int_eq(measure.unexplained > 1e-8, unexplained);
    ck_assert_int_eq(measure.solverError > 1e-8, solverError);
    if (!unexplained)
        ck_assert_double_lt(measure.unexplained, MEASURE_ROUNDING);
    if (!solverError)
        ck_assert_double_lt(measure.solverError, MEASURE_ROUNDING);
    ck_assert_int_eq(residual(d, a, multiplier) > 1e-6, momentum);
}

/* The table of causes. Without known rows, which could carry more force, so that a motion along
 * them would count as the solver's. */
START_TEST(tableOfCauses)
{
    static Dense d;
    double known[KIT_ROWS], truth[KIT_ROWS], reported[KIT_ROWS], a[KIT_COORDINATES], seen[KIT_COORDINATES];
    double push[KIT_COORDINATES], jump[KIT_COORDINATES], answer[KIT_ROWS];
    unsigned long long state = 300 + (unsigned long long)_i;
    ksGaussMeasure measure;
    ksImpulse energy;
    static const int open[3] = {0, 1, 3};
    ksSystem *system = drawMixed(&d, 4 * (_i / 3) + open[_i % 3], known);
    ck_assert_ok(ksSystemSolvePaulus(system, truth, a));
    expectShown(system, &d, a, truth, 0, 0, 0);

    // an unconverged solver: the bodies follow its report
    for (int l = 0; l < d.rows; l++)
        reported[l] = truth[l] + 0.3 * draw(&state);
    follow(&d, reported, seen);
    expectShown(system, &d, seen, reported, 0, 1, 0);

    // a wrong report of the right motion
    ck_assert_ok(ksSystemMeasure(system, a, &measure));
    ck_assert_double_lt(measure.unexplained + measure.solverError, MEASURE_ROUNDING);
    ck_assert_double_gt(residual(&d, a, reported), 1e-2);

    // an unmodelled force p, solved exactly: its part along admissible motions, p^T B p
    for (int i = 0; i < d.coordinates; i++)
        push[i] = draw(&state);
    ck_assert_ok(ksSystemSolveImpulse(system, push, NULL, answer, jump, &energy));
    for (int i = 0; i < d.coordinates; i++)
        seen[i] = a[i] + jump[i];
    for (int l = 0; l < d.rows; l++)
        reported[l] = truth[l] + answer[l];
    expectShown(system, &d, seen, reported, 1, 0, 1);
    ck_assert_ok(ksiSystemMeasure(system, seen, reported, &measure));
    ck_assert_near(measure.unexplained, energy.momentum, MEASURE_ROUNDING);

    // velocities that were changed after the solution
    for (int i = 0; i < d.coordinates; i++)
        seen[i] = a[i] + draw(&state);
    expectShown(system, &d, seen, truth, 1, 1, 1);
    ksSystemDestroy(system);
}
END_TEST

/* A force along rigid rows moves nothing, so no motion shows it. */
START_TEST(hiddenForce)
{
    static Dense d;
    double multiplier[KIT_ROWS], a[KIT_COORDINATES], push[KIT_COORDINATES];
    ksGaussMeasure measure;
    ksSystem *system = newSystem();
    drawDense(&d, (unsigned)_i, 9, 0, 10, 0);
    buildDense(system, &d);
    for (int i = 0; i < d.coordinates; i++)
        push[i] = d.force[i] + 3 * d.jacobian[2][i];
    ksiSystemSetForce(system, push);
    ck_assert_ok(ksSystemSolveMotion(system, a));
    ksiSystemSetForce(system, d.force);
    ck_assert_ok(ksSystemMeasure(system, a, &measure));
    ck_assert_double_lt(measure.unexplained + measure.solverError, MEASURE_ROUNDING);
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
    ck_assert_near(residual(&d, a, multiplier), 0, MEASURE_ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    TCase *measure = tcase_create("measure");
    tcase_add_loop_test(measure, generalAndRectangular, 0, 5);
    tcase_add_loop_test(measure, tableOfCauses, 0, 30);
    tcase_add_loop_test(measure, hiddenForce, 0, 4);
    return runCase("radakovic", measure);
}
