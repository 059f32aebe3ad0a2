/* check_core_bounds.c  Rows at bounds in plugin/core/: random islands against the search of box_problem.h in binary128 and against
 * ksSystemSolveBounded; rows that depend on each other; updates of the factor against new ones. */
#include "core/bounds.h"
#include "tests/core/core_island_kit.h"

#include <kinetostat/system.h>

/* Relative to the largest multiplier, of binary128 and of the library's search; of the certificate, relative to terms. */
static const double kExact = 1e-11, kSame = 1e-10, kCertified = 1e-13;
/* Of the certificate, as squares: a few times what each term leaves. */
static const double kRounding = 64;
/* Of the square of a row: less is dependent. */
static const double kRank = 1e-8;
/* Rows that have as much to spare have a place; one elsewhere is as many times what is certified. */
static const double kFault = 1e-6, kSeen = 1e6;

typedef struct Bounds {
    double low[JOINTS][6], high[JOINTS][6];
} Bounds;

/* A wall, a string, a motor or friction, a force, or none. */
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

static bool isBounded(const Bounds *bounds, int j, int l)
{
    return isfinite(bounds->low[j][l]) || isfinite(bounds->high[j][l]);
}

/* The core with its rows and bounds; begin: multipliers from which to search, drawn at random or zero. */
static void planBounded(Island *island, const Bounds *bounds, bool isRandom)
{
    plan(island);
    for (int j = 0; j < island->joints; j++) {
        ksiConstraint *c = ksiCoreConstraint(&island->core, j);
        for (int l = 0; l < c->rows; l++) {
            c->feasible[l] = isRandom ? draw() : 0;
            if (isBounded(bounds, j, l))
                ksiCoreSetBounds(c, l, bounds->low[j][l], bounds->high[j][l]);
        }
    }
}

static ksStatus search(Island *island, const Bounds *bounds, double rank, bool isRandom, ksiCoreBounds *found)
{
    ksStatus status;
    while (planBounded(island, bounds, isRandom),
           (status = ksiCoreBound(&island->core, rank, found)) == KS_ERROR_UNAVAILABLE) {
        ck_assert(!island->joint[island->core.culprit].isCarried);
        island->joint[island->core.culprit].isCarried = true;
    }
    return status;
}

/* Complementarity and the motion, by the residuals of the rows as they are. */
static void certify(Island *island, ksiCoreBounds *found)
{
    ksiCertificate certificate;
    ksiCoreInverse(&island->core);
    ksiCoreCertify(&island->core, &certificate);
    for (int refined = 0; refined < 2; refined++) {
        ksiCoreRefine(&island->core);
        ksiCoreCertify(&island->core, &certificate);
    }
    ksiCoreCertifyBounds(&island->core, kRank, found);
    ck_assert_double_le(certificate.missed2[0], kRounding * certificate.rounding2[0]);
    ck_assert_double_le(certificate.moved2[0], kRounding * certificate.terms2[0]);
    ck_assert_double_le(found->violation, kCertified);
    ck_assert_double_ge(found->margin, 0);
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

static double largest(const Island *island, int count, const double *multiplier)
{
    double most = 0;
    for (int b = 0; b < island->bodies; b++)
        for (int k = 0; k < 6; k++)
            most = fmax(most, fabs(island->force[b][k]));
    for (int l = 0; l < count; l++)
        most = fmax(most, fabs(multiplier[l]));
    return most;
}

/* Multipliers and places by binary128, by the library and by the core; the factor is the new one of these rows. */
static void compare(Island *island, const Bounds *bounds, ksSystem *system, int *searches)
{
    static double multiplier[UNKNOWNS];
    ksBoundedSolution solution = {.multiplier = multiplier};
    ksiCoreBounds found;
    CHECK_OK(search(island, bounds, 0, *searches % 2, &found));
    certify(island, &found);
    *searches += found.solutions > 1;
    solveExactly(island, bounds);
    fillSystem(system, island, bounds);
    CHECK_OK(ksSystemSolveBounded(system, &solution));
    const double load = largest(island, problem.count, multiplier);
    for (int j = 0, r = 0; j < island->joints; j++) {
        const ksiConstraint *c = ksiCoreConstraint(&island->core, j);
        for (int l = 0; l < c->rows; l++, r++) {
            ck_assert_double_le(fabs(c->lambda[l][0] - (double)problem.x[r]), kExact * load);
            ck_assert_double_le(fabs(c->lambda[l][0] - multiplier[r]), kSame * load);
            if (found.margin > kSame && isBounded(bounds, j, l))
                ck_assert_int_eq((int)(c->atHigh >> l & 1u) - (int)(c->atLow >> l & 1u), problem.place[r]);
        }
    }
}

/* Any rows with any bounds, with compliance and without, in trees and loops. */
START_TEST(anyIsland)
{
    Island *island = calloc(1, sizeof *island);
    ksSystem *system;
    Bounds bounds;
    int searches = 0;
    CHECK_OK(ksSystemCreate(&system));
    ksiCoreInit(&island->core, NULL);
    for (int seed = 0; seed < 200; seed++) {
        drawIsland(island, 200 * _i + seed, _i ? 1e3 : 1);
        drawBounds(island, 6, &bounds);
        compare(island, &bounds, system, &searches);
    }
    ck_assert_int_gt(searches, 100);
    ksSystemDestroy(system);
    ksiCoreFree(&island->core);
    free(island);
}
END_TEST

/* After an update the factor is what a new one is, to rounding: the solution is the same. */
START_TEST(updates)
{
    Island *island = calloc(1, sizeof *island);
    Bounds bounds;
    ksiCoreBounds found;
    double was[JOINTS][6], most = 0;
    ksiCoreInit(&island->core, NULL);
    for (int seed = 0; seed < 50; seed++) {
        drawIsland(island, seed, 1);
        drawBounds(island, 6, &bounds);
        CHECK_OK(search(island, &bounds, 0, true, &found));
        for (int j = 0; j < island->joints; j++)
            for (int l = 0; l < island->joint[j].rows; l++)
                was[j][l] = ksiCoreConstraint(&island->core, j)->lambda[l][0];
        CHECK_OK(ksiCoreFactor(&island->core));
        ksiCoreSweep(&island->core);
        for (int j = 0; j < island->joints; j++)
            for (int l = 0; l < island->joint[j].rows; l++)
                most = fmax(most, fabs(was[j][l] - ksiCoreConstraint(&island->core, j)->lambda[l][0]));
    }
    ck_assert_double_lt(most, kExact);
    ksiCoreFree(&island->core);
    free(island);
}
END_TEST

/* Rows that are given twice, the second time as large again and of another joint, with bounds of their own: the motion is unique, and the
 * library's. Where both cannot be kept, both say so. */
START_TEST(sameRows)
{
    Island *island = calloc(1, sizeof *island);
    ksSystem *system;
    Bounds bounds;
    int contradicted = 0, kept = 0;
    CHECK_OK(ksSystemCreate(&system));
    ksiCoreInit(&island->core, NULL);
    for (int seed = 0; seed < 300; seed++) {
        double acceleration[6 * BODIES];
        ksBoundedSolution solution = {.acceleration = acceleration};
        ksiCoreBounds found;
        drawIsland(island, seed, 1);
        for (int twin = 0; twin < 2; twin++) {
            const int of = drawInt(island->joints), j = island->joints;
            const double sign = drawInt(2) ? 2 : -2;
            addJoint(island, island->joint[of].body[0], island->joint[of].body[1], 1, 0);
            for (int k = 0; k < 12; k++)
                island->row[j][0][k] = sign * island->row[of][0][k];
            island->beta[j][0] = (drawInt(2) ? 1 : draw()) * sign * island->beta[of][0];
            island->compliance[of][0] = 0;
        }
        drawBounds(island, 5, &bounds);
        const ksStatus status = search(island, &bounds, kRank, seed % 2, &found);
        fillSystem(system, island, &bounds);
        ck_assert_int_eq(status, ksSystemSolveBounded(system, &solution));
        contradicted += status == KS_ERROR_INCONSISTENT;
        if (status)
            continue;
        kept++;
        for (int b = 0; b < island->bodies; b++)
            for (int k = 0; k < 6; k++)
                ck_assert_double_eq_tol(island->core.link[island->core.linkOf.at[b]].y[k][0], acceleration[6 * b + k],
                                        kSame * largest(island, 0, NULL));
    }
    ck_assert_int_gt(contradicted, 20);
    ck_assert_int_gt(kept, 100);
    ksSystemDestroy(system);
    ksiCoreFree(&island->core);
    free(island);
}
END_TEST

/* Rows that do not hold get what was reported of them, until the others do: the same rows as by the library's solutions, with theirs known. */
START_TEST(letGo)
{
    static double multiplier[UNKNOWNS], reported[JOINTS][KSI_CORE_ROWS];
    Island *island = calloc(1, sizeof *island);
    ksSystem *system;
    Bounds bounds, open;
    int rounds = 0;
    CHECK_OK(ksSystemCreate(&system));
    ksiCoreInit(&island->core, NULL);
    for (int seed = 0; seed < 100; seed++) {
        bool isChanged = true;
        drawIsland(island, seed, 1);
        drawBounds(island, 5, &bounds);
        for (int j = 0; j < island->joints; j++)
            for (int l = 0; l < 6; l++) {
                reported[j][l] = draw();
                open.low[j][l] = -INFINITY;
                open.high[j][l] = INFINITY;
            }
        while (planBounded(island, &bounds, false), ksiCoreFactor(&island->core))
            island->joint[island->core.culprit].isCarried = true;
        ksiCoreSweep(&island->core);
        while (isChanged) {
            isChanged = false;
            fillSystem(system, island, &open);
            CHECK_OK(ksSystemSolveGauss(system, multiplier, NULL));
            const double load = largest(island, ksSystemRowCount(system), multiplier);
            for (int j = 0, r = 0; j < island->joints; j++)
                for (int l = 0; l < island->joint[j].rows; l++, r++) {
                    ck_assert_double_le(fabs(ksiCoreConstraint(&island->core, j)->lambda[l][0] - multiplier[r]),
                                        kSame * load);
                    if (open.low[j][l] == open.high[j][l] ||
                        (multiplier[r] >= bounds.low[j][l] && multiplier[r] <= bounds.high[j][l]))
                        continue;
                    open.low[j][l] = open.high[j][l] = reported[j][l];
                    isChanged = true;
                }
            ck_assert_int_eq(ksiCoreLetGo(&island->core, 0, reported) > 0, isChanged);
            CHECK_OK(ksiCoreUpdate(&island->core));
            ksiCoreSweep(&island->core);
            rounds += isChanged;
        }
    }
    ck_assert_int_gt(rounds, 150);
    ksSystemDestroy(system);
    ksiCoreFree(&island->core);
    free(island);
}
END_TEST

/* A rod on a hinge at its end, c from its mass centre, is hit across at a distance d from the hinge, with I about that: by itself it
 * turns by P d / I. Onto a stop that it leaves at a rate it loses this rate alone, and the stop takes the rest, P d - I rate; the hinge takes
 * P - m c P d / I, or P - m c rate. */
START_TEST(struckStop)
{
    const double m = 2, c = 0.7, own = 0.3, d = 1.1, I = own + m * c * c, P = _i % 2 ? 3 : -3,
                 rate = _i / 2 * 0.4 - 0.4;
    const double row[6][6] = {{1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, -c}, {0, 0, 1, 0, c, 0},
                              {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 0, 1},  {0, 0, 0, 0, 1, 0}};
    Island *island = calloc(1, sizeof *island);
    ksiCoreBounds found;
    ksiCoreInit(&island->core, NULL);
    *island = (Island){.core = island->core, .bodies = 1, .joints = 1, .mass = {m}};
    island->joint[0] = (ksiCoreJoint){.body = {0, -1}, .rows = 6};
    island->force[0][2] = P / sqrt(m);
    island->force[0][4] = -(d - c) * P / sqrt(own);
    for (int l = 0; l < 6; l++)
        for (int k = 0; k < 6; k++)
            island->row[0][l][k] = row[l][k] / sqrt(k < 3 ? m : own);
    plan(island);
    ksiConstraint *hinge = ksiCoreConstraint(&island->core, 0);
    for (int l = 0; l < 6; l++)
        ksiCoreStrikeRow(hinge, l, l == 5 ? 0 : -INFINITY, INFINITY, rate);
    CHECK_OK(ksiCoreBound(&island->core, 0, &found));
    const double alone = -P * d / I, turn = fmax(alone, -fmax(rate, 0));
    ck_assert_double_eq_tol(island->core.link[0].y[4][0] / sqrt(own), turn, kCertified);
    ck_assert_double_eq_tol(hinge->lambda[5][0], I * (turn - alone), kCertified);
    ck_assert_double_eq_tol(hinge->lambda[2][0], -m * c * turn - P, kCertified);
    ksiCoreFree(&island->core);
    free(island);
}
END_TEST

/* A body is pushed as hard as a row at its bound allows, so that nothing is left of its right-hand side: a difference of numbers 1e9 times as
 * large, of which rounding is no violation. */
START_TEST(rounded)
{
    const double limit = 3.1, large = 1e9 / 3, beta = (large + limit) - large;
    Island *island = calloc(1, sizeof *island);
    ksiCoreBounds found;
    ksiCertificate certificate;
    ksiCoreInit(&island->core, NULL);
    *island = (Island){.core = island->core, .bodies = 1, .joints = 1, .mass = {1}};
    island->joint[0] = (ksiCoreJoint){.body = {0, -1}, .rows = 1};
    island->row[0][0][0] = 1;
    island->beta[0][0] = beta;
    plan(island);
    ksiConstraint *c = ksiCoreConstraint(&island->core, 0);
    // on either side
    const bool isHigh = beta < limit;
    ksiCoreSetBounds(c, 0, isHigh ? -INFINITY : limit, isHigh ? limit : INFINITY);
    c->feasible[0] = limit;
    c->terms[0] = 2 * large;
    ck_assert_double_ne(beta, limit);
    c->atLow = !isHigh;
    c->atHigh = isHigh;
    c->known = 1;
    c->lambda[0] = (ksiFour){limit};
    CHECK_OK(ksiCoreFactor(&island->core));
    ksiCoreSweep(&island->core);
    ksiCoreInverse(&island->core);
    ksiCoreCertify(&island->core, &certificate);
    ksiCoreCertifyBounds(&island->core, 0, &found);
    ck_assert_double_gt(found.violation, 0);
    ck_assert_double_le(found.violation, kCertified);
    ksiCoreFree(&island->core);
    free(island);
}
END_TEST

/* A row in another place than its own is seen, by at least what the rows had to spare. */
START_TEST(wrongPlace)
{
    Island *island = calloc(1, sizeof *island);
    Bounds bounds;
    ksiCoreBounds found, wrong;
    ksiCertificate certificate;
    int seen = 0;
    ksiCoreInit(&island->core, NULL);
    for (int seed = 0; seed < 100; seed++) {
        drawIsland(island, seed, 1);
        drawBounds(island, 6, &bounds);
        CHECK_OK(search(island, &bounds, 0, false, &found));
        certify(island, &found);
        int of = seed % island->joints;
        for (int tries = 0; !ksiCoreConstraint(&island->core, of)->known && tries < island->joints; tries++)
            of = (of + 1) % island->joints;
        ksiConstraint *c = ksiCoreConstraint(&island->core, of);
        const int l = c->known ? __builtin_ctz(c->known) : 0;
        if (!c->known || c->low[l] == c->high[l] || !(found.margin > kFault))
            continue;
        c->known &= ~(1u << l);
        c->atLow &= ~(1u << l);
        c->atHigh &= ~(1u << l);
        CHECK_OK(ksiCoreFactor(&island->core));
        ksiCoreSweep(&island->core);
        ksiCoreInverse(&island->core);
        ksiCoreCertify(&island->core, &certificate);
        ksiCoreCertifyBounds(&island->core, 0, &wrong);
        ck_assert_double_gt(wrong.violation, kSeen * kCertified);
        seen++;
    }
    ck_assert_int_gt(seen, 20);
    ksiCoreFree(&island->core);
    free(island);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("core bounds");
    TCase *tcase = tcase_create("bounds");
    tcase_add_loop_test(tcase, anyIsland, 0, 2);
    tcase_add_test(tcase, updates);
    tcase_add_test(tcase, sameRows);
    tcase_add_test(tcase, letGo);
    tcase_add_loop_test(tcase, struckStop, 0, 6);
    tcase_add_test(tcase, rounded);
    tcase_add_test(tcase, wrongPlace);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}
