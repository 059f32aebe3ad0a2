/* wrench.c  A reaction's wrench in a frame, about a point; the reaction may be a copy. */
#include <kinetostat/kinetostat.h>

#include <math.h>
#include <string.h>

static int known(const ksWrench *w)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += w->force[k] + w->torque[k];
    return isfinite(sum);
}

/* t' = t - (point - centre) x f */
static void moveTo(ksWrench *w, const double centre[3], const double point[3])
{
    double r[3], f[3];
    for (int k = 0; k < 3; k++)
        r[k] = point[k] - centre[k];
    memcpy(f, w->force, sizeof f);
    for (int k = 0; k < 3; k++) {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        w->torque[k] -= r[p] * f[q] - r[q] * f[p];
    }
}

/* rows of `axes` are the new axes in world coordinates */
static void turn(double v[3], const double axes[9])
{
    double u[3];
    memcpy(u, v, sizeof u);
    for (int i = 0; i < 3; i++)
        v[i] = axes[3 * i] * u[0] + axes[3 * i + 1] * u[1] + axes[3 * i + 2] * u[2];
}

/* What the joint does to the world: the opposite of what it does to its body, about the anchor. */
static ksStatus onWorld(const ksReaction *reaction, const ksWrench both[2], ksPoint point, ksWrench *w)
{
    if (point != KS_POINT_ANCHOR)
        return KS_ERROR_UNAVAILABLE;
    *w = both[0];
    moveTo(w, reaction->centre[0], reaction->anchor[0]);
    for (int k = 0; k < 3; k++) {
        w->force[k] = -w->force[k];
        w->torque[k] = -w->torque[k];
    }
    return KS_OK;
}

static void bodyAxes(const ksReaction *reaction, int body, double axes[9])
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            axes[3 * i + k] = reaction->rotation[body][3 * k + i];
    }
}

ksStatus ksReactionGetWrench(const ksReaction *reaction, ksValue value, int body, ksFrame frame, ksPoint point,
                             ksWrench *out)
{
    if (!reaction || !out || body < 0 || body > 1 || value > KS_PHYSICAL || frame > KS_FRAME_JOINT ||
        point > KS_POINT_ANCHOR)
        return KS_ERROR_BAD_ARGUMENT;
    if (point == KS_POINT_ANCHOR && !isfinite(reaction->anchor[0][0]))
        return KS_ERROR_NO_ANCHOR;
    const ksWrench *both = value == KS_ENGINE      ? reaction->engine
                           : value == KS_CONVERGED ? reaction->converged
                                                   : reaction->physical;
    if (!reaction->body[0] || !known(&both[0]))
        return KS_ERROR_UNAVAILABLE;

    ksWrench w = both[body];
    if (!reaction->body[body]) {
        ksStatus status = onWorld(reaction, both, point, &w);
        if (status)
            return status;
    } else if (point == KS_POINT_ANCHOR) {
        moveTo(&w, reaction->centre[body], reaction->anchor[body]);
    }
    double axes[9];
    if (frame == KS_FRAME_BODY && reaction->body[body])
        bodyAxes(reaction, body, axes);
    else if (frame == KS_FRAME_JOINT)
        memcpy(axes, reaction->axes, sizeof axes);
    else
        memcpy(axes, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof axes);
    turn(w.force, axes);
    turn(w.torque, axes);
    *out = w;
    return KS_OK;
}
