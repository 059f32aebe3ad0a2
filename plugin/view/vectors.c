/* vectors.c  Vectors of three numbers. */
#include "vectors.h"

#include <math.h>
#include <string.h>

double ksiDot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double ksiLength3(const double a[3])
{
    return sqrt(ksiDot3(a, a));
}

void ksiCross3(const double a[3], const double b[3], double out[3])
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

bool ksiNormalise3(const double a[3], double out[3])
{
    double length = ksiLength3(a);
    if (!(length > 1e-300) || !isfinite(length))
        return false;
    for (int i = 0; i < 3; i++)
        out[i] = a[i] / length;
    return true;
}

void ksiAcross3(const double axis[3], double first[3], double second[3])
{
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(axis[i]) < fabs(axis[least]))
            least = i;
    double other[3] = {0};
    other[least] = 1;
    ksiCross3(axis, other, first);
    ksiNormalise3(first, first);
    ksiCross3(axis, first, second);
}
