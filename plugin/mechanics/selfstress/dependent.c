/* dependent.c  Chooses which redundant rows to leave out, without singular values.
 *
 * One multifrontal elimination takes all rows, without exchanges. A column takes no pivot if
 * earlier columns leave less of it than the rank tolerance (Heath 1982). Its row depends on rows
 * that are eliminated no later than its own front, so its self-stress stays below that front. If a
 * singular value is still in doubt, its singular vector selects one more row (Chan 1987). If a
 * singular value decomposition has decided the rank, its self-stresses select the rows. The choice
 * is kept from step to step. Each step proves anew that these rows depend and the others do not,
 * see selfstress.c.
 */
#include "../system_private.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* One front, column-major, its own columns first. */
typedef struct Front {
    int height, width, pivots;
    double *matrix;
} Front;

/* By front, the rows that it leaves. */
typedef struct Elimination {
    ksiFronts *pattern;
    const ksiSymbolic *symbolic;
    int *rest, *restHeight;
    size_t kept; /* numbers in factor->copy that fronts have left so far */
} Elimination;

static ksStatus beginElimination(ksSystem *system, ksiFactor *f, Elimination *e)
{
    const size_t n = (size_t)f->pattern->fronts.groupCount;
    KSI_TRY(ksiIntsReserve(&system->allocator, &f->iwork, 2 * n));
    KSI_TRY(ksiIntsReserve(&system->allocator, &f->isDependent, (size_t)f->rows));
    *e = (Elimination){
        .pattern = &f->pattern->fronts, .symbolic = f->symbolic, .rest = f->iwork, .restHeight = f->iwork + n};
    f->choiceOf = 0;
    memset(f->isDependent, 0, (size_t)f->rows * sizeof(int));
    return KS_OK;
}

static ksStatus measure(ksSystem *system, ksiFactor *f, Elimination *e, int k, Front *front)
{
    const ksiFronts *p = e->pattern;
    const int first = ksiFirstColumn(p, e->symbolic, k);
    front->pivots = ksiColumnsOf(p, e->symbolic, k);
    front->width = ksiPlaceColumns(e->pattern, e->symbolic, k);
    front->height = 0;
    for (int i = p->leadStart[k]; i < p->leadStart[k + 1]; i++)
        front->height += system->model.blockSize[p->lead[i]];
    for (int c = p->firstChild[k]; c >= 0; c = p->nextChild[c])
        front->height += e->restHeight[c];
    for (int c = first; c < first + front->pivots; c++)
        front->height += f->slack[c] >= 0;
    const size_t size = (size_t)front->height * (size_t)front->width;
    if (ksiDoublesReserve(&system->allocator, &f->qr, size + 1) || e->kept + size > INT_MAX ||
        ksiDoublesReserve(&system->allocator, &f->copy, e->kept + size + 1))
        return KS_ERROR_NO_MEMORY;
    front->matrix = f->qr;
    memset(front->matrix, 0, size * sizeof *front->matrix);
    return KS_OK;
}

/* Enters a block's coordinates into all columns that touch it, from `row` on. */
static void enterBlock(const ksSystem *system, const ksiFactor *f, const Elimination *e, const Front *front, int block,
                       int row)
{
    const ksiFronts *p = e->pattern;
    const double weight = ksiIsKinematic(f) ? ksiBlockWeight(&system->model, block) : 1;
    for (int q = p->blockStart[block]; q < p->blockStart[block + 1]; q++) {
        const int g = p->blockGroup[q];
        int column = p->columnOf[p->place[g]];
        for (int l = p->groupRow[g]; l < p->groupRow[g + 1]; l++) {
            if (f->column[l] < 0)
                continue;
            int piece = p->rowPiece[l];
            while (p->pieceBlock[piece] != block)
                piece++;
            const double *entry = system->model.entry + system->model.pieceEntry[piece];
            double *to = front->matrix + (size_t)column++ * (size_t)front->height + row;
            for (int i = 0; i < system->model.blockSize[block]; i++)
                to[i] = f->unit[f->column[l]] * weight * entry[i];
        }
    }
}

/* Enters the rows that a child has left, in its columns beyond its own. */
static void enterChild(const ksiFactor *f, const Elimination *e, const Front *front, int child, int row)
{
    const ksiFronts *p = e->pattern;
    const size_t height = (size_t)e->restHeight[child];
    const double *from = f->copy + e->rest[child];
    for (int u = p->upperStart[child]; u < p->upperStart[child + 1]; u++)
        for (int j = 0; j < ksiColumnsOf(p, e->symbolic, p->upper.at[u]); j++, from += height)
            memcpy(front->matrix + (size_t)(p->columnOf[p->upper.at[u]] + j) * (size_t)front->height + row, from,
                   height * sizeof *from);
}

static void enter(const ksSystem *system, const ksiFactor *f, const Elimination *e, int k, const Front *front)
{
    const ksiFronts *p = e->pattern;
    const int first = ksiFirstColumn(p, e->symbolic, k);
    int row = 0;
    for (int i = p->leadStart[k]; i < p->leadStart[k + 1]; i++) {
        enterBlock(system, f, e, front, p->lead[i], row);
        row += system->model.blockSize[p->lead[i]];
    }
    for (int c = p->firstChild[k]; c >= 0; c = p->nextChild[c]) {
        enterChild(f, e, front, c, row);
        row += e->restHeight[c];
    }
    for (int j = 0; j < front->pivots; j++)
        if (f->slack[first + j] >= 0)
            front->matrix[(size_t)j * (size_t)front->height + (size_t)row++] = f->slackPart[first + j];
}

/* Reflects columns from j on so that column j becomes zero below `row`. */
static void reflect(const Front *front, int row, int j)
{
    const size_t height = (size_t)front->height;
    ksiReflectVectors(front->height - row, front->width - j, height, front->matrix + (size_t)j * height + row);
}

/* Marks the dependent columns among the front's own; leaves a triangle for its parent. */
static void eliminate(const ksSystem *system, ksiFactor *f, Elimination *e, int k, const Front *front)
{
    const int first = ksiFirstColumn(e->pattern, e->symbolic, k), height = front->height;
    int row = 0;
    for (int j = 0; j < front->pivots; j++) {
        const double *x = front->matrix + (size_t)j * (size_t)height + row;
        const double remainder = sqrt(ksiDot((size_t)(height - row), x, x));
        if (remainder <= system->rankTolerance && f->slack[first + j] < 0) {
            f->isDependent[f->row[first + j]] = 1;
            f->dependentCount++;
        } else if (row < height) {
            reflect(front, row++, j);
        }
    }
    const int top = row;
    for (int j = front->pivots; j < front->width && row < height; j++)
        reflect(front, row++, j);
    e->rest[k] = (int)e->kept;
    e->restHeight[k] = row - top;
    for (int j = front->pivots; j < front->width; j++)
        for (int i = top; i < row; i++)
            f->copy[e->kept++] =
                i - top <= j - front->pivots ? front->matrix[(size_t)j * (size_t)height + (size_t)i] : 0;
}

ksStatus ksiChooseDependent(ksSystem *system, ksiFactor *f)
{
    Elimination e;
    ksStatus status = beginElimination(system, f, &e);
    f->dependentCount = 0;
    f->areEarlier = 1;
    for (int k = 0; !status && k < f->pattern->fronts.groupCount; k++) {
        Front front;
        status = measure(system, f, &e, k, &front);
        if (status)
            break;
        enter(system, f, &e, k, &front);
        eliminate(system, f, &e, k, &front);
    }
    if (status)
        f->dependentCount = 0;
    return status;
}

void ksiChooseLowest(ksSystem *system, ksiFactor *f)
{
    const double *x = ksiWarmViewOf(system, f)->lowest;
    int best = 0;
    for (int i = 1; i < f->symbolic->memberCount; i++)
        if (fabs(x[i]) > fabs(x[best]))
            best = i;
    f->isDependent[f->row[f->symbolic->member[best]]] = 1;
    f->dependentCount++;
    f->areEarlier = 0;
}

/* The largest entry of vectors `from` and later, its place in *at. Returns its vector, -1 if they
 * are zero. */
static int findPivot(const double *vector, int count, int length, int from, int *at)
{
    double largest = 0;
    int found = -1;
    for (int k = from; k < count; k++)
        for (int l = 0; l < length; l++)
            if (fabs(vector[(size_t)k * (size_t)length + (size_t)l]) > largest) {
                largest = fabs(vector[(size_t)k * (size_t)length + (size_t)l]);
                found = k;
                *at = l;
            }
    return found;
}

int ksiReduceEchelon(int count, int length, double *vector, int *pivot)
{
    const size_t size = (size_t)length;
    for (int k = 0; k < count; k++) {
        const int best = findPivot(vector, count, length, k, &pivot[k]);
        if (best < 0)
            return 0;
        double *own = vector + (size_t)k * size, *found = vector + (size_t)best * size;
        for (size_t i = 0; best > k && i < size; i++) {
            const double kept = own[i];
            own[i] = found[i];
            found[i] = kept;
        }
        for (int other = 0; other < count; other++) {
            double *n = vector + (size_t)other * size;
            const double times = other == k ? 0 : n[pivot[k]] / own[pivot[k]];
            for (size_t i = 0; times != 0 && i < size; i++)
                n[i] -= times * own[i];
            if (other != k)
                n[pivot[k]] = 0;
        }
    }
    return 1;
}

/* The rows of the pivots of the self-stresses are left out. */
ksStatus ksiChooseStressed(ksSystem *system, ksiFactor *f)
{
    const size_t wide = (size_t)f->columns, count = wide - (size_t)f->rank;
    f->dependentCount = f->areEarlier = 0;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &f->copy, count * wide));
    KSI_TRY(ksiIntsReserve(&system->allocator, &f->iwork, count));
    KSI_TRY(ksiIntsReserve(&system->allocator, &f->isDependent, (size_t)f->rows));
    f->choiceOf = 0;
    memset(f->isDependent, 0, (size_t)f->rows * sizeof(int));
    double *n = f->copy;
    for (size_t k = 0; k < count; k++)
        for (size_t p = 0; p < wide; p++)
            n[k * wide + (size_t)f->pivot[p] - 1] = f->vt[p * wide + (size_t)f->rank + k];
    if (!ksiReduceEchelon((int)count, f->columns, n, f->iwork))
        return KS_ERROR_SINGULAR;
    for (size_t k = 0; k < count; k++)
        f->isDependent[f->row[f->iwork[k]]] = 1;
    f->dependentCount = (int)count;
    return KS_OK;
}
