/* check_physical_bars.c  No physical value without a bar: each row has both, finite, or neither, in
 * machines that fit, that have drifted apart, and that only softness holds. And no value is missing
 * without a reason. */
#include "demos/scenes/drift.h"
#include "tests/kits/support.h"

enum { STEPS = 60 };
static const double stepSize = 5e-3;
static const ksStepper kStepper[] = {KS_QUICK_STEP, KS_WORLD_STEP};
static const double kCfm[] = {1e-10, 1e-5}; /* the second is above options.rigidCfm */
enum { STEPPERS = 2, RUNS = 2 * STEPPERS };

/* --- Scenes --- */

static Scene *chain(void)
{
    return sceneChain(10, SCENE_FALLING);
}

static Scene *fourBar(void)
{
    return sceneFourbar(&sceneLinkage);
}

static Scene *ragdoll(void)
{
    return sceneRagdolls(1);
}

static Scene *braced(void)
{
    return sceneBracedPair(SCENE_FALLING);
}

static Scene *(*const kOther[])(void) = {chain, fourBar, ragdoll, braced, sceneZoo};
enum { OTHERS = sizeof kOther / sizeof *kOther };

static int countScenes(void)
{
    int count = 0;
    while (driftScenes[count].name)
        count++;
    return count;
}

static int isWhole(const ksWrench *w)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += w->force[k] + w->torque[k];
    return isfinite(sum);
}

static void checkReaction(const ksReaction *r, int scene, unsigned long step)
{
    if (!r || r->type == dJointTypeContact || !r->body[0])
        return;
    for (int l = 0; l < r->rowCount; l++)
        ck_assert_msg(isfinite(r->row[l].physical) == isfinite(r->row[l].physicalBar),
                      "scene %d, step %lu, row %d: physical %g +- %g", scene, step, l, r->row[l].physical,
                      r->row[l].physicalBar);
    ck_assert_msg(isWhole(&r->physical[0]) || r->reasons & ~KS_REASON_REDUNDANT,
                  "scene %d, step %lu: no physical value, and no reason", scene, step);
    // NaN if no part of the wrench is determined
    if (isWhole(&r->physical[0]))
        ck_assert_msg(!isinf(r->physicalErrorBar), "scene %d, step %lu: bar %g", scene, step, r->physicalErrorBar);
}

START_TEST(no_value_without_a_bar)
{
    const int index = _i / RUNS, drifting = countScenes();
    const ksStepper stepper = kStepper[_i % STEPPERS];
    Scene *scene = index < drifting ? driftScenes[index].make(&sceneSurface[SURFACE_APPROX1], stepSize)
                                    : kOther[index - drifting]();
    ck_assert_ptr_nonnull(scene);
    dWorldSetCFM(scene->world, kCfm[_i % RUNS / STEPPERS]);
    dWorldSetQuickStepNumIterations(scene->world, 20);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < STEPS; i++) {
        sceneBeforeStep(scene);
        CHECK_OK(inspectedStep(inspector, stepper, stepSize));
        for (int j = 0; j < scene->jointCount; j++)
            checkReaction(ksInspectorGetReaction(inspector, scene->joint[j]), index, scene->step);
        sceneAfterStep(scene);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A plate swings on three rods, each with two stops: when it hits these, the rows that share its
 * load may differ between the converged and the physical solution. */
START_TEST(stops_that_are_met_at_once)
{
    dWorldID world = dWorldCreate();
    dJointID hinge[6];
    dMass mass;
    dBodyID plate = dBodyCreate(world);
    dMassSetBoxTotal(&mass, 20, 1, 0.6, 0.05);
    dBodySetMass(plate, &mass);
    dBodySetPosition(plate, 0.5, 0.3, 0);
    dBodySetLinearVel(plate, 1.5, 0, 0);
    dMassSetBoxTotal(&mass, 1, 0.03, 0.03, 1);
    for (int i = 0; i < 3; i++) {
        dBodyID rod = dBodyCreate(world);
        dBodySetMass(rod, &mass);
        dBodySetPosition(rod, 0.5 * i, 0.3 * i, 0.5);
        for (int end = 0; end < 2; end++) {
            dJointID made = hinge[2 * i + end] = dJointCreateHinge(world, NULL);
            dJointAttach(made, rod, end ? NULL : plate);
            dJointSetHingeAnchor(made, 0.5 * i, 0.3 * i, end);
            dJointSetHingeAxis(made, 0, 1, 0);
        }
        dJointSetHingeParam(hinge[2 * i + 1], dParamLoStop, -0.2);
        dJointSetHingeParam(hinge[2 * i + 1], dParamHiStop, 0.2);
    }
    dJointSetHingeParam(hinge[3], dParamBounce, 0.2);
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetQuickStepNumIterations(world, 5);
    dRandSetSeed(7);
    ksInspector *inspector = inspect(world);
    for (unsigned long i = 0; i < STEPS; i++) {
        CHECK_OK(ksInspectorQuickStep(inspector, stepSize));
        for (int j = 0; j < 6; j++)
            checkReaction(ksInspectorGetReaction(inspector, hinge[j]), -1, i);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* Three boxes on two hinges fall from rest: nothing loads the hinges, and the bars say so. */
START_TEST(free_fall_has_bars)
{
    static const ksStepper kEach[] = {KS_WORLD_STEP, KS_QUICK_STEP, KS_EXACT_STEP};
    dWorldID world = dWorldCreate();
    dBodyID box[3];
    dJointID hinge[2];
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int i = 0; i < 3; i++) {
        dMass mass;
        box[i] = dBodyCreate(world);
        dMassSetBoxTotal(&mass, 1, 0.3, 0.2, 0.1);
        dBodySetMass(box[i], &mass);
        dBodySetPosition(box[i], 0.35 * i, 0, 5);
    }
    for (int i = 0; i < 2; i++) {
        hinge[i] = dJointCreateHinge(world, NULL);
        dJointAttach(hinge[i], box[i + 1], box[i]);
        dJointSetHingeAnchor(hinge[i], 0.35 * (i + 1) - 0.17, 0, 5);
        dJointSetHingeAxis(hinge[i], 0, 1, 0);
    }
    ksInspector *inspector = inspect(world);
    for (int i = 0; i < STEPS; i++) {
        CHECK_OK(inspectedStep(inspector, kEach[_i], stepSize));
        for (int j = 0; j < 2; j++) {
            const ksReaction *r = ksInspectorGetReaction(inspector, hinge[j]);
            ck_assert_str_eq(ksVerdictName(r->verdict), "KS_VALID");
            ck_assert_msg(!(r->reasons & KS_REASON_PHYSICAL), "step %d: bar %g", i, r->physicalErrorBar);
            ck_assert_double_le(r->physicalErrorBar, 0.01);
            for (int l = 0; l < r->rowCount; l++)
                ck_assert_double_le(fabs(r->row[l].physical), r->row[l].physicalBar);
        }
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* Three heavy posts hang on hinges: the engine's compliance, which physical values leave out, is
 * larger than their rows' own mobility. */
static void hangPosts(double mass, double cfm, const ksInspectorOptions *options, double bar[3])
{
    static const double tilt = 0.3; /* of each from the one above */
    dWorldID world = dWorldCreate();
    dBodyID body = NULL;
    dJointID hinge[3];
    double x = 0, z = 0;
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetCFM(world, (dReal)cfm);
    for (int i = 0; i < 3; i++) {
        const double angle = tilt * (i + 1);
        const dBodyID above = body;
        dMass of;
        dMatrix3 turned;
        body = dBodyCreate(world);
        dMassSetBoxTotal(&of, (dReal)mass, 0.3, 0.2, 1);
        dBodySetMass(body, &of);
        dRFromAxisAndAngle(turned, 0, 1, 0, (dReal)angle);
        dBodySetRotation(body, turned);
        dBodySetPosition(body, (dReal)(x - 0.5 * sin(angle)), 0, (dReal)(z - 0.5 * cos(angle)));
        hinge[i] = dJointCreateHinge(world, NULL);
        dJointAttach(hinge[i], body, above);
        dJointSetHingeAnchor(hinge[i], (dReal)x, 0, (dReal)z);
        dJointSetHingeAxis(hinge[i], 0, 1, 0);
        x -= sin(angle);
        z -= cos(angle);
    }
    ksInspector *inspector = inspectWith(world, options);
    CHECK_OK(ksInspectorQuickStep(inspector, 1e-3));
    for (int i = 0; i < 3; i++) {
        const ksReaction *r = ksInspectorGetReaction(inspector, hinge[i]);
        ck_assert_str_eq(ksVerdictName(r->verdict), "KS_VALID");
        bar[i] = r->physicalErrorBar;
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}

/* Compliance that counts as none shortens no bar, here in a first step, without drift. */
START_TEST(compliance_does_not_shorten_bars)
{
    /* bars contain the rounding of a solution, which differs with compliance and compiler: by 3 % at
     * most here; and they may be 5 % longer */
    static const double least = 0.97, most = 1.08;
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    for (int k = 0; k < 5; k++) {
        const double mass = 100 * pow(100, k) / options.rigidCfm * 1e-9;
        double rigid[3], compliant[3];
        hangPosts(mass, 0, &options, rigid);
        hangPosts(mass, 0.1 * options.rigidCfm, &options, compliant);
        for (int i = 0; i < 3; i++) {
            ck_assert_double_ge(compliant[i], least * rigid[i]);
            ck_assert_double_le(compliant[i], most * rigid[i]);
        }
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("physical_bars");
    tcase_add_test(tests, stops_that_are_met_at_once);
    tcase_add_loop_test(tests, no_value_without_a_bar, 0, RUNS * (countScenes() + OTHERS));
    tcase_add_loop_test(tests, free_fall_has_bars, 0, 3);
    tcase_add_test(tests, compliance_does_not_shorten_bars);
    return runCase("physical_bars", tests);
}
