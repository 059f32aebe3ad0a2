/* stress.c  Finds the self-stresses of an island, B n = 0, from its redundant rows: see core.h.
 *
 * Each redundant row `r` has one self-stress. It loads rows eliminated before `r`, and no body
 * above. If the column of `r` in A = B^T B is `a`, over the rows before, then
 *
 *     n = (-A^-1 a, 1)
 *
 * The matrix `N` stores the self-stresses for rows of unit length in the kinematic metric, as
 * d_l n_l / d_r with d_l = |sqrt(m) b_l|. So its numbers have no unit. N is not made orthonormal,
 * because that would spread each self-stress over all others that share a row with it. The
 * projection is N (N^T N)^-1 N^T, with the factor of gram.c. The motion B n, computed without the
 * factor, checks rank and self-stresses.
 */
#include "kernel.h"
#include "plan.h"

#include "../base/error.h"

#include <math.h>
#include <string.h>

/* Elements below this are rounding, relative to the 1 in row r. Clearing them keeps the
 * self-stresses of one loop out of the rows of others. */
static const double negligible = 1e-13;

static int countBits(unsigned bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static void beginPart(ksiCore *core, ksiConstraint *c, int group, int *slot)
{
    ksiCorePart *part = &core->part[core->parts];
    memset(part, 0, sizeof *part);
    part->group = group;
    part->constraint = c;
    slot[group] = core->parts++;
}

/* Begins the parts of a constraint: for its redundant rows, and for the parts of closings that are
 * coupled with it. */
KSI_CLONES
static void gather(ksiCore *core, ksiConstraint *c, int *slot)
{
    if (c->dependent)
        beginPart(core, c, c->group, slot);
    for (int q = c->coupling; q < c->end; q++) {
        const ksiCoupling *a = &core->coupling[q];
        const ksiConstraint *closing = &core->closing[a->closing].joint;
        for (int p = closing->part; p < closing->partEnd; p++) {
            const int group = core->part[p].group;
            if (slot[group] < 0)
                beginPart(core, c, group, slot);
            if (core->group[group].count > 4)
                multiply(6, 6, 8, -1, a->rows, core->part[p].n, core->part[slot[group]].n);
            else
                multiply(6, 6, 4, -1, a->rows, core->part[p].n, core->part[slot[group]].n);
        }
    }
}

/* Computes the multipliers of a part from the right-hand side of its closings. False: all
 * multipliers are rounding. */
KSI_CLONES
static bool finishPart(const ksiConstraint *c, bool isOwn, ksiCorePart *part)
{
    ksiEight n[6];
    ksiFourBits any = {0};
    int own = countBits(c->dependent);
    copyEight(6, part->n, n);
    EACH_DOWN (j, 0, 6) {
        EACH (i, j + 1, 6)
            addEight(8, &n[j], -c->pivot[j].at[i], &n[i]);
        EACH (v, 0, 2)
            n[j].half[v] *= c->pivotInverse[j];
        if (isOwn && c->dependent >> j & 1u)
            n[j].at[--own] = 1 / c->unit[j];
        EACH (v, 0, 2) {
            const ksiFour size = c->unit[j] * n[j].half[v];
            const ksiFourBits is = (ksiFourBits)(size > negligible) | (ksiFourBits)(size < -negligible);
            part->n[j].half[v] = (ksiFour)((ksiFourBits)n[j].half[v] & is);
            any |= is;
        }
    }
    return any[0] | any[1] | any[2] | any[3];
}

/* Finds the self-stresses that load a constraint. The closings coupled with it have their parts
 * already. slot [groups]: -1 */
static ksStatus load(ksiCore *core, ksiConstraint *c, int *slot)
{
    int most = c->dependent != 0;
    c->part = c->partEnd = core->parts;
    for (int q = c->coupling; q < c->end && most < core->groups; q++) {
        const ksiConstraint *closing = &core->closing[core->coupling[q].closing].joint;
        most += closing->partEnd - closing->part;
    }
    if (most == 0)
        return KS_OK;
    most = most < core->groups ? most : core->groups;
    KSI_TRY(ksiReserve(&core->allocator, &core->part, &core->partCapacity, (size_t)core->parts + (size_t)most,
                       sizeof *core->part));
    gather(core, c, slot);
    for (int p = c->part; p < core->parts; p++) {
        ksiCorePart *part = &core->part[p], *kept = &core->part[c->partEnd];
        ksiCoreGroup *group = &core->group[part->group];
        slot[part->group] = -1;
        if (!finishPart(c, c->dependent && part->group == c->group, part))
            continue;
        if (kept != part)
            *kept = *part;
        kept->next = group->part;
        group->part = c->partEnd++;
    }
    core->parts = c->partEnd;
    return KS_OK;
}

/* Finds N, by groups in the order of elimination. */
static ksStatus findBasis(ksiCore *core)
{
    const int count = core->links + core->closings;
    KSI_TRY(
        ksiReserve(&core->allocator, &core->group, &core->groupCapacity, (size_t)core->groups, sizeof *core->group));
    KSI_TRY(ksiIntsGrow(&core->allocator, &core->work, (size_t)core->groups));
    for (int i = 0, g = 0; i < count; i++) {
        ksiConstraint *c = ksiCoreAt(core, i);
        if (!c->dependent)
            continue;
        core->group[g].count = countBits(c->dependent);
        core->group[g].part = core->work.at[g] = -1;
        c->group = g++;
    }
    core->parts = 0;
    for (int i = count; i-- > 0;)
        KSI_TRY(load(core, ksiCoreAt(core, i), core->work.at));
    for (int p = 0; p < core->parts; p++) {
        ksiCorePart *part = &core->part[p];
        for (int l = 0; l < part->constraint->rows; l++)
            scaleEight(8, part->constraint->unit[l], &part->n[l], &part->n[l]);
    }
    return KS_OK;
}

#define EACH_PART(core, of, p) for (int p = (of)->part; p >= 0; p = (core)->part[p].next)

/* The kinematic metric of N, or the mass metric of the equations. */
typedef enum Metric { KINEMATIC, MASS } Metric;

/* Adds m |g|^2 of a link, or |g|^2 in the mass metric; clears g, so that each link counts once. */
static void takeMotion(ksiCore *core, int link, Metric metric, ksiFour *sum)
{
    if (link < 0)
        return;
    addSquares(core->link[link].g, metric == MASS ? 1 : core->link[link].weight2, sum);
    memset(core->link[link].g, 0, sizeof core->link[link].g);
}

/* |sqrt(m) B n|^2 of each self-stress of a group, or |B n|^2 in the mass metric. */
KSI_INLINE void findMotion(ksiCore *core, const ksiCoreGroup *group, Metric metric, ksiFour *square)
{
    for (int v = 0; v < (group->count + 3) / 4; v++) {
        square[v] = (ksiFour){0};
        EACH_PART(core, group, p)
        {
            const ksiConstraint *c = core->part[p].constraint;
            ksiFour n[KSI_CORE_ROWS];
            for (int l = 0; l < c->rows; l++)
                n[l] = core->part[p].n[l].half[v] / c->unit[l];
#define MOVE(ROWS) addReaction(ROWS, core, c, n, 1)
            KSI_CORE_BY_ROWS(c->rows, MOVE)
        }
        EACH_PART(core, group, p)
        {
            takeMotion(core, core->part[p].constraint->body, metric, &square[v]);
            takeMotion(core, core->part[p].constraint->partner, metric, &square[v]);
        }
    }
}

/* |B N z| <= |B N| |z|, |z|^2 <= tr (N^T N)^-1 |N z|^2, both with columns divided by the roots of
 * size2. */
KSI_CLONES
static void findLargest(ksiCore *core, Metric metric, ksiCoreMotion *motion)
{
    double sum = 0, trace = 0;
    for (int i = 0; i < core->links; i++)
        memset(core->link[i].g, 0, sizeof core->link[i].g);
    for (const ksiCoreGroup *group = core->group; group < core->group + core->groups; group++) {
        ksiFour square[2];
        findMotion(core, group, metric, square);
        for (int s = 0; s < group->count; s++) {
            const double own = group->inverse[s].at[s];
            motion->one = ksiLarger(motion->one, square[s / 4][s % 4] * own);
            sum += square[s / 4][s % 4] / group->size2[s];
            trace += group->size2[s] * own;
        }
    }
    motion->one = sqrt(motion->one);
    motion->any = sqrt(sum * trace);
}

ksStatus ksiCoreStress(ksiCore *core, ksiCoreMotion *motion)
{
    int stresses = 0;
    core->stresses = core->groups = 0;
    *motion = (ksiCoreMotion){0};
    for (int i = 0; i < core->links + core->closings; i++) {
        const int own = countBits(ksiCoreAt(core, i)->dependent);
        stresses += own;
        core->groups += own > 0;
    }
    if (stresses == 0)
        return KS_OK;
    KSI_TRY(findBasis(core));
    KSI_TRY(ksiCoreGram(core));
    ksiCoreInvertGram(core);
    core->stresses = stresses;
    findLargest(core, KINEMATIC, motion);
    return KS_OK;
}

ksStatus ksiCoreRefineStress(ksiCore *core, ksiCoreMotion *motion)
{
    const int stresses = core->stresses;
    core->stresses = 0;
    *motion = (ksiCoreMotion){0};
    if (stresses == 0)
        return KS_OK;
    KSI_TRY(ksiCoreStop(core));
    KSI_TRY(ksiCoreGram(core));
    ksiCoreInvertGram(core);
    core->stresses = stresses;
    findLargest(core, KINEMATIC, motion);
    return KS_OK;
}

double ksiCoreStressedMotion(ksiCore *core)
{
    ksiCoreMotion motion = {0};
    double most = 0;
    if (core->stresses == 0)
        return 0;
    findLargest(core, MASS, &motion);
    // if a self-stress has unit length in the mass metric, its length in the kinematic metric is at
    // most the root of this ratio
    for (const ksiCorePart *part = core->part; part < core->part + core->parts; part++)
        for (int l = 0; l < part->constraint->rows; l++)
            most = ksiLarger(most, part->constraint->unit2[l] / part->constraint->length2[l]);
    return motion.any * sqrt(most);
}

/* Adds, for each group, a part with all rows of a constraint. u: the values of its first row. */
static void takeParts(ksiCore *core, ksiConstraint *c, int wide, const double *u)
{
    c->part = core->parts;
    for (int g = 0; c->rows > 0 && g < core->groups; g++) {
        ksiCoreGroup *group = &core->group[g];
        ksiCorePart *part = &core->part[core->parts];
        *part = (ksiCorePart){.group = g, .next = group->part, .constraint = c};
        group->part = core->parts++;
        for (int l = 0; l < c->rows; l++)
            memcpy(part->n[l].at, u + l * wide + 6 * g, (size_t)group->count * sizeof *u);
    }
    c->partEnd = core->parts;
}

/* Subtracts from `other` the multiple of `pivot` that would make element s of `other` zero. Changes
 * only elements from `from` on, and not element s. */
KSI_INLINE void takeOutOf(int from, int wide, int s, const double *pivot, double *other)
{
    const double kept = other[s], times = other == pivot ? 0 : kept / pivot[s];
    for (int t = from / 4 * 4; times != 0 && t < wide; t += 4)
        *(ksiFour *)(other + t) -= times * *(const ksiFour *)(pivot + t);
    other[s] = kept;
}

KSI_CLONES
void ksiCoreChooseRedundant(ksiCore *core, int stresses, int wide, bool isEach, double *u)
{
    const int count = core->links + core->closings;
    for (int i = 0; i < count; i++)
        ksiCoreAt(core, i)->redundant = 0;
    for (int s = 0; s < stresses; s++) {
        ksiConstraint *best = NULL;
        const double *pivot = NULL;
        double *row = u;
        int at = 0;
        for (int i = 0; i < count; i++) {
            ksiConstraint *c = ksiCoreAt(core, i);
            for (int l = 0; l < c->rows; l++, row += wide)
                if (!(c->redundant >> l & 1u) && (!pivot || fabs(row[s]) > fabs(pivot[s])))
                    best = c, pivot = row, at = l;
        }
        if (!best || pivot[s] == 0)
            return;
        best->redundant |= 1u << at;
        for (double *other = u; other < row; other += wide)
            takeOutOf(isEach ? 0 : s, wide, s, pivot, other);
        for (int t = 0; t < stresses; t++)
            if (t != s)
                u[pivot - u + t] = 0;
    }
}

ksStatus ksiCoreTakeStresses(ksiCore *core, int stresses, int wide, double *u)
{
    const int count = core->links + core->closings;
    core->stresses = core->parts = 0;
    core->groups = (stresses + 5) / 6;
    if (stresses == 0)
        return KS_OK;
    KSI_TRY(
        ksiReserve(&core->allocator, &core->group, &core->groupCapacity, (size_t)core->groups, sizeof *core->group));
    KSI_TRY(ksiReserve(&core->allocator, &core->part, &core->partCapacity, (size_t)count * (size_t)core->groups,
                       sizeof *core->part));
    for (int g = 0; g < core->groups; g++) {
        core->group[g].count = stresses - 6 * g < 6 ? stresses - 6 * g : 6;
        core->group[g].part = -1;
    }
    const double *of = u;
    for (int i = 0; i < count; of += (size_t)ksiCoreAt(core, i++)->rows * (size_t)wide)
        takeParts(core, ksiCoreAt(core, i), wide, of);
    ksiCoreChooseRedundant(core, stresses, wide, false, u);
    KSI_TRY(ksiCoreGram(core));
    ksiCoreInvertGram(core);
    core->stresses = stresses;
    return KS_OK;
}

/* lambda += N (N^T N)^-1 N^T (reference - lambda) */
KSI_CLONES
static void project(ksiCore *core, int column, const double (*reference)[KSI_CORE_ROWS])
{
    for (int g = 0; g < core->groups; g++)
        clearEight(&core->group[g].x);
    for (const ksiCorePart *part = core->part; part < core->part + core->parts; part++) {
        const ksiConstraint *c = part->constraint;
        for (int l = 0; l < c->rows; l++)
            addEight(8, &core->group[part->group].x,
                     c->unit[l] * ((reference ? reference[c->joint][l] : 0) - c->lambda[l][column]), &part->n[l]);
    }
    ksiCoreSolveGram(core);
    for (const ksiCorePart *part = core->part; part < core->part + core->parts; part++) {
        ksiConstraint *c = part->constraint;
        for (int l = 0; l < c->rows; l++)
            c->lambda[l][column] += dotEight(&part->n[l], &core->group[part->group].x) / c->unit[l];
    }
}

void ksiCoreTakeOut(ksiCore *core, int column)
{
    if (core->stresses > 0)
        project(core, column, NULL);
}

void ksiCoreProject(ksiCore *core, int column, const double (*reference)[KSI_CORE_ROWS])
{
    // N^T N loses digits, which the second pass restores
    for (int pass = 0; core->stresses > 0 && pass < 2; pass++)
        project(core, column, reference);
}

/* shares += a (N^T N)^-1 b^T, and its transpose if a is not b */
KSI_INLINE void addShares(const int STRESSES, const ksiCore *core, const ksiCorePart *a, const ksiCorePart *b,
                          ksiEight *shares)
{
    ksiEight transposed[6], turned[6], columns[6], sum[6];
    EACH (l, 0, 6) {
        clearEight(&turned[l]);
        clearEight(&sum[l]);
    }
    multiply(6, STRESSES, STRESSES, 1, a->n, ksiCoreGramInverse(core, a->group, b->group, transposed), turned);
    transposeEight(6, STRESSES, b->n, columns);
    multiply(6, STRESSES, 6, 1, turned, columns, sum);
    EACH (l, 0, 6)
        addEight(6, &shares[l], 1, &sum[l]);
    if (a == b)
        return;
    transposeEight(6, 6, sum, turned);
    EACH (l, 0, 6)
        addEight(6, &shares[l], 1, &turned[l]);
}

KSI_CLONES
void ksiCoreShares(const ksiCore *core, int joint, ksiEight shares[6])
{
    const ksiConstraint *c = ksiCoreConstraint(core, joint);
    clearBlock(shares);
    for (int p = c->part; core->stresses > 0 && p < c->partEnd; p++)
        for (int q = c->part; q <= p; q++) {
            const ksiCorePart *a = &core->part[p], *b = &core->part[q];
            if (core->group[a->group].count > 4 || core->group[b->group].count > 4)
                addShares(6, core, a, b, shares);
            else
                addShares(4, core, a, b, shares);
        }
}

static void weighPart(const ksiCore *core, ksiCorePart *part, ksiCoreWeigh *weigh, void *of)
{
    const ksiConstraint *c = part->constraint;
    for (int s = 0; s < core->group[part->group].count; s++) {
        double multiplier[KSI_CORE_ROWS] = {0}, weighed[KSI_CORE_ROWS] = {0};
        for (int l = 0; l < c->rows; l++)
            multiplier[l] = part->n[l].at[s] / c->unit[l];
        weigh(of, c->joint, multiplier, weighed);
        for (int l = 0; l < c->rows; l++)
            part->n[l].at[s] = weighed[l];
    }
}

ksStatus ksiCoreTakeOutWeighed(ksiCore *core, ksiCoreWeigh *weigh, void *of, const int *first, double *x)
{
    const int stresses = core->stresses;
    core->stresses = 0;
    if (stresses == 0)
        return KS_OK;
    const ksiCorePart *const end = core->part + core->parts;
    for (ksiCorePart *part = core->part; part < end; part++)
        weighPart(core, part, weigh, of);
    KSI_TRY(ksiCoreGram(core));
    for (int times = 0; times < 2; times++) {
        for (int g = 0; g < core->groups; g++)
            clearEight(&core->group[g].x);
        for (const ksiCorePart *part = core->part; part < end; part++)
            for (int l = 0; l < part->constraint->rows; l++)
                addEight(8, &core->group[part->group].x, x[first[part->constraint->joint] + l], &part->n[l]);
        ksiCoreSolveGram(core);
        for (const ksiCorePart *part = core->part; part < end; part++)
            for (int l = 0; l < part->constraint->rows; l++)
                x[first[part->constraint->joint] + l] -= dotEight(&part->n[l], &core->group[part->group].x);
    }
    return KS_OK;
}
