/* check_core_prescribed.c  Multipliers with given parts along self-stresses, on random islands with
 * almost dependent rows, by both ways, against elimination in binary128 of
 *
 *     [ A + S  -C ] [ lambda ]   [ beta - B^T y_f ]
 *     [ C^T     0 ] [ t      ] = [ C^T reported   ]
 *
 * with the core's C. */
#include "core/plan.h"
#include "core/prescribed_stress.h"
#include "tests/core/core_island_kit.h"
#include "tests/kits/memory_kit.h"

enum { SEEDS = 60, MOST_TWINS = 3, MOST = UNKNOWNS + MOST_TWINS };
typedef enum Way { DIRECT, SEARCH, WAYS } Way;

/* Of the largest multiplier or reported one: rounding of a few hundred sums, amplified by the other
 * rows. */
static const double kExact = 1e-10;
/* Largest median of bar over error: longer bars are useless. */
static const double kIdle = 1e4;
/* Of the square of a row: a smaller remainder makes it dependent. */
static const double kRank = 1e-8;
/* Of an error, after its correction: the turn of the rows over the least singular value. */
static const double kLeft = 0.1;
/* Of rigid rows, relative to the squares of their lengths. */
static const double kCompliance = 1e-9;

typedef struct Case {
    Island island;
    ksiCoreIsland loop;
    ksiCoreLoop joint[JOINTS];
    int twins;
    double exact[JOINTS][6][12]; /* the rows in a pose where they depend on each other */
} Case;

static Case *newCase(const ksAllocator *allocator)
{
    Case *given = calloc(1, sizeof *given);
    ksiCoreInit(&given->island.core, allocator);
    return given;
}

static void freeCase(Case *given)
{
    ksiCoreFree(&given->loop.core);
    free(given);
}

/* Some rows exist twice, the second time with a small difference, in a joint of its own. */
static void drawCase(Case *given, int seed)
{
    Island *island = &given->island;
    const ksiCore core = island->core;
    drawIsland(island, seed, 1);
    island->core = core;
    given->twins = 1 + seed / 3 % MOST_TWINS;
    const int joints = island->joints;
    memcpy(given->exact, island->row, sizeof given->exact);
    for (int k = 0; k < given->twins; k++) {
        const int twin = (seed + k) % joints, j = island->joints;
        const double share = pow(10, -3.25 + 1.25 * draw());
        addJoint(island, island->joint[twin].body[0], island->joint[twin].body[1], 1, 0);
        for (int i = 0; i < 12; i++) {
            given->exact[j][0][i] = 2 * island->row[twin][0][i];
            island->row[j][0][i] = given->exact[j][0][i] + share * island->row[j][0][i];
        }
        island->compliance[twin][0] = 0;
    }
    for (int j = 0; j < island->joints; j++)
        for (int l = 0; l < 6; l++)
            given->joint[j].reported[l] = 3 * draw();
}

static void setRows(Case *given, double (*row)[6][12], double compliance)
{
    Island *island = &given->island;
    for (int j = 0; j < island->joints; j++) {
        ksiConstraint *c = ksiCoreConstraint(&island->core, j);
        for (int l = 0; l < c->rows; l++) {
            ksiCoreSetRow(c, l, row[j][l]);
            c->compliance[l] = ksiLarger(island->compliance[j][l], compliance * c->length2[l]);
        }
    }
}

/* Finds the self-stresses from the dependent rows, then sets the actual rows. */
static void fillCase(Case *given, double compliance)
{
    Island *island = &given->island;
    ksiCoreMotion motion;
    plan(island);
    setRows(given, given->exact, 0);
    while (ksiCoreRank(&island->core, kRank)) {
        island->joint[island->core.culprit].isCarried = true;
        plan(island);
        setRows(given, given->exact, 0);
    }
    CHECK_OK(ksiCoreStress(&island->core, &motion));
    ck_assert_int_eq(island->core.stresses, given->twins);
    setRows(given, island->row, compliance);
    ksiCoreMeasure(&island->core);
    given->loop = (ksiCoreIsland){.core = island->core, .joint = given->joint, .rank = {.byRows = true}};
}

static ksStatus give(Case *given, Way way, double *missed)
{
    const Island *island = &given->island;
    for (int j = 0; j < island->joints; j++) {
        ksiConstraint *c = ksiCoreConstraint(&given->loop.core, j);
        for (int l = 0; l < c->rows; l++) {
            c->lambda[l] = (ksiFour){0};
            c->beta[l] = (ksiFour){island->beta[j][l]};
        }
    }
    return way == DIRECT ? ksiCoreGive(&given->loop, false, missed) : ksiCoreSearchGiven(&given->loop, missed);
}

static Equation matrix[MOST];
static Wide combination[MOST_TWINS][UNKNOWNS];

static void combine(const Case *given)
{
    const ksiCore *core = &given->loop.core;
    memset(combination, 0, sizeof combination);
    for (int p = 0; p < core->parts; p++) {
        const ksiCorePart *part = &core->part[p];
        int first = 0;
        for (int g = 0; g < part->group; g++)
            first += core->group[g].count;
        for (int l = 0; l < part->constraint->rows; l++)
            for (int s = 0; s < core->group[part->group].count; s++)
                combination[first + s][6 * part->constraint->joint + l] =
                    (Wide)part->constraint->unit[l] * (Wide)part->n[l].at[s];
    }
}

static void reference(const Case *given, double lambda[UNKNOWNS])
{
    const Island *island = &given->island;
    const int rows = 6 * island->joints, size = rows + given->twins;
    memset(matrix, 0, sizeof matrix);
    combine(given);
    for (int r = 0; r < rows; r++) {
        if (!layEquation(island, &given->loop.core, r, size, matrix))
            continue;
        for (int s = 0; s < given->twins; s++) {
            matrix[r][rows + s] = -combination[s][r];
            matrix[rows + s][r] = combination[s][r];
            matrix[rows + s][size] += combination[s][r] * (Wide)given->joint[r / 6].reported[r % 6];
        }
    }
    eliminate(size, size + 1, matrix);
    for (int r = 0; r < rows; r++)
        lambda[r] = (double)matrix[r][size];
}

static double largest(const double *lambda, const Case *given)
{
    double most = 3;
    for (int r = 0; r < 6 * given->island.joints; r++)
        most = fmax(most, fabs(lambda[r]));
    return most;
}

/* Multipliers, their bars, and the right-hand sides of the motion that they solve. */
START_TEST(againstElimination)
{
    static double ratio[SEEDS * UNKNOWNS], lambda[UNKNOWNS];
    Case *given = newCase(NULL);
    int count = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        double missed;
        drawCase(given, seed);
        fillCase(given, seed % 2 ? kCompliance : 0);
        CHECK_OK(give(given, (Way)_i, &missed));
        reference(given, lambda);
        const double size = largest(lambda, given);
        for (int r = 0; r < 6 * given->island.joints; r++) {
            const ksiConstraint *c = ksiCoreConstraint(&given->loop.core, r / 6);
            if (r % 6 >= c->rows)
                continue;
            const double error = fabs(c->lambda[r % 6][0] - lambda[r]), bar = sqrt(c->size2[r % 6]) * missed;
            ck_assert_double_le(error, kExact * size);
            ck_assert_double_le(error, bar);
            if (error > 0)
                ratio[count++] = bar / error;
        }
        given->island.core = given->loop.core;
    }
    qsort(ratio, (size_t)count, sizeof *ratio, ascending);
    ck_assert_int_gt(count, SEEDS);
    ck_assert_double_le(ratio[count / 2], kIdle);
    freeCase(given);
}
END_TEST

static void checkAgainst(const Case *given, const double lambda[UNKNOWNS])
{
    for (int r = 0; r < 6 * given->island.joints; r++) {
        const ksiConstraint *c = ksiCoreConstraint(&given->loop.core, r / 6);
        if (r % 6 < c->rows)
            ck_assert_double_le(fabs(c->lambda[r % 6][0] - lambda[r]), kExact * largest(lambda, given));
    }
}

/* Multipliers, right-hand sides and forces are as before a search that fails. */
START_TEST(afterSearch)
{
    static double lambda[UNKNOWNS];
    Case *given = newCase(NULL);
    for (int seed = 0; seed < SEEDS; seed++) {
        double missed;
        drawCase(given, seed);
        fillCase(given, seed % 2 ? kCompliance : 0);
        const double reported = given->joint[0].reported[0];
        given->joint[0].reported[0] = NAN;
        ck_assert_int_eq(give(given, SEARCH, &missed), KS_ERROR_SINGULAR);
        given->joint[0].reported[0] = reported;
        CHECK_OK(ksiCoreGive(&given->loop, false, &missed));
        reference(given, lambda);
        checkAgainst(given, lambda);
        given->island.core = given->loop.core;
    }
    freeCase(given);
}
END_TEST

/* The residual of an error without a part along the self-stresses gives most of this error. */
START_TEST(corrected)
{
    Case *given = newCase(NULL);
    for (int seed = 0; seed < SEEDS; seed++) {
        static double error[UNKNOWNS];
        ksiCore *core = &given->loop.core;
        ksiCertificate found;
        double missed, size2 = 0, left2 = 0;
        drawCase(given, seed);
        fillCase(given, seed % 2 ? kCompliance : 0);
        CHECK_OK(give(given, (Way)_i, &missed));
        ksiCoreClearForces(core);
        for (int i = 0; i < core->links + core->closings; i++)
            for (int l = 0; l < ksiCoreAt(core, i)->rows; l++)
                ksiCoreAt(core, i)->lambda[l] = (ksiFour){draw() / ksiCoreAt(core, i)->unit[l]};
        ksiCoreTakeOut(core, 0);
        for (int i = 0; i < core->links + core->closings; i++)
            for (int l = 0; l < ksiCoreAt(core, i)->rows; l++) {
                error[6 * i + l] = ksiCoreAt(core, i)->lambda[l][0];
                ksiCoreAt(core, i)->beta[l] = (ksiFour){0};
            }
        ksiCoreCertify(core, &found);
        ksiCoreCorrectGiven(core);
        for (int i = 0; i < core->links + core->closings; i++)
            for (int l = 0; l < ksiCoreAt(core, i)->rows; l++) {
                const ksiConstraint *c = ksiCoreAt(core, i);
                size2 += c->unit2[l] * error[6 * i + l] * error[6 * i + l];
                left2 += c->unit2[l] * (error[6 * i + l] + c->lambda[l][0]) * (error[6 * i + l] + c->lambda[l][0]);
            }
        ck_assert_double_le(left2, kLeft * kLeft * size2);
        given->island.core = given->loop.core;
    }
    freeCase(given);
}
END_TEST

/* Two self-stresses of two rows that are equal except for an angle, whose square is the pivot. */
START_TEST(lostPivot)
{
    static const double side[] = {0.9, 1.1};
    double directions[2][4] = {{1, 1}, {0, sqrt(1e-11 * side[_i])}};
    Case *given = newCase(NULL);
    Island *island = &given->island;
    double missed;
    state = 3;
    island->bodies = 1;
    island->mass[0] = 1;
    addJoint(island, 0, -1, 2, 0);
    memset(island->row, 0, sizeof island->row);
    island->row[0][0][0] = island->row[0][1][1] = 1;
    plan(island);
    ksiCoreMeasure(&island->core);
    given->loop = (ksiCoreIsland){.core = island->core, .joint = given->joint};
    CHECK_OK(ksiCoreTakeStresses(&given->loop.core, 2, 4, directions[0]));
    ck_assert_int_eq(give(given, DIRECT, &missed), _i ? KS_OK : KS_ERROR_SINGULAR);
    freeCase(given);
}
END_TEST

/* A row that exists twice in the actual pose as well: there is nothing to exchange. */
START_TEST(nothingToExchange)
{
    Case *given = newCase(NULL);
    double missed;
    drawCase(given, 0);
    memcpy(given->island.row, given->exact, sizeof given->exact);
    fillCase(given, 0);
    ck_assert_int_eq(give(given, DIRECT, &missed), KS_ERROR_SINGULAR);
    freeCase(given);
}
END_TEST

/* Each request is refused in turn. After that, nothing more is requested. */
START_TEST(memory)
{
    Counter counter = {.refuse = 0};
    const ksAllocator allocator = {countingResize, &counter};
    double missed;
    ksStatus status = KS_ERROR_NO_MEMORY;
    long refused = 0;
    for (; status; refused++) {
        Case *given = newCase(&allocator);
        drawCase(given, 8);
        fillCase(given, kCompliance);
        counter.refuse = counter.requests + 1 + refused;
        status = give(given, (Way)_i, &missed);
        counter.refuse = 0;
        if (status) {
            ck_assert_int_eq(status, KS_ERROR_NO_MEMORY);
            CHECK_OK(give(given, (Way)_i, &missed));
        }
        const long requests = counter.requests;
        CHECK_OK(give(given, (Way)_i, &missed));
        ck_assert_int_eq(counter.requests, requests);
        freeCase(given);
        ck_assert_int_eq(counter.held, 0);
    }
    ck_assert_int_gt(refused, 1);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("given");
    tcase_add_loop_test(tcase, againstElimination, 0, WAYS);
    tcase_add_test(tcase, afterSearch);
    tcase_add_loop_test(tcase, corrected, 0, WAYS);
    tcase_add_loop_test(tcase, lostPivot, 0, 2);
    tcase_add_test(tcase, nothingToExchange);
    tcase_add_loop_test(tcase, memory, 0, WAYS);
    return runCase("core given", tcase);
}
