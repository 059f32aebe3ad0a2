/* lamb.c  Lamb 1911: impulses on two links of his chain (§1; the numbers are ours), and the
 * rotating solid (§3).
 *
 * An impact is a system with impulses for forces and jumps of velocity for accelerations. */
#include "examples_private.h"

/* Two equal links AB, BC in line at rest, hinged at B, blows across; each link has (y, omega), m,
 * l, I = m l^2 / 12. The joint: y_1 + l omega_1 / 2 = y_2 - l omega_2 / 2. Mobilities for
 * m = l = 1; linear ones go with 1 / m, mixed ones with 1 / (m l), angular ones with
 * 1 / (m l^2). */
typedef struct Links {
    double m, l;
    double a[4], b[4], c[4], w1[4], w2[4]; /* velocities of A, B, C, rates of both links, as forms
                                              over (y, w, y, w) */
} Links;

enum { FIRST, SECOND }; /* blocks */

static Links drawLinks(ExampleCase *c)
{
    const double m = exampleDraw(c, 1, 0.5, 5), l = exampleDraw(c, 1, 0.3, 3), h = 0.5 * l;
    return (Links){.m = m,
                   .l = l,
                   .a = {1, -h, 0, 0},
                   .b = {1, h, 0, 0},
                   .c = {0, 0, 1, h},
                   .w1 = {0, 1, 0, 0},
                   .w2 = {0, 0, 0, 1}};
}

/* Adds both links, a unit impulse along a form (NULL: none), and the joint, row 0. */
static void addLinks(ExampleCase *c, const Links *k, const double *impulse)
{
    const double diagonal[2] = {k->m, k->m * k->l * k->l / 12}, end[2] = {1, 0.5 * k->l}, start[2] = {-1, 0.5 * k->l};
    exampleDiagonal(c, 2, diagonal, impulse);
    exampleDiagonal(c, 2, diagonal, impulse ? impulse + 2 : NULL);
    exampleRow2(c, FIRST, end, SECOND, start, 0);
}

/* Adds the velocity along a form that the impulse causes. */
static void response(ExampleCase *c, const double form[4], const char *name, const char *formula, double closed)
{
    ExampleQuantity *q = exampleAlong(c, FIRST, form, 0, name, formula, closed);
    q->onCoordinate[2] = form[2];
    q->onCoordinate[3] = form[3];
}

void lambBlowEnd(ExampleCase *c)
{
    const Links k = drawLinks(c);
    const double m = k.m, ml = m * k.l;
    addLinks(c, &k, k.a);
    response(c, k.a, "AA", "7/2", 3.5 / m);
    response(c, k.b, "AB", "-1", -1 / m);
    response(c, k.c, "AC", "1/2", 0.5 / m);
    response(c, k.w1, "A w1", "-9/2", -4.5 / ml);
    response(c, k.w2, "A w2", "3/2", 1.5 / ml);
    exampleMultiplier(c, 0, "joint", "1/4", 0.25);
    const double open[4] = {1, 0, 0, 0};
    exampleOwn(c, 0, open, 1);
}

void lambBlowJoint(ExampleCase *c)
{
    const Links k = drawLinks(c);
    const double m = k.m, ml = m * k.l;
    addLinks(c, &k, k.b);
    response(c, k.b, "BB", "2", 2 / m);
    response(c, k.a, "BA", "-1, as AB", -1 / m);
    response(c, k.c, "BC", "-1", -1 / m);
    response(c, k.w1, "B w1", "3", 3 / ml);
    response(c, k.w2, "B w2", "-3", -3 / ml);
    exampleMultiplier(c, 0, "joint", "-1/2", -0.5);
}

void lambCouple(ExampleCase *c)
{
    const Links k = drawLinks(c);
    const double ml = k.m * k.l, mll = ml * k.l;
    addLinks(c, &k, k.w1);
    response(c, k.w1, "w1 w1", "15/2", 7.5 / mll);
    response(c, k.w2, "w1 w2", "-9/2", -4.5 / mll);
    response(c, k.a, "w1 A", "-9/2, as A w1", -4.5 / ml);
    response(c, k.b, "w1 B", "3, as B w1", 3 / ml);
    response(c, k.c, "w1 C", "-3/2", -1.5 / ml);
}

/* Bertrand: each constraint lowers the energy of a blow, 2 T / P^2 = v_A / P. */
void lambBlowHeldEnd(ExampleCase *c)
{
    const Links k = drawLinks(c);
    addLinks(c, &k, k.a);
    exampleRow(c, SECOND, k.c + 2, 0);
    response(c, k.a, "2T/P^2", "24/7", 24 / (7 * k.m));
    exampleMultiplier(c, 1, "impulse at C", "-1/7", -1.0 / 7);
}

void lambBlowHeldJoint(ExampleCase *c)
{
    const Links k = drawLinks(c);
    addLinks(c, &k, k.a);
    exampleRow(c, FIRST, k.b, 0);
    response(c, k.a, "2T/P^2", "3", 3 / k.m);
    exampleMultiplier(c, 1, "impulse at B", "1/2", 0.5);
}

void lambBlowRigid(ExampleCase *c)
{
    const Links k = drawLinks(c);
    const double minus[2] = {0, -1};
    addLinks(c, &k, k.a);
    exampleRow2(c, FIRST, k.w1, SECOND, minus, 0);
    response(c, k.a, "2T/P^2", "2", 2 / k.m);
    exampleMultiplier(c, 1, "couple at B", "1/4", 0.25 * k.l);
}

/* Kelvin: A gets the velocity u; the free links take the least energy, T = u P / 2. */
static void kelvin(ExampleCase *c, int rigid)
{
    const Links k = drawLinks(c);
    const double u = exampleDraw(c, 1, 0.2, 3), minus[2] = {0, -1};
    addLinks(c, &k, NULL);
    const int given = exampleRow(c, FIRST, k.a, u);
    if (rigid)
        exampleRow2(c, FIRST, k.w1, SECOND, minus, 0);
    exampleScaled(c, given, 0.5 * u, "T", rigid ? "u^2/4" : "u^2/7", k.m * u * u / (rigid ? 4 : 7));
    exampleMultiplier(c, given, "P", rigid ? "u/2" : "2u/7", k.m * u / (rigid ? 2 : 3.5));
}

void lambKelvin(ExampleCase *c)
{
    kelvin(c, 0);
}

void lambKelvinRigid(ExampleCase *c)
{
    kelvin(c, 1);
}

/* A solid of inertia I turns at w; a particle m is at (x, y) in its axes.
 *     T = I w^2 / 2 + m [(x' - w y)^2 + (y' + w x)^2] / 2
 *     X = m (x'' - 2 w y' - w^2 x - w' y) (12),   Y = m (y'' + 2 w x' - w^2 y + w' x) (13),
 *     F = I w' + x Y - y X,
 * the last the constraining couple that keeps a given w.
 * Print: (12), (13) are right; §3 (4) needs 2 A_12. */
typedef struct Solid {
    double m, inertia, x, y, vx, vy, w;
} Solid;

static Solid drawSolid(ExampleCase *c, double across)
{
    Solid s = {0};
    s.m = exampleDraw(c, 1.5, 0.5, 5);
    s.inertia = exampleDraw(c, 0.8, 0.2, 3);
    s.x = exampleDraw(c, 0.7, 0.2, 2);
    s.y = across * exampleDraw(c, -0.4, -2, 2);
    s.vx = exampleDraw(c, 0.9, -3, 3);
    s.vy = across * exampleDraw(c, 1.3, -3, 3);
    s.w = exampleDraw(c, 1.2, -4, 4);
    return s;
}

/* Body axes: coordinates (x, y, angle), one block with a full M; the velocity terms are in the
 * force. */
static int addSolid(ExampleCase *c, const Solid *s)
{
    const double m = s->m, w = s->w, x = s->x, y = s->y;
    const double mass[9] = {m, 0, -m * y, 0, m, m * x, -m * y, m * x, s->inertia + m * (x * x + y * y)};
    const double force[3] = {m * (2 * w * s->vy + w * w * x), m * (-2 * w * s->vx + w * w * y),
                             -2 * m * w * (x * s->vx + y * s->vy)};
    return exampleBlock(c, 3, mass, force);
}

void lambSolid(ExampleCase *c)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Solid s = drawSolid(c, 1);
    const double ax = exampleDraw(c, -2, -9, 9), ay = exampleDraw(c, 1.5, -9, 9), aw = exampleDraw(c, 0.6, -5, 5);
    const double given[3] = {ax, ay, aw};
    const int block = addSolid(c, &s);
    for (int i = 0; i < 3; i++) {
        exampleRow(c, block, unit[i], given[i]);
        exampleOwn(c, i, unit[i], 1);
    }
    const double fx = s.m * (ax - 2 * s.w * s.vy - s.w * s.w * s.x - aw * s.y);
    const double fy = s.m * (ay + 2 * s.w * s.vx - s.w * s.w * s.y + aw * s.x);
    const double size = s.m * (fabs(ax) + fabs(ay) + 2 * fabs(s.w) * (fabs(s.vx) + fabs(s.vy)) +
                               s.w * s.w * (s.x + fabs(s.y)) + fabs(aw) * (s.x + fabs(s.y)));
    exampleTerm(exampleMultiplier(c, 0, "X", "m (x'' - 2 w y' - w^2 x - w' y)", fx), size);
    exampleTerm(exampleMultiplier(c, 1, "Y", "m (y'' + 2 w x' - w^2 y + w' x)", fy), size);
    exampleTerm(exampleMultiplier(c, 2, "F", "I w' + x Y - y X", s.inertia * aw + s.x * fy - s.y * fx),
                size * (s.x + fabs(s.y)));
}

/* A smooth tube along x, driven at the constant w: Y = 2 m w x', F = 2 m w x x', x'' = w^2 x;
 * power F w. */
static void tubeQuantities(ExampleCase *c, const Solid *s, int driver, int wall)
{
    const double y = 2 * s->m * s->w * s->vx;
    exampleMultiplier(c, wall, "Y", "2 m w x'", y);
    exampleMultiplier(c, driver, "F", "2 m w x x'", s->x * y);
    exampleScaled(c, driver, s->w, "power", "2 m w^2 x x'", s->w * s->x * y);
}

void lambTube(ExampleCase *c)
{
    static const double angle[3] = {0, 0, 1}, y[3] = {0, 1, 0};
    const Solid s = drawSolid(c, 0);
    const int block = addSolid(c, &s), driver = exampleRow(c, block, angle, 0), wall = exampleRow(c, block, y, 0);
    tubeQuantities(c, &s, driver, wall);
    exampleAcceleration(c, 0, "x''", "w^2 x", s.w * s.w * s.x);
    exampleOwn(c, driver, angle, 1);
    exampleOwn(c, wall, y, 1);
}

/* The same in axes at rest: e along the tube, n across; the wall is n(angle) . r = 0 with n' = -w
 * e: n . r'' - x angle'' = 2 w e . v. */
void lambTubeRoom(ExampleCase *c)
{
    static const double one[1] = {1};
    const Solid s = drawSolid(c, 0);
    const double angle = exampleDraw(c, 0.5, -3, 3), e[2] = {cos(angle), sin(angle)}, n[2] = {-e[1], e[0]};
    const double arm[1] = {-s.x};
    const int p = exampleParticle(c, 2, s.m, NULL), solid = exampleParticle(c, 1, s.inertia, NULL);
    const int driver = exampleRow(c, solid, one, 0), wall = exampleRow2(c, p, n, solid, arm, 2 * s.w * s.vx);
    tubeQuantities(c, &s, driver, wall);
    exampleTerm(exampleAlong(c, p, e, s.w * s.w * s.x, "x''", "w^2 x", s.w * s.w * s.x), 2 * s.w * s.vx);
    const double turn[3] = {s.x * n[0], s.x * n[1], 1}, across[3] = {n[0], n[1], 0};
    exampleOwn(c, driver, turn, 1);
    exampleOwn(c, wall, across, 1);
}
