/* weak.c  Directions of the rows of an island that move it least, where pivots do not tell them: see pose.h.
 *
 * Unit vectors u over unit rows with the smallest singular values of K^T, by inverse iteration of a block (Parlett 1980):
 *
 *     u := (K K^T + rounding)^-1 u,       four at a time through the factor of the kinematic metric,
 *
 * each round followed by the best approximations that the block holds (Rayleigh, Ritz).
 */
#include "weak.h"
#include "plan.h"

#include "../base/error.h"
#include "../base/pseudorandom.h"
#include "../linear/lapack.h"

#include <math.h>
#include <string.h>

/* Vectors beside those that are looked for: in a dense spectrum the next ones are nearly as small. With fewer rounds, fewer are found. */
enum { GUARDS = 2, GUARDED = 4, MOST_ROUNDS = 16 };

/* |K K^T u - sigma^2 u| of a self-stress is rounding; if bodies were not moved, this share of the largest sigma^2 in the block: in a dense
 * spectrum, a tenth of it takes more rounds than there are. */
static const double settledByDrift = 1e-3;

/* rows x directions^2: what a full matrix of 400 rows takes */
static const double mostWork = 400. * 400 * 400;

/* A row that has a part in a unit self-stress has more than this. */
static const double mostNoise = 1e-2;

void ksiCoreFindNoise(const ksiCoreWay *way, const ksiCoreSpectrum *spectrum, double largest, double next,
                      ksiCoreRankFound *found)
{
    const double unseen = sqrt(spectrum->rounding), turned = way->isMoved ? way->residual : 0;
    found->tilt = turned + (largest + unseen) / next;
    found->noise = fmin(turned + (KSI_CORE_NOISE_OVER_TILT * largest + unseen) / next, mostNoise);
}

typedef struct Block {
    ksiCore *core;
    int rows, coordinates;
    int used, wide;             /* vectors, and the next multiple of four: the others are zero */
    double *u, *image, *change; /* [rows][wide], [coordinates][wide] K^T u, dJ^T u */
    double *sigma, *ritz, *line, *work;
} Block;

static int countFree(const ksiCore *core)
{
    int count = 0;
    for (int i = 0; i < core->links + core->closings; i++)
        for (int l = 0; l < ksiCoreAt(core, i)->rows; l++)
            count += !(ksiCoreAt(core, i)->known >> l & 1u);
    return count;
}

static ksStatus begin(ksiCore *core, int count, Block *block)
{
    const int free = countFree(core), guarded = count + GUARDS + count / GUARDED;
    const int used = guarded < free ? guarded : free, wide = (used + 3) / 4 * 4;
    *block = (Block){.core = core,
                     .rows = KSI_CORE_ROWS * (core->links + core->closings),
                     .coordinates = 6 * core->links,
                     .used = used,
                     .wide = wide};
    if ((double)block->rows * wide * wide > mostWork)
        return KS_ERROR_SINGULAR;
    const size_t w = (size_t)wide, rows = (size_t)block->rows, coordinates = (size_t)block->coordinates;
    KSI_TRY(ksiReserve(&core->allocator, &core->weak, &core->weakCapacity, w * (rows + 2 * coordinates + w + 10),
                       sizeof *core->weak));
    block->u = core->weak;
    block->image = block->u + rows * w;
    block->change = block->image + coordinates * w;
    block->ritz = block->change + coordinates * w;
    block->sigma = block->ritz + w * w;
    block->line = block->sigma + w;
    block->work = block->line + w;
    return KS_OK;
}

/* Row of the block that belongs to a constraint's. */
static double *rowOf(const Block *block, int index, int l)
{
    return block->u + (KSI_CORE_ROWS * (size_t)index + (size_t)l) * (size_t)block->wide;
}

static bool isFree(const ksiConstraint *c, int l)
{
    return l < c->rows && !(c->known >> l & 1u);
}

static void start(const Block *block)
{
    memset(block->u, 0, (size_t)block->rows * (size_t)block->wide * sizeof *block->u);
    for (int i = 0, n = 0; i < block->rows / KSI_CORE_ROWS; i++)
        for (int l = 0; l < KSI_CORE_ROWS; l++)
            for (int k = 0; isFree(ksiCoreAt(block->core, i), l) && k < block->used; k++)
                rowOf(block, i, l)[k] = ksiPseudoRandom(n++);
}

/* u := (K K^T + rounding)^-1 u */
static void iterate(const Block *block)
{
    ksiCore *core = block->core;
    for (int i = 0; i < core->links; i++)
        memset(core->link[i].force, 0, sizeof core->link[i].force);
    for (int four = 0; four < block->wide; four += 4) {
        for (int i = 0; i < core->links + core->closings; i++) {
            ksiConstraint *c = ksiCoreAt(core, i);
            for (int l = 0; l < c->rows; l++) {
                const double size = c->unit[l];
                c->beta[l] = size * *(ksiFour *)(rowOf(block, i, l) + four);
                c->lambda[l] = (ksiFour){0};
            }
        }
        ksiCoreSweep(core);
        for (int i = 0; i < core->links + core->closings; i++) {
            const ksiConstraint *c = ksiCoreAt(core, i);
            for (int l = 0; l < c->rows; l++)
                if (isFree(c, l))
                    *(ksiFour *)(rowOf(block, i, l) + four) = c->unit[l] * c->lambda[l];
        }
    }
}

/* Gram-Schmidt, twice, to unit length. */
static void makeOrthonormal(const Block *block)
{
    const size_t w = (size_t)block->wide;
    for (size_t k = 0; k < w; k++)
        for (int times = 0; times < 3; times++) {
            double size = 0;
            for (size_t j = 0; times > 0 && j < k; j++) {
                double sum = 0;
                for (size_t l = 0; l < (size_t)block->rows; l++)
                    sum += block->u[l * w + j] * block->u[l * w + k];
                for (size_t l = 0; l < (size_t)block->rows; l++)
                    block->u[l * w + k] -= sum * block->u[l * w + j];
            }
            for (size_t l = 0; l < (size_t)block->rows; l++)
                size += block->u[l * w + k] * block->u[l * w + k];
            for (size_t l = 0; l < (size_t)block->rows; l++)
                block->u[l * w + k] *= size > 0 ? 1 / sqrt(size) : 0;
        }
}

/* out [coordinates][wide] += times K^T u, of rows as they are, or of others [12] in the order of the joint. */
static void addImage(const Block *block, const double (*other)[KSI_CORE_ROWS][12], double times, double *out)
{
    const ksiCore *core = block->core;
    const size_t w = (size_t)block->wide;
    for (int i = 0; i < core->links + core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++) {
            double row[2][6];
            if (!isFree(c, l))
                continue;
            ksiCoreUnitRow(core, c, l, other ? other[c->joint][l] : NULL, row);
            for (int p = 0; p < 2; p++) {
                const int body = p ? c->partner : c->body;
                for (int k = 0; body >= 0 && k < 6; k++)
                    for (size_t s = 0; s < w; s++)
                        out[(6 * (size_t)body + (size_t)k) * w + s] += times * row[p][k] * rowOf(block, i, l)[s];
            }
        }
    }
}

/* x [count][wide] := x times the Ritz vectors */
static void turn(const Block *block, int count, double *x)
{
    const size_t w = (size_t)block->wide;
    for (size_t i = 0; i < (size_t)count; i++) {
        for (size_t k = 0; k < w; k++) {
            block->line[k] = 0;
            for (size_t j = 0; j < w; j++)
                block->line[k] += x[i * w + j] * block->ritz[k * w + j];
        }
        memcpy(x + i * w, block->line, w * sizeof *x);
    }
}

/* The best approximations in the block, by their singular values. */
static ksStatus separate(const Block *block)
{
    const size_t w = (size_t)block->wide;
    int info = 0, workSize = 8 * block->wide;
    memset(block->image, 0, (size_t)block->coordinates * w * sizeof *block->image);
    addImage(block, NULL, 1, block->image);
    for (size_t k = 0; k < w; k++)
        for (size_t j = 0; j <= k; j++) {
            double sum = 0;
            for (size_t i = 0; i < (size_t)block->coordinates; i++)
                sum += block->image[i * w + j] * block->image[i * w + k];
            block->ritz[j * w + k] = sum;
        }
    // those that are zero come last: no square of a singular value is more than the trace
    for (size_t k = (size_t)block->used; k < w; k++)
        block->ritz[k * w + k] = 2. * block->rows;
    dsyev_("V", "L", &block->wide, block->ritz, &block->wide, block->sigma, block->work, &workSize, &info, 1, 1);
    if (info)
        return KS_ERROR_SINGULAR;
    for (size_t k = 0; k < w; k++)
        block->sigma[k] = sqrt(fmax(block->sigma[k], 0));
    turn(block, block->rows, block->u);
    turn(block, block->coordinates, block->image);
    return KS_OK;
}

/* |K K^T u - sigma^2 u| */
static double residualOf(const Block *block, int k)
{
    const ksiCore *core = block->core;
    const size_t w = (size_t)block->wide;
    double square = 0;
    for (int i = 0; i < core->links + core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++) {
            double row[2][6], part = -block->sigma[k] * block->sigma[k] * rowOf(block, i, l)[k];
            if (!isFree(c, l))
                continue;
            ksiCoreUnitRow(core, c, l, NULL, row);
            for (int p = 0; p < 2; p++) {
                const int body = p ? c->partner : c->body;
                for (int j = 0; body >= 0 && j < 6; j++)
                    part += row[p][j] * block->image[(6 * (size_t)body + (size_t)j) * w + (size_t)k];
            }
            square += part * part;
        }
    }
    return sqrt(square);
}

/* Is the k-th direction a self-stress? By its singular value, and by its change, where the bodies have been moved. */
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

/* Are all values up to the bound found, and self-stresses among them to all digits? Where bodies were not moved, their rows are uncertain
 * by the drift. */
static bool isSettled(const Block *block, int count, const ksiCoreWay *way, const ksiCoreSpectrum *spectrum)
{
    const double last = block->sigma[count - 1], most = block->sigma[block->used - 1], rounding = spectrum->rounding;
    const double left = way->isMoved ? rounding : fmax(settledByDrift * most * most, rounding);
    bool is = last * last <= spectrum->upper * spectrum->upper + 3 * rounding;
    for (int k = 0; is && k < count; k++)
        is = !isStress(block, k, spectrum) || residualOf(block, k) <= left;
    return is;
}

/* Self-stresses among the first `count` directions, to the front: they are the core's. */
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

ksStatus ksiCoreFindWeak(ksiCore *core, int count, const ksiCoreWay *way, const ksiCoreSpectrum *spectrum,
                         ksiCoreRankFound *found)
{
    Block block;
    KSI_TRY(begin(core, count, &block));
    start(&block);
    for (int round = 0; round <= MOST_ROUNDS; round++) {
        iterate(&block);
        makeOrthonormal(&block);
        if (round == 0)
            continue;
        KSI_TRY(separate(&block));
        findChange(&block, way);
        if (isSettled(&block, count, way, spectrum))
            return choose(&block, count, way, spectrum, found);
    }
    return KS_ERROR_SINGULAR;
}
