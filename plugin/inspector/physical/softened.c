/* softened.c  Phase 10: trees whose reactions are uncertain because of their velocities.
 *
 * -(dJ/dt) v is quadratic: in light links under heavy loads, the rates that a solver leaves cause centripetal forces. One permitted
 * velocity field keeps these rates, the other is nearest to the bodies' own velocities. If their forces differ by more than a fifth
 * of the load, neither is the mechanism's. Then, as in a loop (core/drift.c), the engine decides the undetermined part:
 *
 *     (A + S + e D) (lambda' - lambda) = e D (lambda_e - lambda),      D = diag A,
 *
 * with e the square of the largest gap in radii of gyration: it begins where a singular value of unit rows is below that gap. It brings
 * the engine's noise, too. So a tree that does so once in a while, as in a blow, keeps its own solution, and has a long bar. */
#include "physical.h"

#include "../phases.h"
#include "../publish/wrench_norm.h"

#include <math.h>
#include <string.h>

static const double leastOpen = 1e-8; /* e: less is adopted nowhere */
static const double mostShare = 0.25; /* of the steps of about a window */

/* In the last run of steps, of all joints alike. */
static bool isOftenOpen(const ksiStep *step, const ksiIsland *island)
{
    const ksiRunMean *run = &step->run[ksiIslandJoint(step, island, 0)];
    return run->length > 0 && run->step + 1 == step->number && run->open > mostShare;
}

/* --- Softened rows --- */

typedef struct Softened {
    const ksiStep *step;
    ksiSolver *solver;
    int index;
    const ksiIsland *island;
    const ksiVectors *room;
    ksiPhysical *out;
    double open; /* e */
} Softened;

static double openWeight(const Softened *s)
{
    double gap = 0;
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        gap = fmax(gap, ksiRelativeGap(s->step, joint));
    return gap * gap > leastOpen ? fmin(gap * gap, 1) : 0;
}

/* e D of a row that holds the mechanism; 0 of others. */
static double weightOf(const Softened *s, int joint, int l)
{
    const double size = s->solver->layout[joint].size[l];
    return ksiNeedsBias(s->step, joint, l, &s->out->places[joint]) ? s->open * size * size : 0;
}

static void soften(const Softened *s)
{
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row)
        s->room->beta[row] = weightOf(s, joint, l);
    ksiSystemSoften(s->solver->system, s->room->beta);
}

/* room->multiplier: what e D (lambda_e - from) moves, `from` being lambda, or the mean of lambda_e over the last window where that is known */
static ksStatus solveFrom(const Softened *s, bool isMean)
{
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row) {
        const double usual = isMean ? ksiUsualReport(s->step, joint, l) : NAN, weight = weightOf(s, joint, l);
        const double from = isnan(usual) ? s->out->joint[joint].multiplier[l] : usual;
        s->room->beta[row] = weight > 0 ? weight * (s->step->report[joint].multiplier[l] - from) : 0;
    }
    memset(s->room->force, 0, 6 * (size_t)s->island->bodyCount * sizeof *s->room->force);
    return ksiSolveAlone(s->step, s->solver, s->index, s->out->places, s->room);
}

static void takeOwn(const Softened *s, int index)
{
    ksiTakeRows(s->step->joint[index].rows.count, s->solver->layout[index].row, s->room->multiplier,
                s->out->joint[index].taken);
}

static void change(const Softened *s, int index)
{
    double by[KSI_MAX_ROWS];
    ksiTakeRows(s->step->joint[index].rows.count, s->solver->layout[index].row, s->room->multiplier, by);
    ksiJointPhysical *joint = &s->out->joint[index];
    for (int l = 0; l < s->step->joint[index].rows.count; l++) {
        joint->multiplier[l] += by[l];
        joint->bar[l] += fabs(by[l]);
        joint->barSize += fabs(by[l]) * s->solver->layout[index].size[l];
    }
}

/* Before the scatter of `taken` is known it is in the bar itself. */
static void publishJoint(const Softened *s, int index)
{
    const int *row = s->solver->layout[index].row;
    ksiJointPhysical *joint = &s->out->joint[index];
    for (int l = 0; l < s->step->joint[index].rows.count; l++) {
        const double size = row[l] < 0 ? 0 : s->room->beta[row[l]];
        joint->adopted[l] = weightOf(s, index, l) * size * size;
        joint->reasons |= joint->adopted[l] > s->step->options.tolerance ? KS_REASON_ADOPTED : 0;
        const double open = isnan(ksiUsualReport(s->step, index, l)) ? fabs(joint->taken[l]) : 0;
        joint->bar[l] += open;
        joint->barSize += open * s->solver->layout[index].size[l];
    }
}

ksStatus ksiSoftenTree(const ksiStep *step, ksiSolver *solver, int index, const ksiVectors *room, ksiPhysical *out)
{
    Softened s = {step, solver, index, &step->island[index], room, out, 0};
    // forces that are taken from the report have bars by the tree's own rows
    if (!s.island->isTree || out->island[index].isLoaded || !isOftenOpen(step, s.island))
        return KS_OK;
    s.open = openWeight(&s);
    if (!(s.open > 0))
        return KS_OK;
    soften(&s);
    KSI_TRY(solveFrom(&s, true));
    KSI_EACH_JOINT (step, s.island, i, joint)
        takeOwn(&s, joint);
    KSI_TRY(solveFrom(&s, false));
    KSI_EACH_JOINT (step, s.island, i, joint)
        change(&s, joint);
    KSI_TRY(ksiSystemExactSizes(solver->system, room->beta));
    KSI_EACH_JOINT (step, s.island, i, joint)
        publishJoint(&s, joint);
    out->island[index].isSoftened = true;
    return KS_OK;
}
