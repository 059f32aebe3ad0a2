/* articulated_permit.c  Velocities that the rows of a tree permit, with the rates of its joints as they are.
 *
 * From the root to the leaves each body takes the least change dy that its joint asks for after its parent's,
 *
 *     B_c^T dy_c = -rate - B_p^T dy_p,        dy_c = W B_c (B_c^T W B_c)^-1 (...),
 *
 * where W leaves turning to rows that nothing else closes: points that part are brought together by moving the body, and only
 * axes that part by turning it. */
#include "../system_private.h"
#include "articulated.h"

#include "../../base/vectorise.h"
#include "../../linear/cholesky.h"

#include <math.h>
#include <string.h>

/* Weight of a turn's square beside that of a shift: with a thousand times more, levers of ten radii of gyration leak a hundredth
 * of a gap into the turn; with a thousand times less, digits are lost. */
static const double turning = 1e-8;

enum { SIX = KSI_SIX };

/* The held rows of a group over a body and its parent. */
typedef struct Held {
    int count;
    const double *own[SIX], *other[SIX]; /* other NULL: none */
    double right[SIX];
} Held;

/* 0: there are more than a body can hold */
static int hold(const ksSystem *system, const ksiLinkPlace *link, const double *rate, Held *held)
{
    const ksiModel *model = &system->model;
    const int *row = system->pattern->fronts.groupRow + link->group;
    held->count = 0;
    for (int l = row[0]; l < row[1]; l++) {
        if (isnan(rate[l]))
            continue;
        if (held->count == SIX || model->blockSize[link->block] != SIX)
            return 0;
        const int *piece = model->pieceEntry + model->rowPiece[l];
        held->own[held->count] = model->entry + piece[link->side];
        held->other[held->count] = link->parent < 0 ? NULL : model->entry + piece[1 - link->side];
        held->right[held->count++] = -rate[l];
    }
    return 1;
}

/* The least change of the body; false if its rows depend on each other. */
KSI_CLONES
static int change(const Held *held, const double *parent, double *own)
{
    double matrix[SIX * SIX], weighted[SIX][SIX], x[SIX];
    for (int l = 0; l < held->count; l++) {
        for (int k = 0; k < SIX; k++)
            weighted[l][k] = (k < 3 ? 1 : turning) * held->own[l][k];
        x[l] = held->right[l] - (held->other[l] ? ksiDotSix(held->other[l], parent) : 0);
        for (int m = 0; m <= l; m++)
            matrix[m * held->count + l] = ksiDotSix(weighted[l], held->own[m]);
    }
    if (!ksiFactorPositive(held->count, matrix))
        return 0;
    ksiSolveTriangles(held->count, matrix, x);
    for (int l = 0; l < held->count; l++)
        ksiAddSix(own, x[l], weighted[l]);
    return 1;
}

ksStatus ksiSystemPermit(ksSystem *system, const double *rate, double *velocity)
{
    ksiModel *model = &system->model;
    KSI_TRY(ksiSystemPattern(system));
    KSI_TRY(ksiFindHeldLinks(model, &system->pattern->fronts, rate, &system->held));
    memset(velocity, 0, (size_t)model->coordinateCount * sizeof *velocity);
    const ksiLinkPlace *place = system->held.place;
    int done = system->held.isTree;
    for (int i = 0; done && i < system->held.count; i++) {
        const ksiLinkPlace *link = &place[i];
        const double *parent = link->parent < 0 ? NULL : velocity + model->blockOffset[place[link->parent].block];
        Held held;
        done = link->group < 0 ||
               (hold(system, link, rate, &held) && change(&held, parent, velocity + model->blockOffset[link->block]));
    }
    if (!done)
        return KS_ERROR_UNAVAILABLE;
    ksiUnscaleMotion(model, velocity, velocity);
    return KS_OK;
}
