/* coordinates_lagrange.c  Computes Lagrange's function, the residual of his equations, Hamilton's
 * velocities, and cyclic coordinates. */
#include "coordinates_private.h"

#include "../../base/fpguard.h"
#include "../../linear/cholesky.h"

#include <float.h>
#include <math.h>
#include <string.h>

static ksStatus getLagrangian(ksCoordinates *c, ksLagrangian *out)
{
    const ksiCoordinatesState *s;
    KSI_TRY(ksiRequireState(c, &s));
    KSI_REQUIRE_POINTER(out);
    const size_t n = (size_t)c->coordinates;
    ksiCopy(n * n, s->mass, out->mass);
    ksiCopy(n, s->linear, out->linear);
    ksiCopy(n, s->momentum, out->momentum);
    ksiCopy(n, s->gradient, out->gradient);
    ksiCopy(n, s->velocityTerms, out->velocityTerms);
    ksiCopy(n, s->force, out->force);
    ksiCopy(n, s->applied, out->applied);
    ksiCopy(n, s->bar, out->bar);
    out->gamma = s->gamma;
    out->kinetic = s->kinetic;
    out->potential = s->potential;
    out->kineticPotential = s->kinetic - s->potential;
    out->hamiltonian = s->relative - s->gamma + s->potential;
    return KS_OK;
}

ksStatus ksCoordinatesGetLagrangian(ksCoordinates *coordinates, ksLagrangian *out)
{
    KSI_RETURN_GUARDED(getLagrangian(coordinates, out));
}

/* x := A^-1 x. A pivot as small as the rounding of A_ii shows dependent coordinates. */
static ksStatus solveMass(ksCoordinates *c, const ksiCoordinatesState *s, double *factor, double *x)
{
    const size_t n = (size_t)c->coordinates;
    memcpy(factor, s->mass, n * n * sizeof *factor);
    int isPositive = ksiFactorPositive(c->coordinates, factor);
    for (size_t i = 0; i < n && isPositive; i++) {
        const double pivot = factor[i * n + i];
        isPositive = pivot * pivot > 16 * (double)n * DBL_EPSILON * s->mass[i * n + i];
    }
    if (!isPositive)
        return KSI_EXPLAIN(KS_ERROR_NOT_POSITIVE_DEFINITE,
                           "A has no Cholesky factor: a coordinate moves nothing here, or "
                           "no more than others do");
    ksiSolveTriangles(c->coordinates, factor, x);
    if (!ksiAllFinite(n, x))
        return KS_ERROR_NOT_FINITE;
    return KS_OK;
}

/* rho_i = d/dt (y_i^T W y') - y_i'^T W y' - Q_i, where the first term comes from (A q' + b), with
 * y' and y'' as sums over the coordinates; and its distance from d'Alembert's y_i^T W y'' - Q_i,
 * with y' and y'' along the motion. */
static void findRemainder(const ksCoordinates *c, const ksiCoordinatesState *s, const double *acceleration,
                          ksRemainder *out, double *work)
{
    const size_t n = (size_t)c->coordinates, k = (size_t)c->numbers;
    double *velocity = work, *bend = velocity + k, *speed = bend + k, *size = speed + k, *straight = size + k;
    memset(work, 0, 4 * k * sizeof *work);
    memcpy(straight, s->convective, k * sizeof *straight);
    for (size_t j = 0; j <= n; j++)
        for (size_t i = 0; i < k; i++) {
            const double along = s->tangent[j * k + i], ofBend = s->rate[j] * s->tangentRate[j * k + i];
            const double pushed = j < n ? acceleration[j] * along : 0;
            velocity[i] += s->rate[j] * along;
            speed[i] += fabs(s->rate[j] * along);
            bend[i] += ofBend + pushed;
            size[i] += fabs(ofBend) + fabs(pushed);
            straight[i] += pushed;
        }
    ksiWeigh(c, velocity, velocity);
    ksiWeigh(c, bend, bend);
    ksiWeigh(c, straight, straight);
    ksiWeighSizes(c, speed, speed);
    ksiWeighSizes(c, size, size);
    for (size_t i = 0; i < n; i++) {
        const double *tangent = s->tangent + i * k, *rate = s->tangentRate + i * k;
        out->momentumRate[i] = ksiDot(k, rate, velocity) + ksiDot(k, tangent, bend);
        out->gradient[i] = s->gradient[i];
        out->force[i] = s->force[i];
        out->remainder[i] = out->momentumRate[i] - out->gradient[i] - out->force[i];
        const double other = ksiDot(k, tangent, straight) - s->force[i];
        const double terms = 2 * ksiDotSizes(k, tangent, size) + 2 * ksiDotSizes(k, rate, speed) +
                             ksiDotSizes(k, tangent, s->load) + fabs(s->generalised[i]) + fabs(s->slope[i]);
        out->bar[i] = fabs(out->remainder[i] - other) + (double)(n + k + 8) * DBL_EPSILON * terms;
    }
}

static ksStatus getRemainder(ksCoordinates *c, const double *acceleration, ksRemainder *out)
{
    const ksiCoordinatesState *s;
    KSI_TRY(ksiRequireState(c, &s));
    KSI_REQUIRE_POINTER(acceleration);
    KSI_REQUIRE_POINTER(out);
    const size_t n = (size_t)c->coordinates, k = (size_t)c->numbers;
    if (!ksiAllFinite(n, acceleration))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "acceleration has a NaN or an infinity");
    KSI_TRY(ksiDoublesReserve(&c->allocator, &c->scratch, 5 * k + 6 * n + n * n));
    double *at = c->scratch + 5 * k;
    ksRemainder found = {at, at + n, at + 2 * n, at + 3 * n, at + 4 * n, at + 5 * n, NAN, {0}};
    findRemainder(c, s, acceleration, &found, c->scratch);
    if (!ksiAllFinite(5 * n, at))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "the remainder overflows");
    if (out->departure) {
        memcpy(found.departure, found.remainder, n * sizeof *at);
        KSI_TRY(solveMass(c, s, at + 6 * n, found.departure));
        found.unexplained = 0.5 * ksiDot(n, found.remainder, found.departure);
    }
    ksiCopy(n, found.momentumRate, out->momentumRate);
    ksiCopy(n, found.gradient, out->gradient);
    ksiCopy(n, found.force, out->force);
    ksiCopy(n, found.remainder, out->remainder);
    ksiCopy(n, found.bar, out->bar);
    ksiCopy(n, found.departure, out->departure);
    out->unexplained = found.unexplained;
    return KS_OK;
}

ksStatus ksCoordinatesGetRemainder(ksCoordinates *coordinates, const double *acceleration, ksRemainder *out)
{
    KSI_RETURN_GUARDED(getRemainder(coordinates, acceleration, out));
}

static ksStatus getVelocity(ksCoordinates *c, const double *q, const double *momentum, double time, double *rate)
{
    KSI_TRY(ksiRequireIdle(c));
    KSI_REQUIRE_POINTER(q);
    KSI_REQUIRE_POINTER(momentum);
    KSI_REQUIRE_POINTER(rate);
    const size_t n = (size_t)c->coordinates;
    if (!ksiAllFinite(n, q) || !ksiAllFinite(n, momentum) || !isfinite(time))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "q, momentum or time has a NaN or an infinity");
    KSI_TRY(ksiDoublesReserve(&c->allocator, &c->scratch, n + n * n));
    double *x = c->scratch;
    ksiCoordinatesState *at = &c->state[!c->current];
    memset(x, 0, n * sizeof *x);
    KSI_TRY(ksiFillKinematics(c, at, q, x, time));  // at rest
    for (size_t i = 0; i < n; i++)
        x[i] = momentum[i] - at->linear[i];
    KSI_TRY(solveMass(c, at, x + n, x));
    memcpy(rate, x, n * sizeof *rate);
    return KS_OK;
}

ksStatus ksCoordinatesGetVelocity(ksCoordinates *coordinates, const double *q, const double *momentum, double time,
                                  double *rate)
{
    KSI_RETURN_GUARDED(getVelocity(coordinates, q, momentum, time, rate));
}

/* dL/dq_i is a polynomial in the velocities. If it vanishes at quasi-random velocities, where a
 * nonzero polynomial hardly has a root, the coordinate counts as cyclic. This is likely, not
 * proven. */
static ksStatus getCyclic(ksCoordinates *c, int *cyclic)
{
    static const double vanishing = 1e-12; /* of its terms: four digits above their rounding */
    const ksiCoordinatesState *now;
    KSI_TRY(ksiRequireState(c, &now));
    KSI_REQUIRE_POINTER(cyclic);
    const size_t more = (size_t)c->directions, k = (size_t)c->numbers;
    KSI_TRY(ksiDoublesReserve(&c->allocator, &c->scratch, more + 2 * k));
    double *rate = c->scratch, *weighed = rate + more, *size = weighed + k, steepest = 0;
    for (int i = 0; i < c->coordinates; i++)
        rate[i] = (i % 2 ? 1 : -1) * (0.5 + fmod(0.6180339887498949 * (i + 1), 0.5));
    ksiCoordinatesState *s = &c->state[!c->current];
    KSI_TRY(ksiFillKinematics(c, s, now->q, rate, now->q[c->coordinates]));
    ksiWeigh(c, s->velocity, weighed);
    ksiWeighSizes(c, s->velocity, size);
    for (size_t i = 0; i < more; i++)
        steepest = fmax(steepest, fabs(now->slope[i]));
    for (size_t i = 0; i < more; i++) {
        const double *change = s->tangentRate + i * k;
        cyclic[i] = fabs(ksiDot(k, change, weighed)) <= vanishing * ksiDotSizes(k, change, size) &&
                    fabs(now->slope[i]) <= vanishing * steepest;
    }
    return KS_OK;
}

ksStatus ksCoordinatesGetCyclic(ksCoordinates *coordinates, int *cyclic)
{
    KSI_RETURN_GUARDED(getCyclic(coordinates, cyclic));
}
