/* contact_motion.c  Computes the motion of contact points, and the accelerations of their rows.
 *
 * A row acts along a direction `n` at a place `p`. The speed of the row stays at zero if J a =
 * -(dJ/dt) v, with
 *
 *     (dJ/dt) v  =  sum of +- n . w x (dp/dt - v)  +  dn/dt . v_p
 *
 * The sum is over both bodies, and `v_p` is the slip: their relative velocity at p. Contact points
 * have no identity. So dp/dt and dn/dt are computed from the changes since the last step. These
 * changes count only if they and the velocities continue; otherwise they are noise. */
#include "../inspector.h"
#include "../publish/wrench_norm.h"
#include "contact_physical.h"

#include "../../engine/rows.h"
#include "../../engine/vector.h"

#include <math.h>
#include <string.h>

/* A velocity continues if its relative change in a step is smaller than this. */
static const double goingOn = 0.8;
/* Noise does not continue for this many steps in a row. */
enum { LASTING = 6 };
/* A kind of motion explains the velocity of a place if the residual velocity is less than this
 * share of the velocity that explainedBy returns. */
static const double explained = 0.5;
/* A motion with a mass centre fits clearly better if its residual velocity is less than this share
 * of the residual velocity of a motion with the material. */
static const double clearly = 0.5;
/* A surface is bent if its normal swings at a rate of at least this share of drift / lever. */
static const double bent = 0.5;

static bool continues(const double now[3], const double before[3])
{
    double gained[3];
    ksiSubtract(gained, now, before);
    return ksiSize(gained, 3) <= goingOn * ksiSize(now, 3);
}

/* The velocity of the body's material at the place, or of its mass centre if place is NULL; 0 for
 * the world. */
static void velocityAt(const ksiStep *step, int body, const double *place, double velocity[3])
{
    memset(velocity, 0, 3 * sizeof *velocity);
    if (body < 0)
        return;
    const double *own = ksiVelocityOf(&step->body[body]);
    double lever[3], turned[3];
    ksiCopy(velocity, own);
    if (!place)
        return;
    ksiSubtract(lever, place, step->body[body].begin.centre);
    ksiCross(turned, own + 3, lever);
    ksiAddScaled(velocity, 1, turned);
}

/* The slip that friction tries to reach, as on a conveyor belt. */
static void runningOf(const ksiPoint *point, double running[3])
{
    const int side = point->bodyIndex[0] < 0;
    memset(running, 0, 3 * sizeof *running);
    for (int l = 1; l < point->count; l++)
        if (point->row[l].kind == KS_ROW_FRICTION)
            ksiAddScaled(running, side ? -point->row[l].c : point->row[l].c, point->row[l].jacobian[side]);
}

void ksiPlacePoint(const ksiStep *step, ksiPoint *point)
{
    const int side = point->bodyIndex[0] < 0;
    const bool hasFriction = point->count > 1 && point->row[1].kind == KS_ROW_FRICTION;
    // without friction only the line of action is known
    ksiLeverOfRows(point->place, point->row[0].jacobian[side], hasFriction ? point->row[1].jacobian[side] : NULL);
    ksiAddScaled(point->place, 1, step->body[point->bodyIndex[side]].begin.centre);
    KSI_EACH_BODY (point->bodyIndex, which, at)
        ksiCopy(point->turning[which], ksiVelocityOf(&step->body[at]) + 3);
    double second[3];
    velocityAt(step, point->bodyIndex[0], point->place, point->slip);
    velocityAt(step, point->bodyIndex[1], point->place, second);
    ksiAddScaled(point->slip, -1, second);
    runningOf(point, point->running);
}

/* The velocity of the place relative to the velocity of this kind of motion. */
static void driftOf(const ksiStep *step, const ksiPoint *point, ksiPointMotion motion, double drift[3])
{
    const bool rolls = motion >= KSI_WITH_FIRST;
    velocityAt(step, point->bodyIndex[motion & 1], rolls ? NULL : point->place, drift);
    for (int k = 0; k < 3; k++)
        drift[k] = point->moved[k] - drift[k];
}

/* The same kind of motion for a point of the last step, whose bodies may be in the other order. */
static ksiPointMotion motionOf(ksiPointMotion motion, bool isTurned)
{
    return isTurned ? (ksiPointMotion)(motion ^ 1) : motion;
}

/* The size of the velocity that a kind of motion explains: the velocity of the place relative to
 * the other kind of motion with the same body. If that body does not turn, both kinds have the same
 * velocity. Then the velocity is taken relative to the material of the other body. So this size
 * does not depend on a velocity that the place and both kinds of motion have in common. */
static double explainedBy(const ksiPoint *point, ksiPointMotion motion)
{
    const double own = ksiSize(point->drift[motion], 3), other = ksiSize(point->drift[motion ^ 2], 3);
    return other != own ? other : ksiSize(point->drift[(motion & 1) ^ 1], 3);
}

/* Sets the kind of motion that fits best. A place moves with the material of a body, as an edge
 * does, unless a motion with a mass centre fits clearly better, as for the point below a rolling
 * ball. The residual velocity is the drift. Returns false for a place that jumps: its kind of
 * motion stays as in earlier steps. */
static bool setMotion(const ksiStep *step, ksiPoint *point)
{
    double least = INFINITY;
    ksiPointMotion best = KSI_ON_FIRST;
    for (ksiPointMotion motion = KSI_ON_FIRST; motion < KSI_MOTIONS; motion++) {
        driftOf(step, point, motion, point->drift[motion]);
        const double size = ksiSize(point->drift[motion], 3);
        if (size >= (motion >= KSI_WITH_FIRST && best < KSI_WITH_FIRST ? clearly : 1) * least)
            continue;
        best = motion;
        least = size;
    }
    const bool isExplained = least <= explained * explainedBy(point, best);
    point->motion = isExplained ? best : point->motion;
    return isExplained;
}

/* On a bent surface, such as a mesh, the normal swings as the place drifts. */
static bool isBent(const ksiStep *step, const ksiPoint *point)
{
    double most = 0;
    KSI_EACH_BODY (point->bodyIndex, side, at) {
        double lever[3];
        ksiSubtract(lever, point->place, step->body[at].begin.centre);
        most = fmax(most, ksiSize(lever, 3) * ksiSize(point->change[side], 3));
    }
    return most >= bent * ksiSize(point->drift[point->motion], 3);
}

/* The sign that converts a relative velocity of the other point's bodies to a relative velocity of
 * this point's bodies. */
static double signOf(const ksiPoint *point, const ksiPoint *other)
{
    return point->body[0] == other->body[0] ? 1 : -1;
}

void ksiFollowPoint(const ksiStep *step, const ksiPoint *past, ksiPoint *point)
{
    const double sign = signOf(point, past), time = past->lasted, gaining = ksiSinceSeen(step, past);
    ksiInheritMotion(past, point);
    for (int k = 0; k < 3; k++)
        point->moved[k] = (point->place[k] - past->place[k]) / time;
    const bool isExplained = setMotion(step, point);
    KSI_EACH_BODY (point->bodyIndex, side, at) {
        const int theirs = sign < 0 ? !side : side;
        for (int k = 0; k < 6; k++)
            point->change[side][k] = (point->row[0].jacobian[side][k] - past->normalSeen[theirs][k]) / time;
        point->swings = continues(point->change[side], past->change[theirs]);
    }
    // velocities of surfaces belong to the ends of steps, places to the starts
    double slip[3];
    for (int k = 0; k < 3; k++) {
        slip[k] = sign * past->slip[k];
        point->hastening[k] = (point->running[k] - sign * past->running[k]) / gaining;
    }
    point->slipping = continues(point->slip, slip) ? past->slipping + 1 : 0;
    // the kind of motion may differ from the kind in the last step
    const double *drift = point->drift[point->motion], *theirs = past->drift[motionOf(point->motion, sign < 0)];
    const bool rolls = point->motion >= KSI_WITH_FIRST;
    point->drifting = continues(drift, theirs) ? past->drifting + 1 : 0;
    point->drifts = (isExplained ? rolls && point->drifting > 0 : point->drifting >= LASTING) ||
                    (isBent(step, point) && (point->going[0] >= LASTING || point->going[1] >= LASTING));
}

void ksiInheritHastening(const ksiPoint *other, ksiPoint *point)
{
    for (int k = 0; k < 3; k++)
        point->hastening[k] = signOf(point, other) * other->hastening[k];
}

void ksiInheritMotion(const ksiPoint *past, ksiPoint *point)
{
    const bool isTurned = past->body[0] != point->body[0];
    point->drifts = past->drifts;
    point->drifting = past->drifting;
    ksiCopy(point->moved, past->moved);
    ksiInheritHastening(past, point);
    for (int side = 0; side < 2; side++) {
        const int theirs = isTurned ? !side : side;
        point->going[side] = continues(point->turning[side], past->turning[theirs]) ? past->going[theirs] + 1 : 0;
    }
    for (ksiPointMotion motion = KSI_ON_FIRST; motion < KSI_MOTIONS; motion++)
        ksiCopy(point->drift[motion], past->drift[motionOf(motion, isTurned)]);
    point->motion = motionOf(past->motion, isTurned);
}

/* The velocity of the place relative to the body's mass centre. */
static void relativeVelocity(const ksiStep *step, const ksiPoint *point, int side, double velocity[3])
{
    const int body = point->bodyIndex[side];
    if (point->drifts)
        ksiCopy(velocity, point->moved);
    else if (point->motion < KSI_WITH_FIRST)
        velocityAt(step, body, point->place, velocity);
    else
        velocityAt(step, point->bodyIndex[point->motion & 1], NULL, velocity);
    ksiAddScaled(velocity, -1, ksiVelocityOf(&step->body[body]));
}

void ksiMovePoint(const ksiStep *step, double time, ksiPoint *point)
{
    KSI_EACH_BODY (point->bodyIndex, side, at) {
        double velocity[3], turned[3];
        if (point->going[side] < LASTING || (point->drifts && !point->swings))
            continue;
        relativeVelocity(step, point, side, velocity);
        for (int l = 0; l < point->count; l++) {
            double *row = point->row[l].jacobian[side];
            ksiCross(turned, velocity, row);
            if (l == 0 && point->drifts)
                ksiAddSix(row, time, point->change[side]);
            else if (point->row[l].kind != KS_ROW_ROLLING)
                ksiAddScaled(row + 3, time, turned);
        }
    }
}

/* The term of one body in (dJ/dt) v: n . w x (dp/dt - v). */
static double turningOf(const ksiStep *step, const ksiPoint *point, int l, int side)
{
    double velocity[3], turned[3];
    relativeVelocity(step, point, side, velocity);
    ksiCross(turned, ksiVelocityOf(&step->body[point->bodyIndex[side]]) + 3, velocity);
    return ksiDot(point->row[l].jacobian[side], turned);
}

void ksiForgetJump(ksiPoint *point)
{
    if (point->drifting > 0)
        return;
    point->drifts = false;
    memset(point->change, 0, sizeof point->change);
}

double ksiHasteningOf(const ksiPoint *point, int l)
{
    const int side = point->bodyIndex[0] < 0;
    const double along = ksiDot(point->row[l].jacobian[side], point->hastening);
    return point->row[l].kind != KS_ROW_FRICTION ? 0 : side ? -along : along;
}

double ksiTurningOf(const ksiStep *step, const ksiPoint *point, int l)
{
    double sum = 0;
    if (point->row[l].kind == KS_ROW_ROLLING)
        return 0;
    const bool swings = l == 0 && point->slipping >= LASTING;
    KSI_EACH_BODY (point->bodyIndex, side, at) {
        const bool isGoing = point->going[side] >= LASTING;
        if (l == 0 && point->drifts && isGoing) {
            sum += ksiDotSix(point->change[side], ksiVelocityOf(&step->body[at]));
            continue;
        }
        sum += isGoing ? turningOf(step, point, l, side) : 0;
        double material[3];
        velocityAt(step, at, point->place, material);
        sum += swings ? ksiDot(point->change[side], material) : 0;
    }
    return sum;
}
