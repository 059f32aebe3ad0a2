/* relaxed_check.c  In each step some joints of an island get each multiplier once more by itself, from its relaxed coordinate and
 * an admissible motion of the mechanism (Paulus 1910 (17), (18)), along the true motion: that motion is checked with it. */
#include "inspector_private.h"

#include <math.h>

/* Rows that are neither at a bound nor shared; returns how many. */
static int rowsToCheck(const ksiJointState *joint, int row[KSI_MAX_ROWS])
{
    int count = 0;
    for (int l = 0; l < joint->rows.count; l++)
        if (joint->place[l] == KS_INSIDE && joint->rowSize[l] > 0 && !(joint->undetermined >> l & 1))
            row[count++] = joint->systemRow[l];
    return count;
}

ksStatus ksiCheckRelaxed(ksInspector *inspector, int index, const double *multiplier, const double *bar)
{
    ksiIsland *island = &inspector->island[index];
    const unsigned long joints = (unsigned long)island->jointCount;
    const unsigned long asked = (unsigned long)inspector->options.relaxedPerStep,
                        some = asked < joints ? asked : joints;
    const unsigned long first = inspector->step * some;
    ksStatus status = KS_OK;
    for (unsigned long k = 0; !status && k < some; k++) {
        const unsigned long turn = (first + k) / joints;
        const ksiJointState *joint = ksiIslandJoint(inspector, island, (int)((first + k) % joints));
        int row[KSI_MAX_ROWS];
        ksiRelaxed relaxed[KSI_MAX_ROWS];
        const int count = rowsToCheck(joint, row);
        if (count > 0)
            status = ksiSystemRelaxRows(ksiIslandSystem(inspector, index), count, row, turn, NULL, relaxed);
        for (int l = 0; !status && l < count; l++)
            if (fabs(relaxed[l].multiplier - multiplier[row[l]]) > bar[row[l]] + relaxed[l].allowance)
                island->reasons |= KS_REASON_RELAXED;
    }
    return status;
}
