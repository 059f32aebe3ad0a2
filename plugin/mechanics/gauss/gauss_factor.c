/* gauss_factor.c  Computes the block factorisation A + S = L D L^T, and makes steps of refinement
 * with it.
 *
 * The factorisation is right-looking (Davis 2006, ch. 4): a strip's panel `L_s` makes the update
 * -L_s D_s L_s^T, which goes straight to the panels of its parts. Packing, assembly, elimination
 * and the first forward sweep are one pass over strips. So the processor multiplies for the next
 * strip while it waits for this one's divisions, and each strip's data are still in the cache. A
 * strip is opened by the first panel that has a part of it.
 */
#include "../system_private.h"
#include "gauss_kernel.h"

#include <stdbool.h>

/* Turns omitted rows into rows of the unit matrix, decoupled from all others. */
static void leaveOut(ksSystem *system, const ksiStrip *s)
{
    ksiGauss *g = &system->gauss;
    for (int j = 0; j < s->rows; j++) {
        const bool isEmpty = ksiRowIsEmpty(&system->model, s->row + j);
        if (!isEmpty && !system->model.rowKnown[s->row + j])
            continue;
        g->leftCount++;
        g->emptyCount += isEmpty;
        g->slack[s->lane + j] = g->square[s->lane + j] = 1;
        for (int i = 0; i < s->height; i++)
            g->packed[s->entry + i * s->lanes + j] = 0;
    }
}

/* Packs a strip's part of B, compliance and diagonal into lanes. */
KSI_INLINE void packStrip(const int ROWS, ksSystem *system, const ksiStrip *s)
{
    const ksiGauss *g = &system->gauss;
    int left = 0;
    if (s->height > 0)
        packRows(ROWS, system->model.entry + s->from, s->height, g->packed + s->entry);
    EACH (v, 0, (ROWS + 3) / 4) {
        const int COUNT = ROWS - 4 * v < 4 ? ROWS - 4 * v : 4, row = s->row + 4 * v, lane = s->lane + 4 * v;
        ksiFour slack, square;
        loadRows(COUNT, system->model.compliance + row, &slack);
        loadRows(COUNT, system->model.diagonal + row, &square);
        square += slack;
        EACH (j, 0, COUNT)
            left |= (square[j] == 0) | system->model.rowKnown[row + j];
        *(ksiFour *)(g->slack + lane) = slack;
        *(ksiFour *)(g->square + lane) = square;
    }
    if (left)
        leaveOut(system, s);
}

/* J a of one strip of rows. */
KSI_INLINE void multiply(const int ROWS, const ksSystem *system, const ksiStrip *s, ksiFour *found)
{
    const double *y = system->gauss.load, *entry = s->height > 0 ? system->model.entry + s->from : NULL;
    ksiFour sum[KSI_STRIP];
    if (s->bodies == 2) {
        multiplyTwelve(ROWS, entry, y + s->at[0], y + s->at[1], sum);
    } else {
        EACH (j, 0, ROWS)
            sum[j] = (ksiFour){0};
        for (int p = system->model.rowPiece[s->row]; p < system->model.rowPiece[s->row + 1]; p++) {
            const int b = system->model.pieceBlock[p], size = system->model.blockSize[b];
            addDots(ROWS, entry, s->height, size, y + system->model.blockOffset[b], sum);
            entry += size;
        }
    }
    sumLanes(ROWS, sum, found);
}

/* x = beta - S lambda - J a of one strip of rows; S lambda is zero in the FIRST sweep. */
KSI_INLINE void findResidual(const int ROWS, const int FIRST, const ksSystem *system, const ksiStrip *s)
{
    const ksiGauss *g = &system->gauss;
    double *x = g->correction + s->lane;
    ksiFour image[2], beta;
    multiply(ROWS, system, s, image);
    EACH (v, 0, (ROWS + 3) / 4) {
        const int lane = s->lane + 4 * v;
        loadRows(ROWS - 4 * v < 4 ? ROWS - 4 * v : 4, g->side + s->row + 4 * v, &beta);
        if (!FIRST)
            beta -= *(const ksiFour *)(g->slack + lane) * *(const ksiFour *)(g->multiplier + lane);
        *(ksiFour *)(x + 4 * v) = beta - image[v];
    }
    for (int j = 0; g->leftCount > 0 && j < ROWS; j++)
        if (system->model.rowKnown[s->row + j] || ksiRowIsEmpty(&system->model, s->row + j))
            x[j] = 0;
}

/* The residual of a hub's coordinates is 0. */
KSI_INLINE void clearResidual(const ksiGauss *g, const ksiStrip *s)
{
    for (int lane = 0; lane < s->lanes; lane += 4)
        *(ksiFour *)(g->correction + s->lane + lane) = (ksiFour){0};
}

/* Packs a strip, computes its residual, and clears its panel. */
KSI_INLINE void openStrip(ksSystem *system, const ksiStrip *s)
{
    const ksiGauss *g = &system->gauss;
    for (double *x = g->panel + s->panel, *end = g->panel + s[1].panel; x < end; x += 4)
        *(ksiFour *)(x) = (ksiFour){0};
#define OPEN(ROWS) packStrip(ROWS, system, s), findResidual(ROWS, 1, system, s)
    if (s->row >= 0)
        KSI_BY_ROWS(s->rows, OPEN)
    else
        clearResidual(g, s);
}

/* C += SIGN P M^T; C has `lanes` lanes and `rows` columns. */
KSI_INLINE void addProductOf(const int SIGN, int lanes, int rows, int symmetric, int terms, ksiColumns p, ksiColumns m,
                             double *c, int stride)
{
#define NARROW(ROWS) addProduct(1, ROWS, SIGN, 0, terms, p, m, c, stride)
#define WIDE(ROWS) addProduct(2, ROWS, SIGN, 0, terms, p, m, c, stride)
    if (lanes == 4)
        KSI_BY_ROWS(rows, NARROW)
    else if (!symmetric)
        KSI_BY_ROWS(rows, WIDE)
    else if (rows == 5)
        addProduct(2, 5, SIGN, 1, terms, p, m, c, stride);
    else
        addProduct(2, 6, SIGN, 1, terms, p, m, c, stride);
}

/* A in the panel of a strip. */
KSI_INLINE void assemble(const ksiGauss *g, const ksiStrip *s)
{
    double *panel = g->panel + s->panel;
    for (const ksiProduct *p = g->strips->product + s->product; p < g->strips->product + s[1].product; p++)
        addProductOf(1, p->lanes, s->rows, p->left == p->right, p->coordinates,
                     (ksiColumns){g->packed + p->left, p->lanes}, (ksiColumns){g->packed + p->right, s->lanes},
                     panel + p->at, s->stride);
}

/* x := L^-1 x of one strip, and its update of later strips. */
KSI_INLINE void forwardStrip(const int ROWS, const ksiGauss *g, const ksiStrip *s)
{
    const double *panel = g->panel + s->panel;
    double *x = g->correction + s->lane, own[KSI_STRIP];
    EACH (j, 0, ROWS)
        own[j] = x[j];
    solvePivots(ROWS, panel, s->stride, own);
    for (const ksiPart *p = g->strips->part + s->part + 1; p < g->strips->part + s[1].part; p++)
        if (p->lanes == 4)
            takeProduct(1, ROWS, panel + p->at, s->stride, own, g->correction + p->lane);
        else
            takeProduct(2, ROWS, panel + p->at, s->stride, own, g->correction + p->lane);
    EACH (j, 0, ROWS)
        x[j] = own[j];
}

/* Returns bits of the rows without a pivot. */
KSI_INLINE int eliminate(const int ROWS, const ksiGauss *g, const ksiStrip *s)
{
    double *panel = g->panel + s->panel, *inverse = g->inverse + s->lane;
    const int lost = factorPivots(ROWS, panel, s->stride, g->near, g->slack + s->lane, g->square + s->lane, inverse);
    factorBelow(ROWS, panel, s->stride, s->lanes, inverse, g->raw);
    forwardStrip(ROWS, g, s);
    return lost;
}

/* -L_s D L_s^T into the panels of the later parts. */
KSI_INLINE void update(const ksiGauss *g, const ksiStrip *s)
{
    const ksiPart *end = g->strips->part + s[1].part;
    for (const ksiPart *column = g->strips->part + s->part + 1; column < end; column++) {
        const ksiStrip *target = &g->strips->strip[column->strip];
        const ksiPart *place = g->strips->part + target->part;
        for (const ksiPart *row = column; row < end; row++, place++) {
            while (place->strip != row->strip)
                place++;
            addProductOf(-1, row->lanes, target->rows, row == column, s->rows,
                         (ksiColumns){g->panel + s->panel + row->at, s->stride},
                         (ksiColumns){g->raw + column->at, s->stride}, g->panel + target->panel + place->at,
                         target->stride);
        }
    }
}

static KSI_CLONES void factorise(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    for (const ksiStrip *s = g->strips->strip; s < g->strips->strip + g->strips->stripCount; s++) {
        for (const ksiPart *p = g->strips->part + s->part; p < g->strips->part + s[1].part; p++)
            if (p->opens)
                openStrip(system, &g->strips->strip[p->strip]);
        assemble(g, s);
        int lost = 0;
#define ELIMINATE(ROWS) lost = eliminate(ROWS, g, s)
        KSI_BY_ROWS(s->rows, ELIMINATE)
        g->lost[s - g->strips->strip] = lost;
        for (; lost; lost &= lost - 1)
            g->lostCount++;
        update(g, s);
    }
}

void ksiGaussFactorise(ksSystem *system, double near)
{
    ksiGauss *g = &system->gauss;
    g->near = near;
    g->leftCount = g->emptyCount = g->lostCount = 0;
    factorise(system);
    g->numericKnown = 1;
}

KSI_INLINE void sweepForward(const int FIRST, const ksSystem *system)
{
    const ksiGauss *g = &system->gauss;
    for (const ksiStrip *s = g->strips->strip; s < g->strips->strip + g->strips->stripCount; s++) {
        for (const ksiPart *p = g->strips->part + s->part; p < g->strips->part + s[1].part; p++) {
            const ksiStrip *open = &g->strips->strip[p->strip];
#define RESIDUAL(ROWS) findResidual(ROWS, FIRST, system, open)
            if (p->opens && open->row >= 0)
                KSI_BY_ROWS(open->rows, RESIDUAL)
            else if (p->opens)
                clearResidual(g, open);
        }
#define FORWARD(ROWS) forwardStrip(ROWS, g, s)
        KSI_BY_ROWS(s->rows, FORWARD)
    }
}

KSI_CLONES
void ksiGaussForward(ksSystem *system, bool isFirst)
{
    if (isFirst)
        sweepForward(1, system);
    else
        sweepForward(0, system);
}

/* ksiFactorStep by lanes. */
typedef struct Change {
    ksiFour moved, largest;
} Change;

/* x := L^-T D^-1 x of one strip; lambda += x, or = x in the FIRST sweep; with MOTION y += B x. */
KSI_INLINE void backwardStrip(const int ROWS, const int FIRST, const int MOTION, const ksSystem *system,
                              const ksiStrip *s, Change *change)
{
    const ksiGauss *g = &system->gauss;
    const double *panel = g->panel + s->panel, *inverse = g->inverse + s->lane, *square = g->square + s->lane;
    double *x = g->correction + s->lane, *multiplier = g->multiplier + s->lane, own[KSI_STRIP];
    ksiFour four[KSI_STRIP], sum[2];
    EACH (j, 0, ROWS)
        four[j] = (ksiFour){0};
    for (const ksiPart *p = g->strips->part + s->part + 1; p < g->strips->part + s[1].part; p++)
        if (p->lanes == 4)
            addTransposed(1, ROWS, panel + p->at, s->stride, g->correction + p->lane, four);
        else
            addTransposed(2, ROWS, panel + p->at, s->stride, g->correction + p->lane, four);
    sumLanes(ROWS, four, sum);
    EACH (j, 0, ROWS)
        own[j] = x[j] * inverse[j] - sum[j / 4][j % 4];
    solvePivotsTransposed(ROWS, panel, s->stride, own);
    // stores whole vectors, since later loads read whole vectors; padding lanes repeat the last
    // row, and are multiplied by zeros
    EACH (v, 0, (ROWS + 3) / 4) {
        const int last = ROWS - 1, i = 4 * v, j = i < last ? i + 1 : last, k = j < last ? j + 1 : last;
        const ksiFour found = {own[i], own[j], own[k], own[k < last ? k + 1 : last]};
        *(ksiFour *)(x + i) = found;
        if (s->row < 0)
            continue;
        const ksiFour unit = *(const ksiFour *)(square + i);
        ksiFour lambda = found;
        if (!FIRST)
            lambda += *(const ksiFour *)(multiplier + i);
        *(ksiFour *)(multiplier + i) = lambda;
        const ksiFour moved = unit * found * found, size = unit * lambda * lambda;
        ksiKeepLarger(&change->moved, &moved);
        ksiKeepLarger(&change->largest, &size);
    }
    if (!MOTION || s->row < 0)
        return;
    const double *entry = s->height > 0 ? system->model.entry + s->from : NULL;
    for (int i = 0; i < s->bodies; i++)
        addRows(ROWS, entry + 6 * i, s->height, 6, own, g->load + s->at[i]);
    for (int p = system->model.rowPiece[s->row]; s->bodies == 0 && p < system->model.rowPiece[s->row + 1]; p++) {
        const int b = system->model.pieceBlock[p], size = system->model.blockSize[b];
        double *y = g->load + system->model.blockOffset[b];
        addRows(ROWS, entry, s->height, size, own, y);
        entry += size;
    }
}

KSI_INLINE void sweepBackward(const int FIRST, const int MOTION, const ksSystem *system, Change *change)
{
    const ksiGauss *g = &system->gauss;
    for (const ksiStrip *s = g->strips->strip + g->strips->stripCount; s-- > g->strips->strip;) {
#define BACKWARD(ROWS) backwardStrip(ROWS, FIRST, MOTION, system, s, change)
        KSI_BY_ROWS(s->rows, BACKWARD)
    }
}

KSI_CLONES
void ksiGaussBackward(ksSystem *system, bool isFirst, int withMotion, ksiFactorStep *step)
{
    Change change = {{0}, {0}};
    if (isFirst && withMotion)
        sweepBackward(1, 1, system, &change);
    else if (isFirst)
        sweepBackward(1, 0, system, &change);
    else
        sweepBackward(0, 1, system, &change);
    *step = (ksiFactorStep){0};
    for (int v = 0; v < 4; v++) {
        step->moved = change.moved[v] > step->moved ? change.moved[v] : step->moved;
        step->largest = change.largest[v] > step->largest ? change.largest[v] : step->largest;
    }
}

/* Largest number of refinement steps. The first step removes the rounding of A, the second step
 * removes its remainder where rows nearly depend; more steps only cost time. */
#define REFINEMENTS 2

/* Convergence is linear: the next step would change multipliers by moved^2 / before. */
int ksiGaussRefine(ksSystem *system)
{
    ksiFactorStep step;
    ksiGaussBackward(system, 1, 1, &step);
    double before = step.largest;
    for (int i = 0; i < REFINEMENTS; i++) {
        ksiGaussForward(system, 0);
        ksiGaussBackward(system, 0, 1, &step);
        if (step.moved == 0 || step.moved * (step.moved / before) <= DBL_EPSILON * DBL_EPSILON * step.largest)
            break;
        before = step.moved;
    }
    return step.moved <= KSI_SETTLED * KSI_SETTLED * step.largest;
}
