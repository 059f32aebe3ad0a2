/* least.h  The least change of a body's velocity: see least.c. */
#ifndef KSI_CORE_LEAST_H
#define KSI_CORE_LEAST_H

/* Adds to a body's motion, scaled by the root of its mass, the least change that changes the rates
 * of up to six of its rows, scaled likewise, by `right`. Leaves out rows that depend on earlier
 * rows, and returns them: bits. */
unsigned ksiCoreLeastChange(int rows, const double (*row)[6], const double *right, double own[6]);

#endif
