/* gram.c  Factors the Gram matrix G = N^T N of self-stresses by groups, as L D L^T, and finds G^-1
 * at the entries of the factor.
 *
 * Groups are in the order in which their constraints were eliminated, links first. Two groups are
 * coupled if they load the same constraint. A self-stress loads a path through the tree, so the
 * groups have the pattern of the closings. This pattern determined the order.
 */
#include "kernel.h"
#include "plan.h"

#include "../base/error.h"

#include <string.h>

/* Lists the groups that load each constraint. */
static void findLoads(const ksiCore *core, ksiSets *loads)
{
    const int count = core->links + core->closings;
    int fill = 0;
    for (int i = 0; i < count; i++) {
        const ksiConstraint *c = ksiCoreAt(core, i);
        loads->start[i] = fill;
        for (int p = c->part; p < c->partEnd; p++)
            loads->list[fill++] = core->part[p].group;
    }
    loads->start[count] = fill;
}

static ksStatus findPairs(ksiCore *core, const ksiSets *loads, ksiSets *loadedBy)
{
    int *start = loadedBy->list + core->parts, *scratch = start + core->groups + 1;
    ksiTransposeSets(core->links + core->closings, loads, core->groups, loadedBy);
    KSI_TRY(ksiEliminateSets(&core->allocator, core->groups, loads, loadedBy, start, &core->later, scratch));
    const int pairs = start[core->groups];
    KSI_TRY(ksiReserve(&core->allocator, &core->stressPair, &core->stressPairCapacity, (size_t)pairs,
                       sizeof *core->stressPair));
    for (int q = 0; q < pairs; q++)
        core->stressPair[q].group = core->later.at[q];
    for (int g = 0; g < core->groups; g++) {
        core->group[g].pair = start[g];
        core->group[g].end = start[g + 1];
    }
    return KS_OK;
}

/* Finds the pairs, or reuses them if the same groups load the constraints as in the last call. */
static ksStatus findPattern(ksiCore *core)
{
    const size_t count = (size_t)core->links + (size_t)core->closings, parts = (size_t)core->parts,
                 groups = (size_t)core->groups, loads = count + 1 + parts;
    KSI_TRY(ksiIntsGrow(&core->allocator, &core->work, loads + parts + 5 * groups + 3));
    int *work = core->work.at;
    ksiSets now = {work, work + count + 1}, loadedBy = {work + loads, work + loads + groups + 2};
    findLoads(core, &now);
    if ((size_t)core->loads == loads && !memcmp(core->loaded.at, work, loads * sizeof *work))
        return KS_OK;
    core->loads = 0;
    KSI_TRY(ksiIntsGrow(&core->allocator, &core->loaded, loads));
    const ksStatus status = findPairs(core, &now, &loadedBy);
    if (!status) {
        memcpy(core->loaded.at, work, loads * sizeof *work);
        core->loads = (int)loads;
    }
    return status;
}

/* The pair of a group with a later group. */
static ksiCorePair *find(const ksiCore *core, int group, int later)
{
    int first = core->group[group].pair, end = core->group[group].end;
    while (end - first > 1) {
        const int middle = first + (end - first) / 2;
        *(core->stressPair[middle].group > later ? &end : &first) = middle;
    }
    return &core->stressPair[first];
}

/* Adds the product of two parts. Most groups have at most four self-stresses. */
KSI_INLINE void addBlock(const ksiCore *core, const ksiCorePart *a, const ksiCorePart *b, ksiEight *sum)
{
    if (core->group[a->group].count > 4 || core->group[b->group].count > 4)
        addProduct(6, 6, 8, 1, a->n, b->n, sum);
    else
        addProduct(6, 4, 4, 1, a->n, b->n, sum);
}

KSI_CLONES
static void findGram(ksiCore *core)
{
    core->isNarrow = true;
    for (ksiCoreGroup *group = core->group; group < core->group + core->groups; group++) {
        core->isNarrow &= group->count <= 4;
        clearBlock(group->pivot);
        clearBlock(group->inverse);
        for (int q = group->pair; q < group->end; q++)
            clearBlock(core->stressPair[q].rows);
    }
    for (int i = 0; i < core->links + core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(core, i);
        for (int p = c->part; p < c->partEnd; p++) {
            const ksiCorePart *a = &core->part[p];
            addBlock(core, a, a, core->group[a->group].pivot);
            for (int q = p + 1; q < c->partEnd; q++) {
                const ksiCorePart *b = &core->part[q];
                if (a->group < b->group)
                    addBlock(core, a, b, find(core, a->group, b->group)->rows);
                else
                    addBlock(core, b, a, find(core, b->group, a->group)->rows);
            }
        }
    }
}

/* Stored numbers in a row of a block with SIZE columns. */
#define COLUMNS(SIZE) ((SIZE) > 4 ? 8 : 4)

/* The pair of a group with the later group `later`, at or after `pair` in the sorted list. */
KSI_INLINE ksiCorePair *next(ksiCorePair *pair, int later)
{
    while (pair->group < later)
        pair++;
    return pair;
}

/* Eliminates a group. Until ksiCoreInvertGram, `inverse` of a pair is D^-1 times its rows. */
KSI_INLINE void eliminate(const int SIZE, ksiCore *core, const ksiCoreGroup *group)
{
    if (group->pair == group->end)
        return;  // without pairs there may be no array
    ksiCorePair *const first = &core->stressPair[group->pair], *const end = &core->stressPair[group->end];
    for (ksiCorePair *q = first; q < end; q++) {
        substituteEight(SIZE, COLUMNS(SIZE), group->pivot, group->pivotInverse, q->rows, q->rows, q->inverse);
        addSquare(SIZE, SIZE, -1, q->rows, q->inverse, core->group[q->group].pivot);
    }
    for (const ksiCorePair *r = first; r < end; r++) {
        ksiCorePair *sum = &core->stressPair[core->group[r->group].pair];
        for (const ksiCorePair *q = r + 1; q < end; q++) {
            sum = next(sum, q->group);
            addProduct(SIZE, SIZE, COLUMNS(SIZE), -1, r->rows, q->inverse, sum->rows);
        }
    }
}

KSI_INLINE bool factorGroups(const int SIZE, ksiCore *core)
{
    static const double none[8] = {0};
    for (ksiCoreGroup *group = core->group; group < core->group + core->groups; group++) {
        EACH (s, 0, 6) {
            group->size2[s] = group->pivot[s].at[s];
            group->pivotInverse[s] = 0;
        }
        if (factorEight(SIZE, group->pivot, group->pivotInverse, none) & ((1u << group->count) - 1))
            return false;
        eliminate(SIZE, core, group);
    }
    return true;
}

KSI_CLONES
static bool factor(ksiCore *core)
{
    return core->isNarrow ? factorGroups(4, core) : factorGroups(6, core);
}

const ksiEight *ksiCoreGramInverse(const ksiCore *core, int g, int h, ksiEight *transposed)
{
    if (g == h)
        return core->group[g].inverse;
    if (g < h)
        return find(core, g, h)->inverse;
    transposeEight(6, 6, find(core, h, g)->inverse, transposed);
    return transposed;
}

/* Sets `inverse` of each pair of a group to -E Z_uh, where h is the later group of the pair. */
KSI_INLINE void addLater(const int SIZE, ksiCore *core, const ksiCoreGroup *group)
{
    if (group->pair == group->end)
        return;  // without pairs there may be no array
    ksiCorePair *const first = &core->stressPair[group->pair], *const end = &core->stressPair[group->end];
    for (ksiCorePair *r = first; r < end; r++)
        clearBlock(r->inverse);
    for (ksiCorePair *r = first; r < end; r++) {
        const ksiCoreGroup *later = &core->group[r->group];
        ksiCorePair *of = &core->stressPair[later->pair];
        multiply(SIZE, SIZE, COLUMNS(SIZE), -1, r->rows, later->inverse, r->inverse);
        for (ksiCorePair *q = r + 1; q < end; q++) {
            ksiEight turned[6];
            of = next(of, q->group);
            transposeEight(SIZE, SIZE, of->inverse, turned);
            multiply(SIZE, SIZE, COLUMNS(SIZE), -1, q->rows, turned, r->inverse);
            multiply(SIZE, SIZE, COLUMNS(SIZE), -1, r->rows, of->inverse, q->inverse);
        }
    }
}

/* Takahashi's recursion, as in inverse.c: Z_gh = -G_gg^-1 E Z_uh, Z_gg = G_gg^-1 (1 - E Z_ug). */
KSI_INLINE void invertGroups(const int SIZE, ksiCore *core)
{
    for (int g = core->groups; g-- > 0;) {
        ksiCoreGroup *group = &core->group[g];
        ksiEight sum[6], turned[6];
        clearBlock(sum);
        addLater(SIZE, core, group);
        for (int q = group->pair; q < group->end; q++) {
            ksiCorePair *pair = &core->stressPair[q];
            substituteBack(SIZE, COLUMNS(SIZE), group->pivot, group->pivotInverse, pair->inverse);
            transposeEight(SIZE, SIZE, pair->inverse, turned);
            multiply(SIZE, SIZE, SIZE, -1, pair->rows, turned, sum);
        }
        finishBlock(SIZE, group->pivot, group->pivotInverse, sum, group->inverse);
    }
}

KSI_CLONES
void ksiCoreInvertGram(ksiCore *core)
{
    if (core->isNarrow)
        invertGroups(4, core);
    else
        invertGroups(6, core);
}

ksStatus ksiCoreGram(ksiCore *core)
{
    KSI_TRY(findPattern(core));
    findGram(core);
    return factor(core) ? KS_OK : KS_ERROR_SINGULAR;
}

KSI_INLINE void solveGroups(const int SIZE, ksiCore *core)
{
    for (int g = 0; g < core->groups; g++) {
        ksiCoreGroup *group = &core->group[g];
        ksiEight x = group->x;
        EACH (j, 0, SIZE) {
            const double s = x.at[j] * group->pivotInverse[j];
            EACH (i, j + 1, SIZE)
                x.at[i] -= s * group->pivot[j].at[i];
            for (int q = group->pair; q < group->end; q++)
                addEight(COLUMNS(SIZE), &core->group[core->stressPair[q].group].x, -s, &core->stressPair[q].rows[j]);
        }
        group->x = x;
    }
    for (int g = core->groups; g-- > 0;) {
        ksiCoreGroup *group = &core->group[g];
        ksiEight x = group->x;
        EACH_DOWN (j, 0, SIZE) {
            for (int q = group->pair; q < group->end; q++)
                x.at[j] -= dotEight(&core->stressPair[q].rows[j], &core->group[core->stressPair[q].group].x);
            EACH (i, j + 1, SIZE)
                x.at[j] -= group->pivot[j].at[i] * x.at[i];
            x.at[j] *= group->pivotInverse[j];
        }
        group->x = x;
    }
}

KSI_CLONES
void ksiCoreSolveGram(ksiCore *core)
{
    if (core->isNarrow)
        solveGroups(4, core);
    else
        solveGroups(6, core);
}
