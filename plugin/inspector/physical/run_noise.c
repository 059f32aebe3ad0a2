/* run_noise.c  Noise of unsolved contacts in physical values.
 *
 * A part of a drifted loop's values is the engine's (core/drift.c), and has its noise: y = G^-1 e D
 * (lambda_e - m), m the mean of the engine's multipliers over the last window. Contact forces of an
 * unfinished iteration bring its noise: then y is the whole multiplier. During a window of n steps
 * a load is nearly linear in time; deviations of y from its line are noise:
 *
 *     bar += 2.5 ( 1/(n - 2) sum (y_i - line_i)^2 )^1/2
 *
 * for each row, and for the determined part of the wrench. A resting point leaves the list of contacts for
 * single steps, so noise is expected for a window after the last contact. Steps in which a contact closes
 * faster than a body falls in five steps are left out: their forces are blows, which the motion needed.
 *
 * In a loop the engine's mean is right only while its velocities stay near permitted ones: excess
 * multipliers change s, the joint impulses that would make the velocities permitted. An oscillation
 * of s with a half period of a window's duration T or more is a force of at most
 *
 *     max |ds/dt| = pi max |s| / T;      faster oscillations are noise. */
#include "../publish/wrench_norm.h"
#include "physical.h"

#include <math.h>
#include <string.h>

/* In standard deviations: covers 99 of 100 steps. */
static const double deviations = 2.5;
enum { FEWEST = 8 }; /* steps that determine the deviation from a line */

void ksiAddToTrend(double y, int count, ksiTrend *trend)
{
    trend->sum += y;
    trend->rising += y * (count - 1);
    trend->square += y * y;
}

/* The variance of `count` steps about their line. */
static double varianceOf(const ksiTrend *trend, int count)
{
    const double n = count, spread = n * (n * n - 1) / 12;
    const double rise = trend->rising - 0.5 * (n - 1) * trend->sum;
    return fmax(trend->square - trend->sum * trend->sum / n - rise * rise / spread, 0) / (n - 2);
}

double ksiTrendNoise(const ksiTrend *trend, int count)
{
    return count < FEWEST ? 0 : deviations * sqrt(varianceOf(trend, count));
}

static ksiMeanApart noiseOf(const ksiRunMean *run)
{
    ksiMeanApart noise = {0};
    double square = 0;
    const ksiRunSums *sums = &run->sums;
    if (sums->noted < FEWEST)
        return noise;
    for (int l = 0; l < run->rows; l++)
        noise.row[l] = ksiTrendNoise(&sums->own[l], sums->noted);
    for (int k = 0; k < 12; k++)
        square += varianceOf(&sums->ownWrench[k], sums->noted);
    noise.size = deviations * sqrt(square);
    return noise;
}

bool ksiIsSameMechanism(const ksiStep *step, int joint, const ksiRunMean *run)
{
    const ksiIsland *island = &step->island[step->member[joint].island];
    // solved contacts come and go
    return step->options.contacts == KS_CONTACTS_SOLVED ||
           (island->jointCount == run->joints && island->bodyCount == run->bodies);
}

double ksiUsualReport(const ksiStep *step, int joint, int row)
{
    const ksiRunMean *run = &step->run[joint];
    const bool isKnown = run->length > 0 && run->isNoiseKnown && run->rows == step->joint[joint].rows.count &&
                         ksiIsSameMechanism(step, joint, run);
    return isKnown ? run->mean[row] : NAN;
}

double ksiSlackForce(const ksiStep *step, int joint, double slack)
{
    const ksiRunMean *run = &step->run[joint];
    for (int i = 0; i < 1 + KSI_RUN_WINDOWS; i++)
        slack = fmax(slack, run->slack[i]);
    return M_PI * slack / run->duration;
}

/* Is a part of its values the engine's? */
static bool isPartOpen(const ksiStep *step, int joint)
{
    const ksiIslandPhysical *island = &step->islandPhysical[step->member[joint].island];
    return island->isDrifted || island->isSoftened;
}

bool ksiHasNoise(const ksiStep *step, int index, ksiRunMean *run)
{
    const bool was = run->noisy > 0;
    run->noisy = step->island[step->member[index].island].isNoisy ? run->length : was ? run->noisy - 1 : 0;
    const bool is = run->noisy > 0, has = is || isPartOpen(step, index);
    if (was != is) {
        run->sums.noted = 0;
        memset(run->sums.own, 0, sizeof run->sums.own);
        memset(run->sums.ownWrench, 0, sizeof run->sums.ownWrench);
    }
    if (!has)
        run->noise = (ksiMeanApart){0};
    return has;
}

void ksiAddNoise(const ksiStep *step, int index, ksiRunMean *run, ksiJointPhysical *out)
{
    const ksiJointFree *free = ksiFreeOf(step, index);
    ksiRunSums *sums = &run->sums;
    const double *own =
        step->islandPhysical[step->member[index].island].isSoftened || run->noisy > 0 ? out->multiplier : out->taken;
    double scaled[12], *const slack = run->slack;
    const bool isBlow = run->noisy > 0 && step->island[step->member[index].island].isStruck;
    if (sums->noted == 0 && !isBlow) {
        memmove(slack + 1, slack, KSI_RUN_WINDOWS * sizeof *slack);
        slack[0] = 0;
    }
    slack[0] = fmax(slack[0], out->slack);
    ksiDeterminedReaction(step, index, free, own, scaled);
    sums->noted += !isBlow;
    for (int l = 0; l < run->rows && !isBlow; l++)
        ksiAddToTrend(own[l], sums->noted, &sums->own[l]);
    for (int k = 0; k < 12 && !isBlow; k++)
        ksiAddToTrend(scaled[k], sums->noted, &sums->ownWrench[k]);
    const ksiMeanApart present = noiseOf(run), *last = &run->noise;
    const double size = fmax(present.size, last->size);
    out->barSize += size;
    out->noise = run->noisy == 0 ? 0 : size > 0 ? size : NAN;
    for (int l = 0; l < run->rows; l++)
        out->bar[l] += fmax(present.row[l], last->row[l]);
    if (sums->count == run->length && sums->noted >= (run->noisy > 0 ? FEWEST : run->length))
        run->noise = present;
    if (sums->noted < run->length)
        return;
    run->isNoiseKnown = isPartOpen(step, index);
    for (int l = 0; l < run->rows; l++)
        run->mean[l] = sums->reported[l] / run->length;
}
