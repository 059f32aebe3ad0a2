/* coordinates_state.c  Computes the state of a ksCoordinates: derivatives of the host's functions,
 * and the terms of Lagrange's equations. Symbols: see coordinates_private.h; `t` is the time, `X`
 * the applied forces on `y`, and `V` the potential.
 *
 *    A_ij = y_i^T W y_j,  b_i = y_i^T W y_t,  gamma = 1/2 y_t^T W y_t,  p_i = y_i^T W y',
 *    dL/dq_i = y_i'^T W y',  h_i = y_i^T W y''  with q'' = 0,   Q_i = y_i^T X - dV/dq_i
 */
#include "coordinates_private.h"

#include "../../base/fpguard.h"
#include "../../base/vectorise.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Tolerance for an orthonormal matrix. */
static const double orthonormal = 1e-9;

void ksiWeigh(const ksCoordinates *c, const double *y, double *weighed)
{
    for (int t = 0; t < c->numbers; t += 3) {
        const double triple[3] = {y[t], y[t + 1], y[t + 2]};
        for (int i = t; i < t + 3; i++)
            weighed[i] = ksiDot(3, c->weight + 3 * i, triple);
    }
}

void ksiWeighSizes(const ksCoordinates *c, const double *y, double *size)
{
    for (int t = 0; t < c->numbers; t += 3) {
        const double triple[3] = {y[t], y[t + 1], y[t + 2]};
        for (int i = t; i < t + 3; i++)
            size[i] = ksiDotSizes(3, c->weight + 3 * i, triple);
    }
}

double ksiDotSizes(size_t count, const double *x, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += fabs(x[i] * y[i]);
    return sum;
}

static double along(const ksCoordinates *c, const ksiCoordinatesState *s, int direction, int i)
{
    return direction == c->directions ? s->rate[i] : direction == i;
}

ksStatus ksiCallDual(ksCoordinates *c, const ksiCoordinatesState *s, const ksiDualCall *call, int first, int second)
{
    KSI_TRY(ksiReserve(&c->allocator, &c->result, &c->resultCapacity, call->count, sizeof *c->result));
    memset(c->result, 0, call->count * sizeof *c->result);
    for (int i = 0; i < c->directions; i++)
        c->seed[i] = (ksDual){s->q[i], along(c, s, first, i), along(c, s, second, i), 0};
    c->isCalling = 1;
    const ksStatus status = call->fn(c->seed, c->seed[c->coordinates], c->result, call->user);
    c->isCalling = 0;
    if (status)
        return KSI_EXPLAIN(status, "%s answers: %s", call->name, ksiWordsOf(status));
    for (size_t i = 0; i < call->count; i++) {
        const ksDual *d = &c->result[i];
        if (!isfinite(d->value) || !isfinite(d->first) || !isfinite(d->second) || !isfinite(d->mixed))
            return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "%s: value[%zu] or a derivative is a NaN or an infinity",
                               call->name, i);
    }
    return KS_OK;
}

/* Checks R R^T = 1 and its rate along the motion. c->result must be from a call along the
 * motion. */
static ksStatus checkRotation(const ksCoordinates *c, int body)
{
    const ksDual *r = c->result + 3 * c->particles + 12 * body + 3;
    double most = 1;
    for (int i = 0; i < 9; i++)
        most = fmax(most, fabs(r[i].first));
    for (int i = 0; i < 9; i++) {
        const ksDual *a = r + 3 * (i / 3), *b = r + 3 * (i % 3);
        ksDual dot = ksDualOf(i / 3 == i % 3 ? -1 : 0);
        for (int k = 0; k < 3; k++)
            dot = ksDualAdd(dot, ksDualMul(a[k], b[k]));
        KSI_REQUIRE(fabs(dot.value) <= orthonormal, "position: the rotation of body %d is not orthonormal", body);
        KSI_REQUIRE(fabs(dot.first) <= orthonormal * most,
                    "position: the rotation of body %d does not stay orthonormal", body);
    }
    return KS_OK;
}

ksStatus ksiFillKinematics(ksCoordinates *c, ksiCoordinatesState *s, const double *q, const double *rate, double time)
{
    const size_t n = (size_t)c->coordinates, k = (size_t)c->numbers;
    const ksiDualCall position = {c->position, c->user, "position", k};
    memcpy(s->q, q, n * sizeof *q);
    memcpy(s->rate, rate, n * sizeof *rate);
    s->q[n] = time;
    s->rate[n] = 1;
    for (int j = 0; j <= c->directions; j++) {
        KSI_TRY(ksiCallDual(c, s, &position, j, c->directions));
        for (size_t i = 0; i < k && j < c->directions; i++) {
            s->tangent[(size_t)j * k + i] = c->result[i].first;
            s->tangentRate[(size_t)j * k + i] = c->result[i].mixed;
        }
    }
    for (size_t i = 0; i < k; i++) {
        s->position[i] = c->result[i].value;
        s->velocity[i] = c->result[i].second;
        s->convective[i] = c->result[i].mixed;
    }
    for (int b = 0; b < c->bodies; b++)
        KSI_TRY(checkRotation(c, b));

    // A, b and gamma: all products of tangents
    double *weighed = s->load;  // not filled yet
    const double *ofTime = s->tangent + n * k;
    for (size_t j = 0; j <= n; j++) {
        const double *tangent = s->tangent + j * k;
        ksiWeigh(c, tangent, weighed);
        for (size_t i = 0; i < n && j < n; i++)
            if (i <= j)
                s->mass[i * n + j] = s->mass[j * n + i] = ksiDot(k, s->tangent + i * k, weighed);
        if (j < n)
            s->linear[j] = ksiDot(k, ofTime, weighed);
        else
            s->gamma = 0.5 * ksiDot(k, ofTime, weighed);
    }
    if (!ksiAllFinite(n * n, s->mass) || !ksiAllFinite(n, s->linear) || !isfinite(s->gamma))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "the kinetic energy overflows");
    return KS_OK;
}

static ksStatus fillPotential(ksCoordinates *c, ksiCoordinatesState *s)
{
    const ksiDualCall potential = {c->potential, c->user, "potential", 1};
    s->potential = 0;
    memset(s->slope, 0, (size_t)c->directions * sizeof *s->slope);
    for (int j = 0; j < c->directions && c->potential; j++) {
        KSI_TRY(ksiCallDual(c, s, &potential, j, c->directions));
        s->potential = c->result->value;
        s->slope[j] = c->result->first;
    }
    return KS_OK;
}

/* w from R' = [w] R. */
static void findAngularVelocity(const double r[9], const double rate[9], double w[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        w[i] = 0.5 * (ksiDot(3, rate + 3 * k, r + 3 * j) - ksiDot(3, rate + 3 * j, r + 3 * k));
    }
}

/* A torque t as a load on the rows of R: its power tr(G^T R') is t . w for G = 1/2 [t] R. */
static void spreadTorque(const double r[9], const double torque[3], double load[9])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int m = 0; m < 3; m++)
            load[3 * i + m] = 0.5 * (torque[j] * r[3 * k + m] - torque[k] * r[3 * j + m]);
    }
}

static ksStatus fillForces(ksCoordinates *c, ksiCoordinatesState *s)
{
    const size_t particles = 3 * (size_t)c->particles, count = particles + 6 * (size_t)c->bodies;
    const size_t n = (size_t)c->coordinates;
    memset(s->load, 0, (size_t)c->numbers * sizeof *s->load);
    memset(s->generalised, 0, n * sizeof *s->generalised);
    if (!c->force)
        return KS_OK;
    KSI_TRY(ksiDoublesReserve(&c->allocator, &c->scratch, count));
    double *force = c->scratch;
    memset(force, 0, count * sizeof *force);
    for (int b = 0; b < c->bodies; b++) {
        const size_t rotation = particles + 12 * (size_t)b + 3;
        findAngularVelocity(s->position + rotation, s->velocity + rotation, s->angularVelocity + 3 * b);
    }
    const ksConfiguration at = {s->q, s->rate, s->q[n], s->position, s->velocity, s->angularVelocity, {0}};
    c->isCalling = 1;
    const ksStatus status = c->force(&at, force, s->generalised, c->user);
    c->isCalling = 0;
    if (status)
        return KSI_EXPLAIN(status, "force answers: %s", ksiWordsOf(status));
    if (!ksiAllFinite(count, force) || !ksiAllFinite(n, s->generalised))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "force: a NaN or an infinity");
    memcpy(s->load, force, particles * sizeof *force);
    for (int b = 0; b < c->bodies; b++) {
        const double *wrench = force + particles + 6 * (size_t)b;
        const size_t body = particles + 12 * (size_t)b;
        memcpy(s->load + body, wrench, 3 * sizeof *wrench);
        spreadTorque(s->position + body + 3, wrench + 3, s->load + body + 3);
    }
    return KS_OK;
}

/* Sets the terms of the equations that take velocities and forces. The bar covers the rounding of
 * the sums, and the distance of y'' = Sum u_j y_j' from y'' along the motion. */
static ksStatus fillEquations(ksCoordinates *c, ksiCoordinatesState *s)
{
    const size_t n = (size_t)c->coordinates, k = (size_t)c->numbers;
    KSI_TRY(ksiDoublesReserve(&c->allocator, &c->scratch, 4 * k));
    double *momentum = c->scratch, *inertial = momentum + k, *size = inertial + k, *difference = size + k;
    const double *ofTime = s->tangent + n * k;
    memset(difference, 0, k * sizeof *difference);
    for (size_t j = 0; j <= n; j++)
        ksiAddMany((int)k, s->rate[j], s->tangentRate + j * k, difference);
    ksiAddMany((int)k, -1, s->convective, difference);
    ksiWeigh(c, difference, difference);
    ksiWeigh(c, s->velocity, momentum);
    ksiWeigh(c, s->convective, inertial);
    ksiWeighSizes(c, s->convective, size);
    for (size_t i = 0; i < n; i++) {
        const double *tangent = s->tangent + i * k;
        s->momentum[i] = ksiDot(k, tangent, momentum);
        s->gradient[i] = ksiDot(k, s->tangentRate + i * k, momentum);
        s->velocityTerms[i] = ksiDot(k, tangent, inertial);
        s->force[i] = ksiDot(k, tangent, s->load) + s->generalised[i] - s->slope[i];
        s->applied[i] = s->force[i] - s->velocityTerms[i];
        const double terms = ksiDotSizes(k, tangent, size) + ksiDotSizes(k, tangent, s->load) +
                             fabs(s->generalised[i]) + fabs(s->slope[i]);
        s->bar[i] = fabs(ksiDot(k, tangent, difference)) + (double)(k + 8) * DBL_EPSILON * terms;
    }
    s->kinetic = 0.5 * ksiDot(k, s->velocity, momentum);
    for (size_t i = 0; i < k; i++)
        difference[i] = s->velocity[i] - ofTime[i];
    ksiWeigh(c, difference, momentum);
    s->relative = 0.5 * ksiDot(k, difference, momentum);
    if (!ksiAllFinite(n, s->momentum) || !ksiAllFinite(n, s->gradient) || !ksiAllFinite(n, s->applied) ||
        !ksiAllFinite(n, s->bar) || !isfinite(s->kinetic) || !isfinite(s->relative))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "Lagrange's equations overflow");
    return KS_OK;
}

ksStatus ksiRequireIdle(const ksCoordinates *c)
{
    KSI_REQUIRE(c, "coordinates is NULL");
    return c->isCalling ? KSI_EXPLAIN(KS_ERROR_REENTRY, "called from one of its own functions") : KS_OK;
}

static ksStatus set(ksCoordinates *c, const double *q, const double *rate, double time)
{
    KSI_TRY(ksiRequireIdle(c));
    KSI_REQUIRE_POINTER(q);
    KSI_REQUIRE_POINTER(rate);
    const size_t n = (size_t)c->coordinates;
    if (!ksiAllFinite(n, q) || !ksiAllFinite(n, rate) || !isfinite(time))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "q, rate or time has a NaN or an infinity");
    ksiCoordinatesState *next = &c->state[!c->current];
    KSI_TRY(ksiFillKinematics(c, next, q, rate, time));
    KSI_TRY(fillPotential(c, next));
    KSI_TRY(fillForces(c, next));
    KSI_TRY(fillEquations(c, next));
    c->current = !c->current;
    c->isSet = 1;
    return KS_OK;
}

ksStatus ksCoordinatesSet(ksCoordinates *coordinates, const double *q, const double *rate, double time)
{
    KSI_RETURN_GUARDED(set(coordinates, q, rate, time));
}

ksStatus ksiRequireState(ksCoordinates *c, const ksiCoordinatesState **s)
{
    KSI_TRY(ksiRequireIdle(c));
    if (!c->isSet)
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "there is no state yet: ksCoordinatesSet");
    *s = &c->state[c->current];
    return KS_OK;
}
