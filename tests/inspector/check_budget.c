/* check_budget.c  Islands that are too large for a solution in each step have KS_REASON_BUDGET. */
#include "demos/scenes/scenes_private.h"
#include "tests/kits/inside_kit.h"
#include "tests/kits/support.h"

static const double h = 0.001;

START_TEST(over_the_budget)
{
    Scene *scene = sceneChain(3, SCENE_FALLING);
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = 14;
    ksInspector *inspector = inspectWith(scene->world, &options);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_UNCHECKED");
    ck_assert(reaction->reasons & KS_REASON_BUDGET);
    ck_assert(isnan(reaction->converged[0].force[0]) && isnan(reaction->error));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The default budget is for islands with coupled loops: trees can have any size. */
START_TEST(own_budget)
{
    const bool tree = _i == 1, few = _i == 2;
    Scene *scene = tree ? sceneChain(1200, SCENE_HANGING) : sceneLoops(1, few ? 150 : 450, COUPLER_BALL_UNIVERSAL);
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    ck_assert_uint_eq(report->islandCount, 1);
    ck_assert_uint_gt(report->rowCount, few ? 5000 / 3 : 5000);
    ck_assert_uint_eq(report->verdictCount[KS_UNCHECKED], (tree || few ? 0 : report->reactionCount));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

enum { DRIFT_STEPS = 400 };
static const double driftStep = 0.005;

static void letDrift(Scene *scene)
{
    for (int i = 0; i < DRIFT_STEPS; i++)
        sceneStep(scene, dWorldQuickStep, driftStep);
}

static void checkFound(const ksReaction *reaction)
{
    ck_assert(isfinite(reaction->physical[0].force[0]));
    ck_assert_int_eq(reaction->freeCount, 3);
    ck_assert_int_ne(reaction->verdict, KS_UNCHECKED);
}

/* Checks each reaction of three steps after the scene has drifted. Destroys the scene. */
static void checkDrifted(Scene *scene)
{
    letDrift(scene);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 3; i++) {
        size_t count;
        CHECK_OK(ksInspectorQuickStep(inspector, driftStep));
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        ck_assert_uint_eq(count, (size_t)scene->jointCount);
        for (size_t k = 0; k < count; k++)
            checkFound(&reaction[k]);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}

/* The fitting pose of a long row of loops is found: each joint has a physical value, and three free
 * directions, as in a single loop. */
START_TEST(long_drifted_row)
{
    checkDrifted(sceneLoops(1, 60, COUPLER_HINGED));
}
END_TEST

/* The fitting pose of a grid, in which self-stresses cross, is found, too. */
START_TEST(wide_drifted_grid)
{
    checkDrifted(sceneGrid(10, 10));
}
END_TEST

enum { AROUND = 20, FLOORS = 6, BETWEEN = 2 * AROUND, RING = AROUND + BETWEEN };

static void findTip(int floor, int i, double at[3], double tangent[3])
{
    const double angle = 2 * M_PI * i / AROUND, radius = AROUND / (2 * M_PI);
    at[0] = radius * cos(angle);
    at[1] = radius * sin(angle);
    at[2] = -floor;
    tangent[0] = -sin(angle);
    tangent[1] = cos(angle);
    tangent[2] = 0;
}

/* A cylinder of hinged loops: bars hang on hinges from the world or from the bars above, and other
 * bars join the tips of neighbours. In each floor the hinges of hanging bars come first. */
static Scene *cylinder(void)
{
    Scene *scene = sceneCreate(2 * FLOORS * AROUND, FLOORS * RING);
    for (int f = 0; f < FLOORS; f++) {
        dBodyID *const hung = &scene->body[2 * f * AROUND], *const above = hung - 2 * AROUND;
        double from[3], to[3], axis[3], other[3];
        for (int i = 0; i < AROUND; i++) {
            findTip(f, i, from, axis);
            findTip(f + 1, i, to, axis);
            sceneAddHinge(scene, sceneAddBar(scene, 1, from, to), f ? above[i] : NULL, from, axis);
        }
        for (int i = 0; i < AROUND; i++) {
            findTip(f + 1, i, from, axis);
            findTip(f + 1, i + 1, to, other);
            dBodyID bar = sceneAddBar(scene, 1, from, to);
            sceneAddHinge(scene, bar, hung[i], from, axis);
            sceneAddHinge(scene, hung[(i + 1) % AROUND], bar, to, other);
        }
    }
    return scene;
}

/* A drifted cylinder of 1800 rows. In the pose in which its joints fit, no joint can move, so the
 * rank is the number of coordinates. The singular values of all rows confirm this rank. After the
 * first two steps towards the pose, the remaining gaps hide it. The hinges of each floor carry the
 * weight below, also if the joints between some bars have broken. */
START_TEST(drifted_cylinder)
{
    Scene *scene = cylinder();
    for (int k = 2; _i && k < FLOORS * BETWEEN; k += 31)
        dJointDestroy(scene->joint[k / BETWEEN * RING + AROUND + k % BETWEEN]);
    letDrift(scene);
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    for (size_t k = 0; k < count; k++)
        ck_assert(_i ? !(reaction[k].reasons & KS_REASON_BUDGET) : reaction[k].verdict != KS_UNCHECKED);
    for (int f = 0; f < FLOORS; f++) {
        const double weight = 2 * (FLOORS - f) * AROUND * SCENE_GRAVITY;
        ksWrenchTerm term[AROUND] = {{0}};
        ksWrenchSum sum;
        for (int i = 0; i < AROUND; i++) {
            term[i].joint = scene->joint[f * RING + i];
            term[i].body = scene->body[2 * f * AROUND + i];
        }
        CHECK_OK(ksInspectorSumWrenches(inspector, term, AROUND, KS_PHYSICAL, NULL, &sum));
        ck_assert(sum.unique >> KS_LIMIT_FORCE_Z & 1u);
        ck_assert_double_le(fabs(sum.wrench.force[2] - weight), sum.bar.force[2]);
        ck_assert(_i || sum.bar.force[2] < weight);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A drifted lattice of boxes on balls, held at the top: 230 of its 975 rows are redundant. Because
 * of the geometry, some of these have singular values of 1e-6, and the other rows have 0.05 and
 * more. No bar of a multiplier exceeds the weight, even 10 km from the origin, where positions are
 * rounded to 2e-12 m. */
START_TEST(drifted_lattice)
{
    enum { SIDE = 5 };
    static const double away[] = {0, 1e3, 1e4};  // m
    const double box[3] = {0.5, 0.5, 0.5}, weight = SIDE * SIDE * SIDE * SCENE_GRAVITY;
    Scene *scene = sceneCreate(SIDE * SIDE * SIDE, 3 * SIDE * SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int y = i / SIDE % SIDE, z = i % SIDE;
        const double x = away[_i] + i / (SIDE * SIDE);
        dBodyID body = sceneAddBox(scene, 1, x, y, -z, box);
        if (i >= SIDE * SIDE)
            sceneAddBall(scene, body, scene->body[i - SIDE * SIDE], (const double[3]){x - 0.5, y, -z});
        if (y > 0)
            sceneAddBall(scene, body, scene->body[i - SIDE], (const double[3]){x, y - 0.5, -z});
        sceneAddBall(scene, body, z > 0 ? scene->body[i - 1] : NULL, (const double[3]){x, y, 0.5 - z});
    }
    letDrift(scene);
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    for (size_t k = 0; k < count; k++) {
        ck_assert_int_ne(reaction[k].verdict, KS_UNCHECKED);
        for (int l = 0; l < reaction[k].rowCount; l++)
            ck_assert_double_lt(reaction[k].row[l].physicalBar, weight);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A drifted fence that lacks 3 % of its joints, and loses one more in each step. Its gaps are
 * larger than the least singular values of its rows, so conjugate gradients do not find the
 * engine's part along its 276 self-stresses. */
START_TEST(fence_that_loses_joints)
{
    enum { EVERY = 33, FIRST = 16, STEPS = 3 };
    Scene *scene = sceneGrid(10, 10);
    for (int i = FIRST; i < scene->jointCount; i += EVERY)
        dJointDestroy(scene->joint[i]);
    letDrift(scene);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < STEPS; i++) {
        size_t count;
        dJointDestroy(scene->joint[FIRST + 1 + i * EVERY]);
        CHECK_OK(ksInspectorQuickStep(inspector, driftStep));
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        for (size_t k = 0; k < count; k++) {
            ck_assert_int_ne(reaction[k].verdict, KS_UNCHECKED);
            ck_assert(isfinite(reaction[k].physical[0].force[0]) && isfinite(reaction[k].converged[0].force[0]));
        }
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

enum { BAYS = 20 };

/* A node of a truss. */
typedef struct Node {
    double at[3];
    dBodyID first; /* its first bar, to which hinges attach its other bars */
    bool isHeld;   /* a hinge attaches the first bar to the world */
} Node;

static void join(Scene *scene, Node *from, Node *to)
{
    static const double across[3] = {0, 1, 0};
    Node *const end[2] = {from, to};
    const dBodyID bar = sceneAddBar(scene, 1, from->at, to->at);
    for (int i = 0; i < 2; i++) {
        Node *node = end[i];
        if (node->first || node->isHeld)
            sceneAddHinge(scene, bar, node->first, node->at, across);
        if (!node->first)
            node->first = bar;
    }
}

/* A truss of hinged bars, 1 m long and high, with both ends of the lower chord on hinges. These are
 * its first two joints. Each bay adds six: of its lower chord, upper chord, and diagonal. */
static Scene *truss(void)
{
    Scene *scene = sceneCreate(4 * BAYS + 1, 6 * BAYS + 2);
    Node node[2 * BAYS + 2];
    for (int i = 0; i < 2 * BAYS + 2; i++)
        node[i] = (Node){.at = {i / 2, 0, i % 2}, .isHeld = i == 0 || i == 2 * BAYS};
    for (int i = 0; i <= BAYS; i++)
        join(scene, &node[2 * i], &node[2 * i + 1]);
    for (int i = 0; i < BAYS; i++) {
        join(scene, &node[2 * i], &node[2 * i + 2]);
        join(scene, &node[2 * i + 1], &node[2 * i + 3]);
        join(scene, &node[2 * i], &node[2 * i + 3]);
    }
    return scene;
}

/* A drifted truss whose lower chord has broken in the middle. In its plane it is statically
 * determinate. It moves only in its plane, so the three rows of each hinge across that plane share
 * loads, except those of the hinge on which the broken bar hangs. The gaps add up to a sag, so the
 * pose in which the joints fit is far away. */
START_TEST(truss_that_has_lost_a_joint)
{
    enum { BROKEN = 2 + 6 * (BAYS / 2), STEPS = 200 };
    Scene *scene = truss();
    dJointDestroy(scene->joint[BROKEN]);
    for (int i = 0; i < STEPS; i++)
        sceneStep(scene, dWorldQuickStep, driftStep);
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorQuickStep(inspector, driftStep));
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_eq(count, (size_t)scene->jointCount - 1);
    for (size_t k = 0; k < count; k++) {
        const bool isBridge = reaction[k].joint == scene->joint[BROKEN + 1];
        ck_assert_int_ne(reaction[k].verdict, KS_UNCHECKED);
        ck_assert_int_eq(reaction[k].freeCount, isBridge ? 0 : 3);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

static dJointID addTwin(Scene *scene, dBodyID body, const double at[3], const double axis[3])
{
    dJointID twin = dJointCreateHinge(scene->world, 0);
    dJointAttach(twin, body, NULL);
    dJointSetHingeAnchor(twin, at[0], at[1], at[2]);
    dJointSetHingeAxis(twin, axis[0], axis[1], axis[2]);
    return twin;
}

/* A long chain stays within the budget, also with a doubled top hinge. */
START_TEST(redundant_beyond_the_dense_budget)
{
    Scene *scene = sceneChain(90, SCENE_HANGING);
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->verdictCount[KS_VALID], 90);
    dJointID twin = addTwin(scene, scene->body[0], (const double[3]){0}, (const double[3]){0, 1, 0});
    // a body touches the last link without force: the row may be on either side of its bound
    const dReal *end = dBodyGetPosition(scene->body[89]);
    dContact touch = {.geom = {.pos = {end[0], end[1], end[2]}, .normal = {1, 0, 0}}};
    addContact(scene->world, 0, &touch, scene->body[89], NULL);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, twin);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_INDETERMINATE");
    ck_assert_int_eq(reaction->freeCount, 5);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Hinges whose axes differ by slightly more than the tolerance hold a hub with many arms: only all
 * singular values would decide. With a third of the rows they do. */
START_TEST(in_doubt_beyond_the_dense_budget)
{
    const bool few = _i == 1;
    Scene *scene = sceneStar(few ? 27 : 90);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 2; i++)
        addTwin(scene, scene->body[0], (const double[3]){0}, (const double[3]){i * 1e-3, 0, 1});
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_uint_gt(ksInspectorGetStepReport(inspector)->rowCount, few ? 400 / 3 : 400);
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[1]);
    ck_assert_int_eq(reaction->verdict == KS_UNCHECKED, !few);
    ck_assert_int_eq((reaction->reasons & KS_REASON_BUDGET) != 0, !few);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Joints with springs share no load, however many loops they close, so an island of any size has
 * values. dWorldStep solves the same equations. No coordinate moves only one of the rows, and no
 * singular values are needed to see this. */
START_TEST(springs_beyond_the_dense_budget)
{
    Scene *scene = sceneLoops(1, 30, COUPLER_HINGED);
    dWorldSetCFM(scene->world, 1e-5);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        ck_assert_uint_gt(report->rowCount, 400);
        ck_assert_uint_eq(report->verdictCount[KS_VALID], report->reactionCount);
        ck_assert_double_eq(insideDenseWork(insideSystem(inspector)), 0);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A doubt that disappears without a change of rows: some steps later there are values again. */
START_TEST(a_doubt_that_goes_is_not_remembered_for_long)
{
    enum { SOON = 20 };  // steps
    Scene *scene = sceneStar(90);
    ksInspector *inspector = inspect(scene->world);
    dJointID twin[2];
    for (int i = 0; i < 2; i++)
        twin[i] = addTwin(scene, scene->body[0], (const double[3]){0}, (const double[3]){i * 1e-3, 0, 1});
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert(ksInspectorGetReaction(inspector, twin[0])->reasons & KS_REASON_BUDGET);
    dJointSetHingeAxis(twin[1], 0, 0, 1);
    int steps = 0;
    do
        CHECK_OK(ksInspectorStep(inspector, h));
    while (ksInspectorGetReaction(inspector, twin[0])->reasons & KS_REASON_BUDGET && ++steps < SOON);
    ck_assert_int_lt(steps, SOON);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("budget");
    tcase_add_test(test, over_the_budget);
    tcase_add_loop_test(test, own_budget, 0, 3);
    tcase_add_test(test, long_drifted_row);
    tcase_add_test(test, wide_drifted_grid);
    tcase_add_loop_test(test, drifted_cylinder, 0, 2);
    tcase_add_loop_test(test, drifted_lattice, 0, 3);
    tcase_add_test(test, fence_that_loses_joints);
    tcase_add_test(test, truss_that_has_lost_a_joint);
    tcase_add_test(test, redundant_beyond_the_dense_budget);
    tcase_add_test(test, springs_beyond_the_dense_budget);
    tcase_add_test(test, a_doubt_that_goes_is_not_remembered_for_long);
    tcase_add_loop_test(test, in_doubt_beyond_the_dense_budget, 0, 2);
    return runCase("budget", test);
}
