/* momentum.h  Of phase 9: how much of a body's momentum may be left unexplained. */
#ifndef KSI_INSPECTOR_MOMENTUM_H
#define KSI_INSPECTOR_MOMENTUM_H

#include "step_view.h"

/* Size in the mass metric, N: rounding, and the tolerance of the smallest load on it. */
double ksiAllowedResidual(const ksiStep *step, int body);

#endif
