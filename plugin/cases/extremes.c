/* extremes.c  Selects the moments that are load cases. */
#include "cases.h"

#include "../report/collect/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ksiCaseQuantity[KSI_CASE_QUANTITIES] = {"fx", "fy", "fz", "tx", "ty", "tz", "force", "torque"};

static double quantityOf(const ksiLoad *load, int quantity)
{
    return quantity < 3    ? load->force[quantity]
           : quantity < 6  ? load->torque[quantity - 3]
           : quantity == 6 ? ksiLength(load->force)
                           : ksiLength(load->torque);
}

static bool isForce(int quantity)
{
    return quantity < 3 || quantity == 6;
}

static double barOf(const ksiLoad *load, int quantity)
{
    return load->bar[isForce(quantity) ? 0 : 1];
}

static ksiExtreme *findExtreme(ksiLoadCases *cases, const ksiLoad *load, int quantity, bool isMost)
{
    for (size_t i = 0; i < cases->extremeCount; i++) {
        ksiExtreme *e = &cases->extreme[i];
        if (e->quantity == quantity && e->isMost == isMost && e->kind == load->kind && strcmp(e->load, load->name) == 0)
            return e;
    }
    if (ksiReserve(&ksiLibraryAllocator, &cases->extreme, &cases->extremeCapacity, cases->extremeCount + 1,
                   sizeof *cases->extreme))
        return NULL;
    ksiExtreme *made = &cases->extreme[cases->extremeCount++];
    *made = (ksiExtreme){.kind = load->kind, .quantity = quantity, .isMost = isMost};
    memcpy(made->load, load->name, sizeof made->load);
    return made;
}

static bool add(ksiLoadCases *cases, ksiLoadCase *moment, const ksiLoad *load, int quantity, bool isMost)
{
    const double value = quantityOf(load, quantity);
    ksiExtreme *e = findExtreme(cases, load, quantity, isMost);
    if (!e)
        return false;
    if (e->moment && !(isMost ? value > e->value : value < e->value))
        return true;
    ksiLoadCaseRelease(e->moment);
    moment->users++;
    e->moment = moment;
    e->value = value;
    e->bar = barOf(load, quantity);
    return true;
}

bool ksiChooseLoadCase(ksiLoadCases *cases, ksiLoadCase *moment)
{
    const ksiCaseOptions *options = cases->options;
    bool isAdded = true;
    for (size_t i = 0; i < moment->count; i++) {
        const ksiLoad *load = &moment->load[i];
        if (!ksiIsAmong(&options->joints, load->name))
            continue;
        for (int q = 0; q < KSI_CASE_QUANTITIES && isAdded; q++)
            if (options->quantities >> q & 1u)
                isAdded = (q >= 6 || add(cases, moment, load, q, false)) && add(cases, moment, load, q, true);
    }
    return isAdded;
}

/* --- At the end --- */

static int compareExtremes(const void *a, const void *b)
{
    const ksiExtreme *x = a, *y = b;
    const int names = strcmp(x->load, y->load);
    return x->kind != y->kind           ? (int)x->kind - (int)y->kind
           : names != 0                 ? names
           : x->quantity != y->quantity ? x->quantity - y->quantity
                                        : (int)x->isMost - (int)y->isMost;
}

static int compareMoments(const void *a, const void *b)
{
    const ksiLoadCase *x = *(ksiLoadCase *const *)a, *y = *(ksiLoadCase *const *)b;
    return x->step < y->step ? -1 : x->step > y->step;
}

/* Share of a load's largest force or torque. A smaller value is a case only if it exceeds its
 * bar. */
static const double negligible = 1e-6;

static double largestBeside(const ksiLoadCases *cases, const ksiExtreme *e)
{
    double largest = 0;
    for (size_t i = 0; i < cases->extremeCount; i++) {
        const ksiExtreme *other = &cases->extreme[i];
        if (other->kind == e->kind && isForce(other->quantity) == isForce(e->quantity) &&
            strcmp(other->load, e->load) == 0)
            largest = fmax(largest, fabs(other->value));
    }
    return largest;
}

static bool isTold(const ksiLoadCases *cases, const ksiExtreme *e)
{
    const double small = negligible * largestBeside(cases, e);
    return fabs(e->value) > (e->bar < small ? e->bar : small);
}

static bool dropUntold(ksiLoadCases *cases)
{
    size_t kept = 0;
    bool *isKept = malloc(cases->extremeCount + 1);
    if (!isKept)
        return false;
    for (size_t i = 0; i < cases->extremeCount; i++)
        isKept[i] = isTold(cases, &cases->extreme[i]);
    for (size_t i = 0; i < cases->extremeCount; i++) {
        if (isKept[i])
            cases->extreme[kept++] = cases->extreme[i];
        else
            ksiLoadCaseRelease(cases->extreme[i].moment);
    }
    cases->extremeCount = kept;
    free(isKept);
    return true;
}

bool ksiSortLoadCases(ksiLoadCases *cases)
{
    if (!dropUntold(cases))
        return false;
    if (cases->extremeCount > 0)
        qsort(cases->extreme, cases->extremeCount, sizeof *cases->extreme, compareExtremes);
    if (ksiReserve(&ksiLibraryAllocator, &cases->moment, &cases->capacity, cases->extremeCount + 1,
                   sizeof *cases->moment))
        return false;
    for (size_t i = 0; i < cases->extremeCount; i++) {
        size_t k = 0;
        while (k < cases->count && cases->moment[k] != cases->extreme[i].moment)
            k++;
        if (k == cases->count)
            cases->moment[cases->count++] = cases->extreme[i].moment;
    }
    if (cases->count > 0)
        qsort(cases->moment, cases->count, sizeof *cases->moment, compareMoments);
    return true;
}
