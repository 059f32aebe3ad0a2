/* dependent.h  Rows that depend on others, and their self-stresses, without singular values: see dependent.c. */
#ifndef KSI_DEPENDENT_H
#define KSI_DEPENDENT_H

#include "fronts.h"
#include "view.h"

enum { KSI_STRESS_LANES = 4 }; /* self-stresses that are found at a time */

/* The numbers that belong to the closures of a symbolic factorisation. */
typedef struct ksiDependents {
    unsigned symbolic; /* ksiSymbolic.id that there is room for */
    ksiInts mark;
    ksiDoubles stress;
    ksiDoubles workspace, height, column; /* four vectors at a time: of a front; of the factor, zero between calls */
} ksiDependents;

struct ksiFactor;
struct ksiStressFactor;

/* dependent.c: chooses rows of the rigid view to be left out as dependent, from a sparse elimination of all; from the
 * self-stresses of a decomposition; one more, from the vector of the least singular value of the others. The choice counts once
 * the factor takes in its columns again. */
KS_MUST_USE ksStatus ksiChooseDependent(ksSystem *system, struct ksiFactor *factor);
KS_MUST_USE ksStatus ksiChooseStressed(ksSystem *system, struct ksiFactor *factor);
void ksiChooseLowest(ksSystem *system, struct ksiFactor *factor);

/* selfstress.c: after a sparse factorisation without them, the self-stresses, and a bound of the singular values that
 * these stand for. */
KS_MUST_USE ksStatus ksiFindStresses(struct ksiFactor *factor, double *perturbedBound);

/* Leaves out rows of large parts in these for those that are left out; 0: there are none. Self-stresses that have a group
 * of rows in common wait for each other. */
int ksiExchangeDependent(struct ksiFactor *factor);

/* An orthonormal basis Q of the self-stresses of a factorisation, over rows of unit size. */
typedef struct ksiStressBasis {
    int isApart; /* no two closures have a row in common: by closures; else of a factorisation */
    int closureCount;
    ksiInts start, width;           /* [closureCount + 1] of their rows below; [closureCount] how many vectors */
    ksiInts row;                    /* rows that take part, closure by closure */
    ksiDoubles value;               /* [KSI_STRESS_LANES] vectors at each of these */
    ksiDoubles part;                /* scratch: one number for each */
    struct ksiStressFactor *factor; /* or NULL */
} ksiStressBasis;

/* stressbasis.c, into system->stresses.orthonormal[metric] */
KS_MUST_USE ksStatus ksiFindStressBasis(ksSystem *system, struct ksiFactor *factor, ksiMetric metric);
void ksiStressPart(ksSystem *system, const ksiStressBasis *basis, double *h); /* [rows] h := Q Q^T h */
void ksiStresslessPart(const ksiStressBasis *basis, double *h);               /* [rows] h := h - Q Q^T h */
void ksiStressVector(const ksSystem *system, const ksiStressBasis *basis, int k, double *h); /* [rows] h := Q e_k */

/* Q^T in other bases, one for each group of rows: system->stresses.share[l * width + i] = q_i at row l, with Q Q^T = sum
 * of q_i q_i^T at the rows of the group; shareCount[l]: how many. */
KS_MUST_USE ksStatus ksiStressShares(ksSystem *system, const ksiStressBasis *basis);

/* stressfactor.c: the same of a factorisation. anyEmpty: there are rows without entries. */
KS_MUST_USE ksStatus ksiFindStressFactor(ksSystem *system, struct ksiFactor *factor, ksiMetric metric, int anyEmpty);
void ksiFactorStressPart(struct ksiStressFactor *basis, double *h);
void ksiFactorStresslessPart(struct ksiStressFactor *basis, double *h);
void ksiFactorStressVector(struct ksiStressFactor *basis, int k, double *h);
KS_MUST_USE ksStatus ksiFactorShares(ksSystem *system, struct ksiStressFactor *basis);

/* As ksiSolveRTransposed and ksiSolveR, of a factor with a basis of self-stresses. */
void ksiDependentSolveRTransposed(struct ksiFactor *factor, const double *side, double *frame);
void ksiDependentSolveR(struct ksiFactor *factor, const double *frame, double *multiple);

#endif
