/* exact_sum.h  Sums of real numbers without rounding, so that the parts of a run add up to the
 * whole, in any order. */
#ifndef KSI_REPORT_COLLECT_EXACT_SUM_H
#define KSI_REPORT_COLLECT_EXACT_SUM_H

#include <stdint.h>

/* A limb stands for 32 bits of the sum, the lowest one from 2^-1074 on. Its type has room for the
 * carries of 2^30 additions. */
enum { KSI_SUM_LIMBS = 67 };

typedef struct ksiExactSum {
    int64_t limb[KSI_SUM_LIMBS];
} ksiExactSum;

/* Ignores an x that is not finite. */
void ksiExactAdd(ksiExactSum *sum, double x);
void ksiExactMerge(ksiExactSum *into, const ksiExactSum *from);
double ksiExactValue(const ksiExactSum *sum);

#endif
