/* dependent.c  Chooses which redundant rows to leave out, without singular values.
 *
 * The factorisation of the range-space route takes all rows, without exchanges. A row takes no
 * pivot if earlier rows leave less of it than the rank tolerance (Heath 1982). It depends on rows
 * that are eliminated no later than its own front, so its self-stress stays below that front. If a
 * singular value is still in doubt, its singular vector selects one more row (Chan 1987). If a
 * singular value decomposition has decided the rank, the last rows of the pivoted dense factor are
 * left out. The choice is kept from step to step. Each step proves that these rows depend and the
 * others do not, see selfstress.c.
 */
#include "../system_private.h"

#include <math.h>
#include <string.h>

ksStatus ksiChooseDependent(ksSystem *system, ksiFactor *f)
{
    f->choiceOf = 0;
    f->dependentCount = 0;
    f->areEarlier = 1;
    KSI_TRY(ksiIntsReserve(&system->allocator, &f->isDependent, (size_t)f->rows));
    KSI_TRY(ksiGaussFindLost(system, system->rankTolerance * system->rankTolerance, f->isDependent));
    for (int l = 0; l < f->rows; l++) {
        f->isDependent[l] &= f->kind[l] == KSI_ROW_RIGID;
        f->dependentCount += f->isDependent[l];
    }
    return KS_OK;
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

ksStatus ksiChooseLast(ksSystem *system, ksiFactor *f)
{
    f->areEarlier = 0;
    f->choiceOf = 0;
    f->dependentCount = f->columns - f->rank;
    KSI_TRY(ksiIntsReserve(&system->allocator, &f->isDependent, (size_t)f->rows));
    memset(f->isDependent, 0, (size_t)f->rows * sizeof(int));
    for (int p = f->rank; p < f->columns; p++)
        f->isDependent[f->row[f->pivot[p] - 1]] = 1;
    return KS_OK;
}
