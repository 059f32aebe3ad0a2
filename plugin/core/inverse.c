/* inverse.c  Finds the inverse of an island's equations at the entries of the factor, from the root
 * down (Takahashi, Fagan, Chen 1973). It contains the diagonal of (A + S)^-1. On a tree, this is
 * the backward pass of a smoother.
 *
 * Let `H` be the inverse of [D -B; -B^T -S]. Let `u` be the unknowns that are coupled with the
 * constraint `c` and eliminated after it. Then
 *
 *     H_cu = -P^-1 E H_uu,  H_cc = -P^-1 - H_cu E^T P^-1,  E = (F, B_p^T);  [(A + S)^-1]_cc = -H_cc
 *
 * and for the coordinates `y` of a body
 *
 *     H_yu = D^-1 (B K) H_uu,      H_yy = D^-1 + H_yu (B K)^T D^-1
 */
#include "kernel.h"

/* The size of a row is at least the size that it would have without the other rows. So the size is
 * not too small even if rounding has destroyed z. */
static void setSizes(ksiConstraint *c, const ksiEight *z)
{
    for (int l = 0; l < c->rows; l++)
        c->size2[l] = ksiLarger(1 / (c->length2[l] + c->compliance[l]), z[l].at[l]);
}

/* Known rows have no error. */
static void clearKnown(ksiConstraint *c)
{
    for (int l = 0; c->known >> l; l++)
        c->size2[l] = c->known >> l & 1u ? 0 : c->size2[l];
}

/* For a link on the path of no closing: computes z, the block of (A + S)^-1 for its rows, and then
 * H of its body. */
KSI_INLINE void invertLink(const int ROWS, const ksiCore *core, ksiCoreLink *link, bool isLeaf)
{
    ksiInverse *inverse = &core->inverse[link->joint.body];
    ksiConstraint *c = &link->joint;
    ksiEight z[6], sum[6], h[6], turned[6];
    EACH (i, 0, 6)
        clearEight(&sum[i]);
    if (c->top >= 0) {
        EACH (l, 0, ROWS)
            clearEight(&h[l]);
        multiply(ROWS, 6, 6, -1, c->above, core->inverse[c->top].body, h);
        substituteBack(ROWS, 6, c->pivot, c->pivotInverse, h);
        transposeEight(ROWS, 6, h, turned);
        multiply(ROWS, 6, ROWS, 1, c->above, turned, sum);
    }
    finishBlock(ROWS, c->pivot, c->pivotInverse, sum, z);
    setSizes(c, z);
    copyEight(ROWS, z, inverse->rows);
    if (isLeaf)
        return;
    EACH (i, 0, 6) {
        clearEight(&sum[i]);
        clearEight(&h[i]);
    }
    multiply(6, ROWS, ROWS, -1, link->across, z, h);
    substituteBack(6, ROWS, link->root, link->rootInverse, h);
    transposeEight(6, ROWS, h, turned);
    multiply(6, ROWS, 6, 1, link->across, turned, sum);
    finishBlock(6, link->root, link->rootInverse, sum, inverse->body);
}

/* The following functions are for joints on loops, with up to ROWS rows; rows beyond a joint's own
 * are zero. */

static ksiInverse *ofClosing(const ksiCore *core, int closing)
{
    return &core->inverse[core->links + closing];
}

static ksiInverse *ofCoupling(const ksiCore *core, int coupling)
{
    return &core->inverse[core->links + core->closings + coupling];
}

/* The block of H for the q-th and the r-th closing of a constraint, q < r. */
static const ksiEight *inverseOfPair(const ksiCore *core, const ksiConstraint *c, int q, int r)
{
    const int count = c->end - c->coupling;
    return ofCoupling(core, core->pair.at[c->pair + q * count - q * (q + 1) / 2 + r - q - 1])->rows;
}

/* sum += E_d H_dv over all closings d of the constraint; v is the r-th of them. */
KSI_INLINE void addClosings(const int COUNT, const int ROWS, const bool ON_BODY, const ksiCore *core,
                            const ksiConstraint *c, int r, ksiEight *sum)
{
    for (int q = 0; q < c->end - c->coupling; q++) {
        const ksiCoupling *a = &core->coupling[c->coupling + q];
        ksiEight turned[6];
        const ksiEight *h = turned;
        if (q == r)
            EACH (l, 0, 6)
                scaleEight(8, -1, &ofClosing(core, a->closing)->rows[l], &turned[l]);
        else if (q < r)
            h = inverseOfPair(core, c, q, r);
        else
            transposeEight(ROWS, ROWS, inverseOfPair(core, c, r, q), turned);
        multiply(COUNT, ROWS, 8, 1, ON_BODY ? a->body : a->rows, h, sum);
    }
}

/* The block of H for a closing and the body above: coordinates by rows. */
static const ksiEight *inverseAbove(const ksiCore *core, const ksiCoupling *a)
{
    return a->up < 0 ? ofClosing(core, -1 - a->up)->body : ofCoupling(core, a->up)->body;
}

/* Computes z, and the blocks of H that couple the rows with the body above ([6], rows by
 * coordinates) and with closings. */
KSI_INLINE void invertRows(const int ROWS, const ksiCore *core, ksiConstraint *c, ksiEight *z, ksiEight *above)
{
    ksiEight sum[6], turned[6];
    clearBlock(sum);
    clearBlock(above);
    if (c->top >= 0) {
        multiply(ROWS, 6, 6, -1, c->above, core->inverse[c->top].body, above);
        for (int q = c->coupling; q < c->end; q++) {
            transposeEight(6, ROWS, inverseAbove(core, &core->coupling[q]), turned);
            multiply(ROWS, ROWS, 6, -1, core->coupling[q].rows, turned, above);
        }
        substituteBack(ROWS, 6, c->pivot, c->pivotInverse, above);
        transposeEight(ROWS, 6, above, turned);
        multiply(ROWS, 6, ROWS, 1, c->above, turned, sum);
    }
    for (int q = c->coupling; q < c->end; q++) {
        const ksiCoupling *a = &core->coupling[q];
        ksiEight *h = ofCoupling(core, q)->rows;
        clearBlock(h);
        if (c->top >= 0)
            multiply(ROWS, 6, 8, 1, c->above, inverseAbove(core, a), h);
        addClosings(ROWS, ROWS, false, core, c, q - c->coupling, h);
        EACH (l, 0, ROWS)
            scaleEight(8, -1, &h[l], &h[l]);
        substituteBack(ROWS, 8, c->pivot, c->pivotInverse, h);
        transposeEight(ROWS, ROWS, h, turned);
        multiply(ROWS, ROWS, ROWS, 1, a->rows, turned, sum);
    }
    finishBlock(ROWS, c->pivot, c->pivotInverse, sum, z);
    setSizes(c, z);
}

/* Computes the blocks of H that couple the body with closings and with itself. */
KSI_INLINE void invertBody(const int ROWS, const ksiCore *core, const ksiCoreLink *link, const ksiEight *z)
{
    const ksiConstraint *c = &link->joint;
    ksiEight sum[6], h[6], turned[6];
    clearBlock(sum);
    clearBlock(h);
    multiply(6, ROWS, ROWS, -1, link->across, z, h);
    for (int q = c->coupling; q < c->end; q++) {
        transposeEight(ROWS, ROWS, ofCoupling(core, q)->rows, turned);
        multiply(6, ROWS, ROWS, 1, core->coupling[q].body, turned, h);
    }
    substituteBack(6, ROWS, link->root, link->rootInverse, h);
    transposeEight(6, ROWS, h, turned);
    multiply(6, ROWS, 6, 1, link->across, turned, sum);
    for (int q = c->coupling; q < c->end; q++) {
        ksiInverse *inverse = ofCoupling(core, q);
        clearBlock(inverse->body);
        multiply(6, ROWS, 8, 1, link->across, inverse->rows, inverse->body);
        addClosings(6, ROWS, true, core, c, q - c->coupling, inverse->body);
        substituteBack(6, 8, link->root, link->rootInverse, inverse->body);
        transposeEight(6, ROWS, inverse->body, turned);
        multiply(6, ROWS, 6, 1, core->coupling[q].body, turned, sum);
    }
    finishBlock(6, link->root, link->rootInverse, sum, core->inverse[c->body].body);
}

KSI_CLONES
static void invertRowsOnLoop(const ksiCore *core, ksiConstraint *c, ksiEight *z, ksiEight *above)
{
    clearBlock(z);
#define INVERT_ROWS(ROWS) invertRows(ROWS, core, c, z, above)
    KSI_CORE_BY_LOOPS(core, INVERT_ROWS);
}

KSI_CLONES
static void invertBodyOnLoop(const ksiCore *core, const ksiCoreLink *link, const ksiEight *z)
{
#define INVERT_BODY(ROWS) invertBody(ROWS, core, link, z)
    KSI_CORE_BY_LOOPS(core, INVERT_BODY);
}

KSI_CLONES
static void invertOnLoop(const ksiCore *core, ksiCoreLink *link, bool isLeaf)
{
    ksiEight *z = core->inverse[link->joint.body].rows, above[6];
    invertRowsOnLoop(core, &link->joint, z, above);
    if (!isLeaf)
        invertBodyOnLoop(core, link, z);
}

KSI_CLONES
static void invertClosing(const ksiCore *core, int index)
{
    ksiInverse *inverse = ofClosing(core, index);
    ksiEight above[6];
    invertRowsOnLoop(core, &core->closing[index].joint, inverse->rows, above);
    transposeEight(6, 6, above, inverse->body);
}

KSI_CLONES
void ksiCoreInverse(ksiCore *core)
{
    int next = core->closings;
    for (int i = -1; i < core->links; i++) {
        ksiCoreLink *link = i < 0 ? NULL : &core->link[i];
        // a child would follow in preorder; without a child, nothing reads H of the body
        const bool isLeaf = (i + 1 == core->links || core->link[i + 1].joint.partner != i);
        if (link && link->joint.end > link->joint.coupling) {
            invertOnLoop(core, link, isLeaf);
        } else if (link) {
#define INVERT(ROWS) invertLink(ROWS, core, link, isLeaf)
            KSI_CORE_BY_ROWS(link->joint.rows, INVERT)
        }
        for (; next > 0 && core->closing[next - 1].joint.top == i; next--)
            invertClosing(core, next - 1);
    }
    for (int i = 0; i < core->links + core->closings; i++)
        clearKnown(ksiCoreAt(core, i));
}
