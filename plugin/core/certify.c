/* certify.c  Finds the errors of solutions. The residuals come from rows and forces alone, not from
 * the factor.
 *
 * The multipliers `lambda` make the motion a = y_f + B lambda. Their residual is
 *
 *     r = beta - B^T a - S lambda
 *
 * They are the solution if and only if `r` is zero. Otherwise their error is `Delta`:
 *
 *     (A + S) Delta = r                                                                         (4)
 *     |Delta_l| <= |w_l| (r^T (A + S)^-1 r)^1/2,      |w_l|^2 = [(A + S)^-1]_ll
 *
 * If the parts of `r` are uncorrelated, the square of the last factor is the sum of |w_l|^2 r_l^2.
 */
#include "kernel.h"

#include <float.h>

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

/* t := r. Adds size2 r^2 to missed2, and size2 times the squares of the terms of r to rounding2. */
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
    ksiCertificate sum = {.missed2 = {0}};
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
    for (int i = 0; i < core->links + core->closings; i++) {
        ksiConstraint *c = i < core->links ? &core->link[i].joint : &core->closing[i - core->links].joint;
#define CHECK(ROWS) addResidual(ROWS, core, c, &sum)
        KSI_CORE_BY_ROWS(c->rows, CHECK)
    }
    sum.rounding2 *= DBL_EPSILON * DBL_EPSILON;
    *found = sum;
}
