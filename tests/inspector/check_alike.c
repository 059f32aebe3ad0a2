/* check_alike.c  Mechanisms are solved one after the other, and equal ones share everything that
 * depends on blocks and rows alone. Each mechanism gives the results of a world of its own, in the
 * step and in later queries, and layouts soon stop changing. */
#include "tests/kits/inside_kit.h"
#include "tests/kits/support.h"

enum { COUNT = 12, BARS = 3, HINGES = 4, STEPS = 150 };
static const double h = 0.005;

/* Of the largest load: the choice of dependent rows to omit may come from another mechanism. */
static const double rounding = 1e-8;

/* Bars of omitted dependent rows are composed of the bars of other rows. */
static const double barFactor = 1.001;

static dBodyID addBar(dWorldID world, double mass, const double a[3], const double b[3])
{
    dBodyID bar = dBodyCreate(world);
    dMass m;
    dMassSetBoxTotal(&m, mass, 0.3, 0.5, 0.7);
    dBodySetMass(bar, &m);
    dBodySetPosition(bar, 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2]));
    return bar;
}

static dJointID addHinge(dWorldID world, dBodyID a, dBodyID b, const double at[3], const double axis[3])
{
    dJointID hinge = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, a, b);
    dJointSetHingeAnchor(hinge, at[0], at[1], at[2]);
    dJointSetHingeAxis(hinge, axis[0], axis[1], axis[2]);
    return hinge;
}

/* Four hinges around three bars: three self-stresses. Each linkage has a plane, a pose and masses
 * of its own. */
static void addLinkage(dWorldID world, int which, dJointID hinge[HINGES])
{
    const double turn = 0.7 * which, angle = 0.4 + 0.1 * (which % 5), mass = 1 + which % 3;
    const double along[3] = {cos(turn), sin(turn), 0}, axis[3] = {-sin(turn), cos(turn), 0};
    double point[4][3];
    for (int k = 0; k < 3; k++) {
        const double down = k == 2 ? -cos(angle) : 0;
        point[0][k] = 0;
        point[1][k] = sin(angle) * along[k] + down;
        point[2][k] = point[1][k] + along[k];
        point[3][k] = along[k];
    }
    dBodyID bar[BARS];
    for (int i = 0; i < BARS; i++)
        bar[i] = addBar(world, i ? mass : 1, point[i], point[i + 1]);
    hinge[0] = addHinge(world, bar[0], NULL, point[0], axis);
    hinge[1] = addHinge(world, bar[1], bar[0], point[1], axis);
    hinge[2] = addHinge(world, bar[2], bar[1], point[2], axis);
    hinge[3] = addHinge(world, bar[2], NULL, point[3], axis);
}

/* A world with all linkages, and a world for each of them. */
static dWorldID all, alone[COUNT];
static dJointID inAll[COUNT][HINGES], inOwn[COUNT][HINGES];
static ksInspector *together, *apart[COUNT];

static void setUp(void)
{
    all = heavyWorld();
    for (int i = 0; i < COUNT; i++) {
        alone[i] = heavyWorld();
        addLinkage(all, i, inAll[i]);
        addLinkage(alone[i], i, inOwn[i]);
    }
    together = inspect(all);
    for (int i = 0; i < COUNT; i++)
        apart[i] = inspect(alone[i]);
}

static void tearDown(void)
{
    ksInspectorDestroy(together);
    dWorldDestroy(all);
    for (int i = 0; i < COUNT; i++) {
        ksInspectorDestroy(apart[i]);
        dWorldDestroy(alone[i]);
    }
}

static void step(void)
{
    CHECK_OK(ksInspectorStep(together, h));
    for (int i = 0; i < COUNT; i++)
        CHECK_OK(ksInspectorStep(apart[i], h));
}

static double largest(const ksWrench *a, const ksWrench *b)
{
    double most = 0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, fmax(fabs(a->force[k] - b->force[k]), fabs(a->torque[k] - b->torque[k])));
    return most;
}

static void compare(const ksReaction *one, const ksReaction *own)
{
    static const ksWrench none;
    ck_assert_str_eq(ksVerdictName(one->verdict), ksVerdictName(own->verdict));
    ck_assert_uint_eq(one->reasons, own->reasons);
    ck_assert_int_eq(one->freeCount, own->freeCount);
    ck_assert_mem_eq(&one->engine[0], &own->engine[0], sizeof one->engine[0]);
    const double load = largest(&own->converged[0], &none);
    ck_assert_double_le(largest(&one->converged[0], &own->converged[0]), rounding * load);
    ck_assert_double_le(largest(&one->physical[0], &own->physical[0]), rounding * load);
    ck_assert_double_le(one->errorBar, barFactor * own->errorBar);
    ck_assert_double_ge(one->errorBar, own->errorBar / barFactor);
}

static unsigned layouts(void)
{
    return insideLayouts(insideSystem(together));
}

START_TEST(values_are_those_of_a_world_of_its_own)
{
    for (int i = 0; i < STEPS; i++) {
        step();
        for (int k = 0; k < COUNT; k++)
            for (int j = 0; j < HINGES; j++)
                compare(ksInspectorGetReaction(together, inAll[k][j]), ksInspectorGetReaction(apart[k], inOwn[k][j]));
    }
}
END_TEST

/* Queries after the step refer to the right mechanism, whichever was solved last. */
START_TEST(each_is_found_again_after_the_step)
{
    step();
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < COUNT; k++) {
            const ksBodyProbe one = {.body = dJointGetBody(inAll[k][1], 0), .axis = {0, 0, 1}};
            const ksBodyProbe own = {.body = dJointGetBody(inOwn[k][1], 0), .axis = {0, 0, 1}};
            double found, expected;
            CHECK_OK(ksInspectorGetMobility(together, &one, &one, &found));
            CHECK_OK(ksInspectorGetMobility(apart[k], &own, &own, &expected));
            ck_assert_double_gt(expected, 1e-3);
            ck_assert_double_eq_tol(found, expected, rounding);
        }
}
END_TEST

static void setMotor(int k, double most)
{
    dJointSetHingeParam(inAll[k][0], dParamVel, 100);
    dJointSetHingeParam(inAll[k][0], dParamFMax, most);
    dJointSetHingeParam(inOwn[k][0], dParamVel, 100);
    dJointSetHingeParam(inOwn[k][0], dParamFMax, most);
}

/* Every second mechanism has a motor too weak for its speed: its rows are known, the
 * others' rows are not. No mechanism makes another one repeat its symbolic factorisation. */
START_TEST(known_rows_may_differ)
{
    unsigned before = 0;
    for (int k = 0; k < COUNT; k++)
        setMotor(k, k % 2 ? 1 : 1e9);
    for (int i = 0; i < 30; i++) {
        step();
        for (int k = 0; k < COUNT; k++)
            compare(ksInspectorGetReaction(together, inAll[k][1]), ksInspectorGetReaction(apart[k], inOwn[k][1]));
        before = i == 4 ? layouts() : before;
    }
    // some change because they move; without the cache every step would have as many
    ck_assert_uint_lt(layouts() - before, COUNT);
}
END_TEST

/* One mechanism changes its structure for a while and changes back: the others keep their pattern,
 * and it gets its own pattern back. */
START_TEST(one_changes_and_comes_back)
{
    for (int k = 0; k < COUNT; k++)
        setMotor(k, 1);
    for (int i = 0; i < 5; i++)
        step();
    const unsigned before = layouts();
    setMotor(COUNT / 2, 1e9);
    for (int i = 0; i < 10; i++)
        step();
    const unsigned between = layouts();
    ck_assert_uint_lt(between - before, COUNT);
    setMotor(COUNT / 2, 1);
    for (int i = 0; i < 10; i++)
        step();
    ck_assert_uint_lt(layouts() - between, COUNT / 2);
}
END_TEST

/* A chain from the world. */
static dBodyID addChain(dWorldID world, dBodyID last, int first, int end)
{
    for (int i = first; i < end; i++) {
        const double from[3] = {i, 0, 0}, to[3] = {i + 1, 0, 0}, axis[3] = {0, 1, 0};
        dBodyID link = addBar(world, 1, from, to);
        addHinge(world, link, last, from, axis);
        last = link;
    }
    return last;
}

/* A chain becomes as long as another one. */
START_TEST(one_becomes_like_another)
{
    enum { LONG = 40 };
    dWorldID world = heavyWorld();
    ksInspector *inspector = inspect(world);
    addChain(world, NULL, 0, LONG);
    dBodyID last = addChain(world, NULL, 0, 2);
    for (int i = 0; i < 3; i++)
        CHECK_OK(ksInspectorStep(inspector, 1e-4));
    addChain(world, last, 2, LONG);
    for (int i = 0; i < 2; i++)
        CHECK_OK(ksInspectorStep(inspector, 1e-4));
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->verdictCount[KS_VALID], 2 * LONG);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("alike");
    TCase *test = tcase_create("linkages");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_test(test, values_are_those_of_a_world_of_its_own);
    tcase_add_test(test, each_is_found_again_after_the_step);
    tcase_add_test(test, known_rows_may_differ);
    tcase_add_test(test, one_changes_and_comes_back);
    suite_add_tcase(suite, test);
    test = tcase_create("chains");
    tcase_add_test(test, one_becomes_like_another);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}
