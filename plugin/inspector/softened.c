/* softened.c  Phase 10: trees that have drifted.
 *
 * Points that part move no force of a tree. But the engine closes and opens its gaps over many steps, and where a branch hangs on a weak
 * direction that is a force. As in a loop (nearest_solve.c), what drift leaves open is the engine's own then:
 *
 *     (A + S + e D) (lambda' - lambda) = e D (lambda_e - lambda),      D = diag A,
 *
 * with e the square of the largest gap in radii of gyration: it begins where a singular value of unit rows is below that gap. It brings
 * the engine's noise, too, and is no cure for other errors. So the run decides: where it finds lambda biased, lambda' is looked at beside
 * it; where that is nearer to the motion in the mean, it is the physical value. */
#include "physical.h"

#include "phases.h"
#include "size.h"

#include <math.h>
#include <string.h>

static const double leastOpen = 1e-8; /* e: less is adopted nowhere */
/* Windows, of KSI_TREE_WINDOWS: shocks pass, and a load that has been let go hangs by its weight. */
enum { FEWEST_BIASED = 6 };
static const double leastBias = 0.02; /* of the load, in the root mean square of joints */
static const double nearer = 0.7;     /* than the tree's own solution */

/* --- The run --- */

static bool isRunOf(const ksiStep *step, int joint)
{
    return step->run[joint].length > 0 && step->run[joint].step + 1 == step->number;
}

/* Squares of how far both solutions were from the motion, as parts of the load. */
typedef struct Biases {
    double window[KSI_TREE_WINDOWS]; /* the tree's own */
    double rigid, softened;          /* both, in the windows in which both are known */
} Biases;

static void addBiases(const ksiStep *step, int joint, Biases *sum)
{
    for (int i = 0; isRunOf(step, joint) && i < KSI_TREE_WINDOWS; i++) {
        const ksiTreeBias *bias = &step->run[joint].bias[i];
        if (!(bias->load > 0))
            continue;
        const double rigid = bias->rigid / bias->load, softened = bias->softened / bias->load;
        sum->window[i] += rigid * rigid;
        sum->rigid += bias->isTried ? rigid * rigid : 0;
        sum->softened += bias->isTried ? softened * softened : 0;
    }
}

static ksiSoftening softeningOf(const ksiStep *step, const ksiIsland *island)
{
    Biases sum = {0};
    KSI_EACH_JOINT (step, island, i, joint)
        addBiases(step, joint, &sum);
    const double most = leastBias * leastBias * island->jointCount;
    int biased = 0;
    for (int i = 0; i < KSI_TREE_WINDOWS; i++)
        biased += sum.window[i] > most;
    if (!biased)
        return KSI_RIGID;
    const bool isNearer = sum.softened < nearer * nearer * sum.rigid;
    return isNearer && biased >= FEWEST_BIASED ? KSI_SOFTENED : KSI_TRIED;
}

double ksiFormerBias(const ksiStep *step, int index, int window, const ksiPhysical *out)
{
    const ksiTreeBias *bias = &out->run[index].bias[window];
    const bool isSoft = out->island[step->member[index].island].softening == KSI_SOFTENED;
    return !isSoft && bias->isSoftened && bias->rigid > bias->softened && bias->softened > 0
               ? bias->rigid / bias->softened
               : 1;
}

void ksiCompareSoftened(const ksiStep *step, int index, const ksiPhysical *out, ksiRunMean *run)
{
    const ksiJointPhysical *joint = &out->joint[index];
    const ksiSoftening softening = out->island[step->member[index].island].softening;
    const double *reported = step->report[index].multiplier;
    ksiRunSums *sums = &run->sums;
    double force[3] = {0}, rigid[3], softened[3];
    sums->tried += softening != KSI_RIGID;
    for (int l = 0; l < run->rows; l++) {
        const double *row = step->joint[index].rows.row[l].jacobian[0];
        for (int k = 0; k < 3; k++) {
            force[k] += reported[l] * row[k];
            sums->change[k] += softening == KSI_RIGID ? 0 : step->h * joint->softened[l] * row[k];
        }
    }
    sums->load += step->h * ksiSize(force, 3);
    if (sums->count < run->length)
        return;
    for (int k = 0; k < 3; k++) {
        rigid[k] = sums->wrench[k] + (softening == KSI_SOFTENED ? sums->change[k] : 0);
        softened[k] = rigid[k] - sums->change[k];
    }
    memmove(run->bias + 1, run->bias, (KSI_TREE_WINDOWS - 1) * sizeof *run->bias);
    run->bias[0] = (ksiTreeBias){.load = sums->load,
                                 .rigid = ksiSize(rigid, 3),
                                 .softened = ksiSize(softened, 3),
                                 .isTried = sums->tried == run->length,
                                 .isSoftened = softening == KSI_SOFTENED};
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

/* Before the scatter of `taken` is known it is in the bar itself. */
static void publishJoint(const Softened *s, int index, bool isPublished)
{
    const int *row = s->solver->layout[index].row;
    const int rows = s->step->joint[index].rows.count;
    ksiJointPhysical *joint = &s->out->joint[index];
    ksiTakeRows(rows, row, s->room->multiplier, joint->taken);
    for (int l = 0; isPublished && l < rows; l++) {
        const double size = row[l] < 0 ? 0 : s->room->beta[row[l]];
        joint->multiplier[l] += joint->softened[l];
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
    const bool isOwn = s.island->isTree && !out->island[index].isLoaded;
    const ksiSoftening softening = isOwn ? softeningOf(step, s.island) : KSI_RIGID;
    s.open = softening == KSI_RIGID ? 0 : openWeight(&s);
    if (!(s.open > 0))
        return KS_OK;
    soften(&s);
    ksStatus status = solveFrom(&s, false);
    KSI_EACH_JOINT (step, s.island, i, joint)
        if (!status)
            ksiTakeRows(step->joint[joint].rows.count, solver->layout[joint].row, room->multiplier,
                        out->joint[joint].softened);
    if (!status)
        status = solveFrom(&s, true);
    if (!status)
        status = ksiSystemExactSizes(solver->system, room->beta);
    for (int i = 0; !status && i < s.island->jointCount; i++)
        publishJoint(&s, ksiIslandJoint(step, s.island, i), softening == KSI_SOFTENED);
    out->island[index].softening = status ? KSI_RIGID : softening;
    return status == KS_ERROR_NO_MEMORY ? status : KS_OK;
}
