/* stress.c  Self-stresses of an island, B n = 0, from its redundant rows: see core.h.
 *
 * Each such row r has one, which loads rows that were eliminated before it and no body above:
 *
 *     n = (-A^-1 a, 1),      a its column of A = B^T B over the rows before
 *
 * The basis is made orthonormal in unit rows d_l n_l of the kinematic metric, d_l = |sqrt(m) b_l|, by Cholesky's factor of its
 * Gram matrix, twice. Rank and self-stresses are checked by the motion B n, which no number of the factor enters.
 */
#include "kernel.h"

#include "../base/error.h"
#include "../linear/cholesky.h"

#include <math.h>
#include <string.h>

/* Parts of a unit self-stress that are rounding: without them those of one loop load no row of another, and the basis stays sparse. */
static const double negligible = 1e-13;

/* Rows of the basis that belong to a constraint. */
static double *rowsOf(const ksiCore *core, const ksiConstraint *c, int l)
{
    const int place = core->place.at[c->joint];
    const int index = place < 0 ? core->links - 1 - place : place;
    return core->stress + (KSI_CORE_ROWS * (size_t)index + (size_t)l) * (size_t)core->stride;
}

/* Links, then closings by the order of elimination; those without a joint have no rows. */
static ksiConstraint *constraintAt(const ksiCore *core, int index)
{
    return index < core->links ? &core->link[index].joint : &core->closing[index - core->links].joint;
}

static int countBits(unsigned bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* d_l */
static double unitOf(const ksiConstraint *c, int l)
{
    return sqrt(c->unit2[l]);
}

/* d_l x, but for what is negligible. */
static void dropRounding(double unit, double *x)
{
    for (int s = 0; s < 4; s++)
        x[s] = fabs(unit * x[s]) > negligible ? x[s] : 0;
}

/* Are these four zero in all rows of a constraint? */
static bool areZero(const ksiCore *core, const ksiConstraint *c, int four)
{
    ksiFourBits any = {0};
    for (int l = 0; l < c->rows; l++)
        any |= (ksiFourBits)(*(const ksiFour *)(rowsOf(core, c, l) + four) != 0);
    return !(any[0] | any[1] | any[2] | any[3]);
}

/* Four self-stresses of a constraint from those of the closings that it is coupled with. first: number of its own first one */
KSI_CLONES
static void findFour(const ksiCore *core, const ksiConstraint *c, int first, int four)
{
    ksiFour x[6];
    int own = first + countBits(c->dependent);
    for (int l = 0; l < c->rows; l++)
        x[l] = (ksiFour){0};
    for (int q = c->coupling; q < c->end; q++) {
        const ksiConstraint *closing = &core->closing[core->coupling[q].closing].joint;
        for (int m = 0; m < closing->rows; m++) {
            const ksiFour n = *(const ksiFour *)(rowsOf(core, closing, m) + four);
            for (int l = 0; l < c->rows; l++)
                x[l] -= core->coupling[q].rows[l].at[m] * n;
        }
    }
    for (int j = c->rows; j-- > 0;) {
        for (int i = j + 1; i < c->rows; i++)
            x[j] -= c->pivot[j].at[i] * x[i];
        x[j] *= c->pivotInverse[j];
        if (c->dependent >> j & 1u && --own >= four && own < four + 4)
            x[j][own - four] = 1;
        *(ksiFour *)(rowsOf(core, c, j) + four) = x[j];
        dropRounding(unitOf(c, j), rowsOf(core, c, j) + four);
    }
}

/* The basis as it is found; then in units d_l. isLoaded [closings]: by these four. */
static void findBasis(const ksiCore *core, int *isLoaded)
{
    const int count = core->links + core->closings;
    memset(core->stress, 0, KSI_CORE_ROWS * (size_t)count * (size_t)core->stride * sizeof *core->stress);
    for (int four = 0; four < core->stresses; four += 4) {
        int first = core->stresses;
        for (int i = count; i-- > 0;) {
            const ksiConstraint *c = constraintAt(core, i);
            const int end = first;
            first -= countBits(c->dependent);
            bool isCoupled = first < four + 4 && end > four;
            for (int q = c->coupling; q < c->end; q++)
                isCoupled |= isLoaded[core->coupling[q].closing];
            if (isCoupled)
                findFour(core, c, first, four);
            if (i >= core->links)
                isLoaded[i - core->links] = isCoupled && !areZero(core, c, four);
        }
    }
    for (int i = 0; i < count; i++) {
        const ksiConstraint *c = constraintAt(core, i);
        for (int l = 0; l < c->rows; l++) {
            double *x = rowsOf(core, c, l);
            const double unit = unitOf(c, l);
            for (int s = 0; s < core->stride; s++)
                x[s] *= unit;
        }
    }
}

/* One after the last number that is not zero, of `end`. */
static int lastOf(const double *x, int end)
{
    while (end > 0 && x[end - 1] == 0)
        end--;
    return end;
}

/* Lower triangle of N^T N, column by column. */
KSI_CLONES
static void findGram(ksiCore *core)
{
    const int n = core->stresses;
    memset(core->gram, 0, (size_t)n * (size_t)n * sizeof *core->gram);
    for (int i = 0; i < core->links + core->closings; i++)
        for (int l = 0; l < constraintAt(core, i)->rows; l++) {
            const double *x = rowsOf(core, constraintAt(core, i), l);
            const int end = lastOf(x, n);
            for (int s = 0; s < end; s++)
                if (x[s] != 0)
                    ksiAddMany(end - s, x[s], x + s, core->gram + (size_t)s * (size_t)n + s);
        }
}

/* N := N L^-T, N^T N = L L^T */
KSI_CLONES
static ksStatus makeOrthonormal(ksiCore *core)
{
    const int n = core->stresses;
    int *end = core->work.at;
    findGram(core);
    if (!ksiFactorPositive(n, core->gram))
        return KS_ERROR_SINGULAR;
    for (int s = 0; s < n; s++)
        end[s] = lastOf(core->gram + (size_t)s * (size_t)n, n);
    for (int i = 0; i < core->links + core->closings; i++)
        for (int l = 0; l < constraintAt(core, i)->rows; l++) {
            double *x = rowsOf(core, constraintAt(core, i), l);
            int last = lastOf(x, n);
            for (int s = 0; s < last; s++) {
                if (x[s] == 0)
                    continue;
                const double *column = core->gram + (size_t)s * (size_t)n;
                x[s] = fabs(x[s]) > negligible * column[s] ? x[s] / column[s] : 0;
                if (x[s] == 0)
                    continue;
                ksiAddMany(end[s] - 1 - s, -x[s], column + s + 1, x + s + 1);
                last = end[s] > last ? end[s] : last;
            }
        }
    return KS_OK;
}

/* |sqrt(m) B n|, the largest of all. */
static double largestMotion(ksiCore *core)
{
    double most = 0;
    for (int four = 0; four < core->stresses; four += 4) {
        ksiFour sum = {0};
        for (int i = 0; i < core->links; i++)
            memset(core->link[i].g, 0, sizeof core->link[i].g);
        for (int i = 0; i < core->links + core->closings; i++) {
            const ksiConstraint *c = constraintAt(core, i);
            if (areZero(core, c, four))
                continue;
            ksiFour n[6];
            for (int l = 0; l < c->rows; l++)
                n[l] = *(const ksiFour *)(rowsOf(core, c, l) + four) / unitOf(c, l);
#define MOVE(ROWS) addReaction(ROWS, core, c, n, 1)
            KSI_CORE_BY_ROWS(c->rows, MOVE)
        }
        for (int i = 0; i < core->links; i++)
            addSquares(core->link[i].g, core->link[i].weight2, &sum);
        for (int s = 0; s < 4; s++)
            most = ksiLarger(most, sum[s]);
    }
    return sqrt(most);
}

ksStatus ksiCoreStress(ksiCore *core, double *motion)
{
    const int count = core->links + core->closings;
    core->stresses = 0;
    for (int i = 0; i < count; i++)
        core->stresses += countBits(constraintAt(core, i)->dependent);
    *motion = 0;
    core->stride = (core->stresses + 3) / 4 * 4;
    if (core->stresses == 0)
        return KS_OK;
    const size_t n = (size_t)core->stresses;
    KSI_TRY(ksiReserve(&core->allocator, &core->work.at, &core->work.capacity, n + (size_t)core->closings,
                       sizeof *core->work.at));
    KSI_TRY(ksiReserve(&core->allocator, &core->gram, &core->gramCapacity, n * n, sizeof *core->gram));
    KSI_TRY(ksiReserve(&core->allocator, &core->stress, &core->stressCapacity,
                       KSI_CORE_ROWS * (size_t)count * (size_t)core->stride, sizeof *core->stress));
    findBasis(core, core->work.at);
    KSI_TRY(makeOrthonormal(core));
    KSI_TRY(makeOrthonormal(core));
    *motion = largestMotion(core);
    return KS_OK;
}

void ksiCoreProject(ksiCore *core, int column, const double (*reference)[KSI_CORE_ROWS])
{
    const int n = core->stresses, count = core->links + core->closings;
    if (n == 0)
        return;
    double *sum = core->gram;
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int i = 0; i < count; i++) {
        const ksiConstraint *c = constraintAt(core, i);
        for (int l = 0; l < c->rows; l++)
            ksiAddMany(n, unitOf(c, l) * ((reference ? reference[c->joint][l] : 0) - c->lambda[l][column]),
                       rowsOf(core, c, l), sum);
    }
    for (int i = 0; i < count; i++) {
        ksiConstraint *c = constraintAt(core, i);
        for (int l = 0; l < c->rows; l++)
            c->lambda[l][column] += ksiDotMany(n, rowsOf(core, c, l), sum) / unitOf(c, l);
    }
}

unsigned ksiCoreUndetermined(const ksiCore *core, int joint, double noise)
{
    const ksiConstraint *c = ksiCoreConstraint(core, joint);
    unsigned found = 0;
    for (int l = 0; core->stresses > 0 && l < c->rows; l++) {
        const double *n = rowsOf(core, c, l);
        if (ksiDotMany(core->stresses, n, n) > noise * noise)
            found |= 1u << l;
    }
    return found;
}
