/* targets.c  Velocities that rows follow: a motor's, and that of a position which the host shifts (equal stops as a servo, the
 * distance of a double ball as a winch). The engine closes erp of what is left of such shifts in each step, and so does the mechanism:
 *
 *     left_k = (1 - erp) left_k-1 + s_k - s_k-1,       J v = erp left_k/h
 *
 * Where nothing is shifted that is 0, whatever the joint has drifted. */
#include "targets.h"
#include "memory.h"

#include <math.h>

/* m or rad: with less left of its shifts, a position has been reached */
static const double reached = 1e-12;

/* Does the row follow a shift, or did it in the last step? Where the host has moved the bodies as well, all that is between them and the
 * position is left. */
static bool followShifts(const ksiStep *step, ksiJointInput *joint, int l)
{
    const ksiHistory *last = ksiHistoryOf(step, joint);
    const int before = last ? ksiRowBefore(joint, last, l) : -1;
    double erp;
    joint->position[l] = ksiSettingOf(joint->seen, &joint->rows, l, &erp);
    if (before < 0 || isnan(last->position[before]))
        return false;
    double left = (1 - erp) * last->left[before] + joint->position[l] - last->position[before];
    if (fabs(left) <= reached)
        left = 0;
    else if (!ksiIsAsLeft(step, joint))
        left = joint->rows.row[l].c * step->h / erp;
    joint->left[l] = left;
    joint->target[l] = erp * left / step->h;
    return left != 0 || last->left[before] != 0;
}

bool ksiReadTargets(const ksiStep *step, ksiJointInput *joint)
{
    bool any = false;
    for (int l = 0; l < joint->rows.count; l++) {
        const bool isMotor = joint->rows.row[l].kind == KS_ROW_MOTOR, isSet = ksiRowHoldsSetting(&joint->rows, l);
        joint->target[l] = isMotor ? joint->rows.row[l].c : 0;
        joint->position[l] = NAN;
        joint->left[l] = 0;
        joint->follows |= isMotor || (isSet && followShifts(step, joint, l)) ? 1u << l : 0;
        any |= isMotor || isSet;
    }
    return any;
}
