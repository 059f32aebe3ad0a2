/* check_core_near_singular.c  Small singular values of random islands by plugin/core/, against all
 * singular values by LAPACK: their number below any bound, and the directions of almost dependent
 * rows. Then the pose of bars near their dead centre, which are too long for their ends. */
#include "core/loop.h"
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

/* Three rows of a body: the first, the second, and one of them plus a small part of the other.
 * Their self-stress in closed form, in both orders of the last two rows. */
START_TEST(smallPart)
{
    const double part = 1e-4, doubtful = 1e-6, length = sqrt(1 + part * part), exact = 1e-14;
    int moved = 0;
    for (int order = 0; order < 2; order++) {
        const int sum = 1 + order, other = 2 - order;
        Island *island = calloc(1, sizeof *island);
        ksiCore *core = &island->core;
        double n[3] = {0};
        ksiCoreMotion motion;
        ksiCoreInit(core, NULL);
        state = 1;
        island->bodies = 1;
        island->mass[0] = 1;
        for (int j = 0; j < 3; j++)
            addJoint(island, 0, -1, 1, 0);
        memset(island->row, 0, sizeof island->row);
        island->row[0][0][0] = island->row[sum][0][0] = island->row[other][0][1] = 1;
        island->row[sum][0][1] = part;
        plan(island);
        CHECK_OK(ksiCoreRank(core, doubtful));
        CHECK_OK(ksiCoreStress(core, &motion));
        ck_assert_int_eq(core->stresses, 1);
        moved += motion.one > 0.5 * part;
        CHECK_OK(ksiCoreRefineStress(core, &motion));
        ck_assert_double_le(motion.one, exact);
        for (const ksiCorePart *p = core->part; p < core->part + core->parts; p++)
            n[p->constraint->joint] = p->n[0].at[0];
        ck_assert_double_le(fabs(n[0] * length + n[sum]), exact * fabs(n[sum]));
        ck_assert_double_le(fabs(n[other] * length + part * n[sum]), exact * fabs(n[sum]));
        ksiCoreFree(core);
        free(island);
    }
    ck_assert_int_eq(moved, 1);
}
END_TEST

/* Bars of length 1 and mass 1 in a plane, hinged to each other, to the origin and to `end`. */
enum { MOST_BARS = 40 };
typedef struct Bars {
    int count, moves;
    double gyration, end[2];
    double first[MOST_BARS][3], at[MOST_BARS][3]; /* centres and angles: at first, and present */
} Bars;

/* Sets both rows of a hinge, and its gaps, at bar `b` (end: 1/2 or -1/2 along it). */
static void setEnd(const Bars *bars, int b, double end, double sign, double row[2][12], int side, double gap[2])
{
    const double c = cos(bars->at[b][2]), s = sin(bars->at[b][2]);
    row[0][6 * side] = row[1][6 * side + 1] = sign;
    row[0][6 * side + 5] = -sign * end * s / bars->gyration;
    row[1][6 * side + 5] = sign * end * c / bars->gyration;
    gap[0] -= sign * (bars->at[b][0] + end * c);
    gap[1] -= sign * (bars->at[b][1] + end * s);
}

static void setBars(const Bars *bars, ksiCoreIsland *island, bool isFirst)
{
    for (int j = 0; j <= bars->count; j++) {
        const bool isLast = j == bars->count;
        double row[2][12] = {{0}}, gap[2] = {isLast ? bars->end[0] : 0, isLast ? bars->end[1] : 0};
        ksiConstraint *c = ksiCoreConstraint(&island->core, j);
        setEnd(bars, j ? j - 1 : 0, j ? 0.5 : -0.5, 1, row, 0, gap);
        if (j && !isLast)
            setEnd(bars, j, -0.5, -1, row, 1, gap);
        ksiCoreBeginRows(c, 2);
        for (int l = 0; l < 2; l++) {
            ksiCoreSetRow(c, l, row[l]);
            c->compliance[l] = 0;
            c->lambda[l] = (ksiFour){0};
            c->beta[l] = (ksiFour){gap[l]};
            if (!isFirst)
                memcpy(island->row[j][l], row[l], sizeof row[l]);
        }
    }
}

static ksStatus placeBars(void *of, ksiCoreIsland *island, bool isFirst)
{
    Bars *bars = of;
    (void)isFirst;
    memcpy(bars->at, bars->first, sizeof bars->at);
    for (int b = 0; b < bars->count; b++)
        island->core.link[b].weight2 = 1;
    for (int j = 0; j <= bars->count; j++) {
        island->joint[j].targets = island->joint[j].soft = 0;
        for (int l = 0; l < 2; l++)
            island->joint[j].betaError[l] = 0;
    }
    setBars(bars, island, true);
    return KS_OK;
}

static ksStatus moveBars(void *of, ksiCoreIsland *island, bool asTheyAre)
{
    Bars *bars = of;
    (void)asTheyAre;  // the masses are 1 in each pose
    bars->moves++;
    for (int b = 0; b < bars->count; b++) {
        const ksiFour *y = island->core.link[island->core.linkOf.at[b]].y;
        bars->at[b][0] += y[0][0];
        bars->at[b][1] += y[1][0];
        bars->at[b][2] += y[5][0] / bars->gyration;
    }
    setBars(bars, island, false);
    return KS_OK;
}

static ksStatus carryNone(void *of, ksiCoreIsland *island, int joint)
{
    (void)of;
    (void)island;
    (void)joint;
    return KS_ERROR_UNAVAILABLE;
}

/* Finds the pose; radius: the mean radius of gyration. */
static void findBars(Bars *bars, double radius, ksiCoreIsland *island)
{
    const ksiCoreHost host = {.of = bars, .carry = carryNone, .place = placeBars, .move = moveBars};
    ksiCoreJoint joint[MOST_BARS + 1];
    double mass[MOST_BARS];
    for (int j = 0; j <= bars->count; j++)
        joint[j] = (ksiCoreJoint){.body = {j ? j - 1 : 0, j && j < bars->count ? j : -1}, .rows = 2};
    for (int b = 0; b < bars->count; b++)
        mass[b] = 1;
    ksiCoreIslandInit(island, NULL);
    island->radius = radius;
    island->rounding = DBL_EPSILON;
    island->tolerance = 1e-4;
    CHECK_OK(ksiCorePlan(&island->core, bars->count, mass, bars->count + 1, joint));
    CHECK_OK(ksiCoreFindPose(island, &host));
}

/* Two bars that are too long for their ends, almost in line. The first steps change the gap by
 * almost nothing, and the bars turn by a multiple in each step, until they fit. */
START_TEST(barsBuckle)
{
    static const double excess[] = {1e-3, 1e-2, 2e-4}, bent[] = {3e-7, 3e-6, 3e-9};
    Bars bars = {.count = 2, .gyration = 1, .end = {2 - excess[_i]}};
    ksiCoreIsland island;
    for (int b = 0; b < 2; b++) {
        bars.first[b][0] = (b ? 1.5 : 0.5) * (1 - excess[_i] / 2);
        bars.first[b][1] = 0.5 * sin(bent[_i]);
        bars.first[b][2] = b ? -bent[_i] : bent[_i];
    }
    findBars(&bars, 1, &island);
    ck_assert(island.isFar);
    ck_assert_int_eq(island.core.stresses, 0);
    ck_assert(island.residual < island.tolerance);
    ksiCoreIslandFree(&island);
}
END_TEST

/* Sets a chain along an arc of this angle, longer than its bars by the share `stretch`, with bars
 * that are turned to and fro by `bent`. */
static void layArc(Bars *bars, double angle, double stretch, double bent)
{
    const double turn = angle / bars->count, side = (1 + stretch) * 0.5 / sin(0.5 * turn);
    for (int b = 0; b < bars->count; b++) {
        const double along = (b + 0.5) * turn - 0.5 * angle;
        bars->first[b][0] = side * (cos(0.5 * turn) * sin(along) + sin(0.5 * angle));
        bars->first[b][1] = side * (cos(0.5 * angle) - cos(0.5 * turn) * cos(along));
        bars->first[b][2] = along + (b % 2 ? bent : -bent);
    }
    bars->end[0] = 2 * side * sin(0.5 * angle);
    bars->end[1] = 0;
}

/* A chain that hangs in an arc, whose bars fit in poses nearby and have no self-stress. The bars
 * are easy to turn, so steps in the mass metric bend the chain at each joint. */
START_TEST(chainFits)
{
    enum { MOST_MOVES = 8 };
    static const double gyration[] = {0.3, 0.1};
    Bars bars = {.count = MOST_BARS, .gyration = gyration[_i]};
    ksiCoreIsland island;
    layArc(&bars, 1.2, 3e-3, 0.03);
    findBars(&bars, 1, &island);
    ck_assert(island.isFar);
    ck_assert_int_eq(island.core.stresses, 0);
    ck_assert(island.residual < island.tolerance);
    ck_assert_int_le(bars.moves, MOST_MOVES);
    ksiCoreIslandFree(&island);
}
END_TEST

/* A rope that sags, and is as long as its span: it fits only in line, where its tension is a
 * self-stress. Each step leaves a quarter of the gap, so the search ends, and the present pose
 * decides: there the rope has no self-stress. */
START_TEST(ropeOnlyFitsInLine)
{
    enum { MOST_MOVES = 9 };
    static const double sag[] = {0.05, 0.1, 0.2};
    Bars bars = {.count = 10, .gyration = 0.3};
    ksiCoreIsland island;
    layArc(&bars, sag[_i], sag[_i] * sag[_i] / 24, 0);
    bars.end[0] = bars.count;
    findBars(&bars, 1, &island);
    ck_assert(!island.isFar);
    ck_assert_int_eq(island.core.stresses, 0);
    ck_assert_int_le(bars.moves, MOST_MOVES);
    ksiCoreIslandFree(&island);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("weak");
    tcase_add_loop_test(tcase, anyBound, 0, 2);
    tcase_add_test(tcase, nearRows);
    tcase_add_loop_test(tcase, eitherWay, 0, 2);
    tcase_add_test(tcase, smallPart);
    tcase_add_loop_test(tcase, barsBuckle, 0, 3);
    tcase_add_loop_test(tcase, chainFits, 0, 2);
    tcase_add_loop_test(tcase, ropeOnlyFitsInLine, 0, 3);
    return runCase("core weak", tcase);
}
