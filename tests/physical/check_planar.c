/* check_planar.c  Chains of links in a plane, which plane joints or second hinges hold once more,
 * and a parallelogram with a pendulum.
 *
 * The truth is the planar mechanism in its angles, at the angles and rates of the simulated bodies:
 * with the accelerations a of the links' mass centres, the joint above a link carries the sum of m
 * (a - g) of all links from there on. */
#include "tests/kits/support.h"

enum { MOST_LINKS = 4 };

typedef enum Held { PLANES, HINGES, HELDS } Held;

static const double length = 0.4, width = 0.1, gravity = 9.81;

/* Of the force, times the largest gap over the length of a link, by which links are rotated. For
 * the velocities nearest in the mass metric this factor is two or more. */
static const double perGap = 0.5;
/* for rates in a pose in which all joints fit: rounding of rows that are read twice */
static const double fitTolerance = 1e-6;
/* at most one step in a hundred exceeds its bar */
static const double mostBeyond = 0.01;

typedef struct Chain {
    dWorldID world;
    int links;
    dBodyID body[MOST_LINKS];
    dJointID hinge[MOST_LINKS], second[MOST_LINKS];
    ksInspector *inspector;
} Chain;

static dBodyID addBar(dWorldID world, double mass, double along, double x, double y, double angle)
{
    dBodyID body = dBodyCreate(world);
    dMass of;
    dMatrix3 turn;
    dMassSetBoxTotal(&of, mass, along, width, width);
    dBodySetMass(body, &of);
    dBodySetPosition(body, x, y, 0);
    dRFromAxisAndAngle(turn, 0, 0, 1, angle);
    dBodySetRotation(body, turn);
    return body;
}

static dJointID addHinge(dWorldID world, dBodyID first, dBodyID second, double x, double y, double z)
{
    dJointID hinge = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, first, second);
    dJointSetHingeAnchor(hinge, x, y, z);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    return hinge;
}

static dWorldID planarWorld(void)
{
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, -gravity, 0);
    dRandSetSeed(1);
    return world;
}

/* Links of 1 kg that point up at 45 degrees, at rest. */
static Chain openChain(int links, Held held)
{
    Chain chain = {.world = planarWorld(), .links = links};
    const double along = length * M_SQRT1_2;
    for (int i = 0; i < links; i++) {
        dBodyID before = i ? chain.body[i - 1] : NULL;
        chain.body[i] = addBar(chain.world, 1, length, along * (i + 0.5), along * (i + 0.5), M_PI / 4);
        chain.hinge[i] = addHinge(chain.world, chain.body[i], before, along * i, along * i, 0);
        if (held == HINGES)
            chain.second[i] = addHinge(chain.world, chain.body[i], before, along * i, along * i, 0.05);
        else
            dJointAttach(dJointCreatePlane2D(chain.world, NULL), chain.body[i], NULL);
    }
    chain.inspector = inspect(chain.world);
    return chain;
}

static void closeChain(Chain *chain)
{
    ksInspectorDestroy(chain->inspector);
    dWorldDestroy(chain->world);
}

static void solve(int n, double a[MOST_LINKS][MOST_LINKS], double *x)
{
    // positive definite, so no pivoting
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) {
            const double times = a[k][i] / a[i][i];
            for (int q = i; q < n; q++)
                a[k][q] -= times * a[i][q];
            x[k] -= times * x[i];
        }
    for (int i = n; i-- > 0;) {
        for (int k = i + 1; k < n; k++)
            x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
}

/* Position of link t's mass centre along link k. */
static double leverOf(int t, int k)
{
    return t > k ? length : t == k ? length / 2 : 0;
}

static double angleOf(dBodyID body)
{
    const dReal *turn = dBodyGetRotation(body);
    return atan2(turn[4], turn[0]);
}

/* The force of the world on the first link. */
static void trueForce(const Chain *chain, double force[2])
{
    const double own = (length * length + width * width) / 12;
    double angle[MOST_LINKS], rate[MOST_LINKS], mass[MOST_LINKS][MOST_LINKS], turning[MOST_LINKS];
    const int n = chain->links;
    for (int i = 0; i < n; i++) {
        angle[i] = angleOf(chain->body[i]);
        rate[i] = dBodyGetAngularVel(chain->body[i])[2];
    }
    for (int k = 0; k < n; k++) {
        turning[k] = 0;
        for (int q = 0; q < n; q++) {
            double product = 0;
            for (int t = 0; t < n; t++)
                product += leverOf(t, k) * leverOf(t, q);
            mass[k][q] = product * cos(angle[k] - angle[q]) + (k == q ? own : 0);
            turning[k] -= product * sin(angle[k] - angle[q]) * rate[q] * rate[q];
        }
        for (int t = 0; t < n; t++)
            turning[k] -= gravity * leverOf(t, k) * cos(angle[k]);
    }
    solve(n, mass, turning);
    force[0] = 0;
    force[1] = n * gravity;
    for (int t = 0; t < n; t++)
        for (int k = 0; k <= t; k++) {
            const double c = cos(angle[k]), s = sin(angle[k]), whirl = rate[k] * rate[k];
            force[0] += leverOf(t, k) * (-s * turning[k] - c * whirl);
            force[1] += leverOf(t, k) * (c * turning[k] - s * whirl);
        }
}

/* The error of the force that a hinge exerts on its first body, or two hinges together; NaN: there
 * is no value. */
static double missOf(ksInspector *inspector, dJointID hinge, dJointID second, const double *truth, double *bar)
{
    ksWrenchTerm term[2] = {{.joint = hinge, .body = dJointGetBody(hinge, 0)},
                            {.joint = second, .body = dJointGetBody(hinge, 0)}};
    dVector3 anchor;
    ksWrenchSum sum;
    dJointGetHingeAnchor(hinge, anchor);
    const double about[3] = {anchor[0], anchor[1], anchor[2]};
    CHECK_OK(ksInspectorSumWrenches(inspector, term, second ? 2 : 1, KS_PHYSICAL, about, &sum));
    *bar = hypot(sum.bar.force[0], sum.bar.force[1]);
    return hypot(sum.wrench.force[0] - truth[0], sum.wrench.force[1] - truth[1]);
}

static double gapOf(const Chain *chain)
{
    double most = 0;
    for (int i = 0; i < chain->links; i++) {
        dVector3 a, b;
        dJointGetHingeAnchor(chain->hinge[i], a);
        dJointGetHingeAnchor2(chain->hinge[i], b);
        most = fmax(most, hypot(a[0] - b[0], a[1] - b[1]));
    }
    return most;
}

static ksStatus stepOnce(ksInspector *inspector, bool isQuick, double h)
{
    return isQuick ? ksInspectorQuickStep(inspector, h) : ksInspectorStep(inspector, h);
}

typedef struct Case {
    int links;
    Held held;
    bool isQuick;
    double h;
} Case;

static const Case cases[] = {
    {2, PLANES, false, 5e-3},    {2, PLANES, true, 5e-3},    {2, PLANES, false, 2.5e-3},  {2, PLANES, true, 2.5e-3},
    {2, PLANES, false, 1.25e-3}, {2, PLANES, true, 1.25e-3}, {2, HINGES, false, 5e-3},    {2, HINGES, true, 5e-3},
    {2, HINGES, false, 2.5e-3},  {2, HINGES, true, 2.5e-3},  {2, HINGES, false, 1.25e-3}, {2, HINGES, true, 1.25e-3},
    {3, PLANES, false, 2.5e-3},  {3, HINGES, false, 2.5e-3}, {4, PLANES, false, 1.25e-3}, {4, HINGES, false, 1.25e-3},
};

START_TEST(joints_that_hold_again_change_nothing)
{
    const Case *c = &cases[_i];
    static const double duration = 5;
    Chain chain = openChain(c->links, c->held);
    double miss2 = 0, load2 = 0, gap = 0;
    const int steps = (int)lround(duration / c->h);
    for (int i = 0; i < steps; i++) {
        double truth[2], bar;
        gap = fmax(gap, gapOf(&chain));
        trueForce(&chain, truth);
        CHECK_OK(stepOnce(chain.inspector, c->isQuick, c->h));
        const double miss = missOf(chain.inspector, chain.hinge[0], chain.second[0], truth, &bar);
        ck_assert_double_le(miss, bar);
        miss2 += miss * miss;
        load2 += truth[0] * truth[0] + truth[1] * truth[1];
    }
    printf("%d links, %s, %s, %g ms: off by %.1e of the load, largest gap %.1e of a link\n", c->links,
           c->held == PLANES ? "planes" : "second hinges", c->isQuick ? "sweeps" : "direct", 1e3 * c->h,
           sqrt(miss2 / load2), gap / length);
    ck_assert_double_le(sqrt(miss2 / load2), perGap * gap / length);
    closeChain(&chain);
}
END_TEST

/* All joints fit, but the mass centres move as no joint permits. */
START_TEST(rates_stay_in_a_pose_that_fits)
{
    Chain chain = openChain(3, (Held)_i);
    static const double rate[3] = {4, -7, 5};
    double truth[2], bar;
    for (int i = 0; i < chain.links; i++) {
        dBodySetAngularVel(chain.body[i], 0, 0, rate[i]);
        dBodySetLinearVel(chain.body[i], 0.3 * i, 0.5, 0);
    }
    trueForce(&chain, truth);
    CHECK_OK(ksInspectorStep(chain.inspector, 1e-3));
    const double miss = missOf(chain.inspector, chain.hinge[0], chain.second[0], truth, &bar);
    ck_assert_double_le(miss, bar);
    ck_assert_double_le(miss, fitTolerance * hypot(truth[0], truth[1]));
    closeChain(&chain);
}
END_TEST

/* --- A loop that moves --- */

/* Cranks and a coupler of 1 kg each; a pendulum hangs at the middle of the coupler. */
typedef struct Swing {
    dWorldID world;
    dBodyID crank[2], bob;
    dJointID pin;
    double mass;
    ksInspector *inspector;
} Swing;

static Swing openSwing(double mass)
{
    static const double apart = 0.5, at = 0.9, from = 1.2;
    Swing swing = {.world = planarWorld(), .mass = mass};
    const double x = length * sin(at), y = -length * cos(at), middle = x + apart / 2;
    for (int i = 0; i < 2; i++)
        swing.crank[i] = addBar(swing.world, 1, length, x / 2 + i * apart, y / 2, at - M_PI / 2);
    dBodyID coupler = addBar(swing.world, 1, apart, middle, y, 0);
    swing.bob =
        addBar(swing.world, mass, length, middle + length / 2 * sin(from), y - length / 2 * cos(from), from - M_PI / 2);
    for (int i = 0; i < 2; i++) {
        addHinge(swing.world, swing.crank[i], NULL, i * apart, 0, 0);
        addHinge(swing.world, coupler, swing.crank[i], x + i * apart, y, 0);
    }
    swing.pin = addHinge(swing.world, swing.bob, coupler, middle, y, 0);
    swing.inspector = inspect(swing.world);
    return swing;
}

/* The force on the pendulum; angles from the downward vertical. The coupler moves like the ends of
 * the cranks. */
static void trueSwing(const Swing *swing, double force[2])
{
    const double l = length / 2, at = angleOf(swing->crank[0]) + M_PI / 2, from = angleOf(swing->bob) + M_PI / 2;
    const double rate = (dBodyGetAngularVel(swing->crank[0])[2] + dBodyGetAngularVel(swing->crank[1])[2]) / 2;
    const double fall = dBodyGetAngularVel(swing->bob)[2], square = length * length + width * width;
    const double ends = square / 12 + l * l, bob = swing->mass;
    double mass[MOST_LINKS][MOST_LINKS] = {{2 * ends + (1 + bob) * length * length}};
    mass[0][1] = mass[1][0] = bob * length * l * cos(at - from);
    mass[1][1] = bob * ends;
    double turning[2] = {-bob * length * l * sin(at - from) * fall * fall - gravity * sin(at) * (2 + bob) * length,
                         bob * length * l * sin(at - from) * rate * rate - gravity * bob * l * sin(from)};
    solve(2, mass, turning);
    force[0] = bob * (length * (cos(at) * turning[0] - sin(at) * rate * rate) +
                      l * (cos(from) * turning[1] - sin(from) * fall * fall));
    force[1] = bob * (length * (sin(at) * turning[0] + cos(at) * rate * rate) +
                      l * (sin(from) * turning[1] + cos(from) * fall * fall) + gravity);
}

typedef struct SwingCase {
    double mass;
    bool isQuick;
    double h;
} SwingCase;

static const SwingCase swings[] = {
    {1, false, 5e-3}, {1, true, 5e-3}, {10, false, 5e-3}, {10, true, 5e-3}, {10, false, 1.25e-3}, {10, true, 1.25e-3},
};

START_TEST(loops_keep_rates_too)
{
    const SwingCase *c = &swings[_i];
    static const double duration = 3;
    /* of the force, under a direct solver: the square of the gaps; for the velocities nearest in
     * the mass metric the error is five times as large */
    static const double most = 1e-3;
    Swing swing = openSwing(c->mass);
    double miss2 = 0, load2 = 0;
    int beyond = 0;
    const int steps = (int)lround(duration / c->h);
    for (int i = 0; i < steps; i++) {
        double truth[2], bar;
        trueSwing(&swing, truth);
        CHECK_OK(stepOnce(swing.inspector, c->isQuick, c->h));
        const double miss = missOf(swing.inspector, swing.pin, NULL, truth, &bar);
        beyond += miss > bar;
        miss2 += miss * miss;
        load2 += truth[0] * truth[0] + truth[1] * truth[1];
    }
    printf("%g kg at a loop, %s, %g ms: off by %.1e of the load, %d of %d steps beyond their bars\n", c->mass,
           c->isQuick ? "sweeps" : "direct", 1e3 * c->h, sqrt(miss2 / load2), beyond, steps);
    ck_assert_double_le(beyond, mostBeyond * steps);
    if (!c->isQuick)
        ck_assert_double_le(sqrt(miss2 / load2), most);
    ksInspectorDestroy(swing.inspector);
    dWorldDestroy(swing.world);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("planar");
    tcase_add_loop_test(test, joints_that_hold_again_change_nothing, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_loop_test(test, rates_stay_in_a_pose_that_fits, 0, HELDS);
    tcase_add_loop_test(test, loops_keep_rates_too, 0, (int)(sizeof swings / sizeof *swings));
    return runCase("planar mechanisms", test);
}
