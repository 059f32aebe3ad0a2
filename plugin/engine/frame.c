/* frame.c  The axes and anchors of a joint, as documented at ksFrame. */
#include "layout.h"
#include "rows.h"
#include "vector.h"

static void setAxes(double axes[9], const double x[3], const double y[3])
{
    ksiCopy(axes, x);
    ksiCopy(axes + 3, y);
    ksiCross(axes + 6, x, y);
}

static void setBodyAxes(double axes[9], const ksiBody *body)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            axes[3 * i + j] = body->rotation[3 * j + i];
}

/* x along the given vector; y the given second one made perpendicular, or, where that is NULL or parallel, the axis of
 * the body that is most across x. A zero x gives the axes of the body. */
static void setFromAxes(double axes[9], const double *first, const double *second, const ksiBody *body)
{
    double x[3], y[3] = {0, 0, 0};
    ksiCopy(x, first);
    if (!(ksiNormalize(x) > 0)) {
        setBodyAxes(axes, body);
        return;
    }
    if (second) {
        ksiCopy(y, second);
        ksiNormalize(y);
        ksiAddScaled(y, -ksiDot(x, y), x);
    }
    int passes = 2;  // nearly parallel axes lose digits at first
    if (!(ksiNormalize(y) > 1e-8)) {
        double best = 2;
        passes = 1;
        for (int j = 0; j < 3; j++) {
            const double axis[3] = {body->rotation[j], body->rotation[3 + j], body->rotation[6 + j]};
            const double along = fabs(ksiDot(x, axis));
            if (along < best) {
                best = along;
                ksiCopy(y, axis);
            }
        }
    }
    for (int pass = 0; pass < passes; pass++) {
        ksiAddScaled(y, -ksiDot(x, y), x);
        ksiNormalize(y);
    }
    setAxes(axes, x, y);
}

typedef void Getter(dJointID joint, dVector3 result);

/* Anchors of a type with two getters: the first is on what the host attached first. */
static void setAnchors(dJointID joint, int reversed, Getter *first, Getter *second, ksiFrame *out)
{
    dVector3 P, Q;
    first(joint, P);
    second(joint, Q);
    ksiCopy(out->anchor[0], reversed ? Q : P);
    ksiCopy(out->anchor[1], reversed ? P : Q);
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

static void setContact(const ksiBody *first, const ksiRows *rows, ksiFrame *out)
{
    if (rows->count == 0)
        return;
    const double(*row)[2][6] = rows->jacobian;
    const double *friction = rows->count > 1 && rows->kind[1] == KS_ROW_FRICTION ? row[1][0] : NULL;
    double r[3];
    setFromAxes(out->axes, row[0][0], friction, first);
    ksiLeverOfRows(r, row[0][0], friction);
    for (int i = 0; i < 3; i++)
        out->anchor[0][i] = out->anchor[1][i] = first->centre[i] + r[i];
}

/* The anchor of the first body has no getter: it is where the two linear rows act. */
static void setPUAnchors(dJointID joint, const ksiBody *first, const ksiRows *rows, ksiFrame *out)
{
    dVector3 Q;
    dJointGetPUAnchor(joint, Q);
    ksiCopy(out->anchor[0], Q);
    ksiCopy(out->anchor[1], Q);
    if (rows->count >= 3) {
        double r[3];
        ksiLeverOfRows(r, rows->jacobian[1][0], rows->jacobian[2][0]);
        for (int i = 0; i < 3; i++)
            out->anchor[0][i] = first->centre[i] + r[i];
    }
}

/* Types whose frame is their own body's or the world's; 0 if the type is none of them. */
static int setPlain(dJointID joint, int reversed, ksiFrame *out)
{
    static const double world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    switch (dJointGetType(joint)) {
    case dJointTypeBall:
        setAnchors(joint, reversed, dJointGetBallAnchor, dJointGetBallAnchor2, out);
        return 1;
    case dJointTypePlane2D:
        memcpy(out->axes, world, sizeof world);
        return 1;
    case dJointTypeFixed:
    case dJointTypeNull:
        return 1;
    default:
        return 0;
    }
}

static int setOneAxis(dJointID joint, int reversed, const ksiBody *first, const ksiRows *rows, ksiFrame *out)
{
    dVector3 x, y;
    switch (dJointGetType(joint)) {
    case dJointTypeHinge:
        dJointGetHingeAxis(joint, x);
        setAnchors(joint, reversed, dJointGetHingeAnchor, dJointGetHingeAnchor2, out);
        break;
    case dJointTypePiston:
        dJointGetPistonAxis(joint, x);
        setAnchors(joint, reversed, dJointGetPistonAnchor, dJointGetPistonAnchor2, out);
        break;
    case dJointTypeSlider:
        dJointGetSliderAxis(joint, x);
        break;
    case dJointTypeTransmission:
        dJointGetTransmissionAxis1(joint, x);
        break;
    case dJointTypeDBall:
        dJointGetDBallAnchor1(joint, x);
        dJointGetDBallAnchor2(joint, y);
        ksiSubtract(x, y, x);
        setAnchors(joint, reversed, dJointGetDBallAnchor1, dJointGetDBallAnchor2, out);
        break;
    case dJointTypeDHinge:
        dJointGetDHingeAxis(joint, x);
        setAnchors(joint, reversed, dJointGetDHingeAnchor1, dJointGetDHingeAnchor2, out);
        break;
    case dJointTypeAMotor:
        if (dJointGetAMotorNumAxes(joint) == 0)
            return 1;
        dJointGetAMotorAxis(joint, 0, x);
        break;
    case dJointTypeLMotor:  // its getter does not say in whose axes: take the direction of the first row
        if (rows->count == 0)
            return 1;
        ksiCopy(x, rows->jacobian[0][0]);
        break;
    default:
        return 0;
    }
    setFromAxes(out->axes, x, NULL, first);
    return 1;
}

static void setTwoAxes(dJointID joint, int reversed, const ksiBody *first, const ksiRows *rows, ksiFrame *out)
{
    dVector3 x, y;
    switch (dJointGetType(joint)) {
    case dJointTypeUniversal:
        dJointGetUniversalAxis1(joint, x);
        dJointGetUniversalAxis2(joint, y);
        setAnchors(joint, reversed, dJointGetUniversalAnchor, dJointGetUniversalAnchor2, out);
        break;
    case dJointTypeHinge2:
        dJointGetHinge2Axis1(joint, x);
        dJointGetHinge2Axis2(joint, y);
        setAnchors(joint, reversed, dJointGetHinge2Anchor, dJointGetHinge2Anchor2, out);
        break;
    case dJointTypePR:
        dJointGetPRAxis1(joint, x);
        dJointGetPRAxis2(joint, y);
        setAnchors(joint, 0, dJointGetPRAnchor, dJointGetPRAnchor, out);
        break;
    case dJointTypePU:
        dJointGetPUAxis1(joint, x);
        dJointGetPUAxis2(joint, y);
        setPUAnchors(joint, first, rows, out);
        break;
    default:
        return;
    }
    setFromAxes(out->axes, x, y, first);
}

void ksiJointFrame(dJointID joint, const ksiBody *first, const ksiRows *rows, ksiFrame *out)
{
    setBodyAxes(out->axes, first);
    for (int i = 0; i < 3; i++)
        out->anchor[0][i] = out->anchor[1][i] = NAN;
    const int reversed = !dJointGetBody(joint, 0);
    if (reversed && !dJointGetBody(joint, 1))
        return;  // most getters need a body
    if (dJointGetType(joint) == dJointTypeContact)
        setContact(first, rows, out);
    else if (!setPlain(joint, reversed, out) && !setOneAxis(joint, reversed, first, rows, out))
        setTwoAxes(joint, reversed, first, rows, out);
}
