/* symbolic_fronts.c  Finds the shape of a view's fronts: sizes, and where every number goes. The
 * shape is kept while the view has the same rows of the same pattern. So a new factorisation only
 * copies numbers.
 *
 * The rows of a front are sorted by their first column. The reflection of a column then touches its
 * own row and the following ones, up to a last row. The last row grows from column to column, since
 * slacks and rows of children begin at later columns. */
#include "fronts.h"

#include <stdbool.h>
#include <string.h>

/* A front's remainder is reduced to a triangle if it has more rows than this for each of its
 * columns. The number only affects the cost. */
enum { MANY_ROWS = 2 };

static bool isTaken(const ksiSymbolic *s, int row)
{
    return s->kind[row] == KSI_ROW_RIGID || s->kind[row] == KSI_ROW_COMPLIANT;
}

/* The slack of a column, or -1. */
static int slackOf(const ksiSymbolic *s, int column)
{
    return s->slack[s->member[column]];
}

/* The members of the front's own group: the first one, and their number. */
static int firstColumn(const ksiFronts *p, const ksiSymbolic *s, int front)
{
    return s->firstColumn[p->order[front]];
}

static int columnsOf(const ksiFronts *p, const ksiSymbolic *s, int front)
{
    return s->firstColumn[p->order[front] + 1] - firstColumn(p, s, front);
}

/* Notes in `columnOf` where each group's columns begin in the front; returns its width. */
static int placeColumns(ksiFronts *p, const ksiSymbolic *s, int front)
{
    int width = columnsOf(p, s, front);
    p->columnOf[front] = 0;
    for (int i = p->upperStart[front]; i < p->upperStart[front + 1]; i++) {
        p->columnOf[p->upper.at[i]] = width;
        width += columnsOf(p, s, p->upper.at[i]);
    }
    return width;
}

static ksStatus countColumns(const ksiModel *model, ksiFronts *p, ksiSymbolic *s)
{
    const size_t n = (size_t)p->groupCount, height = (size_t)s->height;
    if (ksiIntsReserve(model->allocator, &s->firstColumn, n + 1) || ksiIntsReserve(model->allocator, &p->columnOf, n) ||
        ksiIntsReserve(model->allocator, &s->position, height) ||
        ksiIntsReserve(model->allocator, &s->member, (size_t)s->columns) ||
        ksiReserve(model->allocator, &s->front, &s->frontCapacity, n + 1, sizeof *s->front) ||
        ksiReserve(model->allocator, &s->take, &s->takeCapacity, (size_t)model->pieceCount, sizeof *s->take))
        return KS_ERROR_NO_MEMORY;
    s->memberCount = 0;
    for (int g = 0; g < p->groupCount; g++) {
        s->firstColumn[g] = s->memberCount;
        for (int l = p->groupRow[g]; l < p->groupRow[g + 1]; l++)
            if (isTaken(s, l))
                s->member[s->memberCount++] = s->column[l];
    }
    s->firstColumn[p->groupCount] = s->memberCount;
    return KS_OK;
}

/* A triangle costs a reflection for each of its columns, which the parent has to eliminate
 * again. */
static void chooseSteps(ksiFront *front)
{
    const int rows = front->height - front->pivots, columns = front->width - front->pivots;
    const int asTriangle = columns > 0 && rows > MANY_ROWS * columns;
    const int most = asTriangle ? front->width : front->pivots;
    front->steps = front->height < most ? front->height : most;
    front->rest = columns == 0 || rows < 0 ? 0 : asTriangle ? front->steps - front->pivots : rows;
}

/* Width, height and memory of front k. */
static ksStatus measure(const ksiModel *model, ksiFronts *p, ksiSymbolic *s, int k)
{
    ksiFront *front = &s->front[k];
    front->pivots = columnsOf(p, s, k);
    front->width = placeColumns(p, s, k);
    front->stride = (front->width + s->sides + 3) / 4 * 4;
    front->height = 0;
    for (int i = p->leadStart[k]; i < p->leadStart[k + 1]; i++)
        front->height += model->blockSize[p->lead[i]];
    for (int c = firstColumn(p, s, k); c < firstColumn(p, s, k) + front->pivots; c++)
        front->height += slackOf(s, c) >= 0;
    for (int c = p->firstChild[k]; c >= 0; c = p->nextChild[c])
        front->height += s->front[c].rest;
    chooseSteps(front);
    s->isDeficient |= front->steps < front->pivots;
    const size_t wide = (size_t)front->width, high = (size_t)front->height;
    front[1] = *front;
    front[1].index += 2 * high + 5 * wide;
    front[1].matrix += high * (size_t)front->stride;
    front[1].inverse += wide * (size_t)front->stride;
    front[1].tau += (size_t)front->steps;
    front[1].pivot += (size_t)front->pivots;
    KSI_TRY(ksiIntsReserve(model->allocator, &s->index, front[1].index + 1));
    KSI_TRY(ksiIntsGrow(model->allocator, &p->work, 2 * high + wide + 2));
    return KS_OK;
}

static void listColumns(const ksiFronts *p, ksiSymbolic *s, int k)
{
    ksiFront *front = &s->front[k];
    int *column = ksiFrontColumn(s, front), at = 0;
    for (int j = 0; j < front->pivots; j++)
        column[at++] = firstColumn(p, s, k) + j;
    for (int i = p->upperStart[k]; i < p->upperStart[k + 1]; i++)
        for (int j = 0; j < columnsOf(p, s, p->upper.at[i]); j++)
            column[at++] = firstColumn(p, s, p->upper.at[i]) + j;
    // the same columns in the children
    for (int c = p->firstChild[k]; c >= 0; c = p->nextChild[c]) {
        int *to = ksiFrontToColumn(s, &s->front[c]), from = s->front[c].pivots;
        for (int u = p->upperStart[c]; u < p->upperStart[c + 1]; u++)
            for (int j = 0; j < columnsOf(p, s, p->upper.at[u]); j++)
                to[from++] = p->columnOf[p->upper.at[u]] + j;
    }
}

/* The first column that touches a block. */
static int blockLead(const ksiFronts *p, const ksiSymbolic *s, const ksiFront *front, int block)
{
    int least = front->width;
    for (int q = p->blockStart[block]; q < p->blockStart[block + 1]; q++) {
        const int other = p->place[p->blockGroup[q]];
        if (columnsOf(p, s, other) > 0 && p->columnOf[other] < least)
            least = p->columnOf[other];
    }
    return least;
}

/* First column and slot of each row, in the order in which they are found: blocks, children,
 * slacks. */
static void listRows(const ksiModel *model, const ksiFronts *p, const ksiSymbolic *s, int k, int *lead, int *slot)
{
    const ksiFront *front = &s->front[k];
    int row = 0;
    for (int i = p->leadStart[k]; i < p->leadStart[k + 1]; i++) {
        const int block = p->lead[i], first = blockLead(p, s, front, block);
        for (int j = 0; j < model->blockSize[block]; j++, row++) {
            lead[row] = first;
            slot[row] = model->blockOffset[block] + j;
        }
    }
    for (int c = p->firstChild[k]; c >= 0; c = p->nextChild[c]) {
        const ksiFront *child = &s->front[c];
        const int *to = ksiFrontToColumn(s, child);
        int least = front->width;
        const bool isTriangle = ksiFrontLeavesTriangle(child);
        for (int j = child->width - 1; j >= (isTriangle ? child->steps : child->pivots); j--)
            least = to[j] < least ? to[j] : least;
        for (int j = child->pivots + child->rest - 1; j >= child->pivots; j--) {
            // a triangle's row is zero before its own column
            least = isTriangle && to[j] < least ? to[j] : least;
            lead[row + j - child->pivots] = least;
            slot[row + j - child->pivots] = ksiFrontSlot(s, child)[j];
        }
        row += child->rest;
    }
    for (int j = 0; j < front->pivots; j++) {
        const int of = slackOf(s, firstColumn(p, s, k) + j);
        if (of >= 0) {
            lead[row] = j;
            slot[row++] = of;
        }
    }
}

/* place[row as listed] = row when sorted; count: [width + 2] */
static void sortRows(const ksiFront *front, const int *lead, int *place, int *count)
{
    memset(count, 0, ((size_t)front->width + 2) * sizeof *count);
    for (int i = 0; i < front->height; i++)
        count[lead[i] + 1]++;
    for (int j = 0; j <= front->width; j++)
        count[j + 1] += count[j];
    for (int i = 0; i < front->height; i++)
        place[i] = count[lead[i]]++;
}

static int listTakes(const ksiModel *model, const ksiFronts *p, const ksiSymbolic *s, int k, int block, size_t row,
                     int at)
{
    const ksiFront *front = &s->front[k];
    for (int q = p->blockStart[block]; q < p->blockStart[block + 1]; q++) {
        const int g = p->blockGroup[q], first = p->groupRow[g];
        int column = p->columnOf[p->place[g]], piece = p->rowPiece[first];
        while (p->pieceBlock[piece] != block)
            piece++;
        piece -= p->rowPiece[first];
        ksiTake *run = NULL;
        for (int l = first; l < p->groupRow[g + 1]; l++) {
            const int entry = model->pieceEntry[model->rowPiece[l] + piece];
            if (!isTaken(s, l)) {
                run = NULL;
                continue;
            }
            if (run && run->count == 1)
                run->step = entry - run->entry;
            if (run && entry == run->entry + run->count * run->step) {
                run->count++;
                column++;
                continue;
            }
            run = &s->take[at++];
            *run = (ksiTake){.entry = entry,
                             .size = model->blockSize[block],
                             .column = s->column[l],
                             .count = 1,
                             .block = block,
                             .at = front->matrix + row * (size_t)front->stride + (size_t)column++};
        }
    }
    return at;
}

/* Sorts the rows and notes where blocks, children and slacks go. */
static void shapeRows(const ksiModel *model, ksiFronts *p, ksiSymbolic *s, int k)
{
    ksiFront *front = &s->front[k];
    int *lead = p->work.at, *place = lead + front->height, *count = place + front->height;
    int *slot = ksiFrontSlot(s, front), *top = ksiFrontTop(s, front), row = 0, take = front->take;
    listRows(model, p, s, k, lead, place);
    // slots are in the memory of `place` until the rows have been sorted
    for (int i = 0; i < front->height; i++)
        slot[i] = place[i];
    sortRows(front, lead, place, count);
    for (int j = 0; j < front->width; j++) {
        top[j] = count[j] > j ? count[j] : j + 1;
        ksiFrontLength(s, front)[j] = (top[j] + 3) / 4 * 4 - j / 4 * 4;
    }
    for (int i = p->leadStart[k]; i < p->leadStart[k + 1]; i++) {
        take = listTakes(model, p, s, k, p->lead[i], (size_t)place[row], take);
        row += model->blockSize[p->lead[i]];
    }
    for (int c = p->firstChild[k]; c >= 0; c = p->nextChild[c])
        for (int j = s->front[c].pivots; j < s->front[c].pivots + s->front[c].rest; j++)
            ksiFrontToRow(s, &s->front[c])[j] = place[row++];
    for (int j = 0; j < front->pivots; j++)
        ksiFrontSlackRow(s, front)[j] = slackOf(s, firstColumn(p, s, k) + j) >= 0 ? place[row++] : -1;
    for (int i = 0; i < front->height; i++)
        lead[i] = slot[i];
    for (int i = 0; i < front->height; i++)
        slot[place[i]] = lead[i];
    front[1].take = take;
    for (int j = 0; j < front->steps; j++)
        front[1].reflector += (size_t)ksiFrontLength(s, front)[j];
}

/* Pivots first, in the order of elimination, then the remaining coordinates and slacks. */
static void framePositions(const ksiFronts *p, const ksiSymbolic *s)
{
    int next = 0, *taken = p->work.at;
    for (int i = 0; i < s->height; i++)
        taken[i] = 0;
    for (int k = 0; k < p->groupCount; k++)
        for (int i = 0; i < s->front[k].pivots; i++) {
            const int slot = ksiFrontSlot(s, &s->front[k])[i];
            taken[slot] = 1;
            s->position[next++] = slot;
        }
    for (int i = 0; i < s->height; i++)
        if (!taken[i])
            s->position[next++] = i;
}

ksStatus ksiLayOutFronts(const ksiModel *model, ksiFronts *p, ksiSymbolic *s)
{
    if (s->frontsKnown)
        return KS_OK;
    s->isDeficient = 0;
    KSI_TRY(ksiOrderFronts(model->allocator, p));
    KSI_TRY(countColumns(model, p, s));
    s->front[0] = (ksiFront){0};
    for (int k = 0; k < p->groupCount; k++) {
        KSI_TRY(measure(model, p, s, k));
        if (s->isDeficient)
            break;
        listColumns(p, s, k);
        shapeRows(model, p, s, k);
    }
    if (!s->isDeficient) {
        KSI_TRY(ksiIntsGrow(model->allocator, &p->work, (size_t)s->height + 1));
        framePositions(p, s);
    }
    s->frontsKnown = 1;
    return KS_OK;
}
