/* articulated_permit.c  Velocities that the rows of a tree permit, with the rates of its joints as they are.
 *
 * From the root to the leaves each body takes the least change dy that its joint asks for after its parent's,
 *
 *     B_c^T dy_c = -rate - B_p^T dy_p,        dy_c = W B_c (B_c^T W B_c)^-1 (...),
 *
 * where W leaves turning to rows that nothing else closes: points that part are brought together by moving the body, and only
 * axes that part by turning it. */
#include "articulated.h"
#include "system_private.h"

#include "../base/vectorise.h"
#include "../linear/cholesky.h"

#include <math.h>
#include <string.h>

/* Weight of a turn's square beside that of a shift: with a thousand times more, levers of ten radii of gyration leak a hundredth
 * of a gap into the turn; with a thousand times less, digits are lost. */
static const double turning = 1e-8;

enum { SIX = KSI_SIX };

/* A visit of the bodies from the roots on, over the groups of rows that hold something: others close no loop. */
typedef struct Visit {
    ksSystem *system;
    const ksiFronts *fronts;
    const double *rate;
    int stamp, count;
    int *block, *parent, *group; /* [count] in the order of the visit; -1: none */
} Visit;

/* The held rows of a group over a body and its parent. */
typedef struct Held {
    int count;
    const double *own[SIX], *other[SIX]; /* other NULL: none */
    double right[SIX];
} Held;

static int holds(const Visit *v, int group)
{
    int any = 0;
    for (int l = v->fronts->groupRow.at[group]; l < v->fronts->groupRow.at[group + 1]; l++)
        any |= !isnan(v->rate[l]);
    return any;
}

static void add(Visit *v, int block, int parent, int group)
{
    v->block[v->count] = block, v->parent[v->count] = parent, v->group[v->count++] = group;
    v->system->model.blockStamp.at[block] = v->stamp;
}

/* All that hangs on the visited ones from this one on; 0: they close a loop. */
static int goOn(Visit *v, int from)
{
    for (; from < v->count; from++)
        for (int q = v->fronts->blockStart.at[v->block[from]]; q < v->fronts->blockStart.at[v->block[from] + 1]; q++) {
            const int group = v->fronts->blockGroup.at[q],
                      other = ksiOtherBlock(&v->system->model, v->fronts, group, v->block[from]);
            if (group == v->group[from] || !holds(v, group))
                continue;
            if (other < 0 || v->system->model.blockStamp.at[other] == v->stamp)
                return 0;
            add(v, other, from, group);
        }
    return 1;
}

/* A free tree is at rest at its heaviest body. */
static int visitFree(Visit *v, int block)
{
    const ksiModel *model = &v->system->model;
    const int first = v->count;
    int heaviest = block;
    add(v, block, -1, -1);
    if (!goOn(v, first))
        return 0;
    for (; v->count > first; v->count--) {
        const int last = v->block[v->count - 1];
        model->blockStamp.at[last] = 0;
        heaviest = ksiBlockWeight(model, last) > ksiBlockWeight(model, heaviest) ? last : heaviest;
    }
    add(v, heaviest, -1, -1);
    return goOn(v, first);
}

static int visit(Visit *v)
{
    for (int b = 0; b < v->fronts->blockCount; b++)
        for (int q = v->fronts->blockStart.at[b]; q < v->fronts->blockStart.at[b + 1]; q++) {
            const int group = v->fronts->blockGroup.at[q], first = v->count;
            if (ksiOtherBlock(&v->system->model, v->fronts, group, b) >= 0 || !holds(v, group))
                continue;
            if (v->system->model.blockStamp.at[b] == v->stamp)
                return 0;
            add(v, b, -1, group);
            if (!goOn(v, first))
                return 0;
        }
    for (int b = 0; b < v->fronts->blockCount; b++)
        if (v->system->model.blockStamp.at[b] != v->stamp && !visitFree(v, b))
            return 0;
    return 1;
}

/* 0: there are more than a body can hold */
static int hold(const Visit *v, int at, Held *held)
{
    const ksiModel *model = &v->system->model;
    const int group = v->group[at], first = v->fronts->groupRow.at[group], end = v->fronts->groupRow.at[group + 1];
    held->count = 0;
    for (int l = first; l < end; l++) {
        if (isnan(v->rate[l]))
            continue;
        if (held->count == SIX || model->blockSize.at[v->block[at]] != SIX)
            return 0;
        const int piece = model->rowPiece.at[l], side = model->pieceBlock.at[piece] != v->block[at];
        held->own[held->count] = model->entry.at + model->pieceEntry.at[piece + side];
        held->other[held->count] = v->parent[at] < 0 ? NULL : model->entry.at + model->pieceEntry.at[piece + 1 - side];
        held->right[held->count++] = -v->rate[l];
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

ksStatus ksiSystemPermit(ksSystem *system, const double *rate, double *velocity, int *done)
{
    ksiModel *model = &system->model;
    const size_t blocks = (size_t)model->blockCount;
    const ksStatus status = ksiTreePattern(system);
    if (status)
        return status;
    int *room = system->visit.at;
    Visit v = {system, &system->pattern->fronts, rate, ksiNextStamp(model), 0, room, room + blocks, room + 2 * blocks};
    memset(velocity, 0, (size_t)model->coordinateCount * sizeof *velocity);
    *done = visit(&v);
    for (int i = 0; *done && i < v.count; i++) {
        const double *parent = v.parent[i] < 0 ? NULL : velocity + model->blockOffset.at[v.block[v.parent[i]]];
        Held held;
        *done = v.group[i] < 0 ||
                (hold(&v, i, &held) && change(&held, parent, velocity + model->blockOffset.at[v.block[i]]));
    }
    if (*done)
        ksiUnscaleMotion(model, velocity);
    return KS_OK;
}
