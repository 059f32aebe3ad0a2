/* determinacy.c  Finds which multipliers are unique, and the self-stresses by which the others may
 * differ.
 *
 * M a = f + J^T lambda fixes `lambda` up to self-stresses, J^T n = 0. A combination c^T lambda is
 * determinate if and only if `c` is orthogonal to all self-stresses. Row `l` is determinate if and
 * only if its relaxed coordinate exists (Paulus 1910, assumption 2). In the equilibrated
 * multipliers mu_l = d_l lambda_l, the self-stresses are the right singular vectors of `R` beyond
 * the rank. J^T n = 0 does not depend on masses, so the tolerance must not depend on them, either.
 * So rank and self-stresses are found in the kinematic metric. */
#include "../system_private.h"

#include "../../base/fpguard.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

double ksiStressNoise(const ksiFactor *f)
{
    if (f->stressCount > 0)
        return f->stressNoise;
    const int values = f->height < f->columns ? f->height : f->columns;
    if (!f->decomposed || f->rank == 0 || f->rank >= values)
        return KSI_LEAST_NOISE;
    const double noise = KSI_NOISE_OVER_TILT * f->sigma[f->rank] / f->sigma[f->rank - 1];
    return fmin(fmax(noise, KSI_LEAST_NOISE), KSI_MOST_NOISE);
}

static void note(ksSystem *system, int count, int rank, double noise)
{
    system->stresses.count = count;
    system->stresses.rank = rank;
    system->stresses.noise = noise;
    system->stresses.known = 1;
    system->stresses.splitError = 0;
    system->stresses.basisKnown = system->stresses.echelonKnown = 0;
}

/* Counts the self-stresses, with one for every row without entries, and finds a basis of them. */
static ksStatus findSelfStress(ksSystem *system, ksiFactor *f)
{
    ksiFindKinematicSizes(&system->model);
    int count = f->columns - f->rank;
    for (int l = 0; l < system->model.rowCount; l++)
        count += f->column[l] < 0 && !system->model.rowKnown[l];
    if (count > 0 &&
        !(f->stressCount == count && f->stressBasis == &system->stresses.orthonormal[KSI_METRIC_KINEMATIC]))
        KSI_TRY(ksiFindStressBasis(system, f, KSI_METRIC_KINEMATIC));
    if (count > 0)
        KSI_TRY(ksiStressShares(system, &system->stresses.orthonormal[KSI_METRIC_KINEMATIC]));
    note(system, count, f->rank, ksiStressNoise(f));
    return KS_OK;
}

double ksiSystemStressNoise(const ksSystem *system)
{
    return system->stresses.noise;
}

void ksiSystemAdmitMisfit(ksSystem *system, double misfit)
{
    system->stresses.noise = fmax(system->stresses.noise, fmin(misfit, KSI_MOST_NOISE));
}

double ksiSystemKinematicSize(ksSystem *system, int row)
{
    ksiFindKinematicSizes(&system->model);
    return system->model.kinematicSize[row];
}

const double *ksiSystemStressShares(const ksSystem *system, int row, int *count)
{
    *count = system->stresses.count > 0 ? system->stresses.shareCount[row] : 0;
    return *count > 0 ? system->stresses.share + (size_t)row * (size_t)system->stresses.shareWidth : NULL;
}

static bool isDeterminate(const ksSystem *system, int row)
{
    int count;
    const double *share = ksiSystemStressShares(system, row, &count);
    double square = 0;
    for (int i = 0; i < count; i++)
        square += share[i] * share[i];
    return square < system->stresses.noise * system->stresses.noise;
}

/* The self-stresses and the rank, into the system. */
static ksStatus decide(ksSystem *system)
{
    if (system->stresses.known)
        return KS_OK;
    const ksStatus byTree = ksiTreeIsDeterminate(system);
    if (!byTree)
        note(system, 0, system->tree.rowCount, KSI_LEAST_NOISE);
    if (byTree != KS_ERROR_UNAVAILABLE)
        return byTree;
    ksiFactor *f;
    KSI_TRY(ksiDecidingFactor(system, &f));
    return findSelfStress(system, f);
}

ksStatus ksiSystemGetDeterminacy(ksSystem *system, int *determinate, size_t *rank)
{
    KSI_REQUIRE_SYSTEM(system);
    KSI_TRY(decide(system));
    for (int l = 0; determinate && l < system->model.rowCount; l++)
        determinate[l] = isDeterminate(system, l);
    if (rank)
        *rank = (size_t)system->stresses.rank;
    return KS_OK;
}

ksStatus ksSystemGetDeterminacy(ksSystem *system, int *determinate, size_t *rank)
{
    KSI_RETURN_OF_SYSTEM(system, ksiSystemGetDeterminacy(system, determinate, rank));
}

void ksiElasticMultipliers(int rows, const ksiElasticRow *row, const double *part, double *multiplier)
{
    for (int l = 0; l < rows; l++)
        multiplier[l] = part[l] / row[l].root;
    for (int l = 0; l < rows; l++)
        for (int k = 0; k < row[l].count; k++)
            multiplier[l] -= row[l].times[k] * multiplier[row[l].with[k]];
}

ksStatus ksiSystemShareOut(ksSystem *system, const ksiElasticRow *elastic, double *multiplier)
{
    const size_t rows = (size_t)system->model.rowCount;
    ksiFactor *f;
    ksStatus status = decide(system);
    if (status || system->stresses.count == 0)
        return status;
    status = ksiDecidingFactor(system, &f);
    // rows without entries may be self-stresses by themselves
    if (status || f->rank == f->columns)
        return status;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->stresses.elasticPart, 2 * rows));
    double *h = system->stresses.elasticPart, *found = h + rows;
    system->stresses.elastic = elastic;
    KSI_TRY(ksiFindStressBasis(system, f, KSI_METRIC_ELASTIC));
    for (size_t l = 0; l < rows; l++)
        found[l] = system->model.rowKnown[l] ? 0 : multiplier[l];
    for (size_t l = 0; l < rows; l++)
        h[l] = system->model.rowKnown[l] ? 0 : ksiElasticPart(elastic, (int)l, found);
    ksiStresslessPart(&system->stresses.orthonormal[KSI_METRIC_ELASTIC], h);
    ksiElasticMultipliers((int)rows, elastic, h, found);
    for (size_t l = 0; l < rows; l++)
        if (!system->model.rowKnown[l])
            multiplier[l] = found[l];
    return KS_OK;
}

ksStatus ksiSystemCountSelfStresses(ksSystem *system, int *count)
{
    if (!ksiBeginCall(system) || !count)
        return KS_ERROR_BAD_ARGUMENT;
    KSI_TRY(decide(system));
    *count = system->stresses.count;
    return KS_OK;
}

ksStatus ksiSystemGetSelfStress(ksSystem *system, const double **basis, int *count)
{
    if (!ksiBeginCall(system) || !basis || !count)
        return KS_ERROR_BAD_ARGUMENT;
    int found;
    KSI_TRY(ksiSystemCountSelfStresses(system, &found));
    const size_t rows = (size_t)system->model.rowCount;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->stresses.basis, (size_t)found * rows));
    for (int k = 0; !system->stresses.basisKnown && k < found; k++) {
        double *n = system->stresses.basis + (size_t)k * rows;
        ksiStressVector(system, &system->stresses.orthonormal[KSI_METRIC_KINEMATIC], k, n);
        for (size_t l = 0; l < rows; l++)
            n[l] = system->model.rowKnown[l] ? 0 : n[l] / system->model.kinematicSize[l];
    }
    system->stresses.basisKnown = 1;
    *basis = system->stresses.basis;
    *count = found;
    return KS_OK;
}
