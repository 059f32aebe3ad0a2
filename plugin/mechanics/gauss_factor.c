/* gauss_factor.c  The numeric part of the block factorisation A + S = L D L^T, and steps of refinement with it.
 *
 *  Right-looking (Davis 2006, ch. 4): what a strip's panel L_s contributes to the rest, -L_s D_s L_s^T, goes straight to the
 *  panels of its parts. Assembly, elimination and the two sweeps are one pass each over strips, so that the processor
 *  multiplies for the next strip while it waits for the divisions of this one.
 */
#include "gauss_kernel.h"
#include "system_private.h"

#include <string.h>

/* A pivot below this share of its own diagonal element is noise: elimination subtracts numbers of the size of the
 * diagonal and leaves some 1e-14 of it for a hundred rows. At the limit the refinement below still gains two digits
 * a step. It corresponds to rows that depend on each other to 3e-7. */
#define LOST_PIVOT 1e-13

/* What else is kept by lanes. Rows that are left out become rows of the unit matrix, apart from all others. */
KSI_INLINE int packNumbers(const ksSystem *system, const ksiStrip *s)
{
    const ksiGauss *g = &system->gauss;
    const double *compliance = system->compliance.at + s->row, *diagonal = system->diagonal.at + s->row;
    double *taken = g->taken.at + s->lane, *slack = g->slack.at + s->lane, *square = g->square.at + s->lane;
    const int *known = system->rowKnown.at + s->row;
    int empty = 0;
    for (int j = 0; j < s->rows; j++) {
        taken[j] = 1;
        slack[j] = compliance[j];
        square[j] = diagonal[j] + compliance[j];
        if (square[j] != 0 && !known[j])
            continue;
        empty += square[j] == 0;
        taken[j] = 0;
        slack[j] = square[j] = 1;
        for (int i = 0; i < s->height; i++)
            g->packed.at[s->entry + i * s->lanes + j] = 0;
    }
    return empty;
}

static KSI_CLONES int pack(const ksSystem *system)
{
    const ksiGauss *g = &system->gauss;
    int empty = 0;
    for (const ksiStrip *s = g->strip; s < g->strip + g->stripCount; s++) {
        if (s->row >= 0) {
#define PACK(ROWS) packRows(ROWS, system->entry.at + s->from, s->height, g->packed.at + s->entry)
            if (s->height > 0)
                KSI_BY_ROWS(s->rows, PACK)
            empty += packNumbers(system, s);
        }
        for (double *x = g->panel.at + s->panel, *end = g->panel.at + s[1].panel; x < end; x += 4)
            *fourAt(x) = (ksiFour){0};
    }
    return empty;
}

/* C += SIGN P M^T with C of so many lanes and rows. */
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
KSI_INLINE void assemble(ksiGauss *g, const ksiStrip *s)
{
    double *panel = g->panel.at + s->panel;
    for (const ksiProduct *p = g->product + s->product; p < g->product + s[1].product; p++)
        addProductOf(1, p->lanes, s->rows, p->left == p->right, p->coordinates,
                     (ksiColumns){g->packed.at + p->left, p->lanes}, (ksiColumns){g->packed.at + p->right, s->lanes},
                     panel + p->at, s->stride);
}

KSI_INLINE int eliminate(const int ROWS, ksiGauss *g, const ksiStrip *s)
{
    double *panel = g->panel.at + s->panel, *inverse = g->inverse.at + s->lane;
    if (!factorPivots(ROWS, panel, s->stride, LOST_PIVOT, g->slack.at + s->lane, g->square.at + s->lane, inverse))
        return 0;
    factorBelow(ROWS, panel, s->stride, s->lanes, inverse, g->raw.at);
    return 1;
}

/* -L_s D L_s^T into the panels of the later parts. */
KSI_INLINE void update(ksiGauss *g, const ksiStrip *s)
{
    const ksiPart *end = g->part + s[1].part;
    for (const ksiPart *column = g->part + s->part + 1; column < end; column++) {
        const ksiStrip *target = &g->strip[column->strip];
        const ksiPart *place = g->part + target->part;
        for (const ksiPart *row = column; row < end; row++, place++) {
            while (place->strip != row->strip)
                place++;
            addProductOf(-1, row->lanes, target->rows, row == column, s->rows,
                         (ksiColumns){g->panel.at + s->panel + row->at, s->stride},
                         (ksiColumns){g->raw.at + column->at, s->stride}, g->panel.at + target->panel + place->at,
                         target->stride);
        }
    }
}

static KSI_CLONES int factorise(ksiGauss *g)
{
    for (const ksiStrip *s = g->strip; s < g->strip + g->stripCount; s++) {
        int kept;
        assemble(g, s);
#define ELIMINATE(ROWS) kept = eliminate(ROWS, g, s)
        KSI_BY_ROWS(s->rows, ELIMINATE)
        if (!kept)
            return 0;
        update(g, s);
    }
    return 1;
}

void ksiGaussFactorise(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    g->emptyCount = pack(system);
    g->singular = !factorise(g);
    g->numericKnown = 1;
}

/* x = beta - S lambda of all rows. */
KSI_INLINE void beginResidual(const ksiGauss *g)
{
    for (int lane = 0; lane < g->laneCount; lane += 4)
        *fourAt(g->correction.at + lane) =
            *constFourAt(g->side.at + lane) - *constFourAt(g->slack.at + lane) * *constFourAt(g->multiplier.at + lane);
}

/* x -= J a of one strip, also of what earlier strips have left there. */
KSI_INLINE void takeMotionOf(const int FOURS, const ksSystem *system, const ksiStrip *s)
{
    const ksiGauss *g = &system->gauss;
    const double *packed = g->packed.at + s->entry;
    double *x = g->correction.at + s->lane;
    ksiFour sum[2];
    EACH (v, 0, FOURS)
        sum[v] = (ksiFour){0};
    for (int i = 0; i < s->bodies; i++)
        takeMotion(FOURS, packed + 24 * FOURS * i, 6, g->load.at + s->at[i], sum);
    for (int p = system->rowPiece.at[s->row]; s->bodies == 0 && p < system->rowPiece.at[s->row + 1]; p++) {
        const int b = system->pieceBlock.at[p], size = system->blockSize.at[b];
        const double *y = g->load.at + system->blockOffset.at[b];
        takeMotion(FOURS, packed, size, y, sum);
        packed += size * s->lanes;
    }
    EACH (v, 0, FOURS)
        *fourAt(x + 4 * v) += sum[v];  // last: it is waited for
}

KSI_INLINE void forwardStrip(const int ROWS, const ksiGauss *g, const ksiStrip *s)
{
    const double *panel = g->panel.at + s->panel;
    double *x = g->correction.at + s->lane, own[KSI_STRIP];
    EACH (j, 0, ROWS)
        own[j] = x[j];
    solvePivots(ROWS, panel, s->stride, own);
    for (const ksiPart *p = g->part + s->part + 1; p < g->part + s[1].part; p++)
        if (p->lanes == 4)
            takeProduct(1, ROWS, panel + p->at, s->stride, own, g->correction.at + p->lane);
        else
            takeProduct(2, ROWS, panel + p->at, s->stride, own, g->correction.at + p->lane);
    EACH (j, 0, ROWS)
        x[j] = own[j];
}

static KSI_CLONES void sweepForward(const ksSystem *system)
{
    const ksiGauss *g = &system->gauss;
    beginResidual(g);
    for (const ksiStrip *s = g->strip; s < g->strip + g->stripCount; s++) {
        if (s->row >= 0 && s->lanes == 4)
            takeMotionOf(1, system, s);
        else if (s->row >= 0)
            takeMotionOf(2, system, s);
#define FORWARD(ROWS) forwardStrip(ROWS, g, s)
        KSI_BY_ROWS(s->rows, FORWARD)
    }
}

/* ksiStep by lanes. */
typedef struct Change {
    ksiFour moved, largest;
} Change;

/* x of one strip; lambda += x, y += B x. */
KSI_INLINE void backwardStrip(const int ROWS, const ksSystem *system, const ksiStrip *s, Change *change)
{
    const ksiGauss *g = &system->gauss;
    const double *panel = g->panel.at + s->panel, *inverse = g->inverse.at + s->lane, *square = g->square.at + s->lane;
    double *x = g->correction.at + s->lane, *multiplier = g->multiplier.at + s->lane, own[KSI_STRIP];
    ksiFour four[KSI_STRIP];
    double sum[KSI_STRIP];
    EACH (j, 0, ROWS)
        four[j] = (ksiFour){0};
    for (const ksiPart *p = g->part + s->part + 1; p < g->part + s[1].part; p++)
        if (p->lanes == 4)
            addTransposed(1, ROWS, panel + p->at, s->stride, g->correction.at + p->lane, four);
        else
            addTransposed(2, ROWS, panel + p->at, s->stride, g->correction.at + p->lane, four);
    sumLanes(ROWS, four, sum);
    EACH (j, 0, ROWS)
        own[j] = x[j] * inverse[j] - sum[j];
    solvePivotsTransposed(ROWS, panel, s->stride, own);
    // whole vectors, as they are read; lanes without a row repeat the last, what they are multiplied with is zero
    EACH (v, 0, (ROWS + 3) / 4) {
        const int last = ROWS - 1, i = 4 * v, j = i < last ? i + 1 : last, k = j < last ? j + 1 : last;
        const ksiFour found = {own[i], own[j], own[k], own[k < last ? k + 1 : last]};
        *fourAt(x + i) = found;
        if (s->row < 0)
            continue;
        const ksiFour lambda = *fourAt(multiplier + i) += found, unit = *constFourAt(square + i);
        const ksiFour moved = unit * found * found, size = unit * lambda * lambda;
        ksiKeepLarger(&change->moved, &moved);
        ksiKeepLarger(&change->largest, &size);
    }
    if (s->row < 0)
        return;
    const double *entry = s->height > 0 ? system->entry.at + s->from : NULL;
    for (int i = 0; i < s->bodies; i++)
        addRows(ROWS, entry + 6 * i, s->height, 6, own, g->load.at + s->at[i]);
    for (int p = system->rowPiece.at[s->row]; s->bodies == 0 && p < system->rowPiece.at[s->row + 1]; p++) {
        const int b = system->pieceBlock.at[p], size = system->blockSize.at[b];
        double *y = g->load.at + system->blockOffset.at[b];
        addRows(ROWS, entry, s->height, size, own, y);
        entry += size;
    }
}

static KSI_CLONES void sweepBackward(const ksSystem *system, ksiStep *result)
{
    const ksiGauss *g = &system->gauss;
    Change change = {{0}, {0}};
    for (const ksiStrip *s = g->strip + g->stripCount; s-- > g->strip;) {
#define BACKWARD(ROWS) backwardStrip(ROWS, system, s, &change)
        KSI_BY_ROWS(s->rows, BACKWARD)
    }
    *result = (ksiStep){0};
    for (int v = 0; v < 4; v++) {
        result->moved = change.moved[v] > result->moved ? change.moved[v] : result->moved;
        result->largest = change.largest[v] > result->largest ? change.largest[v] : result->largest;
    }
}

ksiStep ksiGaussRefine(ksSystem *system)
{
    ksiStep step;
    sweepForward(system);
    sweepBackward(system, &step);
    return step;
}
