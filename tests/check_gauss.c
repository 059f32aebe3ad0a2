/* check_gauss.c  Both routes against closed forms, each other and a reference in binary128.
 *
 *  lambda acts on the system along the gradient of phi; beta = -(v^T phi_xx v + 2 phi_xt v + phi_tt). */
#include "tests/system_kit.h"

static const double g = 9.81;
static const double xAxis[3] = {1, 0, 0};

/* Paulus 1910, first example (z down): two weights on inclines, joined by a thread over the ridge. */
START_TEST(paulusInclines)
{
    ksSystem *system = newSystem();
    const double m = 2, n = 3.5, a = 0.4, b = 1.1;
    const double weightM[2] = {0, m * g}, weightN[2] = {0, n * g};
    const int p = addParticle(system, 2, m, weightM), q = addParticle(system, 2, n, weightN);
    const double plane[2] = {-tan(a), 1}, plane2[2] = {-tan(b), 1};
    const double along[2] = {cos(a), sin(a)}, along2[2] = {cos(b), sin(b)};
    addRow(system, p, plane, -1, NULL, 0, 0);
    addRow(system, q, plane2, -1, NULL, 0, 0);
    addRow(system, p, along, q, along2, 0, 0);
    const double multiplier[3] = {-m * g * cos(a) * cos(a), -n * g * cos(b) * cos(b),
                                  -m * n * g * (sin(a) + sin(b)) / (m + n)};
    const double q2 = g * (m * sin(a) - n * sin(b)) / (m + n);
    const double motion[4] = {q2 * cos(a), q2 * sin(a), -q2 * cos(b), -q2 * sin(b)};
    expectBoth(system, multiplier, motion, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Paulus 1910, second example (z down): a body on a pivot, its mass centre at (xi, zeta) from it. */
START_TEST(paulusPendulum)
{
    ksSystem *system = newSystem();
    const double mass = 2.3, xi = 0.3, zeta = 0.7, inertia = 1.9, rate = 1.7;
    const double centre = inertia - mass * (xi * xi + zeta * zeta);
    const double diagonal[3] = {mass, mass, centre}, force[3] = {0, mass * g, 0};
    const int b = addDiagonal(system, 3, diagonal, force);
    // phi turns z to x: the pivot is at S - s with ds/dphi = (zeta, -xi), d2s/dphi2 = -(xi, zeta)
    const double px[3] = {1, 0, -zeta}, pz[3] = {0, 1, xi};
    addRow(system, b, px, -1, NULL, -rate * rate * xi, 0);
    addRow(system, b, pz, -1, NULL, -rate * rate * zeta, 0);
    const double multiplier[2] = {-rate * rate * xi * mass - g * xi * zeta * mass * mass / inertia,
                                  g * xi * xi * mass * mass / inertia - rate * rate * zeta * mass - g * mass};
    double motion[3];
    expectBoth(system, multiplier, NULL, ROUNDING);
    ck_assert_ok(ksSystemSolveMotion(system, motion));
    ck_assert_near(motion[2], -g * xi * mass / inertia, ROUNDING * g);
    ksSystemDestroy(system);
}
END_TEST

/* Gugino 1930: a sleigh whose blade, at l before the mass centre, does not slip sideways. */
START_TEST(guginoSleigh)
{
    ksSystem *system = newSystem();
    const double m = 3, inertia = 0.8, l = 0.35, angle = 0.6, u = 1.4, w = 0.9, fx = 2, fy = -1, torque = 0.7;
    const double diagonal[3] = {m, m, inertia}, force[3] = {fx, fy, torque};
    const int b = addDiagonal(system, 3, diagonal, force);
    // n . v - l w = 0 with n turning at w: n' . v = -w u
    const double row[3] = {-sin(angle), cos(angle), -l};
    addRow(system, b, row, -1, NULL, w * u, 0);
    const double nF = row[0] * fx + row[1] * fy;
    const double multiplier[1] = {(u * w - nF / m + l * torque / inertia) / (1 / m + l * l / inertia)};
    expectBoth(system, multiplier, NULL, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Pins of Banach's three rods in the plane: rod r's end `arm` from its mass centre, as rows over (x, z, angle). */
static void pinRows(ksSystem *system, int a, const double armA[2], double rateA, int b, const double armB[2],
                    double rateB)
{
    for (int i = 0; i < 2; i++) {
        // the point's velocity is v + w (-r_z, r_x), its centripetal part -w^2 r
        double ja[3] = {i == 0, i == 1, i == 0 ? -armA[1] : armA[0]}, jb[3] = {0};
        double beta = rateA * rateA * armA[i];
        if (b >= 0) {
            jb[i] = -1;
            jb[2] = i == 0 ? armB[1] : -armB[0];
            beta -= rateB * rateB * armB[i];
        }
        addRow(system, a, ja, b, jb, beta, 0);
    }
}

/* Banach X §7.2 (z up): two rods hang from O and C and carry the third, AB. */
START_TEST(banachThreeRods)
{
    ksSystem *system = newSystem();
    const double m = 1.3, l = 0.9, angle = 0.5 + 0.4 * _i, rate = 1.1, half = 0.5 * l;
    const double s = sin(angle), c = cos(angle), er[2] = {s, -c}, et[2] = {c, s};
    const double diagonal[3] = {m, m, m * l * l / 12}, weight[3] = {0, -m * g, 0};
    const int oa = addDiagonal(system, 3, diagonal, weight), ab = addDiagonal(system, 3, diagonal, weight);
    const int cb = addDiagonal(system, 3, diagonal, weight);
    const double up[2] = {-half * er[0], -half * er[1]}, down[2] = {half * er[0], half * er[1]};
    const double left[2] = {-half, 0}, right[2] = {half, 0};
    pinRows(system, oa, up, rate, -1, NULL, 0);
    pinRows(system, cb, up, rate, -1, NULL, 0);
    pinRows(system, ab, left, 0, oa, down, rate);
    pinRows(system, ab, right, 0, cb, down, rate);
    double multiplier[8];
    for (int i = 0; i < 2; i++) {
        const double fixed = -m * (l * rate * rate + 1.5 * g * c) * er[i] + 0.3 * m * g * s * et[i];
        const double carried = -0.5 * m * ((l * rate * rate + g * c) * er[i] + 0.2 * g * s * et[i]);
        multiplier[i] = multiplier[2 + i] = fixed;
        multiplier[4 + i] = multiplier[6 + i] = carried;
    }
    expectBoth(system, multiplier, NULL, ROUNDING);
    double motion[9];
    ck_assert_ok(ksSystemSolveMotion(system, motion));
    ck_assert_near(motion[2], -1.2 * g / l * s, 1e-11);
    ck_assert_near(motion[5], 0, 1e-11);
    ksSystemDestroy(system);
}
END_TEST

/* Banach X §7.1 (z up): weights on the drums R and r of one wheel; scalar coordinates z1, z2, phi. */
START_TEST(banachDoublePulley)
{
    ksSystem *system = newSystem();
    const double m1 = 2, m2 = 3, inertia = 0.9, big = 0.6, small = 0.25, one[1] = {1};
    const double w1[1] = {-m1 * g}, w2[1] = {-m2 * g}, minusR[1] = {-big}, plusR[1] = {small};
    const int z1 = addParticle(system, 1, m1, w1), z2 = addParticle(system, 1, m2, w2);
    const int phi = addParticle(system, 1, inertia, NULL);
    addRow(system, z1, one, phi, minusR, 0, 0);
    addRow(system, z2, one, phi, plusR, 0, 0);
    const double d = inertia + m1 * big * big + m2 * small * small;
    const double multiplier[2] = {m1 * g * (inertia + m2 * small * (big + small)) / d,
                                  m2 * g * (inertia + m1 * big * (big + small)) / d};
    expectBoth(system, multiplier, NULL, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Banach X §7.3: a point on a line that turns at w at the distance p from the origin; q along the line. */
START_TEST(banachRotatingLine)
{
    ksSystem *system = newSystem();
    const double m = 1.5, t = 0.3, w = 1.2, p = 0.4, q = 0.7, rate = -0.9, weight[2] = {0, -m * g};
    const int b = addParticle(system, 2, m, weight);
    const double n[2] = {cos(w * t), sin(w * t)}, e[2] = {-n[1], n[0]};
    // phi = n . x - p, x = p n + q e: phi_tt = -w^2 p, phi_xt . v = w e . v, e . v = q' + w p
    addRow(system, b, n, -1, NULL, w * w * p - 2 * w * (rate + w * p), 0);
    const double multiplier[1] = {m * (g * sin(w * t) - p * w * w - 2 * w * rate)};
    double motion[2];
    expectBoth(system, multiplier, NULL, ROUNDING);
    ck_assert_ok(ksSystemSolveMotion(system, motion));
    ck_assert_near(e[0] * motion[0] + e[1] * motion[1], -g * e[1], 1e-11);
    (void)q;
    ksSystemDestroy(system);
}
END_TEST

/* Banach X §7.4 (z down): Atwood's machine with an insect that climbs by f(t) on the second weight's thread. */
START_TEST(banachAtwood)
{
    ksSystem *system = newSystem();
    const double m = 2, mu = 0.3, inertia = 0.5, r = 0.4, climb = 1.7;
    const double one[1] = {1}, minus[1] = {-1}, minusR[1] = {-r}, plusR[1] = {r};
    const double w1[1] = {(m + mu) * g}, w2[1] = {m * g}, w3[1] = {mu * g};
    const int z1 = addParticle(system, 1, m + mu, w1), z2 = addParticle(system, 1, m, w2);
    const int z3 = addParticle(system, 1, mu, w3), theta = addParticle(system, 1, inertia, NULL);
    addRow(system, z1, one, theta, minusR, 0, 0);
    addRow(system, z2, one, theta, plusR, 0, 0);
    addRow(system, z3, one, z2, minus, climb, 0);
    const double k = 2 * (m + mu) + inertia / (r * r), q2 = mu * climb / k;
    const double multiplier[3] = {-(m + mu) * (g - q2), -(m + mu) * (g + q2) + mu * climb, mu * (climb - q2 - g)};
    expectBoth(system, multiplier, NULL, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Banach X §7.6: a point on the surface of revolution z = f(rho), here f = rho^2 / 2, in cylindrical coordinates. */
START_TEST(banachSurface)
{
    ksSystem *system = newSystem();
    const double m = 1.1, r = 0.8, rr = 0.5, w = 1.3, slope = r, weight[3] = {0, 0, -m * g};
    const int b = addParticle(system, 3, m, weight);
    // at the point (r, 0, z): grad = (-f', 0, 1); v = (r', r w, f' r'); f'' = 1, and f' / r across
    const double row[3] = {-slope, 0, 1};
    addRow(system, b, row, -1, NULL, rr * rr + slope / r * r * w * r * w, 0);
    const double multiplier[1] = {m * (g + rr * rr + slope * r * w * w) / (1 + slope * slope)};
    expectBoth(system, multiplier, NULL, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Banach X §3, example 1: a bead on a turning parabola, two multipliers. */
START_TEST(banachParabola)
{
    ksSystem *system = newSystem();
    const double m = 0.7, w = 1.6, t = 0.45, rho = 0.35, rate = -0.8, weight[3] = {0, 0, -m * g};
    const int b = addParticle(system, 3, m, weight);
    const double s = sin(w * t), c = cos(w * t);
    // x = rho c, y = -rho s: on the plane x s + y c = 0, which turns by -w
    const double x = rho * c, y = -rho * s, vx = rate * c - rho * w * s, vy = -rate * s - rho * w * c;
    const double bowl[3] = {2 * x, 2 * y, -1}, plane[3] = {s, c, 0};
    addRow(system, b, bowl, -1, NULL, -2 * (vx * vx + vy * vy), 0);
    addRow(system, b, plane, -1, NULL, -(2 * w * (c * vx - s * vy) - w * w * (s * x + c * y)), 0);
    const double multiplier[2] = {-m * (g + 2 * rate * rate + 2 * w * w * rho * rho) / (1 + 4 * rho * rho),
                                  -2 * m * w * rate};
    expectBoth(system, multiplier, NULL, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Random systems, rigid and compliant, light and heavy, against binary128.
 * Tolerance: the rows are drawn with condition up to 1e3 (equilibrated), and the routes lose its square at most. */
START_TEST(againstReference)
{
    static Dense d;
    static const double compliance[] = {0, 1e-12, 1e-6, 1e-2, 10};
    static const double ratio[] = {1, 1e3, 1e6};
    double multiplier[KIT_ROWS], a[KIT_COORDINATES], found[2][KIT_ROWS], size[KIT_ROWS];
    ksSystem *system = newSystem();
    const double s = compliance[_i % 5], heavy = ratio[(_i / 5) % 3];
    drawDense(&d, (unsigned)_i, 4 + _i % 27, s, heavy, 0);
    buildDense(system, &d);
    solveWide(&d, multiplier, a);
    ck_assert_ok(ksSystemSolveGauss(system, found[0], NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, found[1], NULL));
    double largest = 0;
    for (int l = 0; l < d.rows; l++) {
        // rows of heavy bodies carry large multipliers: compare in the scale of the row's mass
        ksRelaxation relaxation;
        ck_assert_ok(ksSystemRelaxRow(system, l, NULL, NULL, &relaxation));
        size[l] = sqrt(relaxation.effectiveMass);
        largest = fmax(largest, fabs(multiplier[l]) / size[l]);
    }
    for (int l = 0; l < d.rows; l++)
        for (int route = 0; route < 2; route++)
            ck_assert_near(found[route][l] / size[l], multiplier[l] / size[l], 1e-10 * largest);
    ksSystemDestroy(system);
}
END_TEST

static int byValue(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The error bars cover the true error, and are not idle: median of bar over error below 100. */
static void checkBars(double nearness, double compliance, double ratio)
{
    static Dense d;
    static double idle[40 * KIT_ROWS];
    int count = 0;
    for (unsigned seed = 0; seed < 40; seed++) {
        double multiplier[KIT_ROWS], a[KIT_COORDINATES], gauss[KIT_ROWS], paulus[KIT_ROWS], bar[KIT_ROWS];
        ksSystem *system = newSystem();
        drawDense(&d, 1000 + seed, 25, compliance, ratio, nearness);
        buildDense(system, &d);
        solveWide(&d, multiplier, a);
        ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
        ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
        double asked[KIT_ROWS];
        ck_assert_ok(ksSystemGetErrorBars(system, asked));
        ck_assert_ok(ksiSystemErrorBars(system, gauss, paulus, bar));
        ck_assert_mem_eq(asked, bar, (size_t)d.rows * sizeof *bar);
        for (int l = 0; l < d.rows; l++) {
            const double error = fmax(fabs(gauss[l] - multiplier[l]), fabs(paulus[l] - multiplier[l]));
            ck_assert_double_le(error, bar[l]);
            // an error of zero says nothing about idleness
            if (error > 0)
                idle[count++] = bar[l] / error;
        }
        ksSystemDestroy(system);
    }
    qsort(idle, (size_t)count, sizeof *idle, byValue);
    ck_assert_double_le(idle[count / 2], 100);
}

START_TEST(errorBars)
{
    static const double nearness[] = {0, 1e-2, 1e-4, 1e-6}, compliance[] = {0, 1e-10, 1e-3}, ratio[] = {1, 1e4};
    checkBars(nearness[_i % 4], compliance[(_i / 4) % 3], ratio[_i / 12]);
}
END_TEST

/* Rows that depend on each other to 1e-6: the null-space route keeps ten digits; refinement through the motion lets
 * the range-space route, which squares the condition, keep six. */
START_TEST(nearlyDependent)
{
    static Dense d;
    double multiplier[KIT_ROWS], a[KIT_COORDINATES], gauss[KIT_ROWS], paulus[KIT_ROWS], largest = 0;
    ksSystem *system = newSystem();
    drawDense(&d, (unsigned)_i, 20, 0, 10, 1e-6);
    buildDense(system, &d);
    solveWide(&d, multiplier, a);
    ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
    for (int l = 0; l < d.rows; l++)
        largest = fmax(largest, fabs(multiplier[l]));
    for (int l = 0; l < d.rows; l++) {
        ck_assert_near(paulus[l], multiplier[l], 1e-8 * largest);
        ck_assert_near(gauss[l], multiplier[l], 1e-6 * largest);
    }
    ksSystemDestroy(system);
}
END_TEST

/* Without refinement rows that nearly depend keep what the square of their condition leaves. Refined later, and whenever they
 * come again, the multipliers are those of ksSystemSolveGauss. */
START_TEST(roughAndRefined)
{
    static Dense d;
    double exact[KIT_ROWS], found[KIT_ROWS], largest = 0, apart = 0;
    ksSystem *system = newSystem(), *other = newSystem();
    drawDense(&d, (unsigned)_i, 20, 0, 10, 1e-4);
    buildDense(other, &d);
    ck_assert_ok(ksSystemSolveGauss(other, exact, NULL));
    ck_assert(ksiSystemIsRefined(other));
    buildDense(system, &d);
    ck_assert_ok(ksiSystemSolveRoughly(system, found));
    ck_assert(!ksiSystemIsRefined(system));
    for (int l = 0; l < d.rows; l++) {
        largest = fmax(largest, fabs(exact[l]));
        apart = fmax(apart, fabs(found[l] - exact[l]));
    }
    ck_assert_double_gt(apart, 1e-12 * largest);
    ck_assert_double_le(apart, 1e-4 * largest);
    for (int again = 0; again < 2; again++) {
        if (again) {
            ksSystemClear(system);
            buildDense(system, &d);
            ck_assert_ok(ksiSystemSolveRoughly(system, found));
        } else {
            ck_assert_ok(ksiSystemRefine(system, found));
        }
        ck_assert(ksiSystemIsRefined(system));
        ck_assert_mem_eq(found, exact, (size_t)d.rows * sizeof *found);
    }
    ksSystemDestroy(system);
    ksSystemDestroy(other);
}
END_TEST

/* Rows that depend on each other to rounding: pivots of either sign that mean nothing. Both routes give the answer
 * without self-stress. */
START_TEST(dependentToRounding)
{
    static Dense d;
    double gauss[KIT_ROWS], paulus[KIT_ROWS];
    ksSystem *system = newSystem();
    drawDense(&d, (unsigned)_i, 5 + _i, 0, 10, 1e-300);
    buildDense(system, &d);
    ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
    for (int l = 0; l < d.rows; l++)
        ck_assert_near(gauss[l], paulus[l], 1e-9);
    ksSystemDestroy(system);
}
END_TEST

/* Kahan's triangles: every pivot of A is above rounding and A is singular to it all the same. Where refinement does not
 * settle the answer is that of the other route; where it does, it agrees to what it has settled to. */
START_TEST(singularWithoutLostPivot)
{
    enum { most = 21 };
    ksSystem *system = newSystem();
    const int rows = 10 + _i % 12, block = 0;
    const double s = 0.4 + 0.05 * (_i / 12), c = sqrt(1 - s * s);
    double mass[most * most] = {0}, force[most], gauss[most], paulus[most], largest = 0;
    int added;
    for (int i = 0; i < rows; i++) {
        mass[i * rows + i] = 1;
        force[i] = cos(i);
    }
    ck_assert_ok(ksSystemAddBlock(system, rows, mass, force, NULL, &added));
    for (int l = 0; l < rows; l++) {
        double row[most] = {0};
        const double *const piece = row;
        ksRowSpec spec;
        for (int i = 0; i <= l; i++)
            row[i] = pow(s, i) * (i < l ? -c : 1);
        ksRowSpecInit(&spec);
        spec.blockCount = 1;
        spec.block = &block;
        spec.jacobian = &piece;
        ck_assert_ok(ksSystemAddRow(system, &spec, &added));
    }
    ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
    for (int l = 0; l < rows; l++)
        largest = fmax(largest, fabs(paulus[l]));
    for (int l = 0; l < rows; l++)
        ck_assert_near(gauss[l], paulus[l], 1e-2 * largest);
    ksSystemDestroy(system);
}
END_TEST

/* Three equal rows that agree share the load in the metric diag(A); rows without entries carry none. */
START_TEST(redundantShare)
{
    ksSystem *system = newSystem();
    const double weight[3] = {-6, 0, 4}, twice[3] = {2, 0, 0}, zero[3] = {0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    const int b = addParticle(system, 3, 2, weight);
    addRow(system, b, xAxis, -1, NULL, 0, 0);
    addRow(system, b, twice, -1, NULL, 0, 0);
    addRow(system, b, zero, -1, NULL, 0, 0);
    addRow(system, b, y, -1, NULL, 3, 0);
    addRow(system, b, xAxis, -1, NULL, 0, 0);
    addRow(system, b, z, -1, NULL, 0, 0.5);
    // d lambda equal along (1, 1, 1) / d: 3 loads of 6/3 on unit columns; (1/2 + 1/2) lambda = -4/2 on the spring
    const double multiplier[6] = {2, 1, 0, 6, 2, -2}, motion[3] = {0, 3, 1};
    expectBoth(system, multiplier, motion, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Contradiction is named whatever its size down to the documented tolerance, and the row too. */
START_TEST(contradiction)
{
    ksSystem *system = newSystem();
    double multiplier[3], zero[3] = {0};
    const double y[3] = {0, 1, 0};
    const int b = addParticle(system, 3, 2, xAxis);
    addRow(system, b, y, -1, NULL, 5, 0);
    addRow(system, b, xAxis, -1, NULL, 1, 0);
    const int last = addRow(system, b, _i ? xAxis : zero, -1, NULL, _i ? 1 + 1e-7 : 1e-7, 0);
    ck_assert_int_eq(ksSystemSolveGauss(system, multiplier, NULL), KS_ERROR_INCONSISTENT);
    ck_assert(ksSystemCulprit(system) == last || (_i && ksSystemCulprit(system) == 1));
    ck_assert_int_eq(ksSystemSolvePaulus(system, multiplier, NULL), KS_ERROR_INCONSISTENT);
    ck_assert_int_eq(ksSystemSolveMotion(system, zero), KS_ERROR_INCONSISTENT);
    // compliance reconciles: opposing loads of delta / s
    ksSystemClear(system);
    addParticle(system, 3, 2, zero);
    addRow(system, 0, xAxis, -1, NULL, 1, 1e-8);
    addRow(system, 0, xAxis, -1, NULL, 1 + 1e-3, 1e-8);
    ck_assert_ok(ksSystemSolveGauss(system, multiplier, NULL));
    ck_assert_near((multiplier[1] - multiplier[0]) / 1e5, 1, 1e-6);
    ksSystemDestroy(system);
}
END_TEST

/* A known row is an applied force; its index stays. */
START_TEST(knownRow)
{
    ksSystem *system = newSystem();
    const double weight[3] = {-4, 0, 1}, skew[3] = {0.5, 2, 0}, x2[3] = {0, 1, 0};
    const int b = addParticle(system, 3, 2, weight);
    addBounded(system, b, skew, -1, NULL, 99, 0.3, 1.5, 1.5);
    addRow(system, b, xAxis, -1, NULL, 1, 0);
    addBounded(system, b, x2, -1, NULL, 0, 0, -5, 5);
    // x: 2 = -4 + 0.75 + lambda_1;  y: 0 = 3 + lambda_2
    const double multiplier[3] = {1.5, 5.25, -3}, motion[3] = {1, 0, 0.5};
    expectBoth(system, multiplier, motion, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

START_TEST(boundIsLeft)
{
    ksSystem *system = newSystem();
    const double weight[3] = {-4, 0, 0};
    double multiplier[2] = {8, 9};
    const double y[3] = {0, 1, 0};
    const int b = addParticle(system, 3, 2, weight);
    addBounded(system, b, y, -1, NULL, 0, 0, -INFINITY, INFINITY);
    addBounded(system, b, xAxis, -1, NULL, 0, 0, _i ? -INFINITY : 4.1, _i ? 3.9 : INFINITY);
    ck_assert_int_eq(ksSystemSolveGauss(system, multiplier, NULL), KS_ERROR_BOUND);
    ck_assert_int_eq(ksSystemCulprit(system), 1);
    ck_assert_int_eq(ksSystemSolvePaulus(system, multiplier, NULL), KS_ERROR_BOUND);
    ck_assert_int_eq(ksSystemCulprit(system), 1);
    ck_assert_double_eq(multiplier[0], 8);
    // a load that touches its bound to rounding is inside
    const double force[3] = {_i ? -3.9 : -4.1, 0, 0};
    ksiSystemSetForce(system, force);
    ck_assert_ok(ksSystemSolveGauss(system, multiplier, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
    ksSystemDestroy(system);
}
END_TEST

/* New forces and right-hand sides on the same factorisations: as a system built with them. */
START_TEST(newLoads)
{
    static Dense d, e;
    double multiplier[KIT_ROWS];
    ksSystem *system = newSystem();
    drawDense(&d, 5, 20, 1e-5, 10, 0);
    drawDense(&e, 6, 20, 1e-5, 10, 0);
    buildDense(system, &d);
    expectBoth(system, NULL, NULL, 1e-11);
    memcpy(d.force, e.force, sizeof d.force);
    memcpy(d.beta, e.beta, sizeof d.beta);
    ksiSystemSetForce(system, d.force);
    ksiSystemSetBeta(system, d.beta);
    double a[KIT_COORDINATES];
    solveWide(&d, multiplier, a);
    expectBoth(system, multiplier, a, 1e-11);
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gauss");
    TCase *examples = tcase_create("examples");
    tcase_add_test(examples, paulusInclines);
    tcase_add_test(examples, paulusPendulum);
    tcase_add_test(examples, guginoSleigh);
    tcase_add_loop_test(examples, banachThreeRods, 0, 5);
    tcase_add_test(examples, banachDoublePulley);
    tcase_add_test(examples, banachRotatingLine);
    tcase_add_test(examples, banachAtwood);
    tcase_add_test(examples, banachSurface);
    tcase_add_test(examples, banachParabola);
    suite_add_tcase(suite, examples);
    TCase *numbers = tcase_create("numbers");
    tcase_add_loop_test(numbers, againstReference, 0, 150);
    tcase_add_loop_test(numbers, errorBars, 0, 24);
    tcase_add_loop_test(numbers, roughAndRefined, 0, 10);
    tcase_add_loop_test(numbers, nearlyDependent, 0, 20);
    suite_add_tcase(suite, numbers);
    TCase *rows = tcase_create("rows");
    tcase_add_loop_test(rows, dependentToRounding, 0, 25);
    tcase_add_loop_test(rows, singularWithoutLostPivot, 0, 60);
    tcase_add_test(rows, redundantShare);
    tcase_add_loop_test(rows, contradiction, 0, 2);
    tcase_add_test(rows, knownRow);
    tcase_add_loop_test(rows, boundIsLeft, 0, 2);
    tcase_add_test(rows, newLoads);
    suite_add_tcase(suite, rows);
    return runSuite(suite);
}
