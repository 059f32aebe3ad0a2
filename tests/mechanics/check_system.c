/* check_system.c  The life of a system: refused input, memory, data that are kept or forgotten. */
#include "tests/kits/system_kit.h"

static const double unitMass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double xAxis[3] = {1, 0, 0};

START_TEST(nothing)
{
    ksSystemDestroy(NULL);
    ksSystemClear(NULL);
    ksRowSpecInit(NULL);
    ck_assert_int_eq(ksSystemCreate(NULL), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemRowCount(NULL), 0);
    ck_assert_int_eq(ksSystemCoordinateCount(NULL), 0);
    ck_assert_int_eq(ksSystemCulprit(NULL), -1);
    double x[1];
    ksGaussMeasure measure;
    ksRelaxation relaxation;
    ck_assert_int_eq(ksSystemSolveGauss(NULL, x, x), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemSolvePaulus(NULL, x, x), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemSolveMotion(NULL, x), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemGetDeterminacy(NULL, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemMeasure(NULL, x, &measure), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemSolveLeastNorm(NULL, x, x), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemGetErrorBars(NULL, x), KS_ERROR_BAD_ARGUMENT);
    int count;
    ksRowSpec spec;
    ksRowSpecInit(&spec);
    ck_assert_int_eq(ksSystemAddBlock(NULL, 3, unitMass, NULL, NULL, &count), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemAddRow(NULL, &spec, &count), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemSetRankTolerance(NULL, 0.5), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemSetRigidCompliance(NULL, 0), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemGetSelfStresses(NULL, x, 1, &count), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemGetCombination(NULL, x, &count, x), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemRelaxRow(NULL, 0, NULL, NULL, &relaxation), KS_ERROR_BAD_ARGUMENT);
}
END_TEST

START_TEST(emptySystem)
{
    ksSystem *system = newSystem();
    double x[1] = {7};
    size_t rank = 9;
    ksGaussMeasure measure;
    ck_assert_ok(ksSystemSolveGauss(system, NULL, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, NULL, NULL));
    ck_assert_ok(ksSystemSolveMotion(system, x));
    ck_assert_ok(ksSystemGetDeterminacy(system, NULL, &rank));
    ck_assert_uint_eq(rank, 0);
    ck_assert_ok(ksSystemMeasure(system, x, &measure));
    ck_assert_double_eq(measure.constraint, 0);
    ck_assert_double_eq(x[0], 7);
    ksSystemDestroy(system);
}
END_TEST

/* Without rows a = M^-1 f and nothing is constrained. */
START_TEST(freeBody)
{
    ksSystem *system = newSystem();
    const double mass[4] = {2, 99, 1, 3}, force[2] = {5, 5};
    double a[2];
    int block;
    ksGaussMeasure measure;
    // only the lower triangle is read: M = [2 1; 1 3]
    ck_assert_ok(ksSystemAddBlock(system, 2, mass, force, NULL, &block));
    ck_assert_ok(ksSystemSolveMotion(system, a));
    ck_assert_near(a[0], 2, ROUNDING);
    ck_assert_near(a[1], 1, ROUNDING);
    ck_assert_ok(ksSystemMeasure(system, a, &measure));
    ck_assert_near(measure.unexplained, 0, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

START_TEST(badBlocks)
{
    ksSystem *system = newSystem();
    int block = 77;
    const double indefinite[4] = {1, 0, 2, 1}, nan[1] = {NAN}, infinite[1] = {INFINITY}, one[1] = {1}, zero[1] = {0};
    ck_assert_int_eq(ksSystemAddBlock(system, 0, one, NULL, NULL, &block), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemAddBlock(system, 1, NULL, NULL, NULL, &block), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemAddBlock(system, 1, one, NULL, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemAddBlock(system, 1, nan, NULL, NULL, &block), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksSystemAddBlock(system, 1, one, infinite, NULL, &block), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksSystemAddBlock(system, 1, one, NULL, nan, &block), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksSystemCulprit(system), 0);
    ck_assert_int_eq(ksSystemAddBlock(system, 1, zero, NULL, NULL, &block), KS_ERROR_NOT_POSITIVE_DEFINITE);
    ck_assert_int_eq(block, 77);
    ck_assert_ok(ksSystemAddBlock(system, 1, one, NULL, NULL, &block));
    ck_assert_int_eq(ksSystemCulprit(system), -1);
    ck_assert_int_eq(ksSystemAddBlock(system, 2, indefinite, NULL, NULL, &block), KS_ERROR_NOT_POSITIVE_DEFINITE);
    ck_assert_int_eq(ksSystemCulprit(system), 1);
    ck_assert_int_eq(block, 0);
    ck_assert_int_eq(ksSystemCoordinateCount(system), 1);
    ksSystemDestroy(system);
}
END_TEST

/* Adds a row with one invalid field in its spec. */
static ksStatus tryRow(ksSystem *system, void (*spoil)(ksRowSpec *))
{
    static const int block[2] = {0, 1};
    static const double *const jacobian[2] = {xAxis, xAxis};
    ksRowSpec spec;
    int row = 55;
    ksRowSpecInit(&spec);
    spec.blockCount = 2;
    spec.block = block;
    spec.jacobian = jacobian;
    spoil(&spec);
    const ksStatus status = ksSystemAddRow(system, &spec, &row);
    ck_assert_int_eq(row == 55, status != KS_OK);
    return status;
}

static void spoilNothing(ksRowSpec *spec)
{
    (void)spec;
}

static void spoilOrder(ksRowSpec *spec)
{
    spec->lo = 1;
    spec->hi = -1;
}

static void spoilKnown(ksRowSpec *spec)
{
    spec->lo = spec->hi = INFINITY;
}

static void spoilCompliance(ksRowSpec *spec)
{
    spec->compliance = -1e-300;
}

static void spoilCount(ksRowSpec *spec)
{
    spec->blockCount = -1;
}

static void spoilBlocks(ksRowSpec *spec)
{
    spec->block = NULL;
}

static void spoilTwice(ksRowSpec *spec)
{
    static const int twice[2] = {1, 1};
    spec->block = twice;
}

static void spoilIndex(ksRowSpec *spec)
{
    static const int outside[2] = {0, 2};
    spec->block = outside;
}

static void spoilPiece(ksRowSpec *spec)
{
    static const double *const missing[2] = {xAxis, NULL};
    spec->jacobian = missing;
}

static void spoilBeta(ksRowSpec *spec)
{
    spec->beta = NAN;
}

static void spoilBound(ksRowSpec *spec)
{
    spec->hi = NAN;
}

static void spoilJacobian(ksRowSpec *spec)
{
    static const double infinite[3] = {0, -INFINITY, 0};
    static const double *const pieces[2] = {xAxis, infinite};
    spec->jacobian = pieces;
}

static void spoilSize(ksRowSpec *spec)
{
    // finite, but its square is not
    static const double huge[3] = {1e200, 0, 0};
    static const double *const pieces[2] = {xAxis, huge};
    spec->jacobian = pieces;
}

static const struct {
    void (*spoil)(ksRowSpec *);
    ksStatus status;
} badRow[] = {
    {spoilOrder, KS_ERROR_BAD_ARGUMENT}, {spoilKnown, KS_ERROR_BAD_ARGUMENT},  {spoilCompliance, KS_ERROR_BAD_ARGUMENT},
    {spoilCount, KS_ERROR_BAD_ARGUMENT}, {spoilBlocks, KS_ERROR_BAD_ARGUMENT}, {spoilTwice, KS_ERROR_BAD_ARGUMENT},
    {spoilIndex, KS_ERROR_BAD_ARGUMENT}, {spoilPiece, KS_ERROR_BAD_ARGUMENT},  {spoilBeta, KS_ERROR_NOT_FINITE},
    {spoilBound, KS_ERROR_NOT_FINITE},   {spoilJacobian, KS_ERROR_NOT_FINITE}, {spoilSize, KS_ERROR_NOT_FINITE},
};

START_TEST(badRows)
{
    ksSystem *system = newSystem();
    int block;
    ck_assert_ok(ksSystemAddBlock(system, 3, unitMass, NULL, NULL, &block));
    ck_assert_ok(ksSystemAddBlock(system, 3, unitMass, NULL, NULL, &block));
    ck_assert_ok(tryRow(system, spoilNothing));
    ck_assert_int_eq(tryRow(system, badRow[_i].spoil), badRow[_i].status);
    ck_assert_int_eq(ksSystemCulprit(system), 1);
    ck_assert_int_eq(ksSystemRowCount(system), 1);
    ck_assert_ok(tryRow(system, spoilNothing));
    ck_assert_int_eq(ksSystemCulprit(system), -1);
    ksSystemDestroy(system);
}
END_TEST

START_TEST(badTolerances)
{
    ksSystem *system = newSystem();
    ck_assert_int_eq(ksSystemSetRankTolerance(system, 0), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemSetRankTolerance(system, 1), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemSetRankTolerance(system, NAN), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemSetRigidCompliance(system, -1), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemSetRigidCompliance(system, NAN), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ok(ksSystemSetRigidCompliance(system, 0));
    ksSystemDestroy(system);
}
END_TEST

/* A failed solution leaves its outputs, and the system, unchanged. */
START_TEST(failureChangesNothing)
{
    ksSystem *system = newSystem();
    const double force[3] = {1, 2, 3}, nan[3] = {0, NAN, 0};
    double multiplier[2] = {11, 12}, a[3] = {13, 14, 15};
    ksRelaxation relaxation = {.rho = 16};
    ksGaussMeasure measure = {.constraint = 17};
    const int block = addParticle(system, 3, 2, force);
    addRow(system, block, xAxis, -1, NULL, 1, 0);
    addRow(system, block, xAxis, -1, NULL, 2, 0);
    ck_assert_int_eq(ksSystemSolveGauss(system, multiplier, a), KS_ERROR_INCONSISTENT);
    ck_assert_int_eq(ksSystemSolvePaulus(system, multiplier, a), KS_ERROR_INCONSISTENT);
    ck_assert_int_ge(ksSystemCulprit(system), 0);
    ck_assert_int_eq(ksSystemSolveMotion(system, a), KS_ERROR_INCONSISTENT);
    ck_assert_int_eq(ksSystemRelaxRow(system, 0, NULL, NULL, &relaxation), KS_ERROR_INCONSISTENT);
    ck_assert_int_eq(ksSystemMeasure(system, force, &measure), KS_ERROR_INCONSISTENT);
    ck_assert_int_eq(ksSystemMeasure(system, nan, &measure), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksSystemRelaxRow(system, 2, NULL, NULL, &relaxation), KS_ERROR_BAD_ARGUMENT);
    ck_assert_double_eq(multiplier[0], 11);
    ck_assert_double_eq(a[2], 15);
    ck_assert_double_eq(relaxation.rho, 16);
    ck_assert_double_eq(measure.constraint, 17);
    // the same beta twice: half the load each
    const double beta[2] = {1, 1};
    ksiSystemSetBeta(system, beta);
    ck_assert_ok(ksSystemSolveGauss(system, multiplier, a));
    ck_assert_near(multiplier[0], 0.5, ROUNDING);
    ck_assert_near(multiplier[1], 0.5, ROUNDING);
    ck_assert_near(a[0], 1, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Forces and right-hand sides that are not finite give an error status, not NaN. */
START_TEST(notFiniteLater)
{
    ksSystem *system = newSystem();
    const double infinite[3] = {INFINITY, 0, 0}, nan[1] = {NAN};
    double multiplier[1] = {5}, a[3] = {6, 6, 6};
    const int block = addParticle(system, 3, 2, NULL);
    addRow(system, block, xAxis, -1, NULL, 1, 0);
    ksiSystemSetForce(system, infinite);
    ck_assert_int_eq(ksSystemSolveGauss(system, multiplier, a), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksSystemSolvePaulus(system, multiplier, a), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksSystemSolveMotion(system, a), KS_ERROR_NOT_FINITE);
    ksiSystemSetForce(system, xAxis);
    ksiSystemSetBeta(system, nan);
    ck_assert_int_eq(ksSystemSolveGauss(system, multiplier, a), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksSystemSolvePaulus(system, multiplier, a), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksSystemSolveLeastNorm(system, multiplier, a), KS_ERROR_NOT_FINITE);
    ck_assert_double_eq(multiplier[0], 5);
    ck_assert_double_eq(a[0], 6);
    // without either, there is no motion and no load
    ksiSystemSetBeta(system, NULL);
    ksiSystemSetForce(system, NULL);
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, a));
    ck_assert_double_eq(multiplier[0], 0);
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq(a[k], 0);
    ksSystemDestroy(system);
}
END_TEST

/* A system that is built again in cleared memory gives the results of a new one to the bit, for any
 * earlier contents. */
START_TEST(clearedIsNew)
{
    static const int rows[] = {12, 30, 30, 5, 30, 12};
    static Dense d;
    ksSystem *used = newSystem();
    for (int i = 0; i < COUNT_OF(rows); i++) {
        double g[2][KIT_ROWS], p[2][KIT_ROWS], a[2][KIT_COORDINATES];
        drawDense(&d, (unsigned)i, rows[i], i % 2 ? 1e-6 : 0, 10, 0);
        for (int fresh = 0; fresh < 2; fresh++) {
            ksSystem *system = fresh ? newSystem() : used;
            ksSystemClear(system);
            buildDense(system, &d);
            ck_assert_ok(ksSystemSolveGauss(system, g[fresh], a[fresh]));
            ck_assert_ok(ksSystemSolvePaulus(system, p[fresh], NULL));
            if (fresh)
                ksSystemDestroy(system);
        }
        ck_assert_mem_eq(g[0], g[1], sizeof(double) * (size_t)rows[i]);
        ck_assert_mem_eq(p[0], p[1], sizeof(double) * (size_t)rows[i]);
        ck_assert_mem_eq(a[0], a[1], sizeof a[0]);
    }
    ksSystemDestroy(used);
}
END_TEST

/* A pattern that differs from the kept one only in its couplings, or in its omitted rows, is a new
 * one. */
START_TEST(patternIsCompared)
{
    ksSystem *used = newSystem();
    const double force[3] = {1, 2, 3}, skew[3] = {0.6, 0.8, 0.2}, other[3] = {0.5, -0.1, 1};
    for (int variant = 0; variant < 4; variant++) {
        double multiplier[2][3];
        for (int fresh = 0; fresh < 2; fresh++) {
            ksSystem *system = fresh ? newSystem() : used;
            ksSystemClear(system);
            const int a = addParticle(system, 3, 1, force), b = addParticle(system, 3, 2, force);
            addRow(system, a, xAxis, b, skew, 1, 0);
            addRow(system, variant == 1 ? b : a, other, -1, NULL, 2, 0);
            if (variant == 2)
                addBounded(system, a, skew, b, other, 0, 0, 0.3, 0.3);
            else
                addRow(system, a, skew, b, other, 0, 0);
            ck_assert_ok(ksSystemSolveGauss(system, multiplier[fresh], NULL));
            if (fresh)
                ksSystemDestroy(system);
        }
        ck_assert_mem_eq(multiplier[0], multiplier[1], sizeof multiplier[0]);
    }
    ksSystemDestroy(used);
}
END_TEST

/* Calls everything that allocates, once; returns the first status that is not KS_OK. */
static ksStatus useAll(ksSystem *system, const Dense *d, int redundant)
{
    double g[KIT_ROWS], p[KIT_ROWS], bar[KIT_ROWS], a[KIT_COORDINATES];
    ksStatus status = KS_OK;
    ksGaussMeasure measure;
    ksRelaxation relaxation;
    size_t rank;
    int count;
    const double *const along[1] = {d->force};
    const int block0[1] = {0};
    const ksProbe probe = {1, block0, along};
    ksSystemClear(system);
    for (int b = 0; !status && 6 * b < d->coordinates; b++) {
        double mass[36];
        int block;
        for (int i = 0; i < 36; i++)
            mass[i] = d->mass[6 * b + i / 6][6 * b + i % 6];
        status = ksSystemAddBlock(system, 6, mass, d->force + 6 * b, NULL, &block);
    }
    for (int l = 0; !status && l < d->rows; l++) {
        // the last row may repeat the first, and the last but one may be known
        const int k = redundant && l == d->rows - 1 ? 0 : l;
        const double *const piece[2] = {&d->jacobian[k][6 * d->block[k][0]], &d->jacobian[k][6 * d->block[k][1]]};
        ksRowSpec spec;
        int row;
        ksRowSpecInit(&spec);
        spec.blockCount = 2;
        spec.block = d->block[k];
        spec.jacobian = piece;
        spec.beta = d->beta[k];
        spec.compliance = d->compliance[k];
        if (l == d->rows - 2)
            spec.lo = spec.hi = 0.25;
        status = ksSystemAddRow(system, &spec, &row);
    }
    if (!status)
        status = ksSystemSolveGauss(system, g, a);
    if (!status)
        status = ksSystemSolvePaulus(system, p, a);
    if (!status)
        status = ksSystemGetDeterminacy(system, NULL, &rank);
    if (!status)
        status = ksSystemSolveLeastNorm(system, p, a);
    if (!status)
        status = ksiSystemErrorBars(system, KSI_STRESS_NONE, g, p, bar);
    if (!status)
        status = ksSystemMeasure(system, a, &measure);
    if (!status)
        status = ksSystemRelaxRow(system, 1, NULL, NULL, &relaxation);
    if (!status)
        status = ksSystemGetMobility(system, &probe, &probe, g);
    if (!status)
        status = ksSystemSolveImpulse(system, d->force, NULL, g, a, NULL);
    if (!status)
        status = ksSystemGetCombination(system, d->beta, &count, g);
    if (!status)
        status = ksSystemGetSelfStresses(system, NULL, 0, &count);
    return status;
}

/* The k-th request for memory fails, for all k: once, and from then on; in a new system, and in one
 * that has solved a smaller problem. Afterwards the system is usable. */
START_TEST(memoryFails)
{
    static Dense d, first;
    const int redundant = _i % 2, all = _i / 2 % 2, used = _i / 4;
    drawDense(&d, 3, 20, 0, 10, 0);
    drawDense(&first, 4, 6, 0, 10, 0);
    long k = 0;
    for (ksStatus status = KS_ERROR_NO_MEMORY; status;) {
        Counter counter = {.refuse = used ? 0 : k + 1, .all = all};
        const ksAllocator allocator = {countingResize, &counter};
        ksSystem *system = NULL;
        k++;
        status = ksiSystemCreate(&allocator, &system);
        if (!status) {
            if (used) {
                ck_assert_ok(useAll(system, &first, redundant));
                counter.refuse = counter.requests + k;
            }
            status = useAll(system, &d, redundant);
            ck_assert(status == KS_OK || status == KS_ERROR_NO_MEMORY);
            counter.refuse = 0;
            ck_assert_ok(useAll(system, &d, redundant));
        } else {
            ck_assert_ptr_null(system);
            ck_assert_int_eq(status, KS_ERROR_NO_MEMORY);
        }
        ksSystemDestroy(system);
        ck_assert_int_eq(counter.held, 0);
    }
    ck_assert_int_gt(k, used ? 30 : 60);
}
END_TEST

/* After the first round nothing is allocated, even with fewer or with dependent rows. */
START_TEST(steadyState)
{
    static Dense d;
    Counter counter = {0};
    const ksAllocator allocator = {countingResize, &counter};
    ksSystem *system;
    ck_assert_ok(ksiSystemCreate(&allocator, &system));
    for (int round = 0; round < 6; round++) {
        if (round == 1)
            counter.requests = 0;
        drawDense(&d, (unsigned)round, 30, 0, 10, 0);
        ck_assert_ok(useAll(system, &d, 1));
        ck_assert_ok(useAll(system, &d, 0));
        d.rows = 17;
        ck_assert_ok(useAll(system, &d, 0));
    }
    ck_assert_int_eq(counter.requests, 0);
    ksSystemDestroy(system);
    ck_assert_int_eq(counter.held, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("system");
    TCase *input = tcase_create("input");
    tcase_add_test(input, nothing);
    tcase_add_test(input, emptySystem);
    tcase_add_test(input, freeBody);
    tcase_add_test(input, badBlocks);
    tcase_add_loop_test(input, badRows, 0, COUNT_OF(badRow));
    tcase_add_test(input, badTolerances);
    tcase_add_test(input, failureChangesNothing);
    tcase_add_test(input, notFiniteLater);
    suite_add_tcase(suite, input);
    TCase *memory = tcase_create("memory");
    tcase_add_test(memory, clearedIsNew);
    tcase_add_test(memory, patternIsCompared);
    tcase_add_loop_test(memory, memoryFails, 0, 8);
    tcase_add_test(memory, steadyState);
    suite_add_tcase(suite, memory);
    return runSuite(suite);
}
