/* redundant_kit.h  Redundant systems for several tests: Banach's three rods in space, and a door. */
#ifndef TESTS_KITS_REDUNDANT_KIT_H
#define TESTS_KITS_REDUNDANT_KIT_H

#include "tests/kits/system_kit.h"

static const double g = 9.81;

typedef double Vector[3];

/* If set, the loads of the hinges' rows are known, and have these values. */
static const double *load;

/* Compliance of the hinges' rows; mass of the rod CB relative to the others. */
static double hingeCompliance = 0, heavier = 1;

static inline void cross(const Vector a, const Vector b, Vector out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* out = r x: the rotation by `tilt` about x, then by 0.7 tilt about z; identity for 0. */
static inline void rotate(double tilt, const Vector x, Vector out)
{
    const double c = cos(tilt), s = sin(tilt), c2 = cos(0.7 * tilt), s2 = sin(0.7 * tilt);
    const double y = c * x[1] - s * x[2], z = s * x[1] + c * x[2];
    out[0] = c2 * x[0] - s2 * y;
    out[1] = s2 * x[0] + c2 * y;
    out[2] = z;
}

/* A hinge as five rows: the point along the world's axes, then two angular rows across `axis` of
 * body a. arm: from each mass centre; rate: of each body about the common axis w; beta = w^2 (arm a
 * - arm b) in the plane. */
static inline void hingeRows(ksSystem *system, int a, const Vector armA, double rateA, int b, const Vector armB,
                             double rateB, const Vector axis)
{
    static const Vector unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Vector across[2], some = {0.3, 0.2, -0.9};
    cross(axis, some, across[0]);
    cross(axis, across[0], across[1]);
    for (int i = 0; i < 5; i++) {
        double ja[6] = {0}, jb[6] = {0}, beta = 0;
        if (i < 3) {
            memcpy(ja, unit[i], sizeof unit[i]);
            cross(armA, unit[i], ja + 3);
            beta = rateA * rateA * armA[i];
            if (b >= 0) {
                for (int k = 0; k < 3; k++)
                    jb[k] = -unit[i][k];
                cross(armB, jb, jb + 3);
                beta -= rateB * rateB * armB[i];
            }
        } else {
            for (int k = 0; k < 3; k++) {
                ja[3 + k] = across[i - 3][k];
                jb[3 + k] = -across[i - 3][k];
            }
        }
        const double lo = load ? *load : -INFINITY, hi = load ? *load++ : INFINITY;
        addBounded(system, a, ja, b, jb, beta, hingeCompliance, lo, hi);
    }
}

/* A rod of mass m and length l along the unit vector e; weight along -up. */
static inline int addRod(ksSystem *system, double m, double l, const Vector e, const Vector up)
{
    double mass[36] = {0}, force[6] = {0};
    for (int i = 0; i < 3; i++) {
        mass[7 * i] = m;
        force[i] = -m * g * up[i];
        for (int k = 0; k < 3; k++)
            mass[6 * (3 + i) + 3 + k] = m * l * l / 12 * ((i == k) - 0.99 * e[i] * e[k]);
    }
    return putBlock(system, 6, mass, force, NULL);
}

/* Banach X §7.2 in space: three rods on four hinges, 20 rows. `drift` displaces anchors and axes at
 * random. Rows: hinges O, C, A, B. */
static inline void banach(ksSystem *system, double angle, double rate, double tilt, double drift)
{
    const double m = 1.3, l = 0.9, half = 0.5 * l;
    const Vector er = {sin(angle), 0, -cos(angle)}, ex = {1, 0, 0}, ez = {0, 0, 1}, ey = {0, 1, 0};
    Vector rod, bar, up, axis, arm[8], tilted[4];
    unsigned long long state = 12345;
    rotate(tilt, er, rod);
    rotate(tilt, ex, bar);
    rotate(tilt, ez, up);
    rotate(tilt, ey, axis);
    const int oa = addRod(system, m, l, rod, up), ab = addRod(system, m, l, bar, up),
              cb = addRod(system, heavier * m, l, rod, up);
    for (int k = 0; k < 3; k++) {
        arm[0][k] = arm[1][k] = -half * rod[k];
        arm[2][k] = arm[3][k] = half * rod[k];
        arm[4][k] = -half * bar[k];
        arm[5][k] = half * bar[k];
    }
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++)
            arm[i][k] += drift * draw(&state);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            tilted[i][k] = axis[k] + drift * draw(&state);
    hingeRows(system, oa, arm[0], rate, -1, NULL, 0, tilted[0]);
    hingeRows(system, cb, arm[1], rate, -1, NULL, 0, tilted[1]);
    hingeRows(system, ab, arm[4], 0, oa, arm[2], rate, tilted[2]);
    hingeRows(system, ab, arm[5], 0, cb, arm[3], rate, tilted[3]);
}

/* A door on two hinges with one axis: 10 rows, rank 5. The hinges' positions of the door differ by
 * delta. */
static inline void door(ksSystem *system, double compliance, double delta)
{
    const double diagonal[6] = {20, 20, 20, 2, 5, 3}, force[6] = {0, 0, -20 * g, 0, 0, 0};
    const int b = addDiagonal(system, 6, diagonal, force);
    for (int hinge = 0; hinge < 2; hinge++) {
        const Vector arm = {-0.4, 0, hinge ? 0.7 : -0.7};
        for (int i = 0; i < 5; i++) {
            double j[6] = {0};
            if (i < 3) {
                j[i] = 1;
                cross(arm, j, j + 3);
            } else {
                j[i] = 1;
            }
            addRow(system, b, j, -1, NULL, hinge && i == 2 ? delta : 0, compliance);
        }
    }
}

#endif
