/* least_motion.h  The least change of a body's velocity: see least_motion.c. */
#ifndef KSI_CORE_LEAST_MOTION_H
#define KSI_CORE_LEAST_MOTION_H

/* Adds to `own` the least motion that changes the rates of up to six rows by `right`. Motion and
 * rows are scaled by the root of the mass. Omits rows that depend on earlier rows, and returns
 * them: bits. */
unsigned ksiCoreLeastChange(int rows, const double (*row)[6], const double *right, double own[6]);

#endif
