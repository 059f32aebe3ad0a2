/* bound_state.h  Position of rows between their bounds. */
#ifndef KSI_INSPECTOR_READ_BOUND_STATE_H
#define KSI_INSPECTOR_READ_BOUND_STATE_H

#include "../step_view.h"

/* A multiplier this close to a bound is at it; N or N.m. multiplier: [count] of a joint */
double ksiBoundMargin(int count, bool isSingle, const double *multiplier, double bound);
ksRowPlace ksiPlaceBetween(int count, bool isSingle, const double *multiplier, int l, double low, double high);
/* ksiSetFrictionBound: mu times a normal force. ksiSetReportedBounds: the bounds of any row; the
 * bounds of a friction row follow from the reported normal force. ksiBoundInForce: the bound at
 * this place; the smaller bound if the place is not at a bound. */
void ksiSetFrictionBound(const ksiStep *step, const ksiRow *row, double normal, double *low, double *high);
void ksiSetReportedBounds(const ksiStep *step, size_t joint, int l, ksiPlaces *places);
double ksiBoundInForce(const ksiPlaces *places, int l, ksRowPlace place);

#endif
