/* adopted.c  Phase 10: handles trees whose reactions are uncertain because of their velocities.
 *
 * The term -(dJ/dt) v is quadratic in the velocities `v`. So in light links under heavy loads,
 * joint rates that a solver leaves cause centripetal forces. One permitted velocity field keeps
 * these rates, the other is nearest to the bodies' own velocities. If the forces of both fields
 * differ by more than a fifth of the load, neither field belongs to the mechanism. Then, as in a
 * loop (core/drift.c), the engine's multipliers lambda_e decide the undetermined part. The tree's
 * own lambda becomes lambda':
 *
 *     (A + S + e D) (lambda' - lambda) = e D (lambda_e - lambda),      D = diag A
 *
 * The weight `e` is the square of the largest gap, in radii of gyration. The term with e acts along
 * the directions whose singular value, for unit rows, is below the gap. It brings in the engine's
 * noise. So a tree in which the forces seldom differ, as in a blow, keeps its own solution, with a
 * long bar.
 *
 * The uncertainty by velocities is the distance between the forces of both fields, plus the
 * distance of lambda' from lambda. But the engine's force explains the motion. So this uncertainty
 * is at most the bound of the engine's mean error over a window (run_noise.c), plus the distance of
 * lambda' from the engine's force. In a single step, the motion does not distinguish the engine's
 * noise from a force. So the bar reaches at least the nearer of the forces of both fields. */
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "../solution.h"
#include "physical.h"

#include <math.h>

static const double leastOpen = 1e-8; /* least e */
static const double mostShare = 0.25; /* a tree is softened if the fields differ in more than this
                                         share of the steps of about one window */

/* Did the fields differ in enough steps of the run? All joints have the same answer. */
static bool isOftenOpen(const ksiStep *step, const ksiIsland *island)
{
    const ksiRunMean *run = &step->run[ksiIslandJoint(step, island, 0)];
    return ksiIsRecentRun(step, run) && run->open > mostShare;
}

/* --- Softened rows, by e --- */

static double openWeight(const ksiSolution *s)
{
    double gap = 0;
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        gap = fmax(gap, ksiRelativeGap(s->step, joint));
    return gap * gap > leastOpen ? fmin(gap * gap, 1) : 0;
}

/* e D of a held row; 0 for other rows. */
static double weightOf(const ksiSolution *s, double open, int joint, int l)
{
    const double size = s->solver->layout[joint].size[l];
    return ksiNeedsBias(s->step, joint, l, &s->out->places[joint]) ? open * size * size : 0;
}

static void soften(const ksiSolution *s, double open)
{
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row)
        s->beta[row] = weightOf(s, open, joint, l);
    ksiSystemSoften(s->solver->system, s->beta);
}

/* s->multiplier: the response to e D (lambda_e - from). `from` is the mean of lambda_e over the
 * last window, if isMean and this mean is known; otherwise lambda. */
static ksStatus solveFrom(const ksiSolution *s, double open, bool isMean)
{
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row) {
        const double usual = isMean ? ksiUsualReport(s->step, joint, l) : NAN, weight = weightOf(s, open, joint, l);
        const double from = isnan(usual) ? s->out->joint[joint].multiplier[l] : usual;
        s->beta[row] = weight > 0 ? weight * (s->step->report[joint].multiplier[l] - from) : 0;
    }
    return ksiSolveBeta(s, s->multiplier);
}

/* Computes lambda'. betaError: the uncertainty of lambda' by velocities, which is the distance
 * between the forces of both fields plus the distance of lambda' from lambda. `bar`: the distance
 * of lambda' from the nearer of the forces of both fields. */
static void change(const ksiSolution *s)
{
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row) {
        const double apart = s->betaError[row], moved = s->multiplier[row];
        s->out->joint[joint].multiplier[l] += moved;
        s->betaError[row] = fabs(apart) + fabs(moved);
        s->bar[row] = fmin(fabs(moved), fabs(apart - moved));
    }
}

/* While the scatter of `taken` is unknown, the bar contains `taken` itself. */
static void publishJoint(const ksiSolution *s, double open, int index)
{
    const int *row = s->solver->layout[index].row;
    ksiJointPhysical *joint = &s->out->joint[index];
    for (int l = 0; l < s->step->joint[index].rows.count; l++) {
        const double size = row[l] < 0 ? 0 : s->beta[row[l]];
        joint->adopted[l] = weightOf(s, open, index, l) * size * size;
        joint->reasons |= joint->adopted[l] > s->step->options.tolerance ? KS_REASON_ADOPTED : 0;
        const double noise = isnan(ksiUsualReport(s->step, index, l)) ? fabs(joint->taken[l]) : 0;
        joint->bar[l] += noise;
        joint->barSize += noise * s->solver->layout[index].size[l];
    }
    joint->slack = ksiDeterminedSize(s->step, index, ksiFreeOf(s->step, index), joint->forbidden);
}

ksStatus ksiSoftenTree(const ksiSolution *s)
{
    // the bars for reported known forces are valid for the tree's own rows only
    if (!s->island->isTree || s->out->island[s->index].isLoaded || !isOftenOpen(s->step, s->island))
        return KS_OK;
    const double open = openWeight(s);
    if (!(open > 0))
        return KS_OK;
    soften(s, open);
    KSI_TRY(solveFrom(s, open, true));
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        ksiTakeOwn(s, joint, s->multiplier, s->out->joint[joint].taken);
    KSI_TRY(solveFrom(s, open, false));
    change(s);
    KSI_TRY(ksiSystemExactSizes(s->solver->system, s->beta));
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        publishJoint(s, open, joint);
    s->out->island[s->index].isSoftened = true;
    return KS_OK;
}
