/* contact.c  Contacts for people: what all contacts of a body do together, and how much of its friction one uses. */
#include "inspector_private.h"

#include "wrench.h"

#include <math.h>
#include <string.h>

/* The side of a contact joint that is body a, facing b (NULL: anybody); -1 if it is not such a contact. */
static int sideOf(const ksReaction *reaction, dBodyID a, dBodyID b)
{
    for (int side = 0; side < 2; side++) {
        if (reaction->type == dJointTypeContact && reaction->body[side] == a && (!b || reaction->body[!side] == b))
            return side;
    }
    return -1;
}

ksStatus ksInspectorGetContactWrench(const ksInspector *inspector, dBodyID a, dBodyID b, ksValue value,
                                     const double about[3], ksWrench *out)
{
    if (!inspector || !a || a == b || value > KS_PHYSICAL || !out)
        return KS_ERROR_BAD_ARGUMENT;
    if (!inspector->reported || !inspector->known)
        return KS_ERROR_UNAVAILABLE;
    int at = ksiPointersFind(&inspector->bodyIndex, a);
    if (at < 0 || (b && ksiPointersFind(&inspector->bodyIndex, b) < 0))
        return KS_ERROR_BAD_ARGUMENT;

    ksWrench sum = {{0}, {0}};
    const double *centre = inspector->body[at].begin.centre;
    for (size_t i = 0; i < inspector->reactionCount; i++) {
        const ksReaction *reaction = &inspector->reaction[i];
        int side = sideOf(reaction, a, b);
        if (side < 0)
            continue;
        const ksWrench *both = ksiWrenchesOf(reaction, value);
        if (!both)
            return KS_ERROR_UNAVAILABLE;
        for (int k = 0; k < 3; k++) {
            sum.force[k] += both[side].force[k];
            sum.torque[k] += both[side].torque[k];
        }
    }
    ksiMoveWrench(&sum, centre, about ? about : centre);
    *out = sum;
    return KS_OK;
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

ksStatus ksReactionGetFrictionUse(const ksReaction *reaction, ksValue value, double *byBound, double *byNormal)
{
    if (!reaction || reaction->type != dJointTypeContact || value > KS_PHYSICAL)
        return KS_ERROR_BAD_ARGUMENT;
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
