/* pose_rows.c  Moves bodies to another pose, and reads their joints there. */
#include "../publish/wrench_norm.h"
#include "pose_private.h"

#include "../../linear/leastsquares.h"

#include <math.h>

/* A larger relative change of a row means that the engine has written the joint's rows in another
 * frame. Drift turns them by less; a tenth of this limit works as well. */
static const double turnedRow = 0.1;

void ksiPosedMotion(const ksiPose *pose, int block, const ksiPosedBody *as, double motion[6])
{
    const ksiFour *y = pose->island.core.link[pose->island.core.linkOf.at[block]].y;
    double own[3];
    for (int k = 0; k < 3; k++) {
        const double *column = as->at.root.column[k];
        motion[k] = as->at.root.massInverse * y[k][0];
        own[k] = column[1] * y[3][0] + column[2] * y[4][0] + column[3] * y[5][0];
    }
    for (int k = 0; k < 3; k++)
        motion[3 + k] = as->turn[3 * k] * own[0] + as->turn[3 * k + 1] * own[1] + as->turn[3 * k + 2] * own[2];
}

/* out = a b of 3 x 3 matrices; out may be a or b */
static void multiply(const double a[9], const double b[9], double out[9])
{
    double c[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            c[3 * i + k] = a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
    memcpy(out, c, sizeof c);
}

/* exp of a rotation vector */
static void exponential(const double w[3], double out[9])
{
    const double angle = ksiSize(w, 3), half = 0.5 * angle;
    const double sine = angle > 0 ? sin(angle) / angle : 1,
                 cosine = angle > 0 ? 0.5 * sin(half) / half * sin(half) / half : 0.5;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out[3 * i + k] = cosine * w[i] * w[k] + (i == k ? 1 - 2 * sin(half) * sin(half) : 0);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[3 * k + j] += sine * w[i];
        out[3 * j + k] -= sine * w[i];
    }
}

void ksiMovePosed(ksiPosedBody *body, const double motion[6])
{
    double turn[9];
    exponential(motion + 3, turn);
    for (int k = 0; k < 3; k++)
        body->at.centre[k] += motion[k];
    multiply(turn, body->turn, body->turn);
    multiply(turn, body->at.rotation, body->at.rotation);
}

/* With J' the present and J the earlier rows: finds C with the least |J - C J'|, and sets J' := C
 * J', the present rows in the earlier frame. */
KSI_CLONES
static void keepFrame(const ksiPosing *p, int joint, ksiPosedJoint *at)
{
    const ksiJointInput *input = &p->step->joint[joint];
    const ksiRow *before = input->rows.row;
    const int count = at->bilateral;
    ksiFit fit[KSI_MAX_ROWS];
    double scaled[KSI_MAX_ROWS][12], gap[KSI_MAX_ROWS] = {0};
    bool turned = false;
    at->isTurned = false;
    for (int l = 0; l < count; l++) {
        double difference[12];
        for (int k = 0; k < 12; k++)
            difference[k] = at->rows.row[l].jacobian[k / 6][k % 6] - before[l].jacobian[k / 6][k % 6];
        ksiScalePosedRow(p->pose, at, difference, scaled[l]);
        turned |= ksiSize(scaled[l], 12) > turnedRow * ksiSize(input->scaled[l], 12);
    }
    for (int l = 0; turned && l < count; l++) {
        ksiScalePosedRow(p->pose, at, at->rows.row[l].jacobian[0], scaled[l]);
        ksiScalePosedRow(p->pose, at, before[l].jacobian[0], fit[l].b);
        fit[l].a = scaled[0];
        fit[l].x = at->frame[l];
    }
    for (int l = 0; turned && l < count; l += KSI_LEAST_SQUARES_AT_ONCE) {
        const int left = count - l;
        ksiLeastSquares(count, left < KSI_LEAST_SQUARES_AT_ONCE ? left : KSI_LEAST_SQUARES_AT_ONCE,
                        ksiRowRank(p->step->isSingle), &fit[l]);
    }
    for (int l = 0; turned && l < count; l++)
        turned = fit[l].rank == count;
    if (!turned)
        return;
    at->isTurned = true;
    memset(at->jacobian, 0, sizeof at->jacobian);
    for (int l = 0; l < count; l++)
        for (int r = 0; r < count; r++) {
            gap[l] += at->frame[l][r] * at->gap[r];
            for (int k = 0; k < 12; k++)
                at->jacobian[l][k] += at->frame[l][r] * at->rows.row[r].jacobian[k / 6][k % 6];
        }
    memcpy(at->gap, gap, (size_t)count * sizeof *gap);
}

/* A copy of the joint in the same pose has bitwise the same rows. */
static bool areSameRows(const ksiRows *a, const ksiRows *b)
{
    bool same = true;
    for (int l = 0; l < a->count; l++)
        for (int k = 0; k < 12; k++)
            same &= a->row[l].jacobian[k / 6][k % 6] == b->row[l].jacobian[k / 6][k % 6];
    return same;
}

ksStatus ksiReadPosedJoints(const ksiPosing *p, bool first)
{
    const ksiStep *step = p->step;
    KSI_EACH_JOINT (step, p->island, i, index) {
        const ksiJointInput *joint = &step->joint[index];
        ksiPosedJoint *at = &p->pose->joint[i];
        at->isTurned = false;
        if (joint->type == dJointTypeContact) {
            // a contact has no other pose, so its rows do not change
            at->rows = joint->rows;
            continue;
        }
        if (!joint->isCopied)
            return KS_ERROR_UNAVAILABLE;
        KSI_TRY(ksiReadRowsAt(step->input->copy + joint->copyAt, &joint->rows, step->h, ksiPosedBodyAt(p, index, at, 0),
                              ksiPosedBodyAt(p, index, at, 1), &at->rows, at->gap));
        if (first && !areSameRows(&joint->rows, &at->rows))
            return KS_ERROR_UNAVAILABLE;
        if (!first)
            keepFrame(p, index, at);
    }
    return KS_OK;
}
