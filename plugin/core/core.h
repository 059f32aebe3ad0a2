/* core.h  One island of rigid bodies and joints: a block L D L^T of its equations, in the order of
 * a tree.
 *
 * In coordinates scaled by the masses, M = L L^T, y = L^T a, b_l = L^-1 J_l^T, the equations of
 * motion are
 *
 *     D y = y_f + B lambda,      B^T y + S lambda = beta,      D = 1                                           (1)
 *
 * and the reaction of row l is b_l lambda_l. A spanning tree gives each body a link: the body, and
 * the joint towards the root. Bodies are eliminated from the leaves to the root, each before its
 * joint, as articulated bodies are (Featherstone 1983, Baraff 1996). Each joint that closes a loop
 * is carried up both paths and eliminated at the common ancestor.
 *
 *     ksiCorePlan      tree, order and pattern; does nothing while the same joints join the same bodies
 *     ksiCoreSetRow    rows, once a step
 *     ksiCoreRank      redundant rows, where joints close loops; ksiCoreStress, ksiCoreProject: their self-stresses
 *     ksiCoreFactor    the factor, with the present compliances
 *     ksiCoreSweep     four right-hand sides at once
 *     ksiCoreDecide    redundant rows where the joints have drifted apart: pose.h; all in one call: loop.h
 *     ksiCoreInverse   [(A + S)^-1]_ll, A = B^T B
 *     ksiCoreCertify   the errors of a solution, without any number of the factor
 *     ksiCorePaulus    the multipliers again, joint by joint, from the motion
 *
 * The caller numbers bodies and joints; -1 is the ground. Links are in the order of the tree,
 * parents first; constraints know their bodies as links. Only ksiCorePlan, ksiCoreStress and
 * ksiCoreDecide allocate, and only to grow.
 */
#ifndef KSI_CORE_CORE_H
#define KSI_CORE_CORE_H

#include "../base/memory.h"
#include "../base/vectorise.h"

#include <stdbool.h>
#include <string.h>

enum { KSI_CORE_ROWS = 6 };

/* A number for each of up to eight rows or coordinates. */
typedef union ksiEight {
    ksiFour half[2];
    double at[8];
} ksiEight;

/* A joint to plan with. */
typedef struct ksiCoreJoint {
    int body[2];    /* different; at most one is the ground */
    int rows;       /* its maximum; joints with more rows are preferred for the tree */
    bool isCarried; /* its rows do not vanish when both bodies move as one, like the rows of a gear:
                       see ksiCoreFactor */
} ksiCoreJoint;

/* The rows of a joint, for its own body and its partner, which for a link is the body's parent.
 * Members that sweeps read are adjacent. */
typedef struct ksiConstraint {
    ksiEight own[6];          /* b_l in the body: coordinate by rows */
    ksiEight other[6];        /* b_l in the partner: row by coordinates */
    double size2[8];          /* [(A + S)^-1]_ll */
    double unit2[8], unit[8]; /* |sqrt(m) b_l|^2, and its root, by ksiCoreRank */
    double length2[8];        /* |b_l|^2 */
    double compliance[8];     /* s_l >= 0, set by the caller before each factorisation */
    int joint, side;          /* of the caller; which of the joint's bodies is `own` */
    int body, partner;        /* links; partner -1: the ground */
    int top;                  /* of a closing: the common ancestor, -1: the ground; of a link: the parent */
    int coupling, end;        /* its range of ksiCore::coupling */
    int pair;                 /* first of its range of ksiCore::pair */
    int rows;                 /* 0 to 6 */
    unsigned known;           /* rows that keep their lambda in each column, and have no equation: bits */
    unsigned atLow, atHigh;   /* rows at a bound: bits */
    unsigned redundant;       /* by ksiCoreRank: bits; not for compliant rows */
    unsigned dependent;       /* rows without a pivot in the last factorisation, redundant or by rounding: bits */
    unsigned unrelaxed;       /* set by ksiCorePaulus: rows that depend on the joint's other rows in
                                 its own body: bits */
    int group;                /* of self-stresses: that of its dependent rows */
    int part, partEnd;        /* its range of ksiCore::part, by the self-stresses that load it */
    /* four right-hand sides and solutions */
    ksiFour beta[6], lambda[6];
    ksiFour t[6]; /* workspace; after ksiCoreCertify the residual beta - B^T y - S lambda */
    /* factor: P, the rows' block after elimination of the branch, and the coupling with the body
     * above */
    double pivotInverse[8]; /* 0: no pivot */
    ksiEight pivot[6], above[6];
} ksiConstraint;

/* A body and its joint towards the root. A free root has no partner and no rows. */
typedef struct ksiCoreLink {
    ksiConstraint joint;
    ksiEight across[6];     /* L^-1 B of its joint: coordinate by rows */
    ksiEight root[6];       /* D: rows of the upper triangle of its L D L^T */
    double rootInverse[8];  /* 1 / D_ii */
    ksiFour g[6];           /* workspace; after ksiCoreCertify the motion y_f + B lambda ... */
    ksiFour y[6], force[6]; /* the solution; y_f, set by the caller */
    ksiFour terms2;         /* ... and the squares of the motion's terms */
    ksiFour moved[6];       /* workspace */
    int body;               /* of the caller */
    double weight2;         /* m: the square of the root of its mass, set by the caller for ranks and self-stresses */
} ksiCoreLink;

/* A joint that closes a loop. They are in the order of elimination. */
typedef struct ksiClosing {
    ksiConstraint joint;
    ksiEight top[6]; /* its coupling with the common ancestor: coordinate by rows */
} ksiClosing;

/* Rows of a closing in the equations of a constraint that is eliminated before it. */
typedef struct ksiCoupling {
    int closing;
    int up;           /* the coupling of the same closing with the body above: ksiCore::coupling, or
                         -1 - closing: ksiClosing::top */
    ksiEight body[6]; /* with the link's body: coordinate by rows */
    ksiEight rows[6]; /* with the rows: row by rows */
} ksiCoupling;

/* Blocks of the inverse. A constraint has (A + S)^-1 of its rows. From the equations (1) a link has
 * the block of its body, y by y, and a closing the block with the common ancestor, coordinate by
 * rows. A coupling has blocks like its own. */
typedef struct ksiInverse {
    ksiEight rows[6], body[6];
} ksiInverse;

/* The self-stresses of one constraint's dependent rows, and their rows of the Gram matrix
 * N^T N = L D L^T. */
typedef struct ksiCoreGroup {
    int count, part; /* self-stresses; the last of the group's parts */
    int pair, end;   /* its range of ksiCore::stressPair */
    double size2[8]; /* squares of their lengths */
    ksiEight pivot[6], inverse[6];
    double pivotInverse[8];
    ksiEight x; /* workspace of a projection */
} ksiCoreGroup;

/* Self-stresses in the rows of a constraint that they load: row by self-stress, in unit rows
 * d_l n_l. */
typedef struct ksiCorePart {
    int group, next; /* next: of the same group; -1: none */
    ksiConstraint *constraint;
    ksiEight n[6];
} ksiCorePart;

/* A block of the Gram matrix beyond the diagonal, of its factor and of its inverse. */
typedef struct ksiCorePair {
    int group; /* the later one */
    ksiEight rows[6], inverse[6];
} ksiCorePair;

/* An array of integers that grows. */
typedef struct ksiCoreInts {
    int *at;
    size_t capacity;
} ksiCoreInts;

/* Lists of integers: set k has list[start[k]] .. list[start[k + 1]]. */
typedef struct ksiCoreSets {
    int *start, *list;
} ksiCoreSets;

typedef struct ksiCore {
    ksAllocator allocator;
    /* plan */
    bool isPlanned;
    int bodies, joints, links, closings, couplings;
    ksiCoreJoint *joint; /* [joints] that it was planned with */
    ksiCoreInts place;   /* [joints] its link, or -1 - its closing */
    ksiCoreInts linkOf;  /* [bodies] */
    ksiCoreInts pair;    /* couplings of two closings that one constraint joins: in the order of use */
    ksiCoreInts work;
    ksiCoreLink *link;
    ksiClosing *closing;
    ksiCoupling *coupling;
    ksiInverse *inverse; /* [links + closings + couplings], by ksiCoreInverse */
    size_t jointCapacity, linkCapacity, closingCapacity, couplingCapacity, inverseCapacity;
    int culprit;  /* joint */
    bool isRigid; /* after ksiCoreRank: the factor is also the factor of the equations by
                     ksiCoreFactor */
    int loopRows; /* no joint of a closed loop has more: by the last factorisation */
    /* self-stresses: a sparse basis, which is not orthonormal */
    int stresses, groups, parts;
    ksiCoreGroup *group;
    ksiCorePart *part;
    ksiCorePair *stressPair;
    ksiCoreInts loaded; /* groups that load each constraint: those that the pairs were found for */
    int loads;          /* how many integers that is */
    size_t groupCapacity, partCapacity, stressPairCapacity;
    double *weak; /* of ksiCoreDecide: workspace */
    size_t weakCapacity;
} ksiCore;

/* Errors of the four solutions, as squares. In the metric of the masses, the error Delta of the
 * multipliers satisfies Delta^T (A + S) Delta = missed and |Delta_l| <= |w_l| (missed +
 * rounding)^1/2, |w_l|^2 = size2. */
typedef struct ksiCertificate {
    ksiFour moved2;    /* |y_f + B lambda - y|^2 */
    ksiFour missed2;   /* sum of |w_l|^2 r_l^2, r = beta - B^T (y_f + B lambda) - S lambda */
    ksiFour terms2;    /* moved2, if each term of y_f + B lambda is rounded once */
    ksiFour rounding2; /* ... and so missed2 */
} ksiCertificate;

void ksiCoreInit(ksiCore *core, const ksAllocator *allocator);
void ksiCoreFree(ksiCore *core);

/* plan.c: links and closings of an island. The root of a free part is its body with the largest
 * mass, by mass [bodies] at the time of the plan. KS_OK, KS_ERROR_NO_MEMORY: there is no plan. A
 * new plan forgets all numbers. */
KS_MUST_USE ksStatus ksiCorePlan(ksiCore *core, int bodies, const double *mass, int joints, const ksiCoreJoint *joint);

KSI_INLINE ksiConstraint *ksiCoreConstraint(const ksiCore *core, int joint)
{
    const int place = core->place.at[joint];
    return place < 0 ? &core->closing[-1 - place].joint : &core->link[place].joint;
}

/* The coupling of a closing with a link on its path, or with its common ancestor: coordinate by
 * rows. */
ksiEight *ksiCoreCoupled(ksiCore *core, int closing, int link);

/* Links, then closings by the order of elimination; those without a joint have no rows. */
KSI_INLINE ksiConstraint *ksiCoreAt(const ksiCore *core, int index)
{
    return index < core->links ? &core->link[index].joint : &core->closing[index - core->links].joint;
}

/* Sets the number of rows, before the rows; none of them is known or at a bound. */
KSI_INLINE void ksiCoreBeginRows(ksiConstraint *c, int rows)
{
    // rows beyond them are zero
    if (rows < c->rows) {
        memset(c->own, 0, sizeof c->own);
        memset(c->other, 0, sizeof c->other);
        memset(c->length2, 0, sizeof c->length2);
        memset(c->unit2, 0, sizeof c->unit2);
        memset(c->compliance, 0, sizeof c->compliance);
        memset(c->lambda, 0, sizeof c->lambda);
    }
    if (rows != c->rows)
        c->redundant = 0;
    c->rows = rows;
    c->known = c->atLow = c->atHigh = 0;
}

/* b_l over both bodies, [12] in the order of the joint; zero for the ground. */
KSI_INLINE void ksiCoreSetRow(ksiConstraint *c, int l, const double *scaled)
{
    const double *own = scaled + 6 * c->side, *other = scaled + 6 - 6 * c->side;
    EACH (i, 0, 6)
        c->own[i].at[l] = own[i];
    EACH (i, 0, 6)
        c->other[l].at[i] = other[i];
    c->length2[l] = ksiDotSix(own, own) + ksiDotSix(other, other);
}

/* factor.c. All return KS_ERROR_UNAVAILABLE if rows of joint `culprit` have no pivot at their
 * elimination but move the body above: the joint must be planned as carried. */
KS_MUST_USE ksStatus ksiCoreFactor(ksiCore *core);
/* Also factors rigid redundant rows, which may be independent in the present pose. */
KS_MUST_USE ksStatus ksiCoreFactorWhole(ksiCore *core);
/* Finds the redundant rows for the next factorisations: rows without compliance whose part
 * independent of other rows is below the share `least` of their square, in the metric in which each
 * body has mass 1. Needs weight2. Trees need it only if rows of one joint are redundant. With equal
 * masses and no compliance, ksiCore::isRigid: ksiCoreFactor is then unnecessary. */
KS_MUST_USE ksStatus ksiCoreRank(ksiCore *core, double least);
/* In the same metric: unit2 of all rows, and whether one is compliant; the factor of all unknown
 * rows, with compliance; the number of their singular values, as unit rows, below a bound; -1: one
 * is at the bound, to rounding. The last function overwrites compliance. */
bool ksiCoreMeasure(ksiCore *core);
KS_MUST_USE ksStatus ksiCoreFactorKinematic(ksiCore *core);
int ksiCoreCountBelow(ksiCore *core, double bound);

/* sweep.c: force, beta, lambda of known rows -> y, lambda. Right after ksiCoreCertify its residuals
 * may refine them. */
void ksiCoreSweep(ksiCore *core);
void ksiCoreClearForces(ksiCore *core); /* for right-hand sides alone */
void ksiCoreRefine(ksiCore *core);

void ksiCoreInverse(ksiCore *core); /* inverse.c; size2 of known rows is 0 */

/* ... of a joint's rows */
KSI_INLINE const ksiEight *ksiCoreRowsInverse(const ksiCore *core, int joint)
{
    const int place = core->place.at[joint];
    return core->inverse[place < 0 ? core->links - 1 - place : place].rows;
}

/* certify.c */
void ksiCorePaulus(ksiCore *core); /* t of links := multipliers; NaN where a row is `unrelaxed` */
void ksiCoreCertify(ksiCore *core, ksiCertificate *found);
/* Certifies, and refines the solutions of the first columns while they miss more than rounding:
 * usually once after the projection of self-stresses in a grid of loops, and once for mass ratios
 * of 1e6; twice for 1e9. With size2. */
void ksiCoreSettle(ksiCore *core, int columns, ksiCertificate *found);

/* The motion |B n| by unit self-stresses in the kinematic metric: rounding, and drift. */
typedef struct ksiCoreMotion {
    double one; /* each by itself, the part that others have not */
    double any; /* no combination has more */
} ksiCoreMotion;

/* stress.c: self-stresses of the last factorisation, by ksiCoreRank, in unit rows of the kinematic
 * metric, in which each body has the mass 1. KS_OK, KS_ERROR_NO_MEMORY; KS_ERROR_SINGULAR: they are
 * not independent, and none is left. */
KS_MUST_USE ksStatus ksiCoreStress(ksiCore *core, ksiCoreMotion *motion);

/* In a column of lambda, replaces the part along the self-stresses by the part of `reference`
 * [joints][KSI_CORE_ROWS]; NULL: by zero. */
void ksiCoreProject(ksiCore *core, int column, const double (*reference)[KSI_CORE_ROWS]);

/* The same without a reference, to a few digits: for errors. */
void ksiCoreTakeOut(ksiCore *core, int column);

/* The block N (N^T N)^-1 N^T of a joint's rows, N the self-stresses in unit rows: the projector on
 * them. */
void ksiCoreShares(const ksiCore *core, int joint, ksiEight shares[6]);

/* Rows of a joint of which some unit self-stress has a part above `noise`: bits. */
unsigned ksiCoreUndetermined(const ksiCore *core, int joint, double noise);

/* Replaces self-stresses by their weighted multipliers, joint by joint, and removes the part along
 * them from x, where the rows of a joint begin at first[joint]. Afterwards there are no
 * self-stresses. */
typedef void ksiCoreWeigh(void *of, int joint, const double multiplier[KSI_CORE_ROWS], double weighed[KSI_CORE_ROWS]);
KS_MUST_USE ksStatus ksiCoreTakeOutWeighed(ksiCore *core, ksiCoreWeigh *weigh, void *of, const int *first, double *x);

#endif
