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
static int rowsToCheck(const ksiStep *step, int joint, int checked[KSI_MAX_ROWS])
{
    int count = 0;
    for (int l = 0; l < step->joint[joint].rows.count; l++)
        if (step->convergedPlaces[joint].place[l] == KS_INSIDE && step->layout[joint].size[l] > 0 &&
            !(step->free[joint].undetermined >> l & 1))
            checked[count++] = l;
    return count;
}

/* at: the joint's place in its island */
static ksStatus checkJoint(const ksiStep *step, ksiSolver *solver, int joint, int at, bool isPosed, unsigned long turn,
                           const double *multiplier, const double *bar, bool *differs)
{
    int checked[KSI_MAX_ROWS];
    ksiRelaxed relaxed;
    const int count = rowsToCheck(step, joint, checked);
    if (count == 0)
        return KS_OK;
    const int l = checked[turn % (unsigned long)count], row = step->layout[joint].row[l];
    if (isPosed) {
        relaxed.multiplier = ksiPosedRelax(solver, at, l, &relaxed.allowance);
        *differs |= !isfinite(relaxed.allowance);
    } else {
        KSI_TRY(ksiSystemRelaxLiterally(solver->system, row, NULL, &relaxed));
    }
    *differs |= fabs(relaxed.multiplier - multiplier[row]) > bar[row] + relaxed.allowance;
    return KS_OK;
}

ksStatus ksiCheckRelaxed(const ksiStep *step, ksiSolver *solver, int index, bool isPosed, const double *multiplier,
                         const double *bar, bool *differs)
{
    const ksiIsland *island = &step->island[index];
    const unsigned long joints = (unsigned long)island->jointCount;
    const unsigned long asked = (unsigned long)step->options.relaxedPerStep, some = asked < joints ? asked : joints;
    const unsigned long first = step->number * some;
    ksStatus status = KS_OK;
    if (some == 0 || ksiSystemIsWalked(solver->system) || hasDegenerateRows(step, island))
        return KS_OK;
    for (unsigned long k = first; !status && k < first + some; k++) {
        const int at = (int)(k % joints);
        status = checkJoint(step, solver, ksiIslandJoint(step, island, at), at, isPosed, k / joints, multiplier, bar,
                            differs);
    }
    return status;
}
