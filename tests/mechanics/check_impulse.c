/* check_impulse.c  Impacts and mobilities: Lamb 1911, §1, two links and his theorems on random
 * systems. */
#include "tests/kits/system_kit.h"

/* Random systems of up to 30 rows over 36 coordinates, mass ratios up to 1e6: the orthogonal route,
 * scaled by the masses, stays within 1e-13 of the largest number of its kind. */
#define RANDOM_ROUNDING 1e-12

static const double xAxis[3] = {1, 0, 0}, yAxis[3] = {0, 1, 0}, zAxis[3] = {0, 0, 1};

/* Two links of mass and length 1 in line, A (-1, 0, 0), joint B at the origin, C (1, 0, 0). */
static const double centre[2][3] = {{-0.5, 0, 0}, {0.5, 0, 0}}, endA[3] = {-1, 0, 0}, jointB[3] = {0, 0, 0},
                    endC[3] = {1, 0, 0};

typedef enum Held { HELD_NONE, HELD_C, HELD_B, HELD_RIGID, HELD_COUNT } Held;

/* A row that keeps the velocity of the point of link a along `axis`, against link b or the
 * ground. */
static int addPoint(ksSystem *system, int a, int b, const double *point, const double *axis)
{
    double ja[6], jb[6];
    ksProbeForce(centre[a], point, axis, ja);
    if (b >= 0) {
        ksProbeForce(centre[b], point, axis, jb);
        for (int i = 0; i < 6; i++)
            jb[i] = -jb[i];
    }
    return addRow(system, a, ja, b, jb, 0, 0);
}

static ksSystem *twoLinks(Held held)
{
    ksSystem *system = newSystem();
    const double diagonal[6] = {1, 1, 1, 1 / 12.0, 1 / 12.0, 1 / 12.0};
    for (int link = 0; link < 2; link++)
        ck_assert_int_eq(addDiagonal(system, 6, diagonal, NULL), link);
    addPoint(system, 0, 1, jointB, xAxis);
    addPoint(system, 0, 1, jointB, yAxis);
    addPoint(system, 0, 1, jointB, zAxis);
    if (held == HELD_C)
        addPoint(system, 1, -1, endC, yAxis);
    if (held == HELD_B)
        addPoint(system, 0, -1, jointB, yAxis);
    if (held == HELD_RIGID) {
        const double turn[6] = {0, 0, 0, 0, 0, 1}, back[6] = {0, 0, 0, 0, 0, -1};
        addRow(system, 0, turn, 1, back, 0, 0);
    }
    return system;
}

/* A probe on one link. */
typedef struct Spot {
    ksProbe probe;
    int block;
    double direction[6];
    const double *piece;
} Spot;

static const ksProbe *finish(Spot *spot, int block)
{
    spot->block = block;
    spot->piece = spot->direction;
    spot->probe = (ksProbe){1, &spot->block, &spot->piece};
    return &spot->probe;
}

static const ksProbe *force(Spot *spot, int link, const double *point, const double *axis)
{
    ksProbeForce(centre[link], point, axis, spot->direction);
    return finish(spot, link);
}

static const ksProbe *couple(Spot *spot, int link)
{
    ksProbeCouple(zAxis, spot->direction);
    return finish(spot, link);
}

/* Coefficients of mobility (Maxwell, Lamb): AA, AB, AC, BB; A and B with the angular velocities;
 * the angular velocities with each other. B is the same point of either link. */
START_TEST(lambMobilities)
{
    Spot spot[6];
    const ksProbe *a = force(&spot[0], 0, endA, yAxis), *b = force(&spot[1], 0, jointB, yAxis),
                  *b2 = force(&spot[2], 1, jointB, yAxis), *c = force(&spot[3], 1, endC, yAxis),
                  *w1 = couple(&spot[4], 0), *w2 = couple(&spot[5], 1);
    const struct {
        const ksProbe *at, *from;
        double mobility;
    } wanted[] = {{a, a, 3.5}, {a, b, -1},   {a, b2, -1},   {a, c, 0.5},   {b, b, 2},     {b2, b2, 2},
                  {b, b2, 2},  {c, c, 3.5},  {b, c, -1},    {a, w1, -4.5}, {a, w2, 1.5},  {b, w1, 3},
                  {b, w2, -3}, {c, w2, 4.5}, {w1, w1, 7.5}, {w2, w2, 7.5}, {w1, w2, -4.5}};
    ksSystem *system = twoLinks(HELD_NONE);
    for (int i = 0; i < COUNT_OF(wanted); i++) {
        double there, back;
        ck_assert_ok(ksSystemGetMobility(system, wanted[i].at, wanted[i].from, &there));
        ck_assert_ok(ksSystemGetMobility(system, wanted[i].from, wanted[i].at, &back));
        ck_assert_near(there, wanted[i].mobility, ROUNDING);
        ck_assert_double_eq(there, back);
    }
    ksSystemDestroy(system);
}
END_TEST

/* 2T / P^2 of a blow at A: constraints lower it (Bertrand). With a prescribed velocity u of A, T =
 * 1/2 u^2 / AA is least without other constraints (Kelvin): u^2/7 free, u^2/4 with B rigid. */
START_TEST(lambBlow)
{
    static const double wanted[HELD_COUNT] = {3.5, 24 / 7.0, 3, 2};
    const double blow = 1.7, u = -0.6;
    Spot spot;
    const ksProbe *a = force(&spot, 0, endA, yAxis);
    double impulse[12] = {0}, velocity[12], mobility, c[5] = {0}, reaction[5];
    ksImpulse energy;
    ksSystem *system = twoLinks((Held)_i);
    ck_assert_ok(ksSystemGetMobility(system, a, a, &mobility));
    ck_assert_near(mobility, wanted[_i], ROUNDING);

    for (int i = 0; i < 6; i++)
        impulse[i] = blow * spot.direction[i];
    ck_assert_ok(ksSystemSolveImpulse(system, impulse, NULL, reaction, velocity, &energy));
    ck_assert_double_eq(energy.before, 0);
    ck_assert_near(2 * energy.after, wanted[_i] * blow * blow, ROUNDING * 10);
    ck_assert_near(2 * energy.given, wanted[_i] * blow * blow, ROUNDING * 10);
    ck_assert_near(energy.byRows, 0, ROUNDING);
    // the free link alone has the mobility 1 + (1/2)^2 12 = 4
    ck_assert_near(2 * energy.lost, (4 - wanted[_i]) * blow * blow, ROUNDING * 10);

    const int row = addPoint(system, 0, -1, endA, yAxis);
    c[row] = u;
    ck_assert_ok(ksSystemSolveImpulse(system, NULL, c, reaction, velocity, &energy));
    ck_assert_near(energy.after, 0.5 * u * u / wanted[_i], ROUNDING);
    ck_assert_near(energy.prescribed, energy.after, ROUNDING);
    ck_assert_near(energy.byRows, energy.after, ROUNDING);
    ck_assert_near(reaction[row], u / wanted[_i], ROUNDING);
    ck_assert_near(velocity[1] - 0.5 * velocity[5], u, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Fills the system, and returns 1/2 x^T M x. */
static double kinetic(const Dense *d, const double *x)
{
    double sum = 0;
    for (int i = 0; i < d->coordinates; i++)
        for (int j = 0; j < d->coordinates; j++)
            sum += 0.5 * x[i] * d->mass[i][j] * x[j];
    return sum;
}

static double along(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void drawVector(unsigned long long *state, double size, double *x, int count)
{
    for (int i = 0; i < count; i++)
        x[i] = size * draw(state);
}

/* The seed's random system: 1 to 30 rows, mass ratio 1 to 1e6, rigid or compliant. */
static ksSystem *drawSystem(Dense *d, int seed, double compliance, int atRest)
{
    ksSystem *system = newSystem();
    drawDense(d, (unsigned)seed, 1 + seed % KIT_ROWS, compliance, pow(10, seed % 7), 0);
    if (atRest)
        memset(d->velocity, 0, sizeof d->velocity);
    buildDense(system, d);
    return system;
}

#define SEEDS 100 /* in each of ten tests */

/* The whole impact against elimination in binary128: M v+ = (M v- + P) + J^T L, J v+ + S L = c. */
START_TEST(againstBinary128)
{
    static Dense d, reference;
    for (int seed = _i * SEEDS; seed < (_i + 1) * SEEDS; seed += 20) {
        double p[KIT_COORDINATES], c[KIT_ROWS], v[KIT_COORDINATES], l[KIT_ROWS], wantedV[KIT_COORDINATES];
        double wantedL[KIT_ROWS], largest = 0;
        unsigned long long state = (unsigned long long)seed;
        ksSystem *system = drawSystem(&d, seed, seed % 40 ? 1e-2 : 0, 0);
        drawVector(&state, 1, p, d.coordinates);
        drawVector(&state, 1, c, d.rows);
        reference = d;
        for (int i = 0; i < d.coordinates; i++)
            reference.force[i] = p[i] + along(d.mass[i], d.velocity, d.coordinates);
        memcpy(reference.beta, c, sizeof c);
        solveWide(&reference, wantedL, wantedV);
        ck_assert_ok(ksSystemSolveImpulse(system, p, c, l, v, NULL));
        for (int i = 0; i < d.coordinates; i++)
            largest = fmax(largest, fabs(wantedV[i]));
        for (int i = 0; i < d.coordinates; i++)
            ck_assert_near(v[i], wantedV[i], RANDOM_ROUNDING * largest);
        for (int i = 0; i < d.rows; i++)
            largest = fmax(largest, fabs(wantedL[i]));
        for (int i = 0; i < d.rows; i++)
            ck_assert_near(l[i], wantedL[i], RANDOM_ROUNDING * largest);
        ksSystemDestroy(system);
    }
}
END_TEST

/* The velocity along e from an impulse along d equals that along d from an impulse along e, by two
 * impacts and by the mobility. */
START_TEST(reciprocity)
{
    static Dense d;
    for (int seed = _i * SEEDS; seed < (_i + 1) * SEEDS; seed++) {
        double direction[2][KIT_COORDINATES], v[2][KIT_COORDINATES], mobility[3];
        unsigned long long state = (unsigned long long)seed;
        int block[KIT_BODIES];
        const double *piece[2][KIT_BODIES];
        ksSystem *system = drawSystem(&d, seed, seed % 2 ? 1e-3 : 0, 1);
        // with dependent rows, too
        if (seed % 3 == 0)
            addRow(system, d.block[0][0], &d.jacobian[0][6 * d.block[0][0]], d.block[0][1],
                   &d.jacobian[0][6 * d.block[0][1]], d.beta[0], 0);
        for (int k = 0; k < 2; k++) {
            drawVector(&state, 1, direction[k], d.coordinates);
            for (int b = 0; b < KIT_BODIES; b++) {
                block[b] = b;
                piece[k][b] = direction[k] + 6 * b;
            }
            ck_assert_ok(ksSystemSolveImpulse(system, direction[k], NULL, NULL, v[k], NULL));
        }
        const ksProbe e = {KIT_BODIES, block, piece[0]}, f = {KIT_BODIES, block, piece[1]};
        ck_assert_ok(ksSystemGetMobility(system, &e, &f, &mobility[0]));
        ck_assert_ok(ksSystemGetMobility(system, &e, &e, &mobility[1]));
        ck_assert_ok(ksSystemGetMobility(system, &f, &f, &mobility[2]));
        const double size = RANDOM_ROUNDING * sqrt(mobility[1] * mobility[2]);
        ck_assert_near(along(direction[0], v[1], d.coordinates), along(direction[1], v[0], d.coordinates), size);
        ck_assert_near(along(direction[0], v[1], d.coordinates), mobility[0], size);
        ck_assert_double_ge(mobility[1], 0);
        // Schwarz: B is positive semidefinite
        ck_assert_double_le(mobility[0] * mobility[0], mobility[1] * mobility[2] * (1 + RANDOM_ROUNDING));
        ksSystemDestroy(system);
    }
}
END_TEST

/* Bertrand: from rest, each further rigid row lowers the energy of a given impulse, and all
 * together lower it by 1/2 L^T A L. A compliant row lowers P . v, but not always T. */
START_TEST(bertrand)
{
    static Dense d, part;
    for (int seed = _i * SEEDS; seed < (_i + 1) * SEEDS; seed++) {
        const int compliant = seed % 2;
        double p[KIT_COORDINATES], l[KIT_ROWS], v[KIT_COORDINATES], push[KIT_COORDINATES] = {0}, last = INFINITY;
        unsigned long long state = (unsigned long long)seed;
        ksSystem *system = drawSystem(&d, seed, compliant ? 0.1 : 0, 1);
        drawVector(&state, 1, p, d.coordinates);
        ksImpulse energy = {0};
        for (int rows = 0; rows <= d.rows; rows += rows + 4 < d.rows || rows == d.rows ? 4 : d.rows - rows) {
            part = d;
            part.rows = rows;
            ksSystemClear(system);
            buildDense(system, &part);
            ck_assert_ok(ksSystemSolveImpulse(system, p, NULL, l, v, &energy));
            ck_assert_double_le(energy.given, last * (1 + ROUNDING));
            last = energy.given;
            if (!compliant)
                ck_assert_near(energy.after, energy.given, RANDOM_ROUNDING * energy.unconstrained);
        }
        // as an impulse on free bodies, J^T L has the energy 1/2 L^T A L
        ksSystemClear(system);
        part.rows = 0;
        buildDense(system, &part);
        for (int i = 0; i < d.coordinates; i++)
            for (int row = 0; row < d.rows; row++)
                push[i] += d.jacobian[row][i] * l[row];
        ksImpulse alone;
        ck_assert_ok(ksSystemSolveImpulse(system, push, NULL, NULL, NULL, &alone));
        ck_assert_near(energy.lost, alone.after + 2 * energy.stored, RANDOM_ROUNDING * energy.unconstrained);
        ksSystemDestroy(system);
    }
}
END_TEST

/* Kelvin: from rest, with prescribed velocities, the motion by impulses in those rows alone has the
 * least energy; any other has 1/2 dv^T M dv more. */
START_TEST(kelvin)
{
    static Dense d;
    for (int seed = _i * SEEDS; seed < (_i + 1) * SEEDS; seed++) {
        double p[KIT_COORDINATES], c[KIT_ROWS], least[KIT_COORDINATES], other[KIT_COORDINATES];
        unsigned long long state = (unsigned long long)seed;
        ksImpulse energy;
        ksSystem *system = drawSystem(&d, seed, 0, 1);
        drawVector(&state, 1, p, d.coordinates);
        drawVector(&state, 1, c, d.rows);
        ck_assert_ok(ksSystemSolveImpulse(system, NULL, c, NULL, least, &energy));
        const double t = energy.after;
        ck_assert_near(t, kinetic(&d, least), RANDOM_ROUNDING * t);
        ck_assert_ok(ksSystemSolveImpulse(system, p, c, NULL, other, &energy));
        double more[KIT_COORDINATES];
        for (int i = 0; i < d.coordinates; i++)
            more[i] = other[i] - least[i];
        ck_assert_double_gt(energy.after, t);
        ck_assert_near(energy.after - t, kinetic(&d, more), RANDOM_ROUNDING * energy.after);
        ksSystemDestroy(system);
    }
}
END_TEST

/* The three sums of ksImpulse; and Routh's theorem: P and c each have the part that they have
 * alone, from rest. */
START_TEST(energySums)
{
    static Dense d;
    for (int seed = _i * SEEDS; seed < (_i + 1) * SEEDS; seed++) {
        double p[KIT_COORDINATES], c[KIT_ROWS], v[KIT_COORDINATES];
        unsigned long long state = (unsigned long long)seed;
        const int atRest = seed % 2;
        ksImpulse e, byP, byC;
        ksSystem *system = drawSystem(&d, seed, seed % 3 ? 1e-2 : 0, atRest);
        drawVector(&state, 1, p, d.coordinates);
        drawVector(&state, 1, c, d.rows);
        ck_assert_ok(ksSystemSolveImpulse(system, p, c, NULL, v, &e));
        const double size = e.before + e.after + fabs(e.given) + e.unconstrained + fabs(e.lost);
        ck_assert_near(e.before, kinetic(&d, d.velocity), ROUNDING * size);
        ck_assert_near(e.after, kinetic(&d, v), RANDOM_ROUNDING * size);
        ck_assert_near(e.after, e.before + e.given + e.byRows, RANDOM_ROUNDING * size);
        ck_assert_near(e.after, e.unconstrained - e.lost, RANDOM_ROUNDING * size);
        ck_assert_near(e.after + e.stored, e.momentum + e.prescribed, RANDOM_ROUNDING * size);
        if (atRest) {
            ck_assert_ok(ksSystemSolveImpulse(system, p, NULL, NULL, v, &byP));
            ck_assert_near(e.momentum, 0.5 * along(p, v, d.coordinates), RANDOM_ROUNDING * size);
            ck_assert_ok(ksSystemSolveImpulse(system, NULL, c, NULL, v, &byC));
            ck_assert_double_eq(byP.prescribed + byC.momentum, 0);
            ck_assert_near(byP.after + byP.stored, e.momentum, RANDOM_ROUNDING * size);
            ck_assert_near(byC.after + byC.stored, e.prescribed, RANDOM_ROUNDING * size);
        }
        ksSystemDestroy(system);
    }
}
END_TEST

/* Without other impulses, rows with restitution e lose T- - T+ = (1 - e) / (1 + e) 1/2 dv^T M
 * dv. */
START_TEST(restitution)
{
    static Dense d;
    const double back[] = {0, 0.3, 0.8, 1};
    double c[KIT_ROWS], v[KIT_COORDINATES];
    ksImpulse e;
    ksSystem *system = drawSystem(&d, 40 + _i, 0, 0);
    for (int l = 0; l < d.rows; l++)
        c[l] = -back[_i] * along(d.jacobian[l], d.velocity, d.coordinates);
    ck_assert_ok(ksSystemSolveImpulse(system, NULL, c, NULL, v, &e));
    for (int i = 0; i < d.coordinates; i++)
        v[i] -= d.velocity[i];
    const double jump = kinetic(&d, v);
    ck_assert_near(e.before - e.after, (1 - back[_i]) / (1 + back[_i]) * jump, RANDOM_ROUNDING * e.before);
    ck_assert_near(e.lost, e.before - e.after, RANDOM_ROUNDING * e.before);
    ksSystemDestroy(system);
}
END_TEST

/* Rows that repeat others share their impulse and change no velocity; contradicting rows are named,
 * and nothing is lost. */
START_TEST(dependentRows)
{
    const double v[2] = {3, 1}, x[2] = {1, 0}, mass[4] = {2, 0, 0, 2};
    double velocity[2] = {0}, reaction[2] = {0}, c[2] = {0, 1};
    int block;
    ksImpulse energy = {.lost = 9};
    ksSystem *system = newSystem();
    ck_assert_ok(ksSystemAddBlock(system, 2, mass, NULL, v, &block));
    addRow(system, block, x, -1, NULL, 7, 0);
    addRow(system, block, x, -1, NULL, -7, 0);
    ck_assert_int_eq(ksSystemSolveImpulse(system, NULL, c, reaction, velocity, &energy), KS_ERROR_INCONSISTENT);
    ck_assert_int_ge(ksSystemCulprit(system), 0);
    ck_assert_double_eq(velocity[0] + reaction[0] + energy.lost, 9);
    ck_assert_ok(ksSystemSolveImpulse(system, NULL, NULL, reaction, velocity, &energy));
    ck_assert_near(velocity[0], 0, ROUNDING);
    ck_assert_near(velocity[1], 1, ROUNDING);
    ck_assert_near(reaction[0], -3, ROUNDING);
    ck_assert_near(reaction[1], -3, ROUNDING);
    ck_assert_near(energy.lost, 9, ROUNDING * 10);
    ksSystemDestroy(system);
}
END_TEST

/* Known rows neither hold nor push in an impact, and forces do not act. */
START_TEST(knownRow)
{
    const double f[2] = {50, 60}, x[2] = {1, 0}, y[2] = {0, 1}, p[2] = {4, 6};
    double velocity[2], reaction[2], mobility;
    const double *piece = x;
    int block;
    ksSystem *system = newSystem();
    block = addParticle(system, 2, 2, f);
    addBounded(system, block, x, -1, NULL, 3, 0, 7, 7);
    addBounded(system, block, y, -1, NULL, 3, 0, 0, 1e-3);
    ck_assert_ok(ksSystemSolveImpulse(system, p, NULL, reaction, velocity, NULL));
    ck_assert_near(velocity[0], 2, ROUNDING);
    ck_assert_near(velocity[1], 3, ROUNDING);
    ck_assert_double_eq(reaction[0], 0);
    // bounds are for forces: finite ones give no impulse
    ck_assert_double_eq(reaction[1], 0);
    const ksProbe probe = {1, &block, &piece};
    ck_assert_ok(ksSystemGetMobility(system, &probe, &probe, &mobility));
    ck_assert_near(mobility, 0.5, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* A compliant row transmits a part of the impulse: 1/m - 1/m^2 / (1/m + s). */
START_TEST(compliantRow)
{
    const double x[2] = {1, 0}, m = 2, s = 0.3;
    const double *piece = x;
    double mobility;
    ksSystem *system = newSystem();
    const int block = addParticle(system, 2, m, NULL);
    const ksProbe probe = {1, &block, &piece};
    addRow(system, block, x, -1, NULL, 0, s);
    ck_assert_ok(ksSystemGetMobility(system, &probe, &probe, &mobility));
    ck_assert_near(mobility, s / (1 + m * s), ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

START_TEST(probes)
{
    Spot spot;
    double mobility = 7, nan[6] = {0, NAN}, infinite[12] = {0}, velocity[12] = {0};
    ksSystem *system = twoLinks(HELD_NONE);
    const ksProbe *a = force(&spot, 0, endA, yAxis);
    const int twice[2] = {0, 0}, outside[1] = {2}, last[1] = {1};
    const double half[6] = {0, 0.5, 0, 0, 0, -0.25};
    const double *const halves[2] = {half, half}, *const bad[1] = {nan}, *const none[1] = {NULL};
    const ksProbe sum = {2, twice, halves}, empty = {0, NULL, NULL};
    ck_assert_ok(ksSystemGetMobility(system, a, &sum, &mobility));
    ck_assert_near(mobility, 3.5, ROUNDING);
    ck_assert_ok(ksSystemGetMobility(system, a, &empty, &mobility));
    ck_assert_double_eq(mobility, 0);
    mobility = 7;
    const struct {
        ksProbe probe;
        ksStatus status;
        int culprit;
    } refused[] = {{{1, outside, halves}, KS_ERROR_BAD_ARGUMENT, 2}, {{1, last, bad}, KS_ERROR_NOT_FINITE, 1},
                   {{1, last, none}, KS_ERROR_BAD_ARGUMENT, 1},      {{-1, last, halves}, KS_ERROR_BAD_ARGUMENT, -1},
                   {{1, NULL, halves}, KS_ERROR_BAD_ARGUMENT, -1},   {{1, last, NULL}, KS_ERROR_BAD_ARGUMENT, -1}};
    for (int i = 0; i < COUNT_OF(refused); i++)
        for (int swap = 0; swap < 2; swap++) {
            const ksProbe *p = &refused[i].probe;
            ck_assert_int_eq(ksSystemGetMobility(system, swap ? p : a, swap ? a : p, &mobility), refused[i].status);
            ck_assert_int_eq(ksSystemCulprit(system), refused[i].culprit);
        }
    ck_assert_int_eq(ksSystemGetMobility(system, NULL, a, &mobility), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemGetMobility(system, a, a, NULL), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemGetMobility(NULL, a, a, &mobility), KS_ERROR_BAD_ARGUMENT);
    ck_assert_double_eq(mobility, 7);
    infinite[3] = INFINITY;
    ck_assert_int_eq(ksSystemSolveImpulse(system, infinite, NULL, NULL, velocity, NULL), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksSystemSolveImpulse(system, NULL, nan, NULL, velocity, NULL), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksSystemCulprit(system), 1);
    ck_assert_int_eq(ksSystemSolveImpulse(NULL, NULL, NULL, NULL, velocity, NULL), KS_ERROR_BAD_ARGUMENT);
    const double c[3] = {1, 2, 3};
    ck_assert_ok(ksSystemSolveImpulse(system, NULL, c, NULL, NULL, NULL));
    // without blocks there is no impact
    ksImpulse energy;
    ksSystemClear(system);
    ck_assert_ok(ksSystemSolveImpulse(system, NULL, NULL, NULL, NULL, &energy));
    ck_assert_double_eq(energy.momentum + energy.prescribed + energy.after, 0);
    ksSystemDestroy(system);

    system = newSystem();
    ck_assert_ok(ksSystemSolveImpulse(system, NULL, NULL, NULL, NULL, NULL));
    ck_assert_ok(ksSystemGetMobility(system, &empty, &empty, &mobility));
    ck_assert_double_eq(mobility, 0);
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("impulse");
    TCase *lamb = tcase_create("lamb");
    tcase_add_test(lamb, lambMobilities);
    tcase_add_loop_test(lamb, lambBlow, 0, HELD_COUNT);
    suite_add_tcase(suite, lamb);
    TCase *random = tcase_create("random");
    tcase_add_loop_test(random, againstBinary128, 0, 10);
    tcase_add_loop_test(random, reciprocity, 0, 10);
    tcase_add_loop_test(random, bertrand, 0, 10);
    tcase_add_loop_test(random, kelvin, 0, 10);
    tcase_add_loop_test(random, energySums, 0, 10);
    tcase_add_loop_test(random, restitution, 0, 4);
    suite_add_tcase(suite, random);
    TCase *rows = tcase_create("rows");
    tcase_add_test(rows, dependentRows);
    tcase_add_test(rows, knownRow);
    tcase_add_test(rows, compliantRow);
    tcase_add_test(rows, probes);
    suite_add_tcase(suite, rows);
    return runSuite(suite);
}
