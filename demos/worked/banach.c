/* banach.c  Banach, Mechanics, chapter X, §§ 1-6: particles on surfaces at rest and in motion (z
 * up). Power of a moving constraint: lambda grad phi . v = -lambda phi_t. */
#include "examples_private.h"

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void drawVector(ExampleCase *c, double v[3], double x, double y, double z, double size)
{
    v[0] = exampleDraw(c, x, -size, size);
    v[1] = exampleDraw(c, y, -size, size);
    v[2] = exampleDraw(c, z, -size, size);
}

/* phi = |x - X(t)|^2 - r^2, d = x - X:  2 d . x'' = -2 |v - X'|^2 + 2 d . X'',
 *     lambda = -(m |v - X'|^2 + P . d - m d . X'') / 2 r^2
 * Banach's sphere moves uniformly, X'' = 0. */
static void sphere(ExampleCase *c, double shaken)
{
    double d[3], off[3], pull[3], carried[3], row[3], r2;
    const double m = exampleDraw(c, 1.5, 0.5, 5);
    drawVector(c, d, 0.6, -0.8, 1.2, 1);
    d[2] += d[2] < 0 ? -0.5 : 0.5;
    drawVector(c, off, 0.4, 1.1, -0.7, 3);
    drawVector(c, pull, 1, -2, -9, 9);
    drawVector(c, carried, 2, 1, 3, 9);
    r2 = dot(d, d);
    const double radial = dot(off, d) / r2;
    for (int i = 0; i < 3; i++) {
        // |x - X| stays: v - X' is tangent
        off[i] -= radial * d[i];
        carried[i] *= shaken;
        row[i] = 2 * d[i];
    }
    const int p = exampleParticle(c, 3, m, pull);
    const int on = exampleRow(c, p, row, 2 * (dot(d, carried) - dot(off, off)));
    ExampleQuantity *q = exampleMultiplier(
        c, on, "lambda", shaken != 0 ? "-(m |v-X'|^2 + P.d - m d.X'')/2r^2" : "-(m |v-X'|^2 + P.d)/2r^2",
        -(m * dot(off, off) + dot(pull, d) - m * dot(d, carried)) / (2 * r2));
    exampleTerm(q, m * dot(off, off) / (2 * r2));
    exampleTerm(q, sqrt(dot(pull, pull) / r2) / 2);
    exampleTerm(q, m * sqrt(dot(carried, carried) / r2) / 2);
    exampleOwn(c, on, d, 2 * r2);
}

void banachSphere(ExampleCase *c)
{
    sphere(c, 0);
}

void banachSphereAny(ExampleCase *c)
{
    sphere(c, 1);
}

/* phi_1 = x^2 + y^2 - z, phi_2 = x sin wt + y cos wt, which turns by -w; s signed along the wire:
 * x = s cos wt, y = -s sin wt.
 *
 *     s''(1 + 4 s^2) = w^2 s - 2 g s - 4 s s'^2,
 *     lambda = -m (g + 2 s'^2 + 2 w^2 s^2) / (1 + 4 s^2), -2 m w s' */
void banachParabola(ExampleCase *c)
{
    const double m = exampleDraw(c, 0.7, 0.5, 5), w = exampleDraw(c, 1.6, -4, 4), wt = exampleDraw(c, 0.72, -3, 3);
    const double s = exampleDraw(c, 0.35, -1.5, 1.5), rate = exampleDraw(c, -0.8, -3, 3), weight[3] = {0, 0, -m * g};
    const double si = sin(wt), co = cos(wt), x = s * co, y = -s * si;
    const double vx = rate * co - s * w * si, vy = -rate * si - s * w * co, steep = 1 + 4 * s * s;
    const double bowl[3] = {2 * x, 2 * y, -1}, plane[3] = {si, co, 0}, along[3] = {co, -si, 0};
    const int p = exampleParticle(c, 3, m, weight);
    exampleRow(c, p, bowl, -2 * (vx * vx + vy * vy));
    // 2 phi_xt . v = 2 w (x' cos - y' sin), phi_tt = -w^2 phi_2
    exampleRow(c, p, plane, -(2 * w * (co * vx - si * vy) - w * w * (si * x + co * y)));
    exampleMultiplier(c, 0, "lambda_1", "-m (g + 2s'^2 + 2w^2 s^2)/(1 + 4s^2)",
                      -m * (g + 2 * rate * rate + 2 * w * w * s * s) / steep);
    ExampleQuantity *turn = exampleMultiplier(c, 1, "lambda_2", "-2 m w s'", -2 * m * w * rate);
    exampleTerm(turn, m * w * w * fabs(s));
    ExampleQuantity *motion = exampleAlong(c, p, along, w * w * s, "s''", "(w^2 s - 2gs - 4s s'^2)/(1 + 4s^2)",
                                           (w * w * s - 2 * g * s - 4 * s * rate * rate) / steep);
    exampleTerm(motion, 2 * g * s / steep);
    // components of the acceleration across, projected away
    exampleTerm(motion, 2 * w * rate);
    // lift off the bowl; leave the plane along the bowl
    const double lift[3] = {0, 0, 1}, leave[3] = {si, co, 0};
    exampleOwn(c, 0, lift, -1);
    exampleOwn(c, 1, leave, 1);
}

/* phi = z cos a - x sin a: lambda = m g cos a. */
void banachIncline(ExampleCase *c)
{
    const double m = exampleDraw(c, 2, 0.5, 5), a = exampleDraw(c, 0.4, 0.1, 1.4), weight[3] = {0, 0, -m * g};
    const double normal[3] = {-sin(a), 0, cos(a)}, down[3] = {cos(a), 0, sin(a)};
    const int p = exampleParticle(c, 3, m, weight), on = exampleRow(c, p, normal, 0);
    exampleMultiplier(c, on, "lambda", "m g cos a", m * g * cos(a));
    exampleAlong(c, p, down, 0, "s''", "-g sin a", -g * sin(a));
    exampleOwn(c, on, normal, 1);
}

/* phi = y_1 - y_2: lambda = (m_1 P_2y - m_2 P_1y) / (m_1 + m_2). The lines are along y. */
void banachWire(ExampleCase *c)
{
    const double m1 = exampleDraw(c, 2, 0.5, 5), m2 = exampleDraw(c, 3, 0.5, 5);
    const double p1[2] = {exampleDraw(c, 1, -9, 9), exampleDraw(c, -4, -9, 9)};
    const double p2[2] = {exampleDraw(c, -2, -9, 9), exampleDraw(c, 5, -9, 9)};
    const double up[2] = {0, 1}, down[2] = {0, -1}, line[2] = {1, 0};
    const int a = exampleParticle(c, 2, m1, p1), b = exampleParticle(c, 2, m2, p2);
    const int wire = exampleRow2(c, a, up, b, down, 0);
    exampleRow(c, a, line, 0);
    exampleRow(c, b, line, 0);
    ExampleQuantity *q =
        exampleMultiplier(c, wire, "lambda", "(m1 P2y - m2 P1y)/(m1 + m2)", (m1 * p2[1] - m2 * p1[1]) / (m1 + m2));
    exampleTerm(q, m1 * p2[1] / (m1 + m2));
    exampleMultiplier(c, 1, "line 1", "-P1x", -p1[0]);
    exampleMultiplier(c, 2, "line 2", "-P2x", -p2[0]);
    const double first[4] = {0, 1, 0, 0};
    exampleOwn(c, wire, first, 1);
}

/* phi = y cos wt - x sin wt, x = r cos wt, y = r sin wt:
 *     r'' = r w^2,   z'' = -g,   lambda = 2 m w r',   power 2 m w^2 r r' */
void banachRotatingPlane(ExampleCase *c)
{
    const double m = exampleDraw(c, 1.5, 0.5, 5), w = exampleDraw(c, 1.2, -4, 4), wt = exampleDraw(c, 0.4, -3, 3);
    const double r = exampleDraw(c, 0.8, 0.2, 2), rate = exampleDraw(c, -0.9, -3, 3), weight[3] = {0, 0, -m * g};
    const double normal[3] = {-sin(wt), cos(wt), 0}, along[3] = {cos(wt), sin(wt), 0};
    // phi_xt . v = -w (x' cos + y' sin) = -w r', phi_tt = -w^2 phi
    const int p = exampleParticle(c, 3, m, weight), on = exampleRow(c, p, normal, 2 * w * rate);
    exampleMultiplier(c, on, "lambda", "2 m w r'", 2 * m * w * rate);
    exampleTerm(exampleAlong(c, p, along, r * w * w, "r''", "r w^2", r * w * w), 2 * w * rate);
    exampleAcceleration(c, 2, "z''", "-g", -g);
    exampleScaled(c, on, w * r, "power", "2 m w^2 r r'", 2 * m * w * w * r * rate);
    exampleOwn(c, on, normal, 1);
}

/* F(x) = x^T K x / 2 + k . x: lambda = -(m v^T F_xx v + grad F . P) / |grad F|^2. */
void banachSurface(ExampleCase *c)
{
    double x[3], v[3], pull[3], gradient[3], k[3][3], bend = 0, size = 0;
    const double m = exampleDraw(c, 1.5, 0.5, 5);
    drawVector(c, x, 0.5, 0.6, -0.4, 1);
    drawVector(c, v, 1, -2, 0.5, 3);
    drawVector(c, pull, 1, 2, -9, 9);
    drawVector(c, gradient, 0.3, 0.1, 1.2, 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            k[i][j] = k[j][i] = exampleDraw(c, i + j - 1, -1, 1);
    for (int i = 0; i < 3; i++)
        gradient[i] += dot(k[i], x) + (i == 2 ? 3 : 0);
    const double square = dot(gradient, gradient), normal = dot(gradient, v) / square;
    for (int i = 0; i < 3; i++)
        v[i] -= normal * gradient[i];
    for (int i = 0; i < 3; i++) {
        bend += v[i] * dot(k[i], v);
        for (int j = 0; j < 3; j++)
            size += fabs(v[i] * k[i][j] * v[j]);
    }
    const int p = exampleParticle(c, 3, m, pull), on = exampleRow(c, p, gradient, -bend);
    ExampleQuantity *q = exampleMultiplier(c, on, "lambda", "-(m v^T F_xx v + grad F.P)/|grad F|^2",
                                           -(m * bend + dot(gradient, pull)) / square);
    exampleTerm(q, m * size / square);
    exampleTerm(q, sqrt(dot(pull, pull) / square));
    exampleOwn(c, on, gradient, square);
}

/* phi = x^2 + y^2 + z^2 - r^2, r = a t + r_0, no force; the motion is in a plane, here turned about
 * x: c = r^2 phi' is constant, lambda = -m c^2 / 2 r^4, power -m c^2 a / r^3. */
void banachGrowingSphere(ExampleCase *c)
{
    const double m = exampleDraw(c, 1.5, 0.5, 5), a = exampleDraw(c, 0.6, -2, 2), r = exampleDraw(c, 1.2, 0.5, 3);
    const double rate = exampleDraw(c, 1.4, -4, 4), angle = exampleDraw(c, 0.7, -3, 3),
                 tilt = exampleDraw(c, 0.5, -1, 1);
    const double area = r * r * rate, out[3] = {cos(angle), sin(angle) * cos(tilt), sin(angle) * sin(tilt)};
    const double row[3] = {2 * r * out[0], 2 * r * out[1], 2 * r * out[2]};
    const double across[3] = {-sin(angle) * r, cos(angle) * cos(tilt) * r, cos(angle) * sin(tilt) * r};
    // 2 |v|^2 - 2 a^2 = 2 r^2 phi'^2
    const int p = exampleParticle(c, 3, m, NULL), on = exampleRow(c, p, row, -2 * r * r * rate * rate);
    exampleMultiplier(c, on, "lambda", "-m c^2/2r^4", -m * area * area / (2 * pow(r, 4)));
    exampleScaled(c, on, 2 * r * a, "power", "-m c^2 a/r^3", -m * area * area * a / pow(r, 3));
    exampleTerm(exampleAlong(c, p, across, 0, "c'", "0", 0), area * rate);
    exampleOwn(c, on, out, 2 * r);
}
