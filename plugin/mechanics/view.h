/* view.h  A view of a system: the rows, the compliance and the metric that a factorisation uses. */
#ifndef KSI_MECHANICS_VIEW_H
#define KSI_MECHANICS_VIEW_H

#include <math.h>
#include <stdbool.h>

/* No view has the elastic metric, in which the length of a self-stress is the root of its elastic
 * energy. */
typedef enum ksiMetric { KSI_METRIC_KINEMATIC, KSI_METRIC_MASS, KSI_METRIC_ELASTIC, KSI_METRIC_COUNT } ksiMetric;

/* Compliance that counts; other compliance counts as zero. */
typedef enum ksiCompliance {
    KSI_COMPLIANCE_ALL,
    KSI_COMPLIANCE_ABOVE_RIGID, /* the rank tolerance decides the rank of such a view; the rank of
                                   other views is decided to rounding */
    KSI_COMPLIANCE_NONE
} ksiCompliance;

typedef struct ksiFactorSpec {
    bool hasKnown; /* the view includes rows of known multipliers */
    ksiCompliance compliance;
    ksiMetric metric;
} ksiFactorSpec;

/* The views in use, as indices of factorisations. */
typedef enum ksiViewIndex {
    KSI_VIEW_EXACT,
    KSI_VIEW_RIGID,
    KSI_VIEW_ALL,
    KSI_VIEW_REACH,     /* all forces that multipliers can produce */
    KSI_VIEW_KINEMATIC, /* decides the rank of RIGID, and the self-stresses */
    KSI_VIEW_KINEMATIC_EXACT,
    KSI_VIEW_COUNT
} ksiViewIndex;

static inline ksiFactorSpec ksiViewAt(ksiViewIndex index)
{
    static const ksiFactorSpec view[KSI_VIEW_COUNT] = {
        [KSI_VIEW_EXACT] = {0, KSI_COMPLIANCE_ALL, KSI_METRIC_MASS},
        [KSI_VIEW_RIGID] = {0, KSI_COMPLIANCE_ABOVE_RIGID, KSI_METRIC_MASS},
        [KSI_VIEW_ALL] = {1, KSI_COMPLIANCE_ALL, KSI_METRIC_MASS},
        [KSI_VIEW_REACH] = {1, KSI_COMPLIANCE_NONE, KSI_METRIC_MASS},
        [KSI_VIEW_KINEMATIC] = {0, KSI_COMPLIANCE_ABOVE_RIGID, KSI_METRIC_KINEMATIC},
        [KSI_VIEW_KINEMATIC_EXACT] = {0, KSI_COMPLIANCE_ALL, KSI_METRIC_KINEMATIC},
    };
    return view[index];
}

/* Compliance up to this value counts as zero. */
static inline double ksiNoComplianceUpTo(ksiFactorSpec view, double rigidCompliance)
{
    return view.compliance == KSI_COMPLIANCE_NONE          ? INFINITY
           : view.compliance == KSI_COMPLIANCE_ABOVE_RIGID ? rigidCompliance
                                                           : 0;
}

#endif
