/* rigid.c  Fills systems of rigid bodies with mass-scaled rows, for callers that have the roots of
 * the masses already.
 *
 * The root is L = diag(sqrt(m) 1, L_I), with M = L L^T. The caller gives L_I^-1, so that nothing is
 * divided here. The caller also checks the numbers.
 */
#include "system_private.h"

#include "../base/vectorise.h"

#include <math.h>
#include <string.h>

ksStatus ksiSystemBeginRigid(ksSystem *system, int bodies, int rows)
{
    const size_t b = (size_t)bodies, pieces = 2 * (size_t)rows, entries = 6 * pieces;
    const size_t r = (size_t)rows + KSI_JOINT_ROWS; /* ksiSystemAddJoint writes beyond the last */
    ksSystemClear(system);
    KSI_TRY(ksiBlocksReserve(&system->model, b, 6 * b, b * (sizeof(ksiRigidRoot) / sizeof(double))));
    KSI_TRY(ksiRowsReserve(&system->model, r, pieces, entries));
    return KS_OK;
}

int ksiSystemAddBody(ksSystem *system, const ksiRigidRoot *root, const double force[6], const double velocity[6])
{
    memcpy(system->model.cholesky + system->model.choleskyCount, root, sizeof *root);
    double *scaled = system->model.scaledForce + system->model.coordinateCount;
    memcpy(scaled, force, 6 * sizeof *scaled);
    ksiRigidForward(root, scaled);
    memcpy(system->model.velocity + system->model.coordinateCount, velocity, 6 * sizeof *velocity);
    return ksiAppendBlock(&system->model, 6, sizeof *root / sizeof(double), 1);
}

/* Entries and pieces of a joint's rows over SIDES bodies, from `offset` of their twelve numbers
 * on. */
KSI_INLINE void addPieces(const int SIDES, ksSystem *system, const int *body, int offset, const ksiJointTerms *terms,
                          double *length)
{
    double *entry = system->model.entry + system->model.entryCount,
           *diagonal = system->model.diagonal + system->model.rowCount;
    int *block = system->model.pieceBlock + system->model.pieceCount,
        *from = system->model.pieceEntry + system->model.pieceCount;
    int *end = system->model.rowPiece + system->model.rowCount + 1, at = system->model.entryCount,
        p = system->model.pieceCount;
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
    system->model.entryCount = at;
    system->model.pieceCount = p;
}

KSI_CLONES
int ksiSystemAddJoint(ksSystem *system, const int body[2], const ksiJointTerms *terms, double length[KSI_JOINT_ROWS])
{
    const int first = system->model.rowCount;
    if (body[0] >= 0 && body[1] >= 0)
        addPieces(2, system, body, 0, terms, length);
    else if (body[0] >= 0)
        addPieces(1, system, body, 0, terms, length);
    else
        addPieces(1, system, body + 1, 6, terms, length);
    // copy whole arrays: numbers beyond the count will be overwritten
    memcpy(system->model.beta + first, terms->beta, sizeof terms->beta);
    memcpy(system->model.compliance + first, terms->compliance, sizeof terms->compliance);
    memcpy(system->model.rowKnown + first, terms->isKnown, sizeof terms->isKnown);
    for (int l = 0; terms->knownCount > 0 && l < terms->count; l++)
        if (terms->isKnown[l])
            system->model.lo[first + l] = system->model.hi[first + l] = terms->known[l];
    system->model.knownCount += terms->knownCount;
    system->model.rowCount += terms->count;
    system->model.kinematicSizesKnown = 0;
    return first;
}
