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
    for (int p = system->model.rowPiece.at[row]; p < system->model.rowPiece.at[row + 1]; p++)
        height += (size_t)system->model.blockSize.at[system->model.pieceBlock.at[p]];
    return height;
}

/* The pattern that orders the groups. */
static const ksiFronts *frontsOf(const ksSystem *system)
{
    return system->gauss.hubCount > 0 ? &system->gauss.besideHubs : &system->fronts;
}

/* Hubs are blocks of very many groups, if there are but a few. */
static ksStatus findHubs(ksSystem *system)
{
    const ksiFronts *p = &system->fronts;
    ksiGauss *g = &system->gauss;
    int count = 0;
    for (int b = 0; g->hubless != p->stamp && b < p->blockCount; b++)
        if (p->blockStart.at[b + 1] - p->blockStart.at[b] > KSI_HUB_GROUPS) {
            if (count < KSI_HUBS)
                g->hub[count] = b;
            count++;
        }
    g->hubCount = count <= KSI_HUBS ? count : 0;
    return g->hubCount > 0 ? ksiFrontsWithoutHubs(system, &g->besideHubs, KSI_HUB_GROUPS) : ksiFrontsPattern(system);
}

/* Number of the hub that a block is, or -1. */
static int hubOf(const ksiGauss *g, int block)
{
    for (int h = 0; h < g->hubCount; h++)
        if (g->hub[h] == block)
            return h;
    return -1;
}

/* Bits of a row's hubs; *others: its other blocks. */
static int hubsOfRow(const ksSystem *system, int row, int *others)
{
    int hubs = 0;
    *others = 0;
    for (int p = system->model.rowPiece.at[row]; p < system->model.rowPiece.at[row + 1]; p++) {
        const int h = hubOf(&system->gauss, system->model.pieceBlock.at[p]);
        if (h >= 0)
            hubs |= 1 << h;
        else
            ++*others;
    }
    return hubs;
}

/* Its groups wait for the hubs. */
static int isOverHubsOnly(const ksSystem *system, int front)
{
    const ksiFronts *p = frontsOf(system);
    int others;
    return hubsOfRow(system, p->groupRow.at[p->order.at[front]], &others) != 0 && others == 0;
}

static ksStatus findHubsBelow(ksSystem *system)
{
    const ksiFronts *p = frontsOf(system);
    ksiGauss *g = &system->gauss;
    if (ksiIntsReserve(&system->allocator, &g->hubsBelow, (size_t)p->groupCount))
        return KS_ERROR_NO_MEMORY;
    for (int k = 0; k < p->groupCount; k++)
        g->hubsBelow.at[k] = hubsOfRow(system, p->groupRow.at[p->order.at[k]], &(int){0});
    for (int k = 0; k < p->groupCount; k++)
        if (p->parent.at[k] >= 0)
            g->hubsBelow.at[p->parent.at[k]] |= g->hubsBelow.at[k];
    return KS_OK;
}

/* Appends a strip with its place in vectors over lanes and in the packed entries. */
static ksStatus addStrip(ksSystem *system, int row, int rows, size_t height)
{
    ksiGauss *g = &system->gauss;
    if (g->stripCount > INT_MAX - 2 || stripsReserve(system, (size_t)g->stripCount + 2))
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
static void placeStrip(const ksSystem *system, ksiStrip *s)
{
    const int *piece = system->model.rowPiece.at + s->row, count = piece[1] - piece[0];
    s->from = count > 0 ? system->model.pieceEntry.at[piece[0]] : 0;
    s->bodies = count <= 2 ? count : 0;
    for (int i = 0; i < s->bodies; i++) {
        const int b = system->model.pieceBlock.at[piece[0] + i];
        s->at[i] = system->model.blockOffset.at[b];
        if (system->model.blockSize.at[b] != 6)
            s->bodies = 0;
    }
}

/* Cuts rows of a front, or coordinates of a hub (row -1), into strips. */
static ksStatus cut(ksSystem *system, int front, int row, int count)
{
    ksiGauss *g = &system->gauss;
    g->first.at[front] = g->stripCount;
    for (int done = 0; done < count; done += KSI_STRIP) {
        const int rows = count - done < KSI_STRIP ? count - done : KSI_STRIP;
        const size_t height = row < 0 ? (size_t)rows : heightOf(system, row);
        if (addStrip(system, row < 0 ? -1 : row + done, rows, height))
            return KS_ERROR_NO_MEMORY;
        if (row >= 0)
            placeStrip(system, &g->strip[g->stripCount - 1]);
    }
    g->end.at[front] = g->stripCount;
    return KS_OK;
}

static ksStatus cutFronts(ksSystem *system, int overHubsOnly)
{
    const ksiFronts *p = frontsOf(system);
    for (int k = 0; k < p->groupCount; k++) {
        const int *row = p->groupRow.at + p->order.at[k];
        if (isOverHubsOnly(system, k) == overHubsOnly && cut(system, k, row[0], row[1] - row[0]))
            return KS_ERROR_NO_MEMORY;
    }
    return KS_OK;
}

static ksStatus cutStrips(ksSystem *system)
{
    const ksiFronts *p = frontsOf(system);
    ksiGauss *g = &system->gauss;
    const size_t fronts = (size_t)(p->groupCount + g->hubCount);
    if (ksiIntsReserve(&system->allocator, &g->first, fronts) || ksiIntsReserve(&system->allocator, &g->end, fronts) ||
        stripsReserve(system, 1))
        return KS_ERROR_NO_MEMORY;
    g->stripCount = 0;
    g->strip[0] = (ksiStrip){0};
    ksStatus status = cutFronts(system, 0);
    g->tail = g->stripCount;
    for (int h = 0; !status && h < g->hubCount; h++)
        status = cut(system, p->groupCount + h, -1, system->model.blockSize.at[g->hub[h]]);
    if (!status && g->hubCount > 0)
        status = cutFronts(system, 1);
    g->laneCount = g->strip[g->stripCount].lane;
    return status;
}

/* A place in packed: one that is free again, if it is large enough, or a new one. That of a hub is never free. */
static ksStatus findPlace(ksiGauss *g, ksiStrip *s)
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

static void leavePlace(ksiGauss *g, int index)
{
    ksiStrip *s = &g->strip[index];
    if (s->row < 0)
        return;
    s->next = g->freePlace;
    g->freePlace = index;
}

/* Appends strip t to the parts of the panel of s. */
static ksStatus addPart(ksSystem *system, ksiStrip *s, int t, size_t *count)
{
    ksiGauss *g = &system->gauss;
    if (*count == INT_MAX || s->stride > INT_MAX - 8 ||
        ksiReserve(&system->allocator, &g->part, &g->partCapacity, *count + 1, sizeof *g->part))
        return KS_ERROR_NO_MEMORY;
    ksiStrip *other = &g->strip[t];
    g->part[(*count)++] =
        (ksiPart){.strip = t, .at = s->stride, .lane = other->lane, .lanes = other->lanes, .opens = !other->isOpen};
    if (!other->isOpen && findPlace(g, other))
        return KS_ERROR_NO_MEMORY;
    g->at.at[t] = s->stride;
    s->stride += other->lanes;
    return KS_OK;
}

static ksStatus addParts(ksSystem *system, ksiStrip *s, int first, int end, size_t *count)
{
    ksStatus status = KS_OK;
    for (int t = first; !status && t < end; t++)
        status = addPart(system, s, t, count);
    return status;
}

/* The parts of strip number `index` of front k: the rest of its front, the fronts of upper(k), the hubs. From the hubs on
 * all is coupled. */
static ksStatus findParts(ksSystem *system, int k, int index, size_t *count)
{
    const ksiFronts *p = frontsOf(system);
    const ksiGauss *g = &system->gauss;
    ksiStrip *s = &g->strip[index];
    s->part = (int)*count;
    if (index >= g->tail)
        return addParts(system, s, index, g->stripCount, count);
    ksStatus status = addParts(system, s, index, g->end.at[k], count);
    for (int i = p->upperStart.at[k]; !status && i < p->upperStart.at[k + 1]; i++)
        status = addParts(system, s, g->first.at[p->upper.at[i]], g->end.at[p->upper.at[i]], count);
    for (int h = 0; !status && h < g->hubCount; h++)
        if (g->hubsBelow.at[k] >> h & 1)
            status = addParts(system, s, g->first.at[p->groupCount + h], g->end.at[p->groupCount + h], count);
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
    for (int p = system->model.rowPiece.at[s->row]; system->model.pieceBlock.at[p] != block; p++)
        at += system->model.blockSize.at[system->model.pieceBlock.at[p]] * s->lanes;
    return at;
}

/* Products of a strip with others over a block: its own front's from `from` on, all of later fronts. */
static ksStatus multiplyOverBlock(ksSystem *system, int k, int index, int from, int block, size_t *count)
{
    const ksiFronts *p = frontsOf(system);
    const ksiGauss *g = &system->gauss;
    const int right = packedBlock(system, &g->strip[index], block);
    ksStatus status = KS_OK;
    for (int q = p->blockStart.at[block]; q < p->blockStart.at[block + 1]; q++) {
        const int front = p->place.at[p->blockGroup.at[q]];
        int t = front < k ? g->end.at[front] : front == k ? from : g->first.at[front];
        for (; !status && t < g->end.at[front]; t++) {
            const ksiStrip *other = &g->strip[t];
            const ksiProduct product = {.at = g->at.at[t],
                                        .lanes = other->lanes,
                                        .left = packedBlock(system, other, block),
                                        .right = right,
                                        .coordinates = system->model.blockSize.at[block]};
            status = addProduct(system, product, count);
        }
    }
    return status;
}

/* B_hub of a strip of rows, in the panel of whichever comes first. */
static ksStatus multiplyWithHub(ksSystem *system, int index, int h, size_t *count)
{
    const ksiGauss *g = &system->gauss;
    const int pseudo = frontsOf(system)->groupCount + h;
    const ksiStrip *s = &g->strip[index];
    ksStatus status = KS_OK;
    for (int t = g->first.at[pseudo]; !status && t < g->end.at[pseudo]; t++) {
        const ksiStrip *hub = &g->strip[t];
        const int entry = packedBlock(system, s, g->hub[h]) + (t - g->first.at[pseudo]) * KSI_STRIP * s->lanes;
        status = addProduct(
            system,
            (ksiProduct){
                .at = g->at.at[t], .lanes = hub->lanes, .left = hub->entry, .right = entry, .coordinates = hub->rows},
            count);
    }
    return status;
}

/* B_hub^T in the panel of a hub's strip, for the groups over nothing but hubs, which come later. */
static ksStatus multiplyHub(ksSystem *system, int h, int index, size_t *count)
{
    const ksiFronts *all = &system->fronts, *p = frontsOf(system);
    const ksiGauss *g = &system->gauss;
    const ksiStrip *s = &g->strip[index];
    const int block = g->hub[h], from = (index - g->first.at[p->groupCount + h]) * KSI_STRIP;
    ksStatus status = KS_OK;
    for (int q = all->blockStart.at[block]; q < all->blockStart.at[block + 1]; q++) {
        const int front = p->place.at[all->blockGroup.at[q]];
        for (int t = g->first.at[front]; !status && t < g->end.at[front] && t > index; t++) {
            const ksiStrip *other = &g->strip[t];
            status = addProduct(system,
                                (ksiProduct){.at = g->at.at[t],
                                             .lanes = other->lanes,
                                             .left = packedBlock(system, other, block) + from * other->lanes,
                                             .right = s->entry,
                                             .coordinates = s->rows},
                                count);
        }
    }
    return status;
}

/* The products of strip number `index` of front k with itself and with the later ones over each of its blocks. */
static ksStatus findProducts(ksSystem *system, int k, int index, size_t *count)
{
    ksiGauss *g = &system->gauss;
    ksiStrip *s = &g->strip[index];
    int others;
    s->product = (int)*count;
    if (s->row < 0)
        return multiplyHub(system, k - frontsOf(system)->groupCount, index, count);
    const int hubs = hubsOfRow(system, s->row, &others);
    ksStatus status = KS_OK;
    // with itself: over all blocks at once, if no hub is among them
    if (hubs == 0)
        status = addProduct(
            system, (ksiProduct){.lanes = s->lanes, .left = s->entry, .right = s->entry, .coordinates = s->height},
            count);
    for (int i = system->model.rowPiece.at[s->row]; !status && i < system->model.rowPiece.at[s->row + 1]; i++) {
        const int block = system->model.pieceBlock.at[i], h = hubOf(g, block);
        if (h < 0)
            status = multiplyOverBlock(system, k, index, hubs == 0 ? index + 1 : index, block, count);
        else if (index < g->tail)
            status = multiplyWithHub(system, index, h, count);
    }
    return status;
}

/* Parts and products of the strips of a front or hub. */
static ksStatus layOutFront(ksSystem *system, int k, size_t *parts, size_t *products, size_t *panel)
{
    ksiGauss *g = &system->gauss;
    for (int index = g->first.at[k]; index < g->end.at[k]; index++) {
        ksiStrip *s = &g->strip[index];
        s->panel = (int)*panel;
        if (findParts(system, k, index, parts) || findProducts(system, k, index, products))
            return KS_ERROR_NO_MEMORY;
        leavePlace(g, index);
        *panel += (size_t)s->stride * (size_t)s->rows;
        if (*panel > INT_MAX || ksiDoublesReserve(&system->allocator, &g->raw, (size_t)s->stride * KSI_STRIP))
            return KS_ERROR_NO_MEMORY;
    }
    return KS_OK;
}

/* In the order of the strips: lists of one strip end where those of the next begin. */
static ksStatus layOutPanels(ksSystem *system)
{
    const ksiFronts *p = frontsOf(system);
    ksiGauss *g = &system->gauss;
    size_t parts = 0, products = 0, panel = 0;
    g->packedCount = 0;
    g->freePlace = -1;
    ksStatus status = ksiIntsReserve(&system->allocator, &g->at, (size_t)g->stripCount);
    for (int overHubsOnly = 0; overHubsOnly < 2; overHubsOnly++) {
        for (int k = 0; !status && k < p->groupCount; k++)
            if ((g->first.at[k] >= g->tail) == overHubsOnly)
                status = layOutFront(system, k, &parts, &products, &panel);
        for (int h = 0; !status && !overHubsOnly && h < g->hubCount; h++)
            status = layOutFront(system, p->groupCount + h, &parts, &products, &panel);
    }
    ksiStrip *end = &g->strip[g->stripCount];
    end->panel = (int)panel;
    end->part = (int)parts;
    end->product = (int)products;
    return status;
}

static ksStatus reserveNumbers(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    ksiDoubles *const lanes[] = {&g->square, &g->slack, &g->inverse, &g->correction, &g->multiplier};
    const ksiStrip *end = &g->strip[g->stripCount];
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        if (ksiDoublesReserve(&system->allocator, lanes[i], (size_t)g->laneCount))
            return KS_ERROR_NO_MEMORY;
    // one more: never NULL, also where no row has entries
    if (ksiDoublesReserve(&system->allocator, &g->packed, (size_t)g->packedCount + 1) ||
        ksiDoublesReserve(&system->allocator, &g->panel, (size_t)end->panel))
        return KS_ERROR_NO_MEMORY;
    // lanes without a row stay as they are here, but for correction and multiplier, and so do those of hubs
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        for (int lane = 0; lane < g->laneCount; lane++)
            lanes[i]->at[lane] = 0;
    for (const ksiStrip *s = g->strip; s < end; s++)
        for (int j = 0; s->row < 0 && j < s->rows; j++) {
            g->square.at[s->lane + j] = g->slack.at[s->lane + j] = -1;
            for (int lane = 0; lane < s->lanes; lane++)
                g->packed.at[s->entry + j * s->lanes + lane] = lane == j;
        }
    return KS_OK;
}

ksStatus ksiGaussPattern(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    if (ksiGroupsPattern(system))
        return KS_ERROR_NO_MEMORY;
    if (g->pattern == system->fronts.stamp)
        return KS_OK;
    g->pattern = 0;
    g->numericKnown = 0;
    if (findHubs(system) || findHubsBelow(system) || cutStrips(system) || layOutPanels(system) ||
        reserveNumbers(system))
        return KS_ERROR_NO_MEMORY;
    g->pattern = system->fronts.stamp;
    return KS_OK;
}
