/* nullspace_projection.c  Replaces the self-stress in the multipliers by the self-stress in
 * reference multipliers.
 *
 * Let B~ = U Sigma V^T have unit columns. Its null space is `V2`, the columns of V beyond the rank.
 * If constraints have drifted, dependent rows contradict each other, and the multipliers have large
 * components along V2. A basis that is tilted by `t` leaves `t` times these components in the
 * determinate part. The basis of selfstress.c is N = (Z; -1) with the least |B~ N|. Its tilt is the
 * square of a ratio: of the singular values on both sides of the rank. Let C = B~^T B~, and let `P`
 * be the projection on N. A vector of V2 is the sum of two parts: `a` in N, and x = X a
 * perpendicular to N. The linear map `X` satisfies
 *
 *     (1 - P) C (a + x) = X (P C (a + x)),    X a = -T C a + ...,     T = ((1 - P) C (1 - P))^+
 *
 * and is found by iteration. Each round reduces the error by a factor of the tilt.
 */
#include "../system_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ROUNDS: more rounds would cost time without need, because the error includes the change that one
 * more round would make. LEAST_SQUARE: a tilt is corrected only if its square is more than
 * rounding. For four-bars, a correction in every step would take 45 % more instructions. */
#define ROUNDS 3
#define LEAST_SQUARE DBL_EPSILON

/* Vectors are [columns], for unit columns. */
typedef struct Split {
    ksSystem *system;
    ksiFactor *f;
    double *move, *row;               /* [coordinates], [rows] */
    double *part, *across, *g, *next; /* a, x; scratch */
    double *frame;
} Split;

/* out := C x; out may be x */
static void square(const Split *s, const double *x, double *out)
{
    const ksSystem *system = s->system;
    const ksiFactor *f = s->f;
    memset(s->move, 0, (size_t)system->model.coordinateCount * sizeof *s->move);
    for (int c = 0; c < f->columns; c++)
        ksiRowAdd(&system->model, f->row[c], f->unit[c] * x[c], s->move);
    for (int b = 0; ksiIsKinematic(f) && b < system->model.blockCount; b++) {
        const double weight = ksiBlockWeight(&system->model, b);
        for (int i = 0; i < system->model.blockSize[b]; i++)
            s->move[system->model.blockOffset[b] + i] *= weight * weight;
    }
    for (int c = 0; c < f->columns; c++)
        out[c] = f->unit[c] * ksiRowDot(&system->model, f->row[c], s->move) + f->slackPart[c] * f->slackPart[c] * x[c];
}

/* out := P x */
static void project(const Split *s, const double *x, double *out)
{
    const ksiFactor *f = s->f;
    memset(s->row, 0, (size_t)f->rows * sizeof *s->row);
    for (int c = 0; c < f->columns; c++)
        s->row[f->row[c]] = x[c];
    ksiStressPart(s->system, f->stressBasis, s->row);
    for (int c = 0; c < f->columns; c++)
        out[c] = s->row[f->row[c]];
}

/* x := T x */
static void invert(const Split *s, double *x)
{
    ksiSolveRTransposed(s->f, x, s->frame);
    ksiSolveR(s->f, s->frame, x);
}

/* The factor from unit columns to unit rows. */
static double unitOf(const Split *s, int c)
{
    return s->f->unit[c] * s->system->model.kinematicSize[s->f->row[c]];
}

static double sizeOf(const Split *s, const double *x)
{
    double sum = 0;
    for (int c = 0; c < s->f->columns; c++)
        sum += unitOf(s, c) * x[c] * unitOf(s, c) * x[c];
    return sqrt(sum);
}

/* Finds x for a; returns the change that the next round would make. */
static double tilt(const Split *s)
{
    const size_t columns = (size_t)s->f->columns;
    double before = INFINITY, change = sizeOf(s, s->part);
    memset(s->across, 0, columns * sizeof *s->across);
    for (int round = 0; round < ROUNDS && change < before; round++) {
        for (size_t c = 0; c < columns; c++)
            s->next[c] = s->part[c] + s->across[c];
        square(s, s->next, s->g);
        project(s, s->g, s->next);
        square(s, s->next, s->next);
        invert(s, s->next);
        for (size_t c = 0; c < columns; c++)
            s->g[c] += s->next[c];
        invert(s, s->g);
        for (size_t c = 0; c < columns; c++)
            s->across[c] -= s->g[c];
        before = change;
        change = sizeOf(s, s->g);
    }
    return change < before ? change * (change / before) : change;
}

/* Corrects h, a vector of N, for the tilt that drift gives the basis. *remainder: remaining
 * error. */
static ksStatus correctTilt(ksSystem *system, ksiFactor *f, double *h, double *remainder)
{
    const size_t columns = (size_t)f->columns, coordinates = (size_t)system->model.coordinateCount;
    Split s = {.system = system, .f = f};
    KSI_TRY(ksiReserveVectors(system, 0, 5 * columns, coordinates + (size_t)f->rows));
    s.part = system->vector[1];
    s.across = s.part + columns;
    s.g = s.across + columns;
    s.next = s.g + columns;
    s.frame = s.next + columns;
    s.move = system->vector[2];
    s.row = s.move + coordinates;
    for (size_t c = 0; c < columns; c++)
        s.part[c] = h[f->row[c]] / unitOf(&s, (int)c);
    *remainder = tilt(&s);
    for (size_t c = 0; c < columns; c++)
        h[f->row[c]] += s.across[c] * unitOf(&s, (int)c);
    return KS_OK;
}

/* Replaces h, in unit rows, by the vector of V2 that has the same component in the basis. Up to the
 * square of the tilt, this vector is V2 V2^T h. */
static ksStatus split(ksSystem *system, double *h)
{
    ksiFactor *f;
    KSI_TRY(ksiDecidingFactor(system, &f));
    ksiStressPart(system, &system->stresses.orthonormal[KSI_METRIC_KINEMATIC], h);
    const size_t rows = (size_t)system->model.rowCount;
    const double size = sqrt(ksiDot(rows, h, h));
    double least = f->decomposed && f->rank > 0 ? f->sigma[f->rank - 1] : 1, remainder = 0;
    if (f->stressCount > 0) {
        const double spread = ksiFactorSpread(f), ratio = f->perturbedBound / (f->least * spread * spread);
        least = f->least * spread;
        remainder = size * (spread < 1 ? ratio : ratio * ratio);
        if (f->perturbedBound * f->perturbedBound > LEAST_SQUARE)
            KSI_TRY(correctTilt(system, f, h, &remainder));
    }
    system->stresses.splitError = fmax(system->stresses.splitError, remainder + DBL_EPSILON * size / least);
    return KS_OK;
}

static int takesPart(const ksSystem *system, int row)
{
    int count, any = 0;
    const double *share = ksiSystemStressShares(system, row, &count);
    for (int i = 0; i < count; i++)
        any |= share[i] != 0;
    return any;
}

ksStatus ksiSystemProjectSelfStress(ksSystem *system, const double *reference, double *multiplier)
{
    int count;
    ksStatus status = ksiSystemCountSelfStresses(system, &count);
    if (status || system->model.rowCount == 0)
        return status;
    if (!reference || !multiplier)
        return KS_ERROR_BAD_ARGUMENT;
    if (count == 0)
        return KS_OK;
    const size_t rows = (size_t)system->model.rowCount;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->vector[0], rows));
    double *h = system->vector[0];
    for (size_t l = 0; l < rows; l++)
        h[l] = system->model.kinematicSize[l] * (reference[l] - multiplier[l]);
    // rows outside all self-stresses may have any multiplier
    for (int l = 0; !ksiAllFinite(rows, h) && l < system->model.rowCount; l++) {
        if (isfinite(h[l]))
            continue;
        if (takesPart(system, l)) {
            system->culprit = l;
            return KS_ERROR_NOT_FINITE;
        }
        h[l] = 0;
    }
    KSI_TRY(split(system, h));
    // leaves out known rows, in which h is only rounding
    for (size_t l = 0; l < rows; l++)
        multiplier[l] += system->model.rowKnown[l] ? 0 : h[l] / system->model.kinematicSize[l];
    return KS_OK;
}
