/* energy.c  Changes of the world's kinetic energy, by cause.
 *
 * With the masses of the start pose, rows and forces change the energy of a step exactly by their
 * work (motion.c). The remaining change comes from the integration of the poses. It is reported as
 * KS_ENERGY_REST, which completes the sum. */
#include "energy.h"
#include "../publish/published.h"

#include <math.h>

static const int causeOf[] = {[KS_ROW_BILATERAL] = KS_ENERGY_JOINTS,  [KS_ROW_STOP] = KS_ENERGY_STOPS,
                              [KS_ROW_MOTOR] = KS_ENERGY_MOTORS,      [KS_ROW_NORMAL] = KS_ENERGY_CONTACTS,
                              [KS_ROW_FRICTION] = KS_ENERGY_CONTACTS, [KS_ROW_ROLLING] = KS_ENERGY_CONTACTS};

void ksiBookJoint(const ksiStep *step, size_t index, const ksReaction *heard, ksiJointReport *own, ksStepReport *report)
{
    const ksiJointInput *joint = &step->joint[index];
    double work[KSI_MAX_ROWS];
    const double sum = heard ? heard->work : ksiFindWork(step, (int)index, work);
    report->rowWork += sum;
    if (joint->rows.plain && joint->type != dJointTypeContact)
        report->energyOf[KS_ENERGY_JOINTS] += sum;
    else
        for (int l = 0; own->isWritten && l < joint->rows.count; l++)
            report->energyOf[causeOf[joint->rows.row[l].kind]] += heard ? heard->row[l].work : work[l];
    own->fudgeWork = ksiFindMotorWork(step, (int)index);
    report->energyOf[KS_ENERGY_MOTORS] += own->fudgeWork;
    report->energyOf[KS_ENERGY_STOPS] -= own->fudgeWork;
}

void ksiBookWorld(const ksiEnergy *energy, double before, ksStepReport *report)
{
    double *of = report->energyOf, sum = 0;
    of[KS_ENERGY_WEIGHT] = -energy->potentialChange;
    of[KS_ENERGY_HOST] += energy->forceWork - energy->gyroscopicWork;
    of[KS_ENERGY_DAMPING] = energy->dampingWork;
    for (int i = 0; i < KS_ENERGY_COUNT; i++)
        sum += of[i];
    report->worldEnergy[0] = energy->world[0];
    report->worldEnergy[1] = energy->world[1];
    of[KS_ENERGY_REST] = energy->world[1] - energy->world[0] - sum;
    of[KS_ENERGY_SET] = isnan(before) ? 0 : energy->world[0] - before;
}
