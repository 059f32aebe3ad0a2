/* check_physical_contact.c  Physical values of joints on bodies that stand on the ground or hit it,
 * against the motion of base and arm as one rigid body under the reported contact forces: Newton
 * and Euler. */
#include "tests/kits/contacts/ground_kit.h"

static const double baseMass = 5, armMass = 2, lever = 0.8;
static const double baseSize[3] = {0.6, 0.5, 0.4}, armSize[3] = {0.6, 0.2, 0.1};
static const double depth = 1e-4; /* depth of the base in the ground */

/* Two bodies without drift: rounding of forces that are up to a hundred times the weight. */
static const double exactTolerance = 1e-9;
/* The engine's report of the joint contains its compliance, CFM 1e-10 over h: 1e-8 of the load of a
 * unit mass. */
static const double softTolerance = 1e-6;

/* A base, and an arm beside it at the height of its mass centre, welded to it or on a vertical
 * hinge. A motion of the base without rotation about that axis does not turn the hinge. */
typedef struct Boom {
    dBodyID base, arm;
    dJointID joint;
    dMass mass[2];
    double at[2][3]; /* mass centres before the step */
} Boom;

static Boom makeBoom(bool welded, double height)
{
    Boom made = {.base = makeBox(baseMass, baseSize, height), .arm = makeBox(armMass, armSize, height)};
    dBodySetPosition(made.arm, lever, 0, height);
    dBodyGetMass(made.base, &made.mass[0]);
    dBodyGetMass(made.arm, &made.mass[1]);
    if (welded) {
        made.joint = weld(made.arm, made.base);
        return made;
    }
    made.joint = dJointCreateHinge(world, 0);
    dJointAttach(made.joint, made.arm, made.base);
    dJointSetHingeAnchor(made.joint, baseSize[0] / 2, 0, height);
    dJointSetHingeAxis(made.joint, 0, 0, 1);
    return made;
}

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* x of a x = b, Cramer's rule */
static void solve3(double a[3][3], const double b[3], double x[3])
{
    double across[3];
    cross(a[1], a[2], across);
    const double determinant = a[0][0] * across[0] + a[0][1] * across[1] + a[0][2] * across[2];
    for (int k = 0; k < 3; k++) {
        double r[3][3];
        memcpy(r, a, sizeof r);
        for (int i = 0; i < 3; i++)
            r[i][k] = b[i];
        cross(r[1], r[2], across);
        x[k] = (r[0][0] * across[0] + r[0][1] * across[1] + r[0][2] * across[2]) / determinant;
    }
}

/* The wrench of the base on the arm if both are one rigid body, at rest or without spin, unrotated,
 * under this force on the base, this torque about its mass centre, and gravity:
 *     M a = F + M g,   I alpha = T - r x F,   f = m (a_arm - g),   t = I_arm alpha */
static ksWrench composite(const Boom *arm, const ksWrench *pressing)
{
    const double *x0 = arm->at[0], *x1 = arm->at[1];
    const double total = arm->mass[0].mass + arm->mass[1].mass;
    double r[2][3], inertia[3][3] = {{0}}, a[3], alpha[3], torque[3], moment[3];
    dVector3 g;
    dWorldGetGravity(world, g);
    for (int k = 0; k < 3; k++) {
        const double centre = (arm->mass[0].mass * x0[k] + arm->mass[1].mass * x1[k]) / total;
        r[0][k] = x0[k] - centre;
        r[1][k] = x1[k] - centre;
        a[k] = pressing->force[k] / total + g[k];
    }
    for (int b = 0; b < 2; b++) {
        const double m = arm->mass[b].mass, square = r[b][0] * r[b][0] + r[b][1] * r[b][1] + r[b][2] * r[b][2];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                inertia[i][k] += arm->mass[b].I[4 * i + k] + m * ((i == k ? square : 0) - r[b][i] * r[b][k]);
    }
    cross(r[0], pressing->force, moment);
    for (int k = 0; k < 3; k++)
        torque[k] = pressing->torque[k] + moment[k];
    solve3(inertia, torque, alpha);
    cross(alpha, r[1], moment);
    ksWrench on;
    for (int k = 0; k < 3; k++) {
        on.force[k] = arm->mass[1].mass * (a[k] + moment[k] - g[k]);
        on.torque[k] = 0;
        for (int i = 0; i < 3; i++)
            on.torque[k] += arm->mass[1].I[4 * k + i] * alpha[i];
    }
    return on;
}

static double weight(void)
{
    return (baseMass + armMass) * SCENE_GRAVITY;
}

/* Makes a step; returns the wrench of the ground on the base, as reported. */
static ksWrench stepArm(Boom *arm, ksStepper stepper)
{
    ksWrench pressing;
    memcpy(arm->at[0], dBodyGetPosition(arm->base), sizeof arm->at[0]);
    memcpy(arm->at[1], dBodyGetPosition(arm->arm), sizeof arm->at[1]);
    step(stepper);
    CHECK_OK(wrenchOf(arm->base, NULL, KS_ENGINE, &pressing));
    return pressing;
}

/* The joint's value is right given the ground's forces, and the verdict says so. */
static const ksReaction *checkArm(const Boom *arm, const ksWrench *pressing, double tolerance)
{
    const ksReaction *reaction = ksInspectorGetReaction(inspector, arm->joint);
    const ksWrench expected = composite(arm, pressing), *physical = reaction->physical;
    const double load = fmax(length3(pressing->force), weight());
    ck_assert_ptr_eq(reaction->body[0], arm->arm);
    ck_assert_uint_eq(reaction->reasons & ~KS_REASON_PHYSICAL, KS_REASON_REPORTED_LOADS);
    ck_assert_int_eq(reaction->physicalSource, KS_FROM_GEOMETRY);
    ck_assert_double_le(distance3(physical->force, expected.force), tolerance * load);
    ck_assert_double_le(distance3(physical->torque, expected.torque), tolerance * load * lever);
    return reaction;
}

static ksStepper stepperOf(int i)
{
    return i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
}

/* At rest the joint carries the arm's weight and its moment about the base's near side. The composite includes the
 * residual motion of the base under the steppers, which dies away. */
START_TEST(arm_at_rest)
{
    const bool welded = _i / 2;
    const double z = baseSize[2] / 2 - depth, side = baseSize[0] / 2, far = lever - side;
    static const double restTolerance = 1e-5;  /* of the weight, after a second */
    static const double driftTolerance = 1e-7; /* gap of the joint and rotation of the base after a second */
    dWorldSetQuickStepNumIterations(world, 3000);
    Boom arm = makeBoom(welded, z);
    for (int i = 0; i < 100; i++) {
        const ksWrench pressing = stepArm(&arm, stepperOf(_i));
        const ksReaction *reaction = checkArm(&arm, &pressing, i ? driftTolerance : exactTolerance);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
    }
    const ksReaction *reaction = ksInspectorGetReaction(inspector, arm.joint);
    const double carried = armMass * SCENE_GRAVITY;
    ck_assert_double_eq_tol(reaction->physical[0].force[2], carried, restTolerance * weight());
    /* about the near side of the base: r x f, r = (far, 0, 0) from there to the arm */
    const double moment = reaction->physical[0].torque[1] - far * reaction->physical[0].force[2];
    ck_assert_double_eq_tol(moment, -far * carried, restTolerance * weight());
}
END_TEST

/* The step of an impact, on every kind of surface: the joint's value is right given the contact
 * forces. Its wrench times h is the blow on the arm; under dWorldStep, before any drift, it equals
 * the report. */
START_TEST(impact_on_any_surface)
{
    static const dSurfaceParameters surfaces[] = {
        {.mode = dContactApprox1, .mu = 0.5},
        {.mode = dContactApprox1, .mu = dInfinity},
        {.mode = 0, .mu = 30},
        {.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM, .mu = 0.5, .soft_erp = 0.1, .soft_cfm = 1e-3},
        {.mode = dContactApprox1 | dContactBounce, .mu = 0.5, .bounce = 0.4, .bounce_vel = 0.01},
        {.mode = dContactApprox1 | dContactRolling, .mu = 0.5, .rho = 0.1, .rho2 = 0.1, .rhoN = 0.1},
    };
    surface = surfaces[_i / 2];
    const ksStepper stepper = stepperOf(_i);
    Boom arm = makeBoom(true, baseSize[2] / 2 - depth);
    dBodySetLinearVel(arm.base, 1, 0.5, -2);
    dBodySetLinearVel(arm.arm, 1, 0.5, -2);
    const ksWrench pressing = stepArm(&arm, stepper);
    ck_assert_double_gt(pressing.force[2], 10 * weight());
    const ksReaction *reaction = checkArm(&arm, &pressing, exactTolerance);
    if (stepper == KS_WORLD_STEP) {
        const dReal *v = dBodyGetLinearVel(arm.arm);
        const double blow = armMass * (v[2] + 2 + h * SCENE_GRAVITY);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
        ck_assert_double_eq_tol(h * reaction->physical[0].force[2], blow, softTolerance * h * pressing.force[2]);
        ck_assert_double_le(distance3(reaction->physical[0].force, reaction->engine[0].force),
                            softTolerance * pressing.force[2]);
    }
}
END_TEST

/* A solver that stops early is wrong about joint and contacts; given these contacts, the joint's
 * value is right. */
START_TEST(arm_of_an_unfinished_step)
{
    dWorldSetQuickStepNumIterations(world, 3);
    Boom arm = makeBoom(true, baseSize[2] / 2 - depth);
    const ksWrench pressing = stepArm(&arm, KS_QUICK_STEP);
    const ksReaction *reaction = checkArm(&arm, &pressing, exactTolerance);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_SOLVER_ERROR");
    ck_assert_double_gt(distance3(reaction->engine[0].force, reaction->physical[0].force),
                        0.1 * armMass * SCENE_GRAVITY);
    ck_assert_double_gt(fabs(pressing.force[2] - weight()), 0.01 * weight());
}
END_TEST

/* Contacts are unknowns of converged values; physical values still use the reported forces. */
START_TEST(contacts_are_solved)
{
    ksInspectorDestroy(inspector);
    inspector = inspectSolved(world);
    dWorldSetQuickStepNumIterations(world, 3);
    Boom arm = makeBoom(true, baseSize[2] / 2 - depth);
    const ksWrench pressing = stepArm(&arm, stepperOf(_i));
    const ksWrench expected = composite(&arm, &pressing);
    const ksReaction *reaction = ksInspectorGetReaction(inspector, arm.joint);
    ck_assert(reaction->reasons & KS_REASON_REPORTED_LOADS);
    ck_assert_double_le(distance3(reaction->physical[0].force, expected.force), exactTolerance * weight());
    ck_assert_double_le(distance3(reaction->physical[0].torque, expected.torque), exactTolerance * weight());
    /* converged: from the step's own equations, with the box at rest except for the effect of the depth */
    ksWrench converged;
    CHECK_OK(wrenchOf(arm.base, NULL, KS_CONVERGED, &converged));
    ck_assert_double_eq_tol(converged.force[2], weight(), 0.5 * weight());
    if (_i)
        ck_assert_double_gt(distance3(converged.force, pressing.force), 0.01 * weight());
}
END_TEST

/* A single body, sliding or at rest, falling or lying, leaves nothing to recompute: its contacts
 * keep their report. */
START_TEST(contacts_keep_their_report)
{
    makeBox(baseMass, baseSize, baseSize[2] / 2 - depth);
    lean(0.3);
    surface.mu = 0.1;
    for (int i = 0; i < 5; i++) {
        step(stepperOf(_i));
        size_t count;
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        ck_assert_uint_gt(count, 2);
        for (size_t c = 0; c < count; c++) {
            ck_assert_mem_eq(reaction[c].converged, reaction[c].engine, sizeof(ksWrench));
            ck_assert_mem_eq(reaction[c].physical, reaction[c].engine, sizeof(ksWrench));
            for (int l = 0; l < reaction[c].rowCount; l++) {
                const ksRow *row = &reaction[c].row[l];
                ck_assert(row->physical == row->engine);
                // neither route has computed anything
                ck_assert(isnan(row->gauss) && isnan(row->paulus) && isnan(row->errorBar));
            }
        }
    }
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("physical_contact");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_loop_test(test, arm_at_rest, 0, 4);
    tcase_add_loop_test(test, impact_on_any_surface, 0, 12);
    tcase_add_test(test, arm_of_an_unfinished_step);
    tcase_add_loop_test(test, contacts_are_solved, 0, 2);
    tcase_add_loop_test(test, contacts_keep_their_report, 0, 2);
    return runCase("physical values beside contacts", test);
}
