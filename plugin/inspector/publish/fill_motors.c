/* fill_motors.c  The published motors of a joint, by axis. */
#include "published.h"

#include "../step_view.h"

#include <math.h>

const ksMotor ksiNoMotor = {.force = NAN,
                            .speed = NAN,
                            .target = NAN,
                            .power = NAN,
                            .mean = NAN,
                            .meanBar = NAN,
                            .physical = NAN,
                            .physicalBar = NAN};

static void fillMotor(const ksiStep *step, int index, int l, const ksRow *row, ksMotor *motor)
{
    const ksiJointInput *joint = &step->joint[index];
    const bool isAtStop = joint->rows.powered >> l & 1u;
    const double force = step->report[index].multiplier[l];
    motor->atStop = isAtStop;
    motor->saturated = isAtStop || step->reportPlaces[index].place[l] != KS_INSIDE;
    motor->force = isAtStop ? joint->rows.motor[l].force : row->engine;
    motor->target = isAtStop ? joint->rows.motor[l].velocity : row->c;
    motor->speed = row->residual + row->c - row->cfm * force;
    motor->power = motor->force * 0.5 * (joint->rate[l] + motor->speed);
    motor->physical = isAtStop && !isnan(row->physical) ? motor->force : row->physical;
    motor->physicalBar = isAtStop && !isnan(row->physical) ? 0 : row->physicalBar;
}

void ksiFillMotors(const ksiStep *step, int index, const ksRow *row, ksReaction *reaction)
{
    const ksiRows *rows = &step->joint[index].rows;
    for (int axis = 0; axis < 3; axis++)
        reaction->motor[axis] = ksiNoMotor;
    for (int l = rows->permanent; !step->isForeign && step->report[index].isWritten && l < rows->count; l++)
        if (rows->axis[l] >= 0 && (rows->row[l].kind == KS_ROW_MOTOR || rows->powered >> l & 1u))
            fillMotor(step, index, l, &row[l], &reaction->motor[rows->axis[l]]);
}
