/* dependent.h  Finds rows that depend on others, and their self-stresses, without singular values:
 * see dependent.c. */
#ifndef KSI_MECHANICS_SELFSTRESS_DEPENDENT_H
#define KSI_MECHANICS_SELFSTRESS_DEPENDENT_H

#include "../nullspace/fronts.h"
#include "../view.h"

#include <stdbool.h>

enum { KSI_STRESS_LANES = 4 }; /* self-stresses computed together */

/* Workspace for the closures of a symbolic factorisation. */
typedef struct ksiDependents {
    unsigned symbolic; /* ksiSymbolic.id that the arrays are sized for */
    int *mark;
    double *stress;
    double *workspace, *height, *column; /* KSI_STRESS_LANES vectors each. workspace: over the
                                            highest front; height, column: over the height and the
                                            columns of the factor, zero between calls */
} ksiDependents;

struct ksiFactor;
struct ksiStressFactor;

/* dependent.c: these functions choose rows of the rigid view that the factor leaves out.
 * ksiChooseDependent: rows without a pivot in a factorisation of all rows. ksiChooseLast: the last
 * rows of a decomposed factor. ksiChooseLowest: one more row, from the singular vector of the least
 * singular value of the remaining rows. The choice takes effect when the factor gathers its columns
 * again. */
KS_MUST_USE ksStatus ksiChooseDependent(ksSystem *system, struct ksiFactor *factor);
KS_MUST_USE ksStatus ksiChooseLast(ksSystem *system, struct ksiFactor *factor);
void ksiChooseLowest(ksSystem *system, struct ksiFactor *factor);

/* selfstress.c: after a sparse factorisation without the dependent rows, finds the self-stresses of
 * these rows, and an upper bound of the singular values of these self-stresses. */
KS_MUST_USE ksStatus ksiFindStresses(struct ksiFactor *factor, double *perturbedBound);

/* Exchanges omitted rows for rows with larger parts in the self-stresses; 0: there are none. Of
 * self-stresses that share a group of rows, only one is changed per call. */
int ksiExchangeDependent(struct ksiFactor *factor);

/* An orthonormal basis Q of the self-stresses of a factorisation, over rows of unit size. */
typedef struct ksiStressBasis {
    bool isApart; /* no two closures share a row: the basis is stored closure by closure; otherwise
                     `factor` has it */
    int closureCount;
    int *start, *width;             /* [closureCount + 1] in `row`; [closureCount] vectors */
    int *row;                       /* rows that take part, closure by closure */
    double *value;                  /* KSI_STRESS_LANES vectors at each of these rows */
    double *part;                   /* scratch: one number for each of these rows */
    struct ksiStressFactor *factor; /* or NULL */
} ksiStressBasis;

/* stressbasis.c, into system->stresses.orthonormal[metric] */
KS_MUST_USE ksStatus ksiFindStressBasis(ksSystem *system, struct ksiFactor *factor, ksiMetric metric);
/* [rows] h := Q Q^T h */
void ksiStressPart(ksSystem *system, const ksiStressBasis *basis, double *h);
/* [rows] h := h - Q Q^T h */
void ksiStresslessPart(const ksiStressBasis *basis, double *h);
/* [rows] h := Q e_k */
void ksiStressVector(const ksSystem *system, const ksiStressBasis *basis, int k, double *h);

/* Rows of Q, in another basis for each group of rows: system->stresses.share[l * width + i] = q_i
 * at row l, with Q Q^T = sum of q_i q_i^T at the rows of the group; shareCount[l]: number of
 * q_i. */
KS_MUST_USE ksStatus ksiStressShares(ksSystem *system, const ksiStressBasis *basis);

/* stressfactor.c: a basis of self-stresses by a sparse factorisation. anyEmpty: some rows have no
 * entries. */
KS_MUST_USE ksStatus ksiFindStressFactor(ksSystem *system, struct ksiFactor *factor, ksiMetric metric, int anyEmpty);
/* h := its part along the self-stresses if `stressed`, else the rest of h */
void ksiFactorProject(struct ksiStressFactor *basis, int stressed, double *h);
void ksiFactorStressVector(struct ksiStressFactor *basis, int k, double *h);
KS_MUST_USE ksStatus ksiFactorShares(ksSystem *system, struct ksiStressFactor *basis);

/* stressbasis.c: ksiSolveRTransposed and ksiSolveR for a factor with a basis of self-stresses. */
void ksiDependentSolveRTransposed(struct ksiFactor *factor, const double *side, double *frame);
void ksiDependentSolveR(struct ksiFactor *factor, const double *frame, double *multiple);

#endif
