/* lagrange.c  The two examples of Paulus 1910, in our coordinates: positions are functions of free
 * and relaxed coordinates, L is their kinetic energy, and rho = d/dt dL/dp' - dL/dp - P, (17), at
 * relaxed coordinates 0. <kinetostat/coordinates.h> derives L from the positions. The same A, P and
 * velocity terms are a block of the system, and the conditions phi are its rows. */
#include "examples_private.h"

#include <kinetostat/coordinates.h>

enum { MOST = 4 }; /* coordinates; the first is free, each other one relaxes a condition */

/* Paulus's rho_l is lambda_l dphi_l/dp_l, (18). */
static void addRemainder(ExampleCase *c, int block, const double *rho, int l, const char *name, const char *formula,
                         double closed)
{
    static const double none[MOST] = {0};
    exampleAlong(c, block, none, rho[l], name, formula, closed);
}

/* Adds the block and the rows of a mechanism in this state. rho: of its coordinates, for the free
 * one's q''. */
static int addMechanism(ExampleCase *c, const ksCoordinatesSpec *spec, const double *q, const double *rate,
                        ksDualFn *const *phi, double free, double *rho)
{
    const int n = spec->coordinateCount;
    double mass[MOST * MOST], applied[MOST], jacobian[MOST];
    const double acceleration[MOST] = {free};
    ksLagrangian lagrangian = {.mass = mass, .applied = applied};
    ksRemainder remainder = {.remainder = rho};
    ksCoordinates *coordinates = NULL;
    int block = 0;
    if (!c->status)
        c->status = ksCoordinatesCreate(spec, &coordinates);
    if (!c->status)
        c->status = ksCoordinatesSet(coordinates, q, rate, 0);
    if (!c->status)
        c->status = ksCoordinatesGetLagrangian(coordinates, &lagrangian);
    if (!c->status)
        c->status = ksCoordinatesGetRemainder(coordinates, acceleration, &remainder);
    if (!c->status)
        block = exampleBlock(c, n, mass, applied);
    for (int l = 0; l + 1 < n && !c->status; l++) {
        ksConstraintRow row = {.jacobian = jacobian};
        c->status = ksCoordinatesGetConstraint(coordinates, phi[l], spec->user, &row);
        if (!c->status)
            exampleRow(c, block, jacobian, row.beta);
    }
    ksCoordinatesDestroy(coordinates);
    return block;
}

/* q: the path of the first weight down its plane and of the second up. p_1 and p_2 lift the
 * weights, p_3 lengthens the thread at the first. z down. */
typedef struct Inclines {
    double m, n, a, b, l;
} Inclines;

static void placeOnPlane(ksDual along, ksDual off, double angle, ksDual x[3])
{
    x[0] = ksDualSub(ksDualScale(cos(angle), along), ksDualScale(sin(angle), off));
    x[1] = ksDualOf(0);
    x[2] = ksDualAdd(ksDualScale(sin(angle), along), ksDualScale(cos(angle), off));
}

static ksStatus inclinePlaces(const ksDual *q, ksDual t, ksDual *x, void *user)
{
    const Inclines *w = user;
    (void)t;
    placeOnPlane(ksDualAdd(q[0], q[3]), q[1], w->a, x);
    placeOnPlane(ksDualSub(ksDualOf(w->l), q[0]), q[2], w->b, x + 3);
    return KS_OK;
}

static ksStatus inclineHeights(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    const Inclines *w = user;
    ksDual x[6];
    inclinePlaces(q, t, x, user);
    *value = ksDualAdd(ksDualScale(-w->m * g, x[2]), ksDualScale(-w->n * g, x[5]));
    return KS_OK;
}

static ksStatus firstPlane(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    const Inclines *w = user;
    ksDual x[6];
    inclinePlaces(q, t, x, user);
    *value = ksDualSub(x[2], ksDualScale(tan(w->a), x[0]));
    return KS_OK;
}

static ksStatus secondPlane(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    const Inclines *w = user;
    ksDual x[6];
    inclinePlaces(q, t, x, user);
    *value = ksDualSub(x[5], ksDualScale(tan(w->b), x[3]));
    return KS_OK;
}

static ksStatus thread(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    const Inclines *w = user;
    ksDual x[6];
    inclinePlaces(q, t, x, user);
    *value = ksDualAdd(ksDualAdd(ksDualScale(cos(w->a), x[0]), ksDualScale(sin(w->a), x[2])),
                       ksDualAdd(ksDualScale(cos(w->b), x[3]), ksDualScale(sin(w->b), x[5])));
    *value = ksDualSub(*value, ksDualOf(w->l));
    return KS_OK;
}

void paulusInclinesByL(ExampleCase *c)
{
    Inclines w = {.m = exampleDraw(c, 2, 0.5, 5),
                  .n = exampleDraw(c, 3.5, 0.5, 5),
                  .a = exampleDraw(c, 0.4, 0.1, 1.3),
                  .b = exampleDraw(c, 1.1, 0.1, 1.3),
                  .l = exampleDraw(c, 3, 2, 4)};
    const double q[MOST] = {exampleDraw(c, 1, 0.5, 1.5)}, rate[MOST] = {exampleDraw(c, 0.7, -2, 2)};
    const double mass[2] = {w.m, w.n}, both = w.m + w.n;
    const double free = g * (w.m * sin(w.a) - w.n * sin(w.b)) / both;
    const double pull = -w.m * w.n * g * (sin(w.a) + sin(w.b)) / both;
    ksDualFn *const phi[MOST - 1] = {firstPlane, secondPlane, thread};
    double rho[MOST] = {0};
    ksCoordinatesSpec spec;
    ksCoordinatesSpecInit(&spec);
    spec.coordinateCount = MOST;
    spec.particleCount = 2;
    spec.particleMass = mass;
    spec.position = inclinePlaces;
    spec.potential = inclineHeights;
    spec.user = &w;
    const int block = addMechanism(c, &spec, q, rate, phi, free, rho);

    ExampleQuantity *motion = exampleAcceleration(c, 0, "q''", "g (m sin a - m' sin b)/(m + m')", free);
    exampleTerm(motion, g * w.m * sin(w.a) / both);
    addRemainder(c, block, rho, 1, "rho_1", "-m g cos a", -w.m * g * cos(w.a));
    addRemainder(c, block, rho, 2, "rho_2", "-m' g cos b", -w.n * g * cos(w.b));
    addRemainder(c, block, rho, 3, "rho_3", "-m m' g (sin a + sin b)/(m + m')", pull);
    exampleMultiplier(c, 0, "lambda_1", "-m g cos^2 a", -w.m * g * cos(w.a) * cos(w.a));
    exampleMultiplier(c, 1, "lambda_2", "-m' g cos^2 b", -w.n * g * cos(w.b) * cos(w.b));
    exampleMultiplier(c, 2, "lambda_3", "-m m' g (sin a + sin b)/(m + m')", pull);
    const double liftA[MOST] = {0, 1, 0, 0}, liftB[MOST] = {0, 0, 1, 0}, grow[MOST] = {0, 0, 0, 1};
    exampleOwn(c, 0, liftA, 1 / cos(w.a));
    exampleOwn(c, 1, liftB, 1 / cos(w.b));
    exampleOwn(c, 2, grow, 1);
}

/* q: the angle phi, which turns z to x, and the pivot x_O', z_O', which the conditions fix. The
 * mass centre is at (xi, zeta) from the pivot at this angle. z down.
 *
 *     L = 1/2 M (x_O'^2 + z_O'^2) + 1/2 K phi'^2 + M phi' (zeta x_O' - xi z_O')
 *     a product of velocities */
typedef struct Plate {
    double mass, centre[2]; /* in axes of the body */
} Plate;

static ksStatus platePlaces(const ksDual *q, ksDual t, ksDual *x, void *user)
{
    const Plate *p = user;
    ksDual *r = x + 3;
    (void)t;
    for (int i = 0; i < 9; i++)
        r[i] = ksDualOf(i % 4 == 0);
    ksDualRotate(r, 1, q[0]);
    for (int i = 0; i < 3; i += 2) {
        const ksDual off = ksDualAdd(ksDualScale(p->centre[0], r[3 * i]), ksDualScale(p->centre[1], r[3 * i + 2]));
        x[i] = ksDualAdd(q[1 + i / 2], off);
    }
    return KS_OK;
}

static ksStatus plateHeight(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    const Plate *p = user;
    ksDual x[12] = {{0, 0, 0, 0}};
    platePlaces(q, t, x, user);
    *value = ksDualScale(-p->mass * g, x[2]);
    return KS_OK;
}

static ksStatus pivotX(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    (void)t;
    (void)user;
    *value = q[1];
    return KS_OK;
}

static ksStatus pivotZ(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    (void)t;
    (void)user;
    *value = q[2];
    return KS_OK;
}

void paulusPendulumByL(ExampleCase *c)
{
    const double m = exampleDraw(c, 2, 0.5, 5), xi = exampleDraw(c, 0.3, 0.1, 1), zeta = exampleDraw(c, 0.7, 0.1, 1);
    const double own = exampleDraw(c, 0.5, 0.1, 2), k = m * (xi * xi + zeta * zeta) + own;
    const double angle = exampleDraw(c, 0.6, -3, 3), turn = exampleDraw(c, 1.7, -3, 3), free = -g * xi * m / k;
    const double inertia[9] = {own, 0, 0, 0, own, 0, 0, 0, own}, q[3] = {angle}, rate[3] = {turn};
    Plate p = {m, {xi * cos(angle) - zeta * sin(angle), xi * sin(angle) + zeta * cos(angle)}};
    ksDualFn *const phi[2] = {pivotX, pivotZ};
    double rho[3] = {0};
    ksCoordinatesSpec spec;
    ksCoordinatesSpecInit(&spec);
    spec.coordinateCount = 3;
    spec.bodyCount = 1;
    spec.bodyMass = &m;
    spec.bodyInertia = inertia;
    spec.position = platePlaces;
    spec.potential = plateHeight;
    spec.user = &p;
    const int block = addMechanism(c, &spec, q, rate, phi, free, rho);

    const double x = -turn * turn * xi * m - g * xi * zeta * m * m / k;
    const double z = g * xi * xi * m * m / k - turn * turn * zeta * m - g * m;
    static const char formX[] = "-phi'^2 xi M - g xi zeta M^2/K", formZ[] = "g xi^2 M^2/K - phi'^2 zeta M - g M";
    exampleAcceleration(c, 0, "phi''", "-g xi M/K", free);
    addRemainder(c, block, rho, 1, "rho_x", formX, x);
    addRemainder(c, block, rho, 2, "rho_z", formZ, z);
    exampleMultiplier(c, 0, "lambda_x", formX, x);
    exampleTerm(exampleMultiplier(c, 1, "lambda_z", formZ, z), g * m);
    const double alongX[3] = {0, 1, 0}, alongZ[3] = {0, 0, 1};
    exampleOwn(c, 0, alongX, 1);
    exampleOwn(c, 1, alongZ, 1);
}
