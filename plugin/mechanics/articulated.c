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

enum { SIX = KSI_SIX, TOGETHER = 4 };

/* A joint with the rows that a view takes in: b_l in the body and in its parent. */
typedef struct Joint {
    ksiLimb *limb, *parent; /* parent NULL: none */
    int isFirst;            /* L of the parent is still the unit matrix */
    int isSoft;             /* a row has compliance */
    int isClear;            /* its rows do not depend on each other, whatever counts as none */
    const double *own[SIX], *other[SIX];
    double compliance[SIX];     /* s_l */
    double soft;                /* the largest of those that count as none */
    double padded[SIX][2][SIX]; /* of blocks of fewer coordinates */
} Joint;

/* Filled up with zeros. */
static void padRows(Joint *joint, int ownSize, int otherSize)
{
    for (int l = 0; l < joint->limb->count; l++) {
        for (int k = 0; k < SIX; k++) {
            joint->padded[l][0][k] = k < ownSize ? joint->own[l][k] : 0;
            joint->padded[l][1][k] = k < otherSize ? joint->other[l][k] : 0;
        }
        joint->own[l] = joint->padded[l][0];
        joint->other[l] = joint->padded[l][1];
    }
}

KSI_INLINE void takeRows(const ksSystem *system, ksiTreeView view, Joint *joint)
{
    ksiLimb *limb = joint->limb;
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
        joint->own[count] = own;
        joint->other[count] = other;
        joint->compliance[count] = s;
        most = s > most ? s : most;
        soft = s > soft && s <= rigid ? s : soft;
        limb->square[count] = square;
        limb->row[count++] = l;
    }
    limb->count = count;
    joint->soft = soft;
    joint->isSoft = most > 0;
    if (ownSize < SIX || otherSize % SIX)
        padRows(joint, ownSize, otherSize);
}

/* E = L^-T B_c; square: that of its columns */
KSI_INLINE void findOwn(const int ROWS, const Joint *joint, Row *e, Row *square)
{
    ksiLimb *limb = joint->limb;
    const double *const *b = joint->own;
    makeUnit(square, 0, 0);
    EACH_DOWN (i, 0, SIX) {
        e[i].part[0] = (ksiFour){b[0][i], ROWS > 1 ? b[1][i] : 0, ROWS > 2 ? b[2][i] : 0, ROWS > 3 ? b[3][i] : 0};
        e[i].part[1] = (ksiFour){ROWS > 4 ? b[4][i] : 0, ROWS > 5 ? b[5][i] : 0, 0, 0};
        EACH (m, i + 1, SIX)
            subtract(&e[i], limb->root[m][i], &e[m], ROWS - 1);
    }
    EACH (i, 0, SIX) {
        scale(&e[i], limb->rootInverse[i], &e[i], ROWS - 1);
        EACH (v, 0, partsOf(ROWS - 1))
            square->part[v] += e[i].part[v] * e[i].part[v];
        store(limb->own[i], &e[i], SIX - 1);  // zeros where there is no row: sums run over all
    }
}

/* (E; sqrt(S)) = Q R; 0 where the columns come near to depending on each other. The joint becomes unclear where they might do
 * so without the compliance that counts as none, or by the rank tolerance. */
KSI_INLINE int factoriseOwn(const int ROWS, const int SOFT, Joint *joint, double tolerance2)
{
    // E, then what is left of the rows of sqrt(S): before its own column each of these is zero
    ksiLimb *limb = joint->limb;
    Row tall[2 * SIX] = {{{{0}, {0}}}}, square, sum;
    findOwn(ROWS, joint, tall, &square);
    const double soft = ABOVE_COMPLIANCE * joint->soft, share2 = INDEPENDENT_SHARE * INDEPENDENT_SHARE;
    const double larger2 = tolerance2 > share2 ? tolerance2 : share2;
    EACH_DOWN (j, 0, ROWS) {
        const int COUNT = SIX + (SOFT ? ROWS - 1 - j : 0);
        const double s = SOFT ? joint->compliance[j] : 0;
        makeUnit(&sum, s, j);
        addProducts(tall, COUNT, j, &sum);
        // a column of R is as long as that of E with the compliance
        const double whole = lane(&square, j) + s, found = lane(&sum, j), inverse = 1 / found;
        const double least = LEAST_SHARE * LEAST_SHARE * limb->square[j];
        if (!(found > larger2 * whole + (least + soft))) {
            if (!(found > share2 * whole + least))
                return 0;
            joint->isClear &= found > tolerance2 * whole + soft;
        }
        limb->rInverse[j] = sqrt(inverse);
        scale(&sum, inverse, &sum, j);
        store(limb->r[j], &sum, j);
        takeOut(tall, COUNT, j, &sum);
        if (SOFT)
            scale(&tall[COUNT], sqrt(s), &sum, j - 1);
    }
    return 1;
}

/* X = R^-T B_p^T, then L of the parent takes it in: FIRST, where that is still the unit matrix. */
KSI_INLINE void passUp(const int ROWS, const int FIRST, const Joint *joint)
{
    // X, then what is left of the rows of L
    ksiLimb *limb = joint->limb, *parent = joint->parent;
    Row tall[2 * SIX] = {{{{0}, {0}}}}, sum, root;
    EACH_DOWN (l, 0, ROWS) {
        loadSix(&tall[l], joint->other[l]);
        EACH (m, l + 1, ROWS)
            subtract(&tall[l], limb->r[m][l], &tall[m], SIX - 1);
    }
    EACH (l, 0, ROWS) {
        scale(&tall[l], limb->rInverse[l], &tall[l], SIX - 1);
        store(limb->cross[l], &tall[l], SIX - 1);
    }
    EACH_DOWN (j, 0, SIX) {
        const int COUNT = ROWS + SIX - 1 - j;
        const double size = FIRST ? 1 : parent->rootSize[j];
        if (FIRST)
            makeUnit(&root, 1, j);
        else
            load(&root, parent->root[j]);
        scale(&sum, size * size, &root, j);
        addProducts(tall, COUNT, j, &sum);
        const double found = lane(&sum, j), inverse = 1 / found;
        parent->rootInverse[j] = sqrt(inverse);
        parent->rootSize[j] = found * parent->rootInverse[j];
        scale(&sum, inverse, &sum, j);
        store(parent->root[j], &sum, j);
        takeOut(tall, COUNT, j, &sum);
        if (!FIRST)
            subtract(&sum, 1, &root, j - 1);
        scale(&tall[COUNT], size, &sum, j - 1);
    }
}

/* Do the rigid rows span as many directions in the body beyond the joint alone, whatever hangs on it? By Gram-Schmidt. */
static int independentBeyond(const ksSystem *system, const Joint *joint)
{
    const ksiLimb *limb = joint->limb;
    const double tolerance = KSI_SAFE_MARGIN * system->rankTolerance;
    double base[SIX][SIX];
    int count = 0;
    for (int l = 0; l < limb->count; l++) {
        if (system->compliance.at[limb->row[l]] > system->rigidCompliance)
            continue;
        double *x = base[count++];
        memcpy(x, joint->own[l], SIX * sizeof *x);
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

/* L of a body that nothing acts on from beyond. */
static void makeFree(ksiLimb *limb)
{
    memset(limb->root, 0, sizeof limb->root);
    for (int k = 0; k < SIX; k++)
        limb->root[k][k] = limb->rootSize[k] = limb->rootInverse[k] = 1;
}

KSI_INLINE void beginJoint(const ksSystem *system, ksiTree *tree, ksiTreeView view, ksiLimb *limb, Joint *joint)
{
    joint->limb = limb;
    joint->parent = limb->parent < 0 ? NULL : &tree->limb[limb->parent];
    joint->isFirst = joint->parent && limb == &tree->limb[joint->parent->lastChild];
    joint->isClear = 1;
    if (limb->lastChild < 0)
        makeFree(limb);
    limb->count = 0;
    if (limb->group >= 0)
        takeRows(system, view, joint);
    for (int k = limb->count; k < SIX; k++)
        limb->rInverse[k] = 1;
    if (limb->count == 0 && joint->isFirst)
        makeFree(joint->parent);
    tree->rowCount += limb->count;
}

/* 0 where the joint does not fit. */
KSI_INLINE int factoriseJoint(Joint *joint, double tolerance2)
{
    int fits = 1;
#define CALL(ROWS)                                                                                                     \
    fits = joint->isSoft ? factoriseOwn(ROWS, 1, joint, tolerance2) : factoriseOwn(ROWS, 0, joint, tolerance2)
    if (joint->limb->count > 0)
        KSI_BY_ROWS(joint->limb->count, CALL)
#undef CALL
    return fits;
}

KSI_INLINE void passJoint(const Joint *joint)
{
#define FIRST(ROWS) passUp(ROWS, 1, joint)
#define LATER(ROWS) passUp(ROWS, 0, joint)
    if (joint->isFirst)
        KSI_BY_ROWS(joint->limb->count, FIRST)
    else
        KSI_BY_ROWS(joint->limb->count, LATER)
#undef FIRST
#undef LATER
}

/* Neighbours of which none is another's parent are taken in together: the processor has something to do then while one of
 * them waits for a division. */
KSI_CLONES
static int factorise(const ksSystem *system, ksiTree *tree, ksiTreeView view)
{
    const double tolerance = KSI_SAFE_MARGIN * system->rankTolerance, tolerance2 = tolerance * tolerance;
    tree->isCertain = 1;
    tree->rowCount = 0;
    for (int end = tree->limbCount; end > 0;) {
        Joint joint[TOGETHER];
        int count = 0, parent = -1;
        while (count < TOGETHER && end > 0 && parent < end - 1) {
            ksiLimb *limb = &tree->limb[--end];
            beginJoint(system, tree, view, limb, &joint[count++]);
            parent = limb->parent > parent ? limb->parent : parent;
        }
        for (int k = 0; k < count; k++)
            if (!factoriseJoint(&joint[k], tolerance2))
                return 0;
        for (int k = 0; k < count; k++)
            if (joint[k].parent && joint[k].limb->count > 0)
                passJoint(&joint[k]);
        for (int k = 0; k < count; k++)
            if (!joint[k].isClear)
                tree->isCertain &= independentBeyond(system, &joint[k]);
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
    EACH (l, 0, ROWS)
        ksiAddSix(parent->g, t[l], limb->cross[l]);
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
