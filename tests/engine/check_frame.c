/* check_frame.c  Joint frames and anchors against the joint's construction and its rows. */
#include "tests/kits/engine_kit.h"

enum { SEEDS = 20 };
static const double h = 0.01;

/* of a few products of unit vectors and levers of order one */
static const double kRounding = 1e-13;

/* ... of a rotation over 200 steps. */
static const double kTurned = 1e-11;

typedef struct Built {
    dWorldID world;
    ksiJointPose pose;
    dJointID joint;
    int two;
    ksiBody body[2];
    ksiRows rows;
    double axes[9], anchor[2][3];
} Built;

/* A joint of a type without stops; types without other rows get motors on every axis. */
static int build(Built *built, int type, int attachment, uint64_t seed)
{
    memset(built, 0, sizeof *built);
    Random random = {seed * 100 + (uint64_t)type};
    built->world = newWorld();
    const ksiEngine engine = openEngine(built->world);
    dBodyID first = randomBody(built->world, &random), second = randomBody(built->world, &random);
    built->pose = randomPose(&random);
    built->joint = ksiCreateJoint(built->world, type, attachment == SECOND_ONLY ? NULL : first,
                                  attachment == BOTH          ? second
                                  : attachment == SECOND_ONLY ? first
                                                              : NULL,
                                  &built->pose);
    if (!built->joint)
        return 0;
    if (type == dJointTypeLMotor)
        dJointSetLMotorParam(built->joint, dParamFMax, 1);
    built->two = attachment == BOTH;
    ck_assert_int_eq(ksiReadBody(&engine, first, h, &built->body[0]), KS_OK);
    ck_assert_int_eq(ksiReadBody(&engine, second, h, &built->body[1]), KS_OK);
    ck_assert_int_eq(ksiReadRows(&engine, built->joint, KS_WORLD_STEP, h, &built->rows), KS_OK);
    const ksiBody *other = built->two ? &built->body[1] : NULL;
    ksiJointFrame(built->joint, &built->body[0], other, &built->rows, built->axes, built->anchor);
    return 1;
}

static void expectVector(const double got[3], const double expected[3])
{
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(got[i], expected[i], kRounding);
}

/* Two axes of a body count as alike if their cosines to x differ by less; then the first one is
 * y. */
static const double kAlike = 0.05;

/* y of a frame that only x defines: the first axis of the body that is most across x, made
 * perpendicular to it. */
static void expectMostAcross(const double axes[9], const double rotation[9])
{
    double e[3], y[3], along = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 3; i++)
            e[i] = rotation[3 * i + axis];
        const double part = ksiDot(e, axes);
        if (fabs(part) >= along - kAlike)
            continue;
        along = fabs(part);
        ksiCopy(y, e);
        ksiAddScaled(y, -part, axes);
    }
    ksiNormalize(y);
    expectVector(axes + 3, y);
}

START_TEST(axesAreOrthonormal)
{
    Built built;
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            if (build(&built, _i, attachment, seed)) {
                const double *a = built.axes;
                double z[3];
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j <= i; j++)
                        ck_assert_double_eq_tol(ksiDot(a + 3 * i, a + 3 * j), i == j, kRounding);
                ksiCross(z, a, a + 3);
                expectVector(a + 6, z);
            }
            endWorld(built.world);
        }
}
END_TEST

/* 0: body[0]'s axes, 1: x only, 2: x and y, 3: the world's, 4: along the two points */
static int kindOfFrame(int type)
{
    switch (type) {
    case dJointTypeHinge:
    case dJointTypePiston:
    case dJointTypeSlider:
    case dJointTypeDHinge:
    case dJointTypeTransmission:
    case dJointTypeAMotor:
    case dJointTypeLMotor:
        return 1;
    case dJointTypeUniversal:
    case dJointTypeHinge2:
    case dJointTypePR:
    case dJointTypePU:
    case dJointTypeContact:
        return 2;
    case dJointTypePlane2D:
        return 3;
    case dJointTypeDBall:
        return 4;
    default:
        return 0;
    }
}

START_TEST(axesAreTheOnesGiven)
{
    Built built;
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            if (build(&built, _i, attachment, seed)) {
                const double *a = built.axes, *R = built.body[0].rotation;
                // a contact's normal points out of the first body of dJointAttach
                const double sign = _i == dJointTypeContact && attachment == SECOND_ONLY ? -1 : 1;
                double x[3];
                for (int i = 0; i < 3; i++)
                    x[i] = sign * built.pose.x[i];
                switch (kindOfFrame(_i)) {
                case 0:
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            ck_assert_double_eq(a[3 * i + j], R[3 * j + i]);
                    break;
                case 1:
                    expectVector(a, x);
                    expectMostAcross(a, R);
                    break;
                case 2:
                    expectVector(a, x);
                    expectVector(a + 3, built.pose.y);
                    break;
                case 3:
                    for (int i = 0; i < 9; i++)
                        ck_assert_double_eq(a[i], i % 4 == 0);
                    break;
                default:
                    ksiSubtract(x, built.pose.second, built.pose.point);
                    ksiNormalize(x);
                    expectVector(a, x);
                    expectMostAcross(a, R);
                }
            }
            endWorld(built.world);
        }
}
END_TEST

/* y in the axes of the first body. */
static void acrossInBody(dWorldID world, dBodyID body, dJointID joint, double y[3])
{
    const ksiEngine engine = openEngine(world);
    ksiBody snapshot;
    ksiRows rows;
    double axes[9], anchor[2][3];
    ck_assert_int_eq(ksiReadBody(&engine, body, h, &snapshot), KS_OK);
    ck_assert_int_eq(ksiReadRows(&engine, joint, KS_QUICK_STEP, h, &rows), KS_OK);
    ksiJointFrame(joint, &snapshot, NULL, &rows, axes, anchor);
    for (int i = 0; i < 3; i++)
        y[i] = snapshot.rotation[i] * axes[3] + snapshot.rotation[3 + i] * axes[4] + snapshot.rotation[6 + i] * axes[5];
}

/* The joint's axis is along an axis of its body, or across one, so that two or three axes of the
 * body are equally far across it. The same axis is y in each step. */
START_TEST(axesStayInTheirBody)
{
    static const double along[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}, {1, 0, -1}, {1, 1, 1}};
    enum { STEPS = 200, AXES = sizeof along / sizeof *along };
    const bool isSlider = _i / AXES == 1;
    const double *d = along[_i % AXES];
    const dWorldID world = newWorld();
    Random random = {(uint64_t)_i};
    const dBodyID body = randomBody(world, &random);
    dVector3 axis, place;
    double y[3], now[3];
    dBodyVectorToWorld(body, d[0], d[1], d[2], axis);
    dBodyGetRelPointPos(body, 0.3, 0.5, 0.2, place);
    const dJointID joint = isSlider ? dJointCreateSlider(world, NULL) : dJointCreateHinge(world, NULL);
    dJointAttach(joint, body, NULL);
    if (isSlider) {
        dJointSetSliderAxis(joint, axis[0], axis[1], axis[2]);
    } else {
        dJointSetHingeAnchor(joint, place[0], place[1], place[2]);
        dJointSetHingeAxis(joint, axis[0], axis[1], axis[2]);
    }
    acrossInBody(world, body, joint, y);
    for (int i = 0; i < STEPS; i++) {
        dBodyAddTorque(body, uniform(&random, -5, 5), uniform(&random, -5, 5), uniform(&random, -5, 5));
        dWorldQuickStep(world, h);
        acrossInBody(world, body, joint, now);
        for (int k = 0; k < 3; k++)
            ck_assert_msg(fabs(now[k] - y[k]) <= kTurned, "step %d: %g %g %g, not %g %g %g", i, now[0], now[1], now[2],
                          y[0], y[1], y[2]);
    }
    endWorld(world);
}
END_TEST

static int hasAnchor(int type)
{
    switch (type) {
    case dJointTypeSlider:
    case dJointTypeFixed:
    case dJointTypeNull:
    case dJointTypeAMotor:
    case dJointTypeLMotor:
    case dJointTypePlane2D:
    case dJointTypeTransmission:
        return 0;
    default:
        return 1;
    }
}

/* In an exact pose both anchors are the given point; joints that store two have one on each
 * body. */
START_TEST(anchorsAreTheOnesGiven)
{
    Built built;
    const int keepsTwo = _i == dJointTypeDBall || _i == dJointTypeDHinge;
    ck_assert_int_eq(ksiHasAnchor((dJointType)_i), hasAnchor(_i));
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            if (build(&built, _i, attachment, seed)) {
                for (int i = 0; i < 2; i++) {
                    const int other = attachment == SECOND_ONLY ? !i : i;
                    if (!hasAnchor(_i))
                        ck_assert_double_nan(built.anchor[i][0]);
                    else
                        expectVector(built.anchor[i], keepsTwo && other ? built.pose.second : built.pose.point);
                }
            }
            endWorld(built.world);
        }
}
END_TEST

/* With the bodies pulled apart, each force acts at its own body's anchor: J's angular part is
 * (anchor - centre) x n. */
START_TEST(anchorsAreWhereRowsAct)
{
    static const int types[] = {dJointTypeBall, dJointTypeHinge, dJointTypeUniversal, dJointTypeHinge2,
                                dJointTypePU,   dJointTypeDBall, dJointTypeContact};
    Built built;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        ck_assert(build(&built, types[_i], BOTH, seed));
        const ksiEngine engine = openEngine(built.world);
        dBodyID first = built.body[0].id;
        dBodySetPosition(first, built.body[0].centre[0] + 0.1, built.body[0].centre[1] - 0.2, built.body[0].centre[2]);
        ck_assert_int_eq(ksiReadBody(&engine, first, h, &built.body[0]), KS_OK);
        ck_assert_int_eq(ksiReadRows(&engine, built.joint, KS_WORLD_STEP, h, &built.rows), KS_OK);
        ksiJointFrame(built.joint, &built.body[0], &built.body[1], &built.rows, built.axes, built.anchor);
        for (int row = 0; row < built.rows.count; row++)
            for (int i = 0; i < 2; i++) {
                const double *J = built.rows.row[row].jacobian[i];
                double r[3], torque[3];
                if (J[0] == 0 && J[1] == 0 && J[2] == 0)
                    continue;
                ksiSubtract(r, built.anchor[i], built.body[i].centre);
                ksiCross(torque, r, J);
                expectVector(J + 3, torque);
            }
        endWorld(built.world);
    }
}
END_TEST

/* Without friction the anchor is the point of the line of action nearest to the first body's
 * centre. */
START_TEST(frictionlessContact)
{
    dWorldID world = newWorld();
    Random random = {10};
    dBodyID body = randomBody(world, &random);
    const ksiJointPose pose = randomPose(&random);
    dContact contact;
    memset(&contact, 0, sizeof contact);
    ksiCopy(contact.geom.pos, pose.point);
    ksiCopy(contact.geom.normal, pose.x);
    dJointID joint = dJointCreateContact(world, NULL, &contact);
    dJointAttach(joint, body, NULL);
    const ksiEngine engine = openEngine(world);
    ksiBody snapshot;
    ksiRows rows;
    double axes[9], anchor[2][3];
    ck_assert_int_eq(ksiReadBody(&engine, body, h, &snapshot), KS_OK);
    ck_assert_int_eq(ksiReadRows(&engine, joint, KS_WORLD_STEP, h, &rows), KS_OK);
    ck_assert_int_eq(rows.count, 1);
    ksiJointFrame(NULL, &snapshot, NULL, &rows, axes, anchor);
    double r[3], nearest[3];
    ksiSubtract(r, pose.point, snapshot.centre);
    ksiCopy(nearest, pose.point);
    ksiAddScaled(nearest, -ksiDot(r, pose.x), pose.x);
    expectVector(anchor[0], nearest);
    expectVector(axes, pose.x);
    endWorld(world);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("frame");
    tcase_add_loop_test(tests, axesAreOrthonormal, 1, KSI_JOINT_TYPES);
    tcase_add_loop_test(tests, axesAreTheOnesGiven, 1, KSI_JOINT_TYPES);
    tcase_add_loop_test(tests, axesStayInTheirBody, 0, 12);
    tcase_add_loop_test(tests, anchorsAreTheOnesGiven, 1, KSI_JOINT_TYPES);
    tcase_add_loop_test(tests, anchorsAreWhereRowsAct, 0, 7);
    tcase_add_test(tests, frictionlessContact);
    return runCase("frame", tests);
}
