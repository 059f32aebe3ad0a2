/* posed_solution.c  Phase 8 of drifted loops. The core that has found the nearest pose also has the
 * rows of the step. It solves the step's equations from two starts (plugin/core/step_solution.c):
 * `gauss` starts from zero, `paulus` from the engine's multipliers. Their residuals in the rows as
 * they were read bound their errors. The residuals contain no number of the factor; the bounds
 * contain its sizes of relaxed coordinates. ksiFindActiveSet has found the rows at bounds. */
#include "converged.h"

#include <math.h>
#include <string.h>

/* residual := beta - J a - S lambda of the engine's motion and multipliers. In a row at a bound,
 * beta := J a + S lambda of the solution (withKnown), or arbitrary. */
static void findResidual(const ksiConvergedSolution *s, bool withKnown, double *residual)
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
            const double compliance = rows->row[l].cfm / step->h;
            if (row < 0)
                continue;
            const bool isKnown = withKnown && ksiBoundOf(s, joint, l) != KS_INSIDE;
            double *sum = &residual[row];
            *sum = (isKnown ? compliance * s->paulus[row] : beta[l]) - compliance * s->reference[row];
            for (int side = 0; side < 2; side++)
                if (block[side] >= 0) {
                    const double *jacobian = rows->row[l].jacobian[side];
                    const size_t at = 6 * (size_t)block[side];
                    *sum += isKnown ? ksiDotSix(jacobian, s->acceleration + at) : 0;
                    *sum -= ksiDotSix(jacobian, s->observed + at);
                }
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

/* hasKnown: some rows are at bounds; hasDegenerate: some of these count as inside. */
static void findBound(const ksiConvergedSolution *s, bool *hasKnown, bool *hasDegenerate)
{
    *hasKnown = *hasDegenerate = false;
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row) {
        *hasKnown |= ksiBoundOf(s, joint, l) != KS_INSIDE;
        *hasDegenerate |= s->step->convergedPlaces[joint].degenerate[l] != KS_INSIDE;
    }
}

/* Finds free wrenches, and rows at bounds that count as inside, by the pose. The search for the
 * rows at bounds has left its solution. */
static ksStatus findFree(const ksiConvergedSolution *s, ksiPlaces *places, bool *isPosed)
{
    size_t rank;
    ksiFoundSet found = {.places = places, .multiplier = s->gauss, .acceleration = s->acceleration};
    const ksStatus status = ksiFreeDegenerateRows(s->step, s->solver, s->index, true, &found);
    *isPosed = false;
    if (status)
        return status == KS_ERROR_UNAVAILABLE ? KS_OK : status;
    KSI_TRY(ksiChoosePosed(s->step, s->solver, s->index, places, &rank, isPosed));
    return *isPosed ? ksiFindDeterminacy(s->step, s->solver, s->index, places, &s->free) : KS_OK;
}

/* Measures the engine's motion, over rows at bounds as well. solver->exact has the multipliers of
 * the solution. KS_ERROR_SINGULAR: rows at bounds depend on others without compliance. */
static ksStatus measure(const ksiConvergedSolution *s, bool hasKnown, double *residual, double *correction,
                        double *force, ksGaussMeasure *out)
{
    ksiConvergedSolution solution = *s;
    solution.paulus = s->solver->exact;
    if (hasKnown) {
        const ksiPosedSolution found = {.correction = correction};
        findResidual(&solution, true, residual);
        KSI_TRY(ksiPosedSolve(s->step, s->solver, s->index, true, residual, &found));
    }
    ksiMeasureEngine(&solution, residual, correction, force, out);
    return isfinite(out->constraint + out->unexplained + out->solverError) ? KS_OK : KS_ERROR_SINGULAR;
}

/* KS_ERROR_SINGULAR: the core cannot. KS_ERROR_BOUND: the places are wrong. */
static ksStatus solve(const ksiConvergedSolution *s, ksiFoundSet *set, ksiIslandConverged *out)
{
    const ksiStep *step = s->step;
    ksiSolver *solver = s->solver;
    double *const residual = s->observed + 6 * (size_t)s->island->bodyCount, *const correction = residual + s->rows,
                  *const own2 = correction + s->rows, *const force = own2 + s->rows, missed = 0;
    const double *size2 = own2;
    const ksiPosedSolution solution = {s->gauss, s->paulus, correction, s->acceleration};
    const bool shared = s->free.island->selfStressCount > 0, keeps = !shared || anyKeeps(s);
    bool differs = false, hasKnown, hasDegenerate;
    findBound(s, &hasKnown, &hasDegenerate);
    findResidual(s, false, residual);
    KSI_TRY(ksiPosedSolve(step, solver, s->index, false, residual, &solution));
    KSI_TRY(ksiVerifyActiveSet(step, solver, s->index, s->free.joint, set));
    if (!ksiCertify(s, force, &out->gap))
        out->reasons |= KS_REASON_GAP;
    if (keeps)
        missed = ksiPosedMissed(step, solver, s->index, own2);
    if (!isfinite(missed))
        return KS_ERROR_SINGULAR;
    for (size_t l = 0; l < s->rows; l++)
        s->bar[l] = fabs(s->gauss[l] - s->paulus[l]);
    KSI_TRY(ksiCheckRelaxed(step, solver, s->index, true, s->paulus, s->bar, &differs));
    if (differs)
        out->reasons |= KS_REASON_RELAXED;
    memcpy(solver->exact, s->paulus, s->rows * sizeof *solver->exact);
    if (shared)
        KSI_TRY(ksiGiveEngineSelfStress(s, !hasDegenerate, &size2));
    if (keeps)
        setBars(s, own2, shared ? size2 : NULL, missed);
    KSI_TRY(measure(s, hasKnown, residual, correction, force, &out->measure));
    return ksiSystemRelaxedSizes(solver->system, shared ? KSI_STRESS_PROJECTED : KSI_STRESS_NONE, size2, s->relaxed);
}

ksStatus ksiSolvePosedStep(const ksiConvergedSolution *s, ksiConverged *out, bool *isSolved)
{
    ksiFoundSet set = {.places = out->places, .multiplier = s->paulus, .acceleration = s->acceleration};
    ksiIslandConverged found = out->island[s->index];
    bool isPosed;
    *isSolved = false;
    KSI_TRY(findFree(s, out->places, &isPosed));
    if (!isPosed)
        return KS_OK;
    const ksStatus status = solve(s, &set, &found);
    if (status)
        return status == KS_ERROR_SINGULAR ? KS_OK : status;
    *isSolved = true;
    out->island[s->index] = found;
    return KS_OK;
}
