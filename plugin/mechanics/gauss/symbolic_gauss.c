/* symbolic_gauss.c  The symbolic part of the range-space route: finds the strips, the layout of
 * their panels, and the products of entries.
 *
 * A_st = B_s^T B_t is nonzero only for strips that share a block. The fill of `L` follows the
 * elimination tree of the groups (symbolic_order.c). Nothing here depends on numbers or on which
 * rows are known.
 */
#include "gauss.h"

#include <limits.h>
#include <stdbool.h>

typedef struct Layout {
    const ksiModel *model;
    ksiFronts *all, *fronts; /* all groups; the ordered groups, perhaps without hubs */
    ksiStrips *strips;
} Layout;

static ksStatus stripsReserve(const Layout *lay, size_t count)
{
    ksiStrips *g = lay->strips;
    return ksiReserve(lay->model->allocator, &g->strip, &g->stripCapacity, count, sizeof *g->strip);
}

/* Coordinates of all blocks of a row. */
static size_t heightOf(const Layout *lay, int row)
{
    size_t height = 0;
    for (int p = lay->model->rowPiece[row]; p < lay->model->rowPiece[row + 1]; p++)
        height += (size_t)lay->model->blockSize[lay->model->pieceBlock[p]];
    return height;
}

/* Hubs are blocks of very many groups, if there are only a few such blocks. */
static ksStatus findHubs(Layout *lay)
{
    const ksiFronts *p = lay->all;
    ksiStrips *g = lay->strips;
    int count = 0;
    for (int b = 0; !g->withoutHubs && b < p->blockCount; b++)
        if (p->blockStart[b + 1] - p->blockStart[b] > KSI_HUB_GROUPS) {
            if (count < KSI_HUBS)
                g->hub[count] = b;
            count++;
        }
    g->hubCount = count <= KSI_HUBS ? count : 0;
    if (g->hubCount > 0) {
        lay->fronts = &g->besideHubs;
        if (ksiFindRowGroups(lay->model, lay->fronts))
            return KS_ERROR_NO_MEMORY;
        ksiLeaveOutHubs(lay->fronts, KSI_HUB_GROUPS);
    }
    return ksiOrderFronts(lay->model->allocator, lay->fronts);
}

/* Index of the hub; -1: the block is no hub. */
static int hubOf(const ksiStrips *g, int block)
{
    for (int h = 0; h < g->hubCount; h++)
        if (g->hub[h] == block)
            return h;
    return -1;
}

/* Bit mask of a row's hubs; *others: number of its other blocks. */
static int hubsOfRow(const Layout *lay, int row, int *others)
{
    int hubs = 0;
    *others = 0;
    for (int p = lay->model->rowPiece[row]; p < lay->model->rowPiece[row + 1]; p++) {
        const int h = hubOf(lay->strips, lay->model->pieceBlock[p]);
        if (h >= 0)
            hubs |= 1 << h;
        else
            ++*others;
    }
    return hubs;
}

/* A group that touches only hubs is eliminated after them. */
static bool isOverHubsOnly(const Layout *lay, int front)
{
    const ksiFronts *p = lay->fronts;
    int others;
    return hubsOfRow(lay, p->groupRow[p->order[front]], &others) != 0 && others == 0;
}

static ksStatus findHubsBelow(const Layout *lay)
{
    const ksiFronts *p = lay->fronts;
    ksiStrips *g = lay->strips;
    KSI_TRY(ksiIntsReserve(lay->model->allocator, &g->hubsBelow, (size_t)p->groupCount));
    for (int k = 0; k < p->groupCount; k++)
        g->hubsBelow[k] = hubsOfRow(lay, p->groupRow[p->order[k]], &(int){0});
    for (int k = 0; k < p->groupCount; k++)
        if (p->parent[k] >= 0)
            g->hubsBelow[p->parent[k]] |= g->hubsBelow[k];
    return KS_OK;
}

/* Appends a strip with its place in vectors over lanes. */
static ksStatus addStrip(const Layout *lay, int row, int rows, size_t height)
{
    ksiStrips *g = lay->strips;
    if (g->stripCount > INT_MAX - 2 || stripsReserve(lay, (size_t)g->stripCount + 2))
        return KS_ERROR_NO_MEMORY;
    ksiStrip *s = &g->strip[g->stripCount++];
    s->row = row;
    s->rows = rows;
    s->lanes = rows > 4 ? 8 : 4;
    s->height = (int)height;
    s->stride = 0;
    if (s->lane > INT_MAX - 8 || height > INT_MAX / 8)
        return KS_ERROR_NO_MEMORY;
    s[1] = (ksiStrip){.lane = s->lane + s->lanes};
    return KS_OK;
}

/* Where the numbers of a strip of rows are in the system. */
static void placeStrip(const Layout *lay, ksiStrip *s)
{
    const int *piece = lay->model->rowPiece + s->row, count = piece[1] - piece[0];
    s->from = count > 0 ? lay->model->pieceEntry[piece[0]] : 0;
    s->bodies = count <= 2 ? count : 0;
    for (int i = 0; i < s->bodies; i++) {
        const int b = lay->model->pieceBlock[piece[0] + i];
        s->at[i] = lay->model->blockOffset[b];
        if (lay->model->blockSize[b] != 6)
            s->bodies = 0;
    }
}

/* Cuts rows of a front, or coordinates of a hub (row -1), into strips. */
static ksStatus cut(const Layout *lay, int front, int row, int count)
{
    ksiStrips *g = lay->strips;
    g->first[front] = g->stripCount;
    for (int done = 0; done < count; done += KSI_STRIP) {
        const int rows = count - done < KSI_STRIP ? count - done : KSI_STRIP;
        const size_t height = row < 0 ? (size_t)rows : heightOf(lay, row);
        if (addStrip(lay, row < 0 ? -1 : row + done, rows, height))
            return KS_ERROR_NO_MEMORY;
        if (row >= 0)
            placeStrip(lay, &g->strip[g->stripCount - 1]);
    }
    g->end[front] = g->stripCount;
    return KS_OK;
}

static ksStatus cutFronts(const Layout *lay, int overHubsOnly)
{
    const ksiFronts *p = lay->fronts;
    for (int k = 0; k < p->groupCount; k++) {
        const int *row = p->groupRow + p->order[k];
        if (isOverHubsOnly(lay, k) == overHubsOnly && cut(lay, k, row[0], row[1] - row[0]))
            return KS_ERROR_NO_MEMORY;
    }
    return KS_OK;
}

static ksStatus cutStrips(const Layout *lay)
{
    const ksiFronts *p = lay->fronts;
    ksiStrips *g = lay->strips;
    const size_t fronts = (size_t)(p->groupCount + g->hubCount);
    if (ksiIntsReserve(lay->model->allocator, &g->first, fronts) ||
        ksiIntsReserve(lay->model->allocator, &g->end, fronts) || stripsReserve(lay, 1))
        return KS_ERROR_NO_MEMORY;
    g->stripCount = 0;
    g->strip[0] = (ksiStrip){0};
    KSI_TRY(cutFronts(lay, 0));
    g->tail = g->stripCount;
    for (int h = 0; h < g->hubCount; h++)
        KSI_TRY(cut(lay, p->groupCount + h, -1, lay->model->blockSize[g->hub[h]]));
    if (g->hubCount > 0)
        KSI_TRY(cutFronts(lay, 1));
    g->laneCount = g->strip[g->stripCount].lane;
    return KS_OK;
}

/* Finds a place in packed: a free one that is large enough, or a new one. A hub's place is never
 * freed. */
static ksStatus findPlace(ksiStrips *g, ksiStrip *s)
{
    const int size = s->height * s->lanes;
    s->isOpen = 1;
    for (int *at = &g->freePlace; s->row >= 0 && *at >= 0; at = &g->strip[*at].next) {
        const ksiStrip *closed = &g->strip[*at];
        if (closed->height * closed->lanes < size)
            continue;
        s->entry = closed->entry;
        *at = closed->next;
        return KS_OK;
    }
    if (size > INT_MAX - g->packedCount)
        return KS_ERROR_NO_MEMORY;
    s->entry = g->packedCount;
    g->packedCount += size;
    return KS_OK;
}

static void leavePlace(ksiStrips *g, int index)
{
    ksiStrip *s = &g->strip[index];
    if (s->row < 0)
        return;
    s->next = g->freePlace;
    g->freePlace = index;
}

/* Appends strip t to the parts of the panel of s. */
static ksStatus addPart(const Layout *lay, ksiStrip *s, int t, size_t *count)
{
    ksiStrips *g = lay->strips;
    if (*count == INT_MAX || s->stride > INT_MAX - 8 ||
        ksiReserve(lay->model->allocator, &g->part, &g->partCapacity, *count + 1, sizeof *g->part))
        return KS_ERROR_NO_MEMORY;
    ksiStrip *other = &g->strip[t];
    g->part[(*count)++] =
        (ksiPart){.strip = t, .at = s->stride, .lane = other->lane, .lanes = other->lanes, .opens = !other->isOpen};
    if (!other->isOpen && findPlace(g, other))
        return KS_ERROR_NO_MEMORY;
    g->at[t] = s->stride;
    s->stride += other->lanes;
    return KS_OK;
}

static ksStatus addParts(const Layout *lay, ksiStrip *s, int first, int end, size_t *count)
{
    for (int t = first; t < end; t++)
        KSI_TRY(addPart(lay, s, t, count));
    return KS_OK;
}

/* Finds the parts of strip number `index` of front k: the remaining strips of its front, and those
 * of the fronts in upper(k) and of the hubs. From the first strip of the hubs on, each strip is
 * coupled with all later strips. */
static ksStatus findParts(const Layout *lay, int k, int index, size_t *count)
{
    const ksiFronts *p = lay->fronts;
    const ksiStrips *g = lay->strips;
    ksiStrip *s = &g->strip[index];
    s->part = (int)*count;
    if (index >= g->tail)
        return addParts(lay, s, index, g->stripCount, count);
    KSI_TRY(addParts(lay, s, index, g->end[k], count));
    for (int i = p->upperStart[k]; i < p->upperStart[k + 1]; i++)
        KSI_TRY(addParts(lay, s, g->first[p->upper.at[i]], g->end[p->upper.at[i]], count));
    for (int h = 0; h < g->hubCount; h++)
        if (g->hubsBelow[k] >> h & 1)
            KSI_TRY(addParts(lay, s, g->first[p->groupCount + h], g->end[p->groupCount + h], count));
    return KS_OK;
}

static ksStatus addProduct(const Layout *lay, ksiProduct product, size_t *count)
{
    ksiStrips *g = lay->strips;
    if (*count == INT_MAX ||
        ksiReserve(lay->model->allocator, &g->product, &g->productCapacity, *count + 1, sizeof *g->product))
        return KS_ERROR_NO_MEMORY;
    g->product[(*count)++] = product;
    return KS_OK;
}

/* Start of a block in the packed entries of a strip. */
static int packedBlock(const Layout *lay, const ksiStrip *s, int block)
{
    int at = s->entry;
    for (int p = lay->model->rowPiece[s->row]; lay->model->pieceBlock[p] != block; p++)
        at += lay->model->blockSize[lay->model->pieceBlock[p]] * s->lanes;
    return at;
}

/* Products of a strip over a block, with the strips of its own front from `from` on and those of
 * later fronts. */
static ksStatus multiplyOverBlock(const Layout *lay, int k, int index, int from, int block, size_t *count)
{
    const ksiFronts *p = lay->fronts;
    const ksiStrips *g = lay->strips;
    const int right = packedBlock(lay, &g->strip[index], block);
    ksStatus status = KS_OK;
    for (int q = p->blockStart[block]; q < p->blockStart[block + 1]; q++) {
        const int front = p->place[p->blockGroup[q]];
        int t = front < k ? g->end[front] : front == k ? from : g->first[front];
        for (; !status && t < g->end[front]; t++) {
            const ksiStrip *other = &g->strip[t];
            const ksiProduct product = {.at = g->at[t],
                                        .lanes = other->lanes,
                                        .left = packedBlock(lay, other, block),
                                        .right = right,
                                        .coordinates = lay->model->blockSize[block]};
            status = addProduct(lay, product, count);
        }
    }
    return status;
}

/* Adds the products of B_hub to the panel of a strip of rows that comes before the hub. */
static ksStatus multiplyWithHub(const Layout *lay, int index, int h, size_t *count)
{
    const ksiStrips *g = lay->strips;
    const int pseudo = lay->fronts->groupCount + h;
    const ksiStrip *s = &g->strip[index];
    for (int t = g->first[pseudo]; t < g->end[pseudo]; t++) {
        const ksiStrip *hub = &g->strip[t];
        const int entry = packedBlock(lay, s, g->hub[h]) + (t - g->first[pseudo]) * KSI_STRIP * s->lanes;
        KSI_TRY(addProduct(
            lay,
            (ksiProduct){
                .at = g->at[t], .lanes = hub->lanes, .left = hub->entry, .right = entry, .coordinates = hub->rows},
            count));
    }
    return KS_OK;
}

/* Adds the products of B_hub^T to the panel of a hub's strip, for the groups that touch only hubs
 * and come later. */
static ksStatus multiplyHub(const Layout *lay, int h, int index, size_t *count)
{
    const ksiFronts *all = lay->all, *p = lay->fronts;
    const ksiStrips *g = lay->strips;
    const ksiStrip *s = &g->strip[index];
    const int block = g->hub[h], from = (index - g->first[p->groupCount + h]) * KSI_STRIP;
    ksStatus status = KS_OK;
    for (int q = all->blockStart[block]; q < all->blockStart[block + 1]; q++) {
        const int front = p->place[all->blockGroup[q]];
        for (int t = g->first[front]; !status && t < g->end[front] && t > index; t++) {
            const ksiStrip *other = &g->strip[t];
            status = addProduct(lay,
                                (ksiProduct){.at = g->at[t],
                                             .lanes = other->lanes,
                                             .left = packedBlock(lay, other, block) + from * other->lanes,
                                             .right = s->entry,
                                             .coordinates = s->rows},
                                count);
        }
    }
    return status;
}

/* Finds the products of strip number `index` of front k with itself and with later strips, over
 * each of its blocks. */
static ksStatus findProducts(const Layout *lay, int k, int index, size_t *count)
{
    ksiStrips *g = lay->strips;
    ksiStrip *s = &g->strip[index];
    int others;
    s->product = (int)*count;
    if (s->row < 0)
        return multiplyHub(lay, k - lay->fronts->groupCount, index, count);
    const int hubs = hubsOfRow(lay, s->row, &others);
    ksStatus status = KS_OK;
    // with itself: over all blocks at once, if no hub is among them
    if (hubs == 0)
        status = addProduct(
            lay, (ksiProduct){.lanes = s->lanes, .left = s->entry, .right = s->entry, .coordinates = s->height}, count);
    for (int i = lay->model->rowPiece[s->row]; !status && i < lay->model->rowPiece[s->row + 1]; i++) {
        const int block = lay->model->pieceBlock[i], h = hubOf(g, block);
        if (h < 0)
            status = multiplyOverBlock(lay, k, index, hubs == 0 ? index + 1 : index, block, count);
        else if (index < g->tail)
            status = multiplyWithHub(lay, index, h, count);
    }
    return status;
}

/* Parts and products of the strips of a front or hub. */
static ksStatus layOutFront(const Layout *lay, int k, size_t *parts, size_t *products, size_t *panel)
{
    ksiStrips *g = lay->strips;
    for (int index = g->first[k]; index < g->end[k]; index++) {
        ksiStrip *s = &g->strip[index];
        s->panel = (int)*panel;
        if (findParts(lay, k, index, parts) || findProducts(lay, k, index, products))
            return KS_ERROR_NO_MEMORY;
        leavePlace(g, index);
        *panel += (size_t)s->stride * (size_t)s->rows;
        if (s->stride > g->widest)
            g->widest = s->stride;
        if (*panel > INT_MAX)
            return KS_ERROR_NO_MEMORY;
    }
    return KS_OK;
}

/* In the order of the strips: a strip's lists end where the next strip's begin. */
static ksStatus layOutPanels(const Layout *lay)
{
    const ksiFronts *p = lay->fronts;
    ksiStrips *g = lay->strips;
    size_t parts = 0, products = 0, panel = 0;
    g->packedCount = g->widest = 0;
    g->freePlace = -1;
    ksStatus status = ksiIntsReserve(lay->model->allocator, &g->at, (size_t)g->stripCount);
    for (int overHubsOnly = 0; overHubsOnly < 2; overHubsOnly++) {
        for (int k = 0; !status && k < p->groupCount; k++)
            if ((g->first[k] >= g->tail) == overHubsOnly)
                status = layOutFront(lay, k, &parts, &products, &panel);
        for (int h = 0; !status && !overHubsOnly && h < g->hubCount; h++)
            status = layOutFront(lay, p->groupCount + h, &parts, &products, &panel);
    }
    ksiStrip *end = &g->strip[g->stripCount];
    end->panel = (int)panel;
    end->part = (int)parts;
    end->product = (int)products;
    return status;
}

ksStatus ksiLayOutStrips(const ksiModel *model, ksiFronts *fronts, ksiStrips *strips, unsigned *id)
{
    Layout layout = {model, fronts, fronts, strips}, *lay = &layout;
    if (strips->id > 0)
        return KS_OK;
    if (findHubs(lay) || findHubsBelow(lay) || cutStrips(lay) || layOutPanels(lay))
        return KS_ERROR_NO_MEMORY;
    strips->id = ++*id;
    return KS_OK;
}
