/* columns.c  What a view makes of the rows: unit columns of the orthogonal factorisation, and its sparse form.
 *
 *  One column a row: b_l in the coordinates and sqrt(s_l) in the row's own slack coordinate, over d_l = (A_ll + s_l)^{1/2}. A
 *  slack of unit mass with coefficient sqrt(s) keeps all digits where one of mass 1/s would not.
 */
#include "system_private.h"

#include <math.h>

/* Notes what the view makes of each row; 1: the same as the last time. */
static int noteKinds(const ksSystem *system, ksiView view, ksiFactor *f)
{
    int same = f->rows == system->model.rowCount && f->stamp == system->fronts.stamp, broken = 0;
    if (!same)
        f->dependentCount = 0;
    const double rigid = ksiNoComplianceUpTo(view, system->model.rigidCompliance);
    for (int l = 0; l < system->model.rowCount; l++) {
        const double s = system->model.compliance.at[l];
        // rows without any entry are left out
        int kind = s > rigid ? KSI_ROW_COMPLIANT : system->model.diagonal.at[l] > 0 ? KSI_ROW_RIGID : KSI_ROW_LEFT_OUT;
        if (system->model.rowKnown.at[l] && !view.hasKnown)
            kind = KSI_ROW_LEFT_OUT;
        if (f->dependentCount > 0 && f->isDependent.at[l]) {
            broken |= kind != KSI_ROW_RIGID;
            kind = KSI_ROW_DEPENDENT;
        }
        same = same && f->kind.at[l] == kind;
        f->kind.at[l] = kind;
    }
    if (!broken)
        return same;
    f->dependentCount = 0;
    return noteKinds(system, view, f);
}

/* Columns and slacks, unless the view takes in the same ones as the last time. */
static void listColumns(ksSystem *system, ksiView view, ksiFactor *f)
{
    if (noteKinds(system, view, f))
        return;
    f->dependents.known = f->sparse.shapeKnown = 0;
    f->shape = ++system->shapes;
    f->rows = system->model.rowCount;
    f->stamp = system->fronts.stamp;
    f->height = f->coordinates = system->model.coordinateCount;
    f->columns = 0;
    for (int l = 0; l < system->model.rowCount; l++) {
        f->column.at[l] = -1;
        if (f->kind.at[l] == KSI_ROW_LEFT_OUT)
            continue;
        const int c = f->columns++;
        f->column.at[l] = c;
        f->row.at[c] = l;
        f->slack.at[c] = f->kind.at[l] == KSI_ROW_COMPLIANT ? f->height++ : -1;
    }
}

double ksiFactorSpread(const ksSystem *system, const ksiFactor *f)
{
    return ksiIsKinematic(f) ? 1 : ksiWeightSpread(&system->model);
}

/* Takes in the rows of the view. A slack has the same share of its column in both metrics. */
ksStatus ksiGatherColumns(ksSystem *system, ksiView view, ksiFactor *f)
{
    const size_t rows = (size_t)system->model.rowCount;
    const ksStatus status = ksiFrontsPattern(system);
    if (status)
        return status;
    if (ksiIntsReserve(&system->allocator, &f->kind, rows) || ksiIntsReserve(&system->allocator, &f->row, rows) ||
        ksiIntsReserve(&system->allocator, &f->slack, rows) || ksiIntsReserve(&system->allocator, &f->column, rows) ||
        ksiDoublesReserve(&system->allocator, &f->scale, rows) ||
        ksiDoublesReserve(&system->allocator, &f->unit, rows) ||
        ksiDoublesReserve(&system->allocator, &f->slackPart, rows))
        return KS_ERROR_NO_MEMORY;
    f->rankIsProved = f->stressCount = f->sizesKnown = 0;
    f->view = view;
    f->sparse.sides = ksiSameView(view, ksiViewAt(KSI_VIEW_EXACT)) ? KSI_SIDES : 0;
    listColumns(system, view, f);
    if (ksiIsKinematic(f))
        ksiSizeRows(&system->model);
    for (int c = 0; c < f->columns; c++) {
        const int l = f->row.at[c];
        const double square = system->model.diagonal.at[l], s = f->slack.at[c] < 0 ? 0 : system->model.compliance.at[l];
        const double scale = sqrt(square + s), unit = 1 / scale;
        f->scale.at[c] = scale;
        f->unit.at[c] = unit;
        f->slackPart.at[c] = s > 0 ? sqrt(s) * unit : 0;
        if (ksiIsKinematic(f) && square > 0) {
            f->scale.at[c] *= system->model.rowSize.at[l] / sqrt(square);
            f->unit.at[c] = 1 / f->scale.at[c];
        }
    }
    return KS_OK;
}

ksStatus ksiFactoriseSparse(ksSystem *system, ksiFactor *f)
{
    f->rank = f->columns - f->dependentCount;
    f->decomposed = f->isSparse = 0;
    f->smallest = INFINITY;
    // the dense frame of no columns is the coordinates themselves
    if (f->columns == 0)
        return KS_OK;
    f->isSparse = 1;
    const ksStatus status = ksiSparseFactorise(system, f);
    f->smallest = f->sparse.smallest;
    return status;
}
