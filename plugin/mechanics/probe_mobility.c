/* probe_mobility.c  Finds the velocity at one place that a unit impulse at another place produces.
 *
 *     e^T B d,     B = M^-1 - M^-1 J^T (A + S)^-1 J M^-1                     Maxwell; Lamb 1911, §1
 *
 * In the frame of factor.c, this is
 *
 *     B = L^-T Q2 Q2^T L^-1
 *
 * It is a product over the admissible coordinates, so it has no cancellation like the difference
 * above. It is symmetric in `e` and `d`.
 */
#include "system_private.h"

#include "../base/fpguard.h"

#include <math.h>
#include <string.h>

/* Sum over the blocks of direction_k . v_block_k, as a force in scaled coordinates and then in the
 * frame. */
static ksStatus enterProbe(ksSystem *system, ksiFactor *f, const char *name, const ksProbe *probe, double *h)
{
    memset(h, 0, (size_t)f->height * sizeof *h);
    for (int k = 0; k < probe->blockCount; k++) {
        const int b = probe->block[k];
        system->culprit = b;
        KSI_REQUIRE(b >= 0 && b < system->model.blockCount, "%s->block[%d]: block %d of %d", name, k, b,
                    system->model.blockCount);
        KSI_REQUIRE(probe->direction[k], "%s->direction[%d] is NULL", name, k);
        const int size = system->model.blockSize[b];
        if (!ksiAllFinite((size_t)size, probe->direction[k]))
            return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "%s->direction[%d] has a NaN or an infinity", name, k);
        system->culprit = -1;
        for (int i = 0; i < size; i++)
            h[system->model.blockOffset[b] + i] += probe->direction[k][i];
    }
    ksiScaleForce(&system->model, h, h);
    ksiApplyQTransposed(f, h);
    return KS_OK;
}

static ksStatus checkArrays(const char *name, const ksProbe *probe)
{
    KSI_REQUIRE(probe, "%s is NULL", name);
    KSI_REQUIRE(probe->blockCount >= 0, "%s->blockCount is %d, must be >= 0", name, probe->blockCount);
    KSI_REQUIRE(probe->blockCount == 0 || probe->block, "%s->block is NULL", name);
    KSI_REQUIRE(probe->blockCount == 0 || probe->direction, "%s->direction is NULL", name);
    return KS_OK;
}

static ksStatus findMobility(ksSystem *system, ksiViewIndex view, const ksProbe *at, const ksProbe *from,
                             double *mobility)
{
    KSI_REQUIRE_SYSTEM(system);
    KSI_REQUIRE_POINTER(mobility);
    ksiFactor *f;
    KSI_TRY(checkArrays("at", at));
    KSI_TRY(checkArrays("from", from));
    KSI_TRY(ksiFactorGet(system, view, &f));
    const size_t height = (size_t)f->height, rank = (size_t)f->rank;
    KSI_TRY(ksiReserveVectors(system, height, height, 0));
    double *e = system->vector[0], *d = system->vector[1];
    KSI_TRY(enterProbe(system, f, "at", at, e));
    KSI_TRY(enterProbe(system, f, "from", from, d));
    const double found = ksiDot(height - rank, e + rank, d + rank);
    if (!isfinite(found))
        return KS_ERROR_NOT_FINITE;
    *mobility = found;
    return KS_OK;
}

ksStatus ksSystemGetMobility(ksSystem *system, const ksProbe *at, const ksProbe *from, double *mobility)
{
    KSI_RETURN_OF_SYSTEM(system, findMobility(system, KSI_VIEW_EXACT, at, from, mobility));
}

ksStatus ksiSystemGetRigidMobility(ksSystem *system, const ksProbe *at, const ksProbe *from, double *mobility)
{
    return findMobility(system, KSI_VIEW_RIGID, at, from, mobility);
}

void ksProbeForce(const double centre[3], const double point[3], const double axis[3], double direction[6])
{
    // v_point . n = v . n + (w x r) . n = (n, r x n) . (v, w)
    KSI_GUARD_FP(for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        direction[i] = axis[i];
        direction[3 + i] = (point[j] - centre[j]) * axis[k] - (point[k] - centre[k]) * axis[j];
    });
}

void ksProbeCouple(const double axis[3], double direction[6])
{
    for (int i = 0; i < 3; i++) {
        direction[i] = 0;
        direction[3 + i] = axis[i];
    }
}
