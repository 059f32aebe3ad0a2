/* check_described.c  Bodies and joints that the writer of recordings describes without an engine
 * are the same as in ODE, by its public functions. */
#include "tests/kits/support.h"

#include "plugin/engine/fields.h"
#include "plugin/engine/layout.h"
#include "plugin/engine/vector.h"
#include "plugin/report/recording/described.h"

/* of numbers of order one, after a few operations in another order */
static const double rounding = KSI_BY_PRECISION(1e-13, 1e-5);

static const ksJointType types[] = {KS_JOINT_BALL,  KS_JOINT_HINGE,  KS_JOINT_SLIDER, KS_JOINT_UNIVERSAL,
                                    KS_JOINT_FIXED, KS_JOINT_PR,     KS_JOINT_PU,     KS_JOINT_PISTON,
                                    KS_JOINT_DBALL, KS_JOINT_DHINGE, KS_JOINT_HINGE2};
enum { TYPES = sizeof types / sizeof *types, MOST_WORDS = 128, TURNS = 40 };

static uint64_t seed;

/* in [-1, 1) */
static double draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 0x1p52 - 1;
}

static void drawVector(double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = draw();
}

/* Its quaternion is not of unit length, but within the writer's limits. */
static ksRecordedBody drawBody(void)
{
    ksRecordedBody body = {.mass = 1.5 + draw(), .inertia = {3, 0.2, -0.3, 0.2, 4, 0.1, -0.3, 0.1, 5}};
    double *q = body.state.quaternion, size = 0;
    drawVector(body.state.position);
    drawVector(body.state.velocity);
    drawVector(body.state.angularVelocity);
    for (int k = 0; k < 4; k++) {
        q[k] = draw();
        size += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        q[k] *= 1.0005 / sqrt(size);
    return body;
}

static dBodyID make(dWorldID world, const ksRecordedBody *body)
{
    const double *I = body->inertia;
    const dBodyID made = dBodyCreate(world);
    dQuaternion q;
    dMass mass;
    dMassSetParameters(&mass, (dReal)body->mass, 0, 0, 0, (dReal)I[0], (dReal)I[4], (dReal)I[8], (dReal)I[1],
                       (dReal)I[2], (dReal)I[5]);
    dBodySetMass(made, &mass);
    ksiPutNumbers(body->state.quaternion, q, 4);
    dBodySetQuaternion(made, q);
    const double *x = body->state.position, *v = body->state.velocity, *w = body->state.angularVelocity;
    dBodySetPosition(made, (dReal)x[0], (dReal)x[1], (dReal)x[2]);
    dBodySetLinearVel(made, (dReal)v[0], (dReal)v[1], (dReal)v[2]);
    dBodySetAngularVel(made, (dReal)w[0], (dReal)w[1], (dReal)w[2]);
    return made;
}

/* Compares all numbers of two arrays. */
static void sameNumbers(const double *a, const double *b, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(a[i] == b[i] || fabs(a[i] - b[i]) <= rounding, "%s: number %zu is %.17g, and ODE's is %.17g",
                      what, i, a[i], b[i]);
}

START_TEST(bodies)
{
    const dWorldID world = dWorldCreate();
    for (int i = 0; i < TURNS; i++) {
        ksRecordedBody body = drawBody();
        ksiBodyCopy own, engines;
        body.isDriven = i % 3 == 0;
        body.lacksGyroscopic = i % 2;
        dBodyID made = make(world, &body);
        if (body.isDriven) {
            dBodyDestroy(made);
            ksRecordedBody massless = body;
            massless.mass = 1;
            for (int k = 0; k < 9; k++)
                massless.inertia[k] = k % 4 == 0;
            made = make(world, &massless);
            dBodySetKinematic(made);
        }
        dBodySetGyroscopicMode(made, !body.lacksGyroscopic);
        ksiDescribeBody(&body, KSI_IS_SINGLE, &own);
        ksiCopyBody(made, &engines);
        ck_assert_uint_eq(own.state.flags, engines.state.flags);
        ck_assert_int_eq(own.state.mark, engines.state.mark);
        sameNumbers(own.state.centre, engines.state.centre, (sizeof own - offsetof(ksiBodyCopy, state.centre)) / 8,
                    "body");
    }
    dWorldDestroy(world);
}
END_TEST

static ksiJointPose poseOf(const ksRecordedJoint *joint)
{
    ksiJointPose pose;
    double *axis[3] = {pose.x, pose.y, pose.z};
    for (int k = 0; k < 3; k++) {
        pose.point[k] = joint->anchor[0][k];
        pose.second[k] = joint->anchor[1][k];
        for (int i = 0; i < 3; i++)
            axis[i][k] = joint->axis[i][k] / ksiLength(joint->axis[i]);
    }
    return pose;
}

/* Integers and reals have a word each, so integers can be compared as reals. */
static void sameJoint(int type, const uint64_t *own, const uint64_t *engines)
{
    const ksiFields *fields = ksiFieldsOfType(type);
    for (size_t i = 0; i < fields->count; i++) {
        const ksiField *field = &fields->field[i];
        double a[4], b[4];
        char what[80];
        if (field->kind == KSI_UNUSED)
            continue;
        snprintf(what, sizeof what, "joint type %d, %s", type, field->name);
        memcpy(a, own, field->count * sizeof *a);
        memcpy(b, engines, field->count * sizeof *b);
        sameNumbers(a, b, field->count, what);
        own += field->count;
        engines += field->count;
    }
}

/* Any pose, axes that are not perpendicular, between two bodies and to the world. */
START_TEST(joints)
{
    const dWorldID world = dWorldCreate();
    const ksJointType type = types[_i % TYPES];
    const int isToWorld = _i >= TYPES;
    dWorldSetCFM(world, (dReal)ksiDescribedCfm);
    for (int i = 0; i < TURNS; i++) {
        const ksRecordedBody body[2] = {drawBody(), drawBody()};
        const dBodyID made[2] = {make(world, &body[0]), isToWorld ? NULL : make(world, &body[1])};
        ksRecordedJoint joint = {.type = type, .body = {0, isToWorld ? -1 : 1}};
        uint64_t own[MOST_WORDS], engines[MOST_WORDS];
        ksiBodyState state[2];
        for (int k = 0; k < 3; k++)
            drawVector(joint.axis[k]);
        drawVector(joint.anchor[0]);
        drawVector(joint.anchor[1]);
        for (int k = 0; k < 2; k++)
            ksiDescribeState(&body[k].state, &state[k]);
        const ksiJointPose pose = poseOf(&joint);
        const dJointID id = ksiCreateJoint(world, (int)type, made[0], made[1], &pose);
        ksiDescribeJoint(&joint, &state[0], isToWorld ? NULL : &state[1], own);
        ck_assert(ksiPackJoint(ksiFieldsOfType((int)type), id, engines));
        sameJoint((int)type, own, engines);
        dJointDestroy(id);
    }
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("described");
    tcase_add_test(test, bodies);
    // a hinge2 needs two bodies
    tcase_add_loop_test(test, joints, 0, 2 * TYPES - 1);
    return runCase("described", test);
}
