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

/* The velocities of both bodies as they are wanted here: of a body that moves freely, or of any other. */
typedef struct Motion {
    const double *before[2], *after[2], *driven[2];
    bool anyDriven;
} Motion;

static Motion motionOf(const ksInspector *inspector, const ksiJointState *joint)
{
    static const double rest[6];
    Motion motion = {{rest, rest}, {rest, rest}, {rest, rest}, false};
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        if (body->moved) {
            motion.before[side] = body->begin.velocity;
            motion.after[side] = body->solved;
        } else {
            motion.driven[side] = body->begin.velocity;
            motion.anyDriven = true;
        }
    }
    return motion;
}

/* J v */
KSI_INLINE double rateOf(const double row[2][6], const double *const v[2])
{
    const ksiFour four =
        *(const ksiFour *)row[0] * *(const ksiFour *)v[0] + *(const ksiFour *)row[1] * *(const ksiFour *)v[1];
    const ksiTwo two = *(const ksiTwo *)(row[0] + 4) * *(const ksiTwo *)(v[0] + 4) +
                       *(const ksiTwo *)(row[1] + 4) * *(const ksiTwo *)(v[1] + 4);
    return ((four[0] + four[2]) + two[0]) + ((four[1] + four[3]) + two[1]);
}

KSI_CLONES
void ksiFindRowRates(const ksInspector *inspector, const ksiJointState *joint, ksiRowRates *rates)
{
    const Motion motion = motionOf(inspector, joint);
    for (int l = 0; l < joint->rows.count; l++) {
        const double(*row)[6] = joint->rows.jacobian[l];
        rates->before[l] = rateOf(row, motion.before);
        rates->after[l] = rateOf(row, motion.after);
        rates->driven[l] = motion.anyDriven ? rateOf(row, motion.driven) : 0;
    }
}

void ksiBookWork(ksInspector *inspector, const ksiJointState *joint, const ksiRowRates *rates)
{
    ksRow *row = &inspector->row[joint->firstRow];
    double sum = 0;
    for (int l = 0; l < joint->rows.count; l++, row++) {
        if (!joint->finite) {
            row->work = 0;
            memset(row->workPart, 0, sizeof row->workPart);
            continue;
        }
        const double lambda = joint->multiplier[l], impulse = inspector->h * lambda;
        const double before = rates->before[l], after = rates->after[l];
        row->work = 0.5 * impulse * (before + after);
        row->workPart[KS_WORK_TARGET] = impulse * (row->c - rates->driven[l]);
        row->workPart[KS_WORK_COMPLIANCE] = -impulse * row->cfm * lambda;
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
    double gravity = 0, other = 0;
    report->kineticEnergy[0] += body->kinetic[0];
    report->kineticEnergy[1] += body->kinetic[1];
    report->dampingWork += body->kinetic[2] - body->kinetic[1];
    KSI_UNROLL
    for (int k = 0; k < 6; k++) {
        const double mean = 0.5 * (b->velocity[k] + body->solved[k]), weight = k < 3 ? b->gravity[k] : 0;
        other += (b->force[k] + body->fudge[k] - weight) * mean;
        gravity += weight * mean;
    }
    report->forceWork += inspector->h * other;
    double fall = 0;
    for (int k = 0; k < 3; k++)
        fall += b->gravity[k] * (body->endCentre[k] - b->centre[k]);
    report->potentialChange -= fall;
    report->gravityDiscretisation += inspector->h * gravity - fall;
}
