/* recording_check.c  Checks the host's bodies and joints. */
#include "recording_check.h"

#include "../../engine/vector.h"

#include <math.h>

_Thread_local char ksiRecordingWhy[KSI_ARCHIVE_WORDS];

/* sizeTolerance: largest deviation of a quaternion's length from 1. symmetryTolerance: largest
 * asymmetry of an inertia, divided by its trace. leastPivot: least pivot of an inertia, divided by
 * its trace; larger than the rounding errors in the engine's own check, which aborts. leastSine:
 * least sine of the angle between a joint's first two axes. */
static const double sizeTolerance = 1e-3, symmetryTolerance = 1e-9, leastPivot = 1e-12, leastSine = 1e-6;

bool ksiAreFinite(const double *number, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(number[i]))
            return false;
    return true;
}

/* Number of a joint's axes, of which the first two must not be parallel; -1: no such type. */
static int axesOf(ksJointType type)
{
    switch (type) {
    case KS_JOINT_BALL:
    case KS_JOINT_FIXED:
    case KS_JOINT_DBALL:
        return 0;
    case KS_JOINT_HINGE:
    case KS_JOINT_SLIDER:
    case KS_JOINT_PISTON:
    case KS_JOINT_DHINGE:
        return 1;
    case KS_JOINT_UNIVERSAL:
    case KS_JOINT_HINGE2:
    case KS_JOINT_PR:
        return 2;
    case KS_JOINT_PU:
        return 3;
    }
    return -1;
}

/* --- Bodies --- */

ksStatus ksiCheckState(const ksRecordedState *state, size_t body)
{
    const double *q = state->quaternion;
    if (!ksiAreFinite(state->position, 3) || !ksiAreFinite(q, 4) || !ksiAreFinite(state->velocity, 3) ||
        !ksiAreFinite(state->angularVelocity, 3))
        return EXPLAIN(KS_ERROR_NOT_FINITE, "the state of body %zu has a NaN or an infinity", body);
    const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    REQUIRE(fabs(size - 1) <= sizeTolerance, "the quaternion of body %zu has the size %g, must be 1", body, size);
    return KS_OK;
}

/* Checks the symmetry and the pivots. */
static ksStatus checkInertia(const double I[9])
{
    const double size = fabs(I[0]) + fabs(I[4]) + fabs(I[8]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++)
            REQUIRE(fabs(I[3 * i + k] - I[3 * k + i]) <= symmetryTolerance * size,
                    "body->inertia is not symmetric: %g and %g", I[3 * i + k], I[3 * k + i]);
    const double least = leastPivot * size, l = I[1] / I[0], m = I[2] / I[0];
    const double second = I[4] - l * I[1], cross = I[5] - l * I[2];
    const double third = I[8] - m * I[2] - cross * (cross / second);
    return I[0] > least && second > least && third > least
               ? KS_OK
               : EXPLAIN(KS_ERROR_NOT_POSITIVE_DEFINITE, "body->inertia is not positive definite");
}

ksStatus ksiCheckBody(const ksRecordedBody *body, size_t index)
{
    const ksStatus status = ksiCheckState(&body->state, index);
    if (status || body->isDriven)
        return status;
    if (!isfinite(body->mass) || !ksiAreFinite(body->inertia, 9))
        return EXPLAIN(KS_ERROR_NOT_FINITE, "body->mass or body->inertia is not finite");
    REQUIRE(body->mass > 0 && isfinite(1 / body->mass), "body->mass is %g, must be > 0", body->mass);
    return checkInertia(body->inertia);
}

/* --- Joints --- */

static ksStatus checkAxes(const ksRecordedJoint *joint)
{
    const int axes = axesOf(joint->type);
    for (int i = 0; i < axes; i++) {
        if (!ksiAreFinite(joint->axis[i], 3))
            return EXPLAIN(KS_ERROR_NOT_FINITE, "joint->axis[%d] is not finite", i);
        const double size = ksiLength(joint->axis[i]);
        REQUIRE(size > 0 && isfinite(size), "joint->axis[%d] has the length %g", i, size);
    }
    if (axes < 2)
        return KS_OK;
    const double *a = joint->axis[0], *b = joint->axis[1];
    double across[3];
    ksiCross(across, a, b);
    REQUIRE(ksiLength(across) > leastSine * ksiLength(a) * ksiLength(b),
            "joint->axis[0] and joint->axis[1] are parallel");
    return KS_OK;
}

bool ksiIsAlike(const ksRecordedJoint *a, const ksRecordedJoint *b)
{
    bool isIt = a->type == b->type && a->body[0] == b->body[0] && a->body[1] == b->body[1];
    for (int k = 0; k < 6; k++)
        isIt = isIt && a->anchor[k / 3][k % 3] == b->anchor[k / 3][k % 3];
    for (int k = 0; k < 3 * axesOf(a->type); k++)
        isIt = isIt && a->axis[k / 3][k % 3] == b->axis[k / 3][k % 3];
    return isIt;
}

ksStatus ksiCheckJoint(const ksRecordedJoint *joint, size_t bodyCount)
{
    const int count = (int)bodyCount;
    REQUIRE(axesOf(joint->type) >= 0, "joint->type is %d, not one of ksJointType", (int)joint->type);
    REQUIRE(joint->body[0] >= 0 && joint->body[0] < count,
            "joint->body[0] is %d, there are %d bodies (-1, the world, can be body[1])", joint->body[0], count);
    REQUIRE(joint->body[1] >= -1 && joint->body[1] < count, "joint->body[1] is %d, there are %d bodies", joint->body[1],
            count);
    REQUIRE(joint->body[0] != joint->body[1], "joint->body has body %d twice", joint->body[0]);
    REQUIRE(joint->type != KS_JOINT_HINGE2 || joint->body[1] >= 0, "a KS_JOINT_HINGE2 needs two bodies");
    if (!ksiAreFinite(joint->anchor[0], 6))
        return EXPLAIN(KS_ERROR_NOT_FINITE, "joint->anchor is not finite");
    return checkAxes(joint);
}
