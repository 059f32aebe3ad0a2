/* vector.h  Three-vectors and 3x3 matrices (row-major). */
#ifndef KSI_ENGINE_VECTOR_H
#define KSI_ENGINE_VECTOR_H

#include "../base/vectorise.h"

#include <math.h>

static inline double ksiDot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double ksiLength(const double a[3])
{
    return sqrt(ksiDot(a, a));
}

static inline void ksiCross(double out[3], const double a[3], const double b[3])
{
    const double x = a[1] * b[2] - a[2] * b[1];
    const double y = a[2] * b[0] - a[0] * b[2];
    const double z = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y, out[2] = z;
}

static inline void ksiCopy(double out[3], const double a[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i];
}

/* out = a - b */
static inline void ksiSubtract(double out[3], const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] - b[i];
}

/* out += s a */
static inline void ksiAddScaled(double out[3], double s, const double a[3])
{
    for (int i = 0; i < 3; i++)
        out[i] += s * a[i];
}

/* Normalises a; returns its former length. A zero vector stays zero. */
static inline double ksiNormalize(double a[3])
{
    const double length = ksiLength(a);
    if (length > 0)
        for (int i = 0; i < 3; i++)
            a[i] /= length;
    return length;
}

/* out = M a */
static inline void ksiTransform(double out[3], const double M[9], const double a[3])
{
    double b[3];
    for (int i = 0; i < 3; i++)
        b[i] = ksiDot(M + 3 * i, a);
    ksiCopy(out, b);
}

/* The first three of the four numbers: out = a x b */
KSI_INLINE void ksiCrossFour(ksiFour *out, const ksiFour *a, const ksiFour *b)
{
    const ksiFour next = KSI_SHUFFLE(*a, *a, 1, 2, 0, 3), after = KSI_SHUFFLE(*b, *b, 1, 2, 0, 3);
    const ksiFour zxy = *a * after - next * *b;
    *out = KSI_SHUFFLE(zxy, zxy, 1, 2, 0, 3);
}

KSI_INLINE void ksiStoreThree(double out[3], const ksiFour *a)
{
    *(ksiTwo *)out = *(const ksiTwo *)a;
    out[2] = (*a)[2];
}

/* Tests the sum of the numbers: it is finite only if all numbers are. If the sum overflows, the
 * numbers are useless anyway. */
static inline int ksiAllFinite(const double *a, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i];
    return isfinite(sum);
}

#endif
