/* system_fill.c  Blocks and rows come into a system, mass-scaled as they do: see system_private.h; rigid bodies have
 * another way in, rigid.c.
 *
 *  Every call reserves its memory and checks its input before it writes anything.
 */
#include "system_private.h"

#include "../base/quietly.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static ksStatus reserveBlock(ksSystem *system, size_t size)
{
    const size_t blocks = (size_t)system->blockCount + 1, coordinates = (size_t)system->coordinateCount + size;
    if (ksiIntsReserve(system, &system->blockSize, blocks) || ksiIntsReserve(system, &system->blockOffset, blocks) ||
        ksiIntsReserve(system, &system->blockStamp, blocks) || ksiIntsReserve(system, &system->blockCholesky, blocks) ||
        ksiIntsReserve(system, &system->blockIsRigid, blocks) ||
        ksiDoublesReserve(system, &system->cholesky, system->choleskyCount + size * size) ||
        ksiDoublesReserve(system, &system->scaledForce, coordinates) ||
        ksiDoublesReserve(system, &system->velocity, coordinates))
        return KS_ERROR_NO_MEMORY;
    return KS_OK;
}

static int lowerIsFinite(int size, const double *mass)
{
    for (int i = 0; i < size; i++)
        if (!ksiAllFinite((size_t)i + 1, mass + (size_t)i * (size_t)size))
            return 0;
    return 1;
}

static ksStatus addBlock(ksSystem *system, int size, const double *mass, const double *force, const double *velocity,
                         int *block)
{
    KSI_REQUIRE_SYSTEM(system);
    KSI_REQUIRE(size >= 1, "size is %d, must be > 0", size);
    KSI_REQUIRE_POINTER(mass);
    KSI_REQUIRE_POINTER(block);
    // offsets are int, as those of the sparse factorisation are
    const size_t n = (size_t)size;
    if (size > 32767 || system->coordinateCount > INT_MAX - size || system->choleskyCount + n * n > INT_MAX)
        return KS_ERROR_NO_MEMORY;
    system->culprit = system->blockCount;
    const char *wrong = !lowerIsFinite(size, mass)               ? "mass"
                        : force && !ksiAllFinite(n, force)       ? "force"
                        : velocity && !ksiAllFinite(n, velocity) ? "velocity"
                                                                 : NULL;
    if (wrong)
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "%s has a NaN or an infinity", wrong);
    system->culprit = -1;
    if (reserveBlock(system, n))
        return KS_ERROR_NO_MEMORY;

    double *lower = system->cholesky.at + system->choleskyCount;
    if (!ksiCholesky(size, mass, lower)) {
        system->culprit = system->blockCount;
        return KSI_EXPLAIN(KS_ERROR_NOT_POSITIVE_DEFINITE, "mass is not positive definite");
    }
    double *scaled = system->scaledForce.at + system->coordinateCount;
    double *kept = system->velocity.at + system->coordinateCount;
    for (size_t i = 0; i < n; i++) {
        scaled[i] = force ? force[i] : 0;
        kept[i] = velocity ? velocity[i] : 0;
    }
    ksiForward(size, lower, scaled);

    const int b = system->blockCount++;
    system->blockSize.at[b] = size;
    system->blockOffset.at[b] = system->coordinateCount;
    system->blockStamp.at[b] = 0;
    system->blockCholesky.at[b] = (int)system->choleskyCount;
    system->blockIsRigid.at[b] = 0;
    system->coordinateCount += size;
    system->choleskyCount += n * n;
    ksiForget(system);
    *block = b;
    return KS_OK;
}

ksStatus ksSystemAddBlock(ksSystem *system, int size, const double *mass, const double *force, const double *velocity,
                          int *block)
{
    KSI_RETURN_OF_SYSTEM(system, addBlock(system, size, mass, force, velocity, block));
}

void ksRowSpecInit(ksRowSpec *spec)
{
    if (spec)
        *spec = (ksRowSpec){.lo = -INFINITY, .hi = INFINITY};
}

int ksiNextStamp(ksSystem *system)
{
    if (system->stamp == INT_MAX) {
        for (int b = 0; b < system->blockCount; b++)
            system->blockStamp.at[b] = 0;
        system->stamp = 0;
    }
    return ++system->stamp;
}

/* Checks a row's blocks and counts its entries. */
static ksStatus checkPieces(ksSystem *system, const ksRowSpec *spec, size_t *entries)
{
    KSI_REQUIRE(spec->blockCount >= 0, "spec->blockCount is %d, must be >= 0", spec->blockCount);
    KSI_REQUIRE(spec->blockCount == 0 || spec->block, "spec->block is NULL");
    KSI_REQUIRE(spec->blockCount == 0 || spec->jacobian, "spec->jacobian is NULL");
    const int stamp = ksiNextStamp(system);
    *entries = 0;
    for (int k = 0; k < spec->blockCount; k++) {
        const int b = spec->block[k];
        KSI_REQUIRE(b >= 0 && b < system->blockCount, "spec->block[%d]: block %d of %d", k, b, system->blockCount);
        KSI_REQUIRE(spec->jacobian[k], "spec->jacobian[%d] is NULL", k);
        KSI_REQUIRE(system->blockStamp.at[b] != stamp, "spec->block[%d]: block %d is named twice", k, b);
        system->blockStamp.at[b] = stamp;
        if (!ksiAllFinite((size_t)system->blockSize.at[b], spec->jacobian[k]))
            return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "spec->jacobian[%d] has a NaN or an infinity", k);
        *entries += (size_t)system->blockSize.at[b];
    }
    return KS_OK;
}

static ksStatus checkNumbers(const ksRowSpec *spec)
{
    if (!isfinite(spec->beta))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "spec->beta is %g", spec->beta);
    if (!isfinite(spec->compliance))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "spec->compliance is %g", spec->compliance);
    if (isnan(spec->lo) || isnan(spec->hi))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "spec->%s is NaN", isnan(spec->lo) ? "lo" : "hi");
    KSI_REQUIRE(spec->compliance >= 0, "spec->compliance is %g, must be >= 0", spec->compliance);
    KSI_REQUIRE(spec->lo <= spec->hi, "spec->lo is %g, above spec->hi, which is %g", spec->lo, spec->hi);
    KSI_REQUIRE(spec->lo < spec->hi || isfinite(spec->lo), "spec->lo and spec->hi are both %g", spec->lo);
    return KS_OK;
}

ksStatus ksiRowsReserve(ksSystem *system, size_t rows, size_t pieces, size_t entries)
{
    if (pieces > INT_MAX || entries > INT_MAX || ksiIntsReserve(system, &system->rowPiece, rows + 1) ||
        ksiIntsReserve(system, &system->pieceBlock, pieces) || ksiIntsReserve(system, &system->pieceEntry, pieces) ||
        ksiIntsReserve(system, &system->rowKnown, rows) || ksiDoublesReserve(system, &system->entry, entries) ||
        ksiDoublesReserve(system, &system->beta, rows) || ksiDoublesReserve(system, &system->compliance, rows) ||
        ksiDoublesReserve(system, &system->lo, rows) || ksiDoublesReserve(system, &system->hi, rows) ||
        ksiDoublesReserve(system, &system->diagonal, rows) || ksiDoublesReserve(system, &system->rowSize, rows))
        return KS_ERROR_NO_MEMORY;
    system->rowPiece.at[0] = 0;
    return KS_OK;
}

/* b_l = L^-1 J_l^T behind the pieces that are there; returns |b_l|^2. */
static double scalePieces(ksSystem *system, const ksRowSpec *spec)
{
    double square = 0;
    int entry = system->entryCount;
    for (int k = 0; k < spec->blockCount; k++) {
        const int b = spec->block[k], length = system->blockSize.at[b];
        double *piece = system->entry.at + entry;
        memcpy(piece, spec->jacobian[k], (size_t)length * sizeof *piece);
        ksiForward(length, system->cholesky.at + system->blockCholesky.at[b], piece);
        square += ksiDot((size_t)length, piece, piece);
        system->pieceBlock.at[system->pieceCount + k] = b;
        system->pieceEntry.at[system->pieceCount + k] = entry;
        entry += length;
    }
    return square;
}

/* |b_l| of some pieces in the kinematic metric, 1 where there are none. */
static double kinematicSize(const ksSystem *system, int piece, int end)
{
    double weighted = 0;
    for (; piece < end; piece++) {
        const int b = system->pieceBlock.at[piece];
        const double *entry = system->entry.at + system->pieceEntry.at[piece], weight = ksiBlockWeight(system, b);
        weighted += weight * weight * ksiDot((size_t)system->blockSize.at[b], entry, entry);
    }
    return weighted > 0 ? sqrt(weighted) : 1;
}

void ksiSizeRows(ksSystem *system)
{
    if (system->sizesKnown)
        return;
    // of one weight throughout: that times the size in the mass metric
    const double weight = system->blockCount > 0 && ksiWeightSpread(system) >= 1 ? ksiBlockWeight(system, 0) : 0;
    for (int l = 0; l < system->rowCount; l++)
        if (weight > 0)
            system->rowSize.at[l] = system->diagonal.at[l] > 0 ? weight * sqrt(system->diagonal.at[l]) : 1;
        else
            system->rowSize.at[l] = kinematicSize(system, system->rowPiece.at[l], system->rowPiece.at[l + 1]);
    system->sizesKnown = 1;
}

static ksStatus addRow(ksSystem *system, const ksRowSpec *spec, int *row)
{
    KSI_REQUIRE_SYSTEM(system);
    KSI_REQUIRE_POINTER(spec);
    KSI_REQUIRE_POINTER(row);
    size_t entries;
    ksStatus status = checkNumbers(spec);
    if (!status)
        status = checkPieces(system, spec, &entries);
    if (!status)
        status = ksiRowsReserve(system, (size_t)system->rowCount + 1, (size_t)(system->pieceCount + spec->blockCount),
                                (size_t)system->entryCount + entries);
    if (status) {
        if (status != KS_ERROR_NO_MEMORY)
            system->culprit = system->rowCount;
        return status;
    }
    const double square = scalePieces(system, spec);
    const double size = kinematicSize(system, system->pieceCount, system->pieceCount + spec->blockCount);
    if (!isfinite(square) || !isfinite(size)) {
        system->culprit = system->rowCount;
        return KS_ERROR_NOT_FINITE;
    }

    const int l = system->rowCount++;
    system->pieceCount += spec->blockCount;
    system->entryCount += (int)entries;
    system->rowPiece.at[l + 1] = system->pieceCount;
    system->beta.at[l] = spec->beta;
    system->compliance.at[l] = spec->compliance;
    system->lo.at[l] = spec->lo;
    system->hi.at[l] = spec->hi;
    system->rowKnown.at[l] = spec->lo == spec->hi;
    system->knownCount += system->rowKnown.at[l];
    system->boundedCount += !system->rowKnown.at[l] && (isfinite(spec->lo) || isfinite(spec->hi));
    system->diagonal.at[l] = square;
    system->rowSize.at[l] = size;
    ksiForget(system);
    *row = l;
    return KS_OK;
}

ksStatus ksSystemAddRow(ksSystem *system, const ksRowSpec *spec, int *row)
{
    KSI_RETURN_OF_SYSTEM(system, addRow(system, spec, row));
}

void ksiSystemSetForce(ksSystem *system, const double *force)
{
    system->motion.isTrue = 0;
    system->factor[KSI_VIEW_EXACT].sparse.sidesKnown = 0;
    if (system->coordinateCount == 0)
        return;
    system->tree.solved = 0;
    memcpy(system->scaledForce.at, force, (size_t)system->coordinateCount * sizeof *force);
    ksiScaleForce(system, system->scaledForce.at);
}

void ksiSystemSetBeta(ksSystem *system, const double *beta)
{
    system->tree.solved = 0;
    system->motion.isTrue = 0;
    if (system->rowCount > 0)
        memcpy(system->beta.at, beta, (size_t)system->rowCount * sizeof *beta);
}
