/* check_exact_contacts.c  ksInspectorExactStep on the ground: how far contacts are from their
 * solution, and joints from theirs given these contacts. */
#include "tests/kits/support.h"

static const double h = 0.005;

/* of the largest force nearby: solved to rounding */
static const double kSolved = 1e-9;

static ksInspectorOptions contactsSwept(void)
{
    ksInspectorOptions options = defaultOptions();
    options.exactContacts = KS_EXACT_CONTACTS_SWEPT;
    return options;
}

static void exactStep(Scene *scene, ksInspector *inspector)
{
    sceneBeforeStep(scene);
    CHECK_OK(ksInspectorExactStep(inspector, h));
    sceneAfterStep(scene);
}

/* ksRow::unsolved over the largest force nearby, during a fall onto the ground: the sum over
 * contacts, and the largest of joints. */
typedef struct Unsolved {
    double contacts, joints;
    long steps;
} Unsolved;

/* Friction is at most mu times the normal force of the same step. Where contacts are solved and the
 * rounds of friction do not settle, the normal force comes from the last round but one. */
static void expectFriction(const ksReaction *reaction, const ksInspectorOptions *options, double load)
{
    static const double circling = 1e-3;
    const double open = options->exactContacts == KS_EXACT_CONTACTS_SWEPT ? kSolved : circling;
    for (int l = 0; l < reaction->rowCount; l++) {
        const ksRow *row = &reaction->row[l];
        if (row->findex >= 0)
            ck_assert_double_le(fabs(row->engine), row->hi * reaction->row[row->findex].engine + open * load);
    }
}

static Unsolved dropRagdoll(const ksInspectorOptions *options)
{
    Scene *scene = sceneFallingRagdolls(1, BALLS_FREE, &sceneSurface[SURFACE_APPROX1]);
    ksInspector *inspector = inspectWith(scene->world, options);
    Unsolved unsolved = {0};
    for (int i = 0; i < 200; i++) {
        exactStep(scene, inspector);
        size_t count;
        double contacts = 0, joints = 0, load = 0;
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->fallbackRowCount, 0);
        for (size_t k = 0; k < count; k++) {
            const bool isContact = reaction[k].type == dJointTypeContact;
            double *most = isContact ? &contacts : &joints;
            // a known load, as after any step
            if (isContact && reaction[k].verdict != KS_NOT_SOLVED)
                ck_assert(isnan(reaction[k].row[0].gauss) && isfinite(reaction[k].row[0].alone));
            load = fmax(load, length3(reaction[k].engine[0].force));
            for (int l = 0; l < reaction[k].rowCount; l++)
                *most = fmax(*most, reaction[k].row[l].unsolved);
        }
        for (size_t k = 0; k < count; k++)
            expectFriction(&reaction[k], options, load);
        if (!scene->contactCount)
            continue;
        unsolved.steps++;
        unsolved.contacts += contacts / load;
        unsolved.joints = fmax(unsolved.joints, joints / load);
    }
    ck_assert_int_gt(unsolved.steps, 100);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    return unsolved;
}

/* Given the contacts, joints are exact; more sweeps bring the contacts nearer to their solution. */
START_TEST(more_work_comes_nearer)
{
    static const size_t sweeps[] = {5, 20, 80, 320};
    double before = INFINITY;
    for (int i = 0; i < 4; i++) {
        ksInspectorOptions options = contactsSwept();
        options.contactSweeps = sweeps[i];
        const Unsolved unsolved = dropRagdoll(&options);
        ck_assert_double_le(unsolved.joints, kSolved);
        ck_assert_double_lt(unsolved.contacts, before);
        before = unsolved.contacts;
    }
}
END_TEST

/* Where no contact slides, contacts and joints are solved to rounding together. */
START_TEST(standing_contacts_are_solved)
{
    Scene *scene = sceneWalker(&(const Walker){.legs = 4, .stepSize = h}, &sceneSurface[SURFACE_APPROX1]);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 50; i++) {
        exactStep(scene, inspector);
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        ck_assert_uint_eq(report->fallbackReasons, 0);
        // of loads of some 200 N
        ck_assert_double_le(report->worstUnsolved, 1e3 * kSolved);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Means over a fall. */
START_TEST(solved_contacts_are_nearer_than_swept_ones)
{
    ksInspectorOptions swept = contactsSwept(), solved = defaultOptions();
    swept.contactSweeps = solved.contactSweeps = 10;
    ck_assert_double_lt(dropRagdoll(&solved).contacts, 0.7 * dropRagdoll(&swept).contacts);
}
END_TEST

/* An island whose joints are within the budget, but not its contacts, is swept. */
START_TEST(contacts_over_budget_are_swept)
{
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = 60;
    Scene *scene = sceneFallingRagdolls(1, BALLS_FREE, &sceneSurface[SURFACE_APPROX1]);
    ksInspector *inspector = inspectWith(scene->world, &options);
    int swept = 0;
    for (int i = 0; i < 120; i++) {
        exactStep(scene, inspector);
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        ck_assert_uint_eq(report->fallbackRowCount, 0);
        // islands within the budget are swept, too, if friction does not settle
        ck_assert(!(report->fallbackReasons & ~(KS_REASON_BUDGET | KS_REASON_FRICTION)));
        ck_assert_int_eq((report->fallbackReasons & KS_REASON_BUDGET) != 0, report->rowCount > options.islandRowBudget);
        swept += (report->fallbackReasons & KS_REASON_BUDGET) != 0;
    }
    ck_assert_int_gt(swept, 10);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The contacts of a box that lies on the ground carry all of its weight from the first sweep on,
 * since they start from the last step's forces. */
START_TEST(contacts_go_on)
{
    static const SceneSurface *surface = &sceneSurface[SURFACE_APPROX1];
    Scene *scene = sceneWalker(&(const Walker){.legs = 4, .stepSize = h}, surface);
    ksInspectorOptions options = contactsSwept();
    options.contactSweeps = 100;
    options.values = 0;
    ksInspector *inspector = inspectWith(scene->world, &options);
    for (int i = 0; i < 100; i++)
        exactStep(scene, inspector);
    const double settled = ksInspectorGetStepReport(inspector)->worstUnsolved;
    ksInspectorDestroy(inspector);
    // a new inspector, which remembers no forces
    inspector = inspectWith(scene->world, &options);
    exactStep(scene, inspector);
    const double fresh = ksInspectorGetStepReport(inspector)->worstUnsolved;
    ck_assert_msg(settled < 0.1 * fresh, "%g N, without memory %g N", settled, fresh);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

typedef struct Grip {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID hand, box;
    dJointID lift;
    double friction;
} Grip;

static dBodyID gripBody(const Grip *grip, double mass, const double size[3], const double at[3], bool touches)
{
    dMass m;
    dBodyID body = dBodyCreate(grip->world);
    dMassSetBoxTotal(&m, mass, size[0], size[1], size[2]);
    dBodySetMass(body, &m);
    dBodySetPosition(body, at[0], at[1], at[2]);
    if (touches)
        dGeomSetBody(dCreateBox(grip->space, size[0], size[1], size[2]), body);
    return body;
}

static dJointID gripSlider(const Grip *grip, dBodyID a, dBodyID b, int axis, double force, double velocity)
{
    dJointID slider = dJointCreateSlider(grip->world, 0);
    dJointAttach(slider, a, b);
    dJointSetSliderAxis(slider, axis == 0, axis == 1, axis == 2);
    dJointSetSliderParam(slider, dParamFMax, force);
    dJointSetSliderParam(slider, dParamVel, velocity);
    return slider;
}

/* Two fingers on sliders press a box of 1 kg with 50 N each, and a hand with both fingers is
 * lifted. */
static Grip makeGrip(double friction)
{
    Grip grip = {.world = dWorldCreate(), .space = dSimpleSpaceCreate(0), .contacts = dJointGroupCreate(0)};
    grip.friction = friction;
    dWorldSetGravity(grip.world, 0, 0, -9.81);
    grip.box = gripBody(&grip, 1, (double[]){0.1, 0.1, 0.1}, (double[]){0, 0, 0}, true);
    grip.hand = gripBody(&grip, 2, (double[]){0.3, 0.1, 0.05}, (double[]){0, 0, 0.3}, false);
    grip.lift = gripSlider(&grip, grip.hand, 0, 2, 500, 0);
    for (int side = -1; side <= 1; side += 2) {
        dBodyID finger = gripBody(&grip, 0.3, (double[]){0.02, 0.1, 0.1}, (double[]){0.061 * side, 0, 0}, true);
        gripSlider(&grip, finger, grip.hand, 0, 50, -0.5 * side);
    }
    return grip;
}

static void gripTouch(void *user, dGeomID a, dGeomID b)
{
    const Grip *grip = user;
    dContact contact[8];
    const int count = dCollide(a, b, 8, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < count; i++) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = grip->friction;
        dJointAttach(dJointCreateContact(grip->world, grip->contacts, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

/* Two times 50 N can hold far more than the 9.81 N of weight and the lifting force, with a
 * coefficient of 1 and with an infinite one. Under sweeps the box creeps by less than a tenth of
 * its size, with solved contacts by less than a hundredth. */
START_TEST(a_gripped_box_is_held)
{
    const bool isSolved = _i & 4;
    const double creep = (isSolved ? 1e-2 : 1e-1) * 0.1, stepSize = _i & 1 ? 0.01 : 0.005;
    Grip grip = makeGrip(_i & 2 ? 1 : dInfinity);
    ksInspectorOptions options = isSolved ? defaultOptions() : contactsSwept();
    ksInspector *inspector = inspectWith(grip.world, &options);
    double start = NAN;
    for (int i = 0; i * stepSize < 3; i++) {
        if (i * stepSize <= 0.5)  // the fingers have closed
            start = dBodyGetPosition(grip.box)[2] - dBodyGetPosition(grip.hand)[2];
        dJointSetSliderParam(grip.lift, dParamVel, i * stepSize > 1 && i * stepSize < 2 ? 0.3 : 0);
        dSpaceCollide(grip.space, &grip, gripTouch);
        CHECK_OK(ksInspectorExactStep(inspector, stepSize));
        dJointGroupEmpty(grip.contacts);
    }
    ck_assert_double_gt(dBodyGetPosition(grip.hand)[2], 0.5);
    ck_assert_double_eq_tol(dBodyGetPosition(grip.box)[2] - dBodyGetPosition(grip.hand)[2], start, creep);
    ksInspectorDestroy(inspector);
    dJointGroupDestroy(grip.contacts);
    dSpaceDestroy(grip.space);
    dWorldDestroy(grip.world);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("exact_contacts");
    tcase_add_test(test, more_work_comes_nearer);
    tcase_add_test(test, standing_contacts_are_solved);
    tcase_add_test(test, solved_contacts_are_nearer_than_swept_ones);
    tcase_add_test(test, contacts_over_budget_are_swept);
    tcase_add_test(test, contacts_go_on);
    tcase_add_loop_test(test, a_gripped_box_is_held, 0, 8);
    return runCase("exact_contacts", test);
}
