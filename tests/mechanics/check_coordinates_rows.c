/* check_coordinates_rows.c  Rows of constraints in general coordinates, relaxed coordinates,
 * Frobenius's condition. */
#include "mechanics/coordinates/coordinates_private.h"
#include "tests/kits/coordinates_kit.h"

#include <kinetostat/system.h>

/* A few terms of size 1 to 100, each with a few roundings of its own; differences are relative to 1
 * + their size. */
#define CLOSE(a, b) ck_assert_near((a), (b), ROUNDING *(1 + fabs((double)(b))))

enum { DRAWS = 200 };

static const double g = 9.81;

/* Two rods in angles q0, q1, whose lengths q2, q3 are relaxed coordinates. */
static const double rodMass[2] = {1.3, 0.8}, rodLength[2] = {1.1, 0.7};

static ksStatus rodPlaces(const ksDual *q, ksDual t, ksDual *x, void *user)
{
    ksDual from[3] = {{0, 0, 0, 0}};
    (void)t;
    (void)user;
    for (int i = 0; i < 2; i++) {
        from[0] = x[3 * i] = ksDualAdd(from[0], ksDualMul(q[2 + i], ksDualSin(q[i])));
        from[2] = x[3 * i + 2] = ksDualSub(from[2], ksDualMul(q[2 + i], ksDualCos(q[i])));
    }
    return KS_OK;
}

static ksStatus rodHeight(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    ksDual x[6] = {{0, 0, 0, 0}};
    rodPlaces(q, t, x, user);
    *value = ksDualAdd(ksDualScale(g * rodMass[0], x[2]), ksDualScale(g * rodMass[1], x[5]));
    return KS_OK;
}

/* 1/2 (|x_i - x_i-1|^2 - l^2), from the positions: dphi/dq = l. user: the rod. */
static ksStatus rodIsRigid(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    const int i = *(const int *)user;
    ksDual x[6] = {{0, 0, 0, 0}}, sum = ksDualOf(-0.5 * rodLength[i] * rodLength[i]);
    rodPlaces(q, t, x, NULL);
    for (int k = 0; k < 3; k++) {
        const ksDual off = i ? ksDualSub(x[3 + k], x[k]) : x[k];
        sum = ksDualAdd(sum, ksDualScale(0.5, ksDualMul(off, off)));
    }
    *value = sum;
    return KS_OK;
}

static ksCoordinatesSpec rodSpec(void)
{
    ksCoordinatesSpec spec = specOf(4, rodPlaces);
    spec.particleCount = 2;
    spec.particleMass = rodMass;
    spec.potential = rodHeight;
    return spec;
}

/* The multipliers of two particles in rectangular coordinates, with rows by hand. */
static void byParticles(ksSystem *system, const double *angle, const double *turn, double lambda[2])
{
    double x[4], v[4], row[4], beta[2];
    int block[2];
    ksSystemClear(system);
    for (int i = 0; i < 2; i++) {
        const double weight[2] = {0, -rodMass[i] * g}, l = rodLength[i];
        x[2 * i] = l * sin(angle[i]);
        x[2 * i + 1] = -l * cos(angle[i]);
        v[2 * i] = l * turn[i] * cos(angle[i]);
        v[2 * i + 1] = l * turn[i] * sin(angle[i]);
        beta[i] = -(v[2 * i] * v[2 * i] + v[2 * i + 1] * v[2 * i + 1]);
        block[i] = addParticle(system, 2, rodMass[i], weight);
    }
    addRow(system, block[0], x, -1, NULL, beta[0], 0);
    row[0] = -x[2];
    row[1] = -x[3];
    addRow(system, block[1], x + 2, block[0], row, beta[1], 0);
    ck_assert_ok(ksSystemSolvePaulus(system, lambda, NULL));
}

/* lambda by both routes in general coordinates, by rho = lambda dphi/dp along the motion, and by
 * rows written by hand. */
START_TEST(relaxedLengths)
{
    unsigned long long random = 29;
    const ksCoordinatesSpec spec = rodSpec();
    ksCoordinates *c = newCoordinates(&spec);
    ksSystem *system = newSystem(), *reference = newSystem();
    for (int i = 0; i < DRAWS; i++) {
        const double q[4] = {2 * draw(&random), 2 * draw(&random), rodLength[0], rodLength[1]};
        const double rate[4] = {3 * draw(&random), 3 * draw(&random), 0, 0};
        double closed[2], a[4], jacobian[4], rho[4], bar[4];
        ksRemainder remainder = {.remainder = rho, .bar = bar};
        Answer answer;
        byParticles(reference, q, rate, closed);
        ck_assert_ok(ksCoordinatesSet(c, q, rate, 0));
        ask(c, 4, &answer);
        ksSystemClear(system);
        const int block = putBlock(system, 4, answer.mass, answer.applied, rate);
        for (int l = 0; l < 2; l++) {
            ksConstraintRow row = {.jacobian = jacobian};
            ck_assert_ok(ksCoordinatesGetConstraint(c, rodIsRigid, &l, &row));
            CLOSE(jacobian[2 + l], rodLength[l]);
            ck_assert_near(row.value, 0, ROUNDING);
            ck_assert_near(row.rate, 0, ROUNDING);
            addRow(system, block, jacobian, -1, NULL, row.beta, 0);
        }
        // loads are up to a few hundred
        expectBoth(system, closed, NULL, ROUNDING);
        ck_assert_ok(ksSystemSolveMotion(system, a));
        ck_assert_ok(ksCoordinatesGetRemainder(c, a, &remainder));
        for (int l = 0; l < 2; l++) {
            ck_assert_near(rho[l], 0, 1e-11);
            ck_assert_near(rho[2 + l], closed[l] * rodLength[l], 1e-11);
            ck_assert(bar[2 + l] <= 1e-11);
        }
    }
    ksSystemDestroy(system);
    ksSystemDestroy(reference);
    ksCoordinatesDestroy(c);
}
END_TEST

/* A, b and gamma are the sums over the positions up to the rounding in the header, against
 * binary128. */
START_TEST(roundingOfSums)
{
    unsigned long long random = 41;
    const ksCoordinatesSpec spec = rodSpec();
    ksCoordinates *c = newCoordinates(&spec);
    const int k = c->numbers;
    double largest = 0;
    for (int round = 0; round < DRAWS; round++) {
        double q[4], rate[4];
        for (int i = 0; i < 4; i++) {
            q[i] = 2 * draw(&random);
            rate[i] = 3 * draw(&random);
        }
        ck_assert_ok(ksCoordinatesSet(c, q, rate, 0));
        const ksiCoordinatesState *s = &c->state[c->current];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                Wide sum = 0;
                for (int m = 0; m < k; m++)
                    sum += (Wide)rodMass[m / 3] * s->tangent[i * k + m] * s->tangent[j * k + m];
                const double off = (double)wideSize(sum - s->mass[4 * i + j]);
                const double bound = (k + 4) * 2.2e-16 * sqrt(s->mass[5 * i] * s->mass[5 * j]);
                ck_assert(off <= bound);
                largest = fmax(largest, off / bound);
            }
    }
    ck_assert_double_gt(largest, 0.01);
    ksCoordinatesDestroy(c);
}
END_TEST

static ksStatus plainHeight(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    (void)t;
    (void)user;
    *value = ksDualScale(particleMass * g, q[2]);
    return KS_OK;
}

/* A falling body: a coordinate that the kinetic energy does not contain can be in the potential. */
START_TEST(cyclicOfPotential)
{
    const double q[3] = {1, 2, 3};
    int cyclic[4];
    ksCoordinatesSpec spec = plainSpec(3);
    spec.potential = plainHeight;
    ksCoordinates *c = newCoordinates(&spec);
    ck_assert_ok(ksCoordinatesSet(c, q, q, 0));
    ck_assert_ok(ksCoordinatesGetCyclic(c, cyclic));
    ck_assert(cyclic[0] && cyclic[1] && !cyclic[2] && cyclic[3]);
    ksCoordinatesDestroy(c);
}
END_TEST

static const double turning = 1.3;

/* y cos wt - x sin wt = 0: a rotating plane; lambda = 2 m w r' (Banach X §4.3). */
static ksStatus turningPlane(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    const ksDual angle = ksDualScale(turning, t);
    (void)user;
    *value = ksDualSub(ksDualMul(q[1], ksDualCos(angle)), ksDualMul(q[0], ksDualSin(angle)));
    return KS_OK;
}

/* The same as a row of velocities, its own derivative: a = (-sin, cos, 0), a_0 = w (y sin + x
 * cos). */
static ksStatus turningPlaneForm(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    const ksDual angle = ksDualScale(turning, t), co = ksDualCos(angle), si = ksDualSin(angle);
    (void)user;
    value[0] = ksDualScale(-1, si);
    value[1] = co;
    value[3] = ksDualScale(turning, ksDualAdd(ksDualMul(q[1], si), ksDualMul(q[0], co)));
    return KS_OK;
}

START_TEST(rheonomicRows)
{
    unsigned long long random = 31;
    const ksCoordinatesSpec spec = plainSpec(3);
    ksCoordinates *c = newCoordinates(&spec);
    ksSystem *system = newSystem();
    for (int i = 0; i < DRAWS; i++) {
        const double t = 2 * draw(&random), r = 1.5 + draw(&random), speed = 2 * draw(&random);
        const double co = cos(turning * t), si = sin(turning * t), lambda = 2 * particleMass * turning * speed;
        const double q[3] = {r * co, r * si, draw(&random)};
        const double v[3] = {speed * co - turning * r * si, speed * si + turning * r * co, draw(&random)};
        ck_assert_ok(ksCoordinatesSet(c, q, v, t));
        for (int kind = 0; kind < 2; kind++) {
            double jacobian[3];
            ksConstraintRow row = {.jacobian = jacobian};
            Answer a;
            ck_assert_ok(kind ? ksCoordinatesGetVelocityRow(c, turningPlaneForm, NULL, &row)
                              : ksCoordinatesGetConstraint(c, turningPlane, NULL, &row));
            CLOSE(jacobian[0], -si);
            CLOSE(jacobian[1], co);
            ck_assert_near(row.rate, 0, ROUNDING);
            ck_assert(kind ? isnan(row.value) : fabs(row.value) < ROUNDING);
            ask(c, 3, &a);
            ksSystemClear(system);
            addRow(system, putBlock(system, 3, a.mass, a.applied, v), jacobian, -1, NULL, row.beta, 0);
            expectBoth(system, &lambda, NULL, ROUNDING);
        }
    }
    ksSystemDestroy(system);
    ksCoordinatesDestroy(c);
}
END_TEST

/* A sleigh: the runner does not slip sideways, lambda = m u w; coordinates x, y, and the bearing of
 * its blade. */
static const double sleighInertia[9] = {0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4};

static ksStatus sleighPlaces(const ksDual *q, ksDual t, ksDual *x, void *user)
{
    (void)t;
    (void)user;
    x[0] = q[0];
    x[1] = q[1];
    for (int i = 0; i < 9; i++)
        x[3 + i] = ksDualOf(i % 4 == 0);
    ksDualRotate(x + 3, 2, q[2]);
    return KS_OK;
}

static ksStatus runner(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    (void)t;
    (void)user;
    value[0] = ksDualScale(-1, ksDualSin(q[2]));
    value[1] = ksDualCos(q[2]);
    return KS_OK;
}

START_TEST(sleigh)
{
    ksCoordinatesSpec spec = specOf(3, sleighPlaces);
    spec.bodyCount = 1;
    spec.bodyMass = &particleMass;
    spec.bodyInertia = sleighInertia;
    ksCoordinates *c = newCoordinates(&spec);
    ksSystem *system = newSystem();
    const double u = 1.9, w = 0.8, angle = 0.4, q[3] = {3, -2, angle}, v[3] = {u * cos(angle), u * sin(angle), w};
    const double lambda = particleMass * u * w;
    double jacobian[3];
    ksConstraintRow row = {.jacobian = jacobian};
    ksIntegrability answer;
    Answer a;
    ck_assert_ok(ksCoordinatesSet(c, q, v, 0));
    ck_assert_ok(ksCoordinatesGetVelocityRow(c, runner, NULL, &row));
    ask(c, 3, &a);
    addRow(system, putBlock(system, 3, a.mass, a.applied, v), jacobian, -1, NULL, row.beta, 0);
    expectBoth(system, &lambda, NULL, ROUNDING);
    ck_assert_ok(ksCoordinatesGetIntegrability(c, 1, runner, NULL, &answer));
    ck_assert_int_eq(answer.integrable, 0);
    ck_assert_double_gt(answer.residual, 0.1);
    ksSystemDestroy(system);
    ksCoordinatesDestroy(c);
}
END_TEST

/* A rolling disc: q = (x, y, turn, bearing, any), x' = r cos(bearing) turn', y' = r sin(bearing)
 * turn'; and a constant bearing. */
static ksStatus discForms(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    const int rows = *(const int *)user;
    const double radius = 0.3;
    (void)t;
    for (int l = 0; l < rows; l++)
        value[6 * l + (l < 2 ? l : 3)] = ksDualOf(1);
    value[2] = ksDualScale(-radius, ksDualCos(q[3]));
    if (rows > 1)
        value[8] = ksDualScale(-radius, ksDualSin(q[3]));
    return KS_OK;
}

/* f(q) dpsi, psi = q0^2 q1 + sin(q2) t: with the factor f = 2 + cos(q1 q2), and with a given
 * relative error. */
static ksStatus factorForm(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    const ksDual factor = ksDualAdd(ksDualOf(2), ksDualCos(ksDualMul(q[1], q[2])));
    const ksDual psi[4] = {ksDualScale(2, ksDualMul(q[0], q[1])), ksDualMul(q[0], q[0]), ksDualMul(ksDualCos(q[2]), t),
                           ksDualScale(-1, ksDualSin(q[2]))};
    for (int i = 0; i < 4; i++)
        value[i] = ksDualMul(factor, psi[i]);
    value[0] = ksDualMul(value[0], ksDualAdd(ksDualOf(1), ksDualScale(*(const double *)user, q[2])));
    return KS_OK;
}

START_TEST(integrability)
{
    unsigned long long random = 37;
    const ksCoordinatesSpec five = plainSpec(5), three = plainSpec(3);
    ksCoordinates *disc = newCoordinates(&five), *plain = newCoordinates(&three);
    double longest = 0;
    for (int i = 0; i < DRAWS; i++) {
        double q[5], v[5];
        ksIntegrability answer;
        for (int k = 0; k < 5; k++) {
            q[k] = 1.5 + draw(&random);
            v[k] = draw(&random);
        }
        // rolling: neither row is integrable alone, nor are both; with a constant bearing all three
        // are
        ck_assert_ok(ksCoordinatesSet(disc, q, v, 0));
        for (int rows = 1; rows <= 3; rows++) {
            ck_assert_ok(ksCoordinatesGetIntegrability(disc, rows, discForms, &rows, &answer));
            ck_assert_int_eq(answer.integrable, rows == 3);
            ck_assert(rows == 3 ? answer.residual <= answer.bar : answer.residual > 1e-3);
        }
        ck_assert_ok(ksCoordinatesSet(plain, q, v, 1.2 + draw(&random)));
        for (double error = 0; error<2; error = error> 0 ? 10 * error : 1e-8) {
            ck_assert_ok(ksCoordinatesGetIntegrability(plain, 1, factorForm, &error, &answer));
            ck_assert_int_eq(answer.integrable, error == 0);
            longest = fmax(longest, answer.bar);
        }
        // the row of the rotating plane is the derivative of its constraint, including the time
        ck_assert_ok(ksCoordinatesGetIntegrability(plain, 1, turningPlaneForm, NULL, &answer));
        ck_assert_int_eq(answer.integrable, 1);
        ck_assert_double_gt(answer.bar, 0);
    }
    ck_assert_double_lt(longest, 1e-12);
    ksCoordinatesDestroy(disc);
    ksCoordinatesDestroy(plain);
}
END_TEST

int main(void)
{
    TCase *forms = tcase_create("closed forms");
    tcase_add_test(forms, relaxedLengths);
    tcase_add_test(forms, roundingOfSums);
    tcase_add_test(forms, cyclicOfPotential);
    tcase_add_test(forms, rheonomicRows);
    tcase_add_test(forms, sleigh);
    tcase_add_test(forms, integrability);
    return runCase("coordinates: rows", forms);
}
