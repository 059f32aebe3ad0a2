/* articulated_permit.c  Velocities that the rows of a tree permit, with the rates of its joints as they are.
 *
 * From the root to the leaves each body takes the least change dy that its joint asks for after its parent's,
 *
 *     B_c^T dy_c = -rate - B_p^T dy_p,        dy_c = W B_c (B_c^T W B_c)^-1 (...),
 *
 * where W leaves turning to rows that nothing else closes: points that part are brought together by moving the body, and only
 * axes that part by turning it. */
#include "system_private.h"

#include "../base/vectorise.h"
#include "../linear/cholesky.h"

#include <math.h>
#include <string.h>

/* Weight of a turn's square beside that of a shift: with a thousand times more, levers of ten radii of gyration leak a hundredth
 * of a gap into the turn; with a thousand times less, digits are lost. */
static const double turning = 1e-8;

enum { SIX = KSI_SIX };

/* The held rows of a link over its body and its parent's. */
typedef struct Held {
    int count;
    const double *own[SIX], *other[SIX]; /* other NULL: none */
    double right[SIX];
} Held;

/* false: there are more than a body can hold */
static int hold(const ksSystem *system, const ksiLink *link, const double *rate, Held *held)
{
    const ksiModel *model = &system->model;
    const int first = system->pattern->fronts.groupRow.at[link->group],
              end = system->pattern->fronts.groupRow.at[link->group + 1];
    held->count = 0;
    for (int l = first; l < end; l++) {
        if (isnan(rate[l]))
            continue;
        if (held->count == SIX)
            return 0;
        const int piece = model->rowPiece.at[l];
        held->own[held->count] = model->entry.at + model->pieceEntry.at[piece + link->side];
        held->other[held->count] =
            link->parent < 0 ? NULL : model->entry.at + model->pieceEntry.at[piece + 1 - link->side];
        held->right[held->count++] = -rate[l];
    }
    return 1;
}

/* The least change of the body; false if its rows depend on each other. */
static int change(const Held *held, const double *parent, double *own)
{
    double matrix[SIX * SIX], x[SIX];
    for (int l = 0; l < held->count; l++) {
        x[l] = held->right[l] - (held->other[l] ? ksiDotSix(held->other[l], parent) : 0);
        for (int m = 0; m < held->count; m++) {
            const double *a = held->own[l], *b = held->own[m];
            matrix[l * held->count + m] =
                a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + turning * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
        }
    }
    if (!ksiFactorPositive(held->count, matrix))
        return 0;
    ksiSolveTriangles(held->count, matrix, x);
    for (int l = 0; l < held->count; l++)
        for (int k = 0; k < SIX; k++)
            own[k] += x[l] * (k < 3 ? 1 : turning) * held->own[l][k];
    return 1;
}

ksStatus ksiSystemPermit(ksSystem *system, const double *rate, double *velocity, int *done)
{
    const ksStatus status = ksiTreePattern(system);
    const ksiTree *tree = &system->tree;
    *done = !status && tree->isTree;
    memset(velocity, 0, (size_t)system->model.coordinateCount * sizeof *velocity);
    for (int i = 0; *done && i < tree->limbCount; i++) {
        const ksiLink *link = &tree->link[i];
        const double *parent =
            link->parent < 0 ? NULL : velocity + system->model.blockOffset.at[tree->link[link->parent].block];
        Held held = {0};
        *done = link->group < 0 || (system->model.blockSize.at[link->block] == SIX && hold(system, link, rate, &held) &&
                                    change(&held, parent, velocity + system->model.blockOffset.at[link->block]));
    }
    if (*done)
        ksiUnscaleMotion(&system->model, velocity);
    return status;
}
