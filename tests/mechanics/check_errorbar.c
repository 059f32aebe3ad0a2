/* check_errorbar.c  Error bars of both routes on 1000 random systems against a reference in
 * binary128: no error is larger than its bar, and the median of bar over error is at most 100.
 *
 * 1 to 60 coordinates in blocks of 1 to 8, rows over 1 to 4 blocks, mass ratios up to 1e6. The seed
 * decides whether a system's rows are independent, nearly dependent (down to 1e-6) or dependent,
 * whether some are compliant, and whether its masses differ. */
#include "tests/kits/inside_kit.h"
#include "tests/kits/redundant_kit.h"

#include <stdbool.h>
#include <stdio.h>

enum {
    COORDINATES = 60,
    DEPENDENT = 6,
    ROWS = COORDINATES + DEPENDENT,
    SPAN = 4,
    SIZE = COORDINATES + ROWS + DEPENDENT  // of the reference's augmented system
};
enum { BATCHES = 4, BATCH = 250 };

enum { INDEPENDENT, NEARLY, SUMS, TRAITS }; /* rows; SUMS: some are sums of others */

typedef struct Random {
    unsigned seed;
    unsigned long long state;
    int coordinates, blocks, rows, dependent;
    int start[COORDINATES + 1], blockOf[COORDINATES];
    double mass[COORDINATES][COORDINATES], force[COORDINATES];
    int span[ROWS], block[ROWS][SPAN];
    double row[ROWS][COORDINATES], beta[ROWS], compliance[ROWS];
    double stress[DEPENDENT][ROWS]; /* J^T n = 0, exactly */
} Random;

static int pick(Random *r, int below)
{
    const int i = (int)(0.5 * (draw(&r->state) + 1) * below);
    return i < below ? i : below - 1;
}

/* Uniform in [-1, 1] on a grid of 2^-20: sums of a few are exact. */
static double coarse(Random *r)
{
    return round(draw(&r->state) * 1048576) / 1048576;
}

static void drawBlocks(Random *r, double massRatio)
{
    static const int size[] = {1, 3, 6, 6, 3, 1, 2, 4, 5, 8};
    while (r->start[r->blocks] < r->coordinates) {
        const int from = r->start[r->blocks], room = r->coordinates - from;
        const int drawn = size[pick(r, COUNT_OF(size))], n = drawn < room ? drawn : room;
        const double m = pow(massRatio, 0.5 * (draw(&r->state) + 1));
        double root[8][8];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                root[i][j] = draw(&r->state);
        for (int i = 0; i < n; i++) {
            r->blockOf[from + i] = r->blocks;
            r->force[from + i] = m * draw(&r->state);
            for (int j = 0; j < n; j++) {
                double sum = i == j ? 0.5 : 0;
                for (int k = 0; k < n; k++)
                    sum += root[i][k] * root[j][k];
                r->mass[from + i][from + j] = m * sum;
            }
        }
        r->start[++r->blocks] = from + n;
    }
}

static int spans(const Random *r, int l, int block)
{
    for (int k = 0; k < r->span[l]; k++)
        if (r->block[l][k] == block)
            return 1;
    return 0;
}

/* Adds a multiple of row `from` to row l; returns 0 if row l would span too many blocks, and leaves
 * it as before. */
static int addTo(Random *r, int l, int from, double times)
{
    int more = 0;
    for (int k = 0; k < r->span[from]; k++)
        more += !spans(r, l, r->block[from][k]);
    if (r->span[l] + more > SPAN)
        return 0;
    for (int k = 0; k < r->span[from]; k++)
        if (!spans(r, l, r->block[from][k]))
            r->block[l][r->span[l]++] = r->block[from][k];
    for (int i = 0; i < r->coordinates; i++)
        r->row[l][i] += times * r->row[from][i];
    r->beta[l] += times * r->beta[from];
    return 1;
}

/* A row over the block of its own coordinate and up to three others: independent with probability
 * 1. */
static void drawRow(Random *r, int l, int home)
{
    r->span[l] = 1;
    r->block[l][0] = r->blockOf[home];
    for (int more = pick(r, SPAN); more > 0; more--) {
        const int block = pick(r, r->blocks);
        if (!spans(r, l, block))
            r->block[l][r->span[l]++] = block;
    }
    for (int k = 0; k < r->span[l]; k++)
        for (int i = r->start[r->block[l][k]]; i < r->start[r->block[l][k] + 1]; i++)
            r->row[l][i] = coarse(r);
    r->beta[l] = coarse(r);
}

/* Row l becomes the sum of one or two earlier rows plus a share of itself. */
static void makeNear(Random *r, int l, double share)
{
    for (int i = 0; i < r->coordinates; i++)
        r->row[l][i] *= share;
    r->beta[l] *= share;
    const int first = pick(r, l), second = pick(r, l);
    addTo(r, l, first, 1);
    if (second != first)
        addTo(r, l, second, -1);
}

/* Adds rows that are sums of earlier rigid rows, and the self-stress of each. */
static void addDependent(Random *r, int most)
{
    const int independent = r->rows;
    for (int tries = 0; tries < 4 * most && r->dependent < most; tries++) {
        const int l = r->rows, first = pick(r, independent), second = pick(r, independent);
        const double times[2] = {pick(r, 2) ? 1 : -2, pick(r, 2) ? 1 : -1};
        if (r->compliance[first] > 0)
            continue;
        double *stress = r->stress[r->dependent];
        addTo(r, l, first, times[0]);
        stress[first] = times[0];
        if (second != first && r->compliance[second] <= 0 && addTo(r, l, second, times[1]))
            stress[second] = times[1];
        stress[l] = -1;
        r->rows++;
        r->dependent++;
    }
}

static void drawSystem(Random *r, unsigned seed)
{
    const unsigned trait = seed % TRAITS;
    const int compliant = seed / TRAITS % 2 == 1, heavy = seed / (2 * TRAITS) % 2 == 1;
    int home[COORDINATES];
    memset(r, 0, sizeof *r);
    r->seed = seed;
    r->state = 88172645463325252ULL + 1000003ULL * seed;
    r->coordinates = 1 + (int)(seed % COORDINATES + seed / COORDINATES * 7) % COORDINATES;
    drawBlocks(r, heavy ? 1e6 : 10);
    for (int i = 0; i < r->coordinates; i++) {
        const int j = pick(r, i + 1);
        home[i] = home[j];
        home[j] = i;
    }
    const int rows = 1 + pick(r, r->coordinates);
    for (; r->rows < rows; r->rows++) {
        drawRow(r, r->rows, home[r->rows]);
        if (trait == NEARLY && r->rows > 0 && pick(r, 4) == 0)
            makeNear(r, r->rows, pow(10, -6 * 0.5 * (draw(&r->state) + 1)));
        if (compliant && pick(r, 2))
            r->compliance[r->rows] = pow(10, -5 + 6 * draw(&r->state));
    }
    if (trait == SUMS)
        addDependent(r, 1 + pick(r, DEPENDENT));
}

static void buildSystem(ksSystem *system, const Random *r)
{
    for (int b = 0; b < r->blocks; b++) {
        const int from = r->start[b], n = r->start[b + 1] - from;
        double mass[64];
        int block;
        for (int i = 0; i < n * n; i++)
            mass[i] = r->mass[from + i / n][from + i % n];
        ck_assert_ok(ksSystemAddBlock(system, n, mass, r->force + from, NULL, &block));
    }
    for (int l = 0; l < r->rows; l++) {
        const double *jacobian[SPAN];
        ksRowSpec spec;
        int row;
        ksRowSpecInit(&spec);
        for (int k = 0; k < r->span[l]; k++)
            jacobian[k] = r->row[l] + r->start[r->block[l][k]];
        spec.blockCount = r->span[l];
        spec.block = r->block[l];
        spec.jacobian = jacobian;
        spec.beta = r->beta[l];
        spec.compliance = r->compliance[l];
        ck_assert_ok(ksSystemAddRow(system, &spec, &row));
    }
}

/* Solves the augmented system k for x: elimination with row pivoting, which skips zeros. */
static void eliminate(Wide k[SIZE][SIZE + 1], int size, Wide *x)
{
    for (int c = 0; c < size; c++) {
        int best = c;
        for (int i = c + 1; i < size; i++)
            if (wideSize(k[i][c]) > wideSize(k[best][c]))
                best = i;
        for (int j = c; j <= size; j++) {
            const Wide kept = k[c][j];
            k[c][j] = k[best][j];
            k[best][j] = kept;
        }
        ck_assert(k[c][c] != 0);
        for (int i = c + 1; i < size; i++) {
            if (k[i][c] == 0)
                continue;
            const Wide times = k[i][c] / k[c][c];
            for (int j = c + 1; j <= size; j++)
                k[i][j] -= times * k[c][j];
        }
    }
    for (int i = size - 1; i >= 0; i--) {
        Wide sum = k[i][size];
        for (int j = i + 1; j < size; j++)
            sum -= k[i][j] * x[j];
        x[i] = sum / k[i][i];
    }
}

/* J_l M^-1 J_l^T, the metric in which multipliers have no self-stress; block by block. */
static void metric(const Random *r, Wide *d)
{
    static Wide k[SIZE][SIZE + 1];
    Wide x[SIZE];
    for (int l = 0; l < r->rows; l++) {
        d[l] = 0;
        for (int p = 0; p < r->span[l]; p++) {
            const int from = r->start[r->block[l][p]], n = r->start[r->block[l][p] + 1] - from;
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++)
                    k[i][j] = r->mass[from + i][from + j];
                k[i][n] = r->row[l][from + i];
            }
            eliminate(k, n, x);
            for (int i = 0; i < n; i++)
                d[l] += x[i] * r->row[l][from + i];
        }
    }
}

/* [M -J^T 0; J S D N; 0 N^T D 0] (a, lambda, mu) = (f, beta, 0): mu = 0 and lambda without
 * self-stress. */
static void solveReference(const Random *r, Wide *multiplier)
{
    static Wide k[SIZE][SIZE + 1];
    Wide d[ROWS], x[SIZE];
    const int n = r->coordinates, below = n + r->rows, size = below + r->dependent;
    metric(r, d);
    memset(k, 0, sizeof k);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            k[i][j] = r->mass[i][j];
        k[i][size] = r->force[i];
    }
    for (int l = 0; l < r->rows; l++) {
        for (int i = 0; i < n; i++) {
            k[i][n + l] = -(Wide)r->row[l][i];
            k[n + l][i] = r->row[l][i];
        }
        k[n + l][n + l] = r->compliance[l];
        k[n + l][size] = r->beta[l];
        for (int q = 0; q < r->dependent; q++)
            k[n + l][below + q] = k[below + q][n + l] = d[l] * r->stress[q][l];
    }
    eliminate(k, size, x);
    for (int l = 0; l < r->rows; l++)
        multiplier[l] = x[n + l];
}

/* Describes a failed system, so that it can be built again. */
static const char *describe(const Random *r)
{
    static char text[160];
    snprintf(text, sizeof text, "seed %u: %d coordinates, %d blocks, %d rows, %d of them dependent", r->seed,
             r->coordinates, r->blocks, r->rows, r->dependent);
    return text;
}

/* Appends bar / error of every row with an error; returns their number. */
static int checkSystem(const Random *r, double *idle)
{
    Wide multiplier[ROWS];
    double gauss[ROWS], paulus[ROWS], bar[ROWS];
    int count = 0;
    ksSystem *system = newSystem();
    buildSystem(system, r);
    solveReference(r, multiplier);
    const ksStatus first = ksSystemSolveGauss(system, gauss, NULL);
    ck_assert_msg(first == KS_OK, "%s: Gauss %s", describe(r), ksStatusName(first));
    const ksStatus second = ksSystemSolvePaulus(system, paulus, NULL);
    ck_assert_msg(second == KS_OK, "%s: Paulus %s", describe(r), ksStatusName(second));
    ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_NONE, gauss, paulus, bar));
    for (int l = 0; l < r->rows; l++) {
        const double byGauss = (double)wideSize(gauss[l] - multiplier[l]);
        const double byPaulus = (double)wideSize(paulus[l] - multiplier[l]), error = fmax(byGauss, byPaulus);
        ck_assert_msg(error <= bar[l], "%s: row %d is %g, off by %.3g (Gauss), %.3g (Paulus), bar %.3g", describe(r), l,
                      (double)multiplier[l], byGauss, byPaulus, bar[l]);
        // an error of zero says nothing about the length of the bar
        if (error > 0)
            idle[count++] = bar[l] / error;
    }
    ksSystemDestroy(system);
    return count;
}

/* If the median is at most 100 in every batch, it is in all of them. */
START_TEST(againstBinary128)
{
    static Random r;
    static double idle[BATCH * ROWS];
    int count = 0;
    for (int i = 0; i < BATCH; i++) {
        drawSystem(&r, (unsigned)(BATCH * _i + i));
        count += checkSystem(&r, idle + count);
    }
    qsort(idle, (size_t)count, sizeof *idle, ascending);
    ck_assert_int_gt(count, 10 * BATCH);
    ck_assert_double_le(idle[count / 2], 100);
}
END_TEST

/* The seeds, of 20000 redundant systems, with the largest ratios of error to bar, above a tenth. */
START_TEST(largestErrors)
{
    static const unsigned seeds[] = {2042, 21230, 31292};
    static Random r;
    static double idle[ROWS];
    drawSystem(&r, seeds[_i]);
    ck_assert_int_gt(r.dependent, 0);
    checkSystem(&r, idle);
}
END_TEST

/* |w_l|^2 = [(A + S)^-1]_ll is the multiplier for a unit of its own right-hand side alone. Rows
 * over blocks at random: fronts of which most children have only a part of the columns. */
START_TEST(sizesOfRows)
{
    static const unsigned seeds[] = {48, 51, 54, 57};
    static const double rounding = 1e-10;
    static const int some = 7;
    static Random r;
    Wide multiplier[ROWS];
    double size[ROWS];
    drawSystem(&r, seeds[_i]);
    ck_assert_int_gt(r.rows, some);
    ksSystem *system = newSystem();
    buildSystem(system, &r);
    ck_assert_ok(ksiSystemExactSizes(system, size));
    memset(r.force, 0, sizeof r.force);
    for (int l = 0; l < r.rows; l += some) {
        memset(r.beta, 0, sizeof r.beta);
        r.beta[l] = 1;
        solveReference(&r, multiplier);
        ck_assert_near(size[l] / sqrt((double)multiplier[l]), 1, rounding);
    }
    ksSystemDestroy(system);
}
END_TEST

/* |w_l|^2, the diagonal of the pseudoinverse of (J_l M^-1 J_m^T / (d_l d_m)): with the
 * self-stresses Q it is the diagonal of (. + Q Q^T)^-1 - Q Q^T. */
static void relaxedSquares(ksSystem *system, const Record *given, double *square)
{
    static Wide k[SIZE][SIZE + 1];
    const int rows = given->rows;
    const double *basis;
    int count;
    Wide x[SIZE];
    ck_assert_ok(ksiSystemGetSelfStress(system, &basis, &count));
    ck_assert_int_eq(count, 3);
    for (int r = 0; r < rows; r++) {
        for (int l = 0; l < rows; l++) {
            long double own[COORDINATES] = {0};
            recordAddRow(given, l, 1 / ksiSystemKinematicSize(system, l), own);
            for (int m = 0; m < rows; m++) {
                long double other[COORDINATES] = {0};
                recordAddRow(given, m, 1 / ksiSystemKinematicSize(system, m), other);
                k[l][m] = dotWide(given->coordinates, own, other);
                for (int s = 0; s < count; s++)
                    k[l][m] += (Wide)ksiSystemKinematicSize(system, l) * basis[s * rows + l] *
                               ksiSystemKinematicSize(system, m) * basis[s * rows + m];
            }
            k[l][rows] = l == r;
        }
        eliminate(k, rows, x);
        square[r] = (double)x[r];
        for (int s = 0; s < count; s++)
            square[r] -= pow(ksiSystemKinematicSize(system, r) * basis[s * rows + r], 2);
    }
}

/* If both routes agree, the bars are rounding, each proportional to the row's relaxed coordinate,
 * also for rows that are omitted as dependent, whose coordinates are composed of others. Row 0
 * takes part in no self-stress. The coordinates of rows that do are found without the omitted rows,
 * so they may be longer. */
START_TEST(redundantRows)
{
    static Record given;
    ksSystem *system = newSystem();
    double multiplier[20], bar[20], square[20], ratio[20], dense = 0;
    int count;
    ksiSystemSetWarmStart(system, NULL);
    // little enough to count as rigid; without it, the rank to rounding needs singular values
    hingeCompliance = 1e-7;
    ck_assert_ok(ksSystemSetRigidCompliance(system, 1e-6));
    for (int step = 0; step < 2; step++) {  // sparse once the dependent rows are known
        dense = insideDenseWork(system);
        ksSystemClear(system);
        recordInto(&given);
        banach(system, 0.4 + 1e-3 * step, 1.1, 0.2 * _i, 0);
        ck_assert_ok(ksiSystemCountSelfStresses(system, &count));
        ck_assert_int_eq(count, 3);
    }
    for (int l = 0; l < 20; l++)
        multiplier[l] = 10 * cos(l);
    ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_PROJECTED, multiplier, multiplier, bar));
    ck_assert_double_eq(insideDenseWork(system), dense);
    relaxedSquares(system, &given, square);
    for (int l = 0; l < 20; l++) {
        ratio[l] = bar[l] * ksiSystemKinematicSize(system, l) / sqrt(square[l]);
        ck_assert_double_gt(ratio[l], 0.5 * ratio[0]);
    }
    ksSystemDestroy(system);
}
END_TEST

/* The bars of a projected solution, found in one call, or after the multipliers: then the call
 * continues from their results. */
static void projectedBars(ksSystem *system, bool isAfter, const double *other, const double *beta, double tolerance,
                          double *bar)
{
    enum { MOST = 20 };
    double multiplier[MOST], found[MOST];
    for (int l = 0; l < MOST; l++)
        multiplier[l] = cos(l);
    ksiSystemSetBeta(system, beta);
    if (isAfter && other)
        ksiSystemSetBeta(system, other);
    if (isAfter)
        ck_assert_ok(ksiSystemSolveLeastNorm(system, found, NULL));
    if (other)
        ksiSystemSetBeta(system, beta);
    if (tolerance > 0)
        ck_assert_ok(ksSystemSetRankTolerance(system, tolerance));
    ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_PROJECTED, multiplier, multiplier, bar));
}

/* ... equal to the bit, and not reused after another right-hand side. */
START_TEST(barsGoOn)
{
    double beta[20], other[20], bar[3][20];
    hingeCompliance = 1e-7;
    for (int l = 0; l < 20; l++) {
        beta[l] = sin(l);
        other[l] = 100 * cos(3 * l);
    }
    for (int i = 0; i < 3; i++) {
        ksSystem *system = newSystem();
        ck_assert_ok(ksSystemSetRigidCompliance(system, 1e-6));
        banach(system, 0.4, 1.1, 0.2, 0);
        projectedBars(system, i > 0, i > 1 ? other : NULL, beta, 0, bar[i]);
        for (int l = 0; l < 20; l++)
            ck_assert_double_eq(bar[i][l], bar[0][l]);
        ksSystemDestroy(system);
    }
}
END_TEST

/* ... nor after another system, whose projection has its own error: with known self-stresses, or
 * without them. */
START_TEST(barsOfTheNextSystem)
{
    const double along[2] = {1, 0}, force[2] = {3, 40}, multiplier = 3;
    double other[20], reference[20], bar[2];
    int count = 0;
    for (int i = 0; i < 2; i++) {
        ksSystem *system = newSystem();
        if (i > 0) {
            banach(system, 0.4, 1.1, 0.2, 0);
            ck_assert_ok(ksiSystemSolveLeastNorm(system, other, NULL));
            for (int l = 0; l < 20; l++)
                reference[l] = other[l] + 1e8 * cos(l);
            ck_assert_ok(ksiSystemProjectSelfStress(system, reference, other));
            ksSystemClear(system);
        }
        addRow(system, addParticle(system, 2, 1, force), along, -1, NULL, 1, 0);
        if (_i > 0)
            ck_assert_ok(ksiSystemCountSelfStresses(system, &count));
        ck_assert_int_eq(count, 0);
        ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_PROJECTED, &multiplier, &multiplier, &bar[i]));
        ksSystemDestroy(system);
    }
    ck_assert_double_eq(bar[1], bar[0]);
}
END_TEST

/* ... nor after another tolerance, with which there is one row less. */
START_TEST(barsOfAnotherRank)
{
    const double first[2] = {1, 0}, second[2] = {1, 1e-5}, force[2] = {3, 40}, beta[2] = {1, 1};
    double bar[2][2], before[2];
    for (int i = 0; i < 2; i++) {
        ksSystem *system = newSystem();
        const int block = addParticle(system, 2, 1, force);
        addRow(system, block, first, -1, NULL, 1, 1e-7);
        addRow(system, block, second, -1, NULL, 1, 1e-7);
        ck_assert_ok(ksSystemSetRigidCompliance(system, 1e-6));
        ck_assert_ok(ksSystemSetRankTolerance(system, 1e-7));
        if (i == 0)
            projectedBars(system, false, NULL, beta, 0, before);
        projectedBars(system, i > 0, NULL, beta, 1e-3, bar[i]);
        ksSystemDestroy(system);
    }
    ck_assert_double_gt(before[0], 100 * bar[0][0]);
    for (int l = 0; l < 2; l++)
        ck_assert_double_eq(bar[1][l], bar[0][l]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("errorbar");
    TCase *random = tcase_create("random systems");
    tcase_add_loop_test(random, againstBinary128, 0, BATCHES);
    tcase_add_loop_test(random, largestErrors, 0, 3);
    tcase_add_loop_test(random, sizesOfRows, 0, 4);
    suite_add_tcase(suite, random);
    TCase *redundant = tcase_create("redundant rows");
    tcase_add_loop_test(redundant, redundantRows, 0, 5);
    tcase_add_test(redundant, barsGoOn);
    tcase_add_loop_test(redundant, barsOfTheNextSystem, 0, 2);
    tcase_add_test(redundant, barsOfAnotherRank);
    suite_add_tcase(suite, redundant);
    return runSuite(suite);
}
