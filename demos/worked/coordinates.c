/* coordinates.c  Banach, Mechanics, chapter X, §§ 7.5-8.2: one particle in polar, spherical and
 * cylindrical coordinates, free and on coordinate surfaces. */
#include "examples_private.h"

/* A force -m k / r^2 towards the centre; with the constant c = r^2 phi' (68)-(70):
 *     r'' = c^2 / r^3 - k / r^2,   c' = 0 */
typedef struct Orbit {
    double m, k, r, rate, angle, turn, c;
} Orbit;

static Orbit drawOrbit(ExampleCase *c)
{
    Orbit o = {0};
    o.m = exampleDraw(c, 1.5, 0.5, 5);
    o.k = exampleDraw(c, 4, 1, 9);
    o.r = exampleDraw(c, 1.2, 0.5, 2);
    o.rate = exampleDraw(c, -0.4, -2, 2);
    o.angle = exampleDraw(c, 0.6, -3, 3);
    o.turn = exampleDraw(c, 1.1, -2, 2);
    o.c = o.r * o.r * o.turn;
    return o;
}

static const char radialFormula[] = "c^2/r^3 - k/r^2";

void banachCentral(ExampleCase *c)
{
    const Orbit o = drawOrbit(c);
    const double out[2] = {cos(o.angle), sin(o.angle)}, pull = -o.m * o.k / (o.r * o.r);
    const double force[2] = {pull * out[0], pull * out[1]}, moment[2] = {-o.r * out[1], o.r * out[0]};
    const int p = exampleParticle(c, 2, o.m, force);
    ExampleQuantity *r = exampleAlong(c, p, out, o.c * o.c / pow(o.r, 3), "r''", radialFormula,
                                      o.c * o.c / pow(o.r, 3) - o.k / (o.r * o.r));
    exampleTerm(r, o.k / (o.r * o.r));
    exampleTerm(exampleAlong(c, p, moment, 0, "c'", "0", 0), o.k / o.r);
}

/* Lagrange II: M = diag(m, m r^2), the velocity terms m r phi'^2 and -2 m r r' phi' among the
 * forces. */
void banachCentralPolar(ExampleCase *c)
{
    const Orbit o = drawOrbit(c);
    const double mass[2] = {o.m, o.m * o.r * o.r};
    const double force[2] = {o.m * o.r * o.turn * o.turn - o.m * o.k / (o.r * o.r), -2 * o.m * o.r * o.rate * o.turn};
    const double area[2] = {0, o.r * o.r};
    const int p = exampleDiagonal(c, 2, mass, force);
    ExampleQuantity *r = exampleAcceleration(c, 0, "r''", radialFormula, o.c * o.c / pow(o.r, 3) - o.k / (o.r * o.r));
    exampleTerm(r, o.k / (o.r * o.r));
    ExampleQuantity *moment = exampleAlong(c, p, area, 2 * o.r * o.rate * o.turn, "c'", "0", 0);
    exampleTerm(moment, o.k / o.r);
}

/* phi = z - f(r) in cylindrical coordinates: lambda = m (g + f'' r'^2 + f' r phi'^2) / (1 + f'^2),
 *     r'' = (r phi'^2 - f' (g + f'' r'^2)) / (1 + f'^2)
 * In the scan that we have, which may have lost dots, (82) and (85) lack the square of r'. Print:
 * (87) has f where 2 g f belongs. */
void banachRevolution(ExampleCase *c)
{
    const double m = exampleDraw(c, 1.1, 0.5, 5), r = exampleDraw(c, 0.8, 0.3, 2), rate = exampleDraw(c, 0.5, -3, 3);
    const double angle = exampleDraw(c, 0.9, -3, 3), turn = exampleDraw(c, 1.3, -3, 3);
    const double slope = exampleDraw(c, 0.8, -2, 2), bend = exampleDraw(c, 1, -2, 2), steep = 1 + slope * slope;
    const double co = cos(angle), si = sin(angle), weight[3] = {0, 0, -m * g}, lift[3] = {0, 0, 1};
    const double row[3] = {-slope * co, -slope * si, 1}, out[3] = {co, si, 0};
    // d2 f(r) along v = f'' r'^2 + f' r phi'^2
    const double curve = bend * rate * rate + slope * r * turn * turn;
    const int p = exampleParticle(c, 3, m, weight), on = exampleRow(c, p, row, curve);
    ExampleQuantity *reaction =
        exampleMultiplier(c, on, "lambda", "m (g + f'' r'^2 + f' r phi'^2)/(1 + f'^2)", m * (g + curve) / steep);
    exampleTerm(reaction, m * g / steep);
    exampleTerm(reaction, m * curve / steep);
    exampleTerm(reaction, m * bend * rate * rate / steep);
    ExampleQuantity *motion =
        exampleAlong(c, p, out, r * turn * turn, "r''", "(r phi'^2 - f'(g + f'' r'^2))/(1 + f'^2)",
                     (r * turn * turn - slope * (g + bend * rate * rate)) / steep);
    exampleTerm(motion, slope * reaction->scale / m);
    exampleOwn(c, on, lift, 1);
}

/* Spherical coordinates, theta from z, phi about it; P along e_r, e_theta, e_phi.
 *     r'' - r (theta'^2 + phi'^2 sin^2 theta) = P_r / m,
 *     r theta'' + 2 r' theta' - r phi'^2 sin theta cos theta = P_theta / m,
 *     r phi'' sin theta + 2 phi' (r' sin theta + r theta' cos theta) = P_phi / m
 * Print: (93)-(95) and the first of (96) exchange the two angles; the second of (96) needs
 * Q_phi. */
typedef struct Sphere {
    double m, r, theta, phi, rr, rt, rp, pull[3];
    double out[3], south[3], east[3];
    double radial, polar, around; /* the velocity terms on the left, with their signs */
    int block;
} Sphere;

/* rates: which of r', theta', phi' are nonzero. */
static Sphere drawSphere(ExampleCase *c, double r, double theta, double phi)
{
    Sphere s = {0};
    s.m = exampleDraw(c, 1.5, 0.5, 5);
    s.r = exampleDraw(c, 1.2, 0.5, 2);
    s.theta = exampleDraw(c, 0.8, 0.3, 2.8);
    s.phi = exampleDraw(c, 0.5, -3, 3);
    s.rr = r * exampleDraw(c, 0.4, -2, 2);
    s.rt = theta * exampleDraw(c, -0.7, -2, 2);
    s.rp = phi * exampleDraw(c, 1.1, -2, 2);
    for (int i = 0; i < 3; i++)
        s.pull[i] = exampleDraw(c, 2 * i - 3, -9, 9);
    const double st = sin(s.theta), ct = cos(s.theta), sp = sin(s.phi), cp = cos(s.phi);
    const double out[3] = {st * cp, st * sp, ct}, south[3] = {ct * cp, ct * sp, -st}, east[3] = {-sp, cp, 0};
    for (int i = 0; i < 3; i++) {
        s.out[i] = out[i];
        s.south[i] = south[i];
        s.east[i] = east[i];
    }
    s.radial = -s.r * (s.rt * s.rt + s.rp * s.rp * st * st);
    s.polar = 2 * s.rr * s.rt - s.r * s.rp * s.rp * st * ct;
    s.around = 2 * s.rp * (s.rr * st + s.r * s.rt * ct);
    return s;
}

static void sphereParticle(ExampleCase *c, Sphere *s)
{
    double force[3];
    for (int i = 0; i < 3; i++)
        force[i] = s->pull[0] * s->out[i] + s->pull[1] * s->south[i] + s->pull[2] * s->east[i];
    s->block = exampleParticle(c, 3, s->m, force);
}

/* The largest of the forces: their rectangular components cancel. */
static double load(const Sphere *s)
{
    return fabs(s->pull[0]) + fabs(s->pull[1]) + fabs(s->pull[2]) +
           s->m * (fabs(s->radial) + fabs(s->polar) + fabs(s->around));
}

/* r'', theta'', phi'' of the coordinates that are not fixed. */
static void sphereMotion(ExampleCase *c, const Sphere *s, int r, int theta, int phi)
{
    const double st = sin(s->theta);
    double south[3], east[3];
    for (int i = 0; i < 3; i++) {
        south[i] = s->south[i] / s->r;
        east[i] = s->east[i] / (s->r * st);
    }
    if (r)
        exampleTerm(exampleAlong(c, s->block, s->out, -s->radial, "r''", "r (theta'^2 + phi'^2 sin^2 theta) + P_r/m",
                                 s->pull[0] / s->m - s->radial),
                    load(s) / s->m);
    if (theta)
        exampleTerm(exampleAlong(c, s->block, south, -s->polar / s->r, "theta''",
                                 "(P_theta/m + r phi'^2 sin theta cos theta - 2 r' theta')/r",
                                 (s->pull[1] / s->m - s->polar) / s->r),
                    load(s) / (s->m * s->r));
    if (phi)
        exampleTerm(exampleAlong(c, s->block, east, -s->around / (s->r * st), "phi''",
                                 "(P_phi/m - 2 phi' (r' sin theta + r theta' cos theta))/(r sin theta)",
                                 (s->pull[2] / s->m - s->around) / (s->r * st)),
                    load(s) / (s->m * s->r * st));
}

/* Free. m r^2 theta'' + ... = Q_theta = r P_theta, and Q_phi = r sin theta P_phi. */
void banachSpherical(ExampleCase *c)
{
    Sphere s = drawSphere(c, 1, 1, 1);
    sphereParticle(c, &s);
    sphereMotion(c, &s, 1, 1, 1);
}

void banachSphericalRadius(ExampleCase *c)
{
    Sphere s = drawSphere(c, 0, 1, 1);
    sphereParticle(c, &s);
    const int on = exampleRow(c, s.block, s.out, s.radial);
    exampleTerm(
        exampleMultiplier(c, on, "lambda", "-m r (theta'^2 + phi'^2 sin^2 theta) - P_r", s.m * s.radial - s.pull[0]),
        load(&s));
    sphereMotion(c, &s, 0, 1, 1);
    exampleOwn(c, on, s.out, 1);
}

/* The cone's normal is -e_theta. */
void banachSphericalCone(ExampleCase *c)
{
    Sphere s = drawSphere(c, 1, 0, 1);
    const double north[3] = {-s.south[0], -s.south[1], -s.south[2]};
    sphereParticle(c, &s);
    const int on = exampleRow(c, s.block, north, s.r * s.rp * s.rp * sin(s.theta) * cos(s.theta));
    exampleTerm(exampleMultiplier(c, on, "lambda", "m r phi'^2 sin theta cos theta + P_theta",
                                  s.m * s.r * s.rp * s.rp * sin(s.theta) * cos(s.theta) + s.pull[1]),
                load(&s));
    sphereMotion(c, &s, 1, 0, 1);
    exampleOwn(c, on, north, 1);
}

/* The plane's normal is e_phi. */
void banachSphericalPlane(ExampleCase *c)
{
    Sphere s = drawSphere(c, 1, 1, 0);
    sphereParticle(c, &s);
    const int on = exampleRow(c, s.block, s.east, 0);
    exampleTerm(exampleMultiplier(c, on, "lambda", "-P_phi", -s.pull[2]), load(&s));
    sphereMotion(c, &s, 1, 1, 0);
    exampleOwn(c, on, s.east, 1);
}

/* M = diag(m, m r^2, m r^2 sin^2 theta); r and theta fixed, the latter as -r theta, whose gradient
 * is the normal. */
void banachSphericalOwn(ExampleCase *c)
{
    const Sphere s = drawSphere(c, 0, 0, 1);
    const double st = sin(s.theta), mass[3] = {s.m, s.m * s.r * s.r, s.m * s.r * s.r * st * st};
    const double force[3] = {s.pull[0] - s.m * s.radial, s.r * (s.pull[1] - s.m * s.polar),
                             s.r * st * (s.pull[2] - s.m * s.around)};
    const double radius[3] = {1, 0, 0}, angle[3] = {0, -s.r, 0};
    const int p = exampleDiagonal(c, 3, mass, force);
    exampleRow(c, p, radius, 0);
    exampleRow(c, p, angle, 0);
    exampleTerm(exampleMultiplier(c, 0, "lambda_r", "-m r phi'^2 sin^2 theta - P_r", s.m * s.radial - s.pull[0]),
                s.m * s.radial);
    exampleTerm(
        exampleMultiplier(c, 1, "lambda_theta", "m r phi'^2 sin theta cos theta + P_theta", s.pull[1] - s.m * s.polar),
        s.m * s.polar);
    exampleAcceleration(c, 2, "phi''", "P_phi/(m r sin theta)", s.pull[2] / (s.m * s.r * st));
    const double alongR[3] = {1, 0, 0}, alongTheta[3] = {0, 1, 0};
    exampleOwn(c, 0, alongR, 1);
    exampleOwn(c, 1, alongTheta, -s.r);
}

/* phi = x^2 + y^2 - r^2, force -m k^2 (x, y, z): lambda = m (k^2 - phi'^2) / 2, phi'' = 0,
 * z'' = -k^2 z. Canonical: p_2 = m z', (30), where the scan that we have lacks the dot. */
void banachCylinder(ExampleCase *c)
{
    const double m = exampleDraw(c, 1.5, 0.5, 5), k = exampleDraw(c, 2, 0.5, 4), r = exampleDraw(c, 0.8, 0.3, 2);
    const double angle = exampleDraw(c, 0.6, -3, 3), turn = exampleDraw(c, 1.1, -4, 4), z = exampleDraw(c, 0.5, -2, 2);
    const double out[3] = {cos(angle), sin(angle), 0}, east[3] = {-out[1], out[0], 0}, pull = -m * k * k;
    const double force[3] = {pull * r * out[0], pull * r * out[1], pull * z};
    const double row[3] = {2 * r * out[0], 2 * r * out[1], 0};
    const int p = exampleParticle(c, 3, m, force), on = exampleRow(c, p, row, -2 * r * r * turn * turn);
    exampleTerm(exampleMultiplier(c, on, "lambda", "m (k^2 - phi'^2)/2", 0.5 * m * (k * k - turn * turn)),
                0.5 * m * fmax(k * k, turn * turn));
    exampleTerm(exampleAlong(c, p, east, 0, "r phi''", "0", 0), r * k * k + r * turn * turn);
    exampleAcceleration(c, 2, "z''", "-k^2 z", -k * k * z);
    exampleOwn(c, on, out, 2 * r);
}
