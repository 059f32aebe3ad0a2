/* determined.c  Finds the determined part of a wrench, by component.
 *
 * A wrench is the sum of one solution `w` and multiples of the free directions d_f:
 *
 *     w + sum a_f d_f
 *
 * Mechanics does not determine the numbers a_f. A component is unique if it is zero in all d_f. The
 * least |force| over all a_f is the size of one part of w's force: the part that is orthogonal to
 * the forces of all d_f. */
#include "wrench.h"
#include "wrench_norm.h"

#include "../../engine/vector.h"

#include <math.h>
#include <string.h>

/* N.m per N of force: a smaller torque is rounding, for levers of up to a kilometre */
static double torqueRounding(bool isSingle)
{
    return isSingle ? 1e-5 : 1e-12;
}

/* the length that converts a force to a torque: the largest distance of the point from a mass
 * centre of the joint */
static double lever(const ksReaction *reaction, const ksiWrenchFrame *view)
{
    double longest = 0;
    for (int side = 0; side < 2; side++) {
        double r[3];
        ksiSubtract(r, reaction->centre[side], view->point);
        if (reaction->body[side])
            longest = fmax(longest, ksiSize(r, 3));
    }
    return longest;
}

double ksiWholeTorque(const ksWrench *direction, double length, bool isSingle)
{
    return ksiLarger(torqueRounding(isSingle) / ksiFreeTolerance,
                     ksiLarger(length * ksiSize(direction->force, 3), ksiSize(direction->torque, 3)));
}

unsigned ksiOpenComponents(const ksWrench *direction, double whole)
{
    const double least = ksiFreeTolerance * whole;
    unsigned open = 0;
    EACH (k, 0, 3) {
        open |= (unsigned)(fabs(direction->force[k]) > ksiFreeTolerance) << (KS_LIMIT_FORCE_X + k);
        open |= (unsigned)(fabs(direction->torque[k]) > least) << (KS_LIMIT_TORQUE_X + k);
    }
    return open;
}

/* The free directions are given for the wrench on body[0]. The wrench on the other side is its
 * opposite, and has the same free directions. */
static void directions(const ksReaction *reaction, const ksiWrenchFrame *view, bool isSingle, ksiUnique *unique)
{
    double length = lever(reaction, view);
    unique->count = reaction->freeCount;
    for (int f = 0; f < unique->count; f++) {
        ksWrench w = reaction->freeDirection[f];
        ksiMoveWrench(&w, reaction->centre[0], view->point);
        ksiTurnWrench(&w, view->axes);
        memcpy(unique->force[f], w.force, sizeof w.force);
        const double whole = ksiWholeTorque(&w, length, isSingle);
        unique->components &= ~ksiOpenComponents(&w, whole);
        for (int k = 0; k < 3; k++)
            unique->torque[f][k] = w.torque[k] / whole;
    }
}

void ksiFindUnique(const ksReaction *reaction, const ksiWrenchFrame *view, bool isSingle, ksiUnique *unique)
{
    memset(unique, 0, sizeof *unique);
    const unsigned force = 7u << KS_LIMIT_FORCE_X, torque = 7u << KS_LIMIT_TORQUE_X;
    unique->components = force | torque;
    directions(reaction, view, isSingle, unique);
    if ((unique->components & force) == force)
        unique->components |= 1u << KS_LIMIT_FORCE;
    if ((unique->components & torque) == torque)
        unique->components |= 1u << KS_LIMIT_TORQUE;
}

/* The size of the part of v that is orthogonal to the directions, by Gram-Schmidt: the largest
 * direction comes first. */
bool ksiUniqueSize(const double given[6][3], int count, const double v[3], double *least)
{
    double direction[6][3], rest[3];
    memcpy(direction, given, sizeof direction);
    memcpy(rest, v, sizeof rest);
    for (int rank = 0; rank <= 3; rank++) {
        double best = ksiFreeTolerance, unit[3];
        for (int f = 0; f < count; f++) {
            if (ksiSize(direction[f], 3) > best) {
                best = ksiSize(direction[f], 3);
                memcpy(unit, direction[f], sizeof unit);
            }
        }
        if (!(best > ksiFreeTolerance)) {
            *least = ksiSize(rest, 3);
            return rank < 3;
        }
        for (int k = 0; k < 3; k++)
            unit[k] /= best;
        ksiAddScaled(rest, -ksiDot(rest, unit), unit);
        for (int f = 0; f < count; f++)
            ksiAddScaled(direction[f], -ksiDot(direction[f], unit), unit);
    }
    return false;
}
