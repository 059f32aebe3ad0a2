/* profile.h  A = L D L^T of symmetric matrices of rows over bodies. Each row of the lower triangle is stored from the
 * first row on that it shares a body with (Jennings 1966); the order of rows keeps this distance short (Cuthill, McKee
 * 1969). */
#ifndef KSI_LINEAR_PROFILE_H
#define KSI_LINEAR_PROFILE_H

/* The owner provides the memory. */
typedef struct ksiProfile {
    int rows;
    int *order, *place; /* [rows] row at a place, place of a row */
    int *first;         /* [rows] by place: the first stored place of the row */
    int *end;           /* [rows] by place: one past the row's diagonal in a matrix */
    int *start;         /* [rows] by place: the first place of a row that follows the same body */
    int size;           /* size of a matrix; -1: more than an int holds */
} ksiProfile;

/* For rows over the bodies of `body`, -1: none. work: [2 rows + 3 bodies + 2] */
void ksiProfileFind(ksiProfile *profile, int bodies, int (*body)[2], int *work);

/* `end` and `size`, from `first`. */
void ksiProfileMeasure(ksiProfile *profile);

/* For a full matrix. */
void ksiProfileFull(ksiProfile *profile);

/* Position of the element of the rows at places i >= j >= first[i]. */
static inline int ksiProfileAt(const ksiProfile *profile, int i, int j)
{
    return profile->end[i] - 1 - (i - j);
}

/* In place, without pivoting. Returns the number of negative elements of D; -1: an element is zero or no number. Rows with elements
 * of at most `least` are set aside as depending on earlier ones: they are counted, too, and of infinite weight from there on, zero
 * in a solution. -INFINITY: none. */
int ksiProfileFactor(const ksiProfile *profile, double least, double *a);

/* x := A^-1 x, by rows. work: [rows] */
void ksiProfileSolve(const ksiProfile *profile, const double *a, double *x, double *work);

/* The stored elements of A^-1 (Takahashi 1973). work: [2 rows] */
void ksiProfileInvert(const ksiProfile *profile, const double *a, double *inverse, double *work);

#endif
