/* targets.c  Finds velocities that rows follow. One is a motor's target. The other is the velocity
 * of a position that the host shifts: equal stops serve as a servo, or the distance of a double
 * ball serves as a winch. In each step, the engine closes the share `erp` of the shifts that are
 * left, and so does the mechanism. With the position s_k in step k,
 *
 *     left_k = (1 - erp) left_k-1 + s_k - s_k-1,       J v = erp left_k/h
 *
 * If there are no shifts, left_k is 0, whatever the drift of the joint. */
#include "targets.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* m or rad: a position is reached if less of its shifts remains */
static const double reached = 1e-12;

/* The host's shift of the position since the last step, if the gap of the joint has changed with
 * it; else 0. The gap may stay the same if the host also changed the anchors: the length of a
 * string on a drum counts from the point where it leaves the drum. The row turns during the step,
 * so the mean of its two readings gives the distance that the bodies have moved along it: near the
 * point of return of a winch, the shift is less than the error of a single reading. */
static double shiftOf(const ksiStep *step, const ksiJointInput *joint, int l, const ksiHistory *history, int before)
{
    const ksiSetting *now = &joint->setting[l], *last = &history->setting[before];
    const double shift = now->position - last->position;
    double rate = joint->moving[l];
    KSI_EACH_BODY (joint->bodyIndex, side, at)
        rate += ksiDotSix(history->jacobian[before][side], ksiVelocityOf(&step->body[at]));
    const double found = now->gap - last->gap + step->previousH * rate / 2;
    return fabs(found - shift) < fabs(shift) / 2 ? shift : 0;
}

/* Does the row follow a shift, or did it follow one in the last step? If the host has also moved
 * the bodies, the whole distance to the position remains. */
static bool followShifts(const ksiStep *step, ksiJointInput *joint, int l)
{
    const ksiHistory *history = ksiHistoryOf(step, joint);
    const int before = history ? ksiRowBefore(joint, history, l) : -1;
    ksiSetting *now = &joint->setting[l];
    double erp;
    now->position = ksiSettingOf(joint->seen, &joint->rows, l, &erp);
    now->gap = joint->rows.row[l].c * step->h / erp;
    now->left = 0;
    // the row was absent, a stop or a motor in the last step; or the engine drives it away from its
    // position
    if (before < 0 || history->kind[before] != KS_ROW_BILATERAL || !(erp > 0) || ksiHasFalseError(&joint->rows))
        return false;
    const ksiSetting *last = &history->setting[before];
    if (ksiIsAsLeft(step, joint))
        now->left = (1 - erp) * last->left + shiftOf(step, joint, l, history, before);
    else if (last->left != 0 || now->position != last->position)
        now->left = now->gap;
    now->left = fabs(now->left) > reached ? now->left : 0;
    joint->target[l] = erp * now->left / step->h;
    return now->left != 0 || last->left != 0;
}

/* The first row with a target or a position that the host can set: the distance of a double ball,
 * or else the first row of an axis. */
static int firstThatFollows(const ksiRows *rows)
{
    return rows->type == dJointTypeDBall ? 0 : rows->permanent;
}

bool ksiReadTargets(const ksiStep *step, ksiJointInput *joint)
{
    bool any = false;
    memset(joint->target, 0, sizeof joint->target);
    for (int l = firstThatFollows(&joint->rows); l < joint->rows.count; l++) {
        const bool isMotor = joint->rows.row[l].kind == KS_ROW_MOTOR;
        const bool isSet = joint->rows.row[l].kind == KS_ROW_BILATERAL;
        joint->target[l] = isMotor ? joint->rows.row[l].c : 0;
        joint->follows |= isMotor || (isSet && followShifts(step, joint, l)) ? 1u << l : 0;
        any |= isMotor || isSet;
    }
    return any;
}
