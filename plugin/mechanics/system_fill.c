/* system_fill.c  Adds blocks and rows to a system, and scales them by the masses: see model.h.
 * rigid.c adds rigid bodies.
 *
 * Every call reserves its memory and checks its input before it writes anything.
 */
#include "system_private.h"

#include "../base/fpguard.h"

#include <limits.h>
#include <math.h>
#include <string.h>

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
    // offsets are int, like those of the sparse factorisation
    const size_t n = (size_t)size;
    if (size > 32767 || system->model.coordinateCount > INT_MAX - size || system->model.choleskyCount + n * n > INT_MAX)
        return KS_ERROR_NO_MEMORY;
    system->culprit = system->model.blockCount;
    const char *wrong = !lowerIsFinite(size, mass)               ? "mass"
                        : force && !ksiAllFinite(n, force)       ? "force"
                        : velocity && !ksiAllFinite(n, velocity) ? "velocity"
                                                                 : NULL;
    if (wrong)
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "%s has a NaN or an infinity", wrong);
    system->culprit = -1;
    ksiModel *model = &system->model;
    KSI_TRY(ksiBlocksReserve(model, (size_t)model->blockCount + 1, (size_t)model->coordinateCount + n,
                             model->choleskyCount + n * n));

    double *lower = model->cholesky + model->choleskyCount;
    if (!ksiCholesky(size, mass, lower)) {
        system->culprit = system->model.blockCount;
        return KSI_EXPLAIN(KS_ERROR_NOT_POSITIVE_DEFINITE, "mass is not positive definite");
    }
    double *scaled = model->scaledForce + model->coordinateCount;
    double *kept = model->velocity + model->coordinateCount;
    for (size_t i = 0; i < n; i++) {
        scaled[i] = force ? force[i] : 0;
        kept[i] = velocity ? velocity[i] : 0;
    }
    ksiForward(size, lower, scaled);
    ksiForget(system);
    *block = ksiAppendBlock(model, size, n * n, 0);
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

/* Checks a row's blocks and counts its entries. */
static ksStatus checkPieces(ksSystem *system, const ksRowSpec *spec, size_t *entries)
{
    KSI_REQUIRE(spec->blockCount >= 0, "spec->blockCount is %d, must be >= 0", spec->blockCount);
    KSI_REQUIRE(spec->blockCount == 0 || spec->block, "spec->block is NULL");
    KSI_REQUIRE(spec->blockCount == 0 || spec->jacobian, "spec->jacobian is NULL");
    const int stamp = ksiNextStamp(&system->model);
    *entries = 0;
    for (int k = 0; k < spec->blockCount; k++) {
        const int b = spec->block[k];
        KSI_REQUIRE(b >= 0 && b < system->model.blockCount, "spec->block[%d]: block %d of %d", k, b,
                    system->model.blockCount);
        KSI_REQUIRE(spec->jacobian[k], "spec->jacobian[%d] is NULL", k);
        KSI_REQUIRE(system->model.blockStamp[b] != stamp, "spec->block[%d]: block %d is named twice", k, b);
        system->model.blockStamp[b] = stamp;
        if (!ksiAllFinite((size_t)system->model.blockSize[b], spec->jacobian[k]))
            return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "spec->jacobian[%d] has a NaN or an infinity", k);
        *entries += (size_t)system->model.blockSize[b];
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

/* Appends b_l = L^-1 J_l^T as pieces; returns |b_l|^2. */
static double scalePieces(ksSystem *system, const ksRowSpec *spec)
{
    double square = 0;
    int entry = system->model.entryCount;
    for (int k = 0; k < spec->blockCount; k++) {
        const int b = spec->block[k], length = system->model.blockSize[b];
        double *piece = system->model.entry + entry;
        memcpy(piece, spec->jacobian[k], (size_t)length * sizeof *piece);
        ksiForward(length, system->model.cholesky + system->model.blockCholesky[b], piece);
        square += ksiDot((size_t)length, piece, piece);
        system->model.pieceBlock[system->model.pieceCount + k] = b;
        system->model.pieceEntry[system->model.pieceCount + k] = entry;
        entry += length;
    }
    return square;
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
        status = ksiRowsReserve(&system->model, (size_t)system->model.rowCount + 1,
                                (size_t)(system->model.pieceCount + spec->blockCount),
                                (size_t)system->model.entryCount + entries);
    if (status) {
        if (status != KS_ERROR_NO_MEMORY)
            system->culprit = system->model.rowCount;
        return status;
    }
    const double square = scalePieces(system, spec);
    const double size =
        ksiKinematicSize(&system->model, system->model.pieceCount, system->model.pieceCount + spec->blockCount);
    if (!isfinite(square) || !isfinite(size)) {
        system->culprit = system->model.rowCount;
        return KS_ERROR_NOT_FINITE;
    }

    const int l = system->model.rowCount++;
    system->model.pieceCount += spec->blockCount;
    system->model.entryCount += (int)entries;
    system->model.rowPiece[l + 1] = system->model.pieceCount;
    system->model.beta[l] = spec->beta;
    system->model.compliance[l] = spec->compliance;
    system->model.lo[l] = spec->lo;
    system->model.hi[l] = spec->hi;
    system->model.rowKnown[l] = spec->lo == spec->hi;
    system->model.knownCount += system->model.rowKnown[l];
    system->model.boundedCount += !system->model.rowKnown[l] && (isfinite(spec->lo) || isfinite(spec->hi));
    system->model.diagonal[l] = square;
    system->model.kinematicSize[l] = size;
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
    system->motion.known = KSI_MOTION_UNKNOWN;
    system->factor[KSI_VIEW_EXACT].sparse.sidesKnown = 0;
    system->tree.hasTrueMotion = 0;
    if (force)
        ksiScaleForce(&system->model, force, system->model.scaledForce);
    else
        memset(system->model.scaledForce, 0, (size_t)system->model.coordinateCount * sizeof *system->model.scaledForce);
}

void ksiSystemSoften(ksSystem *system, const double *compliance)
{
    for (int l = 0; l < system->model.rowCount; l++)
        system->model.compliance[l] += compliance[l];
    ksiForget(system);
}

void ksiSystemSetBeta(ksSystem *system, const double *beta)
{
    system->tree.hasTrueMotion = 0;
    system->motion.known = KSI_MOTION_UNKNOWN;
    if (beta)
        ksiCopy((size_t)system->model.rowCount, beta, system->model.beta);
    else
        memset(system->model.beta, 0, (size_t)system->model.rowCount * sizeof *system->model.beta);
}
