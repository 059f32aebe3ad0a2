/* check_core_step.c  The equations of a step on random islands with almost dependent rows, from
 * both starts, against elimination in binary128. */
#include "core/loop.h"
#include "tests/core/core_island_kit.h"
#include "tests/kits/memory_kit.h"

enum { SEEDS = 60, MOST_TWINS = 3 };

/* Largest median of bar over error: longer bars are useless. */
static const double kIdle = 1e3;
/* Of rigid rows, relative to the squares of their lengths. */
static const double kCompliance = 1e-9;
/* Of an acceleration. */
static const double kFault = 1e-6;
/* Of |w_l|, where the pivot is the square of a turn of 1e-4: half the digits of A remain. */
static const double kSize = 1e-6;

typedef struct Case {
    ksiCoreIsland loop;
    ksiCoreLoop joint[JOINTS];
    Island island;
    bool isBounded; /* every few rows are at a bound */
    bool withKnown; /* the equations contain these rows */
    double bound[JOINTS][6];
} Case;

static bool isKnown(const Case *given, int joint, int l)
{
    enum { APART = 5 };
    return given->isBounded && (joint + l) % APART == 0;
}

static Case *newCase(const ksAllocator *allocator)
{
    Case *given = calloc(1, sizeof *given);
    ksiCoreInit(&given->loop.core, allocator);
    given->loop.joint = given->joint;
    return given;
}

static void freeCase(Case *given)
{
    ksiCoreFree(&given->loop.core);
    free(given);
}

/* Some rows exist twice, the second time turned by 1e-1 to 1e-`digits`. */
static void drawCase(Case *given, int seed, double digits)
{
    Island *island = &given->island;
    drawIsland(island, seed, seed % 2 ? 1 : 1e3);
    for (int k = 0; k < 1 + seed / 3 % MOST_TWINS; k++) {
        const int twin = (seed + k) % island->joints, j = island->joints;
        const double turn = pow(10, -1 + (1 - digits) * (1 + draw()) / 2);
        addJoint(island, island->joint[twin].body[0], island->joint[twin].body[1], 1, 0);
        for (int i = 0; i < 12; i++)
            island->row[j][0][i] = 2 * island->row[twin][0][i] + turn * island->row[j][0][i];
    }
    for (int j = 0; j < island->joints; j++)
        for (int l = 0; l < 6; l++) {
            given->joint[j].reported[l] = 3 * draw();
            given->joint[j].residual[l] = draw();
        }
    for (int j = 0; given->isBounded && j < island->joints; j++)
        for (int l = 0; l < 6; l++)
            given->bound[j][l] = 3 * draw();
}

/* Joints are carried as the factor demands; a dependent row, without a culprit, is singular. */
static ksStatus solve(Case *given, double compliance)
{
    Island *island = &given->island;
    for (;;) {
        island->core = given->loop.core;
        plan(island);
        given->loop.core = island->core;
        for (int j = 0; j < island->joints; j++) {
            ksiConstraint *c = ksiCoreConstraint(&given->loop.core, j);
            for (int l = 0; l < c->rows; l++) {
                c->lambda[l] = (ksiFour){isKnown(given, j, l) ? given->bound[j][l] : 0};
                c->atLow |= (unsigned)isKnown(given, j, l) << l;
                c->compliance[l] = ksiLarger(island->compliance[j][l], compliance * c->length2[l]);
            }
        }
        const ksStatus status = ksiCoreSolveStep(&given->loop, given->withKnown);
        const int culprit = given->loop.core.culprit;
        if (status != KS_ERROR_SINGULAR || culprit < 0 || island->joint[culprit].isCarried)
            return status;
        island->joint[culprit].isCarried = true;
    }
}

/* Right-hand sides: of the equations, the residual, and a unit for each row. */
static Equation matrix[UNKNOWNS];

/* A row at a bound has its multiplier. */
static int solveExactly(const Case *given)
{
    const Island *island = &given->island;
    const int n = 6 * island->joints;
    memset(matrix, 0, sizeof matrix);
    for (int r = 0; r < n; r++) {
        const int j = r / 6, l = r % 6;
        matrix[r][n + 2 + r] = 1;
        if (!layEquation(island, &given->loop.core, r, n, matrix))
            continue;
        matrix[r][n + 1] = given->joint[j].residual[l];
        if (isKnown(given, j, l) && !given->withKnown) {
            memset(matrix[r], 0, sizeof matrix[r]);
            matrix[r][r] = 1;
            matrix[r][n] = given->bound[j][l];
        }
    }
    eliminate(n, 2 * n + 2, matrix);
    return n;
}

/* The solution for the residual is as exact as its size allows. */
static void checkCorrection(const Case *given, const double (*lambda)[3], int n)
{
    for (int r = 0; r < n; r++)
        if (r % 6 < given->island.joint[r / 6].rows && (given->withKnown || !isKnown(given, r / 6, r % 6))) {
            const double size = sqrt((double)matrix[r][n + 2 + r]);
            ck_assert_double_le(fabs(lambda[r][2] - (double)matrix[r][n + 1]), kSize * size * 10);
        }
}

/* The results of both starts are within their bars of the exact multipliers, also if rows are at
 * bounds, or if a turn of 1e-4 leaves only a small pivot. */
START_TEST(againstElimination)
{
    static double ratio[2 * SEEDS * UNKNOWNS], lambda[UNKNOWNS][3];
    Case *given = newCase(NULL);
    int count = 0;
    given->isBounded = _i / 2;
    for (int seed = 0; seed < SEEDS; seed++) {
        drawCase(given, seed, _i % 2 ? 4 : 2);
        CHECK_OK(solve(given, seed % 2 ? kCompliance : 0));
        for (int r = 0; r < 6 * given->island.joints; r++)
            for (int k = 0; k < 3; k++)
                lambda[r][k] = ksiCoreConstraint(&given->loop.core, r / 6)->lambda[r % 6][k];
        const double error = ksiCoreStepError(&given->loop.core, DBL_EPSILON);
        const int n = solveExactly(given);
        for (int r = 0; r < n; r++) {
            const ksiConstraint *c = ksiCoreConstraint(&given->loop.core, r / 6);
            if (r % 6 >= c->rows)
                continue;
            const double bar = sqrt(c->size2[r % 6]) * error, size2 = (double)matrix[r][n + 2 + r];
            for (int k = 0; k < 2; k++) {
                const double apart = fabs(lambda[r][k] - (double)matrix[r][n]);
                ck_assert_double_le(apart, bar);
                if (apart > 0)
                    ratio[count++] = bar / apart;
            }
            ck_assert_double_le(fabs(sqrt(c->size2[r % 6]) - sqrt(size2)), kSize * sqrt(size2));
        }
        checkCorrection(given, (const double(*)[3])lambda, n);
    }
    qsort(ratio, (size_t)count, sizeof *ratio, ascending);
    ck_assert_int_gt(count, SEEDS);
    ck_assert_double_le(ratio[count / 2], kIdle);
    freeCase(given);
}
END_TEST

/* With equations of rows at bounds, too, the solution for the residual is over all rows. */
START_TEST(allRows)
{
    static double lambda[UNKNOWNS][3];
    Case *given = newCase(NULL);
    given->isBounded = given->withKnown = true;
    for (int seed = 0; seed < SEEDS; seed++) {
        drawCase(given, seed, 2);
        CHECK_OK(solve(given, seed % 2 ? kCompliance : 0));
        for (int r = 0; r < 6 * given->island.joints; r++)
            lambda[r][2] = ksiCoreConstraint(&given->loop.core, r / 6)->lambda[r % 6][2];
        checkCorrection(given, (const double(*)[3])lambda, solveExactly(given));
    }
    freeCase(given);
}
END_TEST

/* The multiplier by the relaxed coordinate equals the solution, also if rows are at bounds. An
 * error of the solution or of its motion shows. */
START_TEST(relaxed)
{
    Case *given = newCase(NULL);
    given->isBounded = _i;
    for (int seed = 0; seed < SEEDS; seed++) {
        double allowance;
        drawCase(given, seed, 2);
        CHECK_OK(solve(given, 0));
        const int joint = seed % given->island.joints, row = seed % given->island.joint[joint].rows;
        if (isKnown(given, joint, row))
            continue;
        double *solved = &given->joint[joint].solved[row];
        const double before = ksiCoreRelaxRow(&given->loop, joint, row, &allowance);
        ck_assert_double_le(fabs(before - *solved), allowance);
        ksiFour *moved = &given->loop.core.link[seed % given->island.bodies].moved[seed % 6];
        (*moved)[0] += kFault * (1 + fabs((*moved)[0]));
        ck_assert_double_gt(fabs(ksiCoreRelaxRow(&given->loop, joint, row, &allowance) - *solved), allowance);
    }
    freeCase(given);
}
END_TEST

/* A row that exists twice, the second time twice as long. */
START_TEST(dependent)
{
    Case *given = newCase(NULL);
    Island *island = &given->island;
    drawIsland(island, 4, 1);
    addJoint(island, island->joint[0].body[0], island->joint[0].body[1], 1, 0);
    for (int k = 0; k < 12; k++)
        island->row[island->joints - 1][0][k] = 2 * island->row[0][0][k];
    ck_assert_int_eq(solve(given, 0), KS_ERROR_SINGULAR);
    CHECK_OK(solve(given, kCompliance));
    freeCase(given);
}
END_TEST

/* Each request is refused in turn. After that, nothing more is requested. */
START_TEST(memory)
{
    Counter counter = {.refuse = 0};
    const ksAllocator allocator = {countingResize, &counter};
    long refused = 0;
    for (ksStatus status = KS_ERROR_NO_MEMORY; status; refused++) {
        Case *given = newCase(&allocator);
        drawCase(given, 8, 2);
        given->island.core = given->loop.core;
        plan(&given->island);
        given->loop.core = given->island.core;
        counter.refuse = counter.requests + 1 + refused;
        status = ksiCoreSolveStep(&given->loop, false);
        counter.refuse = 0;
        if (status)
            ck_assert_int_eq(status, KS_ERROR_NO_MEMORY);
        CHECK_OK(ksiCoreSolveStep(&given->loop, false));
        const long requests = counter.requests;
        CHECK_OK(ksiCoreSolveStep(&given->loop, false));
        ck_assert_int_eq(counter.requests, requests);
        freeCase(given);
        ck_assert_int_eq(counter.held, 0);
    }
    ck_assert_int_gt(refused, 1);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("step");
    tcase_add_loop_test(tcase, againstElimination, 0, 4);
    tcase_add_test(tcase, allRows);
    tcase_add_loop_test(tcase, relaxed, 0, 2);
    tcase_add_test(tcase, dependent);
    tcase_add_test(tcase, memory);
    return runCase("core step", tcase);
}
