/* gauss_pattern.c  The symbolic part of the range-space route: strips, what their panels hold, which entries meet.
 *
 *  A_st = B_s^T B_t is not zero only for strips that share a block; L fills in as the elimination tree of the groups has
 *  it (fronts_pattern.c). Nothing here depends on numbers or on which rows are known.
 */
#include "system_private.h"

#include <limits.h>

static ksStatus stripsReserve(ksSystem *system, size_t count)
{
    ksiGauss *g = &system->gauss;
    return ksiReserve(&system->allocator, &g->strip, &g->stripCapacity, count, sizeof *g->strip);
}

/* Coordinates of all blocks of a row. */
static size_t heightOf(const ksSystem *system, int row)
{
    size_t height = 0;
    for (int p = system->rowPiece.at[row]; p < system->rowPiece.at[row + 1]; p++)
        height += (size_t)system->blockSize.at[system->pieceBlock.at[p]];
    return height;
}

/* Cuts each group into strips, and lays out vectors over lanes and the packed entries. */
static ksStatus cutStrips(ksSystem *system)
{
    const ksiFronts *p = &system->fronts;
    ksiGauss *g = &system->gauss;
    if (ksiIntsReserve(system, &g->first, (size_t)p->groupCount + 1))
        return KS_ERROR_NO_MEMORY;
    size_t lane = 0, entry = 0;
    int count = 0;
    for (int k = 0; k < p->groupCount; k++) {
        const int group = p->order.at[k], end = p->groupRow.at[group + 1];
        g->first.at[k] = count;
        for (int row = p->groupRow.at[group]; row < end; row += KSI_STRIP, count++) {
            if (stripsReserve(system, (size_t)count + 2))
                return KS_ERROR_NO_MEMORY;
            const int rows = end - row < KSI_STRIP ? end - row : KSI_STRIP;
            const size_t height = heightOf(system, row);
            ksiStrip *s = &g->strip[count];
            *s = (ksiStrip){.row = row, .rows = rows, .lanes = rows > 4 ? 8 : 4, .height = (int)height};
            s->lane = (int)lane;
            s->entry = (int)entry;
            lane += (size_t)s->lanes;
            entry += height * (size_t)s->lanes;
            if (lane > INT_MAX || entry > INT_MAX)
                return KS_ERROR_NO_MEMORY;
        }
    }
    g->first.at[p->groupCount] = count;
    g->stripCount = count;
    g->laneCount = (int)lane;
    g->strip[count] = (ksiStrip){.lane = (int)lane, .entry = (int)entry};
    return KS_OK;
}

/* Appends strip t to the parts of the panel of s. */
static ksStatus addPart(ksSystem *system, ksiStrip *s, int t, size_t *count)
{
    ksiGauss *g = &system->gauss;
    if (*count == INT_MAX || s->stride > INT_MAX - 8 ||
        ksiReserve(&system->allocator, &g->part, &g->partCapacity, *count + 1, sizeof *g->part))
        return KS_ERROR_NO_MEMORY;
    const ksiStrip *other = &g->strip[t];
    g->part[(*count)++] = (ksiPart){.strip = t, .at = s->stride, .lane = other->lane, .lanes = other->lanes};
    g->at.at[t] = s->stride;
    s->stride += other->lanes;
    return KS_OK;
}

/* The parts of strip number `index` of front k: the rest of its front, then the fronts of upper(k). */
static ksStatus findParts(ksSystem *system, int k, int index, size_t *count)
{
    const ksiFronts *p = &system->fronts;
    ksiGauss *g = &system->gauss;
    ksiStrip *s = &g->strip[index];
    ksStatus status = KS_OK;
    s->part = (int)*count;
    for (int t = index; !status && t < g->first.at[k + 1]; t++)
        status = addPart(system, s, t, count);
    for (int i = p->upperStart.at[k]; i < p->upperStart.at[k + 1]; i++) {
        const int upper = p->upper.at[i];
        for (int t = g->first.at[upper]; !status && t < g->first.at[upper + 1]; t++)
            status = addPart(system, s, t, count);
    }
    return status;
}

static ksStatus addProduct(ksSystem *system, ksiProduct product, size_t *count)
{
    ksiGauss *g = &system->gauss;
    if (*count == INT_MAX ||
        ksiReserve(&system->allocator, &g->product, &g->productCapacity, *count + 1, sizeof *g->product))
        return KS_ERROR_NO_MEMORY;
    g->product[(*count)++] = product;
    return KS_OK;
}

/* Start of a block in the packed entries of a strip. */
static int packedBlock(const ksSystem *system, const ksiStrip *s, int block)
{
    int at = s->entry;
    for (int p = system->rowPiece.at[s->row]; system->pieceBlock.at[p] != block; p++)
        at += system->blockSize.at[system->pieceBlock.at[p]] * s->lanes;
    return at;
}

/* The products of strip number `index` of front k with itself and with the later ones over each of its blocks. */
static ksStatus findProducts(ksSystem *system, int k, int index, size_t *count)
{
    const ksiFronts *p = &system->fronts;
    ksiGauss *g = &system->gauss;
    ksiStrip *s = &g->strip[index];
    s->product = (int)*count;
    ksStatus status = addProduct(
        system, (ksiProduct){.lanes = s->lanes, .left = s->entry, .right = s->entry, .coordinates = s->height}, count);
    for (int i = system->rowPiece.at[s->row]; i < system->rowPiece.at[s->row + 1]; i++) {
        const int block = system->pieceBlock.at[i];
        for (int q = p->blockStart.at[block]; q < p->blockStart.at[block + 1]; q++) {
            const int front = p->place.at[p->blockGroup.at[q]];
            int t = front < k ? g->first.at[front + 1] : front == k ? index + 1 : g->first.at[front];
            for (; !status && t < g->first.at[front + 1]; t++) {
                const ksiStrip *other = &g->strip[t];
                const ksiProduct product = {.at = g->at.at[t],
                                            .lanes = other->lanes,
                                            .left = packedBlock(system, other, block),
                                            .right = packedBlock(system, s, block),
                                            .coordinates = system->blockSize.at[block]};
                status = addProduct(system, product, count);
            }
        }
    }
    return status;
}

static ksStatus layOutPanels(ksSystem *system)
{
    const ksiFronts *p = &system->fronts;
    ksiGauss *g = &system->gauss;
    size_t parts = 0, products = 0, panel = 0, tallest = 0;
    if (ksiIntsReserve(system, &g->at, (size_t)g->stripCount))
        return KS_ERROR_NO_MEMORY;
    for (int k = 0; k < p->groupCount; k++)
        for (int index = g->first.at[k]; index < g->first.at[k + 1]; index++) {
            ksiStrip *s = &g->strip[index];
            s->panel = (int)panel;
            if (findParts(system, k, index, &parts) || findProducts(system, k, index, &products))
                return KS_ERROR_NO_MEMORY;
            panel += (size_t)s->stride * (size_t)s->rows;
            if ((size_t)s->stride > tallest)
                tallest = (size_t)s->stride;
            if (panel > INT_MAX)
                return KS_ERROR_NO_MEMORY;
        }
    ksiStrip *end = &g->strip[g->stripCount];
    end->panel = (int)panel;
    end->part = (int)parts;
    end->product = (int)products;
    if (ksiDoublesReserve(system, &g->raw, tallest * KSI_STRIP))
        return KS_ERROR_NO_MEMORY;
    return KS_OK;
}

static ksStatus reserveNumbers(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    ksiDoubles *const lanes[] = {&g->square, &g->slack,      &g->taken,     &g->inverse,
                                 &g->side,   &g->correction, &g->multiplier};
    const ksiStrip *end = &g->strip[g->stripCount];
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        if (ksiDoublesReserve(system, lanes[i], (size_t)g->laneCount))
            return KS_ERROR_NO_MEMORY;
    // one more: never NULL, also where no row has entries
    if (ksiDoublesReserve(system, &g->packed, (size_t)end->entry + 1) ||
        ksiDoublesReserve(system, &g->panel, (size_t)end->panel))
        return KS_ERROR_NO_MEMORY;
    // lanes without a row stay as they are here
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        for (int lane = 0; lane < g->laneCount; lane++)
            lanes[i]->at[lane] = 0;
    return KS_OK;
}

ksStatus ksiGaussPattern(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    if (ksiFrontsPattern(system))
        return KS_ERROR_NO_MEMORY;
    if (g->pattern == system->fronts.stamp)
        return KS_OK;
    g->pattern = 0;
    g->numericKnown = 0;
    if (stripsReserve(system, 1) || cutStrips(system) || layOutPanels(system) || reserveNumbers(system))
        return KS_ERROR_NO_MEMORY;
    g->pattern = system->fronts.stamp;
    return KS_OK;
}
