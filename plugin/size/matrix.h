/* matrix.h  Counts cycles by range and mean, in classes that widen as the load grows. The memory is
 * constant, and the result does not depend on the order of cycles. */
#ifndef KSI_SIZE_MATRIX_H
#define KSI_SIZE_MATRIX_H

#include <stdint.h>

enum { KSI_RANGE_CLASSES = 64, KSI_MEAN_CLASSES = 32 };

/* Range class i begins at i times rangeWidth, mean class k at (k - KSI_MEAN_CLASSES / 2) times
 * meanWidth. A width is the least power of two for which all cycles fit; 0: all values so far are
 * zero. halves: numbers of half cycles, or of steps of a motor. */
typedef struct ksiMatrix {
    double rangeWidth, meanWidth;
    uint64_t halves[KSI_RANGE_CLASSES][KSI_MEAN_CLASSES];
} ksiMatrix;

void ksiMatrixAdd(ksiMatrix *matrix, double range, double mean, unsigned halves);

#endif
