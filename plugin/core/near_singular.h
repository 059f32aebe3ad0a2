/* near_singular.h  Declarations that only pose.c and near_singular.c use. */
#ifndef KSI_CORE_NEAR_SINGULAR_H
#define KSI_CORE_NEAR_SINGULAR_H

#include "pose.h"

#include <math.h>

/* The singular value of a self-stress u is at most the larger of `floor` and `share` times |dJ^T
 * u|. upper: an upper bound of both. rounding: of K K^T. */
typedef struct ksiCoreSpectrum {
    double floor, share, upper, rounding;
} ksiCoreSpectrum;

/* A row of K over body and partner. other: a row [12] of the joint in place of the constraint's
 * row, or NULL. */
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

/* With the undamped factor of ksiCoreBeginPose: finds the self-stresses among the `count`
 * directions up to `upper`. KS_ERROR_SINGULAR: too many, or some were not found. */
KS_MUST_USE ksStatus ksiCoreFindWeak(ksiCore *core, int count, const ksiCoreWay *way, const ksiCoreSpectrum *spectrum,
                                     ksiCoreRankFound *found);

/* With the factor of ksiCoreRank: checks that none of the `count` directions up to `upper`, other
 * than the core's self-stresses, is a self-stress. least: their smallest singular value.
 * KS_ERROR_SINGULAR: one is a self-stress, or some were not found. */
KS_MUST_USE ksStatus ksiCoreFindOthers(ksiCore *core, int count, const ksiCoreWay *way, const ksiCoreSpectrum *spectrum,
                                       double *least);

/* A row's part in a unit self-stress is noise below this multiple of the tilt. */
#define KSI_CORE_NOISE_OVER_TILT 1e2

/* Sets `tilt` and `noise`. largest: the largest singular value of the self-stresses; next: the
 * least singular value of the other directions. */
void ksiCoreFindNoise(const ksiCoreWay *way, const ksiCoreSpectrum *spectrum, double largest, double next,
                      ksiCoreRankFound *found);

#endif
