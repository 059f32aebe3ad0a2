/* check_core_random.c  plugin/core/ on random islands: any rows, any graph, against elimination in
 * binary128; its bars; memory. */
#include "tests/core/core_island_kit.h"
#include "tests/core/core_kit.h"
#include "tests/kits/memory_kit.h"

/* Of the reference, relative to the largest multiplier: the reference has twice the digits, so this
 * is rounding of the data alone. */
static const double kExact = 1e-12;
/* Errors over bars: the bars treat the parts of a residual as independent. */
static const double kBars = 4;
/* |w_l| is less than with the parent at rest, and loses the digits of the difference: mostly those
 * of the mass ratio. Some digits remain up to a ratio of kRatio. */
static const double kSize = 1e-6, kRatio = 1e6;

/* Of the square of a row: a smaller remainder makes it dependent. */
static const double kRank = 1e-8;

/* Returns the number of joints that were carried to the root. */
static int factor(Island *island)
{
    int carried = 0;
    plan(island);
    while (ksiCoreFactor(&island->core)) {
        ck_assert(!island->joint[island->core.culprit].isCarried);
        island->joint[island->core.culprit].isCarried = true;
        carried++;
        plan(island);
    }
    return carried;
}

/* (A + S) X = right-hand sides, by elimination with the largest pivot. */
static void eliminate(int n, Wide (*a)[UNKNOWNS + 8], int sides)
{
    for (int j = 0; j < n; j++) {
        int best = j;
        for (int i = j; i < n; i++)
            if (fabs((double)a[i][j]) > fabs((double)a[best][j]))
                best = i;
        for (int k = 0; k < n + sides; k++) {
            const Wide swap = a[j][k];
            a[j][k] = a[best][k];
            a[best][k] = swap;
        }
        for (int i = 0; i < n; i++)
            if (i != j && a[i][j] != 0) {
                const Wide times = a[i][j] / a[j][j];
                for (int k = j; k < n + sides; k++)
                    a[i][k] -= times * a[j][k];
            }
    }
}

static int rowsOf(const Island *island, int first[JOINTS])
{
    int rows = 0;
    for (int j = 0; j < island->joints; j++) {
        first[j] = rows;
        rows += island->joint[j].rows;
    }
    return rows;
}

/* A + S, and its inverse, whose diagonal is needed. */
static Wide matrix[UNKNOWNS][UNKNOWNS + 8], inverse[UNKNOWNS][UNKNOWNS + 8];

static int solveExactly(const Island *island, double *lambda, double *size2)
{
    int first[JOINTS];
    const int n = rowsOf(island, first);
    for (int j = 0; j < island->joints; j++)
        for (int l = 0; l < island->joint[j].rows; l++) {
            Wide *row = matrix[first[j] + l];
            for (int i = 0; i < island->joints; i++)
                for (int m = 0; m < island->joint[i].rows; m++)
                    row[first[i] + m] = product(island, j, l, i, m);
            row[first[j] + l] += (Wide)island->compliance[j][l];
            row[n] = island->beta[j][l];
            for (int p = 0; p < 2; p++)
                for (int k = 0; island->joint[j].body[p] >= 0 && k < 6; k++)
                    row[n] -= (Wide)island->row[j][l][6 * p + k] * (Wide)island->force[island->joint[j].body[p]][k];
        }
    for (int r = 0; r < n; r++) {
        memcpy(inverse, matrix, sizeof matrix);
        for (int i = 0; i < n; i++)
            inverse[i][n + 1] = i == r;
        eliminate(n, inverse, 2);
        size2[r] = (double)(inverse[r][n + 1] / inverse[r][r]);
        lambda[r] = (double)(inverse[r][n] / inverse[r][r]);
    }
    return n;
}

/* Multipliers and sizes. */
static void compare(Island *island, double ratio, int *carried)
{
    static double lambda[UNKNOWNS], size2[UNKNOWNS];
    ksiCertificate found;
    int first[JOINTS];
    double load = 0;
    *carried += factor(island);
    ksiCoreSweep(&island->core);
    ksiCoreInverse(&island->core);
    const int rows = solveExactly(island, lambda, size2);
    rowsOf(island, first);
    for (int l = 0; l < rows; l++)
        load = fmax(load, fabs(lambda[l]));
    for (int refined = 0; refined < 3; refined++) {
        ksiCoreCertify(&island->core, &found);
        for (int j = 0; j < island->joints; j++) {
            const ksiConstraint *c = ksiCoreConstraint(&island->core, j);
            for (int l = 0; l < c->rows; l++) {
                const double size = sqrt(size2[first[j] + l]), apart = fabs(c->lambda[l][0] - lambda[first[j] + l]);
                if (ratio <= kRatio)
                    ck_assert_double_lt(fabs(sqrt(c->size2[l]) / size - 1), kSize * fmax(1, ratio / 1e3));
                ck_assert_double_lt(apart, kBars * sqrt(c->size2[l] * (found.missed2[0] + found.rounding2[0])));
                if (refined == 2)
                    ck_assert_double_lt(apart, kExact * load);
            }
        }
        coreRefine(&island->core);
    }
}

/* Rows of `island` that are redundant by rank: the sum of bits by joint. */
static int countRedundant(Island *island)
{
    int count = 0;
    plan(island);
    while (ksiCoreRank(&island->core, kRank)) {
        island->joint[island->core.culprit].isCarried = true;
        plan(island);
    }
    for (int j = 0; j < island->joints; j++)
        for (unsigned bits = ksiCoreConstraint(&island->core, j)->redundant; bits; bits &= bits - 1)
            count++;
    return count;
}

START_TEST(anyIsland)
{
    const double ratio[] = {1, 1e3, 1e6, 1e9};
    Island *island = calloc(1, sizeof *island);
    int carried = 0;
    ksiCoreInit(&island->core, NULL);
    for (int seed = 0; seed < 25; seed++) {
        drawIsland(island, 25 * _i + seed, ratio[_i]);
        ck_assert_int_eq(countRedundant(island), 0);
        compare(island, ratio[_i], &carried);
    }
    ksiCoreFree(&island->core);
    free(island);
}
END_TEST

/* A row that exists twice, the second time twice as long in a joint of its own: one self-stress of
 * these two alone, for any masses, and two shares of the load without it. */
START_TEST(sameRow)
{
    const double ratio[] = {1, 1e3, 1e6, 1e9};
    Island *island = calloc(1, sizeof *island);
    ksiCoreMotion motion;
    ksiCoreInit(&island->core, NULL);
    for (int seed = 1; seed < 20; seed += 3) {
        drawIsland(island, seed, ratio[_i]);
        const int twin = seed % island->joints, j = island->joints;
        addJoint(island, island->joint[twin].body[0], island->joint[twin].body[1], 1, 0);
        for (int k = 0; k < 12; k++)
            island->row[j][0][k] = 2 * island->row[twin][0][k];
        island->beta[j][0] = 2 * island->beta[twin][0];
        island->compliance[twin][0] = 0;
        ck_assert_int_eq(countRedundant(island), 1);
        CHECK_OK(ksiCoreStress(&island->core, &motion));
        ck_assert_int_eq(island->core.stresses, 1);
        ck_assert_double_lt(motion.any, kExact);
        for (int i = 0; i < island->joints; i++)
            ck_assert_uint_eq(coreUndetermined(&island->core, i, kExact), i == twin || i == j);
        CHECK_OK(ksiCoreFactor(&island->core));
        ksiCoreSweep(&island->core);
        ksiCoreProject(&island->core, 0, NULL);
        const double one = ksiCoreConstraint(&island->core, twin)->lambda[0][0],
                     two = ksiCoreConstraint(&island->core, j)->lambda[0][0];
        ck_assert_double_lt(fabs(one - 2 * two), kExact * fabs(one));
    }
    ksiCoreFree(&island->core);
    free(island);
}
END_TEST

/* A row between two bodies that are welded together says nothing while the first is at rest, but
 * holds both: it is carried to the root. */
START_TEST(carriedRow)
{
    Island *island = calloc(1, sizeof *island);
    int carried = 0;
    ksiCoreInit(&island->core, NULL);
    state = 5;
    island->bodies = 2;
    island->mass[0] = island->mass[1] = 1;
    addJoint(island, 0, -1, 5, 0);
    addJoint(island, 0, 1, 6, 0);
    addJoint(island, 1, 0, 1, 0);
    compare(island, 1, &carried);
    ck_assert_int_eq(carried, 1);
    ksiCoreFree(&island->core);
    free(island);
}
END_TEST

/* The same joints of the same bodies, or fewer, need no memory. A failed call leaves no plan, and
 * the next plan is complete. */
START_TEST(memory)
{
    Counter counter = {.refuse = 0};
    const ksAllocator allocator = {countingResize, &counter};
    Island *island = calloc(1, sizeof *island);
    int carried = 0;
    ksiCoreInit(&island->core, &allocator);
    drawIsland(island, 23, 1);
    for (long refuse = 1;; refuse++) {
        counter.requests = 0;
        counter.refuse = refuse;
        if (!ksiCorePlan(&island->core, island->bodies, island->mass, island->joints, island->joint))
            break;
        ck_assert_int_lt(refuse, 50);
    }
    counter.refuse = 0;
    compare(island, 1, &carried);
    counter.requests = 0;
    compare(island, 1, &carried);
    ck_assert_int_eq(counter.requests, 0);
    ksiCoreFree(&island->core);
    ck_assert_int_eq(counter.held, 0);
    free(island);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("core random");
    TCase *tcase = tcase_create("random");
    tcase_add_loop_test(tcase, anyIsland, 0, 4);
    tcase_add_loop_test(tcase, sameRow, 0, 4);
    tcase_add_test(tcase, carriedRow);
    tcase_add_test(tcase, memory);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}
