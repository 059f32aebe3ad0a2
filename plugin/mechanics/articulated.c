/* articulated.c  Factorisation and solution on trees: see articulated.h. */
#include "system_private.h"

#include "../vectorise.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A joint fits where each of its rows keeps this share of its length beside the ones before it, in E with the compliance:
 * semi-normal solutions lose its square. */
#define INDEPENDENT_SHARE 1e-2

/* ... and this share of the whole row. It is small where much hangs on the body beyond the joint: 1e-7 for ten thousand
 * links in a line. No digits are lost by that, rows of X are as long as its inverse. */
#define LEAST_SHARE 1e-9

/* What compliance adds to the square of a pivot is no more than the compliance: without it these stay. */
#define ABOVE_COMPLIANCE 100.0

enum { SIX = KSI_SIX, TALL = 2 * KSI_SIX };

KSI_INLINE void multiply(double *x, double times)
{
    *(ksiFour *)x *= times;
    *(ksiTwo *)(x + 4) *= times;
}

/* Reflects `pivot` and `count` rows below it so that column j of these becomes zero: 1 - gamma u u^T, u = (p - beta; x). Of
 * the columns before j nothing is asked any more: from the fourth on two are enough. */
KSI_INLINE void eliminate(double *pivot, double (*below)[SIX], int count, int j)
{
    // sum of x_i row_i: its own element j is |x|^2. Two sums at a time do not wait for each other
    ksiFour four = {0}, fourth = {0};
    ksiTwo two = {0};
    KSI_UNROLL
    for (int i = 0; i < count; i++) {
        const double x = below[i][j];
        if (j < 4 && i % 2)
            four += x * *(ksiFour *)below[i];
        else if (j < 4)
            fourth += x * *(ksiFour *)below[i];
        two += x * *(ksiTwo *)(below[i] + 4);
    }
    four += fourth;
    const double square = j < 4 ? four[j & 3] : two[j & 1];
    const double p = pivot[j], beta = -copysign(sqrt(p * p + square), p), first = p - beta;
    const double gamma = square > 0 ? -1 / (beta * first) : 0;
    four = gamma * (first * *(ksiFour *)pivot + four);
    two = gamma * (first * *(ksiTwo *)(pivot + 4) + two);
    if (j < 4)
        *(ksiFour *)pivot -= first * four;
    *(ksiTwo *)(pivot + 4) -= first * two;
    KSI_UNROLL
    for (int i = 0; i < count; i++) {
        const double x = below[i][j];
        if (j < 4)
            *(ksiFour *)below[i] -= x * four;
        *(ksiTwo *)(below[i] + 4) -= x * two;
    }
}

/* Without what rounding has left below the diagonal. */
KSI_INLINE void copyUpper(double (*to)[SIX], double (*from)[SIX])
{
    for (int i = 0; i < SIX; i++)
        for (int k = 0; k < SIX; k++)
            to[i][k] = k < i ? 0 : from[i][k];
}

/* Takes `count` rows into the upper triangle. */
KSI_INLINE void absorb(double (*upper)[SIX], double (*below)[SIX], int count)
{
    KSI_UNROLL
    for (int j = 0; j < SIX; j++)
        eliminate(upper[j], below, count, j);
}

/* b_l of one side: where it is, or filled up with zeros in `buffer`. */
KSI_INLINE const double *pieceOf(const ksSystem *system, int row, int side, double buffer[SIX])
{
    const int piece = system->rowPiece.at[row] + side, size = system->blockSize.at[system->pieceBlock.at[piece]];
    const double *entry = system->entry.at + system->pieceEntry.at[piece];
    for (int k = 0; size < SIX && k < SIX; k++)
        buffer[k] = k < size ? entry[k] : 0;
    return size < SIX ? buffer : entry;
}

KSI_INLINE double complianceOf(const ksSystem *system, int row, ksiTreeView view)
{
    const double s = system->compliance.at[row];
    return view == KSI_TREE_REACH || (view == KSI_TREE_RIGID && s <= system->rigidCompliance) ? 0 : s;
}

KSI_INLINE void takeRows(const ksSystem *system, ksiLimb *limb, ksiTreeView view)
{
    const int known = view == KSI_TREE_ALL || view == KSI_TREE_REACH;
    limb->count = 0;
    for (int l = system->fronts.groupRow.at[limb->group]; l < system->fronts.groupRow.at[limb->group + 1]; l++)
        if ((known || !system->rowKnown.at[l]) && system->diagonal.at[l] + complianceOf(system, l, view) > 0)
            limb->row[limb->count++] = l;
}

/* E = U^-T B_c on top, sqrt(S) below. Rows are put together in registers: a row that is read where its elements have just
 * been written one by one would wait for them. */
KSI_INLINE void fillOwn(const ksSystem *system, const ksiLimb *limb, ksiTreeView view, double tall[TALL][SIX])
{
    static const double none[SIX];
    double buffer[SIX][SIX];
    const double *b[SIX];
    KSI_UNROLL
    for (int l = 0; l < SIX; l++) {
        const double root = l < limb->count ? sqrt(complianceOf(system, limb->row[l], view)) : 0;
        b[l] = l < limb->count ? pieceOf(system, limb->row[l], limb->side, buffer[l]) : none;
        *(ksiFour *)tall[SIX + l] =
            (ksiFour){l == 0 ? root : 0, l == 1 ? root : 0, l == 2 ? root : 0, l == 3 ? root : 0};
        *(ksiTwo *)(tall[SIX + l] + 4) = (ksiTwo){l == 4 ? root : 0, l == 5 ? root : 0};
    }
    KSI_UNROLL
    for (int i = 0; i < SIX; i++) {
        *(ksiFour *)tall[i] = (ksiFour){b[0][i], b[1][i], b[2][i], b[3][i]};
        *(ksiTwo *)(tall[i] + 4) = (ksiTwo){b[4][i], b[5][i]};
        for (int m = 0; m < i; m++)
            ksiAddSix(tall[i], -limb->root[m][i], tall[m]);
        multiply(tall[i], limb->rootInverse[i]);
    }
}

/* Do the rigid rows span as many directions in the body beyond the joint alone, whatever hangs on it? By Gram-Schmidt. */
static int independentBeyond(const ksSystem *system, const ksiLimb *limb)
{
    const double tolerance = KSI_SAFE_MARGIN * system->rankTolerance;
    double base[SIX][SIX];
    int count = 0;
    for (int l = 0; l < limb->count; l++) {
        if (system->compliance.at[limb->row[l]] > system->rigidCompliance)
            continue;
        double *x = base[count++], buffer[SIX];
        memcpy(x, pieceOf(system, limb->row[l], limb->side, buffer), SIX * sizeof *x);
        const double whole = ksiDotSix(x, x);
        for (int m = 0; m < count - 1; m++)
            ksiAddSix(x, -ksiDotSix(base[m], x), base[m]);
        const double left = ksiDotSix(x, x);
        if (!(left > tolerance * tolerance * whole))
            return 0;
        multiply(x, 1 / sqrt(left));
    }
    return 1;
}

/* (E; sqrt(S)) = Q R; 0 where the columns come near to depending on each other. *certain becomes 0 where they might do so
 * without the compliance that counts as none, or by the rank tolerance. */
KSI_INLINE int factoriseOwn(const ksSystem *system, ksiLimb *limb, ksiTreeView view, int *certain)
{
    const double tolerance = KSI_SAFE_MARGIN * system->rankTolerance;
    double tall[TALL][SIX], soft = 0;
    int clear = 1;
    fillOwn(system, limb, view, tall);
    memcpy(limb->own, tall, sizeof limb->own);
    for (int l = 0; l < limb->count; l++) {
        const double s = complianceOf(system, limb->row[l], view);
        soft = s <= system->rigidCompliance ? fmax(soft, s) : soft;
    }
    KSI_UNROLL
    for (int j = 0; j < SIX; j++) {
        if (j == limb->count)
            break;
        eliminate(tall[j], tall + j + 1, SIX, j);
        const int l = limb->row[j];
        // a column of R is as long as that of E with the compliance
        double column = 0, square = tall[j][j] * tall[j][j];
        for (int i = 0; i <= j; i++)
            column += tall[i][j] * tall[i][j];
        if (!(square > INDEPENDENT_SHARE * INDEPENDENT_SHARE * column &&
              square > LEAST_SHARE * LEAST_SHARE * system->diagonal.at[l]))
            return 0;
        clear &= square > tolerance * tolerance * column && square > ABOVE_COMPLIANCE * soft;
        limb->rInverse[j] = 1 / tall[j][j];
    }
    copyUpper(limb->r, tall);
    if (!clear)
        *certain &= independentBeyond(system, limb);
    return 1;
}

/* X = R^-T B_p^T, then U of the parent takes it in. */
KSI_INLINE void passUp(const ksSystem *system, ksiLimb *limb, ksiLimb *parent)
{
    double below[SIX][SIX] = {{0}}, buffer[SIX];
    for (int l = 0; l < limb->count; l++) {
        memcpy(below[l], pieceOf(system, limb->row[l], 1 - limb->side, buffer), sizeof below[l]);
        for (int m = 0; m < l; m++)
            ksiAddSix(below[l], -limb->r[m][l], below[m]);
        multiply(below[l], limb->rInverse[l]);
    }
    memcpy(limb->cross, below, sizeof below);
    // balls have three rows, hinges five
    if (limb->count <= 3)
        absorb(parent->root, below, 3);
    else
        absorb(parent->root, below, SIX);
}

KSI_CLONES
static int factorise(const ksSystem *system, ksiTree *tree, ksiTreeView view)
{
    static const double identity[SIX][SIX] = {{1},          {0, 1},          {0, 0, 1},
                                              {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};
    tree->isCertain = 1;
    for (int i = 0; i < tree->limbCount; i++) {
        ksiLimb *limb = &tree->limb[i];
        memcpy(limb->root, identity, sizeof identity);
        limb->count = 0;
    }
    for (int i = tree->limbCount - 1; i >= 0; i--) {
        ksiLimb *limb = &tree->limb[i];
        copyUpper(limb->root, limb->root);
        for (int k = 0; k < SIX; k++)
            limb->rootInverse[k] = 1 / limb->root[k][k];
        if (limb->group < 0)
            continue;
        takeRows(system, limb, view);
        if (!factoriseOwn(system, limb, view, &tree->isCertain))
            return 0;
        if (limb->parent >= 0)
            passUp(system, limb, &tree->limb[limb->parent]);
    }
    return 1;
}

ksStatus ksiTreeGet(ksSystem *system, ksiTreeView view, ksiTree **tree)
{
    ksiTree *found = &system->tree;
    const ksStatus status = ksiTreePattern(system);
    *tree = NULL;
    if (status || !found->isTree)
        return status;
    if (!found->known || found->view != view) {
        found->fits = factorise(system, found, view);
        found->view = view;
        found->known = 1;
    }
    if (found->fits)
        *tree = found;
    return KS_OK;
}

/* From the leaves: what the joint asks of its body, and what it leaves to its parent. g comes as U^T g. */
KSI_INLINE void solveUp(ksiLimb *limb, ksiLimb *parent, const double *beta)
{
    double *g = limb->g, *t = limb->t;
    KSI_UNROLL
    for (int i = 0; i < SIX; i++) {
        const double found = g[i] * limb->rootInverse[i];
        ksiAddSix(g, -found, limb->root[i]);
        g[i] = found;
    }
    memset(t, 0, sizeof limb->t);
    for (int l = 0; l < limb->count; l++)
        t[l] = beta ? beta[limb->row[l]] : 0;
    if (limb->count == 0)
        return;
    KSI_UNROLL
    for (int i = 0; i < SIX; i++)
        ksiAddSix(t, -g[i], limb->own[i]);
    for (int l = 0; l < limb->count; l++) {
        const double found = t[l] * limb->rInverse[l];
        ksiAddSix(t, -found, limb->r[l]);
        t[l] = found;
        if (parent)
            ksiAddSix(parent->g, found, limb->cross[l]);
    }
}

/* From the root: the joint's t, then the multipliers and the body's motion. t is a difference: *rounded takes in the square of
 * what lambda would be without it, *load that of lambda, both in rows of unit length. */
KSI_INLINE void solveDown(const ksSystem *system, ksiLimb *limb, const ksiLimb *parent, double *multiplier,
                          double *rounded, double *load)
{
    double lambda[SIX] = {0}, *y = limb->y;
    for (int l = limb->count - 1; l >= 0; l--) {
        const double part = parent ? ksiDotSix(limb->cross[l], parent->y) : 0;
        const double whole = (fabs(limb->t[l]) + fabs(part)) * limb->rInverse[l];
        double sum = limb->t[l] - part;
        for (int m = l + 1; m < limb->count; m++)
            sum -= limb->r[l][m] * lambda[m];
        multiplier[limb->row[l]] = lambda[l] = sum * limb->rInverse[l];
        const double square = system->diagonal.at[limb->row[l]] + system->compliance.at[limb->row[l]];
        *rounded = fmax(*rounded, square * whole * whole);
        *load = fmax(*load, square * lambda[l] * lambda[l]);
    }
    KSI_UNROLL
    for (int i = 0; i < SIX; i++)
        y[i] = limb->g[i] + (limb->count > 0 ? ksiDotSix(limb->own[i], lambda) : 0);
    KSI_UNROLL
    for (int i = SIX - 1; i >= 0; i--) {
        for (int k = i + 1; k < SIX; k++)
            y[i] -= limb->root[i][k] * y[k];
        y[i] *= limb->rootInverse[i];
    }
}

KSI_CLONES
void ksiTreeSolve(ksSystem *system, ksiTree *tree, const double *beta, const double *applied, double *multiplier,
                  double *y)
{
    double rounded = 0, load = 0;
    for (int i = 0; i < tree->limbCount; i++) {
        ksiLimb *limb = &tree->limb[i];
        memset(limb->g, 0, sizeof limb->g);
        if (applied)
            memcpy(limb->g, applied + system->blockOffset.at[limb->block],
                   (size_t)system->blockSize.at[limb->block] * sizeof *applied);
    }
    for (int i = tree->limbCount - 1; i >= 0; i--) {
        ksiLimb *limb = &tree->limb[i];
        solveUp(limb, limb->parent < 0 ? NULL : &tree->limb[limb->parent], beta);
    }
    for (int i = 0; i < tree->limbCount; i++) {
        ksiLimb *limb = &tree->limb[i];
        solveDown(system, limb, limb->parent < 0 ? NULL : &tree->limb[limb->parent], multiplier, &rounded, &load);
        memcpy(y + system->blockOffset.at[limb->block], limb->y, (size_t)system->blockSize.at[limb->block] * sizeof *y);
    }
    tree->rounding = DBL_EPSILON * sqrt(rounded);
    tree->load = sqrt(load);
}
