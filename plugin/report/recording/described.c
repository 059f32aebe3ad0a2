/* described.c  Expresses bodies and joints of another engine in ODE's numbers.
 *
 * The `proof` of a field in engine/fields.c defines the content of the field; tests compare the
 * numbers with the engine's memory. This file calls no engine function. */
#include "described.h"

#include "../../engine/fields.h"
#include "../../engine/fields_proof.h"
#include "../../engine/layout.h"
#include "../../engine/vector.h"

#include <math.h>
#include <string.h>

const double ksiDescribedErp = 0.2, ksiDescribedCfm = 1e-10, ksiDescribedOverRelaxation = 1.3;

/* Thresholds of damping, m/s and rad/s; damping is off. */
static const double threshold = 0.01;

static const ksiBodyState world = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .quaternion = {1}};

/* --- Bodies --- */

/* Sets the normalised quaternion, and its rotation matrix. */
static void setRotation(const double given[4], ksiBodyState *out)
{
    double *q = out->quaternion;
    const double size = sqrt(given[0] * given[0] + given[1] * given[1] + given[2] * given[2] + given[3] * given[3]);
    for (int k = 0; k < 4; k++)
        q[k] = given[k] / size;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double a = q[1 + i], b = q[1 + j], c = q[1 + k];
        out->rotation[4 * i] = 1 - 2 * b * b - 2 * c * c;
        out->rotation[3 * i + j] = 2 * (a * b - q[0] * c);
        out->rotation[3 * j + i] = 2 * (a * b + q[0] * c);
    }
}

void ksiDescribeState(const ksRecordedState *from, ksiBodyState *out)
{
    setRotation(from->quaternion, out);
    ksiCopy(out->centre, from->position);
    ksiCopy(out->velocity, from->velocity);
    ksiCopy(out->spin, from->angularVelocity);
}

/* Inverts a symmetric matrix; out: row-major */
static void invert(const double I[9], double out[9])
{
    double column[3][3];
    for (int k = 0; k < 3; k++)
        ksiCross(column[k], I + 3 * ((k + 1) % 3), I + 3 * ((k + 2) % 3));
    const double determinant = ksiDot(I, column[0]);
    for (int k = 0; k < 9; k++)
        out[k] = column[k % 3][k / 3] / determinant;
}

void ksiDescribeBody(const ksRecordedBody *from, bool isSingle, ksiBodyCopy *out)
{
    // a driven body keeps the mass of a new body
    *out = (ksiBodyCopy){.mass = 1,
                         .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                         .linearThreshold = threshold,
                         .angularThreshold = threshold,
                         .maxAngularSpeed = INFINITY};
    out->state.flags = (from->lacksGyroscopic ? 0 : KSI_BODY_GYROSCOPIC) | (isSingle ? KSI_BODY_SINGLE : 0);
    ksiDescribeState(&from->state, &out->state);
    if (from->isDriven)
        return;
    out->mass = from->mass;
    out->inverseMass = 1 / from->mass;
    for (int k = 0; k < 9; k++)
        out->inertia[k] = from->inertia[k % 3 < k / 3 ? 3 * (k % 3) + k / 3 : k];
    invert(out->inertia, out->inverse);
}

/* --- Joints --- */

typedef struct Joint {
    const ksRecordedJoint *as;
    const ksiBodyState *body[2];
    double axis[3][3]; /* unit vectors */
} Joint;

/* The direction on this body that lies in the plane of both axes, perpendicular to its own axis. */
static void acrossOwnAxis(const Joint *joint, int body, double out[3])
{
    const double *own = joint->axis[body], *other = joint->axis[!body];
    ksiCopy(out, other);
    ksiAddScaled(out, -ksiDot(own, other), own);
    ksiNormalize(out);
}

/* The axes need not be perpendicular: angles are measured from vectors of both bodies. */
static void hinge2Vector(const Joint *joint, int which, int body, double out[3])
{
    const bool isOwn = which == (body ? KSI_Y : KSI_X), isThird = which == KSI_Z || which == KSI_MINUS_Z;
    if (isOwn)
        ksiCopy(out, joint->axis[body]);
    else
        acrossOwnAxis(joint, body, out);
    if (isThird)
        ksiCross(out, joint->axis[body], out);
}

static void vectorOf(const Joint *joint, int which, double out[3])
{
    const double *of[] = {joint->as->anchor[0], joint->as->anchor[1], joint->body[0]->centre,
                          joint->axis[0],       joint->axis[1],       joint->axis[2]};
    if (which == KSI_BETWEEN)
        ksiSubtract(out, joint->body[0]->centre, joint->body[1]->centre);
    else
        ksiCopy(out, of[which]);
}

/* Transforms a direction or point from world axes. body 2: stays in world axes. */
static void intoBody(const Joint *joint, int body, bool isPoint, double v[3])
{
    if (body > 1)
        return;
    const ksiBodyState *in = joint->body[body];
    if (isPoint)
        ksiSubtract(v, v, in->centre);
    const double at[3] = {v[0], v[1], v[2]};
    for (int i = 0; i < 3; i++)
        v[i] = in->rotation[i] * at[0] + in->rotation[3 + i] * at[1] + in->rotation[6 + i] * at[2];
}

static void placeOf(const Joint *joint, const ksiField *field, double out[3])
{
    const int which = field->argument / 3, body = field->argument % 3;
    if (joint->as->type == KS_JOINT_HINGE2 && field->proof == KSI_IS_DIRECTION)
        hinge2Vector(joint, which, body, out);
    else
        vectorOf(joint, which, out);
    // if a body is the world, the vector is in world axes
    if (which != KSI_BETWEEN || joint->body[1] != &world)
        intoBody(joint, body, field->proof == KSI_IS_POINT, out);
}

/* out = conj(a) b */
static void relativeTurn(const double a[4], const double b[4], double out[4])
{
    double across[3];
    ksiCross(across, a + 1, b + 1);
    out[0] = a[0] * b[0] + ksiDot(a + 1, b + 1);
    for (int k = 0; k < 3; k++)
        out[1 + k] = a[0] * b[1 + k] - b[0] * a[1 + k] - across[k];
}

/* The rotation matrix with these columns, as a quaternion. w is positive or, if the trace of the
 * matrix is negative, the largest of x, y and z is positive. */
static void turnTo(double column[3][3], double out[4])
{
    const double trace = column[0][0] + column[1][1] + column[2][2];
    int i = 0;
    for (int k = 1; k < 3; k++)
        i = column[k][k] > column[i][i] ? k : i;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace >= 0) {
        out[0] = sqrt(trace + 1) / 2;
        for (int n = 0; n < 3; n++)
            out[1 + n] = (column[(n + 1) % 3][(n + 2) % 3] - column[(n + 2) % 3][(n + 1) % 3]) / (4 * out[0]);
        return;
    }
    out[1 + i] = sqrt(column[i][i] - (column[j][j] + column[k][k]) + 1) / 2;
    out[1 + j] = (column[j][i] + column[i][j]) / (4 * out[1 + i]);
    out[1 + k] = (column[i][k] + column[k][i]) / (4 * out[1 + i]);
    out[0] = (column[j][k] - column[k][j]) / (4 * out[1 + i]);
}

/* The rotation from a body to the cross of a universal joint. */
static void crossOf(const Joint *joint, int body, double out[4])
{
    double column[3][3], cross[4];
    ksiCopy(column[0], joint->axis[body]);
    acrossOwnAxis(joint, body, column[1]);
    ksiCross(column[2], column[0], column[1]);
    turnTo(column, cross);
    relativeTurn(joint->body[body]->quaternion, cross, out);
}

/* Without motors and limits, a joint has the engine's default parameters. */
static double parameterOf(int parameter)
{
    switch (parameter % dParamGroup2) {
    case dParamLoStop:
        return -INFINITY;
    case dParamHiStop:
        return INFINITY;
    case dParamFudgeFactor:
        return 1;
    case dParamERP:
    case dParamStopERP:
    case dParamSuspensionERP:
        return ksiDescribedErp;
    case dParamCFM:
    case dParamStopCFM:
    case dParamSuspensionCFM:
        return ksiDescribedCfm;
    default:
        return 0;
    }
}

/* A number of a described joint, computed from its axes or anchors. */
static double numberOf(const Joint *joint, int which)
{
    double v[3];
    switch (which) {
    case KSI_ZERO:
        return ksiDot(joint->axis[0], joint->axis[1]);
    case KSI_ONE:
        ksiCross(v, joint->axis[0], joint->axis[1]);
        break;
    default:
        ksiSubtract(v, joint->as->anchor[0], joint->as->anchor[1]);
    }
    return ksiLength(v);
}

static void describe(const Joint *joint, const ksiField *field, double out[4])
{
    switch (field->proof) {
    case KSI_IS_POINT:
    case KSI_IS_DIRECTION:
        placeOf(joint, field, out);
        break;
    case KSI_IS_PARAMETER:
        out[0] = parameterOf(field->argument);
        break;
    case KSI_IS_RELATIVE:
        relativeTurn(joint->body[0]->quaternion, joint->body[1]->quaternion, out);
        break;
    case KSI_IS_CROSS:
        crossOf(joint, field->argument, out);
        break;
    case KSI_IS_NUMBER:
        out[0] = numberOf(joint, field->argument);
        break;
    default:
        out[0] = 0;
    }
}

void ksiDescribeJoint(const ksRecordedJoint *from, const ksiBodyState *first, const ksiBodyState *second,
                      uint64_t *words)
{
    const ksiFields *fields = ksiFieldsOfType((int)from->type);
    Joint joint = {.as = from, .body = {first, second ? second : &world}};
    for (int i = 0; i < 3; i++) {
        ksiCopy(joint.axis[i], from->axis[i]);
        ksiNormalize(joint.axis[i]);
    }
    for (size_t i = 0; i < fields->count; i++) {
        const ksiField *field = &fields->field[i];
        double number[4];
        if (field->kind == KSI_UNUSED)
            continue;
        describe(&joint, field, number);
        // integers of a described joint are 0: it is at no stop
        memcpy(words, number, field->count * sizeof *words);
        words += field->count;
    }
}
