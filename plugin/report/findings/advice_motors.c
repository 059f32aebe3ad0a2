/* advice_motors.c  Advice on motors that their loads overcome. */
#include "advice_inside.h"

#include "../collect/motors.h"

static void writeMotor(const ksiJointView *joint, int axis, ksiText *out)
{
    const ksiMotorStats *motor = &joint->stats->motor[axis];
    const char *unit = ksiIsAlongAxis(joint->stats->type, axis) ? "N" : "N.m";
    ksiTextAdd(
        out,
        "%s: its motor%s of %.4g %s is at its limit in %.3g %% of its steps; to hold, it takes %.4g %s (%.3g %% more)",
        joint->name,
        axis == 1   ? " of axis 2"
        : axis == 2 ? " of axis 3"
                    : "",
        motor->limit, unit, 100 * (double)motor->saturated / (double)motor->steps, motor->need, unit,
        100 * (motor->need / motor->limit - 1));
}

uint64_t ksiWriteMotors(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    size_t told = 0;
    const size_t count = ksiCountTold(view, world, finding);
    for (size_t i = 0; i < world->jointCount && told < KSI_MOST_NAMES; i++) {
        const ksiJointView *joint = world->worstFirst[i];
        if (!ksiIsTold(view, world, finding, joint))
            continue;
        ksiTextAdd(out, "%s", told++ == 0 ? "A motor is overcome by its load. " : "; ");
        int axis = 0;
        while (!ksiIsOvercome(&joint->stats->motor[axis]))
            axis++;
        writeMotor(joint, axis, out);
    }
    if (told == 0)
        return 0;
    if (count > told)
        ksiTextAdd(out, "; and %zu more", count - told);
    ksiTextAdd(
        out,
        ". If it is to hold, give it more force (dParamFMax); as friction, or to give way, it does what it is for.\n");
    return 1;
}
