/* articulated.c  Factors and solves systems on trees: see articulated.h. */
#include "../system_private.h"
#include "articulated_kernel.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A joint fits if each of its columns of E, compliance included, keeps this share of its length
 * perpendicular to all the others. Solutions by semi-normal equations lose digits by the square of
 * the share, up to four digits. */
#define INDEPENDENT_SHARE 1e-2

/* The perpendicular part also keeps this share of the row's length over both bodies. A long branch
 * makes this part small, 1e-7 for ten thousand links in a line. This loses no digits, because the
 * rows of X are longer by the same factor. Far below the share, a motion of the branch is lost; the
 * general files may count it as a self-stress. */
#define LEAST_SHARE 1e-9

/* TOGETHER: joints eliminated side by side; their number is a matter of cost only. */
enum { SIX = KSI_SIX, TOGETHER = 4 };

/* A joint with its rows in a view: b_l in the body and in its parent. */
typedef struct Joint {
    ksiLink *link, *parent;    /* parent NULL: none */
    bool isFirst;              /* L of the parent is still the unit matrix */
    bool isClear;              /* its rows are independent even without the compliance that counts
                                  as zero */
    const double *own, *other; /* first row in the body, and in its parent */
    ptrdiff_t stride, otherStride;
    double compliance[SIX];     /* s_l */
    double soft;                /* largest compliance that counts as zero */
    double padded[SIX][2][SIX]; /* copies of rows over blocks with fewer coordinates, or if some
                                   rows are omitted */
} Joint;

/* Right-hand sides of a factorisation: beta [rows], y_f [coordinates, NULL: 0]. */
typedef struct Sides {
    const ksSystem *system;
    const double *beta, *applied;
} Sides;

static const double nothing[SIX] = {0};

/* Stores whole vectors, because later code loads whole vectors: processors do not forward narrow
 * stores to a wide load. */
KSI_INLINE void beginLoad(const Sides *sides, ksiLink *link)
{
    const ksSystem *system = sides->system;
    const int size = system->model.blockSize[link->block];
    const double *from = sides->applied ? sides->applied + system->model.blockOffset[link->block] : nothing;
    double padded[SIX] = {0};
    Row g;
    if (size < SIX) {
        for (int k = 0; k < size; k++)
            padded[k] = from[k];
        from = padded;
    }
    loadSix(&g, from, 0);
    store(link->g, &g, SIX);
}

/* Copies the rows, padded with zeros to six coordinates. first: row of the group */
static void padRows(Joint *joint, int ownSize, int otherSize, int first)
{
    for (int l = 0; l < joint->link->count; l++) {
        const ptrdiff_t at = joint->link->row[l] - first;
        const double *own = joint->own + at * joint->stride, *other = joint->other + at * joint->otherStride;
        for (int k = 0; k < SIX; k++) {
            joint->padded[l][0][k] = k < ownSize ? own[k] : 0;
            joint->padded[l][1][k] = k < otherSize ? other[k] : 0;
        }
    }
    joint->own = joint->padded[0][0];
    joint->other = joint->padded[0][1];
    joint->stride = joint->otherStride = 2 * SIX;
}

KSI_INLINE void takeRows(const ksSystem *system, ksiFactorSpec view, Joint *joint)
{
    ksiLink *link = joint->link;
    const int first = system->pattern->fronts.groupRow[link->group],
              end = system->pattern->fronts.groupRow[link->group + 1];
    const int *block = system->model.pieceBlock + system->model.rowPiece[first];
    const int ownSize = system->model.blockSize[block[link->side]];
    const int otherSize = link->parent < 0 ? 0 : system->model.blockSize[block[1 - link->side]];
    const int *known = view.hasKnown || system->model.knownCount == 0 ? NULL : system->model.rowKnown;
    const double rigid = system->model.rigidCompliance;
    const double none = ksiNoComplianceUpTo(view, rigid);
    // rows of a group have the same blocks: their entries lie one row after the other
    const double *entry = system->model.entry + system->model.pieceEntry[system->model.rowPiece[first]];
    const double *compliance = system->model.compliance, *diagonal = system->model.diagonal;
    double soft = 0;
    int count = 0;
    joint->own = entry + (link->side ? otherSize : 0);
    joint->other = otherSize > 0 ? entry + (link->side ? 0 : ownSize) : nothing;
    joint->stride = ownSize + otherSize;
    joint->otherStride = otherSize > 0 ? joint->stride : 0;
    for (int l = first; l < end; l++) {
        const double s = compliance[l] > none ? compliance[l] : 0;
        if ((known && known[l]) || !(diagonal[l] + s > 0))
            continue;
        joint->compliance[count] = s;
        soft = ksiLarger(soft, s <= rigid ? s : 0);
        link->length2[count] = diagonal[l] + compliance[l];
        link->row[count++] = l;
    }
    link->count = count;
    joint->soft = soft;
    if (ownSize < SIX || otherSize % SIX || count < end - first)
        padRows(joint, ownSize, otherSize, first);
}

/* B_c with L^T g as last column, transposed to coordinates. Unused lanes repeat the last column. */
KSI_INLINE void gatherOwn(const int ROWS, const Joint *joint, Row *e)
{
    Row row[KSI_FILLED];
    EACH (k, 0, KSI_LANES * partsOf(ROWS))
        loadSix(&row[k], k < ROWS ? joint->own + k * joint->stride : joint->link->g, 0);
    transpose(row, KSI_LANES * partsOf(ROWS), SIX - 1, e);
}

/* L_ii (E, g): both by back substitution with L^T. */
KSI_INLINE void findOwn(const int ROWS, const Joint *joint, Row *e)
{
    ksiLink *link = joint->link;
    gatherOwn(ROWS, joint, e);
    EACH_DOWN (i, 0, SIX) {
        // the row that was found last is subtracted last, since it arrives late
        EACH_DOWN (m, i + 1, SIX)
            subtract(&e[i], link->root[m][i], &e[m], ROWS);
        // unused lanes need numbers too: sums run over all lanes, and multiply unused lanes by zero
        store(link->own[i], &e[i], KSI_FILLED - 1);
    }
}

/* product := E^T E + S, each row up to the diagonal; then the row g^T E. */
KSI_INLINE void findProducts(const int ROWS, const Joint *joint, const Row *e, Row *product)
{
    const ksiLink *link = joint->link;
    clear(&product[ROWS]);
    EACH (j, 0, ROWS)
        makeUnit(&product[j], joint->compliance[j], j);
    EACH_DOWN (i, 0, SIX) {
        Row weighed;
        scale(&weighed, link->root[i][i], &e[i], ROWS);
        EACH (j, 0, ROWS)
            add(&product[j], lane(&e[i], j), &weighed, j);
        add(&product[ROWS], lane(&e[i], ROWS), &weighed, ROWS - 1);
    }
}

/* Does each row keep INDEPENDENT_SHARE of its length perpendicular to all the others? The square of
 * the perpendicular part is 1/[(R^T R)^-1]_ll. A pivot shows only the part perpendicular to the
 * rows before, which may be much larger. If each of five rows loses nine tenths, they are
 * practically dependent. */
static int areIndependent(const ksiLink *link, const double *whole)
{
    double inverse[SIX][SIX] = {{0}};
    for (int l = 0; l < link->count; l++) {
        double sum = 0;
        inverse[l][l] = 1;
        for (int m = 0; m < l; m++)
            ksiAddSix(inverse[l], -link->r[l][m], inverse[m]);
        for (int m = 0; m <= l; m++)
            sum += inverse[l][m] * inverse[l][m] * link->r[m][m];
        if (!(INDEPENDENT_SHARE * INDEPENDENT_SHARE * whole[l] * sum < 1))
            return 0;
    }
    return 1;
}

/* Factorises R^T R = E^T E + S, and finds R_ll (X, t). Returns 0 if the columns nearly depend on
 * each other. Clears isClear if they may be dependent by the rank tolerance, or without the
 * compliance s_l that counts as zero.
 *
 * Suppose they are dependent without this compliance. In unit columns, a self-stress n of size 1
 * then stores no more than the largest s_l / |column|^2. The largest part of n is at least
 * 1/sqrt(6). So the row of this part has no more than six times as much of its square perpendicular
 * to the other rows. */
KSI_INLINE int factoriseOwn(const int ROWS, Joint *joint, const double *beta, double tolerance2)
{
    ksiLink *link = joint->link;
    Row e[SIX], product[SIX + 1], x[SIX], r;
    double whole[SIX], kept = 1, all = 1, least2 = INFINITY;
    findOwn(ROWS, joint, e);
    findProducts(ROWS, joint, e, product);
    const double share2 = INDEPENDENT_SHARE * INDEPENDENT_SHARE;
    EACH (l, 0, ROWS) {
        whole[l] = lane(&product[l], l);
        least2 = whole[l] < least2 ? whole[l] : least2;
        loadSix(&x[l], joint->other + l * joint->otherStride, beta[link->row[l]] - lane(&product[ROWS], l));
    }
    EACH_DOWN (j, 0, ROWS) {
        const double found = lane(&product[j], j);
        const double least = LEAST_SHARE * LEAST_SHARE * link->length2[j];
        if (!(found > share2 * whole[j] + least))
            return 0;
        kept *= found;
        all *= whole[j];
        const double inverse = 1 / found;
        scale(&r, inverse, &product[j], j);
        setLane(&r, j, inverse);
        store(link->r[j], &r, j);
        store(link->cross[j], &x[j], KSI_FILLED - 1);
        EACH_DOWN (k, 0, j) {
            subtract(&product[k], lane(&r, k), &product[j], k);
            subtract(&x[k], lane(&r, k), &x[j], KSI_FILLED - 1);
        }
    }
    // each row's perpendicular share is no less than the product of the pivots' shares
    joint->isClear = kept > (tolerance2 + SIX * joint->soft / least2) * all;
    return kept > share2 * all || areIndependent(link, whole);
}

/* Adds X and t to the parent's L and g. FIRST: the parent's L is still the unit matrix. */
KSI_INLINE void passUp(const int ROWS, const int FIRST, const Joint *joint)
{
    ksiLink *link = joint->link, *parent = joint->parent;
    // X, then the remaining rows of L
    Row tall[2 * SIX], sum, root, g;
    load(&g, parent->g);
    EACH (l, 0, ROWS) {
        load(&tall[l], link->cross[l]);
        scale(&tall[l], sqrt(link->r[l][l]), &tall[l], KSI_FILLED - 1);
        add(&g, lane(&tall[l], SIX), &tall[l], SIX);
    }
    store(parent->g, &g, SIX);
    EACH_DOWN (j, 0, SIX) {
        const int COUNT = ROWS + SIX - 1 - j;
        const double square = FIRST ? 1 : parent->pivot[j];
        makeUnit(&root, 1, j);
        if (!FIRST) {
            load(&root, parent->root[j]);
            setLane(&root, j, 1);
        }
        scale(&sum, square, &root, j);
        addProducts(tall, COUNT, j, &sum);
        const double found = lane(&sum, j), inverse = 1 / found;
        scale(&sum, inverse, &sum, j);
        takeOut(tall, COUNT, j, &sum);
        // remainder of row j of L, up to its sign
        scale(&tall[COUNT], 1, &sum, j - 1);
        if (!FIRST) {
            subtract(&tall[COUNT], 1, &root, j - 1);
            scale(&tall[COUNT], sqrt(square), &tall[COUNT], j - 1);
        }
        setLane(&sum, j, inverse);
        parent->pivot[j] = found;
        store(parent->root[j], &sum, j);
    }
}

/* Are the joint's rigid rows independent in the single body beyond it, without the body's branch?
 * By Gram-Schmidt. */
static int independentBeyond(const ksSystem *system, const Joint *joint)
{
    const ksiLink *link = joint->link;
    const double tolerance = KSI_SAFE_MARGIN * system->rankTolerance;
    double base[SIX][SIX];
    int count = 0;
    for (int l = 0; l < link->count; l++) {
        if (system->model.compliance[link->row[l]] > system->model.rigidCompliance)
            continue;
        double *x = base[count++];
        memcpy(x, joint->own + l * joint->stride, SIX * sizeof *x);
        const double whole = ksiDotSix(x, x);
        for (int m = 0; m < count - 1; m++)
            ksiAddSix(x, -ksiDotSix(base[m], x), base[m]);
        const double remainder = ksiDotSix(x, x);
        if (!(remainder > tolerance * tolerance * whole))
            return 0;
        for (int k = 0; k < SIX; k++)
            x[k] /= sqrt(remainder);
    }
    return 1;
}

/* L and L^T g of a body without a branch: the unit matrix and y_f. */
KSI_INLINE void makeFree(const Sides *sides, ksiLink *link)
{
    EACH (k, 0, SIX) {
        Row unit;
        makeUnit(&unit, 1, k);
        store(link->root[k], &unit, SIX);
        link->pivot[k] = 1;
    }
    beginLoad(sides, link);
}

KSI_INLINE void beginJoint(const ksSystem *system, ksiTree *tree, ksiFactorSpec view, const Sides *sides, ksiLink *link,
                           Joint *joint)
{
    joint->link = link;
    joint->parent = link->parent < 0 ? NULL : &tree->link[link->parent];
    joint->isFirst = joint->parent && link == &tree->link[joint->parent->lastChild];
    joint->isClear = 1;
    joint->soft = 0;
    if (link->lastChild < 0)
        makeFree(sides, link);
    link->count = 0;
    if (link->group >= 0)
        takeRows(system, view, joint);
    if (link->count == 0 && joint->isFirst)
        makeFree(sides, joint->parent);
    else if (joint->isFirst)
        beginLoad(sides, joint->parent);
    tree->rowCount += link->count;
}

/* Returns 0 if the joint does not fit. */
KSI_INLINE int factoriseJoint(Joint *joint, const Sides *sides, double tolerance2)
{
    int fits = 1;
#define FACTORISE(ROWS) fits = factoriseOwn(ROWS, joint, sides->beta, tolerance2)
    BY_ROWS(joint->link->count, FACTORISE)
    return fits;
}

KSI_INLINE void passJoint(const Joint *joint)
{
#define FIRST(ROWS) passUp(ROWS, 1, joint)
#define LATER(ROWS) passUp(ROWS, 0, joint)
    if (joint->isFirst)
        KSI_BY_ROWS(joint->link->count, FIRST)
    else
        KSI_BY_ROWS(joint->link->count, LATER)
}

/* Eliminates joints of neighbouring links side by side, unless one link is the parent of another:
 * the processor works on one joint while another joint waits for a division. */
KSI_CLONES
static int factorise(const ksSystem *system, ksiTree *tree, ksiFactorSpec view, const Sides *sides)
{
    const double tolerance = KSI_SAFE_MARGIN * system->rankTolerance, tolerance2 = tolerance * tolerance;
    tree->isCertain = 1;
    tree->rowCount = 0;
    for (int end = tree->limbCount; end > 0;) {
        Joint joint[TOGETHER];
        int count = 0, parent = -1;
        while (count < TOGETHER && end > 0 && parent < end - 1) {
            ksiLink *link = &tree->link[--end];
            beginJoint(system, tree, view, sides, link, &joint[count++]);
            parent = link->parent > parent ? link->parent : parent;
        }
        for (int k = 0; k < count; k++)
            if (!factoriseJoint(&joint[k], sides, tolerance2))
                return 0;
        for (int k = 0; k < count; k++)
            if (joint[k].parent && joint[k].link->count > 0)
                passJoint(&joint[k]);
        for (int k = 0; k < count; k++)
            if (!joint[k].isClear)
                tree->isCertain &= independentBeyond(system, &joint[k]);
    }
    return 1;
}

static ksStatus layOut(ksSystem *system)
{
    ksiTree *tree = &system->tree;
    KSI_TRY(ksiSystemPattern(system));
    ksiLinks *links = &system->pattern->links;
    KSI_TRY(ksiFindLinks(&system->model, &system->pattern->fronts, links, &system->patterns.id));
    if (tree->laidOut == links->id)
        return KS_OK;
    tree->laidOut = 0;
    tree->known = 0;
    tree->isTree = links->isTree;
    tree->limbCount = links->isTree ? links->count : 0;
    KSI_TRY(
        ksiReserve(&system->allocator, &tree->link, &tree->limbCapacity, (size_t)tree->limbCount, sizeof *tree->link));
    for (int i = 0; i < tree->limbCount; i++) {
        const ksiLinkPlace *place = &links->place[i];
        ksiLink *link = &tree->link[i];
        link->block = place->block;
        link->parent = place->parent;
        link->lastChild = place->lastChild;
        link->group = place->group;
        link->side = place->side;
    }
    tree->laidOut = links->id;
    return KS_OK;
}

static bool isKnown(const ksiTree *tree, ksiViewIndex view)
{
    return tree->known && tree->view == view;
}

ksStatus ksiTreeFind(ksSystem *system, ksiViewIndex view)
{
    const ksiTree *tree = &system->tree;
    KSI_TRY(layOut(system));
    return tree->isTree && (tree->fits || !isKnown(tree, view)) ? KS_OK : KS_ERROR_UNAVAILABLE;
}

ksStatus ksiTreeReduce(ksSystem *system, ksiViewIndex view, const double *beta, const double *applied)
{
    ksiTree *tree = &system->tree;
    KSI_TRY(ksiTreeFind(system, view));
    if (isKnown(tree, view)) {
        ksiTreeSweep(system, beta, applied);
        return KS_OK;
    }
    const Sides sides = {system, beta, applied};
    tree->fits = factorise(system, tree, ksiViewAt(view), &sides);
    tree->view = view;
    tree->known = 1;
    tree->relaxedKnown = 0;
    return tree->fits ? KS_OK : KS_ERROR_UNAVAILABLE;
}

ksStatus ksiTreeGet(ksSystem *system, ksiViewIndex view)
{
    KSI_TRY(ksiTreeFind(system, view));
    return isKnown(&system->tree, view) ? KS_OK : ksiTreeReduce(system, view, system->model.beta, NULL);
}
