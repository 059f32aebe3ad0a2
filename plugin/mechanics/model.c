/* model.c  A model's memory, and sizes that follow from its rows. */
#include "model.h"

#include <limits.h>
#include <math.h>

/* Room for one number even where there is none: C knows no offset from a null pointer, not even 0. */
static size_t someOf(size_t count)
{
    return count > 0 ? count : 1;
}

ksStatus ksiDoublesReserve(const ksAllocator *allocator, ksiDoubles *buffer, size_t count)
{
    return ksiReserve(allocator, &buffer->at, &buffer->capacity, someOf(count), sizeof *buffer->at);
}

ksStatus ksiIntsReserve(const ksAllocator *allocator, ksiInts *buffer, size_t count)
{
    return ksiReserve(allocator, &buffer->at, &buffer->capacity, someOf(count), sizeof *buffer->at);
}

ksStatus ksiBlocksReserve(ksiModel *model, size_t blocks, size_t coordinates, size_t roots)
{
    KSI_TRY(ksiIntsReserve(model->allocator, &model->blockSize, blocks));
    KSI_TRY(ksiIntsReserve(model->allocator, &model->blockOffset, blocks));
    KSI_TRY(ksiIntsReserve(model->allocator, &model->blockStamp, blocks));
    KSI_TRY(ksiIntsReserve(model->allocator, &model->blockCholesky, blocks));
    KSI_TRY(ksiIntsReserve(model->allocator, &model->blockIsRigid, blocks));
    KSI_TRY(ksiDoublesReserve(model->allocator, &model->cholesky, roots));
    KSI_TRY(ksiDoublesReserve(model->allocator, &model->scaledForce, coordinates));
    KSI_TRY(ksiDoublesReserve(model->allocator, &model->velocity, coordinates));
    return KS_OK;
}

int ksiAppendBlock(ksiModel *model, int size, size_t root, int isRigid)
{
    const int b = model->blockCount++;
    model->blockSize.at[b] = size;
    model->blockOffset.at[b] = model->coordinateCount;
    model->blockStamp.at[b] = 0;
    model->blockCholesky.at[b] = (int)model->choleskyCount;
    model->blockIsRigid.at[b] = isRigid;
    model->coordinateCount += size;
    model->choleskyCount += root;
    return b;
}

ksStatus ksiRowsReserve(ksiModel *model, size_t rows, size_t pieces, size_t entries)
{
    if (pieces > INT_MAX || entries > INT_MAX || ksiIntsReserve(model->allocator, &model->rowPiece, rows + 1) ||
        ksiIntsReserve(model->allocator, &model->pieceBlock, pieces) ||
        ksiIntsReserve(model->allocator, &model->pieceEntry, pieces) ||
        ksiIntsReserve(model->allocator, &model->rowKnown, rows) ||
        ksiDoublesReserve(model->allocator, &model->entry, entries) ||
        ksiDoublesReserve(model->allocator, &model->beta, rows) ||
        ksiDoublesReserve(model->allocator, &model->compliance, rows) ||
        ksiDoublesReserve(model->allocator, &model->lo, rows) ||
        ksiDoublesReserve(model->allocator, &model->hi, rows) ||
        ksiDoublesReserve(model->allocator, &model->diagonal, rows) ||
        ksiDoublesReserve(model->allocator, &model->kinematicSize, rows))
        return KS_ERROR_NO_MEMORY;
    model->rowPiece.at[0] = 0;
    return KS_OK;
}

void ksiModelClear(ksiModel *model)
{
    model->blockCount = model->coordinateCount = 0;
    model->choleskyCount = 0;
    model->rowCount = model->pieceCount = model->entryCount = 0;
    model->knownCount = model->boundedCount = 0;
    model->kinematicSizesKnown = 1;
}

int ksiRowIsEmpty(const ksiModel *model, int row)
{
    return model->diagonal.at[row] + model->compliance.at[row] == 0;
}

/* |b_l| of some pieces in the kinematic metric; 1 if it is zero. */
double ksiKinematicSize(const ksiModel *model, int piece, int end)
{
    double weighted = 0;
    for (; piece < end; piece++) {
        const int b = model->pieceBlock.at[piece];
        const double *entry = model->entry.at + model->pieceEntry.at[piece], weight = ksiBlockWeight(model, b);
        weighted += weight * weight * ksiDot((size_t)model->blockSize.at[b], entry, entry);
    }
    return weighted > 0 ? sqrt(weighted) : 1;
}

void ksiFindKinematicSizes(ksiModel *model)
{
    if (model->kinematicSizesKnown)
        return;
    // all weights equal: the weight times the size in the mass metric
    const double weight = model->blockCount > 0 && ksiWeightSpread(model) >= 1 ? ksiBlockWeight(model, 0) : 0;
    for (int l = 0; l < model->rowCount; l++)
        if (weight > 0)
            model->kinematicSize.at[l] = model->diagonal.at[l] > 0 ? weight * sqrt(model->diagonal.at[l]) : 1;
        else
            model->kinematicSize.at[l] = ksiKinematicSize(model, model->rowPiece.at[l], model->rowPiece.at[l + 1]);
    model->kinematicSizesKnown = 1;
}

int ksiNextStamp(ksiModel *model)
{
    if (model->stamp == INT_MAX) {
        for (int b = 0; b < model->blockCount; b++)
            model->blockStamp.at[b] = 0;
        model->stamp = 0;
    }
    return ++model->stamp;
}
