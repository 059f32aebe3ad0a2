/* check_release.c  Loads of joints after others have released, against closed forms, and against
 * the same structure without these joints in a second world in the same state. */
#include "tests/kits/structure_kit.h"

enum { MOVING = 60 };

static void destroy(Structure *s, int first, int count)
{
    for (int i = first; i < first + count; i++) {
        dJointDestroy(s->joint[i]);
        s->joint[i] = NULL;
    }
}

static void copyState(const Structure *from, Structure *to)
{
    for (int i = 0; i < from->bodies; i++) {
        const dReal *x = dBodyGetPosition(from->body[i]), *v = dBodyGetLinearVel(from->body[i]);
        const dReal *w = dBodyGetAngularVel(from->body[i]);
        dBodySetPosition(to->body[i], x[0], x[1], x[2]);
        dBodySetQuaternion(to->body[i], dBodyGetQuaternion(from->body[i]));
        dBodySetLinearVel(to->body[i], v[0], v[1], v[2]);
        dBodySetAngularVel(to->body[i], w[0], w[1], w[2]);
    }
}

/* A drifted structure has the forces of the same structure with joints that fit in this pose. */
static void refit(const Structure *s)
{
    for (int i = 0; i < s->joints; i++) {
        dVector3 at;
        if (!s->joint[i])
            continue;
        switch (dJointGetType(s->joint[i])) {
        case dJointTypeBall:
            dJointGetBallAnchor(s->joint[i], at);
            dJointSetBallAnchor(s->joint[i], at[0], at[1], at[2]);
            break;
        case dJointTypeFixed:
            dJointSetFixed(s->joint[i]);
            break;
        default:
            break;
        }
    }
}

static double barOf(const ksReaction *reaction, int side, int k)
{
    double sum = 0;
    for (int l = 0; l < reaction->rowCount; l++)
        sum += fabs(reaction->row[l].jacobian[side][k]) *
               (reaction->row[l].sharedBar > 0 ? reaction->row[l].sharedBar : reaction->row[l].physicalBar);
    return sum;
}

/* Compares a joint of one world with the same joint of the other. */
static void compare(const ksJointAfter *after, const ksReaction *other, int which, int way, int joint)
{
    const ksWrench *both = isfinite(other->shared[0].force[0]) ? other->shared : other->physical;
    for (int side = 0; side < (other->body[1] ? 2 : 1); side++)
        for (int k = 0; k < 6; k++) {
            const double *here = k < 3 ? after->wrench[side].force : after->wrench[side].torque;
            const double *there = k < 3 ? both[side].force : both[side].torque;
            const double *bar = k < 3 ? after->bar[side].force : after->bar[side].torque;
            ck_assert_msg(fabs(here[k % 3] - there[k % 3]) <= bar[k % 3] + barOf(other, side, k),
                          "structure %d, way %d, joint %d, component %d: %.12g, without %.12g, bars %g and %g", which,
                          way, joint, k, here[k % 3], there[k % 3], bar[k % 3], barOf(other, side, k));
        }
}

START_TEST(as_if_they_had_never_been)
{
    const int which = _i % STRUCTURES, way = _i / STRUCTURES % WAYS;
    int go = 1 + _i / (STRUCTURES * WAYS);
    Structure whole, rest;
    make(&whole, which, 1e-10);
    if (go >= whole.joints)
        go = 1;
    make(&rest, which, 1e-10);
    ksInspector *inspector = inspect(whole.world), *twin = inspect(rest.world);
    for (int i = 0; i < MOVING; i++)
        stepBy(inspector, way);
    copyState(&whole, &rest);
    dJointID gone[2];
    for (int i = 0; i < go; i++)
        gone[i] = whole.joint[whole.joints / 2 + i];
    destroy(&rest, whole.joints / 2, go);
    if (way == 1)
        refit(&rest);
    stepBy(inspector, way);
    stepBy(twin, 0);
    const ksJointAfter *after;
    size_t count;
    CHECK_OK(ksInspectorRecomputeAfter(inspector, gone, (size_t)go, &after, &count));
    ck_assert_int_eq((int)count, whole.joints - go);
    for (size_t n = 0; n < count; n++) {
        int joint = 0;
        while (whole.joint[joint] != after[n].joint)
            joint++;
        ck_assert_ptr_nonnull(rest.joint[joint]);
        compare(&after[n], ksInspectorGetReaction(twin, rest.joint[joint]), which, way, joint);
    }
    ksInspectorDestroy(inspector);
    ksInspectorDestroy(twin);
    dWorldDestroy(whole.world);
    dWorldDestroy(rest.world);
}
END_TEST

/* After joints of a bridge have broken, QuickStep takes a hundred steps to find the new forces, and
 * the part of physical values that drift leaves undetermined is the engine's: the bars must contain
 * its error. */
START_TEST(bars_hold_what_a_break_has_changed)
{
    enum { BRIDGE = 4, STEPS = 8 };
    Structure s, fitting;
    make(&s, BRIDGE, 1e-10);
    ksInspector *inspector = inspect(s.world);
    for (int i = 0; i < MOVING; i++)
        stepBy(inspector, 1);
    destroy(&s, _i, 2);
    for (int n = 0; n < STEPS; n++) {
        make(&fitting, BRIDGE, 1e-10);
        destroy(&fitting, _i, 2);
        copyState(&s, &fitting);
        refit(&fitting);
        ksInspector *truth = inspect(fitting.world);
        stepBy(truth, 0);
        stepBy(inspector, 1);
        for (int i = 0; i < s.joints; i++) {
            if (!s.joint[i] || !isfinite(ksInspectorGetReaction(inspector, s.joint[i])->shared[0].force[0]))
                continue;
            const ksReaction *here = ksInspectorGetReaction(inspector, s.joint[i]);
            const ksReaction *there = ksInspectorGetReaction(truth, fitting.joint[i]);
            const double bar = barOf(here, 0, 0) + barOf(there, 0, 0);
            ck_assert_msg(fabs(here->shared[0].force[0] - there->shared[0].force[0]) <= bar,
                          "step %d, joint %d: %g N, %g N if it fits, bar %g N", n, i, here->shared[0].force[0],
                          there->shared[0].force[0], bar);
        }
        ksInspectorDestroy(truth);
        dWorldDestroy(fitting.world);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
}
END_TEST

static const ksJointAfter *find(const ksJointAfter *after, size_t count, dJointID joint)
{
    for (size_t i = 0; i < count; i++)
        if (after[i].joint == joint)
            return &after[i];
    return NULL;
}

/* A beam on a hinge at its middle lies on the hinge's stop, since the box welded to its left end is
 * heavier. Without that box the stop releases, and the right box falls with the beam. */
START_TEST(a_stop_that_would_pull_gives_way)
{
    const double arm = 1, light = 1, size[3] = {2, 0.1, 0.1}, cube[3] = {0.2, 0.2, 0.2};
    Structure s = {.world = heavyWorld()};
    const dBodyID beam = box(&s, 2, size, 0, 0, 0), left = box(&s, 3, cube, -arm, 0, 0),
                  right = box(&s, light, cube, arm, 0, 0);
    const dJointID hinge = join(&s, dJointCreateHinge(s.world, 0), beam, NULL);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamLoStop, 0);
    dJointSetHingeParam(hinge, dParamHiStop, 0.5);
    weld(&s, left, beam);
    weld(&s, right, beam);
    ksInspector *inspector = inspect(s.world);
    for (int i = 0; i < 5; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    const ksJointAfter *after;
    size_t count;
    CHECK_OK(ksInspectorRecomputeAfter(inspector, &s.joint[1], 1, &after, &count));
    ck_assert_int_eq((int)count, 2);
    dMass beamMass, boxMass;
    dBodyGetMass(beam, &beamMass);
    dBodyGetMass(right, &boxMass);
    const double inertia = beamMass.I[5] + boxMass.I[5] + light * arm * arm;
    const double falling = light * SCENE_GRAVITY * arm / inertia * arm;
    const ksJointAfter *weldAfter = find(after, count, s.joint[2]), *hingeAfter = find(after, count, hinge);
    const double tolerance = 1e-6 * SCENE_GRAVITY;  // the beam has sunk into its stop by some
                                                    // micrometres
    ck_assert_double_eq_tol(weldAfter->wrench[0].force[2], light * (SCENE_GRAVITY - falling), tolerance);
    ck_assert_double_eq_tol(hingeAfter->wrench[0].force[2], 2 * SCENE_GRAVITY + light * (SCENE_GRAVITY - falling),
                            tolerance);
    ck_assert_double_eq_tol(hingeAfter->wrench[0].torque[1], 0, tolerance);
    ck_assert(isnan(hingeAfter->wrench[1].force[0]));
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
}
END_TEST

/* A box hangs from a beam that lies on four contacts. These are known loads unless they are solved,
 * and keep their reported forces. */
START_TEST(contacts_that_go)
{
    Structure s = {.world = heavyWorld()};
    const dBodyID beam = box(&s, 2, (double[]){2, 1, 0.1}, 0, 0, 0),
                  load = box(&s, 3, (double[]){0.2, 0.2, 0.2}, 0, 0, -1);
    ball(&s, load, beam, 0, 0, -0.5);
    ksInspector *inspector = _i ? inspectSolved(s.world) : inspect(s.world);
    dJointID contact[4];
    for (int i = 0; i < 4; i++) {
        dContact place = {.geom = {.pos = {i % 2 ? 1 : -1, i < 2 ? 0.5 : -0.5, -0.05}, .normal = {0, 0, 1}}};
        contact[i] = addContact(s.world, NULL, &place, beam, NULL);
    }
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksJointAfter *after;
    size_t count;
    CHECK_OK(ksInspectorRecomputeAfter(inspector, s.joint, 1, &after, &count));
    ck_assert_int_eq((int)count, 0);
    CHECK_STATUS(ksInspectorRecomputeAfter(inspector, contact, 4, &after, &count), _i ? KS_OK : KS_ERROR_UNAVAILABLE);
    if (_i) {
        ck_assert_int_eq((int)count, 1);
        ck_assert_double_eq_tol(after[0].wrench[0].force[2], 0, after[0].bar[0].force[2]);
        ck_assert_double_lt(after[0].bar[0].force[2], 1e-5);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
}
END_TEST

/* Springs share a load by their own compliance, whatever compliance the rigid joints have. Springs
 * that are too stiff have unknown shares. */
START_TEST(springs_of_any_stiffness)
{
    const double cfm[] = {1e-6, 1e-8, 1.5e-9}, step = 0.05;
    Structure whole, rest;
    make(&whole, WALL, cfm[_i]);
    make(&rest, WALL, cfm[_i]);
    ksInspector *inspector = inspect(whole.world), *twin = inspect(rest.world);
    dJointDestroy(rest.joint[0]);
    CHECK_OK(ksInspectorStep(inspector, step));
    CHECK_OK(ksInspectorStep(twin, step));
    const ksJointAfter *after;
    size_t count = 0;
    CHECK_STATUS(ksInspectorRecomputeAfter(inspector, whole.joint, 1, &after, &count),
                 _i < 2 ? KS_OK : KS_ERROR_UNAVAILABLE);
    for (size_t n = 0; n < count; n++) {
        int joint = 0;
        while (whole.joint[joint] != after[n].joint)
            joint++;
        compare(&after[n], ksInspectorGetReaction(twin, rest.joint[joint]), WALL, 0, joint);
    }
    ksInspectorDestroy(inspector);
    ksInspectorDestroy(twin);
    dWorldDestroy(whole.world);
    dWorldDestroy(rest.world);
}
END_TEST

START_TEST(what_is_refused)
{
    Structure s, other;
    make(&s, FOUR_LEGS, 1e-10);
    make(&other, FOUR_LEGS, 1e-10);
    ksInspector *inspector = inspect(s.world);
    const ksJointAfter *after = NULL;
    size_t count = 7;
    ck_assert_int_eq(ksInspectorRecomputeAfter(inspector, s.joint, 1, &after, &count), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(ksInspectorRecomputeAfter(NULL, s.joint, 1, &after, &count), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksInspectorRecomputeAfter(inspector, NULL, 1, &after, &count), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksInspectorRecomputeAfter(inspector, s.joint, 1, NULL, &count), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksInspectorRecomputeAfter(inspector, s.joint, 1, &after, NULL), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksInspectorRecomputeAfter(inspector, other.joint, 1, &after, &count), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq((int)count, 7);
    ck_assert_ptr_null(after);
    CHECK_OK(ksInspectorRecomputeAfter(inspector, NULL, 0, &after, &count));
    ck_assert_int_eq((int)count, 0);
    CHECK_OK(ksInspectorRecomputeAfter(inspector, s.joint, 4, &after, &count));
    ck_assert_int_eq((int)count, 0);
    dBodyDisable(s.body[0]);
    CHECK_OK(ksInspectorStep(inspector, h));
    CHECK_STATUS(ksInspectorRecomputeAfter(inspector, s.joint, 1, &after, &count), KS_ERROR_UNAVAILABLE);
    dBodyEnable(s.body[0]);
    ksInspectorDestroy(inspector);
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.values = KS_COMPUTE_CONVERGED;
    CHECK_OK(ksInspectorCreate(s.world, &options, &inspector));
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(ksInspectorRecomputeAfter(inspector, s.joint, 1, &after, &count), KS_ERROR_UNAVAILABLE);
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
    dWorldDestroy(other.world);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("after");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, as_if_they_had_never_been, 0, 2 * WAYS * STRUCTURES);
    tcase_add_loop_test(tcase, bars_hold_what_a_break_has_changed, 0, 17);
    tcase_add_test(tcase, a_stop_that_would_pull_gives_way);
    tcase_add_loop_test(tcase, contacts_that_go, 0, 2);
    tcase_add_loop_test(tcase, springs_of_any_stiffness, 0, 3);
    tcase_add_test(tcase, what_is_refused);
    return runCase("after", tcase);
}
