/* scale.c  How long arrows are: steady while the forces change little, right when they change much. */
#include "forces.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

double ksiRound125(double x)
{
    static const double step[] = {1, 2, 5, 10};
    double ten = pow(10, floor(log10(x)));
    for (int i = 0; i < 4; i++)
        if (step[i] * ten >= x * (1 - 1e-9))
            return step[i] * ten;
    return 10 * ten;
}

ksiSizes ksiSizesOf(const ksiCamera *camera, double typical, size_t joints)
{
    const double d = camera->distance, usual = 10, least = 0.4;
    // many joints want room
    double many = fmax(fmin(sqrt(usual / fmax((double)joints, 1)), 1), least);
    return (ksiSizes){.mark = fmin(0.011 * d * many, fmax(0.3 * typical, 0.004 * d)),
                      .arrow = 0.0028 * d * many,
                      .length = 0.13 * d,
                      .ring = 0.03 * d * many};
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The scale follows what lasts: a blow of a frame or two is cut. Where nothing but rounding was to be seen, it follows at once. */
static void follow(double *scale, int *oddFrames, double *number, size_t count, double least)
{
    enum { PATIENCE = 8 };
    static const double small = 0.3, large = 1.2, beyond = 1e6;
    if (count == 0)
        return;
    qsort(number, count, sizeof *number, compare);
    double wanted = fmax(number[(count * 9 - 1) / 10], least);
    if (!(wanted > 0) || !isfinite(wanted))
        return;
    *oddFrames = wanted < small * *scale || wanted > large * *scale ? *oddFrames + 1 : 0;
    if (*scale == 0 || *oddFrames > PATIENCE || wanted > beyond * *scale) {
        *scale = ksiRound125(wanted);
        *oddFrames = 0;
    }
}

bool ksiScaleUpdate(ksiScale *scale, const ksInspector *inspector, const ksiShown *shown, double arm,
                    ksiNumbers *scratch)
{
    size_t reactionCount = 0, forces = 0, torques = 0, needed;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &reactionCount);
    needed = 2 * (KS_PHYSICAL + 1) * reactionCount;
    if (needed > scratch->capacity) {
        double *grown =
            needed < SIZE_MAX / (4 * sizeof *grown) ? realloc(scratch->number, 2 * needed * sizeof *grown) : NULL;
        if (!grown)
            return false;
        scratch->number = grown;
        scratch->capacity = 2 * needed;
    }
    double *force = scratch->number, *torque = scratch->number + needed / 2;
    bool hasJoints = false;
    for (size_t i = 0; i < reactionCount; i++)
        hasJoints = hasJoints || reaction[i].type != dJointTypeContact;
    for (size_t i = 0; i < reactionCount; i++) {
        // contacts count where there is nothing else; converged, which may be large for the sake of small gaps, where it is shown
        if (hasJoints && reaction[i].type == dJointTypeContact)
            continue;
        for (int value = 0; value <= KS_PHYSICAL; value++) {
            ksWrench wrench;
            bool counts = value != KS_CONVERGED || shown->value[value];
            if (!counts || !ksiJointWrench(&reaction[i], (ksValue)value, &wrench))
                continue;
            force[forces++] = ksiLength3(wrench.force);
            torque[torques++] = ksiLength3(wrench.torque);
        }
    }
    follow(&scale->force, &scale->forceOdd, force, forces, 0);
    // torques that are nothing beside the forces stay nothing
    follow(&scale->torque, &scale->torqueOdd, torque, torques, 0.02 * scale->force * arm);
    return true;
}
