/* relaxed_check.c  Checks the multipliers of some joints of an island in each step. Each multiplier
 * is computed again from its relaxed coordinate plus a permitted motion of the mechanism (Paulus
 * 1910 (17), (18)). The permitted motion makes the multiplier depend on the acceleration along that
 * motion. So the check also shows an error of this acceleration. On trees the walk of
 * articulated_walk.c has computed all multipliers in this way. */
#include "../solver.h"

#include <math.h>

/* Are there rows at bounds that count as inside? Then the multipliers solve different equations
 * than the island's system. */
static bool hasDegenerateRows(const ksiStep *step, const ksiIsland *island)
{
    if (!island->isBounded)
        return false;
    KSI_EACH_ROW (step, island, i, joint, l)
        if (step->convergedPlaces[joint].place[l] == KS_INSIDE &&
            step->convergedPlaces[joint].degenerate[l] != KS_INSIDE)
            return true;
    return false;
}

/* Lists the rows that are neither at a bound nor undetermined; returns their number. */
static int rowsToCheck(const ksiStep *step, int joint, int row[KSI_MAX_ROWS])
{
    int count = 0;
    for (int l = 0; l < step->joint[joint].rows.count; l++)
        if (step->convergedPlaces[joint].place[l] == KS_INSIDE && step->layout[joint].size[l] > 0 &&
            !(step->free[joint].undetermined >> l & 1))
            row[count++] = step->layout[joint].row[l];
    return count;
}

static ksStatus checkJoint(const ksiStep *step, ksSystem *system, int joint, unsigned long turn,
                           const double *multiplier, const double *bar, bool *differs)
{
    int row[KSI_MAX_ROWS];
    ksiRelaxed relaxed[KSI_MAX_ROWS];
    const int count = rowsToCheck(step, joint, row);
    if (count == 0)
        return KS_OK;
    KSI_TRY(ksiSystemRelaxRows(system, count, row, turn, NULL, relaxed));
    for (int l = 0; l < count; l++)
        *differs |= fabs(relaxed[l].multiplier - multiplier[row[l]]) > bar[row[l]] + relaxed[l].allowance;
    return KS_OK;
}

ksStatus ksiCheckRelaxed(const ksiStep *step, const ksiSolver *solver, int index, const double *multiplier,
                         const double *bar, bool *differs)
{
    const ksiIsland *island = &step->island[index];
    const unsigned long joints = (unsigned long)island->jointCount;
    const unsigned long asked = (unsigned long)step->options.relaxedPerStep, some = asked < joints ? asked : joints;
    const unsigned long first = step->number * some;
    ksStatus status = KS_OK;
    if (some == 0 || ksiSystemIsWalked(solver->system) || hasDegenerateRows(step, island))
        return KS_OK;
    for (unsigned long k = first; !status && k < first + some; k++)
        status = checkJoint(step, solver->system, ksiIslandJoint(step, island, (int)(k % joints)), k / joints,
                            multiplier, bar, differs);
    return status;
}
