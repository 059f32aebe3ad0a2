/* step_load.c  The load of a joint in a step, from a line of a trace. */
#include "step_load.h"

#include <math.h>

/* Force and torque about the mass centre, in world axes, and their bars. If mechanics does not
 * determine the joint's load, takes the load that the joint would carry if all joints were
 * elastic. */
static void chooseWrench(const ksiReactionLine *line, ksValue value, double force[3], double torque[3], double bar[2],
                         bool *isShared)
{
    const bool isOpen = value != KS_ENGINE && line->freeCount > 0;
    *isShared = isOpen && ((ksReasons)line->reasons & KS_REASON_SHARED) && isfinite(line->sharedForce[0]);
    const double *f = value == KS_ENGINE ? line->engineForce : *isShared ? line->sharedForce : line->physicalForce;
    const double *t = value == KS_ENGINE ? line->engineTorque : *isShared ? line->sharedTorque : line->physicalTorque;
    const bool hasBars = value == KS_PHYSICAL;
    bar[0] = !hasBars ? NAN : *isShared ? line->sharedBarForce : line->physicalBarForce;
    bar[1] = !hasBars ? NAN : *isShared ? line->sharedBarTorque : line->physicalBarTorque;
    for (int i = 0; i < 3; i++) {
        force[i] = isOpen && !*isShared ? NAN : f[i];
        torque[i] = t[i];
    }
}

/* Turns v by the unit quaternion q. isBack: by its inverse. */
static void rotate(const double q[4], bool isBack, const double v[3], double out[3])
{
    const double u[3] = {isBack ? -q[1] : q[1], isBack ? -q[2] : q[2], isBack ? -q[3] : q[3]};
    double across[3];
    for (int k = 0; k < 3; k++)
        across[k] = 2 * (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    for (int k = 0; k < 3; k++)
        out[k] =
            v[k] + q[0] * across[k] + (u[(k + 1) % 3] * across[(k + 2) % 3] - u[(k + 2) % 3] * across[(k + 1) % 3]);
}

/* The point about which error bars and means are given: the anchor; without one, the mass
 * centre. */
static const double *originOf(const ksiReactionLine *line)
{
    return isfinite(line->anchor[0][0]) ? line->anchor[0] : line->centre[0];
}

/* Sets the position of the point in the world, m. Returns its distance from originOf. */
static double placePoint(const ksiPointRule *point, const ksiReactionLine *line, double place[3])
{
    const double *centre = line->centre[point->body], *origin = originOf(line);
    double distance = 0;
    rotate(line->orientation[point->body], false, point->place, place);
    for (int i = 0; i < 3; i++) {
        place[i] += isfinite(centre[i]) ? centre[i] : 0;
        distance = hypot(distance, place[i] - origin[i]);
    }
    return distance;
}

/* In each step the torque about the point is the torque about originOf plus offset x force. The
 * mean torque needs the mean of this product. It differs from the product of a constant offset and
 * the mean force by at most the largest change of the offset times the largest force. */
bool ksiPointStays(ksiSizedJoint *joint, const ksiReactionLine *line, double *moved)
{
    static const double drift = 0.01; /* up to this share of the joint's levers, a movement of the
                                         point counts as drift */
    const double *origin = originOf(line), *f = line->engineForce;
    double place[3], apart[3], offset[3], lever = 0;
    lever = placePoint(joint->point, line, place);
    for (int i = 0; i < 3; i++) {
        apart[i] = origin[i] - place[i];
        lever = hypot(lever, origin[i] - line->centre[0][i]);
    }
    rotate(line->jointOrientation, true, apart, offset);
    *moved = 0;
    if (!isfinite(offset[0] + offset[1] + offset[2]))
        return true;
    for (int i = 0; i < 3; i++) {
        joint->offset[i] = joint->isPlaced ? joint->offset[i] : offset[i];
        *moved = hypot(*moved, offset[i] - joint->offset[i]);
    }
    joint->isPlaced = true;
    joint->moved = fmax(joint->moved, *moved);
    joint->largest = fmax(joint->largest, hypot(f[0], hypot(f[1], f[2])));
    return !(*moved > drift * lever);
}

/* Without an anchor or a point, torques stay about the mass centre: no shift, and no rounding of
 * positions. */
void ksiTakeLoad(ksiSizedJoint *joint, ksValue value, const ksiReactionLine *line, bool *isShared)
{
    static const double none[6] = {0}, unknown[3] = {NAN, NAN, NAN};
    ksiWaiting *waiting = joint->waiting;
    double force[3], torque[3], point[3], bar[2] = {line->meanBarForce, line->meanBarTorque};
    const bool isMean = value == KS_MEAN;
    const bool hasRows = ((ksReasons)line->reasons & (KS_REASON_NO_ROWS | KS_REASON_DISABLED)) == 0;
    const bool isShifted = hasRows && (joint->point || (!isMean && isfinite(line->anchor[0][0])));
    const double *centre = !isShifted ? none : !isMean ? line->centre[0] : joint->isPlaced ? joint->offset : unknown;
    *isShared = false;
    if (hasRows && !isMean)
        chooseWrench(line, value, force, torque, bar, isShared);
    if (hasRows && joint->point)
        bar[1] += bar[0] * placePoint(joint->point, line, point) + (isMean ? joint->moved * joint->largest : 0);
    ksiTake(waiting, KSI_COLUMN_FORCE, 3, !hasRows ? none : isMean ? line->jointMeanForce : force);
    ksiTake(waiting, KSI_COLUMN_TORQUE, 3, !hasRows ? none : isMean ? line->jointMeanTorque : torque);
    ksiTake(waiting, KSI_COLUMN_CENTRE, 3, centre);
    ksiTake(waiting, KSI_COLUMN_ANCHOR, 3, !isShifted || isMean ? none : joint->point ? point : line->anchor[0]);
    ksiTake(waiting, KSI_COLUMN_BARS, 2, hasRows ? bar : none);
}
