/* measure.c  Quantities that a report derives from a reaction. */
#include "measure.h"

#include <math.h>

const double ksiRoundedLever = 1e-10;

void ksiQuaternion(const double rotation[9], double q[4])
{
    // 4 q q^T: each row is a multiple of q. The row of the largest diagonal element has the least
    // rounding
    const double *r = rotation, xx = r[0], yy = r[4], zz = r[8];
    const double square[4] = {1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz};
    const double product[4][4] = {{square[0], r[7] - r[5], r[2] - r[6], r[3] - r[1]},
                                  {r[7] - r[5], square[1], r[1] + r[3], r[2] + r[6]},
                                  {r[2] - r[6], r[1] + r[3], square[2], r[5] + r[7]},
                                  {r[3] - r[1], r[2] + r[6], r[5] + r[7], square[3]}};
    int most = 0;
    for (int i = 1; i < 4; i++)
        most = square[i] > square[most] ? i : most;
    const double size = 2 * sqrt(square[most]), sign = product[most][0] < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++)
        q[i] = sign * product[most][i] / size;
}

/* torque about p of a wrench about the mass centre c: t + (c - p) x f */
static void moveTo(const double arm[3], const double f[3], const double t[3], double out[3])
{
    out[0] = t[0] + arm[1] * f[2] - arm[2] * f[1];
    out[1] = t[1] + arm[2] * f[0] - arm[0] * f[2];
    out[2] = t[2] + arm[0] * f[1] - arm[1] * f[0];
}

/* From the anchor to the mass centre of body[0]. */
static bool armOf(const ksReaction *reaction, double arm[3])
{
    const double *p = reaction->anchor[0];
    const bool isAtAnchor = isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
    for (int i = 0; i < 3; i++)
        arm[i] = isAtAnchor ? reaction->centre[0][i] - p[i] : 0;
    return isAtAnchor;
}

bool ksiMeasureWrench(const ksReaction *reaction, ksValue value, double out[6])
{
    const ksWrench *wrench = value == KS_ENGINE      ? &reaction->engine[0]
                             : value == KS_CONVERGED ? &reaction->converged[0]
                             : value == KS_OBSERVED  ? &reaction->observed[0]
                             : value == KS_SHARED    ? &reaction->shared[0]
                                                     : &reaction->physical[0];
    double arm[3];
    const bool isAtAnchor = armOf(reaction, arm);
    for (int i = 0; i < 3; i++)
        out[i] = wrench->force[i];
    moveTo(arm, wrench->force, wrench->torque, out + 3);
    return isAtAnchor;
}

void ksiMeasureBars(const ksReaction *reaction, ksValue value, double *force, double *torque)
{
    double arm[3], turned[3];
    *force = *torque = value == KS_ENGINE || reaction->rowCount == 0 ? NAN : 0;
    armOf(reaction, arm);
    for (int i = 0; i < reaction->rowCount; i++) {
        const ksRow *row = &reaction->row[i];
        const double bar = value == KS_CONVERGED ? row->errorBar
                           : value == KS_SHARED  ? row->sharedBar
                                                 : row->physicalBar;
        moveTo(arm, row->jacobian[0], row->jacobian[0] + 3, turned);
        *force += bar * ksiLength(row->jacobian[0]);
        *torque += bar * ksiLength(turned);
    }
}

unsigned ksiMeasureUndetermined(const ksReaction *reaction)
{
    static const double rounding = 1e-6;
    unsigned bits = 0;
    double arm[3], torque[3];
    armOf(reaction, arm);
    for (int k = 0; k < reaction->freeCount; k++) {
        const ksWrench *way = &reaction->freeDirection[k];
        moveTo(arm, way->force, way->torque, torque);
        const double f = ksiLength(way->force), t = ksiLength(torque), lever = ksiLength(arm);
        for (int i = 0; i < 3; i++) {
            const double *axis = reaction->axes + 3 * i;
            double along[2] = {0, 0};
            for (int j = 0; j < 3; j++) {
                along[0] += axis[j] * way->force[j];
                along[1] += axis[j] * torque[j];
            }
            bits |= fabs(along[0]) > rounding * (f + t) ? 1u << i : 0;
            bits |= fabs(along[1]) > rounding * (t + f * (lever + rounding)) ? 8u << i : 0;
        }
    }
    return bits;
}

double ksiBodyMobility(const double jacobian[6], double mass, const double inverse[9])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += jacobian[i] * jacobian[i] / mass;
        for (int j = 0; j < 3; j++)
            sum += jacobian[3 + i] * inverse[3 * i + j] * jacobian[3 + j];
    }
    return sum;
}

void ksiMeasureCompliance(const ksInspector *inspector, const ksReaction *reaction, double stepSize, double worldCfm,
                          ksiCompliance *out)
{
    double mass[2], inverse[2][9];
    *out = (ksiCompliance){0, 0, 0};
    for (int side = 0; side < 2; side++) {
        if (reaction->body[side] && !ksInspectorGetMass(inspector, reaction->body[side], &mass[side], inverse[side]))
            return;
    }
    for (int i = 0; i < reaction->rowCount; i++) {
        const ksRow *row = &reaction->row[i];
        double own = 0;
        for (int side = 0; side < 2; side++)
            own += reaction->body[side] ? ksiBodyMobility(row->jacobian[side], mass[side], inverse[side]) : 0;
        const double yielding = row->cfm / stepSize, share = yielding / (own + yielding);
        if (share > out->share)
            *out = (ksiCompliance){share, row->cfm, out->softened};
        if (share > out->softened && row->cfm == worldCfm)
            out->softened = share;
    }
}

double ksiMeasureMassRatio(const ksInspector *inspector, const ksReaction *reaction)
{
    double a, b;
    if (!ksInspectorGetMass(inspector, reaction->body[0], &a, NULL) ||
        !ksInspectorGetMass(inspector, reaction->body[1], &b, NULL) || isinf(a) || isinf(b))
        return 0;
    return a > b ? a / b : b / a;
}
