/* model.c  A model's memory, and sizes that follow from its rows. */
#include "model.h"

#include <limits.h>
#include <math.h>

ksStatus ksiGrow(const ksAllocator *allocator, void *array, size_t count, size_t size)
{
    // counted in numbers
    const size_t ownSize = sizeof(ksiHead) / size;
    size_t capacity = 0;
    ksiHead *head;
    // only the caller knows the pointer's type: copy it as bytes
    memcpy(&head, array, sizeof head);
    if (head)
        capacity = (--head)->capacity + ownSize;
    // at least one: C knows no offset from a null pointer, not even 0
    KSI_TRY(ksiReserve(allocator, &head, &capacity, ownSize + (count > 0 ? count : 1), size));
    head++->capacity = capacity - ownSize;
    memcpy(array, &head, sizeof head);
    return KS_OK;
}

void ksiFreeNumbers(const ksAllocator *allocator, double *array)
{
    if (array)
        ksiFree(allocator, (ksiHead *)(void *)array - 1);
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
    model->blockSize[b] = size;
    model->blockOffset[b] = model->coordinateCount;
    model->blockStamp[b] = 0;
    model->blockCholesky[b] = (int)model->choleskyCount;
    model->blockIsRigid[b] = isRigid;
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
    model->rowPiece[0] = 0;
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
    return model->diagonal[row] + model->compliance[row] == 0;
}

/* |b_l| of some pieces in the kinematic metric; 1 if it is zero. */
double ksiKinematicSize(const ksiModel *model, int piece, int end)
{
    double weighted = 0;
    for (; piece < end; piece++) {
        const int b = model->pieceBlock[piece];
        const double *entry = model->entry + model->pieceEntry[piece], weight = ksiBlockWeight(model, b);
        weighted += weight * weight * ksiDot((size_t)model->blockSize[b], entry, entry);
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
            model->kinematicSize[l] = model->diagonal[l] > 0 ? weight * sqrt(model->diagonal[l]) : 1;
        else
            model->kinematicSize[l] = ksiKinematicSize(model, model->rowPiece[l], model->rowPiece[l + 1]);
    model->kinematicSizesKnown = 1;
}

int ksiNextStamp(ksiModel *model)
{
    if (model->stamp == INT_MAX) {
        for (int b = 0; b < model->blockCount; b++)
            model->blockStamp[b] = 0;
        model->stamp = 0;
    }
    return ++model->stamp;
}
