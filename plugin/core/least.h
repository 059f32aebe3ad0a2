/* least.h  The least change of a body's velocity: see least.c. */
#ifndef KSI_CORE_LEAST_H
#define KSI_CORE_LEAST_H

/* Adds to a body's motion, scaled by the root of its mass, the least change by which these rows of it, scaled too, up to six, change as much as
 * `right` says. Returns rows that depend on those before them, and are left out: bits. */
unsigned ksiCoreLeastChange(int rows, const double (*row)[6], const double *right, double own[6]);

#endif
