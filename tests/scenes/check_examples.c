/* check_examples.c  The worked examples of the sources, by every route, against their closed forms; and Hamilton's
 * canonical equations as a second way to the same motion. */
#include "demos/worked/examples.h"
#include "tests/kits/system_kit.h"

/* Random parameters give a condition of order 10: a few hundred roundings at most. */
#define TOLERANCE 1e-12

enum { DRAWS = 201 }; /* round numbers, and 200 random ones */

static const char *const routeName[EXAMPLE_ROUTES] = {"Gauss", "Paulus", "an impact", "Paulus, singly",
                                                      "Paulus, own coordinate"};

static void checkRoute(const Example *example, ExampleCase *c, ExampleRoute route)
{
    double value[EXAMPLE_QUANTITIES];
    const ksStatus status = exampleSolve(c, route, value);
    ck_assert_msg(status == KS_OK, "%s, %s, draw %u, by %s: %s", example->source, example->system, c->draw,
                  routeName[route], ksStatusName(status));
    for (int k = 0; k < c->quantityCount; k++) {
        const ExampleQuantity *q = &c->quantity[k];
        const double difference = exampleDifference(q, value[k]);
        ck_assert_msg(difference <= TOLERANCE,
                      "%s, %s, draw %u: %s = %s is %.17g, by %s %.17g, relative difference %.2g", example->source,
                      example->system, c->draw, q->name, q->formula, q->closed, routeName[route], value[k], difference);
    }
}

START_TEST(closedForms)
{
    const Example *example = &exampleTable[_i];
    for (unsigned draw = 0; draw < DRAWS; draw++) {
        ExampleCase *c = exampleBuild(example, draw);
        ck_assert_ptr_nonnull(c);
        ck_assert_msg(c->quantityCount > 0, "%s, %s: nothing to compare", example->source, example->system);
        for (int route = 0; route < (c->hasOwn ? EXAMPLE_ROUTES : EXAMPLE_OWN); route++)
            checkRoute(example, c, (ExampleRoute)route);
        exampleFree(c);
    }
}
END_TEST

/* dphi/dp and rho = lambda dphi/dp of the source's own relaxed coordinates, Paulus 1910 (17), (18). */
START_TEST(ownCoordinates)
{
    const Example *example = &exampleTable[_i];
    for (unsigned draw = 0; draw < DRAWS; draw++) {
        ExampleCase *c = exampleBuild(example, draw);
        ck_assert_ptr_nonnull(c);
        for (int l = 0; l < c->rows; l++) {
            const ExampleOwn *own = &c->own[l];
            ksRelaxation r;
            if (!own->given)
                continue;
            ck_assert_ok(ksSystemRelaxRow(c->system, l, own->direction, NULL, &r));
            ck_assert_msg(fabs(r.derivative / own->derivative - 1) <= TOLERANCE,
                          "%s, %s, draw %u, row %d: dphi/dp is %.17g, not %.17g", example->source, example->system,
                          draw, l, own->derivative, r.derivative);
            ck_assert_msg(fabs(r.rho - r.multiplier * own->derivative) <= TOLERANCE * fabs(r.rho),
                          "%s, %s, draw %u, row %d: rho %.17g", example->source, example->system, draw, l, r.rho);
        }
        exampleFree(c);
    }
}
END_TEST

/* If rows prescribe nothing, the effect of the force along a form is a mobility, symmetric (Lamb
 * 1911 §1). */
START_TEST(mobilities)
{
    const Example *example = &exampleTable[_i];
    for (unsigned draw = 0; draw < DRAWS; draw++) {
        ExampleCase *c = exampleBuild(example, draw);
        int block[EXAMPLE_COORDINATES], moves = 0;
        const double *at[EXAMPLE_COORDINATES], *from[EXAMPLE_COORDINATES];
        ck_assert_ptr_nonnull(c);
        for (int l = 0; l < c->rows; l++)
            moves |= c->beta[l] != 0;
        for (int k = 0; k < c->quantityCount && !moves; k++) {
            const ExampleQuantity *q = &c->quantity[k];
            int reaction = q->offset != 0 || q->kind != EXAMPLE_LINEAR;
            for (int l = 0; l < c->rows; l++)
                reaction |= q->onRow[l] != 0;
            for (int b = 0; b < c->blockCount; b++) {
                block[b] = b;
                at[b] = q->onCoordinate + c->blockStart[b];
                from[b] = c->force + c->blockStart[b];
            }
            const ksProbe there = {c->blockCount, block, at}, here = {c->blockCount, block, from};
            double mobility, back;
            ck_assert_ok(ksSystemGetMobility(c->system, &there, &here, &mobility));
            ck_assert_ok(ksSystemGetMobility(c->system, &here, &there, &back));
            ck_assert_msg(reaction || (exampleDifference(q, mobility) <= TOLERANCE && mobility == back),
                          "%s, %s, draw %u: %s = %s is %.17g, as a mobility %.17g, and %.17g from there",
                          example->source, example->system, draw, q->name, q->formula, q->closed, mobility, back);
        }
        exampleFree(c);
    }
}
END_TEST

/* Differences are relative to the closed form or its largest term. For some parameters the two are
 * of the same size, so the scale hides nothing. */
START_TEST(noScaleIsIdle)
{
    const Example *example = &exampleTable[_i];
    double largest[EXAMPLE_QUANTITIES] = {0};
    int zero[EXAMPLE_QUANTITIES] = {0}, count = 0;
    for (unsigned draw = 0; draw < DRAWS; draw++) {
        ExampleCase *c = exampleBuild(example, draw);
        ck_assert_ptr_nonnull(c);
        count = c->quantityCount;
        for (int k = 0; k < count; k++) {
            ck_assert(c->quantity[k].scale > 0 && isfinite(c->quantity[k].scale));
            zero[k] = strcmp(c->quantity[k].formula, "0") == 0;
            largest[k] = fmax(largest[k], fabs(c->quantity[k].closed) / c->quantity[k].scale);
        }
        exampleFree(c);
    }
    for (int k = 0; k < count; k++)
        ck_assert_msg(zero[k] || largest[k] > 0.1 || largest[k] == 0, "%s, %s, quantity %d: scale is idle, %g",
                      example->source, example->system, k, largest[k]);
}
END_TEST

/* y' = slope(y) by Runge and Kutta; the error over this one second is below 1e-10. */
typedef void Slope(const double *y, double *dy, void *user);
enum { STATE = 9, STEPS = 2000 };
static const double stepSize = 5e-4, integrated = 1e-9;

static void advance(double *y, int size, Slope *slope, void *user)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double k[STATE] = {0}, at[STATE], sum[STATE] = {0};
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < size; i++)
            at[i] = y[i] + part[stage] * stepSize * k[i];
        slope(at, k, user);
        for (int i = 0; i < size; i++)
            sum[i] += weight[stage] * k[i];
    }
    for (int i = 0; i < size; i++)
        y[i] += stepSize * sum[i];
}

static const double mass = 1.5, spring = 2, radius = 0.8;

/* Banach X §8.2, (x, v), with the multiplier of the cylinder; Paulus's route gives the motion. */
static void cylinderByRows(const double *y, double *dy, void *user)
{
    ksSystem *system = user;
    const double force[3] = {-mass * spring * spring * y[0], -mass * spring * spring * y[1],
                             -mass * spring * spring * y[2]};
    const double row[3] = {2 * y[0], 2 * y[1], 0};
    ksSystemClear(system);
    const int p = addParticle(system, 3, mass, force);
    addRow(system, p, row, -1, NULL, -2 * (y[3] * y[3] + y[4] * y[4]), 0);
    memcpy(dy, y + 3, 3 * sizeof *dy);
    ck_assert_ok(ksSystemSolveMotion(system, dy + 3));
}

/* (phi, z, p_1, p_2): p_1 = m r^2 phi' is constant, p_2 = m z', p_2' = -m k^2 z. */
static void cylinderCanonical(const double *y, double *dy, void *user)
{
    (void)user;
    dy[0] = y[2] / (mass * radius * radius);
    dy[1] = y[3] / mass;
    dy[2] = 0;
    dy[3] = -mass * spring * spring * y[1];
}

START_TEST(canonicalCylinder)
{
    const double angle = 0.6, turn = 1.1, rise = -0.7;
    ksSystem *system = newSystem();
    double x[6] = {radius * cos(angle),         radius * sin(angle),        0.5,
                   -radius * turn * sin(angle), radius * turn * cos(angle), rise};
    double q[4] = {angle, 0.5, mass * radius * radius * turn, mass * rise}, h[2] = {0};
    for (int step = 0; step <= STEPS; step++) {
        double energy[2] = {0, q[2] * q[2] / (2 * mass * radius * radius) + q[3] * q[3] / (2 * mass) +
                                   0.5 * mass * spring * spring * (radius * radius + q[1] * q[1])};
        for (int i = 0; i < 3; i++)
            energy[0] += 0.5 * mass * (x[3 + i] * x[3 + i] + spring * spring * x[i] * x[i]);
        for (int way = 0; way < 2; way++) {
            h[way] = step ? h[way] : energy[way];
            ck_assert_near(energy[way], h[way], integrated);
        }
        ck_assert_near(x[0], radius * cos(q[0]), integrated);
        ck_assert_near(x[1], radius * sin(q[0]), integrated);
        ck_assert_near(x[2], q[1], integrated);
        advance(x, 6, cylinderByRows, system);
        advance(q, 4, cylinderCanonical, NULL);
    }
    ksSystemDestroy(system);
}
END_TEST

/* The double pendulum with m = l = 1, g = 9.81; D = a_1 - a_2. */
static const double g = 9.81;

/* (p, q, v_p, v_q): two rods along e, e . (relative acceleration) = -|relative velocity|^2. */
static void pendulumByRows(const double *y, double *dy, void *user)
{
    ksSystem *system = user;
    const double weight[2] = {0, -g}, e1[2] = {y[0], y[1]}, e2[2] = {y[2] - y[0], y[3] - y[1]};
    const double minus2[2] = {-e2[0], -e2[1]}, vx = y[6] - y[4], vy = y[7] - y[5];
    double multiplier[2];
    ksSystemClear(system);
    const int p = addParticle(system, 2, 1, weight), q = addParticle(system, 2, 1, weight);
    addRow(system, p, e1, -1, NULL, -(y[4] * y[4] + y[5] * y[5]), 0);
    addRow(system, q, e2, p, minus2, -(vx * vx + vy * vy), 0);
    memcpy(dy, y + 4, 4 * sizeof *dy);
    ck_assert_ok(ksSystemSolveGauss(system, multiplier, dy + 4));
}

/* (a_1, a_2, p_1, p_2): a' = K^-1 p, K = [2, cos D; cos D, 1], p_1' = -a_1' a_2' sin D - 2 g sin a_1,
 * p_2' = a_1' a_2' sin D - g sin a_2. */
static void pendulumCanonical(const double *y, double *dy, void *user)
{
    (void)user;
    const double c = cos(y[0] - y[1]), s = sin(y[0] - y[1]), det = 2 - c * c;
    dy[0] = (y[2] - c * y[3]) / det;
    dy[1] = (2 * y[3] - c * y[2]) / det;
    dy[2] = -dy[0] * dy[1] * s - 2 * g * sin(y[0]);
    dy[3] = dy[0] * dy[1] * s - g * sin(y[1]);
}

START_TEST(canonicalDoublePendulum)
{
    const double a1 = 0.7, a2 = -0.4, w1 = 1.2, w2 = -0.8, c = cos(a1 - a2);
    ksSystem *system = newSystem();
    double x[8] = {sin(a1), -cos(a1), sin(a1) + sin(a2), -cos(a1) - cos(a2), w1 * cos(a1), w1 * sin(a1)};
    double q[4] = {a1, a2, 2 * w1 + c * w2, c * w1 + w2}, dq[4], h[2] = {0};
    x[6] = x[4] + w2 * cos(a2);
    x[7] = x[5] + w2 * sin(a2);
    for (int step = 0; step <= STEPS; step++) {
        pendulumCanonical(q, dq, NULL);
        double energy[2] = {g * (x[1] + x[3]), 0.5 * (q[2] * dq[0] + q[3] * dq[1]) - g * (2 * cos(q[0]) + cos(q[1]))};
        for (int i = 4; i < 8; i++)
            energy[0] += 0.5 * x[i] * x[i];
        for (int way = 0; way < 2; way++) {
            h[way] = step ? h[way] : energy[way];
            ck_assert_near(energy[way], h[way], integrated);
        }
        ck_assert_near(x[0], sin(q[0]), integrated);
        ck_assert_near(x[2] - x[0], sin(q[1]), integrated);
        advance(x, 8, pendulumByRows, system);
        advance(q, 4, pendulumCanonical, NULL);
    }
    ksSystemDestroy(system);
}
END_TEST

/* Lamb 1911 §3, a smooth tube at the constant rate w, where the relations vary with time: the
 * energy grows by the work of the driver, and H = p^2 / 2m - m w^2 x^2 / 2 (20)-(23) is conserved
 * although it is not the energy. */
static const double rate = 1.2, inertia = 0.9;

/* (X, Y, angle, velocities, work of the driver), n . r'' - x angle'' = 2 w e . v */
static void tubeByRows(const double *y, double *dy, void *user)
{
    ksSystem *system = user;
    const double e[2] = {cos(y[2]), sin(y[2])}, n[2] = {-e[1], e[0]}, one[1] = {1};
    const double along = e[0] * y[0] + e[1] * y[1], arm[1] = {-along};
    double multiplier[2];
    ksSystemClear(system);
    const int p = addParticle(system, 2, mass, NULL), solid = addParticle(system, 1, inertia, NULL);
    addRow(system, solid, one, -1, NULL, 0, 0);
    addRow(system, p, n, solid, arm, 2 * y[5] * (e[0] * y[3] + e[1] * y[4]), 0);
    memcpy(dy, y + 3, 3 * sizeof *dy);
    ck_assert_ok(ksSystemSolveGauss(system, multiplier, dy + 3));
    dy[6] = multiplier[0] * y[5];
}

static void tubeCanonical(const double *y, double *dy, void *user)
{
    (void)user;
    dy[0] = y[1] / mass;
    dy[1] = mass * rate * rate * y[0];
}

START_TEST(canonicalTube)
{
    const double x0 = 0.4, v0 = 0.5;
    ksSystem *system = newSystem();
    double x[7] = {x0, 0, 0, v0, rate * x0, rate, 0}, q[2] = {x0, mass * v0}, h = 0, start = 0, energy = 0;
    for (int step = 0; step <= STEPS; step++) {
        const double canonical = q[1] * q[1] / (2 * mass) - 0.5 * mass * rate * rate * q[0] * q[0];
        energy = 0.5 * mass * (x[3] * x[3] + x[4] * x[4]) + 0.5 * inertia * x[5] * x[5];
        h = step ? h : canonical;
        start = step ? start : energy;
        ck_assert_near(canonical, h, integrated);
        ck_assert_near(energy - x[6], start, integrated);
        ck_assert_near(x[0], q[0] * cos(rate * step * stepSize), integrated);
        ck_assert_near(x[1], q[0] * sin(rate * step * stepSize), integrated);
        advance(x, 7, tubeByRows, system);
        advance(q, 2, tubeCanonical, NULL);
    }
    ck_assert_double_gt(energy, 1.2 * start);
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("examples");
    TCase *forms = tcase_create("closed forms"), *canonical = tcase_create("canonical equations");
    tcase_add_loop_test(forms, closedForms, 0, exampleCount);
    tcase_add_loop_test(forms, ownCoordinates, 0, exampleCount);
    tcase_add_loop_test(forms, mobilities, 0, exampleCount);
    tcase_add_loop_test(forms, noScaleIsIdle, 0, exampleCount);
    tcase_add_test(canonical, canonicalCylinder);
    tcase_add_test(canonical, canonicalDoublePendulum);
    tcase_add_test(canonical, canonicalTube);
    suite_add_tcase(suite, forms);
    suite_add_tcase(suite, canonical);
    return runSuite(suite);
}
