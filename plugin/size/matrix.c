/* matrix.c  Counts cycles by range and mean. When a cycle does not fit, the width of the classes
 * doubles: neighbouring classes merge in pairs, so no old class is split. */
#include "matrix.h"

#include <math.h>
#include <string.h>

/* The least power of two with classes * width > size. */
static double widthOf(double size, int classes)
{
    int exponent;
    (void)frexp(size / classes, &exponent);
    return ldexp(1, exponent);
}

/* Doubles the width of the classes until this range fits. Each doubling merges classes in pairs. */
static void widenRanges(ksiMatrix *matrix, double range)
{
    const double width = widthOf(range, KSI_RANGE_CLASSES);
    const double times = width / matrix->rangeWidth;
    for (int i = 0; i < KSI_RANGE_CLASSES; i++) {
        uint64_t *from = matrix->halves[i], *to = matrix->halves[(int)(i / times)];
        for (int k = 0; k < KSI_MEAN_CLASSES; k++) {
            const uint64_t moved = from[k];
            from[k] = 0;
            to[k] += moved;
        }
    }
    matrix->rangeWidth = width;
}

/* Class k begins at (k - MIDDLE) times the width. The numbers of the new classes are rounded down,
 * so that no old class is split. */
static void widenMeans(ksiMatrix *matrix, double mean)
{
    enum { MIDDLE = KSI_MEAN_CLASSES / 2 };
    const double width = widthOf(mean, MIDDLE);
    const double times = width / matrix->meanWidth;
    int to[KSI_MEAN_CLASSES];
    for (int k = 0; k < KSI_MEAN_CLASSES; k++)
        to[k] = MIDDLE + (int)floor((k - MIDDLE) / times);
    for (int i = 0; i < KSI_RANGE_CLASSES; i++) {
        uint64_t wider[KSI_MEAN_CLASSES] = {0};
        for (int k = 0; k < KSI_MEAN_CLASSES; k++)
            wider[to[k]] += matrix->halves[i][k];
        memcpy(matrix->halves[i], wider, sizeof wider);
    }
    matrix->meanWidth = width;
}

void ksiMatrixAdd(ksiMatrix *matrix, double range, double mean, unsigned halves)
{
    enum { MIDDLE = KSI_MEAN_CLASSES / 2 };
    if (matrix->rangeWidth == 0 && range > 0)
        matrix->rangeWidth = widthOf(range, KSI_RANGE_CLASSES);
    if (matrix->meanWidth == 0 && mean != 0)
        matrix->meanWidth = widthOf(fabs(mean), MIDDLE);
    if (range > 0 && range / matrix->rangeWidth >= KSI_RANGE_CLASSES)
        widenRanges(matrix, range);
    if (mean != 0 && fabs(mean) / matrix->meanWidth >= MIDDLE)
        widenMeans(matrix, fabs(mean));
    const int i = range > 0 ? (int)(range / matrix->rangeWidth) : 0;
    const int k = mean != 0 ? (int)floor(mean / matrix->meanWidth) + MIDDLE : MIDDLE;
    matrix->halves[i][k] += halves;
}
