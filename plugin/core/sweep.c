/* sweep.c  Solves an island's equations for four right-hand sides by the factor: from the leaves to
 * the root, and back. The symbols are those of factor.c; `g` is the reduced force on a body.
 *
 *     t = beta - B_c^T D^-1 g,       g_p += B_p P^-1 t,       t_d -= K^T D^-1 g + F^T P^-1 t
 *     P lambda = t - B_p^T y_p - F lambda_d,               D y = g + B_c lambda + K lambda_d    (3)
 */
#include "kernel.h"

/* y -= times x, in four columns. */
KSI_INLINE void take(ksiFour *y, double times, const ksiFour *x)
{
    *y -= times * *x;
}

/* t := L^-1 t, with P = L D L^T. Adds B_p P^-1 t to the body above. */
KSI_INLINE void reduceRows(const int ROWS, ksiCore *core, ksiConstraint *c, ksiFour *t)
{
    ksiFour *g = c->top < 0 ? NULL : core->link[c->top].g;
    EACH (j, 0, ROWS) {
        const ksiFour s = t[j] * c->pivotInverse[j];
        EACH (i, j + 1, ROWS)
            take(&t[i], c->pivot[j].at[i], &s);
        c->t[j] = t[j];
        if (g)
            EACH (i, 0, 6)
                g[i] += c->above[j].at[i] * s;
    }
}

KSI_INLINE void reduceLink(const int ROWS, ksiCore *core, ksiCoreLink *link)
{
    ksiConstraint *c = &link->joint;
    ksiFour g[6], t[6];
    EACH (i, 0, 6)
        g[i] = link->g[i];
    EACH (l, 0, ROWS)
        t[l] = c->t[l];
    EACH (j, 0, 6) {
        const ksiFour s = g[j] * link->rootInverse[j];
        EACH (i, j + 1, 6)
            take(&g[i], link->root[j].at[i], &s);
        EACH (l, 0, ROWS)
            take(&t[l], link->across[j].at[l], &s);
        link->g[j] = g[j];
    }
    reduceRows(ROWS, core, c, t);
}

/* t := the solution, 0 for known rows; lambda of the others := t. */
KSI_INLINE void solveRows(const int ROWS, const ksiCore *core, ksiConstraint *c, ksiFour *t)
{
    EACH (l, 0, ROWS)
        t[l] = c->t[l];
    if (c->top >= 0) {
        const ksiFour *y = core->link[c->top].y;
        EACH (l, 0, ROWS)
            EACH (i, 0, 6)
                take(&t[l], c->above[l].at[i], &y[i]);
    }
    EACH_DOWN (j, 0, ROWS) {
        EACH (i, j + 1, ROWS)
            take(&t[j], c->pivot[j].at[i], &t[i]);
        t[j] *= c->pivotInverse[j];
    }
    if (c->known)
        EACH (l, 0, ROWS)
            c->lambda[l] = t[l] + (c->known >> l & 1u ? c->lambda[l] : (ksiFour){0});
    else
        EACH (l, 0, ROWS)
            c->lambda[l] = t[l];
}

KSI_INLINE void solveBody(const int ROWS, ksiCoreLink *link, const ksiFour *t)
{
    ksiFour y[6];
    EACH (j, 0, 6) {
        y[j] = link->g[j];
        EACH (l, 0, ROWS)
            y[j] += link->across[j].at[l] * t[l];
    }
    EACH_DOWN (j, 0, 6) {
        EACH (i, j + 1, 6)
            take(&y[j], link->root[j].at[i], &y[i]);
        y[j] *= link->rootInverse[j];
    }
    EACH (j, 0, 6)
        link->y[j] = y[j];
}

/* Adds the contributions of a link's body (link NULL: none) and of rows to the right-hand sides of
 * closings. ROWS: as in factor.c. */
KSI_INLINE void reduceLoops(const int ROWS, ksiCore *core, const ksiConstraint *c, const ksiCoreLink *link)
{
    for (int q = c->coupling; q < c->end; q++) {
        const ksiCoupling *a = &core->coupling[q];
        ksiFour *t = core->closing[a->closing].joint.t, sum[6];
        EACH (l, 0, ROWS)
            sum[l] = t[l];
        EACH (j, 0, ROWS) {
            const ksiFour s = c->t[j] * c->pivotInverse[j];
            EACH (l, 0, ROWS)
                take(&sum[l], a->rows[j].at[l], &s);
        }
        if (link)
            EACH (j, 0, 6) {
                const ksiFour s = link->g[j] * link->rootInverse[j];
                EACH (l, 0, ROWS)
                    take(&sum[l], a->body[j].at[l], &s);
            }
        EACH (l, 0, ROWS)
            t[l] = sum[l];
    }
}

KSI_CLONES
static void reduceClosings(ksiCore *core, const ksiConstraint *c, const ksiCoreLink *link)
{
#define REDUCE_LOOPS(ROWS) reduceLoops(ROWS, core, c, link)
    KSI_CORE_BY_LOOPS(core, REDUCE_LOOPS);
}

/* Adds the contributions of the multipliers of closings to g of a link's body and t of rows. */
KSI_INLINE void addLoops(const int ROWS, const ksiCore *core, ksiConstraint *c, ksiCoreLink *link)
{
    for (int q = c->coupling; q < c->end; q++) {
        const ksiCoupling *a = &core->coupling[q];
        ksiFour lambda[6];
        EACH (l, 0, ROWS)
            lambda[l] = core->closing[a->closing].joint.t[l];
        EACH (j, 0, ROWS) {
            ksiFour sum = c->t[j];
            EACH (l, 0, ROWS)
                take(&sum, a->rows[j].at[l], &lambda[l]);
            c->t[j] = sum;
        }
        if (link)
            EACH (j, 0, 6) {
                ksiFour sum = link->g[j];
                EACH (l, 0, ROWS)
                    sum += a->body[j].at[l] * lambda[l];
                link->g[j] = sum;
            }
    }
}

KSI_CLONES
static void addClosings(const ksiCore *core, ksiConstraint *c, ksiCoreLink *link)
{
#define ADD_LOOPS(ROWS) addLoops(ROWS, core, c, link)
    KSI_CORE_BY_LOOPS(core, ADD_LOOPS);
}

KSI_INLINE void solveLink(const int ROWS, const ksiCore *core, ksiCoreLink *link)
{
    ksiFour t[6];
    solveRows(ROWS, core, &link->joint, t);
    solveBody(ROWS, link, t);
}

/* Solves for the right-hand sides in g and t. */
KSI_CLONES
static void solve(ksiCore *core)
{
    int next = 0;
    for (int i = core->links; i-- > -1;) {
        for (; next < core->closings && core->closing[next].joint.top == i; next++) {
            reduceRows(6, core, &core->closing[next].joint, core->closing[next].joint.t);
            reduceClosings(core, &core->closing[next].joint, NULL);
        }
        if (i < 0)
            break;
        ksiCoreLink *link = &core->link[i];
#define REDUCE(ROWS) reduceLink(ROWS, core, link)
        KSI_CORE_BY_ROWS(link->joint.rows, REDUCE)
        if (link->joint.end > link->joint.coupling)
            reduceClosings(core, &link->joint, link);
    }
    for (int i = -1; i < core->links; i++) {
        if (i >= 0) {
            ksiCoreLink *link = &core->link[i];
            if (link->joint.end > link->joint.coupling)
                addClosings(core, &link->joint, link);
#define SOLVE(ROWS) solveLink(ROWS, core, link)
            KSI_CORE_BY_ROWS(link->joint.rows, SOLVE)
        }
        for (; next > 0 && core->closing[next - 1].joint.top == i; next--) {
            ksiConstraint *c = &core->closing[next - 1].joint;
            ksiFour t[6];
            addClosings(core, c, NULL);
            solveRows(6, core, c, t);
            EACH (l, 0, 6)
                c->t[l] = t[l];
        }
    }
}

/* Adds the reactions of known multipliers to g of both bodies. */
KSI_CLONES
static void applyKnown(ksiCore *core, ksiConstraint *c)
{
    for (int l = 0; c->known >> l; l++) {
        const ksiFour lambda = c->lambda[l];
        if (!(c->known >> l & 1u))
            continue;
        EACH (k, 0, 6)
            core->link[c->body].g[k] += c->own[k].at[l] * lambda;
        if (c->partner >= 0)
            EACH (k, 0, 6)
                core->link[c->partner].g[k] += c->other[l].at[k] * lambda;
    }
}

KSI_CLONES
void ksiCoreSweep(ksiCore *core)
{
    for (int i = 0; i < core->links; i++) {
        ksiCoreLink *link = &core->link[i];
        EACH (k, 0, 6) {
            link->g[k] = link->force[k];
            link->joint.t[k] = link->joint.beta[k];
        }
        if (link->joint.known)
            applyKnown(core, &link->joint);
    }
    for (int k = 0; k < core->closings; k++) {
        ksiConstraint *c = &core->closing[k].joint;
        EACH (l, 0, 6)
            c->t[l] = c->beta[l];
        if (c->known)
            applyKnown(core, c);
    }
    solve(core);
}

KSI_CLONES
void ksiCoreClearForces(ksiCore *core)
{
    for (int i = 0; i < core->links; i++)
        EACH (k, 0, 6)
            core->link[i].force[k] = (ksiFour){0};
}

KSI_CLONES
void ksiCoreSweepResidual(ksiCore *core)
{
    for (int i = 0; i < core->links + core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++) {
            c->beta[l] = c->t[l];
            c->lambda[l] = (ksiFour){0};
        }
    }
    ksiCoreClearForces(core);
    ksiCoreSweep(core);
}
