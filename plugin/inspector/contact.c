/* contact.c  What all contacts of a body do together, and how much of its friction a contact uses. */
#include "inspector.h"

#include "../base/quietly.h"
#include "wrench.h"

#include <math.h>
#include <string.h>

/* Contacts of a, facing b (NULL: anybody). */
static void chooseContacts(ksInspector *inspector, dBodyID a, dBodyID b)
{
    ksiBeginSum(inspector);
    for (size_t i = 0; i < inspector->published.count; i++) {
        const ksiJointInput *joint = &inspector->step.joint[i];
        for (int side = 0; joint->type == dJointTypeContact && side < 2; side++)
            if (joint->body[side] == a && (!b || joint->body[!side] == b))
                inspector->chosen[i][side] = KSI_BODY_CHOSEN;
    }
}

static ksStatus contactWrench(ksInspector *inspector, dBodyID a, dBodyID b, ksValue value, const double about[3],
                              ksWrench *out, ksWrench *freeDirection, int *freeCount)
{
    const bool asReported = inspector->step.options.contacts == KS_CONTACTS_REPORTED || value == KS_PHYSICAL;
    ksWrenchSum sum;
    chooseContacts(inspector, a, b);
    const ksStatus status = ksiSumChosen(inspector, value, about, &sum);
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
    if (!inspector || !a || a == b || value > KS_PHYSICAL || !out || (freeDirection && !freeCount))
        return KS_ERROR_BAD_ARGUMENT;
    if (!inspector->published.isReported || !inspector->input.isKnown)
        return KS_ERROR_UNAVAILABLE;
    int at = ksiPointersFind(&inspector->input.bodyIndex, a);
    if (at < 0 || (b && ksiPointersFind(&inspector->input.bodyIndex, b) < 0))
        return KS_ERROR_BAD_ARGUMENT;

    if (!about)
        about = inspector->step.body[at].begin.centre;
    KSI_RETURN_QUIETLY(contactWrench(inspector, a, b, value, about, out, freeDirection, freeCount));
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
    if (!reaction || reaction->type != dJointTypeContact || value > KS_PHYSICAL)
        return KS_ERROR_BAD_ARGUMENT;
    KSI_RETURN_QUIETLY(frictionUse(reaction, value, byBound, byNormal));
}
