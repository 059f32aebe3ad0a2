/* pose.c  Factors an island with drifted joints for steps to the pose in which they fit, and
 * decides the rank there: see pose.h.
 *
 * Some rows depend on each other in the pose in which the joints fit. In a drifted pose, they have
 * a singular value of the size of the drift. No tolerance distinguishes it from a singular value
 * that is small by geometry. So the rank is decided in the pose in which the joints fit. There, a
 * direction `u` with the singular value `sigma` is a self-stress if
 *
 *     sigma <= max(tolerance, 3 residual, 2 residual / drift |dJ^T u|)                          (7)
 *
 * Before the move, `sigma` of a self-stress was |dJ^T u|. The move has divided it by the same
 * factor as the gaps.
 */
#include "near_singular.h"

#include "../base/error.h"
#include "../base/pseudorandom.h"

#include <float.h>
#include <math.h>

/* Multiples of the remaining largest gap, and of |dJ^T u|, in (7). */
static const double leftFactor = 3, movedFactor = 2;
/* Largest noise with which redundant rows determine the self-stresses, before the noise is limited.
 * mostUnseenFitted: if the joints fit to rounding, and the directions over all rows are too many.
 * Then the noise is due to small singular values of the mechanism, so no closer pose reduces it. */
static const double mostUnseen = 1e-3, mostUnseenFitted = 1;
/* Largest number of candidates besides the redundant rows. If there are more candidates, all
 * directions are computed at once. */
enum { MOST_OTHERS = 16 };

/* The larger of two least pivots, as a share of the row's square. Self-stresses of rows with
 * smaller pivots may move the bodies, and are refined. */
static const double doubtful = 1e-6;
/* Up to this bound of the motion of self-stresses, relative to the motion of other directions, the
 * larger least pivot is not tried. */
static const double mostDependent = 0.1;

/* ksiCoreRounding() adds this to the number of rows. So the compliance of dependent rows is larger
 * than the pivots that factor.c counts as zero. */
enum { FEWEST_ROWS = 32 };

static int countRows(const ksiCore *core)
{
    int rows = 0;
    for (int i = 0; i < core->links + core->closings; i++)
        rows += ksiCoreAt(core, i)->rows;
    return rows;
}

double ksiCoreRounding(const ksiCore *core)
{
    return 16 * DBL_EPSILON * sqrt(FEWEST_ROWS + countRows(core));
}

static void setCompliance(ksiCore *core, double share)
{
    for (int i = 0; i < core->links + core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++)
            c->compliance[l] = share * c->unit2[l];
    }
}

ksStatus ksiCoreBeginPose(ksiCore *core, double damping)
{
    ksiCoreMeasure(core);
    setCompliance(core, ksiLarger(damping, ksiCoreRounding(core)));
    return ksiCoreFactorKinematic(core);
}

double ksiCoreLargestGap(const ksiCore *core)
{
    double most = 0;
    for (int i = 0; i < core->links + core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++)
            if (!(c->known >> l & 1u))
                most = ksiLarger(most, fabs(c->beta[l][0]) / c->unit[l]);
    }
    return most;
}

/* The number of singular values up to the bound; -1: unknown. */
static int countUpTo(ksiCore *core, double upper)
{
    enum { SHIFTS = 3 };
    int count = -1;
    for (int k = 0; count < 0 && k < SHIFTS; k++)
        count = ksiCoreCountBelow(core, sqrt(upper * upper + k * ksiCoreRounding(core)));
    setCompliance(core, 0);
    return count;
}

/* Upper bound of |dJ^T u| over all unit vectors u. By blocks d of a row and a body: |dJ|^2 <= max_l
 * (sum_b |d|) max_b (sum_l |d|). */
static double mostRowChange(ksiCore *core, const double (*initial)[KSI_CORE_ROWS][12])
{
    double mostRow = 0, mostBody = 0;
    for (int i = 0; i < core->links; i++)
        core->link[i].terms2 = (ksiFour){0};
    for (int i = 0; i < core->links + core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++) {
            double now[2][6], was[2][6], ofRow = 0;
            if (c->known >> l & 1u)
                continue;
            ksiCoreUnitRow(core, c, l, NULL, now);
            ksiCoreUnitRow(core, c, l, initial[c->joint][l], was);
            for (int p = 0; p < 2; p++) {
                const int body = p ? c->partner : c->body;
                double size2 = 0;
                for (int k = 0; k < 6; k++)
                    size2 += (now[p][k] - was[p][k]) * (now[p][k] - was[p][k]);
                ofRow += sqrt(size2);
                if (body >= 0)
                    mostBody = ksiLarger(mostBody, core->link[body].terms2[0] += sqrt(size2));
            }
            mostRow = ksiLarger(mostRow, ofRow);
        }
    }
    return sqrt(mostRow * mostBody);
}

static ksiCoreSpectrum spectrumOf(ksiCore *core, const ksiCoreWay *way)
{
    ksiCoreSpectrum s = {.rounding = ksiCoreRounding(core)};
    s.floor = ksiLarger(ksiLarger(way->tolerance, sqrt(s.rounding)), way->isMoved ? leftFactor * way->residual : 0);
    s.share = way->isMoved && way->drift > 0 ? movedFactor * way->residual / way->drift : 0;
    // |dJ^T u| is at most twice the root of the number of rows, so most islands need no exact bound
    const bool doDecide = way->initial && s.share * 2 * sqrt(countRows(core)) > s.floor;
    s.upper = ksiLarger(s.floor, doDecide ? s.share * mostRowChange(core, way->initial) : 0);
    return s;
}

/* Sets beta for the next iteration from lambda, both in column 0. Returns the square of lambda,
 * over unit rows. */
static double enterUnits(ksiCore *core)
{
    double square = 0;
    for (int i = 0; i < core->links + core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++) {
            c->beta[l] = (ksiFour){c->unit2[l] * c->lambda[l][0]};
            square += c->beta[l][0] * c->lambda[l][0];
        }
    }
    return square;
}

/* The least singular value of directions that are not self-stresses, by inverse iteration. A sweep
 * leaves redundant rows at zero; without its part along self-stresses, the result is a solution for
 * all rows. The estimate is too large by a factor for which KSI_CORE_NOISE_OVER_TILT allows. */
static double findNext(ksiCore *core)
{
    enum { ITERATIONS = 3 };
    double before = 1, square = 1;
    ksiCoreClearForces(core);
    for (int i = 0; i < core->links + core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++)
            c->lambda[l] = (ksiFour){c->known >> l & 1u ? 0 : ksiPseudoRandom(6 * i + l) / c->unit[l]};
    }
    for (int times = 0; times <= ITERATIONS; times++) {
        if (times > 0)
            ksiCoreSweep(core);
        ksiCoreTakeOut(core, 0);
        before = square;
        square = enterUnits(core);
    }
    // with equal masses, the factor may be in the metric of the equations
    return sqrt((core->isRigid ? core->link[0].weight2 : 1) / sqrt(square / before));
}

/* Finds the self-stresses from redundant rows. least: the least pivot of other rows, as a share of
 * their squares. most: the largest noise, if there are no other candidates. KS_ERROR_SINGULAR:
 * there are more than MOST_OTHERS other candidates, one of them is a self-stress, a redundant row
 * gives no self-stress, or the noise is too large. */
static ksStatus decideByRows(ksiCore *core, double least, double most, int count, const ksiCoreWay *way,
                             const ksiCoreSpectrum *spectrum, ksiCoreRankFound *found)
{
    ksiCoreMotion motion;
    found->motion = INFINITY;
    KSI_TRY(ksiCoreRank(core, least));
    KSI_TRY(ksiCoreStress(core, &motion));
    if (least > spectrum->floor * spectrum->floor)
        KSI_TRY(ksiCoreRefineStress(core, &motion));
    const int others = count - core->stresses;
    const bool areAll = motion.any <= spectrum->floor || (others == 0 && spectrum->upper <= spectrum->floor);
    double next = 1;
    if (others < 0 || others > MOST_OTHERS || !areAll)
        return KS_ERROR_SINGULAR;
    if (others > 0)
        KSI_TRY(ksiCoreFindOthers(core, others, way, spectrum, &next));
    else
        next = ksiSmaller(findNext(core), 1);
    found->motion = motion.any / next;
    ksiCoreFindNoise(way, spectrum, motion.one, next, found);
    found->byRows = KSI_CORE_NOISE_OVER_TILT * motion.one <= (others == 0 ? most : mostUnseen) * next;
    return found->byRows ? KS_OK : KS_ERROR_SINGULAR;
}

/* Finds the self-stresses from redundant rows. The bound of their motion may not be far below the
 * motion of other directions, because they nearly depend on each other. Then some rows that have a
 * pivot are nearly dependent, too. So this function tries the larger least pivot, as it does after
 * a failure if there is no other way (isLast). */
static ksStatus chooseRows(ksiCore *core, bool isLast, int count, const ksiCoreWay *way,
                           const ksiCoreSpectrum *spectrum, ksiCoreRankFound *found)
{
    const double least = spectrum->floor * spectrum->floor, most = isLast ? mostUnseenFitted : mostUnseen;
    const ksStatus status = decideByRows(core, least, most, count, way, spectrum, found);
    const bool isClear = status ? status != KS_ERROR_SINGULAR || !isLast : found->motion <= mostDependent;
    if (isClear || least >= doubtful)
        return status;
    const ksStatus again = decideByRows(core, doubtful, most, count, way, spectrum, found);
    return status || !again || again == KS_ERROR_NO_MEMORY
               ? again
               : decideByRows(core, least, most, count, way, spectrum, found);
}

ksStatus ksiCoreDecide(ksiCore *core, const ksiCoreWay *way, ksiCoreRankFound *found)
{
    *found = (ksiCoreRankFound){0};
    ksiCoreMeasure(core);
    const ksiCoreSpectrum spectrum = spectrumOf(core, way);
    const int count = countUpTo(core, spectrum.upper);
    core->stresses = core->groups = core->parts = 0;
    if (count <= 0)
        return count < 0 ? KS_ERROR_SINGULAR : KS_OK;
    ksStatus status = chooseRows(core, false, count, way, &spectrum, found);
    if (status != KS_ERROR_SINGULAR)
        return status;
    KSI_TRY(ksiCoreBeginPose(core, 0));
    status = ksiCoreFindWeak(core, count, way, &spectrum, found);
    if (status != KS_ERROR_SINGULAR || way->residual > ksiLarger(spectrum.rounding, way->placing))
        return status;
    setCompliance(core, 0);
    return chooseRows(core, true, count, way, &spectrum, found);
}
