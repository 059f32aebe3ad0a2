/* check_core_near_singular.c  Small singular values of random islands by plugin/core/, against all
 * singular values by LAPACK: their number below any bound, and the directions of almost dependent
 * rows. */
#include "core/near_singular.h"
#include "linear/lapack.h"
#include "tests/core/core_island_kit.h"
#include "tests/core/core_kit.h"

/* Of directions found from squares of singular values: the root of their rounding is 1e-7. */
static const double kDirection = 1e-6;

/* Squares of the singular values of unit rows, ascending, by K K^T; returns their number. */
static int findAll(const Island *island, double *value)
{
    static double matrix[UNKNOWNS * UNKNOWNS], work[8 * UNKNOWNS];
    const ksiCore *core = &island->core;
    int of[UNKNOWNS][2], n = 0, info = 0;
    for (int i = 0; i < core->links + core->closings; i++)
        for (int l = 0; l < ksiCoreAt(core, i)->rows; l++, n++) {
            of[n][0] = i;
            of[n][1] = l;
        }
    for (int r = 0; r < n; r++)
        for (int s = 0; s <= r; s++) {
            const ksiConstraint *c[2] = {ksiCoreAt(core, of[r][0]), ksiCoreAt(core, of[s][0])};
            double row[2][2][6], sum = 0;
            ksiCoreUnitRow(core, c[0], of[r][1], NULL, row[0]);
            ksiCoreUnitRow(core, c[1], of[s][1], NULL, row[1]);
            for (int p = 0; p < 2; p++)
                for (int q = 0; q < 2; q++) {
                    const int a = p ? c[0]->partner : c[0]->body, b = q ? c[1]->partner : c[1]->body;
                    for (int k = 0; a >= 0 && a == b && k < 6; k++)
                        sum += row[0][p][k] * row[1][q][k];
                }
            matrix[r + n * s] = sum;
        }
    const int size = 8 * UNKNOWNS;
    dsyev_("N", "L", &n, matrix, &n, value, work, &size, &info, 1, 1);
    ck_assert_int_eq(info, 0);
    return n;
}

START_TEST(anyBound)
{
    static double value[UNKNOWNS];
    const double near = 1e-9;
    Island *island = calloc(1, sizeof *island);
    int counted = 0, crossed = 0;
    ksiCoreInit(&island->core, NULL);
    for (int seed = 0; seed < 100; seed++) {
        drawIsland(island, seed, _i ? 1e3 : 1);
        plan(island);
        ksiCoreMeasure(&island->core);
        const int n = findAll(island, value);
        for (double bound = 0.05; bound < 2; bound *= 1.3) {
            int below = 0;
            bool isNear = false;
            for (int k = 0; k < n; k++) {
                below += value[k] < bound * bound;
                isNear |= fabs(value[k] - bound * bound) < near;
            }
            if (isNear)
                continue;
            ck_assert_int_eq(ksiCoreCountBelow(&island->core, bound), below);
            counted += below > 0;
            for (int i = 0; i < island->core.links; i++)
                for (int k = 0; k < 6; k++)
                    crossed += island->core.link[i].rootInverse[k] < 0;
        }
    }
    ck_assert_int_gt(counted, 100);
    ck_assert_int_gt(crossed, 100);
    ksiCoreFree(&island->core);
    free(island);
}
END_TEST

/* Two rows that almost equal others: a bound between the two singular values separates them. */
START_TEST(nearRows)
{
    static double value[UNKNOWNS];
    Island *island = calloc(1, sizeof *island);
    int told = 0;
    ksiCoreInit(&island->core, NULL);
    for (int seed = 1; seed < 60; seed++) {
        drawIsland(island, seed, 1);
        for (int twin = 0; twin < 2; twin++) {
            const int of = (seed + twin) % island->joints, j = island->joints;
            addJoint(island, island->joint[of].body[0], island->joint[of].body[1], 1, 0);
            for (int k = 0; k < 12; k++)
                island->row[j][0][k] = island->row[of][0][k] + (twin ? 1e-3 : 1e-2) * island->row[j][0][k];
        }
        plan(island);
        ksiCoreMeasure(&island->core);
        const int n = findAll(island, value);
        // the two are far apart, and the third is far from both
        if (n < 3 || value[1] < 4 * value[0] || value[2] < 4 * value[1])
            continue;
        for (int k = 0; k < 2; k++) {
            const ksiCoreSpectrum spectrum = {.floor = sqrt(sqrt(value[k] * value[k + 1])),
                                              .upper = sqrt(sqrt(value[1] * value[2])),
                                              .rounding = 1e-14};
            const ksiCoreWay way = {.isMoved = true};
            ksiCoreRankFound found;
            CHECK_OK(ksiCoreBeginPose(&island->core, 0));
            CHECK_OK(ksiCoreFindWeak(&island->core, 2, &way, &spectrum, &found));
            ck_assert_int_eq(island->core.stresses, k + 1);
        }
        told++;
    }
    ck_assert_int_gt(told, 10);
    ksiCoreFree(&island->core);
    free(island);
}
END_TEST

/* Sets random multipliers and removes self-stresses from them. `shared`: rows that take part, bits
 * by joint. */
static void takeOut(ksiCore *core, double *left, unsigned *shared)
{
    for (int j = 0; j < core->joints; j++)
        for (int l = 0; l < ksiCoreConstraint(core, j)->rows; l++)
            ksiCoreConstraint(core, j)->lambda[l][0] = sin(6 * j + l);
    ksiCoreProject(core, 0, NULL);
    for (int j = 0; j < core->joints; j++) {
        shared[j] = coreUndetermined(core, j, 1e-6);
        for (int l = 0; l < ksiCoreConstraint(core, j)->rows; l++)
            left[6 * j + l] = ksiCoreConstraint(core, j)->lambda[l][0];
    }
}

/* For duplicate rows, self-stresses by redundancy and by directions are the same. */
START_TEST(eitherWay)
{
    const ksiCoreSpectrum spectrum = {.floor = 1e-4, .upper = 1e-4, .rounding = 1e-14};
    const ksiCoreWay way = {.isMoved = true};
    Island *island = calloc(1, sizeof *island);
    int compared = 0;
    ksiCoreInit(&island->core, NULL);
    for (int seed = 0; seed < 100; seed++) {
        static double left[2][6 * JOINTS];
        unsigned shared[2][JOINTS];
        ksiCoreMotion motion;
        ksiCoreRankFound found;
        drawIsland(island, seed, _i ? 1e2 : 1);
        for (int twin = 0; twin < 1 + seed % 3; twin++) {
            const int of = twin % island->joints, j = island->joints;
            addJoint(island, island->joint[of].body[0], island->joint[of].body[1], 1, 0);
            memcpy(island->row[j][0], island->row[of][0], sizeof island->row[j][0]);
        }
        for (int j = 0; j < island->joints; j++)
            memset(island->compliance[j], 0, sizeof island->compliance[j]);
        plan(island);
        if (ksiCoreRank(&island->core, 1e-8) || ksiCoreStress(&island->core, &motion))
            continue;
        const int stresses = island->core.stresses;
        takeOut(&island->core, left[0], shared[0]);
        CHECK_OK(ksiCoreBeginPose(&island->core, 0));
        CHECK_OK(ksiCoreFindWeak(&island->core, stresses, &way, &spectrum, &found));
        ck_assert_int_eq(island->core.stresses, stresses);
        takeOut(&island->core, left[1], shared[1]);
        for (int j = 0; j < island->joints; j++) {
            ck_assert_uint_eq(shared[0][j], shared[1][j]);
            for (int l = 0; l < island->joint[j].rows; l++)
                ck_assert_double_eq_tol(left[0][6 * j + l], left[1][6 * j + l], kDirection);
        }
        compared++;
    }
    ck_assert_int_gt(compared, 50);
    ksiCoreFree(&island->core);
    free(island);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("core weak");
    TCase *tcase = tcase_create("weak");
    tcase_add_loop_test(tcase, anyBound, 0, 2);
    tcase_add_test(tcase, nearRows);
    tcase_add_loop_test(tcase, eitherWay, 0, 2);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}
