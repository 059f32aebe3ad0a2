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

/* Right-hand sides: of the equations, and a unit for each row. */
static Equation matrix[UNKNOWNS];

static int solveExactly(const Island *island)
{
    const int n = 6 * island->joints;
    memset(matrix, 0, sizeof matrix);
    for (int r = 0; r < n; r++) {
        matrix[r][n + 1 + r] = 1;
        layEquation(island, &island->core, r, n, matrix);
    }
    eliminate(n, 2 * n + 1, matrix);
    return n;
}

/* Multipliers and sizes. */
static void compare(Island *island, double ratio, int *carried)
{
    ksiCertificate found;
    double load = 0;
    *carried += factor(island);
    ksiCoreSweep(&island->core);
    ksiCoreInverse(&island->core);
    const int rows = solveExactly(island);
    for (int r = 0; r < rows; r++)
        load = fmax(load, fabs((double)matrix[r][rows]));
    for (int refined = 0; refined < 3; refined++) {
        ksiCoreCertify(&island->core, &found);
        for (int j = 0; j < island->joints; j++) {
            const ksiConstraint *c = ksiCoreConstraint(&island->core, j);
            for (int l = 0; l < c->rows; l++) {
                const int r = 6 * j + l;
                const double size = sqrt((double)matrix[r][rows + 1 + r]);
                const double apart = fabs(c->lambda[l][0] - (double)matrix[r][rows]);
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
    TCase *tcase = tcase_create("random");
    tcase_add_loop_test(tcase, anyIsland, 0, 4);
    tcase_add_loop_test(tcase, sameRow, 0, 4);
    tcase_add_test(tcase, carriedRow);
    tcase_add_test(tcase, memory);
    return runCase("core random", tcase);
}
