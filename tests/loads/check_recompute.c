/* check_recompute.c  Chosen wrenches recomputed on demand, against statics, exact solutions and the engine itself. */
#include "tests/kits/box_kit.h"

static const double tolerance = 1e-3;
enum { SWEEPS = 4096 };

static void inspectAnew(size_t rowBudget, unsigned values, ksContacts contacts, const ksAllocator *allocator)
{
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = rowBudget;
    options.values = values;
    options.contacts = contacts;
    if (allocator)
        options.allocator = *allocator;
    ksInspectorDestroy(inspector);
    inspector = inspectWith(world, &options);
}

static void touch(dJointGroupID group, dBodyID a, dBodyID b, double z, double mu, int corners, dJointID joint[4])
{
    for (int i = 0; i < corners; i++) {
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = mu}, .geom = {.normal = {0, 0, 1}}};
        contact.geom.pos[0] = (i & 1 ? 0.5 : -0.5) * size[0];
        contact.geom.pos[1] = (i & 2 ? 0.5 : -0.5) * size[1];
        contact.geom.pos[2] = z;
        joint[i] = addContact(world, group, &contact, a, b);
    }
}

static void checkForce(const ksNetWrench *net, double x, double z)
{
    const double force[3] = {x, 0, z}, most = 2 * tolerance * mass * SCENE_GRAVITY;
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(net->wrench.force[k], force[k], most);
    ck_assert_int_eq(net->reached, 1);
    ck_assert_double_le(net->errorBar, tolerance);
}

/* Two boxes on the ground, the lower one pushed: the sum over a pair is unique, the shares of the
 * corners are not. */
START_TEST(statics)
{
    const struct {
        size_t rowBudget;
        unsigned values;
        int iterations;
        const char *verdict[2]; /* of contacts as reported, and as solved */
    } cases[] = {
        {1, KS_COMPUTE_CONVERGED, 2, {"KS_SOLVER_ERROR", "KS_UNCHECKED"}},
        {5000, KS_COMPUTE_CONVERGED, 200, {"KS_INDETERMINATE", "KS_INDETERMINATE"}},  // with self-stresses
        {5000, 0, 2, {"KS_UNCHECKED", "KS_UNCHECKED"}},
    };
    const int at = _i % 3, isSolved = _i / 3;
    const double push = 5, weight = mass * SCENE_GRAVITY, half = size[2] / 2;
    dJointGroupID group = dJointGroupCreate(0);
    dBodyID top = makeBox(size[2]);
    dJointID low[4], high[4];
    inspectAnew(cases[at].rowBudget, cases[at].values, isSolved ? KS_CONTACTS_SOLVED : KS_CONTACTS_REPORTED, NULL);
    touch(group, box, NULL, -half, 1, 4, low);
    touch(group, top, box, half, 1, 4, high);
    dBodyAddForce(box, push, 0, 0);
    dWorldSetQuickStepNumIterations(world, cases[at].iterations);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    const ksReaction *corner = ksInspectorGetReaction(inspector, high[0]);
    ck_assert_str_eq(ksVerdictName(corner->verdict), cases[at].verdict[isSolved]);
    ck_assert_int_eq(corner->freeCount > 0, at == 1 && isSolved);
    ck_assert_int_eq((corner->reasons & KS_REASON_REDUNDANT) != 0, cases[at].values != 0);

    ksNetWrench net[] = {
        {.a = top}, {.a = box, .b = top}, {.a = box}, {.a = top, .b = box}, {.a = top, .joint = high[0]}};
    CHECK_OK(ksInspectorRecompute(inspector, net, 4, tolerance, SWEEPS));
    checkForce(&net[0], 0, weight);
    checkForce(&net[1], 0, -weight);
    checkForce(&net[2], -push, weight);
    checkForce(&net[3], 0, weight);
    ksWrenchSum engine;
    CHECK_OK(sumContacts(inspector, top, NULL, KS_ENGINE, NULL, &engine));
    // the engine's torque is wrong, too
    const double force = engine.wrench.force[2];
    ck_assert_double_ge(net[0].error + tolerance, fabs(force - weight) / fmax(force, weight));
    if (cases[at].iterations == 2)
        ck_assert_double_gt(net[0].error, 10 * tolerance);

    CHECK_OK(ksInspectorRecompute(inspector, net, 5, tolerance, SWEEPS));
    ck_assert_int_eq(net[4].reached, 0);
    ck_assert_double_gt(net[4].errorBar, 10 * tolerance);
    dJointGroupDestroy(group);
}
END_TEST

/* Contacts whose shares are not unique have KS_REASON_REDUNDANT, as reported, and when solved
 * beyond the budget. */
START_TEST(shares)
{
    const struct {
        double mu, push;
        int corners, redundant;
    } cases[] = {
        {0, -1, 1, 0},  {0, -1, 3, 0},  // as many contacts as a plane contact has independent normal forces
        {0, -1, 4, 1},  {1, 0.1, 1, 0}, {1, 0.1, 2, 1},
        {1, 0.1, 4, 1}, {1, 100, 2, 0},  // the box slides, so friction is known
    };
    const int at = _i % 7, isSolved = _i / 7;
    dJointGroupID group = dJointGroupCreate(0);
    dJointID joint[4];
    inspectAnew(1, KS_COMPUTE_CONVERGED, isSolved ? KS_CONTACTS_SOLVED : KS_CONTACTS_REPORTED, NULL);
    dBodyAddForce(box, cases[at].push, 2 * cases[at].push, 0);
    touch(group, box, NULL, -size[2] / 2, cases[at].mu, cases[at].corners, joint);
    // this wall alone bears the whole push
    dContact wall = {.geom = {.pos = {-size[0] / 2, 0, 0}, .normal = {1, 0, 0}}};
    dJointID alone = dJointCreateContact(world, group, &wall);
    if (cases[at].mu == 0)
        dJointAttach(alone, box, NULL);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    for (int i = 0; i < cases[at].corners; i++) {
        ksReasons reasons = ksInspectorGetReaction(inspector, joint[i])->reasons;
        ck_assert_uint_eq(reasons & ~KS_REASON_REDUNDANT, isSolved ? KS_REASON_BUDGET : KS_REASON_REPORTED_LOADS);
        ck_assert_int_eq((reasons & KS_REASON_REDUNDANT) != 0, cases[at].redundant);
    }
    ck_assert_int_eq(ksInspectorGetReaction(inspector, alone)->reasons & KS_REASON_REDUNDANT, 0);
    ck_assert(cases[at].mu > 0 || ksInspectorGetReaction(inspector, alone)->row->place == KS_INSIDE);
    dJointGroupDestroy(group);
}
END_TEST

/* In a solved island the answer is the exact one. */
START_TEST(exact_solution)
{
    Scene *scene = sceneChain(10, SCENE_FALLING);
    ksInspector *chain = inspect(scene->world);
    CHECK_OK(ksInspectorQuickStep(chain, h));
    for (int i = 0; i < scene->jointCount; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(chain, scene->joint[i]);
        ksNetWrench net = {.a = reaction->body[0], .joint = scene->joint[i]};
        CHECK_OK(ksInspectorRecompute(chain, &net, 1, tolerance, 1));
        ck_assert_mem_eq(&net.wrench, &reaction->converged[0], sizeof net.wrench);
        ck_assert_int_eq(net.reached, 1);
        ck_assert_double_lt(net.errorBar, 1e-6);
    }
    // a chain beyond the budget, by sweeps: the same within the bar
    ksNetWrench exact = {.a = scene->body[0], .joint = scene->joint[0]}, swept = exact;
    CHECK_OK(ksInspectorRecompute(chain, &exact, 1, tolerance, 1));
    ksInspectorDestroy(chain);
    sceneDestroy(scene);

    scene = sceneChain(10, SCENE_FALLING);
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = 1;
    chain = inspectWith(scene->world, &options);
    CHECK_OK(ksInspectorQuickStep(chain, h));
    swept.a = scene->body[0];
    swept.joint = scene->joint[0];
    CHECK_OK(ksInspectorRecompute(chain, &swept, 1, tolerance, 100 * SWEEPS));
    ck_assert_int_eq(swept.reached, 1);
    ck_assert_double_le(distance3(swept.wrench.force, exact.wrench.force), 2 * tolerance * length3(exact.wrench.force));
    ksInspectorDestroy(chain);
    sceneDestroy(scene);
}
END_TEST

START_TEST(refusals)
{
    dJointGroupID group = dJointGroupCreate(0);
    dJointID joint[4];
    dBodyID free = makeBox(10), lift = makeBox(20);
    dBodySetKinematic(lift);
    ksNetWrench net = {.a = box}, asked = net;
    CHECK_STATUS(ksInspectorRecompute(inspector, &net, 1, tolerance, 1), KS_ERROR_BAD_ARGUMENT);  // no step yet
    touch(group, box, NULL, -size[2] / 2, 1, 4, joint);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    CHECK_STATUS(ksInspectorRecompute(inspector, &net, 1, tolerance, 1), KS_ERROR_BAD_ARGUMENT);
    dWorldStep(world, h);
    CHECK_OK(ksInspectorEndStep(inspector));
    CHECK_STATUS(ksInspectorRecompute(inspector, &net, 1, tolerance, 1), KS_ERROR_UNAVAILABLE);  // frozen bounds

    CHECK_OK(ksInspectorQuickStep(inspector, h));
    CHECK_STATUS(ksInspectorRecompute(NULL, &net, 1, tolerance, 1), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorRecompute(inspector, NULL, 1, tolerance, 1), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorRecompute(inspector, &net, 1, 0, 1), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorRecompute(inspector, &net, 1, NAN, 1), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorRecompute(inspector, &net, 1, tolerance, 0), KS_ERROR_BAD_ARGUMENT);
    const ksNetWrench bad[] = {{.a = NULL},
                               {.a = (dBodyID)&net},
                               {.a = box, .b = (dBodyID)&net},
                               {.a = box, .b = box},
                               {.a = lift},
                               {.a = box, .joint = (dJointID)&net},
                               {.a = free, .joint = joint[0]}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ksNetWrench both[] = {asked, bad[i]};
        CHECK_STATUS(ksInspectorRecompute(inspector, both, 2, tolerance, 1), KS_ERROR_BAD_ARGUMENT);
        ck_assert_mem_eq(&both[0], &asked, sizeof asked);
    }
    ck_assert_mem_eq(&net, &asked, sizeof asked);
    net.a = free;
    CHECK_OK(ksInspectorRecompute(inspector, &net, 1, tolerance, 1));
    ck_assert(length3(net.wrench.force) == 0 && net.error == 0 && net.errorBar == 0 && net.reached);
    dJointGroupDestroy(group);
}
END_TEST

static void *refuse(void *user, void *memory, size_t bytes)
{
    if (bytes && *(bool *)user)
        return NULL;
    if (bytes)
        return realloc(memory, bytes);
    free(memory);
    return NULL;
}

START_TEST(out_of_memory)
{
    bool refusing = false;
    const ksAllocator allocator = {refuse, &refusing};
    dJointGroupID group = dJointGroupCreate(0);
    dJointID joint[4];
    inspectAnew(1, KS_COMPUTE_CONVERGED, KS_CONTACTS_SOLVED, &allocator);
    for (int i = 0; i < 2; i++)  // two runs with this many contacts need more memory than the estimate
        touch(group, box, NULL, -size[2] / 2, 1, 4, joint);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    ksNetWrench net = {.a = box}, asked = net;
    refusing = true;
    CHECK_STATUS(ksInspectorRecompute(inspector, &net, 1, tolerance, SWEEPS), KS_ERROR_NO_MEMORY);
    ck_assert_mem_eq(&net, &asked, sizeof asked);
    refusing = false;
    CHECK_OK(ksInspectorRecompute(inspector, &net, 1, tolerance, SWEEPS));
    refusing = true;
    CHECK_OK(ksInspectorRecompute(inspector, &net, 1, tolerance, SWEEPS));  // the memory is kept
    dJointGroupDestroy(group);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("recompute");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_loop_test(test, statics, 0, 6);
    tcase_add_loop_test(test, shares, 0, 14);
    tcase_add_test(test, exact_solution);
    tcase_add_test(test, refusals);
    tcase_add_test(test, out_of_memory);
    return runCase("recompute", test);
}
