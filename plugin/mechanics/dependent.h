/* dependent.h  Rows that depend on others, and their self-stresses, without singular values: see dependent.c. */
#ifndef KSI_DEPENDENT_H
#define KSI_DEPENDENT_H

#include "fronts.h"
#include "view.h"

enum { KSI_STRESS_LANES = 4 }; /* self-stresses that are found at a time */

/* Dependent rows over the same blocks: they close the same loops. Starts and ends of lists are those in
 * ksiDependents.list. */
typedef struct ksiClosure {
    int group;               /* of the rows that are left out */
    int row, rowEnd;         /* which */
    int path, pathEnd;       /* fronts that meet their columns, upwards */
    int sweep, sweepEnd;     /* fronts that may have a part in the self-stresses, parents first */
    int support, supportEnd; /* groups that have one */
    size_t stress;           /* start of the values: KSI_STRESS_LANES for each row of the support */
    int length;              /* how many these are */
} ksiClosure;

typedef struct ksiDependents {
    ksiClosure *closure;
    size_t closureCapacity;
    int closureCount;
    int known;      /* the closures belong to the shape as it is */
    int areEarlier; /* what the rows depend on is eliminated before them */
    ksiInts list, mark;
    ksiDoubles stress;
    ksiDoubles lane, height, column; /* four vectors at a time: of a front; of the factor, zero between calls */
} ksiDependents;

struct ksiFactor;

/* dependent.c: chooses rows of the rigid view to be left out as dependent, from a sparse elimination of all; from the
 * self-stresses of a decomposition; one more, from the vector of the least singular value of the others. */
KS_MUST_USE ksStatus ksiChooseDependent(ksSystem *system, struct ksiFactor *factor);
KS_MUST_USE ksStatus ksiChooseStressed(ksSystem *system, struct ksiFactor *factor);
void ksiChooseLowest(ksSystem *system, struct ksiFactor *factor);

/* selfstress.c: after a sparse factorisation without them, the self-stresses, and a bound of the singular values that
 * these stand for. */
KS_MUST_USE ksStatus ksiFindStresses(ksSystem *system, struct ksiFactor *factor, double *lifted);

/* Leaves out rows of large parts in these for those that are left out; 0: there are none. Self-stresses that have a group
 * of rows in common wait for each other. */
int ksiExchangeDependent(const ksSystem *system, struct ksiFactor *factor);

/* An orthonormal basis Q of the self-stresses of a factorisation, over rows of unit size. */
typedef struct ksiStressBasis {
    int isApart; /* no two closures have a row in common: by closures; else the frame of a system */
    int closureCount;
    ksiInts start, width; /* [closureCount + 1] of their rows below; [closureCount] how many vectors */
    ksiInts row;          /* rows that take part, closure by closure */
    ksiDoubles value;     /* [KSI_STRESS_LANES] vectors at each of these */
    ksiDoubles part;      /* scratch: one number for each */
    ksSystem *frame;      /* its rows are self-stresses, its coordinates our rows */
} ksiStressBasis;

/* stressbasis.c, into system->stressBasis[metric] */
KS_MUST_USE ksStatus ksiFindStressBasis(ksSystem *system, struct ksiFactor *factor, ksiMetric metric);
void ksiStressPart(ksSystem *system, const ksiStressBasis *basis, double *h); /* [rows] h := Q Q^T h */
void ksiStresslessPart(const ksiStressBasis *basis, double *h);               /* [rows] h := h - Q Q^T h */
void ksiStressVector(const ksSystem *system, const ksiStressBasis *basis, int k, double *h); /* [rows] h := Q e_k */

/* Q^T in other bases, one for each group of rows: system->share[l * width + i] = q_i at row l, with Q Q^T = sum
 * of q_i q_i^T at the rows of the group; shareCount[l]: how many. */
KS_MUST_USE ksStatus ksiStressShares(ksSystem *system, const ksiStressBasis *basis);

/* stressframe.c: the same of a frame. anyEmpty: there are rows without entries. */
KS_MUST_USE ksStatus ksiFindStressFrame(ksSystem *system, struct ksiFactor *factor, ksiMetric metric, int anyEmpty);
void ksiFrameStressPart(ksSystem *frame, double *h);
void ksiFrameStresslessPart(ksSystem *frame, double *h);
void ksiFrameStressVector(ksSystem *frame, int k, double *h);
KS_MUST_USE ksStatus ksiFrameShares(ksSystem *system, ksSystem *frame);

/* As ksiRowsToFrame and ksiFrameToRows, of a factor with a basis of self-stresses. */
void ksiDependentRowsToFrame(struct ksiFactor *factor, const double *side, double *frame);
void ksiDependentFrameToRows(struct ksiFactor *factor, const double *frame, double *multiple);

#endif
