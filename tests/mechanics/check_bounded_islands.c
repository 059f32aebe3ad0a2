/* check_bounded_islands.c  Rows at bounds of random islands by ksSystemSolveBounded, against the
 * search of box_problem.h in binary128. */
#include "tests/core/core_island_kit.h"

#include <kinetostat/system.h>

/* Of a row's load: a row with a larger margin must have the same place. */
static const double kExact = 1e-11;
/* Of a row's load: rows that have more to spare have a place. */
static const double kSpare = 1e-10;

typedef struct Bounds {
    double low[JOINTS][6], high[JOINTS][6];
} Bounds;

/* A wall, a string, a motor or friction, a force, or no bounds. */
static void drawBounds(const Island *island, int every, Bounds *bounds)
{
    for (int j = 0; j < island->joints; j++)
        for (int l = 0; l < island->joint[j].rows; l++) {
            double *low = &bounds->low[j][l], *high = &bounds->high[j][l];
            const double limit = 0.3 * fabs(draw());
            *low = -INFINITY;
            *high = INFINITY;
            switch (drawInt(every)) {
            case 0:
                *low = 0;
                break;
            case 1:
                *high = 0;
                break;
            case 2:
                *low = -limit;
                *high = limit;
                break;
            case 3:
                *low = *high = limit;
            }
        }
}

static BoxProblem problem;

static void solveExactly(const Island *island, const Bounds *bounds)
{
    int first[JOINTS], n = 0;
    for (int j = 0; j < island->joints; j++) {
        first[j] = n;
        n += island->joint[j].rows;
    }
    ck_assert_int_le(n, BOX_ROWS);
    problem.count = n;
    for (int j = 0; j < island->joints; j++)
        for (int l = 0; l < island->joint[j].rows; l++) {
            const int r = first[j] + l;
            for (int i = 0; i < island->joints; i++)
                for (int m = 0; m < island->joint[i].rows; m++)
                    problem.a[r][first[i] + m] = product(island, j, l, i, m);
            problem.a[r][r] += (Wide)island->compliance[j][l];
            problem.b[r] = island->beta[j][l];
            for (int p = 0; p < 2; p++)
                for (int k = 0; island->joint[j].body[p] >= 0 && k < 6; k++)
                    problem.b[r] -=
                        (Wide)island->row[j][l][6 * p + k] * (Wide)island->force[island->joint[j].body[p]][k];
            problem.low[r] = isfinite(bounds->low[j][l]) ? bounds->low[j][l] : -1e30;
            problem.high[r] = isfinite(bounds->high[j][l]) ? bounds->high[j][l] : 1e30;
            problem.x[r] = 0;
        }
    ck_assert(boxSolve(&problem));
}

static void fillSystem(ksSystem *system, const Island *island, const Bounds *bounds)
{
    static const double one[36] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                                   0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    int block[2], index;
    ksSystemClear(system);
    for (int b = 0; b < island->bodies; b++)
        CHECK_OK(ksSystemAddBlock(system, 6, one, island->force[b], NULL, &index));
    for (int j = 0; j < island->joints; j++)
        for (int l = 0; l < island->joint[j].rows; l++) {
            const double *piece[2];
            int count = 0;
            ksRowSpec spec;
            for (int p = 0; p < 2; p++)
                if (island->joint[j].body[p] >= 0) {
                    block[count] = island->joint[j].body[p];
                    piece[count++] = island->row[j][l] + 6 * p;
                }
            ksRowSpecInit(&spec);
            spec.blockCount = count;
            spec.block = block;
            spec.jacobian = piece;
            spec.beta = island->beta[j][l];
            spec.compliance = island->compliance[j][l];
            spec.lo = bounds->low[j][l];
            spec.hi = bounds->high[j][l];
            CHECK_OK(ksSystemAddRow(system, &spec, &index));
        }
}

/* Any rows with any bounds, with and without compliance, in trees and loops, of bodies with equal
 * and very different masses. */
START_TEST(anyIsland)
{
    static double multiplier[UNKNOWNS];
    static ksRowPlace place[UNKNOWNS];
    Island *island = calloc(1, sizeof *island);
    ksSystem *system;
    int atBounds = 0;
    CHECK_OK(ksSystemCreate(&system));
    for (int seed = 0; seed < 200; seed++) {
        Bounds bounds;
        ksBoundedSolution solution = {.multiplier = multiplier, .place = place};
        double load = 0;
        drawIsland(island, 200 * _i + seed, _i ? 1e3 : 1);
        drawBounds(island, 6, &bounds);
        solveExactly(island, &bounds);
        fillSystem(system, island, &bounds);
        CHECK_OK(ksSystemSolveBounded(system, &solution));
        for (int b = 0; b < island->bodies; b++)
            for (int k = 0; k < 6; k++)
                load = fmax(load, fabs(island->force[b][k]));
        for (int r = 0; r < problem.count; r++)
            load = fmax(load, fabs(multiplier[r]));
        for (int r = 0; r < problem.count; r++) {
            ck_assert_double_le(fabs(multiplier[r] - (double)problem.x[r]), kExact * load);
            if (solution.margin > kSpare && problem.low[r] < problem.high[r])
                ck_assert_int_eq((place[r] == KS_AT_HIGH) - (place[r] == KS_AT_LOW), problem.place[r]);
            atBounds += problem.place[r] != 0;
        }
    }
    ck_assert_int_gt(atBounds, 100);
    ksSystemDestroy(system);
    free(island);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("islands");
    tcase_add_loop_test(tcase, anyIsland, 0, 2);
    return runCase("bounded islands", tcase);
}
