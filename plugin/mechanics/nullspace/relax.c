/* relax.c  Finds one reaction by itself, from its relaxed coordinate `w`.
 *
 *     J_r w = 0 for every r != l,    J_l w != 0                       Paulus 1910 (4)
 *     rho = w^T (M a - f),    lambda_l = rho / (J_l w)                Paulus 1910 (17), (18)
 *
 * The library's own direction is w = Q1 R^-T e_l. It is M-orthogonal to all admissible motions,
 * with J_l w = 1. Its square |w|_M^2 = [(A + S)^-1]_ll is the effective mass of the constraint. A
 * known row is an applied force, not a row of `R`. Its direction is the part of b_l that the other
 * rows admit.
 */
#include "../system_private.h"

#include "../../base/fpguard.h"
#include "../../base/vectorise.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Unit rows b_l whose product is smaller count as M-orthogonal. Unit directions whose difference is
 * smaller count as equal. Such values are rounding of the scaled rows, not geometry. */
#define ORTHOGONAL 1e-12

/* b_l . w with the row's own slack. */
static double rowAlong(const ksSystem *system, const ksiFactor *f, int row, const double *w)
{
    const int c = f->column[row];
    double sum = ksiRowDot(&system->model, row, w);
    if (c >= 0 && f->slack[c] >= 0)
        sum += sqrt(system->model.compliance[row]) * w[f->slack[c]];
    return sum;
}

/* The relaxed coordinate of a known row, in the frame: the admissible part of b_l. */
static ksStatus relaxKnown(ksSystem *system, ksiFactor *f, int row, double *w)
{
    memset(w, 0, (size_t)f->height * sizeof *w);
    ksiRowAdd(&system->model, row, 1, w);
    ksiApplyQTransposed(f, w);
    for (int i = 0; i < f->rank; i++)
        w[i] = 0;
    const double square = ksiDot((size_t)f->height, w, w);
    if (!(square > KSI_ROUNDING_RANK * KSI_ROUNDING_RANK * system->model.diagonal[row]))
        return KS_ERROR_REDUNDANT;
    for (int i = 0; i < f->height; i++)
        w[i] /= square;
    return KS_OK;
}

/* The square of a column's part in the unit self-stresses. */
static double stressedPart(const ksiFactor *f, int column)
{
    double square = 0;
    const size_t wide = (size_t)f->columns;
    for (size_t p = 0; f->decomposed && p < wide; p++)
        if (f->pivot[p] - 1 == column)
            for (size_t i = (size_t)f->rank; i < wide; i++)
                square += f->vt[p * wide + i] * f->vt[p * wide + i];
    return square;
}

/* R^-T e_l: w = Q1 R^-T e_l in the frame, with J_l w = 1. */
static ksStatus relaxInFrame(ksSystem *system, ksiFactor *f, int row, double *w)
{
    const int c = f->column[row];
    if (c < 0)
        return KS_ERROR_REDUNDANT;
    double *unit = system->motion.side;
    memset(unit, 0, (size_t)f->columns * sizeof *unit);
    unit[c] = 1 / f->scale[c];
    if (f->decomposed) {
        ksiFactor *kinematic;
        KSI_TRY(ksiFactorGet(system, KSI_VIEW_KINEMATIC_EXACT, &kinematic));
        if (stressedPart(kinematic, c) >= ksiStressNoise(kinematic) * ksiStressNoise(kinematic))
            return KS_ERROR_REDUNDANT;
    }
    memset(w, 0, (size_t)f->height * sizeof *w);
    ksiSolveRTransposed(f, unit, w);
    return KS_OK;
}

/* Scales the user's direction, adds its slacks u_r = -J_r w / sqrt(s_r), and checks it. */
static ksStatus takeDirection(ksSystem *system, const ksiFactor *f, int row, const double *direction, double *w)
{
    memset(w, 0, (size_t)f->height * sizeof *w);
    ksiScaleMotion(&system->model, direction, w);
    const double size = sqrt(ksiDot((size_t)system->model.coordinateCount, w, w));
    for (int r = 0; r < system->model.rowCount; r++) {
        const int c = f->column[r];
        if (r == row || c < 0)
            continue;
        const double along = ksiRowDot(&system->model, r, w);
        if (f->slack[c] >= 0) {
            w[f->slack[c]] = -along / sqrt(system->model.compliance[r]);
        } else if (fabs(along) > KSI_ADMISSIBLE * size * f->scale[c]) {
            system->culprit = r;
            return KS_ERROR_NOT_ADMISSIBLE;
        }
    }
    if (!(fabs(ksiRowDot(&system->model, row, w)) > KSI_ADMISSIBLE * size * sqrt(system->model.diagonal[row]))) {
        system->culprit = row;
        return KS_ERROR_NOT_RELAXING;
    }
    return KS_OK;
}

/* M~ a~ - f~ in scaled coordinates, with the slacks of the true motion; f~ holds the other known
 * rows only. */
static void unbalanced(ksSystem *system, const ksiFactor *f, int row, const double *acceleration, double *e)
{
    const ksiSystemMotion *m = &system->motion;
    const size_t coordinates = (size_t)system->model.coordinateCount;
    memcpy(e, m->y, (size_t)f->height * sizeof *e);
    if (acceleration)
        ksiScaleMotion(&system->model, acceleration, e);
    for (size_t i = 0; i < coordinates; i++)
        e[i] -= m->applied[i];
    if (system->model.rowKnown[row])
        ksiRowAdd(&system->model, row, system->model.lo[row], e);
}

/* Is J_l M^-1 J_r^T = 0 for every other row? b: scratch [coordinates]. */
static int standsForItself(const ksSystem *system, int row, double *b)
{
    memset(b, 0, (size_t)system->model.coordinateCount * sizeof *b);
    ksiRowAdd(&system->model, row, 1, b);
    for (int r = 0; r < system->model.rowCount; r++) {
        if (r == row || system->model.rowKnown[r])
            continue;
        if (fabs(ksiRowDot(&system->model, r, b)) >
            ORTHOGONAL * sqrt(system->model.diagonal[row] * system->model.diagonal[r]))
            return 0;
    }
    return 1;
}

/* Is w = c M^-1 J_l^T, without motion of the row's own slack? b: scratch [height]. */
static bool isAlongNormal(const ksSystem *system, const ksiFactor *f, int row, const double *w, double *b)
{
    const size_t height = (size_t)f->height;
    memset(b, 0, height * sizeof *b);
    ksiRowAdd(&system->model, row, 1, b);
    const double part = ksiDot(height, w, b) / ksiDot(height, b, b);
    for (size_t i = 0; i < height; i++)
        b[i] = w[i] - part * b[i];
    return ksiDot(height, b, b) <= ORTHOGONAL * ORTHOGONAL * ksiDot(height, w, w);
}

/* Is w^T M t = 0 for all t with J t = 0? own: the library's direction, which has no cross term; for
 * a known row it is the admissible direction that moves the row. Transforms both into the frame. */
static bool hasNoCrossTerm(const ksSystem *system, ksiFactor *f, int row, double *w, double *own)
{
    const size_t rank = (size_t)f->rank, rest = (size_t)f->height - rank;
    const double size2 = ksiDot((size_t)f->height, w, w);
    ksiApplyQTransposed(f, w);
    if (system->model.rowKnown[row]) {
        ksiApplyQTransposed(f, own);
        const double part = ksiDot(rest, w + rank, own + rank) / ksiDot(rest, own + rank, own + rank);
        for (size_t i = rank; i < rank + rest; i++)
            w[i] -= part * own[i];
    }
    return ksiDot(rest, w + rank, w + rank) <= ORTHOGONAL * ORTHOGONAL * size2;
}

/* The relaxation along the chosen direction, after the motion is known. */
static ksStatus relax(ksSystem *system, ksiFactor *f, int row, const double *direction, const double *acceleration,
                      ksRelaxation *out)
{
    const size_t height = (size_t)f->height;
    KSI_TRY(ksiReserveVectors(system, height, height, height));
    double *own = system->vector[0], *given = system->vector[1], *e = system->vector[2];
    KSI_TRY(direction ? takeDirection(system, f, row, direction, given) : KS_OK);
    const ksStatus status =
        system->model.rowKnown[row] ? relaxKnown(system, f, row, own) : relaxInFrame(system, f, row, own);
    if (status) {
        system->culprit = row;
        return status;
    }
    ksiApplyQ(f, own);
    const double *w = direction ? given : own;
    unbalanced(system, f, row, acceleration, e);
    ksRelaxation found = {0};
    found.rho = ksiDot(height, w, e);
    found.derivative = rowAlong(system, f, row, w);
    found.multiplier = found.rho / found.derivative;
    found.effectiveMass = ksiDot(height, own, own);
    found.orthogonal = direction ? isAlongNormal(system, f, row, given, e) : standsForItself(system, row, given);
    found.noCrossTerm = !direction || hasNoCrossTerm(system, f, row, given, own);
    if (!isfinite(found.multiplier) || !isfinite(found.effectiveMass))
        return KS_ERROR_NOT_FINITE;
    *out = found;
    return KS_OK;
}

static ksStatus checkRelaxation(ksSystem *system, int row, const ksRelaxation *out)
{
    KSI_REQUIRE_SYSTEM(system);
    KSI_REQUIRE(row >= 0 && row < system->model.rowCount, "row is %d, of %d rows", row, system->model.rowCount);
    KSI_REQUIRE_POINTER(out);
    return KS_OK;
}

ksStatus ksiSystemRelaxRow(ksSystem *system, int row, const double *direction, const double *acceleration,
                           ksRelaxation *out)
{
    KSI_TRY(checkRelaxation(system, row, out));
    const size_t coordinates = (size_t)system->model.coordinateCount;
    if (direction && !ksiAllFinite(coordinates, direction))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "direction has a NaN or an infinity");
    if (acceleration && !ksiAllFinite(coordinates, acceleration))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "acceleration has a NaN or an infinity");
    ksiFactor *f;
    KSI_TRY(ksiTrueMotion(system, &f));
    return relax(system, f, row, direction, acceleration, out);
}

/* Sum of |lambda_r J_r w| over all other rows; *derivative: J_l w of this row. */
KSI_CLONES
static double leakOf(const ksSystem *system, const ksiFactor *f, int row, const double *w, double *derivative)
{
    double sum = 0;
    for (int c = 0; c < f->columns; c++) {
        const int r = f->row[c], slack = f->slack[c];
        double along = ksiRowDot(&system->model, r, w);
        if (slack >= 0)
            along += f->slackPart[c] * f->scale[c] * w[slack];
        if (r == row)
            *derivative = along;
        else
            sum += fabs(system->motion.multiplier[r] * along);
    }
    return sum;
}

/* With M a - f = J^T lambda + e, rho = lambda_l J_l w + sum over others of lambda_r J_r w + w^T e.
 * The sum is computed. |e| is at most the rounding of a true motion; the error bars contain this
 * rounding. */
static ksStatus relaxLiterally(ksSystem *system, ksiFactor *f, int row, const double *e, double *w, ksiRelaxed *found)
{
    const size_t rank = (size_t)f->rank, height = (size_t)f->height;
    KSI_TRY(relaxInFrame(system, f, row, w));
    const double size = sqrt(ksiDot(rank, w, w));
    double motion = 0, derivative = 1;
    // the rest of the frame: the admissible motions
    for (size_t i = rank; i < height; i++) {
        w[i] = ksiPseudoRandom((int)i);
        motion += w[i] * w[i];
    }
    for (size_t i = rank; i < height; i++)
        w[i] *= size / sqrt(motion);
    ksiApplyQ(f, w);
    const double rho = ksiDot(height, w, e), leak = leakOf(system, f, row, w, &derivative);
    found->multiplier = rho / derivative;
    found->allowance = (leak + system->rounding * 2 * size) / fabs(derivative);
    return KS_OK;
}

ksStatus ksiSystemRelaxLiterally(ksSystem *system, int row, const double *acceleration, ksiRelaxed *found)
{
    ksiFactor *f;
    KSI_TRY(ksiTrueMultipliers(system, &f));
    KSI_TRY(ksiReserveVectors(system, (size_t)f->height, (size_t)f->height, 0));
    double *w = system->vector[0], *e = system->vector[1];
    unbalanced(system, f, row, acceleration, e);
    *found = (ksiRelaxed){.multiplier = NAN, .allowance = INFINITY};
    const ksStatus status = relaxLiterally(system, f, row, e, w, found);
    return status == KS_ERROR_REDUNDANT ? KS_OK : status;
}

static ksStatus relaxWithin(ksSystem *system, int row, const double *direction, const double *acceleration,
                            ksRelaxation *out)
{
    ksRelaxation found;
    double load = 0;
    int done = 0;
    KSI_TRY(checkRelaxation(system, row, out));
    if (direction && acceleration)
        KSI_TRY(ksiRelaxAlong(system, row, direction, acceleration, &found, &load, &done));
    if (!done) {
        KSI_TRY(ksiSystemRelaxRow(system, row, direction, acceleration, &found));
        const double *applied = system->motion.applied;
        load = sqrt(ksiDot((size_t)system->model.coordinateCount, applied, applied));
    }
    load += ksiRowLength(&system->model, row) * fabs(found.multiplier);
    if (ksiBreaksBounds(system, row, found.multiplier, load))
        return KS_ERROR_BOUND;
    *out = found;
    return KS_OK;
}

ksStatus ksSystemRelaxRow(ksSystem *system, int row, const double *direction, const double *acceleration,
                          ksRelaxation *out)
{
    KSI_RETURN_OF_SYSTEM(system, relaxWithin(system, row, direction, acceleration, out));
}
