/* frame.c  The axes and anchors of a joint, as documented at ksFrame. */
#include "layout.h"
#include "rows.h"
#include "vector.h"

#include <stdbool.h>

/* Sine of the angle below which two axes count as parallel. At this angle, a direction
 * perpendicular to both axes has lost half of its digits. */
static double leastSine(bool isSingle)
{
    return isSingle ? 3e-4 : 1e-8;
}

/* Square of the sine (30 degrees) above which one step of orthogonalisation leaves no rounding. */
static const double farFromParallel = 0.25;

typedef struct Joint {
    dJointID id;
    const ksiBody *body[2]; /* bodies of J1 and J2; NULL: the world */
    const ksiRows *rows;
    double *axes, (*anchor)[3]; /* out */
} Joint;

static bool isReversed(const Joint *j)
{
    return !dJointGetBody(j->id, 0);
}

static void setBodyAxes(double axes[9], const ksiBody *body)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            axes[3 * i + j] = body->rotation[3 * j + i];
}

/* If the cosines of two body axes with a direction differ by less than this, the axes count as
 * equally far from the direction, so that rounding does not choose between them. */
static const double alike = 0.05;

/* x is a unit vector; y = (e - (e.x) x)/(1 - (e.x)^2)^(1/2), where e is the axis of the body that
 * is most nearly perpendicular to x (the first of several equally near). The fourth number of x is
 * unused. */
KSI_INLINE void across(double axes[9], const double rotation[9], const ksiFour *x)
{
    const double *R = rotation;
    const ksiFour last = {R[6], R[7], R[8], 0};
    const ksiFour along = (*x)[0] * *(const ksiFour *)R + (*x)[1] * *(const ksiFour *)(R + 3) + (*x)[2] * last;
    const double a[3] = {fabs(along[0]), fabs(along[1]), fabs(along[2])};
    int best = a[1] < a[0] - alike;
    best = a[2] < a[best] - alike ? 2 : best;
    const double part = along[best], scale = 1 / sqrt(1 - part * part);
    const ksiFour e = scale * (ksiFour){R[best], R[3 + best], R[6 + best], 0};
    ksiFour z;
    ksiCrossFour(&z, x, &e);
    *(ksiFour *)axes = *x;
    *(ksiFour *)(axes + 3) = e - scale * part * *x;
    ksiStoreThree(axes + 6, &z);
}

KSI_CLONES_EXACT
static void setAcross(double axes[9], const double rotation[9], const double x[3])
{
    const ksiFour unit = {x[0], x[1], x[2], 0};
    across(axes, rotation, &unit);
}

/* Sets x perpendicular to the axes of two rows, which are couples about orthonormal axes. */
KSI_CLONES_EXACT
static void setAcrossCouples(double axes[9], const double rotation[9], const double first[6], const double second[6])
{
    // loads torques from one number before them, because the number after a row may not be readable
    const ksiFour p = *(const ksiFour *)(first + 2), q = *(const ksiFour *)(second + 2);
    const ksiFour one = KSI_SHUFFLE(p, p, 1, 2, 3, 0), other = KSI_SHUFFLE(q, q, 1, 2, 3, 0);
    ksiFour x;
    ksiCrossFour(&x, &one, &other);
    across(axes, rotation, &x);
}

/* Makes y a unit vector perpendicular to x. Returns 0 if y is parallel to x. */
static int makePerpendicular(double y[3], const double x[3], double least)
{
    double length;
    ksiNormalize(y);
    do {  // repeated, because nearly parallel axes lose digits
        ksiAddScaled(y, -ksiDot(x, y), x);
        length = ksiNormalize(y);
        if (!(length > least))
            return 0;
    } while (length < 0.5);
    return 1;
}

/* Sets x along `first`, and y along the part of `second` that is perpendicular to x. If `second` is
 * NULL or parallel to x, the axis of the body most nearly perpendicular to x takes its place. If
 * `first` is zero, sets the axes of the body. */
static void setFromAxes(const Joint *j, const double *first, const double *second)
{
    double *axes = j->axes;
    const ksiBody *body = j->body[0];
    const double least = leastSine(j->rows->isSingle);
    double x[3], y[3];
    ksiCopy(x, first);
    if (!(ksiNormalize(x) > 0)) {
        setBodyAxes(axes, body);
        return;
    }
    if (second)
        ksiCopy(y, second);
    if (!second || !makePerpendicular(y, x, least)) {
        setAcross(axes, body->rotation, x);
        return;
    }
    ksiCopy(axes, x);
    ksiCopy(axes + 3, y);
    ksiCross(axes + 6, x, y);
}

/* Sets the anchors of a type that has two getters: the first getter's anchor is on the body that
 * the host attached first. */
static void setAnchors(const Joint *j, ksiVectorGetter *first, ksiVectorGetter *second)
{
    double P[3], Q[3];
    ksiGetVector(first, j->id, P);
    ksiGetVector(second, j->id, Q);
    const int reversed = isReversed(j);
    ksiCopy(j->anchor[0], reversed ? Q : P);
    ksiCopy(j->anchor[1], reversed ? P : Q);
}

void ksiLeverOfBlock(double r[3], const ksiRows *rows, int side)
{
    const double sign = side ? -1 : 1;
    r[0] = sign * rows->row[1].jacobian[side][5];
    r[1] = sign * rows->row[2].jacobian[side][3];
    r[2] = sign * rows->row[0].jacobian[side][4];
}

/* Sets the anchor on one body from the lever of its rows. */
static void setAnchor(const Joint *j, int side, const double r[3])
{
    for (int k = 0; k < 3; k++)
        j->anchor[side][k] = j->body[side]->centre[k] + r[k];
}

/* Sets both anchors of a joint from its rows 0 to 2, which hold a point along the world's axes. The
 * anchor in the world comes from its getter. If the engine may have overwritten the rows, both
 * anchors come from their getters. */
static void setBallAnchors(const Joint *j, ksiVectorGetter *first, ksiVectorGetter *second)
{
    if (j->rows->overrun) {
        setAnchors(j, first, second);
        return;
    }
    for (int side = 0; side < 2; side++) {
        double r[3];
        ksiLeverOfBlock(r, j->rows, side);
        if (j->body[side])
            setAnchor(j, side, r);
    }
    if (j->body[1])
        return;
    ksiGetVector(isReversed(j) ? first : second, j->id, j->anchor[1]);
}

void ksiLeverOfRows(double r[3], const double first[6], const double *second)
{
    const double *n = first, n2 = ksiDot(first, first);
    ksiCross(r, n, first + 3);
    for (int i = 0; i < 3; i++)
        r[i] /= n2;
    if (!second)
        return;
    // r = r_across + a n:  r x t - r_across x t = a n x t
    double rest[3], across[3];
    ksiCross(rest, r, second);
    ksiSubtract(rest, second + 3, rest);
    ksiCross(across, n, second);
    ksiAddScaled(r, ksiDot(rest, across) / ksiDot(across, across), n);
}

/* Does the work of setFromAxes and ksiLeverOfRows, but faster, for directions n and t that are far
 * from parallel: a pile has thousands of such contacts. Sets x along n, z along n x t, and r to the
 * lever of the point at which both rows act. Returns 0 if the directions are too close. */
KSI_CLONES_EXACT
static int setFromRows(const double first[6], const double second[6], double axes[9], double r[3])
{
    const ksiFour n = *(const ksiFour *)first, t = *(const ksiFour *)second;
    const ksiFour tail = *(const ksiFour *)(first + 2), otherTail = *(const ksiFour *)(second + 2);
    const ksiFour torque = KSI_SHUFFLE(tail, tail, 1, 2, 3, 0), other = KSI_SHUFFLE(otherTail, otherTail, 1, 2, 3, 0);
    ksiFour z, across, turned;
    ksiCrossFour(&z, &n, &t);
    const double n2 = ksiDot((const double *)&n, (const double *)&n),
                 t2 = ksiDot((const double *)&t, (const double *)&t);
    const double z2 = ksiDot((const double *)&z, (const double *)&z);
    if (!(z2 > farFromParallel * n2 * t2))
        return 0;
    const double perN2 = 1 / n2, perZ2 = 1 / z2;
    const ksiFour unit = sqrt(perN2) * n, last = sqrt(perZ2) * z;
    ksiFour y;
    ksiCrossFour(&y, &last, &unit);
    *(ksiFour *)axes = unit;
    *(ksiFour *)(axes + 3) = y;
    ksiStoreThree(axes + 6, &last);
    // r = r_across + a n:  r x t - r_across x t = a n x t
    ksiCrossFour(&across, &n, &torque);
    across *= perN2;
    ksiCrossFour(&turned, &across, &t);
    const ksiFour rest = other - turned;
    const ksiFour point = across + perZ2 * ksiDot((const double *)&rest, (const double *)&z) * n;
    ksiStoreThree(r, &point);
    return 1;
}

static void setContact(const Joint *j)
{
    const ksiRows *rows = j->rows;
    const double *normal = rows->row[0].jacobian[0];
    const double *friction = rows->count > 1 && rows->row[1].kind == KS_ROW_FRICTION ? rows->row[1].jacobian[0] : NULL;
    double r[3];
    if (!friction || !setFromRows(normal, friction, j->axes, r)) {
        setFromAxes(j, normal, friction);
        ksiLeverOfRows(r, normal, friction);
    }
    setAnchor(j, 0, r);
    ksiCopy(j->anchor[1], j->anchor[0]);
}

/* The anchor of the first body has no getter: it is the point at which the two linear rows act. */
static void setPUAnchors(const Joint *j)
{
    double r[3];
    ksiGetVector(dJointGetPUAnchor, j->id, j->anchor[1]);
    ksiLeverOfRows(r, j->rows->row[1].jacobian[0], j->rows->row[2].jacobian[0]);
    setAnchor(j, 0, r);
}

static void firstMotorAxis(dJointID motor, dVector3 result)
{
    dJointGetAMotorAxis(motor, 0, result);
}

/* Handles the types whose frame has the axes of the body or of the world, or one axis of its own.
 * Returns 0 for other types. */
static int setOneAxis(const Joint *j)
{
    static const double world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double x[3], y[3];
    switch (j->rows->type) {
    case dJointTypeBall:
        setBodyAxes(j->axes, j->body[0]);
        setBallAnchors(j, dJointGetBallAnchor, dJointGetBallAnchor2);
        return 1;
    case dJointTypePlane2D:
        memcpy(j->axes, world, sizeof world);
        return 1;
    case dJointTypeFixed:
    case dJointTypeNull:
        setBodyAxes(j->axes, j->body[0]);
        return 1;
    case dJointTypeHinge:  // rows 3 and 4 are couples across the axis
        setAcrossCouples(j->axes, j->body[0]->rotation, j->rows->row[3].jacobian[0], j->rows->row[4].jacobian[0]);
        setBallAnchors(j, dJointGetHingeAnchor, dJointGetHingeAnchor2);
        return 1;
    case dJointTypePiston:
        ksiGetVector(dJointGetPistonAxis, j->id, x);
        setAnchors(j, dJointGetPistonAnchor, dJointGetPistonAnchor2);
        break;
    case dJointTypeSlider:
        ksiGetVector(dJointGetSliderAxis, j->id, x);
        break;
    case dJointTypeTransmission:
        ksiGetVector(dJointGetTransmissionAxis1, j->id, x);
        break;
    case dJointTypeDBall:
        ksiGetVector(dJointGetDBallAnchor1, j->id, x);
        ksiGetVector(dJointGetDBallAnchor2, j->id, y);
        ksiSubtract(x, y, x);
        setAnchors(j, dJointGetDBallAnchor1, dJointGetDBallAnchor2);
        break;
    case dJointTypeDHinge:
        ksiGetVector(dJointGetDHingeAxis, j->id, x);
        setAnchors(j, dJointGetDHingeAnchor1, dJointGetDHingeAnchor2);
        break;
    case dJointTypeAMotor:
        ksiGetVector(firstMotorAxis, j->id, x);
        break;
    case dJointTypeLMotor:  // the getter does not say in which axes its direction is
        ksiCopy(x, j->rows->row[0].jacobian[0]);
        break;
    default:
        return 0;
    }
    setFromAxes(j, x, NULL);
    return 1;
}

static void setTwoAxes(const Joint *j)
{
    double x[3], y[3];
    switch (j->rows->type) {
    case dJointTypeUniversal:
        ksiGetVector(dJointGetUniversalAxis1, j->id, x);
        ksiGetVector(dJointGetUniversalAxis2, j->id, y);
        setBallAnchors(j, dJointGetUniversalAnchor, dJointGetUniversalAnchor2);
        break;
    case dJointTypeHinge2:
        ksiGetVector(dJointGetHinge2Axis1, j->id, x);
        ksiGetVector(dJointGetHinge2Axis2, j->id, y);
        setAnchors(j, dJointGetHinge2Anchor, dJointGetHinge2Anchor2);
        break;
    case dJointTypePR:
        ksiGetVector(dJointGetPRAxis1, j->id, x);
        ksiGetVector(dJointGetPRAxis2, j->id, y);
        setAnchors(j, dJointGetPRAnchor, dJointGetPRAnchor);
        break;
    case dJointTypePU:
        ksiGetVector(dJointGetPUAxis1, j->id, x);
        ksiGetVector(dJointGetPUAxis2, j->id, y);
        setPUAnchors(j);
        break;
    default:
        setBodyAxes(j->axes, j->body[0]);
        return;
    }
    setFromAxes(j, x, y);
}

void ksiJointFrame(dJointID joint, const ksiBody *first, const ksiBody *second, const ksiRows *rows, double axes[9],
                   double anchor[2][3])
{
    const Joint j = {joint, {first, second}, rows, axes, anchor};
    for (int i = 0; i < 3; i++)
        anchor[0][i] = anchor[1][i] = NAN;
    if (rows->type == dJointTypeContact)
        setContact(&j);
    else if (!setOneAxis(&j))
        setTwoAxes(&j);
}
