/* wrenches.c  Where a joint is, and what acts there. */
#include "forces.h"

#include <math.h>
#include <string.h>

static bool hasAnchor(const ksReaction *reaction)
{
    return isfinite(reaction->anchor[0][0] + reaction->anchor[0][1] + reaction->anchor[0][2]);
}

/* At the start of the step. */
static void placeThen(const ksReaction *reaction, double place[3])
{
    for (int i = 0; i < 3; i++)
        place[i] = hasAnchor(reaction) ? reaction->anchor[0][i]
                   : reaction->body[1] ? (reaction->centre[0][i] + reaction->centre[1][i]) / 2
                                       : reaction->centre[0][i];
}

void ksiJointPlace(const ksReaction *reaction, double place[3])
{
    placeThen(reaction, place);
    // a contact is made anew each step
    if (reaction->type == dJointTypeContact)
        return;
    const dReal *centre = dBodyGetPosition(reaction->body[0]), *rotation = dBodyGetRotation(reaction->body[0]);
    double local[3] = {0}, then[3];
    for (int i = 0; i < 3; i++)
        then[i] = place[i] - reaction->centre[0][i];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            local[k] += reaction->rotation[0][3 * i + k] * then[i];
    for (int i = 0; i < 3; i++) {
        place[i] = centre[i];
        for (int k = 0; k < 3; k++)
            place[i] += rotation[4 * i + k] * local[k];
    }
}

/* From the mass centre of body[0] to the joint's place. */
static void moveToPlace(const ksReaction *reaction, ksWrench *wrench)
{
    double place[3], lever[3], moment[3];
    placeThen(reaction, place);
    for (int i = 0; i < 3; i++)
        lever[i] = place[i] - reaction->centre[0][i];
    ksiCross3(lever, wrench->force, moment);
    for (int i = 0; i < 3; i++)
        wrench->torque[i] -= moment[i];
}

static bool isKnown(const ksWrench *wrench)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += wrench->force[i] + wrench->torque[i];
    return isfinite(sum);
}

bool ksiJointWrench(const ksReaction *reaction, ksValue value, ksWrench *out)
{
    *out = value == KS_ENGINE      ? reaction->engine[0]
           : value == KS_CONVERGED ? reaction->converged[0]
                                   : reaction->physical[0];
    if (reaction->verdict == KS_NOT_SOLVED || !isKnown(out))
        return false;
    moveToPlace(reaction, out);
    return true;
}

void ksiJointIsUnique(const ksReaction *reaction, bool *force, bool *torque)
{
    // of a direction of unit force or torque
    static const double rounding = 1e-6;
    *force = *torque = true;
    for (int i = 0; i < reaction->freeCount; i++) {
        ksWrench direction = reaction->freeDirection[i];
        moveToPlace(reaction, &direction);
        *force = *force && !(ksiLength3(direction.force) > rounding);
        *torque = *torque && !(ksiLength3(direction.torque) > rounding);
    }
}

/* a and b in the metric of energy: f f / m + t I^-1 t. */
static double metric(const ksWrench *a, const ksWrench *b, double mass, const double inverse[9])
{
    double sum = ksiDot3(a->force, b->force) / mass;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            sum += a->torque[i] * inverse[3 * i + k] * b->torque[k];
    return sum;
}

static void addWrench(ksWrench *to, double factor, const ksWrench *wrench)
{
    for (int i = 0; i < 3; i++) {
        to->force[i] += factor * wrench->force[i];
        to->torque[i] += factor * wrench->torque[i];
    }
}

bool ksiJointSelfStress(const ksInspector *inspector, const ksReaction *reaction, ksWrench *out)
{
    double mass, inverse[9];
    ksWrench rest = reaction->converged[0], unit[6];
    if (reaction->freeCount == 0 || !isKnown(&reaction->converged[0]) || !isKnown(&reaction->physical[0]))
        return false;
    if (!ksInspectorGetMass(inspector, reaction->body[0], &mass, inverse) || !isfinite(mass)) {
        // a driven body has no metric of its own
        mass = 1;
        memset(inverse, 0, sizeof inverse);
        inverse[0] = inverse[4] = inverse[8] = 1;
    }
    addWrench(&rest, -1, &reaction->physical[0]);
    memset(out, 0, sizeof *out);
    // the projection on the span: made orthonormal one after the other
    for (int n = 0; n < reaction->freeCount; n++) {
        unit[n] = reaction->freeDirection[n];
        for (int k = 0; k < n; k++)
            addWrench(&unit[n], -metric(&unit[n], &unit[k], mass, inverse), &unit[k]);
        double size = sqrt(metric(&unit[n], &unit[n], mass, inverse));
        ksWrench scaled = {{0}, {0}};
        if (size > 1e-12)
            addWrench(&scaled, 1 / size, &unit[n]);
        unit[n] = scaled;
        addWrench(out, metric(&rest, &unit[n], mass, inverse), &unit[n]);
    }
    moveToPlace(reaction, out);
    return true;
}

const ksReaction *ksiWorst(const ksInspector *inspector, const ksiScale *scale)
{
    static const double visible = 0.02;
    size_t count = 0;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count), *worst = NULL;
    for (size_t i = 0; i < count; i++) {
        bool isContact = reaction[i].type == dJointTypeContact, wasContact = worst && worst->type == dJointTypeContact;
        ksWrench wrench;
        if (!reaction[i].body[0] || !isfinite(reaction[i].error) || !ksiJointWrench(&reaction[i], KS_ENGINE, &wrench))
            continue;
        if (!(ksiLength3(wrench.force) > visible * scale->force) &&
            !(ksiLength3(wrench.torque) > visible * scale->torque))
            continue;
        if (!worst || wasContact > isContact || (wasContact == isContact && reaction[i].error > worst->error))
            worst = &reaction[i];
    }
    return worst;
}
