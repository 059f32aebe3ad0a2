/* certify.c  Errors of solutions, computed from rows and forces alone, not from the factor.
 *
 * Multipliers lambda make the motion a = y_f + B lambda. They are the solution if and only if
 *
 *     r = beta - B^T a - S lambda = 0,     else they are off by Delta,  (A + S) Delta = r,      (4)
 *
 * and |Delta_l| <= |w_l| (r^T (A + S)^-1 r)^1/2, |w_l|^2 = [(A + S)^-1]_ll. For uncorrelated parts
 * of r, the square of the last factor is the sum of |w_l|^2 r_l^2.
 *
 * Paulus's reaction of a joint follows from a relaxed coordinate that moves only the branch beyond
 * the joint. All other joints of the branch hold, so the branch moves with the body, and M a - f is
 * accumulated from the leaves: q of a body is y - y_f minus the known reactions of the joints
 * beyond it.
 *
 *     lambda = W^T q,       B_c^T W = 1,     q_p -= B_p lambda                                  (5)
 *
 * These are his (17), (18) for all joints in one pass. W is the shortest such matrix. Reactions of
 * joints that close loops, and of joints whose rows depend on each other in the body alone, count
 * as known, as in his last remark.
 */
#include "kernel.h"

#include <float.h>
#include <math.h>

/* Least share of a row's square that is independent of the joint's other rows, in the body
 * alone. */
static const double share = 1e-8;

/* One direction w of the body for each row, B^T w = 1: row by coordinates. */
KSI_INLINE void relaxRows(const int ROWS, ksiConstraint *c, ksiEight *x)
{
    ksiEight triangle[6], weighed[6];
    double inverse[8], least[8];
    EACH (l, 0, ROWS)
        clearEight(&triangle[l]);
    addSquare(6, ROWS, 1, c->own, c->own, triangle);
    EACH (l, 0, ROWS)
        least[l] = share * triangle[l].at[l];
    c->unrelaxed = factorEight(ROWS, triangle, inverse, least);
    // (B^T B)^-1 B^T
    transposeEight(6, ROWS, c->own, x);
    substituteEight(ROWS, 6, triangle, inverse, x, x, weighed);
    substituteBack(ROWS, 6, triangle, inverse, x);
}

KSI_INLINE void relaxJoint(const int ROWS, ksiCore *core, ksiConstraint *c)
{
    const ksiFour *q = core->link[c->body].g;
    ksiFour *other = c->partner < 0 ? NULL : core->link[c->partner].g;
    ksiEight relaxed[6];
    relaxRows(ROWS, c, relaxed);
    EACH (l, 0, ROWS) {
        ksiFour lambda = relaxed[l].at[0] * q[0];
        EACH (i, 1, 6)
            lambda += relaxed[l].at[i] * q[i];
        c->t[l] = lambda;
    }
    const ksiFour *known = c->t;
    if (c->unrelaxed) {
        known = c->lambda;
        for (int l = 0; l < c->rows; l++)
            c->t[l] = (ksiFour){NAN, NAN, NAN, NAN};
    }
    if (other)
        EACH (l, 0, ROWS)
            EACH (i, 0, 6)
                other[i] -= c->other[l].at[i] * known[l];
}

KSI_CLONES
void ksiCorePaulus(ksiCore *core)
{
    for (int i = 0; i < core->links; i++)
        EACH (k, 0, 6)
            core->link[i].g[k] = core->link[i].y[k] - core->link[i].force[k];
    for (int k = 0; k < core->closings; k++) {
        const ksiConstraint *c = &core->closing[k].joint;
#define TAKE(ROWS) addReaction(ROWS, core, c, c->lambda, -1)
        KSI_CORE_BY_ROWS(c->rows, TAKE)
    }
    for (int i = core->links; i-- > 0;) {
        ksiConstraint *c = &core->link[i].joint;
#define RELAX_JOINT(ROWS) relaxJoint(ROWS, core, c)
        KSI_CORE_BY_ROWS(c->rows, RELAX_JOINT)
    }
}

/* Adds the reaction of a joint to g of its bodies, and the squares of its terms to terms2. */
KSI_INLINE void addTerms(const int ROWS, ksiCore *core, const ksiConstraint *c)
{
    ksiFour own2 = {0};
    addReaction(ROWS, core, c, c->lambda, 1);
    EACH (l, 0, ROWS)
        own2 += c->length2[l] * c->lambda[l] * c->lambda[l];
    core->link[c->body].terms2 += own2;
    if (c->partner >= 0)
        core->link[c->partner].terms2 += own2;
}

/* t := r. Adds the squares of r, and the squares of its terms, times size2. */
KSI_INLINE void addResidual(const int ROWS, const ksiCore *core, ksiConstraint *c, ksiCertificate *found)
{
    const ksiCoreLink *link = &core->link[c->body], *partner = c->partner < 0 ? NULL : &core->link[c->partner];
    double size2 = 0;
    EACH (l, 0, ROWS) {
        const ksiFour given = c->compliance[l] * c->lambda[l];
        ksiFour r = c->beta[l] - given;
        EACH (i, 0, 6)
            r -= c->own[i].at[l] * link->g[i];
        if (partner)
            EACH (i, 0, 6)
                r -= c->other[l].at[i] * partner->g[i];
        c->t[l] = r;
        found->missed2 += c->size2[l] * r * r;
        found->rounding2 += c->size2[l] * (c->beta[l] * c->beta[l] + given * given);
        size2 += c->size2[l] * c->length2[l];
    }
    found->rounding2 += size2 * link->terms2;
    if (partner)
        found->rounding2 += size2 * partner->terms2;
}

KSI_CLONES
void ksiCoreCertify(ksiCore *core, ksiCertificate *found)
{
    ksiCertificate sum = {.moved2 = {0}};
    for (int i = 0; i < core->links; i++) {
        ksiCoreLink *link = &core->link[i];
        link->terms2 = (ksiFour){0};
        addSquares(link->force, 1, &link->terms2);
        EACH (k, 0, 6)
            link->g[k] = link->force[k];
    }
    for (int i = 0; i < core->links + core->closings; i++) {
        const ksiConstraint *c = i < core->links ? &core->link[i].joint : &core->closing[i - core->links].joint;
#define ADD(ROWS) addTerms(ROWS, core, c)
        KSI_CORE_BY_ROWS(c->rows, ADD)
    }
    for (int i = 0; i < core->links; i++) {
        const ksiCoreLink *link = &core->link[i];
        ksiFour moved[6];
        EACH (k, 0, 6)
            moved[k] = link->g[k] - link->y[k];
        addSquares(moved, 1, &sum.moved2);
        sum.terms2 += link->terms2;
    }
    for (int i = 0; i < core->links + core->closings; i++) {
        ksiConstraint *c = i < core->links ? &core->link[i].joint : &core->closing[i - core->links].joint;
#define CHECK(ROWS) addResidual(ROWS, core, c, &sum)
        KSI_CORE_BY_ROWS(c->rows, CHECK)
    }
    sum.terms2 *= DBL_EPSILON * DBL_EPSILON;
    sum.rounding2 *= DBL_EPSILON * DBL_EPSILON;
    *found = sum;
}

void ksiCoreSettle(ksiCore *core, int columns, ksiCertificate *found)
{
    enum { MOST = 2 };
    ksiCoreCertify(core, found);
    for (int tries = 0; tries < MOST; tries++) {
        bool isRounding = true;
        // moved2 compares two motions, each with a rounding error
        for (int k = 0; k < columns; k++)
            isRounding &= found->missed2[k] <= found->rounding2[k] && found->moved2[k] <= 4 * found->terms2[k];
        if (isRounding)
            return;
        ksiCoreRefine(core);
        ksiCoreCertify(core, found);
    }
}
