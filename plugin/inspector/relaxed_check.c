/* relaxed_check.c  In each step some joints of an island get their multipliers once more one by one, each from its relaxed
 * coordinate and an admissible motion of the mechanism (Paulus 1910 (17), (18)), along the true motion: that one is checked
 * with them. */
#include "inspector_private.h"

#include <math.h>

/* Rows at bounds that count as inside: the island's system is not the one any more that its multipliers solve. */
static bool hasWeakRows(const ksInspector *inspector, const ksiIsland *island)
{
    for (int i = 0; island->bounded && i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; l < joint->rows.count; l++)
            if (joint->place[l] == KS_INSIDE && joint->weak[l] != KS_INSIDE)
                return true;
    }
    return false;
}

/* Rows that are neither at a bound nor shared; returns how many. */
static int rowsToCheck(const ksiJointState *joint, int row[KSI_MAX_ROWS])
{
    int count = 0;
    for (int l = 0; l < joint->rows.count; l++)
        if (joint->place[l] == KS_INSIDE && joint->rowSize[l] > 0 && !(joint->undetermined >> l & 1))
            row[count++] = joint->systemRow[l];
    return count;
}

static ksStatus checkJoint(ksInspector *inspector, int index, const ksiJointState *joint, unsigned long turn,
                           const double *multiplier, const double *bar)
{
    int row[KSI_MAX_ROWS];
    ksiRelaxed relaxed[KSI_MAX_ROWS];
    const int count = rowsToCheck(joint, row);
    if (count == 0)
        return KS_OK;
    const ksStatus status = ksiSystemRelaxRows(ksiIslandSystem(inspector, index), count, row, turn, NULL, relaxed);
    for (int l = 0; !status && l < count; l++)
        if (fabs(relaxed[l].multiplier - multiplier[row[l]]) > bar[row[l]] + relaxed[l].allowance)
            inspector->island[index].reasons |= KS_REASON_RELAXED;
    return status;
}

ksStatus ksiCheckRelaxed(ksInspector *inspector, int index, const double *multiplier, const double *bar)
{
    const ksiIsland *island = &inspector->island[index];
    const unsigned long joints = (unsigned long)island->jointCount;
    const unsigned long asked = (unsigned long)inspector->options.relaxedPerStep,
                        some = asked < joints ? asked : joints;
    const unsigned long first = inspector->step * some;
    ksStatus status = KS_OK;
    if (some == 0 || hasWeakRows(inspector, island))
        return KS_OK;
    for (unsigned long k = first; !status && k < first + some; k++)
        status = checkJoint(inspector, index, ksiIslandJoint(inspector, island, (int)(k % joints)), k / joints,
                            multiplier, bar);
    return status;
}
