/* core.h  Factors and solves the equations of one island of rigid bodies and joints. The
 * factorisation L D L^T is by blocks, in the order of a tree.
 *
 * Coordinates are scaled by a root of the mass matrix, M = L L^T. The motion becomes y = L^T a, the
 * force y_f = L^-1 f, and row `l` b_l = L^-1 J_l^T, a column of B. The equations of motion are
 *
 *     D y = y_f + B lambda,      B^T y + S lambda = beta,      D = 1                            (1)
 *
 * The reaction of row `l` is b_l lambda_l. A spanning tree gives each body a link, which is the
 * body and its joint towards the root. Bodies are eliminated from the leaves to the root, each
 * before its joint, as in articulated-body algorithms (Featherstone 1983, Baraff 1996). A joint
 * that closes a loop is called a closing. It is carried up both paths, and eliminated at the common
 * ancestor of its bodies.
 *
 *     ksiCorePlan      tree, order and pattern; kept while the same joints join the same bodies
 *     ksiCoreSetRow    rows, once a step
 *     ksiCoreRank      redundant rows of loops
 *     ksiCoreStress    self-stresses; ksiCoreProject replaces the part of multipliers along them
 *     ksiCoreFactor    the factor, for the present compliances
 *     ksiCoreSweep     solutions for four right-hand sides at once
 *     ksiCoreDecide    redundant rows of drifted joints, see pose.h
 *     ksiCoreInverse   [(A + S)^-1]_ll, A = B^T B
 *     ksiCoreCertify   the errors of a solution, from rows and forces alone
 *
 * loop.h does all of this in one call. The caller numbers bodies and joints; -1 is the ground.
 * Links are in the order of the tree, parents first. A constraint names its bodies by their links.
 * Of the functions in this list, only ksiCorePlan, ksiCoreStress and ksiCoreDecide allocate memory,
 * and only when an array grows.
 */
#ifndef KSI_CORE_CORE_H
#define KSI_CORE_CORE_H

#include "../base/memory.h"
#include "../base/vectorise.h"
#include "../linear/elimination.h"

#include <stdbool.h>
#include <string.h>

enum { KSI_CORE_ROWS = 6 };

/* A number for each of up to eight rows or coordinates. */
typedef union ksiEight {
    ksiFour half[2];
    double at[8];
} ksiEight;

/* A joint, for the plan. */
typedef struct ksiCoreJoint {
    int body[2];    /* different bodies; at most one is the ground */
    int rows;       /* largest number of rows; the tree prefers joints with more rows */
    bool isCarried; /* a common motion of both bodies violates its rows, as in a gear: see
                       ksiCoreFactor */
} ksiCoreJoint;

/* The rows of a joint, for its body and its partner. The partner of a link is the body's parent.
 * Members that sweeps read are adjacent. */
typedef struct ksiConstraint {
    ksiEight own[6];          /* b_l in the body: coordinate by rows */
    ksiEight other[6];        /* b_l in the partner: row by coordinates */
    double size2[8];          /* [(A + S)^-1]_ll */
    double unit2[8], unit[8]; /* |sqrt(m) b_l|^2, and its root, by ksiCoreMeasure */
    double length2[8];        /* |b_l|^2 */
    double compliance[8];     /* s_l >= 0, set by the caller before each factorisation */
    int joint, side;          /* the caller's number of the joint; the side of `body` in it */
    int body, partner;        /* links; partner -1: the ground */
    int top;                  /* common ancestor of a closing, parent of a link; -1: the ground */
    int coupling, end;        /* its range of ksiCore::coupling */
    int pair;                 /* start of its range of ksiCore::pair */
    int rows;                 /* 0 to 6 */
    unsigned known;           /* rows without an equation, whose lambda is an input: bits */
    unsigned atLow, atHigh;   /* rows at a bound: bits */
    unsigned redundant;       /* set by ksiCoreRank, never for compliant rows: bits */
    unsigned dependent;       /* rows without a pivot in the last factorisation: bits */
    int group;                /* the group of its dependent rows' self-stresses */
    int part, partEnd;        /* its range of ksiCore::part: the self-stresses that load it */
    /* four right-hand sides and solutions */
    ksiFour beta[6], lambda[6];
    ksiFour t[6]; /* workspace; after ksiCoreCertify: the residual beta - B^T y - S lambda */
    /* factor: P, the block of the rows after elimination of the branch, and their coupling with the
     * body above */
    double pivotInverse[8]; /* 0: no pivot */
    ksiEight pivot[6], above[6];
} ksiConstraint;

/* A body and its joint towards the root. A free root has no partner and no rows. */
typedef struct ksiCoreLink {
    ksiConstraint joint;
    ksiEight across[6];     /* L^-1 B of its joint: coordinate by rows */
    ksiEight root[6];       /* D: rows of the upper triangle of its L D L^T */
    double rootInverse[8];  /* 1 / D_ii */
    ksiFour g[6];           /* workspace; ksiCoreCertify: the motion y_f + B lambda */
    ksiFour y[6], force[6]; /* the solution; y_f, set by the caller */
    ksiFour terms2;         /* squares of the terms of y_f + B lambda */
    ksiFour moved[6];       /* workspace */
    int body;               /* the caller's number of the body */
    double weight2;         /* its mass m, set by the caller before ranks and self-stresses */
} ksiCoreLink;

/* A joint that closes a loop. The array is in the order of elimination. */
typedef struct ksiClosing {
    ksiConstraint joint;
    ksiEight top[6]; /* its coupling with the common ancestor: coordinate by rows */
} ksiClosing;

/* The coupling of a closing with a constraint that is eliminated before it. */
typedef struct ksiCoupling {
    int closing;
    int up;           /* coupling of the same closing with the body above, an index of
                         ksiCore::coupling; -1 - closing: it is ksiClosing::top */
    ksiEight body[6]; /* with the link's body: coordinate by rows */
    ksiEight rows[6]; /* with the rows: row by rows */
} ksiCoupling;

/* Blocks of the inverse. For a constraint, `rows` is its block of (A + S)^-1. `body` is a block of
 * the inverse of (1): for a link the block of its body, for a closing the block with the common
 * ancestor, coordinate by rows. For a coupling, both are the blocks of the inverse at the places of
 * its own `rows` and `body`. */
typedef struct ksiInverse {
    ksiEight rows[6], body[6];
} ksiInverse;

/* The self-stresses of one constraint's dependent rows, and their rows of the Gram matrix
 * N^T N = L D L^T. */
typedef struct ksiCoreGroup {
    int count, part; /* number of self-stresses; head of the group's list of parts */
    int pair, end;   /* its range of ksiCore::stressPair */
    double size2[8]; /* squares of their lengths, without their parts along earlier groups */
    ksiEight pivot[6], inverse[6];
    double pivotInverse[8];
    ksiEight x; /* workspace of a projection */
} ksiCoreGroup;

/* The self-stresses of a group in one constraint that they load: row by self-stress, as d_l n_l of
 * unit rows. */
typedef struct ksiCorePart {
    int group, next; /* `next`: the next part in the group's list; -1: none */
    ksiConstraint *constraint;
    ksiEight n[6];
} ksiCorePart;

/* `rows` is an off-diagonal block of the Gram matrix, and after ksiCoreGram a block of its factor.
 * `inverse` is the block of the inverse, after ksiCoreInvertGram. */
typedef struct ksiCorePair {
    int group; /* the later group */
    ksiEight rows[6], inverse[6];
} ksiCorePair;

typedef struct ksiCore {
    ksAllocator allocator;
    /* plan */
    bool isPlanned;
    int bodies, joints, links, closings, couplings;
    ksiCoreJoint *joint; /* [joints] input of the plan */
    ksiInts place;       /* [joints] link of the joint, or -1 - closing */
    ksiInts linkOf;      /* [bodies] */
    ksiInts pair;        /* couplings between two closings of one constraint, in the order of use */
    ksiInts work;
    ksiCoreLink *link;
    ksiClosing *closing;
    ksiCoupling *coupling;
    ksiInverse *inverse; /* [links + closings + couplings], by ksiCoreInverse */
    size_t jointCapacity, linkCapacity, closingCapacity, couplingCapacity, inverseCapacity;
    int culprit;   /* the joint at which a factorisation failed */
    bool isRigid;  /* after ksiCoreRank: its factor equals the factor of ksiCoreFactor */
    bool isNarrow; /* after ksiCoreGram: no group has more than four self-stresses */
    int loopRows;  /* largest number of rows of a joint on a loop, in the last factorisation */
    /* self-stresses: a sparse basis, which is not orthonormal */
    int stresses, groups, parts;
    ksiCoreGroup *group;
    ksiCorePart *part;
    ksiCorePair *stressPair;
    ksiInts loaded; /* groups that load each constraint, when stressPair was found */
    ksiInts later;  /* workspace: the later groups of all pairs */
    int loads;      /* number of integers in `loaded`; 0: none */
    size_t groupCapacity, partCapacity, stressPairCapacity;
    double *weak; /* workspace of ksiCoreDecide, ksiCoreSolveStep and ksiCoreGive */
    size_t weakCapacity;
} ksiCore;

/* Errors of the four solutions, as squares. In the metric of the masses, the error Delta of the
 * multipliers satisfies Delta^T (A + S) Delta = missed2 and |Delta_l| <= |w_l| (missed2 +
 * rounding2)^1/2 with |w_l|^2 = size2. */
typedef struct ksiCertificate {
    ksiFour missed2;   /* sum of |w_l|^2 r_l^2, r = beta - B^T (y_f + B lambda) - S lambda */
    ksiFour rounding2; /* missed2 if each term of y_f + B lambda is rounded once */
} ksiCertificate;

void ksiCoreInit(ksiCore *core, const ksAllocator *allocator);
void ksiCoreFree(ksiCore *core);

/* plan.c: finds the links and closings of an island. The root of a part without ground is its
 * heaviest body at the time of the plan. mass: [bodies]. A new plan erases all rows and results.
 * KS_OK; KS_ERROR_NO_MEMORY: there is no plan. */
KS_MUST_USE ksStatus ksiCorePlan(ksiCore *core, int bodies, const double *mass, int joints, const ksiCoreJoint *joint);

KSI_INLINE ksiConstraint *ksiCoreConstraint(const ksiCore *core, int joint)
{
    const int place = core->place.at[joint];
    return place < 0 ? &core->closing[-1 - place].joint : &core->link[place].joint;
}

/* pattern.c: the coupling of a closing with a link on its path, or with its common ancestor:
 * coordinate by rows. */
ksiEight *ksiCoreCoupled(ksiCore *core, int closing, int link);

/* A constraint by its index: first the constraints of all links, then those of the closings in the
 * order of elimination. A link without a joint has no rows. */
KSI_INLINE ksiConstraint *ksiCoreAt(const ksiCore *core, int index)
{
    return index < core->links ? &core->link[index].joint : &core->closing[index - core->links].joint;
}

/* Call this before setting the rows. It clears their marks: known, at a bound. */
KSI_INLINE void ksiCoreBeginRows(ksiConstraint *c, int rows)
{
    // kernels read rows beyond the last as zero
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

/* Sets row l. scaled [12]: b_l in both bodies, in the order of the joint; zero in the ground. */
KSI_INLINE void ksiCoreSetRow(ksiConstraint *c, int l, const double *scaled)
{
    const double *own = scaled + 6 * c->side, *other = scaled + 6 - 6 * c->side;
    EACH (i, 0, 6)
        c->own[i].at[l] = own[i];
    EACH (i, 0, 6)
        c->other[l].at[i] = other[i];
    c->length2[l] = ksiDotSix(own, own) + ksiDotSix(other, other);
}

/* factor.c: these functions return KS_ERROR_UNAVAILABLE if rows of joint `culprit` have no pivot at
 * their elimination but move the body above: the joint must be planned as carried. */
KS_MUST_USE ksStatus ksiCoreFactor(ksiCore *core);
/* Also factors rigid redundant rows, which may be independent in the present pose. */
KS_MUST_USE ksStatus ksiCoreFactorWhole(ksiCore *core);
/* Finds the redundant rows for later factorisations. A row without compliance is redundant if the
 * share of its square that is independent of other rows is below `least`, in the kinematic metric,
 * in which each body has mass 1. Needs weight2. A tree needs this only if rows of one joint are
 * redundant. If all masses are equal and no row is compliant, this sets ksiCore::isRigid, and
 * ksiCoreFactor is unnecessary. */
KS_MUST_USE ksStatus ksiCoreRank(ksiCore *core, double least);
/* In the kinematic metric. ksiCoreMeasure sets unit2 of all rows, and tells whether a row is
 * compliant. ksiCoreFactorKinematic factors all unknown rows, with compliance. ksiCoreCountBelow
 * counts those singular values of the unit rows that are below a bound, and overwrites compliance;
 * -1: a singular value equals the bound, to rounding. */
bool ksiCoreMeasure(ksiCore *core);
KS_MUST_USE ksStatus ksiCoreFactorKinematic(ksiCore *core);
int ksiCoreCountBelow(ksiCore *core, double bound);

/* sweep.c: ksiCoreSweep computes y and lambda from force, beta, and lambda of known rows. */
void ksiCoreSweep(ksiCore *core);
void ksiCoreClearForces(ksiCore *core); /* for systems with right-hand sides but no forces */
/* After ksiCoreCertify: lambda and y become the corrections by the residuals. */
void ksiCoreSweepResidual(ksiCore *core);

void ksiCoreInverse(ksiCore *core); /* inverse.c; size2 of known rows is 0 */

/* The block of (A + S)^-1 for a joint's rows, by ksiCoreInverse. */
KSI_INLINE const ksiEight *ksiCoreRowsInverse(const ksiCore *core, int joint)
{
    const int place = core->place.at[joint];
    return core->inverse[place < 0 ? core->links - 1 - place : place].rows;
}

/* certify.c */
void ksiCoreCertify(ksiCore *core, ksiCertificate *found);

/* The motion |B n| of unit self-stresses n: rounding and drift, in the kinematic metric. */
typedef struct ksiCoreMotion {
    double one; /* largest for one self-stress, divided by the length of its part that the others do
                   not span */
    double any; /* upper bound for all combinations */
} ksiCoreMotion;

/* stress.c: finds the self-stresses after ksiCoreRank, in unit rows of the kinematic metric. KS_OK,
 * KS_ERROR_NO_MEMORY; KS_ERROR_SINGULAR: they depend on each other, and the core has none. */
KS_MUST_USE ksStatus ksiCoreStress(ksiCore *core, ksiCoreMotion *motion);

/* After ksiCoreStress: changes self-stresses that move bodies, so that they move none. KS_OK,
 * KS_ERROR_NO_MEMORY; KS_ERROR_SINGULAR: too many of them. */
KS_MUST_USE ksStatus ksiCoreRefineStress(ksiCore *core, ksiCoreMotion *motion);

/* Upper bound of |B n| over all self-stresses n of the present rows with |D^1/2 n| = 1, D = diag A:
 * unit length in the mass metric. Overwrites g of the links. */
double ksiCoreStressedMotion(ksiCore *core);

/* In a column of lambda, replaces the part along the self-stresses by the part of `reference`
 * [joints][KSI_CORE_ROWS]; NULL: by zero. */
void ksiCoreProject(ksiCore *core, int column, const double (*reference)[KSI_CORE_ROWS]);

/* Removes the part along the self-stresses from a column of lambda, to a few digits, which suffice
 * for errors. */
void ksiCoreTakeOut(ksiCore *core, int column);

/* The joint's block of the projector N (N^T N)^-1 N^T onto the self-stresses N, in unit rows. */
void ksiCoreShares(const ksiCore *core, int joint, ksiEight shares[6]);

/* Weighs the multipliers of each self-stress, joint by joint, and removes the part along the
 * weighed self-stresses from x. The rows of a joint begin at x[first[joint]]. Afterwards the core
 * has no self-stresses. */
typedef void ksiCoreWeigh(void *of, int joint, const double multiplier[KSI_CORE_ROWS], double weighed[KSI_CORE_ROWS]);
KS_MUST_USE ksStatus ksiCoreTakeOutWeighed(ksiCore *core, ksiCoreWeigh *weigh, void *of, const int *first, double *x);

#endif
