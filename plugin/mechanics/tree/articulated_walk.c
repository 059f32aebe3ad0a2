/* articulated_walk.c  Finds the multipliers of a tree from its motion alone (Paulus 1910, (17)).
 *
 * The walk goes from the leaves to the root. The relaxed coordinate of a row moves the body beyond
 * the joint. The walk already has the multipliers of the joints beyond this body, which count as
 * applied forces (his concluding remark). With the remainder `x` of the motion of a body `c`,
 *
 *     x = y_c - y_f,c - sum of B_p lambda over the joints beyond
 *     (B_c^T B_c + S) lambda = B_c^T x + S lambda*
 *
 * where sqrt(S) lambda* is the motion of the slacks. lambda* are the multipliers of the least
 * constraint; they occur in no other term. The equation is solved for lambda - lambda*, so the
 * product B_c^T B_c costs no digits.
 *
 * The motion must also satisfy the rows. The walk measures the residual of each row,
 *
 *     beta - B_c^T y_c - B_p^T y_p - S lambda*
 *
 * Neither result contains a number of the factorisation. */
#include "../system_private.h"
#include "articulated_kernel.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SIX = KSI_SIX };

/* The motion of the outer body alone determines a row if this share of the row's square is
 * perpendicular to the other rows of the joint. Else the general files find the multipliers. */
#define LEAST_OWN 1e-10

/* The residuals of rows are rounding, at most this share of the motion. */
#define MOST_MISSED 1e-11

/* Multipliers may leave this share of all loads and of the motion unexplained: half of the limit in
 * the certificate of both methods (certificate.c). A tree that leaves more has lost digits. */
#define MOST_REST (128 * DBL_EPSILON)

typedef struct Walk {
    const ksiModel *model;
    ksiTree *tree;
    double (*remainder)[KSI_FILLED]; /* x of each link */
    double size2;                    /* square of the motion, true and applied */
    double load2;                    /* sum of squared loads, row by row */
    double rest2;                    /* square of the remainder that no multiplier explains */
    bool isSound;                    /* the outer bodies determine all rows, and the motion
                                        satisfies them */
} Walk;

/* The body of a joint [0] and its parent [1]: the motion, and the joint's first row. Rows of a
 * joint have the same blocks, and lie one after the other. */
typedef struct Joint {
    const double *y[2], *row[2];
    ptrdiff_t stride;
    double padded[SIX][2][SIX], moved[2][SIX]; /* copies, if a block has fewer than six
                                                  coordinates */
} Joint;

/* Pads the motion and the rows of both blocks with zeros. */
static void pad(const int size[2], int rows, Joint *joint)
{
    for (int side = 0; side < 2; side++) {
        const double *row = joint->row[side];
        for (int k = 0; k < SIX; k++) {
            joint->moved[side][k] = k < size[side] ? joint->y[side][k] : 0;
            for (int l = 0; l < rows; l++)
                joint->padded[l][side][k] = k < size[side] ? row[l * joint->stride + k] : 0;
        }
        joint->y[side] = joint->moved[side];
        joint->row[side] = joint->padded[0][side];
    }
    joint->stride = 2 * SIX;
}

KSI_INLINE void takeJoint(const Walk *walk, const ksiLink *link, Joint *joint)
{
    const ksiModel *model = walk->model;
    const int block[2] = {link->block, link->parent < 0 ? -1 : walk->tree->link[link->parent].block};
    const int first = link->row[0], last = link->row[link->count - 1];
    int size[2] = {0};
    for (int side = 0; side < 2; side++) {
        joint->y[side] = joint->row[side] = NULL;
        if (block[side] < 0)
            continue;
        size[side] = model->blockSize[block[side]];
        joint->y[side] = walk->tree->y + model->blockOffset[block[side]];
        joint->row[side] = model->entry + model->pieceEntry[model->rowPiece[first] + (side ^ link->side)];
    }
    joint->stride = size[0] + size[1];
    if (size[0] < SIX || size[1] < SIX)
        pad(size, last - first + 1, joint);
}

/* lambda - lambda* from the product and its right-hand side B_c^T (x - B_c lambda*) */
KSI_INLINE bool solve(const int ROWS, Row *product, Row *right, double *change)
{
    double whole[SIX], triangle[SIX][KSI_FILLED], inverse[SIX];
    bool isClear = true;
    EACH (l, 0, ROWS)
        whole[l] = lane(&product[l], l);
    EACH_DOWN (j, 0, ROWS) {
        Row r;
        const double found = lane(&product[j], j);
        isClear &= found > LEAST_OWN * whole[j];
        inverse[j] = 1 / found;
        change[j] = lane(right, j);
        scale(&r, inverse[j], &product[j], j);
        store(triangle[j], &r, j);
        subtract(right, change[j], &r, j);
        EACH_DOWN (k, 0, j)
            subtract(&product[k], lane(&r, k), &product[j], k);
    }
    EACH (j, 0, ROWS) {
        change[j] *= inverse[j];
        EACH (m, 0, j)
            change[j] -= triangle[j][m] * change[m];
    }
    return isClear;
}

/* Adds the square of the unexplained part of a body's remainder. */
KSI_INLINE void addRest(Walk *walk, const Row *rest)
{
    double x[KSI_FILLED];
    store(x, rest, SIX - 1);
    walk->rest2 += ksiDotSix(x, x);
}

/* J a of a row */
KSI_INLINE double along(const Joint *joint, ptrdiff_t at)
{
    const double *a = joint->row[0] + at, *b = joint->row[1] + at, *y = joint->y[0], *above = joint->y[1];
    const ksiFour four = *(const ksiFour *)a * *(const ksiFour *)y + *(const ksiFour *)b * *(const ksiFour *)above;
    const ksiTwo two = ksiFold(&four) + *(const ksiTwo *)(a + 4) * *(const ksiTwo *)(y + 4) +
                       *(const ksiTwo *)(b + 4) * *(const ksiTwo *)(above + 4);
    return two[0] + two[1];
}

KSI_INLINE void passIn(const int ROWS, Walk *walk, const ksiLink *link, const Joint *joint)
{
    // pointers are read once, since the compiler must assume that writes change them
    const double *compliance = walk->model->compliance, *beta = walk->model->beta, *multiplier = walk->tree->multiplier,
                 size2 = walk->size2;
    double *missed = walk->tree->missed, *walked = walk->tree->walked;
    double x[KSI_FILLED], change[SIX], *above = link->parent < 0 ? NULL : walk->remainder[link->parent];
    Row b[KSI_FILLED], e[SIX], product[SIX], right;
    bool isSound = true;
    load(&right, walk->remainder[link - walk->tree->link]);
    EACH (l, 0, ROWS) {
        const int row = link->row[l];
        const ptrdiff_t at = (row - link->row[0]) * joint->stride;
        const double s = compliance[row], lambda = multiplier[row];
        const double left = beta[row] - s * lambda - along(joint, at);
        missed[row] = left;
        walk->load2 += link->length2[l] * lambda * lambda;
        isSound &= left * left <= MOST_MISSED * MOST_MISSED * link->length2[l] * (size2 + s * lambda * lambda);
        loadSix(&b[l], joint->row[0] + at, 0);
        subtract(&right, lambda, &b[l], SIX - 1);
        makeUnit(&product[l], s, l);
    }
    store(x, &right, SIX - 1);
    transpose(b, ROWS, SIX - 1, e);
    clear(&right);
    EACH (i, 0, SIX) {
        EACH (j, 0, ROWS)
            add(&product[j], lane(&e[i], j), &e[i], j);
        add(&right, x[i], &e[i], ROWS - 1);
    }
    walk->isSound &= solve(ROWS, product, &right, change) & isSound;
    load(&right, x);
    EACH (l, 0, ROWS) {
        subtract(&right, change[l], &b[l], SIX - 1);
        change[l] += multiplier[link->row[l]];
        walked[link->row[l]] = change[l];
    }
    addRest(walk, &right);
    if (!above)
        return;
    load(&right, above);
    EACH (l, 0, ROWS) {
        loadSix(&b[l], joint->row[1] + (link->row[l] - link->row[0]) * joint->stride, 0);
        subtract(&right, change[l], &b[l], SIX - 1);
    }
    store(above, &right, SIX - 1);
}

KSI_CLONES
static void walkInwards(Walk *walk)
{
    const ksiTree *tree = walk->tree;
    const double *y = tree->y, *applied = tree->applied;
    for (int i = 0; i < tree->limbCount; i++) {
        const int block = tree->link[i].block, size = walk->model->blockSize[block];
        const double *at = y + walk->model->blockOffset[block], *free = applied + walk->model->blockOffset[block];
        Row x = {{{0}}}, force;
        for (int k = 0; size < SIX && k < size; k++)
            setLane(&x, k, at[k] - free[k]);
        if (size == SIX) {
            loadSix(&x, at, 0);
            loadSix(&force, free, 0);
            subtract(&x, 1, &force, SIX - 1);
        }
        store(walk->remainder[i], &x, KSI_FILLED - 1);
    }
    for (int i = tree->limbCount; i-- > 0;) {
        const ksiLink *link = &tree->link[i];
        Joint joint;
        if (link->count == 0) {
            Row rest;
            load(&rest, walk->remainder[i]);
            addRest(walk, &rest);
            continue;
        }
        takeJoint(walk, link, &joint);
#define CALL(ROWS) passIn(ROWS, walk, link, &joint)
        KSI_BY_ROWS(link->count, CALL)
    }
}

ksStatus ksiTreeWalk(ksSystem *system)
{
    ksiTree *tree = &system->tree;
    const size_t rows = (size_t)system->model.rowCount, coordinates = (size_t)system->model.coordinateCount;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &tree->walked, rows));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &tree->missed, rows));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &tree->spread, (size_t)tree->limbCount * SIX * KSI_FILLED));
    if (tree->rowCount < system->model.rowCount) {
        ksiCopy(rows, tree->multiplier, tree->walked);
        memset(tree->missed, 0, rows * sizeof *tree->missed);
    }
    Walk walk = {.model = &system->model,
                 .tree = tree,
                 .remainder = (double(*)[KSI_FILLED])tree->spread,
                 .size2 = ksiDot(coordinates, tree->y, tree->y) + ksiDot(coordinates, tree->applied, tree->applied),
                 .isSound = true};
    walkInwards(&walk);
    tree->rest = sqrt(walk.rest2);
    tree->fits = tree->isWalked = walk.isSound && tree->rest <= MOST_REST * sqrt(walk.size2 + walk.load2);
    return tree->fits ? KS_OK : KS_ERROR_UNAVAILABLE;
}
