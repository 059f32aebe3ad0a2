/* check_coordinates.c  Lagrange's equations from positions, against closed forms and against Newton
 * and Euler. */
#include "tests/kits/coordinates_kit.h"

#include <kinetostat/system.h>

/* A few terms of size 1 to 100, each with a few roundings of its own; differences are relative to 1
 * + their size. */
#define CLOSE(a, b) ck_assert_near((a), (b), ROUNDING *(1 + fabs((double)(b))))

enum { DRAWS = 200 };

/* Each operation against its derivatives by hand, at x, y with the seeds x' = (1, 0), y' = (0, 1),
 * or (1, 1) of one variable. */
START_TEST(operations)
{
    unsigned long long random = 7;
    for (int i = 0; i < DRAWS; i++) {
        const double x = 1.5 + draw(&random), y = 2 + draw(&random), e = exp(x);
        const ksDual a = {x, 1, 0, 0}, b = {y, 0, 1, 0}, c = {x, 1, 1, 0};
        const ksDual product = ksDualMul(a, b), quotient = ksDualDiv(a, b), sum = ksDualSub(ksDualAdd(a, b), c);
        CLOSE(product.mixed, 1);
        CLOSE(product.first, y);
        CLOSE(product.second, x);
        CLOSE(quotient.value, x / y);
        CLOSE(quotient.first, 1 / y);
        CLOSE(quotient.second, -x / (y * y));
        CLOSE(quotient.mixed, -1 / (y * y));
        CLOSE(sum.value, y);
        CLOSE(sum.first, 0);
        CLOSE(sum.second, 0);
        // a function whose derivatives the host supplies: a^2 b, by its gradient and second
        // derivatives
        const ksDual u = ksDualSin(ksDualAdd(c, b)), v = ksDualMul(b, c), byRules = ksDualMul(ksDualMul(u, u), v);
        const double s[2] = {u.value, v.value}, gradient[2] = {2 * s[0] * s[1], s[0] * s[0]};
        const double bend[2] = {2 * s[1] * u.second + 2 * s[0] * v.second, 2 * s[0] * u.second};
        CLOSE(gradient[0] * u.first + gradient[1] * v.first, byRules.first);
        CLOSE(gradient[0] * u.mixed + gradient[1] * v.mixed + u.first * bend[0] + v.first * bend[1], byRules.mixed);
        const struct {
            ksDual found;
            double value, first, second;
        } of[] = {{ksDualSin(c), sin(x), cos(x), -sin(x)},
                  {ksDualCos(c), cos(x), -sin(x), -cos(x)},
                  {ksDualSqrt(c), sqrt(x), 0.5 / sqrt(x), -0.25 / (x * sqrt(x))},
                  {ksDualMul(c, ksDualMul(c, c)), x * x * x, 3 * x * x, 6 * x},
                  {ksDualDiv(ksDualOf(1), c), 1 / x, -1 / (x * x), 2 / (x * x * x)},
                  {ksDualScale(3, ksDualChain(c, e, e, e)), 3 * e, 3 * e, 3 * e}};
        for (int k = 0; k < COUNT_OF(of); k++) {
            CLOSE(of[k].found.value, of[k].value);
            CLOSE(of[k].found.first, of[k].first);
            CLOSE(of[k].found.second, of[k].first);
            CLOSE(of[k].found.mixed, of[k].second);
        }
    }
}
END_TEST

/* Two rods in angles, lengths 1.1 and 0.7; z upwards. */
static const double rodMass[2] = {1.3, 0.8}, rodLength[2] = {1.1, 0.7}, g = 9.81;

static ksStatus rodPlaces(const ksDual *q, ksDual t, ksDual *x, void *user)
{
    ksDual from[3] = {{0, 0, 0, 0}};
    (void)t;
    (void)user;
    for (int i = 0; i < 2; i++) {
        from[0] = x[3 * i] = ksDualAdd(from[0], ksDualScale(rodLength[i], ksDualSin(q[i])));
        from[2] = x[3 * i + 2] = ksDualSub(from[2], ksDualScale(rodLength[i], ksDualCos(q[i])));
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

static ksCoordinates *newRods(void)
{
    ksCoordinatesSpec spec = specOf(2, rodPlaces);
    spec.particleCount = 2;
    spec.particleMass = rodMass;
    spec.potential = rodHeight;
    return newCoordinates(&spec);
}

START_TEST(doublePendulum)
{
    unsigned long long random = 11;
    ksCoordinates *c = newRods();
    const double m1 = rodMass[0], m2 = rodMass[1], l1 = rodLength[0], l2 = rodLength[1];
    for (int i = 0; i < DRAWS; i++) {
        const double q[2] = {3 * draw(&random), 3 * draw(&random)}, w[2] = {4 * draw(&random), 4 * draw(&random)};
        const double co = cos(q[0] - q[1]), si = sin(q[0] - q[1]), k12 = m2 * l1 * l2 * co;
        const double k11 = (m1 + m2) * l1 * l1, k22 = m2 * l2 * l2;
        const double h[2] = {m2 * l1 * l2 * w[1] * w[1] * si, -m2 * l1 * l2 * w[0] * w[0] * si};
        const double pull[2] = {-(m1 + m2) * g * l1 * sin(q[0]), -m2 * g * l2 * sin(q[1])};
        const double kinetic = 0.5 * (k11 * w[0] * w[0] + k22 * w[1] * w[1]) + k12 * w[0] * w[1];
        const double potential = -(m1 + m2) * g * l1 * cos(q[0]) - m2 * g * l2 * cos(q[1]);
        Answer a;
        ck_assert_ok(ksCoordinatesSet(c, q, w, 0.3));
        ask(c, 2, &a);
        CLOSE(a.mass[0], k11);
        CLOSE(a.mass[1], k12);
        CLOSE(a.mass[3], k22);
        ck_assert_double_eq(a.mass[1], a.mass[2]);
        for (int k = 0; k < 2; k++) {
            CLOSE(a.velocityTerms[k], h[k]);
            CLOSE(a.force[k], pull[k]);
            ck_assert_double_eq(a.linear[k], 0);
            // the bar is a few roundings, and also covers the roundings of the closed form
            ck_assert(fabs(a.applied[k] - (pull[k] - h[k])) <= a.bar[k]);
            ck_assert(a.bar[k] <= 1e-13 * (1 + fabs(pull[k]) + m2 * l1 * l2 * 32));
        }
        CLOSE(a.momentum[0], k11 * w[0] + k12 * w[1]);
        CLOSE(a.gradient[0], -m2 * l1 * l2 * w[0] * w[1] * si);
        CLOSE(a.of.kinetic, kinetic);
        CLOSE(a.of.potential, potential);
        CLOSE(a.of.kineticPotential, kinetic - potential);
        CLOSE(a.of.hamiltonian, kinetic + potential);
        ck_assert_double_eq(a.of.gamma, 0);
    }
    ksCoordinatesDestroy(c);
}
END_TEST

/* The remainder of a motion, and its departure from the true one, A^-1 rho (Radakovic 1896). */
START_TEST(remainderOfPendulum)
{
    unsigned long long random = 13;
    ksCoordinates *c = newRods();
    for (int i = 0; i < DRAWS; i++) {
        const double q[2] = {3 * draw(&random), 3 * draw(&random)}, w[2] = {4 * draw(&random), 4 * draw(&random)};
        const double b[2] = {8 * draw(&random), 8 * draw(&random)};
        double rho[2], bar[2], off[2], rate[2], gradient[2], force[2], sum = 0;
        ksRemainder r = {rate, gradient, force, rho, bar, off, 0, {0}};
        Answer a;
        ck_assert_ok(ksCoordinatesSet(c, q, w, 0));
        ask(c, 2, &a);
        ck_assert_ok(ksCoordinatesGetRemainder(c, b, &r));
        for (int k = 0; k < 2; k++) {
            const double closed = a.mass[2 * k] * b[0] + a.mass[2 * k + 1] * b[1] - a.applied[k];
            ck_assert(fabs(rho[k] - closed) <= bar[k] + a.bar[k]);
            ck_assert(bar[k] <= 1e-12 * (1 + fabs(rate[k]) + fabs(gradient[k]) + fabs(force[k])));
            ck_assert_double_eq(rho[k], rate[k] - gradient[k] - force[k]);
            CLOSE(a.mass[2 * k] * off[0] + a.mass[2 * k + 1] * off[1], rho[k]);
            sum += 0.5 * rho[k] * off[k];
        }
        CLOSE(r.unexplained, sum);
        // the motion without its departure has no remainder
        const double truth[2] = {b[0] - off[0], b[1] - off[1]};
        r.departure = NULL;
        ck_assert_ok(ksCoordinatesGetRemainder(c, truth, &r));
        for (int k = 0; k < 2; k++)
            ck_assert_near(rho[k], 0, 1e-11);
        ck_assert(isnan(r.unexplained));
    }
    ksCoordinatesDestroy(c);
}
END_TEST

/* A bead on a wire that turns by an angle f(t), at a distance d from the axis; q is the position
 * along the wire.
 *     A = m,  b = -m d f',  gamma = 1/2 m f'^2 (q^2 + d^2),  h = -m (q f'^2 + d f'') */
typedef struct Wire {
    double d, speed, gain; /* f = speed t + gain t^2 / 2 */
} Wire;

static const double beadMass = 1.7;

static ksStatus wirePlaces(const ksDual *q, ksDual t, ksDual *x, void *user)
{
    const Wire *w = user;
    const ksDual angle = ksDualAdd(ksDualScale(w->speed, t), ksDualScale(0.5 * w->gain, ksDualMul(t, t)));
    const ksDual co = ksDualCos(angle), si = ksDualSin(angle);
    x[0] = ksDualSub(ksDualMul(q[0], co), ksDualScale(w->d, si));
    x[1] = ksDualAdd(ksDualMul(q[0], si), ksDualScale(w->d, co));
    return KS_OK;
}

static ksCoordinates *newWire(Wire *w)
{
    ksCoordinatesSpec spec = specOf(1, wirePlaces);
    spec.particleCount = 1;
    spec.particleMass = &beadMass;
    spec.user = w;
    return newCoordinates(&spec);
}

START_TEST(rotatingWire)
{
    unsigned long long random = 17;
    for (int i = 0; i < DRAWS; i++) {
        Wire w = {draw(&random), 3 * draw(&random), i % 2 ? 2 * draw(&random) : 0};
        const double t = 2 * draw(&random), q = 2 * draw(&random), v = 3 * draw(&random);
        const double turn = w.speed + w.gain * t, gamma = 0.5 * beadMass * turn * turn * (q * q + w.d * w.d);
        ksCoordinates *c = newWire(&w);
        double back;
        int cyclic[2];
        Answer a;
        ck_assert_ok(ksCoordinatesSet(c, &q, &v, t));
        ask(c, 1, &a);
        CLOSE(a.mass[0], beadMass);
        CLOSE(a.linear[0], -beadMass * w.d * turn);
        CLOSE(a.of.gamma, gamma);
        CLOSE(a.velocityTerms[0], -beadMass * (q * turn * turn + w.d * w.gain));
        CLOSE(a.momentum[0], beadMass * (v - w.d * turn));
        CLOSE(a.of.kinetic, 0.5 * beadMass * v * v + a.linear[0] * v + gamma);
        CLOSE(a.of.hamiltonian, 0.5 * beadMass * v * v - gamma);
        ck_assert_ok(ksCoordinatesGetVelocity(c, &q, a.momentum, t, &back));
        CLOSE(back, v);
        // at a constant rate Hamilton's function is constant, and differs from the energy
        ck_assert_ok(ksCoordinatesGetCyclic(c, cyclic));
        ck_assert_int_eq(cyclic[0], 0);
        ck_assert_int_eq(cyclic[1], w.gain == 0);
        ksCoordinatesDestroy(c);
    }
}
END_TEST

/* A particle on a sphere: theta from the z axis, phi about it. */
static ksStatus spherePlaces(const ksDual *q, ksDual t, ksDual *x, void *user)
{
    const double *radius = user;
    const ksDual across = ksDualScale(*radius, ksDualSin(q[0]));
    (void)t;
    x[0] = ksDualMul(across, ksDualCos(q[1]));
    x[1] = ksDualMul(across, ksDualSin(q[1]));
    x[2] = ksDualScale(*radius, ksDualCos(q[0]));
    return KS_OK;
}

static ksStatus sphereHeight(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    ksDual x[3];
    spherePlaces(q, t, x, user);
    *value = ksDualScale(beadMass * g, x[2]);
    return KS_OK;
}

/* q' from p, and p' = dL/dq + Q. */
static void canonical(ksCoordinates *c, const double y[4], double dy[4], double *hamiltonian)
{
    Answer a;
    ck_assert_ok(ksCoordinatesGetVelocity(c, y, y + 2, 0, dy));
    ck_assert_ok(ksCoordinatesSet(c, y, dy, 0));
    ask(c, 2, &a);
    for (int i = 0; i < 2; i++)
        dy[2 + i] = a.gradient[i] + a.force[i];
    *hamiltonian = a.of.hamiltonian;
}

/* One second of Hamilton's equations by Runge and Kutta: returns the largest change of Hamilton's
 * function. */
static double integrate(ksCoordinates *c, const double start[4], int steps)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double y[4], first = 0, worst = 0, h;
    memcpy(y, start, sizeof y);
    for (int i = 0; i < steps; i++) {
        double k[4] = {0}, at[4], sum[4] = {0};
        for (int stage = 0; stage < 4; stage++) {
            for (int j = 0; j < 4; j++)
                at[j] = y[j] + part[stage] / steps * k[j];
            canonical(c, at, k, &h);
            if (stage == 0) {
                first = i ? first : h;
                worst = fmax(worst, fabs(h - first));
            }
            for (int j = 0; j < 4; j++)
                sum[j] += weight[stage] * k[j];
        }
        for (int j = 0; j < 4; j++)
            y[j] += sum[j] / steps;
        // a thousand roundings of a force that is zero
        ck_assert_near(y[3], start[3], 1e-12);
    }
    return worst;
}

/* The momentum of the cyclic angle is constant, and Hamilton's function is constant up to the
 * steps' error, of fourth order at least. */
START_TEST(sphericalPendulum)
{
    double radius = 1.3, y[4] = {2.1, 0.4}, unused[2];
    ksCoordinatesSpec spec = specOf(2, spherePlaces);
    spec.particleCount = 1;
    spec.particleMass = &beadMass;
    spec.potential = sphereHeight;
    spec.user = &radius;
    ksCoordinates *c = newCoordinates(&spec);
    const double inertia = beadMass * radius * radius, rate[2] = {-0.3, 1.1}, pole[2] = {0, 0.4};
    Answer a;
    int cyclic[3];
    ck_assert_ok(ksCoordinatesSet(c, y, rate, 0));
    ck_assert_ok(ksCoordinatesGetCyclic(c, cyclic));
    ck_assert(!cyclic[0] && cyclic[1] && cyclic[2]);
    ask(c, 2, &a);
    CLOSE(a.mass[0], inertia);
    CLOSE(a.mass[3], inertia * sin(y[0]) * sin(y[0]));
    ck_assert_near(a.mass[1], 0, ROUNDING);
    CLOSE(a.applied[0], inertia * sin(y[0]) * cos(y[0]) * 1.1 * 1.1 + beadMass * g * radius * sin(y[0]));
    CLOSE(a.applied[1], 2 * inertia * sin(y[0]) * cos(y[0]) * 0.3 * 1.1);
    memcpy(y + 2, a.momentum, sizeof a.momentum[0] * 2);
    const double coarse = integrate(c, y, 500), fine = integrate(c, y, 1000);
    ck_assert_msg(fine < coarse / 15 && coarse < 1e-6, "%g %g", coarse, fine);
    // at the pole, the angle about it moves nothing
    ck_assert_int_eq(ksCoordinatesGetVelocity(c, pole, y + 2, 0, unused), KS_ERROR_NOT_POSITIVE_DEFINITE);
    ksCoordinatesDestroy(c);
}
END_TEST

/* A body in Euler angles z, x, z, whose centre moves along; torque and force are given. Newton and
 * Euler: I w' + w x I w = torque in the axes of the body. */
typedef struct Top {
    double torque[3], force[3], motor[3]; /* torque, force: in world axes; motor: along the
                                             coordinates */
    double seen[3];                       /* the angular velocity that the force callback
                                             received */
} Top;

static const double topMass = 2.3, topInertia[9] = {0.9, 0, 0, 0.12, 0.7, 0, -0.05, 0.08, 0.5};

static ksStatus topPlaces(const ksDual *q, ksDual t, ksDual *x, void *user)
{
    (void)t;
    (void)user;
    for (int i = 0; i < 3; i++)
        x[i] = q[3 + i];
    for (int i = 0; i < 9; i++)
        x[3 + i] = ksDualOf(i % 4 == 0);
    ksDualRotate(x + 3, 2, q[0]);
    ksDualRotate(x + 3, 0, q[1]);
    ksDualRotate(x + 3, 2, q[2]);
    return KS_OK;
}

static ksStatus topForce(const ksConfiguration *at, double *force, double *generalised, void *user)
{
    Top *top = user;
    for (int i = 0; i < 3; i++) {
        generalised[3 + i] = top->motor[i];
        force[i] = top->force[i];
        force[3 + i] = top->torque[i];
        top->seen[i] = at->angularVelocity[i];
    }
    return KS_OK;
}

/* w in the axes of the body, and its derivative, from the angles' first and second derivatives. */
static void bodyRates(const double *q, const double *v, const double *a, double w[3], double dw[3])
{
    const double st = sin(q[1]), ct = cos(q[1]), sp = sin(q[2]), cp = cos(q[2]);
    w[0] = v[0] * st * sp + v[1] * cp;
    w[1] = v[0] * st * cp - v[1] * sp;
    w[2] = v[0] * ct + v[2];
    dw[0] = a[0] * st * sp + v[0] * v[1] * ct * sp + v[0] * v[2] * st * cp + a[1] * cp - v[1] * v[2] * sp;
    dw[1] = a[0] * st * cp + v[0] * v[1] * ct * cp - v[0] * v[2] * st * sp - a[1] * sp - v[1] * v[2] * cp;
    dw[2] = a[0] * ct - v[0] * v[1] * st + a[2];
}

START_TEST(rigidBody)
{
    unsigned long long random = 19;
    Top top;
    ksCoordinatesSpec spec = specOf(6, topPlaces);
    spec.bodyCount = 1;
    spec.bodyMass = &topMass;
    spec.bodyInertia = topInertia;
    spec.force = topForce;
    spec.user = &top;
    ksCoordinates *c = newCoordinates(&spec);
    ksSystem *system = newSystem();
    for (int i = 0; i < DRAWS; i++) {
        double q[6], v[6], a[6], w[3], dw[3], iw[3], idw[3], kinetic = 0;
        Answer answer;
        for (int k = 0; k < 6; k++) {
            q[k] = k == 1 ? 1.5 + draw(&random) : 3 * draw(&random);
            v[k] = 3 * draw(&random);
        }
        for (int k = 0; k < 3; k++) {
            top.torque[k] = 5 * draw(&random);
            top.force[k] = 5 * draw(&random);
            top.motor[k] = 5 * draw(&random);
        }
        ck_assert_ok(ksCoordinatesSet(c, q, v, 0));
        ask(c, 6, &answer);
        ksSystemClear(system);
        putBlock(system, 6, answer.mass, answer.applied, v);
        ck_assert_ok(ksSystemSolveMotion(system, a));
        bodyRates(q, v, a, w, dw);

        // R = Rz(q0) Rx(q1) Rz(q2), from the body to the world
        const double c0 = cos(q[0]), s0 = sin(q[0]), c1 = cos(q[1]), s1 = sin(q[1]), c2 = cos(q[2]), s2 = sin(q[2]);
        const double r[3][3] = {{c0 * c2 - s0 * c1 * s2, -c0 * s2 - s0 * c1 * c2, s0 * s1},
                                {s0 * c2 + c0 * c1 * s2, -s0 * s2 + c0 * c1 * c2, -c0 * s1},
                                {s1 * s2, s1 * c2, c1}};
        for (int k = 0; k < 3; k++) {
            iw[k] = idw[k] = 0;
            for (int m = 0; m < 3; m++) {
                const double inertia = topInertia[k > m ? 3 * k + m : 3 * m + k];
                iw[k] += inertia * w[m];
                idw[k] += inertia * dw[m];
            }
            kinetic += 0.5 * (w[k] * iw[k] + topMass * v[3 + k] * v[3 + k]);
            CLOSE(a[3 + k], (top.force[k] + top.motor[k]) / topMass);
            CLOSE(top.seen[k], r[k][0] * w[0] + r[k][1] * w[1] + r[k][2] * w[2]);
        }
        for (int k = 0; k < 3; k++) {
            const int m = (k + 1) % 3, n = (k + 2) % 3;
            const double torque = r[0][k] * top.torque[0] + r[1][k] * top.torque[1] + r[2][k] * top.torque[2];
            // the angles' accelerations are up to a few hundred, since sin(q[1]) can be 0.5
            ck_assert_near(idw[k] + w[m] * iw[n] - w[n] * iw[m], torque, 1e-11);
        }
        CLOSE(answer.of.kinetic, kinetic);
    }
    ksSystemDestroy(system);
    ksCoordinatesDestroy(c);
}
END_TEST

/* A rod without inertia about its axis, on a turntable: as a body, and as two particles at its
 * ends. Coordinates: its centre, its bearing and its tilt. */
static const double rodHalf = 0.6;

static ksStatus dumbbellBody(const ksDual *q, ksDual t, ksDual *x, void *user)
{
    (void)user;
    const ksDual turn = ksDualScale(0.9, t), co = ksDualCos(turn), si = ksDualSin(turn);
    x[0] = ksDualSub(ksDualMul(co, q[0]), ksDualMul(si, q[1]));
    x[1] = ksDualAdd(ksDualMul(si, q[0]), ksDualMul(co, q[1]));
    for (int i = 0; i < 9; i++)
        x[3 + i] = ksDualOf(i % 4 == 0);
    ksDualRotate(x + 3, 2, ksDualAdd(turn, q[2]));
    ksDualRotate(x + 3, 1, q[3]);
    return KS_OK;
}

static ksStatus dumbbellParticles(const ksDual *q, ksDual t, ksDual *x, void *user)
{
    ksDual body[12] = {{0, 0, 0, 0}};
    dumbbellBody(q, t, body, user);
    for (int i = 0; i < 3; i++) {
        x[i] = ksDualAdd(body[i], ksDualScale(rodHalf, body[3 + 3 * i]));
        x[3 + i] = ksDualSub(body[i], ksDualScale(rodHalf, body[3 + 3 * i]));
    }
    return KS_OK;
}

START_TEST(bodiesAndParticles)
{
    unsigned long long random = 23;
    ksCoordinates *both[2];
    const double half[2] = {0.8, 0.8}, mass = half[0] + half[1], across = mass * rodHalf * rodHalf;
    const double inertia[9] = {0, 0, 0, 0, across, 0, 0, 0, across};
    for (int i = 0; i < 2; i++) {
        ksCoordinatesSpec spec = specOf(4, i ? dumbbellBody : dumbbellParticles);
        spec.particleCount = i ? 0 : 2;
        spec.particleMass = half;
        spec.bodyCount = i;
        spec.bodyMass = &mass;
        spec.bodyInertia = inertia;
        both[i] = newCoordinates(&spec);
    }
    for (int i = 0; i < DRAWS; i++) {
        double q[4], v[4];
        Answer a[2];
        for (int k = 0; k < 4; k++) {
            q[k] = 2 * draw(&random);
            v[k] = 3 * draw(&random);
        }
        for (int k = 0; k < 2; k++) {
            ck_assert_ok(ksCoordinatesSet(both[k], q, v, 0.7));
            ask(both[k], 4, &a[k]);
        }
        for (int k = 0; k < 16; k++)
            CLOSE(a[1].mass[k], a[0].mass[k]);
        for (int k = 0; k < 4; k++) {
            CLOSE(a[1].velocityTerms[k], a[0].velocityTerms[k]);
            CLOSE(a[1].linear[k], a[0].linear[k]);
            CLOSE(a[1].gradient[k], a[0].gradient[k]);
        }
        CLOSE(a[1].of.gamma, a[0].of.gamma);
        CLOSE(a[1].of.hamiltonian, a[0].of.hamiltonian);
    }
    ksCoordinatesDestroy(both[0]);
    ksCoordinatesDestroy(both[1]);
}
END_TEST

int main(void)
{
    TCase *forms = tcase_create("closed forms");
    tcase_add_test(forms, operations);
    tcase_add_test(forms, doublePendulum);
    tcase_add_test(forms, remainderOfPendulum);
    tcase_add_test(forms, rotatingWire);
    tcase_add_test(forms, sphericalPendulum);
    tcase_add_test(forms, rigidBody);
    tcase_add_test(forms, bodiesAndParticles);
    return runCase("coordinates", forms);
}
