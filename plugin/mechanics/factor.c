/* factor.c  The orthogonal factorisation of the null-space route, and the rank.
 *
 *      B~ = M~^{-1/2} J~^T = Q R
 *
 *  One column a row, of unit length: b_l in the coordinates and sqrt(s_l) in the row's own slack coordinate, over
 *  d_l = (A_ll + s_l)^{1/2}. The first `rank` vectors of the frame Q span the reactions and the others, M-orthogonal to
 *  them, the admissible motions T of Lagrange II (J~ T = 0). Neither A nor its factors occur here. A slack of unit mass
 *  with coefficient sqrt(s) keeps all digits where one of mass 1/s would not.
 *  The factorisation is sparse (fronts.c) where no column comes near to depending on the others, else dense (dense.c).
 */
#include "system_private.h"

#include <math.h>

static double viewCompliance(const ksSystem *system, ksiView view, int row)
{
    const double s = system->compliance.at[row];
    return view == KSI_VIEW_REACH || (view == KSI_VIEW_RIGID && s <= system->rigidCompliance) ? 0 : s;
}

/* Takes in the rows of the view; rows without any entry are left out. */
static ksStatus gather(ksSystem *system, ksiView view, ksiFactor *f)
{
    const size_t rows = (size_t)system->rowCount;
    if (ksiIntsReserve(system, &f->row, rows) || ksiIntsReserve(system, &f->slack, rows) ||
        ksiIntsReserve(system, &f->column, rows) || ksiDoublesReserve(system, &f->scale, rows))
        return KS_ERROR_NO_MEMORY;
    f->columns = 0;
    f->height = system->coordinateCount;
    for (int l = 0; l < system->rowCount; l++) {
        const double s = viewCompliance(system, view, l), square = system->diagonal.at[l] + s;
        f->column.at[l] = -1;
        if (square == 0 || (view < KSI_VIEW_ALL && system->rowKnown.at[l]))
            continue;
        const int c = f->columns++;
        f->column.at[l] = c;
        f->row.at[c] = l;
        f->slack.at[c] = s > 0 ? f->height++ : -1;
        f->scale.at[c] = sqrt(square);
    }
    return KS_OK;
}

static ksStatus factorise(ksSystem *system, ksiFactor *f, double tolerance)
{
    f->rank = f->columns;
    f->decomposed = f->isSparse = 0;
    f->smallest = INFINITY;
    // the dense frame of no columns is the coordinates themselves
    if (f->columns == 0)
        return KS_OK;
    f->isSparse = 1;
    ksStatus status = ksiSparseFactorise(system, f);
    f->smallest = f->sparse.smallest;
    if (status || f->smallest > KSI_SAFE_MARGIN * tolerance)
        return status;
    f->isSparse = 0;
    return ksiDenseFactorise(system, f, tolerance);
}

/* The view whose matrix is the same, but for the tolerance; the view itself where there is none. */
static ksiView sameMatrix(const ksSystem *system, ksiView view)
{
    int softened = 0, sprung = 0;
    for (int l = 0; l < system->rowCount; l++) {
        softened |= system->compliance.at[l] > 0 && system->compliance.at[l] <= system->rigidCompliance;
        sprung |= system->compliance.at[l] > system->rigidCompliance;
    }
    if (view == KSI_VIEW_RIGID && !softened)
        return KSI_VIEW_EXACT;
    if (view == KSI_VIEW_REACH && !sprung && system->knownCount == 0)
        return KSI_VIEW_RIGID;
    return view;
}

ksStatus ksiFactorGet(ksSystem *system, ksiView view, ksiFactor **factor)
{
    ksiFactor *f = &system->factor[view];
    const ksiView other = f->known ? view : sameMatrix(system, view);
    if (other != view) {
        ksiFactor *same;
        const ksStatus status = ksiFactorGet(system, other, &same);
        if (status)
            return status;
        // of full rank by a margin, whichever tolerance is asked
        if (!same->decomposed && same->smallest > KSI_SAFE_MARGIN * system->rankTolerance) {
            *factor = same;
            return KS_OK;
        }
    }
    if (!f->known) {
        ksStatus status = gather(system, view, f);
        if (!status)
            status = factorise(system, f, view == KSI_VIEW_RIGID ? system->rankTolerance : KSI_ROUNDING_RANK);
        if (status)
            return status;
        f->known = 1;
    }
    *factor = f;
    return KS_OK;
}

void ksiEnterFrame(ksiFactor *f, double *h)
{
    if (f->height == 0)
        return;
    if (f->isSparse)
        ksiSparseEnter(f, h);
    else
        ksiDenseEnter(f, h);
}

void ksiLeaveFrame(ksiFactor *f, double *h)
{
    if (f->height == 0)
        return;
    if (f->isSparse)
        ksiSparseLeave(f, h);
    else
        ksiDenseLeave(f, h);
}

void ksiRowsToFrame(ksiFactor *f, const double *side, double *frame)
{
    if (f->isSparse)
        ksiSparseRowsToFrame(f, side, frame);
    else
        ksiDenseRowsToFrame(f, side, frame);
}

void ksiFrameToRows(ksiFactor *f, const double *frame, double *multiple)
{
    if (f->isSparse)
        ksiSparseFrameToRows(f, frame, multiple);
    else
        ksiDenseFrameToRows(f, frame, multiple);
}
