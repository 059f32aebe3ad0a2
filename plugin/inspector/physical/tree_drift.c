/* tree_drift.c  Finds the uncertainty of a tree's reactions because of drift.
 *
 * When a tree is brought to its exact pose, the branch beyond each joint moves as one body. A gap
 * between points changes nothing if the lever arms belong to the bodies. An angle phi between axes
 * turns the reaction, a force `f` and a torque `t`, with the branch. A lever from one body to the
 * other contains the gap `g`:
 *
 *     df = phi x f,      dt = phi x t + g x f
 */
#include "../publish/published.h"
#include "../publish/wrench_norm.h"
#include "physical.h"

#include "../../engine/vector.h"

#include <math.h>
#include <string.h>

/* Do the lever arms of a joint of this type belong to its bodies? */
static bool hasOwnLevers(dJointType type)
{
    return type == dJointTypeBall || type == dJointTypeHinge || type == dJointTypeUniversal ||
           type == dJointTypeHinge2 || type == dJointTypeFixed;
}

static bool gapsOf(const ksiStep *step, int index, double gap[KSI_MAX_ROWS])
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointPhysical *found = &step->physical[index];
    if (found->hasGap)
        memcpy(gap, found->gap, sizeof found->gap);
    if (found->hasGap || !joint->isCopied)
        return found->hasGap;
    const double *copy = step->input->copy + joint->copyAt;
    ksiRows here;
    if (!ksiGapsOfRows(copy, &joint->rows, step->h, step->input->erp, gap) &&
        ksiReadRowsAt(copy, &joint->rows, step->h, ksiBodyOfJoint(step, index, 0), ksiBodyOfJoint(step, index, 1),
                      &here, gap))
        return false;
    // neither distance from a target nor a spring's deflection is drift
    const bool isAllRigid = joint->rows.mostCompliant <= step->options.rigidCfm && !joint->follows;
    for (int l = 0; !isAllRigid && l < joint->rows.count; l++) {
        const bool isRigid = joint->rows.row[l].cfm <= step->options.rigidCfm;
        gap[l] = isRigid && !(joint->follows >> l & 1u) ? gap[l] : 0;
    }
    return true;
}

static void addCross(const double a[3], const double b[3], double out[3])
{
    double cross[3];
    ksiCross(cross, a, b);
    ksiAddScaled(out, 1, cross);
}

/* Adds the squared gap of a row, given the row's part on one body: m^2, or rad^2 for a torque
 * row. */
static void addSquares(const double row[6], double gap, double *linear2, double *angular2)
{
    const double linear = ksiDot(row, row), angular = linear > 0 ? 1 : ksiDot(row + 3, row + 3);
    if (linear > 0)
        *linear2 += gap * gap / linear;
    else if (angular > 0)
        *angular2 += gap * gap / angular;
}

double ksiRelativeGap(const ksiStep *step, int index)
{
    const ksiJointInput *joint = &step->joint[index];
    const int *link = step->member[index].link, side = link[1] >= 0 ? 1 : 0;
    double gap[KSI_MAX_ROWS], linear2 = 0, angular2 = 0;
    if (joint->type == dJointTypeContact || link[side] < 0 || !gapsOf(step, index, gap))
        return 0;
    const ksiBody *body = &step->body[link[side]].begin;
    const double radius2 = (body->inertia[0] + body->inertia[4] + body->inertia[8]) / (3 * body->mass);
    for (int l = 0; l < joint->rows.count; l++) {
        addSquares(joint->rows.row[l].jacobian[side], gap[l], &linear2, &angular2);
    }
    return sqrt(linear2 / radius2 + angular2);
}

void ksiFindGap(const ksiStep *step, int index, double gap[2])
{
    const ksiJointInput *joint = &step->joint[index];
    double of[KSI_MAX_ROWS], linear2 = 0, angular2 = 0;
    gap[0] = gap[1] = NAN;
    if (!joint->isRead || joint->type == dJointTypeContact || ksiHasFalseError(&joint->rows) ||
        !gapsOf(step, index, of))
        return;
    for (int l = 0; l < joint->rows.count; l++)
        if (of[l] != 0 && joint->rows.row[l].kind == KS_ROW_BILATERAL)
            addSquares(joint->rows.row[l].jacobian[joint->bodyIndex[0] < 0], of[l], &linear2, &angular2);
    gap[0] = sqrt(linear2);
    gap[1] = sqrt(angular2);
}

int ksiTurnReaction(const ksiStep *step, int index, ksiJointPhysical *physical, double change[6])
{
    const ksiJointInput *joint = &step->joint[index];
    const int *link = step->member[index].link, side = link[1] >= 0 ? 1 : 0;
    const bool isOwn = hasOwnLevers(joint->type);
    double *gap = physical->gap, turn[3] = {0}, moved[3] = {0}, reaction[6] = {0};
    bool any = false;
    // a ball has no axes
    if (joint->type == dJointTypeContact || joint->type == dJointTypeBall || link[side] < 0 ||
        !(physical->hasGap || gapsOf(step, index, gap)))
        return -1;
    physical->hasGap = true;
    for (int l = 0; l < joint->rows.count; l++) {
        if (gap[l] == 0)
            continue;
        const double *row = joint->rows.row[l].jacobian[side], linear = ksiDot(row, row);
        if (linear > 0 && !isOwn)
            ksiAddScaled(moved, gap[l] / linear, row);
        const double angular = linear > 0 ? 0 : ksiDot(row + 3, row + 3);
        if (angular > 0)
            ksiAddScaled(turn, gap[l] / angular, row + 3);
        any |= !isOwn || angular > 0;
    }
    if (!any)
        return -1;
    for (int l = 0; l < joint->rows.count; l++)
        ksiAddSix(reaction, physical->multiplier[l], joint->rows.row[l].jacobian[side]);
    memset(change, 0, 6 * sizeof *change);
    addCross(turn, reaction, change);
    addCross(turn, reaction + 3, change + 3);
    addCross(moved, reaction, change + 3);
    return ksiSize(change, 6) > 0 ? link[side] : -1;
}
