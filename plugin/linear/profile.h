/* profile.h  A = L D L^T of symmetric matrices of rows over bodies. Each row of the lower triangle is stored from the
 * node of the first row on that it shares a body with (Jennings 1966); the order of rows keeps this distance short (Cuthill, McKee
 * 1969). Rows over the same bodies make a node, in which they are stored side by side: what is done to one is done to all. */
#ifndef KSI_LINEAR_PROFILE_H
#define KSI_LINEAR_PROFILE_H

enum { KSI_NODE_ROWS = 6 }; /* of a node, at most */

/* The owner provides the memory. */
typedef struct ksiProfile {
    int rows;
    int *order, *place; /* [rows] row at a place, place of a row */
    int *first;         /* [rows] by place: the first stored place of the row */
    int *start;         /* [rows] by place: the first place of a row that follows the same body */
    int *node, *next;   /* [rows] by place: the first place of its node, and that of the next one */
    int *diagonal;      /* [rows] by place: position of the row's diagonal element in a matrix */
    int size;           /* numbers of a matrix; -1: more than an int holds */
    int room;           /* of a matrix, with what fills up vectors, which the caller has set to zero */
} ksiProfile;

enum { KSI_PROFILE_ARRAYS = 7 };

/* Shares out memory. numbers: [KSI_PROFILE_ARRAYS rows] */
ksiProfile ksiProfileIn(int rows, int *numbers);

/* For rows over the bodies of `body`, -1: none. work: [2 rows + 3 bodies + 2] */
void ksiProfileFind(ksiProfile *profile, int bodies, int (*body)[2], int *work);

/* From `first`, and `node`: consecutive places with equal numbers may make a node. Afterwards `first` is that of a node. */
void ksiProfileMeasure(ksiProfile *profile);

/* For a full matrix. */
void ksiProfileFull(ksiProfile *profile);

/* From one element of a row to the next. */
static inline int ksiProfileStride(const ksiProfile *profile, int i)
{
    return profile->next[i] - profile->node[i] > 4 ? 8 : 4;
}

/* Position of the element of the rows at places i >= j >= first[i]. */
static inline int ksiProfileAt(const ksiProfile *profile, int i, int j)
{
    return profile->diagonal[i] - (i - j) * ksiProfileStride(profile, i);
}

/* In place, without pivoting; the diagonal becomes D^-1. Returns the number of negative elements of D; -1: an element is zero or no
 * number. */
int ksiProfileFactor(const ksiProfile *profile, double *a);

/* x := A^-1 x, by rows. work: [rows] */
void ksiProfileSolve(const ksiProfile *profile, const double *a, double *x, double *work);

/* The stored elements of A^-1 (Takahashi 1973). work: [16 rows]; whole: [rows] */
void ksiProfileInvert(const ksiProfile *profile, const double *a, double *inverse, double *work, int *whole);

#endif
