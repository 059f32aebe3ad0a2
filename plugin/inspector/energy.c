/* energy.c  Where the kinetic energy of a step comes from and goes to.
 *
 * With the masses of the start pose, the change of T = v^T M v / 2 from v to v* is the sum over rows and applied forces of
 *
 *     W_l = h lambda_l J_l (v + v*) / 2          W_f = h f (v + v*) / 2
 *
 * to rounding. A row's share has four causes, since J_l v* = c_l - cfm_l lambda_l + r_l:
 *
 *     W_l = h lambda c  -  h cfm lambda^2  +  h lambda r  -  h lambda J (v* - v) / 2
 *
 * J over the bodies that move freely; the motion of a kinematic partner belongs to the target c. In the continuum an ideal
 * row at rest does no work (Banach X, section 5); a discrete one does, by its last term. */
#include "inspector_private.h"

#include "../vectorise.h"

#include <string.h>

/* The velocities of one side, twelve numbers for both, as they are wanted here. */
typedef struct Motion {
    double before[12], after[12], driven[12];
} Motion;

static bool gatherMotion(const ksInspector *inspector, const ksiJointState *joint, Motion *motion)
{
    bool anyDriven = false;
    memset(motion, 0, sizeof *motion);
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        if (body->moved) {
            memcpy(motion->before + 6 * side, body->begin.velocity, sizeof body->begin.velocity);
            memcpy(motion->after + 6 * side, body->solved, sizeof body->solved);
        } else {
            memcpy(motion->driven + 6 * side, body->begin.velocity, sizeof body->begin.velocity);
            anyDriven = true;
        }
    }
    return anyDriven;
}

KSI_CLONES
void ksiFindRowRates(const ksInspector *inspector, const ksiJointState *joint, ksiRowRates *rates)
{
    Motion motion;
    bool anyDriven = gatherMotion(inspector, joint, &motion);
    for (int l = 0; l < joint->rows.count; l++) {
        const double *row = joint->rows.jacobian[l][0];
        rates->before[l] = ksiDotTwelve(row, motion.before);
        rates->after[l] = ksiDotTwelve(row, motion.after);
        rates->driven[l] = anyDriven ? ksiDotTwelve(row, motion.driven) : 0;
    }
}

void ksiBookWork(ksInspector *inspector, const ksiJointState *joint, const ksiRowRates *rates)
{
    double sum = 0;
    for (int l = 0; l < joint->rows.count; l++) {
        ksRow *row = &inspector->row[joint->firstRow + (size_t)l];
        if (!joint->finite) {
            row->work = 0;
            memset(row->workPart, 0, sizeof row->workPart);
            continue;
        }
        const double lambda = joint->multiplier[l], impulse = inspector->h * lambda;
        const double before = rates->before[l], after = rates->after[l], driven = rates->driven[l];
        const double c = joint->rows.c[l], cfm = joint->rows.cfm[l];
        row->work = 0.5 * impulse * (before + after);
        row->workPart[KS_WORK_TARGET] = impulse * (c - driven);
        row->workPart[KS_WORK_COMPLIANCE] = -impulse * cfm * lambda;
        row->workPart[KS_WORK_RESIDUAL] = impulse * row->residual;
        row->workPart[KS_WORK_DISCRETISATION] = -0.5 * impulse * (after - before);
        sum += row->work;
    }
    inspector->report.rowWork += sum;
}

void ksiBookEnergy(ksInspector *inspector, const ksiBodyState *body)
{
    if (!body->moved)
        return;
    ksStepReport *report = &inspector->report;
    const ksiBody *b = &body->begin;
    double gravity = 0;
    report->kineticEnergy[0] += body->kinetic[0];
    report->kineticEnergy[1] += body->kinetic[1];
    report->dampingWork += body->kinetic[2] - body->kinetic[1];
    for (int k = 0; k < 6; k++) {
        double mean = 0.5 * (b->velocity[k] + body->solved[k]), weight = k < 3 ? b->gravity[k] : 0;
        report->forceWork += inspector->h * (b->force[k] + body->fudge[k] - weight) * mean;
        gravity += inspector->h * weight * mean;
    }
    double fall = 0;
    for (int k = 0; k < 3; k++)
        fall += b->gravity[k] * (body->endCentre[k] - b->centre[k]);
    report->potentialChange -= fall;
    report->gravityDiscretisation += gravity - fall;
}
