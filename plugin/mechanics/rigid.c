/* rigid.c  Systems of rigid bodies, whose rows come mass-scaled: the way in for whoever has their roots already.
 *
 *  M = L L^T with L = diag(sqrt(m) 1, L_I), I = L_I L_I^T. L_I^-1 is at hand, so that nothing is divided here. The numbers
 *  are the caller's to check.
 */
#include "system_private.h"

#include "../vectorise.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A pivot that is all rounding is no mass; NaN fails as well. */
static int isPivot(double pivot, double diagonal)
{
    return pivot > 4 * DBL_EPSILON * diagonal && isfinite(pivot);
}

int ksiRigidRootOf(double mass, const double inertia[9], ksiRigidRoot *root)
{
    const double *i = inertia;
    if (!(mass > 0) || !isfinite(mass) || !isPivot(i[0], i[0]))
        return 0;
    const double l00 = sqrt(i[0]), x00 = 1 / l00, l10 = i[3] * x00, l20 = i[6] * x00, d11 = i[4] - l10 * l10;
    if (!isPivot(d11, i[4]))
        return 0;
    const double l11 = sqrt(d11), x11 = 1 / l11, l21 = (i[7] - l20 * l10) * x11, d22 = i[8] - l20 * l20 - l21 * l21;
    if (!isPivot(d22, i[8]))
        return 0;
    const double l22 = sqrt(d22), x22 = 1 / l22;
    const double x10 = -l10 * x00 * x11, x21 = -l21 * x11 * x22, x20 = -(l20 * x00 + l21 * x10) * x22;
    root->mass = sqrt(mass);
    root->massInverse = 1 / root->mass;
    memcpy(root->inertia, (const double[9]){l00, 0, 0, l10, l11, 0, l20, l21, l22}, sizeof root->inertia);
    memcpy(root->inertiaInverse, (const double[9]){x00, 0, 0, x10, x11, 0, x20, x21, x22}, sizeof root->inertia);
    return 1;
}

ksStatus ksiSystemBeginRigid(ksSystem *system, int bodies, int rows)
{
    const size_t b = (size_t)bodies, coordinates = 6 * b, r = (size_t)rows, pieces = 2 * r, entries = 12 * r;
    ksSystemClear(system);
    if (ksiIntsReserve(system, &system->blockSize, b) || ksiIntsReserve(system, &system->blockOffset, b) ||
        ksiIntsReserve(system, &system->blockStamp, b) || ksiIntsReserve(system, &system->blockCholesky, b) ||
        ksiIntsReserve(system, &system->blockIsRigid, b) ||
        ksiDoublesReserve(system, &system->cholesky, b * (sizeof(ksiRigidRoot) / sizeof(double))) ||
        ksiDoublesReserve(system, &system->scaledForce, coordinates) ||
        ksiDoublesReserve(system, &system->velocity, coordinates) || ksiRowsReserve(system, r, pieces, entries))
        return KS_ERROR_NO_MEMORY;
    return KS_OK;
}

int ksiSystemAddBody(ksSystem *system, const ksiRigidRoot *root, const double force[6], const double velocity[6])
{
    const int b = system->blockCount++;
    memcpy(system->cholesky.at + system->choleskyCount, root, sizeof *root);
    double *scaled = system->scaledForce.at + system->coordinateCount;
    memcpy(scaled, force, 6 * sizeof *scaled);
    ksiRigidForward(root, scaled);
    memcpy(system->velocity.at + system->coordinateCount, velocity, 6 * sizeof *velocity);
    system->blockSize.at[b] = 6;
    system->blockOffset.at[b] = system->coordinateCount;
    system->blockStamp.at[b] = 0;
    system->blockCholesky.at[b] = (int)system->choleskyCount;
    system->blockIsRigid.at[b] = 1;
    system->coordinateCount += 6;
    system->choleskyCount += sizeof *root / sizeof(double);
    return b;
}

KSI_CLONES
int ksiSystemAddScaledRow(ksSystem *system, const int body[2], const double scaled[12], const ksiRowTerms *terms)
{
    const int l = system->rowCount++;
    double square = 0, weighted = 0;
    for (int side = 0; side < 2; side++) {
        if (body[side] < 0)
            continue;
        memcpy(system->entry.at + system->entryCount, scaled + 6 * side, 6 * sizeof *scaled);
        const double part = ksiDotSix(scaled + 6 * side, scaled + 6 * side),
                     weight = ksiBlockWeight(system, body[side]);
        square += part;
        weighted += weight * weight * part;
        system->pieceBlock.at[system->pieceCount] = body[side];
        system->pieceEntry.at[system->pieceCount++] = system->entryCount;
        system->entryCount += 6;
    }
    system->rowPiece.at[l + 1] = system->pieceCount;
    system->beta.at[l] = terms->beta;
    system->compliance.at[l] = terms->compliance;
    system->lo.at[l] = terms->isKnown ? terms->known : -INFINITY;
    system->hi.at[l] = terms->isKnown ? terms->known : INFINITY;
    system->rowKnown.at[l] = terms->isKnown;
    system->knownCount += terms->isKnown;
    system->diagonal.at[l] = square;
    system->rowSize.at[l] = weighted > 0 ? sqrt(weighted) : 1;
    return l;
}

void ksiRigidForward(const ksiRigidRoot *root, double x[6])
{
    const double *l = root->inertiaInverse, t[3] = {x[3], x[4], x[5]};
    for (int k = 0; k < 3; k++)
        x[k] *= root->massInverse;
    x[3] = l[0] * t[0];
    x[4] = l[3] * t[0] + l[4] * t[1];
    x[5] = l[6] * t[0] + l[7] * t[1] + l[8] * t[2];
}

void ksiRigidBackward(const ksiRigidRoot *root, double x[6])
{
    const double *l = root->inertiaInverse, t[3] = {x[3], x[4], x[5]};
    for (int k = 0; k < 3; k++)
        x[k] *= root->massInverse;
    x[3] = l[0] * t[0] + l[3] * t[1] + l[6] * t[2];
    x[4] = l[4] * t[1] + l[7] * t[2];
    x[5] = l[8] * t[2];
}

void ksiRigidTransposed(const ksiRigidRoot *root, double x[6])
{
    const double *l = root->inertia, t[3] = {x[3], x[4], x[5]};
    for (int k = 0; k < 3; k++)
        x[k] *= root->mass;
    x[3] = l[0] * t[0] + l[3] * t[1] + l[6] * t[2];
    x[4] = l[4] * t[1] + l[7] * t[2];
    x[5] = l[8] * t[2];
}
