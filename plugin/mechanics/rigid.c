/* rigid.c  Systems of rigid bodies, whose rows come mass-scaled: the way in for whoever has their roots already.
 *
 *  M = L L^T with L = diag(sqrt(m) 1, L_I). L_I^-1 is at hand, so that nothing is divided here. The numbers are the
 *  caller's to check.
 */
#include "system_private.h"

#include "../base/vectorise.h"

#include <math.h>
#include <string.h>

ksStatus ksiSystemBeginRigid(ksSystem *system, int bodies, int rows)
{
    const size_t b = (size_t)bodies, coordinates = 6 * b, pieces = 2 * (size_t)rows, entries = 6 * pieces;
    const size_t r = (size_t)rows + KSI_JOINT_ROWS; /* ksiSystemAddJoint writes beyond the last */
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

/* Entries and pieces of a joint's rows over SIDES bodies, from `offset` of their twelve numbers on. */
KSI_INLINE void addPieces(const int SIDES, ksSystem *system, const int *body, int offset, const ksiJointTerms *terms,
                          double *length)
{
    double *entry = system->entry.at + system->entryCount, *diagonal = system->diagonal.at + system->rowCount;
    int *block = system->pieceBlock.at + system->pieceCount, *from = system->pieceEntry.at + system->pieceCount;
    int *end = system->rowPiece.at + system->rowCount + 1, at = system->entryCount, p = system->pieceCount;
    for (int l = 0, count = terms->count; l < count; l++) {
        const double *b = terms->scaled[l];
        for (int side = 0; side < SIDES; side++) {
            *block++ = body[side];
            *from++ = at + 6 * side;
        }
        if (SIDES == 2)
            for (int i = 0; i < 12; i += 4)
                *(ksiFour *)(entry + i) = *(const ksiFour *)(b + i);
        else
            memcpy(entry, b + offset, 6 * sizeof *entry);
        diagonal[l] = ksiDotTwelve(b, b);
        length[l] = sqrt(diagonal[l]);
        entry += 6 * SIDES;
        at += 6 * SIDES;
        end[l] = p += SIDES;
    }
    system->entryCount = at;
    system->pieceCount = p;
}

KSI_CLONES
int ksiSystemAddJoint(ksSystem *system, const int body[2], const ksiJointTerms *terms, double length[KSI_JOINT_ROWS])
{
    const int first = system->rowCount;
    if (body[0] >= 0 && body[1] >= 0)
        addPieces(2, system, body, 0, terms, length);
    else if (body[0] >= 0)
        addPieces(1, system, body, 0, terms, length);
    else
        addPieces(1, system, body + 1, 6, terms, length);
    // all that there is room for: what is beyond the count will be written over
    memcpy(system->beta.at + first, terms->beta, sizeof terms->beta);
    memcpy(system->compliance.at + first, terms->compliance, sizeof terms->compliance);
    memcpy(system->rowKnown.at + first, terms->isKnown, sizeof terms->isKnown);
    for (int l = 0; terms->knownCount > 0 && l < terms->count; l++)
        if (terms->isKnown[l])
            system->lo.at[first + l] = system->hi.at[first + l] = terms->known[l];
    system->knownCount += terms->knownCount;
    system->rowCount += terms->count;
    system->sizesKnown = 0;
    return first;
}
