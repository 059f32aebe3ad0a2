/* The range-space route through rows that depend on each other, against one-sided Jacobi rotations in long double; and that
 * it is a route of its own. */
#include "tests/dependent_kit.h"
#include <stdio.h>

enum { SYSTEMS = 200, SHAPES = 6 };

/* Of the largest multiplier of unit rows. Singular values of the systems that are drawn here are 1e-3 and more, where they
 * are not zero; the route forms their squares. */
#define DRAWN 1e-9

static ksSystem *drawRedundant(int index)
{
    static Dense d;
    unsigned long long state = 88172645463325252ULL + 1000003ULL * (unsigned long long)index;
    ksSystem *system = newSystem();
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
        // half of the rows of other loops give way
        ladder(system, &state, 1 + index % 2, 0);
        hingeCompliance = 1e-3;
        ladder(system, &state, 1, 0);
        hingeCompliance = 0;
    }
    return system;
}

START_TEST(againstJacobi)
{
    double found[MOST_COLUMNS], truth[MOST_COLUMNS], scale[MOST_COLUMNS], worst = 0;
    ksSystem *system = drawRedundant(_i);
    const double largest = solveJacobi(system, truth, scale);
    ck_assert_ok(ksSystemSolveGauss(system, found, NULL));
    // not the answer of the other route
    ck_assert(!system->factor[KSI_VIEW_EXACT].known);
    for (int l = 0; l < ksSystemRowCount(system); l++)
        worst = fmax(worst, scale[l] * fabs(found[l] - truth[l]) / largest);
    if (getenv("SHOW"))
        printf("%d %d %g\n", _i, _i % SHAPES, worst);
    ck_assert_double_le(worst, DRAWN);
    ksSystemDestroy(system);
}
END_TEST

/* Two ways of rounding: numbers that are the same to the last bit are those of a few simple rows. */
START_TEST(roundsByItself)
{
    double gauss[MOST_COLUMNS], paulus[MOST_COLUMNS];
    int same = 0, all = 0;
    for (int i = 0; i < SYSTEMS; i++) {
        ksSystem *system = drawRedundant(i);
        ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
        ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
        for (int l = 0; l < ksSystemRowCount(system); l++) {
            const int counts = paulus[l] != 0 && !system->rowKnown.at[l];
            all += counts;
            same += counts && gauss[l] == paulus[l];
        }
        ksSystemDestroy(system);
    }
    ck_assert_int_gt(all, 5000);
    if (getenv("SHOW"))
        printf("%d of %d\n", same, all);
    ck_assert_int_lt(20 * same, all);
}
END_TEST

/* Rows that depend on each other to so much: their multipliers grow with its inverse, and so do errors. */
static const double nearness[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10,1e-11,1e-12};

static ksSystem *drawNear(int index)
{
    static Dense d;
    unsigned long long state = 4101842887655102017ULL + 1000003ULL * (unsigned long long)index;
    const double near = nearness[index / 3 % COUNT_OF(nearness)];
    ksSystem *system = newSystem();
    if (index % 3 == 0) {
        drawDense(&d, (unsigned)index, 20, 0, 10, near);
        buildDense(system, &d);
    } else if (index % 3 == 1) {
        banach(system, 0.5 + draw(&state) / 4, 3 * draw(&state), 3 * draw(&state), near);
    } else {
        ladder(system, &state, 1 + index % 4, near);
    }
    return system;
}

START_TEST(nearlyDependent)
{
    double found[MOST_COLUMNS], truth[MOST_COLUMNS], paulus[MOST_COLUMNS], scale[MOST_COLUMNS], worst = 0, w2=0;
    ksSystem *system = drawNear(_i);
    const double largest = solveJacobi(system, truth, scale);
    const ksStatus status = ksSystemSolveGauss(system, found, NULL);
    const ksStatus st2 = ksSystemSolvePaulus(system, paulus, NULL);
    for (int l = 0; l < ksSystemRowCount(system); l++) {
        worst = fmax(worst, scale[l] * fabs(found[l] - truth[l]) / largest);
        w2 = fmax(w2, scale[l] * fabs(paulus[l] - truth[l]) / largest);
    }
    if (getenv("SHOW"))
        printf("N %d %d near %g status %d error %g  paulus %d %g largest %g lost %d\n", _i % 3, _i, nearness[_i / 3 % COUNT_OF(nearness)], status, worst, st2, w2, largest,system->gauss.lostCount);
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gauss_dependent");
    TCase *rows = tcase_create("rows");
    tcase_add_loop_test(rows, againstJacobi, 0, SYSTEMS);
    tcase_add_test(rows, roundsByItself);
    tcase_add_loop_test(rows, nearlyDependent, 0, 120);
    suite_add_tcase(suite, rows);
    return runSuite(suite);
}
