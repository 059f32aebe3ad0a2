/* factor.c  The orthogonal factorisation of the null-space route, and the rank.
 *
 *     B~ = M~^{-1/2} J~^T = Q R
 *
 * Each row gives one unit column, see columns.c. The first `rank` vectors of the frame `Q` span the
 * reactions. The other vectors are M-orthogonal to these. They span the admissible motions `T` of
 * Lagrange II (J~ T = 0). Neither A nor its factors occur here. The factorisation is sparse
 * (fronts.c) if no column nearly depends on the others. Otherwise it is dense (dense.c).
 */
#include "../system_private.h"

#include "../../base/vectorise.h"

#include <math.h>
#include <stdbool.h>

/* Number of choices of dependent rows that are tried before a singular value decomposition. It only
 * affects the cost. */
#define OTHER_CHOICES 16

/* Factorises, and decides the rank to rounding. */
static ksStatus factoriseExact(ksSystem *system, ksiFactor *f)
{
    const ksStatus status = ksiFactoriseSparse(f);
    if (status || f->smallest > KSI_CLEARS_ROUNDING)
        return status;
    return ksiDenseFactorise(system, f, KSI_ROUNDING_RANK, -1);
}

/* Rank of this matrix by the tolerance, after its sparse factorisation. */
static ksStatus decideRank(ksSystem *system, ksiFactor *f)
{
    int full = 1;
    ksStatus status = KS_OK;
    if (f->columns > 0)
        status = ksiRankIsFull(system, f, &full);
    if (status || full)
        return status;
    return ksiDenseFactorise(system, f, system->rankTolerance, -1);
}

/* *rank: the rank of f in the kinematic metric. Singular values in that metric are at least
 * `spread` times the singular values of f: if the latter are large enough, the rank is full; else
 * the kinematic factorisation decides. */
static ksStatus findKinematicRank(ksSystem *system, ksiFactor *f, double spread, int *rank)
{
    double least = 0;
    *rank = f->columns;
    if (!f->decomposed && f->smallest > KSI_CLEARS_ROUNDING) {
        const ksStatus status = ksiLeastSingular(system, f, &least);
        f->rankIsProved = !status && least * spread > KSI_SAFE_MARGIN * system->rankTolerance;
        if (status || f->rankIsProved)
            return status;
    }
    ksiFactor *kinematic;
    KSI_TRY(ksiFactorGet(system, KSI_VIEW_KINEMATIC, &kinematic));
    *rank = kinematic->rank;
    return KS_OK;
}

/* Decides the rank of the rigid view after a sparse factorisation. */
static ksStatus decideRigid(ksSystem *system, ksiFactor *f)
{
    const double spread = ksiFactorSpread(f);
    const ksiFactor *exact = &system->factor[KSI_VIEW_EXACT];
    f->rankIsProved = exact->known && exact->rankIsProved && f->smallest > KSI_CLEARS_ROUNDING;
    if (f->rankIsProved)
        return KS_OK;
    if (spread >= 1)
        return decideRank(system, f);
    int rank = f->columns;
    ksStatus status = KS_OK;
    if (f->columns > 0)
        status = findKinematicRank(system, f, spread, &rank);
    if (status || (rank == f->columns && f->smallest > KSI_CLEARS_ROUNDING))
        return status;
    return ksiDenseFactorise(system, f, system->rankTolerance, rank);
}

/* *proved: the tolerance cuts exactly as many singular values as there are omitted rows. Singular
 * values in the kinematic metric differ by a factor of `spread` at most. *more: it cuts more. */
static ksStatus proveRank(ksSystem *system, ksiFactor *f, double perturbedBound, int *proved, int *more)
{
    const double spread = ksiFactorSpread(f), tolerance = system->rankTolerance;
    int full;
    *proved = *more = 0;
    if (perturbedBound > tolerance * spread)
        return KS_OK;
    KSI_TRY(spread < 1 ? ksiLeastSingular(system, f, &f->least) : ksiRankIsFull(system, f, &full));
    if (spread < 1)
        full = f->least * spread > KSI_SAFE_MARGIN * tolerance;
    *proved = full && f->least * spread > KSI_RANK_GAP * perturbedBound / spread;
    *more = !*proved && f->least > 0 && f->least < tolerance;
    return KS_OK;
}

/* Factorises without the rows chosen as dependent, and tries to prove the choice. */
static ksStatus factoriseMembers(ksSystem *system, ksiFactor *f, int *proved, int *more)
{
    const double spread = ksiFactorSpread(f);
    double perturbedBound = 0;
    *proved = *more = 0;
    ksStatus status = ksiFactoriseSparse(f);
    if (status || !(f->smallest > KSI_CLEARS_ROUNDING))
        return status;
    KSI_TRY(ksiFindStresses(f, &perturbedBound));
    KSI_TRY(proveRank(system, f, perturbedBound, proved, more));
    f->rankIsProved = *proved;
    if (!*proved)
        return KS_OK;
    const ksiMetric metric = spread < 1 ? KSI_METRIC_MASS : KSI_METRIC_KINEMATIC;
    f->stressCount = f->dependentCount;
    f->perturbedBound = perturbedBound;
    f->stressNoise = KSI_NOISE_OVER_TILT * perturbedBound / (f->least * spread * spread);
    f->stressNoise = fmin(fmax(f->stressNoise, KSI_LEAST_NOISE), KSI_MOST_NOISE);
    status = ksiFindStressBasis(system, f, metric);
    f->stressBasis = &system->stresses.orthonormal[metric];
    return status;
}

/* Gathers the columns again, with the present choice. */
static ksStatus gatherChosen(ksSystem *system, ksiFactor *f)
{
    return ksiGatherChosen(&system->patterns, f, ksiWarmViewOf(system, f));
}

/* Are there self-stresses of these rows, perhaps from an earlier step? */
static bool hasStresses(const ksiFactor *f)
{
    return f->symbolic->closuresKnown && f->dependents.symbolic == f->symbolic->id;
}

/* Factorises without the chosen rows. While the proof fails, exchanges rows, or leaves out one
 * more, selected by the least singular vector of the others. */
static ksStatus proveChoice(ksSystem *system, ksiFactor *f, int *proved)
{
    int more;
    KSI_TRY(factoriseMembers(system, f, proved, &more));
    for (int i = 0; !*proved && hasStresses(f) && i < OTHER_CHOICES; i++) {
        if (!ksiExchangeDependent(f)) {
            if (!more)
                break;
            ksiChooseLowest(system, f);
        }
        KSI_TRY(gatherChosen(system, f));
        KSI_TRY(factoriseMembers(system, f, proved, &more));
    }
    return KS_OK;
}

static ksStatus forgetChoice(ksSystem *system, ksiFactor *f)
{
    f->dependentCount = 0;
    KSI_TRY(gatherChosen(system, f));
    return ksiFactoriseSparse(f);
}

/* Factorises with the choice of dependent rows from an earlier step, or with a new one. */
static ksStatus factoriseDependent(ksSystem *system, ksiFactor *f, int *proved)
{
    *proved = 0;
    if (f->dependentCount > 0) {
        KSI_TRY(proveChoice(system, f, proved));
        if (*proved)
            return KS_OK;
        KSI_TRY(forgetChoice(system, f));
    } else {
        KSI_TRY(ksiFactoriseSparse(f));
    }
    if (f->columns == 0 || f->smallest > KSI_SAFE_MARGIN * system->rankTolerance)
        return KS_OK;
    KSI_TRY(ksiChooseDependent(system, f));
    if (f->dependentCount == 0)
        return KS_OK;
    KSI_TRY(gatherChosen(system, f));
    KSI_TRY(proveChoice(system, f, proved));
    return *proved ? KS_OK : forgetChoice(system, f);
}

static ksStatus factoriseRigid(ksSystem *system, ksiFactor *f)
{
    int proved = 0;
    KSI_TRY(system->isWarmStarted ? factoriseDependent(system, f, &proved) : ksiFactoriseSparse(f));
    if (!proved)
        KSI_TRY(decideRigid(system, f));
    if (system->isWarmStarted && f->decomposed && f->rank < f->columns)
        KSI_TRY(ksiChooseLast(system, f));
    if (system->isWarmStarted && f->decomposed && f->rank < f->columns)
        return ksiRememberChoice(&system->patterns, f, ksiWarmViewOf(system, f));
    return KS_OK;
}

static ksStatus factorise(ksSystem *system, ksiFactor *f)
{
    if (f->view.compliance == KSI_COMPLIANCE_ABOVE_RIGID)
        return factoriseRigid(system, f);
    if (f->symbolic->sides > 0 && ksiGatherSides(system, f))
        return KS_ERROR_NO_MEMORY;
    return factoriseExact(system, f);
}

/* Is any compliance in (above, upTo]? */
static bool anyCompliance(const ksiModel *model, double above, double upTo)
{
    int any = 0;
    for (int l = 0; l < model->rowCount && !any; l++)
        any = model->compliance[l] > above && model->compliance[l] <= upTo;
    return any;
}

/* The view with the same matrix, perhaps with another tolerance; the view itself if there is
 * none. */
static ksiViewIndex sameMatrix(const ksiModel *model, ksiViewIndex index)
{
    switch (index) {
    case KSI_VIEW_KINEMATIC:
        return ksiWeightSpread(model) < 1 ? index : KSI_VIEW_RIGID;
    case KSI_VIEW_KINEMATIC_EXACT:
        return ksiWeightSpread(model) < 1 ? index : KSI_VIEW_EXACT;
    case KSI_VIEW_RIGID:
        return anyCompliance(model, 0, model->rigidCompliance) ? index : KSI_VIEW_EXACT;
    case KSI_VIEW_REACH:
        // not RIGID: its rank decision is not needed here, and may cost a singular value
        // decomposition
        return model->knownCount > 0 || anyCompliance(model, 0, INFINITY) ? index : KSI_VIEW_EXACT;
    default:
        return index;
    }
}

/* Does the factorisation of the same matrix serve the view? */
static ksStatus serves(ksSystem *system, ksiFactorSpec view, ksiFactor *same, int *does)
{
    *does = 1;
    if (view.metric == KSI_METRIC_KINEMATIC)
        return KS_OK;
    *does = same->rank == same->columns && !same->decomposed && same->smallest > KSI_CLEARS_ROUNDING;
    if (view.compliance != KSI_COMPLIANCE_ABOVE_RIGID || !*does || same->columns == 0)
        return KS_OK;
    const double spread = ksiWeightSpread(&system->model);
    if (spread >= 1)
        return ksiRankIsFull(system, same, does);
    int rank;
    const ksStatus status = findKinematicRank(system, same, spread, &rank);
    *does = rank == same->columns;
    return status;
}

static ksStatus gather(ksSystem *system, ksiViewIndex view, ksiFactor *f)
{
    KSI_TRY(ksiSystemPattern(system));
    if (ksiViewAt(view).metric == KSI_METRIC_KINEMATIC)
        ksiFindKinematicSizes(&system->model);
    f->model = &system->model;
    f->pattern = system->pattern;
    f->index = view;
    return ksiGatherColumns(&system->patterns, f, ksiWarmViewOf(system, f));
}

ksStatus ksiFactorGet(ksSystem *system, ksiViewIndex view, ksiFactor **factor)
{
    ksiFactor *f = &system->factor[view];
    const ksiViewIndex other = f->known ? view : sameMatrix(&system->model, view);
    if (other != view) {
        ksiFactor *same;
        int does = 0;
        KSI_TRY(ksiFactorGet(system, other, &same));
        KSI_TRY(serves(system, ksiViewAt(view), same, &does));
        if (does) {
            f->servedBy = (ksiViewIndex)(same - system->factor);
            f->known = 1;
        }
    }
    if (!f->known) {
        f->servedBy = view;
        KSI_TRY(gather(system, view, f));
        KSI_TRY(factorise(system, f));
        f->known = 1;
    }
    *factor = &system->factor[f->servedBy];
    return KS_OK;
}

ksStatus ksiIndependentFactor(ksSystem *system, ksiViewIndex view, ksiFactor **factor)
{
    ksiFactor *f = &system->factor[view];
    if (!f->known) {
        f->servedBy = view;
        KSI_TRY(gather(system, view, f));
        KSI_TRY(ksiFactoriseSparse(f));
        f->known = f->smallest > KSI_CLEARS_ROUNDING;
    }
    ksiFactor *found = &system->factor[f->servedBy];
    *factor = f->known && found->rank == found->columns ? found : NULL;
    return KS_OK;
}

/* Does the exact factorisation prove that the rigid rows are independent? Its unit columns are the
 * unit columns of the rigid rows, with slacks of at most `soft`: sigma_min^2 >= least^2 - soft^2,
 * in the kinematic metric at least `spread` times as much. The margin covers the error of `least`,
 * which is just above `soft` if only slacks make the rows independent. */
static ksStatus exactProvesRank(ksSystem *system, ksiFactor *f)
{
    const double cut = system->rankTolerance / ksiWeightSpread(&system->model);
    double soft = 0, least;
    if (!f->known || f->rankIsProved || !f->isSparse)
        return KS_OK;
    for (int c = 0; c < f->columns; c++)
        if (system->model.compliance[f->row[c]] <= system->model.rigidCompliance)
            soft = fmax(soft, f->slackPart[c]);
    const double enough = KSI_SAFE_MARGIN * sqrt(cut * cut + soft * soft);
    if (!(f->smallest > enough))
        return KS_OK;
    const ksStatus status = ksiLeastSingular(system, f, &least);
    f->rankIsProved = !status && least > enough;
    return status;
}

/* With a warm start, the exact or rigid view if it proves its rank in its own metric; else the
 * kinematic view. */
static ksStatus findDeciding(ksSystem *system, ksiFactor **f)
{
    if (system->isWarmStarted) {
        *f = &system->factor[KSI_VIEW_EXACT];
        ksStatus status = system->factor[KSI_VIEW_RIGID].known ? KS_OK : exactProvesRank(system, *f);
        if (!status && !((*f)->known && (*f)->rankIsProved))
            status = ksiFactorGet(system, KSI_VIEW_RIGID, f);
        // if drift exceeds rounding, self-stresses differ between both metrics
        if (status || ((*f)->rankIsProved && !((*f)->stressCount > 0 && (*f)->stressNoise > KSI_LEAST_NOISE)))
            return status;
    }
    return ksiFactorGet(system, KSI_VIEW_KINEMATIC, f);
}

/* Number of calls, one or two a step, for which a refusal is remembered: FIRST_PATIENCE, then four
 * times as many after each refusal, up to MOST_PATIENCE. In a large island, finding that a rank is
 * in doubt costs as much as a few hundred steps. Smaller numbers only cost time; larger numbers
 * withhold values for longer after the doubt has gone. */
enum { FIRST_PATIENCE = 16, MOST_PATIENCE = 1024 };

static int wasRefused(const ksSystem *system)
{
    const ksiWarmStart *warm = system->warm;
    return system->isWarmStarted && warm->refused && system->pattern && warm->refused == system->pattern->id &&
           warm->refusedKnown == system->model.knownCount;
}

ksStatus ksiSystemCheckRefused(ksSystem *system)
{
    if (!system->isWarmStarted || !system->warm->refused)
        return KS_OK;
    KSI_TRY(ksiSystemPattern(system));
    if (!wasRefused(system)) {
        system->warm->refused = 0;
        system->warm->patience = 0;
    } else if (system->warm->waited++ >= system->warm->patience) {
        system->warm->refused = 0;
    }
    return system->warm->refused ? KS_ERROR_UNAVAILABLE : KS_OK;
}

ksStatus ksiDecidingFactor(ksSystem *system, ksiFactor **f)
{
    if (wasRefused(system))
        return KS_ERROR_UNAVAILABLE;
    const ksStatus status = findDeciding(system, f);
    if (status == KS_ERROR_UNAVAILABLE && system->isWarmStarted && system->pattern) {
        system->warm->refused = system->pattern->id;
        system->warm->refusedKnown = system->model.knownCount;
        const int longer = 4 * system->warm->patience;
        system->warm->patience = longer < FIRST_PATIENCE  ? FIRST_PATIENCE
                                 : longer < MOST_PATIENCE ? longer
                                                          : MOST_PATIENCE;
        system->warm->waited = 0;
    } else if (!status && system->isWarmStarted) {
        system->warm->patience = 0;
    }
    return status;
}

void ksiApplyQTransposed(ksiFactor *f, double *h)
{
    if (f->height == 0)
        return;
    if (f->isSparse)
        ksiSparseApplyQTransposed(f, h);
    else
        ksiDenseApplyQTransposed(f, h);
}

void ksiApplyQ(ksiFactor *f, double *h)
{
    if (f->height == 0)
        return;
    if (f->isSparse)
        ksiSparseApplyQ(f, h);
    else
        ksiDenseApplyQ(f, h);
}

void ksiSolveRTransposed(ksiFactor *f, const double *side, double *frame)
{
    if (f->isSparse && f->stressCount > 0)
        ksiDependentSolveRTransposed(f, side, frame);
    else if (f->isSparse)
        ksiSparseSolveRTransposed(f, side, frame);
    else
        ksiDenseSolveRTransposed(f, side, frame);
}

void ksiSolveR(ksiFactor *f, const double *frame, double *multiple)
{
    if (f->isSparse && f->stressCount > 0)
        ksiDependentSolveR(f, frame, multiple);
    else if (f->isSparse)
        ksiSparseSolveR(f, frame, multiple);
    else
        ksiDenseSolveR(f, frame, multiple);
}
