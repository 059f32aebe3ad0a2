/* friction.c  How much of its friction a contact uses; and the sum of a body's contacts as it was asked for before
 * ksInspectorSumWrenches took contacts. */
#include "query.h"

#include "../base/fpguard.h"
#include "../inspector/wrench.h"

#include <math.h>
#include <string.h>

static ksStatus getContactWrench(ksInspector *inspector, dBodyID a, dBodyID b, ksValue value, const double *about,
                                 ksWrench *out, ksWrench *freeDirection, int *freeCount)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(a);
    KSI_REQUIRE(a != b, "b is a");
    KSI_REQUIRE(value <= KS_PHYSICAL, "value is %d, not one of ksValue", (int)value);
    KSI_REQUIRE_POINTER(out);
    KSI_REQUIRE(freeCount || !freeDirection, "freeCount is NULL, and freeDirection is not");
    if (!inspector->published.isReported || !inspector->published.isKnown)
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "no step was inspected");
    KSI_REQUIRE(ksiPointersFind(&inspector->input.bodyIndex, a) >= 0, "a is not a body of the last step");
    KSI_REQUIRE(!b || ksiPointersFind(&inspector->input.bodyIndex, b) >= 0, "b is not a body of the last step");
    const bool asReported = inspector->step.options.contacts == KS_CONTACTS_REPORTED || value == KS_PHYSICAL;
    const ksWrenchTerm term = {.body = a, .other = b};
    ksWrenchSum sum;
    const ksStatus status = ksiSumWrenches(inspector, &term, 1, value, about, &sum);
    if (status)
        return status;
    if (!freeCount && !asReported && sum.freeCount != 0)
        return sum.freeCount < 0 ? KS_ERROR_UNAVAILABLE : KS_ERROR_REDUNDANT;
    *out = sum.wrench;
    if (freeDirection)
        memcpy(freeDirection, sum.freeDirection, sizeof sum.freeDirection);
    if (freeCount)
        *freeCount = asReported ? -1 : sum.freeCount;
    return KS_OK;
}

ksStatus ksInspectorGetContactWrench(ksInspector *inspector, dBodyID a, dBodyID b, ksValue value, const double about[3],
                                     ksWrench *out, ksWrench freeDirection[6], int *freeCount)
{
    KSI_RETURN_GUARDED(getContactWrench(inspector, a, b, value, about, out, freeDirection, freeCount));
}

static double multiplierOf(const ksRow *row, ksValue value)
{
    return value == KS_ENGINE ? row->engine : value == KS_CONVERGED ? row->paulus : row->physical;
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
    KSI_REQUIRE(value <= KS_PHYSICAL, "value is %d, not one of ksValue", (int)value);
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
