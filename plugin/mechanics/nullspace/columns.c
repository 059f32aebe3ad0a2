/* columns.c  Turns a view's rows into unit columns of the orthogonal factorisation, and into its
 * sparse form.
 *
 * Each row gives one column: b_l in the coordinates and sqrt(s_l) in the row's own slack
 * coordinate, both divided by d_l = (A_ll + s_l)^{1/2}. A slack of unit mass with coefficient
 * sqrt(s) keeps all digits; a slack of mass 1/s would not.
 */
#include "../system_private.h"

#include <math.h>
#include <string.h>

/* The kind of a row in a view. A rigid row without entries is left out. */
static inline int kindOf(const ksiModel *m, ksiFactorSpec view, double none, int row)
{
    if (m->rowKnown[row] && !view.hasKnown)
        return KSI_ROW_LEFT_OUT;
    return m->compliance[row] > none ? KSI_ROW_COMPLIANT : m->diagonal[row] > 0 ? KSI_ROW_RIGID : KSI_ROW_LEFT_OUT;
}

/* Does a symbolic factorisation fit the view's rows? Rows that it leaves out as dependent have to
 * be rigid. */
static int fits(const ksiFactor *f, const ksiSymbolic *y)
{
    const double none = ksiNoComplianceUpTo(f->view, f->model->rigidCompliance);
    int fit = y->id > 0;
    for (int l = 0; fit && l < f->model->rowCount; l++) {
        const int kind = kindOf(f->model, f->view, none, l);
        fit = y->kind[l] == (y->kind[l] == KSI_ROW_DEPENDENT && kind == KSI_ROW_RIGID ? KSI_ROW_DEPENDENT : kind);
    }
    return fit;
}

/* Makes y the factor's symbolic factorisation. */
static ksStatus use(ksiPatternCache *cache, ksiFactor *f, ksiSymbolic *y, ksiWarmView *warm)
{
    f->symbolic = y;
    f->rows = y->rows;
    f->kind = y->kind;
    f->columns = y->columns;
    f->height = y->height;
    f->row = y->row;
    f->slack = y->slack;
    f->column = y->column;
    f->dependentCount = y->dependentCount;
    f->areEarlier = y->areEarlier;
    y->used = ++cache->clock;
    if (warm)
        warm->symbolic = y->id;
    if (y->dependentCount == 0 || f->choiceOf == y->id)
        return KS_OK;
    f->choiceOf = 0;
    KSI_TRY(ksiIntsReserve(f->model->allocator, &f->isDependent, (size_t)y->rows));
    for (int l = 0; l < y->rows; l++)
        f->isDependent[l] = y->kind[l] == KSI_ROW_DEPENDENT;
    f->choiceOf = y->id;
    return KS_OK;
}

/* Notes the kinds of the view's rows with the choice of dependent rows. Drops the choice if one of
 * these is not rigid. */
static void noteKinds(ksiFactor *f, int *kind)
{
    const double none = ksiNoComplianceUpTo(f->view, f->model->rigidCompliance);
    int broken = 0;
    for (int l = 0; l < f->model->rowCount; l++) {
        kind[l] = kindOf(f->model, f->view, none, l);
        if (f->dependentCount > 0 && f->isDependent[l]) {
            broken |= kind[l] != KSI_ROW_RIGID;
            kind[l] = KSI_ROW_DEPENDENT;
        }
    }
    if (!broken)
        return;
    f->dependentCount = 0;
    noteKinds(f, kind);
}

static void listColumns(const ksiFactor *f, ksiSymbolic *y)
{
    y->rows = f->model->rowCount;
    y->height = f->model->coordinateCount;
    y->columns = 0;
    for (int l = 0; l < y->rows; l++) {
        y->column[l] = -1;
        if (y->kind[l] == KSI_ROW_LEFT_OUT)
            continue;
        const int c = y->columns++;
        y->column[l] = c;
        y->row[c] = l;
        y->slack[c] = y->kind[l] == KSI_ROW_COMPLIANT ? y->height++ : -1;
    }
}

/* Finds the symbolic factorisation of the view's rows with the choice of dependent rows. */
static ksStatus findChosen(ksiPatternCache *cache, ksiFactor *f, ksiSymbolic **found)
{
    const ksAllocator *allocator = f->model->allocator;
    const size_t rows = (size_t)f->model->rowCount;
    f->choiceOf = 0;
    KSI_TRY(ksiIntsReserve(allocator, &f->iwork, rows));
    noteKinds(f, f->iwork);
    ksiSymbolic *y = ksiFindSymbolic(cache, f->pattern, f->index, (int)rows, f->iwork);
    *found = y;
    if (!y)
        return KS_ERROR_NO_MEMORY;
    if (y->id == 0) {
        if (ksiIntsReserve(allocator, &y->kind, rows) || ksiIntsReserve(allocator, &y->row, rows) ||
            ksiIntsReserve(allocator, &y->slack, rows) || ksiIntsReserve(allocator, &y->column, rows))
            return KS_ERROR_NO_MEMORY;
        if (rows > 0)
            memcpy(y->kind, f->iwork, rows * sizeof(int));
        listColumns(f, y);
        y->sides = f->index == KSI_VIEW_EXACT ? KSI_SIDES : 0;
        y->dependentCount = f->dependentCount;
        y->areEarlier = f->areEarlier;
        y->id = ++cache->id;
    }
    if (y->dependentCount > 0)
        f->choiceOf = y->id;
    return KS_OK;
}

/* The columns' scales. A slack has the same share of its column in both metrics. */
static ksStatus scaleColumns(ksiFactor *f)
{
    const ksiModel *m = f->model;
    const size_t rows = (size_t)m->rowCount;
    if (ksiDoublesReserve(m->allocator, &f->scale, rows) || ksiDoublesReserve(m->allocator, &f->unit, rows) ||
        ksiDoublesReserve(m->allocator, &f->slackPart, rows))
        return KS_ERROR_NO_MEMORY;
    f->rankIsProved = f->stressCount = f->sizesKnown = 0;
    for (int c = 0; c < f->columns; c++) {
        const int l = f->row[c];
        const double square = m->diagonal[l], s = f->slack[c] < 0 ? 0 : m->compliance[l];
        const double scale = sqrt(square + s), unit = 1 / scale;
        f->scale[c] = scale;
        f->unit[c] = unit;
        f->slackPart[c] = s > 0 ? sqrt(s) * unit : 0;
        if (ksiIsKinematic(f) && square > 0) {
            f->scale[c] *= m->kinematicSize[l] / sqrt(square);
            f->unit[c] = 1 / f->scale[c];
        }
    }
    return KS_OK;
}

ksStatus ksiGatherChosen(ksiPatternCache *cache, ksiFactor *f, ksiWarmView *warm)
{
    ksiSymbolic *y;
    KSI_TRY(findChosen(cache, f, &y));
    KSI_TRY(use(cache, f, y, warm));
    return scaleColumns(f);
}

ksStatus ksiRememberChoice(ksiPatternCache *cache, ksiFactor *f, ksiWarmView *warm)
{
    ksiSymbolic *y;
    KSI_TRY(findChosen(cache, f, &y));
    y->used = ++cache->clock;
    if (warm)
        warm->symbolic = y->id;
    f->dependentCount = f->symbolic->dependentCount;
    return KS_OK;
}

ksStatus ksiGatherColumns(ksiPatternCache *cache, ksiFactor *f, ksiWarmView *warm)
{
    ksiSymbolic *first = ksiRecallSymbolic(f->pattern, f->index, warm ? warm->symbolic : 0), *found = NULL;
    f->view = ksiViewAt(f->index);
    f->dependentCount = f->areEarlier = 0;
    if (first && fits(f, first))
        found = first;
    for (int i = 0; first && !found && i < KSI_MOST_SYMBOLIC && f->pattern->symbolic[f->index][i]; i++)
        if (fits(f, f->pattern->symbolic[f->index][i]))
            found = f->pattern->symbolic[f->index][i];
    if (found || first)
        KSI_TRY(use(cache, f, found ? found : first, warm));
    return found ? scaleColumns(f) : ksiGatherChosen(cache, f, warm);
}

double ksiFactorSpread(const ksiFactor *f)
{
    return ksiIsKinematic(f) ? 1 : ksiWeightSpread(f->model);
}

ksStatus ksiFactoriseSparse(ksiFactor *f)
{
    f->rank = f->columns - f->dependentCount;
    f->decomposed = f->isSparse = 0;
    f->smallest = INFINITY;
    // the dense frame of no columns is the coordinates themselves
    if (f->columns == 0)
        return KS_OK;
    f->isSparse = 1;
    const ksStatus status = ksiSparseFactorise(f);
    f->smallest = f->sparse.smallest;
    return status;
}
