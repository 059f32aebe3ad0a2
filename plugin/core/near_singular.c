/* near_singular.c  Finds the directions of an island's rows with the least singular values, where
 * pivots do not identify them: see pose.h.
 *
 * The directions are unit vectors `u` over the unit rows `K`, with the smallest singular values of
 * K^T. They are found by inverse iteration of a block (Parlett 1980):
 *
 *     u := (K K^T + rounding)^-1 u
 *
 * The factor of the kinematic metric solves for four directions at a time. A Rayleigh-Ritz step
 * follows each round.
 */
#include "near_singular.h"
#include "plan.h"

#include "../base/error.h"
#include "../base/pseudorandom.h"
#include "../base/vectorise.h"
#include "../linear/lapack.h"

#include <math.h>
#include <string.h>

/* GUARDS, and one for every GUARDED directions: extra vectors in the block, since in a dense
 * spectrum the next singular values are nearly as small. MOST_ROUNDS: with fewer rounds, fewer
 * directions are found. */
enum { GUARDS = 2, GUARDED = 4, MOST_ROUNDS = 16 };

/* Allowed |K K^T u - sigma^2 u| of a self-stress, relative to the largest sigma^2 in the block, if
 * the bodies were not moved. If they were moved, only rounding is allowed. In a dense spectrum, a
 * tenth of this value takes more than MOST_ROUNDS. */
static const double settledByDrift = 1e-3;

/* Allowed |K K^T u - sigma^2 u| of a direction that is not a self-stress, relative to its
 * sigma^2. */
static const double settled = 0.1;

/* If one pass of Gram-Schmidt removes all but this share of a vector's square, another pass
 * follows. */
static const double mostLost = 1e-2;
enum { MOST_PASSES = 8 };

/* limit of rows x directions^2: the work of a full matrix of 400 rows */
static const double mostWork = 400. * 400 * 400;

/* Upper limit of `noise`: a row takes part in a unit self-stress if its element exceeds this,
 * however large the tilt is. */
static const double mostNoise = 1e-2;

/* The remaining gaps turn the rows, and the self-stresses with them, by about the size of the gaps.
 * If the bodies were not moved, the whole drift remains. */
void ksiCoreFindNoise(const ksiCoreWay *way, const ksiCoreSpectrum *spectrum, double largest, double next,
                      ksiCoreRankFound *found)
{
    const double unseen = sqrt(spectrum->rounding);
    found->tilt = way->residual + (largest + unseen) / next;
    found->noise = fmin(way->residual + (KSI_CORE_NOISE_OVER_TILT * largest + unseen) / next, mostNoise);
}

typedef struct Block {
    ksiCore *core;
    int rows, coordinates;
    int used, wide;             /* used: number of vectors; wide: the next multiple of four; the
                                   vectors from `used` on are zero */
    double *u, *image, *change; /* u: [rows][wide]; image: K^T u, and change: dJ^T u,
                                   [coordinates][wide] */
    double *sigma, *residual2, *ritz, *line, *work;
} Block;

/* The number of unknown rows. *rows: the number of all rows. */
static int countFree(const ksiCore *core, int *rows)
{
    int count = 0;
    *rows = 0;
    for (int i = 0; i < core->links + core->closings; i++) {
        *rows += ksiCoreAt(core, i)->rows;
        for (int l = 0; l < ksiCoreAt(core, i)->rows; l++)
            count += !(ksiCoreAt(core, i)->known >> l & 1u);
    }
    return count;
}

static ksStatus begin(ksiCore *core, int count, Block *block)
{
    int rows;
    const int free = countFree(core, &rows) - core->stresses, guarded = count + GUARDS + count / GUARDED;
    const int used = guarded < free ? guarded : free, wide = (used + 3) / 4 * 4;
    *block = (Block){.core = core, .rows = rows, .coordinates = 6 * core->links, .used = used, .wide = wide};
    if ((double)block->rows * wide * wide > mostWork)
        return KS_ERROR_SINGULAR;
    const size_t w = (size_t)wide, coordinates = (size_t)block->coordinates;
    KSI_TRY(ksiReserve(&core->allocator, &core->weak, &core->weakCapacity,
                       w * ((size_t)rows + 2 * coordinates + w + 11), sizeof *core->weak));
    block->u = core->weak;
    block->image = block->u + (size_t)rows * w;
    block->change = block->image + coordinates * w;
    block->ritz = block->change + coordinates * w;
    block->sigma = block->ritz + w * w;
    block->residual2 = block->sigma + w;
    block->line = block->residual2 + w;
    block->work = block->line + w;
    return KS_OK;
}

static bool isFree(const ksiConstraint *c, int l)
{
    return l < c->rows && !(c->known >> l & 1u);
}

static void start(const Block *block)
{
    const ksiCore *core = block->core;
    double *u = block->u;
    memset(u, 0, (size_t)block->rows * (size_t)block->wide * sizeof *u);
    for (int i = 0, n = 0; i < core->links + core->closings; i++)
        for (int l = 0; l < ksiCoreAt(core, i)->rows; l++, u += block->wide)
            for (int k = 0; isFree(ksiCoreAt(core, i), l) && k < block->used; k++)
                u[k] = ksiPseudoRandom(n++);
}

/* u := (K K^T + rounding)^-1 u, without a part along self-stresses. */
static void iterate(const Block *block)
{
    ksiCore *core = block->core;
    ksiCoreClearForces(core);
    for (int four = 0; four < block->wide; four += 4) {
        double *u = block->u + four;
        for (int i = 0; i < core->links + core->closings; i++) {
            ksiConstraint *c = ksiCoreAt(core, i);
            for (int l = 0; l < c->rows; l++, u += block->wide) {
                c->beta[l] = c->unit[l] * *(ksiFour *)u;
                c->lambda[l] = (ksiFour){0};
            }
        }
        ksiCoreSweep(core);
        for (int column = 0; column < 4; column++)
            ksiCoreTakeOut(core, column);
        u = block->u + four;
        for (int i = 0; i < core->links + core->closings; i++) {
            const ksiConstraint *c = ksiCoreAt(core, i);
            for (int l = 0; l < c->rows; l++, u += block->wide)
                if (isFree(c, l))
                    *(ksiFour *)u = c->unit[l] * c->lambda[l];
        }
    }
}

/* Gram-Schmidt, usually in two passes. */
KSI_CLONES
static void makeOrthonormal(const Block *block)
{
    const int w = block->wide;
    double *const end = block->u + block->rows * w, *product = block->line;
    for (int k = 0; k < block->used; k++)
        for (int times = 0, passes = 3; times < passes; times++) {
            double size = 0;
            memset(product, 0, (size_t)w * sizeof *product);
            for (const double *row = block->u; times > 0 && row < end; row += w)
                ksiAddMany(k, row[k], row, product);
            for (double *row = block->u; row < end; row += w) {
                row[k] -= times > 0 ? ksiDotMany(k, product, row) : 0;
                size += row[k] * row[k];
            }
            for (double *row = block->u; row < end; row += w)
                row[k] *= size > 0 ? 1 / sqrt(size) : 0;
            // a vector that was only rounding of the others gets a new direction
            passes += times > 0 && size < mostLost && passes < MOST_PASSES;
        }
}

/* out [coordinates][wide] += times K^T u. K has the present rows, or the rows `other`, whose sides
 * are in the order of the joint. */
KSI_CLONES
static void addImage(const Block *block, const double (*other)[KSI_CORE_ROWS][12], double times, double *out)
{
    const ksiCore *core = block->core;
    const size_t w = (size_t)block->wide;
    const double *u = block->u;
    for (int i = 0; i < core->links + core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++, u += w) {
            double row[2][6];
            if (!isFree(c, l))
                continue;
            ksiCoreUnitRow(core, c, l, other ? other[c->joint][l] : NULL, row);
            for (int p = 0; p < 2; p++) {
                const int body = p ? c->partner : c->body;
                for (int k = 0; body >= 0 && k < 6; k++)
                    ksiAddMany(block->wide, times * row[p][k], u, out + (6 * (size_t)body + (size_t)k) * w);
            }
        }
    }
}

/* x [count][wide] := x times the Ritz vectors */
KSI_CLONES
static void turn(const Block *block, int count, double *x)
{
    const int w = block->wide;
    for (double *row = x; row < x + count * w; row += w) {
        for (int k = 0; k < w; k++)
            block->line[k] = ksiDotMany(w, row, block->ritz + k * w);
        memcpy(row, block->line, (size_t)w * sizeof *row);
    }
}

/* Rayleigh-Ritz: the vectors become the best approximations of singular vectors, by ascending
 * singular value. */
KSI_CLONES
static ksStatus separate(const Block *block)
{
    const size_t w = (size_t)block->wide;
    int info = 0, workSize = 8 * block->wide;
    memset(block->image, 0, (size_t)block->coordinates * w * sizeof *block->image);
    addImage(block, NULL, 1, block->image);
    memset(block->ritz, 0, w * w * sizeof *block->ritz);
    for (const double *row = block->image; row < block->image + (size_t)block->coordinates * w; row += w)
        for (int k = 0; k < block->used; k++)
            ksiAddMany(k + 1, row[k], row, block->ritz + (size_t)k * w);
    // zero vectors come last: no squared singular value exceeds the trace
    for (size_t k = (size_t)block->used; k < w; k++)
        block->ritz[k * w + k] = 2. * block->rows;
    dsyev_("V", "U", &block->wide, block->ritz, &block->wide, block->sigma, block->work, &workSize, &info, 1, 1);
    if (info)
        return KS_ERROR_SINGULAR;
    for (size_t k = 0; k < w; k++)
        block->sigma[k] = sqrt(fmax(block->sigma[k], 0));
    turn(block, block->rows, block->u);
    turn(block, block->coordinates, block->image);
    return KS_OK;
}

/* |K K^T u - sigma^2 u|^2 */
KSI_CLONES
static void findResiduals(const Block *block)
{
    const ksiCore *core = block->core;
    const size_t w = (size_t)block->wide;
    const double *u = block->u;
    memset(block->residual2, 0, w * sizeof *block->residual2);
    for (int i = 0; i < core->links + core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++, u += w) {
            double row[2][6];
            if (!isFree(c, l))
                continue;
            for (size_t k = 0; k < w; k++)
                block->line[k] = -block->sigma[k] * block->sigma[k] * u[k];
            ksiCoreUnitRow(core, c, l, NULL, row);
            for (int p = 0; p < 2; p++) {
                const int body = p ? c->partner : c->body;
                for (int j = 0; body >= 0 && j < 6; j++)
                    ksiAddMany(block->wide, row[p][j], block->image + (6 * (size_t)body + (size_t)j) * w, block->line);
            }
            for (size_t k = 0; k < w; k++)
                block->residual2[k] += block->line[k] * block->line[k];
        }
    }
}

/* Is the k-th direction a self-stress? This depends on its singular value and, if the bodies have
 * been moved, on the change of the rows along it. */
static bool isStress(const Block *block, int k, const ksiCoreSpectrum *spectrum)
{
    const size_t w = (size_t)block->wide;
    double change2 = 0;
    for (size_t i = 0; i < (size_t)block->coordinates; i++)
        change2 += block->change[i * w + (size_t)k] * block->change[i * w + (size_t)k];
    return block->sigma[k] <= fmax(spectrum->floor, spectrum->share * sqrt(change2));
}

/* dJ^T u */
static void findChange(const Block *block, const ksiCoreWay *way)
{
    const size_t count = (size_t)block->coordinates * (size_t)block->wide;
    memset(block->change, 0, count * sizeof *block->change);
    if (!way->initial)
        return;
    memcpy(block->change, block->image, count * sizeof *block->change);
    addImage(block, way->initial, -1, block->change);
}

/* Are all singular values up to the bound found, and the self-stresses among them to all digits? If
 * the bodies were not moved, fewer digits suffice: the drift makes the rows uncertain. */
static bool isSettled(const Block *block, int count, const ksiCoreWay *way, const ksiCoreSpectrum *spectrum)
{
    const double last = block->sigma[count - 1], most = block->sigma[block->used - 1], rounding = spectrum->rounding;
    const double left = way->isMoved ? rounding : fmax(settledByDrift * most * most, rounding);
    bool is = last * last <= spectrum->upper * spectrum->upper + 3 * rounding;
    if (is)
        findResiduals(block);
    for (int k = 0; is && k < count; k++)
        is = !isStress(block, k, spectrum) || block->residual2[k] <= left * left;
    return is;
}

/* Moves the self-stresses among the first `count` directions to the front, and passes them to the
 * core. */
static ksStatus choose(const Block *block, int count, const ksiCoreWay *way, const ksiCoreSpectrum *spectrum,
                       ksiCoreRankFound *found)
{
    const size_t w = (size_t)block->wide;
    double largest = 0, next = count < block->used ? block->sigma[count] : spectrum->upper;
    int chosen = 0;
    for (int k = 0; k < count; k++) {
        if (!isStress(block, k, spectrum)) {
            next = fmin(next, block->sigma[k]);
            continue;
        }
        largest = fmax(largest, block->sigma[k]);
        for (size_t l = 0; l < (size_t)block->rows; l++)
            block->u[l * w + (size_t)chosen] = block->u[l * w + (size_t)k];
        chosen++;
    }
    ksiCoreFindNoise(way, spectrum, largest, next, found);
    return ksiCoreTakeStresses(block->core, chosen, block->wide, block->u);
}

/* Computes the next approximations. */
static ksStatus approach(const Block *block, const ksiCoreWay *way)
{
    iterate(block);
    makeOrthonormal(block);
    KSI_TRY(separate(block));
    findChange(block, way);
    return KS_OK;
}

ksStatus ksiCoreFindWeak(ksiCore *core, int count, const ksiCoreWay *way, const ksiCoreSpectrum *spectrum,
                         ksiCoreRankFound *found)
{
    Block block;
    core->stresses = core->groups = core->parts = 0;
    KSI_TRY(begin(core, count, &block));
    start(&block);
    for (int round = 0; round <= MOST_ROUNDS; round++) {
        KSI_TRY(approach(&block, way));
        if (round > 0 && isSettled(&block, count, way, spectrum))
            return choose(&block, count, way, spectrum, found);
    }
    return KS_ERROR_SINGULAR;
}

/* Are all singular values up to the bound found to one digit, and is none of them a self-stress? */
static bool areOthers(const Block *block, int count, const ksiCoreSpectrum *spectrum)
{
    bool are = block->sigma[count - 1] <= spectrum->upper;
    if (are)
        findResiduals(block);
    for (int k = 0; are && k < count; k++) {
        const double square = block->sigma[k] * block->sigma[k];
        are = !isStress(block, k, spectrum) && block->residual2[k] <= settled * settled * square * square;
    }
    return are;
}

ksStatus ksiCoreFindOthers(ksiCore *core, int count, const ksiCoreWay *way, const ksiCoreSpectrum *spectrum,
                           double *least)
{
    Block block;
    KSI_TRY(begin(core, count, &block));
    if (block.used < count)
        return KS_ERROR_SINGULAR;
    start(&block);
    for (int round = 0; round <= MOST_ROUNDS; round++) {
        KSI_TRY(approach(&block, way));
        // the least singular value is at most sigma[0], so it belongs to a self-stress
        if (block.sigma[0] <= spectrum->floor)
            return KS_ERROR_SINGULAR;
        if (areOthers(&block, count, spectrum)) {
            *least = block.sigma[0];
            return KS_OK;
        }
    }
    return KS_ERROR_SINGULAR;
}
