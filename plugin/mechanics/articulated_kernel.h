/* articulated_kernel.h  Rows of six numbers in registers, and modified Gram-Schmidt on columns of them.
 *
 *  R is as good by it as by reflections (Bjorck 1967), without a root that the next column would have to wait for. Columns
 *  are taken from the last one on: for the first four of them one vector of four is enough. Sizes in capitals are constants
 *  where the kernels are used.
 */
#ifndef KSI_ARTICULATED_KERNEL_H
#define KSI_ARTICULATED_KERNEL_H

#include "../vectorise.h"
#include "articulated.h"

#include <math.h>

typedef struct ksiSix {
    ksiFour four;
    ksiTwo two;
} ksiSix;

KSI_INLINE void load(ksiSix *x, const double *from)
{
    x->four = *(const ksiFour *)from;
    x->two = *(const ksiTwo *)(from + 4);
}

KSI_INLINE void store(double *to, const ksiSix *x)
{
    *(ksiFour *)to = x->four;
    *(ksiTwo *)(to + 4) = x->two;
}

KSI_INLINE double lane(const ksiSix *x, const int J)
{
    return J < 4 ? x->four[J & 3] : x->two[J & 1];
}

/* y = times x */
KSI_INLINE void scaled(ksiSix *y, double times, const ksiSix *x)
{
    y->four = times * x->four;
    y->two = times * x->two;
}

/* y -= times x */
KSI_INLINE void subtract(ksiSix *y, double times, const ksiSix *x)
{
    y->four -= times * x->four;
    y->two -= times * x->two;
}

/* The columns up to J of x / by. */
KSI_INLINE void divide(ksiSix *x, double by, const int J)
{
    x->four /= by;
    if (J > 3)
        x->two /= by;
}

/* Products of column J with all columns up to it. */
KSI_INLINE void findProducts(const ksiSix *row, const int COUNT, const int J, ksiSix *sum)
{
    // three sums at a time do not wait for each other
    ksiFour part[3] = {{0}, {0}, {0}};
    sum->two = (ksiTwo){0};
    EACH (i, 0, COUNT) {
        const double x = lane(&row[i], J);
        part[i % 3] += x * row[i].four;
        if (J > 3)
            sum->two += x * row[i].two;
    }
    sum->four = part[0] + part[1] + part[2];
}

/* What is left of the rows beside column J. r: row J of the unit triangle */
KSI_INLINE void takeOut(ksiSix *row, const int COUNT, const int J, const ksiSix *r)
{
    EACH (i, 0, COUNT) {
        const double x = lane(&row[i], J);
        row[i].four -= x * r->four;
        if (J > 4)
            row[i].two -= x * r->two;
    }
}

#endif
