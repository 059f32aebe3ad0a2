/* converged.h  The converged solution of one island while it is computed, for converged.c,
 * posed_solution.c and engine_selfstress.c. */
#ifndef KSI_INSPECTOR_CONVERGED_CONVERGED_H
#define KSI_INSPECTOR_CONVERGED_CONVERGED_H

#include "../solver.h"

/* One island's solution, before it is complete. */
typedef struct ksiConvergedSolution {
    const ksiStep *step;
    ksiSolver *solver;
    int index;
    const ksiIsland *island;
    size_t rows;
    ksiFreeResult free;              /* where the results go */
    double *gauss, *paulus, *bar;    /* [rows] multipliers of both routes, and bars */
    double *relaxed;                 /* [rows] sizes of their relaxed coordinates */
    double *reference;               /* [rows] the engine's multipliers */
    double *acceleration, *observed; /* [coordinates] of the solution, and of the engine */
} ksiConvergedSolution;

/* The bound at which a row has no equation of the step, or KS_INSIDE. */
static inline ksRowPlace ksiBoundOf(const ksiConvergedSolution *s, int joint, int l)
{
    const ksiPlaces *places = &s->step->convergedPlaces[joint];
    return places->place[l] == KS_INSIDE ? places->degenerate[l] : places->place[l];
}

/* engine_selfstress.c: replaces the self-stress of both routes by the engine's, and finds error
 * bars. The first function projects multipliers. The second prescribes the engine's self-stress by
 * equations, for loops with self-stresses of another pose, and may fail with KS_ERROR_SINGULAR.
 * isFactored: by ksiSolvePosedStep. size2: [rows] [(A + S)^-1]_ll with these equations. */
KS_MUST_USE ksStatus ksiProjectEngineSelfStress(const ksiConvergedSolution *s);
KS_MUST_USE ksStatus ksiGiveEngineSelfStress(const ksiConvergedSolution *s, bool isFactored, const double **size2);

/* posed_solution.c: solves an island of a drifted loop by its pose's core, with rows at bounds as
 * ksiFindActiveSet has found them. *isSolved false: the core cannot; the routes have to. */
KS_MUST_USE ksStatus ksiSolvePosedStep(const ksiConvergedSolution *s, ksiConverged *out, bool *isSolved);

/* certificate.c: do the motion of the null-space route and the multipliers of the range-space route
 * agree, as well as the multipliers of both routes? gap: the distance of the two bounds of Gauss's
 * least constraint, kg.m^2/s^4. force: scratch [coordinates]. */
bool ksiCertify(const ksiConvergedSolution *s, double *force, double *gap);

/* certificate.c: measures the engine's motion and multipliers. correction: the solution for their
 * `residual`, overwritten. force: scratch [coordinates]. */
void ksiMeasureEngine(const ksiConvergedSolution *s, const double *residual, double *correction, double *force,
                      ksGaussMeasure *out);

#endif
