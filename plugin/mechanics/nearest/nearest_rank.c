/* nearest_rank.c  Rank and self-stresses in the pose in which joints fit.
 *
 *     a unit vector u over the rows, with singular value sigma, is a self-stress  iff
 *     sigma <= max(tolerance, 3 residual, 2 residual / drift |dJ^T u|),      dJ = J(fitted) - J(initial):
 *
 * the move reduced sigma from |dJ^T u| as it did the gaps. A sigma that is small by geometry stays as it was. Small ones
 * are counted by the negative elements of D, L D L^T = K K^T - upper (Sylvester), K the unit rows of the kinematic metric. If as many
 * rows depend on earlier ones, their closures are the self-stresses (nearest_stress.c). What is not as clear as that is found by inverse
 * iteration of a block of directions (Parlett 1980). */
#include "nearest_private.h"

#include "../../base/memory.h"
#include "../../base/vectorise.h"
#include "../../linear/lapack.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Largest sigma of a self-stress: as a multiple of |dJ^T u| times the share that is left of the drift, a quarter at most (pose.c). With
 * two, a taut V, whose singular value is the drift, stays independent. */
static const double movedFactor = 2;
/* The noise in a self-stress is no more: a row's part is more than that */
static const double mostNoise = 1e-2;
/* |K K^T u - sigma^2 u| of a self-stress is rounding; if bodies were not moved, it is this share of the largest sigma^2
 * in the block, since then the rows are uncertain by the drift: in a dense spectrum, a tenth of it takes more rounds
 * than there are, ten times as much leaves errors of 1e-4 of the tolerance */
static const double settledByDrift = 1e-3;

/* rows x directions^2: what a full matrix of 400 rows takes */
static const double mostWork = 400. * 400 * 400;

/* Guard vectors: some, and a share of the directions. Rounds, and shifts that are tried: with fewer, fewer poses are
 * decided; more are cost only. */
enum { GUARDS = 2, GUARDED = 4, MOST_ROUNDS = 16, SHIFTS = 3 };

/* |dJ^T u|, and dJ^T u in `motion` */
static double rowChangeAlong(ksiNearest *n, const double *u)
{
    ksiNearestSum(n, n->rigid, n->change, u, n->motion);
    return ksiNearestNorm(n->motion, 6 * (size_t)n->bodies);
}

/* Upper bound of |dJ^T u| over all unit vectors u. By blocks d of a row and a body: |dJ|^2 <= max_l (sum_b |d|) max_b (sum_l |d|). */
KSI_CLONES
static double mostRowChange(ksiNearest *n)
{
    double *ofBody = n->motion, mostRow = 0, mostBody = 0;
    memset(ofBody, 0, (size_t)n->bodies * sizeof *ofBody);
    for (int l = 0; l < n->rigid; l++) {
        double ofRow = 0;
        for (int p = 0; p < 2; p++) {
            const int b = n->body[l][p];
            if (b < 0)
                continue;
            const double *d = n->change + 12 * l + 6 * p, size = sqrt(ksiDotSix(d, d));
            ofRow += size;
            mostBody = ksiLarger(mostBody, ofBody[b] += size);
        }
        mostRow = ksiLarger(mostRow, ofRow);
    }
    return sqrt(mostRow * mostBody);
}

/* `unit`: unit rows of the pose; `change`: their difference from unit rows where the bodies are. */
KSI_CLONES
static void findChange(ksiNearest *n)
{
    ksiNearestScale(n, n->fitted, 1, n->rigid, n->unit);
    ksiNearestScale(n, n->initial, 1, n->rigid, n->change);
    for (int i = 0; i < 12 * n->rows; i++)
        n->change[i] = n->unit[i] - n->change[i];
}

/* `matrix` := K K^T + shift in the rigid rows, the unit matrix in the others. */
static void fillShifted(ksiNearest *n, double shift)
{
    memcpy(n->matrix, n->inverse, (size_t)n->profile.room * sizeof *n->matrix);
    for (int l = 0; l < n->rows; l++)
        ksiNearestAdd(n, n->matrix, l, l < n->rigid ? shift : 1);
}

/* Number of eigenvalues of K K^T below upper; -1: not known. There is no factor if the shift is an eigenvalue of a
 * leading block: it is then raised by rounding. */
static int countBelow(ksiNearest *n, double upper)
{
    int count = -1;
    for (int k = 0; count < 0 && k < SHIFTS; k++, upper += ksiNearestRounding(n)) {
        fillShifted(n, -upper);
        count = ksiProfileFactor(&n->profile, -INFINITY, n->matrix);
    }
    return count;
}

/* The current block of directions: [wide][rows] in small; K^T of each, [wide][6 bodies], in `image`. */
typedef struct Block {
    int wide;
    double *image, *ritz, *turned, *work;
    int workSize;
} Block;

static ksStatus makeRoom(ksiNearest *n, int count, Block *block)
{
    const size_t rows = (size_t)n->rows, coordinates = 6 * (size_t)n->bodies;
    // in a dense spectrum the next ones are nearly as small: guard vectors speed up convergence
    const int guarded = count + GUARDS + count / GUARDED, wide = guarded < n->rigid ? guarded : n->rigid;
    const size_t w = (size_t)wide;
    const size_t larger = rows > coordinates ? rows : coordinates;
    KSI_TRY(ksiReserve(&n->allocator, &n->vectors, &n->vectorCapacity,
                       w * (rows + 1) + w * (coordinates + w + larger + 8), sizeof *n->vectors));
    n->small = n->vectors;
    n->sigma = n->small + w * rows;
    *block = (Block){.wide = wide, .image = n->sigma + w, .workSize = 8 * wide};
    block->ritz = block->image + w * coordinates;
    block->turned = block->ritz + w * w;
    block->work = block->turned + w * larger;
    return KS_OK;
}

static void makeUnit(size_t rows, double *x)
{
    const double size = ksiNearestNorm(x, rows);
    for (size_t l = 0; l < rows; l++)
        x[l] = size > 0 ? x[l] / size : 0;
}

/* Gram-Schmidt, twice, to unit length. */
KSI_CLONES
static void makeOrthonormal(ksiNearest *n, int wide)
{
    const size_t rows = (size_t)n->rows;
    for (int k = 0; k < wide; k++) {
        double *x = n->small + (size_t)k * rows;
        for (int time = 0; time < 3; time++) {
            makeUnit(rows, x);
            for (int j = 0; time < 2 && j < k; j++) {
                const double *y = n->small + (size_t)j * rows;
                ksiAddMany(n->rows, -ksiDotMany(n->rows, x, y), y, x);
            }
        }
    }
}

/* x := x rotated by the Ritz vectors, x [wide][count] */
KSI_CLONES
static void turn(const Block *block, size_t count, double *x)
{
    const size_t wide = (size_t)block->wide;
    memset(block->turned, 0, wide * count * sizeof *block->turned);
    for (size_t k = 0; k < wide; k++)
        for (size_t j = 0; j < wide; j++) {
            const double part = block->ritz[k * wide + j];
            ksiAddMany((int)count, part, x + j * count, block->turned + k * count);
        }
    memcpy(x, block->turned, wide * count * sizeof *x);
}

/* Rayleigh-Ritz: the best approximations in the block, and sigma of each, ascending. */
static ksStatus separate(ksiNearest *n, const Block *block)
{
    const size_t wide = (size_t)block->wide, coordinates = 6 * (size_t)n->bodies, rows = (size_t)n->rows;
    int info = 0;
    for (size_t k = 0; k < wide; k++)
        ksiNearestSum(n, n->rigid, n->unit, n->small + k * rows, block->image + k * coordinates);
    for (size_t k = 0; k < wide; k++)
        for (size_t j = 0; j <= k; j++)
            block->ritz[j * wide + k] =
                ksiDot(coordinates, block->image + k * coordinates, block->image + j * coordinates);
    dsyev_("V", "L", &block->wide, block->ritz, &block->wide, n->sigma, block->work, &block->workSize, &info, 1, 1);
    if (info)
        return KS_ERROR_UNAVAILABLE;
    for (size_t k = 0; k < wide; k++)
        n->sigma[k] = sqrt(fmax(n->sigma[k], 0));
    turn(block, rows, n->small);
    turn(block, coordinates, block->image);
    return KS_OK;
}

/* |K K^T u - sigma^2 u| */
static double residual(const ksiNearest *n, const Block *block, int k)
{
    const double *u = n->small + (size_t)k * (size_t)n->rows, *image = block->image + 6 * (size_t)k * (size_t)n->bodies;
    double square = 0;
    for (int l = 0; l < n->rigid; l++) {
        const double part = ksiNearestApply(n, n->unit, l, image) - n->sigma[k] * n->sigma[k] * u[l];
        square += part * part;
    }
    return sqrt(square);
}

/* Of |dJ^T u|: what the move leaves of a self-stress. */
static double shareLeft(const ksiNearest *n)
{
    return n->isMoved && n->drift > 0 ? movedFactor * n->residual / n->drift : 0;
}

/* Decides by the singular value and by the change of the direction. */
static bool isStress(ksiNearest *n, int k)
{
    const double change = rowChangeAlong(n, n->small + (size_t)n->rows * (size_t)k);
    return n->sigma[k] <= fmax(ksiNearestFloor(n), shareLeft(n) * change);
}

/* Are all values below `upper` found, and the self-stresses among them to all digits? */
static bool isSettled(ksiNearest *n, const Block *block, int count, double upper)
{
    const double most = n->sigma[block->wide - 1], last = n->sigma[count - 1], rounding = ksiNearestRounding(n);
    const double residualLeft = n->isMoved ? rounding : fmax(settledByDrift * most * most, rounding);
    if (last * last > upper * upper + SHIFTS * rounding)
        return 0;
    for (int k = 0; k < count; k++)
        if (isStress(n, k) && residual(n, block, k) > residualLeft)
            return 0;
    return 1;
}

/* The `count` singular values up to `upper`, and their directions. KS_ERROR_UNAVAILABLE: too many, or not all found. */
static ksStatus findSmall(ksiNearest *n, int count, double upper)
{
    Block block;
    if ((double)n->rows * count * count > mostWork)
        return KS_ERROR_UNAVAILABLE;
    KSI_TRY(makeRoom(n, count, &block));
    fillShifted(n, ksiNearestRounding(n));
    if (ksiProfileFactor(&n->profile, -INFINITY, n->matrix))
        return KS_ERROR_UNAVAILABLE;
    for (int k = 0; k < block.wide; k++)
        for (int l = 0; l < n->rows; l++)
            n->small[(size_t)k * (size_t)n->rows + (size_t)l] = l < n->rigid ? ksiPseudoRandom(k * n->rigid + l) : 0;
    for (int round = 0; round <= MOST_ROUNDS; round++) {
        for (int k = 0; k < block.wide; k++)
            ksiProfileSolve(&n->profile, n->matrix, n->small + (size_t)k * (size_t)n->rows, n->work);
        makeOrthonormal(n, block.wide);
        if (round == 0)
            continue;
        KSI_TRY(separate(n, &block));
        if (isSettled(n, &block, count, upper))
            return KS_OK;
    }
    return KS_ERROR_UNAVAILABLE;
}

/* What is left of the gaps turns the rows by as much, and self-stresses by the ratio of the singular values on both sides of the rank, of
 * which nobody sees what is below the root of rounding, since these come from their squares. Noise, in a unit self-stress of rows that
 * have no part, is less than a multiple of that. */
static void findNoise(ksiNearest *n, double largest, double next)
{
    const double unseen = ksiNearestUnseen(n), turned = n->isMoved ? n->residual : 0;
    n->tilt = turned + (largest + unseen) / next;
    n->noise = fmin(turned + (KSI_NOISE_OVER_TILT * largest + unseen) / next, mostNoise);
}

/* Of a direction, by places */
static ksStatus addStress(ksiNearest *n, int k)
{
    for (int i = 0; i < n->rows; i++)
        n->right[i] = n->small[(size_t)n->rows * (size_t)k + (size_t)n->profile.order[i]];
    return ksiStressSetAdd(&n->allocator, &n->all, 0, n->rows, n->right);
}

/* The directions one by one. */
static ksStatus decideEach(ksiNearest *n, int count, double upper)
{
    double largest = 0, next = upper;
    KSI_TRY(findSmall(n, count, upper));
    KSI_TRY(ksiStressSetBegin(&n->allocator, &n->all, count));
    if (count < n->rigid)
        next = n->sigma[count];
    for (int k = 0; k < count; k++)
        if (isStress(n, k)) {
            largest = fmax(largest, n->sigma[k]);
            KSI_TRY(addStress(n, k));
        } else {
            next = fmin(next, n->sigma[k]);
        }
    findNoise(n, largest, next);
    return ksiStressSetMeasure(n, &n->all);
}

/* Where as many rows depend on earlier ones as there are candidates, and all of these are self-stresses: whatever their directions,
 * and told from the others. KS_ERROR_UNAVAILABLE: not so; nor where bodies were not moved, since their rows are uncertain by the drift,
 * and closures by what a row reaches. */
static ksStatus decideTogether(ksiNearest *n, int count, double upper)
{
    ksiSpectrum found;
    if (!n->isMoved)
        return KS_ERROR_UNAVAILABLE;
    fillShifted(n, 0);
    if (ksiProfileFactor(&n->profile, upper * upper, n->matrix) != count)
        return KS_ERROR_UNAVAILABLE;
    KSI_TRY(ksiNearestFindClosures(n, count, &found));
    findNoise(n, found.typical, fmin(found.next, 1));
    const int areAll = upper <= ksiNearestFloor(n) || found.bound <= ksiNearestFloor(n);
    const int areTold = KSI_NOISE_OVER_TILT * found.typical <= KSI_MOST_NOISE * found.next;
    return areAll && areTold ? KS_OK : KS_ERROR_UNAVAILABLE;
}

ksStatus ksiNearestDecide(ksiNearest *n)
{
    findChange(n);
    // candidates are up to where no change of a row decides
    const double share = shareLeft(n), upper = fmax(ksiNearestFloor(n), share > 0 ? share * mostRowChange(n) : 0);
    n->stressCount = n->all.count = n->areChosen = 0;
    n->hasShares = false;
    n->noise = n->tilt = 0;
    ksiNearestFill(n);
    memcpy(n->inverse, n->matrix, (size_t)n->profile.room * sizeof *n->matrix);
    const int count = countBelow(n, upper * upper);
    if (count < 0)
        return KS_ERROR_UNAVAILABLE;
    ksStatus status = count ? decideTogether(n, count, upper) : KS_OK;
    if (status == KS_ERROR_UNAVAILABLE)
        status = decideEach(n, count, upper);
    n->stressCount = status ? 0 : n->all.count;
    return status;
}
