/* dependent.c  Chooses which redundant rows to leave out, without singular values.
 *
 * The factorisation of the range-space route takes all rows, without exchanges. A row takes no
 * pivot if earlier rows leave less of it than the rank tolerance (Heath 1982). It depends on rows
 * that are eliminated no later than its own front, so its self-stress stays below that front. If a
 * singular value is still in doubt, its singular vector selects one more row (Chan 1987). If a
 * singular value decomposition has decided the rank, its self-stresses select the rows. The choice
 * is kept from step to step. Each step proves anew that these rows depend and the others do not,
 * see selfstress.c.
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
