/* advice_motors.c  Advice on motors: too weak for their loads, driven against their stops, or
 * working against each other. */
#include "advice.h"
#include "advice_inside.h"

#include "../collect/motors.h"

typedef void WriteMotor(const ksiWorldView *world, const ksiMotorStats *motor, const char *unit, ksiText *out);

static const char *speedUnit(const char *unit)
{
    return unit[1] == 0 ? "m/s" : "rad/s";
}

static double shareOf(uint64_t steps, const ksiMotorStats *motor)
{
    return 100 * (double)steps / (double)(motor->steps + motor->stopped);
}

/* Near a singular pose of the mechanism one step may need a thousand times the force of the
 * others. */
static void writeNeed(const ksiMotorStats *motor, const char *unit, ksiText *out)
{
    static const double same = 1.01, near = 2; /* the width of a bin; a ratio that one motor can
                                                  cover */
    const double most = motor->need.largest, many = ksiQuantile(&motor->need, KSI_PERCENTILE),
                 half = ksiQuantile(&motor->need, 50);
    const bool isSame = most <= same * many, isMany = many <= near * half;
    const double need = isSame ? most : isMany ? many : half;
    ksiTextAdd(out, "to hold%s, it takes %s%.*g %s",
               isSame   ? ""
               : isMany ? " in 95 % of the steps that overcome it"
                        : " in half of the steps that overcome it",
               isSame ? "up to " : "", isSame ? 4 : 3, need, unit);
    if (need > motor->limit)
        ksiTextAdd(out, " (%.*g %% more)", isSame ? 3 : 2, 100 * (need / motor->limit - 1));
    if (!isSame && most <= near * need)
        ksiTextAdd(out, ", in all of them %.3g %s", most, unit);
}

static void writeOvercome(const ksiWorldView *world, const ksiMotorStats *motor, const char *unit, ksiText *out)
{
    static const double same = 1.01; /* a larger ratio means that the host changes dParamFMax */
    (void)world;
    ksiTextAdd(out, "of ");
    if (motor->limit > same * motor->least)
        ksiTextAdd(out, "%.4g to ", motor->least);
    ksiTextAdd(out, "%.4g %s is at its limit in %.3g %% of its steps; ", motor->limit, unit,
               100 * (double)motor->saturated / (double)motor->steps);
    writeNeed(motor, unit, out);
}

static void writeLagging(const ksiWorldView *world, const ksiMotorStats *motor, const char *unit, ksiText *out)
{
    (void)world;
    ksiTextAdd(out,
               "falls up to %.4g %s behind its target of %.4g: in %.3g %% of its steps the load takes all of its force",
               motor->behind, speedUnit(unit), motor->target, shareOf(motor->lagging, motor));
}

static void writePressing(const ksiWorldView *world, const ksiMotorStats *motor, const char *unit, ksiText *out)
{
    (void)world;
    ksiTextAdd(out, "pushes against its stop in %.3g %% of its steps, with up to %.4g %s",
               shareOf(motor->pressing, motor), motor->pressed, unit);
}

static const char *nameOf(const ksiWorldView *world, const ksiMotorName *motor)
{
    for (size_t i = 0; i < world->jointCount; i++) {
        const ksiJointStats *stats = world->joint[i].stats;
        if ((int)stats->type == motor->type && stats->number == motor->number)
            return world->joint[i].name;
    }
    return "another joint";
}

static void writeOpposed(const ksiWorldView *world, const ksiMotorStats *motor, const char *unit, ksiText *out)
{
    ksiTextAdd(out, "works against the motor of %s in %.3g %% of its steps: up to %.4g %s cancel out",
               nameOf(world, &motor->other), shareOf(motor->opposed, motor), motor->cancelled, unit);
}

static const struct {
    WriteMotor *write;
    const char *begin, *end;
} words[KSI_FINDINGS] = {
    [KSI_FINDS_MOTOR] = {writeOvercome, "A motor is overcome by its load. ",
                         "If it is to hold, give it more force (dParamFMax). As friction, or as a clutch, it works as "
                         "intended."},
    [KSI_FINDS_MOTOR_TARGET] = {writeLagging, "A motor does not reach its target. ",
                                "Give it more force (dParamFMax), or a lower target (dParamVel)."},
    [KSI_FINDS_MOTOR_STOP] = {writePressing, "A motor presses against its own stop. ",
                              "This force is also in the joint. At the stop, switch the motor off (dParamFMax = 0, "
                              "untested)."},
    [KSI_FINDS_MOTORS] = {writeOpposed, "Two motors work against each other. ",
                          "Switch one of them off (dParamFMax = 0), or give both the same speed (untested)."}};

static void writeMotor(const ksiWorldView *world, const ksiJointView *joint, int kind, ksiText *out)
{
    static const char *const ofAxis[KSI_MOTORS] = {"", " of axis 2", " of axis 3"};
    int axis = 0;
    while (!ksiIsMotorFound(kind, &joint->stats->motor[axis]))
        axis++;
    ksiTextAdd(out, "%s: its motor%s ", joint->name, ofAxis[axis]);
    words[kind].write(world, &joint->stats->motor[axis], ksiIsAlongAxis(joint->stats->type, axis) ? "N" : "N.m", out);
}

uint64_t ksiWriteMotors(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    size_t told = 0;
    const size_t count = ksiCountTold(view, world, finding);
    for (size_t i = 0; i < world->jointCount && told < KSI_MOST_NAMES; i++) {
        if (!ksiIsTold(view, world, finding, world->worstFirst[i]))
            continue;
        ksiTextAdd(out, "%s", told++ == 0 ? words[finding->kind].begin : "; ");
        writeMotor(world, world->worstFirst[i], finding->kind, out);
    }
    if (told == 0)
        return 0;
    if (count > told)
        ksiTextAdd(out, "; and %zu more", count - told);
    ksiTextAdd(out, ". %s\n", words[finding->kind].end);
    return 1;
}
