/* describe.c  What is published of each row of the step, but for the multipliers that are still to be found.
 *
 * Its work on the bodies that move freely, h lambda J (v + v*) / 2, has four causes, since J v* = c - cfm lambda + r:
 *
 *     h lambda c  -  h cfm lambda^2  +  h lambda r  -  h lambda J (v* - v) / 2
 *
 * The motion of a kinematic partner belongs to the target c. In the continuum an ideal row at rest does no work (Banach X,
 * section 5); a discrete one does, by the last term. */
#include "inspector_private.h"

#include "../vectorise.h"

#include <math.h>

/* The velocities of both bodies: of those that move freely, or of any others. */
typedef struct Motion {
    const double *before[2], *after[2], *driven[2];
    bool anyDriven;
} Motion;

KSI_INLINE Motion motionOf(const ksInspector *inspector, const ksiJointState *joint)
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
    const ksiTwo sum = ksiFold(&four) + two;
    return sum[0] + sum[1];
}

/* Returns the work. */
KSI_INLINE double describeRow(ksiJointState *joint, int l, double h, const Motion *motion)
{
    ksRow *row = &joint->rows.row[l];
    const double(*jacobian)[6] = row->jacobian;
    const double before = rateOf(jacobian, motion->before), after = rateOf(jacobian, motion->after);
    const double driven = motion->anyDriven ? rateOf(jacobian, motion->driven) : 0;
    const double c = row->c, cfm = row->cfm, lambda = joint->multiplier[l], impulse = h * lambda;
    const double residual = after + driven + cfm * lambda - c;
    joint->rate[l] = before + driven;
    row->determinate = 0;
    row->engine = joint->rank == joint->rows.count ? lambda : NAN;
    row->gauss = row->paulus = row->physical = row->errorBar = NAN;
    row->residual = residual;
    row->work = 0.5 * impulse * (before + after);
    row->workPart[KS_WORK_TARGET] = impulse * (c - driven);
    row->workPart[KS_WORK_COMPLIANCE] = -impulse * cfm * lambda;
    row->workPart[KS_WORK_RESIDUAL] = impulse * residual;
    row->workPart[KS_WORK_DISCRETISATION] = -0.5 * impulse * (after - before);
    return row->work;
}

KSI_CLONES
void ksiDescribeRows(ksInspector *inspector)
{
    double work = 0;
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        if (!joint->read)
            continue;
        const Motion motion = motionOf(inspector, joint);
        const ksRow *row = joint->rows.row;
        ksiPlaceRows(inspector, joint);
        for (int l = 0; l < joint->rows.count; l++) {
            const double ofRow = describeRow(joint, l, inspector->h, &motion);
            joint->work += ofRow;
            work += ofRow;
            joint->soft |= row[l].kind == KS_ROW_BILATERAL && row[l].cfm > inspector->options.rigidCfm;
        }
    }
    inspector->report.rowWork += work;
}
