/* articulated_permit.c  Velocities that the rows of a tree permit, with unchanged joint rates.
 *
 * From the root to the leaves, each body gets the least change dy that its joint requires,
 *
 *     B_c^T dy_c = -rate - B_p^T dy_p,        dy_c = W B_c (B_c^T W B_c)^-1 (...),
 *
 * where W reserves rotation for rows that no translation can satisfy: a gap between points is
 * closed by moving the body, and only an angle between axes by turning it. */
#include "../system_private.h"
#include "articulated.h"

#include "../../core/kernel.h"

#include <math.h>
#include <string.h>

/* Weight of squared rotation relative to squared translation. A thousand times larger, a lever of ten radii of
 * gyration turns a hundredth of a gap into rotation; a thousand times smaller, digits are lost. */
static const double turning = 1e-8;

enum { SIX = KSI_SIX };

/* The rows of a group that are satisfied, over a body and its parent. */
typedef struct Held {
    int count;
    const double *own[SIX], *other[SIX]; /* other NULL: none */
    double right[SIX];
} Held;

/* 0: more than a body can satisfy */
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

/* The least change of the body; false: its rows are dependent. */
KSI_INLINE bool changeBy(const int ROWS, const Held *held, const double *parent, double *own)
{
    static const double none[8] = {0};
    ksiEight row[SIX], column[SIX], weighed[SIX], triangle[SIX];
    double inverse[8], x[SIX];
    clearBlock(row);
    EACH (l, 0, ROWS) {
        row[l].half[0] = *(const ksiFour *)held->own[l];
        row[l].half[1] = (ksiFour){held->own[l][4], held->own[l][5]};
        x[l] = held->right[l] - (held->other[l] ? ksiDotSix(held->other[l], parent) : 0);
        clearEight(&triangle[l]);
    }
    transposeEight(ROWS, SIX, row, column);
    EACH (k, 0, SIX)
        scaleEight(ROWS, k < 3 ? 1 : turning, &column[k], &weighed[k]);
    addSquare(SIX, ROWS, 1, column, weighed, triangle);
    if (factorEight(ROWS, triangle, inverse, none))
        return false;
    EACH (j, 0, ROWS)
        EACH (i, j + 1, ROWS)
            x[i] -= triangle[j].at[i] * (inverse[j] * x[j]);
    EACH_DOWN (j, 0, ROWS) {
        EACH (i, j + 1, ROWS)
            x[j] -= triangle[j].at[i] * x[i];
        x[j] *= inverse[j];
    }
    EACH (k, 0, SIX)
        EACH (l, 0, ROWS)
            own[k] += x[l] * weighed[k].at[l];
    return true;
}

KSI_CLONES
static bool change(const Held *held, const double *parent, double *own)
{
    bool done = true;
#define CHANGE(ROWS) done = changeBy(ROWS, held, parent, own)
    KSI_CORE_BY_ROWS(held->count, CHANGE)
    return done;
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
