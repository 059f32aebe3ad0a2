/* gauss.c  The range-space route: finds all multipliers at once, without the motion.
 *
 *     (A + S) lambda = beta - J M^-1 f,   A = J M^-1 J^T = B^T B              Gugino 1930 (5)
 *
 * This follows from Gauss's principle: of the accelerations that satisfy the rows, the true
 * acceleration is nearest to M^-1 f in the metric `M`. The sparse matrix A + S is factored as
 * L D L^T by blocks (gauss.h). Refinement takes its residual r = beta - J a - S lambda from the
 * motion y = y_f + B lambda, not from `A`. So it restores the digits that forming `A` has lost.
 */
#include "../system_private.h"

#include "../../base/fpguard.h"

#include <stdbool.h>

/* Padding lanes stay zero, except in correction and multiplier; hubs have -1 on the diagonal and
 * the unit matrix for B. */
static void fillUp(ksiGauss *g)
{
    const ksiStrips *strips = g->strips;
    const ksiStrip *end = &strips->strip[strips->stripCount];
    double *const lanes[] = {g->square, g->slack, g->inverse, g->correction, g->multiplier};
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        for (int lane = 0; lane < strips->laneCount; lane++)
            lanes[i][lane] = 0;
    for (const ksiStrip *s = strips->hubCount > 0 ? strips->strip : end; s < end; s++)
        for (int j = 0; s->row < 0 && j < s->rows; j++) {
            g->square[s->lane + j] = g->slack[s->lane + j] = -1;
            for (int lane = 0; lane < s->lanes; lane++)
                g->packed[s->entry + j * s->lanes + lane] = lane == j;
        }
}

/* Sizes the arrays for the pattern's strips. */
static ksStatus layOut(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    KSI_TRY(ksiSystemPattern(system));
    ksiStrips *strips = &system->pattern->strips;
    KSI_TRY(ksiLayOutStrips(&system->model, &system->pattern->fronts, strips, &system->patterns.id));
    if (g->laidOut == strips->id)
        return KS_OK;
    const ksAllocator *allocator = &system->allocator;
    double **const lanes[] = {&g->square, &g->slack, &g->inverse, &g->correction, &g->multiplier};
    g->laidOut = 0;
    g->numericKnown = 0;
    g->strips = strips;
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        KSI_TRY(ksiDoublesReserve(allocator, lanes[i], (size_t)strips->laneCount));
    KSI_TRY(ksiIntsReserve(allocator, &g->lost, (size_t)strips->stripCount));
    KSI_TRY(ksiDoublesReserve(allocator, &g->packed, (size_t)strips->packedCount));
    KSI_TRY(ksiDoublesReserve(allocator, &g->panel, (size_t)strips->strip[strips->stripCount].panel));
    KSI_TRY(ksiDoublesReserve(allocator, &g->raw, (size_t)strips->widest * KSI_STRIP));
    fillUp(g);
    g->laidOut = strips->id;
    return KS_OK;
}

/* Computes L and D unless they are current, and makes the first forward sweep with y = y_f. */
static ksStatus beginRangeSpace(ksSystem *system, double near)
{
    ksiGauss *g = &system->gauss;
    KSI_TRY(layOut(system));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &g->load, (size_t)system->model.coordinateCount));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &g->result, (size_t)system->model.rowCount));
    g->side = system->model.beta;
    ksiAppliedForce(&system->model, g->load);
    if (!g->numericKnown || near > g->near)
        ksiGaussFactorise(system, near);
    else
        ksiGaussForward(system, 1);
    if (g->lostCount == 0 || g->strips->hubCount == 0)
        return KS_OK;
    // some rows may depend on each other only without their coupling by the hubs
    system->pattern->strips.withoutHubs = 1;
    system->pattern->strips.id = 0;
    KSI_TRY(layOut(system));
    ksiGaussFactorise(system, near);
    return KS_OK;
}

static void markLost(const ksSystem *system, int *isLost)
{
    const ksiGauss *g = &system->gauss;
    for (const ksiStrip *s = g->strips->strip; s < g->strips->strip + g->strips->stripCount; s++)
        for (int j = 0; s->row >= 0 && j < s->rows; j++)
            isLost[s->row + j] = g->lost[s - g->strips->strip] >> j & 1;
}

ksStatus ksiGaussFindLost(ksSystem *system, double least, int *isLost)
{
    const size_t rows = (size_t)system->model.rowCount;
    double *compliance = system->model.compliance;
    ksiGauss *g = &system->gauss;
    KSI_TRY(ksiSystemPattern(system));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &g->work, rows));
    ksiStrips *strips = &system->pattern->strips;
    const int withoutHubs = strips->withoutHubs;
    ksiCopy(rows, compliance, g->work);
    for (size_t l = 0; l < rows; l++)
        compliance[l] = compliance[l] > system->model.rigidCompliance ? compliance[l] : 0;
    g->numericKnown = 0;
    const ksStatus status = beginRangeSpace(system, least);
    g->numericKnown = 0;
    ksiCopy(rows, g->work, compliance);
    if (!status)
        markLost(system, isLost);
    if (strips->withoutHubs != withoutHubs)
        strips->id = 0;
    strips->withoutHubs = withoutHubs;
    return status;
}

static ksStatus solveOnce(ksSystem *system)
{
    const ksiGauss *g = &system->gauss;
    const bool hasConverged = ksiGaussRefine(system);
    if (hasConverged && g->lostCount == 0)
        return KS_OK;
    if (!ksiAllFinite((size_t)g->strips->laneCount, g->multiplier) ||
        !ksiAllFinite((size_t)system->model.coordinateCount, g->load))
        return KS_ERROR_NOT_FINITE;
    return ksiGaussDependent(system, hasConverged);
}

/* Solves; sets more rows aside if the solution is singular. */
static ksStatus solve(ksSystem *system)
{
    ksStatus status = solveOnce(system);
    if (status != KS_ERROR_SINGULAR || system->gauss.near >= KSI_MOST_NEAR)
        return status;
    KSI_TRY(beginRangeSpace(system, KSI_MOST_NEAR));
    return solveOnce(system);
}

static void collect(ksSystem *system)
{
    const ksiGauss *g = &system->gauss;
    for (const ksiStrip *s = g->strips->strip; s < g->strips->strip + g->strips->stripCount; s++)
        if (s->row >= 0)
            for (int j = 0; j < s->rows; j++)
                g->result[s->row + j] = g->multiplier[s->lane + j];
    for (int l = 0; system->model.knownCount > 0 && l < system->model.rowCount; l++)
        if (system->model.rowKnown[l])
            g->result[l] = system->model.lo[l];
}

static ksStatus solveBy(ksSystem *system, int refined, double *multiplier, double *acceleration)
{
    KSI_REQUIRE_SYSTEM(system);
    KSI_REQUIRE(multiplier || system->model.rowCount == 0, "multiplier is NULL");
    ksiGauss *g = &system->gauss;
    KSI_TRY(beginRangeSpace(system, KSI_NEAR_PIVOT));
    g->isRefined = refined || g->lostCount > 0;
    if (g->emptyCount > 0)
        KSI_TRY(ksiCheckEmptyRows(system));
    ksiFactorStep step;
    if (!g->isRefined)
        ksiGaussBackward(system, 1, 0, &step);
    else
        KSI_TRY(solve(system));
    const size_t rows = (size_t)system->model.rowCount,
                 coordinates = acceleration ? (size_t)system->model.coordinateCount : 0;
    collect(system);
    if (coordinates > 0)
        ksiUnscaleMotion(&system->model, g->load, g->load);
    if (!ksiAllFinite(rows, g->result) || !ksiAllFinite(coordinates, g->load))
        return KS_ERROR_NOT_FINITE;
    KSI_TRY(ksiCheckBounds(system, g->result));
    ksiCopy(rows, g->result, multiplier);
    ksiCopy(coordinates, g->load, acceleration);
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
    ksStatus status = ksiSystemPattern(system);
    if (!status)
        status = solveBy(system, system->warm->refined == system->pattern->id, multiplier, NULL);
    return status == KS_ERROR_NOT_FINITE ? ksiSystemRefine(system, multiplier) : status;
}

ksStatus ksiSystemRefine(ksSystem *system, double *multiplier)
{
    ksiGauss *g = &system->gauss;
    if (g->isRefined)
        return KS_OK;
    KSI_TRY(ksiSystemPattern(system));
    system->warm->refined = system->pattern->id;
    return solveBy(system, 1, multiplier, NULL);
}

int ksiSystemIsRefined(const ksSystem *system)
{
    return system->gauss.isRefined;
}
