/* articulated.c  Factorisation and solution on trees: see articulated.h. */
#include "articulated_kernel.h"
#include "system_private.h"

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

enum { SIX = KSI_SIX };

/* The rows of a joint that a view takes in: b_l in the body and in its parent. */
typedef struct Rows {
    const double *own[SIX], *other[SIX];
    double compliance[SIX];     /* s_l */
    double soft;                /* the largest of those that count as none */
    double padded[SIX][2][SIX]; /* of blocks of fewer coordinates */
} Rows;

/* Filled up with zeros. */
static void padRows(ksiLimb *limb, int ownSize, int otherSize, Rows *rows)
{
    for (int l = 0; l < limb->count; l++) {
        for (int k = 0; k < SIX; k++) {
            rows->padded[l][0][k] = k < ownSize ? rows->own[l][k] : 0;
            rows->padded[l][1][k] = k < otherSize ? rows->other[l][k] : 0;
        }
        rows->own[l] = rows->padded[l][0];
        rows->other[l] = rows->padded[l][1];
    }
}

/* Whether any of them has compliance. */
KSI_INLINE int takeRows(const ksSystem *system, ksiLimb *limb, ksiTreeView view, Rows *rows)
{
    const int first = system->fronts.groupRow.at[limb->group], end = system->fronts.groupRow.at[limb->group + 1];
    const int *block = system->pieceBlock.at + system->rowPiece.at[first];
    const int ownSize = system->blockSize.at[block[limb->side]];
    const int otherSize = limb->parent < 0 ? 0 : system->blockSize.at[block[1 - limb->side]];
    const int *known =
        view == KSI_TREE_ALL || view == KSI_TREE_REACH || system->knownCount == 0 ? NULL : system->rowKnown.at;
    const double rigid = system->rigidCompliance;
    const double none = view == KSI_TREE_REACH ? INFINITY : view == KSI_TREE_RIGID ? rigid : 0;
    // rows of a group have the same blocks: their entries lie one row after the other
    const double *own = system->entry.at + system->pieceEntry.at[system->rowPiece.at[first]], *other = own;
    const double *compliance = system->compliance.at, *diagonal = system->diagonal.at;
    double soft = 0, most = 0;
    int count = 0;
    own += limb->side ? otherSize : 0;
    other += limb->side ? 0 : ownSize;
    for (int l = first; l < end; l++, own += ownSize + otherSize, other += ownSize + otherSize) {
        const double s = compliance[l] > none ? compliance[l] : 0, square = diagonal[l] + compliance[l];
        if ((known && known[l]) || !(diagonal[l] + s > 0))
            continue;
        rows->own[count] = own;
        rows->other[count] = other;
        rows->compliance[count] = s;
        most = s > most ? s : most;
        soft = s > soft && s <= rigid ? s : soft;
        limb->square[count] = square;
        limb->row[count++] = l;
    }
    limb->count = count;
    rows->soft = soft;
    if (ownSize < SIX || otherSize % SIX)
        padRows(limb, ownSize, otherSize, rows);
    return most > 0;
}

/* E = L^-T B_c; square: that of its columns */
KSI_INLINE void findOwn(const int ROWS, ksiLimb *limb, const Rows *rows, ksiSix *e, ksiSix *square)
{
    *square = (ksiSix){{0}, {0}};
    EACH_DOWN (i, 0, SIX) {
        const double *const *b = rows->own;
        e[i].four = (ksiFour){b[0][i], ROWS > 1 ? b[1][i] : 0, ROWS > 2 ? b[2][i] : 0, ROWS > 3 ? b[3][i] : 0};
        e[i].two = (ksiTwo){ROWS > 4 ? b[4][i] : 0, ROWS > 5 ? b[5][i] : 0};
        EACH (m, i + 1, SIX) {
            e[i].four -= limb->root[m][i] * e[m].four;
            if (ROWS > 4)
                e[i].two -= limb->root[m][i] * e[m].two;
        }
    }
    EACH (i, 0, SIX) {
        scaled(&e[i], limb->rootInverse[i], &e[i]);
        square->four += e[i].four * e[i].four;
        square->two += e[i].two * e[i].two;
        store(limb->own[i], &e[i]);
    }
}

/* (E; sqrt(S)) = Q R; 0 where the columns come near to depending on each other. *clear becomes 0 where they might do so
 * without the compliance that counts as none, or by the rank tolerance. */
KSI_INLINE int factoriseOwn(const int ROWS, const int SOFT, ksiLimb *limb, const Rows *rows, double tolerance2,
                            int *clear)
{
    // E, then what is left of the rows of sqrt(S): before its own column each of these is zero
    ksiSix tall[2 * SIX] = {{{0}, {0}}}, square;
    findOwn(ROWS, limb, rows, tall, &square);
    const double soft = ABOVE_COMPLIANCE * rows->soft, share2 = INDEPENDENT_SHARE * INDEPENDENT_SHARE;
    const double larger2 = tolerance2 > share2 ? tolerance2 : share2;
    EACH_DOWN (j, 0, ROWS) {
        const int COUNT = SIX + (SOFT ? ROWS - 1 - j : 0);
        const double s = SOFT ? rows->compliance[j] : 0;
        ksiSix sum;
        findProducts(tall, COUNT, j, &sum);
        // a column of R is as long as that of E with the compliance
        const double whole = lane(&square, j) + s, found = lane(&sum, j) + s;
        const double least = LEAST_SHARE * LEAST_SHARE * limb->square[j];
        if (!(found > larger2 * whole + (least + soft))) {
            if (!(found > share2 * whole + least))
                return 0;
            *clear &= found > tolerance2 * whole + soft;
        }
        limb->rInverse[j] = 1 / sqrt(found);
        divide(&sum, found, j);
        store(limb->r[j], &sum);
        takeOut(tall, COUNT, j, &sum);
        if (SOFT)
            scaled(&tall[COUNT], sqrt(s), &sum);
    }
    return 1;
}

/* X = R^-T B_p^T, then L of the parent takes it in: FIRST, where that is still the unit matrix. */
KSI_INLINE void passUp(const int ROWS, const int FIRST, ksiLimb *limb, const Rows *rows, ksiLimb *parent)
{
    // X, then what is left of the rows of L
    ksiSix tall[2 * SIX] = {{{0}, {0}}};
    EACH_DOWN (l, 0, ROWS) {
        load(&tall[l], rows->other[l]);
        EACH (m, l + 1, ROWS)
            subtract(&tall[l], limb->r[m][l], &tall[m]);
    }
    EACH (l, 0, ROWS) {
        scaled(&tall[l], limb->rInverse[l], &tall[l]);
        store(limb->cross[l], &tall[l]);
    }
    EACH_DOWN (j, 0, SIX) {
        const int COUNT = ROWS + SIX - 1 - j;
        const double size = FIRST ? 1 : parent->rootSize[j];
        ksiSix sum, root;
        findProducts(tall, COUNT, j, &sum);
        const double found = lane(&sum, j) + size * size;
        if (!FIRST) {
            load(&root, parent->root[j]);
            subtract(&sum, -size * size, &root);
        }
        parent->rootSize[j] = sqrt(found);
        divide(&sum, found, j);
        store(parent->root[j], &sum);
        takeOut(tall, COUNT, j, &sum);
        if (!FIRST)
            subtract(&sum, 1, &root);
        scaled(&tall[COUNT], size, &sum);
    }
}

/* Do the rigid rows span as many directions in the body beyond the joint alone, whatever hangs on it? By Gram-Schmidt. */
static int independentBeyond(const ksSystem *system, const ksiLimb *limb, const Rows *rows)
{
    const double tolerance = KSI_SAFE_MARGIN * system->rankTolerance;
    double base[SIX][SIX];
    int count = 0;
    for (int l = 0; l < limb->count; l++) {
        if (system->compliance.at[limb->row[l]] > system->rigidCompliance)
            continue;
        double *x = base[count++];
        memcpy(x, rows->own[l], SIX * sizeof *x);
        const double whole = ksiDotSix(x, x);
        for (int m = 0; m < count - 1; m++)
            ksiAddSix(x, -ksiDotSix(base[m], x), base[m]);
        const double left = ksiDotSix(x, x);
        if (!(left > tolerance * tolerance * whole))
            return 0;
        for (int k = 0; k < SIX; k++)
            x[k] /= sqrt(left);
    }
    return 1;
}

KSI_INLINE int isLastChild(const ksiTree *tree, const ksiLimb *limb)
{
    return limb->parent >= 0 && limb == &tree->limb[tree->limb[limb->parent].lastChild];
}

/* 0 where the joint does not fit. */
KSI_INLINE int factoriseLimb(const int ROWS, ksiTree *tree, ksiLimb *limb, const Rows *rows, int isSoft,
                             double tolerance2, int *clear)
{
    if (isSoft ? !factoriseOwn(ROWS, 1, limb, rows, tolerance2, clear)
               : !factoriseOwn(ROWS, 0, limb, rows, tolerance2, clear))
        return 0;
    if (limb->parent < 0)
        return 1;
    if (isLastChild(tree, limb))
        passUp(ROWS, 1, limb, rows, &tree->limb[limb->parent]);
    else
        passUp(ROWS, 0, limb, rows, &tree->limb[limb->parent]);
    return 1;
}

/* L of a body that nothing acts on from beyond. */
static void makeUnit(ksiLimb *limb)
{
    memset(limb->root, 0, sizeof limb->root);
    for (int k = 0; k < SIX; k++)
        limb->rootSize[k] = 1;
}

KSI_CLONES
static int factorise(const ksSystem *system, ksiTree *tree, ksiTreeView view)
{
    const double tolerance = KSI_SAFE_MARGIN * system->rankTolerance, tolerance2 = tolerance * tolerance;
    tree->isCertain = 1;
    tree->rowCount = 0;
    for (int i = tree->limbCount - 1; i >= 0; i--) {
        ksiLimb *limb = &tree->limb[i];
        Rows rows;
        int fits = 1, clear = 1;
        if (limb->lastChild < 0)
            makeUnit(limb);
        for (int k = 0; k < SIX; k++)
            limb->rootInverse[k] = 1 / limb->rootSize[k];
        limb->count = 0;
        const int isSoft = limb->group >= 0 && takeRows(system, limb, view, &rows);
        for (int k = limb->count; k < SIX; k++)
            limb->rInverse[k] = 1;
        if (limb->count == 0) {
            if (isLastChild(tree, limb))
                makeUnit(&tree->limb[limb->parent]);
            continue;
        }
        tree->rowCount += limb->count;
#define CALL(ROWS) fits = factoriseLimb(ROWS, tree, limb, &rows, isSoft, tolerance2, &clear)
        KSI_BY_ROWS(limb->count, CALL)
#undef CALL
        if (!fits)
            return 0;
        if (!clear)
            tree->isCertain &= independentBeyond(system, limb, &rows);
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

/* From the leaves: what the joint asks of its body, and what it leaves to its parent. g comes as L^T g. */
KSI_INLINE void solveBodyUp(ksiLimb *limb, double *g)
{
    EACH_DOWN (i, 0, SIX) {
        g[i] = limb->g[i];
        EACH (m, i + 1, SIX)
            g[i] -= limb->root[m][i] * g[m];
    }
    EACH (i, 0, SIX)
        limb->g[i] = g[i] *= limb->rootInverse[i];
}

KSI_INLINE void solveUp(const int ROWS, ksiLimb *limb, ksiLimb *parent, const double *beta)
{
    double g[SIX], t[SIX];
    solveBodyUp(limb, g);
    EACH_DOWN (l, 0, ROWS) {
        t[l] = beta[limb->row[l]];
        EACH (i, 0, SIX)
            t[l] -= limb->own[i][l] * g[i];
        EACH (m, l + 1, ROWS)
            t[l] -= limb->r[m][l] * t[m];
    }
    EACH (l, 0, ROWS)
        limb->t[l] = t[l] *= limb->rInverse[l];
    if (!parent)
        return;
    ksiSix sum, x;
    load(&sum, parent->g);
    EACH (l, 0, ROWS) {
        load(&x, limb->cross[l]);
        subtract(&sum, -t[l], &x);
    }
    store(parent->g, &sum);
}

/* From the root: the joint's t, then the multipliers and the body's motion. t is a difference: *rounded takes in the square of
 * what lambda would be without it, *load that of lambda, both in rows of unit length. */
KSI_INLINE void solveDown(const int ROWS, ksiLimb *limb, const ksiLimb *parent, double *multiplier, double *rounded,
                          double *load2)
{
    double part[SIX] = {0}, lambda[SIX], y[SIX], most = *rounded, most2 = *load2;
    if (parent) {
        EACH (i, 0, SIX)
            y[i] = parent->y[i];
        EACH (l, 0, ROWS)
            EACH (i, 0, SIX)
                part[l] += limb->cross[l][i] * y[i];
    }
    EACH (l, 0, ROWS) {
        const double t = limb->t[l], whole = (fabs(t) + fabs(part[l])) * limb->rInverse[l];
        lambda[l] = (t - part[l]) * limb->rInverse[l];
        EACH (m, 0, l)
            lambda[l] -= limb->r[l][m] * lambda[m];
        most = ksiLarger(most, limb->square[l] * whole * whole);
        most2 = ksiLarger(most2, limb->square[l] * lambda[l] * lambda[l]);
    }
    *rounded = most;
    *load2 = most2;
    EACH (i, 0, SIX) {
        y[i] = limb->g[i];
        EACH (l, 0, ROWS)
            y[i] += limb->own[i][l] * lambda[l];
        y[i] *= limb->rootInverse[i];
        EACH (k, 0, i)
            y[i] -= limb->root[i][k] * y[k];
    }
    EACH (l, 0, ROWS)
        multiplier[limb->row[l]] = lambda[l];
    EACH (i, 0, SIX)
        limb->y[i] = y[i];
}

KSI_CLONES
void ksiTreeSolve(ksSystem *system, ksiTree *tree, const double *beta, const double *applied, double *multiplier,
                  double *y)
{
    double rounded = 0, load2 = 0;
    for (int i = 0; i < tree->limbCount; i++) {
        ksiLimb *limb = &tree->limb[i];
        memset(limb->g, 0, sizeof limb->g);
        if (applied)
            memcpy(limb->g, applied + system->blockOffset.at[limb->block],
                   (size_t)system->blockSize.at[limb->block] * sizeof *applied);
    }
    for (int i = tree->limbCount - 1; i >= 0; i--) {
        ksiLimb *limb = &tree->limb[i], *parent = limb->parent < 0 ? NULL : &tree->limb[limb->parent];
        double g[SIX];
#define CALL(ROWS) solveUp(ROWS, limb, parent, beta)
        if (limb->count == 0)
            solveBodyUp(limb, g);
        else
            KSI_BY_ROWS(limb->count, CALL)
#undef CALL
    }
    for (int i = 0; i < tree->limbCount; i++) {
        ksiLimb *limb = &tree->limb[i];
        const ksiLimb *parent = limb->parent < 0 ? NULL : &tree->limb[limb->parent];
#define CALL(ROWS) solveDown(ROWS, limb, parent, multiplier, &rounded, &load2)
        if (limb->count == 0)
            CALL(0);
        else
            KSI_BY_ROWS(limb->count, CALL)
#undef CALL
        memcpy(y + system->blockOffset.at[limb->block], limb->y, (size_t)system->blockSize.at[limb->block] * sizeof *y);
    }
    tree->rounding = DBL_EPSILON * sqrt(rounded);
    tree->load = sqrt(load2);
}
