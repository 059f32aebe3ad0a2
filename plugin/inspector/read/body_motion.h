/* body_motion.h  A body's motion in a step: energy, norms, prediction; for phases 3 and 9. */
#ifndef KSI_INSPECTOR_READ_BODY_MOTION_H
#define KSI_INSPECTOR_READ_BODY_MOTION_H

#include "../../base/vectorise.h"
#include "../../engine/engine.h"

#include <math.h>
#include <string.h>

/* units of rounding in a velocity, from the factor h and from the stepper's own sums */
#define KSI_VELOCITY_UNITS 64

/* Stops a body as the engine stops an idle one: its gyroscopic torque vanishes, too. */
KSI_INLINE void ksiStopBody(ksiBody *begin)
{
    memset(begin->velocity, 0, sizeof begin->velocity);
    for (int k = 0; k < 3; k++) {
        begin->force[3 + k] -= begin->gyroscopic[k];
        begin->gyroscopic[k] = 0;
    }
}

/* T = v^T M v / 2 */
KSI_INLINE double ksiKinetic(const ksiBody *body, const double v[6])
{
    const double *i = body->inertia, x = v[3], y = v[4], z = v[5];
    const double angular = x * (i[0] * x + 2 * (i[1] * y + i[2] * z)) + y * (i[4] * y + 2 * i[5] * z) + z * (i[8] * z);
    return 0.5 * (body->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + angular);
}

/* |v| in the mass metric */
KSI_INLINE double ksiMassNorm(const ksiBody *body, const double v[6])
{
    const double twice = 2 * ksiKinetic(body, v);
    return twice > 0 ? sqrt(twice) : 0;
}

/* a = M^-1 f; returns the size of f */
KSI_INLINE double ksiAccelerate(const ksiBody *body, const double f[6], double a[6])
{
    const double *inverse = body->inverse, linear = body->root.massInverse * body->root.massInverse;
    double square = 0;
    for (int k = 0; k < 3; k++, inverse += 3) {
        a[k] = linear * f[k];
        a[3 + k] = inverse[0] * f[3] + inverse[1] * f[4] + inverse[2] * f[5];
        square += a[k] * f[k] + a[3 + k] * f[3 + k];
    }
    return sqrt(ksiLarger(0, square));
}

/* v* = v + h M^-1 (f + reported); returns the size of f */
KSI_INLINE double ksiPredict(const ksiBody *begin, double h, const double reported[6], double predicted[6])
{
    double byForce[6], byReaction[6];
    const double size = ksiAccelerate(begin, begin->force, byForce);
    ksiAccelerate(begin, reported, byReaction);
    for (int k = 0; k < 6; k++)
        predicted[k] = begin->velocity[k] + h * (byForce[k] + byReaction[k]);
    return size;
}

/* |a - b|/h */
KSI_INLINE double ksiApart(const ksiBody *body, double h, const double a[6], const double b[6])
{
    double difference[6];
    for (int k = 0; k < 6; k++)
        difference[k] = a[k] - b[k];
    return ksiMassNorm(body, difference) / h;
}

#endif
