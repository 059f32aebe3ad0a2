/* fronts.c  The numeric part of the sparse orthogonal factorisation: see fronts.h.
 *
 *  A front takes the coordinates of the blocks that it leads, the slacks of its own rows and what its children leave,
 *  and turns them by Householder reflections into its rows of R, the rest for its parent, and coordinates that no row
 *  touches any more: those span the admissible motions. Fronts have some ten columns, where plain loops are several times
 *  as fast as calls of LAPACK.
 */
#include "system_private.h"

#include <math.h>
#include <string.h>

/* Columns of the view in the group of a front. */
static int width(const ksiFronts *p, const ksiSparse *s, int front)
{
    const int g = p->order.at[front];
    return s->firstColumn.at[g + 1] - s->firstColumn.at[g];
}

static int firstColumn(const ksiFronts *p, const ksiSparse *s, int front)
{
    return s->firstColumn.at[p->order.at[front]];
}

static ksStatus countColumns(ksSystem *system, ksiFactor *f)
{
    const ksiFronts *p = &system->fronts;
    ksiSparse *s = &f->sparse;
    const size_t n = (size_t)p->groupCount, height = (size_t)f->height;
    if (ksiIntsReserve(system, &s->firstColumn, n + 1) || ksiIntsReserve(system, &s->spot, n) ||
        ksiIntsReserve(system, &s->position, height) || ksiIntsReserve(system, &s->taken, height) ||
        ksiDoublesReserve(system, &s->lane, height) || ksiDoublesReserve(system, &s->side, (size_t)f->columns) ||
        ksiReserve(&system->allocator, &s->front, &s->frontCapacity, n, sizeof *s->front))
        return KS_ERROR_NO_MEMORY;
    int column = 0;
    for (int g = 0; g < p->groupCount; g++) {
        s->firstColumn.at[g] = column;
        for (int l = p->groupRow.at[g]; l < p->groupRow.at[g + 1]; l++)
            column += f->column.at[l] >= 0;
    }
    s->firstColumn.at[p->groupCount] = column;
    return KS_OK;
}

/* The shape of a front, and room for it. Its columns: its own, then those of upper(k), noted in spot. */
static ksStatus openFront(ksSystem *system, ksiFactor *f, int k)
{
    const ksiFronts *p = &system->fronts;
    ksiSparse *s = &f->sparse;
    ksiFront *front = &s->front[k];
    const ksiFront *before = k > 0 ? front - 1 : NULL;
    *front = (ksiFront){.pivots = width(p, s, k)};
    front->width = front->pivots;
    s->spot.at[k] = 0;
    for (int i = p->upperStart.at[k]; i < p->upperStart.at[k + 1]; i++) {
        s->spot.at[p->upper.at[i]] = front->width;
        front->width += width(p, s, p->upper.at[i]);
    }
    for (int i = p->leadStart.at[k]; i < p->leadStart.at[k + 1]; i++)
        front->height += system->blockSize.at[p->lead.at[i]];
    for (int c = firstColumn(p, s, k); c < firstColumn(p, s, k) + front->pivots; c++)
        front->height += f->slack.at[c] >= 0;
    for (int c = p->firstChild.at[k]; c >= 0; c = p->nextChild.at[c])
        front->height += s->front[c].rest;
    if (before) {
        front->matrix = before->matrix + (size_t)before->height * (size_t)before->width;
        front->slot = before->slot + (size_t)before->height;
        front->tau = before->tau + (size_t)before->width;
        front->inverse = before->inverse + (size_t)before->width * (size_t)before->width;
    }
    const size_t height = (size_t)front->height, wide = (size_t)front->width;
    // one more: never NULL, also where the first fronts are of known rows only
    if (ksiDoublesReserve(system, &s->matrix, front->matrix + height * wide + 1) ||
        ksiIntsReserve(system, &s->slot, front->slot + height + 1) ||
        ksiIntsReserve(system, &s->stair, front->tau + wide + 1) ||
        ksiDoublesReserve(system, &s->tau, front->tau + wide + 1))
        return KS_ERROR_NO_MEMORY;
    if (height * wide > 0)
        memset(s->matrix.at + front->matrix, 0, height * wide * sizeof *s->matrix.at);
    return KS_OK;
}

/* weight b_l / d_l of one block in all columns that touch it. */
static void takeBlock(const ksSystem *system, const ksiFactor *f, const ksiFront *front, int block, int row)
{
    const ksiFronts *p = &system->fronts;
    const ksiSparse *s = &f->sparse;
    const int size = system->blockSize.at[block];
    const double weight = f->isKinematic ? ksiBlockWeight(system, block) : 1;
    for (int i = 0; i < size; i++)
        s->slot.at[front->slot + (size_t)(row + i)] = system->blockOffset.at[block] + i;
    for (int q = p->blockStart.at[block]; q < p->blockStart.at[block + 1]; q++) {
        const int g = p->blockGroup.at[q], first = p->groupRow.at[g];
        int at = s->spot.at[p->place.at[g]], piece = p->rowPiece.at[first];
        while (p->pieceBlock.at[piece] != block)
            piece++;
        piece -= p->rowPiece.at[first];
        for (int l = first; l < p->groupRow.at[g + 1]; l++) {
            if (f->column.at[l] < 0)
                continue;
            const double *entry = system->entry.at + system->pieceEntry.at[system->rowPiece.at[l] + piece];
            const double scale = weight / f->scale.at[f->column.at[l]];
            double *column = s->matrix.at + front->matrix + (size_t)at++ * (size_t)front->height + row;
            for (int i = 0; i < size; i++)
                column[i] = scale * entry[i];
        }
    }
}

/* The rows that a child has left; below the stairs there are reflections. */
static void takeRest(const ksSystem *system, const ksiFactor *f, const ksiFront *front, int child, int row)
{
    const ksiFronts *p = &system->fronts;
    const ksiSparse *s = &f->sparse;
    const ksiFront *c = &s->front[child];
    for (int i = 0; i < c->rest; i++)
        s->slot.at[front->slot + (size_t)(row + i)] = s->slot.at[c->slot + (size_t)(c->pivots + i)];
    int from = c->pivots;
    for (int u = p->upperStart.at[child]; u < p->upperStart.at[child + 1]; u++) {
        const int upper = p->upper.at[u], count = width(p, s, upper);
        for (int j = 0; j < count; j++, from++) {
            const int rows = s->stair.at[c->tau + (size_t)from] - c->pivots;
            const double *source = s->matrix.at + c->matrix + (size_t)from * (size_t)c->height + c->pivots;
            double *target = s->matrix.at + front->matrix;
            target += (size_t)(s->spot.at[upper] + j) * (size_t)front->height + (size_t)row;
            memcpy(target, source, (size_t)rows * sizeof *target);
        }
    }
}

static void fillFront(const ksSystem *system, const ksiFactor *f, int k)
{
    const ksiFronts *p = &system->fronts;
    const ksiSparse *s = &f->sparse;
    const ksiFront *front = &s->front[k];
    int row = 0;
    for (int i = p->leadStart.at[k]; i < p->leadStart.at[k + 1]; i++) {
        takeBlock(system, f, front, p->lead.at[i], row);
        row += system->blockSize.at[p->lead.at[i]];
    }
    for (int c = p->firstChild.at[k]; c >= 0; c = p->nextChild.at[c]) {
        takeRest(system, f, front, c, row);
        row += s->front[c].rest;
    }
    for (int j = 0; j < front->pivots; j++) {
        const int c = firstColumn(p, s, k) + j;
        if (f->slack.at[c] < 0)
            continue;
        s->slot.at[front->slot + (size_t)row] = f->slack.at[c];
        s->matrix.at[front->matrix + (size_t)j * (size_t)front->height + (size_t)row] = f->slackPart.at[c];
        row++;
    }
}

double ksiReflector(int n, double *x)
{
    double square = 0;
    for (int i = 1; i < n; i++)
        square += x[i] * x[i];
    if (square == 0)
        return 0;
    const double beta = -copysign(sqrt(x[0] * x[0] + square), x[0]), tau = (beta - x[0]) / beta;
    const double scale = 1 / (x[0] - beta);
    for (int i = 1; i < n; i++)
        x[i] *= scale;
    x[0] = beta;
    return tau;
}

void ksiReflect(int n, const double *v, double tau, double *x)
{
    double sum = x[0];
    for (int i = 1; i < n; i++)
        sum += v[i] * x[i];
    sum *= tau;
    x[0] -= sum;
    for (int i = 1; i < n; i++)
        x[i] -= sum * v[i];
}

/* Returns the least |R_kk| of the front's own columns, 0 where it has too few rows. */
static double eliminate(ksiSparse *s, ksiFront *front)
{
    double *matrix = s->matrix.at + front->matrix, smallest = INFINITY;
    const int height = front->height;
    int row = 0;
    for (int j = 0; j < front->width; j++) {
        double *column = matrix + (size_t)j * (size_t)height;
        if (row == height) {
            s->stair.at[front->tau + (size_t)j] = row;
            s->tau.at[front->tau + (size_t)j] = 0;
            if (j < front->pivots)
                return 0;
            continue;
        }
        const double tau = ksiReflector(height - row, column + row);
        for (int t = j + 1; tau != 0 && t < front->width; t++)
            ksiReflect(height - row, column + row, tau, matrix + (size_t)t * (size_t)height + row);
        if (j < front->pivots)
            smallest = fmin(smallest, fabs(column[row]));
        s->tau.at[front->tau + (size_t)j] = tau;
        s->stair.at[front->tau + (size_t)j] = ++row;
    }
    front->rest = row - front->pivots;
    return smallest;
}

/* Pivots first, in the order of elimination, then what is left of coordinates and slacks. */
static void framePositions(ksiFactor *f)
{
    ksiSparse *s = &f->sparse;
    const ksiFronts *p = s->pattern;
    int next = 0;
    if (f->height > 0)
        memset(s->taken.at, 0, (size_t)f->height * sizeof *s->taken.at);
    for (int k = 0; k < p->groupCount; k++)
        for (int i = 0; i < s->front[k].pivots; i++) {
            const int slot = s->slot.at[s->front[k].slot + (size_t)i];
            s->taken.at[slot] = 1;
            s->position.at[next++] = slot;
        }
    for (int i = 0; i < f->height; i++)
        if (!s->taken.at[i])
            s->position.at[next++] = i;
}

ksStatus ksiSparseFactorise(ksSystem *system, ksiFactor *f)
{
    ksiSparse *s = &f->sparse;
    ksStatus status = ksiFrontsPattern(system);
    if (!status)
        status = countColumns(system, f);
    s->pattern = &system->fronts;
    s->smallest = INFINITY;
    for (int k = 0; !status && s->smallest > 0 && k < system->fronts.groupCount; k++) {
        status = openFront(system, f, k);
        if (status)
            break;
        fillFront(system, f, k);
        s->smallest = fmin(s->smallest, eliminate(s, &s->front[k]));
    }
    if (!status && s->smallest > 0)
        framePositions(f);
    return status;
}

void ksiSparseEnter(ksiFactor *f, double *h)
{
    ksiSparse *s = &f->sparse;
    double *x = s->lane.at;
    for (int k = 0; k < s->pattern->groupCount; k++) {
        const ksiFront *front = &s->front[k];
        const int *slot = s->slot.at + front->slot;
        for (int i = 0; i < front->height; i++)
            x[i] = h[slot[i]];
        for (int j = 0; j < front->width; j++) {
            const double tau = s->tau.at[front->tau + (size_t)j];
            const int row = s->stair.at[front->tau + (size_t)j] - 1;
            if (tau != 0)
                ksiReflect(front->height - row, s->matrix.at + front->matrix + (size_t)j * (size_t)front->height + row,
                           tau, x + row);
        }
        for (int i = 0; i < front->height; i++)
            h[slot[i]] = x[i];
    }
    memcpy(x, h, (size_t)f->height * sizeof *x);
    for (int i = 0; i < f->height; i++)
        h[i] = x[s->position.at[i]];
}

void ksiSparseLeave(ksiFactor *f, double *h)
{
    ksiSparse *s = &f->sparse;
    double *x = s->lane.at;
    memcpy(x, h, (size_t)f->height * sizeof *x);
    for (int i = 0; i < f->height; i++)
        h[s->position.at[i]] = x[i];
    for (int k = s->pattern->groupCount - 1; k >= 0; k--) {
        const ksiFront *front = &s->front[k];
        const int *slot = s->slot.at + front->slot;
        for (int i = 0; i < front->height; i++)
            x[i] = h[slot[i]];
        for (int j = front->width - 1; j >= 0; j--) {
            const double tau = s->tau.at[front->tau + (size_t)j];
            const int row = s->stair.at[front->tau + (size_t)j] - 1;
            if (tau != 0)
                ksiReflect(front->height - row, s->matrix.at + front->matrix + (size_t)j * (size_t)front->height + row,
                           tau, x + row);
        }
        for (int i = 0; i < front->height; i++)
            h[slot[i]] = x[i];
    }
}

/* The columns of a front: x[width] out of or into an array by columns of the view. */
static void gatherColumns(const ksiFronts *p, const ksiSparse *s, int k, const double *all, double *x)
{
    memcpy(x, all + firstColumn(p, s, k), (size_t)s->front[k].pivots * sizeof *x);
    for (int i = p->upperStart.at[k]; i < p->upperStart.at[k + 1]; i++) {
        const int upper = p->upper.at[i];
        x += i == p->upperStart.at[k] ? s->front[k].pivots : width(p, s, p->upper.at[i - 1]);
        memcpy(x, all + firstColumn(p, s, upper), (size_t)width(p, s, upper) * sizeof *x);
    }
}

void ksiSparseRowsToFrame(ksiFactor *f, const double *side, double *frame)
{
    ksiSparse *s = &f->sparse;
    const ksiFronts *p = s->pattern;
    // what is still to be met of each column
    double *left = s->side.at;
    if (f->columns > 0)
        memcpy(left, side, (size_t)f->columns * sizeof *left);
    for (int k = 0; k < p->groupCount; k++) {
        const ksiFront *front = &s->front[k];
        const double *r = s->matrix.at + front->matrix;
        const size_t height = (size_t)front->height;
        double *own = left + firstColumn(p, s, k);
        for (int i = 0; i < front->pivots; i++) {
            const double t = frame[i] = own[i] / r[(size_t)i * height + (size_t)i];
            for (int j = i + 1; j < front->pivots; j++)
                own[j] -= r[(size_t)j * height + (size_t)i] * t;
        }
        int j = front->pivots;
        for (int u = p->upperStart.at[k]; u < p->upperStart.at[k + 1]; u++) {
            double *other = left + firstColumn(p, s, p->upper.at[u]);
            for (int c = 0; c < width(p, s, p->upper.at[u]); c++, j++)
                other[c] -= ksiDot((size_t)front->pivots, r + (size_t)j * height, frame);
        }
        frame += front->pivots;
    }
}

void ksiSparseFrameToRows(ksiFactor *f, const double *frame, double *multiple)
{
    ksiSparse *s = &f->sparse;
    const ksiFronts *p = s->pattern;
    double *x = s->side.at;
    frame += f->columns;
    for (int k = p->groupCount - 1; k >= 0; k--) {
        const ksiFront *front = &s->front[k];
        const double *r = s->matrix.at + front->matrix;
        const size_t height = (size_t)front->height;
        double *own = multiple + firstColumn(p, s, k);
        frame -= front->pivots;
        gatherColumns(p, s, k, multiple, x);
        for (int i = front->pivots - 1; i >= 0; i--) {
            double sum = frame[i];
            for (int j = i + 1; j < front->width; j++)
                sum -= r[(size_t)j * height + (size_t)i] * x[j];
            own[i] = x[i] = sum / r[(size_t)i * height + (size_t)i];
        }
    }
}
