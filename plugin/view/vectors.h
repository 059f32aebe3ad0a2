/* vectors.h  Vectors of three numbers. */
#ifndef KSI_VIEW_VECTORS_H
#define KSI_VIEW_VECTORS_H

#include <stdbool.h>

double ksiDot3(const double a[3], const double b[3]);
double ksiLength3(const double a[3]);
void ksiCross3(const double a[3], const double b[3], double out[3]);
/* false, and nothing written: it has no direction */
bool ksiNormalise3(const double a[3], double out[3]);
/* Two unit vectors across a unit vector: (first, second, axis) right-handed. */
void ksiAcross3(const double axis[3], double first[3], double second[3]);

#endif
