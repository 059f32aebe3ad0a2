/* factor.c  Factors the equations of an island: see core.h.
 *
 * Body `c` has the block `D` (6 x 6) after everything beyond it is eliminated. Its joint has the
 * rows `B_c` in the body and `B_p` in the parent. The coupling of a closing with this link is `K`.
 *
 *     P = B_c^T D^-1 B_c + S,      F = B_c^T D^-1 K,       P lambda + F lambda_d + B_p^T y_p = t
 *     D_p += B_p P^-1 B_p^T,   K_p -= B_p P^-1 F,    C_de += K_d^T D^-1 K_e - F_d^T P^-1 F_e    (2)
 *
 * C_de is the block of the closings `d` and `e`. For a closing, P is C_cc, and B_p is its coupling
 * with the common ancestor.
 *
 * With large mass ratios and long branches, the sums of `D` lose digits. Orthogonal updates of a
 * root of `D` would lose as many digits. ksiCoreCertify detects the loss, and a sweep of its
 * residuals would repair it.
 */
#include "kernel.h"

#include <math.h>

#include <string.h>

/* Tolerances, as shares of a row's square. independent: largest squared motion of the body above
 * that a row without a pivot causes. beyond: least pivot; ten thousand links in a line leave a
 * pivot of 1e-14 |b_l|^2 without a loss of digits. rounding: rounding error of a pivot. */
static const double independent = 1e-8, beyond = 1e-18, rounding = 1e-14;

/* The kind of factorisation; {0}: the equations of motion. isKinematic: in the kinematic metric.
 * isRank: only rigid rows, to find their rank. isSigned: pivots of any sign are accepted. */
typedef struct Kind {
    bool isKinematic, isRank, isSigned, isWhole; /* isWhole: rigid redundant rows are included */
    double share;                                /* a row is dependent if its pivot is below this
                                                    share of its square */
} Kind;

/* Squared lengths of the rows in the metric of the factorisation. */
static const double *lengths(const ksiConstraint *c, Kind kind)
{
    return kind.isKinematic ? c->unit2 : c->length2;
}

/* Sets the least pivots, from the rows' squares before elimination. INFINITY: the row has no pivot.
 * Returns the rows without an equation, which do not count as dependent: bits. */
KSI_INLINE unsigned setLeast(const int ROWS, Kind kind, const ksiConstraint *c, const double *whole, double *least)
{
    const double *length2 = lengths(c, kind);
    unsigned soft = 0;
    EACH (l, 0, ROWS)
        soft |= (unsigned)(c->compliance[l] > 0) << l;
    const unsigned leftOut = c->known | (kind.isRank ? soft : 0),
                   out = leftOut | (kind.isRank || kind.isKinematic || kind.isWhole ? 0 : c->redundant & ~soft);
    if (kind.isSigned)
        EACH (l, 0, ROWS)
            least[l] = length2[l] > 0 ? -INFINITY : INFINITY;
    else
        EACH (l, 0, ROWS)
            least[l] = kind.share * whole[l] + beyond * length2[l];
    for (int l = 0; out >> l; l++)
        least[l] = out >> l & 1u ? INFINITY : least[l];
    return leftOut;
}

/* Do the rows without a pivot leave the body above at rest? Couplings with closings need no test: C
 * is positive semidefinite, so a coupling is at most the root of the product of both pivots. */
static bool areDependent(const ksiCore *core, const ksiConstraint *c, Kind kind)
{
    const double *length2 = lengths(c, kind);
    const double weight2 = kind.isKinematic && c->top >= 0 ? core->link[c->top].weight2 : 1;
    for (int l = 0; c->top >= 0 && l < c->rows; l++)
        if (c->dependent >> l & 1u && !(weight2 * dotEight(&c->above[l], &c->above[l]) <= independent * length2[l]))
            return false;
    return true;
}

KSI_INLINE bool settle(const ksiCore *core, ksiConstraint *c, Kind kind)
{
    if (kind.isRank)
        c->redundant = c->dependent;
    return c->dependent == 0 || areDependent(core, c, kind);
}

/* Adds the contribution of eliminated rows, C -= F^T P^-1 F, or of a body, C += K^T D^-1 K, to the
 * equations of closings with up to ROWS rows. */
KSI_INLINE void addPairs(const int COUNT, const int ROWS, const double TIMES, ksiCore *core, const ksiConstraint *c,
                         const double *inverse)
{
    const bool ON_BODY = TIMES > 0;
    const int *pair = core->pair.at + c->pair;
    for (int q = c->coupling; q < c->end; q++) {
        const ksiEight *left = ON_BODY ? core->coupling[q].body : core->coupling[q].rows;
        ksiEight weighed[6];
        EACH (i, 0, COUNT)
            scaleEight(8, inverse[i], &left[i], &weighed[i]);
        addSquare(COUNT, ROWS, TIMES, left, weighed, core->closing[core->coupling[q].closing].joint.pivot);
        for (int r = q + 1; r < c->end; r++) {
            const ksiEight *right = ON_BODY ? core->coupling[r].body : core->coupling[r].rows;
            addProduct(COUNT, ROWS, 8, TIMES, weighed, right, core->coupling[*pair++].rows);
        }
    }
}

/* Eliminates the couplings of closings: with a link's body (link NULL: there is none), and then
 * with the rows of c, whose P and B_p are already factored. No joint of a loop has more than ROWS
 * rows; rows beyond a joint's own are zero. */
KSI_INLINE void carryRows(const int ROWS, ksiCore *core, const ksiConstraint *c, const ksiCoreLink *link)
{
    ksiEight weighed[6];
    for (int q = c->coupling; q < c->end; q++) {
        ksiCoupling *a = &core->coupling[q];
        if (link) {
            substituteEight(6, 8, link->root, link->rootInverse, a->body, a->body, weighed);
            EACH (l, 0, ROWS)
                clearEight(&a->rows[l]);
            addProduct(6, ROWS, 8, 1, link->across, weighed, a->rows);
        }
        substituteEight(ROWS, 8, c->pivot, c->pivotInverse, a->rows, a->rows, weighed);
        if (c->top >= 0)
            addProduct(ROWS, 6, 8, -1, c->above, weighed,
                       a->up < 0 ? core->closing[-1 - a->up].top : core->coupling[a->up].body);
    }
    if (link)
        addPairs(6, ROWS, 1, core, c, link->rootInverse);
    addPairs(ROWS, ROWS, -1, core, c, c->pivotInverse);
}

KSI_CLONES
static void carry(ksiCore *core, const ksiConstraint *c, const ksiCoreLink *link)
{
#define CARRY(ROWS) carryRows(ROWS, core, c, link)
    KSI_CORE_BY_LOOPS(core, CARRY);
}

/* Factors P, eliminates B_p, and adds the result to D of the body above. */
KSI_INLINE void factorRows(const int ROWS, ksiCore *core, ksiConstraint *c, const ksiEight *above, const double *least)
{
    ksiEight weighed[6];
    EACH (l, ROWS, 6)
        c->pivotInverse[l] = 0;
    c->dependent = factorEight(ROWS, c->pivot, c->pivotInverse, least);
    if (c->top < 0)
        return;
    substituteEight(ROWS, 6, c->pivot, c->pivotInverse, above, c->above, weighed);
    addSquare(ROWS, 6, 1, c->above, weighed, core->link[c->top].root);
}

KSI_INLINE bool factorLink(const int ROWS, ksiCore *core, ksiCoreLink *link, Kind kind)
{
    ksiConstraint *c = &link->joint;
    ksiEight weighed[6];
    double whole[8], least[8];
    factorEight(6, link->root, link->rootInverse, NULL);
    substituteEight(6, ROWS, link->root, link->rootInverse, c->own, link->across, weighed);
    EACH (l, 0, ROWS)
        clearEight(&c->pivot[l]);
    addSquare(6, ROWS, 1, link->across, weighed, c->pivot);
    EACH (l, 0, ROWS) {
        whole[l] = c->pivot[l].at[l] + c->compliance[l];
        c->pivot[l].at[l] = whole[l];
    }
    const unsigned leftOut = setLeast(ROWS, kind, c, whole, least);
    factorRows(ROWS, core, c, c->other, least);
    c->dependent &= ~leftOut;
    if (c->end > c->coupling)
        carry(core, c, link);
    return settle(core, c, kind);
}

/* For up to six rows; rows beyond the joint's own are zero. */
KSI_CLONES
static bool factorClosing(ksiCore *core, ksiClosing *closing, Kind kind)
{
    ksiConstraint *c = &closing->joint;
    ksiEight above[6];
    double least[8];
    EACH (l, 0, 6)
        c->pivot[l].at[l] += c->compliance[l];
    const unsigned leftOut = setLeast(6, kind, c, lengths(c, kind), least);
    transposeEight(6, 6, closing->top, above);
    factorRows(6, core, c, above, least);
    c->dependent &= ((1u << c->rows) - 1) & ~leftOut;
    if (c->end > c->coupling)
        carry(core, c, NULL);
    return settle(core, c, kind);
}

/* D := 1; in the kinematic metric 1/m. */
KSI_INLINE void beginLink(ksiCoreLink *link, Kind kind)
{
    const double own = kind.isKinematic ? 1 / link->weight2 : 1;
    EACH (k, 0, 6) {
        clearEight(&link->root[k]);
        link->root[k].at[k] = own;
    }
}

/* Clears all blocks and finds loopRows. */
KSI_INLINE void begin(ksiCore *core, Kind kind)
{
    core->loopRows = 0;
    for (int i = 0; i < core->links; i++) {
        ksiCoreLink *link = &core->link[i];
        beginLink(link, kind);
        if (link->joint.end > link->joint.coupling && link->joint.rows > core->loopRows)
            core->loopRows = link->joint.rows;
        for (int q = link->joint.coupling; q < link->joint.end; q++)
            clearBlock(core->coupling[q].body);
    }
    for (int k = 0; k < core->closings; k++) {
        ksiClosing *closing = &core->closing[k];
        core->loopRows = closing->joint.rows > core->loopRows ? closing->joint.rows : core->loopRows;
        clearBlock(closing->top);
        clearBlock(closing->joint.pivot);
        for (int q = closing->joint.coupling; q < closing->joint.end; q++)
            clearBlock(core->coupling[q].rows);
    }
}

/* Sets K of a closing with its two bodies, one of which may be the common ancestor. */
KSI_INLINE void couple(ksiCore *core, int index)
{
    const ksiConstraint *c = &core->closing[index].joint;
    copyEight(6, c->own, ksiCoreCoupled(core, index, c->body));
    if (c->partner >= 0)
        transposeEight(6, 6, c->other, ksiCoreCoupled(core, index, c->partner));
}

KSI_CLONES
static ksStatus factor(ksiCore *core, Kind kind)
{
    core->isRigid = kind.isRank && !kind.isKinematic;
    begin(core, kind);
    for (int k = 0; k < core->closings; k++)
        couple(core, k);
    int next = 0;
    for (int i = core->links; i-- > -1;) {
        bool fits = true;
        for (; fits && next < core->closings && core->closing[next].joint.top == i; next++) {
            ksiClosing *closing = &core->closing[next];
            core->culprit = closing->joint.joint;
            fits = factorClosing(core, closing, kind);
        }
        if (fits && i >= 0) {
            ksiCoreLink *link = &core->link[i];
            core->culprit = link->joint.joint;
#define LINK(ROWS) fits = factorLink(ROWS, core, link, kind)
            KSI_CORE_BY_ROWS(link->joint.rows, LINK)
        }
        if (!fits)
            return KS_ERROR_UNAVAILABLE;
    }
    return KS_OK;
}

ksStatus ksiCoreFactor(ksiCore *core)
{
    return factor(core, (Kind){.share = rounding});
}

ksStatus ksiCoreFactorWhole(ksiCore *core)
{
    return factor(core, (Kind){.share = rounding, .isWhole = true});
}

/* Sets |sqrt(m) b_l| and its square. Returns whether any row is compliant. */
static bool findUnits(const ksiCore *core, ksiConstraint *c)
{
    const double other = c->partner < 0 ? 0 : core->link[c->partner].weight2;
    ksiEight own2 = {.at = {0}};
    bool isSoft = false;
    for (int i = 0; i < 6; i++)
        for (int v = 0; v < 2; v++)
            own2.half[v] += c->own[i].half[v] * c->own[i].half[v];
    for (int l = 0; l < c->rows; l++) {
        c->unit2[l] = core->link[c->body].weight2 * own2.at[l] + other * dotEight(&c->other[l], &c->other[l]);
        c->unit[l] = sqrt(c->unit2[l]);
        isSoft |= c->compliance[l] > 0;
    }
    return isSoft;
}

bool ksiCoreMeasure(ksiCore *core)
{
    bool isSoft = false;
    for (int i = 0; i < core->links + core->closings; i++)
        isSoft |= findUnits(core, ksiCoreAt(core, i));
    return isSoft;
}

ksStatus ksiCoreRank(ksiCore *core, double least)
{
    // with equal masses, the kinematic metric is a multiple of the metric of the equations
    bool isRigid = !ksiCoreMeasure(core);
    for (int i = 0; i < core->links; i++)
        isRigid &= core->link[i].weight2 == core->link[0].weight2;
    return factor(core, (Kind){.isKinematic = !isRigid, .isRank = true, .share = least});
}

ksStatus ksiCoreFactorKinematic(ksiCore *core)
{
    return factor(core, (Kind){.isKinematic = true, .share = rounding});
}

/* Counts the eigenvalues of B^T B, for unit rows B, below bound^2. By Sylvester's law of inertia
 * these are the negative pivots of rows minus the negative pivots of bodies. -1: some pivot is
 * zero. */
static int countSigns(const ksiCore *core)
{
    int count = 0;
    double sum = 0;
    for (int i = 0; i < core->links; i++)
        for (int k = 0; k < 6; k++) {
            count -= core->link[i].rootInverse[k] < 0;
            sum += core->link[i].rootInverse[k];
        }
    for (int i = 0; i < core->links + core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++) {
            count += c->pivotInverse[l] < 0;
            sum += c->pivotInverse[l];
        }
    }
    return isfinite(sum) ? count : -1;
}

int ksiCoreCountBelow(ksiCore *core, double bound)
{
    for (int i = 0; i < core->links + core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++)
            c->compliance[l] = -bound * bound * c->unit2[l];
    }
    return factor(core, (Kind){.isKinematic = true, .isSigned = true}) ? -1 : countSigns(core);
}
