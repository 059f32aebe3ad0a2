/* inside_kit.h  The only functions by which tests read or change the inside of an inspector or a
 * system, where no caller can. A change of layout changes these functions and nothing else. */
#ifndef TESTS_KITS_INSIDE_KIT_H
#define TESTS_KITS_INSIDE_KIT_H

#include "inspector/converged/converged.h"
#include "inspector/inspector.h"
#include "mechanics/system_private.h"
#include "query/query.h"

/* The solver of its first islands. */
static inline ksiSolver *insideSolver(const ksInspector *inspector)
{
    return &inspector->lanes.at[0].solver;
}

/* Number of parts of a step's islands; seconds of a phase, summed over all parts. */
static inline int insideLanes(const ksInspector *inspector)
{
    return inspector->lanes.count;
}

static inline double insideLaneSeconds(const ksInspector *inspector, int phase)
{
    double sum = 0;
    for (int k = 0; k < inspector->lanes.count; k++)
        sum += inspector->lanes.at[k].seconds[phase];
    return sum;
}

/* The system of its first islands. */
static inline ksSystem *insideSystem(const ksInspector *inspector)
{
    return insideSolver(inspector)->system;
}

/* Whether a body's gyroscopic torque in a step of h differs from the mechanism's by more than
 * rounding. */
static inline bool insideGyroscopicChange(const ksiBody *body, double h, const double w[3], double change[3])
{
    const ksiBodyInput input = {.begin = *body};
    return ksiGyroscopicChange(&(const ksiStep){.body = &input, .h = h}, 0, w, change);
}

static inline bool insideIsEmpty(const ksSystem *system, int row)
{
    return system->model.diagonal[row] == 0;
}

/* The method of the last solution: the tree algorithm; an orthogonal factorisation, which the
 * range-space route never needs. */
static inline bool insideIsTree(const ksSystem *system)
{
    return system->tree.isTree && system->tree.fits;
}

static inline bool insideIsOrthogonalised(const ksSystem *system)
{
    return system->factor[KSI_VIEW_EXACT].known;
}

/* The cost of its factorisations so far: layouts and symbolic factorisations for new models and
 * sets of rows; rows^3 of dense ones. */
static inline unsigned insideLayouts(const ksSystem *system)
{
    return system->patterns.id;
}

/* Whether a symbolic factorisation for the null-space route exists. */
static inline bool insideIsAnalysed(const ksSystem *system)
{
    bool is = false;
    for (int view = 0; view < KSI_VIEW_COUNT && system->pattern; view++)
        is |= system->pattern->symbolic[view][0] != NULL;
    return is;
}

static inline double insideDenseWork(const ksSystem *system)
{
    return system->denseWork;
}

/* Entries of the range-space factor L below its diagonal, in the mechanism's last step; 0 before
 * the first factorisation. */
static inline size_t insideFactorEntries(const ksiWarmStart *warm)
{
    const ksiStrips *strips = warm->pattern ? &warm->pattern->strips : NULL;
    size_t entries = 0;
    for (int i = 0; strips && strips->id > 0 && i < strips->stripCount; i++) {
        const ksiStrip *s = &strips->strip[i];
        int below = 0;
        for (int p = s->part + 1; p < s[1].part; p++)
            below += strips->strip[strips->part[p].strip].rows;
        entries += (size_t)(s->rows * (s->rows - 1) / 2 + s->rows * below);
    }
    return entries;
}

/* The least singular value that decided the rank; 0: none did. */
static inline double insideLeastSingular(const ksSystem *system)
{
    for (int view = 0; view < KSI_VIEW_COUNT; view++)
        if (system->factor[view].known && system->factor[view].least > 0)
            return system->factor[view].least;
    return 0;
}

/* How often the system was filled and then used: a query may find its equations ready. */
static inline unsigned long insideUses(const ksInspector *inspector)
{
    return insideSolver(inspector)->system->patterns.clock;
}

/* The system with the step's equations of the first island; NULL: they are unavailable. */
static inline ksSystem *insideEquations(ksInspector *inspector)
{
    const ksiPlaces *places;
    return ksiRestoreSystem(&inspector->step, insideSolver(inspector), 0, &places) ? NULL
                                                                                   : insideSolver(inspector)->system;
}

/* The literal check of any multipliers of the first island, as in step `number`: no input makes
 * multipliers wrong. */
static inline ksStatus insideCheckRelaxed(const ksInspector *inspector, unsigned long number, const double *multiplier,
                                          const double *bar, bool *differs)
{
    ksiStep step = inspector->step;
    step.number = number;
    return ksiCheckRelaxed(&step, insideSolver(inspector), 0, false, multiplier, bar, differs);
}

/* The certificate of any motion and multipliers of both routes of the first island. */
static inline bool insideCertify(const ksInspector *inspector, double *acceleration, double *gauss, double *paulus,
                                 double *gap)
{
    double force[600], difference[600];
    const ksiStep *step = &inspector->step;
    const ksiConvergedSolution s = {.step = step,
                                    .solver = insideSolver(inspector),
                                    .island = &step->island[0],
                                    .rows = (size_t)step->island[0].rowCount,
                                    .relaxed = difference,
                                    .gauss = gauss,
                                    .paulus = paulus,
                                    .acceleration = acceleration};
    return 6 * step->island[0].bodyCount <= 600 && s.rows <= 600 && ksiCertify(&s, force, gap);
}

/* The true motion in scaled coordinates, in the system's memory: no input makes it wrong,
 * either. */
static inline double *insideMotion(const ksInspector *inspector)
{
    const ksSystem *system = insideSolver(inspector)->system;
    return insideIsTree(system) ? system->tree.y : system->motion.y;
}

/* Withholds a joint's physical value, and leaves old bars in its place: values that a step has not
 * written are arbitrary. */
static inline void insideWithhold(ksInspector *inspector, dJointID joint, double bar)
{
    ksiJointPhysical *physical = &inspector->physical.joint[ksiPointersFind(&inspector->input.jointIndex, joint)];
    physical->isKnown = false;
    for (int l = 0; l < KSI_MAX_ROWS; l++)
        physical->bar[l] = bar;
}

#endif
