/* posed_solution.c  Phase 8 of drifted loops without bounds. The core that has found the nearest
 * pose also has the rows of the step. It solves the step's equations from two starts
 * (plugin/core/step_solution.c): `gauss` starts from zero, `paulus` from the engine's multipliers.
 * Their residuals in the rows as they were read bound their errors. The residuals contain no number
 * of the factor; the bounds contain its sizes of relaxed coordinates. */
#include "converged.h"

#include <math.h>
#include <string.h>

/* residual := beta - J a - S lambda of the engine's motion and multipliers. */
static void findResidual(const ksiConvergedSolution *s, double *residual)
{
    const ksiStep *step = s->step;
    KSI_EACH_JOINT (step, s->island, i, joint) {
        const ksiRows *rows = &step->joint[joint].rows;
        double beta[KSI_MAX_ROWS];
        int block[2];
        ksiBlocksOf(step, joint, block);
        ksiRightHandSides(step, joint, step->joint[joint].rate, beta);
        for (int l = 0; l < rows->count; l++) {
            const int row = s->solver->layout[joint].row[l];
            if (row < 0)
                continue;
            residual[row] = beta[l] - rows->row[l].cfm / step->h * s->reference[row];
            for (int side = 0; side < 2; side++)
                if (block[side] >= 0)
                    residual[row] -= ksiDotSix(rows->row[l].jacobian[side], s->observed + 6 * (size_t)block[side]);
        }
    }
}

/* Is there a joint that keeps the values of all equations? */
static bool anyKeeps(const ksiConvergedSolution *s)
{
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        if (s->free.joint[joint].count == 0 && s->step->joint[joint].rows.count > 0)
            return true;
    return false;
}

/* size2: of all equations; shared2: without those along the self-stresses, or NULL. */
static void setBars(const ksiConvergedSolution *s, const double *size2, const double *shared2, double missed)
{
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row)
        if (s->free.joint[joint].count == 0) {
            const double most2 = shared2 ? ksiLarger(size2[row], shared2[row]) : size2[row];
            s->bar[row] = fabs(s->gauss[row] - s->paulus[row]) + sqrt(most2) * missed;
        }
}

ksStatus ksiSolvePosedStep(const ksiConvergedSolution *s, ksiIslandConverged *out, bool *isSolved)
{
    const ksiStep *step = s->step;
    ksiSolver *solver = s->solver;
    double *const residual = s->relaxed, *const correction = s->observed + 6 * (size_t)s->island->bodyCount,
                  *const own2 = correction + s->rows, *const force = own2 + s->rows, missed = 0;
    const double *size2 = own2;
    const ksiPosedSolution solution = {s->gauss, s->paulus, correction, s->acceleration};
    ksiIslandConverged found = *out;
    bool differs = false;
    size_t rank;
    *isSolved = false;
    KSI_TRY(ksiChoosePosed(step, solver, s->index, step->convergedPlaces, &rank, isSolved));
    if (!*isSolved)
        return KS_OK;
    *isSolved = false;
    KSI_TRY(ksiFindDeterminacy(step, solver, s->index, step->convergedPlaces, &s->free));
    const bool shared = s->free.island->selfStressCount > 0, keeps = !shared || anyKeeps(s);
    findResidual(s, residual);
    ksStatus status = ksiPosedSolve(step, solver, s->index, residual, &solution);
    if (status)
        return status == KS_ERROR_SINGULAR ? KS_OK : status;
    ksiMeasureEngine(s, residual, correction, force, &found.measure);
    if (!isfinite(found.measure.constraint + found.measure.unexplained + found.measure.solverError))
        return KS_OK;
    if (!ksiCertify(s, force, &found.gap))
        found.reasons |= KS_REASON_GAP;
    if (keeps)
        missed = ksiPosedMissed(step, solver, s->index, own2);
    if (!isfinite(missed))
        return KS_OK;
    for (size_t l = 0; l < s->rows; l++)
        s->bar[l] = fabs(s->gauss[l] - s->paulus[l]);
    KSI_TRY(ksiCheckRelaxed(step, solver, s->index, true, s->paulus, s->bar, &differs));
    if (differs)
        found.reasons |= KS_REASON_RELAXED;
    if (shared)
        status = ksiGiveEngineSelfStress(s, true, &size2);
    if (status)
        return status == KS_ERROR_SINGULAR ? KS_OK : status;
    if (keeps)
        setBars(s, own2, shared ? size2 : NULL, missed);
    *isSolved = true;
    *out = found;
    return ksiSystemRelaxedSizes(solver->system, shared ? KSI_STRESS_PROJECTED : KSI_STRESS_NONE, size2, s->relaxed);
}
