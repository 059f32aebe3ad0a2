/* block.c  Converts lines of a trace to the loads of a joint, several steps at a time. */
#include "block.h"

#include "../base/vectorise.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef ksiRegister R;

/* Rounding error of a load for sizing: as a share of the force and, for the torque, as a share of
 * the torque plus the force times its lever. The conversion takes about a dozen sums and products.
 * Forces on an oblique shaft are wrong by about a hundred units in the last place; this share is
 * ten times as much. */
static const double roundings = 1000 * DBL_EPSILON;

/* AT: KSI_LANES steps of a column, from step i on. SIZE: absolute values. */
#define AT(column, i) (*(const R *)((column) + (i)))
#define SIZE(x) ((R)((ksiRegisterBits)(x) & ~(ksiRegisterBits){0} >> 1))

/* Expresses v, given in world axes, in the axes whose orientation is q. */
KSI_INLINE void turnBack(const R q[4], const R v[3], R out[3])
{
    const R x = -q[1], y = -q[2], z = -q[3];
    const R a = 2 * (y * v[2] - z * v[1]), b = 2 * (z * v[0] - x * v[2]), c = 2 * (x * v[1] - y * v[0]);
    out[0] = v[0] + q[0] * a + y * c - z * b;
    out[1] = v[1] + q[0] * b + z * a - x * c;
    out[2] = v[2] + q[0] * c + x * b - y * a;
}

KSI_CLONES static void moveLoads(const ksiWaiting *waiting, int count, bool isInJoint, ksiLoadSteps *out)
{
    for (int i = 0; i < count; i += KSI_LANES) {
        R force[3], torque[3], axes[4], shifted[3], arm[3], reach = {0}, pushed = {0}, turned = {0};
        for (int k = 0; k < 3; k++) {
            const R centre = AT(waiting->column[KSI_COLUMN_CENTRE + k], i),
                    anchor = AT(waiting->column[KSI_COLUMN_ANCHOR + k], i);
            force[k] = AT(waiting->column[KSI_COLUMN_FORCE + k], i);
            torque[k] = AT(waiting->column[KSI_COLUMN_TORQUE + k], i);
            arm[k] = centre - anchor;
            reach += SIZE(centre) + SIZE(anchor) + SIZE(arm[k]);
            pushed += SIZE(force[k]);
            turned += SIZE(torque[k]);
        }
        for (int k = 0; k < 4; k++)
            axes[k] = AT(waiting->column[KSI_COLUMN_AXES + k], i);
        for (int k = 0; k < 3; k++)
            shifted[k] = torque[k] + (arm[(k + 1) % 3] * force[(k + 2) % 3] - arm[(k + 2) % 3] * force[(k + 1) % 3]);
        if (!isInJoint) {
            turnBack(axes, force, force);
            turnBack(axes, shifted, shifted);
        }
        for (int k = 0; k < 3; k++) {
            *(R *)(out->load[k] + i) = force[k];
            *(R *)(out->load[3 + k] + i) = shifted[k];
        }
        const R rounding[2] = {roundings * pushed, roundings * (turned + reach * pushed)};
        for (int k = 0; k < 2; k++) {
            *(R *)(out->rounding[k] + i) = rounding[k];
            *(R *)(out->bar[k] + i) = AT(waiting->column[KSI_COLUMN_BARS + k], i) + rounding[k];
        }
    }
}

/* The orientation of the first body in the axes of the second one. */
KSI_INLINE void poseOf(const ksiWaiting *waiting, int i, R pose[4])
{
    R a[4], b[4];
    for (int k = 0; k < 4; k++) {
        a[k] = AT(waiting->column[KSI_COLUMN_ORIENTATION + 4 + k], i);
        b[k] = AT(waiting->column[KSI_COLUMN_ORIENTATION + k], i);
    }
    pose[0] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    pose[1] = a[0] * b[1] - a[1] * b[0] - (a[2] * b[3] - a[3] * b[2]);
    pose[2] = a[0] * b[2] - a[2] * b[0] - (a[3] * b[1] - a[1] * b[3]);
    pose[3] = a[0] * b[3] - a[3] * b[0] - (a[1] * b[2] - a[2] * b[1]);
}

/* The joint's x axis, in the axes of the second body. */
KSI_INLINE void axisOf(const ksiWaiting *waiting, int i, R axis[3])
{
    R j[4], back[4];
    for (int k = 0; k < 4; k++) {
        j[k] = AT(waiting->column[KSI_COLUMN_AXES + k], i);
        back[k] = AT(waiting->column[KSI_COLUMN_ORIENTATION + 4 + k], i);
    }
    const R x[3] = {1 - 2 * (j[2] * j[2] + j[3] * j[3]), 2 * (j[1] * j[2] + j[0] * j[3]),
                    2 * (j[1] * j[3] - j[0] * j[2])};
    turnBack(back, x, axis);
}

/* Assumes that from each step to the next, the first body turns about the joint's x axis, relative
 * to the second body, by less than half a turn. Sets sine and cosine of half this angle, neither
 * negative. */
KSI_CLONES static void halfTurns(const ksiWaiting *waiting, int count, double *sine, double *cosine)
{
    ksiColumnOf pose[4];
    for (int i = 0; i <= count; i += KSI_LANES) {
        R of[4];
        poseOf(waiting, i, of);
        for (int k = 0; k < 4; k++)
            *(R *)(pose[k] + i) = of[k];
    }
    for (int i = 0; i < count; i += KSI_LANES) {
        R b[4], a[4], axis[3];
        axisOf(waiting, i + 1, axis);
        for (int k = 0; k < 4; k++) {
            b[k] = AT(pose[k], i);
            a[k] = AT(pose[k], i + 1);
        }
        const R x = a[1] * b[0] - a[0] * b[1] - (a[2] * b[3] - a[3] * b[2]);
        const R y = a[2] * b[0] - a[0] * b[2] - (a[3] * b[1] - a[1] * b[3]);
        const R z = a[3] * b[0] - a[0] * b[3] - (a[1] * b[2] - a[2] * b[1]);
        *(R *)(sine + i) = SIZE(x * axis[0] + y * axis[1] + z * axis[2]);
        *(R *)(cosine + i) = SIZE(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
    }
}

/* Uses the series of the arc tangent if all angles are small. */
KSI_CLONES static void anglesOf(const double *sine, const double *cosine, int count, double *angle)
{
    static const double small = 1.0 / 8;  // the next term of the series is below rounding
    static const double term[] = {1.0 / 17, -1.0 / 15, 1.0 / 13, -1.0 / 11, 1.0 / 9, -1.0 / 7, 1.0 / 5, -1.0 / 3, 1};
    bool areSmall = true;
    for (int i = 0; i < count; i++)
        areSmall &= !(sine[i] > small * cosine[i]);
    for (int i = 0; i < count && !areSmall; i++)
        angle[i] = 2 * atan2(sine[i], cosine[i]);
    for (int i = 0; i < count && areSmall; i += KSI_LANES) {
        const R t = AT(sine, i) / AT(cosine, i), square = t * t;
        R sum = term[0] + (R){0};
        for (size_t k = 1; k < sizeof term / sizeof *term; k++)
            sum = sum * square + term[k];
        *(R *)(angle + i) = 2 * t * sum;
    }
}

static void copyStep(ksiLoadSteps *steps, int from, int to)
{
    steps->at[to] = steps->at[from];
    steps->duration[to] = steps->duration[from];
    for (int k = 0; k < KSI_SIZED_COMPONENTS; k++)
        steps->load[k][to] = steps->load[k][from];
    for (int k = 0; k < 2; k++) {
        steps->bar[k][to] = steps->bar[k][from];
        steps->rounding[k][to] = steps->rounding[k][from];
    }
    steps->turned[to] = steps->turned[from];
}

static bool isKnown(const ksiLoadSteps *steps, int i)
{
    double sum = 0;
    for (int k = 0; k < KSI_SIZED_COMPONENTS; k++)
        sum += steps->load[k][i];
    return isfinite(sum);
}

double ksiWaitingMove(const ksiWaiting *waiting, int count, bool isInJoint, bool isTurning, ksiLoadSteps *out)
{
    ksiColumnOf sine, cosine;
    double lasted = 0;
    moveLoads(waiting, count, isInJoint, out);
    if (isTurning) {
        halfTurns(waiting, count, sine, cosine);
        anglesOf(sine, cosine, count, out->turned);
    }
    if (count == waiting->count || !isTurning)
        out->turned[count - 1] = NAN;
    memcpy(out->at, waiting->at, (size_t)count * sizeof *out->at);
    memcpy(out->duration, waiting->column[KSI_COLUMN_LASTS], (size_t)count * sizeof *out->duration);
    out->count = 0;
    for (int i = 0; i < count; i++) {
        lasted += out->duration[i];
        if (!isKnown(out, i))
            continue;
        if (out->count < i)
            copyStep(out, i, out->count);
        out->count++;
    }
    for (int i = out->count; out->count > 0 && i % KSI_LANES; i++) {
        copyStep(out, out->count - 1, i);
        out->duration[i] = out->turned[i] = 0;
    }
    return lasted;
}

void ksiWaitingBegin(ksiWaiting *waiting, const ksiWaiting *full)
{
    const int last = full->count - 1;
    for (int k = 0; k < KSI_COLUMNS; k++)
        waiting->column[k][0] = full->column[k][last];
    waiting->at[0] = full->at[last];
    waiting->count = 1;
}
