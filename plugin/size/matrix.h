/* matrix.h  Cycles by range and mean, in classes that grow with the load: constant memory, and a
 * result that does not depend on the order of cycles. */
#ifndef KSI_SIZE_MATRIX_H
#define KSI_SIZE_MATRIX_H

#include <stdint.h>

enum { KSI_RANGE_CLASSES = 64, KSI_MEAN_CLASSES = 32 };

/* Range class i: i to i + 1 times rangeWidth; mean class k: from k - KSI_MEAN_CLASSES / 2 times
 * meanWidth on. Widths are the least powers of two in which all cycles fit; 0: only zero so far.
 * Counts are half cycles. */
typedef struct ksiMatrix {
    double rangeWidth, meanWidth;
    uint64_t halves[KSI_RANGE_CLASSES][KSI_MEAN_CLASSES];
} ksiMatrix;

void ksiMatrixAdd(ksiMatrix *matrix, double range, double mean, unsigned halves);

#endif
