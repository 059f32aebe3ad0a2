/* check_straight.c  Machines that are built straight and released: across their lines they hold
 * nothing, and while they begin to sag, the least singular values of their rows are of the size of
 * the drift. The engine reports the force of the motion; ideally rigid parts would need thousands
 * of times as much. */
#include "tests/kits/structure_kit.h"

enum { STEPS = 12, ITERATIONS = 20 };

typedef struct Straight {
    double mass, stepSize;
    Make *make;
} Straight;

static void hinge(Structure *s, dBodyID first, dBodyID second, double x)
{
    const dJointID made = join(s, dJointCreateHinge(s->world, 0), first, second);
    dJointSetHingeAnchor(made, x, 0, 0);
    dJointSetHingeAxis(made, 0, 1, 0);
}

static void makePlanks(Structure *s)
{
    enum { PLANKS = 8 };
    dBodyID last = NULL;
    for (int i = 0; i < PLANKS; i++) {
        const dBodyID plank = box(s, 80, (double[3]){1, 1.5, 0.1}, i + 0.5, 0, 0);
        hinge(s, plank, last, i);
        last = plank;
    }
    hinge(s, last, NULL, PLANKS);
}

static void makePlanksOnBalls(Structure *s)
{
    enum { PLANKS = 8 };
    dBodyID last = NULL;
    for (int i = 0; i <= PLANKS; i++) {
        const dBodyID plank = i < PLANKS ? box(s, 80, (double[3]){1, 1.5, 0.1}, i + 0.5, 0, 0) : NULL;
        for (int side = -1; side < 2; side += 2)
            ball(s, plank ? plank : last, plank ? last : NULL, i, 0.75 * side, 0);
        last = plank;
    }
}

static void makeRope(Structure *s)
{
    enum { LINKS = 20 };
    dBodyID last = NULL;
    for (int i = 0; i < LINKS; i++) {
        const dBodyID link = box(s, 5, (double[3]){0.5, 0.05, 0.05}, 0.5 * i + 0.25, 0, 0);
        ball(s, link, last, 0.5 * i, 0, 0);
        last = link;
    }
    ball(s, last, NULL, 0.5 * LINKS, 0, 0);
}

/* Patches that hang from four corners. */
static void makeCloth(Structure *s)
{
    enum { WIDE = 4 };
    const double side = 0.2;
    dBodyID patch[WIDE][WIDE];
    for (int i = 0; i < WIDE; i++)
        for (int k = 0; k < WIDE; k++) {
            patch[i][k] = box(s, 3.5, (double[3]){0.9 * side, 0.9 * side, 0.02}, side * i, side * k, 0);
            if (i > 0)
                ball(s, patch[i - 1][k], patch[i][k], side * (i - 0.5), side * k, 0);
            if (k > 0)
                ball(s, patch[i][k - 1], patch[i][k], side * i, side * (k - 0.5), 0);
            if (i % (WIDE - 1) == 0 && k % (WIDE - 1) == 0)
                ball(s, patch[i][k], NULL, side * i, side * k, 0);
        }
}

static void rod(Structure *s, dBodyID first, dBodyID second)
{
    const dReal *from = dBodyGetPosition(first), *to = dBodyGetPosition(second);
    const dJointID made = join(s, dJointCreateDBall(s->world, 0), first, second);
    dJointSetDBallAnchor1(made, from[0], from[1], from[2]);
    dJointSetDBallAnchor2(made, to[0], to[1], to[2]);
}

/* Knots on rods that hang from four corners, or from the whole edge: then lines of rods share the
 * load. */
static void makeNetOn(Structure *s, bool isEdgeHeld)
{
    enum { WIDE = 4 };
    dBodyID knot[WIDE][WIDE];
    for (int i = 0; i < WIDE; i++)
        for (int k = 0; k < WIDE; k++) {
            const int ends = (i % (WIDE - 1) == 0) + (k % (WIDE - 1) == 0);
            knot[i][k] = box(s, 5, (double[3]){0.2, 0.2, 0.2}, i, k, 0);
            if (i > 0)
                rod(s, knot[i - 1][k], knot[i][k]);
            if (k > 0)
                rod(s, knot[i][k - 1], knot[i][k]);
            if (ends == 2 || (isEdgeHeld && ends))
                ball(s, knot[i][k], NULL, i, k, 0);
        }
}

static void makeNet(Structure *s)
{
    makeNetOn(s, false);
}

static void makeHeldNet(Structure *s)
{
    makeNetOn(s, true);
}

static const Straight straight[] = {
    {80, 5e-3, makePlanks}, {80, 5e-3, makePlanksOnBalls},
    {5, 5e-3, makeRope},    {3.5, 1e-3, makeCloth},
    {5, 5e-3, makeNet},     {5, 1e-3, makeNet},
    {5, 5e-3, makeHeldNet}, {5, 1e-3, makeHeldNet},
};

/* Whether the determined part of a joint's value is within its bars of the engine's report; a
 * difference below `small` N is ignored. */
static bool isWithin(const ksReaction *reaction, double small)
{
    double distance = 0, bar = 0;
    for (int l = 0; l < reaction->rowCount; l++) {
        const ksRow *row = &reaction->row[l];
        if (!row->determinate || !isfinite(row->physical))
            continue;
        distance += (row->physical - row->engine) * (row->physical - row->engine);
        bar += row->physicalBar * row->physicalBar;
    }
    return sqrt(distance) <= sqrt(bar) + small;
}

/* A value far above the force of the motion has a bar or a verdict that says so, whether it is
 * unique or not. */
static bool isSaidOpen(const ksReaction *reaction, double most)
{
    bool is = true;
    for (int l = 0; l < reaction->rowCount; l++) {
        const ksRow *row = &reaction->row[l];
        is &= !(fabs(row->physical) > most && row->physicalBar < 0.5 * fabs(row->physical));
        is &= !(fabs(row->shared) > most && row->sharedBar < 0.5 * fabs(row->shared));
    }
    return is;
}

static void count(const ksThresholdEvent *event, void *user)
{
    *(int *)user += event->phase == KS_THRESHOLD_ENTERED;
}

START_TEST(as_the_motion_takes)
{
    const double none = 1e-3, limit = 10; /* of a weight */
    const Straight *of = &straight[_i];
    const double weight = of->mass * SCENE_GRAVITY;
    Structure s = {.world = heavyWorld()};
    dWorldSetQuickStepNumIterations(s.world, ITERATIONS);
    of->make(&s);
    ksInspector *inspector = inspect(s.world);
    ksThreshold threshold;
    ksThresholdInit(&threshold);
    threshold.forceMagnitude = limit * weight;
    int passed = 0;
    for (int j = 0; j < s.joints; j++)
        CHECK_OK(ksInspectorOnThreshold(inspector, s.joint[j], &threshold, count, &passed));
    for (int i = 0; i < STEPS; i++) {
        CHECK_OK(ksInspectorQuickStep(inspector, of->stepSize));
        for (int j = 0; j < s.joints; j++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, s.joint[j]);
            ck_assert_msg(isWithin(reaction, none * weight), "step %d, joint %d", i, j);
            ck_assert_msg(isSaidOpen(reaction, limit * weight), "step %d, joint %d", i, j);
            ck_assert_double_lt(length3(reaction->engine[0].force), limit * weight);
        }
    }
    ck_assert_int_eq(passed, 0);
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
}
END_TEST

typedef struct Sagging {
    Make *make;
    int freeCount; /* of each joint */
} Sagging;

/* The hinges of the planks share forces across their plane. */
static const Sagging sagging[] = {{makePlanks, 3}, {makeRope, 0}, {makeCloth, 0}};

/* Once these machines sag, mechanics determines the tension that carries them. Their joints fit
 * only in a straight pose, in which the tension is a self-stress. The library must not take this
 * pose for the pose of the machine, even if it ends so near to it that the remaining gaps are below
 * the tolerance of the rank. */
START_TEST(tension_is_determined)
{
    enum { BEFORE = 200, INSPECTED = 40 };
    const Sagging *of = &sagging[_i / 2];
    const int way = _i % 2;
    Structure s = {.world = heavyWorld()};
    of->make(&s);
    for (int i = 0; i < BEFORE; i++)
        (way ? dWorldQuickStep : dWorldStep)(s.world, h);
    ksInspector *inspector = inspect(s.world);
    for (int i = 0; i < INSPECTED; i++) {
        stepBy(inspector, way);
        for (int j = 0; j < s.joints; j++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, s.joint[j]);
            ck_assert_msg(reaction->freeCount == of->freeCount, "step %d, joint %d: %d", i, j, reaction->freeCount);
            ck_assert_int_ne(reaction->verdict, KS_UNCHECKED);
        }
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("straight");
    tcase_add_loop_test(tcase, as_the_motion_takes, 0, sizeof straight / sizeof *straight);
    tcase_add_loop_test(tcase, tension_is_determined, 0, 2 * sizeof sagging / sizeof *sagging);
    return runCase("straight", tcase);
}
