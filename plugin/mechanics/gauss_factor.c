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

/* What is kept by lanes. Rows that are left out become rows of the unit matrix, apart from all others. */
KSI_INLINE int packNumbers(const ksSystem *system, const ksiStrip *s)
{
    const ksiGauss *g = &system->gauss;
    int empty = 0;
    for (int j = 0; j < s->rows; j++) {
        const int l = s->row + j, at = s->lane + j;
        const double compliance = system->compliance.at[l], square = system->diagonal.at[l] + compliance;
        const int taken = !system->rowKnown.at[l] && square != 0;
        empty += square == 0;
        g->taken.at[at] = taken;
        g->slack.at[at] = taken ? compliance : 1;
        g->square.at[at] = taken ? square : 1;
    }
    return empty;
}

/* The entries of consecutive rows follow each other. */
KSI_INLINE const double *entriesOf(const ksSystem *system, const ksiStrip *s)
{
    return s->height > 0 ? system->entry.at + system->pieceEntry.at[system->rowPiece.at[s->row]] : NULL;
}

KSI_INLINE void packEntries(const ksSystem *system, const ksiStrip *s)
{
    const ksiGauss *g = &system->gauss;
    const int height = s->height, lanes = s->lanes;
    if (height == 0)
        return;
    const double *entry = entriesOf(system, s), *taken = g->taken.at + s->lane;
    double *packed = g->packed.at + s->entry;
#define PACK(COUNT) packFour(COUNT, entry, height, taken, packed, lanes)
    for (int left = s->rows; left > 0; left -= 4, entry += 4 * height, taken += 4, packed += 4)
        if (left >= 4)
            PACK(4);
        else if (left == 3)
            PACK(3);
        else if (left == 2)
            PACK(2);
        else
            PACK(1);
}

static KSI_CLONES int pack(const ksSystem *system)
{
    const ksiGauss *g = &system->gauss;
    int empty = 0;
    for (const ksiStrip *s = g->strip; s < g->strip + g->stripCount; s++) {
        if (s->row >= 0) {
            empty += packNumbers(system, s);
            packEntries(system, s);
        }
        memset(g->panel.at + s->panel, 0, (size_t)(s->stride * s->rows) * sizeof *g->panel.at);
    }
    return empty;
}

KSI_INLINE void addProductOf(int lanes, int rows, int terms, ksiColumns p, ksiColumns m, double *c, int stride)
{
#define NARROW(ROWS) addProduct(1, ROWS, terms, p, m, c, stride)
#define WIDE(ROWS) addProduct(2, ROWS, terms, p, m, c, stride)
    if (lanes == 4)
        KSI_BY_ROWS(rows, NARROW)
    else
        KSI_BY_ROWS(rows, WIDE)
}

/* A + S in the panel of a strip. */
KSI_INLINE void assemble(ksiGauss *g, const ksiStrip *s)
{
    double *panel = g->panel.at + s->panel;
    for (const ksiProduct *p = g->product + s->product; p < g->product + s[1].product; p++)
        addProductOf(p->lanes, s->rows, p->coordinates, (ksiColumns){g->packed.at + p->left, p->lanes},
                     (ksiColumns){g->packed.at + p->right, s->lanes}, panel + p->at, s->stride);
    for (int j = 0; j < s->rows; j++)
        panel[j * (s->stride + 1)] += g->slack.at[s->lane + j];
}

KSI_INLINE int eliminate(const int ROWS, ksiGauss *g, const ksiStrip *s)
{
    double *panel = g->panel.at + s->panel, *inverse = g->inverse.at + s->lane;
    if (!factorPivots(ROWS, panel, s->stride, LOST_PIVOT, g->square.at + s->lane, inverse))
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
            addProductOf(row->lanes, target->rows, s->rows, (ksiColumns){g->panel.at + s->panel + row->at, s->stride},
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

/* r = beta - J a - S lambda of one strip on top of what earlier strips have left in x. */
KSI_INLINE void addResidual(const int FOURS, const ksSystem *system, const ksiStrip *s)
{
    const ksiGauss *g = &system->gauss;
    const double *packed = g->packed.at + s->entry;
    double *x = g->correction.at + s->lane;
    ksiFour sum[2];
    EACH (v, 0, FOURS) {
        const int lane = s->lane + 4 * v;
        sum[v] =
            *constFourAt(g->side.at + lane) - *constFourAt(g->slack.at + lane) * *constFourAt(g->multiplier.at + lane);
    }
    for (int p = system->rowPiece.at[s->row]; p < system->rowPiece.at[s->row + 1]; p++) {
        const int b = system->pieceBlock.at[p], size = system->blockSize.at[b];
        const double *y = g->load.at + system->blockOffset.at[b];
        if (size == 6)
            takeMotion(FOURS, packed, 6, y, sum);
        else
            takeMotion(FOURS, packed, size, y, sum);
        packed += size * s->lanes;
    }
    EACH (v, 0, FOURS)
        *fourAt(x + 4 * v) += sum[v];
}

KSI_INLINE void forwardStrip(const int ROWS, const ksiGauss *g, const ksiStrip *s)
{
    const double *panel = g->panel.at + s->panel;
    double *x = g->correction.at + s->lane, own[KSI_STRIP];
    EACH (j, 0, ROWS)
        own[j] = x[j];
    solvePivots(ROWS, panel, s->stride, own);
    for (const ksiPart *p = g->part + s->part + 1; p < g->part + s[1].part; p++)
        takeProduct(ROWS, panel + p->at, s->stride, p->lanes, own, g->correction.at + p->lane);
    EACH (j, 0, ROWS)
        x[j] = own[j];
}

static KSI_CLONES void sweepForward(const ksSystem *system)
{
    const ksiGauss *g = &system->gauss;
    for (const ksiStrip *s = g->strip; s < g->strip + g->stripCount; s++) {
        if (s->row >= 0 && s->lanes == 4)
            addResidual(1, system, s);
        else if (s->row >= 0)
            addResidual(2, system, s);
#define FORWARD(ROWS) forwardStrip(ROWS, g, s)
        KSI_BY_ROWS(s->rows, FORWARD)
    }
}

/* x of one strip; lambda += x, y += B x. */
KSI_INLINE void backwardStrip(const int ROWS, const ksSystem *system, const ksiStrip *s, ksiStep *step)
{
    const ksiGauss *g = &system->gauss;
    const double *panel = g->panel.at + s->panel, *inverse = g->inverse.at + s->lane, *square = g->square.at + s->lane;
    double *x = g->correction.at + s->lane, *multiplier = g->multiplier.at + s->lane, own[KSI_STRIP];
    ksiFour sum[KSI_STRIP];
    EACH (j, 0, ROWS)
        sum[j] = (ksiFour){0};
    for (const ksiPart *p = g->part + s->part + 1; p < g->part + s[1].part; p++)
        addTransposed(ROWS, panel + p->at, s->stride, p->lanes, g->correction.at + p->lane, sum);
    EACH (j, 0, ROWS)
        own[j] = x[j] * inverse[j] - ((sum[j][0] + sum[j][1]) + (sum[j][2] + sum[j][3]));
    solvePivotsTransposed(ROWS, panel, s->stride, own);
    EACH (j, 0, ROWS)
        x[j] = own[j];
    if (s->row < 0)
        return;
    EACH (j, 0, ROWS) {
        const double lambda = multiplier[j] += own[j];
        const double moved = square[j] * own[j] * own[j], size = square[j] * lambda * lambda;
        step->moved = moved > step->moved ? moved : step->moved;
        step->largest = size > step->largest ? size : step->largest;
    }
    const double *entry = entriesOf(system, s);
    for (int p = system->rowPiece.at[s->row]; p < system->rowPiece.at[s->row + 1]; p++) {
        const int b = system->pieceBlock.at[p], size = system->blockSize.at[b];
        double *y = g->load.at + system->blockOffset.at[b];
        if (size == 6)
            addRows(ROWS, entry, s->height, 6, own, y);
        else
            addRows(ROWS, entry, s->height, size, own, y);
        entry += size;
    }
}

static KSI_CLONES void sweepBackward(const ksSystem *system, ksiStep *result)
{
    const ksiGauss *g = &system->gauss;
    ksiStep step = {0};
    for (const ksiStrip *s = g->strip + g->stripCount; s-- > g->strip;) {
#define BACKWARD(ROWS) backwardStrip(ROWS, system, s, &step)
        KSI_BY_ROWS(s->rows, BACKWARD)
    }
    *result = step;
}

ksiStep ksiGaussRefine(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    ksiStep step;
    if (g->laneCount > 0)
        memset(g->correction.at, 0, (size_t)g->laneCount * sizeof *g->correction.at);
    sweepForward(system);
    sweepBackward(system, &step);
    return step;
}
