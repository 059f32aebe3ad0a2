/* friction.c  Friction utilisation of a contact. */
#include "../inspector/publish/wrench.h"

#include "../base/fpguard.h"

#include <math.h>

/* For a contact that is a known load, each value is the engine's force: neither route computes its
 * multiplier. */
static double multiplierOf(const ksRow *row, ksValue value)
{
    const double converged = isnan(row->paulus) ? row->engine : row->paulus;
    return value == KS_ENGINE ? row->engine : value == KS_CONVERGED ? converged : row->physical;
}

static double useOf(double force, double bound)
{
    if (force == 0)
        return 0;
    return bound == 0 ? INFINITY : force / bound;
}

static ksStatus frictionUse(const ksReaction *reaction, ksValue value, double *byBound, double *byNormal)
{
    KSI_REQUIRE_POINTER(reaction);
    KSI_REQUIRE(reaction->type == dJointTypeContact, "reaction is not of a contact joint");
    KSI_REQUIRE(value <= KS_PHYSICAL, "value is %d, not KS_ENGINE, KS_CONVERGED or KS_PHYSICAL", (int)value);
    if (!reaction->row || !ksiWrenchesOf(reaction, value))
        return KS_ERROR_UNAVAILABLE;
    double bound = 0, normal = 0;
    for (int l = 0; l < reaction->rowCount; l++) {
        const ksRow *row = &reaction->row[l];
        if (row->kind != KS_ROW_FRICTION)
            continue;
        double force = multiplierOf(row, value), coefficient = fabs(row->hi);
        if (!isfinite(force))
            return KS_ERROR_UNAVAILABLE;
        if (row->findex >= 0 && !isinf(coefficient))
            coefficient *= fabs(multiplierOf(&reaction->row[row->findex], value));
        bound = hypot(bound, useOf(fabs(force), fabs(row->bound)));
        normal = hypot(normal, useOf(fabs(force), coefficient));
    }
    if (byBound)
        *byBound = bound;
    if (byNormal)
        *byNormal = normal;
    return KS_OK;
}

ksStatus ksReactionGetFrictionUse(const ksReaction *reaction, ksValue value, double *byBound, double *byNormal)
{
    KSI_RETURN_GUARDED(frictionUse(reaction, value, byBound, byNormal));
}
