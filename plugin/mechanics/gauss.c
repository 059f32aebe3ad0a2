/* gauss.c  The range-space route: all multipliers at once, without the motion.
 *
 *  (A + S) lambda = beta - J M^-1 f,   A = J M^-1 J^T = B^T B              Gugino 1930 (5)
 *
 *  from Gauss's principle: among the accelerations that satisfy the rows the true one is nearest to M^-1 f in the
 *  metric M. Sparse A + S = L D L^T by blocks (gauss.h). The residual of the refinement goes through the motion,
 *  r = beta - J a - S lambda with y = y_f + B lambda, not through A: so it sees what forming A has rounded away.
 */
#include "system_private.h"

#include "../base/quietly.h"

#include <string.h>

/* L and D, if they are not there yet, and the first sweep forward with y = y_f. */
static ksStatus begin(ksSystem *system, double near)
{
    ksiGauss *g = &system->gauss;
    ksStatus status = ksiGaussPattern(system);
    if (status)
        return status;
    if (ksiDoublesReserve(system, &g->load, (size_t)system->coordinateCount) ||
        ksiDoublesReserve(system, &g->result, (size_t)system->rowCount))
        return KS_ERROR_NO_MEMORY;
    g->side = system->beta.at;
    ksiAppliedForce(system, g->load.at);
    if (!g->numericKnown || near > g->near)
        ksiGaussFactorise(system, near);
    else
        ksiGaussForward(system, 1);
    if (g->lostCount == 0 || g->hubCount == 0)
        return KS_OK;
    // beside the hubs some rows depend on each other: with them they may not
    g->hubless = g->pattern;
    g->pattern = 0;
    status = ksiGaussPattern(system);
    if (!status)
        ksiGaussFactorise(system, near);
    return status;
}

static ksStatus solveOnce(ksSystem *system)
{
    const ksiGauss *g = &system->gauss;
    const int hasSettled = ksiGaussSettle(system);
    if (hasSettled && g->lostCount == 0)
        return KS_OK;
    if (!ksiAllFinite((size_t)g->laneCount, g->multiplier.at) ||
        !ksiAllFinite((size_t)system->coordinateCount, g->load.at))
        return KS_ERROR_NOT_FINITE;
    return ksiGaussDependent(system, hasSettled);
}

/* With more rows set aside where it has to be. */
static ksStatus solve(ksSystem *system)
{
    enum { factor = 1000 };
    ksStatus status = solveOnce(system);
    for (double near = factor * system->gauss.near; status == KS_ERROR_SINGULAR && near <= KSI_MOST_NEAR;
         near *= factor) {
        status = begin(system, near);
        if (!status)
            status = solveOnce(system);
    }
    return status;
}

static void collect(ksSystem *system)
{
    const ksiGauss *g = &system->gauss;
    for (const ksiStrip *s = g->strip; s < g->strip + g->stripCount; s++)
        if (s->row >= 0)
            for (int j = 0; j < s->rows; j++)
                g->result.at[s->row + j] = g->multiplier.at[s->lane + j];
    for (int l = 0; system->knownCount > 0 && l < system->rowCount; l++)
        if (system->rowKnown.at[l])
            g->result.at[l] = system->lo.at[l];
}

static ksStatus solveBy(ksSystem *system, int refined, double *multiplier, double *acceleration)
{
    KSI_REQUIRE_SYSTEM(system);
    KSI_REQUIRE(multiplier || system->rowCount == 0, "multiplier is NULL");
    ksiGauss *g = &system->gauss;
    ksStatus status = begin(system, KSI_NEAR_PIVOT);
    if (status)
        return status;
    g->isRefined = refined || g->lostCount > 0;
    if (g->emptyCount > 0)
        status = ksiCheckEmptyRows(system);
    if (status)
        return status;
    ksiFactorStep step;
    if (!g->isRefined)
        ksiGaussBackward(system, 1, 0, &step);
    else
        status = solve(system);
    if (status)
        return status;
    const size_t rows = (size_t)system->rowCount, coordinates = acceleration ? (size_t)system->coordinateCount : 0;
    collect(system);
    if (coordinates > 0)
        ksiUnscaleMotion(system, g->load.at);
    if (!ksiAllFinite(rows, g->result.at) || !ksiAllFinite(coordinates, g->load.at))
        return KS_ERROR_NOT_FINITE;
    status = ksiCheckBounds(system, g->result.at);
    if (status)
        return status;
    if (rows > 0)
        memcpy(multiplier, g->result.at, rows * sizeof *multiplier);
    if (coordinates > 0)
        memcpy(acceleration, g->load.at, coordinates * sizeof *acceleration);
    return KS_OK;
}

ksStatus ksiSystemSolveGauss(ksSystem *system, double *multiplier, double *acceleration)
{
    return solveBy(system, 1, multiplier, acceleration);
}

ksStatus ksSystemSolveGauss(ksSystem *system, double *multiplier, double *acceleration)
{
    KSI_RETURN_OF_SYSTEM(system, ksiSystemSolveGauss(system, multiplier, acceleration));
}

ksStatus ksiSystemSolveRoughly(ksSystem *system, double *multiplier)
{
    const unsigned refined = system->kept->refined;
    const ksStatus status = solveBy(system, refined > 0 && refined == system->gauss.pattern, multiplier, NULL);
    return status == KS_ERROR_NOT_FINITE ? ksiSystemRefine(system, multiplier) : status;
}

ksStatus ksiSystemRefine(ksSystem *system, double *multiplier)
{
    ksiGauss *g = &system->gauss;
    if (g->isRefined)
        return KS_OK;
    system->kept->refined = g->pattern;
    return solveBy(system, 1, multiplier, NULL);
}

int ksiSystemIsRefined(const ksSystem *system)
{
    return system->gauss.isRefined;
}

size_t ksiSystemFactorEntries(const ksSystem *system)
{
    const ksiGauss *g = &system->gauss;
    size_t entries = 0;
    for (int i = 0; g->pattern > 0 && i < g->stripCount; i++) {
        const ksiStrip *s = &g->strip[i];
        int below = 0;
        for (int p = s->part + 1; p < s[1].part; p++)
            below += g->strip[g->part[p].strip].rows;
        entries += (size_t)(s->rows * (s->rows - 1) / 2 + s->rows * below);
    }
    return entries;
}
