/* check_gauss_dependent.c  The range-space route through dependent rows, against one-sided Jacobi
 * rotations in long double; and its independence of the other route. */
#include "tests/kits/dependent_kit.h"
#include "tests/kits/inside_kit.h"

#include <float.h>

enum { SYSTEMS = 200, FEW = 56, SHAPES = 6 };

/* Of the largest multiplier of unit rows. The singular values of these random systems are zero, or
 * at least 1e-3; the route forms their squares. */
#define DRAWN 1e-10

/* Multiple of rounding over the least singular value: the error of either route in large opposing
 * multipliers. */
#define ROUNDINGS 1000

static ksSystem *drawRedundant(Record *r, int index)
{
    static Dense d;
    unsigned long long state = 88172645463325252ULL + 1000003ULL * (unsigned long long)index;
    ksSystem *system = newSystem();
    recordInto(r);
    switch (index % SHAPES) {
    case 0:
        drawDense(&d, (unsigned)index, 5 + index % 21, 0, 10, 1e-300);
        buildDense(system, &d);
        break;
    case 1:
        door(system, 0, 0);
        break;
    case 2:
        banach(system, draw(&state), 3 * draw(&state), 3 * draw(&state), 0);
        break;
    case 3:
        fixedTwins(system, &state, 1 + index % 7);
        break;
    case 4:
        ladder(system, &state, 1 + index % 4, 0);
        break;
    default:
        // rigid loops, and one of compliant hinges
        ladder(system, &state, 1 + index % 2, 0);
        hingeCompliance = 1e-3;
        ladder(system, &state, 1, 0);
        hingeCompliance = 0;
    }
    return system;
}

/* The largest difference of unit rows, as a share of `largest`. */
static double differenceOf(int rows, const double *scale, const double *a, const double *b, double largest)
{
    double worst = 0;
    for (int l = 0; l < rows; l++)
        worst = fmax(worst, scale[l] * fabs(a[l] - b[l]) / largest);
    return worst;
}

START_TEST(againstJacobi)
{
    static Record r;
    double found[MOST_COLUMNS], truth[MOST_COLUMNS], scale[MOST_COLUMNS];
    Spectrum spectrum;
    ksSystem *system = drawRedundant(&r, _i);
    const double largest = solveSpectrum(&r, truth, scale, &spectrum);
    ck_assert_int_gt(spectrum.zeros, 0);
    ck_assert_ok(ksSystemSolveGauss(system, found, NULL));
    // not the answer of the other route
    ck_assert(!insideIsOrthogonalised(system));
    ck_assert_double_le(differenceOf(ksSystemRowCount(system), scale, found, truth, largest), DRAWN);
    ksSystemDestroy(system);
}
END_TEST

/* The two routes round differently: they agree to the last bit only for a few simple rows. */
START_TEST(roundsByItself)
{
    static Record r;
    double gauss[MOST_COLUMNS], paulus[MOST_COLUMNS];
    int same = 0, all = 0;
    for (int i = 0; i < SYSTEMS; i++) {
        ksSystem *system = drawRedundant(&r, i);
        ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
        ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
        for (int l = 0; l < ksSystemRowCount(system); l++) {
            const int counts = paulus[l] != 0 && !recordIsKnown(&r, l);
            all += counts;
            same += counts && gauss[l] == paulus[l];
        }
        ksSystemDestroy(system);
    }
    ck_assert_int_gt(all, 5000);
    ck_assert_int_lt(20 * same, all);
}
END_TEST

static ksSystem *drawNear(Record *r, int index, double near)
{
    static Dense d;
    unsigned long long state = 4101842887655102017ULL + 1000003ULL * (unsigned long long)index;
    ksSystem *system = newSystem();
    recordInto(r);
    switch (index % 4) {
    case 0:
        drawDense(&d, (unsigned)index, 20, 0, 10, near);
        buildDense(system, &d);
        break;
    case 1:
        banach(system, 0.5 + draw(&state) / 4, 3 * draw(&state), 3 * draw(&state), near);
        break;
    case 2:
        ladder(system, &state, 1 + index / 4 % 4, near);
        break;
    default:
        // rows that are dependent except for their compliance
        hingeCompliance = near * near;
        ladder(system, &state, 1 + index / 4 % 4, 0);
        hingeCompliance = 0;
    }
    return system;
}

/* Drift makes large opposing multipliers: both routes have them to rounding over the singular
 * value, or both find a contradiction, unless the rank to rounding is in doubt. The shares by a
 * very small compliance have an error of rounding over the compliance, which is its square. */
START_TEST(nearlyDependent)
{
    static const double nearness[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
    static Record r;
    double found[MOST_COLUMNS], truth[MOST_COLUMNS], paulus[MOST_COLUMNS], scale[MOST_COLUMNS];
    const double near = nearness[_i / 4 % COUNT_OF(nearness)];
    ksSystem *system = drawNear(&r, _i, near);
    Spectrum spectrum;
    const double largest = solveSpectrum(&r, truth, scale, &spectrum);
    const ksStatus status = ksSystemSolveGauss(system, found, NULL);
    const double least = spectrum.least, over = DBL_EPSILON / least;
    const double most = _i % 4 == 3 ? over / least : ROUNDINGS * over;
    ck_assert(!insideIsOrthogonalised(system));
    if (spectrum.isAtBorder) {
        ksSystemDestroy(system);
        return;
    }
    ck_assert_int_eq(status, ksSystemSolvePaulus(system, paulus, NULL));
    if (status)
        ck_assert_int_eq(status, KS_ERROR_INCONSISTENT);
    else
        ck_assert_double_le(differenceOf(ksSystemRowCount(system), scale, found, truth, largest), most);
    ksSystemDestroy(system);
}
END_TEST

/* Two rows in one direction that differ by no more than their compliance, and a force across: the
 * multipliers are rounding, which no refinement removes, and of this size. */
START_TEST(nothingButRounding)
{
    const double compliance = pow(10, -_i);
    unsigned long long state = 2862933555777941757ULL;
    for (int i = 0; i < 200; i++) {
        const double angle = 3 * draw(&state), longer = 1 + 0.5 * draw(&state);
        const double row[3] = {cos(angle), sin(angle), 0}, same[3] = {longer * row[0], longer * row[1], 0};
        const double force[3] = {-row[1], row[0], 0};
        double found[2];
        ksSystem *system = newSystem();
        addParticle(system, 3, 1, force);
        addRow(system, 0, row, -1, NULL, 0, compliance);
        addRow(system, 0, same, -1, NULL, 0, compliance);
        ck_assert_ok(ksSystemSolveGauss(system, found, NULL));
        for (int l = 0; l < 2; l++)
            ck_assert_double_le(fabs(found[l]), DBL_EPSILON / compliance);
        ksSystemDestroy(system);
    }
}
END_TEST

/* All rows share a contradiction below the limit for an error, as in the other route. */
START_TEST(smallContradiction)
{
    double gauss[MOST_COLUMNS], paulus[MOST_COLUMNS], moved[2][6];
    ksSystem *system = newSystem();
    door(system, 0, 1e-9);
    ck_assert_ok(ksSystemSolveGauss(system, gauss, moved[0]));
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, moved[1]));
    for (int l = 0; l < ksSystemRowCount(system); l++)
        ck_assert_near(gauss[l], paulus[l], ROUNDING * 20 * g);
    for (int i = 0; i < 6; i++)
        ck_assert_near(moved[0][i], moved[1][i], ROUNDING);
    ck_assert_double_gt(fabs(moved[0][2]), 1e-10);
    ksSystemDestroy(system);
    system = newSystem();
    door(system, 0, 1e-6);
    ck_assert_int_eq(ksSystemSolveGauss(system, gauss, NULL), KS_ERROR_INCONSISTENT);
    ck_assert_int_eq(ksSystemCulprit(system) % 5, 2);
    ksSystemDestroy(system);
}
END_TEST

/* One route gets a force with an error of a millionth: the bars contain its effect on each
 * multiplier. */
START_TEST(errorOfOneRouteShows)
{
    static Record r;
    double gauss[MOST_COLUMNS], paulus[MOST_COLUMNS], bar[MOST_COLUMNS], truth[2][MOST_COLUMNS], scale[MOST_COLUMNS];
    double shown = 0;
    ksSystem *system[2] = {drawRedundant(&r, _i), drawRedundant(&r, _i)};
    Spectrum spectrum;
    const double largest = solveSpectrum(&r, truth[0], scale, &spectrum);
    memset(r.force, 0, sizeof r.force);
    for (int wrong = 0; wrong < 2; wrong++) {
        for (int b = 0; b < r.blocks; b++)
            r.force[r.offset[b]] = (1 + wrong) * 1e-6 * largest;
        ksiSystemSetForce(system[wrong], r.force);
        solveSpectrum(&r, truth[wrong], scale, &spectrum);
    }
    ck_assert_ok(ksSystemSolveGauss(system[1], gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system[0], paulus, NULL));
    ck_assert_ok(ksiSystemErrorBars(system[0], KSI_STRESS_NONE, gauss, paulus, bar));
    for (int l = 0; l < r.rows; l++) {
        const double off = scale[l] * fabs(truth[1][l] - truth[0][l]);
        ck_assert_double_ge(scale[l] * bar[l], off - DRAWN * largest);
        shown = fmax(shown, off);
    }
    ck_assert_double_gt(shown, 1e-9 * largest);
    for (int wrong = 0; wrong < 2; wrong++)
        ksSystemDestroy(system[wrong]);
}
END_TEST

/* The inspector's comparison: both routes get the self-stress of a third solution, for any
 * basis. */
START_TEST(adoptedAgree)
{
    double gauss[MOST_COLUMNS], paulus[MOST_COLUMNS], reference[MOST_COLUMNS], truth[MOST_COLUMNS], scale[MOST_COLUMNS];
    static Record r;
    unsigned long long state = 99;
    int same = 0, all = 0;
    Spectrum spectrum;
    ksSystem *system = drawRedundant(&r, _i);
    const int rows = r.rows;
    const double largest = solveSpectrum(&r, truth, scale, &spectrum);
    ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
    for (int l = 0; l < rows; l++)
        reference[l] =
            recordIsKnown(&r, l) ? paulus[l] : truth[l] + (scale[l] > 0 ? largest * draw(&state) / scale[l] : 0);
    ck_assert_ok(ksiSystemProjectSelfStress(system, reference, gauss));
    ck_assert_ok(ksiSystemProjectSelfStress(system, reference, paulus));
    ck_assert_double_le(differenceOf(rows, scale, gauss, paulus, largest), DRAWN);
    for (int l = 0; l < rows; l++) {
        all += scale[l] > 0;
        same += scale[l] > 0 && gauss[l] == paulus[l];
    }
    ck_assert_int_le(2 * same, all);
    ksSystemDestroy(system);
}
END_TEST

/* A refilled system takes no more memory, and gives the same values. */
START_TEST(memory)
{
    Counter counter = {0};
    const ksAllocator allocator = {countingResize, &counter};
    double first[MOST_COLUMNS], again[MOST_COLUMNS];
    ksSystem *system;
    ck_assert_ok(ksiSystemCreate(&allocator, &system));
    for (int round = 0; round < 3; round++) {
        const long before = counter.requests;
        unsigned long long state = 7;
        ksSystemClear(system);
        ladder(system, &state, 2, _i ? 1e-7 : 0);
        if (round == 0) {
            ck_assert_ok(ksSystemSolveGauss(system, first, NULL));
            continue;
        }
        ck_assert_ok(ksSystemSolveGauss(system, again, NULL));
        ck_assert_mem_eq(first, again, (size_t)ksSystemRowCount(system) * sizeof *first);
        ck_assert_int_eq(counter.requests, before);
    }
    ksSystemDestroy(system);
    ck_assert_int_eq(counter.held, 0);
}
END_TEST

START_TEST(everyRefusalIsSurvived)
{
    double expected[MOST_COLUMNS], found[MOST_COLUMNS];
    Counter counter = {0};
    const ksAllocator allocator = {countingResize, &counter};
    ksStatus status = KS_ERROR_NO_MEMORY;
    for (long refuse = -1; status; refuse++) {
        unsigned long long state = 7;
        ksSystem *system;
        counter.refuse = 0;
        ck_assert_ok(ksiSystemCreate(&allocator, &system));
        ladder(system, &state, 2, _i ? 1e-7 : 0);
        counter.refuse = refuse < 0 ? 0 : counter.requests + 1 + refuse;
        status = ksSystemSolveGauss(system, refuse < 0 ? expected : found, NULL);
        if (refuse < 0) {
            ck_assert_ok(status);
            status = KS_ERROR_NO_MEMORY;
        } else if (status) {
            ck_assert_int_eq(status, KS_ERROR_NO_MEMORY);
            ck_assert_ok(ksSystemSolveGauss(system, found, NULL));
            ck_assert_mem_eq(expected, found, (size_t)ksSystemRowCount(system) * sizeof *found);
        }
        ksSystemDestroy(system);
        ck_assert_int_eq(counter.held, 0);
    }
}
END_TEST

/* Without forks, the record of the last test would continue. */
static void recordNothing(void)
{
    recordInto(NULL);
}

int main(void)
{
    Suite *suite = suite_create("gauss_dependent");
    TCase *rows = tcase_create("rows");
    tcase_add_checked_fixture(rows, recordNothing, NULL);
    tcase_add_loop_test(rows, againstJacobi, 0, FEW);
    tcase_add_test(rows, roundsByItself);
    tcase_add_loop_test(rows, nearlyDependent, 0, FEW);
    tcase_add_loop_test(rows, nothingButRounding, 6, 13);
    tcase_add_test(rows, smallContradiction);
    tcase_add_loop_test(rows, errorOfOneRouteShows, 0, 4 * SHAPES);
    tcase_add_loop_test(rows, adoptedAgree, 0, 4 * SHAPES);
    tcase_add_loop_test(rows, memory, 0, 2);
    tcase_add_loop_test(rows, everyRefusalIsSurvived, 0, 2);
    suite_add_tcase(suite, rows);
    TCase *more = tcase_create("more rows");
    tcase_add_checked_fixture(more, recordNothing, NULL);
    tcase_set_tags(more, "long");
    tcase_add_loop_test(more, againstJacobi, FEW, SYSTEMS);
    tcase_add_loop_test(more, nearlyDependent, FEW, SYSTEMS);
    suite_add_tcase(suite, more);
    return runSuite(suite);
}
