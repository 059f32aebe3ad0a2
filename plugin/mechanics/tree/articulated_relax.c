/* articulated_relax.c  Relaxes the rows of one joint, on trees: only the branch beyond the joint
 * moves.
 *
 * The parent is at rest, and J_r w = delta_rl at the joint. Every body beyond follows its own
 * parent freely,
 *
 *     R^T R u = J w - E^T z - B_p^T w_p,      L w_c = E u + z,      z = 0
 *
 * and slacks move by sqrt(S) u: see articulated.h. The admissible motion `t` is found in the same
 * way, with J t = 0 and an arbitrary `z`. All w_l and `t` are computed side by side, eight numbers
 * for a coordinate.
 */
#include "../system_private.h"
#include "articulated_kernel.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SIX = KSI_SIX, MOTION = KSI_FILLED - 1 }; /* the column of t */

/* Sums over all bodies of the branch. */
typedef struct Walk {
    const ksSystem *system;
    const double *y, *applied; /* [coordinates] the motion, and y_f plus the forces of known rows */
    const double *multiplier;  /* [rows] */
    Row rho, square, leak;     /* w^T (M a - f), |w|^2, sum of |lambda_r J_r w|: column by column */
} Walk;

/* u of the joint; on entry J w - E^T z. parent NULL: at rest */
KSI_INLINE void followJoint(const int ROWS, const ksiLink *link, const double (*parent)[KSI_FILLED], Row *u)
{
    EACH_DOWN (j, 0, ROWS)
        EACH (k, 0, j)
            subtract(&u[k], link->r[j][k], &u[j], KSI_FILLED - 1);
    EACH (l, 0, ROWS) {
        for (int i = 0; parent && i < SIX; i++) {
            Row above;
            load(&above, parent[i]);
            subtract(&u[l], link->cross[l][i], &above, KSI_FILLED - 1);
        }
        scale(&u[l], link->r[l][l], &u[l], KSI_FILLED - 1);
        EACH (m, 0, l)
            subtract(&u[l], link->r[l][m], &u[m], KSI_FILLED - 1);
    }
}

/* w of the body; z: over L_ii */
KSI_INLINE void followBody(const int ROWS, const ksiLink *link, const Row *u, const double *z, double (*w)[KSI_FILLED])
{
    EACH (i, 0, SIX) {
        Row sum, before;
        clear(&sum);
        EACH (l, 0, ROWS)
            add(&sum, link->own[i][l], &u[l], KSI_FILLED - 1);
        scale(&sum, link->root[i][i], &sum, KSI_FILLED - 1);
        setLane(&sum, MOTION, lane(&sum, MOTION) + z[i]);
        EACH (k, 0, i) {
            load(&before, w[k]);
            subtract(&sum, link->root[i][k], &before, KSI_FILLED - 1);
        }
        store(w[i], &sum, KSI_FILLED - 1);
    }
}

/* along += J_l w over one body */
KSI_INLINE void addRow(const ksSystem *system, int piece, const double (*w)[KSI_FILLED], Row *along)
{
    const double *entry = system->model.entry + system->model.pieceEntry[piece];
    const int size = system->model.blockSize[system->model.pieceBlock[piece]];
    Row x;
    EACH (i, 0, SIX) {
        if (i < size) {
            load(&x, w[i]);
            add(along, entry[i], &x, KSI_FILLED - 1);
        }
    }
}

/* Adds the body and its joint to the sums. wanted: J w of its rows; on return their errors. */
KSI_INLINE void book(const int ROWS, const ksiLink *link, const double (*parent)[KSI_FILLED], const Row *u,
                     const double (*w)[KSI_FILLED], Row *wanted, Walk *walk)
{
    const ksSystem *system = walk->system;
    const int offset = system->model.blockOffset[link->block];
    const double *y = walk->y + offset, *applied = walk->applied + offset;
    const ksiRegisterBits magnitude = (ksiRegisterBits){0} + INT64_MAX;
    for (int i = 0; i < system->model.blockSize[link->block]; i++) {
        Row x;
        load(&x, w[i]);
        add(&walk->rho, y[i] - applied[i], &x, KSI_FILLED - 1);
        EACH (v, 0, PARTS)
            walk->square.part[v] += x.part[v] * x.part[v];
    }
    EACH (l, 0, ROWS) {
        const int row = link->row[l], piece = system->model.rowPiece[row];
        const double s = system->model.compliance[row], multiplier = walk->multiplier[row];
        Row along;
        scale(&along, s, &u[l], KSI_FILLED - 1);
        add(&walk->rho, multiplier, &along, KSI_FILLED - 1);
        EACH (v, 0, PARTS)
            walk->square.part[v] += along.part[v] * u[l].part[v];
        addRow(system, piece + link->side, w, &along);
        if (parent)
            addRow(system, piece + 1 - link->side, parent, &along);
        EACH (v, 0, PARTS) {
            const ksiRegister missed = along.part[v] - wanted[l].part[v];
            wanted[l].part[v] = missed;
            walk->leak.part[v] += fabs(multiplier) * (ksiRegister)((ksiRegisterBits)missed & magnitude);
        }
    }
}

/* Moves one body: writes its w into tree->spread. missed [ROWS]: errors of the relaxed joint's
 * rows; NULL for other joints. */
KSI_INLINE void passLink(const int ROWS, ksiTree *tree, int index, Row *missed, Walk *walk)
{
    const ksiLink *link = &tree->link[index];
    double(*spread)[KSI_FILLED] = (double(*)[KSI_FILLED])tree->spread, (*w)[KSI_FILLED] = spread + SIX * index;
    const double(*parent)[KSI_FILLED] = missed ? NULL : spread + SIX * link->parent;
    double z[SIX];
    Row u[SIX], wanted[SIX];
    EACH (i, 0, SIX)
        z[i] = ksiPseudoRandom(SIX * index + i);
    EACH (l, 0, ROWS) {
        makeUnit(&wanted[l], missed != NULL, l);
        u[l] = wanted[l];
        double sum = 0;
        EACH (i, 0, SIX)
            sum -= link->own[i][l] * z[i];
        setLane(&u[l], MOTION, sum);
    }
    followJoint(ROWS, link, parent, u);
    followBody(ROWS, link, u, z, w);
    book(ROWS, link, parent, u, w, wanted, walk);
    EACH (l, 0, ROWS)
        if (missed)
            missed[l] = wanted[l];
}

static int limbOf(const ksiTree *tree, int row)
{
    for (int i = 0; i < tree->limbCount; i++)
        for (int l = 0; l < tree->link[i].count; l++)
            if (tree->link[i].row[l] == row)
                return i;
    return -1;
}

KSI_CLONES
static void walkBranch(ksiTree *tree, int joint, Row *missed, Walk *walk)
{
    for (int i = joint; i < tree->limbCount; i++) {
        ksiLink *link = &tree->link[i];
        link->moves = i == joint || (link->parent >= joint && tree->link[link->parent].moves);
        if (!link->moves)
            continue;
#define CALL(ROWS) passLink(ROWS, tree, i, i == joint ? missed : NULL, walk)
        BY_ROWS(link->count, CALL)
    }
}

/* The result for row l, with t scaled to the length of w_l. */
static void finish(const ksSystem *system, const Walk *walk, const Row *missed, int l, ksiRelaxed *found)
{
    const double w = sqrt(lane(&walk->square, l)), t = sqrt(lane(&walk->square, MOTION));
    const double times = t > KSI_MOVES ? w / t : 0;
    const double derivative = 1 + lane(&missed[l], l) + times * lane(&missed[l], MOTION);
    const double leak = lane(&walk->leak, l) + times * lane(&walk->leak, MOTION);
    found->multiplier = (lane(&walk->rho, l) + times * lane(&walk->rho, MOTION)) / derivative;
    found->allowance = (leak + system->rounding * 2 * w) / fabs(derivative);
}

ksStatus ksiTreeRelaxRows(ksSystem *system, int count, const int *row, const double *acceleration, ksiRelaxed *found)
{
    ksiTree *tree = &system->tree;
    KSI_TRY(ksiTreeTrueMotion(system));
    KSI_TRY(ksiTreeGet(system, KSI_VIEW_EXACT));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->vector[0], (size_t)system->model.coordinateCount));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &tree->spread, (size_t)tree->limbCount * SIX * KSI_FILLED));
    if (acceleration)
        ksiScaleMotion(&system->model, acceleration, system->vector[0]);
    Walk walk = {.system = system,
                 .y = acceleration ? system->vector[0] : tree->y,
                 .applied = tree->applied,
                 .multiplier = tree->multiplier};
    const int joint = limbOf(tree, row[0]);
    Row missed[SIX];
    if (joint < 0)
        return KS_ERROR_BAD_ARGUMENT;
    walkBranch(tree, joint, missed, &walk);
    for (int k = 0; k < count; k++)
        for (int l = 0; l < tree->link[joint].count; l++)
            if (tree->link[joint].row[l] == row[k])
                finish(system, &walk, missed, l, &found[k]);
    return KS_OK;
}
