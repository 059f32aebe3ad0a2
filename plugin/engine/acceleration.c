/* acceleration.c  Finds beta = -(dJ/dt) v of a joint's rows in closed form.
 *
 * Body 1 is the body of J1, and body 2 the body of J2. Body i has the velocity v_i and the angular
 * velocity w_i; W = w1 - w2 and u = v1 - v2 are their differences. The levers `r1` and `r2` lead
 * from the mass centres to the joint's anchor. The directions `n`, `p`, `q` and `a` of rows turn
 * with body 1 unless stated, so n' = w1 x n.
 *
 * If the joint has not drifted, it does not matter how the engine rotates a pair `p`, `q` in its
 * plane. The free motions of a set of rows are then known: W is along a hinge's axis, or the
 * sliding speed `s` is along a slider's axis. The closed forms use only these motions, and none
 * that the joint forbids.
 *
 *     row                                        beta
 *     n.(v1 + w1 x r1 - v2 - w2 x r2), n fixed   -n.(w1 x (w1 x r1) - w2 x (w2 x r2))
 *     the same, but n turns with body 1, and     the same - s (w1 x n).a
 *     the gap opens with velocity s a
 *     p.W, where W = k a                         -k (w1 x p).a
 *
 * The other forms are derived at their functions. Whether a row has a known form depends only on
 * the joint and its pose. */
#include "layout.h"
#include "rows.h"
#include "vector.h"

#include <stdbool.h>

typedef struct Motion {
    const ksiGeometry *at;
    const ksiRows *rows;
    bool two; /* the joint has a second body */
    const double *v1, *w1, *v2, *w2;
    double W[3];
    double *beta;
} Motion;

/* Largest cosine of the angle between two axes that count as perpendicular; it is well above the
 * rounding of axes. */
static double perpendicular(const ksiRows *rows)
{
    return rows->isSingle ? 1e-5 : 1e-9;
}

/* Shortest distance that has a direction, m: if anchors are 1 m from the origin, their coordinates
 * then give the direction 7 digits, or 4 in single precision. */
static double shortest(const ksiRows *rows)
{
    return rows->isSingle ? 1e-3 : 1e-9;
}

static const double zero[6] = {0, 0, 0, 0, 0, 0};

static const double *linear(const Motion *m, int row, int body)
{
    return m->rows->row[row].jacobian[body];
}

static const double *angular(const Motion *m, int row, int body)
{
    return m->rows->row[row].jacobian[body] + 3;
}

static void set(const Motion *m, int row, double beta)
{
    if (row < m->rows->count)
        m->beta[row] = beta;
}

static void relativeVelocity(const Motion *m, double u[3])
{
    ksiSubtract(u, m->v1, m->v2);
}

/* (w1 + w2) / 2 */
static void meanSpin(const Motion *m, double w[3])
{
    for (int i = 0; i < 3; i++)
        w[i] = 0.5 * (m->w1[i] + m->w2[i]);
}

/* (w x n) . b */
static double turning(const double w[3], const double n[3], const double b[3])
{
    double t[3];
    ksiCross(t, w, n);
    return ksiDot(t, b);
}

/* w x (w x r) */
static void centripetal(double out[3], const double w[3], const double r[3])
{
    double t[3];
    ksiCross(t, w, r);
    ksiCross(out, w, t);
}

/* v1 + w1 x r1 - v2 - w2 x r2 */
static void velocityApart(const Motion *m, double out[3], const double r1[3], const double r2[3])
{
    double u[3], second[3];
    relativeVelocity(m, u);
    ksiCross(out, m->w1, r1);
    ksiAddScaled(out, 1, u);
    ksiCross(second, m->w2, r2);
    ksiAddScaled(out, -1, second);
}

/* w1 x (w1 x r1) - w2 x (w2 x r2) */
static void centripetalApart(const Motion *m, double out[3], const double r1[3], const double r2[3])
{
    double second[3];
    centripetal(out, m->w1, r1);
    centripetal(second, m->w2, r2);
    ksiAddScaled(out, -1, second);
}

/* Rows 0 to 2 hold an anchor; their directions n are the world's axes. */
static void anchorRows(const Motion *m)
{
    double difference[3];
    centripetalApart(m, difference, m->at->lever[0], m->at->lever[1]);
    for (int i = 0; i < 3; i++)
        set(m, i, -difference[i]);
}

/* Two rows p.W, q.W that leave the rotation about p x q free, and the row of its stop or motor. */
static void axisRows(const Motion *m, int row, int last)
{
    double a[3], turned[3];
    ksiCross(a, angular(m, row, 0), angular(m, row + 1, 0));
    ksiNormalize(a);
    const double k = ksiDot(m->W, a);
    ksiCross(turned, a, m->w1);
    set(m, row, -k * ksiDot(turned, angular(m, row, 0)));
    set(m, row + 1, -k * ksiDot(turned, angular(m, row + 1, 0)));
    if (last > row + 1)
        set(m, last, 0);  // W is along the axis, which turns with body 1
}

/* Sets `out` to W without its component along the unit vector p. */
static void across(const Motion *m, const double p[3], double out[3])
{
    ksiCopy(out, m->W);
    ksiAddScaled(out, -ksiDot(out, p), p);
}

/* One row p.W with p along a1 x a2. The axis a1 turns with body 1, a2 with body 2. */
static void crossRow(const Motion *m, int row)
{
    const double *p = angular(m, row, 0), *a1 = m->at->axis[0], *a2 = m->at->axis[1];
    double P[3], rate[3], part[3], free[3];
    ksiCross(P, a1, a2);
    const double length = ksiDot(P, p);  // signed: p is the normalised P
    ksiCross(rate, m->w1, a1);
    ksiCross(rate, rate, a2);
    ksiCross(part, m->w2, a2);
    ksiCross(part, a1, part);
    ksiAddScaled(rate, 1, part);
    across(m, p, free);
    set(m, row, -ksiDot(rate, free) / length);
}

/* Rows a1.W and a2.W: the stops and motors of a joint with a row of crossRow. It does not matter
 * with which body the axis a turns: (w1 x a).W - (w2 x a).W = (W x a).W = 0. */
static void crossAxisRows(const Motion *m, int crossing)
{
    double free[3];
    across(m, angular(m, crossing, 0), free);
    for (int i = crossing + 1; i < m->rows->count; i++)
        if (ksiDot(linear(m, i, 0), linear(m, i, 0)) == 0)
            set(m, i, -turning(m->w1, angular(m, i, 0), free));
}

/* A row a.u + (c x a / 2).(w1 + w2), whose axis a turns with body 1. With c' = -u and w = (w1 +
 * w2)/2: (dJ/dt) v = a'.(u + w x c) + u.(w x a). Without a second body, the row is a.v1. */
static void halfwayRow(const Motion *m, int row, const double a[3])
{
    double rate[3], swept[3], u[3], mean[3];
    if (row >= m->rows->count)
        return;
    ksiCross(rate, m->w1, a);
    if (!m->two) {
        set(m, row, -ksiDot(rate, m->v1));
        return;
    }
    relativeVelocity(m, u);
    meanSpin(m, mean);
    ksiCross(swept, mean, m->at->between);
    ksiAddScaled(swept, 1, u);
    set(m, row, -ksiDot(rate, swept) - turning(mean, a, u));
}

static void sliderRows(const Motion *m)
{
    for (int i = 0; i < 3; i++)
        set(m, i, 0);
    for (int i = 3; i < m->rows->count; i++)
        if (!m->two)
            set(m, i, 0);
    if (!m->two)
        return;
    // u = s a - w x c: beta = 2 s n.(w x a) - n.(w x (w x c)) across the axis, and only the last
    // term along it
    double a[3], relative[3], inward[3], u[3], mean[3];
    relativeVelocity(m, u);
    meanSpin(m, mean);
    ksiCross(a, linear(m, 3, 0), linear(m, 4, 0));
    ksiCross(relative, mean, m->at->between);
    ksiAddScaled(relative, 1, u);
    const double s = ksiDot(relative, a);
    centripetal(inward, mean, m->at->between);
    for (int i = 3; i < m->rows->count; i++) {
        const double *n = linear(m, i, 0);
        set(m, i, 2 * s * turning(mean, a, n) - ksiDot(inward, n));
    }
}

/* Rows n.(v1 + w1 x d - v2 - w2 x r2), with d from body 1 to the anchor of body 2, and n across the
 * sliding direction. V is the relative velocity along this direction:
 *
 *     (dJ/dt) v  =  (w1 x n).V + n.(w1 x (w1 x d - V) - w2 x (w2 x r2)). */
static void slidingRows(const Motion *m, int row)
{
    double d[3], r2[3] = {0, 0, 0}, V[3], axis[3], difference[3];
    ksiLeverOfRows(d, linear(m, row, 0), linear(m, row + 1, 0));
    if (m->two)
        ksiLeverOfRows(r2, linear(m, row, 1), linear(m, row + 1, 1));
    ksiCross(axis, linear(m, row, 0), linear(m, row + 1, 0));
    ksiNormalize(axis);
    velocityApart(m, V, d, r2);
    const double s = ksiDot(V, axis);
    centripetalApart(m, difference, d, r2);
    for (int i = row; i < row + 2; i++) {
        const double *n = linear(m, i, 0);
        set(m, i, 2 * s * turning(m->w1, axis, n) - ksiDot(difference, n));
    }
}

/* Piston, and PR with perpendicular axes: two rows of a hinge, two rows of a slider, then the rows
 * of stops and motors. */
static void slidingHingeRows(const Motion *m)
{
    int hinge = 0;
    for (int i = 4; i < m->rows->count; i++) {
        if (m->rows->axis[i] == 0)
            halfwayRow(m, i, linear(m, i, 0));
        else
            hinge = i;
    }
    axisRows(m, 0, hinge);
    slidingRows(m, 2);
}

/* Row 0: q.(velocity of A1 - velocity of A2), where q is the unit vector from A2 to A1, and D the
 * distance between A2 and A1. beta = -|V across q|^2 / D - q.(centripetal difference) */
static void distanceRow(const Motion *m)
{
    const double *r1 = m->at->lever[0], *r2 = m->at->lever[1], *q = linear(m, 0, 0);
    double V[3], difference[3];
    velocityApart(m, V, r1, r2);
    ksiAddScaled(V, -ksiDot(V, q), q);
    centripetalApart(m, difference, r1, r2);
    set(m, 0, -ksiDot(V, V) / m->at->distance - ksiDot(difference, q));
}

/* Rows of an anchor in three directions that turn with body 1. n0 is the direction a of the
 * suspension, along which the gap may open. */
static void suspensionRows(const Motion *m)
{
    const double *r1 = m->at->lever[0], *r2 = m->at->lever[1], *a = linear(m, 0, 0);
    double V[3], difference[3];
    velocityApart(m, V, r1, r2);
    const double s = ksiDot(V, a);
    centripetalApart(m, difference, r1, r2);
    for (int i = 0; i < 3; i++) {
        const double *n = linear(m, i, 0);
        set(m, i, -s * turning(m->w1, n, a) - ksiDot(difference, n));
    }
}

/* Rows 1 and 2 are across the sliding axis; the last row is its stop or motor. Each body uses its
 * own anchor. The axis turns with body 1, but is fixed in a joint attached (0, b). */
static void prismaticRows(const Motion *m)
{
    double r1[3], r2[3] = {0, 0, 0}, a[3], V[3], difference[3];
    ksiCross(a, linear(m, 1, 0), linear(m, 2, 0));
    ksiLeverOfRows(r1, linear(m, 1, 0), linear(m, 2, 0));
    if (m->two)
        ksiLeverOfRows(r2, linear(m, 1, 1), linear(m, 2, 1));
    velocityApart(m, V, r1, r2);
    const double s = m->at->reversed ? 0 : ksiDot(V, a);
    centripetalApart(m, difference, r1, r2);
    for (int i = 1; i < m->rows->count; i++) {
        const double *n = linear(m, i, 0);
        if (ksiDot(n, n) > 0)
            set(m, i, -s * turning(m->w1, n, a) - ksiDot(difference, n));
    }
}

/* Rows a.W. The axis `a` is fixed in the world or turns with a body. Either body gives the same
 * result: (w1 x a).W = (w2 x a).W. */
static void motorRows(const Motion *m)
{
    for (int i = 0; i < m->rows->count; i++)
        set(m, i, m->at->carried >> i & 1u ? -turning(m->w1, angular(m, i, 0), m->W) : 0);
}

static void rowsOfTwoAxes(const Motion *m, int crossing)
{
    crossRow(m, crossing);
    crossAxisRows(m, crossing);
}

static void dispatch(const Motion *m)
{
    switch (m->rows->type) {
    case dJointTypeBall:
        anchorRows(m);
        break;
    case dJointTypeHinge:
        anchorRows(m);
        axisRows(m, 3, 5);
        break;
    case dJointTypeFixed:
        anchorRows(m);
        for (int i = 3; i < 6; i++)
            set(m, i, 0);  // world axes
        break;
    case dJointTypeUniversal:
        anchorRows(m);
        rowsOfTwoAxes(m, 3);
        break;
    case dJointTypeSlider:
        sliderRows(m);
        break;
    case dJointTypePR:
    case dJointTypePiston:
        slidingHingeRows(m);
        break;
    case dJointTypePU:
        prismaticRows(m);
        rowsOfTwoAxes(m, 0);
        break;
    case dJointTypeHinge2:
        suspensionRows(m);
        rowsOfTwoAxes(m, 3);
        break;
    case dJointTypeDHinge:
        axisRows(m, 1, 0);
        halfwayRow(m, 3, linear(m, 3, 0));
        // fall through
    case dJointTypeDBall:
        if (m->at->known & 1u)
            distanceRow(m);
        break;
    case dJointTypeAMotor:
        motorRows(m);
        break;
    default:
        break;
    }
}

void ksiRowAcceleration(const ksiRows *rows, const ksiGeometry *at, const double first[6], const double *second,
                        double beta[KSI_MAX_ROWS])
{
    const double *v2 = second ? second : zero;
    Motion m = {.at = at,
                .rows = rows,
                .two = second != NULL,
                .v1 = first,
                .w1 = first + 3,
                .v2 = v2,
                .w2 = v2 + 3,
                .beta = beta};
    memset(beta, 0, KSI_MAX_ROWS * sizeof *beta);
    if (!at->known)
        return;
    ksiSubtract(m.W, m.w1, m.w2);
    dispatch(&m);
}

/* --- Geometry of the joint itself --- */

static void readAxes(dJointID joint, ksiVectorGetter *first, ksiVectorGetter *second, ksiGeometry *out)
{
    ksiGetVector(first, joint, out->axis[out->reversed]);
    ksiGetVector(second, joint, out->axis[!out->reversed]);
}

static void readLeversOfBlock(const ksiRows *rows, ksiGeometry *out)
{
    for (int side = 0; side < 2; side++)
        ksiLeverOfBlock(out->lever[side], rows, side);
}

/* Reads the levers of two anchors that the rows do not hold together. */
static void readLevers(dJointID joint, const ksiBody *first, const ksiBody *second, const ksiRows *rows,
                       ksiGeometry *out)
{
    double axes[9], anchor[2][3], apart[3];
    ksiJointFrame(joint, first, second, rows, axes, anchor);
    ksiSubtract(out->lever[0], anchor[0], first->centre);
    ksiSubtract(out->lever[1], anchor[1], second ? second->centre : first->centre);
    ksiSubtract(apart, anchor[0], anchor[1]);
    out->distance = sqrt(ksiDot(apart, apart));
}

static void readMotor(dJointID motor, const ksiRows *rows, ksiGeometry *out)
{
    out->carried = 0;
    for (int i = 0; i < rows->count; i++)
        out->carried |= rows->axis[i] >= 0 && dJointGetAMotorAxisRel(motor, rows->axis[i]) ? 1u << i : 0;
}

/* Finds the rows with a closed form. The rows of a PR or piston joint with the engine's false error
 * do not describe a sliding hinge. If the two anchors of a double joint meet, the engine itself
 * chooses the direction of row 0. */
static unsigned findKnown(dJointID joint, bool two, const ksiRows *rows, const ksiGeometry *at)
{
    const unsigned all = (1u << rows->count) - 1;
    switch (rows->type) {
    case dJointTypeBall:
    case dJointTypeHinge:
    case dJointTypeFixed:
    case dJointTypeSlider:
    case dJointTypeUniversal:
    case dJointTypePU:
    case dJointTypeHinge2:
        return all;
    case dJointTypePR:
        if (fabs(ksiDot(rows->row[0].jacobian[0] + 3, rows->row[2].jacobian[0])) > perpendicular(rows))
            return 0;
        // fall through
    case dJointTypePiston:
        return ksiHasFalseError(rows) ? 0 : all;
    case dJointTypePlane2D:
        return two ? 0 : all;
    case dJointTypeAMotor:
        return dJointGetAMotorMode(joint) == dAMotorUser ? all : 0;
    case dJointTypeDBall:
    case dJointTypeDHinge:
        return at->distance < shortest(rows) ? all & ~1u : all;
    default:
        return 0;
    }
}

void ksiReadGeometry(dJointID joint, const ksiBody *first, const ksiBody *second, const ksiRows *rows, ksiGeometry *out)
{
    dBodyID body[2];
    ksiJointBodies(joint, body, &out->reversed);
    for (int i = 0; i < 3; i++)
        out->between[i] = second ? second->centre[i] - first->centre[i] : 0;
    switch (rows->type) {
    case dJointTypeBall:
    case dJointTypeHinge:
    case dJointTypeFixed:
        readLeversOfBlock(rows, out);
        break;
    case dJointTypeUniversal:
        readLeversOfBlock(rows, out);
        readAxes(joint, dJointGetUniversalAxis1, dJointGetUniversalAxis2, out);
        break;
    case dJointTypePU:
        readAxes(joint, dJointGetPUAxis1, dJointGetPUAxis2, out);
        break;
    case dJointTypeHinge2:
        readAxes(joint, dJointGetHinge2Axis1, dJointGetHinge2Axis2, out);
        readLevers(joint, first, second, rows, out);
        break;
    case dJointTypeDBall:
    case dJointTypeDHinge:
        readLevers(joint, first, second, rows, out);
        break;
    case dJointTypeAMotor:
        readMotor(joint, rows, out);
        break;
    default:
        break;
    }
    out->known = findKnown(joint, second != NULL, rows, out);
}
