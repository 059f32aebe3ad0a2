/* check_measure.c  Radakovic's measure: the two parts of the distance from the least constraint. */
#include "tests/kits/system_kit.h"

static const double g = 9.81;
static const double xAxis[3] = {1, 0, 0};

/* A double pendulum: Radakovic's Q1, Q2 for arbitrary angular accelerations, and Z in independent
 * coordinates, Q^T (T^T M T)^-1 Q, against the measure that knows only rods and points. */
START_TEST(doublePendulum)
{
    ksSystem *system = newSystem();
    const double m1 = 1.4, m2 = 0.8, l1 = 0.7, l2 = 1.1, a1 = 0.5, a2 = -0.9 + 0.4 * _i, w1 = 1.3, w2 = -0.6;
    const double b1 = 2.5 - _i, b2 = -3.1;
    const double s1 = sin(a1), c1 = cos(a1), s2 = sin(a2), c2 = cos(a2), delta = a1 - a2;
    const double weight1[2] = {0, -m1 * g}, weight2[2] = {0, -m2 * g};
    const int p = addParticle(system, 2, m1, weight1), q = addParticle(system, 2, m2, weight2);
    // e = (sin a, -cos a); rods along e: e . a1 = -l1 w1^2, e2 . (a2 - a1) = -l2 w2^2
    const double e1[2] = {s1, -c1}, e2[2] = {s2, -c2}, minus2[2] = {-s2, c2};
    addRow(system, p, e1, -1, NULL, -l1 * w1 * w1, 0);
    addRow(system, q, e2, p, minus2, -l2 * w2 * w2, 0);

    const double x1 = l1 * (b1 * c1 - w1 * w1 * s1), y1 = l1 * (b1 * s1 + w1 * w1 * c1);
    const double motion[4] = {x1, y1, x1 + l2 * (b2 * c2 - w2 * w2 * s2), y1 + l2 * (b2 * s2 + w2 * w2 * c2)};
    const double q1 =
        (m1 + m2) * l1 * l1 * b1 + m2 * l1 * l2 * (b2 * cos(delta) + w2 * w2 * sin(delta)) + (m1 + m2) * g * l1 * s1;
    const double q2 = m2 * l2 * l2 * b2 + m2 * l1 * l2 * (b1 * cos(delta) - w1 * w1 * sin(delta)) + m2 * g * l2 * s2;
    const double k11 = (m1 + m2) * l1 * l1, k12 = m2 * l1 * l2 * cos(delta), k22 = m2 * l2 * l2;
    const double square = (k22 * q1 * q1 - 2 * k12 * q1 * q2 + k11 * q2 * q2) / (k11 * k22 - k12 * k12);
    double z = 0;
    for (int i = 0; i < 4; i++) {
        const double off = motion[i] + (i % 2 ? g : 0);
        z += 0.5 * (i < 2 ? m1 : m2) * off * off;
    }
    ksGaussMeasure measure;
    ck_assert_ok(ksSystemMeasure(system, motion, &measure));
    ck_assert_near(measure.constraint / z, 1, ROUNDING);
    ck_assert_near(measure.unexplained / (0.5 * square), 1, ROUNDING);
    ck_assert_near(measure.solverError, 0, 1e-25 * z);
    // the true motion has the least Z, and their difference is the unexplained part
    double truth[4];
    ksGaussMeasure least;
    ck_assert_ok(ksSystemSolveMotion(system, truth));
    ck_assert_ok(ksSystemMeasure(system, truth, &least));
    ck_assert_near(least.unexplained, 0, 1e-25 * z);
    ck_assert_near((measure.constraint - least.constraint) / measure.unexplained, 1, 1e-11);
    ksSystemDestroy(system);
}
END_TEST

/* The two parts add up to 1/2 |a - a*|^2 in the mass metric, for any motion, to full relative
 * precision, however small it is; together with lambda*^T r they are Z - Z*. */
START_TEST(partsAddUp)
{
    static Dense d;
    double a[KIT_COORDINATES], multiplier[KIT_ROWS], off[KIT_COORDINATES];
    unsigned long long state = 99;
    ksSystem *system = newSystem();
    const double shift = pow(10, -3 * _i);
    drawDense(&d, (unsigned)_i, 14, 0, 10, 0);
    buildDense(system, &d);
    solveWide(&d, multiplier, a);
    ksGaussMeasure measure, least;
    ck_assert_ok(ksSystemMeasure(system, a, &least));
    double square = 0, missed = 0;
    for (int i = 0; i < d.coordinates; i++)
        off[i] = draw(&state);
    for (int l = 0; l < d.rows; l++)
        for (int i = 0; i < d.coordinates; i++)
            missed += multiplier[l] * d.jacobian[l][i] * shift * off[i];
    for (int i = 0; i < d.coordinates; i++) {
        a[i] += shift * off[i];
        for (int j = 0; j < d.coordinates; j++)
            square += off[i] * d.mass[i][j] * off[j];
    }
    ck_assert_ok(ksSystemMeasure(system, a, &measure));
    ck_assert_near(measure.constraint, least.constraint + missed + measure.unexplained + measure.solverError,
                   ROUNDING * least.constraint);
    // a itself is rounded: 1e-16 of some 10 against the shift
    ck_assert_near((measure.unexplained + measure.solverError) / (0.5 * square * shift * shift), 1,
                   1e-12 + 1e-13 / shift);
    ksSystemDestroy(system);
}
END_TEST

/* Each cause by itself: an unconverged solution shows only in the rows, a force along admissible
 * motions only as unexplained, and a force along a row in neither. */
START_TEST(causes)
{
    ksSystem *system = newSystem();
    const double force[3] = {2, 3, 1}, m = 2;
    ksGaussMeasure measure;
    const int b = addParticle(system, 3, m, force);
    addRow(system, b, xAxis, -1, NULL, 0.5, 0);
    const double missed[3] = {0.8, 1.5, 0.5}, pushed[3] = {0.5, 1.9, 0.5}, truth[3] = {0.5, 1.5, 0.5};
    ck_assert_ok(ksSystemMeasure(system, missed, &measure));
    ck_assert_near(measure.unexplained, 0, ROUNDING);
    ck_assert_near(measure.solverError, 0.5 * m * 0.09, ROUNDING);
    ck_assert_ok(ksSystemMeasure(system, pushed, &measure));
    ck_assert_near(measure.unexplained, 0.5 * m * 0.16, ROUNDING);
    ck_assert_near(measure.solverError, 0, ROUNDING);
    ck_assert_ok(ksSystemMeasure(system, truth, &measure));
    ck_assert_near(measure.constraint, 0.5 * m * 0.25, ROUNDING);
    ck_assert_near(measure.unexplained + measure.solverError, 0, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* A known row's force is applied; a motion under another value of it counts as the rows' error, and
 * not as unexplained. */
START_TEST(knownRow)
{
    ksSystem *system = newSystem();
    const double force[3] = {2, 3, 1}, m = 2, y[3] = {0, 1, 0}, s = _i ? 0.3 : 0;
    ksGaussMeasure measure;
    const int b = addParticle(system, 3, m, force);
    addRow(system, b, xAxis, -1, NULL, 0, 0);
    addBounded(system, b, y, -1, NULL, 44, s, -1, -1);
    const double truth[3] = {0, 1, 0.5}, other[3] = {0, 1.3, 0.5}, reported[2] = {-2, -0.4};
    ck_assert_ok(ksSystemMeasure(system, truth, &measure));
    ck_assert_near(measure.unexplained + measure.solverError, 0, ROUNDING);
    ck_assert_ok(ksiSystemMeasure(system, other, reported, &measure));
    ck_assert_near(measure.unexplained, 0, ROUNDING);
    // the slack has the load's error: sqrt(s) 0.6
    ck_assert_near(measure.solverError, 0.5 * (m * 0.09 + s * 0.36), ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Compliant rows: the slacks of the true multipliers leave no error; a wrong report of them is the
 * rows' error. */
START_TEST(compliantRow)
{
    ksSystem *system = newSystem();
    const double force[3] = {2, 3, 1}, m = 2, s = 0.5;
    double multiplier[1], truth[3];
    ksGaussMeasure measure;
    const int b = addParticle(system, 3, m, force);
    addRow(system, b, xAxis, -1, NULL, 0, s);
    ck_assert_ok(ksSystemSolveGauss(system, multiplier, truth));
    ck_assert_near(multiplier[0], -1, ROUNDING);
    ck_assert_ok(ksSystemMeasure(system, truth, &measure));
    ck_assert_near(measure.constraint, 0.5 * m * 0.25 + 0.5 * s, ROUNDING);
    ck_assert_near(measure.unexplained + measure.solverError, 0, ROUNDING);
    multiplier[0] += 0.1;
    ck_assert_ok(ksiSystemMeasure(system, truth, multiplier, &measure));
    ck_assert_near(measure.unexplained + measure.solverError, 0.5 * s * 0.01, ROUNDING);
    // it explains the motion that goes with the wrong report: d a = d lambda / m
    truth[0] += 0.05;
    ck_assert_ok(ksiSystemMeasure(system, truth, multiplier, &measure));
    ck_assert_near(measure.unexplained, 0, ROUNDING);
    ck_assert_near(measure.solverError, 0.5 * (m * 0.0025 + s * 0.01), ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Dependent rows that agree: the pseudo-inverse. */
START_TEST(redundantRows)
{
    ksSystem *system = newSystem();
    const double m = 2, y[3] = {0, 1, 0};
    ksGaussMeasure measure;
    const int b = addParticle(system, 3, m, NULL);
    addRow(system, b, xAxis, -1, NULL, 1, 0);
    addRow(system, b, xAxis, -1, NULL, 1, 0);
    addRow(system, b, y, -1, NULL, 0, 0);
    const double motion[3] = {1.3, 0, 0.2};
    ck_assert_ok(ksSystemMeasure(system, motion, &measure));
    ck_assert_near(measure.solverError, 0.5 * m * 0.09, ROUNDING);
    ck_assert_near(measure.unexplained, 0.5 * m * 0.04, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* An announced measure, with and without compliance and again under other forces, equals one that
 * was not announced. */
START_TEST(announced)
{
    static Dense d;
    double a[KIT_COORDINATES], reported[KIT_ROWS];
    unsigned long long state = 5;
    drawDense(&d, 3, KIT_ROWS, _i ? 0.5 : 0, 10, 0);  // a ring
    ksSystem *system = newSystem();
    buildDense(system, &d);
    for (int i = 0; i < d.coordinates; i++)
        a[i] = draw(&state);
    for (int l = 0; l < d.rows; l++)
        reported[l] = draw(&state);
    ksiSystemObserve(system, a, reported);
    for (int pass = 0; pass < 2; pass++) {
        ksGaussMeasure measure, plain;
        ksSystem *other = newSystem();
        buildDense(other, &d);
        ck_assert_ok(ksiSystemMeasure(system, a, reported, &measure));
        ck_assert_ok(ksiSystemMeasure(other, a, reported, &plain));
        ck_assert_near(measure.constraint / plain.constraint, 1, ROUNDING);
        ck_assert_near(measure.unexplained / plain.unexplained, 1, ROUNDING);
        ck_assert_near(measure.solverError / plain.solverError, 1, ROUNDING);
        ksSystemDestroy(other);
        for (int i = 0; i < d.coordinates; i++)
            d.force[i] += 3;
        ksiSystemSetForce(system, d.force);
    }
    ksSystemDestroy(system);
}
END_TEST

/* The part that no multipliers of any rows explain: compliance, known values and forces along rows
 * do not change it. */
START_TEST(explained)
{
    ksSystem *system = newSystem();
    const double force[3] = {2, 3, 1}, m = 2, y[3] = {0, 1, 0}, nan[3] = {0, 0, NAN};
    const double s[] = {0, 1e-9, 0.5};
    double unexplained = 7;
    ck_assert_ok(ksSystemSetRigidCompliance(system, 1e-6));
    const int b = addParticle(system, 3, m, force);
    addRow(system, b, xAxis, -1, NULL, 1, s[_i % 3]);
    if (_i < 3)
        addRow(system, b, y, -1, NULL, -5, s[(_i + 1) % 3]);
    else
        addBounded(system, b, y, -1, NULL, 44, s[_i % 3], -1, -1);
    ck_assert_int_eq(ksiSystemExplain(system, nan, &unexplained), KS_ERROR_NOT_FINITE);
    ck_assert_double_eq(unexplained, 7);
    const double motion[3] = {8, -9, 0.5 + 0.3};
    ck_assert_ok(ksiSystemExplain(system, motion, &unexplained));
    ck_assert_near(unexplained, sqrt(m) * 0.3, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    TCase *parts = tcase_create("parts");
    tcase_add_loop_test(parts, doublePendulum, 0, 4);
    tcase_add_loop_test(parts, partsAddUp, 0, 4);
    tcase_add_test(parts, causes);
    tcase_add_loop_test(parts, knownRow, 0, 2);
    tcase_add_test(parts, compliantRow);
    tcase_add_test(parts, redundantRows);
    tcase_add_loop_test(parts, announced, 0, 2);
    tcase_add_loop_test(parts, explained, 0, 6);
    return runCase("measure", parts);
}
