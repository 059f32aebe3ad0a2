/* turned.c  What the drift of a tree leaves open of its reactions.
 *
 * To where the joints fit, a tree gets by moving what is beyond each joint as one body. Points that are apart change nothing by
 * that: lever arms belong to the bodies. Axes that are apart by the angle phi turn the reaction with what is beyond, and where a
 * lever reaches from one body to the other, a gap g is a part of it:
 *
 *     df = phi x f,      dt = phi x t + g x f
 */
#include "physical.h"
#include "size.h"

#include "../engine/vector.h"

/* Where its lever arms are those of the bodies. */
static bool hasOwnLevers(dJointType type)
{
    return type == dJointTypeBall || type == dJointTypeHinge || type == dJointTypeUniversal ||
           type == dJointTypeHinge2 || type == dJointTypeFixed;
}

static bool gapsOf(const ksiStep *step, int index, double gap[KSI_MAX_ROWS])
{
    const ksiJointInput *joint = &step->joint[index];
    if (!joint->isCopied)
        return false;
    const double *copy = step->input->copy + joint->copyAt;
    ksiRows here;
    if (!ksiGapsOfRows(copy, &joint->rows, step->h, step->input->erp, gap) &&
        ksiReadRowsAt(copy, &joint->rows, step->h, ksiBodyOfJoint(step, index, 0), ksiBodyOfJoint(step, index, 1),
                      &here, gap))
        return false;
    // what follows a target has not drifted from it, and a spring's deflection is none
    for (int l = 0; l < joint->rows.count; l++) {
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
        const double *row = joint->rows.row[l].jacobian[side], linear = ksiDot(row, row),
                     angular = ksiDot(row + 3, row + 3);
        if (linear > 0)
            linear2 += gap[l] * gap[l] / linear;
        else if (angular > 0)
            angular2 += gap[l] * gap[l] / angular;
    }
    return sqrt(linear2 / radius2 + angular2);
}

bool ksiTurnReaction(const ksiStep *step, int index, const ksiPhysical *physical, double *force)
{
    const ksiJointInput *joint = &step->joint[index];
    const int *link = step->member[index].link, side = link[1] >= 0 ? 1 : 0;
    double gap[KSI_MAX_ROWS], turn[3] = {0}, moved[3] = {0}, reaction[6] = {0}, change[6] = {0};
    // a ball has no axes that turn
    if (joint->type == dJointTypeContact || joint->type == dJointTypeBall || link[side] < 0 ||
        !gapsOf(step, index, gap))
        return false;
    for (int l = 0; l < joint->rows.count; l++) {
        const double *row = joint->rows.row[l].jacobian[side], linear = ksiDot(row, row),
                     angular = ksiDot(row + 3, row + 3);
        for (int k = 0; k < 3; k++) {
            if (linear > 0)
                moved[k] += hasOwnLevers(joint->type) ? 0 : gap[l] * row[k] / linear;
            else if (angular > 0)
                turn[k] += gap[l] * row[3 + k] / angular;
        }
        ksiAddSix(reaction, physical->joint[index].multiplier[l], row);
    }
    addCross(turn, reaction, change);
    addCross(turn, reaction + 3, change + 3);
    addCross(moved, reaction, change + 3);
    ksiAddSix(force + 6 * step->bodyMember[link[side]].block, 1, change);
    return ksiSize(change, 6) > 0;
}
