/* coordinates_rows.c  Rows of constraints in general coordinates, and Frobenius's condition. */
#include "coordinates_private.h"

#include "../../base/fpguard.h"

#include <float.h>
#include <math.h>

static ksStatus beginRows(ksCoordinates *c, const void *out, const ksiCoordinatesState **s)
{
    KSI_TRY(ksiRequireState(c, s));
    KSI_REQUIRE_POINTER(out);
    return ksiDoublesReserve(&c->allocator, &c->scratch, (size_t)c->directions);
}

static ksStatus giveRow(const ksCoordinates *c, const ksConstraintRow *found, ksConstraintRow *out)
{
    const size_t n = (size_t)c->coordinates;
    if (!ksiAllFinite(n, found->jacobian) || !isfinite(found->beta) || !isfinite(found->rate))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "the row overflows");
    ksiCopy(n, found->jacobian, out->jacobian);
    out->beta = found->beta;
    out->value = found->value;
    out->rate = found->rate;
    return KS_OK;
}

static ksStatus getConstraint(ksCoordinates *c, ksDualFn *phi, void *user, ksConstraintRow *out)
{
    const ksiCoordinatesState *s;
    const ksiDualCall call = {phi, user, "phi", 1};
    KSI_TRY(beginRows(c, out, &s));
    KSI_REQUIRE_POINTER(phi);
    ksConstraintRow found = {.jacobian = c->scratch};
    for (int j = 0; j < c->coordinates; j++) {
        KSI_TRY(ksiCallDual(c, s, &call, j, c->directions));
        found.jacobian[j] = c->result->first;
    }
    KSI_TRY(ksiCallDual(c, s, &call, c->directions, c->directions));
    found.value = c->result->value;
    found.rate = c->result->first;
    found.beta = -c->result->mixed;
    return giveRow(c, &found, out);
}

ksStatus ksCoordinatesGetConstraint(ksCoordinates *coordinates, ksDualFn *phi, void *user, ksConstraintRow *out)
{
    KSI_RETURN_GUARDED(getConstraint(coordinates, phi, user, out));
}

static ksStatus getVelocityRow(ksCoordinates *c, ksDualFn *form, void *user, ksConstraintRow *out)
{
    const ksiCoordinatesState *s;
    KSI_TRY(beginRows(c, out, &s));
    KSI_REQUIRE_POINTER(form);
    const size_t n = (size_t)c->coordinates;
    const ksiDualCall call = {form, user, "form", n + 1};
    KSI_TRY(ksiCallDual(c, s, &call, c->directions, c->directions));
    const ksDual *a = c->result;
    ksConstraintRow found = {
        .jacobian = c->scratch, .beta = a[n].first, .value = NAN, .rate = -a[n].value, .reserved = {0}};
    for (size_t i = 0; i < n; i++) {
        found.jacobian[i] = a[i].value;
        found.beta -= a[i].first * s->rate[i];
        found.rate += a[i].value * s->rate[i];
    }
    return giveRow(c, &found, out);
}

ksStatus ksCoordinatesGetVelocityRow(ksCoordinates *coordinates, ksDualFn *form, void *user, ksConstraintRow *out)
{
    KSI_RETURN_GUARDED(getVelocityRow(coordinates, form, user, out));
}

/* Makes the rows orthonormal. Returns the least share of a row's length that is perpendicular to
 * the earlier rows. */
static double orthogonalise(size_t directions, size_t rows, double *row)
{
    double least = 1;
    for (size_t l = 0; l < rows; l++) {
        double *x = row + l * directions;
        const double before = sqrt(ksiDot(directions, x, x));
        ksiOrthogonalise(directions, row, l, x);
        const double remainder = sqrt(ksiDot(directions, x, x));
        if (!(remainder > 1e-12 * before))
            return 0;
        least = fmin(least, remainder / before);
        for (size_t i = 0; i < directions; i++)
            x[i] /= remainder;
    }
    return least;
}

/* The largest element of P (D - D^T) P, relative to the largest term |D_ij| + |D_ji|; P projects
 * onto the null space of the unit rows, and D[j x N + i] is the derivative of a row's i-th
 * coefficient along j. Overwrites D. */
static double findCurl(size_t directions, size_t rows, const double *unit, double *d)
{
    double worst = 0, largest = 0;
    for (size_t j = 0; j < directions; j++)
        for (size_t i = 0; i <= j; i++) {
            double *one = &d[j * directions + i], *other = &d[i * directions + j];
            largest = fmax(largest, fabs(*one) + fabs(*other));
            *one -= *other;
            *other = -*one;
        }
    for (size_t j = 0; j < directions; j++)
        ksiOrthogonalise(directions, unit, rows, d + j * directions);
    for (size_t i = 0; i < directions; i++)
        for (size_t j = 0; j < i; j++) {
            const double kept = d[i * directions + j];
            d[i * directions + j] = d[j * directions + i];
            d[j * directions + i] = kept;
        }
    for (size_t j = 0; j < directions; j++) {
        ksiOrthogonalise(directions, unit, rows, d + j * directions);
        for (size_t i = 0; i < directions; i++)
            worst = fmax(worst, fabs(d[j * directions + i]));
    }
    return largest > 0 ? worst / largest : 0;
}

static ksStatus getIntegrability(ksCoordinates *c, int rows, ksDualFn *form, void *user, ksIntegrability *out)
{
    const ksiCoordinatesState *s;
    KSI_TRY(beginRows(c, out, &s));
    KSI_REQUIRE_POINTER(form);
    KSI_REQUIRE(rows >= 1 && rows <= c->coordinates, "rows is %d, must be 1 ... %d", rows, c->coordinates);
    const size_t more = (size_t)c->directions, m = (size_t)rows;
    const ksiDualCall call = {form, user, "form", m * more};
    KSI_TRY(ksiDoublesReserve(&c->allocator, &c->scratch, m * more * (1 + more)));
    double *row = c->scratch, *derivative = row + m * more, residual = 0;
    for (int j = 0; j < c->directions; j++) {
        KSI_TRY(ksiCallDual(c, s, &call, j, j));
        for (size_t i = 0; i < m * more; i++) {
            // the coefficient of the time is -a_0
            const double sign = i % more == more - 1 ? -1 : 1;
            derivative[(i / more * more + (size_t)j) * more + i % more] = sign * c->result[i].first;
            row[i] = sign * c->result[i].value;
        }
    }
    const double least = orthogonalise(more, m, row);
    if (!(least > 0))
        return KSI_EXPLAIN(KS_ERROR_REDUNDANT, "a row is zero here, or depends on others");
    for (size_t l = 0; l < m; l++)
        residual = fmax(residual, findCurl(more, m, row, derivative + l * more * more));
    if (!isfinite(residual))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "the rows overflow");
    out->residual = residual;
    out->bar = 16 * (double)more * DBL_EPSILON / least;
    out->integrable = residual <= out->bar;
    return KS_OK;
}

ksStatus ksCoordinatesGetIntegrability(ksCoordinates *coordinates, int rows, ksDualFn *form, void *user,
                                       ksIntegrability *out)
{
    KSI_RETURN_GUARDED(getIntegrability(coordinates, rows, form, user, out));
}
