/* dependent.c  Redundant rows without singular values: which rows to leave out is remembered, that they depend on the
 * others is proved anew.
 *
 *  Once a singular value decomposition has found the rank, rows are chosen that depend on the others, one for each
 *  self-stress. While the system is refilled step after step, the others alone are factorised, B1 = Q1 R1, and
 *
 *      b_c = B1 z_c + e_c,     z_c = R1^-1 Q1^T b_c,     n_c = (z_c, -1)
 *
 *  for each row that is left out. As |n_c| >= 1, as many singular values of B as there are such rows are at most
 *  lifted = (sum |e_c|^2)^1/2, and the others are no less than the least one of B1 (interlacing). Where there is the gap
 *  between them that a cut of the rank asks for, the rank is that of B1, and the n_c span the self-stresses.
 */
#include "system_private.h"

#include <math.h>
#include <string.h>

/* Complete pivoting in the self-stresses: the row of the largest part is the one to leave out. */
ksStatus ksiChooseDependent(ksSystem *system, ksiFactor *f)
{
    const size_t wide = (size_t)f->columns, count = wide - (size_t)f->rank;
    f->dependentCount = 0;
    if (ksiDoublesReserve(system, &f->copy, count * wide) || ksiIntsReserve(system, &f->isDependent, (size_t)f->rows))
        return KS_ERROR_NO_MEMORY;
    memset(f->isDependent.at, 0, (size_t)f->rows * sizeof(int));
    double *n = f->copy.at;
    for (size_t k = 0; k < count; k++)
        for (size_t p = 0; p < wide; p++)
            n[k * wide + (size_t)f->pivot.at[p] - 1] = f->vt.at[p * wide + (size_t)f->rank + k];
    for (size_t k = 0; k < count; k++) {
        size_t best = k * wide;
        for (size_t i = k * wide; i < count * wide; i++)
            if (fabs(n[i]) > fabs(n[best]))
                best = i;
        const size_t c = best % wide;
        double *own = n + k * wide, *found = n + best / wide * wide;
        for (size_t i = 0; i < wide; i++) {
            const double kept = own[i];
            own[i] = found[i];
            found[i] = kept;
        }
        for (size_t other = k + 1; other < count; other++) {
            const double times = n[other * wide + c] / own[c];
            for (size_t i = 0; i < wide; i++)
                n[other * wide + i] -= times * own[i];
            n[other * wide + c] = 0;
        }
        f->isDependent.at[f->row.at[c]] = 1;
    }
    f->dependentCount = (int)count;
    return KS_OK;
}

/* The unit column of a row in the coordinates. */
static void unitColumn(const ksSystem *system, const ksiFactor *f, int row, double *h)
{
    const double unit = f->unit.at[f->column.at[row]];
    memset(h, 0, (size_t)f->height * sizeof *h);
    for (int p = system->rowPiece.at[row]; p < system->rowPiece.at[row + 1]; p++) {
        const int b = system->pieceBlock.at[p];
        const double scale = f->isKinematic ? unit * ksiBlockWeight(system, b) : unit;
        for (int i = 0; i < system->blockSize.at[b]; i++)
            h[system->blockOffset.at[b] + i] = scale * system->entry.at[system->pieceEntry.at[p] + i];
    }
}

/* Orthonormal to those before it, of which each has a -1 where the others have 0: none is lost in the others. */
static void orthonormalise(ksiFactor *f, int k)
{
    const size_t wide = (size_t)f->columns;
    double *n = f->stress.at + (size_t)k * wide;
    ksiTakeOut(wide, f->stress.at, k, n);
    const double inverse = 1 / sqrt(ksiDot(wide, n, n));
    for (size_t i = 0; i < wide; i++)
        n[i] *= inverse;
}

ksStatus ksiFindStresses(ksSystem *system, ksiFactor *f, double *lifted)
{
    const size_t wide = (size_t)f->columns, rank = (size_t)f->sparse.columns;
    *lifted = 0;
    if (ksiDoublesReserve(system, &f->stress, (size_t)f->dependentCount * wide) ||
        ksiDoublesReserve(system, &f->lane, 2 * wide) || ksiDoublesReserve(system, &f->work, (size_t)f->height))
        return KS_ERROR_NO_MEMORY;
    double *h = f->work.at, *z = f->lane.at;
    int k = 0;
    for (int c = 0; c < f->columns; c++) {
        double *n = f->stress.at + (size_t)k * wide;
        if (f->kind.at[f->row.at[c]] != KSI_ROW_DEPENDENT)
            continue;
        unitColumn(system, f, f->row.at[c], h);
        ksiSparseEnter(f, h);
        *lifted += ksiDot((size_t)f->height - rank, h + rank, h + rank);
        ksiSparseFrameToRows(f, h, z);
        memset(n, 0, wide * sizeof *n);
        for (size_t i = 0; i < rank; i++)
            n[f->sparse.member.at[i]] = z[i];
        n[c] = -1;
        orthonormalise(f, k++);
    }
    *lifted = sqrt(*lifted);
    return KS_OK;
}

void ksiDependentRowsToFrame(ksiFactor *f, const double *side, double *frame)
{
    const size_t wide = (size_t)f->columns;
    double *consistent = f->lane.at, *members = consistent + wide;
    memcpy(consistent, side, wide * sizeof *side);
    ksiTakeOut(wide, f->stress.at, f->dependentCount, consistent);
    for (int i = 0; i < f->sparse.columns; i++)
        members[i] = consistent[f->sparse.member.at[i]];
    ksiSparseRowsToFrame(f, members, frame);
}

void ksiDependentFrameToRows(ksiFactor *f, const double *frame, double *multiple)
{
    const size_t wide = (size_t)f->columns;
    double *members = f->lane.at + wide;
    ksiSparseFrameToRows(f, frame, members);
    memset(multiple, 0, wide * sizeof *multiple);
    for (int i = 0; i < f->sparse.columns; i++)
        multiple[f->sparse.member.at[i]] = members[i];
    ksiTakeOut(wide, f->stress.at, f->dependentCount, multiple);
}
