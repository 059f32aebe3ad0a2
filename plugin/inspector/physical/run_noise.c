/* run_noise.c  Finds the noise of unsolved contacts in physical values.
 *
 * A part `y` of a drifted loop's values comes from the engine, with the engine's noise:
 *
 *     y = G^-1 e D (lambda_e - m)
 *
 * Here `m` is the mean of the engine's multipliers lambda_e over the last window, and the weight
 * `e`, the diagonal D and the system G are as in core/drift.c. If contact forces come from an
 * unfinished iteration, they bring its noise, and y is the whole multiplier. During a window of n
 * steps, a load is nearly linear in time. Deviations of y from its line are noise:
 *
 *     bar += 2.5 ( 1/(n - 2) sum (y_i - line_i)^2 )^1/2
 *
 * for each row, and for the determined part of the wrench. A load that whirls with a body turns far
 * within a window, but is constant in the body's axes; a weight is constant in the world's axes.
 * Noise has the same size in all axes. So the least of three deviations counts: in the world's
 * axes, and in the axes of each body. If a row's force is at right angles to all other forces of
 * the joint, its deviation is at most the deviation of the joint's whole force. The axes are those
 * in which that deviation is least. The same holds for torques.
 *
 * A resting point is missing from the list of contacts in single steps, so noise is expected for a
 * window after the last contact. Steps in which a contact closes at more than the speed that a body
 * gains by gravity in five steps do not count: their forces are blows, which the motion needed.
 *
 * In a loop, y varies with the load, too, and the step in which a rope is drawn tight brings no
 * noise to the next step. But each step shows the excess of the last step (departure.c), and so the
 * part `x` of the excess in y:
 *
 *     G x = e D (s_k+1 - s_k) / h_k.                                                          (20c)
 *
 * Then the noise is at most 2.5 times the root of the mean of x^2 over the last steps, the newer
 * ones with more weight.
 *
 * In a loop, the engine's mean is right only while its velocities stay near permitted ones: excess
 * multipliers change `s`, the joint impulses that would make the velocities permitted. If s
 * oscillates with a half period of a window's duration `T` or more, its force is at most
 *
 *     max |ds/dt| = pi max |s| / T
 *
 * Faster oscillations are noise. */
#include "../publish/wrench_norm.h"
#include "physical.h"

#include "../../engine/vector.h"

#include <math.h>
#include <string.h>

/* Number of standard deviations in a bar: it covers 99 of 100 steps. */
static const double deviations = 2.5;
/* Rows count as being at right angles if their cosine is at most this. The limit allows for
 * rounding, and for axes that lean; it lengthens a sum by 1 %. */
static const double across = 0.01;
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

void ksiTellExcess(const ksiStep *step, int index, bool isKnown, const double excess[KSI_MAX_ROWS], ksiRunMean *run)
{
    ksiMeanApart *const mean = &run->excess2;
    double scaled[12], square = NAN;
    if (isKnown) {
        ksiDeterminedReaction(step, index, ksiFreeOf(step, index), excess, scaled);
        square = ksiDotTwelve(scaled, scaled);
    }
    if (!isfinite(square)) {
        run->told -= run->told > 0;
        return;
    }
    run->told += run->told < 2 * FEWEST;
    const double weight = 1.0 / (run->told < FEWEST ? run->told : FEWEST);
    mean->size += weight * (square - mean->size);
    for (int l = 0; l < run->rows; l++)
        mean->row[l] += weight * (excess[l] * excess[l] - mean->row[l]);
}

/* Limits the noise to the excess that later steps have shown. */
static void boundByExcess(const ksiRunMean *run, ksiMeanApart *noise)
{
    if (run->told < FEWEST || run->noisy > 0)
        return;
    noise->size = fmin(noise->size, deviations * sqrt(run->excess2.size));
    for (int l = 0; l < run->rows; l++)
        noise->row[l] = fmin(noise->row[l], deviations * sqrt(run->excess2.row[l]));
}

/* The axis of a row's force, or of its torque if it has no force. */
static const double *directionOf(const ksiRows *rows, int l, bool *isForce)
{
    const double *row = rows->row[l].jacobian[0];
    *isForce = ksiDot(row, row) > 0;
    return *isForce ? row : row + 3;
}

/* Is the row at right angles to all others of its kind? */
static bool isAcross(const ksiRows *rows, int l)
{
    bool isForce, isOther, is = true;
    const double *own = directionOf(rows, l, &isForce);
    for (int m = 0; m < rows->count; m++) {
        const double *other = directionOf(rows, m, &isOther), along = ksiDot(own, other);
        if (m != l && isForce == isOther)
            is = is && along * along <= across * across * ksiDot(own, own) * ksiDot(other, other);
    }
    return is;
}

/* Turns vectors of three numbers each into the axes of a body. */
static void turnInto(const double rotation[9], int numbers, const double *vectors, double *turned)
{
    for (int k = 0; k < numbers; k++) {
        const double *of = vectors + k / 3 * 3, *column = rotation + k % 3;
        turned[k] = column[0] * of[0] + column[3] * of[1] + column[6] * of[2];
    }
}

static void addTo(ksiRunTrend *trend, int count, int rows, const double *row, const double wrench[12])
{
    for (int l = 0; l < rows; l++)
        ksiAddToTrend(row[l], count, &trend->row[l]);
    for (int k = 0; k < 12; k++)
        ksiAddToTrend(wrench[k], count, &trend->wrench[k]);
}

/* Adds the engine's part of this step to the sums. */
static void addOwn(const ksiStep *step, int index, const double *own, ksiRunSums *sums)
{
    const ksiJointInput *joint = &step->joint[index];
    double both[6] = {0}, wrench[12], turned[12], rows[6];
    bool isForce;
    ksiDeterminedReaction(step, index, ksiFreeOf(step, index), own, wrench);
    addTo(&sums->trend[0], sums->noted, joint->rows.count, own, wrench);
    for (int l = 0; l < joint->rows.count; l++) {
        const double *direction = directionOf(&joint->rows, l, &isForce);
        ksiAddScaled(both + (isForce ? 0 : 3), own[l], direction);
    }
    KSI_EACH_BODY (joint->bodyIndex, side, body) {
        turnInto(step->body[body].begin.rotation, 6, both, rows);
        turnInto(step->body[body].begin.rotation, 12, wrench, turned);
        addTo(&sums->trend[1 + side], sums->noted, 6, rows, turned);
    }
}

static double squareOf(const ksiTrend *trend, int components, int count)
{
    double square = 0;
    for (int k = 0; k < components; k++)
        square += varianceOf(&trend[k], count);
    return square;
}

/* The noise in the axes in which it is least. */
static ksiMeanApart noiseOf(const ksiStep *step, int index, const ksiRunMean *run)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiRunSums *sums = &run->sums;
    ksiMeanApart noise = {0};
    double square, of[2][2];
    bool isForce;
    if (sums->noted < FEWEST)
        return noise;
    square = squareOf(sums->trend[0].wrench, 12, sums->noted);
    KSI_EACH_BODY (joint->bodyIndex, side, body) {
        const ksiRunTrend *trend = &sums->trend[1 + side];
        square = fmin(square, squareOf(trend->wrench, 12, sums->noted));
        for (int k = 0; k < 2; k++)
            of[side][k] = squareOf(trend->row + 3 * k, 3, sums->noted);
    }
    noise.size = deviations * sqrt(square);
    for (int l = 0; l < run->rows; l++) {
        const double *direction = directionOf(&joint->rows, l, &isForce), size2 = ksiDot(direction, direction);
        square = varianceOf(&sums->trend[0].row[l], sums->noted);
        KSI_EACH_BODY (joint->bodyIndex, side, body)
            if (of[side][!isForce] < square * size2 && isAcross(&joint->rows, l))
                square = of[side][!isForce] / size2;
        noise.row[l] = deviations * sqrt(square);
    }
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
    const bool isKnown = ksiIsRecentRun(step, run) && run->isNoiseKnown && run->rows == step->joint[joint].rows.count &&
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

/* Does a part of the joint's values come from the engine? */
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
        memset(run->sums.trend, 0, sizeof run->sums.trend);
    }
    if (!has)
        run->noise = (ksiMeanApart){0};
    return has;
}

void ksiAddNoise(const ksiStep *step, int index, ksiRunMean *run, ksiJointPhysical *out)
{
    ksiRunSums *sums = &run->sums;
    const double *own =
        step->islandPhysical[step->member[index].island].isSoftened || run->noisy > 0 ? out->multiplier : out->taken;
    double *const slack = run->slack;
    const bool isBlow = run->noisy > 0 && step->island[step->member[index].island].isStruck;
    if (sums->noted == 0 && !isBlow) {
        memmove(slack + 1, slack, KSI_RUN_WINDOWS * sizeof *slack);
        slack[0] = 0;
    }
    slack[0] = fmax(slack[0], out->slack);
    sums->noted += !isBlow;
    if (!isBlow)
        addOwn(step, index, own, sums);
    const ksiMeanApart present = noiseOf(step, index, run);
    ksiMeanApart noise = present;
    noise.size = fmax(noise.size, run->noise.size);
    for (int l = 0; l < run->rows; l++)
        noise.row[l] = fmax(noise.row[l], run->noise.row[l]);
    if (step->islandPhysical[step->member[index].island].isDrifted)
        boundByExcess(run, &noise);
    out->barSize += fmax(noise.size - out->awaySize, 0);
    out->noise = run->noisy == 0 ? 0 : noise.size > 0 ? noise.size : NAN;
    for (int l = 0; l < run->rows; l++)
        out->bar[l] += fmax(noise.row[l] - out->away[l], 0);
    if (sums->count == run->length && sums->noted >= (run->noisy > 0 ? FEWEST : run->length))
        run->noise = present;
    if (sums->noted < run->length)
        return;
    run->isNoiseKnown = isPartOpen(step, index);
    for (int l = 0; l < run->rows; l++)
        run->mean[l] = sums->reported[l] / run->length;
}
