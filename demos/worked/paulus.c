/* paulus.c  The two examples of Paulus 1910, z down, each also in its case of equilibrium, where
 * all accelerations vanish and rho_l = -P_l is the principle of virtual work, (17) without its
 * first two terms. */
#include "examples_private.h"

/* Two weights on planes of the angles a, b, joined by a thread over the ridge:
 *
 *     z = x tan a,   z' = x' tan b,   x cos a + z sin a + x' cos b + z' sin b = l
 *
 *     q'' = g (m sin a - m' sin b) / (m + m'),   lambda = -m g cos^2 a, -m' g cos^2 b,
 *     lambda_3 = -m m' g (sin a + sin b) / (m + m'),   R_1 = |grad phi_1| lambda_1 = -m g cos a
 *
 * Print: (a) has R_1 with a plus: with lambda along grad phi and z down it is negative, as R_2 and
 * the text say; its set-up writes lambda_1 where lambda_2 belongs. The relaxed coordinates are
 * ours: lift a weight off its plane, lengthen the thread. */
static void inclines(ExampleCase *c, double m, double n, double a, double b)
{
    const double weightM[2] = {0, m * g}, weightN[2] = {0, n * g};
    const double planeA[2] = {-tan(a), 1}, planeB[2] = {-tan(b), 1};
    const double alongA[2] = {cos(a), sin(a)}, alongB[2] = {cos(b), sin(b)};
    const int p = exampleParticle(c, 2, m, weightM), q = exampleParticle(c, 2, n, weightN);
    const int first = exampleRow(c, p, planeA, 0), second = exampleRow(c, q, planeB, 0);
    const int thread = exampleRow2(c, p, alongA, q, alongB, 0);

    ExampleQuantity *motion = exampleAlong(c, p, alongA, 0, "q''", "g (m sin a - m' sin b)/(m + m')",
                                           g * (m * sin(a) - n * sin(b)) / (m + n));
    exampleTerm(motion, g * m * sin(a) / (m + n));
    exampleMultiplier(c, first, "lambda_1", "-m g cos^2 a", -m * g * cos(a) * cos(a));
    exampleMultiplier(c, second, "lambda_2", "-m' g cos^2 b", -n * g * cos(b) * cos(b));
    exampleMultiplier(c, thread, "lambda_3", "-m m' g (sin a + sin b)/(m + m')",
                      -m * n * g * (sin(a) + sin(b)) / (m + n));
    exampleScaled(c, first, 1 / cos(a), "R_1", "-m g cos a", -m * g * cos(a));
    exampleScaled(c, second, 1 / cos(b), "R_2", "-m' g cos b", -n * g * cos(b));

    const double liftA[4] = {-sin(a), cos(a), 0, 0}, liftB[4] = {0, 0, -sin(b), cos(b)};
    const double grow[4] = {cos(a), sin(a), 0, 0};
    exampleOwn(c, first, liftA, 1 / cos(a));
    exampleOwn(c, second, liftB, 1 / cos(b));
    exampleOwn(c, thread, grow, 1);
}

void paulusInclines(ExampleCase *c)
{
    const double m = exampleDraw(c, 2, 0.5, 5), n = exampleDraw(c, 3.5, 0.5, 5);
    const double a = exampleDraw(c, 0.4, 0.1, 1.3), b = exampleDraw(c, 1.1, 0.1, 1.3);
    inclines(c, m, n, a, b);
}

/* m sin a = m' sin b: nothing moves, and the thread carries m g sin a. */
void paulusInclinesBalanced(ExampleCase *c)
{
    const double m = exampleDraw(c, 2, 0.5, 5);
    const double a = exampleDraw(c, 0.4, 0.1, 1.3), b = exampleDraw(c, 1.1, 0.1, 1.3);
    inclines(c, m, m * sin(a) / sin(b), a, b);
    c->quantity[0].closed = 0;
    c->quantity[0].formula = "0";
    exampleMultiplier(c, 2, "lambda_3, at rest", "-m g sin a", -m * g * sin(a));
}

typedef struct Pendulum {
    double mass, inertia, xi, zeta; /* inertia K about the pivot */
} Pendulum;

static Pendulum drawPendulum(ExampleCase *c)
{
    Pendulum p;
    p.mass = exampleDraw(c, 2, 0.5, 5);
    p.xi = exampleDraw(c, 0.3, 0.1, 1);
    p.zeta = exampleDraw(c, 0.7, 0.1, 1);
    p.inertia = p.mass * (p.xi * p.xi + p.zeta * p.zeta) + exampleDraw(c, 0.5, 0.1, 2);
    return p;
}

/* A body on a pivot, its mass centre at (xi, zeta) from it; phi turns z to x, so that (xi,
 * zeta)' = phi' (zeta, -xi). The constraints hold the pivot's coordinates x_O', z_O', which are
 * relaxed here:
 *
 *     K phi'' = -g xi M,   lambda_x = -phi'^2 xi M - g xi zeta M^2 / K,
 *     lambda_z = g xi^2 M^2 / K - phi'^2 zeta M - g M
 *
 * Print: his R_z is right, the rho_z on the way to it has a wrong sign. The carrier feels
 * -lambda. */
static void pendulum(ExampleCase *c, const Pendulum *p, double rate2)
{
    const double m = p->mass, k = p->inertia, xi = p->xi, zeta = p->zeta;
    const double diagonal[3] = {m, m, k - m * (xi * xi + zeta * zeta)}, force[3] = {0, m * g, 0};
    const double px[3] = {1, 0, -zeta}, pz[3] = {0, 1, xi};
    const int body = exampleDiagonal(c, 3, diagonal, force);
    const int rowX = exampleRow(c, body, px, -rate2 * xi), rowZ = exampleRow(c, body, pz, -rate2 * zeta);

    exampleAcceleration(c, 2, "phi''", "-g xi M/K", -g * xi * m / k);
    exampleMultiplier(c, rowX, "lambda_x", "-phi'^2 xi M - g xi zeta M^2/K",
                      -rate2 * xi * m - g * xi * zeta * m * m / k);
    ExampleQuantity *z = exampleMultiplier(c, rowZ, "lambda_z", "g xi^2 M^2/K - phi'^2 zeta M - g M",
                                           g * xi * xi * m * m / k - rate2 * zeta * m - g * m);
    exampleTerm(z, g * m);

    const double alongX[3] = {1, 0, 0}, alongZ[3] = {0, 1, 0};
    exampleOwn(c, rowX, alongX, 1);
    exampleOwn(c, rowZ, alongZ, 1);
}

void paulusPendulum(ExampleCase *c)
{
    const Pendulum p = drawPendulum(c);
    const double rate = exampleDraw(c, 1.7, -3, 3);
    pendulum(c, &p, rate * rate);
}

/* By the first integral phi'^2 = 2 (c + g M zeta) / K the reaction depends on the configuration
 * alone: lambda_x = -(M xi / K) (2 c + 3 g M zeta). */
void paulusPendulumEnergy(ExampleCase *c)
{
    const Pendulum p = drawPendulum(c);
    const double energy = exampleDraw(c, 4, 0, 20), m = p.mass, k = p.inertia;
    pendulum(c, &p, 2 * (energy + g * m * p.zeta) / k);
    exampleMultiplier(c, 0, "lambda_x, c", "-(M xi/K)(2c + 3 g M zeta)",
                      -(m * p.xi / k) * (2 * energy + 3 * g * m * p.zeta));
    ExampleQuantity *z =
        exampleMultiplier(c, 1, "lambda_z, c", "(g M^2 (xi^2 - 2 zeta^2) - 2 c M zeta)/K - g M",
                          (g * m * m * (p.xi * p.xi - 2 * p.zeta * p.zeta) - 2 * energy * m * p.zeta) / k - g * m);
    exampleTerm(z, g * m);
}

/* At rest below the pivot: lambda = (0, -g M). */
void paulusPendulumHanging(ExampleCase *c)
{
    Pendulum p = drawPendulum(c);
    p.inertia -= p.mass * p.xi * p.xi;
    p.xi = 0;
    pendulum(c, &p, 0);
    exampleTerm(&c->quantity[0], g * p.mass * p.zeta / p.inertia);
    exampleTerm(&c->quantity[1], g * p.mass);
    exampleMultiplier(c, 1, "lambda_z, at rest", "-g M", -g * p.mass);
}
