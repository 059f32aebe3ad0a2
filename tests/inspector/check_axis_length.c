/* check_axis_length.c  Axes of joints to the world that are not of unit length: the engine keeps
 * their length. */
#include "tests/kits/engine_kit.h"

#include <math.h>
#include <stdbool.h>

#define CHECK_OK(call) ck_assert_str_eq(ksStatusName(call), "KS_OK")

static const double h = 0.01, kGravity = 9.81;
/* of a load at rest: CFM 1e-10 over h */
static const double kStatic = 1e-6;

static ksInspector *inspect(dWorldID world)
{
    ksInspector *inspector = NULL;
    CHECK_OK(ksInspectorCreate(world, NULL, &inspector));
    return inspector;
}

static dBodyID addBody(dWorldID world, double mass, double x, double y, double z)
{
    dBodyID body = dBodyCreate(world);
    dMass m;
    dMassSetBoxTotal(&m, mass, 0.3, 0.4, 0.5);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, y, z);
    return body;
}

static ksiJointPose poseWith(double length)
{
    ksiJointPose pose = {.point = {0, 0, 0}, .second = {0, 1, 0}, .x = {1, 0, 0}, .y = {0, 1, 0}, .z = {0, 0, 1}};
    for (int k = 0; k < 3; k++) {
        pose.x[k] *= length;
        pose.y[k] *= length;
        pose.z[k] *= length;
    }
    return pose;
}

/* Whether a type keeps the length of an axis in the world; a contact keeps the length of its
 * normal. */
static bool keepsLength(int type, int attachment)
{
    if (type == dJointTypeContact)
        return true;
    return attachment != BOTH && (type == dJointTypeHinge || type == dJointTypeUniversal || type == dJointTypePR ||
                                  type == dJointTypePU || type == dJointTypePiston);
}

/* Every type and attachment, with axes of this length: the length is reported exactly where it
 * affects the engine. Rows of unit axes show whether it does. */
START_TEST(length_is_told_where_it_acts)
{
    static const double lengths[] = {3, 0.5, 1.0000001};
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++)
        for (int i = 0; i < 3; i++) {
            const double length = lengths[i];
            dWorldID world = newWorld();
            dBodyID body = addBody(world, 1, 0.3, 0, 0), other = addBody(world, 1, 2, 0, 0);
            const ksiJointPose pose = poseWith(length);
            dJointID joint = ksiCreateJoint(world, _i, attachment == SECOND_ONLY ? NULL : body,
                                            attachment == FIRST_ONLY    ? NULL
                                            : attachment == SECOND_ONLY ? body
                                                                        : other,
                                            &pose);
            if (joint && _i == dJointTypeLMotor)
                dJointSetLMotorParam(joint, dParamFMax, 1);
            if (joint && _i == dJointTypeAMotor)
                dJointSetAMotorParam(joint, dParamFMax, 1);
            if (joint) {
                ksInspector *inspector = inspect(world);
                CHECK_OK(ksInspectorStep(inspector, h));
                const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
                const bool expected = keepsLength(_i, attachment) && i < 2;
                ck_assert_double_eq_tol(reaction->axisLength, expected ? length : 1, 1e-12);
                ck_assert_int_eq((reaction->reasons & KS_REASON_AXIS_LENGTH) != 0, expected);
                for (int l = 0; l < reaction->rowCount && _i != dJointTypeContact; l++) {
                    const double *J = reaction->row[l].jacobian[0];
                    const double linear = ksiDot(J, J), angular = ksiDot(J + 3, J + 3);
                    ck_assert_double_eq_tol(linear > 0 ? linear : angular, 1, 1e-6);
                }
                for (int k = 0; k < 3 && reaction->rowCount > 0; k++)
                    ck_assert_double_eq_tol(ksiDot(reaction->axes + 3 * k, reaction->axes + 3 * k), 1, 1e-12);
                ksInspectorDestroy(inspector);
            }
            endWorld(world);
        }
}
END_TEST

/* A load on an arm of .5 m, held by the motor of a universal or PU joint's second axis, whose
 * vector has length 3. Moments follow from statics; the bounds are dParamFMax times the length of
 * the axis. */
START_TEST(multipliers_are_per_unit_axis)
{
    const double length = 3, mass = 2, lever = 0.5, moment = mass * kGravity * lever,
                 most[2] = {2 * moment, 0.2 * moment};
    const bool isReversed = _i & 1, isWeak = _i >> 2 & 1;
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -kGravity);
    dBodyID body = addBody(world, mass, lever, 0, 0);
    ksiJointPose pose = poseWith(1);
    pose.point[0] = 0;
    for (int k = 0; k < 3; k++) {
        pose.y[k] *= length;
        pose.x[k] *= length;
    }
    const int type = _i >> 1 & 1 ? dJointTypePU : dJointTypeUniversal;
    dJointID joint = ksiCreateJoint(world, type, isReversed ? NULL : body, isReversed ? body : NULL, &pose);
    for (int axis = 0; axis < ksiAxisCount(joint); axis++) {
        ksiSetAxis(joint, axis, dParamFMax, isWeak && axis == 1 ? most[1] : 1e3);
        ksiSetAxis(joint, axis, dParamCFM, 1e-7);
    }
    ksInspector *inspector = inspect(world);
    for (int i = 0; i < (isWeak ? 1 : 20); i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    int found = 0;
    for (int l = 0; l < reaction->rowCount; l++) {
        const ksRow *row = &reaction->row[l];
        if (row->kind != KS_ROW_MOTOR || ksiDot(row->jacobian[0], row->jacobian[0]) > 0 ||
            fabs(row->jacobian[0][4]) < 0.5)
            continue;
        // the axis along y bears the moment; it is fixed in the world if the joint is not reversed
        const bool isLong = !isReversed;
        found++;
        ck_assert_double_eq_tol(ksiDot(row->jacobian[0] + 3, row->jacobian[0] + 3), 1, 1e-6);
        ck_assert_double_eq_tol(row->cfm, isLong ? 1e-7 / (length * length) : 1e-7, 1e-15);
        if (isLong)
            ck_assert_double_eq_tol(row->hi, length * (isWeak ? most[1] : 1e3), 1e-9);
        if (isWeak && isLong) {
            ck_assert_double_eq_tol(fabs(row->engine), length * most[1], kStatic * moment);
            ck_assert_int_eq(reaction->motor[1].saturated, 1);
        } else if (!isWeak) {
            ck_assert_double_eq_tol(fabs(row->engine), moment, 1e-3 * moment);
            ck_assert_double_eq_tol(fabs(row->physical), moment, 1e-3 * moment);
        }
        const double rate = ksiDot(row->jacobian[0] + 3, dBodyGetAngularVel(body)) + row->cfm * row->engine - row->c;
        ck_assert_double_eq_tol(row->residual, rate, 1e-9);
    }
    ck_assert_int_eq(found, 1);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

static dBodyID addRod(dWorldID world, double x, double z, double angle, double length)
{
    dBodyID rod = dBodyCreate(world);
    dMass m;
    dQuaternion q;
    dMassSetBoxTotal(&m, 1, length, 0.05, 0.05);
    dBodySetMass(rod, &m);
    dBodySetPosition(rod, x, 0, z);
    dQFromAxisAndAngle(q, 0, 1, 0, angle);
    dBodySetQuaternion(rod, q);
    return rod;
}

static dJointID addHinge(dWorldID world, dBodyID a, dBodyID b, double x, double z, double length)
{
    dJointID hinge = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, a, b);
    dJointSetHingeAnchor(hinge, x, 0, z);
    dJointSetHingeAxis(hinge, 0, length, 0);
    return hinge;
}

/* The longest over the shortest bar: the engine corrects three times as fast, and bars include a
 * part of these velocities. */
static const double mostTimes = 4;

/* A portal of three rods on four hinges, one of whose legs is tilted out of the plane. The drift of
 * its joints does not depend on the length of their axes: QuickStep's bars are almost as long as
 * with unit axes, and the ground bears the weight within them. dWorldStep's self-stress, thousands
 * of weights, never appears without a bar. */
START_TEST(drift_of_long_axes)
{
    static const double lengths[2] = {1, 3};
    const double weight = 3 * kGravity;
    double bar[2];
    for (int k = 0; k < 2; k++) {
        const double length = lengths[k];
        dWorldID world = dWorldCreate();
        dWorldSetGravity(world, 0, 1, -kGravity);
        dBodyID rod[3] = {addRod(world, 0, 0.5, M_PI / 2, 1), addRod(world, 1, 1, 0, 2),
                          addRod(world, 2, 0.5, M_PI / 2, 1)};
        dJointID hinge[4] = {addHinge(world, rod[0], NULL, 0, 0, length), addHinge(world, rod[0], rod[1], 0, 1, 1),
                             addHinge(world, rod[1], rod[2], 2, 1, 1), addHinge(world, rod[2], NULL, 2, 0, length)};
        dQuaternion lean, q;
        dQFromAxisAndAngle(lean, 1, 0, 0, 0.02);
        dQMultiply0(q, lean, dBodyGetQuaternion(rod[0]));
        dBodySetQuaternion(rod[0], q);
        ksInspector *inspector = inspect(world);
        CHECK_OK(_i ? ksInspectorQuickStep(inspector, h) : ksInspectorStep(inspector, h));
        double carried = 0;
        for (int j = 0; j < 4; j++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, hinge[j]);
            const bool isOnGround = j == 0 || j == 3, isStressed = fabs(reaction->physical[0].force[2]) > weight;
            bar[k] = reaction->physicalErrorBar;
            carried += isOnGround ? reaction->physical[0].force[2] : 0;
            ck_assert_int_eq((reaction->reasons & KS_REASON_AXIS_LENGTH) != 0, k == 1 && isOnGround);
            ck_assert(!isStressed || reaction->reasons & KS_REASON_PHYSICAL);
        }
        if (_i)
            ck_assert_double_eq_tol(carried, weight, bar[k] * weight);
        ksInspectorDestroy(inspector);
        dWorldDestroy(world);
    }
    if (_i)
        ck_assert_double_le(bar[1], mostTimes * bar[0]);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("axis_length");
    tcase_add_loop_test(test, length_is_told_where_it_acts, dJointTypeBall, KSI_JOINT_TYPES);
    tcase_add_loop_test(test, multipliers_are_per_unit_axis, 0, 8);
    tcase_add_loop_test(test, drift_of_long_axes, 0, 2);
    return runCase("axis_length", test);
}
