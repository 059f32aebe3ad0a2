/* check_shares.c  The shares of joints that carry a load together, against the same mechanism with
 * soft joints, whose forces ODE's own rows give. At rest a row of dWorldStep has cfm lambda = (erp
 * / h) gap: a spring of compliance s = h cfm / erp, the same number for lengths and for angles. */
#include "tests/kits/structure_kit.h"

enum { SETTLING = 800 };

/* soft enough that rounding is small, and stiff enough to come to rest soon; a tenth of it changes
 * the forces by tenths of a per mille */
static const double soft = 1e-6;
/* of the largest force: remaining effect of softness; in the most compliant structure (the bridge)
 * 1e-4 */
static const double softness = 3e-4;

/* The longest bar of a joint's rows, N or N.m. */
static double longestBar(const ksReaction *reaction)
{
    double longest = 0;
    for (int l = 0; l < reaction->rowCount; l++) {
        ck_assert(isfinite(reaction->row[l].shared));
        longest = fmax(longest, reaction->row[l].sharedBar);
    }
    return longest;
}

/* The sum over all joints on the world is the weight; if rigid joints have unique forces, nothing
 * is shared. */
static void compare(Structure *softer, Structure *stiff, ksInspector *inspector, int which, int way)
{
    double largest = 0, carried = 0, weight = 0;
    for (int i = 0; i < softer->joints; i++)
        largest = fmax(largest, length3(softer->feedback[i].f1));
    for (int i = 0; i < stiff->joints; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, stiff->joint[i]);
        ck_assert_int_gt(reaction->freeCount, 0);
        ck_assert(reaction->reasons & KS_REASON_SHARED);
        const double bar = 2 * longestBar(reaction) + softness * largest;
        for (int k = 0; k < 3; k++) {
            ck_assert_msg(fabs(reaction->shared[0].force[k] - softer->feedback[i].f1[k]) <= bar,
                          "structure %d, way %d, joint %d: %g N, soft joints %g N, bar %g N", which, way, i,
                          reaction->shared[0].force[k], softer->feedback[i].f1[k], bar);
            ck_assert_msg(fabs(reaction->shared[0].torque[k] - softer->feedback[i].t1[k]) <= bar,
                          "structure %d, way %d, joint %d: %g N.m, soft joints %g N.m, bar %g", which, way, i,
                          reaction->shared[0].torque[k], softer->feedback[i].t1[k], bar);
        }
        carried += reaction->body[1] ? 0 : reaction->shared[0].force[2];
    }
    for (int b = 0; b < stiff->bodies; b++) {
        dMass m;
        dBodyGetMass(stiff->body[b], &m);
        weight += SCENE_GRAVITY * m.mass;
    }
    ck_assert_double_eq_tol(carried, weight, 0.01 * weight);
}

START_TEST(as_soft_joints_share)
{
    const int which = _i % STRUCTURES, way = _i / STRUCTURES;
    Structure softer, stiff;
    make(&softer, which, soft);
    make(&stiff, which, 1e-10);
    ksInspector *inspector = inspect(stiff.world);
    CHECK_OK(ksInspectorSetCompliance(inspector, NULL, 1, 1));
    if (which == FOUR_LEGS) {
        dJointSetBallParam(softer.joint[0], dParamCFM, 3 * soft);
        CHECK_OK(ksInspectorSetCompliance(inspector, stiff.joint[0], 3, 3));
    }
    for (int i = 0; i < SETTLING; i++) {
        dWorldStep(softer.world, h);
        stepBy(inspector, way);
    }
    compare(&softer, &stiff, inspector, which, way);
    ksInspectorDestroy(inspector);
    dWorldDestroy(softer.world);
    dWorldDestroy(stiff.world);
}
END_TEST

/* --- On a kinematic body --- */

/* A base with a weld and a slide to the world, or to a kinematic body far away. */
static void makeBase(Structure *s, const double *away)
{
    *s = (Structure){.world = heavyWorld()};
    const dBodyID base = box(s, 3.5, (double[3]){0.4, 0.3, 0.2}, 0, 0, 1);
    dBodyID partner = NULL;
    if (away) {
        partner = box(s, 1, (double[3]){1, 1, 1}, away[0], away[1], 1 + away[2]);
        dBodySetKinematic(partner);
    }
    weld(s, base, partner);
    dJointSetSliderAxis(join(s, dJointCreateSlider(s->world, 0), base, partner), 1, 0, 0);
}

/* The same shares as on the world, wherever the kinematic body's mass centre is. */
START_TEST(as_from_the_world)
{
    enum { STEPS = 5, PLACES = 4 };
    const double away[PLACES][3] = {{0, 0, 0}, {2, 0, 0}, {0.5, -0.3, 0.2}, {-3, 1, 2}};
    const double rounding = 1e-6; /* N, N.m */
    Structure world, other;
    makeBase(&world, NULL);
    makeBase(&other, away[_i]);
    ksInspector *of = inspect(world.world), *on = inspect(other.world);
    for (int i = 0; i < STEPS; i++) {
        CHECK_OK(ksInspectorStep(of, h));
        CHECK_OK(ksInspectorStep(on, h));
    }
    for (int j = 0; j < 2; j++) {
        const ksReaction *wanted = ksInspectorGetReaction(of, world.joint[j]),
                         *found = ksInspectorGetReaction(on, other.joint[j]);
        ck_assert_int_gt(wanted->freeCount, 0);
        ck_assert_double_eq_tol(wanted->shared[0].force[2], 3.5 * SCENE_GRAVITY / 2, rounding);
        for (int k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(found->shared[0].force[k], wanted->shared[0].force[k], rounding);
            ck_assert_double_eq_tol(found->shared[0].torque[k], wanted->shared[0].torque[k], rounding);
        }
        ck_assert_double_le(longestBar(found), 1e-3 * SCENE_GRAVITY);
    }
    ksInspectorDestroy(of);
    ksInspectorDestroy(on);
    dWorldDestroy(world.world);
    dWorldDestroy(other.world);
}
END_TEST

/* --- Structures that share nothing --- */

START_TEST(unique_joints_share_nothing)
{
    Structure s = {.world = heavyWorld()};
    const dBodyID arm = box(&s, 2, (double[3]){1, 0.1, 0.1}, 0.5, 0, 0);
    ball(&s, arm, NULL, 0, 0, 0);
    ksInspector *inspector = inspect(s.world);
    for (int i = 0; i < 20; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, s.joint[0]);
    ck_assert(!(reaction->reasons & KS_REASON_SHARED));
    ck_assert_mem_eq(reaction->shared, reaction->physical, sizeof(ksWrench));
    for (int l = 0; l < reaction->rowCount; l++) {
        ck_assert_double_eq(reaction->row[l].shared, reaction->row[l].physical);
        ck_assert_double_eq(reaction->row[l].sharedBar, reaction->row[l].physicalBar);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
}
END_TEST

/* --- The call --- */

static double loadOf(ksInspector *inspector, dJointID joint)
{
    CHECK_OK(ksInspectorStep(inspector, h));
    ksWrench w;
    CHECK_OK(ksReactionGetWrench(ksInspectorGetReaction(inspector, joint), KS_SHARED, 0, KS_FRAME_WORLD,
                                 KS_POINT_MASS_CENTRE, &w));
    return w.force[2];
}

/* Two equal pins side by side carry loads in inverse proportion to their compliances. */
START_TEST(compliances_are_of_joints)
{
    Structure s = {.world = heavyWorld()};
    const dBodyID beam = box(&s, 3, (double[3]){1, 1, 1}, 0, 0, 0);
    ball(&s, beam, NULL, 0, 0, 0);
    ball(&s, beam, NULL, 0, 0, 0);
    dWorldSetCFM(s.world, 1e-10);
    ksInspector *inspector = inspect(s.world);
    const double weight = 3 * SCENE_GRAVITY, rounding = 1e-9 * weight;
    ck_assert_double_eq_tol(loadOf(inspector, s.joint[0]), weight / 2, rounding);
    CHECK_OK(ksInspectorSetCompliance(inspector, s.joint[0], 3, 0));
    ck_assert_double_eq_tol(loadOf(inspector, s.joint[0]), weight / 4, rounding);
    CHECK_OK(ksInspectorSetName(inspector, s.joint[0], "soft"));
    CHECK_OK(ksInspectorSetCompliance(inspector, NULL, 1.5, 0));
    ck_assert_double_eq_tol(loadOf(inspector, s.joint[0]), weight / 3, rounding);
    CHECK_OK(ksInspectorSetName(inspector, s.joint[0], NULL));
    ck_assert_double_eq_tol(loadOf(inspector, s.joint[0]), weight / 3, rounding);
    CHECK_OK(ksInspectorSetCompliance(inspector, s.joint[0], 0, 0));
    ck_assert_double_eq_tol(loadOf(inspector, s.joint[0]), weight / 2, rounding);
    CHECK_OK(ksInspectorSetCompliance(inspector, s.joint[0], 3, 0));
    dJointDestroy(s.joint[0]);
    ck_assert_double_eq_tol(loadOf(inspector, s.joint[1]), weight, rounding);
    CHECK_OK(ksInspectorSetCompliance(inspector, s.joint[1], 3, 0));
    s.joints = 0;
    ball(&s, beam, NULL, 0, 0, 0);
    ck_assert_double_eq_tol(loadOf(inspector, s.joint[0]), weight * 2 / 3, rounding);
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
}
END_TEST

START_TEST(what_is_refused)
{
    Structure s = {.world = heavyWorld()}, other = {.world = heavyWorld()};
    ball(&s, box(&s, 1, (double[3]){1, 1, 1}, 0, 0, 0), NULL, 0, 0, 0);
    ball(&other, box(&other, 1, (double[3]){1, 1, 1}, 0, 0, 0), NULL, 0, 0, 0);
    ksInspector *inspector = inspect(s.world);
    const double bad[][2] = {{0, 0}, {-1, 0}, {NAN, 0}, {INFINITY, 0}, {1, -1}, {1, NAN}, {1, INFINITY}, {0, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(ksInspectorSetCompliance(inspector, NULL, bad[i][0], bad[i][1]), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksInspectorSetCompliance(NULL, s.joint[0], 1, 1), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksInspectorSetCompliance(inspector, other.joint[0], 1, 1), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksInspectorSetCompliance(inspector, s.joint[0], 0, 0));
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
    dWorldDestroy(other.world);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("shares");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, as_soft_joints_share, 0, WAYS * STRUCTURES);
    tcase_add_loop_test(tcase, as_from_the_world, 0, 4);
    tcase_add_test(tcase, unique_joints_share_nothing);
    tcase_add_test(tcase, compliances_are_of_joints);
    tcase_add_test(tcase, what_is_refused);
    return runCase("shares", tcase);
}
