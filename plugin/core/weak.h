/* weak.h  Shared parts of pose.c and weak.c. */
#ifndef KSI_CORE_WEAK_H
#define KSI_CORE_WEAK_H

#include "pose.h"

#include <math.h>

/* Which singular values are those of self-stresses: up to `floor`, or `share` times |dJ^T u|; `upper` is the most that this may be. */
typedef struct ksiCoreSpectrum {
    double floor, share, upper, rounding;
} ksiCoreSpectrum;

/* A row of K, of the body and of the partner; other: a row [12] in the order of the joint in place of the constraint's own; or NULL. */
static inline void ksiCoreUnitRow(const ksiCore *core, const ksiConstraint *c, int l, const double *other,
                                  double row[2][6])
{
    double size2 = 0;
    for (int p = 0; p < 2; p++) {
        const int body = p ? c->partner : c->body, side = p ? 1 - c->side : c->side;
        const double weight = body < 0 ? 0 : sqrt(core->link[body].weight2);
        for (int k = 0; k < 6; k++) {
            row[p][k] = weight * (other ? other[6 * side + k] : p ? c->other[l].at[k] : c->own[k].at[l]);
            size2 += row[p][k] * row[p][k];
        }
    }
    for (int i = 0; i < 12; i++)
        row[i / 6][i % 6] *= size2 > 0 ? 1 / sqrt(size2) : 0;
}

/* With the factor of ksiCoreBeginPose, undamped: which of the `count` directions up to `upper` are self-stresses. KS_ERROR_SINGULAR: too many,
 * or not all are found. */
KS_MUST_USE ksStatus ksiCoreFindWeak(ksiCore *core, int count, const ksiCoreWay *way, const ksiCoreSpectrum *spectrum,
                                     ksiCoreRankFound *found);

/* With the factor of ksiCoreRank: verifies that none of the next `count` directions beside the core's self-stresses, up to `upper`, is a
 * self-stress; least: the smallest of their singular values. KS_ERROR_SINGULAR: one is, or they were not found. */
KS_MUST_USE ksStatus ksiCoreFindOthers(ksiCore *core, int count, const ksiCoreWay *way, const ksiCoreSpectrum *spectrum,
                                       double *least);

/* A row's part in a unit self-stress is noise below this multiple of the tilt. */
#define KSI_CORE_NOISE_OVER_TILT 1e2

/* By the largest singular value of a self-stress, and the least one of what is none. */
void ksiCoreFindNoise(const ksiCoreWay *way, const ksiCoreSpectrum *spectrum, double largest, double next,
                      ksiCoreRankFound *found);

#endif
